//! Compiles a whole game: players, equipment, phases, set-up and end.

use std::collections::{BTreeSet, HashMap};

use firmware_core::cartridge::bytes::{NEXT_PHASES, PHASES, PLAYERS, SITES, WAYS, flag};
use firmware_core::cartridge::op::{NOTHING, Op, bit, ending};

use super::arguments::{Arguments, CompileResult, Unknown, nearest};
use super::equipment::Moving;
use super::program::{Phase, Program};
use super::ways::Ways;
use super::{Compiler, EndRule, NodeId, board};
use crate::layout::{Direction, SiteType, Sites};
use crate::tree::{Kind, Node};

/// The maximum number of turns of each player, unless the game sets one.
const MOST_TURNS: u16 = 1_250;
/// The maximum number of moves in a game.
const MOST_MOVES: u16 = 10_000;

/// Compiles a game.
pub(super) fn game(node: &Node) -> CompileResult<Compiler> {
    if node.head() != Some("game") {
        return Err(Unknown::at(node, "only a `(game ...)` is supported"));
    }
    let mut arguments = Arguments::of(node)?;
    let name = arguments.need("the name of the game")?;
    if name.text().is_none() {
        let what = "the name of the game is missing: write it first, as in `(game \"Mine\" ...)`";
        return Err(Unknown::at(name, what));
    }
    let players = arguments.call("players");
    let equipment = arguments.call("equipment");
    let rules = arguments.call("rules");
    if let Some(mode) = arguments.call("mode") {
        return Err(Unknown::at(mode, "modes of play are not supported"));
    }
    arguments.finish()?;
    let missing = |what: &str, how: &str| {
        let what = format!("`({what} ...)` is missing here: write {how} within the game");
        Unknown::at(node, what)
    };
    let (players, facing) = players_of(players)?;
    let equipment = equipment.ok_or_else(|| {
        missing(
            "equipment",
            "`(equipment {(board (square 8)) (piece \"Stone\" Each)})`",
        )
    })?;
    let rules = rules.ok_or_else(|| missing("rules", "`(rules (play ...) (end ...))`"))?;
    let items = items_of(equipment)?;
    let boards: Vec<&Node> = items
        .iter()
        .copied()
        .filter(|item| matches!(item.head(), Some("board" | "mancalaBoard")))
        .collect();
    let board = match boards[..] {
        [board] => board,
        [] => {
            let what =
                "a board is missing: write one within the equipment, such as `(board (square 8))`";
            return Err(Unknown::at(equipment, what));
        }
        [_, second, ..] => {
            let what = "there is a board already, and only one is possible";
            return Err(Unknown::at(second, what));
        }
    };
    let names = directions_named(node);
    let mut compiler = begin(name.text().unwrap_or(""), players, facing, board, &names)?;
    compiler.remembered_names = names_remembered(node);
    let moving = compiler.equip(&items)?;
    compiler.rules(rules, &moving)?;
    Ok(compiler)
}

/// The number of players, and the facing of each.
fn players_of(node: Option<&Node>) -> CompileResult<(u8, Vec<Option<usize>>)> {
    let Some(node) = node else {
        return Ok((2, vec![None; 4]));
    };
    let mut arguments = Arguments::of(node)?;
    let who = arguments.need("the players")?;
    arguments.finish()?;
    match &who.kind {
        Kind::Number(many) if (0..=PLAYERS as i64).contains(many) => {
            Ok((*many as u8, vec![None; PLAYERS + 2]))
        }
        Kind::Set(nodes) if nodes.len() <= PLAYERS => {
            let mut facing = vec![None];
            for player in nodes {
                let mut inner = Arguments::of(player)?;
                let direction = inner.need("a direction")?;
                let sector = direction
                    .word()
                    .and_then(|word| word.parse::<Direction>().ok())
                    .and_then(|direction| direction.sector());
                facing.push(sector);
                inner.finish()?;
            }
            facing.resize(PLAYERS + 2, None);
            Ok((nodes.len() as u8, facing))
        }
        _ => Err(Unknown::at(
            who,
            "write how many play, a number from 0 to 4: `(players 2)`",
        )),
    }
}

