//! Legal moves and catches for whole sets of points at once.
//!
//! A stone is caught along one of four axes: the row, the column and the two diagonals.
//! Along an axis, the next point is always the same number of bits away. All runs of
//! stones along an axis can therefore be followed at once, by shifting a set of stones.
//!
//! An edge that catches (Maldoo manual, Reversi, modes 1, 3 and 5) acts on the opponent's
//! stones next to it like an own stone behind it.
//!
//! Invariants: no bit outside of the board is read or set.

use protocol::MAX_POINTS;

use crate::grid::{Direction, Grid};
use crate::points::Points;
pub use crate::two_colours::Bitboards;
use crate::word::{SHORT, Word};

/// The maximum number of points of a board.
pub const POINTS: usize = MAX_POINTS;

/// The effect of the board's edge on a line of stones that reaches it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EdgeRule {
    /// The edge has no effect: only an own stone catches.
    Open,
    /// The edge catches, as if an own stone were behind it.
    Catches,
}

/// Where a stone may be placed, always on an empty point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LegalRule {
    /// Where the stone catches at least one stone.
    Catch,
    /// Next to a stone of either colour.
    Neighbour,
    /// On any empty point.
    Any,
}

/// The differences between modes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rule {
    /// The effect of the board's edge.
    pub edge: EdgeRule,
    /// Where a stone may be placed.
    pub legal: LegalRule,
}

impl<W: Word> Bitboards<W> {
    /// The position after this stone was placed and these stones were caught, from the
    /// point of view of the opponent.
    #[inline]
    #[must_use]
    pub fn after(self, stone: Points<W>, caught: Points<W>) -> Self {
        Bitboards {
            own: self.other ^ caught,
            other: self.own ^ caught ^ stone,
        }
    }
}

/// The lines of the board in one of the four directions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Axis<W> {
    /// The points with neighbours in both directions of the axis.
    inner: W,
    /// The points with a neighbour only in the forward direction.
    first: W,
    /// The points with a neighbour only in the backward direction.
    last: W,
}

impl<W: Word> Axis<W> {
    /// The axis of two opposite directions, the one towards higher bits first.
    #[inline(always)]
    fn along(grid: &Grid<W>, forward: Direction, backward: Direction) -> Self {
        let all = grid.all();
        let has_previous = grid.shift(all, forward);
        let has_next = grid.shift(all, backward);
        Axis {
            inner: (has_previous & has_next).0,
            first: has_next.without(has_previous).0,
            last: has_previous.without(has_next).0,
        }
    }
}

/// What is the same for all lines of a direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct LineShape {
    /// The distance in bits between neighbours.
    step: usize,
    /// The largest number of stones that can be caught.
    longest: usize,
}

/// The parameters that determine the control flow. If they are constants, the shifts are
/// constant as well.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Shape {
    columns: usize,
    rows: usize,
    edge: EdgeRule,
    /// True if runs of stones are followed in leaps instead of point by point.
    in_leaps: bool,
}

impl Shape {
    /// The shape of a square board, as a constant, with which leaps are constant shifts.
    const fn square(side: usize, edge: EdgeRule) -> Shape {
        Shape {
            columns: side,
            rows: side,
            edge,
            in_leaps: true,
        }
    }

    /// True for a square board of this size with this edge.
    #[inline(always)]
    fn is_square(self, side: usize, edge: EdgeRule) -> bool {
        self.columns == side && self.rows == side && self.edge == edge
    }

    /// The runs of points of `inner` that start with the points of `run`, up to the
    /// largest number that can be caught.
    #[inline(always)]
    fn follow<W: Word>(
        self,
        inner: W,
        run: W,
        line: LineShape,
        shift: impl Fn(W, usize) -> W,
    ) -> W {
        if self.in_leaps {
            follow_in_leaps(inner, run, line, shift)
        } else {
            follow_in_steps(inner, run, line.step, shift)
        }
    }

