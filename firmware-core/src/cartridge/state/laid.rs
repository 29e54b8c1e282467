//! A position in a few bytes, for setting it up.
//!
//! ```text
//! who moves; with 128 added, the players have exchanged their colours
//! what stands on the sites, in bits, the low ones first:
//!   which piece, for each site; in a game of stacks how high, and then each piece
//! what else stands there: how many sites, then of each
//!   site, how many pieces, their state, their value
//! what is not visible, unless it follows from the rest:
//!   number of a word, the word (zigzag, seven bits a byte, the low ones first)
//!   number of a set + 128, how many sites, the sites
//! ```
//! Invariants: the bytes of a position read back as the same position, and a position
//! that is read is [sound](State::is_sound). The bytes contain neither the earlier
//! positions that must not be repeated nor the state of the random source.

use protocol::{List, Point};

use super::{Cartridge, Here, NAMES, POOL, State};
use crate::cartridge::bytes::{PLAYERS, flag};
use crate::points::Points;
use crate::word::Word;

/// The bit of the first byte that is set if the players have exchanged their colours.
const SWAPPED: u8 = 0x80;
/// The number of words that belong to all players together, before those of each player.
const FOR_ALL: usize = 21;
const FOR_EACH: usize = 6;
const WORDS: usize = FOR_ALL + FOR_EACH * PLAYERS;
/// The number of words whose values are never derived. In most positions, the other words
/// follow from these.
const TOLD: usize = 4;
const SETS: usize = 3 + NAMES;
/// The number of the first set; words have lower numbers.
const SET: u8 = 0x80;

/// A sequence of bits, the lowest of each byte first.
struct Bits<const N: usize> {
    bytes: List<u8, N>,
    /// The number of bits used in the last byte.
    taken: u32,
}

impl<const N: usize> Bits<N> {
    fn put(&mut self, value: u8, bits: u32) -> Option<()> {
        for bit in 0..bits {
            if self.taken.is_multiple_of(8) {
                self.bytes.push(0).ok()?;
            }
            *self.bytes.last_mut()? |= (value >> bit & 1) << (self.taken % 8);
            self.taken += 1;
        }
        Some(())
    }
}

/// Bytes that are read one at a time or bit by bit.
struct Taken<'a> {
    bytes: &'a [u8],
    bit: u32,
}

impl Taken<'_> {
    fn byte(&mut self) -> Option<u8> {
        let (byte, rest) = self.bytes.split_first()?;
        self.bytes = rest;
        Some(*byte)
    }

    fn bits(&mut self, bits: u32) -> Option<u8> {
        let mut value = 0;
        for bit in 0..bits {
            value |= (self.bytes.first()? >> self.bit & 1) << bit;
            self.bit += 1;
            if self.bit == 8 {
                self.bit = 0;
                self.byte();
            }
        }
        Some(value)
    }

    /// Skips the unused bits of a byte, which must be 0.
    fn end_bits(&mut self) -> Option<()> {
        if core::mem::take(&mut self.bit) > 0 {
            self.byte()?;
        }
        Some(())
    }

    fn word(&mut self) -> Option<i32> {
        let mut value = 0_u32;
        for place in 0..5 {
            let byte = self.byte()?;
            value |= u32::from(byte & 0x7F) << (7 * place);
            if byte & 0x80 == 0 {
                return Some((value >> 1).cast_signed() ^ -(value & 1).cast_signed());
            }
        }
        None
    }
}

fn put_word<const N: usize>(bytes: &mut List<u8, N>, word: i32) -> Option<()> {
    let mut left = (word << 1 ^ word >> 31).cast_unsigned();
    loop {
        let more = left > 0x7F;
        let byte = (left & 0x7F) as u8 | if more { 0x80 } else { 0 };
        bytes.push(byte).ok()?;
        left >>= 7;
        if !more {
            return Some(());
        }
    }
}

/// The number of hidden words of a game.
fn words_of(game: &Cartridge<'_>) -> usize {
    FOR_ALL + FOR_EACH * usize::from(game.players())
}

/// The number of bits for a number below `count`.
const fn bits_for(count: usize) -> u32 {
    usize::BITS - count.saturating_sub(1).leading_zeros()
}

