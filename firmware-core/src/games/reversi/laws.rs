//! The kernel and the game are compared with slow, simple implementations, on boards of
//! every size, in every mode, with all three words.

use std::vec::Vec;

use law::{Judged, Ruling, Weight, law};
use proptest::prelude::*;
use protocol::{Event, Layout, Point, Side};

use super::count::perft;
use super::kernel::{Bitboards, EdgeRule, Kernel, LegalRule, POINTS, Rule};
use super::{MODES, Reversi};
use crate::game::{Context, Game, Rules, Touch};
use crate::games::testing;
use crate::grid::{Direction, Grid};
use crate::ground::Ground;
use crate::points::Points;
use crate::rng::Rng;
use crate::table::Table;
use crate::word::{Wide, Word};

testing::laws!(Reversi, testing::in_turns);

/// The contents of a point: nothing, a stone of the side to move, or one of its opponent.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Cell {
    Empty,
    Own,
    Other,
}

/// The stones that a new stone catches, found point by point.
fn walk<W: Word>(grid: &Grid<W>, edge: EdgeRule, cells: &[Cell], from: Point) -> Vec<Point> {
    let mut caught = Vec::new();
    for direction in Direction::ALL {
        let (columns, rows) = direction.step();
        let mut line = Vec::new();
        let mut at = grid.offset(from, columns, rows);
        let held = loop {
            match at.map(|point| (point, cells[point.index()])) {
                None => break edge == EdgeRule::Catches,
                Some((_, Cell::Empty)) => break false,
                Some((_, Cell::Own)) => break true,
                Some((point, Cell::Other)) => {
                    line.push(point);
                    at = grid.offset(point, columns, rows);
                }
            }
        };
        if held {
            caught.extend(line);
        }
    }
    caught
}

/// The legal points, tested one by one.
fn points_of<W: Word>(grid: &Grid<W>, rule: Rule, cells: &[Cell]) -> Vec<Point> {
    let near = |point| {
        Direction::ALL.into_iter().any(|direction| {
            let (columns, rows) = direction.step();
            grid.offset(point, columns, rows)
                .is_some_and(|near| cells[near.index()] != Cell::Empty)
        })
    };
    grid.sides()
        .iter()
        .filter(|point| cells[point.index()] == Cell::Empty)
        .filter(|point| match rule.legal {
            LegalRule::Catch => !walk(grid, rule.edge, cells, *point).is_empty(),
            LegalRule::Neighbour => near(*point),
            LegalRule::Any => true,
        })
        .collect()
}

fn check<W: Word>(layout: Layout, rule: Rule, cells: &[Cell]) -> Ruling {
    let Some(grid) = Grid::<W>::new(layout) else {
        return Ok(Judged::Nothing);
    };
    let cells = &cells[..layout.points()];
    let of = |cell| -> Points<W> {
        layout
            .iter()
            .filter(|point| cells[point.index()] == cell)
            .collect()
    };
    let view = Bitboards {
        own: of(Cell::Own),
        other: of(Cell::Other),
    };
    let kernel = Kernel::new(&grid, rule);
    prop_assert_eq!(kernel.empty(view), of(Cell::Empty));
    prop_assert_eq!(
        kernel.legal(view).collect::<Vec<_>>(),
        points_of(&grid, rule, cells)
    );
    let mut each = [Points::NONE; POINTS];
    prop_assert_eq!(kernel.catches_each(view, &mut each), kernel.catches(view));
    let turned = view.turned();
    let legal = [view, turned].map(|view| points_of(&grid, rule, &seen(view, layout)).len());
    prop_assert_eq!(
        kernel.replies(&[view.own, turned.own], &[view.other, turned.other]),
        legal.map(|many| many.max(1) as u64).iter().sum::<u64>()
    );
    for point in kernel.empty(view) {
        let caught: Points<W> = walk(&grid, rule.edge, cells, point).into_iter().collect();
        let stone = Points::one(point);
        prop_assert_eq!(kernel.caught(view, stone), caught);
        prop_assert_eq!(each[point.index()], caught);
        prop_assert_eq!(kernel.catches(view).has(point), !caught.is_empty());
        let after = view.after(stone, caught);
        prop_assert_eq!(after.own, view.other.without(caught));
        prop_assert_eq!(after.other, view.own | caught | stone);
    }
    Ok(Judged::if_any(!kernel.catches(view).is_empty()))
}

