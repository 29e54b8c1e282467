//! The keys of a board: one table, for the mirror in a terminal and for the
//! window.
//!
//! Only what the keys mean and the words for it: whoever reads a keyboard turns
//! its keys into [`Action`]s, and adds the keys that only it has. What always
//! holds: no letter means two things.

use protocol::{Button, Layout, Tick};

/// What a key does to the board, or to what is shown of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// Moves the cursor by so many columns and rows.
    Move(i8, i8),
    /// Moves the cursor to this column, counted from 0.
    Column(u8),
    /// A digit of the number of the row to move the cursor to; see [`row`].
    Digit(u8),
    /// Touches the point under the cursor.
    Touch,
    /// Presses a button.
    Press(Button),
    /// Gives the turn away.
    Pass,
    /// Lets board time stand still, or go on.
    Freeze,
    /// Lets so many ticks pass, and no more.
    Step(Tick),
    /// Lets board time go faster.
    Faster,
    /// Lets board time go slower.
    Slower,
    /// Shows the list of keys, or closes it.
    Keys,
    /// Shows how the game is played, or closes it.
    HowTo,
    /// Closes what is open over the board.
    Close,
}

/// A key without a letter on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Named {
    /// The arrow to the left.
    Left,
    /// The arrow to the right.
    Right,
    /// The arrow up.
    Up,
    /// The arrow down.
    Down,
    /// Enter.
    Enter,
    /// Escape.
    Escape,
    /// The first of the function keys.
    F1,
}

/// A line of the list of keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Line {
    /// What is written on the keys.
    pub keys: &'static str,
    /// What they do.
    pub words: &'static str,
}

const fn line(keys: &'static str, words: &'static str) -> Line {
    Line { keys, words }
}

/// The list of keys, as a person reads it.
pub const LINES: &[Line] = &[
    line("arrows", "move the cursor"),
    line("Shift+A-P", "to that column"),
    line("0-9", "to that row"),
    line("Space", "touch the point"),
    line("g t s l m", "Game Time Speed Level Mode"),
    line("Enter", "Start"),
    line("h", "Stop/Cont: hold or go on"),
    line("p", "pass"),
    line("f", "freeze time, or let it go"),
    line(",  .", "step 1 ms, 100 ms"),
    line("+  -", "faster, slower"),
    line("F1", "how the game is played"),
    line("?", "these keys"),
    line("Esc", "close what is open"),
];

/// Ticks of the short step.
const SHORT_STEP: Tick = 1;
/// Ticks of the long step.
const LONG_STEP: Tick = 100;

/// What a key does that types this; a capital is typed with shift.
#[must_use]
pub const fn of_letter(letter: char) -> Option<Action> {
    Some(match letter {
        ' ' => Action::Touch,
        'g' => Action::Press(Button::Game),
        't' => Action::Press(Button::Time),
        's' => Action::Press(Button::Speed),
        'l' => Action::Press(Button::Level),
        'm' => Action::Press(Button::Mode),
        'h' => Action::Press(Button::Stop),
        'p' => Action::Pass,
        'f' => Action::Freeze,
        ',' => Action::Step(SHORT_STEP),
        '.' => Action::Step(LONG_STEP),
        // The same key without shift on many keyboards.
        '+' | '=' => Action::Faster,
        '-' => Action::Slower,
        '?' => Action::Keys,
        'A'..='P' => Action::Column(letter as u8 - b'A'),
        '0'..='9' => Action::Digit(letter as u8 - b'0'),
        _ => return None,
    })
}

/// What a key does that types nothing.
#[must_use]
pub const fn of_named(key: Named) -> Action {
    match key {
        Named::Left => Action::Move(-1, 0),
        Named::Right => Action::Move(1, 0),
        Named::Up => Action::Move(0, -1),
        Named::Down => Action::Move(0, 1),
        Named::Enter => Action::Press(Button::Start),
        Named::Escape => Action::Close,
        Named::F1 => Action::HowTo,
    }
}

/// The number of the row that a digit names, after the digits right before it: on
/// a board that has so many rows, 1 and 2 are row 12; elsewhere the 2 is row 2.
#[must_use]
pub fn row(layout: Layout, before: Option<u8>, digit: u8) -> Option<u8> {
    let is_there = |number: &u8| (1..=layout.rows()).contains(number);
    let longer = before.and_then(|before| before.checked_mul(10)?.checked_add(digit));
    longer.filter(is_there).or(Some(digit)).filter(is_there)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_button_has_a_key_and_every_key_a_line() {
        let letters = (' '..='~').filter_map(of_letter);
        let actions: Vec<Action> = letters.chain([of_named(Named::Enter)]).collect();
        for button in Button::ALL {
            assert!(actions.contains(&Action::Press(button)), "{button:?}");
        }
        let listed: Vec<&str> = LINES.iter().flat_map(|line| line.keys.split(' ')).collect();
        for letter in (' '..='~').filter(|letter| of_letter(*letter).is_some()) {
            let own = letter.to_string();
            let key = match letter {
                ' ' => "Space",
                'A'..='P' => "Shift+A-P",
                '0'..='9' => "0-9",
                '=' => "+",
                _ => &own,
            };
            assert!(listed.contains(&key), "{letter}");
        }
    }

    #[test]
    fn two_digits_are_a_row_where_the_board_has_it() {
        let [small, large] = [9, 16].map(|rows| Layout::grid(9, rows).unwrap());
        assert_eq!(row(large, row(large, None, 1), 6), Some(16));
        assert_eq!(row(large, row(large, None, 1), 7), Some(7));
        assert_eq!(row(small, row(small, None, 1), 2), Some(2));
        assert_eq!(row(large, None, 0), None);
    }
}
