//! Plays games on several threads.

use std::thread;

use crossbeam_channel::{bounded, unbounded};

use crate::bot::Bot;
use crate::game::{self, Played};
use crate::limits::Limits;
use crate::schedule::Game;

/// The default number of threads: one for each core.
#[must_use]
pub fn usual() -> usize {
    thread::available_parallelism().map_or(1, usize::from)
}

/// Plays these games on this many threads, and passes each result to `keep` as soon as it
/// is available, in any order.
///
/// # Errors
///
/// The first error of `keep`; games in progress are then discarded.
pub fn play_all(
    games: Vec<Game>,
    workers: usize,
    bots: &[Bot],
    limits: &Limits,
    mut keep: impl FnMut(&Game, Played) -> Result<(), String>,
) -> Result<(), String> {
    let (to_play, jobs) = unbounded();
    let (teller, results) = bounded(workers.max(1));
    for game in games {
        // Sending cannot fail: the receiver lives until all games have been sent.
        let _ = to_play.send(game);
    }
    drop(to_play);
    thread::scope(|scope| {
        for _ in 0..workers.max(1) {
            let (jobs, teller) = (jobs.clone(), teller.clone());
            scope.spawn(move || {
                for game in jobs {
                    let pair = game.bots.map(|bot| &bots[bot]);
                    let played = game::play(pair, game.seed, limits, &mut |_, _, _| {});
                    if teller.send((game, played)).is_err() {
                        return;
                    }
                }
            });
        }
        drop(teller);
        // At the first error, the receiver is dropped, which ends the threads.
        for (game, played) in results {
            keep(&game, played)?;
        }
        Ok(())
    })
}
