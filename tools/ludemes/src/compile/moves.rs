//! Moves and effects of the language.

use firmware_core::cartridge::op::{NOTHING, Op};

use super::arguments::{Arguments, Known, Unknown, elements, head, text, word};
use super::{At, Compiler};
use crate::layout::Direction;
use crate::tree::{Kind, Node};

/// A `(from ...)`, a `(to ...)` or a `(between ...)`, read.
#[derive(Default)]
struct Part<'n> {
    sites: Option<&'n Node>,
    condition: Option<&'n Node>,
    effect: Option<&'n Node>,
    before: Option<&'n Node>,
    after: Option<&'n Node>,
    exact: Option<&'n Node>,
    least: Option<&'n Node>,
    most: Option<&'n Node>,
    trail: Option<&'n Node>,
}

impl Compiler {
    fn part<'n>(&self, node: Option<&'n Node>) -> Known<Part<'n>> {
        let mut part = Part::default();
        let Some(node) = node else { return Ok(part) };
        let mut arguments = Arguments::of(node)?;
        self.site_type(&mut arguments)?;
        part.condition = arguments.named("if");
        part.before = arguments.named("before");
        part.after = arguments.named("after");
        part.trail = arguments.named("trail");
        part.effect = arguments.call("apply");
        part.exact = arguments.call("exact");
        part.least = arguments.call("min");
        part.most = arguments.call("max");
        if let Some(range) = arguments.call("range") {
            let Kind::Call(numbers) = &range.kind else {
                return Err(Unknown::at(range, "a range is expected here"));
            };
            part.least = numbers.get(1).map(|number| &number.node);
            part.most = numbers.get(2).map(|number| &number.node);
            if numbers.len() != 3 {
                return Err(Unknown::at(range, "a range has two ends"));
            }
        }
        part.sites = arguments.next();
        arguments.finish()?;
        Ok(part)
    }

    /// The number within `(exact n)`, `(min n)` or `(max n)`, or the number.
    fn limit(&mut self, node: Option<&Node>) -> Known<u16> {
        let Some(node) = node else {
            return Ok(NOTHING);
        };
        match head(node) {
            Some("exact" | "min" | "max") => {
                let mut arguments = Arguments::of(node)?;
                if arguments
                    .peek()
                    .is_some_and(|node| matches!(node.kind, Kind::Set(_)))
                {
                    return self.number(node);
                }
                let number = self.number(arguments.need("a number")?)?;
                match arguments.peek() {
                    Some(_) => self.number(node),
                    None => Ok(number),
                }
            }
            _ => self.number(node),
        }
    }

    fn condition(&mut self, node: Option<&Node>) -> Known<u16> {
        match node {
            Some(node) => self.truth(node),
            None => Ok(NOTHING),
        }
    }

    fn effect(&mut self, node: Option<&Node>) -> Known<u16> {
        match node {
            Some(node) => self.moves(node, false),
            None => Ok(NOTHING),
        }
    }

    /// The site that moves begin at, where a text may leave it out.
    fn start(&mut self, part: &Part<'_>) -> Known<At> {
        match part.sites {
            Some(node) if self.is_number(node) => self.number(node),
            Some(node) => {
                let sites = self.sites(node)?;
                Ok(self.node(Op::First, 0, &[sites]))
            }
            None => Ok(self.node(Op::From, 0, &[])),
        }
    }

    /// Moves, and what comes after them. `decided`: a player's.
    pub(super) fn moves(&mut self, node: &Node, decided: bool) -> Known<At> {
        if let Kind::Set(nodes) = &node.kind {
            let mut all = Vec::new();
            for node in nodes {
                all.push(self.moves(node, decided)?);
            }
            return Ok(self.program.each(Op::Any, &[], &all));
        }
        let mut arguments = Arguments::of(node)?;
        let then = arguments.call("then");
        let moves = self.moves_of(&mut arguments, head(node).unwrap_or(""), decided)?;
        arguments.finish()?;
        self.followed(moves, then)
    }

    /// Moves with what comes after them.
    fn followed(&mut self, moves: At, then: Option<&Node>) -> Known<At> {
        let Some(then) = then else { return Ok(moves) };
        let mut arguments = Arguments::of(then)?;
        arguments.named("applyAfterAllMoves");
        let after = self.moves(arguments.need("what comes after")?, false)?;
        arguments.finish()?;
        Ok(self.node(Op::Then, 0, &[moves, after]))
    }

    fn moves_of(&mut self, arguments: &mut Arguments<'_>, name: &str, decided: bool) -> Known<At> {
        let call = arguments.call;
        match name {
            "move" => self.decision(arguments),
            "or" | "and" | "seq" => {
                let mut all = Vec::new();
                while let Some(node) = arguments.next() {
                    for node in elements(node) {
                        all.push(self.moves(node, decided)?);
                    }
                }
                Ok(self.program.each(Op::Any, &[], &all))
            }
            "priority" => {
                let mut all = Vec::new();
                while let Some(node) = arguments.next() {
                    for node in elements(node) {
                        all.push(self.moves(node, decided)?);
                    }
                }
                Ok(self.program.each(Op::Foremost, &[], &all))
            }
            "if" => {
                let truth = self.truth(arguments.need("a condition")?)?;
                let one = self.moves(arguments.need("moves")?, decided)?;
                let other = match arguments.next() {
                    Some(node) => self.moves(node, decided)?,
                    None => NOTHING,
                };
                Ok(self.node(Op::IfMoves, 0, &[truth, one, other]))
            }
            "apply" => {
                let truth = arguments.named("if");
                let truth = self.condition(truth)?;
                let effect = match arguments.next() {
                    Some(node) => self.moves(node, false)?,
                    None => NOTHING,
                };
                Ok(self.node(Op::Apply, 0, &[truth, effect]))
            }
            "do" => {
                let next = arguments.named("next");
                let truth = arguments.named("ifAfterwards");
                let first = self.moves(arguments.need("moves")?, decided)?;
                let truth = match truth {
                    Some(node) => self.truth(node)?,
                    None => NOTHING,
                };
                Ok(match next {
                    Some(next) => {
                        let next = self.moves(next, decided)?;
                        self.node(Op::Do, 0, &[first, next, truth])
                    }
                    None if truth == NOTHING => first,
                    None => self.node(Op::Afterwards, 0, &[first, truth]),
                })
            }
            "append" => {
                let moves = self.moves(arguments.need("moves")?, decided)?;
                Ok(self.node(Op::Together, 0, &[moves]))
            }
            "allCombinations" => {
                let one = self.moves(arguments.need("moves")?, decided)?;
                let other = self.moves(arguments.need("moves")?, decided)?;
                Ok(self.node(Op::Both, 0, &[one, other]))
            }
            "max" => match arguments.word_of(&["Captures", "Moves"]) {
                Some("Captures") if arguments.named("withValue").is_none() => {
                    let moves = self.moves(arguments.need("moves")?, decided)?;
                    Ok(self.node(Op::MostTaken, 0, &[moves]))
                }
                Some("Moves") if arguments.named("withValue").is_none() => {
                    let moves = self.moves(arguments.need("moves")?, decided)?;
                    Ok(self.node(Op::Longest, 0, &[moves]))
                }
                _ => Err(Unknown::at(
                    call,
                    "this choice of the most is not known here",
                )),
            },
            "forEach" => self.for_each(arguments, decided),
            "pass" => Ok(self.node(Op::Pass, 0, &[])),
            "moveAgain" => Ok(self.node(Op::Again, 0, &[])),
            "set" => self.set(arguments),
            "addScore" => {
                let who = self.role(arguments.need("a player")?)?;
                let score = self.number(arguments.need("a score")?)?;
                Ok(self.node(Op::SetScore, 2, &[who, score]))
            }
            "trigger" => {
                let event = arguments.need("the name of an event")?;
                let event = Self::place_of(&mut self.events, text(event).unwrap_or(""));
                if event > 7 {
                    return Err(Unknown::at(call, "more than eight kinds of events"));
                }
                let who = self.role(arguments.need("a player")?)?;
                Ok(self.node(Op::Trigger, 0, &[event as u16, who]))
            }
            "flip" => {
                self.site_type(arguments)?;
                let at = match arguments.next() {
                    Some(node) => self.number(node)?,
                    None => self.node(Op::To, 0, &[]),
                };
                Ok(self.node(Op::Flip, 0, &[at]))
            }
            "swap" => {
                arguments.word_of(&["Pieces"]);
                let mut sites = Vec::new();
                while let Some(node) = arguments.next() {
                    sites.push(self.number(node)?);
                }
                match sites[..] {
                    [one, other] => Ok(self.node(Op::SwapSites, 0, &[one, other])),
                    [] => {
                        let one = self.node(Op::LastFrom, 0, &[]);
                        let other = self.node(Op::LastTo, 0, &[]);
                        Ok(self.node(Op::SwapSites, 0, &[one, other]))
                    }
                    _ => Err(Unknown::at(call, "this exchange is not known here")),
                }
            }
            "add" => self.add(arguments, false),
            "remove" => self.remove(arguments, false),
            "fromTo" => self.carries(arguments, false),
            "step" => self.step(arguments, false),
            "slide" => self.slide(arguments, false),
            "hop" => self.hop(arguments, false),
            "leap" => self.leap(arguments, false),
            "shoot" => self.shoot(arguments, false),
            "promote" => self.promote(arguments, false),
            "select" => self.select(arguments, false),
            "custodial" => self.custodial(arguments),
            "surround" => self.surround(arguments),
            "enclose" => self.enclose(arguments),
            "intervene" => self.intervene(arguments),
            "directional" => self.directional(arguments),
            _ => Err(Unknown::at(
                call,
                format!("the move `{name}` is not known here"),
            )),
        }
    }

    fn decision(&mut self, arguments: &mut Arguments<'_>) -> Known<At> {
        const KINDS: [&str; 14] = [
            "Add", "Remove", "Step", "Slide", "Hop", "Leap", "Shoot", "Pass", "Promote", "Select",
            "Set", "Swap", "Bet", "PlayCard",
        ];
        let call = arguments.call;
        match arguments.word_of(&KINDS) {
            Some("Add") => self.add(arguments, true),
            Some("Remove") => self.remove(arguments, true),
            Some("Step") => self.step(arguments, true),
            Some("Slide") => self.slide(arguments, true),
            Some("Hop") => self.hop(arguments, true),
            Some("Leap") => self.leap(arguments, true),
            Some("Shoot") => self.shoot(arguments, true),
            Some("Pass") => Ok(self.node(Op::Pass, 1, &[])),
            Some("Promote") => self.promote(arguments, true),
            Some("Select") => self.select(arguments, true),
            Some("Set") => match arguments.word_of(&["NextPlayer"]) {
                Some(_) => {
                    let who = self.role(arguments.need("a player")?)?;
                    Ok(self.node(Op::SetNext, 1, &[who]))
                }
                None => Err(Unknown::at(call, "this decision is not known here")),
            },
            Some("Swap") => {
                arguments.word_of(&["Pieces"]);
                let one = self.number(arguments.need("a site")?)?;
                let other = self.number(arguments.need("a site")?)?;
                Ok(self.node(Op::SwapSites, 1, &[one, other]))
            }
            Some(kind) => Err(Unknown::at(
                call,
                format!("`move {kind}` is not known here"),
            )),
            None if arguments
                .peek()
                .is_some_and(|node| head(node) == Some("from")) =>
            {
                self.carries(arguments, true)
            }
            None => Err(Unknown::at(call, "this kind of move is not known here")),
        }
    }

    fn add(&mut self, arguments: &mut Arguments<'_>, decided: bool) -> Known<At> {
        let call = arguments.call;
        let piece = arguments.call("piece");
        let to = self.part(arguments.call("to"))?;
        let stack = arguments.named("stack").and_then(word) == Some("True");
        let count = arguments.named("count");
        let mut pieces = Vec::new();
        let mut state = NOTHING;
        if let Some(piece) = piece {
            let mut inner = Arguments::of(piece)?;
            let state_node = inner.named("state");
            let name = inner.need("a piece")?;
            let role = inner.next();
            inner.finish()?;
            for name in elements(name) {
                pieces.push(self.piece_of(name, role)?);
            }
            state = self.number_or_nothing(state_node)?;
        } else {
            pieces.push(self.piece_of_mover(call)?);
        }
        let sites = match to.sites {
            Some(node) => self.sites(node)?,
            None => {
                let to = self.node(Op::To, 0, &[]);
                self.node(Op::One, 0, &[to])
            }
        };
        let condition = self.condition(to.condition)?;
        let condition = self.program.everywhere(condition, 0);
        let count = self.number_or_nothing(count)?;
        let effect = self.effect(to.effect)?;
        let x = u8::from(decided) | u8::from(stack) << 1;
        if stack {
            self.program.flags |= firmware_core::cartridge::bytes::flag::STACKS;
        }
        let all: Vec<At> = pieces
            .into_iter()
            .map(|piece| self.node(Op::Add, x, &[piece, sites, condition, state, count, effect]))
            .collect();
        Ok(match all[..] {
            [one] => one,
            _ => self.program.each(Op::Any, &[], &all),
        })
    }

    /// The first piece of the mover; one of all where the mover has none.
    fn piece_of_mover(&mut self, at: &Node) -> Known<At> {
        let all: Vec<u8> = (1..self.program.pieces.len() as u8).collect();
        let mover = self.node(Op::Mover, 0, &[]);
        let owned = |owner: u8| {
            let mut pieces = all.iter().copied();
            pieces.find(|piece| self.program.pieces[usize::from(*piece)].owner == owner)
        };
        let shared = owned(self.players + 1);
        let players = 1..=self.players;
        let table: Vec<Option<u8>> = std::iter::once(None)
            .chain(players.map(|player| owned(player).or(shared)))
            .collect();
        let without = table.iter().skip(1).position(Option::is_none);
        if let Some(player) = without {
            let what = format!(
                "player {} has no piece to put on the board: write one for each player within the equipment, such as `(piece \"Stone\" Each)`",
                player + 1
            );
            return Err(Unknown::at(at, what));
        }
        let table = table.into_iter().map(|piece| piece.map_or(-1, i16::from));
        let table = self.program.table(table.collect());
        Ok(self.node(Op::Entry, 0, &[table, mover]))
    }

    fn remove(&mut self, arguments: &mut Arguments<'_>, decided: bool) -> Known<At> {
        self.site_type(arguments)?;
        let sites = self.sites(arguments.need("a site")?)?;
        let count = arguments.named("count");
        let count = self.number_or_nothing(count)?;
        let later = arguments.named("at").and_then(word) == Some("EndOfTurn");
        if let Some(level) = arguments.named("level") {
            return Err(Unknown::at(level, "levels are not known here"));
        }
        let x = u8::from(decided) | u8::from(later) << 1;
        Ok(self.node(Op::Remove, x, &[sites, count]))
    }

    fn carries(&mut self, arguments: &mut Arguments<'_>, decided: bool) -> Known<At> {
        let from = self.part(arguments.call("from"))?;
        let to = self.part(arguments.call("to"))?;
        let count = arguments.named("count");
        let copy = arguments.named("copy");
        let stack = arguments.named("stack");
        if let Some(stack) = stack {
            return Err(Unknown::at(
                stack,
                "moves of whole stacks are not known here",
            ));
        }
        let froms = match from.sites {
            Some(node) => self.sites(node)?,
            None => {
                let from = self.node(Op::From, 0, &[]);
                self.node(Op::One, 0, &[from])
            }
        };
        let tos = match to.sites {
            Some(node) => self.sites(node)?,
            None => {
                let to = self.node(Op::To, 0, &[]);
                self.node(Op::One, 0, &[to])
            }
        };
        let may_go = self.condition(from.condition)?;
        let may_come = self.condition(to.condition)?;
        let may_come = self.program.everywhere(may_come, 0);
        let effect = self.effect(to.effect)?;
        let count = self.number_or_nothing(count)?;
        let copies = match copy.and_then(word) {
            Some("True") => 2,
            _ => 0,
        };
        let copy = match copy {
            Some(node) if word(node).is_none() => self.truth(node)?,
            _ => NOTHING,
        };
        let x = u8::from(decided) | copies;
        Ok(self.node(
            Op::FromTo,
            x,
            &[froms, may_go, tos, may_come, effect, count, copy],
        ))
    }

    /// The directions of a move that has them before its `(to ...)`.
    fn move_directions(&mut self, arguments: &mut Arguments<'_>, usual: Direction) -> Known<At> {
        let is_one = |node: &Node| {
            word(node).is_some()
                || matches!(node.kind, Kind::Set(_))
                || matches!(head(node), Some("directions" | "if" | "difference"))
        };
        let directions = arguments.find(is_one);
        self.directions(directions, usual)
    }

    fn step(&mut self, arguments: &mut Arguments<'_>, decided: bool) -> Known<At> {
        let from = self.part(arguments.call("from"))?;
        let to = self.part(arguments.call("to"))?;
        if let Some(stack) = arguments.named("stack") {
            return Err(Unknown::at(
                stack,
                "moves of whole stacks are not known here",
            ));
        }
        let ways = self.move_directions(arguments, Direction::Adjacent)?;
        let start = self.start(&from)?;
        let may_go = self.condition(from.condition)?;
        let may_come = self.condition(to.condition)?;
        let may_come = self.program.everywhere(may_come, 0);
        let effect = self.effect(to.effect)?;
        let x = u8::from(decided);
        Ok(self.node(Op::Step, x, &[start, may_go, ways, may_come, effect]))
    }

    fn slide(&mut self, arguments: &mut Arguments<'_>, decided: bool) -> Known<At> {
        let from = self.part(arguments.call("from"))?;
        let to = self.part(arguments.call("to"))?;
        let between = self.part(arguments.call("between"))?;
        if let Some(node) = arguments.named("stack") {
            return Err(Unknown::at(
                node,
                "moves of whole stacks are not known here",
            ));
        }
        if let Some(node) = arguments.next_if(|node| text(node).is_some()) {
            return Err(Unknown::at(node, "slides along tracks are not known here"));
        }
        let ways = self.move_directions(arguments, Direction::Adjacent)?;
        if let Some(node) = from.condition {
            return Err(Unknown::at(
                node,
                "a condition on where a slide begins is not known here",
            ));
        }
        let start = self.start(&from)?;
        let (least, most) = self.lengths(&between)?;
        let goes_on = self.condition(between.condition)?;
        // A condition on where it ends ends it there.
        let stops = self.condition(to.condition)?;
        let goes_on = self.program.everywhere(goes_on, 1);
        let stops = self.program.everywhere(stops, 0);
        // The condition of its effect is one of the slide.
        let may_come = match to.effect {
            Some(effect) => {
                let mut arguments = Arguments::of(effect)?;
                let condition = arguments.named("if");
                self.condition(condition)?
            }
            None => NOTHING,
        };
        let effect = self.effect(to.effect)?;
        let on_the_way = self.effect(between.effect)?;
        let trail = match between.trail {
            Some(node) => self.number(node)?,
            None => NOTHING,
        };
        Ok(self.node(
            Op::Slide,
            u8::from(decided),
            &[
                start, ways, least, most, goes_on, stops, may_come, effect, on_the_way, trail,
            ],
        ))
    }

    /// The least and the most of what lies between.
    fn lengths(&mut self, between: &Part<'_>) -> Known<(u16, u16)> {
        if between.exact.is_some() {
            let exact = self.limit(between.exact)?;
            return Ok((exact, exact));
        }
        Ok((self.limit(between.least)?, self.limit(between.most)?))
    }

    fn hop(&mut self, arguments: &mut Arguments<'_>, decided: bool) -> Known<At> {
        let from = self.part(arguments.call("from"))?;
        let between = self.part(arguments.call("between"))?;
        let to = self.part(arguments.call("to"))?;
        if let Some(node) = arguments.named("stack") {
            return Err(Unknown::at(
                node,
                "moves of whole stacks are not known here",
            ));
        }
        let ways = self.move_directions(arguments, Direction::Adjacent)?;
        let start = self.start(&from)?;
        let may_go = self.condition(from.condition)?;
        let (least, most) = match (between.exact, between.least, between.most) {
            (None, None, None) => (NOTHING, NOTHING),
            (None, None, Some(_)) => (self.constant(1), self.limit(between.most)?),
            _ => self.lengths(&between)?,
        };
        let before = self.number_or_nothing(between.before)?;
        let after = self.number_or_nothing(between.after)?;
        let hurdle = match between.condition {
            Some(node) => self.truth(node)?,
            None => {
                let between = self.node(Op::Between, 0, &[]);
                self.node(Op::IsOccupied, 0, &[between])
            }
        };
        let lands = self.condition(to.condition)?;
        let hurdle = self.program.everywhere(hurdle, 1);
        let lands = self.program.everywhere(lands, 0);
        let on_hurdle = self.effect(between.effect)?;
        let on_landing = self.effect(to.effect)?;
        Ok(self.node(
            Op::Hop,
            u8::from(decided),
            &[
                start, may_go, ways, before, least, most, after, hurdle, lands, NOTHING, on_hurdle,
                on_landing,
            ],
        ))
    }

    fn leap(&mut self, arguments: &mut Arguments<'_>, decided: bool) -> Known<At> {
        let from = self.part(arguments.call("from"))?;
        let to = self.part(arguments.call("to"))?;
        let forward = arguments.named("forward");
        let rotations = arguments.named("rotations").and_then(word) != Some("False");
        if let Some(node) = forward.filter(|node| word(node) != Some("False")) {
            return Err(Unknown::at(node, "leaps forward are not known here"));
        }
        let walks = arguments.need("a walk")?;
        let start = self.start(&from)?;
        let may_go = self.condition(from.condition)?;
        let sets = self.leaps(walks, rotations)?;
        let sites = {
            let many = sets.len() as u16;
            let first = self.program.sets_in_order(sets);
            let from = self.node(Op::From, 0, &[]);
            self.node(Op::Choose, 0, &[first, many, from])
        };
        let may_come = self.condition(to.condition)?;
        let may_come = self.program.everywhere(may_come, 0);
        let effect = self.effect(to.effect)?;
        let x = u8::from(decided);
        Ok(self.node(Op::Leap, x, &[start, sites, may_come, effect, may_go]))
    }

    /// For each site, where walks lead from it.
    fn leaps(&self, walks: &Node, rotations: bool) -> Known<Vec<Vec<usize>>> {
        let mut read = Vec::new();
        for walk in elements(walks) {
            let letters: Option<String> = elements(walk).into_iter().map(word).collect();
            let walk_read = letters.and_then(|letters| crate::layout::Walk::read(&letters));
            read.push(walk_read.ok_or_else(|| Unknown::at(walk, "a walk is of F, R and L"))?);
        }
        let from = |site: usize| {
            let mut to: Vec<usize> = Vec::new();
            for walk in &read {
                let ways = crate::layout::ways(&self.sites, site, walk);
                let ways = ways
                    .into_iter()
                    .take(if rotations { usize::MAX } else { 1 });
                to.extend(ways.filter_map(|(_, sites)| sites.last().copied()));
            }
            to.sort_unstable();
            to.dedup();
            to
        };
        Ok((0..self.sites.len()).map(from).collect())
    }

    fn shoot(&mut self, arguments: &mut Arguments<'_>, decided: bool) -> Known<At> {
        let piece = arguments.call("piece");
        let from = self.part(arguments.call("from"))?;
        let to = self.part(arguments.call("to"))?;
        let between = self.part(arguments.call("between"))?;
        let ways = self.move_directions(arguments, Direction::Adjacent)?;
        if let Some(node) = between.condition.or(between.sites) {
            return Err(Unknown::at(node, "what shots pass is not known here"));
        }
        let start = match from.sites {
            Some(_) => self.start(&from)?,
            None => self.node(Op::LastTo, 0, &[]),
        };
        let may_come = self.condition(to.condition)?;
        let call = arguments.call;
        let piece = piece.ok_or_else(|| Unknown::at(call, "a piece is missing here"))?;
        let mut inner = Arguments::of(piece)?;
        let name = inner.need("a piece")?;
        let role = inner.next();
        let piece = self.piece_of(name, role)?;
        Ok(self.node(
            Op::Shoot,
            u8::from(decided),
            &[start, ways, may_come, piece],
        ))
    }

    fn promote(&mut self, arguments: &mut Arguments<'_>, decided: bool) -> Known<At> {
        self.site_type(arguments)?;
        let piece = arguments.call("piece");
        let at = match arguments.next_if(|node| word(node).is_none()) {
            Some(node) => self.number(node)?,
            None => self.node(Op::To, 0, &[]),
        };
        let role = arguments.next();
        let call = arguments.call;
        let piece = piece.ok_or_else(|| Unknown::at(call, "a piece is missing here"))?;
        let mut inner = Arguments::of(piece)?;
        let names = inner.need("a piece")?;
        let role = inner.next().or(role);
        inner.finish()?;
        let mut all = Vec::new();
        for name in elements(names) {
            let piece = self.piece_of(name, role)?;
            all.push(self.node(Op::Promote, u8::from(decided), &[at, piece]));
        }
        Ok(match all[..] {
            [one] => one,
            _ => self.program.each(Op::Any, &[], &all),
        })
    }

    fn select(&mut self, arguments: &mut Arguments<'_>, decided: bool) -> Known<At> {
        let from = self.part(arguments.call("from"))?;
        let to = arguments.call("to");
        let mover = arguments.next();
        if let Some(mover) = mover {
            return Err(Unknown::at(
                mover,
                "choices of another player are not known here",
            ));
        }
        let sites = match from.sites {
            Some(node) => self.sites(node)?,
            None => {
                let from = self.node(Op::From, 0, &[]);
                self.node(Op::One, 0, &[from])
            }
        };
        let may_go = self.condition(from.condition)?;
        let to = self.part(to)?;
        let tos = match to.sites {
            Some(node) => self.sites(node)?,
            None => NOTHING,
        };
        let may_come = self.condition(to.condition)?;
        let x = u8::from(decided);
        Ok(self.node(Op::Select, x, &[sites, may_go, tos, may_come]))
    }

    fn for_each(&mut self, arguments: &mut Arguments<'_>, decided: bool) -> Known<At> {
        const KINDS: [&str; 9] = [
            "Piece",
            "Site",
            "Player",
            "Value",
            "Direction",
            "Level",
            "Die",
            "Group",
            "Team",
        ];
        let call = arguments.call;
        match arguments.word_of(&KINDS) {
            Some("Piece") => self.for_each_piece(arguments, decided),
            Some("Site") => {
                let sites = self.sites(arguments.need("a region")?)?;
                let moves = self.moves(arguments.need("moves")?, decided)?;
                let otherwise = match arguments.named("noMoveYet") {
                    Some(node) => self.moves(node, decided)?,
                    None => NOTHING,
                };
                Ok(self.node(Op::ForEachSite, 0, &[sites, moves, otherwise]))
            }
            Some("Player") => {
                let moves = self.moves(arguments.need("moves")?, decided)?;
                Ok(self.node(Op::ForEachPlayer, 0, &[moves]))
            }
            Some("Value") => {
                let range = arguments.next_if(|node| head(node) == Some("range"));
                let (least, most) = match range {
                    Some(range) => {
                        let mut inner = Arguments::of(range)?;
                        let least = self.number(inner.need("a number")?)?;
                        let most = self.number(inner.need("a number")?)?;
                        (least, most)
                    }
                    None => {
                        let least = self.number(arguments.need_named("min")?)?;
                        let most = self.number(arguments.need_named("max")?)?;
                        (least, most)
                    }
                };
                let moves = self.moves(arguments.need("moves")?, decided)?;
                Ok(self.node(Op::ForEachValue, 0, &[least, most, moves]))
            }
            _ => Err(Unknown::at(call, "this loop over moves is not known here")),
        }
    }

    fn for_each_piece(&mut self, arguments: &mut Arguments<'_>, decided: bool) -> Known<At> {
        let call = arguments.call;
        if let Some(node) = arguments
            .named("container")
            .filter(|node| text(node) != Some("Board"))
        {
            return Err(Unknown::at(
                node,
                "pieces outside the board are not known here",
            ));
        }
        if let Some(node) = arguments.named("top") {
            return Err(Unknown::at(node, "pieces on top are not known here"));
        }
        self.site_type(arguments)?;
        let names = arguments.next_if(|node| {
            text(node).is_some()
                || matches!(&node.kind, Kind::Set(nodes) if nodes.iter().all(|node| text(node).is_some()))
        });
        let role = arguments.next_if(|node| {
            word(node).is_some() || matches!(head(node), Some("player" | "mover" | "next"))
        });
        let own = arguments.next();
        let who = match role {
            Some(role) if matches!(word(role), Some("All" | "Each")) => {
                return Err(Unknown::at(
                    role,
                    "pieces of all players are not known here",
                ));
            }
            Some(role) => self.role(role)?,
            None => self.node(Op::Mover, 0, &[]),
        };
        let within = match names {
            Some(names) => {
                let mut table = Vec::new();
                for name in elements(names) {
                    let named = text(name).unwrap_or("");
                    let pieces = self.program.pieces.iter().enumerate().skip(1);
                    let found: Vec<i16> = pieces
                        .filter(|(_, piece)| piece.name == named || piece.kind == named)
                        .map(|(index, _)| index as i16)
                        .collect();
                    if found.is_empty() {
                        return Err(Unknown::at(name, format!("no piece is called \"{named}\"")));
                    }
                    table.extend(found);
                }
                let table = self.program.table(table);
                self.node(Op::WithPiece, 0, &[table])
            }
            None => NOTHING,
        };
        let own = match own {
            Some(node) => self.moves(node, decided)?,
            None => NOTHING,
        };
        let column = usize::from(self.in_sight);
        let none = |piece: &super::program::Piece| piece.moves[column].is_none();
        if own == NOTHING && self.program.pieces.iter().all(none) {
            let what = "no piece has moves of its own: write them after its owner, such as `(piece \"Stone\" Each \"StepToEmpty\")`";
            return Err(Unknown::at(call, what));
        }
        let x = u8::from(self.in_sight);
        Ok(self.node(Op::ForEachPiece, x, &[who, within, own]))
    }

    fn set(&mut self, arguments: &mut Arguments<'_>) -> Known<At> {
        const KINDS: [&str; 14] = [
            "Score",
            "State",
            "Count",
            "Value",
            "Counter",
            "Pending",
            "NextPlayer",
            "Var",
            "Amount",
            "Rotation",
            "Hidden",
            "TrumpSuit",
            "Team",
            "Direction",
        ];
        let call = arguments.call;
        match arguments.word_of(&KINDS) {
            Some("Score") => {
                let who = arguments.need("a player")?;
                let score = self.number(arguments.need("a score")?)?;
                if word(who) == Some("Each") {
                    let player = self.node(Op::Player, 0, &[]);
                    let set = self.node(Op::SetScore, 0, &[player, score]);
                    return Ok(self.node(Op::ForEachPlayer, 0, &[set]));
                }
                let who = self.role(who)?;
                Ok(self.node(Op::SetScore, 0, &[who, score]))
            }
            Some("Amount") => {
                let who = self.role(arguments.need("a player")?)?;
                let amount = self.number(arguments.need("an amount")?)?;
                Ok(self.node(Op::SetAmount, 0, &[who, amount]))
            }
            Some(kind @ ("State" | "Count")) => {
                self.site_type(arguments)?;
                let at = self.number(arguments.need_named("at")?)?;
                let number = self.number(arguments.need("a number")?)?;
                if kind == "Count" {
                    self.program.flags |= firmware_core::cartridge::bytes::flag::COUNTS;
                    return Ok(self.node(Op::SetCount, 0, &[at, number]));
                }
                Ok(self.node(Op::SetState, 0, &[at, number]))
            }
            Some("Counter") => {
                let number = match arguments.next() {
                    Some(node) => self.number(node)?,
                    None => self.constant(-1),
                };
                Ok(self.node(Op::SetCounter, 0, &[number]))
            }
            Some("Pending") => match arguments.next() {
                None => {
                    let none = self.constant(-1);
                    Ok(self.node(Op::SetPending, 0, &[none]))
                }
                Some(node) if self.is_number(node) || word(node).is_some() => {
                    let number = self.number(node)?;
                    Ok(self.node(Op::SetPending, 0, &[number]))
                }
                Some(node) => {
                    let sites = self.sites(node)?;
                    Ok(self.node(Op::SetPendingSites, 0, &[sites]))
                }
            },
            Some("NextPlayer") => {
                let who = self.role(arguments.need("a player")?)?;
                Ok(self.node(Op::SetNext, 0, &[who]))
            }
            Some("Var") => {
                let name = arguments.next_if(|node| text(node).is_some());
                let name = name.and_then(text).unwrap_or("");
                let place = Self::place_of(&mut self.variables, name);
                if place >= firmware_core::cartridge::state::VARIABLES {
                    return Err(Unknown::at(call, "more variables than there is room for"));
                }
                let number = self.number(arguments.need("a number")?)?;
                Ok(self.node(Op::SetVariable, 0, &[place as u16, number]))
            }
            Some(kind) => Err(Unknown::at(call, format!("`set {kind}` is not known here"))),
            None => Err(Unknown::at(call, "what is set is not known here")),
        }
    }

    /// Where a capture is looked at from: the last site, if nothing is said.
    fn capture_from(&mut self, arguments: &mut Arguments<'_>) -> Known<At> {
        let from = self.part(arguments.call("from"))?;
        match from.sites {
            Some(node) => self.number(node),
            None => Ok(self.node(Op::LastTo, 0, &[])),
        }
    }

    /// An effect, or removing what is `(between)` or `(to)`.
    fn effect_or_removal(&mut self, effect: Option<&Node>, place: Op) -> Known<At> {
        match effect {
            Some(node) => self.moves(node, false),
            None => {
                let place = self.node(place, 0, &[]);
                let sites = self.node(Op::One, 0, &[place]);
                Ok(self.node(Op::Remove, 0, &[sites, NOTHING]))
            }
        }
    }

    fn enemy_at(&mut self, place: Op) -> At {
        let place = self.node(place, 0, &[]);
        let who = self.node(Op::Who, 0, &[place]);
        self.node(Op::IsEnemy, 0, &[who])
    }

    fn friend_at(&mut self, place: Op) -> At {
        let place = self.node(place, 0, &[]);
        let who = self.node(Op::Who, 0, &[place]);
        self.node(Op::IsFriend, 0, &[who])
    }

    fn custodial(&mut self, arguments: &mut Arguments<'_>) -> Known<At> {
        let from = self.capture_from(arguments)?;
        let between = self.part(arguments.call("between"))?;
        let to = self.part(arguments.call("to"))?;
        let ways = self.move_directions(arguments, Direction::Adjacent)?;
        let (least, most) = self.lengths(&between)?;
        let target = match between.condition {
            Some(node) => self.truth(node)?,
            None => self.enemy_at(Op::Between),
        };
        let friend = match to.condition {
            Some(node) => self.truth(node)?,
            None => self.friend_at(Op::To),
        };
        let target = self.program.everywhere(target, 1);
        let friend = self.program.everywhere(friend, 0);
        let effect = self.effect_or_removal(between.effect, Op::Between)?;
        Ok(self.node(
            Op::Custodial,
            0,
            &[from, ways, least, most, target, friend, effect],
        ))
    }

    fn surround(&mut self, arguments: &mut Arguments<'_>) -> Known<At> {
        let from = self.capture_from(arguments)?;
        let between = self.part(arguments.call("between"))?;
        let to = self.part(arguments.call("to"))?;
        let except = arguments.named("except");
        let with = arguments.named("with");
        if let Some(with) = with {
            return Err(Unknown::at(with, "who has to surround is not known here"));
        }
        let ways = self.move_directions(arguments, Direction::Adjacent)?;
        let target = match between.condition {
            Some(node) => self.truth(node)?,
            None => self.enemy_at(Op::Between),
        };
        let friend = match to.condition {
            Some(node) => self.truth(node)?,
            None => self.friend_at(Op::To),
        };
        let target = self.program.everywhere(target, 1);
        let friend = self.program.everywhere(friend, 0);
        let effect = self.effect_or_removal(between.effect, Op::Between)?;
        let except = self.number_or_nothing(except)?;
        Ok(self.node(
            Op::Surround,
            0,
            &[from, ways, target, friend, effect, except],
        ))
    }

    fn enclose(&mut self, arguments: &mut Arguments<'_>) -> Known<At> {
        self.site_type(arguments)?;
        let from = self.capture_from(arguments)?;
        let between = self.part(arguments.call("between"))?;
        let exceptions = arguments.named("numException");
        let ways = self.move_directions(arguments, Direction::Adjacent)?;
        let target = match between.condition {
            Some(node) => self.truth(node)?,
            None => self.enemy_at(Op::Between),
        };
        let target = self.program.everywhere(target, 1);
        let effect = self.effect_or_removal(between.effect, Op::Between)?;
        let exceptions = self.number_or_nothing(exceptions)?;
        Ok(self.node(Op::Enclose, 0, &[from, ways, target, effect, exceptions]))
    }

    fn intervene(&mut self, arguments: &mut Arguments<'_>) -> Known<At> {
        let from = self.capture_from(arguments)?;
        let between = self.part(arguments.call("between"))?;
        let to = self.part(arguments.call("to"))?;
        let call = arguments.call;
        let direction = arguments.next();
        let ways = self.lines(direction, call)?;
        let (least, most) = self.lengths(&between)?;
        let target = match to.condition {
            Some(node) => self.truth(node)?,
            None => self.enemy_at(Op::To),
        };
        let effect = self.effect_or_removal(to.effect, Op::To)?;
        Ok(self.node(Op::Intervene, 0, &[from, ways, least, most, target, effect]))
    }

    fn directional(&mut self, arguments: &mut Arguments<'_>) -> Known<At> {
        let from = self.capture_from(arguments)?;
        let to = self.part(arguments.call("to"))?;
        let call = arguments.call;
        let direction = arguments.next();
        if direction.is_none() {
            return Err(Unknown::at(
                call,
                "a capture in the direction of the move is not known here",
            ));
        }
        let ways = self.directions(direction, Direction::Adjacent)?;
        let target = match to.condition {
            Some(node) => self.truth(node)?,
            None => self.enemy_at(Op::To),
        };
        let effect = self.effect_or_removal(to.effect, Op::To)?;
        Ok(self.node(
            Op::Directional,
            0,
            &[from, ways, NOTHING, NOTHING, target, effect],
        ))
    }
}
