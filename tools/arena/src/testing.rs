//! In tests: the options of a subcommand, read from a line as in a shell.

use clap::{Arg, ArgAction, Args, Command};

/// The options of a line, whose first word is the program; `--json` is an option of every
/// subcommand.
pub fn options<O: Args>(line: &str) -> O {
    let json = Arg::new("json").long("json").action(ArgAction::SetTrue);
    let command = O::augment_args(Command::new("arena")).arg(json);
    let matches = command.try_get_matches_from(line.split(' '));
    O::from_arg_matches(&matches.expect("a line in a test")).expect("its options")
}
