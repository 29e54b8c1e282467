//! The words for conditions, as a clause after "if".

use super::values::{self, bare};
use super::view::{Call, call, list};
use super::{Speaker, shapes};
use crate::tree::{Kind, Node};

impl Speaker {
    /// Puts a condition in words.
    pub(super) fn condition(&self, node: &Node) -> String {
        match &node.kind {
            Kind::Call(_) => call(node).map_or_else(String::new, |call| self.condition_of(&call)),
            Kind::Word(word) if word == "True" => "always".to_owned(),
            Kind::Word(word) if word == "False" => "never".to_owned(),
            _ => self.value(node),
        }
    }

    /// The condition that a call begins with.
    pub(super) fn first_condition(&self, call: &Call) -> String {
        call.first()
            .map_or_else(String::new, |condition| self.condition(condition))
    }

    pub(super) fn condition_of(&self, call: &Call) -> String {
        let site = || {
            call.calls()
                .last()
                .map_or_else(|| "that".to_owned(), |site| self.site(site.node))
        };
        match call.name.as_str() {
            "and" => list(&self.different_parts(call), "and"),
            "or" => alternatives(&self.different_parts(call)),
            "not" => call
                .first()
                .map_or_else(String::new, |part| self.negated(part)),
            "=" => self.equal(call, "is", "are"),
            "!=" => self.equal(call, "is not", "are not"),
            "<" => self.compared(call, "is less than"),
            "<=" => self.compared(call, "is at most"),
            ">" => self.compared(call, "is more than"),
            ">=" => self.compared(call, "is at least"),
            "is Empty" => format!("{} is empty", site()),
            "is Occupied" => format!("{} is occupied", site()),
            "is Full" => "the board is full".to_owned(),
            "is In" => self.within(call, "is"),
            "is Enemy" => self.owned(call, "your opponent's"),
            "is Friend" => self.owned(call, "your own"),
            "is Mover" => self.on_turn(call, "your own", "is on turn"),
            "is Next" => self.on_turn(call, "your opponent's", "is on turn next"),
            "is Prev" => self.moved_last(call),
            "is Even" => self.parity(call, "even"),
            "is Odd" => self.parity(call, "odd"),
            "is Line" => self.line(call),
            "is Pattern" => self.pattern(call),
            "is Connected" => self.connected(call),
            "is Loop" => "your last piece closes a ring".to_owned(),
            "is Within" => format!("{} is in {}", self.subject(call), self.place_of(call)),
            "is Threatened" => self.threatened(call),
            "is Flat" => self.flat(call),
            "is Target" => self.listed(call),
            "is Visited" => format!("{} was visited in this turn", site()),
            "is Pending" => "something is pending from the last turn".to_owned(),
            "is Triggered" => triggered(call),
            "no Moves" => {
                values::verb(
                    call.first().and_then(Node::word).unwrap_or("Next"),
                    "cannot",
                ) + " move"
            }
            "no Pieces" => self.no_pieces(call),
            "can Move" => self.can_move(call),
            "all Sites" => self.everywhere(call),
            "all Passed" => "all players have passed one after the other".to_owned(),
            "if" => self
                .same_region(call)
                .unwrap_or_else(|| self.choice(call, |node| self.condition(node))),
            _ => self.fallback_of(call),
        }
    }

    /// The words of each part. Two nodes that form the same shape need only one
    /// description.
    fn different_parts(&self, call: &Call) -> Vec<String> {
        let parts = call.parts();
        let mut parts: Vec<String> = parts.iter().map(|part| self.condition(part)).collect();
        let mut seen = std::collections::HashSet::new();
        parts.retain(|part| seen.insert(part.clone()));
        parts
    }

    fn moved_last(&self, call: &Call) -> String {
        match call.first().and_then(Node::word) {
            Some("Mover") => "it is still your turn".to_owned(),
            Some(role) => format!("{} moved last", values::player(role)),
            None => self.on_turn(call, "the player's before", "moved last"),
        }
    }

