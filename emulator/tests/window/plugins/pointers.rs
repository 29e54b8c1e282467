//! What a mouse and fingers do to the board.

use bevy::time::TimeUpdateStrategy;
use emulator::leaving::Leaving;
use emulator::scene::plan::DIP;
use emulator::scene::touch::{BoardPart, Covered, DisplayGlass, Pointed, TurnLight};
use emulator::source::BoardTime;
use emulator::source::core::InProcess;
use protocol::{LastMove, Mover, Side};
use touchboard_host::CoreDriver;

use super::*;

#[test]
fn a_click_on_a_point_reaches_the_board() {
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
fn start_leaves_a_game_with_moves_only_when_it_is_pressed_again() {
    let (mut app, puppet) = puppet_app();
    let status = &mut app.world_mut().resource_mut::<Shown>().status;
    (status.score, status.turn) = (Some([4, 1]), Some(Side::Red));
    status.last_move = Some(LastMove {
        side: Side::Green,
        point: Point(3),
        by: Mover::Finger,
    });
    let at = button(&mut app, Button::Start);
    let mut press_and_lift = || {
        press(&mut app, PointerId::Mouse, at);
        lift(&mut app, PointerId::Mouse);
        app.update();
        let asks = app.world().resource::<Leaving>().is_asked(now(&app));
        let half_a_second = TimeUpdateStrategy::ManualDuration(Duration::from_millis(500));
        app.insert_resource(half_a_second);
        app.update();
        (puppet.inputs(), asks)
    };
    assert_eq!(press_and_lift(), (vec![], true));
    let start = [Input::Press(Button::Start), Input::Lift(Button::Start)];
    assert_eq!(press_and_lift(), (start.to_vec(), false));
}

/// The time of the window.
fn now(app: &App) -> Duration {
    app.world().resource::<Time<Real>>().elapsed()
}

#[test]
fn a_stray_touch_before_the_first_game_keeps_the_card() {
    let driver = CoreDriver::new(Layout::MALDOO, 1).unwrap();
    let mut app = app(InProcess::new(driver).unwrap().unhurried());
    let at = place(&app, Point(40));
    for picture in 0..40 {
        match picture {
            3 => press(&mut app, PointerId::Mouse, at),
            9 => lift(&mut app, PointerId::Mouse),
            _ => {}
        }
        app.update();
        let latest = app.world().resource::<Shown>().past.latest;
        assert!(latest <= app.world().resource::<BoardTime>().0, "{picture}");
    }
}

#[test]
fn presses_within_one_picture_count_where_they_were_made() {
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
fn a_press_within_one_picture_dips_the_dome() {
    let (mut app, _puppet) = puppet_app();
    let at = place(&app, Point(40));
    let height = |app: &mut App| {
        let world = app.world_mut();
        let mut domes = world.query::<(&LitDome, &Transform)>();
        let mut domes = domes.iter(world);
        let of = |dome: &LitDome| dome.light == BoardLight::Point(Point(40));
        domes.find(|(dome, _)| of(dome)).unwrap().1.translation.y
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
fn a_press_on_a_covering_panel_does_not_reach_the_board() {
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
fn the_part_under_the_mouse_is_detected() {
    let (mut app, _puppet) = puppet_app();
    let mut display = app
        .world_mut()
        .query_filtered::<&GlobalTransform, With<DisplayGlass>>();
    let display = display.single(app.world()).unwrap().translation();
    let start = button(&mut app, Button::Start);
    let point = place(&app, Point(40));
    let beside = Vec3::new(9.0, 0.0, 0.0);
    let mut lamps = app.world_mut().query::<(&TurnLight, &GlobalTransform)>();
    let lamps: Vec<_> = lamps
        .iter(app.world())
        .map(|(lamp, place)| (place.translation(), Some(BoardPart::TurnLight(lamp.0))))
        .collect();
    assert_eq!(lamps.len(), 2);
    for (at, part) in lamps.into_iter().chain([
        (display, Some(BoardPart::Display)),
        (start, Some(BoardPart::Button(Button::Start))),
        (point, Some(BoardPart::Field(Some(Point(40))))),
        (beside, None),
    ]) {
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
        let mut domes = world.query::<(&LitDome, &Transform)>();
        let (_, transform) = domes
            .iter(world)
            .find(|(dome, _)| dome.light == BoardLight::Point(Point(40)))
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

#[test]
fn a_touch_shows_as_soon_as_it_is_debounced() {
    let driver = CoreDriver::new(Layout::MALDOO, 1).unwrap();
    let mut app = app(InProcess::new(driver).unwrap().unhurried());
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
