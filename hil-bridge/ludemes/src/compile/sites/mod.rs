//! Regions of the language: the operation of each construct.
//!
//! Regions relative to other sites are in `near` and `distance`, regions by owner or
//! pieces in `owned`.

mod distance;
mod near;
mod owned;

use firmware_core::cartridge::op::{Op, bit, sight};

use crate::compile::arguments::{Arguments, CompileResult, Unknown};
use crate::compile::moves::MadeBy;
use crate::compile::{Compiler, NodeId};
use crate::layout::{Direction, NamedRegion};
use crate::tree::{Kind, Node};

/// Named parts of a board.
const PARTS: [(&str, NamedRegion); 13] = [
    ("Top", NamedRegion::Top),
    ("Bottom", NamedRegion::Bottom),
    ("Left", NamedRegion::Left),
    ("Right", NamedRegion::Right),
    ("Outer", NamedRegion::Outer),
    ("Perimeter", NamedRegion::Perimeter),
    ("Inner", NamedRegion::Inner),
    ("Centre", NamedRegion::Centre),
    ("Corners", NamedRegion::Corners),
    ("ConvexCorners", NamedRegion::ConvexCorners),
    ("ConcaveCorners", NamedRegion::ConcaveCorners),
    ("Major", NamedRegion::Major),
    ("Minor", NamedRegion::Minor),
];

impl Compiler {
    /// Compiles a region; a number is a region of one site.
    pub(in crate::compile) fn sites(&mut self, node: &Node) -> CompileResult<NodeId> {
        match &node.kind {
            Kind::Set(nodes) => {
                let mut parts = Vec::new();
                for node in nodes {
                    parts.push(self.sites(node)?);
                }
                Ok(self.union(parts))
            }
            _ if self.is_number(node) => {
                let number = self.number(node)?;
                Ok(self.one(number))
            }
            Kind::Call(_) => {
                let mut arguments = Arguments::of(node)?;
                let sites = self.sites_of(&mut arguments, node.head().unwrap_or(""))?;
                arguments.finish()?;
                Ok(sites)
            }
            _ => Err(Unknown::at(node, "a region is expected here")),
        }
    }

    /// The region that consists of this site.
    pub(in crate::compile) fn one(&mut self, number: NodeId) -> NodeId {
        match self.program.constant_of(number) {
            Some(site) if site >= 0 && (site as usize) < self.program.sites => {
                self.program.fixed([site as usize])
            }
            _ => self.node(Op::One, 0, &[number]),
        }
    }

    /// The union of all parts.
    pub(super) fn union(&mut self, parts: Vec<NodeId>) -> NodeId {
        let fixed: Option<Vec<Vec<usize>>> = parts
            .iter()
            .map(|part| self.program.fixed_of(*part))
            .collect();
        if let Some(fixed) = fixed {
            return self.program.fixed(fixed.into_iter().flatten());
        }
        match parts[..] {
            [one] => one,
            _ => self.program.each(Op::Union, &[], &parts),
        }
    }

    pub(super) fn sites_of(
        &mut self,
        arguments: &mut Arguments<'_>,
        name: &str,
    ) -> CompileResult<NodeId> {
        let call = arguments.call;
        match name {
            "union" | "intersection" => self.union_or_intersection(arguments, name),
            "difference" => self.difference(arguments),
            "expand" => self.expand(arguments),
            "if" => self.chosen_sites(arguments),
            "forEach" => self.filtered(arguments),
            "sites" => self.named_sites(arguments),
            "values" => self.remembered(arguments),
            _ => Err(Unknown::at(
                call,
                format!("the region `{name}` is not supported"),
            )),
        }
    }

    /// `(union ...)` and `(intersection ...)`: the parts may stand in a set.
    fn union_or_intersection(
        &mut self,
        arguments: &mut Arguments<'_>,
        name: &str,
    ) -> CompileResult<NodeId> {
        let mut parts = Vec::new();
        while let Some(node) = arguments.next() {
            if let Kind::Set(nodes) = &node.kind {
                for node in nodes {
                    parts.push(self.sites(node)?);
                }
            } else {
                parts.push(self.sites(node)?);
            }
        }
        if name == "union" {
            return Ok(self.union(parts));
        }
        let fixed: Option<Vec<Vec<usize>>> = parts
            .iter()
            .map(|part| self.program.fixed_of(*part))
            .collect();
        if let Some(fixed) = fixed {
            let mut all = fixed.into_iter();
            let first = all.next().unwrap_or_default();
            let rest: Vec<Vec<usize>> = all.collect();
            let both = first
                .into_iter()
                .filter(|site| rest.iter().all(|set| set.contains(site)));
            return Ok(self.program.fixed(both));
        }
        Ok(self.intersection(parts))
    }

