//! Services are distinguished from moves, and a touch that is not a move has a reason, on
//! a real core.

use protocol::{Button, Deed, Event, Input, Settings};

use firmware_core::games::{self, number};
use protocol::Layout;

use super::*;
use crate::games::ticdabtoe::blocks;
use crate::{CoreDriver, position, written};

const SEED: u64 = 7;

/// Starts a game with these settings on the board that it is made for.
fn start(settings: Settings) -> CoreDriver {
    let about = games::about(settings.game).expect("a game that is there");
    let layout = Layout::Grid((about.made_for)(settings.mode));
    let mut driver = CoreDriver::with_games(layout, games::BUILT, SEED).expect("a board");
    driver
        .carry_out(&Deed::Settings(settings))
        .expect("settings");
    let press = [Input::Press(Button::Start), Input::Lift(Button::Start)];
    driver.step(&press, 0).expect("it is here");
    driver
}

/// The reason that a script gets.
fn for_a_script(board: &AnyBoard, point: Point) -> Option<String> {
    by_rules(crate::games::guide(board.settings().game), board, point)
}

fn touches(driver: &mut CoreDriver) -> Touches {
    let status = driver.status().expect("it is here");
    Touches::at(driver, &status).expect("it is here")
}

fn tap(driver: &mut CoreDriver, point: Point) -> Vec<Event> {
    driver.take_events();
    let tap = [Input::Touch(point), Input::Release(point)];
    driver.step(&tap, 0).expect("it is here");
    let events = driver.take_events().into_iter();
    events.map(|stamped| stamped.event).collect()
}

#[test]
fn games_with_services_are_known() {
    for game in games::BUILT.iter() {
        let about = games::about(game).expect("it is in the table");
        for mode in 0..about.modes {
            let mut driver = start(Settings {
                game,
                mode,
                speed: 0,
                ..Settings::default()
            });
            let mut found = false;
            for count in 0..12 {
                for service in Service::ALL {
                    driver.board().service(service, |_| found = true);
                }
                let legal = driver.legal().expect("it is here");
                if let Some(point) = legal.get(count * 5 % legal.len().max(1)) {
                    tap(&mut driver, *point);
                }
                driver.step(&[], 100).expect("it is here");
            }
            assert_eq!(found, has_services(game), "{} {mode}", about.name);
        }
    }
}

#[test]
fn services_are_listed_apart_from_moves() {
    let mut driver = start(Settings {
        game: number::ISHIDO,
        mode: 2,
        speed: 0,
        ..Settings::default()
    });
    let before = touches(&mut driver);
    let g4 = driver.layout().point("g4").expect("a square");
    assert_eq!(before.services, [(Service::Help, vec![g4])]);
    assert!(!before.moves.contains(&g4) && !before.moves.is_empty());
    for point in &before.moves {
        let mut board = start(driver.board().settings());
        let events = tap(&mut board, *point);
        assert!(matches!(events[1], Event::Move { .. }), "{events:?}");
    }
    tap(&mut driver, before.moves[0]);
    let then = touches(&mut driver);
    assert_eq!(then.moves, []);
    assert_eq!(then.services, [(Service::TakeBack, vec![before.moves[0]])]);
}

/// Sets up a position of the current game.
fn set_up(driver: &mut CoreDriver, text: &str) {
    let game = driver.board().settings().game;
    let position = position::in_words(game, text, driver.layout());
    let position = position
        .expect("it has positions of its own")
        .expect("one of them");
    driver
        .carry_out(&Deed::Position(position))
        .expect("it can be so");
}

/// The reasons why each of these points is not a move in this position of TicDabToe.
fn reasons(rows: &[&str], last: &str, points: &[&str]) -> Vec<Option<String>> {
    let mut driver = start(Settings {
        game: number::TICDABTOE,
        ..Settings::default()
    });
    let mut all = rows.to_vec();
    all.resize(16, "................");
    set_up(&mut driver, &format!("{} turn green{last}", all.join("/")));
    let layout = driver.layout();
    let why = |name: &&str| for_a_script(driver.board(), layout.point(name).expect("a point"));
    points.iter().map(why).collect()
}

