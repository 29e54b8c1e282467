//! For tests: a game on a board, and the laws that every game in turns keeps.

use std::string::String;
use std::vec::Vec;

use postcard::experimental::max_size::MaxSize;
use proptest::collection::vec;
use proptest::prelude::*;
use protocol::{Colour, Event, Layout, Packed, Point, Position, Side, Tick};

use crate::game::{Act, Canvas, Context, Game, Player, Touch};
use crate::grid::Grid;
use crate::points::Points;
use crate::rng::Rng;
use crate::word::Word;

/// A game on a board, everything around it, and what it told.
#[derive(Clone, Debug)]
pub struct Table<W: Word, G: Game<W>> {
    pub grid: Grid<W>,
    pub game: G,
    pub player: G::Player,
    pub rng: Rng,
    pub now: Tick,
    pub events: Vec<Event>,
}

impl<W: Word, G: Game<W>> Table<W, G> {
    /// The start of a game; `None` if the board is too small for it.
    pub fn start(layout: Layout, mode: u8, seed: u64) -> Option<Self> {
        Self::make(layout, seed, |context| G::start(mode, context))
    }

    /// A game with these rows from the top: `.` dark, `g` green, `r` red.
    pub fn position(mode: u8, turn: Side, rows: &[&str]) -> Option<Self> {
        let layout = Layout::grid(rows[0].len() as u8, rows.len() as u8).unwrap();
        let mut points = Packed::default();
        let letters = rows.iter().flat_map(|row| row.chars());
        for (point, letter) in layout.iter().zip(letters) {
            points.set(point, Colour::from_letter(letter).unwrap());
        }
        let position = Position { points, turn };
        Self::make(layout, 7, |context| G::position(mode, &position, context))
    }

