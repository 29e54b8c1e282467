//! A touch board as a process, which other programs see as a serial device.
//!
//! The firmware, and the loop around it, are the same as on a microcontroller. This crate
//! is the port: a pseudo-terminal and a TCP socket for a UART, the computer's clock for a
//! timer, and a key matrix under [`Fingers`], which is sampled each millisecond and
//! debounced as on any board.
//!
//! ```no_run
//! use virtual_board::{Options, spawn};
//!
//! let board = spawn(Options::default())?;
//! println!("plugged in at {:?}", board.path);
//! # Ok::<(), std::io::Error>(())
//! ```

#![deny(missing_docs)]
#![forbid(unsafe_code)]

pub mod faults;
mod fingers;
pub mod grid;
mod hand;
mod options;
mod own_panel;
mod plugs;
mod port;
mod power;
#[cfg(unix)]
mod pty;

use std::io::{self, Write};
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;

use firmware_core::{AnyBoard, Broken, Keeping};
use mio::Waker;
use touchboard_files::KeepFile;

pub use faults::FaultOptions;
pub use fingers::{FINGERS, Fingers};
pub use options::{Options, roster};
use plugs::Plugs;
use port::Port;
pub use touchboard_panel_ports::PanelChoice;

/// A virtual board that runs in a thread of its own until this is dropped.
#[derive(Debug)]
pub struct Running {
    /// The path of the pseudo-terminal, or of the link to it if one was requested.
    pub path: Option<PathBuf>,
    /// The address on which the board listens.
    pub tcp: Option<SocketAddr>,
    /// The fingers on the key matrix.
    pub fingers: Fingers,
    switch: Switch,
    thread: Option<JoinHandle<io::Result<()>>>,
}

/// Switches on a virtual board.
///
/// # Errors
/// An error if no pseudo-terminal is available, the link cannot be made, the address is
/// in use, a fault names a point that the board lacks, or the kept data cannot be stored
/// in its file.
pub fn spawn(options: Options) -> io::Result<Running> {
    let faults = options.faults.0.clone();
    let kept = options.keep.as_deref().map(KeepFile::open).transpose();
    let kept = kept.map_err(io::Error::other)?;
    let (layout, refused) = options.layout_at_power_on(kept.as_ref());
    if let Some(sentence) = refused {
        // If this fails too, there is nowhere to report it.
        let _ = writeln!(io::stderr(), "{sentence}");
    }
    fingers::check_faults(&faults, layout)
        .map_err(|sentence| io::Error::new(io::ErrorKind::InvalidInput, sentence))?;
    let plugs = Plugs::open(&options)?;
    let (path, tcp, waker) = (plugs.path(), plugs.tcp(), plugs.waker());
    let stop = Arc::new(AtomicBool::new(false));
    let stopped = Arc::clone(&stop);
    let fingers = Fingers::new(layout, faults, Arc::clone(&waker));
    let moved = fingers.clone();
    let board = AnyBoard::with_games(layout, options.games, options.seed)
        .map_err(|refusal| io::Error::new(io::ErrorKind::InvalidInput, refusal))?;
    let thread = std::thread::Builder::new()
        .name("virtual board".to_owned())
        .spawn(move || {
            if options.break_rule {
                let board = Keeping::new(Broken::new(board));
                Port::new(board, kept, options, plugs, moved).run(&stopped)
            } else if options.break_down {
                let board = Keeping::new(Broken::that_panics(board));
                Port::new(board, kept, options, plugs, moved).run(&stopped)
            } else {
                Port::new(Keeping::new(board), kept, options, plugs, moved).run(&stopped)
            }
        })?;
    Ok(Running {
        path,
        tcp,
        fingers,
        switch: Switch { stop, waker },
        thread: Some(thread),
    })
}

/// Switches off a virtual board from another thread.
#[derive(Clone, Debug)]
pub struct Switch {
    stop: Arc<AtomicBool>,
    waker: Arc<Waker>,
}

impl Switch {
    /// Switches off the board; [`Running::wait`] then returns.
    pub fn off(&self) {
        self.stop.store(true, Ordering::Relaxed);
        // If the thread cannot be woken, it has already ended.
        let _ = self.waker.wake();
    }
}

impl Running {
    /// A switch that turns the board off.
    #[must_use]
    pub fn switch(&self) -> Switch {
        self.switch.clone()
    }

    /// Waits until the board is switched off or fails; it does not end by itself.
    ///
    /// # Errors
    /// The error with which the board failed.
    pub fn wait(mut self) -> io::Result<()> {
        self.thread.take().map_or(Ok(()), |thread| {
            thread
                .join()
                .unwrap_or_else(|_| Err(io::Error::other("the virtual board panicked")))
        })
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.switch.off();
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}
