//! Tests that the TextMate grammar can be loaded, and colours every construct in every
//! game as a construct.

use std::path::{Path, PathBuf};

use ludemes::constructs;
use ludemes::tree::{Kind, Node};
use regex::Regex;
use serde_json::Value;

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(name)
}

/// A pattern of the grammar: its expression, its scope, and the scope of each group.
struct Pattern {
    regex: Regex,
    scope: Option<String>,
    groups: Vec<(usize, String)>,
}

fn grammar() -> Vec<Pattern> {
    let text = std::fs::read_to_string(folder("editor/lud.tmLanguage.json")).unwrap();
    let grammar: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(grammar["scopeName"], "source.lud");
    assert_eq!(grammar["fileTypes"], serde_json::json!(["lud"]));
    let patterns = grammar["patterns"].as_array().unwrap();
    patterns
        .iter()
        .map(|pattern| {
            let name = |value: &Value| value["name"].as_str().map(str::to_owned);
            let groups = pattern["captures"].as_object();
            let groups = groups.into_iter().flatten();
            Pattern {
                regex: Regex::new(pattern["match"].as_str().unwrap()).unwrap(),
                scope: name(pattern),
                groups: groups
                    .map(|(group, of)| (group.parse().unwrap(), name(of).unwrap()))
                    .collect(),
            }
        })
        .collect()
}

/// The parts of a line that have a scope, as an editor finds them. At each position, the
/// pattern with the earliest match applies; among several, the first in the grammar.
fn scopes(grammar: &[Pattern], line: &str) -> Vec<(String, String)> {
    let mut scopes = Vec::new();
    let mut at = 0;
    loop {
        let found = grammar
            .iter()
            .filter_map(|pattern| Some((pattern.regex.captures_at(line, at)?, pattern)))
            .min_by_key(|(captures, _)| captures.get_match().start());
        let Some((captures, pattern)) = found else {
            return scopes;
        };
        let whole = captures.get_match();
        if let Some(scope) = &pattern.scope {
            scopes.push((whole.as_str().to_owned(), scope.clone()));
        }
        for (group, scope) in &pattern.groups {
            if let Some(part) = captures.get(*group) {
                scopes.push((part.as_str().to_owned(), scope.clone()));
            }
        }
        assert!(whole.end() > at, "{line}: nothing is matched at {at}");
        at = whole.end();
    }
}

fn told(line: &str) -> String {
    let scopes = scopes(&grammar(), line);
    let each = scopes
        .iter()
        .map(|(part, scope)| format!("{part}\n    {scope}"));
    each.collect::<Vec<_>>().join("\n")
}

#[test]
fn every_kind_of_line_is_coloured() {
    insta::assert_snapshot!(told(
        "(define \"Three\" (is Line #1 exact:True)) (\"Three\" 3) {(= -2 1.5) Mover Cell} <Board:size> // (end"
    ));
}

#[test]
fn every_construct_is_coloured_as_a_construct() {
    let grammar = grammar();
    for construct in constructs::all() {
        let line = format!("({} ", construct.name);
        let scopes = scopes(&grammar, &line);
        let of_name = scopes.iter().find(|(part, _)| part == construct.name);
        let scope = &of_name.unwrap_or_else(|| panic!("{line}: {scopes:?}")).1;
        let is_one = scope == "support.function.lud" || scope == "keyword.control.lud";
        assert!(is_one, "{line}: {scope}");
    }
}

/// The words and quoted texts of a game, and whether they are heads of calls.
fn collect(node: &Node, words: &mut Vec<String>) {
    match &node.kind {
        Kind::Call(arguments) => {
            if let Some(name) = constructs::name_of(arguments) {
                words.push(name);
            }
            arguments
                .iter()
                .for_each(|argument| collect(&argument.node, words));
        }
        Kind::Set(nodes) => nodes.iter().for_each(|node| collect(node, words)),
        _ => {}
    }
}

#[test]
fn constructs_are_coloured_in_every_game() {
    let grammar = grammar();
    let mut games = 0;
    for entry in std::fs::read_dir(folder("../../hil-bridge/ludemes/games")).unwrap() {
        let path = entry.unwrap().path();
        let text = std::fs::read_to_string(&path).unwrap();
        let found: Vec<(String, String)> = text
            .lines()
            .flat_map(|line| scopes(&grammar, line))
            .collect();
        let is_call = |scope: &str| matches!(scope, "support.function.lud" | "keyword.control.lud");
        let lines = text.lines();
        let uncommented = lines.map(|line| line.split("//").next().unwrap_or("").trim_end());
        let uncommented = uncommented.collect::<Vec<_>>().join("\n");
        let mut words = Vec::new();
        collect(&ludemes::text::read(&text).unwrap(), &mut words);
        // The head of a family may also stand before other words.
        words.retain(|word| !constructs::FAMILIES.contains(&word.as_str()));
        for word in words {
            // The contents of a macro do not appear in the text.
            let heads = [" ", ")", "\n"].map(|end| format!("({word}{end}"));
            let is_written = heads.iter().any(|head| uncommented.contains(head));
            let is_found = found
                .iter()
                .any(|(part, scope)| *part == word && is_call(scope));
            assert_eq!(is_written, is_found, "{}: {word}", path.display());
        }
        games += 1;
    }
    assert!(games >= 25);
}

#[test]
fn every_file_named_by_the_extension_exists() {
    let text = std::fs::read_to_string(folder("editor/package.json")).unwrap();
    let package: Value = serde_json::from_str(&text).unwrap();
    let language = &package["contributes"]["languages"][0];
    let paths = [
        &package["main"],
        &package["contributes"]["grammars"][0]["path"],
        &language["configuration"],
    ];
    for path in paths {
        let path = folder("editor").join(path.as_str().unwrap());
        assert!(path.exists(), "{}", path.display());
    }
    assert_eq!(
        package["contributes"]["grammars"][0]["scopeName"],
        "source.lud"
    );
    let server = &package["contributes"]["configuration"]["properties"]["ludemes.server"];
    assert_eq!(server["default"], "ludemes-server");
}
