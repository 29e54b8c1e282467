//! A position of a cartridge's game: the pieces on each site, and whose turn it is.
//!
//! Invariants: only [`State::set`] changes what stands on a site, so the sets by owner
//! and the hash always agree with the sites; an empty site has no count and no value.

use postcard::experimental::max_size::MaxSize;
use serde::{Deserialize, Deserializer, Serialize};

use crate::points::Points;
use crate::rng::Rng;
use crate::word::Wide;
use crate::word::Word;

use super::bytes::{Cartridge, PLAYERS};

mod laid;
mod plane;
#[cfg(feature = "host")]
mod quick;
mod sound;

use plane::Plane;

/// The capacity for stacked pieces: the maximum of the number of sites times the height
/// in the head.
pub const POOL: usize = 256;
/// The number of variables of a game.
pub const VARIABLES: usize = 4;
/// The number of names under which a game stores sites.
pub const NAMES: usize = 4;
/// The owners: nobody, each player, all.
pub const OWNERS: usize = PLAYERS + 2;
/// The number of piece kinds whose sites are stored as sets, including the kind for no
/// piece.
pub const KINDS: usize = 16;

/// The piece on a site.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Here {
    /// The number of the piece kind; 0 for none.
    pub what: u8,
    /// The number of such pieces.
    pub count: u8,
    /// The state of the piece.
    pub state: u8,
    /// The value of the piece.
    pub value: u8,
}

/// The sites of the pieces of each kind, and of those in each state from 1 on. They are
/// derived from what stands on the sites, so they are ignored when positions are
/// compared.
#[derive(Clone, Copy, Debug)]
struct DerivedSets<W: Word> {
    kinds: [Points<W>; KINDS],
    states: [Points<W>; PLAYERS],
    /// False in a position that was read and for which they have not been computed yet.
    is_known: bool,
}

impl<W: Word> PartialEq for DerivedSets<W> {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl<W: Word> Default for DerivedSets<W> {
    fn default() -> Self {
        DerivedSets {
            is_known: false,
            ..Self::NONE
        }
    }
}

impl<W: Word> DerivedSets<W> {
    /// The sets of an empty board.
    const NONE: Self = DerivedSets {
        kinds: [Points::NONE; KINDS],
        states: [Points::NONE; PLAYERS],
        is_known: true,
    };

    /// The sets to which a site with this on it belongs.
    #[inline]
    fn of(&mut self, here: Here) -> [Option<&mut Points<W>>; 2] {
        let state = usize::from(here.state).wrapping_sub(1);
        [
            self.kinds.get_mut(usize::from(here.what)),
            self.states.get_mut(state),
        ]
    }
}

impl<W: Word> MaxSize for DerivedSets<W> {
    const POSTCARD_MAX_SIZE: usize = 0;
}

/// The source of the game's random numbers: an [`Rng`] that is copied with its position.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, MaxSize)]
#[serde(transparent)]
pub(super) struct Chance([u32; 4]);

impl Chance {
    /// The random source that starts from this seed.
    pub fn new(seed: u64) -> Self {
        Chance(Rng::new(seed).words())
    }

