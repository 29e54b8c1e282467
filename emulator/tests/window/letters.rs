//! The letters of the panels are complete in the picture that needs them: a new letter
//! changes a texture, and the renderer is informed in the same picture.

use bevy::asset::AssetPlugin;
use bevy::image::ImagePlugin;
use bevy::input::InputPlugin;
use bevy::picking::PickingPlugin;
use bevy::prelude::*;
use bevy::shader::Shader;
use bevy_egui::{
    EguiContexts, EguiManagedTextures, EguiPrimaryContextPass, PrimaryEguiContext, egui,
};
use emulator::scene::camera::{SceneRect, Viewpoint};
use emulator::source::SourcePlugin;
use emulator::switches::WindowSwitches;
use emulator::workbench::WorkbenchPlugin;

/// The next character to write, and its size.
#[derive(Resource)]
struct Written(char, f32);

/// The number of times letters were drawn into a texture, and the renderer was informed
/// of that.
#[derive(Resource, Default, Debug, PartialEq)]
struct DrawCounts {
    drawn: u32,
    heard: u32,
}

fn write(mut contexts: EguiContexts, written: Res<Written>) -> Result {
    let context = contexts.ctx_mut()?;
    let painter = context.layer_painter(egui::LayerId::background());
    let font = egui::FontId::proportional(written.1);
    let text = written.0.to_string();
    let place = egui::pos2(50.0, 50.0);
    painter.text(
        place,
        egui::Align2::LEFT_TOP,
        text,
        font,
        egui::Color32::WHITE,
    );
    Ok(())
}

fn count_draws(
    textures: Res<EguiManagedTextures>,
    mut events: MessageReader<AssetEvent<Image>>,
    mut told: ResMut<DrawCounts>,
) {
    let is_letters = |event: &&AssetEvent<Image>| match event {
        AssetEvent::Added { id } | AssetEvent::Modified { id } => {
            textures.values().any(|texture| texture.handle.id() == *id)
        }
        _ => false,
    };
    told.drawn += u32::from(textures.is_changed());
    told.heard += u32::from(events.read().filter(is_letters).count() > 0);
}

#[test]
fn new_letters_reach_the_renderer_in_the_same_picture() {
    let mut app = App::new();
    app.add_plugins((
        MinimalPlugins,
        AssetPlugin::default(),
        ImagePlugin::default(),
        InputPlugin,
        WindowPlugin {
            primary_window: None,
            ..default()
        },
        PickingPlugin,
    ))
    .init_asset::<Shader>()
    .insert_resource(WindowSwitches {
        sound: false,
        ..default()
    })
    .init_resource::<Viewpoint>()
    .init_resource::<SceneRect>()
    .init_resource::<DrawCounts>()
    .insert_resource(Written('1', 14.0))
    .add_plugins((SourcePlugin, WorkbenchPlugin))
    .add_systems(EguiPrimaryContextPass, write)
    .add_systems(Last, count_draws);
    app.world_mut().spawn(PrimaryEguiContext);
    for (picture, (letter, size)) in [('1', 14.0), ('2', 14.0), ('3', 14.0), ('4', 21.0)]
        .into_iter()
        .enumerate()
    {
        app.insert_resource(Written(letter, size));
        app.update();
        let told = app.world().resource::<DrawCounts>();
        let pictures = picture as u32 + 1;
        assert_eq!((told.drawn, told.heard), (pictures, pictures));
    }
}
