//! The macros that every text may use, from the files in `macros/`.

use std::collections::HashSet;
use std::sync::LazyLock;

use super::clean;
use super::defines::{self, Define};
use super::trouble::{Problem, TextError, near};
use crate::tree::{Kind, Node};

/// The files of the library, by theme.
const FILES: [(&str, &str); 12] = [
    ("boards", include_str!("../../macros/boards.lud")),
    ("captures", include_str!("../../macros/captures.lud")),
    ("conditions", include_str!("../../macros/conditions.lud")),
    ("ends", include_str!("../../macros/ends.lud")),
    ("hops", include_str!("../../macros/hops.lud")),
    ("pieces", include_str!("../../macros/pieces.lud")),
    ("setups", include_str!("../../macros/setups.lud")),
    ("slides", include_str!("../../macros/slides.lud")),
    ("steps", include_str!("../../macros/steps.lud")),
    ("tracks", include_str!("../../macros/tracks.lud")),
    ("turns", include_str!("../../macros/turns.lud")),
    ("values", include_str!("../../macros/values.lud")),
];

static LIBRARY: LazyLock<Vec<Define>> = LazyLock::new(|| {
    let read = |(theme, text): &(&str, &str)| {
        let (mut text, _) =
            clean::clean(text).unwrap_or_else(|trouble| panic!("{theme}: {trouble}"));
        defines::cut(&mut text).unwrap_or_else(|trouble| panic!("{theme}: {trouble}"))
    };
    FILES.iter().flat_map(read).collect()
});

/// A macro that every text may use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Macro {
    /// The name of the macro.
    pub name: String,
    /// The comment in the file that describes it and its neighbours.
    pub about: String,
    /// The theme of its file.
    pub theme: &'static str,
}

/// The macros that every text may use, in the order of the files.
pub fn macros() -> Vec<Macro> {
    FILES
        .iter()
        .flat_map(|(theme, text)| macros_of(theme, text))
        .collect()
}

/// The macros of a file. A comment describes all that follow, up to an empty line.
fn macros_of(theme: &'static str, text: &str) -> Vec<Macro> {
    let mut macros = Vec::new();
    let mut about: Vec<&str> = Vec::new();
    let mut after_macro = true;
    for line in text.lines() {
        if let Some(comment) = line.strip_prefix("//") {
            if after_macro {
                about.clear();
            }
            after_macro = false;
            about.push(comment.trim());
        } else if line.is_empty() {
            // A comment before an empty line describes the whole file or a section.
            after_macro = true;
        } else if let Some(rest) = line.strip_prefix("(define \"") {
            after_macro = true;
            let name = rest.split('"').next().unwrap_or_default().to_owned();
            let about = about.join(" ");
            macros.push(Macro { name, about, theme });
        }
    }
    macros
}

/// The macros of the library, ready to be expanded.
pub(super) fn library() -> &'static [Define] {
    &LIBRARY
}

/// True if a name is that of a macro, in the library or in the text.
pub(super) fn is_defined(text: &str, name: &str) -> bool {
    let tag = format!("\"{name}\"");
    let mut defines = text.match_indices("(define");
    defines.any(|(at, word)| text[at + word.len()..].trim_start().starts_with(&tag))
        || library().iter().any(|define| define.tag == tag)
}

/// The most similar name of a macro, in the library or in the text.
pub(super) fn near_macro(name: &str, own: &HashSet<String>) -> Option<String> {
    let library = library().iter().map(|define| define.tag.trim_matches('"'));
    near(name, own.iter().map(String::as_str).chain(library))
}

/// Reports the first macro that is not defined.
pub(super) fn no_unknown_macro(node: &Node, own: &HashSet<String>) -> Result<(), TextError> {
    for node in node.all() {
        if let Kind::Call(arguments) = &node.kind
            && let Kind::Text(name) = &arguments[0].node.kind
        {
            return Err(TextError {
                span: arguments[0].node.span,
                problem: Problem::UnknownMacro {
                    name: name.clone(),
                    near: near_macro(name, own),
                },
            });
        }
    }
    Ok(())
}
