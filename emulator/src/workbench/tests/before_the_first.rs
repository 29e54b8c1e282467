//! Tests of the time before the first game: the card over the board, and the rules of
//! every mode.

use bevy::ecs::system::RunSystemOnce;
use protocol::{Button, Deed, Input};
use touchboard_host::games::how_to;

use super::*;

/// The words over the board.
fn over_the_board(picture: &Picture) -> Vec<String> {
    let words = picture.words().into_iter();
    let inside = words.filter(|(_, place, _)| picture.left.contains_rect(*place));
    inside.map(|(text, ..)| text).collect()
}

/// The commands that were written for the board.
fn asked(world: &mut World) -> Vec<WindowCommand> {
    let mut commands = world.resource_mut::<Messages<WindowCommand>>();
    commands.drain().collect()
}

#[test]
fn the_card_over_a_dark_board_starts_the_game() {
    for size in SIZES {
        let mut world = with_game(0);
        world.insert_resource(SidePanel::Hidden);
        let before = picture(&mut world, size, Vec::new());
        let told = over_the_board(&before);
        for wanted in ["Reversi", "▶ One player", "▶ Two players"] {
            assert!(told.iter().any(|text| text == wanted), "{size:?}: {told:?}");
        }
        let mut words = before.words();
        words.retain(|(_, place, _)| before.left.contains_rect(*place));
        asked(&mut world);
        picture(&mut world, size, click(&words, "▶ Two players"));
        let start = WindowCommand::Do(Deed::Input(Input::Press(Button::Start)));
        assert!(asked(&mut world).contains(&start), "{size:?}");
    }
}

#[test]
fn the_card_is_hidden_during_games_and_in_the_past() {
    let has_card = |world: &mut World| {
        let told = over_the_board(&picture(world, SIZE, Vec::new()));
        told.iter().any(|text| text == "▶ Two players")
    };
    let mut world = with_game(0);
    world.insert_resource(SidePanel::Hidden);
    assert!(has_card(&mut world));
    world.resource_mut::<Shown>().past.latest = 5_000;
    assert!(!has_card(&mut world));
    let mut world = with_game(0);
    world.insert_resource(SidePanel::Hidden);
    let status = &mut world.resource_mut::<Shown>().status;
    (status.score, status.turn) = (Some([2, 2]), Some(Side::Green));
    assert!(!has_card(&mut world));
}

/// What begins a game is once in the window: in the panel, if that is there.
#[test]
fn the_board_beside_the_panel_has_no_card() {
    for size in SIZES {
        let picture = picture(&mut with_game(0), size, Vec::new());
        let told = over_the_board(&picture);
        let is_button = |text: &String| text == "▶ Two players";
        assert!(!told.iter().any(is_button), "{size:?}: {told:?}");
        let words = picture.words();
        let buttons = words.iter().filter(|(text, ..)| is_button(text)).count();
        assert_eq!(buttons, 1, "{size:?}");
    }
}

#[test]
fn the_panel_leads_to_the_rules_and_before_the_first_game_to_the_other_uses() {
    let lines = ["How to play", "Develop firmware", "Mirror a board"];
    let leads = |world: &mut World| {
        world.run_system_once(other_uses::note_played).unwrap();
        let words = picture(world, (1_280.0, 1_440.0), Vec::new()).words();
        lines.map(|line| words.iter().any(|(text, ..)| text == line))
    };
    let mut world = with_game(0);
    assert_eq!(
        leads(&mut world),
        [true, true, crate::workbench::system::HAS_LINES]
    );
    let status = &mut world.resource_mut::<Shown>().status;
    (status.score, status.turn) = (Some([2, 2]), Some(Side::Green));
    assert_eq!(leads(&mut world), [false; 3]);
    let status = &mut world.resource_mut::<Shown>().status;
    (status.score, status.turn) = (None, None);
    assert_eq!(leads(&mut world), [true, false, false]);
}

#[test]
fn the_card_does_not_offer_start_if_the_game_does_not_fit() {
    let mut world = with_game(11);
    world.resource_mut::<Shown>().layout = Layout::MALDOO;
    for size in SIZES {
        let told = over_the_board(&picture(&mut world, size, Vec::new()));
        let needs = "It needs a board of 12x8, and this one has 9x9. The button above brings one.";
        assert!(told.iter().any(|text| text == needs), "{size:?}: {told:?}");
        let says_start = |text: &String| text.contains("START");
        assert!(!told.iter().any(says_start), "{size:?}: {told:?}");
    }
}

#[test]
fn the_rules_of_a_mode_can_be_read_without_choosing_it() {
    let mut world = with_game(0);
    world.insert_resource(HowToDrawer(Drawer::Open));
    let size = (2560.0, 1440.0);
    let modes = how_to(0).expect("Reversi is known").modes;
    let reads = |words: &[(String, egui::Rect, egui::Rect)], mode: usize| {
        words.iter().any(|(text, ..)| text == modes[mode].text)
    };
    let words = picture(&mut world, size, Vec::new()).words();
    assert!(reads(&words, 0) && !reads(&words, 3), "{words:?}");
    asked(&mut world);
    let name = format!("3   {}", modes[3].name);
    let words = picture(&mut world, size, click(&words, &name)).words();
    assert!(reads(&words, 0) && reads(&words, 3), "{words:?}");
    let is_chosen = |command: &WindowCommand| matches!(command, WindowCommand::Do(_));
    assert!(!asked(&mut world).iter().any(is_chosen));
}
