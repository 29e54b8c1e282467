//! A game of the board's player against an engine.
//!
//! The board is the referee: its rules decide which moves are legal, when the game is
//! over and how it is scored. The engine is informed of every move, including the passes
//! that the board makes for a side that cannot move, so both always have the same
//! position. [`Ending`] says what happens if they disagree on whether a move is legal.

use firmware_core::games::Playing;
use firmware_core::games::speedgo::area;
use firmware_core::games::speedgo::stones::Stones;
use firmware_core::{BoardTurn, Points, Word};
use protocol::{Layout, Outcome, Point, Side};

use super::engine::{Engine, Trouble};
use super::error::GtpError;
use super::words::{self, Notation, Vertex};
use crate::names::NotFitting;
use crate::played_game::MatchSetup;
use crate::seats::Seats;

/// The conditions of a duel.
#[derive(Clone, Debug)]
pub struct Terms {
    /// The game and its board.
    pub setup: MatchSetup,
    /// The level at which the board plays.
    pub level: u8,
    /// Points that red, the second to move, gets in addition.
    pub komi: f32,
    /// The notation for points.
    pub notation: Notation,
}

/// How a game ended.
#[derive(Clone, Debug, PartialEq)]
pub enum Ending {
    /// The game ended by the rules of the board: passes, or a full or settled board.
    Played,
    /// The engine resigned the game.
    Resigned,
    /// The engine refused a legal move or broke the protocol, so the game has no winner.
    BrokenOff(Trouble),
}

/// The record of one game.
#[derive(Clone, Debug, PartialEq)]
pub struct DuelRecord {
    /// The side that the board plays.
    pub side: Side,
    /// How the game ended.
    pub ending: Ending,
    /// Green's lead by the board's count, minus the komi.
    pub lead: f32,
    /// The same without the stones that the engine considers dead; `None` if it was not
    /// asked or did not answer.
    pub lead_of_living: Option<f32>,
    /// The moves: the side, and the point or `None` for a pass.
    pub moves: Vec<(Side, Option<Point>)>,
    /// The number of the engine's moves that the rules of the board forbid. The engine
    /// had to pass instead.
    pub refused: u32,
}

impl DuelRecord {
    /// The outcome for the board if green's lead is `lead`.
    #[must_use]
    pub fn outcome_by(&self, lead: f32) -> Outcome {
        match lead {
            lead if lead > 0.0 => Outcome::Won(Side::Green),
            lead if lead < 0.0 => Outcome::Won(Side::Red),
            _ => Outcome::Draw,
        }
    }

    /// The winner; `None` if the game was broken off.
    #[must_use]
    pub fn outcome(&self) -> Option<Outcome> {
        match self.ending {
            Ending::Played => Some(self.outcome_by(self.lead)),
            Ending::Resigned => Some(Outcome::Won(self.side)),
            Ending::BrokenOff(_) => None,
        }
    }

    /// The winner if dead stones do not count; `None` if these are not known.
    #[must_use]
    pub fn outcome_of_living(&self) -> Option<Outcome> {
        match self.ending {
            Ending::Played => self.lead_of_living.map(|lead| self.outcome_by(lead)),
            _ => self.outcome(),
        }
    }
}

/// A game in progress.
struct Duel<'a, W: Word, E: Engine> {
    terms: &'a Terms,
    seats: Seats<W>,
    engine: &'a mut E,
    record: DuelRecord,
}

/// Plays one game, in which the board plays `side`.
///
/// # Errors
/// If the layout is too small for the game, or the engine does not play it.
pub fn play<W: Word, E: Engine>(
    terms: &Terms,
    side: Side,
    seed: u64,
    engine: &mut E,
) -> Result<DuelRecord, GtpError> {
    let layout = terms.setup.layout;
    let seats = Seats::<W>::new(&terms.setup, seed);
    let seats = seats.ok_or_else(|| NotFitting::new("the game", layout))?;
    begin(terms, engine)?;
    let record = DuelRecord {
        side,
        ending: Ending::Played,
        lead: 0.0,
        lead_of_living: None,
        moves: Vec::new(),
        refused: 0,
    };
    let mut duel = Duel {
        terms,
        seats,
        engine,
        record,
    };
    if let Err(trouble) = duel.play() {
        duel.record.ending = Ending::BrokenOff(trouble);
    }
    duel.count();
    Ok(duel.record)
}

/// Prepares the engine for a new game.
fn begin(terms: &Terms, engine: &mut impl Engine) -> Result<(), Trouble> {
    engine.command(&format!("boardsize {}", terms.setup.layout.rows()))?;
    engine.command("clear_board")?;
    if terms.notation == Notation::Go {
        engine.command(&format!("komi {}", terms.komi))?;
    }
    Ok(())
}

