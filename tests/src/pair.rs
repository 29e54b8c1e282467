//! One play on two boards: one in this process and one anywhere else.
//!
//! [`Pair`] compares them, as `hil-bridge check` does. Here the steps are values of a
//! strategy that make sense on any board, so that `proptest` can generate and shrink
//! them; `check` looks at the board before each step, and shrinks a session.
//!
//! Invariants: no board has an excuse. A board that panics, is lost, or does not answer
//! in time fails like one that differs, with a different sentence, and the play is
//! shrunk.

use std::cell::RefCell;
use std::fmt;

use firmware_core::AnyBoard;
use law::{Floor, Judged};
use proptest::strategy::Strategy;
use proptest::test_runner::{Config, TestCaseError, TestError, TestRunner};
use protocol::{Deed, Event, Input, StampedEvent, Tick};
use touchboard_host::check::Pair;
use touchboard_host::compare::Difference;
use touchboard_host::session::{Header, SessionItem};
use touchboard_host::{Driver, DriverError};

use crate::{Play, TestStep};

/// The maximum time for shrinking, in milliseconds. With a board that does not answer,
/// each attempt takes as long as the time-out.
const SHRINK_MS: u32 = 60_000;

/// The minimum percentage of plays that contain a move, without which a comparison means
/// nothing. It is half of that of arbitrary plays.
const MOVES_PERCENT: u32 = 30;

/// Why and where the results of a play on two boards were not equal.
#[derive(Clone, Debug, PartialEq)]
pub struct Failure {
    /// The step at which it happened, counted from 0; `None` before the first step.
    pub step: Option<usize>,
    /// The tick of the board in this process.
    pub tick: Tick,
    /// What happened.
    pub why: Why,
}

/// Why a play failed.
#[derive(Clone, Debug, PartialEq)]
pub enum Why {
    /// The boards differ: the sentence says in what.
    Differs(String),
    /// A board failed: the sentence of its driver.
    Broke(String),
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Failure { step, tick, why } = self;
        match step {
            Some(step) => write!(f, "deed {step}, tick {tick}: ")?,
            None => write!(f, "before the first deed: ")?,
        }
        match why {
            Why::Differs(what) => f.write_str(what),
            Why::Broke(sentence) => f.write_str(sentence),
        }
    }
}

/// Sets up both boards, does the same to both, and compares them after every step. Returns
/// the number of moves.
///
/// # Errors
/// The first step after which the other board differs or fails.
pub fn compare(play: &Play, other: &mut dyn Driver) -> Result<usize, Failure> {
    let failed = |why, step, tick| Failure { step, tick, why };
    let header = Header::new(play.layout, play.seed, "").with_games(play.roster);
    let mut pair = Pair::begin(other, &header).map_err(|error| failed(broke(error), None, 0))?;
    let settings = Deed::Settings(play.settings).into();
    let begun = same(pair.compare_after(&[settings], 0));
    let mut moves = begun.map_err(|why| failed(why, None, 0))?;
    for (place, step) in play.steps.iter().enumerate() {
        let (items, ticks) = items(step, pair.twin());
        let compared = same(pair.compare_after(&items, ticks));
        moves += compared.map_err(|why| failed(why, Some(place), pair.twin().tick()))?;
    }
    Ok(moves)
}

fn broke(error: DriverError) -> Why {
    Why::Broke(error.to_string())
}

/// The number of moves on two equal boards, or why there is none.
fn same(
    compared: Result<Result<Vec<StampedEvent>, Difference>, DriverError>,
) -> Result<usize, Why> {
    let events = compared.map_err(broke)?;
    let events = events.map_err(
        |Difference {
             field, twin, board, ..
         }| { Why::Differs(format!("{field}: {twin} here, {board} there")) },
    )?;
    let is_move = |event: &&StampedEvent| matches!(event.event, Event::Move { .. });
    Ok(events.iter().filter(is_move).count())
}

