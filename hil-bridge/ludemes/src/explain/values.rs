//! The words for players, pieces, numbers and directions.

use super::Speaker;
use super::view::{Call, call, list};
use crate::tree::{Kind, Node};

/// Names a player by role.
pub(super) fn player(role: &str) -> String {
    match role {
        "Mover" => "you".to_owned(),
        "Next" | "Enemy" | "NonMover" => "your opponent".to_owned(),
        "Prev" => "the player before".to_owned(),
        "Each" | "All" => "every player".to_owned(),
        "Player" => "that player".to_owned(),
        "Neutral" => "nobody".to_owned(),
        "Shared" => "everybody".to_owned(),
        "Friend" => "you or a friend".to_owned(),
        "TeamMover" => "your team".to_owned(),
        role => match role
            .strip_prefix('P')
            .filter(|rest| rest.bytes().all(|b| b.is_ascii_digit()))
        {
            Some(number) => format!("player {number}"),
            None => role.to_owned(),
        },
    }
}

/// The possessive of a player.
pub(super) fn of_player(role: &str) -> String {
    match role {
        "Mover" => "your".to_owned(),
        "Next" | "Enemy" | "NonMover" => "your opponent's".to_owned(),
        "All" | "Each" => "all players'".to_owned(),
        "Neutral" => "neutral".to_owned(),
        "Shared" => "shared".to_owned(),
        role => format!("{}'s", player(role)),
    }
}

/// Names a player, with a verb.
pub(super) fn verb(role: &str, verb: &str) -> String {
    let ending = match (role, verb) {
        ("Mover", _) => "",
        (_, "cannot") => "",
        (_, "have") => return format!("{} has", player(role)),
        _ => "s",
    };
    format!("{} {verb}{ending}", player(role))
}

/// Names a piece by its name in the text: `Disc1` is the disc of player 1.
pub(super) fn piece_name(name: &str) -> String {
    let (kind, owner) = kind_and_owner(name);
    format!("{}{owner}", with_article(&kind))
}

/// [`piece_name`] in the plural.
pub(super) fn piece_names(name: &str) -> String {
    let (kind, owner) = kind_and_owner(name);
    format!("{}{owner}", plural(&kind))
}

fn kind_and_owner(name: &str) -> (String, String) {
    let kind = name.trim_end_matches(|c: char| c.is_ascii_digit());
    let owner = match &name[kind.len()..] {
        "" | "0" => String::new(),
        number => format!(" of player {number}"),
    };
    (spelled(kind), owner)
}

/// Writes `DoubleCounter` as `double counter`.
pub(super) fn spelled(name: &str) -> String {
    let mut words = String::new();
    for character in name.chars() {
        if character.is_uppercase() && !words.is_empty() && !words.ends_with(' ') {
            words.push(' ');
        }
        words.extend(character.to_lowercase());
    }
    words
}

pub(super) fn plural(kind: &str) -> String {
    match kind {
        "man" => "men".to_owned(),
        kind if kind.ends_with(['s', 'x']) => format!("{kind}es"),
        kind => format!("{kind}s"),
    }
}

pub(super) fn with_article(noun: &str) -> String {
    let article = if noun.starts_with(['a', 'e', 'i', 'o', 'u']) {
        "an"
    } else {
        "a"
    };
    format!("{article} {noun}")
}

/// Writes a small number as a word.
pub(super) fn small(number: i64) -> String {
    let words = [
        "no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
        "eleven", "twelve",
    ];
    usize::try_from(number)
        .ok()
        .and_then(|place| words.get(place))
        .map_or_else(|| number.to_string(), |word| (*word).to_owned())
}

impl Speaker {
    /// Explains any node that is not a move.
    pub(super) fn value(&self, node: &Node) -> String {
        if let Some(number) = constant(node) {
            return number.to_string();
        }
        match &node.kind {
            Kind::Word(word) => player(word),
            Kind::Text(text) => format!("“{text}”"),
            Kind::Number(number) => number.to_string(),
            Kind::Fraction(number) => number.to_string(),
            Kind::Set(nodes) => list(
                &nodes
                    .iter()
                    .map(|node| self.value(node))
                    .collect::<Vec<_>>(),
                "and",
            ),
            Kind::Call(_) => match call(node) {
                Some(call) => self.value_of(&call),
                None => String::new(),
            },
        }
    }

    /// Puts a number in words.
    pub(super) fn number(&self, node: &Node) -> String {
        self.value(node)
    }

    /// The numbers of a loop.
    pub(super) fn each_number(&self, call: &Call) -> String {
        let range = call.child("range").map(|range| self.value(range.node));
        let end = |name| call.named(name).map(|end| self.number(end));
        let ends = || Some(format!("{} to {}", end("min")?, end("max")?));
        match range.or_else(ends) {
            Some(ends) => format!("for each number from {ends}"),
            None => "for each number".to_owned(),
        }
    }

