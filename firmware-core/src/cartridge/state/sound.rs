//! Tests whether a position read from outside is possible in a game.

use protocol::Point;

use super::{Cartridge, Here, OWNERS, PLAYERS, POOL, Points, QUESTIONS, State, Unended, Word, mix};
use crate::cartridge::bytes::flag;

impl<W: Word> State<W> {
    /// True if the position is consistent: its pieces exist, its sets agree with its
    /// sites, and its players take part in the game.
    #[must_use]
    pub fn is_sound(&self, game: &Cartridge<'_>) -> bool {
        self.sites_are_sound(game) && self.players_are_sound(game) && self.sets_are_sound(game)
    }

    fn sites_are_sound(&self, game: &Cartridge<'_>) -> bool {
        let stacked = game.stack() * game.sites();
        let beyond = [&self.what, &self.count, &self.state, &self.value]
            .into_iter()
            .any(|plane| {
                plane
                    .as_ref()
                    .iter()
                    .skip(game.sites())
                    .any(|byte| *byte != 0)
            });
        let mut pool = self.pool.as_ref().iter().skip(stacked.min(POOL));
        !beyond
            && pool.all(|what| *what == 0)
            && (0..game.sites()).all(|site| self.site_is_sound(game, site as u8))
    }

    fn site_is_sound(&self, game: &Cartridge<'_>, site: u8) -> bool {
        let here = self.here(site);
        let is_empty = here.what == 0 && here.count == 0 && here.value == 0;
        let height = usize::from(here.count);
        let stands = usize::from(here.what) < game.pieces()
            && here.what > 0
            && here.count > 0
            && (!game.is(flag::STACKS) || height <= game.stack());
        let known = |level: usize| usize::from(self.level(game, site, level as u8)) < game.pieces();
        (is_empty || stands) && (!game.is(flag::STACKS) || (0..height).all(known))
    }

    fn players_are_sound(&self, game: &Cartridge<'_>) -> bool {
        let players = game.players();
        let plays = |player: u8| (1..=players.max(1)).contains(&player);
        let all = ((1_u16 << (players + 1)) - 2) as u8;
        let site = |site: i16| site >= -1 && (site < 0 || (site as usize) < game.sites());
        plays(self.mover)
            && plays(self.next)
            && [
                self.previous,
                self.last_mover,
                self.other_mover,
                self.winner,
            ]
            .into_iter()
            .all(|player| player <= PLAYERS as u8)
            && self.active & !all == 0
            && (!self.swapped || game.is(flag::SWAP))
            && (self.unended == Unended::Nothing || !self.over)
            && (self.unended != Unended::Nothing || self.asked == [0; QUESTIONS])
            && site(self.last_from)
            && site(self.last_to)
            && site(self.last_after)
            && site(self.last_place)
            && (1..=players).all(|player| {
                let phase = self.phase.get(usize::from(player));
                phase.is_some_and(|phase| usize::from(*phase) < game.phases())
            })
    }

    fn sets_are_sound(&self, game: &Cartridge<'_>) -> bool {
        let mut owned = [Points::<W>::NONE; OWNERS];
        let (mut occupied, mut all, mut hash) = (Points::NONE, Points::NONE, 0);
        for site in 0..game.sites() {
            let (site, point) = (site as u8, Point(site as u8));
            let here = self.here(site);
            all.insert(point);
            hash ^= mix(site, Here::default()) ^ mix(site, here);
            if here.what != 0 {
                occupied.insert(point);
                if let Some(owned) = owned.get_mut(usize::from(game.owner(here.what))) {
                    owned.insert(point);
                }
            }
        }
        let hash = if game.asks_for_repeats() { hash } else { 0 };
        (owned, occupied, hash) == (self.owned, self.occupied, self.hash)
            && self.hashes == game.asks_for_repeats()
            && [self.pending, self.to_remove, self.visited]
                .into_iter()
                .chain(self.remembered)
                .all(|set| set.without(all).is_empty())
    }
}
