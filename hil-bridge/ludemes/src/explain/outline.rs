//! Writes long rules as nested lists, with a line for each choice, condition and
//! consequence. Short rules stay sentences.

use super::Speaker;
use super::view::{Call, call};
use crate::tree::Node;

/// The maximum length of a rule that stays a sentence.
const SENTENCE: usize = 110;

/// A line, and the lines nested below it.
pub(super) struct Item {
    pub text: String,
    pub below: Vec<Item>,
}

impl Item {
    pub fn line(text: String) -> Item {
        Item {
            text,
            below: Vec::new(),
        }
    }

    fn over(text: &str, below: Vec<Item>) -> Item {
        Item {
            text: format!("{text}:"),
            below,
        }
    }
}

impl Speaker {
    /// Explains moves as a list of lines.
    pub(super) fn outline(&self, call: &Call) -> Vec<Item> {
        let sentence = self.moves_of(call);
        if sentence.len() <= SENTENCE {
            return vec![Item::line(sentence)];
        }
        let mut items = self.outline_alone(call);
        if let Some(then) = call.child("then") {
            items.push(self.outline_then(&then));
        }
        items
    }

    fn outline_alone(&self, call: &Call) -> Vec<Item> {
        let each = || -> Vec<Item> {
            call.parts()
                .iter()
                .flat_map(|part| self.grouped(part))
                .collect()
        };
        match call.name.as_str() {
            "or" => vec![Item::over("one of these", each())],
            "priority" => vec![Item::over("the first of these that can be done", each())],
            "and" | "append" if !self.is_consequence(call) => each(),
            "if" => {
                let condition = self.first_condition(call);
                let mut items = vec![under(
                    &format!("if {condition}"),
                    self.outline_node(call.nth(1)),
                )];
                if let Some(other) = call
                    .nth(2)
                    .filter(|node| self::call(node).is_none_or(|call| call.name != "then"))
                {
                    items.push(under("otherwise", self.outline_node(Some(other))));
                }
                items
            }
            "do" => {
                let mut items = self.outline_node(call.first());
                if let Some(next) = call.named("next") {
                    items.push(under("then", self.outline_node(Some(next))));
                }
                if let Some(condition) = call.named("ifAfterwards") {
                    items.push(Item::line(format!(
                        "this is allowed only if afterwards {}",
                        self.condition(condition)
                    )));
                }
                items
            }
            "forEach Piece" => match call.calls().find(|part| part.name != "then") {
                Some(moves) => vec![under(&self.with_one_of(call), self.outline(&moves))],
                None => vec![Item::line(self.moves_alone(call))],
            },
            "forEach Site" => match self.closing_rows(call) {
                Some((sentence, then)) => vec![Item::line(sentence), self.outline_then(&then)],
                None => vec![Item::line(self.moves_alone(call))],
            },
            _ => vec![Item::line(self.moves_alone(call))],
        }
    }

    fn outline_then(&self, then: &Call) -> Item {
        let below: Vec<Item> = then
            .parts()
            .iter()
            .flat_map(|part| self.outline_consequence(part))
            .collect();
        under("then", below)
    }

    fn outline_node(&self, node: Option<&Node>) -> Vec<Item> {
        match node {
            Some(node) => match call(node) {
                Some(call) => self.outline(&call),
                None => vec![Item::line(node.text().unwrap_or("nothing").to_owned())],
            },
            None => Vec::new(),
        }
    }

    /// A list of choices as a single line with nested lines.
    fn grouped(&self, node: &Node) -> Vec<Item> {
        let mut items = self.outline_node(Some(node));
        if items.len() > 1 {
            let rest = items.split_off(1);
            items[0].below.extend(rest);
        }
        items
    }

    fn outline_consequence(&self, node: &Node) -> Vec<Item> {
        let Some(call) = call(node) else {
            return Vec::new();
        };
        let sentence = self.consequence_of(&call);
        if sentence.len() <= SENTENCE {
            return vec![Item::line(sentence)];
        }
        match call.name.as_str() {
            "and" | "or" | "append" => call
                .parts()
                .iter()
                .flat_map(|part| self.outline_consequence(part))
                .collect(),
            "if" => {
                let condition = self.first_condition(&call);
                let yes = call
                    .nth(1)
                    .map_or_else(Vec::new, |part| self.outline_consequence(part));
                let mut items = vec![under(&format!("if {condition}"), yes)];
                if let Some(other) = call.nth(2) {
                    items.push(under("otherwise", self.outline_consequence(other)));
                }
                items
            }
            _ => vec![Item::line(sentence)],
        }
    }
}

/// Nests lines below another. A single short one continues its line.
fn under(text: &str, below: Vec<Item>) -> Item {
    match below.as_slice() {
        [only] if only.below.is_empty() && text.len() + only.text.len() <= SENTENCE + 40 => {
            let comma = if text == "then" { "" } else { "," };
            Item::line(format!("{text}{comma} {}", only.text))
        }
        _ => Item::over(text, below),
    }
}
