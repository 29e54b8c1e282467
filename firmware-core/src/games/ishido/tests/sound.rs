//! Tests of states that cannot come from play.

use super::*;
use crate::games::ishido::stone::Kinds;

#[test]
fn impossible_states_are_refused() {
    type Game = Ishido<u128>;
    /// The fields that can vary while a stone can be taken back.
    fn put(game: &mut Game) -> (&mut Tick, &mut u32, &mut u8) {
        match &mut game.phase {
            IshidoPhase::Put {
                until,
                gained,
                before,
            } => (until, gained, before),
            other => panic!("{other:?}"),
        }
    }
    fn surround(game: &mut Game) {
        for (square, letters) in ["c5", "e5", "d6"].into_iter().zip(["C=", "W-", "O-"]) {
            game.field.put(place(square), Some(stone(letters)));
        }
    }
    let changes: &[testing::Change<Game>] = &[
        ("nothing", true, |_| {}),
        ("red's turn of a game for one", false, |game| {
            game.turn = Side::Red
        }),
        ("red's points of a game for one", false, |game| {
            game.points[1] = 1
        }),
        ("red's four-way of a game for one", false, |game| {
            game.four_ways[1] = 1
        }),
        ("a stone in hand", false, |game| {
            game.hand = Some(stone("C-"));
            game.open = game.open(made_for(0));
        }),
        ("taken back some day", false, |game| {
            *put(game).0 = Tick::MAX / 2
        }),
        ("more gained than there is", false, |game| {
            let points = game.points[0];
            *put(game).1 = points + 1;
        }),
        ("the stone before it is itself", false, |game| {
            let last = game.last;
            *put(game).2 = last;
        }),
        ("the stone before it is none", false, |game| {
            *put(game).2 = place("a1")
        }),
        ("the last stone does not fit where it lies", false, |game| {
            game.field.put(place("d5"), Some(stone("Y*")));
        }),
        ("four neighbours and no four-way", false, surround),
        ("four neighbours and a four-way", true, |game| {
            surround(game);
            game.four_ways[0] = 1;
        }),
    ];
    let mut table = position(DEKKER, "d4Co", "C-", "C+");
    table.tap_at("d5");
    for (what, expected, change) in changes {
        let mut game = table.game.clone();
        change(&mut game);
        assert_eq!(game.is_sound(&table.ground), *expected, "{what}");
    }
}

#[test]
fn unknown_kinds_and_missing_stones_are_refused() {
    assert_eq!(Stone::of_kind(KINDS), None);
    let mut left = RemainingStones::default();
    left.add(stone("C-")).unwrap();
    let before = left;
    assert_eq!((left.take(stone("C+")), left), (None, before));
    assert_eq!(
        (left.take(stone("C-")), left),
        (Some(()), RemainingStones::default())
    );
    assert_eq!(left.take(stone("C-")), None);
}

#[test]
fn unlike_kinds_share_neither_colour_nor_symbol() {
    for one in Stone::all() {
        let like = Kinds::of_colour(one).or(Kinds::of_symbol(one));
        let unlike = Kinds::ALL.without(like);
        for other in Stone::all() {
            let is_like = one.colour() == other.colour() || one.symbol() == other.symbol();
            assert_eq!((like.has(other), unlike.has(other)), (is_like, !is_like));
        }
        assert_eq!(unlike.count(), 25, "five colours with five symbols");
        assert_eq!(like.without(Kinds::ALL), Kinds::NONE);
    }
}
