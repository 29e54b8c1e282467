//! The options of a virtual board.

use std::net::SocketAddr;
use std::path::PathBuf;

use firmware_core::games;
use protocol::{KnownLayout, Layout, Roster, RosterError};
use touchboard_files::KeepFile;
use touchboard_panel_ports::PanelChoice;

use crate::faults::FaultOptions;

/// How long a host may be silent, in milliseconds. A connected host sends something each
/// second.
const HOST_SILENCE_MS: u64 = 5_000;

/// How a virtual board is built and where its plug is.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "options", derive(clap::Args))]
pub struct Options {
    /// Columns and rows of the board; by default, those that the first of its games is
    /// made for. A game that was inserted and kept has its own.
    #[cfg_attr(feature = "options", arg(long, value_name = "COLUMNSxROWS|FILE", value_parser = touchboard_files::layouts::layout))]
    pub layout: Option<KnownLayout>,
    /// The games of the board, as one word of their numbers, like 059 or AB; by default,
    /// the ten of the manual, 0 to 9.
    #[cfg_attr(feature = "options", arg(long, value_name = "NUMBERS", default_value_t = games::ROSTER, hide_default_value = true, value_parser = roster))]
    pub games: Roster,
    /// The seed of its random numbers.
    #[cfg_attr(feature = "options", arg(long, value_name = "NUMBER", default_value_t = 0, value_parser = touchboard_completions::number(0, u64::MAX), allow_negative_numbers = true))]
    pub seed: u64,
    /// Do not offer a pseudo-terminal.
    #[cfg_attr(feature = "options", arg(long))]
    pub no_pty: bool,
    /// Make this a symbolic link to the pseudo-terminal. What lies there is
    /// replaced if it is a link.
    #[cfg_attr(
        feature = "options",
        arg(long, value_name = "PATH", conflicts_with = "no_pty")
    )]
    pub link: Option<PathBuf>,
    /// Also listen here. Port 0 takes any free port.
    #[cfg_attr(feature = "options", arg(long, value_name = "ADDRESS:PORT"))]
    pub tcp: Option<SocketAddr>,
    /// How long a host may be silent before another one may have the board. A host pings
    /// the board once a second.
    #[cfg_attr(feature = "options", arg(long, value_name = "MS", default_value_t = HOST_SILENCE_MS, value_parser = touchboard_completions::number(0, u64::MAX), allow_negative_numbers = true))]
    pub host_silence_ms: u64,
    /// Keep the best scores of one-player games, and an inserted game, in this file, as
    /// flash does
    #[cfg_attr(feature = "options", arg(long, value_name = "FILE"))]
    pub keep: Option<PathBuf>,
    /// Keys and lamps of the board: a Novation Launchpad (launchpad) or a monome grid
    /// (monome), with :PORT after it to name its port
    #[cfg_attr(feature = "options", arg(long, value_name = "PANEL[:PORT]"))]
    pub panel: Option<PanelChoice>,
    /// For tests of the tester: build a mistake into the rules.
    #[cfg_attr(feature = "options", arg(long))]
    pub break_rule: bool,
    /// For tests of the tester: panic when red touches the middle column.
    #[cfg_attr(feature = "options", arg(long, conflicts_with = "break_rule"))]
    pub break_down: bool,
    /// The simulated faults of the board, and of the line to the host.
    #[cfg_attr(feature = "options", command(flatten))]
    pub faults: FaultOptions,
}

impl Default for Options {
    /// A Maldoo board, seed 0, at a pseudo-terminal.
    fn default() -> Options {
        Options {
            layout: None,
            games: games::ROSTER,
            seed: 0,
            no_pty: false,
            link: None,
            tcp: None,
            host_silence_ms: HOST_SILENCE_MS,
            keep: None,
            panel: None,
            break_rule: false,
            break_down: false,
            faults: FaultOptions::default(),
        }
    }
}

impl Options {
    /// The layout of the board.
    #[must_use]
    pub fn first_layout(&self) -> Layout {
        let chosen = self.layout.as_ref().map(KnownLayout::layout);
        chosen.unwrap_or_else(|| games::layout_for(self.games))
    }

    /// The layout with which the board starts, and a sentence if it is not the stored
    /// one.
    pub(crate) fn layout_at_power_on(
        &self,
        kept: Option<&KeepFile>,
    ) -> (Layout, Option<&'static str>) {
        let own = self.first_layout();
        kept.map_or((own, None), |file| file.layout_at_power_on(own, self.games))
    }
}

/// Parses a roster such as `059`.
///
/// # Errors
/// A sentence that says which rosters are possible.
pub fn roster(text: &str) -> Result<Roster, String> {
    let roster: Roster = text
        .parse()
        .map_err(|error: RosterError| error.to_string())?;
    match roster.is_within(games::BUILT) {
        true => Ok(roster),
        false => Err(format!(
            "this program does not have game {}: it has {}",
            roster.without(games::BUILT),
            games::BUILT
        )),
    }
}
