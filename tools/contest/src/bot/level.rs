//! The board's own player, on a board without lights.
//!
//! It thinks in slices of a tick, as on a chip; only its ticks pass as fast as
//! they can be computed, so it plays as on a board and answers much sooner.

use firmware_core::games::Playing;
use firmware_core::{Act, Context, Ground, Rng, Wide};
use protocol::{Layout, Point, Tick};

use super::{SIDE, Seat, Turn};
use crate::fault::{Fault, Kind};

/// The number of TicDabToe.
pub const GAME: u8 = 12;
/// No player thinks so long in a turn.
const MOST_TICKS: Tick = 60_000;
/// A speed that no game of turns looks at.
const SPEED: u8 = 5;

/// A level in a game.
pub struct Player {
    level: u8,
    rng: Rng,
    round: Option<Round>,
}

struct Round {
    ground: Ground<Wide>,
    playing: Playing<Wide>,
    now: Tick,
}

impl Player {
    pub fn new(level: u8, seed: u64) -> Player {
        Player {
            level,
            rng: Rng::new(seed),
            round: None,
        }
    }

    fn round(&mut self) -> Result<&mut Round, Fault> {
        if self.round.is_none() {
            let none = || Fault::new(Kind::Start, "this program was built without TicDabToe");
            let layout = Layout::grid(SIDE, SIDE).ok_or_else(none)?;
            let ground = Ground::new(layout).ok_or_else(none)?;
            let mut context = Context {
                ground: &ground,
                rng: &mut self.rng,
                now: 0,
                speed: SPEED,
                events: &mut heapless::Vec::new(),
            };
            let playing = Playing::start(GAME, 0, &mut context).ok_or_else(none)?;
            self.round = Some(Round {
                ground,
                playing,
                now: 0,
            });
        }
        self.round
            .as_mut()
            .ok_or_else(|| Fault::new(Kind::Start, "it has no board"))
    }
}

impl Round {
    /// Calls the player, or touches a point.
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

impl Seat for Player {
    fn play(&mut self, turn: &Turn<'_>) -> Result<Point, Fault> {
        let level = self.level;
        self.round()?;
        let (Some(round), rng) = (&mut self.round, &mut self.rng) else {
            return Err(Fault::new(Kind::Start, "it has no board"));
        };
        if let Some(last) = turn.position.last() {
            round.touch(last, rng);
        }
        let until = round.now + MOST_TICKS;
        while round.now < until {
            round.now = round.playing.opponent().wakes_at().max(round.now + 1);
            let act = round.with(rng, |playing, context| {
                playing.opponent_mut().wake(level, context)
            });
            if let Act::Touch(point) = act {
                round.touch(point, rng);
                return Ok(point);
            }
        }
        let reason = format!("it did not answer within {MOST_TICKS} ticks");
        Err(Fault::new(Kind::Time, reason))
    }
}
