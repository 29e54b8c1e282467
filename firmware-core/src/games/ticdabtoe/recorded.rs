//! A game that two programs played in the contest in March 2017, replayed by these rules.
//!
//! Its data (the moves, when blocks were won, the end) is from the record in
//! github.com/patniharshit/Ultimate-Tic-Tac-Toe (`game.log` at f892c062). Points have
//! their names on this board.

use std::string::String;
use std::vec::Vec;

use protocol::{Layout, Outcome, Point, Side};

use super::position::{Block, Position};

const MOVES: &str = "\
    d9 p4 n15 e12 c14 j8 g15 i10 d8 p15 m12 c16 k16 l14 o5 j1 \
    e1 d2 o8 j14 f6 f5 e3 d11 n12 e15 a12 b16 h16 p13 n2 g5 \
    l3 o12 k15 i12 d13 p3 n11 e10 b6 e5 b1 g3 i11 b11 e11 a11 \
    b12 f14 h8 p14 o7 k10 j7 g10 l5 p1 p2 o6 i5 d4 p16 n14 \
    h5 n3 f11 h10 p8 m14 c7 l10 n6 g7 k9 k1 k4 k14 k5 i1 \
    c2 j5 e2 a5 d3 p9 o2 k8 i14 c5 i2 b5 e4 d16 o16 j15 \
    f12 e14 d5 m3 c12 j16 g16 j13 m2 d7 n10 g6 j6 g8 m5 c3 \
    l11 m9 a1 c4 g14 i8 a16 b15 h11 o9 i4 b14 n16 g13 j3 f10 \
    m16 b13 n9";

/// The blocks that were won: after which move, which block, and by whom.
const WON: [(usize, usize, Side); 9] = [
    (93, 13, Side::Green),
    (104, 2, Side::Red),
    (105, 15, Side::Green),
    (110, 9, Side::Red),
    (111, 11, Side::Green),
    (128, 5, Side::Red),
    (129, 3, Side::Green),
    (130, 0, Side::Red),
    (131, 7, Side::Green),
];

/// The marks at the end, row by row from the top.
const END: [&str; 16] = [
    "xooo--xx-ox-xxxx",
    "-o--o-x--ox--x-o",
    "-ox-oox-xooooo-o",
    "-o-x--o--o-----o",
    "xxx-ox--o---xxo-",
    "oo-oxx-xx--x-x--",
    "----ooooo-oo-x--",
    "---x------x-oxoo",
    "---x--oxooo---xx",
    "--xo--o--x----x-",
    "-x---xo--x---xo-",
    "oooxoooxxoxxx-x-",
    "--oox---x-x----o",
    "--oxx-o--x-xoo-o",
    "--xox---x---xxxx",
    "xx--x---ooo----o",
];

#[test]
fn a_recorded_game_of_the_contest_replays() {
    let layout = Layout::grid(16, 16).unwrap();
    let mut position = Position::start();
    let mut won = Vec::new();
    for (number, name) in MOVES.split_whitespace().enumerate() {
        let (side, before) = (position.mover(), position.blocks());
        assert_eq!(side, Side::BOTH[number % 2]);
        let point = layout.point(name).unwrap();
        position = position
            .play(point)
            .unwrap_or_else(|refusal| panic!("{name}: {refusal:?}"));
        let after = position.blocks();
        let changed = (0..16).filter(|block| before[*block] != after[*block]);
        won.extend(changed.map(|block| (number + 1, block, after[block])));
    }
    let expected = WON.map(|(number, block, side)| (number, block, Block::Won(side)));
    assert_eq!(won, expected);
    let letter = |index: usize| match position.mark_at(Point(index as u8)) {
        None => '-',
        Some(Side::Green) => 'x',
        Some(Side::Red) => 'o',
    };
    let end: Vec<String> = (0..16)
        .map(|row| (0..16).map(|column| letter(row * 16 + column)).collect())
        .collect();
    assert_eq!(end, END);
    assert_eq!(position.outcome(), Some(Outcome::Won(Side::Green)));
    assert_eq!(position.points(), [16, 0]);
    assert_eq!(position.legal().count(), 0);
}
