//! The cost of the board's code on a chip, in instructions or cycles.
//!
//! A program next to the image plays a mode of a game and reports the most expensive call
//! of each kind. It runs in QEMU, where time is a count of instructions, or on the
//! emulated Pico, where it is a count of cycles.
//!
//! Invariants: the same options give the same figures.

mod on_chip;

use std::fmt;
use std::path::Path;

use anyhow::bail;
use clap::error::ErrorKind;
use clap::{Args, CommandFactory};
use firmware_core::cartridge::LayoutGame;
use firmware_core::games;
use protocol::{KnownLayout, Layout, LayoutTextError, Point};
use serde_json::json;
use shards::{do_all, usual_threads};

use xtask::board::BoardImage;
use xtask::firmware::{self, How, Program};
use xtask::pico;

use on_chip::{Chip, unit};

/// What is asked.
#[derive(Args, Clone, Debug)]
pub struct Options {
    /// The board.
    #[arg(value_enum, default_value = "lm3s6965evb")]
    board: BoardImage,
    /// Columns and rows; or a file with a drawing; or the text of a game to be played,
    /// with `--games E`.
    #[arg(long, value_name = "COLUMNSxROWS|FILE", value_parser = layout, default_value = "9x9")]
    layout: KnownLayout,
    /// Build the image with only these games, as a word of their numbers such as ABC; by
    /// default those of the board's image.
    #[arg(long, value_name = "NUMBERS")]
    games: Option<String>,
    /// Measure only the game of this number.
    #[arg(long, value_name = "NUMBER")]
    game: Option<u8>,
    /// The ticks of thought that are measured in each of the board's turns; a turn takes
    /// at most 3,900.
    #[arg(long, default_value_t = 100)]
    ticks: u32,
    /// The most moves per game.
    #[arg(long, default_value_t = 160)]
    moves: u32,
    /// Begin the game of two people with touches of these points, named as on the board's
    /// case, in one or more words: "e2 e4 e7 e5".
    #[arg(long, value_name = "POINTS", default_value = "")]
    touches: String,
    /// The seed of all random numbers.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Fail if a tick or an input takes more instructions (on the Pico, cycles); by
    /// default, more than the chip can do in a millisecond at one instruction per cycle.
    #[arg(long, value_name = "COUNT")]
    limit: Option<u32>,
    /// Report each mode, not only each game.
    #[arg(long)]
    modes: bool,
    /// Print a JSON object for each mode.
    #[arg(long)]
    json: bool,
}

fn layout(text: &str) -> Result<KnownLayout, String> {
    let path = Path::new(text);
    if !path.is_file() {
        let grid = text.parse();
        return grid.map_err(|_| {
            "write columns and rows, 1 to 16 each, like 16x16, or the name of a file".to_owned()
        });
    }
    let source = std::fs::read_to_string(path).map_err(|error| error.to_string())?;
    if path.extension().is_none_or(|extension| extension != "lud") {
        let drawing = source.parse();
        return drawing.map_err(|error: LayoutTextError| error.to_string());
    }
    let compiled = ludemes::replay::compiled(&source, &[])?;
    compiled.layout().map_err(|error| error.to_string())
}

/// A short name of a layout: `9x9`, `61 points`.
fn name_of(layout: Layout) -> String {
    match layout.sides() {
        Some(sides) => format!("{}x{}", sides.columns(), sides.rows()),
        None => format!("a drawing of {} points", layout.points()),
    }
}

/// The game that a layout brings with it.
fn own_game(layout: &KnownLayout) -> Option<LayoutGame<'_>> {
    LayoutGame::looked_through(layout.drawing()?.as_drawing())
}

impl Options {
    /// Options for this board, layout and games, with the number of ticks of thought per
    /// turn, and of moves per game.
    pub fn of(
        board: BoardImage,
        layout: KnownLayout,
        games: Option<String>,
        [ticks, moves]: [u32; 2],
    ) -> Options {
        Options {
            board,
            layout,
            games,
            game: None,
            ticks,
            moves,
            touches: String::new(),
            seed: 1,
            limit: None,
            modes: false,
            json: false,
        }
    }
}

/// A column of the table: calls of related kinds.
struct Column {
    title: &'static str,
    /// The names of the kinds in the program.
    kinds: &'static [&'static str],
    /// True for what happens during play. Requests of a host may take longer: a board on
    /// its own timer catches up with the missed ticks.
    limited: bool,
}

