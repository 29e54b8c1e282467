//! Saves a film of the window as an animated GIF.
//!
//! While a film is taken, each picture advances the program's time by one step, however
//! long it takes to draw. So the same session makes the same film on every machine.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use bevy::image::Image;
use bevy::prelude::*;
use bevy::render::view::window::screenshot::{Screenshot, ScreenshotCaptured};
use bevy::time::TimeUpdateStrategy;
use color_quant::NeuQuant;
use gif::{DisposalMethod, Encoder, Frame, Repeat};
use parking_lot::Mutex;
use touchboard_files::{WritingError, whole_file};

use super::start_error::BAD_INPUT;
use crate::scene::camera::PictureTarget;
use crate::source::{BoardPace, WindowCommand};

/// Pictures per second.
pub const RATE: u32 = 10;

/// Pictures to skip, so that layout, textures and camera have settled.
const SETTLE: u32 = 12;

/// Pictures to wait for the last ones before giving up.
const PATIENCE: u32 = 400;

/// How much longer the last picture stays before the film repeats, in hundredths of a
/// second.
const LAST_DELAY: u16 = 150;

/// A pixel counts as unchanged if none of its colour components has changed by more than
/// this. The glow of a light reaches far, but its edge is too weak to be seen.
const ALIKE: u8 = 5;

/// The number of colours in a GIF. One of them marks unchanged pixels.
const COLOURS: usize = 256;
const UNCHANGED: u8 = 255;

/// The sampling factor of the quantizer: 1 uses every pixel, 30 only few.
const SAMPLING: i32 = 3;

/// The most pixels of nearly the same colour that are used for choosing the palette, so
/// that a light that flashes briefly is not lost among the grey.
const SAMPLES_ALIKE: u16 = 3_000;

/// Take a film and exit.
#[derive(Resource)]
pub struct Film {
    file: PathBuf,
    pictures: u32,
    speed: f32,
    taken: Arc<Mutex<Vec<Picture>>>,
}

impl Film {
    /// A film of `seconds`, in which board time passes `speed` times as fast as the
    /// film's.
    #[must_use]
    pub fn new(file: PathBuf, seconds: f32, speed: f32) -> Film {
        Film {
            file,
            pictures: (seconds * RATE as f32).ceil().max(1.0) as u32,
            speed,
            taken: Arc::default(),
        }
    }
}

/// The pixels of one picture, as red, green and blue.
struct Picture {
    number: u32,
    width: u16,
    height: u16,
    points: Vec<[u8; 3]>,
}

/// Takes the film that [`Film`] describes.
pub struct FilmPlugin;

impl Plugin for FilmPlugin {
    fn build(&self, app: &mut App) {
        app.add_systems(Update, film.run_if(resource_exists::<Film>));
    }
}

fn film(
    mut commands: Commands,
    film: Res<Film>,
    canvas: Option<Res<PictureTarget>>,
    mut passed: Local<u32>,
    mut to_board: MessageWriter<WindowCommand>,
    mut exit: MessageWriter<AppExit>,
) {
    *passed += 1;
    if *passed == 1 {
        to_board.write(pace(true, film.speed));
    }
    if *passed == SETTLE {
        let step = Duration::from_secs(1) / RATE;
        commands.insert_resource(TimeUpdateStrategy::ManualDuration(step));
        to_board.write(pace(false, film.speed));
    }
    let number = passed.saturating_sub(SETTLE);
    if (1..=film.pictures).contains(&number) {
        take(&mut commands, &film, canvas.as_deref(), number);
    }
    if number > film.pictures {
        let mut taken = film.taken.lock();
        if taken.len() == film.pictures as usize {
            taken.sort_by_key(|picture| picture.number);
            exit.write(match save(&taken, &film.file) {
                Ok(()) => AppExit::Success,
                Err(error) => {
                    eprintln!("emulator: {error}");
                    AppExit::from_code(BAD_INPUT)
                }
            });
        } else if number > film.pictures + PATIENCE {
            eprintln!("emulator: the renderer gave no pictures for a film");
            exit.write(AppExit::from_code(BAD_INPUT));
        }
    }
}

fn pace(frozen: bool, speed: f32) -> WindowCommand {
    WindowCommand::Pace(BoardPace { frozen, speed })
}

