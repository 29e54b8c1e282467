//! The laws of the board in every game, mode and level, under arbitrary plays.

use firmware_core::games::{self, Playing};
use firmware_core::{AnyBoard, Context, EventSink, Ground, Points, Rng, SNAPSHOT_BYTES, Wide};
use law::{Judged, Ruling, Weight, law};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use protocol::{Event, Input, Layout, Point, Tick};
use touchboard_tests::{
    PassTime, Play, TestStep, carry_out, layout, play, play_anywhere, play_on, usual_layout,
};

fn at_once(board: &mut AnyBoard, ticks: Tick, tell: EventSink<'_>) {
    board.advance(ticks, tell);
}

/// The results of a run: all events, and the digest after every step.
fn run(play: &Play, pass_time: PassTime<'_>) -> (Vec<(Tick, Event)>, Vec<u64>) {
    let mut board = play.board();
    let (mut events, mut digests) = (Vec::new(), Vec::new());
    for step in &play.steps {
        let mut tell = |tick, event| events.push((tick, event));
        carry_out(step, &mut board, &mut tell, pass_time);
        digests.push(board.digest());
    }
    (events, digests)
}

fn save(board: &AnyBoard) -> Vec<u8> {
    let mut buffer = vec![0; SNAPSHOT_BYTES];
    let length = board.save(&mut buffer).expect("every state fits").len();
    buffer.truncate(length);
    buffer
}

/// The number of cases of a law about whole boards. The minimum percentages are four
/// standard deviations below the share in arbitrary plays, a third of which contain no
/// move, because plays may be very short and boards very small.
const fn plays(floor_percent: u32) -> Weight {
    Weight {
        cases: 192,
        floor_percent,
    }
}

/// A case is relevant if a side made a move.
fn has_moves(events: &[(Tick, Event)]) -> Judged {
    let is_move = |(_, event): &(Tick, Event)| matches!(event, Event::Move { .. });
    Judged::if_any(events.iter().any(is_move))
}

/// Both ways to let time pass give the same result. A case is relevant if anything
/// happened while time passed.
fn time_passes_the_same(play: &Play, pass_time: PassTime<'_>) -> Ruling {
    let mut happened = false;
    let mut watched = |board: &mut AnyBoard, ticks: Tick, tell: EventSink<'_>| {
        board.advance(ticks, &mut |tick, event| {
            happened = true;
            tell(tick, event);
        });
    };
    prop_assert_eq!(run(play, &mut watched), run(play, pass_time));
    Ok(Judged::if_any(happened))
}

/// Any input at any tick is accepted without a panic, and the same play
/// gives the same events and digests.
#[test]
fn the_same_play_gives_the_same_digests() {
    law(plays(55), play_anywhere(60), |play| {
        let ran = run(&play, &mut at_once);
        prop_assert_eq!(&ran, &run(&play, &mut at_once));
        Ok(has_moves(&ran.0))
    });
}

/// It makes no difference how a wait is divided.
#[test]
fn a_wait_in_pieces_equals_one_wait() {
    law(plays(45), (play_anywhere(80), 1u64..700), |(play, cuts)| {
        let mut in_pieces = |board: &mut AnyBoard, ticks: Tick, tell: EventSink<'_>| {
            let mut left = ticks;
            while left > 0 {
                let piece = left.min(cuts);
                board.advance(piece, tell);
                left -= piece;
            }
        };
        time_passes_the_same(&play, &mut in_pieces)
    });
}

/// `advance(n)` equals `n` times `advance(1)`.
#[test]
fn advancing_by_n_equals_n_times_one() {
    let like = play_on(usual_layout(), 40);
    law(plays(35), like, |play| {
        let mut one_by_one = |board: &mut AnyBoard, ticks: Tick, tell: EventSink<'_>| {
            for _ in 0..ticks {
                board.advance(1, tell);
            }
        };
        time_passes_the_same(&play, &mut one_by_one)
    });
}

/// A board that is saved and loaded after every step, and in the middle of every
/// wait, continues like a board that is not.
#[test]
fn saving_and_loading_changes_nothing() {
    law(
        plays(50),
        (play_anywhere(60), 0u64..100),
        |(play, middle)| {
            let mut saved_in_a_game = false;
            let mut reloading = |board: &mut AnyBoard, ticks: Tick, tell: EventSink<'_>| {
                let first = ticks * middle / 100;
                board.advance(first, tell);
                saved_in_a_game |= board.turn().is_some();
                let mut loaded = AnyBoard::new(Layout::MALDOO, 1).expect("a board");
                loaded
                    .load(&save(board))
                    .expect("what a board saved, a board loads");
                assert_eq!(loaded.digest(), board.digest());
                *board = loaded;
                board.advance(ticks - first, tell);
            };
            prop_assert_eq!(run(&play, &mut at_once), run(&play, &mut reloading));
            Ok(Judged::if_any(saved_in_a_game))
        },
    );
}

/// Never stuck: whatever happened, Start begins a game, or reports that the layout
/// is too small for it.
#[test]
fn a_board_always_starts_again() {
    law(plays(75), play_anywhere(40), |play| {
        let mut board = play.board();
        for step in &play.steps {
            carry_out(step, &mut board, &mut |_, _| {}, &mut at_once);
        }
        let mut events = Vec::new();
        let start = Input::Press(protocol::Button::Start);
        board.input(Input::Lift(protocol::Button::Start), &mut |_, _| {});
        board.input(start, &mut |_, event| events.push(event));
        let begun = |event: &Event| matches!(event, Event::Started(_));
        let too_small = Event::Stopped(protocol::Stop::Impossible);
        let begins = events.iter().any(begun);
        prop_assert!(begins || events.contains(&too_small));
        Ok(Judged::if_any(begins))
    });
}

