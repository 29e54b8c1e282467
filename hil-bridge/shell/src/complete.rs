//! Completion of the word at the cursor: words of the language, games, settings, points
//! of the current board, and files.
//!
//! Invariants: every proposed word is valid there, and begins with the typed text, in any
//! case.

use std::fs;
use std::path::{MAIN_SEPARATOR, Path};

use firmware_core::faults::FaultKind;
use firmware_core::games;
use firmware_core::panel::LEVELS;
use protocol::{Button, Colour, Layout, Rhythm, Roster};
use touchboard_host::game_names::{self, NamedGame};
use touchboard_host::signals::Signal;
use touchboard_host::{position, words};

use super::command::{ENTRIES, find};
use super::parse::{EXPECT_USAGES, LIGHTS, SETTINGS, SIDES, TURNS, WINNERS};
use super::words::split;

/// What completion needs to know about the board.
#[derive(Clone, Copy, Debug)]
pub struct BoardNames {
    /// The layout, which names its points.
    pub layout: Layout,
    /// The games that the board has.
    pub roster: Roster,
    /// The game that is chosen.
    pub game: u8,
}

/// The words that can continue this beginning of a line, and the offset at which they
/// start.
#[must_use]
pub fn complete(line: &str, board: &BoardNames) -> (usize, Vec<String>) {
    let (word, rest) = split(line.trim_start());
    let is_first = word.len() == line.trim_start().len();
    if is_first {
        let names = ENTRIES.iter().map(|entry| with_blank(entry.word));
        return (line.len() - word.len(), beginning(word, names));
    }
    let typed = rest.rsplit(char::is_whitespace).next().unwrap_or_default();
    let before: Vec<&str> = rest[..rest.len() - typed.len()]
        .split_whitespace()
        .collect();
    let at = line.len() - typed.len();
    let Some(entry) = find(word) else {
        return (at, Vec::new());
    };
    if entry.word == "expect" && before.first().is_some_and(|word| is(word, "refused")) {
        let (_, refused) = split(rest);
        let (begin, words) = complete(refused, board);
        return (line.len() - refused.len() + begin, words);
    }
    if matches!(entry.word, "save" | "load" | "insert") {
        // A file name may contain blanks, so it extends to the end of the line.
        let none = (entry.word == "insert").then(|| "none".to_owned());
        let words = beginning(rest, none.into_iter());
        return (
            line.len() - rest.len(),
            words.into_iter().chain(files(rest)).collect(),
        );
    }
    if entry.word == "set" {
        return set(typed, at, &before, board);
    }
    let words = after(entry.word, &before, board);
    (at, beginning(typed, words.into_iter()))
}

/// The syntax of the command with which this line begins.
#[must_use]
pub fn usage(line: &str) -> Option<&'static str> {
    let entry = find(
        line.trim_start()
            .strip_suffix(' ')
            .unwrap_or(line)
            .trim_start(),
    )?;
    let rest = entry.usage[entry.word.len()..].trim_start();
    (!rest.is_empty()).then_some(rest)
}

/// The words that begin with the typed text.
fn beginning(typed: &str, words: impl Iterator<Item = String>) -> Vec<String> {
    let begins = |word: &String| {
        word.get(..typed.len())
            .is_some_and(|begin| begin.eq_ignore_ascii_case(typed))
    };
    words.filter(begins).collect()
}

fn is(word: &str, other: &str) -> bool {
    word.eq_ignore_ascii_case(other)
}

/// A command, followed by a blank if it needs arguments.
fn with_blank(word: &str) -> String {
    let needs_more = |usage: &str| {
        let next = usage.split(' ').nth(1);
        next.is_some_and(|next| !next.starts_with('['))
    };
    let alone = ["position", "fault", "signal"];
    match find(word) {
        Some(entry) if needs_more(entry.usage) && !alone.contains(&entry.word) => {
            format!("{word} ")
        }
        _ => word.to_owned(),
    }
}

