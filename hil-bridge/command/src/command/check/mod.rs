//! `check`: tries to make a board and its twin disagree.

pub mod runs;

use std::fmt;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use firmware_core::faults::{BoardFaults, FaultTarget, Faults};
use shards::ShardOptions;
use touchboard_completions::number;
use touchboard_host::Session;
use touchboard_host::check::{CheckOptions, CheckSummary, Finding, Verdict, check, check_session};
use touchboard_links::SessionInFile;
use touchboard_links::at::BAUD;
use touchboard_links::time_limit::time_limit;
use touchboard_links::{At, LineOptions, Where};

use super::{CommandEnd, ExitKind, Unwritten, print, print_error};

/// The maximum time for shrinking, in seconds: a day.
const MOST_SHRINK_S: u64 = 24 * 60 * 60;

#[derive(Debug, clap::Args)]
pub struct Options {
    #[command(flatten)]
    place: Where,
    /// The number of steps; each is one input or more, and some time
    #[arg(long, value_name = "STEPS", default_value_t = 10_000, value_parser = number(0, u64::MAX), allow_negative_numbers = true)]
    steps: u64,
    /// Do what this session contains, instead of following the seed
    #[arg(long, value_name = "FILE", conflicts_with_all = ["seed", "steps", "layout", "runs", "out"])]
    session: Option<PathBuf>,
    /// Check so many times, each time with the next seed, and print the sum
    #[arg(long, value_name = "RUNS", conflicts_with_all = ["save", "shrink_s"])]
    runs: Option<u64>,
    #[command(flatten)]
    shards: ShardOptions,
    /// With --at pico: compare only what the board reports over its line. No contact is
    /// closed, and nothing is read at its pins
    #[arg(long)]
    line_alone: bool,
    /// The file for a session that shows a difference, written only if there is one
    #[arg(long, value_name = "FILE", default_value = "difference.session")]
    save: PathBuf,
    /// How long to shrink that session, at most
    #[arg(long, value_name = "SECONDS", default_value_t = 60, value_parser = number(0, MOST_SHRINK_S), allow_negative_numbers = true)]
    shrink_s: u64,
}

pub fn run(options: &Options) -> CommandEnd {
    let place = &options.place;
    super::set_up(place)?;
    check_options(options)?;
    if options.runs.is_some() || options.shards.out.is_some() {
        return runs::run(options);
    }
    let (good, felt) = checked_place(options);
    if let Some(file) = &options.session {
        super::spare_input(file, &options.save)?;
    }
    // Checked first, before the long run that produces something to write.
    Session::check_saving(&options.save)?;
    let begin = Instant::now();
    match compared(options, &good, felt)? {
        Verdict::Agrees(summary) => {
            print(agreed(&summary, begin.elapsed()))?;
            Ok(ExitKind::Done)
        }
        Verdict::Differs(finding) => {
            differs(options, &finding)?;
            Ok(ExitKind::Failed)
        }
    }
}

/// Compares the board with its twin, by a session or by random inputs.
fn compared(options: &Options, good: &Where, felt: Faults) -> anyhow::Result<Verdict> {
    let place = &options.place;
    let shrink_for = time_limit(Duration::from_secs(options.shrink_s));
    let Some(file) = &options.session else {
        let check_options = CheckOptions {
            seed: place.seed.unwrap_or(0),
            steps: options.steps,
            layout: place.first_layout().into(),
            faults: felt,
            shrink_for,
        };
        place.line.faults.0.board.fit(*check_options.layout)?;
        let CheckOptions {
            seed,
            steps,
            layout,
            ..
        } = &check_options;
        say_again(
            options,
            format_args!("--seed {seed} --steps {steps} --layout {layout}"),
        )?;
        let mut each = progress(options.steps);
        let mut board = good.open()?;
        return Ok(check(&mut *board, &check_options, &mut each)?);
    };
    let session = super::session(file)?;
    say_again(options, format_args!("--session {}", file.display()))?;
    let mut each = progress(0);
    let mut board = good.open()?;
    Ok(check_session(&mut *board, &session, shrink_for, &mut each)?)
}

/// The board that is checked, and the faults of the fingers. Both boards get the inputs
/// that faulty sensors detect, and the board itself is sound. When it is read at its
/// pins, its own matrix is faulty instead.
fn checked_place(options: &Options) -> (Where, Faults) {
    let mut good = options.place.clone();
    good.is_test = true;
    good.is_judged_at_pins = is_judged_at_pins(options);
    let mut felt = options.place.line.faults.0.clone();
    match good.is_judged_at_pins {
        true => felt.board = BoardFaults::default(),
        false => good.line.faults.0.board = BoardFaults::default(),
    }
    (good, felt)
}

/// Says the command that checks the same again.
fn say_again(options: &Options, what: fmt::Arguments<'_>) -> Result<(), Unwritten> {
    print(format_args!(
        "check {}{} {what}",
        board_again(&options.place),
        line_alone(options)
    ))
}

