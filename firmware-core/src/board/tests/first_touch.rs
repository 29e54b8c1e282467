//! No clock runs before the first touch, and from then on each turn has exactly its time.

use std::vec::Vec;

use law::{Judged, Weight, law};
use proptest::prelude::*;

use super::*;
use crate::AnyBoard;
use crate::game::TimeOut;
use crate::games::testing::rows_to_points;

const REVERSI: u8 = 0;
const GHOST: u8 = 1;
const LIFE: u8 = 2;
const SYMMETRY: u8 = 4;
const SPEED_GO: u8 = 9;

/// The settings of any game and mode of this build, except for the game for tests, whose
/// turns need not end.
fn any_game(levels: core::ops::Range<u8>) -> impl Strategy<Value = Settings> {
    let built = games::BUILT
        .iter()
        .filter(|game| *game != games::number::PARTS);
    let game = prop::sample::select(built.collect::<Vec<u8>>());
    (game, any::<u8>(), 0..10_u8, 0..10_u8, levels).prop_map(|(game, mode, time, speed, level)| {
        let modes = games::about(game).expect("it is in the build").modes;
        Settings {
            game,
            time,
            speed,
            level,
            mode: mode % modes,
        }
    })
}

fn do_it(board: &mut AnyBoard, deed: &Deed) -> Vec<(Tick, Event)> {
    let mut told = Vec::new();
    board
        .carry_out(deed, &mut |tick, event| told.push((tick, event)))
        .expect("any board can do it");
    told
}

fn push(board: &mut AnyBoard, button: Button) -> Vec<(Tick, Event)> {
    let mut told = do_it(board, &Deed::Input(Input::Press(button)));
    told.extend(do_it(board, &Deed::Input(Input::Lift(button))));
    told
}

fn pass_time(board: &mut AnyBoard, ticks: Tick) -> Vec<(Tick, Event)> {
    let mut told = Vec::new();
    board.advance(ticks, &mut |tick, event| told.push((tick, event)));
    told
}

/// A game that was just started on the board that its mode is made for.
fn started(settings: Settings, seed: u64) -> AnyBoard {
    let about = games::about(settings.game).expect("it is in the build");
    let layout = Layout::Grid((about.made_for)(settings.mode));
    let mut board = AnyBoard::with_games(layout, games::BUILT, seed).expect("a board");
    do_it(&mut board, &Deed::Settings(settings));
    push(&mut board, Button::Start);
    board
}

/// Actions of people before they first touch a point.
#[derive(Clone, Debug)]
enum Hesitation {
    Wait(Tick),
    StopAndGoOn(Tick),
    Time,
    Speed,
    Save,
}

fn hesitations() -> impl Strategy<Value = Vec<Hesitation>> {
    let one = prop_oneof![
        4 => (0..300_000_u64).prop_map(Hesitation::Wait),
        1 => (0..300_000_u64).prop_map(Hesitation::StopAndGoOn),
        1 => Just(Hesitation::Time),
        1 => Just(Hesitation::Speed),
        1 => Just(Hesitation::Save),
    ];
    prop::collection::vec(one, 1..6)
}

fn hesitate(board: &mut AnyBoard, how: &Hesitation) -> Vec<(Tick, Event)> {
    match how {
        Hesitation::Wait(ticks) => pass_time(board, *ticks),
        Hesitation::StopAndGoOn(ticks) => {
            let mut told = push(board, Button::Stop);
            told.extend(pass_time(board, *ticks));
            told.extend(push(board, Button::Stop));
            told
        }
        Hesitation::Time => push(board, Button::Time),
        Hesitation::Speed => push(board, Button::Speed),
        Hesitation::Save => {
            let mut buffer = [0; SNAPSHOT_BYTES];
            let saved = board.save(&mut buffer).expect("there is room").to_vec();
            let mut other = AnyBoard::new(Layout::MALDOO, 0).expect("a board");
            other.load(&saved).expect("it was saved");
            assert_eq!(other.digest(), board.digest());
            *board = other;
            Vec::new()
        }
    }
}

/// True for a game whose turns are limited by the Time setting.
fn has_turn_clock(settings: &Settings) -> bool {
    let about = games::about(settings.game).expect("it is in the build");
    // In the race of Life, the living cells end the turn.
    about.time_out != TimeOut::None && !(settings.game == LIFE && settings.mode == 0)
}

