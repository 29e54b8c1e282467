use firmware_core::games::LAYOUTS_OWN;
use protocol::{Button, Input, Point};

use crate::Driver;

use super::*;

const REVERSI: Settings = Settings {
    game: 0,
    time: 5,
    speed: 5,
    level: 0,
    mode: 0,
};

fn point(name: &str) -> Point {
    Layout::MALDOO.point(name).expect("it is on the board")
}

fn moved(side: Side, name: &str, changed: u16) -> Event {
    Event::Move {
        side,
        point: point(name),
        changed,
    }
}

fn lines(events: &[(Tick, Event)], game: Settings) -> Vec<StoryLine> {
    let told = events
        .iter()
        .map(|(tick, event)| (*tick, StoryItem::Event(*event)));
    story_of(told, Layout::MALDOO, REVERSI, game)
}

fn texts(events: &[(Tick, Event)]) -> Vec<String> {
    lines(events, REVERSI).iter().map(StoryLine::text).collect()
}

#[test]
fn a_move_is_one_line_with_changes_and_score() {
    let events = [
        (0, Event::Started(REVERSI)),
        (0, Event::Score([2, 2])),
        (0, Event::Turn(Side::Green)),
        (900, moved(Side::Green, "e4", 1)),
        (900, Event::Score([4, 1])),
        (900, Event::Turn(Side::Red)),
    ];
    assert_eq!(
        texts(&events),
        [
            "Reversi: Classic, for two, 2 : 2",
            "green e4, 1 turned, 4 : 1"
        ]
    );
}

#[test]
fn a_time_out_move_is_described_as_one() {
    let red = Side::Red;
    let events = [
        (30_000, Event::TimedOut { side: red }),
        (30_000, moved(red, "c4", 2)),
        (30_000, Event::Score([3, 6])),
        (30_000, Event::Turn(Side::Green)),
    ];
    let lines = lines(&events, REVERSI);
    assert_eq!(lines.len(), 1);
    assert_eq!(lines[0].side, Some(red));
    assert_eq!(
        lines[0].text(),
        "time up: the board plays c4 for red, 2 turned, 3 : 6"
    );
}

#[test]
fn a_skipped_side_is_in_the_line_of_the_move() {
    let events = [
        (5, Event::Passed { side: Side::Red }),
        (5, moved(Side::Green, "a1", 3)),
        (5, Event::Score([40, 3])),
    ];
    assert_eq!(
        texts(&events),
        ["green a1, 3 turned, red cannot move, 40 : 3"]
    );
}

#[test]
fn a_pass_and_a_lost_turn_are_a_line_each() {
    let go = Settings { game: 9, ..REVERSI };
    let events = [
        (5, Event::Passed { side: Side::Red }),
        (5, Event::Turn(Side::Green)),
        (900, Event::TimedOut { side: Side::Green }),
        (900, Event::Turn(Side::Red)),
    ];
    let lines = lines(&events, go);
    let texts: Vec<String> = lines.iter().map(StoryLine::text).collect();
    assert_eq!(texts, ["red passes", "time up: green's turn is lost"]);
    assert!(lines.iter().all(|line| line.about == Subject::Turn));
}

#[test]
fn two_moves_in_one_tick_are_two_lines() {
    let events = [
        (5, moved(Side::Green, "a1", 0)),
        (5, Event::Turn(Side::Red)),
        (5, moved(Side::Red, "a2", 0)),
        (5, moved(Side::Red, "a3", 0)),
    ];
    assert_eq!(texts(&events), ["green a1", "red a2", "red a3"]);
}

#[test]
fn a_running_score_is_one_line_until_the_next_move() {
    let life = Settings { game: 2, ..REVERSI };
    let count = |tick, score| (tick, Event::Score([score, 0]));
    let mut events = vec![count(700, 1), count(1_400, 2), count(2_100, 3)];
    assert_eq!(lines(&events, life).len(), 1);
    events.push((2_500, moved(Side::Green, "d4", 0)));
    let lines = lines(&events, life);
    assert_eq!(lines.len(), 1);
    assert_eq!(lines[0].text(), "green d4, 3 : 0");
}

