//! The rules, in the order of their sources.

mod official;
mod shown;
mod sound;

use std::format;
use std::string::String;
use std::vec::Vec as StdVec;

use protocol::Layout;

use super::field::{Four, beside, is_at_edge};
use super::scoring::{FOUR_WAYS, LEFT, Scoring};
use super::stone::{COLOUR_LETTERS, KINDS, OF_EACH_KIND, STONES, SYMBOL_LETTERS, SYMBOLS};
use super::*;
use crate::game::BoardTurn;
use crate::games::testing::{self, TestedGame};

type Board = TestedGame<u128, Ishido<u128>>;

const DEKKER: u8 = 0;
const OFFICIAL: u8 = 1;
const DEKKER_IN_TURNS: u8 = 2;
const OFFICIAL_IN_TURNS: u8 = 3;

fn layout() -> Layout {
    Layout::Grid(made_for(0))
}

fn begin(mode: u8, seed: u64) -> Board {
    Board::begin(layout(), mode, seed).unwrap()
}

fn stone(letters: &str) -> Stone {
    let mut letters = letters.chars();
    Stone::from_letters(letters.next().unwrap(), letters.next().unwrap()).unwrap()
}

/// The place of a point of the board that the game is made for.
fn place(name: &str) -> u8 {
    let point = layout().point(name).unwrap();
    place_of(point, made_for(0)).unwrap()
}

/// A position: stones with the names of their squares, the stone in hand, the pouch.
fn laid(stones: &str, hand: &str, pouch: &str) -> Laid {
    let mut laid = Laid {
        hand: (!hand.is_empty()).then(|| stone(hand)),
        ..Laid::default()
    };
    for word in stones.split_whitespace() {
        let (name, letters) = word.split_at(word.len() - 2);
        laid.field.put(place(name), Some(stone(letters)));
    }
    for letters in pouch.split_whitespace() {
        laid.pouch.add(stone(letters)).unwrap();
    }
    laid
}

fn set_up(mode: u8, laid: &Laid) -> Option<Board> {
    let mut table = begin(mode, 1);
    let bytes = laid.bytes();
    table.game = table.with(|_, _, context| Ishido::own_position(mode, &bytes, context))?;
    Some(table)
}

fn position(mode: u8, stones: &str, hand: &str, pouch: &str) -> Board {
    set_up(mode, &laid(stones, hand, pouch)).expect("a position")
}

/// The squares on which the stone in hand fits.
fn open(table: &Board) -> StdVec<String> {
    table.names(table.game.open)
}

fn fits(mode: u8, stones: &str, hand: &str, square: &str) -> bool {
    open(&position(mode, stones, hand, "")).contains(&String::from(square))
}

fn displayed(table: &Board) -> String {
    match table.game.caption().unwrap() {
        Caption::Between(text) => String::from(&*text),
        Caption::Instead(text) => String::from(&*text),
    }
}

/// Waits until the next stone is drawn.
fn draw(table: &mut Board) {
    table.wait_for_wake();
}

// The stones and the field: Seed, "1. Introduction".

#[test]
fn the_board_has_12x8_squares_and_the_pouch_36_pairs() {
    assert_eq!((COLUMNS, ROWS, PLACES), (12, 8, 96));
    assert_eq!((COLOURS, SYMBOLS, KINDS), (6, 6, 36));
    assert_eq!((OF_EACH_KIND, STONES), (2, 72));
    assert_eq!(RemainingStones::ALL.len(), 72);
    let table = begin(DEKKER, 1);
    let names =
        ["a1", "l1", "a8", "l8"].map(|name| place_of(layout().point(name).unwrap(), made_for(0)));
    assert_eq!(names, [Some(0), Some(11), Some(84), Some(95)]);
    assert_eq!(table.game.left(), 66);
}

#[test]
fn the_start_has_six_stones_with_all_colours_and_symbols() {
    let places: StdVec<u8> = ["a1", "l1", "a8", "l8", "f5", "g4"].map(place).to_vec();
    assert_eq!(places, START);
    let mut orders = std::collections::HashSet::new();
    for seed in 0..50 {
        let table = begin(DEKKER, seed);
        let stones: StdVec<(u8, Stone)> = table.game.field.stones().collect();
        assert_eq!(stones.len(), 6);
        let [mut colours, mut symbols] = [0_u8; 2];
        for (place, stone) in &stones {
            assert!(START.contains(place));
            colours |= 1 << stone.colour();
            symbols |= 1 << stone.symbol();
        }
        assert_eq!((colours, symbols), (0b111_111, 0b111_111));
        orders.insert(
            stones
                .iter()
                .map(|(_, stone)| stone.kind())
                .collect::<StdVec<u8>>(),
        );
    }
    assert!(orders.len() > 45, "{}", orders.len());
}

