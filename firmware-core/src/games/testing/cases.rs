//! What the laws of every game are tried with: steps, boards, positions and forgeries.

use std::sync::LazyLock;
use std::vec::Vec as StdVec;

use proptest::collection;
use proptest::prelude::*;
use protocol::{KnownLayout, Layout, Side, Tick};

use crate::game::About;

/// Something that happens to a game.
#[derive(Clone, Copy, Debug)]
pub enum LawStep {
    Touch(u8),
    /// A touch of the legal point with this index, modulo their number; if there is none
    /// yet, one after the game has acted.
    Legal(u8),
    Wait(Tick),
    Speed(u8),
    Pass,
    TimeOut,
    /// A turn of the board's player at this level.
    Hand(u8),
    /// The board's player thinks at this level for this number of ticks.
    Think(u8, u8),
    Hurry(u8),
}

/// A list of fewer than `most` steps.
pub fn deeds(most: usize) -> impl Strategy<Value = StdVec<LawStep>> {
    let level = || prop_oneof![4 => 0..6_u8, 1 => any::<u8>()];
    let deed = prop_oneof![
        3 => any::<u8>().prop_map(LawStep::Touch),
        8 => any::<u8>().prop_map(LawStep::Legal),
        6 => (0..2000_u64).prop_map(LawStep::Wait),
        1 => (0..40_000_u64).prop_map(LawStep::Wait),
        2 => prop_oneof![any::<u8>(), 0..10_u8].prop_map(LawStep::Speed),
        1 => Just(LawStep::Pass),
        1 => Just(LawStep::TimeOut),
        3 => level().prop_map(LawStep::Hand),
        1 => (level(), 0..20_u8).prop_map(|(level, ticks)| LawStep::Think(level, ticks)),
        1 => level().prop_map(LawStep::Hurry),
    ];
    collection::vec(deed, 0..most)
}

/// The offsets of forged bytes in a state, and which bits of them change: one or several.
pub fn forgery() -> impl Strategy<Value = StdVec<(usize, u8)>> {
    let bits = prop_oneof![4 => (0..8).prop_map(|bit| 1_u8 << bit), 1 => any::<u8>()];
    collection::vec((any::<usize>(), bits), 1..4)
}

/// One of `modes` modes, and sometimes one that does not exist.
pub fn any_mode(modes: u8) -> impl Strategy<Value = u8> {
    prop_oneof![15 => 0..modes, 1 => Just(modes)]
}

/// The contents of a board: those from a game, or arbitrary ones.
#[derive(Clone, Debug)]
pub struct Lit {
    /// The seed of a game, the steps played in it, and the index of the picture to
    /// use, modulo their number; `None` for random points only.
    pub game: Option<(u64, StdVec<LawStep>, usize)>,
    /// Random points, and their colours.
    pub points: StdVec<(u8, u8)>,
    pub turn: Side,
}

pub fn lit() -> impl Strategy<Value = Lit> {
    let colour = || prop_oneof![20 => 0..3_u8, 1 => 3..6_u8];
    let few = collection::vec((any::<u8>(), colour()), 0..3);
    let many = collection::vec((any::<u8>(), colour()), 0..60);
    let game = (any::<u64>(), deeds(30), any::<usize>());
    let side = || prop_oneof![Just(Side::Green), Just(Side::Red)];
    let make = |(game, points, turn)| Lit { game, points, turn };
    prop_oneof![
        2 => (game.prop_map(Some), few, side()).prop_map(make),
        1 => (Just(None), many, side()).prop_map(make),
    ]
}

/// A square board with this many points on a side.
fn square(side: u8) -> Layout {
    Layout::grid(side, side).expect("a layout")
}

/// Boards of every size from this shortest side on, at most 8; many of them are the
/// boards that people play on, or the largest one.
pub fn layouts(shortest_side: u8) -> impl Strategy<Value = Layout> {
    let side = || shortest_side..=16;
    let any =
        (side(), side()).prop_map(|(columns, rows)| Layout::grid(columns, rows).expect("a layout"));
    let small = square(shortest_side.max(6));
    prop_oneof![
        3 => Just(Layout::MALDOO),
        2 => Just(small),
        1 => Just(square(8)),
        1 => Just(square(16)),
        4 => any,
    ]
}

/// The hexagon with five points on each side: 61 points, six ways.
pub fn hexagon() -> Layout {
    static KNOWN: LazyLock<KnownLayout> = LazyLock::new(|| {
        let text = include_str!("../../../../tests/drawings/hexagon.txt");
        text.parse().expect("a drawing")
    });
    KNOWN.layout()
}

/// Eight points around one. The ways lead around, and back to their start or to the
/// middle, so a step does not determine where the next one leads.
pub fn wheel() -> Layout {
    const RING: [&str; 8] = ["b5", "c4", "c3", "c2", "b1", "a2", "a3", "a4"];
    static KNOWN: LazyLock<KnownLayout> = LazyLock::new(|| {
        let picture = "  o\no   o\n\no o o\n\no   o\n  o\n";
        let mut text = std::format!("cell 4x4\nways 0,0 0,0 diagonal 0,0\n{picture}");
        for (from, to) in RING.iter().zip(RING.iter().cycle().skip(1)) {
            text += &std::format!("leads {from} 0 {to}\nleads {to} 1 {from}\nleads {from} 2 b3\n");
        }
        text.parse().expect("a drawing")
    });
    KNOWN.layout()
}

/// The board that a game is made for, in its first mode.
fn own_board(about: &About) -> Layout {
    Layout::Grid((about.made_for)(0))
}

/// The boards on which a game is played, including drawn ones if it supports more than
/// rectangles. If it is made for a board different from the manual's, most of them are
/// that board.
pub fn layouts_of(about: &About, shortest_side: u8) -> BoxedStrategy<Layout> {
    let own = own_board(about);
    if own != Layout::MALDOO {
        return prop_oneof![5 => Just(own), 1 => layouts(shortest_side)].boxed();
    }
    if !about.any_layout {
        return layouts(shortest_side).boxed();
    }
    let drawn = prop_oneof![Just(hexagon()), Just(wheel())];
    prop_oneof![layouts(shortest_side), drawn].boxed()
}

/// Boards on which a game is compared in different words.
pub fn boards_of_words(about: &About) -> BoxedStrategy<Layout> {
    match own_board(about) {
        Layout::MALDOO => prop_oneof![Just(square(6)), Just(square(8)), Just(square(9))].boxed(),
        own => Just(own).boxed(),
    }
}
