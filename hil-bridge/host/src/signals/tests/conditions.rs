//! Conditions: how they are read, and when they are met.

use super::*;
use crate::signals::possible::PossibleValues;
use crate::signals::term::{Term, TermWatch};

/// Some of each kind.
const CONDITIONS: [&str; 19] = [
    "event.move",
    "event.bleep changes",
    "turn = green",
    "turn != none",
    "thinking falls",
    "beeper rises",
    "score.green >= 3",
    "legal < 2",
    "lit.b2 falls",
    "lit.b2 rises for 100",
    "light.a1 != off for 30",
    "display = TIME",
    "beeper for < 300",
    "lit.b2 for < 400",
    "event.move and turn != none",
    "turn = green and legal >= 2 for 50",
    "lit.b2 rises and turn != none",
    "light.a1 = off for 30 and beeper = 0",
    "event.bleep and beeper != 0 and score.green >= 1",
];

/// The slow way: the first tick from now on at which a condition is met.
fn first_met(board: &mut AnyBoard, condition: &SignalCondition, within: Tick) -> Option<Tick> {
    let silent = SignalReader::new(Vec::new());
    let mut watch = SignalWatch::new(condition.clone(), &silent);
    for _ in 0..=within {
        if watch.poll(board) {
            return Some(board.tick());
        }
        board.advance(1, &mut |_, event| watch.reader.count(&event));
    }
    None
}

#[test]
fn a_board_stops_at_the_first_tick_that_meets_a_condition() {
    law(
        Weight::of(96, 25),
        (touches(), 0..CONDITIONS.len()),
        |(touches, which)| {
            let condition = SignalCondition::parse(CONDITIONS[which], *SMALL).unwrap();
            let mut board = CoreDriver::new(*SMALL, SEED).unwrap();
            session(*SMALL, &touches)
                .replay(&mut board, &mut |_| {})
                .unwrap();
            let (within_ms, mut silent) = (5_000, SignalReader::new(Vec::new()));
            let expected = first_met(&mut board.board().clone(), &condition, within_ms);
            let found = run_until(
                &mut board,
                &condition,
                within_ms,
                &mut silent,
                &mut Vec::new(),
            );
            let stopped_at = match found {
                Ok(stopped) => Some(stopped.tick),
                Err(UntilError::NotWithin { .. }) => None,
                Err(error) => return Err(TestCaseError::fail(error.to_string())),
            };
            prop_assert_eq!(expected, stopped_at);
            prop_assert!(stopped_at.is_none_or(|tick| tick == board.tick()));
            Ok(Judged::if_any(stopped_at.is_some()))
        },
    );
}

#[test]
fn a_signal_only_has_values_that_a_condition_may_name() {
    law(Weight::of(16, 70), touches(), |touches| {
        let signals = Signal::all(*SMALL);
        let waves = SignalReplayer::whole(&session(*SMALL, &touches), signals).unwrap();
        for wave in &waves.waves {
            let possible = PossibleValues::of(&wave.signal);
            for (_, value) in &wave.changes {
                let is_possible = possible.contain(&value.to_string());
                prop_assert!(is_possible, "{:?}: {}", wave.signal, value);
            }
        }
        Ok(Judged::if_any(has_moves(&waves)))
    });
}

#[test]
fn a_value_that_a_signal_never_has_is_refused_at_once() {
    let told = |text: &str| {
        let refusal = SignalCondition::parse(text, Layout::MALDOO).unwrap_err();
        format!("{text}: {refusal}")
    };
    insta::assert_snapshot!(
        [
            "turn = purple",
            "winner != nobody",
            "light.d4 = purple",
            "light.d4 = green quickly",
            "paused = maybe",
            "level = 9",
            "score.green = 07",
            "turn > 3",
        ]
        .map(told)
        .join("\n")
    );
    for text in [
        "turn = RED",
        "lit.d4 = ON",
        "light.d4 = amber slow",
        "level = 4",
        "display = 12",
    ] {
        SignalCondition::parse(text, Layout::MALDOO).unwrap();
    }
}