/// The position from the point of view of the side to move, point by point.
fn seen<W: Word>(view: Bitboards<W>, layout: Layout) -> Vec<Cell> {
    let cell = |point| match (view.own.has(point), view.other.has(point)) {
        (true, _) => Cell::Own,
        (_, true) => Cell::Other,
        _ => Cell::Empty,
    };
    layout.iter().map(cell).collect()
}

/// [`perft`] move by move, including the last ply.
fn lines<W: Word>(kernel: &Kernel<W>, view: Bitboards<W>, depth: u8) -> u64 {
    if depth == 0 {
        return 1;
    }
    let (legal, turned) = (kernel.legal(view), view.turned());
    if legal.is_empty() {
        return match kernel.legal(turned).is_empty() {
            true => 1,
            false => lines(kernel, turned, depth - 1),
        };
    }
    let after = |point| {
        let stone = Points::one(point);
        view.after(stone, kernel.caught(view, stone))
    };
    legal
        .map(|point| lines(kernel, after(point), depth - 1))
        .sum()
}

#[test]
fn perft_equals_a_full_walk_in_every_mode() {
    let rules = [EdgeRule::Open, EdgeRule::Catches].map(|edge| {
        [LegalRule::Catch, LegalRule::Neighbour, LegalRule::Any].map(|legal| Rule { edge, legal })
    });
    let rules: Vec<Rule> = rules.concat();
    let boards = prop_oneof![Just((8_u8, 8_u8)), (2..6_u8, 2..6_u8),];
    let cases = (boards, prop::sample::select(rules), cells(2), 0..4_u8);
    law(
        Weight::of(200, 45),
        cases,
        |((columns, rows), rule, cells, depth)| {
            let layout = Layout::grid(columns, rows).unwrap();
            let grid = Grid::<u64>::new(layout).unwrap();
            let of = |cell| -> Points<u64> {
                let points = layout.iter();
                points
                    .filter(|point| cells[point.index()] == cell)
                    .collect()
            };
            let view = Bitboards {
                own: of(Cell::Own),
                other: of(Cell::Other),
            };
            let kernel = Kernel::new(&grid, rule);
            let walked = lines(&kernel, view, depth);
            prop_assert_eq!(perft(&kernel, view, depth), walked);
            Ok(Judged::if_any(walked > 1))
        },
    );
}

fn cells(emptiness: u32) -> impl Strategy<Value = Vec<Cell>> {
    let cell = prop_oneof![
        emptiness => Just(Cell::Empty),
        3 => Just(Cell::Own),
        6 => Just(Cell::Other),
    ];
    prop::collection::vec(cell, 256)
}

/// Boards of every size; half of them have code of their own.
fn layouts() -> impl Strategy<Value = Layout> {
    prop_oneof![
        Just(Layout::grid(8, 8).unwrap()),
        Just(Layout::grid(9, 9).unwrap()),
        (1u8..=8, 1u8..=8).prop_map(|(columns, rows)| Layout::grid(columns, rows).unwrap()),
        (1u8..=16, 1u8..=16).prop_map(|(columns, rows)| Layout::grid(columns, rows).unwrap()),
    ]
}

/// Plays a game with these random numbers, and checks the laws in each state.
fn play<W: Word>(layout: Layout, mode: u8, draws: &[u32]) -> Ruling {
    let Some(ground) = Ground::<W>::new(layout) else {
        return Ok(Judged::Nothing);
    };
    let mut rng = Rng::new(3);
    let mut events = heapless::Vec::new();
    let mut context = Context {
        ground: &ground,
        rng: &mut rng,
        now: 0,
        speed: 5,
        events: &mut events,
    };
    let Some(mut game) = Reversi::<W>::start(mode, &mut context) else {
        prop_assert!(layout.columns() < 2 || layout.rows() < 2);
        return Ok(Judged::Nothing);
    };
    for draw in draws {
        prop_assert!(game.is_sound(&ground));
        let legal = game.legal(&ground);
        prop_assert_eq!(game.turn().is_none(), legal.is_empty());
        prop_assert_eq!(game.outcome().is_some(), game.turn().is_none());
        for index in 0..=255 {
            let mut tried = game.clone();
            context.events.clear();
            let touch = tried.touch(Point(index), &mut context);
            let moved = matches!(touch, Touch::Move(_));
            prop_assert_eq!(moved, legal.has(Point(index)));
            prop_assert!(moved || tried == game);
        }
        context.events.clear();
        let Some(side) = game.turn() else { break };
        let [green, red] = game.score(&ground);
        let point = legal.nth(*draw as usize % legal.len()).unwrap();
        let Touch::Move(changed) = game.touch(point, &mut context) else {
            return Err(TestCaseError::fail("a legal point was refused"));
        };
        let score = game.score(&ground);
        prop_assert_eq!(green + red + 1, score[0] + score[1]);
        let before = [green, red][side.index()];
        prop_assert_eq!(before + 1 + u32::from(changed), score[side.index()]);
        let passed = context
            .events
            .contains(&Event::Passed { side: side.other() });
        prop_assert_eq!(passed, game.turn() == Some(side));
    }
    let [green, red] = game.score(&ground);
    Ok(Judged::if_any(green + red > 4))
}