/// The items of the equipment.
fn items_of(node: &Node) -> CompileResult<Vec<&Node>> {
    let mut arguments = Arguments::of(node)?;
    let mut items = Vec::new();
    while let Some(more) = arguments.next() {
        items.extend(more.elements());
    }
    arguments.finish()?;
    Ok(items)
}

/// The compiler's state once the board is known.
fn begin(
    name: &str,
    players: u8,
    facing: Vec<Option<usize>>,
    node: &Node,
    names: &BTreeSet<Direction>,
) -> CompileResult<Compiler> {
    let board = board::read(node)?;
    let sites = board.sites().clone();
    let used = board.used();
    let cells = board.of(SiteType::Cell).len();
    if sites.len() > SITES || sites.is_empty() {
        let what = format!(
            "the board has {} sites, and {SITES} is the maximum",
            sites.len()
        );
        return Err(Unknown::at(node, what));
    }
    let ways = ways_of(&sites, node, names)?;
    let mut program = Program::new(name, players, ways.next.clone(), sites.len());
    program.most_turns = MOST_TURNS;
    program.most_moves = MOST_MOVES;
    program.table(opposites(&ways));
    Ok(Compiler {
        heights: Vec::new(),
        levels: None,
        program,
        players,
        facing,
        sites,
        used,
        cells,
        ways,
        hands: Vec::new(),
        regions: Vec::new(),
        joins: Vec::new(),
        maps: Vec::new(),
        variables: Vec::new(),
        events: Vec::new(),
        memories: Vec::new(),
        remembered_names: BTreeSet::new(),
        tracks: Vec::new(),
        in_sight: false,
        moving: Vec::new(),
        in_set_up: false,
        started: HashMap::new(),
        phases: Vec::new(),
        in_hands: vec![0; usize::from(players) + 2],
        endings: Vec::new(),
        any_of: HashMap::new(),
        of_no_stacks: None,
    })
}

/// The ways of a board: in all directions, or if these are too many, in those that
/// the game names.
fn ways_of(sites: &Sites, node: &Node, names: &BTreeSet<Direction>) -> CompileResult<Ways> {
    let mut ways = Ways::of(sites, Direction::ALL.iter().copied());
    if ways.next.len() > WAYS {
        ways = Ways::of(sites, names.iter().copied());
    }
    if ways.next.len() > WAYS {
        let what = format!(
            "the board has {} ways, and {WAYS} is the maximum",
            ways.next.len()
        );
        return Err(Unknown::at(node, what));
    }
    Ok(ways)
}

/// The way back of each way, everywhere or at each site; -1 for none.
fn opposites(ways: &Ways) -> Vec<i16> {
    let opposites = if ways.opposites_at.is_empty() {
        ways.opposites.iter().collect::<Vec<_>>()
    } else {
        ways.opposites_at.iter().flatten().collect()
    };
    let opposites = opposites.into_iter();
    opposites
        .map(|back| back.map_or(-1, |back| back as i16))
        .collect()
}

/// The directions that a game may use: those that it names, the default ones, and the
/// whole compass if a piece faces a direction.
fn directions_named(game: &Node) -> BTreeSet<Direction> {
    let words = game.all().filter_map(Node::word);
    let all: BTreeSet<String> = words.map(str::to_owned).collect();
    let relative = |word: &String| {
        let turned = |letter: char| matches!(letter, 'F' | 'B' | 'L' | 'R');
        word.contains("ward") || (word.len() > 1 && word.chars().all(turned))
    };
    let compass = all.iter().any(relative) || all.contains("ahead");
    let named = all.iter().filter_map(|word| word.parse().ok());
    let mut names: BTreeSet<Direction> = named.collect();
    names.extend([Direction::Adjacent, Direction::Orthogonal]);
    if all.contains("Flat") {
        names.insert(Direction::Downward);
    }
    if compass {
        names.extend(Direction::COMPASS);
    }
    if all.contains("SameDirection") || all.contains("OppositeDirection") {
        names.insert(Direction::All);
    }
    names
}