impl<W: Word> State<W> {
    /// The bytes of this position; `None` if there are more than `N`, or the game is
    /// over.
    #[must_use]
    pub fn laid<const N: usize>(&self, game: &Cartridge<'_>) -> Option<List<u8, N>> {
        if self.over {
            return None;
        }
        let mut bits = Bits {
            bytes: List::new(),
            taken: 8,
        };
        let swap = if self.swapped { SWAPPED } else { 0 };
        bits.bytes.push(self.mover | swap).ok()?;
        let (which, high) = (bits_for(game.pieces()), bits_for(game.stack() + 1));
        let stacks = game.is(flag::STACKS);
        for site in 0..game.sites() {
            let site = site as u8;
            if stacks {
                bits.put(self.height(site), high)?;
                for level in 0..self.height(site) {
                    bits.put(self.level(game, site, level), which)?;
                }
            } else {
                bits.put(self.what(site), which)?;
            }
        }
        let mut bytes = bits.bytes;
        let sites = || (0..game.sites()).map(|site| (site as u8, self.here(site as u8)));
        let more =
            || sites().filter(|(_, here)| *here != Here::plain(here.what, here.count, stacks));
        bytes.push(u8::try_from(more().count()).ok()?).ok()?;
        for (site, here) in more() {
            let all = [site, here.count, here.state, here.value];
            bytes.extend_from_slice(&all).ok()?;
        }
        self.put_unseen(game, &mut bytes)?;
        Some(bytes)
    }

    fn put_unseen<const N: usize>(
        &self,
        game: &Cartridge<'_>,
        bytes: &mut List<u8, N>,
    ) -> Option<()> {
        let mut expected = State::<W>::new(game);
        expected.mover = self.mover;
        for index in 0..words_of(game) {
            expected.expect(game, index);
            let word = self.unseen(index);
            if word != expected.unseen(index) {
                bytes.push(index as u8).ok()?;
                put_word(bytes, word)?;
                expected.set_unseen(index, word)?;
            }
        }
        for index in 0..SETS {
            let set = self.set_of(index);
            if !set.is_empty() {
                bytes.push(index as u8 | SET).ok()?;
                bytes.push(u8::try_from(set.len()).ok()?).ok()?;
                for site in set {
                    bytes.push(site.0).ok()?;
                }
            }
        }
        Some(())
    }

    /// The position described by these bytes; `None` if the bytes are not a position
    /// of this game.
    #[must_use]
    pub fn of_laid(game: &Cartridge<'_>, bytes: &[u8]) -> Option<State<W>> {
        let mut taken = Taken { bytes, bit: 0 };
        let first = taken.byte()?;
        let mut state = State::new(game);
        state.mover = first & !SWAPPED;
        state.swapped = first & SWAPPED != 0;
        state.read_sites(game, &mut taken)?;
        // The words are in ascending order. Before each of them, the values that follow
        // from earlier words are set.
        let mut next = 0;
        while let Some(index) = taken.byte() {
            if index & SET != 0 {
                let set = state.set_of_mut(usize::from(index & !SET))?;
                for _ in 0..taken.byte()? {
                    let site = Point(taken.byte()?);
                    (site.index() < game.sites()).then(|| set.insert(site))?;
                }
                continue;
            }
            let index = usize::from(index);
            (next..words_of(game)).contains(&index).then_some(())?;
            (next..=index).for_each(|index| state.expect(game, index));
            next = index + 1;
            state.set_unseen(index, taken.word()?)?;
        }
        (next..words_of(game)).for_each(|index| state.expect(game, index));
        let is_sound = state.is_sound(game) && (!state.swapped || game.players() == 2);
        is_sound.then_some(state)
    }

    /// The offset of the hidden part in these bytes; `None` if the bytes are not a
    /// position of this game.
    #[must_use]
    pub fn unseen_at(game: &Cartridge<'_>, bytes: &[u8]) -> Option<usize> {
        let mut taken = Taken { bytes, bit: 0 };
        taken.byte()?;
        Self::new(game).read_sites(game, &mut taken)?;
        Some(bytes.len() - taken.bytes.len())
    }

    /// Sets the values that, in most positions, follow from the turn, the numbers of
    /// turns and moves, and the last move.
    pub fn follow(&mut self, game: &Cartridge<'_>) {
        self.expect(game, TOLD);
    }

    fn read_sites(&mut self, game: &Cartridge<'_>, taken: &mut Taken<'_>) -> Option<()> {
        let (which, high) = (bits_for(game.pieces()), bits_for(game.stack() + 1));
        let stacks = game.is(flag::STACKS);
        for site in 0..game.sites() {
            let site = site as u8;
            if stacks {
                let height = taken.bits(high)?;
                (usize::from(height) <= game.stack()).then_some(())?;
                for _ in 0..height {
                    let what = taken.bits(which)?;
                    (what > 0 && usize::from(what) < game.pieces()).then_some(())?;
                    self.push(game, site, what);
                }
                continue;
            }
            let what = taken.bits(which)?;
            (usize::from(what) < game.pieces()).then_some(())?;
            self.set(game, site, Here::plain(what, 1, false));
        }
        taken.end_bits()?;
        for _ in 0..taken.byte()? {
            let (site, count) = (taken.byte()?, taken.byte()?);
            let (state, value) = (taken.byte()?, taken.byte()?);
            let what = self.what(site);
            let here = Here {
                what,
                count,
                state,
                value,
            };
            (usize::from(site) < game.sites()).then(|| self.set(game, site, here))?;
        }
        Some(())
    }

