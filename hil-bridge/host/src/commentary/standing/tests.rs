//! The sentences about each game in every kind of situation, on a real core.

use std::fmt::Write;

use firmware_core::AnyBoard;
use protocol::{Colour, Deed, Event, Input, Point, Tick};

use firmware_core::games::{self, LAYOUTS_OWN, number};

use super::*;

/// The maximum board time to wait for something in a game, in ms.
const PATIENCE_MS: Tick = 6 * 60 * 60 * 1_000;

fn board(settings: Settings) -> AnyBoard {
    let about = about(settings.game).expect("a game that is there");
    let layout = Layout::Grid((about.made_for)(settings.mode));
    let board = AnyBoard::with_games(layout, games::BUILT, 7);
    let mut board = board.expect("a layout that is there");
    board
        .carry_out(&Deed::Settings(settings), &mut |_, _| {})
        .expect("settings that are there");
    board
}

fn press(board: &mut AnyBoard, button: Button) {
    board.input(Input::Press(button), &mut |_, _| {});
    board.input(Input::Lift(button), &mut |_, _| {});
}

fn is_dark(board: &AnyBoard) -> bool {
    let mut points = board.layout().iter();
    points.all(|point| board.frame().points.get(point) == Colour::OFF)
}

/// Touches a legal point, if there is one, and lets a little time pass.
fn move_on(board: &mut AnyBoard, count: usize) {
    let points = board.legal_points();
    if let Some(point) = points.get(count * 7 % points.len().max(1)) {
        board.input(Input::Touch(*point), &mut |_, _| {});
        board.input(Input::Release(*point), &mut |_, _| {});
    }
    board.advance(30, &mut |_, _| {});
}

/// Plays until this is true of the board; false if that never happens.
fn play_until(board: &mut AnyBoard, is_so: impl Fn(&AnyBoard) -> bool) -> bool {
    for count in 0..20_000 {
        if is_so(board) {
            return true;
        }
        if board.outcome().is_some() || board.tick() > PATIENCE_MS {
            return false;
        }
        move_on(board, count);
    }
    false
}

/// Lets time pass until this is true of the board.
fn wait_until(board: &mut AnyBoard, is_so: impl Fn(&AnyBoard) -> bool) -> bool {
    for _ in 0..20_000 {
        if is_so(board) {
            return true;
        }
        board.advance(10, &mut |_, _| {});
    }
    false
}

/// Everything that the status card shows.
fn add_moment(table: &mut String, moment: &str, board: &AnyBoard) {
    let status = board.status();
    let score = status.score.map(|both| score(&status.settings, both));
    let clock = status.clock.map(|clock| time_left(clock.left_ms));
    let parts = [
        Some(state(&status, board.frame())),
        score,
        clock,
        clock_waits(&status).map(str::to_owned),
        turns_left(&status),
        last_move(&status, board.layout()),
    ];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    writeln!(table, "  {moment:<11} {}", parts.join(" | ")).expect("text takes all");
}

fn moments(settings: Settings, table: &mut String) {
    let mut board = board(settings);
    writeln!(table, "{}", kind(&settings, Layout::MALDOO)).expect("text takes all");
    add_moment(table, "before", &board);
    press(&mut board, Button::Start);
    add_moment(table, "start", &board);
    wait_until(&mut board, |board| !board.legal_points().is_empty());
    move_on(&mut board, 0);
    add_moment(table, "moved", &board);
    press(&mut board, Button::Stop);
    board.advance(5_000, &mut |_, _| {});
    add_moment(table, "paused", &board);
    press(&mut board, Button::Stop);
    let is_pause = |board: &AnyBoard| phase(&board.status()) == Situation::Idle;
    for (moment, is_so) in [
        ("pause", &is_pause as &dyn Fn(&AnyBoard) -> bool),
        ("dark", &|board| is_pause(board) && is_dark(board)),
    ] {
        let mut another = board.clone();
        if play_until(&mut another, is_so) {
            add_moment(table, moment, &another);
        }
    }
    let mut another = board.clone();
    if wait_until(&mut another, is_pause) {
        add_moment(table, "waited", &another);
    }
    let mut another = board.clone();
    if wait_until(&mut another, |board| {
        board
            .status()
            .last_move
            .is_some_and(|last| last.by == Mover::Clock)
    }) {
        add_moment(table, "time is out", &another);
    }
    let ended = play_until(&mut board, |board| board.outcome().is_some());
    add_moment(table, if ended { "end" } else { "later" }, &board);
}

