//! Small windows, and what is said in a game: before its first touch, while it is paused,
//! and after a move was taken back.

use protocol::{Button, Deed, Input};

use super::*;
use crate::pane::Pane;
use crate::scene::fit::FILLS;
use crate::source::BoardPace;

/// A game that waits for its first touch.
fn begun(game: u8) -> World {
    let mut world = with_game(game);
    let mut shown = world.resource_mut::<Shown>();
    shown.status.score = Some([2, 2]);
    shown.status.turn = Some(Side::Green);
    shown.legal = shown.layout.iter().take(4).collect();
    world
}

/// The sizes of small windows.
const LOW: [(f32, f32); 2] = [(640.0, 400.0), (800.0, 500.0)];

fn has_words(picture: &Picture, wanted: &str) -> bool {
    picture.words().iter().any(|(text, ..)| text == wanted)
}

#[test]
fn the_panel_of_a_small_window_takes_at_most_a_third() {
    for size in LOW {
        let picture = picture(&mut begun(0), size, Vec::new());
        let part = picture.left.width() / picture.screen.width();
        assert!(part > 0.66, "{size:?}: {part}");
    }
}

#[test]
fn a_small_window_folds_settings_into_one_line_during_games() {
    let line = "mode 0, level off, 2:00, 9x9";
    for size in LOW {
        let mut world = begun(0);
        let folded = picture(&mut world, size, Vec::new());
        assert!(
            has_words(&folded, line) && !has_words(&folded, "Mode"),
            "{size:?}"
        );
        let events = click(&folded.words(), line);
        let events = events.into_iter().map(|event| vec![event]).collect();
        let open = drawn(&mut world, size, events);
        for wanted in ["Settings", "Mode", "Level", "Time", "Board"] {
            assert!(has_words(&open, wanted), "{size:?}: {wanted}");
        }
        let before = picture(&mut with_game(0), size, Vec::new());
        assert!(has_words(&before, "Mode"), "{size:?}: no game is on");
    }
    assert!(has_words(&picture(&mut begun(0), SIZE, Vec::new()), "Mode"));
}

#[test]
fn the_first_touch_is_explained_once() {
    let first = "Touch a ringed key: click it, or use the arrow keys and Space.";
    for size in SIZES {
        let picture = picture(&mut begun(0), size, Vec::new());
        let words = picture.words();
        let mut said = words.iter().filter(|(text, ..)| text == first);
        let (_, place, _) = said.next().unwrap_or_else(|| panic!("{size:?}: {words:?}"));
        assert_eq!(said.count(), 0, "{size:?}: it is said once");
        // The board fills this part of what the panels leave, in the middle.
        let case = picture.left.height() * FILLS;
        let middle = picture.left.center();
        let case = egui::Rect::from_center_size(middle, egui::vec2(picture.left.width(), case));
        assert!(!case.intersects(*place), "{size:?}: {place} {case}");
    }
    let mut world = begun(0);
    world.resource_mut::<Shown>().status.last_move = Some(LastMove {
        side: Side::Green,
        point: Point(3),
        by: Mover::Finger,
    });
    let later = picture(&mut world, SIZE, Vec::new());
    assert!(!has_words(&later, first));
    // Ghost does not wait for a touch.
    let ghost = picture(&mut begun(1), SIZE, Vec::new()).words();
    assert!(ghost.iter().all(|(text, ..)| !text.starts_with("Touch a")));
}

#[test]
fn the_shown_time_of_a_paused_game_stands_still() {
    let mut world = begun(0);
    world.resource_mut::<Shown>().status.paused = true;
    world.resource_mut::<story::Story>().lines = vec![
        line(5_000, Subject::Move, "green e4"),
        line(6_500, Subject::Hold, "paused"),
    ];
    for now in [6_500, 9_000] {
        world.resource_mut::<BoardTime>().0 = now;
        let picture = picture(&mut world, SIZE, Vec::new());
        assert!(has_words(&picture, "0:06, paused"), "{:?}", picture.words());
    }
    world.resource_mut::<Shown>().status.paused = false;
    let played = picture(&mut world, SIZE, Vec::new());
    assert!(has_words(&played, "0:09"));
    world.resource_mut::<dock::Dock>().open(Pane::State);
    let inspected = picture(&mut world, SIZE, Vec::new());
    assert!(has_words(&inspected, "9.000 s"));
}

