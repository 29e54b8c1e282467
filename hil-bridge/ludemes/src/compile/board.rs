//! The board of a text.

use super::arguments::{CompileResult, Unknown};
use crate::layout::BoardGraph;
use crate::tree::Node;

/// Builds the graph of a `(board ...)`.
pub(super) fn read(node: &Node) -> CompileResult<BoardGraph> {
    BoardGraph::from_node(node).map_err(|error| Unknown {
        span: error.span(),
        what: error.to_string(),
        undefined: None,
    })
}
