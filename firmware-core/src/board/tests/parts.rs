//! Turns of several touches, from the point of view of a person at the board.

use std::vec::Vec;

use protocol::Roster;

use super::*;
use crate::games::number;
use crate::games::testing::parts::{
    self, ANNOUNCED_HZ, HURRIED_HZ, SLOW, SLOW_MS, STUBBORN, THINK_MS, THOUGHT_HZ, THREE, TWO,
};
use crate::rng::Rng;

/// Time 0: the duration of a turn.
const TURN_MS: Tick = TURN_TIME_MS[0] as Tick;

const A: Point = Point(40);
const B: Point = Point(41);
const C: Point = Point(42);

/// A board with the game of parts, and its events.
struct Table {
    board: Board<u128>,
    told: Vec<(Tick, Event)>,
}

impl Table {
    fn start(mode: u8, level: u8) -> Table {
        let roster = Roster::of(&[number::PARTS]);
        let board = Board::with_games(Layout::MALDOO, roster, 7);
        let mut board = board.expect("9x9 fits 128 bits");
        let settings = Settings {
            game: number::PARTS,
            time: 0,
            level,
            mode,
            ..board.settings()
        };
        let done = board.carry_out(&Deed::Settings(settings), &mut |_, _| {});
        done.expect("a game of these tests");
        press(&mut board, Button::Start);
        let told = Vec::new();
        Table { board, told }
    }

    /// As `start`, but a point was picked and released, so that the clocks run.
    fn begin(mode: u8, level: u8) -> Table {
        let mut table = Table::start(mode, level);
        table.taps(&[A, A]);
        table.told.clear();
        table
    }

    fn does(&mut self, input: Input) {
        let told = &mut self.told;
        self.board
            .input(input, &mut |tick, event| told.push((tick, event)));
    }

    fn tap(&mut self, point: Point) {
        self.does(Input::Touch(point));
        self.does(Input::Release(point));
    }

    fn taps(&mut self, points: &[Point]) {
        points.iter().for_each(|point| self.tap(*point));
    }

    fn wait(&mut self, ticks: Tick) {
        let told = &mut self.told;
        self.board
            .advance(ticks, &mut |tick, event| told.push((tick, event)));
    }

    /// The events since the last call, without sounds.
    fn reports(&mut self) -> Vec<(Tick, Event)> {
        let is_heard = |(_, event): &(Tick, Event)| matches!(event, Event::Bleep(_));
        let mut told = core::mem::take(&mut self.told);
        told.retain(|event| !is_heard(event));
        told
    }

    fn events(&mut self) -> Vec<Event> {
        self.reports().into_iter().map(|(_, event)| event).collect()
    }

    fn left_ms(&self) -> Option<u32> {
        self.board.status().clock.map(|clock| clock.left_ms)
    }

    fn picked(&self) -> Vec<Point> {
        let frame = self.board.frame();
        let is_picked = |point: &Point| frame.points.get(*point) == protocol::Colour::AMBER;
        self.board.layout().iter().filter(is_picked).collect()
    }
}

fn part(side: Side, point: Point) -> Event {
    Event::Part { side, point }
}

/// A move by two touches: the second one also changes the stone of the first.
fn moved(side: Side, point: Point, changed: u16) -> Event {
    Event::Move {
        side,
        point,
        changed,
    }
}

fn is_move(event: &&(Tick, Event)) -> bool {
    matches!(event.1, Event::Move { .. })
}

#[test]
fn the_clock_runs_through_parts_and_restarts_after_a_move() {
    let mut table = Table::begin(TWO, 0);
    table.wait(2_000);
    table.tap(A);
    assert_eq!(table.left_ms(), Some(3_000));
    table.wait(1_000);
    assert_eq!(table.left_ms(), Some(2_000));
    assert_eq!(table.board.status().last_move, None);
    table.tap(B);
    assert_eq!(table.left_ms(), Some(5_000));
    let last = LastMove {
        side: Side::Green,
        point: B,
        by: Mover::Finger,
    };
    assert_eq!(table.board.status().last_move, Some(last));
}

#[test]
fn parts_are_reported_at_once_and_the_move_at_its_end() {
    let mut table = Table::start(TWO, 0);
    table.tap(A);
    assert_eq!(table.events(), [part(Side::Green, A)]);
    table.tap(B);
    let told = [
        moved(Side::Green, B, 1),
        Event::Score([2, 0]),
        Event::Turn(Side::Red),
    ];
    assert_eq!(table.events(), told);
}

