//! The names of directions: relations such as `Orthogonal`, the sixteen points of the
//! compass, up and down, and directions around a centre.
//!
//! Invariants: the compass is in clockwise order from north; a set of directions is a
//! `u64`.

use std::f64::consts::{PI, TAU};
use std::fmt;
use std::str::FromStr;

use super::geometry::Spot;

/// A side of a heading.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sideways {
    /// Clockwise.
    Right,
    /// Anticlockwise.
    Left,
}

macro_rules! directions {
    ($($name:ident $text:literal,)*) => {
        /// A direction as rules name it.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(u8)]
        pub enum Direction {
            $(#[doc = $text] $name,)*
        }

        impl Direction {
            /// Every direction, in the order of their numbers.
            pub const ALL: &'static [Direction] = &[$(Direction::$name,)*];

            /// The word for the direction in texts.
            #[must_use]
            pub fn name(self) -> &'static str {
                match self { $(Direction::$name => stringify!($name),)* }
            }
        }
    };
}

directions! {
    All "Any step of the board, to whatever touches across a side or a corner.",
    Adjacent "A step to what touches: of cells across a side or a corner, of vertices along an edge.",
    Orthogonal "A step across a side of a cell, or along an edge.",
    Diagonal "A step straight across a corner of a cell, or across a cell to the opposite vertex.",
    OffDiagonal "A step across a corner of a cell that does not go straight.",
    SameLayer "A step that stays at its height.",
    Upward "A step that leads higher.",
    Downward "A step that leads lower.",
    Rotational "A step in, out or around a middle.",
    N "North: up on the page.",
    NNE "North-north-east.",
    NE "North-east.",
    ENE "East-north-east.",
    E "East.",
    ESE "East-south-east.",
    SE "South-east.",
    SSE "South-south-east.",
    S "South.",
    SSW "South-south-west.",
    SW "South-west.",
    WSW "West-south-west.",
    W "West.",
    WNW "West-north-west.",
    NW "North-west.",
    NNW "North-north-west.",
    CW "Clockwise around a middle.",
    CCW "Anticlockwise around a middle.",
    In "Towards a middle.",
    Out "Away from a middle.",
    U "Straight up from the page.",
    UN "Up and to the north.",
    UNE "Up and to the north-east.",
    UE "Up and to the east.",
    USE "Up and to the south-east.",
    US "Up and to the south.",
    USW "Up and to the south-west.",
    UW "Up and to the west.",
    UNW "Up and to the north-west.",
    D "Straight down into the page.",
    DN "Down and to the north.",
    DNE "Down and to the north-east.",
    DE "Down and to the east.",
    DSE "Down and to the south-east.",
    DS "Down and to the south.",
    DSW "Down and to the south-west.",
    DW "Down and to the west.",
    DNW "Down and to the north-west.",
}

/// A height, in units of length: sites that differ by less are on the same layer.
const LAYER: f64 = 0.1;

impl Direction {
    /// The sixteen points of the compass, clockwise from north.
    pub const COMPASS: [Direction; 16] = {
        use Direction::*;
        [
            N, NNE, NE, ENE, E, ESE, SE, SSE, S, SSW, SW, WSW, W, WNW, NW, NNW,
        ]
    };

    /// The relations by which steps are classified.
    pub const RELATIONS: [Direction; 5] = [
        Direction::All,
        Direction::Adjacent,
        Direction::Orthogonal,
        Direction::Diagonal,
        Direction::OffDiagonal,
    ];

    /// Straight up, and up in eight directions clockwise from north.
    const UPS: [Direction; 9] = {
        use Direction::*;
        [U, UN, UNE, UE, USE, US, USW, UW, UNW]
    };
    const DOWNS: [Direction; 9] = {
        use Direction::*;
        [D, DN, DNE, DE, DSE, DS, DSW, DW, DNW]
    };

    /// In, out and around, clockwise starting with out.
    pub const AROUND: [Direction; 4] =
        [Direction::Out, Direction::CW, Direction::In, Direction::CCW];

    /// True for a single direction, false for a relation, which stands for several.
    #[must_use]
    pub fn is_specific(self) -> bool {
        self.is_bearing() || Direction::AROUND.contains(&self)
    }

    /// True for a point of the compass, or a direction up or down.
    #[must_use]
    pub fn is_bearing(self) -> bool {
        Direction::COMPASS.contains(&self) || self.is_upward() || self.is_downward()
    }

    /// True for directions up from the page.
    #[must_use]
    pub fn is_upward(self) -> bool {
        Direction::UPS.contains(&self)
    }

    /// True for directions down into the page.
    #[must_use]
    pub fn is_downward(self) -> bool {
        Direction::DOWNS.contains(&self)
    }

    /// The index of a compass point, clockwise from north; `None` for other directions.
    #[must_use]
    pub fn sector(self) -> Option<usize> {
        Direction::COMPASS.iter().position(|point| *point == self)
    }

    /// The compass point this many sixteenths of a turn clockwise; other directions are
    /// unchanged.
    #[must_use]
    pub fn turned(self, sixteenths: i32) -> Direction {
        match self.sector() {
            Some(sector) => {
                Direction::COMPASS[(sector as i32 + sixteenths).rem_euclid(16) as usize]
            }
            None => self,
        }
    }

