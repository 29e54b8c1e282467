//! Lights and sounds beside the points: clocks that run out, the end, a paused game,
//! touches without effect.

use super::*;
use crate::beeper::Sound;
use crate::digest::digest;
use crate::games::testing::rows_to_points;
use crate::referee::{SIGNAL_HEARD_MS, SIGNAL_HZ};
use crate::rng::Rng;

const REVERSI: u8 = 0;
const GHOST: u8 = 1;
const LIFE: u8 = 2;
const TOUCH_IT: u8 = 3;
const SYMMETRY: u8 = 4;
const FILL_IT: u8 = 6;
const FIND_THEM: u8 = 7;
const SPEED_GO: u8 = 9;

/// A board on which this game, mode and level are chosen, with Time 0: 5 s.
/// Half a period of the fast rhythm.
const FAST_HALF_MS: u64 = 125;

/// The turn lights as they are seen.
fn turn_lights(board: &Board<u128>) -> [bool; 2] {
    board.frame().turn_seen(board.tick())
}

fn choose(game: u8, mode: u8, level: u8) -> Board<u128> {
    let mut board = board();
    let settings = Settings {
        game,
        time: 0,
        mode,
        level,
        ..Settings::default()
    };
    board
        .carry_out(&Deed::Settings(settings), &mut |_, _| {})
        .expect("it is there");
    advance(&mut board, 2_000);
    board
}

/// Starts this game.
fn start(game: u8, mode: u8, level: u8) -> Board<u128> {
    let mut board = choose(game, mode, level);
    press(&mut board, Button::Start);
    board
}

/// Sets up this position.
fn set_up(game: u8, mode: u8, level: u8, turn: Side, rows: &[&str]) -> Board<u128> {
    let mut board = choose(game, mode, level);
    let points = rows_to_points(Layout::MALDOO, rows);
    board
        .carry_out(
            &Deed::Position(protocol::Diagram { points, turn }.into()),
            &mut |_, _| {},
        )
        .expect("a position of the game");
    board
}

fn point(name: &str) -> Point {
    Layout::MALDOO.point(name).expect("a point of the board")
}

/// Touches this point and returns the events.
fn tap(board: &mut Board<u128>, name: &str) -> Vec<Event> {
    let mut events = Vec::new();
    let mut tell = |_, event| events.push(event);
    board.input(Input::Touch(point(name)), &mut tell);
    board.input(Input::Release(point(name)), &mut tell);
    events
}

fn rows(board: &Board<u128>) -> Vec<std::string::String> {
    let letter = |point| board.frame().seen(point, board.tick()).letter();
    let points: Vec<char> = Layout::MALDOO.iter().map(letter).collect();
    points.chunks(9).map(|row| row.iter().collect()).collect()
}

fn is_dark(board: &Board<u128>) -> bool {
    rows(board).iter().all(|row| row == ".........")
}

/// A game of Reversi that green has just won, 3 to 0.
fn won() -> Board<u128> {
    let mut board = set_up(REVERSI, 0, 0, Side::Green, &[".rg......"]);
    tap(&mut board, "a9");
    assert_eq!(board.outcome(), Some(Outcome::Won(Side::Green)));
    board
}

#[test]
fn touches_do_not_end_the_signal_at_once() {
    let mut board = won();
    for _ in 0..29 {
        advance(&mut board, SIGNAL_HEARD_MS / 30);
        tap(&mut board, "i1");
        assert_eq!(display(&board), "3          0");
        let lit = turn_lights(&board)[0];
        assert_eq!(
            board.frame().beep_hz == SIGNAL_HZ,
            lit,
            "no finger drowns it"
        );
    }
    advance(&mut board, SIGNAL_HEARD_MS / 30 - 1);
    tap(&mut board, "i1");
    advance(&mut board, 251);
    assert_eq!(turn_lights(&board), [false; 2], "it still blinks");
}

#[test]
fn winner_and_score_stay_until_a_button_is_pressed() {
    let mut board = won();
    advance(&mut board, SIGNAL_HEARD_MS);
    tap(&mut board, "i1");
    for _ in 0..20 {
        assert_eq!(turn_lights(&board), [true, false]);
        assert_eq!(display(&board), "3          0");
        advance(&mut board, 777);
        tap(&mut board, "i1");
    }
    press(&mut board, Button::Time);
    assert_eq!(turn_lights(&board), [false; 2]);
    assert_eq!(display(&board), "015_0");
    advance(&mut board, 10_000);
    assert_eq!(display(&board), "015_0");
    assert_eq!(rows(&board)[0], "ggg......");
}