#[test]
fn the_kernel_agrees_with_a_walk_from_point_to_point() {
    let like = (layouts(), 0..MODES.len(), prop_oneof![cells(1), cells(9)]);
    law(Weight::of(256, 70), like, |(layout, mode, cells)| {
        check::<u64>(layout, MODES[mode], &cells)?;
        check::<u128>(layout, MODES[mode], &cells)?;
        check::<Wide>(layout, MODES[mode], &cells)
    });
}

#[test]
fn every_state_of_a_game_keeps_the_laws() {
    let like = (layouts(), 0..6u8, prop::collection::vec(any::<u32>(), 40));
    law(Weight::of(256, 75), like, |(layout, mode, draws)| {
        play::<u64>(layout, mode, &draws)?;
        play::<u128>(layout, mode, &draws)?;
        play::<Wide>(layout, mode, &draws)
    });
}

/// The start on a board in mode 0.
fn start<W: Word>(columns: u8, rows: u8, mode: u8) -> (Ground<W>, Reversi<W>) {
    let table = Table::new(Layout::grid(columns, rows).unwrap(), 5).unwrap();
    let game = table.with(&mut Rng::new(1), |context| Reversi::start(mode, context));
    (table.ground, game.unwrap())
}

#[test]
fn perft_on_8x8_gives_the_known_othello_numbers() {
    let known = [
        1, 4, 12, 56, 244, 1396, 8200, 55_092, 390_216, 3_005_288, 24_571_284,
    ];
    let (grid, game) = start::<u64>(8, 8, 0);
    for (depth, count) in known.into_iter().enumerate() {
        assert_eq!(game.perft(grid.grid(), depth as u8), count, "depth {depth}");
    }
}

#[test]
fn a_pass_counts_as_a_move_of_perft() {
    let (ground, game) = start::<u64>(4, 4, 0);
    let point = |name| ground.layout().point(name).unwrap();
    // A stone in the corner is never caught: green passes, and then red has two moves.
    let view = Bitboards {
        own: ["b4", "a3"].into_iter().map(point).collect(),
        other: Points::one(point("a4")),
    };
    let kernel = game.kernel(ground.grid());
    let counts = [0, 1, 2].map(|depth| perft(&kernel, view, depth));
    assert_eq!(counts, [1, 1, 2]);
}

#[test]
fn perft_is_the_same_in_every_word() {
    for mode in 0..6 {
        let depth = if mode < 2 { 6 } else { 3 };
        for (columns, rows) in [(4, 4), (8, 8), (5, 7)] {
            let (grid, game) = start::<u64>(columns, rows, mode);
            let count = game.perft(grid.grid(), depth);
            let (grid, game) = start::<u128>(columns, rows, mode);
            assert_eq!(game.perft(grid.grid(), depth), count);
            let (grid, game) = start::<Wide>(columns, rows, mode);
            assert_eq!(game.perft(grid.grid(), depth), count);
        }
    }
}

#[test]
fn perft_on_4x4_counts_all_games_to_the_end() {
    // There are 12 empty points, and even with passes no game is longer than 24 moves;
    // from that depth on, the number of lines does not change.
    let (grid, game) = start::<u64>(4, 4, 0);
    let games = game.perft(grid.grid(), 24);
    assert_eq!(games, game.perft(grid.grid(), 25));
    assert_eq!(games, 60_060);
}

