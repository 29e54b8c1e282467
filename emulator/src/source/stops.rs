//! Conditions at which time freezes or a mark is set, and those that froze it.
//!
//! The same code watches a stepped board and one at the end of a line.
//!
//! Invariants: a condition that stays in the list while another one is added, removed or
//! switched off keeps its history, so it does not come true a second time; a condition
//! that is switched off is not watched; no condition fills a session with marks.

use firmware_core::AnyBoard;
use firmware_core::faults::BoardFaults;
use protocol::{Event, Tick};
use touchboard_host::session::SessionItem;
use touchboard_host::signals::{SignalCondition, SignalTrigger};

/// How many marks a condition sets at most.
pub const MOST_MARKS: usize = 1_000;

/// What happens when a condition comes true.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum StopAction {
    /// Time freezes.
    #[default]
    Freeze,
    /// A mark is set in the session, up to [`MOST_MARKS`] times, and time goes on.
    Mark,
}

/// A stop condition in the user's list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StopCondition {
    /// The condition that is watched for.
    pub condition: SignalCondition,
    /// What happens when it comes true.
    pub action: StopAction,
    /// False if the condition is switched off for now.
    pub is_on: bool,
}

impl StopCondition {
    /// A condition that is switched on, and freezes time.
    #[must_use]
    pub fn new(condition: SignalCondition) -> StopCondition {
        StopCondition {
            condition,
            action: StopAction::Freeze,
            is_on: true,
        }
    }
}

/// What conditions that came true at one moment call for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reached {
    /// The moment and the reason to freeze time, if there is one. Its tick is the board's.
    pub stopped: Option<StoppedAt>,
    /// The words of the marks to set.
    pub marks: Vec<String>,
}

/// The moment at which a stop condition froze time, and the condition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoppedAt {
    /// The session time at which it froze.
    pub tick: Tick,
    /// The conditions that came true there.
    pub conditions: Vec<SignalCondition>,
}

impl StoppedAt {
    /// The conditions in words: `turn = red; event.move`.
    #[must_use]
    pub fn why(&self) -> String {
        let each: Vec<String> = self.conditions.iter().map(ToString::to_string).collect();
        each.join("; ")
    }
}

/// Watches a board for all conditions that are switched on.
#[derive(Default)]
pub struct Triggers {
    armed: Vec<ArmedCondition>,
    /// The faults of the board: a dead lamp is never lit.
    faults: BoardFaults,
}

/// A condition that is switched on.
struct ArmedCondition {
    trigger: SignalTrigger,
    action: StopAction,
    /// The number of marks that it has set.
    marks: usize,
}

impl ArmedCondition {
    fn new(condition: SignalCondition, faults: &BoardFaults) -> ArmedCondition {
        let mut trigger = SignalTrigger::new(condition);
        trigger.know_faults(faults);
        ArmedCondition {
            trigger,
            action: StopAction::Freeze,
            marks: 0,
        }
    }

    /// Counts a mark. Returns its words, if there may be one more.
    fn mark(&mut self) -> Option<String> {
        self.marks += 1;
        let condition = self.trigger.condition();
        match self.marks {
            ..MOST_MARKS => Some(condition.to_string()),
            MOST_MARKS => Some(format!("{condition} (the last of {MOST_MARKS} marks)")),
            _ => None,
        }
    }
}

impl Triggers {
    /// Watches for these conditions. Those that were watched before keep their history.
    pub fn set_conditions(&mut self, stops: &[StopCondition]) {
        let mut before = std::mem::take(&mut self.armed);
        let wanted = stops.iter().filter(|stop| stop.is_on);
        self.armed = wanted
            .map(|stop| {
                let is_it = |known: &ArmedCondition| *known.trigger.condition() == stop.condition;
                let known = match before.iter().position(is_it) {
                    Some(place) => before.swap_remove(place),
                    None => ArmedCondition::new(stop.condition.clone(), &self.faults),
                };
                ArmedCondition {
                    action: stop.action,
                    ..known
                }
            })
            .collect();
    }