    /// The lines along each of [`Kernel::axes`].
    #[inline(always)]
    fn lines(self) -> [LineShape; 4] {
        let Shape { columns, rows, .. } = self;
        let diagonal = if columns < rows { columns } else { rows };
        [
            (1, columns - 1),
            (columns, rows - 1),
            (columns + 1, diagonal - 1),
            (columns - 1, diagonal - 1),
        ]
        .map(|(step, longest)| LineShape { step, longest })
    }

    /// Those of these stones that are held by the edge.
    #[inline(always)]
    fn held_by_edge<W: Word>(self, stones: W, at_edge: W) -> W {
        match self.edge {
            EdgeRule::Open => W::ZERO,
            EdgeRule::Catches => stones & at_edge,
        }
    }
}

/// The rules of a mode on a board, as masks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kernel<W> {
    grid: Grid<W>,
    rule: Rule,
    axes: [Axis<W>; 4],
    shape: Shape,
}

/// Runs the same code with the shape as a constant if it is a common one for boards of
/// this word. The compiler then unrolls the code into constant shifts, which makes it
/// faster by a quarter to a half. An image has no room for that.
macro_rules! by_shape {
    ($kernel:ident, $method:ident $arguments:tt) => {
        by_shape!($kernel, $method $arguments,
            [64, 8, EdgeRule::Open] [64, 8, EdgeRule::Catches]
            [128, 9, EdgeRule::Open] [128, 9, EdgeRule::Catches])
    };
    ($kernel:ident, $method:ident $arguments:tt, $([$bits:literal, $side:literal, $edge:expr])*) => {
        match W::BITS {
            $($bits if cfg!(target_pointer_width = "64") && $kernel.shape.is_square($side, $edge) => {
                by_shape!(@ $kernel, $method, const { Shape::square($side, $edge) }, $arguments)
            })*
            _ => {
                let shape = Shape { in_leaps: W::BITS <= 64, ..$kernel.shape };
                by_shape!(@ $kernel, $method, shape, $arguments)
            }
        }
    };
    (@ $kernel:ident, $method:ident, $shape:expr, ($($argument:expr),*)) => {
        $kernel.$method($shape, $($argument),*)
    };
}

impl<W: Word> Kernel<W> {
    /// The masks of a mode on a board.
    #[must_use]
    pub fn new(grid: &Grid<W>, rule: Rule) -> Self {
        // Written out, so that the directions are constants; a kernel is created for each
        // touch.
        let axes = [
            Axis::along(grid, Direction::East, Direction::West),
            Axis::along(grid, Direction::South, Direction::North),
            Axis::along(grid, Direction::SouthEast, Direction::NorthWest),
            Axis::along(grid, Direction::SouthWest, Direction::NorthEast),
        ];
        Kernel {
            grid: *grid,
            rule,
            axes,
            shape: Shape {
                columns: grid.columns(),
                rows: grid.rows(),
                edge: rule.edge,
                in_leaps: W::BITS <= 64,
            },
        }
    }

    /// The grid of the board.
    #[inline]
    #[must_use]
    pub fn grid(&self) -> &Grid<W> {
        &self.grid
    }

    /// The rules of the mode.
    #[inline]
    #[must_use]
    pub fn rule(&self) -> Rule {
        self.rule
    }

    /// The points without a stone.
    #[inline]
    #[must_use]
    pub fn empty(&self, view: Bitboards<W>) -> Points<W> {
        self.grid.all().without(view.own | view.other)
    }

    /// The points where the side to move may place a stone.
    #[inline]
    #[must_use]
    pub fn legal(&self, view: Bitboards<W>) -> Points<W> {
        match self.rule.legal {
            LegalRule::Catch => self.catches(view),
            LegalRule::Neighbour => self.grid.neighbours(view.own | view.other),
            LegalRule::Any => self.empty(view),
        }
    }

