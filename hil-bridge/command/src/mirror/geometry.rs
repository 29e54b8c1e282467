//! The positions of things on the screen, for drawing and for the mouse.
//!
//! Invariants: every rectangle is on the screen, and no two overlap.

use protocol::{Button, Layout, Point};
use ratatui::layout::{Position, Rect, Size};

use touchboard_host::places::{self, EdgeName, NameSide, Places};

/// The width of the case in columns: display, buttons, settings, log.
const CASE_COLUMNS: u16 = 38;
/// The height of the case below the points, in rows: display, buttons, status and at
/// least three lines of the log.
const CASE_ROWS: u16 = 13;
/// The columns for row numbers.
const NUMBERS: u16 = 3;
/// The rows for column letters.
const LETTERS: u16 = 1;
/// The height of the line at the bottom.
const STATUS: u16 = 1;
/// Blank columns between the points and the case.
const GAP: u16 = 2;

/// The distances between neighbouring points, in columns and rows, largest first.
const PITCHES: [Size; 11] = [
    Size::new(24, 12),
    Size::new(20, 10),
    Size::new(16, 8),
    Size::new(14, 7),
    Size::new(12, 6),
    Size::new(10, 5),
    Size::new(8, 4),
    Size::new(6, 3),
    Size::new(4, 2),
    Size::new(3, 1),
    Size::new(2, 1),
];

/// The minimum pitch, in columns, at which a point is a dome of pixels, if there are
/// pixels.
pub const DOME_COLUMNS: u16 = 4;

/// The minimum pitch, in columns, at which a point is a disc of several cells.
pub const DISC_COLUMNS: u16 = 6;

/// The positions for one layout on a screen of one size.
#[derive(Clone, Debug, PartialEq)]
pub struct Geometry {
    /// The area of the points, without the names at the edges.
    pub points: Rect,
    /// The area of points and names, with a row above if there is room.
    pub plate: Rect,
    /// The distance between points, in columns and rows.
    pub pitch: Size,
    cells: Vec<Rect>,
    /// The names at the edges that fit, and their areas.
    pub names: Vec<(Rect, EdgeName)>,
    /// The area of turn lights and display.
    pub display: Rect,
    /// The buttons, in the order of [`Button::ALL`].
    pub buttons: [Rect; Button::ALL.len()],
    /// Settings, score and clock, situation, and last move.
    pub standing: Rect,
    /// The area of the log.
    pub log: Rect,
    /// The line at the bottom.
    pub status: Rect,
}

impl Geometry {
    /// The positions for this screen; `None` if it is too small even for the smallest
    /// points. Points are as large as possible, next to the case, or above it if that
    /// leaves more room.
    #[must_use]
    pub fn new(screen: Rect, layout: Layout) -> Option<Geometry> {
        let board = Board::new(layout);
        let room = |columns: u16, rows: u16| {
            Some(Size {
                width: screen.width.checked_sub(columns + NUMBERS + board.ends)?,
                height: screen.height.checked_sub(rows + LETTERS + STATUS)?,
            })
        };
        let beside = room(CASE_COLUMNS + GAP, 0).and_then(|room| board.pitch(room));
        let above = room(0, CASE_ROWS).and_then(|room| board.pitch(room));
        // A tall case shows more of the log, so the case is only put below if that makes
        // the points larger.
        let (pitch, is_beside) = match (beside, above) {
            (Some(beside), Some(above)) if above.width <= beside.width => (beside, true),
            (Some(beside), None) => (beside, true),
            (_, Some(above)) => (above, false),
            (None, None) => return None,
        };
        let Size { width, height } = board.extent(pitch);
        let bottom = screen.bottom() - STATUS;
        // A row above the points, for frames around the uppermost ones, if there is room.
        let below = LETTERS + if is_beside { 0 } else { CASE_ROWS };
        let top = screen.y + u16::from(screen.y + height + below < bottom);
        let points = Rect::new(screen.x + NUMBERS, top, width, height);
        let plate = Rect {
            x: screen.x,
            y: screen.y,
            width: NUMBERS + width + board.ends,
            height: points.bottom() + LETTERS - screen.y,
        };
        let case = if is_beside {
            let x = points.right() + board.ends + GAP;
            Rect::new(x, screen.y, screen.right() - x, bottom - screen.y)
        } else {
            let y = plate.bottom();
            Rect::new(screen.x, y, screen.width, bottom - y)
        };
        let status = Rect::new(screen.x, bottom, screen.width, STATUS);
        let cells = board.cells(points, pitch);
        let names = board.names_beside(&cells, points);
        let mut rest = case;
        let display = take_rows(&mut rest, 3)?;
        let buttons = buttons(take_rows(&mut rest, 2)?)?;
        let standing = take_rows(&mut rest, 5)?;
        Some(Geometry {
            points,
            plate,
            pitch,
            cells,
            names,
            display,
            buttons,
            standing,
            log: rest,
            status,
        })
    }

