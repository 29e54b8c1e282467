//! What the player makes sure of besides its random games: that it plays a move that
//! wins at once, and none that lets the other person win at once if another one does not.
//!
//! A few random games hardly ever try the one move that matters. A player at the lowest
//! level that overlooks three in a row is no weak player but looks like a broken one. So
//! at every level each move is tried before the random games, and each answer to a move
//! before it is made. An answer that wins is remembered: most other moves do not prevent
//! it either, and are dropped after this one answer.
//!
//! Invariants: each call finds one move, or makes one and evaluates its end as far as its
//! steps reach, so that it stays short on the largest board, where these take longest;
//! what is tried is tried from a stored position, so a call that was interrupted repeats
//! at most one move.

use postcard::experimental::max_size::MaxSize;
use protocol::Tick;
use serde::{Deserialize, Serialize};

use super::super::{Written, machine, steps_of_a_call};
use super::{Explorer, LOSING, RunningGame, person};
use crate::cartridge::bytes::flag;
use crate::cartridge::candidates::{Number, Seek, Stretch};
use crate::cartridge::{Action, LayoutGame, Machine, QuestionProgress, State, Unended};
use crate::ground::Ground;
use crate::word::Word;

/// What the player is doing in its turn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, MaxSize)]
pub(super) enum GlanceStage {
    /// It tries each move, in case one wins at once.
    #[default]
    Wins,
    /// It plays random games.
    Games,
    /// It tries the answers to the move that it likes best.
    Answers,
    /// It knows its move.
    Over,
}

/// A look one move ahead, and one further.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, MaxSize)]
pub(super) struct Glance {
    pub(super) stage: GlanceStage,
    /// The time at which the random games began.
    pub(super) games_began: Tick,
    /// The progress among the own moves, then among the answers to `first`.
    trials: MoveTrials,
    /// The own move whose answers are tried.
    first: Option<Number>,
    /// The candidate at which the search for an own move that is not in the tree
    /// continues.
    rest: Number,
    /// The sites of the last answer that won.
    threat: Option<[i16; 2]>,
    /// True while only the answer between these sites is tried.
    tries_threat: bool,
}

/// The progress of trying the moves of a position one by one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, MaxSize)]
struct MoveTrials {
    /// The candidate at which the search for the next move continues.
    at: Number,
    /// The move that was found, and whose end is not known yet.
    tried: Option<TriedMove>,
}

/// A move that is tried: it has been found, and perhaps made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, MaxSize)]
struct TriedMove {
    number: Number,
    ends: [i16; 2],
    /// What is known of its end.
    asked: QuestionProgress,
}

/// The result of trying moves for one call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Tried {
    /// This move is what was looked for.
    Found(TriedMove),
    /// No move is.
    Nothing,
    /// The next call continues.
    GoesOn,
}

/// Which moves of a position are tried, and for what.
struct Quest<'q, W: Word> {
    from: &'q State<W>,
    known: &'q [u64],
    wants: &'q dyn Fn([i16; 2]) -> bool,
    is_found: &'q dyn Fn(&State<W>) -> bool,
}

/// A search for the first move from a candidate on.
struct NextMove<'n> {
    from: Number,
    wants: &'n dyn Fn([i16; 2]) -> bool,
    skips: &'n dyn Fn(Number) -> bool,
    found: Option<(Number, [i16; 2])>,
}

impl<W: Word> Seek<W> for NextMove<'_> {
    fn wants(&self, ends: [i16; 2]) -> bool {
        self.found.is_none() && (self.wants)(ends)
    }

    fn is_enough(&self) -> bool {
        self.found.is_some()
    }

    fn found(&mut self, number: Number, ends: [i16; 2], _: Option<Action>) {
        if self.found.is_none() && number >= self.from && !(self.skips)(number) {
            self.found = Some((number, ends));
        }
    }
}

/// The next legal move from a candidate on, and the candidate at which to continue;
/// without a move, `None` once there are no more candidates.
fn next_move<W: Word>(
    from: Number,
    wants: &dyn Fn([i16; 2]) -> bool,
    skips: &dyn Fn(Number) -> bool,
    machine: &mut Machine<'_, W>,
) -> (Option<(Number, [i16; 2])>, Option<Number>) {
    let mut next = NextMove {
        from,
        wants,
        skips,
        found: None,
    };
    let stretch = Stretch {
        from,
        steps: steps_of_a_call::<W>(),
        asks: true,
    };
    let at = machine.seek(stretch, &mut next);
    let after = |(number, _): (Number, _)| number.saturating_add(1);
    (next.found, next.found.map(after).or(at))
}

impl MoveTrials {
    /// Finds the next move, or makes the one that was found.
    fn go_on<W: Word>(&mut self, quest: &Quest<'_, W>, machine: &mut Machine<'_, W>) -> Tried {
        machine.resume(quest.from, quest.known);
        let Some(tried) = &mut self.tried else {
            let (found, at) = next_move(self.at, quest.wants, &|_| false, machine);
            self.at = at.unwrap_or(self.at);
            self.tried = found.map(|(number, ends)| TriedMove {
                number,
                ends,
                asked: QuestionProgress::default(),
            });
            return match at {
                Some(_) if !machine.gave_up() => Tried::GoesOn,
                _ => Tried::Nothing,
            };
        };
        machine.play_number(tried.number);
        machine.set_asked(tried.asked);
        if !machine.end_move(steps_of_a_call::<W>()) {
            tried.asked = machine.asked();
            return Tried::GoesOn;
        }
        let tried = *tried;
        self.tried = None;
        match machine.gave_up() {
            true => Tried::Nothing,
            false if (quest.is_found)(&machine.state) => Tried::Found(tried),
            false => Tried::GoesOn,
        }
    }
}

