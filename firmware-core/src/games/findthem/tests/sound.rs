//! States from outside: which are sound.

use super::*;

type Hunt = FindThem<u128>;

/// A point outside of the 9x9 board.
const OFF: Point = Point(81);
/// A point outside of the pattern, one of green, one of red.
const NONE: Point = Point(40);
const GREEN: Point = Point(0);
const RED: Point = Point(80);

fn all_found(game: &mut Hunt, side: Side) {
    let needed = game.needed();
    let own = game.hidden[side.index()];
    game.found[side.index()] = own.into_iter().take(needed).collect();
}

/// Makes each change to a game in which points were hidden, and looks whether it is sound.
fn each_is_judged(changes: &[testing::Change<Hunt>]) {
    let table = hidden(0, Side::Green);
    for (what, expected, change) in changes {
        let mut game = table.game.clone();
        change(&mut game);
        assert_eq!(game.is_sound(&table.ground), *expected, "{what}");
    }
}

#[test]
fn a_state_with_misplaced_hidden_or_missed_points_is_refused() {
    each_is_judged(&[
        ("nothing", true, |_| {}),
        ("green off the board", false, |game| {
            game.hidden[0].insert(OFF)
        }),
        ("red off the board", false, |game| {
            game.hidden[1].insert(OFF)
        }),
        ("missed by green off the board", false, |game| {
            game.missed[0].insert(OFF)
        }),
        ("missed by red off the board", false, |game| {
            game.missed[1].insert(OFF)
        }),
        ("red's, missed by green off the board", false, |game| {
            game.hidden[1].insert(OFF);
            game.missed[0].insert(OFF);
        }),
        ("green's, missed by red off the board", false, |game| {
            game.hidden[0].insert(OFF);
            game.missed[1].insert(OFF);
        }),
        ("missed by both off the board", false, |game| {
            game.missed = [Points::one(OFF); 2];
        }),
        ("missed by both", true, |game| {
            game.missed = [Points::one(NONE); 2]
        }),
        ("red's, missed by green", true, |game| {
            game.missed[0].insert(RED)
        }),
        ("a point of both", false, |game| {
            game.hidden[1].insert(GREEN)
        }),
        ("an own one missed by green", false, |game| {
            game.missed[0].insert(GREEN)
        }),
        ("a point of both missed by green", false, |game| {
            game.hidden[1].insert(GREEN);
            game.missed[0].insert(GREEN);
        }),
        ("an own one missed by red", false, |game| {
            game.missed[1].insert(RED)
        }),
    ]);
}

#[test]
fn a_state_with_too_many_or_wrong_finds_is_refused() {
    each_is_judged(&[
        ("one found that was not hidden", false, |game| {
            game.found[0].insert(NONE)
        }),
        ("one of green's found by red", false, |game| {
            game.found[1].insert(GREEN)
        }),
        ("one found by each", true, |game| {
            game.found = [Points::one(GREEN), Points::one(RED)];
        }),
        ("no such mode", false, |game| game.mode = MODES.len() as u8),
        ("too little hidden", false, |game| {
            game.hidden[1] = Points::one(RED);
        }),
        ("more found than is needed", false, |game| {
            game.turn = Side::Red;
            game.found[0] = game.hidden[0];
        }),
    ]);
}

#[test]
fn a_state_with_misplaced_flashes_or_silence_is_refused() {
    each_is_judged(&[
        ("a silent point", true, |game| game.silent = Some(NONE)),
        ("a silent point off the board", false, |game| {
            game.silent = Some(OFF)
        }),
        ("a silent point that is lit", false, |game| {
            game.found[0] = Points::one(GREEN);
            game.silent = Some(GREEN);
        }),
        ("a flash", true, |game| {
            game.flash = Some(Flash {
                point: NONE,
                until: 9,
            });
        }),
        ("a flash off the board", false, |game| {
            game.flash = Some(Flash {
                point: OFF,
                until: 9,
            });
        }),
    ]);
}

#[test]
fn a_phase_that_contradicts_the_finds_is_refused() {
    each_is_judged(&[
        ("shown", true, |game| {
            game.phase = FindThemPhase::Show { until: 9 }
        }),
        ("shown with what was found", false, |game| {
            game.phase = FindThemPhase::Show { until: 9 };
            game.found[0] = Points::one(GREEN);
        }),
        ("shown with a flash", false, |game| {
            game.phase = FindThemPhase::Show { until: 9 };
            game.flash = Some(Flash {
                point: NONE,
                until: 9,
            });
        }),
        ("red is done and nothing ended", false, |game| {
            all_found(game, Side::Red)
        }),
        ("green is done and to move", false, |game| {
            all_found(game, Side::Green)
        }),
        ("green is done and red to move", true, |game| {
            all_found(game, Side::Green);
            game.turn = Side::Red;
        }),
        ("an end of nobody", false, |game| {
            game.phase = FindThemPhase::Over
        }),
        ("an end of green", true, |game| {
            all_found(game, Side::Green);
            game.phase = FindThemPhase::Over;
        }),
        ("an end of red", true, |game| {
            all_found(game, Side::Red);
            game.phase = FindThemPhase::Over;
        }),
    ]);
}

#[test]
fn presses_of_the_board_flash_only_during_the_search() {
    let mut shown = TestedGame::position(0, Side::Green, &HALVES).unwrap();
    shown.with(|game, _, context| game.announce(Point(40), context));
    assert_eq!(shown.game.flash, None);
    let mut table = hidden(0, Side::Green);
    table.with(|game, _, context| game.announce(Point(81), context));
    assert_eq!(table.game.flash, None, "no point of this board");
    table.with(|game, _, context| game.announce(Point(40), context));
    assert!(table.game.flash.is_some());
}
