//! The words for the consequences of a move, as clauses: "the piece there is taken".

use super::view::{Call, call, list};
use super::{Speaker, To, values};
use crate::tree::Node;

impl Speaker {
    /// True if a call describes a consequence rather than a player's action.
    pub(super) fn is_consequence(&self, call: &Call) -> bool {
        matches!(
            call.name.as_str(),
            "remove"
                | "add"
                | "addScore"
                | "moveAgain"
                | "promote"
                | "flip"
                | "fromTo"
                | "trigger"
                | "allCombinations"
        ) || call.name.starts_with("set ")
    }

    /// Explains all consequences of a move.
    pub(super) fn consequences(&self, then: &Call) -> String {
        let all: Vec<String> = then
            .parts()
            .iter()
            .map(|part| self.consequence(part))
            .collect();
        list(&all, "and")
    }

    fn consequence(&self, node: &Node) -> String {
        call(node).map_or_else(|| self.value(node), |call| self.consequence_of(&call))
    }

    pub(super) fn consequence_of(&self, call: &Call) -> String {
        let words = match call.name.as_str() {
            "and" | "or" | "append" | "allCombinations" => self.all_of(call),
            "if" => self.consequence_if(call),
            "remove" => self.removed(call),
            "add" => self.added(call),
            "addScore" => self.score_added(call),
            "moveAgain" => "you move again".to_owned(),
            "promote" => self.promoted(call),
            "flip" => self.flipped(call),
            "fromTo" => self.carried(call),
            "trigger" => trigger(call),
            set if set.starts_with("set ") => self.value_set(call),
            "forEach Site" => self.for_each_site(call),
            "forEach Value" => self.for_each_value(call),
            "custodial" => self.custodial(call),
            "enclose" => format!(
                "groups of {} without an empty {} beside them {}",
                self.pieces_between(call),
                self.board.site,
                self.effect(call)
            ),
            "surround" => format!(
                "{} with {} on every side {}",
                self.pieces_between(call),
                self.other_end(call),
                self.effect(call)
            ),
            "intervene" => format!(
                "where {} stands on both sides of it, both are taken off",
                self.other_end(call)
            ),
            _ if self.is_consequence(call) => self.fallback_of(call),
            _ => return self.moves_of(call),
        };
        match call
            .child("then")
            .filter(|_| self.is_consequence(call) || call.name == "custodial")
        {
            Some(then) => format!("{words}, and {}", self.consequences(&then)),
            None => words,
        }
    }

    fn all_of(&self, call: &Call) -> String {
        let parts = call.parts();
        let parts: Vec<String> = parts.iter().map(|part| self.consequence(part)).collect();
        list(&parts, "and")
    }

    fn score_added(&self, call: &Call) -> String {
        let who = call.words().next().unwrap_or("Mover");
        format!(
            "{} {}",
            values::verb(who, "score"),
            self.nth_number(call, 1)
        )
    }

    fn flipped(&self, call: &Call) -> String {
        let site = call.first().map_or_else(
            || format!("that {}", self.board.site),
            |site| self.site(site),
        );
        format!("the piece on {site} is turned over")
    }

    fn for_each_value(&self, call: &Call) -> String {
        let inner = call.calls().find(|part| part.name != "range");
        let inner = inner.map_or_else(String::new, |inner| self.consequence_of(&inner));
        format!("{}, {inner}", self.each_number(call))
    }

    fn nth_number(&self, call: &Call, place: usize) -> String {
        call.nth(place)
            .map_or_else(String::new, |number| self.number(number))
    }

    fn added(&self, call: &Call) -> String {
        let piece = call
            .child("piece")
            .map_or_else(|| "a piece".to_owned(), |piece| self.piece(&piece));
        let to = call
            .child("to")
            .and_then(|to| to.first().map(|to| self.site(to)));
        format!(
            "{piece} is put on {}",
            to.unwrap_or_else(|| "the board".to_owned())
        )
    }

    fn promoted(&self, call: &Call) -> String {
        let piece = call
            .child("piece")
            .map_or_else(|| "another piece".to_owned(), |piece| self.piece(&piece));
        let site = call
            .calls()
            .find(|part| self.is_site(part))
            .map(|site| self.site(site.node));
        format!(
            "the piece on {} becomes {piece}",
            site.unwrap_or_else(|| "its place".to_owned())
        )
    }