    fn difference(&mut self, arguments: &mut Arguments<'_>) -> CompileResult<NodeId> {
        let one = self.sites(arguments.need("a region")?)?;
        let other = self.sites(arguments.need("a region")?)?;
        let fixed = (self.program.fixed_of(one), self.program.fixed_of(other));
        if let (Some(one), Some(other)) = fixed {
            let left = one.into_iter().filter(|site| !other.contains(site));
            return Ok(self.program.fixed(left));
        }
        Ok(self.node(Op::Difference, 0, &[one, other]))
    }

    /// `(if CONDITION REGION REGION)`: the second region may be absent.
    fn chosen_sites(&mut self, arguments: &mut Arguments<'_>) -> CompileResult<NodeId> {
        let truth = self.truth(arguments.need("a condition")?)?;
        let one = self.sites(arguments.need("a region")?)?;
        let other = match arguments.next() {
            Some(node) => self.sites(node)?,
            None => self.program.fixed([]),
        };
        Ok(self.node(Op::IfSites, 0, &[truth, one, other]))
    }

    /// `(forEach REGION if:CONDITION)`: the sites on which a condition holds.
    fn filtered(&mut self, arguments: &mut Arguments<'_>) -> CompileResult<NodeId> {
        if let Some(node) = arguments.next_if(|node| node.word().is_some()) {
            return Err(Unknown::at(node, "this loop over regions is not supported"));
        }
        let sites = self.sites(arguments.need("a region")?)?;
        let truth = self.truth(arguments.need_named("if")?)?;
        Ok(self.node(Op::Filter, 0, &[sites, truth]))
    }

    /// `(values Remembered NAME)`.
    fn remembered(&mut self, arguments: &mut Arguments<'_>) -> CompileResult<NodeId> {
        let call = arguments.call;
        if arguments.word_of(&["Remembered"]).is_none() {
            return Err(Unknown::at(call, "only remembered values are supported"));
        }
        let name = arguments.next().and_then(Node::text);
        let name = self.memory(call, name)?;
        Ok(self.node(Op::Remembered, 0, &[name]))
    }

    pub(super) fn named_sites(&mut self, arguments: &mut Arguments<'_>) -> CompileResult<NodeId> {
        let call = arguments.call;
        let Some(first) = arguments.next() else {
            return Ok(self.board());
        };
        if let Kind::Set(nodes) = &first.kind {
            return self.listed(first, nodes);
        }
        if let Some(name) = first.text() {
            return self.region_named(first, name, None);
        }
        let Some(kind) = first.word() else {
            return match first.head() {
                Some("player") => self.region_of_player(arguments, first),
                _ => self.sites(first),
            };
        };
        if let Some((_, part)) = PARTS.iter().find(|(name, _)| *name == kind) {
            self.site_type(arguments)?;
            let sites = self.sites.region(*part).to_vec();
            return Ok(self.program.fixed(sites));
        }
        match kind {
            "Board" => {
                self.site_type(arguments)?;
                Ok(self.board())
            }
            "Empty" => {
                self.site_type(arguments)?;
                Ok(self.node(Op::Empty, 0, &[]))
            }
            "ToClear" => Ok(self.node(Op::ToRemove, 0, &[])),
            "Pending" => Ok(self.node(Op::PendingSites, 0, &[])),
            "Occupied" => self.occupied(arguments),
            "Hand" => {
                let role = arguments.need("a player")?;
                self.hand(role)
            }
            "Row" | "Column" | "Phase" | "Layer" => self.numbered(arguments, kind),
            "Side" => self.side(arguments),
            "Around" => self.around(arguments),
            "Distance" => self.distance(arguments),
            "Direction" => self.along(arguments),
            "Between" => self.amid(arguments),
            "State" => self.with_state(arguments),
            "Group" => self.group(arguments),
            "From" | "To" => self.reached(arguments, kind),
            "LineOfSight" => self.in_sight_of(arguments),
            "Start" => self.started(arguments),
            "Track" => self.track_sites(arguments),
            "Mover" | "Next" | "Player" | "Prev" => self.region_of_player(arguments, first),
            _ if self.player_of(kind).is_some() => self.region_of_player(arguments, first),
            _ => Err(Unknown::at(
                call,
                format!("`sites {kind}` is not supported"),
            )),
        }
    }

