//! A game between two of the board's own players, or between one and a simulated person.
//!
//! Each side has its own copy of the round. The games in the copies are kept equal, but
//! each copy has its own player. The clock is the referee's, at Time 5. The referee itself
//! seats one player, red; here both sides have one.
//!
//! Invariants: both copies get the same touches, passes and random numbers, so either of
//! them can report the state of the game.

use firmware_core::games::Playing;
use firmware_core::games::speedgo::area;
use firmware_core::referee::CLOCK_TOUCHES;
use firmware_core::table::{TURN_MS, Table};
use firmware_core::{BoardTurn, Context, Ground, Points, Rng, TimeOut, Touch, Word};
use protocol::{Layout, Outcome, Point, Side, Tick};

use crate::person::{Finger, Person, PersonView};

/// What a game is played with: game, mode, board and speed.
#[derive(Clone, Copy, Debug)]
pub struct MatchSetup {
    /// The number of the game.
    pub game: u8,
    /// The mode of the game.
    pub mode: u8,
    /// The Speed setting, 0 to 9.
    pub speed: u8,
    /// The layout of the board.
    pub layout: Layout,
    /// The number of random moves before the players take over, so that games differ even
    /// where the players would always do the same.
    pub random_moves: u8,
}

/// The longest game: ten hours of play time. Longer games are stopped.
const LONGEST_MS: Tick = 36_000_000;

/// A game in progress between two players.
pub struct Seats<W: Word> {
    table: Table<W>,
    /// The random numbers of the game.
    rng: Rng,
    /// The random numbers of each player.
    own: [Rng; 2],
    copies: [Playing<W>; 2],
    /// The simulated person who plays green, if any.
    finger: Option<Finger>,
    deadline: Tick,
    moves: u32,
    wakes: u64,
}

impl<W: Word> Seats<W> {
    /// Begins a game. `None` if the layout is too small for it.
    #[must_use]
    pub fn new(setup: &MatchSetup, seed: u64) -> Option<Self> {
        let table = Table::new(setup.layout, setup.speed)?;
        let mut rng = Rng::new(seed);
        let own = [rng.split(), rng.split()];
        let playing = table.start(setup.game, setup.mode, &mut rng)?;
        Some(Seats {
            table,
            rng,
            own,
            copies: [playing.clone(), playing],
            finger: None,
            deadline: TURN_MS,
            moves: 0,
            wakes: 0,
        })
    }

    /// Replaces green's player by a simulated person.
    pub fn seat(&mut self, person: Person, setup: &MatchSetup) {
        self.finger = Some(Finger::new(person, setup.mode));
    }

    /// The game, which is equal in both copies.
    #[must_use]
    pub fn playing(&self) -> &Playing<W> {
        &self.copies[0]
    }

    /// The geometry of the board.
    #[must_use]
    pub fn ground(&self) -> &Ground<W> {
        &self.table.ground
    }

    /// The side whose turn it is.
    #[must_use]
    pub fn turn(&self) -> Option<Side> {
        self.playing().game().turn()
    }

    /// The outcome; `None` while the game is running.
    #[must_use]
    pub fn outcome(&self) -> Option<Outcome> {
        self.playing().game().outcome()
    }

    /// The score, `[green, red]`.
    #[must_use]
    pub fn score(&self) -> [u32; 2] {
        self.playing().game().score(&self.table.ground)
    }

    /// The score `[green, red]` if the game ended now. A Go program may ask for it at any
    /// time.
    #[must_use]
    pub fn final_score(&self) -> [u32; 2] {
        match self.playing() {
            Playing::SpeedGo(round) => {
                area::count(self.ground().grid(), round.game.stones()).map(u32::from)
            }
            _ => self.score(),
        }
    }

    /// Play time so far, in ms.
    #[must_use]
    pub fn now(&self) -> Tick {
        self.table.now
    }

    /// Moves of both so far.
    #[must_use]
    pub fn moves(&self) -> u32 {
        self.moves
    }

    /// How often a player was called so far. Each call is a slice of a millisecond on a
    /// microcontroller.
    #[must_use]
    pub fn wakes(&self) -> u64 {
        self.wakes
    }

    /// True while the game is running and has not exceeded ten hours.
    #[must_use]
    pub fn is_going_on(&self) -> bool {
        self.outcome().is_none() && self.now() < LONGEST_MS
    }

    /// Advances to the next tick at which something happens, and handles it. Players play
    /// at these levels, `[green, red]`.
    pub fn go_on(&mut self, levels: [u8; 2]) {
        let game = self.playing().game();
        let turn = game.turn();
        let clock = game.clock_runs() && game.about().time_out != TimeOut::None;
        let game_at = game.wakes_at();
        let player = self.thinking().map(|side| self.player_wakes_at(side)).min();
        let deadline = clock.then_some(self.deadline);
        let next = [game_at, player, deadline].into_iter().flatten().min();
        let now = next.unwrap_or(LONGEST_MS).max(self.now() + 1);
        self.table.now = now;
        if game_at.is_some_and(|at| at <= now) {
            self.both(|playing, context| playing.game_mut().wake(context));
        } else if deadline.is_some_and(|at| at <= now) {
            self.time_out();
        } else {
            self.wake_players(levels);
        }
        if self.turn() != turn {
            self.end_turn();
        }
    }

