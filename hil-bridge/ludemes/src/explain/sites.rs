//! The words for single sites.

use super::view::{Call, call, list};
use super::{Speaker, To, values};
use crate::tree::{Kind, Node};

impl Speaker {
    /// True if a call is a single site.
    pub(super) fn is_site(&self, call: &Call) -> bool {
        matches!(
            call.name.as_str(),
            "to" | "from"
                | "between"
                | "site"
                | "last To"
                | "last From"
                | "centrePoint"
                | "ahead"
                | "coord"
                | "handSite"
                | "mapEntry"
                | "where"
                | "value"
        )
    }

    /// Names a single site.
    pub(super) fn site(&self, node: &Node) -> String {
        match &node.kind {
            Kind::Text(text) => text.clone(),
            Kind::Number(number) => format!("{} {number}", self.board.site),
            Kind::Fraction(number) => number.to_string(),
            Kind::Word(role) => values::player(role),
            Kind::Set(nodes) => list(
                &nodes.iter().map(|node| self.site(node)).collect::<Vec<_>>(),
                "and",
            ),
            Kind::Call(_) => call(node).map_or_else(String::new, |call| self.site_of(&call)),
        }
    }

    /// The words for `(to)` in the current context.
    pub(super) fn to(&self) -> String {
        match self.to.get() {
            To::Target => "the target".to_owned(),
            To::Each => format!("that {}", self.board.site),
            To::End => "it".to_owned(),
        }
    }

    pub(super) fn site_of(&self, call: &Call) -> String {
        let site = self.board.site;
        match call.name.as_str() {
            "to" if call.first().is_none() => self.to(),
            "from" if call.first().is_none() => format!("the {site} it leaves"),
            "between" => format!("the {site} in between"),
            "site" | "value" => format!("that {site}"),
            "last To" => format!("the {site} of the last move"),
            "last From" => format!("the {site} where the last move began"),
            "centrePoint" => format!("the middle {site}"),
            "ahead" => {
                let from = call
                    .first()
                    .map_or_else(|| format!("that {site}"), |from| self.site(from));
                let steps = call.named("steps").map_or_else(
                    || "one step".to_owned(),
                    |steps| format!("{} steps", self.number(steps)),
                );
                format!("the {site} {steps}{} from {from}", self.ways(call))
            }
            "coord" => match call.texts().next() {
                Some(name) => name.to_owned(),
                None => {
                    let part = |name| match call.named(name).map(|number| self.number(number)) {
                        // Rows and columns are numbered from 0 in the language.
                        Some(number) => number
                            .parse::<i64>()
                            .map_or(number, |number| (number + 1).to_string()),
                        None => "1".to_owned(),
                    };
                    format!("row {}, column {}", part("row"), part("column"))
                }
            },
            "handSite" => match call.first().and_then(Node::word) {
                Some(role) => format!("{} hand", values::of_player(role)),
                None => "a hand".to_owned(),
            },
            "mapEntry" => {
                let key = call.arguments().filter(|node| node.text().is_none()).last();
                let key = key.map_or_else(|| "that".to_owned(), |key| self.value(key));
                match call.texts().next() {
                    Some(map) => format!("what “{map}” has for {key}"),
                    None => format!("what the map has for {key}"),
                }
            }
            "where" => match (call.texts().next(), call.words().next()) {
                (Some(name), Some(role)) => format!(
                    "the {site} of {} {}",
                    values::of_player(role),
                    values::spelled(name)
                ),
                _ => self.fallback_of(call),
            },
            "if" => self.choice(call, |node| self.site(node)),
            _ if self.is_region(call) => self.region_of(call),
            _ if self.is_site(call) => self.fallback_of(call),
            _ => self.value(call.node),
        }
    }
}
