//! A game on a whole board, with fingers on its points.

use std::vec::Vec as StdVec;

use protocol::{Colour, Deed, Diagram, Event, Input, Layout, Point, Settings, Side, Tick};

use super::rows_to_points;
use crate::board::Board;

/// A whole board with this game and position on it, and its events.
pub struct Whole {
    pub board: Board<u128>,
    pub events: StdVec<(Tick, Event)>,
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
            .carry_out(&Deed::Settings(settings), &mut |_, _| {})
            .expect("settings of the table");
        let points = rows_to_points(Layout::MALDOO, rows);
        board
            .carry_out(
                &Deed::Position(Diagram { points, turn }.into()),
                &mut |_, _| {},
            )
            .expect("a position of the game");
        Whole {
            board,
            events: StdVec::new(),
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
        self.board.frame().seen(point, self.board.tick())
    }
}