    /// The smallest screen for this layout, in columns and rows.
    #[must_use]
    pub fn smallest(layout: Layout) -> Size {
        let board = Board::new(layout);
        let points = board.extent(PITCHES[PITCHES.len() - 1]);
        Size {
            width: points.width + NUMBERS + board.ends + GAP + CASE_COLUMNS,
            height: (points.height + LETTERS + STATUS).max(CASE_ROWS),
        }
    }

    /// The cells of one point.
    #[must_use]
    pub fn cell(&self, point: Point) -> Rect {
        self.cells.get(point.index()).copied().unwrap_or_default()
    }

    /// The point at this place.
    #[must_use]
    pub fn point_at(&self, place: Position) -> Option<Point> {
        let index = self.cells.iter().position(|cell| cell.contains(place))?;
        u8::try_from(index).ok().map(Point)
    }

    /// The button at this place.
    #[must_use]
    pub fn button_at(&self, place: Position) -> Option<Button> {
        let index = self.buttons.iter().position(|rect| rect.contains(place))?;
        Some(Button::ALL[index])
    }
}

/// The column and row of a cell in which the light is drawn, from the cell's corner.
#[must_use]
pub fn middle(cell: Rect) -> (u16, u16) {
    let column = match cell.width {
        0..=2 => 0,
        3..DISC_COLUMNS => 1,
        wide => (wide - 1) / 2,
    };
    (column, (cell.height - 1) / 2)
}

/// A layout with the names at its edges.
struct Board {
    places: Places,
    names: Vec<EdgeName>,
    /// The columns for letters at the right ends of rows.
    ends: u16,
}

impl Board {
    fn new(layout: Layout) -> Board {
        let names = places::edge_names(layout);
        let right = names.iter().filter(|name| name.edge == NameSide::Right);
        Board {
            places: Places::new(layout),
            ends: right.map(|name| name.text.len() as u16).max().unwrap_or(0),
            names,
        }
    }

    /// The columns and rows of all points at this pitch.
    fn extent(&self, pitch: Size) -> Size {
        let cells = self.places.cells(pitch.width, pitch.height);
        let most = |side: fn(&(u16, u16)) -> u16| cells.iter().map(side).max().unwrap_or(0);
        Size {
            width: most(|cell| cell.0) + pitch.width,
            height: most(|cell| cell.1) + pitch.height,
        }
    }

    /// The largest pitch at which all points fit. Rows of a drawn board are shifted by
    /// half a pitch.
    fn pitch(&self, room: Size) -> Option<Size> {
        let is_grid = self.places.layout().sides().is_some();
        let mut pitches = PITCHES
            .into_iter()
            .filter(|pitch| is_grid || pitch.width % 2 == 0);
        pitches.find(|pitch| {
            let extent = self.extent(*pitch);
            extent.width <= room.width && extent.height <= room.height
        })
    }

