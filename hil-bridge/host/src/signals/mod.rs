//! Signals: what a logic analyser would show if it could probe every part of a board.
//!
//! `light.d4`, `turn`, `event.illegal` and `state.referee.turn_time_ms` are signals: each
//! has a name, and a value ([`SignalValue`]) at every tick. A [`SignalReader`] reads
//! values off a board at one tick. A [`SignalReplayer`] follows a session and keeps a
//! [`Waveform`] of each signal. A [`SignalCondition`] says when a board should stop, and a
//! [`Measurement`] how often and for how long a signal was on.
//!
//! Nothing is sampled while a board runs (but see [`LineWaves`]). Boards are deterministic, so the session is
//! enough: it is repeated on a board in this process, which is read whenever something
//! happens. So any signal can be asked for afterwards, and a board at the end of a line has
//! the same signals as one in this process.
//!
//! Invariants: the value at a tick is the one after everything that happens at that tick;
//! no two successive values of a waveform are equal; a session yields the same waveforms,
//! whether it is followed at once or piece by piece.

mod condition;
#[cfg(feature = "formats")]
mod format;
mod line_waves;
mod measure;
mod names;
mod possible;
mod reader;
mod replayer;
#[cfg(feature = "formats")]
mod table;
mod term;
mod trigger;
mod until;
mod value;
#[cfg(feature = "formats")]
mod vcd;

pub use condition::{SignalCondition, SignalWatch};
#[cfg(feature = "formats")]
pub use format::WaveFormat;
pub use line_waves::LineWaves;
pub use measure::{Measurement, Periods};
pub use names::{EventKind, Signal, SignalError, select};
pub use possible::PossibleValues;
pub use reader::SignalReader;
pub use replayer::{SignalReplayer, Waveform, Waveforms};
#[cfg(feature = "formats")]
pub use table::{write_csv, write_json_lines};
pub use term::ConditionError;
pub use trigger::SignalTrigger;
pub use until::{Stopped, UntilError, run_until, values_in_words};
pub use value::{SignalReading, SignalValue};
#[cfg(feature = "formats")]
pub use vcd::{Imported, VcdError, VcdNames, read_touches, write_vcd};

#[cfg(all(test, feature = "formats"))]
mod tests;
