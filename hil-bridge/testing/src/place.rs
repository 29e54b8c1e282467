//! The place of a test's board, and the folder of its saved sessions. Environment
//! variables choose both, because they depend on who runs the tests.

use std::env;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use clap::Parser;
use touchboard_links::Where;

/// The variable that names the place of the board: what would follow `--at` of
/// `hil-bridge`, including further options. The default is `core`.
///
/// ```sh
/// TOUCHBOARD_AT=qemu cargo test
/// TOUCHBOARD_AT="/dev/ttyACM0 --timeout-ms 5000" cargo test
/// ```
pub const AT: &str = "TOUCHBOARD_AT";

/// The variable that names the folder for sessions of failed tests. The default is
/// `sessions` next to the folder of the test's program.
pub const SESSIONS: &str = "TOUCHBOARD_SESSIONS";

/// Why [`AT`] does not name a board.
#[derive(Debug, thiserror::Error)]
pub enum PlaceError {
    /// Quotes do not match in this value.
    #[error("{AT} has a quote without an end: {0}")]
    Quotes(String),
    /// The words are not valid options.
    #[error("{AT}={value}: {problem}")]
    Options {
        /// The value of the variable.
        value: String,
        /// The problem with the value.
        problem: String,
    },
}

/// The options that follow `--at`.
#[derive(Parser)]
#[command(no_binary_name = true, disable_help_flag = true)]
struct Options {
    #[command(flatten)]
    place: Where,
}

/// The place that [`AT`] names.
pub fn place() -> Result<Where, PlaceError> {
    let value = env::var(AT).unwrap_or_else(|_| "core".to_owned());
    read(&value)
}

fn read(value: &str) -> Result<Where, PlaceError> {
    let words = shell_words::split(value).map_err(|_| PlaceError::Quotes(value.to_owned()))?;
    let options = Options::try_parse_from(["--at".to_owned()].into_iter().chain(words));
    options
        .map(|options| options.place)
        .map_err(|error| PlaceError::Options {
            value: value.to_owned(),
            problem: first_line(&error.to_string()),
        })
}

/// The first line of clap's error message, without its hints on usage.
fn first_line(error: &str) -> String {
    let line = error.lines().next().unwrap_or_default();
    line.trim_start_matches("error: ").to_owned()
}

/// The file for the session of this test.
pub fn session_file(test: &str) -> PathBuf {
    let program = env::current_exe().unwrap_or_default();
    let folder = env::var_os(SESSIONS).map_or_else(|| beside(&program), PathBuf::from);
    let program = program.file_stem().map_or("test", |stem| name_of(stem));
    folder.join(format!("{program}.{}.session", test.replace("::", ".")))
}

/// The default folder; cargo puts test programs into `deps`.
fn beside(program: &Path) -> PathBuf {
    let folder = program.ancestors().nth(2).unwrap_or(Path::new(""));
    folder.join("sessions")
}

/// The name of a program without the hash that cargo adds.
fn name_of(stem: &OsStr) -> &str {
    let name = stem.to_str().unwrap_or("test");
    let is_hash =
        |word: &str| word.len() == 16 && word.bytes().all(|byte| byte.is_ascii_hexdigit());
    match name.rsplit_once('-') {
        Some((name, hash)) if is_hash(hash) => name,
        _ => name,
    }
}

#[cfg(test)]
mod tests {
    use touchboard_links::At;

    use super::*;

    #[test]
    fn a_place_is_read_with_further_options() {
        assert_eq!(read("core").unwrap().at, At::Core);
        let virtual_board = read("virtual --break-rule --seed 7").unwrap();
        assert_eq!(virtual_board.at, At::Virtual);
        assert!(virtual_board.line.break_rule);
        assert_eq!(virtual_board.seed, Some(7));
    }

    #[test]
    fn a_wrong_place_is_refused_with_a_sentence() {
        for (value, part) in [
            ("nowhere", "TOUCHBOARD_AT=nowhere: invalid value 'nowhere'"),
            ("core --no-such", "unexpected argument '--no-such'"),
            ("'core", "TOUCHBOARD_AT has a quote without an end"),
        ] {
            let sentence = read(value).unwrap_err().to_string();
            assert!(sentence.contains(part), "{sentence}");
            assert!(!sentence.contains('\n'), "{sentence}");
        }
    }

    #[test]
    fn a_session_is_named_after_its_test() {
        assert_eq!(name_of(OsStr::new("rules-0123456789abcdef")), "rules");
        assert_eq!(name_of(OsStr::new("my-rules")), "my-rules");
        let file = session_file("reversi::a_stone_catches");
        assert!(
            file.ends_with("sessions/touchboard_testing.reversi.a_stone_catches.session"),
            "{}",
            file.display()
        );
    }
}
