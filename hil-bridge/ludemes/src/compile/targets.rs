//! Conditions on the pieces of a position: a site is supported; the position equals one
//! that is listed piece by piece.

use std::collections::BTreeMap;

use firmware_core::cartridge::op::{NOTHING, Op};

use super::arguments::{Arguments, CompileResult, Unknown};
use super::{Compiler, NodeId};
use crate::layout::Direction;
use crate::tree::{Kind, Node};

impl Compiler {
    /// `(is Flat ...)`: all sites that a site rests on are occupied. This is always true
    /// on the lowest layer.
    pub(super) fn flat(&mut self, arguments: &mut Arguments<'_>) -> CompileResult<NodeId> {
        let site = self.number_or(arguments.next(), |compiler| compiler.node(Op::To, 0, &[]))?;
        if self.ways.called(Direction::Downward) == 0 {
            return Ok(self.node(Op::True, 0, &[]));
        }
        let site = self.one(site);
        let below = self.relation(Direction::Downward);
        let below = self.node(Op::Around, 0, &[site, below, NOTHING]);
        let each = self.node(Op::Site, 0, &[]);
        let occupied = self.node(Op::IsOccupied, 0, &[each]);
        Ok(self.node(Op::AllSites, 0, &[below, occupied]))
    }

    /// `(is Target ...)`: the listed pieces are on the listed sites, or on the whole
    /// board in order.
    pub(super) fn target(&mut self, arguments: &mut Arguments<'_>) -> CompileResult<NodeId> {
        let call = arguments.call;
        let container = arguments.next_if(|node| !matches!(node.kind, Kind::Set(_)));
        if let Some(node) = container.filter(|node| !is_board(node)) {
            let what = "what stands in a hand is not known as a target here";
            return Err(Unknown::at(node, what));
        }
        let listed = arguments.need("the pieces")?;
        let pieces = numbers(listed, self.program.pieces.len(), "piece")?;
        let sites = match arguments.next() {
            Some(node) => numbers(node, self.sites.len(), "site of the board")?,
            None => (0..self.sites.len()).collect(),
        };
        if pieces.len() != sites.len() {
            let what = format!(
                "there are {} pieces here for {} sites: list one for each, 0 where none stands",
                pieces.len(),
                sites.len()
            );
            return Err(Unknown::at(listed, what));
        }
        let what = "targets of stacks are not supported";
        self.of_no_stacks = Some(Unknown::at(call, what));
        let mut by_piece: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for (piece, site) in pieces.into_iter().zip(sites) {
            by_piece.entry(piece).or_default().push(site);
        }
        let stand = by_piece.iter();
        let stand = stand.map(|(piece, sites)| self.stands_on(*piece, sites));
        let stand = stand.collect();
        let stand = self.program.cheap_first(stand);
        Ok(match stand[..] {
            [one] => one,
            _ => self.program.each(Op::And, &[], &stand),
        })
    }

    /// The condition that a piece is on each of these sites, or for piece 0, that they
    /// are empty.
    fn stands_on(&mut self, piece: usize, sites: &[usize]) -> NodeId {
        let number = self.constant(piece as i64);
        if let [site] = sites {
            let site = self.constant(*site as i64);
            if piece == 0 {
                return self.node(Op::IsEmpty, 0, &[site]);
            }
            let what = self.node(Op::What, 0, &[site]);
            return self.node(Op::Equal, 0, &[what, number]);
        }
        let stands = match piece {
            0 => self.node(Op::Empty, 0, &[]),
            _ => self.node(Op::WithNumber, 0, &[number]),
        };
        let sites = self.program.fixed(sites.iter().copied());
        let both = self.intersection(vec![stands, sites]);
        self.node(Op::SameSites, 0, &[both, sites])
    }
}

fn is_board(node: &Node) -> bool {
    matches!(node.kind, Kind::Number(0)) || node.text() == Some("Board")
}

/// The numbers of a list, each less than `bound`.
fn numbers(list: &Node, bound: usize, what: &str) -> CompileResult<Vec<usize>> {
    let number = |node: &Node| {
        let Kind::Number(number) = node.kind else {
            let what = format!("the number of a {what} is expected here");
            return Err(Unknown::at(node, what));
        };
        let known = usize::try_from(number)
            .ok()
            .filter(|number| *number < bound);
        known.ok_or_else(|| Unknown::at(node, format!("there is no {what} {number}")))
    };
    list.elements().iter().map(number).collect()
}