#[test]
fn a_playout_ends_as_a_game_by_touches_does() {
    for mode in 0..6 {
        let (ground, mut game) = start::<u64>(6, 5, mode);
        let count = game.playout(ground.grid(), &mut Rng::new(9));
        let mut rng = Rng::new(9);
        let mut drawn = Rng::new(9);
        while game.turn().is_some() {
            let point = drawn.pick(game.legal(&ground)).unwrap();
            let mut events = heapless::Vec::new();
            let mut context = Context {
                ground: &ground,
                rng: &mut rng,
                now: 0,
                speed: 5,
                events: &mut events,
            };
            assert!(matches!(game.touch(point, &mut context), Touch::Move(_)));
            if events.contains(&Event::Passed { side: Side::Green })
                || events.contains(&Event::Passed { side: Side::Red })
            {
                // A playout also draws a random number for a side without a move.
                drawn.next();
            }
        }
        assert_eq!(game.score(&ground), count.map(u32::from), "mode {mode}");
    }
}

/// Lines of stones of maximum length are caught in every direction from every point with
/// enough room. The compiled shapes of square boards are only used for square boards.
fn long_lines_are_caught<W: Word>(layout: Layout) {
    let Some(grid) = Grid::<W>::new(layout) else {
        return;
    };
    let rule = Rule {
        edge: EdgeRule::Open,
        legal: LegalRule::Catch,
    };
    let kernel = Kernel::new(&grid, rule);
    for stone in layout.iter() {
        for direction in Direction::ALL {
            let (columns, rows) = direction.step();
            let next = |point: &Point| grid.offset(*point, columns, rows);
            let mut line: Vec<Point> = std::iter::successors(next(&stone), next).collect();
            let Some(own) = line.pop().filter(|_| !line.is_empty()) else {
                continue;
            };
            let other: Points<W> = line.into_iter().collect();
            let view = Bitboards {
                own: Points::one(own),
                other,
            };
            let stone = Points::one(stone);
            assert!(kernel.legal(view).has(stone.first().unwrap()), "{layout}");
            assert_eq!(kernel.caught(view, stone), other, "{layout} {direction:?}");
            let view = Bitboards {
                own: other | view.own,
                other: Points::NONE,
            };
            assert_eq!(kernel.caught(view, stone), Points::NONE);
        }
    }
}

#[test]
fn the_longest_lines_are_caught_on_boards_of_every_shape() {
    for (columns, rows) in [
        (8, 8),
        (8, 5),
        (5, 8),
        (9, 9),
        (9, 14),
        (14, 9),
        (9, 10),
        (8, 16),
        (16, 8),
    ] {
        let layout = Layout::grid(columns, rows).unwrap();
        long_lines_are_caught::<u64>(layout);
        long_lines_are_caught::<u128>(layout);
        long_lines_are_caught::<Wide>(layout);
    }
    long_lines_are_caught::<Wide>(Layout::grid(16, 16).unwrap());
}

/// The stones along the border that are joined to an own corner, found point by point.
fn joined<W: Word>(grid: &Grid<W>, own: Points<W>, corners: &[Point]) -> Points<W> {
    let mut found = Points::NONE;
    for corner in corners.iter().filter(|corner| own.has(**corner)) {
        for direction in Direction::STRAIGHT {
            let (columns, rows) = direction.step();
            let next = |point: &Point| grid.offset(*point, columns, rows);
            let line = std::iter::successors(next(corner), next);
            let stones = line.take_while(|point| own.has(*point));
            found |= stones.filter(|point| !corners.contains(point)).collect();
        }
    }
    found
}

#[test]
fn anchored_stones_are_border_stones_joined_to_an_own_corner() {
    let boards = (
        3..=16_u8,
        3..=16_u8,
        proptest::collection::vec(0..4_u8, 256),
        any::<u8>(),
    );
    law(
        Weight::of(256, 70),
        boards,
        |(columns, rows, stones, corner)| {
            let layout = Layout::grid(columns, rows).unwrap();
            let grid: Grid<Wide> = Grid::new(layout).unwrap();
            let corner_at = |column, row| layout.at(column, row).unwrap();
            let corners = [
                corner_at(0, 0),
                corner_at(columns - 1, 0),
                corner_at(0, rows - 1),
                corner_at(columns - 1, rows - 1),
            ];
            let is_own = |point: &Point| stones[point.index()] > 0;
            let mut own: Points<Wide> = layout.iter().filter(is_own).collect();
            own.insert(corners[usize::from(corner % 4)]);
            let rule = Rule {
                edge: EdgeRule::Open,
                legal: LegalRule::Catch,
            };
            let all: Points<Wide> = corners.into_iter().collect();
            let expected = joined(&grid, own, &corners);
            prop_assert_eq!(Kernel::new(&grid, rule).anchored(own, all), expected);
            Ok(Judged::if_any(!expected.is_empty()))
        },
    );
}
