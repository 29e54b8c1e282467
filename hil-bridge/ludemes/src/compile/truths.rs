//! Compiles the conditions of the language.

use firmware_core::cartridge::op::{NOTHING, Op, bit, line};

use super::arguments::{Arguments, CompileResult, Unknown};
use super::{Compiler, NodeId};
use crate::compile::moves::MadeBy;
use crate::layout::{Direction, NamedRegion};
use crate::tree::{Kind, Node};

impl Compiler {
    /// Compiles a condition.
    pub(super) fn truth(&mut self, node: &Node) -> CompileResult<NodeId> {
        if let Some(word) = node.word() {
            return match word {
                "True" => Ok(self.node(Op::True, 0, &[])),
                "False" => Ok(self.node(Op::False, 0, &[])),
                _ => Err(Unknown::at(node, format!("`{word}` is not a condition"))),
            };
        }
        let mut arguments = Arguments::of(node)?;
        let truth = self.truth_of(&mut arguments, node.head().unwrap_or(""))?;
        arguments.finish()?;
        Ok(truth)
    }

    fn truth_of(&mut self, arguments: &mut Arguments<'_>, name: &str) -> CompileResult<NodeId> {
        let call = arguments.call;
        match name {
            "not" => {
                let of = self.truth(arguments.need("a condition")?)?;
                Ok(self.node(Op::Not, 0, &[of]))
            }
            "and" | "or" => {
                let mut parts = Vec::new();
                for node in arguments.rest() {
                    parts.push((node.clone(), self.truth(node)?));
                }
                let op = if name == "and" { Op::And } else { Op::Or };
                let truths = parts.iter().map(|(_, truth)| *truth).collect();
                let truths = self.program.cheap_first(truths);
                let all = self.program.each(op, &[], &truths);
                if op == Op::Or {
                    self.any_of.insert(all, parts);
                }
                Ok(all)
            }
            "xor" => {
                let one = self.truth(arguments.need("a condition")?)?;
                let other = self.truth(arguments.need("a condition")?)?;
                Ok(self.node(Op::Xor, 0, &[one, other]))
            }
            "=" | "!=" | "<" | "<=" | ">" | ">=" => self.comparison(arguments, name),
            "if" => {
                let truth = self.truth(arguments.need("a condition")?)?;
                let one = self.truth(arguments.need("a condition")?)?;
                let other = match arguments.next() {
                    Some(node) => self.truth(node)?,
                    None => self.node(Op::False, 0, &[]),
                };
                Ok(self.node(Op::IfTruth, 0, &[truth, one, other]))
            }
            "all" => self.all(arguments),
            "no" => self.no(arguments),
            "can" => {
                arguments.word_of(&["Move"]);
                let moves = self.moves(arguments.need("moves")?, MadeBy::Rules)?;
                Ok(self.node(Op::CanMove, 0, &[moves]))
            }
            "is" => self.is(arguments),
            "was" => Err(Unknown::at(call, "`(was Pass)` is not supported")),
            _ => Err(Unknown::at(
                call,
                format!("the condition `{name}` is not supported"),
            )),
        }
    }

    fn comparison(&mut self, arguments: &mut Arguments<'_>, name: &str) -> CompileResult<NodeId> {
        let one = arguments.need("a number")?;
        let other = arguments.need("a number")?;
        let is_number = |node: &Node| self.is_number(node) || node.word().is_some();
        if matches!(name, "=" | "!=") && !(is_number(one) && is_number(other)) {
            let (one, other) = (self.sites(one)?, self.sites(other)?);
            let same = self.node(Op::SameSites, 0, &[one, other]);
            return Ok(match name {
                "=" => same,
                _ => self.node(Op::Not, 0, &[same]),
            });
        }
        let (one, other) = (self.number(one)?, self.number(other)?);
        Ok(match name {
            "=" => self.node(Op::Equal, 0, &[one, other]),
            "!=" => self.node(Op::Unequal, 0, &[one, other]),
            "<" => self.node(Op::Less, 0, &[one, other]),
            "<=" => self.node(Op::AtMost, 0, &[one, other]),
            ">" => self.node(Op::Less, 0, &[other, one]),
            _ => self.node(Op::AtMost, 0, &[other, one]),
        })
    }

