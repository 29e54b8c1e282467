//! A board at the end of a line, as the window has it.

use std::time::Instant;

use protocol::{Button, Input};
use touchboard_host::CoreDriver;
use touchboard_links::At;

use super::*;

/// A busy machine makes things late; this only ends a test that would never end.
const PATIENCE: Duration = Duration::from_secs(60);

/// Lets the source run until what it shows is so.
fn wait(source: &mut Remote, shown: &mut Shown, is_so: impl Fn(&Shown) -> bool) {
    let began = Instant::now();
    while !is_so(shown) {
        assert!(began.elapsed() < PATIENCE, "{shown:?}");
        std::thread::sleep(Duration::from_millis(5));
        source
            .update(Duration::from_millis(5), shown, &mut |_, _| ())
            .unwrap();
    }
}

fn input(source: &mut Remote, input: Input) {
    source.order(&Order::Do(Deed::Input(input))).unwrap();
}

fn agrees(shown: &Shown) -> bool {
    matches!(shown.twin, Agreement::Agrees { compared: 1.. })
}

#[test]
fn a_board_at_the_end_of_a_line_is_driven_mirrored_and_compared() {
    let mut source = Remote::open(Where::new(At::Virtual));
    let mut shown = Shown::default();
    wait(
        &mut source,
        &mut shown,
        |shown| matches!(&shown.link, Link::Up { board } if board == "virtual"),
    );
    input(&mut source, Input::Press(Button::Start));
    input(&mut source, Input::Lift(Button::Start));
    wait(&mut source, &mut shown, |shown| {
        shown.status.score.is_some() && shown.frame.turn[0]
    });
    wait(&mut source, &mut shown, agrees);
}

#[test]
fn where_one_may_play_is_known_of_a_board_at_the_end_of_a_line() {
    let mut source = Remote::open(Where::new(At::Virtual));
    let mut shown = Shown::default();
    let up = |shown: &Shown| matches!(shown.link, Link::Up { .. });
    wait(&mut source, &mut shown, up);
    input(&mut source, Input::Press(Button::Start));
    let names = |shown: &Shown| -> Vec<String> {
        let names = shown.legal.iter().map(|point| shown.layout.name(*point));
        names.map(|name| name.to_string()).collect()
    };
    wait(&mut source, &mut shown, |shown| {
        names(shown) == ["d7", "c6", "f5", "e4"]
    });
    let point = Layout::MALDOO.point("e4").unwrap();
    input(&mut source, Input::Touch(point));
    wait(&mut source, &mut shown, |shown| {
        names(shown) == ["f6", "d4", "f4"]
    });
}

#[test]
fn a_paused_board_is_stepped_and_still_compared() {
    let mut source = Remote::open(Where::new(At::Virtual));
    let mut shown = Shown::default();
    let up = |shown: &Shown| matches!(shown.link, Link::Up { .. });
    wait(&mut source, &mut shown, up);
    let pace = Pace {
        paused: true,
        speed: 1.0,
    };
    source.order(&Order::Pace(pace)).unwrap();
    source.order(&Order::Step(100)).unwrap();
    wait(&mut source, &mut shown, agrees);
}

#[test]
fn a_mistake_in_the_firmware_is_named() {
    let mut place = Where::new(At::Virtual);
    place.line.break_rule = true;
    let mut source = Remote::open(place);
    let mut shown = Shown::default();
    let up = |shown: &Shown| matches!(shown.link, Link::Up { .. });
    wait(&mut source, &mut shown, up);
    input(&mut source, Input::Press(Button::Start));
    input(&mut source, Input::Lift(Button::Start));
    for index in 0..81 {
        input(&mut source, Input::Touch(Point(index)));
        input(&mut source, Input::Release(Point(index)));
        let mut some = Shown::default();
        source
            .update(Duration::from_millis(5), &mut some, &mut |_, _| ())
            .unwrap();
        std::thread::sleep(Duration::from_millis(10));
    }
    wait(
        &mut source,
        &mut shown,
        |shown| matches!(&shown.twin, Agreement::Differs(sentence) if sentence.contains("; tick ")),
    );
    let Agreement::Differs(sentence) = &shown.twin else {
        unreachable!();
    };
    assert!(sentence.starts_with("tick "), "{sentence}");
    assert!(sentence.contains("on its twin"), "{sentence}");

    let tick: Tick = sentence[5..].split(':').next().unwrap().parse().unwrap();
    let mut right = CoreDriver::new(Layout::MALDOO, 0).unwrap();
    let session = source.session().unwrap();
    let mismatch = session.replay(&mut right, &mut |_| ()).unwrap();
    assert_eq!(mismatch.map(|mismatch| mismatch.tick), Some(tick));
}

#[test]
fn a_line_that_leads_nowhere_is_said_in_a_sentence() {
    let mut source = Remote::open(Where::new(At::Serial("/dev/no-such-port".into())));
    let mut shown = Shown::default();
    wait(&mut source, &mut shown, |shown| shown.link.is_down());
    let Link::Down(sentence) = &shown.link else {
        unreachable!();
    };
    assert!(sentence.contains("no-such-port"), "{sentence}");
}
