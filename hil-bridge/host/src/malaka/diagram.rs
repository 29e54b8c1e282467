//! The slanted picture of a position, in the style of the mail server's help page
//! (Cameron Browne, August 2004).
//!
//! The line of a point shows its bottom piece, and the line above shows the pieces on
//! top: `+O---` under `/ O` is a pile of two, `+X---` under `/ O` an X that pins an O.
//! More than one piece on top is written as a number, `+O3--`; the help page has no such
//! pile.

use std::fmt::Write as _;

use firmware_core::games::malaka::{Dice, MalakaPoint, Pile, Position, Variant};
use protocol::Side;

/// Characters from one point of a row to the next.
const CELL: usize = 5;
/// Lines below the bottom row: its edge, the letters, and two more.
const BELOW: usize = 4;
/// Lines of a picture of a die.
const DIE_LINES: usize = 6;
/// Characters from one die to the next.
const DIE_COLUMNS: usize = 11;
/// Characters between the board's bottom right corner and the first die.
const DIE_GAP: usize = 5;
/// Characters of `O = 228`.
const NUMBER_COLUMNS: usize = 7;

/// The letter of a player: O is the first player, X the second.
#[must_use]
pub fn letter(side: Side) -> char {
    match side {
        Side::Green => 'O',
        Side::Red => 'X',
    }
}

/// The dice in a sentence: `2 and 3`, `four times 2`.
#[must_use]
pub fn words(dice: Dice) -> String {
    let times = ["", "", "two times ", "three times ", "four times "];
    let different: Vec<String> = dice.different().map(|pips| pips.to_string()).collect();
    match &different[..] {
        [pips] => format!("{}{pips}", times[usize::from(dice.len()).min(4)]),
        pips => pips.join(" and "),
    }
}

/// The picture: the board, both distances to connection, and the dice still to be
/// played; no line has trailing blanks.
#[must_use]
pub fn diagram(position: &Position) -> String {
    let variant = position.variant();
    let side = variant.side();
    let mut lines = vec![
        number(position, Side::Green),
        String::new(),
        letters(variant, side),
    ];
    for row in (0..side).rev() {
        lines.push(edge(position, row));
        lines.push(points(position, row));
    }
    lines.push(bottom(variant));
    lines.push(letters(variant, 0));
    lines.push(String::new());
    lines.push(number(position, Side::Red));
    let first = lines.len() - BELOW - 2;
    let right = 1 + CELL * usize::from(side);
    for (n, face) in faces(position.dice()).into_iter().enumerate() {
        let column = right + DIE_GAP + DIE_COLUMNS * n;
        let die = die(face, variant.die_sides());
        for (line, text) in lines[first..].iter_mut().zip(die) {
            put(line, column, text);
        }
    }
    let mut picture = String::new();
    for line in lines {
        let _ = writeln!(picture, "{}", line.trim_end());
    }
    picture
}

/// Writes `text` into a line from this column on; blanks change nothing.
fn put(line: &mut String, column: usize, text: &str) {
    let mut letters: Vec<char> = line.chars().collect();
    let text: Vec<char> = text.chars().collect();
    letters.resize(letters.len().max(column + text.len()), ' ');
    for (place, letter) in letters[column..].iter_mut().zip(text) {
        if letter != ' ' {
            *place = letter;
        }
    }
    *line = letters.into_iter().collect();
}

/// The column of the first point's letter, below a board of this many rows.
fn first_letter(rows: u8) -> usize {
    match usize::from(rows) {
        0 => 3,
        rows => 2 * rows + 4,
    }
}

/// The distance of a side, beside the edge that it leads to: O's at the top right, X's at
/// the bottom left.
fn number(position: &Position, side: Side) -> String {
    let variant = position.variant();
    let third = usize::from(variant.third());
    let begin = match side {
        Side::Green => first_letter(variant.side()) + CELL * 2 * third,
        Side::Red => first_letter(0),
    };
    let centred = (CELL * (third - 1) + 1 - NUMBER_COLUMNS) / 2;
    let text = format!("{} = {}", letter(side), position.distance(side));
    format!("{:width$}{text}", "", width = begin + centred)
}

