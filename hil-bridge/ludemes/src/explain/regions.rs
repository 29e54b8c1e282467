//! The words for regions, which are several sites.

use super::Speaker;
use super::values::{self, bare};
use super::view::{self, Call, call, list};
use crate::tree::{Kind, Node};

impl Speaker {
    /// True if a call is a region.
    pub(super) fn is_region(&self, call: &Call) -> bool {
        let head = call.name.split(' ').next().unwrap_or_default();
        matches!(
            head,
            "sites" | "expand" | "intersection" | "difference" | "union" | "forEach"
        )
    }

    /// Names a region, in the plural.
    pub(super) fn region(&self, node: &Node) -> String {
        match call(node) {
            Some(call) => self.region_of(&call),
            None => match &node.kind {
                Kind::Set(nodes) => list(
                    &nodes
                        .iter()
                        .map(|node| self.region(node))
                        .collect::<Vec<_>>(),
                    "and",
                ),
                _ => self.site(node),
            },
        }
    }

    pub(super) fn region_of(&self, call: &Call) -> String {
        let site = self.board.site;
        match call.name.as_str() {
            "sites Empty" => format!("the empty {site}s"),
            "sites Board" => format!("all {site}s"),
            "sites Occupied" => self.occupied(call),
            "sites Hand" => format!("{} hand", role(call)),
            "sites Top" => "the top row".to_owned(),
            "sites Bottom" => "the bottom row".to_owned(),
            "sites Left" => "the left column".to_owned(),
            "sites Right" => "the right column".to_owned(),
            "sites Centre" => format!("the {site}s in the middle"),
            "sites Corners" => "the corners".to_owned(),
            "sites Outer" => "the rim".to_owned(),
            "sites Row" | "sites Column" => self.row_or_column(call),
            "sites Phase" if self.first_number(call, 0) == "0" => {
                format!("the {site}s of the first colour")
            }
            "sites Phase" => format!("the {site}s of the second colour"),
            "sites State" => format!("the pieces in state {}", self.first_number(call, 0)),
            "sites Side" => format!(
                "the side at the {}",
                call.words()
                    .next()
                    .map_or("rim", |way| values::compass(way).unwrap_or(way))
            ),
            "sites ToClear" => "the pieces that are taken when the turn is over".to_owned(),
            "sites Start" => "where such a piece stood at the start".to_owned(),
            "sites Mover" | "sites Next" | "sites P1" | "sites P2" => region_of_role(call),
            "sites Around" => self.around(call),
            "sites Distance" => self.distant(call),
            "sites Direction" => self.line_through(call),
            "sites" => self.named_region(call),
            "expand" => self.expanded(call),
            "intersection" => self.common_region(call),
            "difference" => self.region_without(call),
            "union" => list(&self.each_region(call), "and"),
            "forEach" => self.filtered(call),
            "if" => self
                .numbered_choice(call)
                .unwrap_or_else(|| self.choice(call, |node| self.region(node))),
            _ if self.is_site(call) => self.site_of(call),
            _ => self.fallback_of(call),
        }
    }

    /// The words of each part.
    fn each_region(&self, call: &Call) -> Vec<String> {
        let parts = call.parts();
        parts.iter().map(|part| self.region(part)).collect()
    }

    fn row_or_column(&self, call: &Call) -> String {
        let line = call.name.trim_start_matches("sites ").to_lowercase();
        match call.calls().next() {
            Some(of) if of.name == line => self.value(of.node),
            Some(number) => {
                let number = self.value(number.node);
                format!("the {line} of {number}, counted from 0")
            }
            None => format!("{line} {}", self.first_number(call, 1)),
        }
    }

    fn around(&self, call: &Call) -> String {
        let site = self.board.site;
        let centre = call.calls().find(|part| part.name != "directions");
        let centre = centre.map_or_else(|| format!("that {site}"), |centre| self.site(centre.node));
        if call.words().any(|word| word == "Own") {
            return format!("your pieces next to {centre}");
        }
        let direct = if call.words().any(|word| word == "Orthogonal") {
            " orthogonally"
        } else {
            ""
        };
        let itself = if call.named("includeSelf").is_some() {
            format!("{centre} and ")
        } else {
            String::new()
        };
        format!(
            "{itself}the {site}s{direct} next to {}",
            if itself.is_empty() {
                centre.as_str()
            } else {
                "it"
            }
        )
    }