    /// True if no condition is switched on.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.armed.is_empty()
    }

    /// Takes in the faults that the board has from now on.
    pub fn know_faults(&mut self, faults: &BoardFaults) {
        if self.faults != *faults {
            self.faults.clone_from(faults);
            let each = self.armed.iter_mut();
            each.for_each(|armed| armed.trigger.know_faults(faults));
        }
    }

    /// Passes an event of the board to the conditions. Every event must be passed, in
    /// order, before the next [`poll`](Self::poll).
    pub fn count_event(&mut self, event: &Event) {
        let each = self.armed.iter_mut();
        each.for_each(|armed| armed.trigger.count(event));
    }

    /// Passes a change of a contact to the conditions, before the poll that follows it.
    pub fn sense(&mut self, item: &SessionItem) {
        let each = self.armed.iter_mut();
        each.for_each(|armed| armed.trigger.sense(item));
    }

    /// Evaluates the conditions on the board, and returns what they call for.
    pub fn poll(&mut self, board: &AnyBoard) -> Reached {
        let mut reached = Reached::default();
        let mut conditions = Vec::new();
        // Every condition has to be evaluated, even if one has already come true.
        for armed in &mut self.armed {
            match (armed.trigger.poll(board), armed.action) {
                (false, _) => {}
                (true, StopAction::Freeze) => conditions.push(armed.trigger.condition().clone()),
                (true, StopAction::Mark) => reached.marks.extend(armed.mark()),
            }
        }
        reached.stopped = (!conditions.is_empty()).then_some(StoppedAt {
            tick: board.tick(),
            conditions,
        });
        reached
    }

    /// The next tick, at most `until`, at which a condition may come true without
    /// an input.
    #[must_use]
    pub fn next_look(&self, board: &AnyBoard, until: Tick) -> Tick {
        let each = self.armed.iter();
        let looks = each.map(|armed| armed.trigger.next_look(board, until));
        looks.min().unwrap_or(until)
    }
}

#[cfg(test)]
mod tests {
    use protocol::{Button, Deed, Input, Layout};

    use super::*;

    fn stop(text: &str) -> StopCondition {
        StopCondition::new(SignalCondition::parse(text, Layout::MALDOO).unwrap())
    }

    fn press(board: &mut AnyBoard, button: Button) {
        let press = Deed::Input(Input::Press(button));
        board.carry_out(&press, &mut |_, _| ()).unwrap();
    }

    #[test]
    fn adding_a_condition_does_not_trigger_the_old_ones() {
        let mut board = AnyBoard::new(Layout::MALDOO, 1).unwrap();
        let (first, second) = (stop("button.start"), stop("button.level"));
        let mut triggers = Triggers::default();
        assert!(triggers.is_empty());
        triggers.set_conditions(std::slice::from_ref(&first));
        assert_eq!(triggers.poll(&board), Reached::default());
        press(&mut board, Button::Start);
        let stopped = triggers.poll(&board).stopped.unwrap();
        assert_eq!(stopped.conditions, std::slice::from_ref(&first.condition));
        // The button is still down when another condition is added.
        triggers.set_conditions(&[second.clone(), first.clone()]);
        assert_eq!(triggers.poll(&board), Reached::default());
        press(&mut board, Button::Level);
        let stopped = triggers.poll(&board).stopped.unwrap();
        assert_eq!(stopped.why(), "button.level");
        let off = StopCondition {
            is_on: false,
            ..first
        };
        triggers.set_conditions(&[off]);
        assert!(triggers.is_empty());
    }

    #[test]
    fn simultaneous_conditions_are_all_named() {
        let mut board = AnyBoard::new(Layout::MALDOO, 1).unwrap();
        let mut triggers = Triggers::default();
        triggers.set_conditions(&[stop("button.start"), stop("button.start rises")]);
        assert_eq!(triggers.poll(&board), Reached::default());
        press(&mut board, Button::Start);
        let stopped = triggers.poll(&board).stopped.unwrap();
        assert_eq!(stopped.why(), "button.start; button.start rises");
        assert_eq!(triggers.next_look(&board, board.tick()), board.tick());
    }

    #[test]
    fn a_marking_condition_stops_marking_at_its_limit() {
        let mut board = AnyBoard::new(Layout::MALDOO, 1).unwrap();
        let mark = StopCondition {
            action: StopAction::Mark,
            ..stop("button.start rises")
        };
        let mut triggers = Triggers::default();
        triggers.set_conditions(&[mark, stop("button.level")]);
        let mut marks = Vec::new();
        for _ in 0..MOST_MARKS + 5 {
            for input in [Input::Lift(Button::Start), Input::Press(Button::Start)] {
                let deed = Deed::Input(input);
                board.carry_out(&deed, &mut |_, _| ()).unwrap();
                let reached = triggers.poll(&board);
                assert_eq!(reached.stopped, None);
                marks.extend(reached.marks);
            }
        }
        assert_eq!(marks.len(), MOST_MARKS);
        assert_eq!(marks[0], "button.start rises");
        let last = "button.start rises (the last of 1000 marks)";
        assert_eq!(marks.last().unwrap(), last);
    }
}
