//! Moves made of other moves: the union of several, the first of several that exist,
//! moves under a condition, and moves followed by others.

use firmware_core::cartridge::op::{NOTHING, Op};

use crate::compile::arguments::{Arguments, CompileResult, Unknown};
use crate::compile::moves::MadeBy;
use crate::compile::{Compiler, NodeId};

impl Compiler {
    pub(super) fn all_of(
        &mut self,
        op: Op,
        arguments: &mut Arguments<'_>,
        made_by: MadeBy,
    ) -> CompileResult<NodeId> {
        let mut all = Vec::new();
        for node in arguments.rest() {
            all.push(self.moves(node, made_by)?);
        }
        Ok(self.program.each(op, &[], &all))
    }

    pub(super) fn moves_if(
        &mut self,
        arguments: &mut Arguments<'_>,
        made_by: MadeBy,
    ) -> CompileResult<NodeId> {
        let truth = self.truth(arguments.need("a condition")?)?;
        let one = self.moves(arguments.need("moves")?, made_by)?;
        let other = match arguments.next() {
            Some(node) => self.moves(node, made_by)?,
            None => NOTHING,
        };
        Ok(self.node(Op::IfMoves, 0, &[truth, one, other]))
    }

    pub(super) fn moves_do(
        &mut self,
        arguments: &mut Arguments<'_>,
        made_by: MadeBy,
    ) -> CompileResult<NodeId> {
        let next = arguments.named("next");
        let truth = arguments.named("ifAfterwards");
        let first = self.moves(arguments.need("moves")?, made_by)?;
        let truth = match truth {
            Some(node) => self.truth(node)?,
            None => NOTHING,
        };
        Ok(match next {
            Some(next) => {
                let next = self.moves(next, made_by)?;
                self.node(Op::Do, 0, &[first, next, truth])
            }
            None if truth == NOTHING => first,
            None => self.node(Op::Afterwards, 0, &[first, truth]),
        })
    }

    /// The moves that capture the most, or can be continued the longest.
    pub(super) fn most(
        &mut self,
        arguments: &mut Arguments<'_>,
        made_by: MadeBy,
    ) -> CompileResult<NodeId> {
        let op = match arguments.word_of(&["Captures", "Moves"]) {
            Some("Captures") if arguments.named("withValue").is_none() => Op::MostTaken,
            Some("Moves") if arguments.named("withValue").is_none() => Op::Longest,
            _ => {
                return Err(Unknown::at(
                    arguments.call,
                    "this choice of the most is not supported",
                ));
            }
        };
        let moves = self.moves(arguments.need("moves")?, made_by)?;
        Ok(self.node(op, 0, &[moves]))
    }
}
