//! Numbered games on several threads, with a progress bar.

use indicatif::{ProgressBar, ProgressStyle};
use protocol::Side;
use shards::do_all;

/// A progress bar for this many games, on the standard error stream; nothing is drawn if
/// that is not a terminal.
fn progress(games: u64, what: String) -> ProgressBar {
    let style = "{msg} {bar:30} {pos}/{len}  {elapsed} of about {duration}";
    let style = ProgressStyle::with_template(style);
    ProgressBar::new(games)
        .with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
        .with_message(what)
}

/// The side that the counted player has in a game of a series. It changes with every
/// game; two games in a row use the same random numbers, see [`seed_of`].
#[must_use]
pub fn side_of(number: u64) -> Side {
    if number.is_multiple_of(2) {
        Side::Green
    } else {
        Side::Red
    }
}

/// The seed of a game in a series; games 0 and 1, 2 and 3, and so on share one.
#[must_use]
pub fn seed_of(seed: u64, number: u64) -> u64 {
    seed.wrapping_add(number / 2)
}

/// Plays games 0 to `games` - 1 on this many threads, each with its own `State`, and passes
/// on each result as soon as it is available, in any order.
///
/// # Errors
///
/// The first error; games in progress are then discarded.
pub fn play_all<State: Default, Played: Send, Error: Send>(
    games: u64,
    threads: usize,
    what: String,
    play: impl Fn(&mut State, u64) -> Result<Played, Error> + Sync,
    mut keep: impl FnMut(u64, Played) -> Result<(), Error>,
) -> Result<(), Error> {
    let bar = progress(games, what);
    let one = |state: &mut State, number| (number, play(state, number));
    let played = do_all(0..games, threads, one, |(number, played)| {
        bar.inc(1);
        keep(number, played?)
    });
    bar.finish_and_clear();
    played
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_game_that_fails_ends_the_others() {
        let play = |_: &mut (), number| if number < 40 { Ok(number) } else { Err(number) };
        let keep = |number, played| {
            assert_eq!(number, played);
            Ok(())
        };
        assert_eq!(play_all(40, 3, String::new(), play, keep), Ok(()));
        let trouble = play_all(50, 3, String::new(), play, keep);
        assert!(trouble.is_err_and(|number| number >= 40));
    }

    #[test]
    fn paired_games_share_a_seed_and_swap_colours() {
        assert_eq!(
            [0, 1, 2].map(side_of),
            [Side::Green, Side::Red, Side::Green]
        );
        assert_eq!([0, 1, 2].map(|number| seed_of(7, number)), [7, 7, 8]);
    }
}
