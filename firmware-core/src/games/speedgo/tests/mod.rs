//! Named cases of SpeedGo. Boards are drawn: `g` green, `r` red, `.` empty.

use std::string::String;
use std::vec::Vec;

use heapless::Vec as Bounded;
use protocol::{Colour, Diagram, Event, Frame, Layout, Outcome, Packed, Point, Side};

use super::area::{alive, area, is_clear, settled};
use super::stones::Stones;
use super::{REMEMBERED, SpeedGo, TURNS_PER_POINT};
use crate::game::{Canvas, Context, Game, Rules, Touch};
use crate::ground::Ground;
use crate::points::Points;
use crate::rng::Rng;
use crate::word::{Wide, Word};

mod clear;
mod ending;
mod moves;
mod sound;
mod start;

/// A table with a board on it.
pub struct TestedGame<W: Word> {
    pub ground: Ground<W>,
    pub rng: Rng,
    pub events: Bounded<Event, 8>,
}

impl<W: Word> TestedGame<W> {
    pub fn new(columns: u8, rows: u8, seed: u64) -> TestedGame<W> {
        TestedGame {
            ground: Ground::new(Layout::grid(columns, rows).unwrap()).unwrap(),
            rng: Rng::new(seed),
            events: Bounded::new(),
        }
    }

    pub fn context(&mut self) -> Context<'_, W> {
        self.events.clear();
        Context {
            ground: &self.ground,
            rng: &mut self.rng,
            now: 0,
            speed: 5,
            events: &mut self.events,
        }
    }

    pub fn point(&self, name: &str) -> Point {
        self.ground.layout().point(name).unwrap()
    }

    pub fn points(&self, names: &str) -> Points<W> {
        names
            .split_whitespace()
            .map(|name| self.point(name))
            .collect()
    }

    /// Plays on these points in turn; `pass` passes. All must be allowed.
    pub fn play(&mut self, game: &mut SpeedGo<W>, names: &str) {
        for name in names.split_whitespace() {
            if name == "pass" {
                assert!(game.pass(&mut self.context()), "{name}");
            } else {
                let point = self.point(name);
                let touch = game.touch(point, &mut self.context());
                assert!(matches!(touch, Touch::Move(_)), "{name}: {touch:?}");
            }
        }
    }
}

fn drawn(rows: &str, turn: Side) -> (u8, u8, Diagram) {
    let lines: Vec<&str> = rows.split_whitespace().collect();
    let mut points = Packed::default();
    for (index, letter) in lines.concat().chars().enumerate() {
        points.set(Point(index as u8), Colour::from_letter(letter).unwrap());
    }
    (
        lines[0].len() as u8,
        lines.len() as u8,
        Diagram { points, turn },
    )
}

/// The game with this drawn position, if it is possible.
pub fn try_board(rows: &str, turn: Side) -> (TestedGame<u128>, Option<SpeedGo<u128>>) {
    let (columns, rows, position) = drawn(rows, turn);
    let mut table = TestedGame::new(columns, rows, 1);
    let game = SpeedGo::diagram(1, &position, &mut table.context());
    (table, game)
}

pub fn board(rows: &str, turn: Side) -> (TestedGame<u128>, SpeedGo<u128>) {
    let (table, game) = try_board(rows, turn);
    (table, game.expect("a possible position"))
}

/// The board's lights, its rows from the top.
fn rows(game: &SpeedGo<u128>, table: &TestedGame<u128>) -> String {
    let mut frame = Frame::default();
    game.paint(0, &mut Canvas::new(&table.ground, &mut frame, 0));
    let layout = table.ground.layout();
    let mut text = String::new();
    for point in layout.iter() {
        if point.0 > 0 && layout.column(point) == 0 {
            text.push(' ');
        }
        text.push(frame.points.get(point).letter());
    }
    text
}

fn touch(table: &mut TestedGame<u128>, game: &mut SpeedGo<u128>, name: &str) -> Touch {
    let before = game.clone();
    let point = table.point(name);
    let touch = game.touch(point, &mut table.context());
    if touch == Touch::Illegal {
        assert_eq!(*game, before, "an illegal touch changes nothing");
        assert!(!game.legal(&table.ground).has(point));
    }
    touch
}
