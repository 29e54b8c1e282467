//! The options for the place of a board and the connection to it, and the check that
//! they fit together.

use std::path::PathBuf;

use firmware_core::faults::{FaultKind, FaultTarget};
use firmware_core::games;
use protocol::{KnownLayout, Layout, Roster};
use touchboard_host::driver::DriverError;
use touchboard_host::faulty;
use touchboard_host::traffic::SharedRecord;
use virtual_board::FaultOptions;

use super::access::Access;
use super::place::At;
use crate::LinkError;
use crate::pico::tiles::Tiles;

/// The speed of a serial port if none is given.
pub const BAUD: u32 = 115_200;

/// The longest time to wait for an answer, in milliseconds: a day.
#[cfg(feature = "options")]
const MOST_PATIENCE_MS: u64 = 24 * 60 * 60 * 1_000;

/// Where the board is and how to get there: the same for every command and for
/// the window.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "options", derive(clap::Args))]
pub struct Where {
    /// Where the board is.
    #[cfg_attr(feature = "options", arg(long, value_name = "WHERE", default_value = "core", help = help_of_at()))]
    pub at: At,
    /// Columns and rows, a file with a drawing, or one with the text of a game
    /// (`hex.lud`, or `hex.lud#5x5` with a # before each chosen item of its options); a
    /// board that already runs keeps its own by default
    #[cfg_attr(feature = "options", arg(long, value_name = "COLUMNSxROWS|FILE", value_parser = crate::games::layout))]
    pub layout: Option<KnownLayout>,
    /// The games of a board that is started here; by default those of the manual.
    #[cfg_attr(feature = "options", arg(long, value_name = "NUMBERS", value_parser = virtual_board::roster, help = help_of_games()))]
    pub games: Option<Roster>,
    /// The seed of the board's random numbers; a board that already runs keeps its own by
    /// default
    #[cfg_attr(feature = "options", arg(long, value_name = "SEED", value_parser = touchboard_completions::number(0, u64::MAX), allow_negative_numbers = true))]
    pub seed: Option<u64>,
    /// With --at core or virtual: keep the best scores of one-player games, and an
    /// inserted game, in this file; without --layout, the board starts with that game
    #[cfg_attr(feature = "options", arg(long, value_name = "FILE"))]
    pub keep: Option<PathBuf>,
    /// The board is being tested, not played: nothing done to it affects its best scores
    /// or its stored data.
    #[cfg_attr(feature = "options", arg(skip))]
    pub is_test: bool,
    /// Fingers close real contacts, if the board has some, and its outputs are read at
    /// its pins. For comparisons that allow for the delay until a finger is felt.
    #[cfg_attr(feature = "options", arg(skip))]
    pub is_judged_at_pins: bool,
    /// The options of the line to it.
    #[cfg_attr(feature = "options", command(flatten))]
    pub line: LineOptions,
    /// The program to run: the executable of a virtual board in a process of its own, or
    /// the file of a firmware image. If it is `None`, the virtual board is in this
    /// process, and the image is searched for.
    #[cfg_attr(feature = "options", arg(skip))]
    pub program: Option<PathBuf>,
}

/// The options of the line to a board.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "options", derive(clap::Args))]
pub struct LineOptions {
    /// Speed of a serial port
    #[cfg_attr(feature = "options", arg(
        long,
        value_name = "BAUD",
        default_value_t = BAUD,
        value_parser = touchboard_completions::number(1, u32::MAX),
        allow_negative_numbers = true
    ))]
    pub baud: u32,
    /// The longest time to wait for an answer, including retries and reconnects
    #[cfg_attr(feature = "options", arg(long, value_name = "MS", default_value_t = 3_000, value_parser = touchboard_completions::number(0, MOST_PATIENCE_MS), allow_negative_numbers = true))]
    pub timeout_ms: u64,
    /// Write every byte of the line into this file
    #[cfg_attr(feature = "options", arg(long, value_name = "FILE"))]
    pub bytes: Option<PathBuf>,
    /// With --at pico: write the edges at its pins into this file, as VCD, for the
    /// decoders of a logic analyser
    #[cfg_attr(feature = "options", arg(long, value_name = "FILE"))]
    pub edges: Option<PathBuf>,
    /// With --at pico: the board has NeoTrellis tiles, and one for its buttons, instead
    /// of a matrix and a chain of lights
    #[cfg_attr(feature = "options", arg(long, value_name = "COLUMNSxROWS"))]
    pub tiles: Option<Tiles>,
    /// With --at qemu and --at pico: let a debugger connect to the chip at this port of
    /// this computer; while it halts the chip, this program waits
    #[cfg_attr(feature = "options", arg(long, value_name = "PORT", value_parser = touchboard_completions::number(1, u16::MAX), allow_negative_numbers = true))]
    pub gdb: Option<u16>,
    /// Log every message of the line to standard error
    #[cfg_attr(feature = "options", arg(long))]
    pub trace: bool,
    /// With --at virtual: start a board with a mistake in its rules, to see it found
    #[cfg_attr(feature = "options", arg(long))]
    pub break_rule: bool,
    /// What opens a board that another machine shares.
    #[cfg_attr(feature = "options", command(flatten))]
    pub access: Access,
    /// The simulated faults of the board and of the line.
    #[cfg_attr(feature = "options", command(flatten))]
    pub faults: FaultOptions,
    /// The record of all bytes on the line, if one is kept.
    #[cfg_attr(feature = "options", arg(skip))]
    pub record: Option<SharedRecord>,
}

