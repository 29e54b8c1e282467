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

/// A node as a word.
pub(super) fn word(node: &Node) -> Option<&str> {
    match &node.kind {
        Kind::Word(word) => Some(word),
        _ => None,
    }
}

/// A node as a quoted text.
pub(super) fn text(node: &Node) -> Option<&str> {
    match &node.kind {
        Kind::Text(text) => Some(text),
        _ => None,
    }
}

/// The elements of a set, or the node itself.
pub(super) fn elements(node: &Node) -> &[Node] {
    match &node.kind {
        Kind::Set(nodes) => nodes,
        _ => std::slice::from_ref(node),
    }
}

/// The calls in a set, or the node itself if it is a call.
pub(super) fn calls_of(node: &Node) -> Vec<Call<'_>> {
    elements(node).iter().filter_map(call).collect()
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
        self.arguments().filter_map(word)
    }

    pub fn texts(&self) -> impl Iterator<Item = &'a str> + use<'a> {
        self.arguments().filter_map(text)
    }

    /// The elements of all arguments that are sets.
    pub fn parts_of_sets(&self) -> impl Iterator<Item = &'a Node> + use<'a> {
        self.arguments()
            .filter(|node| matches!(node.kind, Kind::Set(_)))
            .flat_map(elements)
    }

    /// The arguments, with sets flattened, except the consequences of a move.
    pub fn parts(&self) -> Vec<&'a Node> {
        let is_then = |node: &&Node| call(node).is_some_and(|call| call.name == "then");
        self.arguments()
            .flat_map(elements)
            .filter(|node| !is_then(node))
            .collect()
    }

    /// The arguments that are calls with this name, including those in sets.
    pub fn children(&self, name: &str) -> impl Iterator<Item = Call<'a>> + use<'a> {
        let name = name.to_owned();
        self.calls_within().filter(move |call| call.name == name)
    }

    pub fn calls_within(&self) -> impl Iterator<Item = Call<'a>> + use<'a> {
        self.arguments().flat_map(elements).filter_map(call)
    }

    pub fn child(&self, name: &str) -> Option<Call<'a>> {
        self.children(name).next()
    }
}