    fn line_through(&self, call: &Call) -> String {
        let from = call.named("from").map_or_else(
            || format!("that {}", self.board.site),
            |from| self.site(from),
        );
        format!("the line{} through {from}", self.ways(call))
    }

    fn common_region(&self, call: &Call) -> String {
        self.pieces_among(call.node)
            .or_else(|| self.corner(call))
            .unwrap_or_else(|| match self.each_region(call).as_slice() {
                [first, rest @ ..] => {
                    let rest = list(rest, "and");
                    format!("those of {first} that are also among {rest}")
                }
                [] => format!("no {}s", self.board.site),
            })
    }

    fn region_without(&self, call: &Call) -> String {
        self.neighbours(call)
            .unwrap_or_else(|| match self.each_region(call).as_slice() {
                [first, rest @ ..] => format!("{first} except {}", list(rest, "and")),
                [] => format!("no {}s", self.board.site),
            })
    }

    fn filtered(&self, call: &Call) -> String {
        let site = self.board.site;
        let region = call
            .first()
            .map_or_else(|| format!("the {site}s"), |region| self.region(region));
        format!("{region}{}", self.filter(call, site))
    }

    /// The filter of a `forEach`: `where ...`, or nothing without a filter.
    fn filter(&self, call: &Call, site: &str) -> String {
        let Some(condition) = call.named("if") else {
            return String::new();
        };
        let condition = self.condition(condition);
        match condition.strip_suffix(&format!(" are on that {site}")) {
            Some(what) => format!(" with {what}"),
            None => format!(" where {condition}"),
        }
    }

    fn first_number(&self, call: &Call, more: i64) -> String {
        match call.first().map(|node| &node.kind) {
            Some(Kind::Number(number)) => (number + more).to_string(),
            Some(_) => call
                .first()
                .map_or_else(String::new, |node| self.number(node)),
            None => String::new(),
        }
    }

    fn occupied(&self, call: &Call) -> String {
        let whose = call.named("by").map(|by| match by.word() {
            Some("All") => "all".to_owned(),
            Some(role) => values::of_player(role),
            None => format!("{}'s", self.value(by)),
        });
        let kind = call
            .named("component")
            .and_then(Node::text)
            .map_or_else(|| "piece".to_owned(), values::spelled);
        let at = match call.named("container") {
            Some(container) if container.text() == Some("Board") => " on the board",
            Some(_) => " in the hand",
            None => "",
        };
        format!(
            "{} {}{at}",
            whose.unwrap_or_else(|| "the".to_owned()),
            values::plural(&kind)
        )
    }

    /// The pieces in a region, which is described by its occupied sites or is a region
    /// without its empty sites.
    pub(super) fn pieces_among(&self, node: &Node) -> Option<String> {
        let call = call(node)?;
        let parts = call.parts();
        let is = |part: &Node, name: &str| view::call(part).is_some_and(|part| part.name == name);
        let others = |name: &str| {
            parts
                .iter()
                .filter(|part| !is(part, name))
                .map(|part| self.region(part))
                .collect::<Vec<_>>()
        };
        match call.name.as_str() {
            "intersection" => {
                let occupied = parts.iter().find_map(|part| {
                    view::call(part).filter(|part| part.name == "sites Occupied")
                })?;
                let pieces = match occupied.named("by").and_then(Node::word) {
                    Some("All") => "the pieces".to_owned(),
                    _ => self.occupied(&occupied),
                };
                Some(format!(
                    "{pieces} on {}",
                    list(&others("sites Occupied"), "and")
                ))
            }
            "difference" if parts.len() == 2 && is(parts[1], "sites Empty") => {
                Some(format!("the pieces on {}", self.region(parts[0])))
            }
            _ => None,
        }
    }

