//! Games between players of the board, and how many of them the higher level wins.
//!
//! They are played with the rules of one game alone, without a referee, so a game's tests
//! need nothing that is built on it.

use core::ops::AddAssign;

use protocol::{Outcome, Side, Tick};

use super::TestedGame;
use crate::game::{BoardTurn, Player, Rules, Touch};
use crate::table::TURN_MS;
use crate::word::Word;

/// Wins of the higher level, draws, wins of the lower one.
#[derive(Clone, Copy, Debug, Default)]
pub struct Series {
    pub won: u32,
    pub drawn: u32,
    pub lost: u32,
}

impl Series {
    /// Plays `games` games, with the colours changing from game to game; `play` gets
    /// the seed and the levels `[green, red]`.
    pub fn of(games: u64, higher: u8, play: impl Fn(u64, [u8; 2]) -> Outcome) -> Series {
        let mut series = Series::default();
        for seed in 0..games {
            let own = Side::BOTH[(seed % 2) as usize];
            let mut levels = [higher - 1; 2];
            levels[own.index()] = higher;
            *match play(seed, levels) {
                Outcome::Won(side) if side == own => &mut series.won,
                Outcome::Won(_) => &mut series.lost,
                Outcome::Draw => &mut series.drawn,
            } += 1;
        }
        series
    }

    /// The share of points that the higher level makes at least, with 99.5 % confidence:
    /// the lower bound of Wilson's 99 % interval, where a win is one point and a draw
    /// half a point. With draws, the true interval is narrower.
    pub fn surely_makes(self) -> f64 {
        /// The 99 % quantile (two-sided) of the normal distribution.
        const Z: f64 = 2.576;
        let games = f64::from(self.won + self.drawn + self.lost);
        if games == 0.0 {
            return 0.0;
        }
        let share = (f64::from(self.won) + f64::from(self.drawn) / 2.0) / games;
        let spread = (share * (1.0 - share) / games + Z * Z / (4.0 * games * games)).sqrt();
        (share + Z * Z / (2.0 * games) - Z * spread) / (1.0 + Z * Z / games)
    }

    /// True if a player of equal strength would hardly ever look so strong by chance.
    pub fn is_beyond_chance(self) -> bool {
        self.surely_makes() > 0.5
    }
}

impl AddAssign for Series {
    fn add_assign(&mut self, other: Series) {
        self.won += other.won;
        self.drawn += other.drawn;
        self.lost += other.lost;
    }
}

#[test]
fn closer_results_need_more_games_to_be_beyond_chance() {
    let series = |won, drawn, lost| Series { won, drawn, lost };
    // Values from published tables of Wilson's interval.
    assert!((series(75, 0, 25).surely_makes() - 0.6250).abs() < 0.0005);
    assert!((series(10, 0, 0).surely_makes() - 0.6011).abs() < 0.0005);
    assert!(series(8, 0, 0).is_beyond_chance());
    assert!(!series(6, 0, 0).is_beyond_chance());
    assert!(!series(60, 0, 40).is_beyond_chance());
    assert!(series(120, 0, 80).is_beyond_chance());
    assert!(!series(0, 900, 0).is_beyond_chance());
    assert!(!series(0, 0, 0).is_beyond_chance());
}

/// Plays a game of alternate turns between players of these levels, `[green, red]`. The
/// clock is that of Time 5. Returns `None` if the game takes more than `most_ms`.
pub fn play_out<W: Word, G: Rules<W>>(
    mut table: TestedGame<W, G>,
    levels: [u8; 2],
    most_ms: Tick,
) -> Option<TestedGame<W, G>> {
    let mut turn = None;
    let mut ends_at = None;
    while table.game.outcome().is_none() {
        if table.now > most_ms {
            return None;
        }
        if table.game.turn() != turn {
            turn = table.game.turn();
            (table.hand, ends_at) = (Default::default(), None);
        }
        if !table.game.clock_runs() {
            ends_at = None;
        } else if ends_at.is_none() {
            ends_at = Some(table.now + TURN_MS);
        }
        let hand_at = turn.map(|_| table.hand.wakes_at().max(table.now));
        let game_at = table.game.wakes_at();
        let next = [hand_at, game_at, ends_at];
        table.now = next.into_iter().flatten().min()?.max(table.now);
        if game_at.is_some_and(|at| at <= table.now) {
            table.with(|game, _, context| game.wake(context));
            continue;
        }
        if ends_at.is_some_and(|at| at <= table.now) {
            table.time_out();
            turn = None;
            continue;
        }
        let Some(side) = turn else { continue };
        let level = levels[side.index()];
        match table.with(|game, hand, context| hand.wake(game, level, context)) {
            BoardTurn::Wait => {
                // A player that is due again in the same tick is called again in the next
                // one, as on the board.
                if table.hand.wakes_at() <= table.now {
                    table.now += 1;
                }
            }
            BoardTurn::Pass => {
                assert!(table.pass());
                turn = None;
            }
            BoardTurn::Touch(point) => {
                let came = table.touch(point);
                assert!(came.is_accepted(), "{came:?}");
                if let Touch::Move(_) = came {
                    turn = None;
                }
            }
        }
    }
    Some(table)
}