const COLUMNS: [Column; 8] = [
    Column {
        title: "tick",
        kinds: &["tick", "thought"],
        limited: true,
    },
    Column {
        title: "touch",
        kinds: &["touch", "release", "pass"],
        limited: true,
    },
    Column {
        title: "button",
        kinds: &["button", "settings"],
        limited: true,
    },
    Column {
        title: "start",
        kinds: &["start"],
        limited: true,
    },
    Column {
        title: "position",
        kinds: &["position"],
        limited: false,
    },
    Column {
        title: "digest",
        kinds: &["digest", "legal"],
        limited: false,
    },
    Column {
        title: "save",
        kinds: &["save"],
        limited: false,
    },
    Column {
        title: "load",
        kinds: &["load"],
        limited: false,
    },
];

/// The cost of calls of one kind.
#[derive(Clone, Debug)]
struct Tally {
    kind: String,
    calls: u64,
    worst: u64,
    total: u64,
}

/// A game with its name in the program.
#[derive(Clone, Debug)]
struct Game {
    number: u8,
    modes: u8,
    name: String,
}

/// The measurements of a mode, or of all modes of a game.
struct Measured {
    game: Game,
    /// The mode; `None` for all modes.
    mode: Option<u8>,
    tallies: Vec<Tally>,
}

/// The most expensive tick and touch of a game.
#[derive(Clone, Debug)]
pub struct Dearest {
    /// The number of the game.
    pub game: u8,
    /// The most expensive tick, possibly one of thought.
    pub tick: u64,
    /// The cost of a touch.
    pub touch: u64,
}

/// Measures, and returns the most expensive tick and touch of each game.
pub fn dearest(options: &Options) -> anyhow::Result<Vec<Dearest>> {
    let (games, modes) = measure(options)?;
    let dearest = |game: &Game| {
        let own = |measured: &&Measured| measured.game.number == game.number;
        let together = Measured::together(game, modes.iter().filter(own));
        let [tick, touch, ..] = &COLUMNS;
        Dearest {
            game: game.number,
            tick: together.worst(tick),
            touch: together.worst(touch),
        }
    };
    Ok(games.iter().map(dearest).collect())
}

/// Measures, and prints a table. Fails if something exceeds the limit.
pub fn run(options: &Options) -> anyhow::Result<()> {
    let (games, modes) = measure(options)?;
    print(options, &games, &modes);
    let board = options.board;
    let millisecond = board.clock_hz() / 1_000;
    check(&modes, options.limit.unwrap_or(millisecond), unit(board))
}

/// Builds the program, and measures the selected games mode by mode.
fn measure(options: &Options) -> anyhow::Result<(Vec<Game>, Vec<Measured>)> {
    let board = options.board;
    let layout = &options.layout;
    if layout.points() > board.most_points().into() {
        bad_input(&format!(
            "{} is too large for {}: it has room for {} points",
            name_of(**layout),
            board.name(),
            board.most_points()
        ));
    }
    let touches = touches(options).unwrap_or_else(|sentence| bad_input(&sentence));
    let program = {
        let how = How {
            games: options.games.clone(),
            ..How::default()
        };
        firmware::build(board, &how, Program::Instructions)?
    };
    if board == BoardImage::Pico {
        pico::set_up(&program)?;
    }
    let mut there = Chip::start(board, &program)?.games()?;
    let own = own_game(layout);
    there.retain(|game| own.is_none() || game.number == games::LAYOUTS_OWN);
    if let Some(own) = own {
        if there.is_empty() {
            bad_input(
                "the layout brings a game with it: build an image that plays it with --games E",
            );
        }
        for game in &mut there {
            own.cartridge.name().clone_into(&mut game.name);
        }
    } else {
        there.retain(|game| game.number != games::LAYOUTS_OWN);
    }
    let chosen: Vec<_> = there
        .into_iter()
        .filter(|game| options.game.is_none_or(|number| number == game.number))
        .collect();
    if let (Some(number), true) = (options.game, chosen.is_empty()) {
        bad_input(&format!(
            "there is no game {number}: take one that the README lists"
        ));
    }
    let jobs: Vec<(Game, u8)> = chosen
        .iter()
        .flat_map(|game| (0..game.modes).map(|mode| (game.clone(), mode)))
        .collect();
    let modes = in_parallel(&jobs, |(game, mode)| {
        let tallies = Chip::start(board, &program)?.plays(options, &touches, game.number, *mode)?;
        Ok(Measured {
            game: game.clone(),
            mode: Some(*mode),
            tallies,
        })
    })?;
    Ok((chosen, modes))
}

/// The points to touch at the beginning.
fn touches(options: &Options) -> Result<Vec<Point>, String> {
    let words = options.touches.split_whitespace();
    let points = words.map(|word| {
        let point = options.layout.point(word);
        point.map_err(|error| format!("--touches: {word}: {error}"))
    });
    points.collect()
}

