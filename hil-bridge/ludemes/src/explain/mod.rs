//! The rules of a game in plain English, for a help panel.
//!
//! The tree is explained from the player's point of view: "you" are to move, the others
//! are your opponents. Invariants: every construct has words, at least those of the
//! [table](crate::constructs), so no rule is silently omitted.
mod boards;
mod conditions;
mod consequences;
mod moves;
mod outline;
mod regions;
mod shapes;
mod sites;
#[cfg(test)]
mod tests;
mod values;
mod view;
mod whereabouts;

use std::cell::Cell;

use crate::tree::{Kind, Node};

use boards::Board;
use outline::Item;
use view::{Call, call};

/// The rules of a game as text: a title, a paragraph, and lists under headings.
pub fn explain(game: &Node) -> String {
    let Some(game) = call(game) else {
        return String::new();
    };
    let speaker = Speaker::of(&game);
    let mut page = Page::default();
    page.lines
        .push(game.texts().next().unwrap_or("A game").to_owned());
    page.lines.push(String::new());
    page.lines.push(speaker.table(&game));
    if let Some(equipment) = game.child("equipment") {
        page.list("Pieces", speaker.pieces(&equipment));
        page.list("Regions", speaker.regions(&equipment));
        page.list("Maps", speaker.maps(&equipment));
    }
    if let Some(rules) = game.child("rules") {
        speaker.rules(&rules, &mut page);
    }
    let mut text = page.lines.join("\n");
    text.push('\n');
    text
}

/// A rule of a game's end in plain English: `if ..., you win`.
pub fn ending(game: &Node, rule: &Node) -> String {
    call(game).map_or_else(String::new, |game| Speaker::of(&game).ending(rule))
}

/// A condition of a game in plain English, without a full stop.
pub fn condition(game: &Node, condition: &Node) -> String {
    call(game).map_or_else(String::new, |game| Speaker::of(&game).condition(condition))
}

/// A page of lines under headings.
#[derive(Default)]
struct Page {
    lines: Vec<String>,
}

impl Page {
    fn list(&mut self, heading: &str, items: Vec<Item>) {
        if items.is_empty() {
            return;
        }
        self.lines.push(String::new());
        self.lines.push(heading.to_owned());
        self.items(&items, 0);
    }

    fn items(&mut self, items: &[Item], indent: usize) {
        for item in items {
            self.lines
                .push(format!("{:indent$}- {}", "", sentence(&item.text)));
            self.items(&item.below, indent + 2);
        }
    }
}

/// Explains nodes, with the board's word for its sites.
struct Speaker {
    board: Board,
    /// The meaning of `(to)` in the current context.
    to: Cell<To>,
}

/// What `(to)` means in a context.
#[derive(Clone, Copy)]
enum To {
    /// The site where a move ends.
    Target,
    /// Each site of a region.
    Each,
    /// The site that closes a row.
    End,
}

impl Speaker {
    fn of(game: &Call) -> Speaker {
        Speaker {
            board: boards::find(game),
            to: Cell::new(To::Target),
        }
    }

    /// Explains the players and their board.
    fn table(&self, game: &Call) -> String {
        let mut sentences = vec![sentence(&players(game))];
        sentences.push(sentence(&format!("The board is {}", self.board.words)));
        let equipment = game.child("equipment");
        for hand in equipment
            .iter()
            .flat_map(|equipment| equipment.children("hand"))
        {
            let places = match hand.named("size").map(|size| self.number(size)) {
                Some(size) if size != "1" => format!("a hand with {size} places"),
                _ => "a hand".to_owned(),
            };
            let whose = match hand.first().and_then(Node::word) {
                Some("Each") => "Each player has".to_owned(),
                Some("Shared") => "The players share".to_owned(),
                Some(role) => format!("{} has", values::player(role)),
                None => "There is".to_owned(),
            };
            sentences.push(sentence(&format!("{whose} {places} beside the board")));
        }
        sentences.join(" ")
    }

