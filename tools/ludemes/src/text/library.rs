//! The macros that every text may name, from the files of `macros/`.
use super::{
    clean,
    defines::{self, Define},
    trouble::{Problem, Trouble, near},
};
use crate::tree::{Kind, Node};
use std::{collections::HashSet, sync::LazyLock};

/// The files, by theme.
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
        let mut text = clean::clean(text).unwrap_or_else(|trouble| panic!("{theme}: {trouble}"));
        defines::cut(&mut text).unwrap_or_else(|trouble| panic!("{theme}: {trouble}"))
    };
    FILES.iter().flat_map(read).collect()
});

/// The macros of the library.
pub(super) fn library() -> &'static [Define] {
    &LIBRARY
}

/// Refuses a macro that neither the library nor the text defines.
pub(super) fn no_unknown_macro(node: &Node, own: &HashSet<String>) -> Result<(), Trouble> {
    match &node.kind {
        Kind::Call(arguments) => {
            if let Kind::Text(name) = &arguments[0].node.kind {
                let library = library().iter().map(|define| define.tag.trim_matches('"'));
                let known = own.iter().map(String::as_str).chain(library);
                return Err(Trouble {
                    span: arguments[0].node.span,
                    problem: Problem::UnknownMacro {
                        name: name.clone(),
                        near: near(name, known),
                    },
                });
            }
            arguments
                .iter()
                .try_for_each(|argument| no_unknown_macro(&argument.node, own))
        }
        Kind::Set(nodes) => nodes
            .iter()
            .try_for_each(|node| no_unknown_macro(node, own)),
        _ => Ok(()),
    }
}
