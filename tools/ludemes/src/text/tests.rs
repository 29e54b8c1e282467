use super::*;

fn shown(node: &Node) -> String {
    match &node.kind {
        Kind::Call(arguments) => {
            let all: Vec<String> = arguments
                .iter()
                .map(|argument| {
                    let name = argument
                        .name
                        .as_ref()
                        .map_or(String::new(), |name| format!("{name}:"));
                    name + &shown(&argument.node)
                })
                .collect();
            format!("({})", all.join(" "))
        }
        Kind::Set(nodes) => {
            let all: Vec<String> = nodes.iter().map(shown).collect();
            format!("{{{}}}", all.join(" "))
        }
        Kind::Word(word) => word.clone(),
        Kind::Text(text) => format!("{text:?}"),
        Kind::Number(number) => number.to_string(),
        Kind::Fraction(number) => format!("{number:?}"),
    }
}

fn reads(text: &str) -> String {
    match read(text) {
        Ok(node) => shown(&node),
        Err(trouble) => trouble.to_string(),
    }
}

#[test]
fn a_macro_takes_its_arguments_into_quotes_and_glued_words() {
    assert_eq!(
        reads(r#"(define "Own" (piece "Big#1" P#1 #2)) (game "G" ("Own" 2 (move Step)))"#),
        r#"(game "G" (piece "Big2" P2 (move Step)))"#
    );
}

#[test]
fn typographic_quotes_are_quotes() {
    assert_eq!(
        reads("(game “Hex’ade” „x“ «y»)"),
        r#"(game "Hex’ade" "x" "y")"#
    );
}
