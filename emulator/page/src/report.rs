//! What the board tells the document, as JSON.
//!
//! The canvas means nothing to a screen reader, so the document has a button for each
//! point, named after what is on it. Invariants: the points are in rows from the far
//! edge, as one reads them; a report has the same words as the window's hints.

use firmware_core::AnyBoard;
use protocol::{Button, Frame, Layout, Point, Status};
use serde::Serialize;
use touchboard_host::{display, light_meaning, standing, written};

/// A report, with the name of its kind: `{"board": ...}`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Report {
    /// The board changed.
    Board(BoardReport),
    /// Where the points are in the picture now, in rows as in [`BoardReport::rows`].
    Places(Vec<Vec<Place>>),
    /// The text of a game changed, or what is said about it.
    Text(TextReport),
    /// The session for a file, as requested.
    Session(String),
    /// A request could not be carried out.
    Trouble(String),
    /// A table is to be opened: the document connects it to a relay.
    TableOpened,
    /// Something changed at the table.
    TableChanged,
    /// There is something to send to the table.
    TableHasWords,
    /// The first picture is complete, and the board's time runs.
    Lit,
    /// The line to a board may want to be opened or closed, or has bytes to send.
    Line,
    /// The connection to the board changed.
    Connection(ConnectionReport),
    /// Bytes for the panel wait.
    Panel,
}

/// The connection to the board in words.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ConnectionReport {
    /// The name of the port; `None` for a board in the page.
    pub port: Option<String>,
    /// The board that answers at the port, in its own word; `None` if none does.
    pub board: Option<String>,
    /// Why no board answers, if none does.
    pub why_not: Option<String>,
    /// How many digests of board and twin were equal since the last difference or restart.
    pub compared: u64,
    /// The first difference between board and twin.
    pub differs: Option<String>,
    /// The last tick that a board which restarted had reached before.
    pub restarted: Option<u64>,
}

/// The board in words.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct BoardReport {
    /// The name of the game.
    pub game: String,
    /// Its settings, for a link.
    pub link: LinkReport,
    /// The state of the game: whose turn it is, or how it ended.
    pub state: String,
    /// What the display shows.
    pub display: String,
    /// The points, in rows.
    pub rows: Vec<Vec<PointReport>>,
    /// The names of the buttons.
    pub buttons: Vec<String>,
}

/// The game as a link names it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LinkReport {
    /// The game's name, or its text's file name.
    pub game: String,
    /// The mode's number or letter; `None` for a text.
    pub mode: Option<char>,
    /// The level; `None` for a text.
    pub level: Option<u8>,
}

/// A point in words.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PointReport {
    /// Its name, `d4`.
    pub name: String,
    /// What is on it.
    pub words: String,
    /// True if a touch is a move.
    pub is_legal: bool,
}

/// The place of a point in the picture, in CSS pixels from the upper left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Place {
    /// The middle, from the left.
    pub x: i32,
    /// The middle, from above.
    pub y: i32,
    /// The width of the point.
    pub width: i32,
}

/// The state of the text in the editor.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct TextReport {
    /// The error, with its line; `None` if the text is on the board.
    pub error: Option<String>,
    /// The result of random games.
    pub random_games: Option<String>,
    /// True while random games are played.
    pub is_playing: bool,
}

/// Describes the board. `text` is the file name of the text that is on it, if it plays one.
#[must_use]
pub fn of_board(
    board: &AnyBoard,
    (frame, status): (&Frame, &Status),
    legal: &[Point],
    (layout, text): (Layout, Option<String>),
) -> BoardReport {
    let settings = &status.settings;
    let game = written::game_name(settings.game, layout);
    let point = |point: Point| PointReport {
        name: layout.name(point).to_string(),
        words: light_meaning::of(board, point),
        is_legal: legal.contains(&point),
    };
    BoardReport {
        link: match text {
            Some(file) => LinkReport {
                game: file,
                mode: None,
                level: None,
            },
            None => LinkReport {
                game: game.clone(),
                mode: Some(protocol::Roster::letter(settings.mode)),
                level: Some(settings.level),
            },
        },
        game,
        state: standing::state(status, frame),
        display: display::words(&frame.display, status, layout),
        rows: layout
            .in_rows()
            .map(|row| row.map(point).collect())
            .collect(),
        buttons: Button::ALL.into_iter().map(label).collect(),
    }
}

/// The name of a button with a capital, as people read it.
fn label(button: Button) -> String {
    let (first, rest) = button.name().split_at(1);
    first.to_uppercase() + rest
}

#[cfg(test)]
mod tests {
    use protocol::{Deed, Input};

    use super::*;

    #[test]
    fn the_points_are_in_rows_and_say_what_is_on_them() {
        let layout = Layout::MALDOO;
        let mut board = AnyBoard::new(layout, 1).unwrap();
        let press = Deed::Input(Input::Press(Button::Start));
        board.carry_out(&press, &mut |_, _| ()).unwrap();
        let (frame, status) = (board.frame().clone(), board.status());
        let legal = board.legal_points();
        let report = of_board(&board, (&frame, &status), &legal, (layout, None));
        assert_eq!(report.game, "Reversi");
        assert_eq!(report.rows.len(), usize::from(layout.rows()));
        let all = report.rows.concat();
        let moves = all.iter().filter(|point| point.is_legal);
        assert_eq!(moves.count(), legal.len());
        assert!(all.iter().all(|point| !point.words.is_empty()));
        let buttons = report.buttons.iter().map(|name| Button::from_name(name));
        assert!(buttons.eq(Button::ALL.map(Some)), "{:?}", report.buttons);
        let json = serde_json::to_string(&Report::Board(report)).unwrap();
        assert!(json.starts_with(r#"{"board":{"game":"Reversi""#), "{json}");
    }
}
