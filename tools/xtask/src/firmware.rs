//! Builds firmware images.
//!
//! If rustup has the target, an image is built as usual. If rustup cannot fetch it (no
//! network, or no rustup), Debian's `rustc-web` builds the core library from its sources.
//! The toolchain is chosen automatically.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::Context;
use clap::{Args, ValueEnum};

use crate::board::BoardImage;
use crate::cargo::{self, put, run, succeeds};
use crate::image;
use crate::pico;
use crate::uf2;

/// The sources and the linker that Debian's compiler needs.
pub(crate) const DEBIAN_NEEDS: [&str; 3] = [
    "/usr/bin/rustc",
    "/usr/lib/rustlib/src/rust/library/core/Cargo.toml",
    "/usr/bin/ld.lld",
];

/// The toolchain that builds an image.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Toolchain {
    /// The usual compiler, with rustup's target.
    Rustup,
    /// Debian's rustc-web, rust-web-src and lld.
    Debian,
}

/// The program that runs on a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Program {
    /// The image of the board.
    Image,
    /// The program that measures the cost of the image's code.
    Instructions,
}

impl Program {
    /// The name of the program in its board's package.
    fn name(self, board: BoardImage) -> &'static str {
        match self {
            Program::Image => board.name(),
            Program::Instructions => "instructions",
        }
    }
}

/// A feature of an image.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Feature {
    /// A mistake in the rules, for testing the tests.
    BrokenRule,
}

/// Which images, and how.
#[derive(Args, Clone, Debug)]
pub struct Options {
    /// The board; all boards by default.
    #[arg(value_enum)]
    board: Option<BoardImage>,
    #[command(flatten)]
    how: How,
}

/// How an image is built.
#[derive(Args, Clone, Debug, Default)]
pub struct How {
    /// Build with this feature.
    #[arg(long, value_enum)]
    pub features: Option<Feature>,
    /// Only these games, as a word of their numbers such as 059; all games by default.
    #[arg(long, value_name = "NUMBERS")]
    pub games: Option<String>,
    /// Build with this toolchain; by default one that is available.
    #[arg(long, value_enum)]
    pub toolchain: Option<Toolchain>,
}

impl How {
    pub fn with(features: Option<Feature>) -> How {
        How {
            features,
            ..How::default()
        }
    }
}

/// Builds the requested images, and prints their sizes.
pub fn run_all(options: &Options) -> anyhow::Result<()> {
    let boards = match options.board {
        Some(board) => vec![board],
        None => BoardImage::all().collect(),
    };
    build_and_tell(&boards, &options.how).map(|_| ())
}

/// The toolchain to build an image of this board, after trying to fetch rustup's target.
pub fn toolchain(board: BoardImage) -> Option<Toolchain> {
    toolchain_for(board.target())
}

/// The same for any processor.
pub fn toolchain_for(target: &str) -> Option<Toolchain> {
    if has_rustup_target(target) {
        Some(Toolchain::Rustup)
    } else if DEBIAN_NEEDS.iter().all(|path| Path::new(path).exists()) {
        Some(Toolchain::Debian)
    } else if fetch_rustup_target(target) && has_rustup_target(target) {
        Some(Toolchain::Rustup)
    } else {
        None
    }
}

/// True if rustup has the core library for this target.
pub fn has_rustup_target(target: &str) -> bool {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let mut print = Command::new(rustc);
    print.current_dir(cargo::root());
    print.args(["--print", "target-libdir", "--target", target]);
    let Ok(output) = print.output() else {
        return false;
    };
    let folder = String::from_utf8_lossy(&output.stdout);
    Path::new(folder.trim()).is_dir()
}

/// Tries only once, so that a machine without a network fails within seconds.
pub fn fetch_rustup_target(target: &str) -> bool {
    eprintln!("Fetching the target {target} with rustup.");
    let mut rustup = Command::new("rustup");
    rustup.args(["target", "add", target]);
    rustup.env("RUSTUP_MAX_RETRIES", "0");
    succeeds(rustup.current_dir(cargo::root()))
}

/// Builds images, prints a table of their sizes, and returns their paths. An image that
/// is too large for its board is an error.
pub fn build_and_tell(boards: &[BoardImage], how: &How) -> anyhow::Result<Vec<PathBuf>> {
    let mut paths = Vec::new();
    for board in boards {
        paths.push(build(*board, how, Program::Image)?);
    }
    println!("{}", image::TITLES);
    for (board, path) in boards.iter().zip(&paths) {
        let takes = image::measure(&std::fs::read(path)?, board.memory()?)?;
        println!("{}", takes.row(path));
        image::write_memory(path, &takes)?;
        takes.check()?;
        if *board == BoardImage::Pico {
            uf2::write(path)?;
            pico::set_up(path)?;
        }
    }
    Ok(paths)
}