#[test]
fn an_illegal_cell_of_ticdabtoe_has_a_reason() {
    let some = |why: &str| Some(why.to_owned());
    // Green has won block a4; the last mark, on h14, sends green to block d2.
    let rows = ["gggg............", "rr..............", ".......r........"];
    let points = ["a16", "c14", "h14", "m8", "f10", "a1"];
    let expected = [
        some("block a4 is won"),
        some("block a4 is won"),
        some("h14 has a mark"),
        None,
        some("play in block d2 (m5 to p8)"),
        some("play in block d2 (m5 to p8)"),
    ];
    assert_eq!(reasons(&rows, " last h14", &points), expected);
    // With a free choice, every free cell of a block in play is legal.
    let expected = [some("block a4 is won"), some("h14 has a mark"), None];
    assert_eq!(reasons(&rows, "", &["d16", "h14", "a1"]), expected);
    // This block is full and contains no line.
    let rows = [
        "ggrr............",
        "rrgg............",
        "ggrr............",
        "rrgg............",
    ];
    assert_eq!(reasons(&rows, "", &["a16"]), [some("block a4 is full")]);
}

/// The reason is given exactly where the board refuses the touch.
#[test]
fn exactly_the_refused_touches_have_a_reason() {
    for (game, mode) in [
        (number::TICDABTOE, 0),
        (number::ISHIDO, 1),
        (number::ISHIDO, 2),
    ] {
        let mut driver = start(Settings {
            game,
            mode,
            speed: 9,
            ..Settings::default()
        });
        let mut refused = 0;
        for count in 0..30 {
            let layout = driver.layout();
            let state = driver.save().expect("it is here");
            for point in layout.iter() {
                let why = for_a_script(driver.board(), point);
                let events = tap(&mut driver, point);
                let is_refused = events
                    .iter()
                    .any(|event| matches!(event, Event::Illegal { .. }));
                assert_eq!(
                    why.is_some(),
                    is_refused,
                    "{game} {} {why:?}",
                    layout.name(point)
                );
                refused += u32::from(is_refused);
                driver.load(&state).expect("it was saved");
            }
            let moves = touches(&mut driver).moves;
            if let Some(point) = moves.get(count * 7 % moves.len().max(1)) {
                tap(&mut driver, *point);
            }
        }
        assert!(refused > 100, "game {game}: {refused}");
    }
}

#[test]
fn a_stone_that_does_not_fit_has_a_reason() {
    let mut driver = start(Settings {
        game: number::ISHIDO,
        ..Settings::default()
    });
    let layout = driver.layout();
    set_up(&mut driver, "12/12/12/12/3Co8/12/12/12 hand C- pouch P+");
    let why = |driver: &CoreDriver, name| {
        for_a_script(driver.board(), layout.point(name).expect("a point"))
    };
    assert_eq!(why(&driver, "d5"), None);
    assert_eq!(
        why(&driver, "a1").as_deref(),
        Some("no stone lies beside a1")
    );
    tap(&mut driver, layout.point("d5").expect("a square"));
    driver.step(&[], 6_000).expect("it is here");
    assert_eq!(why(&driver, "d5"), None, "the game is over");
    set_up(&mut driver, "12/12/12/12/3Co1P-6/12/12/12 hand C* pouch P+");
    assert_eq!(why(&driver, "d4").as_deref(), Some("d4 has a stone"));
    assert_eq!(
        why(&driver, "e4").as_deref(),
        Some("the stone in hand has to match one of d4, f4 in colour, the other in symbol")
    );
}

#[test]
fn a_paused_game_gives_no_reasons() {
    let mut driver = start(Settings {
        game: number::TICDABTOE,
        ..Settings::default()
    });
    let point = Point(0);
    tap(&mut driver, point);
    assert!(for_a_script(driver.board(), point).is_some());
    assert!(blocks::open_block(driver.board()).is_some());
    let hold = [Input::Press(Button::Stop), Input::Lift(Button::Stop)];
    driver.step(&hold, 0).expect("it is here");
    assert_eq!(for_a_script(driver.board(), point), None);
    assert_eq!(blocks::open_block(driver.board()), None);
}

/// The reason for a touch on this point in the first mode of this game, after these
/// touches.
fn why_in(game: &str, name: &str, before: &[&str]) -> Option<String> {
    let settings = Settings {
        game: crate::words::game_number(game).expect("a game that is there"),
        ..Settings::default()
    };
    let mut board = start(settings);
    let layout = board.layout();
    let point = |name: &str| layout.point(name).expect("it is on the board");
    board.step(&[], 1_000).expect("it is here");
    for name in before {
        tap(&mut board, point(name));
        board.step(&[], 250).expect("it is here");
    }
    why_at(&mut board, point(name)).expect("it is here")
}

