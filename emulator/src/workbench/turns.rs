//! Handles clicks on the panels one after the other.
//!
//! The toolkit asks once per picture what is under the pointer, and assumes the same for
//! all events since the previous picture. In a slow picture a press, its release and the
//! way to the next button would all count at the pointer's last place. So each press and
//! each release has a turn: the panels are laid out for it with the pointer where it was.
//!
//! Invariants: no event of the pointer is lost or changes its order; a turn that writes a
//! command to the board is the last one of its picture, so that later turns see the
//! command's effect.

use std::collections::VecDeque;

use bevy::prelude::*;
use bevy_egui::egui::{self, Event, TexturesDelta};
use bevy_egui::{
    EguiContext, EguiFullOutput, EguiInput, EguiPostUpdateSet, EguiPrimaryContextPass,
    PrimaryEguiContext,
};

use crate::source::WindowCommand;

/// The maximum number of turns in one picture; nobody clicks that often in a second.
const MOST_TURNS: usize = 16;

/// Gives each press of the pointer a turn of its own.
pub struct TurnsPlugin;

impl Plugin for TurnsPlugin {
    fn build(&self, app: &mut App) {
        app.init_resource::<Waiting>()
            .add_message::<WindowCommand>()
            .add_systems(PostUpdate, take_turns.before(EguiPostUpdateSet::EndPass))
            .add_systems(
                PostUpdate,
                keep_textures
                    .after(EguiPostUpdateSet::EndPass)
                    .before(EguiPostUpdateSet::ProcessOutput),
            );
    }
}

/// The turns and textures that wait for a picture.
#[derive(Resource, Default)]
struct Waiting {
    /// Turns for which this picture had no time.
    turns: VecDeque<Vec<Event>>,
    /// The changes of the glyph texture in the turns of this picture.
    textures: TexturesDelta,
}

/// Splits events into turns: each ends with an event of a pointer's button.
fn turns(events: Vec<Event>) -> VecDeque<Vec<Event>> {
    let mut turns = VecDeque::new();
    let mut turn = Vec::new();
    for event in events {
        let ends = matches!(event, Event::PointerButton { .. });
        turn.push(event);
        if ends {
            turns.push_back(std::mem::take(&mut turn));
        }
    }
    if !turn.is_empty() {
        turns.push_back(turn);
    }
    turns
}

/// Lays the panels out for each turn but the last, which is the picture's own.
fn take_turns(world: &mut World) {
    let mut contexts =
        world.query_filtered::<(&mut EguiContext, &mut EguiInput), With<PrimaryEguiContext>>();
    let Ok((mut context, mut input)) = contexts.single_mut(world) else {
        return;
    };
    let context = context.get_mut().clone();
    let events = std::mem::take(&mut input.events);
    let raw = egui::RawInput {
        hovered_files: Vec::new(),
        dropped_files: Vec::new(),
        ..input.0.clone()
    };
    let mut left = std::mem::take(&mut world.resource_mut::<Waiting>().turns);
    left.extend(turns(events));
    let mut is_asked = false;
    for _ in 1..MOST_TURNS {
        if left.len() < 2 || is_asked {
            break;
        }
        let turn = egui::RawInput {
            events: left.pop_front().unwrap_or_default(),
            ..raw.clone()
        };
        let before = world.resource::<Messages<WindowCommand>>().len();
        let output = context.run_ui(turn, |_| {
            // Without this schedule, there is nothing to lay out.
            let _ = world.try_run_schedule(EguiPrimaryContextPass);
        });
        is_asked = world.resource::<Messages<WindowCommand>>().len() > before;
        let textures = &mut world.resource_mut::<Waiting>().textures;
        textures.append(output.textures_delta);
    }
    let last = match is_asked {
        true => Vec::new(),
        false => left.pop_front().unwrap_or_default(),
    };
    world.resource_mut::<Waiting>().turns = left;
    if let Ok((_, mut input)) = contexts.single_mut(world) {
        input.events = last;
    }
}

/// Passes the texture changes of all turns to the renderer with the picture.
fn keep_textures(
    mut waiting: ResMut<Waiting>,
    mut outputs: Query<&mut EguiFullOutput, With<PrimaryEguiContext>>,
) {
    if waiting.textures.is_empty() {
        return;
    }
    for mut output in &mut outputs {
        if let Some(output) = &mut output.0 {
            let mut textures = std::mem::take(&mut waiting.textures);
            textures.append(std::mem::take(&mut output.textures_delta));
            output.textures_delta = textures;
        }
    }
}

#[cfg(test)]
mod tests {
    use bevy::asset::AssetPlugin;
    use bevy::camera::RenderTargetInfo;
    use bevy::input::InputPlugin;
    use bevy::window::ExitCondition;
    use bevy_egui::input::EguiInputEvent;
    use bevy_egui::{EguiContexts, EguiPlugin};

    use super::*;
    use crate::theme::WindowTone;
    use crate::workbench::style;

