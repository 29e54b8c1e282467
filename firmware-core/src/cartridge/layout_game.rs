//! The game that a layout brings with it: a cartridge, and which site of it is
//! which point of the board.
//!
//! ```text
//! site of each point      a byte each
//! point of each site      a byte each; the sites of hands have none
//! the cartridge           to the end
//! ```
//! What always holds of one that was looked through: the cartridge is
//! [verified](super::verify), its board has as many sites as the layout has
//! points, and each site is one point.

use protocol::{Drawing, Point};

use super::bytes::Cartridge;
use super::machine::first_bits;
use super::verify::{self, Refused, Scratch};
use crate::points::Points;
use crate::word::Word;

/// A game for one or two, on a layout of its own.
#[derive(Clone, Copy, Debug)]
pub struct LayoutGame<'a> {
    sites: &'a [u8],
    points: &'a [u8],
    /// What is played.
    pub cartridge: Cartridge<'a>,
}

/// Why a layout's game is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unplayable {
    /// Sites and points are not each other's, or there are more of one kind.
    Sites,
    /// It is for more than two players.
    Players(u8),
    /// The cartridge is refused.
    Refused(Refused),
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

impl<'a> LayoutGame<'a> {
    /// Looks the game of a drawing through; `None` if it has none.
    ///
    /// # Errors
    /// Why it cannot be played.
    #[inline(never)]
    pub fn new(
        drawing: Drawing<'a>,
        scratch: &mut Scratch,
    ) -> Option<Result<LayoutGame<'a>, Unplayable>> {
        drawing.game()?;
        Some(Self::checked(drawing, scratch))
    }

    fn checked(drawing: Drawing<'a>, scratch: &mut Scratch) -> Result<Self, Unplayable> {
        let (sites, points, cartridge) = parts(drawing).ok_or(Unplayable::Sites)?;
        let cartridge = verify::verify(cartridge, scratch).map_err(Unplayable::Refused)?;
        if cartridge.players() > 2 {
            return Err(Unplayable::Players(cartridge.players()));
        }
        let game = LayoutGame {
            sites,
            points,
            cartridge,
        };
        let mut all = (0..sites.len()).map(|index| Point(index as u8));
        let same = cartridge.board() == sites.len()
            && all.all(|point| game.point(game.site(point).into()) == Some(point));
        same.then_some(game).ok_or(Unplayable::Sites)
    }

    /// The game of a drawing that was looked through before.
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

    /// The point of a site; `None` for one of a hand, and for none.
    #[inline]
    #[must_use]
    pub fn point(&self, site: i16) -> Option<Point> {
        let point = self.points.get(usize::try_from(site).ok()?);
        point.map(|point| Point(*point))
    }

    /// The points that rows of numbers stand for. Most boards have rows of points with
    /// numbers in a row, which are moved as a whole.
    fn through<W: Word>(numbers: &[u8], set: Points<W>) -> Points<W> {
        let mut all = Points::NONE;
        if set.is_empty() {
            return all;
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

    /// The sites of points.
    #[must_use]
    pub fn sites<W: Word>(&self, points: Points<W>) -> Points<W> {
        Self::through(self.sites, points)
    }

    /// The points of sites.
    #[must_use]
    pub fn points<W: Word>(&self, sites: Points<W>) -> Points<W> {
        Self::through(self.points, sites)
    }
}