    fn all(&mut self, arguments: &mut Arguments<'_>) -> CompileResult<NodeId> {
        let call = arguments.call;
        match arguments.word_of(&["Sites", "Passed", "Groups"]) {
            Some("Sites") => {
                let sites = self.sites(arguments.need("a region")?)?;
                let truth = self.truth(arguments.need_named("if")?)?;
                Ok(self.node(Op::AllSites, 0, &[sites, truth]))
            }
            Some("Passed") => Ok(self.node(Op::AllPassed, 0, &[])),
            _ => Err(Unknown::at(
                call,
                "this kind of `all` is not supported: write `(all Sites ...)` or `(all Passed)`",
            )),
        }
    }

    fn no(&mut self, arguments: &mut Arguments<'_>) -> CompileResult<NodeId> {
        let call = arguments.call;
        match arguments.word_of(&["Moves", "Pieces"]) {
            Some("Moves") => {
                let role = arguments.need("a player")?;
                if role.word() == Some("Next") {
                    return Ok(self.node(Op::NoMoves, 0, &[]));
                }
                let who = self.role(role)?;
                Ok(self.node(Op::IsStuck, 0, &[who]))
            }
            Some("Pieces") => {
                let pieces = self.number_of_pieces(arguments)?;
                let none = self.constant(0);
                Ok(self.node(Op::Equal, 0, &[pieces, none]))
            }
            _ => Err(Unknown::at(
                call,
                "this kind of `no` is not supported: write `(no Moves ...)` or `(no Pieces ...)`",
            )),
        }
    }

    fn is(&mut self, arguments: &mut Arguments<'_>) -> CompileResult<NodeId> {
        let call = arguments.call;
        let what = arguments.next().and_then(Node::word).unwrap_or("");
        match what {
            "Empty" | "Occupied" => self.is_occupied(arguments, what),
            "In" => self.is_in(arguments),
            "Enemy" | "Friend" | "Mover" | "Next" | "Prev" | "Active" => {
                self.is_player(arguments, what)
            }
            "Line" => self.line(arguments),
            "Pattern" => self.pattern(arguments),
            "Connected" => self.connected(arguments),
            "Loop" => self.is_loop(arguments),
            "Full" => Ok(self.node(Op::IsFull, 0, &[])),
            "Even" | "Odd" => self.parity(arguments, what),
            "Pending" => Ok(self.node(Op::IsPending, 0, &[])),
            "Cycle" | "Repeat" => Err(Unknown::at(
                call,
                "repetition as a condition is not supported",
            )),
            "Visited" => self.is_visited(arguments),
            "Triggered" => self.is_triggered(arguments),
            "Threatened" => self.threatened(arguments),
            "Flat" => self.flat(arguments),
            "Target" => self.target(arguments),
            "Within" => self.is_within(arguments),
            "Related" => self.is_related(arguments),
            _ => Err(Unknown::at(call, format!("`is {what}` is not supported"))),
        }
    }

    /// `(is Empty SITE)` and `(is Occupied SITE)`.
    fn is_occupied(&mut self, arguments: &mut Arguments<'_>, what: &str) -> CompileResult<NodeId> {
        self.site_type(arguments)?;
        let at = self.number(arguments.need("a site")?)?;
        let op = if what == "Empty" {
            Op::IsEmpty
        } else {
            Op::IsOccupied
        };
        Ok(self.node(op, 0, &[at]))
    }

    /// `(is Enemy PLAYER)` and its kin.
    fn is_player(&mut self, arguments: &mut Arguments<'_>, what: &str) -> CompileResult<NodeId> {
        let who = self.role(arguments.need("a player")?)?;
        Ok(match what {
            "Enemy" => self.node(Op::IsEnemy, 0, &[who]),
            "Active" => self.node(Op::IsActive, 0, &[who]),
            _ => {
                let op = match what {
                    "Next" => Op::Next,
                    "Prev" => Op::Previous,
                    _ => Op::Mover,
                };
                let other = self.node(op, 0, &[]);
                self.node(Op::Equal, 0, &[who, other])
            }
        })
    }

    fn is_loop(&mut self, arguments: &mut Arguments<'_>) -> CompileResult<NodeId> {
        if arguments.peek().is_some() {
            return Err(Unknown::at(
                arguments.call,
                "this kind of loop is not supported",
            ));
        }
        let near = self.relation(Direction::Adjacent);
        let ways = self.relation(Direction::Orthogonal);
        let last = self.node(Op::LastTo, 0, &[]);
        let outer = self.sites.region(NamedRegion::Outer).to_vec();
        let outer = self.program.set(outer);
        Ok(self.node(Op::IsLoop, 0, &[near, ways, last, outer]))
    }

