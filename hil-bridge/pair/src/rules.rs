//! What each person at a table may do to the board.
//!
//! Every board judges every entry, by the state in which it takes it. The boards are equal,
//! so they all come to the same result, and nobody, not even the relay, can do what the
//! rules do not allow.
//!
//! - Whoever is to move touches and passes. In a game without turns, both touch.
//! - Start begins a game for either of them. Settings belong to who opened the table.
//! - During a game, a button that would end it counts once both have pressed it. Either
//!   may stop time with Stop/Cont, and either may let it go on.
//!
//! Invariants: an input that lifts something counts if and only if the seat put it down; the
//! result depends on entries and status alone.

use std::fmt;

use protocol::{Button, Input, Side, Status, Tick};
use touchboard_host::standing::{is_for_two, phase};

use crate::message::{TableDeed, TableEntry, TableSeat};

/// How long a button waits for the other person, in ticks.
const WAIT_FOR_OTHER: Tick = 30_000;

/// What becomes of an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TableRuling {
    /// The board takes it.
    Counts,
    /// It counts once the other person presses the same button.
    Asks(Button),
    /// It does not count.
    Not(NotAllowed),
}

/// Why an entry does not count. The text is a sentence for who asked for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotAllowed {
    /// It is the turn of this side, which the other person plays.
    TurnOf(Side),
    /// Settings belong to who opened the table.
    Settings,
    /// Settings cannot be changed at once during a game.
    DuringGame,
    /// The finger is not down, or somebody else's.
    NotDown,
}

impl fmt::Display for NotAllowed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NotAllowed::TurnOf(side) => write!(f, "it is {}'s turn", side.name()),
            NotAllowed::Settings => {
                f.write_str("game and settings are chosen by the person who opened the table")
            }
            NotAllowed::DuringGame => f.write_str(
                "a game is on: end it first; a button that ends it counts once both press it",
            ),
            NotAllowed::NotDown => f.write_str("somebody else's finger is there"),
        }
    }
}

/// A button that one person has pressed, and the other has not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct AskedFor {
    button: Button,
    seat: TableSeat,
    at: Tick,
}

/// The rules of a table, with what they have to remember.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TableRules {
    /// What is down, and whose it is. At most one for each point and button.
    down: Vec<(Input, TableSeat)>,
    asked: Option<AskedFor>,
}

impl TableRules {
    /// Judges an entry; the board has this status when it would take it.
    pub fn judge(&mut self, entry: &TableEntry, status: &Status) -> TableRuling {
        let ruling = match entry.deed {
            TableDeed::Settings(_) => self.settings(entry.seat, status),
            TableDeed::Input(input) => match input {
                Input::Touch(_) | Input::Pass => touch(entry.seat, status),
                Input::Press(button) => self.press(button, entry, status),
                Input::Release(_) | Input::Lift(_) => TableRuling::Counts,
            },
        };
        match (ruling, entry.deed) {
            (TableRuling::Counts, TableDeed::Input(input)) => self.keep_track(input, entry.seat),
            _ => ruling,
        }
    }

    /// What is down that a seat put there, as the inputs that lift it.
    #[must_use]
    pub fn to_lift(&self, seat: TableSeat) -> Vec<Input> {
        let own = self.down.iter().filter(|(_, whose)| *whose == seat);
        own.map(|(input, _)| input.reverse()).collect()
    }

    fn settings(&self, seat: TableSeat, status: &Status) -> TableRuling {
        match (seat, phase(status).is_on()) {
            (TableSeat::Second, _) => TableRuling::Not(NotAllowed::Settings),
            (TableSeat::First, true) => TableRuling::Not(NotAllowed::DuringGame),
            (TableSeat::First, false) => TableRuling::Counts,
        }
    }

    fn press(&mut self, button: Button, entry: &TableEntry, status: &Status) -> TableRuling {
        let seat = entry.seat;
        if button == Button::Stop {
            return TableRuling::Counts;
        }
        if !phase(status).is_on() {
            let is_setting = button != Button::Start;
            return match is_setting && seat == TableSeat::Second {
                true => TableRuling::Not(NotAllowed::Settings),
                false => TableRuling::Counts,
            };
        }
        let asked = AskedFor {
            button,
            seat,
            at: entry.tick,
        };
        let agrees = |before: &AskedFor| {
            let is_fresh = entry.tick - before.at <= WAIT_FOR_OTHER;
            (before.button, before.seat) == (button, seat.other()) && is_fresh
        };
        if self.asked.take().is_some_and(|before| agrees(&before)) {
            return TableRuling::Counts;
        }
        self.asked = Some(asked);
        TableRuling::Asks(button)
    }

    /// Notes what goes down and comes up. Fingers are down once, and lifted by their owner.
    fn keep_track(&mut self, input: Input, seat: TableSeat) -> TableRuling {
        let place = |wanted: Input| self.down.iter().position(|(down, _)| *down == wanted);
        match input {
            Input::Pass => TableRuling::Counts,
            Input::Touch(_) | Input::Press(_) => match place(input) {
                Some(at) if self.down[at].1 != seat => TableRuling::Not(NotAllowed::NotDown),
                Some(_) => TableRuling::Counts,
                None => {
                    self.down.push((input, seat));
                    TableRuling::Counts
                }
            },
            Input::Release(_) | Input::Lift(_) => match place(input.reverse()) {
                Some(at) if self.down[at].1 == seat => {
                    self.down.swap_remove(at);
                    TableRuling::Counts
                }
                _ => TableRuling::Not(NotAllowed::NotDown),
            },
        }
    }
}

/// Whether a seat may touch or pass.
fn touch(seat: TableSeat, status: &Status) -> TableRuling {
    let turn = status.turn.filter(|_| is_for_two(&status.settings));
    match turn.filter(|_| phase(status).is_on()) {
        Some(side) if side != seat.side() => TableRuling::Not(NotAllowed::TurnOf(side)),
        _ => TableRuling::Counts,
    }
}
