//! What is printed on the case: words whose letters are taken from one texture.
//!
//! The letters are those of the font that the workbench uses, a little bolder, so that
//! panel and board look like one thing. They are drawn once, large, with all smaller
//! versions: so they are as sharp as the picture can show them from near and from far,
//! whether or not edges of meshes are smoothed.

use bevy::image::{Image, ImageAddressMode, ImageSampler};
use bevy::prelude::*;
use bevy::render::render_resource::TextureFormat;
use tiny_skia::{FillRule, LineJoin, Paint, Path, PathBuilder, Pixmap, Stroke, Transform};
use ttf_parser::{Face, OutlineBuilder};

use super::shape::Shape;
use super::texture;

/// The letters that can be printed, in the order of their cells.
const LETTERS: &str = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz+-";
/// Cells along a side of the texture.
const CELLS: u32 = 8;
/// Pixels along a side of a cell.
const CELL: u32 = 128;
/// Pixels of a capital letter's height.
const CAPITAL: f32 = 64.0;
/// The baseline, in pixels from the top of a cell.
const BASELINE: f32 = 96.0;
/// The pen's position in a cell, in pixels from its left side.
const PEN: f32 = 20.0;
/// The stroke around each letter that makes the light font readable, in parts
/// of the letter height.
const BOLDER: f32 = 0.060;
/// How much harder edges of letters are drawn than pixels are covered.
const HARDER: f32 = 1.9;
/// How much of a pixel is covered where the edge is.
const MIDST: f32 = 0.42;
/// How obliquely letters may be seen and stay sharp.
const ANISOTROPY: u16 = 4;
/// Space between letters besides the font's own, in parts of the letter height.
const TRACKING: f32 = 0.14;

/// Words, centred on the origin, lying flat with the capital letters `height`
/// high; to be drawn with [`atlas`]. Characters that cannot be printed are left out.
#[must_use]
pub fn words(text: &str, height: f32) -> Shape {
    let (cells, width) = set(text);
    let middle = Vec2::new(width / 2.0, -0.5);
    let mut shape = Shape::default();
    for (pen, cell) in cells {
        let corner = Vec2::new(pen, 0.0) - Vec2::new(PEN, BASELINE) / CAPITAL - middle;
        let side = CELL as f32 / CAPITAL;
        let place = Rect::from_corners(corner * height, (corner + side) * height);
        let first = UVec2::new(cell % CELLS, cell / CELLS).as_vec2() / CELLS as f32;
        let print = Rect::from_corners(first, first + 1.0 / CELLS as f32);
        shape.print(place, print);
    }
    shape
}

/// How wide words of this height are.
#[must_use]
pub fn width(text: &str, height: f32) -> f32 {
    set(text).1 * height
}

/// Where the pen is for each letter, which cell has it, and how long the line is: in parts
/// of the letter height.
fn set(text: &str) -> (Vec<(f32, u32)>, f32) {
    let Some((face, capital)) = font() else {
        return (Vec::new(), 0.0);
    };
    let mut cells = Vec::new();
    let mut pen = 0.0;
    for letter in text.chars() {
        let Some(glyph) = face.glyph_index(letter) else {
            continue;
        };
        match LETTERS.find(letter) {
            Some(cell) => cells.push((pen, cell as u32)),
            None if letter == ' ' => {}
            None => continue,
        }
        let advance = face.glyph_hor_advance(glyph).unwrap_or_default();
        pen += f32::from(advance) / capital + TRACKING;
    }
    (cells, (pen - TRACKING).max(0.0))
}

/// All letters: white, as dense as they cover a pixel.
#[must_use]
pub fn atlas() -> Image {
    let side = CELLS * CELL;
    let mut pixels = vec![255; (4 * side * side) as usize];
    let ink = drawn(side);
    for (pixel, ink) in pixels.chunks_exact_mut(4).zip(&ink) {
        pixel[3] = *ink;
    }
    let format = TextureFormat::Rgba8UnormSrgb;
    let address = ImageAddressMode::ClampToEdge;
    let mut image = texture::with_smaller(pixels, UVec2::splat(side), format, address);
    if let ImageSampler::Descriptor(sampler) = &mut image.sampler {
        sampler.anisotropy_clamp = ANISOTROPY;
    }
    for pixel in image
        .data
        .iter_mut()
        .flat_map(|data| data.chunks_exact_mut(4))
    {
        pixel[3] = edged(pixel[3]);
    }
    image
}