    fn pieces(&self, equipment: &Call) -> Vec<Item> {
        let mut items: Vec<Item> = Vec::new();
        for piece in equipment.children("piece") {
            let name = values::spelled(piece.texts().next().unwrap_or("piece"));
            let mut item = match piece.words().next() {
                Some("Each") => name,
                Some("Shared") => format!("{name} (everybody’s)"),
                Some("Neutral") | None => format!("{name} (nobody’s)"),
                Some(role) => format!("{name} (of {})", values::player(role)),
            };
            if piece.child("flips").is_some() {
                item.push_str(": it has two sides and can be turned over");
            }
            let moves = piece.calls().filter(|part| part.name != "flips");
            let mut below: Vec<Item> = moves.flat_map(|moves| self.outline(&moves)).collect();
            match below.as_slice() {
                [only] if only.below.is_empty() => {
                    item = format!("{item}: {}", only.text);
                    below.clear();
                }
                [] => {}
                _ => item.push(':'),
            }
            items.push(Item { text: item, below });
        }
        items
    }

    fn regions(&self, equipment: &Call) -> Vec<Item> {
        let region = |region: Call| {
            let name = region.texts().next().map(|name| format!("“{name}”"));
            let owner = region.words().next().map(values::player);
            let whose = match (name, owner) {
                (Some(name), Some(owner)) => format!("{name} of {owner}"),
                (Some(name), None) => name,
                (None, Some(owner)) => format!("the region of {owner}"),
                (None, None) => "a region".to_owned(),
            };
            let parts = region
                .arguments()
                .filter(|part| !matches!(part.kind, Kind::Text(_) | Kind::Word(_)));
            let sites: Vec<String> = parts.map(|part| self.region(part)).collect();
            Item::line(format!("{whose}: {}", view::list(&sites, "and")))
        };
        equipment.children("regions").map(region).collect()
    }

    fn maps(&self, equipment: &Call) -> Vec<Item> {
        let map = |map: Call| {
            let name = map
                .texts()
                .next()
                .map_or_else(|| "The map".to_owned(), |name| format!("“{name}”"));
            let pairs: Vec<String> = map
                .children("pair")
                .filter_map(|pair| {
                    Some(format!(
                        "{} for {}",
                        self.site(pair.nth(1)?),
                        self.value(pair.first()?)
                    ))
                })
                .collect();
            Item::line(match pairs.as_slice() {
                [] => format!(
                    "{name} has a number for each of {} numbers",
                    map.parts_of_sets().count() / 2
                ),
                pairs => format!("{name} has {}", view::list(pairs, "and")),
            })
        };
        equipment.children("map").map(map).collect()
    }

    fn rules(&self, rules: &Call, page: &mut Page) {
        if let Some(meta) = rules.child("meta") {
            page.list(
                "General",
                meta.parts()
                    .iter()
                    .map(|rule| Item::line(self.meta(rule)))
                    .collect(),
            );
        }
        if let Some(start) = rules.child("start") {
            page.list(
                "Start",
                start
                    .parts()
                    .iter()
                    .map(|setup| Item::line(self.setup(setup)))
                    .collect(),
            );
        }
        if let Some(play) = rules.child("play") {
            page.list(
                "Play",
                play.calls()
                    .flat_map(|moves| self.outline(&moves))
                    .collect(),
            );
        }
        let phases: Vec<Call> = rules
            .named("phases")
            .map(view::calls_of)
            .unwrap_or_default();
        for phase in &phases {
            self.phase(phase, phases.len(), page);
        }
        if let Some(end) = rules.child("end") {
            page.list(
                "End",
                end.parts()
                    .iter()
                    .map(|ending| Item::line(self.ending(ending)))
                    .collect(),
            );
        }
    }

