//! Where things are on the screen: the one place that the painter and the mouse
//! both ask.
//!
//! What always holds: every rectangle lies on the screen and no two overlap.

use protocol::{Button, Layout, Point};
use ratatui::layout::{Position, Rect};

/// Columns that the case takes: display, buttons, settings, log.
const CASE_COLUMNS: u16 = 38;
/// Rows that the case takes when it lies below the points: display, buttons,
/// standing and at least three lines of the log.
const CASE_ROWS: u16 = 13;
/// Columns for the numbers of the rows.
const NUMBERS: u16 = 3;
/// Rows for the letters of the columns.
const LETTERS: u16 = 1;
/// The line at the bottom.
const STATUS: u16 = 1;
/// Blank columns between the points and the case.
const GAP: u16 = 2;

/// How large a point is: columns and rows from one to the next.
const PITCHES: [(u16, u16); 6] = [(12, 6), (8, 4), (6, 3), (4, 2), (3, 1), (2, 1)];

/// Where a screen of one size shows a board of one layout.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Geometry {
    layout: Layout,
    /// The points, without the names at the edge.
    pub points: Rect,
    /// Columns and rows from one point to the next.
    pub pitch: (u16, u16),
    /// Turn lights and display.
    pub display: Rect,
    /// The buttons, in the order of [`Button::ALL`].
    pub buttons: [Rect; Button::ALL.len()],
    /// Settings, score and clock, what goes on, and the last move.
    pub standing: Rect,
    /// What happened.
    pub log: Rect,
    /// The line at the bottom.
    pub status: Rect,
}

impl Geometry {
    /// Where things are; `None` if the screen is too small for the smallest
    /// points. The points are as large as the screen lets them, beside the case
    /// or, where that leaves more room, above it.
    #[must_use]
    pub fn new(screen: Rect, layout: Layout) -> Option<Geometry> {
        let room = |columns: u16, rows: u16| {
            Some((
                screen.width.checked_sub(columns + NUMBERS)?,
                screen.height.checked_sub(rows + LETTERS + STATUS)?,
            ))
        };
        let beside = room(CASE_COLUMNS + GAP, 0).and_then(|room| pitch(room, layout));
        let above = room(0, CASE_ROWS).and_then(|room| pitch(room, layout));
        // A tall case shows more of the log, so it has to pay to lie below.
        let (pitch, is_beside) = match (beside, above) {
            (Some(beside), Some(above)) if above.0 <= beside.0 => (beside, true),
            (Some(beside), None) => (beside, true),
            (_, Some(above)) => (above, false),
            (None, None) => return None,
        };
        let points = Rect::new(
            screen.x + NUMBERS,
            screen.y,
            pitch.0 * u16::from(layout.columns()),
            pitch.1 * u16::from(layout.rows()),
        );
        let bottom = screen.bottom() - STATUS;
        let case = if is_beside {
            let x = points.right() + GAP;
            Rect::new(x, screen.y, screen.right() - x, bottom - screen.y)
        } else {
            let y = points.bottom() + LETTERS;
            Rect::new(screen.x, y, screen.width, bottom - y)
        };
        let status = Rect::new(screen.x, bottom, screen.width, STATUS);
        Geometry::with_case(layout, points, pitch, case, status)
    }

    fn with_case(
        layout: Layout,
        points: Rect,
        pitch: (u16, u16),
        case: Rect,
        status: Rect,
    ) -> Option<Geometry> {
        let mut rest = case;
        let display = take_rows(&mut rest, 3)?;
        let buttons = buttons(take_rows(&mut rest, 2)?)?;
        let standing = take_rows(&mut rest, 5)?;
        Some(Geometry {
            layout,
            points,
            pitch,
            display,
            buttons,
            standing,
            log: rest,
            status,
        })
    }

    /// The smallest screen for this layout, columns and rows.
    #[must_use]
    pub fn smallest(layout: Layout) -> (u16, u16) {
        let (columns, rows) = PITCHES[PITCHES.len() - 1];
        let beside = columns * u16::from(layout.columns()) + NUMBERS + GAP + CASE_COLUMNS;
        let high = rows * u16::from(layout.rows()) + LETTERS + STATUS;
        (beside, high.max(CASE_ROWS))
    }

