//! The words for what follows from a move, as clauses: "the piece there is taken".
use super::{
    Speaker, values,
    view::{Call, call, list, word},
};
use crate::tree::Node;

impl Speaker {
    /// Whether a call says what happens rather than what somebody does.
    pub(super) fn is_consequence(&self, call: &Call) -> bool {
        matches!(
            call.name.as_str(),
            "remove" | "add" | "addScore" | "moveAgain" | "promote" | "flip" | "fromTo" | "trigger" | "allCombinations"
        ) || call.name.starts_with("set ")
    }

    /// Everything that follows.
    pub(super) fn consequences(&self, then: &Call) -> String {
        let all: Vec<String> = then.parts().iter().map(|part| self.consequence(part)).collect();
        list(&all, "and")
    }

    fn consequence(&self, node: &Node) -> String {
        call(node).map_or_else(|| self.value(node), |call| self.consequence_of(&call))
    }

    pub(super) fn consequence_of(&self, call: &Call) -> String {
        let parts = || call.parts().iter().map(|part| self.consequence(part)).collect::<Vec<_>>();
        let number = |place| call.nth(place).map_or_else(String::new, |number| self.number(number));
        let words = match call.name.as_str() {
            "and" | "or" | "append" | "allCombinations" => list(&parts(), "and"),
            "if" => self.consequence_if(call),
            "remove" => self.removed(call),
            "add" => {
                let piece = call.child("piece").map_or_else(|| "a piece".to_owned(), |piece| self.piece(&piece));
                let to = call.child("to").and_then(|to| to.first().map(|to| self.site(to)));
                format!("{piece} is put on {}", to.unwrap_or_else(|| "the board".to_owned()))
            }
            "addScore" => {
                let who = call.words().next().unwrap_or("Mover");
                format!("{} {}", values::verb(who, "score"), number(1))
            }
            "moveAgain" => "you move again".to_owned(),
            "promote" => {
                let piece = call.child("piece").map_or_else(|| "another piece".to_owned(), |piece| self.piece(&piece));
                let site = call.calls().find(|part| self.is_site(part)).map(|site| self.site(site.node));
                format!("the piece on {} becomes {piece}", site.unwrap_or_else(|| "its place".to_owned()))
            }
            "flip" => {
                let site = call.first().map_or_else(|| format!("that {}", self.board.site), |site| self.site(site));
                format!("the piece on {site} is turned over")
            }
            "fromTo" => {
                let end = |name: &str| call.child(name).and_then(|end| end.first().map(|site| self.site(site)));
                let there = || "its place".to_owned();
                format!("the piece on {} goes to {}", end("from").unwrap_or_else(there), end("to").unwrap_or_else(there))
            }
            "trigger" => {
                let who = call.words().next().map_or_else(|| "a player".to_owned(), values::player);
                format!("“{}” has happened to {who}", call.texts().next().unwrap_or("it"))
            }
            "set Score" => match call.words().next() {
                Some("Each") => format!("every player's score becomes {}", number(1)),
                Some(role) => format!("{} score becomes {}", values::of_player(role), number(1)),
                None => self.fallback_of(call),
            },
            "set State" => {
                let site = call.named("at").map_or_else(|| "its place".to_owned(), |site| self.site(site));
                format!("the state of the piece on {site} becomes {}", number(0))
            }
            "set Counter" => "the counter of moves begins anew".to_owned(),
            "set Pending" => match call.first() {
                Some(what) => format!("{} is pending for the next turn", self.site(what)),
                None => "something is pending for the next turn".to_owned(),
            },
            "set Var" => format!("the value “{}” becomes {}", call.texts().next().unwrap_or("kept"), call.calls().next().map_or_else(String::new, |value| self.value(value.node))),
            "set NextPlayer" => format!("{} is on turn next", number(0)),
            "forEach Site" => {
                let region = call.first().map_or_else(|| "the board".to_owned(), |region| self.region(region));
                let inner = call.calls().nth(1).map_or_else(String::new, |inner| self.consequence_of(&inner));
                format!("for each of {region}: {inner}")
            }
            "custodial" => self.custodial(call),
            "enclose" => format!("groups{} without an empty {} beside them: {}", self.whose_between(call), self.board.site, self.effect(call)),
            "surround" => format!("a piece{} that is surrounded on all sides{}: {}", self.between_where(call), self.ends_where(call), self.effect(call)),
            "intervene" => format!("pieces on both sides of it{}", self.ends_where(call)),
            _ => return self.moves_of(call),
        };
        match call.child("then").filter(|_| self.is_consequence(call) || call.name == "custodial") {
            Some(then) => format!("{words}, and {}", self.consequences(&then)),
            None => words,
        }
    }

    fn consequence_if(&self, call: &Call) -> String {
        let condition = call.first().map_or_else(String::new, |condition| self.condition(condition));
        let yes = call.nth(1).map_or_else(String::new, |part| self.consequence(part));
        match call.nth(2) {
            Some(other) => format!("if {condition}, {yes}, otherwise {}", self.consequence(other)),
            None => format!("if {condition}, {yes}"),
        }
    }

    fn removed(&self, call: &Call) -> String {
        let when = match call.named("at").and_then(word) {
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

    /// A row between two ends.
    fn custodial(&self, call: &Call) -> String {
        let ways = match call.words().next() {
            Some("Orthogonal") => "orthogonal ",
            Some("Diagonal") => "diagonal ",
            _ => "",
        };
        let most = call.child("between").and_then(|between| between.child("max"));
        let row = match most.and_then(|max| max.first()) {
            Some(most) if self.number(most) == "1" => "a single piece".to_owned(),
            Some(most) => format!("a {ways}row of at most {} pieces", self.number(most)),
            None => format!("a {ways}row of pieces"),
        };
        let from = call.child("from").and_then(|from| from.first().map(|site| self.site(site)));
        let from = from.unwrap_or_else(|| "the last piece".to_owned());
        format!("{row}{} between {from} and another piece{}: {}", self.between_where(call), self.ends_where(call), self.effect(call))
    }

    fn effect(&self, call: &Call) -> String {
        let apply = call.child("between").and_then(|between| between.child("apply"));
        let effect = apply.and_then(|apply| apply.calls().next());
        effect.map_or_else(|| "they are taken off".to_owned(), |effect| self.consequence_of(&effect))
    }

    fn whose_between(&self, call: &Call) -> String {
        let condition = call.child("between").and_then(|between| between.named("if").and_then(self::call));
        match condition.as_ref().map(|condition| condition.name.as_str()) {
            Some("is Enemy" | "is Next") => " of your opponent".to_owned(),
            Some("is Friend" | "is Mover") => " of yours".to_owned(),
            Some(_) => self.between_where(call),
            None => String::new(),
        }
    }

    fn between_where(&self, call: &Call) -> String {
        let condition = call.child("between").and_then(|between| between.named("if"));
        condition.map_or_else(String::new, |condition| format!(" (where {})", self.condition(condition)))
    }

    fn ends_where(&self, call: &Call) -> String {
        let condition = call.child("to").and_then(|to| to.named("if"));
        condition.map_or_else(String::new, |condition| format!(" (where {})", self.condition(condition)))
    }
}
