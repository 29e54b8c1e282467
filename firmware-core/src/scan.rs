//! The scan of a board's contacts, line by line.
//!
//! Contacts are arranged in a matrix of columns and rows. A scan applies a voltage to one
//! line after the other and reads the rows on which it appears: first to the line of the
//! buttons, which form a column of their own, then to each column of points. One wiring
//! serves every layout: the points of a rectangle have their own columns and rows, and
//! the points of a drawing are arranged by number, [`SIDE`] in a row.
//!
//! Invariants: a scan samples each line once, in this order; contacts without a point of
//! the layout are ignored.

use protocol::{Button, GridSize, Input, Layout, Point};

use crate::points::Points;
use crate::word::Word;

/// The number of columns, and of rows, of the largest matrix.
pub const SIDE: u8 = GridSize::MAX;

/// A line that is sampled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScanLine {
    /// The buttons: bit `n` is `Button::ALL[n]`.
    Buttons,
    /// A column of points: bit `n` is row `n`.
    Column(u8),
}

impl ScanLine {
    /// The lines of a board with this layout, in the order of the scan.
    pub fn of(layout: Layout) -> impl Iterator<Item = ScanLine> {
        let columns = layout.sides().map_or(SIDE, GridSize::columns);
        let columns = (0..columns).map(ScanLine::Column);
        core::iter::once(ScanLine::Buttons).chain(columns)
    }
}

/// The column and row of a point's contact.
#[must_use]
pub fn contact(layout: Layout, point: Point) -> (u8, u8) {
    match layout.sides() {
        Some(sides) => (sides.column(point), sides.row(point)),
        None => (point.0 % SIDE, point.0 / SIDE),
    }
}

/// The point at this column and row.
fn point(layout: Layout, column: u8, row: u8) -> Option<Point> {
    match layout.sides() {
        Some(sides) => sides.at(column, row),
        None => Some(Point(row * SIDE + column)).filter(|point| layout.has(*point)),
    }
}

/// The points that are down, and the buttons, with bit `n` for `Button::ALL[n]`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Down<W> {
    /// The points that are down.
    pub points: Points<W>,
    /// The buttons that are down, one bit each.
    pub buttons: u8,
}

impl<W: Word> Down<W> {
    /// A set without points and buttons.
    pub const NONE: Self = Down {
        points: Points::NONE,
        buttons: 0,
    };

    /// Adds the point or button that this input holds down; ignores a release.
    pub fn insert(&mut self, input: Input) {
        match input {
            Input::Touch(point) => self.points.insert(point),
            Input::Press(button) => self.buttons |= 1 << button as u8,
            Input::Release(_) | Input::Lift(_) | Input::Pass => {}
        }
    }

    /// Removes a point or button from the set.
    pub fn remove(&mut self, input: Input) {
        match input {
            Input::Touch(point) => self.points.remove(point),
            Input::Press(button) => self.buttons &= !(1 << button as u8),
            Input::Release(_) | Input::Lift(_) | Input::Pass => {}
        }
    }

    /// The input that corresponds to the first point or button of the set.
    #[must_use]
    pub fn first(&self) -> Option<Input> {
        let is_down = |button: &Button| self.buttons & (1 << *button as u8) != 0;
        let button = || Button::ALL.into_iter().find(is_down);
        let point = self.points.first().map(Input::Touch);
        point.or_else(|| button().map(Input::Press))
    }
}

/// Samples all lines of a board with this layout, which must have at most as many points
/// as `W` has bits.
pub fn scan<W: Word>(layout: Layout, mut sample: impl FnMut(ScanLine) -> u16) -> Down<W> {
    let mut down = Down::NONE;
    for line in ScanLine::of(layout) {
        let mut rows = sample(line);
        match line {
            ScanLine::Buttons => down.buttons = rows as u8,
            ScanLine::Column(column) => {
                while rows != 0 {
                    let row = rows.trailing_zeros() as u8;
                    rows &= rows - 1;
                    if let Some(point) = point(layout, column, row) {
                        down.points.insert(point);
                    }
                }
            }
        }
    }
    down
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::word::Wide;

    /// A rectangle, or a drawing of any number of points.
    fn layouts() -> impl Strategy<Value = Layout> {
        let drawn = |points| Layout::Drawn { points, id: 7 };
        prop_oneof![
            (1..=16_u8, 1..=16_u8).prop_map(|(columns, rows)| Layout::grid(columns, rows).unwrap()),
            (1..=256_u16).prop_map(drawn),
        ]
    }

    proptest! {
        /// Contacts without a point are ignored, whatever is wired there.
        #[test]
        fn each_point_has_one_contact_and_spare_ones_are_ignored(
            layout in layouts(),
            buttons: u8,
        ) {
            let all: Down<Wide> = scan(layout, |line| match line {
                ScanLine::Buttons => buttons.into(),
                ScanLine::Column(_) => u16::MAX,
            });
            prop_assert_eq!(all.buttons, buttons);
            prop_assert_eq!(all.points, layout.iter().collect());
            for point in layout.iter() {
                let (column, row) = contact(layout, point);
                let one: Down<Wide> = scan(layout, |line| match line {
                    ScanLine::Column(sampled) if sampled == column => 1 << row,
                    _ => 0,
                });
                prop_assert_eq!(one.points, Points::one(point));
            }
        }
    }
}
