//! The rules, each with its sentence in the manual (Maldoo manual, 0. Reversi).

mod player;

use std::string::{String, ToString};
use std::vec::Vec;

use protocol::{Colour, Diagram, Event, Frame, Layout, Outcome, Packed, Point, Side};

use super::Reversi;
use crate::game::{Canvas, Context, EVENTS_OF_A_CALL, Game, Illegal, Rules, TimeOut, Touch};
use crate::ground::Ground;
use crate::rng::Rng;

/// A board to play on in a test.
struct TestedGame {
    ground: Ground<u64>,
    rng: Rng,
    events: heapless::Vec<Event, EVENTS_OF_A_CALL>,
}

impl TestedGame {
    fn new(columns: u8, rows: u8) -> TestedGame {
        TestedGame {
            ground: Ground::new(Layout::grid(columns, rows).unwrap()).unwrap(),
            rng: Rng::new(1),
            events: heapless::Vec::new(),
        }
    }

    fn context(&mut self) -> Context<'_, u64> {
        Context {
            ground: &self.ground,
            rng: &mut self.rng,
            now: 0,
            speed: 5,
            events: &mut self.events,
        }
    }

    fn start(&mut self, mode: u8) -> Reversi<u64> {
        Reversi::start(mode, &mut self.context()).unwrap()
    }

    /// The game with these rows on the board, from the top.
    fn game(rows: &[&str], mode: u8, turn: Side) -> (TestedGame, Reversi<u64>) {
        let mut table = TestedGame::new(rows[0].len() as u8, rows.len() as u8);
        let mut points = Packed::default();
        for (index, letter) in rows.concat().chars().enumerate() {
            points.set(Point(index as u8), Colour::from_letter(letter).unwrap());
        }
        let position = Diagram { points, turn };
        let game = Reversi::diagram(mode, &position, &mut table.context()).unwrap();
        (table, game)
    }

    fn point(&self, name: &str) -> Point {
        self.ground.layout().point(name).unwrap()
    }

    fn touch(&mut self, game: &mut Reversi<u64>, name: &str) -> Touch {
        let point = self.point(name);
        game.touch(point, &mut self.context())
    }

    /// The board's lights, one text per row.
    fn rows(&self, game: &Reversi<u64>) -> Vec<String> {
        let mut frame = Frame::default();
        game.paint(0, &mut Canvas::new(&self.ground, &mut frame, 0));
        let letters: Vec<char> = self
            .ground
            .layout()
            .iter()
            .map(|point| frame.points.get(point).letter())
            .collect();
        letters
            .chunks(self.ground.grid().columns())
            .map(|row| row.iter().collect())
            .collect()
    }

    fn legal(&self, game: &Reversi<u64>) -> Vec<String> {
        let layout = self.ground.layout();
        let mut names: Vec<String> = game
            .legal(&self.ground)
            .map(|point| layout.name(point).to_string())
            .collect();
        names.sort();
        names
    }
}

// Tests of the starting position.

#[test]
fn the_start_on_8x8_has_green_on_the_rising_diagonal() {
    for mode in 0..6 {
        let mut table = TestedGame::new(8, 8);
        let game = table.start(mode);
        assert_eq!(
            table.rows(&game),
            [
                "........", "........", "........", "...rg...", "...gr...", "........", "........",
                "........"
            ]
        );
        assert_eq!(game.turn(), Some(Side::Green));
        assert_eq!(game.score(&table.ground), [2, 2]);
    }
}

#[test]
fn on_an_odd_board_the_start_has_the_centre_at_its_lower_right() {
    let mut table = TestedGame::new(7, 7);
    let game = table.start(0);
    let rows = table.rows(&game);
    assert_eq!(rows[2..4], ["..rg...", "..gr..."]);
    assert_eq!(table.point("d4"), Point(24), "the centre of 7x7");
}

#[test]
fn every_board_from_2x2_on_can_be_played() {
    for (columns, rows) in [(1, 1), (1, 16), (16, 1)] {
        let mut table = TestedGame::new(columns, rows);
        assert!(Reversi::start(0, &mut table.context()).is_none());
    }
    for (columns, rows) in [(2, 2), (2, 16), (16, 2), (3, 3), (8, 7), (5, 12)] {
        for mode in 0..6 {
            let mut table = TestedGame::new(columns, rows);
            let game = table.start(mode);
            assert_eq!(game.score(&table.ground), [2, 2], "{columns}x{rows}");
            assert!(game.is_sound(&table.ground));
        }
    }
}