    /// Lets the board's player think until it moves, and returns the move; `None` if the
    /// turn ended in another way.
    pub fn move_of(&mut self, side: Side, level: u8) -> Option<BoardTurn> {
        while self.is_going_on() && self.turn() == Some(side) {
            let wakes_at = self.player_wakes_at(side);
            self.table.now = wakes_at.max(self.now() + 1);
            let act = self.think(side, level);
            self.act(act);
            if act != BoardTurn::Wait {
                return Some(act);
            }
        }
        None
    }

    /// Touches a point for the side to move; true if the touch is a move or a part of
    /// one.
    pub fn touch(&mut self, point: Point) -> bool {
        let touch = self.both(|playing, context| playing.game_mut().touch(point, context));
        if let Touch::Move(_) = touch {
            self.moves += 1;
            self.end_turn();
        }
        touch.is_accepted()
    }

    /// Passes for the side to move; false if the rules forbid it.
    pub fn pass(&mut self) -> bool {
        let passed = self.both(|playing, context| playing.game_mut().pass(context));
        self.end_turn();
        passed
    }

    /// Touches a random legal point and returns it; `None` if there is none.
    pub fn random_move(&mut self) -> Option<Point> {
        let legal: Points<W> = self.playing().game().legal(self.ground());
        let point = self.own[0].pick(legal)?;
        self.touch(point).then_some(point)
    }

    /// Makes this many random moves, of any number of touches.
    pub fn open(&mut self, moves: u32) {
        for _ in 0..moves * CLOCK_TOUCHES as u32 {
            if self.moves >= moves || self.random_move().is_none() {
                break;
            }
        }
    }

    /// Does the same to both copies of the game.
    fn both<T>(&mut self, what: impl Fn(&mut Playing<W>, &mut Context<'_, W>) -> T) -> T {
        let [first, second] = &mut self.copies;
        let mut twin = self.rng.clone();
        self.table.with(&mut twin, |context| what(second, context));
        self.table
            .with(&mut self.rng, |context| what(first, context))
    }

    /// The sides to wake, in order. In a game with simultaneous play, the side that has
    /// waited longer comes first; if both touched in the same tick, they alternate.
    fn thinking(&self) -> impl Iterator<Item = Side> + use<W> {
        let sides = match self.turn() {
            Some(side) => [Some(side), None],
            None if is_played_at_once(self.playing()) && self.now().is_multiple_of(2) => {
                Side::BOTH.map(Some)
            }
            None if is_played_at_once(self.playing()) => [Some(Side::Red), Some(Side::Green)],
            None => [None; 2],
        };
        sides.into_iter().flatten()
    }

    fn player_wakes_at(&self, side: Side) -> Tick {
        if let (Side::Green, Some(finger)) = (side, &self.finger) {
            return finger.wakes_at();
        }
        self.copies[side.index()].opponent().wakes_at()
    }

    /// Wakes the players that are due, until one of them has moved.
    fn wake_players(&mut self, levels: [u8; 2]) {
        for side in self.thinking() {
            if self.player_wakes_at(side) > self.now() {
                continue;
            }
            let act = self.think(side, levels[side.index()]);
            self.act(act);
            if act != BoardTurn::Wait {
                return;
            }
        }
    }

    fn think(&mut self, side: Side, level: u8) -> BoardTurn {
        self.wakes += 1;
        let seat = side.index();
        let copy = &mut self.copies[seat];
        if let (Side::Green, Some(finger)) = (side, &mut self.finger) {
            let sight = PersonView {
                playing: copy,
                ground: &self.table.ground,
                now: self.table.now,
                speed: self.table.speed,
            };
            return finger.wake(&sight, &mut self.own[seat]);
        }
        exchange_for(side, copy);
        let player = copy.opponent_mut();
        let wake = |context: &mut Context<'_, W>| player.wake(level, context);
        let act = self.table.with(&mut self.own[seat], wake);
        exchange_for(side, copy);
        act
    }

    fn act(&mut self, act: BoardTurn) {
        match act {
            BoardTurn::Wait => {}
            BoardTurn::Touch(point) => {
                self.touch(point);
            }
            BoardTurn::Pass => {
                self.pass();
            }
        }
    }

    fn time_out(&mut self) {
        if self.playing().game().about().time_out == TimeOut::RandomMove {
            // A turn of several touches ends with the move.
            let moves = self.moves;
            for _ in 0..CLOCK_TOUCHES {
                if self.random_move().is_none() || self.moves > moves {
                    break;
                }
            }
        } else {
            self.both(|playing, context| playing.game_mut().time_out(context));
        }
        self.end_turn();
    }

    fn end_turn(&mut self) {
        self.deadline = self.now() + TURN_MS;
        for copy in &mut self.copies {
            copy.opponent_mut().reset();
        }
        if let Some(finger) = &mut self.finger {
            finger.rest();
        }
    }
}

/// True for games in which both sides play at the same time, without turns.
fn is_played_at_once<W: Word>(playing: &Playing<W>) -> bool {
    matches!(playing, Playing::TouchIt(_))
}

/// In a game with simultaneous play, the board's player always plays red, since there is
/// no turn that tells it its colour. For the green player, the game is shown with
/// exchanged colours. Exchanging twice has no effect.
fn exchange_for<W: Word>(side: Side, playing: &mut Playing<W>) {
    if let (Side::Green, Playing::TouchIt(round)) = (side, playing) {
        round.game = round.game.exchanged();
    }
}
