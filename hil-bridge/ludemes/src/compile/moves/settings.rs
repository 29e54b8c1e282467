//! Effects that change a number of the game's state.

use firmware_core::cartridge::op::Op;

use crate::compile::arguments::{Arguments, CompileResult, Unknown};
use crate::compile::{Compiler, NodeId};
use crate::tree::Node;

/// What a text can set, known here or not.
const SETTINGS: [&str; 14] = [
    "Score",
    "State",
    "Count",
    "Value",
    "Counter",
    "Pending",
    "NextPlayer",
    "Var",
    "Amount",
    "Rotation",
    "Hidden",
    "TrumpSuit",
    "Team",
    "Direction",
];

impl Compiler {
    pub(super) fn set(&mut self, arguments: &mut Arguments<'_>) -> CompileResult<NodeId> {
        let call = arguments.call;
        match arguments.word_of(&SETTINGS) {
            Some("Score") => self.set_score(arguments),
            Some("Amount") => self.set_amount(arguments),
            Some(kind @ ("State" | "Count")) => self.set_state_or_count(arguments, kind),
            Some("Value") if arguments.peek().is_some_and(|node| node.word().is_some()) => {
                self.set_value_of_player(arguments)
            }
            Some("Counter") => self.set_counter(arguments),
            Some("Pending") => self.set_pending(arguments),
            Some("NextPlayer") => self.set_next_player(arguments),
            Some("Var") => self.set_variable(arguments),
            Some(kind) => Err(Unknown::at(call, format!("`set {kind}` is not supported"))),
            None => Err(Unknown::at(call, "what is set is not supported")),
        }
    }

    fn set_score(&mut self, arguments: &mut Arguments<'_>) -> CompileResult<NodeId> {
        let who = arguments.need("a player")?;
        let score = self.number(arguments.need("a score")?)?;
        if who.word() == Some("Each") {
            let player = self.node(Op::Player, 0, &[]);
            let set = self.node(Op::SetScore, 0, &[player, score]);
            return Ok(self.node(Op::ForEachPlayer, 0, &[set]));
        }
        let who = self.role(who)?;
        Ok(self.node(Op::SetScore, 0, &[who, score]))
    }

    fn set_amount(&mut self, arguments: &mut Arguments<'_>) -> CompileResult<NodeId> {
        let who = self.role(arguments.need("a player")?)?;
        let amount = self.number(arguments.need("an amount")?)?;
        Ok(self.node(Op::SetAmount, 0, &[who, amount]))
    }

    fn set_state_or_count(
        &mut self,
        arguments: &mut Arguments<'_>,
        kind: &str,
    ) -> CompileResult<NodeId> {
        self.site_type(arguments)?;
        let at = self.number(arguments.need_named("at")?)?;
        let number = self.number(arguments.need("a number")?)?;
        if kind == "Count" {
            self.program.flags |= firmware_core::cartridge::bytes::flag::COUNTS;
            return Ok(self.node(Op::SetCount, 0, &[at, number]));
        }
        Ok(self.node(Op::SetState, 0, &[at, number]))
    }

    fn set_value_of_player(&mut self, arguments: &mut Arguments<'_>) -> CompileResult<NodeId> {
        let who = self.role(arguments.need("a player")?)?;
        let value = self.number(arguments.need("a value")?)?;
        Ok(self.node(Op::SetPlayerValue, 0, &[who, value]))
    }

    fn set_counter(&mut self, arguments: &mut Arguments<'_>) -> CompileResult<NodeId> {
        let number = self.number_or(arguments.next(), |compiler| compiler.constant(-1))?;
        Ok(self.node(Op::SetCounter, 0, &[number]))
    }

    fn set_pending(&mut self, arguments: &mut Arguments<'_>) -> CompileResult<NodeId> {
        match arguments.next() {
            None => {
                let none = self.constant(-1);
                Ok(self.node(Op::SetPending, 0, &[none]))
            }
            Some(node) if matches!(node.head(), Some("+" | "-" | "*" | "/" | "%" | "^")) => {
                let what = "a number that is calculated is not a site, and only sites can be pending here: `(set Pending (last To))`";
                Err(Unknown::at(node, what))
            }
            Some(node) if self.is_number(node) || node.word().is_some() => {
                let number = self.number(node)?;
                Ok(self.node(Op::SetPending, 0, &[number]))
            }
            Some(node) => {
                let sites = self.sites(node)?;
                Ok(self.node(Op::SetPendingSites, 0, &[sites]))
            }
        }
    }

    fn set_next_player(&mut self, arguments: &mut Arguments<'_>) -> CompileResult<NodeId> {
        let who = self.role(arguments.need("a player")?)?;
        Ok(self.node(Op::SetNext, 0, &[who]))
    }

    fn set_variable(&mut self, arguments: &mut Arguments<'_>) -> CompileResult<NodeId> {
        let call = arguments.call;
        let name = arguments.next_if(|node| node.text().is_some());
        let name = name.and_then(Node::text).unwrap_or("");
        let place = Self::place_of(&mut self.variables, name);
        if place >= firmware_core::cartridge::state::VARIABLES {
            return Err(Unknown::at(call, "more variables than there is room for"));
        }
        let number = self.number(arguments.need("a number")?)?;
        Ok(self.node(Op::SetVariable, 0, &[place as u16, number]))
    }
}