impl<W: Word, E: Engine> Duel<'_, W, E> {
    fn layout(&self) -> Layout {
        self.terms.setup.layout
    }

    fn play(&mut self) -> Result<(), Trouble> {
        self.tell_the_start()?;
        for _ in 0..self.terms.setup.random_moves {
            let Some(side) = self.seats.turn() else { break };
            if let Some(point) = self.seats.random_move() {
                self.record_move(side, Some(point))?;
                self.tell_skipped_turns(side)?;
            }
        }
        while let (true, Some(side)) = (self.seats.is_going_on(), self.seats.turn()) {
            let goes_on = match side == self.record.side {
                true => self.move_of_board(side)?,
                false => self.move_of_engine(side)?,
            };
            if !goes_on {
                break;
            }
            self.tell_skipped_turns(side)?;
        }
        Ok(())
    }

    /// Tells the engine about stones that are on the board at the start, beyond those
    /// that it places itself.
    fn tell_the_start(&mut self) -> Result<(), Trouble> {
        let Playing::SpeedGo(round) = self.seats.playing() else {
            return Ok(());
        };
        let stones = *round.game.stones();
        for side in Side::BOTH {
            for point in stones.of(side) {
                self.send_move(side, Some(point))?;
            }
        }
        Ok(())
    }

    /// Tells the engine about a move, and records it.
    fn record_move(&mut self, side: Side, point: Option<Point>) -> Result<(), Trouble> {
        self.record.moves.push((side, point));
        self.send_move(side, point)
    }

    fn send_move(&mut self, side: Side, point: Option<Point>) -> Result<(), Trouble> {
        let vertex = point.map_or("pass".to_owned(), |point| {
            self.terms.notation.write(self.terms.setup.layout, point)
        });
        let command = format!("play {} {vertex}", words::colour(side));
        self.engine.command(&command).map(|_| ())
    }

    /// Handles a pass that the board made for a side without a move. A Go program has to
    /// be informed of it; in Othello it follows from the rules, and the protocol has no
    /// `pass` there.
    fn tell_skipped_turns(&mut self, mover: Side) -> Result<(), Trouble> {
        if self.seats.turn() != Some(mover) {
            return Ok(());
        }
        match self.terms.notation {
            Notation::Go => self.record_move(mover.other(), None),
            Notation::Othello => {
                self.record.moves.push((mover.other(), None));
                Ok(())
            }
        }
    }

    fn move_of_board(&mut self, side: Side) -> Result<bool, Trouble> {
        match self.seats.move_of(side, self.terms.level) {
            Some(BoardTurn::Touch(point)) => self.record_move(side, Some(point))?,
            Some(BoardTurn::Pass) => self.record_move(side, None)?,
            Some(BoardTurn::Wait) | None => return Ok(false),
        }
        Ok(true)
    }

    /// Asks the engine for a move and makes it; false if the engine resigns.
    fn move_of_engine(&mut self, side: Side) -> Result<bool, Trouble> {
        let command = format!("genmove {}", words::colour(side));
        let said = self.engine.command(&command)?;
        let Some(vertex) = self.terms.notation.read(self.layout(), &said) else {
            return Err(Trouble::Unknown { command, said });
        };
        let point = match vertex {
            Vertex::Resign => {
                self.record.ending = Ending::Resigned;
                return Ok(false);
            }
            Vertex::Pass => None,
            Vertex::Stone(point) => Some(point),
        };
        let allowed = match point {
            Some(point) => self.seats.touch(point),
            None => self.seats.pass(),
        };
        if allowed {
            self.record.moves.push((side, point));
            return Ok(true);
        }
        self.refuse(side, &command, &said)?;
        Ok(true)
    }

    /// Handles an engine's move that the rules of the board forbid, for example because
    /// it repeats a position after a longer cycle: the engine takes it back and passes.
    fn refuse(&mut self, side: Side, command: &str, said: &str) -> Result<(), Trouble> {
        self.record.refused += 1;
        let passes = self.seats.pass();
        if !passes {
            return Err(Trouble::Unknown {
                command: command.to_owned(),
                said: said.to_owned(),
            });
        }
        self.engine.command("undo")?;
        self.record_move(side, None)
    }

    /// Records the board's count, and the count without the stones that the engine
    /// considers dead.
    fn count(&mut self) {
        let [green, red] = self.seats.final_score();
        self.record.lead = green as f32 - red as f32 - self.terms.komi;
        if self.record.ending == Ending::Played {
            self.record.lead_of_living = self.lead_of_living();
        }
    }

    fn lead_of_living(&mut self) -> Option<f32> {
        let Playing::SpeedGo(round) = self.seats.playing() else {
            return None;
        };
        let Stones([green, red]) = *round.game.stones();
        let dead = self.engine.command("final_status_list dead").ok()?;
        let mut points = Points::NONE;
        for name in dead.split_whitespace() {
            match self.terms.notation.read(self.layout(), name)? {
                Vertex::Stone(point) => points.insert(point),
                Vertex::Pass | Vertex::Resign => return None,
            }
        }
        let living = Stones([green.without(points), red.without(points)]);
        let [green, red] = area::count(self.seats.ground().grid(), &living);
        Some(f32::from(green) - f32::from(red) - self.terms.komi)
    }
}
