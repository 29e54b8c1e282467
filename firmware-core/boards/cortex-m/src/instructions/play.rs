//! Plays a mode and measures every call.
//!
//! First two people play a game, then a person plays against the board at its highest
//! level, until enough of its thinking has been measured. People touch random legal
//! points, after a given opening; now and then they touch any point, pass, pause the
//! game, or let the clock run out. Between moves the host sends requests.

use core::fmt;

use firmware_core::{AnyWidth, Rng, games};
use heapless::Vec;
use protocol::{
    Button, Deed, Diagram, Drawing, Input, Layout, MAX_POINTS, Point, Settings, Side, Tick,
};

use super::stopwatch::Stopwatch;
use super::tally::{Kind, Tallies};

/// Level 4 is the strongest; at level 1 the board moves soonest.
const STRONGEST: u8 = 4;
const SOONEST: u8 = 1;

/// The maximum number of games against the board; short games are repeated.
const GAMES: u32 = 3;
/// The number of moves between requests of the host.
const MOVES_BETWEEN_QUESTIONS: u32 = 6;
/// No hand touches the board sooner after a move.
const HAND_MS: Tick = 200;
/// Longer than a turn at the shortest Time, 5 s.
const LONGER_THAN_A_TURN_MS: Tick = 6_000;
/// The time after which a game continues although the board has not moved.
const PATIENCE_MS: Tick = 10_000;

/// The largest number of touches in an opening.
const MAX_OPENING: usize = 256;

/// The first touches of the game between two people.
pub type Opening = Vec<Point, MAX_OPENING>;

/// Why a game cannot be measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// There is no such mode, or the board cannot have the layout.
    NoSuchGame,
    /// The touch of the opening with this number, counted from 1, is not legal at that
    /// point of the game.
    NotLegal(usize),
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refusal::NoSuchGame => write!(
                f,
                "there is no such game or mode, or the board cannot have this layout"
            ),
            Refusal::NotLegal(number) => write!(
                f,
                "touch {number} of the opening is not legal at that point of the game"
            ),
        }
    }
}

/// The parameters of a request.
pub struct Asked {
    game: u8,
    mode: u8,
    ground: Ground,
    seed: u64,
    /// The number of ticks of thinking to be measured in each turn of the board.
    ticks: u32,
    /// The maximum number of moves in a game.
    moves: u32,
}

/// The kind of board that is measured.
enum Ground {
    Grid(Layout),
    /// The drawing at the start of the buffer, given by its length in bytes.
    Drawing(usize),
}

impl Asked {
    /// Parses `play` and seven numbers, or `draw` and six.
    pub fn parse(line: &str) -> Option<Self> {
        let (word, numbers) = line.split_once(' ')?;
        let mut words = numbers.split_ascii_whitespace();
        let mut ground = match word {
            "play" => None,
            "draw" => Some(Ground::Drawing(words.next()?.parse().ok()?)),
            _ => return None,
        };
        let (game, mode) = (words.next()?.parse().ok()?, words.next()?.parse().ok()?);
        if ground.is_none() {
            let (columns, rows) = (words.next()?.parse().ok()?, words.next()?.parse().ok()?);
            ground = Some(Ground::Grid(Layout::grid(columns, rows).ok()?));
        }
        Some(Asked {
            game,
            mode,
            ground: ground?,
            seed: words.next()?.parse().ok()?,
            ticks: words.next()?.parse().ok()?,
            moves: words.next()?.parse().ok()?,
        })
    }

    /// Creates the board on this ground.
    // A separate function, so that the copies it makes leave the stack with it.
    #[inline(never)]
    fn make<'b, B: AnyWidth>(&self, board: &'b mut Option<B>, buffer: &[u8]) -> Option<&'b mut B> {
        let layout = match self.ground {
            Ground::Grid(layout) => layout,
            Ground::Drawing(_) => Layout::MALDOO,
        };
        *board = B::with_games(layout, games::BUILT, self.seed).ok();
        board.as_mut()?;
        if let (Ground::Drawing(length), Some(board)) = (&self.ground, &mut *board) {
            let drawing = Drawing::new(buffer.get(..*length)?).ok()?;
            board
                .restart_on_drawing(drawing, games::BUILT, self.seed)
                .ok()?;
        }
        board.as_mut()
    }
}

