//! Computes a generation for all points at once: full adders on whole sets count the
//! neighbours, one set for each bit of the counts.
//!
//! Invariants: all points beyond the edge are dead, and no result has a point outside
//! of the board.

use postcard::experimental::max_size::MaxSize;
use serde::{Deserialize, Serialize};

use crate::grid::{Direction, Grid};
use crate::points::Points;
use crate::word::Word;

/// The number of generations after which a point dies (Maldoo manual, Life: "When a point
/// reaches 6 generations it dies").
pub const LIFETIME: u8 = 6;

/// The sum of three bits: `[ones, twos]`.
#[inline]
fn add<W: Word>(a: Points<W>, b: Points<W>, c: Points<W>) -> [Points<W>; 2] {
    let half = a ^ b;
    [half ^ c, (a & b) | (half & c)]
}

/// For every point, the numbers of living points in the rows above, beside and below it,
/// as sums `[ones, twos]` of at most 3, 2 and 3.
#[inline]
fn lines<W: Word>(alive: Points<W>, grid: &Grid<W>) -> [[Points<W>; 2]; 3] {
    let east = grid.shift(alive, Direction::East);
    let west = grid.shift(alive, Direction::West);
    let beside = [east ^ west, east & west];
    let line = [beside[0] ^ alive, beside[1] | (beside[0] & alive)];
    let above = line.map(|bit| grid.shift(bit, Direction::South));
    let below = line.map(|bit| grid.shift(bit, Direction::North));
    [above, beside, below]
}

/// The points with two or three living neighbours, and those with three.
#[inline]
fn two_or_three<W: Word>(alive: Points<W>, grid: &Grid<W>) -> [Points<W>; 2] {
    let [above, beside, below] = lines(alive, grid);
    let [ones, carry] = add(above[0], beside[0], below[0]);
    // The count is two or three if exactly one of the four twos is set.
    let odd = above[1] ^ beside[1] ^ below[1] ^ carry;
    let pairs = (above[1] & beside[1]) | (below[1] & carry);
    let either = odd.without(pairs);
    [either, either & ones]
}

/// The number of living neighbours of every point: `[ones, twos, fours, eights]`.
#[inline]
fn counts<W: Word>(alive: Points<W>, grid: &Grid<W>) -> [Points<W>; 4] {
    let [above, beside, below] = lines(alive, grid);
    let [ones, carry] = add(above[0], beside[0], below[0]);
    let [some, fours] = add(above[1], beside[1], below[1]);
    let more = some & carry;
    [ones, some ^ carry, fours ^ more, fours & more]
}

/// The next generation without ages, as in the usual Life.
#[inline]
#[must_use]
pub fn plain<W: Word>(alive: Points<W>, grid: &Grid<W>) -> Points<W> {
    let [either, three] = two_or_three(alive, grid);
    three | (either & alive)
}

/// Living points and their ages.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, MaxSize)]
#[serde(bound(serialize = "W: Word", deserialize = "W: Word"))]
pub struct Aged<W: Word> {
    pub(super) alive: Points<W>,
    /// The number of generations that the living points have survived, below
    /// [`LIFETIME`], as bits: `[ones, twos, fours]`.
    pub(super) age: [Points<W>; 3],
}

impl<W: Word> Aged<W> {
    /// A generation in which these points were just born.
    #[must_use]
    pub fn new(alive: Points<W>) -> Self {
        Aged {
            alive,
            age: [Points::NONE; 3],
        }
    }

    /// The points that are alive.
    #[must_use]
    pub fn alive(&self) -> Points<W> {
        self.alive
    }

    /// Kills those of the points that are alive, and brings the others to life, with age
    /// 0.
    pub fn reverse(&mut self, points: Points<W>) {
        self.alive ^= points;
        self.age = self.age.map(|bit| bit.without(points));
    }

    /// The next generation. Points that die of old age still count as neighbours, and no
    /// point is born in their places.
    #[must_use]
    pub fn next(&self, grid: &Grid<W>) -> Self {
        let [either, three] = two_or_three(self.alive, grid);
        let survivors = either & self.alive;
        let born = three.without(self.alive);
        let [ones, twos, fours] = self.age;
        // The points become one generation older; the sixth is binary 110.
        let carry = ones & twos;
        let older = [!ones, ones ^ twos, carry ^ fours];
        let too_old = older[1] & older[2];
        let alive = survivors.without(too_old);
        Aged {
            alive: alive | born,
            age: older.map(|bit| bit & alive),
        }
    }

    /// False for a state that cannot come from play.
    #[must_use]
    pub fn is_sound(&self, grid: &Grid<W>) -> bool {
        let [ones, twos, fours] = self.age;
        self.alive.without(grid.all()).is_empty()
            && (ones | twos | fours).without(self.alive).is_empty()
            && !twos.meets(fours)
    }
}

/// The points where one count exceeds the other by two, each given as `[ones, twos,
/// fours, eights]`.
#[inline]
fn is_two_more<W: Word>(more: [Points<W>; 4], less: [Points<W>; 4]) -> Points<W> {
    // Adding two is adding one to the twos.
    let [ones, twos, fours, eights] = less;
    let carry = twos & fours;
    let sum = [ones, !twos, fours ^ twos, eights ^ carry];
    let different = more
        .into_iter()
        .zip(sum)
        .fold(Points::NONE, |different, (a, b)| different | (a ^ b));
    !different
}

/// The own stones that survive: those with 2 or 3 own neighbours, where each hostile
/// neighbour subtracts 2.
#[inline]
fn holds_out<W: Word>(own: [Points<W>; 4], other: [Points<W>; 4]) -> Points<W> {
    // Half of the own count must be one more than the hostile count: one without a
    // hostile neighbour, two with one, three with two. More neighbours do not fit around
    // a point.
    let [_, one, two, four] = own;
    let [few, some, many, all] = other;
    let none = !(few | some | many | all);
    let single = few.without(some | many | all);
    let pair = some.without(few | many | all);
    let halves = (one & !two & none) | (two & !one & single) | (one & two & pair);
    halves.without(four)
}

/// The next generation of two hostile colours, `[green, red]`.
#[inline]
#[must_use]
pub fn hostile<W: Word>(stones: [Points<W>; 2], grid: &Grid<W>) -> [Points<W>; 2] {
    let [green, red] = stones;
    let [greens, reds] = stones.map(|colour| counts(colour, grid));
    let empty = grid.all().without(green | red);
    [
        (green & holds_out(greens, reds)) | (empty & is_two_more(greens, reds)),
        (red & holds_out(reds, greens)) | (empty & is_two_more(reds, greens)),
    ]
}