fn bad_input(sentence: &str) -> ! {
    crate::Arguments::command()
        .error(ErrorKind::InvalidValue, sentence)
        .exit()
}

fn print(options: &Options, games: &[Game], modes: &[Measured]) {
    if options.json {
        for measured in modes {
            println!("{}", measured.json(unit(options.board)));
        }
        return;
    }
    print!("{:<14}", "");
    for column in &COLUMNS {
        print!("{:>9}", column.title);
    }
    println!("{:>9}", "mean tick");
    for game in games {
        let own = |measured: &&Measured| measured.game.number == game.number;
        println!("{}", Measured::together(game, modes.iter().filter(own)));
        if options.modes {
            for measured in modes.iter().filter(own) {
                println!("{measured}");
            }
        }
    }
}

/// An error that names the most expensive call if it exceeds the limit.
fn check(modes: &[Measured], limit: u32, unit: &str) -> anyhow::Result<()> {
    let limited = COLUMNS.iter().filter(|column| column.limited);
    let dearest = limited
        .flat_map(|column| {
            modes
                .iter()
                .map(move |mode| (mode.worst(column), mode, column))
        })
        .max_by_key(|(worst, ..)| *worst);
    if let Some((worst, measured, column)) = dearest
        && worst > limit.into()
    {
        bail!(
            "a call takes too long: {} in {} takes {worst} {unit}, and {limit} are allowed",
            column.title,
            measured.name()
        );
    }
    Ok(())
}

impl Measured {
    /// All modes of a game.
    fn together<'a>(game: &Game, modes: impl Iterator<Item = &'a Measured>) -> Measured {
        let mut tallies: Vec<Tally> = Vec::new();
        for tally in modes.flat_map(|mode| &mode.tallies) {
            match tallies.iter_mut().find(|known| known.kind == tally.kind) {
                Some(known) => {
                    known.calls += tally.calls;
                    known.worst = known.worst.max(tally.worst);
                    known.total += tally.total;
                }
                None => tallies.push(tally.clone()),
            }
        }
        Measured {
            game: game.clone(),
            mode: None,
            tallies,
        }
    }

    fn name(&self) -> String {
        match self.mode {
            Some(mode) => format!("{} mode {mode}", self.game.name),
            None => self.game.name.clone(),
        }
    }

    fn worst(&self, column: &Column) -> u64 {
        let own = |tally: &&Tally| column.kinds.contains(&tally.kind.as_str());
        let worst = self.tallies.iter().filter(own).map(|tally| tally.worst);
        worst.max().unwrap_or(0)
    }

    fn json(&self, unit: &str) -> serde_json::Value {
        let calls = self.tallies.iter().map(|tally| {
            let told = json!({
                "calls": tally.calls,
                "worst": tally.worst,
                "mean": tally.mean(),
            });
            (tally.kind.clone(), told)
        });
        json!({
            "game": self.game.number,
            "name": self.game.name,
            "mode": self.mode,
            unit: serde_json::Map::from_iter(calls),
        })
    }
}

impl Tally {
    fn mean(&self) -> u64 {
        self.total / self.calls.max(1)
    }
}

/// A line of the table.
impl fmt::Display for Measured {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.mode {
            Some(mode) => write!(f, "{:<14}", format!("  mode {mode}"))?,
            None => write!(f, "{:<14}", self.game.name)?,
        }
        for column in &COLUMNS {
            write!(f, "{:>9}", self.worst(column))?;
        }
        let [tick, ..] = &COLUMNS;
        let own = |tally: &&Tally| tick.kinds.contains(&tally.kind.as_str());
        let ticks = self.tallies.iter().filter(own);
        let (calls, total) = ticks.fold((0, 0), |(calls, total), tally| {
            (calls + tally.calls, total + tally.total)
        });
        write!(f, "{:>9}", total / calls.max(1))
    }
}

/// Runs the jobs, as many at a time as there are processors. The results are in the order
/// of the jobs.
fn in_parallel<J: Sync, R: Send>(
    jobs: &[J],
    work: impl Fn(&J) -> anyhow::Result<R> + Sync,
) -> anyhow::Result<Vec<R>> {
    let mut results = Vec::new();
    let one = |_: &mut (), (place, job)| (place, work(job));
    do_all(
        jobs.iter().enumerate(),
        usual_threads(),
        one,
        |(place, result)| {
            results.push((place, result?));
            anyhow::Ok(())
        },
    )?;
    results.sort_by_key(|(place, _)| *place);
    Ok(results.into_iter().map(|(_, result)| result).collect())
}
