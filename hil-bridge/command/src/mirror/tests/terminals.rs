//! Each kind of terminal is sent only what it can show, and shows everything.

use ratatui::style::Color;

use super::*;

/// A screen as text: its characters, and below them the colours of each cell, numbered in
/// order of appearance, with `.` for the terminal's own.
fn with_colours(session: &Session, ability: Ability) -> String {
    let mut mirror = session.mirror.clone();
    mirror.ability = ability;
    let backend = TestBackend::new(80, 24);
    let mut terminal = Terminal::new(backend).expect("memory is a terminal");
    let painted = terminal.draw(|frame| draw(frame, &session.spy, &mirror));
    painted.expect("memory is a terminal");
    let buffer = terminal.backend().buffer();
    let mut seen: Vec<Color> = Vec::new();
    let mut text = String::new();
    for y in 0..24 {
        let cells = || (0..80).map(|x| &buffer[(x, y)]);
        let symbols: String = cells().map(|cell| cell.symbol()).collect();
        text += symbols.trim_end();
        text.push('\n');
        let mut place = |colour: Color| {
            let known = seen.iter().position(|one| *one == colour);
            let index = known.unwrap_or_else(|| {
                seen.push(colour);
                seen.len() - 1
            });
            format!("{index}")
        };
        let mut runs: Vec<(String, usize)> = Vec::new();
        for cell in cells() {
            let own = match (cell.fg, cell.bg) {
                (Color::Reset, Color::Reset) => ".".to_owned(),
                (fg, bg) => format!("{}/{}", place(fg), place(bg)),
            };
            match runs.last_mut() {
                Some((last, count)) if *last == own => *count += 1,
                _ => runs.push((own, 1)),
            }
        }
        let runs = runs.iter().map(|(own, count)| format!("{own}x{count}"));
        text += &runs.collect::<Vec<_>>().join(" ");
        text.push('\n');
    }
    for (index, colour) in seen.iter().enumerate() {
        text += &format!("{index}: {colour:?}\n");
    }
    text
}

/// The screen of a terminal of this kind, for a game that has just begun.
fn shown_on(depth: ColourDepth, is_unicode: bool) -> String {
    let mut session = game();
    session.pass(100);
    with_colours(&session, Ability { depth, is_unicode })
}

#[test]
fn a_terminal_with_all_colours_gets_all_of_them() {
    insta::assert_snapshot!(shown_on(ColourDepth::True, true));
}

#[test]
fn a_terminal_with_256_colours_gets_indexed_colours() {
    insta::assert_snapshot!(shown_on(ColourDepth::Indexed, true));
}

#[test]
fn a_terminal_with_16_colours_gets_no_more() {
    insta::assert_snapshot!(shown_on(ColourDepth::Sixteen, true));
}

#[test]
fn a_terminal_without_colours_gets_letters() {
    insta::assert_snapshot!(shown_on(ColourDepth::None, true));
}

#[test]
fn a_terminal_without_unicode_gets_ascii() {
    insta::assert_snapshot!(shown_on(ColourDepth::None, false));
}

/// All kinds of terminals.
fn abilities() -> impl Iterator<Item = Ability> {
    let depths = [
        ColourDepth::None,
        ColourDepth::Sixteen,
        ColourDepth::Indexed,
        ColourDepth::True,
    ];
    let each = depths
        .into_iter()
        .flat_map(|depth| [true, false].map(|is_unicode| Ability { depth, is_unicode }));
    each.collect::<Vec<_>>().into_iter()
}