/// The words that may follow these words of a command.
fn after(command: &str, before: &[&str], board: &BoardNames) -> Vec<String> {
    let owned = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect();
    let points = || {
        board
            .layout
            .iter()
            .map(|point| board.layout.name(point).to_string())
    };
    let sides = || owned(&SIDES.map(|(name, _)| name));
    match (command, before) {
        ("tap" | "touch" | "release", []) => points().collect(),
        ("press" | "down" | "up", []) => Button::ALL.map(|button| button.name().to_owned()).into(),
        ("run", []) => owned(&["until "]),
        ("signal", []) | ("run", [_]) => signals(board.layout),
        ("best", []) => owned(&["clear"]),
        ("help", []) => ENTRIES.iter().map(|entry| entry.word.to_owned()).collect(),
        ("reset", []) => layouts(board.roster),
        ("position", []) => position::usages()
            .filter_map(|usage| usage.split(' ').nth(1))
            .filter(|word| position::game_of(word).is_some_and(|game| board.roster.has(game)))
            .map(|word| format!("{word} "))
            .collect(),
        ("position", [.., turn]) if is(turn, "turn") => sides(),
        ("position", [rows, ..]) if rows.contains('/') || before.len() > 1 => owned(&["turn "]),
        ("fault", []) => {
            let names = FaultKind::all().map(|kind| kind.name().to_owned());
            names.chain(["none".to_owned()]).collect()
        }
        ("fault", [kind]) if is(kind, "stuck") || is(kind, "dead") => {
            let buttons = Button::ALL.map(|button| button.name().to_owned());
            points().chain(buttons).collect()
        }
        ("fault", [kind]) if is(kind, "dead-led") => points().collect(),
        ("expect", []) => {
            let known = EXPECT_USAGES
                .iter()
                .filter_map(|usage| usage.split(' ').nth(1));
            known.map(str::to_owned).chain(points()).collect()
        }
        ("expect", [what, rest @ ..]) => expect(what, rest, board),
        _ => Vec::new(),
    }
}

/// The names of signals, except those in the state, which is not available here.
fn signals(layout: Layout) -> Vec<String> {
    let names = Signal::all(layout)
        .into_iter()
        .map(|signal| signal.name(layout));
    names.chain(["state.".to_owned()]).collect()
}

/// The words that may follow `expect` and these words.
fn expect(what: &str, rest: &[&str], board: &BoardNames) -> Vec<String> {
    let owned = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect();
    let colours = || {
        Colour::all()
            .map(|colour| colour.name().to_owned())
            .collect()
    };
    let rhythms = || Rhythm::ALL.map(|rhythm| rhythm.name().to_owned()).into();
    let points = board.layout.iter();
    match (what.to_ascii_lowercase().as_str(), rest) {
        ("turn", []) => owned(&TURNS.map(|(name, _)| name)),
        ("winner", []) => owned(&WINNERS.map(|(name, _)| name)),
        ("lights", []) => owned(&LIGHTS.map(|(name, _)| name)),
        ("lights", [_]) => rhythms(),
        ("beep", []) => owned(&["none"]),
        ("count", []) => colours(),
        ("signal", []) => signals(board.layout),
        ("legal", rest) => {
            let names = points.map(|point| board.layout.name(point).to_string());
            let none = rest.is_empty().then(|| "none".to_owned());
            names.chain(none).collect()
        }
        ("position", rest) => after("position", rest, board),
        ("display" | "score" | "rows" | "refused" | "restart", _) => Vec::new(),
        (point, []) if board.layout.point(point).is_ok() => colours(),
        (point, [_]) if board.layout.point(point).is_ok() => rhythms(),
        _ => Vec::new(),
    }
}