/// True if a position is the end of a game that this person has won.
fn has_won<W: Word>(state: &State<W>, whose: u8) -> bool {
    state.over && state.winner != 0 && person(state, state.winner) == whose
}

/// True if a position is the end of a game that another person has won.
fn has_lost<W: Word>(state: &State<W>, whose: u8) -> bool {
    state.over && state.winner != 0 && person(state, state.winner) != whose
}

impl<W: Word> Explorer<W> {
    /// Tries the moves for one tick, and chooses one that wins at once.
    #[inline(never)]
    pub(super) fn look_for_a_win(
        &mut self,
        game: &Written<W>,
        layout: &LayoutGame<'_>,
        ground: &Ground<W>,
        now: Tick,
    ) {
        let mut machine = machine(layout, ground);
        let me = person(&game.state, game.state.mover);
        let quest = Quest {
            from: &game.state,
            known: &game.known,
            wants: &|ends| game.goes_on_with(ends, layout),
            is_found: &|state| has_won(state, me),
        };
        match self.glance.trials.go_on(&quest, &mut machine) {
            Tried::Found(tried) => self.settle_on(tried.number),
            Tried::Nothing => {
                self.glance.stage = GlanceStage::Games;
                self.glance.games_began = now;
            }
            Tried::GoesOn => {}
        }
    }

    /// Ends the random games: from the next tick on, the answers to the favourite are
    /// tried. In a game of chance the answers depend on what nobody knows yet.
    pub(super) fn end_games(&mut self, layout: &LayoutGame<'_>) {
        self.going = None;
        self.glance.trials = MoveTrials::default();
        self.glance.stage = match layout.cartridge.is(flag::CHANCE) {
            true => GlanceStage::Over,
            false => GlanceStage::Answers,
        };
    }

    /// Tries answers for one tick, and chooses the best move to which none of them wins.
    #[inline(never)]
    pub(super) fn look_for_a_loss(
        &mut self,
        game: &Written<W>,
        layout: &LayoutGame<'_>,
        ground: &Ground<W>,
    ) {
        let mut machine = machine(layout, ground);
        match (self.glance.first, &mut self.going) {
            (Some(number), Some(going)) if going.state.unended != Unended::Nothing => {
                machine.resume(&going.state, &game.known);
                machine.end_move(steps_of_a_call::<W>());
                machine.leave(&mut going.state);
                if machine.gave_up() {
                    self.settle_on(number);
                }
            }
            (Some(number), Some(_)) => self.try_answers(number, game, &mut machine),
            _ => self.take_up_a_move(game, layout, &mut machine),
        }
    }

    /// Makes the next move whose answers are to be tried: the best one in the tree, or
    /// one that is not in the tree.
    fn take_up_a_move(
        &mut self,
        game: &Written<W>,
        layout: &LayoutGame<'_>,
        machine: &mut Machine<'_, W>,
    ) {
        machine.resume(&game.state, &game.known);
        let best = self.best_move().filter(|node| node.person != LOSING);
        let number = match best {
            Some(node) => node.number,
            None => {
                let wants = |ends: [i16; 2]| game.goes_on_with(ends, layout);
                let is_known = |number: Number| {
                    let mut children = self.nodes.children(0);
                    children.any(|(_, node)| node.number == number)
                };
                let (found, at) = next_move(self.glance.rest, &wants, &is_known, machine);
                let Some((number, _)) = found else {
                    match at {
                        Some(at) => self.glance.rest = at,
                        None => self.glance.stage = GlanceStage::Over,
                    }
                    return;
                };
                self.glance.rest = at.unwrap_or(Number::MAX);
                number
            }
        };
        machine.play_number(number);
        self.going = Some(RunningGame::with(machine.left()));
        self.glance.first = Some(number);
        self.glance.trials = MoveTrials::default();
        self.glance.tries_threat = self.glance.threat.is_some();
    }

    /// Tries answers to a move, and drops it if one of them wins, or chooses it if none
    /// does.
    fn try_answers(&mut self, number: Number, game: &Written<W>, machine: &mut Machine<'_, W>) {
        let Some(going) = &self.going else { return };
        let me = person(&game.state, game.state.mover);
        let is_own_turn = person(&going.state, going.state.mover) == me;
        if has_lost(&going.state, me) {
            return self.drop_move(number);
        }
        if going.state.over || is_own_turn {
            return self.settle_on(number);
        }
        let only = self.glance.threat.filter(|_| self.glance.tries_threat);
        let quest = Quest {
            from: &going.state,
            known: &game.known,
            wants: &|ends| only.is_none_or(|only| ends == only),
            is_found: &|state| has_lost(state, me),
        };
        match self.glance.trials.go_on(&quest, machine) {
            Tried::Found(tried) => {
                self.glance.threat = Some(tried.ends);
                self.drop_move(number);
            }
            Tried::Nothing if only.is_some() && !machine.gave_up() => {
                self.glance.tries_threat = false;
                self.glance.trials = MoveTrials::default();
            }
            Tried::Nothing => self.settle_on(number),
            Tried::GoesOn => {}
        }
    }

    /// Notes that a move loses at once.
    fn drop_move(&mut self, number: Number) {
        let dropped = self
            .nodes
            .children(0)
            .find(|(_, node)| node.number == number);
        if let Some(node) = dropped.and_then(|(index, _)| self.nodes.get_mut(index)) {
            node.person = LOSING;
        }
        self.going = None;
        self.glance.first = None;
    }

    /// Chooses a move.
    fn settle_on(&mut self, number: Number) {
        self.choice = Some(number);
        self.going = None;
        self.glance.stage = GlanceStage::Over;
    }
}