#[test]
fn the_next_piece_is_picked_and_shown() {
    let mut table = begin(DEKKER, 2);
    let first = table.game.hand.unwrap();
    let [colour, symbol] = first.letters();
    assert_eq!(displayed(&table), format!("{colour}{symbol}66"));
    let point = table.game.open.first().unwrap();
    assert_eq!(table.touch(point), Touch::Move(0));
    assert_eq!(displayed(&table), "--65");
    draw(&mut table);
    let [colour, symbol] = table.game.hand.unwrap().letters();
    assert_eq!(displayed(&table), format!("{colour}{symbol}65"));
}

#[test]
fn a_piece_needs_a_neighbour() {
    let table = position(DEKKER, "d4Co", "C-", "");
    assert_eq!(open(&table), ["d5", "c4", "e4", "d3"]);
}

#[test]
fn a_stuck_piece_loses_and_an_empty_pouch_wins() {
    let mut table = position(DEKKER, "d4Co", "C-", "P+");
    table.tap_at("d5");
    draw(&mut table);
    assert_eq!(table.game.outcome(), Some(Outcome::Won(Side::Red)));
    assert_eq!((table.game.left(), table.game.hand), (1, Some(stone("P+"))));
    let mut table = position(DEKKER, "d4Co", "C-", "");
    table.tap_at("d5");
    assert_eq!(table.game.outcome(), Some(Outcome::Won(Side::Green)));
    assert_eq!((table.game.left(), table.game.hand), (0, None));
    assert_eq!(displayed(&table), "-- 0");
}

// Legal squares: Seed, "2. The rules".

#[test]
fn beside_one_stone_a_piece_shares_colour_or_symbol() {
    for (hand, expected) in [("C-", true), ("Po", true), ("Co", true), ("P-", false)] {
        assert_eq!(fits(DEKKER, "d4Co", hand, "d5"), expected, "{hand}");
    }
    assert!(
        !fits(DEKKER, "d4Co", "Co", "e5"),
        "a corner is not a neighbour"
    );
    assert!(
        !fits(DEKKER, "d4Co", "Co", "d4"),
        "a square holds one stone"
    );
}

#[test]
fn beside_two_a_piece_matches_one_colour_and_one_symbol() {
    let stones = "c4Co e4P-";
    for (hand, expected) in [
        ("C-", true),
        ("Po", true),
        ("Co", false),
        ("P-", false),
        ("C+", false),
    ] {
        assert_eq!(fits(DEKKER, stones, hand, "d4"), expected, "{hand}");
    }
    assert!(!fits(DEKKER, "c4Co e4C-", "C+", "d4"), "both in colour");
    assert!(fits(DEKKER, "c4Co e4C-", "Co", "d4"));
}

#[test]
fn beside_three_a_piece_matches_two_and_one() {
    assert!(fits(DEKKER, "c4Co e4C- d5P+", "C+", "d4"));
    assert!(fits(DEKKER, "c4Co e4Po d5Y+", "Yo", "d4"));
    assert!(
        !fits(DEKKER, "c4Co e4C- d5C+", "C=", "d4"),
        "all three in colour"
    );
    assert!(
        !fits(DEKKER, "c4Co e4P- d5Y+", "C-", "d4"),
        "the third matches in nothing"
    );
}

#[test]
fn beside_four_the_two_of_one_colour_touch_at_a_corner() {
    let at_corner = "d5C- e4C+ d3Po c4Yo";
    let opposite = "d5C- d3C+ e4Po c4Yo";
    for mode in [DEKKER, DEKKER_IN_TURNS] {
        assert!(fits(mode, at_corner, "Co", "d4"));
        assert!(!fits(mode, opposite, "Co", "d4"));
    }
    // Official: any two and two.
    for mode in [OFFICIAL, OFFICIAL_IN_TURNS] {
        assert!(fits(mode, at_corner, "Co", "d4"));
        assert!(fits(mode, opposite, "Co", "d4"));
        assert!(
            !fits(mode, "d5C- d3C+ e4C= c4Yo", "Co", "d4"),
            "three and one"
        );
    }
}

