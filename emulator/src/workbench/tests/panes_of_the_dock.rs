//! Tests of the panes next to the board and of the command list, used as a person does.

use firmware_core::AnyBoard;
use protocol::{Button, Deed, Input};
use touchboard_host::{CoreDriver, Driver};

use super::*;
use crate::keys::Meaning;
use crate::source::core::InProcess;
use crate::source::{Agreement, BoardLink, ChipMemory, Parted, Source};
use dock::{Dock, Pane};
use panes::inspected::Inspected;

/// A world with the thinking pane in a game against the board, while the board
/// thinks.
fn thinking() -> (World, InProcess) {
    let mut board = InProcess::new(CoreDriver::new(Layout::MALDOO, 1).unwrap()).unwrap();
    let d7 = Layout::MALDOO.point("d7").unwrap();
    let settings = Settings {
        level: 3,
        ..Settings::default()
    };
    board.carry_out(&Deed::Settings(settings)).unwrap();
    let inputs = [
        (Input::Press(Button::Start), 20),
        (Input::Lift(Button::Start), 500),
        (Input::Touch(d7), 30),
        (Input::Release(d7), 120),
    ];
    for (input, ticks) in inputs {
        board.step(&[input], ticks).unwrap();
    }
    let mut world = world();
    see(&mut world, &mut board);
    (world, board)
}

/// Shows the world the current board, and a copy for inspection.
fn see(world: &mut World, board: &mut InProcess) {
    let mut shown = Shown::default();
    board.preview(&mut shown);
    world.insert_resource(shown);
    world.insert_resource(BoardTime(board.tick()));
    world.resource_mut::<Inspected>().inspect(board.copy());
}

fn words(world: &mut World) -> Vec<String> {
    let words = picture(world, SIZE, Vec::new()).words();
    words.into_iter().map(|(text, ..)| text).collect()
}

fn has(words: &[String], wanted: &str) -> bool {
    words.iter().any(|text| text.contains(wanted))
}

fn orders(world: &mut World) -> Vec<WindowCommand> {
    let mut commands = world.resource_mut::<Messages<WindowCommand>>();
    commands.drain().collect()
}

#[test]
fn all_panes_together_leave_room_for_the_board() {
    let (mut world, _) = thinking();
    world.insert_resource(Dock::with(Pane::TOOLS.iter().copied()));
    for size in SIZES {
        let picture = picture(&mut world, size, Vec::new());
        let has_room = picture.left.height() > 110.0 && picture.left.width() > 150.0;
        assert!(has_room, "{size:?}: {:?}", picture.left);
    }
}

#[test]
fn a_dock_without_tools_is_invisible() {
    let (mut world, _) = thinking();
    let before = words(&mut world);
    assert!(!before.iter().any(|text| text == "State"));
    world.resource_mut::<Dock>().open(Pane::State);
    assert!(words(&mut world).iter().any(|text| text == "State"));
    world.resource_mut::<Dock>().close(Pane::State);
    assert_eq!(words(&mut world), before);
}

#[test]
fn the_state_tree_marks_changed_fields() {
    let (mut world, mut board) = thinking();
    world.insert_resource(Dock::with([Pane::State]));
    assert!(has(&words(&mut world), "panel"));
    board
        .carry_out(&Deed::Input(Input::Press(Button::Level)))
        .unwrap();
    see(&mut world, &mut board);
    world.insert_resource(panes::state::StateSearch::of("settings.level"));
    let words = words(&mut world);
    assert!(has(&words, "changed"), "{words:?}");
    assert!(words.iter().any(|text| text == "level"), "{words:?}");
}

#[test]
fn the_state_pane_shows_sizes_of_state_and_image() {
    let (mut world, _) = thinking();
    world.insert_resource(Dock::with([Pane::State]));
    let untold = words(&mut world);
    let snapshot = untold.iter().find(|text| text.contains(" bytes: "));
    let snapshot = snapshot.unwrap_or_else(|| panic!("{untold:?}"));
    assert!(snapshot.contains("referee "), "{snapshot}");
    assert!(has(&untold, "are not known"), "{untold:?}");
    world.resource_mut::<Shown>().hardware.memory = Some(ChipMemory {
        flash_bytes: [240_000, 262_144],
        ram_bytes: [24_000, 65_536],
    });
    let told = words(&mut world);
    let words = "flash 235 of 256 KB, RAM 24 of 64 KB, 41 KB for the stack";
    assert!(has(&told, words), "{told:?}");
}

#[test]
fn the_thinking_pane_shows_the_search() {
    let (mut world, _) = thinking();
    world.insert_resource(Dock::with([Pane::Thinking]));
    let words = words(&mut world);
    for there in ["Best move", "Worth", "moves ahead", "Positions"] {
        assert!(has(&words, there), "{there}: {words:?}");
    }
}

#[test]
fn a_differing_board_is_shown_beside_its_twin() {
    let (mut world, board) = thinking();
    let twin = board.driver().board().clone();
    let mut other = twin.clone();
    let settings = Settings {
        speed: 3,
        ..other.settings()
    };
    other
        .carry_out(&Deed::Settings(settings), &mut |_, _| ())
        .unwrap();
    world.resource_mut::<Shown>().twin = Agreement::Differs("they differ at tick 670".to_owned());
    let parted = Parted {
        tick: twin.tick(),
        twin,
        board: other,
    };
    world
        .resource_mut::<Inspected>()
        .part(Some(&parted), |_| Vec::new());
    world.insert_resource(Dock::with([Pane::Twin]));
    let words = words(&mut world);
    for there in [
        "they differ at tick 670",
        "Go there",
        "panel.settings.speed",
    ] {
        assert!(has(&words, there), "{there}: {words:?}");
    }
    let at = place(&mut world, "Go there");
    click_at(&mut world, at);
    assert_eq!(orders(&mut world), [WindowCommand::GoTo(parted.tick)]);
}

