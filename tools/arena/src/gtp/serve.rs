//! `arena serve`: the board's player as a program that speaks the Go Text Protocol, for
//! use by any program that supports it.
//!
//! The board's rules apply: an illegal move is refused, and once the game is over by
//! these rules, the player passes.

use std::io::{BufRead, Write};

use clap::Args;
use firmware_core::{BoardTurn, Wide, Word, games};
use protocol::{Layout, Point, Side};

use super::error::{GtpError, Refused};
use super::words::{Notation, Vertex, colour_of};
use crate::names;
use crate::played_game::MatchSetup;
use crate::seats::Seats;

/// Options of `arena serve`.
#[derive(Args)]
pub struct Options {
    /// The game: SpeedGo or Reversi.
    #[arg(long, default_value = "SpeedGo", value_parser = names::game)]
    game: u8,
    /// The player's level, 1-4.
    #[arg(long, default_value_t = 4, value_parser = clap::value_parser!(u8).range(1..=4))]
    level: u8,
    /// The seed of the first game; each new game takes the next number.
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// The supported commands, in the order of the protocol's own list.
const COMMANDS: [&str; 14] = [
    "protocol_version",
    "name",
    "version",
    "known_command",
    "list_commands",
    "quit",
    "boardsize",
    "clear_board",
    "komi",
    "play",
    "genmove",
    "undo",
    "final_score",
    "final_status_list",
];

/// Answers commands until the other side sends `quit` or closes the connection.
///
/// # Errors
/// If the protocol has no commands for the game.
pub fn run(options: &Options) -> Result<(), GtpError> {
    let mut server = Server::new(options.game, options.level, options.seed)?;
    let mut output = std::io::stdout().lock();
    for line in std::io::stdin().lock().lines() {
        let Ok(line) = line else { break };
        let Some((answer, goes_on)) = server.answer(&line) else {
            continue;
        };
        if write!(output, "{answer}\n\n")
            .and_then(|()| output.flush())
            .is_err()
            || !goes_on
        {
            break;
        }
    }
    Ok(())
}

/// The game in progress, and its settings.
pub struct Server {
    setup: MatchSetup,
    notation: Notation,
    level: u8,
    seed: u64,
    komi: f32,
    moves: Vec<(Side, Option<Point>)>,
    table: Table,
}

/// A game on a board of any word width.
enum Table {
    Small(Box<Seats<u64>>),
    Middle(Box<Seats<u128>>),
    Large(Box<Seats<Wide>>),
}

/// Evaluates the same expression for every word width.
macro_rules! on {
    ($table:expr, $seats:ident => $what:expr) => {
        match $table {
            Table::Small($seats) => $what,
            Table::Middle($seats) => $what,
            Table::Large($seats) => $what,
        }
    };
}

impl Table {
    fn new(setup: &MatchSetup, seed: u64) -> Option<Table> {
        Some(match setup.layout.points() {
            0..=64 => Table::Small(Box::new(Seats::new(setup, seed)?)),
            65..=128 => Table::Middle(Box::new(Seats::new(setup, seed)?)),
            _ => Table::Large(Box::new(Seats::new(setup, seed)?)),
        })
    }

    fn turn(&self) -> Option<Side> {
        on!(self, seats => seats.turn())
    }

    /// Plays a stone or a pass for this side. If it is the other side's turn, that side
    /// passes first. False if the rules forbid it.
    fn play(&mut self, side: Side, point: Option<Point>) -> bool {
        on!(self, seats => play_on(seats, side, point))
    }

    fn move_of(&mut self, side: Side, level: u8) -> Option<BoardTurn> {
        on!(self, seats => seats.move_of(side, level))
    }
}

fn play_on<W: Word>(seats: &mut Seats<W>, side: Side, point: Option<Point>) -> bool {
    let Some(turn) = seats.turn() else {
        // The game is over by the board's rules; only passes are accepted.
        return point.is_none();
    };
    if turn != side {
        let Some(_) = point else {
            // The side could not move, and the board has already passed for it.
            return true;
        };
        if !seats.pass() {
            return false;
        }
    }
    match point {
        Some(point) => seats.touch(point),
        None => seats.pass(),
    }
}

impl Server {
    /// A server for this game.
    ///
    /// # Errors
    /// If the protocol has no commands for the game.
    pub fn new(game: u8, level: u8, seed: u64) -> Result<Server, GtpError> {
        let (notation, mode, layout) = super::usual(game)?;
        let setup = MatchSetup {
            game,
            mode,
            speed: 5,
            layout,
            random_moves: 0,
        };
        let table = Table::new(&setup, seed).ok_or(GtpError::NoTable)?;
        let moves = Vec::new();
        Ok(Server {
            setup,
            notation,
            level,
            seed,
            komi: 0.0,
            moves,
            table,
        })
    }

