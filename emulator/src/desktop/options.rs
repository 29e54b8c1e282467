//! The options of the command line.

use std::ffi::OsString;
use std::path::PathBuf;

use bevy::math::UVec2;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::error::ErrorKind;
use clap::parser::ValueSource;
use clap::{ArgGroup, CommandFactory, FromArgMatches, Parser};
use protocol::Layout;
use touchboard_host::signals::{Signal, SignalError};
use touchboard_host::traffic::message_word;
use touchboard_host::written::Choice;
use touchboard_links::{WatchTarget, Where};
use touchboard_panel_ports::PanelChoice;

use crate::scene::quality::Quality;
use crate::source::FASTEST;
use crate::theme::Palette;
use crate::workbench::dock::Pane;

/// Parses the name of a pane.
fn panes() -> impl TypedValueParser<Value = Pane> {
    let value = |pane: Pane| PossibleValue::new(pane.word()).help(pane.words());
    PossibleValuesParser::new(Pane::TOOLS.iter().copied().map(value)).map(|word: String| {
        let found = Pane::TOOLS.iter().copied().find(|pane| pane.word() == word);
        // The parser lets no other word through.
        found.unwrap_or(Pane::Timeline)
    })
}

/// The name of a quality, and its description.
fn word(quality: Quality) -> (&'static str, &'static str) {
    match quality {
        Quality::Plain => ("plain", "For drawing without a graphics card"),
        Quality::Standard => ("standard", "For any graphics card"),
        Quality::Fine => ("fine", "For a fast graphics card, or for pictures"),
    }
}

/// Parses the name of a quality.
fn qualities() -> impl TypedValueParser<Value = Quality> {
    let value = |quality: Quality| {
        let (word, about) = word(quality);
        PossibleValue::new(word).help(about)
    };
    let of_word = |text: String| {
        let mut all = Quality::ALL.into_iter();
        let found = all.find(|quality| word(*quality).0 == text);
        found.unwrap_or_default()
    };
    PossibleValuesParser::new(Quality::ALL.map(value)).map(of_word)
}

/// The touch board in 3D.
#[derive(Parser, Clone, Debug)]
#[command(version, about, max_term_width = 100, after_help = touchboard_completions::HELP)]
#[command(group = ArgGroup::new("output").args(["screenshot", "film"]))]
pub struct Options {
    /// A recorded session to replay (a touch ends the replay, and the game continues), or
    /// the text of a game, which is put on the board whenever it is saved (hex.lud, or
    /// hex.lud#5x5 with a # before each chosen item of its options)
    #[arg(value_name = "FILE")]
    pub session: Option<PathBuf>,

    /// The text of the game that is on the board
    #[arg(skip)]
    pub text: Option<Choice>,

    /// Where the board is, and the options of the line to it
    #[command(flatten)]
    pub place: Where,

    /// With --at virtual or qemu: restart the board after each build, and continue the
    /// game. Watch its executable or image (board), or also its sources, which are built
    /// after each change (sources)
    #[arg(long, value_enum, value_name = "WHAT", num_args = 0..=1, require_equals = true, default_missing_value = "board", conflicts_with = "session")]
    pub watch: Option<WatchTarget>,

    /// Additional keys and lamps: a Novation Launchpad (launchpad) or a monome grid
    /// (monome), with :PORT after it to name its port
    #[arg(long, value_name = "PANEL[:PORT]", conflicts_with = "output")]
    pub panel: Option<PanelChoice>,

    /// A file of shell commands to run on the board first
    #[arg(long, value_name = "FILE")]
    pub scenario: Option<PathBuf>,

    /// Write a picture of the window (PNG) at the end of the scenario or session, then
    /// exit
    #[arg(long, value_name = "FILE")]
    pub screenshot: Option<PathBuf>,

    /// Write a film of the window (GIF) of the session or of the board, then exit
    #[arg(long, value_name = "FILE", conflicts_with = "screenshot")]
    pub film: Option<PathBuf>,

    /// Length of the film, in seconds
    #[arg(long, value_name = "SECONDS", default_value = "10", requires = "film", value_parser = film_length)]
    pub film_s: f32,

