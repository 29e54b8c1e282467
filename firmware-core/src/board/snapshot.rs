//! Saving and loading the state of a board, sealed with its digest.
//!
//! Invariants: a state that is damaged, from a different firmware, or impossible is
//! refused and leaves the board unchanged; two boards with equal states continue equally.

use postcard::experimental::max_size::MaxSize;
use protocol::{Frame, Layout, Refusal, Roster, Tick};
use serde::Serialize;

use super::Board;
use crate::beeper::Beeper;
use crate::digest::{digest_of_bytes, write};
use crate::games;
use crate::ground::Ground;
use crate::panel::Panel;
use crate::points::Points;
use crate::referee::Referee;
use crate::rng::Rng;
use crate::state_reader::StateReader;
use crate::word::Word;

/// The size in bytes of the largest snapshot, including its digest: no state of any game
/// on any layout takes more.
pub const SNAPSHOT_BYTES: usize = 12 * 1024;

pub(super) const DIGEST_BYTES: usize = 8;

/// The complete state of a board. Two boards with equal states continue equally.
#[derive(Clone, Debug, PartialEq, Serialize, MaxSize)]
#[serde(bound(serialize = "W: Word"))]
pub(super) struct State<W: Word> {
    pub(super) layout: Layout,
    pub(super) roster: Roster,
    pub(super) seed: u64,
    pub(super) tick: Tick,
    pub(super) rng: Rng,
    pub(super) panel: Panel,
    /// The points under a finger. A second touch of a point without a release is
    /// ignored.
    pub(super) fingers: Points<W>,
    pub(super) beeper: Beeper,
    pub(super) referee: Option<Referee<W>>,
}

impl<W: Word> State<W> {
    pub(super) fn new(layout: Layout, roster: Roster, seed: u64) -> Self {
        State {
            layout,
            roster,
            seed,
            tick: 0,
            rng: Rng::new(seed),
            panel: Panel::new(roster),
            fingers: Points::NONE,
            beeper: Beeper::default(),
            referee: None,
        }
    }

    /// Becomes the saved state, reading its fields in the order of their declaration.
    fn read(&mut self, source: &mut StateReader<'_>) -> Option<()> {
        let State {
            layout,
            roster,
            seed,
            tick,
            rng,
            panel,
            fingers,
            beeper,
            referee,
        } = self;
        source.read(layout)?;
        source.read(roster)?;
        source.read(seed)?;
        source.read(tick)?;
        source.read(rng)?;
        source.read(panel)?;
        source.read(fingers)?;
        source.read(beeper)?;
        let is_game_on: bool = source.value()?;
        if is_game_on {
            return Referee::read(referee, source);
        }
        *referee = None;
        Some(())
    }
}

impl<W: Word> Board<W> {
    /// Writes the whole state (postcard, then its digest) into `buffer` and returns the
    /// part used. [`SNAPSHOT_BYTES`] are always enough.
    ///
    /// # Errors
    /// `None` if the buffer is too short.
    pub fn save<'a>(&self, buffer: &'a mut [u8]) -> Option<&'a [u8]> {
        let length = write(&self.state, buffer)?;
        let digest = digest_of_bytes(&buffer[..length]).to_le_bytes();
        buffer
            .get_mut(length..length + DIGEST_BYTES)?
            .copy_from_slice(&digest);
        buffer.get(..length + DIGEST_BYTES)
    }

    /// Becomes the saved board.
    ///
    /// # Errors
    /// [`Refusal::Snapshot`] if the bytes are damaged or from a different firmware,
    /// [`Refusal::Layout`] if the layout does not fit, [`Refusal::NotDrawn`] if its
    /// drawing is not known here; then nothing is changed.
    pub fn load(&mut self, bytes: &[u8]) -> Result<(), Refusal> {
        // The bytes are read into a second state, so that an invalid one is never
        // visible.
        let mut state = State::new(self.state.layout, self.state.roster, 0);
        read(bytes, &mut state).ok_or(Refusal::Snapshot)?;
        if state.layout != self.ground.layout() {
            return self.load_elsewhere(state);
        }
        if !is_sound(&state, &self.ground) {
            return Err(Refusal::Snapshot);
        }
        self.go_on(state);
        Ok(())
    }

    /// Becomes a saved board of a different layout.
    // A separate function, because a ground is large and is rarely replaced.
    #[inline(never)]
    fn load_elsewhere(&mut self, state: State<W>) -> Result<(), Refusal> {
        let ground = Ground::of(state.layout)?;
        if !is_sound(&state, &ground) {
            return Err(Refusal::Snapshot);
        }
        self.ground = ground;
        self.go_on(state);
        Ok(())
    }

    /// Continues from a valid state.
    #[inline(always)]
    fn go_on(&mut self, state: State<W>) {
        self.state = state;
        self.frame = Frame::default();
        self.repaint(&mut |_, _| {});
    }
}

/// Writes the state field by field, for people who compare two boards.
impl<W: Word> Serialize for Board<W> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.state.serialize(serializer)
    }
}

/// Reads the state that [`Board::save`] wrote; `None` if the bytes are not a valid state.
// A separate function: its reader leaves the stack before the games validate the state.
#[inline(never)]
fn read<W: Word>(bytes: &[u8], state: &mut State<W>) -> Option<()> {
    let (saved, seal) = bytes.split_at_checked(bytes.len().checked_sub(DIGEST_BYTES)?)?;
    if digest_of_bytes(saved).to_le_bytes() != seal {
        return None;
    }
    let mut source = StateReader::new(saved);
    state.read(&mut source)?;
    (source.is_at_end() && state.layout.is_valid()).then_some(())
}

#[inline(never)]
fn is_sound<W: Word>(state: &State<W>, ground: &Ground<W>) -> bool {
    let settings = state.panel.settings();
    // Half of the range of ticks is left, so sums of a tick and a delay cannot overflow.
    state.tick < Tick::MAX / 2
        && state.fingers.without(ground.all()).is_empty()
        && !state.roster.is_empty()
        && state.roster == games::on(ground, state.roster)
        && state.panel.is_sound(state.roster, state.tick)
        && state.beeper.is_sound(state.tick)
        && state.referee.as_ref().is_none_or(|referee| {
            referee.playing().number() == settings.game
                && games::is_played_on(settings.game, ground)
                && referee.is_sound(ground, state.tick)
        })
}

/// The layout and the games of the board that was saved, read from the first bytes of its
/// snapshot.
#[must_use]
pub fn origin_of_snapshot(bytes: &[u8]) -> Option<(Layout, Roster)> {
    let (origin, _) = postcard::take_from_bytes::<(Layout, Roster)>(bytes).ok()?;
    origin.0.is_valid().then_some(origin)
}
