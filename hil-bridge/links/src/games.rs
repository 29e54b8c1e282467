//! Games whose texts are in files.

use std::borrow::Cow;
use std::error::Error;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use protocol::KnownLayout;
use touchboard_host::written::{self, Choice, TextGame, TextGameError, of_text};

use touchboard_files::{GAME_TEXT_BYTES, layouts, read_bounded_text, why_no_file};

/// Why the text of a game cannot be read from its file.
#[derive(Debug, thiserror::Error)]
pub enum GameFileError {
    /// The file cannot be read.
    #[error("cannot read {}: {}", path.display(), why_no_file(error))]
    Reading {
        /// The path of the file.
        path: PathBuf,
        /// Why it failed.
        error: io::Error,
    },
    /// The text is wrong, or its game does not fit a board.
    #[error(transparent)]
    Text(#[from] TextGameError),
}

/// Reads a layout: `9x9`, the name of a file with a [drawing](protocol::Sketch), or
/// the text of a game, written as a [`Choice`].
///
/// # Errors
/// A [`GameFileError`] if this is the text of a game, a
/// [`LayoutFileError`](touchboard_files::LayoutFileError) otherwise.
pub fn layout(text: &str) -> Result<KnownLayout, Box<dyn Error + Send + Sync>> {
    Ok(match Choice::written(text) {
        Some(choice) => read(&choice)?.layout,
        None => layouts::layout(text)?,
    })
}

/// The game whose text is in this file. If there is no such file, an included game with
/// that name: `hex.lud` is Hex.
///
/// # Errors
/// If the file cannot be read, or the text is wrong.
pub fn read(choice: &Choice) -> Result<TextGame, GameFileError> {
    let name = choice.file.display().to_string();
    Ok(of_text(&name, &source(&choice.file)?, &choice.options)?)
}

/// The text in a file, or the included text with that name.
fn source(path: &Path) -> Result<Cow<'static, str>, GameFileError> {
    read_bounded_text(path, GAME_TEXT_BYTES)
        .map(Cow::Owned)
        .or_else(|error| {
            let own = path.to_str().and_then(written::library::text);
            let own = own.filter(|_| error.kind() == ErrorKind::NotFound);
            own.map(Cow::Borrowed)
                .ok_or_else(|| GameFileError::Reading {
                    path: path.to_owned(),
                    error,
                })
        })
}

#[cfg(test)]
mod tests {
    use firmware_core::{AnyBoard, games};
    use ludemes::check;

    use super::*;

    #[test]
    fn built_in_games_need_no_file_and_paths_do() {
        let game = read(&Choice::written("tic-tac-toe.lud").unwrap()).unwrap();
        assert_eq!(game.layout.points(), 9);
        for missing in ["./tic-tac-toe.lud", "no-such-game.lud"] {
            let error = read(&Choice::written(missing).unwrap()).unwrap_err();
            let error = error.to_string();
            assert!(
                error.starts_with(&format!("cannot read {missing}: ")),
                "{error}"
            );
        }
    }

    #[test]
    fn an_overlong_file_is_refused_with_the_limit() {
        let file = tempfile::NamedTempFile::new().unwrap();
        file.as_file().set_len(GAME_TEXT_BYTES + 1).unwrap();
        let sentence = source(file.path()).unwrap_err().to_string();
        let why = "it has more than 4194304 bytes: name another file";
        assert!(sentence.ends_with(why), "{sentence}");
        file.as_file().set_len(GAME_TEXT_BYTES).unwrap();
        assert_eq!(source(file.path()).unwrap().len() as u64, GAME_TEXT_BYTES);
    }

    #[test]
    fn an_unknown_option_item_is_refused_with_the_nearest() {
        let hex = concat!(env!("CARGO_MANIFEST_DIR"), "/../ludemes/games/hex.lud");
        assert_eq!(layout(hex).unwrap().points(), 121);
        assert_eq!(layout(&format!("{hex}#5x5")).unwrap().points(), 25);
        let sentence = layout(&format!("{hex}#Board Size/5x6")).unwrap_err();
        let sentence = sentence.to_string();
        assert!(
            sentence.contains("did you mean `Board Size/5x5`"),
            "{sentence}"
        );
    }

    /// `virtual-board` is built without the compiler, so it reads what
    /// `ludemes compile --layout` writes.
    #[test]
    fn a_compiled_layout_is_read_without_the_compiler() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../ludemes/games");
        for name in ["hex", "teeko", "chess", "connect-four"] {
            let file = format!("{folder}/{name}.lud");
            let Ok(text) = std::fs::read_to_string(&file) else {
                panic!("there is no {file}");
            };
            let (_, compiled) = check::made(&text, &[]).unwrap();
            let own = tempfile::tempdir().unwrap();
            let written = own.path().join(name);
            std::fs::write(&written, compiled.sketch().unwrap().to_string()).unwrap();
            let path = written.display().to_string();
            let read = layouts::layout(&path).unwrap();
            assert_eq!(read, layout(&file).unwrap(), "{name}");
            assert!(written::players(*read).is_some(), "{name}");
            assert!(
                AnyBoard::with_games(*read, games::ROSTER, 0).is_ok(),
                "{name}"
            );
        }
    }
}
