//! Hover: the meaning of the word under the cursor.

use ludemes::constructs::{self, Construct};
use ludemes::tree::{Kind, Node};
use ludemes::{explain, text};

use crate::raw::{Call, Raw, Token};

/// The meaning of the construct, macro or argument at a position, in Markdown, and its
/// byte range.
pub fn at(source: &str, at: usize) -> Option<(String, std::ops::Range<usize>)> {
    let raw = Raw::of(source);
    // The opening bracket of a call has the meaning of its head.
    let opened = || raw.calls.iter().find(|call| call.range.start == at);
    let token = raw
        .token(at)
        .or_else(|| opened().and_then(|call| call.tokens.first()))?;
    if token.quoted {
        return Some((quoted(source, &raw, token)?, token.range.clone()));
    }
    let call = raw.around(token.range.start.max(1))?;
    let name = call.name()?;
    let construct = constructs::find(&name)?;
    let length = name.split(' ').count();
    let place = call.tokens.iter().position(|other| other == token)?;
    if place >= length {
        let said = argument(construct, token)?;
        return Some((said, token.range.clone()));
    }
    let mut said = vec![signature(construct), construct.means.to_owned()];
    said.extend(here(source, call, &name));
    let end = call.tokens[length - 1].range.end;
    Some((said.join("\n\n"), call.tokens[0].range.start..end))
}

/// The syntax of a construct.
pub fn signature(construct: &Construct) -> String {
    let takes = match construct.takes {
        "" => String::new(),
        takes => format!(" {takes}"),
    };
    format!("```\n({}{takes})\n```", construct.name)
}

/// Explains an argument by its name.
fn argument(construct: &Construct, token: &Token) -> Option<String> {
    let name = token.text.split_once(':')?.0;
    let parameters = construct.parameters();
    let found = parameters
        .iter()
        .find(|parameter| parameter.name == Some(name))?;
    let kind = found.kind;
    Some(format!(
        "`{name}:{kind}`, an argument of `{}`",
        construct.name
    ))
}

/// The definition of a macro, in the text itself or in the library.
fn quoted(source: &str, raw: &Raw, token: &Token) -> Option<String> {
    if let Some(define) = defined(raw, &token.text) {
        let words = &source[define.range.clone()];
        return Some(format!("```\n{words}\n```"));
    }
    let shared = text::macros();
    let found = shared.iter().find(|shared| shared.name == token.text)?;
    let about = &found.about;
    Some(format!("\"{}\" ({}): {about}", found.name, found.theme))
}

/// The call by which the text defines a macro.
pub fn defined<'a>(raw: &'a Raw, name: &str) -> Option<&'a Call> {
    raw.with_head("define")
        .find(|call| call.quoted().is_some_and(|token| token.text == name))
}

/// The meaning of a call in this game: a condition, a rule for the end, or the whole
/// game.
fn here(source: &str, call: &Call, name: &str) -> Option<String> {
    let game = text::read(source).ok()?;
    if name == "game" {
        return Some(format!("---\n{}", explain::explain(&game)));
    }
    let node = find(&game, call.range.start as u32, call.range.end as u32)?;
    if constructs::is_condition(name) {
        let said = explain::condition(&game, node);
        return Some(format!("Here: {said}."));
    }
    None
}

/// The call with exactly this byte range.
fn find(node: &Node, start: u32, end: u32) -> Option<&Node> {
    if node.span.start == start && node.span.end == end && matches!(node.kind, Kind::Call(_)) {
        return Some(node);
    }
    match &node.kind {
        Kind::Call(arguments) => arguments
            .iter()
            .find_map(|argument| find(&argument.node, start, end)),
        Kind::Set(nodes) => nodes.iter().find_map(|node| find(node, start, end)),
        _ => None,
    }
}
