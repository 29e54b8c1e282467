//! The words for moves, as instructions: "put a piece on an empty cell".

use super::view::{Call, call, list};
use super::{Speaker, To, values};
use crate::tree::Node;

impl Speaker {
    /// Explains the moves of a node.
    fn moves(&self, node: &Node) -> String {
        call(node).map_or_else(|| self.value(node), |call| self.moves_of(&call))
    }

    pub(super) fn moves_of(&self, call: &Call) -> String {
        let words = self.moves_alone(call);
        match call.child("then") {
            Some(then) => format!("{words}; then {}", self.consequences(&then)),
            None => words,
        }
    }

    pub(super) fn moves_alone(&self, call: &Call) -> String {
        let parts = || {
            call.parts()
                .iter()
                .map(|part| self.moves(part))
                .collect::<Vec<_>>()
        };
        match call.name.as_str() {
            "move" => self.relocate(call),
            "move Add" => self.put(call),
            "move Step" | "step" => self.step(call),
            "move Slide" | "slide" => self.slide(call),
            "move Hop" | "hop" => self.hop(call),
            "move Leap" | "leap" => self.leap(call),
            "move Shoot" => {
                let piece = call
                    .child("piece")
                    .map_or_else(|| "a piece".to_owned(), |piece| self.piece(&piece));
                format!(
                    "with the piece that has just moved, shoot {piece} along a line of empty {}s",
                    self.board.site
                )
            }
            "move Select" => match call.child("from") {
                Some(from) => format!("choose {}", self.origin(&from)),
                None => format!("choose a {}", self.board.site),
            },
            "move Remove" => match call.calls().find(|part| part.name != "then") {
                Some(what) => format!("take off {}", self.one_of(&what)),
                None => "take off a piece".to_owned(),
            },
            "move Promote" => {
                let piece = call
                    .child("piece")
                    .map_or_else(|| "another piece".to_owned(), |piece| self.piece(&piece));
                format!("turn the piece on {} into {piece}", self.first_site(call))
            }
            "move Pass" => "pass".to_owned(),
            "forEach Piece" => self.each_piece(call),
            "forEach Site" => self.each_site(call),
            "forEach Value" => {
                let inner = call.calls().find(|part| part.name != "range");
                let moves = inner.map_or_else(String::new, |inner| self.moves_of(&inner));
                format!("{}: {moves}", self.each_number(call))
            }
            "or" => parts().join(", or "),
            "and" | "append" | "seq" => parts().join(", and "),
            "priority" => parts().join("; if that cannot be done, "),
            "if" => self.moves_if(call),
            "do" => self.do_moves(call),
            "custodial" | "enclose" | "intervene" | "surround" => self.consequence_of(call),
            _ if self.is_consequence(call) => self.consequence_of(call),
            _ => self.fallback_of(call),
        }
    }

    fn first_site(&self, call: &Call) -> String {
        let site = call.calls().find(|part| self.is_site(part));
        site.map_or_else(
            || format!("that {}", self.board.site),
            |site| self.site(site.node),
        )
    }

    fn put(&self, call: &Call) -> String {
        let piece = match call.child("piece") {
            Some(piece) => self.piece(&piece),
            None => "a piece".to_owned(),
        };
        let on = if call.named("stack").is_some() {
            "on top of what is on"
        } else {
            "on"
        };
        match call.child("to") {
            Some(to) => format!("put {piece} {on} {}", self.goal(&to)),
            None => format!("put {piece} on the board"),
        }
    }

    fn relocate(&self, call: &Call) -> String {
        let from = call.child("from").filter(|from| from.first().is_some());
        let verb = if call.named("copy").is_some() {
            "double"
        } else {
            "move"
        };
        let from = match from {
            Some(from) => match self.origin(&from).as_str() {
                from if from.ends_with("hand") => format!("a piece from {from}"),
                from if from.contains("pieces") => format!(
                    "one of {}",
                    from.split_once(" of ").map_or(from, |(_, rest)| rest)
                ),
                from => format!("a piece from {from}"),
            },
            None => "the piece".to_owned(),
        };
        match call.child("to") {
            Some(to) => format!("{verb} {from} to {}", self.goal(&to)),
            None => format!("{verb} {from}"),
        }
    }

