//! How finely the scene is drawn.
//!
//! Four samples a point where a graphics card draws. Where a processor has to do
//! a card's work, edges of a large picture are smoothed in the finished picture
//! instead, which makes it in half the time; in a small picture the strokes of
//! letters are thinner than a point and would be lost, so that it has four samples
//! as well. A picture that is kept is always drawn as a card would.

use bevy::anti_alias::fxaa::Fxaa;
use bevy::prelude::*;
use bevy::render::renderer::RenderAdapterInfo;
use wgpu_types::DeviceType;

use super::camera::{EyeSet, SceneCamera, SceneRect};

/// How finely to draw.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Quality {
    /// As what draws can bear in a live window.
    #[default]
    Live,
    /// For a picture that is kept, however long it takes.
    Kept,
}

/// Points of a picture that is large: strokes of letters are as wide as a point.
const LARGE: u32 = 1_200_000;

/// Chooses when the renderer is there, and again for another size.
pub struct QualityPlugin;

impl Plugin for QualityPlugin {
    fn build(&self, app: &mut App) {
        app.init_resource::<Quality>()
            .init_resource::<SceneRect>()
            .add_systems(Startup, spare_a_processor.after(EyeSet))
            .add_systems(
                Update,
                spare_a_processor.run_if(resource_changed::<SceneRect>),
            );
    }
}

fn spare_a_processor(
    mut commands: Commands,
    quality: Res<Quality>,
    adapter: Option<Res<RenderAdapterInfo>>,
    rect: Res<SceneRect>,
    eyes: Query<(Entity, &Msaa), With<SceneCamera>>,
) {
    let is_processor = adapter.is_some_and(|adapter| adapter.device_type == DeviceType::Cpu);
    let points = rect.0.map_or(0, |rect| rect.size().element_product());
    let sampling = sampling(*quality, is_processor, points);
    for (eye, now) in &eyes {
        if *now == sampling {
            continue;
        }
        let mut eye = commands.entity(eye);
        eye.insert(sampling);
        match sampling {
            Msaa::Off => eye.insert(Fxaa::default()),
            _ => eye.remove::<Fxaa>(),
        };
    }
}

/// How many samples a point of a picture of so many points has.
fn sampling(quality: Quality, is_processor: bool, points: u32) -> Msaa {
    match is_processor && quality == Quality::Live && points > LARGE {
        true => Msaa::Off,
        false => Msaa::Sample4,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thin_letters_of_a_small_picture_have_samples_whatever_draws_it() {
        for (width, height) in [(800, 500), (1280, 720)] {
            assert_eq!(sampling(Quality::Live, true, width * height), Msaa::Sample4);
        }
        assert_eq!(sampling(Quality::Live, true, 2560 * 1440), Msaa::Off);
        assert_eq!(sampling(Quality::Kept, true, 2560 * 1440), Msaa::Sample4);
        assert_eq!(sampling(Quality::Live, false, 2560 * 1440), Msaa::Sample4);
    }
}
