//! The game that a layout brings with it: a cartridge, and which site of it is
//! which point of the board.
//!
//! ```text
//! site of each point      a byte each
//! point of each site      a byte each; the sites of hands have none
//! the cartridge           to the end
//! ```
//! A board of columns on which pieces are put on each other may be seen from its side:
//! then a site has a point for each level, from the lowest one.
//!
//! Invariants of one that was verified: the cartridge is
//! [verified](mod@super::verify), its board has as many sites as the layout has
//! points, or as many levels of them, and each is one point.

use protocol::{Drawing, Point};

use super::bytes::{Cartridge, flag};
use super::machine::first_bits;
use super::verify::{self, Refused, Scratch};
use crate::points::Points;
use crate::word::Word;

/// A game for one or two, on a layout of its own.
#[derive(Clone, Copy, Debug)]
pub struct LayoutGame<'a> {
    sites: &'a [u8],
    points: &'a [u8],
    /// The compiled game that is played.
    pub cartridge: Cartridge<'a>,
}

/// Why a layout's game is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GameRefusal {
    /// Sites and points are not each other's, or there are more of one kind.
    Sites,
    /// It is for more than two players.
    Players(u8),
    /// The cartridge failed its verification.
    Refused(Refused),
    /// It may need more of the stack, in bytes, than this board has.
    Stack(usize),
}

/// What the rules of a game may need of the stack on a host, in bytes as they are
/// counted for a microcontroller: its frames are larger, but even a thread of it has
/// 2 MB.
pub const HOST_STACK_BYTES: usize = 256 * 1_024;

/// The stack, in bytes, that the rules of a game with this many sites may need on every
/// board: what a microcontroller with 128 KB of RAM has left beside its variables and
/// the calls around it, a machine among them.
#[must_use]
pub const fn stack_bytes(sites: usize) -> usize {
    match sites {
        0..=64 => 50 * 1_024,
        65..=128 => 46 * 1_024,
        _ => 38 * 1_024,
    }
}

/// Which boards have room for what the rules of a game may need of the stack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Room {
    /// Boards of every kind, chips included.
    Every,
    /// A host, and no microcontroller.
    Host,
}

impl Room {
    /// The room for the game that was verified last, with this many sites; `None` if no
    /// board has it.
    #[must_use]
    pub fn of(scratch: &Scratch, sites: usize) -> Option<Room> {
        if scratch.stack_bytes() <= stack_bytes(sites) {
            return Some(Room::Every);
        }
        (scratch.host_stack_bytes() <= HOST_STACK_BYTES).then_some(Room::Host)
    }
}

/// The game of a layout's drawing, apart.
fn parts(drawing: Drawing<'_>) -> Option<(&[u8], &[u8], &[u8])> {
    let (sites, rest) = drawing.game()?.split_at_checked(drawing.points())?;
    let (points, cartridge) = rest.split_at_checked(drawing.points())?;
    Some((sites, points, cartridge))
}

/// How many sites a board needs for a drawing: those of the hands of its game
/// too.
#[must_use]
pub fn sites(drawing: Drawing<'_>) -> usize {
    let of_game = parts(drawing).map(|(_, _, cartridge)| verify::sites_of(cartridge));
    drawing.points().max(of_game.unwrap_or(0))
}

/// Up to this many points are looked up one by one.
const FEW: usize = 8;

impl<'a> LayoutGame<'a> {
    /// Looks the game of a drawing through; `None` if it has none.
    ///
    /// # Errors
    /// Why it cannot be played.
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

    /// How many points a site has, one for each level.
    #[inline]
    #[must_use]
    pub fn levels(&self) -> usize {
        let levels = self.sites.len().checked_div(self.cartridge.board());
        levels.unwrap_or(1).max(1)
    }

    /// How many points there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.sites.len()
    }

    /// True if there is none; there always is.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.sites.is_empty()
    }

    /// The point of a level of a site, the lowest being 0.
    #[must_use]
    pub fn at(&self, site: i16, level: usize) -> Option<Point> {
        let levels = self.levels();
        let at = usize::try_from(site).ok()? * levels + level;
        let point = self.points.get(at).filter(|_| level < levels);
        point.map(|point| Point(*point))
    }

    /// The point of a site, the lowest where it has several; `None` for one of a hand,
    /// and for none.
    #[inline]
    #[must_use]
    pub fn point(&self, site: i16) -> Option<Point> {
        self.at(site, 0)
    }

    /// The point of a site, where each has but one.
    #[inline]
    #[must_use]
    pub fn only_point(&self, site: u8) -> Option<Point> {
        self.points.get(usize::from(site)).copied().map(Point)
    }

    /// The point that stands for all of a site's.
    #[must_use]
    pub fn lowest(&self, point: Point) -> Point {
        self.point(self.site(point).into()).unwrap_or(point)
    }

    /// All points of the site that this one is of.
    #[must_use]
    pub fn column<W: Word>(&self, point: Point) -> Points<W> {
        let site = self.site(point).into();
        (0..self.levels())
            .filter_map(|level| self.at(site, level))
            .collect()
    }

    /// The points that rows of numbers stand for. Most boards have rows of points with
    /// numbers in a row, which are moved as a whole.
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
