//! The turns of the board's own player.

use firmware_core::game::{BoardTurn, Context, Game, Player, Rules, Touch};
use firmware_core::games::malaka::{Malaka, Own, Position, Step, place_of};
use firmware_core::ground::Ground;
use firmware_core::rng::Rng;
use firmware_core::word::Wide;
use protocol::{Event, Layout};

use super::PlayError;
use super::touches::Touches;

/// The most calls of the board's player for a turn; it needs far fewer.
const MOST_CALLS: u32 = 1_000_000;

/// The turn of the board's own player at this level.
pub fn turn_of_level(position: &Position, level: u8) -> Result<Vec<Step>, PlayError> {
    let no_turn = PlayError::NoTurn(level);
    let side = position.variant().side();
    let Some(ground) = Ground::<Wide>::new(Layout::grid(side, side)?) else {
        return Err(no_turn);
    };
    let (mut rng, mut now) = (Rng::new(u64::from(level)), 0);
    let mut events = heapless::Vec::<Event, 8>::new();
    let mode = position.variant().mode();
    macro_rules! context {
        () => {
            Context {
                ground: &ground,
                rng: &mut rng,
                now,
                speed: 5,
                events: &mut events,
            }
        };
    }
    let bytes = Own::of(position).bytes();
    let Some(mut game) = Malaka::<Wide>::own_position(mode, &bytes, &mut context!()) else {
        return Err(no_turn);
    };
    type Mover = <Malaka<Wide> as Rules<Wide>>::Player;
    let mut player = Mover::default();
    let mut touches = Touches::default();
    for _ in 0..MOST_CALLS {
        events.clear();
        now = now.max(Player::<Wide, Malaka<Wide>>::wakes_at(&player)) + 1;
        let BoardTurn::Touch(point) = player.wake(&game, level, &mut context!()) else {
            continue;
        };
        let Some(place) = place_of(point, &ground) else {
            break;
        };
        touches.touch(place);
        match game.touch(point, &mut context!()) {
            Touch::Part => {}
            Touch::Move(_) => return Ok(touches.steps),
            Touch::TakenBack | Touch::Illegal | Touch::Ignored => break,
        }
    }
    Err(no_turn)
}
