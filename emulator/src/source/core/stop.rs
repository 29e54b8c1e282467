//! Freezes board time, or sets a mark, when a condition on signals comes true.

use firmware_core::AnyBoard;
use firmware_core::faults::BoardFaults;
use protocol::{Input, StampedEvent, Tick};
use touchboard_host::pieces::board_of_state;
use touchboard_host::recorder::RecordingDriver;
use touchboard_host::session::SessionItem;
use touchboard_host::{Driver, DriverError};

use crate::source::{Reached, StopCondition, Triggers};

/// Watches a stepped board for stop conditions.
///
/// Invariants: the board's state is read once per step, because it determines how long
/// the next step may be; without conditions, it is not read.
#[derive(Default)]
pub struct ConditionWatch {
    triggers: Triggers,
    next: Option<NextLook>,
}

/// The tick at which the next look is due, unless something is done to the board before
/// it.
#[derive(Clone, Copy, Debug)]
struct NextLook {
    /// The tick of the last look, and the number of deeds before it.
    after: (Tick, usize),
    at: Tick,
}

impl ConditionWatch {
    /// Watches this board for these conditions to come true from now on.
    pub fn set_conditions<D: Driver>(
        &mut self,
        board: &mut RecordingDriver<D>,
        stops: &[StopCondition],
    ) -> Result<(), DriverError> {
        self.triggers.set_conditions(stops);
        self.poll(board, &[]).map(|_| ())
    }

    /// True if nothing is watched for.
    pub fn is_idle(&self) -> bool {
        self.triggers.is_empty()
    }

    /// How many ticks may pass before the next look, at most `most`.
    pub fn stride<D: Driver>(
        &mut self,
        board: &mut RecordingDriver<D>,
        most: Tick,
    ) -> Result<Tick, DriverError> {
        if self.is_idle() {
            return Ok(most);
        }
        let now = moment(board);
        let known = self.next.filter(|next| next.after == now);
        let at = match known {
            Some(next) => next.at,
            None => match board_of_state(&board.save()?) {
                Some(state) => self.due(&state),
                None => return Ok(1),
            },
        };
        Ok(at.saturating_sub(board.tick()).clamp(1, most))
    }

    /// Passes these events to the conditions and evaluates them. Returns what they call
    /// for.
    pub fn poll<D: Driver>(
        &mut self,
        board: &mut RecordingDriver<D>,
        events: &[StampedEvent],
    ) -> Result<Reached, DriverError> {
        self.next = None;
        events
            .iter()
            .for_each(|event| self.triggers.count_event(&event.event));
        if self.is_idle() {
            return Ok(Reached::default());
        }
        let Some(state) = board_of_state(&board.save()?) else {
            return Ok(Reached::default());
        };
        let reached = self.triggers.poll(&state);
        self.next = Some(NextLook {
            after: moment(board),
            at: self.due(&state),
        });
        Ok(reached)
    }

    /// Takes in the faults that the board has from now on.
    pub fn know_faults(&mut self, faults: &BoardFaults) {
        self.triggers.know_faults(faults);
    }

    /// Passes a contact that closed or opened to the conditions.
    pub fn sense(&mut self, contact: Input) {
        self.triggers.sense(&SessionItem::Contact(contact));
    }

    /// Drops the next look. Must be called after anything that may change when it is due.
    pub fn forget(&mut self) {
        self.next = None;
    }

    /// The tick at which a signal may change by itself, or a condition may be met
    /// without a change.
    fn due(&self, state: &AnyBoard) -> Tick {
        self.triggers.next_look(state, Tick::MAX)
    }
}

/// The board's tick and the number of deeds recorded so far.
fn moment<D: Driver>(board: &RecordingDriver<D>) -> (Tick, usize) {
    (board.tick(), board.recorder().done())
}

#[cfg(test)]
mod tests {
    use protocol::{Button, Deed, Layout};
    use touchboard_host::signals::SignalCondition;
    use touchboard_host::{CoreDriver, forward};

    use super::*;

    /// A board that counts how often its state is read.
    struct Counted {
        core: CoreDriver,
        saves: usize,
    }

    impl Driver for Counted {
        forward!(core; own: save);

        fn save(&mut self) -> Result<Vec<u8>, DriverError> {
            self.saves += 1;
            self.core.save()
        }
    }

    fn board() -> RecordingDriver<Counted> {
        let core = CoreDriver::new(Layout::MALDOO, 1).unwrap();
        let counted = Counted { core, saves: 0 };
        RecordingDriver::from_now(counted, 1, "").unwrap()
    }

    /// A watch for this condition.
    fn watch(board: &mut RecordingDriver<Counted>, text: &str) -> ConditionWatch {
        let condition = SignalCondition::parse(text, Layout::MALDOO).unwrap();
        let mut watch = ConditionWatch::default();
        watch
            .set_conditions(board, &[StopCondition::new(condition)])
            .unwrap();
        watch
    }

    /// Lets this many steps pass. Returns true once the condition has come true.
    fn pass(
        board: &mut RecordingDriver<Counted>,
        watch: &mut ConditionWatch,
        steps: usize,
    ) -> bool {
        (0..steps).any(|_| {
            let ticks = watch.stride(board, 10).unwrap();
            board.pass(ticks).unwrap();
            let events = board.take_events();
            watch.poll(board, &events).unwrap().stopped.is_some()
        })
    }

    #[test]
    fn the_state_is_read_once_a_step() {
        const STEPS: usize = 50;
        let mut board = board();
        let mut watch = watch(&mut board, "turn = red");
        let before = board.inner().saves;
        assert!(!pass(&mut board, &mut watch, STEPS));
        assert!(board.tick() < 1_000, "no keyframe is due");
        assert_eq!(board.inner().saves - before, STEPS);
    }

    #[test]
    fn an_input_between_two_steps_is_checked_at_once() {
        let mut board = board();
        let mut watch = watch(&mut board, "button.start for 5");
        assert!(!pass(&mut board, &mut watch, 3));
        let press = Deed::Input(Input::Press(Button::Start));
        board.carry_out(&press).unwrap();
        let pressed_at = board.tick();
        // The first look sees the button go down; the next one is due once it has been
        // down for the time in the condition.
        assert!(pass(&mut board, &mut watch, 2));
        assert!((5..=15).contains(&(board.tick() - pressed_at)));
    }
}
