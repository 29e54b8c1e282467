//! The messages between host and device.
//!
//! The host sends a numbered [`Request`], and the device answers with a [`Reply`] of
//! the same number. Only one request is in progress at a time. The host repeats it until
//! the reply arrives; the device recognises a repeated number and sends the reply again
//! without carrying out the command twice. Once it has said hello, a host therefore gets
//! an answer to every request: the last one is answered from memory, a newer one is
//! carried out first, and an older one is refused with [`Refusal::Stale`].
//!
//! Between replies the device reports what happens. Only the newest frame counts, and any
//! other may be lost. Events must not be lost: they are numbered, and the device repeats
//! them until a request acknowledges them.
//!
//! [`ToDevice::Hello`] and the first two fields of [`ToHost::Hello`] keep their
//! encoding in all versions, so that two sides with different versions can detect it.

use core::fmt;

use postcard::experimental::max_size::MaxSize;
use postcard_schema::Schema;
use postcard_schema::key::hash::fnv1a64::hash_ty_path;
use serde::{Deserialize, Serialize};

use crate::{
    Deed, Frame, FrameDelta, Input, Layout, List, Outcome, Point, Roster, Settings, Severity, Side,
    StampedEvent, Text, Tick,
};

/// Increases when a part of the protocol changes its meaning without changing its type.
pub const PROTOCOL_VERSION: u16 = 1;

/// A fingerprint of all message types. Builds with different types therefore never
/// misread each other's messages.
pub const SCHEMA_HASH: u64 = u64::from_le_bytes(hash_ty_path::<ToDevice>("touchboard/to-device"))
    ^ u64::from_le_bytes(hash_ty_path::<ToHost>("touchboard/to-host")).rotate_left(1);

/// A type that is sent over the wire: it can be encoded and decoded, and its size is
/// bounded.
pub trait Message: Serialize + for<'de> Deserialize<'de> + MaxSize {}
impl Message for ToDevice {}
impl Message for ToHost {}

/// A message from the host to the device.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Schema, MaxSize)]
#[allow(
    clippy::large_enum_variant,
    reason = "there is no heap to put the large ones on"
)]
pub enum ToDevice {
    /// The host identifies itself. Always answered by [`ToHost::Hello`].
    Hello {
        /// The [`PROTOCOL_VERSION`] of the host.
        version: u16,
        /// The [`SCHEMA_HASH`] of the host.
        schema: u64,
        /// A random number that the host program draws when it starts. A repeated number
        /// means that the same host lost its hello or its line: its events are kept and
        /// its last request is remembered. A different number means a new host.
        host: u32,
    },
    /// A command for the board, which is always answered.
    Request(Request),
}

/// A command with a number, which its reply repeats.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Schema, MaxSize)]
pub struct Request {
    /// The number of the request, which increases by one; the first one after a hello is
    /// arbitrary. A number up to half the number range behind the last is not carried
    /// out, but refused with [`Refusal::Stale`]. A host that waits for a different answer
    /// ignores that refusal: it answers a late copy.
    pub number: u32,
    /// The number of the first event that the host has not seen; all earlier events can
    /// be dropped. If no event with this number was sent, the field is ignored and all
    /// events are kept.
    pub seen: u32,
    /// The command to carry out.
    pub command: Command,
}

/// The source of the ticks of board time, and their speed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Schema, MaxSize)]
pub enum Pace {
    /// Lockstep: only [`Command::Step`] makes ticks, and the board's own sensors are
    /// ignored. All inputs come from the host.
    Lockstep,
    /// Free-running: the board's own timer makes the ticks.
    Free {
        /// The rate of board time in thousandths of real time: 1000 is real time, 0
        /// freezes the board.
        permille: u32,
    },
}

