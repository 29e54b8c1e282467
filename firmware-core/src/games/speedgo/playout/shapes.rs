//! Shapes of three by three points with an empty centre on which a stone is worth
//! considering: it turns around a hostile stone, cuts, prevents a cut, or answers these
//! at the edge.
//!
//! They are those of the program MoGo (Gelly, Wang, Munos and Teytaud, "Modification of
//! UCT with Patterns in Monte-Carlo Go", 2006, section 3.2), whose authors found that
//! random games with them are much more informative than those without.
//!
//! Invariants: a shape is recognised in each of its eight orientations, and with the
//! colours exchanged.

use protocol::Point;

use super::{EMPTY, NOWHERE, PlayoutBoard};
use crate::rng::Rng;

/// The rows from the top. `X` and `O` are stones of the two sides, `x` and `o` are
/// anything except these, `.` is an empty point, `#` is beyond the edge, and `?` is
/// anything. The centre is empty.
const SHAPES: [&[u8; 9]; 12] = [
    b"XOX...???",
    b"XO....?.?",
    b"XO?X..x.?",
    b".O.X.....",
    b"XO?O.o?o?",
    b"XO?O.X???",
    b"?X?O.Oooo",
    b"OX?o.O???",
    b"X.?O.?###",
    b"OX?X.O###",
    b"?X?x.O###",
    b"?OXX.O###",
];

/// The index of the centre of the nine points.
const MIDDLE: usize = 4;
/// The number of codes: a code has two bits for each of the eight surrounding points.
const CODES: usize = 1 << 16;

/// One bit for each code, which is set if the code is one of the [`SHAPES`].
static KNOWN: [u32; CODES / 32] = known();

/// True if the contents of a point (0 and 1 stones, 2 empty, 3 the frame) match the
/// letter.
const fn fits(letter: u8, what: usize) -> bool {
    match letter {
        b'X' => what == 0,
        b'O' => what == 1,
        b'.' => what == 2,
        b'#' => what == 3,
        b'x' => what != 0,
        b'o' => what != 1,
        _ => true,
    }
}

/// The index that point `place` has in a shape which is rotated or mirrored by `turn`:
/// quarter turns, mirrored from 4 on.
const fn turned(place: usize, turn: usize) -> usize {
    let (mut row, mut column) = (place / 3, place % 3);
    let mut quarters = turn % 4;
    while quarters > 0 {
        (row, column) = (column, 2 - row);
        quarters -= 1;
    }
    if turn >= 4 {
        column = 2 - column;
    }
    3 * row + column
}

/// The shift of a point in a code.
const fn shift(place: usize) -> usize {
    2 * (if place < MIDDLE { place } else { place - 1 })
}

/// Marks all codes that agree with `code` before point `place` of the shape, and match
/// the shape from there on.
const fn mark(
    table: &mut [u32; CODES / 32],
    shape: &[u8; 9],
    turn: usize,
    swapped: usize,
    place: usize,
    code: usize,
) {
    if place == 9 {
        table[code / 32] |= 1 << (code % 32);
        return;
    }
    if place == MIDDLE {
        return mark(table, shape, turn, swapped, place + 1, code);
    }
    let mut what = 0;
    while what < 4 {
        if fits(shape[place], what) {
            let seen = if what < 2 { what ^ swapped } else { what };
            let code = code | seen << shift(turned(place, turn));
            mark(table, shape, turn, swapped, place + 1, code);
        }
        what += 1;
    }
}

const fn known() -> [u32; CODES / 32] {
    let mut table = [0; CODES / 32];
    let mut number = 0;
    while number < SHAPES.len() {
        let mut turn = 0;
        while turn < 8 {
            mark(&mut table, SHAPES[number], turn, 0, 0, 0);
            mark(&mut table, SHAPES[number], turn, 1, 0, 0);
            turn += 1;
        }
        number += 1;
    }
    table
}

/// True for the code of a shape.
#[inline(always)]
fn is_known(code: usize) -> bool {
    KNOWN[code / 32 % KNOWN.len()] >> (code % 32) & 1 != 0
}

/// The contents of the eight points around an empty one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Around {
    /// None of the points has a stone.
    Nothing,
    /// There are stones, and a stone in the centre would make one of the shapes.
    Shape,
    /// There are stones, but they do not make a shape.
    Stones,
}

impl<const CELLS: usize> PlayoutBoard<CELLS> {
    /// The code of the contents around a cell.
    #[inline(always)]
    fn surrounding(&self, cell: usize) -> usize {
        let row = |middle: usize| {
            let at = |cell: usize| usize::from(self.colour_at(cell) & 3);
            at(middle.wrapping_sub(1)) | at(middle) << 2 | at(middle.wrapping_add(1)) << 4
        };
        let sides = usize::from(self.colour_at(cell.wrapping_sub(1)) & 3)
            | usize::from(self.colour_at(cell.wrapping_add(1)) & 3) << 2;
        row(cell.wrapping_sub(self.stride)) | sides << 6 | row(cell + self.stride) << 10
    }

