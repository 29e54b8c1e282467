//! Writes a game as an SGF file, which every Go program can open.

use protocol::{Layout, Point, Side};

use super::duel::{DuelRecord, Ending, Terms};
use super::words::Notation;

/// The contents of the file.
#[must_use]
pub fn write(terms: &Terms, engine: &str, record: &DuelRecord) -> String {
    let layout = terms.setup.layout;
    let kind = match terms.notation {
        Notation::Go => 1,
        Notation::Othello => 2,
    };
    let board = format!("touchboard level {}", terms.level);
    let [black, white] = match record.side {
        Side::Green => [board.as_str(), engine],
        Side::Red => [engine, board.as_str()],
    };
    let mut text = format!(
        "(;FF[4]GM[{kind}]SZ[{}]KM[{}]PB[{}]PW[{}]RE[{}]\n",
        layout.rows(),
        terms.komi,
        escaped(black),
        escaped(white),
        result(record),
    );
    for (side, point) in &record.moves {
        let colour = match side {
            Side::Green => 'B',
            Side::Red => 'W',
        };
        let place = point.map_or(String::new(), |point| letters(layout, point));
        text += &format!(";{colour}[{place}]\n");
    }
    text + ")\n"
}

/// The coordinates as two letters: column from the left, row from the top.
fn letters(layout: Layout, point: Point) -> String {
    let letter = |number: u8| char::from(b'a' + number);
    [layout.column(point), layout.row(point)]
        .map(letter)
        .iter()
        .collect()
}

fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace(']', "\\]")
}

fn result(record: &DuelRecord) -> String {
    match record.ending {
        Ending::Resigned if record.side == Side::Green => "B+R".to_owned(),
        Ending::Resigned => "W+R".to_owned(),
        Ending::BrokenOff(_) => "Void".to_owned(),
        Ending::Played if record.lead > 0.0 => format!("B+{}", record.lead),
        Ending::Played if record.lead < 0.0 => format!("W+{}", -record.lead),
        Ending::Played => "0".to_owned(),
    }
}
