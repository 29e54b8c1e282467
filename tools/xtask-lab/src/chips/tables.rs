//! Measures the tables.

use std::fmt::Write;

use anyhow::Context;
use firmware_core::games;
use protocol::{KnownLayout, Roster};
use touchboard_links::pico::ChipLoad;
use touchboard_links::pico::at_pins::TouchToLight;
use xtask::board::BoardImage;
use xtask::firmware::{self, How, Program};
use xtask::{image, pico};

use crate::cores::{self, Core};
use crate::instructions;
use crate::touch_to_light::{AtPico, Touches, floor, played_on, plot, touches_at_virtual};

use super::{Table, frames};

/// The seed of all random numbers.
const SEED: u64 = 1;
/// The number of touches per game, also of the one whose parts are listed.
const TOUCHES: usize = 100;
const TOUCHES_IN_PARTS: usize = 1_000;
/// The number of frames per game whose messages are counted.
const FRAMES: usize = 1_000;
/// The number of ticks for which a golden game is repeated.
const REPEATED_TICKS: u64 = 60_000;
/// The layouts that are measured: the usual one, and the largest.
const LAYOUTS: [&str; 2] = ["9x9", "16x16"];
/// The game whose parts are listed.
const REVERSI: u8 = 0;

/// A table, and its plot if it has one.
pub fn measure(table: Table) -> anyhow::Result<(String, Option<String>)> {
    let rows = match table {
        Table::Images => images()?,
        Table::Flash => flash()?,
        Table::Ticks => ticks()?,
        Table::Touches => touches()?,
        Table::Parts => return parts(),
        Table::Beside => beside()?,
        Table::Frames => frames()?,
        Table::Cores => of_cores()?,
    };
    Ok((rows, None))
}

fn grid(text: &str) -> anyhow::Result<KnownLayout> {
    touchboard_links::games::layout(text).map_err(anyhow::Error::msg)
}

/// All games except layout games, in the order of their numbers.
fn all_games() -> impl Iterator<Item = (u8, &'static str)> {
    let named = |number| Some((number, games::about(number)?.name));
    games::BUILT.iter().filter_map(named)
}

/// A number with thousands separators: 12,345.
fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

fn takes(board: BoardImage) -> anyhow::Result<image::Takes> {
    let path = firmware::build(board, &How::default(), Program::Image)?;
    image::measure(&std::fs::read(path)?, board.memory()?)
}

fn images() -> anyhow::Result<String> {
    let mut rows = "\
| image | games | flash | of | RAM | of | left for the stack | contacts and lights |
| --- | --- | ---: | ---: | ---: | ---: | ---: | --- |
"
    .to_owned();
    for board in BoardImage::all() {
        let takes = takes(board)?;
        takes.check()?;
        let panel = match board {
            BoardImage::Pico => "at its pins",
            _ => "none: a host shows its frames",
        };
        let (flash, ram) = (takes.of.flash.bytes, takes.of.ram.bytes);
        writeln!(
            rows,
            "| `{}` | {} | {} | {} | {} | {} | {} | {panel} |",
            board.name(),
            firmware::games_of(board)?,
            thousands(takes.flash_bytes),
            thousands(flash),
            thousands(takes.ram_bytes),
            thousands(ram),
            thousands(ram - takes.ram_bytes),
        )?;
    }
    Ok(rows)
}

/// The size of the functions of each game, including those that the compiler generated
/// for its players.
fn flash() -> anyhow::Result<String> {
    let boards: Vec<BoardImage> = BoardImage::all().collect();
    let names: Vec<String> = boards
        .iter()
        .map(|board| format!("`{}`", board.name()))
        .collect();
    let mut rows = format!(
        "| game | {} |\n| --- |{}\n",
        names.join(" | "),
        " ---: |".repeat(boards.len())
    );
    let mut images = Vec::new();
    for board in boards {
        let path = firmware::build(board, &How::default(), Program::Image)?;
        images.push((firmware::games_of(board)?, std::fs::read(path)?));
    }
    for (number, name) in all_games() {
        write!(rows, "| {name} |")?;
        let letter = Roster::of(&[number]).to_string();
        let module = firmware::features_of(&letter.to_lowercase())?.concat();
        // The compiler's names for the functions of a module, and of its types.
        let names = [
            format!("5games{}{module}", module.len()),
            format!("games..{module}.."),
        ];
        for (games, image) in &images {
            match games.contains(&letter) {
                true => write!(
                    rows,
                    " {} |",
                    thousands(image::functions_bytes(image, &names)?)
                )?,
                false => rows.push_str(" – |"),
            }
        }
        rows.push('\n');
    }
    Ok(rows)
}

