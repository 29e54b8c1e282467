//! What the document asks of the board.
//!
//! Invariants: a request that cannot be understood changes nothing and becomes a sentence.

use firmware_core::panel::LEVELS;
use protocol::{Button, Layout, Point, Settings};
use serde::Deserialize;
use touchboard_host::game_names::{self, NamedGame};
use touchboard_host::session::Session;
use touchboard_host::words;

/// A request, as JSON: `{"touch": "d4"}`, `{"game": {"name": "chess", "level": 2}}`.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Request {
    /// Touch the point of this name, and release it.
    Touch(String),
    /// Press the button of this name, and lift it.
    Press(String),
    /// Show this game, as a link names it.
    Game(GameRequest),
    /// Put this text of a game on the board, or its new version.
    Text {
        /// The name of its file, `own.lud`.
        name: String,
        /// The text.
        source: String,
    },
    /// Play random games of the text.
    RandomGames,
    /// Replay this session, the content of a `.session` file.
    Session(String),
    /// Report the session so far, for a file.
    SaveSession,
    /// Show the board at the port of this name, which the document opens on demand.
    Connect(String),
    /// Show a board in this page again, and close the port.
    Disconnect,
}

/// A game with its settings. What is left out stays as it is, and the mode is the first.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GameRequest {
    /// A name of the game, or its number.
    pub name: String,
    /// The mode: its number, or its letter from 10 on.
    #[serde(default)]
    pub mode: Option<String>,
    /// The level, 0 (people alone) to 4.
    #[serde(default)]
    pub level: Option<String>,
}

/// What a [`GameRequest`] means.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WantedGame {
    /// A game of the board, with these settings.
    OfBoard(Settings),
    /// A bundled text, by the name of its file without `.lud`.
    Text(&'static str),
}

impl Request {
    /// Parses a request.
    ///
    /// # Errors
    /// A sentence that says what is wrong.
    pub fn parse(json: &str) -> Result<Request, String> {
        serde_json::from_str(json)
            .map_err(|error| format!("the page sent an unknown request: {error}"))
    }
}

impl GameRequest {
    /// Finds the game, on a board that has settings `now`.
    ///
    /// # Errors
    /// A sentence that names the value that does not exist, and those that do.
    pub fn resolve(&self, now: Settings) -> Result<WantedGame, String> {
        let game = game_names::find(&self.name).ok_or_else(|| unknown_game(&self.name))?;
        let level = self.level.as_deref().map(level).transpose()?;
        match game {
            NamedGame::Text(file) => match (&self.mode, level) {
                (None, None) => Ok(WantedGame::Text(file)),
                _ => Err(format!(
                    "{} has options instead of modes and levels: choose them beside the board",
                    self.name
                )),
            },
            NamedGame::OfBoard(number) => {
                let mode = self
                    .mode
                    .as_deref()
                    .map_or(Ok(0), |word| mode(number, word))?;
                let settings = now.for_game(number, mode);
                Ok(WantedGame::OfBoard(Settings {
                    level: level.unwrap_or(settings.level),
                    ..settings
                }))
            }
        }
    }
}

fn unknown_game(name: &str) -> String {
    let near = game_names::near(name);
    match near.is_empty() {
        true => format!("there is no game {name}: choose one in the list of games"),
        false => format!("there is no game {name}; did you mean {}?", near.join(", ")),
    }
}

fn level(word: &str) -> Result<u8, String> {
    let number = word.parse().ok().filter(|level| *level < LEVELS);
    number.ok_or_else(|| format!("{word} is no level: choose 0 to {}", LEVELS - 1))
}

fn mode(game: u8, word: &str) -> Result<u8, String> {
    let mode = words::mode_number(word).map_err(|error| error.to_string())?;
    let checked = words::check_mode(game, mode).map(|()| mode);
    checked.map_err(|error| error.to_string())
}

/// Finds a point of the layout.
///
/// # Errors
/// A sentence that says which points there are.
pub fn point(name: &str, layout: Layout) -> Result<Point, String> {
    layout.point(name).map_err(|error| error.to_string())
}

/// Finds a button by its name.
///
/// # Errors
/// A sentence that lists the buttons.
pub fn button(name: &str) -> Result<Button, String> {
    Button::from_name(name).ok_or_else(|| {
        let names = Button::ALL.map(Button::name);
        format!(
            "the board has no button {name}: it has {}",
            names.join(", ")
        )
    })
}

/// Reads a session.
///
/// # Errors
/// A sentence that says what is wrong with it.
pub fn session(text: &str) -> Result<Session, String> {
    Session::parse(text.as_bytes()).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use firmware_core::games::number;

    use super::*;

    fn game(json: &str) -> Result<WantedGame, String> {
        let request = format!("{{\"game\": {json}}}");
        match Request::parse(&request)? {
            Request::Game(game) => game.resolve(Settings::default()),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_link_names_a_game_its_mode_and_its_level() {
        let chosen = |game, mode, level| {
            let settings = Settings::default().for_game(game, mode);
            Ok(WantedGame::OfBoard(Settings { level, ..settings }))
        };
        assert_eq!(
            game(r#"{"name": "Reversi"}"#),
            chosen(number::REVERSI, 0, 0)
        );
        assert_eq!(
            game(r#"{"name": "malaka", "mode": "C", "level": "3"}"#),
            chosen(number::MALAKA, 12, 3)
        );
        assert_eq!(game(r#"{"name": "chess"}"#), Ok(WantedGame::Text("chess")));
    }

    #[test]
    fn a_wrong_link_gets_a_sentence_with_the_choices() {
        for (json, words) in [
            (r#"{"name": "reversy"}"#, "did you mean Reversi"),
            (
                r#"{"name": "reversi", "mode": "99"}"#,
                "Reversi has no mode 99: choose 0 to",
            ),
            (
                r#"{"name": "reversi", "level": "9"}"#,
                "9 is no level: choose 0 to 4",
            ),
            (
                r#"{"name": "chess", "level": "2"}"#,
                "options instead of modes",
            ),
            (r#"{"game": "chess"}"#, "unknown request"),
        ] {
            let sentence = game(json).unwrap_err();
            assert!(sentence.contains(words), "{json}: {sentence}");
        }
        assert!(button("strat").unwrap_err().contains("start"));
        let sentence = session("no session").unwrap_err();
        let words = "line 1 of the session: this is not a touchboard session";
        assert!(sentence.starts_with(words), "{sentence}");
        let sentence = "no such point: this board has a1 to i9";
        assert_eq!(point("z99", Layout::MALDOO), Err(sentence.to_owned()));
    }
}
