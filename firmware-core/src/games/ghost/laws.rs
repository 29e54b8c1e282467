//! What holds in every game, whatever is touched when.

use std::vec::Vec as List;

use heapless::Vec;
use postcard::experimental::max_size::MaxSize;
use proptest::collection::vec;
use proptest::prelude::*;
use protocol::{Layout, Packed, Point, Tick};

use super::{Ghost, Hand, Phase, TURNS, Walk, block};
use crate::game::{Act, Canvas, Context, Game, Player, Touch};
use crate::grid::Grid;
use crate::points::Points;
use crate::rng::Rng;
use crate::word::{Wide, Word};

/// Something that happens to a game.
#[derive(Clone, Copy, Debug)]
enum Deed {
    Touch(u8),
    /// A touch of the so-many-th legal point.
    Legal(u8),
    Wait(Tick),
    Speed(u8),
    Pass,
    TimeOut,
    Hand(u8),
}

fn deeds() -> impl Strategy<Value = List<Deed>> {
    let deed = prop_oneof![
        3 => any::<u8>().prop_map(Deed::Touch),
        4 => any::<u8>().prop_map(Deed::Legal),
        6 => (0..2000_u64).prop_map(Deed::Wait),
        1 => any::<u8>().prop_map(Deed::Speed),
        1 => (0..10_u8).prop_map(Deed::Speed),
        1 => Just(Deed::Pass),
        1 => Just(Deed::TimeOut),
        3 => any::<u8>().prop_map(Deed::Hand),
    ];
    vec(deed, 0..120)
}

fn grids() -> impl Strategy<Value = Layout> {
    (4..=16_u8, 4..=16_u8).prop_map(|(columns, rows)| Layout::grid(columns, rows).unwrap())
}

/// All that a snapshot of a board would hold of a game.
#[derive(Clone, Debug, PartialEq)]
struct Run<W: Word> {
    grid: Grid<W>,
    game: Ghost<W>,
    hand: Hand,
    rng: Rng,
    now: Tick,
    speed: u8,
}

impl<W: Word> Run<W> {
    fn start(layout: Layout, mode: u8, seed: u64) -> Run<W> {
        let grid = Grid::new(layout).unwrap();
        let mut rng = Rng::new(seed);
        let mut events = Vec::new();
        let context =
            &mut Context { grid: &grid, rng: &mut rng, now: 0, speed: 5, events: &mut events };
        let game = Ghost::start(mode, context).unwrap();
        Run { grid, game, hand: Hand::default(), rng, now: 0, speed: 5 }
    }