#[test]
fn no_terminal_gets_unsupported_colours_or_characters() {
    let mut sessions = vec![
        game(),
        marks(),
        game_at_home(ISHIDO, 0),
        lit(hexagon(), &THREE_LINES),
    ];
    for session in &mut sessions {
        let mut asked = std::collections::HashMap::new();
        session.keys("?");
        for ability in abilities() {
            session.mirror.ability = ability;
            for (width, height) in [(80, 24), (40, 40), (200, 70)] {
                let terminal = session.terminal(width, height);
                let cells = &terminal.backend().buffer().content;
                // Question marks only occur in the list of keys, not in place of unknown
                // characters.
                let unknown = cells.iter().filter(|cell| cell.symbol() == "?").count();
                let known = *asked.entry((width, height)).or_insert(unknown);
                assert_eq!(unknown, known, "{ability:?}");
                for cell in cells {
                    for colour in [cell.fg, cell.bg] {
                        let needs = match colour {
                            Color::Reset => ColourDepth::None,
                            Color::Rgb(..) => ColourDepth::True,
                            Color::Indexed(16..) => ColourDepth::Indexed,
                            _ => ColourDepth::Sixteen,
                        };
                        assert!(needs <= ability.depth, "{colour:?} on {ability:?}");
                    }
                    assert!(ability.is_unicode || cell.symbol().is_ascii(), "{cell:?}");
                }
            }
        }
        session.mirror.open = None;
    }
}

/// The cells of a point without their colours: the brightness of each half, or its letter.
fn form_of(session: &Session, name: &str, size: (u16, u16)) -> String {
    let (width, height) = size;
    let geometry = Geometry::new(Rect::new(0, 0, width, height), session.spy.layout());
    let cell = geometry
        .expect("it is large enough")
        .cell(session.point(name));
    let terminal = session.terminal(width, height);
    let buffer = terminal.backend().buffer();
    let bright = |colour: Color| match colour {
        Color::Rgb(red, green, blue) => red.max(green).max(blue) / 64,
        Color::Indexed(index @ 16..) => ability::rgb_of(index).into_iter().max().unwrap_or(0) / 64,
        _ => 9,
    };
    let mut text = String::new();
    for y in cell.y..cell.bottom() {
        for x in cell.x..cell.right() {
            let at = &buffer[(x, y)];
            let halves = match at.symbol() {
                "▀" => format!("{}{}", bright(at.fg), bright(at.bg)),
                symbol => symbol.to_owned(),
            };
            text += &halves;
        }
    }
    text
}

#[test]
fn sides_differ_without_colour_on_every_terminal() {
    let lights = [
        ("c3", Colour::GREEN),
        ("g7", Colour::RED),
        ("d5", Colour::OFF),
    ];
    let mut session = lit(Layout::MALDOO, &lights);
    for palette in [Palette::Board, Palette::BlueOrange] {
        session.mirror.palette = palette;
        for ability in abilities() {
            session.mirror.ability = ability;
            for size in [(80, 24), (70, 14), (120, 40), (240, 80)] {
                let [green, red, off] =
                    ["c3", "g7", "d5"].map(|name| form_of(&session, name, size));
                assert!(
                    green != red && green != off && red != off,
                    "{ability:?} {size:?}"
                );
            }
        }
    }
}

#[test]
fn texts_use_the_colour_names_of_the_palette() {
    let mut session = game();
    session.mirror.palette = Palette::BlueOrange;
    let screen = lines(&session, 80, 24).join("\n");
    assert!(screen.contains("blue 4  orange 1"), "{screen}");
    assert!(screen.contains("orange to move"), "{screen}");
    assert!(screen.contains("last: blue d7"), "{screen}");
    assert!(screen.contains("blue d7 (+1)"), "{screen}");
    for own in ["green", " red"] {
        assert!(!screen.contains(own), "{own}: {screen}");
    }
    let mut marks = marks();
    marks.mirror.palette = Palette::BlueOrange;
    marks.mirror.ability.depth = ColourDepth::None;
    let screen = lines(&marks, 80, 24).join("\n");
    assert!(
        screen.contains("B B B B") && screen.contains("o"),
        "{screen}"
    );
    marks.mirror.open = Some(Open::HowTo(u16::MAX));
    let end = lines(&marks, 80, 24).join(" ");
    assert!(end.contains("b o: marks"), "{end}");
}
