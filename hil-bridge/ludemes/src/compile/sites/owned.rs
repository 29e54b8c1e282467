//! Regions by owner, and by the pieces on them.

use firmware_core::cartridge::op::Op;

use crate::compile::arguments::{Arguments, CompileResult, Unknown};
use crate::compile::{Compiler, NodeId};
use crate::layout::SiteType;
use crate::tree::Node;

impl Compiler {
    /// One of several sets, chosen by a number.
    pub(in crate::compile) fn chosen(
        &mut self,
        sets: Vec<Vec<usize>>,
        index: NodeId,
    ) -> CompileResult<NodeId> {
        if let Some(index) = self.program.constant_of(index) {
            let set = usize::try_from(index)
                .ok()
                .and_then(|index| sets.get(index));
            return Ok(self.program.fixed(set.cloned().unwrap_or_default()));
        }
        let many = sets.len() as u16;
        let sets = sets
            .into_iter()
            .map(|mut set| {
                set.sort_unstable();
                set
            })
            .collect();
        let first = self.program.sets_in_order(sets);
        Ok(self.node(Op::Choose, 0, &[first, many, index]))
    }

    pub(super) fn hand(&mut self, role: &Node) -> CompileResult<NodeId> {
        let sets: Vec<Vec<usize>> = std::iter::once(Vec::new())
            .chain(self.hands.iter().cloned())
            .collect();
        let who = self.role(role)?;
        self.chosen(sets, who)
    }

    /// The sites on which a piece starts.
    pub(super) fn started(&mut self, arguments: &mut Arguments<'_>) -> CompileResult<NodeId> {
        let piece = arguments.need("a piece")?;
        let mut inner = Arguments::of(piece)?;
        let name = inner.need("a piece")?;
        let role = inner.next();
        inner.finish()?;
        let piece = self.piece_of(name, role)?;
        let sets = (0..self.program.pieces.len() as u8)
            .map(|piece| self.started.get(&piece).cloned().unwrap_or_default());
        let sets = sets.collect();
        self.chosen(sets, piece)
    }

    /// The sites of pieces of the mover's enemies.
    pub(super) fn enemies(&mut self) -> CompileResult<NodeId> {
        let mut parts = Vec::new();
        for player in 1..=self.players {
            let player = self.constant(player.into());
            parts.push(self.node(Op::OccupiedBy, 0, &[player]));
        }
        let all = self.program.each(Op::Union, &[], &parts);
        let mover = self.node(Op::Mover, 0, &[]);
        let mine = self.node(Op::OccupiedBy, 0, &[mover]);
        Ok(self.node(Op::Difference, 0, &[all, mine]))
    }

    pub(super) fn occupied(&mut self, arguments: &mut Arguments<'_>) -> CompileResult<NodeId> {
        let by = arguments.need_named("by")?;
        let container = arguments.named("container");
        let component = arguments.named("component");
        let components = arguments.named("components");
        arguments.named("top");
        let on = arguments.named("on");
        if let Some(on) = on.filter(|on| on.word() != Some(self.name_of_sites())) {
            return Err(Unknown::at(
                on,
                "only what stands on the board's sites is supported",
            ));
        }
        let mut parts = vec![self.occupied_by(by)?];
        let named: Vec<&Node> = component
            .into_iter()
            .chain(components)
            .flat_map(Node::elements)
            .collect();
        if !named.is_empty() {
            parts.push(self.standing_there(named)?);
        }
        match container {
            Some(node) if node.text() == Some("Board") => {
                let board = self.board();
                parts.push(board);
            }
            Some(node) if node.text().is_some() => {
                return Err(Unknown::at(node, "this container is not supported"));
            }
            Some(node) => parts.push(self.hand(node)?),
            None => {}
        }
        Ok(self.intersection(parts))
    }