/// True if fingers close contacts and outputs are read at the pins.
fn is_judged_at_pins(options: &Options) -> bool {
    matches!(options.place.at, At::Pico(_)) && !options.line_alone
}

/// Fails if no comparison is possible with these faults.
fn check_options(options: &Options) -> anyhow::Result<()> {
    let faults = &options.place.line.faults.0;
    if options.session.is_some() && !faults.board.spare_sensors() {
        anyhow::bail!(
            "a session contains what the sensors felt: leave their faults out, or --session {}",
            options
                .session
                .as_deref()
                .unwrap_or(Path::new(""))
                .display()
        );
    }
    if options.line_alone && !matches!(options.place.at, At::Pico(_)) {
        anyhow::bail!(
            "--line-alone is only possible with --at pico: of the board at {}, only what it reports is read anyway",
            options.place.at
        );
    }
    let mut other = None;
    faults.each(|fault| {
        if fault.kind().of() == FaultTarget::Board {
            other = Some(format!(
                "--fault-{} would make any board differ from its twin: check compares equal boards, with bad sensors and bad lines",
                fault.kind().name()
            ));
        }
    });
    other.map_or(Ok(()), |sentence| Err(anyhow::Error::msg(sentence)))
}

/// The options that name the same board again.
fn board_again(place: &Where) -> String {
    let line = &place.line;
    let mut words = format!("--at {}", shell_words::quote(&place.at.to_string()));
    if line.baud != BAUD {
        words.push_str(&format!(" --baud {}", line.baud));
    }
    if line.timeout_ms != LineOptions::default().timeout_ms {
        words.push_str(&format!(" --timeout-ms {}", line.timeout_ms));
    }
    if let Some(tiles) = line.tiles {
        words.push_str(&format!(" --tiles {tiles}"));
    }
    if line.break_rule {
        words.push_str(" --break-rule");
    }
    words + &faults(place)
}

/// The option `--line-alone`, if it was given.
fn line_alone(options: &Options) -> &'static str {
    match options.line_alone {
        true => " --line-alone",
        false => "",
    }
}

/// The options for the requested faults.
fn faults(place: &Where) -> String {
    let mut words = String::new();
    let faults = &place.line.faults.0;
    faults.each(|fault| words.push_str(&format!(" --fault-{fault}")));
    words
}

fn progress(steps: u64) -> impl FnMut(&CheckSummary) {
    let bar = super::bar(steps, "steps");
    move |summary: &CheckSummary| {
        bar.set_position(summary.steps);
        bar.set_message(format!("tick {}", summary.ticks));
    }
}

fn agreed(summary: &CheckSummary, took: Duration) -> String {
    let CheckSummary {
        steps,
        ticks,
        inputs,
        events,
        games,
    } = summary;
    format!(
        "agrees: {steps} steps, {inputs} inputs, {events} events, {games} games, {:.1} minutes of board time in {:.1} s",
        *ticks as f64 / 60_000.0,
        took.as_secs_f64()
    )
}

fn differs(options: &Options, finding: &Finding) -> anyhow::Result<()> {
    print_error(&finding.difference);
    let mut session = finding.session.clone();
    let board = board_again(&options.place);
    session.header.note = match &options.session {
        Some(file) => format!("found by check {board} --session {}", file.display()),
        None => format!(
            "found by check {board} --seed {} --layout {}",
            session.header.seed, session.header.layout
        ),
    };
    session.save(&options.save)?;
    let file = options.save.to_string_lossy();
    let file = shell_words::quote(&file);
    // A difference at the pins is not visible in a digest, so only another comparison
    // reproduces it.
    let again = match is_judged_at_pins(options) {
        true => format!("check --session {file} {board}"),
        false => format!("replay {file} {board}"),
    };
    print_error(format_args!(
        "{} shows it with {} of the {} things that were done: `hil-bridge {again}`",
        options.save.display(),
        session.acts(),
        finding.found_after,
    ));
    Ok(())
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        place: Where,
    }

    #[test]
    fn the_command_to_repeat_names_every_relevant_option() {
        for words in [
            "--at core",
            "--at virtual --break-rule",
            "--at /dev/ttyACM0 --baud 9600 --timeout-ms 500",
            "--at virtual --fault-seed 3 --fault-drop-ppm 5 --fault-cut-after 0",
            "--at virtual --fault-seed 2 --fault-stuck d4 --fault-stuck start --fault-bounce-ms 3 --fault-ghosting",
            "--at qemu --fault-seed 0 --fault-stall-ppm 7 --fault-stall-ms 100",
            "--at qemu:netduinoplus2",
            "--at pico --tiles 2x2",
        ] {
            let line = Line::parse_from(["check"].into_iter().chain(words.split(' ')));
            assert_eq!(board_again(&line.place), words);
        }
    }
}