    fn origin(&self, from: &Call) -> String {
        let any = from
            .first()
            .map_or_else(|| "a piece".to_owned(), |region| self.any_of(region));
        let which = from
            .named("if")
            .map(|condition| format!(" where {}", self.condition(condition)));
        format!("{any}{}", which.unwrap_or_default())
    }

    /// The target of a move: any site of a region, or any site that fulfils a condition.
    fn goal(&self, to: &Call) -> String {
        let region = to.arguments().find(|node| {
            call(node).is_none_or(|call| call.name != "apply") && node.word().is_none()
        });
        let condition = to.named("if").and_then(call);
        let any = match (region, condition) {
            (Some(region), Some(condition)) if condition.name == "is Empty" => {
                let any = self.any_of(region);
                any.strip_prefix("a ").map_or_else(
                    || format!("{any} that is empty"),
                    |rest| format!("an empty {rest}"),
                )
            }
            (Some(region), Some(condition)) => format!(
                "{} where {}",
                self.any_of(region),
                self.condition_of(&condition)
            ),
            (Some(region), None) => self.any_of(region),
            (None, _) => self.target(to.named("if"), self.board.site),
        };
        format!("{any}{}", self.capture(to))
    }

    /// The effect on captured pieces, at the end of a move or along it.
    fn capture(&self, at: &Call) -> String {
        let Some(apply) = at.child("apply") else {
            return String::new();
        };
        let Some(effect) = apply.calls().next() else {
            return String::new();
        };
        let removes = |call: &Call| call.name == "remove";
        let taken = removes(&effect)
            || effect.name == "if"
                && effect.calls().nth(1).as_ref().is_some_and(removes)
                && effect.nth(2).is_none();
        match taken {
            true if at.name == "between" => ", which is taken".to_owned(),
            true => ", taking what stands there".to_owned(),
            false => format!(", and {}", self.consequence_of(&effect)),
        }
    }

    fn step(&self, call: &Call) -> String {
        let to = call.child("to");
        let target = to
            .as_ref()
            .map_or_else(|| format!("a {}", self.board.site), |to| self.goal(to));
        let ways = self.ways(call);
        match ways.as_str() {
            "" => format!("step to {}", neighbouring(&target)),
            ways => format!("step{ways} to {target}"),
        }
    }

    fn slide(&self, call: &Call) -> String {
        let ways = self.ways(call);
        let between = call.child("between");
        let distance = between.as_ref().and_then(|between| between.child("exact"));
        let distance = match distance.and_then(|exact| exact.first()) {
            Some(number) => format!(" exactly {} {}s", self.number(number), self.board.site),
            None => " any distance".to_owned(),
        };
        let over = between
            .as_ref()
            .and_then(|between| between.named("if"))
            .map(|condition| self.besides_empty(condition));
        let over = over
            .filter(|over| !over.is_empty())
            .map(|over| format!(" (only if {})", list(&over, "and")));
        let to = call.child("to").map(|to| match self.goal(&to) {
            target if target.starts_with(&format!("an empty {}", self.board.site)) => String::new(),
            _ if to.named("if").and_then(Node::word) == Some("True") => self.capture(&to),
            target => format!(", or until it comes to {target}"),
        });
        format!(
            "slide{ways}{distance} over empty {}s{}{}",
            self.board.site,
            over.unwrap_or_default(),
            to.unwrap_or_default()
        )
    }

    /// The parts of a condition except that the site is empty.
    fn besides_empty(&self, condition: &Node) -> Vec<String> {
        let Some(condition) = call(condition) else {
            return Vec::new();
        };
        let parts = if condition.name == "and" {
            condition.parts()
        } else {
            vec![condition.node]
        };
        let others = parts
            .into_iter()
            .filter(|part| call(part).is_none_or(|part| part.name != "is Empty"));
        others.map(|part| self.condition(part)).collect()
    }