/// A command of a host.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Schema, MaxSize)]
pub enum Command {
    /// Does nothing; answered by [`Done::Done`]. Also a way to acknowledge events.
    Ping,
    /// In lockstep: carries out these inputs now, then advances by `ticks`. Answered by
    /// [`Done::Stepped`].
    Step {
        /// The inputs of this tick, in order.
        inputs: List<Input, 8>,
        /// The number of ticks to advance. The device may accept fewer inputs and advance
        /// fewer ticks. It returns both numbers, and the host requests the rest.
        ticks: u32,
        /// True to include a digest in the answer, which the device needs time to
        /// compute.
        digest: bool,
    },
    /// Carries out a deed now. A [`Deed::Reset`] keeps the pace. If it contains a drawn
    /// layout that is not the board's own, the [drawing](crate::Drawing) is read from the
    /// start of the device's buffer.
    Do(Deed),
    /// Sets the pace: who makes the ticks, and how fast.
    Pace(Pace),
    /// Requests the whole frame.
    Frame,
    /// Requests the digest; answered by [`Done::Digest`].
    Digest,
    /// Requests the legal points; answered by [`Done::Legal`].
    Legal,
    /// Requests the status; answered by [`Done::Status`].
    Status,
    /// Requests bytes of the state, from `offset` on; answered by [`Done::Chunk`].
    Read {
        /// The offset of the first byte. 0 takes a snapshot of the state; any other
        /// offset reads from the last snapshot.
        offset: u16,
    },
    /// Writes bytes of a state or of a drawing to the device's buffer.
    Write {
        /// The offset of the first byte.
        offset: u16,
        /// The bytes to write.
        bytes: List<u8, CHUNK_BYTES>,
    },
    /// Loads the state in the buffer.
    Load {
        /// The length of the state in bytes.
        length: u16,
    },
    /// Requests bytes of the drawing of the board's layout, from `offset` on; answered by
    /// [`Done::Chunk`].
    Drawing {
        /// The offset of the first byte.
        offset: u16,
    },
    /// Requests all events that the host has not acknowledged once more.
    Resend,
    /// Clears the best scores of all games.
    ClearBest,
    /// Sets whether later deeds count as play, until another host says hello. Only during
    /// play can a game enter the best scores, and a layout with a game be kept over a
    /// power-off. A host that tests a board sets this to false.
    CountBest(bool),
    /// Panics on purpose, to show that a panic reaches the host.
    Crash,
    /// In free-running mode: puts these fingers on the board's own sensors, if these are
    /// simulated. Like any finger they are felt a few ticks later, or not at all
    /// ([`Event::Taken`](crate::Event::Taken)). Answered by [`Done::Stepped`], with 0
    /// ticks.
    ///
    /// A board whose sensors are not simulated refuses with [`Refusal::FeelsNoFingers`], so
    /// a request without a finger asks whether they are. In lockstep no finger is felt:
    /// [`Refusal::InLockstep`].
    Fingers(List<Input, 8>),
    /// Requests the faults of a board whose contacts are simulated, as text. Answered by
    /// [`Done::Chunk`] with the first bytes; [`Command::Read`] reads the others from the
    /// device's buffer, as it does those of a snapshot.
    ///
    /// Any other board refuses with [`Refusal::NotSimulated`], so this request also asks
    /// whether a board can have faults.
    Faults,
    /// Replaces the faults of a board whose contacts are simulated by those in the
    /// device's buffer: a text such as `seed 7, stuck d4, bounce-ms 3`, or `none`. They are
    /// faults of the board itself, not those of its line or of lamps, which the host
    /// simulates.
    Break {
        /// The length of the text in bytes, at most [`FAULT_BYTES`].
        length: u16,
    },
}

impl Command {
    /// [`Command::Fingers`] with these inputs.
    #[must_use]
    pub fn fingers(inputs: impl IntoIterator<Item = Input>) -> Command {
        Command::Fingers(inputs.into_iter().collect())
    }

    /// True if the board restarts; see [`Deed::restarts`].
    #[must_use]
    pub const fn restarts(&self) -> bool {
        match self {
            Command::Do(deed) => deed.restarts(),
            _ => false,
        }
    }
}

/// The most bytes in one piece of a snapshot.
pub const CHUNK_BYTES: usize = 128;

