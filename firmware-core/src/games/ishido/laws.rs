//! Laws of Ishido, and a second, slow implementation of the rules of placement.

use std::vec::Vec as StdVec;

use law::{Judged, Weight, law};
use proptest::collection;
use proptest::prelude::*;
use protocol::Layout;

use super::field::{Four, beside};
use super::outlook::{CLOSE, Outlook, WIDE, Weights};
use super::player::{Policy, PolicyView};
use super::stone::{KINDS, OF_EACH_KIND, STONES};
use super::*;
use crate::games::testing::{self, Floors, LawStep, TestedGame, deeds, is_move};
use crate::rng::Rng;
use crate::word::Wide;

type Board = TestedGame<Wide, Ishido<Wide>>;

/// There are no diagrams of Ishido, and its states consist mostly of stones, few of which
/// can be changed to valid ones. A separate law therefore forges many states.
const OWN: Floors = Floors {
    positions: 0,
    forgeries: 1,
    ..Floors::USUAL
};

testing::laws!(Ishido, always_holds, OWN);

fn always_holds(table: &Board) {
    let game = &table.game;
    let on_board = game.field.stones().count();
    assert_eq!(on_board + usize::from(game.left()), usize::from(STONES));
    for stone in Stone::all() {
        let lie = |(_, other): &(u8, Stone)| *other == stone;
        let lie = game.field.stones().filter(lie).count();
        let all = lie + usize::from(game.pouch().of(stone)) + usize::from(game.hand == Some(stone));
        assert_eq!(all, usize::from(OF_EACH_KIND), "{stone:?}");
    }
    let sides = table.ground.grid().sides();
    let beyond = |point: &Point| place_of(*point, sides).is_none();
    assert!(!table.legal().any(|point| beyond(&point)));
    let dark = sides
        .iter()
        .filter(beyond)
        .filter(|point| Some(*point) != Ishido::<Wide>::shelf(sides));
    let picture = table.picture();
    assert!(
        dark.into_iter()
            .all(|point| picture.get(point) == Colour::OFF)
    );
    if game.outcome().is_none() {
        assert!(game.turn().is_some() && !table.legal().is_empty());
    }
}

/// The rules of placement as described by Dekker: each neighbour must match either in
/// colour or in symbol, with the required number of each.
fn may_lie(field: &Field, place: u8, stone: Stone, four: Four) -> bool {
    if field.at(place).is_some() {
        return false;
    }
    let around: StdVec<(usize, Stone)> = beside(place)
        .into_iter()
        .enumerate()
        .filter_map(|(way, place)| Some((way, field.at(place?)?)))
        .collect();
    (0..1_u32 << around.len()).any(|by_colour| {
        let is_by_colour = |n: usize| by_colour >> n & 1 == 1;
        let matches = around
            .iter()
            .enumerate()
            .all(|(n, (_, other))| match is_by_colour(n) {
                true => other.colour() == stone.colour(),
                false => other.symbol() == stone.symbol(),
            });
        let ways: StdVec<usize> = around
            .iter()
            .enumerate()
            .filter_map(|(n, (way, _))| is_by_colour(n).then_some(*way))
            .collect();
        let as_many = match around.len() {
            1 => true,
            2 => ways.len() == 1,
            3 => ways.len() == 1 || ways.len() == 2,
            4 => ways.len() == 2 && (four == Four::Any || (ways[1] - ways[0]) % 2 == 1),
            _ => false,
        };
        matches && as_many
    })
}

/// Stones anywhere, of only a few kinds, so that they match.
fn fields() -> impl Strategy<Value = Field> {
    let stones = collection::vec((0..PLACES, 0..3_u8, 0..3_u8), 0..90);
    stones.prop_map(|stones| {
        let mut field = Field::default();
        for (place, colour, symbol) in stones {
            field.put(place, Stone::new(colour, symbol));
        }
        field
    })
}

