//! An emulated board whose time passes by itself.
//!
//! Invariants: in lockstep its time passes as fast as the computer can, in free-running
//! mode no faster than real time; bytes in both directions wait in bounded queues.

use std::io;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, TrySendError, bounded};
use parking_lot::Mutex;
use touchboard_host::driver::DriverError;

use super::debugger::DebuggerPort;
use super::{PicoBench, PicoBoard, PicoLine};
use crate::LinkError;
use crate::client::Dial;
use crate::link::{Link, Loopback};

/// How much time passes at once, in microseconds of the chip.
const SLICE_US: u32 = 1_000;
/// If a line is silent for this long, in microseconds of the chip, it is no longer
/// treated as being in lockstep: time then passes as in free-running mode.
const QUIET_US: u64 = 20_000;
/// How often a debugger is served while the chip is halted.
const HALTED: Duration = Duration::from_millis(2);

/// The number of sends of the host that may wait for the chip, such as while a debugger
/// has it halted. A host that sends more has to wait, as on a line with flow control.
const TO_CHIP: usize = 256;
/// The number of slices of time whose bytes may wait for the host: at 115,200 baud, the
/// 47 KB of four seconds. If nobody reads them, later ones are lost, as at a real port.
const FROM_CHIP: usize = 4_096;

/// An emulated board at the end of one of its lines; it stops when this is dropped.
pub struct Pico {
    line: PicoLine,
    to_chip: Sender<Vec<u8>>,
    from_chip: Receiver<Vec<u8>>,
    ended: Arc<Mutex<Option<String>>>,
    stop: Arc<AtomicBool>,
    is_halted: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Pico {
    /// Switches on this board. Writes the edges at its pins to a file, if one is given,
    /// and lets a debugger connect at a port of this computer, if one is given.
    ///
    /// # Errors
    /// Those of [`PicoBench::start`], and when the file cannot be written or the port is
    /// in use.
    pub fn start(
        board: &PicoBoard,
        edges: Option<&Path>,
        gdb_port: Option<u16>,
    ) -> Result<Pico, DriverError> {
        let line = board.line;
        let mut bench = PicoBench::start_board(board)?;
        let recorded = bench.record_edges(edges);
        recorded.map_err(|error| LinkError::open(error.to_string()))?;
        let debugger = gdb_port.map(DebuggerPort::open).transpose()?;
        let (to_chip, arriving) = bounded(TO_CHIP);
        let (sent, from_chip) = bounded(FROM_CHIP);
        let [stop, is_halted] = [(); 2].map(|()| Arc::new(AtomicBool::new(false)));
        let ended = Arc::new(Mutex::new(None));
        let (stopped, why) = (Arc::clone(&stop), Arc::clone(&ended));
        let halted = Arc::clone(&is_halted);
        let thread = std::thread::Builder::new()
            .name("emulated pico".into())
            .spawn(move || {
                let mut board = Passing {
                    bench,
                    line,
                    debugger,
                    arriving,
                    sent,
                };
                if let Err(error) = board.pass_time(&stopped, &halted) {
                    *why.lock() = Some(error.to_string());
                }
            })
            .map_err(|error| LinkError::open(format!("no thread for the board: {error}")))?;
        Ok(Pico {
            line,
            to_chip,
            from_chip,
            ended,
            stop,
            is_halted,
            thread: Some(thread),
        })
    }
}

/// A board and its line, on the thread that lets time pass.
struct Passing {
    bench: PicoBench,
    line: PicoLine,
    debugger: Option<DebuggerPort>,
    arriving: Receiver<Vec<u8>>,
    sent: Sender<Vec<u8>>,
}

impl Passing {
    /// Lets the chip's time pass until `stop` is set, except while a debugger has it
    /// halted.
    fn pass_time(&mut self, stop: &AtomicBool, is_halted: &AtomicBool) -> io::Result<()> {
        let mut bytes = Vec::new();
        let mut spoken_us = 0;
        // When the line fell silent, by the chip's clock and by this computer's.
        let mut quiet = (0, Instant::now());
        while !stop.load(Ordering::Acquire) {
            if self.serve_debugger(is_halted)? {
                // Bytes for a halted chip wait, as in a real line.
                std::thread::sleep(HALTED);
                quiet.1 += HALTED;
                continue;
            }
            bytes.extend(self.arriving.try_iter().flatten());
            let is_told = !bytes.is_empty();
            let (now_us, said) = self.bench.run_line(SLICE_US, self.line, &bytes)?;
            bytes.clear();
            if is_told || !said.is_empty() {
                spoken_us = now_us;
            }
            if !said.is_empty() && !reaches_line(&self.sent, said) {
                return Ok(());
            }
            if now_us - spoken_us < QUIET_US {
                quiet = (now_us, Instant::now());
                continue;
            }
            let (since_us, since) = quiet;
            let at = since + Duration::from_micros(now_us - since_us);
            let wait = at.saturating_duration_since(Instant::now());
            match self.arriving.recv_timeout(wait) {
                Ok(more) => bytes = more,
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Ok(()),
            }
        }
        Ok(())
    }

    /// Passes the debugger's bytes to the chip, and its answers back. True while the chip
    /// is halted.
    fn serve_debugger(&mut self, is_halted: &AtomicBool) -> io::Result<bool> {
        let Some(debugger) = &mut self.debugger else {
            return Ok(false);
        };
        let now = debugger.attend(&mut self.bench)?;
        is_halted.store(now, Ordering::Release);
        Ok(now)
    }
}

/// Puts what the chip said on its line, if there is room. False once the line is gone.
fn reaches_line(sent: &Sender<Vec<u8>>, said: Vec<u8>) -> bool {
    !matches!(sent.try_send(said), Err(TrySendError::Disconnected(_)))
}

impl Dial for Pico {
    fn name(&self) -> &str {
        self.line.place()
    }

    fn dial(&mut self) -> Result<Box<dyn Link>, DriverError> {
        if let Some(why) = self.why_ended() {
            return Err(LinkError::open(why));
        }
        // Bytes that arrive without a listener are lost.
        self.from_chip.try_iter().for_each(drop);
        let line = Loopback::over(self.to_chip.clone(), self.from_chip.clone());
        Ok(Box::new(line))
    }

    fn is_halted(&mut self) -> bool {
        self.is_halted.load(Ordering::Acquire)
    }

    fn why_ended(&mut self) -> Option<String> {
        let ended = self.ended.lock();
        ended.clone()
    }
}

impl Drop for Pico {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Release);
        // Wakes the thread if it is waiting for bytes; if there is no room, it is not.
        let _ = self.to_chip.try_send(Vec::new());
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chip_is_not_held_up_by_a_line_that_nobody_reads() {
        let (sent, from_chip) = bounded(2);
        for said in 0..4 {
            assert!(reaches_line(&sent, vec![said]));
        }
        let read: Vec<Vec<u8>> = from_chip.try_iter().collect();
        assert_eq!(read, [[0], [1]]);
        drop(from_chip);
        assert!(!reaches_line(&sent, vec![4]));
    }
}
