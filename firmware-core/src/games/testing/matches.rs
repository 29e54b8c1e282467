//! Games between hands of the board, and how many of them the higher level wins.

use protocol::{Outcome, Side, Tick};

use super::Table;
use crate::game::{Act, Game, Player, Touch};
use crate::word::Word;

/// Wins of the higher level, draws, wins of the lower one.
#[derive(Clone, Copy, Debug, Default)]
pub struct Series {
    pub won: u32,
    pub drawn: u32,
    pub lost: u32,
}

impl Series {
    /// Plays so many games, with the colours changing from game to game;
    /// `play` gets the seed and the levels `[green, red]`.
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

    /// At least twice as many wins as losses, and wins in half of the games:
    /// the lower end of a 99 % interval of the score is then above one half
    /// from 200 games on.
    pub fn is_clear(self) -> bool {
        self.won >= 2 * self.lost && self.won >= self.drawn + self.lost
    }
}

/// Plays a game of alternate turns between hands of these levels, `[green,
/// red]`; each turn may last `turn_ms`. Returns `None` if it took more than
/// `most_ms`.
pub fn play_out<W: Word, G: Game<W>>(
    mut table: Table<W, G>,
    levels: [u8; 2],
    turn_ms: Tick,
    most_ms: Tick,
) -> Option<Table<W, G>> {
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
            ends_at = Some(table.now + turn_ms);
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
            Act::Wait => {
                // A hand that is due again in the same tick is asked again in
                // the next one, as on the board.
                if table.hand.wakes_at() <= table.now {
                    table.now += 1;
                }
            }
            Act::Pass => {
                assert!(table.pass());
                turn = None;
            }
            Act::Touch(point) => {
                assert!(matches!(table.touch(point), Touch::Move(_)));
                turn = None;
            }
        }
    }
    Some(table)
}
