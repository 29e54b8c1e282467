//! Effects with few operands: conditional effects, events to remember, turning a piece
//! over, swapping two pieces.

use firmware_core::cartridge::op::{NOTHING, Op};

use crate::compile::arguments::{Arguments, CompileResult, Unknown};
use crate::compile::moves::MadeBy;
use crate::compile::{Compiler, NodeId};

/// The maximum number of kinds of events in a cartridge.
const MOST_EVENTS: usize = 8;

impl Compiler {
    pub(super) fn apply(&mut self, arguments: &mut Arguments<'_>) -> CompileResult<NodeId> {
        let truth = arguments.named("if");
        let truth = self.condition(truth)?;
        let effect = match arguments.next() {
            Some(node) => self.moves(node, MadeBy::Rules)?,
            None => NOTHING,
        };
        Ok(self.node(Op::Apply, 0, &[truth, effect]))
    }

    pub(super) fn trigger(&mut self, arguments: &mut Arguments<'_>) -> CompileResult<NodeId> {
        let event = arguments.need("the name of an event")?;
        let event = Self::place_of(&mut self.events, event.text().unwrap_or(""));
        if event >= MOST_EVENTS {
            return Err(Unknown::at(
                arguments.call,
                "more than eight kinds of events",
            ));
        }
        let who = self.role(arguments.need("a player")?)?;
        Ok(self.node(Op::Trigger, 0, &[event as u16, who]))
    }

    pub(super) fn flip(&mut self, arguments: &mut Arguments<'_>) -> CompileResult<NodeId> {
        self.site_type(arguments)?;
        let at = self.number_or(arguments.next(), |compiler| compiler.node(Op::To, 0, &[]))?;
        Ok(self.node(Op::Flip, 0, &[at]))
    }

    pub(super) fn swap(&mut self, arguments: &mut Arguments<'_>) -> CompileResult<NodeId> {
        self.heights.push(None);
        arguments.word_of(&["Pieces"]);
        let mut sites = Vec::new();
        while let Some(node) = arguments.next() {
            sites.push(self.number(node)?);
        }
        match sites[..] {
            [one, other] => Ok(self.node(Op::SwapSites, 0, &[one, other])),
            [] => {
                let one = self.node(Op::LastFrom, 0, &[]);
                let other = self.node(Op::LastTo, 0, &[]);
                Ok(self.node(Op::SwapSites, 0, &[one, other]))
            }
            _ => Err(Unknown::at(
                arguments.call,
                "this exchange is not supported",
            )),
        }
    }
}