    fn phase(&self, phase: &Call, phases: usize, page: &mut Page) {
        let name = phase.texts().next().unwrap_or("Phase");
        let heading = match phase.words().next() {
            Some(role) => format!("{name} ({})", values::player(role)),
            None => name.to_owned(),
        };
        let mut items: Vec<Item> = Vec::new();
        for play in phase.children("play") {
            items.extend(play.calls().flat_map(|moves| self.outline(&moves)));
        }
        for next in phase.calls_within().filter(|part| part.name == "nextPhase") {
            let following = next.texts().next().map(|name| format!("“{name}” follows"));
            let following = following.unwrap_or_else(|| "the next phase follows".to_owned());
            let whose = next
                .words()
                .next()
                .map(|role| format!(" for {}", values::player(role)));
            let when = match next.calls().next() {
                Some(condition) => format!("when {}", self.condition_of(&condition)),
                None => "after that".to_owned(),
            };
            items.push(Item::line(format!(
                "{when}, {following}{}",
                whose.unwrap_or_default()
            )));
        }
        for end in phase.children("end") {
            items.extend(
                end.parts()
                    .iter()
                    .map(|ending| Item::line(self.ending(ending))),
            );
        }
        let heading = if phases == 1 { "Play" } else { &heading };
        page.list(heading, items);
    }

    fn meta(&self, rule: &Node) -> String {
        match call(rule).as_ref().map(|rule| rule.name.as_str()) {
            Some("swap") => {
                "instead of the second move, player 2 may take over the first one".to_owned()
            }
            Some("no Repeat") => "no position may come twice".to_owned(),
            _ => self.fallback(rule),
        }
    }

    fn setup(&self, setup: &Node) -> String {
        let Some(setup) = call(setup) else {
            return self.fallback(setup);
        };
        match setup.name.as_str() {
            "place" | "place Stack" | "place Random" => self.placement(&setup),
            "set Score" => self.consequence_of(&setup),
            _ => self.fallback_of(&setup),
        }
    }

    fn placement(&self, place: &Call) -> String {
        let mut texts = place.texts();
        let in_set = place.parts_of_sets().find_map(Node::text);
        let random = place.name == "place Random";
        let name = if random { in_set } else { texts.next() };
        let name = name.unwrap_or("Piece");
        let count = place.named("count").map(|count| self.number(count));
        let many =
            place.calls().any(|sites| self.is_region(&sites)) || place.parts_of_sets().count() > 1;
        let what = match count.as_deref() {
            None | Some("1") if many && !random => values::piece_names(name),
            None | Some("1") => values::piece_name(name),
            Some(count) => format!(
                "{} {}",
                count.strip_prefix("a random number from ").unwrap_or(count),
                values::piece_names(name)
            ),
        };
        if random {
            return format!("{what} on cells chosen by chance");
        }
        let container = texts.next().map(|text| {
            if text == "Hand" {
                "in each hand".to_owned()
            } else {
                text.to_owned()
            }
        });
        let coordinate = place
            .named("coord")
            .and_then(Node::text)
            .map(|site| format!("on {site}"));
        let coordinates: Vec<String> = place
            .parts_of_sets()
            .filter_map(Node::text)
            .map(str::to_owned)
            .collect();
        let sites = place
            .calls()
            .next()
            .map(|sites| format!("on {}", self.region_of(&sites)));
        let at = container
            .or(coordinate)
            .or((!coordinates.is_empty())
                .then(|| format!("on {}", view::list(&coordinates, "and"))))
            .or(sites)
            .unwrap_or_else(|| "on the board".to_owned());
        let state = place
            .named("state")
            .map(|state| format!(", in state {}", self.number(state)));
        format!("{what} {at}{}", state.unwrap_or_default())
    }

