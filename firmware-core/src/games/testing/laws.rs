//! The laws of every game, which hold whatever is done to it, and when.

use core::cell::RefCell;
use std::vec::Vec as StdVec;

use postcard::experimental::max_size::MaxSize;
use protocol::{Colour, Diagram, Layout, Point};

use super::TestedGame;
use super::cases::{LawStep, Lit};
use crate::game::{BoardTurn, Context, Player, Rules, Service, Touch};
use crate::rng::Rng;
use crate::word::{Wide, Word};

/// The minimum percentage of cases that contain what a law is about: a quarter less
/// than the measured one. A game with fewer cases sets its own.
#[derive(Clone, Copy)]
pub struct Floors {
    /// Steps that made a move.
    pub moves: u32,
    /// Steps in which time passed in a game that was not over.
    pub waits: u32,
    /// Forged states that were accepted as valid.
    pub forgeries: u32,
    /// The number of positions that were accepted.
    pub positions: u32,
}

impl Floors {
    pub const USUAL: Floors = Floors {
        moves: 50,
        waits: 38,
        forgeries: 13,
        positions: 25,
    };
}

/// Plays the same game with each pair of words that can hold the board; with the widest
/// one twice if no other can.
pub fn every_word_plays_the_same<A, B, C>(
    layout: Layout,
    mode: u8,
    seed: u64,
    deeds: &[LawStep],
) -> bool
where
    A: Rules<u64> + core::fmt::Debug,
    B: Rules<u128> + core::fmt::Debug,
    C: Rules<Wide> + core::fmt::Debug,
{
    let points = layout.points();
    if points > u128::BITS as usize {
        return plays_the_same::<Wide, Wide, C, C>(layout, mode, seed, deeds);
    }
    let is_long = points > u64::BITS as usize;
    let narrow = is_long || plays_the_same::<u64, u128, A, B>(layout, mode, seed, deeds);
    plays_the_same::<u128, Wide, B, C>(layout, mode, seed, deeds) && narrow
}

/// A law of games with strict turns: until the game is over, one side is to move, and can
/// move.
pub fn in_turns<W: Word, G: Rules<W>>(table: &TestedGame<W, G>) {
    let nobody = table.game.turn().is_none();
    assert_eq!(table.game.outcome().is_some(), nobody);
    assert_eq!(table.legal().is_empty(), nobody);
}

impl<W: Word, G: Rules<W> + core::fmt::Debug> TestedGame<W, G> {
    /// Carries out a step, and checks the laws of every game. Returns the result of the
    /// touch, if it was one.
    pub fn does(&mut self, deed: LawStep) -> Option<Touch> {
        self.does_checking(deed, TestedGame::holds)
    }

    /// As [`TestedGame::does`], with another check after the step and after each wake
    /// during it.
    pub fn does_checking(&mut self, deed: LawStep, check: impl Fn(&Self)) -> Option<Touch> {
        let came = match deed {
            LawStep::Touch(index) => Some(self.checked_touch(Point(index))),
            LawStep::Legal(n) => {
                if self.legal().is_empty()
                    && let Some(at) = self.next_wake()
                {
                    self.wait_checking(at.saturating_sub(self.now), &check);
                }
                let legal = self.legal();
                let point = legal.nth(usize::from(n) % legal.len().max(1));
                point.map(|point| self.checked_touch(point))
            }
            LawStep::Wait(ms) => {
                self.wait_checking(ms, &check);
                None
            }
            LawStep::Speed(speed) => {
                self.speed = speed;
                None
            }
            LawStep::Pass => {
                let before = self.clone();
                if self.pass() {
                    self.hand = Default::default();
                } else {
                    assert!(*self == before, "a refused pass changed something");
                }
                None
            }
            LawStep::TimeOut => {
                self.time_out();
                self.hand = Default::default();
                None
            }
            LawStep::Hand(level) => {
                self.lets_hand(|hand, game, context| hand.wake(game, level, context))
            }
            LawStep::Hurry(level) => {
                self.lets_hand(|hand, game, context| hand.hurry(game, level, context))
            }
            LawStep::Think(level, ticks) => (0..ticks).find_map(|_| {
                self.wait_checking(1, &check);
                self.lets_hand(|hand, game, context| hand.wake(game, level, context))
            }),
        };
        check(self);
        came
    }