/// The settings that are not named yet, or the values of the setting being typed.
fn set(typed: &str, at: usize, before: &[&str], board: &BoardNames) -> (usize, Vec<String>) {
    let named = |name: &&str| {
        let key = |word: &&&str| word.split('=').next().is_some_and(|key| is(key, name));
        before.iter().find(key).copied()
    };
    let Some((name, value)) = typed.split_once('=') else {
        let free = SETTINGS.iter().filter(|name| named(name).is_none());
        return (at, beginning(typed, free.map(|name| format!("{name}="))));
    };
    let numbers = |most: u8| (0..=most).map(|number| number.to_string()).collect();
    let values: Vec<String> = match name.to_ascii_lowercase().as_str() {
        "game" => {
            let names = board.roster.iter().map(words::game_name);
            let texts = game_names::table().iter().filter_map(|row| match row.game {
                NamedGame::Text(file) => Some(file.to_owned()),
                NamedGame::OfBoard(_) => None,
            });
            names.map(|name| name.to_lowercase()).chain(texts).collect()
        }
        "mode" => {
            let other = named(&"game").and_then(|word| game_names::find(word.split_once('=')?.1));
            let about = games::about(other.map_or(board.game, NamedGame::number));
            numbers(about.map_or(9, |about| about.modes.saturating_sub(1)))
        }
        "level" => numbers(LEVELS - 1),
        "time" | "speed" => numbers(9),
        _ => Vec::new(),
    };
    let values = values.into_iter().filter(|value| !value.contains(' '));
    (at + name.len() + 1, beginning(value, values))
}

/// The rectangles that the board's games are made for, each once.
fn layouts(roster: Roster) -> Vec<String> {
    let of_game = |game| {
        let about = games::about(game);
        let modes = 0..about.map_or(0, |about| about.modes);
        modes.filter_map(move |mode| about.map(|about| (about.made_for)(mode).to_string()))
    };
    let mut all: Vec<String> = roster.iter().flat_map(of_game).collect();
    all.sort();
    all.dedup();
    all
}

/// The largest number of proposed file names.
const MOST_FILES: usize = 200;

/// The files and folders whose path begins with this. Folders end with a separator.
fn files(typed: &str) -> Vec<String> {
    let separator = typed.rfind(['/', MAIN_SEPARATOR]);
    let (folder, name) = typed.split_at(separator.map_or(0, |place| place + 1));
    let place = if folder.is_empty() { "." } else { folder };
    let Ok(entries) = fs::read_dir(Path::new(place)) else {
        return Vec::new();
    };
    let mut files: Vec<String> = entries
        .flatten()
        .filter_map(|entry| {
            let own = entry.file_name().into_string().ok()?;
            let is_meant =
                own.starts_with(name) && (!own.starts_with('.') || name.starts_with('.'));
            // A link to a folder counts as a folder.
            let is_folder = || fs::metadata(entry.path()).is_ok_and(|data| data.is_dir());
            is_meant.then(|| {
                let end = if is_folder() { "/" } else { "" };
                format!("{folder}{own}{end}")
            })
        })
        .take(MOST_FILES)
        .collect();
    files.sort();
    files
}

#[cfg(test)]
mod tests {
    use protocol::Settings;

    use super::*;
    use crate::parse;

    fn board() -> BoardNames {
        BoardNames {
            layout: Layout::MALDOO,
            roster: games::BUILT,
            game: Settings::default().game,
        }
    }

    fn completed(line: &str) -> Vec<String> {
        let (at, words) = complete(line, &board());
        words
            .into_iter()
            .map(|word| format!("{}{word}", &line[..at]))
            .collect()
    }

