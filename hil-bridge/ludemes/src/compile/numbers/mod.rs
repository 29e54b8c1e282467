//! Numbers of the language: the operation of each construct. Counts are in `count`, sites
//! in `site`.

mod count;
mod site;

use firmware_core::cartridge::op::{NOTHING, Op};

use super::arguments::{Arguments, CompileResult, Unknown};
use super::{Compiler, NodeId};
use crate::tree::{Kind, Node};

/// The words that stand for numbers.
pub const WORDS: [&str; 5] = ["Infinity", "Off", "Undefined", "FirstSite", "LastSite"];

/// Heads of calls that are numbers, each with its arm in `number_of`.
pub const HEADS: [&str; 40] = [
    "trackSite",
    "+",
    "-",
    "*",
    "/",
    "%",
    "abs",
    "ahead",
    "amount",
    "between",
    "centrePoint",
    "column",
    "coord",
    "count",
    "counter",
    "from",
    "handSite",
    "id",
    "last",
    "layer",
    "mapEntry",
    "max",
    "min",
    "mover",
    "next",
    "phase",
    "player",
    "prev",
    "regionSite",
    "row",
    "score",
    "site",
    "size",
    "state",
    "to",
    "value",
    "var",
    "what",
    "who",
    "where",
];

/// Heads of calls that are numbers in the language but have no operation here. They are
/// reported as unknown numbers, not as wrong sets.
pub const FOREIGN_HEADS: [&str; 3] = ["^", "topLevel", "level"];

impl Compiler {
    /// Compiles a number.
    pub(super) fn number(&mut self, node: &Node) -> CompileResult<NodeId> {
        match &node.kind {
            Kind::Number(number) => Ok(self.constant(*number)),
            Kind::Text(name) => self.site_named(node, name),
            Kind::Word(word) => match word.as_str() {
                "Infinity" => Ok(self.constant(i64::from(i16::MAX))),
                "Off" | "Undefined" => Ok(self.constant(-1)),
                "FirstSite" => Ok(self.constant(0)),
                "LastSite" => Ok(self.constant(self.sites.len() as i64 - 1)),
                _ => self.role(node),
            },
            Kind::Call(_) => {
                let mut arguments = Arguments::of(node)?;
                let number = self.number_of(&mut arguments, node.head().unwrap_or(""))?;
                arguments.finish()?;
                Ok(number)
            }
            _ => Err(Unknown::at(node, "a number is expected here")),
        }
    }

    fn number_of(&mut self, arguments: &mut Arguments<'_>, name: &str) -> CompileResult<NodeId> {
        let call = arguments.call;
        if let Some(op) = register(name)
            && (op != Op::Site || arguments.peek().is_none())
        {
            return Ok(self.node(op, 0, &[]));
        }
        match name {
            "+" | "-" | "*" | "/" | "%" | "max" | "min" => self.arithmetic(arguments, name),
            "abs" => {
                let of = self.number(arguments.need("a number")?)?;
                Ok(self.node(Op::Absolute, 0, &[of]))
            }
            "if" => self.one_or_other(arguments),
            "last" => self.last_part(arguments),
            "who" | "what" | "state" => self.on_site(arguments, name),
            "value" => self.value(arguments),
            "count" => self.count(arguments),
            "size" => self.size(arguments),
            "score" | "amount" => {
                let who = self.role(arguments.need("a player")?)?;
                let op = if name == "score" {
                    Op::Score
                } else {
                    Op::Amount
                };
                Ok(self.node(op, 0, &[who]))
            }
            "player" => {
                let of = match arguments.next() {
                    Some(index) => self.number(index)?,
                    None => self.node(Op::Player, 0, &[]),
                };
                Ok(of)
            }
            "id" => self.number_of_piece(arguments),
            "centrePoint" => self.centre_point(arguments),
            "coord" => self.coordinates(arguments),
            "row" | "column" | "phase" | "layer" => self.by_table(arguments, name),
            "ahead" => self.ahead(arguments),
            "handSite" => self.hand_site(arguments),
            "mapEntry" => self.map_entry(arguments),
            "regionSite" => self.region_site(arguments),
            "var" => {
                let name = arguments.next().and_then(Node::text).unwrap_or("");
                let place = Self::place_of(&mut self.variables, name);
                Ok(self.node(Op::Variable, 0, &[place as u16]))
            }
            "trackSite" => self.track_site(arguments),
            "where" => self.place_of_piece(arguments),
            _ => Err(Unknown::at(
                call,
                format!("the number `{name}` is not supported"),
            )),
        }
    }