#[test]
fn a_button_ends_the_signal_at_once_and_stop_leaves_the_result() {
    let mut board = won();
    assert_eq!(board.frame().beep_hz, SIGNAL_HZ);
    press(&mut board, Button::Stop);
    for _ in 0..4 {
        assert_eq!(turn_lights(&board), [true, false]);
        assert_eq!(board.frame().beep_hz, 0);
        assert_eq!(display(&board), "3          0");
        advance(&mut board, 250);
    }
    let mut board = won();
    press(&mut board, Button::Speed);
    assert_eq!(turn_lights(&board), [false; 2]);
    assert_eq!(display(&board), "006_0");
}

#[test]
fn the_end_of_a_turn_winks_and_ticks() {
    let mut board = start(REVERSI, 0, 0);
    begin(&mut board);
    for ms in 0..5_000 {
        let into_second = ms % 1_000;
        let warns = ms >= 3_000;
        let winks = warns && !protocol::Rhythm::Wink.is_on(into_second);
        assert_eq!(turn_lights(&board), [!winks, false], "after {ms} ms");
        let ticks = warns && into_second < Sound::Second.ms();
        let hz = if ticks { Sound::Second.hz() } else { 0 };
        assert_eq!(board.frame().beep_hz, hz, "after {ms} ms");
        advance(&mut board, 1);
    }
    assert_eq!(board.turn(), Some(Side::Red));
    assert_eq!(turn_lights(&board), [false, true]);
}

#[test]
fn a_long_turn_warns_in_its_last_five_seconds() {
    let mut board = start(REVERSI, 0, 0);
    begin(&mut board);
    // The next turn has 8 s, the one after it 120.
    press(&mut board, Button::Time);
    advance(&mut board, 5_000);
    for _ in 0..8 {
        press(&mut board, Button::Time);
    }
    let mut bleeps = Vec::new();
    let mut see = |tick: Tick, event| {
        if event == Event::Bleep(Sound::Second.hz()) {
            bleeps.push(tick);
        }
    };
    let begins = board.tick();
    board.advance(8_000 + 120_000, &mut see);
    let expected = [
        5_000, 6_000, 7_000, 123_000, 124_000, 125_000, 126_000, 127_000,
    ];
    assert_eq!(bleeps, expected.map(|ms| begins + ms));
}

#[test]
fn no_warning_sounds_in_a_pause_or_while_the_board_thinks() {
    let mut board = start(REVERSI, 0, 0);
    begin(&mut board);
    advance(&mut board, 4_100);
    assert_eq!(turn_lights(&board), [false, false]);
    press(&mut board, Button::Stop);
    let mut bleeps = 0;
    let mut count = |_, event| bleeps += u32::from(matches!(event, Event::Bleep(_)));
    board.advance(60_000, &mut count);
    assert_eq!((bleeps, turn_lights(&board)), (0, [true, false]));
    press(&mut board, Button::Stop);
    assert_eq!(turn_lights(&board), [false, false]);

    // SpeedGo's player may use all the time that it has.
    let mut board = set_up(SPEED_GO, 1, 4, Side::Red, &[]);
    let begins = board.tick();
    while board.turn() == Some(Side::Red) {
        assert_eq!(turn_lights(&board), [false, true]);
        assert_eq!(board.frame().beep_hz, 0);
        advance(&mut board, 1);
    }
    assert!(board.tick() > begins + 4_000);
}

#[test]
fn a_time_out_is_reported_before_its_consequences() {
    for (game, mode, follows) in [(REVERSI, 0, "Move"), (GHOST, 0, "Turn"), (LIFE, 1, "Turn")] {
        let mut board = start(game, mode, 0);
        begin(&mut board);
        let mut events = Vec::new();
        let end = board.tick() + 5_000;
        board.advance(5_000, &mut |tick, event| {
            if tick == end {
                events.push(std::format!("{event:?}"));
            }
        });
        let first = events
            .iter()
            .position(|event| event == "TimedOut { side: Green }");
        let then = events.iter().position(|event| event.starts_with(follows));
        assert!(first.is_some() && first < then, "{events:?}");
        assert_eq!(board.frame().beep_hz, Sound::TimeOut.hz());
        assert_eq!(display(&board), "Time is up");
        advance(&mut board, Sound::TimeOut.ms());
        assert_eq!(board.frame().beep_hz, 0);
        advance(&mut board, 1_500);
        assert_ne!(display(&board), "Time is up");
    }
}