    fn ending(&self, ending: &Node) -> String {
        let Some(ending) = call(ending) else {
            return self.fallback(ending);
        };
        let results = ending
            .calls()
            .filter(|part| matches!(part.name.as_str(), "result" | "byScore"));
        let results: Vec<String> = results.map(|result| self.result(&result)).collect();
        let condition = match ending.name.as_str() {
            "if" => ending.first().map(|condition| self.condition(condition)),
            "forEach Player" => ending
                .named("if")
                .map(|condition| format!("for any player, {}", self.condition(condition))),
            _ => None,
        };
        let condition = condition.unwrap_or_else(|| self.fallback_of(&ending));
        let in_sets = ending.parts_of_sets().filter_map(call);
        let nested: Vec<String> = ending
            .calls()
            .skip(1)
            .chain(in_sets)
            .filter(|part| part.name == "if")
            .map(|part| self.nested_ending(&part))
            .collect();
        match (results.is_empty(), nested.is_empty()) {
            (false, _) => format!("if {condition}, {}", results.join(" and ")),
            (true, false) => format!("if {condition}: {}", nested.join("; ")),
            (true, true) => condition,
        }
    }

    /// A rule that is only evaluated if another condition holds; the last one may have no
    /// condition.
    fn nested_ending(&self, ending: &Call) -> String {
        let said = self.ending(ending.node);
        match ending.first().and_then(Node::word) {
            Some("True") => said.replacen("if always,", "otherwise", 1),
            _ => said,
        }
    }

    fn result(&self, result: &Call) -> String {
        if result.name == "byScore" {
            let lowest = result.named("misere").and_then(Node::word) == Some("True");
            let most = if lowest { "the lowest" } else { "the highest" };
            let scores = result.parts_of_sets().filter_map(call);
            let scores: Vec<String> = scores
                .filter_map(|score| {
                    Some(format!(
                        "{} has {}",
                        values::player(score.first().and_then(Node::word)?),
                        self.number(score.nth(1)?)
                    ))
                })
                .collect();
            let counted = if scores.is_empty() {
                String::new()
            } else {
                format!(" ({})", view::list(&scores, "and"))
            };
            return format!("{most} score wins{counted}");
        }
        let mut words = result.words();
        let who = words.next().unwrap_or("Mover");
        match words.next() {
            Some("Draw" | "Tie") => "the game is a draw".to_owned(),
            Some("Loss") => values::verb(who, "lose"),
            Some("Win") => values::verb(who, "win"),
            _ => "the game is over".to_owned(),
        }
    }

    /// Calls `say` while `(to)` has another meaning.
    fn speaking_of(&self, to: To, say: impl Fn() -> String) -> String {
        let before = self.to.replace(to);
        let words = say();
        self.to.set(before);
        words
    }

    /// The words of the table, for constructs without words of their own.
    fn fallback(&self, node: &Node) -> String {
        match &node.kind {
            Kind::Call(_) => call(node).map_or_else(String::new, |call| self.fallback_of(&call)),
            Kind::Set(nodes) => view::list(
                &nodes
                    .iter()
                    .map(|node| self.value(node))
                    .collect::<Vec<_>>(),
                "and",
            ),
            _ => self.value(node),
        }
    }

    fn fallback_of(&self, call: &Call) -> String {
        let means = crate::constructs::find(&call.name)
            .map_or(call.name.as_str(), |construct| construct.means);
        let given: Vec<String> = call.arguments().map(|node| self.value(node)).collect();
        if given.is_empty() {
            means.to_owned()
        } else {
            format!("{means} ({})", given.join("; "))
        }
    }
}

fn players(game: &Call) -> String {
    let count = match game
        .child("players")
        .and_then(|players| players.first().map(|first| first.kind.clone()))
    {
        Some(Kind::Number(count)) => usize::try_from(count).unwrap_or(0),
        Some(Kind::Set(players)) => players.len(),
        _ => 2,
    };
    match count {
        0 => "Nobody plays: the game goes on by itself".to_owned(),
        1 => "For one player".to_owned(),
        count => format!(
            "For {} players, who take turns",
            values::small(count as i64)
        ),
    }
}

/// Adds a capital letter and a full stop.
fn sentence(text: &str) -> String {
    let mut characters = text.chars();
    let first: String = characters
        .next()
        .into_iter()
        .flat_map(char::to_uppercase)
        .collect();
    let rest = characters.as_str().trim_end();
    let stop = if rest.ends_with(['.', ':', '!']) {
        ""
    } else {
        "."
    };
    format!("{first}{rest}{stop}")
}