#[test]
fn there_is_no_mode_6() {
    let mut table = TestedGame::new(8, 8);
    assert!(Reversi::start(6, &mut table.context()).is_none());
    assert_eq!(<Reversi<u64> as Rules<u64>>::ABOUT.modes, 6);
}

// "... any of the other player's stones which are on a straight line between
// the new stone and another stone of the current player without gaps are
// caught, i.e. changes to the colour of the current player."

#[test]
fn stones_are_caught_in_all_eight_directions() {
    let (mut table, mut game) = TestedGame::game(
        &[
            "g..g..g", ".r.r.r.", "..rrr..", "grr.rrg", "..rrr..", ".r.r.r.", "g..g..g",
        ],
        0,
        Side::Green,
    );
    assert_eq!(table.touch(&mut game, "d4"), Touch::Move(16));
    assert_eq!(
        table.rows(&game),
        [
            "g..g..g", ".g.g.g.", "..ggg..", "ggggggg", "..ggg..", ".g.g.g.", "g..g..g"
        ]
    );
}

#[test]
fn a_line_with_a_gap_is_not_caught() {
    let (mut table, mut game) = TestedGame::game(&[".rr.rg", ".rg..."], 0, Side::Green);
    assert_eq!(table.touch(&mut game, "a2"), Touch::Illegal);
    assert_eq!(table.touch(&mut game, "a1"), Touch::Move(1));
    assert_eq!(table.rows(&game), [".rr.rg", "ggg..."]);
}

#[test]
fn a_catch_reaches_the_nearest_own_stone_and_not_past_it() {
    let (mut table, mut game) = TestedGame::game(&[".rgrg.", "......"], 0, Side::Green);
    assert_eq!(table.touch(&mut game, "a2"), Touch::Move(1));
    assert_eq!(table.rows(&game)[0], "gggrg.");
}

#[test]
fn caught_stones_catch_nothing_themselves() {
    // c3 turns green, and is then above the red c2 with the green c1 below it.
    let (mut table, mut game) = TestedGame::game(&[".rrg", "..r.", "..g."], 0, Side::Green);
    assert_eq!(table.touch(&mut game, "a3"), Touch::Move(2));
    assert_eq!(table.rows(&game), ["gggg", "..r.", "..g."]);
}

#[test]
fn lines_do_not_wrap_around_the_board() {
    // As numbers e2 and a1 are consecutive; on the board they are not neighbours.
    let (table, game) = TestedGame::game(&["...gr", "r...."], 0, Side::Green);
    assert_eq!(
        table.events.as_slice(),
        [Event::Passed { side: Side::Green }]
    );
    assert_eq!(table.legal(&game), ["c2"], "and that is a move of red");
}

// "By default, each new stone must catch at least one stone."

#[test]
fn a_stone_that_catches_nothing_is_refused() {
    let mut table = TestedGame::new(8, 8);
    let mut game = table.start(0);
    assert_eq!(table.legal(&game), ["c5", "d6", "e3", "f4"]);
    let before = game.clone();
    assert_eq!(table.touch(&mut game, "c4"), Touch::Illegal);
    assert_eq!(game, before);
}

#[test]
fn an_occupied_point_is_refused_in_every_mode() {
    for mode in 0..6 {
        let mut table = TestedGame::new(8, 8);
        let mut game = table.start(mode);
        let before = game.clone();
        for name in ["d4", "d5", "e4", "e5"] {
            assert_eq!(table.touch(&mut game, name), Touch::Illegal);
        }
        assert_eq!(game, before);
    }
}

#[test]
fn a_point_past_the_board_is_refused() {
    let mut table = TestedGame::new(7, 7);
    for mode in 0..6 {
        let mut game = table.start(mode);
        for point in 49..=255 {
            let touch = game.touch(Point(point), &mut table.context());
            assert_eq!(touch, Touch::Illegal);
        }
    }
}

#[test]
fn an_illegal_touch_makes_the_legal_points_flash() {
    let about = <Reversi<u64> as Rules<u64>>::ABOUT;
    assert_eq!(about.illegal, Illegal::FlashLegal);
}

// "The winner is the player with more stones in the end of the game."

