//! A game between two bots.
//!
//! Invariants: the moves of a game are legal, whatever the bots do; it ends by the
//! rules or by a fault of a bot.

use std::time::{Duration, Instant};

use firmware_core::games::ticdabtoe::{Position, points_of_a_win};
use protocol::{Outcome, Point, Side};
use serde::{Deserialize, Serialize};

use crate::bot::{Bot, Ending, Seat, TurnRequest, Usage, Verdict};
use crate::chance;
use crate::fault::BotFault;
use crate::limits::Limits;

/// A fault and the player who committed it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Lost {
    /// The player at fault, `x` or `o`.
    pub by: char,
    /// The fault that lost the game.
    #[serde(flatten)]
    pub fault: BotFault,
}

/// A game that is over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Played {
    /// The moves, those of `x` first.
    pub moves: Vec<Point>,
    /// The fault with which it ended, if it did.
    pub lost: Option<Lost>,
    /// The lines that each bot wrote for its author, `x` first.
    pub words: [Vec<String>; 2],
    /// The longest time for a move, in ms, `x` first.
    pub slowest_ms: [u64; 2],
    /// The most resources that each bot used for a move, `x` first.
    pub usage: [Usage; 2],
}

/// The side with this mark.
#[must_use]
pub fn side_of(mark: char) -> Option<Side> {
    Side::BOTH
        .into_iter()
        .find(|side| crate::bot::mark(*side) == mark)
}

/// The position after these moves; `None` if one of them is illegal.
#[must_use]
pub fn position_after(moves: &[Point]) -> Option<Position> {
    let start = Position::start();
    moves
        .iter()
        .try_fold(start, |position, point| position.play(*point).ok())
}

/// The outcome of a game with these moves and this fault, and the points `[x, o]`. `None`
/// if the game is unfinished or impossible.
#[must_use]
pub fn result(moves: &[Point], lost: Option<&Lost>) -> Option<(Outcome, [u16; 2])> {
    let position = position_after(moves)?;
    match lost {
        Some(lost) => {
            let by = side_of(lost.by).filter(|side| position.turn() == Some(*side))?;
            Some((Outcome::Won(by.other()), points_of_a_win(by.other())))
        }
        None => Some((position.outcome()?, position.points())),
    }
}

/// Plays a game between `bots`, `[x, o]`, whose random numbers are derived from the seed.
/// `watch` is called after each move.
pub fn play(
    bots: [&Bot; 2],
    seed: u64,
    limits: &Limits,
    watch: &mut dyn FnMut(&Position, Point, Duration),
) -> Played {
    let mut rng = chance::of(seed, 0);
    let mut seats: [Box<dyn Seat>; 2] = Side::BOTH.map(|side| {
        let own = chance::bits(&mut rng);
        bots[side.index()].sit(side, own, limits)
    });
    let mut played = Played {
        moves: Vec::new(),
        lost: None,
        words: Default::default(),
        slowest_ms: [0; 2],
        usage: Default::default(),
    };
    let mut position = Position::start();
    while let Some(side) = position.turn() {
        let seat = &mut seats[side.index()];
        let turn = TurnRequest {
            position: &position,
            moves: played.moves.len() as u16,
            time: Duration::from_millis(limits.move_ms),
        };
        let began = Instant::now();
        let answer = seat.play(&turn);
        let took = began.elapsed();
        played.note(side, took, seat.usage());
        match answer {
            Ok(point) => {
                // A seat only returns legal cells.
                position = position.after(point);
                played.moves.push(point);
                watch(&position, point, took);
            }
            Err(fault) => {
                let by = crate::bot::mark(side);
                played.lost = Some(Lost { by, fault });
                break;
            }
        }
    }
    played.finish(&mut seats);
    played
}

impl Played {
    /// The outcome, and `[x, o]` points.
    #[must_use]
    pub fn result(&self) -> (Outcome, [u16; 2]) {
        // A played game has a result.
        result(&self.moves, self.lost.as_ref()).unwrap_or((Outcome::Draw, [0; 2]))
    }

    fn note(&mut self, side: Side, took: Duration, usage: Usage) {
        let slowest = &mut self.slowest_ms[side.index()];
        *slowest = (*slowest).max(u64::try_from(took.as_millis()).unwrap_or(u64::MAX));
        let most = &mut self.usage[side.index()];
        most.fuel = most.fuel.max(usage.fuel);
        most.memory_bytes = most.memory_bytes.max(usage.memory_bytes);
    }

    /// Informs the bots of the result, and keeps their last lines.
    fn finish(&mut self, seats: &mut [Box<dyn Seat>; 2]) {
        let (outcome, points) = self.result();
        for (side, seat) in Side::BOTH.into_iter().zip(seats) {
            let (own, other) = (side.index(), side.other().index());
            self.words[own] = seat.end(&Ending {
                verdict: Verdict::of(outcome, side),
                points: [points[own], points[other]],
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fault::BotFaultKind;

    fn random() -> Bot {
        Bot::built_in("random").expect("it is built in")
    }

    #[test]
    fn a_game_of_random_moves_ends_and_follows_from_its_seed() {
        let play = |seed| {
            play(
                [&random(), &random()],
                seed,
                &Limits::TEST,
                &mut |_, _, _| {},
            )
        };
        let (one, other) = (play(1), play(2));
        assert_eq!(play(1).moves, one.moves);
        assert_ne!(one.moves, other.moves);
        assert_eq!(one.lost, None);
        let (outcome, points) = one.result();
        let won = points.contains(&16) && points.contains(&0);
        assert_eq!(won, outcome != Outcome::Draw);
    }

    #[test]
    fn a_fault_gives_the_other_side_sixteen_points() {
        let fault = BotFault::new(BotFaultKind::Time, "it did not answer");
        let lost = |by| Lost {
            by,
            fault: fault.clone(),
        };
        let first = [Point(5)];
        assert_eq!(
            result(&[], Some(&lost('x'))),
            Some((Outcome::Won(Side::Red), [0, 16]))
        );
        assert_eq!(
            result(&first, Some(&lost('o'))),
            Some((Outcome::Won(Side::Green), [16, 0]))
        );
        assert_eq!(result(&first, Some(&lost('x'))), None);
        assert_eq!(result(&first, None), None);
        assert_eq!(result(&[Point(5), Point(5)], None), None);
    }
}