/// A board, its simulated players and the measurements.
pub struct Survey<'a, B> {
    board: &'a mut B,
    /// The source of the simulated players' random numbers.
    rng: Rng,
    settings: Settings,
    ticks: u32,
    moves: u32,
    stopwatch: &'a mut Stopwatch,
    tallies: Tallies,
    buffer: &'a mut [u8],
}

impl<'a, B: AnyWidth> Survey<'a, B> {
    /// Plays the mode. The game between people begins with the opening.
    ///
    /// # Errors
    /// A [`Refusal`] if the mode does not exist, the board cannot have the layout, or a
    /// touch of the opening is not legal.
    pub fn run(
        asked: &Asked,
        opening: &Opening,
        board: &'a mut Option<B>,
        stopwatch: &'a mut Stopwatch,
        buffer: &'a mut [u8],
    ) -> Result<Tallies, Refusal> {
        let mut survey = Survey {
            board: asked.make(board, buffer).ok_or(Refusal::NoSuchGame)?,
            rng: Rng::new(asked.seed),
            settings: Settings {
                game: asked.game,
                mode: asked.mode,
                time: 0,
                ..Settings::default()
            },
            ticks: asked.ticks,
            moves: asked.moves,
            stopwatch,
            tallies: Tallies::default(),
            buffer,
        };
        let settings = survey.settings;
        survey
            .board
            .carry_out(&Deed::Settings(settings), &mut |_, _| {})
            .map_err(|_| Refusal::NoSuchGame)?;
        survey.game(0, opening)?;
        for game in 0..GAMES {
            survey.settings.speed = [9, 5, 0][game as usize % 3];
            survey.game(STRONGEST, &Opening::new())?;
        }
        survey.turn_every_button();
        Ok(survey.tallies)
    }

    /// Plays a game from its start until its end has been shown.
    fn game(&mut self, level: u8, opening: &Opening) -> Result<(), Refusal> {
        self.set_level(level);
        self.press(Button::Start);
        self.play(opening)?;
        for number in 1..=self.moves {
            if self.is_over() {
                break;
            }
            if self.is_boards_turn() {
                self.let_the_board_move();
            } else {
                self.move_by_hand();
            }
            if number % MOVES_BETWEEN_QUESTIONS == 0 {
                self.measure_requests();
            }
        }
        self.pass_time(LONGER_THAN_A_TURN_MS);
        Ok(())
    }

    /// Touches these points, each as soon as a hand would.
    fn play(&mut self, opening: &Opening) -> Result<(), Refusal> {
        for (number, point) in (1..).zip(opening) {
            self.wait_for_a_hand();
            if !self.legal().contains(point) {
                return Err(Refusal::NotLegal(number));
            }
            self.tap(*point);
        }
        Ok(())
    }

    fn is_over(&self) -> bool {
        self.board.status().outcome.is_some()
    }

    fn is_boards_turn(&self) -> bool {
        self.board.status().thinking
    }

    /// Measures the board's thinking for the requested number of ticks, and then makes
    /// the board move soon.
    fn let_the_board_move(&mut self) {
        let mut left = self.ticks;
        while left > 0 && self.is_boards_turn() {
            self.step(PATIENCE_MS);
            left -= 1;
        }
        if self.is_boards_turn() {
            self.set_level(SOONEST);
            self.pass_time(PATIENCE_MS);
            self.set_level(STRONGEST);
        }
    }

    fn wait_for_a_hand(&mut self) {
        let end = self.board.tick() + HAND_MS;
        while self.board.tick() < end {
            self.step(end - self.board.tick());
        }
    }