fn fours() -> impl Strategy<Value = Four> {
    prop_oneof![Just(Four::AtCorner), Just(Four::Any)]
}

#[test]
fn legal_squares_equal_those_of_slow_rules() {
    law(Weight::of(256, 70), (fields(), fours()), |(field, four)| {
        let mut with_four = false;
        for place in 0..PLACES {
            let takes = field.takes(place, four);
            for stone in Stone::all() {
                let expected = may_lie(&field, place, stone, four);
                prop_assert_eq!(takes.has(stone), expected, "{} {:?}", place, stone);
                with_four |= expected && field.neighbours(place) == FOUR;
            }
        }
        Ok(Judged::if_any(with_four || field.stones().count() > 20))
    });
}

/// Stones are placed next to other ones (Dekker, 2. The rules), so only such squares are
/// considered.
#[test]
fn the_frontier_is_all_empty_squares_beside_stones() {
    law(Weight::of(256, 90), fields(), |field| {
        let beside_a_stone = |place: &u8| {
            field.at(*place).is_none()
                && beside(*place)
                    .into_iter()
                    .flatten()
                    .any(|near| field.at(near).is_some())
        };
        let expected: StdVec<u8> = (0..PLACES).filter(beside_a_stone).collect();
        prop_assert_eq!(field.frontier().collect::<StdVec<_>>(), expected.clone());
        Ok(Judged::if_any(!expected.is_empty()))
    });
}

#[test]
fn an_updated_outlook_equals_one_built_from_scratch() {
    let like = (fields(), fours(), any::<u64>());
    law(Weight::of(256, 70), like, |(field, four, seed)| {
        let mut rng = Rng::new(seed);
        let mut outlook = Outlook::of(&field, four);
        let mut puts = 0;
        for _ in 0..40 {
            let stone = Stone::of_kind(rng.below(KINDS.into()) as u8).unwrap();
            let places: StdVec<u8> = outlook.places_for(stone).collect();
            if places.is_empty() {
                continue;
            }
            let place = places[rng.below(places.len() as u32) as usize];
            outlook.put(place, stone);
            puts += 1;
            let anew = Outlook::of(outlook.field(), four);
            for place in 0..PLACES {
                prop_assert_eq!(outlook.takes(place), anew.takes(place));
            }
        }
        Ok(Judged::if_any(puts > 3))
    });
}

#[test]
fn the_predicted_effect_of_a_placement_is_its_real_one() {
    let like = (fields(), fours(), any::<u64>());
    law(Weight::of(128, 60), like, |(field, four, seed)| {
        let mut rng = Rng::new(seed);
        let mut left = RemainingStones::NONE;
        for _ in 0..20 {
            let _ = left.add(Stone::of_kind(rng.below(KINDS.into()) as u8).unwrap());
        }
        let outlook = Outlook::of(&field, four);
        let stone = Stone::of_kind(rng.below(15) as u8).unwrap();
        let places: StdVec<u8> = outlook.places_for(stone).collect();
        for place in &places {
            let mut after = outlook.clone();
            after.put(*place, stone);
            for weights in [WIDE, CLOSE] {
                let slow = worth_slowly(&outlook, &after, *place, left, &weights);
                prop_assert_eq!(outlook.worth(*place, stone, left, &weights), slow);
            }
        }
        Ok(Judged::if_any(!places.is_empty()))
    });
}

fn worth_slowly(
    before: &Outlook,
    after: &Outlook,
    place: u8,
    left: RemainingStones,
    weights: &Weights,
) -> i32 {
    let is_lost = |outlook: &Outlook, place: u8| {
        let field = outlook.field();
        field.at(place).is_none()
            && field.neighbours(place) > 0
            && !Stone::all().any(|stone| left.of(stone) > 0 && outlook.fits(place, stone))
    };
    let lost = |outlook: &Outlook| {
        let others = (0..PLACES).filter(|other| *other != place);
        others.filter(|other| is_lost(outlook, *other)).count() as i32
    };
    let open: i32 = Stone::all()
        .filter(|stone| left.of(*stone) > 0)
        .map(|stone| {
            let open = after.places_for(stone).count().min(11);
            i32::from(weights.open[usize::from(left.of(stone)) - 1][open])
        })
        .sum();
    open + i32::from(weights.neighbour) * before.field().neighbours(place) as i32
        - i32::from(weights.lost) * (lost(after) - lost(before))
}