#[test]
fn a_part_is_taken_back_by_another_touch() {
    let mut table = Table::start(TWO, 0);
    table.tap(A);
    assert_eq!(table.picked(), [A]);
    table.tap(A);
    assert_eq!(table.picked(), []);
    assert_eq!(table.board.turn(), Some(Side::Green));
    assert_eq!(table.events(), [part(Side::Green, A); 2]);
    table.tap(B);
    table.tap(C);
    assert_eq!(table.board.score(), Some([2, 0]));
    assert_eq!(table.board.frame().points.get(A), protocol::Colour::OFF);
}

#[test]
fn a_part_ends_the_flash_of_what_was_legal_before_it() {
    let mut table = Table::start(TWO, 0);
    table.tap(A);
    table.tap(B);
    table.tap(A);
    let blinking = |table: &Table| {
        let rhythm = |point| table.board.frame().rhythms.get(point);
        let blinks = |point: &Point| rhythm(*point) != protocol::Rhythm::Steady;
        table.board.layout().iter().filter(blinks).count()
    };
    assert_eq!(blinking(&table), 79, "all legal points flash");
    table.tap(C);
    assert_eq!(blinking(&table), 1, "what was picked");
}

#[test]
fn the_clock_completes_a_half_made_move() {
    for seed in 0..20 {
        let mut table = Table::start(TWO, 0);
        table.board.state.rng = Rng::new(seed);
        table.tap(A);
        table.wait(TURN_MS - 1);
        assert_eq!(table.events(), [part(Side::Green, A)]);
        table.wait(200);
        let told = table.reports();
        assert_eq!(told[0], (TURN_MS, Event::TimedOut { side: Side::Green }));
        let moved = told.iter().position(|event| is_move(&event));
        let moved = moved.expect("a move in the end");
        // One touch per tick, each of which is reported.
        for (late, (tick, event)) in told[1..moved].iter().enumerate() {
            assert_eq!(*tick, TURN_MS + late as Tick);
            assert!(matches!(event, Event::Part { .. }), "{event:?}");
        }
        assert_eq!(told[moved].0, TURN_MS + moved as Tick - 1);
        assert_eq!(told[moved + 1].1, Event::Score([2, 0]));
        assert_eq!(told[moved + 2].1, Event::Turn(Side::Red));
        assert_eq!(told.len(), moved + 3);
        let by = table.board.status().last_move.map(|last| last.by);
        assert_eq!(by, Some(Mover::Clock));
    }
}

#[test]
fn a_time_out_that_passes_takes_the_parts_back() {
    let mut table = Table::start(THREE, 0);
    table.tap(A);
    table.tap(B);
    assert_eq!(table.picked(), [A, B]);
    table.events();
    table.wait(TURN_MS);
    let told = [
        Event::TimedOut { side: Side::Green },
        Event::Turn(Side::Red),
    ];
    assert_eq!(table.events(), told);
    assert_eq!(table.picked(), []);
    assert_eq!(table.left_ms(), Some(TURN_MS as u32));
}

#[test]
fn pausing_within_a_turn_keeps_its_parts_and_its_clock() {
    let mut table = Table::begin(TWO, 0);
    table.wait(1_000);
    table.tap(A);
    table.does(Input::Press(Button::Stop));
    table.does(Input::Lift(Button::Stop));
    table.wait(60_000);
    assert_eq!(table.picked(), [], "what is held is dark");
    table.tap(B);
    table.does(Input::Press(Button::Stop));
    assert_eq!(table.picked(), [A]);
    assert_eq!(table.left_ms(), Some(4_000));
    table.tap(B);
    assert_eq!(table.board.score(), Some([2, 0]));
}

#[test]
fn the_boards_player_keeps_its_thought_from_touch_to_touch() {
    let mut table = Table::start(THREE, 1);
    table.taps(&[A, B, C]);
    table.events();
    table.wait(1_000);
    // The player starts thinking in the tick after the opponent's move.
    let began = 1;
    let told = [
        (began + THINK_MS, part(Side::Red, Point(0))),
        (began + 2 * THINK_MS, part(Side::Red, Point(1))),
        (began + 3 * THINK_MS, moved(Side::Red, Point(2), 2)),
        (began + 3 * THINK_MS, Event::Score([3, 3])),
        (began + 3 * THINK_MS, Event::Turn(Side::Green)),
    ];
    assert_eq!(table.reports(), told);
}

