//! Recording a board, and going back in the recording.

use law::{Judged, Weight, law};
use proptest::prelude::*;
use protocol::{Button, Layout, Point, Settings};

use super::keyframes::KEYFRAMES;
use super::*;
use crate::driver::{CoreDriver, Driver};

fn recorder() -> Recorder {
    Recorder::new(Session::new(Header::new(Layout::MALDOO, 1, "a test")))
}

fn touch(point: u8) -> SessionItem {
    SessionItem::from(Input::Touch(Point(point)))
}

fn acts(recorder: &Recorder, tick: Tick) -> Vec<SessionItem> {
    let entries = recorder.session(tick).entries.into_iter();
    entries.map(|entry| entry.item).collect()
}

#[test]
fn doing_something_else_discards_the_entries_ahead() {
    let mut recorder = recorder();
    recorder.keep(0, vec![0], 0);
    recorder.record(10, touch(1)).unwrap();
    recorder.record(20, touch(2)).unwrap();
    let keyframe = recorder.keyframe_before(15).unwrap().clone();
    assert_eq!((keyframe.tick, &keyframe.state[..]), (0, &[0][..]));
    recorder.return_to(&keyframe);
    assert_eq!(recorder.take_due(15).unwrap().item, touch(1));
    assert!(recorder.has_more());
    recorder.record(15, touch(3)).unwrap();
    assert!(!recorder.has_more());
    assert_eq!(
        acts(&recorder, 30),
        [SessionItem::Digest(0), touch(1), touch(3), SessionItem::End]
    );
}

#[test]
fn repeating_the_same_input_does_not_branch() {
    let mut recorder = recorder();
    recorder.keep(0, vec![0], 0);
    recorder.record(10, touch(1)).unwrap();
    recorder.keep(1_000, vec![1], 1);
    recorder.record(1_020, touch(2)).unwrap();
    let before = acts(&recorder, 2_000);
    let first = recorder.keyframe_before(5).unwrap().clone();
    recorder.return_to(&first);
    recorder.record(10, touch(1)).unwrap();
    assert!(recorder.has_more());
    // The same touch at a different tick is a different action.
    recorder.record(1_020, touch(2)).unwrap();
    assert!(!recorder.has_more());
    assert_eq!(acts(&recorder, 2_000), before);
    assert_eq!(recorder.keyframe_before(1_500).unwrap().tick, 1_000);

    recorder.return_to(&first);
    recorder.record(11, touch(1)).unwrap();
    assert!(!recorder.has_more());
    assert_eq!(recorder.keyframe_before(1_500).unwrap().tick, 0);
}

#[test]
fn the_beginning_stays_reachable_after_any_time() {
    let mut recorder = recorder();
    for second in 0..20_000 {
        let tick = second * KEYFRAME_MS;
        assert!(recorder.keyframe_due(tick).unwrap() <= tick);
        recorder.keep(tick, vec![], 0);
        let next = recorder.keyframe_due(tick + KEYFRAME_MS - 1);
        assert_eq!(next, Some(tick + KEYFRAME_MS));
    }
    assert_eq!(recorder.earliest(), Some(0));
    let ticks: Vec<Tick> = recorder.keyframes.iter().map(|kept| kept.tick).collect();
    assert!(ticks.len() <= KEYFRAMES, "{}", ticks.len());
    let gaps: Vec<Tick> = ticks.windows(2).map(|pair| pair[1] - pair[0]).collect();
    // One keyframe a second for the last half hour, and none far from the next before that.
    assert!(
        gaps[gaps.len() - 1_700..]
            .iter()
            .all(|gap| *gap == KEYFRAME_MS)
    );
    assert!(
        gaps.iter().all(|gap| *gap <= 64 * KEYFRAME_MS),
        "{:?}",
        gaps.iter().max()
    );
}