    fn cells(&self, points: Rect, pitch: Size) -> Vec<Rect> {
        let cells = self.places.cells(pitch.width, pitch.height).into_iter();
        cells
            .map(|(x, y)| Rect::new(points.x + x, points.y + y, pitch.width, pitch.height))
            .collect()
    }

    /// The names that overlap neither another name nor a point.
    fn names_beside(&self, cells: &[Rect], points: Rect) -> Vec<(Rect, EdgeName)> {
        let around = Rect::new(
            points.x - NUMBERS,
            points.y,
            NUMBERS + points.width + self.ends,
            points.height + LETTERS,
        );
        let mut names: Vec<(Rect, EdgeName)> = Vec::new();
        for name in &self.names {
            let (cell, long) = (cells[name.point.index()], name.text.len() as u16);
            let (column, row) = middle(cell);
            let (x, y) = match name.edge {
                NameSide::Left => (cell.x.saturating_sub(1 + long), cell.y + row),
                NameSide::Right => (cell.right(), cell.y + row),
                NameSide::Below => (cell.x + column, points.bottom()),
            };
            let rect = Rect::new(x, y, long, 1);
            let taken = cells.iter().chain(names.iter().map(|(rect, _)| rect));
            if around.intersection(rect) == rect && !taken.into_iter().any(|it| it.intersects(rect))
            {
                names.push((rect, name.clone()));
            }
        }
        names
    }
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

/// The five settings buttons in one row, Start and Stop in the next.
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
    use drawings::{hexagon, layouts};
    use law::{Judged, Weight, law};
    use proptest::prelude::*;

    use super::*;

    fn rects(geometry: &Geometry) -> Vec<Rect> {
        let mut all = vec![
            geometry.display,
            geometry.standing,
            geometry.log,
            geometry.status,
        ];
        all.extend(geometry.buttons);
        all.extend(&geometry.cells);
        all.extend(geometry.names.iter().map(|(rect, _)| *rect));
        all
    }

    #[test]
    fn parts_neither_overlap_nor_leave_the_screen() {
        let screens = (0_u16..300, 0_u16..120, layouts());
        law(Weight::of(256, 40), screens, |(width, height, layout)| {
            let screen = Rect::new(0, 0, width, height);
            let Some(geometry) = Geometry::new(screen, *layout) else {
                return Ok(Judged::Nothing);
            };
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
                prop_assert_eq!(geometry.points.intersection(cell), cell);
            }
            Ok(Judged::Something)
        });
    }

    proptest! {
        #[test]
        fn the_smallest_screen_is_large_enough(layout in layouts()) {
            let Size { width, height } = Geometry::smallest(*layout);
            prop_assert!(Geometry::new(Rect::new(0, 0, width, height), *layout).is_some());
        }
    }

    #[test]
    fn a_9x9_board_fits_80x24_with_points_of_two_rows() {
        let geometry = Geometry::new(Rect::new(0, 0, 80, 24), Layout::MALDOO);
        assert_eq!(
            geometry.map(|geometry| geometry.pitch),
            Some(Size::new(4, 2))
        );
    }

    #[test]
    fn rows_and_columns_of_a_hexagon_are_labelled_at_their_ends() {
        let screen = Rect::new(0, 0, 80, 24);
        let geometry = Geometry::new(screen, *hexagon()).expect("it is large enough");
        assert_eq!(geometry.pitch, Size::new(4, 2));
        assert_eq!(geometry.names.len(), 9 + 9);
        for (rect, name) in &geometry.names {
            let cell = geometry.cell(name.point);
            match name.edge {
                NameSide::Left => assert_eq!(rect.right() + 1, cell.x),
                NameSide::Right => assert_eq!(rect.x, cell.right()),
                NameSide::Below => assert_eq!(rect.y, geometry.points.bottom()),
            }
        }
    }

    #[test]
    fn the_largest_board_fits_an_ordinary_terminal() {
        let layout = Layout::grid(16, 16).expect("16 is the longest side");
        assert!(Geometry::new(Rect::new(0, 0, 80, 24), layout).is_some());
    }
}
