//! One game between two of the board's own players.
//!
//! Each side has a copy of the round: the games in them are kept equal, the
//! players are their own. The clock is the referee's: Time 5.

use firmware_core::games::Playing;
use firmware_core::{Act, Context, Grid, Points, Rng, TimeOut, Touch, Word};
use protocol::{Layout, Outcome, Point, Side, Tick};

/// Time 5 of the panel.
const TURN_MS: Tick = 30_000;
/// No game is let go on for longer: ten hours.
const LONGEST_MS: Tick = 36_000_000;

/// What is played.
#[derive(Clone, Copy, Debug)]
pub struct Contest {
    /// The game's number.
    pub game: u8,
    /// Its mode.
    pub mode: u8,
    /// Its Speed setting.
    pub speed: u8,
    /// The board.
    pub layout: Layout,
    /// Moves that are drawn at random before the players take over, so that
    /// games differ where the players would not.
    pub random_moves: u8,
}

/// How a game went.
#[derive(Clone, Copy, Debug)]
pub struct Course {
    /// How it ended; `None` if it had to be broken off.
    pub outcome: Option<Outcome>,
    /// `[green, red]`.
    pub score: [u16; 2],
    /// Moves of both.
    pub moves: u32,
}

struct Table<'a, W: Word> {
    grid: &'a Grid<W>,
    /// The game's own chance.
    rng: Rng,
    /// Each player's chance.
    own: [Rng; 2],
    seats: [Playing<W>; 2],
    speed: u8,
    now: Tick,
    deadline: Tick,
    moves: u32,
}

impl Contest {
    /// Plays one game between these levels, `[green, red]`. `None` if the board
    /// is too small for the game.
    #[must_use]
    pub fn play(&self, seed: u64, levels: [u8; 2]) -> Option<Course> {
        match self.layout.points() {
            0..=64 => self.play_on::<u64>(seed, levels),
            65..=128 => self.play_on::<u128>(seed, levels),
            _ => self.play_on::<firmware_core::Wide>(seed, levels),
        }
    }

    fn play_on<W: Word>(&self, seed: u64, levels: [u8; 2]) -> Option<Course> {
        let grid = Grid::<W>::new(self.layout)?;
        let mut rng = Rng::new(seed);
        let own = [rng.split(), rng.split()];
        let mut events = heapless::Vec::new();
        let playing = Playing::start(
            self.game,
            self.mode,
            &mut Context {
                grid: &grid,
                rng: &mut rng,
                now: 0,
                speed: self.speed,
                events: &mut events,
            },
        )?;
        let mut table = Table {
            grid: &grid,
            rng,
            own,
            seats: [playing.clone(), playing],
            speed: self.speed,
            now: 0,
            deadline: TURN_MS,
            moves: 0,
        };
        for _ in 0..self.random_moves {
            table.random_move();
        }
        while table.seats[0].round().outcome().is_none() && table.now < LONGEST_MS {
            table.go_on(levels);
        }
        let round = table.seats[0].round();
        Some(Course {
            outcome: round.outcome(),
            score: round.score(&grid),
            moves: table.moves,
        })
    }
}

impl<W: Word> Table<'_, W> {
    /// Does the same to both copies of the game.
    fn both<T>(&mut self, what: impl Fn(&mut Playing<W>, &mut Context<'_, W>) -> T) -> T {
        let mut events = heapless::Vec::new();
        let mut twin = self.rng.clone();
        let [first, second] = &mut self.seats;
        let mut context = Context {
            grid: self.grid,
            rng: &mut self.rng,
            now: self.now,
            speed: self.speed,
            events: &mut events,
        };
        let result = what(first, &mut context);
        what(
            second,
            &mut Context {
                rng: &mut twin,
                ..context
            },
        );
        result
    }

    /// Lets time pass to the next moment at which something happens, and lets
    /// it happen.
    fn go_on(&mut self, levels: [u8; 2]) {
        let round = self.seats[0].round();
        let turn = round.turn();
        let clock = round.clock_runs() && round.about().time_out != TimeOut::None;
        let game = round.wakes_at();
        let player = turn.map(|side| self.seats[side.index()].round().player_wakes_at());
        let deadline = clock.then_some(self.deadline);
        let next = [game, player, deadline].into_iter().flatten().min();
        self.now = next.unwrap_or(LONGEST_MS).max(self.now + 1);
        if game.is_some_and(|at| at <= self.now) {
            self.both(|playing, context| playing.round_mut().wake(context));
        } else if deadline.is_some_and(|at| at <= self.now) {
            self.time_out();
        } else if let Some(side) = turn {
            let act = self.think(side, levels[side.index()]);
            self.act(act);
        }
        if self.seats[0].round().turn() != turn {
            self.end_turn();
        }
    }

    fn think(&mut self, side: Side, level: u8) -> Act {
        let mut events = heapless::Vec::new();
        let seat = side.index();
        self.seats[seat].round_mut().wake_player(
            level,
            &mut Context {
                grid: self.grid,
                rng: &mut self.own[seat],
                now: self.now,
                speed: self.speed,
                events: &mut events,
            },
        )
    }

    fn act(&mut self, act: Act) {
        match act {
            Act::Wait => {}
            Act::Touch(point) => self.touch(point),
            Act::Pass => {
                self.both(|playing, context| playing.round_mut().pass(context));
                self.end_turn();
            }
        }
    }

    fn touch(&mut self, point: Point) {
        let touch = self.both(|playing, context| playing.round_mut().touch(point, context));
        if let Touch::Move(_) = touch {
            self.moves += 1;
            self.end_turn();
        }
    }

    fn random_move(&mut self) {
        let legal: Points<W> = self.seats[0].round().legal(self.grid);
        if let Some(point) = self.own[0].pick(legal) {
            self.touch(point);
        }
    }

    fn time_out(&mut self) {
        if self.seats[0].round().about().time_out == TimeOut::RandomMove {
            self.random_move();
        } else {
            self.both(|playing, context| playing.round_mut().time_out(context));
        }
        self.end_turn();
    }

    fn end_turn(&mut self) {
        self.deadline = self.now + TURN_MS;
        for seat in &mut self.seats {
            seat.round_mut().reset_player();
        }
    }
}
