//! The notation of turns: `c3-c6,c6-c8`, `c3-c6-c8`, `c3-c8`, `3xc3-c6,c1-c4`.
//!
//! A hop `c3-c8` is one piece that gets there with one or several dice, by any way. The
//! text stands for every turn with these hops in this order, and is accepted if all of
//! them lead to the same position.
//!
//! Invariants: what [`written`] writes is read as a turn with the same result; a turn
//! that is read is legal and complete, and its steps are exactly those of the written
//! hops; a step that ends the game is only read if it is written.

use std::fmt;
use std::ops::ControlFlow;

use firmware_core::games::malaka::{After, Dice, MalakaPoint, Position, Step, Turn};
use thiserror::Error;

use super::diagram::{letter, words};
use super::obstacle::Obstacle;

/// The maximum number of steps in a turn.
const MOST_STEPS: usize = 4;
/// The maximum number of turns listed in an error message.
const MOST_LISTED: usize = 12;

/// The legal turns: listed completely, or, if there are too many, by their first
/// steps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LegalTurns {
    /// The steps played already, as they are written; empty at the beginning.
    pub after: String,
    /// The dice still to be played.
    pub dice: Dice,
    /// The legal turns, or their first steps.
    pub ways: Vec<String>,
    /// True if `ways` are only the first steps of turns.
    pub is_begin: bool,
}

/// Why a text is not a legal turn.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum NotationError {
    /// The text contains no step.
    #[error("write the steps of your turn, like c3-c6,c6-c8: {0}")]
    Empty(LegalTurns),
    /// A part of the text does not have the form of a step.
    #[error(
        "`{0}` is not a step: write two points with a - between them, like c3-c6, or 3xc3-c6 for three such steps, and a comma between steps"
    )]
    Syntax(String),
    /// The board has no point with this name.
    #[error("there is no point `{name}`: the points of this board are a1 to {last}")]
    Place {
        /// The name as it was written.
        name: String,
        /// The board's top right point.
        last: MalakaPoint,
    },
    /// The game is over, and this side has won.
    #[error("the game is over: {} has won", letter(*.0))]
    Over(protocol::Side),
    /// The dice have not been rolled.
    #[error("the dice are not rolled yet")]
    NotRolled,
    /// The player can only pass, because no step is legal with these dice.
    #[error("with {} there is no step to take: your turn passes", words(*.0))]
    Pass(Dice),
    /// The player has no free piece at this place.
    #[error("there is no {} on {place} that can move{}: {legal}", letter(*.side), if *.is_pinned { ", it is pinned" } else { "" })]
    Nobody {
        /// The side whose turn it is.
        side: protocol::Side,
        /// The place without a free piece.
        place: MalakaPoint,
        /// True if the player has a pinned piece there.
        is_pinned: bool,
        /// The legal steps from there.
        legal: LegalTurns,
    },
    /// The dice do not lead from here to there, or only in a turn that leaves playable
    /// dice.
    #[error("{from}-{to} cannot be played, {obstacle}: {legal}")]
    NotLegal {
        /// The place where the step starts.
        from: MalakaPoint,
        /// The place where the step ends.
        to: MalakaPoint,
        /// The obstacle in the way.
        obstacle: Obstacle,
        /// The legal alternatives.
        legal: LegalTurns,
    },
    /// All steps are legal, but the turn is not complete.
    #[error("your turn is not over, play all that the dice allow: {0}")]
    TooFew(LegalTurns),
    /// The turn is complete before this step.
    #[error("your turn is over before {from}-{to}: {played} plays all that the dice allow")]
    TooMany {
        /// The part of the text that completes the turn.
        played: String,
        /// The place where the surplus step starts.
        from: MalakaPoint,
        /// The place where the surplus step ends.
        to: MalakaPoint,
    },
    /// The game is over before this step.
    #[error("the game is over before {from}-{to}, {} has won with {played}: write no more than that", letter(*.winner))]
    Ended {
        /// The part of the text that ends the game.
        played: String,
        /// The side that has won.
        winner: protocol::Side,
        /// The place where the surplus step starts.
        from: MalakaPoint,
        /// The place where the surplus step ends.
        to: MalakaPoint,
    },
    /// The text fits several turns that lead to different positions.
    #[error("`{text}` can be played in {} ways that do not come to the same, write one of them: {}", .ways.len(), .ways.join(" or "))]
    Ambiguous {
        /// The text as it was written.
        text: String,
        /// One turn for each position.
        ways: Vec<String>,
    },
}

impl NotationError {
    /// True if the sentence of the error names turns that can be played instead.
    #[must_use]
    pub fn lists_turns(&self) -> bool {
        match self {
            NotationError::Empty(_)
            | NotationError::Nobody { .. }
            | NotationError::NotLegal { .. }
            | NotationError::TooFew(_)
            | NotationError::Ambiguous { .. } => true,
            NotationError::Syntax(_)
            | NotationError::Place { .. }
            | NotationError::Over(_)
            | NotationError::NotRolled
            | NotationError::Pass(_)
            | NotationError::TooMany { .. }
            | NotationError::Ended { .. } => false,
        }
    }
}