    /// `(is Even NUMBER)` and `(is Odd NUMBER)`.
    fn parity(&mut self, arguments: &mut Arguments<'_>, what: &str) -> CompileResult<NodeId> {
        let number = self.number(arguments.need("a number")?)?;
        let two = self.constant(2);
        let rest = self.node(Op::Modulo, 0, &[number, two]);
        let zero = self.constant(0);
        let even = self.node(Op::Equal, 0, &[rest, zero]);
        Ok(match what {
            "Even" => even,
            _ => self.node(Op::Not, 0, &[even]),
        })
    }

    fn is_visited(&mut self, arguments: &mut Arguments<'_>) -> CompileResult<NodeId> {
        self.program.flags |= firmware_core::cartridge::bytes::flag::VISITS;
        let at = self.number(arguments.need("a site")?)?;
        Ok(self.node(Op::IsVisited, 0, &[at]))
    }

    fn is_triggered(&mut self, arguments: &mut Arguments<'_>) -> CompileResult<NodeId> {
        let name = arguments.need("the name of an event")?;
        let name = name.text().unwrap_or("");
        let event = Self::place_of(&mut self.events, name);
        let who = self.role(arguments.need("a player")?)?;
        Ok(self.node(Op::IsTriggered, 0, &[event as u16, who]))
    }

    /// `(is Within PIECE at:SITE)`: whether such a piece stands there.
    fn is_within(&mut self, arguments: &mut Arguments<'_>) -> CompileResult<NodeId> {
        let piece = self.number(arguments.need("a piece")?)?;
        self.site_type(arguments)?;
        let sites = match arguments.named("at") {
            Some(node) => {
                let at = self.number(node)?;
                self.node(Op::One, 0, &[at])
            }
            None => self.sites(arguments.need_named("in")?)?,
        };
        let stands = self.node(Op::WithNumber, 0, &[piece]);
        let both = self.intersection(vec![stands, sites]);
        let many = self.node(Op::Size, 0, &[both]);
        let none = self.constant(0);
        Ok(self.node(Op::Less, 0, &[none, many]))
    }

    fn is_related(&mut self, arguments: &mut Arguments<'_>) -> CompileResult<NodeId> {
        let ways = self.directions(arguments.next(), Direction::Adjacent)?;
        self.site_type(arguments)?;
        let from = self.number(arguments.need("a site")?)?;
        let to = arguments.need("sites")?;
        let to = self.sites(to)?;
        Ok(self.node(Op::IsRelated, 0, &[ways, from, to]))
    }

    fn is_in(&mut self, arguments: &mut Arguments<'_>) -> CompileResult<NodeId> {
        let first = arguments.need("a site")?;
        let second = arguments.need("a region")?;
        if self.is_number(second) {
            let (one, other) = (self.number(first)?, self.number(second)?);
            return Ok(self.node(Op::Equal, 0, &[one, other]));
        }
        let sites = self.sites(second)?;
        if self.is_number(first) {
            let site = self.number(first)?;
            return Ok(self.node(Op::IsIn, 0, &[site, sites]));
        }
        let all = self.sites(first)?;
        let outside = self.node(Op::Difference, 0, &[all, sites]);
        let many = self.node(Op::Size, 0, &[outside]);
        let none = self.constant(0);
        let inside = self.node(Op::Equal, 0, &[many, none]);
        let some = self.node(Op::Size, 0, &[all]);
        let some = self.node(Op::Less, 0, &[none, some]);
        Ok(self.program.each(Op::And, &[], &[some, inside]))
    }

