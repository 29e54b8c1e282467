//! The game on a board of lights: touches, dice, display, and the laws.

mod player;
mod rules;
mod sound;

use std::string::{String, ToString};
use std::vec::Vec;

use protocol::{Layout, Light};

use super::*;
use crate::games::testing;
use crate::word::Wide;

type TestedGame = testing::TestedGame<u128, Malaka<u128>>;

// Many boards are too small for the game, and a picture rarely consists of single pieces.
testing::laws!(
    Malaka,
    goes_on,
    Floors {
        moves: 6,
        waits: 6,
        forgeries: 1,
        positions: 1,
    }
);

/// Until the game is won, a side can touch a point or is about to pass.
fn goes_on<W: Word>(table: &testing::TestedGame<W, Malaka<W>>) {
    let game = &table.game;
    assert_eq!(game.outcome().is_some(), game.turn().is_none());
    if game.turn().is_some() {
        assert_eq!(table.legal().is_empty(), game.is_passing());
        assert!(!game.position().dice().is_empty());
    }
}

/// A game on 9x9 in the position that these words describe; see [`own`].
fn at(mode: u8, layout: Layout, words: &str) -> Option<TestedGame> {
    let mut own = Own {
        turn: Side::Green,
        is_first: false,
        dice: Dice::NONE,
        piles: List::new(),
    };
    let (mut side, mut pips) = (Side::Green, Vec::new());
    let mut piles = Vec::new();
    for word in words.split_whitespace() {
        match word {
            "O" => side = Side::Green,
            "X" => side = Side::Red,
            "green" => own.turn = Side::Green,
            "red" => own.turn = Side::Red,
            "first" => own.is_first = true,
            _ if word.parse::<u8>().is_ok() => pips.push(word.parse().unwrap()),
            _ => {
                let pins = word.ends_with('+');
                let word = word.trim_end_matches('+');
                let (name, count) = word.split_once('x').unwrap_or((word, "1"));
                let count = count.parse().unwrap();
                piles.push((name.parse().unwrap(), Pile { side, count, pins }));
            }
        }
    }
    piles.sort_by_key(|(place, _)| *place);
    own.piles = piles.into_iter().collect();
    own.dice = Dice::of(&pips).unwrap();
    let bytes = own.bytes();
    let mut table = TestedGame::begin(layout, mode, 7)?;
    let game = table.with(|_, _, context| Malaka::own_position(mode, &bytes, context))?;
    table.game = game;
    Some(table)
}

fn small(words: &str) -> TestedGame {
    at(0, Layout::MALDOO, words).expect("a position")
}

use protocol::List;

fn names(table: &TestedGame) -> Vec<String> {
    table.names(table.legal())
}

fn caption(table: &TestedGame) -> String {
    match table.game.caption() {
        Some(Caption::Between(text)) => text.to_string(),
        Some(Caption::Instead(text)) => text.to_string(),
        None => String::new(),
    }
}

/// The light of a point, and its rhythm.
fn light(table: &TestedGame, name: &str) -> (Colour, Rhythm) {
    let mut frame = protocol::Frame::default();
    let mut canvas = Canvas::new(&table.ground, &mut frame, 0);
    table.game.paint(table.now, &mut canvas);
    let point = table.ground.layout().point(name).unwrap();
    let light = Light::new(frame.points.get(point), frame.rhythms.get(point));
    (light.colour(), light.rhythm())
}

#[test]
fn a_step_is_a_pile_and_a_destination() {
    let mut table = small("O a1x2 c1 X i9x2 g8x2 1 2");
    assert_eq!(names(&table), ["a1", "c1"]);
    assert!(table.game.clock_runs());
    assert_eq!(table.tap_at("a1"), Touch::Part);
    assert_eq!(names(&table), ["a3", "a2", "a1"]);
    assert_eq!(table.tap_at("c1"), Touch::Illegal);
    // The piece is put down, and a different one is picked up.
    assert_eq!(table.tap_at("a1"), Touch::Part);
    assert_eq!(names(&table), ["a1", "c1"]);
    assert_eq!(table.tap_at("c1"), Touch::Part);
    assert_eq!(table.tap_at("c3"), Touch::Part);
    assert_eq!(caption(&table), "1");
    assert_eq!(table.tap_at("a1"), Touch::Part);
    assert_eq!(table.tap_at("a2"), Touch::Move(1));
    assert_eq!(table.game.turn(), Some(Side::Red));
}