    /// The site at the rim where a row and a column meet.
    fn corner(&self, call: &Call) -> Option<String> {
        let parts: Vec<String> = call.calls().map(|part| part.name).collect();
        match parts
            .iter()
            .map(String::as_str)
            .collect::<Vec<_>>()
            .as_slice()
        {
            [
                row @ ("sites Top" | "sites Bottom"),
                column @ ("sites Left" | "sites Right"),
            ] => {
                let end = |name: &str| name.trim_start_matches("sites ").to_lowercase();
                Some(format!("the corner at the {} {}", end(row), end(column)))
            }
            _ => None,
        }
    }

    /// The neighbours of a site, not including it.
    fn neighbours(&self, call: &Call) -> Option<String> {
        let parts = call.parts();
        let [around, centre] = parts.as_slice() else {
            return None;
        };
        let around = view::call(around).filter(|around| around.name == "expand")?;
        let from = around.named("origin")?;
        let inner = view::call(centre).filter(|centre| centre.name == "expand");
        let inner = inner.and_then(|inner| {
            inner
                .named("origin")
                .filter(|origin| origin.means_the_same(from))
        });
        let site = self.board.site;
        match (around.named("steps"), inner) {
            (None, None) if centre.means_the_same(from) => Some(format!(
                "the {site}s{} next to {}",
                self.ways(&around),
                self.site(from)
            )),
            (Some(steps), Some(_)) => Some(format!(
                "the {site}s {} steps from {}",
                self.number(steps),
                self.site(from)
            )),
            _ => None,
        }
    }

    /// Names a chain of choices by number between regions with the same numbering.
    fn numbered_choice(&self, choice: &Call) -> Option<String> {
        let mut next = Some(choice.clone());
        let (mut names, mut key) = (Vec::new(), None);
        while let Some(choice) = next.filter(|choice| choice.name == "if") {
            let condition = choice
                .first()
                .and_then(call)
                .filter(|condition| condition.name == "=")?;
            names.push(choice.nth(1).and_then(call)?.texts().next()?);
            let entry = condition
                .parts()
                .into_iter()
                .find(|part| matches!(part.kind, Kind::Call(_)))?;
            if key.is_some_and(|key: &Node| !key.means_the_same(entry)) {
                return None;
            }
            key = Some(entry);
            next = choice.nth(2).and_then(call);
        }
        let stem = names
            .first()?
            .trim_end_matches(|c: char| c.is_ascii_digit());
        let alike = names.len() > 2
            && names
                .iter()
                .all(|name| name.trim_end_matches(|c: char| c.is_ascii_digit()) == stem);
        alike.then(|| {
            format!(
                "“{stem}” with the number of {}",
                self.value(key.unwrap_or(choice.node))
            )
        })
    }

    fn named_region(&self, call: &Call) -> String {
        if let Some(name) = call.texts().next() {
            return format!("“{name}”");
        }
        let parts: Vec<&Node> = call.parts_of_sets().collect();
        let numbers: Option<Vec<i64>> = parts
            .iter()
            .map(|part| {
                if let Kind::Number(number) = part.kind {
                    Some(number)
                } else {
                    None
                }
            })
            .collect();
        if let Some(numbers) = numbers.filter(|numbers| numbers.len() > 2) {
            return format!("{}s {}", self.board.site, list(&ranges(&numbers), "and"));
        }
        if !parts.is_empty() {
            return list(
                &parts.iter().map(|part| self.site(part)).collect::<Vec<_>>(),
                "and",
            );
        }
        match call.calls().next() {
            Some(player) if player.name == "player" => {
                let who = player
                    .first()
                    .map_or_else(|| "a player".to_owned(), |who| self.value(who));
                format!("the region of {who}")
            }
            _ => self.fallback_of(call),
        }
    }

