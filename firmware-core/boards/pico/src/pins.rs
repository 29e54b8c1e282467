//! The wiring of the Pico's pins. This is the only place that defines it: the image,
//! the table in README.md and the simulated wiring in tests use these constants.

/// The UART pin that sends to the host.
pub const UART_OUT: u8 = 0;
/// The UART pin that receives from the host.
pub const UART_IN: u8 = 1;
/// The data input of the first shift register.
pub const LINES_DATA: u8 = 2;
/// The clock of the shift registers, which shift by one at its rising edge.
pub const LINES_CLOCK: u8 = 3;
/// The latch of the shift registers: they output their contents at its rising edge.
pub const LINES_LATCH: u8 = 4;
/// The data line of the lights.
pub const LIGHTS: u8 = 5;
/// The first of [`ROWS`] consecutive pins for the rows of the matrix.
pub const FIRST_ROW: u8 = 6;
/// The number of rows of the matrix.
pub const ROWS: u8 = 16;
/// The pin of the piezo beeper.
pub const BEEPER: u8 = 22;
/// The data line of the bus of the display and the tiles.
pub const BUS_DATA: u8 = 26;
/// The clock of the same bus.
pub const BUS_CLOCK: u8 = 27;
/// The bus addresses of the display's modules, from the left.
pub const DISPLAY_MODULES: [u8; 3] = [0x70, 0x71, 0x72];
/// The number of lines of the matrix, at the outputs of the shift registers from QA of
/// the first one on: the buttons, then the columns.
pub const LINES: u8 = 17;

/// The address of the tile in the top left corner, and what is added to it for each
/// column, for each row, and for the tile of the buttons.
pub const TILES: [u8; 4] = [0x2E, 1, 4, 16];

/// The pins of the matrix and the lights, in the order in which the simulation in tests
/// receives them.
pub const MATRIX_AND_LIGHTS: [u8; 6] = [
    LINES_DATA,
    LINES_CLOCK,
    LINES_LATCH,
    LIGHTS,
    FIRST_ROW,
    ROWS,
];

/// Ranges of pins (first and last), and what each range is connected to.
pub const PINS: [(u8, u8, &str); 10] = [
    (UART_OUT, UART_OUT, "UART0, out: RX of the USB adapter"),
    (UART_IN, UART_IN, "UART0, in: TX of the USB adapter"),
    (LINES_DATA, LINES_DATA, "SER (14) of the first 74HC595"),
    (LINES_CLOCK, LINES_CLOCK, "SRCLK (11) of all 74HC595"),
    (LINES_LATCH, LINES_LATCH, "RCLK (12) of all 74HC595"),
    (LIGHTS, LIGHTS, "DIN of the first WS2812"),
    (
        FIRST_ROW,
        FIRST_ROW + ROWS - 1,
        "rows 1 to 16 of the matrix, each with 10 kΩ to 3V3",
    ),
    (BEEPER, BEEPER, "a piezo, its other pin to ground"),
    (
        BUS_DATA,
        BUS_DATA,
        "SDA of the display's modules, and of tiles",
    ),
    (
        BUS_CLOCK,
        BUS_CLOCK,
        "SCL of the display's modules, and of tiles",
    ),
];
