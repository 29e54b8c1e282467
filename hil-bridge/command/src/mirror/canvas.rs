//! The board as a picture of half blocks: each cell has two pixels, the upper one in the
//! colour of the character, the lower one in that of the background.
//!
//! A point is a dome of milky plastic in a dark plate: a lit dome shines, and its glow
//! lies on the plate around it. Invariants: the shape of a light also shows its side
//! ([`MarkShape`]); a pixel outside of the picture is not changed.

use protocol::Colour;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Color, Style};

use touchboard_host::palette::{MarkShape, encoded};

/// A colour in linear light: red, green, blue.
pub type Light = [f32; 3];

/// The plate around the domes.
const PLATE: Light = [0.0075, 0.0085, 0.0105];
/// The plate where the next mark may be made.
const OPEN_PLATE: Light = [0.055, 0.055, 0.07];
/// An unlit dome.
const DOME: Light = [0.040, 0.043, 0.050];
/// The frame around the cursor's point.
pub const CURSOR: Light = [0.46, 0.46, 0.48];
/// The frame around the point of the last move.
pub const LAST: Light = [0.17, 0.17, 0.18];
/// The frame around the point of a move that the board made for a player whose time was up.
pub const LAST_BY_CLOCK: Light = [0.60, 0.42, 0.02];
/// A line that cannot be crossed.
pub const WALL: Light = [0.55, 0.55, 0.55];
/// The border between parts of the board.
pub const BORDER: Light = [0.035, 0.037, 0.045];

/// The reach of a dome's glow, in multiples of its radius.
const GLOW_REACH: f32 = 1.8;
/// The brightness of the glow at the rim.
const GLOW: f32 = 0.16;
/// The radius of the dark middle of a ring, as a fraction of the dome's.
const HOLE: f32 = 0.52;
/// The number of samples in a pixel, in each direction.
const SAMPLES: u16 = 4;

/// A dome as it is seen.
#[derive(Clone, Copy, Debug)]
pub struct Dome {
    /// The colour that the board shows.
    pub colour: Colour,
    /// The light with which it is drawn.
    pub light: Light,
    /// The shape that shows its colour without colours.
    pub form: MarkShape,
    /// True while a finger is on it.
    pub is_touched: bool,
}

/// A picture over a part of the screen.
pub struct Canvas {
    area: Rect,
    pixels: Vec<Light>,
}

/// What is drawn of a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FramePart {
    Whole,
    Corners,
}

impl Canvas {
    /// A canvas that shows a dark plate.
    #[must_use]
    pub fn new(area: Rect) -> Canvas {
        let pixels = usize::from(area.width) * usize::from(area.height) * 2;
        Canvas {
            area,
            pixels: vec![PLATE; pixels],
        }
    }

    /// The pixel at this column of the screen, and this half row.
    fn pixel(&mut self, x: i32, y: i32) -> Option<&mut Light> {
        let x = x - i32::from(self.area.x);
        let y = y - 2 * i32::from(self.area.y);
        let width = i32::from(self.area.width);
        let is_inside = (0..width).contains(&x) && y >= 0;
        let index = usize::try_from(y * width + x).ok().filter(|_| is_inside)?;
        self.pixels.get_mut(index)
    }

    /// Marks the plate under these cells as the place for the next mark.
    pub fn open(&mut self, cell: Rect) {
        for y in 2 * cell.y..2 * cell.bottom() {
            for x in cell.x..cell.right() {
                if let Some(pixel) = self.pixel(x.into(), y.into()) {
                    *pixel = OPEN_PLATE;
                }
            }
        }
    }

    /// Draws a dome in these cells, with a gap on the right and below.
    pub fn dome(&mut self, cell: Rect, dome: &Dome) {
        let (middle, radius) = place_of(cell);
        self.around(middle, radius.ceil() as i32, |pixel, x, y| {
            let (light, part) = seen_in(dome, [x, y], middle, radius);
            *pixel = add(pixel.map(|under| under * (1.0 - part)), light, 1.0);
        });
    }

    /// Adds the glow of a dome to its surroundings, after all domes have been drawn.
    pub fn glow(&mut self, cell: Rect, dome: &Dome) {
        if dome.colour == Colour::OFF {
            return;
        }
        let (middle, radius) = place_of(cell);
        let reach = (radius * GLOW_REACH).ceil() as i32;
        self.around(middle, reach, |pixel, x, y| {
            let far = [x, y].map(|place| place as f32 + 0.5);
            let far = (far[0] - middle[0]).hypot(far[1] - middle[1]) / radius;
            let beside = ((far - 1.0) / (GLOW_REACH - 1.0)).max(0.0);
            if beside > 1.0 {
                return;
            }
            let (_, own) = seen_in(dome, [x, y], middle, radius);
            let glow = GLOW * (1.0 - beside).max(0.0).powi(2) * (1.0 - own);
            *pixel = add(*pixel, dome.light, glow);
        });
    }

    /// Calls a function for each pixel within reach, with its position.
    fn around(
        &mut self,
        middle: [f32; 2],
        reach: i32,
        mut paint: impl FnMut(&mut Light, i32, i32),
    ) {
        let [left, top] = middle.map(|place| place.floor() as i32);
        for y in top - reach..=top + reach {
            for x in left - reach..=left + reach {
                if let Some(pixel) = self.pixel(x, y) {
                    paint(pixel, x, y);
                }
            }
        }
    }