#[test]
fn after_taking_back_redo_lets_time_run() {
    let mut world = begun(0);
    world.resource_mut::<Shown>().pace.frozen = true;
    world.insert_resource(take_back::TouchWait::TakenBack);
    let stopped = picture(&mut world, SIZE, Vec::new());
    // Redo has a place of its own: the button beside it stays what it was.
    let places = |picture: &Picture| {
        let words = picture.words();
        let at = |name: &str| words.iter().find(|(word, ..)| word == name).unwrap().1;
        ["Pause", "Take back", "Redo", "Pass"].map(at)
    };
    assert_eq!(
        places(&stopped),
        places(&picture(&mut begun(0), SIZE, Vec::new()))
    );
    world.resource_mut::<Messages<WindowCommand>>().clear();
    picture(&mut world, SIZE, click(&stopped.words(), "Redo"));
    let mut commands = world.resource_mut::<Messages<WindowCommand>>();
    let commands: Vec<WindowCommand> = commands.drain().collect();
    let pace = BoardPace {
        frozen: false,
        ..BoardPace::default()
    };
    assert_eq!(commands, [WindowCommand::Pace(pace)]);
    // In a paused game, the click presses the board's own button.
    let mut world = begun(0);
    world.resource_mut::<Shown>().status.paused = true;
    let paused = picture(&mut world, SIZE, Vec::new());
    world.resource_mut::<Messages<WindowCommand>>().clear();
    picture(&mut world, SIZE, click(&paused.words(), "Resume"));
    let mut commands = world.resource_mut::<Messages<WindowCommand>>();
    let first = commands.drain().next();
    let stop = WindowCommand::Do(Deed::Input(Input::Press(Button::Stop)));
    assert_eq!(first, Some(stop));
}

#[test]
fn words_beside_the_name_of_a_game_are_neither_cut_nor_covered() {
    let modes = games::BUILT.iter().flat_map(|game| {
        let modes = games::about(game).map_or(1, |about| about.modes);
        (0..modes).map(move |mode| (game, mode))
    });
    // The longest words of each game are enough.
    let mut longest = std::collections::BTreeMap::new();
    for (game, mode) in modes {
        for level in [0, 1] {
            let settings = Settings {
                game,
                mode,
                level,
                ..Settings::default()
            };
            let kind = standing::kind(&settings, Layout::MALDOO);
            let before = longest.entry(game).or_insert((kind.clone(), settings));
            if kind.len() > before.0.len() {
                *before = (kind, settings);
            }
        }
    }
    for (kind, settings) in longest.into_values() {
        for size in SIZES {
            let mut world = with_game(settings.game);
            world.resource_mut::<Shown>().status.settings = settings;
            let picture = picture(&mut world, size, Vec::new());
            assert_eq!(picture.cut(), [""; 0], "{size:?}: {kind}");
            let words = picture.words();
            let of_kind: Vec<_> = words.iter().filter(|(text, ..)| *text == kind).collect();
            assert!(!of_kind.is_empty(), "{size:?}: {kind}");
            for (_, place, clip) in of_kind {
                assert!(
                    clip.expand(0.5).contains_rect(*place),
                    "{size:?}: {kind} {place} {clip}"
                );
                let panel = place.left() > picture.left.right();
                let is_over = |(text, other, _): &&(String, egui::Rect, egui::Rect)| {
                    let is_beside = (other.left() > picture.left.right()) == panel;
                    *text != kind && is_beside && other.shrink(1.5).intersects(*place)
                };
                let over = words.iter().find(is_over);
                assert_eq!(over, None, "{size:?}: {kind} {place}");
            }
        }
    }
}

#[test]
fn the_newest_line_of_the_log_is_whole_in_every_window() {
    for size in SIZES {
        let mut world = begun(0);
        let lines = (0..40).map(|number| {
            let what = format!("green e4, {number} turned");
            line(500 * number, Subject::Move, &what)
        });
        world.resource_mut::<story::Story>().lines = lines.collect();
        let picture = picture(&mut world, size, Vec::new());
        let words = picture.words();
        let newest = words
            .iter()
            .find(|(text, ..)| text.starts_with("green e4, 39"));
        let (_, place, clip) = newest.unwrap_or_else(|| panic!("{size:?}: {words:?}"));
        assert!(
            clip.expand(0.5).contains_rect(*place),
            "{size:?}: {place} {clip}"
        );
        assert!(picture.screen.contains_rect(*place), "{size:?}: {place}");
    }
}

/// The view is the last but two of the cards, and its title is near the lower edge.
#[test]
fn a_card_that_is_unfolded_is_scrolled_into_view() {
    let mut world = begun(0);
    *world.resource_mut::<folds::Folds>() = folds::Folds::to_play(720);
    let view = click(&picture(&mut world, SIZE, Vec::new()).words(), "VIEW");
    // The way there takes a third of a second.
    let events = std::iter::once(view).chain(vec![Vec::new(); 30]);
    let words = pictures(&mut world, events.collect()).words();
    let last = words.iter().find(|(text, ..)| text == "Mute");
    let (_, place, clip) = last.expect("the view has the volume");
    assert!(clip.contains_rect(*place), "{place:?} in {clip:?}");
}
