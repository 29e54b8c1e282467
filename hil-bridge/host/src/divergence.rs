//! The first difference when one board repeats a session of another: its tick, a
//! description, and both frames at that tick. Also the difference between two frames.

use std::fmt;

use protocol::{Frame, KnownLayout, Layout, Point, Tick};

use crate::words;

/// The first moment at which two boards showed different frames.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Divergence {
    /// The tick at which the frames differ.
    pub tick: Tick,
    /// The number of moves made before.
    pub moves: u32,
    /// The difference in words: `e4 was green, now red`.
    pub what: String,
    /// The layout of both boards.
    pub layout: KnownLayout,
    /// The frame of the earlier board.
    pub before: Frame,
    /// The frame of the repeating board.
    pub after: Frame,
}

impl Divergence {
    /// The move after which it occurred, and the difference: `move 12: e4 was green,
    /// now red`.
    #[must_use]
    pub fn title(&self) -> String {
        match self.moves {
            0 => format!("before the first move: {}", self.what),
            moves => format!("move {moves}: {}", self.what),
        }
    }

    /// True if this point was lit differently.
    #[must_use]
    pub fn is_at(&self, point: Point) -> bool {
        self.before.light(point) != self.after.light(point)
    }

    /// The number of points that were lit differently.
    #[must_use]
    pub fn points(&self) -> usize {
        self.layout
            .iter()
            .filter(|point| self.is_at(*point))
            .count()
    }

    /// True if the display showed a different text.
    #[must_use]
    pub fn is_on_display(&self) -> bool {
        self.before.display != self.after.display
    }

    /// True for each turn light that was different, `[green, red]`.
    #[must_use]
    pub fn is_at_turn(&self) -> [bool; 2] {
        turn_lights_that_differ(&self.before, &self.after)
    }
}

/// Writes `move 12, tick 4021: e4 was green, now red`.
impl fmt::Display for Divergence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Divergence { tick, what, .. } = self;
        match self.moves {
            0 => write!(f, "before the first move, tick {tick}: {what}"),
            moves => write!(f, "move {moves}, tick {tick}: {what}"),
        }
    }
}

/// The result of repeating a session with different firmware.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rerun {
    /// The first difference, if there is one.
    pub first: Option<Divergence>,
    /// The number of moves made.
    pub moves: u32,
    /// The tick that was reached.
    pub tick: Tick,
}

/// A field that differs, and its values on the two boards.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedDifference {
    /// The path of a field of the state, or the name of something that is shown.
    pub field: String,
    /// The value on the twin.
    pub twin: String,
    /// The value on the board.
    pub board: String,
}

impl NamedDifference {
    /// This field has these values on the twin and on the board.
    #[must_use]
    pub fn new(
        field: impl Into<String>,
        twin: impl Into<String>,
        board: impl Into<String>,
    ) -> NamedDifference {
        NamedDifference {
            field: field.into(),
            twin: twin.into(),
            board: board.into(),
        }
    }
}

/// True for each turn light in which two frames differ, `[green, red]`.
#[must_use]
pub fn turn_lights_that_differ(before: &Frame, after: &Frame) -> [bool; 2] {
    [0, 1].map(|side| {
        let is_lit = before.turn[side] || after.turn[side];
        before.turn[side] != after.turn[side] || is_lit && before.turn_rhythm != after.turn_rhythm
    })
}

/// The first difference between two frames: the part, and both values.
#[must_use]
pub fn frame_difference(layout: Layout, twin: &Frame, board: &Frame) -> Option<NamedDifference> {
    for point in layout.iter() {
        let [ours, theirs] = [twin, board].map(|frame| frame.light(point));
        if ours != theirs {
            let field = format!("the light of {}", layout.name(point));
            let [ours, theirs] = [ours, theirs].map(words::light);
            return Some(NamedDifference::new(field, ours, theirs));
        }
    }
    let texts = [
        (
            "the turn lights",
            format!("{:?} {}", twin.turn, twin.turn_rhythm.name()),
            format!("{:?} {}", board.turn, board.turn_rhythm.name()),
        ),
        (
            "when what blinks began",
            twin.beat.to_string(),
            board.beat.to_string(),
        ),
        (
            "the display",
            twin.display.to_string(),
            board.display.to_string(),
        ),
        (
            "the beeper",
            twin.beep_hz.to_string(),
            board.beep_hz.to_string(),
        ),
    ];
    let (field, ours, theirs) = texts.into_iter().find(|(_, ours, theirs)| ours != theirs)?;
    Some(NamedDifference::new(field, ours, theirs))
}

/// The difference between the frames of two boards, in words.
pub(crate) fn difference(layout: Layout, before: &Frame, after: &Frame) -> Option<String> {
    let light = |point: Point| {
        let [was, now] = [before, after].map(|frame| frame.light(point));
        (was != now).then(|| {
            let [was, now] = [was, now].map(words::light);
            format!("{} was {was}, now {now}", layout.name(point))
        })
    };
    let words = || {
        let NamedDifference { field, twin, board } = frame_difference(layout, before, after)?;
        Some(format!("{field} was {twin}, now {board}"))
    };
    layout.iter().find_map(light).or_else(words)
}

#[cfg(test)]
mod tests {
    use protocol::{Colour, Rhythm};

    use super::*;

    fn between(before: Frame, after: Frame) -> Divergence {
        let layout = Layout::MALDOO;
        Divergence {
            tick: 4_021,
            moves: 12,
            what: difference(layout, &before, &after).unwrap_or_default(),
            layout: layout.into(),
            before,
            after,
        }
    }

    #[test]
    fn a_divergence_names_the_first_point_and_finds_all() {
        let [mut before, mut after] = [Frame::default(), Frame::default()];
        for (name, was, now) in [
            ("e4", Colour::GREEN, Colour::RED),
            ("a1", Colour::OFF, Colour::AMBER),
            ("f5", Colour::RED, Colour::RED),
        ] {
            let point = Layout::MALDOO.point(name).unwrap();
            before.points.set(point, was);
            after.points.set(point, now);
        }
        let found = between(before, after);
        assert_eq!(
            found.to_string(),
            "move 12, tick 4021: e4 was green, now red"
        );
        assert_eq!(found.title(), "move 12: e4 was green, now red");
        assert_eq!(found.points(), 2);
        assert_eq!(
            (found.is_on_display(), found.is_at_turn()),
            (false, [false; 2])
        );
    }

    #[test]
    fn a_differently_blinking_turn_light_is_found() {
        let before = Frame {
            turn: [true, false],
            ..Frame::default()
        };
        let after = Frame {
            turn_rhythm: Rhythm::Fast,
            ..before.clone()
        };
        let found = between(before, after);
        assert_eq!(found.is_at_turn(), [true, false]);
        assert_eq!(found.points(), 0);
        assert!(found.what.starts_with("the turn lights"), "{}", found.what);
    }
}