/// Builds a program, and returns its path.
pub fn build(board: BoardImage, how: &How, program: Program) -> anyhow::Result<PathBuf> {
    let target = board.target();
    let toolchain = how.toolchain.or_else(|| toolchain(board));
    let toolchain = toolchain.with_context(|| {
        format!(
            "there is no compiler for {}: run `rustup target add {target}`, or install Debian's rustc-web, rust-web-src and lld",
            board.name()
        )
    })?;
    let bin = program.name(board);
    let Build {
        mut command,
        images,
        built,
    } = begin(&board.folder(), target, toolchain)?;
    command.args(["--bin", bin]);
    let mut name = match program {
        Program::Image => bin.to_owned(),
        Program::Instructions => format!("{}-{bin}", board.name()),
    };
    if let Some(games) = &how.games {
        command.arg("--no-default-features");
        let features = features_of(games)?;
        check_room(board, &features)?;
        command.args(["--features", &features.join(",")]);
        name.push_str(&format!("-{games}"));
    }
    if how.features == Some(Feature::BrokenRule) {
        command.args(["--features", "broken-rule"]);
        name.push_str("-broken-rule");
    }
    let image = images.join(format!("{name}.elf"));
    let built = built.join(bin);
    run_alone(&mut command, &images, || put(&built, &image))?;
    Ok(image)
}

/// A build of an image.
pub struct Build {
    /// The command that builds the image.
    pub command: Command,
    /// The folder of all images.
    pub images: PathBuf,
    /// The folder of the built programs.
    pub built: PathBuf,
}

/// The command that builds the package in a folder for this processor.
pub fn begin(folder: &Path, target: &str, toolchain: Toolchain) -> anyhow::Result<Build> {
    let images = images()?;
    let builds = builds(toolchain)?;
    let command = building(target, toolchain, folder, &builds);
    let built = builds.join(target).join("release");
    Ok(Build {
        command,
        images,
        built,
    })
}

/// The folder of all images.
fn images() -> anyhow::Result<PathBuf> {
    Ok(cargo::target_dir()?.join("firmware"))
}

/// The folder in which a toolchain builds them.
pub fn builds(toolchain: Toolchain) -> anyhow::Result<PathBuf> {
    Ok(images()?.join(match toolchain {
        Toolchain::Rustup => "build",
        Toolchain::Debian => "build-debian",
    }))
}

/// Runs the build and passes the built program to `then`. Images of one board with
/// different features are built in the same place, so no other build may run in between.
pub fn run_alone(
    build: &mut Command,
    images: &Path,
    then: impl FnOnce() -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    std::fs::create_dir_all(images)?;
    let alone = std::fs::File::create(images.join("lock"))?;
    alone
        .lock()
        .context("the folder of the images cannot be locked")?;
    run(build)?;
    then()
}

/// The command that builds an image for this processor, or all programs of its folder if
/// none is named, from the folder `from` into `builds`.
pub fn building(target: &str, toolchain: Toolchain, from: &Path, builds: &Path) -> Command {
    let mut build = cargo::cargo();
    build.current_dir(from);
    build.args(["build", "--release", "--locked", "--target", target]);
    build.arg("--target-dir").arg(builds);
    // The flags for the host's programs do not apply to the board's.
    build.env_remove("RUSTFLAGS");
    build.env_remove("CARGO_ENCODED_RUSTFLAGS");
    if toolchain == Toolchain::Debian {
        use_debian(&mut build, target);
    }
    build
}

/// The features of these games, according to the table of games.
pub fn features_of(games: &str) -> anyhow::Result<Vec<String>> {
    let table = table_of_games()?;
    let feature = |letter: char| {
        let number = letter.to_digit(36);
        let row = table.iter().find(|(of, _)| Some(*of) == number);
        let known = table
            .iter()
            .filter_map(|(number, _)| char::from_digit(*number, 36));
        let known: String = known.collect();
        let row = row.with_context(|| {
            format!(
                "there is no game {letter:?}: write some of {} in one word",
                known.to_uppercase()
            )
        });
        row.map(|(_, feature)| feature.clone())
    };
    games.chars().map(feature).collect()
}

/// The games of this board's image, as a word of their numbers.
pub fn games_of(board: BoardImage) -> anyhow::Result<String> {
    let text = manifest(board)?;
    let default = text.lines().find(|line| line.starts_with("default = "));
    let default = default.context("an image has features by default")?;
    let has = |feature: &str| default.contains(&format!("\"{feature}\""));
    let table = table_of_games()?.into_iter();
    let numbers = table.filter_map(|(number, feature)| has(&feature).then_some(number));
    let letters = numbers.filter_map(|number| char::from_digit(number, 36));
    Ok(letters.collect::<String>().to_uppercase())
}