#[test]
fn successive_settings_are_one_line_of_differences() {
    let level = |level| Event::Settings(Settings { level, ..REVERSI });
    let events = [
        (0, Event::Started(REVERSI)),
        (500, level(1)),
        (1_000, level(2)),
        (1_250, level(3)),
        (9_000, level(0)),
    ];
    assert_eq!(
        texts(&events)[1..],
        ["level 3", "level 0, with people alone"]
    );
}

#[test]
fn settings_that_change_nothing_have_no_line() {
    let events = [(0, Event::Settings(REVERSI)), (0, Event::Started(REVERSI))];
    assert_eq!(texts(&events).len(), 1, "{:?}", texts(&events));
}

#[test]
fn settings_that_end_a_game_say_that_they_do() {
    let game = |game| Event::Settings(Settings { game, ..REVERSI });
    let events = [
        (0, Event::Started(REVERSI)),
        (500, game(1)),
        (500, Event::Stopped(Stop::Settings)),
        (750, game(2)),
    ];
    assert_eq!(
        texts(&events)[1..],
        ["the game ends; now set: Life, mode 0, Life1, the race"]
    );
}

#[test]
fn the_same_refusal_again_is_counted_in_one_line() {
    let refused = Event::Illegal {
        side: Side::Green,
        point: point("d4"),
    };
    let events = [(5, refused), (90, refused)];
    assert_eq!(texts(&events), ["d4 is no move for green (2 times)"]);
}

#[test]
fn ends_of_games_and_news_of_the_line_stand_out() {
    let over = [
        (5, moved(Side::Green, "a1", 3)),
        (5, Event::Score([40, 24])),
        (5, Event::Over(Outcome::Won(Side::Green))),
        (5, Event::Bleep(880)),
    ];
    let told = over.map(|(tick, event)| (tick, StoryItem::Event(event)));
    let lost = [(9, StoryItem::Sentence("the board restarted"))];
    let lines = story_of(
        told.into_iter().chain(lost),
        Layout::MALDOO,
        REVERSI,
        REVERSI,
    );
    let kinds: Vec<Subject> = lines.iter().map(|line| line.about).collect();
    assert_eq!(kinds, [Subject::Move, Subject::End, Subject::Alarm]);
    assert_eq!(lines[1].text(), "green has won, 40 to 24");
}

#[test]
fn news_do_not_change_the_last_deed() {
    let events = [(900, moved(Side::Green, "e4", 1))];
    let told = events.map(|(tick, event)| (tick, StoryItem::Event(event)));
    let news = (
        950,
        StoryItem::Sentence("the board was rebuilt: the game is the same"),
    );
    let lines = story_of(
        told.into_iter().chain([news]),
        Layout::MALDOO,
        REVERSI,
        REVERSI,
    );
    assert_eq!(lines.len(), 2);
    assert_eq!(last_deed(&lines).unwrap().what, "green e4, 1 turned");
}

#[test]
fn the_last_deed_belongs_to_the_current_game() {
    let mut events = vec![
        (0, Event::Started(REVERSI)),
        (900, moved(Side::Green, "e4", 1)),
        (1_500, Event::Paused(true)),
    ];
    let last = |events: &[(Tick, Event)]| {
        let lines = lines(events, REVERSI);
        last_deed(&lines).map(|line| line.what.clone())
    };
    assert_eq!(last(&events).as_deref(), Some("green e4, 1 turned"));
    events.push((2_000, Event::Stopped(Stop::Restart)));
    events.push((2_000, Event::Started(REVERSI)));
    assert_eq!(last(&events), None);
}

