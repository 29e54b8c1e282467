//! Novation Launchpad Mini MK3, X and Pro MK3, in programmer mode.
//!
//! The source is the *Programmer's reference manual* of each, quoted as \[Mini\], \[X\] and
//! \[Pro\] with the heading. In programmer mode a key sends a message when it goes down and
//! when it comes up, pads a note and the others a control change, and no key does what is
//! printed on it.
//!
//! Invariants: all lamps go in one message, so that none is seen without the
//! others; only pads, the row above them and the column to their right are lit, 80 lamps
//! of the 81 that a message of the Mini and the X may light.

use protocol::Colour;

use crate::form::{KeySpot, PanelForm, PanelLamp, PanelPicture};
use crate::midi::{MidiMessage, MidiReader};

/// The model of a Launchpad. Its number is the last byte of the header of its
/// messages: *SysEx message format used by the device* in each manual.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LaunchpadModel {
    /// The Novation Launchpad X.
    X = 0x0C,
    /// The Novation Launchpad Mini MK3.
    Mini = 0x0D,
    /// The Novation Launchpad Pro MK3.
    Pro = 0x0E,
}

impl LaunchpadModel {
    /// All models that are supported.
    pub const ALL: [LaunchpadModel; 3] =
        [LaunchpadModel::Mini, LaunchpadModel::X, LaunchpadModel::Pro];

    /// The maker's name of the model.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            LaunchpadModel::X => "Launchpad X",
            LaunchpadModel::Mini => "Launchpad Mini MK3",
            LaunchpadModel::Pro => "Launchpad Pro MK3",
        }
    }

    /// A system exclusive message to this model.
    fn message(self, data: &[u8]) -> Vec<u8> {
        [&HEADER[..], &[self as u8], data, &[END]].concat()
    }
}

/// Before the number of the model: *SysEx message format used by the device*.
const HEADER: [u8; 5] = [0xF0, 0x00, 0x20, 0x29, 0x02];
const END: u8 = 0xF7;

/// *Selecting layouts*. Without data it asks which one is chosen.
const LAYOUT: u8 = 0x00;
/// The command of the *LED lighting SysEx message*.
const LIGHT: u8 = 0x03;
/// The lighting type of three bytes for red, green and blue, each 0 to 127.
const RGB: u8 = 0x03;
/// \[X\] *Programmer / Live mode switch*: 0 for live mode, 1 for programmer mode.
const MODE: u8 = 0x0E;

/// The largest share of a colour.
const FULL: u8 = 127;

/// True for the name of the MIDI port at which programmer mode talks. Each Launchpad has
/// others, for DAW programs and for other MIDI devices: *MIDI on Launchpad ...* in its
/// manual.
#[must_use]
pub fn is_port(name: &str) -> bool {
    let models = [
        "Launchpad Mini MK3",
        "LPMiniMK3",
        "Launchpad X",
        "LPX",
        "Launchpad Pro MK3",
        "LPProMK3",
    ];
    let is_one = models.iter().any(|model| name.contains(model));
    is_one && !name.contains("DAW") && !name.contains("DIN")
}

/// Asks every model for its layout; the connected one answers with its own header.
/// The answer to a device inquiry does not distinguish them: the manuals of X and Pro
/// give the same one.
#[must_use]
pub fn inquiry() -> Vec<u8> {
    let questions = LaunchpadModel::ALL.map(|model| model.message(&[LAYOUT]));
    questions.concat()
}

/// Switches to programmer mode.
///
/// A Pro is sent the layout of that name, 11h, followed by its page and a zero (\[Pro\]
/// *Selecting layouts*): the contents of its manual list no switch.
#[must_use]
pub fn enter(model: LaunchpadModel) -> Vec<u8> {
    match model {
        LaunchpadModel::X | LaunchpadModel::Mini => model.message(&[MODE, 1]),
        LaunchpadModel::Pro => model.message(&[LAYOUT, 0x11, 0, 0]),
    }
}

/// Switches back to normal use: live mode, and on a Pro the layout *Note / Drum*,
/// 04h.
#[must_use]
pub fn leave(model: LaunchpadModel) -> Vec<u8> {
    match model {
        LaunchpadModel::X | LaunchpadModel::Mini => model.message(&[MODE, 0]),
        LaunchpadModel::Pro => model.message(&[LAYOUT, 0x04, 0, 0]),
    }
}

