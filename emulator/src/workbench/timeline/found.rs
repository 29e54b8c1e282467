//! Finds signals by name, and completes a condition on a signal.
//!
//! `d4` finds `point.d4`, `light.d4` and `lit.d4`; `light` finds the group of all lights,
//! followed by each light.

use std::collections::HashMap;

use firmware_core::AnyBoard;
use touchboard_host::signals::{Signal, SignalReader, SignalValue};

use crate::source::ContactReports;

/// A name in the list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    pub name: String,
    /// The number of signals that the name stands for: 1 for a signal.
    pub count: usize,
}

/// The names of all signals of a board, with its current values.
#[derive(Clone, Debug, Default)]
pub struct Names {
    entries: Vec<Entry>,
    values: HashMap<String, String>,
}

impl Names {
    /// The names and values of this board.
    pub fn of(board: &AnyBoard, contacts: ContactReports, has_line: bool) -> Names {
        let layout = board.layout();
        let mut signals = Signal::all(layout);
        if contacts == ContactReports::Told {
            signals.extend(Signal::contacts(layout));
        }
        if has_line {
            signals.extend(Signal::of_line());
        }
        signals.extend(Signal::of_state(board));
        let names: Vec<String> = signals.iter().map(|signal| signal.name(layout)).collect();
        let mut counts: HashMap<&str, usize> = HashMap::new();
        for name in &names {
            for beginning in beginnings(name) {
                *counts.entry(beginning).or_default() += 1;
            }
        }
        let mut entries: Vec<Entry> = Vec::new();
        for name in &names {
            let groups = beginnings(name).filter_map(|group| {
                let count = counts.remove(group).filter(|count| *count > 1)?;
                let name = group.to_owned();
                Some(Entry { name, count })
            });
            entries.extend(groups);
            entries.push(Entry {
                name: name.clone(),
                count: 1,
            });
        }
        let reader = SignalReader::new(signals);
        let values = reader
            .read(board)
            .filter(|(_, value)| !matches!(value, SignalValue::Bit(_)))
            .map(|(index, value)| (names[index].clone(), value.to_string().trim().to_owned()))
            .collect();
        Names { entries, values }
    }

    /// The names that contain each word of the search, the best match first.
    /// Without a search, returns one name for each kind of signal.
    pub fn found(&self, search: &str) -> Vec<&Entry> {
        let search = search.trim().to_lowercase();
        if search.is_empty() {
            let is_kind = |entry: &&Entry| !entry.name.contains('.');
            return self.entries.iter().filter(is_kind).collect();
        }
        let ranked = self.entries.iter();
        let mut ranked: Vec<(usize, &Entry)> = ranked
            .filter_map(|entry| Some((rank(&entry.name, &search)?, entry)))
            .collect();
        ranked.sort_by_key(|(rank, _)| *rank);
        ranked.into_iter().map(|(_, entry)| entry).collect()
    }

    /// The longest common beginning of all names that begin with this text, if it
    /// is longer than the text.
    pub fn completed(&self, text: &str) -> Option<String> {
        let names = self.entries.iter().map(|entry| entry.name.as_str());
        let mut names = names.filter(|name| name.starts_with(text));
        let first = names.next()?.to_owned();
        let common = names.fold(first, |common, name| {
            let pairs = common.char_indices().zip(name.chars());
            let differs = pairs
                .clone()
                .find(|((_, one), other)| one != other)
                .map(|((place, _), _)| place);
            let shorter = common.len().min(name.len());
            common[..differs.unwrap_or(shorter)].to_owned()
        });
        (common.len() > text.len()).then_some(common)
    }

    /// The conditions that begin with this text, each with its meaning.
    pub fn conditions(&self, text: &str) -> Vec<(String, String)> {
        let typed = text.trim_start();
        let name = typed.split(' ').next().unwrap_or_default();
        let is_signal = |entry: &&Entry| entry.count == 1;
        let is_known = self
            .entries
            .iter()
            .filter(is_signal)
            .any(|entry| entry.name == name);
        let mut all = Vec::new();
        if is_known {
            let tests = self.tests(name).into_iter();
            all.extend(tests.filter(|(test, _)| test.starts_with(typed) && test != typed));
        }
        if !typed.contains(' ') {
            let names = self.found(name).into_iter().filter(is_signal);
            let others = names.filter(|entry| entry.name != name);
            all.extend(others.map(|entry| (entry.name.clone(), about(&entry.name).to_owned())));
        }
        all
    }

    /// The possible conditions on a signal, each with its meaning.
    fn tests(&self, name: &str) -> Vec<(String, String)> {
        let mut tests = vec![
            (name.to_owned(), "it comes on".to_owned()),
            (format!("{name} rises"), "it goes from off to on".to_owned()),
            (format!("{name} falls"), "it goes from on to off".to_owned()),
            (format!("{name} changes"), "its value changes".to_owned()),
        ];
        if let Some(value) = self.values.get(name) {
            tests.push((
                format!("{name} = {value}"),
                "it comes to be this".to_owned(),
            ));
        }
        tests.push((
            format!("{name} for 900"),
            "it has been on for 900 ms".to_owned(),
        ));
        tests.push((
            format!("{name} for < 20"),
            "it was on for fewer than 20 ms".to_owned(),
        ));
        tests
    }
}