/// Nothing happens, however long nobody touches the board.
#[test]
fn no_clock_runs_before_the_first_touch() {
    let cases = (any_game(0..5), any::<u64>(), hesitations());
    law(
        Weight::of(256, 60),
        cases,
        |(settings, seed, hesitations)| {
            if settings.game == SYMMETRY {
                return Ok(Judged::Nothing);
            }
            let mut board = started(settings, seed);
            let begun = board.turn();
            let mut clocks = 0;
            for how in &hesitations {
                for (tick, event) in hesitate(&mut board, how) {
                    let is_late = matches!(event, Event::TimedOut { .. });
                    prop_assert!(!is_late, "{event:?} at {tick}");
                    // A game that runs by itself may continue, and so may the board on its
                    // own side.
                    let is_turn = matches!(event, Event::Move { .. } | Event::Turn(_));
                    let may =
                        settings.level > 0 || !has_turn_clock(&settings) || board.turn().is_none();
                    prop_assert!(
                        may || !is_turn || settings.game == LIFE,
                        "{event:?} at {tick}"
                    );
                }
                let status = board.status();
                if let Some(clock) = status.clock {
                    let of_ms = TURN_TIME_MS[usize::from(status.settings.time)];
                    let waiting = Clock {
                        left_ms: of_ms,
                        of_ms,
                        waits: true,
                    };
                    prop_assert_eq!(clock, waiting);
                    clocks += 1;
                }
                prop_assert!(status.last_move.is_none_or(|last| last.by == Mover::Board));
            }
            if settings.level == 0 && has_turn_clock(&settings) && settings.game != LIFE {
                prop_assert_eq!(board.turn(), begun);
            }
            Ok(Judged::if_any(clocks > 0))
        },
    );
}

/// After the first touch a turn ends exactly when its time is over.
#[test]
fn after_the_first_touch_a_turn_has_exactly_its_time() {
    let settings = any_game(0..1).prop_filter("a clock", has_turn_clock);
    let cases = (settings, any::<u64>(), hesitations(), any::<u8>());
    law(
        Weight::of(256, 60),
        cases,
        |(settings, seed, hesitations, touched)| {
            let mut board = started(settings, seed);
            for how in &hesitations {
                hesitate(&mut board, how);
            }
            touch_until_the_clock_runs(&mut board, touched);
            let mut time_outs = 0;
            for _ in 0..3 {
                let Some(clock) = board.status().clock else {
                    pass_time(&mut board, 500);
                    continue;
                };
                prop_assert!(!clock.waits);
                // The clock may still complete a turn of several touches, one touch a tick.
                if clock.left_ms == 0 {
                    pass_time(&mut board, crate::referee::CLOCK_TOUCHES);
                    continue;
                }
                let side = board.turn();
                let told = pass_time(&mut board, (clock.left_ms - 1).into());
                let is_late = |(_, event): &(Tick, Event)| matches!(event, Event::TimedOut { .. });
                prop_assert!(!told.iter().any(is_late), "{told:?}");
                // Meanwhile an automatic move may have ended the turn.
                let goes_on = board.status().clock.is_some_and(|clock| clock.left_ms == 1);
                if goes_on {
                    let side = side.expect("a clock is somebody's");
                    let at = board.tick() + 1;
                    let told = pass_time(&mut board, 1);
                    prop_assert!(told.contains(&(at, Event::TimedOut { side })), "{told:?}");
                    time_outs += 1;
                }
                prop_assert!(goes_on || [LIFE, GHOST].contains(&settings.game));
            }
            Ok(Judged::if_any(time_outs > 0))
        },
    );
}

/// Touches one point after the other until a clock runs: some games show a pattern first.
fn touch_until_the_clock_runs(board: &mut AnyBoard, first: u8) {
    for tries in 0_u16..2_000 {
        if board.status().clock.is_some_and(|clock| !clock.waits) {
            break;
        }
        let points = board.layout().points() as u16;
        let point = Point(((u16::from(first) + tries) % points) as u8);
        do_it(board, &Deed::Input(Input::Touch(point)));
        do_it(board, &Deed::Input(Input::Release(point)));
        pass_time(board, 97);
    }
}

/// A board with Time 0 (5 s), with this position set up or the game started.
fn on_the_table(game: u8, mode: u8, level: u8, set_up: Option<(Side, &[&str])>) -> Board<u128> {
    let mut board = board();
    let settings = Settings {
        game,
        time: 0,
        mode,
        level,
        ..Settings::default()
    };
    let done = board.carry_out(&Deed::Settings(settings), &mut |_, _| {});
    done.expect("it is there");
    match set_up {
        None => press(&mut board, Button::Start),
        Some((turn, rows)) => {
            let points = rows_to_points(Layout::MALDOO, rows);
            let diagram = protocol::Diagram { points, turn };
            let done = board.carry_out(&Deed::Position(diagram.into()), &mut |_, _| {});
            done.expect("a position of the game");
        }
    }
    board
}

fn touch(board: &mut Board<u128>, name: &str) {
    let point = Layout::MALDOO.point(name).expect("a point of the board");
    board.input(Input::Touch(point), &mut |_, _| {});
    board.input(Input::Release(point), &mut |_, _| {});
}

fn clock(board: &Board<u128>) -> (u32, u32, bool) {
    let clock = board.status().clock.expect("there is one");
    (clock.left_ms, clock.of_ms, clock.waits)
}

const WAITS: (u32, u32, bool) = (5_000, 5_000, true);

#[test]
fn a_fresh_game_is_unchanged_after_ten_minutes() {
    let mut board = on_the_table(REVERSI, 0, 0, None);
    let before = board.frame().clone();
    let mut events = Vec::new();
    board.advance(600_000, &mut |_, event| events.push(event));
    assert_eq!(events, []);
    assert_eq!(board.frame(), &before);
    assert_eq!(clock(&board), WAITS);
    assert_eq!(board.wakes_at(), None, "an idle board costs nothing");
}

