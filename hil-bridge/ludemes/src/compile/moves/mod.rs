//! Moves and effects of the language: the module of each construct.
//!
//! - `parts`: the parts of a move; `joined`: moves that consist of other moves;
//! - `effects`: effects of a few operands; `settings`: effects that change a number;
//! - `placing`: moves that put a piece on a site; `carrying`: moves that carry one;
//! - `loops`: moves repeated for several things; `captures`: captures.

mod captures;
mod carrying;
mod effects;
mod joined;
mod loops;
mod parts;
mod placing;
mod settings;
mod sowing;

use firmware_core::cartridge::op::{Op, bit};

use crate::compile::arguments::{Arguments, CompileResult, Unknown};
use crate::compile::{Compiler, NodeId};
use crate::tree::{Kind, Node};

/// Who makes a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::compile) enum MadeBy {
    /// A player, who chooses among the moves.
    Player,
    /// The rules, as a consequence of something else.
    Rules,
}

impl From<MadeBy> for u8 {
    /// The value of [`bit::DECIDED`].
    fn from(made_by: MadeBy) -> u8 {
        u8::from(made_by == MadeBy::Player)
    }
}

impl Compiler {
    /// Compiles moves with their consequences.
    pub(in crate::compile) fn moves(
        &mut self,
        node: &Node,
        made_by: MadeBy,
    ) -> CompileResult<NodeId> {
        if let Kind::Set(nodes) = &node.kind {
            let mut all = Vec::new();
            for node in nodes {
                all.push(self.moves(node, made_by)?);
            }
            return Ok(self.program.each(Op::Any, &[], &all));
        }
        let mut arguments = Arguments::of(node)?;
        let then = arguments.call("then");
        let moves = self.moves_of(&mut arguments, node.head().unwrap_or(""), made_by)?;
        arguments.finish()?;
        self.followed(moves, then)
    }

    /// Adds consequences to moves.
    pub(super) fn followed(&mut self, moves: NodeId, then: Option<&Node>) -> CompileResult<NodeId> {
        let Some(then) = then else { return Ok(moves) };
        let mut arguments = Arguments::of(then)?;
        arguments.named("applyAfterAllMoves");
        let after = self.moves(arguments.need("what comes after")?, MadeBy::Rules)?;
        arguments.finish()?;
        Ok(self.node(Op::Then, 0, &[moves, after]))
    }

    pub(super) fn moves_of(
        &mut self,
        arguments: &mut Arguments<'_>,
        name: &str,
        made_by: MadeBy,
    ) -> CompileResult<NodeId> {
        match name {
            "move" => self.decision(arguments),
            "or" | "and" | "seq" => self.all_of(Op::Any, arguments, made_by),
            "priority" => self.all_of(Op::Foremost, arguments, made_by),
            "if" => self.moves_if(arguments, made_by),
            "apply" => self.apply(arguments),
            "do" => self.moves_do(arguments, made_by),
            "append" => {
                let moves = self.moves(arguments.need("moves")?, made_by)?;
                Ok(self.node(Op::Together, 0, &[moves]))
            }
            "allCombinations" => {
                let one = self.moves(arguments.need("moves")?, made_by)?;
                let other = self.moves(arguments.need("moves")?, made_by)?;
                Ok(self.node(Op::Both, 0, &[one, other]))
            }
            "max" => self.most(arguments, made_by),
            "forEach" => self.for_each(arguments, made_by),
            "pass" => Ok(self.node(Op::Pass, 0, &[])),
            "moveAgain" => Ok(self.node(Op::Again, 0, &[])),
            "set" => self.set(arguments),
            "addScore" => {
                let who = self.role(arguments.need("a player")?)?;
                let score = self.number(arguments.need("a score")?)?;
                Ok(self.node(Op::SetScore, bit::MORE, &[who, score]))
            }
            "trigger" => self.trigger(arguments),
            "flip" => self.flip(arguments),
            "swap" => self.swap(arguments),
            "add" => self.add(arguments, MadeBy::Rules),
            "remove" => self.remove(arguments, MadeBy::Rules),
            "fromTo" => self.carries(arguments, MadeBy::Rules),
            "step" => self.step(arguments, MadeBy::Rules),
            "slide" => self.slide(arguments, MadeBy::Rules),
            "hop" => self.hop(arguments, MadeBy::Rules),
            "leap" => self.leap(arguments, MadeBy::Rules),
            "shoot" => self.shoot(arguments, MadeBy::Rules),
            "promote" => self.promote(arguments, MadeBy::Rules),
            "select" => self.select(arguments, MadeBy::Rules),
            "custodial" => self.custodial(arguments),
            "surround" => self.surround(arguments),
            "enclose" => self.enclose(arguments),
            "intervene" => self.intervene(arguments),
            "directional" => self.directional(arguments),
            "sow" => self.sow(arguments),
            "remember" => self.remember(arguments),
            "forget" => self.forget(arguments),
            _ => Err(Unknown::at(
                arguments.call,
                format!("the move `{name}` is not supported"),
            )),
        }
    }

    pub(super) fn decision(&mut self, arguments: &mut Arguments<'_>) -> CompileResult<NodeId> {
        const KINDS: [&str; 14] = [
            "Add", "Remove", "Step", "Slide", "Hop", "Leap", "Shoot", "Pass", "Promote", "Select",
            "Set", "Swap", "Bet", "PlayCard",
        ];
        let call = arguments.call;
        match arguments.word_of(&KINDS) {
            Some("Add") => self.add(arguments, MadeBy::Player),
            Some("Remove") => self.remove(arguments, MadeBy::Player),
            Some("Step") => self.step(arguments, MadeBy::Player),
            Some("Slide") => self.slide(arguments, MadeBy::Player),
            Some("Hop") => self.hop(arguments, MadeBy::Player),
            Some("Leap") => self.leap(arguments, MadeBy::Player),
            Some("Shoot") => self.shoot(arguments, MadeBy::Player),
            Some("Pass") => Ok(self.node(Op::Pass, 1, &[])),
            Some("Promote") => self.promote(arguments, MadeBy::Player),
            Some("Select") => self.select(arguments, MadeBy::Player),
            Some("Set") => match arguments.word_of(&["NextPlayer"]) {
                Some(_) => {
                    let who = self.role(arguments.need("a player")?)?;
                    Ok(self.node(Op::SetNext, 1, &[who]))
                }
                None => Err(Unknown::at(call, "this decision is not supported")),
            },
            Some("Swap") => {
                arguments.word_of(&["Pieces"]);
                let one = self.number(arguments.need("a site")?)?;
                let other = self.number(arguments.need("a site")?)?;
                Ok(self.node(Op::SwapSites, 1, &[one, other]))
            }
            Some(kind) => Err(Unknown::at(call, format!("`move {kind}` is not supported"))),
            None if arguments
                .peek()
                .is_some_and(|node| node.head() == Some("from")) =>
            {
                self.carries(arguments, MadeBy::Player)
            }
            None => Err(Unknown::at(call, "this kind of move is not supported")),
        }
    }
}
