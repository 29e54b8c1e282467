//! Games whose texts are in files.

use std::borrow::Cow;
use std::io::ErrorKind;
use std::path::Path;

use protocol::KnownLayout;
use touchboard_host::written::{self, Choice, TextGame, of_text};

use touchboard_files::{GAME_TEXT_BYTES, layouts, read_bounded_text, why_no_file};

/// Reads a layout: `9x9`, the name of a file with a [drawing](protocol::Sketch), or
/// the text of a game, written as a [`Choice`].
///
/// # Errors
/// A sentence that says what is possible, or where the text is wrong.
pub fn layout(text: &str) -> Result<KnownLayout, String> {
    match Choice::written(text) {
        Some(choice) => read(&choice).map(|game| game.layout),
        None => layouts::layout(text),
    }
}

/// The game whose text is in this file. If there is no such file, an included game with
/// that name: `hex.lud` is Hex.
///
/// # Errors
/// Where the text is wrong, for people.
pub fn read(choice: &Choice) -> Result<TextGame, String> {
    let name = choice.file.display().to_string();
    let game = of_text(&name, &source(&choice.file)?, &choice.options);
    game.map_err(|error| error.to_string())
}

/// The text in a file, or the included text with that name.
fn source(path: &Path) -> Result<Cow<'static, str>, String> {
    let name = path.display();
    read_bounded_text(path, GAME_TEXT_BYTES)
        .map(Cow::Owned)
        .or_else(|error| {
            let own = path.to_str().and_then(written::library::text);
            let own = own.filter(|_| error.kind() == ErrorKind::NotFound);
            own.map(Cow::Borrowed)
                .ok_or_else(|| format!("cannot read {name}: {}", why_no_file(&error)))
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
        let sentence = source(file.path()).unwrap_err();
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
