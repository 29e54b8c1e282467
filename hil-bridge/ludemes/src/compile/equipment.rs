//! The equipment of a game: its board, hands, pieces, regions and maps.

use firmware_core::cartridge::bytes::SITES;
use firmware_core::cartridge::op::Op;

use super::arguments::{Arguments, CompileResult, Unknown};
use super::program::Piece;
use super::{Compiler, NodeId, Region};
use crate::compile::moves::MadeBy;
use crate::layout::Direction;
use crate::tree::{Kind, Node};

/// A piece whose moves have not been compiled yet.
pub(super) struct Moving<'n> {
    /// The numbers of the pieces, one for each owner.
    pub pieces: Vec<usize>,
    /// The moves in the text.
    pub moves: &'n Node,
}

impl Compiler {
    /// Adds board, hands, pieces, regions and maps. Returns the pieces, whose moves are
    /// compiled later.
    pub(super) fn equip<'n>(&mut self, items: &[&'n Node]) -> CompileResult<Vec<Moving<'n>>> {
        for item in items {
            if item.head() == Some("hand") {
                self.add_hands(item)?;
            }
        }
        if self.program.sites > SITES {
            let what = format!("board and hands have {} sites", self.program.sites);
            return Err(Unknown::at(items[0], what));
        }
        let mut moving = Vec::new();
        for item in items {
            match item.head() {
                Some("hand") => {}
                Some("board" | "mancalaBoard") => self.add_tracks(item)?,
                Some("piece") => moving.extend(self.add_piece(item)?),
                Some("regions") => self.add_region(item)?,
                Some("map") => self.add_map(item)?,
                _ => {
                    return Err(Unknown::at(
                        item,
                        "this item of the equipment is not supported",
                    ));
                }
            }
        }
        Ok(moving)
    }

    /// Adds the hand of each player, with numbers after the sites of the board.
    pub(super) fn add_hands(&mut self, node: &Node) -> CompileResult<()> {
        let mut arguments = Arguments::of(node)?;
        let role = arguments.need("a player")?;
        let size = match arguments.named("size") {
            Some(node) => {
                let size = self.number(node)?;
                self.program.constant_of(size).unwrap_or(1) as usize
            }
            None => 1,
        };
        arguments.finish()?;
        let players: Vec<u8> = match role.word() {
            Some("Each") => (1..=self.players).collect(),
            Some(role) => self.player_of(role).into_iter().collect(),
            None => Vec::new(),
        };
        if players.is_empty()
            || players
                .iter()
                .any(|player| *player == 0 || *player > self.players)
        {
            return Err(Unknown::at(role, "a hand of this player is not supported"));
        }
        self.program.flags |= firmware_core::cartridge::bytes::flag::COUNTS;
        // The numbers of hands come after those of the board's sites and of its cells.
        if self.hands.is_empty() {
            self.program.sites = self.program.sites.max(self.cells);
        }
        for player in players {
            let first = self.program.sites;
            self.hands.resize(usize::from(self.players), Vec::new());
            self.hands[usize::from(player) - 1] = (first..first + size).collect();
            self.program.sites += size;
        }
        Ok(())
    }

    /// Adds the pieces with one name, one for each owner. Their moves are compiled later,
    /// when all pieces have numbers.
    pub(super) fn add_piece<'n>(&mut self, node: &'n Node) -> CompileResult<Option<Moving<'n>>> {
        let mut arguments = Arguments::of(node)?;
        let name = arguments.need("the name of the piece")?;
        let kind = name
            .text()
            .ok_or_else(|| Unknown::at(name, "a name in quotes is expected"))?;
        let roles = ["Each", "Neutral", "Shared", "P1", "P2", "P3", "P4"];
        let role = arguments.word_of(&roles);
        let direction = arguments.next_direction();
        let facing = direction
            .and_then(Node::word)
            .and_then(|word| word.parse::<Direction>().ok())
            .and_then(|direction| direction.sector());
        let flips = match arguments.call("flips") {
            Some(node) => {
                let mut inner = Arguments::of(node)?;
                let one = self.number(inner.need("a state")?)?;
                let other = self.number(inner.need("a state")?)?;
                let state = |node| self.program.constant_of(node).unwrap_or(0) as u8;
                [state(one), state(other)]
            }
            None => [0; 2],
        };
        if let Some(node) = arguments.named("maxState") {
            // The number of states does not affect any rule.
            let _ = node;
        }
        let moves = arguments.next_if(|node| matches!(node.kind, Kind::Call(_)));
        arguments.finish()?;
        let owners: Vec<u8> = match role {
            Some("Each") => (1..=self.players).collect(),
            Some(role) => self.player_of(role).into_iter().collect(),
            None => (1..=self.players).collect(),
        };
        if owners.is_empty() {
            return Err(Unknown::at(node, "nobody has this piece"));
        }
        let mut pieces = Vec::new();
        for owner in owners {
            pieces.push(self.program.pieces.len());
            let name = if owner > self.players {
                kind.to_owned()
            } else {
                format!("{kind}{owner}")
            };
            self.program.pieces.push(Piece {
                name,
                kind: kind.to_owned(),
                owner,
                flips,
                facing,
                moves: [None; 2],
            });
        }
        Ok(moves.map(|moves| Moving { pieces, moves }))
    }

    /// Compiles the moves of pieces, also as they count for threats.
    pub(super) fn add_moves(&mut self, moving: &Moving<'_>, column: usize) -> CompileResult<()> {
        self.in_sight = column == 1;
        self.moving.clone_from(&moving.pieces);
        let moves = self.moves(moving.moves, MadeBy::Player);
        self.moving.clear();
        self.in_sight = false;
        let moves = moves?;
        for piece in &moving.pieces {
            self.program.pieces[*piece].moves[column] = Some(moves);
        }
        Ok(())
    }

    /// Adds a region with a name, with an owner, or both.
    pub(super) fn add_region(&mut self, node: &Node) -> CompileResult<()> {
        let mut arguments = Arguments::of(node)?;
        let name = arguments.next_if(|node| node.text().is_some());
        let name = name.and_then(Node::text).unwrap_or("").to_owned();
        let role = arguments.next_if(|node| node.word().is_some());
        let owner = match role {
            Some(role) => {
                let owner = role.word().and_then(|role| self.player_of(role));
                Some(
                    owner
                        .ok_or_else(|| Unknown::at(role, "a region of this player is not known"))?,
                )
            }
            None => None,
        };
        let sites = arguments.need("its sites")?;
        let is_sites = |node: &&Node| matches!(node.kind, Kind::Number(_)) || node.text().is_some();
        let mut parts = Vec::new();
        match &sites.kind {
            Kind::Set(nodes) if !nodes.is_empty() && !nodes.iter().all(|node| is_sites(&node)) => {
                for node in nodes {
                    parts.push(self.sites(node)?);
                }
            }
            _ => parts.push(self.sites(sites)?),
        }
        arguments.finish()?;
        self.regions.push(Region { name, owner, parts });
        Ok(())
    }

    /// Adds a map from numbers to numbers.
    pub(super) fn add_map(&mut self, node: &Node) -> CompileResult<()> {
        let mut arguments = Arguments::of(node)?;
        let name = arguments.next_if(|node| node.text().is_some());
        let name = name.and_then(Node::text).unwrap_or("").to_owned();
        let first = arguments.need("pairs")?;
        let mut pairs = Vec::new();
        if let Some(values) = arguments.next() {
            let (keys, values) = (first.elements(), values.elements());
            if keys.len() != values.len() {
                return Err(Unknown::at(node, "a map has as many values as keys"));
            }
            pairs.extend(keys.iter().zip(values));
        } else {
            for pair in first.elements() {
                let mut inner = Arguments::of(pair)?;
                pairs.push((inner.need("a key")?, inner.need("a value")?));
                inner.finish()?;
            }
        }
        arguments.finish()?;
        let mut table = Vec::new();
        for (key, value) in pairs {
            let number = |compiler: &mut Self, node: &Node| -> CompileResult<i64> {
                let at = compiler.role(node)?;
                let constant = compiler.program.constant_of(at);
                constant.ok_or_else(|| Unknown::at(node, "a map is of numbers that never change"))
            };
            let place = number(self, key)?;
            let value = number(self, value)?;
            let place = usize::try_from(place);
            let place = place.map_err(|_| Unknown::at(key, "a key is a number from 0 up"))?;
            if place >= table.len() {
                table.resize(place + 1, -1);
            }
            table[place] = value as i16;
        }
        self.maps.push((name, table));
        Ok(())
    }

    /// `(place Random ...)`: places each piece on some random empty sites of a region.
    fn place_by_chance(&mut self, mut arguments: Arguments<'_>) -> CompileResult<NodeId> {
        let call = arguments.call;
        let is_names = |node: &Node| node.elements().iter().all(|name| name.text().is_some());
        let region = arguments.next_if(|node| !is_names(node));
        let names = arguments.need("the names of pieces")?;
        let count = arguments.named("count");
        let state = arguments.named("state");
        self.site_type(&mut arguments)?;
        arguments.finish()?;
        let region = match region {
            Some(region) => self.sites(region)?,
            None => self.board(),
        };
        let count = self.number_or_nothing(count)?;
        let state = self.number_or_nothing(state)?;
        let mut all = Vec::new();
        for name in names.elements() {
            let pieces = self.pieces_named(name.text().unwrap_or(""));
            let [piece] = pieces[..] else {
                return Err(Unknown::at(name, "the name of one piece is expected here"));
            };
            let piece = self.constant(piece.into());
            all.push(self.node(Op::Scatter, 0, &[piece, region, count, state]));
        }
        if all.is_empty() {
            return Err(Unknown::at(call, "the names of pieces are missing here"));
        }
        self.program.flags |= firmware_core::cartridge::bytes::flag::CHANCE;
        Ok(self.program.each(Op::Any, &[], &all))
    }

    /// The sites on which a piece is placed in the set-up.
    pub(super) fn place(&mut self, node: &Node) -> CompileResult<u16> {
        let mut arguments = Arguments::of(node)?;
        match arguments.word_of(&["Stack", "Random"]) {
            Some("Random") => return self.place_by_chance(arguments),
            Some(kind) => {
                let what = format!("`place {kind}` is not supported");
                return Err(Unknown::at(node, what));
            }
            None => {}
        }
        let name = arguments.need("a piece")?;
        let container =
            arguments.next_if(|node| node.text().is_some_and(|text| text.starts_with("Hand")));
        self.site_type(&mut arguments)?;
        let count = arguments.named("count");
        let state = arguments.named("state");
        let value = arguments.named("value");
        if let Some(value) = value {
            return Err(Unknown::at(value, "values of pieces are not supported"));
        }
        let coordinate = arguments.named("coord");
        let sites = arguments.next();
        arguments.finish()?;
        let kind = name
            .text()
            .ok_or_else(|| Unknown::at(name, "a piece is expected here"))?;
        let pieces = self.pieces_named(kind);
        if pieces.is_empty() {
            return Err(self.no_piece(name, kind));
        }
        let count = self.number_or_nothing(count)?;
        let state = self.number_or_nothing(state)?;
        let nothing = firmware_core::cartridge::op::NOTHING;
        if container.is_some() {
            return self.place_in_hands(name, &pieces, count, state);
        }
        let sites = match (coordinate, sites) {
            (Some(node), _) | (None, Some(node)) => self.sites(node)?,
            _ => return Err(Unknown::at(node, "a place is missing here")),
        };
        let [piece] = pieces[..] else {
            return Err(self.several_pieces(name, &pieces));
        };
        if count != nothing {
            self.program.flags |= firmware_core::cartridge::bytes::flag::COUNTS;
        }
        if let Some(fixed) = self.program.fixed_of(sites) {
            self.started.entry(piece).or_default().extend(fixed);
        }
        let what = self.constant(piece.into());
        Ok(self.node(Op::Add, 0, &[what, sites, nothing, state, count, nothing]))
    }

    /// Places pieces in the hands of their owners, each on the next site of the hand.
    fn place_in_hands(
        &mut self,
        name: &Node,
        pieces: &[u8],
        count: u16,
        state: u16,
    ) -> CompileResult<u16> {
        let nothing = firmware_core::cartridge::op::NOTHING;
        let mut all = Vec::new();
        for &piece in pieces {
            let owner = usize::from(self.program.pieces[usize::from(piece)].owner);
            let hand = owner
                .checked_sub(1)
                .and_then(|player| self.hands.get(player));
            let taken = self.in_hands.get(owner).copied().unwrap_or(0);
            let site = hand
                .and_then(|hand| hand.get(taken).or(hand.last()))
                .copied();
            if let Some(taken) = self.in_hands.get_mut(owner) {
                *taken += 1;
            }
            let site = site.ok_or_else(|| Unknown::at(name, "the owner has no hand"))?;
            let what = self.constant(piece.into());
            let sites = self.program.fixed([site]);
            self.program.flags |= firmware_core::cartridge::bytes::flag::COUNTS;
            all.push(self.node(Op::Add, 0, &[what, sites, nothing, state, count, nothing]));
        }
        Ok(self.program.each(Op::Any, &[], &all))
    }

    fn several_pieces(&self, name: &Node, pieces: &[u8]) -> Unknown {
        let names = pieces.iter().map(|piece| {
            let piece = &self.program.pieces[usize::from(*piece)];
            format!("\"{}\"", piece.name)
        });
        let names: Vec<String> = names.collect();
        let what = format!(
            "several pieces have this name, one of each player: write {}",
            names.join(" or ")
        );
        Unknown::at(name, what)
    }
}
