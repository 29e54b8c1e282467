//! What the mirror says about a game: its status, its last move, its log.

use touchboard_host::standing;

use super::*;

#[test]
fn the_clock_runs_between_pictures_and_stops_in_a_pause() {
    let mut session = game_of(0, 0);
    pass_seconds(&mut session, 3);
    let screen = lines(&session, 80, 24).join("\n");
    assert!(screen.contains(" 30 s"), "{screen}");
    let waits = "the clock waits for the first touch";
    assert!(screen.contains(waits), "{screen}");
    // A touch that is not a move.
    session.keys("A1 ");
    pass_seconds(&mut session, 3);
    let screen = lines(&session, 80, 24).join("\n");
    assert!(!screen.contains(waits), "{screen}");
    assert!(screen.contains("green 2  red 2"), "{screen}");
    assert!(screen.contains(" 27 s"), "{screen}");
    assert!(screen.contains("green to move"), "{screen}");
    session.keys("h");
    pass_seconds(&mut session, 3);
    let screen = lines(&session, 80, 24).join("\n");
    assert!(screen.contains(" 27 s"), "{screen}");
    assert!(screen.contains("paused, green to move"), "{screen}");
}

#[test]
fn the_last_move_is_marked_and_a_time_out_move_differs() {
    let mut session = game_of(0, 0);
    session.keys("D7 A1");
    session.pass(200);
    let screen = lines(&session, 80, 24);
    assert!(screen.iter().any(|line| line.contains("last: green d7")));
    assert!(screen[5].contains("(●)"), "{screen:#?}");
    pass_seconds(&mut session, 31);
    let screen = lines(&session, 80, 24).join("\n");
    assert!(screen.contains("{◎}"), "{screen}");
    assert!(screen.contains(", moved by the clock"), "{screen}");
    let screen = lines(&session, 120, 40).join("\n");
    assert!(screen.contains("{██"), "{screen}");
    assert!(!screen.contains("(█"), "{screen}");
}

#[test]
fn ticks_of_an_ending_turn_are_one_line_of_the_log() {
    let mut session = game_of(0, 0);
    session.keys("A1 ");
    pass_seconds(&mut session, 31);
    let ticks: Vec<&String> = session
        .mirror
        .log
        .iter()
        .map(|(_, words)| words)
        .filter(|words| words.contains("1320 Hz"))
        .collect();
    assert_eq!(ticks, ["bleep 1320 Hz, 5 times"]);
}

#[test]
fn an_ignored_touch_is_in_the_log() {
    let mut session = game_of(0, 0);
    session.keys("hA1 ");
    let (_, last) = session.mirror.log.back().expect("it is not empty");
    assert_eq!(last, "bleep 110 Hz: that touch means nothing");
}

#[test]
fn units_of_the_score_and_turns_left_are_shown() {
    let race = lines(&game_of(2, 0), 80, 24).join("\n");
    assert!(race.contains("green 0  red 0 generations"), "{race}");
    let picture = lines(&game_of(4, 0), 80, 24).join("\n");
    assert!(picture.contains("right 0  wrong 0"), "{picture}");
    assert!(picture.contains("complete the picture"), "{picture}");
    let chains = lines(&game_of(3, 0), 80, 24).join("\n");
    assert!(chains.contains("turns left"), "{chains}");
}

#[test]
fn no_status_is_cut_on_an_ordinary_screen() {
    for number in firmware_core::games::NUMBERS {
        let modes = firmware_core::games::about(*number).map_or(0, |about| about.modes);
        for mode in 0..modes {
            let mut session = game_of(*number, mode);
            for _ in 0..24 {
                session.pass(250);
                session.keys(" ");
                let wide = lines(&session, 160, 24);
                let narrow = lines(&session, 80, 24);
                let state = standing::state(&session.mirror.status, session.spy.frame());
                let is_told = |lines: &[String]| lines.iter().any(|line| line.contains(&state));
                assert!(is_told(&wide) && is_told(&narrow), "{state}: {narrow:#?}");
            }
        }
    }
}

#[test]
fn ishido_is_painted_on_an_ordinary_screen() {
    let mut session = game_at_home(ISHIDO, 0);
    session.pass(200);
    insta::assert_snapshot!(session.terminal(80, 24).backend());
    let screen = lines(&session, 80, 24).join("\n");
    assert!(screen.contains("66 left"), "{screen}");
    assert!(
        !screen.contains("30 s") && screen.contains("time 5 (unused)"),
        "{screen}"
    );
    let screen = lines(&game_at_home(ISHIDO, 2), 80, 24).join("\n");
    assert!(screen.contains("time 5 (30 s)"), "{screen}");
}

#[test]
fn a_finished_game_of_ishido_shows_result_and_stones_left() {
    for (hand, said) in [
        ("hand C- pouch empty", "won, pouch empty"),
        ("hand C- pouch P+W=", "lost, no square fits: "),
    ] {
        let mut session = game_at_home(ISHIDO, 0);
        set_up(
            &mut session,
            ISHIDO,
            &format!("12/12/12/12/3Co8/12/12/12 {hand}"),
        );
        session.keys("D5 ");
        pass_seconds(&mut session, 6);
        assert!(session.mirror.status.outcome.is_some());
        let screen = lines(&session, 80, 24).join("\n");
        assert!(screen.contains(said), "{screen}");
        let lost = said.starts_with("lost");
        assert_eq!(screen.contains(", 2 left") && lost, lost, "{screen}");
        assert!(screen.contains("points 1  four-ways 0"), "{screen}");
    }
}

