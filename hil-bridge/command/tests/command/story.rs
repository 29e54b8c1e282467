//! The story of whole recorded games, as the log tells it.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use protocol::{Button, Event, Input, Layout, Roster, Settings, Side, StampedEvent};
use touchboard_host::story::{StoryItem, StoryLine, Subject, story_of};
use touchboard_host::{CoreDriver, Driver, Session};
use touchboard_links::SessionInFile;

/// The recorded games: random ones, and ones that are interesting to watch.
fn sessions() -> Vec<PathBuf> {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests");
    let mut paths: Vec<PathBuf> = ["sessions", "demos"]
        .into_iter()
        .flat_map(|folder| std::fs::read_dir(tests.join(folder)).expect("they are there"))
        .map(|file| file.expect("a file").path())
        .filter(|path| path.extension().is_some_and(|end| end == "session"))
        .collect();
    paths.sort();
    paths
}

fn events(path: &Path) -> (Vec<StampedEvent>, Layout) {
    let session = Session::load(path).expect("it is a session");
    let (layout, roster) = (Layout::MALDOO, session.header.roster);
    let mut board = CoreDriver::with_games(layout, roster, 0).expect("a board");
    session
        .replay(&mut board, &mut |_| ())
        .expect("a board in this process is there");
    let layout = board.layout();
    (board.take_events(), layout)
}

fn story(events: &[StampedEvent], layout: Layout) -> Vec<StoryLine> {
    let told = events
        .iter()
        .map(|stamped| (stamped.tick, StoryItem::Event(stamped.event)));
    story_of(told, layout, Settings::default(), Settings::default())
}

#[test]
fn the_story_of_each_recorded_game_has_one_line_per_move() {
    let mut games = BTreeSet::new();
    for path in sessions() {
        let (events, layout) = events(&path);
        let lines = story(&events, layout);
        let is_move = |event: &&StampedEvent| matches!(event.event, Event::Move { .. });
        let moves: Vec<(u64, Side)> = events
            .iter()
            .filter(is_move)
            .map(|stamped| match stamped.event {
                Event::Move { side, .. } => (stamped.tick, side),
                _ => unreachable!(),
            })
            .collect();
        let told: Vec<(u64, Side)> = lines
            .iter()
            .filter(|line| line.about == Subject::Move)
            .filter_map(|line| Some((line.tick, line.side?)))
            .collect();
        assert_eq!(told, moves, "{path:?}");
        games.extend(events.iter().filter_map(|stamped| match stamped.event {
            Event::Started(settings) if !moves.is_empty() => Some(settings.game),
            _ => None,
        }));
    }
    assert_eq!(games.len(), 14, "moves were made in {games:?} only");
}

#[test]
fn the_story_has_each_beginning_and_end_once() {
    for path in sessions() {
        let (events, layout) = events(&path);
        let lines = story(&events, layout);
        let count = |is_counted: fn(&Event) -> bool| {
            events
                .iter()
                .filter(|stamped| is_counted(&stamped.event))
                .count()
        };
        let told = |about| lines.iter().filter(|line| line.about == about).count();
        let began = count(|event| matches!(event, Event::Started(_)));
        let ended = count(|event| matches!(event, Event::Over(_)));
        assert_eq!(told(Subject::Begin), began, "{path:?}");
        assert_eq!(told(Subject::End), ended, "{path:?}");
        for line in &lines {
            assert!(
                !line.text().is_empty() && line.text().len() < 100,
                "{line:?}"
            );
        }
    }
}

#[test]
fn a_stone_that_was_taken_back_is_not_the_last_move() {
    let layout = Layout::grid(12, 8).expect("a layout");
    let mut board = CoreDriver::with_games(layout, Roster::of(&[11]), 3).expect("a board");
    let touch = |board: &mut CoreDriver, point| {
        board.step(&[Input::Touch(point)], 20).expect("it is here");
        board
            .step(&[Input::Release(point)], 20)
            .expect("it is here");
    };
    let press = [Input::Press(Button::Start), Input::Lift(Button::Start)];
    board.step(&press, 20).expect("it is here");
    let point = board.legal().expect("it is here")[0];
    touch(&mut board, point);
    let last = board.status().expect("it is here").last_move;
    assert_eq!(last.map(|last| last.point), Some(point));
    board.take_events();
    touch(&mut board, point);
    assert_eq!(board.status().expect("it is here").last_move, None);
    let side = Side::Green;
    let events = board.take_events();
    assert!(
        events
            .iter()
            .any(|stamped| stamped.event == Event::TakenBack { side, point }),
        "{events:?}"
    );
}
