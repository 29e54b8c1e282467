//! Tests of every game whose player looks ahead. They are here because the
//! [minds](crate::minds) do not depend on any game.

use postcard::experimental::max_size::MaxSize;

use super::countlines::CountLines;
use super::fillit::FillIt;
use super::reversi::Reversi;
use super::testing::TestedGame;
use super::visiput::Visiput;
use crate::game::{BoardTurn, Player, Rules};
use crate::minds::thinker::{Thinker, ThinkerOf, Thoughtful};
use crate::word::{Wide, Word};

/// Plays the first moves of a game, all by the board, and checks that no move is made in
/// a tick that also searched.
fn plays_what_it_knew<G>(level: u8)
where
    G: Thoughtful<u128> + Rules<u128, Player = ThinkerOf<u128, G>>,
{
    let mut table = TestedGame::<u128, G>::start(0, 5);
    for turn in 0..4 {
        let mut before = table.hand.clone();
        let act = loop {
            table.now += 1;
            match table.with(|game, hand, context| hand.wake(game, level, context)) {
                BoardTurn::Wait => before = table.hand.clone(),
                act => break act,
            }
        };
        assert!(before.found() == table.hand.found(), "turn {turn}");
        let BoardTurn::Touch(point) = act else {
            panic!("turn {turn}: {act:?}");
        };
        table.touch(point);
        table.hand = Thinker::default();
    }
}

#[test]
fn no_tick_both_searches_and_moves() {
    for level in 1..=4 {
        plays_what_it_knew::<Reversi<u128>>(level);
        plays_what_it_knew::<Visiput<u128>>(level);
        plays_what_it_knew::<CountLines<u128>>(level);
        plays_what_it_knew::<FillIt<u128>>(level);
    }
}

fn player_bytes<W: Word, G: Rules<W>>() -> usize {
    G::Player::POSTCARD_MAX_SIZE
}

#[test]
fn every_searching_player_takes_at_most_1792_bytes() {
    let bytes = [
        player_bytes::<Wide, Reversi<Wide>>(),
        player_bytes::<Wide, Visiput<Wide>>(),
        player_bytes::<Wide, CountLines<Wide>>(),
        player_bytes::<Wide, FillIt<Wide>>(),
    ];
    assert!(bytes.into_iter().all(|bytes| bytes <= 1_792), "{bytes:?}");
}
