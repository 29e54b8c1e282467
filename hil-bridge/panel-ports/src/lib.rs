//! A grid controller as the front panel of a board: its port, and the thread that reads
//! its keys and lights its lamps.
//!
//! ```no_run
//! use touchboard_panel_ports::{OwnedPanel, PortNews};
//!
//! let panel = OwnedPanel::plug_in("monome:/dev/ttyUSB0".parse()?, || {})?;
//! for news in panel.take_news() {
//!     match news {
//!         PortNews::Finger(input) => println!("the board feels {input:?}"),
//!         PortNews::Say(sentence) => println!("{sentence}"),
//!     }
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The virtual board, the window and the command use this crate. [`touchboard_panels`]
//! encodes and decodes the bytes.
//!
//! Invariants: a panel that is missing or was unplugged is searched for until it is
//! there; when an [`OwnedPanel`] is dropped, even by a panic, its lamps are off; queues
//! have limits.

#![deny(missing_docs)]
#![forbid(unsafe_code)]

mod line;
mod thread;

use std::io;
use std::sync::Arc;
use std::thread::JoinHandle;

use firmware_core::scan::ScanLine;
use firmware_core::{FrontPanel, Seen};
use protocol::{Input, Layout};
pub use touchboard_panels::PanelChoice;

use thread::Shared;

/// News of a panel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PortNews {
    /// An input of the board, from a key.
    Finger(Input),
    /// A sentence for a person.
    Say(String),
}

/// A panel that is plugged in, or is being searched for.
#[derive(Debug)]
pub struct OwnedPanel {
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
}

impl OwnedPanel {
    /// Starts to search for this panel. `wake` is called whenever there is news.
    ///
    /// # Errors
    /// When no thread can be created.
    pub fn plug_in(
        choice: PanelChoice,
        wake: impl Fn() + Send + 'static,
    ) -> io::Result<OwnedPanel> {
        let shared = Arc::new(Shared::default());
        let its = Arc::clone(&shared);
        let thread = std::thread::Builder::new().name("panel".to_owned());
        let thread = thread.spawn(move || thread::run(&choice, &its, &wake))?;
        Ok(OwnedPanel {
            shared,
            thread: Some(thread),
        })
    }

    /// Shows this frame on the panel.
    pub fn show(&self, layout: Layout, seen: &Seen) {
        self.shared.show(layout, seen);
    }

    /// Takes the news since the last call, in order.
    #[must_use]
    pub fn take_news(&self) -> Vec<PortNews> {
        self.shared.take_news()
    }

    /// Turns the lamps off. Returns the news since [`OwnedPanel::take_news`], including
    /// the release of keys that were down.
    #[must_use]
    pub fn end(mut self) -> Vec<PortNews> {
        self.wait_for_its_end();
        self.take_news()
    }

    fn wait_for_its_end(&mut self) {
        self.shared.end();
        if let Some(thread) = self.thread.take() {
            // If the thread panicked, it has already ended.
            let _ = thread.join();
        }
    }
}

/// For boards that drive front panels. Fingers come from [`OwnedPanel::take_news`],
/// because the device debounces its keys.
impl FrontPanel for OwnedPanel {
    fn sample(&mut self, _line: ScanLine) -> u16 {
        0
    }

    fn is_free(&mut self) -> bool {
        true
    }

    fn show(&mut self, layout: Layout, seen: &Seen) {
        OwnedPanel::show(self, layout, seen);
    }
}

impl Drop for OwnedPanel {
    fn drop(&mut self) {
        self.wait_for_its_end();
    }
}
