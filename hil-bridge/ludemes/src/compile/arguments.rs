//! The arguments of a call, taken one by one.
//!
//! Invariants: [`Arguments::finish`] reports an argument that was not taken, so no part
//! of a text is silently ignored.

use crate::constructs::WORDS;
use crate::layout::Direction;
use crate::tree::{Argument, Kind, Node, TextSpan};

/// A construct that cannot be compiled, and its place.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{what}")]
pub struct Unknown {
    /// The bytes of the text that contain it.
    pub span: TextSpan,
    /// What is wrong, as a sentence.
    pub what: String,
    /// The name that is not defined, if that is the error.
    pub undefined: Option<String>,
}

impl Unknown {
    /// The error at a node of the text.
    pub fn at(node: &Node, what: impl Into<String>) -> Unknown {
        Unknown {
            span: node.span,
            what: what.into(),
            undefined: None,
        }
    }
}

/// The syntax of a call with its required arguments only: `: write (is Line NUMBER ...)`.
fn how(call: &Node) -> String {
    let Kind::Call(arguments) = &call.kind else {
        return String::new();
    };
    let name = crate::constructs::name_of(arguments);
    let Some(construct) = name.and_then(|name| crate::constructs::find(&name)) else {
        return String::new();
    };
    let parameters = construct.parameters();
    let needed = parameters.iter().filter(|parameter| !parameter.optional);
    let needed: Vec<String> = needed
        .map(|parameter| match parameter.name {
            Some(name) => format!(" {name}:{}", parameter.kind),
            None => format!(" {}", parameter.kind),
        })
        .collect();
    let more = match needed.len() < parameters.len() {
        true => " ...",
        false => "",
    };
    format!(": write `({}{}{more})`", construct.name, needed.concat())
}

/// `; did you mean ...?` with the most similar of these names; empty if none is similar.
pub fn nearest<'a>(name: &str, names: impl IntoIterator<Item = &'a &'a str>) -> String {
    let near = crate::text::near(name, names.into_iter().copied());
    near.map_or_else(String::new, |near| format!("; did you mean `{near}`?"))
}

/// A result, or the first construct that cannot be compiled.
pub type CompileResult<T> = Result<T, Unknown>;

/// What is in a call that takes nothing else, such as the items of an equipment.
pub fn elements_of(call: &Node) -> CompileResult<Vec<&Node>> {
    let mut arguments = Arguments::of(call)?;
    let elements = arguments.rest();
    arguments.finish()?;
    Ok(elements)
}

/// The arguments of a call that have not been taken.
pub struct Arguments<'n> {
    /// The call whose arguments these are.
    pub call: &'n Node,
    left: Vec<&'n Argument>,
}

impl<'n> Arguments<'n> {
    /// The arguments of a call, without its head.
    pub fn of(call: &'n Node) -> CompileResult<Self> {
        match &call.kind {
            Kind::Call(arguments) => Ok(Arguments {
                call,
                left: arguments.iter().skip(1).collect(),
            }),
            Kind::Text(name) => Err(Unknown {
                undefined: Some(name.clone()),
                ..Unknown::at(call, format!("nothing is defined by the name \"{name}\""))
            }),
            Kind::Word(word) => {
                let what = format!(
                    "`{word}` alone is nothing here: a call such as `(is Empty (to))` is expected"
                );
                Err(Unknown::at(call, what))
            }
            _ => Err(Unknown::at(
                call,
                "a call such as `(is Empty (to))` is expected here",
            )),
        }
    }

    /// Takes the argument with this name.
    pub fn named(&mut self, name: &str) -> Option<&'n Node> {
        let place = self
            .left
            .iter()
            .position(|argument| argument.name.as_deref() == Some(name))?;
        Some(&self.left.remove(place).node)
    }

    /// Takes the next argument without a name.
    pub fn next(&mut self) -> Option<&'n Node> {
        self.next_if(|_| true)
    }

    /// The next argument without a name, without taking it.
    pub fn peek(&self) -> Option<&'n Node> {
        let next = self.left.iter().find(|argument| argument.name.is_none());
        next.map(|argument| &argument.node)
    }

    /// Takes the next argument without a name, if it fulfils `is`.
    pub fn next_if(&mut self, is: impl Fn(&Node) -> bool) -> Option<&'n Node> {
        let place = self
            .left
            .iter()
            .position(|argument| argument.name.is_none())?;
        is(&self.left[place].node).then(|| &self.left.remove(place).node)
    }

    /// Takes the next argument without a name if it is a direction.
    pub fn next_direction(&mut self) -> Option<&'n Node> {
        self.next_if(|node| {
            node.word()
                .is_some_and(|word| word.parse::<Direction>().is_ok())
        })
    }

    /// Takes all other arguments without a name; a set counts as what is in it.
    pub fn rest(&mut self) -> Vec<&'n Node> {
        let mut rest = Vec::new();
        while let Some(node) = self.next() {
            rest.extend(node.elements());
        }
        rest
    }

    /// Takes the first argument without a name that fulfils `is`, wherever it is.
    pub fn find(&mut self, is: impl Fn(&Node) -> bool) -> Option<&'n Node> {
        let place = self
            .left
            .iter()
            .position(|argument| argument.name.is_none() && is(&argument.node))?;
        Some(&self.left.remove(place).node)
    }

    /// Takes the call with this head, wherever it is.
    pub fn call(&mut self, name: &str) -> Option<&'n Node> {
        self.find(|node| node.head() == Some(name))
    }

    /// Takes the next argument, if it is one of these words.
    pub fn word_of(&mut self, words: &[&str]) -> Option<&'n str> {
        let found = self.next_if(|node| node.word().is_some_and(|word| words.contains(&word)))?;
        found.word()
    }

    /// Takes the next argument, which is required.
    pub fn need(&mut self, what: &str) -> CompileResult<&'n Node> {
        let call = self.call;
        self.next()
            .ok_or_else(|| Unknown::at(call, format!("{what} is missing here{}", how(call))))
    }

    /// Takes the argument with this name, which is required.
    pub fn need_named(&mut self, name: &str) -> CompileResult<&'n Node> {
        let call = self.call;
        self.named(name)
            .ok_or_else(|| Unknown::at(call, format!("`{name}:` is missing here{}", how(call))))
    }

    /// Reports an argument that was not taken as an error.
    pub fn finish(&self) -> CompileResult<()> {
        let Some(left) = self.left.first() else {
            return Ok(());
        };
        let of = self.call.head().unwrap_or("this");
        let what = match &left.name {
            Some(name) => format!("`{name}:` of `{of}` is not supported"),
            None => match &left.node.kind {
                Kind::Word(word) => {
                    // A word of the language in the wrong place is not a typing error.
                    let near = match WORDS.contains(&word.as_str()) {
                        true => how(self.call),
                        false => nearest(word, WORDS),
                    };
                    format!("`{word}` means nothing to `{of}`{near}")
                }
                _ => format!("`{of}` does not take this argument: remove it"),
            },
        };
        Err(Unknown::at(&left.node, what))
    }
}
