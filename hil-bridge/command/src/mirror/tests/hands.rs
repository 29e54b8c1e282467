//! What keys, the mouse and the passing of time do to the board.

use protocol::Button;
use ratatui::crossterm::event::MouseButton;

use super::*;

const DOWN: MouseEventKind = MouseEventKind::Down(MouseButton::Left);
const DRAG: MouseEventKind = MouseEventKind::Drag(MouseButton::Left);
const UP: MouseEventKind = MouseEventKind::Up(MouseButton::Left);

#[test]
fn the_mouse_touches_the_point_under_it_on_a_hexagon() {
    let mut session = Session::on(hexagon());
    for point in hexagon().iter() {
        let cell = session.geometry.cell(point);
        session.mouse(DOWN, cell);
        session.mouse(UP, cell);
        let touch = [(0, Input::Touch(point)), (0, Input::Release(point))];
        assert_eq!(session.inputs(), touch);
    }
    // To the left of the upper row, where a rectangle would have a point.
    let corner = session.geometry.points;
    session.mouse(DOWN, corner);
    assert_eq!(session.inputs(), []);
}

#[test]
fn arrows_and_names_move_the_cursor_on_a_hexagon() {
    let mut session = Session::on(hexagon());
    assert_eq!(session.mirror.cursor, session.point("e5"));
    for (code, name) in [
        (KeyCode::Up, "e6"),
        (KeyCode::Up, "f7"),
        (KeyCode::Right, "g7"),
        (KeyCode::Down, "f6"),
        (KeyCode::Left, "e6"),
    ] {
        session.event(Event::Key(KeyEvent::new(code, KeyModifiers::NONE)));
        assert_eq!(session.mirror.cursor, session.point(name), "{code:?}");
    }
    for (keys, name) in [("9", "e9"), ("H", "h9"), ("4", "h4"), ("A", "a4")] {
        session.keys(keys);
        assert_eq!(session.mirror.cursor, session.point(name), "{keys}");
    }
}

#[test]
fn a_key_holds_a_point_for_a_while_of_board_time() {
    let mut session = Session::new();
    session.keys("D3 ");
    assert!(session.mirror.touches(point("d3")));
    session.pass(99);
    assert!(session.mirror.touches(point("d3")));
    session.pass(200);
    let expected = [
        (0, Input::Touch(point("d3"))),
        (KEY_HOLD_MS, Input::Release(point("d3"))),
    ];
    assert_eq!(session.inputs(), expected);
    assert_eq!(session.spy.tick(), 299);
}

#[test]
fn a_repeated_key_is_a_second_touch() {
    let mut session = Session::new();
    session.keys("D3  m");
    session.keys("m");
    let expected = [
        Input::Touch(point("d3")),
        Input::Release(point("d3")),
        Input::Touch(point("d3")),
        Input::Press(Button::Mode),
        Input::Lift(Button::Mode),
        Input::Press(Button::Mode),
    ];
    let inputs: Vec<Input> = session
        .inputs()
        .into_iter()
        .map(|(_, input)| input)
        .collect();
    assert_eq!(inputs, expected);
    assert_eq!(session.mirror.status.settings.mode, 2);
}

#[test]
fn the_mouse_touches_slides_and_releases() {
    let mut session = Session::new();
    session.mouse_at(DOWN, "c3");
    session.mouse_at(DRAG, "c3");
    session.mouse_at(DRAG, "d3");
    let status = session.geometry.status;
    session.mouse(DRAG, status);
    session.mouse_at(DRAG, "e3");
    session.mouse_at(UP, "e3");
    let expected = [
        Input::Touch(point("c3")),
        Input::Release(point("c3")),
        Input::Touch(point("d3")),
        Input::Release(point("d3")),
        Input::Touch(point("e3")),
        Input::Release(point("e3")),
    ];
    let inputs: Vec<Input> = session
        .inputs()
        .into_iter()
        .map(|(_, input)| input)
        .collect();
    assert_eq!(inputs, expected);
}

#[test]
fn the_mouse_holds_a_button_until_released() {
    let mut session = Session::new();
    let level = session.geometry.buttons[3];
    session.mouse(DOWN, level);
    assert!(session.mirror.presses(Button::Level));
    session.mouse_at(DRAG, "e3");
    for _ in 0..4 {
        session.pass(150);
    }
    session.mouse(UP, level);
    assert_eq!(
        session.inputs(),
        [
            (0, Input::Press(Button::Level)),
            (600, Input::Lift(Button::Level))
        ]
    );
    assert_eq!(session.mirror.status.settings.level, 2, "it repeated once");
}

#[test]
fn every_button_has_a_key_and_a_place_for_the_mouse() {
    let mut by_key = Session::new();
    by_key.keys("gtslmh");
    by_key.start();
    let mut by_mouse = Session::new();
    for rect in by_mouse.geometry.buttons {
        by_mouse.mouse(DOWN, rect);
        by_mouse.mouse(UP, rect);
    }
    for button in Button::ALL {
        let press = (0, Input::Press(button));
        assert!(by_key.spy.inputs.contains(&press), "{button:?} by key");
        assert!(by_mouse.spy.inputs.contains(&press), "{button:?} by mouse");
    }
}

