//! Points, lines and outlines in the plane, as far as layouts need them.
//!
//! Invariants: a tolerance is a named constant, so that two places that
//! ask the same question give the same answer.

/// The tolerance when lengths are compared.
pub const NOTHING: f64 = 1e-7;

/// A point in space: `x` to the right, `y` up, `z` towards the viewer; on most
/// layouts the side of a cell has length 1.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Spot {
    /// The distance to the right.
    pub x: f64,
    /// The distance up, on the page.
    pub y: f64,
    /// Up, out of the page.
    pub z: f64,
}

impl Spot {
    /// A spot on the page.
    #[must_use]
    pub const fn new(x: f64, y: f64) -> Spot {
        Spot { x, y, z: 0.0 }
    }

    /// The sum of two spots as vectors.
    #[must_use]
    pub fn plus(self, other: Spot) -> Spot {
        Spot {
            x: self.x + other.x,
            y: self.y + other.y,
            z: self.z + other.z,
        }
    }

    /// The way from the other spot to this one.
    #[must_use]
    pub fn minus(self, other: Spot) -> Spot {
        self.plus(other.times(-1.0))
    }

    /// `factor` times as far from the origin.
    #[must_use]
    pub fn times(self, factor: f64) -> Spot {
        Spot {
            x: self.x * factor,
            y: self.y * factor,
            z: self.z * factor,
        }
    }

    /// The spot that lies this part of the way to the other: 0 is here, 1 there.
    #[must_use]
    pub fn towards(self, other: Spot, part: f64) -> Spot {
        self.plus(other.minus(self).times(part))
    }

    /// Turned about the origin, anticlockwise, by `radians`.
    #[must_use]
    pub fn turned(self, radians: f64) -> Spot {
        let (sin, cos) = radians.sin_cos();
        Spot {
            x: self.x * cos - self.y * sin,
            y: self.y * cos + self.x * sin,
            z: self.z,
        }
    }

    /// The spot on the page at this angle and distance from the origin.
    #[must_use]
    pub fn polar(radius: f64, radians: f64) -> Spot {
        Spot::new(radius * radians.cos(), radius * radians.sin())
    }

    /// As long as a step, on the page; nothing stays nothing.
    #[must_use]
    pub fn unit(self) -> Spot {
        let length = self.x.hypot(self.y);
        if length < NOTHING {
            return Spot::default();
        }
        Spot::new(self.x / length, self.y / length)
    }

    /// A quarter turn anticlockwise, on the page.
    #[must_use]
    pub fn perpendicular(self) -> Spot {
        Spot::new(-self.y, self.x)
    }

    /// How far the other is on the page.
    #[must_use]
    pub fn distance(self, other: Spot) -> f64 {
        let (dx, dy) = (other.x - self.x, other.y - self.y);
        (dx * dx + dy * dy).sqrt()
    }

    /// How far the other is in space.
    #[must_use]
    pub fn distance_in_space(self, other: Spot) -> f64 {
        self.distance(other).hypot(other.z - self.z)
    }

    /// True if the other lies within the tolerance, measured along the axes.
    #[must_use]
    pub fn is_at(self, other: Spot, tolerance: f64) -> bool {
        (self.x - other.x).abs() + (self.y - other.y).abs() + (self.z - other.z).abs() < tolerance
    }

    /// The angle on the page at which the other is seen, anticlockwise from the
    /// right, -π..=π.
    #[must_use]
    pub fn angle_to(self, other: Spot) -> f64 {
        (other.y - self.y).atan2(other.x - self.x)
    }

    /// How far this lies from the endless line through two others.
    #[must_use]
    pub fn distance_to_line(self, from: Spot, to: Spot) -> f64 {
        let (dx, dy) = (to.x - from.x, to.y - from.y);
        if dx.abs() + dy.abs() < NOTHING {
            return self.distance(from);
        }
        let area = (self.y - from.y) * dx - (self.x - from.x) * dy;
        (area * area / (dx * dx + dy * dy)).sqrt()
    }

    /// How far this lies from the piece of a line between two others.
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

/// Twice the area of a triangle, positive if it is walked anticlockwise.
#[must_use]
pub fn turn(one: Spot, two: Spot, three: Spot) -> f64 {
    (two.x - one.x) * (three.y - one.y) - (three.x - one.x) * (two.y - one.y)
}

/// How much a path that goes over these bends in the middle, as the tangent of
/// the angle without its sign; infinite from a right angle on.
#[must_use]
pub fn bend(before: Spot, here: Spot, after: Spot) -> f64 {
    let (came, goes) = (here.minus(before), after.minus(here));
    let ahead = goes.x * came.x + goes.y * came.y;
    if ahead <= 0.0 {
        return f64::INFINITY;
    }
    ((goes.y * came.x - goes.x * came.y) / ahead).abs()
}

/// How much a path that goes over these turns in the middle: positive to the
/// left, in radians.
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

/// A closed line of spots.
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

    /// The outline that walks these sides on a lattice: each side by its number of
    /// steps, after a turn to the next of the lattice's directions (back to the one
    /// before for a negative side).
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

    /// True if the outline encloses the spot.
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

    /// The same outline, each corner moved by `by`: outwards if it is walked clockwise,
    /// inwards if anticlockwise. An outline that goes over points of a board so holds
    /// them or does not: that is how games tell the two apart.
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

    /// The least and the greatest corner of the box around it; `None` without
    /// corners.
    #[must_use]
    pub fn extent(&self) -> Option<[Spot; 2]> {
        extent(self.0.iter().copied())
    }

    /// The area, positive if it is walked anticlockwise.
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

/// The least and the greatest corner of the box around spots; `None` without
/// spots.
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
