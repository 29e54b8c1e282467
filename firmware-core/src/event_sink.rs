//! Who is told of a board's events.

use protocol::{Event, Tick};

/// The function to which a board reports its events, with their ticks.
pub type EventSink<'a> = &'a mut dyn FnMut(Tick, Event);

/// The sink of a caller who wants no events: `&mut silent`.
pub fn silent(_: Tick, _: Event) {}
