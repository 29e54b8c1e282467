//! Judges a game like an observer who sees the points and knows the manual: computes the
//! score from the rows, and the winner from the score.
//!
//! Invariants: nothing here uses the firmware, so a firmware that counts wrongly is
//! detected.

/// The rows of a board from the top, one letter for each point.
#[derive(Clone, Copy, Debug)]
pub struct Rows<'a>(pub &'a [String]);

/// The eight directions; the first four contain one direction of each line.
const DIRECTIONS: [(i32, i32); 8] = [
    (1, 0),
    (0, 1),
    (1, 1),
    (1, -1),
    (-1, 0),
    (0, -1),
    (-1, -1),
    (-1, 1),
];

impl Rows<'_> {
    fn at(self, column: i32, row: i32) -> Option<char> {
        let row = self.0.get(usize::try_from(row).ok()?)?;
        row.chars().nth(usize::try_from(column).ok()?)
    }

    fn places(self) -> impl Iterator<Item = (i32, i32)> {
        let rows = self.0.iter().zip(0..);
        rows.flat_map(|(row, y)| row.chars().zip(0..).map(move |(_, x)| (x, y)))
    }

    /// The number of points with this letter.
    #[must_use]
    pub fn count(self, letter: char) -> u64 {
        let rows = self.0.iter();
        rows.map(|row| row.matches(letter).count() as u64).sum()
    }

    /// The number of points of each colour, `[green, red]`.
    #[must_use]
    pub fn points(self) -> [u64; 2] {
        ['g', 'r'].map(|letter| self.count(letter))
    }

    /// The number of lines of four of each colour (Maldoo manual, CountLines). Lines may
    /// overlap.
    #[must_use]
    pub fn lines(self) -> [u64; 2] {
        ['g', 'r'].map(|letter| {
            let line = |(x, y): (i32, i32), (dx, dy): (i32, i32)| {
                (0..4).all(|step| self.at(x + dx * step, y + dy * step) == Some(letter))
            };
            let from = |place| {
                let ways = DIRECTIONS[..4].iter();
                ways.filter(|way| line(place, **way)).count() as u64
            };
            self.places().map(from).sum()
        })
    }

    /// The area of each colour (Maldoo manual, SpeedGo): its points, and the empty points
    /// that only this colour surrounds.
    #[must_use]
    pub fn area(self) -> [u64; 2] {
        let mut area = self.points();
        let mut seen = Vec::new();
        for place in self.places() {
            if self.at(place.0, place.1) != Some('.') || seen.contains(&place) {
                continue;
            }
            let (room, borders) = self.room(place);
            match borders {
                [true, false] => area[0] += room.len() as u64,
                [false, true] => area[1] += room.len() as u64,
                _ => {}
            }
            seen.extend(room);
        }
        area
    }

    /// The empty points that are connected to this one, and which colours they touch.
    fn room(self, place: (i32, i32)) -> (Vec<(i32, i32)>, [bool; 2]) {
        let (mut room, mut borders) = (vec![place], [false; 2]);
        let mut next = 0;
        while let Some((x, y)) = room.get(next).copied() {
            next += 1;
            for (dx, dy) in [(1, 0), (-1, 0), (0, 1), (0, -1)] {
                let beside = (x + dx, y + dy);
                match self.at(beside.0, beside.1) {
                    Some('.') if !room.contains(&beside) => room.push(beside),
                    Some('g') => borders[0] = true,
                    Some('r') => borders[1] = true,
                    _ => {}
                }
            }
        }
        (room, borders)
    }
}

/// The score of a running game according to its rows, if they show it.
///
/// `pattern` is the number of points that a game of Symmetry starts with.
#[must_use]
pub fn score(game: &str, mode: u64, rows: Rows<'_>, pattern: u64) -> Option<[u64; 2]> {
    match (game, mode) {
        // A colour that is alone on the board does not surround anything yet.
        ("SpeedGo", _) if rows.points().contains(&0) => Some(rows.points()),
        _ => final_score(game, mode, rows, pattern),
    }
}

/// As [`score`], for a game that is over.
#[must_use]
pub fn final_score(game: &str, mode: u64, rows: Rows<'_>, pattern: u64) -> Option<[u64; 2]> {
    match (game, mode) {
        ("Reversi" | "FillIt" | "Visiput" | "FindThem", _) | ("Life", 1) => Some(rows.points()),
        ("CountLines", _) => Some(rows.lines()),
        ("SpeedGo", _) => Some(rows.area()),
        ("Symmetry", _) => Some([rows.count('g') - pattern, rows.count('r')]),
        _ => None,
    }
}

/// The winner with this score.
///
/// `pattern` is the number of points that are to be found in a game of Symmetry.
#[must_use]
pub fn winner(game: &str, mode: u64, score: [u64; 2], pattern: u64) -> &'static str {
    let [green, red] = score;
    let more = |green: u64, red: u64| match green.cmp(&red) {
        core::cmp::Ordering::Greater => "green",
        core::cmp::Ordering::Less => "red",
        core::cmp::Ordering::Equal => "draw",
    };
    match (game, mode) {
        // The player with fewer generations wins.
        ("Life", 0) => more(red, green),
        // A colour wins when the other one has died out.
        ("Life", _) => more(u64::from(green > 0), u64::from(red > 0)),
        // Either all points were found, or the time is over.
        ("Symmetry", _) if green == pattern => "green",
        ("Symmetry", _) => "red",
        _ => more(green, red),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(text: &str) -> Vec<String> {
        text.split('/').map(str::to_owned).collect()
    }

    #[test]
    fn five_in_a_row_are_two_lines_and_a_gap_ends_a_line() {
        assert_eq!(Rows(&rows("ggggg/rrr.r/...../.....")).lines(), [2, 0]);
        assert_eq!(Rows(&rows("r..../.r.../..r../...r.")).lines(), [0, 1]);
        assert_eq!(Rows(&rows("...g/..g./.g../g...")).lines(), [1, 0]);
    }

    #[test]
    fn an_area_is_surrounded_by_one_colour() {
        assert_eq!(Rows(&rows(".g.r./.g.r./.g.r.")).area(), [6, 6]);
        assert_eq!(Rows(&rows(".../.g./...")).area(), [9, 0]);
        assert_eq!(Rows(&rows(".../.../...")).area(), [0, 0]);
    }

    #[test]
    fn the_only_colour_on_a_go_board_scores_area_at_the_end() {
        let one = rows(".../.g./...");
        assert_eq!(score("SpeedGo", 1, Rows(&one), 0), Some([1, 0]));
        assert_eq!(final_score("SpeedGo", 1, Rows(&one), 0), Some([9, 0]));
    }
}
