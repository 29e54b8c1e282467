//! Replays recorded games and compares: the number of legal moves, that each recorded
//! move is legal and has the same effects, and the result.

pub mod excerpt;
pub mod trial;

use std::fmt;

use firmware_core::Wide;
use firmware_core::cartridge::bytes::flag;
use firmware_core::cartridge::{Action, Cartridge, EndedBy, Flow, Machine, Scratch, verify};
use firmware_core::word::Word;

use crate::compile::{CompileError, Compiled, compile};
use crate::text;
use trial::{Trial, TrialMove};

/// Compiles the text of a game with these options.
///
/// # Errors
/// A sentence that says what is wrong, and where.
pub fn compiled(source: &str, options: &[String]) -> Result<Compiled, String> {
    let reading = text::read_with(source, options);
    let reading = reading.map_err(|trouble| format!("text: {trouble}"))?;
    compile(&reading.game).map_err(|trouble| match trouble {
        CompileError::Unknown(unknown) => {
            let span = unknown.span;
            let line = source.get(..span.start as usize).unwrap_or("");
            format!("{unknown} (line {})", line.lines().count().max(1))
        }
        other => other.to_string(),
    })
}

/// The first difference between a game and its record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReplayDifference {
    /// The number of the move, from 0; the number of moves for a difference at the end.
    pub ply: usize,
    /// The name of the differing value.
    pub what: &'static str,
    /// The value in our engine.
    pub ours: String,
    /// The value in the record.
    pub theirs: String,
    /// The legal moves at that point.
    pub legal: Vec<String>,
}

impl fmt::Display for ReplayDifference {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ReplayDifference {
            ply,
            what,
            ours,
            theirs,
            ..
        } = self;
        write!(
            to,
            "move {ply}: {what}: {ours} here, {theirs} in the record"
        )
    }
}

/// Writes an action in the notation of records.
#[must_use]
pub fn written(action: Action) -> String {
    match action {
        Action::Add {
            site, what, state, ..
        } => format!("Add {what} at {site} state {state}"),
        Action::Move { from, to } | Action::Drop { from, to } => {
            format!("Move from {from} to {to}")
        }
        Action::MoveSome { from, to, count } => format!("Move {count} from {from} to {to}"),
        Action::Copy { from, to } => format!("Copy from {from} to {to}"),
        Action::Remove { site } => format!("Remove {site}"),
        Action::RemoveLater { site } => format!("Remove {site} later"),
        Action::Select { from, to } => format!("Select {from} {to}"),
        Action::Pass { .. } => "Pass".to_owned(),
        Action::Swap => "Swap".to_owned(),
        Action::Promote { site, what } => format!("Promote {site} to {what}"),
        Action::SetNext { player } => format!("Next {player}"),
        Action::SetScore {
            player,
            score,
            more,
        } => format!("Score of {player} {}{score}", if more { "+" } else { "" }),
        Action::SetAmount { player, amount } => format!("Amount of {player} {amount}"),
        Action::SetState { site, state } => format!("State of {site} {state}"),
        Action::SetCount { site, count } => format!("Count of {site} {count}"),
        Action::SetValue { site, value } => format!("Value of {site} {value}"),
        Action::SetCounter { counter } => format!("Counter {counter}"),
        Action::SetPending { value } => format!("Pending {value}"),
        Action::Trigger { player, .. } => format!("Trigger for {player}"),
        Action::SetVariable { value, .. } => format!("Variable {value}"),
        Action::SetPlayerValue { player, value } => format!("Value of player {player} {value}"),
        Action::Remember { site, .. } => format!("Remember {site}"),
        Action::Forget { site, .. } => format!("Forget {site}"),
        Action::SwapSites { one, other } => format!("Swap {one} {other}"),
        Action::Then { .. } => String::new(),
    }
}

/// A legal move and its effects.
#[derive(Clone, Debug)]
pub struct LegalMove {
    /// The sites where it starts and ends; negative for none.
    pub sites: [i16; 2],
    /// The actions of the move.
    pub actions: Vec<Action>,
}

