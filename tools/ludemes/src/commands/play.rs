//! `ludemes play FILE`: a person plays the game of a text, line by line, against the
//! board's own player or another person.
use std::io::{self, BufRead, IsTerminal, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use firmware_core::AnyBoard;
use firmware_core::games::LAYOUTS_OWN;
use firmware_core::games::written::VisiblePieces;
use ludemes::shown::{game_of, rows, signs};
use protocol::{Button, Deed, Event, Input, KnownLayout, Outcome, Point, Settings, Side, Tick};

use super::{compiled, print};

/// What to play.
#[derive(clap::Args)]
pub struct Options {
    /// The text of a game.
    file: PathBuf,
    /// An item of an option, as `Heading/Item`.
    #[arg(long = "option", value_name = "HEADING/ITEM")]
    chosen: Vec<String>,
    /// The level of the board's player, 1 to 4; 0 if another person plays red.
    #[arg(long, default_value_t = 2, value_parser = clap::value_parser!(u8).range(0..=4))]
    level: u8,
    /// The seed of all random numbers.
    #[arg(long, default_value_t = 0)]
    seed: u64,
}

/// The most board time for a turn of the board, or for a game without players, in ms.
const LONGEST_MS: Tick = 600_000;

/// The maximum number of columns of the board's text.
const MOST_COLUMNS: usize = 160;

const HELP: &str = "\
write points to touch them: `b2` sets a piece, `b2 c3` moves one from b2 to c3;
also: pass, legal (what may be touched), show, help, quit
";

/// Plays the game. Lines may also come from a pipe. The exit code is 2 if one of them
/// could not be carried out.
///
/// # Errors
/// What is wrong with the text.
pub fn run(options: &Options) -> Result<ExitCode, String> {
    let (_, game) = compiled(&options.file, &options.chosen)?;
    let layout = game
        .layout()
        .map_err(|error| format!("{}: {error}", options.file.display()))?;
    let mut table = Table::new(layout, options)?;
    let input = io::stdin();
    let is_person = input.is_terminal();
    let mut all_well = true;
    print(&table.opening())?;
    let mut lines = input.lock().lines();
    loop {
        if table.is_over() {
            break;
        }
        if is_person {
            print("> ")?;
            io::stdout().flush().map_err(|error| error.to_string())?;
        }
        let line = match lines.next() {
            None => break,
            Some(line) => line.map_err(|error| format!("this line cannot be read: {error}"))?,
        };
        if line.trim().eq_ignore_ascii_case("quit") {
            break;
        }
        match table.line(&line) {
            Ok(text) => print(&text)?,
            Err(sentence) => {
                all_well = false;
                eprintln!("{sentence}");
            }
        }
    }
    Ok(match all_well || is_person {
        true => ExitCode::SUCCESS,
        false => ExitCode::from(2),
    })
}

/// Fills a line with blanks up to a column, if that is within [`MOST_COLUMNS`].
fn go_to(column: usize, line: &mut String) {
    let blanks = column.saturating_sub(line.chars().count());
    if column < MOST_COLUMNS {
        line.extend(std::iter::repeat_n(' ', blanks));
    }
}

/// True for letters followed by digits.
fn looks_like_a_point(word: &str) -> bool {
    let digits = word.trim_start_matches(|letter: char| letter.is_ascii_alphabetic());
    digits.len() < word.len()
        && !digits.is_empty()
        && digits.bytes().all(|digit| digit.is_ascii_digit())
}

/// A board, and who plays at it.
struct Table {
    board: AnyBoard,
    layout: KnownLayout,
    level: u8,
    players: u8,
    /// The touches so far of the current move.
    parts: Vec<Point>,
}

impl Table {
    fn new(layout: KnownLayout, options: &Options) -> Result<Table, String> {
        let board = AnyBoard::new(*layout, options.seed).map_err(|refusal| refusal.to_string())?;
        let own = layout.drawing().and_then(game_of);
        let own = own.ok_or("this layout has no game of its own")?;
        let players = own.cartridge.players();
        let mut table = Table {
            board,
            layout,
            level: options.level,
            players,
            parts: Vec::new(),
        };
        // A game for one is played by the person.
        let level = if table.players == 2 { table.level } else { 0 };
        let settings = Settings {
            game: LAYOUTS_OWN,
            level,
            ..table.board.settings()
        };
        table
            .board
            .carry_out(&Deed::Settings(settings), &mut |_, _| {})
            .map_err(|refusal| refusal.to_string())?;
        for input in [Input::Press(Button::Start), Input::Lift(Button::Start)] {
            table.put(input);
        }
        Ok(table)
    }

    fn is_over(&self) -> bool {
        self.board.outcome().is_some()
    }

    fn opening(&mut self) -> String {
        let name = self.board.name_of_own().unwrap_or_default().to_owned();
        let who = match (self.players, self.level) {
            (0, _) => "it plays by itself: an empty line is a step".to_owned(),
            (1, _) => "for one".to_owned(),
            (_, 0) => "two people".to_owned(),
            (_, level) => format!("you are green, the board is red at level {level}"),
        };
        let moves = self.until_asked();
        format!("{name}: {who}\n{HELP}{moves}{}", self.shown())
    }

    /// Carries out a line.
    ///
    /// # Errors
    ///
    /// A sentence about why that is impossible, and what is possible.
    fn line(&mut self, line: &str) -> Result<String, String> {
        let words: Vec<String> = line.split_whitespace().map(str::to_lowercase).collect();
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        match words[..] {
            [] if self.players == 0 => {
                let moves = self.step_by_itself();
                Ok(moves + &self.shown())
            }
            [] => Ok(String::new()),
            ["help"] => Ok(HELP.to_owned()),
            ["show"] => Ok(self.shown()),
            ["legal"] => Ok(format!("{}\n", self.possible())),
            ["pass"] => {
                let before = self.board.digest();
                let moves = self.put(Input::Pass);
                if before == self.board.digest() {
                    return Err(format!("passing is not a move now: {}", self.possible()));
                }
                Ok(moves + &self.until_asked() + &self.shown())
            }
            _ => self.touches(&words),
        }
    }

    /// Touches these points in order. Touches none if one of the words is not a point,
    /// and stops at the first one that is not legal.
    fn touches(&mut self, words: &[&str]) -> Result<String, String> {
        let points = words.iter().map(|word| {
            let point = self.layout.point(word);
            point.map_err(|error| match looks_like_a_point(word) {
                true => format!("`{word}`: {error}; {}", self.possible()),
                false => format!(
                    "`{word}` is neither a point nor a command (help tells of those); {}",
                    self.possible()
                ),
            })
        });
        let points = points.collect::<Result<Vec<Point>, String>>()?;
        let mut moves = String::new();
        for (place, point) in points.into_iter().enumerate() {
            if !self.legal().contains(&point) {
                let sentence = format!(
                    "{} may not be touched now: {}",
                    self.layout.name(point),
                    self.possible()
                );
                // Earlier touches stay in effect; the board's text shows them.
                print(&moves)?;
                return Err(sentence);
            }
            moves += &self.put(Input::Touch(point));
            moves += &self.put(Input::Release(point));
            let is_last = place + 1 == words.len();
            if self.parts.is_empty() && !is_last && !self.is_over() && self.is_boards() {
                moves += &self.until_asked();
            }
        }
        moves += &self.until_asked();
        if self.parts.is_empty() {
            return Ok(moves + &self.shown());
        }
        Ok(format!("{moves}{}\n", self.possible()))
    }

    /// Carries out this input, and describes its effect.
    fn put(&mut self, input: Input) -> String {
        let mut events = Vec::new();
        self.board.input(input, &mut |_, event| events.push(event));
        self.settle(&mut events);
        self.events_text(&events)
    }

    /// Gives the board time to determine the legal points.
    fn settle(&mut self, events: &mut Vec<Event>) {
        while self.board.is_settling() && !self.board.is_paused() {
            self.board.advance(1, &mut |_, event| events.push(event));
        }
    }

    fn events_text(&mut self, events: &[Event]) -> String {
        let mut text = String::new();
        for event in events {
            match event {
                Event::Part { point, .. } => match self.parts.last() == Some(point) {
                    // Touching the same point again took it back.
                    true => drop(self.parts.pop()),
                    false => self.parts.push(*point),
                },
                Event::Move { side, point, .. } => {
                    let mut points = std::mem::take(&mut self.parts);
                    if points.last() != Some(point) {
                        points.push(*point);
                    }
                    let names = points
                        .iter()
                        .map(|point| self.layout.name(*point).to_string());
                    let names: Vec<String> = names.collect();
                    text += &format!("{} {}\n", side.name(), names.join(" "));
                }
                Event::Passed { side } => text += &format!("{} passes\n", side.name()),
                Event::Over(outcome) => {
                    let how = match outcome {
                        Outcome::Draw => "a draw".to_owned(),
                        Outcome::Won(side) => format!("{} wins", side.name()),
                    };
                    text += &format!("the game is over: {how}\n");
                }
                _ => {}
            }
        }
        text
    }

    fn is_boards(&self) -> bool {
        self.level > 0 && self.players == 2 && self.board.turn() == Some(Side::Red)
    }

    /// Lets the board play until it is a person's turn.
    fn until_asked(&mut self) -> String {
        let mut text = String::new();
        let end = self.board.tick() + LONGEST_MS;
        while self.is_boards() && !self.is_over() && self.board.tick() < end {
            let mut events = Vec::new();
            self.board.advance(10, &mut |_, event| events.push(event));
            self.settle(&mut events);
            text += &self.events_text(&events);
        }
        text
    }

    /// Advances a game without players by one step.
    fn step_by_itself(&mut self) -> String {
        let before = self.seen();
        let end = self.board.tick() + LONGEST_MS;
        let mut events = Vec::new();
        while self.seen() == before && !self.is_over() && self.board.tick() < end {
            self.board
                .step(end - self.board.tick(), &mut |_, event| events.push(event));
        }
        self.events_text(&events)
    }

    fn legal(&self) -> Vec<Point> {
        self.board.legal_points()
    }

    /// The moves that are possible now.
    fn possible(&self) -> String {
        let names = self
            .legal()
            .into_iter()
            .map(|point| self.layout.name(point).to_string());
        let names: Vec<String> = names.collect();
        match (&self.parts[..], names.is_empty()) {
            (_, true) if self.players == 0 => {
                "it plays by itself: an empty line is a step".to_owned()
            }
            (_, true) => "nothing may be touched; write pass".to_owned(),
            ([], false) => format!("touch one of {}", names.join(" ")),
            (parts, false) => {
                let parts = parts
                    .iter()
                    .map(|point| self.layout.name(*point).to_string());
                let parts: Vec<String> = parts.collect();
                format!(
                    "{} goes on with one of {}",
                    parts.join(" "),
                    names.join(" ")
                )
            }
        }
    }

    fn seen(&self) -> Vec<(u8, u8)> {
        let seen = self.board.written();
        let piece = |point| {
            seen.as_ref()
                .map_or((0, 0), |seen| (seen.at(point).what, seen.at(point).count))
        };
        self.layout.iter().map(piece).collect()
    }

    /// The board as text: rows from the top, each with the name of its first point and,
    /// if rows have different lengths, of its last one; the letters of the columns are
    /// below.
    fn shown(&self) -> String {
        let Some(known) = self.layout.drawing() else {
            return String::new();
        };
        let (drawing, Some(own)) = (known.as_drawing(), game_of(known)) else {
            return String::new();
        };
        let (Some(seen), rows) = (self.board.written(), rows(*self.layout)) else {
            return String::new();
        };
        let signs = signs(&own.cartridge, seen.swapped());
        let place = |point: Point| usize::from(drawing.place(point).x);
        let gaps = rows.iter().flat_map(|row| row.windows(2));
        let gaps = gaps.map(|pair| place(pair[1]) - place(pair[0]));
        let unit = (gaps.min().unwrap_or(2).max(2) / 2).max(1);
        let left = self.layout.iter().map(place).min().unwrap_or(0);
        let column = |point: Point| 6 + (place(point) - left) / unit;
        let are_even = rows.iter().all(|row| row.len() == rows[0].len());
        let mut text = String::new();
        for row in &rows {
            let Some(first) = row.first() else { continue };
            let mut line = format!("{:>4} ", self.layout.name(*first).to_string());
            for point in row {
                go_to(column(*point), &mut line);
                let piece = seen.at(*point);
                let sign = signs.get(usize::from(piece.what)).copied().flatten();
                line.push(if piece.what == 0 {
                    '.'
                } else {
                    sign.unwrap_or('?')
                });
            }
            if let [_, .., last] = row[..]
                && !are_even
            {
                line += &format!("  {}", self.layout.name(last));
            }
            text += &format!("{}\n", line.trim_end());
        }
        let mut letters = String::new();
        for point in rows.last().into_iter().flatten() {
            let name = self.layout.name(*point).to_string();
            go_to(column(*point), &mut letters);
            letters += name.trim_end_matches(|digit: char| digit.is_ascii_digit());
        }
        text += &format!("{letters}\n");
        text += &self.shown_beside(&seen);
        text
    }

    /// What players hold, their scores, and who is to move.
    fn shown_beside(&self, seen: &VisiblePieces) -> String {
        let mut text = String::new();
        let hands = seen.hands();
        if hands.iter().any(|hand| hand.count > 0) {
            text += &format!(
                "     green holds {}, red {}\n",
                hands[0].count, hands[1].count
            );
        }
        if let Some([green, red]) = self.board.score() {
            let turn = match self.board.turn() {
                Some(side) => format!("; {} to move", side.name()),
                None => String::new(),
            };
            text += &format!("     green {green}, red {red}{turn}\n");
        }
        text
    }
}