#[test]
fn a_double_is_four_steps_of_which_the_last_is_the_move() {
    let mut table = small("O a1x4 X i9x2 g8x2 2 2 2 2");
    assert_eq!(caption(&table), "2222");
    for n in 0..4 {
        assert_eq!(table.tap_at("a1"), Touch::Part);
        let last = if n == 3 { Touch::Move(1) } else { Touch::Part };
        assert_eq!(table.tap_at("a3"), last);
    }
    assert_eq!(
        table
            .game
            .position()
            .pile("a3".parse().unwrap())
            .unwrap()
            .count,
        4
    );
}

#[test]
fn green_begins_with_one_die_and_the_board_rolls_two_for_red() {
    let mut table = TestedGame::start(0, 3);
    assert_eq!(table.game.position().dice().len(), 1);
    assert!(table.game.position().is_first_turn());
    assert_eq!(table.score(), [228, 228]);
    let from = table.legal().first().unwrap();
    table.touch(from);
    let to = table.legal().without(Points::one(from)).first().unwrap();
    assert_eq!(table.touch(to), Touch::Move(1));
    assert_eq!(table.game.turn(), Some(Side::Red));
    assert!(table.game.position().dice().len() >= 2);
}

#[test]
fn all_rolls_come() {
    let mut seen = std::collections::BTreeSet::new();
    for seed in 0..400 {
        let mut table = TestedGame::start(0, seed);
        while table.game.position().is_first_turn() {
            let legal = table.legal();
            let point = table.rng.pick(legal).unwrap();
            table.touch(point);
        }
        seen.insert(table.game.position().dice().to_string());
    }
    assert_eq!(seen.len(), 10, "{seen:?}");
}

#[test]
fn a_player_without_moves_sees_the_dice_and_passes() {
    let mut table = small("O h8 X a3x2 2 3");
    assert!(table.legal().is_empty() && table.game.is_passing());
    assert_eq!(caption(&table), "2 3 no move");
    assert!(!table.game.clock_runs());
    assert_eq!(table.tap_at("h8"), Touch::Ignored);
    table.wait(PASS_MS - 1);
    assert_eq!(table.game.turn(), Some(Side::Green));
    table.wait(1);
    assert_eq!(table.game.turn(), Some(Side::Red));
    assert!(!table.game.is_passing());
    assert!(!table.pass(), "where a step can be taken");
    // A host need not wait.
    let mut table = small("O h8 X a3x2 3 3 3 3");
    assert_eq!(caption(&table), "3333 no move");
    assert!(table.pass());
    assert_eq!(table.game.turn(), Some(Side::Red));
}

#[test]
fn a_win_ends_the_game_at_once() {
    let mut table = small("O g9 g8 g7 i8 X a5x2 1 2");
    table.tap_at("i8");
    assert_eq!(table.tap_at("i9"), Touch::Move(1));
    assert_eq!(table.game.outcome(), Some(Outcome::Won(Side::Green)));
    assert_eq!((table.game.turn(), table.score()[0]), (None, 0));
    assert_eq!(caption(&table), "");
    assert_eq!(table.tap_at("g7"), Touch::Ignored);
}

#[test]
fn piles_and_pins_have_different_lights() {
    let table = small("O a1 b1x2 c1x3 c2+ X g9 h9x2 i9x3 g7+ 1 2");
    let [green, red] = SHADES;
    assert_eq!(light(&table, "a1"), (green[0], SINGLE));
    assert_eq!(light(&table, "b1"), (green[0], Rhythm::Steady));
    assert_eq!(light(&table, "c1"), (green[1], Rhythm::Steady));
    assert_eq!(light(&table, "c2"), (green[0], PINS));
    assert_eq!(light(&table, "g9"), (red[0], SINGLE));
    assert_eq!(light(&table, "i9"), (red[1], Rhythm::Steady));
    assert_eq!(light(&table, "g7"), (red[0], PINS));
    assert_eq!(light(&table, "e5"), (Colour::OFF, Rhythm::Steady));
    let table = at(1, Layout::MALDOO, "O a2x4 b2x5 X g9x4 h9x6 1 2").unwrap();
    let [green, red] = SHADES;
    assert_eq!(light(&table, "a2").0, green[2]);
    assert_eq!(light(&table, "b2").0, green[3]);
    assert_eq!(light(&table, "g9").0, red[2]);
    assert_eq!(light(&table, "h9").0, red[3]);
}

