//! Explanations of the display of the board itself, in every game and at every kind
//! of moment.

use std::collections::BTreeMap;

use firmware_core::AnyBoard;
use firmware_core::games;
use protocol::{Button, Deed, Event, Input, Layout, Outcome, Point, Settings, Side, Status};

use super::words;
use crate::standing;

fn on(settings: Settings) -> AnyBoard {
    let about = games::about(settings.game).expect("a game that is there");
    let layout = Layout::Grid((about.made_for)(settings.mode));
    let mut board = AnyBoard::with_games(layout, games::BUILT, 7).expect("a board");
    board
        .carry_out(&Deed::Settings(settings), &mut |_, _| {})
        .expect("settings that are there");
    board
}

fn press(board: &mut AnyBoard, button: Button) {
    board.input(Input::Press(button), &mut |_, _| {});
    board.input(Input::Lift(button), &mut |_, _| {});
}

fn tap(board: &mut AnyBoard, point: Point) {
    board.input(Input::Touch(point), &mut |_, _| {});
    board.input(Input::Release(point), &mut |_, _| {});
}

fn display_words(board: &AnyBoard) -> String {
    words(&board.frame().display, &board.status(), board.layout())
}

fn said_of(display: &str, status: &Status) -> String {
    words(display, status, Layout::MALDOO)
}

#[test]
fn the_five_settings_are_named_in_every_game_mode_and_level() {
    let mut all = BTreeMap::new();
    for game in games::BUILT.iter() {
        let about = games::about(game).expect("it is in the build");
        for mode in 0..about.modes {
            for level in 0..=4 {
                let settings = Settings {
                    game,
                    mode,
                    level,
                    time: 3,
                    ..Settings::default()
                };
                let mut board = on(settings);
                // The default game was not newly chosen.
                if game != Settings::default().game {
                    let letter = protocol::Roster::letter(game);
                    assert_eq!(
                        display_words(&board),
                        format!("Game {letter} {}", about.name)
                    );
                }
                board.advance(2_000, &mut |_, _| {});
                let said = display_words(&board);
                let shown = board.frame().display.to_string();
                let words = ["Game ", ", Time ", ", Speed ", ", Level ", ", Mode "];
                let places = words.map(|word| said.find(word));
                assert!(
                    places.is_sorted() && !places.contains(&None),
                    "{shown}: {said}"
                );
                let plays = about.board_can_play && level > 0;
                assert_eq!(said.contains("Level –"), !plays, "{shown}: {said}");
                let has_clock = standing::at_time_out(&settings).is_some() && game != 4;
                assert_eq!(said.contains("Time 3 (16 s)"), has_clock, "{shown}: {said}");
                all.insert(shown, said);
            }
        }
    }
    let of = |shown: &str| all.get(shown).map(String::as_str);
    assert_eq!(
        of("035_0"),
        Some("Game 0 Reversi, Time 3 (16 s), Speed 5, Level – (two people), Mode 0 Classic")
    );
    assert_eq!(
        of("03520"),
        Some(
            "Game 0 Reversi, Time 3 (16 s), Speed 5, Level 2 (the board plays red), Mode 0 Classic"
        )
    );
    assert_eq!(
        of("435_0"),
        Some("Game 4 Symmetry, Time 3 (no clock), Speed 5, Level – (one person), Mode 0 Mirror")
    );
    assert!(
        of("A355F").is_none() && of("A354F").is_some_and(|said| said.starts_with("Game A Malaka"))
    );
}

/// While a game runs, the numbers of the score are always explained, and no part of
/// the display is left unexplained.
#[test]
fn every_part_of_a_display_is_explained_in_every_game() {
    let mut seen = Vec::new();
    for game in games::BUILT.iter() {
        let about = games::about(game).expect("it is in the build");
        for mode in 0..about.modes {
            let settings = Settings {
                game,
                mode,
                time: 0,
                ..Settings::default()
            };
            let mut board = on(settings);
            press(&mut board, Button::Start);
            for count in 0..120_u64 {
                let status = board.status();
                let [green, red] = status.score.expect("a game is on");
                let said = display_words(&board);
                let shown = board.frame().display.to_string();
                let is_notice = shown == "Time is up";
                assert_eq!(
                    said.starts_with("The time of a turn is over") || said == "The time is over",
                    is_notice,
                    "{shown}: {said}"
                );
                if !is_notice {
                    assert!(said.contains(&format!(" {green}")), "{shown}: {said}");
                    assert!(said.contains(&format!(" {red}")), "{shown}: {said}");
                    assert_ne!(said, shown.trim(), "{about:?}", about = about.name);
                }
                let points = board.legal_points();
                if let Some(point) = points.get(count as usize * 7 % points.len().max(1)) {
                    tap(&mut board, *point);
                }
                board.advance(if count % 9 == 0 { 5_000 } else { 400 }, &mut |_, _| {});
            }
            if board.status().outcome.is_none() {
                press(&mut board, Button::Stop);
                assert!(
                    display_words(&board).ends_with(", the game is held"),
                    "{}",
                    display_words(&board)
                );
            }
            seen.push(game);
        }
    }
    assert!(seen.len() > 50, "every mode of every game");
}

