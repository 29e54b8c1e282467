//! A Launchpad Mini MK3, X or Pro MK3, written from the *Programmer's reference manual*
//! of each: its answers, and its lamps and keys in programmer mode. In other modes the
//! keys are for making music; they send nothing here.

const FIRST: u8 = 0xF0;
const LAST: u8 = 0xF7;

/// The size in bytes of the longest message that is stored: 81 lamps of five bytes, and
/// the bytes around them.
const MOST_BYTES: usize = 7 + 81 * 5 + 1;

/// The number of lamp numbers; there are fewer lamps.
const LAMPS: usize = 128;

/// *LED lighting SysEx message*: "up to 81 entries".
const MOST_ENTRIES: usize = 81;

/// How a lamp is lit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LaunchpadLamp {
    /// The lamp is dark.
    #[default]
    Off,
    /// A colour of the palette, whether static, flashing or pulsing.
    Palette(u8),
    /// Red, green and blue, each from 0 to 127.
    Rgb([u8; 3]),
}

/// A Launchpad without a line.
#[derive(Clone, Debug)]
pub struct LaunchpadDevice {
    /// The last byte of the header of its messages, which identifies the model.
    number: u8,
    /// The numbers of the layout of programmer mode and of the current layout.
    layouts: (u8, u8),
    layout: u8,
    /// The lamps, indexed by their numbers.
    lamps: Vec<LaunchpadLamp>,
    bytes: Vec<u8>,
    /// The number of lighting messages; `unknown` counts the bytes that are not valid
    /// messages.
    lightings: u64,
    unknown: u64,
}

impl LaunchpadDevice {
    fn new(number: u8, programmer: u8, first: u8) -> LaunchpadDevice {
        LaunchpadDevice {
            number,
            layouts: (programmer, first),
            layout: first,
            lamps: vec![LaunchpadLamp::Off; LAMPS],
            bytes: Vec::new(),
            lightings: 0,
            unknown: 0,
        }
    }

    /// A Launchpad Mini MK3 in its custom mode 1.
    #[must_use]
    pub fn mini() -> LaunchpadDevice {
        LaunchpadDevice::new(0x0D, 0x7F, 0x04)
    }

    /// A Launchpad X in its note mode.
    #[must_use]
    pub fn x() -> LaunchpadDevice {
        LaunchpadDevice::new(0x0C, 0x7F, 0x01)
    }

    /// A Launchpad Pro MK3 in its layout Note / Drum.
    #[must_use]
    pub fn pro() -> LaunchpadDevice {
        LaunchpadDevice::new(0x0E, 0x11, 0x04)
    }

    /// The last byte of the header of its messages.
    #[must_use]
    pub const fn number(&self) -> u8 {
        self.number
    }

    /// True while the device is in programmer mode.
    #[must_use]
    pub const fn is_programmer(&self) -> bool {
        self.layout == self.layouts.0
    }

    /// The number of received messages that light lamps.
    #[must_use]
    pub const fn lightings(&self) -> u64 {
        self.lightings
    }

    /// The number of unknown messages received.
    #[must_use]
    pub const fn unknown(&self) -> u64 {
        self.unknown
    }

    /// The state of the lamp with this number.
    #[must_use]
    pub fn lamp(&self, number: u8) -> LaunchpadLamp {
        let lamp = self.lamps.get(usize::from(number));
        lamp.copied().unwrap_or_default()
    }

    /// Handles a byte and returns the answer.
    pub fn take(&mut self, byte: u8) -> Vec<u8> {
        if byte >= 0x80 && byte != LAST {
            self.bytes.clear();
        }
        // A message that is too long is read to its end and recognised by its length.
        if self.bytes.len() <= MOST_BYTES {
            self.bytes.push(byte);
        }
        match (self.bytes.first(), self.bytes.len()) {
            (Some(&FIRST), _) if byte == LAST => {
                let message = std::mem::take(&mut self.bytes);
                self.exclusive(&message)
            }
            (Some(0x80..=0xBF), 3) => {
                let message = std::mem::take(&mut self.bytes);
                self.channel(&message);
                Vec::new()
            }
            (Some(0x00..=0x7F), _) => {
                self.bytes.clear();
                self.unknown += 1;
                Vec::new()
            }
            _ => Vec::new(),
        }
    }

    /// *Sending colours by MIDI events*: notes and control changes of channels 1 to 3.
    fn channel(&mut self, message: &[u8]) {
        let &[status, number, value] = message else {
            return;
        };
        let value = match status {
            0x90..=0x92 | 0xB0..=0xB2 => value,
            0x80..=0x82 => 0,
            _ => {
                self.unknown += 1;
                return;
            }
        };
        if self.is_programmer() {
            self.light(number, palette(value));
        }
    }

    fn light(&mut self, number: u8, lamp: LaunchpadLamp) {
        if let Some(place) = self.lamps.get_mut(usize::from(number)) {
            *place = lamp;
        }
    }