impl fmt::Display for LegalTurns {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.after.is_empty() {
            write!(f, "after {} and ", self.after)?;
        }
        let begin = if self.is_begin { " begin with" } else { "" };
        write!(
            f,
            "with {} you may{begin}: {}",
            words(self.dice),
            self.ways.join(", ")
        )
    }
}

impl LegalTurns {
    fn of(position: &Position, played: &[Step]) -> LegalTurns {
        let mut turns = Vec::new();
        let listed = position.each_turn(|turn, _| {
            turns.push(written(turn));
            match turns.len() {
                0..=MOST_LISTED => ControlFlow::Continue(()),
                _ => ControlFlow::Break(()),
            }
        });
        let is_begin = listed.is_break();
        if is_begin {
            turns = position.steps().iter().map(Step::to_string).collect();
        }
        LegalTurns {
            after: written(played),
            dice: position.dice(),
            ways: turns,
            is_begin,
        }
    }
}

/// Writes a turn. A piece that moves on is written once, `c3-c6-c8`, and a repeated step
/// has its number before it, `3xc3-c6`.
#[must_use]
pub fn written(turn: &[Step]) -> String {
    let mut parts: Vec<(u8, Vec<MalakaPoint>)> = Vec::new();
    for step in turn {
        match parts.last_mut() {
            Some((1, places)) if places.last() == Some(&step.from) => places.push(step.to),
            Some((times, places)) if **places == [step.from, step.to] => *times += 1,
            _ => parts.push((1, vec![step.from, step.to])),
        }
    }
    let part = |(times, places): &(u8, Vec<MalakaPoint>)| {
        let places: Vec<String> = places.iter().map(MalakaPoint::to_string).collect();
        let times = if *times > 1 {
            format!("{times}x")
        } else {
            String::new()
        };
        format!("{times}{}", places.join("-"))
    };
    parts.iter().map(part).collect::<Vec<_>>().join(",")
}

/// A hop of one piece: its start and end.
type Hop = (MalakaPoint, MalakaPoint);

/// Reads a turn, in upper or lower case.
///
/// # Errors
/// A sentence about what is wrong, with the legal alternatives.
pub fn read(text: &str, position: &Position) -> Result<Turn, NotationError> {
    if let Some(winner) = position.winner() {
        return Err(NotationError::Over(winner));
    }
    if position.dice().is_empty() {
        return Err(NotationError::NotRolled);
    }
    if position.steps().is_empty() {
        return Err(NotationError::Pass(position.dice()));
    }
    if text.trim().is_empty() {
        return Err(NotationError::Empty(LegalTurns::of(position, &[])));
    }
    let hops = hops(text, position)?;
    let mut search = Search {
        hops: &hops,
        whole: Vec::new(),
        failed: None,
    };
    search.go(position, 0, &mut Vec::new());
    match search.whole.len() {
        0 => Err(search.error(position)),
        1 => Ok(search.whole.swap_remove(0).0),
        _ => step_by_step(&hops, position).ok_or_else(|| NotationError::Ambiguous {
            text: text.trim().to_owned(),
            ways: search.whole.iter().map(|(turn, _)| written(turn)).collect(),
        }),
    }
}

/// The turn with exactly these steps. If every step is written, no other turn is meant,
/// even if a piece could reach the same points in smaller steps.
fn step_by_step(hops: &[Hop], position: &Position) -> Option<Turn> {
    let mut position = position.clone();
    let mut turn = Turn::new();
    for (index, (from, to)) in hops.iter().enumerate() {
        let step = Step {
            from: *from,
            to: *to,
        };
        let is_legal = position.steps().contains(&step);
        let after = is_legal.then(|| position.apply(step).ok()).flatten()?;
        let is_last = index + 1 == hops.len();
        if is_last == matches!(after, After::Part) {
            return None;
        }
        turn.push(step).ok()?;
    }
    Some(turn)
}

fn hops(text: &str, position: &Position) -> Result<Vec<Hop>, NotationError> {
    let mut hops = Vec::new();
    for part in text.split(',') {
        let part = part.trim();
        let syntax = || NotationError::Syntax(part.to_owned());
        let (times, way) = times(part).ok_or_else(syntax)?;
        let places = way.split('-').map(|name| place(name.trim(), position));
        let places: Vec<MalakaPoint> = places.collect::<Result<_, _>>()?;
        if places.len() < 2 {
            return Err(syntax());
        }
        for _ in 0..times {
            hops.extend(places.windows(2).map(|pair| (pair[0], pair[1])));
        }
    }
    Ok(hops)
}

/// Splits off the number of repetitions of a step, as in `3xc3-c6`.
fn times(part: &str) -> Option<(usize, &str)> {
    let digits = part.trim_start_matches(|letter: char| letter.is_ascii_digit());
    let number = &part[..part.len() - digits.len()];
    if number.is_empty() {
        return (!part.is_empty()).then_some((1, part));
    }
    let way = digits.trim_start().strip_prefix(['x', 'X'])?;
    // The number is limited to one more step than a turn can have, which is then reported
    // as too many.
    let times = number.parse().unwrap_or(usize::MAX).min(MOST_STEPS + 1);
    (times > 0).then_some((times, way.trim_start()))
}

