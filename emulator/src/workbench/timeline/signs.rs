//! The signs on the timeline for events and for the other entries of a session, each with
//! its description in words.
//!
//! What goes wrong has a sign of its own: a fault, a line that is lost, a restart, a
//! difference from the twin.

use bevy_egui::egui::{Color32, Painter, Pos2, Rect, Shape, Stroke, Ui, pos2, vec2};
use protocol::{Deed, Event, Layout, Settings, Side, StampedEvent, Tick};
use touchboard_host::event_words;
use touchboard_host::session::{NoteKind, SessionItem};
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
    /// Faults were injected or cleared: a bolt of lightning.
    Faults,
    /// The line was lost: a line with a gap.
    Lost,
    /// The board answers again: a closed line.
    Found,
    /// The board restarted, or its state was loaded: the symbol of a power switch.
    Restarted,
    /// The board and its twin differ: an inequality sign.
    Differs,
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

    /// The sign of an entry of a session at this session time; `None` for entries that are
    /// seen otherwise, such as inputs.
    pub fn of_item(tick: Tick, item: &SessionItem) -> Option<Sign> {
        let (look, words) = match item {
            SessionItem::Note(note) => {
                let (kind, words) = NoteKind::of(note);
                let look = match kind {
                    NoteKind::Faults => SignShape::Faults,
                    NoteKind::Differs => SignShape::Differs,
                    NoteKind::Lost => SignShape::Lost,
                    NoteKind::Found => SignShape::Found,
                    NoteKind::Restarted => SignShape::Restarted,
                    NoteKind::Mark => SignShape::Flag,
                };
                let words = match kind {
                    // The only ones that are no sentence without the word for the kind.
                    NoteKind::Faults | NoteKind::Differs => note,
                    _ => words,
                };
                (look, words.to_owned())
            }
            SessionItem::Do(Deed::Reset { seed, layout }) => (
                SignShape::Restarted,
                format!("the board restarts: {layout}, seed {seed}"),
            ),
            SessionItem::Load(_) => (SignShape::Restarted, "a state is loaded".to_owned()),
            _ => return None,
        };
        Some(Sign { tick, look, words })
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
            SignShape::Begins => triangle(painter, high, style::accent()),
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
            SignShape::Flag => flag(painter, high, row, style::next_fill()),
            SignShape::Faults => bolt(painter, high, style::warning()),
            SignShape::Lost => line_with_gap(painter, high, 3.0, style::error()),
            SignShape::Found => line_with_gap(painter, high, 0.0, style::accent()),
            SignShape::Restarted => power(painter, high, style::warning()),
            SignShape::Differs => unequal(painter, high, style::error()),
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

/// Draws a bolt of lightning.
fn bolt(painter: &Painter, middle: Pos2, colour: Color32) {
    let points = [(2.0, -6.0), (-3.0, 1.0), (1.0, 0.0), (-2.0, 6.0)];
    let points = points.map(|(right, down)| middle + vec2(right, down));
    painter.line(points.to_vec(), Stroke::new(1.8, colour));
}

/// Draws a line between two ends of a cable, with a gap of this half width between them.
fn line_with_gap(painter: &Painter, middle: Pos2, gap: f32, colour: Color32) {
    for side in [-1.0, 1.0] {
        let (inner, outer) = (middle.x + side * gap, middle.x + side * 7.0);
        let stroke = Stroke::new(1.8, colour);
        painter.line_segment([pos2(inner, middle.y), pos2(outer, middle.y)], stroke);
        painter.vline(inner, middle.y - 3.5..=middle.y + 3.5, stroke);
    }
}

/// Draws the symbol of a power switch: a circle that is open at the top, and a stroke in
/// the opening.
fn power(painter: &Painter, middle: Pos2, colour: Color32) {
    let stroke = Stroke::new(1.6, colour);
    let arc = (0..=20).map(|step| {
        let angle = (40.0 + 14.0 * step as f32).to_radians();
        middle + vec2(angle.sin(), -angle.cos()) * 5.0
    });
    painter.line(arc.collect(), stroke);
    painter.vline(middle.x, middle.y - 6.5..=middle.y - 1.0, stroke);
}

/// Draws an inequality sign.
fn unequal(painter: &Painter, middle: Pos2, colour: Color32) {
    let stroke = Stroke::new(1.8, colour);
    for down in [-2.0, 2.0] {
        let y = middle.y + down;
        painter.hline(middle.x - 5.0..=middle.x + 5.0, y, stroke);
    }
    painter.line_segment([middle + vec2(-3.0, 5.5), middle + vec2(3.0, -5.5)], stroke);
}

/// Draws a flag with its pole over the height of `row`.
fn flag(painter: &Painter, middle: Pos2, row: Rect, colour: Color32) {
    painter.vline(middle.x, row.top()..=row.bottom(), Stroke::new(1.5, colour));
    let tip = [(0.0, -5.0), (9.0, -1.5), (0.0, 2.0)];
    let tip = tip.map(|(right, down)| middle + vec2(right, down));
    painter.add(Shape::convex_polygon(tip.to_vec(), colour, Stroke::NONE));
}

/// Draws a triangle that points to the right.
fn triangle(painter: &Painter, middle: Pos2, colour: Color32) {
    let points = [(-4.0, -5.0), (5.0, 0.0), (-4.0, 5.0)];
    let points = points.map(|(right, down)| middle + vec2(right, down));
    painter.add(Shape::convex_polygon(points.to_vec(), colour, Stroke::NONE));
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The shape and the words of the sign of an entry.
    fn sign(item: SessionItem) -> Option<(SignShape, String)> {
        let sign = Sign::of_item(7, &item)?;
        assert_eq!(sign.tick, 7);
        Some((sign.look, sign.words))
    }

    #[test]
    fn everything_that_goes_wrong_has_a_sign_of_its_own() {
        let reset = Deed::Reset {
            seed: 3,
            layout: Layout::MALDOO,
        };
        let note = |kind: NoteKind| SessionItem::Note(kind.note("no ports d6"));
        let all = [
            (
                note(NoteKind::Faults),
                SignShape::Faults,
                "faults: no ports d6",
            ),
            (
                note(NoteKind::Differs),
                SignShape::Differs,
                "differs: no ports d6",
            ),
            (note(NoteKind::Lost), SignShape::Lost, "no ports d6"),
            (note(NoteKind::Found), SignShape::Found, "no ports d6"),
            (
                note(NoteKind::Restarted),
                SignShape::Restarted,
                "no ports d6",
            ),
            (note(NoteKind::Mark), SignShape::Flag, "no ports d6"),
            (
                SessionItem::Do(reset),
                SignShape::Restarted,
                "the board restarts: 9x9, seed 3",
            ),
            (
                SessionItem::Load(Vec::new()),
                SignShape::Restarted,
                "a state is loaded",
            ),
        ];
        for (item, look, words) in all {
            assert_eq!(sign(item), Some((look, words.to_owned())));
        }
        for seen_otherwise in [SessionItem::Digest(1), SessionItem::End] {
            assert_eq!(sign(seen_otherwise), None);
        }
    }
}
