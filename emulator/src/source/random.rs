//! Plays random games by the rules of a text, in slices, so that a picture can be drawn
//! between two of them.

use std::ops::ControlFlow;
use std::sync::{Arc, LazyLock};
use std::time::Duration;

use bevy::platform::time::Instant;
use ludemes::report::{self, FUEL, Report, ReportOptions};
use touchboard_host::written::TextGame;

use super::system::GoesOn;

/// The intended length of a slice. It takes longer if a single game does.
const SLICE: Duration = Duration::from_millis(6);

/// Random games in progress.
pub struct RandomGames {
    game: Arc<TextGame>,
    seed: u64,
    left: u32,
    at_once: u32,
    report: Option<Report>,
    now: fn() -> Duration,
}

impl RandomGames {
    /// Creates random games by these rules. The first one uses `seed`, and each further
    /// one the next number.
    pub fn new(game: Arc<TextGame>, games: u32, seed: u64) -> RandomGames {
        RandomGames {
            game,
            seed,
            left: games,
            at_once: 1,
            report: None,
            now,
        }
    }

    /// Plays one slice. Once all games are finished, returns the result, or why the games
    /// cannot be played.
    pub fn slice(&mut self, goes_on: GoesOn<'_>) -> Option<String> {
        let games = self.at_once.min(self.left);
        let plan = ReportOptions {
            games,
            seed: self.seed,
            fuel: FUEL,
            now: self.now,
        };
        let look = |_: &Report| match goes_on() {
            true => ControlFlow::Continue(()),
            false => ControlFlow::Break(()),
        };
        let TextGame { node, compiled, .. } = &*self.game;
        let more = match report::play(node, compiled, &plan, look) {
            Ok(more) => more,
            Err(refused) => return Some(format!("the core does not take this game: {refused:?}")),
        };
        self.seed += u64::from(games);
        self.left -= games;
        self.at_once = match more.took {
            took if took < SLICE / 2 => games * 2,
            took if took > SLICE => (games / 2).max(1),
            _ => games,
        };
        let report = match self.report.take() {
            Some(mut report) => {
                report.add(more);
                report
            }
            None => more,
        };
        if self.left == 0 {
            return Some(report.to_string());
        }
        self.report = Some(report);
        None
    }
}

/// The time since this clock was first read.
fn now() -> Duration {
    static BEGUN: LazyLock<Instant> = LazyLock::new(Instant::now);
    BEGUN.elapsed()
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU64, Ordering};

    use touchboard_host::written::{library, of_text};

    use super::*;

    fn no_time() -> Duration {
        Duration::ZERO
    }

    /// A clock that makes every game take twice as long as a slice.
    fn slow_time() -> Duration {
        static NOW_MS: AtomicU64 = AtomicU64::new(0);
        let step_ms = 2 * SLICE.as_millis() as u64;
        Duration::from_millis(NOW_MS.fetch_add(step_ms, Ordering::Relaxed))
    }

    fn game(name: &str) -> Arc<TextGame> {
        let text = library::text(name).unwrap();
        Arc::new(of_text(name, text, &[]).unwrap())
    }

    /// The result of 60 games without its timing, and the number of slices.
    fn played(name: &str, now: fn() -> Duration) -> (String, u32) {
        let mut games = RandomGames {
            now,
            ..RandomGames::new(game(name), 60, 1)
        };
        let mut slices = 0;
        loop {
            slices += 1;
            if let Some(report) = games.slice(&|| true) {
                let (_, figures) = report.split_once('\n').unwrap();
                return (figures.to_owned(), slices);
            }
        }
    }

    #[test]
    fn results_of_random_games_do_not_depend_on_slices() {
        for name in ["tic-tac-toe", "hexade", "yavalath"] {
            let (quick, few) = played(name, no_time);
            let (slow, many) = played(name, slow_time);
            assert_eq!(quick, slow, "{name}");
            // With the fast clock, the slices hold 1, 2, 4, 8, 16 games and the remaining
            // 29; with the slow one, one game each.
            assert_eq!((few, many), (6, 60), "{name}");
        }
    }
}
