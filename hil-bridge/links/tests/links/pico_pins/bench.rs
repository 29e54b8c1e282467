//! A board read at its pins, and its twin.

use std::path::Path;

use protocol::{Deed, Input, Layout, Tick};
use touchboard_host::check::{CheckOptions, Verdict, check};
use touchboard_host::pins::PinReading;
use touchboard_host::{CoreDriver, Driver};
use touchboard_links::client::ClientOptions;
use touchboard_links::pico::PicoBoard;
use touchboard_links::pico::at_pins::AtPins;

pub use crate::excused::{excuse, image, is_excused};

pub const LAYOUT: Layout = Layout::MALDOO;

/// Long time limits: a board whose time stands still until it has answered loses nothing,
/// and a busy computer may take long.
const PATIENT: ClientOptions = ClientOptions {
    timeout_ms: 600_000,
    retry_ms: 600_000,
};

/// A board that is read at its pins, and its twin.
pub struct Judged {
    pub board: AtPins,
    twin: CoreDriver,
}

pub fn at_pins(image: &Path) -> AtPins {
    start(&PicoBoard::new(image))
}

/// A board with a field of tiles instead of matrix and chain.
pub fn on_tiles(image: &Path, tiles: &str) -> AtPins {
    start(&PicoBoard {
        tiles: Some(tiles.parse().expect("a field")),
        ..PicoBoard::new(image)
    })
}

fn start(board: &PicoBoard) -> AtPins {
    AtPins::start(board, Ok, PATIENT).unwrap_or_else(|error| panic!("{error}"))
}

impl Judged {
    /// Switches on the board and its twin.
    pub fn start() -> Judged {
        let mut board = at_pins(&image());
        let reset = Deed::Reset {
            seed: 7,
            layout: LAYOUT,
        };
        board.carry_out(&reset).expect("a board");
        let _ = board.take_events();
        let twin = CoreDriver::with_games(LAYOUT, board.roster(), 7).expect("a board");
        Judged { board, twin }
    }

    /// Carries out these inputs, and lets this many ticks pass. Checks that the decoded
    /// lights are those of the twin.
    pub fn act(&mut self, inputs: &[Input], ticks: Tick) -> PinReading {
        self.board.step(inputs, ticks).expect("a board");
        let told = self.board.take_events();
        self.twin.follow(&told, self.board.tick());
        assert_eq!(
            self.board.digest().expect("a board"),
            self.twin.digest().expect("a twin")
        );
        let reading = self.board.read_pins().expect("a board").expect("pins");
        assert_eq!(reading.difference(self.twin.board()), None, "{inputs:?}");
        reading
    }

    /// The text that the display shows.
    pub fn text(&self) -> String {
        self.twin.frame().display.to_string()
    }
}

/// Compares the board with a twin for this many random steps.
pub fn checked(board: &mut dyn Driver, seed: u64, steps: u64, layout: Layout) -> Verdict {
    let options = CheckOptions::new(layout, seed, steps);
    check(board, &options, &mut |_| ()).unwrap_or_else(|error| panic!("{error}"))
}

/// The touch of a point, by its name.
pub fn touch(name: &str) -> Input {
    Input::Touch(LAYOUT.point(name).expect("a point"))
}
