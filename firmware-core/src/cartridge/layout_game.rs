//! The game that a layout carries: a cartridge, and the correspondence of its sites to
//! the points of the board.
//!
//! ```text
//! site of each point      a byte each
//! point of each site      a byte each; the sites of hands have none
//! the cartridge           to the end
//! ```
//! A board of columns, on which pieces are stacked, may be shown from the side. A site
//! then has one point for each level, starting at the lowest.
//!
//! Invariants of a verified one: the cartridge is [verified](mod@super::verify); the
//! layout has one point for each site of its board, or one for each level of each site.

use protocol::{Drawing, Point};

use super::bytes::{Cartridge, flag};
use super::machine::first_bits;
use super::verify::{self, Refused, Scratch};
use crate::points::Points;
use crate::word::Word;

/// A game for one or two players on a layout of its own.
#[derive(Clone, Copy, Debug)]
pub struct LayoutGame<'a> {
    sites: &'a [u8],
    points: &'a [u8],
    /// The compiled game that is played.
    pub cartridge: Cartridge<'a>,
}

/// Why the game of a layout is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GameRefusal {
    /// Sites and points do not correspond to each other.
    Sites,
    /// The game has this many players, which is too many.
    Players(u8),
    /// The cartridge failed its verification.
    Refused(Refused),
    /// The rules may need this many bytes of stack, which is more than this board has.
    Stack(usize),
}

/// The stack that the rules of a game may use on a host, in bytes as counted for a
/// microcontroller. The stack frames of a host are larger, but even a thread has 2 MB.
pub const HOST_STACK_BYTES: usize = 256 * 1_024;

/// The stack, in bytes, that the rules of a game with this many sites may use on every
/// board. A microcontroller with 128 KB of RAM has this much left after its variables,
/// the calls around the rules, and a machine.
#[must_use]
pub const fn stack_bytes(sites: usize) -> usize {
    match sites {
        0..=64 => 50 * 1_024,
        65..=128 => 46 * 1_024,
        _ => 38 * 1_024,
    }
}

/// The boards that have enough stack for the rules of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Room {
    /// Boards of every kind, chips included.
    Every,
    /// Hosts only, no microcontroller.
    Host,
}

impl Room {
    /// The boards with enough stack for the game that was verified last, which has this
    /// many sites; `None` if no board has enough.
    #[must_use]
    pub fn of(scratch: &Scratch, sites: usize) -> Option<Room> {
        if scratch.stack_bytes() <= stack_bytes(sites) {
            return Some(Room::Every);
        }
        (scratch.host_stack_bytes() <= HOST_STACK_BYTES).then_some(Room::Host)
    }
}

/// The parts of a drawing's game: sites, points and cartridge.
fn parts(drawing: Drawing<'_>) -> Option<(&[u8], &[u8], &[u8])> {
    let (sites, rest) = drawing.game()?.split_at_checked(drawing.points())?;
    let (points, cartridge) = rest.split_at_checked(drawing.points())?;
    Some((sites, points, cartridge))
}

/// The number of sites that a board needs for a drawing, including the hands of its
/// game.
#[must_use]
pub fn sites(drawing: Drawing<'_>) -> usize {
    let of_game = parts(drawing).map(|(_, _, cartridge)| verify::sites_of(cartridge));
    drawing.points().max(of_game.unwrap_or(0))
}

/// Up to this number of points, each is converted separately.
const FEW: usize = 8;

