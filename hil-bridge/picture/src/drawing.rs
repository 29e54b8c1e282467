//! A picture of a board from above: its case, lights, buttons and display, and the names
//! at its edges.
//!
//! Letters consist of the display's segments, so no font is needed.
//!
//! Invariants: the picture shows the board at one tick; a blinking light that is off at
//! that tick is dark.

use firmware_core::segments::{NAMES, lit};
use protocol::{Button, Colour, Frame, Layout, Tick};
use tiny_skia::{Color, FillRule, LineCap, Paint, PathBuilder, Pixmap, Rect, Stroke, Transform};
use touchboard_host::case::{
    BUTTON_CAP, CasePlan, DISPLAY, DOME, Flat, TURN_LIGHT, flat, segment_ends,
};
use touchboard_host::palette::{Palette, encoded};
use touchboard_host::places;

use crate::PictureError;

/// The longer side of a picture, in pixels.
const SIDE: f32 = 640.0;
/// The margin around the plate, in units of the case.
const AROUND: f32 = 0.2;
/// The distance of a row's or column's name from its point, in pitches.
const BESIDE: f32 = 0.78;
/// The width and height of a letter of such a name, in pitches.
const LETTER: Flat = Flat::new(0.16, 0.26);
/// The width and height of a letter of a button's name, in units of the case.
const BUTTON_LETTER: Flat = Flat::new(0.11, 0.17);
/// The distance between letters, as a multiple of a letter's width.
const ADVANCE: f32 = 1.6;
/// The number of characters of the display.
const CHARACTERS: usize = 12;

/// Where a PNG has its width and its height.
const PNG_SIDES: std::ops::Range<usize> = 16..24;
/// The longest side of a picture that is read; those of boards are far smaller.
const MOST_SIDE: u32 = 4_096;

const BEHIND: [u8; 3] = [0x12, 0x13, 0x14];
const PLATE: [u8; 3] = [0x26, 0x28, 0x2b];
const DARK: [u8; 3] = [0x17, 0x18, 0x1a];
const UNLIT: [u8; 3] = [0x3a, 0x3c, 0x40];
const NAME: [u8; 3] = [0xa0, 0xa4, 0xaa];
const LIT_SEGMENT: [u8; 3] = [0x6f, 0xd3, 0xff];
const DARK_SEGMENT: [u8; 3] = [0x1d, 0x2a, 0x30];

/// A picture of a board.
#[derive(Clone, Debug, PartialEq)]
pub struct BoardPicture(pub(crate) Pixmap);

impl BoardPicture {
    /// Draws a board with this layout that shows this frame, at this tick.
    ///
    /// # Errors
    /// [`PictureError::NoMemory`].
    pub fn of(layout: Layout, frame: &Frame, tick: Tick) -> Result<BoardPicture, PictureError> {
        painted(layout, frame, tick).ok_or(PictureError::NoMemory)
    }

    /// Reads a picture from a PNG.
    ///
    /// # Errors
    /// [`PictureError::NotPng`] or [`PictureError::TooLarge`].
    pub fn from_png(bytes: &[u8]) -> Result<BoardPicture, PictureError> {
        // Read before the picture is: a small file can be one of gigabytes.
        let sides = bytes.get(PNG_SIDES).unwrap_or_default();
        let sides = sides.chunks_exact(4).map(|side| {
            let side = side.try_into().unwrap_or_default();
            u32::from_be_bytes(side)
        });
        if sides.max().is_some_and(|most| most > MOST_SIDE) {
            return Err(PictureError::TooLarge(MOST_SIDE));
        }
        let read = Pixmap::decode_png(bytes);
        read.map(BoardPicture)
            .map_err(|error| PictureError::NotPng(error.into()))
    }

    /// The picture as the bytes of a PNG.
    ///
    /// # Errors
    /// [`PictureError::NotWritten`].
    pub fn to_png(&self) -> Result<Vec<u8>, PictureError> {
        let encoded = self.0.encode_png();
        encoded.map_err(|error| PictureError::NotWritten(error.into()))
    }

    /// The width and height, in pixels.
    #[must_use]
    pub fn size(&self) -> (u32, u32) {
        (self.0.width(), self.0.height())
    }
}

