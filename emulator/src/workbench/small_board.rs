//! Draws a board as a small picture in the workbench: its lights, turn lights and
//! display, with a ring around everything in which it differs from another board.

use bevy_egui::egui::{
    Align2, Color32, CornerRadius, FontId, Painter, Pos2, Rect, Rgba, Shape, Stroke, StrokeKind,
    Vec2, pos2, vec2,
};
use protocol::{Colour, DISPLAY_CHARACTERS, Frame, Layout, Point, Tick};
use touchboard_host::divergence::turn_lights_that_differ;
use touchboard_host::palette::{MarkShape, Palette};
use touchboard_host::places::{self, EdgeName, NameSide, PitchSpot, Places};

use super::style;
use crate::scene::segments::{self, SEGMENTS};

/// The colour of the case.
const CASE: Color32 = Color32::from_rgb(0x24, 0x27, 0x2D);
/// The colour of the field that holds the points.
const FIELD: Color32 = Color32::from_rgb(0x17, 0x19, 0x1D);
/// The colour of the glass in front of the display.
const GLASS: Color32 = Color32::from_rgb(0x08, 0x0A, 0x0C);
/// The colour of a light that is off.
const MILK: Color32 = Color32::from_rgb(0x3A, 0x3E, 0x45);
/// The colour of a lit segment.
const SEGMENT: Color32 = style::DISPLAY;
/// The colour of a segment that is off.
const SEGMENT_OFF: Color32 = Color32::from_rgb(0x10, 0x16, 0x19);

/// The distance between the edge of the case and its content, as a fraction of the pitch.
const EDGE: f32 = 0.55;
/// The height of the strip with the display above the field, as a fraction of the pitch.
const STRIP: f32 = 1.5;
/// The room for the names of rows and columns, as a fraction of the pitch.
const NAMES: f32 = 0.8;
/// The radius of a light, as a fraction of the pitch.
const LIGHT: f32 = 0.31;
/// The radius of a ring, as a fraction of the pitch.
const RING: f32 = 0.43;
/// The width of the narrowest field with room for the display over it, as a multiple of
/// the pitch.
const NARROWEST: f32 = 7.0;

/// The size of a picture, in multiples of the pitch.
#[must_use]
pub fn size(layout: Layout) -> Vec2 {
    let field = field(&Places::new(layout));
    vec2(
        field.x.max(NARROWEST) + NAMES + 2.0 * EDGE,
        field.y + NAMES + STRIP + 2.0 * EDGE,
    )
}

/// The size of the field, in multiples of the pitch.
fn field(places: &Places) -> Vec2 {
    let corner = places.corner();
    vec2(corner.x + 1.0, corner.y + 1.0)
}

/// One of two boards that are compared.
pub struct SmallBoard<'a> {
    /// The layout of both boards.
    pub layout: Layout,
    /// The frame that the board shows.
    pub frame: &'a Frame,
    /// The frame of the other board: a ring is around each light that differs from it.
    pub other: &'a Frame,
    /// The tick for blinking lights.
    pub tick: Tick,
    /// The palette in which it is painted.
    pub palette: Palette,
}

/// The state of a light at a moment.
#[derive(Clone, Copy)]
struct LightNow {
    /// The colour of the light, even while its rhythm has it off.
    colour: Colour,
    is_lit: bool,
    /// The colour behind the light_now.
    behind: Color32,
}

