//! The board's own player as a bot, without a board.
//!
//! It thinks in slices of a tick, as on a chip, but the ticks pass as fast as they can be
//! computed. So it plays as on a board, and answers much sooner.

use firmware_core::games::{Playing, number};
use firmware_core::table::{MOST_TICKS, Table};
use firmware_core::{BoardTurn, Rng, Wide};
use protocol::{Layout, Point};

use super::{SIDE, Seat, TurnRequest};
use crate::fault::{BotFault, BotFaultKind};

/// The Speed setting; this game does not use it.
const SPEED: u8 = 5;

/// A level that plays a game.
pub struct LevelPlayer {
    level: u8,
    rng: Rng,
    round: Option<Round>,
}

struct Round {
    table: Table<Wide>,
    playing: Playing<Wide>,
}

impl LevelPlayer {
    pub fn new(level: u8, seed: u64) -> LevelPlayer {
        LevelPlayer {
            level,
            rng: Rng::new(seed),
            round: None,
        }
    }
}

impl Round {
    /// The start of a game; `None` if the game is not in this build.
    fn new(rng: &mut Rng) -> Option<Round> {
        let table = Table::new(Layout::grid(SIDE, SIDE).ok()?, SPEED)?;
        let playing = table.start(number::TICDABTOE, 0, rng)?;
        Some(Round { table, playing })
    }

    fn touch(&mut self, point: Point, rng: &mut Rng) {
        let game = self.playing.game_mut();
        self.table.with(rng, |context| game.touch(point, context));
        self.playing.opponent_mut().reset();
    }
}

impl Seat for LevelPlayer {
    fn play(&mut self, turn: &TurnRequest<'_>) -> Result<Point, BotFault> {
        let (level, rng) = (self.level, &mut self.rng);
        if self.round.is_none() {
            self.round = Round::new(rng);
        }
        let none = || {
            BotFault::new(
                BotFaultKind::Start,
                "this program was built without TicDabToe",
            )
        };
        let round = self.round.as_mut().ok_or_else(none)?;
        if let Some(last) = turn.position.last() {
            round.touch(last, rng);
        }
        let player = round.playing.opponent_mut();
        if let Some(BoardTurn::Touch(point)) = round.table.decide(player, level, rng) {
            round.touch(point, rng);
            return Ok(point);
        }
        let reason = format!("it did not answer within {MOST_TICKS} ticks");
        Err(BotFault::new(BotFaultKind::Time, reason))
    }
}
