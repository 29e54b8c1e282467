//! The random games of the player, and the tree that they grow.
//!
//! Invariants: a call takes a bounded number of the machine's steps, but makes at least
//! one move; a game that takes longer is stored and continued in the next call.

use protocol::List;

use super::super::random_game::{DrawProgress, wander};
use super::super::{Written, machine, steps_of_a_call};
use super::{Explorer, LONGEST, NumberedNode, REFUSED, RunningGame, STEPS_AT_LEAST, person};
use crate::cartridge::candidates::{Draw, FORCED, Number, RandomChoice};
use crate::cartridge::{LayoutGame, Machine, State, Unended};
use crate::ground::Ground;
use crate::minds::arena::{NODES, TreePath, WHOLE};
use crate::minds::tree::log2_256ths;
use crate::rng::Rng;
use crate::word::Word;

/// The largest lead in pieces that counts in a game that was cut off.
const LEAD: i32 = 5;
/// A random game is cut off after this many moves if one side leads by [`CLEAR`] pieces,
/// which is more than an exchange in progress could explain. A game without captures
/// continues.
const LONG: u16 = 30;
/// The lead in pieces that counts as clear; see [`LONG`].
const CLEAR: i32 = 2;
/// The number of visits from which on a node gets branches.
const VISITS_TO_BRANCH: u16 = 2;
/// The weight of rarely visited moves, in 16ths of the root of `log2(visits) /
/// visits`.
const CURIOSITY: u32 = 11;

/// True if a random game is played no further.
fn is_enough<W: Word>(machine: &Machine<'_, W>, moves: u16) -> bool {
    let is_clear = moves >= LONG && lead(&machine.state, 1).abs() >= CLEAR;
    machine.state.over || machine.gave_up() || moves >= LONGEST || is_clear
}

/// The result of a step down the tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Descent {
    /// A move in the tree was made.
    Down,
    /// The drawn move is not legal, so none was made.
    Refused,
    /// The descent has left the tree.
    Beyond,
    /// A move is still being drawn.
    Draws,
}

/// What a move is drawn at random with.
struct Drawing<'d> {
    /// The progress of the draw.
    draw: &'d mut Draw,
    /// The steps that are left for it in this tick.
    steps: u32,
    rng: &'d mut Rng,
}

impl<W: Word> Explorer<W> {
    /// Makes one move down the tree, which may be a new node.
    fn descend(
        &mut self,
        path: &mut TreePath,
        game: &Written<W>,
        machine: &mut Machine<'_, W>,
        layout: &LayoutGame<'_>,
        drawing: Drawing<'_>,
    ) -> Descent {
        let at = path.last().copied().unwrap_or_default();
        let node = self.nodes.node(at);
        if path.is_full() || (at != 0 && node.visits < VISITS_TO_BRANCH) {
            return Descent::Beyond;
        }
        if !node.is_whole && !self.nodes.is_full() {
            match self.branch(at, game, machine, layout, drawing) {
                Some(Descent::Beyond) => {
                    let _ = path.push(self.nodes.node(at).child);
                    return Descent::Beyond;
                }
                Some(descent) => return descent,
                None => {}
            }
        }
        let next = self.best_child(at);
        if next == 0 {
            return Descent::Beyond;
        }
        machine.play_number(self.nodes.node(next).number);
        let _ = path.push(next);
        Descent::Down
    }

    /// Draws one of the moves that are not yet nodes, plays it if it is legal, and
    /// makes it a node; continues drawing while there are steps left. `None` if there
    /// is no such move.
    fn branch(
        &mut self,
        at: u8,
        game: &Written<W>,
        machine: &mut Machine<'_, W>,
        layout: &LayoutGame<'_>,
        drawing: Drawing<'_>,
    ) -> Option<Descent> {
        let person = person(&machine.state, machine.state.mover);
        let mut known: List<Number, NODES> = List::default();
        for (_, node) in self.nodes.children(at) {
            let _ = known.push(node.number);
        }
        let goes_on = |ends: [i16; 2]| game.goes_on_with(ends, layout);
        let wants: Option<&dyn Fn([i16; 2]) -> bool> = match at {
            0 if !game.picked.is_empty() => Some(&goes_on),
            _ => None,
        };
        let Drawing { draw, steps, rng } = drawing;
        let drawn = machine.play_unknown(draw, steps, &known, wants, rng);
        let (number, person, is_last) = match drawn {
            RandomChoice::GoesOn => return Some(Descent::Draws),
            RandomChoice::Played { number, is_last } => (number, person, is_last),
            RandomChoice::Refused { number, is_last } => (number, REFUSED, is_last),
            RandomChoice::None if self.legal_children(at).next().is_none() => {
                machine.play_number(FORCED);
                (FORCED, person, true)
            }
            RandomChoice::None => {
                self.set_whole(at, true);
                return None;
            }
        };
        let is_last = is_last && (person != REFUSED || self.legal_children(at).next().is_some());
        let node = NumberedNode {
            number,
            person,
            ..NumberedNode::default()
        };
        self.nodes.add(at, node);
        self.set_whole(at, is_last);
        Some(match person {
            REFUSED => Descent::Refused,
            _ => Descent::Beyond,
        })
    }

