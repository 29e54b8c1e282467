//! Checks boards at their pins: fingers close contacts, and lights and sounds are decoded
//! from waveforms and buses.
//!
//! A contact is felt a few milliseconds after it closes. So the twin of such a board
//! takes the inputs that the board reported, at their ticks
//! ([`CoreDriver::follow`](crate::CoreDriver::follow)). The board must have felt what the
//! fingers did, and must show what its twin shows ([`PinReading::difference`]).
//!
//! Invariants: no code of the firmware image takes part in the check. Currents and limits
//! are those of the board's page; colours are those of the window's palette.

use std::fmt::Write as _;

use firmware_core::{AnyBoard, Seen, segments};
use protocol::{Colour, DISPLAY_CHARACTERS, Frame, Input, Layout, Tick};

use crate::divergence::NamedDifference;
use crate::palette::Palette;
use crate::words;

/// The current of one channel of a light at full brightness, in mA.
const CHANNEL_MA: f64 = 20.0;
/// The current of a dark light, in mA.
const DARK_MA: f64 = 1.0;
/// The current of everything except the lights, in mA.
const BOARD_MA: f64 = 100.0;
/// The current limit of the whole board, in mA.
const LIMIT_MA: f64 = 500.0;

/// The maximum value of a channel.
const BRIGHTEST: f32 = 255.0;
/// The denominator of dimming factors.
const PARTS: u32 = 256;

/// The largest relative error of a pitch, because a timer cannot produce every pitch
/// exactly.
const PITCH_ERROR: f64 = 0.002;

/// The signals decoded at the pins of a board since the last reading.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PinReading {
    /// The inputs that fingers would cause on sound contacts.
    pub fingers: Vec<Input>,
    /// The inputs that the board reported.
    pub felt: Vec<Input>,
    /// Red, green and blue of each light, as last sent over the chain.
    pub lights: Vec<[u8; 3]>,
    /// The channels of lights that belong to no point and no side.
    pub beside: Vec<[u8; 3]>,
    /// The number of bits on the data line of the lights whose timing violates every data
    /// sheet.
    pub bad_bits: u32,
    /// The lit segments of each character of the display, one bit for each of
    /// [`segments::NAMES`].
    pub characters: [u16; DISPLAY_CHARACTERS],
    /// The pitch of the beeper in Hz; 0 if it is silent.
    pub hz: f64,
}

impl PinReading {
    /// What a correct board with this state should show, without fingers.
    #[must_use]
    pub fn of(board: &AnyBoard) -> PinReading {
        let seen = Seen::of(board.frame(), board.tick());
        let chain = chain(board.layout(), &seen);
        let part = limit(&chain, 0);
        let mut characters = [0; DISPLAY_CHARACTERS];
        for (place, letter) in characters.iter_mut().zip(seen.display.chars()) {
            *place = segments::lit(letter);
        }
        PinReading {
            lights: chain.iter().map(|colour| dimmed(*colour, part)).collect(),
            characters,
            hz: seen.beep_hz.into(),
            ..PinReading::default()
        }
    }

    /// The first difference from what the twin would show.
    #[must_use]
    pub fn difference(&self, twin: &AnyBoard) -> Option<NamedDifference> {
        let layout = twin.layout();
        let seen = Seen::of(twin.frame(), twin.tick());
        self.felt_wrong(layout)
            .or_else(|| self.bits_wrong())
            .or_else(|| self.lights_wrong(layout, &seen))
            .or_else(|| self.display_wrong(&seen))
            .or_else(|| self.pitch_wrong(&seen))
    }

    fn felt_wrong(&self, layout: Layout) -> Option<NamedDifference> {
        let words = |inputs: &[Input]| {
            let words = inputs.iter().map(|input| words::input(*input, layout));
            let words: Vec<String> = words.collect();
            match words.is_empty() {
                true => "nothing".to_owned(),
                false => words.join(", "),
            }
        };
        let (fingers, felt) = (words(&self.fingers), words(&self.felt));
        (self.fingers != self.felt).then(|| NamedDifference::new("contacts", fingers, felt))
    }

    fn bits_wrong(&self) -> Option<NamedDifference> {
        let told = || {
            let board = format!("{} are not", self.bad_bits);
            NamedDifference::new("bits of the lights", "in time", board)
        };
        (self.bad_bits > 0).then(told)
    }

