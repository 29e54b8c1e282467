//! Simulated people at the board, for games of reaction: how long they take to touch a
//! visible target, how often the finger slips, and how often they anticipate a movement.
//!
//! Invariants: a person knows only what is visible on the board, and its meaning; the
//! same seed gives the same touches.

use firmware_core::games::Playing;
use firmware_core::{BoardTurn, Canvas, Grid, Ground, Points, Rng, Word};
use protocol::{Colour, Frame, Point, Side, Tick};

/// A simulated person who plays at the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Person {
    /// The person's name in the tables.
    pub name: &'static str,
    /// The average time from a light's coming on until the finger is on it, in ms.
    pub reaction_ms: u32,
    /// How often the finger comes down next to its target, in per cent.
    pub slip_percent: u32,
    /// How often the finger goes to the ghost's next point instead of the one where it
    /// was seen, in per cent.
    pub foresees_percent: u32,
}

/// The simulated people.
///
/// An adult needs about half a second to choose among eight places (W. E. Hick, On the
/// rate of gain of information, 1952), and another tenth to move the hand there (P. M.
/// Fitts, The information capacity of the human motor system, 1954). Children of about
/// eight take half as long again (R. Kail, Developmental change in speed of processing,
/// 1991). A quick person with the hand over the board comes close to the time for a
/// choice between two. How often people slip and anticipate is assumed.
pub const PEOPLE: [Person; 3] = [
    Person {
        name: "child",
        reaction_ms: 900,
        slip_percent: 20,
        foresees_percent: 20,
    },
    Person {
        name: "adult",
        reaction_ms: 600,
        slip_percent: 8,
        foresees_percent: 60,
    },
    Person {
        name: "quick",
        reaction_ms: 350,
        slip_percent: 3,
        foresees_percent: 85,
    },
];

/// The shortest reaction, in per cent of the average. The sum of two random numbers up to
/// [`DIE_PERCENT`] is added, so that values in the middle are the most likely.
const LEAST_PERCENT: u32 = 60;
/// The largest value of each of the two random numbers, in per cent of the average.
const DIE_PERCENT: u32 = 40;

/// The part of a reaction time, in per cent, that remains if the place is known in
/// advance: the finger is already moving.
const KNOWN_PERCENT: u32 = 60;

/// In TouchIt's modes below this one, the place of the third point is known.
const RANDOM_DIRECTION: u8 = 3;

/// The finger of a person who plays green.
#[derive(Clone, Debug)]
pub struct Finger {
    person: Person,
    mode: u8,
    wakes_at: Tick,
    /// The light that was seen last.
    seen: Option<Point>,
    /// The tick at which the person finds the target.
    finds_at: Option<Tick>,
    /// The point at which the finger will come down, and the tick.
    press: Option<(Point, Tick)>,
}

/// The percentage of a reaction that each part of a press takes.
#[derive(Clone, Copy, Debug)]
struct Pace {
    /// Until the target is recognised.
    find_percent: u32,
    /// From the last look until the finger comes down.
    move_percent: u32,
}

/// Ghost is slow: look where the ghost is and goes, then move there.
const GHOST: Pace = Pace {
    find_percent: 100,
    move_percent: 100,
};

/// Life has many lights that appear one after the other.
const LIFE: Pace = Pace {
    find_percent: 50,
    move_percent: 50,
};

/// What a person knows at a tick.
pub struct PersonView<'a, W: Word> {
    /// The game that is played.
    pub playing: &'a Playing<W>,
    /// The geometry of the board.
    pub ground: &'a Ground<W>,
    /// The current tick.
    pub now: Tick,
    /// The Speed setting, that is the rhythm, which a person can feel.
    pub speed: u8,
}

impl<W: Word> PersonView<'_, W> {
    /// The points that are lit in one of these colours.
    fn lit(&self, colours: &[Colour]) -> Points<W> {
        let mut picture = Frame::default();
        let game = self.playing.game();
        game.paint(self.now, &mut Canvas::new(self.ground, &mut picture, 0));
        let points = self.ground.layout().iter();
        points
            .filter(|point| colours.contains(&picture.seen(*point, self.now)))
            .collect()
    }

    /// The tick at which the board next changes by itself.
    fn changes_at(&self) -> Tick {
        let at = self.playing.game().wakes_at();
        at.unwrap_or(Tick::MAX).max(self.now + 1)
    }
}

impl Finger {
    /// The finger of this person in a game of this mode.
    #[must_use]
    pub fn new(person: Person, mode: u8) -> Self {
        Finger {
            person,
            mode,
            wakes_at: 0,
            seen: None,
            finds_at: None,
            press: None,
        }
    }