    fn line(&mut self, arguments: &mut Arguments<'_>) -> CompileResult<NodeId> {
        let call = arguments.call;
        self.site_type(arguments)?;
        let length = arguments.need("the length of the line")?;
        let length = self.number(length)?;
        let relation = arguments.next_direction();
        let ways = self.lines(relation, call)?;
        let role = arguments.next();
        let mut extra = kind_of_line(arguments);
        if let Some(top) = arguments.named("top") {
            return Err(Unknown::at(
                top,
                "lines of what is on top are not supported",
            ));
        }
        let through = arguments.named("through");
        let any = arguments.named("throughAny");
        let condition = arguments.named("if");
        let what = arguments.named("what");
        let whats = arguments.named("whats");
        let counted = self.counted_in_line(role, what.into_iter().chain(whats))?;
        if let Some(direction) = relation.and_then(Node::word)
            && let Ok(direction) = direction.parse::<Direction>()
            && direction.is_specific()
        {
            extra |= line::THIS_WAY;
        }
        let condition = self.optional(condition, Self::truth)?;
        let condition = Self::maybe(condition);
        if let Some(any) = any {
            let sites = self.sites(any)?;
            return Ok(self.node(
                Op::IsLineAny,
                extra,
                &[ways, sites, length, counted, condition],
            ));
        }
        let through = self.site_or_last(through)?;
        Ok(self.node(
            Op::IsLine,
            extra,
            &[ways, through, length, counted, condition],
        ))
    }