/// The sound of the end contains pauses, in which no other sound may be heard.
#[test]
fn a_game_ended_by_the_clock_has_the_usual_signal() {
    let mut board = set_up(SPEED_GO, 1, 0, Side::Green, &["....gr..."; 9]);
    tap(&mut board, "e9");
    advance(&mut board, 2 * 5_000);
    assert!(board.outcome().is_some());
    for ms in 0..SIGNAL_HEARD_MS {
        let hz = if ms / 250 % 2 == 0 { SIGNAL_HZ } else { 0 };
        assert_eq!(board.frame().beep_hz, hz, "after {ms} ms");
        advance(&mut board, 1);
    }
    assert_eq!(board.frame().beep_hz, 0);
}

/// Maldoo manual, Symmetry: "within a given time".
#[test]
fn symmetry_displays_found_missing_seconds_and_mistakes() {
    let mut board = set_up(SYMMETRY, 0, 0, Side::Green, &["ggg"]);
    assert_eq!(display(&board), "0/3    30  0");
    tap(&mut board, "a1");
    tap(&mut board, "b2");
    tap(&mut board, "c2");
    assert_eq!(display(&board), "1/3    30  2");
    advance(&mut board, 999);
    assert_eq!(display(&board), "1/3    30  2");
    advance(&mut board, 1);
    assert_eq!(display(&board), "1/3    29  2");
    advance(&mut board, 24_000);
    assert_eq!(display(&board), "1/3    5   2");
    assert_eq!(board.frame().beep_hz, Sound::Second.hz());
    assert_eq!(turn_lights(&board), [false, false]);
    let mut events = Vec::new();
    board.advance(5_000, &mut |_, event| events.push(event));
    assert!(events.contains(&Event::TimedOut { side: Side::Green }));
    assert_eq!(display(&board), "Time is up");
    assert_eq!(board.frame().beep_hz, Sound::TimeOut.hz());
    advance(&mut board, 2_000);
    assert_eq!(board.outcome(), Some(Outcome::Won(Side::Red)));
    assert_eq!(display(&board), "1/3        2");

    let mut board = set_up(SYMMETRY, 0, 0, Side::Green, &["g"]);
    tap(&mut board, "b2");
    tap(&mut board, "c2");
    tap(&mut board, "a1");
    assert_eq!(board.outcome(), Some(Outcome::Won(Side::Green)));
    assert_eq!(display(&board), "1/1        2");
}

#[test]
fn ghost_and_touchit_display_the_turns_left() {
    let mut board = start(GHOST, 0, 0);
    assert_eq!(display(&board), "0    32    0");
    board.input(Input::Pass, &mut |_, _| {});
    assert_eq!(display(&board), "0    31    0");
    while board.outcome().is_none() {
        board.input(Input::Pass, &mut |_, _| {});
    }
    assert_eq!(display(&board), "0          0");
    let board = start(TOUCH_IT, 0, 0);
    assert_eq!(display(&board), "0    40    0");
}

#[test]
fn a_paused_board_is_dark_and_comes_back_unchanged() {
    for game in [REVERSI, GHOST, LIFE, SYMMETRY, FILL_IT, FIND_THEM] {
        let mut board = start(game, 0, 0);
        let before = board.frame().points.clone();
        press(&mut board, Button::Stop);
        assert!(is_dark(&board), "game {game}");
        assert!(display(&board).contains("Stop"), "game {game}");
        advance(&mut board, 10_000);
        assert!(is_dark(&board), "game {game}");
        press(&mut board, Button::Stop);
        assert_eq!(board.frame().points, before, "game {game}");
    }
    let mut board = set_up(REVERSI, 0, 0, Side::Red, &[".rggg", "...rr"]);
    press(&mut board, Button::Stop);
    assert_eq!(display(&board), "3   Stop   3");
    assert_eq!(turn_lights(&board), [false, true]);
    let mut board = set_up(SYMMETRY, 0, 0, Side::Green, &["ggg"]);
    tap(&mut board, "b2");
    press(&mut board, Button::Stop);
    assert_eq!(display(&board), "0/3   Stop 1");
}

/// The beeper knocks, and a moment later nothing else has changed.
fn means_nothing(mut board: Board<u128>, name: &str) {
    let mut other = board.clone();
    let events = tap(&mut board, name);
    assert_eq!(events, [Event::Bleep(Sound::Nothing.hz())]);
    advance(&mut board, Sound::Nothing.ms() - 1);
    assert_eq!(board.frame().beep_hz, Sound::Nothing.hz());
    advance(&mut board, 1);
    advance(&mut other, Sound::Nothing.ms());
    assert_eq!(board.frame(), other.frame());
    assert_eq!(board.digest(), other.digest());
}