#[test]
fn destinations_of_a_picked_piece_are_lit() {
    let mut table = small("O a1x2 a3 X a2 i9x2 1 2");
    table.tap_at("a1");
    assert_eq!(light(&table, "a1"), (Colour::GREEN, PICKED));
    assert_eq!(light(&table, "a2"), (Colour::RED, Rhythm::Marked));
    assert_eq!(light(&table, "a3"), (Colour::GREEN, Rhythm::Marked));
    table.tap_at("a1");
    table.tap_at("a3");
    assert_eq!(light(&table, "a4"), (Colour::AMBER, TARGET));
}

#[test]
fn malaka_lies_at_the_bottom_left_of_a_larger_board() {
    let layout = Layout::grid(16, 16).unwrap();
    type Large = testing::TestedGame<Wide, Malaka<Wide>>;
    let mut table = Large::begin(layout, 0, 3).unwrap();
    assert_eq!(table.names(table.legal()).len(), 6);
    for point in layout.iter() {
        let place = place_of(point, &table.ground);
        let is_on = place.is_some_and(|place| Variant::USUAL.has(place));
        let came = table.touch(point);
        match came {
            Touch::Ignored => assert!(!is_on),
            Touch::Part => {
                assert!(is_on);
                table.touch(point);
            }
            _ => assert!(is_on),
        }
    }
    let lit = layout
        .iter()
        .filter(|point| table.picture().get(*point) != Colour::OFF);
    assert_eq!(lit.count(), 12);
    assert!(Large::begin(layout, 8, 3).is_some());
}

#[test]
fn each_mode_fits_its_board_and_no_smaller_one() {
    for mode in 0..VARIANTS {
        let side = Variant::of_mode(mode).unwrap().side();
        let made_for = (Malaka::<u64>::ABOUT.made_for)(mode);
        assert_eq!((made_for.columns(), made_for.rows()), (side, side));
        type Any = testing::TestedGame<Wide, Malaka<Wide>>;
        let layout = |columns, rows| Layout::grid(columns, rows).unwrap();
        assert!(Any::begin(layout(side, side), mode, 1).is_some());
        assert!(Any::begin(layout(side - 1, 16), mode, 1).is_none());
        assert!(Any::begin(layout(16, side - 1), mode, 1).is_none());
    }
    assert_eq!((Malaka::<u64>::ABOUT.made_for)(VARIANTS), GridSize::MALDOO);
}

#[test]
fn a_diagram_sets_single_pieces() {
    let rows = [
        "......r..",
        ".........",
        ".........",
        ".........",
        "....r....",
    ];
    // All pieces of green would be connected, because none is separate.
    assert!(TestedGame::position(0, Side::Red, &rows).is_none());
    let rows = [
        "......r..",
        "g........",
        ".........",
        ".........",
        "....r....",
    ];
    let table = TestedGame::position(0, Side::Red, &rows).unwrap();
    assert_eq!(table.game.turn(), Some(Side::Red));
    assert_eq!(table.game.position().pieces(Side::Red), 2);
    assert_eq!(light(&table, "e5"), (Colour::RED, SINGLE));
    let too_many = ["rrrrrrrrr", "rrrr....."];
    assert!(TestedGame::position(0, Side::Red, &too_many).is_none());
    assert!(TestedGame::position(0, Side::Red, &["a"]).is_none());
}

mod positions {
    use law::{Judged, Weight, law};
    use proptest::prelude::*;

    use super::*;

    fn read_again(table: &TestedGame) {
        let own = Own::of(table.game.position());
        let bytes = own.bytes();
        assert_eq!(Own::read(&bytes).as_ref(), Some(&own));
        let mode = table.game.position().variant().mode();
        let mut other = table.clone();
        let game = other.with(|_, _, context| Malaka::own_position(mode, &bytes, context));
        let game = game.expect("a position of a game");
        assert_eq!(game.position(), table.game.position());
        assert!(game.is_sound(&table.ground));
    }