#[test]
fn a_time_out_hurries_the_boards_player_to_a_whole_move() {
    let mut table = Table::start(THREE, SLOW);
    table.taps(&[A, B, C]);
    table.events();
    table.wait(TURN_MS + 10);
    let told = [
        (1 + SLOW_MS, part(Side::Red, Point(0))),
        (TURN_MS, part(Side::Red, Point(1))),
        (TURN_MS + 1, moved(Side::Red, Point(2), 2)),
        (TURN_MS + 1, Event::Score([3, 3])),
        (TURN_MS + 1, Event::Turn(Side::Green)),
    ];
    assert_eq!(table.reports(), told);
}

#[test]
fn a_player_that_does_not_hurry_times_out_like_a_person() {
    let mut table = Table::start(TWO, STUBBORN);
    table.taps(&[A, B]);
    table.events();
    table.wait(TURN_MS + 200);
    let told = table.reports();
    assert_eq!(told[0], (1 + SLOW_MS, part(Side::Red, Point(0))));
    assert_eq!(told[1], (TURN_MS, Event::TimedOut { side: Side::Red }));
    assert_eq!(told.iter().filter(is_move).count(), 1);
    let by = table.board.status().last_move.map(|last| last.by);
    assert_eq!(by, Some(Mover::Clock));

    let mut table = Table::start(THREE, STUBBORN);
    table.taps(&[A, B, C]);
    table.wait(TURN_MS);
    assert_eq!(table.board.turn(), Some(Side::Green));
    assert_eq!(table.picked(), []);
}

#[test]
fn a_board_saved_within_a_turn_continues_the_same() {
    for (mode, level) in [(TWO, 0), (TWO, STUBBORN), (THREE, SLOW), (THREE, 1)] {
        let mut table = Table::start(mode, level);
        let mut copied = Board::<u128>::new(Layout::MALDOO, 99).expect("it fits");
        let mut bytes = std::vec![0; SNAPSHOT_BYTES];
        let mut parts = 0;
        for step in 0..400_u64 {
            let saved = table.board.save(&mut bytes).expect("room");
            copied.load(saved).expect("what was saved");
            let touch = Input::Touch(Point((step * 7 % 81) as u8));
            let lift = Input::Release(Point((step * 7 % 81) as u8));
            let inputs = if step % 5 == 0 {
                [Some(touch), Some(lift)]
            } else {
                [None; 2]
            };
            let mut others = Vec::new();
            for input in inputs.into_iter().flatten() {
                table.does(input);
                copied.input(input, &mut |tick, event| others.push((tick, event)));
            }
            // Up to the end of the turn, and then tick by tick beyond it.
            let deadline = u64::from(table.left_ms().unwrap_or(0));
            let ticks = if deadline > 3 { deadline / 2 } else { 1 };
            table.wait(ticks);
            copied.advance(ticks, &mut |tick, event| others.push((tick, event)));
            assert_eq!(table.told, others);
            assert_eq!(table.board.digest(), copied.digest());
            let is_part = |event: &&(Tick, Event)| matches!(event.1, Event::Part { .. });
            parts += others.iter().filter(is_part).count();
            table.told.clear();
        }
        assert!(parts > 20, "{parts} parts");
    }
}

#[test]
#[cfg(debug_assertions)]
#[should_panic(expected = "came to no move")]
fn a_turn_that_never_becomes_a_move_panics() {
    let mut table = Table::start(parts::ENDLESS, 0);
    table.tap(A);
    table.wait(TURN_MS + crate::referee::CLOCK_TOUCHES);
}

