//! A virtual grid controller at a pseudo-terminal, in a thread of its own.

use std::fs::File;
use std::io::{self, Read, Write};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;

use parking_lot::{Mutex, MutexGuard};

use super::GridDevice;
use super::osc::OscPlug;
use crate::pty;

/// How long the thread sleeps when there are no bytes.
const TURN: Duration = Duration::from_millis(2);

/// The state shared by the thread and the owner of a grid.
struct Shared {
    device: Mutex<GridDevice>,
    line: File,
    is_ending: AtomicBool,
}

impl Shared {
    fn device(&self) -> MutexGuard<'_, GridDevice> {
        self.device.lock()
    }
}

/// A virtual grid controller that runs until this is dropped.
pub struct RunningGrid {
    /// The path of the pseudo-terminal, or of the link to it if one was requested.
    pub path: PathBuf,
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
    link: Option<PathBuf>,
    osc: Option<OscPlug>,
}

impl RunningGrid {
    /// Plugs in the device, with a link to its pseudo-terminal if one is named.
    ///
    /// # Errors
    /// An error of the system if no pseudo-terminal is available, or the link cannot be
    /// made.
    pub fn plug_in(device: GridDevice, link: Option<&Path>) -> io::Result<RunningGrid> {
        let (line, path) = pty::open()?;
        if let Some(link) = link {
            pty::link(&path, link)?;
        }
        let shared = Arc::new(Shared {
            device: Mutex::new(device),
            line,
            is_ending: AtomicBool::new(false),
        });
        let its = Arc::clone(&shared);
        let thread = std::thread::Builder::new().name("grid".to_owned());
        let thread = thread.spawn(move || run(&its))?;
        let link = link.map(Path::to_owned);
        Ok(RunningGrid {
            path: link.clone().unwrap_or(path),
            shared,
            thread: Some(thread),
            link,
            osc: None,
        })
    }

    /// Makes the grid visible at this port to programs that use serialosc, and returns
    /// the address; port 0 means any free one.
    ///
    /// # Errors
    /// An error if the device is not a monome grid, or the port is in use.
    pub fn listen_for_osc(&mut self, port: u16) -> io::Result<SocketAddr> {
        let GridDevice::Monome(device) = self.device() else {
            return Err(io::Error::other(
                "only a monome grid speaks OSC: write --as monome, or leave --osc out",
            ));
        };
        let its = Arc::clone(&self.shared);
        // The answers are dropped: on the line, nobody would expect them.
        let take = move |bytes: &[u8]| {
            let mut device = its.device();
            bytes.iter().for_each(|byte| drop(device.take(*byte)));
        };
        let osc = OscPlug::open(port, device.sides(), Box::new(take))?;
        let address = osc.address();
        self.osc = Some(osc);
        address
    }

    /// A copy of the device in its current state.
    #[must_use]
    pub fn device(&self) -> GridDevice {
        self.shared.device().clone()
    }

    /// Presses or releases a key.
    ///
    /// # Errors
    /// A sentence that says how keys are named.
    pub fn key(&self, name: &[&str], is_down: bool) -> Result<(), String> {
        let bytes = self.shared.device().key(name, is_down)?;
        self.send(&bytes);
        Ok(())
    }

    /// Sends these bytes as if the device had sent them.
    pub fn send(&self, bytes: &[u8]) {
        // Without a program at the other end, nobody reads the bytes.
        let _ = (&self.shared.line).write_all(bytes);
        if let Some(osc) = &self.osc {
            osc.sent(bytes);
        }
    }

    /// Carries out a line of the standard input: `down`, `up` and `press` move a finger,
    /// `look` describes the lamps.
    ///
    /// # Errors
    /// A sentence that lists the possible commands.
    pub fn line(&self, line: &str) -> Result<Vec<String>, String> {
        let words: Vec<&str> = line.split_whitespace().collect();
        match &words[..] {
            [] => {}
            ["down", key @ ..] => self.key(key, true)?,
            ["up", key @ ..] => self.key(key, false)?,
            ["press", key @ ..] => {
                self.key(key, true)?;
                self.key(key, false)?;
            }
            ["look"] => return Ok(self.device().picture()),
            _ => {
                return Err(format!(
                    "`{line}` is not an action of a grid: write `down KEY`, `up KEY`, `press KEY` or `look`"
                ));
            }
        }
        Ok(Vec::new())
    }
}

impl Drop for RunningGrid {
    fn drop(&mut self) {
        self.shared.is_ending.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
        if let Some(link) = &self.link {
            // If the link cannot be removed, it leads nowhere.
            let _ = std::fs::remove_file(link);
        }
    }
}

/// Reads and answers until the end. Reading fails while no program has opened the other
/// side; the next program finds the device in its last state.
fn run(shared: &Shared) {
    let mut buffer = [0; 1024];
    while !shared.is_ending.load(Ordering::Relaxed) {
        let count = match (&shared.line).read(&mut buffer) {
            Ok(count) if count > 0 => count,
            _ => {
                std::thread::sleep(TURN);
                continue;
            }
        };
        let mut device = shared.device();
        let bytes = buffer.get(..count).unwrap_or_default().iter();
        let answers: Vec<u8> = bytes.flat_map(|byte| device.take(*byte)).collect();
        drop(device);
        if !answers.is_empty() {
            let _ = (&shared.line).write_all(&answers);
        }
    }
}