impl LegalMove {
    /// The move as records list it.
    #[must_use]
    pub fn written(&self) -> String {
        let [from, to] = self.sites;
        let mark = match self.actions.first() {
            Some(Action::Pass { .. }) => "p",
            Some(Action::Swap) => "s",
            _ => "",
        };
        format!("{from}-{to}{mark}")
    }

    /// True if it places a piece after some other action. The engine of the public
    /// records lists such a move twice.
    fn is_listed_twice(&self) -> bool {
        matches!(self.own_actions().next_back(), Some(Action::Add { .. }))
            && self.own_actions().count() > 1
    }

    /// What it does before its consequences.
    fn own_actions(&self) -> impl DoubleEndedIterator<Item = &Action> {
        let own = |action: &&Action| !matches!(action, Action::Then { .. });
        self.actions.iter().filter(own)
    }

    /// True if it could be the move of the record, whatever its consequences.
    fn fits(&self, recorded: &TrialMove) -> bool {
        let own: Vec<String> = self.own_actions().map(|action| written(*action)).collect();
        // Removals at the end of a turn may be recorded before the pass.
        let is_pass = |actions: &[String]| {
            let mut rest = actions.iter().filter(|one| !one.starts_with("Remove"));
            rest.next().is_some_and(|one| one == "Pass")
        };
        self.sites.map(i64::from) == [recorded.from, recorded.to]
            && own.len() <= recorded.actions.len()
            && is_pass(&own) == is_pass(&recorded.actions)
    }

    /// The move with all of its actions.
    #[must_use]
    pub fn in_full(&self) -> String {
        let own: Vec<String> = self.own_actions().map(|action| written(*action)).collect();
        format!("{}: {}", self.written(), own.join(", "))
    }
}

/// Lists all legal moves of a position.
pub fn legal_moves<W: Word>(machine: &mut Machine<'_, W>) -> Vec<LegalMove> {
    let mut all = Vec::new();
    let mut keep = |machine: &mut Machine<'_, W>, draft: firmware_core::cartridge::Draft| {
        all.push(LegalMove {
            sites: [draft.from, draft.to],
            actions: machine.actions(draft).to_vec(),
        });
        Flow::Continue(())
    };
    let _ = machine.legal(&mut keep);
    all
}

/// Replays a recorded game. Returns the number of moves.
///
/// # Errors
/// The first difference.
pub fn replay(compiled: &Compiled, trial: &Trial) -> Result<usize, ReplayDifference> {
    let mut scratch = Box::new(Scratch::new());
    let game = verify(&compiled.bytes, &mut scratch).map_err(|refused| ReplayDifference {
        ply: 0,
        what: "the cartridge",
        ours: format!("{refused:?}"),
        theirs: "a game".to_owned(),
        legal: Vec::new(),
    })?;
    match game.sites() {
        0..=64 => replay_on::<u64>(&game, trial),
        65..=128 => replay_on::<u128>(&game, trial),
        _ => replay_on::<Wide>(&game, trial),
    }
}

fn replay_on<W: Word>(game: &Cartridge<'_>, trial: &Trial) -> Result<usize, ReplayDifference> {
    let mut machine: Box<Machine<'_, W>> =
        Box::new(Machine::new(game).ok_or_else(|| ReplayDifference {
            ply: 0,
            what: "sites",
            ours: game.sites().to_string(),
            theirs: "fewer".to_owned(),
            legal: Vec::new(),
        })?);
    if game.is(flag::CHANCE) {
        let moves = trial.set_up.iter();
        let all = moves.flat_map(|recorded| &recorded.actions);
        machine.start_from(all.filter_map(|written| trial::placed(written)));
    } else {
        machine.start();
    }
    for (ply, recorded) in trial.moves.iter().enumerate() {
        one_move(&mut machine, ply, recorded)?;
    }
    if !machine.state.over {
        // A game without players ends when the position no longer changes.
        machine.count();
    }
    ending(&machine, trial)
}

