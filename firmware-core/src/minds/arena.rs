//! The nodes of a tree of moves, in a pool of fixed size. They are linked by index, so the
//! tree can be saved as it is.
//!
//! Invariants: the root is the first node; a node is newer than its parent and its next
//! sibling, so the links have no cycles.

use postcard::experimental::max_size::MaxSize;
use protocol::List;
use serde::{Deserialize, Serialize};

/// The maximum number of nodes, including the root.
pub const NODES: usize = 256;
/// The maximum depth of a tree, in moves.
pub const DEPTH: usize = 12;
/// The value of a won game; a draw has half of it.
pub const WHOLE: u16 = 16;

/// The path from the root to a node.
pub type TreePath = List<u8, DEPTH>;

/// The links of a node: indices, where 0 stands for none.
pub trait Linked: Copy + Default {
    /// The index of the newest child.
    fn child(&mut self) -> &mut u8;
    /// The index of the next older sibling.
    fn sibling(&mut self) -> &mut u8;
}

/// The nodes of a tree, the root first.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, MaxSize)]
#[serde(transparent)]
pub struct Arena<N>(List<N, NODES>);

impl<N: Linked> Arena<N> {
    /// Leaves only a root.
    #[inline]
    pub fn plant(&mut self) {
        self.0.clear();
        let _ = self.0.push(N::default());
    }

    /// The number of nodes, including the root; 0 before a root was planted.
    #[must_use]
    #[inline]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// True before a root was planted.
    #[must_use]
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// True if there is no room for another node.
    #[must_use]
    #[inline]
    pub fn is_full(&self) -> bool {
        self.0.is_full()
    }

    /// A copy of a node; an unlinked one if there is no such node.
    #[must_use]
    #[inline]
    pub fn node(&self, index: u8) -> N {
        let node = self.0.get(usize::from(index));
        node.copied().unwrap_or_default()
    }

    /// The node with this index.
    #[inline]
    pub fn get_mut(&mut self, index: u8) -> Option<&mut N> {
        self.0.get_mut(usize::from(index))
    }

    /// All nodes, the root first.
    #[inline]
    pub fn iter(&self) -> impl Iterator<Item = &N> {
        self.0.iter()
    }

    /// All nodes, the root first.
    #[inline]
    pub fn iter_mut(&mut self) -> impl Iterator<Item = &mut N> {
        self.0.iter_mut()
    }

    /// The children of a node, newest first.
    #[inline]
    pub fn children(&self, of: u8) -> impl Iterator<Item = (u8, N)> {
        let mut next = *self.node(of).child();
        core::iter::from_fn(move || {
            let index = next;
            let mut node = self.node(index);
            next = *node.sibling();
            (index != 0).then_some((index, node))
        })
    }

    /// Adds a child. False if there is no room for it.
    #[inline]
    pub fn add(&mut self, parent: u8, mut node: N) -> bool {
        *node.sibling() = *self.node(parent).child();
        // There are at most 256 nodes, and the root exists already.
        let index = self.0.len() as u8;
        let added = self.0.push(node).is_ok();
        if let Some(parent) = self.get_mut(parent) {
            *parent.child() = index;
        }
        added
    }

    /// True if the links are those of a tree, whoever set them.
    #[must_use]
    pub fn is_linked(&self) -> bool {
        self.0.iter().enumerate().all(|(index, node)| {
            let mut node = *node;
            let (child, sibling) = (usize::from(*node.child()), usize::from(*node.sibling()));
            (child == 0 || (index + 1..self.0.len()).contains(&child))
                && sibling <= index.saturating_sub(1)
        })
    }

    /// False for a path that is not in the tree.
    #[must_use]
    pub fn has_path(&self, path: &TreePath) -> bool {
        path.iter().all(|node| usize::from(*node) < self.0.len())
    }
}