#[test]
fn every_kind_of_moment_of_every_game_has_words() {
    let mut table = String::new();
    for number in games::BUILT.iter() {
        let about = about(number).expect("it is in the table");
        writeln!(table, "\n{}", about.name).expect("text takes all");
        let modes = match about.name {
            "Reversi" | "Ghost" | "Life" | "TicDabToe" => 2,
            // One for a single player, and two in turns.
            "Ishido" => 3,
            _ => 1,
        };
        for mode in 0..modes {
            let settings = Settings {
                game: number,
                mode,
                ..Settings::default()
            };
            moments(settings, &mut table);
        }
        if about.board_can_play {
            let settings = Settings {
                game: number,
                level: 2,
                ..Settings::default()
            };
            let mut board = board(settings);
            writeln!(table, "{}", kind(&settings, Layout::MALDOO)).expect("text takes all");
            press(&mut board, Button::Start);
            if play_until(&mut board, |board| board.status().thinking) {
                add_moment(&mut table, "red's turn", &board);
            }
        }
    }
    insta::assert_snapshot!(table);
}

/// Compares with whether the board accepts a pass.
#[test]
fn a_pass_is_offered_exactly_if_the_board_accepts_it() {
    for number in games::BUILT.iter() {
        let about = about(number).expect("it is in the table");
        for (mode, level) in (0..about.modes).flat_map(|mode| [(mode, 0), (mode, 1)]) {
            let settings = Settings {
                game: number,
                mode,
                level,
                ..Settings::default()
            };
            let mut board = board(settings);
            press(&mut board, Button::Start);
            for count in 0..300 {
                let mut another = board.clone();
                let mut passes = false;
                another.input(Input::Pass, &mut |_, event| {
                    passes |= matches!(event, Event::Passed { .. });
                });
                let status = board.status();
                let offered = why_no_pass(&status, &board.frame().display).is_none();
                assert_eq!(offered, passes, "{} {status:?}", about.name);
                if count % 50 == 49 {
                    press(&mut board, Button::Stop);
                }
                move_on(&mut board, count);
            }
        }
    }
}

/// True if two boards that differ in one setting show or report different things. At most
/// one point is touched, because otherwise the timing of the hands would matter.
fn differs(one: Settings, other: Settings) -> bool {
    let [mut one, mut other] = [one, other].map(|settings| {
        let mut board = board(settings);
        press(&mut board, Button::Start);
        // The display shows the settings for a while.
        board.advance(3_000, &mut |_, _| {});
        let points = board.legal_points();
        if let Some(point) = points.get(points.len() / 2) {
            board.input(Input::Touch(*point), &mut |_, _| {});
            board.input(Input::Release(*point), &mut |_, _| {});
        }
        board
    });
    (0..500).any(|_| {
        one.advance(100, &mut |_, _| {});
        other.advance(100, &mut |_, _| {});
        one.frame() != other.frame() || one.status().clock != other.status().clock
    })
}

#[test]
fn settings_described_as_without_effect_have_none() {
    for number in games::BUILT.iter() {
        let about = about(number).expect("it is in the table");
        for mode in 0..about.modes {
            let settings = Settings {
                game: number,
                mode,
                time: 8,
                speed: 2,
                ..Settings::default()
            };
            let slow = Settings {
                time: 9,
                ..settings
            };
            let fast = Settings {
                speed: 7,
                ..settings
            };
            for (button, changed) in [(Button::Time, slow), (Button::Speed, fast)] {
                let has_effect = why_no_effect(&settings, button).is_none();
                let name = about.name;
                assert_eq!(
                    has_effect,
                    differs(settings, changed),
                    "{name} {mode} {button:?}"
                );
            }
            let plays = why_no_effect(&settings, Button::Level).is_none();
            assert_eq!(plays, about.board_can_play);
        }
    }
}