#[test]
fn a_restart_is_noted_at_its_tick_and_time_continues() {
    let mut recorder = recorder();
    recorder.keep(0, vec![0], 0);
    recorder.record(10, touch(1)).unwrap();
    let (seed, layout) = (7, Layout::grid(4, 3).unwrap());
    let reset = SessionItem::from(Deed::Reset { seed, layout });
    recorder.record(20, reset.clone()).unwrap();
    recorder.keep(0, vec![1], 1);
    recorder.record(5, touch(2)).unwrap();
    assert_eq!((recorder.earliest(), recorder.latest()), (Some(0), 25));
    assert_eq!((recorder.time(5), recorder.seed()), (25, 7));
    let states = [19, 20, 25].map(|time| recorder.keyframe_before(time).unwrap().state[0]);
    assert_eq!(states, [0, 1, 1]);
    let done = [touch(1), reset, touch(2)];
    let session = recorder.session(30);
    assert_eq!(session.header, Header::new(Layout::MALDOO, 1, "a test"));
    let acts = session.entries.into_iter().map(|entry| entry.item);
    assert!(acts.filter(SessionItem::is_done).eq(done));
}

/// An action on a board.
#[derive(Clone, Debug)]
enum Act {
    Touch(u8),
    Restart(u64),
    Wait(Tick),
}

#[test]
fn a_restart_is_repeated_at_its_tick_from_anywhere() {
    let act = prop_oneof![
        3 => (0..81_u8).prop_map(Act::Touch),
        1 => any::<u64>().prop_map(Act::Restart),
        3 => (1..3_000_u64).prop_map(Act::Wait),
    ];
    let like = (
        prop::collection::vec(act, 1..14),
        prop::collection::vec(any::<prop::sample::Index>(), 1..8),
    );
    law(Weight::of(24, 40), like, |(acts, visits)| {
        let mut board = ghost();
        let mut moments = Vec::new();
        let mut restarts = 0;
        for act in acts {
            match act {
                Act::Touch(point) => board.step(&[Input::Touch(Point(point))], 30).unwrap(),
                Act::Restart(seed) => {
                    let layout = board.layout();
                    board.carry_out(&Deed::Reset { seed, layout }).unwrap();
                    restarts += 1;
                }
                Act::Wait(ms) => board.step(&[], ms).unwrap(),
            }
            moments.push((board.time(), board.tick(), board.digest().unwrap()));
            // The next action has a later tick.
            board.step(&[], 1).unwrap();
        }
        for visit in visits {
            let (time, tick, digest) = moments[visit.index(moments.len())];
            board.go_to(time).unwrap();
            prop_assert_eq!((board.time(), board.tick()), (time, tick));
            prop_assert_eq!(board.digest().unwrap(), digest);
        }
        board.go_to(board.recorder().latest()).unwrap();
        let end = board.digest().unwrap();
        let session = board.recorder().whole_session(board.tick());
        let session = Session::parse(session.to_text().as_bytes()).unwrap();
        let mut elsewhere = CoreDriver::new(Layout::MALDOO, 9).unwrap();
        prop_assert_eq!(session.replay(&mut elsewhere, &mut |_| ()).unwrap(), None);
        prop_assert_eq!(elsewhere.digest().unwrap(), end);
        Ok(Judged::if_any(restarts > 0))
    });
}

#[test]
fn a_branch_across_a_restart_can_be_revisited() {
    let mut board = ghost();
    let layout = board.layout();
    board.carry_out(&Deed::Reset { seed: 3, layout }).unwrap();
    board.step(&[Input::Press(Button::Start)], 1_500).unwrap();
    let (end, digest) = (board.time(), board.digest().unwrap());
    board.go_to(2_500).unwrap();
    board.step(&[Input::Press(Button::Level)], 500).unwrap();
    let left = board.recorder().branches()[0];
    assert_eq!((left.from, left.until >= 6_000), (2_500, true));
    assert!(board.go_to_branch(0, end).unwrap());
    assert_eq!((board.tick(), board.digest().unwrap()), (1_500, digest));
}

