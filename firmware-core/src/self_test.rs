//! The self-test of a front panel: it shows whether all lights, keys, the display and the
//! beeper work. It starts if STOP is held while the board is switched on.
//!
//! All lights are red, then green, blue and white, each with a tone and the colour's name
//! on the display. Then each key responds when it is pressed: a point is white while its
//! key is down and green afterwards; the display shows the name of the key and the number
//! of keys left. STOP ends the test at any time, and the board continues as usual.
//!
//! Invariants: the output depends only on the keys and the time; no key pressed during
//! the test is an input of the board.

use core::fmt::Write as _;

use protocol::{Button, Colour, Input, Layout, Point, Text};

use crate::points::Points;
use crate::scan::Down;
use crate::seen::Seen;
use crate::word::Wide;

/// How long all lights shine in one colour, in milliseconds.
pub const COLOUR_MS: u32 = 1_000;
/// The length of a tone in milliseconds.
const TONE_MS: u32 = 150;
/// The colours of all lights, in order, each with its name and the pitch of its tone.
const COLOURS: [(Colour, &str, u16); 4] = [
    (Colour::RED, "Red", 440),
    (Colour::GREEN, "Green", 554),
    (Colour::BLUE, "Blue", 659),
    (Colour::WHITE, "White", 880),
];
/// The text on the display once all keys have been pressed.
const ALL_WELL: &str = "All keys";
/// The bits of all buttons.
const BUTTONS: u8 = (1 << Button::ALL.len()) - 1;
/// The bit of the Stop/Cont button.
pub const STOP: u8 = 1 << Button::Stop as u8;

/// A self-test that is in progress.
#[derive(Clone, Debug, Default)]
pub struct SelfTest {
    passed_ms: u32,
    /// The keys that have been pressed so far.
    pressed: Down<Wide>,
    /// The points and buttons that are down.
    down: Down<Wide>,
    /// The key that the display names.
    last: Option<Input>,
    /// True once STOP, which started the test, has been released.
    was_let_go: bool,
    /// The end of the current tone, and its pitch.
    tone: Option<(u32, u16)>,
}

impl SelfTest {
    /// Lets `ms` milliseconds pass while these keys are down. True once the test is over.
    pub fn pass(&mut self, layout: Layout, down: Down<Wide>, ms: u32) -> bool {
        let before = self.colour();
        self.passed_ms = self.passed_ms.saturating_add(ms);
        if self.passed_ms == ms || before != self.colour() {
            self.tone = self.colour().map(|(.., hz)| (self.passed_ms + TONE_MS, hz));
        }
        let stops = down.buttons & STOP != 0;
        self.was_let_go |= !stops;
        if stops && self.was_let_go {
            return true;
        }
        if self.colour().is_none() {
            self.press(layout, down);
        }
        self.down = down;
        false
    }

    /// Records the keys that went down.
    fn press(&mut self, layout: Layout, down: Down<Wide>) {
        let new = Down {
            points: down.points.without(self.down.points),
            buttons: down.buttons & !self.down.buttons & !STOP,
        };
        let Some(key) = new.first() else { return };
        let were_left = self.left(layout);
        for point in layout.iter().filter(|point| new.points.has(*point)) {
            self.pressed.points.insert(point);
        }
        self.pressed.buttons |= new.buttons;
        self.last = Some(key);
        let hz = match (were_left, self.left(layout)) {
            (1.., 0) => 1_760,
            _ => 880,
        };
        self.tone = Some((self.passed_ms + TONE_MS, hz));
    }

    /// The colour of all lights, its name and the pitch of its tone; `None` in the test
    /// of the keys.
    fn colour(&self) -> Option<(Colour, &'static str, u16)> {
        COLOURS.get((self.passed_ms / COLOUR_MS) as usize).copied()
    }

    /// The number of keys not pressed yet, without STOP, which ends the test.
    fn left(&self, layout: Layout) -> usize {
        let buttons = self.pressed.buttons & BUTTONS & !STOP;
        let pressed = Points::len(self.pressed.points) + buttons.count_ones() as usize;
        (layout.points() + Button::ALL.len() - 1).saturating_sub(pressed)
    }

    /// The lights and the text to show.
    #[must_use]
    pub fn seen(&self, layout: Layout) -> Seen {
        let mut seen = Seen::default();
        let sounds = self.tone.filter(|(until, _)| self.passed_ms < *until);
        seen.beep_hz = sounds.map_or(0, |(_, hz)| hz);
        if let Some((colour, name, _)) = self.colour() {
            for point in layout.iter() {
                seen.points.set(point, colour);
            }
            seen.turn = [true; 2];
            seen.display = Text::clipped(name);
            return seen;
        }
        for point in layout.iter() {
            seen.points.set(point, self.answer(point));
        }
        let left = self.left(layout);
        seen.turn = [left == 0; 2];
        let _ = match self.last {
            _ if left == 0 => write!(seen.display, "{ALL_WELL}"),
            None => write!(seen.display, "Press {left}"),
            Some(Input::Touch(point)) => write!(seen.display, "{} {left}", layout.name(point)),
            Some(Input::Press(button)) => write!(seen.display, "{} {left}", button.name()),
            Some(_) => Ok(()),
        };
        seen
    }

    /// The colour of a point in the test of the keys.
    fn answer(&self, point: Point) -> Colour {
        match (self.down.points.has(point), self.pressed.points.has(point)) {
            (true, _) => Colour::WHITE,
            (false, true) => Colour::GREEN,
            (false, false) => Colour::OFF,
        }
    }
}
