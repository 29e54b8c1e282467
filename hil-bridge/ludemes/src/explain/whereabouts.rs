//! The words for distances from a site, and for the pieces on sites.

use super::view::{Call, list};
use super::{Speaker, To, values};
use crate::tree::{Kind, Node};

impl Speaker {
    /// `(sites Distance ...)`: `the cells two or three steps from the middle cell`.
    pub(super) fn distant(&self, call: &Call) -> String {
        let site = self.board.site;
        let from = call
            .named("from")
            .map_or_else(|| format!("that {site}"), |from| self.site(from));
        let is_range =
            |part: &Call| matches!(part.name.as_str(), "exact" | "range" | "min" | "max");
        let far = call.calls().find(is_range);
        let far = far.map_or_else(|| "some steps".to_owned(), |range| self.steps(&range));
        let Some(step) = call.child("step") else {
            let directly = match call.words().find_map(directly) {
                Some(directly) => format!(", {directly},"),
                None => String::new(),
            };
            return format!("the {site}s {far}{directly} from {from}");
        };
        let to = step.child("to");
        let condition = to.as_ref().and_then(|to| to.named("if"));
        let target = self.speaking_of(To::Each, || self.target(condition, site));
        format!(
            "the {site}s {far} from {from}, each step{} to {target}",
            self.ways(&step)
        )
    }

    /// A range of steps, in words.
    fn steps(&self, range: &Call) -> String {
        let ends: Vec<&Node> = range.arguments().collect();
        let words = |end: &Node| match end.kind {
            Kind::Number(number) => values::small(number),
            _ => self.number(end),
        };
        let is_one = |end: &Node| matches!(end.kind, Kind::Number(1));
        let is_endless = |end: &Node| end.word() == Some("Infinity");
        let counted = |end: &Node| match is_one(end) {
            true => "one step".to_owned(),
            false => format!("{} steps", words(end)),
        };
        match (range.name.as_str(), ends.as_slice()) {
            ("min", [least]) => format!("at least {}", counted(least)),
            ("max", [most]) => format!("at most {}", counted(most)),
            (_, [one]) => counted(one),
            (_, [least, most]) if is_endless(most) => format!("at least {}", counted(least)),
            (_, [least, most]) => format!("{} to {}", words(least), counted(most)),
            _ => "some steps".to_owned(),
        }
    }

    /// Explains `(is Flat ...)`.
    pub(super) fn flat(&self, call: &Call) -> String {
        let site = match call.first() {
            Some(site) => self.site(site),
            None => self.to(),
        };
        format!("every {} below {site} is occupied", self.board.site)
    }

    /// `(is Target ...)`: the listed pieces, with equal ones joined.
    pub(super) fn listed(&self, call: &Call) -> String {
        let mut lists = call
            .arguments()
            .skip_while(|node| !matches!(node.kind, Kind::Set(_)));
        let pieces = lists.next().map_or(&[][..], Node::elements);
        let runs = pieces.chunk_by(|one, other| one.kind == other.kind);
        let runs: Vec<String> = runs
            .map(|run| match (&run[0].kind, run.len()) {
                (Kind::Number(0), 1) => "nothing".to_owned(),
                (Kind::Number(0), many) => format!("nothing {} times", values::small(many as i64)),
                (_, 1) => format!("piece {}", self.number(&run[0])),
                (_, many) => {
                    let many = values::small(many as i64);
                    format!("{many} of piece {}", self.number(&run[0]))
                }
            })
            .collect();
        let sites = match lists.next().map(Node::elements) {
            Some(sites) => {
                let sites: Vec<String> = sites.iter().map(|site| self.number(site)).collect();
                format!("{}s {}", self.board.site, list(&sites, "and"))
            }
            None => format!("the {}s of the board", self.board.site),
        };
        format!("{sites} hold in this order: {}", list(&runs, "and"))
    }
}

/// The adverb for steps of a relation.
fn directly(relation: &str) -> Option<&'static str> {
    match relation {
        "Orthogonal" => Some("orthogonally"),
        "Diagonal" => Some("diagonally"),
        "OffDiagonal" => Some("off the diagonals"),
        "All" => Some("in any direction"),
        _ => None,
    }
}