    fn carried(&self, call: &Call) -> String {
        let end = |name: &str| {
            call.child(name)
                .and_then(|end| end.first().map(|site| self.site(site)))
        };
        let there = || "its place".to_owned();
        format!(
            "the piece on {} goes to {}",
            end("from").unwrap_or_else(there),
            end("to").unwrap_or_else(there)
        )
    }

    /// What a `set` changes, and to which value.
    fn value_set(&self, call: &Call) -> String {
        match call.name.as_str() {
            "set Score" => {
                let score = self.nth_number(call, 1);
                match call.words().next() {
                    Some("Each") => format!("every player's score becomes {score}"),
                    Some(role) => format!("{} score becomes {score}", values::of_player(role)),
                    None => self.fallback_of(call),
                }
            }
            "set State" => {
                let site = call
                    .named("at")
                    .map_or_else(|| "its place".to_owned(), |site| self.site(site));
                let state = self.nth_number(call, 0);
                format!("the state of the piece on {site} becomes {state}")
            }
            "set Counter" => "the counter of moves restarts".to_owned(),
            "set Pending" => match call.first() {
                Some(what) => format!("{} is pending for the next turn", self.site(what)),
                None => "something is pending for the next turn".to_owned(),
            },
            "set Var" => format!(
                "the value “{}” becomes {}",
                call.texts().next().unwrap_or("kept"),
                call.calls()
                    .next()
                    .map_or_else(String::new, |value| self.value(value.node))
            ),
            "set NextPlayer" => format!("{} is on turn next", self.nth_number(call, 0)),
            _ => self.fallback_of(call),
        }
    }

    fn for_each_site(&self, call: &Call) -> String {
        let region = call
            .first()
            .map_or_else(|| "the board".to_owned(), |region| self.region(region));
        let inner = call.calls().nth(1).map_or_else(String::new, |inner| {
            self.speaking_of(To::Each, || self.consequence_of(&inner))
        });
        match region.strip_prefix("all ") {
            Some(region) => format!("for all {region}, {inner}"),
            None => format!("for each of {region}, {inner}"),
        }
    }

    fn consequence_if(&self, call: &Call) -> String {
        let condition = self.first_condition(call);
        let yes = call
            .nth(1)
            .map_or_else(String::new, |part| self.consequence(part));
        match call.nth(2) {
            Some(other) => format!(
                "if {condition}, {yes}, otherwise {}",
                self.consequence(other)
            ),
            None => format!("if {condition}, {yes}"),
        }
    }

    fn removed(&self, call: &Call) -> String {
        let when = match call.named("at").and_then(Node::word) {
            Some("EndOfTurn") => " when the turn is over",
            _ => "",
        };
        let what = match call.calls().find(|part| part.name != "then") {
            Some(region) if self.is_region(&region) => format!("{} are", self.region_of(&region)),
            Some(site) => format!("the piece on {} is", self.site(site.node)),
            None => "the piece is".to_owned(),
        };
        format!("{what} taken off{when}")
    }

    /// Explains the capture of rows between two pieces.
    fn custodial(&self, call: &Call) -> String {
        let ways = match call.words().next() {
            Some("Orthogonal") => "orthogonal ",
            Some("Diagonal") => "diagonal ",
            _ => "",
        };
        let pieces = self.pieces_between(call);
        let most = call
            .child("between")
            .and_then(|between| between.child("max"));
        let rows = match most
            .and_then(|max| max.first())
            .map(|most| self.number(most))
            .as_deref()
        {
            Some("1") => format!("single {pieces}"),
            Some(most) => format!("{ways}rows of at most {most} of {pieces}"),
            None => format!("{ways}rows of {pieces}"),
        };
        let from = match call
            .child("from")
            .and_then(|from| from.first())
            .and_then(self::call)
        {
            Some(from) if from.name != "last To" => self.site(from.node),
            _ => "the last piece".to_owned(),
        };
        format!(
            "{rows} between {from} and {} {}",
            self.other_end(call),
            self.effect(call)
        )
    }

