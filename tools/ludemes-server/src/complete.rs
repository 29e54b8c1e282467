//! Completion: suggestions for the next word.

use lsp_types::{
    CompletionItem, CompletionItemKind, CompletionTextEdit, Documentation, MarkupContent,
    MarkupKind, TextEdit,
};
use ludemes::{constructs, text};

use crate::lines;
use crate::meaning;
use crate::raw::{Call, Raw, Token};

/// The suggestions at a position: constructs after a bracket; macros and names within
/// quotes; elsewhere the named arguments of the construct and words without arguments.
/// There are no suggestions in a comment, nor where the text defines a new name.
pub fn at(source: &str, at: usize) -> Vec<CompletionItem> {
    let raw = Raw::of(&source[..at]);
    if raw.comments.last().is_some_and(|comment| comment.end == at) {
        return Vec::new();
    }
    // After the closing quote of a text, a new word begins.
    let token = raw
        .token(at)
        .filter(|token| !token.is_closed || token.range.end > at);
    if let Some(token) = token.filter(|token| token.quoted) {
        let is_name = raw.around(at).is_some_and(|call| gives_name(call, token));
        return match is_name {
            true => Vec::new(),
            false => quoted(source, token.range.start..end_of_quoted(source, at)),
        };
    }
    // Where the value of a named argument is expected, words are not suggested.
    let start = token.map_or(at, |token| token.range.start);
    let Some(call) = raw.around(at) else {
        return calls(source, start..at, true);
    };
    let words = |call: &Call| call.tokens.len();
    let family = call
        .head()
        .filter(|head| constructs::FAMILIES.contains(&head.text.as_str()) && head.range.end < at);
    let is_second = words(call) == 1 || (words(call) == 2 && token.is_some());
    if call.head().is_none_or(|head| head.range.end >= at) {
        return calls(source, call.range.start + 1..at, false);
    }
    if let (Some(head), true) = (family, is_second) {
        return calls(source, head.range.start..at, false);
    }
    arguments(source, call, start..at)
}

/// True if the quoted text is the name of a new definition, for which existing names are
/// not useful.
fn gives_name(call: &Call, token: &Token) -> bool {
    const MAKERS: [&str; 6] = ["game", "match", "define", "option", "item", "ruleset"];
    let head = call.head();
    head.is_some_and(|head| MAKERS.contains(&&*head.text)) && call.quoted() == Some(token)
}

/// The end of the quoted text at a position. Editors insert the closing quote when the
/// opening one is typed, and a suggestion replaces both.
fn end_of_quoted(source: &str, at: usize) -> usize {
    let rest = source[at..].trim_start_matches(|c: char| c.is_alphanumeric());
    let next = rest.chars().next();
    match next.filter(|next| *next == '"' || text::is_typographic(*next)) {
        Some(mark) => source.len() - rest.len() + mark.len_utf8(),
        None => at,
    }
}

fn item(source: &str, range: std::ops::Range<usize>, label: &str) -> CompletionItem {
    CompletionItem {
        label: label.to_owned(),
        text_edit: Some(CompletionTextEdit::Edit(TextEdit {
            range: lines::range(source, range),
            new_text: label.to_owned(),
        })),
        ..CompletionItem::default()
    }
}

fn documentation(value: String) -> Option<Documentation> {
    let kind = MarkupKind::Markdown;
    Some(Documentation::MarkupContent(MarkupContent { kind, value }))
}

/// The constructs; at the top level of a text only those that can stand there.
fn calls(source: &str, range: std::ops::Range<usize>, outermost: bool) -> Vec<CompletionItem> {
    let written = source[range.clone()].split_whitespace();
    let written = written.collect::<Vec<_>>().join(" ");
    if outermost {
        let heads = ["(game", "(define", "(option"].into_iter();
        let heads = heads.filter(|head| head.starts_with(&written));
        return heads
            .map(|head| item(source, range.clone(), head))
            .collect();
    }
    constructs::completions(&written)
        .map(|construct| CompletionItem {
            kind: Some(CompletionItemKind::FUNCTION),
            detail: Some(construct.means.to_owned()),
            documentation: documentation(meaning::signature(construct)),
            ..item(source, range.clone(), construct.name)
        })
        .collect()
}

/// The macros of the text and the library, and the other names in the text.
fn quoted(source: &str, range: std::ops::Range<usize>) -> Vec<CompletionItem> {
    let raw = Raw::of(source);
    let mut items: Vec<CompletionItem> = Vec::new();
    let mut add = |name: &str, kind, detail: String| {
        let label = format!("\"{name}\"");
        if items.iter().all(|item| item.label != label) {
            items.push(CompletionItem {
                kind: Some(kind),
                detail: Some(detail),
                ..item(source, range.clone(), &label)
            });
        }
    };
    for (head, is, kind) in [
        ("define", "macro", CompletionItemKind::VARIABLE),
        ("piece", "piece", CompletionItemKind::CLASS),
        ("regions", "region", CompletionItemKind::CLASS),
        ("phase", "phase", CompletionItemKind::CLASS),
    ] {
        for token in raw.with_head(head).filter_map(Call::quoted) {
            let is_written = token.range.start == range.start;
            if !is_written {
                add(&token.text, kind, format!("a {is} of this text"));
            }
        }
    }
    for shared in text::macros() {
        add(&shared.name, CompletionItemKind::SNIPPET, shared.about);
    }
    items
}

/// The named arguments of a construct, and the words without arguments.
fn arguments(source: &str, call: &Call, range: std::ops::Range<usize>) -> Vec<CompletionItem> {
    let construct = call.name().and_then(|name| constructs::find(&name));
    let parameters = construct.map(constructs::Construct::parameters);
    let named = parameters.unwrap_or_default().into_iter();
    let named = named.filter_map(|parameter| {
        let label = format!("{}:", parameter.name?);
        Some(CompletionItem {
            kind: Some(CompletionItemKind::FIELD),
            detail: Some(parameter.kind.to_owned()),
            ..item(source, range.clone(), &label)
        })
    });
    let words = constructs::WORDS.iter().map(|word| CompletionItem {
        kind: Some(CompletionItemKind::CONSTANT),
        ..item(source, range.clone(), word)
    });
    named.chain(words).collect()
}