/// Ink with a harder edge: what is between two of the smaller versions is soft.
fn edged(ink: u8) -> u8 {
    let part = (f32::from(ink) / 255.0 - MIDST) * HARDER + 0.5;
    (part.clamp(0.0, 1.0) * 255.0).round() as u8
}

/// How much of each pixel is covered; nothing where there is no memory for it.
fn drawn(side: u32) -> Vec<u8> {
    let (Some((face, capital)), Some(mut map)) = (font(), Pixmap::new(side, side)) else {
        return Vec::new();
    };
    let scale = CAPITAL / capital;
    let paint = Paint::default();
    let stroke = Stroke {
        width: BOLDER * capital,
        line_join: LineJoin::Round,
        ..Stroke::default()
    };
    for (letter, cell) in LETTERS.chars().zip(0..) {
        let Some(path) = face
            .glyph_index(letter)
            .and_then(|glyph| outline(&face, glyph))
        else {
            continue;
        };
        let corner = UVec2::new(cell % CELLS, cell / CELLS) * CELL;
        let x = corner.x as f32 + PEN;
        let y = corner.y as f32 + BASELINE;
        let place = Transform::from_row(scale, 0.0, 0.0, -scale, x, y);
        map.fill_path(&path, &paint, FillRule::Winding, place, None);
        map.stroke_path(&path, &paint, &stroke, place, None);
    }
    map.pixels().iter().map(|pixel| pixel.alpha()).collect()
}

/// The font, and the height of its capital letters in its own measure.
fn font() -> Option<(Face<'static>, f32)> {
    let face = Face::parse(epaint_default_fonts::UBUNTU_LIGHT, 0).ok()?;
    let capital = f32::from(face.capital_height().unwrap_or(700));
    Some((face, capital))
}

fn outline(face: &Face, glyph: ttf_parser::GlyphId) -> Option<Path> {
    let mut pen = Pen(PathBuilder::new());
    face.outline_glyph(glyph, &mut pen)?;
    pen.0.finish()
}

/// The font's drawing target.
struct Pen(PathBuilder);

impl OutlineBuilder for Pen {
    fn move_to(&mut self, x: f32, y: f32) {
        self.0.move_to(x, y);
    }

    fn line_to(&mut self, x: f32, y: f32) {
        self.0.line_to(x, y);
    }

    fn quad_to(&mut self, x1: f32, y1: f32, x: f32, y: f32) {
        self.0.quad_to(x1, y1, x, y);
    }

    fn curve_to(&mut self, x1: f32, y1: f32, x2: f32, y2: f32, x: f32, y: f32) {
        self.0.cubic_to(x1, y1, x2, y2, x, y);
    }

    fn close(&mut self) {
        self.0.close();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_letter_stands_alone_in_its_cell() {
        let side = CELLS * CELL;
        let ink = drawn(side);
        let at = |x: u32, y: u32| ink[(y * side + x) as usize];
        for cell in 0..LETTERS.len() as u32 {
            let corner = UVec2::new(cell % CELLS, cell / CELLS) * CELL;
            let edge = (0..CELL).flat_map(|step| {
                let last = CELL - 1;
                [(step, 0), (step, last), (0, step), (last, step)]
            });
            let letter = LETTERS.as_bytes()[cell as usize] as char;
            let is_clear = |(x, y)| at(corner.x + x, corner.y + y) == 0;
            assert!(edge.into_iter().all(is_clear), "{letter} leaves its cell");
            let inked = (0..CELL * CELL)
                .filter(|at_| at(corner.x + at_ % CELL, corner.y + at_ / CELL) > 127)
                .count();
            assert!(inked > 200, "{letter} has {inked} pixels");
        }
    }

    #[test]
    fn words_are_as_wide_as_their_letters_and_stand_in_the_middle() {
        let word = words("HH", 1.0);
        assert!(word.is_sound());
        let corners: Vec<Vec3> = word.corners().collect();
        let sum: Vec3 = corners.iter().sum();
        let middle = sum / corners.len() as f32;
        // A cell reaches farther to the right than its letter does.
        assert!((0.0..0.4).contains(&middle.x), "{middle}");
        assert_eq!(words("é", 1.0).triangles(), 0);
    }
}