    fn value_of(&self, call: &Call) -> String {
        let site = |name| self.site_named(call, name);
        let two = |between: &str| self.parts_joined(call, between);
        match call.name.as_str() {
            "+" => two(" plus "),
            "-" => self.difference(call),
            "*" => two(" times "),
            "/" => two(" divided by "),
            "%" => two(" modulo "),
            "min" => format!("the smaller of {}", two(" and ")),
            "max" => format!("the larger of {}", two(" and ")),
            "mover" => "you".to_owned(),
            "next" => "your opponent".to_owned(),
            "who" => format!("the owner of the piece on {}", site("at")),
            "what" => format!("the piece on {}", site("at")),
            "state" => format!("the state of the piece on {}", site("at")),
            "row" | "column" => format!("the {} of {}", call.name, site("of")),
            "id" => self.piece_of(call),
            "piece" => self.piece(call),
            "counter" => "the counter of moves".to_owned(),
            "score" => format!(
                "{} score",
                call.first()
                    .and_then(Node::word)
                    .map_or_else(|| "the".to_owned(), of_player)
            ),
            name if name == "count" || name.starts_with("count ") => self.count(call),
            "size Stack" => format!("the height of the stack on {}", site("at")),
            "size Group" => format!("the size of the group of {}", site("at")),
            "size Territory" => territory(call),
            "value" => "that number".to_owned(),
            "value Pending" => "what is pending".to_owned(),
            "value Random" => self.random(call),
            "var" => format!("the value “{}”", call.texts().next().unwrap_or("kept")),
            "range" => two(" to "),
            "exact" => two(""),
            "if" => self.choice(call, |node| self.value(node)),
            _ if self.is_region(call) || self.is_site(call) => self.site(call.node),
            _ => self.fallback_of(call),
        }
    }

    /// The site that a named argument says.
    fn site_named(&self, call: &Call, name: &str) -> String {
        call.named(name)
            .map_or_else(|| "the site".to_owned(), |site| self.site(site))
    }

    fn parts_joined(&self, call: &Call, between: &str) -> String {
        let parts: Vec<String> = call.parts().iter().map(|part| self.number(part)).collect();
        parts.join(between)
    }

    fn difference(&self, call: &Call) -> String {
        if call.parts().len() == 1 {
            return format!("minus {}", self.parts_joined(call, ""));
        }
        match call.nth(1).map(|node| &node.kind) {
            Some(Kind::Number(1)) => {
                let number = call.first().map(|number| self.number(number));
                format!("one less than {}", number.unwrap_or_default())
            }
            _ => self.parts_joined(call, " minus "),
        }
    }

    /// The words of `(count ...)`.
    fn count(&self, call: &Call) -> String {
        match call.name.as_str() {
            "count" | "count Cell" if call.named("at").is_some() => {
                format!("the number of pieces on {}", self.site_named(call, "at"))
            }
            "count Sites" | "count Cell" => self.count_of_sites(call),
            "count Pieces" => self.count_of_pieces(call),
            "count Moves" => "the number of moves made".to_owned(),
            "count MovesThisTurn" => "the number of moves made in this turn".to_owned(),
            "count Rows" => "the number of rows".to_owned(),
            "count Columns" => "the number of columns".to_owned(),
            "count Groups" => {
                let which = call.named("if").map(|condition| self.groups_of(condition));
                format!("the number of groups{}", which.unwrap_or_default())
            }
            "count Liberties" => format!(
                "the number of empty {}s next to the group of the last piece",
                self.board.site
            ),
            "count Steps" => {
                let sites: Vec<String> = call.calls().map(|part| self.site(part.node)).collect();
                format!("the number of steps from {}", sites.join(" to "))
            }
            _ => self.fallback_of(call),
        }
    }

    fn count_of_sites(&self, call: &Call) -> String {
        match call.named("in") {
            Some(region) => format!(
                "the number of {}",
                bare(
                    &self
                        .pieces_among(region)
                        .unwrap_or_else(|| self.region(region))
                )
            ),
            None => format!("the number of {}s", self.board.site),
        }
    }

    fn count_of_pieces(&self, call: &Call) -> String {
        let whose = call
            .words()
            .next()
            .map_or_else(String::new, |role| format!("{} ", of_player(role)));
        let where_ = call
            .named("in")
            .map(|region| format!(" on {}", self.region(region)));
        format!("the number of {whose}pieces{}", where_.unwrap_or_default())
    }

    fn random(&self, call: &Call) -> String {
        match call.child("range") {
            Some(range) => format!(
                "a random number from {}",
                range
                    .arguments()
                    .map(|end| self.number(end))
                    .collect::<Vec<_>>()
                    .join(" to ")
            ),
            None => "a random number".to_owned(),
        }
    }

    /// `(if condition a b)` as words.
    pub(super) fn choice(&self, call: &Call, say: impl Fn(&Node) -> String) -> String {
        let condition = self.first_condition(call);
        let yes = call.nth(1).map_or_else(String::new, &say);
        match call.nth(2) {
            Some(other) => format!("{yes} if {condition}, otherwise {}", say(other)),
            None => format!("{yes} if {condition}"),
        }
    }

