//! Moves a board at the end of a line from one moment to another.
//!
//! The board is held in lockstep. To go back, it loads a keyframe and repeats the actions
//! from there, so the resulting state is computed by the board itself. For new keyframes
//! only a digest is requested from the board: the state comes from the twin, which
//! follows all the path.

use protocol::{Command, Done, Pace, Reply, Tick};

use crate::client::{Answering, step_all};
use crate::conversation::OrderKind;
use crate::driver::DriverError;
use crate::recorder::{KEYFRAME_MS, To, TripPath};
use crate::session::{SessionClock, SessionItem};

/// Follows this path on this run of the board, in lockstep from now on. Events on the way
/// are reported as usual.
///
/// # Errors
/// When the board cannot be reached, has restarted, or refuses the state.
pub async fn go(path: &TripPath, client: &impl Answering, run: u32) -> Result<(), DriverError> {
    let mut walker = Walker {
        client,
        run,
        now: 0,
        clock: path.clock,
        keyframe_due: path.keyframe_due,
    };
    walker.request(Command::Pace(Pace::Lockstep)).await?;
    if let Some(state) = &path.state {
        walker.load(state).await?;
    }
    let to = match path.to {
        To::At(time) => time,
        To::On(ticks) => walker.clock.time(walker.now).saturating_add(ticks),
    };
    for entry in &path.ahead {
        if walker.clock.time_of(entry) > to {
            break;
        }
        if entry.item.is_done() {
            walker.walk(entry.tick).await?;
            walker.act(&entry.item).await?;
        }
        walker.clock.pass(entry);
    }
    walker.walk(walker.clock.tick(to)).await?;
    walker.step(0, true).await
}

struct Walker<'a, C> {
    client: &'a C,
    run: u32,
    now: Tick,
    clock: SessionClock,
    keyframe_due: Option<Tick>,
}

impl<C: Answering> Walker<'_, C> {
    async fn request(&mut self, command: Command) -> Result<Done, DriverError> {
        let run = self.run;
        let kind = OrderKind::Command { command, run };
        let Reply { tick, result, .. } = self.client.ask(kind).await?;
        self.now = tick;
        Ok(result?)
    }

    async fn act(&mut self, item: &SessionItem) -> Result<(), DriverError> {
        let done = match item {
            SessionItem::Do(deed) => {
                if deed.restarts() {
                    self.keyframe_due = self.keyframe_due.map(|_| KEYFRAME_MS);
                }
                self.request(Command::Do(deed.clone())).await.map(drop)
            }
            SessionItem::Load(state) => self.load(state).await,
            SessionItem::Digest(_)
            | SessionItem::Note(_)
            | SessionItem::Contact(_)
            | SessionItem::End => Ok(()),
        };
        match done {
            // The board also refused this command when it was recorded.
            Err(DriverError::Refused(_)) => Ok(()),
            done => done,
        }
    }

    async fn load(&mut self, state: &[u8]) -> Result<(), DriverError> {
        let (run, state) = (self.run, state.to_vec());
        let kind = OrderKind::Load { state, run };
        self.now = self.client.ask(kind).await?.tick;
        Ok(())
    }

    /// Lets time pass up to this tick, and requests a digest wherever a keyframe is due.
    async fn walk(&mut self, to: Tick) -> Result<(), DriverError> {
        while self.now < to {
            let due = self.keyframe_due.map(|due| due.max(self.now + 1));
            match due.filter(|due| *due <= to) {
                Some(due) => {
                    self.step(due - self.now, true).await?;
                    self.keyframe_due = Some(due + KEYFRAME_MS);
                }
                None => self.step(to - self.now, false).await?,
            }
        }
        Ok(())
    }

    async fn step(&mut self, ticks: Tick, digest: bool) -> Result<(), DriverError> {
        let client = self.client;
        let mut ask = async |command| self.request(command).await;
        let stepped = step_all(client.at(), &[], ticks, digest, &mut ask).await;
        stepped.map(drop)
    }
}