    /// True if a stone on this empty cell makes one of the shapes.
    #[inline(always)]
    pub(super) fn is_shapely(&self, cell: usize) -> bool {
        is_known(self.surrounding(cell))
    }

    /// A random point next to the last stone where a stone makes one of the shapes;
    /// [`NOWHERE`] if there is none.
    #[inline(always)]
    pub(super) fn shapely_answer(&self, rng: &mut Rng) -> u16 {
        if self.last == NOWHERE {
            return NOWHERE;
        }
        self.charge(1);
        let last = usize::from(self.last);
        let [up, left, right, down] = self.near(last);
        let around = [
            up,
            up.wrapping_add(1),
            right,
            down.wrapping_add(1),
            down,
            down.wrapping_sub(1),
            left,
            up.wrapping_sub(1),
        ];
        let first = rng.next() as usize;
        for turn in 0..around.len() {
            let cell = around[first.wrapping_add(turn) % around.len()];
            if self.colour_at(cell) == EMPTY {
                self.charge(1);
                if self.is_shapely(cell) && self.is_allowed(cell as u16) {
                    return cell as u16;
                }
            }
        }
        NOWHERE
    }

    /// The contents around an empty point.
    #[must_use]
    pub fn around(&self, point: Point) -> Around {
        // Of the two bits, empty is 10 and the frame is 11: the high bit is never set for
        // a stone.
        const HIGH: usize = 0xAAAA;
        let code = self.surrounding(self.cell(point));
        if code & HIGH == HIGH {
            Around::Nothing
        } else if is_known(code) {
            Around::Shape
        } else {
            Around::Stones
        }
    }

    /// The distance of a point from the edge, in lines.
    #[must_use]
    pub fn height(&self, point: Point) -> usize {
        let (row, column) = (point.index() / self.columns, point.index() % self.columns);
        let from = |place: usize, side: usize| place.min(side.saturating_sub(place + 1));
        from(row, self.rows).min(from(column, self.columns))
    }

    /// True if the last stone is beside this point.
    #[must_use]
    pub fn is_by_last(&self, point: Point) -> bool {
        let distance = self.cell(point).abs_diff(usize::from(self.last));
        self.last != NOWHERE && (distance == 1 || distance.abs_diff(self.stride) <= 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::speedgo::playout::SMALL;
    use crate::games::speedgo::tests::board;
    use protocol::Side;

    /// True if a stone of this side makes a shape in the middle of the board.
    fn in_the_middle(rows: &str, point: &str, side: Side) -> bool {
        let (table, game) = board(rows, side);
        let playout = PlayoutBoard::<SMALL>::new(table.ground.grid(), game.stones(), side, None);
        playout.around(table.point(point)) == Around::Shape
    }

    #[test]
    fn a_hane_is_a_shape_for_both_sides_in_all_orientations() {
        for rows in [
            "..... .grg. ..... ..... .....",
            "..... .rgr. ..... ..... .....",
            "..... ..... ..... .grg. .....",
            "..... .g... .r... .g... .....",
            "..... ...g. ...r. ...g. .....",
        ] {
            for side in Side::BOTH {
                assert!(in_the_middle(rows, "c3", side), "{rows}");
            }
        }
    }

    #[test]
    fn a_cut_is_a_shape_and_a_quiet_point_is_not() {
        assert!(in_the_middle(
            "..... .gr.. .r... ..... .....",
            "c3",
            Side::Green
        ));
        assert!(!in_the_middle(
            "..... ..... ..... ..... .....",
            "c3",
            Side::Green
        ));
        assert!(!in_the_middle(
            "..... .ggg. ..... ..... .....",
            "c3",
            Side::Green
        ));
    }

    #[test]
    fn shapes_of_the_edge_do_not_match_elsewhere() {
        // The shape keeps a stone at the edge from extending along it.
        assert!(in_the_middle(
            "..... ..... ..... .g... .r.r.",
            "c1",
            Side::Green
        ));
        assert!(!in_the_middle(
            "..... ..... .g... .r.r. .....",
            "c2",
            Side::Green
        ));
    }

    #[test]
    fn every_shape_is_known_with_the_colours_exchanged() {
        for code in 0..CODES {
            let high = code & 0xAAAA;
            // Green is 00 and red is 01: if the high bit is clear, the low one is
            // inverted.
            let exchanged = code ^ (!high >> 1 & 0x5555);
            assert_eq!(is_known(code), is_known(exchanged), "{code:#x}");
        }
    }

    #[test]
    fn heights_count_from_the_edge_and_lonely_points_are_found() {
        let (table, game) = board("..... ..... ....g ..... .....", Side::Green);
        let playout =
            PlayoutBoard::<SMALL>::new(table.ground.grid(), game.stones(), Side::Green, None);
        let at = |name| table.point(name);
        assert_eq!(
            ["a1", "b3", "c3", "e4"].map(|name| playout.height(at(name))),
            [0, 1, 2, 0]
        );
        let around = ["a1", "c3", "d2", "e4"].map(|name| playout.around(at(name)));
        assert_eq!(
            around,
            [
                Around::Nothing,
                Around::Nothing,
                Around::Stones,
                Around::Stones
            ]
        );
    }
}