    /// The next of these directions to the right or to the left, among compass points or
    /// among those in, out and around. A single direction is its own neighbour.
    #[must_use]
    pub fn beside(self, among: &[Direction], side: Sideways) -> Direction {
        let ring: &[Direction] = match Direction::AROUND.contains(&self) {
            true => &Direction::AROUND,
            false => &Direction::COMPASS,
        };
        let Some(here) = ring.iter().position(|direction| *direction == self) else {
            return self;
        };
        let many = ring.len();
        let ahead = (1..many).map(|step| match side {
            Sideways::Right => ring[(here + step) % many],
            Sideways::Left => ring[(here + many - step) % many],
        });
        ahead
            .into_iter()
            .find(|next| among.contains(next))
            .unwrap_or(self)
    }

    /// The opposite direction.
    #[must_use]
    pub fn opposite(self) -> Direction {
        let swapped = |from: &[Direction; 9], to: &[Direction; 9]| {
            let index = from.iter().position(|direction| *direction == self)?;
            Some(match index {
                0 => to[0],
                index => to[(index + 3) % 8 + 1],
            })
        };
        match self {
            Direction::CW => Direction::CCW,
            Direction::CCW => Direction::CW,
            Direction::In => Direction::Out,
            Direction::Out => Direction::In,
            Direction::Upward => Direction::Downward,
            Direction::Downward => Direction::Upward,
            _ => swapped(&Direction::UPS, &Direction::DOWNS)
                .or_else(|| swapped(&Direction::DOWNS, &Direction::UPS))
                .unwrap_or_else(|| self.turned(8)),
        }
    }

    /// The direction of a step: one of eight compass points, or of sixteen if `fine`.
    /// `unit` is the length of a cell's side.
    #[must_use]
    pub fn of_step(from: Spot, to: Spot, unit: f64, fine: bool) -> Direction {
        let rise = to.z - from.z;
        let flat = rise.abs() <= LAYER * unit;
        if !flat && from.distance(to) < LAYER * unit {
            return if rise < 0.0 {
                Direction::D
            } else {
                Direction::U
            };
        }
        let angle = match from.angle_to(to) {
            angle if angle < 0.0 => angle + TAU,
            angle => angle,
        };
        let sectors = if fine { 16 } else { 8 };
        // Angles are counted anticlockwise from east.
        let half = PI / f64::from(sectors);
        let begun =
            |sector: &i32| angle >= half + 2.0 * f64::from(*sector) * PI / f64::from(sectors);
        let sector = (0..sectors).filter(begun).count() as i32 % sectors;
        let compass = Direction::E.turned(-sector * (16 / sectors));
        if flat {
            return compass;
        }
        let eighths = match sector * 8 / sectors {
            // There are only eight names, so of the sixteen sectors, the three between
            // two axes share one.
            _ if fine && sector % 4 != 0 => sector / 4 * 2 + 1,
            eighths => eighths,
        };
        let clockwise_from_north = (2 - eighths).rem_euclid(8) as usize;
        let names = if rise < 0.0 {
            &Direction::DOWNS
        } else {
            &Direction::UPS
        };
        names[1 + clockwise_from_north]
    }
}

/// The compass point, one of sixteen, in which one spot sees another on the page.
#[must_use]
pub fn bearing_of(from: Spot, to: Spot) -> Direction {
    let arc = TAU / 16.0;
    let angle = match from.angle_to(to) {
        angle if angle < 0.0 => angle + TAU,
        angle => angle,
    };
    Direction::E.turned(-(((angle + arc / 2.0) / arc) as i32))
}

impl fmt::Display for Direction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Direction {
    type Err = ();

    fn from_str(word: &str) -> Result<Direction, ()> {
        let mut all = Direction::ALL.iter();
        all.find(|direction| direction.name() == word)
            .copied()
            .ok_or(())
    }
}

/// A set of directions, as bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Directions(u64);

impl Directions {
    /// The set without any direction.
    pub const NONE: Directions = Directions(0);

    /// The set of the listed directions.
    #[must_use]
    pub fn of(directions: &[Direction]) -> Directions {
        directions.iter().copied().collect()
    }

    /// True if the set contains the direction.
    #[must_use]
    pub const fn has(self, direction: Direction) -> bool {
        self.0 >> direction as u8 & 1 == 1
    }

    /// Adds a direction to the set.
    pub fn insert(&mut self, direction: Direction) {
        self.0 |= 1 << direction as u8;
    }

    /// The union of two sets.
    #[must_use]
    pub const fn or(self, other: Directions) -> Directions {
        Directions(self.0 | other.0)
    }

    /// The directions in order, compass points clockwise from north.
    pub fn iter(self) -> impl Iterator<Item = Direction> {
        let all = Direction::ALL.iter().copied();
        all.filter(move |direction| self.has(*direction))
    }
}

impl FromIterator<Direction> for Directions {
    fn from_iter<T: IntoIterator<Item = Direction>>(directions: T) -> Directions {
        let mut set = Directions::NONE;
        directions.into_iter().for_each(|one| set.insert(one));
        set
    }
}
