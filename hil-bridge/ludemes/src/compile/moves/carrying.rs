//! Moves that carry a piece from one site to another.

use firmware_core::cartridge::op::{NOTHING, NotedSite, Op, bit};

use super::parts::MovePart;
use crate::compile::arguments::{Arguments, CompileResult, Unknown};
use crate::compile::moves::MadeBy;
use crate::compile::{Compiler, NodeId};
use crate::layout::Direction;
use crate::tree::Node;

/// Refuses a move of a whole stack.
fn no_stacks(arguments: &mut Arguments<'_>) -> CompileResult<()> {
    match arguments.named("stack") {
        Some(stack) => Err(Unknown::at(
            stack,
            "moves of whole stacks are not supported",
        )),
        None => Ok(()),
    }
}

impl Compiler {
    /// Where a piece is carried from and to. Nothing is known of the height of the stack
    /// on which it comes to lie.
    fn both_ends<'n>(&mut self, arguments: &mut Arguments<'n>) -> CompileResult<[MovePart<'n>; 2]> {
        self.heights.push(None);
        let from = self.part(arguments.call("from"))?;
        let to = self.part(arguments.call("to"))?;
        Ok([from, to])
    }

    pub(super) fn carries(
        &mut self,
        arguments: &mut Arguments<'_>,
        made_by: MadeBy,
    ) -> CompileResult<NodeId> {
        let [from, to] = self.both_ends(arguments)?;
        let count = arguments.named("count");
        let copy = arguments.named("copy");
        no_stacks(arguments)?;
        let froms = match from.sites {
            Some(node) => self.sites(node)?,
            None => {
                let from = self.node(Op::From, 0, &[]);
                self.node(Op::One, 0, &[from])
            }
        };
        let tos = match to.sites {
            Some(node) => self.sites(node)?,
            None => {
                let to = self.node(Op::To, 0, &[]);
                self.node(Op::One, 0, &[to])
            }
        };
        let may_go = self.condition(from.condition)?;
        let may_come = self.condition(to.condition)?;
        let may_come = self.program.everywhere(may_come, NotedSite::To);
        let effect = self.effect(to.effect)?;
        let count = self.number_or_nothing(count)?;
        let copies = match copy.and_then(Node::word) {
            Some("True") => bit::COPY,
            _ => 0,
        };
        let copy = match copy {
            Some(node) if node.word().is_none() => self.truth(node)?,
            _ => NOTHING,
        };
        let extra = (u8::from(made_by) * bit::DECIDED) | copies;
        Ok(self.node(
            Op::FromTo,
            extra,
            &[froms, may_go, tos, may_come, effect, count, copy],
        ))
    }

    pub(super) fn step(
        &mut self,
        arguments: &mut Arguments<'_>,
        made_by: MadeBy,
    ) -> CompileResult<NodeId> {
        let [from, to] = self.both_ends(arguments)?;
        no_stacks(arguments)?;
        let ways = self.move_directions(arguments, Direction::Adjacent)?;
        let start = self.start(&from)?;
        let may_go = self.condition(from.condition)?;
        let may_come = self.condition(to.condition)?;
        let may_come = self.program.everywhere(may_come, NotedSite::To);
        let effect = self.effect(to.effect)?;
        let extra = u8::from(made_by);
        Ok(self.node(Op::Step, extra, &[start, may_go, ways, may_come, effect]))
    }

    pub(super) fn slide(
        &mut self,
        arguments: &mut Arguments<'_>,
        made_by: MadeBy,
    ) -> CompileResult<NodeId> {
        let [from, to] = self.both_ends(arguments)?;
        let between = self.part(arguments.call("between"))?;
        no_stacks(arguments)?;
        if let Some(node) = arguments.next_if(|node| node.text().is_some()) {
            return Err(Unknown::at(node, "slides along tracks are not supported"));
        }
        let ways = self.move_directions(arguments, Direction::Adjacent)?;
        if let Some(node) = from.condition {
            return Err(Unknown::at(
                node,
                "a condition on where a slide begins is not supported",
            ));
        }
        let start = self.start(&from)?;
        let (least, most) = self.lengths(&between)?;
        let goes_on = self.condition(between.condition)?;
        // A condition on the target ends the slide there.
        let stops = self.condition(to.condition)?;
        let goes_on = self.program.everywhere(goes_on, NotedSite::Between);
        let stops = self.program.everywhere(stops, NotedSite::To);
        // The condition of the target's effect is a condition of the slide.
        let may_come = match to.effect {
            Some(effect) => {
                let mut arguments = Arguments::of(effect)?;
                let condition = arguments.named("if");
                self.condition(condition)?
            }
            None => NOTHING,
        };
        let effect = self.effect(to.effect)?;
        let on_the_way = self.effect(between.effect)?;
        let trail = self.number_or_nothing(between.trail)?;
        Ok(self.node(
            Op::Slide,
            u8::from(made_by),
            &[
                start, ways, least, most, goes_on, stops, may_come, effect, on_the_way, trail,
            ],
        ))
    }

    pub(super) fn hop(
        &mut self,
        arguments: &mut Arguments<'_>,
        made_by: MadeBy,
    ) -> CompileResult<NodeId> {
        self.heights.push(None);
        let from = self.part(arguments.call("from"))?;
        let between = arguments.call("between");
        let has_hurdle = between.is_some();
        let between = self.part(between)?;
        let to = self.part(arguments.call("to"))?;
        no_stacks(arguments)?;
        let ways = self.move_directions(arguments, Direction::Adjacent)?;
        // A hop starts at a single site. If several are named, it is the current one,
        // such as that of the piece in a loop.
        let start = match from.sites {
            Some(node) if self.is_number(node) => self.number(node)?,
            _ => self.node(Op::From, 0, &[]),
        };
        let may_go = self.condition(from.condition)?;
        let (least, most) = match (between.exact, between.least, between.most) {
            (None, None, None) => (NOTHING, NOTHING),
            (None, None, Some(_)) => (self.constant(1), self.limit(between.most)?),
            _ => self.lengths(&between)?,
        };
        let before = self.number_or_nothing(between.before)?;
        let after = self.number_or_nothing(between.after)?;
        let hurdle = match between.condition {
            Some(node) => self.truth(node)?,
            None if !has_hurdle => self.node(Op::True, 0, &[]),
            None => {
                let between = self.node(Op::Between, 0, &[]);
                self.node(Op::IsOccupied, 0, &[between])
            }
        };
        let lands = self.condition(to.condition)?;
        let hurdle = self.program.everywhere(hurdle, NotedSite::Between);
        let lands = self.program.everywhere(lands, NotedSite::To);
        let on_hurdle = self.effect(between.effect)?;
        let on_landing = self.effect(to.effect)?;
        Ok(self.node(
            Op::Hop,
            u8::from(made_by),
            &[
                start, may_go, ways, before, least, most, after, hurdle, lands, NOTHING, on_hurdle,
                on_landing,
            ],
        ))
    }

    pub(super) fn leap(
        &mut self,
        arguments: &mut Arguments<'_>,
        made_by: MadeBy,
    ) -> CompileResult<NodeId> {
        let [from, to] = self.both_ends(arguments)?;
        let forward = arguments.named("forward");
        let rotations = arguments.named("rotations").and_then(Node::word) != Some("False");
        if let Some(node) = forward.filter(|node| node.word() != Some("False")) {
            return Err(Unknown::at(node, "leaps forward are not supported"));
        }
        let walks = arguments.need("a walk")?;
        let start = self.start(&from)?;
        let may_go = self.condition(from.condition)?;
        let sets = self.leaps(walks, rotations)?;
        let sites = {
            let many = sets.len() as u16;
            let first = self.program.sets_in_order(sets);
            let from = self.node(Op::From, 0, &[]);
            self.node(Op::Choose, 0, &[first, many, from])
        };
        let may_come = self.condition(to.condition)?;
        let may_come = self.program.everywhere(may_come, NotedSite::To);
        let effect = self.effect(to.effect)?;
        let extra = u8::from(made_by);
        Ok(self.node(Op::Leap, extra, &[start, sites, may_come, effect, may_go]))
    }

    /// For each site, the sites that walks from it reach.
    pub(super) fn leaps(&self, walks: &Node, rotations: bool) -> CompileResult<Vec<Vec<usize>>> {
        let mut read = Vec::new();
        for walk in walks.elements() {
            let letters: Option<String> = walk.elements().iter().map(Node::word).collect();
            let walk_read = letters.and_then(|letters| crate::layout::Walk::read(&letters));
            read.push(walk_read.ok_or_else(|| Unknown::at(walk, "a walk is of F, R and L"))?);
        }
        let from = |site: usize| {
            let mut to: Vec<usize> = Vec::new();
            for walk in &read {
                let ways = crate::layout::ways(&self.sites, site, walk);
                let ways = ways
                    .into_iter()
                    .take(if rotations { usize::MAX } else { 1 });
                to.extend(ways.filter_map(|(_, sites)| sites.last().copied()));
            }
            to.sort_unstable();
            to.dedup();
            to
        };
        Ok((0..self.sites.len()).map(from).collect())
    }

    pub(super) fn shoot(
        &mut self,
        arguments: &mut Arguments<'_>,
        made_by: MadeBy,
    ) -> CompileResult<NodeId> {
        let piece = arguments.call("piece");
        let [from, to] = self.both_ends(arguments)?;
        let between = self.part(arguments.call("between"))?;
        let ways = self.move_directions(arguments, Direction::Adjacent)?;
        if let Some(node) = between.condition.or(between.sites) {
            return Err(Unknown::at(node, "what shots pass is not supported"));
        }
        let start = match from.sites {
            Some(_) => self.start(&from)?,
            None => self.node(Op::LastTo, 0, &[]),
        };
        let may_come = self.condition(to.condition)?;
        let call = arguments.call;
        let piece = piece.ok_or_else(|| Unknown::at(call, "a piece is missing here"))?;
        let mut inner = Arguments::of(piece)?;
        let name = inner.need("a piece")?;
        let role = inner.next();
        let piece = self.piece_of(name, role)?;
        Ok(self.node(
            Op::Shoot,
            u8::from(made_by),
            &[start, ways, may_come, piece],
        ))
    }
}
