//! The emulator's plugins, tested without a window and a renderer: fingers reach the
//! board, and the board's lights are shown.

mod windowless;

use std::sync::{Arc, Mutex};
use std::time::Duration;

use bevy::camera::NormalizedRenderTarget;
use bevy::input::ButtonState;
use bevy::input::InputPlugin;
use bevy::input::keyboard::{Key, KeyboardInput};
use bevy::input::mouse::{MouseScrollUnit, MouseWheel};
use bevy::input::touch::TouchPhase;
use bevy::picking::pointer::{Location, PointerAction, PointerButton, PointerId, PointerInput};
use bevy::prelude::*;
use bevy::time::TimeUpdateStrategy;
use bevy_panorbit_camera::{ActiveCameraData, PanOrbitCamera};
use emulator::keys::{Keyboard, KeysPlugin};
use emulator::scene::buttons::PushButton;
use emulator::scene::camera::{EyePlugin, Mouse, SceneCamera, SceneRect};
use emulator::scene::case::FIELD_Y;
use emulator::scene::display::Segment;
use emulator::scene::domes::{Lamp, Led};
use emulator::scene::ghosts::PieceGhost;
use emulator::scene::hover::{Hover, ShowHover};
use emulator::scene::keyboard::Cursor;
use emulator::scene::marks::{Mark, Says};
use emulator::scene::paint::Paint;
use emulator::scene::pieces::ShowPieces;
use emulator::scene::plan::{DIP, PointPlan};
use emulator::scene::segments;
use emulator::scene::touch::{BoardPart, Covered, DisplayGlass, Pointed};
use emulator::source::core::InProcess;
use emulator::source::{Happened, Shown, Source, WindowCommand};
use emulator::theme::{Chosen, Palette};
use protocol::{
    Button, Colour, Deed, Event, Frame, Input, KnownLayout, Layout, Place, Point, Settings, Side,
    Sketch, StampedEvent, Text, Tick,
};
use touchboard_host::session::Session;
use touchboard_host::written::{self, library};
use touchboard_host::{CoreDriver, Driver};
use windowless::app;

/// A board that shows what the test sets, and records its calls.
#[derive(Clone, Default)]
struct Puppet {
    frame: Arc<Mutex<Frame>>,
    layout: Arc<Mutex<Option<Layout>>>,
    commands: Arc<Mutex<Vec<WindowCommand>>>,
}

impl Source for Puppet {
    fn name(&self) -> String {
        "puppet".to_owned()
    }

    fn obey(&mut self, command: &WindowCommand) -> Result<(), String> {
        self.commands.lock().unwrap().push(command.clone());
        Ok(())
    }

    fn session(&self) -> Result<Session, String> {
        Err("a puppet has no past".to_owned())
    }

    fn update(
        &mut self,
        _elapsed: Duration,
        shown: &mut Shown,
        _tell: &mut dyn FnMut(Tick, Event),
    ) -> Result<Tick, String> {
        shown.frame = self.frame.lock().unwrap().clone();
        shown.layout = self.layout.lock().unwrap().unwrap_or(Layout::MALDOO);
        Ok(0)
    }
}

impl Puppet {
    /// Returns the inputs since the last call.
    fn inputs(&self) -> Vec<Input> {
        let commands = std::mem::take(&mut *self.commands.lock().unwrap());
        let input = |command| match command {
            WindowCommand::Do(Deed::Input(input)) => Some(input),
            _ => None,
        };
        commands.into_iter().filter_map(input).collect()
    }
}

fn puppet_app() -> (App, Puppet) {
    let puppet = Puppet::default();
    let app = app(puppet.clone());
    puppet.inputs();
    (app, puppet)
}

/// Returns the position in the picture of this place of the scene.
fn location(app: &mut App, at: Vec3) -> Location {
    let world = app.world_mut();
    let mut eyes = world.query_filtered::<(&Camera, &GlobalTransform), With<SceneCamera>>();
    let (camera, place) = eyes.single(world).unwrap();
    Location {
        target: NormalizedRenderTarget::None {
            width: 1280,
            height: 720,
        },
        position: camera.world_to_viewport(place, at).unwrap(),
    }
}

/// Returns the place above `at` where a finger touches the dome.
fn over(at: Vec3) -> Vec3 {
    at.with_y(FIELD_Y + 0.06)
}