#[test]
fn clocks_show_tenths_at_the_end_and_minutes_if_long() {
    let words = [120_000, 99_001, 30_000, 12_400, 5_000, 4_999, 301, 0].map(time_left);
    let expected = [
        "2:00", "1:40", "30 s", "13 s", "5 s", "5.0 s", "0.4 s", "0.0 s",
    ];
    assert_eq!(words, expected);
}

#[test]
fn a_state_fits_a_line_of_the_panel() {
    for number in games::BUILT.iter() {
        let about = about(number).expect("it is in the table");
        for mode in 0..about.modes {
            let settings = Settings {
                game: number,
                mode,
                level: 4,
                ..Settings::default()
            };
            assert!(
                kind(&settings, Layout::MALDOO).len() <= 60,
                "{}",
                kind(&settings, Layout::MALDOO)
            );
            let mut board = board(settings);
            press(&mut board, Button::Start);
            for count in 0..200 {
                let words = state(&board.status(), board.frame());
                assert!(words.len() <= 36, "{words}");
                move_on(&mut board, count);
            }
        }
    }
}

#[test]
fn a_clock_counts_as_ending_exactly_while_the_board_warns() {
    for (time, of_ms) in (0..).zip(TURN_TIME_MS) {
        let mut board = board(Settings {
            time,
            ..Settings::default()
        });
        press(&mut board, Button::Start);
        // A touch that is not a move: a clock that waits gives no warning.
        board.advance(200_000, &mut |_, _| {});
        assert_eq!(board.frame().turn_rhythm, Rhythm::Steady);
        assert_eq!(
            clock_waits(&board.status()),
            Some("the clock waits for the first touch")
        );
        board.input(Input::Touch(Point(0)), &mut |_, _| {});
        assert_eq!(clock_waits(&board.status()), None);
        let mut from = None;
        for _ in 0..of_ms {
            let clock = board.status().clock.expect("a clock runs");
            let is_warning = board.frame().turn_rhythm != Rhythm::Steady;
            assert_eq!(warns(clock), is_warning, "{clock:?}");
            from = from.or(is_warning.then_some(clock.left_ms));
            board.advance(1, &mut |_, _| {});
        }
        let expected = [2_000, 3_000, 4_000].get(usize::from(time));
        assert_eq!(from, Some(*expected.unwrap_or(&5_000)), "time {time}");
    }
}

#[test]
fn best_scores_have_words_if_there_are_any() {
    let mut status = Status::default();
    assert_eq!(best(&status), None);
    status.best = Some([0; 5]);
    assert_eq!(best(&status), None);
    status.best = Some([74, 61, 0, 0, 0]);
    assert_eq!(best(&status).as_deref(), Some("best 74, 61"));
    let places = [1, 2, 3, 5].map(best_place);
    assert_eq!(
        places,
        ["a new best", "the 2nd best", "the 3rd best", "the 5th best"]
    );
}

#[test]
fn a_game_for_one_has_no_red_side() {
    let settings = |mode, level| Settings {
        game: number::ISHIDO,
        mode,
        level,
        time: 5,
        speed: 9,
    };
    let begin = |mode, level| {
        let layout = Layout::grid(12, 8).unwrap();
        let mut board = AnyBoard::with_games(layout, games::BUILT, 7).unwrap();
        let deed = Deed::Settings(settings(mode, level));
        board.carry_out(&deed, &mut |_, _| {}).unwrap();
        press(&mut board, Button::Start);
        board
    };
    assert_eq!(kind(&settings(0, 0), Layout::MALDOO), "Dekker, for one");
    assert_eq!(
        kind(&settings(1, 3), Layout::MALDOO),
        "Official, the board plays, level 3"
    );
    assert_eq!(
        kind(&settings(2, 0), Layout::MALDOO),
        "Dekker in turns, for two"
    );
    assert_eq!(
        kind(&settings(3, 4), Layout::MALDOO),
        "Official in turns, red is the board, level 4"
    );
    for (mode, level, said) in [
        (0, 0, "place the cyan ring"),
        (0, 1, "the board is thinking"),
        (2, 0, "green: the cyan ring"),
        (2, 4, "green: the cyan ring"),
    ] {
        let board = begin(mode, level);
        assert_eq!(state(&board.status(), board.frame()), said);
        assert_eq!(is_boards_turn(&board.status()), said.contains("thinking"));
    }
    let mut board = begin(0, 1);
    board.input(Input::Touch(Point(0)), &mut |_, _| {});
    assert_eq!(board.status().last_move, None, "a person watches");
    board.advance(120_000, &mut |_, _| {});
    let said = state(&board.status(), board.frame());
    assert!(said.ends_with(" points") && said.len() <= 36, "{said}");
    let status = board.status();
    assert_eq!(score_names(&status.settings), ["points", "four-ways"]);
    assert_eq!(score(&status.settings, [7, 1]), "7 points, 1 four-way");
    assert!(!is_score_of_points(&status.settings));
    let seen = board.ishido().expect("the stones");
    let stones = board.layout().iter().filter_map(|point| seen.stone(point));
    assert_eq!(stones.count() + usize::from(seen.left()), 72);
}