    /// Calls `what` with a generator and keeps the generator's new state.
    pub fn draw<T>(&mut self, what: impl FnOnce(&mut Rng) -> T) -> T {
        let mut rng = Rng::of_words(self.0);
        let drawn = what(&mut rng);
        self.0 = rng.words();
        drawn
    }
}

/// A position. It is large, and is copied as a whole for each move that is tried.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, MaxSize)]
#[serde(bound(serialize = "W: Word", deserialize = "W: Word"))]
pub struct State<W: Word> {
    what: Plane<W>,
    count: Plane<W>,
    state: Plane<W>,
    value: Plane<W>,
    /// One byte for each piece of a stack.
    pool: Plane<Wide>,
    owned: [Points<W>; OWNERS],
    /// Not saved; [`State::take_up`] computes it again.
    #[serde(skip)]
    known: DerivedSets<W>,
    occupied: Points<W>,
    hash: u64,
    /// True if the hash is updated with each change; false if it is computed on request.
    hashes: bool,
    /// A number that no other position of this machine has had.
    #[serde(skip)]
    pub(super) epoch: u64,
    /// The sites that are pending.
    pub pending: Points<W>,
    /// True if something is pending that is not a site.
    pub something_pending: bool,
    /// The sites to be emptied when the turn is over.
    pub to_remove: Points<W>,
    /// The sites visited in this turn.
    pub visited: Points<W>,
    /// The score of each player.
    pub score: [i32; PLAYERS + 1],
    /// The amount of each player.
    pub amount: [i16; PLAYERS + 1],
    /// The value of each player; -1 for none.
    pub value_of: [i16; PLAYERS + 1],
    /// The phase of each player.
    pub phase: [u8; PLAYERS + 1],
    /// The rank of each player in halves: 2 is the first rank, 0 means none yet.
    pub rank: [u8; PLAYERS + 1],
    /// The events that were triggered for each player, one bit each.
    pub triggered: [u8; PLAYERS + 1],
    /// The values of the game's variables.
    pub variables: [i16; VARIABLES],
    /// The players who still play, one bit each.
    pub active: u8,
    /// The players who were found to have no moves, one bit each.
    pub stuck: u8,
    /// The player whose turn it is, from 1.
    pub mover: u8,
    /// The player who moves next, from 1.
    pub next: u8,
    /// The player who moved before, from 1.
    pub previous: u8,
    /// The number of passes in a row, by players in turn.
    pub passes: u8,
    /// True if the last move was a pass.
    pub passed: bool,
    /// The site where the last move started; -1 for none.
    pub last_from: i16,
    /// The site where the last move ended; -1 for none.
    pub last_to: i16,
    /// The site where the last move ended, including its consequences.
    pub last_after: i16,
    /// The site of the last action.
    pub(super) last_place: i16,
    /// The sites that the game has stored, by name.
    pub remembered: [Points<W>; NAMES],
    /// The player who made the last move.
    pub last_mover: u8,
    /// The player who made the last move before `last_mover`'s.
    pub other_mover: u8,
    /// The number of moves since the set-up.
    pub moves: u32,
    /// The number of turns since the set-up; the first turn is 1.
    pub turns: u32,
    /// The number of moves in this turn.
    pub moves_this_turn: u16,
    /// The number of moves since the game last reset this counter.
    pub counter: i16,
    /// The source of the game's random numbers.
    pub(super) chance: Chance,
    /// True once the players have exchanged their colours.
    pub swapped: bool,
    /// True once the game is over.
    pub over: bool,
    /// The player who won; 0 for nobody.
    pub winner: u8,
    /// The reason why the game ended.
    pub ended_by: EndedBy,
    /// The move that was made and not yet ended, if there is one.
    pub unended: Unended,
    /// The progress of the questions about the end of this move: the candidates at which
    /// they continue.
    pub(super) asked: [u32; QUESTIONS],
}

/// The number of questions about the end of a move that can be spread over several calls.
/// Later questions are answered at once.
pub const QUESTIONS: usize = 4;

/// How far the end of a move has been evaluated.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, MaxSize)]
#[serde(transparent)]
pub struct QuestionProgress(pub(super) [u32; QUESTIONS]);

/// A move that was made and whose consequences have not been evaluated yet
/// ([`Machine::end_move`]). It is still that player's turn, and no move is legal.
///
/// [`Machine::end_move`]: super::Machine::end_move
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, MaxSize)]
pub enum Unended {
    /// Every move is fully evaluated.
    #[default]
    Nothing,
    /// An ordinary move is not fully evaluated yet.
    Move,
    /// The exchange of the colours is not fully evaluated yet.
    Swap,
}

/// What ended a game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, MaxSize)]
pub enum EndedBy {
    /// The rules of the game ended it, or it is not over yet.
    #[default]
    Rules,
    /// The game reached its largest number of turns.
    Turns,
    /// The game reached its largest number of moves.
    Moves,
}

/// Mixes what stands on a site into a hash, with the finisher of SplitMix64.
#[inline]
fn mix(site: u8, here: Here) -> u64 {
    if here == Here::default() {
        return 0;
    }
    let word = u64::from(u32::from_le_bytes([
        site, here.what, here.state, here.count,
    ])) | (u64::from(here.value) << 32);
    let mixed = word.wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    mixed ^ (mixed >> 31)
}

fn read(plane: &impl AsRef<[u8]>, site: u8) -> u8 {
    plane.as_ref().get(usize::from(site)).copied().unwrap_or(0)
}

fn write(plane: &mut impl AsMut<[u8]>, site: u8, value: u8) {
    if let Some(place) = plane.as_mut().get_mut(usize::from(site)) {
        *place = value;
    }
}

