//! Where the points of a layout lie on a screen, and where arrow keys lead.
//!
//! Rectangles and drawings are treated alike. Places are in units of the *pitch*, the
//! smallest distance between two points; on a rectangle they are columns and rows. An
//! arrow leads to the nearest point in its direction, where a sideways distance counts
//! more. Of two equally good points it leads to one on the way there and to the other on
//! the way back, so a cursor that goes straight up on hexagons zigzags about one line.
//!
//! Invariants: no two points are closer than a pitch; an arrow leads to a point in its
//! direction; arrows lead from each point to every other.
//!
//! ```
//! use touchboard_host::places::{Arrow, Places};
//! use protocol::Layout;
//!
//! let places = Places::new(Layout::MALDOO);
//! let e5 = Layout::MALDOO.point("e5")?;
//! let up = places.next(e5, Arrow::Up).map(|up| Layout::MALDOO.name(up).to_string());
//! assert_eq!(up.as_deref(), Some("e6"));
//! # Ok::<(), protocol::PointError>(())
//! ```

use std::collections::BTreeMap;
use std::sync::OnceLock;

use protocol::{KnownLayout, Layout, Name, Place, Point};

mod arrows;
#[cfg(test)]
mod tests;

pub use arrows::Arrow;

/// A place in pitches, from the left and from the top.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PitchSpot {
    /// The distance from the left edge.
    pub x: f32,
    /// The distance from the top edge.
    pub y: f32,
}

/// The places of a layout's points on a screen.
#[derive(Clone, Debug)]
pub struct Places {
    layout: KnownLayout,
    /// The places of the points, in the units of the drawing.
    places: Vec<Place>,
    /// The distance between neighbouring points, in the same units.
    pitch: f32,
    /// The smallest distances between points; see [`apart`].
    apart: (u16, u16),
    /// Where arrows lead; computed at the first request.
    arrows: OnceLock<arrows::Table>,
}

impl Places {
    /// The places of this layout's points; a single row if its drawing is not known.
    #[must_use]
    pub fn new(layout: impl Into<KnownLayout>) -> Places {
        let layout = layout.into();
        let places: Vec<Place> = layout
            .iter()
            .map(|point| {
                let unknown = Place { x: point.0, y: 0 };
                layout.place(point).unwrap_or(unknown)
            })
            .collect();
        let (pitch, apart) = match *layout {
            Layout::Grid(_) => (1.0, (1, 1)),
            Layout::Drawn { .. } => {
                let pitch = smallest_distance(&places);
                (pitch, apart(&places, pitch))
            }
        };
        Places {
            layout,
            places,
            pitch,
            apart,
            arrows: OnceLock::new(),
        }
    }

    /// The layout whose places these are.
    #[must_use]
    pub fn layout(&self) -> Layout {
        self.layout.layout()
    }

    /// The place of a point; the top left corner if the layout has no such point.
    #[must_use]
    pub fn spot(&self, point: Point) -> PitchSpot {
        self.in_pitches(self.place(point))
    }

    /// The lower right corner of the rectangle around the middles of all points.
    #[must_use]
    pub fn corner(&self) -> PitchSpot {
        let most = |side: fn(&Place) -> u8| self.places.iter().map(side).max().unwrap_or_default();
        self.in_pitches(Place {
            x: most(|place| place.x),
            y: most(|place| place.y),
        })
    }

    /// The point whose middle is nearest, and its offset from `spot`; of several, the last.
    #[must_use]
    pub fn near(&self, spot: PitchSpot) -> Option<(Point, PitchSpot)> {
        let away = |point| {
            let there = self.spot(point);
            let away = PitchSpot {
                x: there.x - spot.x,
                y: there.y - spot.y,
            };
            (point, away)
        };
        let far = |(_, away): &(Point, PitchSpot)| away.x * away.x + away.y * away.y;
        let all = self.layout.iter().rev().map(away);
        all.min_by(|one, other| far(one).total_cmp(&far(other)))
    }

    /// The point in the centre, where a cursor starts.
    #[must_use]
    pub fn middle(&self) -> Point {
        let corner = self.corner();
        let middle = PitchSpot {
            x: corner.x / 2.0,
            y: corner.y / 2.0,
        };
        self.near(middle).map_or(Point(0), |(point, _)| point)
    }

    /// The point that an arrow key leads to; `None` if there is none in that
    /// direction.
    #[must_use]
    pub fn next(&self, from: Point, arrow: Arrow) -> Option<Point> {
        let arrows = self.arrows.get_or_init(|| arrows::table(self));
        arrows.get(from.index())?[arrow as usize]
    }

