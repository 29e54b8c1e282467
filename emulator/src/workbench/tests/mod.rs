//! Tests of the panels, laid out without a window.

use firmware_core::games;
use protocol::{Clock as TurnClock, Colour, LastMove, Layout, Mover, Outcome, Point, Tick};
use protocol::{Settings, Side, Status};
use touchboard_host::standing;
use touchboard_host::story::{StoryLine, Subject};

use super::*;
use crate::keys::Stroke;
use crate::source::{BoardTime, Bring, Shown, ShownBoard, WindowCommand};

#[cfg(not(feature = "desktop"))]
mod bare;
mod before_the_first;
#[cfg(feature = "desktop")]
mod desktop;
mod line;
mod list;
mod panes_of_the_dock;
mod picture;
mod small;
mod timeline;

#[cfg(not(feature = "desktop"))]
use bare as system;
#[cfg(feature = "desktop")]
use desktop as system;
use picture::*;

#[test]
fn no_game_makes_the_panel_wider() {
    for size in SIZES {
        for game in games::BUILT.iter() {
            let picture = picture(&mut with_game(game), size, Vec::new());
            let panel = picture.screen.max - picture.left.max;
            let is_as_meant = match lay_out::is_upright(picture.screen.size()) {
                true => {
                    panel.x == 0.0 && panel.y < lay_out::HIGHEST_BELOW + style::STATUS_HEIGHT + 1.0
                }
                false => (panel.x - style::panel_width(picture.screen.width())).abs() < 1.0,
            };
            assert!(is_as_meant, "{size:?}: {panel}");
            for widget in picture.widgets() {
                assert!(
                    widget.right() <= picture.screen.right() - 4.0,
                    "game {game} in {size:?}: {widget} lies over the edge of {}",
                    picture.screen
                );
            }
            for (text, place, clip) in picture.words() {
                assert!(
                    place.left() >= clip.left() - 1.0 && place.right() <= clip.right() + 1.0,
                    "game {game} in {size:?}: `{text}` at {place} is cut by {clip}"
                );
            }
        }
    }
}

#[test]
fn no_two_widgets_share_an_id() {
    for size in SIZES.into_iter().chain([(640.0, 900.0), (900.0, 1_250.0)]) {
        let mut world = with_game(0);
        let told = picture(&mut world, size, Vec::new()).words();
        let clash = told.iter().find(|(text, ..)| text.contains("use of"));
        assert_eq!(clash, None, "{size:?}");
    }
}

#[test]
fn in_a_low_window_the_last_card_can_be_scrolled_to() {
    let mut world = world();
    let size = (800.0, 500.0);
    let before = picture(&mut world, size, Vec::new());
    let is_seen = |picture: &Picture| {
        let words = picture.words();
        let found = words.into_iter().find(|(text, ..)| text == system::LAST);
        found.is_some_and(|(_, place, clip)| clip.contains_rect(place))
    };
    assert!(!is_seen(&before));
    let after = picture(
        &mut world,
        size,
        scroll_down(before.screen.right_top() + egui::vec2(-60.0, 60.0)),
    );
    assert!(is_seen(&after));
}

#[test]
fn the_status_line_drops_whole_parts_and_cuts_none() {
    for width in (300..2600).step_by(50) {
        let picture = picture(&mut world(), (width as f32, 720.0), Vec::new());
        let line = picture.screen.bottom() - style::STATUS_HEIGHT;
        let mut ends: Vec<(f32, f32)> = Vec::new();
        for (text, place, clip) in picture.words() {
            // Parts scrolled out of the panel above also lie there.
            if place.top() >= line && clip.bottom() > line {
                assert!(clip.contains_rect(place), "{width}: `{text}` is cut");
                let is_over = |end: &(f32, f32)| place.left() < end.1 && end.0 < place.right();
                assert!(
                    !ends.iter().any(is_over),
                    "{width}: `{text}` lies over another"
                );
                ends.push((place.left(), place.right()));
            }
        }
        let words = picture.words();
        let has = |part: &str| words.iter().any(|(text, ..)| text.contains(part));
        assert!(has("Keys  ?"), "{width}");
        assert!(width < 1250 || has("wheel zooms"), "{width}");
    }
}