impl<'a> LayoutGame<'a> {
    /// Reads and verifies the game of a drawing; `None` if it has none.
    ///
    /// # Errors
    /// The reason why the game cannot be played.
    #[inline(never)]
    pub fn new(
        drawing: Drawing<'a>,
        scratch: &mut Scratch,
    ) -> Option<Result<LayoutGame<'a>, GameRefusal>> {
        drawing.game()?;
        Some(Self::checked(drawing, scratch))
    }

    fn checked(drawing: Drawing<'a>, scratch: &mut Scratch) -> Result<Self, GameRefusal> {
        let (sites, points, cartridge) = parts(drawing).ok_or(GameRefusal::Sites)?;
        let cartridge = verify::verify(cartridge, scratch).map_err(GameRefusal::Refused)?;
        match Room::of(scratch, cartridge.sites()) {
            Some(Room::Every) => {}
            Some(Room::Host) if cfg!(feature = "host") => {}
            _ => return Err(GameRefusal::Stack(scratch.stack_bytes())),
        }
        if cartridge.players() > 2 {
            return Err(GameRefusal::Players(cartridge.players()));
        }
        let game = LayoutGame {
            sites,
            points,
            cartridge,
        };
        let mut all = (0..sites.len()).map(|index| Point(index as u8));
        let levels = game.levels();
        let is_upright = cartridge.is(flag::STACKS) && cartridge.stack() == levels;
        let same = cartridge.board() * levels == sites.len()
            && (levels == 1 || is_upright)
            && all.all(|point| {
                let site = game.site(point).into();
                (0..levels).any(|level| game.at(site, level) == Some(point))
            });
        same.then_some(game).ok_or(GameRefusal::Sites)
    }

    /// The game of a drawing that was verified before.
    #[must_use]
    pub fn looked_through(drawing: Drawing<'a>) -> Option<LayoutGame<'a>> {
        let (sites, points, cartridge) = parts(drawing)?;
        Some(LayoutGame {
            sites,
            points,
            cartridge: verify::looked_through(cartridge)?,
        })
    }

    /// The site of a point of the board.
    #[inline]
    #[must_use]
    pub fn site(&self, point: Point) -> u8 {
        self.sites.get(point.index()).copied().unwrap_or(0)
    }

    /// The number of points of a site: one for each level.
    #[inline]
    #[must_use]
    pub fn levels(&self) -> usize {
        let levels = self.sites.len().checked_div(self.cartridge.board());
        levels.unwrap_or(1).max(1)
    }

    /// The number of points of the board.
    #[must_use]
    pub fn len(&self) -> usize {
        self.sites.len()
    }

    /// Always false, because a layout has points.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.sites.is_empty()
    }

    /// The point of a level of a site; the lowest level is 0.
    #[must_use]
    pub fn at(&self, site: i16, level: usize) -> Option<Point> {
        let levels = self.levels();
        let at = usize::try_from(site).ok()? * levels + level;
        let point = self.points.get(at).filter(|_| level < levels);
        point.map(|point| Point(*point))
    }

    /// The point of a site; the lowest one if it has several. `None` for a site of a hand
    /// and for -1.
    #[inline]
    #[must_use]
    pub fn point(&self, site: i16) -> Option<Point> {
        self.at(site, 0)
    }

    /// The point of a site, in a game in which each site has exactly one.
    #[inline]
    #[must_use]
    pub fn only_point(&self, site: u8) -> Option<Point> {
        self.points.get(usize::from(site)).copied().map(Point)
    }

    /// The lowest point of the same site, which stands for the site.
    #[must_use]
    pub fn lowest(&self, point: Point) -> Point {
        self.point(self.site(point).into()).unwrap_or(point)
    }

    /// All points of the site that this point belongs to.
    #[must_use]
    pub fn column<W: Word>(&self, point: Point) -> Points<W> {
        let site = self.site(point).into();
        (0..self.levels())
            .filter_map(|level| self.at(site, level))
            .collect()
    }

    /// Maps a set of points through a table of numbers. On most boards the points of a
    /// row have consecutive numbers, which are shifted together.
    fn through<W: Word>(numbers: &[u8], set: Points<W>) -> Points<W> {
        let mut all = Points::NONE;
        if set.len() <= FEW {
            let found = |one: Point| numbers.get(one.index()).copied();
            return set.filter_map(found).map(Point).collect();
        }
        let mut left = numbers;
        let mut at = 0;
        while let Some((first, rest)) = left.split_first() {
            let next = (u16::from(*first) + 1..).zip(rest);
            let many = 1 + next
                .take_while(|(next, number)| *next == u16::from(**number))
                .count();
            let row = set.0.down(at) & first_bits(many);
            all |= Points(row.up((*first).into()));
            at += many;
            left = left.get(many..).unwrap_or(&[]);
        }
        all
    }

    /// Converts points of the board to sites of the game.
    #[must_use]
    pub fn sites<W: Word>(&self, points: Points<W>) -> Points<W> {
        Self::through(self.sites, points)
    }

    /// Converts sites of the game to points of the board.
    #[must_use]
    pub fn points<W: Word>(&self, sites: Points<W>) -> Points<W> {
        if self.levels() == 1 {
            return Self::through(self.points, sites);
        }
        sites.filter_map(|site| self.point(site.0.into())).collect()
    }
}