    /// Records whether all moves that follow are nodes.
    fn set_whole(&mut self, at: u8, is_whole: bool) {
        if let Some(node) = self.nodes.get_mut(at) {
            node.is_whole = is_whole;
        }
    }

    /// The child to continue with; 0 if there is none.
    fn best_child(&self, of: u8) -> u8 {
        let log = log2_256ths(u32::from(self.nodes.node(of).visits)) << 16;
        let promise = |node: NumberedNode| {
            let visits = u32::from(node.visits).max(1);
            let mean = u32::from(node.worth) * (65_536 / u32::from(WHOLE)) / visits;
            mean + (log / visits).isqrt() * CURIOSITY
        };
        self.legal_children(of)
            .max_by_key(|(_, node)| promise(*node))
            .map_or(0, |(index, _)| index)
    }

    /// Plays random games for one tick.
    #[inline(never)]
    pub(super) fn play_games(
        &mut self,
        game: &Written<W>,
        layout: &LayoutGame<'_>,
        ground: &Ground<W>,
    ) {
        let Some(mut rng) = self.rng.clone() else {
            return;
        };
        let mut machine = machine(layout, ground);
        let mut path = TreePath::default();
        let _ = path.push(0);
        let (mut moves, mut descends, mut lots) = (0, true, DrawProgress::default());
        if let Some(going) = &self.going {
            machine.resume(&going.state, &game.known);
            path.clone_from(&going.path);
            (moves, descends) = (going.moves, going.descends);
            lots = going.lots;
        } else {
            machine.resume(&game.state, &game.known);
        }
        let mut steps: u32 = 0;
        loop {
            let is_ended = machine.state.unended == Unended::Nothing;
            if is_ended && is_enough(&machine, moves) {
                self.learn(&path, &machine);
                self.playouts = self.playouts.saturating_add(1);
                self.going = None;
                break;
            }
            if steps >= steps_of_a_call::<W>() {
                let going = self.stored(&machine);
                (going.path, going.moves, going.descends) = (path, moves, descends);
                going.lots = lots;
                break;
            }
            let left = steps_of_a_call::<W>() - steps;
            if !is_ended {
                machine.end_move(left);
            } else if descends {
                let drawing = Drawing {
                    draw: &mut lots.draw,
                    steps: left,
                    rng: &mut rng,
                };
                let descent = self.descend(&mut path, game, &mut machine, layout, drawing);
                descends = descent != Descent::Beyond;
            } else if wander(&mut machine, &mut lots, left, &mut rng) {
                moves += 1;
            }
            steps = steps.saturating_add(machine.steps_taken().max(STEPS_AT_LEAST));
        }
        self.rng = Some(rng);
    }

    /// Stores the state of the game that goes on in the next tick, in place of the previous
    /// one.
    fn stored(&mut self, machine: &Machine<'_, W>) -> &mut RunningGame<W> {
        match &mut self.going {
            Some(going) => {
                machine.leave(&mut going.state);
                going
            }
            none => none.insert(RunningGame::with(machine.left())),
        }
    }

    fn learn(&mut self, path: &TreePath, machine: &Machine<'_, W>) {
        for index in path.iter() {
            if let Some(node) = self.nodes.get_mut(*index) {
                node.visits = node.visits.saturating_add(1);
                let worth = worth(&machine.state, node.person);
                node.worth = node.worth.saturating_add(worth);
            }
        }
        // Sums that might overflow are halved, so that newer results count more.
        if self.nodes.node(0).visits > u16::MAX / (2 * WHOLE) {
            for node in self.nodes.iter_mut() {
                node.visits /= 2;
                node.worth = (node.worth / 2).min(node.visits * WHOLE);
            }
        }
    }
}

/// The value of a game for a person: determined by the winner, or by the pieces if the
/// game was cut off.
fn worth<W: Word>(state: &State<W>, whose: u8) -> u16 {
    if state.over {
        return match state.winner {
            0 => WHOLE / 2,
            winner if person(state, winner) == whose => WHOLE,
            _ => 0,
        };
    }
    (i32::from(WHOLE / 2) + lead(state, person(state, whose)).clamp(-LEAD, LEAD)) as u16
}

/// The number of pieces by which a player leads.
fn lead<W: Word>(state: &State<W>, player: u8) -> i32 {
    let own = state.owned(player.into()).len() as i32;
    own - state.owned(3 - i32::from(player)).len() as i32
}
