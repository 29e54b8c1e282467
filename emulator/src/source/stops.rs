//! Conditions at which time freezes, and those that froze it.
//!
//! The same code watches a stepped board and one at the end of a line.
//!
//! Invariants: a condition that stays in the list while another one is added, removed or
//! switched off keeps its history, so it does not come true a second time; a condition
//! that is switched off is not watched.

use firmware_core::AnyBoard;
use protocol::{Event, Tick};
use touchboard_host::session::SessionItem;
use touchboard_host::signals::{SignalCondition, SignalTrigger};

/// A stop condition in the user's list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StopCondition {
    /// The condition at which time freezes.
    pub condition: SignalCondition,
    /// False if the condition is switched off for now.
    pub is_on: bool,
}

impl StopCondition {
    /// A condition that is switched on.
    #[must_use]
    pub fn new(condition: SignalCondition) -> StopCondition {
        StopCondition {
            condition,
            is_on: true,
        }
    }
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
    /// The conditions in words: `turn = red and event.move`.
    #[must_use]
    pub fn why(&self) -> String {
        let each: Vec<String> = self.conditions.iter().map(ToString::to_string).collect();
        each.join(" and ")
    }
}

/// Watches a board for all conditions that are switched on.
#[derive(Default)]
pub struct Triggers(Vec<SignalTrigger>);

impl Triggers {
    /// Watches for these conditions. Those that were watched before keep their history.
    pub fn set_conditions(&mut self, stops: &[StopCondition]) {
        let mut before = std::mem::take(&mut self.0);
        let wanted = stops.iter().filter(|stop| stop.is_on);
        self.0 = wanted
            .map(|stop| {
                let is_it = |known: &SignalTrigger| *known.condition() == stop.condition;
                match before.iter().position(is_it) {
                    Some(place) => before.swap_remove(place),
                    None => SignalTrigger::new(stop.condition.clone()),
                }
            })
            .collect();
    }

    /// True if no condition is switched on.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Passes an event of the board to the conditions. Every event must be passed, in
    /// order, before the next [`poll`](Self::poll).
    pub fn count_event(&mut self, event: &Event) {
        self.0.iter_mut().for_each(|trigger| trigger.count(event));
    }

    /// Passes a change of a contact to the conditions, before the poll that follows it.
    pub fn sense(&mut self, item: &SessionItem) {
        self.0.iter_mut().for_each(|trigger| trigger.sense(item));
    }

    /// Evaluates the conditions on the board. Returns the reason to freeze time, if there
    /// is one.
    pub fn poll(&mut self, board: &AnyBoard) -> Option<StoppedAt> {
        let each = self.0.iter_mut();
        // Every condition has to be evaluated, even if one has already come true.
        let conditions: Vec<SignalCondition> = each
            .filter_map(|trigger| trigger.poll(board).then(|| trigger.condition().clone()))
            .collect();
        (!conditions.is_empty()).then_some(StoppedAt {
            tick: board.tick(),
            conditions,
        })
    }

    /// The next tick, at most `until`, at which a condition may come true without
    /// an input.
    #[must_use]
    pub fn next_look(&self, board: &AnyBoard, until: Tick) -> Tick {
        let each = self.0.iter().map(|trigger| trigger.next_look(board, until));
        each.min().unwrap_or(until)
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
        assert_eq!(triggers.poll(&board), None);
        press(&mut board, Button::Start);
        let stopped = triggers.poll(&board).unwrap();
        assert_eq!(stopped.conditions, [first.condition.clone()]);
        // The button is still down when another condition is added.
        triggers.set_conditions(&[second.clone(), first.clone()]);
        assert_eq!(triggers.poll(&board), None);
        press(&mut board, Button::Level);
        assert_eq!(triggers.poll(&board).unwrap().why(), "button.level");
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
        assert_eq!(triggers.poll(&board), None);
        press(&mut board, Button::Start);
        let stopped = triggers.poll(&board).unwrap();
        assert_eq!(stopped.why(), "button.start and button.start rises");
        assert_eq!(triggers.next_look(&board, board.tick()), board.tick());
    }
}