    fn hop(&self, call: &Call) -> String {
        let ways = self.ways(call);
        let from = call.child("from").filter(|from| {
            from.first()
                .is_some_and(|site| self::call(site).is_some_and(|site| site.name == "last To"))
        });
        let who = if from.is_some() {
            "hop on with the same piece"
        } else {
            "hop"
        };
        let over = match call.child("between") {
            Some(between) => self.hopped_over(&between),
            None => String::new(),
        };
        let to = call.child("to").map_or_else(
            || format!("an empty {}", self.board.site),
            |to| self.goal(&to),
        );
        let who = if over.starts_with(" as far") {
            "go"
        } else {
            who
        };
        format!("{who}{ways}{over}, to {to}")
    }

    /// ` over a piece`, or ` as far as a number` where the length of the hop is given.
    fn hopped_over(&self, between: &Call) -> String {
        match between
            .child("exact")
            .and_then(|exact| exact.first())
            .and_then(call)
        {
            Some(less) if less.name == "-" => {
                let far = less
                    .first()
                    .map_or_else(String::new, |far| self.number(far));
                let over = between
                    .named("if")
                    .map(|condition| format!(" (only if {})", self.condition(condition)));
                format!(" as far as {far}{}", over.unwrap_or_default())
            }
            _ => format!(
                " over {}{}",
                self.hopped_piece(between),
                self.capture(between)
            ),
        }
    }

    fn hopped_piece(&self, between: &Call) -> String {
        match between.named("if").and_then(call) {
            Some(condition) if condition.name == "is Enemy" => "your opponent's piece".to_owned(),
            Some(condition) if condition.name == "is Friend" => "a piece of your own".to_owned(),
            Some(condition) if condition.name == "is Occupied" => "a piece".to_owned(),
            Some(condition) if is_fresh_enemy(&condition) => {
                "your opponent's piece that was not hopped over before".to_owned()
            }
            Some(condition) => format!(
                "a {} where {}",
                self.board.site,
                self.condition_of(&condition)
            ),
            None => "a piece".to_owned(),
        }
    }

    fn leap(&self, call: &Call) -> String {
        let walks: Vec<String> = call
            .parts_of_sets()
            .map(|walk| {
                walk.elements()
                    .iter()
                    .filter_map(Node::word)
                    .collect::<Vec<_>>()
                    .join(" ")
            })
            .collect();
        let how = match walks
            .iter()
            .map(String::as_str)
            .collect::<Vec<_>>()
            .as_slice()
        {
            ["F F R F", "F F L F"] => "like a knight".to_owned(),
            _ => format!("by the walk {}", list(&walks, "or")),
        };
        let to = call
            .child("to")
            .map_or_else(|| format!("a {}", self.board.site), |to| self.goal(&to));
        format!("leap {how} to {to}")
    }

    /// The owner of the pieces that move.
    pub(super) fn with_one_of(&self, call: &Call) -> String {
        format!("with one of {}", self.whose_pieces(call))
    }

    fn whose_pieces(&self, call: &Call) -> String {
        let names: Vec<String> = call
            .arguments()
            .flat_map(Node::elements)
            .filter_map(Node::text)
            .map(|name| values::plural(&values::spelled(name)))
            .collect();
        let whose = match call.words().next() {
            None | Some("Mover") => "your".to_owned(),
            Some(role) => values::of_player(role),
        };
        let which = if names.is_empty() {
            "pieces".to_owned()
        } else {
            list(&names, "or")
        };
        format!("{whose} {which}")
    }

    fn each_piece(&self, call: &Call) -> String {
        match call.calls().find(|part| part.name != "then") {
            Some(moves) => format!("{}, {}", self.with_one_of(call), self.moves_of(&moves)),
            None => format!("move one of {} as it may", self.whose_pieces(call)),
        }
    }