    /// The ratio of board time to real time, 0.01 to 1,000, where 1,000 means as fast as
    /// possible
    #[arg(long, default_value = "1", value_parser = rate)]
    pub rate: f32,

    /// Open no window; no display server is needed
    #[arg(long, requires = "output")]
    pub headless: bool,

    /// Size of the window or the picture, in pixels [default: as last time, at first
    /// 1280x720]
    #[arg(long, value_name = "WIDTHxHEIGHT", value_parser = size)]
    pub size: Option<UVec2>,

    /// Look at the board from above
    #[arg(long)]
    pub top: bool,

    /// Show nothing but the board
    #[arg(long)]
    pub no_panel: bool,

    /// Show how the game is played
    #[arg(long)]
    pub how_to_play: bool,

    /// Show the timeline below the board, with waveforms of these signals
    #[arg(long, value_name = "SIGNAL,...", num_args = 0..=1, require_equals = true, default_missing_value = "", value_delimiter = ',', value_parser = signal_name, conflicts_with = "no_panel")]
    pub timeline: Option<Vec<String>>,

    /// Show the traffic on the line to the board: all of it, or messages of these names
    #[arg(long, value_name = "NAME,...", num_args = 0..=1, require_equals = true, default_missing_value = "", value_delimiter = ',', value_parser = message_name, conflicts_with = "no_panel")]
    pub line: Option<Vec<String>>,

    /// Open these panes beside the board
    #[arg(long, value_name = "PANE,...", value_delimiter = ',', value_parser = panes(), conflicts_with = "no_panel")]
    pub panes: Vec<Pane>,

    /// Use light panels instead of dark ones
    #[arg(long)]
    pub light: bool,

    /// Make no sound
    #[arg(long)]
    pub mute: bool,

    /// Move pieces to their places without motion
    #[arg(long)]
    pub still: bool,

    /// Colours of the two sides: green and red, or blue and orange for people who cannot
    /// tell those apart
    #[arg(long, value_parser = touchboard_links::at::palettes(), value_name = "PALETTE")]
    pub palette: Option<Palette>,

    /// Quality of the scene [default: plain on a processor, standard or fine on a
    /// graphics card, fine for a screenshot]
    #[arg(long, value_parser = qualities(), value_name = "QUALITY")]
    pub quality: Option<Quality>,

    /// Start with the initial settings, and remember nothing
    #[arg(long)]
    pub fresh: bool,

    /// True if the command line says where the board is.
    #[arg(skip)]
    pub at_is_given: bool,
}

/// The default size of a window or picture.
const SIZE: UVec2 = UVec2::new(1280, 720);

impl Options {
    /// The panes to be open at the start.
    pub fn panes(&self) -> impl Iterator<Item = Pane> {
        let timeline = self.timeline.as_ref().map(|_| Pane::Timeline);
        let line = self.line.as_ref().map(|_| Pane::Line);
        let asked = self.panes.iter().copied();
        timeline.into_iter().chain(line).chain(asked)
    }

    /// True if the program draws pictures and ends, so that it remembers nothing.
    #[must_use]
    pub fn is_for_a_picture(&self) -> bool {
        self.headless || self.screenshot.is_some() || self.film.is_some()
    }

    /// Parses these arguments, of which the first is the name of the program.
    ///
    /// # Errors
    /// An error that says what is wrong with them, or the help text if it was requested.
    pub fn read_from<T: Into<OsString> + Clone>(
        arguments: impl IntoIterator<Item = T>,
    ) -> Result<Options, clap::Error> {
        let matches = Options::command().try_get_matches_from(arguments)?;
        let mut options = Options::from_arg_matches(&matches)?;
        let written = options.session.as_ref().and_then(|file| file.to_str());
        if let Some(choice) = written.and_then(Choice::written) {
            options.session = None;
            let game = touchboard_links::games::read(&choice);
            let wrong = |error| Options::command().error(ErrorKind::ValueValidation, error);
            options.place.layout = Some(game.map_err(wrong)?.layout);
            options.text = Some(choice);
        }
        Ok(Options {
            at_is_given: matches.value_source("at") == Some(ValueSource::CommandLine),
            ..options
        })
    }

