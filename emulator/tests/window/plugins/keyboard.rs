//! What the keyboard does to the board.

use emulator::keys::Keyboard;
use emulator::scene::keyboard::Cursor;

use super::*;

#[test]
fn the_keyboard_moves_and_holds_fingers() {
    let (mut app, puppet) = puppet_app();
    strike(&mut app, &[(KeyCode::ArrowUp, Key::ArrowUp)]);
    let middle = Layout::MALDOO.point("e5").unwrap();
    assert_eq!(*app.world().resource::<Cursor>(), Cursor(Some(middle)));
    strike(&mut app, &[SPACE]);
    assert_eq!(
        puppet.inputs(),
        [Input::Touch(middle), Input::Release(middle)]
    );
    key(
        &mut app,
        KeyCode::ShiftLeft,
        Key::Shift,
        ButtonState::Pressed,
    );
    strike(&mut app, &[SPACE]);
    key(
        &mut app,
        KeyCode::ShiftLeft,
        Key::Shift,
        ButtonState::Released,
    );
    strike(&mut app, &[(KeyCode::ArrowRight, Key::ArrowRight), SPACE]);
    let right = Layout::MALDOO.point("f5").unwrap();
    assert_eq!(
        puppet.inputs(),
        [
            Input::Touch(middle),
            Input::Touch(right),
            Input::Release(right)
        ]
    );
    strike(&mut app, &[(KeyCode::Escape, Key::Escape)]);
    assert_eq!(puppet.inputs(), [Input::Release(middle)]);
}

#[test]
fn a_finger_that_is_held_down_slides_with_the_cursor() {
    let (mut app, puppet) = puppet_app();
    strike(&mut app, &[(KeyCode::ArrowUp, Key::ArrowUp)]);
    key(&mut app, KeyCode::Space, Key::Space, ButtonState::Pressed);
    strike(&mut app, &[(KeyCode::ArrowLeft, Key::ArrowLeft)]);
    key(&mut app, KeyCode::Space, Key::Space, ButtonState::Released);
    app.update();
    let [e5, d5] = ["e5", "d5"].map(|name| Layout::MALDOO.point(name).unwrap());
    assert_eq!(
        puppet.inputs(),
        [
            Input::Touch(e5),
            Input::Release(e5),
            Input::Touch(d5),
            Input::Release(d5)
        ]
    );
}

#[test]
fn letters_and_digits_jump_to_columns_and_rows() {
    let (mut app, puppet) = puppet_app();
    *puppet.layout.lock().unwrap() = Layout::grid(16, 16).ok();
    app.update();
    let layout = Layout::grid(16, 16).unwrap();
    let at = |app: &App| {
        app.world()
            .resource::<Cursor>()
            .0
            .map(|point| layout.name(point).to_string())
    };
    key(
        &mut app,
        KeyCode::ShiftLeft,
        Key::Shift,
        ButtonState::Pressed,
    );
    strike(&mut app, &[(KeyCode::KeyP, letter("P"))]);
    key(
        &mut app,
        KeyCode::ShiftLeft,
        Key::Shift,
        ButtonState::Released,
    );
    assert_eq!(at(&app).unwrap(), "p8");
    let digit = |name: &str| (KeyCode::Digit1, letter(name));
    strike(&mut app, &[digit("1")]);
    assert_eq!(at(&app).unwrap(), "p1");
    strike(&mut app, &[digit("4")]);
    assert_eq!(at(&app).unwrap(), "p14");
    strike(&mut app, &[digit("9")]);
    assert_eq!(at(&app).unwrap(), "p9");
    assert_eq!(puppet.inputs(), []);
}

#[test]
fn help_is_opened_without_a_button_of_the_board() {
    let (mut app, puppet) = puppet_app();
    strike(&mut app, &[(KeyCode::F1, Key::F1)]);
    app.update();
    assert_eq!(puppet.inputs(), []);
}

#[test]
fn every_button_and_the_pass_have_a_key() {
    let (mut app, puppet) = puppet_app();
    let keys = [
        ("g", Button::Game),
        ("t", Button::Time),
        ("s", Button::Speed),
        ("l", Button::Level),
        ("m", Button::Mode),
        ("h", Button::Stop),
        ("n", Button::Start),
    ];
    for (name, button) in keys {
        strike(&mut app, &[(KeyCode::KeyG, letter(name))]);
        assert_eq!(puppet.inputs(), [Input::Press(button), Input::Lift(button)]);
    }
    strike(&mut app, &[(KeyCode::KeyP, letter("p"))]);
    assert_eq!(puppet.inputs(), [Input::Pass]);
}

#[test]
fn typing_does_not_reach_the_board() {
    let (mut app, puppet) = puppet_app();
    key(&mut app, KeyCode::KeyG, letter("g"), ButtonState::Pressed);
    app.update();
    assert_eq!(puppet.inputs(), [Input::Press(Button::Game)]);
    app.insert_resource(Keyboard::Workbench);
    app.update();
    assert_eq!(puppet.inputs(), [Input::Lift(Button::Game)]);
    strike(&mut app, &[(KeyCode::Enter, Key::Enter), SPACE]);
    assert_eq!(puppet.inputs(), []);
}

#[test]
fn enter_touches_at_the_cursor_and_is_start_without_one() {
    let (mut app, puppet) = puppet_app();
    let enter = (KeyCode::Enter, Key::Enter);
    let start = [Input::Press(Button::Start), Input::Lift(Button::Start)];
    strike(&mut app, std::slice::from_ref(&enter));
    assert_eq!(puppet.inputs(), start);
    strike(&mut app, &[(KeyCode::ArrowUp, Key::ArrowUp)]);
    let middle = Layout::MALDOO.point("e5").unwrap();
    strike(&mut app, std::slice::from_ref(&enter));
    let touch = [Input::Touch(middle), Input::Release(middle)];
    assert_eq!(puppet.inputs(), touch);
    // A key's release means what its press meant, even if the cursor has moved.
    key(&mut app, enter.0, enter.1.clone(), ButtonState::Pressed);
    app.update();
    app.insert_resource(Cursor(None));
    key(&mut app, enter.0, enter.1.clone(), ButtonState::Released);
    app.update();
    assert_eq!(puppet.inputs(), touch);
    slide(&mut app, PointerId::Mouse, Vec3::ZERO);
    app.update();
    strike(&mut app, &[enter]);
    assert_eq!(puppet.inputs(), start);
}
