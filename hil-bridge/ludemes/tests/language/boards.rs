//! The games of this repository on boards of lights: played by touches, as people play.

use std::path::PathBuf;

use firmware_core::rng::Rng;
use firmware_core::{AnyBoard, SNAPSHOT_BYTES, games};
use ludemes::replay::compiled;
use protocol::{Button, Event, Input, KnownLayout, Layout, Outcome, Point, Roster};

/// The maximum number of touches in a game.
const TOUCHES: usize = 600;

/// The games of this repository that a board of lights plays.
fn layouts() -> Vec<(String, KnownLayout)> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("games");
    let mut all = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        let text = std::fs::read_to_string(&path).unwrap();
        let compiled = compiled(&text, &[]).unwrap_or_else(|why| panic!("{name}: {why:?}"));
        let layout = compiled.layout();
        let layout = layout.unwrap_or_else(|error| panic!("{name}: {error}"));
        all.push((name, layout));
    }
    all.sort_by(|one, other| one.0.cmp(&other.0));
    all
}

fn press(board: &mut AnyBoard, button: Button, tell: &mut dyn FnMut(u64, Event)) {
    board.input(Input::Press(button), tell);
    board.input(Input::Lift(button), tell);
}

fn board(layout: Layout, seed: u64) -> AnyBoard {
    let mut board = AnyBoard::new(layout, seed).unwrap();
    assert_eq!(board.settings().game, games::LAYOUTS_OWN);
    assert!(board.roster().has(games::LAYOUTS_OWN));
    press(&mut board, Button::Start, &mut |_, _| {});
    board
}

fn saved(board: &AnyBoard) -> Vec<u8> {
    let mut buffer = vec![0; SNAPSHOT_BYTES];
    board.save(&mut buffer).expect("there is room").to_vec()
}

fn tap(board: &mut AnyBoard, point: Point, tell: &mut dyn FnMut(u64, Event)) {
    board.input(Input::Touch(point), tell);
    board.input(Input::Release(point), tell);
}

/// Plays each game with random touches: legal ones are accepted, others are refused, and
/// a board that loads the state continues identically.
#[test]
fn games_are_played_by_touches() {
    for (name, layout) in layouts() {
        let mut board = board(*layout, 7);
        let mut rng = Rng::new(11);
        let (mut moves, mut parts) = (0, 0);
        for touch in 0..TOUCHES {
            if board.outcome().is_some() {
                break;
            }
            // By this time the search for legal touches has finished.
            board.advance(100, &mut |_, _| {});
            let legal = board.legal_points();
            let mut events = Vec::new();
            if board.turn().is_none() {
                board.advance(1_000, &mut |_, _| {});
                continue;
            }
            if legal.is_empty() {
                board.input(Input::Pass, &mut |_, event| events.push(event));
                assert!(!events.is_empty(), "{name}: nothing can be done");
                continue;
            }
            let point = legal[rng.below(legal.len() as u32) as usize];
            let dark = layout.iter().find(|point| !legal.contains(point));
            if let Some(dark) = dark.filter(|_| touch % 7 == 0) {
                tap(&mut board, dark, &mut |_, event| events.push(event));
                let refused = |event: &Event| matches!(event, Event::Illegal { .. });
                assert!(events.iter().any(refused), "{name}: {dark:?}");
                events.clear();
            }
            tap(&mut board, point, &mut |_, event| events.push(event));
            moves += events
                .iter()
                .filter(|event| matches!(event, Event::Move { .. }))
                .count();
            parts += events
                .iter()
                .filter(|event| matches!(event, Event::Part { .. }))
                .count();
            let accepted = |event: &Event| matches!(event, Event::Move { .. } | Event::Part { .. });
            assert!(events.iter().any(accepted), "{name}: {point:?} {events:?}");
            if touch % 5 == 0 {
                let state = saved(&board);
                let mut other = AnyBoard::new(Layout::MALDOO, 1).unwrap();
                other
                    .load(&state)
                    .unwrap_or_else(|refusal| panic!("{name} at {touch}: {refusal}"));
                assert_eq!(other.digest(), board.digest(), "{name}");
                board = other;
            }
        }
        let state = saved(&board).len();
        let outcome = board.outcome().map_or("goes on", Outcome::name);
        println!("{name}: {moves} moves, {parts} parts, {outcome}, state {state}");
    }
}

