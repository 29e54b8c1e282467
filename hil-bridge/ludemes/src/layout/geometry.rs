//! Points, lines and outlines in the plane, as layouts need them.
//!
//! Invariants: tolerances are named constants, so that equal questions always get equal
//! answers.

/// The tolerance for comparing lengths.
pub const NOTHING: f64 = 1e-7;

/// A point in space: `x` right, `y` up, `z` towards the viewer. On most layouts, the side
/// of a cell has length 1.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Spot {
    /// The distance to the right.
    pub x: f64,
    /// The distance up, on the page.
    pub y: f64,
    /// The height above the page.
    pub z: f64,
}

impl Spot {
    /// A spot on the page.
    #[must_use]
    pub const fn new(x: f64, y: f64) -> Spot {
        Spot { x, y, z: 0.0 }
    }

    /// The sum of two vectors.
    #[must_use]
    pub fn plus(self, other: Spot) -> Spot {
        Spot {
            x: self.x + other.x,
            y: self.y + other.y,
            z: self.z + other.z,
        }
    }

    /// The vector from the other spot to this one.
    #[must_use]
    pub fn minus(self, other: Spot) -> Spot {
        self.plus(other.times(-1.0))
    }

    /// The vector scaled by a factor.
    #[must_use]
    pub fn times(self, factor: f64) -> Spot {
        Spot {
            x: self.x * factor,
            y: self.y * factor,
            z: self.z * factor,
        }
    }

    /// The spot on the line to the other: 0 is this spot, 1 the other.
    #[must_use]
    pub fn towards(self, other: Spot, part: f64) -> Spot {
        self.plus(other.minus(self).times(part))
    }

    /// Rotated around the origin, anticlockwise, by `radians`.
    #[must_use]
    pub fn turned(self, radians: f64) -> Spot {
        let (sin, cos) = radians.sin_cos();
        Spot {
            x: self.x * cos - self.y * sin,
            y: self.y * cos + self.x * sin,
            z: self.z,
        }
    }

    /// The spot on the page at this distance and angle from the origin.
    #[must_use]
    pub fn polar(radius: f64, radians: f64) -> Spot {
        Spot::new(radius * radians.cos(), radius * radians.sin())
    }

    /// Scaled to length 1, on the page; a zero vector stays zero.
    #[must_use]
    pub fn unit(self) -> Spot {
        let length = self.x.hypot(self.y);
        if length < NOTHING {
            return Spot::default();
        }
        Spot::new(self.x / length, self.y / length)
    }

    /// Rotated by a quarter turn anticlockwise, on the page.
    #[must_use]
    pub fn perpendicular(self) -> Spot {
        Spot::new(-self.y, self.x)
    }

    /// The distance on the page.
    #[must_use]
    pub fn distance(self, other: Spot) -> f64 {
        let (dx, dy) = (other.x - self.x, other.y - self.y);
        (dx * dx + dy * dy).sqrt()
    }

    /// The distance in space.
    #[must_use]
    pub fn distance_in_space(self, other: Spot) -> f64 {
        self.distance(other).hypot(other.z - self.z)
    }

    /// True if the other spot is within the tolerance along each axis.
    #[must_use]
    pub fn is_at(self, other: Spot, tolerance: f64) -> bool {
        (self.x - other.x).abs() + (self.y - other.y).abs() + (self.z - other.z).abs() < tolerance
    }

    /// The angle on the page at which the other spot is seen, anticlockwise from the
    /// right, -π..=π.
    #[must_use]
    pub fn angle_to(self, other: Spot) -> f64 {
        (other.y - self.y).atan2(other.x - self.x)
    }

    /// The distance to the infinite line through two spots.
    #[must_use]
    pub fn distance_to_line(self, from: Spot, to: Spot) -> f64 {
        let (dx, dy) = (to.x - from.x, to.y - from.y);
        if dx.abs() + dy.abs() < NOTHING {
            return self.distance(from);
        }
        let area = (self.y - from.y) * dx - (self.x - from.x) * dy;
        (area * area / (dx * dx + dy * dy)).sqrt()
    }

    /// The distance to the line segment between two spots.
    #[must_use]
    pub fn distance_to_segment(self, from: Spot, to: Spot) -> f64 {
        let along = to.minus(from);
        let length = along.x * along.x + along.y * along.y + along.z * along.z;
        if length < NOTHING {
            return self.distance_in_space(from);
        }
        let away = self.minus(from);
        let part = (away.x * along.x + away.y * along.y + away.z * along.z) / length;
        self.distance_in_space(from.towards(to, part.clamp(0.0, 1.0)))
    }
}

/// Twice the area of a triangle, positive if its corners are anticlockwise.
#[must_use]
pub fn turn(one: Spot, two: Spot, three: Spot) -> f64 {
    (two.x - one.x) * (three.y - one.y) - (three.x - one.x) * (two.y - one.y)
}

