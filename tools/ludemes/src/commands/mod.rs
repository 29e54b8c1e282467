//! One module per command. Each has its options and a `run` that fails with a
//! sentence.
pub mod bench;
pub mod check;
pub mod compile;
pub mod coverage;
pub mod explain;
pub mod fmt;
pub mod merge;
pub mod picture;
pub mod play;
pub mod replay;
pub mod report;
pub mod walks;
pub mod words;

use std::io::{ErrorKind, Write};
use std::path::Path;
use std::sync::LazyLock;
use std::time::{Duration, Instant};

use ludemes::compile::Compiled;
use ludemes::layout::BoardGraph;
use ludemes::text::{self, Reading, TextError};
use ludemes::tree::{Kind, Node};
use touchboard_files::{GAME_TEXT_BYTES, read_bounded_text, why_no_file};

/// The time since this function was first called.
fn now() -> Duration {
    static BEGUN: LazyLock<Instant> = LazyLock::new(Instant::now);
    BEGUN.elapsed()
}

/// Prints a text; a closed output is not an error.
fn print(text: &str) -> Result<(), String> {
    match std::io::stdout().lock().write_all(text.as_bytes()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(error.to_string()),
        _ => Ok(()),
    }
}

/// The text of a file.
fn load(path: &Path) -> Result<String, String> {
    read_bounded_text(path, GAME_TEXT_BYTES)
        .map_err(|error| format!("{} cannot be read: {}", path.display(), why_no_file(&error)))
}

/// Reads the text of a file, and its game with the chosen items of its options.
fn read(path: &Path, chosen: &[String]) -> Result<(String, Reading), String> {
    let text = load(path)?;
    match text::read_with(&text, chosen) {
        Ok(reading) => Ok((text, reading)),
        Err(trouble) => Err(shown(path, &text, &[trouble])),
    }
}

/// The game of a file, and its compiled form.
fn compiled(path: &Path, chosen: &[String]) -> Result<(Node, Compiled), String> {
    let text = load(path)?;
    let made = ludemes::check::made(&text, chosen);
    let (reading, compiled) = made.map_err(|troubles| shown(path, &text, &troubles))?;
    Ok((reading.game, compiled))
}

/// The board described by an expression such as `(hex 5)`.
fn board(words: &str) -> Result<BoardGraph, String> {
    // The reader only accepts whole games.
    let text = format!("(game (board {words}))");
    let of = Path::new("the board");
    let shown = |trouble: TextError| shown(of, &text, &[trouble]);
    let game = text::read(&text).map_err(shown)?;
    let Kind::Call(arguments) = &game.kind else {
        return Err(NO_BOARD.to_owned());
    };
    let board = arguments.get(1).ok_or(NO_BOARD)?;
    BoardGraph::from_node(&board.node).map_err(|error| {
        let span = error.span();
        let problem = text::Problem::NotCompiled(error.to_string());
        self::shown(of, &text, &[TextError { span, problem }])
    })
}

const NO_BOARD: &str = "write a board, such as \"(hex 5)\"";

/// The errors with their places in the text.
fn shown(path: &Path, text: &str, troubles: &[TextError]) -> String {
    let path = path.display().to_string();
    let each = troubles.iter().map(|trouble| trouble.shown(&path, text));
    each.collect::<Vec<_>>().join("\n\n")
}
