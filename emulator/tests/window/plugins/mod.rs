//! The window's plugins, tested without a window and a renderer: fingers reach the
//! board, and the board's lights are shown.

mod drawn;
mod keyboard;
mod lights;
mod mouse;
mod pointers;

use std::sync::{Arc, Mutex};
use std::time::Duration;

use crate::windowless::app;
use bevy::camera::NormalizedRenderTarget;
use bevy::input::ButtonState;
use bevy::input::keyboard::{Key, KeyboardInput};
use bevy::picking::pointer::{Location, PointerAction, PointerButton, PointerId, PointerInput};
use bevy::prelude::*;
use emulator::scene::buttons::PushButton;
use emulator::scene::camera::SceneCamera;
use emulator::scene::case::FIELD_Y;
use emulator::scene::domes::{BoardLight, LitDome};
use emulator::scene::plan::PointPlan;
use emulator::source::{Shown, Source, SourceError, WindowCommand};
use firmware_core::EventSink;
use protocol::{Button, Colour, Deed, Frame, Input, Layout, Point, Tick};
use touchboard_host::Driver;
use touchboard_host::session::Session;

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

    fn obey(&mut self, command: &WindowCommand) -> Result<(), SourceError> {
        self.commands.lock().unwrap().push(command.clone());
        Ok(())
    }

    fn time_of(&self, tick: Tick) -> Tick {
        tick
    }

    fn session(&self) -> Result<Session, SourceError> {
        Err(SourceError::NothingKnown)
    }

    fn update(
        &mut self,
        _elapsed: Duration,
        shown: &mut Shown,
        _tell: EventSink<'_>,
    ) -> Result<Tick, SourceError> {
        shown.frame = self.frame.lock().unwrap().clone();
        shown.layout = self.layout.lock().unwrap().unwrap_or(Layout::MALDOO);
        Ok(0)
    }
}

impl Puppet {
    /// The inputs since the last call.
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

/// The position in the picture of this place of the scene.
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

/// The place above `at` where a finger touches the dome.
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

/// The middle of a button's cap.
fn button(app: &mut App, of: Button) -> Vec3 {
    let world = app.world_mut();
    let mut buttons = world.query::<(&PushButton, &GlobalTransform)>();
    let mut buttons = buttons.iter(world);
    let (_, place) = buttons.find(|(button, _)| button.0 == of).unwrap();
    place.translation()
}

fn lit(app: &mut App) -> Vec<(BoardLight, Colour)> {
    let world = app.world_mut();
    let mut domes = world.query::<&LitDome>();
    let mut lit: Vec<(BoardLight, Colour)> = domes
        .iter(world)
        .filter(|dome| dome.colour != Colour::OFF)
        .map(|dome| (dome.light, dome.colour))
        .collect();
    lit.sort_by_key(|(light, _)| match light {
        BoardLight::Point(point) => usize::from(point.0),
        BoardLight::Turn(side) => 256 + side.index(),
    });
    lit
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