    fn expanded(&self, call: &Call) -> String {
        let steps = call
            .named("steps")
            .map_or_else(|| "1".to_owned(), |steps| self.number(steps));
        let origin = call.named("origin").map(|origin| self.site(origin));
        let inner = call.calls().next();
        if let Some(edge) = inner.as_ref().map(|inner| inner.name.as_str()) {
            let rows = match edge {
                "sites Top" => Some("top rows"),
                "sites Bottom" => Some("bottom rows"),
                "sites Left" => Some("left columns"),
                "sites Right" => Some("right columns"),
                _ => None,
            };
            if let (Some(rows), Ok(steps)) = (rows, steps.parse::<i64>()) {
                return format!("the {} {rows}", values::small(steps + 1));
            }
        }
        let region = inner.map(|region| self.region_of(&region));
        let around = origin
            .or(region)
            .unwrap_or_else(|| format!("that {}", self.board.site));
        let far = if steps == "1" {
            "what lies next to it".to_owned()
        } else {
            format!("what lies within {steps} steps")
        };
        format!("{around} and {far}")
    }

    /// Any site of a region, in the singular.
    pub(super) fn any_of(&self, node: &Node) -> String {
        let site = self.board.site;
        let Some(call) = call(node) else {
            return self.site(node);
        };
        match call.name.as_str() {
            "sites Empty" => format!("an empty {site}"),
            "sites Board" => format!("any {site}"),
            "sites Occupied"
                if call
                    .named("container")
                    .is_some_and(|container| container.text().is_none()) =>
            {
                "your hand".to_owned()
            }
            "forEach" => {
                let region = call
                    .first()
                    .map_or_else(|| format!("a {site}"), |region| self.any_of(region));
                format!("{region}{}", self.filter(&call, site))
            }
            "intersection" => {
                let (empty, rest): (Vec<&Node>, Vec<&Node>) =
                    call.parts().into_iter().partition(|part| {
                        view::call(part).is_some_and(|part| part.name == "sites Empty")
                    });
                let rest: Vec<String> = rest.iter().map(|part| self.region(part)).collect();
                match (empty.is_empty(), rest.as_slice()) {
                    (false, []) => format!("an empty {site}"),
                    (false, rest) => format!("an empty {site} among {}", list(rest, "and")),
                    (true, rest) => format!("a {site} of {}", rest.join(" that is also one of ")),
                }
            }
            "sites"
                if call.parts_of_sets().count() == 1
                    || call.texts().next().is_some()
                        && call.texts().next().is_some_and(is_coordinate) =>
            {
                bare(&self.region_of(&call))
                    .trim_matches(['“', '”'])
                    .to_owned()
            }
            _ if self.is_site(&call) => self.site_of(&call),
            "if" => match self.numbered_choice(&call) {
                Some(region) => format!("a {site} of {region}"),
                None => self.choice(&call, |node| self.any_of(node)),
            },
            _ => match self.region_of(&call).strip_prefix(&format!("the {site}s ")) {
                Some(rest) => format!("a {site} {rest}"),
                None => format!("a {site} of {}", self.region_of(&call)),
            },
        }
    }
}

/// Writes consecutive numbers as `0 to 2`.
fn ranges(numbers: &[i64]) -> Vec<String> {
    let mut ranges: Vec<(i64, i64)> = Vec::new();
    for number in numbers {
        match ranges.last_mut() {
            Some((_, last)) if *last + 1 == *number => *last = *number,
            _ => ranges.push((*number, *number)),
        }
    }
    let words = |(first, last): (i64, i64)| {
        if first == last {
            first.to_string()
        } else {
            format!("{first} to {last}")
        }
    };
    ranges.into_iter().map(words).collect()
}

fn is_coordinate(name: &str) -> bool {
    let (letters, digits) = name.split_at(
        name.find(|c: char| c.is_ascii_digit())
            .unwrap_or(name.len()),
    );
    letters.len() == 1 && !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit())
}

fn role(call: &Call) -> String {
    match call.first().and_then(Node::word) {
        Some(role) => values::of_player(role),
        None => "the".to_owned(),
    }
}

fn region_of_role(call: &Call) -> String {
    let role = call.name.split(' ').nth(1).unwrap_or("Mover");
    match call.texts().next() {
        Some(name) => format!("{} region “{name}”", values::of_player(role)),
        None => format!("{} region", values::of_player(role)),
    }
}