fn place(name: &str, position: &Position) -> Result<MalakaPoint, NotationError> {
    let variant = position.variant();
    let place = name.parse::<MalakaPoint>().ok();
    let place = place.filter(|place| variant.has(*place));
    let looks_like_one = name.chars().all(char::is_alphanumeric) && !name.is_empty();
    match place {
        Some(place) => Ok(place),
        None if looks_like_one => Err(NotationError::Place {
            name: name.to_owned(),
            last: variant.last(),
        }),
        None => Err(NotationError::Syntax(name.to_owned())),
    }
}

/// How far the best reading got before it failed.
struct Failed {
    /// The number of the hop that could not be played, or the number of hops if the turn
    /// needs more.
    hop: usize,
    /// The position before that hop.
    position: Position,
    steps: Vec<Step>,
    what: Lacking,
}

/// Why a reading failed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Lacking {
    /// No step leads to the end of this hop.
    Step,
    /// The turn is complete before this hop.
    Turn,
    /// This side has won before this hop.
    Game(protocol::Side),
}

/// Adds a turn, unless one with the same result is there.
fn finish(turns: &mut Vec<(Turn, Position)>, position: Position, steps: &[Step]) {
    if !turns.iter().any(|(_, other)| *other == position) {
        turns.push((steps.iter().copied().collect(), position));
    }
}

struct Search<'a> {
    hops: &'a [Hop],
    /// One turn for each possible result.
    whole: Vec<(Turn, Position)>,
    failed: Option<Failed>,
}

impl Search<'_> {
    /// Plays the hops from this one on.
    fn go(&mut self, position: &Position, hop: usize, steps: &mut Vec<Step>) {
        match self.hops.get(hop) {
            Some((from, to)) => {
                if !self.hop(position, hop, *from, *to, steps) {
                    self.fail(position, hop, steps, Lacking::Step);
                }
            }
            None => self.fail(position, hop, steps, Lacking::Step),
        }
    }

    /// Moves a piece to the end of a hop, in all ways that the dice allow; false if there
    /// is none.
    fn hop(
        &mut self,
        position: &Position,
        hop: usize,
        from: MalakaPoint,
        to: MalakaPoint,
        steps: &mut Vec<Step>,
    ) -> bool {
        let mut gets_there = false;
        for step in position.steps().iter().filter(|step| step.from == from) {
            let mut next = position.clone();
            let Ok(after) = next.apply(*step) else {
                continue;
            };
            steps.push(*step);
            let is_there = step.to == to;
            let is_last = hop + 1 == self.hops.len();
            match after {
                After::Turn | After::Won(_) if is_there && is_last => {
                    gets_there = true;
                    finish(&mut self.whole, next, steps);
                }
                After::Turn if is_there => {
                    gets_there = true;
                    self.fail(position, hop + 1, steps, Lacking::Turn);
                }
                After::Won(winner) if is_there => {
                    gets_there = true;
                    self.fail(position, hop + 1, steps, Lacking::Game(winner));
                }
                After::Part if is_there => {
                    gets_there = true;
                    self.go(&next, hop + 1, steps);
                }
                After::Part => gets_there |= self.hop(&next, hop, step.to, to, steps),
                After::Turn | After::Won(_) => {}
            }
            steps.pop();
        }
        gets_there
    }

    /// Replaces the stored failure if this one got farther.
    fn fail(&mut self, position: &Position, hop: usize, steps: &[Step], what: Lacking) {
        if self.failed.as_ref().is_none_or(|failed| failed.hop < hop) {
            self.failed = Some(Failed {
                hop,
                position: position.clone(),
                steps: steps.to_vec(),
                what,
            });
        }
    }

    fn error(self, begin: &Position) -> NotationError {
        let Some(failed) = self.failed else {
            return NotationError::Empty(LegalTurns::of(begin, &[]));
        };
        let Some((from, to)) = self.hops.get(failed.hop).copied() else {
            return NotationError::TooFew(LegalTurns::of(&failed.position, &failed.steps));
        };
        let played = written(&failed.steps);
        match failed.what {
            Lacking::Turn => return NotationError::TooMany { played, from, to },
            Lacking::Game(winner) => {
                return NotationError::Ended {
                    played,
                    winner,
                    from,
                    to,
                };
            }
            Lacking::Step => {}
        }
        let legal = LegalTurns::of(&failed.position, &failed.steps);
        let side = failed.position.turn();
        let pile = failed.position.pile(from);
        if pile.is_none_or(|pile| pile.side != side) {
            let is_pinned = pile.is_some_and(|pile| pile.pins);
            return NotationError::Nobody {
                side,
                place: from,
                is_pinned,
                legal,
            };
        }
        NotationError::NotLegal {
            from,
            to,
            obstacle: Obstacle::between(&failed.position, from, to),
            legal,
        }
    }
}