// Points: Seed, "3. The score".

#[test]
fn pieces_score_by_neighbours_and_not_at_the_edge() {
    let edge = (0..PLACES).filter(|place| is_at_edge(*place));
    assert!(edge.clone().all(|place| beside(place).contains(&None)));
    assert_eq!(edge.count(), 36);
    for (stones, hand, square, gained) in [
        ("a4Co", "C-", "a5", 0),
        ("c4Co", "C-", "d4", 1),
        ("c4Co e4P-", "C-", "d4", 2),
        ("c4Co e4C- d5P+", "C+", "d4", 4),
        ("d5C- e4C+ d3Po c4Yo", "Co", "d4", 33),
    ] {
        let mut table = position(DEKKER, stones, hand, "");
        table.tap_at(square);
        let four_ways = u32::from(gained == 33);
        assert_eq!(table.score(), [gained, four_ways], "{stones}");
    }
    assert_eq!(
        Scoring::Seed.of_stone(place("d4"), 4, 9),
        33,
        "it never doubles"
    );
    assert_eq!([0, 1, 2].map(|left| Scoring::Seed.of_end(left)), [0; 3]);
}

// Help: Seed, "4. Help option".

#[test]
fn help_shows_and_hides_the_best_square() {
    let mut table = position(DEKKER, "d4Co f4P- g4Y+ a1C=", "C-", "C+ C*");
    assert_eq!(table.shown(Colour::AMBER), Points::NONE);
    table.game.last = place("a1");
    assert!(table.names(table.legal()).contains(&String::from("a1")));
    let before = table.game.clone();
    assert_eq!(table.tap_at("a1"), Touch::Part);
    assert_eq!(
        table.names(table.shown(Colour::AMBER)),
        ["e4"],
        "between d4 and f4"
    );
    assert_eq!(table.tap_at("a1"), Touch::Part);
    assert_eq!(table.game, before);
    table.tap_at("a1");
    table.tap_at("e4");
    assert_eq!(table.shown(Colour::AMBER), Points::NONE);
    draw(&mut table);
    assert_eq!(
        table.shown(Colour::AMBER),
        Points::NONE,
        "asked for each stone anew"
    );
}

#[test]
fn an_illegal_touch_changes_nothing() {
    let mut table = begin(DEKKER, 5);
    let before = table.game.clone();
    let shut = layout()
        .iter()
        .find(|point| !table.legal().has(*point))
        .unwrap();
    assert_eq!(table.touch(shut), Touch::Illegal);
    assert_eq!(table.game, before);
}

// Tests of the game for two.

#[test]
fn two_players_alternate_and_score_separately() {
    let mut table = position(DEKKER_IN_TURNS, "d4Co", "C-", "C+ C=");
    assert_eq!(table.game.turn(), Some(Side::Green));
    table.tap_at("d5");
    assert_eq!(
        table.game.turn(),
        Some(Side::Green),
        "it may be taken back yet"
    );
    draw(&mut table);
    assert_eq!(
        (table.game.turn(), table.score()),
        (Some(Side::Red), [1, 0])
    );
    table.tap_at("d6");
    draw(&mut table);
    assert_eq!(
        (table.game.turn(), table.score()),
        (Some(Side::Green), [1, 1])
    );
    table.tap_at("d7");
    assert_eq!((table.game.turn(), table.score()), (None, [2, 1]));
    assert_eq!(table.game.outcome(), Some(Outcome::Won(Side::Green)));
}

#[test]
fn the_last_stone_and_the_four_way_pay_their_own_player() {
    let mut table = position(OFFICIAL_IN_TURNS, "d5C- e4C+ d3Po c4Yo", "Co", "Y= P= W=");
    table.tap_at("d4");
    assert_eq!(
        (table.game.points(), table.game.four_ways()),
        ([33, 0], [1, 0])
    );
    assert_eq!(
        Scoring::Official.of_stone(place("d6"), 1, table.game.four_ways()[1]),
        1
    );
    let mut table = position(OFFICIAL_IN_TURNS, "a4Co", "C-", "C+");
    table.tap_at("a5");
    draw(&mut table);
    table.tap_at("a6");
    assert_eq!(table.game.points(), [0, 1_000]);
    assert_eq!(table.game.outcome(), Some(Outcome::Won(Side::Red)));
}

