//! Compiles counts of sites, pieces, moves and groups.

use std::collections::BTreeSet;

use firmware_core::cartridge::op::{NotedSite, Op};

use crate::compile::arguments::{Arguments, CompileResult, Unknown};
use crate::compile::{Compiler, NodeId};
use crate::layout::{Direction, Sites};
use crate::tree::Node;

/// What a text can ask for, known here or not.
const COUNTS: [&str; 17] = [
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

impl Compiler {
    /// Compiles the size of something.
    pub(in crate::compile) fn size(
        &mut self,
        arguments: &mut Arguments<'_>,
    ) -> CompileResult<NodeId> {
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
            _ => Err(Unknown::at(call, "this size is not supported")),
        }
    }

    /// Compiles a number of things.
    pub(in crate::compile) fn count(
        &mut self,
        arguments: &mut Arguments<'_>,
    ) -> CompileResult<NodeId> {
        let call = arguments.call;
        let what = arguments.word_of(&COUNTS);
        match what {
            Some("Sites") => self.count_sites(arguments),
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
            Some("Steps") => self.count_steps(arguments),
            Some("Groups") => self.count_groups(arguments),
            Some("Liberties") => self.count_liberties(arguments),
            None => self.count_on_sites(arguments),
            _ => Err(Unknown::at(call, "this count is not supported")),
        }
    }

    fn count_sites(&mut self, arguments: &mut Arguments<'_>) -> CompileResult<NodeId> {
        let sites = arguments.named("in");
        let sites = match sites {
            Some(sites) => self.sites(sites)?,
            None => self.sites(arguments.need("a region")?)?,
        };
        Ok(self.node(Op::Size, 0, &[sites]))
    }

    fn count_steps(&mut self, arguments: &mut Arguments<'_>) -> CompileResult<NodeId> {
        self.site_type(arguments)?;
        let relation = arguments.next_direction();
        let ways = self.directions(relation, Direction::Adjacent)?;
        let from = self.number(arguments.need("a site")?)?;
        let to = self.number(arguments.need("a site")?)?;
        Ok(self.node(Op::Distance, 0, &[ways, from, to]))
    }

    fn count_groups(&mut self, arguments: &mut Arguments<'_>) -> CompileResult<NodeId> {
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
        let truth = self.program.everywhere(truth, NotedSite::To);
        let least = self.optional(least, Self::number)?;
        Ok(self.node(Op::Groups, 0, &[ways, truth, Self::maybe(least)]))
    }

    fn count_liberties(&mut self, arguments: &mut Arguments<'_>) -> CompileResult<NodeId> {
        self.site_type(arguments)?;
        let at = self.site_or_last(arguments.named("at"))?;
        let ways = self.directions(arguments.next(), Direction::Adjacent)?;
        Ok(self.node(Op::Liberties, 0, &[ways, at]))
    }

    /// `(count at:SITE)`, `(count in:REGION)`: the pieces there, of any kind.
    fn count_on_sites(&mut self, arguments: &mut Arguments<'_>) -> CompileResult<NodeId> {
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

    /// The number of pieces with a role or name, in a region, under a condition.
    pub(in crate::compile) fn count_pieces(
        &mut self,
        arguments: &mut Arguments<'_>,
    ) -> CompileResult<NodeId> {
        self.site_type(arguments)?;
        let role = arguments.next_if(|node| {
            node.word().is_some() || (node.head().is_some() && node.text().is_none())
        });
        let name = arguments.next_if(|node| node.text().is_some());
        let within = arguments.named("in");
        let condition = arguments.named("if");
        let mut parts = Vec::new();
        match role.and_then(Node::word) {
            None | Some("All" | "Each") if role.is_none_or(|role| role.word().is_some()) => {
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
            let kind = name.text().unwrap_or("");
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

    /// The number of rows or columns in the lowest layer.
    fn on_ground(&self, of: fn(&Sites, usize) -> usize) -> i64 {
        let ground = (0..self.sites.len()).filter(|site| self.sites.layer(*site) == 0);
        let all: BTreeSet<usize> = ground.map(|site| of(&self.sites, site)).collect();
        all.len() as i64
    }
}
