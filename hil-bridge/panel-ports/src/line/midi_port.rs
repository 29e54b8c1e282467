//! A Launchpad at one of the system's MIDI ports, found by its name.
//!
//! The system does not report that a port has disappeared, so the list of ports is checked
//! regularly.

use std::collections::VecDeque;
use std::io::{self, Read};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::time::{Duration, Instant};

use midir::{MidiInput, MidiInputConnection, MidiOutput, MidiOutputConnection};
use touchboard_panels::launchpad::is_port;

use super::{NoPanel, PanelLine};

/// The name under which this program appears in lists of MIDI programs.
const CLIENT: &str = "touchboard";

/// How often the list of ports is checked.
const LOOK_EVERY: Duration = Duration::from_millis(500);

/// The capacity of the queue of messages.
const MOST_MESSAGES: usize = 1_024;

/// The last byte of a system exclusive message; panels are only sent such messages.
const EXCLUSIVE_ENDS: u8 = 0xF7;

/// A port in both directions.
pub struct MidiPort {
    /// Dropping it closes the connection.
    _input: MidiInputConnection<SyncSender<Vec<u8>>>,
    output: MidiOutputConnection,
    messages: Receiver<Vec<u8>>,
    /// Bytes that were received but did not fit into a buffer.
    waiting: VecDeque<u8>,
    list: MidiInput,
    name: String,
    looked: Instant,
}

impl MidiPort {
    /// Opens the port whose name contains `name`, or the name of a Launchpad.
    pub fn open(name: Option<&str>) -> Result<(MidiPort, String), NoPanel> {
        let input = MidiInput::new(CLIENT).map_err(|error| NoPanel::Midi(error.into()))?;
        let output = MidiOutput::new(CLIENT).map_err(|error| NoPanel::Midi(error.into()))?;
        let list = MidiInput::new(CLIENT).map_err(|error| NoPanel::Midi(error.into()))?;
        let is_wanted = |port_name: &str| match name {
            Some(part) => port_name.contains(part),
            None => is_port(port_name),
        };
        let inputs = input.ports().into_iter().filter_map(|port| {
            let name = input.port_name(&port).ok()?;
            is_wanted(&name).then_some((port, name))
        });
        let outputs = output.ports().into_iter().find(|port| {
            let name = output.port_name(port);
            name.is_ok_and(|name| is_wanted(&name))
        });
        let found = { inputs }.next().zip(outputs);
        let ((from, its_name), to) = found.ok_or_else(|| match name {
            Some(part) => NoPanel::NoSuchPort(part.to_owned()),
            None => NoPanel::NoLaunchpad,
        })?;
        let (sender, messages) = sync_channel(MOST_MESSAGES);
        let take = |_time_us: u64, bytes: &[u8], sender: &mut SyncSender<Vec<u8>>| {
            // If the queue is full, nobody is waiting for this key.
            let _ = sender.try_send(bytes.to_vec());
        };
        let input = input.connect(&from, CLIENT, take, sender);
        let output = output.connect(&to, CLIENT);
        let port = MidiPort {
            _input: input.map_err(|error| NoPanel::Midi(error.to_string().into()))?,
            output: output.map_err(|error| NoPanel::Midi(error.to_string().into()))?,
            messages,
            waiting: VecDeque::new(),
            list,
            name: its_name.clone(),
            looked: Instant::now(),
        };
        Ok((port, its_name))
    }

    fn is_there(&self) -> bool {
        let names = self.list.ports().into_iter();
        let mut names = names.filter_map(|port| self.list.port_name(&port).ok());
        names.any(|name| name == self.name)
    }
}

impl PanelLine for MidiPort {
    fn send(&mut self, bytes: &[u8]) -> io::Result<()> {
        for message in bytes.split_inclusive(|byte| *byte == EXCLUSIVE_ENDS) {
            self.output.send(message).map_err(io::Error::other)?;
        }
        Ok(())
    }

    fn receive(&mut self, buffer: &mut [u8], timeout: Duration) -> io::Result<usize> {
        if self.looked.elapsed() >= LOOK_EVERY {
            self.looked = Instant::now();
            if !self.is_there() {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
        }
        if self.waiting.is_empty() {
            match self.messages.recv_timeout(timeout) {
                Ok(message) => self.waiting.extend(message),
                Err(RecvTimeoutError::Timeout) => return Ok(0),
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(io::ErrorKind::UnexpectedEof.into());
                }
            }
        }
        self.waiting.read(buffer)
    }
}