    fn threatened(&self, call: &Call) -> String {
        let at = call.named("at").map(|at| format!(" on {}", self.site(at)));
        format!(
            "{} could be captured{}",
            self.subject(call),
            at.unwrap_or_default()
        )
    }

    fn no_pieces(&self, call: &Call) -> String {
        let role = call.words().next().unwrap_or("Player");
        let kind = call
            .texts()
            .next()
            .map_or_else(|| "piece".to_owned(), values::spelled);
        let place = call
            .named("in")
            .map(|region| format!(" in {}", self.region(region)));
        format!(
            "{} no {kind} left{}",
            values::verb(role, "have"),
            place.unwrap_or_default()
        )
    }

    fn can_move(&self, call: &Call) -> String {
        match call.calls().next() {
            Some(moves) => format!("you can {}", self.moves_of(&moves)),
            None => "you can move".to_owned(),
        }
    }

    /// The opposite of a condition.
    fn negated(&self, node: &Node) -> String {
        let Some(call) = call(node) else {
            return format!("not {}", self.condition(node));
        };
        let words = self.condition_of(&call);
        match call.name.as_str() {
            "is Enemy" | "is Friend" if call.first().is_some() => match owner_at(&call) {
                Some(at) => {
                    let whose = if call.name == "is Enemy" {
                        "your opponent"
                    } else {
                        "yours"
                    };
                    format!("no piece of {whose} is on {}", self.site(at))
                }
                None => words.replacen(" is ", " is not ", 1),
            },
            "is Prev" if call.first().and_then(Node::word) == Some("Mover") => {
                "it is a new turn".to_owned()
            }
            "is Empty" | "is Occupied" | "is In" | "is Mover" | "is Next" | "is Within" => {
                words.replacen(" is ", " is not ", 1)
            }
            "is Threatened" => words.replacen(" could ", " could not ", 1),
            "is Visited" => words.replacen(" was ", " was not ", 1),
            "can Move" => words.replacen("can ", "cannot ", 1),
            "is Line" if call.named("through").is_some() => words.replacen(" is ", " is not ", 1),
            "all Sites" => format!("not {words}"),
            _ => format!("it is not so that {words}"),
        }
    }

    fn equal(&self, call: &Call, is: &str, are: &str) -> String {
        let parts = call.parts();
        if let [one, other] = parts.as_slice() {
            for (one, other) in [(one, other), (other, one)] {
                if let Some(words) = self.known_equality(one, other, is) {
                    return words;
                }
            }
            let regions = [one, other]
                .iter()
                .all(|part| super::view::call(part).is_some_and(|part| self.is_region(&part)));
            let is = if regions { are } else { is };
            let (one, other) = if matches!(one.kind, Kind::Number(_)) {
                (other, one)
            } else {
                (one, other)
            };
            let one = self.value(one);
            let is = if one == "you" { are } else { is };
            return format!("{one} {is} {}", self.value(other));
        }
        parts
            .iter()
            .map(|part| self.value(part))
            .collect::<Vec<_>>()
            .join(&format!(" {is} "))
    }