fn one_move<W: Word>(
    machine: &mut Machine<'_, W>,
    ply: usize,
    recorded: &TrialMove,
) -> Result<(), ReplayDifference> {
    check_turn(machine, recorded).map_err(|found| found.at(ply, &[]))?;
    let legal = legal_moves(machine);
    let play = |machine: &mut Machine<'_, W>| {
        check_list(&legal, recorded)?;
        let chosen = chosen(machine, &legal, recorded);
        are_so_many(&legal, recorded)?;
        let chosen = chosen.ok_or_else(|| Found {
            what: "the move",
            ours: "not legal".to_owned(),
            theirs: format!(
                "{}-{} {}",
                recorded.from,
                recorded.to,
                recorded.actions.join(", ")
            ),
        })?;
        does_the_same(machine, chosen, recorded)
    };
    play(machine).map_err(|found| found.at(ply, &legal))
}

/// A difference whose place is not known yet.
struct Found {
    what: &'static str,
    ours: String,
    theirs: String,
}

impl Found {
    fn at(self, ply: usize, legal: &[LegalMove]) -> ReplayDifference {
        let Found { what, ours, theirs } = self;
        ReplayDifference {
            ply,
            what,
            ours,
            theirs,
            legal: legal.iter().map(LegalMove::in_full).collect(),
        }
    }
}

fn check_turn<W: Word>(machine: &Machine<'_, W>, recorded: &TrialMove) -> Result<(), Found> {
    if machine.state.over {
        return Err(Found {
            what: "the end",
            ours: "the game is over".to_owned(),
            theirs: "it goes on".to_owned(),
        });
    }
    if machine.game.players() > 0 && i64::from(machine.state.mover) != recorded.mover {
        return Err(Found {
            what: "the mover",
            ours: machine.state.mover.to_string(),
            theirs: recorded.mover.to_string(),
        });
    }
    Ok(())
}

/// Some records list all legal moves.
fn check_list(legal: &[LegalMove], recorded: &TrialMove) -> Result<(), Found> {
    let Some(list) = &recorded.list else {
        return Ok(());
    };
    let mut ours: Vec<String> = legal.iter().map(LegalMove::written).collect();
    let mut theirs = list.clone();
    ours.sort();
    theirs.sort();
    if ours == theirs {
        return Ok(());
    }
    let only = |one: &[String], other: &[String]| {
        let left = one.iter().filter(|text| !other.contains(text));
        let left: Vec<&str> = left.take(8).map(String::as_str).collect();
        format!("{} of {}", left.join(" "), one.len())
    };
    Err(Found {
        what: "legal moves that the other lacks",
        ours: only(&ours, &theirs),
        theirs: only(&theirs, &ours),
    })
}

/// Others say how many there are.
fn are_so_many(legal: &[LegalMove], recorded: &TrialMove) -> Result<(), Found> {
    let doubles = legal.iter().filter(|one| one.is_listed_twice()).count();
    match recorded.legal {
        Some(many) if many != legal.len() && many != legal.len() + doubles => Err(Found {
            what: "legal moves",
            ours: legal.len().to_string(),
            theirs: many.to_string(),
        }),
        _ => Ok(()),
    }
}

/// The legal move that was recorded. Of moves that differ in their consequences it is
/// the one with the same effect.
fn chosen<'l, W: Word>(
    machine: &mut Machine<'_, W>,
    legal: &'l [LegalMove],
    recorded: &TrialMove,
) -> Option<&'l LegalMove> {
    let counts = machine.game.is(flag::COUNTS);
    let fits: Vec<&LegalMove> = legal.iter().filter(|one| one.fits(recorded)).collect();
    let exactly = |one: &&&LegalMove| {
        let written = one.own_actions().map(|action| written(*action));
        written
            .zip(&recorded.actions)
            .all(|(ours, theirs)| ours == *theirs)
    };
    let exact: Vec<&&LegalMove> = fits.iter().filter(exactly).collect();
    match exact[..] {
        [] => fits.first().copied(),
        [one] => Some(*one),
        // Several moves fit, with different consequences.
        _ => {
            let same = exact
                .iter()
                .find(|one| done(machine, one) == in_effect(&recorded.actions, counts));
            same.or(exact.first()).map(|one| **one)
        }
    }
}