    /// Lets the player act; its action must be legal.
    fn lets_hand(
        &mut self,
        ask: impl FnOnce(&mut G::Player, &G, &mut Context<'_, W>) -> BoardTurn,
    ) -> Option<Touch> {
        if !G::ABOUT.board_can_play {
            return None;
        }
        let legal = self.legal();
        match self.with(|game, hand, context| ask(hand, game, context)) {
            BoardTurn::Wait => None,
            BoardTurn::Pass => {
                assert!(self.pass(), "the board passes where it must not");
                self.hand = Default::default();
                None
            }
            BoardTurn::Touch(point) => {
                assert!(legal.has(point), "the board makes an illegal move");
                self.with(|game, _, context| game.announce(point, context));
                Some(self.checked_touch(point))
            }
        }
    }

    /// Touches a point. This must be a move, a part of one or a service if the point is
    /// legal, and change nothing otherwise.
    fn checked_touch(&mut self, point: Point) -> Touch {
        let legal = self.legal().has(point);
        let [helps, takes_back] =
            Service::ALL.map(|service| self.game.service(service, &self.ground).has(point));
        let before = self.clone();
        let came = self.touch(point);
        assert_eq!(legal, came.is_accepted(), "{came:?}");
        assert_eq!(takes_back, came == Touch::TakenBack, "{came:?}");
        assert!(!helps || came == Touch::Part, "{came:?}");
        match came {
            Touch::Move(_) => self.hand = Default::default(),
            Touch::Part | Touch::TakenBack => {
                assert_eq!(self.game.turn(), before.game.turn(), "a part ended a turn");
                assert_eq!(self.game.outcome(), None, "a part ended a game");
            }
            _ => assert!(*self == before, "a refused touch changed something"),
        }
        came
    }

    /// Touches every possible point, each in a separate copy of the game.
    pub fn tries_every_point(&self) {
        let mut tried = self.clone();
        for index in 0..=u8::MAX {
            if tried.checked_touch(Point(index)).is_accepted() {
                tried.clone_from(self);
            }
        }
    }

    /// Checks the laws that hold at every moment of every game.
    pub fn holds(&self) {
        assert!(self.is_sound(), "{:?}", self.game);
        assert!(self.legal().without(self.ground.all()).is_empty());
        for service in Service::ALL {
            let points = self.game.service(service, &self.ground);
            assert!(points.without(self.legal()).is_empty(), "{service:?}");
        }
        if self.game.outcome().is_some() {
            assert_eq!(self.game.turn(), None);
            assert!(self.legal().is_empty());
        }
        if self.game.worth().is_some() {
            assert!(self.game.outcome().is_some());
            assert_ne!(G::ABOUT.keeps_best, 0);
        }
        self.picture();
    }

    /// A game that is set up with this on the board; `None` if that is impossible.
    pub fn set_up_with(layout: Layout, mode: u8, lit: &Lit) -> Option<Self> {
        let played = lit.game.as_ref().and_then(|(seed, deeds, which)| {
            let mut played = Self::begin(layout, mode, *seed)?;
            let pictures = RefCell::new(StdVec::from([played.picture()]));
            played.plays_checking(deeds, |table| {
                let (mut seen, now) = (pictures.borrow_mut(), table.picture());
                if seen.last() != Some(&now) {
                    seen.push(now);
                }
            });
            let mut pictures = pictures.into_inner();
            Some(pictures.swap_remove(which % pictures.len()))
        });
        let mut points = played.unwrap_or_default();
        for (point, colour) in &lit.points {
            if layout.has(Point(*point)) {
                points.set(Point(*point), Colour::new(*colour));
            }
        }
        let turn = lit.turn;
        Self::set_up(layout, mode, &Diagram { points, turn })
    }

    pub fn is_sound(&self) -> bool {
        self.game.is_sound(&self.ground) && self.hand.is_sound(&self.ground)
    }

    /// Carries out all steps; true if there was a move.
    pub fn plays(&mut self, deeds: &[LawStep]) -> bool {
        self.plays_checking(deeds, TestedGame::holds)
    }

    /// As [`TestedGame::plays`], with another check.
    pub fn plays_checking(&mut self, deeds: &[LawStep], check: impl Fn(&Self)) -> bool {
        let moves = deeds
            .iter()
            .filter(|deed| is_move(self.does_checking(**deed, &check)))
            .count();
        moves > 0
    }

    /// The table after its state was encoded and decoded.
    pub fn copied(&self) -> Self {
        let mut bytes = [0; 4096];
        let state = (&self.game, &self.hand, &self.rng);
        let written = postcard::to_slice(&state, &mut bytes).expect("it fits");
        let most = G::POSTCARD_MAX_SIZE + G::Player::POSTCARD_MAX_SIZE + Rng::POSTCARD_MAX_SIZE;
        assert!(written.len() <= most);
        let (game, hand, rng) = postcard::from_bytes(written).expect("what was written");
        TestedGame {
            game,
            hand,
            rng,
            ..self.clone()
        }
    }

    /// The table with some bits of its state changed; `None` if the state cannot be read.
    pub fn forged(&self, flips: &[(usize, u8)]) -> Option<Self> {
        let mut bytes = [0; 4096];
        let state = (&self.game, &self.hand);
        let length = postcard::to_slice(&state, &mut bytes).ok()?.len();
        for (place, value) in flips {
            bytes[place % length] ^= value;
        }
        let (game, hand) = postcard::from_bytes(&bytes[..length]).ok()?;
        Some(TestedGame {
            game,
            hand,
            ..self.clone()
        })
    }
}

/// True if this is the result of a touch that was a move.
pub fn is_move(came: Option<Touch>) -> bool {
    matches!(came, Some(Touch::Move(_)))
}

/// Plays the same game with two words and compares them at each step. True if there was a
/// move.
fn plays_the_same<N, M, A, B>(layout: Layout, mode: u8, seed: u64, deeds: &[LawStep]) -> bool
where
    N: Word,
    M: Word,
    A: Rules<N> + core::fmt::Debug,
    B: Rules<M> + core::fmt::Debug,
{
    let one = TestedGame::<N, A>::begin(layout, mode, seed);
    let other = TestedGame::<M, B>::begin(layout, mode, seed);
    assert_eq!(one.is_some(), other.is_some());
    let (Some(mut one), Some(mut other)) = (one, other) else {
        return false;
    };
    let mut moves = 0;
    for deed in deeds {
        let came = one.does(*deed);
        moves += u32::from(is_move(came));
        assert_eq!(came, other.does(*deed));
        assert_eq!(one.picture(), other.picture());
        assert_eq!(one.score(), other.score());
        assert_eq!(one.rng, other.rng);
        assert_eq!(one.game.turn(), other.game.turn());
        assert_eq!(one.game.outcome(), other.game.outcome());
        assert_eq!(one.game.wakes_at(), other.game.wakes_at());
        assert!(one.legal().eq(other.legal()));
        assert_eq!(one.events, other.events);
    }
    moves > 0
}

/// Defines the laws of every game, as one property test each. A game with additional laws
/// for every moment names a function that checks them; one in which fewer cases than
/// usual are relevant names its [`Floors`].
macro_rules! laws {
    ($game:ident) => {
        $crate::games::testing::laws!($game, |_| {});
    };
    ($game:ident, $check:expr) => {
        $crate::games::testing::laws!($game, $check, $crate::games::testing::Floors::USUAL);
    };
    ($game:ident, $check:expr, $floors:expr) => {
        mod laws_of_every_game {
            use law::{Judged, Weight, law};
            use proptest::prelude::*;

            use super::*;
            use $crate::game::{About, Game};
            use $crate::games::testing::{
                Floors, TestedGame, any_mode, boards_of_words, deeds, every_word_plays_the_same,
                forgery, is_move, layouts_of, lit,
            };
            use $crate::word::Wide;

            type Any = TestedGame<Wide, $game<Wide>>;

            const ABOUT: About = <$game<u64> as $crate::game::Rules<u64>>::ABOUT;
            const MODES: u8 = ABOUT.modes;
            const FLOORS: Floors = $floors;

            /// The number of cases of a law, as is usual for proptest.
            const CASES: u32 = 256;
            /// The maximum number of steps in a long game and in a short one.
            const MANY: usize = 100;
            const SOME: usize = 60;

            #[test]
            fn any_deeds_at_any_time_on_any_board_keep_the_laws() {
                let holds = |table: &Any| {
                    table.holds();
                    let check: fn(&Any) = $check;
                    check(table);
                };
                let like = (
                    layouts_of(&ABOUT, 1),
                    any_mode(MODES),
                    any::<u64>(),
                    deeds(MANY),
                );
                law(
                    Weight::of(CASES, FLOORS.moves),
                    like,
                    |(layout, mode, seed, deeds)| {
                        let Some(mut table) = Any::begin(layout, mode, seed) else {
                            return Ok(Judged::Nothing);
                        };
                        prop_assert!(mode < MODES);
                        holds(&table);
                        Ok(Judged::if_any(table.plays_checking(&deeds, holds)))
                    },
                );
            }

            #[test]
            fn every_word_plays_the_same_game() {
                let layout = boards_of_words(&ABOUT);
                let like = (layout, 0..MODES, any::<u64>(), deeds(MANY));
                law(
                    Weight::of(CASES, FLOORS.moves),
                    like,
                    |(layout, mode, seed, deeds)| {
                        let plays =
                            every_word_plays_the_same::<$game<u64>, $game<u128>, $game<Wide>>;
                        Ok(Judged::if_any(plays(layout, mode, seed, &deeds)))
                    },
                );
            }

            #[test]
            fn a_game_saved_at_every_step_continues_the_same() {
                let like = (layouts_of(&ABOUT, 1), 0..MODES, any::<u64>(), deeds(MANY));
                law(
                    Weight::of(CASES, FLOORS.moves),
                    like,
                    |(layout, mode, seed, deeds)| {
                        let Some(mut table) = Any::begin(layout, mode, seed) else {
                            return Ok(Judged::Nothing);
                        };
                        let mut copy = table.copied();
                        let mut moves = 0;
                        for deed in deeds {
                            prop_assert!(copy == table);
                            moves += u32::from(is_move(table.does(deed)));
                            copy.does(deed);
                            prop_assert!(copy == table);
                            copy = copy.copied();
                        }
                        Ok(Judged::if_any(moves > 0))
                    },
                );
            }

            #[test]
            fn one_long_wait_equals_many_short_ones() {
                let like = (
                    layouts_of(&ABOUT, 1),
                    0..MODES,
                    any::<u64>(),
                    deeds(MANY),
                    1..5000_u64,
                );
                law(
                    Weight::of(CASES, FLOORS.waits),
                    like,
                    |(layout, mode, seed, deeds, ms)| {
                        let Some(mut table) = Any::begin(layout, mode, seed) else {
                            return Ok(Judged::Nothing);
                        };
                        table.plays(&deeds);
                        let goes_on = table.game.outcome().is_none();
                        let mut other = table.clone();
                        table.wait(ms);
                        (0..ms).for_each(|_| other.wait(1));
                        prop_assert!(other == table);
                        prop_assert_eq!(other.picture(), table.picture());
                        Ok(Judged::if_any(goes_on))
                    },
                );
            }

            #[test]
            fn every_sound_state_can_be_played() {
                let start = (layouts_of(&ABOUT, 1), 0..MODES, any::<u64>());
                let like = (start, deeds(MANY), forgery(), deeds(MANY));
                law(
                    Weight::of(CASES, FLOORS.forgeries),
                    like,
                    |(start, before, flips, after)| {
                        let (layout, mode, seed) = start;
                        let Some(mut table) = Any::begin(layout, mode, seed) else {
                            return Ok(Judged::Nothing);
                        };
                        table.plays(&before);
                        let forged = table.forged(&flips).filter(Any::is_sound);
                        let Some(mut forged) = forged.filter(|forged| *forged != table) else {
                            return Ok(Judged::Nothing);
                        };
                        forged.plays(&after);
                        Ok(Judged::Something)
                    },
                );
            }

            #[test]
            fn any_position_is_refused_or_played() {
                let like = (layouts_of(&ABOUT, 1), any_mode(MODES), lit(), deeds(MANY));
                law(
                    Weight::of(CASES, FLOORS.positions),
                    like,
                    |(layout, mode, lit, deeds)| {
                        let Some(mut table) = Any::set_up_with(layout, mode, &lit) else {
                            return Ok(Judged::Nothing);
                        };
                        prop_assert!(mode < MODES);
                        table.holds();
                        table.plays(&deeds);
                        Ok(Judged::Something)
                    },
                );
            }

            #[test]
            fn exactly_the_legal_points_are_moves() {
                let like = (layouts_of(&ABOUT, 1), 0..MODES, any::<u64>(), deeds(SOME));
                law(
                    Weight::of(64, FLOORS.moves),
                    like,
                    |(layout, mode, seed, deeds)| {
                        let Some(mut table) = Any::begin(layout, mode, seed) else {
                            return Ok(Judged::Nothing);
                        };
                        let mut legal = 0;
                        for deed in deeds {
                            legal += table.legal().len();
                            table.tries_every_point();
                            table.does(deed);
                        }
                        Ok(Judged::if_any(legal > 0))
                    },
                );
            }
        }
    };
}
pub(crate) use laws;
