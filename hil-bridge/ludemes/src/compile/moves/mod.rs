//! Moves and effects of the language: which construct is which.
//!
//! What a move is made of is read in `parts`; moves that put something on a site
//! are in `placing`, those that carry a piece in `carrying`, those for each of
//! several things in `loops`, what changes a number in `settings`, and what a move
//! takes in `captures`.

mod captures;
mod carrying;
mod loops;
mod parts;
mod placing;
mod settings;
mod sowing;

use firmware_core::cartridge::op::{NOTHING, Op};

use crate::compile::arguments::{Arguments, Known, Unknown, elements, head, text};
use crate::compile::{At, Compiler};
use crate::tree::{Kind, Node};

impl Compiler {
    /// Moves, and what comes after them. `decided`: a player's.
    pub(in crate::compile) fn moves(&mut self, node: &Node, decided: bool) -> Known<At> {
        if let Kind::Set(nodes) = &node.kind {
            let mut all = Vec::new();
            for node in nodes {
                all.push(self.moves(node, decided)?);
            }
            return Ok(self.program.each(Op::Any, &[], &all));
        }
        let mut arguments = Arguments::of(node)?;
        let then = arguments.call("then");
        let moves = self.moves_of(&mut arguments, head(node).unwrap_or(""), decided)?;
        arguments.finish()?;
        self.followed(moves, then)
    }

    /// Moves with what comes after them.
    pub(super) fn followed(&mut self, moves: At, then: Option<&Node>) -> Known<At> {
        let Some(then) = then else { return Ok(moves) };
        let mut arguments = Arguments::of(then)?;
        arguments.named("applyAfterAllMoves");
        let after = self.moves(arguments.need("what comes after")?, false)?;
        arguments.finish()?;
        Ok(self.node(Op::Then, 0, &[moves, after]))
    }