    /// The sites with pieces of a player, or of several.
    fn occupied_by(&mut self, by: &Node) -> CompileResult<NodeId> {
        Ok(match by.word() {
            Some("All") => {
                let all = self.constant(-1);
                self.node(Op::OccupiedBy, 0, &[all])
            }
            Some("Enemy") => self.enemies()?,
            Some("Each") => {
                let mut each = Vec::new();
                for player in 1..=self.players {
                    let player = self.constant(player.into());
                    each.push(self.node(Op::OccupiedBy, 0, &[player]));
                }
                self.program.each(Op::Union, &[], &each)
            }
            Some("NonMover") => {
                let all = self.constant(-1);
                let all = self.node(Op::OccupiedBy, 0, &[all]);
                let mover = self.node(Op::Mover, 0, &[]);
                let mine = self.node(Op::OccupiedBy, 0, &[mover]);
                self.node(Op::Difference, 0, &[all, mine])
            }
            _ => {
                let who = self.role(by)?;
                self.node(Op::OccupiedBy, 0, &[who])
            }
        })
    }

    /// The sites with one of these pieces, each a name or a number.
    fn standing_there(&mut self, named: Vec<&Node>) -> CompileResult<NodeId> {
        let mut pieces = Vec::new();
        let mut table = Vec::new();
        for node in named {
            match node.text() {
                Some(name) => {
                    let found = self.pieces_named(name);
                    if found.is_empty() {
                        let what = format!("no piece is called \"{name}\"");
                        return Err(Unknown::at(node, what));
                    }
                    table.extend(found.into_iter().map(i16::from));
                }
                None => {
                    let piece = self.number(node)?;
                    pieces.push(self.node(Op::WithNumber, 0, &[piece]));
                }
            }
        }
        if !table.is_empty() {
            let table = self.program.table(table);
            pieces.push(self.node(Op::WithPiece, 0, &[table]));
        }
        Ok(self.union(pieces))
    }

    /// The word of the language for the kind of sites that the game uses.
    fn name_of_sites(&self) -> &'static str {
        match self.used {
            SiteType::Cell => "Cell",
            SiteType::Vertex => "Vertex",
            SiteType::Edge => "Edge",
        }
    }

    /// A region of the equipment, of one player or of all.
    pub(super) fn region_named(
        &mut self,
        at: &Node,
        name: &str,
        role: Option<&Node>,
    ) -> CompileResult<NodeId> {
        let unknown = || Unknown::at(at, format!("no region is called \"{name}\" here"));
        let fits = |region: &&crate::compile::Region, owner: Option<u8>| {
            region.name == name || (owner.is_some() && region.name.contains(name))
        };
        let of = |compiler: &Self, owner: Option<u8>| -> Vec<NodeId> {
            let regions = compiler.regions.iter().filter(|region| fits(region, owner));
            let regions = regions.filter(|region| owner.is_none() || region.owner == owner);
            regions.flat_map(|region| region.parts.clone()).collect()
        };
        let Some(role) = role else {
            let parts = of(self, None);
            if parts.is_empty() {
                // The name may be a coordinate.
                let number = self.number(at).map_err(|_| unknown())?;
                let site = self.program.constant_of(number).unwrap_or(0);
                return Ok(self.program.fixed([site as usize]));
            }
            return Ok(self.union(parts));
        };
        let who = self.role(role)?;
        if let Some(owner) = self.program.constant_of(who) {
            let parts = of(self, Some(owner as u8));
            return Ok(self.union(parts));
        }
        let mut each = Vec::new();
        for player in 1..=self.players {
            let parts = of(self, Some(player));
            each.push(self.union(parts));
        }
        let fixed: Option<Vec<Vec<usize>>> = each
            .iter()
            .map(|part| self.program.fixed_of(*part))
            .collect();
        if let Some(fixed) = fixed {
            let sets = std::iter::once(Vec::new()).chain(fixed).collect();
            return self.chosen(sets, who);
        }
        let mut sites = self.program.fixed([]);
        for (index, part) in each.into_iter().enumerate() {
            let player = self.constant(index as i64 + 1);
            let is = self.node(Op::Equal, 0, &[who, player]);
            sites = self.node(Op::IfSites, 0, &[is, part, sites]);
        }
        Ok(sites)
    }
}