fn painted(layout: Layout, frame: &Frame, tick: Tick) -> Option<BoardPicture> {
    let plan = CasePlan::new(layout);
    let mut canvas = Canvas::around(&plan)?;
    canvas.plate(&plan);
    for point in layout.iter() {
        let colour = frame.seen(point, tick);
        canvas.circle(plan.point(point), DOME * plan.pitch(), shown(colour));
    }
    for name in places::edge_names(layout) {
        let out = flat(name.out.x, name.out.y) * (BESIDE * plan.pitch());
        let middle = plan.point(name.point) + out;
        canvas.text(&name.text, middle, LETTER * plan.pitch(), NAME);
    }
    for button in Button::ALL {
        canvas.rectangle(plan.button(button), BUTTON_CAP, DARK);
        canvas.text(button.name(), plan.button(button), BUTTON_LETTER, NAME);
    }
    let lamps = plan.turn_lights().into_iter();
    let seen = frame.turn_seen(tick).into_iter();
    for ((middle, is_on), colour) in lamps.zip(seen).zip([Colour::GREEN, Colour::RED]) {
        let colour = if is_on { colour } else { Colour::OFF };
        canvas.circle(middle, TURN_LIGHT, shown(colour));
    }
    canvas.display(&plan, &frame.display);
    Some(BoardPicture(canvas.pixmap))
}

/// The red, green and blue of a colour on a screen.
fn shown(colour: Colour) -> [u8; 3] {
    if colour == Colour::OFF {
        return UNLIT;
    }
    Palette::Board.shade(colour).light.map(encoded)
}

/// The pixels of a picture, addressed in units of the case.
struct Canvas {
    pixmap: Pixmap,
    to_pixels: Transform,
}

impl Canvas {
    fn around(plan: &CasePlan) -> Option<Canvas> {
        let [least, most] = plan.plate().extent();
        let size = most - least + Flat::splat(2.0 * AROUND);
        let scale = SIDE / size.x.max(size.y);
        let pixels = (size * scale).ceil();
        let mut pixmap = Pixmap::new(pixels.x as u32, pixels.y as u32)?;
        pixmap.fill(opaque(BEHIND));
        let corner = least - Flat::splat(AROUND);
        let to_pixels = Transform::from_translate(-corner.x, -corner.y).post_scale(scale, scale);
        Some(Canvas { pixmap, to_pixels })
    }

    fn fill(&mut self, path: PathBuilder, colour: [u8; 3]) {
        if let Some(path) = path.finish() {
            let paint = paint(colour);
            let (rule, place) = (FillRule::Winding, self.to_pixels);
            self.pixmap.fill_path(&path, &paint, rule, place, None);
        }
    }

    fn plate(&mut self, plan: &CasePlan) {
        let plate = plan.plate();
        let edge = plate.edge().into_iter();
        let mut path = PathBuilder::new();
        for (middle, out) in edge {
            let Flat { x, y, .. } = middle + out * plate.radius();
            match path.is_empty() {
                true => path.move_to(x, y),
                false => path.line_to(x, y),
            }
        }
        path.close();
        self.fill(path, PLATE);
    }

    fn circle(&mut self, middle: Flat, radius: f32, colour: [u8; 3]) {
        let mut path = PathBuilder::new();
        path.push_circle(middle.x, middle.y, radius);
        self.fill(path, colour);
    }

    fn rectangle(&mut self, middle: Flat, size: Flat, colour: [u8; 3]) {
        let corner = middle - size / 2.0;
        if let Some(rect) = Rect::from_xywh(corner.x, corner.y, size.x, size.y) {
            let mut path = PathBuilder::new();
            path.push_rect(rect);
            self.fill(path, colour);
        }
    }

    /// Draws a word, centred at `middle`.
    fn text(&mut self, word: &str, middle: Flat, letter: Flat, colour: [u8; 3]) {
        let advance = letter.x * ADVANCE;
        let width = advance * word.chars().count() as f32 - (advance - letter.x);
        let first = middle - flat(width, letter.y) / 2.0;
        for (number, character) in word.chars().enumerate() {
            let corner = first + flat(advance * number as f32, 0.0);
            self.segments(lit(character), corner, letter, colour);
        }
    }

    /// Draws the display, including its dark segments.
    fn display(&mut self, plan: &CasePlan, text: &str) {
        self.rectangle(plan.display(), DISPLAY, DARK);
        let cell = flat(DISPLAY.x / CHARACTERS as f32, DISPLAY.y);
        let size = flat(0.52 * cell.x, 0.56 * cell.y);
        let first = plan.display() - DISPLAY / 2.0 + flat(0.2 * cell.x, 0.22 * cell.y);
        let characters = text.chars().chain(std::iter::repeat(' ')).take(CHARACTERS);
        for (number, character) in characters.enumerate() {
            let corner = first + flat(cell.x * number as f32, 0.0);
            self.segments(u16::MAX, corner, size, DARK_SEGMENT);
            self.segments(lit(character), corner, size, LIT_SEGMENT);
        }
    }

