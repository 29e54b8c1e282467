//! The lights of the board, its display and its layout.

use emulator::scene::display::Segment;
use emulator::scene::paint::Paint;
use emulator::scene::segments;
use emulator::theme::{ChosenPalette, Palette};
use protocol::{Side, Text};

use super::*;

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
            (BoardLight::Point(Point(0)), Colour::GREEN),
            (BoardLight::Point(Point(44)), Colour::AMBER),
            (BoardLight::Point(Point(80)), Colour::RED),
            (BoardLight::Turn(Side::Red), Colour::RED),
        ]
    );
    let paint = app.world().resource::<Paint>().clone();
    let world = app.world_mut();
    let mut domes = world.query::<(&LitDome, &MeshMaterial3d<StandardMaterial>)>();
    for (dome, material) in domes.iter(world) {
        assert_eq!(material.0, paint.dome[usize::from(dome.colour.index())]);
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
fn the_colour_blind_palette_shows_red_lights_as_rings() {
    let (mut app, _) = puppet_app();
    for (palette, rings) in [
        (Palette::Board, &[][..]),
        (Palette::BlueOrange, &[Colour::RED]),
        (Palette::Board, &[]),
    ] {
        app.insert_resource(ChosenPalette(palette));
        app.update();
        for colour in [Colour::GREEN, Colour::RED, Colour::AMBER] {
            let is_one = rings.contains(&colour);
            assert_eq!(is_ring(&app, colour), is_one, "{palette:?}, {colour:?}");
        }
    }
}

#[test]
fn an_unchanged_light_is_not_updated() {
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
    let mut domes = world.query::<(&LitDome, Ref<MeshMaterial3d<StandardMaterial>>)>();
    let now = world.change_tick();
    let changed: Vec<BoardLight> = domes
        .iter(world)
        .filter(|(_, material)| material.last_changed().is_newer_than(tick, now))
        .map(|(dome, _)| dome.light)
        .collect();
    assert_eq!(changed, [BoardLight::Point(Point(9))]);
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
fn another_layout_replaces_the_points_but_not_the_case() {
    let (mut app, puppet) = puppet_app();
    for (columns, rows) in [(16, 16), (12, 8), (1, 1)] {
        let layout = Layout::grid(columns, rows).unwrap();
        *puppet.layout.lock().unwrap() = Some(layout);
        app.update();
        app.update();
        let world = app.world_mut();
        let points = world
            .query::<&LitDome>()
            .iter(world)
            .filter(|dome| matches!(dome.light, BoardLight::Point(_)))
            .count();
        assert_eq!(points, layout.points());
    }
}