#[test]
fn the_side_with_more_stones_wins() {
    // Nobody can catch, so the game is over as soon as it is set up.
    let (mut table, mut game) = TestedGame::game(&["g.r", "...", "ggr"], 0, Side::Red);
    assert_eq!(game.turn(), None);
    assert_eq!(game.outcome(), Some(Outcome::Won(Side::Green)));
    assert_eq!(game.score(&table.ground), [3, 2]);
    assert_eq!(table.legal(&game), Vec::<String>::new());
    assert_eq!(table.touch(&mut game, "b2"), Touch::Ignored);
}

#[test]
fn equal_numbers_of_stones_are_a_draw() {
    let (_, game) = TestedGame::game(&["g.r", "...", "g.r"], 0, Side::Red);
    assert_eq!(game.outcome(), Some(Outcome::Draw));
}

// "If a player does not have a legal move, the board passes the turn to the
// other player. When neither of the players have a move, the board finishes
// the game."

#[test]
fn a_player_without_a_legal_move_is_passed_over() {
    let (mut table, mut game) = TestedGame::game(&[".rg.rg", "......"], 0, Side::Green);
    assert_eq!(table.touch(&mut game, "a2"), Touch::Move(1));
    assert_eq!(table.rows(&game)[0], "ggg.rg");
    assert_eq!(
        game.turn(),
        Some(Side::Green),
        "red has nothing to catch from"
    );
    assert_eq!(table.legal(&game), ["d2"]);
    assert_eq!(table.events.as_slice(), [Event::Passed { side: Side::Red }]);
    assert_eq!(game.outcome(), None);

    assert_eq!(table.touch(&mut game, "d2"), Touch::Move(1));
    assert_eq!(game.outcome(), Some(Outcome::Won(Side::Green)));
    assert_eq!(table.events.len(), 1, "the end of the game is not a pass");
}

#[test]
fn a_position_skips_a_side_to_move_without_moves() {
    let (table, game) = TestedGame::game(&["ggg.rg", "......"], 0, Side::Red);
    assert_eq!(game.turn(), Some(Side::Green));
    assert_eq!(table.events.as_slice(), [Event::Passed { side: Side::Red }]);
    assert!(game.is_sound(&table.ground));
}

#[test]
fn a_player_with_a_move_cannot_pass() {
    for mode in 0..6 {
        let mut table = TestedGame::new(8, 8);
        let mut game = table.start(mode);
        let before = game.clone();
        assert!(!game.pass(&mut table.context()));
        assert_eq!(game, before);
    }
}

// "If a player has a legal but doesn't play, the board selects a random move
// and plays it."

#[test]
fn a_time_out_makes_a_random_move() {
    let about = <Reversi<u64> as Rules<u64>>::ABOUT;
    assert_eq!(about.time_out, TimeOut::RandomMove);
}

// "In the odd modes (1,3,5), stones of the other player's which are on a
// straight continuous line between the new stone and the end of the board also
// change their."

#[test]
fn in_odd_modes_a_line_up_to_the_end_of_the_board_is_caught() {
    let rows = ["......", "g..rrr", "......", "......"];
    for mode in [1, 3, 5] {
        let (mut table, mut game) = TestedGame::game(&rows, mode, Side::Green);
        assert_eq!(table.touch(&mut game, "c3"), Touch::Move(3), "mode {mode}");
        assert_eq!(table.rows(&game)[1], "g.gggg");
    }
    for mode in [2, 4] {
        let (mut table, mut game) = TestedGame::game(&rows, mode, Side::Green);
        assert_eq!(table.touch(&mut game, "c3"), Touch::Move(0), "mode {mode}");
        assert_eq!(table.rows(&game)[1], "g.grrr");
    }
    let (_, game) = TestedGame::game(&rows, 0, Side::Green);
    assert_eq!(game.turn(), None, "in mode 0 nobody can catch there");
}

#[test]
fn in_odd_modes_the_edge_catches_in_all_eight_directions() {
    let rows = [
        "r..r..r", ".r.r.r.", "..rrr..", "rrr.rrr", "..rrr..", ".r.r.r.", "r..r..r",
    ];
    let (mut table, mut game) = TestedGame::game(&rows, 1, Side::Green);
    assert_eq!(table.touch(&mut game, "d4"), Touch::Move(24));
    assert_eq!(game.score(&table.ground), [25, 0]);
    assert_eq!(
        game.turn(),
        Some(Side::Red),
        "who has no stone can still catch"
    );
}