/// The number and the feature of each game.
fn table_of_games() -> anyhow::Result<Vec<(u32, String)>> {
    let path = cargo::root().join("firmware-core/src/games/mod.rs");
    let text = std::fs::read_to_string(&path);
    let text = text.with_context(|| format!("{} cannot be read", path.display()))?;
    let rows = text.lines().filter_map(row_of_table);
    Ok(rows
        .map(|(number, feature)| (number, feature.to_owned()))
        .collect())
}

fn manifest(board: BoardImage) -> anyhow::Result<String> {
    let path = board.folder().join("Cargo.toml");
    let text = std::fs::read_to_string(&path);
    text.with_context(|| format!("{} cannot be read", path.display()))
}

/// An error with advice, if the image of this board has no such features.
fn check_room(board: BoardImage, features: &[String]) -> anyhow::Result<()> {
    let lacks = |board: BoardImage| {
        let text = manifest(board)?;
        let is_there = |feature: &&String| text.contains(&line_of(feature));
        let missing = features.iter().find(|feature| !is_there(feature));
        anyhow::Ok(missing.cloned())
    };
    let Some(feature) = lacks(board)? else {
        return Ok(());
    };
    let others = BoardImage::all().filter(|other| matches!(lacks(*other), Ok(None)));
    let others: Vec<&str> = others.map(BoardImage::name).collect();
    anyhow::bail!(
        "{} has no room for `{feature}`: build it for {}",
        board.name(),
        others.join(" or ")
    );
}

/// The line for a feature in the manifest of an image.
fn line_of(feature: &str) -> String {
    format!("{feature} = [\"firmware-core/{feature}\"]")
}

/// The number and the feature in a row such as `#[cfg(feature = "reversi")] REVERSI 0
/// reversi Reversi;`.
fn row_of_table(line: &str) -> Option<(u32, &str)> {
    let row = line.trim().strip_prefix("#[cfg(feature = \"")?;
    let (feature, row) = row.split_once("\")] ")?;
    let mut words = row.strip_suffix(';')?.split(' ').skip(1);
    let number = words.next()?.parse().ok()?;
    (words.count() == 2).then_some((number, feature))
}

fn use_debian(build: &mut Command, target: &str) {
    build.env("RUSTC", DEBIAN_NEEDS[0]);
    // Debian's compiler is a stable one, but building the core library is an unstable
    // feature.
    build.env("RUSTC_BOOTSTRAP", "1");
    for setting in [
        "unstable.build-std=['core']".to_owned(),
        format!("target.{target}.linker='ld.lld'"),
        format!("target.{target}.rustflags=['-C','linker-flavor=ld.lld']"),
    ] {
        build.args(["--config", &setting]);
    }
}

#[cfg(test)]
mod tests {
    use firmware_core::games;
    use protocol::Roster;

    use super::*;

    /// Features that do not fit into the smaller board's flash.
    const ONLY_LARGE: &str = "cartridge";

    #[test]
    fn every_game_has_its_feature_in_every_image() {
        let all = games::BUILT.or(Roster::of(&[games::LAYOUTS_OWN]));
        let features = features_of(&all.to_string());
        let mut features = features.expect("they are all in the table");
        assert_eq!(features.len(), all.len());
        check_room(BoardImage::Netduinoplus2, &features).expect("the large one has room for each");
        features.retain(|feature| feature != ONLY_LARGE);
        for board in BoardImage::all() {
            check_room(board, &features).expect("it has room for each");
        }
    }

    #[test]
    fn the_games_of_an_image_are_its_default_features() {
        let of = |board| games_of(board).expect("it says so");
        assert_eq!(of(BoardImage::Netduinoplus2), games::ROSTER.to_string());
        let all = games::BUILT.or(Roster::of(&[games::LAYOUTS_OWN]));
        assert_eq!(of(BoardImage::Pico), all.to_string());
    }

    #[test]
    fn a_game_without_room_is_refused_with_a_larger_board() {
        let features = features_of("0E").expect("they are in the table");
        let error = check_room(BoardImage::Lm3s6965evb, &features).unwrap_err();
        let sentence =
            "lm3s6965evb has no room for `cartridge`: build it for netduinoplus2 or pico";
        assert_eq!(error.to_string(), sentence);
    }

    #[test]
    fn an_unknown_game_is_refused_with_the_known_ones() {
        let error = features_of("0x").unwrap_err().to_string();
        assert!(error.contains("0123456789"), "{error}");
    }
}