#[test]
fn illegal_points_of_other_games_have_reasons() {
    let reversi = |name| why_in("reversi", name, &[]);
    assert_eq!(reversi("e5").as_deref(), Some("e5 is taken"));
    let none = "a light on a1 would turn nothing";
    assert_eq!(reversi("a1").as_deref(), Some(none));
    assert_eq!(reversi("d7"), None, "it is a move");
    for game in ["countlines", "fillit", "speedgo", "col"] {
        let taken = why_in(game, "d4", &["d4"]);
        assert_eq!(taken.as_deref(), Some("d4 is taken"), "{game}");
    }
    let malaka = |name, before: &[&str]| why_in("malaka", name, before);
    assert_eq!(malaka("e5", &[]).as_deref(), Some("nobody is on e5"));
    let other = "i1 is the other side's";
    assert_eq!(malaka("i1", &[]).as_deref(), Some(other));
    let far = malaka("e9", &["a9"]).expect("it is far away");
    assert!(
        far.contains("left to play") || far.contains("lead"),
        "{far}"
    );
    // A refused touch makes all legal points flash as fast as the pile that is picked up.
    let down = "put a9 down first: touch it again";
    assert_eq!(malaka("a7", &["a9"]).as_deref(), Some(down));
    assert_eq!(malaka("a7", &["a9", "a7"]).as_deref(), Some(down));
    assert_eq!(malaka("e9", &["a9", "e9"]), Some(far));
}

/// The reason why a touch of this point is not a move after these touches, in a game
/// from a text.
fn why_in_text(name: &str, touched: &[&str], then: &str) -> Option<String> {
    let text = written::library::text(name).expect("it is bundled");
    let game = written::of_text(name, text, &[]).expect("a game");
    let layout = *game.layout;
    let mut driver = CoreDriver::new(layout, 3).expect("a board");
    let start = [Input::Press(Button::Start), Input::Lift(Button::Start)];
    driver.step(&start, 100).expect("it runs");
    for point in touched {
        let point = layout.point(point).expect("a point");
        let tap = [Input::Touch(point), Input::Release(point)];
        driver.step(&tap, 100).expect("it runs");
    }
    why(driver.board(), layout.point(then).expect("a point"))
}

#[test]
fn reasons_in_a_text_say_what_to_touch_instead() {
    let said = |name, touched: &[&str], then| why_in_text(name, touched, then).unwrap_or_default();
    assert_eq!(said("tic-tac-toe", &["b2"], "b2"), "b2 is taken");
    assert_eq!(
        said("chess", &[], "e5"),
        "touch a piece that can move first"
    );
    assert_eq!(said("chess", &[], "e7"), "the pawn on e7 is not yours");
    assert_eq!(said("chess", &[], "a1"), "the rook on a1 cannot move now");
    assert_eq!(
        said("chess", &["e2"], "e5"),
        "the pawn on e2 cannot go to e5"
    );
    // This closes a mill, so that a man has to be taken.
    let mill = ["a7", "a1", "d7", "d1", "g7"];
    assert_eq!(
        said("nine-mens-morris", &mill, "b4"),
        "take a piece of red first"
    );
    // Red takes b6 by a mill of its own, whose men green cannot take afterwards.
    let both = ["a7", "a1", "d7", "d1", "b6", "g1", "b6", "b4", "e3", "g7"];
    assert_eq!(
        said("nine-mens-morris", &both, "a1"),
        "the man on a1 cannot be taken now: take another one"
    );
    assert_eq!(why_in_text("chess", &[], "e2"), None);
}

#[test]
fn a_forced_capture_names_the_capturing_piece() {
    let mut touched = vec!["c3", "d4", "f6", "e5"];
    let said = |touched: &[&str], then| why_in_text("english-draughts", touched, then);
    let must = said(&touched, "a3").expect("a reason");
    assert_eq!(must, "d4 must take: touch d4");
    touched.push("d4");
    let must = said(&touched, "c5").expect("a reason");
    assert_eq!(must, "d4 must take: touch f6");
}