    fn each_site(&self, call: &Call) -> String {
        let region = call.first().map_or_else(
            || format!("any {}", self.board.site),
            |region| self.any_of(region),
        );
        let Some(inner) = call.calls().nth(1) else {
            return self.fallback_of(call);
        };
        let closes = self
            .first_line_of(&inner)
            .map(|line| self.consequence_of(&line));
        match closes {
            Some(line) => {
                let then = inner
                    .child("then")
                    .map(|then| format!("; then {}", self.consequences(&then)));
                format!(
                    "{}{}",
                    self.closing(&region, &line),
                    then.unwrap_or_default()
                )
            }
            None if self.is_consequence(&inner) || inner.name == "if" => {
                let all = call.first().map_or_else(
                    || format!("all {}s", self.board.site),
                    |region| self.region(region),
                );
                let all = all.strip_prefix("all ").map_or_else(
                    || format!("for each of {all}"),
                    |all| format!("for all {all}"),
                );
                format!(
                    "{all}, {}",
                    self.speaking_of(To::Each, || self.consequence_of(&inner))
                )
            }
            None => format!("for {region}: {}", self.moves_of(&inner)),
        }
    }

    /// Describes a site that completes rows.
    fn closing(&self, region: &str, line: &str) -> String {
        format!("choose {region} that closes such rows: {line}")
    }

    /// [`Speaker::closing`] for a call, with its consequences.
    pub(super) fn closing_rows<'a>(&self, call: &Call<'a>) -> Option<(String, Call<'a>)> {
        let region = self.any_of(call.first()?);
        let inner = call.calls().nth(1)?;
        let line = self.consequence_of(&self.first_line_of(&inner)?);
        Some((self.closing(&region, &line), inner.child("then")?))
    }

    fn first_line_of<'a>(&self, inner: &Call<'a>) -> Option<Call<'a>> {
        if inner.name == "append" {
            inner.child("custodial")
        } else {
            Some(inner.clone()).filter(|inner| inner.name == "custodial")
        }
    }

    fn moves_if(&self, call: &Call) -> String {
        let condition = self.first_condition(call);
        let yes = call
            .nth(1)
            .map_or_else(|| "nothing".to_owned(), |moves| self.moves(moves));
        let other = call
            .arguments()
            .nth(2)
            .filter(|node| self::call(node).is_none_or(|call| call.name != "then"));
        match other {
            Some(moves) => format!("if {condition}, {yes}; otherwise, {}", self.moves(moves)),
            None => format!("if {condition}, {yes}"),
        }
    }

    fn do_moves(&self, call: &Call) -> String {
        let first = call
            .first()
            .map_or_else(String::new, |moves| self.moves(moves));
        let next = call
            .named("next")
            .map(|moves| format!(", then {}", self.moves(moves)));
        let provided = call
            .named("ifAfterwards")
            .map(|condition| format!(" (only if afterwards {})", self.condition(condition)));
        format!(
            "{first}{}{}",
            next.unwrap_or_default(),
            provided.unwrap_or_default()
        )
    }

    /// The pieces that may be taken off, in the singular.
    fn one_of(&self, region: &Call) -> String {
        let words = self.any_of(region.node);
        let pieces = words
            .split_once(" of ")
            .filter(|(_, rest)| rest.starts_with("your ") && rest.contains("pieces"));
        match pieces {
            Some((_, pieces)) => format!("one of {pieces}"),
            None => format!("the piece on {words}"),
        }
    }
}

/// Turns `an empty cell` into `a neighbouring empty cell`.
fn neighbouring(target: &str) -> String {
    let noun = target
        .strip_prefix("an ")
        .or_else(|| target.strip_prefix("a "));
    noun.map_or_else(
        || target.to_owned(),
        |noun| format!("a neighbouring {noun}"),
    )
}

/// True if a condition requires an enemy's piece that has not been captured yet.
fn is_fresh_enemy(condition: &Call) -> bool {
    let parts: Vec<Call> = condition.calls().collect();
    let fresh = |part: &Call| {
        part.name == "not"
            && part
                .calls()
                .any(|inner| inner.calls().any(|region| region.name == "sites ToClear"))
    };
    condition.name == "and"
        && matches!(parts.as_slice(), [one, other] if fresh(one) && other.name == "is Enemy")
}
