//! Moves on one site: placing, removing, changing or selecting a piece.

use firmware_core::cartridge::op::{NOTHING, NotedSite, Op, bit};

use crate::compile::arguments::{Arguments, CompileResult, Unknown};
use crate::compile::moves::MadeBy;
use crate::compile::{Compiler, NodeId};
use crate::layout::SiteType;
use crate::tree::{Kind, Node};

/// The named argument of a call.
fn named<'n>(node: &'n Node, name: &str) -> Option<&'n Node> {
    let Kind::Call(arguments) = &node.kind else {
        return None;
    };
    let found = arguments
        .iter()
        .find(|argument| argument.name.as_deref() == Some(name));
    found.map(|argument| &argument.node)
}

/// The maximum height of a stack after a piece is placed under this condition:
/// `(< (size Stack ...) 6)`, alone or with further conditions.
fn height(condition: &Node) -> Option<i64> {
    let Kind::Call(arguments) = &condition.kind else {
        return None;
    };
    let [first, rest @ ..] = &arguments[..] else {
        return None;
    };
    match (first.node.word()?, rest) {
        ("and", all) => {
            let all = all.iter().flat_map(|argument| argument.node.elements());
            all.filter_map(height).min()
        }
        (sign @ ("<" | "<="), [size, number]) => {
            let Kind::Number(number) = number.node.kind else {
                return None;
            };
            let Kind::Call(of) = &size.node.kind else {
                return None;
            };
            let mut words = of.iter().map(|argument| argument.node.word());
            let is_height =
                words.next() == Some(Some("size")) && words.next() == Some(Some("Stack"));
            is_height.then_some(number + i64::from(sign == "<="))
        }
        _ => None,
    }
}

impl Compiler {
    pub(super) fn add(
        &mut self,
        arguments: &mut Arguments<'_>,
        made_by: MadeBy,
    ) -> CompileResult<NodeId> {
        let call = arguments.call;
        let piece = arguments.call("piece");
        let to = self.part(arguments.call("to"))?;
        let stack = arguments.named("stack").and_then(Node::word) == Some("True");
        let count = arguments.named("count");
        let mut pieces = Vec::new();
        let mut state = NOTHING;
        if let Some(piece) = piece {
            let mut inner = Arguments::of(piece)?;
            let state_node = inner.named("state");
            let name = inner.need("a piece")?;
            let role = inner.next();
            inner.finish()?;
            for name in name.elements() {
                pieces.push(self.piece_of(name, role)?);
            }
            state = self.number_or_nothing(state_node)?;
        } else {
            pieces.push(self.piece_of_mover(call)?);
        }
        let sites = match to.sites {
            Some(node) => self.sites(node)?,
            None => {
                let to = self.node(Op::To, 0, &[]);
                self.node(Op::One, 0, &[to])
            }
        };
        let condition = self.condition(to.condition)?;
        let condition = self.program.everywhere(condition, NotedSite::To);
        let count = self.number_or_nothing(count)?;
        let effect = self.effect(to.effect)?;
        let extra = (u8::from(made_by) * bit::DECIDED) | (u8::from(stack) * bit::TOP);
        let bounds = [to.sites.and_then(|sites| named(sites, "if")), to.condition];
        let least = bounds.into_iter().flatten().filter_map(height).min();
        self.heights.push(least.filter(|_| stack));
        if stack {
            self.program.flags |= firmware_core::cartridge::bytes::flag::STACKS;
        }
        let all: Vec<NodeId> = pieces
            .into_iter()
            .map(|piece| {
                self.node(
                    Op::Add,
                    extra,
                    &[piece, sites, condition, state, count, effect],
                )
            })
            .collect();
        Ok(match all[..] {
            [one] => one,
            _ => self.program.each(Op::Any, &[], &all),
        })
    }