/// A board that is reset to another layout no longer has the game.
#[test]
fn resetting_to_another_layout_removes_the_game() {
    let (_, layout) = layouts().remove(0);
    let mut board = board(*layout, 1);
    let reset = protocol::Deed::Reset {
        seed: 1,
        layout: Layout::MALDOO,
    };
    board.carry_out(&reset, &mut |_, _| {}).unwrap();
    assert_eq!(board.roster(), games::ROSTER);
    let layout = layout.layout();
    let back = protocol::Deed::Reset { seed: 1, layout };
    board.carry_out(&back, &mut |_, _| {}).unwrap();
    assert_eq!(
        board.roster(),
        games::ROSTER.or(Roster::of(&[games::LAYOUTS_OWN]))
    );
}

/// A game that is won by the player who has the middle after four moves.
const MIDDLE: &str = r#"(game "Middle"
    (players 2)
    (equipment {(board (square 3)) (piece "Ball" Each)})
    (rules
        (meta (swap))
        (play (move Add (to (sites Empty))))
        (end {
            (if (and (>= (count Moves) 4) (= (who at:(centrePoint)) 1)) (result P1 Win))
            (if (>= (count Moves) 4) (result P2 Win))
        })
    )
)"#;

/// The board's answer to a first stone, at the highest level.
fn answer(first: &str, seed: u64) -> Event {
    let layout = compiled(MIDDLE, &[]).unwrap().layout().unwrap();
    let mut board = board(*layout, seed);
    while board.settings().level < 4 {
        press(&mut board, Button::Level, &mut |_, _| {});
    }
    press(&mut board, Button::Start, &mut |_, _| {});
    let first = layout
        .iter()
        .find(|point| layout.name(*point).to_string() == first);
    tap(&mut board, first.unwrap(), &mut |_, _| {});
    let mut answer = None;
    board.advance(10_000, &mut |_, event| {
        if matches!(event, Event::Move { .. } | Event::Passed { .. }) {
            answer.get_or_insert(event);
        }
    });
    answer.expect("it answers")
}

/// The board exchanges colours after a first stone that wins, and not after one that does
/// not, and then plays with the right colour.
#[test]
fn the_board_may_swap_to_the_better_colour() {
    for seed in 0..8 {
        let taken_over = answer("b2", seed);
        assert!(matches!(taken_over, Event::Passed { .. }), "{taken_over:?}");
        let left = answer("a1", seed);
        assert!(matches!(left, Event::Move { .. }), "{left:?}");
    }
}

/// A new piece is visible at once; the light of the last move starts to wink later.
#[test]
fn a_move_is_visible_in_its_own_tick() {
    let layout = compiled(MIDDLE, &[]).unwrap().layout().unwrap();
    let mut board = board(*layout, 1);
    let middle = layout.iter().nth(4).unwrap();
    tap(&mut board, middle, &mut |_, _| {});
    let mut dark_ms = Vec::new();
    for ms in 0..2_000 {
        if board.frame().seen(middle, board.tick()) == protocol::Colour::OFF {
            dark_ms.push(ms);
        }
        board.advance(1, &mut |_, _| {});
    }
    assert_eq!(dark_ms.first(), Some(&750));
    assert_eq!(dark_ms.len(), 500, "a quarter of each second");
}