impl<W: Word> State<W> {
    /// Records that the mover has moved and is therefore not stuck.
    #[inline]
    pub fn mover_can_move(&mut self) {
        self.stuck &= !(1 << (self.mover & 7));
    }

    /// Clears the data that only the machine uses.
    pub(super) fn put_down(&mut self) {
        self.epoch = 0;
    }

    /// Reads a saved position and computes what is not saved.
    pub(crate) fn read<'de, D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let mut state = Self::deserialize(from)?;
        state.take_up();
        Ok(state)
    }

    /// Computes the data that is not saved.
    pub(super) fn take_up(&mut self) {
        if self.known.is_known {
            return;
        }
        self.known = DerivedSets::NONE;
        for site in self.occupied {
            let here = self.here(site.0);
            for set in self.known.of(here).into_iter().flatten() {
                set.insert(site);
            }
        }
    }

    /// An empty board before the set-up.
    #[must_use]
    pub fn new(game: &Cartridge<'_>) -> Self {
        let players = game.players();
        State {
            what: Plane::BLANK,
            count: Plane::BLANK,
            state: Plane::BLANK,
            value: Plane::BLANK,
            pool: Plane::BLANK,
            owned: [Points::NONE; OWNERS],
            known: DerivedSets::NONE,
            occupied: Points::NONE,
            hash: 0,
            hashes: game.asks_for_repeats(),
            epoch: 0,
            pending: Points::NONE,
            something_pending: false,
            to_remove: Points::NONE,
            visited: Points::NONE,
            score: [0; PLAYERS + 1],
            amount: [0; PLAYERS + 1],
            value_of: [-1; PLAYERS + 1],
            phase: core::array::from_fn(|player| game.first_phase(player as u8)),
            rank: [0; PLAYERS + 1],
            triggered: [0; PLAYERS + 1],
            variables: [-1; VARIABLES],
            active: ((1_u16 << (players + 1)) - 2) as u8,
            stuck: 0,
            mover: 1,
            next: if players > 1 { 2 } else { 1 },
            previous: 0,
            passes: 0,
            passed: false,
            last_from: -1,
            last_to: -1,
            last_after: -1,
            last_place: -1,
            remembered: [Points::NONE; NAMES],
            last_mover: 0,
            other_mover: 0,
            moves: 0,
            turns: 1,
            moves_this_turn: 0,
            counter: -1,
            chance: Chance::new(0),
            swapped: false,
            over: false,
            winner: 0,
            ended_by: EndedBy::Rules,
            unended: Unended::Nothing,
            asked: [0; QUESTIONS],
        }
    }

    /// Sets the seed of the game's random numbers.
    pub(crate) fn chances(&mut self, seed: u64) {
        self.chance = Chance::new(seed);
    }

    /// The kind of the piece on a site; 0 for none.
    #[inline]
    #[must_use]
    pub fn what(&self, site: u8) -> u8 {
        read(&self.what, site)
    }

    /// The piece on a site: kind, count, state and value.
    #[inline]
    #[must_use]
    pub fn here(&self, site: u8) -> Here {
        Here {
            what: read(&self.what, site),
            count: read(&self.count, site),
            state: read(&self.state, site),
            value: read(&self.value, site),
        }
    }

    /// Replaces what stands on a site.
    #[inline]
    pub fn set(&mut self, game: &Cartridge<'_>, site: u8, here: Here) {
        let before = self.here(site);
        let here = if here.what == 0 || here.count == 0 {
            Here {
                state: here.state,
                ..Here::default()
            }
        } else {
            here
        };
        if self.hashes {
            self.hash ^= mix(site, before) ^ mix(site, here);
        }
        write(&mut self.what, site, here.what);
        write(&mut self.count, site, here.count);
        write(&mut self.state, site, here.state);
        write(&mut self.value, site, here.value);
        let bit = Points(W::bit(usize::from(site)));
        if before.what != 0 {
            self.occupied &= !bit;
            if let Some(owned) = self.owned.get_mut(usize::from(game.owner(before.what))) {
                *owned &= !bit;
            }
            for set in self.known.of(before).into_iter().flatten() {
                *set &= !bit;
            }
        }
        if here.what != 0 {
            self.occupied |= bit;
            if let Some(owned) = self.owned.get_mut(usize::from(game.owner(here.what))) {
                *owned |= bit;
            }
            for set in self.known.of(here).into_iter().flatten() {
                *set |= bit;
            }
        }
    }

    /// The sites on which pieces stand.
    #[inline]
    #[must_use]
    pub fn occupied(&self) -> Points<W> {
        self.occupied
    }

    /// The sites with pieces of an owner; players + 1 stands for all owners.
    #[inline]
    #[must_use]
    pub fn owned(&self, owner: i32) -> Points<W> {
        usize::try_from(owner)
            .ok()
            .and_then(|owner| self.owned.get(owner).copied())
            .unwrap_or(Points::NONE)
    }

    /// The sites with pieces of a kind, if they are stored as a set.
    #[inline]
    #[must_use]
    pub fn kind(&self, what: u8) -> Option<Points<W>> {
        self.known.kinds.get(usize::from(what)).copied()
    }

    /// The hash of what stands on the sites.
    #[must_use]
    pub fn hash(&self) -> u64 {
        if self.hashes {
            return self.hash;
        }
        let sites = 0..W::BITS.min(256);
        let mixed = sites.map(|site| mix(site as u8, self.here(site as u8)));
        mixed.fold(0, |hash, mixed| hash ^ mixed)
    }

    /// The sites with pieces in a state.
    pub(super) fn with_state(&self, state: i32) -> Points<W> {
        let place = usize::try_from(state.wrapping_sub(1));
        if let Some(known) = place.ok().and_then(|place| self.known.states.get(place)) {
            return *known;
        }
        let mut sites = Points::NONE;
        for site in self.occupied {
            if i32::from(read(&self.state, site.0)) == state {
                sites.insert(site);
            }
        }
        sites
    }

    /// The sites on which this position differs from another.
    #[must_use]
    pub fn changed(&self, other: &Self) -> Points<W> {
        let mut changed = Points::NONE;
        self.what.put_unlike(&other.what, &mut changed);
        self.count.put_unlike(&other.count, &mut changed);
        self.state.put_unlike(&other.state, &mut changed);
        self.value.put_unlike(&other.value, &mut changed);
        changed
    }

    /// The number of pieces stacked on a site.
    #[must_use]
    pub fn height(&self, site: u8) -> u8 {
        read(&self.count, site)
    }

    /// The height of each site, and its pieces on as many levels as the game's stacks
    /// have.
    pub(super) fn stacks(&self) -> (&[u8], &[u8]) {
        (self.count.as_ref(), self.pool.as_ref())
    }

    /// A piece of a stack; the lowest has level 0.
    #[must_use]
    pub fn level(&self, game: &Cartridge<'_>, site: u8, level: u8) -> u8 {
        if level >= self.height(site) {
            return 0;
        }
        let at = usize::from(site) * game.stack() + usize::from(level);
        self.pool.as_ref().get(at).copied().unwrap_or(0)
    }

    /// The number of a player's pieces on the board, including covered ones.
    #[must_use]
    pub fn stacked(&self, game: &Cartridge<'_>, player: u8) -> u16 {
        let sites = (0..game.board()).map(|site| site as u8);
        let pieces = sites.flat_map(|site| {
            (0..self.height(site)).map(move |level| self.level(game, site, level))
        });
        let own = pieces.filter(|what| game.owner(*what) == player);
        own.count() as u16
    }

    /// Puts a piece on top of a stack, unless the stack is full.
    pub fn push(&mut self, game: &Cartridge<'_>, site: u8, what: u8) {
        let height = self.height(site);
        if usize::from(height) >= game.stack() {
            return;
        }
        let at = usize::from(site) * game.stack() + usize::from(height);
        if let Some(place) = self.pool.as_mut().get_mut(at) {
            *place = what;
        }
        let here = Here {
            what,
            count: height + 1,
            ..Here::default()
        };
        self.set(game, site, here);
    }

    /// Takes a piece from the top of a stack.
    pub fn pop(&mut self, game: &Cartridge<'_>, site: u8) {
        let height = self.height(site);
        let below = match height {
            0 | 1 => 0,
            _ => self.level(game, site, height - 2),
        };
        let here = Here {
            what: below,
            count: height.saturating_sub(1),
            ..Here::default()
        };
        self.set(game, site, here);
    }

    /// True if the player is still in the game.
    #[must_use]
    pub fn is_active(&self, player: u8) -> bool {
        player < 8 && self.active & (1 << player) != 0
    }
}