    /// Draws a frame around the dome in these cells.
    pub fn frame(&mut self, cell: Rect, light: Light, part: FramePart) {
        let is_whole = part == FramePart::Whole;
        let side = i32::from(cell.width);
        let [left, top] = [i32::from(cell.x) - 1, 2 * i32::from(cell.y) - 1];
        let bottom = 2 * i32::from(cell.height);
        let corner = if is_whole { side } else { side.min(8) / 4 };
        for x in 0..=side {
            for y in 0..=bottom {
                let is_edge = x == 0 || x == side || y == 0 || y == bottom;
                let near = |place: i32, end: i32| place < corner || end - place < corner;
                let is_corner = near(x, side) && near(y, bottom);
                if is_edge
                    && (is_whole || is_corner)
                    && let Some(pixel) = self.pixel(left + x, top + y)
                {
                    *pixel = light;
                }
            }
        }
    }

    /// Draws a line of pixels, including both ends.
    pub fn line(&mut self, from: (i32, i32), to: (i32, i32), light: Light) {
        for y in from.1..=to.1 {
            for x in from.0..=to.0 {
                if let Some(pixel) = self.pixel(x, y) {
                    *pixel = light;
                }
            }
        }
    }

    /// Copies the canvas to the terminal's buffer.
    pub fn show(&self, buffer: &mut Buffer) {
        let area = self.area.intersection(buffer.area);
        for y in area.y..area.bottom() {
            for x in area.x..area.right() {
                let width = usize::from(self.area.width);
                let index = usize::from(y - self.area.y) * 2 * width + usize::from(x - self.area.x);
                let [upper, lower] = [index, index + width].map(|at| colour(self.pixels[at]));
                let cell = &mut buffer[(x, y)];
                cell.reset();
                match upper == lower {
                    true => cell.set_symbol(" ").set_style(Style::new().bg(upper)),
                    false => cell
                        .set_symbol("▀")
                        .set_style(Style::new().fg(upper).bg(lower)),
                };
            }
        }
    }
}

/// The centre of a dome in pixels of the screen, and its radius.
fn place_of(cell: Rect) -> ([f32; 2], f32) {
    let [wide, high] = [cell.width, 2 * cell.height].map(|side| f32::from(side - 1));
    let corner = [f32::from(cell.x), 2.0 * f32::from(cell.y)];
    let middle = [corner[0] + wide / 2.0, corner[1] + high / 2.0];
    // A small dome only looks round if its corners are almost empty.
    (middle, wide.min(high) / 2.0 - 0.12)
}

/// The light of a dome in a pixel, and the part of the pixel that the dome covers.
fn seen_in(dome: &Dome, pixel: [i32; 2], middle: [f32; 2], radius: f32) -> (Light, f32) {
    // Without an edge nearby, a single sample is enough.
    let from_middle = |part: [f32; 2]| -> [f32; 2] {
        std::array::from_fn(|side| pixel[side] as f32 + part[side] - middle[side])
    };
    let [x, y] = from_middle([0.5; 2]);
    let is_near = |edge: f32| (x.hypot(y) - edge).abs() < 0.8;
    let is_ring = dome.form == MarkShape::Ring;
    let side = match is_near(radius) || is_ring && is_near(HOLE * radius) {
        true => SAMPLES,
        false => 1,
    };
    let samples = f32::from(side * side);
    let (mut light, mut cover) = ([0.0; 3], 0.0);
    for sample in 0..side * side {
        let parts = [sample % side, sample / side];
        let place = from_middle(parts.map(|part| (f32::from(part) + 0.5) / f32::from(side)));
        let [dx, dy] = place.map(|place| place / radius);
        if let Some(seen) = on_dome(dome, [dx, dy]) {
            cover += 1.0 / samples;
            light = add(light, seen, 1.0 / samples);
        }
    }
    (light, cover)
}

/// The light at a place on a dome, in fractions of its radius from the centre; `None`
/// outside.
fn on_dome(dome: &Dome, [dx, dy]: [f32; 2]) -> Option<Light> {
    let far = dx.hypot(dy);
    if far > 1.0 {
        return None;
    }
    let is_lit = dome.colour != Colour::OFF;
    // Light comes from above, slightly from the left.
    let toward = 0.5 - 0.35 * dx - 0.55 * dy;
    let is_hole = is_lit && dome.form == MarkShape::Ring && far < HOLE;
    let body = if !is_lit || is_hole {
        let shade = 0.65 + 0.6 * toward.clamp(0.0, 1.2);
        DOME.map(|part| part * shade)
    } else {
        // A lit dome is brightest in the middle.
        let rim = 1.0 - 0.25 * far.powi(3);
        let white = match dome.form {
            MarkShape::Disc => 0.14 * (1.0 - far),
            MarkShape::Ring => 0.0,
        };
        dome.light.map(|part| part * rim * 0.95 + white)
    };
    let body = if is_hole {
        add(body, dome.light, 0.035)
    } else {
        body
    };
    Some(match dome.is_touched {
        true => body.map(|part| part * 0.45 + 0.40),
        false => body,
    })
}

fn add(one: Light, other: Light, part: f32) -> Light {
    std::array::from_fn(|place| one[place] + other[place] * part)
}

/// The terminal colour of a light, for a terminal with all colours.
#[must_use]
pub fn colour(light: Light) -> Color {
    let [red, green, blue] = light.map(encoded);
    Color::Rgb(red, green, blue)
}

/// Black or white, whichever is readable on this background.
#[must_use]
pub fn ink(ground: Color) -> Color {
    match ground {
        Color::Rgb(red, green, blue) => {
            let bright = 3 * u32::from(red) + 6 * u32::from(green) + u32::from(blue);
            match bright > 1_150 {
                true => Color::Rgb(0, 0, 0),
                false => Color::Rgb(255, 255, 255),
            }
        }
        _ => Color::White,
    }
}

/// The colour of the plate where the next mark may be made.
#[must_use]
pub fn open_plate() -> Color {
    colour(OPEN_PLATE)
}