    /// The empty points where a stone of the side to move would catch.
    #[inline]
    #[must_use]
    pub fn catches(&self, view: Bitboards<W>) -> Points<W> {
        by_shape!(self, catches_on(view))
    }

    /// The stones caught by a stone of the side to move on this empty point. `stone` is
    /// the set of that point.
    #[inline]
    #[must_use]
    pub fn caught(&self, view: Bitboards<W>, stone: Points<W>) -> Points<W> {
        by_shape!(self, caught_on(view, stone))
    }

    /// The points where a stone of the side to move would catch. For each of them, the
    /// caught stones are added to `caught`. This is faster than point by point, because
    /// most stones catch in only one direction.
    #[inline]
    pub fn catches_each(&self, view: Bitboards<W>, caught: &mut [Points<W>; POINTS]) -> Points<W> {
        by_shape!(self, catches_each_on(view, caught))
    }

    /// The total number of moves of the sides to move in several positions, where a side
    /// without a move counts 1. If stones must catch, several positions are examined at
    /// once.
    #[inline]
    #[must_use]
    pub fn replies<const MANY: usize>(
        &self,
        own: &[Points<W>; MANY],
        other: &[Points<W>; MANY],
    ) -> u64 {
        match self.rule.legal {
            LegalRule::Catch => by_shape!(self, replies_on(own, other)),
            _ => {
                let views = own.iter().zip(other);
                let views = views.map(|(own, other)| Bitboards {
                    own: *own,
                    other: *other,
                });
                views.map(|view| self.legal(view).len().max(1) as u64).sum()
            }
        }
    }

    /// The stones of `own` on the border that are joined to an own corner by own stones
    /// along the border, without the corner. If the edge does not catch, they can never
    /// be caught.
    #[inline]
    #[must_use]
    pub fn anchored(&self, own: Points<W>, corners: Points<W>) -> Points<W> {
        by_shape!(self, anchored_on(own, corners))
    }

    #[inline(always)]
    fn anchored_on(&self, shape: Shape, own: Points<W>, corners: Points<W>) -> Points<W> {
        let [row, column, ..] = &self.axes;
        let corners = (own & corners).0;
        let mut joined = W::ZERO;
        // The inner points of the border are inner along the row or along the column, not
        // both.
        let sides = [row.inner & !column.inner, column.inner & !row.inner];
        for (side, line) in sides.into_iter().zip(shape.lines()) {
            let (own, step) = (own.0 & side, line.step);
            joined |= shape.follow(own, own & corners.up_short(step), line, W::up);
            joined |= shape.follow(own, own & corners.down_short(step), line, W::down);
        }
        Points(joined)
    }

    #[inline(always)]
    fn catches_on(&self, shape: Shape, view: Bitboards<W>) -> Points<W> {
        let (own, other) = (view.own.0, view.other.0);
        let lines = shape.lines();
        let mut found = W::ZERO;
        for (axis, line) in self.axes.iter().zip(lines) {
            let (inner, step) = (other & axis.inner, line.step);
            let forward = (inner & own.up_short(step)) | shape.held_by_edge(other, axis.first);
            found |= shape.follow(inner, forward, line, W::up).up_short(step);
            let backward = (inner & own.down_short(step)) | shape.held_by_edge(other, axis.last);
            found |= shape
                .follow(inner, backward, line, W::down)
                .down_short(step);
        }
        self.empty(view) & Points(found)
    }

    #[inline(always)]
    fn replies_on<const MANY: usize>(
        &self,
        shape: Shape,
        own: &[Points<W>; MANY],
        other: &[Points<W>; MANY],
    ) -> u64 {
        let mut moves = [Points::NONE; MANY];
        for (moves, (own, other)) in moves.iter_mut().zip(own.iter().zip(other)) {
            let (own, other) = (*own, *other);
            *moves = self.catches_on(shape, Bitboards { own, other });
        }
        moves.iter().map(|moves| moves.len().max(1) as u64).sum()
    }