#[test]
fn every_ignored_touch_knocks_in_all_games() {
    means_nothing(choose(REVERSI, 0, 0), "e5");
    let mut held = start(REVERSI, 0, 0);
    press(&mut held, Button::Stop);
    means_nothing(held, "c5");
    means_nothing(set_up(REVERSI, 0, 4, Side::Red, &["..rg", "..rg"]), "e9");
    means_nothing(start(FIND_THEM, 0, 0), "e5");
    means_nothing(start(TOUCH_IT, 0, 0), "e5");
    means_nothing(set_up(SYMMETRY, 0, 0, Side::Green, &["g"]), "a9");
    means_nothing(set_up(FILL_IT, 0, 0, Side::Green, &["g"]), "a9");
    means_nothing(
        set_up(GHOST, 0, 0, Side::Green, &["g...aa", "....aa"]),
        "a9",
    );
    let mut over = won();
    advance(&mut over, 2_750);
    means_nothing(over, "e5");
    let mut over = won();
    press(&mut over, Button::Stop);
    means_nothing(over, "e5");
}

#[test]
fn neither_a_move_nor_an_illegal_touch_knocks() {
    let mut board = start(REVERSI, 0, 0);
    for name in ["a1", "c5"] {
        let events = tap(&mut board, name);
        assert!(!events.iter().any(|event| matches!(event, Event::Bleep(_))));
    }
    let mut won = won();
    advance(&mut won, SIGNAL_HEARD_MS + 250);
    assert_eq!(tap(&mut won, "e5"), [], "it ended the signal");
}

#[test]
fn a_refused_pass_changes_nothing() {
    let mut pattern = set_up(GHOST, 0, 0, Side::Green, &["....aa", "....aa"]);
    tap(&mut pattern, "e9");
    let refusing = [
        choose(REVERSI, 0, 0),
        start(REVERSI, 0, 0),
        start(LIFE, 0, 0),
        start(TOUCH_IT, 0, 0),
        start(SYMMETRY, 0, 0),
        start(FIND_THEM, 0, 0),
        pattern,
        won(),
    ];
    for mut board in refusing {
        let before = board.digest();
        let mut events = Vec::new();
        board.input(Input::Pass, &mut |_, event| events.push(event));
        assert_eq!(events, []);
        assert_eq!(board.digest(), before, "game {}", board.settings().game);
    }
}

#[test]
fn a_flash_shows_the_position_half_of_the_time() {
    // In mode 3 of FillIt a lit point can be legal, such as d7.
    let position = ["........r", ".r.......", "...r.....", "", "gg......."];
    let mut board = set_up(FILL_IT, 3, 0, Side::Green, &position);
    let shown = rows(&board);
    let legal = board.legal();
    assert!(legal.has(point("d7")) && !legal.has(point("a5")));
    let events = tap(&mut board, "a5");
    assert!(matches!(events[..], [Event::Illegal { .. }]), "{events:?}");
    for half in 0..8 {
        for _ in 0..FAST_HALF_MS {
            if half % 2 == 1 {
                assert_eq!(rows(&board), shown, "half {half}");
            } else {
                for point in Layout::MALDOO.iter() {
                    let before = shown[usize::from(Layout::MALDOO.row(point))]
                        .chars()
                        .nth(usize::from(Layout::MALDOO.column(point)));
                    let expected = match before {
                        Some('.') if legal.has(point) => 'g',
                        Some(_) if legal.has(point) => 'a',
                        _ => before.expect("a point of the board"),
                    };
                    assert_eq!(board.frame().seen(point, board.tick()).letter(), expected);
                }
            }
            advance(&mut board, 1);
        }
    }
    assert_eq!(rows(&board), shown);
}