/// The most bytes in the text of a board's faults.
pub const FAULT_BYTES: usize = 1024;

/// The answer to a [`Request`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Schema, MaxSize)]
pub struct Reply {
    /// The number of the request.
    pub number: u32,
    /// The device's tick after carrying out the request.
    pub tick: Tick,
    /// The number of the next event. All events before it happened before the answer was
    /// given.
    pub events: u32,
    /// The number of the next frame or delta; the one before it is up to date. A host
    /// that has not received that one sends [`Command::Frame`].
    pub frames: u32,
    /// What the command returned, or why it was refused.
    pub result: Result<Done, Refusal>,
}

/// The state of the game, beyond what a frame shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, Schema, MaxSize)]
pub struct Status {
    /// The settings: game, time, speed, level and mode.
    pub settings: Settings,
    /// The side to move; `None` if no game runs or neither side is to move.
    pub turn: Option<Side>,
    /// The score, if a game is on the board: the points of green and red. Some games
    /// count a different pair, which PROTOCOL.md describes.
    pub score: Option<[u32; 2]>,
    /// The outcome of the game on the board, once it has ended.
    pub outcome: Option<Outcome>,
    /// True while the game is paused by Stop/Cont.
    pub paused: bool,
    /// True while it is the board's own turn and the game is not paused.
    pub thinking: bool,
    /// True while a game runs in which no touch has an effect, for example during a pause
    /// or while a pattern is shown.
    pub idle: bool,
    /// The clock of the turn, or of the whole game if it has one.
    pub clock: Option<Clock>,
    /// The turns left, the current one included, in a game with a fixed number of
    /// turns.
    pub turns_left: Option<u16>,
    /// The last move that was made.
    pub last_move: Option<LastMove>,
    /// The best scores of the chosen game and mode, the best first, with 0 for empty
    /// places; `None` if none are kept.
    pub best: Option<[u32; BEST_PLACES]>,
}

/// The number of best scores that are kept for each mode.
pub const BEST_PLACES: usize = 5;

/// A clock that runs out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Schema, MaxSize)]
pub struct Clock {
    /// The remaining milliseconds of play time.
    pub left_ms: u32,
    /// The full time of the clock, in milliseconds.
    pub of_ms: u32,
    /// True until the first touch of the game. The clock of a turn stays at its full time
    /// until then.
    pub waits: bool,
}

impl Clock {
    /// An estimate, without asking the board, of the clock after `passed_ms` more
    /// milliseconds of play.
    #[must_use]
    pub fn after(self, passed_ms: u32) -> Clock {
        let passed_ms = if self.waits { 0 } else { passed_ms };
        Clock {
            left_ms: self.left_ms.saturating_sub(passed_ms),
            ..self
        }
    }
}

/// The source of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Schema, MaxSize)]
pub enum Mover {
    /// A finger that touched the board.
    Finger,
    /// The board's own player, for red.
    Board,
    /// The board, for a player whose time ran out.
    Clock,
}

/// A move that was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Schema, MaxSize)]
pub struct LastMove {
    /// The side for which the move was made.
    pub side: Side,
    /// The point of the move.
    pub point: Point,
    /// The source of the move.
    pub by: Mover,
}

/// The result of a command that was carried out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Schema, MaxSize)]
pub enum Done {
    /// The command was carried out; there is nothing to return.
    Done,
    /// The result of [`Command::Step`].
    Stepped {
        /// The number of inputs that were accepted. If it is smaller than the number
        /// given, events have to be acknowledged first, and no tick passed.
        inputs: u8,
        /// The number of ticks that passed. It is smaller than requested if events have
        /// to be acknowledged first, or if all the ticks would take the device too long.
        ticks: u32,
        /// The digest afterwards, if it was requested.
        digest: Option<u64>,
    },
    /// The result of [`Command::Digest`].
    Digest(u64),
    /// The result of [`Command::Status`].
    Status(Status),
    /// The result of [`Command::Legal`]: bit `n` of byte `n / 8` stands for point
    /// `n`.
    Legal(List<u8, 32>),
    /// The result of [`Command::Read`], [`Command::Drawing`] and [`Command::Faults`].
    Chunk {
        /// The total number of bytes; 0 for the drawing of a layout that is not drawn.
        total: u16,
        /// The digest of the state, or the number of the drawing; 0 for a text of faults.
        digest: u64,
        /// The bytes. A chunk of fewer than [`CHUNK_BYTES`] is the last one.
        bytes: List<u8, CHUNK_BYTES>,
    },
}