    #[test]
    fn words_of_every_kind_are_completed() {
        for (typed, wanted) in [
            ("sh", "show"),
            ("  TA", "  tap "),
            ("tap d", "tap d9"),
            ("set ga", "set game="),
            ("set game=rev", "set game=reversi"),
            ("set game=reversi mo", "set game=reversi mode="),
            ("set game=nine", "set game=nine-mens-morris"),
            ("set game=malaka mode=1", "set game=malaka mode=1"),
            ("press st", "press stop"),
            ("help le", "help legal"),
            ("ru", "run "),
            ("run u", "run until "),
            ("run until li", "run until light.a9"),
            ("signal event.ill", "signal event.illegal"),
            ("best ", "best clear"),
            ("reset 9", "reset 9x9"),
            ("fault bou", "fault bounce-ms"),
            ("fault stuck d", "fault stuck d4"),
            ("expect tu", "expect turn"),
            ("expect turn r", "expect turn red"),
            ("expect d4 am", "expect d4 amber"),
            ("expect d4 amber w", "expect d4 amber wink"),
            ("expect legal d3 c", "expect legal d3 c4"),
            ("expect refused set mo", "expect refused set mode="),
            ("position ........./ tu", "position ........./ turn "),
            (
                "position ........./ turn g",
                "position ........./ turn green",
            ),
            ("position C", "position C: "),
            ("insert no", "insert none"),
        ] {
            let words = completed(typed);
            assert!(
                words.iter().any(|word| word == wanted),
                "{typed}: {words:?}"
            );
        }
        for nothing in [
            "tap z",
            "show ",
            "grue ",
            "set grue=",
            "set time=5 time=",
            "quit now",
        ] {
            let words = completed(nothing);
            let none = nothing.starts_with("set time") || words.is_empty();
            assert!(none, "{nothing}: {words:?}");
        }
        assert!(!completed("set time=5 ").contains(&"set time=5 time=".to_owned()));
    }

    /// Completes a line word by word to its end, choosing the first, the last or a middle
    /// proposal.
    #[test]
    fn every_completed_line_is_understood_or_continues() {
        for entry in ENTRIES {
            let mut lines = vec![format!("{} ", entry.word)];
            for _ in 0..3 {
                lines = lines
                    .iter()
                    .flat_map(|line| {
                        let words = completed(line);
                        let some = [0, words.len() / 2, words.len().saturating_sub(1)];
                        some.into_iter()
                            .filter_map(move |index| words.get(index).cloned())
                    })
                    .collect();
                for line in &lines {
                    let goes_on = line.ends_with(['=', ' ', '.']);
                    if let Err(error) = parse(line, Layout::MALDOO) {
                        let sentence = error.to_string();
                        let lacks = ["missing", "write `", "it takes"];
                        let lacks = lacks.iter().any(|words| sentence.contains(words));
                        assert!(goes_on || lacks, "{line}: {sentence}");
                    }
                }
                for line in &mut lines {
                    if !line.ends_with(['=', ' ', '.']) {
                        line.push(' ');
                    }
                }
            }
        }
    }

    #[test]
    fn files_are_completed_folder_by_folder() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        fs::create_dir_all(folder.join("saved boards")).unwrap();
        fs::write(folder.join("saved boards").join("one.board"), "").unwrap();
        fs::write(folder.join(".hidden"), "").unwrap();
        let base = folder.to_string_lossy().into_owned();
        assert_eq!(
            completed(&format!("load {base}/sa")),
            [format!("load {base}/saved boards/")]
        );
        assert_eq!(
            completed(&format!("save {base}/saved boards/o")),
            [format!("save {base}/saved boards/one.board")]
        );
        assert!(
            !completed(&format!("load {base}/"))
                .iter()
                .any(|word| word.contains(".hidden"))
        );
        assert!(completed("load /nowhere/at/all").is_empty());
    }

    #[test]
    fn completing_any_line_does_not_panic() {
        for line in [
            "set game=é",
            "é",
            "expect refused é ",
            "position é turn",
            "load é/é",
            "set =",
            "  ",
        ] {
            for (place, _) in line.char_indices() {
                completed(&line[..place]);
            }
            completed(line);
        }
    }

    #[test]
    fn the_usage_of_a_command_is_shown_behind_its_word() {
        assert_eq!(usage("press"), Some("BUTTON [MS]"));
        assert_eq!(usage("press "), Some("BUTTON [MS]"));
        assert_eq!(usage("show"), None);
        assert_eq!(usage("press stop"), None);
        assert_eq!(usage(""), None);
    }
}