/// Makes a move; whether its effects are those of the record.
fn does_the_same<W: Word>(
    machine: &mut Machine<'_, W>,
    chosen: &LegalMove,
    recorded: &TrialMove,
) -> Result<(), Found> {
    machine.done.clear();
    machine.keeps = true;
    machine.play(chosen.sites, &chosen.actions);
    machine.keeps = false;
    if machine.gave_up() {
        return Err(Found {
            what: "what it takes",
            ours: "gave up: too many steps or actions for a machine".to_owned(),
            theirs: "a move".to_owned(),
        });
    }
    let counts = machine.game.is(flag::COUNTS);
    let ours: Vec<String> = machine.done.iter().map(|action| written(*action)).collect();
    if in_effect(&ours, counts) == in_effect(&recorded.actions, counts) {
        return Ok(());
    }
    Err(Found {
        what: "what it does",
        ours: ours.join(", "),
        theirs: recorded.actions.join(", "),
    })
}

/// The effects of actions, in alphabetical order. Some differences do not count: the
/// order in which a group is captured; all assignments but the last; how often a site is
/// remembered; storing nothing; and, where pieces are not counted, placing no piece.
fn in_effect(actions: &[String], counts: bool) -> Vec<String> {
    let is_nothing = |action: &str| {
        matches!(action, "Remember -1" | "Forget -1")
            || (!counts && action.starts_with("Add 0 at "))
    };
    let mut kept: Vec<&str> = Vec::new();
    for action in actions.iter().rev().filter(|action| !is_nothing(action)) {
        let of = what_is_set(action);
        if of.is_none_or(|of| kept.iter().all(|later| what_is_set(later) != Some(of))) {
            kept.push(action);
        }
    }
    let mut kept: Vec<String> = kept.into_iter().map(str::to_owned).collect();
    kept.sort();
    kept
}

/// The part of an action that identifies what it assigns to: all but its last word, or
/// all of it. `None` if the result depends on the old value.
fn what_is_set(action: &str) -> Option<&str> {
    let (words, last) = action.rsplit_once(' ')?;
    match words {
        "Next" => Some(words),
        "Remember" | "Forget" => Some(action),
        _ if words.starts_with("State of ") => Some(words),
        _ if words.starts_with("Score of ") && !last.starts_with('+') => Some(words),
        _ => None,
    }
}

/// The effects of a move, in alphabetical order.
fn done<W: Word>(machine: &mut Machine<'_, W>, legal: &LegalMove) -> Vec<String> {
    let before = machine.state;
    machine.done.clear();
    machine.keeps = true;
    machine.play(legal.sites, &legal.actions);
    machine.keeps = false;
    machine.state = before;
    let done: Vec<String> = machine.done.iter().map(|action| written(*action)).collect();
    in_effect(&done, machine.game.is(flag::COUNTS))
}

fn ending<W: Word>(machine: &Machine<'_, W>, trial: &Trial) -> Result<usize, ReplayDifference> {
    let ply = trial.moves.len();
    let differs = |what, ours: String, theirs: String| ReplayDifference {
        ply,
        what,
        ours,
        theirs,
        legal: Vec::new(),
    };
    if !machine.state.over {
        let end = trial.end.clone();
        return Err(differs("the end", "it goes on".to_owned(), end));
    }
    let winner = i64::from(machine.state.winner);
    if trial.winner.is_some_and(|theirs| theirs != winner) {
        let theirs = trial.winner.unwrap_or(0);
        return Err(differs(
            "the winner",
            winner.to_string(),
            theirs.to_string(),
        ));
    }
    let end = match machine.state.ended_by {
        EndedBy::Rules => "NaturalEnd",
        EndedBy::Turns => "TurnLimit",
        EndedBy::Moves => "MoveLimit",
    };
    if !trial.end.is_empty() && trial.end != end {
        return Err(differs("how it ended", end.to_owned(), trial.end.clone()));
    }
    Ok(ply)
}
