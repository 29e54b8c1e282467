//! Evaluates the conditions of a plan, and whether a move exists.

use firmware_core::cartridge::bytes::SITES;
use firmware_core::cartridge::inside::{FanCount, Gait, Inside, each_way};
use firmware_core::cartridge::machine::{Machine, Registers};
use firmware_core::points::Points;
use firmware_core::word::Word;
use protocol::Point;

use super::Playout;
use crate::{Condition, ConditionId, PieceMoves, Play, ShapeId, Who};

impl<'g, W: Word> Playout<'_, 'g, W> {
    /// Evaluates a condition, at `site` if it is about a site.
    #[inline]
    pub(super) fn holds(
        &mut self,
        machine: &mut Machine<'g, W>,
        condition: ConditionId,
        site: i16,
    ) -> bool {
        let plan = self.plan;
        let Some(condition) = plan.conditions.get(condition) else {
            return false;
        };
        match *condition {
            Condition::Always(is) => is,
            Condition::SameTurn => machine.state.mover == machine.state.previous,
            Condition::AtMostPieces { who, most } => has_at_most(machine, who, most),
            _ => self.evaluate(machine, condition, site),
        }
    }

    /// Evaluates any condition. [`Playout::holds`] is inlined, so it evaluates the most
    /// frequent ones itself.
    fn evaluate(&mut self, machine: &mut Machine<'g, W>, condition: &Condition, site: i16) -> bool {
        let plan = self.plan;
        match *condition {
            Condition::Always(is) => is,
            Condition::SameTurn => machine.state.mover == machine.state.previous,
            Condition::MovesModulo { divisor, remainder } => {
                (machine.state.moves as i32).checked_rem(divisor) == Some(remainder)
            }
            Condition::Line {
                axes,
                length,
                is_exact,
                is_last,
                node,
            } => {
                let pivot = if is_last { machine.state.last_to } else { site };
                let pivot = machine.site(pivot.into()).unwrap_or(u8::MAX);
                if usize::from(pivot) >= machine.game.board() {
                    return false;
                }
                let what = machine.state.what(pivot);
                if what == 0 {
                    return self.node_holds(machine, node, site);
                }
                self.is_line(pivot, what, axes, length.into(), is_exact)
            }
            Condition::LineOnStacks { ways, length, axes } => {
                let pivot = machine.site(machine.state.last_to.into());
                pivot
                    .is_some_and(|pivot| self.is_line_on_levels(machine, pivot, ways, length, axes))
            }
            Condition::Shape {
                shape,
                is_last,
                node,
            } => {
                let pivot = if is_last { machine.state.last_to } else { site };
                let Some(pivot) = machine.site(pivot.into()) else {
                    return false;
                };
                self.is_shape(machine, shape, pivot)
                    .unwrap_or_else(|| self.node_holds(machine, node, site))
            }
            Condition::AtMostPieces { who, most } => has_at_most(machine, who, most),
            Condition::Unoccupied(set) => !self.set(machine, set).meets(machine.state.occupied()),
            Condition::HasMove(play) => match plan.plays.get(play) {
                Some(play) => self.has_move(machine, play).unwrap_or(false),
                None => false,
            },
            Condition::NoMoves => self.next_has_no_moves(machine),
            Condition::Not(one) => !self.holds(machine, one, site),
            Condition::And(one, other) => {
                self.holds(machine, one, site) && self.holds(machine, other, site)
            }
            Condition::Or(one, other) => {
                self.holds(machine, one, site) || self.holds(machine, other, site)
            }
            Condition::Node(node) => self.node_holds(machine, node, site),
        }
    }

    #[inline(never)]
    pub(super) fn node_holds(
        &mut self,
        machine: &mut Machine<'g, W>,
        node: u16,
        site: i16,
    ) -> bool {
        let of = Registers {
            site,
            ..Registers::NOTHING
        };
        machine.truth_at(node, of)
    }

    /// True if the piece on a site is within one of the walks of a shape; `None` if there is
    /// no piece.
    #[inline]
    fn is_shape(&self, machine: &Machine<'g, W>, shape: ShapeId, pivot: u8) -> Option<bool> {
        let what = machine.state.what(pivot);
        let like = machine.state.kind(what).filter(|_| what != 0)?;
        Some(self.plan.shapes.is_within(shape, pivot, like))
    }

    #[inline]
    pub(super) fn is_line(
        &self,
        pivot: u8,
        what: u8,
        axes: u8,
        length: u32,
        is_exact: bool,
    ) -> bool {
        let rows = &self.plan.rows;
        (0..rows.many).any(|axis| {
            if axes >> axis & 1 == 0 {
                return false;
            }
            let run = self.rows.run(what, rows.place(axis, pivot));
            if is_exact {
                run == length
            } else {
                run >= length
            }
        })
    }

    #[inline]
    pub(super) fn is_line_on_levels(
        &self,
        machine: &Machine<'g, W>,
        pivot: u8,
        ways: u32,
        length: i32,
        axes: u8,
    ) -> bool {
        let (height, what) = (machine.state.height(pivot), machine.state.what(pivot));
        let is_kept = self.plan.keeps_levels && axes != 0 && height > 0;
        if !is_kept || usize::from(pivot) >= machine.game.board() {
            return machine.is_line_on_levels(pivot, ways, length);
        }
        let level = height - 1;
        let run = self.levels.run(&self.plan.rows, axes, pivot, level, what);
        run as i32 >= length || machine.run_down(pivot, level.into(), what) + 1 >= length
    }

    /// True if a play has a move; `None` if only the machine can tell.
    fn has_move(&mut self, machine: &mut Machine<'g, W>, play: &Play) -> Option<bool> {
        let plan = self.plan;
        match *play {
            Play::Add { sites, below, .. } => {
                let sites = self.set(machine, sites);
                Some(match below {
                    Some(_) => sites.meets(self.low),
                    None => !sites.is_empty(),
                })
            }
            Play::FromTo { froms, tos, .. } => {
                let froms = self.set(machine, froms) & machine.state.occupied();
                Some(!froms.is_empty() && !self.set(machine, tos).is_empty())
            }
            Play::Along { moves, .. } => {
                let moves = plan.piece_moves.get(moves)?;
                if moves.has_neighbours
                    && let Some((mut pieces, _)) = self.pieces(machine, moves)
                {
                    let open = machine.board().without(machine.state.occupied());
                    return Some(
                        pieces.any(|piece| open.meets(plan.neighbours.of[piece.index() % SITES])),
                    );
                }
                Some(self.can_move(machine, moves))
            }
            Play::Shoot { ways, .. } => {
                let shots = self.shots(machine, ways)?;
                Some(shots.many > 0)
            }
            Play::Remove { sites, only_if, .. } => {
                Some(!self.removable(machine, sites, only_if).is_empty())
            }
            Play::AnyOf(plays) => {
                for play in plays {
                    if let Some(play) = play.and_then(|play| plan.plays.get(play))
                        && self.has_move(machine, play)?
                    {
                        return Some(true);
                    }
                }
                Some(false)
            }
            Play::Pass => Some(true),
            Play::Unknown | Play::If { .. } => None,
        }
    }

    fn can_move(&self, machine: &Machine<'g, W>, moves: &PieceMoves) -> bool {
        let Some((going, ways)) = self.going(machine, moves) else {
            return false;
        };
        if moves.gait == Gait::Hop && ways & machine.shifts().uneven == 0 {
            return each_way(ways).any(|way| !machine.ends_on(&going, way).is_empty());
        }
        machine.fan(going, ways, FanCount::UntilOne).many > 0
    }

    /// True if the next player has no moves, like [`Inside::next_has_no_moves`].
    pub(super) fn next_has_no_moves(&mut self, machine: &mut Machine<'g, W>) -> bool {
        let state = &mut machine.state;
        let turn = (state.mover, state.next, state.previous);
        let then = state.next;
        state.mover = then;
        state.previous = turn.0;
        machine.state.next = machine.player_after(then);
        let can = if machine.may_swap() {
            Some(true)
        } else {
            self.now(machine)
                .and_then(|play| self.has_move(machine, play))
        };
        let state = &mut machine.state;
        (state.mover, state.next, state.previous) = turn;
        let Some(can) = can else {
            return machine.next_has_no_moves();
        };
        let bit = 1 << (then & 7);
        machine.state.stuck = (machine.state.stuck & !bit) | if can { 0 } else { bit };
        !can
    }
}