fn part(side: Side, name: &str) -> Event {
    Event::Part {
        side,
        point: point(name),
    }
}

#[test]
fn a_turn_of_several_touches_grows_in_one_line() {
    let green = Side::Green;
    let mut events = vec![(900, part(green, "a1"))];
    assert_eq!(texts(&events), ["green a1 ..."]);
    events.push((1_200, part(green, "b2")));
    assert_eq!(texts(&events), ["green a1 b2 ..."]);
    events.push((1_500, moved(green, "c3", 0)));
    events.push((1_500, Event::Turn(Side::Red)));
    assert_eq!(texts(&events), ["green a1 b2 c3"]);
    events.push((2_000, moved(Side::Red, "d4", 0)));
    assert_eq!(texts(&events), ["green a1 b2 c3", "red d4"]);
}

#[test]
fn a_late_turn_event_is_not_a_deed() {
    let [green, red] = Side::BOTH;
    let game = Settings {
        game: LAYOUTS_OWN,
        ..REVERSI
    };
    let mut events = vec![
        (900, moved(green, "a1", 0)),
        (911, Event::Turn(red)),
        (1_500, moved(red, "b1", 0)),
        (1_511, Event::Turn(green)),
    ];
    let told = |events: &[(Tick, Event)], game| {
        let lines = lines(events, game);
        let last = last_deed(&lines).map(|line| line.what.clone());
        (lines.len(), last.unwrap_or_default())
    };
    assert_eq!(told(&events, game), (2, "red b1".to_owned()));
    // In other games a lone turn is news; here only if it is unexpected.
    assert_eq!(told(&events, REVERSI).0, 4);
    events.push((2_000, moved(green, "c1", 0)));
    events.push((2_011, Event::Turn(green)));
    assert_eq!(told(&events, game), (4, "green moves again".to_owned()));
}

#[test]
fn touches_by_the_clock_complete_the_players_line() {
    let green = Side::Green;
    let events = [
        (900, part(green, "a1")),
        (5_000, Event::TimedOut { side: green }),
        (5_000, part(green, "b2")),
        (5_001, moved(green, "c3", 0)),
        (5_001, Event::Turn(Side::Red)),
    ];
    let lines = lines(&events, REVERSI);
    assert_eq!(lines.len(), 1);
    assert_eq!(
        lines[0].text(),
        "time up: the board plays a1 b2 c3 for green"
    );
    assert!(lines[0].is_late);
}

#[test]
fn parts_of_a_lost_turn_are_dropped() {
    let [green, red] = Side::BOTH;
    for end in [
        Event::TimedOut { side: green },
        Event::Passed { side: green },
    ] {
        for turn in [None, Some((5_000, Event::Turn(red)))] {
            let mut events = vec![(900, part(green, "a1")), (5_000, end)];
            events.extend(turn);
            events.push((6_000, moved(red, "c3", 0)));
            let texts = texts(&events);
            assert_eq!(texts[0], "green a1 ...");
            assert_eq!(texts[2], "red c3");
        }
    }
}

const ISHIDO: Settings = Settings {
    game: 11,
    ..REVERSI
};

fn texts_of(events: &[(Tick, Event)], game: Settings) -> Vec<String> {
    lines(events, game).iter().map(StoryLine::text).collect()
}

#[test]
fn taking_a_stone_back_is_a_line_and_the_last_deed() {
    let (side, green) = (Side::Green, Side::Green);
    let taken_back = Event::TakenBack {
        side,
        point: point("b8"),
    };
    let mut events = vec![
        (0, Event::Started(ISHIDO)),
        (0, Event::Turn(green)),
        (900, moved(green, "b8", 0)),
        (900, Event::Score([1, 0])),
        (1_500, taken_back),
        (1_500, Event::Score([0, 0])),
    ];
    let told = lines(&events, ISHIDO);
    assert_eq!(
        texts_of(&events, ISHIDO),
        [
            "Ishido: Dekker, for one",
            "b8, 1 point, 0 four-ways",
            "b8 is taken back, 0 points, 0 four-ways"
        ]
    );
    let last = last_deed(&told).map(|line| line.what.as_str());
    assert_eq!(last, Some("b8 is taken back"));
    events.push((2_000, moved(green, "a7", 0)));
    assert_eq!(
        texts_of(&events, ISHIDO)[3..],
        ["a7, 0 points, 0 four-ways"]
    );
}

