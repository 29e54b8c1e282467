//! The panels of a window that has this process and nothing else.

use std::time::Duration;

use super::*;
use crate::source::{Agreement, BoardLink, RequestKind, Trouble};

/// The title of the last card.
pub const LAST: &str = "Rate";

/// Prepares the resources that the panels read and write: none here.
pub fn init(_: &mut World) {}

/// The text in a window with room for all cards.
fn written(world: &mut World) -> Vec<String> {
    let words = picture(world, (2560.0, 1440.0), Vec::new()).words();
    words.into_iter().map(|(text, ..)| text).collect()
}

#[test]
fn a_bare_window_shows_no_controls_for_lines_or_files() {
    for game in games::BUILT.iter() {
        let mut world = with_game(game);
        world.resource_mut::<story::Story>().dropped = 3;
        let words = written(&mut world);
        let dropped = "3 older lines are not kept here.";
        assert!(words.iter().any(|word| word == dropped), "{words:?}");
        for there in ["LOG", "TIMELINE", "VIEW", "Freeze", "Take back"] {
            assert!(words.iter().any(|word| word == there), "{game}: {words:?}");
        }
        for missing in [
            "Save",
            "Connect",
            "CONNECTION",
            "BOARD",
            "Link",
            "Clicks",
            "Twin",
        ] {
            assert!(
                !words.iter().any(|word| word.starts_with(missing)),
                "{game}: {missing} in {words:?}"
            );
        }
    }
}

#[test]
fn a_bare_window_shows_errors_and_the_replay_result() {
    let mut world = with_game(0);
    let refused = Err("mode 200 is none".to_owned());
    let mut trouble = Trouble::default();
    trouble.record(RequestKind::Order, refused, Duration::ZERO);
    world.insert_resource(trouble);
    let words = written(&mut world);
    for there in ["BOARD", "mode 200 is none"] {
        assert!(words.iter().any(|word| word == there), "{words:?}");
    }
    world.insert_resource(Trouble::default());
    world.resource_mut::<Shown>().twin = Agreement::Agrees { compared: 12 };
    let words = written(&mut world);
    for there in ["BOARD", "Session", "agrees, 12 digests"] {
        assert!(words.iter().any(|word| word == there), "{words:?}");
    }
}

#[test]
fn a_bare_window_shows_the_line_of_a_board_at_a_port() {
    let mut world = with_game(0);
    let mut shown = world.resource_mut::<Shown>();
    shown.link = BoardLink::Up {
        board: "pico".to_owned(),
    };
    shown.twin = Agreement::Differs("tick 7: lights".to_owned());
    let words = written(&mut world);
    for there in [
        "BOARD",
        "Link",
        "pico",
        "Clicks",
        "differs",
        "tick 7: lights",
    ] {
        assert!(words.iter().any(|word| word == there), "{words:?}");
    }
}