#[test]
fn arrows_and_names_keep_the_cursor_on_the_board() {
    let mut session = Session::new();
    session.keys("C0P");
    assert_eq!(
        session.mirror.cursor,
        point("c5"),
        "9x9 has no row 0 and no column p"
    );
    session.keys("A19");
    for code in [KeyCode::Left, KeyCode::Up, KeyCode::Right, KeyCode::Down] {
        session.event(Event::Key(KeyEvent::new(code, KeyModifiers::NONE)));
    }
    assert_eq!(session.mirror.cursor, point("b8"));
}

#[test]
fn board_time_keeps_its_pace_without_losing_fractions() {
    let mut session = Session::new();
    for _ in 0..10 {
        session
            .mirror
            .pass_time(&mut session.spy, Duration::from_micros(3_333));
    }
    assert_eq!(session.spy.tick(), 33);
    session.keys("++");
    session.pass(100);
    assert_eq!(session.spy.tick(), 433);
    session.keys("----");
    session.pass(100);
    assert_eq!(session.spy.tick(), 458);
    session.keys("--------------------");
    session.pass(100);
    assert_eq!(session.spy.tick(), 464);
    session.keys("f");
    session.pass(100);
    assert_eq!(session.spy.tick(), 464);
    session.keys(",.");
    assert_eq!(session.spy.tick(), 565);
}

#[test]
fn a_suspended_host_catches_up_at_most_a_quarter_second() {
    let mut session = Session::new();
    session.pass(3_600_000);
    assert_eq!(session.spy.tick(), 250);
}

#[test]
fn a_touch_in_frozen_time_is_taken_at_its_tick() {
    let mut session = Session::new();
    session.keys("f");
    session.start();
    session.keys("D7 ");
    assert_eq!(session.mirror.status.score, Some([4, 1]));
    assert_eq!(session.spy.tick(), 0);
}

#[test]
fn ending_the_mirror_releases_everything() {
    let mut session = Session::new();
    session.mouse_at(DOWN, "c3");
    session.keys("D4 m");
    session.mirror.let_go(&mut session.spy);
    let ups = session.inputs();
    for up in [
        Input::Release(point("c3")),
        Input::Release(point("d4")),
        Input::Lift(Button::Mode),
    ] {
        assert!(ups.contains(&(0, up)), "{up:?}");
    }
}

#[test]
fn an_unplugged_board_is_reported_and_awaited() {
    let mut session = game();
    session.spy.is_unplugged = true;
    session.pass(100);
    assert_eq!(session.mirror.trouble.as_deref(), Some("the cable is out"));
    let screen = session.terminal(120, 24);
    let last = format!("{}", screen.backend());
    assert!(last.contains("the cable is out"), "{last}");
    let tick = session.spy.tick();
    session.pass(1_000);
    assert!(session.mirror.trouble.is_some());
    session.spy.is_unplugged = false;
    session.pass(499);
    assert!(session.mirror.trouble.is_some());
    session.pass(1);
    assert_eq!(session.mirror.trouble, None);
    session.pass(100);
    assert_eq!(session.spy.tick(), tick + 100, "time stood still meanwhile");
}

#[test]
fn escape_only_closes_overlays() {
    let mut session = game();
    let escape = Event::Key(KeyEvent::new(KeyCode::Esc, KeyModifiers::NONE));
    session.keys("?");
    assert_eq!(session.mirror.open, Some(Open::Keys));
    session.inputs();
    session.event(escape.clone());
    assert_eq!(session.mirror.open, None);
    session.event(escape);
    assert_eq!(session.inputs(), []);
}

#[test]
fn a_restarted_board_is_reported_and_gets_no_old_inputs() {
    let mut session = game();
    session.keys("D4 m");
    session.spy.remarks = vec!["the board restarted".to_owned()];
    session.spy.restarts = true;
    session.pass(10);
    assert!(session.mirror.trouble.is_some());
    assert!(!session.mirror.touches(point("d4")));
    let told = |session: &Session| {
        let words = session.mirror.log.iter().map(|(_, words)| words.as_str());
        words
            .filter(|words| *words == "the board restarted")
            .count()
    };
    assert_eq!(told(&session), 1);
    session.inputs();
    session.pass(500);
    session.pass(200);
    assert_eq!(session.mirror.trouble, None);
    assert_eq!(session.inputs(), []);
    assert_eq!(told(&session), 1);
}

#[test]
fn q_and_control_c_end_the_mirror() {
    let quits = |code, modifiers| {
        let key = Event::Key(KeyEvent::new(code, modifiers));
        keys::act(&key, None) == Some(MirrorAction::Quit)
    };
    assert!(quits(KeyCode::Char('q'), KeyModifiers::NONE));
    assert!(!quits(KeyCode::Esc, KeyModifiers::NONE));
    assert!(quits(KeyCode::Char('c'), KeyModifiers::CONTROL));
    assert!(!quits(KeyCode::Char('q'), KeyModifiers::CONTROL));
}