#[test]
fn in_odd_modes_a_gap_before_the_edge_prevents_a_catch() {
    let (mut table, mut game) = TestedGame::game(&[".rr.r.", "r....."], 5, Side::Green);
    assert_eq!(table.touch(&mut game, "a2"), Touch::Move(1));
    assert_eq!(table.rows(&game), ["grr.r.", "g....."]);
}

#[test]
fn in_odd_modes_an_own_stone_ends_the_line_before_the_edge() {
    let (mut table, mut game) = TestedGame::game(&[".rrgrr", "......"], 1, Side::Green);
    assert_eq!(table.touch(&mut game, "a2"), Touch::Move(2));
    assert_eq!(table.rows(&game)[0], "ggggrr");
}

#[test]
fn in_odd_modes_a_line_along_the_edge_runs_up_to_the_corner() {
    let (mut table, mut game) = TestedGame::game(&["...rr", ".....", "....."], 1, Side::Green);
    assert_eq!(table.touch(&mut game, "c3"), Touch::Move(2));
    assert_eq!(
        table.rows(&game)[0],
        "..ggg",
        "the corner too: no stone is safe"
    );
}

#[test]
fn in_mode_1_a_catch_by_the_edge_alone_makes_a_move_legal() {
    let (_, game) = TestedGame::game(&["....", "..r.", "...."], 1, Side::Green);
    assert_eq!(
        game.turn(),
        None,
        "no line runs from a stone inside to the end"
    );
    let (table, game) = TestedGame::game(&["..r.", "....", "...."], 1, Side::Green);
    assert_eq!(table.legal(&game), ["b2", "c2", "d2"]);
}

// "The mode also affects which moves are legal: 0,1 - only moves that catch at
// least one points are legal. 2,3 - any move that is a neighbour of an
// illuminated point is legal. 4,5 - any move is legal."

#[test]
fn in_modes_2_and_3_any_neighbour_of_any_stone_is_legal() {
    for mode in [2, 3] {
        let (table, game) = TestedGame::game(&["g....", ".....", "....r"], mode, Side::Green);
        assert_eq!(table.legal(&game), ["a2", "b2", "b3", "d1", "d2", "e2"]);
    }
}

#[test]
fn in_modes_2_and_3_a_board_without_a_stone_is_over() {
    for mode in [2, 3] {
        let (_, game) = TestedGame::game(&["...", "..."], mode, Side::Green);
        assert_eq!(game.outcome(), Some(Outcome::Draw));
    }
}

#[test]
fn in_modes_4_and_5_any_empty_point_is_legal() {
    for mode in [4, 5] {
        let (table, game) = TestedGame::game(&["gr..", "...r"], mode, Side::Red);
        assert_eq!(table.legal(&game), ["a1", "b1", "c1", "c2", "d2"]);
    }
}

#[test]
fn in_modes_2_to_5_a_stone_may_catch_nothing() {
    for mode in 2..6 {
        let mut table = TestedGame::new(8, 8);
        let mut game = table.start(mode);
        assert_eq!(table.touch(&mut game, "f6"), Touch::Move(0), "mode {mode}");
        assert_eq!(game.score(&table.ground), [3, 2]);
        assert_eq!(game.turn(), Some(Side::Red));
    }
}

#[test]
fn in_modes_2_to_5_catchable_stones_are_caught() {
    for mode in 2..6 {
        let mut table = TestedGame::new(8, 8);
        let mut game = table.start(mode);
        assert_eq!(table.touch(&mut game, "c4"), Touch::Move(0), "mode {mode}");
        let mut game = table.start(mode);
        assert_eq!(table.touch(&mut game, "d6"), Touch::Move(1), "mode {mode}");
    }
}

#[test]
fn in_modes_2_to_5_the_game_ends_with_a_full_board() {
    for mode in 2..6 {
        let mut table = TestedGame::new(5, 4);
        let mut game = table.start(mode);
        while let Some(side) = game.turn() {
            let point = game.legal(&table.ground).first().unwrap();
            assert!(matches!(
                game.touch(point, &mut table.context()),
                Touch::Move(_)
            ));
            assert_eq!(
                game.turn().unwrap_or(side.other()),
                side.other(),
                "mode {mode}"
            );
        }
        let [green, red] = game.score(&table.ground);
        assert_eq!(green + red, 20);
        assert!(table.events.is_empty());
    }
}
