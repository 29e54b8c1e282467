//! The table: what each key and each mouse action does, with a description.

use bevy_egui::egui;
use protocol::{Button, GridSize};
use touchboard_host::places::Arrow;

use super::{Chord, Meaning};
use crate::pane::Pane;

/// A line of the table: a mouse action or some keys, and what they do.
#[derive(Clone, Copy, Debug)]
pub struct KeyBinding {
    /// The labels of the keys.
    pub caps: &'static str,
    /// The keys; empty for a mouse action.
    pub chords: &'static [(Chord, Meaning)],
    /// The description of what they do.
    pub words: &'static str,
}

/// A group of lines with a title.
#[derive(Clone, Copy, Debug)]
pub struct Group {
    /// The subject of the lines.
    pub title: &'static str,
    /// The lines of the group.
    pub lines: &'static [KeyBinding],
}

const fn line(
    caps: &'static str,
    chords: &'static [(Chord, Meaning)],
    words: &'static str,
) -> KeyBinding {
    KeyBinding {
        caps,
        chords,
        words,
    }
}

const COLUMNS: [(Chord, Meaning); GridSize::MAX as usize] = {
    let mut keys = [(Chord::Typed('A'), Meaning::Column(0)); GridSize::MAX as usize];
    let mut column = 0;
    while column < GridSize::MAX {
        let letter = (b'A' + column) as char;
        keys[column as usize] = (Chord::Typed(letter), Meaning::Column(column));
        column += 1;
    }
    keys
};

const DIGITS: [(Chord, Meaning); 10] = {
    let mut keys = [(Chord::Typed('0'), Meaning::Digit(0)); 10];
    let mut digit = 0;
    while digit < 10 {
        keys[digit as usize] = (Chord::Typed((b'0' + digit) as char), Meaning::Digit(digit));
        digit += 1;
    }
    keys
};

/// All keys and mouse actions.
pub const TABLE: &[Group] = &[
    Group {
        title: "MOUSE",
        lines: &[
            line("click", &[], "touch a point, press a button"),
            line("Shift click", &[], "leave a finger there, or take it off"),
            line("right drag", &[], "turn the board"),
            line("middle drag", &[], "move the board"),
            line("wheel", &[], "zoom in, zoom out"),
        ],
    },
    Group {
        title: "POINTS",
        lines: &[
            line(
                "arrows",
                &[
                    (Chord::Left, Meaning::Move(Arrow::Left)),
                    (Chord::Right, Meaning::Move(Arrow::Right)),
                    (Chord::Up, Meaning::Move(Arrow::Up)),
                    (Chord::Down, Meaning::Move(Arrow::Down)),
                ],
                "move the cursor",
            ),
            line("Shift A … P", &COLUMNS, "go to this column"),
            line("0 … 9", &DIGITS, "go to this row"),
            line(
                "Space",
                &[(Chord::Space, Meaning::Touch)],
                "touch while it is held",
            ),
            line(
                "Enter",
                &[(Chord::Enter, Meaning::Enter)],
                "the same; without a cursor, Start",
            ),
            line(
                "Shift Space",
                &[(Chord::ShiftSpace, Meaning::Leave)],
                "leave a finger there, or take it off",
            ),
        ],
    },
    Group {
        title: "BUTTONS",
        lines: &[
            line(
                "n",
                &[(Chord::Typed('n'), Meaning::Press(Button::Start))],
                "Start: a new game",
            ),
            line(
                "g t s l m",
                &[
                    (Chord::Typed('g'), Meaning::Press(Button::Game)),
                    (Chord::Typed('t'), Meaning::Press(Button::Time)),
                    (Chord::Typed('s'), Meaning::Press(Button::Speed)),
                    (Chord::Typed('l'), Meaning::Press(Button::Level)),
                    (Chord::Typed('m'), Meaning::Press(Button::Mode)),
                ],
                "Game, Time, Speed, Level, Mode",
            ),
            line(
                "h",
                &[(Chord::Typed('h'), Meaning::Press(Button::Stop))],
                "pause the game, or resume it",
            ),
            line("p", &[(Chord::Typed('p'), Meaning::Pass)], "pass"),
            line(
                "Backspace",
                &[(Chord::Backspace, Meaning::TakeBack)],
                "take a move or a pass back",
            ),
        ],
    },
    Group {
        title: "TIMELINE",
        lines: &[
            line(
                "f",
                &[(Chord::Typed('f'), Meaning::Freeze)],
                "freeze board time, or run it",
            ),
            line(
                ", .",
                &[
                    (Chord::Typed(','), Meaning::StepBack(1)),
                    (Chord::Typed('.'), Meaning::Step(1)),
                ],
                "freeze, then step 1 ms back, or on",
            ),
            line(
                "< >",
                &[
                    (Chord::Typed('<'), Meaning::StepBack(100)),
                    (Chord::Typed('>'), Meaning::Step(100)),
                ],
                "freeze, then step 100 ms back, or on",
            ),
            line(
                "+ −",
                &[
                    (Chord::Typed('+'), Meaning::Faster),
                    (Chord::Typed('-'), Meaning::Slower),
                ],
                "faster, slower",
            ),
            #[cfg(feature = "desktop")]
            line(
                "Ctrl G",
                &[(Chord::Control('g'), Meaning::Film)],
                "film the last 10 s, or from A to B",
            ),
        ],
    },
    Group {
        title: "TOOLS",
        lines: &[
            line(
                "F3",
                &[(Chord::F3, Meaning::Pane(Pane::Timeline))],
                "timeline and waveforms",
            ),
            line(
                "F4",
                &[(Chord::F4, Meaning::Pane(Pane::State))],
                "the state, field by field",
            ),
            line(
                "F5",
                &[(Chord::F5, Meaning::Pane(Pane::Thinking))],
                "what the board's player thinks",
            ),
            line(
                "F6",
                &[(Chord::F6, Meaning::Pane(Pane::Twin))],
                "where board and twin differ",
            ),
            line(
                "F7",
                &[(Chord::F7, Meaning::Pane(Pane::Faults))],
                "break board or line on purpose",
            ),
            line(
                "F8",
                &[(Chord::F8, Meaning::Pane(Pane::Line))],
                "what crosses the line",
            ),
            #[cfg(feature = "desktop")]
            line(
                "F9",
                &[(Chord::F9, Meaning::Pane(Pane::Console))],
                "commands of the shell",
            ),
        ],
    },
    Group {
        title: "WINDOW",
        lines: &[
            line(
                "Ctrl P",
                &[(Chord::Control('p'), Meaning::Commands)],
                "find a command, a pane or a game",
            ),
            line(
                "?",
                &[(Chord::Typed('?'), Meaning::Keys)],
                "show or hide these keys",
            ),
            line(
                "F1",
                &[(Chord::F1, Meaning::HowTo)],
                "show or hide the rules",
            ),
            line(
                "F2",
                &[(Chord::F2, Meaning::Games)],
                "show or hide the list of games",
            ),
            line(
                "v",
                &[(Chord::Typed('v'), Meaning::View)],
                "look from above, or from a seat",
            ),
            line(
                "o",
                &[(Chord::Typed('o'), Meaning::Pieces)],
                "show or hide the pieces",
            ),
            line(
                "Tab",
                &[(Chord::Tab, Meaning::SidePanel)],
                "hide or show the side panel",
            ),
            line(
                "Escape",
                &[(Chord::Escape, Meaning::Close)],
                "close a drawer, or lift all fingers",
            ),
        ],
    },
];