    fn move_by_hand(&mut self) {
        self.wait_for_a_hand();
        match self.rng.below(24) {
            0..2 => {
                let anywhere = self.rng.below(self.board.layout().points() as u32);
                self.tap(Point(anywhere as u8));
            }
            2 => self.input(Kind::Pass, Input::Pass),
            3 => {
                self.press(Button::Stop);
                self.pass_time(100);
                self.press(Button::Stop);
            }
            4 => self.pass_time(LONGER_THAN_A_TURN_MS),
            _ => {
                let legal = self.legal();
                let choice = self.rng.below(legal.len() as u32);
                if let Some(point) = legal.get(choice as usize) {
                    self.tap(*point);
                }
            }
        }
        let pause_ms = 1 + self.rng.below(300);
        self.pass_time(pause_ms.into());
    }

    /// Sends the requests that a host may send in the middle of a game.
    fn measure_requests(&mut self) {
        self.measure(Kind::Digest, |board, _| {
            let _ = board.digest();
        });
        let mut length = 0;
        self.measure(Kind::Save, |board, buffer| {
            length = board.save(buffer).map_or(0, <[u8]>::len);
        });
        let diagram = Diagram {
            points: self.board.frame().points.clone(),
            turn: self.board.status().turn.unwrap_or(Side::Green),
        };
        self.measure(Kind::Position, |board, _| {
            let _ = board.carry_out(&Deed::Position(diagram.into()), &mut |_, _| {});
        });
        self.measure(Kind::Load, |board, buffer| {
            let saved = buffer.get(..length).unwrap_or_default();
            board.load(saved).expect("it was saved just now");
        });
    }

    /// Cycles through the values of each setting, as a held button does.
    fn turn_every_button(&mut self) {
        for button in [
            Button::Time,
            Button::Speed,
            Button::Level,
            Button::Mode,
            Button::Game,
        ] {
            self.input(Kind::Button, Input::Press(button));
            self.pass_time(LONGER_THAN_A_TURN_MS);
            let _ = self
                .board
                .carry_out(&Input::Lift(button).into(), &mut |_, _| {});
        }
    }

    fn set_level(&mut self, level: u8) {
        self.settings.level = level;
        let settings = self.settings;
        self.measure(Kind::Settings, |board, _| {
            let _ = board.carry_out(&Deed::Settings(settings), &mut |_, _| {});
        });
    }

    fn press(&mut self, button: Button) {
        let kind = match button {
            Button::Start => Kind::Start,
            _ => Kind::Button,
        };
        self.input(kind, Input::Press(button));
        let _ = self
            .board
            .carry_out(&Input::Lift(button).into(), &mut |_, _| {});
    }

    fn tap(&mut self, point: Point) {
        self.input(Kind::Touch, Input::Touch(point));
        self.input(Kind::Release, Input::Release(point));
    }

    fn legal(&mut self) -> Vec<Point, MAX_POINTS> {
        let mut legal = Vec::new();
        self.measure(Kind::Legal, |board, _| {
            board.legal(&mut |point| {
                let _ = legal.push(point);
            });
        });
        legal
    }

    fn input(&mut self, kind: Kind, input: Input) {
        self.measure(kind, |board, _| {
            // No board refuses an input.
            let _ = board.carry_out(&input.into(), &mut |_, _| {});
        });
    }

    /// Lets `ms` pass, or less if the turn changes.
    fn pass_time(&mut self, ms: Tick) {
        let turn = self.board.status().turn;
        let end = self.board.tick() + ms;
        while self.board.tick() < end && self.board.status().turn == turn {
            self.step(end - self.board.tick());
        }
    }

    /// Goes to the next tick at which something happens, at most `most` ticks.
    fn step(&mut self, most: Tick) {
        let kind = match self.is_boards_turn() {
            true => Kind::Thought,
            false => Kind::Tick,
        };
        self.measure(kind, |board, _| {
            board.step(most, &mut |_, _| {});
        });
    }

    fn measure(&mut self, kind: Kind, call: impl FnOnce(&mut B, &mut [u8])) {
        let (board, buffer) = (&mut *self.board, &mut *self.buffer);
        let taken = self.stopwatch.measure(|| call(board, buffer));
        self.tallies[kind as usize].add(taken);
    }
}
