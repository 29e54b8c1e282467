//! The panel and the referee, from the point of view of a person at the board.

use std::string::ToString;
use std::vec::Vec;

use protocol::{Clock, Deed, LastMove, Mover, Outcome, Side};

use super::*;
use crate::panel::TURN_TIME_MS;
use crate::points::Points;

mod drawn;
mod first_touch;
#[cfg(feature = "ishido")]
mod ishido;
mod parts;
mod roster;
mod seen_and_heard;

fn board() -> Board<u128> {
    Board::new(Layout::MALDOO, 7).expect("9x9 fits 128 bits")
}

fn press(board: &mut Board<u128>, button: Button) {
    board.input(Input::Press(button), &mut |_, _| {});
    board.input(Input::Lift(button), &mut |_, _| {});
}

/// Makes the clocks run and restarts the turn of this side. If the turn cannot be given
/// away and back, a touch is made that the rules do not allow.
fn begin(board: &mut Board<u128>) {
    let turn = board.turn();
    for input in [Input::Pass, Input::Pass] {
        board.input(input, &mut |_, _| {});
    }
    let illegal = board.ground().all().without(board.legal()).first();
    if let Some(point) = illegal.filter(|_| board.status().clock.is_some_and(|clock| clock.waits)) {
        board.input(Input::Touch(point), &mut |_, _| {});
        board.input(Input::Release(point), &mut |_, _| {});
    }
    let clock = board.status().clock.expect("there is a clock");
    assert_eq!((clock.left_ms, clock.waits), (clock.of_ms, false));
    assert_eq!(board.turn(), turn);
}

/// Reversi, with Time 5: 30 s.
fn with_time_5() -> Board<u128> {
    let mut board = board();
    let settings = Settings {
        time: 5,
        ..board.settings()
    };
    let done = board.carry_out(&Deed::Settings(settings), &mut |_, _| {});
    done.expect("it is in range");
    board
}

fn display(board: &Board<u128>) -> std::string::String {
    board.frame().display.to_string()
}

#[test]
fn a_board_shows_its_game_and_then_its_settings_at_power_on() {
    let mut board = board();
    assert_eq!(display(&board), "Reversi");
    board.advance(2_000, &mut |_, _| {});
    assert_eq!(display(&board), "095_0");
}

#[test]
fn settings_count_up_and_wrap_around() {
    let mut board = board();
    for expected in [1, 2, 3, 4, 0] {
        press(&mut board, Button::Level);
        assert_eq!(board.settings().level, expected);
    }
    for expected in [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0] {
        press(&mut board, Button::Time);
        assert_eq!(board.settings().time, expected);
    }
}

/// Maldoo manual, Buttons: "The speed and mode are game specific".
#[test]
fn speed_and_mode_come_back_with_their_game() {
    let mut board = board();
    press(&mut board, Button::Mode);
    press(&mut board, Button::Speed);
    press(&mut board, Button::Game);
    assert_eq!((board.settings().mode, board.settings().speed), (0, 5));
    while board.settings().game != 0 {
        press(&mut board, Button::Game);
    }
    assert_eq!((board.settings().mode, board.settings().speed), (1, 6));
}

/// Maldoo manual, Buttons: only speed and mode are game specific. A game that the board
/// does not play shows no level, but does not change it.
#[test]
fn another_game_keeps_level_and_time() {
    let all = || games::BUILT.iter();
    for (from, to) in all().flat_map(|from| all().map(move |to| (from, to))) {
        for level in 0..=4 {
            let board = Board::<u128>::with_games(Layout::MALDOO, games::BUILT, 7);
            let mut board = board.expect("9x9 fits 128 bits");
            let choose = |board: &mut Board<u128>, game: u8| {
                let done = board.carry_out(&Deed::Choose(game), &mut |_, _| {});
                done.expect("it is there");
            };
            choose(&mut board, from);
            let settings = Settings {
                level,
                time: 3,
                ..board.settings()
            };
            let done = board.carry_out(&Deed::Settings(settings), &mut |_, _| {});
            done.expect("they are in range");
            let mut by_button = board.clone();
            choose(&mut board, to);
            while by_button.settings().game != to {
                press(&mut by_button, Button::Game);
            }
            for mut board in [board, by_button] {
                let now = board.settings();
                assert_eq!(
                    (now.game, now.level, now.time),
                    (to, level, 3),
                    "from {from}"
                );
                advance(&mut board, 2_000);
                let plays = games::about(to).expect("it is in the build").board_can_play;
                let shown = char::from_digit(level.into(), 10).filter(|_| plays && level > 0);
                assert_eq!(
                    display(&board).chars().nth(3),
                    shown.or(Some('_')),
                    "game {to}"
                );
                let mut buffer = [0; SNAPSHOT_BYTES];
                let saved = board.save(&mut buffer).expect("there is room").to_vec();
                let mut loaded = Board::<u128>::new(Layout::MALDOO, 0).expect("it fits");
                loaded.load(&saved).expect("it was saved");
                choose(&mut loaded, from);
                assert_eq!(loaded.settings().level, level, "{to} and back to {from}");
            }
        }
    }
}

