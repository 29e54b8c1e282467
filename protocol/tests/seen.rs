//! The visible lights: which of them blink, when, and how a rhythm restarts.

use proptest::prelude::*;
use protocol::{Colour, Frame, Layout, Packed, Point, Rhythm, Rhythms, Text};

/// Points of each rhythm in the order of the indices, all green; the beat is at 0.
fn of_each_rhythm() -> Frame {
    let mut frame = Frame::default();
    for rhythm in Rhythm::ALL {
        let point = Point(rhythm.index());
        frame.points.set(point, Colour::GREEN);
        frame.rhythms.set(point, rhythm);
    }
    frame
}

/// The letters of the first eight points at this tick.
fn letters(frame: &Frame, tick: u64) -> String {
    let seen = frame.points_seen(tick);
    let letter = |index| {
        let colour = seen.get(Point(index));
        assert_eq!(colour, frame.seen(Point(index), tick), "one as all");
        colour.letter()
    };
    (0..8).map(letter).collect()
}

#[test]
fn a_point_shows_its_colour_while_its_rhythm_is_on() {
    let frame = of_each_rhythm();
    let expected = [
        (0, "gggggg.a"),
        (99, "gggggg.a"),
        (100, "gggg...a"),
        (125, "ggg....g"),
        (200, "ggg.g..g"),
        (250, "gg.gg.ga"),
        (300, "gg.g..ga"),
        (500, "g.gg..ga"),
        (999, "g.....gg"),
        (1_000, "gggggg.a"),
    ];
    for (tick, points) in expected {
        assert_eq!(letters(&frame, tick), points, "at {tick} ms");
    }
}

#[test]
fn turn_lights_blink_together_and_a_dark_one_stays_dark() {
    let mut frame = Frame {
        turn: [true, false],
        turn_rhythm: Rhythm::Slow,
        ..Frame::default()
    };
    assert_eq!(frame.turn_seen(499), [true, false]);
    assert_eq!(frame.turn_seen(500), [false, false]);
    frame.turn = [true; 2];
    assert_eq!(frame.turn_seen(1_000), [true; 2]);
    frame.turn_rhythm = Rhythm::Steady;
    assert_eq!(frame.turn_seen(500), [true; 2]);
}

#[test]
fn blinking_begins_at_the_beat() {
    for beat in [0, 1, 250, 999, 1_000, 12_345, u64::from(u32::MAX) + 7] {
        let mut frame = of_each_rhythm();
        frame.set_beat(beat);
        assert!(frame.beat < Rhythm::ROUND_MS, "only what is left of it");
        for since in [0, 100, 125, 500, 999] {
            let (this, first) = (
                letters(&frame, beat + since),
                letters(&of_each_rhythm(), since),
            );
            assert_eq!(this, first, "{since} ms after {beat}");
        }
    }
}

#[test]
fn a_frame_predicts_its_next_change_to_the_millisecond() {
    let mut frame = Frame::default();
    frame.points.set(Point(255), Colour::GREEN);
    assert_eq!(frame.changes_in_ms(3), None);
    frame.turn_rhythm = Rhythm::Slow;
    assert_eq!(frame.changes_in_ms(3), None, "no turn light is lit");
    frame.turn = [false, true];
    assert_eq!(frame.changes_in_ms(3), Some(497));
    frame.rhythms.set(Point(255), Rhythm::Wink);
    assert_eq!(frame.changes_in_ms(3), Some(247), "the next of all");
    frame.turn = [false; 2];
    assert_eq!(frame.changes_in_ms(250), Some(750));
    frame.set_beat(10);
    assert_eq!(frame.changes_in_ms(250), Some(10));
    assert_eq!(frame.changes_in_ms(9), Some(1));
}

proptest! {
    /// Otherwise a caller that waits for the change would wake too late or for nothing.
    #[test]
    fn a_rhythm_changes_exactly_when_predicted(
        rhythm in proptest::sample::select(&Rhythm::ALL[1..]),
        since in 0..3_000_u64,
    ) {
        let ms = u64::from(rhythm.changes_in_ms(since).expect("it blinks"));
        prop_assert!(ms > 0);
        for within in 0..ms {
            prop_assert_eq!(rhythm.is_on(since + within), rhythm.is_on(since));
        }
        prop_assert_ne!(rhythm.is_on(since + ms), rhythm.is_on(since));
    }
}

#[test]
fn clearing_a_frame_resets_all_of_it() {
    let mut frame = of_each_rhythm();
    frame.points.set(Point(9), Colour::RED);
    (frame.beat, frame.beep_hz) = (3, 440);
    (frame.turn, frame.turn_rhythm) = ([true; 2], Rhythm::Fast);
    frame.display = Text::clipped("055 0");
    // A layout with an odd number of points: the bits after the last one have no byte of
    // their own.
    frame.clear(Layout::grid(3, 3).expect("a layout"));
    assert_eq!(frame, Frame::default());
    frame.points.set(Point(9), Colour::RED);
    frame.clear(Layout::grid(2, 4).expect("a layout"));
    assert_eq!(frame.points.get(Point(9)), Colour::RED, "others stay");
    frame.points.set(Point(255), Colour::RED);
    frame.clear(Layout::grid(16, 16).expect("a layout"));
    assert_eq!(frame, Frame::default());
}

#[test]
fn rhythms_are_printed_up_to_the_last_that_blinks() {
    let mut rhythms = Rhythms::default();
    assert!(rhythms.are_steady());
    assert_eq!(format!("{rhythms:?}"), "");
    rhythms.set(Point(2), Rhythm::Marked);
    rhythms.set(Point(0), Rhythm::Slow);
    assert!(!rhythms.are_steady());
    assert_eq!(format!("{rhythms:?}"), "1070");
    let mut packed = Packed::default();
    packed.set(Point(1), Colour::AMBER);
    assert_eq!(format!("{packed:?}"), ".a");
}