#[test]
fn equal_points_of_two_players_are_a_draw() {
    let mut table = position(DEKKER_IN_TURNS, "a4Co", "C-", "");
    table.tap_at("a5");
    assert_eq!(table.game.outcome(), Some(Outcome::Draw));
}

// Help and taking back are no moves.

#[test]
fn help_and_taking_back_are_services_and_not_moves() {
    let mut table = position(DEKKER, "d4Co f4P-", "C-", "C+");
    let named = |table: &Board| {
        let services = Service::ALL.map(|service| table.game.service(service, &table.ground));
        (
            table.names(table.game.moves(&table.ground)),
            services.map(|points| table.names(points)),
        )
    };
    let fits: StdVec<String> = open(&table);
    let (moves, [help, take_back]) = named(&table);
    assert_eq!(
        (moves, help, take_back.len()),
        (fits, StdVec::from(["f4".into()]), 0)
    );
    table.tap_at("d5");
    let (moves, [help, take_back]) = named(&table);
    assert_eq!(
        (moves.len(), help.len(), take_back),
        (0, 0, StdVec::from(["d5".into()]))
    );
    while table.game.outcome().is_none() {
        draw(&mut table);
        if let Some(point) = table.game.open.first() {
            table.touch(point);
        }
    }
    let (moves, [help, take_back]) = named(&table);
    assert_eq!((moves.len(), help.len(), take_back.len()), (0, 0, 0));
}

/// After a position was set up, help belongs to the stone on g4 or, if there is none, to
/// the last one from the bottom left, row by row.
#[test]
fn after_a_set_up_help_is_on_g4_or_the_last_stone() {
    for (stones, expected) in [
        ("d4Co g4P- l8Y=", "g4"),
        ("d4Co f5P- a1Y=", "f5"),
        ("d4Co l4P- a5Y=", "a5"),
    ] {
        let table = position(DEKKER, stones, "C-", "C+");
        let help = table.game.service(Service::Help, &table.ground);
        assert_eq!(table.names(help), [expected], "{stones}");
    }
}

// Tests of taking back a move.

#[test]
fn a_stone_is_taken_back_once_until_the_next_one_is_drawn() {
    let mut table = position(DEKKER, "d4Co", "C-", "C+");
    table.tap_at("d5");
    assert_eq!((table.score(), table.game.hand), ([1, 0], None));
    assert_eq!(table.names(table.legal()), ["d5"]);
    assert_eq!(table.tap_at("e4"), Touch::Ignored, "nothing is in hand");
    assert_eq!(table.tap_at("d5"), Touch::TakenBack);
    assert_eq!(
        (table.score(), table.game.hand),
        ([0, 0], Some(stone("C-")))
    );
    assert_eq!(table.game.field.at(place("d5")), None);
    table.tap_at("e4");
    assert_eq!(
        table.game.hand,
        Some(stone("C+")),
        "the second time it lies for good"
    );
    assert_eq!(table.tap_at("e4"), Touch::Part, "help");
    assert_eq!(table.game.field.at(place("e4")), Some(stone("C-")));
}

#[test]
fn speed_sets_for_how_long_a_stone_is_taken_back() {
    for (speed, time_ms) in (0..).zip(TAKE_BACK_MS) {
        let mut table = position(DEKKER, "d4Co", "C-", "C+");
        table.speed = speed;
        table.tap_at("d5");
        if time_ms > 0 {
            assert_eq!(table.game.hand, None);
            table.wait(time_ms - 1);
            assert_eq!(table.game.hand, None);
            table.wait(1);
        }
        assert_eq!(table.game.hand, Some(stone("C+")), "speed {speed}");
    }
}

#[test]
fn a_stone_placed_by_the_board_cannot_be_taken_back() {
    let mut table = position(DEKKER, "d4Co", "C-", "C+");
    let BoardTurn::Touch(point) = table.think(1) else {
        panic!("it puts no stone");
    };
    table.with(|game, _, context| game.announce(point, context));
    table.touch(point);
    assert_eq!(table.game.hand, Some(stone("C+")));
}

#[test]
fn help_breaks_ties_by_the_first_square() {
    let table = position(DEKKER, "d4Co", "C-", "");
    let best = table.game.best(made_for(0)).unwrap();
    assert_eq!(format!("{}", layout().name(best)), "d3");
}

// Tests of the board's player.