    /// Equalities for which there is a better phrase.
    fn known_equality(&self, one: &Node, other: &Node, is: &str) -> Option<String> {
        let count = call(other)?;
        let none = matches!(one.kind, Kind::Number(0)) && is == "is";
        let single = matches!(one.kind, Kind::Number(1)) && is == "is";
        match count.name.as_str() {
            "count" | "count Cell" if none => {
                Some(format!("{} is empty", self.site(count.named("at")?)))
            }
            "count Sites" if none => {
                let region = count.named("in")?;
                let role = call(region)
                    .filter(|region| region.name == "sites Occupied")
                    .and_then(|region| region.named("by").and_then(Node::word));
                Some(match role {
                    Some(role) => format!("{} no piece left", values::verb(role, "have")),
                    None => format!("there are no {}", bare(&self.region(region))),
                })
            }
            "count Groups" if single => {
                let words = self.value(other);
                let whose = words
                    .strip_prefix("the number of groups of ")
                    .map(|rest| format!("all {rest}"));
                Some(format!(
                    "{} form one group",
                    whose.unwrap_or_else(|| "all pieces".to_owned())
                ))
            }
            "count Steps" if is == "is" => match one.kind {
                Kind::Number(steps) => {
                    let sites: Vec<String> =
                        count.calls().map(|part| self.site(part.node)).collect();
                    Some(format!(
                        "{} {} apart",
                        list(&sites, "and"),
                        if steps == 1 {
                            "is one step".to_owned()
                        } else {
                            format!("are {} steps", values::small(steps))
                        }
                    ))
                }
                _ => None,
            },
            "what" if is == "is" => {
                let kind = call(one).filter(|id| id.name == "id")?;
                Some(format!(
                    "{} is on {}",
                    self.value(kind.node),
                    self.site(count.named("at")?)
                ))
            }
            _ => None,
        }
    }

    fn compared(&self, call: &Call, than: &str) -> String {
        let parts = call.parts();
        match parts.as_slice() {
            [one, other] => {
                if let (
                    Some(count),
                    Kind::Number(number),
                    "is less than" | "is at most" | "is more than" | "is at least",
                ) = (
                    super::view::call(one).filter(|call| call.name.starts_with("count ")),
                    &other.kind,
                    than,
                ) {
                    let words = self.value(count.node);
                    return format!("{words} {than} {number}");
                }
                if let Some(words) = self.stack_compared(one, other, than) {
                    return words;
                }
                format!("{} {than} {}", self.value(one), self.value(other))
            }
            _ => self.fallback_of(call),
        }
    }

    /// `(< (size Stack at:x) 6)`: fewer than 6 pieces are on x.
    fn stack_compared(&self, one: &Node, other: &Node, than: &str) -> Option<String> {
        let stack = call(one).filter(|call| call.name == "size Stack")?;
        let number = match other.kind {
            Kind::Number(number) if number > 1 => number,
            _ => return None,
        };
        let number = values::small(number);
        let count = match than {
            "is less than" => format!("fewer than {number}"),
            "is at most" => format!("at most {number}"),
            "is more than" => format!("more than {number}"),
            "is at least" => format!("at least {number}"),
            _ => return None,
        };
        let site = self.site(stack.named("at")?);
        Some(format!("{count} pieces are on {site}"))
    }

    fn within(&self, call: &Call, is: &str) -> String {
        let parts = call.parts();
        match parts.as_slice() {
            [what, region] => {
                let region = self.region(region);
                match region.strip_prefix("where ") {
                    Some(place) => format!("{} {is} where {place}", self.site(what)),
                    None => format!("{} {is} in {region}", self.site(what)),
                }
            }
            _ => self.fallback_of(call),
        }
    }

    /// Explains `(is Enemy (who at:x))`.
    fn owned(&self, call: &Call, whose: &str) -> String {
        match (owner_at(call), call.first()) {
            (Some(at), _) => format!("{whose} piece is on {}", self.site(at)),
            (None, Some(value)) => {
                if let Some(state) = super::view::call(value).filter(|value| value.name == "state")
                {
                    let at = state
                        .named("at")
                        .map_or_else(|| "that".to_owned(), |at| self.site(at));
                    return format!("{whose} side is up on {at}");
                }
                format!("{} is {whose}", self.value(value))
            }
            (None, None) => self.fallback_of(call),
        }
    }

    fn on_turn(&self, call: &Call, whose: &str, is_on_turn: &str) -> String {
        if owner_at(call).is_some() {
            return self.owned(call, whose);
        }
        match call.first() {
            Some(who) => match super::view::call(who) {
                Some(next) if next.name == "next" && is_on_turn == "is on turn" => {
                    "the same player is on turn next".to_owned()
                }
                _ => format!("{} {is_on_turn}", self.value(who)),
            },
            None => self.fallback_of(call),
        }
    }

