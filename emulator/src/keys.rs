//! The keys of the window in one table: what each of them does, with a description.
//!
//! Keys are identified by the character that they type, not by their position, so that
//! the table applies to every keyboard. Code that acts on keys reads [`Stroke`] messages;
//! the list of keys in the workbench is generated from the table.

use bevy::input::ButtonState;
use bevy::input::keyboard::{Key, KeyboardFocusLost, KeyboardInput};
use bevy::platform::collections::{HashMap, HashSet};
use bevy::prelude::*;
use protocol::{Button, GridSize};
use touchboard_host::places::Arrow;

use crate::pane::Pane;

/// The effect of a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Meaning {
    /// Moves the cursor to the next point in this direction.
    Move(Arrow),
    /// Chooses the column of the point to move to, from 0.
    Column(u8),
    /// Adds a digit to the row of the point to move to.
    Digit(u8),
    /// Touches the point under the cursor for as long as the key is held.
    Touch,
    /// Where the cursor is shown, the same as [`Meaning::Touch`]; elsewhere the board's
    /// Start button.
    Enter,
    /// Puts a finger on the point under the cursor and leaves it there, or lifts it.
    Leave,
    /// Presses a button of the board for as long as the key is held.
    Press(Button),
    /// Passes the turn without a move.
    Pass,
    /// Takes back the last move.
    TakeBack,
    /// Freezes board time, or continues it.
    Freeze,
    /// Advances by this many ticks; freezes board time first if it runs.
    Step(u32),
    /// Goes back by this many ticks; freezes board time first if it runs.
    StepBack(u32),
    /// Lets board time go faster.
    Faster,
    /// Lets board time go slower.
    Slower,
    /// Switches the camera between above and the seat.
    View,
    /// Shows or hides the pieces.
    Pieces,
    /// Hides the side panel, or shows it.
    SidePanel,
    /// Shows how the game is played, or hides it.
    HowTo,
    /// Shows the list of games, or hides it.
    Games,
    /// Shows the list of all commands, or hides it.
    Commands,
    /// Opens a pane of the dock, or closes it.
    Pane(Pane),
    /// Shows this table, or hides it.
    Keys,
    /// Closes the drawer or list over the board; if none is open, acts as
    /// [`Meaning::Lift`].
    Close,
    /// Lifts all fingers that were left on points.
    Lift,
}

/// A key, possibly combined with Shift or Control.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Chord {
    /// The key that types this character; capitals are typed with Shift.
    Typed(char),
    /// The left arrow key.
    Left,
    /// The right arrow key.
    Right,
    /// The up arrow key.
    Up,
    /// The down arrow key.
    Down,
    /// The key that types this character, together with Control (on a Mac, Command).
    Control(char),
    /// The space bar.
    Space,
    /// The space bar with Shift.
    ShiftSpace,
    /// The Enter key, also the one on the number pad.
    Enter,
    /// The Backspace key.
    Backspace,
    /// The Tab key.
    Tab,
    /// The Escape key.
    Escape,
    /// The function key F1.
    F1,
    /// The function key F2.
    F2,
    /// The function key F3.
    F3,
    /// The function key F4.
    F4,
    /// The function key F5.
    F5,
    /// The function key F6.
    F6,
    /// The function key F7.
    F7,
    /// The function key F8.
    F8,
    /// The function key F9.
    F9,
}

impl Chord {
    /// The chord of this key, with or without shift.
    fn of(key: &Key, shift: bool) -> Option<Chord> {
        Some(match key {
            Key::Character(typed) => {
                let mut letters = typed.chars();
                let letter = letters.next().filter(|_| letters.next().is_none())?;
                Chord::Typed(match (letter.is_ascii_alphabetic(), shift) {
                    // The case is that of Shift, so that Caps Lock has no effect.
                    (true, true) => letter.to_ascii_uppercase(),
                    (true, false) => letter.to_ascii_lowercase(),
                    (false, _) => letter,
                })
            }
            Key::ArrowLeft => Chord::Left,
            Key::ArrowRight => Chord::Right,
            Key::ArrowUp => Chord::Up,
            Key::ArrowDown => Chord::Down,
            Key::Space if shift => Chord::ShiftSpace,
            Key::Space => Chord::Space,
            Key::Enter => Chord::Enter,
            Key::Backspace => Chord::Backspace,
            Key::Tab => Chord::Tab,
            Key::Escape => Chord::Escape,
            Key::F1 => Chord::F1,
            Key::F2 => Chord::F2,
            Key::F3 => Chord::F3,
            Key::F4 => Chord::F4,
            Key::F5 => Chord::F5,
            Key::F6 => Chord::F6,
            Key::F7 => Chord::F7,
            Key::F8 => Chord::F8,
            Key::F9 => Chord::F9,
            _ => return None,
        })
    }