/// The ticks of thought per turn, and the moves per game, that are measured on the Pico,
/// which is emulated at a third of its speed.
const EFFORT: [u32; 2] = [2, 4];

/// Only on the Pico: the other chips have their own pages.
fn ticks() -> anyhow::Result<String> {
    let board = BoardImage::Pico;
    let options = instructions::Options::of(board, grid(LAYOUTS[1])?, None, EFFORT);
    let millisecond = u64::from(board.clock_hz() / 1_000);
    // Some games do not permit a touch so early.
    let part = |count: u64| match count {
        0 => "–".to_owned(),
        _ => format!("{} ({} %)", thousands(count), count * 100 / millisecond),
    };
    let mut rows = "| game | tick | touch |\n| --- | ---: | ---: |\n".to_owned();
    for dearest in instructions::dearest(&options)? {
        let name = games::about(dearest.game).map_or("?", |about| about.name);
        let (tick, touch) = (part(dearest.tick), part(dearest.touch));
        writeln!(rows, "| {name} | {tick} | {touch} |")?;
    }
    Ok(rows)
}

/// The emulated board, set up.
fn at_pico(layout: &KnownLayout) -> anyhow::Result<AtPico> {
    let image = firmware::build(BoardImage::Pico, &How::default(), Program::Image)?;
    pico::set_up(&image)?;
    AtPico::start(layout.clone(), SEED)
}

fn quantiles(touches: &[TouchToLight]) -> String {
    match Touches::new(touches.to_vec()).quantiles_ms() {
        Some([p50, p99, worst]) => format!(" {p50:.1} | {p99:.1} | {worst:.1} |"),
        None => " – | – | – |".to_owned(),
    }
}

fn touches() -> anyhow::Result<String> {
    let [small, large] = [grid(LAYOUTS[0])?, grid(LAYOUTS[1])?];
    let mut boards = [at_pico(&small)?, at_pico(&large)?];
    let mut rows = "\
| game | Pico, 9x9: p50 | p99 | worst | Pico, 16x16: p50 | p99 | worst | virtual board: p50 | p99 | worst |
| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
"
    .to_owned();
    for (number, name) in all_games() {
        write!(rows, "| {name} |")?;
        for board in &mut boards {
            rows.push_str(&quantiles(&board.touches(number, TOUCHES)?));
        }
        let at_virtual = touches_at_virtual(&large, number, TOUCHES, SEED)?;
        rows.push_str(&quantiles(&at_virtual));
        rows.push('\n');
    }
    Ok(rows)
}

/// The touches of Reversi, one by one, on each of the layouts.
fn parts() -> anyhow::Result<(String, Option<String>)> {
    let names: Vec<&str> = TouchToLight::default()
        .parts()
        .map(|(name, _)| name)
        .to_vec();
    let mut rows = format!(
        "| board | {} | in all |\n| --- |{}\n",
        names.join(" | "),
        " ---: |".repeat(names.len() + 1)
    );
    let mut bars = Vec::new();
    for name in LAYOUTS {
        let layout = grid(name)?;
        let touches = Touches::new(at_pico(&layout)?.touches(REVERSI, TOUCHES_IN_PARTS)?);
        bars.push((format!("{name}, floor"), floor(*layout)));
        for (part, what) in [(0.5, "p50"), (0.99, "p99"), (1.0, "worst")] {
            let touch = touches.quantile(part).context("a touch has a light")?;
            bars.push((format!("{name}, {what}"), *touch));
        }
    }
    for (name, touch) in &bars {
        write!(rows, "| {name} |")?;
        for (_, ns) in touch.parts() {
            write!(rows, " {:.2} |", ns as f64 / 1e6)?;
        }
        writeln!(rows, " {:.2} |", touch.total_ns() as f64 / 1e6)?;
    }
    Ok((rows, Some(plot(&bars))))
}

