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

/// A table with a board on it.
pub struct Table<W: Word> {
    pub ground: Ground<W>,
    pub rng: Rng,
    pub events: Bounded<Event, 8>,
}

impl<W: Word> Table<W> {
    pub fn new(columns: u8, rows: u8, seed: u64) -> Table<W> {
        Table {
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
pub fn try_board(rows: &str, turn: Side) -> (Table<u128>, Option<SpeedGo<u128>>) {
    let (columns, rows, position) = drawn(rows, turn);
    let mut table = Table::new(columns, rows, 1);
    let game = SpeedGo::diagram(1, &position, &mut table.context());
    (table, game)
}

pub fn board(rows: &str, turn: Side) -> (Table<u128>, SpeedGo<u128>) {
    let (table, game) = try_board(rows, turn);
    (table, game.expect("a possible position"))
}

/// The board's lights, its rows from the top.
fn rows(game: &SpeedGo<u128>, table: &Table<u128>) -> String {
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

fn touch(table: &mut Table<u128>, game: &mut SpeedGo<u128>, name: &str) -> Touch {
    let before = game.clone();
    let point = table.point(name);
    let touch = game.touch(point, &mut table.context());
    if touch == Touch::Illegal {
        assert_eq!(*game, before, "an illegal touch changes nothing");
        assert!(!game.legal(&table.ground).has(point));
    }
    touch
}

// Tests of the starting position.

#[test]
fn mode_1_starts_with_an_empty_board_and_green() {
    let mut table = Table::<u128>::new(9, 9, 7);
    let game = SpeedGo::start(1, &mut table.context()).unwrap();
    assert!(game.stones().all().is_empty());
    assert_eq!(game.turn(), Some(Side::Green));
    assert_eq!(game.legal(&table.ground), table.ground.all());
    assert_eq!(game.score(&table.ground), [0, 0]);
}

fn starts_are_fair<W: Word>(columns: u8, rows: u8, mode: u8, stones_each: usize) {
    for seed in 0..200 {
        let mut table = Table::<W>::new(columns, rows, seed);
        let game = SpeedGo::start(mode, &mut table.context()).unwrap();
        let stones = game.stones();
        assert!(stones.is_sound(table.ground.grid()));
        let last = (table.ground.layout().points() - 1) as u8;
        let image = |set: Points<W>| set.map(|p| Point(last - p.0)).collect::<Points<W>>();
        for side in Side::BOTH {
            assert_eq!(stones.of(side).len(), stones_each);
            assert_eq!(image(stones.of(side)), stones.of(side.other()));
        }
        assert!(game.outcome().is_none());
    }
}

#[test]
fn mode_0_starts_with_18_mirrored_points_of_each_colour() {
    starts_are_fair::<u128>(9, 9, 0, 18);
    starts_are_fair::<u64>(8, 8, 0, 18);
    starts_are_fair::<Wide>(16, 16, 0, 18);
}

#[test]
fn mode_2_starts_with_9_mirrored_points_of_each_colour() {
    starts_are_fair::<u128>(9, 9, 2, 9);
    starts_are_fair::<u64>(6, 5, 2, 9);
    starts_are_fair::<u64>(2, 16, 2, 9);
    starts_are_fair::<Wide>(13, 13, 2, 9);
}

#[test]
fn on_a_9x9_board_no_stone_can_be_taken_by_the_first_move() {
    for (mode, seed) in [0, 2]
        .into_iter()
        .flat_map(|mode| (0..300).map(move |seed| (mode, seed)))
    {
        let mut table = Table::<u128>::new(9, 9, seed);
        let game = SpeedGo::start(mode, &mut table.context()).unwrap();
        for point in game.legal(&table.ground) {
            let (_, caught) = game
                .stones()
                .place(table.ground.grid(), Side::Green, point)
                .unwrap();
            assert!(caught.is_empty());
        }
    }
}

/// `RULES.md`, about the start: no group has only one liberty; two are enough, even if no
/// stone of the group has both.
#[test]
fn two_liberties_are_enough_for_a_group_of_a_start() {
    let has_a_narrow_group = |seed| {
        let mut table = Table::<u128>::new(9, 9, seed);
        let game = SpeedGo::start(0, &mut table.context()).unwrap();
        let (grid, stones) = (table.ground.grid(), game.stones());
        let liberties = |of| stones.liberties(grid, of).len();
        stones.all().any(|point| {
            let mut group = stones.group(grid, point);
            liberties(group) == 2 && group.all(|stone| liberties(Points::one(stone)) < 2)
        })
    };
    assert!((0..200).any(has_a_narrow_group));
}

#[test]
fn starts_differ_from_game_to_game() {
    let mut table = Table::<u128>::new(9, 9, 7);
    let first = SpeedGo::start(0, &mut table.context()).unwrap();
    let second = SpeedGo::start(0, &mut table.context()).unwrap();
    assert_ne!(first.stones(), second.stones());
}

#[test]
fn exactly_the_boards_with_enough_points_start() {
    for (columns, rows) in (1..=16).flat_map(|c| (1..=16).map(move |r| (c, r))) {
        let points = usize::from(columns) * usize::from(rows);
        for (mode, least) in [(0, 54), (1, 4), (2, 27)] {
            let wide = columns >= 2 && rows >= 2 && points >= least;
            for seed in 0..3 {
                let mut table = Table::<Wide>::new(columns, rows, seed);
                let game = SpeedGo::start(mode, &mut table.context());
                assert_eq!(
                    game.is_some(),
                    wide,
                    "{columns}x{rows} mode {mode} seed {seed}"
                );
            }
        }
    }
    let mut table = Table::<u128>::new(9, 9, 0);
    assert!(SpeedGo::start(3, &mut table.context()).is_none());
}

// Tests of legal positions.

fn legal_positions(side: u8) -> usize {
    let points = u32::from(side) * u32::from(side);
    (0..3_u32.pow(points))
        .filter(|number| {
            let mut stones = Stones::<u64>::default();
            let mut rest = *number;
            for index in 0..points {
                if let colour @ 1..=2 = rest % 3 {
                    stones.0[colour as usize - 1].insert(Point(index as u8));
                }
                rest /= 3;
            }
            stones.is_sound(Table::new(side, side, 0).ground.grid())
        })
        .count()
}

#[test]
fn a_2x2_board_has_57_legal_positions_and_a_3x3_board_12675() {
    // OEIS A094777 (John Tromp, Gunnar Farneback: Combinatorics of Go).
    assert_eq!(legal_positions(2), 57);
    assert_eq!(legal_positions(3), 12_675);
}

#[test]
fn a_position_with_a_group_that_has_no_liberty_is_refused() {
    assert!(try_board("gr. r.. ...", Side::Green).1.is_none());
    assert!(try_board("gr. .r. ...", Side::Green).1.is_some());
    assert!(try_board("gg gg", Side::Green).1.is_none());
}

#[test]
fn a_position_keeps_its_stones_and_its_turn() {
    let (table, game) = board("g.r .g. r..", Side::Red);
    assert_eq!(game.turn(), Some(Side::Red));
    assert_eq!(rows(&game, &table), "g.r .g. r..");
}

/// `RULES.md`, boards that are too small: a side of one point is refused.
#[test]
fn a_position_on_a_board_with_a_side_of_one_point_is_refused() {
    for narrow in ["g.r.", "g . r ."] {
        assert!(try_board(narrow, Side::Green).1.is_none(), "{narrow}");
    }
    assert!(try_board("g. .r", Side::Green).1.is_some());
}

/// "The mode determine the number of points on startup": there are three.
#[test]
fn a_position_of_an_unknown_mode_is_refused() {
    let (columns, rows, position) = drawn("g.. .r. ...", Side::Green);
    for (mode, is_one) in [(2, true), (3, false), (4, false)] {
        let mut table = Table::<u128>::new(columns, rows, 1);
        let game = SpeedGo::diagram(mode, &position, &mut table.context());
        assert_eq!(game.is_some(), is_one, "mode {mode}");
    }
}

#[test]
fn a_position_with_another_colour_is_refused() {
    assert!(try_board("ga. ... ...", Side::Green).1.is_none());
}

// Tests of moves and captures.

#[test]
fn a_group_without_a_liberty_is_switched_off() {
    let (mut table, mut game) = board(".r.. rgr. .... ....", Side::Red);
    assert_eq!(touch(&mut table, &mut game, "b2"), Touch::Move(1));
    assert_eq!(rows(&game, &table), ".r.. r.r. .r.. ....");
}

#[test]
fn one_stone_captures_several_groups() {
    let (mut table, mut game) = board("..r.. .rgr. rg.gr .rgr. ..r..", Side::Red);
    assert_eq!(touch(&mut table, &mut game, "c3"), Touch::Move(4));
    assert_eq!(rows(&game, &table), "..r.. .r.r. r.r.r .r.r. ..r..");
}

#[test]
fn a_single_stone_without_a_liberty_is_refused() {
    let (mut table, mut game) = board(".r.. r... .... ....", Side::Green);
    assert_eq!(touch(&mut table, &mut game, "a4"), Touch::Illegal);
}

#[test]
fn the_last_liberty_of_an_own_group_is_refused() {
    let (mut table, mut game) = board("g.r. grr. r... ....", Side::Green);
    assert_eq!(touch(&mut table, &mut game, "b4"), Touch::Illegal);
}

#[test]
fn the_last_liberty_may_be_filled_to_capture() {
    // Both groups have b4 as their only liberty: the side that plays there captures.
    let (mut table, mut game) = board("g.rg grrg rggg ....", Side::Green);
    assert_eq!(touch(&mut table, &mut game, "b4"), Touch::Move(3));
    assert_eq!(rows(&game, &table), "gg.g g..g rggg ....");
}

/// On the largest board the number of a point takes all values of a byte; the first does
/// not follow the last.
#[test]
fn opposite_corners_of_the_largest_board_are_no_neighbours() {
    let table = Table::<Wide>::new(16, 16, 0);
    let stones = Stones([table.points("a16"), table.points("a2 b1")]);
    let (grid, corner) = (table.ground.grid(), table.point("a1"));
    assert_eq!(stones.place(grid, Side::Green, corner), None);
    assert!(!stones.moves(grid, Side::Green).has(corner));
}

#[test]
fn an_occupied_point_is_refused() {
    let (mut table, mut game) = board("g.. .r. ...", Side::Green);
    assert_eq!(touch(&mut table, &mut game, "a3"), Touch::Illegal);
    assert_eq!(touch(&mut table, &mut game, "b2"), Touch::Illegal);
}

#[test]
fn a_point_that_is_not_on_the_board_is_refused() {
    let (mut table, mut game) = board("g.. .r. ...", Side::Green);
    let before = game.clone();
    for index in 9..=255 {
        assert_eq!(
            game.touch(Point(index), &mut table.context()),
            Touch::Illegal
        );
    }
    assert_eq!(game, before);
}

/// Green captures at c3; red could recapture at b3.
const KO: &str = ".gr.. gr.r. .gr.. ..... .....";

#[test]
fn the_ko_may_not_be_retaken_at_once() {
    let (mut table, mut game) = board(KO, Side::Green);
    assert_eq!(touch(&mut table, &mut game, "c4"), Touch::Move(1));
    assert_eq!(rows(&game, &table), ".gr.. g.gr. .gr.. ..... .....");
    assert_eq!(game.ko(table.ground.grid()), Some(table.point("b4")));
    assert_eq!(touch(&mut table, &mut game, "b4"), Touch::Illegal);
    table.play(&mut game, "e1 a1 b4");
    assert_eq!(rows(&game, &table), ".gr.. gr.r. .gr.. ..... g...r");
}

#[test]
fn the_ko_may_be_retaken_after_a_move_elsewhere() {
    let (mut table, mut game) = board(KO, Side::Green);
    table.play(&mut game, "c4 e1 e2");
    assert_eq!(touch(&mut table, &mut game, "b4"), Touch::Move(1));
}

#[test]
fn a_pass_lifts_the_ko() {
    // If green captures and red passes, green may fill the point. If green captures, red
    // passes and green plays elsewhere, red may recapture.
    let (mut table, mut game) = board(KO, Side::Green);
    table.play(&mut game, "c4 pass");
    assert_eq!(game.ko(table.ground.grid()), None);
    assert_eq!(
        game.legal(&table.ground),
        game.stones().moves(table.ground.grid(), Side::Green)
    );
    table.play(&mut game, "e1");
    assert_eq!(touch(&mut table, &mut game, "b4"), Touch::Move(1));
}

#[test]
fn a_snapback_captures_more_than_it_lost() {
    let (mut table, mut game) = board("..gr. gggr. rrr.. ..... .....", Side::Red);
    table.play(&mut game, "b5 a5");
    assert_eq!(rows(&game, &table), "g.gr. gggr. rrr.. ..... .....");
    assert_eq!(touch(&mut table, &mut game, "b5"), Touch::Move(5));
    assert_eq!(rows(&game, &table), ".r.r. ...r. rrr.. ..... .....");
}

#[test]
fn sending_two_returning_one_does_not_repeat_for_ever() {
    let (mut table, mut game) = board(".r.r. ggr.. ..... .....", Side::Red);
    table.play(&mut game, "a4 c4");
    assert_eq!(rows(&game, &table), "..gr. ggr.. ..... .....");
    // Recapturing would restore the start, three stones ago.
    assert_eq!(touch(&mut table, &mut game, "b4"), Touch::Illegal);
    table.play(&mut game, "e1 e2");
    assert_eq!(touch(&mut table, &mut game, "b4"), Touch::Move(1));
}

#[test]
fn every_game_of_random_moves_ends() {
    for seed in 0..40 {
        let mut table = Table::<u128>::new(4, 4, seed);
        let mut game = SpeedGo::start(1, &mut table.context()).unwrap();
        let mut dice = Rng::new(seed);
        let mut turns = 0;
        while game.outcome().is_none() {
            let legal = game.legal(&table.ground);
            let point = dice.pick(legal).unwrap();
            assert!(matches!(
                game.touch(point, &mut table.context()),
                Touch::Move(_)
            ));
            turns += 1;
        }
        assert!(turns <= TURNS_PER_POINT * 16);
    }
}

// Tests of passing and the end.

#[test]
fn two_passes_in_a_row_end_the_game() {
    let (mut table, mut game) = board("..... .g.r. ..... .....", Side::Green);
    table.play(&mut game, "pass");
    assert_eq!(game.turn(), Some(Side::Red));
    table.play(&mut game, "c1 pass pass");
    assert_eq!(game.outcome(), Some(Outcome::Won(Side::Red)));
    assert_eq!(game.turn(), None);
    assert!(game.legal(&table.ground).is_empty());
    assert!(!game.pass(&mut table.context()));
    assert_eq!(game.touch(Point(0), &mut table.context()), Touch::Ignored);
}

#[test]
fn two_time_outs_do_not_end_a_game_with_open_borders() {
    // Green leads, and nobody is at the board.
    let (mut table, mut game) = board("....g .g.r. ..... .....", Side::Green);
    for turn in [Side::Red, Side::Green, Side::Red, Side::Green] {
        game.time_out(&mut table.context());
        assert_eq!(game.turn(), Some(turn));
    }
    // Nor does it answer a player who agreed to the end.
    table.play(&mut game, "pass");
    game.time_out(&mut table.context());
    table.play(&mut game, "pass");
    assert_eq!(game.outcome(), None);
    table.play(&mut game, "pass");
    assert_eq!(game.outcome(), Some(Outcome::Won(Side::Green)));
}

#[test]
fn two_time_outs_end_a_game_with_closed_borders() {
    let (mut table, mut game) = board("..gr. ..gr. ..gr. ..gr.", Side::Green);
    game.time_out(&mut table.context());
    assert_eq!(game.turn(), Some(Side::Red));
    game.time_out(&mut table.context());
    assert_eq!(game.outcome(), Some(Outcome::Won(Side::Green)));
    game.time_out(&mut table.context());
    assert_eq!(game.outcome(), Some(Outcome::Won(Side::Green)));
}

#[test]
fn a_single_stone_closes_no_border() {
    let (mut table, mut game) = board("..... .g... ..... .....", Side::Red);
    game.time_out(&mut table.context());
    game.time_out(&mut table.context());
    assert_eq!(game.outcome(), None);
}

#[test]
fn an_unplayed_game_ends_after_eight_turns_per_point() {
    let mut table = Table::<u128>::new(9, 9, 1);
    let mut game = SpeedGo::start(0, &mut table.context()).unwrap();
    for _ in 0..8 * 81 {
        assert_eq!(game.outcome(), None);
        game.time_out(&mut table.context());
    }
    assert_eq!(game.outcome(), Some(Outcome::Draw));
}

#[test]
fn two_passes_on_an_empty_board_are_a_draw() {
    let mut table = Table::<u128>::new(9, 9, 1);
    let mut game = SpeedGo::start(1, &mut table.context()).unwrap();
    table.play(&mut game, "pass pass");
    assert_eq!(game.outcome(), Some(Outcome::Draw));
    assert_eq!(game.score(&table.ground), [0, 0]);
}

#[test]
fn the_board_passes_for_a_side_without_a_move() {
    // Red may fill neither its only eye nor the eyes of green.
    let (mut table, mut game) = board(".rg.g rrg..", Side::Green);
    table.play(&mut game, "d1");
    assert_eq!(table.events.as_slice(), [Event::Passed { side: Side::Red }]);
    assert_eq!(game.turn(), Some(Side::Green));
    table.play(&mut game, "pass");
    assert_eq!(game.outcome(), Some(Outcome::Won(Side::Green)));
}

// Tests of the final count.

#[test]
fn the_score_is_stones_and_solely_surrounded_points() {
    let (table, game) = board("..g.r g.g.r .gg.r rrrrr .....", Side::Green);
    // Green: 5 stones, a5, b5 and b4; red: 8 stones and the five points of line 1.
    assert_eq!(game.score(&table.ground), [8, 13]);
    let [green, red] = area(table.ground.grid(), game.stones());
    let neutral = table.points("d5 d4 d3 a3");
    assert!(!(green | red).meets(neutral), "next to both: nobody's");
}

#[test]
fn the_only_side_on_the_board_surrounds_it_only_at_the_end() {
    let (mut table, mut game) = board("... .g. ...", Side::Red);
    assert_eq!(game.score(&table.ground), [1, 0]);
    assert_eq!(game.outcome(), None, "it can still be invaded");
    table.play(&mut game, "pass pass");
    assert_eq!(game.score(&table.ground), [9, 0]);
}

#[test]
fn taken_stones_are_not_counted() {
    let (mut table, mut game) = board(".r.. rgr. .... ....", Side::Red);
    assert_eq!(game.score(&table.ground), [1, 4]);
    table.play(&mut game, "b2");
    assert_eq!(game.score(&table.ground), [0, 4]);
}

// Tests of unconditional life (Benson's algorithm).

fn living(rows: &str, side: Side) -> usize {
    let (table, game) = board(rows, Side::Green);
    alive(table.ground.grid(), game.stones(), side).len()
}

#[test]
fn two_small_eyes_live_and_one_dies() {
    assert_eq!(living(".g.g. ggggg ..... .....", Side::Green), 7);
    assert_eq!(living(".gg.. ggg.. ..... .....", Side::Green), 0);
}

#[test]
fn two_groups_live_by_two_eyes_that_they_share() {
    assert_eq!(living("g.gr. .ggr. gg.r. rrrr. .....", Side::Green), 6);
}

#[test]
fn an_eye_shared_with_a_dying_group_does_not_count() {
    assert_eq!(living(".g.gr gggrr rrrr. .....", Side::Green), 0);
    assert_eq!(living(".g.gr ggggr rrrrr .....", Side::Green), 6);
}

#[test]
fn a_large_eye_counts_only_if_each_of_its_points_is_a_liberty() {
    assert_eq!(living("..g. gggg rrrr ....", Side::Green), 5);
    assert_eq!(living("..g.g ..ggg ggg.. ..... .....", Side::Green), 0);
}

#[test]
fn a_stone_of_the_other_side_in_an_eye_does_not_matter() {
    assert_eq!(living(".rg. gggg rrrr ....", Side::Green), 5);
}

#[test]
fn areas_too_small_for_two_eyes_are_settled() {
    let (table, game) = board(".rg. gggg rrrr ....", Side::Green);
    let mine = settled(table.ground.grid(), game.stones(), Side::Green);
    assert_eq!(mine, table.points("a4 b4 c4 d4 a3 b3 c3 d3"));
    assert!(settled(table.ground.grid(), game.stones(), Side::Red).is_empty());
}

// Tests of the end that the board detects.

#[test]
fn a_game_ends_when_all_ownership_is_clear() {
    let (mut table, mut game) = board(".ggr. ggrrr .gr.. gggrr", Side::Red);
    table.play(&mut game, "d2");
    assert_eq!(game.outcome(), Some(Outcome::Draw));
    assert_eq!(game.score(&table.ground), [10, 10]);
}

#[test]
fn a_neutral_point_is_not_clear() {
    let (mut table, mut game) = board(".gg.r. gggrrr .ggr.. gggrrr", Side::Red);
    table.play(&mut game, "e2");
    assert_eq!(game.outcome(), None);
    table.play(&mut game, "d4");
    assert_eq!(game.outcome(), Some(Outcome::Won(Side::Green)));
}

#[test]
fn an_area_where_the_opponent_could_live_is_not_clear() {
    let (mut table, mut game) = board("...g.g ...ggg ...g.g ggggg.", Side::Green);
    table.play(&mut game, "f1");
    assert_eq!(game.outcome(), None);
    let (mut table, mut game) = board("..gg.g ..gggg gggg.g ggggg.", Side::Green);
    table.play(&mut game, "f1");
    assert_eq!(game.outcome(), Some(Outcome::Won(Side::Green)));
}

/// `RULES.md`, about clear ownership: the inside of an area has at most one point, or two
/// neighbouring points.
#[test]
fn an_area_with_two_inner_neighbours_is_clear() {
    let (mut table, mut game) = board("...g.g ...ggg gggg.g ggggg.", Side::Green);
    table.play(&mut game, "f1");
    assert_eq!(game.outcome(), Some(Outcome::Won(Side::Green)));
    // The two corners of one area.
    let (mut table, mut game) = board("..g.gg .ggggg ..g.g.", Side::Green);
    table.play(&mut game, "f1");
    assert_eq!(game.outcome(), None);
}

#[test]
fn stones_that_can_be_captured_are_not_clear() {
    // Green has only one eye.
    let (mut table, mut game) = board("gggr. ggrrr .gr.. gggrr", Side::Red);
    table.play(&mut game, "d2");
    assert_eq!(game.outcome(), None);
}

#[test]
fn groups_that_live_together_without_eyes_do_not_end_the_game() {
    // The groups on e and g share the two points between them. A side that fills one of
    // them is captured, so both pass.
    let (mut table, mut game) = board(".g.gr.gr.r. ggggr.grrrr", Side::Green);
    assert_eq!(
        alive(table.ground.grid(), game.stones(), Side::Red).len(),
        6
    );
    assert!(!is_clear(table.ground.grid(), game.stones()));
    table.play(&mut game, "pass pass");
    assert_eq!(game.score(&table.ground), [10, 10]);
    assert_eq!(game.outcome(), Some(Outcome::Draw));
}

#[test]
fn ownership_is_checked_only_after_stones() {
    let (mut table, mut game) = board(".ggr. ggrrr .grr. gggrr", Side::Red);
    assert!(is_clear(table.ground.grid(), game.stones()));
    assert_eq!(game.outcome(), None);
    table.play(&mut game, "pass");
    assert_eq!(game.outcome(), None);
}

// Tests of states from outside.

#[test]
fn an_impossible_state_is_not_sound() {
    let (mut table, game) = board(".r.. rgr. .... ....", Side::Red);
    assert!(game.is_sound(&table.ground));
    let broken: [fn(&mut SpeedGo<u128>); 7] = [
        |game| game.positions[0].0[0] = game.positions[0].0[1],
        |game| game.positions[REMEMBERED - 1].0[0] = Points(1 << 100),
        |game| game.passes = 2,
        |game| game.passes = 1,
        |game| game.turns = 16 * 8,
        |game| game.outcome = Some(Outcome::Draw),
        |game| game.positions[0].0 = [Points(0xFFFF), Points::NONE],
    ];
    for breaks in broken {
        let mut wrong = game.clone();
        breaks(&mut wrong);
        assert!(!wrong.is_sound(&table.ground), "{wrong:?}");
    }
    // Neither two passes nor a stone has ended the game, and nothing is clear.
    let mut ended = game.clone();
    ended.outcome = Some(Outcome::by_score(game.score(&table.ground)));
    assert!(!ended.is_sound(&table.ground));
    let mut over = game;
    table.play(&mut over, "pass pass");
    assert!(over.is_sound(&table.ground));
    over.outcome = Some(Outcome::Draw);
    assert!(!over.is_sound(&table.ground));
}

#[test]
fn a_side_without_a_move_is_not_left_with_the_turn() {
    let (mut table, mut game) = board(".rg.g rrg..", Side::Green);
    table.play(&mut game, "d1");
    assert!(game.is_sound(&table.ground));
    game.turn = Side::Red;
    assert!(game.moves(table.ground.grid()).is_empty());
    assert!(!game.is_sound(&table.ground));
}
