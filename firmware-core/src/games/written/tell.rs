//! The display and the reports of a layout's own game.

use protocol::{Colour, MAX_POINTS, Point, Rhythm, Side, Text, Tick};

use super::picked::Aside;
use super::{Caption, Written};
use crate::cartridge::LayoutGame;
use crate::game::Canvas;
use crate::ground::Ground;
use crate::points::Points;
use crate::word::Word;

/// How long a move is visible before its light first winks, in ticks.
const SEEN_MS: Tick = 750;

/// The colours of the piece kinds without an owner, of green and of red, as indices of
/// colours ([`Colour::index`]). The first kind of a side has the colour of the side.
pub const SHADES: [[u8; 6]; 3] = [
    [15, 8, 14, 3, 6, 11],
    [1, 5, 10, 9, 4, 11],
    [2, 12, 7, 13, 8, 6],
];

/// The pieces on the points, for hosts that show more than lights.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VisiblePieces {
    points: [PieceOnPoint; MAX_POINTS],
    hands: [PiecesInHand; 2],
    swapped: bool,
    picked: Option<Point>,
}

/// The pieces on a point.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PieceOnPoint {
    /// The number of the piece kind; 0 for none.
    pub what: u8,
    /// The number of pieces on the point.
    pub count: u8,
    /// The owner; `None` if the piece has none.
    pub side: Option<Side>,
}

/// The pieces in a side's hand.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PiecesInHand {
    /// The number of the piece kind; 0 for none.
    pub what: u8,
    /// The number of pieces in hand.
    pub count: u16,
}

impl VisiblePieces {
    /// The piece on a point.
    #[must_use]
    pub fn at(&self, point: Point) -> PieceOnPoint {
        self.points.get(point.index()).copied().unwrap_or_default()
    }

    /// True if the players have exchanged their colours.
    #[must_use]
    pub fn swapped(&self) -> bool {
        self.swapped
    }

    /// The point whose piece was picked up and has not been put down yet.
    #[must_use]
    pub fn picked(&self) -> Option<Point> {
        self.picked
    }

    /// The hands of green and of red.
    #[must_use]
    pub fn hands(&self) -> [PiecesInHand; 2] {
        self.hands
    }
}

impl<W: Word> Written<W> {
    /// The pieces on the points; `None` if the ground has no game.
    #[must_use]
    pub fn seen(&self, ground: &Ground<W>) -> Option<VisiblePieces> {
        let game = ground.game()?;
        let mut seen = VisiblePieces {
            points: [PieceOnPoint::default(); MAX_POINTS],
            hands: [PiecesInHand::default(); 2],
            swapped: self.state.swapped,
            picked: self.picked.first().copied(),
        };
        for site in 0..game.cartridge.sites() {
            let here = self.state.here(site as u8);
            let side = self.side(game.cartridge.owner(here.what));
            match (game.point(site as i16), side) {
                (Some(_), _) => {
                    for (point, what, count) in self.standing(site as u8, &game) {
                        if let Some(place) = seen.points.get_mut(point.index()) {
                            let side = self.side(game.cartridge.owner(what));
                            *place = PieceOnPoint { what, count, side };
                        }
                    }
                }
                (None, Some(side)) => {
                    if let Some(hand) = seen.hands.get_mut(side.index()) {
                        hand.what = here.what;
                        hand.count += u16::from(here.count);
                    }
                }
                (None, None) => {}
            }
        }
        Some(seen)
    }

    /// The points of a site with their pieces. On a board that is shown from the side,
    /// each piece of a stack has its own point.
    pub(super) fn standing(
        &self,
        site: u8,
        game: &LayoutGame<'_>,
    ) -> impl Iterator<Item = (Point, u8, u8)> {
        let here = self.state.here(site);
        let is_upright = game.levels() > 1;
        let levels = if is_upright {
            usize::from(here.count)
        } else {
            usize::from(here.what > 0)
        };
        (0..levels).filter_map(move |level| {
            let point = game.at(site.into(), level)?;
            match is_upright {
                true => Some((
                    point,
                    self.state.level(&game.cartridge, site, level as u8),
                    1,
                )),
                false => Some((point, here.what, here.count)),
            }
        })
    }

    /// The colour of a kind of piece.
    fn shade(&self, what: u8, game: &LayoutGame<'_>) -> Colour {
        if what == 0 {
            return Colour::OFF;
        }
        let owner = game.cartridge.owner(what);
        let before = (1..what).filter(|other| game.cartridge.owner(*other) == owner);
        let row = match self.side(owner) {
            None => 0,
            Some(Side::Green) => 1,
            Some(Side::Red) => 2,
        };
        let shades = SHADES.get(row).unwrap_or(&SHADES[0]);
        let shade = shades.get(before.count() % shades.len());
        shade.map_or(Colour::WHITE, |index| Colour::new(*index))
    }

    pub(super) fn show(&self, canvas: &mut Canvas<'_, W>) {
        let ground = canvas.ground();
        let Some(game) = ground.game() else {
            return;
        };
        self.show_pieces(&game, canvas);
        if self.is_over() {
            return;
        }
        // The last move is marked if there is a piece.
        let last = u8::try_from(self.state.last_to).ok();
        let last = last.filter(|_| self.picked.is_empty());
        if let Some((last, ..)) = last.and_then(|site| self.standing(site, &game).last()) {
            let first_wink = self.since.saturating_add(SEEN_MS);
            canvas.blink(Points::one(last), Rhythm::Wink, first_wink);
        }
        for (point, what) in self.offers.iter() {
            canvas.fill(Points::one(*point), self.shade(*what, &game));
            canvas.blink(Points::one(*point), Rhythm::Fast, self.since);
        }
        if self.picked.is_empty() || !self.offers.is_empty() {
            return;
        }
        let picked: Points<W> = self.picked.iter().copied().collect();
        canvas.blink(picked, Rhythm::Medium, self.since);
        let targets = self.next.without(picked);
        let dark = targets.filter(|point| canvas.is_dark(*point)).collect();
        canvas.fill(dark, Colour::AMBER);
        canvas.blink(dark, Rhythm::Slow, self.since);
        canvas.blink(targets.without(dark), Rhythm::Marked, self.since);
    }

    /// Shows each piece in the colour of its kind, which is never dark.
    fn show_pieces(&self, game: &LayoutGame<'_>, canvas: &mut Canvas<'_, W>) {
        if game.levels() > 1 {
            for site in self.state.occupied() {
                for (point, what, _) in self.standing(site.0, game) {
                    canvas.put(point, self.shade(what, game));
                }
            }
            return;
        }
        // One kind at a time, because the board is painted in every tick in which
        // something happens.
        let mut left = self.state.occupied();
        while let Some(first) = left.first() {
            let what = self.state.what(first.0);
            let alike = self.state.kind(what).unwrap_or(Points::NONE) | Points::one(first);
            let shade = self.shade(what, game);
            (alike & left).for_each(|site| {
                if let Some(point) = game.only_point(site.0) {
                    canvas.put(point, shade);
                }
            });
            left = left.without(alike);
        }
    }

    pub(super) fn says(&self) -> Option<Caption> {
        let instead = |text: &str| Some(Caption::Instead(Text::clipped(text)));
        if self.stuck {
            return instead("Cannot go on");
        }
        if self.is_over() {
            return None;
        }
        if !self.offers.is_empty() {
            return instead("Which one?");
        }
        match self.aside {
            Aside::Nothing => None,
            Aside::Does(_) => Some(Caption::Between(Text::clipped("pass"))),
            Aside::Swaps(_) => Some(Caption::Between(Text::clipped("swap"))),
        }
    }
}