/// The names under which a game remembers values; an empty one for values without a name.
fn names_remembered(game: &Node) -> BTreeSet<String> {
    let remembers = |node: &&Node| {
        matches!(
            (node.head(), node.second()),
            (Some("remember"), Some("Value")) | (Some("set"), Some("RememberValue"))
        )
    };
    let name = |call: &Node| {
        let Kind::Call(arguments) = &call.kind else {
            return String::new();
        };
        let name = arguments.get(2).and_then(|argument| argument.node.text());
        name.unwrap_or("").to_owned()
    };
    game.all().filter(remembers).map(name).collect()
}

/// The heads of all calls within a node, alone and with their second word.
fn heads(node: &Node) -> BTreeSet<String> {
    let mut all = BTreeSet::new();
    for node in node.all() {
        if let (Some(first), second) = (node.head(), node.second()) {
            all.insert(first.to_owned());
            all.insert(format!("{first} {}", second.unwrap_or("")));
        }
    }
    all
}

/// The plays of the phases.
fn plays_of(phases: &Node) -> CompileResult<Vec<&Node>> {
    let nodes = phases.elements();
    if nodes.len() > PHASES {
        return Err(Unknown::at(phases, format!("{PHASES} phases are the most")));
    }
    let play = |node: &&'_ Node| -> Option<usize> {
        let Kind::Call(arguments) = &node.kind else {
            return None;
        };
        arguments
            .iter()
            .position(|argument| argument.node.head() == Some("play"))
    };
    let mut plays = Vec::new();
    for node in nodes {
        let missing = || Unknown::at(node, "`(play ...)` is missing here");
        let place = play(&node).ok_or_else(missing)?;
        if let Kind::Call(arguments) = &node.kind {
            plays.push(&arguments[place].node);
        }
    }
    Ok(plays)
}

