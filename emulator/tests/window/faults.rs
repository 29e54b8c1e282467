//! Faults that the window's pane sets on a board at the end of a line.

use emulator::source::{Agreement, WindowCommand};
use firmware_core::Faults;
use protocol::{Button, Colour, Deed, Input, Layout, Point};
use touchboard_host::CoreDriver;
use touchboard_host::session::{Session, SessionItem};

use crate::time_travel::Window;

fn point(name: &str) -> Point {
    Layout::MALDOO.point(name).unwrap()
}

/// A game of Reversi on a board on a line that has told which faults it has.
fn begun() -> Window {
    let mut window = Window::on_a_line();
    window.wait(|window| window.shown.injectable.board);
    window.press(Button::Start);
    window.wait(|window| window.shown.legal.len() == 4);
    window
}

fn set(window: &mut Window, faults: &str) -> Faults {
    let faults: Faults = faults.parse().unwrap();
    window.obey(WindowCommand::InjectFaults(Box::new(faults.clone())));
    faults
}

/// The points that the board was touched at, in order.
fn touched(session: &Session) -> Vec<Point> {
    let touch = |item: &SessionItem| match item {
        SessionItem::Do(Deed::Input(Input::Touch(point))) => Some(*point),
        _ => None,
    };
    let entries = session.entries.iter();
    entries.filter_map(|entry| touch(&entry.item)).collect()
}

fn notes(session: &Session) -> Vec<String> {
    let faults = session.recorded_faults().into_iter();
    faults.map(|recorded| recorded.faults.to_string()).collect()
}

fn agrees(window: &Window) -> bool {
    matches!(window.shown.twin, Agreement::Agrees { compared: 1.. })
}

#[test]
fn bad_contacts_and_lamps_are_set_live_on_a_board_on_a_line() {
    let mut window = begun();
    assert_eq!(notes(&window.source.session().unwrap()), [""; 0]);
    let lamp = point("e5");
    window.wait(|window| window.shown.frame.points.get(lamp) != Colour::OFF);
    let faults = set(&mut window, "seed 3, dead f5, bounce-ms 9, dead-led e5");
    window.wait(|window| window.shown.frame.points.get(lamp) == Colour::OFF);
    assert_eq!(window.shown.injectable.faults, faults);
    window.touch("f5");
    window.touch("e4");
    window.wait(|window| window.shown.legal.len() == 3);
    let session = window.source.session().unwrap();
    assert_eq!(touched(&session), [point("e4")], "f5 is dead");
    assert_eq!(notes(&session), [faults.to_string()]);
    let contact = SessionItem::Contact(Input::Touch(point("e4")));
    let closed = session.entries.iter().filter(|entry| entry.item == contact);
    assert!(closed.count() > 1, "it bounces");
    window.wait(agrees);
    let session = window.source.session().unwrap();
    let mut sound = CoreDriver::new(Layout::MALDOO, 0).unwrap();
    let mismatch = session.replay(&mut sound, &mut |_| ()).unwrap();
    assert!(mismatch.is_none(), "{mismatch:?}");
}

#[test]
fn a_board_on_a_line_that_loses_its_power_keeps_its_other_faults() {
    let mut window = begun();
    set(&mut window, "bounce-ms 3, brown-out-after-ms 1");
    window.wait(|window| window.shown.lost.restarted.is_some());
    let bounce = "bounce-ms 3".parse().unwrap();
    window.wait(|window| window.shown.injectable.faults == bounce && agrees(window));
    set(&mut window, "none");
    window.wait(|window| window.shown.injectable.faults.are_none());
    window.wait(|window| {
        let session = window.source.session();
        session.is_ok_and(|session| notes(&session).last().is_some_and(|last| last == "none"))
    });
}

#[test]
fn impossible_faults_of_a_board_on_a_line_are_refused_at_once() {
    let mut window = begun();
    let stuck = "stuck z9".parse().unwrap();
    let refused = window
        .source
        .obey(&WindowCommand::InjectFaults(Box::new(stuck)));
    assert!(refused.unwrap_err().to_string().contains("has no z9"));
    assert!(window.shown.injectable.faults.are_none());
}
