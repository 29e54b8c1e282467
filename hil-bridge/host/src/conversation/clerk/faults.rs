//! Reads and sets the faults of a board whose contacts are simulated.

use firmware_core::Faults;
use protocol::{Command, FAULT_BYTES, Refusal, Reply};

use super::Clerk;
use super::chunks::Chunks;
use crate::driver::DriverError;
use crate::happening::Happening;

/// The text in which a host sends faults. It names the seed in any case: a board whose
/// faults are cleared and injected again goes on with its random numbers.
fn written(faults: &Faults) -> String {
    match faults.are_none() {
        true => format!("seed {}", faults.seed),
        false => faults.to_string(),
    }
}

impl Clerk {
    /// Reads the board's faults piece by piece, and reports them. Each piece has its own
    /// time limit, as those of a state do.
    pub(super) async fn faults(&mut self) -> Result<Reply, DriverError> {
        let run = self.known.run;
        let mut chunks = Chunks::default();
        loop {
            let command = match chunks.offset() {
                0 => Command::Faults,
                offset => Command::Read { offset },
            };
            let deadline = self.piece_deadline();
            let reply = self.exchange(&command, run, deadline).await?;
            let is_last = chunks.add(reply.result.clone()?, Refusal::Faults)?;
            if is_last || usize::from(chunks.offset()) > FAULT_BYTES {
                let text = chunks.whole();
                let text = text.and_then(|text| String::from_utf8(text).ok());
                let faults = text.and_then(|text| text.parse().ok());
                self.note_faults(&reply, faults.ok_or(Refusal::Faults)?);
                return Ok(reply);
            }
        }
    }

    /// Replaces the board's faults, and reports that.
    pub(super) async fn inject_faults(
        &mut self,
        faults: &Faults,
        run: u32,
    ) -> Result<Reply, DriverError> {
        if self.known.run != run {
            return Err(self.begun_anew());
        }
        let faults = faults.own();
        let text = written(&faults);
        self.write(text.as_bytes()).await?;
        let length = text.len() as u16;
        let command = Command::Break { length };
        let deadline = self.piece_deadline();
        let reply = self.exchange(&command, run, deadline).await?;
        reply.result.clone()?;
        self.note_faults(&reply, faults);
        Ok(reply)
    }

    /// Reports the faults that the board has as of this answer.
    fn note_faults(&mut self, reply: &Reply, faults: Faults) {
        let (tick, faults) = (reply.tick, Box::new(faults));
        self.report_at(reply, Happening::Faults { tick, faults });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_without_faults_is_sent_as_well() {
        for (told, sent) in [
            ("seed 7, drop-ppm 5, dead-led d4", "seed 7"),
            ("seed 7, stuck d4, delay-ms 3", "seed 7, stuck d4"),
            ("none", "seed 0"),
        ] {
            let own = told.parse::<Faults>().unwrap().own();
            assert_eq!(written(&own), sent);
            assert_eq!(sent.parse(), Ok(own));
        }
    }
}
