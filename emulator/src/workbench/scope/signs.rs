//! The signs on the timeline for events, each with its description in words.

use bevy_egui::egui::{Color32, Painter, Pos2, Rect, Shape, Stroke, Ui, pos2, vec2};
use protocol::{Event, Layout, Settings, Side, StampedEvent, Tick};
use touchboard_host::event_words;
use touchboard_host::signals::EventKind;

use super::super::style;

/// A sign on the timeline.
#[derive(Clone, Debug, PartialEq)]
pub struct Sign {
    /// The tick of the sign.
    pub tick: Tick,
    /// The shape of the sign.
    pub look: SignShape,
    /// The event in words.
    pub words: String,
}

/// The shape of a sign.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SignShape {
    /// An input: a short line.
    Input,
    /// A side made a move, or a part of one: the mark of the side, small for a part.
    Move {
        /// The side that moved.
        side: Side,
        /// True for a part of a move.
        is_part: bool,
    },
    /// A touch that was no move: a cross.
    Illegal,
    /// A game began: a triangle.
    Begins,
    /// A game ended: a square.
    Ends,
    /// A pause began or ended: two lines.
    Pause,
    /// A clock ran out, or a move was taken back: a ring.
    Ring,
    /// The beeper sounded: a small wave.
    Bleep,
    /// A mark of the user: a flag.
    Flag,
}

impl Sign {
    /// The sign of an event in a game with these settings; `None` for events
    /// without one.
    pub fn of(event: &StampedEvent, settings: &Settings, layout: Layout) -> Option<Sign> {
        let look = match event.event {
            Event::Move { side, .. } => SignShape::Move {
                side,
                is_part: false,
            },
            Event::Part { side, .. } => SignShape::Move {
                side,
                is_part: true,
            },
            _ => match EventKind::of(&event.event)? {
                EventKind::Input => SignShape::Input,
                EventKind::Illegal => SignShape::Illegal,
                EventKind::Started => SignShape::Begins,
                EventKind::Stopped | EventKind::Over => SignShape::Ends,
                EventKind::Paused => SignShape::Pause,
                EventKind::TimedOut | EventKind::TakenBack | EventKind::Passed => SignShape::Ring,
                EventKind::Bleep => SignShape::Bleep,
                EventKind::Settings | EventKind::Move | EventKind::Part => return None,
            },
        };
        let words = match &event.event {
            Event::Taken(input) => touchboard_host::words::input(*input, layout),
            other => event_words::event(other, settings, layout)?,
        };
        Some(Sign {
            tick: event.tick,
            look,
            words,
        })
    }

    /// Paints the sign at `x`, within the height of `row`.
    pub fn paint(&self, ui: &Ui, painter: &Painter, x: f32, row: Rect) {
        let low = pos2(x, row.bottom() - 7.0);
        let high = pos2(x, row.top() + 8.0);
        let middle = pos2(x, row.center().y);
        match self.look {
            SignShape::Input => {
                painter.vline(x, low.y..=row.bottom(), Stroke::new(1.0, style::faint()));
            }
            SignShape::Move { side, is_part } => {
                style::mark(ui, middle, if is_part { 2.5 } else { 4.5 }, side);
            }
            SignShape::Illegal => cross(painter, middle, style::error()),
            SignShape::Begins => flag_of(painter, high, style::accent()),
            SignShape::Ends => {
                let square = Rect::from_center_size(high, vec2(8.0, 8.0));
                painter.rect_filled(square, 1.0, style::text());
            }
            SignShape::Pause => {
                for side in [-2.0, 2.0] {
                    let stroke = Stroke::new(2.0, style::text());
                    painter.vline(x + side, high.y - 4.0..=high.y + 4.0, stroke);
                }
            }
            SignShape::Ring => {
                painter.circle_stroke(high, 4.0, Stroke::new(1.5, style::warning()));
            }
            SignShape::Bleep => {
                let points = [(-3.0, 0.0), (-1.0, -3.0), (1.0, 3.0), (3.0, 0.0)];
                let points = points.map(|(right, down)| high + vec2(right, down));
                painter.line(points.to_vec(), Stroke::new(1.2, style::faint()));
            }
            SignShape::Flag => {
                let stroke = Stroke::new(1.5, style::next_fill());
                painter.vline(x, row.top()..=row.bottom(), stroke);
                let tip = [(0.0, -5.0), (9.0, -1.5), (0.0, 2.0)];
                let tip = tip.map(|(right, down)| high + vec2(right, down));
                painter.add(Shape::convex_polygon(
                    tip.to_vec(),
                    style::next_fill(),
                    Stroke::NONE,
                ));
            }
        }
    }
}

fn cross(painter: &Painter, middle: Pos2, colour: Color32) {
    let stroke = Stroke::new(1.8, colour);
    for side in [-1.0, 1.0] {
        let arm = vec2(4.0, 4.0 * side);
        painter.line_segment([middle - arm, middle + arm], stroke);
    }
}

/// Draws a triangle that points to the right.
fn flag_of(painter: &Painter, middle: Pos2, colour: Color32) {
    let points = [(-4.0, -5.0), (5.0, 0.0), (-4.0, 5.0)];
    let points = points.map(|(right, down)| middle + vec2(right, down));
    painter.add(Shape::convex_polygon(points.to_vec(), colour, Stroke::NONE));
}