    fn exclusive(&mut self, message: &[u8]) -> Vec<u8> {
        // *Device Inquiry message*: asks for the identity of the device.
        if message == [FIRST, 0x7E, 0x7F, 0x06, 0x01, LAST] {
            let head = [FIRST, 0x7E, 0x00, 0x06, 0x02, 0x00, 0x20, 0x29];
            let rest = [0x13, 0x01, 0x00, 0x00, 0x00, 0x00, 0x01, 0x00, LAST];
            return [&head[..], &rest].concat();
        }
        let header = [FIRST, 0x00, 0x20, 0x29, 0x02, self.number];
        let data = message
            .strip_prefix(&header)
            .and_then(|rest| rest.strip_suffix(&[LAST]));
        let is_pro = self.number == 0x0E;
        match data {
            // *Selecting layouts*: without data it reads the layout back, with data it
            // selects one. A Pro adds a page and a zero.
            Some([0x00]) if is_pro => self.answer(&[0x00, self.layout, 0, 0]),
            Some([0x00]) => self.answer(&[0x00, self.layout]),
            Some(&[0x00, layout, _page, 0]) if is_pro => self.choose(layout),
            Some(&[0x00, layout]) if !is_pro => self.choose(layout),
            // *Programmer / Live mode switch*, which a Pro does not have.
            Some([0x0E]) if !is_pro => self.answer(&[0x0E, u8::from(self.is_programmer())]),
            Some([0x0E, 0]) if !is_pro => self.choose(self.layouts.1),
            Some([0x0E, 1]) if !is_pro => self.choose(self.layouts.0),
            Some([0x03, entries @ ..]) => self.lighting(entries),
            // Messages for a different model and unknown messages are ignored.
            _ => {
                let is_for_a_launchpad = message.starts_with(&header[..5]);
                self.unknown += u64::from(!is_for_a_launchpad || data.is_some());
                Vec::new()
            }
        }
    }

    fn answer(&self, data: &[u8]) -> Vec<u8> {
        let header = [FIRST, 0x00, 0x20, 0x29, 0x02, self.number];
        [&header[..], data, &[LAST]].concat()
    }

    fn choose(&mut self, layout: u8) -> Vec<u8> {
        if layout != self.layout {
            // Each layout has lights of its own.
            self.lamps.fill(LaunchpadLamp::Off);
        }
        self.layout = layout;
        Vec::new()
    }

    /// Carries out an *LED lighting SysEx message*.
    fn lighting(&mut self, mut entries: &[u8]) -> Vec<u8> {
        let mut lamps = Vec::new();
        while !entries.is_empty() {
            let (lamp, rest) = match *entries {
                [0 | 2, number, colour, ref rest @ ..] => ((number, palette(colour)), rest),
                [1, number, _, colour, ref rest @ ..] => ((number, palette(colour)), rest),
                [3, number, red, green, blue, ref rest @ ..] => {
                    ((number, shade([red, green, blue])), rest)
                }
                _ => {
                    self.unknown += 1;
                    return Vec::new();
                }
            };
            lamps.push(lamp);
            entries = rest;
        }
        if lamps.len() > MOST_ENTRIES {
            self.unknown += 1;
        } else if self.is_programmer() {
            self.lightings += 1;
            for (number, lamp) in lamps {
                self.light(number, lamp);
            }
        }
        Vec::new()
    }

    /// The bytes sent when the key with this number is pressed or released: *Programmer
    /// mode layout*. Pads send notes, the keys around them send control changes.
    #[must_use]
    pub fn key(&self, number: u8, is_down: bool) -> Vec<u8> {
        if !self.is_programmer() {
            return Vec::new();
        }
        let is_pad = (1..=8).contains(&(number / 10)) && (1..=8).contains(&(number % 10));
        let status = if is_pad { 0x90 } else { 0xB0 };
        vec![status, number, if is_down { 0x7F } else { 0 }]
    }

    /// As [`LaunchpadDevice::key`], with the number of the key as text.
    ///
    /// # Errors
    /// A sentence that says how keys are named.
    pub fn key_named(&self, name: &[&str], is_down: bool) -> Result<Vec<u8>, String> {
        let number = match name {
            [number] => number.parse().ok(),
            _ => None,
        };
        let is_key = |number: &u8| (11..=98).contains(number) && !number.is_multiple_of(10);
        let number = number.filter(is_key);
        let told = |number| self.key(number, is_down);
        number.map(told).ok_or_else(|| {
            "a key is its number in programmer mode: 11 is the lower left pad, 88 the upper right one, 91 the first key above them, 89 the first to their right".to_owned()
        })
    }

    /// One line for each row from the top: `.` for a dark lamp, otherwise the initial of
    /// the brightest component of its colour.
    #[must_use]
    pub fn picture(&self) -> Vec<String> {
        let letter = |lamp| match lamp {
            LaunchpadLamp::Off => '.',
            LaunchpadLamp::Palette(_) => 'p',
            LaunchpadLamp::Rgb([red, green, blue]) if red >= green && red >= blue => 'r',
            LaunchpadLamp::Rgb([_, green, blue]) if green >= blue => 'g',
            LaunchpadLamp::Rgb(_) => 'b',
        };
        let rows = (1..=9).rev();
        rows.map(|row| {
            let numbers = (1..=9).map(|column| 10 * row + column);
            numbers.map(|number| letter(self.lamp(number))).collect()
        })
        .collect()
    }
}

fn palette(colour: u8) -> LaunchpadLamp {
    match colour {
        0 => LaunchpadLamp::Off,
        colour => LaunchpadLamp::Palette(colour),
    }
}

fn shade(shares: [u8; 3]) -> LaunchpadLamp {
    match shares {
        [0, 0, 0] => LaunchpadLamp::Off,
        shares => LaunchpadLamp::Rgb(shares),
    }
}
