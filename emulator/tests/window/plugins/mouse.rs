//! What the mouse does where it presses nothing: wheel, cursor, and what a touch would do.

use bevy::input::InputPlugin;
use bevy::input::mouse::{MouseScrollUnit, MouseWheel};
use bevy::input::touch::TouchPhase;
use bevy_panorbit_camera::{ActiveCameraData, PanOrbitCamera};
use emulator::keys::KeysPlugin;
use emulator::scene::camera::{EyePlugin, Mouse, SceneRect};
use emulator::scene::ghosts::PieceGhost;
use emulator::scene::hover::Hover;
use emulator::scene::keyboard::Cursor;
use emulator::scene::marks::{MarkMeaning, PointMark};
use emulator::source::Happened;
use emulator::source::core::InProcess;
use emulator::switches::WindowSwitches;
use protocol::{Event, Settings, StampedEvent};
use touchboard_host::CoreDriver;
use touchboard_host::written::{self, library};

use super::*;

/// An app with a camera but without a window, whose mouse wheel acts on the
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
fn the_wheel_zooms_only_if_the_mouse_is_over_the_board() {
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
fn opening_and_closing_a_panel_restores_the_camera() {
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
fn the_mouse_hides_the_cursor_and_an_arrow_restores_it() {
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
    strike(&mut app, std::slice::from_ref(&up));
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

/// The points of these marks.
fn marks(app: &mut App, says: MarkMeaning) -> Vec<String> {
    let world = app.world_mut();
    let mut marks = world.query::<&PointMark>();
    let marks = marks.iter(world).filter(|mark| mark.meaning == says);
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
fn a_preview_shows_the_piece_unless_one_is_there() {
    let text = library::text("chess").unwrap();
    let layout = written::of_text("chess", text, &[]).unwrap().layout;
    let mut board = CoreDriver::new(*layout, 3).unwrap();
    let mut tap = |inputs: &[Input]| board.step(inputs, 300).unwrap();
    tap(&[Input::Press(Button::Start), Input::Lift(Button::Start)]);
    for name in ["e2", "e4", "d7", "d5", "e4"] {
        let point = layout.point(name).unwrap();
        tap(&[Input::Touch(point), Input::Release(point)]);
    }
    let mut app = app(InProcess::new(board).unwrap().unhurried());
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
fn a_resting_mouse_previews_a_touch_without_making_it() {
    let mut board = CoreDriver::new(Layout::MALDOO, 3).unwrap();
    let start = [Input::Press(Button::Start), Input::Lift(Button::Start)];
    board.step(&start, 500).unwrap();
    let mut app = app(InProcess::new(board).unwrap().unhurried());
    let at = |app: &App| app.world().resource::<Hover>().0.clone();
    rest_on(&mut app, "d7");
    // The stone itself is shown; a disc stands for it where pieces are not wanted.
    assert_eq!(ghosts(&mut app), ["d7"]);
    assert_eq!(marks(&mut app, MarkMeaning::WouldPlace), [""; 0]);
    assert_eq!(marks(&mut app, MarkMeaning::WouldTurn), ["d6"]);
    app.world_mut().resource_mut::<WindowSwitches>().pieces = false;
    app.update();
    assert_eq!(ghosts(&mut app), [""; 0]);
    assert_eq!(marks(&mut app, MarkMeaning::WouldPlace), ["d7"]);
    app.world_mut().resource_mut::<WindowSwitches>().pieces = true;
    app.update();
    assert_eq!(at(&app).unwrap().why_not, None);
    assert!(app.world().resource::<Shown>().status.last_move.is_none());

    rest_on(&mut app, "a1");
    assert_eq!(ghosts(&mut app), [""; 0]);
    let why = at(&app).unwrap().why_not;
    assert_eq!(why.as_deref(), Some("a light on a1 would turn nothing"));

    app.world_mut().resource_mut::<WindowSwitches>().preview = false;
    rest_on(&mut app, "d7");
    assert_eq!(ghosts(&mut app), [""; 0]);
    assert_eq!(at(&app).unwrap().meaning, "dark");
}
