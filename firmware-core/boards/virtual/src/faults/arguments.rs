//! The faults as command-line options, generated from the table in the core.

use clap::builder::ValueParser;
use clap::parser::ArgMatches;
use clap::{Arg, ArgAction, Args, Command, FromArgMatches};
use firmware_core::faults::{Fault, FaultArgument, FaultKind, FaultTarget};

use super::FaultOptions;

/// Each option has its own heading; a heading for the group would also apply to the
/// options after it.
fn option(kind: FaultKind) -> Arg {
    let option = Arg::new(kind.option())
        .long(kind.option())
        .help(kind.about())
        .help_heading(match kind.of() {
            FaultTarget::Line => "Faults of the line",
            FaultTarget::Sensors | FaultTarget::Board => "Faults of a simulated board",
        });
    let read = ValueParser::from(move |text: &str| kind.read(text));
    let value = |name: &'static str| option.clone().value_name(name).value_parser(read.clone());
    match kind.takes() {
        FaultArgument::Nothing => option.action(ArgAction::SetTrue),
        FaultArgument::Number(..) => value(unit(kind.name())).allow_negative_numbers(true),
        FaultArgument::Point => value("POINT").action(ArgAction::Append),
        FaultArgument::Key => value("POINT|BUTTON").action(ArgAction::Append),
    }
}

/// The unit of the number, taken from the last word of the name.
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
        FaultKind::all().fold(command, |command, kind| command.arg(option(kind)))
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
        for kind in FaultKind::all() {
            let name = kind.option();
            let faults: Vec<Fault> = if kind.takes() == FaultArgument::Nothing {
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

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

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
    fn an_impossible_fault_option_is_refused_with_a_sentence() {
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