    /// Sets the values that follow from the words before this one.
    fn expect(&mut self, game: &Cartridge<'_>, index: usize) {
        if index == 1 {
            self.moves = self.turns.saturating_sub(1);
        }
        if index != TOLD {
            return;
        }
        let other = match game.players() {
            2 => 3 - self.mover.clamp(1, 2),
            _ => self.mover,
        };
        self.previous = if self.moves > 0 { other } else { 0 };
        self.next = other;
        self.last_mover = self.previous;
        self.last_after = self.last_to;
        self.last_place = self.last_to;
        let moves = i16::try_from(self.moves).unwrap_or(i16::MAX);
        self.counter = moves - 1;
    }

    /// A hidden word. The first [`TOLD`] are the turns, the moves, and the start and end
    /// of the last move.
    fn unseen(&self, index: usize) -> i32 {
        let of_player = |index: usize| 1 + (index - FOR_ALL) / FOR_EACH;
        match index {
            0 => self.turns.cast_signed(),
            1 => self.moves.cast_signed(),
            2 => self.last_from.into(),
            3 => self.last_to.into(),
            4 => self.last_after.into(),
            5 => self.last_place.into(),
            6 => self.next.into(),
            7 => self.previous.into(),
            8 => self.last_mover.into(),
            9 => self.other_mover.into(),
            10 => self.passes.into(),
            11 => self.passed.into(),
            12 => self.moves_this_turn.into(),
            13 => self.active.into(),
            14 => self.stuck.into(),
            15 => self.something_pending.into(),
            16 => self.counter.into(),
            17..FOR_ALL => self.variables.get(index - 17).copied().map_or(0, i32::from),
            _ => {
                let player = of_player(index);
                let word = match (index - FOR_ALL) % FOR_EACH {
                    0 => self.score.get(player).copied(),
                    1 => self.amount.get(player).copied().map(i32::from),
                    2 => self.value_of.get(player).copied().map(i32::from),
                    3 => self.phase.get(player).copied().map(i32::from),
                    4 => self.rank.get(player).copied().map(i32::from),
                    _ => self.triggered.get(player).copied().map(i32::from),
                };
                word.unwrap_or(0)
            }
        }
    }

    /// Sets a hidden word; `None` if there is no such word, or the value is impossible.
    fn set_unseen(&mut self, index: usize, word: i32) -> Option<()> {
        let small = || i16::try_from(word).ok();
        let byte = || u8::try_from(word).ok();
        let truth = || matches!(word, 0 | 1).then_some(word == 1);
        match index {
            0 => self.turns = u32::try_from(word).ok()?,
            1 => self.moves = u32::try_from(word).ok()?,
            2 => self.last_from = small()?,
            3 => self.last_to = small()?,
            4 => self.last_after = small()?,
            5 => self.last_place = small()?,
            6 => self.next = byte()?,
            7 => self.previous = byte()?,
            8 => self.last_mover = byte()?,
            9 => self.other_mover = byte()?,
            10 => self.passes = byte()?,
            11 => self.passed = truth()?,
            12 => self.moves_this_turn = u16::try_from(word).ok()?,
            13 => self.active = byte()?,
            14 => self.stuck = byte()?,
            15 => self.something_pending = truth()?,
            16 => self.counter = small()?,
            17..FOR_ALL => *self.variables.get_mut(index - 17)? = small()?,
            _ => {
                let player = 1 + (index - FOR_ALL) / FOR_EACH;
                match (index - FOR_ALL) % FOR_EACH {
                    0 => *self.score.get_mut(player)? = word,
                    1 => *self.amount.get_mut(player)? = small()?,
                    2 => *self.value_of.get_mut(player)? = small()?,
                    3 => *self.phase.get_mut(player)? = byte()?,
                    4 => *self.rank.get_mut(player)? = byte()?,
                    _ => *self.triggered.get_mut(player)? = byte()?,
                }
            }
        }
        Some(())
    }

    fn set_of(&self, index: usize) -> Points<W> {
        match index {
            0 => self.pending,
            1 => self.to_remove,
            2 => self.visited,
            _ => self
                .remembered
                .get(index - 3)
                .copied()
                .unwrap_or(Points::NONE),
        }
    }

    fn set_of_mut(&mut self, index: usize) -> Option<&mut Points<W>> {
        match index {
            0 => Some(&mut self.pending),
            1 => Some(&mut self.to_remove),
            2 => Some(&mut self.visited),
            _ => self.remembered.get_mut(index - 3),
        }
    }
}

impl Here {
    /// A piece in the default state of its kind; in a game of stacks, `count` pieces.
    const fn plain(what: u8, count: u8, stacks: bool) -> Here {
        let count = match (what, stacks) {
            (0, _) => 0,
            (_, true) => count,
            (_, false) => 1,
        };
        Here {
            what,
            count,
            state: 0,
            value: 0,
        }
    }
}

const _: () = assert!(WORDS < SET as usize && POOL <= 256);
