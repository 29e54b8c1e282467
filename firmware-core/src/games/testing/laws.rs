//! The laws of every game: what holds whatever is done to it, and when.

use std::vec::Vec as List;

use postcard::experimental::max_size::MaxSize;
use proptest::collection;
use proptest::prelude::*;
use protocol::{Layout, Point, Tick};

use super::Table;
use crate::game::{Act, Context, Game, Player, Touch};
use crate::rng::Rng;
use crate::word::Word;

/// Something that happens to a game.
#[derive(Clone, Copy, Debug)]
pub enum Deed {
    Touch(u8),
    /// A touch of the so-many-th legal point, round and round.
    Legal(u8),
    Wait(Tick),
    Speed(u8),
    Pass,
    TimeOut,
    /// The board's hand is asked, at this level, and does what it wants.
    Hand(u8),
    /// The board's hand is asked at this level for so many ticks.
    Think(u8, u8),
    Hurry(u8),
}

/// Fewer than so many deeds.
pub fn deeds(most: usize) -> impl Strategy<Value = List<Deed>> {
    let level = || prop_oneof![4 => 0..6_u8, 1 => any::<u8>()];
    let deed = prop_oneof![
        3 => any::<u8>().prop_map(Deed::Touch),
        8 => any::<u8>().prop_map(Deed::Legal),
        6 => (0..2000_u64).prop_map(Deed::Wait),
        1 => (0..40_000_u64).prop_map(Deed::Wait),
        2 => prop_oneof![any::<u8>(), 0..10_u8].prop_map(Deed::Speed),
        1 => Just(Deed::Pass),
        1 => Just(Deed::TimeOut),
        3 => level().prop_map(Deed::Hand),
        1 => (level(), 0..20_u8).prop_map(|(level, ticks)| Deed::Think(level, ticks)),
        1 => level().prop_map(Deed::Hurry),
    ];
    collection::vec(deed, 0..most)
}

/// Boards of every size from this shortest side on; many of them those that
/// people play on.
pub fn layouts(shortest_side: u8) -> impl Strategy<Value = Layout> {
    let side = || shortest_side..=16;
    let any =
        (side(), side()).prop_map(|(columns, rows)| Layout::grid(columns, rows).expect("a layout"));
    let square = Layout::grid(8, 8).expect("a layout");
    prop_oneof![2 => Just(Layout::MALDOO), 1 => Just(square), 3 => any]
}

/// A law of games in strict turns: until the game is over somebody is to move,
/// and can.
pub fn in_turns<W: Word, G: Game<W>>(table: &Table<W, G>) {
    let nobody = table.game.turn().is_none();
    assert_eq!(table.game.outcome().is_some(), nobody);
    assert_eq!(table.legal().is_empty(), nobody);
}

impl<W: Word, G: Game<W> + core::fmt::Debug> Table<W, G> {
    /// Does it, and checks what holds for every game. Says what came of a
    /// touch, if it was one.
    pub fn does(&mut self, deed: Deed) -> Option<Touch> {
        self.does_checking(deed, Table::holds)
    }

    /// The same with another check, asked after the deed and after each wake on
    /// the way.
    pub fn does_checking(&mut self, deed: Deed, check: impl Fn(&Self)) -> Option<Touch> {
        let came = match deed {
            Deed::Touch(index) => Some(self.checked_touch(Point(index))),
            Deed::Legal(n) => {
                let legal = self.legal();
                let point = legal.nth(usize::from(n) % legal.len().max(1));
                point.map(|point| self.checked_touch(point))
            }
            Deed::Wait(ms) => {
                self.wait_checking(ms, &check);
                None
            }
            Deed::Speed(speed) => {
                self.speed = speed;
                None
            }
            Deed::Pass => {
                let before = self.clone();
                assert!(
                    self.pass() || *self == before,
                    "a refused pass changed something"
                );
                None
            }
            Deed::TimeOut => {
                self.time_out();
                None
            }
            Deed::Hand(level) => {
                self.lets_hand(|hand, game, context| hand.wake(game, level, context))
            }
            Deed::Hurry(level) => {
                self.lets_hand(|hand, game, context| hand.hurry(game, level, context))
            }
            Deed::Think(level, ticks) => (0..ticks).find_map(|_| {
                self.wait_checking(1, &check);
                self.lets_hand(|hand, game, context| hand.wake(game, level, context))
            }),
        };
        check(self);
        came
    }

