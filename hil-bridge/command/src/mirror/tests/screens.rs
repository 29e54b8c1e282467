//! What is painted on screens of every size.

use drawings::ring;
use ratatui::style::{Color, Modifier};

use super::*;

#[test]
fn a_game_is_painted_on_an_ordinary_screen() {
    insta::assert_snapshot!(game().terminal(80, 24).backend());
}

#[test]
fn a_game_on_a_large_screen_has_discs_for_points() {
    insta::assert_snapshot!(game().terminal(120, 40).backend());
}

#[test]
fn a_game_on_a_narrow_screen_has_the_case_below() {
    insta::assert_snapshot!(game().terminal(50, 34).backend());
}

#[test]
fn a_screen_that_is_too_small_names_the_size_it_needs() {
    insta::assert_snapshot!(game().terminal(30, 8).backend());
}

#[test]
fn the_keys_are_listed_over_the_board() {
    let mut session = game();
    session.keys("?");
    insta::assert_snapshot!(session.terminal(80, 24).backend());
}

#[test]
fn a_board_of_256_points_fits_an_ordinary_screen() {
    let layout = Layout::grid(16, 16).expect("16 is the longest side");
    let mut session = Session::new();
    session.spy = Spy::new(layout);
    session.start();
    insta::assert_snapshot!(session.terminal(80, 24).backend());
}

#[test]
fn a_hexagon_has_its_rows_shifted_by_half_a_point() {
    insta::assert_snapshot!(lit(hexagon(), &THREE_LINES).terminal(80, 24).backend());
}

#[test]
fn a_hexagon_on_a_large_screen_has_discs_for_points() {
    insta::assert_snapshot!(lit(hexagon(), &THREE_LINES).terminal(110, 40).backend());
}

#[test]
fn a_ring_is_round() {
    let lights = [("c7", Colour::GREEN), ("c4", Colour::AMBER)];
    insta::assert_snapshot!(lit(ring(), &lights).terminal(80, 24).backend());
}

#[test]
fn painting_any_screen_does_not_panic() {
    for session in [game(), lit(hexagon(), &THREE_LINES), lit(ring(), &[])] {
        for width in 1..140 {
            for height in [1, 2, 5, 11, 12, 24, 25, 60] {
                let terminal = session.terminal(width, height);
                let painted = terminal.backend().buffer();
                assert_eq!(*painted.area(), Rect::new(0, 0, width, height));
                let blank = painted.content().iter().all(|cell| cell.symbol() == " ");
                assert!(!blank || width < 4, "{width}x{height}");
            }
        }
    }
}

#[test]
fn points_have_their_colours_and_touched_ones_are_reversed() {
    let session = game();
    let terminal = session.terminal(80, 24);
    let buffer = terminal.backend().buffer();
    let at = |name: &str| {
        let cell = session.geometry.cell(point(name));
        &buffer[(cell.x + 1, cell.y)]
    };
    assert_eq!(at("d7").fg, Color::Indexed(10));
    assert_eq!(at("c7").fg, Color::Indexed(9), "it flashes");
    assert_eq!(at("i9").fg, Color::Indexed(8));
    assert!(at("a1").modifier.contains(Modifier::REVERSED));
    assert!(!at("d7").modifier.contains(Modifier::REVERSED));
    let display = session.geometry.display;
    assert_eq!(buffer[(display.x + 1, display.y + 1)].symbol(), "░");
    assert_eq!(
        buffer[(display.x + 21, display.y + 1)].fg,
        Color::Indexed(9)
    );
}

#[test]
fn errors_are_shown_whole_on_every_screen() {
    let trouble = "the board at tcp:localhost:7777 did not answer within 3000 ms: check that it is switched on, connected, and runs touchboard firmware";
    for (columns, rows) in [(80, 24), (120, 40), (50, 34), (41, 32)] {
        let mut session = game();
        session.mirror.trouble = Some(trouble.to_owned());
        let terminal = session.terminal(columns, rows);
        let shown = format!("{}", terminal.backend());
        // Each on one line, in this order.
        let mut rest = &shown[..];
        for word in trouble.split(' ') {
            let (_, after) = rest
                .split_once(word)
                .unwrap_or_else(|| panic!("{word:?} at {columns}x{rows}:\n{shown}"));
            rest = after;
        }
        assert!(shown.contains("trouble"), "{shown}");
    }
}

