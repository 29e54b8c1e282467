//! Finds as many errors of a text as possible at once, for the commands, editors and the
//! window.
//!
//! Reading stops at the first error. A text that can be read is searched for all unknown
//! constructs. A text without unknown constructs is compiled, which again stops at the
//! first error.

use crate::compile::{Compiled, compile};
use crate::constructs;
use crate::text::{Reading, TextError, read_with};

/// The result of checking a text.
#[derive(Clone, Debug)]
pub struct Checked {
    /// The tree and options of the text, if it can be read.
    pub reading: Option<Reading>,
    /// The errors of the text.
    pub troubles: Vec<TextError>,
    /// The compiled game, if it was requested and there are no errors.
    pub compiled: Option<Compiled>,
}

/// How far a text is checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CheckDepth {
    /// Only whether it is valid in the language.
    Language,
    /// Also whether it can be compiled to a cartridge.
    Cartridge,
}

/// Checks a text, with these items of its options chosen.
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

/// Reads and compiles a text, with these items of its options chosen.
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

/// The unknown constructs of a text. Those inside a macro are reported once, where the
/// macro is used.
fn unknown(reading: &Reading) -> Vec<TextError> {
    let mut troubles = constructs::troubles(&reading.game);
    troubles.dedup();
    troubles
}
