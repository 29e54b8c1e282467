//! Signals: what a logic analyser would show of a board, if all of it could be probed.
//!
//! `light.d4` is a signal, and so are `turn`, `event.illegal` and
//! `state.referee.deadline`: a name, and for each tick a value ([`SignalValue`]). A
//! [`SignalReader`] reads values off a board at one tick; a [`SignalRecorder`] follows a
//! session and keeps a [`Waveform`] of each signal. A [`SignalCondition`] says when a board
//! is to stop.
//!
//! Nothing is sampled while a board runs. Boards are deterministic, so the session is
//! enough: what was done is done again on a board in this process, and looked at whenever
//! something happens. So any signal can be asked for afterwards, and a board at the end of
//! a line has the same signals as one in this process.
//!
//! Invariants: the value of a tick is the one after all that happens at that tick; a
//! waveform has no two equal values in a row; the same session has the same waveforms,
//! however it is cut into pieces.

mod condition;
mod names;
mod reader;
mod recorder;
mod table;
mod until;
mod value;
mod vcd;

pub use condition::{SignalCondition, SignalWatch};
pub use names::{EventKind, Signal, SignalError, select};
pub use reader::SignalReader;
pub use recorder::{AtJump, SignalRecorder, Waveform, Waveforms, next_look};
pub use table::{write_csv, write_json_lines};
pub use until::{Stopped, UntilError, run_until};
pub use value::SignalValue;
pub use vcd::{Imported, VcdError, VcdNames, read_touches, write_vcd};

#[cfg(test)]
mod tests;
