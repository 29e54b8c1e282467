//! The faults of the core at a real line and on a command line.
//!
//! What is wrong is said by [`firmware_core::faults`]. Here is what needs a
//! host: a line whose faults several threads share, and options made of the
//! core's table.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use clap::builder::ValueParser;
use clap::parser::ArgMatches;
use clap::{Arg, ArgAction, Args, Command, FromArgMatches};
use firmware_core::faults::{Fault, Faults, Kind, Line, LineFaults, Of, Takes, Way};

/// Faults as options: `--fault-` and the name of each.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FaultOptions(pub Faults);

impl From<Faults> for FaultOptions {
    fn from(faults: Faults) -> FaultOptions {
        FaultOptions(faults)
    }
}

/// Each with its heading: one over the whole group would go on to the options
/// that come after it.
fn option(kind: Kind) -> Arg {
    let option = Arg::new(kind.option())
        .long(kind.option())
        .help(kind.about())
        .help_heading(match kind.of() {
            Of::Line => "Faults of the line",
            Of::Sensors | Of::Board => "Faults of a simulated board",
        });
    let read = ValueParser::from(move |text: &str| kind.read(text));
    let value = |name: &'static str| option.clone().value_name(name).value_parser(read.clone());
    match kind.takes() {
        Takes::Nothing => option.action(ArgAction::SetTrue),
        Takes::Number(..) => value(unit(kind.name())).allow_negative_numbers(true),
        Takes::Point => value("POINT").action(ArgAction::Append),
        Takes::Key => value("POINT|BUTTON").action(ArgAction::Append),
    }
}

/// What is counted, by the last word of a name.
fn unit(name: &str) -> &'static str {
    match name.rsplit('-').next() {
        Some("ppm") => "PPM",
        Some("ms") => "MS",
        Some("after") => "BYTES",
        Some("permille") => "PERMILLE",
        _ => "SEED",
    }
}

impl Args for FaultOptions {
    fn augment_args(command: Command) -> Command {
        Kind::all().fold(command, |command, kind| command.arg(option(kind)))
    }

    fn augment_args_for_update(command: Command) -> Command {
        FaultOptions::augment_args(command)
    }
}

impl FromArgMatches for FaultOptions {
    fn from_arg_matches(matches: &ArgMatches) -> Result<FaultOptions, clap::Error> {
        let mut options = FaultOptions::default();
        options.update_from_arg_matches(matches)?;
        Ok(options)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        let refused = |error| clap::Error::raw(clap::error::ErrorKind::TooManyValues, error);
        for kind in Kind::all() {
            let name = kind.option();
            let faults: Vec<Fault> = if kind.takes() == Takes::Nothing {
                let is_set = matches.get_flag(name);
                is_set
                    .then(|| kind.read(""))
                    .into_iter()
                    .flatten()
                    .collect()
            } else {
                let values = matches.get_many::<Fault>(name);
                values.into_iter().flatten().cloned().collect()
            };
            for fault in faults {
                let added = self.0.add(fault);
                added.map_err(|error| refused(format!("--{name}: {error}\n")))?;
            }
        }
        Ok(())
    }
}

/// What a piece of bytes came to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Passed {
    /// What is left of them.
    pub bytes: Vec<u8>,
    /// How much later than they were sent they arrive.
    pub late: Duration,
    /// True if the line was cut behind them.
    pub cut: bool,
}

/// The faults of one line, kept while it is closed and opened again, and shared
/// by all who send and receive.
#[derive(Clone, Debug)]
pub struct FaultyLine(Arc<Mutex<Line>>);

impl FaultyLine {
    /// The faults that follow from these.
    #[must_use]
    pub fn new(faults: &Faults) -> FaultyLine {
        FaultyLine(Arc::new(Mutex::new(Line::new(faults))))
    }

    /// Changes them while the line is open; the chance goes on.
    pub fn set(&self, faults: LineFaults) {
        self.line().set(faults);
    }

