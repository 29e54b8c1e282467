//! Compiles the phases of a game: what is played in each, and which phase follows.

use firmware_core::cartridge::bytes::{NEXT_PHASES, PHASES};

use super::arguments::{Arguments, CompileResult, Unknown};
use super::equipment::Moving;
use super::program::{NextPhase, Phase};
use super::{Compiler, NodeId};
use crate::compile::moves::MadeBy;
use crate::tree::{Kind, Node};

/// The plays of the phases.
pub(super) fn plays_of(phases: &Node) -> CompileResult<Vec<&Node>> {
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
    /// The moves of the pieces and of each phase.
    pub(super) fn add_plays(
        &mut self,
        plays: &[&Node],
        moving: &[Moving<'_>],
    ) -> CompileResult<()> {
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

    /// The single argument of `(play ...)`.
    fn play(&mut self, node: &Node) -> CompileResult<NodeId> {
        let mut arguments = Arguments::of(node)?;
        let moves = arguments.need("moves")?;
        arguments.finish()?;
        self.moves(moves, MadeBy::Player)
    }

    pub(super) fn add_phases(&mut self, node: &Node) -> CompileResult<()> {
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

    fn next_phase(&mut self, node: &Node, index: usize) -> CompileResult<NextPhase> {
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
        Ok(NextPhase {
            who,
            when,
            to: to as u16,
        })
    }
}
