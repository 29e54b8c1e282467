//! Plants mistakes in the image of the Pico. Each one is made in a copy of its sources
//! and built, and the comparison at the pins must find exactly this mistake.
//!
//! Mistakes in the parts that are wired to the chip are planted by tests
//! (`hil-bridge/links/tests/links/pico_pins/mistakes.rs`), which need no build.
//!
//! Only what is linked into the image alone is copied. The libraries, the core and the wire
//! types are those of the tree, in the builds of its own image.
//!
//! Invariants: images with mistakes are built from the copy, into a folder of their own,
//! so they are never flashed or tested elsewhere; a mistake whose line no longer exists
//! in the source is an error.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::Context;
use touchboard_host::check::{CheckOptions, Verdict, check};
use touchboard_links::pico::{PicoLine, find_image, set_up};
use touchboard_links::{At, Where};
use xtask::board::BoardImage;
use xtask::cargo::{root, run as run_command, target_dir};
use xtask::firmware;
use xtask::scratch::copy;

/// What is copied, from the top of the project.
const SOURCES: [&str; 3] = [
    "Cargo.toml",
    "firmware-core/boards/cortex-m",
    "firmware-core/boards/pico",
];
/// The places of the core and the wire types in the copied manifests, and in the tree.
const OF_THE_TREE: [(&str, &str); 4] = [
    ("path = \"firmware-core\"", "firmware-core"),
    ("path = \"protocol\"", "protocol"),
    ("path = \"../..\"", "firmware-core"),
    ("path = \"../../../protocol\"", "protocol"),
];
/// The image's own package is built without debug information, which no chip is given, so
/// that cargo does not take it for that of the tree.
const OWN_PROFILE: &str = "profile.release.package.pico.debug=false";
/// More steps than are needed to find any of the mistakes.
const STEPS: u64 = 200;
const SEED: u64 = 4;
/// A long timeout is safe, because the emulated time stops until the board has answered.
const PATIENCE_MS: u64 = 600_000;

/// A wrong line, and the resulting difference of the board.
struct Mistake {
    name: &'static str,
    /// The mistake in words.
    is: &'static str,
    /// The path from the folder of the images.
    file: &'static str,
    right: &'static str,
    wrong: &'static str,
    /// The tiles of the board on which the mistake is visible; without any, the board has
    /// a matrix and a chain.
    tiles: Option<&'static str>,
    /// The prefixes of the names of the fields that differ.
    found: &'static [&'static str],
}

const MISTAKES: [Mistake; 7] = [
    Mistake {
        name: "colours",
        is: "red goes out before green",
        file: "cortex-m/src/ws2812.rs",
        right: "u32::from_be_bytes([green, red, blue, 0])",
        wrong: "u32::from_be_bytes([red, green, blue, 0])",
        tiles: None,
        found: &["light ", "turn light "],
    },
    Mistake {
        name: "bits",
        is: "a bit takes 1.65 us",
        file: "pico/src/leds.rs",
        right: "const DIVIDER: u32 = (15 << 16)",
        wrong: "const DIVIDER: u32 = (20 << 16)",
        tiles: None,
        found: &["bits of the lights"],
    },
    Mistake {
        name: "rows",
        is: "each row is taken for the next one",
        file: "pico/src/matrix.rs",
        right: "!(gpio::all() >> FIRST_ROW) as u16",
        wrong: "(!(gpio::all() >> FIRST_ROW) as u16).rotate_left(1)",
        tiles: None,
        found: &["contacts"],
    },
    Mistake {
        name: "limit",
        is: "lights may take ten times as much",
        file: "pico/src/leds.rs",
        right: "pub const LIMIT_MA: u32 = 500;",
        wrong: "pub const LIMIT_MA: u32 = 5_000;",
        tiles: None,
        found: &["limit of the lights", "light "],
    },
    Mistake {
        name: "segments",
        is: "two segments of each letter are exchanged",
        file: "cortex-m/src/ht16k33.rs",
        right: "b\"abcdefghijknml.\"",
        wrong: "b\"abcdefghijklmn.\"",
        tiles: None,
        found: &["display"],
    },
    Mistake {
        name: "tile-colours",
        is: "a tile is told red before green",
        file: "cortex-m/src/trellis/tile.rs",
        right: "let bytes = [green, red, blue];",
        wrong: "let bytes = [red, green, blue];",
        tiles: Some("2x2"),
        found: &["light ", "turn light "],
    },
    Mistake {
        name: "tile-keys",
        is: "a tile is read by columns",
        file: "cortex-m/src/trellis/tile.rs",
        right: "let bit = 1 << (row * SIDE + column);",
        wrong: "let bit = 1 << (column * SIDE + row);",
        tiles: Some("2x2"),
        found: &["contacts"],
    },
];