    /// Lets the hand do what it wants; it must be something it may do.
    fn lets_hand(
        &mut self,
        ask: impl FnOnce(&mut G::Player, &G, &mut Context<'_, W>) -> Act,
    ) -> Option<Touch> {
        if !G::ABOUT.plays {
            return None;
        }
        let legal = self.legal();
        match self.with(|game, hand, context| ask(hand, game, context)) {
            Act::Wait => None,
            Act::Pass => {
                assert!(self.pass(), "the board passes where it must not");
                None
            }
            Act::Touch(point) => {
                assert!(legal.has(point), "the board makes an illegal move");
                self.with(|game, _, context| game.announce(point, context));
                Some(self.checked_touch(point))
            }
        }
    }

    /// A touch is a move where that is legal, and changes nothing elsewhere.
    fn checked_touch(&mut self, point: Point) -> Touch {
        let legal = self.legal().has(point);
        let before = self.clone();
        let came = self.touch(point);
        assert_eq!(legal, matches!(came, Touch::Move(_)), "{came:?}");
        if legal {
            self.hand = Default::default();
        } else {
            assert!(*self == before, "a refused touch changed something");
        }
        came
    }

    /// Every point there can be is touched, each in a game of its own.
    pub fn tries_every_point(&self) {
        let mut tried = self.clone();
        for index in 0..=u8::MAX {
            if let Touch::Move(_) = tried.checked_touch(Point(index)) {
                tried.clone_from(self);
            }
        }
    }

    /// What holds at every moment of every game.
    pub fn holds(&self) {
        assert!(self.is_sound(), "{:?}", self.game);
        assert!(self.legal().without(self.grid.all()).is_empty());
        if self.game.outcome().is_some() {
            assert_eq!(self.game.turn(), None);
            assert!(self.legal().is_empty());
        }
        self.picture();
    }

    pub fn is_sound(&self) -> bool {
        self.game.is_sound(&self.grid) && self.hand.is_sound(&self.grid)
    }

    pub fn plays(&mut self, deeds: &[Deed]) {
        for deed in deeds {
            self.does(*deed);
        }
    }

    /// Written and read again.
    pub fn copied(&self) -> Self {
        let mut bytes = [0; 4096];
        let state = (&self.game, &self.hand, &self.rng);
        let written = postcard::to_slice(&state, &mut bytes).expect("it fits");
        let most = G::POSTCARD_MAX_SIZE + G::Player::POSTCARD_MAX_SIZE + Rng::POSTCARD_MAX_SIZE;
        assert!(written.len() <= most);
        let (game, hand, rng) = postcard::from_bytes(written).expect("what was written");
        Table {
            game,
            hand,
            rng,
            ..self.clone()
        }
    }

    /// With some bytes of its state changed, if that can be read at all.
    pub fn forged(&self, flips: &[(usize, u8)]) -> Option<Self> {
        let mut bytes = [0; 4096];
        let state = (&self.game, &self.hand);
        let length = postcard::to_slice(&state, &mut bytes).ok()?.len();
        for (place, value) in flips {
            bytes[place % length] = *value;
        }
        let (game, hand) = postcard::from_bytes(&bytes[..length]).ok()?;
        Some(Table {
            game,
            hand,
            ..self.clone()
        })
    }
}

/// Plays the same game in two words, and finds no difference at any step.
pub fn plays_the_same<N, M, A, B>(layout: Layout, mode: u8, seed: u64, deeds: &[Deed])
where
    N: Word,
    M: Word,
    A: Game<N> + core::fmt::Debug,
    B: Game<M> + core::fmt::Debug,
{
    let one = Table::<N, A>::begin(layout, mode, seed);
    let other = Table::<M, B>::begin(layout, mode, seed);
    assert_eq!(one.is_some(), other.is_some());
    let (Some(mut one), Some(mut other)) = (one, other) else {
        return;
    };
    for deed in deeds {
        assert_eq!(one.does(*deed), other.does(*deed));
        assert_eq!(one.picture(), other.picture());
        assert_eq!(one.score(), other.score());
        assert_eq!(one.rng, other.rng);
        assert_eq!(one.game.turn(), other.game.turn());
        assert_eq!(one.game.outcome(), other.game.outcome());
        assert_eq!(one.game.wakes_at(), other.game.wakes_at());
        assert!(one.legal().eq(other.legal()));
        assert_eq!(one.events, other.events);
    }
}

/// The laws that hold for every game, as one property test each. A game that
/// has laws of its own for every moment names a function that checks them.
macro_rules! laws {
    ($game:ident) => {
        $crate::games::testing::laws!($game, |_| {});
    };
    ($game:ident, $check:expr) => {
        mod laws_of_every_game {
            use proptest::collection;
            use proptest::prelude::*;
            use protocol::{Colour, Layout, Packed, Position, Side};

            use super::*;
            use $crate::game::Game;
            use $crate::games::testing::{Table, deeds, layouts, plays_the_same};
            use $crate::word::Wide;

            type Any = Table<Wide, $game<Wide>>;

            const MODES: u8 = <$game<u64> as Game<u64>>::ABOUT.modes;

            /// Deeds of a long game, and of a short one.
            const MANY: usize = 100;
            const SOME: usize = 60;

            proptest! {
                #[test]
                fn any_deeds_at_any_time_on_any_board_keep_the_laws(
                    layout in layouts(1), mode in 0..MODES + 1, seed: u64, deeds in deeds(MANY),
                ) {
                    let holds = |table: &Any| {
                        table.holds();
                        let check: fn(&Any) = $check;
                        check(table);
                    };
                    if let Some(mut table) = Any::begin(layout, mode, seed) {
                        prop_assert!(mode < MODES);
                        holds(&table);
                        for deed in deeds {
                            table.does_checking(deed, holds);
                        }
                    }
                }

                #[test]
                fn every_word_plays_the_same(mode in 0..MODES, seed: u64, deeds in deeds(MANY)) {
                    let square = Layout::grid(8, 8).unwrap();
                    plays_the_same::<u64, u128, $game<u64>, $game<u128>>(square, mode, seed, &deeds);
                    plays_the_same::<u64, Wide, $game<u64>, $game<Wide>>(square, mode, seed, &deeds);
                    let maldoo = Layout::MALDOO;
                    plays_the_same::<u128, Wide, $game<u128>, $game<Wide>>(maldoo, mode, seed, &deeds);
                }

                #[test]
                fn a_game_that_is_saved_at_every_step_goes_on_as_the_one_that_is_not(
                    layout in layouts(1), mode in 0..MODES, seed: u64, deeds in deeds(MANY),
                ) {
                    let Some(mut table) = Any::begin(layout, mode, seed) else {
                        return Ok(());
                    };
                    let mut copy = table.copied();
                    for deed in deeds {
                        prop_assert!(copy == table);
                        table.does(deed);
                        copy.does(deed);
                        prop_assert!(copy == table);
                        copy = copy.copied();
                    }
                }

                #[test]
                fn one_long_wait_is_many_short_ones(
                    mode in 0..MODES, seed: u64, deeds in deeds(MANY), ms in 0..5000_u64,
                ) {
                    let mut table = Table::<u128, $game<u128>>::start(mode, seed);
                    table.plays(&deeds);
                    let mut other = table.clone();
                    table.wait(ms);
                    (0..ms).for_each(|_| other.wait(1));
                    prop_assert!(other == table);
                    prop_assert_eq!(other.picture(), table.picture());
                }

                #[test]
                fn whatever_is_sound_can_be_played(
                    layout in layouts(1),
                    mode in 0..MODES,
                    seed: u64,
                    before in deeds(MANY),
                    flips in collection::vec((any::<usize>(), any::<u8>()), 1..6),
                    after in deeds(MANY),
                ) {
                    let Some(mut table) = Any::begin(layout, mode, seed) else {
                        return Ok(());
                    };
                    table.plays(&before);
                    if let Some(mut forged) = table.forged(&flips).filter(Any::is_sound) {
                        forged.plays(&after);
                    }
                }

                #[test]
                fn any_position_is_refused_or_played(
                    layout in layouts(1),
                    mode in 0..MODES + 2,
                    colours in collection::vec(0..5_u8, 256),
                    rarity in 1..60_u8,
                    noise in collection::vec(any::<u8>(), 256),
                    red_begins: bool,
                    deeds in deeds(MANY),
                ) {
                    let mut points = Packed::default();
                    for (point, (colour, noise)) in layout.iter().zip(colours.iter().zip(noise)) {
                        let dark = noise % rarity != 0;
                        points.set(point, Colour::new(if dark { 0 } else { *colour }));
                    }
                    let turn = if red_begins { Side::Red } else { Side::Green };
                    let position = Position { points, turn };
                    if let Some(mut table) = Any::set_up(layout, mode, &position) {
                        prop_assert!(mode < MODES);
                        table.holds();
                        table.plays(&deeds);
                    }
                }
            }

            proptest! {
                #![proptest_config(ProptestConfig::with_cases(64))]

                #[test]
                fn of_all_points_there_are_exactly_the_legal_ones_are_moves(
                    layout in layouts(1), mode in 0..MODES, seed: u64, deeds in deeds(SOME),
                ) {
                    if let Some(mut table) = Any::begin(layout, mode, seed) {
                        for deed in deeds {
                            table.tries_every_point();
                            table.does(deed);
                        }
                    }
                }
            }
        }
    };
}
pub(crate) use laws;