/// Counting can be expensive: on a large board it takes half of a tick.
#[test]
fn a_game_is_asked_for_its_score_once_a_touch() {
    let mut table = Table::start(TWO, 1);
    parts::scores_asked();
    for (what, point) in [("a part", A), ("a move", B)] {
        table.does(Input::Touch(point));
        assert_eq!(parts::scores_asked(), 1, "{what}");
    }
    table.does(Input::Touch(C));
    assert_eq!(parts::scores_asked(), 0, "a touch that means nothing");
    table.wait(1);
    assert_eq!(parts::scores_asked(), 0, "a thought");
    table.wait(THINK_MS);
    assert_eq!(table.events().pop(), Some(part(Side::Red, Point(0))));
    assert_eq!(parts::scores_asked(), 1, "a touch of the board");
    table.wait(THINK_MS);
    assert_eq!(parts::scores_asked(), 1, "a move of the board");
    table.does(Input::Release(A));
    table.does(Input::Touch(A));
    assert_eq!(parts::scores_asked(), 1, "an illegal touch, and its flash");
    table.wait(TURN_MS - 1);
    assert_eq!(parts::scores_asked(), 0, "time that passes");
    table.wait(1);
    assert_eq!(parts::scores_asked(), 1, "a touch of the clock");
    let looked_at = (table.board.status(), table.board.digest());
    assert_eq!(looked_at.0.score, table.board.score());
    table.does(Input::Release(A));
    assert_eq!(parts::scores_asked(), 0, "what is looked at");
}

#[test]
fn the_caption_is_shown_with_the_scores_except_in_a_pause() {
    let mut table = Table::start(TWO, 0);
    assert_eq!(display(&table.board), "0   0/2    0");
    table.tap(A);
    assert_eq!(display(&table.board), "0   1/2    0");
    table.tap(B);
    assert_eq!(display(&table.board), "2   0/2    0");
    press(&mut table.board, Button::Stop);
    assert_eq!(display(&table.board), "2   Stop   0");

    let mut table = Table::start(THREE, 0);
    assert_eq!(display(&table.board), "0          0");
    table.tap(A);
    assert_eq!(display(&table.board), "Pick 2 more");
    press(&mut table.board, Button::Stop);
    assert_eq!(display(&table.board), "0   Stop   0");
    press(&mut table.board, Button::Stop);
    table.taps(&[B, C]);
    assert_eq!(display(&table.board), "3          0");
}

#[test]
fn the_boards_player_reports_before_it_touches() {
    let mut table = Table::start(THREE, SLOW);
    table.taps(&[A, B, C]);
    table.reports();
    table.wait(TURN_MS);
    let told = [
        (1, Event::Bleep(THOUGHT_HZ)),
        (1 + SLOW_MS, Event::Bleep(ANNOUNCED_HZ)),
        (1 + SLOW_MS, part(Side::Red, Point(0))),
        (TURN_MS, Event::Bleep(HURRIED_HZ)),
        (TURN_MS, Event::Bleep(ANNOUNCED_HZ)),
        (TURN_MS, part(Side::Red, Point(1))),
    ];
    assert_eq!(table.told, told);
}

fn own(game: u8, bytes: &[u8]) -> Deed {
    let bytes = bytes.iter().copied().collect();
    Deed::Position(Position::Own { game, bytes })
}

#[test]
fn a_game_reads_its_own_positions_and_checks_them() {
    let mut table = Table::start(THREE, 0);
    let deed = own(number::PARTS, &[1, 40, 42]);
    let done = table.board.carry_out(&deed, &mut |_, _| {});
    assert_eq!(done, Ok(()));
    assert_eq!(table.board.turn(), Some(Side::Red));
    assert_eq!(table.picked(), [A, C]);
    table.tap(B);
    assert_eq!(table.board.score(), Some([0, 3]));
    let before = table.board.digest();
    // An empty position, one whose side does not exist, a point twice, a point outside
    // the board, a whole turn.
    for bytes in [
        &[][..],
        &[2],
        &[0, 40, 40],
        &[0, 81],
        &[0, 1, 2, 3],
        &[0xFF; 192],
    ] {
        let done = table
            .board
            .carry_out(&own(number::PARTS, bytes), &mut |_, _| {});
        assert_eq!(done, Err(Refusal::Position), "{bytes:?}");
    }
    assert_eq!(table.board.digest(), before);
}

#[test]
fn a_position_of_another_games_own_is_refused() {
    for (chosen, game) in [(0, number::PARTS), (0, 0), (number::PARTS, 0), (0, 255)] {
        let both = Roster::of(&[0, number::PARTS]);
        let board = Board::<u128>::with_games(Layout::MALDOO, both, 7);
        let mut board = board.expect("9x9 fits 128 bits");
        board
            .carry_out(&Deed::Choose(chosen), &mut |_, _| {})
            .expect("it is there");
        let before = board.digest();
        let done = board.carry_out(&own(game, &[0, 40]), &mut |_, _| {});
        assert_eq!(done, Err(Refusal::Position), "{chosen} {game}");
        assert_eq!(board.digest(), before);
    }
}
