//! The keys of a board, in one table for the terminal and the window.
//!
//! The table defines the meaning of each key and its description. Code that reads a
//! keyboard converts keys to [`KeyAction`]s and may add keys of its own. Invariants: no
//! letter has two meanings.

use protocol::{Button, Layout, Point, Tick};

use crate::places::Arrow;

/// The effect of a key on the board, or on its display.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyAction {
    /// Moves the cursor to the next point in this direction.
    Move(Arrow),
    /// A column letter, counted from 0, to which the cursor moves; see [`Spelling`].
    Column(u8),
    /// A digit of a row number.
    Digit(u8),
    /// Touches the point under the cursor.
    Touch,
    /// Presses a button of the board.
    Press(Button),
    /// Passes the turn without a move.
    Pass,
    /// Freezes board time, or lets it continue.
    Freeze,
    /// Lets exactly this many ticks pass.
    Step(Tick),
    /// Lets board time go faster.
    Faster,
    /// Lets board time go slower.
    Slower,
    /// Shows or hides the list of keys.
    Keys,
    /// Shows or hides the rules of the game.
    HowTo,
    /// Closes whatever covers the board.
    Close,
}

/// A key without a letter on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NamedKey {
    /// The arrow to the left.
    Left,
    /// The arrow to the right.
    Right,
    /// The arrow key up.
    Up,
    /// The arrow key down.
    Down,
    /// The Enter key.
    Enter,
    /// The Escape key.
    Escape,
    /// The first of the function keys.
    F1,
}

/// A line of the list of keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KeyRow {
    /// The labels of the keys.
    pub keys: &'static str,
    /// The description of their effect.
    pub words: &'static str,
}

const fn line(keys: &'static str, words: &'static str) -> KeyRow {
    KeyRow { keys, words }
}

/// The list of keys for people.
pub const LINES: &[KeyRow] = &[
    line("arrows", "move the cursor"),
    line("Shift+A-Z", "to that column"),
    line("0-9", "to that row"),
    line("Space", "touch the point"),
    line("Enter", "the same"),
    line("n", "Start: a new game"),
    line("g t s l m", "Game Time Speed Level Mode"),
    line("h", "Stop: pause or resume"),
    line("p", "pass"),
    line("f", "freeze time, or let it run"),
    line(",  .", "step 1 ms, 100 ms"),
    line("+  -", "faster, slower"),
    line("F1", "how the game is played"),
    line("?", "these keys"),
    line("Esc", "close what is open"),
];

/// Ticks of a short step.
const SHORT_STEP: Tick = 1;
/// Ticks of a long step.
const LONG_STEP: Tick = 100;

/// The meaning of a key that types this character; a capital letter means the key with
/// shift.
#[must_use]
pub const fn of_letter(letter: char) -> Option<KeyAction> {
    Some(match letter {
        ' ' => KeyAction::Touch,
        'n' => KeyAction::Press(Button::Start),
        'g' => KeyAction::Press(Button::Game),
        't' => KeyAction::Press(Button::Time),
        's' => KeyAction::Press(Button::Speed),
        'l' => KeyAction::Press(Button::Level),
        'm' => KeyAction::Press(Button::Mode),
        'h' => KeyAction::Press(Button::Stop),
        'p' => KeyAction::Pass,
        'f' => KeyAction::Freeze,
        ',' => KeyAction::Step(SHORT_STEP),
        '.' => KeyAction::Step(LONG_STEP),
        // On many keyboards, the same key with and without shift.
        '+' | '=' => KeyAction::Faster,
        '-' => KeyAction::Slower,
        '?' => KeyAction::Keys,
        'A'..='Z' => KeyAction::Column(letter as u8 - b'A'),
        '0'..='9' => KeyAction::Digit(letter as u8 - b'0'),
        _ => return None,
    })
}

/// The meaning of a key that types nothing.
#[must_use]
pub const fn of_named(key: NamedKey) -> KeyAction {
    match key {
        NamedKey::Left => KeyAction::Move(Arrow::Left),
        NamedKey::Right => KeyAction::Move(Arrow::Right),
        NamedKey::Up => KeyAction::Move(Arrow::Up),
        NamedKey::Down => KeyAction::Move(Arrow::Down),
        NamedKey::Enter => KeyAction::Touch,
        NamedKey::Escape => KeyAction::Close,
        NamedKey::F1 => KeyAction::HowTo,
    }
}