/// A setting that is not visible cannot be changed.
#[test]
fn level_is_locked_in_games_the_board_does_not_play() {
    const SYMMETRY: u8 = 4;
    let mut board = board();
    press(&mut board, Button::Level);
    board
        .carry_out(&Deed::Choose(SYMMETRY), &mut |_, _| {})
        .expect("it is there");
    press(&mut board, Button::Level);
    assert_eq!(board.settings().level, 1);
    assert_eq!(display(&board), "495_0");
    board
        .carry_out(&Deed::Choose(0), &mut |_, _| {})
        .expect("it is there");
    press(&mut board, Button::Level);
    assert_eq!(display(&board), "09520");
}

#[test]
fn a_held_setting_button_repeats_and_a_held_start_does_not() {
    let mut board = with_time_5();
    board.input(Input::Press(Button::Time), &mut |_, _| {});
    board.advance(499, &mut |_, _| {});
    assert_eq!(board.settings().time, 6);
    board.advance(1, &mut |_, _| {});
    assert_eq!(board.settings().time, 7);
    board.advance(500, &mut |_, _| {});
    assert_eq!(board.settings().time, 9);
    board.input(Input::Lift(Button::Time), &mut |_, _| {});
    board.advance(5_000, &mut |_, _| {});
    assert_eq!(board.settings().time, 9);

    let mut starts = 0;
    let mut count = |_, event| starts += u32::from(matches!(event, Event::Started(_)));
    board.input(Input::Press(Button::Start), &mut count);
    board.advance(5_000, &mut count);
    assert_eq!(starts, 1);
}

#[test]
fn another_mode_ends_the_game_but_another_speed_does_not() {
    let mut board = board();
    press(&mut board, Button::Start);
    press(&mut board, Button::Speed);
    assert!(board.turn().is_some());
    let mut events = Vec::new();
    board.input(Input::Press(Button::Mode), &mut |_, event| {
        events.push(event)
    });
    assert!(board.turn().is_none());
    assert!(events.contains(&Event::Stopped(Stop::Settings)));
    assert_eq!(board.frame().turn, [false, false]);
}

#[test]
fn in_the_boards_own_turn_no_touch_is_a_move() {
    let mut board = board();
    let settings = Settings {
        level: 1,
        ..Settings::default()
    };
    board
        .carry_out(&Deed::Settings(settings), &mut |_, _| {})
        .unwrap();
    press(&mut board, Button::Start);
    let green = Points::first(board.legal()).expect("green begins");
    board.input(Input::Touch(green), &mut |_, _| {});
    assert_eq!(board.turn(), Some(Side::Red));
    assert_eq!(Points::first(board.legal()), None);
    while board.turn() == Some(Side::Red) {
        board.advance(1, &mut |_, _| {});
    }
    assert!(Points::first(board.legal()).is_some());
}

#[test]
fn a_held_game_does_not_move_and_its_clock_stands_still() {
    let mut board = with_time_5();
    press(&mut board, Button::Start);
    begin(&mut board);
    let limit = Tick::from(TURN_TIME_MS[5]);
    board.advance(limit - 10, &mut |_, _| {});
    press(&mut board, Button::Stop);
    let legal = Points::first(board.legal());
    assert_eq!(legal, None, "touches are dead while the game is held");
    board.advance(100_000, &mut |_, _| {});
    assert_eq!(board.turn(), Some(Side::Green));
    press(&mut board, Button::Stop);
    let mut timed_out = None;
    let mut see = |tick, event| {
        if matches!(event, Event::TimedOut { .. }) {
            timed_out = Some(tick);
        }
    };
    board.advance(10, &mut see);
    assert_eq!(timed_out, Some(board.tick()));
}

#[test]
fn a_snapshot_with_any_byte_changed_is_refused() {
    let mut board = board();
    press(&mut board, Button::Start);
    board.advance(1_234, &mut |_, _| {});
    let mut buffer = [0; SNAPSHOT_BYTES];
    let bytes = board
        .save(&mut buffer)
        .expect("the buffer is large enough")
        .to_vec();
    assert_eq!(
        Board::<u128>::new(Layout::MALDOO, 0).map(|mut b| b.load(&bytes)),
        Some(Ok(()))
    );
    for place in 0..bytes.len() {
        let mut damaged = bytes.clone();
        damaged[place] ^= 0x10;
        assert_eq!(board.load(&damaged), Err(Refusal::Snapshot));
    }
    assert_eq!(
        board.load(&bytes[..bytes.len() - 1]),
        Err(Refusal::Snapshot)
    );
}