#[test]
fn faults_set_in_the_pane_are_in_the_session() {
    let (mut world, mut board) = thinking();
    world.insert_resource(Dock::with([Pane::Faults]));
    let seen = words(&mut world);
    assert!(
        has(&seen, "bounce-ms") && !has(&seen, "drop-ppm"),
        "{seen:?}"
    );
    let at = place(&mut world, "Power off");
    click_at(&mut world, at);
    let orders = orders(&mut world);
    assert_eq!(orders.len(), 1);
    board.obey(&orders[0]).unwrap();
    let elapsed = std::time::Duration::from_millis(5);
    board
        .update(elapsed, &mut Shown::default(), &mut |_, _| ())
        .unwrap();
    assert!(board.tick() < 5, "it began anew");
    let bounce = "bounce-ms 7".parse().unwrap();
    board
        .obey(&WindowCommand::InjectFaults(Box::new(bounce)))
        .unwrap();
    let text = format!("{:?}", board.session().unwrap().entries);
    assert!(text.contains("faults: seed 0, bounce-ms 7"), "{text}");
    see(&mut world, &mut board);
    assert!(words(&mut world).iter().any(|text| text == "7"));
}

#[test]
fn the_faults_pane_says_which_faults_a_board_cannot_have() {
    let (mut world, _) = thinking();
    world.insert_resource(Dock::with([Pane::Faults]));
    world.resource_mut::<Shown>().injectable = crate::source::Injectable {
        board: false,
        line: true,
        ..Default::default()
    };
    let seen = words(&mut world);
    for expected in ["drop-ppm", "CONTACTS", "only its line can have faults"] {
        assert!(has(&seen, expected), "{seen:?}");
    }
    world.resource_mut::<Shown>().injectable = Default::default();
    assert!(has(&words(&mut world), "Faults cannot be set from here"));
    world.resource_mut::<Shown>().link = BoardLink::Searching;
    assert!(has(&words(&mut world), "as soon as the board answers"));
}

#[test]
fn commands_panes_and_games_are_found_by_name() {
    let (mut world, _) = thinking();
    world
        .resource_mut::<lists::command_list::CommandList>()
        .toggle();
    let seen = words(&mut world);
    assert!(has(&seen, "show or hide the list of games"), "{seen:?}");
    let typed = |text: &str| vec![egui::Event::Text(text.to_owned()), enter()];
    picture(&mut world, SIZE, typed("the state"));
    let strokes: Vec<Stroke> = world.resource_mut::<Messages<Stroke>>().drain().collect();
    let begins = |meaning| strokes.iter().any(|stroke| stroke.begins(meaning));
    assert!(begins(Meaning::Pane(Pane::State)), "{strokes:?}");
    assert!(
        !world
            .resource::<lists::command_list::CommandList>()
            .is_open()
    );
    // A running game is not ended without a question.
    world
        .resource_mut::<lists::command_list::CommandList>()
        .toggle();
    picture(&mut world, SIZE, typed("play speedgo"));
    assert!(world.resource::<lists::picker::Picker>().is_open());
    assert_eq!(orders(&mut world), []);
}

fn enter() -> egui::Event {
    egui::Event::Key {
        key: egui::Key::Enter,
        physical_key: None,
        pressed: true,
        repeat: false,
        modifiers: egui::Modifiers::NONE,
    }
}

/// The copy and the board have the same digest.
#[test]
fn copying_yields_a_snapshot_of_the_board() {
    let (_, mut board) = thinking();
    let copy: AnyBoard = board.copy().unwrap();
    assert_eq!(copy.digest(), board.driver().board().digest());
}

#[test]
fn tools_wait_for_a_wide_window_and_a_player_keeps_the_panel() {
    let small = (800.0, 500.0);
    let with_tools = |room: RoomForTools| {
        let mut world = with_game(0);
        world.insert_resource(Dock::with([Pane::State]));
        world.insert_resource(room);
        world
    };
    // Tools of the last run.
    let mut world = with_tools(RoomForTools::with_remembered_tools(true));
    picture(&mut world, small, Vec::new());
    assert_eq!(*world.resource::<SidePanel>(), SidePanel::Shown);
    assert!(!world.resource::<Dock>().has_tools());
    let away = world.resource::<RoomForTools>().put_away.clone();
    assert_eq!(away, Some(Dock::with([Pane::State]).arrangement()));
    picture(&mut world, SIZE, Vec::new());
    assert!(world.resource::<Dock>().is_open(Pane::State));
    // The window becomes narrow.
    picture(&mut world, small, Vec::new());
    assert!(!world.resource::<Dock>().has_tools());
    // Who opens a tool in a narrow window sees it instead of the panel.
    let mut world = with_tools(RoomForTools::default());
    picture(&mut world, small, Vec::new());
    assert!(world.resource::<Dock>().has_tools());
    assert_eq!(*world.resource::<SidePanel>(), SidePanel::Hidden);
}
