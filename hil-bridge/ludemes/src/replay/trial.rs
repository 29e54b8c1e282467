//! Recorded games, read from the two formats in which they are published.
//!
//! Invariants: actions are converted to one notation, so that they can be compared
//! whatever the format was.

use firmware_core::cartridge::Action;

/// A game recorded by the reference engine.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Trial {
    /// The actions of the set-up.
    pub set_up: Vec<TrialMove>,
    /// The recorded moves, in order.
    pub moves: Vec<TrialMove>,
    /// The winner, 0 for nobody; `None` if the record does not say.
    pub winner: Option<i64>,
    /// How the game ended, as it is recorded.
    pub end: String,
    /// The chosen options.
    pub options: Vec<String>,
}

/// A move of a recorded game.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TrialMove {
    /// The player who made it.
    pub mover: i64,
    /// The site where it starts; -1 for none.
    pub from: i64,
    /// The site where it ends.
    pub to: i64,
    /// Its actions, including consequences.
    pub actions: Vec<String>,
    /// The number of legal moves; `None` if the record does not say.
    pub legal: Option<usize>,
    /// All legal moves, sorted; `None` if the record does not list them.
    pub list: Option<Vec<String>>,
}

/// The error that a line is in neither format.
#[derive(Debug, thiserror::Error)]
#[error("line {0} is not one of a recorded game: {1}")]
pub struct Unreadable(usize, String);

/// Reads the recorded games of a text in either format.
///
/// # Errors
/// The first line that is in neither format.
pub fn read(text: &str) -> Result<Vec<Trial>, Unreadable> {
    if text.starts_with("game=") {
        Ok(vec![of_lines(text)?])
    } else {
        of_table(text)
    }
}

/// Reads games from a table: `TRIAL`, `INIT`, `PLY` and `END` lines, with tabs.
fn of_table(text: &str) -> Result<Vec<Trial>, Unreadable> {
    let mut trials: Vec<Trial> = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let wrong = || Unreadable(index + 1, line.chars().take(60).collect());
        let cells: Vec<&str> = line.split('\t').collect();
        if cells[0] == "TRIAL" {
            trials.push(Trial::default());
            continue;
        }
        let trial = trials.last_mut().ok_or_else(wrong)?;
        match cells[..] {
            ["INIT", recorded] => trial
                .set_up
                .push(recorded_move(recorded).ok_or_else(wrong)?),
            ["PLY", _, mover, legal, list, recorded] => {
                let mut recorded = recorded_move(recorded).ok_or_else(wrong)?;
                recorded.mover = mover.parse().map_err(|_| wrong())?;
                recorded.legal = Some(legal.parse().map_err(|_| wrong())?);
                recorded.list = Some(list.split(',').map(str::to_owned).collect());
                trial.moves.push(recorded);
            }
            ["END", _, winner, end] => {
                trial.winner = winner
                    .strip_prefix("winner=")
                    .and_then(|who| who.parse().ok());
                trial.end = end.strip_prefix("end=").unwrap_or(end).to_owned();
            }
            _ if line.is_empty() => {}
            _ => return Err(wrong()),
        }
    }
    Ok(trials)
}

/// Reads one game from lines of `key=value`.
fn of_lines(text: &str) -> Result<Trial, Unreadable> {
    let mut trial = Trial::default();
    let (mut all, mut legal) = (Vec::new(), Vec::new());
    let mut placed = None;
    let mut in_options = false;
    for (index, line) in text.lines().enumerate() {
        let wrong = || Unreadable(index + 1, line.chars().take(60).collect());
        if line == "START GAME OPTIONS" || line == "END GAME OPTIONS" {
            in_options = line.starts_with("START");
        } else if in_options {
            trial.options.push(line.to_owned());
        } else if let Some(recorded) = line.strip_prefix("Move=") {
            all.push(recorded_move(recorded).ok_or_else(wrong)?);
        } else if let Some(many) = line.strip_prefix("LEGAL MOVES LIST SIZE = ") {
            legal.push(many.parse::<usize>().map_err(|_| wrong())?);
        } else if let Some(many) = line.strip_prefix("numInitialPlacementMoves=") {
            placed = many.parse::<usize>().ok();
        } else if let Some(who) = line.strip_prefix("winner=") {
            trial.winner = who.parse().ok();
        } else if let Some(end) = line.strip_prefix("endtype=") {
            trial.end = end.to_owned();
        }
    }
    // A game without players has one more list, which is empty because the game ends there.
    let lists = legal.iter().filter(|many| **many > 0).count();
    let placed = placed.unwrap_or_else(|| all.len().saturating_sub(lists));
    trial.moves = all.split_off(placed.min(all.len()));
    trial.set_up = all;
    for (recorded, legal) in trial.moves.iter_mut().zip(legal) {
        recorded.legal = Some(legal);
    }
    Ok(trial)
}