#[test]
fn a_wrong_condition_is_refused_with_a_sentence() {
    let told = |text: &str| {
        let refusal = SignalCondition::parse(text, Layout::MALDOO).unwrap_err();
        refusal.to_string()
    };
    insta::assert_snapshot!(
        [
            "",
            "turn is red",
            "turn =",
            "score.green > many",
            "turn changes red",
            "turn changes for 5",
            "turn for long",
            "turn changes for < 5",
            "paused for < 1",
            "turn = red and",
            "turn and and legal",
            "turn = red and light.z9"
        ]
        .map(told)
        .join("\n")
    );
}

fn watch_of(words: &[&str]) -> TermWatch {
    TermWatch::new(Term::parse(words, Layout::MALDOO).unwrap())
}

#[test]
fn terms_joined_by_and_are_met_at_the_same_tick() {
    let mut board = AnyBoard::new(Layout::MALDOO, SEED).unwrap();
    let watch = |text: &str| {
        let condition = SignalCondition::parse(text, Layout::MALDOO).unwrap();
        SignalTrigger::new(condition)
    };
    let mut edge = watch("button.start rises and button.level");
    let mut level = watch("button.start for 5 and button.level");
    let mut poll = |board: &AnyBoard| [edge.poll(board), level.poll(board)];
    assert_eq!(poll(&board), [false, false]);
    for (input, met) in [
        (Input::Press(Button::Start), [false, false]),
        // The edge is over by now.
        (Input::Press(Button::Level), [false, true]),
        (Input::Lift(Button::Start), [false, false]),
        (Input::Press(Button::Start), [true, false]),
    ] {
        board
            .carry_out(&Deed::Input(input), &mut |_, _| ())
            .unwrap();
        assert_eq!(poll(&board), met, "{input:?}");
        board.advance(5, &mut |_, _| ());
    }
    assert_eq!(poll(&board), [false, true]);
}

#[test]
fn a_width_is_met_exactly_when_reached() {
    let mut watch = watch_of(&["button.start", "for", "900"]);
    assert!(!watch.update(10, &SignalValue::Bit(true)));
    assert_eq!(watch.meets_at(), Some(910));
    assert!(!watch.update(500, &SignalValue::Bit(false)));
    assert!(!watch.update(600, &SignalValue::Bit(true)));
    assert!(!watch.update(1_499, &SignalValue::Bit(true)));
    assert!(watch.update(1_500, &SignalValue::Bit(true)));
}

#[test]
fn a_short_pulse_is_met_when_it_ends_if_its_start_was_seen() {
    let mut watch = watch_of(&["point.d4", "for", "<", "20"]);
    let mut look = |tick, bit| watch.update(tick, &SignalValue::Bit(bit));
    assert!(!look(0, true) && !look(10, false), "its begin was not seen");
    assert!(!look(100, true) && !look(110, true));
    assert!(look(119, false), "19 ms");
    assert!(!look(120, false), "once");
    assert!(!look(200, true) && !look(220, false), "20 ms are no fewer");
}

#[test]
fn a_missing_field_is_named_before_time_passes() {
    let mut board = CoreDriver::new(Layout::MALDOO, SEED).unwrap();
    let condition = SignalCondition::parse("state.referee.nothing = 1", Layout::MALDOO).unwrap();
    let mut silent = SignalReader::new(Vec::new());
    let error = run_until(&mut board, &condition, 1_000, &mut silent, &mut Vec::new()).unwrap_err();
    assert!(
        error
            .to_string()
            .starts_with("the state has no `referee.nothing`"),
        "{error}"
    );
    assert_eq!(board.tick(), 0);
}

#[test]
fn unreported_contacts_are_refused_with_a_sentence() {
    let mut board = CoreDriver::new(*SMALL, SEED).unwrap();
    let condition = SignalCondition::parse("contact.a1 rises", *SMALL).unwrap();
    let mut reader = SignalReader::new(Vec::new());
    let error = run_until(&mut board, &condition, 10, &mut reader, &mut Vec::new()).unwrap_err();
    assert!(
        error
            .to_string()
            .starts_with("`contact.a1`: this board does not report its contacts")
    );
}
