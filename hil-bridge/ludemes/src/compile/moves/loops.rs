//! Moves repeated for each element of something.

use firmware_core::cartridge::op::{NOTHING, Op, bit};

use crate::compile::arguments::{Arguments, CompileResult, Unknown};
use crate::compile::moves::MadeBy;
use crate::compile::{Compiler, NodeId};
use crate::tree::{Kind, Node};

impl Compiler {
    pub(super) fn for_each(
        &mut self,
        arguments: &mut Arguments<'_>,
        made_by: MadeBy,
    ) -> CompileResult<NodeId> {
        const KINDS: [&str; 9] = [
            "Piece",
            "Site",
            "Player",
            "Value",
            "Direction",
            "Level",
            "Die",
            "Group",
            "Team",
        ];
        let call = arguments.call;
        match arguments.word_of(&KINDS) {
            Some("Piece") => self.for_each_piece(arguments, made_by),
            Some("Site") => {
                let sites = self.sites(arguments.need("a region")?)?;
                let moves = self.moves(arguments.need("moves")?, made_by)?;
                let otherwise = match arguments.named("noMoveYet") {
                    Some(node) => self.moves(node, made_by)?,
                    None => NOTHING,
                };
                Ok(self.node(Op::ForEachSite, 0, &[sites, moves, otherwise]))
            }
            Some("Player") => {
                let moves = self.moves(arguments.need("moves")?, made_by)?;
                Ok(self.node(Op::ForEachPlayer, 0, &[moves]))
            }
            Some("Value") => {
                let range = arguments.next_if(|node| node.head() == Some("range"));
                let (least, most) = match range {
                    Some(range) => {
                        let mut inner = Arguments::of(range)?;
                        let least = self.number(inner.need("a number")?)?;
                        let most = self.number(inner.need("a number")?)?;
                        (least, most)
                    }
                    None => {
                        let least = self.number(arguments.need_named("min")?)?;
                        let most = self.number(arguments.need_named("max")?)?;
                        (least, most)
                    }
                };
                let moves = self.moves(arguments.need("moves")?, made_by)?;
                Ok(self.node(Op::ForEachValue, 0, &[least, most, moves]))
            }
            _ => Err(Unknown::at(call, "this loop over moves is not supported")),
        }
    }

    pub(super) fn for_each_piece(
        &mut self,
        arguments: &mut Arguments<'_>,
        made_by: MadeBy,
    ) -> CompileResult<NodeId> {
        let call = arguments.call;
        if let Some(node) = arguments
            .named("container")
            .filter(|node| node.text() != Some("Board"))
        {
            return Err(Unknown::at(
                node,
                "pieces outside the board are not supported",
            ));
        }
        if let Some(node) = arguments.named("top") {
            return Err(Unknown::at(node, "pieces on top are not supported"));
        }
        self.site_type(arguments)?;
        let names = arguments.next_if(|node| {
            node.text().is_some()
                || matches!(&node.kind, Kind::Set(nodes) if nodes.iter().all(|node| node.text().is_some()))
        });
        let is_role = |node: &Node| {
            node.word().is_some() || matches!(node.head(), Some("player" | "mover" | "next"))
        };
        // The owner of the pieces may be before or after the moves.
        let before = arguments.next_if(is_role);
        let own = arguments.next();
        let after = arguments.next_if(is_role);
        let of_kinds = names.is_some_and(|names| matches!(names.kind, Kind::Set(_)));
        if let Some(role) = after.filter(|_| of_kinds) {
            let what =
                "whose pieces of several kinds they are is only supported before their moves";
            return Err(Unknown::at(role, what));
        }
        let role = before.or(after);
        let who = self.whose_pieces(role)?;
        let within = match names {
            Some(names) => self.called(names)?,
            None => NOTHING,
        };
        let own = match own {
            Some(node) => self.moves(node, made_by)?,
            None => NOTHING,
        };
        let column = usize::from(self.in_sight);
        let none = |piece: &crate::compile::program::Piece| piece.moves[column].is_none();
        if own == NOTHING && self.program.pieces.iter().all(none) {
            let what = "no piece has moves of its own: write them after its owner, such as `(piece \"Stone\" Each \"StepToEmpty\")`";
            return Err(Unknown::at(call, what));
        }
        let extra = u8::from(self.in_sight) * bit::THREATS;
        Ok(self.node(Op::ForEachPiece, extra, &[who, within, own]))
    }

    /// The owner of the pieces of a loop; the mover if nobody is named.
    fn whose_pieces(&mut self, role: Option<&Node>) -> CompileResult<NodeId> {
        match role {
            Some(role) if matches!(role.word(), Some("All" | "Each")) => {
                Err(Unknown::at(role, "pieces of all players are not supported"))
            }
            Some(role) => self.role(role),
            None => Ok(self.node(Op::Mover, 0, &[])),
        }
    }

    /// The sites with pieces of these names, or of these kinds.
    fn called(&mut self, names: &Node) -> CompileResult<NodeId> {
        let mut table = Vec::new();
        for name in names.elements() {
            let named = name.text().unwrap_or("");
            let pieces = self.program.pieces.iter().enumerate().skip(1);
            let found: Vec<i16> = pieces
                .filter(|(_, piece)| piece.name == named || piece.kind == named)
                .map(|(index, _)| index as i16)
                .collect();
            if found.is_empty() {
                return Err(Unknown::at(name, format!("no piece is called \"{named}\"")));
            }
            table.extend(found);
        }
        let table = self.program.table(table);
        Ok(self.node(Op::WithPiece, 0, &[table]))
    }
}