    /// The upper left character cell of each point, if each point takes `wide` by `high`
    /// cells. No two points overlap.
    #[must_use]
    pub fn cells(&self, wide: u16, high: u16) -> Vec<(u16, u16)> {
        let (across, down) = self.apart;
        let scaled = |along: u8, cells: u16, apart: u16| {
            (u32::from(along) * u32::from(cells) + u32::from(apart) / 2) / u32::from(apart)
        };
        let cell = |place: &Place| {
            let x = scaled(place.x, wide, across);
            (x as u16, scaled(place.y, high, down) as u16)
        };
        self.places.iter().map(cell).collect()
    }

    /// The corners of the convex hull of the points, in the order of the angle of the
    /// sides, from right to down. Points along a side are omitted.
    #[must_use]
    pub fn outline(&self) -> Vec<PitchSpot> {
        let mut sorted: Vec<[i32; 2]> = self
            .places
            .iter()
            .map(|place| [place.x, place.y].map(i32::from))
            .collect();
        sorted.sort_unstable();
        let mut corners = half_hull(sorted.iter());
        corners.extend(half_hull(sorted.iter().rev()));
        if corners.is_empty() {
            corners.extend(sorted);
        }
        let spot = |[x, y]: [i32; 2]| {
            let [x, y] = [x, y].map(|along| along as f32 / self.pitch);
            PitchSpot { x, y }
        };
        corners.into_iter().map(spot).collect()
    }

    /// The lines to draw between points: pairs of neighbours along a side. A way that
    /// passes over another point is omitted, because it would seem to lead to that point.
    #[must_use]
    pub fn lines(&self) -> Vec<[Point; 2]> {
        let Some(known) = self.layout.drawing() else {
            return Vec::new();
        };
        let drawing = known.as_drawing();
        let mut lines: Vec<[Point; 2]> = Vec::new();
        for from in self.layout.iter() {
            for way in (0..drawing.ways()).filter(|way| drawing.is_straight(*way)) {
                let ends = drawing
                    .step(from, way)
                    .map(|to| [from.min(to), from.max(to)]);
                lines.extend(ends.filter(|ends| self.is_free(*ends)));
            }
        }
        lines.sort_unstable();
        lines.dedup();
        lines
    }

    /// True if no third point is on or near the line between these two.
    fn is_free(&self, ends: [Point; 2]) -> bool {
        const NEAR: f32 = 0.4;
        let [from, to] = ends.map(|point| self.spot(point));
        let along = [to.x - from.x, to.y - from.y];
        let length = along[0].hypot(along[1]);
        let others = self.layout.iter().filter(|point| !ends.contains(point));
        others.map(|point| self.spot(point)).all(|spot| {
            let away = [spot.x - from.x, spot.y - from.y];
            let ahead = (away[0] * along[0] + away[1] * along[1]) / length;
            let aside = (away[0] * along[1] - away[1] * along[0]) / length;
            !(0.0..length).contains(&ahead) || aside.abs() > NEAR
        })
    }

    fn place(&self, point: Point) -> Place {
        self.places.get(point.index()).copied().unwrap_or_default()
    }

    fn in_pitches(&self, place: Place) -> PitchSpot {
        PitchSpot {
            x: f32::from(place.x) / self.pitch,
            y: f32::from(place.y) / self.pitch,
        }
    }
}

/// The smallest distance between two points; 1 if there are fewer than two.
fn smallest_distance(places: &[Place]) -> f32 {
    let squared = |one: &Place, other: &Place| {
        let [x, y] = [one.x.abs_diff(other.x), one.y.abs_diff(other.y)].map(u32::from);
        x * x + y * y
    };
    let all = places.iter().enumerate();
    let pairs = all.flat_map(|(index, one)| places[..index].iter().map(move |two| (one, two)));
    let least = pairs.map(|(one, two)| squared(one, two)).min();
    least.map_or(1.0, |least| (least as f32).sqrt())
}

/// The least distances across and down at which two points count as separate: both as
/// large as possible, and similar.
fn apart(places: &[Place], pitch: f32) -> (u16, u16) {
    let most = pitch.ceil().max(1.0) as u16;
    // The least vertical distance between two points, by their horizontal distance.
    let mut down = vec![most; usize::from(most)];
    for (index, one) in places.iter().enumerate() {
        for other in &places[..index] {
            let across = usize::from(one.x.abs_diff(other.x));
            if let Some(down) = down.get_mut(across) {
                *down = (*down).min(one.y.abs_diff(other.y).into());
            }
        }
    }
    let nearest = down.into_iter().scan(most, |least, down| {
        *least = down.min(*least);
        Some(*least)
    });
    let pairs = (1..).zip(nearest).filter(|(_, down)| *down > 0);
    let best = pairs.max_by_key(|(across, down)| (*across.min(down), across + down));
    best.unwrap_or((1, 1))
}

