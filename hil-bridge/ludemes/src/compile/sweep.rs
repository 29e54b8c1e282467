//! Removes unreachable nodes from a program.
//!
//! The compiler builds regions from other regions, and compiles some conditions in
//! several ways, so some nodes are never run.
//!
//! Invariants: the remaining nodes keep their order, so a node still comes after its
//! operands; the game is the same.

use std::collections::{BTreeSet, HashMap};

use firmware_core::cartridge::op::{NOTHING, Op, OperandKind, OperandSlot, slot};

use super::program::{NodeId, Program};

/// Maps the old place of each kept node to its new one.
pub struct Moved(HashMap<NodeId, NodeId>);

impl Moved {
    /// The new place of a node.
    pub fn to(&self, node: NodeId) -> NodeId {
        self.0.get(&node).copied().unwrap_or(node)
    }
}

/// The operand slots, and kinds of operands, of a node that begins with this word.
fn operands(first: u16) -> Vec<(OperandSlot, OperandKind)> {
    let [number, extra] = first.to_le_bytes();
    Op::of(number).map_or(Vec::new(), |op| op.operands(extra).collect())
}

impl Program {
    /// Removes all nodes and sets that neither the program's roots nor these nodes reach.
    pub fn sweep(&mut self, more: &[NodeId]) -> Moved {
        let live = self.reached(more);
        let sets = self.sets_of(&live);
        let kept: Vec<Vec<usize>> = sets.iter().map(|set| self.set_of(*set).to_vec()).collect();
        let new_set: HashMap<u16, u16> = sets.into_iter().zip(0..).collect();
        let old = self.take_words();
        self.replace_sets(kept);
        let mut moved = HashMap::new();
        let mut notes: HashMap<(u8, NodeId), u16> = HashMap::new();
        for node in live {
            let at = usize::from(node);
            let operands = operands(old[at]);
            let [number, extra] = old[at].to_le_bytes();
            let op = Op::of(number).expect("only nodes were reached");
            let mut takes: Vec<u16> = old[at + 1..].iter().take(operands.len()).copied().collect();
            for (word, (_, is)) in takes.iter_mut().zip(&operands) {
                *word = match is {
                    _ if *word == NOTHING => NOTHING,
                    OperandKind::Node(_) | OperandKind::Maybe(_) => moved[&*word],
                    OperandKind::Set => new_set[&*word],
                    OperandKind::Raw | OperandKind::Table | OperandKind::Choice => *word,
                };
            }
            if op == Op::Everywhere {
                let next = notes.len() as u16;
                takes[0] = *notes.entry((extra, takes[1])).or_insert(next);
            }
            moved.insert(node, self.node(op, extra, &takes));
        }
        let moved = Moved(moved);
        for root in self.roots() {
            *root = moved.to(*root);
        }
        moved
    }

    /// The reachable nodes, in order.
    fn reached(&mut self, more: &[NodeId]) -> BTreeSet<NodeId> {
        let mut live = BTreeSet::new();
        let mut left: Vec<NodeId> = self.roots().map(|root| *root).collect();
        left.extend(more);
        while let Some(node) = left.pop() {
            if node == NOTHING || !live.insert(node) {
                continue;
            }
            let nodes = operands(self.word(node)).into_iter();
            let nodes =
                nodes.filter(|(_, is)| matches!(is, OperandKind::Node(_) | OperandKind::Maybe(_)));
            left.extend(nodes.map(|(place, _)| self.operand(node, place)));
        }
        live
    }

    /// The sets of these nodes, in order.
    fn sets_of(&self, nodes: &BTreeSet<NodeId>) -> BTreeSet<u16> {
        let mut sets = BTreeSet::new();
        for node in nodes {
            for (place, is) in operands(self.word(*node)) {
                let set = self.operand(*node, place);
                if is != OperandKind::Set || set == NOTHING {
                    continue;
                }
                let many = match self.op(*node) {
                    Some(Op::Choose) => self.operand(*node, slot::Choose::MANY),
                    _ => 1,
                };
                sets.extend(set..set + many);
            }
        }
        sets
    }
}
