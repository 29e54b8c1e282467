//! A board that follows a table.
//!
//! Invariants: the board does what the steps of its [`TableSide`] say and nothing else; time
//! passes on it in no other way.

use protocol::{Deed, Tick};
use touchboard_host::{Driver, DriverError};

use crate::message::{TableDeed, TableEntry, TableSeat};
use crate::rules::{TableRules, TableRuling};
use crate::side::{TableSide, TableStep};

/// What is known of the table beside the board itself.
#[derive(Debug)]
pub struct TablePlay {
    /// The board's tick when the table was at 0.
    begun: Tick,
    rules: TableRules,
    /// The number of entries of the own seat that the board has taken.
    own: u32,
    said: Vec<String>,
}

impl TablePlay {
    /// The play on a board that was just made from the opening.
    #[must_use]
    pub fn on(board: &dyn Driver) -> TablePlay {
        TablePlay {
            begun: board.tick(),
            rules: TableRules::default(),
            own: 0,
            said: Vec::new(),
        }
    }

    /// Takes the sentences for the person since the last call.
    pub fn take_said(&mut self) -> Vec<String> {
        std::mem::take(&mut self.said)
    }

    /// Lets the board follow, by at most `most` ticks. Returns the ticks that passed: fewer
    /// if the board is at the table's present.
    ///
    /// # Errors
    /// If the board cannot be driven.
    pub fn follow(
        &mut self,
        side: &mut TableSide,
        board: &mut dyn Driver,
        most: Tick,
    ) -> Result<Tick, DriverError> {
        let mut passed = 0;
        loop {
            let at = board.tick() - self.begun;
            match side.next_step(at) {
                Some(TableStep::Take(entry)) => {
                    self.take(entry, side.seat(), board)?;
                    self.lift_what_is_left(entry.seat, side);
                }
                Some(TableStep::Digest) => side.tell_digest(at, board.digest()?),
                Some(TableStep::Pass(ticks)) if passed < most => {
                    let ticks = ticks.min(most - passed);
                    board.step(&[], ticks)?;
                    passed += ticks;
                }
                Some(TableStep::Pass(_)) => return Ok(passed),
                None => return Ok(passed),
            }
        }
    }

    /// Lifts the fingers of an earlier page of the same seat, once the board has taken the
    /// last entry of that page: it is gone, and lifts nothing any more.
    fn lift_what_is_left(&mut self, seat: TableSeat, side: &mut TableSide) {
        if side.seat() != Some(seat) {
            return;
        }
        self.own += 1;
        if self.own != side.earlier() {
            return;
        }
        for input in self.rules.to_lift(seat) {
            if let Err(error) = side.wish(TableDeed::Input(input)) {
                self.said.push(error.to_string());
            }
        }
    }

    fn take(
        &mut self,
        entry: TableEntry,
        own: Option<TableSeat>,
        board: &mut dyn Driver,
    ) -> Result<(), DriverError> {
        let ruling = self.rules.judge(&entry, &board.status()?);
        let is_own = own == Some(entry.seat);
        match (ruling, entry.deed) {
            (TableRuling::Counts, TableDeed::Input(input)) => board.step(&[input], 0),
            (TableRuling::Counts, TableDeed::Settings(settings)) => {
                match board.carry_out(&Deed::Settings(settings)) {
                    Err(DriverError::Refused(refusal)) => {
                        // Every board of the table refuses it.
                        self.said
                            .extend(is_own.then(|| DriverError::from(refusal).to_string()));
                        Ok(())
                    }
                    done => done,
                }
            }
            (TableRuling::Asks(button), _) => {
                self.said.push(asks(entry.seat, is_own, button.name()));
                Ok(())
            }
            (TableRuling::Not(why), deed) => {
                let lifts = matches!(deed, TableDeed::Input(input) if lifts(input));
                // A finger that does not count is lifted as well, and nobody asks why.
                self.said
                    .extend((is_own && !lifts).then(|| why.to_string()));
                Ok(())
            }
        }
    }
}

/// True for an input that takes something off the board.
fn lifts(input: protocol::Input) -> bool {
    matches!(
        input,
        protocol::Input::Release(_) | protocol::Input::Lift(_)
    )
}

/// The sentence for a button that waits for the other person.
fn asks(seat: TableSeat, is_own: bool, button: &str) -> String {
    match is_own {
        true => format!("You pressed {button}: it counts once the other person presses it, too."),
        false => format!(
            "{} pressed {button}, which would end the game: if both press it, it counts.",
            seat.side().name()
        ),
    }
}