    fn segments(&mut self, which: u16, corner: Flat, size: Flat, colour: [u8; 3]) {
        let mut path = PathBuilder::new();
        for (bit, name) in NAMES.iter().enumerate() {
            if which >> bit & 1 == 1 {
                let place = |of: Flat| corner + flat(of.x * size.x, of.y * size.y);
                let [from, to] = segment_ends(*name).map(place);
                path.move_to(from.x, from.y);
                path.line_to(to.x, to.y);
            }
        }
        if let Some(path) = path.finish() {
            let stroke = Stroke {
                width: 0.14 * size.x,
                line_cap: LineCap::Round,
                ..Stroke::default()
            };
            let place = self.to_pixels;
            self.pixmap
                .stroke_path(&path, &paint(colour), &stroke, place, None);
        }
    }
}

fn opaque([red, green, blue]: [u8; 3]) -> Color {
    Color::from_rgba8(red, green, blue, u8::MAX)
}

fn paint(colour: [u8; 3]) -> Paint<'static> {
    let mut paint = Paint::default();
    paint.set_color(opaque(colour));
    paint.anti_alias = true;
    paint
}

#[cfg(test)]
mod tests {
    use protocol::{Input, Point};
    use touchboard_host::{CoreDriver, Driver};

    use super::*;

    /// The colours at the points of a board, in its picture.
    fn seen(layout: Layout, frame: &Frame, tick: Tick) -> Vec<[u8; 3]> {
        let plan = CasePlan::new(layout);
        let pixmap = BoardPicture::of(layout, frame, tick).unwrap().0;
        let canvas = Canvas::around(&plan).unwrap();
        let pixel = |point: Point| {
            let mut at = [tiny_skia::Point::from_xy(
                plan.point(point).x,
                plan.point(point).y,
            )];
            canvas.to_pixels.map_points(&mut at);
            let pixel = pixmap.pixel(at[0].x as u32, at[0].y as u32).unwrap();
            [pixel.red(), pixel.green(), pixel.blue()]
        };
        layout.iter().map(pixel).collect()
    }

    #[test]
    fn every_point_has_its_visible_colour() {
        let mut board = CoreDriver::new(Layout::MALDOO, 3).unwrap();
        board
            .step(
                &[Input::Press(Button::Start), Input::Lift(Button::Start)],
                500,
            )
            .unwrap();
        let (layout, frame, tick) = (board.layout(), board.frame(), board.tick());
        let colours = seen(layout, frame, tick);
        let expected: Vec<[u8; 3]> = layout
            .iter()
            .map(|point| shown(frame.seen(point, tick)))
            .collect();
        assert_eq!(colours, expected);
        assert!(colours.contains(&shown(Colour::RED)));
    }

    #[test]
    fn the_smallest_and_the_largest_board_have_a_picture() {
        for (columns, rows) in [(1, 1), (1, 16), (16, 16)] {
            let layout = Layout::grid(columns, rows).unwrap();
            let picture = BoardPicture::of(layout, &Frame::default(), 0).unwrap();
            let again = BoardPicture::from_png(&picture.to_png().unwrap()).unwrap();
            assert_eq!(again, picture);
        }
    }
    #[test]
    fn a_small_file_with_a_huge_picture_is_refused() {
        let picture = BoardPicture::of(Layout::MALDOO, &Frame::default(), 0).unwrap();
        let mut bytes = picture.to_png().unwrap();
        assert!(picture.0.width() < MOST_SIDE / 2 && picture.0.height() < MOST_SIDE / 2);
        for side in [PNG_SIDES.start, PNG_SIDES.start + 4] {
            let own = bytes.clone();
            bytes[side..side + 4].copy_from_slice(&0x7FFF_FFFF_u32.to_be_bytes());
            let read = BoardPicture::from_png(&bytes);
            assert!(matches!(read, Err(PictureError::TooLarge(_))), "{read:?}");
            bytes = own;
        }
        for length in 0..40 {
            let read = BoardPicture::from_png(&bytes[..length]);
            assert!(matches!(read, Err(PictureError::NotPng(_))), "{read:?}");
        }
    }
}
