//! A call as seen by the explanations: its name and its arguments.

use crate::constructs;
use crate::tree::{Argument, Kind, Node};

/// A call, with its name separated from its arguments.
#[derive(Clone)]
pub(super) struct Call<'a> {
    pub name: String,
    pub node: &'a Node,
    given: &'a [Argument],
}

/// A node as a call.
pub(super) fn call(node: &Node) -> Option<Call<'_>> {
    let Kind::Call(arguments) = &node.kind else {
        return None;
    };
    let name = constructs::name_of(arguments)?;
    let given = constructs::after_name(&name, arguments);
    Some(Call { name, node, given })
}

/// The calls in a set, or the node itself if it is a call.
pub(super) fn calls_of(node: &Node) -> Vec<Call<'_>> {
    node.elements().iter().filter_map(call).collect()
}

/// Joins words: `a, b and c`.
pub(super) fn list(words: &[String], last: &str) -> String {
    match words {
        [] => String::new(),
        [one] => one.clone(),
        [before @ .., end] => format!("{} {last} {end}", before.join(", ")),
    }
}

impl<'a> Call<'a> {
    /// The arguments without a name.
    pub fn arguments(&self) -> impl Iterator<Item = &'a Node> + use<'a> {
        self.given
            .iter()
            .filter(|argument| argument.name.is_none())
            .map(|argument| &argument.node)
    }

    pub fn nth(&self, place: usize) -> Option<&'a Node> {
        self.arguments().nth(place)
    }

    pub fn first(&self) -> Option<&'a Node> {
        self.nth(0)
    }

    pub fn named(&self, name: &str) -> Option<&'a Node> {
        let argument = self
            .given
            .iter()
            .find(|argument| argument.name.as_deref() == Some(name));
        argument.map(|argument| &argument.node)
    }

    pub fn calls(&self) -> impl Iterator<Item = Call<'a>> + use<'a> {
        self.arguments().filter_map(call)
    }

    pub fn words(&self) -> impl Iterator<Item = &'a str> + use<'a> {
        self.arguments().filter_map(Node::word)
    }

    pub fn texts(&self) -> impl Iterator<Item = &'a str> + use<'a> {
        self.arguments().filter_map(Node::text)
    }

    /// The elements of all arguments that are sets.
    pub fn parts_of_sets(&self) -> impl Iterator<Item = &'a Node> + use<'a> {
        self.arguments()
            .filter(|node| matches!(node.kind, Kind::Set(_)))
            .flat_map(Node::elements)
    }

    /// The arguments, with sets flattened, except the consequences of a move.
    pub fn parts(&self) -> Vec<&'a Node> {
        let is_then = |node: &&Node| call(node).is_some_and(|call| call.name == "then");
        self.arguments()
            .flat_map(Node::elements)
            .filter(|node| !is_then(node))
            .collect()
    }

    /// The arguments that are calls with this name, including those in sets.
    pub fn children(&self, name: &str) -> impl Iterator<Item = Call<'a>> + use<'a> {
        let name = name.to_owned();
        self.calls_within().filter(move |call| call.name == name)
    }

    pub fn calls_within(&self) -> impl Iterator<Item = Call<'a>> + use<'a> {
        self.arguments().flat_map(Node::elements).filter_map(call)
    }

    pub fn child(&self, name: &str) -> Option<Call<'a>> {
        self.children(name).next()
    }
}
