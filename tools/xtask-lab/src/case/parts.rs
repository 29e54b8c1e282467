//! The parts for a board with a layout, and their numbers.

use std::fmt::Write;

use firmware_core::scan::{ScanLine, contact};
use protocol::{Button, Layout};

/// The number of outputs of a 74HC595.
const OUTPUTS: usize = 8;
/// The number of modules of the display.
const MODULES: usize = 3;

/// The parts for the matrix of a layout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MatrixNeeds {
    /// The number of keys: points and buttons.
    pub keys: usize,
    /// The number of lines at the shift registers, including that of the buttons.
    pub lines: usize,
    /// The number of rows, each at a pin of the Pico.
    pub rows: usize,
}

impl MatrixNeeds {
    /// The parts for a board of this layout.
    pub fn of(layout: Layout) -> MatrixNeeds {
        let rows = layout
            .iter()
            .map(|point| contact(layout, point).1 + 1)
            .max();
        MatrixNeeds {
            keys: layout.points() + Button::ALL.len(),
            lines: ScanLine::of(layout).count(),
            rows: usize::from(rows.unwrap_or_default()).max(Button::ALL.len()),
        }
    }

    /// The number of shift registers, which form a chain.
    pub fn registers(self) -> usize {
        self.lines.div_ceil(OUTPUTS)
    }
}

/// The list of parts, as a table.
pub fn list(layout: Layout) -> String {
    let needs = MatrixNeeds::of(layout);
    let points = layout.points();
    let lights = points + 2;
    let rows: [(usize, &str); 18] = [
        (1, "Raspberry Pi Pico (RP2040), with its USB cable"),
        (
            lights,
            "WS2812B lights, 5 V: strips with 60 lights per metre match the spacing of the plates",
        ),
        (needs.keys, "tactile switches, 6x6 mm"),
        (needs.keys, "diodes 1N4148"),
        (needs.registers(), "74HC595 in DIP-16"),
        (needs.rows, "resistors 10 kΩ, rows to 3V3"),
        (
            MODULES,
            "HT16K33 modules with four 14-segment letters each, addresses 0x70, 0x71 and 0x72",
        ),
        (1, "piezo without electronics of its own"),
        (
            1,
            "74AHCT125: lifts the data of the lights from 3.3 V to 5 V",
        ),
        (1, "resistor 330 Ω, in the data line of the lights"),
        (1, "capacitor 1,000 µF, 6.3 V, at the supply of the lights"),
        (needs.registers() + 1, "capacitors 100 nF, one at each chip"),
        (
            points,
            "caps of milky acrylic, 3 mm, with a foot that reaches the switch",
        ),
        (Button::ALL.len(), "caps of the buttons"),
        (
            1,
            "front plate and carrier, 3 mm (`front.svg`, `carrier.svg`)",
        ),
        (1, "box, printed (`box.stl`)"),
        (4, "screws M3x16"),
        (
            1,
            "adapter from USB to serial, 3.3 V: only if UART0 is to be the line",
        ),
    ];
    let mut text = String::from("| number | part |\n| ---: | --- |\n");
    for (number, part) in rows {
        let _ = writeln!(text, "| {number} | {part} |");
    }
    text
}
