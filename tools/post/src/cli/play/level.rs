//! The turns of the board's own player.

use firmware_core::game::{BoardTurn, Game, Rules, Touch};
use firmware_core::games::Round;
use firmware_core::games::malaka::{Malaka, Own, Position, Step, place_of};
use firmware_core::rng::Rng;
use firmware_core::table::Table;
use firmware_core::word::Wide;
use protocol::Layout;

use super::PlayError;
use super::touches::Touches;

/// The Speed setting; this game does not use it.
const SPEED: u8 = 5;
/// More touches than the board's player makes in a turn.
const MOST_TOUCHES: u32 = 64;

/// The turn of the board's own player at this level.
pub fn turn_of_level(position: &Position, level: u8) -> Result<Vec<Step>, PlayError> {
    let no_turn = PlayError::NoTurn(level);
    let side = position.variant().side();
    let Some(mut table) = Table::<Wide>::new(Layout::grid(side, side)?, SPEED) else {
        return Err(no_turn);
    };
    let mut rng = Rng::new(u64::from(level));
    let (mode, bytes) = (position.variant().mode(), Own::of(position).bytes());
    let game = table.with(&mut rng, |context| {
        Malaka::own_position(mode, &bytes, context)
    });
    let Some(game) = game else {
        return Err(no_turn);
    };
    type Mover = <Malaka<Wide> as Rules<Wide>>::Player;
    let player = Mover::default();
    let mut round = Round { game, player };
    let mut touches = Touches::default();
    for _ in 0..MOST_TOUCHES {
        let Some(BoardTurn::Touch(point)) = table.decide(&mut round, level, &mut rng) else {
            break;
        };
        let Some(place) = place_of(point, &table.ground) else {
            break;
        };
        touches.touch(place);
        match table.with(&mut rng, |context| round.game.touch(point, context)) {
            Touch::Part => {}
            Touch::Move(_) => return Ok(touches.steps),
            Touch::TakenBack | Touch::Illegal | Touch::Ignored => break,
        }
    }
    Err(no_turn)
}