/// Why a command was not carried out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Schema, MaxSize)]
pub enum Refusal {
    /// No hello with the right version and schema was received.
    NotGreeted,
    /// The board is free-running: `Step` needs [`Pace::Lockstep`].
    NotInLockstep,
    /// The layout does not fit this device.
    Layout(Layout),
    /// The layout is drawn, and the device has a different drawing, or none.
    NotDrawn(Layout),
    /// The layout carries a game that this board cannot play.
    LayoutGame(Layout),
    /// This device has no game with this number.
    NoSuchGame(u8),
    /// The game does not have this mode.
    NoSuchMode {
        /// The requested mode.
        mode: u8,
        /// The number of modes of the game.
        modes: u8,
    },
    /// A setting is out of range.
    SettingOutOfRange,
    /// The position is impossible in this game.
    Position,
    /// The bytes are not a state of this firmware, or are damaged.
    Snapshot,
    /// The state is from a board with these games; this board has different ones.
    Roster(Roster),
    /// A chunk does not fit the buffer.
    Chunk {
        /// The offset at which the bytes were to be written.
        offset: u16,
    },
    /// There is no room for the resulting events. In lockstep no event is dropped, so
    /// earlier ones have to be acknowledged first.
    Unseen,
    /// The board keeps no best scores.
    KeepsNoBest,
    /// The number is older than the last one, and its answer is no longer stored.
    Stale {
        /// The number that the next request must have.
        next: u32,
    },
    /// The board's sensors are not simulated: `Fingers` cannot touch them.
    FeelsNoFingers,
    /// In lockstep the board does not read its sensors: `Fingers` needs [`Pace::Free`].
    InLockstep,
    /// The board's contacts are not simulated, so no fault can be set on it.
    NotSimulated,
    /// The text of the faults cannot be read, or names a fault or a part that this board
    /// cannot have.
    Faults,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refusal::NotGreeted => f.write_str("the board was not greeted yet: send a hello with its version and schema first"),
            Refusal::NotInLockstep => f.write_str("the board's own timer is running: choose the lockstep pace before stepping"),
            Refusal::Layout(layout) => write!(f, "this board cannot have a {layout} layout: choose a smaller one"),
            Refusal::NotDrawn(layout) => write!(f, "this board does not have the drawing of the layout {layout}: send it first"),
            Refusal::LayoutGame(layout) => write!(f, "this board does not play the game of the layout {layout}: it is for more than two, was compiled by another version, has too many sites with its hands, tries too many moves within each other, or the board plays its own games only"),
            Refusal::NoSuchGame(game) if usize::from(*game) < Roster::MOST => {
                write!(f, "there is no game {} on this board", Roster::letter(*game))
            }
            Refusal::NoSuchGame(game) => write!(f, "there is no game {game} on any board"),
            Refusal::NoSuchMode { mode, modes } => {
                write!(f, "this game has no mode {mode}: choose 0 to {}", modes.saturating_sub(1))
            }
            Refusal::SettingOutOfRange => f.write_str("a setting is out of range: time and speed go from 0 to 9, level from 0 to 4"),
            Refusal::Position => f.write_str("this game cannot be in such a position: check what lies where, how much of it there is, and who moves"),
            Refusal::Snapshot => f.write_str("this is not a state of this firmware, or it was damaged: save it again"),
            Refusal::Roster(roster) => write!(f, "this is of a board with the games {roster}, and this board has others: use one that has the same"),
            Refusal::Chunk { offset } => write!(f, "the board has no room for a piece of a state at byte {offset}"),
            Refusal::Unseen => f.write_str("the board holds too many events that were not seen: ask for them again, then repeat"),
            Refusal::KeepsNoBest => f.write_str("this board keeps no best scores: it has nowhere to remember them"),
            Refusal::Stale { next } => write!(f, "the number of this request was passed already: the next one is {next}"),
            Refusal::FeelsNoFingers => f.write_str("this board's sensors are not simulated: send what fingers do as inputs"),
            Refusal::InLockstep => f.write_str("the board's time is held, so it feels no fingers: let its own timer run first"),
            Refusal::NotSimulated => f.write_str("this board's contacts are not simulated, so it cannot have faults: only its line can"),
            Refusal::Faults => f.write_str("the board cannot have these faults: name points that it has, and no faults of its line or its lamps"),
        }
    }
}