    /// Compiles a property of the last move.
    fn last_part(&mut self, arguments: &mut Arguments<'_>) -> CompileResult<NodeId> {
        let part = match arguments.word_of(&["To", "From", "LevelTo", "LevelFrom"]) {
            Some("To") => match arguments.named("afterConsequence").map(Node::word) {
                None | Some(Some("False")) => Op::LastTo,
                Some(_) => Op::LastAfter,
            },
            Some("From") => Op::LastFrom,
            _ => {
                return Err(Unknown::at(
                    arguments.call,
                    "this part of the last move is not supported",
                ));
            }
        };
        Ok(self.node(part, 0, &[]))
    }

    /// Compiles a choice between two numbers.
    fn one_or_other(&mut self, arguments: &mut Arguments<'_>) -> CompileResult<NodeId> {
        let truth = self.truth(arguments.need("a condition")?)?;
        let one = self.number(arguments.need("a number")?)?;
        let other = self.number_or(arguments.next(), |compiler| compiler.constant(-1))?;
        Ok(self.node(Op::IfNumber, 0, &[truth, one, other]))
    }

    /// Compiles a property of the piece on a site.
    fn on_site(&mut self, arguments: &mut Arguments<'_>, name: &str) -> CompileResult<NodeId> {
        self.site_type(arguments)?;
        let at = self.number(arguments.need_named("at")?)?;
        let op = match name {
            "who" => Op::Who,
            "what" => Op::What,
            _ => Op::StateAt,
        };
        Ok(self.node(op, 0, &[at]))
    }

    /// The number of a piece or of a player.
    fn number_of_piece(&mut self, arguments: &mut Arguments<'_>) -> CompileResult<NodeId> {
        let name = arguments.need("the name of a piece")?;
        if name.text().is_none() {
            return self.role(name);
        }
        let role = arguments.next();
        self.piece_of(name, role)
    }

    fn arithmetic(&mut self, arguments: &mut Arguments<'_>, name: &str) -> CompileResult<NodeId> {
        let op = match name {
            "+" => Op::Plus,
            "-" => Op::Minus,
            "*" => Op::Times,
            "/" => Op::Divide,
            "%" => Op::Modulo,
            "max" => Op::Maximum,
            _ => Op::Minimum,
        };
        let first = arguments.need("a number")?;
        let mut numbers: Vec<&Node> = first.elements().iter().collect();
        while let Some(more) = arguments.next() {
            numbers.push(more);
        }
        let mut all = Vec::new();
        for number in numbers {
            all.push(self.number(number)?);
        }
        if let ([one], "-") = (&all[..], name) {
            let zero = self.constant(0);
            return Ok(self.node(Op::Minus, 0, &[zero, *one]));
        }
        let constants: Option<Vec<i64>> = all
            .iter()
            .map(|node| self.program.constant_of(*node))
            .collect();
        let folded = constants.and_then(|constants| folded(name, &constants));
        if let Some(folded) = folded {
            return Ok(self.constant(folded.into()));
        }
        let mut all = all.into_iter();
        let Some(mut sum) = all.next() else {
            return Err(Unknown::at(arguments.call, "a number is missing here"));
        };
        for more in all {
            sum = self.node(op, 0, &[sum, more]);
        }
        Ok(sum)
    }

    fn value(&mut self, arguments: &mut Arguments<'_>) -> CompileResult<NodeId> {
        let call = arguments.call;
        match arguments.word_of(&["Piece", "Pending", "Player", "Random"]) {
            Some("Piece") => {
                self.site_type(arguments)?;
                let at = self.number(arguments.need_named("at")?)?;
                Ok(self.node(Op::ValueAt, 0, &[at]))
            }
            Some("Pending") => Ok(self.node(Op::PendingValue, 0, &[])),
            Some("Player") => {
                let who = self.role(arguments.need("a player")?)?;
                Ok(self.node(Op::PlayerValue, 0, &[who]))
            }
            Some("Random") if self.in_set_up => {
                let range = arguments.need("a range")?;
                let mut inner = Arguments::of(range)?;
                let least = self.number(inner.need("a number")?)?;
                let most = self.number(inner.need("a number")?)?;
                inner.finish()?;
                self.program.flags |= firmware_core::cartridge::bytes::flag::CHANCE;
                Ok(self.node(Op::Chance, 0, &[least, most]))
            }
            Some("Random") => Err(Unknown::at(
                call,
                "chance is known in the set-up only, not in the moves of a game",
            )),
            None if arguments.peek().is_none() => Ok(self.node(Op::Value, 0, &[])),
            _ => Err(Unknown::at(call, "this value is not supported")),
        }
    }