    fn parity(&self, call: &Call, parity: &str) -> String {
        let number = call
            .first()
            .map_or_else(|| "that".to_owned(), |number| self.number(number));
        format!("{number} is {parity}")
    }

    fn line(&self, call: &Call) -> String {
        let length = call
            .arguments()
            .find(|node| !matches!(node.kind, Kind::Word(_)));
        let length = length.map_or_else(
            || "some".to_owned(),
            |length| match length.kind {
                Kind::Number(number) => values::small(number),
                _ => self.number(length),
            },
        );
        let exact = call.named("exact").and_then(Node::word) == Some("True");
        let exactly = if exact { "exactly " } else { "" };
        let which = match call
            .words()
            .find(|word| !word.starts_with('P') && *word != "Mover")
        {
            Some("Orthogonal") => ", orthogonally",
            Some("Diagonal") => ", diagonally",
            _ => "",
        };
        let which = match call.named("byLevel").and_then(Node::word) {
            Some("True") => ", up and across",
            _ => which,
        };
        let on_condition = call
            .named("if")
            .map(|condition| format!(" where {}", self.condition(condition)));
        let on_condition = on_condition.unwrap_or_default();
        if let Some(region) = call.named("throughAny") {
            return format!(
                "there is a line of {exactly}{length} in {}{which}{on_condition}",
                self.region(region)
            );
        }
        let through = match call.named("through") {
            Some(site) => format!("{} is", self.site(site)),
            None => "your last piece is".to_owned(),
        };
        format!("{through} in a line of {exactly}{length}{which}{on_condition}")
    }

    fn pattern(&self, call: &Call) -> String {
        let walk: Vec<&str> = call.parts_of_sets().filter_map(Node::word).collect();
        match self
            .board
            .turns
            .and_then(|turns| shapes::name(&walk, turns))
        {
            Some(shape) => format!("your pieces form {shape}"),
            None => format!(
                "from the last piece on, pieces like it lie along the walk {} (F is forward, R and L are turns)",
                walk.join(" ")
            ),
        }
    }

    fn connected(&self, call: &Call) -> String {
        let count = call.arguments().find_map(|node| match node.kind {
            Kind::Number(number) => Some(values::small(number)),
            _ => None,
        });
        let of_board = match call.words().last() {
            Some("Sides") => Some("sides"),
            Some("SidesNoCorners") => Some("sides, not counting corners"),
            Some("Corners") => Some("corners"),
            _ => None,
        };
        if let Some(what) = of_board {
            return format!(
                "your pieces join {} {what}",
                count.unwrap_or_else(|| "all".to_owned())
            );
        }
        let regions: Vec<String> = call
            .parts_of_sets()
            .map(|region| self.region(region))
            .collect();
        if regions.is_empty() {
            let whose = call
                .words()
                .last()
                .map_or_else(|| "your".to_owned(), values::of_player);
            return format!("your pieces join {whose} regions");
        }
        format!("your pieces join {}", list(&regions, "and"))
    }

    /// A chain of choices that compares the regions of two sites.
    fn same_region(&self, choice: &Call) -> Option<String> {
        let pair = |node: &Node| {
            let inside = call(node).filter(|inside| inside.name == "is In")?;
            Some((self.site(inside.first()?), self.region(inside.nth(1)?)))
        };
        let (one, region) = pair(choice.first()?)?;
        let (other, same) = pair(choice.nth(1)?)?;
        let stem = region
            .trim_matches(['“', '”'])
            .trim_end_matches(|c: char| c.is_ascii_digit());
        (region == same && choice.nth(2).is_some())
            .then(|| format!("{one} and {other} are in the same “{stem}”"))
    }

    fn everywhere(&self, call: &Call) -> String {
        let region = call
            .first()
            .map_or_else(|| "the board".to_owned(), |region| self.region(region));
        let condition = call
            .named("if")
            .map_or_else(String::new, |condition| self.condition(condition));
        let that = format!("that {} ", self.board.site);
        match condition
            .strip_prefix(&that)
            .and_then(|rest| rest.strip_prefix("is "))
        {
            Some(rest) if region.ends_with("hand") => format!("{region} is {rest}"),
            Some(rest) => format!("{region} are {rest}"),
            None => format!("for each of {}, {condition}", bare(&region)),
        }
    }