/// A board that thinks about its first move in SpeedGo, 2.5 s old.
fn thinking() -> RecordingDriver<CoreDriver> {
    let mut board = board();
    let settings = Settings {
        game: firmware_core::games::number::SPEEDGO,
        level: 3,
        ..Settings::default()
    };
    board.carry_out(&Deed::Settings(settings)).unwrap();
    board
        .step(
            &[Input::Press(Button::Start), Input::Lift(Button::Start)],
            500,
        )
        .unwrap();
    let legal = board.legal().unwrap()[0];
    board
        .step(&[Input::Touch(legal), Input::Release(legal)], 2_000)
        .unwrap();
    board
}

#[test]
fn branching_drops_the_keyframes_after_it() {
    let mut board = thinking();
    let now = board.time();
    board.go_to(now - 150).unwrap();
    let layout = board.layout();
    board.step(&[Input::Press(Button::Level)], 60).unwrap();
    board.step(&[Input::Lift(Button::Level)], 300).unwrap();
    let there = board.digest().unwrap();
    let end = board.time();
    for before in [5, 100, 250, 350, 800] {
        board.go_to(end - before).unwrap();
        board.go_to(end).unwrap();
        assert_eq!(board.digest().unwrap(), there, "{before} ms before");
    }
    let mut elsewhere = CoreDriver::new(layout, 1).unwrap();
    let session = board.recorder().whole_session(board.tick());
    assert_eq!(session.replay(&mut elsewhere, &mut |_| ()).unwrap(), None);
    assert_eq!(elsewhere.digest().unwrap(), there);
}

#[test]
fn going_forward_again_uses_the_keyframes() {
    let mut board = ghost();
    board.step(&[], 60_000).unwrap();
    let there = board.digest().unwrap();
    board.go_to(3_000).unwrap();
    assert!(board.jumps_to(65_000) && !board.jumps_to(3_400));
    board.take_events();
    board.go_to(65_000).unwrap();
    assert_eq!((board.tick(), board.digest().unwrap()), (65_000, there));
    assert_eq!(board.take_events(), [], "it was told before");
    board.go_to(66_000).unwrap();
    assert!(!board.recorder().has_more(), "nobody was there before");
}

#[test]
fn the_recorder_knows_the_fingers_on_the_board() {
    let mut recorder = recorder();
    let press = Input::Press(Button::Start);
    for input in [
        Input::Touch(Point(3)),
        press,
        Input::Touch(Point(4)),
        Input::Release(Point(3)),
    ] {
        recorder.record(5, SessionItem::from(input)).unwrap();
    }
    let lifts = [Input::Lift(Button::Start), Input::Release(Point(4))];
    assert_eq!(recorder.lifts(), lifts);
}

fn board() -> RecordingDriver<CoreDriver> {
    let board = CoreDriver::new(Layout::MALDOO, 1).unwrap();
    RecordingDriver::from_now(board, 1, "a test").unwrap()
}

/// A game of Ghost at 5 s, which was started at 2 s.
fn ghost() -> RecordingDriver<CoreDriver> {
    let mut board = board();
    let settings = Settings {
        game: 1,
        ..Settings::default()
    };
    board.carry_out(&Deed::Settings(settings)).unwrap();
    board.step(&[], 2_000).unwrap();
    let start = [Input::Press(Button::Start), Input::Lift(Button::Start)];
    board.step(&start, 3_000).unwrap();
    board
}

#[test]
fn going_back_and_forward_restores_every_digest() {
    let mut board = ghost();
    let last = board.digest().unwrap();
    let mut digest = |tick| {
        board.go_to(tick).unwrap();
        assert_eq!(board.tick(), tick);
        board.digest().unwrap()
    };
    let ticks = [4_321, 1_999, 2_000, 3_456, 0, 5_000];
    let once = ticks.map(&mut digest);
    let again = ticks.map(&mut digest);
    assert_eq!(once, again);
    assert_eq!(once[5], last);
    assert_ne!(once[0], last);
    let (compared, mismatch) = board.compared();
    assert_eq!((compared > 0, mismatch), (true, None));
}