    /// ` of player 1`, from a condition on the owner of pieces.
    fn groups_of(&self, condition: &Node) -> String {
        let owner = call(condition)
            .filter(|condition| condition.name == "=")
            .and_then(|condition| {
                let role = condition.arguments().find_map(Node::word)?;
                Some(format!(
                    " of {}",
                    if role == "Mover" {
                        "your pieces".to_owned()
                    } else {
                        format!("pieces of {}", player(role))
                    }
                ))
            });
        owner.unwrap_or_else(|| format!(" where {}", self.condition(condition)))
    }

    /// `(id "King" Mover)`, in the plural.
    pub(super) fn pieces_of(&self, id: &Call) -> String {
        match (id.texts().next(), id.words().next()) {
            (Some(name), None) => piece_names(name),
            (Some(name), Some(role)) => format!("{} {}", of_player(role), plural(&spelled(name))),
            _ => self.piece_of(id),
        }
    }

    /// `(id "King" Mover)`, in the singular.
    fn piece_of(&self, id: &Call) -> String {
        match (id.texts().next(), id.words().next()) {
            (Some(name), Some(role)) => format!("{} {}", of_player(role), spelled(name)),
            (Some(name), None) => piece_name(name),
            (None, Some(role)) => player(role),
            (None, None) => "the piece".to_owned(),
        }
    }

    /// `(piece "Disc")`, `(piece {"Queen" "Rook"})`.
    pub(super) fn piece(&self, piece: &Call) -> String {
        let names: Vec<String> = piece
            .arguments()
            .flat_map(Node::elements)
            .filter_map(Node::text)
            .map(piece_name)
            .collect();
        let names = if names.is_empty() {
            piece.calls().map(|value| self.value_of(&value)).collect()
        } else {
            names
        };
        let state = piece
            .named("state")
            .map(|state| match self.number(state).as_str() {
                "you" => " with your side up".to_owned(),
                state => format!(" in state {state}"),
            });
        format!("{}{}", list(&names, "or"), state.unwrap_or_default())
    }

    /// Directions, as an adverb after a space.
    pub(super) fn ways(&self, call: &Call) -> String {
        let direct = call.words().map(str::to_owned);
        let sets = call.child("directions").map(|directions| {
            let words = directions
                .arguments()
                .flat_map(Node::elements)
                .filter_map(Node::word);
            words.map(str::to_owned).collect::<Vec<_>>()
        });
        let all: Vec<String> = direct.chain(sets.unwrap_or_default()).collect();
        if all.len() == 2 && all.contains(&"FR".to_owned()) && all.contains(&"FL".to_owned()) {
            return " slantwise ahead".to_owned();
        }
        let words: Vec<String> = all
            .iter()
            .filter_map(|way| way_words(way))
            .map(str::to_owned)
            .collect();
        if words.is_empty() {
            String::new()
        } else {
            format!(" {}", list(&words, "or"))
        }
    }
}

/// The value of an expression that only contains numbers.
fn constant(node: &Node) -> Option<i64> {
    if let Kind::Number(number) = node.kind {
        return Some(number);
    }
    let call =
        call(node).filter(|call| matches!(call.name.as_str(), "+" | "-" | "*" | "/" | "%"))?;
    let parts: Option<Vec<i64>> = call.parts().into_iter().map(constant).collect();
    let parts = parts?;
    match (call.name.as_str(), parts.as_slice()) {
        ("+", parts) => parts
            .iter()
            .try_fold(0i64, |sum, part| sum.checked_add(*part)),
        ("*", parts) => parts
            .iter()
            .try_fold(1i64, |product, part| product.checked_mul(*part)),
        ("-", [one]) => one.checked_neg(),
        ("-", [one, other]) => one.checked_sub(*other),
        ("/", [one, other]) => one.checked_div(*other),
        ("%", [one, other]) => one.checked_rem(*other),
        _ => None,
    }
}

fn territory(call: &Call) -> String {
    let whose = call
        .words()
        .next()
        .map_or_else(|| "the".to_owned(), of_player);
    format!("{whose} territory")
}

/// Removes the article from words.
pub(super) fn bare(words: &str) -> String {
    words.strip_prefix("the ").unwrap_or(words).to_owned()
}

fn way_words(way: &str) -> Option<&'static str> {
    Some(match way {
        "Orthogonal" => "orthogonally",
        "Diagonal" => "diagonally",
        "All" | "Adjacent" => "in any direction",
        "Rotational" => "around a ring",
        "SameDirection" => "in the same direction",
        "Forward" => "straight ahead",
        "Forwards" => "ahead",
        "Backward" => "straight back",
        "Backwards" => "back",
        "Leftward" => "to the left",
        "Rightward" => "to the right",
        "FR" => "ahead to the right",
        "FL" => "ahead to the left",
        "BR" => "back to the right",
        "BL" => "back to the left",
        _ => return compass(way),
    })
}

/// The name of a direction of the compass.
pub(super) fn compass(way: &str) -> Option<&'static str> {
    Some(match way {
        "N" => "north",
        "NE" => "north-east",
        "E" => "east",
        "SE" => "south-east",
        "S" => "south",
        "SW" => "south-west",
        "W" => "west",
        "NW" => "north-west",
        _ => return None,
    })
}