    fn lights_wrong(&self, layout: Layout, seen: &Seen) -> Option<NamedDifference> {
        let expected = chain(layout, seen);
        if self.lights.len() != expected.len() {
            let [twin, board] = [expected.len(), self.lights.len()].map(|count| count.to_string());
            return Some(NamedDifference::new("count of lights", twin, board));
        }
        let right = |part: u32| {
            let pairs = expected.iter().zip(&self.lights);
            pairs
                .filter(|(colour, shown)| dimmed(**colour, part) == **shown)
                .count()
        };
        let most = limit(&expected, self.beside.len());
        if let Some(lit) = self.beside.iter().find(|light| **light != [0; 3]) {
            return Some(NamedDifference::new(
                "light beside the board",
                Colour::OFF.name(),
                shown_words(*lit, most),
            ));
        }
        // Rounding the dimming factor may lose the last step.
        let allowed = match most {
            PARTS => most..=most,
            _ => most.saturating_sub(1)..=most,
        };
        if allowed.clone().any(|part| right(part) == expected.len()) {
            return None;
        }
        let part = (1..=PARTS)
            .rev()
            .max_by_key(|part| (right(*part), allowed.contains(part)));
        let part = part.unwrap_or(PARTS);
        if right(part) == expected.len() {
            let words = |part| format!("{part} of {PARTS} parts of their light");
            let [twin, board] = [most, part].map(words);
            return Some(NamedDifference::new("limit of the lights", twin, board));
        }
        let pairs = expected.iter().zip(&self.lights).enumerate();
        let mut wrong = pairs.filter(|(_, (colour, shown))| dimmed(**colour, part) != **shown);
        let (place, (colour, shown)) = wrong.next()?;
        let name = match layout.iter().nth(place) {
            Some(point) => format!("light {}", layout.name(point)),
            None => format!("turn light {}", place - layout.points() + 1),
        };
        let board = shown_words(*shown, part);
        Some(NamedDifference::new(name, colour.name(), board))
    }

    fn display_wrong(&self, seen: &Seen) -> Option<NamedDifference> {
        let letters = seen.display.chars().chain(std::iter::repeat(' '));
        let expected = letters.take(DISPLAY_CHARACTERS).map(segments::lit);
        let is_right = expected.eq(self.characters);
        let twin = format!("{:?}", &*seen.display);
        (!is_right).then(|| {
            let board = format!("{:?}", read(&self.characters));
            NamedDifference::new("display", twin, board)
        })
    }

    fn pitch_wrong(&self, seen: &Seen) -> Option<NamedDifference> {
        let expected = f64::from(seen.beep_hz);
        let is_right = (self.hz - expected).abs() <= expected * PITCH_ERROR;
        let words = |hz: f64| format!("{hz:.1} Hz");
        (!is_right).then(|| NamedDifference::new("pitch", words(expected), words(self.hz)))
    }
}

/// The colours of a chain: one for each point, then the turn lights.
fn chain(layout: Layout, seen: &Seen) -> Vec<Colour> {
    let points = layout.iter().map(|point| seen.points.get(point));
    let turn = [Colour::GREEN, Colour::RED].into_iter().zip(seen.turn);
    let turn = turn.map(|(colour, is_lit)| if is_lit { colour } else { Colour::OFF });
    points.chain(turn).collect()
}

/// The undimmed brightness of the channels of this colour.
fn full(colour: Colour) -> [u32; 3] {
    let light = Palette::Board.shade(colour).light;
    light.map(|channel| (channel * BRIGHTEST).round() as u32)
}

fn dimmed(colour: Colour, part: u32) -> [u8; 3] {
    full(colour).map(|channel| (channel * part / PARTS) as u8)
}

/// The largest dimming factor (of [`PARTS`]) for a chain with this many additional dark
/// lights.
fn limit(chain: &[Colour], beside: usize) -> u32 {
    let channels = chain.iter().flat_map(|colour| full(*colour)).sum::<u32>();
    let wanted_ma = f64::from(channels) / f64::from(BRIGHTEST) * CHANNEL_MA;
    let spare_ma = LIMIT_MA - BOARD_MA - DARK_MA * (chain.len() + beside) as f64;
    match wanted_ma <= spare_ma {
        true => PARTS,
        false => (spare_ma.max(0.0) / wanted_ma * f64::from(PARTS)) as u32,
    }
}

/// A decoded light in words, with the colour that it means at this dimming factor.
fn shown_words(shown: [u8; 3], part: u32) -> String {
    let [red, green, blue] = shown;
    let mut words = format!("{red} {green} {blue}");
    let all = (0..Colour::COUNT as u8).map(Colour::new);
    let mut same = all.filter(|colour| dimmed(*colour, part) == shown);
    if let Some(colour) = same.next() {
        let _ = write!(words, " ({})", colour.name());
    }
    words
}

/// The current that the lights of a board draw.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LightPower {
    /// The current of the whole board without dimming, in mA.
    pub wanted_ma: f64,
    /// The current that it draws, in mA.
    pub taken_ma: f64,
    /// The current limit in mA; by default 500, that of a USB port.
    pub limit_ma: f64,
    /// The brightness of its lights, in per cent of full brightness.
    pub brightness_percent: f64,
}

impl LightPower {
    /// The current of a board with WS2812 lights, as built in the guide, that shows this
    /// frame at this tick.
    #[must_use]
    pub fn of(layout: Layout, frame: &Frame, tick: Tick) -> LightPower {
        let chain = chain(layout, &Seen::of(frame, tick));
        let part = f64::from(limit(&chain, 0)) / f64::from(PARTS);
        let channels = chain.iter().flat_map(|colour| full(*colour)).sum::<u32>();
        let lit_ma = f64::from(channels) / f64::from(BRIGHTEST) * CHANNEL_MA;
        let rest_ma = BOARD_MA + DARK_MA * chain.len() as f64;
        LightPower {
            wanted_ma: rest_ma + lit_ma,
            taken_ma: rest_ma + lit_ma * part,
            limit_ma: LIMIT_MA,
            brightness_percent: part * 100.0,
        }
    }
}