    /// The answer to a line, and whether to continue reading; `None` for a line without a
    /// command.
    pub fn answer(&mut self, line: &str) -> Option<(String, bool)> {
        let line = line.split('#').next().unwrap_or_default();
        let mut words: Vec<&str> = line.split_whitespace().collect();
        let number = match words.first()?.parse::<u64>() {
            Ok(_) => words.remove(0),
            Err(_) => "",
        };
        let (command, arguments) = words.split_first()?;
        let answer = match self.carry_out(command, arguments) {
            Ok(text) => format!("={number} {text}"),
            Err(why) => format!("?{number} {why}"),
        };
        Some((answer.trim_end().to_owned(), *command != "quit"))
    }

    fn carry_out(&mut self, command: &str, arguments: &[&str]) -> Result<String, Refused> {
        let first = arguments.first().copied().unwrap_or_default();
        let done = |()| String::new();
        match command {
            "protocol_version" => Ok("2".to_owned()),
            "name" => {
                let game = games::about(self.setup.game).map_or("", |about| about.name);
                Ok(format!("touchboard {game} level {}", self.level))
            }
            "version" => Ok(env!("CARGO_PKG_VERSION").to_owned()),
            "known_command" => Ok(COMMANDS.contains(&first).to_string()),
            "list_commands" => Ok(COMMANDS.join("\n")),
            "quit" => Ok(String::new()),
            "boardsize" => self.set_size(first).map(done),
            "clear_board" => self.clear().map(done),
            "komi" => {
                self.komi = first.parse().map_err(|_| Refused::Syntax)?;
                Ok(String::new())
            }
            "play" => self.play(first, arguments.get(1)).map(done),
            "genmove" => self.generate(first),
            "undo" => self.undo().map(done),
            "final_score" => Ok(self.score()),
            // By the board's rules, all stones that are left at the end count.
            "final_status_list" if first == "dead" => Ok(String::new()),
            "final_status_list" => Err(Refused::OnlyDead),
            _ => Err(Refused::Unknown),
        }
    }

    fn set_size(&mut self, side: &str) -> Result<(), Refused> {
        let side = side.parse().map_err(|_| Refused::Syntax)?;
        let layout = Layout::grid(side, side).map_err(|_| Refused::Size)?;
        let setup = MatchSetup {
            layout,
            ..self.setup
        };
        self.table = Table::new(&setup, self.seed).ok_or(Refused::Size)?;
        self.setup = setup;
        self.moves.clear();
        Ok(())
    }

    fn clear(&mut self) -> Result<(), Refused> {
        self.seed = self.seed.wrapping_add(1);
        self.moves.clear();
        self.begin()
    }

    fn begin(&mut self) -> Result<(), Refused> {
        self.table = Table::new(&self.setup, self.seed).ok_or(Refused::Size)?;
        Ok(())
    }

    fn play(&mut self, colour: &str, vertex: Option<&&str>) -> Result<(), Refused> {
        let side = colour_of(colour).ok_or(Refused::Syntax)?;
        let vertex = vertex.and_then(|text| self.notation.read(self.setup.layout, text));
        let point = match vertex.ok_or(Refused::Syntax)? {
            Vertex::Stone(point) => Some(point),
            Vertex::Pass => None,
            Vertex::Resign => return Ok(()),
        };
        if !self.table.play(side, point) {
            return Err(Refused::Illegal);
        }
        self.moves.push((side, point));
        Ok(())
    }

    fn generate(&mut self, colour: &str) -> Result<String, Refused> {
        let side = colour_of(colour).ok_or(Refused::Syntax)?;
        if self.table.turn() == Some(side.other()) {
            self.play(super::words::colour(side.other()), Some(&"pass"))?;
        }
        let point = match self.table.move_of(side, self.level) {
            Some(BoardTurn::Touch(point)) => Some(point),
            Some(BoardTurn::Pass | BoardTurn::Wait) | None => None,
        };
        self.moves.push((side, point));
        let name = |point| self.notation.write(self.setup.layout, point);
        Ok(point.map_or("pass".to_owned(), name))
    }

    fn undo(&mut self) -> Result<(), Refused> {
        self.moves.pop().ok_or(Refused::Undo)?;
        self.begin()?;
        for (side, point) in &self.moves {
            self.table.play(*side, *point);
        }
        Ok(())
    }

    fn score(&self) -> String {
        let [green, red] = on!(&self.table, seats => seats.final_score());
        match green as f32 - red as f32 - self.komi {
            lead if lead > 0.0 => format!("B+{lead}"),
            lead if lead < 0.0 => format!("W+{}", -lead),
            _ => "0".to_owned(),
        }
    }
}