/// The part of a point's name that has been typed; every key moves the cursor.
///
/// A letter leads to its column: to the point in the cursor's row or, if column and row
/// do not meet, to the point of the column nearest to that row. A number likewise leads
/// to its row. The letter is remembered for the number that follows, so I and 5 lead to
/// i5 from anywhere. On a board with at least twelve rows, 1 and 2 lead to row 12; on
/// others, the 2 leads to row 2. Any other key starts a new name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Spelling {
    column: Option<u8>,
    /// The row, counted from the bottom, from 0.
    row: Option<u8>,
}

impl Spelling {
    /// The point that a column letter, counted from 0, leads to; `None` if there is no
    /// such column.
    pub fn letter(&mut self, layout: Layout, at: Point, column: u8) -> Option<Point> {
        let row = layout.name(at).row;
        let in_column = layout.iter().map(|point| (layout.name(point), point));
        let in_column = in_column.filter(|(name, _)| name.column == column);
        let nearest = in_column.min_by_key(|(name, _)| name.row.abs_diff(row));
        *self = Spelling {
            column: nearest.map(|_| column),
            row: None,
        };
        nearest.map(|(_, point)| point)
    }

    /// The point that a digit leads to; `None` if there is no such row.
    pub fn digit(&mut self, layout: Layout, at: Point, digit: u8) -> Option<Point> {
        let names = || layout.iter().map(|point| (layout.name(point), point));
        let is_there = |row: &u8| names().any(|(name, _)| name.row == *row);
        let row = |number: Option<u8>| number?.checked_sub(1).filter(is_there);
        let before = self.row.map(|row| row + 1);
        let longer = before.and_then(|before| before.checked_mul(10)?.checked_add(digit));
        self.row = row(longer).or_else(|| row(Some(digit)));
        let row = self.row?;
        let column = self.column.unwrap_or(layout.name(at).column);
        let in_row = names().filter(|(name, _)| name.row == row);
        let nearest = in_row.min_by_key(|(name, _)| name.column.abs_diff(column));
        nearest.map(|(_, point)| point)
    }
}

#[cfg(test)]
mod tests {
    use protocol::Sketch;

    use super::*;

    #[test]
    fn every_button_has_a_key_and_every_key_a_line() {
        let actions: Vec<KeyAction> = (' '..='~').filter_map(of_letter).collect();
        for button in Button::ALL {
            assert!(actions.contains(&KeyAction::Press(button)), "{button:?}");
        }
        let listed: Vec<&str> = LINES.iter().flat_map(|line| line.keys.split(' ')).collect();
        for letter in (' '..='~').filter(|letter| of_letter(*letter).is_some()) {
            let own = letter.to_string();
            let key = match letter {
                ' ' => "Space",
                'A'..='Z' => "Shift+A-Z",
                '0'..='9' => "0-9",
                '=' => "+",
                _ => &own,
            };
            assert!(listed.contains(&key), "{letter}");
        }
    }

    /// The name of the cursor's point after typing these keys, starting from the first
    /// point.
    fn typed(layout: Layout, keys: &str) -> String {
        let (mut spelling, mut at) = (Spelling::default(), Point(0));
        for key in keys.chars() {
            let next = match of_letter(key) {
                Some(KeyAction::Column(column)) => spelling.letter(layout, at, column),
                Some(KeyAction::Digit(digit)) => spelling.digit(layout, at, digit),
                _ => panic!("{key} is not a part of a name"),
            };
            at = next.unwrap_or(at);
        }
        layout.name(at).to_string()
    }

    #[test]
    fn two_digits_are_a_row_if_the_board_has_it() {
        let [small, large] = [9, 16].map(|rows| Layout::grid(9, rows).unwrap());
        assert_eq!(typed(large, "16"), "a16");
        assert_eq!(typed(large, "17"), "a7");
        assert_eq!(typed(small, "12"), "a2");
        assert_eq!(typed(large, "0"), "a16");
    }

    #[test]
    fn a_typed_name_works_from_a_shorter_row() {
        let text = include_str!("../../../../tests/drawings/hexagon.txt");
        let hexagon = text.parse::<Sketch>().unwrap().keep().unwrap();
        for point in hexagon.iter() {
            let name = hexagon.name(point).to_string();
            assert_eq!(typed(*hexagon, &name.to_uppercase()), name);
        }
        assert_eq!(typed(*hexagon, "A"), "a5", "the left side ends there");
        assert_eq!(typed(*hexagon, "A9"), "e9", "the top row begins there");
        assert_eq!(typed(*hexagon, "J5"), "e5", "there are nine columns");
    }
}