#[test]
fn going_back_step_by_step_undoes_inputs() {
    let mut board = board();
    board.step(&[], 2_000).unwrap();
    let before = board.digest().unwrap();
    board.step(&[Input::Press(Button::Start)], 0).unwrap();
    board.step(&[Input::Lift(Button::Start)], 3_000).unwrap();
    let recorder = board.recorder();
    assert_eq!((recorder.earliest(), recorder.latest()), (Some(0), 5_000));
    board.go_to(1_999).unwrap();
    board.go_to(2_000).unwrap();
    assert_ne!(board.digest().unwrap(), before, "Start was pressed then");
}

#[test]
fn the_recording_of_a_loaded_state_begins_there() {
    let mut other = board();
    other.step(&[], 7_000).unwrap();
    let mut board = board();
    board.step(&[], 100).unwrap();
    board.load(&other.save().unwrap()).unwrap();
    board.step(&[], 2_500).unwrap();
    assert_eq!(
        board.recorder().earliest(),
        Some(0),
        "what was before is not forgotten"
    );
    let there = board.digest().unwrap();
    board.go_to(7_200).unwrap();
    board.go_to(9_500).unwrap();
    assert_eq!(board.digest().unwrap(), there);
}

#[test]
fn a_branched_session_replays_on_a_fresh_board() {
    let mut board = ghost();
    board.go_to(2_500).unwrap();
    board.step(&[Input::Press(Button::Level)], 1_500).unwrap();
    let session = Session::parse(board.session().to_text().as_bytes()).unwrap();
    let mut elsewhere = CoreDriver::new(Layout::MALDOO, 9).unwrap();
    assert_eq!(session.replay(&mut elsewhere, &mut |_| ()).unwrap(), None);
    assert_eq!(elsewhere.tick(), 4_000);
    assert_eq!(elsewhere.digest().unwrap(), board.digest().unwrap());
}

/// The digests of a board at these ticks.
fn moments(board: &mut RecordingDriver<CoreDriver>, ticks: &[Tick]) -> Vec<u64> {
    let moment = |tick: &Tick| {
        board.go_to(*tick).unwrap();
        board.digest().unwrap()
    };
    ticks.iter().map(moment).collect()
}

#[test]
fn an_abandoned_branch_is_restored_exactly() {
    let ticks = [5_000, 1_000, 2_600, 4_999, 3_400];
    let mut board = ghost();
    let first = moments(&mut board, &ticks);
    board.go_to(2_500).unwrap();
    board.step(&[Input::Press(Button::Level)], 2_500).unwrap();
    let second = moments(&mut board, &ticks);
    assert_ne!(first, second);
    assert_eq!(
        board.recorder().branches(),
        [],
        "nothing was done after 2.5 s the first time"
    );

    board.go_to(1_500).unwrap();
    board.step(&[Input::Press(Button::Game)], 500).unwrap();
    let branches = board.recorder().branches().to_vec();
    assert_eq!(branches.len(), 1);
    assert_eq!((branches[0].from, branches[0].acts), (1_500, 3));
    assert!(board.go_to_branch(0, 5_000).unwrap());
    assert_eq!(moments(&mut board, &ticks), second);
    let branches = board.recorder().branches().to_vec();
    assert_eq!(
        (branches.len(), branches[0].from, branches[0].acts),
        (1, 1_500, 1)
    );
    assert!(!board.go_to_branch(1, 0).unwrap());
    let (_, mismatch) = board.compared();
    assert_eq!(mismatch, None);
}

#[test]
fn branch_numbers_are_stable_and_unique() {
    let mut board = ghost();
    assert_eq!(board.recorder().branch_number(), 1);
    let leave = |board: &mut RecordingDriver<CoreDriver>, tick, button| {
        board.go_to(tick).unwrap();
        board.step(&[Input::Press(button)], 500).unwrap();
    };
    leave(&mut board, 1_500, Button::Game);
    leave(&mut board, 1_200, Button::Level);
    let numbers = |board: &RecordingDriver<CoreDriver>| -> Vec<u32> {
        let branches = board.recorder().branches().iter();
        branches.map(|branch| branch.number).collect()
    };
    assert_eq!(
        (numbers(&board), board.recorder().branch_number()),
        (vec![1, 2], 3)
    );
    assert!(board.go_to_branch(0, 1_000).unwrap());
    assert_eq!(
        (numbers(&board), board.recorder().branch_number()),
        (vec![2, 3], 1)
    );
    leave(&mut board, 1_100, Button::Mode);
    assert_eq!(
        (numbers(&board), board.recorder().branch_number()),
        (vec![2, 3, 1], 4)
    );
}