impl core::error::Error for Refusal {}

/// The optional capabilities of a device.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, Schema, MaxSize)]
pub struct Capabilities {
    /// True if the device can run on its own timer.
    pub free_running: bool,
    /// True if the device has touch sensors of its own. The answer to
    /// [`Command::fingers`] says whether they are simulated.
    pub sensors: bool,
    /// The most points that a layout may have.
    pub max_points: u16,
    /// The games that the device has.
    pub roster: Roster,
}

/// The identity of a device, and its current state.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Schema, MaxSize)]
pub struct Hello {
    /// The [`PROTOCOL_VERSION`] of the device.
    pub version: u16,
    /// The [`SCHEMA_HASH`] of the device.
    pub schema: u64,
    /// The kind of the board: `virtual`, `lm3s6965evb`, ...
    pub board: Text<16>,
    /// The version of its `firmware-core`.
    pub firmware: Text<16>,
    /// The layout of the board.
    pub layout: Layout,
    /// The number of colours that a point can show.
    pub colours: u8,
    /// The optional capabilities of the device.
    pub capabilities: Capabilities,
    /// The seed of the board's random numbers.
    pub seed: u64,
    /// The current tick of the board.
    pub tick: Tick,
    /// A number that differs at each power-up, if the device can provide one, so that a
    /// host notices a restart.
    pub boot: u32,
}

/// A message from the device to the host.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Schema, MaxSize)]
pub enum ToHost {
    /// The identity of the device; also sent once after power-up.
    Hello(Hello),
    /// The answer to a request.
    Reply(Reply),
    /// An event that happened on the board.
    Event(StampedEvent),
    /// Everything that the board shows.
    Frame {
        /// The number of this message among the frames and deltas sent.
        number: u32,
        /// The tick from which on the board shows this frame.
        tick: Tick,
        /// The whole frame.
        frame: Frame,
    },
    /// The change since the frame before.
    Delta {
        /// The number of this message among the frames and deltas sent. The change is
        /// relative to the message with the number before.
        number: u32,
        /// The tick from which on the board shows the changed frame.
        tick: Tick,
        /// The change since the frame before.
        delta: FrameDelta,
    },
    /// A line for the log.
    Log {
        /// How much it matters.
        severity: Severity,
        /// The line.
        text: Text<96>,
    },
    /// The firmware panicked and is about to reset; this is its last message.
    Panic(Text<96>),
    /// Another host is connected to the board; the text names it. A port that can tell
    /// hosts apart sends this instead of any other message, carries out nothing, and then
    /// closes the line.
    Busy(Text<64>),
}

impl Done {
    /// The answer to [`Command::Legal`] for these points.
    #[must_use]
    pub fn legal(points: impl Iterator<Item = Point>) -> Done {
        let mut bytes: List<u8, 32> = core::iter::repeat_n(0, 32).collect();
        for point in points {
            bytes[point.index() / 8] |= 1 << (point.0 % 8);
        }
        while bytes.last() == Some(&0) {
            bytes.pop();
        }
        Done::Legal(bytes)
    }
}