#[test]
fn the_status_explains_how_to_take_a_stone_back() {
    for (mode, said) in [
        (0, "touch it again to undo"),
        (1, "touch it again to undo"),
        (2, "green: touch it again to undo"),
        (3, "green: touch it again to undo"),
    ] {
        let layout = Layout::grid(12, 8).unwrap();
        let mut board = AnyBoard::with_games(layout, games::BUILT, 7).unwrap();
        let settings = Settings {
            game: number::ISHIDO,
            mode,
            ..Settings::default()
        };
        board
            .carry_out(&Deed::Settings(settings), &mut |_, _| {})
            .unwrap();
        press(&mut board, Button::Start);
        let before = state(&board.status(), board.frame());
        let seen = board.ishido().expect("the stones");
        let mut squares = board.legal_points();
        squares.retain(|point| seen.stone(*point).is_none());
        for said in [said, &before] {
            board.input(Input::Touch(squares[0]), &mut |_, _| {});
            board.input(Input::Release(squares[0]), &mut |_, _| {});
            board.advance(1, &mut |_, _| {});
            assert_eq!(state(&board.status(), board.frame()), said);
        }
    }
}

#[test]
fn a_game_of_a_layout_states_its_number_of_players() {
    let kind_of = |game: &str, level: u8| {
        let layout = written::texts::layout(game);
        let settings = Settings {
            game: LAYOUTS_OWN,
            level,
            ..Settings::default()
        };
        kind(&settings, *layout)
    };
    assert_eq!(kind_of("game-of-life", 0), "plays by itself");
    assert_eq!(kind_of("lights-out", 0), "for one");
    assert_eq!(kind_of("teeko", 0), "for two");
    assert_eq!(kind_of("teeko", 3), "red is the board, level 3");
}

#[test]
fn after_a_mill_a_piece_of_the_other_side_has_to_be_taken() {
    let layout = written::texts::layout("nine-mens-morris");
    let roster = games::on_layout(*layout, games::BUILT);
    let mut board = AnyBoard::with_games(*layout, roster, 7).expect("a layout that is there");
    let settings = Settings {
        game: LAYOUTS_OWN,
        ..Settings::default()
    };
    let mut ignore = |_, _: Event| {};
    let chosen = board.carry_out(&Deed::Settings(settings), &mut ignore);
    chosen.expect("settings that are there");
    press(&mut board, Button::Start);
    let taken =
        |board: &AnyBoard| has_to_take(&board.status(), board.frame(), &board.legal_points());
    assert_eq!(taken(&board), None, "an empty point is to be touched");
    assert!(play_until(&mut board, |board| taken(board).is_some()));
    let other = taken(&board).expect("a mill was closed");
    assert_eq!(board.status().turn, Some(other.other()));
    let count = |board: &AnyBoard| {
        let points = board.layout().iter();
        let is_theirs = |point: &Point| board.frame().points.get(*point) == Colour::from(other);
        points.filter(is_theirs).count()
    };
    let before = count(&board);
    move_on(&mut board, 0);
    assert_eq!((count(&board), taken(&board)), (before - 1, None));
}