#[test]
fn settings_out_of_range_are_refused() {
    let mut board = board();
    let before = board.digest();
    let bad = |change: fn(&mut Settings)| {
        let mut settings = Settings::default();
        change(&mut settings);
        settings
    };
    for settings in [
        bad(|s| s.game = 77),
        bad(|s| s.mode = 6),
        bad(|s| s.time = 10),
        bad(|s| s.speed = 10),
        bad(|s| s.level = 5),
    ] {
        assert!(
            board
                .carry_out(&Deed::Settings(settings), &mut |_, _| {})
                .is_err()
        );
    }
    assert_eq!(board.digest(), before);
}

/// A board on which the third game has a different speed and mode, and which shows the
/// first game again.
fn board_that_remembers() -> Board<u128> {
    let mut board = board();
    for _ in 0..3 {
        press(&mut board, Button::Game);
    }
    for button in [Button::Speed, Button::Speed, Button::Mode] {
        press(&mut board, button);
    }
    while board.settings().game != 0 {
        press(&mut board, Button::Game);
    }
    board
}

#[test]
fn choosing_a_game_by_number_equals_choosing_by_button() {
    for game in games::NUMBERS {
        let [mut by_button, mut by_number] = [board_that_remembers(), board_that_remembers()];
        while by_button.settings().game != *game {
            press(&mut by_button, Button::Game);
        }
        by_number
            .carry_out(&Deed::Choose(*game), &mut |_, _| {})
            .unwrap();
        assert_eq!(by_number.settings(), by_button.settings());
    }
    let mut board = board_that_remembers();
    board.carry_out(&Deed::Choose(3), &mut |_, _| {}).unwrap();
    assert_eq!((board.settings().speed, board.settings().mode), (7, 1));
}

#[test]
fn choosing_a_missing_game_is_refused() {
    let mut board = board();
    let before = board.digest();
    let done = board.carry_out(&Deed::Choose(77), &mut |_, _| {});
    assert_eq!(done, Err(Refusal::NoSuchGame(77)));
    assert_eq!(board.digest(), before);
}

fn advance(board: &mut Board<u128>, ticks: Tick) {
    board.advance(ticks, &mut |_, _| {});
}

#[test]
fn the_status_has_the_clock_and_pausing_stops_it() {
    let mut board = with_time_5();
    assert_eq!(board.status().clock, None);
    press(&mut board, Button::Start);
    begin(&mut board);
    advance(&mut board, 1_500);
    let of_ms = TURN_TIME_MS[5];
    let running = Clock {
        left_ms: of_ms - 1_500,
        of_ms,
        waits: false,
    };
    assert_eq!(board.status().clock, Some(running));
    press(&mut board, Button::Stop);
    // A new Time applies from the next turn.
    press(&mut board, Button::Time);
    advance(&mut board, 9_000);
    assert_eq!(board.status().clock, Some(running));
}

#[test]
fn the_status_marks_a_move_made_by_the_clock() {
    let mut board = with_time_5();
    press(&mut board, Button::Start);
    begin(&mut board);
    assert_eq!(board.status().last_move, None);
    advance(&mut board, TURN_TIME_MS[5].into());
    let last = board.status().last_move.expect("a move was made");
    assert_eq!((last.side, last.by), (Side::Green, Mover::Clock));
    let legal = board.legal();
    let mut points = Layout::MALDOO.iter();
    let point = points
        .find(|point| legal.has(*point))
        .expect("red can move");
    board.input(Input::Touch(point), &mut |_, _| {});
    let by_hand = LastMove {
        side: Side::Red,
        point,
        by: Mover::Finger,
    };
    assert_eq!(board.status().last_move, Some(by_hand));
}

#[test]
fn the_status_has_turns_left_and_no_thinking_in_a_pause() {
    let touchit = Settings {
        game: 3,
        level: 4,
        ..Settings::default()
    };
    let mut board = board();
    board
        .carry_out(&Deed::Settings(touchit), &mut |_, _| {})
        .expect("it is there");
    press(&mut board, Button::Start);
    let status = board.status();
    assert_eq!(status.turns_left, Some(40));
    assert!(status.idle && !status.thinking);
    while board.status().idle {
        advance(&mut board, 10);
    }
    assert!(!board.status().thinking, "both play at once");
}

/// Maldoo manual, Symmetry: "within a given time".
#[test]
fn the_status_has_the_clock_of_a_whole_game() {
    let symmetry = Settings {
        game: 4,
        ..Settings::default()
    };
    let mut board = board();
    board
        .carry_out(&Deed::Settings(symmetry), &mut |_, _| {})
        .expect("it is there");
    press(&mut board, Button::Start);
    advance(&mut board, 1_000);
    let clock = board.status().clock.expect("time runs");
    assert_eq!((clock.left_ms, clock.of_ms), (29_000, 30_000));
}
