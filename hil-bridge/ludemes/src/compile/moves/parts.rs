//! Compiles the parts of moves: start, target, sites between, distance.

use firmware_core::cartridge::op::{NOTHING, Op};

use crate::compile::arguments::{Arguments, CompileResult, Unknown};
use crate::compile::moves::MadeBy;
use crate::compile::{Compiler, NodeId};
use crate::layout::Direction;
use crate::tree::{Kind, Node};

/// The parts of a `(from ...)`, `(to ...)` or `(between ...)`.
#[derive(Default)]
pub(super) struct MovePart<'n> {
    pub sites: Option<&'n Node>,
    pub condition: Option<&'n Node>,
    pub effect: Option<&'n Node>,
    pub before: Option<&'n Node>,
    pub after: Option<&'n Node>,
    pub exact: Option<&'n Node>,
    pub least: Option<&'n Node>,
    pub most: Option<&'n Node>,
    pub trail: Option<&'n Node>,
    /// True if the text names cells, rather than meaning them because the board is played
    /// on them.
    pub is_of_cells: bool,
}

impl Compiler {
    pub(super) fn part<'n>(&self, node: Option<&'n Node>) -> CompileResult<MovePart<'n>> {
        let mut part = MovePart::default();
        let Some(node) = node else { return Ok(part) };
        let mut arguments = Arguments::of(node)?;
        part.is_of_cells = arguments.peek().and_then(Node::word) == Some("Cell");
        self.site_type(&mut arguments)?;
        part.condition = arguments.named("if");
        part.before = arguments.named("before");
        part.after = arguments.named("after");
        part.trail = arguments.named("trail");
        part.effect = arguments.call("apply");
        part.exact = arguments.call("exact");
        part.least = arguments.call("min");
        part.most = arguments.call("max");
        if let Some(range) = arguments.call("range") {
            let Kind::Call(numbers) = &range.kind else {
                return Err(Unknown::at(range, "a range is expected here"));
            };
            part.least = numbers.get(1).map(|number| &number.node);
            part.most = numbers.get(2).map(|number| &number.node);
            if numbers.len() != 3 {
                return Err(Unknown::at(range, "a range has two ends"));
            }
        }
        part.sites = arguments.next();
        arguments.finish()?;
        Ok(part)
    }

    /// The number in `(exact n)`, `(min n)` or `(max n)`, or a plain number.
    pub(super) fn limit(&mut self, node: Option<&Node>) -> CompileResult<u16> {
        let Some(node) = node else {
            return Ok(NOTHING);
        };
        match node.head() {
            Some("exact" | "min" | "max") => {
                let mut arguments = Arguments::of(node)?;
                if arguments
                    .peek()
                    .is_some_and(|node| matches!(node.kind, Kind::Set(_)))
                {
                    return self.number(node);
                }
                let number = self.number(arguments.need("a number")?)?;
                match arguments.peek() {
                    Some(_) => self.number(node),
                    None => Ok(number),
                }
            }
            _ => self.number(node),
        }
    }

    /// The minimum and maximum number of sites between start and target.
    pub(super) fn lengths(&mut self, between: &MovePart<'_>) -> CompileResult<(u16, u16)> {
        if between.exact.is_some() {
            let exact = self.limit(between.exact)?;
            return Ok((exact, exact));
        }
        Ok((self.limit(between.least)?, self.limit(between.most)?))
    }

    pub(super) fn condition(&mut self, node: Option<&Node>) -> CompileResult<u16> {
        match node {
            Some(node) => self.truth(node),
            None => Ok(NOTHING),
        }
    }

    pub(super) fn effect(&mut self, node: Option<&Node>) -> CompileResult<u16> {
        match node {
            Some(node) => self.moves(node, MadeBy::Rules),
            None => Ok(NOTHING),
        }
    }

    /// The site at which moves start; the text may omit it.
    pub(super) fn start(&mut self, part: &MovePart<'_>) -> CompileResult<NodeId> {
        match part.sites {
            Some(node) if self.is_number(node) => self.number(node),
            Some(node) => {
                let sites = self.sites(node)?;
                Ok(self.node(Op::First, 0, &[sites]))
            }
            None => Ok(self.node(Op::From, 0, &[])),
        }
    }

    /// The directions of a move, which come before its `(to ...)`.
    pub(super) fn move_directions(
        &mut self,
        arguments: &mut Arguments<'_>,
        usual: Direction,
    ) -> CompileResult<NodeId> {
        let is_one = |node: &Node| {
            node.word().is_some()
                || matches!(node.kind, Kind::Set(_))
                || matches!(node.head(), Some("directions" | "if" | "difference"))
        };
        let directions = arguments.find(is_one);
        self.directions(directions, usual)
    }
}
