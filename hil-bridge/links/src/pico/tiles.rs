//! A field of tiles, which a board can have instead of matrix and chain.

use std::fmt;
use std::str::FromStr;

use firmware_core::scan::contact;
use protocol::Layout;

use super::pins;

/// The number of keys, and lights, along a side of a tile.
const SIDE: u8 = 4;
/// The maximum number of tiles along a side of a field.
const MOST: u8 = 4;

/// The columns and rows of tiles in a field; one more tile has the buttons.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tiles {
    columns: u8,
    rows: u8,
}

/// The indices of a board's lights among the lights of its tiles.
pub(super) struct Lights {
    /// The indices of the points in order, then those of the turn lights.
    pub of_board: Vec<usize>,
    /// The indices of all other lights.
    pub beside: Vec<usize>,
}

impl Tiles {
    /// The number of tiles, including the one with the buttons.
    #[must_use]
    pub fn count(self) -> u8 {
        self.columns * self.rows + 1
    }

    /// The largest board that fits on the field.
    #[must_use]
    pub fn layout(self) -> Layout {
        Layout::grid(SIDE * self.columns, SIDE * self.rows).unwrap_or(Layout::MALDOO)
    }

    /// True if the field has a key for each point of this layout.
    #[must_use]
    pub fn fit(self, layout: Layout) -> bool {
        layout.iter().all(|point| {
            let (column, row) = contact(layout, point);
            column < SIDE * self.columns && row < SIDE * self.rows
        })
    }

    /// The tiles as arguments of the simulating program.
    pub(super) fn words(self) -> String {
        let [first, column, row, buttons] = pins::TILES;
        let Tiles { columns, rows } = self;
        format!("{columns},{rows},{first},{column},{row},{buttons}")
    }

    /// The indices of the lights of a board with this layout, which must fit.
    pub(super) fn lights(self, layout: Layout) -> Lights {
        let width = usize::from(SIDE * self.columns);
        let field = width * usize::from(SIDE * self.rows);
        let points = layout.iter().map(|point| {
            let (column, row) = contact(layout, point);
            usize::from(row) * width + usize::from(column)
        });
        let of_board: Vec<usize> = points.chain([field, field + 1]).collect();
        let all = 0..usize::from(self.count()) * usize::from(SIDE * SIDE);
        let beside = all.filter(|place| !of_board.contains(place)).collect();
        Lights { of_board, beside }
    }
}

/// The error for a text that is not a field of tiles.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not a field of tiles: write their columns and rows, 1x1 to {MOST}x{MOST}")]
pub struct TilesError(pub String);

impl FromStr for Tiles {
    type Err = TilesError;

    fn from_str(text: &str) -> Result<Tiles, TilesError> {
        let sides = text.split_once('x');
        let side = |side: &str| side.parse().ok().filter(|side| (1..=MOST).contains(side));
        let sides = sides.and_then(|(columns, rows)| Some((side(columns)?, side(rows)?)));
        let (columns, rows) = sides.ok_or_else(|| TilesError(text.to_owned()))?;
        Ok(Tiles { columns, rows })
    }
}

impl fmt::Display for Tiles {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}x{}", self.columns, self.rows)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_field_of_tiles_reads_back_and_fits_a_board() {
        for (text, layout) in [
            ("1x1", "4x4"),
            ("2x2", "8x8"),
            ("4x1", "16x4"),
            ("4x4", "16x16"),
        ] {
            let tiles: Tiles = text.parse().expect("a field");
            assert_eq!(tiles.to_string(), text);
            assert_eq!(tiles.layout().sides().expect("sides").to_string(), layout);
            assert!(tiles.fit(tiles.layout()));
        }
        assert!(!"2x2".parse::<Tiles>().expect("a field").fit(Layout::MALDOO));
        assert!("3x3".parse::<Tiles>().expect("a field").fit(Layout::MALDOO));
        for text in ["", "2", "0x2", "5x1", "2x2x2", "-1x2"] {
            let sentence = text.parse::<Tiles>().unwrap_err().to_string();
            assert!(sentence.ends_with("1x1 to 4x4"), "{sentence}");
        }
    }

    #[test]
    fn each_light_of_tiles_is_on_the_board_or_beside_it() {
        let tiles: Tiles = "3x3".parse().expect("a field");
        let Lights { of_board, beside } = tiles.lights(Layout::MALDOO);
        assert_eq!(of_board.len(), 83);
        assert_eq!(of_board[..3], [0, 1, 2]);
        assert_eq!(of_board[9], 12);
        assert_eq!(of_board[81..], [144, 145]);
        let mut all = [of_board, beside].concat();
        all.sort_unstable();
        assert!(all.into_iter().eq(0..160));
    }
}