/// A move as it is written: `[Move:mover=1,from=2,to=3,actions=[..],[..]]`.
fn recorded_move(text: &str) -> Option<TrialMove> {
    let (head, actions) = text.strip_prefix("[Move:")?.split_once("actions=")?;
    let value = |key: &str| -> Option<i64> {
        let mut pairs = head.split(',').filter_map(|pair| pair.split_once('='));
        pairs.find(|(name, _)| *name == key)?.1.parse().ok()
    };
    let actions = actions.strip_suffix(']')?;
    Some(TrialMove {
        mover: value("mover").unwrap_or(0),
        from: value("from").unwrap_or(-1),
        to: value("to").unwrap_or(-1),
        actions: split_actions(actions).into_iter().map(canonical).collect(),
        ..TrialMove::default()
    })
}

/// The actions between their brackets.
fn split_actions(text: &str) -> Vec<&str> {
    let (mut all, mut depth, mut start) = (Vec::new(), 0, 0);
    for (index, byte) in text.bytes().enumerate() {
        match byte {
            b'[' => {
                depth += 1;
                if depth == 1 {
                    start = index + 1;
                }
            }
            b']' => {
                depth -= 1;
                if depth == 0 {
                    all.push(&text[start..index]);
                }
            }
            _ => {}
        }
    }
    all
}

/// An action without types of sites, levels, and the player who decided.
fn canonical(action: &str) -> String {
    let (name, rest) = action.split_once(':').unwrap_or((action, ""));
    let pairs: Vec<(&str, &str)> = rest
        .split(',')
        .filter_map(|pair| pair.split_once('='))
        .collect();
    let value = |key: &str, usual| {
        let pair = pairs.iter().find(|(name, _)| *name == key);
        pair.map_or(usual, |(_, value)| *value)
    };
    // What most actions have, and what it is if it is not written.
    let (from, to) = (value("from", "-1"), value("to", "-1"));
    let (player, number) = (value("player", "0"), value("value", "-1"));
    match name {
        "Add" => {
            let (what, state) = (value("what", "0"), value("state", "-1"));
            format!("Add {what} at {to} state {state}")
        }
        "Move" if pairs.iter().any(|(name, _)| *name == "count") => {
            format!("Move {} from {from} to {to}", value("count", "1"))
        }
        "Move" => format!("Move from {from} to {to}"),
        "Copy" => format!("Copy from {from} to {to}"),
        "Remove" if value("applied", "true") == "false" => format!("Remove {to} later"),
        "Remove" => format!("Remove {to}"),
        "Select" => format!("Select {from} {to}"),
        "Pass" => "Pass".to_owned(),
        "Swap" => "Swap".to_owned(),
        "Promote" => format!("Promote {to} to {}", value("what", "0")),
        "SetNextPlayer" => format!("Next {player}"),
        "SetScore" => {
            let is_added = value("add", "false") == "true";
            let sign = if is_added { "+" } else { "" };
            format!("Score of {player} {sign}{}", value("score", "0"))
        }
        "SetAmount" => format!("Amount of {player} {}", value("amount", "0")),
        "SetState" => format!("State of {to} {}", value("state", "0")),
        "SetCount" => format!("Count of {to} {}", value("count", "0")),
        "SetValue" => format!("Value of {to} {}", value("value", "0")),
        "SetCounter" => format!("Counter {}", value("counter", "0")),
        "SetPending" => format!("Pending {number}"),
        "SetTemp" => format!("Variable {}", value("temp", "-1")),
        "SetValueOfPlayer" => format!("Value of player {player} {number}"),
        "RememberValue" => format!("Remember {number}"),
        "ForgetValue" => format!("Forget {number}"),
        "SetVar" => format!("Variable {number}"),
        "Trigger" => format!("Trigger for {player}"),
        _ => format!("{name} {rest}"),
    }
}

/// The piece and site of an action of the set-up, if it places a piece.
#[must_use]
pub fn placed(written: &str) -> Option<Action> {
    let words: Vec<&str> = written.split(' ').collect();
    match words[..] {
        ["Add", what, "at", site, "state", state] => Some(Action::Add {
            site: site.parse().ok()?,
            what: what.parse().ok()?,
            state: state.parse().ok()?,
            top: false,
        }),
        ["Score", "of", player, score] => Some(Action::SetScore {
            player: player.parse().ok()?,
            score: score.parse().ok()?,
            more: false,
        }),
        _ => None,
    }
}
