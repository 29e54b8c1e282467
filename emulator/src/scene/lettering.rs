//! Lettering on the case: words whose letters come from one texture.
//!
//! The font is that of the workbench, slightly bolder, so that panel and board match.
//! Letters are drawn once at a large size, with all mip levels, so that they are sharp at
//! every distance, with or without anti-aliasing of meshes.

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
/// Height of a capital letter, in pixels.
const CAPITAL: f32 = 64.0;
/// The baseline, in pixels from the top of a cell.
const BASELINE: f32 = 96.0;
/// The pen's position in a cell, in pixels from its left side.
const PEN: f32 = 20.0;
/// Top of the highest letter, in pixels from the top of a cell.
const ABOVE: f32 = 18.0;
/// Margin for the softer edges of mip levels, in pixels.
const BESIDE: f32 = 9.0;
/// Width of the stroke around each letter that makes the light font readable, relative to
/// the height of capitals.
const BOLDER: f32 = 0.085;
/// Factor by which the edges of letters are sharpened.
const HARDER: f32 = 2.6;
/// The coverage of a pixel that becomes one half after sharpening.
const MIDST: f32 = 0.42;
/// Anisotropic filtering, for letters that are seen obliquely.
const ANISOTROPY: u16 = 4;
/// Extra space between letters, relative to the letter height.
const TRACKING: f32 = 0.14;

/// Words that lie flat, centred on the origin, with capital letters `height` high. They
/// need the texture of [`atlas`]. Characters that cannot be printed are left out.
#[must_use]
pub fn words(text: &str, height: f32) -> Shape {
    let (letters, width) = set(text);
    let middle = Vec2::new(width / 2.0, -0.5);
    let mut shape = Shape::default();
    for letter in letters {
        // Only the part of the cell with ink, to draw fewer pixels over the case.
        let right = PEN + letter.advance * CAPITAL + BESIDE;
        let below = if letter.descends {
            CELL as f32
        } else {
            BASELINE + BESIDE
        };
        let part = Rect::new(PEN - BESIDE, ABOVE, right.min(CELL as f32), below);
        let pen = Vec2::new(letter.pen, 0.0) - middle;
        let place = |at: Vec2| (pen + (at - Vec2::new(PEN, BASELINE)) / CAPITAL) * height;
        let place = Rect::from_corners(place(part.min), place(part.max));
        let first = (UVec2::new(letter.cell % CELLS, letter.cell / CELLS) * CELL).as_vec2();
        let print = [part.min, part.max].map(|at| (first + at) / (CELLS * CELL) as f32);
        shape.print(place, Rect::from_corners(print[0], print[1]));
    }
    shape
}

/// The width of words of this height.
#[must_use]
pub fn width(text: &str, height: f32) -> f32 {
    set(text).1 * height
}

/// A letter of a line, relative to the letter height.
struct Letter {
    /// The position of the pen.
    pen: f32,
    /// The width of the letter from there on.
    advance: f32,
    /// The index of its cell in the texture.
    cell: u32,
    /// True if the letter reaches below the baseline.
    descends: bool,
}

/// The letters of a line, and its width.
fn set(text: &str) -> (Vec<Letter>, f32) {
    let Some((face, capital)) = font() else {
        return (Vec::new(), 0.0);
    };
    let mut letters = Vec::new();
    let mut pen = 0.0;
    for letter in text.chars() {
        let Some(glyph) = face.glyph_index(letter) else {
            continue;
        };
        let advance = f32::from(face.glyph_hor_advance(glyph).unwrap_or_default()) / capital;
        match LETTERS.find(letter) {
            Some(cell) => letters.push(Letter {
                pen,
                advance,
                cell: cell as u32,
                descends: "Qgjpqy".contains(letter),
            }),
            None if letter == ' ' => {}
            None => continue,
        }
        pen += advance + TRACKING;
    }
    (letters, (pen - TRACKING).max(0.0))
}

/// The texture of all letters: white, with the coverage of each pixel as alpha.
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

/// Sharpens an edge of ink, because interpolation between mip levels softens it.
fn edged(ink: u8) -> u8 {
    let part = (f32::from(ink) / 255.0 - MIDST) * HARDER + 0.5;
    (part.clamp(0.0, 1.0) * 255.0).round() as u8
}

/// The coverage of each pixel; empty if there is no font or no memory.
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

/// The font, and the height of its capital letters in font units.
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

/// Receives the outline of a letter from the font.
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
    fn letters_do_not_touch_the_edges_of_their_cells() {
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
            let (line, _) = set(&letter.to_string());
            let right = (PEN + line[0].advance * CAPITAL + BESIDE) as u32;
            let below = match line[0].descends {
                true => CELL,
                false => (BASELINE + BESIDE) as u32,
            };
            let is_cut = |x: u32, y: u32| {
                x < (PEN - BESIDE) as u32 || x >= right || y < ABOVE as u32 || y >= below
            };
            for (x, y) in (0..CELL).flat_map(|y| (0..CELL).map(move |x| (x, y))) {
                let is_clear = at(corner.x + x, corner.y + y) == 0;
                assert!(is_clear || !is_cut(x, y), "{letter} is cut at {x}, {y}");
            }
            let inked = (0..CELL * CELL)
                .filter(|at_| at(corner.x + at_ % CELL, corner.y + at_ / CELL) > 127)
                .count();
            assert!(inked > 200, "{letter} has {inked} pixels");
        }
    }

    #[test]
    fn words_are_centred() {
        let word = words("HH", 1.0);
        assert!(word.is_sound());
        let corners: Vec<Vec3> = word.corners().collect();
        let sum: Vec3 = corners.iter().sum();
        let middle = sum / corners.len() as f32;
        assert!(middle.x.abs() < 0.05, "{middle}");
        assert_eq!(words("é", 1.0).triangles(), 0);
    }
}
