//! The named parts of a text, for an editor's outline.

use lsp_types::{DocumentSymbol, SymbolKind};

use crate::lines;
use crate::raw::{Call, Raw};

/// The heads of calls that are listed, with the kind of symbol that the editor shows for
/// each.
const PARTS: [(&str, SymbolKind); 14] = [
    ("define", SymbolKind::FUNCTION),
    ("option", SymbolKind::ENUM),
    ("game", SymbolKind::MODULE),
    ("players", SymbolKind::PROPERTY),
    ("equipment", SymbolKind::NAMESPACE),
    ("board", SymbolKind::OBJECT),
    ("hand", SymbolKind::OBJECT),
    ("piece", SymbolKind::CLASS),
    ("regions", SymbolKind::FIELD),
    ("rules", SymbolKind::NAMESPACE),
    ("start", SymbolKind::METHOD),
    ("phase", SymbolKind::NAMESPACE),
    ("play", SymbolKind::METHOD),
    ("end", SymbolKind::METHOD),
];

/// The parts of a text as a tree.
pub fn of(source: &str) -> Vec<DocumentSymbol> {
    let raw = Raw::of(source);
    below(source, &raw, None)
}

/// The parts directly within a call.
fn below(source: &str, raw: &Raw, parent: Option<usize>) -> Vec<DocumentSymbol> {
    let children = raw.calls.iter().enumerate();
    let children = children.filter(|(_, call)| call.parent == parent);
    let part = |(at, call)| symbol(source, raw, at, call);
    children.filter_map(part).collect()
}

#[allow(deprecated, reason = "the type has a field that nobody uses any more")]
fn symbol(source: &str, raw: &Raw, at: usize, call: &Call) -> Option<DocumentSymbol> {
    let head = call.head()?;
    let (_, kind) = PARTS.iter().find(|(name, _)| *name == head.text)?;
    // A piece that a move mentions is not a part of the equipment.
    let is_in_rules = || {
        let mut up = call.parent;
        while let Some(place) = up {
            let around = &raw.calls[place];
            if around.head().is_some_and(|head| head.text == "rules") {
                return true;
            }
            up = around.parent;
        }
        false
    };
    if head.text == "piece" && is_in_rules() {
        return None;
    }
    let named = call.quoted().filter(|_| {
        matches!(
            &*head.text,
            "define" | "option" | "game" | "piece" | "regions" | "phase"
        )
    });
    let name = named.map_or(&head.text, |token| &token.text);
    Some(DocumentSymbol {
        name: if name.is_empty() {
            head.text.clone()
        } else {
            name.clone()
        },
        detail: named.map(|_| head.text.clone()),
        kind: *kind,
        tags: None,
        deprecated: None,
        range: lines::range(source, call.range.clone()),
        selection_range: lines::range(source, named.unwrap_or(head).range.clone()),
        children: Some(below(source, raw, Some(at))),
    })
}