/// On columns that are seen from their side, a dropped piece is reported where it lands.
#[test]
fn a_falling_piece_is_reported_where_it_lands() {
    let (_, layout) = layouts()
        .into_iter()
        .find(|(name, _)| name == "connect-four")
        .unwrap();
    let mut board = board(*layout, 1);
    let mut told = Vec::new();
    for _ in 0..3 {
        let top = layout.point("d6").unwrap();
        tap(&mut board, top, &mut |_, event| {
            if let Event::Move { point, .. } = event {
                told.push(layout.name(point).to_string());
            }
        });
    }
    assert_eq!(told, ["d1", "d2", "d3"]);
}

/// A touch during the search for legal touches is not lost.
#[test]
fn no_touch_is_lost_while_the_board_computes() {
    let (_, layout) = layouts()
        .into_iter()
        .find(|(name, _)| name == "chess")
        .unwrap();
    let mut board = board(*layout, 1);
    let mut moves = Vec::new();
    for name in ["e2", "e4", "e7", "e5", "g1", "f3", "b8", "c6", "f1", "b5"] {
        let point = layout.point(name).unwrap();
        tap(&mut board, point, &mut |_, event| {
            if let Event::Move { point, .. } = event {
                moves.push(layout.name(point).to_string());
            }
        });
    }
    assert_eq!(moves, ["e4", "e5", "f3", "c6", "b5"]);
    assert_eq!(board.tick(), 0);
    assert_eq!(board.turn(), None, "it looks for what black may do");
    board.advance(1_000, &mut |_, _| {});
    assert_eq!(board.turn(), Some(protocol::Side::Red));
}

/// Lets time pass until no search is running. Returns the events.
fn settle(board: &mut AnyBoard) -> Vec<Event> {
    let mut events = Vec::new();
    while board.is_settling() {
        board.advance(1, &mut |_, event| events.push(event));
    }
    events
}

/// Reading the rules of a user-written game costs no time on the clock; after the first
/// touch, a turn has exactly its time.
#[test]
fn no_clock_of_a_text_runs_before_the_first_touch() {
    let is_late = |event: &Event| matches!(event, Event::TimedOut { .. });
    let is_move = |event: &Event| matches!(event, Event::Move { .. } | Event::Part { .. });
    let mut tried = 0;
    for (seed, (name, layout)) in (1..).zip(layouts()) {
        let mut rng = Rng::new(seed);
        let mut board = board(*layout, seed);
        settle(&mut board);
        let (begun, mut events) = (board.turn(), Vec::new());
        if board.status().clock.is_none() {
            println!("{name} plays by itself");
            continue;
        }
        for _ in 0..5 {
            let ticks = u64::from(rng.below(1_800_000));
            board.advance(ticks, &mut |_, event| events.push(event));
        }
        assert!(
            !events.iter().any(|event| is_late(event) || is_move(event)),
            "{name}: {events:?}"
        );
        assert_eq!(board.turn(), begun, "{name}");
        let clock = board.status().clock.expect("it waits");
        assert!(
            clock.waits && clock.left_ms == clock.of_ms,
            "{name}: {clock:?}"
        );

        let legal = board.legal_points();
        match legal.is_empty() {
            true => board.input(Input::Pass, &mut |_, _| {}),
            false => tap(
                &mut board,
                legal[rng.below(legal.len() as u32) as usize],
                &mut |_, _| {},
            ),
        }
        settle(&mut board);
        let Some(clock) = board.status().clock else {
            continue;
        };
        assert!(!clock.waits, "{name}");
        let side = board.turn().expect("a clock is somebody's");
        events.clear();
        board.advance((clock.left_ms - 1).into(), &mut |_, event| {
            events.push(event)
        });
        assert!(!events.iter().any(is_late), "{name}: {events:?}");
        board.advance(1, &mut |_, event| events.push(event));
        assert!(
            events.contains(&Event::TimedOut { side }),
            "{name}: {events:?}"
        );
        tried += 1;
    }
    assert!(tried > 20, "{tried} games");
}