    /// The initial size of the window, in pixels.
    #[must_use]
    pub fn first_size(&self) -> UVec2 {
        self.size.unwrap_or(SIZE)
    }
}

fn pair(text: &str) -> Option<(u32, u32)> {
    let (left, right) = text.split_once(['x', 'X'])?;
    Some((left.parse().ok()?, right.parse().ok()?))
}

/// The allowed width and height in pixels. Smaller pictures have no room for the panels;
/// larger ones exceed the limit of textures.
pub const SIDES: std::ops::RangeInclusive<u32> = 200..=8192;

fn size(text: &str) -> Result<UVec2, String> {
    match pair(text) {
        Some((width, height)) if SIDES.contains(&width) && SIDES.contains(&height) => {
            Ok(UVec2::new(width, height))
        }
        _ => Err(format!(
            "`{text}` is not a size: write one like 1280x720, each side from {} to {}",
            SIDES.start(),
            SIDES.end()
        )),
    }
}

/// Parses a number, which must be within these limits.
fn between(text: &str, least: f32, most: f32, what: &str) -> Result<f32, String> {
    match text.parse() {
        Ok(number) if (least..=most).contains(&number) => Ok(number),
        _ => Err(format!(
            "`{text}` is not a {what}: write a number from {least} to {most}"
        )),
    }
}

/// Parses the length of a film, which is limited because its pictures are held in memory.
fn film_length(text: &str) -> Result<f32, String> {
    between(text, 0.1, 120.0, "length of a film")
}

/// Parses the name of a message; an empty name stands for `--line` without names.
fn message_name(text: &str) -> Result<String, String> {
    match text {
        "" => Ok(String::new()),
        word => message_word(word).map_err(|error| error.to_string()),
    }
}

/// Parses the name of a signal; an empty name stands for `--timeline` without names. The
/// points of the board and the fields of its state are not known yet.
fn signal_name(text: &str) -> Result<String, String> {
    match Signal::parse(text, Layout::MALDOO) {
        Err(error @ (SignalError::Unknown(_) | SignalError::Part { .. }))
            if !(text.is_empty() || Signal::is_group(text)) =>
        {
            Err(error.to_string())
        }
        _ => Ok(text.to_owned()),
    }
}

fn rate(text: &str) -> Result<f32, String> {
    between(text, 0.01, FASTEST, "rate")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(arguments: &[&str]) -> Result<Options, String> {
        Options::try_parse_from(std::iter::once(&"emulator").chain(arguments))
            .map_err(|error| error.to_string())
    }

    #[test]
    fn a_layout_is_columns_by_rows() {
        let layout = parse(&["--layout", "12x8"]).unwrap().place.layout.unwrap();
        assert_eq!((layout.columns(), layout.rows()), (12, 8));
    }

    #[test]
    fn a_group_of_signals_is_drawn_by_its_name() {
        let names = [
            "event",
            "light",
            "line",
            "turn",
            "score.green",
            "state.panel",
        ];
        let option = format!("--timeline={}", names.join(","));
        assert_eq!(parse(&[&option]).unwrap().timeline.unwrap(), names);
        assert!(parse(&["--timeline=even"]).is_err());
    }

    #[test]
    fn bad_input_is_refused_with_a_sentence() {
        for (arguments, words) in [
            (&["--layout", "17x9"][..], "16"),
            (&["--layout", "9"], "9"),
            (&["--size", "0x0"], "not a size"),
            (&["--at", "moon"], "core, virtual"),
            (&["--headless"], "--screenshot"),
            (&["--film", "a.gif", "--film-s", "0"], "not a length"),
            (&["--rate", "fast"], "not a rate"),
            (&["--timeline=foo"], "`foo` is not a signal"),
            (&["--no-panel", "--panes", "state"], "cannot be used"),
            (&["--no-panel", "--timeline"], "cannot be used"),
            (
                &["--film", "a.gif", "--screenshot", "a.png"],
                "cannot be used",
            ),
        ] {
            let error = parse(arguments).unwrap_err();
            assert!(error.contains(words), "{error}");
        }
    }
}