#[test]
fn a_score_above_65535_points_is_one_total() {
    let mut session = game_at_home(ISHIDO, 1);
    let stones = "12/12/12/12/3Co8/12/12/12 hand C- pouch C+ points 93175 0 four-ways 11 0";
    set_up(&mut session, ISHIDO, stones);
    pass_seconds(&mut session, 3);
    let screen = lines(&session, 80, 24).join("\n");
    assert!(screen.contains("93175 C- 211"), "{screen}");
    assert!(screen.contains("points 93175  four-ways 11"), "{screen}");
}

#[test]
fn ticdabtoe_has_signs_and_names_the_open_block() {
    let mut session = marks();
    insta::assert_snapshot!(session.terminal(80, 24).backend());
    // Only the points, because the turn light next to them has a letter instead.
    let board = |session: &Session| -> Vec<String> {
        let screen = lines(session, 80, 24).into_iter();
        screen.map(|line| line.chars().take(36).collect()).collect()
    };
    let coloured = board(&session);
    session.mirror.ability.depth = ColourDepth::None;
    assert_eq!(board(&session), coloured, "no sign needs its colour");
    let large = lines(&session, 200, 80).join("\n");
    for sign in ["r", "G", "+"] {
        assert!(large.contains(&format!("█{sign}█")), "{sign}: {large}");
    }
    session.keys("h");
    let held = lines(&session, 80, 24).join("\n");
    assert!(
        !held.contains("block d2") && !held.contains("G G"),
        "{held}"
    );
}

#[test]
fn the_rules_explain_the_signs() {
    let mut session = marks();
    session.event(Event::Key(KeyEvent::new(KeyCode::F(1), KeyModifiers::NONE)));
    session.mirror.open = Some(Open::HowTo(u16::MAX));
    let end = lines(&session, 80, 24).join(" ");
    assert!(end.contains("g r: marks; +: open; .: not open"), "{end}");
}

#[test]
fn the_log_explains_an_illegal_cell() {
    let mut session = marks();
    for (keys, why) in [
        ("A16 ", "a16 is no move for green: block a4 is won"),
        ("H14 ", "h14 is no move for green: h14 has a mark"),
        (
            "A1 ",
            "a1 is no move for green: play in block d2 (m5 to p8)",
        ),
    ] {
        session.keys(keys);
        let (_, last) = session.mirror.log.back().expect("it is not empty");
        assert_eq!(last, why);
        session.pass(150);
    }
}

/// Each game on its own board, at the start, in the middle and at the end.
#[test]
fn no_status_is_cut_on_the_board_of_each_game() {
    for game in firmware_core::games::BUILT.iter() {
        let modes = firmware_core::games::about(game).map_or(0, |about| about.modes);
        for mode in 0..modes.min(4) {
            let mut session = game_at_home(game, mode);
            for count in 0..60 {
                let legal = session.spy.legal().expect("it is in this process");
                if let Some(point) = legal.get(count * 7 % legal.len().max(1)) {
                    session
                        .mirror
                        .act(&mut session.spy, MirrorAction::Finger(*point));
                    session.mirror.act(&mut session.spy, MirrorAction::Up);
                }
                session.pass(250);
                let [wide, narrow] = [160, 80].map(|width| {
                    let geometry = Geometry::new(Rect::new(0, 0, width, 24), session.spy.layout());
                    let rows = geometry.expect("it is large enough").standing;
                    let terminal = session.terminal(width, 24);
                    let row = |y| (rows.x..rows.right()).map(move |x| (x, y));
                    let buffer = terminal.backend().buffer();
                    let text = |y| row(y).map(|at| buffer[at].symbol()).collect::<String>();
                    (rows.y..rows.bottom())
                        .map(|y| text(y).split_whitespace().collect::<Vec<_>>().join(" "))
                        .collect::<Vec<_>>()
                });
                assert_eq!(wide, narrow, "game {game} mode {mode}");
            }
        }
    }
}

const MALAKA: u8 = 10;

#[test]
fn the_log_names_kills_and_pins() {
    let mut session = game_at_home(MALAKA, 0);
    for (position, keys, said) in [
        ("O c4 a1 X d4 i9 i8 dice 1 turn green", "C4 D4 ", "kills"),
        ("O a4 b1 X a5 i9 i8 dice 1 turn green", "A4 A5 ", "pins"),
    ] {
        set_up(&mut session, MALAKA, position);
        // A new mirror of a board on which a game is already running.
        session.mirror = Mirror::new(&mut session.spy);
        let (from, to) = keys.split_at(3);
        session.keys(from.trim_end());
        session.keys(" ");
        session.pass(300);
        session.keys(to.trim_end());
        session.keys(" ");
        session.pass(300);
        let log: Vec<&String> = session.mirror.log.iter().map(|(_, words)| words).collect();
        assert!(
            log.iter().any(|words| words.contains(said)),
            "{said}: {log:?}"
        );
    }
}