/// The frames per second, and the longest time between two scans.
fn beside() -> anyhow::Result<String> {
    let mut rows = "\
| board | frames a second | awake, with nothing to do | awake, while it thinks | longest time between two scans |
| --- | ---: | ---: | ---: | ---: |
"
    .to_owned();
    for name in LAYOUTS {
        let layout = grid(name)?;
        let mut board = at_pico(&layout)?;
        let frames = board.frames_a_second()?;
        let idle = board.idle()?;
        let mut thoughts = Vec::new();
        for (number, game) in played_on(&layout) {
            if let Some(load) = board.thought(number)? {
                thoughts.push((game, load));
            }
        }
        let awake = |load: &ChipLoad| load.awake_ns as f64 / AtPico::WATCHED_US as f64 / 10.0;
        let most = thoughts.iter().max_by_key(|(_, load)| load.awake_ns);
        let longest = thoughts.iter().max_by_key(|(_, load)| load.longest_ns);
        let (most, longest) = most.zip(longest).context("it thinks")?;
        writeln!(
            rows,
            "| {name} | {frames:.0} | {:.0} % | {:.0} % ({}) | {:.2} ms ({}) |",
            awake(&idle),
            awake(&most.1),
            most.0,
            longest.1.longest_ns as f64 / 1e6,
            longest.0
        )?;
    }
    Ok(rows)
}

/// The data per line at the image's speed, and the time of its chain of lights.
fn frames() -> anyhow::Result<String> {
    let layouts = [grid(LAYOUTS[0])?, grid(LAYOUTS[1])?];
    let [lm3s6965evb, netduinoplus2] = [BoardImage::Lm3s6965evb, BoardImage::Netduinoplus2];
    let over_lines = [(lm3s6965evb, 0), (netduinoplus2, 1)];
    let mut picos = Vec::new();
    for layout in &layouts {
        let mut board = at_pico(layout)?;
        let idle = board.idle()?;
        picos.push((board, layout, idle));
    }
    let mut rows = format!(
        "| game | `{}` on {}: usual | largest | `{}` on {}: usual | largest | `pico` on {} | `pico` on {} |\n| --- |{}\n",
        lm3s6965evb.name(),
        LAYOUTS[0],
        netduinoplus2.name(),
        LAYOUTS[1],
        LAYOUTS[0],
        LAYOUTS[1],
        " ---: |".repeat(6)
    );
    for (number, name) in all_games() {
        write!(rows, "| {name} |")?;
        for (image, place) in over_lines {
            let there = firmware::games_of(image)?.contains(&Roster::of(&[number]).to_string());
            let rate = match there {
                true => frames::over_a_line(&layouts[place], number, FRAMES, SEED)?,
                false => None,
            };
            match rate {
                Some([usual, least]) => write!(rows, " {usual} | {least} |")?,
                None => rows.push_str(" – | – |"),
            }
        }
        for (board, layout, idle) in &mut picos {
            let is_played = played_on(layout).any(|(played, _)| played == number);
            match is_played && board.is_played(number)? {
                true => {
                    let load = board.thought(number)?.unwrap_or(*idle);
                    write!(rows, " {} |", frames::on_the_chain(***layout, &load))?;
                }
                false => rows.push_str(" – |"),
            }
        }
        rows.push('\n');
    }
    Ok(rows)
}

fn of_cores() -> anyhow::Result<String> {
    let mut rows = vec![cores::TITLES.to_owned()];
    for core in Core::ALL {
        let repeated = cores::repeat(core, REPEATED_TICKS, false)?;
        let repeated =
            repeated.context("a compiler or QEMU is missing: see `cargo xtask setup`")?;
        rows.push(repeated.row());
    }
    Ok(rows.join("\n"))
}