    /// The cells of one point.
    #[must_use]
    pub fn cell(&self, point: Point) -> Rect {
        let (width, height) = self.pitch;
        Rect::new(
            self.points.x + width * u16::from(self.layout.column(point)),
            self.points.y + height * u16::from(self.layout.row(point)),
            width,
            height,
        )
    }

    /// The point that lies here.
    #[must_use]
    pub fn point_at(&self, place: Position) -> Option<Point> {
        if !self.points.contains(place) {
            return None;
        }
        let column = (place.x - self.points.x) / self.pitch.0;
        let row = (place.y - self.points.y) / self.pitch.1;
        self.layout
            .at(u8::try_from(column).ok()?, u8::try_from(row).ok()?)
    }

    /// The button that lies here.
    #[must_use]
    pub fn button_at(&self, place: Position) -> Option<Button> {
        let index = self.buttons.iter().position(|rect| rect.contains(place))?;
        Some(Button::ALL[index])
    }
}

/// The largest pitch at which all points fit.
fn pitch((width, height): (u16, u16), layout: Layout) -> Option<(u16, u16)> {
    PITCHES.into_iter().find(|(columns, rows)| {
        columns * u16::from(layout.columns()) <= width && rows * u16::from(layout.rows()) <= height
    })
}

fn take_rows(rest: &mut Rect, rows: u16) -> Option<Rect> {
    let height = rest.height.checked_sub(rows)?;
    let taken = Rect {
        height: rows,
        ..*rest
    };
    rest.y += rows;
    rest.height = height;
    Some(taken)
}

/// The five of the manual in one row, Start and Stop in the next.
fn buttons(area: Rect) -> Option<[Rect; Button::ALL.len()]> {
    let mut rects = [Rect::default(); Button::ALL.len()];
    let (mut x, mut y) = (area.x, area.y);
    for (button, rect) in Button::ALL.into_iter().zip(&mut rects) {
        if button == Button::Start {
            (x, y) = (area.x, area.y + 1);
        }
        let width = button.name().len() as u16 + 2;
        *rect = Rect::new(x, y, width, 1);
        x += width + 1;
        if rect.right() > area.right() {
            return None;
        }
    }
    Some(rects)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn rects(geometry: &Geometry) -> Vec<Rect> {
        let mut all = vec![
            geometry.points,
            geometry.display,
            geometry.standing,
            geometry.log,
            geometry.status,
        ];
        all.extend(geometry.buttons);
        all
    }

    proptest! {
        #[test]
        fn nothing_overlaps_or_leaves_the_screen(
            width in 0_u16..300, height in 0_u16..120, columns in 1_u8..=16, rows in 1_u8..=16,
        ) {
            let layout = Layout::grid(columns, rows).expect("the sides are in range");
            let screen = Rect::new(0, 0, width, height);
            if let Some(geometry) = Geometry::new(screen, layout) {
                let rects = rects(&geometry);
                for (index, rect) in rects.iter().enumerate() {
                    prop_assert_eq!(rect.intersection(screen), *rect);
                    for other in &rects[..index] {
                        prop_assert!(!rect.intersects(*other), "{rect:?} {other:?}");
                    }
                }
                for point in layout.iter() {
                    let cell = geometry.cell(point);
                    prop_assert_eq!(geometry.point_at(cell.as_position()), Some(point));
                }
            }
        }

        #[test]
        fn the_smallest_screen_is_large_enough(columns in 1_u8..=16, rows in 1_u8..=16) {
            let layout = Layout::grid(columns, rows).expect("the sides are in range");
            let (width, height) = Geometry::smallest(layout);
            prop_assert!(Geometry::new(Rect::new(0, 0, width, height), layout).is_some());
        }
    }

    #[test]
    fn a_maldoo_board_fits_an_ordinary_terminal_with_points_of_two_rows() {
        let geometry = Geometry::new(Rect::new(0, 0, 80, 24), Layout::MALDOO);
        assert_eq!(geometry.map(|geometry| geometry.pitch), Some((4, 2)));
    }

    #[test]
    fn the_largest_board_fits_an_ordinary_terminal() {
        let layout = Layout::grid(16, 16).expect("16 is the longest side");
        assert!(Geometry::new(Rect::new(0, 0, 80, 24), layout).is_some());
    }
}