    /// The chord of this key together with Control or Command.
    fn of_control(key: &Key) -> Option<Chord> {
        match key {
            Key::Character(typed) => {
                let letter = typed.chars().next()?;
                Some(Chord::Control(letter.to_ascii_lowercase()))
            }
            _ => None,
        }
    }

    /// The label of the key.
    #[must_use]
    pub fn cap(self) -> String {
        match self {
            Chord::Typed(letter) => letter.to_string(),
            Chord::Control(letter) => format!("Ctrl {}", letter.to_ascii_uppercase()),
            Chord::ShiftSpace => "Shift Space".to_owned(),
            other => format!("{other:?}"),
        }
    }

    /// The meaning of this chord, if it is in the table.
    fn meaning(self) -> Option<Meaning> {
        let chords = TABLE.iter().flat_map(|group| group.lines);
        let mut chords = chords.flat_map(|line| line.chords);
        let found = chords.find(|(chord, _)| *chord == self);
        found.map(|(_, meaning)| *meaning)
    }
}

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
                "take a move back",
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
                "where board and Twin differ",
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

/// The part of the window with the keyboard focus.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Keyboard {
    /// The board: keys act as in the table.
    #[default]
    Board,
    /// The workbench: a text field or an open list has the focus.
    Workbench,
}

/// Whether something that Escape closes is open over the board.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Overlay {
    /// Such an overlay is open.
    Open,
    /// No such overlay is open.
    #[default]
    None,
}

/// The phase of a key stroke.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StrokePhase {
    /// The key went down.
    Down,
    /// The key is held and repeats.
    Again,
    /// The key came up.
    Up,
}

/// A key of the table went down, repeats, or came up.
#[derive(Message, Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stroke {
    /// The meaning of the key.
    pub meaning: Meaning,
    /// Whether the key went down, repeats or came up.
    pub phase: StrokePhase,
}

impl Stroke {
    /// True if a key with this meaning goes down; false for repeats.
    #[must_use]
    pub fn begins(&self, meaning: Meaning) -> bool {
        self.meaning == meaning && self.phase == StrokePhase::Down
    }
}

/// The keys that are down. The meaning is stored when a key goes down, because by the
/// time it comes up, it may type a different character.
#[derive(Resource, Debug, Default)]
struct Held {
    meanings: HashMap<KeyCode, Meaning>,
    shifts: HashSet<KeyCode>,
    controls: HashSet<KeyCode>,
    others: HashSet<KeyCode>,
}

impl Held {
    /// The keys that are down of the modifier to which this key belongs, if it is one.
    fn modifier(&mut self, key: &Key) -> Option<&mut HashSet<KeyCode>> {
        match key {
            Key::Shift => Some(&mut self.shifts),
            // On a Mac, Command is reported as Super.
            Key::Control => Some(&mut self.controls),
            Key::Super | Key::Meta if cfg!(target_os = "macos") => Some(&mut self.controls),
            Key::Alt | Key::Super | Key::Meta => Some(&mut self.others),
            _ => None,
        }
    }
}

/// Reads the keyboard and writes [`Stroke`] messages.
pub struct KeysPlugin;

impl Plugin for KeysPlugin {
    fn build(&self, app: &mut App) {
        app.init_resource::<Keyboard>()
            .init_resource::<Overlay>()
            .init_resource::<Held>()
            .add_message::<KeyboardInput>()
            .add_message::<KeyboardFocusLost>()
            .add_message::<Stroke>()
            .add_systems(PreUpdate, hear);
    }
}