impl Compiler {
    /// Adds board, hands, pieces, regions and maps. Returns the pieces, whose moves are
    /// compiled later.
    fn equip<'n>(&mut self, items: &[&'n Node]) -> CompileResult<Vec<Moving<'n>>> {
        for item in items {
            if item.head() == Some("hand") {
                self.add_hands(item)?;
            }
        }
        if self.program.sites > SITES {
            let what = format!("board and hands have {} sites", self.program.sites);
            return Err(Unknown::at(items[0], what));
        }
        let mut moving = Vec::new();
        for item in items {
            match item.head() {
                Some("hand") => {}
                Some("board" | "mancalaBoard") => self.add_tracks(item)?,
                Some("piece") => moving.extend(self.add_piece(item)?),
                Some("regions") => self.add_region(item)?,
                Some("map") => self.add_map(item)?,
                _ => {
                    return Err(Unknown::at(
                        item,
                        "this item of the equipment is not supported",
                    ));
                }
            }
        }
        Ok(moving)
    }

    fn rules(&mut self, node: &Node, moving: &[Moving<'_>]) -> CompileResult<()> {
        let mut arguments = Arguments::of(node)?;
        while let Some(meta) = arguments.call("meta") {
            self.meta(meta)?;
        }
        let start = arguments.call("start");
        let play = arguments.call("play");
        let phases = arguments.named("phases");
        let end = arguments.call("end");
        arguments.finish()?;
        let all = heads(node);
        let passes = all.contains("all Passed") || all.contains("passEnd NoEnd");
        if !passes && self.players > 0 {
            self.program.flags |= flag::PASS_ENDS;
        }
        if self.players == 0 {
            self.program.flags |= flag::SIMULATION;
        }
        if let Some(start) = start {
            self.program.set_up = Some(self.set_up(start)?);
        }
        let plays = match (play, phases) {
            (Some(play), None) => vec![play],
            (None, Some(phases)) => plays_of(phases)?,
            _ => {
                return Err(Unknown::at(
                    node,
                    "how is it played? Write one `(play ...)`, or `phases:{...}`",
                ));
            }
        };
        self.add_plays(&plays, moving)?;
        if let Some(phases) = phases {
            self.add_phases(phases)?;
        }
        if let Some(end) = end {
            let rules = self.ends(end)?;
            self.program.end = Some(rules);
        }
        if self.program.flags & flag::STACKS != 0 {
            self.bound_stacks()?;
        }
        Ok(())
    }

    /// The moves of the pieces and of each phase.
    fn add_plays(&mut self, plays: &[&Node], moving: &[Moving<'_>]) -> CompileResult<()> {
        // Moves as they count for threats come first, because all other moves may refer
        // to them.
        self.program.phases = vec![Phase::default(); plays.len()];
        for column in [1, 0] {
            for piece in moving {
                self.add_moves(piece, column)?;
            }
            for (index, play) in plays.iter().enumerate() {
                self.in_sight = column == 1;
                let moves = self.play(play);
                self.in_sight = false;
                self.program.phases[index].play[column] = Some(moves?);
            }
        }
        Ok(())
    }

    /// `(start ...)`: one node for all that is set up.
    fn set_up(&mut self, start: &Node) -> CompileResult<u16> {
        let mut items = Vec::new();
        let mut inner = Arguments::of(start)?;
        while let Some(node) = inner.next() {
            items.extend(node.elements());
        }
        inner.finish()?;
        let mut set_up = Vec::new();
        for item in items {
            self.in_set_up = true;
            let part = match item.head() {
                Some("place") => self.place(item),
                Some("set") => self.set_at_first(item),
                _ => Err(Unknown::at(item, "this set-up is not supported")),
            };
            self.in_set_up = false;
            set_up.push(part?);
        }
        Ok(self.program.each(Op::Any, &[], &set_up))
    }

    /// The maximum height of a stack: what the rules allow, or what there is room for.
    fn bound_stacks(&mut self) -> CompileResult<()> {
        if let Some(unknown) = self.of_no_stacks.take() {
            return Err(unknown);
        }
        let room = firmware_core::cartridge::state::POOL / self.program.sites;
        let room = room.min(32) as u8;
        let mut heights = self.heights.iter().copied();
        let most = heights.try_fold(0, |most, height| height.map(|height| height.max(most)));
        let known = most.and_then(|most| u8::try_from(most).ok());
        self.levels = known.filter(|most| (1..=room).contains(most));
        self.program.stack = self.levels.unwrap_or(room);
        Ok(())
    }

    /// A `(set ...)` in the set-up, where seeds in pits and remembered values are written
    /// differently than in moves.
    fn set_at_first(&mut self, node: &Node) -> CompileResult<NodeId> {
        let mut arguments = Arguments::of(node)?;
        let kind = arguments.word_of(&["Count", "RememberValue"]);
        let Some(kind) = kind else {
            return self.moves(node, false);
        };
        let set = if kind == "Count" {
            let count = self.number(arguments.need("a number")?)?;
            self.site_type(&mut arguments)?;
            let sites = arguments.named("to").or(arguments.named("at"));
            let sites = sites.ok_or_else(|| Unknown::at(node, "`to:` is missing here"))?;
            let sites = self.sites(sites)?;
            self.program.flags |= flag::COUNTS;
            let piece = self.constant(self.program.pieces.len() as i64 - 1);
            let none = NOTHING;
            let add = self.node(Op::Add, 0, &[piece, sites, none, none, none, none]);
            let site = self.node(Op::Site, 0, &[]);
            let set = self.node(Op::SetCount, 0, &[site, count]);
            let each = self.node(Op::ForEachSite, 0, &[sites, set, none]);
            self.program.each(Op::Any, &[], &[add, each])
        } else {
            let name = arguments.next_if(|node| node.text().is_some());
            let once = arguments.named("unique").and_then(Node::word) == Some("True");
            let name = self.memory(node, name.and_then(Node::text))?;
            let sites = self.sites(arguments.need("what is remembered")?)?;
            let site = self.node(Op::Site, 0, &[]);
            let one = self.node(Op::Remember, u8::from(once) * bit::ONCE, &[name, site]);
            self.node(Op::ForEachSite, 0, &[sites, one, NOTHING])
        };
        arguments.finish()?;
        Ok(set)
    }

    fn meta(&mut self, node: &Node) -> CompileResult<()> {
        let mut arguments = Arguments::of(node)?;
        let mut items = Vec::new();
        while let Some(node) = arguments.next() {
            items.extend(node.elements());
        }
        arguments.finish()?;
        for item in items {
            let mut inner = Arguments::of(item)?;
            match item.head() {
                Some("swap") => self.program.flags |= flag::SWAP,
                Some("no") if inner.word_of(&["Repeat"]).is_some() => {
                    let kind = inner.word_of(&["Positional", "Situational"]);
                    self.program.flags |= match kind {
                        Some("Situational") => flag::NO_REPEAT_SITUATION,
                        _ => flag::NO_REPEAT,
                    };
                }
                Some("passEnd") if inner.word_of(&["NoEnd"]).is_some() => {}
                _ => return Err(Unknown::at(item, "this rule about rules is not supported")),
            }
            inner.finish()?;
        }
        Ok(())
    }

    /// The single argument of `(play ...)`.
    fn play(&mut self, node: &Node) -> CompileResult<NodeId> {
        let mut arguments = Arguments::of(node)?;
        let moves = arguments.need("moves")?;
        arguments.finish()?;
        self.moves(moves, true)
    }

    fn add_phases(&mut self, node: &Node) -> CompileResult<()> {
        let nodes = node.elements();
        let name = |node: &Node| match &node.kind {
            Kind::Call(arguments) => arguments
                .get(1)
                .and_then(|first| first.node.text().map(str::to_owned)),
            _ => None,
        };
        self.phases = nodes
            .iter()
            .map(|node| name(node).unwrap_or_default())
            .collect();
        let mut later = Vec::new();
        for (index, node) in nodes.iter().enumerate() {
            let mut arguments = Arguments::of(node)?;
            arguments.next();
            let role = arguments.next_if(|node| node.word().is_some());
            arguments.call("play");
            let end = arguments.call("end");
            let mut next = Vec::new();
            while let Some(node) = arguments.call("nextPhase") {
                next.push(node);
            }
            if let Some(set) = arguments.next_if(|node| matches!(node.kind, Kind::Set(_))) {
                next.extend(set.elements());
            }
            arguments.finish()?;
            later.push((index, role, next, end));
        }
        let roles: Vec<Option<&Node>> = later.iter().map(|(_, role, ..)| *role).collect();
        self.owners_of_phases(&roles);
        for (index, _, next, end) in later {
            if next.len() > NEXT_PHASES {
                return Err(Unknown::at(
                    node,
                    format!("{NEXT_PHASES} phases can follow one"),
                ));
            }
            for node in next {
                let next = self.next_phase(node, index)?;
                self.program.phases[index].next.push(next);
            }
            if let Some(end) = end {
                let rules = self.ends(end)?;
                self.program.phases[index].end = Some(rules);
            }
        }
        Ok(())
    }

    /// Each player starts in the first phase for all players or for this one. The set-up
    /// only says so if it is not phase 0.
    fn owners_of_phases(&mut self, roles: &[Option<&Node>]) {
        let first_of = |player: u8| {
            let mut fits = roles.iter().enumerate().filter(|(_, role)| {
                let role = role.and_then(Node::word);
                role.is_none_or(|role| {
                    matches!(role, "Shared" | "All" | "Each")
                        || self.player_of(role) == Some(player)
                })
            });
            fits.next().map_or(0, |(index, _)| index as u8)
        };
        self.program.first_phases = (1..=self.players).map(first_of).collect();
    }

    fn next_phase(
        &mut self,
        node: &Node,
        index: usize,
    ) -> CompileResult<(NodeId, Option<NodeId>, u16)> {
        let mut arguments = Arguments::of(node)?;
        let role = arguments.next_if(|node| {
            node.word()
                .is_some_and(|word| !matches!(word, "True" | "False"))
        });
        let who = match role.and_then(Node::word) {
            None | Some("All" | "Each" | "Shared") => self.constant(i64::from(self.players) + 1),
            _ => match role {
                Some(role) => self.role(role)?,
                None => self.constant(i64::from(self.players) + 1),
            },
        };
        let when = arguments.next_if(|node| node.text().is_none());
        let when = self.optional(when, Self::truth)?;
        let name = arguments.next();
        arguments.finish()?;
        let to = match name.and_then(Node::text) {
            Some(name) => {
                let place = self.phases.iter().position(|phase| phase == name);
                let none = || Unknown::at(node, format!("no phase is called \"{name}\""));
                place.ok_or_else(none)?
            }
            None => (index + 1) % self.phases.len(),
        };
        Ok((who, when, to as u16))
    }

    fn ends(&mut self, node: &Node) -> CompileResult<NodeId> {
        let mut arguments = Arguments::of(node)?;
        let mut rules = Vec::new();
        while let Some(node) = arguments.next() {
            for node in node.elements() {
                rules.push(self.end_rule(node)?);
            }
        }
        arguments.finish()?;
        Ok(self.program.each(Op::Rules, &[], &rules))
    }

    fn end_rule(&mut self, node: &Node) -> CompileResult<NodeId> {
        let mut arguments = Arguments::of(node)?;
        match node.head() {
            Some("if") => {
                let truth = self.truth(arguments.need("a condition")?)?;
                let mut results = Vec::new();
                while let Some(node) = arguments.next() {
                    for node in node.elements() {
                        results.push(self.result(node)?);
                    }
                }
                arguments.finish()?;
                let at = self.program.each(Op::When, &[truth], &results);
                let any_of = self.any_of.get(&truth).cloned();
                self.add_ending(node, at, any_of.unwrap_or_default());
                Ok(at)
            }
            Some("forEach") => {
                let who = arguments.word_of(&["Player", "NonMover"]);
                let who =
                    who.ok_or_else(|| Unknown::at(node, "a loop over players is expected"))?;
                let truth = self.truth(arguments.need_named("if")?)?;
                let truth = if who == "NonMover" {
                    let player = self.node(Op::Player, 0, &[]);
                    let mover = self.node(Op::Mover, 0, &[]);
                    let other = self.node(Op::Unequal, 0, &[player, mover]);
                    self.program.each(Op::And, &[], &[other, truth])
                } else {
                    truth
                };
                let result = self.result(arguments.need("a result")?)?;
                arguments.finish()?;
                let at = self.node(Op::EachPlayer, 0, &[truth, result]);
                self.add_ending(node, at, Vec::new());
                Ok(at)
            }
            _ => Err(Unknown::at(node, "this rule of the end is not supported")),
        }
    }

    fn add_ending(&mut self, rule: &Node, at: NodeId, any_of: Vec<(Node, NodeId)>) {
        if self.endings.iter().all(|ending| ending.at != at) {
            self.endings.push(EndRule {
                rule: rule.clone(),
                at,
                any_of,
            });
        }
    }

    fn result(&mut self, node: &Node) -> CompileResult<NodeId> {
        match node.head() {
            Some("if") => return self.end_rule(node),
            Some("byScore") => return self.by_score(node),
            Some("result") => {}
            _ => return Err(Unknown::at(node, "this result is not supported")),
        }
        let mut arguments = Arguments::of(node)?;
        let who = arguments.need("a player")?;
        let how = arguments.need("how it ends")?;
        arguments.finish()?;
        let kind = match how.word() {
            Some("Loss") => ending::LOSS,
            Some("Win") => ending::WIN,
            Some("Draw") => ending::DRAW,
            _ => {
                let near = how
                    .word()
                    .map(|word| nearest(word, &["Win", "Loss", "Draw"]));
                let what = format!(
                    "`Win`, `Loss` or `Draw` is expected here{}",
                    near.unwrap_or_default()
                );
                return Err(Unknown::at(how, what));
            }
        };
        let who = match who.word() {
            Some("All" | "Each") => self.constant(i64::from(self.players) + 1),
            _ => self.role(who)?,
        };
        Ok(self.node(Op::Result, 0, &[kind, who]))
    }

    fn by_score(&mut self, node: &Node) -> CompileResult<NodeId> {
        let mut arguments = Arguments::of(node)?;
        let misere = arguments.named("misere");
        if let Some(misere) = misere {
            return Err(Unknown::at(
                misere,
                "the fewest points as an end are not supported",
            ));
        }
        let Some(scores) = arguments.next() else {
            return Ok(self.node(Op::ByScore, 0, &[NOTHING]));
        };
        arguments.finish()?;
        let mut sets = Vec::new();
        for score in scores.elements() {
            let mut inner = Arguments::of(score)?;
            let who = self.role(inner.need("a player")?)?;
            let many = self.number(inner.need("a score")?)?;
            inner.finish()?;
            sets.push(self.node(Op::SetScore, 0, &[who, many]));
        }
        let sets = self.program.each(Op::Any, &[], &sets);
        Ok(self.node(Op::ByScore, 0, &[sets]))
    }
}