fn act(app: &mut App, id: PointerId, at: Vec3, action: PointerAction) {
    let location = location(app, at);
    let input = PointerInput::new(id, location, action);
    app.world_mut().write_message(input);
}

fn place(app: &App, point: Point) -> Vec3 {
    over(app.world().resource::<PointPlan>().place(point))
}

/// Puts a pointer down at this place of the scene.
fn press(app: &mut App, id: PointerId, at: Vec3) {
    act(app, id, at, PointerAction::Press(PointerButton::Primary));
}

/// Moves the pointer to this place of the scene.
fn slide(app: &mut App, id: PointerId, at: Vec3) {
    let delta = Vec2::ONE;
    act(app, id, at, PointerAction::Move { delta });
}

/// Lifts the pointer where it is.
fn lift(app: &mut App, id: PointerId) {
    let action = PointerAction::Release(PointerButton::Primary);
    act(app, id, Vec3::ZERO, action);
}

/// Returns the middle of a button's cap.
fn button(app: &mut App, of: Button) -> Vec3 {
    let world = app.world_mut();
    let mut buttons = world.query::<(&PushButton, &GlobalTransform)>();
    let mut buttons = buttons.iter(world);
    let (_, place) = buttons.find(|(button, _)| button.0 == of).unwrap();
    place.translation()
}

fn lit(app: &mut App) -> Vec<(Lamp, Colour)> {
    let world = app.world_mut();
    let mut leds = world.query::<&Led>();
    let mut lit: Vec<(Lamp, Colour)> = leds
        .iter(world)
        .filter(|led| led.colour != Colour::OFF)
        .map(|led| (led.lamp, led.colour))
        .collect();
    lit.sort_by_key(|(lamp, _)| match lamp {
        Lamp::Point(point) => usize::from(point.0),
        Lamp::Turn(side) => 256 + side.index(),
    });
    lit
}

#[test]
fn a_touch_that_a_pointer_makes_reaches_the_board() {
    let (mut app, puppet) = puppet_app();
    let point = Layout::MALDOO.point("d3").unwrap();
    let at = place(&app, point);
    press(&mut app, PointerId::Mouse, at);
    app.update();
    app.update();
    assert_eq!(puppet.inputs(), [Input::Touch(point)]);
    lift(&mut app, PointerId::Mouse);
    app.update();
    app.update();
    assert_eq!(puppet.inputs(), [Input::Release(point)]);
}

#[test]
fn a_drag_slides_from_point_to_point() {
    let (mut app, puppet) = puppet_app();
    let [a, b] = ["a1", "b1"].map(|name| Layout::MALDOO.point(name).unwrap());
    let [at_a, at_b] = [place(&app, a), place(&app, b)];
    press(&mut app, PointerId::Mouse, at_a);
    for step in 0..=10_u8 {
        let at = at_a.lerp(at_b, f32::from(step) / 10.0);
        slide(&mut app, PointerId::Mouse, at);
    }
    app.update();
    app.update();
    assert_eq!(
        puppet.inputs(),
        [Input::Touch(a), Input::Release(a), Input::Touch(b)]
    );
}

#[test]
fn a_pointer_that_is_not_down_touches_nothing() {
    let (mut app, puppet) = puppet_app();
    let at = place(&app, Point(0));
    slide(&mut app, PointerId::Mouse, at);
    app.update();
    app.update();
    assert_eq!(puppet.inputs(), []);
}

#[test]
fn two_fingers_hold_two_points() {
    let (mut app, puppet) = puppet_app();
    for (id, point) in [(1, Point(0)), (2, Point(80))] {
        let at = place(&app, point);
        press(&mut app, PointerId::Touch(id), at);
    }
    app.update();
    app.update();
    assert_eq!(
        puppet.inputs(),
        [Input::Touch(Point(0)), Input::Touch(Point(80))]
    );
    lift(&mut app, PointerId::Touch(1));
    app.update();
    app.update();
    assert_eq!(puppet.inputs(), [Input::Release(Point(0))]);
}

#[test]
fn every_button_of_the_case_is_pressed_and_lifted() {
    let (mut app, puppet) = puppet_app();
    for of in Button::ALL {
        let at = button(&mut app, of);
        press(&mut app, PointerId::Mouse, at);
        app.update();
        lift(&mut app, PointerId::Mouse);
        app.update();
        app.update();
        assert_eq!(puppet.inputs(), [Input::Press(of), Input::Lift(of)]);
    }
}

