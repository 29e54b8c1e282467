//! Numbers of the language.

use std::collections::BTreeSet;

use firmware_core::cartridge::op::{NOTHING, Op};

use super::arguments::{Arguments, Known, Unknown, elements, head, text, word};
use super::{At, Compiler};
use crate::layout::{Direction, Region as Part, Sites};
use crate::tree::{Kind, Node};

/// Words that are numbers.
pub const WORDS: [&str; 5] = ["Infinity", "Off", "Undefined", "FirstSite", "LastSite"];

/// Heads of calls that are numbers.
pub const HEADS: [&str; 47] = [
    "trackSite",
    "+",
    "-",
    "*",
    "/",
    "%",
    "^",
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
    "level",
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
    "topLevel",
    "toInt",
    "pos",
    "arrayValue",
    "rotation",
];

impl Compiler {
    /// The site of a name such as `A1`.
    fn site_named(&mut self, node: &Node, name: &str) -> Known<At> {
        let site = self.sites.named(name);
        let site = site.ok_or_else(|| {
            Unknown::at(
                node,
                format!("no site is called \"{name}\": `ludemes picture FILE --names` draws what they are called"),
            )
        })?;
        Ok(self.constant(site as i64))
    }

    /// A number.
    pub(super) fn number(&mut self, node: &Node) -> Known<At> {
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
                let number = self.number_of(&mut arguments, head(node).unwrap_or(""))?;
                arguments.finish()?;
                Ok(number)
            }
            _ => Err(Unknown::at(node, "a number is expected here")),
        }
    }

    fn number_of(&mut self, arguments: &mut Arguments<'_>, name: &str) -> Known<At> {
        let call = arguments.call;
        let simple = match name {
            "site" if arguments.peek().is_none() => Some(Op::Site),
            "from" => Some(Op::From),
            "to" => Some(Op::To),
            "between" => Some(Op::Between),
            "mover" => Some(Op::Mover),
            "next" => Some(Op::Next),
            "prev" => Some(Op::Previous),
            "counter" => Some(Op::Counter),
            _ => None,
        };
        if let Some(op) = simple {
            return Ok(self.node(op, 0, &[]));
        }
        match name {
            "+" | "-" | "*" | "/" | "%" | "max" | "min" => self.arithmetic(arguments, name),
            "abs" => {
                let of = self.number(arguments.need("a number")?)?;
                Ok(self.node(Op::Absolute, 0, &[of]))
            }
            "if" => {
                let truth = self.truth(arguments.need("a condition")?)?;
                let one = self.number(arguments.need("a number")?)?;
                let other = match arguments.next() {
                    Some(node) => self.number(node)?,
                    None => self.constant(-1),
                };
                Ok(self.node(Op::IfNumber, 0, &[truth, one, other]))
            }
            "last" => match arguments.word_of(&["To", "From", "LevelTo", "LevelFrom"]) {
                Some("To") => {
                    if let Some(after) = arguments.named("afterConsequence")
                        && word(after) != Some("False")
                    {
                        return Ok(self.node(Op::LastAfter, 0, &[]));
                    }
                    Ok(self.node(Op::LastTo, 0, &[]))
                }
                Some("From") => Ok(self.node(Op::LastFrom, 0, &[])),
                _ => Err(Unknown::at(
                    call,
                    "this part of the last move is not known here",
                )),
            },
            "who" | "what" | "state" => {
                self.site_type(arguments)?;
                let at = self.number(arguments.need_named("at")?)?;
                let op = match name {
                    "who" => Op::Who,
                    "what" => Op::What,
                    _ => Op::StateAt,
                };
                Ok(self.node(op, 0, &[at]))
            }
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
            "id" => {
                let name = arguments.need("the name of a piece")?;
                if text(name).is_none() {
                    return self.role(name);
                }
                let role = arguments.next();
                self.piece_of(name, role)
            }
            "centrePoint" => {
                self.site_type(arguments)?;
                let centre = self.sites.region(Part::Centre).first().copied();
                let none = || Unknown::at(call, "the board has no centre");
                Ok(self.constant(centre.ok_or_else(none)? as i64))
            }
            "coord" => {
                self.site_type(arguments)?;
                let (row, column) = (arguments.named("row"), arguments.named("column"));
                if let (Some(row), Some(column)) = (row, column) {
                    return self.site_at(row, column);
                }
                let name = arguments.need("a site")?;
                if let Some(name) = text(name) {
                    return self.site_named(call, name);
                }
                Err(Unknown::at(
                    call,
                    "this way to name a site is not known here",
                ))
            }
            "row" | "column" | "phase" | "layer" => {
                self.site_type(arguments)?;
                let of = self.number(arguments.need_named("of")?)?;
                let all = 0..self.sites.len();
                let table = all.map(|site| match name {
                    "row" => self.sites.row(site),
                    "column" => self.sites.column(site),
                    "layer" => self.sites.layer(site),
                    _ => self.sites.phase(site),
                });
                let table = table.map(|number| number as i16).collect();
                let table = self.program.table(table);
                Ok(self.node(Op::Entry, 0, &[table, of]))
            }
            "ahead" => {
                self.site_type(arguments)?;
                let from = self.number(arguments.need("a site")?)?;
                let steps = match arguments.named("steps") {
                    Some(node) => self.number(node)?,
                    None => self.constant(1),
                };
                let directions = arguments.next();
                if let Some(several) = directions.filter(|node| is_of_several(node)) {
                    let what = "one direction is wanted here: what lies ahead is one site";
                    return Err(Unknown::at(several, what));
                }
                let ways = match directions {
                    Some(_) => self.directions(directions, Direction::Adjacent)?,
                    None => {
                        let forward = Node {
                            span: call.span,
                            kind: Kind::Word("Forward".to_owned()),
                        };
                        self.directions(Some(&forward), Direction::Adjacent)?
                    }
                };
                Ok(match self.always_ahead(from, steps, ways) {
                    Some(site) => self.constant(site as i64),
                    None => self.node(Op::Ahead, 0, &[from, steps, ways]),
                })
            }
            "handSite" => {
                let who = self.role(arguments.need("a player")?)?;
                let table =
                    std::iter::once(-1).chain((0..usize::from(self.players)).map(|player| {
                        let hand = self.hands.get(player).and_then(|hand| hand.first());
                        hand.map_or(-1, |site| *site as i16)
                    }));
                let table = self.program.table(table.collect());
                let first = self.node(Op::Entry, 0, &[table, who]);
                match arguments.next() {
                    Some(node) => {
                        let more = self.number(node)?;
                        Ok(self.node(Op::Plus, 0, &[first, more]))
                    }
                    None => Ok(first),
                }
            }
            "mapEntry" => {
                let name = arguments.next_if(|node| text(node).is_some());
                let name = name.and_then(text).unwrap_or("");
                let table = self.map_named(name);
                let table = table
                    .ok_or_else(|| Unknown::at(call, format!("no map is called \"{name}\"")))?;
                let table = self.program.table(table);
                let key = self.role(arguments.need("a key")?)?;
                Ok(self.node(Op::Entry, 0, &[table, key]))
            }
            "regionSite" => {
                let sites = self.sites(arguments.need("a region")?)?;
                let index = match arguments.named("index") {
                    Some(node) => self.number(node)?,
                    None => self.constant(0),
                };
                Ok(self.node(Op::Nth, 0, &[sites, index]))
            }
            "var" => {
                let name = arguments.next().and_then(text).unwrap_or("");
                let place = Self::place_of(&mut self.variables, name);
                Ok(self.node(Op::Variable, 0, &[place as u16]))
            }
            "trackSite" => self.track_site(arguments),
            "where" => self.place_of_piece(arguments),
            _ => Err(Unknown::at(
                call,
                format!("the number `{name}` is not known here"),
            )),
        }
    }

    /// How many rows or columns the lowest layer has.
    fn on_ground(&self, of: fn(&Sites, usize) -> usize) -> i64 {
        let ground = (0..self.sites.len()).filter(|site| self.sites.layer(*site) == 0);
        let all: BTreeSet<usize> = ground.map(|site| of(&self.sites, site)).collect();
        all.len() as i64
    }

    /// The site of a row and a column, -1 where there is none.
    fn site_at(&mut self, row: &Node, column: &Node) -> Known<At> {
        let (row, column) = (self.number(row)?, self.number(column)?);
        let places =
            |of: &dyn Fn(usize) -> usize| -> Vec<usize> { (0..self.sites.len()).map(of).collect() };
        let rows = places(&|site| self.sites.row(site));
        let columns = places(&|site| self.sites.column(site));
        let many = columns.iter().max().map_or(0, |last| last + 1);
        let mut table = vec![-1; many * rows.iter().max().map_or(0, |last| last + 1)];
        for (site, (row, column)) in rows.iter().zip(&columns).enumerate() {
            table[row * many + column] = site as i16;
        }
        let constants = (
            self.program.constant_of(row),
            self.program.constant_of(column),
        );
        if let (Some(row), Some(column)) = constants {
            let place = usize::try_from(row * many as i64 + column).ok();
            let is_one = (0..many as i64).contains(&column);
            let site = place.filter(|_| is_one).and_then(|place| table.get(place));
            return Ok(self.constant(site.map_or(-1, |site| i64::from(*site))));
        }
        let many = self.constant(many as i64);
        let before = self.node(Op::Times, 0, &[row, many]);
        let index = self.node(Op::Plus, 0, &[before, column]);
        let table = self.program.table(table);
        let site = self.node(Op::Entry, 0, &[table, index]);
        // Past the last column is no site of the next row.
        let less = self.node(Op::Less, 0, &[column, many]);
        let none = self.constant(-1);
        let before = self.node(Op::Less, 0, &[none, column]);
        let is_one = self.program.each(Op::And, &[], &[less, before]);
        Ok(self.node(Op::IfNumber, 0, &[is_one, site, none]))
    }

    /// The values of a map, or of all maps if none is named: the first that has the
    /// key. What has none is its own value.
    fn map_named(&self, name: &str) -> Option<Vec<i16>> {
        let maps = self.maps.iter();
        let maps = maps.filter(|(known, _)| name.is_empty() || known == name);
        let maps: Vec<&Vec<i16>> = maps.map(|(_, table)| table).collect();
        let longest = maps.iter().map(|table| table.len()).max()?;
        let value = |key: usize| {
            let mut values = maps.iter().filter_map(|table| table.get(key));
            let found = values.find(|value| **value != -1);
            found.copied().unwrap_or(key as i16)
        };
        Some(
            (0..longest.max(self.program.sites + 1))
                .map(value)
                .collect(),
        )
    }

    /// Where a piece stands: the lowest site of it.
    fn place_of_piece(&mut self, arguments: &mut Arguments<'_>) -> Known<At> {
        let name = arguments.need("a piece")?;
        let role = if text(name).is_some() {
            arguments.next()
        } else {
            None
        };
        let piece = self.piece_of(name, role)?;
        let sites = self.node(Op::WithNumber, 0, &[piece]);
        Ok(self.node(Op::First, 0, &[sites]))
    }

    fn arithmetic(&mut self, arguments: &mut Arguments<'_>, name: &str) -> Known<At> {
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
        let mut numbers = elements(first);
        while let Some(more) = arguments.next() {
            numbers.push(more);
        }
        let mut all = Vec::new();
        for number in &numbers {
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
        if let Some(constants) = constants {
            let folded = constants.into_iter().reduce(|one, other| match name {
                "+" => one + other,
                "-" => one - other,
                "*" => one * other,
                "/" => one.checked_div(other).unwrap_or(0),
                "%" => one.checked_rem(other).unwrap_or(0),
                "max" => one.max(other),
                _ => one.min(other),
            });
            return Ok(self.constant(folded.unwrap_or(0)));
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

    fn value(&mut self, arguments: &mut Arguments<'_>) -> Known<At> {
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
            _ => Err(Unknown::at(call, "this value is not known here")),
        }
    }

    fn size(&mut self, arguments: &mut Arguments<'_>) -> Known<At> {
        let call = arguments.call;
        match arguments.word_of(&["Stack", "Group", "Territory", "Array"]) {
            Some("Stack") => {
                self.site_type(arguments)?;
                let at = self.number(arguments.need_named("at")?)?;
                Ok(self.node(Op::Height, 0, &[at]))
            }
            Some("Group") => {
                self.site_type(arguments)?;
                let at = self.number(arguments.need_named("at")?)?;
                let condition = arguments.named("if");
                let ways = self.directions(arguments.next(), Direction::Adjacent)?;
                let condition = self.optional(condition, Self::truth)?;
                Ok(self.node(Op::GroupSize, 0, &[ways, at, Self::maybe(condition)]))
            }
            Some("Territory") => {
                self.site_type(arguments)?;
                let who = self.role(arguments.need("a player")?)?;
                let ways = self.directions(arguments.named("direction"), Direction::Adjacent)?;
                Ok(self.node(Op::Territory, 0, &[ways, who]))
            }
            _ => Err(Unknown::at(call, "this size is not known here")),
        }
    }

    fn count(&mut self, arguments: &mut Arguments<'_>) -> Known<At> {
        const WHAT: [&str; 17] = [
            "Sites",
            "Pieces",
            "Moves",
            "Turns",
            "Steps",
            "Groups",
            "Rows",
            "Columns",
            "Players",
            "MovesThisTurn",
            "Liberties",
            "Cells",
            "Vertices",
            "Active",
            "Trials",
            "Value",
            "Pips",
        ];
        let call = arguments.call;
        let what = arguments.word_of(&WHAT);
        match what {
            Some("Sites") => {
                let sites = arguments.named("in");
                let sites = match sites {
                    Some(sites) => self.sites(sites)?,
                    None => self.sites(arguments.need("a region")?)?,
                };
                Ok(self.node(Op::Size, 0, &[sites]))
            }
            Some("Pieces") => self.count_pieces(arguments),
            Some("Moves") => Ok(self.node(Op::Moves, 0, &[])),
            Some("Turns") => Ok(self.node(Op::Turns, 0, &[])),
            Some("MovesThisTurn") => Ok(self.node(Op::MovesThisTurn, 0, &[])),
            Some("Players") => Ok(self.constant(self.players.into())),
            Some("Rows") => {
                self.site_type(arguments)?;
                Ok(self.constant(self.on_ground(Sites::row)))
            }
            Some("Columns") => {
                self.site_type(arguments)?;
                Ok(self.constant(self.on_ground(Sites::column)))
            }
            Some("Cells") => Ok(self.constant(self.sites.len() as i64)),
            Some("Steps") => {
                self.site_type(arguments)?;
                let relation = arguments.next_if(|node| {
                    word(node).is_some_and(|word| word.parse::<Direction>().is_ok())
                });
                let ways = self.directions(relation, Direction::Adjacent)?;
                let from = self.number(arguments.need("a site")?)?;
                let to = self.number(arguments.need("a site")?)?;
                Ok(self.node(Op::Distance, 0, &[ways, from, to]))
            }
            Some("Groups") => {
                self.site_type(arguments)?;
                let condition = arguments.named("if");
                let least = arguments.named("min");
                let ways = self.directions(arguments.next(), Direction::Adjacent)?;
                let truth = match condition {
                    Some(node) => self.truth(node)?,
                    None => {
                        let to = self.node(Op::To, 0, &[]);
                        self.node(Op::IsOccupied, 0, &[to])
                    }
                };
                let truth = self.program.everywhere(truth, 0);
                let least = self.optional(least, Self::number)?;
                Ok(self.node(Op::Groups, 0, &[ways, truth, Self::maybe(least)]))
            }
            Some("Liberties") => {
                self.site_type(arguments)?;
                let at = match arguments.named("at") {
                    Some(node) => self.number(node)?,
                    None => self.node(Op::LastTo, 0, &[]),
                };
                let ways = self.directions(arguments.next(), Direction::Adjacent)?;
                Ok(self.node(Op::Liberties, 0, &[ways, at]))
            }
            None => {
                self.site_type(arguments)?;
                match arguments.named("at") {
                    Some(node) => {
                        let at = self.number(node)?;
                        Ok(self.node(Op::CountAt, 0, &[at]))
                    }
                    None => {
                        let sites = match arguments.named("in") {
                            Some(node) => self.sites(node)?,
                            None => self.sites(arguments.need("a region")?)?,
                        };
                        Ok(self.node(Op::PiecesOn, 0, &[sites]))
                    }
                }
            }
            _ => Err(Unknown::at(call, "this count is not known here")),
        }
    }

    pub(super) fn count_pieces(&mut self, arguments: &mut Arguments<'_>) -> Known<At> {
        self.site_type(arguments)?;
        let role = arguments
            .next_if(|node| word(node).is_some() || (head(node).is_some() && text(node).is_none()));
        let name = arguments.next_if(|node| text(node).is_some());
        let within = arguments.named("in");
        let condition = arguments.named("if");
        let mut parts = Vec::new();
        match role.and_then(word) {
            None | Some("All" | "Each") if role.is_none_or(|role| word(role).is_some()) => {
                let all = self.constant(-1);
                parts.push(self.node(Op::OccupiedBy, 0, &[all]));
            }
            _ => {
                if let Some(role) = role {
                    let who = self.role(role)?;
                    parts.push(self.node(Op::OccupiedBy, 0, &[who]));
                }
            }
        }
        if let Some(name) = name {
            let kind = text(name).unwrap_or("");
            let pieces = self.program.pieces.iter().enumerate().skip(1);
            let named = pieces.filter(|(_, piece)| piece.name.contains(kind));
            let table = named.map(|(index, _)| index as i16).collect();
            let table = self.program.table(table);
            parts.push(self.node(Op::WithPiece, 0, &[table]));
        }
        if let Some(within) = within {
            parts.push(self.sites(within)?);
        }
        let mut sites = self.intersection(parts);
        if let Some(condition) = condition {
            let truth = self.truth(condition)?;
            sites = self.node(Op::Filter, 0, &[sites, truth]);
        }
        Ok(self.node(Op::PiecesOn, 0, &[sites]))
    }

    /// What is in all of these.
    pub(super) fn intersection(&mut self, parts: Vec<At>) -> At {
        match parts[..] {
            [one] => one,
            _ => self.program.each(Op::Intersection, &[], &parts),
        }
    }

    /// A node that may be missing, as an operand.
    pub(super) fn number_or_nothing(&mut self, node: Option<&Node>) -> Known<u16> {
        match node {
            Some(node) => self.number(node),
            None => Ok(NOTHING),
        }
    }
}

/// True for directions that are several: a set of them, or such as `Forwards`.
fn is_of_several(node: &Node) -> bool {
    match &node.kind {
        Kind::Set(nodes) => nodes.len() > 1,
        _ => word(node).is_some_and(|word| word.ends_with("wards")),
    }
}