/// Bytes that are not a snapshot are refused, and a snapshot with a
/// valid digest and arbitrary content never makes a board panic.
#[test]
fn a_forged_snapshot_is_refused_or_harmless() {
    let forgery = (any::<prop::sample::Index>(), any::<u8>());
    let like = (
        play(20),
        proptest::collection::vec(forgery, 1..4),
        proptest::collection::vec(touchboard_tests::input(), 0..20),
    );
    // Most forgeries are refused; the others are the relevant cases.
    let weight = Weight {
        cases: 384,
        floor_percent: 4,
    };
    law(weight, like, |(play, forgeries, after)| {
        let mut board = play.board();
        for step in &play.steps {
            carry_out(step, &mut board, &mut |_, _| {}, &mut at_once);
        }
        let mut bytes = save(&board);
        let state = bytes.len() - 8;
        for (place, value) in forgeries {
            bytes[place.index(state)] = value;
        }
        prop_assume!(bytes != save(&board));
        prop_assert!(board.load(&bytes).is_err(), "the digest no longer fits");
        let seal = firmware_core::digest::digest(&bytes[..state]).to_le_bytes();
        bytes[state..].copy_from_slice(&seal);
        let believed = board.load(&bytes).is_ok();
        if believed {
            for input in after {
                board.input(input, &mut |_, _| {});
                board.advance(777, &mut |_, _| {});
            }
            board.advance(100_000, &mut |_, _| {});
        }
        Ok(Judged::if_any(believed))
    });
}

/// In one position: at every point, `legal` and `touch` agree, and a refused touch
/// leaves the game unchanged.
fn legal_and_touch_agree(playing: &Playing<Wide>, ground: &Ground<Wide>, rng: &Rng, now: Tick) {
    let legal: Points<Wide> = playing.game().legal(ground);
    for index in 0..=u8::MAX {
        let point = Point(index);
        let mut after = playing.clone();
        let mut events = heapless::Vec::new();
        let touch = after.game_mut().touch(
            point,
            &mut Context {
                ground,
                rng: &mut rng.clone(),
                now,
                speed: 5,
                events: &mut events,
            },
        );
        let accepted = touch.is_accepted();
        assert_eq!(accepted, legal.has(point), "at point {index}: {touch:?}");
        if !accepted {
            assert_eq!(
                &after, playing,
                "a refused touch on point {index} changed the game"
            );
        }
    }
}

/// The same in whole games of every mode. A case is relevant if two moves were made.
#[test]
fn legal_and_play_agree() {
    let weight = Weight {
        cases: 64,
        floor_percent: 70,
    };
    let like = (
        proptest::sample::select(games::NUMBERS.to_vec()),
        usual_layout(),
        any::<u8>(),
        any::<u64>(),
        proptest::collection::vec((any::<u8>(), 0u64..3_000), 0..60),
    );
    law(weight, like, |(game, layout, mode, seed, choices)| {
        let ground: Ground<Wide> = Ground::new(layout).expect("256 bits hold every layout");
        let mode = mode % games::about(game).map_or(1, |about| about.modes);
        let mut rng = Rng::new(seed);
        let (mut now, mut moves) = (0, 0);
        macro_rules! context {
            () => {
                &mut Context {
                    ground: &ground,
                    rng: &mut rng,
                    now,
                    speed: 5,
                    events: &mut heapless::Vec::new(),
                }
            };
        }
        let Some(mut playing) = Playing::start(game, mode, context!()) else {
            prop_assert_ne!(layout, Layout::MALDOO, "9x9 holds every game");
            return Ok(Judged::Nothing);
        };
        for (choice, wait) in choices {
            legal_and_touch_agree(&playing, &ground, &rng.clone(), now);
            if playing.game().outcome().is_some() {
                break;
            }
            let legal = playing.game().legal(&ground);
            if let Some(point) = legal.nth(usize::from(choice) % legal.len().max(1)) {
                moves += 1;
                playing.game_mut().touch(point, context!());
            }
            let end = now + wait;
            while let Some(at) = playing.game().wakes_at().filter(|at| *at <= end) {
                now = at.max(now + 1);
                playing.game_mut().wake(context!());
                if playing.game().outcome().is_some() {
                    break;
                }
            }
            now = now.max(end);
        }
        Ok(Judged::if_any(moves > 1))
    });
}

/// The strategy generates small, usual and large layouts, as intended.
#[test]
fn arbitrary_layouts_use_every_word() {
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let mut seen = [false; 3];
    for _ in 0..200 {
        let layout = layout().new_tree(&mut runner).expect("a layout").current();
        let word = [64, 128, 256]
            .iter()
            .position(|bits| layout.points() <= *bits);
        seen[word.expect("at most 256 points")] = true;
    }
    assert_eq!(seen, [true; 3]);
}

/// Arbitrary steps do play: runs of them contain moves.
#[test]
fn arbitrary_plays_contain_moves() {
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let mut moves = 0;
    for _ in 0..20 {
        let play = play(60).new_tree(&mut runner).expect("a play").current();
        let (events, _) = run(&play, &mut at_once);
        moves += events
            .iter()
            .filter(|(_, event)| matches!(event, Event::Move { .. }))
            .count();
        assert!(
            play.steps
                .iter()
                .any(|step| matches!(step, TestStep::Do(_)))
        );
    }
    assert!(moves > 40, "{moves} moves");
}
