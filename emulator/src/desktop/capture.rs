//! Saves a screenshot of the window, or of an image without a window.

use std::io;
use std::path::{Path, PathBuf};

use bevy::asset::RenderAssetUsages;
use bevy::image::{Image, IntoDynamicImageError};
use bevy::prelude::*;
use bevy::render::render_resource::{Extent3d, TextureDimension, TextureFormat, TextureUsages};
use bevy::render::view::window::screenshot::{Screenshot, ScreenshotCaptured};
use touchboard_files::WritingError;

use super::start_error::BAD_INPUT;
use crate::scene::camera::PictureTarget;
use crate::source::{BoardLink, Shown};

/// Pictures to skip, so that layout, textures and camera have settled.
const SETTLE: u32 = 8;

/// Pictures to wait for the screenshot before giving up.
const PATIENCE: u32 = 200;

/// Save a screenshot and exit, once the board is shown.
#[derive(Resource, Clone, Debug)]
pub struct Capture {
    /// The path of the picture's file.
    pub file: PathBuf,
}

/// Saves the screenshot that [`Capture`] describes.
pub struct CapturePlugin;

impl Plugin for CapturePlugin {
    fn build(&self, app: &mut App) {
        app.add_systems(
            Update,
            capture.run_if(resource_exists::<Capture>.and_then(board_is_there)),
        );
    }
}

fn board_is_there(shown: Res<Shown>) -> bool {
    matches!(shown.link, BoardLink::Direct | BoardLink::Up { .. })
}

fn capture(
    mut commands: Commands,
    capture: Res<Capture>,
    canvas: Option<Res<PictureTarget>>,
    mut cameras: Query<&mut Camera>,
    mut pictures: Local<u32>,
    mut exit: MessageWriter<AppExit>,
) {
    *pictures += 1;
    // Nobody sees what would be drawn while the picture is read back, and without a graphics
    // card each takes seconds.
    if *pictures > SETTLE + 1 {
        cameras
            .iter_mut()
            .for_each(|mut camera| camera.is_active = false);
    }
    if *pictures == SETTLE {
        let screenshot = match canvas.as_ref().and_then(|canvas| canvas.0.clone()) {
            Some(image) => Screenshot::image(image),
            None => Screenshot::primary_window(),
        };
        let file = capture.file.clone();
        commands.spawn(screenshot).observe(
            move |captured: On<ScreenshotCaptured>, mut exit: MessageWriter<AppExit>| {
                match save(&captured.image, &file) {
                    Ok(()) => exit.write(AppExit::Success),
                    Err(error) => {
                        eprintln!("emulator: {error}");
                        exit.write(AppExit::from_code(BAD_INPUT))
                    }
                };
            },
        );
    }
    if *pictures == SETTLE + PATIENCE {
        eprintln!("emulator: the renderer gave no picture");
        exit.write(AppExit::from_code(BAD_INPUT));
    }
}

/// Why a screenshot is not saved.
#[derive(Debug, thiserror::Error)]
enum CaptureError {
    #[error("the picture cannot be read back: {0}")]
    Unreadable(#[from] IntoDynamicImageError),
    #[error(transparent)]
    Writing(#[from] WritingError),
}

fn save(image: &Image, file: &Path) -> Result<(), CaptureError> {
    // The alpha channel means nothing in a window, so it is removed.
    let picture = image.clone().try_into_dynamic()?.to_rgb8();
    let saved = picture.save(file).map_err(io::Error::other);
    Ok(saved.map_err(WritingError::about(file))?)
}

/// An image to draw on if there is no window.
pub fn canvas(images: &mut Assets<Image>, size: UVec2) -> PictureTarget {
    let extent = Extent3d {
        width: size.x,
        height: size.y,
        depth_or_array_layers: 1,
    };
    let mut image = Image::new_fill(
        extent,
        TextureDimension::D2,
        &[0, 0, 0, 255],
        TextureFormat::Rgba8UnormSrgb,
        RenderAssetUsages::default(),
    );
    image.texture_descriptor.usage |= TextureUsages::COPY_SRC | TextureUsages::RENDER_ATTACHMENT;
    PictureTarget(Some(images.add(image)))
}