    /// The mover's first piece, or the first of all pieces if the mover has none.
    pub(super) fn piece_of_mover(&mut self, at: &Node) -> CompileResult<NodeId> {
        let all: Vec<u8> = (1..self.program.pieces.len() as u8).collect();
        let mover = self.node(Op::Mover, 0, &[]);
        let owned = |owner: u8| {
            let mut pieces = all.iter().copied();
            pieces.find(|piece| self.program.pieces[usize::from(*piece)].owner == owner)
        };
        let shared = owned(self.players + 1);
        let players = 1..=self.players;
        let table: Vec<Option<u8>> = std::iter::once(None)
            .chain(players.map(|player| owned(player).or(shared)))
            .collect();
        let without = table.iter().skip(1).position(Option::is_none);
        if let Some(player) = without {
            let what = format!(
                "player {} has no piece to put on the board: write one for each player within the equipment, such as `(piece \"Stone\" Each)`",
                player + 1
            );
            return Err(Unknown::at(at, what));
        }
        let table = table.into_iter().map(|piece| piece.map_or(-1, i16::from));
        let table = self.program.table(table.collect());
        Ok(self.node(Op::Entry, 0, &[table, mover]))
    }

    pub(super) fn remove(
        &mut self,
        arguments: &mut Arguments<'_>,
        made_by: MadeBy,
    ) -> CompileResult<NodeId> {
        self.site_type(arguments)?;
        let sites = self.sites(arguments.need("a site")?)?;
        let count = arguments.named("count");
        let count = self.number_or_nothing(count)?;
        let later = arguments.named("at").and_then(Node::word) == Some("EndOfTurn");
        if let Some(level) = arguments.named("level") {
            return Err(Unknown::at(level, "levels are not supported"));
        }
        let extra = (u8::from(made_by) * bit::DECIDED) | (u8::from(later) * bit::LATER);
        Ok(self.node(Op::Remove, extra, &[sites, count]))
    }

    pub(super) fn promote(
        &mut self,
        arguments: &mut Arguments<'_>,
        made_by: MadeBy,
    ) -> CompileResult<NodeId> {
        self.site_type(arguments)?;
        let piece = arguments.call("piece");
        let at = self.number_or(
            arguments.next_if(|node| node.word().is_none()),
            |compiler| compiler.node(Op::To, 0, &[]),
        )?;
        let role = arguments.next();
        let call = arguments.call;
        let piece = piece.ok_or_else(|| Unknown::at(call, "a piece is missing here"))?;
        let mut inner = Arguments::of(piece)?;
        let names = inner.need("a piece")?;
        let role = inner.next().or(role);
        inner.finish()?;
        let mut all = Vec::new();
        for name in names.elements() {
            let piece = self.piece_of(name, role)?;
            all.push(self.node(Op::Promote, u8::from(made_by), &[at, piece]));
        }
        Ok(match all[..] {
            [one] => one,
            _ => self.program.each(Op::Any, &[], &all),
        })
    }

    pub(super) fn select(
        &mut self,
        arguments: &mut Arguments<'_>,
        made_by: MadeBy,
    ) -> CompileResult<NodeId> {
        let from = self.part(arguments.call("from"))?;
        let to = arguments.call("to");
        let mover = arguments.next();
        if let Some(mover) = mover {
            return Err(Unknown::at(
                mover,
                "choices of another player are not supported",
            ));
        }
        let sites = match from.sites {
            Some(node) => self.sites(node)?,
            None => {
                let from = self.node(Op::From, 0, &[]);
                self.node(Op::One, 0, &[from])
            }
        };
        let sites = self.pointed_at(sites, from.is_of_cells);
        let may_go = self.condition(from.condition)?;
        let to = self.part(to)?;
        let tos = match to.sites {
            Some(node) => {
                let sites = self.sites(node)?;
                self.pointed_at(sites, to.is_of_cells)
            }
            None => NOTHING,
        };
        let may_come = self.condition(to.condition)?;
        let extra = u8::from(made_by);
        Ok(self.node(Op::Select, extra, &[sites, may_go, tos, may_come]))
    }

    /// The sites that can be selected. Hands consist of cells, so on a board that is
    /// played on points or edges they cannot be selected unless the text names cells.
    fn pointed_at(&mut self, sites: NodeId, is_of_cells: bool) -> NodeId {
        if is_of_cells || self.used == SiteType::Cell || self.hands.is_empty() {
            return sites;
        }
        let board = self.board();
        self.program.each(Op::Intersection, &[], &[sites, board])
    }
}
