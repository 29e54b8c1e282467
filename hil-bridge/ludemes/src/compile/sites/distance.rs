//! `(sites Distance ...)`: the sites at some number of steps from a site.
//!
//! The sites at an exact distance are those that a growing region gains in that step, so
//! no single operation of a cartridge computes them.

use firmware_core::cartridge::op::{NOTHING, NotedSite, Op, bit};

use crate::compile::arguments::{Arguments, CompileResult, Unknown};
use crate::compile::{Compiler, NodeId};
use crate::layout::Direction;
use crate::tree::{Kind, Node};

/// The maximum number of steps under a condition; each needs an operation.
const MOST_STEPS: i64 = 16;

impl Compiler {
    pub(super) fn distance(&mut self, arguments: &mut Arguments<'_>) -> CompileResult<NodeId> {
        self.site_type(arguments)?;
        let is_relation = |node: &Node| relation(node).is_some();
        let relation = arguments.next_if(is_relation).and_then(relation);
        let step = arguments.call("step");
        if let Some(node) = arguments.named("newRotation") {
            return Err(Unknown::at(node, "pieces do not turn around here"));
        }
        let from = arguments.need_named("from")?;
        let range = arguments.need("a distance such as `(exact 2)`")?;
        let [least, most] = self.range(range)?;
        let (ways, condition) = match step {
            Some(step) => self.step_of_distance(step)?,
            None => (
                self.relation(relation.unwrap_or(Direction::Adjacent)),
                NOTHING,
            ),
        };
        if condition != NOTHING {
            return self.chosen_steps(from, [least, most], ways, condition, range);
        }
        let from = self.number(from)?;
        let from = self.one_of_board(from);
        // If the text describes the steps, there is at least one.
        let least = match self.program.constant_of(least) {
            Some(0) if step.is_some() => self.constant(1),
            _ => least,
        };
        Ok(self.ring(from, [least, most], ways))
    }

    /// The sites at `least` to `most` steps.
    fn ring(&mut self, from: NodeId, [least, most]: [NodeId; 2], ways: NodeId) -> NodeId {
        let none = self.program.fixed([]);
        if let Some(number) = self.program.constant_of(least) {
            return match number {
                ..0 => none,
                0 => self.disc(from, most, ways),
                _ => {
                    let nearer = self.constant(number - 1);
                    let all = self.within(from, most, ways);
                    let nearer = self.within(from, nearer, ways);
                    self.without(all, nearer)
                }
            };
        }
        let [zero, one] = [0, 1].map(|number| self.constant(number));
        let nearer = self.node(Op::Minus, 0, &[least, one]);
        let all = self.within(from, most, ways);
        let nearer = self.within(from, nearer, ways);
        let ring = self.without(all, nearer);
        let disc = self.disc(from, most, ways);
        let is_zero = self.node(Op::Equal, 0, &[least, zero]);
        let rest = self.node(Op::IfSites, 0, &[is_zero, disc, none]);
        let is_more = self.node(Op::Less, 0, &[zero, least]);
        self.node(Op::IfSites, 0, &[is_more, ring, rest])
    }

    /// The sites at up to `most` steps; empty if that is negative.
    fn disc(&mut self, from: NodeId, most: NodeId, ways: NodeId) -> NodeId {
        let none = self.program.fixed([]);
        let disc = self.within(from, most, ways);
        match self.program.constant_of(most) {
            Some(..0) => none,
            Some(_) => disc,
            None => {
                let zero = self.constant(0);
                let is_any = self.node(Op::AtMost, 0, &[zero, most]);
                self.node(Op::IfSites, 0, &[is_any, disc, none])
            }
        }
    }

    /// The site with this number, if it is on the board.
    fn one_of_board(&mut self, number: NodeId) -> NodeId {
        let one = self.one(number);
        if self.program.sites == self.sites.len() {
            return one;
        }
        let board: Vec<usize> = (0..self.sites.len()).collect();
        if let Some(fixed) = self.program.fixed_of(one) {
            return self
                .program
                .fixed(fixed.into_iter().filter(|site| board.contains(site)));
        }
        let board = self.program.fixed(board);
        self.intersection(vec![one, board])
    }

    /// The bounds of a range of numbers.
    fn range(&mut self, node: &Node) -> CompileResult<[NodeId; 2]> {
        let unknown = || Unknown::at(node, "write how far, as in `(exact 2)` or `(range 1 3)`");
        node.head().ok_or_else(unknown)?;
        let mut arguments = Arguments::of(node)?;
        let first = self.number(arguments.need("a number")?)?;
        let range = match node.head() {
            Some("exact") => [first, first],
            Some("min") => [first, self.constant(i16::MAX.into())],
            Some("max") => [self.constant(0), first],
            Some("range") => match arguments.next() {
                Some(last) => [first, self.number(last)?],
                None => [first, first],
            },
            _ => return Err(unknown()),
        };
        arguments.finish()?;
        Ok(range)
    }