/// A flash starts with its lit half at the touch, wherever the touch falls within a
/// second of the clock; meanwhile the turn light winks as if there had been no touch.
#[test]
fn a_flash_in_the_last_seconds_begins_at_its_touch() {
    for touched_at in [
        3_000, 3_001, 3_124, 3_200, 3_249, 3_250, 3_251, 3_900, 4_600,
    ] {
        let mut board = start(REVERSI, 0, 0);
        let legal = board.legal();
        begin(&mut board);
        advance(&mut board, touched_at);
        let shown = rows(&board);
        tap(&mut board, "a1");
        let mut at_once = board.clone();
        for ms in touched_at..5_000 {
            let winks = !protocol::Rhythm::Wink.is_on(ms % 1_000);
            assert_eq!(
                turn_lights(&board),
                [!winks, false],
                "{touched_at}: after {ms} ms"
            );
            let flashed = ms - touched_at;
            let is_lit = flashed < 1_000 && (flashed / FAST_HALF_MS).is_multiple_of(2);
            let lit = legal.filter(|point| {
                board.frame().seen(*point, board.tick()) == protocol::Colour::GREEN
            });
            let expected = if is_lit { legal.len() } else { 0 };
            assert_eq!(lit.count(), expected, "{touched_at}: after {ms} ms");
            if !is_lit {
                assert_eq!(rows(&board), shown, "{touched_at}: after {ms} ms");
            }
            let ticks = ms % 1_000 < Sound::Second.ms() && ms > touched_at;
            if ticks {
                assert_eq!(board.frame().beep_hz, Sound::Second.hz(), "after {ms} ms");
            }
            advance(&mut board, 1);
        }
        let mut anew = board.clone();
        anew.repaint(&mut |_, _| {});
        assert_eq!(anew.frame(), board.frame());
        advance(&mut at_once, 5_000 - touched_at);
        assert_eq!(at_once.digest(), board.digest());
    }
}

/// A side that cannot move is passed over because of a move, which is reported first.
#[test]
fn a_skipped_turn_is_reported_after_its_move() {
    let rows = [".rg......", "", "", "", "", "", "", "", "gr......."];
    let mut board = set_up(REVERSI, 0, 0, Side::Green, &rows);
    let events = tap(&mut board, "a9");
    let moved = events
        .iter()
        .position(|event| matches!(event, Event::Move { .. }));
    let passed = events
        .iter()
        .position(|event| matches!(event, Event::Passed { .. }));
    assert!(moved < passed, "{events:?}");
}

/// A frame that changes with time is repainted whenever it changes.
#[test]
fn the_frame_of_every_tick_equals_a_full_repaint() {
    for (game, mode) in [(REVERSI, 0), (SYMMETRY, 0), (GHOST, 2), (LIFE, 1)] {
        let mut board = start(game, mode, 0);
        tap(&mut board, "a1");
        let mut at_once = board.clone();
        for _ in 0..34_000 {
            advance(&mut board, 1);
            let mut anew = board.clone();
            anew.repaint(&mut |_, _| {});
            assert_eq!(anew.frame(), board.frame(), "tick {}", board.tick());
        }
        advance(&mut at_once, 34_000);
        assert_eq!(at_once.digest(), board.digest());
    }
}

/// Holds whatever is pressed meanwhile, in every game and against the board.
#[test]
fn the_frame_after_any_press_equals_a_full_repaint() {
    const PRESSED: [Button; 9] = [
        Button::Stop,
        Button::Stop,
        Button::Stop,
        Button::Start,
        Button::Level,
        Button::Level,
        Button::Time,
        Button::Speed,
        Button::Mode,
    ];
    let mut over = 0;
    for game in games::NUMBERS {
        let mut rng = Rng::new((*game).into());
        for level in [0, 1] {
            let mut board = start(*game, 0, level);
            for _ in 0..60 {
                match rng.below(8) {
                    0 => press(&mut board, PRESSED[rng.below(9) as usize]),
                    1 => board.input(Input::Pass, &mut |_, _| {}),
                    _ => {
                        let point = rng.pick(board.legal()).unwrap_or(Point(0));
                        board.input(Input::Touch(point), &mut |_, _| {});
                        board.input(Input::Release(point), &mut |_, _| {});
                    }
                }
                over += u32::from(board.outcome().is_some());
                for _ in 0..rng.below(1_500) {
                    advance(&mut board, 1);
                    let mut anew = board.clone();
                    anew.repaint(&mut |_, _| {});
                    assert_eq!(anew.frame(), board.frame(), "game {game}, {}", board.tick());
                }
            }
        }
    }
    assert!(over > 0, "an end was seen, too");
}

#[test]
fn a_state_with_a_paused_finished_game_is_refused() {
    let board = won();
    let mut buffer = [0; SNAPSHOT_BYTES];
    let saved = board.save(&mut buffer).expect("there is room");
    let mut forged = saved[..saved.len() - DIGEST_BYTES].to_vec();
    // The game began at tick 2,000, is not paused, and no clock runs. Forge a pause that
    // began then.
    let began = forged
        .windows(4)
        .rposition(|bytes| bytes == [0xD0, 0x0F, 0, 0])
        .expect("it is written there");
    forged.splice(began + 2..began + 3, [1, 0xD0, 0x0F]);
    let seal = digest(&forged[..]).to_le_bytes();
    forged.extend(seal);
    assert_eq!(board.clone().load(&forged), Err(Refusal::Snapshot));
}
