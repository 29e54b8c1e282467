//! Compiles the rules of the end.

use firmware_core::cartridge::op::{NOTHING, Op, ending};

use super::arguments::{Arguments, CompileResult, Unknown, nearest};
use super::{Compiler, EndRule, NodeId};
use crate::tree::Node;

impl Compiler {
    pub(super) fn ends(&mut self, node: &Node) -> CompileResult<NodeId> {
        let mut arguments = Arguments::of(node)?;
        let mut rules = Vec::new();
        for node in arguments.rest() {
            rules.push(self.end_rule(node)?);
        }
        arguments.finish()?;
        Ok(self.program.each(Op::Rules, &[], &rules))
    }

    fn end_rule(&mut self, node: &Node) -> CompileResult<NodeId> {
        let mut arguments = Arguments::of(node)?;
        match node.head() {
            Some("if") => {
                let truth = self.truth(arguments.need("a condition")?)?;
                let mut results = Vec::new();
                for node in arguments.rest() {
                    results.push(self.result(node)?);
                }
                arguments.finish()?;
                let at = self.program.each(Op::When, &[truth], &results);
                let any_of = self.any_of.get(&truth).cloned();
                self.add_ending(node, at, any_of.unwrap_or_default());
                Ok(at)
            }
            Some("forEach") => {
                let who = arguments.word_of(&["Player", "NonMover"]);
                let who =
                    who.ok_or_else(|| Unknown::at(node, "a loop over players is expected"))?;
                let truth = self.truth(arguments.need_named("if")?)?;
                let truth = if who == "NonMover" {
                    let player = self.node(Op::Player, 0, &[]);
                    let mover = self.node(Op::Mover, 0, &[]);
                    let other = self.node(Op::Unequal, 0, &[player, mover]);
                    self.program.each(Op::And, &[], &[other, truth])
                } else {
                    truth
                };
                let result = self.result(arguments.need("a result")?)?;
                arguments.finish()?;
                let at = self.node(Op::EachPlayer, 0, &[truth, result]);
                self.add_ending(node, at, Vec::new());
                Ok(at)
            }
            _ => Err(Unknown::at(node, "this rule of the end is not supported")),
        }
    }

    fn add_ending(&mut self, rule: &Node, at: NodeId, any_of: Vec<(Node, NodeId)>) {
        if self.endings.iter().all(|ending| ending.at != at) {
            self.endings.push(EndRule {
                rule: rule.clone(),
                at,
                any_of,
            });
        }
    }

    fn result(&mut self, node: &Node) -> CompileResult<NodeId> {
        match node.head() {
            Some("if") => return self.end_rule(node),
            Some("byScore") => return self.by_score(node),
            Some("result") => {}
            _ => return Err(Unknown::at(node, "this result is not supported")),
        }
        let mut arguments = Arguments::of(node)?;
        let who = arguments.need("a player")?;
        let how = arguments.need("how it ends")?;
        arguments.finish()?;
        let kind = match how.word() {
            Some("Loss") => ending::LOSS,
            Some("Win") => ending::WIN,
            Some("Draw") => ending::DRAW,
            _ => {
                let near = how
                    .word()
                    .map(|word| nearest(word, &["Win", "Loss", "Draw"]));
                let what = format!(
                    "`Win`, `Loss` or `Draw` is expected here{}",
                    near.unwrap_or_default()
                );
                return Err(Unknown::at(how, what));
            }
        };
        let who = match who.word() {
            Some("All" | "Each") => self.constant(i64::from(self.players) + 1),
            _ => self.role(who)?,
        };
        Ok(self.node(Op::Result, 0, &[kind, who]))
    }

    fn by_score(&mut self, node: &Node) -> CompileResult<NodeId> {
        let mut arguments = Arguments::of(node)?;
        let misere = arguments.named("misere");
        if let Some(misere) = misere {
            return Err(Unknown::at(
                misere,
                "the fewest points as an end are not supported",
            ));
        }
        let Some(scores) = arguments.next() else {
            return Ok(self.node(Op::ByScore, 0, &[NOTHING]));
        };
        arguments.finish()?;
        let mut sets = Vec::new();
        for score in scores.elements() {
            let mut inner = Arguments::of(score)?;
            let who = self.role(inner.need("a player")?)?;
            let many = self.number(inner.need("a score")?)?;
            inner.finish()?;
            sets.push(self.node(Op::SetScore, 0, &[who, many]));
        }
        let sets = self.program.each(Op::Any, &[], &sets);
        Ok(self.node(Op::ByScore, 0, &[sets]))
    }
}