    /// The sites at up to `steps` steps.
    fn within(&mut self, from: NodeId, steps: NodeId, ways: NodeId) -> NodeId {
        match self.grown(from, steps, ways) {
            Some(grown) => self.program.fixed(grown),
            None if self.program.constant_of(steps) == Some(0) => from,
            None => self.node(Op::Expand, 0, &[from, steps, ways]),
        }
    }

    fn without(&mut self, all: NodeId, others: NodeId) -> NodeId {
        let fixed = [all, others].map(|sites| self.program.fixed_of(sites));
        if let [Some(all), Some(others)] = fixed {
            let left = all.into_iter().filter(|site| !others.contains(site));
            return self.program.fixed(left);
        }
        self.node(Op::Difference, 0, &[all, others])
    }

    /// The ways of a step that the text describes, and the condition on its target.
    fn step_of_distance(&mut self, step: &Node) -> CompileResult<(NodeId, u16)> {
        let mut arguments = Arguments::of(step)?;
        let to = arguments.call("to");
        let to =
            to.ok_or_else(|| Unknown::at(step, "where does a step lead? Write `(to if:...)`"))?;
        let ways = self.directions(arguments.next(), Direction::Adjacent)?;
        arguments.finish()?;
        if self.same_ways(ways).is_none() {
            let what = "steps whose directions are not always the same are not supported";
            return Err(Unknown::at(step, what));
        }
        Ok((ways, self.landing(to)?))
    }

    /// The sites at `least` to `most` steps, each of which leads to a site that fulfils a
    /// condition.
    fn chosen_steps(
        &mut self,
        from: &Node,
        range: [NodeId; 2],
        ways: NodeId,
        condition: NodeId,
        node: &Node,
    ) -> CompileResult<NodeId> {
        let [Some(least), Some(most)] = range.map(|end| self.program.constant_of(end)) else {
            let what = "how many steps with a condition is a number here";
            return Err(Unknown::at(node, what));
        };
        let number = self.number(from)?;
        if least < 0 || most < least.max(1) {
            return Ok(self.program.fixed([]));
        }
        // `(to)` in the condition is the target of the step, which hides the target of
        // the last move.
        let is_hidden = from.all().any(|node| node.head() == Some("to"));
        let is_endless = most >= self.sites.len() as i64 && !is_hidden;
        let counted = if is_endless { least - 1 } else { most };
        if counted > MOST_STEPS {
            let what = format!("{MOST_STEPS} steps with a condition are the most here");
            return Err(Unknown::at(node, what));
        }
        // No step leads from a hand, and a site is not at a distance from itself.
        let from = self.one(number);
        let (mut reached, mut nearer) = (from, from);
        for steps in 1..=counted {
            reached = self.node(Op::Around, bit::WITH_FIRST, &[reached, ways, condition]);
            if steps < least {
                nearer = reached;
            }
        }
        if is_endless {
            let to = self.node(Op::To, 0, &[]);
            let is_first = self.node(Op::Equal, 0, &[to, number]);
            let either = self.program.each(Op::Or, &[], &[is_first, condition]);
            reached = self.node(Op::Group, 0, &[ways, number, either]);
        }
        Ok(self.without(reached, nearer))
    }

    /// The condition for a step to lead to a site.
    fn landing(&mut self, to: &Node) -> CompileResult<u16> {
        let mut arguments = Arguments::of(to)?;
        self.site_type(&mut arguments)?;
        let condition = arguments.named("if");
        // A step always leads to a site of the board.
        arguments.find(is_whole_board);
        arguments.finish()?;
        let Some(condition) = condition else {
            return Ok(NOTHING);
        };
        if let Some(from) = condition.all().find(|node| node.head() == Some("from")) {
            let what = "steps that depend on where they begin are not supported";
            return Err(Unknown::at(from, what));
        }
        let truth = self.truth(condition)?;
        Ok(self.program.everywhere(truth, NotedSite::To))
    }
}

/// The relation with this name, if the node is one.
fn relation(node: &Node) -> Option<Direction> {
    let direction = node.word()?.parse::<Direction>().ok()?;
    Direction::RELATIONS
        .contains(&direction)
        .then_some(direction)
}

fn is_whole_board(node: &Node) -> bool {
    let Kind::Call(arguments) = &node.kind else {
        return false;
    };
    let words: Vec<_> = arguments
        .iter()
        .map(|argument| argument.node.word())
        .collect();
    words == [Some("sites"), Some("Board")]
}
