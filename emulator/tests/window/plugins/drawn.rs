//! Boards that were drawn: their points are where the drawing says.

use emulator::scene::keyboard::Cursor;
use protocol::{KnownLayout, Place, Sketch};

use super::*;

/// An app whose board has the layout of this sketch.
fn drawn_app(text: &str) -> (App, Puppet, KnownLayout) {
    let layout = text.parse::<Sketch>().unwrap().keep().unwrap();
    let (mut app, puppet) = puppet_app();
    *puppet.layout.lock().unwrap() = Some(*layout);
    app.update();
    app.update();
    puppet.inputs();
    (app, puppet, layout)
}

const HEXAGON: &str = include_str!("../../../../tests/drawings/hexagon.txt");
const RING: &str = include_str!("../../../../tests/drawings/ring.txt");

#[test]
fn points_of_a_drawn_board_are_touched_where_they_are_drawn() {
    for text in [HEXAGON, RING] {
        let (mut app, puppet, layout) = drawn_app(text);
        let world = app.world_mut();
        let mut domes = world.query::<(&LitDome, &Transform)>();
        let domes: Vec<(Point, Vec3)> = domes
            .iter(world)
            .filter_map(|(dome, place)| match dome.light {
                BoardLight::Point(point) => Some((point, place.translation)),
                BoardLight::Turn(_) => None,
            })
            .collect();
        assert_eq!(domes.len(), layout.points());
        // The scale is the same in both directions, as in the drawing.
        let known = layout.drawing().unwrap();
        let drawing = known.as_drawing();
        let (first, origin) = domes[0];
        let last = domes[domes.len() - 1];
        let drawn = |point| {
            let Place { x, y } = drawing.place(point);
            Vec2::new(x.into(), y.into())
        };
        let scale = (last.1 - origin).xz().length() / (drawn(last.0) - drawn(first)).length();
        for (point, dome) in domes {
            let expected = (drawn(point) - drawn(first)) * scale;
            assert!(((dome - origin).xz() - expected).length() < 1e-3);
            press(&mut app, PointerId::Mouse, over(dome));
            lift(&mut app, PointerId::Mouse);
            app.update();
            app.update();
            let touch = [Input::Touch(point), Input::Release(point)];
            assert_eq!(puppet.inputs(), touch);
        }
    }
}

#[test]
fn a_finger_slides_over_a_hexagon_from_row_to_row() {
    let (mut app, puppet, layout) = drawn_app(HEXAGON);
    let [d4, e5] = ["d4", "e5"].map(|name| layout.point(name).unwrap());
    let [from, to] = [d4, e5].map(|point| place(&app, point));
    press(&mut app, PointerId::Mouse, from);
    for step in 0..=10_u8 {
        let at = from.lerp(to, f32::from(step) / 10.0);
        slide(&mut app, PointerId::Mouse, at);
    }
    app.update();
    app.update();
    let slid = [Input::Touch(d4), Input::Release(d4), Input::Touch(e5)];
    assert_eq!(puppet.inputs(), slid);
}

#[test]
fn arrows_and_names_move_the_cursor_on_a_hexagon() {
    let (mut app, puppet, layout) = drawn_app(HEXAGON);
    let at = |app: &App| {
        let at = app.world().resource::<Cursor>().0.unwrap();
        layout.name(at).to_string()
    };
    let digit = |name: &str| (KeyCode::Digit1, letter(name));
    for (keys, name) in [
        ((KeyCode::ArrowUp, Key::ArrowUp), "e5"),
        ((KeyCode::ArrowUp, Key::ArrowUp), "e6"),
        ((KeyCode::ArrowUp, Key::ArrowUp), "f7"),
        ((KeyCode::ArrowRight, Key::ArrowRight), "g7"),
        ((KeyCode::ArrowDown, Key::ArrowDown), "f6"),
        ((KeyCode::ArrowLeft, Key::ArrowLeft), "e6"),
        (digit("9"), "e9"),
    ] {
        strike(&mut app, &[keys]);
        assert_eq!(at(&app), name);
    }
    let shift = (KeyCode::ShiftLeft, Key::Shift);
    key(&mut app, shift.0, shift.1.clone(), ButtonState::Pressed);
    strike(&mut app, &[(KeyCode::KeyI, letter("I"))]);
    assert_eq!(at(&app), "i9", "the upper row ends there");
    key(&mut app, shift.0, shift.1, ButtonState::Released);
    strike(&mut app, &[digit("5"), SPACE]);
    let i5 = layout.point("i5").unwrap();
    assert_eq!(puppet.inputs(), [Input::Touch(i5), Input::Release(i5)]);
}