impl Default for LineOptions {
    fn default() -> LineOptions {
        LineOptions {
            baud: BAUD,
            timeout_ms: 3_000,
            bytes: None,
            edges: None,
            tiles: None,
            gdb: None,
            trace: false,
            break_rule: false,
            access: Access::default(),
            faults: FaultOptions::default(),
            record: None,
        }
    }
}

#[cfg(feature = "options")]
fn help_of_at() -> String {
    format!(
        "Where the board is: core, virtual, qemu, qemu:IMAGE, pico, pico:usb, tcp:HOST:PORT, a serial port, or a board that another machine shares: {}. \
         IMAGE is {}",
        super::place::SharedBy::ALL
            .map(|way| format!("{}:{}", way.word(), way.address()))
            .join(", "),
        crate::qemu::QemuChip::ALL
            .map(|chip| chip.name())
            .join(" or ")
    )
}

#[cfg(feature = "options")]
fn help_of_games() -> String {
    format!(
        "The games of a board that is started here, as one word of their numbers, like 059 or AB; by default, the ten of the manual, 0 to 9. There are {}",
        touchboard_host::words::games(games::BUILT)
    )
}

/// An option that only some boards can have.
struct Need {
    is_asked: fn(&Where) -> bool,
    is_met: fn(&Where) -> bool,
    /// Where it is possible.
    only: &'static str,
    /// What the other boards have or are.
    other: &'static str,
}

const NEEDS: [Need; 5] = [
    Need {
        is_asked: |place| place.games.is_some(),
        is_met: Where::begins_here,
        only: "--games is only possible with --at core and --at virtual",
        other: "has games of its own",
    },
    Need {
        is_asked: |place| !place.line.faults.0.board.are_none(),
        // The matrix of an emulated board is simulated, so it can have faults.
        is_met: |place| place.may_simulate() || matches!(place.at, At::Core | At::Pico(_)),
        only: "a fault of the board is only possible with --at core or --at virtual, which are simulated",
        other: "is not",
    },
    Need {
        is_asked: |place| place.line.edges.is_some(),
        is_met: |place| matches!(place.at, At::Pico(_)),
        only: "--edges is only possible with --at pico",
        other: "has no pins that can be listened to",
    },
    Need {
        is_asked: |place| place.line.gdb.is_some(),
        is_met: |place| matches!(place.at, At::Qemu(_) | At::Pico(_)),
        only: "--gdb is only possible with --at qemu and --at pico, whose chips are emulated",
        other: "has no stub for a debugger",
    },
    Need {
        is_asked: |place| place.line.break_rule,
        is_met: |place| place.at == At::Virtual,
        only: "--break-rule is only possible with --at virtual",
        other: "has rules of its own",
    },
];

impl Where {
    /// A board at this place, with its own layout and seed.
    #[must_use]
    pub fn new(at: At) -> Where {
        Where {
            at,
            layout: None,
            games: None,
            seed: None,
            keep: None,
            is_test: false,
            is_judged_at_pins: false,
            line: LineOptions::default(),
            program: None,
        }
    }

    /// True if this program starts the board in its own process, with the requested
    /// options.
    #[must_use]
    pub fn begins_here(&self) -> bool {
        matches!(self.at, At::Core | At::Virtual)
    }

    /// The games of a board that is started here.
    #[must_use]
    pub fn roster(&self) -> Roster {
        self.games.unwrap_or(games::ROSTER)
    }

    /// The requested layout, if there is one.
    #[must_use]
    pub fn layout(&self) -> Option<Layout> {
        self.layout.as_ref().map(KnownLayout::layout)
    }