#[test]
fn a_long_line_of_the_log_is_shown_whole() {
    let mut session = game();
    let words = "the board restarted: its state at tick 12345 is lost, and it is now at tick 0";
    session.mirror.log.push_back((12_345, words.to_owned()));
    let shown = format!("{}", session.terminal(80, 24).backend());
    for word in words.split(' ') {
        assert!(shown.contains(word), "{word:?}:\n{shown}");
    }
}

#[test]
fn the_rules_cover_the_board_and_scroll_to_their_end() {
    let mut session = game();
    let f1 = Event::Key(KeyEvent::new(KeyCode::F(1), KeyModifiers::NONE));
    session.event(f1.clone());
    let first = format!("{}", session.terminal(64, 16).backend());
    assert!(first.contains("Reversi, mode 0"), "{first}");
    let cursor = session.mirror.cursor;
    for _ in 0..200 {
        session.event(Event::Key(KeyEvent::new(KeyCode::Down, KeyModifiers::NONE)));
    }
    assert_eq!(session.mirror.cursor, cursor);
    let last = format!("{}", session.terminal(64, 16).backend());
    let text = touchboard_host::games::how_to(0).unwrap();
    for (sentence, shown, hidden) in [(text.aim, &first, &last), (text.speed, &last, &first)] {
        let words: Vec<&str> = sentence.split(' ').collect();
        let words = words[..4].join(" ");
        assert!(shown.contains(&words), "{words:?}:\n{shown}");
        assert!(!hidden.contains(&words), "{words:?}:\n{hidden}");
    }
    session.mirror.open = Some(Open::HowTo(0));
    insta::assert_snapshot!(session.terminal(80, 24).backend());
    session.event(f1);
    assert_eq!(session.mirror.open, None);
}

#[test]
fn without_colours_points_show_their_letters() {
    let mut session = game();
    session.mirror.ability.depth = ColourDepth::None;
    let screen = lines(&session, 80, 24).join("\n");
    assert!(screen.contains(" g "), "{screen}");
    assert!(!screen.contains('●'), "{screen}");
    let large = lines(&session, 120, 40).join("\n");
    assert!(large.contains('g') && large.contains("█r█"), "{large}");
}

#[test]
fn of_a_file_of_news_the_end_of_the_last_line_is_read() {
    let file = tempfile::NamedTempFile::new().unwrap();
    let news = |text: &str| {
        std::fs::write(file.path(), text).unwrap();
        last_line(file.path())
    };
    assert_eq!(news(""), None);
    assert_eq!(news("1 of 9\n2 of 9\n").as_deref(), Some("2 of 9"));
    assert_eq!(news("1 of 9\n2 of 9").as_deref(), Some("2 of 9"));
    let before = "1 of 9\n".repeat(10_000);
    assert_eq!(news(&(before + "8 of 9\n")).as_deref(), Some("8 of 9"));
    let long = "é".repeat(10_000);
    let end = news(&long).expect("it is a line");
    assert!((1..=NEWS_BYTES as usize + 3).contains(&end.len()) && end.ends_with('é'));
}

#[cfg(unix)]
#[test]
fn news_without_an_end_are_none() {
    assert_eq!(last_line(Path::new("/dev/zero")), None);
    assert_eq!(last_line(Path::new("/dev")), None);
}

#[test]
fn other_news_are_in_the_last_line() {
    let mut session = game();
    session.mirror.news = Some("the window is being built: 212 of 523 crates".into());
    let screen = lines(&session, 80, 24);
    let last = screen.last().expect("a screen has lines");
    assert!(last.contains("212 of 523 crates"), "{last}");
}