impl SmallBoard<'_> {
    /// Paints the board with its upper left corner at this place.
    pub fn paint(&self, painter: &Painter, corner: Pos2, pitch: f32) {
        let layout = self.layout;
        let case = Rect::from_min_size(corner, size(layout) * pitch);
        let round = CornerRadius::same((0.5 * pitch) as u8);
        painter.rect(
            case,
            round,
            CASE,
            Stroke::new(1.0, style::widget_hovered()),
            StrokeKind::Inside,
        );
        let inner = case.shrink(EDGE * pitch);
        let strip = Rect::from_min_size(inner.min, vec2(inner.width(), STRIP * pitch));
        self.paint_strip(painter, strip, pitch);
        let places = Places::new(layout);
        let size = field(&places) * pitch;
        let free = inner.width() - NAMES * pitch - size.x;
        let corner = pos2(inner.left() + NAMES * pitch + free / 2.0, strip.bottom());
        let field = Rect::from_min_size(corner, size);
        let at = |spot: PitchSpot| field.min + vec2(spot.x + 0.5, spot.y + 0.5) * pitch;
        match layout.sides() {
            Some(_) => {
                let round = CornerRadius::same((0.3 * pitch) as u8);
                painter.rect_filled(field, round, FIELD);
            }
            None => {
                let corners = places.outline().into_iter().map(at).collect();
                let edge = Stroke::new(pitch, FIELD);
                painter.add(Shape::convex_polygon(corners, FIELD, edge));
            }
        }
        let middle = |point| at(places.spot(point));
        self.paint_names(painter, field, pitch, &middle);
        for point in layout.iter() {
            self.paint_point(painter, point, middle(point), pitch);
        }
    }

    /// True if the boards light this point differently.
    fn differs_at(&self, point: Point) -> bool {
        self.frame.light(point) != self.other.light(point)
    }

    fn paint_point(&self, painter: &Painter, point: Point, middle: Pos2, pitch: f32) {
        let light_now = LightNow {
            colour: self.frame.points.get(point),
            is_lit: self.frame.seen(point, self.tick) != Colour::OFF,
            behind: FIELD,
        };
        self.paint_light(painter, middle, LIGHT * pitch, light_now);
        if self.differs_at(point) {
            ring(painter, middle, pitch);
        }
    }

    /// Paints a light with its glow; the background shows through a ring. A blinking light
    /// that is dark at the moment has a trace of its colour.
    fn paint_light(&self, painter: &Painter, middle: Pos2, radius: f32, light_now: LightNow) {
        if light_now.colour == Colour::OFF {
            painter.circle_filled(middle, radius, MILK);
            return;
        }
        let [red, green, blue] = self.palette.shade(light_now.colour).light;
        let light = Rgba::from_rgb(red, green, blue);
        let shade = match light_now.is_lit {
            true => {
                painter.circle_filled(middle, radius * 1.35, Color32::from(light * 0.06));
                light
            }
            false => Rgba::from(MILK) * 0.9 + light * 0.1,
        };
        painter.circle_filled(middle, radius, Color32::from(shade));
        if self.palette.form(light_now.colour) == MarkShape::Ring {
            painter.circle_filled(middle, radius * 0.45, light_now.behind);
        }
    }

    /// Paints the display between the turn lights.
    fn paint_strip(&self, painter: &Painter, strip: Rect, pitch: f32) {
        let glass = Rect::from_center_size(
            strip.center() - vec2(0.0, 0.2 * pitch),
            vec2((strip.width() - 3.0 * pitch).min(9.0 * pitch), pitch),
        );
        painter.rect_filled(glass, CornerRadius::same((0.2 * pitch) as u8), GLASS);
        let step = glass.width() / (DISPLAY_CHARACTERS as f32 + 0.8);
        let high = (0.62 * pitch).min(step / 0.78);
        let mut letters = self.frame.display.chars();
        for place in 0..DISPLAY_CHARACTERS {
            let x = glass.left() + (place as f32 + 0.9) * step;
            let letter = letters.next().unwrap_or(' ');
            character(painter, pos2(x, glass.center().y), high, letter);
        }
        if self.frame.display != self.other.display {
            let around = glass.expand(0.14 * pitch);
            let round = CornerRadius::same((0.3 * pitch) as u8);
            painter.rect_stroke(around, round, ring_stroke(pitch), StrokeKind::Middle);
        }
        let [green, red] = self.frame.turn_seen(self.tick);
        let [green_on, red_on] = self.frame.turn;
        let [at_green, at_red] = turn_lights_that_differ(self.frame, self.other);
        let left = (strip.left() + glass.left()) / 2.0;
        let right = (strip.right() + glass.right()) / 2.0;
        for (colour, x, is_on, is_lit, differs) in [
            (Colour::GREEN, left, green_on, green, at_green),
            (Colour::RED, right, red_on, red, at_red),
        ] {
            let middle = pos2(x, glass.center().y);
            let light_now = LightNow {
                colour: if is_on { colour } else { Colour::OFF },
                is_lit,
                behind: CASE,
            };
            self.paint_light(painter, middle, 0.26 * pitch, light_now);
            if differs {
                ring(painter, middle, pitch);
            }
        }
    }

    fn paint_names(
        &self,
        painter: &Painter,
        field: Rect,
        pitch: f32,
        middle: &dyn Fn(Point) -> Pos2,
    ) {
        let layout = self.layout;
        let font = FontId::proportional((0.55 * pitch).clamp(7.0, 12.0));
        let write = |place: Pos2, name: String, names_a_difference: bool| {
            let colour = match names_a_difference {
                true => style::text(),
                false => style::faint().gamma_multiply(0.7),
            };
            painter.text(place, Align2::CENTER_CENTER, name, font.clone(), colour);
        };
        let different = |is_there: &dyn Fn(Point) -> bool| {
            layout
                .iter()
                .any(|point| is_there(point) && self.differs_at(point))
        };
        for name in places::edge_names(layout) {
            let EdgeName {
                edge,
                point,
                out,
                text,
            } = name;
            let at = middle(point);
            let here = layout.name(point);
            let place = match edge {
                NameSide::Left | NameSide::Right => at + pitch * vec2(out.x, out.y),
                NameSide::Below => pos2(at.x, field.bottom() + 0.55 * pitch),
            };
            let differs = different(&|other| {
                let other = layout.name(other);
                match edge {
                    NameSide::Left => other.row == here.row,
                    NameSide::Right | NameSide::Below => other.column == here.column,
                }
            });
            write(place, text, differs);
        }
    }
}

/// Paints a ring around a point of interest. It is white, because all colours belong to
/// lights.
fn ring(painter: &Painter, middle: Pos2, pitch: f32) {
    painter.circle_stroke(middle, RING * pitch, ring_stroke(pitch));
}

fn ring_stroke(pitch: f32) -> Stroke {
    Stroke::new((0.07 * pitch).clamp(1.0, 2.5), Color32::WHITE)
}

/// Paints a character of the display, in its segments.
fn character(painter: &Painter, middle: Pos2, high: f32, letter: char) {
    const WIDTH: f32 = 0.60;
    let lit = segments::lit(letter);
    for segment in 0..SEGMENTS {
        let is_lit = lit & 1 << segment != 0;
        let colour = if is_lit { SEGMENT } else { SEGMENT_OFF };
        let corners = segments::outline(segment, WIDTH);
        let place = |corner: &bevy::math::Vec2| middle + vec2(corner.x, corner.y) * high;
        let corners: Vec<Pos2> = corners.iter().map(place).collect();
        painter.add(Shape::convex_polygon(corners, colour, Stroke::NONE));
    }
}