    /// `(sites {...})`: the sites of a list.
    fn listed(&mut self, set: &Node, nodes: &[Node]) -> CompileResult<NodeId> {
        let is_walk = nodes
            .iter()
            .any(|node| matches!(node.kind, Kind::Set(_)) || node.word().is_some());
        if is_walk {
            return Err(Unknown::at(set, "sites by walks are not supported"));
        }
        let mut parts = Vec::new();
        for node in nodes {
            parts.push(self.sites(node)?);
        }
        Ok(self.union(parts))
    }

    /// `(sites Mover NAME)`: the region of a player; it may have no name.
    fn region_of_player(
        &mut self,
        arguments: &mut Arguments<'_>,
        player: &Node,
    ) -> CompileResult<NodeId> {
        let name = arguments.next_if(|node| node.text().is_some());
        self.region_named(
            player,
            name.and_then(Node::text).unwrap_or(""),
            Some(player),
        )
    }

    /// `(sites Row NUMBER)`: the sites of a row, column, phase or layer.
    fn numbered(&mut self, arguments: &mut Arguments<'_>, kind: &str) -> CompileResult<NodeId> {
        self.site_type(arguments)?;
        let index = self.number(arguments.need("a number")?)?;
        let sets = match kind {
            "Row" => self.sites.rows(),
            "Column" => self.sites.columns(),
            "Layer" => self.sites.layers(),
            _ => self.sites.phases(),
        };
        self.chosen(sets, index)
    }

    /// `(sites Between from:SITE to:SITE)`.
    fn amid(&mut self, arguments: &mut Arguments<'_>) -> CompileResult<NodeId> {
        let ways =
            arguments.next_if(|node| node.word().is_some() || node.head() == Some("directions"));
        let ways = self.directions(ways, Direction::Adjacent)?;
        self.site_type(arguments)?;
        let from = self.number(arguments.need_named("from")?)?;
        let to = self.number(arguments.need_named("to")?)?;
        if let Some(node) = arguments
            .named("fromIncluded")
            .or(arguments.named("toIncluded"))
        {
            return Err(Unknown::at(
                node,
                "this part of what lies between is not supported",
            ));
        }
        Ok(self.node(Op::Amid, 0, &[ways, from, to]))
    }

    fn with_state(&mut self, arguments: &mut Arguments<'_>) -> CompileResult<NodeId> {
        self.site_type(arguments)?;
        let state = self.number(arguments.need("a state")?)?;
        Ok(self.node(Op::WithState, 0, &[state]))
    }

    /// `(sites Group at:SITE if:CONDITION)`.
    fn group(&mut self, arguments: &mut Arguments<'_>) -> CompileResult<NodeId> {
        self.site_type(arguments)?;
        let at = self.number(arguments.need_named("at")?)?;
        let condition = arguments.named("if");
        let ways = self.directions(arguments.next(), Direction::Adjacent)?;
        let condition = self.optional(condition, Self::truth)?;
        Ok(self.node(Op::Group, 0, &[ways, at, Self::maybe(condition)]))
    }

    /// `(sites From MOVES)` and `(sites To MOVES)`: where moves start or end.
    fn reached(&mut self, arguments: &mut Arguments<'_>, kind: &str) -> CompileResult<NodeId> {
        let moves = self.moves(arguments.need("moves")?, MadeBy::Rules)?;
        let extra = u8::from(kind == "From") * bit::STARTS;
        Ok(self.node(Op::Reached, extra, &[moves]))
    }

    /// `(sites LineOfSight at:SITE)`: what is seen from a site along lines.
    fn in_sight_of(&mut self, arguments: &mut Arguments<'_>) -> CompileResult<NodeId> {
        let what = arguments.word_of(&["Piece", "Empty", "Farthest"]);
        let extra = match what {
            Some("Empty") => sight::EMPTY,
            Some("Farthest") => sight::FARTHEST,
            _ => sight::PIECES,
        };
        self.site_type(arguments)?;
        let at = self.site_or_last(arguments.named("at"))?;
        let ways = self.directions(arguments.next(), Direction::Adjacent)?;
        Ok(self.node(Op::Sight, extra, &[ways, at]))
    }
}