#[test]
fn the_list_of_keys_shows_the_whole_table_in_any_window() {
    for size in &SIZES[1..] {
        let mut world = world();
        world.insert_resource(KeysDrawer(Drawer::Open));
        let top = picture(&mut world, *size, Vec::new());
        let middle = top.left.center();
        let bottom = picture(&mut world, *size, scroll_down(middle));
        let words: Vec<_> = top.words().into_iter().chain(bottom.words()).collect();
        let list = top.context.memory(|memory| {
            let mut layers = memory.layer_ids();
            let window = layers.find(|layer| layer.order == egui::Order::Middle)?;
            memory.area_rect(window.id)
        });
        let list = list.expect("the list is open");
        assert!(
            top.left.contains_rect(list),
            "{size:?}: {list} is wider than {}",
            top.left
        );
        for line in crate::keys::TABLE.iter().flat_map(|group| group.lines) {
            for wanted in [line.caps, line.words] {
                let is_seen = words.iter().any(|(text, place, clip)| {
                    text == wanted && clip.expand(1.0).contains_rect(*place)
                });
                assert!(is_seen, "{size:?}: `{wanted}` is not to be seen");
            }
            let font = egui::TextStyle::Body.resolve(&top.context.global_style());
            let fonts =
                |fonts: &mut egui::epaint::text::FontsView| fonts.has_glyphs(&font, line.caps);
            assert!(
                top.context.fonts_mut(fonts),
                "no letters for `{}`",
                line.caps
            );
        }
    }
}

#[test]
fn open_drawers_leave_room_for_the_board() {
    for size in SIZES {
        let mut world = world();
        world.insert_resource(HowToDrawer(Drawer::Open));
        let picture = picture(&mut world, size, Vec::new());
        assert!(picture.left.width() >= 240.0, "{size:?}: {}", picture.left);
    }
}

/// All kinds of status that a game with these settings can have.
fn standings(settings: Settings) -> Vec<Status> {
    let none = Status {
        settings,
        ..Status::default()
    };
    let mut all = vec![none];
    let on = Status {
        score: Some([120, 118]),
        clock: Some(TurnClock {
            left_ms: 600_000,
            of_ms: 600_000,
            waits: false,
        }),
        last_move: Some(LastMove {
            side: Side::Green,
            point: Point(255),
            by: Mover::Clock,
        }),
        ..none
    };
    for turn in [None, Some(Side::Green), Some(Side::Red)] {
        for paused in [false, true] {
            let status = Status { turn, paused, ..on };
            all.push(Status {
                idle: true,
                clock: None,
                ..status
            });
            all.push(status);
        }
    }
    for outcome in [
        Outcome::Won(Side::Green),
        Outcome::Won(Side::Red),
        Outcome::Draw,
    ] {
        all.push(Status {
            outcome: Some(outcome),
            ..on
        });
    }
    all
}

#[test]
fn no_sentence_of_the_game_card_is_cut() {
    let mut cut = std::collections::BTreeSet::new();
    let mut seen = std::collections::BTreeSet::new();
    let mut look = |status: Status, is_lit: bool| {
        let mut world = world();
        let mut shown = world.resource_mut::<Shown>();
        shown.layout = Layout::grid(16, 16).unwrap();
        shown.status = status;
        if is_lit {
            shown.frame.points.set(Point(0), Colour::GREEN);
        }
        let kind = standing::kind(&shown.status.settings, shown.layout);
        let state = standing::state(&shown.status, &shown.frame);
        // Both are evaluated, so that neither is left out because the other is known.
        let is_new = [seen.insert(kind), seen.insert(state)];
        if is_new == [false; 2] {
            return;
        }
        cut.extend(picture(&mut world, (1280.0, 720.0), Vec::new()).cut());
    };
    for game in games::BUILT.iter() {
        for mode in 0..games::about(game).unwrap().modes {
            for level in [0, 4] {
                let settings = Settings {
                    game,
                    mode,
                    level,
                    ..Settings::default()
                };
                for status in standings(settings) {
                    look(status, true);
                    look(status, false);
                }
            }
        }
    }
    assert!(cut.is_empty(), "{cut:#?}");
}