    /// The pieces that count in a line: those of a player, and those that are named.
    fn counted_in_line<'n>(
        &mut self,
        role: Option<&Node>,
        named: impl Iterator<Item = &'n Node>,
    ) -> CompileResult<NodeId> {
        let mut counted = Vec::new();
        if let Some(role) = role {
            let who = self.player(role)?;
            counted.push(self.node(Op::OccupiedBy, 0, &[who]));
        }
        for node in named.flat_map(Node::elements) {
            let piece = self.number(node)?;
            counted.push(self.node(Op::WithNumber, 0, &[piece]));
        }
        Ok(match counted[..] {
            [] => NOTHING,
            [one] => one,
            _ => self.program.each(Op::Union, &[], &counted),
        })
    }

    fn pattern(&mut self, arguments: &mut Arguments<'_>) -> CompileResult<NodeId> {
        let walk = arguments.need("a walk")?;
        let steps: Option<Vec<i16>> = walk
            .elements()
            .iter()
            .map(|step| match step.word() {
                Some("F") => Some(0),
                Some("R") => Some(1),
                Some("L") => Some(2),
                _ => None,
            })
            .collect();
        let steps = steps.ok_or_else(|| Unknown::at(walk, "a walk is of F, R and L"))?;
        self.site_type(arguments)?;
        let from = self.site_or_last(arguments.named("from"))?;
        if let Some(what) = arguments.named("what").or_else(|| arguments.named("whats")) {
            return Err(Unknown::at(
                what,
                "patterns of named pieces are not supported",
            ));
        }
        let (around, extra) = self.directions_around();
        let walk = self.program.table(steps);
        Ok(self.node(Op::IsPattern, extra, &[from, walk, around]))
    }

    /// The directions through which a pattern turns, as a table of ways. If the steps of a
    /// direction do not form one way, as a table of each site's next site.
    fn directions_around(&mut self) -> (u16, u8) {
        let directions = self.sites.directions(Direction::Orthogonal);
        let board = self.sites.len();
        let mut ways = Vec::new();
        let mut next = Vec::new();
        for direction in &directions {
            let row = (0..board).map(|site| self.sites.next(site, *direction).last());
            let row: Vec<Option<usize>> = row.collect();
            let way = self.ways.next.iter().position(|way| {
                let leads = |site: usize| Some(way[site]).filter(|to| *to != site);
                (0..board).all(|site| leads(site) == row[site])
            });
            ways.push(way);
            next.extend(row.into_iter().map(|to| to.map_or(-1, |to| to as i16)));
        }
        let ways: Option<Vec<i16>> = ways.into_iter().map(|way| Some(way? as i16)).collect();
        match ways {
            Some(ways) => (self.program.table(ways), 0),
            None => (self.program.table(next), bit::NEXT_SITES),
        }
    }

    fn connected(&mut self, arguments: &mut Arguments<'_>) -> CompileResult<NodeId> {
        let call = arguments.call;
        let number = arguments.next_if(|node| matches!(node.kind, Kind::Number(_)));
        self.site_type(arguments)?;
        let relation = arguments.next_direction();
        let ways = self.directions(relation, Direction::Adjacent)?;
        let at = self.site_or_last(arguments.named("at"))?;
        let what = arguments.need("what is to be connected")?;
        let many = self.number_or(number, |compiler| compiler.constant(0))?;
        let mut parts = Vec::new();
        match (&what.kind, what.word()) {
            (Kind::Set(nodes), _) => {
                for node in nodes {
                    parts.push(self.sites(node)?);
                }
            }
            (_, Some("Corners")) => {
                for site in self.sites.region(NamedRegion::Corners).to_vec() {
                    parts.push(self.program.fixed([site]));
                }
            }
            (_, Some(kind @ ("Sides" | "SidesNoCorners"))) => {
                let corners = self.sites.region(NamedRegion::Corners).to_vec();
                for (_, side) in self.sites.sides().to_vec() {
                    let no_corners = kind == "SidesNoCorners";
                    let kept = side
                        .into_iter()
                        .filter(|site| !(no_corners && corners.contains(site)));
                    parts.push(self.program.fixed(kept));
                }
            }
            (_, Some(_)) => return self.connected_of_role(what, ways, at, many),
            _ => {
                return Err(Unknown::at(
                    call,
                    "what is to be connected is not supported",
                ));
            }
        }
        Ok(self
            .program
            .each(Op::IsConnected, &[ways, at, many], &parts))
    }

    /// The regions of a player, or each player's, are connected.
    fn connected_of_role(
        &mut self,
        role: &Node,
        ways: NodeId,
        at: NodeId,
        many: NodeId,
    ) -> CompileResult<NodeId> {
        let who = self.role(role)?;
        let owner = self.node(Op::Who, 0, &[at]);
        let own = self.node(Op::Equal, 0, &[owner, who]);
        let mut any = Vec::new();
        for player in 1..=self.players {
            let regions = self
                .regions
                .iter()
                .filter(|region| region.owner == Some(player));
            let parts: Vec<NodeId> = regions.flat_map(|region| region.parts.clone()).collect();
            if parts.is_empty() {
                continue;
            }
            for sites in parts.iter().filter_map(|part| self.program.fixed_of(*part)) {
                let join = (player, sites);
                if !self.joins.contains(&join) {
                    self.joins.push(join);
                }
            }
            let connected = self
                .program
                .each(Op::IsConnected, &[ways, at, many], &parts);
            let number = self.constant(player.into());
            let is = self.node(Op::Equal, 0, &[who, number]);
            any.push(self.program.each(Op::And, &[], &[is, own, connected]));
        }
        Ok(self.program.each(Op::Or, &[], &any))
    }

    fn threatened(&mut self, arguments: &mut Arguments<'_>) -> CompileResult<NodeId> {
        let what = arguments.next_if(|node| matches!(node.head(), Some("id" | "what")));
        self.site_type(arguments)?;
        let at = arguments.named("at");
        let within = arguments.named("in");
        let own = arguments.next();
        if self.in_sight {
            return Ok(self.node(Op::False, 0, &[]));
        }
        let piece = self.number_or_nothing(what)?;
        let sites = match (at, within) {
            (Some(node), _) => {
                let at = self.number(node)?;
                self.node(Op::One, 0, &[at])
            }
            (_, Some(node)) => self.sites(node)?,
            _ if piece != NOTHING => self.node(Op::WithNumber, 0, &[piece]),
            _ => {
                let all = self.constant(-1);
                self.node(Op::OccupiedBy, 0, &[all])
            }
        };
        let own = match own {
            Some(node) => {
                self.in_sight = true;
                let moves = self.moves(node, MadeBy::Rules);
                self.in_sight = false;
                moves?
            }
            None => NOTHING,
        };
        Ok(self.node(Op::IsThreatened, 0, &[piece, sites, own]))
    }

    /// Compiles `count Pieces` from the arguments that follow these words.
    pub(super) fn number_of_pieces(
        &mut self,
        arguments: &mut Arguments<'_>,
    ) -> CompileResult<NodeId> {
        self.count_pieces(arguments)
    }
}

/// The bits of a line's `extra` that its named arguments switch on.
fn kind_of_line(arguments: &mut Arguments<'_>) -> u8 {
    let mut extra = 0;
    for (name, bit, when) in [
        ("exact", line::EXACT, "True"),
        ("useOpposites", line::ONE_WAY, "False"),
        ("contiguous", line::GAPS, "False"),
        ("byLevel", line::LEVELS, "True"),
    ] {
        if let Some(node) = arguments.named(name)
            && node.word() == Some(when)
        {
            extra |= bit;
        }
    }
    extra
}
