//! An emulated board whose time goes by itself.
//!
//! Invariants: in lockstep its time goes as fast as the computer can, otherwise no faster
//! than real time.

use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, unbounded};
use touchboard_host::driver::DriverError;

use super::{PicoBench, PicoBoard, PicoLine, Said};
use crate::LinkError;
use crate::client::Dial;
use crate::link::Link;

/// How much time of the chip passes at once.
const SLICE_US: u32 = 1_000;
/// A line that was quiet for so long is no conversation in lockstep: time goes by as it
/// does elsewhere.
const QUIET_US: u64 = 20_000;

/// An emulated board at the end of one of its lines; it ends when this is dropped.
pub struct Pico {
    line: PicoLine,
    to_chip: Sender<Vec<u8>>,
    from_chip: Receiver<Vec<u8>>,
    ended: Arc<Mutex<Option<String>>>,
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Pico {
    /// Switches this one on, and writes the edges at its pins into a file if there is one.
    ///
    /// # Errors
    /// As [`PicoBench::start`], and when the file cannot be written.
    pub fn start(board: &PicoBoard, edges: Option<&Path>) -> Result<Pico, DriverError> {
        let line = board.line;
        let mut bench = PicoBench::start_board(board)?;
        let recorded = bench.record_edges(edges);
        recorded.map_err(|error| LinkError::open(error.to_string()))?;
        let (to_chip, arriving) = unbounded();
        let (sent, from_chip) = unbounded();
        let stop = Arc::new(AtomicBool::new(false));
        let ended = Arc::new(Mutex::new(None));
        let (stopped, why) = (Arc::clone(&stop), Arc::clone(&ended));
        let thread = std::thread::Builder::new()
            .name("emulated pico".into())
            .spawn(move || {
                if let Err(error) = pass_time(bench, line, &arriving, &sent, &stopped) {
                    *why.lock().unwrap_or_else(PoisonError::into_inner) = Some(error.to_string());
                }
            })
            .map_err(|error| LinkError::open(format!("no thread for the board: {error}")))?;
        Ok(Pico {
            line,
            to_chip,
            from_chip,
            ended,
            stop,
            thread: Some(thread),
        })
    }
}

/// Lets the chip's time pass until it is told to stop.
fn pass_time(
    mut bench: PicoBench,
    line: PicoLine,
    arriving: &Receiver<Vec<u8>>,
    sent: &Sender<Vec<u8>>,
    stop: &AtomicBool,
) -> io::Result<()> {
    let mut bytes = Vec::new();
    let mut spoken_us = 0;
    // When the line fell quiet, by both clocks.
    let mut quiet = (0, Instant::now());
    while !stop.load(Ordering::Acquire) {
        bytes.extend(arriving.try_iter().flatten());
        let is_told = !bytes.is_empty();
        let mut both: [&[u8]; 2] = [&[]; 2];
        both[line as usize] = &bytes;
        let Said {
            now_us,
            bytes: said,
        } = bench.run_both(SLICE_US, both)?;
        let [uart, usb] = said;
        let said = match line {
            PicoLine::Uart => uart,
            PicoLine::Usb => usb,
        };
        bytes.clear();
        if is_told || !said.is_empty() {
            spoken_us = now_us;
        }
        if !said.is_empty() && sent.send(said).is_err() {
            return Ok(());
        }
        if now_us - spoken_us < QUIET_US {
            quiet = (now_us, Instant::now());
            continue;
        }
        let (since_us, since) = quiet;
        let at = since + Duration::from_micros(now_us - since_us);
        match arriving.recv_timeout(at.saturating_duration_since(Instant::now())) {
            Ok(more) => bytes = more,
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => return Ok(()),
        }
    }
    Ok(())
}

impl Dial for Pico {
    fn name(&self) -> &str {
        self.line.place()
    }

    fn dial(&mut self) -> Result<Box<dyn Link>, DriverError> {
        if let Some(why) = self.why_ended() {
            return Err(LinkError::open(why));
        }
        // What was said to nobody is gone.
        self.from_chip.try_iter().for_each(drop);
        Ok(Box::new(PicoLink {
            to_chip: self.to_chip.clone(),
            from_chip: self.from_chip.clone(),
            rest: Vec::new(),
        }))
    }

    fn why_ended(&mut self) -> Option<String> {
        let ended = self.ended.lock().unwrap_or_else(PoisonError::into_inner);
        ended.clone()
    }
}

impl Drop for Pico {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Release);
        // So that it does not wait for what arrives.
        let _ = self.to_chip.send(Vec::new());
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// One end of the line to a [`Pico`].
struct PicoLink {
    to_chip: Sender<Vec<u8>>,
    from_chip: Receiver<Vec<u8>>,
    /// What came and did not fit the last buffer.
    rest: Vec<u8>,
}

impl Link for PicoLink {
    fn send(&mut self, bytes: &[u8]) -> io::Result<()> {
        let sent = self.to_chip.send(bytes.to_vec());
        sent.map_err(|_| io::ErrorKind::UnexpectedEof.into())
    }

    fn receive(&mut self, buffer: &mut [u8], timeout: Duration) -> io::Result<usize> {
        if self.rest.is_empty() {
            match self.from_chip.recv_timeout(timeout) {
                Ok(bytes) => self.rest = bytes,
                Err(RecvTimeoutError::Timeout) => return Ok(0),
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(io::ErrorKind::UnexpectedEof.into());
                }
            }
        }
        let length = self.rest.len().min(buffer.len());
        let taken = self.rest.drain(..length);
        for (place, byte) in buffer.iter_mut().zip(taken) {
            *place = byte;
        }
        Ok(length)
    }

    fn try_clone(&self) -> io::Result<Box<dyn Link>> {
        Ok(Box::new(PicoLink {
            to_chip: self.to_chip.clone(),
            from_chip: self.from_chip.clone(),
            rest: Vec::new(),
        }))
    }
}