#[test]
fn scores_turns_seconds_dice_and_stones_have_their_words() {
    let of = |game: u8, mode: u8, score: [u32; 2]| Status {
        settings: Settings {
            game,
            mode,
            ..Settings::default()
        },
        score: Some(score),
        turn: Some(Side::Green),
        ..Status::default()
    };
    assert_eq!(
        said_of("18        26", &of(0, 0, [18, 26])),
        "Green 18, Red 26"
    );
    let ghost = Status {
        turns_left: Some(29),
        ..of(1, 0, [3, 4])
    };
    assert_eq!(
        said_of("3    29    4", &ghost),
        "Green 3, Red 4, 29 turns left"
    );
    assert_eq!(
        said_of("11/12  29  3", &of(4, 0, [11, 3])),
        "Right 11 of 12, Wrong 3, 29 s left"
    );
    assert_eq!(
        said_of("228 2 3  214", &of(10, 0, [228, 214])),
        "Green 228, Red 214 to go, 2 3 to play"
    );
    assert_eq!(
        said_of("2 3 no move", &of(10, 0, [228, 214])),
        "Green 228, Red 214 to go, no move with 2 3"
    );
    assert_eq!(
        said_of("12  P*66   1", &of(11, 0, [12, 1])),
        "Points 12, Four-ways 1, stone P*, pink with a star, in hand, 66 left with it"
    );
    assert_eq!(
        said_of("1234k P*66 1", &of(11, 1, [1_234_567, 1])),
        "Points 1234567, Four-ways 1, stone P*, pink with a star, in hand, 66 left with it"
    );
    assert_eq!(
        said_of("12  --66  13", &of(11, 2, [12, 13])),
        "Green 12, Red 13, 66 stones left"
    );
    let held = Status {
        paused: true,
        ..of(0, 0, [3, 4])
    };
    assert_eq!(
        said_of("3   Stop   4", &held),
        "Green 3, Red 4, the game is held"
    );
    let over = Status {
        outcome: Some(Outcome::Draw),
        ..of(0, 0, [32, 32])
    };
    assert_eq!(
        said_of("32        32", &over),
        "Green 32, Red 32, the game is over: a draw"
    );
}

#[test]
fn notices_are_explained_with_their_consequences() {
    let status = |game| Status {
        settings: Settings {
            game,
            ..Settings::default()
        },
        ..Status::default()
    };
    for (game, then) in [
        (
            0,
            "The time of a turn is over: the board makes a random move",
        ),
        (1, "The time of a turn is over: the turn passes"),
        (12, "The time of a turn is over: the game is lost"),
    ] {
        assert_eq!(said_of("Time is up", &status(game)), then);
    }
    assert_eq!(
        said_of("Too small", &status(0)),
        "This board is too small for the game"
    );
    assert_eq!(
        said_of("New best", &status(11)),
        "A new best, among the best scores of this mode"
    );
    assert_eq!(
        said_of("5th best", &status(11)),
        "The 5th best, among the best scores of this mode"
    );
    assert_eq!(said_of("", &status(0)), "The display is dark");
    // Unknown text is unchanged.
    assert_eq!(said_of("Hello", &status(0)), "Hello");
}

/// The announced effect of the end of the time is the actual one.
#[test]
fn the_announced_effect_of_a_time_out_happens() {
    for game in games::BUILT.iter() {
        for mode in 0..games::about(game).expect("it is in the build").modes {
            let settings = Settings {
                game,
                mode,
                time: 0,
                ..Settings::default()
            };
            let mut board = on(settings);
            press(&mut board, Button::Start);
            let then = standing::at_time_out(&settings);
            let mut events = Vec::new();
            let mut is_late = false;
            for _ in 0..40_000 {
                if board.status().clock.is_some_and(|clock| clock.waits) {
                    // Any legal touch starts the clock.
                    let points: Vec<Point> = board.layout().iter().collect();
                    for point in points {
                        tap(&mut board, point);
                        if board.status().clock.is_none_or(|clock| !clock.waits) {
                            break;
                        }
                    }
                }
                events.clear();
                board.advance(1, &mut |_, event| events.push(event));
                is_late = events
                    .iter()
                    .any(|event| matches!(event, Event::TimedOut { .. }));
                if is_late || board.outcome().is_some() {
                    break;
                }
            }
            assert_eq!(is_late, then.is_some(), "game {game} mode {mode}");
            let moved = |event: &Event| matches!(event, Event::Move { .. } | Event::Part { .. });
            match then {
                Some("the board makes a random move") => {
                    assert!(events.iter().any(moved), "{events:?}")
                }
                Some("the turn passes") => {
                    assert!(!events.iter().any(moved), "{events:?}");
                    assert!(
                        events.iter().any(|event| matches!(event, Event::Turn(_))),
                        "{events:?}"
                    );
                }
                Some(_) => {
                    board.advance(2_000, &mut |_, _| {});
                    assert!(board.outcome().is_some(), "game {game}");
                }
                None => {}
            }
        }
    }
}
