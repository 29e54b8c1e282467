//! A picture of the lights as decoded from the pins of the Pico, and one of the window at
//! the same tick.
//!
//! A game is started on an emulated Pico, and some moves are made at its contacts. The
//! signals at its pins are decoded and drawn on the front plate, in the colours sent to
//! the lights. The contacts that the board reported, with their times, form a session;
//! the window takes a screenshot at its end.
//!
//! Invariants: everything drawn was decoded, and agrees with the twin at that tick.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, ensure};
use firmware_core::segments::{NAMES, SEGMENTS};
use protocol::{Button, Deed, Event, Input, Layout, StampedEvent, Tick};
use touchboard_host::case::{BUTTON_CAP, CasePlan, DISPLAY, DOME, Flat, TURN_LIGHT, segment_ends};
use touchboard_host::palette::encoded;
use touchboard_host::pins::PinReading;
use touchboard_host::session::{Header, SessionItem};
use touchboard_host::{CoreDriver, Driver, Session};
use touchboard_links::pico::PicoLine;
use touchboard_links::{At, SessionInFile, Where};
use xtask::cargo::{cargo, root, run as run_command};

/// The folder of the book's pictures.
const FOLDER: &str = "tools/book/src/boards/building";
const PIXELS: &str = "pixels.svg";
const WINDOW: &str = "window.png";
const SESSION: &str = "pixels.session";

const LAYOUT: Layout = Layout::MALDOO;
const SEED: u64 = 7;
/// Each move is this many places after the previous one in the list of legal moves.
const FAR_APART: usize = 5;
/// The pause between two moves.
const PAUSE_TICKS: Tick = 300;
/// The size of the picture, the same as that of the screenshot.
const SIDE: u32 = 640;
/// A long timeout is safe, because the emulated time stops until the board has answered.
const PATIENCE_MS: u64 = 600_000;

#[derive(clap::Args)]
pub struct Options {
    /// How many moves are made before
    #[arg(long, default_value_t = 14)]
    moves: usize,
    /// Only draw what the pins show, because the window takes long to build
    #[arg(long)]
    no_window: bool,
    /// The folder to write into
    #[arg(long, value_name = "FOLDER", default_value = FOLDER)]
    out: PathBuf,
}

/// Makes both pictures.
pub fn make(options: &Options) -> anyhow::Result<()> {
    let (session, reading) = play(options.moves)?;
    let path = |name| options.out.join(name);
    fs::create_dir_all(&options.out)?;
    session.save(&path(SESSION))?;
    fs::write(path(PIXELS), svg(&CasePlan::new(LAYOUT), &reading))?;
    println!("{} at tick {}", path(PIXELS).display(), session.last_tick());
    if options.no_window {
        return Ok(());
    }
    let mut emulator = cargo();
    emulator.args([
        "run", "--quiet", "-p", "emulator", "--bin", "emulator", "--",
    ]);
    emulator.args([
        "--headless",
        "--mute",
        "--no-panel",
        "--still",
        "--top",
        "--fresh",
    ]);
    emulator.args(["--size", &format!("{SIDE}x{SIDE}"), "--screenshot"]);
    emulator.arg(absolute(&path(WINDOW)));
    run_command(emulator.arg(absolute(&path(SESSION))))?;
    println!("{} at the same tick", path(WINDOW).display());
    Ok(())
}

fn absolute(path: &Path) -> PathBuf {
    root().join(path)
}

/// Makes this many moves. Returns the session up to the tick at which the pins were read,
/// and the reading.
fn play(moves: usize) -> anyhow::Result<(Session, PinReading)> {
    let mut place = Where::new(At::Pico(PicoLine::Uart));
    (place.is_test, place.is_judged_at_pins) = (true, true);
    place.line.timeout_ms = PATIENCE_MS;
    let mut board = place.open()?;
    let (seed, layout) = (SEED, LAYOUT);
    board.carry_out(&Deed::Reset { seed, layout })?;
    board.take_events();
    let mut twin = CoreDriver::with_games(layout, board.roster(), seed)?;
    let header = Header::new(layout, seed, "what the pins of a Pico showed");
    let mut session = Session::new(header.with_games(board.roster()));
    let mut told: Vec<StampedEvent> = Vec::new();
    let mut act = |board: &mut dyn Driver, input: Input| {
        board.step(&[input, input.reverse()], PAUSE_TICKS)?;
        let fresh = board.take_events();
        twin.follow(&fresh, board.tick());
        told.extend(fresh);
        anyhow::Ok(())
    };
    act(&mut *board, Input::Press(Button::Start))?;
    for number in 0..moves {
        let legal = board.legal()?;
        let mut choice = legal.iter().cycle().skip(FAR_APART * number);
        let point = choice.next().context("the game is over before")?;
        act(&mut *board, Input::Touch(*point))?;
    }
    let reading = board.read_pins()?.context("it has pins")?;
    let difference = reading.difference(twin.board());
    ensure!(difference.is_none(), "its pins are wrong: {difference:?}");
    for event in told {
        if let Event::Taken(input) = event.event {
            session.push(event.tick, SessionItem::Do(Deed::Input(input)));
        }
    }
    session.push(twin.tick(), SessionItem::Digest(twin.digest()?));
    session.push(twin.tick(), SessionItem::End);
    Ok((session, reading))
}

fn colour(light: [u8; 3]) -> String {
    let [red, green, blue] = light.map(|channel| encoded(f32::from(channel) / 255.0));
    format!("#{red:02x}{green:02x}{blue:02x}")
}