    /// The tick at which [`wake`](Self::wake) must next be called.
    #[must_use]
    pub fn wakes_at(&self) -> Tick {
        self.wakes_at
    }

    /// Cancels planned touches, because the turn is over.
    pub fn rest(&mut self) {
        *self = Finger::new(self.person, self.mode);
    }

    /// What the finger does at this tick.
    pub fn wake<W: Word>(&mut self, sight: &PersonView<'_, W>, rng: &mut Rng) -> BoardTurn {
        match sight.playing {
            Playing::TouchIt(_) => self.chase(sight, rng),
            Playing::Ghost(round) => self.aim(sight, GHOST, rng, |foresees, at| {
                let at = if foresees { at } else { sight.now };
                round.game.targets_at(at, sight.speed, sight.ground.grid())
            }),
            _ => self.aim(sight, LIFE, rng, |_, _| {
                sight.lit(&[Colour::GREEN, Colour::RED])
            }),
        }
    }

    /// A random reaction time, scaled to this percentage, in ms.
    fn reaction_ms(&self, percent: u32, rng: &mut Rng) -> Tick {
        let dice = rng.below(DIE_PERCENT + 1) + rng.below(DIE_PERCENT + 1);
        let reaction_ms = self.person.reaction_ms * (LEAST_PERCENT + dice) / 100;
        u64::from(reaction_ms * percent / 100)
    }

    /// The point at which a finger with this target comes down: usually the target,
    /// sometimes a neighbour.
    fn slips<W: Word>(&self, aim: Point, grid: &Grid<W>, rng: &mut Rng) -> Point {
        if rng.percent(self.person.slip_percent) {
            let beside = grid.neighbours(Points::one(aim));
            return rng.pick(beside).unwrap_or(aim);
        }
        aim
    }

    /// TouchIt: goes for the newest green light, and for the next one as soon as it
    /// appears.
    fn chase<W: Word>(&mut self, sight: &PersonView<'_, W>, rng: &mut Rng) -> BoardTurn {
        let (game, now) = (sight.playing.game(), sight.now);
        let mut newest = game.legal(sight.ground);
        let newest = newest.find(|point| game.side_of(*point) == Some(Side::Green));
        if newest != self.seen {
            let is_third = sight.lit(&[Colour::GREEN]).len() == 3;
            let known = is_third && self.mode < RANDOM_DIRECTION;
            let reaction_ms = self.reaction_ms(if known { KNOWN_PERCENT } else { 100 }, rng);
            self.seen = newest;
            self.press = newest.map(|point| (point, now + reaction_ms));
        }
        let mut act = BoardTurn::Wait;
        if let Some((point, at)) = self.press.filter(|(_, at)| *at <= now) {
            // After a slip, the person tries again.
            let again_ms = self.reaction_ms(KNOWN_PERCENT, rng);
            self.press = Some((point, at + again_ms));
            act = BoardTurn::Touch(self.slips(point, sight.ground.grid(), rng));
        }
        let press_at = self.press.map_or(Tick::MAX, |(_, at)| at);
        self.wakes_at = press_at.min(sight.changes_at());
        act
    }

    /// Looks at the board, chooses one of the points that `targets` returns, and plans
    /// the press there. `targets` is given whether the person anticipates, and the tick
    /// up to which.
    fn aim<W: Word>(
        &mut self,
        sight: &PersonView<'_, W>,
        pace: Pace,
        rng: &mut Rng,
        targets: impl FnOnce(bool, Tick) -> Points<W>,
    ) -> BoardTurn {
        let legal = sight.playing.game().legal(sight.ground);
        if legal.is_empty() {
            self.rest();
            self.wakes_at = sight.changes_at();
            return BoardTurn::Wait;
        }
        if let Some((point, at)) = self.press {
            self.wakes_at = at.max(sight.now + 1);
            if at > sight.now {
                return BoardTurn::Wait;
            }
            self.rest();
            return BoardTurn::Touch(self.slips(point, sight.ground.grid(), rng));
        }
        let finds_at = match self.finds_at {
            Some(at) => at,
            None => sight.now + self.reaction_ms(pace.find_percent, rng),
        };
        self.finds_at = Some(finds_at);
        if finds_at > sight.now {
            self.wakes_at = finds_at;
            return BoardTurn::Wait;
        }
        let at = sight.now + self.reaction_ms(pace.move_percent, rng);
        let foresees = rng.percent(self.person.foresees_percent);
        self.press = rng
            .pick(targets(foresees, at) & legal)
            .map(|point| (point, at));
        self.wakes_at = at;
        BoardTurn::Wait
    }
}
