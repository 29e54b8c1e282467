//! The points that arrow keys lead to.
//!
//! An arrow leads to the point with the least weighted distance within a wedge around its
//! direction. The wedge ends where the next rows of hexagons begin, so an arrow at the
//! end of a row leads nowhere, as on a rectangle.

use protocol::{Layout, Point};

use super::Places;

/// An arrow key of the keyboard.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Arrow {
    /// The arrow to the left.
    Left,
    /// The arrow to the right.
    Right,
    /// The arrow that points up.
    Up,
    /// The arrow that points down.
    Down,
}

impl Arrow {
    /// Every arrow, in the order in which a [`Table`] lists them.
    pub const ALL: [Arrow; 4] = [Arrow::Left, Arrow::Right, Arrow::Up, Arrow::Down];

    /// Columns to the right and rows down.
    const fn step(self) -> [i32; 2] {
        match self {
            Arrow::Left => [-1, 0],
            Arrow::Right => [1, 0],
            Arrow::Up => [0, -1],
            Arrow::Down => [0, 1],
        }
    }
}

/// For each point, where each of [`Arrow::ALL`] leads.
pub type Table = Vec<[Option<Point>; 4]>;

/// Computes where the arrow keys lead from each point.
pub fn table(places: &Places) -> Table {
    let of = |next: &dyn Fn(Point, Arrow) -> Option<Point>| {
        let all = places.layout.iter();
        all.map(|from| Arrow::ALL.map(|arrow| next(from, arrow)))
            .collect::<Table>()
    };
    if let Layout::Grid(sides) = *places.layout {
        return of(&|from, arrow| {
            let [columns, rows] = arrow.step().map(|step| step as i8);
            sides.at(
                sides.column(from).checked_add_signed(columns)?,
                sides.row(from).checked_add_signed(rows)?,
            )
        });
    }
    let rows = rows(places);
    let by_rows = of(&|from, arrow| along_rows(places, &rows, from, arrow));
    let mut arrows = of(&|from, arrow| best(places, rows[from.index()], from, arrow));
    // The loop ends because each round changes another arrow permanently, and arrows that
    // go row by row reach every point.
    while let Some((from, arrow)) = bent(places, &arrows, &by_rows) {
        arrows[from][arrow] = by_rows[from][arrow];
    }
    arrows
}

/// The row of each point.
fn rows(places: &Places) -> Vec<usize> {
    let rows = places.layout.in_rows().enumerate();
    rows.flat_map(|(row, points)| points.map(move |_| row))
        .collect()
}

/// The distance between two points, in the arrow's direction and perpendicular to it.
fn away(places: &Places, from: Point, to: Point, arrow: Arrow) -> [i32; 2] {
    let [from, to] = [from, to].map(|point| {
        let place = places.place(point);
        [place.x, place.y].map(i32::from)
    });
    let ([x, y], [dx, dy]) = ([to[0] - from[0], to[1] - from[1]], arrow.step());
    [x * dx + y * dy, (x * dy - y * dx).abs()]
}

/// The best point in this direction.
fn best(places: &Places, row: usize, from: Point, arrow: Arrow) -> Option<Point> {
    let cost = |to: &Point| {
        let [ahead, aside] = away(places, from, *to, arrow);
        ahead * ahead + 2 * aside * aside
    };
    let is_in_wedge = |to: &Point| {
        let [ahead, aside] = away(places, from, *to, arrow);
        2 * aside < 3 * ahead
    };
    let all = places.layout.iter().filter(is_in_wedge);
    // Of two equally good points, even rows choose the first and odd rows the last, so
    // that a way back leads to where it began.
    match row % 2 {
        0 => all.min_by_key(cost),
        _ => all.rev().min_by_key(cost),
    }
}

/// The next point in the row, or the nearest point in the next row.
fn along_rows(places: &Places, rows: &[usize], from: Point, arrow: Arrow) -> Option<Point> {
    let row = rows[from.index()];
    let row = match arrow {
        Arrow::Left | Arrow::Right => row,
        Arrow::Up => row.checked_sub(1)?,
        Arrow::Down => row + 1,
    };
    let there = |to: &Point| rows[to.index()] == row && away(places, from, *to, arrow)[0] > 0;
    let all = places.layout.iter().filter(there);
    all.min_by_key(|to| away(places, from, *to, arrow).iter().sum::<i32>())
}

/// An arrow that should go row by row, so that one more point can be reached from the
/// first point, or the first point from it; `None` if that is true of all points.
fn bent(places: &Places, arrows: &Table, by_rows: &Table) -> Option<(usize, usize)> {
    let ways = |table: &Table| {
        let mut ways = Vec::new();
        for (from, arrows) in table.iter().enumerate() {
            for (arrow, to) in arrows.iter().enumerate() {
                ways.extend(to.map(|to| (from, arrow, to.index())));
            }
        }
        ways
    };
    let [now, other] = [arrows, by_rows].map(ways);
    let there: Vec<_> = now.iter().map(|(from, _, to)| (*from, *to)).collect();
    let back: Vec<_> = now.iter().map(|(from, _, to)| (*to, *from)).collect();
    let [there, back] = [there, back].map(|ways| reached(&ways, places.layout.points()));
    let length = |(from, arrow, to): &(usize, usize, usize)| {
        let [from, to] = [*from, *to].map(|index| Point(index as u8));
        let [ahead, aside] = away(places, from, to, Arrow::ALL[*arrow]);
        ahead * ahead + aside * aside
    };
    let leads_on = |(from, _, to): &&(usize, usize, usize)| {
        there[*from] && !there[*to] || !back[*from] && back[*to]
    };
    let best = other.iter().filter(leads_on).min_by_key(|way| length(way));
    best.map(|(from, arrow, _)| (*from, *arrow))
}

/// For each point, whether it can be reached from the first on these ways.
fn reached(ways: &[(usize, usize)], points: usize) -> Vec<bool> {
    let mut reached = vec![false; points];
    let mut more = vec![0];
    while let Some(point) = more.pop() {
        if !std::mem::replace(&mut reached[point], true) {
            more.extend(
                ways.iter()
                    .filter(|(from, _)| *from == point)
                    .map(|(_, to)| to),
            );
        }
    }
    reached
}