const PLATE: &str = "#26282b";
const DARK: &str = "#17181a";
const LIT_SEGMENT: &str = "#6fd3ff";
const DARK_SEGMENT: &str = "#1d2a30";
/// The margin around the plate, in units of the case.
const AROUND: f32 = 0.2;
/// The position and the size of a character in its cell, as fractions of the cell.
const FIRST: Flat = Flat::new(0.2, 0.22);
const SIZE: Flat = Flat::new(0.52, 0.56);

/// The decoded lights, drawn on the front plate.
fn svg(plan: &CasePlan, reading: &PinReading) -> String {
    let [least, most] = plan.plate().extent();
    let size = most - least + Flat::splat(2.0 * AROUND);
    let corner = least - Flat::splat(AROUND);
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{SIDE}\" viewBox=\"{:.3} {:.3} {:.3} {:.3}\">\n",
        corner.x, corner.y, size.x, size.y
    );
    let plate = plan.plate();
    let edge = plate.edge().into_iter();
    let places = edge.map(|(middle, out)| middle + out * plate.radius());
    let places: Vec<String> = places
        .map(|place| format!("{:.3},{:.3}", place.x, place.y))
        .collect();
    let _ = writeln!(
        text,
        "<polygon fill=\"{PLATE}\" points=\"{}\"/>",
        places.join(" ")
    );
    for button in Button::ALL {
        rectangle(&mut text, plan.button(button), BUTTON_CAP, DARK);
    }
    let points = plan
        .layout()
        .iter()
        .map(|point| (plan.point(point), DOME * plan.pitch()));
    let turn = plan.turn_lights().map(|lamp| (lamp, TURN_LIGHT));
    for ((middle, radius), light) in points.chain(turn).zip(&reading.lights) {
        let fill = match *light {
            [0, 0, 0] => DARK.to_owned(),
            light => colour(light),
        };
        let Flat { x, y, .. } = middle;
        let _ = writeln!(
            text,
            "<circle cx=\"{x:.3}\" cy=\"{y:.3}\" r=\"{radius:.3}\" fill=\"{fill}\"/>"
        );
    }
    rectangle(&mut text, plan.display(), DISPLAY, DARK);
    let cell = Flat::new(DISPLAY.x / reading.characters.len() as f32, DISPLAY.y);
    let first = plan.display() - DISPLAY / 2.0;
    for (number, lit) in reading.characters.iter().enumerate() {
        let corner = first + Flat::new(cell.x * number as f32, 0.0);
        character(&mut text, corner, cell, *lit);
    }
    text.push_str("</svg>\n");
    text
}

fn rectangle(text: &mut String, middle: Flat, size: Flat, fill: &str) {
    let corner = middle - size / 2.0;
    let _ = writeln!(
        text,
        "<rect x=\"{:.3}\" y=\"{:.3}\" width=\"{:.3}\" height=\"{:.3}\" fill=\"{fill}\"/>",
        corner.x, corner.y, size.x, size.y
    );
}

/// The segments of a character in this cell, with the dark ones first.
fn character(text: &mut String, corner: Flat, cell: Flat, lit: u16) {
    let part = |of: Flat| Flat::new(of.x * cell.x, of.y * cell.y);
    let (first, size) = (part(FIRST), part(SIZE));
    let mut of = |is_lit: bool, stroke: &str| {
        for (bit, segment) in NAMES.iter().enumerate().take(SEGMENTS) {
            if (lit >> bit & 1 == 1) != is_lit {
                continue;
            }
            let place = |of: Flat| corner + first + Flat::new(of.x * size.x, of.y * size.y);
            let [from, to] = segment_ends(*segment).map(place);
            let _ = writeln!(
                text,
                "<line x1=\"{:.3}\" y1=\"{:.3}\" x2=\"{:.3}\" y2=\"{:.3}\" stroke=\"{stroke}\" stroke-width=\"0.045\" stroke-linecap=\"round\"/>",
                from.x, from.y, to.x, to.y
            );
        }
    };
    of(false, DARK_SEGMENT);
    of(true, LIT_SEGMENT);
}

#[cfg(test)]
mod tests {
    use touchboard_host::session::{Replay, SessionEntry};

    use super::*;

    /// If the pins show something else, the picture must be created again.
    #[test]
    fn the_picture_of_the_book_shows_the_pins_of_its_session() {
        let folder = root().join(FOLDER);
        let session = Session::load(&folder.join(SESSION)).expect("a session");
        let header = &session.header;
        let mut board =
            CoreDriver::with_games(*header.layout, header.roster, header.seed).expect("a board");
        let mut replay = Replay::begin(&mut board, header).expect("it begins");
        for SessionEntry { tick, item } in &session.entries {
            replay.act(*tick, item).expect("it goes on");
        }
        assert_eq!(board.tick(), session.last_tick());
        let reading = PinReading::of(board.board());
        let lit = reading
            .lights
            .iter()
            .filter(|light| **light != [0; 3])
            .count();
        assert!(lit >= 8, "{lit} lights shine");
        let picture = fs::read_to_string(folder.join(PIXELS)).expect("a picture");
        assert!(
            picture == svg(&CasePlan::new(LAYOUT), &reading),
            "cargo xtask pixels draws another one"
        );
        assert!(folder.join(WINDOW).is_file());
    }

    #[test]
    fn a_light_is_drawn_with_the_gamma_of_a_screen() {
        assert_eq!(colour([0, 255, 0]), "#00ff00");
        assert_eq!(colour([55, 55, 55]), "#808080");
        assert_eq!(colour([1, 0, 0]), "#0d0000");
    }
}