    /// The intersection of all parts.
    pub(super) fn intersection(&mut self, parts: Vec<NodeId>) -> NodeId {
        match parts[..] {
            [one] => one,
            _ => self.program.each(Op::Intersection, &[], &parts),
        }
    }

    /// A number, or the node that is meant if it is missing.
    pub(super) fn number_or(
        &mut self,
        node: Option<&Node>,
        missing: impl FnOnce(&mut Self) -> NodeId,
    ) -> CompileResult<NodeId> {
        match node {
            Some(node) => self.number(node),
            None => Ok(missing(self)),
        }
    }

    /// A site, or the one where the last move ended if it is missing.
    pub(super) fn site_or_last(&mut self, node: Option<&Node>) -> CompileResult<NodeId> {
        self.number_or(node, |compiler| compiler.node(Op::LastTo, 0, &[]))
    }

    /// A number as an operand, or [`NOTHING`] if it is missing.
    pub(super) fn number_or_nothing(&mut self, node: Option<&Node>) -> CompileResult<u16> {
        self.number_or(node, |_| NOTHING)
    }
}

/// The result of an operation on constants. `None` if it or an intermediate result does
/// not fit into a constant; the machine then computes it.
fn folded(name: &str, numbers: &[i64]) -> Option<i16> {
    let mut numbers = numbers.iter().copied();
    let mut sum = i16::try_from(numbers.next().unwrap_or(0)).ok()?;
    for number in numbers {
        let (one, other) = (i64::from(sum), i64::from(i16::try_from(number).ok()?));
        sum = i16::try_from(match name {
            "+" => one + other,
            "-" => one - other,
            "*" => one * other,
            "/" => one.checked_div(other).unwrap_or(0),
            "%" => one.checked_rem(other).unwrap_or(0),
            "max" => one.max(other),
            _ => one.min(other),
        })
        .ok()?;
    }
    Some(sum)
}

/// The node of a number that is read from a register or the state as it is.
fn register(name: &str) -> Option<Op> {
    Some(match name {
        "site" => Op::Site,
        "from" => Op::From,
        "to" => Op::To,
        "between" => Op::Between,
        "mover" => Op::Mover,
        "next" => Op::Next,
        "prev" => Op::Previous,
        "counter" => Op::Counter,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{check, constructs};

    /// The error for a text that compares this number.
    fn said_of(head: &str) -> String {
        said(&format!("(= 0 ({head}))"), "0")
    }

    /// The error for a text with this condition and this score.
    fn said(condition: &str, score: &str) -> String {
        let text = r#"(game "Test" (players 2)
                (equipment { (board (square 3)) (piece "Disc" Each) })
                (rules
                    (play (move Add (to (sites Empty)) (then (addScore Mover SCORE))))
                    (end (if CONDITION (result Mover Win)))))"#;
        let text = text.replace("CONDITION", condition);
        let text = text.replace("SCORE", score);
        match check::made(&text, &[]) {
            Ok(_) => String::new(),
            Err(errors) => errors
                .iter()
                .map(|error| error.shown("test", &text))
                .collect(),
        }
    }

    #[test]
    fn listed_heads_of_numbers_compile() {
        let unknown = |head: &str| said_of(head).contains(&format!("the number `{head}` is not"));
        assert_eq!(HEADS.iter().find(|head| unknown(head)), None);
        assert_eq!(FOREIGN_HEADS.iter().find(|head| !unknown(head)), None);
    }

    #[test]
    fn every_number_that_compiles_is_listed() {
        let heads = constructs::all().iter().map(|construct| {
            let name = construct.name;
            name.split(' ').next().unwrap_or(name)
        });
        // Only a number can be in the place of a score.
        let reads_more = ["if", "then"];
        let unlisted = heads.filter(|head| !reads_more.contains(head) && !HEADS.contains(head));
        let compiled = unlisted.filter(|head| {
            let said = said("(is Mover P1)", &format!("({head})"));
            let refusals = [
                format!("the number `{head}` is not"),
                format!("the language has no `{head}`"),
            ];
            !refusals.iter().any(|refusal| said.contains(refusal))
        });
        assert_eq!(compiled.collect::<Vec<_>>(), [] as [&str; 0]);
    }

    #[test]
    fn overflowing_constants_are_left_to_the_machine() {
        assert_eq!(folded("*", &[100, 200]), Some(20_000));
        assert_eq!(folded("*", &[200, 200]), None);
        assert_eq!(folded("*", &[32_767; 5]), None);
        assert_eq!(folded("+", &[i64::MAX, i64::MAX]), None);
        assert_eq!(folded("/", &[7, 0]), Some(0));
        assert_eq!(folded("-", &[]), Some(0));
    }
}