/// All keys of the table, with their meanings.
fn chords() -> impl Iterator<Item = (Chord, Meaning)> {
    let lines = TABLE.iter().flat_map(|group| group.lines);
    lines.flat_map(|line| line.chords).copied()
}

/// The meaning of a chord, if it is in the table.
pub(super) fn meaning(chord: Chord) -> Option<Meaning> {
    let mut meant = chords().filter(|(other, _)| *other == chord);
    meant.next().map(|(_, meaning)| meaning)
}

/// The meaning of this event of a panel, if it is a key of the table that goes down.
#[must_use]
pub fn meaning_in_panel(event: &egui::Event) -> Option<Meaning> {
    let egui::Event::Key {
        key,
        pressed: true,
        modifiers,
        ..
    } = event
    else {
        return None;
    };
    let mut meant = chords().filter(|(chord, _)| chord.is_in_panel(*key, *modifiers));
    meant.next().map(|(_, meaning)| meaning)
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    fn lines() -> impl Iterator<Item = &'static KeyBinding> {
        TABLE.iter().flat_map(|group| group.lines)
    }

    #[test]
    fn keys_and_their_meanings_are_one_to_one() {
        let all: Vec<_> = lines().flat_map(|line| line.chords).collect();
        let chords: HashSet<_> = all.iter().map(|(chord, _)| *chord).collect();
        let meanings: HashSet<_> = all.iter().map(|(_, meaning)| *meaning).collect();
        assert_eq!(chords.len(), all.len());
        assert_eq!(meanings.len(), all.len());
    }

    #[test]
    fn a_panel_knows_the_keys_that_open_a_list_from_the_table() {
        let down = |key, modifiers| egui::Event::Key {
            key,
            physical_key: None,
            pressed: true,
            repeat: false,
            modifiers,
        };
        let meaning = |key, modifiers| meaning_in_panel(&down(key, modifiers));
        let (none, command) = (egui::Modifiers::NONE, egui::Modifiers::COMMAND);
        assert_eq!(meaning(egui::Key::F2, none), Some(Meaning::Games));
        assert_eq!(meaning(egui::Key::P, command), Some(Meaning::Commands));
        assert_eq!(meaning(egui::Key::P, none), None);
        assert_eq!(meaning(egui::Key::F2, command), None);
        assert_eq!(meaning(egui::Key::Escape, none), Some(Meaning::Close));
        // Each key that opens a list is one that a panel recognises.
        for (chord, meant) in chords().filter(|(_, meaning)| meaning.opens_list()) {
            let is_it = |key: &egui::Key| {
                [none, command]
                    .iter()
                    .any(|held| meaning(*key, *held) == Some(meant))
            };
            assert!(egui::Key::ALL.iter().any(is_it), "{chord:?}");
        }
    }

    #[test]
    fn every_button_of_the_board_has_a_key() {
        let all: Vec<_> = lines().flat_map(|line| line.chords).collect();
        for button in Button::ALL {
            let meaning = Meaning::Press(button);
            assert!(all.iter().any(|(_, other)| *other == meaning), "{button:?}");
        }
    }

    #[test]
    fn the_table_of_keys_lists_mouse_actions() {
        let words: Vec<_> = lines().map(|line| line.caps).collect();
        for cap in ["right drag", "wheel", "Shift click"] {
            assert!(words.contains(&cap), "{cap}");
        }
    }
}