#[test]
fn a_move_into_check_has_a_reason() {
    // The queen on h4 pins the pawn on f2.
    let pinned = ["e2", "e3", "e7", "e5", "a2", "a3", "d8", "h4"];
    assert_eq!(
        why_in_text("chess", &pinned, "f2").as_deref(),
        Some("every move of the pawn on f2 would leave your king in check")
    );
    // A queen on g4 keeps the king from e2, but it may go to d2.
    let mut touched = vec!["e2", "e4", "e7", "e5", "d2", "d3", "d8", "h4"];
    touched.extend(["a2", "a3", "h4", "g4", "e1"]);
    assert_eq!(
        why_in_text("chess", &touched, "e2").as_deref(),
        Some("the king from e1 to e2 would leave your king in check")
    );
}

#[test]
fn suicide_and_ko_have_reasons() {
    let corner = ["m13", "a2", "m12", "b1"];
    assert_eq!(
        why_in_text("go", &corner, "a1").as_deref(),
        Some("a piece on a1 would leave its group without an empty point beside it")
    );
    // Green captures d2 from c2; red may not capture c2 back at once.
    let ko = ["b2", "e2", "c1", "d1", "c3", "d3", "d2", "c2"];
    assert_eq!(
        why_in_text("go", &ko, "d2").as_deref(),
        Some("a piece on d2 would bring an earlier position back")
    );
}

#[test]
fn refusals_in_games_of_stones_have_reasons() {
    let reason = |game, before: &[&str], name| why_in(game, name, before);
    assert_eq!(
        reason("col", &["d4"], "d5"),
        None,
        "red may set beside green"
    );
    assert_eq!(
        reason("col", &["d4", "f6"], "d5").as_deref(),
        Some("d5 is beside d4, which is green")
    );
    let visiput = start(Settings {
        game: number::VISIPUT,
        ..Settings::default()
    });
    let board = visiput.board();
    let points = board.layout().iter();
    let seen = points.filter_map(|point| why(board, point));
    let seen: Vec<String> = seen.filter(|why| why.contains(" sees ")).collect();
    let ends = |why: &String| why.ends_with("it has to be as many");
    assert!(!seen.is_empty() && seen.iter().all(ends), "{seen:?}");
}

/// Every point that is not a move has a reason, in every running game.
#[test]
fn every_touch_that_is_refused_has_a_reason() {
    for game in games::BUILT.iter() {
        let about = games::about(game).expect("it is in the table");
        for mode in 0..about.modes {
            let mut driver = start(Settings {
                game,
                mode,
                speed: 5,
                ..Settings::default()
            });
            for step in 0..8_usize {
                driver.step(&[], 700).expect("it is here");
                let legal = driver.legal().expect("it is here");
                for point in driver.layout().iter() {
                    let why = why(driver.board(), point);
                    let name = driver.layout().name(point);
                    assert_eq!(
                        why.is_none(),
                        legal.contains(&point),
                        "{} {mode} {name}: {why:?}",
                        about.name
                    );
                }
                if let Some(point) = legal.get(step * 5 % legal.len().max(1)) {
                    tap(&mut driver, *point);
                }
            }
        }
    }
}

#[test]
fn a_board_without_legal_touches_says_why() {
    let mut driver = start(Settings::default());
    let point = driver.layout().point("d7").expect("a point");
    let said = |driver: &CoreDriver| why(driver.board(), point).unwrap_or_default();
    let stop = [Input::Press(Button::Stop), Input::Lift(Button::Stop)];
    driver.step(&stop, 10).expect("it is here");
    assert_eq!(said(&driver), "the game is paused, Stop resumes it");
    let fresh = CoreDriver::with_games(Layout::MALDOO, games::BUILT, SEED).expect("a board");
    assert_eq!(said(&fresh), "no game is on, Start begins one");
    let mut driver = start(Settings {
        level: 1,
        ..Settings::default()
    });
    tap(&mut driver, point);
    assert_eq!(said(&driver), "it is the board's turn");
}

#[test]
fn a_reason_about_another_point_leaves_the_refused_one_in_its_sentence() {
    let said = |why| refusal("a1 is no move for green", "a1", Some(why));
    assert_eq!(said("a1 is taken"), "no move: a1 is taken");
    assert_eq!(
        said("you must take: touch a10"),
        "a1 is no move for green: you must take: touch a10"
    );
}
