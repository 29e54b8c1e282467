//! The interface between the contest and a bot, version 1. You need not change it.
//!
//! Cells are numbered 0 to 255, row by row from the top left; blocks 0 to 15 in the same
//! way. A mark in a cell sends the opponent to a block: its position on the board is that
//! of the cell within its own block.

// A bot need not use everything.
#![allow(dead_code)]

/// The number of a cell: 16 times its row plus its column.
pub type Cell = u8;

/// The state of the game when it is your turn, byte by byte as the contest writes it.
#[repr(C, align(8))]
#[derive(Clone, Copy)]
pub struct State {
    /// The mark in each cell: 0 none, 1 yours, 2 your opponent's.
    pub cells: [u8; 256],
    /// The state of each block: 0 in play, 1 won by you, 2 won by your opponent, 3 drawn.
    pub blocks: [u8; 16],
    /// 1 for each block in which you may mark a cell now, otherwise 0.
    pub open: [u8; 16],
    /// The row of the last mark; 255 before the first one.
    pub last_row: u8,
    /// The column of the last mark; 255 before the first one.
    pub last_column: u8,
    /// 1 if you are x and began the game, 2 if you are o.
    pub you_are: u8,
    /// The version of the interface.
    pub version: u8,
    /// The number of marks of both sides so far.
    pub moves: u16,
    unused: u16,
    /// A seed for your random numbers, different in each game.
    pub seed: u64,
}

const _: () = assert!(size_of::<State>() == 304);

impl State {
    /// A state without any content.
    pub const NONE: State = State {
        cells: [0; 256],
        blocks: [0; 16],
        open: [0; 16],
        last_row: u8::MAX,
        last_column: u8::MAX,
        you_are: 0,
        version: 0,
        moves: 0,
        unused: 0,
        seed: 0,
    };

    /// The cells that you may mark now.
    pub fn legal(&self) -> impl Iterator<Item = Cell> + use<'_> {
        (0..=u8::MAX)
            .filter(|cell| self.cells[*cell as usize] == 0 && self.open[block_of(*cell)] != 0)
    }
}

/// The block that a cell lies in.
pub const fn block_of(cell: Cell) -> usize {
    (cell / 64 * 4 + cell % 16 / 4) as usize
}

/// The block to which a mark in this cell sends your opponent.
pub const fn target_of(cell: Cell) -> usize {
    (cell / 16 % 4 * 4 + cell % 4) as usize
}

/// The cell at this place of this block.
pub const fn cell_of(block: usize, place: usize) -> Cell {
    ((block / 4 * 4 + place / 4) * 16 + block % 4 * 4 + place % 4) as Cell
}

/// The functions that a bot can call. It need not call any.
#[cfg(target_arch = "wasm32")]
pub mod game {
    #[link(wasm_import_module = "game")]
    unsafe extern "C" {
        #[link_name = "log"]
        fn raw_log(text: *const u8, length: usize);
        #[link_name = "fuel_left"]
        fn raw_fuel_left() -> i64;
        #[link_name = "time_left_ms"]
        fn raw_time_left_ms() -> i32;
    }

    /// Writes a line for the bot's author; the last twenty are kept.
    pub fn log(text: &str) {
        // SAFETY: the contest only reads these bytes, before it returns.
        unsafe { raw_log(text.as_ptr(), text.len()) }
    }

    /// The fuel that is left for this move, about one unit per instruction. At the same
    /// point of a game, it is the same on every machine.
    pub fn fuel_left() -> i64 {
        // SAFETY: it has no arguments.
        unsafe { raw_fuel_left() }
    }

    /// The time that is left for this move, in milliseconds.
    pub fn time_left_ms() -> i32 {
        // SAFETY: it has no arguments.
        unsafe { raw_time_left_ms() }
    }
}

/// Makes a bot of a function from [`State`] to [`Cell`].
macro_rules! bot {
    ($choose:path) => {
        #[cfg(target_arch = "wasm32")]
        const _: () = {
            static mut STATE: $crate::interface::State = $crate::interface::State::NONE;

            /// The address at which the contest writes the state of the game.
            #[unsafe(no_mangle)]
            extern "C" fn state() -> *mut $crate::interface::State {
                &raw mut STATE
            }

            /// Called for each move of the bot; returns the cell to mark.
            #[unsafe(no_mangle)]
            extern "C" fn play() -> i32 {
                // SAFETY: there is a single thread, and the contest has written all
                // bytes; every combination of bytes is a valid state.
                let state = unsafe { STATE };
                i32::from($choose(&state))
            }

            /// A panic ends the bot, and it loses the game.
            #[panic_handler]
            fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
                core::arch::wasm32::unreachable()
            }
        };
    };
}
pub(crate) use bot;