    /// True while nothing is wrong.
    #[must_use]
    pub fn are_none(&self) -> bool {
        self.line().faults().are_none()
    }

    fn line(&self) -> MutexGuard<'_, Line> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What arrives of these bytes from the host.
    #[must_use]
    pub fn pass_to_board(&self, bytes: &[u8]) -> Passed {
        self.pass(Way::ToBoard, bytes)
    }

    /// What arrives of these bytes from the board.
    #[must_use]
    pub fn pass_from_board(&self, bytes: &[u8]) -> Passed {
        self.pass(Way::FromBoard, bytes)
    }

    fn pass(&self, way: Way, bytes: &[u8]) -> Passed {
        let mut line = self.line();
        let mut passed = Passed::default();
        if line.faults().are_none() {
            passed.bytes.extend_from_slice(bytes);
            return passed;
        }
        let mut late_ms = line.faults().delay_ms;
        for byte in bytes {
            let of_byte = line.pass(way, *byte);
            if of_byte.cut {
                passed.cut = true;
                break;
            }
            late_ms = late_ms.saturating_add(of_byte.stall_ms);
            let copies = if of_byte.twice { 2 } else { 1 };
            let arrived = of_byte.byte.into_iter();
            passed
                .bytes
                .extend(arrived.flat_map(|byte| std::iter::repeat_n(byte, copies)));
        }
        if !bytes.is_empty() {
            passed.late = Duration::from_millis(late_ms);
        }
        passed
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    fn bad() -> Faults {
        "seed 7, drop-ppm 20000, flip-ppm 20000, duplicate-ppm 20000"
            .parse()
            .unwrap()
    }

    /// What arrives of 4,000 bytes, sent in pieces of this size.
    fn arrives(faults: &Faults, piece: usize) -> Vec<u8> {
        let sent: Vec<u8> = (0..4_000u32).map(|n| n as u8).collect();
        let line = FaultyLine::new(faults);
        sent.chunks(piece)
            .flat_map(|bytes| line.pass_to_board(bytes).bytes)
            .collect()
    }

    #[test]
    fn a_line_without_faults_changes_nothing() {
        let sent: Vec<u8> = (0..4_000u32).map(|n| n as u8).collect();
        assert_eq!(arrives(&Faults::default(), 100), sent);
    }

    #[test]
    fn the_same_seed_gives_the_same_faults_in_pieces_of_any_size() {
        assert_eq!(arrives(&bad(), 4_000), arrives(&bad(), 1));
        let other = Faults { seed: 8, ..bad() };
        assert_ne!(arrives(&bad(), 10), arrives(&other, 10));
        assert_ne!(arrives(&bad(), 10), arrives(&Faults::default(), 10));
    }

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        faults: FaultOptions,
    }

    #[test]
    fn an_option_is_the_text_of_a_fault_with_a_dash_for_the_blank() {
        let words = "--fault-seed 3 --fault-stuck d4 --fault-stuck start --fault-ghosting --fault-bounce-ms 3 --fault-cut-after 0";
        let line = Line::try_parse_from(["board"].into_iter().chain(words.split(' ')));
        let text = "seed 3, cut-after 0, stuck d4, stuck start, bounce-ms 3, ghosting";
        assert_eq!(line.unwrap().faults.0.to_string(), text);
        let none = Line::try_parse_from(["board"]).unwrap();
        assert!(none.faults.0.are_none());
    }

    #[test]
    fn an_option_that_cannot_be_meant_is_refused_with_a_sentence() {
        let many: Vec<_> = (1..=17).map(|row| format!("--fault-dead=a{row}")).collect();
        for (words, sentence) in [
            (vec!["--fault-bounce-ms=-1".to_owned()], "from 0 to 1000"),
            (vec!["--fault-stuck=d,4".to_owned()], "`stuck d4`"),
            (many, "at most 16 can be dead"),
        ] {
            let words = std::iter::once("board".to_owned()).chain(words);
            let error = Line::try_parse_from(words).err().unwrap().to_string();
            assert!(error.contains(sentence), "{error}");
        }
    }
}