    /// What happens to the pieces, as the end of a clause: `are taken off`.
    fn effect(&self, call: &Call) -> String {
        let apply = call
            .child("between")
            .and_then(|between| between.child("apply"));
        let Some(effect) = apply.and_then(|apply| apply.calls().next()) else {
            return "are taken off".to_owned();
        };
        let parts = match effect.name.as_str() {
            "and" | "allCombinations" => effect.parts(),
            _ => vec![effect.node],
        };
        let verb = |part: &Node| match self::call(part).map(|part| part.name).as_deref() {
            Some("remove") => Some("are taken off"),
            Some("flip") => Some("are turned over"),
            _ => None,
        };
        let verbs: Vec<&str> = parts.iter().filter_map(|part| verb(part)).collect();
        let others: Vec<String> = parts
            .iter()
            .filter(|part| verb(part).is_none())
            .map(|part| self.for_each_piece(part))
            .collect();
        match (verbs.first(), others.as_slice()) {
            (Some(verb), []) => (*verb).to_owned(),
            (Some(verb), others) => format!("{verb}, and {}", list(others, "and")),
            (None, others) => format!("are caught: {}", list(others, "and")),
        }
    }

    /// The effect that a loop repeats for each piece.
    fn for_each_piece(&self, part: &Node) -> String {
        let words = self.consequence(part);
        match call(part) {
            Some(score) if score.name == "addScore" => format!("{words} for each of them"),
            _ => words,
        }
    }

    /// The pieces that a capture is about.
    fn pieces_between(&self, capture: &Call) -> String {
        let condition = capture
            .child("between")
            .and_then(|between| between.named("if"))
            .and_then(call);
        let Some(condition) = condition else {
            return "pieces".to_owned();
        };
        match condition.name.as_str() {
            "is Enemy" | "is Next" => "your opponent's pieces".to_owned(),
            "is Friend" | "is Mover" => "your own pieces".to_owned(),
            "=" | "and" => {
                let parts = if condition.name == "and" {
                    condition.parts()
                } else {
                    vec![condition.node]
                };
                let is_kind = |part: &Node| {
                    call(part)
                        .filter(|part| part.name == "=")
                        .and_then(|equal| {
                            equal
                                .calls()
                                .find(|id| id.name == "id")
                                .map(|id| self.pieces_of(&id))
                        })
                };
                let kind = parts.iter().find_map(|part| is_kind(part));
                let rest: Vec<String> = parts
                    .iter()
                    .filter(|part| is_kind(part).is_none())
                    .map(|part| self.condition(part))
                    .collect();
                let where_ = if rest.is_empty() {
                    String::new()
                } else {
                    format!(" (where {})", list(&rest, "and"))
                };
                format!("{}{where_}", kind.unwrap_or_else(|| "pieces".to_owned()))
            }
            _ => format!("pieces (where {})", self.condition_of(&condition)),
        }
    }

    /// The piece that encloses a row at its other end, or on all sides.
    fn other_end(&self, capture: &Call) -> String {
        let condition = capture
            .child("to")
            .and_then(|to| to.named("if"))
            .and_then(call);
        let Some(condition) = condition else {
            return "another piece".to_owned();
        };
        let end = |condition: &Call| match condition.name.as_str() {
            "is Friend" | "is Mover" => "another piece of yours".to_owned(),
            "is Enemy" | "is Next" => "a piece of your opponent".to_owned(),
            "=" => condition
                .calls()
                .find(|part| part.name != "to")
                .map_or_else(|| "another piece".to_owned(), |site| self.site(site.node)),
            _ => format!(
                "a {} where {}",
                self.board.site,
                self.condition_of(condition)
            ),
        };
        self.speaking_of(To::End, || match condition.name.as_str() {
            "or" => list(
                &condition.calls().map(|part| end(&part)).collect::<Vec<_>>(),
                "or",
            ),
            "and" => {
                let (owner, rest): (Vec<Call>, Vec<Call>) = condition
                    .calls()
                    .partition(|part| matches!(part.name.as_str(), "is Friend" | "is Mover"));
                let owner = owner
                    .first()
                    .map_or_else(|| "another piece".to_owned(), end);
                let rest: Vec<String> = rest.iter().map(|part| self.condition_of(part)).collect();
                format!("{owner} (if {})", list(&rest, "and"))
            }
            _ => end(&condition),
        })
    }
}

fn trigger(call: &Call) -> String {
    let who = call
        .words()
        .next()
        .map_or_else(|| "a player".to_owned(), values::player);
    format!(
        "“{}” has happened to {who}",
        call.texts().next().unwrap_or("it")
    )
}