    pub(super) fn moves_of(
        &mut self,
        arguments: &mut Arguments<'_>,
        name: &str,
        decided: bool,
    ) -> Known<At> {
        let call = arguments.call;
        match name {
            "move" => self.decision(arguments),
            "or" | "and" | "seq" => {
                let mut all = Vec::new();
                while let Some(node) = arguments.next() {
                    for node in elements(node) {
                        all.push(self.moves(node, decided)?);
                    }
                }
                Ok(self.program.each(Op::Any, &[], &all))
            }
            "priority" => {
                let mut all = Vec::new();
                while let Some(node) = arguments.next() {
                    for node in elements(node) {
                        all.push(self.moves(node, decided)?);
                    }
                }
                Ok(self.program.each(Op::Foremost, &[], &all))
            }
            "if" => {
                let truth = self.truth(arguments.need("a condition")?)?;
                let one = self.moves(arguments.need("moves")?, decided)?;
                let other = match arguments.next() {
                    Some(node) => self.moves(node, decided)?,
                    None => NOTHING,
                };
                Ok(self.node(Op::IfMoves, 0, &[truth, one, other]))
            }
            "apply" => {
                let truth = arguments.named("if");
                let truth = self.condition(truth)?;
                let effect = match arguments.next() {
                    Some(node) => self.moves(node, false)?,
                    None => NOTHING,
                };
                Ok(self.node(Op::Apply, 0, &[truth, effect]))
            }
            "do" => {
                let next = arguments.named("next");
                let truth = arguments.named("ifAfterwards");
                let first = self.moves(arguments.need("moves")?, decided)?;
                let truth = match truth {
                    Some(node) => self.truth(node)?,
                    None => NOTHING,
                };
                Ok(match next {
                    Some(next) => {
                        let next = self.moves(next, decided)?;
                        self.node(Op::Do, 0, &[first, next, truth])
                    }
                    None if truth == NOTHING => first,
                    None => self.node(Op::Afterwards, 0, &[first, truth]),
                })
            }
            "append" => {
                let moves = self.moves(arguments.need("moves")?, decided)?;
                Ok(self.node(Op::Together, 0, &[moves]))
            }
            "allCombinations" => {
                let one = self.moves(arguments.need("moves")?, decided)?;
                let other = self.moves(arguments.need("moves")?, decided)?;
                Ok(self.node(Op::Both, 0, &[one, other]))
            }
            "max" => match arguments.word_of(&["Captures", "Moves"]) {
                Some("Captures") if arguments.named("withValue").is_none() => {
                    let moves = self.moves(arguments.need("moves")?, decided)?;
                    Ok(self.node(Op::MostTaken, 0, &[moves]))
                }
                Some("Moves") if arguments.named("withValue").is_none() => {
                    let moves = self.moves(arguments.need("moves")?, decided)?;
                    Ok(self.node(Op::Longest, 0, &[moves]))
                }
                _ => Err(Unknown::at(
                    call,
                    "this choice of the most is not known here",
                )),
            },
            "forEach" => self.for_each(arguments, decided),
            "pass" => Ok(self.node(Op::Pass, 0, &[])),
            "moveAgain" => Ok(self.node(Op::Again, 0, &[])),
            "set" => self.set(arguments),
            "addScore" => {
                let who = self.role(arguments.need("a player")?)?;
                let score = self.number(arguments.need("a score")?)?;
                Ok(self.node(Op::SetScore, 2, &[who, score]))
            }
            "trigger" => {
                let event = arguments.need("the name of an event")?;
                let event = Self::place_of(&mut self.events, text(event).unwrap_or(""));
                if event > 7 {
                    return Err(Unknown::at(call, "more than eight kinds of events"));
                }
                let who = self.role(arguments.need("a player")?)?;
                Ok(self.node(Op::Trigger, 0, &[event as u16, who]))
            }
            "flip" => {
                self.site_type(arguments)?;
                let at = match arguments.next() {
                    Some(node) => self.number(node)?,
                    None => self.node(Op::To, 0, &[]),
                };
                Ok(self.node(Op::Flip, 0, &[at]))
            }
            "swap" => {
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
                    _ => Err(Unknown::at(call, "this exchange is not known here")),
                }
            }
            "add" => self.add(arguments, false),
            "remove" => self.remove(arguments, false),
            "fromTo" => self.carries(arguments, false),
            "step" => self.step(arguments, false),
            "slide" => self.slide(arguments, false),
            "hop" => self.hop(arguments, false),
            "leap" => self.leap(arguments, false),
            "shoot" => self.shoot(arguments, false),
            "promote" => self.promote(arguments, false),
            "select" => self.select(arguments, false),
            "custodial" => self.custodial(arguments),
            "surround" => self.surround(arguments),
            "enclose" => self.enclose(arguments),
            "intervene" => self.intervene(arguments),
            "directional" => self.directional(arguments),
            "sow" => self.sow(arguments),
            "remember" => self.remember(arguments),
            "forget" => self.forget(arguments),
            _ => Err(Unknown::at(
                call,
                format!("the move `{name}` is not known here"),
            )),
        }
    }

    pub(super) fn decision(&mut self, arguments: &mut Arguments<'_>) -> Known<At> {
        const KINDS: [&str; 14] = [
            "Add", "Remove", "Step", "Slide", "Hop", "Leap", "Shoot", "Pass", "Promote", "Select",
            "Set", "Swap", "Bet", "PlayCard",
        ];
        let call = arguments.call;
        match arguments.word_of(&KINDS) {
            Some("Add") => self.add(arguments, true),
            Some("Remove") => self.remove(arguments, true),
            Some("Step") => self.step(arguments, true),
            Some("Slide") => self.slide(arguments, true),
            Some("Hop") => self.hop(arguments, true),
            Some("Leap") => self.leap(arguments, true),
            Some("Shoot") => self.shoot(arguments, true),
            Some("Pass") => Ok(self.node(Op::Pass, 1, &[])),
            Some("Promote") => self.promote(arguments, true),
            Some("Select") => self.select(arguments, true),
            Some("Set") => match arguments.word_of(&["NextPlayer"]) {
                Some(_) => {
                    let who = self.role(arguments.need("a player")?)?;
                    Ok(self.node(Op::SetNext, 1, &[who]))
                }
                None => Err(Unknown::at(call, "this decision is not known here")),
            },
            Some("Swap") => {
                arguments.word_of(&["Pieces"]);
                let one = self.number(arguments.need("a site")?)?;
                let other = self.number(arguments.need("a site")?)?;
                Ok(self.node(Op::SwapSites, 1, &[one, other]))
            }
            Some(kind) => Err(Unknown::at(
                call,
                format!("`move {kind}` is not known here"),
            )),
            None if arguments
                .peek()
                .is_some_and(|node| head(node) == Some("from")) =>
            {
                self.carries(arguments, true)
            }
            None => Err(Unknown::at(call, "this kind of move is not known here")),
        }
    }
}
