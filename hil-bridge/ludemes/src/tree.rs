//! The tree of a text, before its constructs are interpreted.
//!
//! A node is one of five things: a call `(head arguments)`, a set `{ elements }`, a word,
//! a quoted text, or a number. Invariants: a node knows the bytes of the text that it
//! came from; for a node from a macro, these are the use of the macro.

/// A range of bytes in the original text, `start..end`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TextSpan {
    /// The offset of the first byte.
    pub start: u32,
    /// The offset after the last byte.
    pub end: u32,
}

/// A piece of the text.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// The position of the node in the text.
    pub span: TextSpan,
    /// The kind and contents of the node.
    pub kind: Kind,
}

/// The kind of a part of the text.
#[derive(Clone, Debug, PartialEq)]
pub enum Kind {
    /// `(head argument name:argument ...)`; the head is its first argument.
    Call(Vec<Argument>),
    /// A set: `{ element ... }`.
    Set(Vec<Node>),
    /// A word: `Mover`, `is`, `<=`.
    Word(String),
    /// A quoted text, without its quotes.
    Text(String),
    /// A whole number, possibly negative.
    Number(i64),
    /// A number with a fraction.
    Fraction(f64),
}

/// An argument of a call.
#[derive(Clone, Debug, PartialEq)]
pub struct Argument {
    /// The name before the colon; `None` for a plain argument.
    pub name: Option<String>,
    /// The node of the argument.
    pub node: Node,
}

impl Node {
    /// The node and all nodes within it, in the order of the text.
    pub fn all(&self) -> impl Iterator<Item = &Node> {
        let mut left = vec![self];
        std::iter::from_fn(move || {
            let node = left.pop()?;
            match &node.kind {
                Kind::Call(arguments) => {
                    left.extend(arguments.iter().rev().map(|argument| &argument.node));
                }
                Kind::Set(nodes) => left.extend(nodes.iter().rev()),
                Kind::Word(_) | Kind::Text(_) | Kind::Number(_) | Kind::Fraction(_) => {}
            }
            Some(node)
        })
    }

    /// The word, if the node is one.
    #[must_use]
    pub fn word(&self) -> Option<&str> {
        match &self.kind {
            Kind::Word(word) => Some(word),
            _ => None,
        }
    }

    /// The quoted text, if the node is one.
    #[must_use]
    pub fn text(&self) -> Option<&str> {
        match &self.kind {
            Kind::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The first word of a call; `None` for other nodes.
    #[must_use]
    pub fn head(&self) -> Option<&str> {
        match &self.kind {
            Kind::Call(arguments) => arguments.first()?.node.word(),
            _ => None,
        }
    }

    /// The second word of a call, if it is a word.
    #[must_use]
    pub fn second(&self) -> Option<&str> {
        match &self.kind {
            Kind::Call(arguments) => arguments.get(1)?.node.word(),
            _ => None,
        }
    }

    /// The elements of a set, or the node itself if it is not a set.
    #[must_use]
    pub fn elements(&self) -> &[Node] {
        match &self.kind {
            Kind::Set(nodes) => nodes,
            _ => std::slice::from_ref(self),
        }
    }

    /// True if two trees are equal except for their places in the text.
    pub fn means_the_same(&self, other: &Node) -> bool {
        let all = |a: &[Node], b: &[Node]| {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.means_the_same(b))
        };
        match (&self.kind, &other.kind) {
            (Kind::Call(a), Kind::Call(b)) => {
                let same = |(a, b): (&Argument, &Argument)| {
                    a.name == b.name && a.node.means_the_same(&b.node)
                };
                a.len() == b.len() && a.iter().zip(b).all(same)
            }
            (Kind::Set(a), Kind::Set(b)) => all(a, b),
            (a, b) => a == b,
        }
    }
}