    #[inline(always)]
    fn catches_each_on(
        &self,
        shape: Shape,
        view: Bitboards<W>,
        caught: &mut [Points<W>; POINTS],
    ) -> Points<W> {
        let (own, other) = (view.own.0, view.other.0);
        let empty = self.empty(view);
        let mut found = Points::NONE;
        // Follows runs of the opponent's stones that start next to an own stone to their
        // ends, and from there back.
        for (axis, line) in self.axes.iter().zip(shape.lines()) {
            let (inner, step) = (other & axis.inner, line.step);
            let forward = (inner & own.up_short(step)) | shape.held_by_edge(other, axis.first);
            let run = shape.follow(inner, forward, line, W::up);
            let ends = empty & Points(run.up_short(step));
            add_each(caught, ends, |stone| {
                shape.follow(run, run & stone.down_short(step), line, W::down)
            });
            found |= ends;
            let backward = (inner & own.down_short(step)) | shape.held_by_edge(other, axis.last);
            let run = shape.follow(inner, backward, line, W::down);
            let ends = empty & Points(run.down_short(step));
            add_each(caught, ends, |stone| {
                shape.follow(run, run & stone.up_short(step), line, W::up)
            });
            found |= ends;
        }
        found
    }

    #[inline(always)]
    fn caught_on(&self, shape: Shape, view: Bitboards<W>, stone: Points<W>) -> Points<W> {
        let (own, other, stone) = (view.own.0, view.other.0, stone.0);
        let lines = shape.lines();
        let mut caught = W::ZERO;
        for (axis, line) in self.axes.iter().zip(lines) {
            let (inner, step) = (other & axis.inner, line.step);
            let run = shape.follow(inner, inner & stone.up_short(step), line, W::up);
            caught |= held(
                run,
                (run | stone).up_short(step),
                own,
                shape.held_by_edge(other, axis.last),
            );
            let run = shape.follow(inner, inner & stone.down_short(step), line, W::down);
            caught |= held(
                run,
                (run | stone).down_short(step),
                own,
                shape.held_by_edge(other, axis.first),
            );
        }
        Points(caught)
    }
}

/// Adds the stones that a stone on each of these points catches.
#[inline(always)]
fn add_each<W: Word>(caught: &mut [Points<W>; POINTS], points: Points<W>, by: impl Fn(W) -> W) {
    for point in points {
        caught[point.index() % POINTS].0 |= by(W::bit(point.index()));
    }
}

/// As [`Shape::follow`], with steps of doubling length. This is best if a shift takes the
/// same time for any distance, and a branch takes much longer.
#[inline(always)]
fn follow_in_leaps<W: Word>(
    inner: W,
    mut run: W,
    line: LineShape,
    shift: impl Fn(W, usize) -> W,
) -> W {
    let mut whole = inner;
    let mut reach = 1;
    while reach < line.longest {
        // Here `whole` contains the points that end a run of `reach` points of `inner`.
        let by = line.step * reach;
        run |= whole & shift(run, by);
        whole &= shift(whole, by);
        reach *= 2;
    }
    run
}

/// As [`Shape::follow`], point by point, as long as there is anything to follow. Most
/// runs are short, and on a 32-bit machine a short shift of a long word takes a third of
/// the time of a long one.
#[inline(always)]
fn follow_in_steps<W: Word>(inner: W, mut run: W, step: usize, shift: impl Fn(W, usize) -> W) -> W {
    let mut end = run;
    while end != W::ZERO {
        end = inner & shift(end, step % SHORT);
        run |= end;
    }
    run
}

/// The run if there is an own stone at its end, or a caught stone at the edge, which is
/// then included. `end` may contain the run as well.
#[inline(always)]
fn held<W: Word>(run: W, end: W, own: W, at_edge: W) -> W {
    let by_edge = end & at_edge;
    if (end & own) | by_edge == W::ZERO {
        W::ZERO
    } else {
        run | by_edge
    }
}
