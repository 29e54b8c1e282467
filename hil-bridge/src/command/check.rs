//! `check`: tries to make a board and its Twin disagree.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use hil_bridge::check::{Agreement, CheckOptions, Finding, Verdict, check, check_session};
use hil_bridge::{Session, Where};
use protocol::Layout;

use super::{Done, Ending, say, tell};

#[derive(Debug, clap::Args)]
pub struct Arguments {
    #[command(flatten)]
    place: Where,
    /// How many steps: each is something done, and some time
    #[arg(long, value_name = "STEPS", default_value_t = 10_000)]
    steps: u64,
    /// Do what this session file says instead of following the seed
    #[arg(long, value_name = "FILE")]
    session: Option<PathBuf>,
    /// Where a session that shows a difference is written
    #[arg(long, value_name = "FILE", default_value = "difference.session")]
    save: PathBuf,
    /// How long to shorten that session at most
    #[arg(long, value_name = "SECONDS", default_value_t = 60)]
    shrink_s: u64,
}

pub fn run(arguments: &Arguments) -> Done {
    let place = &arguments.place;
    super::set_up(place);
    let begin = Instant::now();
    let shrink_for = Duration::from_secs(arguments.shrink_s);
    let mut each = progress(match &arguments.session {
        Some(_) => 0,
        None => arguments.steps,
    });
    let verdict = match &arguments.session {
        Some(file) => {
            let session = Session::load(file)?;
            say(format_args!(
                "check --at {} --session {}",
                place.at,
                file.display()
            ))?;
            let mut board = place.open()?;
            check_session(&mut *board, &session, shrink_for, &mut each)?
        }
        None => {
            let options = CheckOptions {
                seed: place.seed.unwrap_or(0),
                steps: arguments.steps,
                layout: place.layout.unwrap_or(Layout::MALDOO),
                shrink_for,
            };
            say(format_args!(
                "check --at {} --seed {} --steps {} --layout {}{}",
                place.at,
                options.seed,
                options.steps,
                options.layout,
                faults(place)
            ))?;
            let mut board = place.open()?;
            check(&mut *board, &options, &mut each)?
        }
    };
    drop(each);
    match verdict {
        Verdict::Agrees(agreement) => {
            say(agreed(&agreement, begin.elapsed()))?;
            Ok(Ending::Done)
        }
        Verdict::Differs(finding) => {
            differs(arguments, &finding)?;
            Ok(Ending::Failed)
        }
    }
}

/// The faults that were asked for, as they were asked for.
fn faults(place: &Where) -> String {
    let faults = &place.line.faults;
    if faults.are_none() {
        return String::new();
    }
    let mut words = format!(" --fault-seed {}", faults.seed);
    for (name, value) in [
        ("drop-ppm", u64::from(faults.drop_ppm)),
        ("flip-ppm", u64::from(faults.flip_ppm)),
        ("duplicate-ppm", u64::from(faults.duplicate_ppm)),
        ("cut-ppm", u64::from(faults.cut_ppm)),
        ("cut-after", faults.cut_after_bytes.unwrap_or(0)),
        ("stall-ppm", u64::from(faults.stall_ppm)),
        ("stall-ms", faults.stall_ms),
        ("delay-ms", faults.delay_ms),
    ] {
        if value > 0 {
            words.push_str(&format!(" --fault-{name} {value}"));
        }
    }
    words
}

fn progress(steps: u64) -> impl FnMut(&Agreement) {
    let bar = super::bar(steps, "steps");
    move |agreement: &Agreement| {
        bar.set_position(agreement.steps);
        bar.set_message(format!("tick {}", agreement.ticks));
    }
}

fn agreed(agreement: &Agreement, took: Duration) -> String {
    let Agreement {
        steps,
        ticks,
        inputs,
        events,
        games,
    } = agreement;
    format!(
        "agrees: {steps} steps, {inputs} inputs, {events} events, {games} games, {:.1} minutes of board time in {:.1} s",
        *ticks as f64 / 60_000.0,
        took.as_secs_f64()
    )
}

fn differs(arguments: &Arguments, finding: &Finding) -> anyhow::Result<()> {
    tell(&finding.difference);
    finding.session.save(&arguments.save)?;
    tell(format_args!(
        "{} shows it in {} entries ({} before they were shortened): `hil-bridge replay {} --at {}`",
        arguments.save.display(),
        finding.session.entries.len(),
        finding.found_after,
        arguments.save.display(),
        arguments.place.at
    ));
    Ok(())
}
