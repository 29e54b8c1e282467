//! A board as a picture: `cargo run -p ludemes --example layout -- "(hex 5)" > board.svg`.
//!
//! With `--drawing` it is the text of its drawing instead, as a board of lights
//! gets it.

use std::process::ExitCode;

use ludemes::layout::{Board, picture};
use ludemes::tree::Kind;

fn main() -> ExitCode {
    let mut words: Vec<String> = std::env::args().skip(1).collect();
    let as_drawing = words.first().is_some_and(|word| word == "--drawing");
    if as_drawing {
        words.remove(0);
    }
    match made(&words.join(" "), as_drawing) {
        Ok(text) => {
            print!("{text}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("{error}");
            ExitCode::from(2)
        }
    }
}

fn made(words: &str, as_drawing: bool) -> Result<String, String> {
    // What is read are games.
    let game = format!("(game (board {words}))");
    let node = ludemes::text::read(&game).map_err(|trouble| trouble.shown("board", &game))?;
    let Kind::Call(arguments) = node.kind else {
        return Err("write a board, such as \"(hex 5)\"".to_owned());
    };
    let board = Board::from_node(&arguments[1].node).map_err(|error| error.to_string())?;
    if !as_drawing {
        return Ok(picture(&board));
    }
    let drawn = board.drawn().map_err(|error| error.to_string())?;
    Ok(drawn.sketch.to_string())
}
