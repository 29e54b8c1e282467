//! What the tests of the games share: a table with one game on it, the laws
//! under arbitrary deeds, and matches between levels.

use std::vec::Vec as List;

use heapless::Vec;
use postcard::experimental::max_size::MaxSize;
use proptest::collection::vec;
use proptest::prelude::*;
use protocol::{
    Colour, Event, Input, Layout, Outcome, Packed, Point, Position, Settings, Side, Tick,
};

use crate::board::Board;
use crate::game::{Act, Canvas, Context, Game, Player, Touch};
use crate::grid::Grid;
use crate::points::Points;
use crate::rng::Rng;
use crate::word::Word;

/// A board with a game on it, the hand of a player, and the time.
#[derive(Clone, Debug, PartialEq)]
pub struct Table<W: Word, G: Game<W>> {
    pub grid: Grid<W>,
    pub rng: Rng,
    pub now: Tick,
    pub speed: u8,
    pub game: G,
    pub hand: G::Player,
}

impl<W: Word, G: Game<W>> Table<W, G> {
    fn make(
        layout: Layout,
        seed: u64,
        speed: u8,
        make: impl FnOnce(&mut Context<'_, W>) -> Option<G>,
    ) -> Option<Self> {
        let grid = Grid::new(layout).expect("the word holds the layout");
        let mut rng = Rng::new(seed);
        let game = make(&mut Context {
            grid: &grid,
            rng: &mut rng,
            now: 0,
            speed,
            events: &mut Vec::new(),
        })?;
        Some(Table {
            grid,
            rng,
            now: 0,
            speed,
            game,
            hand: Default::default(),
        })
    }

    /// A game begun on this layout at speed 5, if it fits.
    pub fn begin(layout: Layout, mode: u8, seed: u64) -> Option<Self> {
        Self::begin_at_speed(layout, mode, seed, 5)
    }

    /// A game begun at this speed, if it fits.
    pub fn begin_at_speed(layout: Layout, mode: u8, seed: u64, speed: u8) -> Option<Self> {
        Self::make(layout, seed, speed, |context| G::start(mode, context))
    }

    /// A game begun on the board of the manual.
    pub fn start(mode: u8, seed: u64) -> Self {
        Self::begin(Layout::MALDOO, mode, seed).expect("9x9 holds every game")
    }

    /// A game set up on this layout at speed 5, if it can be so.
    pub fn set_up(layout: Layout, mode: u8, position: &Position) -> Option<Self> {
        Self::make(layout, 7, 5, |context| G::position(mode, position, context))
    }

    /// A game on the board of the manual with these rows from the top, as the
    /// letters of the colours; missing rows and columns are dark.
    pub fn position(mode: u8, turn: Side, rows: &[&str]) -> Option<Self> {
        let points = rows_to_points(Layout::MALDOO, rows);
        Self::set_up(Layout::MALDOO, mode, &Position { points, turn })
    }

    pub fn at(&self, column: u8, row: u8) -> Point {
        let layout = self.grid.layout();
        layout.at(column, row).expect("a point of the board")
    }

    pub fn with<T>(
        &mut self,
        what: impl FnOnce(&mut G, &mut G::Player, &mut Context<'_, W>) -> T,
    ) -> T {
        let mut events: Vec<Event, 8> = Vec::new();
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

    pub fn touch(&mut self, point: Point) -> Touch {
        self.with(|game, _, context| game.touch(point, context))
    }

    pub fn tap(&mut self, column: u8, row: u8) -> Touch {
        self.touch(self.at(column, row))
    }

    pub fn pass(&mut self) -> bool {
        self.with(|game, _, context| game.pass(context))
    }

    pub fn time_out(&mut self) {
        self.with(|game, _, context| game.time_out(context));
    }

    /// Lets time pass, with all wakes on the way, as the referee does.
    pub fn wait(&mut self, ms: Tick) {
        let end = self.now + ms;
        while let Some(at) = self.next_wake().filter(|at| *at <= end) {
            self.now = self.now.max(at);
            self.with(|game, _, context| game.wake(context));
            let next = self.next_wake();
            assert!(next.is_none_or(|next| next > at), "a wake that never ends");
        }
        self.now = end;
    }

    /// Until the next moment at which the game does something by itself.
    pub fn wait_for_wake(&mut self) {
        let at = self.next_wake().expect("a game that waits for something");
        self.wait(at.saturating_sub(self.now));
    }

    fn next_wake(&self) -> Option<Tick> {
        let goes_on = self.game.outcome().is_none();
        goes_on.then(|| self.game.wakes_at()).flatten()
    }

    pub fn legal(&self) -> Points<W> {
        self.game.legal(&self.grid)
    }

    pub fn score(&self) -> [u16; 2] {
        self.game.score(&self.grid)
    }

    pub fn picture(&self) -> Packed {
        let mut points = Packed::default();
        let mut canvas = Canvas::new(&self.grid, &mut points);
        self.game.paint(self.now, &mut canvas);
        points
    }

    /// The points that show this colour now.
    pub fn shown(&self, colour: Colour) -> Points<W> {
        let picture = self.picture();
        let layout = self.grid.layout();
        layout
            .iter()
            .filter(|point| picture.get(*point) == colour)
            .collect()
    }

    pub fn points(&self, rows: &[&str]) -> Points<W> {
        let layout = self.grid.layout();
        let lit = rows_to_points(layout, rows);
        layout
            .iter()
            .filter(|point| lit.get(*point) != Colour::OFF)
            .collect()
    }

    fn is_sound(&self) -> bool {
        self.game.is_sound(&self.grid) && self.hand.is_sound(&self.grid)
    }
}

/// The letters of rows from the top as colours of points.
pub fn rows_to_points(layout: Layout, rows: &[&str]) -> Packed {
    let mut points = Packed::default();
    for (row, text) in (0..).zip(rows) {
        for (column, letter) in (0..).zip(text.chars()) {
            let point = layout.at(column, row).expect("a point of the board");
            points.set(point, Colour::from_letter(letter).expect("a colour"));
        }
    }
    points
}

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
    Hurry(u8),
}

pub fn deeds() -> impl Strategy<Value = List<Deed>> {
    let deed = prop_oneof![
        3 => any::<u8>().prop_map(Deed::Touch),
        5 => any::<u8>().prop_map(Deed::Legal),
        6 => (0..2000_u64).prop_map(Deed::Wait),
        1 => (0..40_000_u64).prop_map(Deed::Wait),
        1 => any::<u8>().prop_map(Deed::Speed),
        1 => (0..10_u8).prop_map(Deed::Speed),
        1 => Just(Deed::Pass),
        1 => Just(Deed::TimeOut),
        4 => (0..6_u8).prop_map(Deed::Hand),
        1 => (0..6_u8).prop_map(Deed::Hurry),
    ];
    vec(deed, 0..100)
}

pub fn layouts() -> impl Strategy<Value = Layout> {
    let any = (1..=16_u8, 1..=16_u8)
        .prop_map(|(columns, rows)| Layout::grid(columns, rows).expect("a layout"));
    prop_oneof![2 => Just(Layout::MALDOO), 3 => any]
}

impl<W: Word, G: Game<W> + core::fmt::Debug> Table<W, G> {
    /// Does it, and checks what holds for every game.
    pub fn does(&mut self, deed: Deed) {
        let legal = self.legal();
        let before = self.clone();
        match deed {
            Deed::Touch(index) => self.checked_touch(Point(index)),
            Deed::Legal(n) => {
                if let Some(point) = legal.nth(usize::from(n) % legal.len().max(1)) {
                    self.checked_touch(point);
                }
            }
            Deed::Wait(ms) => self.wait(ms),
            Deed::Speed(speed) => self.speed = speed,
            Deed::Pass if self.game.outcome().is_none() => {
                let passed = self.pass();
                assert!(passed || self.game == before.game, "a refused pass");
            }
            Deed::TimeOut if self.game.clock_runs() && self.game.outcome().is_none() => {
                self.time_out();
            }
            Deed::Hand(level) | Deed::Hurry(level) if self.hand_may_move() => {
                let act = self.with(|game, hand, context| match deed {
                    Deed::Hand(_) => hand.wake(game, level, context),
                    _ => hand.hurry(game, level, context),
                });
                assert!(self.game == before.game, "a hand only touches");
                match act {
                    Act::Wait => {}
                    Act::Pass => assert!(self.pass(), "the board passes where it must not"),
                    Act::Touch(point) => {
                        assert!(legal.has(point), "the board makes an illegal move");
                        self.with(|game, _, context| game.announce(point, context));
                        self.checked_touch(point);
                    }
                }
            }
            _ => {}
        }
        self.holds();
    }

    fn hand_may_move(&self) -> bool {
        G::ABOUT.plays && self.game.turn() != Some(Side::Green) && self.game.outcome().is_none()
    }

    fn checked_touch(&mut self, point: Point) {
        let legal = self.legal().has(point);
        let before = self.game.clone();
        let came = self.touch(point);
        assert_eq!(legal, matches!(came, Touch::Move(_)), "{came:?}");
        if legal {
            self.hand = Default::default();
        } else {
            assert!(self.game == before, "a refused touch changed the game");
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

    pub fn plays(&mut self, deeds: &[Deed]) {
        deeds.iter().for_each(|deed| self.does(*deed));
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

/// The laws that hold for every game, as one property test each.
macro_rules! laws {
    ($game:ident) => {
        use proptest::prelude::*;
        use $crate::games::testing::{Table as AnyTable, deeds, layouts};
        use $crate::word::Wide;

        const MODE_COUNT: u8 = <$game<u64> as $crate::game::Game<u64>>::ABOUT.modes;

        proptest! {
            #[test]
            fn any_deeds_at_any_time_on_any_board_keep_the_laws(
                layout in layouts(), mode in 0..MODE_COUNT, seed: u64, deeds in deeds(),
            ) {
                if let Some(mut table) = AnyTable::<Wide, $game<Wide>>::begin(layout, mode, seed) {
                    table.holds();
                    table.plays(&deeds);
                }
            }

            #[test]
            fn every_word_plays_the_same(mode in 0..MODE_COUNT, seed: u64, deeds in deeds()) {
                let layout = protocol::Layout::grid(8, 8).unwrap();
                let Some(mut narrow) = AnyTable::<u64, $game<u64>>::begin(layout, mode, seed) else {
                    return Ok(());
                };
                let mut wide = AnyTable::<Wide, $game<Wide>>::begin(layout, mode, seed).unwrap();
                for deed in deeds {
                    narrow.does(deed);
                    wide.does(deed);
                    prop_assert_eq!(narrow.picture(), wide.picture());
                    prop_assert_eq!(narrow.score(), wide.score());
                    prop_assert_eq!(&narrow.rng, &wide.rng);
                    prop_assert_eq!(narrow.game.wakes_at(), wide.game.wakes_at());
                }
            }

            #[test]
            fn a_game_that_was_saved_goes_on_as_the_one_that_was_not(
                mode in 0..MODE_COUNT, seed: u64, deeds in deeds(), cut in 0..100_usize,
            ) {
                let mut table = AnyTable::<u128, $game<u128>>::start(mode, seed);
                let (head, tail) = deeds.split_at(cut.min(deeds.len()));
                table.plays(head);
                let mut copy = table.copied();
                prop_assert!(copy == table);
                table.plays(tail);
                copy.plays(tail);
                prop_assert!(copy == table);
            }

            #[test]
            fn one_long_wait_is_many_short_ones(
                mode in 0..MODE_COUNT, seed: u64, deeds in deeds(), ms in 0..5000_u64,
            ) {
                let mut table = AnyTable::<u128, $game<u128>>::start(mode, seed);
                table.plays(&deeds);
                let mut other = table.clone();
                table.wait(ms);
                (0..ms).for_each(|_| other.wait(1));
                prop_assert!(other == table);
                prop_assert_eq!(other.picture(), table.picture());
            }

            #[test]
            fn whatever_is_sound_can_be_played(
                layout in layouts(),
                mode in 0..MODE_COUNT,
                seed: u64,
                before in deeds(),
                flips in proptest::collection::vec((any::<usize>(), any::<u8>()), 1..6),
                after in deeds(),
            ) {
                let Some(mut table) = AnyTable::<Wide, $game<Wide>>::begin(layout, mode, seed) else {
                    return Ok(());
                };
                table.plays(&before);
                if let Some(mut forged) = table.forged(&flips) {
                    if forged.game.is_sound(&forged.grid)
                        && $crate::game::Player::<Wide, $game<Wide>>::is_sound(
                            &forged.hand,
                            &forged.grid,
                        )
                    {
                        forged.plays(&after);
                    }
                }
            }

            #[test]
            fn any_position_is_refused_or_played(
                layout in layouts(),
                mode in 0..MODE_COUNT + 2,
                colours in proptest::collection::vec(0..5_u8, 256),
                rarity in 1..60_u8,
                noise in proptest::collection::vec(any::<u8>(), 256),
                red_begins: bool,
                deeds in deeds(),
            ) {
                let mut points = protocol::Packed::default();
                for (point, (colour, noise)) in layout.iter().zip(colours.iter().zip(noise)) {
                    let dark = noise % rarity != 0;
                    let colour = if dark { 0 } else { *colour };
                    points.set(point, protocol::Colour::new(colour));
                }
                let turn = if red_begins { Side::Red } else { Side::Green };
                let position = protocol::Position { points, turn };
                let table = AnyTable::<Wide, $game<Wide>>::set_up(layout, mode, &position);
                if let Some(mut table) = table {
                    prop_assert!(mode < MODE_COUNT);
                    table.holds();
                    table.plays(&deeds);
                }
            }
        }
    };
}
pub(crate) use laws;

/// Wins of the higher level, draws, wins of the lower one.
#[derive(Clone, Copy, Debug, Default)]
pub struct Series {
    pub won: u32,
    pub drawn: u32,
    pub lost: u32,
}

impl Series {
    /// Plays so many games, with the colours changing from game to game;
    /// `play` gets the seed and the levels `[green, red]`.
    pub fn of(games: u64, higher: u8, play: impl Fn(u64, [u8; 2]) -> Outcome) -> Series {
        let mut series = Series::default();
        for seed in 0..games {
            let own = Side::BOTH[(seed % 2) as usize];
            let mut levels = [higher - 1; 2];
            levels[own.index()] = higher;
            *match play(seed, levels) {
                Outcome::Won(side) if side == own => &mut series.won,
                Outcome::Won(_) => &mut series.lost,
                Outcome::Draw => &mut series.drawn,
            } += 1;
        }
        series
    }

    /// At least twice as many wins as losses, and wins in half of the games:
    /// the lower end of a 99 % interval of the score is then above one half
    /// from 200 games on.
    pub fn is_clear(self) -> bool {
        self.won >= 2 * self.lost && self.won >= self.drawn + self.lost
    }
}

/// Plays a game of alternate turns between hands of these levels, `[green,
/// red]`; each turn may last `turn_ms`. Returns `None` if it took more than
/// `most_ms`.
pub fn play_out<W: Word, G: Game<W>>(
    mut table: Table<W, G>,
    levels: [u8; 2],
    turn_ms: Tick,
    most_ms: Tick,
) -> Option<Table<W, G>> {
    let mut turn = None;
    let mut ends_at = None;
    while table.game.outcome().is_none() {
        if table.now > most_ms {
            return None;
        }
        if table.game.turn() != turn {
            turn = table.game.turn();
            (table.hand, ends_at) = (Default::default(), None);
        }
        if !table.game.clock_runs() {
            ends_at = None;
        } else if ends_at.is_none() {
            ends_at = Some(table.now + turn_ms);
        }
        let hand_at = turn.map(|_| table.hand.wakes_at().max(table.now));
        let game_at = table.game.wakes_at();
        let next = [hand_at, game_at, ends_at];
        table.now = next.into_iter().flatten().min()?.max(table.now);
        if game_at.is_some_and(|at| at <= table.now) {
            table.with(|game, _, context| game.wake(context));
            continue;
        }
        if ends_at.is_some_and(|at| at <= table.now) {
            table.time_out();
            turn = None;
            continue;
        }
        let Some(side) = turn else { continue };
        let level = levels[side.index()];
        match table.with(|game, hand, context| hand.wake(game, level, context)) {
            Act::Wait => {
                // A hand that is due again in the same tick is asked again in
                // the next one, as on the board.
                if table.hand.wakes_at() <= table.now {
                    table.now += 1;
                }
            }
            Act::Pass => {
                assert!(table.pass());
                turn = None;
            }
            Act::Touch(point) => {
                assert!(matches!(table.touch(point), Touch::Move(_)));
                turn = None;
            }
        }
    }
    Some(table)
}

/// A whole board with this game and position on it, and what it tells.
pub struct Whole {
    pub board: Board<u128>,
    pub events: List<(Tick, Event)>,
}

impl Whole {
    pub fn with(game: u8, mode: u8, level: u8, turn: Side, rows: &[&str]) -> Whole {
        let mut board = Board::new(Layout::MALDOO, 3).expect("9x9 fits 128 bits");
        let settings = Settings {
            game,
            time: 5,
            speed: 5,
            level,
            mode,
        };
        board
            .set_settings(settings, &mut |_, _| {})
            .expect("settings of the table");
        let points = rows_to_points(Layout::MALDOO, rows);
        board
            .set_position(&Position { points, turn }, &mut |_, _| {})
            .expect("a position of the game");
        Whole {
            board,
            events: List::new(),
        }
    }

    pub fn tap(&mut self, point: Point) {
        let mut tell = |tick, event| self.events.push((tick, event));
        self.board.input(Input::Touch(point), &mut tell);
        self.board.input(Input::Release(point), &mut tell);
    }

    pub fn wait(&mut self, ticks: Tick) {
        let mut tell = |tick, event| self.events.push((tick, event));
        self.board.advance(ticks, &mut tell);
    }

    pub fn shows(&self, point: Point) -> Colour {
        self.board.frame().points.get(point)
    }
}