    /// The piece that a condition describes.
    fn subject(&self, call: &Call) -> String {
        match call.first() {
            Some(piece) => match piece.text() {
                Some(name) => values::piece_name(name),
                None => self.value(piece),
            },
            None => "the piece".to_owned(),
        }
    }

    fn place_of(&self, call: &Call) -> String {
        let place = call.named("in").map(|region| self.region(region));
        place
            .or_else(|| call.named("at").map(|at| self.site(at)))
            .unwrap_or_else(|| "its place".to_owned())
    }

    /// A condition on a site, as words after "a cell": ` that is empty`.
    pub(super) fn target(&self, condition: Option<&Node>, site: &str) -> String {
        let Some(condition) = condition.and_then(call) else {
            return format!("a {site}");
        };
        match condition.name.as_str() {
            "is Empty" => format!("an empty {site}"),
            "is Enemy" if owner_at(&condition).is_some() => {
                format!("a {site} with your opponent's piece")
            }
            "not" => match condition.calls().next() {
                Some(inner) if inner.name == "is Friend" => {
                    format!("a {site} without a piece of yours")
                }
                _ => format!("a {site} where {}", self.condition_of(&condition)),
            },
            "or" if condition.parts().len() == 2 => {
                let targets: Vec<String> = condition
                    .parts()
                    .iter()
                    .map(|part| self.target(Some(part), site))
                    .collect();
                list(&targets, "or")
            }
            "and" => {
                let (empty, rest): (Vec<&Node>, Vec<&Node>) = condition
                    .parts()
                    .into_iter()
                    .partition(|part| call(part).is_some_and(|part| part.name == "is Empty"));
                let rest: Vec<String> = rest
                    .iter()
                    .flat_map(|part| part.elements())
                    .map(|part| self.condition(part))
                    .collect();
                let article = if empty.is_empty() { "a" } else { "an empty" };
                format!("{article} {site} where {}", list(&rest, "and"))
            }
            _ => format!("a {site} where {}", self.condition_of(&condition)),
        }
    }
}

/// Joins clauses by "or", with their common part written once.
fn alternatives(parts: &[String]) -> String {
    let words: Vec<Vec<&str>> = parts.iter().map(|part| part.split(' ').collect()).collect();
    let shortest = words.iter().map(Vec::len).min().unwrap_or(0);
    let alike = |at: &dyn Fn(&[&str]) -> String| {
        words
            .iter()
            .map(|words| at(words))
            .collect::<std::collections::HashSet<_>>()
            .len()
            == 1
    };
    let before = (0..shortest)
        .take_while(|place| alike(&|words| words[*place].to_owned()))
        .count();
    let after = (1..shortest - before.min(shortest))
        .take_while(|place| alike(&|words| words[words.len() - place].to_owned()))
        .count();
    if parts.len() < 2 || before < 3 {
        return list(parts, "or");
    }
    let middles: Vec<String> = words
        .iter()
        .map(|words| words[before..words.len() - after].join(" "))
        .collect();
    let end = words[0][words[0].len() - after..].join(" ");
    let space = if end.is_empty() { "" } else { " " };
    format!(
        "{} {}{space}{end}",
        words[0][..before].join(" "),
        list(&middles, "or")
    )
}

/// The site of `(who at:site)`, if a condition is about that.
fn owner_at<'a>(call: &Call<'a>) -> Option<&'a Node> {
    let who = call.calls().next().filter(|who| who.name == "who")?;
    who.named("at")
}

fn triggered(call: &Call) -> String {
    let what = call.texts().next().unwrap_or("it");
    format!(
        "“{what}” has happened to {}",
        call.words()
            .next()
            .map_or_else(|| "a player".to_owned(), values::player)
    )
}
