//! `upload`: inserts a user-written game into a board, which plays it from then on, or
//! removes it.

use std::time::Instant;

use anyhow::{Context as _, bail};
use ludemes::compile::Compiled;
use protocol::{Command, Deed, Layout, Refusal, Status};
use touchboard_host::written;
use touchboard_links::{At, Client, Where};

use super::{CommandEnd, ExitKind, print, print_error};

#[derive(Debug, clap::Args)]
pub struct Options {
    /// The text of the game: a `.lud` file, with a # before each chosen item of its
    /// options: hex.lud#5x5
    #[arg(required_unless_present = "none")]
    game: Option<String>,
    /// Remove the inserted game. The board is reset to the layout that the first of its
    /// own games is made for, or to that of --layout
    #[arg(long, conflicts_with = "game")]
    none: bool,
    #[command(flatten)]
    place: Where,
}

pub fn run(options: &Options) -> CommandEnd {
    let place = &options.place;
    super::set_up(place)?;
    let Some(file) = &options.game else {
        return take_out(place);
    };
    if place.layout.is_some() {
        bail!("the game has a layout of its own: leave --layout out");
    }
    let Some(choice) = written::Choice::written(file) else {
        bail!("{file} is not the text of a game: its name ends in .lud");
    };
    let game = touchboard_links::games::read(&choice)?;
    let layout = game.layout.layout();
    if place.at == At::Core {
        bail!(
            "name the board with --at; on the one in this process, play with `hil-bridge mirror --layout {}`",
            file
        );
    }
    let client = place.client()?;
    let begun = Instant::now();
    let status = become_layout(&client, place, layout)
        .map_err(|error| with_figures(error, file, &game.compiled))?;
    let game = written::game_name(status.settings.game, layout);
    let board = client.view().hello.board;
    print(format_args!(
        "{game}: {} bytes in {:.1} s, {board} has it now on {}; press Start on it",
        bytes(layout),
        begun.elapsed().as_secs_f32(),
        points(layout),
    ))?;
    let ends = place.at.is_started_here() && place.keep.is_none();
    if ends {
        print_error(format_args!(
            "that board was started for this command and ends with it: play with `hil-bridge mirror --at {} --layout {}`",
            place.at, file
        ));
    }
    Ok(ExitKind::Done)
}

/// Why a board refuses a game, with figures if only hosts have room for it.
fn with_figures(error: anyhow::Error, file: &str, game: &Compiled) -> anyhow::Error {
    let refusal = error.downcast_ref::<Refusal>();
    let is_refused = matches!(refusal, Some(Refusal::LayoutGame(_)));
    match game.only_on_hosts().filter(|_| is_refused) {
        Some(only) => error.context(format!("{file}: {only}")),
        None => error,
    }
}

/// Removes the board's inserted game, including the stored one.
fn take_out(place: &Where) -> CommandEnd {
    if place.at == At::Core {
        bail!("name the board with --at");
    }
    let client = place.client()?;
    let hello = client.view().hello;
    let layout = place
        .layout()
        .unwrap_or(written::without(hello.capabilities.roster));
    become_layout(&client, place, layout)?;
    print(format_args!(
        "no game is inserted: {} is a {layout} board now",
        hello.board
    ))?;
    Ok(ExitKind::Done)
}

fn become_layout(client: &Client, place: &Where, layout: Layout) -> anyhow::Result<Status> {
    let hello = client.view().hello;
    let seed = place.seed.unwrap_or(hello.seed);
    let reply = client.request(Command::Do(Deed::Reset { seed, layout }))?;
    reply
        .result
        .with_context(|| format!("{} keeps what it had", hello.board))?;
    Ok(client.status()?)
}

fn bytes(layout: Layout) -> usize {
    let known = layout.drawing();
    known.map_or(0, |known| known.as_drawing().bytes().len())
}

fn points(layout: Layout) -> String {
    format!("{} points", layout.points())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A game whose rules try moves nested `times` deep.
    fn nested(times: usize) -> Compiled {
        let add = "(move Add (to (sites Empty)))";
        let tried = (0..times).fold(add.to_owned(), |moves, _| {
            format!("(do {add} ifAfterwards:(can Move {moves}))")
        });
        let text = format!(
            "(game \"Deep\" (players 2) (equipment {{(board (hex Diamond 11)) (piece \"Disc\" Each)}}) \
             (rules (play {tried}) (end (if (is Connected Mover) (result Mover Win)))))"
        );
        ludemes::check::made(&text, &[]).expect("it is a game").1
    }

    #[test]
    fn a_game_too_large_for_a_board_is_refused_with_its_size() {
        let told = |refusal: Refusal, game: &Compiled| {
            let error = anyhow::Error::new(refusal).context("the board keeps what it had");
            format!("{:#}", with_figures(error, "deep.lud", game))
        };
        let deep = nested(17);
        let refused = Refusal::LayoutGame(*deep.layout().expect("a host plays it"));
        let sentence = told(refused, &deep);
        let needs = format!("may need {} bytes of the stack", deep.stack_bytes);
        for part in [
            "deep.lud: it is played on hosts",
            &needs,
            "has 47104: the board keeps",
        ] {
            assert!(sentence.contains(part), "{sentence}");
        }
        let others = [told(Refusal::NotGreeted, &deep), told(refused, &nested(2))];
        assert!(
            others.iter().all(|told| !told.contains("hosts")),
            "{others:?}"
        );
    }
}
