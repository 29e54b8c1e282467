//! The interface between the contest and a bot, version 1. There is no need to change
//! it.
//!
//! Cells have the numbers 0 to 255, row by row from the top left; blocks likewise 0
//! to 15. A mark in a cell sends the other player to the block whose position on the
//! board is that of the cell in its block.

// A bot need not use all of it.
#![allow(dead_code)]

/// The number of a cell: 16 times its row, plus its column.
pub type Cell = u8;

/// How a game stands when it is your turn, byte by byte as the contest writes it.
#[repr(C, align(8))]
#[derive(Clone, Copy)]
pub struct State {
    /// The mark in each cell: 0 nothing, 1 your mark, 2 the other's.
    pub cells: [u8; 256],
    /// How each block stands: 0 in play, 1 won by you, 2 by the other, 3 drawn.
    pub blocks: [u8; 16],
    /// 1 for each block in which you may make a mark now.
    pub open: [u8; 16],
    /// Row of the last mark, or 255 before the first.
    pub last_row: u8,
    /// Column of the last mark, or 255 before the first.
    pub last_column: u8,
    /// 1 if you are x and began, 2 if you are o.
    pub you_are: u8,
    /// The version of the interface.
    pub version: u8,
    /// Marks of both so far.
    pub moves: u16,
    unused: u16,
    /// A number of your own for chance: another one in each game.
    pub seed: u64,
}

const _: () = assert!(size_of::<State>() == 304);

impl State {
    /// Before the contest has written anything.
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

    /// The cells in which you may make a mark now.
    pub fn legal(&self) -> impl Iterator<Item = Cell> + use<'_> {
        (0..=u8::MAX)
            .filter(|cell| self.cells[*cell as usize] == 0 && self.open[block_of(*cell)] != 0)
    }
}

/// The block that a cell lies in.
pub const fn block_of(cell: Cell) -> usize {
    (cell / 64 * 4 + cell % 16 / 4) as usize
}

/// The block to which a mark in this cell sends the other player.
pub const fn target_of(cell: Cell) -> usize {
    (cell / 16 % 4 * 4 + cell % 4) as usize
}

/// The cell that is in this place of this block.
pub const fn cell_of(block: usize, place: usize) -> Cell {
    ((block / 4 * 4 + place / 4) * 16 + block % 4 * 4 + place % 4) as Cell
}

/// Functions that a bot can call. A bot that calls none does not need them.
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

    /// Writes a line for you: the last twenty are kept.
    pub fn log(text: &str) {
        // SAFETY: the contest only reads these bytes, before it returns.
        unsafe { raw_log(text.as_ptr(), text.len()) }
    }

    /// Fuel that is left for this move: about one unit an instruction. The same
    /// bot has as much left at the same place on every machine.
    pub fn fuel_left() -> i64 {
        // SAFETY: it has no arguments.
        unsafe { raw_fuel_left() }
    }

    /// Milliseconds that are left for this move.
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

            /// The address to which the contest writes the game state.
            #[unsafe(no_mangle)]
            extern "C" fn state() -> *mut $crate::interface::State {
                &raw mut STATE
            }

            /// Called for each move of the bot.
            #[unsafe(no_mangle)]
            extern "C" fn play() -> i32 {
                // SAFETY: there is one thread, and the contest has written all bytes;
                // every value of them is a state.
                let state = unsafe { STATE };
                i32::from($choose(&state))
            }

            /// A panic ends the bot, and the game with it.
            #[panic_handler]
            fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
                core::arch::wasm32::unreachable()
            }
        };
    };
}
pub(crate) use bot;