/// The number of games, out of this many, that a policy ends with an empty pouch.
fn emptied(policy: player::Policy, games: u64) -> u64 {
    let ends_well = |seed: &u64| {
        let mut table = begin(DEKKER, *seed);
        let mut chance = Rng::new(!*seed);
        table.speed = 9;
        while let Some(stone) = table.game.hand.filter(|_| table.game.outcome().is_none()) {
            let outlook = outlook::Outlook::of(table.game.field(), Four::AtCorner);
            let look = player::PolicyView {
                outlook: &outlook,
                stone,
                left: table.game.pouch(),
                rule: table.game.rule(),
                made: [0; 2],
            };
            let best = look.best(policy, &mut chance).unwrap();
            table.touch(point_of(best, made_for(0)).unwrap());
        }
        table.game.left() == 0
    };
    (0..games).filter(ends_well).count() as u64
}

#[test]
fn each_level_empties_the_pouch_more_often_than_the_last() {
    use player::Policy;
    let games = 100;
    let policies = [1, 2, 3, 4].map(|level| Policy::of(level, Players::One));
    let found = policies.map(|policy| emptied(policy, games));
    assert!(
        found.is_sorted_by(|one, next| one + 10 <= *next),
        "{found:?}"
    );
    assert!(found[3] >= 95, "{found:?}");
}

// Reports about a game, and states that cannot come from play.

#[test]
fn all_ways_to_pair_colours_with_symbols_begin_a_game() {
    // Pairings are even or odd; a biased random source would produce only one kind.
    let mut seen = [0; 2];
    for seed in 0..64 {
        let table = begin(DEKKER, seed);
        let stones: StdVec<Stone> = table.game.field.stones().map(|(_, stone)| stone).collect();
        let mut symbols: StdVec<(u8, u8)> = stones
            .iter()
            .map(|stone| (stone.colour(), stone.symbol()))
            .collect();
        symbols.sort_unstable();
        let pairs = (0..6).flat_map(|one| (one + 1..6).map(move |other| (one, other)));
        let turned = pairs.filter(|(one, other)| symbols[*one].1 > symbols[*other].1);
        seen[turned.count() % 2] += 1;
    }
    assert!(seen.iter().all(|count| *count > 16), "{seen:?}");
}

#[test]
fn only_a_game_for_one_enters_the_best_scores() {
    for (mode, is_for_one) in [(DEKKER, true), (OFFICIAL, true), (DEKKER_IN_TURNS, false)] {
        let mut table = position(mode, "d4Co", "C-", "");
        let game = &table.game;
        assert_eq!(Game::<u128>::is_for_one(game), is_for_one, "mode {mode}");
        let time_out = match is_for_one {
            true => TimeOut::None,
            false => TimeOut::RandomMove,
        };
        assert_eq!(Game::<u128>::about(game).time_out, time_out);
        assert_eq!(game.worth(), None, "it goes on");
        assert_eq!(game.hand(), Some(stone("C-")));
        assert!(game.clock_runs());
        table.tap_at("d5");
        assert!(table.game.outcome().is_some());
        let worth = is_for_one.then_some(table.game.points[0]);
        assert_eq!(table.game.worth(), worth, "mode {mode}");
        assert!(table.game.points[0] > 0 && !table.game.clock_runs());
    }
}

#[test]
fn every_mode_for_one_keeps_best_scores() {
    let kept = <Ishido<u128> as Rules<u128>>::ABOUT.keeps_best;
    let for_one = (0..32).filter(|mode| {
        let rule = MODES.get(usize::from(*mode));
        rule.is_some_and(|rule: &Rule| rule.players == Players::One)
    });
    assert_eq!(for_one.fold(0, |modes, mode: u8| modes | 1 << mode), kept);
}

#[test]
fn a_turn_with_a_legal_square_cannot_be_passed() {
    let mut table = position(DEKKER_IN_TURNS, "d4Co", "C-", "C+");
    let before = table.game.clone();
    assert!(!table.pass());
    assert_eq!(table.game, before);
    table.tap_at("d5");
    assert!(!table.game.clock_runs(), "a stone can be taken back");
}

#[test]
fn taking_back_a_stone_removes_only_its_own_four_way() {
    let mut table = position(DEKKER, "d4Co", "C-", "C+");
    table.game.four_ways[0] = 1;
    table.tap_at("d5");
    assert_eq!(table.tap_at("d5"), Touch::TakenBack);
    assert_eq!(table.game.four_ways[0], 1);
}
