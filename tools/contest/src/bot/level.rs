//! The board's own player as a bot, without a board.
//!
//! It thinks in slices of a tick, as on a chip, but the ticks pass as fast as they can be
//! computed. So it plays as on a board, and answers much sooner.

use firmware_core::games::Playing;
use firmware_core::{BoardTurn, Context, Ground, Rng, Wide};
use protocol::{Layout, Point, Tick};

use super::{SIDE, Seat, TurnRequest};
use crate::fault::{BotFault, BotFaultKind};

/// The number of the game TicDabToe.
pub const GAME: u8 = 12;
/// The longest thinking time of any player in a turn, in ticks.
const MOST_TICKS: Tick = 60_000;
/// The Speed setting; this game does not use it.
const SPEED: u8 = 5;

/// A level that plays a game.
pub struct LevelPlayer {
    level: u8,
    rng: Rng,
    round: Option<Round>,
}

struct Round {
    ground: Ground<Wide>,
    playing: Playing<Wide>,
    now: Tick,
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
        let ground = Ground::new(Layout::grid(SIDE, SIDE).ok()?)?;
        let mut context = Context {
            ground: &ground,
            rng,
            now: 0,
            speed: SPEED,
            events: &mut heapless::Vec::new(),
        };
        let playing = Playing::start(GAME, 0, &mut context)?;
        Some(Round {
            ground,
            playing,
            now: 0,
        })
    }

    /// Calls `what` with the round and its context.
    fn with<T>(
        &mut self,
        rng: &mut Rng,
        what: impl FnOnce(&mut Playing<Wide>, &mut Context<'_, Wide>) -> T,
    ) -> T {
        let mut context = Context {
            ground: &self.ground,
            rng,
            now: self.now,
            speed: SPEED,
            events: &mut heapless::Vec::new(),
        };
        what(&mut self.playing, &mut context)
    }

    fn touch(&mut self, point: Point, rng: &mut Rng) {
        self.with(rng, |playing, context| {
            playing.game_mut().touch(point, context)
        });
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
        let until = round.now + MOST_TICKS;
        while round.now < until {
            round.now = round.playing.opponent().wakes_at().max(round.now + 1);
            let act = round.with(rng, |playing, context| {
                playing.opponent_mut().wake(level, context)
            });
            if let BoardTurn::Touch(point) = act {
                round.touch(point, rng);
                return Ok(point);
            }
        }
        let reason = format!("it did not answer within {MOST_TICKS} ticks");
        Err(BotFault::new(BotFaultKind::Time, reason))
    }
}