#[derive(clap::Args)]
pub struct Options {
    /// The mistakes to plant; by default all.
    #[arg(value_parser = MISTAKES.map(|mistake| mistake.name))]
    names: Vec<String>,
    /// The time limit in minutes; mistakes that are left then are listed.
    #[arg(long)]
    minutes: Option<u64>,
}

/// Plants the mistakes one after the other. Fails with the names of those that were not
/// found.
pub fn run(options: &Options) -> anyhow::Result<()> {
    let begun = Instant::now();
    if !set_up::is_set_up(&find_image()?) {
        println!("excused: {}", set_up::MISSING);
        return Ok(());
    }
    let limit = options
        .minutes
        .map(|minutes| Duration::from_secs(60 * minutes));
    let asked = |mistake: &&Mistake| {
        options.names.is_empty() || options.names.iter().any(|name| name == mistake.name)
    };
    let mut missed = Vec::new();
    for mistake in MISTAKES.iter().filter(asked) {
        if limit.is_some_and(|limit| begun.elapsed() > limit) {
            println!("no time is left for {}", mistake.name);
            continue;
        }
        let begun = Instant::now();
        let found = found(&build(mistake)?, mistake)?;
        let took_s = begun.elapsed().as_secs();
        let Mistake { name, is, .. } = mistake;
        println!("{name} ({is}): {found} differs, after {took_s} s");
        if !mistake.found.iter().any(|begin| found.starts_with(begin)) {
            missed.push(format!("{name} is to be found by {:?}", mistake.found));
        }
    }
    anyhow::ensure!(missed.is_empty(), "{}", missed.join("\n"));
    Ok(())
}

/// The image with this mistake.
fn build(mistake: &Mistake) -> anyhow::Result<PathBuf> {
    let folder = target_dir()?.join("planted");
    let tree = folder.join("tree");
    let place = root().join("firmware-core/boards").join(mistake.file);
    let plant = |file: &Path, bytes: Vec<u8>| {
        if file == place {
            return Ok(wrong(&String::from_utf8(bytes)?, mistake)?.into_bytes());
        }
        match file.ends_with("Cargo.toml") {
            true => Ok(on_the_tree(String::from_utf8(bytes)?).into_bytes()),
            false => Ok(bytes),
        }
    };
    for source in SOURCES {
        copy(&root().join(source), &tree.join(source), &plant)?;
    }
    let board = BoardImage::Pico;
    let programs = folder.join("build");
    let from = tree.join("firmware-core/boards").join(board.name());
    let toolchain = firmware::toolchain(board);
    let toolchain = toolchain.context("there is no compiler for the Pico")?;
    let mut build = firmware::building(board.target(), toolchain, &from, &programs);
    build.env("CARGO_BUILD_BUILD_DIR", firmware::builds(toolchain)?);
    build.args(["--config", OWN_PROFILE, "--bin", board.name()]);
    run_command(&mut build)?;
    let built = programs
        .join(board.target())
        .join("release")
        .join(board.name());
    let image = folder.join(format!("{}.elf", mistake.name));
    fs::copy(built, &image)?;
    Ok(image)
}

/// The copied manifest, with the core and the wire types of the tree.
fn on_the_tree(manifest: String) -> String {
    OF_THE_TREE.iter().fold(manifest, |text, (from, to)| {
        text.replace(from, &format!("path = '{}'", root().join(to).display()))
    })
}

/// The source with the mistake.
fn wrong(text: &str, mistake: &Mistake) -> anyhow::Result<String> {
    let Mistake {
        file, right, wrong, ..
    } = mistake;
    let count = text.matches(right).count();
    anyhow::ensure!(count == 1, "{file} has `{right}` {count} times");
    Ok(text.replace(right, wrong))
}

/// The difference between this image and a board in this process, or `nothing` if they
/// agree.
fn found(image: &Path, mistake: &Mistake) -> anyhow::Result<String> {
    let mut place = Where::new(At::Pico(PicoLine::Uart));
    place.program = Some(image.to_owned());
    place.is_test = true;
    place.is_judged_at_pins = true;
    place.line.timeout_ms = PATIENCE_MS;
    let tiles = mistake.tiles.map(str::parse).transpose();
    place.line.tiles = tiles.map_err(anyhow::Error::msg)?;
    let options = CheckOptions::new(place.first_layout(), SEED, STEPS);
    let mut board = place.open()?;
    Ok(match check(&mut *board, &options, &mut |_| ())? {
        Verdict::Differs(finding) => finding.difference.field,
        Verdict::Agrees(_) => "nothing".to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_planted_mistake_is_in_one_line_of_the_image() {
        for mistake in &MISTAKES {
            let file = root().join("firmware-core/boards").join(mistake.file);
            let text = fs::read_to_string(&file).expect("a source");
            let wrong = wrong(&text, mistake).unwrap_or_else(|error| panic!("{error}"));
            assert_ne!(wrong, text);
        }
    }
}
