//! Compiles a whole game: its players, its set-up, and what its rules consist of.

use std::collections::BTreeSet;

use firmware_core::cartridge::bytes::{PLAYERS, flag};
use firmware_core::cartridge::op::{NOTHING, Op, bit};

use super::arguments::{Arguments, CompileResult, Unknown, elements_of};
use super::board::{begin, directions_named};
use super::equipment::Moving;
use super::phases::plays_of;
use super::{Compiler, NodeId};
use crate::compile::moves::MadeBy;
use crate::layout::Direction;
use crate::tree::{Kind, Node};

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
    let items = elements_of(equipment)?;
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

impl Compiler {
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

    /// `(start ...)`: one node for all that is set up.
    fn set_up(&mut self, start: &Node) -> CompileResult<u16> {
        let items = elements_of(start)?;
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
            return self.moves(node, MadeBy::Rules);
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
        for item in elements_of(node)? {
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
}