    fn make(
        layout: Layout,
        seed: u64,
        make: impl FnOnce(&mut Context<'_, W>) -> Option<G>,
    ) -> Option<Self> {
        let grid = Grid::new(layout)?;
        let mut rng = Rng::new(seed);
        let mut events = heapless::Vec::new();
        let (now, speed) = (0, 5);
        let game = make(&mut Context {
            grid: &grid,
            rng: &mut rng,
            now,
            speed,
            events: &mut events,
        })?;
        let player = G::Player::default();
        Some(Table {
            grid,
            game,
            player,
            rng,
            now,
            events: events.to_vec(),
        })
    }

    /// Calls the game and its player with a context.
    pub fn with<T>(
        &mut self,
        what: impl FnOnce(&mut G, &mut G::Player, &mut Context<'_, W>) -> T,
    ) -> T {
        let mut events = heapless::Vec::new();
        let mut context = Context {
            grid: &self.grid,
            rng: &mut self.rng,
            now: self.now,
            speed: 5,
            events: &mut events,
        };
        let came = what(&mut self.game, &mut self.player, &mut context);
        self.events.extend(events);
        came
    }

    /// Touches a point.
    pub fn touch(&mut self, point: Point) -> Touch {
        self.player = G::Player::default();
        self.with(|game, _, context| game.touch(point, context))
    }

    /// Touches the point of this name.
    pub fn tap(&mut self, name: &str) -> Touch {
        self.touch(self.grid.layout().point(name).unwrap())
    }

    /// Lets the time of the side to move run out.
    pub fn miss(&mut self) {
        self.player = G::Player::default();
        self.with(|game, _, context| game.time_out(context));
    }

    /// What is legal now.
    pub fn legal(&self) -> Points<W> {
        self.game.legal(&self.grid)
    }

    /// The names of the points of a set, in order.
    pub fn names(&self, points: Points<W>) -> Vec<String> {
        points
            .map(|point| std::format!("{}", self.grid.layout().name(point)))
            .collect()
    }

    /// What the points show, row by row from the top.
    pub fn picture(&self) -> Vec<String> {
        let mut points = Packed::default();
        self.game
            .paint(self.now, &mut Canvas::new(&self.grid, &mut points));
        let layout = self.grid.layout();
        let letter = |point| match points.get(point) {
            Colour::OFF => '.',
            Colour::GREEN => 'g',
            Colour::RED => 'r',
            _ => '?',
        };
        let row = |row| (0..layout.columns()).map(move |column| (column, row));
        let text = |(column, row)| letter(layout.at(column, row).unwrap());
        (0..layout.rows())
            .map(|line| row(line).map(text).collect())
            .collect()
    }

    /// `[green, red]`.
    pub fn score(&self) -> [u16; 2] {
        self.game.score(&self.grid)
    }

    /// Lets the board's player think for the side to move until it acts.
    pub fn think(&mut self, level: u8) -> Act {
        let began = self.now;
        loop {
            let act = self.with(|game, player, context| player.wake(game, level, context));
            assert!(
                self.now <= began + 3_000,
                "it thinks for more than three seconds"
            );
            if act != Act::Wait {
                return act;
            }
            self.now = self.player.wakes_at().max(self.now + 1);
        }
    }

    /// Plays random moves until the game is over; returns how many.
    pub fn play_out(&mut self, most: usize) -> usize {
        for moves in 0..most {
            let Some(point) = self.rng.pick(self.game.legal(&self.grid)) else {
                assert!(self.game.outcome().is_some(), "{:?}", self.game.turn());
                return moves;
            };
            assert!(matches!(self.touch(point), Touch::Move(_)));
        }
        most
    }

    /// All that must hold between any two calls.
    fn holds(&self) {
        assert!(self.game.is_sound(&self.grid));
        assert!(self.player.is_sound(&self.grid));
        assert_eq!(self.game.outcome().is_some(), self.game.turn().is_none());
        let legal = self.legal();
        assert_eq!(legal.is_empty(), self.game.turn().is_none());
        assert!(legal.without(self.grid.all()).is_empty());
        for index in 0..=u8::MAX {
            let mut tried = self.clone();
            let moved = matches!(tried.touch(Point(index)), Touch::Move(_));
            assert_eq!(moved, legal.has(Point(index)));
            assert!(moved || tried.game == self.game);
        }
        self.picture();
    }

    /// Written and read again.
    fn copied(&self) -> Self {
        let mut bytes = [0; 4096];
        let written = postcard::to_slice(&(&self.game, &self.player), &mut bytes).unwrap();
        assert!(written.len() <= G::POSTCARD_MAX_SIZE + G::Player::POSTCARD_MAX_SIZE);
        let (game, player) = postcard::from_bytes(written).unwrap();
        Table {
            game,
            player,
            ..self.clone()
        }
    }

    fn does(&mut self, deed: Deed) {
        let before = self.clone();
        match deed {
            Deed::Touch(index) => {
                self.touch(Point(index));
            }
            Deed::Legal(n) => {
                let legal = self.legal();
                if let Some(point) = legal.nth(usize::from(n) % legal.len().max(1)) {
                    self.touch(point);
                }
            }
            Deed::Pass => {
                if !self.with(|game, _, context| game.pass(context)) {
                    assert!(self.game == before.game);
                }
            }
            Deed::TimeOut => self.miss(),
            Deed::Think(level, ms) => {
                for _ in 0..ms {
                    let act = self.with(|game, player, context| player.wake(game, level, context));
                    if let Act::Touch(point) = act {
                        assert!(self.legal().has(point));
                        self.touch(point);
                    }
                    self.now += 1;
                }
            }
        }
    }
}

/// Something that happens to a game.
#[derive(Clone, Copy, Debug)]
pub enum Deed {
    Touch(u8),
    /// A touch of the so-many-th legal point.
    Legal(u8),
    Pass,
    TimeOut,
    /// A level's thoughts for so many ticks.
    Think(u8, u8),
}

/// Any deeds, most of them moves.
pub fn deeds(most: usize) -> impl Strategy<Value = Vec<Deed>> {
    let deed = prop_oneof![
        2 => any::<u8>().prop_map(Deed::Touch),
        12 => any::<u8>().prop_map(Deed::Legal),
        1 => Just(Deed::Pass),
        1 => Just(Deed::TimeOut),
        1 => (any::<u8>(), 0..20_u8).prop_map(|(level, ms)| Deed::Think(level, ms)),
        1 => (1..5_u8, 0..20_u8).prop_map(|(level, ms)| Deed::Think(level, ms)),
    ];
    vec(deed, 0..most)
}

/// Boards of every size; many of them those that people play on.
pub fn layouts(smallest_side: u8) -> impl Strategy<Value = Layout> {
    let side = || smallest_side..=16;
    prop_oneof![
        Just(Layout::MALDOO),
        Just(Layout::grid(8, 8).unwrap()),
        (side(), side()).prop_map(|(columns, rows)| Layout::grid(columns, rows).unwrap()),
    ]
}

/// The laws, through any game: no panic, sound states, `legal` and `touch`
/// agree, and a copy that was written and read goes on as the original.
pub fn keeps_the_laws<W: Word, G: Game<W>>(layout: Layout, mode: u8, seed: u64, deeds: &[Deed]) {
    let Some(mut table) = Table::<W, G>::start(layout, mode, seed) else {
        return;
    };
    for deed in deeds {
        table.holds();
        let mut copy = table.copied();
        assert!(copy.game == table.game && copy.player == table.player);
        table.does(*deed);
        copy.does(*deed);
        assert!(copy.game == table.game && copy.player == table.player && copy.rng == table.rng);
        table.events.clear();
    }
    table.holds();
}

/// A state that was damaged is refused, or played without a panic.
pub fn survives_damage<W: Word, G: Game<W>>(
    layout: Layout,
    mode: u8,
    deeds: &[Deed],
    damage: &[(usize, u8)],
    then: &[Deed],
) {
    let Some(mut table) = Table::<W, G>::start(layout, mode, 1) else {
        return;
    };
    deeds.iter().for_each(|deed| table.does(*deed));
    let mut bytes = [0; 4096];
    let length = postcard::to_slice(&(&table.game, &table.player), &mut bytes)
        .unwrap()
        .len();
    for (place, value) in damage {
        bytes[place % length] = *value;
    }
    let Ok((game, player)) = postcard::from_bytes::<(G, G::Player)>(&bytes) else {
        return;
    };
    table.game = game;
    table.player = player;
    if table.game.is_sound(&table.grid) && table.player.is_sound(&table.grid) {
        for deed in then {
            table.does(*deed);
            table.picture();
            assert!(table.game.is_sound(&table.grid));
        }
    }
}

/// Every word plays the same game.
pub fn plays_the_same_in_every_word<N, M, A, B>(layout: Layout, mode: u8, seed: u64, deeds: &[Deed])
where
    N: Word,
    M: Word,
    A: Game<N>,
    B: Game<M>,
{
    let one = Table::<N, A>::start(layout, mode, seed);
    let other = Table::<M, B>::start(layout, mode, seed);
    assert_eq!(one.is_some(), other.is_some());
    let (Some(mut one), Some(mut other)) = (one, other) else {
        return;
    };
    for deed in deeds.iter().filter(|deed| !matches!(deed, Deed::Think(..))) {
        assert_eq!(one.picture(), other.picture());
        assert_eq!(one.game.turn(), other.game.turn());
        assert_eq!(one.rng, other.rng);
        assert_eq!(one.names(one.legal()), other.names(other.legal()));
        one.does(*deed);
        other.does(*deed);
    }
    assert_eq!(one.score(), other.score());
    assert_eq!(one.game.outcome(), other.game.outcome());
    assert_eq!(one.events, other.events);
}
