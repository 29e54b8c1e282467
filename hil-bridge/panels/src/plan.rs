//! A layout in columns and rows, like the keys of a panel.
//!
//! A rectangle already has columns and rows. The points of a drawing are sorted by their
//! coordinates: each distinct distance from the left is a column, and each distinct
//! distance from the top is a row. So a drawing of a chessboard fits 8x8 pads, and on
//! hexagons every second key of a row is dark.

use std::collections::BTreeSet;

use protocol::{Layout, Place, Point};

use crate::form::PanelExtent;

/// The columns and rows of a layout's points.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LayoutPlan {
    size: PanelExtent,
    /// The column and row of each point.
    places: Vec<(u8, u8)>,
}

impl LayoutPlan {
    /// The plan of a layout; `None` if its drawing is not known in this process.
    #[must_use]
    pub fn of(layout: Layout) -> Option<LayoutPlan> {
        let places: Option<Vec<Place>> = layout.iter().map(|point| layout.place(point)).collect();
        let places = places?;
        let across: BTreeSet<u8> = places.iter().map(|place| place.x).collect();
        let down: BTreeSet<u8> = places.iter().map(|place| place.y).collect();
        let order = |all: &BTreeSet<u8>, one: u8| all.range(..one).count() as u8;
        let spread = places
            .iter()
            .map(|place| (order(&across, place.x), order(&down, place.y)));
        Some(LayoutPlan {
            places: spread.collect(),
            size: PanelExtent {
                columns: u8::try_from(across.len()).ok()?,
                rows: u8::try_from(down.len()).ok()?,
            },
        })
    }

    /// The columns and rows of the board.
    #[must_use]
    pub const fn size(&self) -> PanelExtent {
        self.size
    }

    /// The points with their columns and rows.
    pub fn points(&self) -> impl Iterator<Item = (Point, (u8, u8))> {
        let numbered = self.places.iter().enumerate();
        numbered.map(|(index, place)| (Point(index as u8), *place))
    }

    /// The point in this column and row, if there is one.
    #[must_use]
    pub fn at(&self, column: u8, row: u8) -> Option<Point> {
        let mut points = self.points();
        points.find_map(|(point, place)| (place == (column, row)).then_some(point))
    }
}

#[cfg(test)]
mod tests {
    use law::{Judged, Weight, law};
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_rectangle_is_its_own_plan() {
        let layout = Layout::grid(12, 5).expect("a layout");
        let plan = LayoutPlan::of(layout).expect("a plan");
        let (columns, rows) = (12, 5);
        assert_eq!(plan.size(), PanelExtent { columns, rows });
        for point in layout.iter() {
            assert_eq!(
                plan.at(layout.column(point), layout.row(point)),
                Some(point)
            );
        }
        assert_eq!(plan.at(12, 0), None);
    }

    /// Whatever the drawing is, each point has its own place, and the order of points is
    /// kept.
    #[test]
    fn a_drawing_keeps_its_points_apart_and_in_order() {
        law(Weight::of(200, 60), drawings::layouts(), |layout| {
            let plan = LayoutPlan::of(layout.layout()).expect("a plan");
            let PanelExtent { columns, rows } = plan.size();
            let is_drawn = layout.sides().is_none();
            for (point, (column, row)) in plan.points() {
                prop_assert!(column < columns && row < rows);
                prop_assert_eq!(plan.at(column, row), Some(point));
                let place = layout.place(point).expect("a place");
                for (other, (other_column, other_row)) in plan.points() {
                    let other = layout.place(other).expect("a place");
                    prop_assert_eq!(place.x.cmp(&other.x), column.cmp(&other_column));
                    prop_assert_eq!(place.y.cmp(&other.y), row.cmp(&other_row));
                }
            }
            Ok(Judged::if_any(is_drawn))
        });
    }

    #[test]
    fn on_hexagons_every_second_key_of_a_row_is_dark() {
        let hexagon = drawings::hexagon();
        let plan = LayoutPlan::of(hexagon.layout()).expect("a plan");
        let (columns, rows) = (17, 9);
        assert_eq!(plan.size(), PanelExtent { columns, rows });
        let first: Vec<bool> = (0..17).map(|column| plan.at(column, 0).is_some()).collect();
        assert_eq!(first.iter().filter(|is_point| **is_point).count(), 5);
        assert!(first[4] && !first[5] && first[6]);
    }

    #[test]
    fn an_unknown_drawing_has_no_plan() {
        let layout = Layout::Drawn { points: 9, id: 3 };
        assert_eq!(LayoutPlan::of(layout), None);
    }
}
