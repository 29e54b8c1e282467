//! A second, slow implementation of the rules, cell by cell, with which the fast one is
//! compared.

use std::vec::Vec;

use proptest::prelude::*;
use protocol::{Outcome, Point, Side};

use super::position::{Block, IllegalMark, Position};

/// The board: 16 rows of 16 cells, from the top.
#[derive(Clone)]
struct Reference {
    cells: [[Option<Side>; 16]; 16],
    blocks: [[Block; 4]; 4],
    mover: Side,
    last: Option<(usize, usize)>,
}

/// The rows, columns and diagonals of a square of four by four with its upper left corner
/// here.
fn lines(row: usize, column: usize) -> Vec<[(usize, usize); 4]> {
    let mut lines = Vec::new();
    for n in 0..4 {
        lines.push([0, 1, 2, 3].map(|step| (row + n, column + step)));
        lines.push([0, 1, 2, 3].map(|step| (row + step, column + n)));
    }
    lines.push([0, 1, 2, 3].map(|step| (row + step, column + step)));
    lines.push([0, 1, 2, 3].map(|step| (row + step, column + 3 - step)));
    lines
}

impl Reference {
    fn start() -> Reference {
        Reference {
            cells: [[None; 16]; 16],
            blocks: [[Block::InPlay; 4]; 4],
            mover: Side::Green,
            last: None,
        }
    }

    fn winner(&self) -> Option<Side> {
        let is_line = |side: Side, line: &[(usize, usize); 4]| {
            let won = Block::Won(side);
            line.iter()
                .all(|(row, column)| self.blocks[*row][*column] == won)
        };
        Side::BOTH
            .into_iter()
            .find(|side| lines(0, 0).iter().any(|line| is_line(*side, line)))
    }

    fn outcome(&self) -> Option<Outcome> {
        let in_play = self
            .blocks
            .iter()
            .flatten()
            .any(|block| *block == Block::InPlay);
        match self.winner() {
            Some(side) => Some(Outcome::Won(side)),
            None if !in_play => Some(Outcome::Draw),
            None => None,
        }
    }

    /// The rows and columns of the legal cells, in the order of points.
    fn legal(&self) -> Vec<(usize, usize)> {
        if self.outcome().is_some() {
            return Vec::new();
        }
        let target = self.last.map(|(row, column)| (row % 4, column % 4));
        let bound = target.filter(|(row, column)| self.blocks[*row][*column] == Block::InPlay);
        let open = |row: usize, column: usize| {
            let block = (row / 4, column / 4);
            match bound {
                Some(target) => block == target,
                None => self.blocks[block.0][block.1] == Block::InPlay,
            }
        };
        let all = (0..16).flat_map(|row| (0..16).map(move |column| (row, column)));
        all.filter(|(row, column)| self.cells[*row][*column].is_none() && open(*row, *column))
            .collect()
    }

    fn play(&mut self, row: usize, column: usize) {
        self.cells[row][column] = Some(self.mover);
        let (top, left) = (row / 4 * 4, column / 4 * 4);
        let is_own = |line: &[(usize, usize); 4]| {
            line.iter()
                .all(|(row, column)| self.cells[*row][*column] == Some(self.mover))
        };
        let inside = || (top..top + 4).flat_map(|row| (left..left + 4).map(move |c| (row, c)));
        let is_full = inside().all(|(row, column)| self.cells[row][column].is_some());
        let block = &mut self.blocks[row / 4][column / 4];
        if lines(top, left).iter().any(is_own) {
            *block = Block::Won(self.mover);
        } else if is_full {
            *block = Block::Drawn;
        }
        self.mover = self.mover.other();
        self.last = Some((row, column));
    }

    fn points(&self) -> [u16; 2] {
        match self.winner() {
            Some(Side::Green) => [16, 0],
            Some(Side::Red) => [0, 16],
            None => Side::BOTH.map(|side| {
                let won = Block::Won(side);
                self.blocks
                    .iter()
                    .flatten()
                    .filter(|block| **block == won)
                    .count() as u16
            }),
        }
    }