#[test]
fn presses_of_one_slow_picture_count_where_the_pointer_was_when_they_were_made() {
    let (mut app, puppet) = puppet_app();
    let [a, b] = ["a1", "i9"].map(|name| Layout::MALDOO.point(name).unwrap());
    let [at_a, at_b] = [place(&app, a), place(&app, b)];
    let mode = button(&mut app, Button::Mode);
    for at in [at_a, mode, at_b] {
        slide(&mut app, PointerId::Mouse, at);
        press(&mut app, PointerId::Mouse, at);
        lift(&mut app, PointerId::Mouse);
    }
    // The pointer is next to the board now.
    slide(&mut app, PointerId::Mouse, Vec3::new(9.0, 0.0, 0.0));
    app.update();
    let wanted = [
        Input::Touch(a),
        Input::Release(a),
        Input::Press(Button::Mode),
        Input::Lift(Button::Mode),
        Input::Touch(b),
        Input::Release(b),
    ];
    assert_eq!(puppet.inputs(), wanted);
}

#[test]
fn a_press_that_is_over_within_one_picture_is_seen_in_it() {
    let (mut app, _puppet) = puppet_app();
    let at = place(&app, Point(40));
    let height = |app: &mut App| {
        let world = app.world_mut();
        let mut leds = world.query::<(&Led, &Transform)>();
        let mut leds = leds.iter(world);
        let of = |led: &Led| led.lamp == Lamp::Point(Point(40));
        leds.find(|(led, _)| of(led)).unwrap().1.translation.y
    };
    let rest = height(&mut app);
    press(&mut app, PointerId::Mouse, at);
    lift(&mut app, PointerId::Mouse);
    app.update();
    let pitch = app.world().resource::<PointPlan>().pitch();
    assert!(
        (rest - height(&mut app) - DIP * pitch).abs() < 1e-4,
        "all the way"
    );
    let slow = TimeUpdateStrategy::ManualDuration(Duration::from_secs(1));
    app.insert_resource(slow);
    app.update();
    app.update();
    assert!((rest - height(&mut app)).abs() < 1e-3, "up again");
}

#[test]
fn a_press_on_what_lies_over_the_board_is_none_on_the_board() {
    let (mut app, puppet) = puppet_app();
    let at = place(&app, Point(40));
    let on_screen = location(&mut app, at).position;
    let cover = Rect::from_center_size(on_screen, Vec2::splat(20.0));
    app.insert_resource(Covered(vec![cover]));
    press(&mut app, PointerId::Mouse, at);
    lift(&mut app, PointerId::Mouse);
    app.update();
    assert_eq!(puppet.inputs(), []);
    app.insert_resource(Covered::default());
    press(&mut app, PointerId::Mouse, at);
    app.update();
    assert_eq!(puppet.inputs(), [Input::Touch(Point(40))]);
}

#[test]
fn what_the_mouse_points_at_is_known() {
    let (mut app, _puppet) = puppet_app();
    let mut display = app
        .world_mut()
        .query_filtered::<&GlobalTransform, With<DisplayGlass>>();
    let display = display.single(app.world()).unwrap().translation();
    let start = button(&mut app, Button::Start);
    let point = place(&app, Point(40));
    let beside = Vec3::new(9.0, 0.0, 0.0);
    for (at, part) in [
        (display, Some(BoardPart::Display)),
        (start, Some(BoardPart::Button(Button::Start))),
        (point, Some(BoardPart::Field(Some(Point(40))))),
        (beside, None),
    ] {
        slide(&mut app, PointerId::Mouse, at);
        app.update();
        let pointed = app.world().resource::<Pointed>().0;
        assert_eq!(pointed.map(|(part, _)| part), part);
    }
}

#[test]
fn a_pressed_dome_dips_and_comes_up_again() {
    let (mut app, _puppet) = puppet_app();
    let height = |app: &mut App| {
        let world = app.world_mut();
        let mut leds = world.query::<(&Led, &Transform)>();
        let (_, transform) = leds
            .iter(world)
            .find(|(led, _)| led.lamp == Lamp::Point(Point(40)))
            .unwrap();
        transform.translation.y
    };
    let settle = |app: &mut App| {
        for _ in 0..20 {
            std::thread::sleep(Duration::from_millis(10));
            app.update();
        }
    };
    let rest = height(&mut app);
    let at = place(&app, Point(40));
    press(&mut app, PointerId::Mouse, at);
    settle(&mut app);
    assert!(height(&mut app) < rest - 0.05);
    lift(&mut app, PointerId::Mouse);
    settle(&mut app);
    assert!((height(&mut app) - rest).abs() < 0.002);
}

