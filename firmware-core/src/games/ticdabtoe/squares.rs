//! Sets of places in a square of four by four, and its lines. A block is such a square of
//! cells, and the board is such a square of blocks.
//!
//! Places are counted row by row from the top, each row from the left; place `n` is bit
//! `n` of a [`Squares`].

/// The number of places in a row of a square, and of its rows.
pub const SIDE: usize = 4;
/// The number of places in a square.
pub const PLACES: usize = SIDE * SIDE;

/// A set of places, one bit each.
pub type Squares = u16;

/// The set of all places.
pub const ALL: Squares = Squares::MAX;

/// The four rows, the four columns and the two diagonals.
pub const LINES: [Squares; 10] = [
    0x000F, 0x00F0, 0x0F00, 0xF000, //
    0x1111, 0x2222, 0x4444, 0x8888, //
    0x8421, 0x1248,
];

/// The set of one place.
#[inline]
#[must_use]
pub const fn place(index: usize) -> Squares {
    1 << (index % PLACES)
}

/// The lines that are completely in the set.
pub fn lines_in(set: Squares) -> impl Iterator<Item = Squares> {
    LINES.into_iter().filter(move |line| set & line == *line)
}

/// True if the set contains a line.
#[inline]
#[must_use]
pub fn has_line(set: Squares) -> bool {
    // Each step combines two neighbours of a row, or of a column.
    let pairs = set & (set >> 1) & 0x5555;
    let rows = pairs & (pairs >> 2) & 0x1111;
    let halves = set & (set >> 8);
    let columns = halves & (halves >> 4) & 0x000F;
    rows | columns != 0 || set & 0x8421 == 0x8421 || set & 0x1248 == 0x1248
}

/// The places that all lines in the set have in common; all places if there is no line.
/// If the first line ends play, the last place of the set is one of them.
#[must_use]
pub fn common(set: Squares) -> Squares {
    lines_in(set).fold(ALL, |common, line| common & line)
}

/// The places outside of the set each of which would complete a line.
#[must_use]
pub fn completing(set: Squares) -> Squares {
    let lacking = LINES.into_iter().map(|line| line & !set);
    let single = lacking.filter(|lacking| lacking.is_power_of_two());
    single.fold(0, |all, place| all | place)
}

/// The places of a set, by their numbers.
pub fn places(set: Squares) -> impl Iterator<Item = usize> {
    let mut rest = set;
    core::iter::from_fn(move || {
        let first = (rest != 0).then(|| rest.trailing_zeros() as usize);
        rest &= rest.wrapping_sub(1);
        first
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Compares all sets with lines found place by place.
    #[test]
    fn every_line_is_a_row_a_column_or_a_diagonal() {
        let walk = |column: i32, row: i32, right: i32, down: i32| {
            (0..4).fold(0_u16, |line, step| {
                line | 1 << ((row + step * down) * 4 + column + step * right)
            })
        };
        let mut walks = [walk(0, 0, 1, 1), walk(3, 0, -1, 1)].to_vec();
        walks.extend((0..4).flat_map(|n| [walk(0, n, 1, 0), walk(n, 0, 0, 1)]));
        assert_eq!(walks.len(), LINES.len());
        for set in 0..=ALL {
            let in_set = |line: &&u16| set & **line == **line;
            let found = walks.iter().filter(in_set).count();
            assert_eq!(lines_in(set).count(), found, "{set:04x}");
            assert_eq!(has_line(set), found > 0, "{set:04x}");
            let last = places(ALL)
                .filter(|index| found == 0 || !has_line(set & !place(*index)))
                .fold(0, |all, index| all | place(index));
            assert_eq!(common(set), last, "{set:04x}");
            let next = places(!set)
                .filter(|index| {
                    walks.iter().any(|line| {
                        line & place(*index) != 0 && (set | place(*index)) & line == *line
                    })
                })
                .fold(0, |all, index| all | place(index));
            assert_eq!(completing(set), next, "{set:04x}");
        }
    }
}