    /// The layout of a board that is started here: the requested one, or that of its
    /// tiles, or that which the first of its games is made for.
    #[must_use]
    pub fn first_layout(&self) -> Layout {
        self.layout()
            .or(self.line.tiles.map(Tiles::layout))
            .unwrap_or_else(|| games::layout_for(self.roster()))
    }

    /// Checks that a board at this place can have all requested options.
    ///
    /// # Errors
    /// A sentence that names the option that has no meaning there.
    pub fn check(&self) -> Result<(), DriverError> {
        let line = &self.line;
        self.check_line()?;
        let broken = NEEDS
            .iter()
            .find(|need| (need.is_asked)(self) && !(need.is_met)(self));
        if let Some(Need { only, other, .. }) = broken {
            return Err(LinkError::open(format!(
                "{only}: the board at {} {other}",
                self.at
            )));
        }
        if line.gdb.is_some() && self.is_judged_at_pins {
            return Err(LinkError::open(
                "--gdb is not possible where pins are judged: write --line-alone".into(),
            ));
        }
        if let Some((option, place)) = line.access.meaningless_at(&self.at) {
            return Err(LinkError::open(format!(
                "{option} is only possible with {place}: nothing asks for it at {}",
                self.at
            )));
        }
        line.tiles.map_or(Ok(()), |tiles| self.check_tiles(tiles))
    }

    /// Checks that no option of a line is requested for a board without one.
    fn check_line(&self) -> Result<(), DriverError> {
        let (line, plain) = (&self.line, LineOptions::default());
        let at_core = self.at == At::Core;
        let of_a_line = [
            ("--baud", line.baud != plain.baud),
            ("--bytes", line.bytes.is_some()),
            ("--trace", line.trace),
            ("--fault-...", !line.faults.0.line.are_none()),
        ];
        let mut meaningless = of_a_line.iter().filter(|(_, asked)| at_core && *asked);
        match meaningless.next() {
            Some((option, _)) => Err(LinkError::open(faulty::has_no_line(option))),
            None => Ok(()),
        }
    }

    /// Checks that none of the requested faults is one of the board itself. `why` says for
    /// what the board has to be sound.
    ///
    /// # Errors
    /// A sentence that names the option of such a fault.
    pub fn needs_sound_board(&self, why: &str) -> Result<(), DriverError> {
        self.check_without(why, |kind| kind.of() != FaultTarget::Line)
    }

    /// Checks that no fault of such a kind is requested.
    ///
    /// # Errors
    /// A sentence that names the option.
    pub(super) fn check_without(
        &self,
        why: &str,
        is_such: impl Fn(FaultKind) -> bool,
    ) -> Result<(), DriverError> {
        let mut named = None;
        self.line.faults.0.each(|fault| {
            let kind = fault.kind();
            named = named.or_else(|| is_such(kind).then(|| kind.option()));
        });
        match named {
            Some(option) => Err(LinkError::open(format!("{why}: leave --{option} out"))),
            None => Ok(()),
        }
    }

    /// True if the contacts of a board at this place may be simulated by the board itself.
    /// Over a serial port or a network, only the board knows whether they are.
    #[must_use]
    pub fn may_simulate(&self) -> bool {
        matches!(
            self.at,
            At::Virtual | At::Serial(_) | At::Tcp(_) | At::Shared(..)
        )
    }

    /// Checks that a board at this place can have these tiles.
    fn check_tiles(&self, tiles: Tiles) -> Result<(), DriverError> {
        if !matches!(self.at, At::Pico(_)) {
            return Err(LinkError::open(format!(
                "--tiles is only possible with --at pico: the board at {} has a panel of its own",
                self.at
            )));
        }
        match self.layout().filter(|layout| !tiles.fit(*layout)) {
            Some(layout) => Err(LinkError::open(format!(
                "a board of {layout} does not fit {tiles} tiles of 4x4 keys: write more of them, or leave --layout out"
            ))),
            None => Ok(()),
        }
    }

    /// Checks that a board at this place can store its best scores and an inserted game
    /// in the named file.
    ///
    /// # Errors
    /// A sentence that says why not.
    pub fn check_keeping(&self) -> Result<(), DriverError> {
        if self.keep.is_some() && !self.begins_here() {
            return Err(LinkError::open(format!(
                "--keep is only possible with --at core and --at virtual: the board at {} keeps its best scores and a game that is inserted itself, if it can",
                self.at
            )));
        }
        Ok(())
    }
}
