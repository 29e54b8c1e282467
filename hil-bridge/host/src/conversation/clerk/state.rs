//! Reads and writes whole states and drawings piece by piece.

use std::time::Duration;

use firmware_core::board::origin_of_snapshot;
use protocol::{CHUNK_BYTES, Command, Deed, KnownLayout, Layout, Refusal, Reply};

use super::Clerk;
use super::chunks::Chunks;
use super::parts::PlacedHappening;
use crate::driver::DriverError;
use crate::happening::Happening;

impl Clerk {
    /// Reads the whole state piece by piece, until `deadline` if the board is lost. Events
    /// that arrive meanwhile are reported after the snapshot, because the state is that at
    /// the first piece.
    pub(super) async fn snapshot(&mut self, deadline: Duration) -> Result<Reply, DriverError> {
        let result = self.read_state(deadline).await;
        self.events
            .placed
            .retain(|(_, placed)| matches!(placed, PlacedHappening::Told(_)));
        let held = self.events.held.take().unwrap_or_default();
        let result = result.map(|(reply, state)| {
            let tick = reply.tick;
            self.report(Happening::Snapshot { tick, state });
            reply
        });
        for happening in held {
            self.report(happening);
        }
        self.flush_placed();
        result
    }

    pub(super) async fn read_state(
        &mut self,
        deadline: Duration,
    ) -> Result<(Reply, Vec<u8>), DriverError> {
        if !self.is_ready() {
            self.make_ready(deadline).await?;
        }
        let mut chunks = Chunks::default();
        let mut first = None;
        self.hold();
        loop {
            let offset = chunks.offset();
            // Each piece has its own time limit, because a state may take long.
            let deadline = self.piece_deadline();
            let reply = self.carry_out(&Command::Read { offset }, deadline).await?;
            if first.is_none() {
                // After another host had the board, its events go on from this state.
                if self.events.cursor.is_suspended() {
                    self.events.cursor.go_on_at(reply.events);
                }
                self.place(&reply, PlacedHappening::Awaited);
                first = Some(reply.clone());
            }
            self.settle(&reply, deadline).await?;
            if chunks.add(reply.result.clone()?, Refusal::Snapshot)? {
                let state = chunks.whole().ok_or(Refusal::Snapshot)?;
                return Ok((first.unwrap_or(reply), state));
            }
        }
    }

    /// Writes a state piece by piece, and makes the board load it. Each piece has its own
    /// time limit, because a state may take long on a slow line.
    pub(super) async fn load(&mut self, state: &[u8], run: u32) -> Result<Reply, DriverError> {
        let length = u16::try_from(state.len()).map_err(|_| Refusal::Snapshot)?;
        if self.known.run != run {
            return Err(self.begun_anew());
        }
        if let Some((layout, _)) = origin_of_snapshot(state)
            && self.lacks_drawing(layout)
        {
            let seed = 0;
            let reset = Command::Do(Deed::Reset { seed, layout });
            self.exchange(&reset, run, self.piece_deadline())
                .await?
                .result?;
        }
        self.write(state).await?;
        let load = Command::Load { length };
        self.hold();
        self.loading = Some(state.to_vec());
        let loaded = self.exchange(&load, run, self.piece_deadline()).await;
        let is_told = self.loading.take().is_none();
        if let Err(error) = &loaded {
            self.lose_certainty(error, false);
        }
        self.release();
        if loaded.is_err() && is_told {
            // Events after the state may be missing as well.
            self.report(Happening::Missed);
        }
        let reply = loaded?;
        reply.result.clone()?;
        Ok(reply)
    }

    /// Writes these bytes into the board's buffer, piece by piece.
    pub(super) async fn write(&mut self, bytes: &[u8]) -> Result<(), DriverError> {
        let mut offset = 0;
        for piece in bytes.chunks(CHUNK_BYTES) {
            let bytes = piece.iter().copied().collect();
            let write = Command::Write { offset, bytes };
            // Boxed, since an exchange may have to write a drawing itself.
            let exchange = self.exchange(&write, self.known.run, self.piece_deadline());
            Box::pin(exchange).await?.result?;
            offset += piece.len() as u16;
        }
        Ok(())
    }

    /// Writes the drawing that a reset to this layout needs. True if it needed one.
    pub(super) async fn draw_for(&mut self, command: &Command) -> Result<bool, DriverError> {
        if let Command::Do(Deed::Reset { layout, .. }) = command
            && self.lacks_drawing(*layout)
            && let Some(known) = layout.drawing()
        {
            self.write(known.as_drawing().bytes()).await?;
            return Ok(true);
        }
        Ok(false)
    }

    /// True if the layout is a drawing that the board does not have, so that it has to be
    /// written first.
    pub(super) fn lacks_drawing(&self, layout: Layout) -> bool {
        let has = self.known.layout.as_ref().map(KnownLayout::layout);
        layout.sides().is_none() && has != Some(layout)
    }

    pub(super) fn piece_deadline(&self) -> Duration {
        self.now() + self.timeout()
    }
}