#[test]
fn a_portrait_window_shows_time_pace_and_a_twin_that_differs() {
    use crate::source::{Agreement, BoardLink};
    let mut world = world();
    world.resource_mut::<Shown>().link = BoardLink::Up {
        board: "virtual".to_owned(),
    };
    world.resource_mut::<Shown>().twin = Agreement::Agrees { compared: 123_456 };
    world.resource_mut::<Shown>().pace.speed = 2.0;
    world.resource_mut::<WindowSwitches>().sound = false;
    for size in [(1000.0, 1300.0), (800.0, 500.0)] {
        let agrees = picture(&mut world, size, Vec::new());
        let line = agrees.screen.bottom() - style::STATUS_HEIGHT;
        let words = agrees.words();
        let is_there = |wanted: &str| {
            let there = |(text, place, clip): &&(String, egui::Rect, egui::Rect)| {
                text == wanted && place.top() >= line && clip.contains_rect(*place)
            };
            words.iter().find(there).is_some()
        };
        for wanted in ["0.000 s", "2.0×", "Muted: click for sound", "Keys  ?"] {
            assert!(is_there(wanted), "{size:?}: `{wanted}`");
        }
        assert!(!is_there("agrees"), "{size:?}");
        world.resource_mut::<Shown>().twin = Agreement::Differs("tick 5".to_owned());
        let differs = picture(&mut world, size, Vec::new()).words();
        assert!(
            differs.iter().any(|(text, ..)| text == "differs"),
            "{size:?}"
        );
        world.resource_mut::<Shown>().twin = Agreement::Agrees { compared: 123_456 };
    }
}

#[test]
fn a_paused_board_says_in_its_middle_that_it_is_paused() {
    for size in SIZES {
        let mut world = with_game(0);
        let mut shown = world.resource_mut::<Shown>();
        shown.status.score = Some([2, 2]);
        shown.status.turn = Some(Side::Green);
        shown.status.paused = true;
        let picture = picture(&mut world, size, Vec::new());
        let words = picture.words();
        let (_, place, _) = words
            .iter()
            .find(|(text, ..)| text.starts_with("Paused"))
            .expect("it is said");
        let away = place.center() - picture.left.center();
        assert!(away.length() < 2.0, "{size:?}: {away}");
        assert!(picture.left.contains_rect(*place), "{size:?}: {place}");
    }
}

#[test]
fn the_legend_explains_crosses_if_the_scene_draws_them() {
    let says = |game, legal: usize| {
        let mut world = with_game(game);
        let mut shown = world.resource_mut::<Shown>();
        shown.status.score = Some([1, 1]);
        shown.status.turn = Some(Side::Green);
        shown.legal = shown.layout.iter().take(legal).collect();
        let picture = picture(&mut world, (1280.0, 720.0), Vec::new());
        let words = picture.words();
        words
            .iter()
            .any(|(text, ..)| text.contains("A cross marks"))
    };
    // CountLines; Reversi marks legal points with rings.
    assert!(says(5, 40) && !says(5, 81));
    assert!(!says(0, 40));
}

#[test]
fn games_that_do_not_wait_say_it_before_start() {
    let says = |game| {
        let picture = picture(&mut with_game(game), (1280.0, 720.0), Vec::new());
        let words = picture.words();
        words.iter().any(|(text, ..)| text.contains("do not wait"))
    };
    // Life, Symmetry and Ghost; Reversi and CountLines wait for the first touch.
    assert!([2, 4, 1].into_iter().all(says));
    assert!(![0, 5].into_iter().any(says));
}

#[test]
fn the_whole_error_of_a_text_is_shown_with_its_line() {
    let wrong = "error: the language has no `mov`; did you mean `move`, or something else that \
                 takes much longer to say than the panel is wide?\n --> /tmp/bad.lud:8:16\n  |\n\
                 8 |         (play (mov Add (to (sites Empty)) (then (and (addScore Mover 1) (remember Value 3)))))\n  |                ^^^\n";
    for size in SIZES {
        let mut world = with_game(0);
        let mut text = world.resource_mut::<OpenText>();
        text.open(std::path::PathBuf::from("/tmp/bad.lud").into());
        text.wrong = Some(wrong.to_owned());
        let picture = picture(&mut world, size, Vec::new());
        assert_eq!(picture.cut(), [""; 0], "{size:?}");
        let words = picture.words();
        let all: String = words.iter().map(|(text, ..)| text.as_str()).collect();
        for part in [
            "panel is wide?",
            "/tmp/bad.lud:8:16",
            "^^^",
            "(remember Value 3",
        ] {
            let part: String = part.split_whitespace().collect();
            let all: String = all.split_whitespace().collect();
            assert!(all.contains(&part), "{size:?}: `{part}`");
        }
    }
}