#[test]
fn an_illegal_touch_starts_the_clock_but_an_idle_one_does_not() {
    let mut board = on_the_table(REVERSI, 0, 0, None);
    touch(&mut board, "a1");
    assert_eq!(clock(&board), (5_000, 5_000, false));
    advance(&mut board, 1_000);
    assert_eq!(clock(&board), (4_000, 5_000, false));

    const FILL_IT: u8 = 6;
    let mut board = on_the_table(FILL_IT, 0, 0, Some((Side::Green, &["g"])));
    touch(&mut board, "a9");
    advance(&mut board, 1_000);
    assert_eq!(clock(&board), WAITS, "a knock is not a touch");
}

#[test]
fn the_clock_runs_from_the_answer_to_the_first_move() {
    let mut board = on_the_table(REVERSI, 0, 0, None);
    advance(&mut board, 60_000);
    let point = Points::first(board.legal()).expect("green begins");
    board.input(Input::Touch(point), &mut |_, _| {});
    assert_eq!(board.turn(), Some(Side::Red));
    assert_eq!(clock(&board), (5_000, 5_000, false));
    advance(&mut board, 5_000);
    let last = board.status().last_move.expect("it was made");
    assert_eq!((last.side, last.by), (Side::Red, Mover::Clock));
}

#[test]
fn a_pass_starts_the_clock_unless_it_is_refused() {
    let mut board = on_the_table(SPEED_GO, 1, 0, None);
    board.input(Input::Pass, &mut |_, _| {});
    assert_eq!(board.turn(), Some(Side::Red));
    assert_eq!(clock(&board), (5_000, 5_000, false));
    let mut board = on_the_table(REVERSI, 0, 0, None);
    board.input(Input::Pass, &mut |_, _| {});
    assert_eq!(clock(&board), WAITS);
}

#[test]
fn each_game_begins_with_a_clock_that_waits() {
    let mut board = on_the_table(REVERSI, 0, 0, None);
    touch(&mut board, "a1");
    advance(&mut board, 1_000);
    press(&mut board, Button::Start);
    assert_eq!(clock(&board), WAITS);
    let board = on_the_table(REVERSI, 0, 0, Some((Side::Red, &[".rg"])));
    assert_eq!(clock(&board), WAITS, "a position, too");
}

#[test]
fn a_first_move_of_the_board_does_not_start_the_clock() {
    let rows: &[&str] = &["", "", "", "...gr....", "...rg...."];
    let mut board = on_the_table(REVERSI, 0, 2, Some((Side::Red, rows)));
    advance(&mut board, 4_000);
    assert_eq!(board.turn(), Some(Side::Green), "red has moved");
    advance(&mut board, 600_000);
    assert_eq!(board.turn(), Some(Side::Green));
    assert_eq!(clock(&board), WAITS);
    let point = Points::first(board.legal()).expect("green can move");
    board.input(Input::Touch(point), &mut |_, _| {});
    advance(&mut board, 4_000);
    assert_eq!(board.turn(), Some(Side::Green));
    assert!(!clock(&board).2, "now it runs");
}

#[test]
fn an_ignored_touch_does_not_start_the_clock() {
    let rows: &[&str] = &["", "", "", "...gr....", "...rg...."];
    let mut board = on_the_table(REVERSI, 0, 2, Some((Side::Red, rows)));
    touch(&mut board, "a1");
    assert_eq!(clock(&board), WAITS);
    let mut board = on_the_table(REVERSI, 0, 0, None);
    press(&mut board, Button::Stop);
    touch(&mut board, "a1");
    press(&mut board, Button::Stop);
    assert_eq!(clock(&board), WAITS);
}

/// A running clock is a promise to the player; a waiting one is not.
#[test]
fn a_changed_time_applies_to_the_waiting_clock() {
    let mut board = on_the_table(REVERSI, 0, 0, None);
    press(&mut board, Button::Time);
    assert_eq!(clock(&board), (8_000, 8_000, true));
    touch(&mut board, "a1");
    press(&mut board, Button::Time);
    assert_eq!(clock(&board), (8_000, 8_000, false));
}

/// Maldoo manual, Symmetry: "within a given time". The time limits the whole task, not a
/// turn.
#[test]
fn the_given_time_of_symmetry_does_not_wait() {
    let mut board = on_the_table(SYMMETRY, 0, 0, None);
    advance(&mut board, 1_000);
    assert_eq!(clock(&board), (29_000, 30_000, false));
}

#[test]
fn a_state_with_a_running_clock_before_a_touch_is_refused() {
    let mut board = on_the_table(REVERSI, 0, 0, None);
    touch(&mut board, "a1");
    let mut buffer = [0; SNAPSHOT_BYTES];
    let mut forged = board.clone();
    let referee = forged.state.referee.as_mut().expect("a game is on");
    referee.forget_touch();
    let saved = forged.save(&mut buffer).expect("there is room");
    assert_eq!(board.load(saved), Err(Refusal::Snapshot));
}
