//! The medium of a line, and the time that it needs for bytes, however fast its two ends
//! are.

/// A start bit, eight data bits and a stop bit.
pub const BITS_PER_BYTE: u64 = 10;

/// USB at full speed transfers bytes once in a frame of 1 ms (USB 2.0, 5.3.3), so an
/// answer is at least one frame later than its question.
const USB_FRAME_US: u64 = 1_000;

/// The medium that carries a line's bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LineMedium {
    /// A medium without a known time for each byte: a pseudo-terminal, a socket, an
    /// emulated chip, or an unknown line.
    #[default]
    Unpaced,
    /// A serial line at this speed.
    Serial {
        /// The speed in bits a second.
        baud: u32,
    },
    /// USB without a serial line behind it.
    Usb,
    /// USB to an adapter, and a serial line behind it.
    UsbSerial {
        /// The speed in bits a second.
        baud: u32,
    },
}

impl LineMedium {
    /// The shortest possible time from a question of `question_bytes` to its answer of
    /// `answer_bytes`, in microseconds.
    #[must_use]
    pub fn floor_us(self, question_bytes: u64, answer_bytes: u64) -> u64 {
        let bits = (question_bytes + answer_bytes) * BITS_PER_BYTE;
        let serial = |baud: u32| bits * 1_000_000 / u64::from(baud.max(1));
        match self {
            LineMedium::Unpaced => 0,
            LineMedium::Serial { baud } => serial(baud),
            LineMedium::Usb => USB_FRAME_US,
            LineMedium::UsbSerial { baud } => serial(baud) + USB_FRAME_US,
        }
    }

    /// The basis of the floor, in words.
    #[must_use]
    pub fn words(self) -> String {
        match self {
            LineMedium::Unpaced => "no baud rate".to_owned(),
            LineMedium::Serial { baud } => format!("{baud} baud"),
            LineMedium::Usb => "USB".to_owned(),
            LineMedium::UsbSerial { baud } => format!("USB, {baud} baud"),
        }
    }
}