fn hear(
    mut inputs: MessageReader<KeyboardInput>,
    mut lost: MessageReader<KeyboardFocusLost>,
    keyboard: Res<Keyboard>,
    overlay: Res<Overlay>,
    mut held: ResMut<Held>,
    mut strokes: MessageWriter<Stroke>,
) {
    let is_lost = lost.read().count() > 0;
    // Keys after the one that opens a list belong to the list.
    let mut for_list = false;
    for input in inputs.read() {
        let is_down = input.state == ButtonState::Pressed;
        if let Some(keys) = held.modifier(&input.logical_key) {
            match is_down {
                true => keys.insert(input.key_code),
                false => keys.remove(&input.key_code),
            };
            continue;
        }
        if !is_down {
            if let Some(meaning) = held.meanings.remove(&input.key_code) {
                let phase = StrokePhase::Up;
                strokes.write(Stroke { meaning, phase });
            }
            continue;
        }
        if *keyboard == Keyboard::Workbench || !held.others.is_empty() || for_list {
            continue;
        }
        if let Some(meaning) = held.meanings.get(&input.key_code) {
            let (meaning, phase) = (*meaning, StrokePhase::Again);
            strokes.write(Stroke { meaning, phase });
            continue;
        }
        let shift = !held.shifts.is_empty();
        let chord = match held.controls.is_empty() {
            true => Chord::of(&input.logical_key, shift),
            false => Chord::of_control(&input.logical_key),
        };
        let meaning = match chord.and_then(Chord::meaning) {
            Some(Meaning::Close) if *overlay == Overlay::None => Meaning::Lift,
            Some(meaning) => meaning,
            None => continue,
        };
        held.meanings.insert(input.key_code, meaning);
        let phase = StrokePhase::Down;
        strokes.write(Stroke { meaning, phase });
        for_list |= matches!(meaning, Meaning::Games | Meaning::Commands);
    }
    if is_lost || *keyboard == Keyboard::Workbench {
        for (_, meaning) in held.meanings.drain() {
            let phase = StrokePhase::Up;
            strokes.write(Stroke { meaning, phase });
        }
    }
    if is_lost {
        held.shifts.clear();
        held.controls.clear();
        held.others.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines() -> impl Iterator<Item = &'static KeyBinding> {
        TABLE.iter().flat_map(|group| group.lines)
    }

    #[test]
    fn every_key_does_one_thing_and_every_thing_has_one_key() {
        let all: Vec<_> = lines().flat_map(|line| line.chords).collect();
        let chords: HashSet<_> = all.iter().map(|(chord, _)| *chord).collect();
        let meanings: HashSet<_> = all.iter().map(|(_, meaning)| *meaning).collect();
        assert_eq!(chords.len(), all.len());
        assert_eq!(meanings.len(), all.len());
    }

    #[test]
    fn what_is_typed_after_the_key_of_the_list_is_not_for_the_board() {
        let mut app = App::new();
        app.add_plugins(KeysPlugin);
        let window = Entity::PLACEHOLDER;
        for (key_code, logical_key) in [
            (KeyCode::F2, Key::F2),
            (KeyCode::KeyG, Key::Character("g".into())),
            (KeyCode::Enter, Key::Enter),
        ] {
            app.world_mut().write_message(KeyboardInput {
                key_code,
                logical_key,
                state: ButtonState::Pressed,
                text: None,
                repeat: false,
                window,
            });
        }
        app.update();
        let strokes = app.world_mut().resource_mut::<Messages<Stroke>>();
        let meanings: Vec<Meaning> = strokes
            .iter_current_update_messages()
            .map(|stroke| stroke.meaning)
            .collect();
        assert_eq!(meanings, [Meaning::Games]);
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
    fn a_key_is_what_it_types_with_shift_or_without() {
        let typed = |text: &str, shift| Chord::of(&Key::Character(text.into()), shift);
        assert_eq!(typed("g", false), Some(Chord::Typed('g')));
        assert_eq!(typed("G", false), Some(Chord::Typed('g')));
        assert_eq!(typed("G", true), Some(Chord::Typed('G')));
        assert_eq!(typed("g", true), Some(Chord::Typed('G')));
        assert_eq!(typed("?", true), Some(Chord::Typed('?')));
        assert_eq!(typed("1", true), Some(Chord::Typed('1')));
        assert_eq!(typed("ab", false), None);
    }

    #[test]
    fn the_table_names_what_the_mouse_does_too() {
        let words: Vec<_> = lines().map(|line| line.caps).collect();
        for cap in ["right drag", "wheel", "Shift click"] {
            assert!(words.contains(&cap), "{cap}");
        }
    }
}