#[test]
fn help_and_moves_made_with_it_have_their_own_words() {
    let green = Side::Green;
    let mut events = vec![(900, part(green, "a7"))];
    assert_eq!(texts_of(&events, ISHIDO), ["help is asked for"]);
    events.push((1_200, part(green, "a7")));
    assert_eq!(texts_of(&events, ISHIDO), ["help is put away"]);
    events.push((1_500, part(green, "a7")));
    events.push((1_800, moved(green, "b3", 0)));
    assert_eq!(texts_of(&events, ISHIDO), ["b3, with help"]);
    events.push((2_800, moved(green, "b4", 0)));
    assert_eq!(texts_of(&events, ISHIDO)[1], "b4");
    let late = [
        (900, part(green, "a7")),
        (5_000, Event::TimedOut { side: green }),
        (5_000, moved(green, "c3", 0)),
    ];
    assert_eq!(texts_of(&late, ISHIDO), ["time up: the board plays c3"]);
}

#[test]
fn a_refused_square_says_that_the_stone_does_not_fit() {
    let refused = Event::Illegal {
        side: Side::Green,
        point: point("d4"),
    };
    assert_eq!(
        texts_of(&[(5, refused)], ISHIDO),
        ["the stone does not fit on d4"]
    );
}

#[test]
fn a_game_lost_on_time_is_not_a_lost_turn() {
    let [green, red] = Side::BOTH;
    let ticdabtoe = Settings {
        game: 12,
        ..REVERSI
    };
    let events = [
        (900, moved(green, "a1", 0)),
        (900, Event::Turn(red)),
        (30_900, Event::TimedOut { side: red }),
        (30_900, Event::Score([16, 0])),
        (30_900, Event::Over(Outcome::Won(green))),
    ];
    assert_eq!(
        texts_of(&events, ticdabtoe)[1..],
        [
            "time up: red has lost, 16 : 0",
            "green has won, red's time ran out"
        ]
    );
    assert!(lines(&events, ticdabtoe)[2].is_late);
    let by_blocks = [
        (900, moved(green, "a1", 0)),
        (900, Event::Score([16, 0])),
        (900, Event::Over(Outcome::Won(green))),
    ];
    let told = texts_of(&by_blocks, ticdabtoe);
    assert_eq!(told[1], "green has won, four blocks in a row");
}

#[test]
fn a_mode_has_the_number_that_the_board_shows() {
    let malaka = Settings {
        game: 10,
        mode: 12,
        ..REVERSI
    };
    let events = [(0, Event::Settings(malaka))];
    assert_eq!(texts(&events), ["Malaka, mode C, 12x12, d4"]);
}

#[test]
fn a_turn_of_malaka_is_described_step_by_step() {
    let malaka = Settings {
        game: 10,
        mode: 0,
        level: 0,
        ..REVERSI
    };
    let part = |name: &str| Event::Part {
        side: Side::Green,
        point: Layout::MALDOO.point(name).unwrap(),
    };
    let events = [
        (0, Event::Started(malaka)),
        (0, Event::Score([228, 228])),
        (0, Event::Turn(Side::Green)),
        (10, part("a1")),
        (20, part("a1")),
        (30, part("c1")),
        (
            40,
            Event::Move {
                side: Side::Green,
                point: Layout::MALDOO.point("c4").unwrap(),
                changed: 1,
            },
        ),
        (40, Event::Score([225, 228])),
        (40, Event::Turn(Side::Red)),
    ];
    let texts = texts(&events);
    assert_eq!(
        texts.last().map(String::as_str),
        Some("green c1-c4 (3), 225 : 228"),
        "{texts:?}"
    );
}

