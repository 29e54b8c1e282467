//! Excerpts of recorded games, which are kept in the repository: for each move its
//! target, the number of legal moves, and a digest of them.
//!
//! ```text
//! TRIAL
//! 4-4 9 1c0f7a2b
//! END 1 NaturalEnd
//! ```

use std::fmt::Write as _;

use firmware_core::Wide;
use firmware_core::cartridge::bytes::checksum;
use firmware_core::cartridge::{Action, EndedBy, Machine, Scratch, verify};

use super::trial::Trial;
use super::{LegalMove, ReplayDifference, legal_moves};
use crate::compile::Compiled;

/// The digest of a sorted list of legal moves.
fn digest(list: &[String]) -> u32 {
    let mut list = list.to_vec();
    list.sort();
    checksum(list.join(",").as_bytes())
}

/// The excerpt of these recorded games. `None` if one does not list its legal moves, or
/// if its sites do not identify a move.
#[must_use]
pub fn excerpt(trials: &[Trial]) -> Option<String> {
    let mut text = String::new();
    for trial in trials {
        text.push_str("TRIAL\n");
        for recorded in &trial.moves {
            let list = recorded.list.as_ref()?;
            let mark = match recorded.actions.first().map(String::as_str) {
                Some("Pass") => "p",
                Some("Swap") => "s",
                _ => "",
            };
            let step = format!("{}-{}{mark}", recorded.from, recorded.to);
            (list.iter().filter(|one| **one == step).count() == 1).then_some(())?;
            let (many, digest) = (list.len(), digest(list));
            let _ = writeln!(text, "{step} {many} {digest:08x}");
        }
        let _ = writeln!(text, "END {} {}", trial.winner?, trial.end);
    }
    Some(text)
}

/// Replays an excerpt. Returns the number of moves.
///
/// # Errors
/// The first difference.
pub fn check(compiled: &Compiled, excerpt: &str) -> Result<usize, ReplayDifference> {
    let mut scratch = Box::new(Scratch::new());
    let differs = |ply, what, ours: String, theirs: &str| ReplayDifference {
        ply,
        what,
        ours,
        theirs: theirs.to_owned(),
        legal: Vec::new(),
    };
    let game = verify(&compiled.bytes, &mut scratch);
    let game = game.map_err(|refused| differs(0, "the cartridge", format!("{refused:?}"), ""))?;
    let machine = Machine::<Wide>::new(&game);
    let mut machine = Box::new(machine.ok_or_else(|| differs(0, "sites", String::new(), ""))?);
    let (mut ply, mut all) = (0, 0);
    for line in excerpt.lines() {
        let words: Vec<&str> = line.split(' ').collect();
        match words[..] {
            ["TRIAL"] => {
                machine.start();
                ply = 0;
            }
            ["END", winner, end] => {
                let state = &machine.state;
                let ours = match (state.over, state.ended_by) {
                    (false, _) => "it goes on",
                    (true, EndedBy::Rules) => "NaturalEnd",
                    (true, EndedBy::Turns) => "TurnLimit",
                    (true, EndedBy::Moves) => "MoveLimit",
                };
                let ours = format!("{} {ours}", state.winner);
                let theirs = format!("{winner} {end}");
                if ours != theirs {
                    return Err(differs(ply, "the end", ours, &theirs));
                }
            }
            [step, many, sum] => {
                let legal = legal_moves(&mut machine);
                let list: Vec<String> = legal.iter().map(LegalMove::written).collect();
                let ours = format!("{} {:08x}", list.len(), digest(&list));
                if ours != format!("{many} {sum}") {
                    return Err(differs(ply, "legal moves", ours, line));
                }
                let chosen = legal.iter().find(|one| one.written() == step);
                let chosen =
                    chosen.ok_or_else(|| differs(ply, "the move", "not legal".to_owned(), step))?;
                let actions: Vec<Action> = chosen.actions.clone();
                machine.play(chosen.sites, &actions);
                if machine.gave_up() {
                    return Err(differs(ply, "what it takes", "gave up".to_owned(), step));
                }
                ply += 1;
                all += 1;
            }
            _ => return Err(differs(ply, "the excerpt", line.to_owned(), "")),
        }
    }
    Ok(all)
}