/// True if a player has at most `most` pieces.
#[inline]
pub(super) fn has_at_most<W: Word>(machine: &Machine<'_, W>, who: Who, most: i32) -> bool {
    let sites = machine.state.owned(number(machine, who).into());
    if sites.len() as i32 > most {
        return false;
    }
    let count = sites.map(|site| i32::from(machine.state.here(site.0).count));
    count.sum::<i32>() <= most
}

/// The sites, hands included, whose stacks have fewer than `below` pieces.
#[inline]
pub(super) fn lower<W: Word>(machine: &Machine<'_, W>, below: u8) -> Points<W> {
    let sites = (0..machine.game.sites()).map(|site| Point(site as u8));
    sites
        .filter(|site| machine.state.height(site.0) < below)
        .collect()
}

/// The current phase of a player.
#[inline]
pub(super) fn phase_of<W: Word>(machine: &Machine<'_, W>, player: u8) -> u8 {
    let phase = machine.state.phase.get(usize::from(player));
    phase.copied().unwrap_or(0)
}

/// The number of a player.
#[inline]
pub(super) fn number<W: Word>(machine: &Machine<'_, W>, who: Who) -> u8 {
    match who {
        Who::Mover => machine.state.mover,
        Who::Next => machine.state.next,
        Who::Previous => machine.state.previous,
        Who::Number(number) => number,
    }
}