    /// The buttons that were clicked, in order.
    #[derive(Resource, Default)]
    struct Clicked(Vec<&'static str>);

    /// Whether a click writes a command to the board.
    #[derive(Resource)]
    struct Asks(bool);

    const LEFT: egui::Pos2 = egui::pos2(50.0, 20.0);
    const RIGHT: egui::Pos2 = egui::pos2(250.0, 20.0);

    fn two_buttons(
        mut contexts: EguiContexts,
        mut clicked: ResMut<Clicked>,
        asks: Res<Asks>,
        mut commands: MessageWriter<WindowCommand>,
    ) -> Result {
        let context = contexts.ctx_mut()?.clone();
        style::apply(&context, WindowTone::Dark);
        for (name, middle) in [("left", LEFT), ("right", RIGHT)] {
            let area = egui::Area::new(name.into()).fixed_pos(middle - egui::vec2(40.0, 15.0));
            area.show(&context, |ui| {
                let button = egui::Button::new(name).min_size(egui::vec2(80.0, 30.0));
                if ui.add(button).clicked() {
                    clicked.0.push(name);
                    if asks.0 {
                        commands.write(WindowCommand::Step(1));
                    }
                }
            });
        }
        Ok(())
    }

    /// A window of two buttons after a few pictures.
    fn window(asks: bool) -> (App, Entity) {
        let mut app = App::new();
        let no_window = WindowPlugin {
            primary_window: None,
            exit_condition: ExitCondition::DontExit,
            ..default()
        };
        app.add_plugins((MinimalPlugins, AssetPlugin::default(), InputPlugin))
            .add_plugins(no_window)
            .init_asset::<Image>()
            .init_asset::<Shader>()
            .insert_resource(Asks(asks))
            .init_resource::<Clicked>()
            .add_plugins((EguiPlugin::default(), TurnsPlugin))
            .add_systems(EguiPrimaryContextPass, two_buttons);
        let mut camera = Camera::default();
        camera.computed.target_info = Some(RenderTargetInfo {
            physical_size: UVec2::new(400, 100),
            scale_factor: 1.0,
        });
        let context = app.world_mut().spawn((PrimaryEguiContext, camera)).id();
        for _ in 0..4 {
            app.update();
        }
        (app, context)
    }

    fn moved(to: egui::Pos2) -> Event {
        Event::PointerMoved(to)
    }

    fn button(pos: egui::Pos2, pressed: bool) -> Event {
        Event::PointerButton {
            pos,
            button: egui::PointerButton::Primary,
            pressed,
            modifiers: egui::Modifiers::NONE,
        }
    }

    fn happens(app: &mut App, context: Entity, events: impl IntoIterator<Item = Event>) {
        for event in events {
            app.world_mut()
                .write_message(EguiInputEvent { context, event });
        }
        app.update();
    }

    fn clicked(app: &App) -> &[&'static str] {
        &app.world().resource::<Clicked>().0
    }

    #[test]
    fn a_click_counts_where_it_was_made_within_one_picture() {
        let (mut app, context) = window(false);
        let click = [
            moved(LEFT),
            button(LEFT, true),
            button(LEFT, false),
            moved(RIGHT),
        ];
        happens(&mut app, context, click);
        assert_eq!(clicked(&app), ["left"]);
        app.update();
        assert_eq!(clicked(&app), ["left"]);
    }

    #[test]
    fn two_clicks_in_one_picture_are_two_clicks() {
        let (mut app, context) = window(false);
        let clicks = [RIGHT, LEFT, RIGHT].into_iter();
        let clicks = clicks.flat_map(|at| [moved(at), button(at, true), button(at, false)]);
        happens(&mut app, context, clicks);
        assert_eq!(clicked(&app), ["right", "left", "right"]);
    }

    #[test]
    fn a_click_is_applied_before_the_next_one_is_handled() {
        let (mut app, context) = window(true);
        let clicks = [RIGHT, LEFT].into_iter();
        let clicks = clicks.flat_map(|at| [moved(at), button(at, true), button(at, false)]);
        happens(&mut app, context, clicks);
        assert_eq!(clicked(&app), ["right"]);
        app.update();
        assert_eq!(clicked(&app), ["right", "left"]);
    }

    #[test]
    fn a_long_press_clicks_on_release() {
        use bevy::time::TimeUpdateStrategy;
        use std::time::Duration;
        let (mut app, context) = window(false);
        happens(&mut app, context, [moved(LEFT), button(LEFT, true)]);
        let held = TimeUpdateStrategy::ManualDuration(Duration::from_millis(900));
        app.insert_resource(held);
        for _ in 0..3 {
            app.update();
        }
        assert_eq!(clicked(&app), [""; 0]);
        happens(&mut app, context, [button(LEFT, false)]);
        assert_eq!(clicked(&app), ["left"]);
    }

    #[test]
    fn splitting_events_into_turns_loses_none() {
        let events = vec![
            moved(LEFT),
            button(LEFT, true),
            moved(RIGHT),
            button(RIGHT, false),
            Event::Text("a".to_owned()),
        ];
        let turns = turns(events.clone());
        assert_eq!(turns.len(), 3);
        assert_eq!(Vec::from(turns).concat(), events);
    }
}