/// The groups of a name: `state`, `state.panel` for `state.panel.game`.
fn beginnings(name: &str) -> impl Iterator<Item = &str> {
    name.match_indices('.').map(|(dot, _)| &name[..dot])
}

/// The rank of a name among the results, 0 for the best; `None` if it does not
/// match.
fn rank(name: &str, search: &str) -> Option<usize> {
    let name = name.to_lowercase();
    let has_all = search.split_whitespace().all(|word| name.contains(word));
    let is_part = |part: &str| part == search;
    has_all.then(|| match name.as_str() {
        name if name == search => 0,
        name if name.split('.').any(is_part) => 1,
        name if name.starts_with(search) => 2,
        name if name.split('.').any(|part| part.starts_with(search)) => 3,
        _ => 4,
    })
}

/// The meaning of a kind of signal.
pub fn about(name: &str) -> &'static str {
    match name.split('.').next().unwrap_or_default() {
        "contact" => "its contact is closed, as scanned",
        "point" => "a finger on it, debounced",
        "button" => "it is down, debounced",
        "light" => "its colour, and its rhythm",
        "lit" => "whether it is on at this tick, blinking included",
        "lamp" => "the turn light",
        "display" => "its text",
        "beeper" => "its pitch in Hz, 0 if silent",
        "turn" => "green, red or none",
        "winner" => "green, red, draw or none",
        "score" => "points of a side",
        "legal" => "how many points may be touched",
        "game" | "mode" | "level" => "a setting",
        "paused" => "the game is paused",
        "thinking" => "the board works out its move",
        "event" => "how many there were",
        "hash" => "the digest",
        "line" => "bytes that passed in this ms",
        "state" => "a field of the state",
        _ => "",
    }
}

#[cfg(test)]
mod tests {
    use protocol::Layout;

    use super::*;

    fn names() -> Names {
        Names::of(
            &AnyBoard::new(Layout::MALDOO, 1).unwrap(),
            ContactReports::Told,
            true,
        )
    }

    fn first(found: &[&Entry], count: usize) -> Vec<String> {
        let first = found.iter().take(count);
        first
            .map(|entry| format!("{} {}", entry.name, entry.count))
            .collect()
    }

    #[test]
    fn every_signal_is_found_and_the_best_match_comes_first() {
        let names = names();
        let board = AnyBoard::new(Layout::MALDOO, 1).unwrap();
        for signal in Signal::all(board.layout()) {
            let name = signal.name(board.layout());
            assert_eq!(names.found(&name)[0].name, name);
        }
        let d4 = names.found("d4");
        assert_eq!(
            first(&d4, 4),
            ["point.d4 1", "light.d4 1", "lit.d4 1", "contact.d4 1"]
        );
        assert_eq!(first(&names.found("light"), 2), ["light 81", "light.a9 1"]);
        let level = names.found("panel level");
        assert_eq!(first(&level, 9), ["state.panel.settings.level 1"]);
        assert_eq!(names.found("no such thing"), Vec::<&Entry>::new());
        let kinds = names.found("");
        assert!(kinds.iter().any(|entry| entry.name == "turn"));
        assert!(kinds.iter().all(|entry| !entry.name.contains('.')));
    }

    #[test]
    fn contacts_are_found_only_if_the_board_reports_them() {
        let names = names();
        let contacts = names.found("contact");
        assert_eq!(first(&contacts, 2), ["contact 88", "contact.a9 1"]);
        assert!(
            names
                .found("")
                .iter()
                .all(|kind| !about(&kind.name).is_empty())
        );
        let board = AnyBoard::new(Layout::MALDOO, 1).unwrap();
        let untold = Names::of(&board, ContactReports::Untold, false);
        assert_eq!(untold.found("contact"), Vec::<&Entry>::new());
        assert_eq!(untold.completed("contact.d"), None);
        assert_eq!(untold.found("line.to-board"), Vec::<&Entry>::new());
        assert_eq!(
            first(&names.found("line"), 2),
            ["line 2", "line.to-board 1"]
        );
    }

    #[test]
    fn a_signal_name_is_completed_as_far_as_unique() {
        let names = names();
        assert_eq!(names.completed("beep").as_deref(), Some("beeper"));
        assert_eq!(
            names.completed("event.time").as_deref(),
            Some("event.timed-out")
        );
        assert_eq!(names.completed("li"), None, "light, and lit");
        assert_eq!(names.completed("moon"), None);
    }

    #[test]
    fn every_offered_condition_parses() {
        let names = names();
        let offered = |text: &str| -> Vec<String> {
            let all = names.conditions(text).into_iter();
            all.map(|(condition, _)| condition).collect()
        };
        assert_eq!(offered("tur"), ["turn"]);
        let tests = offered("turn ");
        assert!(tests.contains(&"turn = none".to_owned()), "{tests:?}");
        assert_eq!(
            offered("point.d4 for"),
            ["point.d4 for 900", "point.d4 for < 20"]
        );
        for name in ["turn", "light.d4", "score.green", "event.illegal", "paused"] {
            for condition in offered(&format!("{name} ")) {
                let read =
                    touchboard_host::signals::SignalCondition::parse(&condition, Layout::MALDOO);
                // A count has no value to wait for.
                assert!(
                    read.is_ok() || name.starts_with("event"),
                    "{condition}: {read:?}"
                );
            }
        }
    }
}