/// How much a path over these spots bends in the middle: the tangent of the angle,
/// without its sign; infinite for a right angle or more.
#[must_use]
pub fn bend(before: Spot, here: Spot, after: Spot) -> f64 {
    let (came, goes) = (here.minus(before), after.minus(here));
    let ahead = goes.x * came.x + goes.y * came.y;
    if ahead <= 0.0 {
        return f64::INFINITY;
    }
    ((goes.y * came.x - goes.x * came.y) / ahead).abs()
}

/// How much a path over these spots turns in the middle, in radians; positive to the left.
#[must_use]
pub fn bearing(before: Spot, here: Spot, after: Spot) -> f64 {
    let (came, goes) = (here.minus(before), after.minus(here));
    let aside = goes.y * came.x - goes.x * came.y;
    aside.atan2(goes.x * came.x + goes.y * came.y)
}

/// The crossing of two line segments, as fractions of the first and of the second;
/// `None` if they are parallel.
#[must_use]
pub fn crossing(one: [Spot; 2], other: [Spot; 2]) -> Option<(f64, f64)> {
    let (a, b) = (one[1].minus(one[0]), other[1].minus(other[0]));
    let away = other[0].minus(one[0]);
    let area = b.x * a.y - b.y * a.x;
    if area.abs() < NOTHING {
        return None;
    }
    let first = (b.x * away.y - b.y * away.x) / area;
    let second = (a.x * away.y - a.y * away.x) / area;
    Some((first, second))
}

/// A closed polygon, given by its corners.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Polygon(pub Vec<Spot>);

impl Polygon {
    /// A regular polygon with sides of length 1, one corner on top.
    #[must_use]
    pub fn regular(sides: usize) -> Polygon {
        let radius = sides as f64 / std::f64::consts::TAU;
        let angle = |side| side as f64 / sides as f64 * std::f64::consts::TAU;
        let spot = |side| Spot::polar(radius, std::f64::consts::FRAC_PI_2 + angle(side));
        Polygon((0..sides).map(spot).collect())
    }

    /// The outline of a walk on a lattice: each side is a number of steps, after a turn
    /// to the next of the lattice's directions, or to the previous one if it is negative.
    #[must_use]
    pub fn walked(sides: &[i64], steps: &[Spot]) -> Polygon {
        let mut direction = steps.len() - 1;
        let mut here = Spot::default();
        let mut spots = vec![here];
        for &side in sides {
            let turn = if side < 0 { steps.len() - 1 } else { 1 };
            direction = (direction + turn) % steps.len();
            here = here.plus(steps[direction].times(side as f64));
            spots.push(here);
        }
        Polygon(spots)
    }

    /// True if the spot is inside the polygon.
    #[must_use]
    pub fn holds(&self, spot: Spot) -> bool {
        let mut inside = false;
        let before = self.0.iter().cycle().skip(self.0.len().max(1) - 1);
        for (here, before) in self.0.iter().zip(before) {
            let spans =
                here.y < spot.y && before.y >= spot.y || before.y < spot.y && here.y >= spot.y;
            if spans && (here.x <= spot.x || before.x <= spot.x) {
                let part = (spot.y - here.y) / (before.y - here.y);
                inside ^= here.x + part * (before.x - here.x) < spot.x;
            }
        }
        inside
    }

    /// The polygon with each corner moved by `by`: outwards if the corners are clockwise,
    /// inwards if anticlockwise. So the orientation of an outline over points of a board
    /// decides whether it contains them; games use this.
    #[must_use]
    pub fn grown(&self, by: f64) -> Polygon {
        let many = self.0.len();
        let moved = |index: usize| {
            let [before, here, after] = [many - 1, 0, 1].map(|step| self.0[(index + step) % many]);
            let [one, two] = [before, after].map(|end| here.minus(end).unit());
            let away = one.plus(two).times(by * 0.5);
            let is_clockwise = turn(before, here, after) < NOTHING;
            here.plus(away.times(if is_clockwise { 1.0 } else { -1.0 }))
        };
        Polygon((0..many).map(moved).collect())
    }

    /// The lower left and upper right corners of the bounding box; `None` without corners.
    #[must_use]
    pub fn extent(&self) -> Option<[Spot; 2]> {
        extent(self.0.iter().copied())
    }

    /// The area, positive if the corners are anticlockwise.
    #[must_use]
    pub fn area(&self) -> f64 {
        let next = self.0.iter().cycle().skip(1);
        let pairs = self.0.iter().zip(next);
        pairs
            .map(|(one, two)| one.x * two.y - two.x * one.y)
            .sum::<f64>()
            / 2.0
    }
}

/// The lower left and upper right corners of the bounding box of these spots; `None`
/// without spots.
pub fn extent(spots: impl IntoIterator<Item = Spot>) -> Option<[Spot; 2]> {
    spots.into_iter().fold(None, |extent, spot| {
        let [least, most] = extent.unwrap_or([spot, spot]);
        let least = Spot {
            x: least.x.min(spot.x),
            y: least.y.min(spot.y),
            z: least.z.min(spot.z),
        };
        let most = Spot {
            x: most.x.max(spot.x),
            y: most.y.max(spot.y),
            z: most.z.max(spot.z),
        };
        Some([least, most])
    })
}
