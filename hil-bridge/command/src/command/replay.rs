//! `replay`: repeats a session file on a board.

use std::path::PathBuf;

use anyhow::ensure;
use touchboard_host::check::{TimeLimit, Verdict, check_session};
use touchboard_host::session::Mismatch;
use touchboard_host::{CoreDriver, Driver, Session};
use touchboard_links::Where;

use super::{CommandEnd, ExitKind, print, print_error};

#[derive(Debug, clap::Args)]
pub struct Options {
    /// The session file
    file: PathBuf,
    #[command(flatten)]
    place: Where,
}

pub fn run(options: &Options) -> CommandEnd {
    super::set_up(&options.place)?;
    ensure!(
        options.place.layout.is_none() && options.place.seed.is_none(),
        "the session itself contains its layout and seed: leave --layout and --seed out"
    );
    let session = super::session(&options.file)?;
    let mut place = options.place.clone();
    place.layout = Some(session.header.layout.clone());
    place.seed = Some(session.header.seed);
    // Replaying does not count as playing.
    place.is_test = true;
    if place.begins_here() {
        place.games = Some(session.header.roster);
    }
    let mut board = place.open()?;
    let bar = super::bar(session.entries.len() as u64, "entries");
    let mismatch = session.replay(&mut *board, &mut |done| bar.set_position(done as u64))?;
    bar.finish_and_clear();
    match mismatch {
        None => {
            print(format_args!(
                "{} entries up to tick {}: {} agrees",
                session.entries.len(),
                session.last_tick(),
                place.at
            ))?;
            Ok(ExitKind::Done)
        }
        Some(mismatch) => {
            explain(&session, &mismatch, &mut *board)?;
            Ok(ExitKind::Failed)
        }
    }
}

/// Explains a mismatch: the fields in which the board differs from its twin, or, if only
/// the recorded firmware differs, both digests, because nothing else of it is known.
fn explain(session: &Session, mismatch: &Mismatch, board: &mut dyn Driver) -> anyhow::Result<()> {
    let Mismatch {
        tick,
        recorded,
        found,
        ..
    } = mismatch;
    let mut up_to_there = session.clone();
    up_to_there.entries.truncate(mismatch.entry + 1);
    let verdict = check_session(board, &up_to_there, TimeLimit::NONE, &mut |_| {})?;
    if let Verdict::Differs(finding) = verdict {
        print_error(finding.difference);
        return Ok(());
    }
    print_error(format_args!(
        "tick {tick}: the session has the digest {recorded:016x}, the board at {} has {found:016x}",
        board.at()
    ));
    let mut twin = CoreDriver::with_games(
        *session.header.layout,
        session.header.roster,
        session.header.seed,
    )?;
    let own = up_to_there.replay(&mut twin, &mut |_| {})?;
    if own.is_none() {
        print_error("it agrees when it is repeated: the line is bad");
    } else {
        print_error(format_args!(
            "the firmware in this program ({}) does not agree with the session either, which was recorded from {}: the rules have changed, or the file was changed",
            env!("CARGO_PKG_VERSION"),
            session.header.firmware
        ));
    }
    Ok(())
}