fn take(commands: &mut Commands, film: &Film, canvas: Option<&PictureTarget>, number: u32) {
    let screenshot = match canvas.and_then(|canvas| canvas.0.clone()) {
        Some(image) => Screenshot::image(image),
        None => Screenshot::primary_window(),
    };
    let taken = film.taken.clone();
    commands
        .spawn(screenshot)
        .observe(move |captured: On<ScreenshotCaptured>| {
            if let Some(picture) = picture(number, &captured.image) {
                let mut taken = taken.lock();
                taken.push(picture);
            }
        });
}

fn picture(number: u32, image: &Image) -> Option<Picture> {
    let rgb = image.clone().try_into_dynamic().ok()?.to_rgb8();
    Some(Picture {
        number,
        width: rgb.width().try_into().ok()?,
        height: rgb.height().try_into().ok()?,
        points: rgb.pixels().map(|pixel| pixel.0).collect(),
    })
}

/// Why a film is not saved.
#[derive(Debug, thiserror::Error)]
enum FilmError {
    #[error("the film cannot be coded: {0}")]
    Coding(#[from] gif::EncodingError),
    #[error(transparent)]
    Writing(#[from] WritingError),
}

/// Saves the pictures as a GIF that repeats endlessly.
fn save(pictures: &[Picture], file: &Path) -> Result<(), FilmError> {
    let bytes = encode(pictures)?;
    Ok(whole_file::write(file, &bytes).map_err(WritingError::about(file))?)
}

/// Encodes the pictures with a common palette. Only the changed part of each picture is
/// stored, so an unchanged board takes no space.
fn encode(pictures: &[Picture]) -> Result<Vec<u8>, gif::EncodingError> {
    let mut bytes = Vec::new();
    let Some(first) = pictures.first() else {
        return Ok(bytes);
    };
    let mut palette = Palette::of(pictures);
    let mut encoder = Encoder::new(&mut bytes, first.width, first.height, &palette.colours)?;
    encoder.set_repeat(Repeat::Infinite)?;
    let mut before: Vec<u8> = Vec::new();
    let mut seen = first.points.clone();
    let mut waiting: Option<Frame<'_>> = None;
    for picture in pictures {
        for (seen, point) in seen.iter_mut().zip(&picture.points) {
            if !is_alike(*seen, *point) {
                *seen = *point;
            }
        }
        let now: Vec<u8> = seen.iter().map(|rgb| palette.index(*rgb)).collect();
        if now == before {
            if let Some(frame) = &mut waiting {
                frame.delay += (100 / RATE) as u16;
            }
            continue;
        }
        if let Some(frame) = waiting.take() {
            encoder.write_frame(&frame)?;
        }
        waiting = Some(difference(&before, &now, picture.width));
        before = now;
    }
    if let Some(mut last) = waiting {
        last.delay += LAST_DELAY;
        encoder.write_frame(&last)?;
    }
    drop(encoder);
    Ok(bytes)
}

fn is_alike(one: [u8; 3], other: [u8; 3]) -> bool {
    let mut parts = one.into_iter().zip(other);
    parts.all(|(one, other)| one.abs_diff(other) <= ALIKE)
}

/// The changed part of a picture, as a frame on top of the previous one.
fn difference(before: &[u8], now: &[u8], width: u16) -> Frame<'static> {
    let row = usize::from(width);
    let differs = |index: usize| before.get(index) != now.get(index);
    let changed = || (0..now.len()).filter(|index| differs(*index));
    let top = changed().map(|index| index / row).min().unwrap_or(0);
    let bottom = changed().map(|index| index / row).max().unwrap_or(0);
    let left = changed().map(|index| index % row).min().unwrap_or(0);
    let right = changed().map(|index| index % row).max().unwrap_or(0);
    let mut buffer = Vec::with_capacity((bottom - top + 1) * (right - left + 1));
    for y in top..=bottom {
        let indices = y * row + left..=y * row + right;
        let row_now = now.get(indices.clone()).unwrap_or_default();
        let points = indices.zip(row_now);
        buffer.extend(points.map(|(index, point)| if differs(index) { *point } else { UNCHANGED }));
    }
    Frame {
        delay: (100 / RATE) as u16,
        dispose: DisposalMethod::Keep,
        transparent: Some(UNCHANGED),
        left: left as u16,
        top: top as u16,
        width: (right - left + 1) as u16,
        height: (bottom - top + 1) as u16,
        buffer: buffer.into(),
        ..Frame::default()
    }
}

/// The common palette of a film.
struct Palette {
    quantizer: NeuQuant,
    /// Red, green and blue of each colour.
    colours: Vec<u8>,
    known: HashMap<[u8; 3], u8>,
}

impl Palette {
    fn of(pictures: &[Picture]) -> Palette {
        let mut counts: HashMap<[u8; 3], u16> = HashMap::new();
        let mut samples = Vec::new();
        for rgb in pictures.iter().flat_map(|picture| &picture.points) {
            let count = counts.entry(rgb.map(|part| part >> 3)).or_default();
            if *count < SAMPLES_ALIKE {
                *count += 1;
                samples.extend_from_slice(&[rgb[0], rgb[1], rgb[2], u8::MAX]);
            }
        }
        let quantizer = NeuQuant::new(SAMPLING, COLOURS - 1, &samples);
        let mut colours = quantizer.color_map_rgb();
        colours.resize(COLOURS * 3, 0);
        Palette {
            quantizer,
            colours,
            known: HashMap::new(),
        }
    }

