//! Finds all errors of a text that can be found at once: for the commands, for
//! editors and for the window.
//!
//! Reading stops at the first error; a text that can be read is searched for all
//! unknown constructs; a text with only known ones is compiled, which again stops at
//! the first error.

use crate::compile::{Compiled, compile};
use crate::constructs;
use crate::text::{Reading, TextError, read_with};

/// The result of a text.
#[derive(Clone, Debug)]
pub struct Checked {
    /// The text, if it can be read.
    pub reading: Option<Reading>,
    /// The errors of the text.
    pub troubles: Vec<TextError>,
    /// The compiled game, if there is no error and it was requested.
    pub compiled: Option<Compiled>,
}

/// How far a text is looked through.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CheckDepth {
    /// Whether it is of the language.
    Language,
    /// Whether a cartridge can be made of it, too.
    Cartridge,
}

/// Looks a text through, with some items of its options chosen.
#[must_use]
pub fn check(text: &str, chosen: &[String], depth: CheckDepth) -> Checked {
    let reading = match read_with(text, chosen) {
        Ok(reading) => reading,
        Err(trouble) => {
            return Checked {
                reading: None,
                troubles: vec![trouble],
                compiled: None,
            };
        }
    };
    let mut troubles = unknown(&reading);
    let mut compiled = None;
    if troubles.is_empty() && depth == CheckDepth::Cartridge {
        match compile(&reading.game) {
            Ok(made) => compiled = Some(made),
            Err(trouble) => troubles.push(trouble.of(&reading)),
        }
    }
    Checked {
        reading: Some(reading),
        troubles,
        compiled,
    }
}

/// Reads and compiles a text, with some items of its options chosen.
///
/// # Errors
/// The errors that [`check`] finds.
pub fn made(text: &str, chosen: &[String]) -> Result<(Reading, Compiled), Vec<TextError>> {
    let reading = read_with(text, chosen).map_err(|trouble| vec![trouble])?;
    match compile(&reading.game) {
        Ok(compiled) => Ok((reading, compiled)),
        Err(trouble) => {
            let mut troubles = unknown(&reading);
            if troubles.is_empty() {
                troubles.push(trouble.of(&reading));
            }
            Err(troubles)
        }
    }
}

/// The constructs that the language does not have; those inside a macro are reported
/// once, where the macro is used.
fn unknown(reading: &Reading) -> Vec<TextError> {
    let mut troubles = constructs::troubles(&reading.game);
    troubles.dedup();
    troubles
}
