//! Splits a stream of MIDI bytes into messages (MIDI 1.0 Detailed Specification,
//! "Data Format").
//!
//! A byte from 80h on begins a message, and determines how many bytes below 80h
//! belong to it; it may be omitted if it equals that of the message before ("running
//! status"). Bytes from F8h on are single messages, even inside others. A system
//! exclusive message extends from F0h to F7h.
//!
//! Invariants: a system exclusive message longer than [`MOST_BYTES`] is read to its
//! end and dropped.

/// The maximum length of a stored system exclusive message, in bytes: twice the longest
/// that a Launchpad sends, which is its answer to a device inquiry.
pub const MOST_BYTES: usize = 34;

const EXCLUSIVE: u8 = 0xF0;
const EXCLUSIVE_ENDS: u8 = 0xF7;
const FIRST_REAL_TIME: u8 = 0xF8;

/// A complete message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MidiMessage {
    /// A channel message: its status byte, and its two data bytes (the second is 0 if
    /// there is only one).
    Channel([u8; 3]),
    /// A system exclusive message, including its first and last byte.
    Exclusive(Vec<u8>),
    /// Not a message of a panel: a byte outside of messages, or a system exclusive
    /// message that is too long or incomplete.
    Strange,
}

/// Reads messages from a stream of MIDI bytes.
#[derive(Clone, Debug, Default)]
pub struct MidiReader {
    /// The status byte that applies, if there is one.
    status: Option<u8>,
    /// The first data byte of a message that needs two.
    first: Option<u8>,
    exclusive: Vec<u8>,
}

impl MidiReader {
    /// Handles a byte. Returns the message that it completes.
    pub fn take(&mut self, byte: u8) -> Option<MidiMessage> {
        match byte {
            FIRST_REAL_TIME.. => None,
            EXCLUSIVE_ENDS => {
                let is_one = self.status.take() == Some(EXCLUSIVE);
                let mut bytes = std::mem::take(&mut self.exclusive);
                bytes.push(byte);
                let is_whole = is_one && bytes.len() <= MOST_BYTES;
                Some(match is_whole {
                    true => MidiMessage::Exclusive(bytes),
                    false => MidiMessage::Strange,
                })
            }
            0x80.. => {
                let broken_off = self.status == Some(EXCLUSIVE);
                self.first = None;
                self.exclusive.clear();
                self.status = Some(byte);
                if byte == EXCLUSIVE {
                    self.exclusive.push(byte);
                }
                broken_off.then_some(MidiMessage::Strange)
            }
            _ => self.data(byte),
        }
    }

    fn data(&mut self, byte: u8) -> Option<MidiMessage> {
        let Some(status) = self.status else {
            return Some(MidiMessage::Strange);
        };
        match status {
            EXCLUSIVE => {
                // One more byte than is stored shows that the message is too long.
                if self.exclusive.len() < MOST_BYTES {
                    self.exclusive.push(byte);
                }
                None
            }
            // Panels send no other system messages; their data bytes are ignored.
            0xF1.. => None,
            0xC0..=0xDF => Some(MidiMessage::Channel([status, byte, 0])),
            _ => match self.first.take() {
                None => {
                    self.first = Some(byte);
                    None
                }
                Some(first) => Some(MidiMessage::Channel([status, first, byte])),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(bytes: &[u8]) -> Vec<MidiMessage> {
        let mut reader = MidiReader::default();
        bytes.iter().filter_map(|byte| reader.take(*byte)).collect()
    }

    #[test]
    fn running_status_is_kept_and_clock_bytes_ignored() {
        let bytes = [0x90, 11, 0xF8, 127, 12, 5, 0xD0, 9, 0xB0, 91, 0];
        let messages = [[0x90, 11, 127], [0x90, 12, 5], [0xD0, 9, 0], [0xB0, 91, 0]];
        assert_eq!(read(&bytes), messages.map(MidiMessage::Channel));
    }

    #[test]
    fn an_exclusive_message_is_kept_up_to_its_bound() {
        let exclusive = |data: usize| {
            let data = vec![1; data];
            [&[EXCLUSIVE][..], &data, &[EXCLUSIVE_ENDS]].concat()
        };
        let longest = exclusive(MOST_BYTES - 2);
        assert_eq!(read(&longest), [MidiMessage::Exclusive(longest.clone())]);
        assert_eq!(read(&exclusive(MOST_BYTES - 1)), [MidiMessage::Strange]);
        assert_eq!(read(&exclusive(100_000)), [MidiMessage::Strange]);
    }

    #[test]
    fn stray_bytes_are_reported_as_strange() {
        assert_eq!(read(&[5]), [MidiMessage::Strange]);
        assert_eq!(read(&[EXCLUSIVE_ENDS]), [MidiMessage::Strange]);
        assert_eq!(read(&[EXCLUSIVE, 1, 0x90]), [MidiMessage::Strange]);
    }
}