/// The text that these segments show, with `?` for unknown characters.
fn read(characters: &[u16]) -> String {
    let letter = |lit: &u16| {
        // Some characters look alike; those that a board writes are tried first.
        let likely = ('0'..='9').chain('A'..='Z').chain(' '..='~');
        let mut likely = likely.filter(|letter| segments::lit(*letter) == *lit);
        likely.next().unwrap_or('?')
    };
    characters.iter().map(letter).collect::<String>()
}

#[cfg(test)]
mod tests {
    use protocol::{Button, Deed};

    use super::*;

    /// A board in the middle of a game, and what a correct board would show.
    fn right() -> (AnyBoard, PinReading) {
        let mut board = AnyBoard::new(Layout::MALDOO, 3).expect("a layout");
        let mut silent = |_, _| {};
        for input in [Input::Press(Button::Start), Input::Lift(Button::Start)] {
            board
                .carry_out(&Deed::Input(input), &mut silent)
                .expect("an input");
        }
        board.advance(40, &mut silent);
        let reading = PinReading::of(&board);
        (board, reading)
    }

    fn field(board: &AnyBoard, reading: &PinReading) -> String {
        reading
            .difference(board)
            .map_or("nothing".into(), |named| named.field)
    }

    #[test]
    fn the_pins_of_a_correct_board_show_no_difference() {
        let (board, reading) = right();
        assert_eq!(reading.difference(&board), None);
        assert!(reading.characters.iter().any(|lit| *lit != 0));
    }

    #[test]
    fn a_white_board_is_dimmed_to_its_current_limit() {
        let layout = Layout::MALDOO;
        let mut frame = Frame::default();
        let dark = LightPower::of(layout, &frame, 0);
        assert_eq!((dark.taken_ma, dark.brightness_percent), (183.0, 100.0));
        for point in layout.iter() {
            frame.points.set(point, Colour::WHITE);
        }
        let white = LightPower::of(layout, &frame, 0);
        assert!(white.wanted_ma > 2_000.0 && white.brightness_percent < 20.0);
        assert!(
            (480.0..=white.limit_ma).contains(&white.taken_ma),
            "{white:?}"
        );
    }

    #[test]
    fn each_difference_at_the_pins_has_a_name() {
        let (board, reading) = right();
        let mut wrong = reading.clone();
        wrong.lights.pop();
        assert_eq!(field(&board, &wrong), "count of lights");
        let mut wrong = reading.clone();
        wrong.lights[80] = [3, 3, 3];
        assert_eq!(field(&board, &wrong), "light i1");
        let mut wrong = reading.clone();
        wrong.beside = vec![[0; 3], [255, 11, 8]];
        assert_eq!(field(&board, &wrong), "light beside the board");
        let mut wrong = reading.clone();
        wrong.characters[11] ^= 1;
        assert_eq!(field(&board, &wrong), "display");
        let mut wrong = reading.clone();
        wrong.hz += 441.0;
        assert_eq!(field(&board, &wrong), "pitch");
        let mut wrong = reading.clone();
        wrong.felt.push(Input::Pass);
        assert_eq!(field(&board, &wrong), "contacts");
        let mut wrong = reading;
        wrong.bad_bits = 1;
        assert_eq!(field(&board, &wrong), "bits of the lights");
    }

    #[test]
    fn unneeded_dimming_of_lights_is_a_difference() {
        let seen = |colour| {
            let mut seen = Seen::default();
            for point in Layout::MALDOO.iter() {
                seen.points.set(point, colour);
            }
            seen
        };
        let shown = |seen: &Seen, part| {
            let chain = chain(Layout::MALDOO, seen);
            PinReading {
                lights: chain.iter().map(|colour| dimmed(*colour, part)).collect(),
                ..PinReading::default()
            }
        };
        let white = seen(Colour::WHITE);
        // 81 lights want 676 of 255ths of 20 mA each, and 317 mA are available.
        let part = 317 * 255 * 256 / (20 * 81 * 676);
        let wrong = |part| shown(&white, part).lights_wrong(Layout::MALDOO, &white);
        assert_eq!(wrong(part), None);
        let NamedDifference { field, twin, board } = wrong(256).expect("no limit");
        assert_eq!(field, "limit of the lights");
        assert_eq!(twin, format!("{part} of 256 parts of their light"));
        assert_eq!(board, "256 of 256 parts of their light");
        assert!(wrong(part / 2).is_some());
        let dark = seen(Colour::OFF);
        assert_eq!(shown(&dark, 256).lights_wrong(Layout::MALDOO, &dark), None);
    }

    #[test]
    fn a_display_reads_back_as_written() {
        let lit: Vec<u16> = "REVERSI 64".chars().map(segments::lit).collect();
        assert_eq!(read(&lit), "REVERSI 64");
        assert_eq!(read(&[0x7FFF]), "?");
    }
}