/// Returns an app whose board has the layout of this sketch.
fn drawn_app(text: &str) -> (App, Puppet, KnownLayout) {
    let layout = text.parse::<Sketch>().unwrap().keep().unwrap();
    let (mut app, puppet) = puppet_app();
    *puppet.layout.lock().unwrap() = Some(*layout);
    app.update();
    app.update();
    puppet.inputs();
    (app, puppet, layout)
}

const HEXAGON: &str = include_str!("../../tests/drawings/hexagon.txt");
const RING: &str = include_str!("../../tests/drawings/ring.txt");

#[test]
fn each_point_of_a_drawn_board_is_where_the_drawing_says_and_is_touched_there() {
    for text in [HEXAGON, RING] {
        let (mut app, puppet, layout) = drawn_app(text);
        let world = app.world_mut();
        let mut leds = world.query::<(&Led, &Transform)>();
        let domes: Vec<(Point, Vec3)> = leds
            .iter(world)
            .filter_map(|(led, place)| match led.lamp {
                Lamp::Point(point) => Some((point, place.translation)),
                Lamp::Turn(_) => None,
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
fn arrows_and_names_lead_over_a_hexagon() {
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

/// Presses or releases a key; `typed` is the character that the keyboard reports.
fn key(app: &mut App, code: KeyCode, typed: Key, state: ButtonState) {
    app.world_mut().write_message(KeyboardInput {
        key_code: code,
        logical_key: typed,
        state,
        text: None,
        repeat: false,
        window: Entity::PLACEHOLDER,
    });
}

/// Presses these keys one after the other, all within one picture.
fn strike(app: &mut App, keys: &[(KeyCode, Key)]) {
    for (code, typed) in keys {
        key(app, *code, typed.clone(), ButtonState::Pressed);
        key(app, *code, typed.clone(), ButtonState::Released);
    }
    app.update();
}

fn letter(letter: &str) -> Key {
    Key::Character(letter.into())
}

const SPACE: (KeyCode, Key) = (KeyCode::Space, Key::Space);

#[test]
fn the_keyboard_moves_a_finger_holds_it_and_leaves_others_behind() {
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
fn enter_touches_what_the_cursor_is_on_and_is_start_where_none_is_shown() {
    let (mut app, puppet) = puppet_app();
    let enter = (KeyCode::Enter, Key::Enter);
    let start = [Input::Press(Button::Start), Input::Lift(Button::Start)];
    strike(&mut app, &[enter.clone()]);
    assert_eq!(puppet.inputs(), start);
    strike(&mut app, &[(KeyCode::ArrowUp, Key::ArrowUp)]);
    let middle = Layout::MALDOO.point("e5").unwrap();
    strike(&mut app, &[enter.clone()]);
    let touch = [Input::Touch(middle), Input::Release(middle)];
    assert_eq!(puppet.inputs(), touch);
    // The key comes up as what it went down as, whatever became of the cursor.
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
fn every_button_of_the_board_has_a_key_and_so_has_the_pass() {
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
fn keys_are_not_for_the_board_while_something_is_typed() {
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
fn a_frame_lights_exactly_its_points_and_turn_lights() {
    let (mut app, puppet) = puppet_app();
    assert_eq!(lit(&mut app), []);
    {
        let mut frame = puppet.frame.lock().unwrap();
        frame.points.set(Point(0), Colour::GREEN);
        frame.points.set(Point(44), Colour::AMBER);
        frame.points.set(Point(80), Colour::RED);
        frame.turn = [false, true];
    }
    app.update();
    assert_eq!(
        lit(&mut app),
        [
            (Lamp::Point(Point(0)), Colour::GREEN),
            (Lamp::Point(Point(44)), Colour::AMBER),
            (Lamp::Point(Point(80)), Colour::RED),
            (Lamp::Turn(Side::Red), Colour::RED),
        ]
    );
    let paint = app.world().resource::<Paint>().clone();
    let world = app.world_mut();
    let mut leds = world.query::<(&Led, &MeshMaterial3d<StandardMaterial>)>();
    for (led, material) in leds.iter(world) {
        assert_eq!(material.0, paint.dome[usize::from(led.colour.index())]);
    }
    *puppet.frame.lock().unwrap() = Frame::default();
    app.update();
    assert_eq!(lit(&mut app), []);
}

/// True if a light of this colour is drawn as a ring with a dark middle.
fn is_ring(app: &App, colour: Colour) -> bool {
    let world = app.world();
    let dome = &world.resource::<Paint>().dome[usize::from(colour.index())];
    let material = world.resource::<Assets<StandardMaterial>>().get(dome);
    let texture = material.unwrap().emissive_texture.as_ref().unwrap();
    let image = world.resource::<Assets<Image>>().get(texture).unwrap();
    let [middle, between] = [0.5, 0.78].map(|across| {
        let x = (across * image.width() as f32) as u32;
        image.get_color_at(x, image.height() / 2).unwrap()
    });
    let [middle, between] = [middle, between].map(|light| {
        let light = light.to_linear();
        light.red.max(light.green).max(light.blue)
    });
    assert!(between > 0.3, "{colour:?}: {between}");
    assert!(!(0.1..0.9).contains(&middle), "{colour:?}: {middle}");
    middle < between
}

#[test]
fn for_eyes_that_do_not_tell_the_colours_apart_a_red_light_is_a_ring() {
    let (mut app, _) = puppet_app();
    for (palette, rings) in [
        (Palette::Board, &[][..]),
        (Palette::BlueOrange, &[Colour::RED]),
        (Palette::Board, &[]),
    ] {
        app.insert_resource(Chosen(palette));
        app.update();
        for colour in [Colour::GREEN, Colour::RED, Colour::AMBER] {
            let is_one = rings.contains(&colour);
            assert_eq!(is_ring(&app, colour), is_one, "{palette:?}, {colour:?}");
        }
    }
}

#[test]
fn a_light_that_did_not_change_is_not_touched() {
    let (mut app, puppet) = puppet_app();
    puppet
        .frame
        .lock()
        .unwrap()
        .points
        .set(Point(3), Colour::RED);
    app.update();
    let world = app.world_mut();
    let tick = world.change_tick();
    world.increment_change_tick();
    puppet
        .frame
        .lock()
        .unwrap()
        .points
        .set(Point(9), Colour::GREEN);
    app.update();
    let world = app.world_mut();
    let mut leds = world.query::<(&Led, Ref<MeshMaterial3d<StandardMaterial>>)>();
    let now = world.change_tick();
    let changed: Vec<Lamp> = leds
        .iter(world)
        .filter(|(_, material)| material.last_changed().is_newer_than(tick, now))
        .map(|(led, _)| led.lamp)
        .collect();
    assert_eq!(changed, [Lamp::Point(Point(9))]);
}

#[test]
fn the_display_shows_the_text_of_the_frame() {
    let (mut app, puppet) = puppet_app();
    puppet.frame.lock().unwrap().display = Text::clipped("Reversi 64-0");
    app.update();
    let world = app.world_mut();
    let mut shown = [0_u16; 12];
    for segment in world.query::<&Segment>().iter(world) {
        shown[segment.character] |= u16::from(segment.lit) << segment.segment;
    }
    let wanted: Vec<u16> = "Reversi 64-0".chars().map(segments::lit).collect();
    assert_eq!(shown.as_slice(), wanted);
}

#[test]
fn another_layout_has_other_points_on_the_same_case() {
    let (mut app, puppet) = puppet_app();
    for (columns, rows) in [(16, 16), (12, 8), (1, 1)] {
        let layout = Layout::grid(columns, rows).unwrap();
        *puppet.layout.lock().unwrap() = Some(layout);
        app.update();
        app.update();
        let world = app.world_mut();
        let points = world
            .query::<&Led>()
            .iter(world)
            .filter(|led| matches!(led.lamp, Lamp::Point(_)))
            .count();
        assert_eq!(points, layout.points());
    }
}

#[test]
fn a_touch_shows_on_the_real_core_as_soon_as_the_board_is_sure_of_it() {
    let driver = CoreDriver::new(Layout::MALDOO, 1).unwrap();
    let mut app = app(InProcess::new(driver).unwrap());
    let start = button(&mut app, Button::Start);
    press(&mut app, PointerId::Mouse, start);
    // Longer than the debouncing of a touch.
    let picture = TimeUpdateStrategy::ManualDuration(Duration::from_millis(16));
    app.insert_resource(picture);
    app.update();
    lift(&mut app, PointerId::Mouse);
    app.update();
    assert_eq!(lit(&mut app).len(), 5, "four stones and green's turn light");
}

/// Returns an app with a camera but without a window, whose mouse wheel acts on the
/// board.
fn eye_app() -> (App, Entity) {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, AssetPlugin::default()))
        .add_plugins((TransformPlugin, InputPlugin))
        .init_asset::<Image>()
        .insert_resource(PointPlan::new(Layout::MALDOO))
        .add_plugins((KeysPlugin, EyePlugin));
    app.update();
    let world = app.world_mut();
    let mut eyes = world.query_filtered::<Entity, With<SceneCamera>>();
    let eye = eyes.single(world).unwrap();
    app.insert_resource(ActiveCameraData {
        entity: Some(eye),
        viewport_size: Some(Vec2::new(800.0, 600.0)),
        window_size: Some(Vec2::new(800.0, 600.0)),
        manual: true,
    });
    (app, eye)
}

fn distance(app: &App, eye: Entity) -> f32 {
    let orbit = app.world().entity(eye).get::<PanOrbitCamera>().unwrap();
    orbit.target_radius
}

fn turn_wheel(app: &mut App) {
    app.world_mut().write_message(MouseWheel {
        unit: MouseScrollUnit::Line,
        x: 0.0,
        y: 1.0,
        window: Entity::PLACEHOLDER,
        phase: TouchPhase::Moved,
    });
    app.update();
}

#[test]
fn the_wheel_brings_the_board_nearer_only_where_the_board_has_the_mouse() {
    let (mut app, eye) = eye_app();
    let before = distance(&app, eye);
    app.insert_resource(Mouse::Workbench);
    turn_wheel(&mut app);
    assert_eq!(distance(&app, eye), before);
    app.insert_resource(Mouse::Board);
    turn_wheel(&mut app);
    assert!(distance(&app, eye) < before);
}

#[test]
fn a_panel_that_opens_and_closes_leaves_the_eye_where_it_was() {
    let (mut app, eye) = eye_app();
    let room = |app: &mut App, width, height| {
        let max = UVec2::new(width, height);
        app.insert_resource(SceneRect(Some(URect {
            min: UVec2::ZERO,
            max,
        })));
        app.update();
        distance(app, eye)
    };
    let wide = room(&mut app, 540, 470);
    let narrow = room(&mut app, 90, 470);
    assert!(narrow > 4.0 * wide);
    assert!((room(&mut app, 540, 470) - wide).abs() < 0.01);
    turn_wheel(&mut app);
    let nearer = distance(&app, eye);
    assert!(nearer < wide);
    room(&mut app, 90, 470);
    assert!((room(&mut app, 540, 470) - nearer).abs() < 0.01);
}

#[test]
fn the_cursor_goes_with_the_mouse_and_comes_back_where_it_was_with_the_first_arrow() {
    let (mut app, _puppet) = puppet_app();
    let at = |app: &App| {
        let at = app.world().resource::<Cursor>().0;
        at.map(|point| Layout::MALDOO.name(point).to_string())
    };
    let up = (KeyCode::ArrowUp, Key::ArrowUp);
    strike(&mut app, &[up.clone(), up.clone()]);
    assert_eq!(at(&app).as_deref(), Some("e6"));
    let d4 = place(&app, Layout::MALDOO.point("d4").unwrap());
    slide(&mut app, PointerId::Mouse, d4);
    app.update();
    assert_eq!(at(&app), None);
    strike(&mut app, &[up.clone()]);
    assert_eq!(at(&app).as_deref(), Some("e6"));
    let settings = Settings::default();
    app.world_mut().write_message(Happened(StampedEvent {
        number: 0,
        tick: 0,
        event: Event::Started(settings),
    }));
    app.update();
    app.update();
    assert_eq!(at(&app), None, "a new game begins");
    strike(&mut app, &[up]);
    assert_eq!(at(&app).as_deref(), Some("e5"), "in the middle again");
}

/// Returns the points of these marks.
fn marks(app: &mut App, says: Says) -> Vec<String> {
    let world = app.world_mut();
    let mut marks = world.query::<&Mark>();
    let marks = marks.iter(world).filter(|mark| mark.says == says);
    let mut points: Vec<Point> = marks.map(|mark| mark.point).collect();
    points.sort_unstable();
    let name = |point: Point| Layout::MALDOO.name(point).to_string();
    points.into_iter().map(name).collect()
}

/// Moves the mouse to this point, and lets it rest there.
fn rest_on(app: &mut App, name: &str) {
    let point = Layout::MALDOO.point(name).unwrap();
    let at = place(app, point);
    slide(app, PointerId::Mouse, at);
    for _ in 0..10 {
        app.update();
    }
}

/// The points on which a ghost is.
fn ghosts(app: &mut App) -> Vec<String> {
    let world = app.world_mut();
    let layout = world.resource::<Shown>().layout;
    let mut ghosts = world.query::<&PieceGhost>();
    let names = ghosts.iter(world).map(|ghost| layout.name(ghost.point));
    names.map(|name| name.to_string()).collect()
}

#[test]
fn where_a_man_would_go_it_is_seen_through_and_where_one_stands_none_is() {
    let text = library::text("chess").unwrap();
    let layout = written::of_text("chess", text, &[]).unwrap().layout;
    let mut board = CoreDriver::new(*layout, 3).unwrap();
    let mut tap = |inputs: &[Input]| board.step(inputs, 300).unwrap();
    tap(&[Input::Press(Button::Start), Input::Lift(Button::Start)]);
    for name in ["e2", "e4", "d7", "d5", "e4"] {
        let point = layout.point(name).unwrap();
        tap(&[Input::Touch(point), Input::Release(point)]);
    }
    let mut app = app(InProcess::new(board).unwrap());
    let rest = |app: &mut App, name: &str| {
        let at = place(app, layout.point(name).unwrap());
        slide(app, PointerId::Mouse, at);
        (0..12).for_each(|_| app.update());
    };
    rest(&mut app, "e5");
    assert_eq!(ghosts(&mut app), ["e5"]);
    let world = app.world_mut();
    let mut seen = world.query::<(&PieceGhost, &MeshMaterial3d<StandardMaterial>)>();
    let material = seen.single(world).unwrap().1.0.clone();
    let materials = world.resource::<Assets<StandardMaterial>>();
    let alpha = materials.get(&material).unwrap().base_color.alpha();
    assert!(alpha < 0.6, "{alpha}");
    // The pawn that would be taken stands there.
    rest(&mut app, "d5");
    assert_eq!(ghosts(&mut app), [""; 0]);
    rest(&mut app, "a5");
    assert_eq!(ghosts(&mut app), [""; 0]);
}

#[test]
fn where_the_mouse_rests_one_sees_what_a_touch_would_do_and_the_board_does_not_feel_it() {
    let mut board = CoreDriver::new(Layout::MALDOO, 3).unwrap();
    let start = [Input::Press(Button::Start), Input::Lift(Button::Start)];
    board.step(&start, 500).unwrap();
    let mut app = app(InProcess::new(board).unwrap());
    let at = |app: &App| app.world().resource::<Hover>().0.clone();
    rest_on(&mut app, "d7");
    // The stone itself is shown; a disc stands for it where pieces are not wanted.
    assert_eq!(ghosts(&mut app), ["d7"]);
    assert_eq!(marks(&mut app, Says::WouldPlace), [""; 0]);
    assert_eq!(marks(&mut app, Says::WouldTurn), ["d6"]);
    app.insert_resource(ShowPieces::Off);
    app.update();
    assert_eq!(ghosts(&mut app), [""; 0]);
    assert_eq!(marks(&mut app, Says::WouldPlace), ["d7"]);
    app.insert_resource(ShowPieces::On);
    app.update();
    assert_eq!(at(&app).unwrap().why_not, None);
    assert!(app.world().resource::<Shown>().status.last_move.is_none());

    rest_on(&mut app, "a1");
    assert_eq!(ghosts(&mut app), [""; 0]);
    let why = at(&app).unwrap().why_not;
    assert_eq!(why.as_deref(), Some("a light on a1 would turn nothing"));

    app.insert_resource(ShowHover::Off);
    rest_on(&mut app, "d7");
    assert_eq!(ghosts(&mut app), [""; 0]);
    assert_eq!(at(&app).unwrap().lamp, "dark");
}