#[test]
fn colours_are_named_as_the_palette_shows_them() {
    let mut world = with_game(0);
    let mut status = world.resource::<Shown>().status;
    status.score = Some([2, 2]);
    status.turn = Some(Side::Green);
    status.settings.level = 3;
    world.resource_mut::<Shown>().status = status;
    world.resource_mut::<story::Story>().lines = vec![line(5, Subject::Move, "red e4, 3 turned")];
    world.insert_resource(HowToDrawer(Drawer::Open));
    world.insert_resource(ChosenPalette(crate::theme::Palette::BlueOrange));
    let is_named = |text: &str| {
        let mut words = text.split(|letter: char| !letter.is_alphabetic());
        words.any(|word| ["green", "red"].contains(&word.to_lowercase().as_str()))
    };
    let has = |words: &[(String, egui::Rect, egui::Rect)], part: &str| {
        words.iter().any(|(text, ..)| text.contains(part))
    };
    let words = picture(&mut world, (2560.0, 1440.0), Vec::new()).words();
    let wrong: Vec<_> = words.iter().filter(|(text, ..)| is_named(text)).collect();
    assert!(wrong.is_empty(), "{wrong:?}");
    for wanted in [
        "your move, you are blue",
        "orange e4",
        "orange is the board",
        "blue first",
    ] {
        assert!(has(&words, wanted), "{wanted}");
    }
}

#[test]
fn long_log_lines_are_whole_and_lines_ahead_are_faint() {
    let built = "the board was rebuilt: move 12, tick 40211: e4 was green, now red, \
                 and this sentence is longer than the panel is wide";
    for size in SIZES {
        let mut world = with_game(0);
        *world.resource_mut::<story::Story>() = story::Story {
            lines: vec![
                line(5, Subject::Alarm, built),
                line(900, Subject::Move, "green e4"),
            ],
            ahead: 1,
            dropped: 3,
        };
        let picture = picture(&mut world, size, Vec::new());
        assert_eq!(picture.cut(), [""; 0], "{size:?}");
        let words = picture.words();
        if size.1 < 700.0 {
            // The card is below the visible area.
            continue;
        }
        let (_, place, clip) = words.iter().find(|(text, ..)| text == built).unwrap();
        assert!(place.left() >= clip.left() && place.right() <= clip.right());
        assert!(
            words
                .iter()
                .any(|(text, ..)| text.starts_with("3 older lines"))
        );
        let is_last = |(text, ..): &&(String, egui::Rect, egui::Rect)| text.starts_with("last: ");
        assert_eq!(words.iter().find(is_last), None, "it has not happened yet");
    }
}

#[test]
fn the_card_drops_the_effect_of_a_move_before_it_cuts() {
    let mut world = with_game(0);
    world.resource_mut::<Shown>().status.score = Some([3, 3]);
    let what = "time up: the board plays p16 for green, 17 turned, green cannot move";
    world.resource_mut::<story::Story>().lines = vec![StoryLine {
        is_late: true,
        ..line(5, Subject::Move, what)
    }];
    let words = picture(&mut world, (1280.0, 720.0), Vec::new()).words();
    let is_last = |(text, ..): &(String, egui::Rect, egui::Rect)| text.starts_with("last: ");
    let (text, ..) = words.into_iter().find(is_last).unwrap();
    assert!(text.starts_with("last: time up: the board plays p16 for green"));
    assert!(format!("last: {what}").starts_with(&text), "{text}");
}

#[test]
fn a_mode_for_a_larger_board_says_it_and_start_brings_one() {
    let mut world = with_game(10);
    let settings = Settings {
        game: 10,
        mode: 12,
        ..Settings::default()
    };
    world.resource_mut::<Shown>().status.settings = settings;
    world.resource_mut::<Shown>().layout = Layout::MALDOO;
    let size = (1280.0, 720.0);
    let words = picture(&mut world, size, Vec::new()).words();
    let needs = "it needs a board of 12x12";
    assert!(words.iter().any(|(text, ..)| text == needs), "{words:?}");
    picture(&mut world, size, click(&words, "Enlarge"));
    let mut brought = world.resource_mut::<Messages<Bring>>();
    let brought: Vec<Bring> = brought.drain().collect();
    assert_eq!(brought, [Bring::Settings(settings)]);
}
