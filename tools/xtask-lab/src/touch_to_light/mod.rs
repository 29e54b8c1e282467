//! The latency of a touch, from the closing of its contact to its light, in board
//! time.
//!
//! On the emulated Pico contacts close at random moments of a scan, and the lights
//! are decoded from the waveform at their pin. On the virtual board a finger touches
//! its simulated matrix, and the frame counts as the light. The other images have no
//! simulated pins: a host sees their frames.
//!
//! Invariants: the same options and image give the same figures.

mod at_pico;
mod at_virtual;
mod plot;

use std::fmt;
use std::ops::RangeInclusive;

use clap::{Args, ValueEnum};
use firmware_core::{Rng, Seen, games};
use protocol::{Frame, KnownLayout, Point, Roster, Settings, Tick};
use serde_json::json;
use touchboard_links::pico::at_pins::TouchToLight;

pub use at_pico::AtPico;
pub use at_virtual::{frames as frames_at_virtual, touches as touches_at_virtual};
pub use plot::{floor, plot};

/// The matrix that a finger touches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum MatrixAt {
    /// The matrix at the pins of the emulated Pico.
    Pico,
    /// The simulated matrix of the virtual board.
    Virtual,
}

/// What is asked.
#[derive(Args, Clone, Debug)]
pub struct Options {
    /// Whose matrix.
    #[arg(value_enum, default_value = "pico")]
    at: MatrixAt,
    /// Columns and rows, or a file with a drawing or the text of a game
    #[arg(long, value_name = "COLUMNSxROWS|FILE", value_parser = touchboard_links::games::layout, default_value = "9x9")]
    layout: KnownLayout,
    /// Only these games, as a word of their numbers such as 059; by default all games of
    /// the board
    #[arg(long, value_name = "NUMBERS")]
    games: Option<Roster>,
    /// The number of touches per game
    #[arg(long, value_name = "COUNT", default_value_t = 100)]
    touches: usize,
    /// The seed of all random numbers
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Print a JSON object for each touch
    #[arg(long)]
    json: bool,
}

/// Measures, and prints the results.
pub fn run(options: &Options) -> anyhow::Result<()> {
    let (layout, seed) = (&options.layout, options.seed);
    if !options.json {
        println!("{}", Row::TITLES);
    }
    let mut pico = match options.at {
        MatrixAt::Pico => Some(AtPico::start(layout.clone(), seed)?),
        MatrixAt::Virtual => None,
    };
    for (number, name) in played_on(layout) {
        if options.games.is_some_and(|games| !games.has(number)) {
            continue;
        }
        let touches = match &mut pico {
            Some(pico) => pico.touches(number, options.touches)?,
            None => at_virtual::touches(layout, number, options.touches, seed)?,
        };
        if options.json {
            for touch in &touches {
                println!("{}", json_of(number, name, touch));
            }
        } else {
            println!("{}", Row::of(name, &touches));
        }
    }
    Ok(())
}

/// The games for a layout, by number and name: its own, or all that need no layout of
/// their own.
pub fn played_on(layout: &KnownLayout) -> impl Iterator<Item = (u8, &'static str)> {
    let own = games::on_layout(**layout, Roster::NONE);
    let there = if own.is_empty() { games::BUILT } else { own };
    let is_drawn = layout.drawing().is_some();
    there.iter().filter_map(move |number| {
        let about = games::about(number)?;
        (!is_drawn || about.any_layout).then_some((number, about.name))
    })
}

/// The settings for a game of two people without a time limit.
fn settings(game: u8) -> Settings {
    Settings {
        game,
        time: 9,
        ..Settings::default()
    }
}

/// True if a light differs between the two frames at one of these ticks. A light that
/// begins to blink, and is dark first, becomes visible later: that is not a delay of the
/// board.
fn lights_change(before: &Frame, after: &Frame, mut ticks: RangeInclusive<Tick>) -> bool {
    ticks.any(|tick| {
        let [before, after] = [before, after].map(|frame| Seen::of(frame, tick));
        before.points != after.points || before.turn != after.turn
    })
}

/// A random one of the points.
fn any(points: &[Point], rng: &mut Rng) -> Option<Point> {
    let count = points.len() as u32;
    (count > 0).then(|| points[rng.below(count) as usize])
}

fn json_of(number: u8, name: &str, touch: &TouchToLight) -> serde_json::Value {
    let parts = touch.parts().map(|(part, ns)| (part.to_owned(), ns.into()));
    let parts = serde_json::Map::from_iter(parts);
    json!({ "game": number, "name": name, "ns": parts, "total_ns": touch.total_ns() })
}

/// Touches, sorted by their duration.
#[derive(Clone, Debug, Default)]
pub struct Touches(Vec<TouchToLight>);

impl Touches {
    /// Sorts these touches.
    pub fn new(mut all: Vec<TouchToLight>) -> Touches {
        all.sort_by_key(TouchToLight::total_ns);
        Touches(all)
    }

    /// The touch at this quantile: this share of all touches were no slower.
    pub fn quantile(&self, part: f64) -> Option<&TouchToLight> {
        let place = (self.0.len() as f64 * part).ceil() as usize;
        self.0.get(place.saturating_sub(1))
    }

    /// p50, p99 and worst, in milliseconds.
    pub fn quantiles_ms(&self) -> Option<[f64; 3]> {
        let ms = |part| Some(self.quantile(part)?.total_ns() as f64 / 1e6);
        Some([ms(0.5)?, ms(0.99)?, ms(1.0)?])
    }

    /// The longest time that the board itself took, in milliseconds.
    pub fn board_ms(&self) -> Option<f64> {
        let most = self.0.iter().map(|touch| touch.board_ns).max()?;
        Some(most as f64 / 1e6)
    }
}

/// A row of the table: a game and its quantiles.
pub struct Row {
    name: &'static str,
    touches: Touches,
}

impl Row {
    /// The titles of the rows; times are in milliseconds.
    pub const TITLES: &str = "\
| game | touches | p50 ms | p99 ms | worst ms | of it the board |
| --- | ---: | ---: | ---: | ---: | ---: |";

    /// The row for these touches of a game.
    pub fn of(name: &'static str, touches: &[TouchToLight]) -> Row {
        Row {
            name,
            touches: Touches::new(touches.to_vec()),
        }
    }
}

impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (name, count) = (self.name, self.touches.0.len());
        let figures = self.touches.quantiles_ms().zip(self.touches.board_ms());
        match figures {
            Some(([p50, p99, worst], board)) => write!(
                f,
                "| {name} | {count} | {p50:.2} | {p99:.2} | {worst:.2} | {board:.2} |"
            ),
            None => write!(f, "| {name} | 0 | no touch has a light | | | |"),
        }
    }
}

#[cfg(test)]
mod tests;