    #[test]
    fn a_written_position_sets_up_the_same_game() {
        law(
            Weight::of(64, 60),
            (0..8_u8, any::<u64>(), 0..300_usize),
            |(mode, seed, touches)| {
                let mut table = TestedGame::start(mode, seed);
                for _ in 0..touches {
                    match table.rng.pick(table.legal()) {
                        Some(point) => {
                            table.touch(point);
                        }
                        None if table.game.is_passing() => table.wait_for_wake(),
                        None => return Ok(Judged::Nothing),
                    }
                }
                if table.game.outcome().is_none() {
                    read_again(&table);
                }
                Ok(Judged::Something)
            },
        );
    }

    #[test]
    fn any_bytes_are_refused_or_have_one_spelling() {
        let some = prop_oneof![
            proptest::collection::vec(any::<u8>(), 0..12),
            (
                0..4_u8,
                1..5_u8,
                proptest::collection::vec((0..9_u8, 0..9_u8, 1..4_u8), 1..6)
            )
                .prop_map(|(bits, pips, piles)| {
                    let mut piles: Vec<(u8, u8)> = piles
                        .into_iter()
                        .map(|(column, row, count)| (row << 4 | column, count))
                        .collect();
                    piles.sort();
                    let piles = piles.into_iter().flat_map(|(place, pile)| [place, pile]);
                    [bits, 1, pips].into_iter().chain(piles).collect()
                }),
        ];
        law(Weight::of(256, 20), some, |bytes: Vec<u8>| {
            let Some(own) = Own::read(&bytes) else {
                return Ok(Judged::Nothing);
            };
            let written = own.bytes();
            prop_assert_eq!(&written[..], &bytes[..]);
            let mut table = TestedGame::start(0, 1);
            if let Some(game) = table.with(|_, _, context| Malaka::own_position(0, &bytes, context))
            {
                prop_assert!(game.is_sound(&table.ground));
                table.game = game;
                goes_on(&table);
            }
            Ok(Judged::Something)
        });
    }

    #[test]
    fn impossible_position_bytes_are_refused() {
        let table = small("O a1x2 c1 X i9x2 g8x2 1 2");
        let own = Own::of(table.game.position()).bytes().to_vec();
        assert_eq!(own.len(), 2 + 2 + 4 * 2);
        let changes: &[testing::Change<Vec<u8>>] = &[
            ("nothing", true, |_| {}),
            ("red's turn, and green's first", true, |bytes| bytes[0] = 3),
            ("a bit that says nothing", false, |bytes| bytes[0] = 4),
            ("pips in another order", false, |bytes| bytes.swap(2, 3)),
            ("more pips than there are bytes", false, |bytes| {
                bytes[1] = 99
            }),
            ("places in another order", false, |bytes| {
                bytes.swap(4, 6);
                bytes.swap(5, 7);
            }),
            ("a place twice", false, |bytes| bytes[6] = bytes[4]),
            ("a pile without a place", false, |bytes| bytes.push(1)),
            ("a pile of none", false, |bytes| bytes[5] = 0),
            ("a place that no board has", false, |bytes| bytes[10] = 0xCC),
            ("two bytes", true, |bytes| *bytes = Vec::from([0, 0])),
            ("one byte", false, |bytes| bytes.truncate(1)),
        ];
        for (what, expected, change) in changes {
            let mut bytes = own.clone();
            change(&mut bytes);
            assert_eq!(Own::read(&bytes).is_some(), *expected, "{what}");
        }
    }

    #[test]
    fn a_finished_position_cannot_be_set_up() {
        for words in [
            "",
            "O a1x2",
            "X i9x2",
            "O g9 X i9x2",
            "O a4x2 X a2 a1+",
            "O a1 e5 X c1 b1 red",
        ] {
            assert!(at(0, Layout::MALDOO, words).is_none(), "{words}");
        }
        assert!(at(0, Layout::MALDOO, "O a1x2 X i9").is_some());
    }

    #[test]
    fn without_dice_the_board_rolls() {
        let table = small("O a1x2 c1 X i9x2 g8x2");
        assert!(table.game.position().dice().len() >= 2);
        let table = small("O a1x2 c1 X i9x2 g8x2 first");
        assert_eq!(table.game.position().dice().len(), 1);
        assert!(at(0, Layout::MALDOO, "O a1x2 X i9 1 2 first").is_none());
        assert!(at(0, Layout::MALDOO, "O a1x2 X i9 red first").is_none());
        assert!(
            at(0, Layout::MALDOO, "O a1x2 X i9 5").is_none(),
            "dice have four sides"
        );
        assert!(at(4, Layout::MALDOO, "O a1x2 X i9 5").is_some());
    }
}
