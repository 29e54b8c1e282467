//! Places and removes single pieces, for hosts that play thousands of games. These
//! functions do less work for sites in their usual state.
//!
//! Invariants: the resulting position equals that of [`State::set`], [`State::push`]
//! and [`State::pop`].

use crate::cartridge::bytes::Cartridge;
use crate::points::Points;
use crate::word::Word;

use super::{Here, KINDS, OWNERS, State, write};

impl<W: Word> State<W> {
    /// Puts one piece on a site, like [`State::set`], with less work if the site is
    /// in its initial state.
    #[inline]
    pub(in crate::cartridge) fn put(&mut self, game: &Cartridge<'_>, site: u8, what: u8) {
        let before = self.here(site);
        let kind = usize::from(what);
        let owner = usize::from(game.owner(what));
        if self.hashes || before != Here::default() || kind >= KINDS || owner >= OWNERS {
            let here = Here {
                what,
                count: 1,
                state: before.state,
                value: 0,
            };
            return self.set(game, site, here);
        }
        write(&mut self.what, site, what);
        write(&mut self.count, site, 1);
        let bit = Points(W::bit(usize::from(site)));
        self.occupied |= bit;
        self.owned[owner] |= bit;
        self.known.kinds[kind] |= bit;
    }

    /// Removes what stands on a site, like setting it to nothing.
    #[inline]
    pub(in crate::cartridge) fn lift(&mut self, game: &Cartridge<'_>, site: u8) {
        let before = self.here(site);
        let kind = usize::from(before.what);
        let owner = usize::from(game.owner(before.what));
        let is_plain = before.what != 0 && before.state == 0 && before.value == 0;
        if self.hashes || !is_plain || kind >= KINDS || owner >= OWNERS {
            return self.set(game, site, Here::default());
        }
        write(&mut self.what, site, 0);
        write(&mut self.count, site, 0);
        let rest = !Points(W::bit(usize::from(site)));
        self.occupied &= rest;
        self.owned[owner] &= rest;
        self.known.kinds[kind] &= rest;
    }

    /// True if a site has one piece in its default state.
    #[inline]
    pub(in crate::cartridge) fn is_one(&self, site: u8) -> bool {
        let here = self.here(site);
        (here.count, here.state, here.value) == (1, 0, 0)
    }

    /// Puts a piece on top of a site, like [`State::push`], with less work if the
    /// pieces below are in their default state.
    #[inline]
    pub(in crate::cartridge) fn put_on_top(&mut self, game: &Cartridge<'_>, site: u8, what: u8) {
        let before = self.here(site);
        let [kind, kind_before] = [what, before.what].map(usize::from);
        let [owner, owner_before] = [what, before.what].map(|what| usize::from(game.owner(what)));
        let high = usize::from(before.count);
        let place = usize::from(site) * game.stack() + high;
        let is_plain = !self.hashes && (before.state, before.value) == (0, 0);
        let is_known =
            kind < KINDS && kind_before < KINDS && owner < OWNERS && owner_before < OWNERS;
        if !is_plain || !is_known || high >= game.stack() {
            return self.push(game, site, what);
        }
        if let Some(place) = self.pool.as_mut().get_mut(place) {
            *place = what;
        }
        write(&mut self.what, site, what);
        write(&mut self.count, site, before.count + 1);
        let bit = Points(W::bit(usize::from(site)));
        if before.what != 0 {
            self.owned[owner_before] &= !bit;
            self.known.kinds[kind_before] &= !bit;
        }
        self.occupied |= bit;
        self.owned[owner] |= bit;
        self.known.kinds[kind] |= bit;
    }

    /// True if a site is in its initial state.
    #[inline]
    pub(in crate::cartridge) fn is_bare(&self, site: u8) -> bool {
        self.here(site) == Here::default()
    }

    /// Removes one of several pieces in their default state from a site; the others
    /// stay.
    #[inline]
    pub(in crate::cartridge) fn draw_one(&mut self, site: u8) -> bool {
        let here = self.here(site);
        let is_some = here.count > 1 && (here.state, here.value) == (0, 0) && !self.hashes;
        if is_some {
            write(&mut self.count, site, here.count - 1);
        }
        is_some
    }
}