/// True if the cached branches equal newly computed ones.
fn are_up_to_date(recorder: &Recorder) -> bool {
    let mut anew = recorder.clone_past();
    anew.branches.part_anew();
    recorder.branches() == anew.branches()
}

#[test]
fn switching_branches_restores_each_exactly() {
    let cut = (0..3_000_u64, 0..81_u8);
    law(
        Weight::of(32, 50),
        prop::collection::vec(cut, 2..6),
        |cuts| {
            let mut board = board();
            board
                .carry_out(&Deed::Input(Input::Press(Button::Start)))
                .unwrap();
            board.step(&[Input::Lift(Button::Start)], 3_000).unwrap();
            let mut ends = Vec::new();
            for (tick, point) in cuts {
                board.go_to(tick).unwrap();
                board.step(&[Input::Touch(Point(point))], 40).unwrap();
                prop_assert!(are_up_to_date(board.recorder()));
                board.step(&[Input::Release(Point(point))], 500).unwrap();
                prop_assert!(are_up_to_date(board.recorder()));
                ends.push((
                    board.tick(),
                    board.session().entries,
                    board.digest().unwrap(),
                ));
            }
            let mut found = 0;
            for _ in 0..2 * BRANCHES {
                prop_assert!(are_up_to_date(board.recorder()));
                let count = board.recorder().branches().len();
                if count == 0 || !board.go_to_branch(0, 3_600).unwrap() {
                    break;
                }
                // The oldest branch each time, so that each gets its turn.
                for (tick, entries, digest) in &ends {
                    let whole = board.recorder().whole_session(0).entries;
                    let acts = |entries: &[SessionEntry]| {
                        let acts = entries.iter().filter(|entry| entry.item.is_done());
                        acts.cloned().collect::<Vec<_>>()
                    };
                    if acts(&whole) == acts(entries) {
                        board.go_to(*tick).unwrap();
                        prop_assert_eq!(board.digest().unwrap(), *digest);
                        found += 1;
                    }
                }
            }
            Ok(Judged::if_any(found > 1))
        },
    );
}

#[test]
fn setting_a_mark_keeps_the_entries_ahead() {
    let ticks = [5_000, 2_100, 4_000];
    let mut board = ghost();
    let before = moments(&mut board, &ticks);
    for tick in [3_000, 1_000, 5_000] {
        board.go_to(tick).unwrap();
        board.recorder.mark(tick, format!("at {tick}"));
    }
    // A moment that is lived through again, from before or after it, is not marked again.
    for begin in [500, 5_000] {
        board.go_to(begin).unwrap();
        for tick in [1_000, 3_000] {
            board.go_to(tick).unwrap();
            board.mark_once(format!("at {tick}"));
        }
    }
    assert_eq!(moments(&mut board, &ticks), before);
    let session = board.recorder().whole_session(0);
    let note = |entry: &SessionEntry| match &entry.item {
        SessionItem::Note(words) => Some((entry.tick, words.clone())),
        _ => None,
    };
    let notes: Vec<(Tick, String)> = session.entries.iter().filter_map(note).collect();
    let expected = [1_000, 3_000, 5_000].map(|tick| (tick, format!("at {tick}")));
    assert_eq!(notes, expected);
    let again = Session::parse(session.to_text().as_bytes()).unwrap();
    let mut elsewhere = CoreDriver::new(Layout::MALDOO, 9).unwrap();
    assert_eq!(again.replay(&mut elsewhere, &mut |_| ()).unwrap(), None);
}
