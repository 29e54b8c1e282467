//! `upload`: a game that somebody wrote goes to a board, which plays it from then on.

use std::time::Instant;

use anyhow::{Context as _, bail};
use hil_bridge::written;
use hil_bridge::{At, Where};
use protocol::{Command, Deed, Done as Answer, Layout, Status};

use super::{Done, Ending, say, tell};

#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// The text of the game: a `.lud` file, and what is chosen of its options behind
    /// a # each: hex.lud#5x5
    game: String,
    #[command(flatten)]
    place: Where,
}

pub fn run(arguments: &Arguments) -> Done {
    let place = &arguments.place;
    super::set_up(place)?;
    let file = &arguments.game;
    if place.layout.is_some() {
        bail!("the game brings its layout with it: leave --layout out");
    }
    let Some(choice) = written::Choice::written(file) else {
        bail!("{file} is no text of a game: its name ends in .lud");
    };
    let game = written::read(&choice).map_err(anyhow::Error::msg)?;
    let layout = game.layout;
    if place.at == At::Core {
        bail!(
            "say with --at where the board is; on the one in this process play it with `hil-bridge mirror --layout {}`",
            file
        );
    }
    let client = place.client()?;
    let hello = client.view().hello;
    let seed = place.seed.unwrap_or(hello.seed);
    let begun = Instant::now();
    let reply = client.request(Command::Do(Deed::Reset { seed, layout }))?;
    reply
        .result
        .with_context(|| format!("{} keeps what it had", hello.board))?;
    let status = status(&client)?;
    let game = written::game_name(status.settings.game, layout);
    say(format_args!(
        "{game}: {} bytes in {:.1} s, {} has it now on {}; press Start on it",
        bytes(layout),
        begun.elapsed().as_secs_f32(),
        hello.board,
        points(layout),
    ))?;
    if matches!(place.at, At::Virtual | At::Qemu(_)) {
        tell(format_args!(
            "that board was begun for this and ends with it: play with `hil-bridge mirror --at {} --layout {}`",
            place.at, file
        ));
    }
    Ok(Ending::Done)
}

fn status(client: &hil_bridge::Client) -> anyhow::Result<Status> {
    match client.request(Command::Status)?.result? {
        Answer::Status(status) => Ok(status),
        other => bail!("the board answered {other:?} when it was asked how it stands"),
    }
}

fn bytes(layout: Layout) -> usize {
    layout.drawing().map_or(0, |drawing| drawing.bytes().len())
}

fn points(layout: Layout) -> String {
    format!("{} points", layout.points())
}
