//! What a board at the end of a line says it took, written down as a session.
//!
//! It begins with the board's first snapshot, and anew when the board does; so
//! it can be replayed from its first entry on.

use hil_bridge::client::Happening;
use hil_bridge::session::{Act, Entry, Header, Session};
use protocol::{Hello, Tick};

/// Writes down what happens.
#[derive(Debug, Default)]
pub struct Scribe {
    session: Option<Session>,
}

impl Scribe {
    /// Hand in all happenings, in order, with the board that they are of.
    pub fn hear(&mut self, happening: &Happening, hello: &Hello) {
        match (happening, &mut self.session) {
            (Happening::Connected { run, .. }, _) if run.is_new() => self.session = None,
            (Happening::Snapshot { state, .. }, None) => {
                self.session = Some(Session::new(Header {
                    firmware: hello.firmware.to_string(),
                    roster: hello.capabilities.roster,
                    state: Some(state.clone()),
                    ..Header::new(hello.layout, hello.seed, "from the emulator")
                }));
            }
            (happening, Some(session)) => session.entries.extend(Entry::of(happening)),
            (_, None) => {}
        }
    }

    /// What was written so far, up to this tick; `None` while the board has not
    /// said how it is.
    #[must_use]
    pub fn session(&self, tick: Tick) -> Option<Session> {
        let mut session = self.session.clone()?;
        session.push(tick, Act::End);
        Some(session)
    }
}