    /// Checks that a position gives the same answers.
    fn agrees_with(&self, position: &Position) {
        let legal: Vec<u8> = self
            .legal()
            .iter()
            .map(|(row, column)| (row * 16 + column) as u8)
            .collect();
        let open: Vec<(usize, usize)> = self
            .legal()
            .iter()
            .map(|(row, column)| (row / 4, column / 4))
            .collect();
        let mut quick: Vec<u8> = position.legal().map(|point| point.0).collect();
        quick.sort_unstable();
        assert_eq!(quick, legal);
        let blocks: Vec<Block> = self.blocks.iter().flatten().copied().collect();
        assert_eq!(position.blocks()[..], blocks);
        assert_eq!(position.outcome(), self.outcome());
        assert_eq!(position.points(), self.points());
        let turn = self.outcome().is_none().then_some(self.mover);
        assert_eq!(position.turn(), turn);
        for index in 0..=u8::MAX {
            let (row, column) = (usize::from(index / 16), usize::from(index % 16));
            let point = Point(index);
            assert_eq!(position.mark_at(point), self.cells[row][column]);
            let refusal = position.allows(point).err();
            let expected = match legal.contains(&index) {
                true => None,
                false if turn.is_none() => Some(IllegalMark::Over),
                false if !open.contains(&(row / 4, column / 4)) => Some(IllegalMark::Closed),
                false => Some(IllegalMark::Taken),
            };
            assert_eq!(refusal, expected);
        }
    }

    /// The number of games with this many further moves.
    fn games(&self, moves: u32) -> u64 {
        let legal = self.legal();
        if moves == 1 {
            return legal.len() as u64;
        }
        let after = legal.into_iter().map(|(row, column)| {
            let mut after = self.clone();
            after.play(row, column);
            after.games(moves - 1)
        });
        after.sum()
    }
}

fn games(position: &Position, moves: u32) -> u64 {
    let legal = position.legal();
    match moves {
        1 => legal.count() as u64,
        _ => legal
            .map(|point| games(&position.after(point), moves - 1))
            .sum(),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn every_game_follows_the_slow_rules(choices in prop::collection::vec(any::<u16>(), 256)) {
        let (mut quick, mut slow) = (Position::start(), Reference::start());
        for choice in choices {
            slow.agrees_with(&quick);
            let legal = slow.legal();
            let Some((row, column)) = legal.get(usize::from(choice) % legal.len().max(1)) else {
                break;
            };
            let point = Point((row * 16 + column) as u8);
            slow.play(*row, *column);
            quick = quick.play(point).expect("it is legal");
            prop_assert!(quick.is_sound());
            prop_assert_eq!(Position::of_bytes(&quick.bytes()), Some(quick));
        }
        prop_assert!(quick.outcome().is_some());
    }

    #[test]
    fn game_counts_of_three_moves_equal_the_slow_rules(
        choices in prop::collection::vec(any::<u16>(), 0..180),
    ) {
        let (mut quick, mut slow) = (Position::start(), Reference::start());
        for choice in choices {
            let legal = slow.legal();
            let Some((row, column)) = legal.get(usize::from(choice) % legal.len().max(1)) else {
                break;
            };
            slow.play(*row, *column);
            quick = quick.after(Point((row * 16 + column) as u8));
        }
        let moves = if slow.legal().len() <= 16 { 3 } else { 2 };
        prop_assert_eq!(games(&quick, moves), slow.games(moves));
    }
}

/// Of the 256 first moves, 240 open another block with 16 free cells, and 16 open their
/// own block, in which one cell is taken; and so on.
#[test]
fn the_numbers_of_games_from_the_start_are_known() {
    assert_eq!(games(&Position::start(), 1), 256);
    assert_eq!(games(&Position::start(), 2), 240 * 16 + 16 * 15);
    let counted = [1, 2, 3].map(|moves| Reference::start().games(moves));
    assert_eq!(
        [1, 2, 3].map(|moves| games(&Position::start(), moves)),
        counted
    );
}