    fn with<T>(
        &mut self,
        what: impl FnOnce(&mut Ghost<W>, &mut Hand, &mut Context<'_, W>) -> T,
    ) -> T {
        let mut events = Vec::new();
        what(
            &mut self.game,
            &mut self.hand,
            &mut Context {
                grid: &self.grid,
                rng: &mut self.rng,
                now: self.now,
                speed: self.speed,
                events: &mut events,
            },
        )
    }

    /// Does it, and checks what holds for it.
    fn does(&mut self, deed: Deed) {
        let legal = self.game.legal(&self.grid);
        let before = self.clone();
        match deed {
            Deed::Touch(index) => self.touch(Point(index)),
            Deed::Legal(n) => {
                if let Some(point) = legal.nth(usize::from(n) % legal.len().max(1)) {
                    self.touch(point);
                }
            }
            Deed::Wait(ms) => self.wait(ms),
            Deed::Speed(speed) => self.speed = speed,
            Deed::Pass => {
                if !self.with(|game, _, context| game.pass(context)) {
                    assert_eq!(*self, before);
                }
            }
            Deed::TimeOut => self.with(|game, _, context| game.time_out(context)),
            Deed::Hand(level) => {
                if let Act::Touch(point) =
                    self.with(|game, hand, context| hand.wake(game, level, context))
                {
                    assert!(legal.has(point));
                    self.touch(point);
                }
            }
        }
        self.holds();
    }

    fn touch(&mut self, point: Point) {
        let legal = self.game.legal(&self.grid).has(point);
        let before = self.clone();
        let came = self.with(|game, _, context| game.touch(point, context));
        assert_eq!(legal, came == Touch::Move(0));
        if legal {
            assert_eq!(self.game.turns, before.game.turns + 1);
            assert_eq!(self.game.turn, before.game.turn.other());
            self.hand = Hand::default();
        } else {
            assert_eq!(*self, before);
        }
    }

    fn wait(&mut self, ms: Tick) {
        let end = self.now + ms;
        while let Some(at) = self.game.wakes_at().filter(|at| *at <= end) {
            assert!(at > self.now || self.now == end, "a wake that does not get on");
            self.now = self.now.max(at);
            self.with(|game, _, context| game.wake(context));
            assert!(self.game.wakes_at().is_none_or(|next| next > at), "a wake in the past");
            self.holds();
        }
        self.now = end;
    }

    fn holds(&self) {
        assert!(self.game.is_sound(&self.grid), "{:?}", self.game);
        assert!(Player::<W, Ghost<W>>::is_sound(&self.hand, &self.grid));
        assert_eq!(self.game.outcome().is_some(), self.game.turn().is_none());
        assert_eq!(self.game.outcome().is_none(), self.game.wakes_at().is_some());
        assert!(self.game.turns <= TURNS);
        assert_eq!(self.game.clock_runs(), matches!(self.game.phase, Phase::Walk(_)));
        if let Phase::Walk(Walk { corner, .. }) | Phase::Over(Some(corner)) = self.game.phase {
            let ghost = block(corner, &self.grid);
            assert_eq!(ghost.len(), 4);
            assert!(!ghost.meets(self.game.lit()));
        }
        self.paint();
    }

    fn paint(&self) {
        let mut points = Packed::default();
        self.game.paint(self.now, &mut Canvas::new(&self.grid, &mut points));
    }

    /// Written and read again.
    fn copied(&self) -> Run<W> {
        let mut bytes = [0; 512];
        let written = postcard::to_slice(&(&self.game, &self.hand, &self.rng), &mut bytes).unwrap();
        let most = Ghost::<W>::POSTCARD_MAX_SIZE + Hand::POSTCARD_MAX_SIZE + Rng::POSTCARD_MAX_SIZE;
        assert!(written.len() <= most);
        let (game, hand, rng) = postcard::from_bytes(written).unwrap();
        Run { game, hand, rng, ..self.clone() }
    }

    fn plays(&mut self, deeds: &[Deed]) {
        deeds.iter().for_each(|deed| self.does(*deed));
    }
}

proptest! {
    #[test]
    fn any_deeds_at_any_time_keep_the_laws(
        layout in grids(), mode in 0..4_u8, seed: u64, deeds in deeds(),
    ) {
        Run::<Wide>::start(layout, mode, seed).plays(&deeds);
    }

    #[test]
    fn every_word_plays_the_same(mode in 0..4_u8, seed: u64, deeds in deeds()) {
        let layout = Layout::grid(8, 8).unwrap();
        let mut narrow = Run::<u64>::start(layout, mode, seed);
        let mut middle = Run::<u128>::start(layout, mode, seed);
        for deed in deeds {
            narrow.does(deed);
            middle.does(deed);
            prop_assert_eq!(narrow.game.wakes_at(), middle.game.wakes_at());
            prop_assert_eq!(narrow.game.phase, middle.game.phase);
            prop_assert_eq!(&narrow.rng, &middle.rng);
        }
    }

    #[test]
    fn a_game_that_was_saved_goes_on_as_the_one_that_was_not(
        mode in 0..4_u8, seed: u64, deeds in deeds(), cut in 0..120_usize,
    ) {
        let mut run = Run::<u128>::start(Layout::MALDOO, mode, seed);
        let (head, tail) = deeds.split_at(cut.min(deeds.len()));
        run.plays(head);
        let mut copy = run.copied();
        prop_assert_eq!(&copy, &run);
        run.plays(tail);
        copy.plays(tail);
        prop_assert_eq!(copy, run);
    }

    #[test]
    fn long_waits_equal_many_short_ones(mode in 0..4_u8, seed: u64, deeds in deeds(), ms in 0..5000_u64) {
        let mut run = Run::<u128>::start(Layout::MALDOO, mode, seed);
        run.plays(&deeds);
        let mut other = run.clone();
        run.wait(ms);
        (0..ms).for_each(|_| other.wait(1));
        prop_assert_eq!(run, other);
    }

    #[test]
    fn it_ends_within_32_turns_when_time_runs_out(mode in 0..4_u8, seed: u64, deeds in deeds()) {
        let mut run = Run::<u128>::start(Layout::MALDOO, mode, seed);
        run.plays(&deeds);
        for _ in 0..TURNS {
            // The pattern, during which the clock stands still, is the longest wait.
            run.wait(1500);
            if run.game.turn().is_some() {
                prop_assert!(run.game.clock_runs());
                run.does(Deed::TimeOut);
            }
        }
        prop_assert!(run.game.outcome().is_some());
    }

    #[test]
    fn whatever_is_sound_can_be_played(
        layout in grids(),
        mode in 0..4_u8,
        seed: u64,
        deeds in deeds(),
        flips in vec((any::<usize>(), any::<u8>()), 1..6),
        then in vec((0..8_u8, any::<u8>(), any::<Tick>()), 0..60),
    ) {
        let mut run = Run::<Wide>::start(layout, mode, seed);
        run.plays(&deeds);
        let mut bytes = [0; 512];
        let length = postcard::to_slice(&(&run.game, &run.hand), &mut bytes).unwrap().len();
        for (place, value) in flips {
            bytes[place % length] = value;
        }
        let Ok((game, hand)) = postcard::from_bytes::<(Ghost<Wide>, Hand)>(&bytes) else {
            return Ok(());
        };
        run = Run { game, hand, ..run };
        run.with(|game, _, context| game.legal(context.grid));
        let sound = run.game.is_sound(&run.grid)
            && Player::<Wide, Ghost<Wide>>::is_sound(&run.hand, &run.grid);
        if !sound {
            return Ok(());
        }
        for (kind, value, tick) in then {
            match kind {
                0 | 1 => run.touch(Point(value)),
                2 => run.now = run.now.saturating_add(tick),
                3 => run.with(|game, _, context| game.time_out(context)),
                4 => { run.with(|game, hand, context| hand.wake(game, value, context)); }
                _ => run.with(|game, _, context| game.wake(context)),
            }
            run.holds();
        }
    }

    #[test]
    fn lit_points_only_come_from_wrong_touches_in_modes_0_and_1(
        mode in 0..4_u8, seed: u64, deeds in deeds(),
    ) {
        let mut run = Run::<u128>::start(Layout::MALDOO, mode, seed);
        run.plays(&deeds);
        let wrong = usize::from(run.game.wrong);
        prop_assert_eq!(run.game.lit().len(), if mode < 2 { wrong } else { 0 });
        let score: u16 = run.game.score(&run.grid).iter().sum();
        prop_assert!(usize::from(score) + wrong <= usize::from(run.game.turns));
    }

    #[test]
    fn any_position_is_refused_or_played(
        mode in 0..6_u8, colours in vec(0..40_u8, 81), ghost in 0..90_u8, deeds in deeds(),
    ) {
        let grid: Grid<u128> = Grid::new(Layout::MALDOO).unwrap();
        let mut points = Packed::default();
        for (point, colour) in grid.layout().iter().zip(colours) {
            // Mostly dark, now and then lit, rarely something else.
            points.set(point, protocol::Colour::new(if colour < 5 { colour } else { 0 }));
        }
        for point in if ghost < 81 { block(Point(ghost), &grid) } else { Points::NONE } {
            points.set(point, protocol::Colour::AMBER);
        }
        let mut rng = Rng::new(1);
        let mut events = Vec::new();
        let context =
            &mut Context { grid: &grid, rng: &mut rng, now: 0, speed: 5, events: &mut events };
        let position = protocol::Position { points, turn: protocol::Side::Red };
        if let Some(game) = Ghost::position(mode, &position, context) {
            let mut run = Run { grid, game, hand: Hand::default(), rng, now: 0, speed: 5 };
            run.holds();
            run.plays(&deeds);
        }
    }
}