/// The number of a lamp, and of the note or control change of its key: *Programmer mode
/// layout*. The lower left pad is 11, the upper left 81, the lower right 18; the row
/// above is 91 to 98, the column to the right 89 to 19.
const fn index(spot: KeySpot) -> u8 {
    10 * (9 - spot.row) + spot.column + 1
}

/// The key of that number.
fn spot(index: u8) -> Option<KeySpot> {
    let spot = KeySpot {
        column: (index % 10).checked_sub(1)?,
        row: 9_u8.checked_sub(index / 10)?,
    };
    // The corner is a logo: it is lit, and nobody can press it.
    let is_key = PanelForm::Launchpad.has(spot) && index != 99;
    is_key.then_some(spot)
}

/// The message that lights all lamps.
#[must_use]
pub fn lights(model: LaunchpadModel, picture: &PanelPicture) -> Vec<u8> {
    let mut data = vec![LIGHT];
    for spot in PanelForm::Launchpad.spots() {
        if index(spot) != 99 {
            let [red, green, blue] = rgb(picture.lamp(spot));
            data.extend([RGB, index(spot), red, green, blue]);
        }
    }
    model.message(&data)
}

/// The red, green and blue values of a lamp. Lamps differ from screens: equal shares
/// of red and green look green, so mixtures have less green.
fn rgb(lamp: PanelLamp) -> [u8; 3] {
    /// In the order of the palette's names.
    const SHARES: [[u8; 3]; Colour::COUNT] = [
        [0, 0, 0],
        [0, FULL, 0],
        [FULL, 0, 0],
        [FULL, 60, 0],
        [0, 0, FULL],
        [0, 90, 90],
        [70, 0, FULL],
        [FULL, 20, 60],
        [FULL, 90, 0],
        [70, FULL, 0],
        [20, FULL, 50],
        [30, 0, 90],
        [FULL, 30, 0],
        [FULL, 30, 20],
        [60, 90, FULL],
        [FULL, 100, 90],
    ];
    let shares = SHARES[usize::from(lamp.colour.index())];
    match lamp.is_dim {
        true => shares.map(|share| share / 8),
        false => shares,
    }
}

/// A message from a Launchpad.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LaunchpadHeard {
    /// The device is of this model.
    Is(LaunchpadModel),
    /// A key went down or came up.
    Key(KeySpot, bool),
    /// A message that it should not send.
    Strange,
}

/// Reads the messages of a Launchpad.
#[derive(Clone, Debug, Default)]
pub struct LaunchpadReader {
    midi: MidiReader,
}

impl LaunchpadReader {
    /// Handles a byte; returns the message that it completes.
    pub fn take(&mut self, byte: u8) -> Option<LaunchpadHeard> {
        match self.midi.take(byte)? {
            MidiMessage::Channel(bytes) => channel(bytes),
            MidiMessage::Exclusive(bytes) => exclusive(&bytes),
            MidiMessage::Strange => Some(LaunchpadHeard::Strange),
        }
    }
}

fn channel([status, number, value]: [u8; 3]) -> Option<LaunchpadHeard> {
    // "It sends Note On with velocity zero for Note Offs" ([X] *MIDI on Launchpad
    // X*); a note off is accepted, too.
    let is_down = match status {
        0x90 | 0xB0 => value > 0,
        0x80 => false,
        // The pressure on a pad, of one and of all.
        0xA0 | 0xD0 => return None,
        _ => return Some(LaunchpadHeard::Strange),
    };
    let key = spot(number).map(|spot| LaunchpadHeard::Key(spot, is_down));
    // On a Pro these are the keys to the left (10 to 80, 90) and below (1 to 8, 101
    // to 108), which have no role here.
    let is_other_key = matches!(number, 1..=8 | 101..=108) || number.is_multiple_of(10);
    match key {
        None if is_other_key => None,
        None => Some(LaunchpadHeard::Strange),
        key => key,
    }
}

fn exclusive(bytes: &[u8]) -> Option<LaunchpadHeard> {
    let after = bytes.strip_prefix(&HEADER);
    let model = after.and_then(|after| {
        let number = after.first()?;
        let mut models = LaunchpadModel::ALL.into_iter();
        models.find(|model| *model as u8 == *number)
    });
    let command = after.and_then(|after| after.get(1));
    match (model, command) {
        (Some(model), Some(&LAYOUT)) => Some(LaunchpadHeard::Is(model)),
        // The answer to a question of another program.
        (Some(_), _) => None,
        _ => Some(LaunchpadHeard::Strange),
    }
}

#[cfg(test)]
mod tests;