fn letters(variant: Variant, rows: u8) -> String {
    let mut line = " ".repeat(first_letter(rows));
    for column in b'A'..b'A' + variant.side() {
        line.push(column.into());
        line.push_str("    ");
    }
    line
}

/// True if there is a wall to the left of this column in this row.
fn has_wall(variant: Variant, column: u8, row: u8) -> bool {
    let at = |column| MalakaPoint::new(column, row);
    let beside = column.checked_sub(1).and_then(at).zip(at(column));
    beside.is_some_and(|(left, right)| variant.walls_between(left, right) > 0)
}

/// The character at the corner of four points, depending on the walls that end there.
fn corner(variant: Variant, column: u8, beside: [Option<u8>; 2]) -> char {
    let is_wall = |row: &Option<u8>| row.is_some_and(|row| has_wall(variant, column, row));
    if column < variant.side() && beside.iter().any(is_wall) {
        '#'
    } else {
        '+'
    }
}

/// The line above a row, with the pieces on top.
fn edge(position: &Position, row: u8) -> String {
    let variant = position.variant();
    let above = Some(row + 1).filter(|row| *row < variant.side());
    let mut line = " ".repeat(2 * usize::from(row) + 3);
    for column in 0..variant.side() {
        line.push(corner(variant, column, [Some(row), above]));
        let pile = MalakaPoint::new(column, row).and_then(|place| position.pile(place));
        let text = pile.map_or_else(String::new, over);
        let _ = write!(line, "{text:-<4}");
    }
    line.push('+');
    line
}

/// The characters for the pieces on top of the bottom one.
fn over(pile: Pile) -> String {
    let letter = letter(pile.side);
    match pile.count - u8::from(!pile.pins) {
        0 => String::new(),
        1 => letter.to_string(),
        more => format!("{letter}{more}"),
    }
}

/// The line of a row, with the bottom pieces.
fn points(position: &Position, row: u8) -> String {
    let variant = position.variant();
    let number = row + 1;
    let mut line = format!("{number:>width$} ", width = 2 * usize::from(row) + 1);
    for column in 0..variant.side() {
        line.push(if has_wall(variant, column, row) {
            '#'
        } else {
            '/'
        });
        let pile = MalakaPoint::new(column, row).and_then(|place| position.pile(place));
        let bottom = pile.map(|pile| {
            if pile.pins {
                pile.side.other()
            } else {
                pile.side
            }
        });
        let _ = write!(line, " {}  ", bottom.map_or(' ', letter));
    }
    let _ = write!(line, "/ {number}");
    line
}

fn bottom(variant: Variant) -> String {
    let mut line = " ".to_owned();
    for column in 0..variant.side() {
        line.push(corner(variant, column, [Some(0), None]));
        line.push_str("----");
    }
    line.push('+');
    line
}

/// The dice shown: one for each step left, but at most two for a double.
fn faces(dice: Dice) -> Vec<u8> {
    dice.iter().take(2).collect()
}

/// A die with these pips.
fn die(pips: u8, sides: u8) -> [&'static str; DIE_LINES] {
    if sides == 4 {
        let [top, middle, low] = match pips {
            1 => ["  /   \\", " /  o  \\", "/       \\"],
            2 => ["  / o \\", " /     \\", "/   o   \\"],
            3 => ["  / o \\", " /     \\", "/ o   o \\"],
            _ => ["  / o \\", " /  o  \\", "/ o   o \\"],
        };
        return ["    _", "   / \\", top, middle, low, "`-------'"];
    }
    let [top, middle, low] = match pips {
        1 => ["|       |", "|   o   |", "|       |"],
        2 => ["| o     |", "|       |", "|     o |"],
        3 => ["| o     |", "|   o   |", "|     o |"],
        4 => ["| o   o |", "|       |", "| o   o |"],
        5 => ["| o   o |", "|   o   |", "| o   o |"],
        _ => ["| o   o |", "| o   o |", "| o   o |"],
    };
    ["", ".-------.", top, middle, low, "`-------'"]
}