#[test]
fn a_sound_forged_state_can_be_played() {
    let flips = collection::vec(testing::forgery(), 60);
    let like = (0..4_u8, any::<u64>(), deeds(60), flips, deeds(40));
    law(
        Weight::of(128, 60),
        like,
        |(mode, seed, before, flips, after)| {
            let mut table = Board::begin(Layout::Grid(made_for(mode)), mode, seed).unwrap();
            table.plays(&before);
            let forged = flips.iter().filter_map(|flips| table.forged(flips));
            let sound = forged.filter(|forged| forged.is_sound() && *forged != table);
            let mut judged = false;
            for mut forged in sound {
                forged.plays(&after);
                judged = true;
            }
            Ok(Judged::if_any(judged))
        },
    );
}

#[test]
fn taking_back_restores_everything_but_its_count() {
    let like = (0..4_u8, any::<u64>(), deeds(60), any::<u8>());
    law(Weight::of(256, 25), like, |(mode, seed, deeds, which)| {
        let layout = Layout::Grid(made_for(mode));
        let mut table = Board::begin(layout, mode, seed).unwrap();
        table.plays(&deeds);
        table.speed = 5;
        let (IshidoPhase::Hand { again: false, .. }, Some(stone)) =
            (table.game.phase, table.game.hand)
        else {
            return Ok(Judged::Nothing);
        };
        let before = table.clone();
        let point = table
            .game
            .open
            .nth(usize::from(which) % table.game.open.len())
            .unwrap();
        prop_assert_eq!(table.touch(point), Touch::Move(0));
        if !matches!(table.game.phase, IshidoPhase::Put { .. }) {
            return Ok(Judged::Nothing);
        }
        prop_assert_eq!(table.game.hand, None);
        prop_assert_eq!(&table.rng, &before.rng);
        prop_assert_eq!(&table.game.pouch, &before.game.pouch);
        prop_assert_eq!(table.touch(point), Touch::TakenBack);
        prop_assert_eq!(table.game.hand, Some(stone));
        table.game.phase = before.game.phase;
        prop_assert_eq!(&table.game, &before.game);
        Ok(Judged::Something)
    });
}

/// The stones of a game in the order in which they are drawn, up to the end of these
/// steps.
fn drawn(mode: u8, seed: u64, deeds: &[LawStep]) -> StdVec<Stone> {
    let mut table = Board::begin(Layout::Grid(made_for(mode)), mode, seed).unwrap();
    let mut drawn = StdVec::from_iter(table.game.hand);
    let mut left = table.game.pouch().len();
    for deed in deeds {
        // It makes no difference if random numbers are used elsewhere.
        table.rng.next();
        table.does(*deed);
        if table.game.pouch().len() < left && table.game.hand.is_some() {
            left = table.game.pouch().len();
            drawn.extend(table.game.hand);
        }
    }
    drawn
}