/// A step as items of a session, and the ticks that pass afterwards. The legal points are
/// those of the twin, so a board that disagrees about them will differ.
fn items(step: &TestStep, twin: &AnyBoard) -> (Vec<SessionItem>, Tick) {
    match step {
        TestStep::Do(input) => (vec![(*input).into()], 0),
        TestStep::PlayLegal(choice) => {
            let touch = |point| vec![Input::Touch(point).into(), Input::Release(point).into()];
            let point = crate::legal_point(twin, *choice);
            (point.map(touch).unwrap_or_default(), 0)
        }
        TestStep::Wait(ticks) => (Vec::new(), *ticks),
        TestStep::Set(settings) => (vec![Deed::Settings(*settings).into()], 0),
    }
}

/// Compares this many plays, and shrinks one that fails.
///
/// # Errors
/// The shortest failing play that was found, and its failure.
///
/// # Panics
/// If the strategy generates no plays, or too few with a move.
pub fn agree(
    board: &mut dyn Driver,
    cases: u32,
    plays: impl Strategy<Value = Play>,
) -> Result<(), Box<(Play, Failure)>> {
    let board = RefCell::new(board);
    // Each play that fails during shrinking is simpler than the one before.
    let found = RefCell::new(None);
    let config = Config {
        cases,
        max_shrink_time: SHRINK_MS,
        ..law::config(board.borrow().at(), cases)
    };
    let floor = Floor::new(board.borrow().at(), MOVES_PERCENT);
    let result = TestRunner::new(config).run(&plays, |play| {
        let mut play = play;
        let compared = compare(&play, &mut **board.borrow_mut()).map_err(|failure| {
            let sentence = failure.to_string();
            // Later steps do not contribute to the failure.
            play.steps.truncate(failure.step.map_or(0, |step| step + 1));
            *found.borrow_mut() = Some((play, failure));
            TestCaseError::fail(sentence)
        });
        floor.count(Judged::if_any(compared? > 0));
        Ok(())
    });
    match (result, found.into_inner()) {
        (Ok(()), _) => {
            floor.holds();
            Ok(())
        }
        (Err(TestError::Fail(..)), Some(found)) => Err(Box::new(found)),
        (Err(error), _) => panic!("{error}"),
    }
}

#[cfg(test)]
mod tests {
    use proptest::strategy::Just;
    use protocol::Layout;
    use touchboard_host::{CoreDriver, forward};

    use super::*;
    use crate::play_on;
    use touchboard_links::LinkError;

    /// A board that is lost at the first touch in the column of this point.
    struct Breaks {
        inner: CoreDriver,
        column: u8,
        how: fn() -> DriverError,
    }

    impl Driver for Breaks {
        forward!(inner; own: step, step_and_digest);

        fn step(&mut self, inputs: &[Input], ticks: Tick) -> Result<(), DriverError> {
            let layout = self.inner.layout();
            let breaks = |input: &Input| match input {
                Input::Touch(point) => layout.has(*point) && layout.column(*point) == self.column,
                _ => false,
            };
            if inputs.iter().any(breaks) {
                return Err((self.how)());
            }
            self.inner.step(inputs, ticks)
        }
    }

    #[test]
    fn each_failure_of_a_board_has_its_own_sentence() {
        let ways: [fn() -> DriverError; 5] = [
            || DriverError::Panicked("a point too far".into()),
            || LinkError::lost("the line to it was lost".into()),
            || DriverError::Restarted("virtual".into()),
            || DriverError::Refused(protocol::Refusal::Unseen),
            || {
                LinkError::Silent {
                    at: "virtual".into(),
                    timeout_ms: 3_000,
                    faults: None,
                }
                .into()
            },
        ];
        for how in ways {
            let mut board = Breaks {
                inner: CoreDriver::new(Layout::MALDOO, 1).expect("9x9 is a layout"),
                column: 4,
                how,
            };
            let failed = agree(&mut board, 256, play_on(Just(Layout::MALDOO), 40));
            let (play, failure) = *failed.expect_err("it breaks");
            assert_eq!(failure.why, Why::Broke(how().to_string()));
            assert!(failure.step.is_some(), "{failure}");
            assert!(play.steps.len() <= 8, "not shrunk: {play:?}");
        }
    }
}