/// The corners of one half of the convex hull of sorted places, without the last.
fn half_hull<'a>(sorted: impl Iterator<Item = &'a [i32; 2]>) -> Vec<[i32; 2]> {
    let mut hull: Vec<[i32; 2]> = Vec::new();
    for place in sorted {
        while let [.., one, two] = hull[..] {
            let turn =
                (two[0] - one[0]) * (place[1] - one[1]) - (two[1] - one[1]) * (place[0] - one[0]);
            if turn > 0 {
                break;
            }
            hull.pop();
        }
        hull.push(*place);
    }
    hull.pop();
    hull
}

/// The names at the edges of a board: the number of each row, left of its first point,
/// and the letters of each column, below its lowest point or, if the column leans and
/// ends at the side of the board, to its right.
#[must_use]
pub fn edge_names(layout: Layout) -> Vec<EdgeName> {
    type Line = Vec<(Name, Point)>;
    let mut rows: BTreeMap<u8, Line> = BTreeMap::new();
    let mut columns: BTreeMap<u8, Line> = BTreeMap::new();
    for point in layout.iter() {
        let name = layout.name(point);
        rows.entry(name.row).or_default().push((name, point));
        columns.entry(name.column).or_default().push((name, point));
    }
    let ends = |line: Line| Some((*line.iter().min()?, line.iter().max()?.1));
    let numbers = rows.into_values().filter_map(ends);
    let numbers = numbers.map(|((name, first), last)| EdgeName {
        edge: NameSide::Left,
        point: first,
        out: out(layout, first, last).unwrap_or(PitchSpot { x: -1.0, y: 0.0 }),
        text: name.number().to_string(),
    });
    let letters = columns.into_values().filter_map(ends);
    let letters = letters.map(|((name, lowest), highest)| EdgeName {
        edge: end_of_column(layout, lowest, highest),
        point: lowest,
        out: out(layout, lowest, highest).unwrap_or(PitchSpot { x: 0.0, y: 1.0 }),
        text: name.letters().to_string(),
    });
    numbers.chain(letters).collect()
}

/// The direction from the last point of a line to its first; `None` if they are the same
/// point.
fn out(layout: Layout, first: Point, last: Point) -> Option<PitchSpot> {
    let [first, last] = [layout.place(first)?, layout.place(last)?];
    let along = |first: u8, last: u8| f32::from(first) - f32::from(last);
    let (x, y) = (along(first.x, last.x), along(first.y, last.y));
    let far = x.hypot(y);
    (far > 0.0).then(|| PitchSpot {
        x: x / far,
        y: y / far,
    })
}

/// Where the letters of the column between these two points are written.
fn end_of_column(layout: Layout, lowest: Point, highest: Point) -> NameSide {
    let x = |point: Point| layout.place(point).map(|place| place.x);
    let row = layout.row(lowest);
    let is_last = layout.row(Point(lowest.0.saturating_add(1))) != row;
    let is_at_side = is_last && row + 1 < layout.rows();
    match x(lowest) != x(highest) && is_at_side {
        true => NameSide::Right,
        false => NameSide::Below,
    }
}

/// The label at one end of a row of points, if it has one.
#[must_use]
pub fn beside_row(
    names: &[EdgeName],
    mut points: impl Iterator<Item = Point>,
    edge: NameSide,
) -> &str {
    let here = names.iter().filter(|name| name.edge == edge);
    let found = points.find_map(|point| here.clone().find(|name| name.point == point));
    found.map_or("", |name| &name.text)
}

/// The column letters that fit below points at these horizontal positions, from left to
/// right.
pub fn below(names: &[EdgeName], x: impl Fn(Point) -> u16) -> impl Iterator<Item = &EdgeName> {
    let mut below: Vec<&EdgeName> = names
        .iter()
        .filter(|name| name.edge == NameSide::Below)
        .collect();
    below.sort_by_key(|name| x(name.point));
    let mut free = 0;
    below.into_iter().filter(move |name| {
        let is_free = x(name.point) >= free;
        if is_free {
            free = x(name.point) + name.text.len() as u16 + 1;
        }
        is_free
    })
}

/// A number or letters at the edge of a board.
#[derive(Clone, Debug, PartialEq)]
pub struct EdgeName {
    /// The side of the point on which the name is written.
    pub edge: NameSide,
    /// The point at the edge that the name belongs to.
    pub point: Point,
    /// The direction in which the line leaves the board there: a unit vector, x right and
    /// y down.
    pub out: PitchSpot,
    /// The name as it is written at the edge.
    pub text: String,
}

/// The side of its point on which a name is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NameSide {
    /// Left of the first point of a row: its number.
    Left,
    /// Right of a point at the side of the board: the letters of its column.
    Right,
    /// Below the board: the letters of a column.
    Below,
}