#[test]
fn which_stones_come_is_settled_when_the_pouch_is_filled() {
    // At most one draw for each step: no wait is long enough for two.
    let short = |most| {
        deeds(most).prop_map(|deeds| {
            let is_short = |deed: &LawStep| !matches!(deed, LawStep::Legal(_));
            let also = deeds.clone().into_iter().filter(is_short);
            let touches = deeds.iter().filter_map(|deed| match deed {
                LawStep::Legal(n) => Some([LawStep::Legal(*n), LawStep::Wait(2_000)]),
                _ => None,
            });
            touches
                .flatten()
                .chain(also.take(3))
                .collect::<StdVec<LawStep>>()
        })
    };
    let like = (0..4_u8, any::<u64>(), short(80), short(80));
    law(Weight::of(128, 60), like, |(mode, seed, one, other)| {
        let (one, other) = (drawn(mode, seed, &one), drawn(mode, seed, &other));
        let both = one.len().min(other.len());
        prop_assert_eq!(&one[..both], &other[..both]);
        Ok(Judged::if_any(both > 4))
    });
}

#[test]
fn a_written_position_reads_back_and_plays_on() {
    let like = (0..4_u8, any::<u64>(), deeds(80), deeds(60));
    law(Weight::of(256, 50), like, |(mode, seed, before, after)| {
        let layout = Layout::Grid(made_for(mode));
        let mut table = Board::begin(layout, mode, seed).unwrap();
        table.plays(&before);
        let laid = table.game.laid();
        prop_assert_eq!(Laid::read(&laid.bytes()), Some(laid.clone()));
        let again = table.with(|_, _, context| Ishido::own_position(mode, &laid.bytes(), context));
        let mut again = Board {
            game: again.unwrap(),
            ..table.clone()
        };
        again.hand = Default::default();
        if laid.hand.is_some() {
            prop_assert_eq!(again.game.laid(), laid);
        }
        again.holds();
        Ok(Judged::if_any(
            after.iter().any(|deed| is_move(again.does(*deed))),
        ))
    });
}

#[test]
fn any_bytes_are_refused_or_a_playable_position() {
    let byte = || prop_oneof![3 => Just(0_u8), 2 => 0..40_u8, 1 => any::<u8>()];
    let bytes = || {
        let squares = collection::vec(
            prop_oneof![6 => Just(0_u8), 1 => 0..38_u8],
            usize::from(PLACES),
        );
        let pouch = collection::vec(prop_oneof![Just(0_u8), Just(1), Just(0x55)], 9);
        let rest = collection::vec(byte(), 10);
        (0..3_u8, squares, 0..38_u8, pouch, rest).prop_map(|(turn, squares, hand, pouch, rest)| {
            let parts = [std::vec![turn], squares, std::vec![hand], pouch, rest];
            parts.concat()
        })
    };
    let any_length = collection::vec(any::<u8>(), 0..130);
    let bytes = prop_oneof![6 => bytes(), 1 => any_length];
    let like = (0..4_u8, bytes, deeds(40));
    law(Weight::of(512, 3), like, |(mode, bytes, deeds)| {
        let mut table = Board::begin(Layout::Grid(made_for(mode)), mode, 1).unwrap();
        let game = table.with(|_, _, context| Ishido::own_position(mode, &bytes, context));
        let Some(game) = game else {
            return Ok(Judged::Nothing);
        };
        table.game = game;
        table.holds();
        table.plays(&deeds);
        Ok(Judged::Something)
    });
}

#[test]
fn every_policy_and_level_places_a_stone_legally() {
    for mode in 0..4 {
        let layout = Layout::Grid(made_for(mode));
        let mut table = Board::begin(layout, mode, 3).unwrap();
        let outlook = Outlook::of(table.game.field(), table.game.rule().four);
        let look = PolicyView {
            outlook: &outlook,
            stone: table.game.hand.unwrap(),
            left: table.game.pouch(),
            rule: table.game.rule(),
            made: [0; 2],
        };
        for policy in Policy::ALL {
            let place = look.best(policy, &mut Rng::new(1)).unwrap();
            assert!(outlook.fits(place, look.stone), "{policy:?}");
        }
        for level in 1..=4 {
            let crate::game::BoardTurn::Touch(point) = table.think(level) else {
                panic!("nothing at level {level}");
            };
            assert!(table.game.open.has(point), "level {level}");
        }
    }
}
