//! One module a command. Each has its options and a `run` that fails with a sentence.
pub mod bench;
pub mod check;
pub mod compile;
pub mod coverage;
pub mod explain;
pub mod fmt;
pub mod replay;
pub mod report;
pub mod words;

use ludemes::compile::{Compiled, compile};
use ludemes::text::{self, Reading, Trouble};
use ludemes::tree::Node;
use std::path::Path;

/// The text of a file.
fn load(path: &Path) -> Result<String, String> {
    let bytes = std::fs::read(path).map_err(|error| format!("{}: {error}", path.display()))?;
    String::from_utf8(bytes).map_err(|_| {
        format!(
            "{}: not a text: it has bytes that are not UTF-8",
            path.display()
        )
    })
}

/// What the text of a file says, with some items of its options chosen.
fn read(path: &Path, chosen: &[String]) -> Result<(String, Reading), String> {
    let text = load(path)?;
    match text::read_with(&text, chosen) {
        Ok(reading) => Ok((text, reading)),
        Err(trouble) => Err(shown(path, &text, &[trouble])),
    }
}

/// The game of a file, and what it is compiled to.
fn compiled(path: &Path, chosen: &[String]) -> Result<(Node, Compiled), String> {
    let (text, reading) = read(path, chosen)?;
    match compile(&reading.game) {
        Ok(compiled) => Ok((reading.game, compiled)),
        Err(trouble) => Err(shown(path, &text, &[trouble.at(&reading.game)])),
    }
}

/// Troubles as a person reads them.
fn shown(path: &Path, text: &str, troubles: &[Trouble]) -> String {
    let path = path.display().to_string();
    let each = troubles.iter().map(|trouble| trouble.shown(&path, text));
    each.collect::<Vec<_>>().join("\n\n")
}