/// The lines about moves in a text, after these touches.
fn lines_of(text: &str, touches: &[&str]) -> Vec<StoryLine> {
    let layout = crate::written::texts::layout(text);
    let mut board = crate::CoreDriver::new(*layout, 3).unwrap();
    let start = [Input::Press(Button::Start), Input::Lift(Button::Start)];
    board.step(&start, 300).unwrap();
    for name in touches {
        let point = layout.point(name).unwrap();
        let tap = [Input::Touch(point), Input::Release(point)];
        board.step(&tap, 300).unwrap();
    }
    let settings = board.board().settings();
    let events = board.take_events().into_iter();
    let told = events.map(|stamped| (stamped.tick, StoryItem::Event(stamped.event)));
    let lines = story_of(told, *layout, settings, settings).into_iter();
    lines.filter(|line| line.about == Subject::Move).collect()
}

/// The moves of a text in words, after these touches.
fn moves_of(text: &str, touches: &[&str]) -> Vec<String> {
    let lines = lines_of(text, touches).into_iter();
    lines.map(|line| line.what).collect()
}

/// The text of the last of these lines.
fn last_text(lines: &[StoryLine]) -> String {
    lines.last().map(StoryLine::text).unwrap_or_default()
}

#[test]
fn a_move_has_a_score_only_where_a_count_decides() {
    let row = lines_of("connect-four", &["d1", "d2"]);
    assert_eq!(last_text(&row), "red d2");
    let stones = lines_of("reversi", &["c5"]);
    assert_eq!(last_text(&stones), "green c5, 1 changed, 4 : 1");
}

#[test]
fn a_side_of_a_text_that_is_passed_over_did_not_pass() {
    let [green, red] = Side::BOTH;
    let own = Settings {
        game: LAYOUTS_OWN,
        ..REVERSI
    };
    let mut events = vec![
        (800, Event::Turn(green)),
        (900, moved(green, "c1", 0)),
        (903, Event::Passed { side: red }),
        (906, Event::Passed { side: green }),
    ];
    let texts = texts_of(&events, own);
    assert_eq!(
        texts[1..],
        ["green c1", "red cannot move", "green cannot move"]
    );
    events.truncate(2);
    events.push((910, Event::Turn(red)));
    events.push((2_000, Event::Passed { side: red }));
    let told = texts_of(&events, own);
    assert_eq!(told.last().map(String::as_str), Some("red passes"));
}

#[test]
fn a_jumped_piece_is_named_by_its_point() {
    let what = moves_of("english-draughts", &["c3", "d4", "f6", "e5", "d4", "f6"]);
    assert_eq!(what, ["green c3 d4", "red f6 e5", "green d4 f6, takes e5"]);
}

#[test]
fn every_captured_piece_is_named_in_the_line() {
    let touches = [
        "e2", "e4", "d7", "d5", "e4", "d5", "g8", "f6", "g1", "f3", "e7", "e5", "d5", "e6",
    ];
    let what = moves_of("chess", &touches);
    let wanted = [
        "green e2 e4",
        "red d7 d5",
        "green e4 takes d5",
        "red g8 f6",
        "green g1 f3",
        "red e7 e5",
        "green d5 e6, takes a piece",
    ];
    assert_eq!(what, wanted);
}

#[test]
fn a_piece_that_is_only_taken_is_named_as_taken() {
    let touches = ["a1", "a7", "d1", "d7", "g1", "a7"];
    let what = moves_of("nine-mens-morris", &touches);
    let taken = "green takes a7";
    assert_eq!(
        what,
        [
            "green a1", "red a7", "green d1", "red d7", "green g1", taken
        ]
    );
}