    fn index(&mut self, rgb: [u8; 3]) -> u8 {
        *self.known.entry(rgb).or_insert_with(|| {
            let [red, green, blue] = rgb;
            self.quantizer.index_of(&[red, green, blue, u8::MAX]) as u8
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The side of the test pictures, in pixels: enough for the quantizer to learn their
    /// colours.
    const SIDE: usize = 64;

    const DARK: [u8; 3] = [0, 0, 0];
    const GREEN: [u8; 3] = [0, 255, 0];

    /// A dark picture whose last rows are lit.
    fn picture(number: u32, lit_rows: usize) -> Picture {
        let mut points = vec![DARK; SIDE * SIDE];
        points[SIDE * (SIDE - lit_rows)..].fill(GREEN);
        Picture {
            number,
            width: SIDE as u16,
            height: SIDE as u16,
            points,
        }
    }

    /// The pictures as a viewer shows them, each with its duration.
    fn seen(bytes: &[u8]) -> Vec<(u16, Vec<[u8; 3]>)> {
        let mut options = gif::DecodeOptions::new();
        options.set_color_output(gif::ColorOutput::RGBA);
        let mut decoder = options.read_info(bytes).unwrap();
        let mut screen = vec![[9, 9, 9]; SIDE * SIDE];
        let mut seen = Vec::new();
        while let Some(frame) = decoder.read_next_frame().unwrap() {
            for (index, rgba) in frame.buffer.chunks_exact(4).enumerate() {
                let x = usize::from(frame.left) + index % usize::from(frame.width);
                let y = usize::from(frame.top) + index / usize::from(frame.width);
                if rgba[3] > 0 {
                    screen[SIDE * y + x] = [rgba[0], rgba[1], rgba[2]];
                }
            }
            seen.push((frame.delay, screen.clone()));
        }
        seen
    }

    fn rows_that_are_green(screen: &[[u8; 3]]) -> Vec<usize> {
        let is_green = |rgb: &[u8; 3]| rgb[1] > 200 && rgb[0] < 60 && rgb[2] < 60;
        let rows = screen.chunks_exact(SIDE).enumerate();
        rows.filter(|(_, row)| row.iter().all(is_green))
            .map(|(number, _)| number)
            .collect()
    }

    #[test]
    fn a_film_merges_equal_pictures_and_holds_the_last() {
        let film = encode(&[picture(1, 2), picture(2, 2), picture(3, 9), picture(4, 5)]).unwrap();
        let seen = seen(&film);
        assert_eq!(seen.len(), 3);
        let delays: Vec<_> = seen.iter().map(|(delay, _)| *delay).collect();
        assert_eq!(delays, [20, 10, 10 + LAST_DELAY]);
        for ((_, screen), lit_rows) in seen.iter().zip([2, 9, 5]) {
            let rows: Vec<_> = (SIDE - lit_rows..SIDE).collect();
            assert_eq!(rows_that_are_green(screen), rows);
        }
    }
}
