//! Tests of the timeline, used as a person does.

use bevy::ecs::system::RunSystemOnce;
use protocol::{Button, Deed, Input};
use touchboard_host::signals::SignalCondition;
use touchboard_host::{CoreDriver, Driver};

use super::*;
use crate::source::core::InProcess;
use crate::source::{Source, SourceError, StopCondition};
use crate::workbench::timeline::TimelineView;

mod signals;
mod stops;

/// A world with the timeline, and a game of Reversi in which two moves were made.
pub fn played() -> (World, InProcess) {
    let driver = CoreDriver::new(Layout::MALDOO, 1).unwrap();
    let mut board = InProcess::new(driver).unwrap();
    let point = |name: &str| Layout::MALDOO.point(name).unwrap();
    let inputs = [
        (Input::Press(Button::Start), 20),
        (Input::Lift(Button::Start), 500),
        (Input::Touch(point("d7")), 30),
        (Input::Release(point("d7")), 1_000),
        (Input::Touch(point("a1")), 30),
        (Input::Release(point("a1")), 400),
    ];
    for (input, ticks) in inputs {
        board.step(&[input], ticks).unwrap();
    }
    let mut world = world();
    world.insert_resource(TimelineView::of(Vec::new()));
    world.insert_resource(dock::Dock::with([dock::Pane::Timeline]));
    show_board(&mut world, &mut board);
    (world, board)
}

/// Shows the world the current board.
fn show_board(world: &mut World, board: &mut InProcess) {
    let mut shown = Shown::default();
    board.preview(&mut shown);
    world.insert_resource(shown);
    world.insert_resource(BoardTime(board.tick()));
    let session = board.whole_session().unwrap();
    let mut timeline = world.resource_mut::<TimelineView>();
    while !timeline.take_in(&session) {}
}

/// Carries out the panels' commands on the board, and updates the display. Returns them.
fn obey(world: &mut World, board: &mut InProcess) -> Vec<WindowCommand> {
    let mut commands = world.resource_mut::<Messages<WindowCommand>>();
    let all: Vec<WindowCommand> = commands.drain().collect();
    for command in &all {
        board.obey(command).unwrap();
    }
    show_board(world, board);
    all
}

#[test]
fn the_timeline_fits_every_window_and_can_be_closed() {
    let (mut world, _) = played();
    for size in SIZES {
        let picture = picture(&mut world, size, Vec::new());
        let has_room = picture.left.height() > 120.0 && picture.left.width() > 200.0;
        assert!(has_room, "{size:?}: {:?}", picture.left);
    }
    let seen = picture(&mut world, SIZE, Vec::new()).words();
    for there in ["turn", "score.green", "0.400"] {
        assert!(
            seen.iter().any(|(text, ..)| text == there),
            "{there}: {seen:?}"
        );
    }
    world
        .resource_mut::<dock::Dock>()
        .close(dock::Pane::Timeline);
    let hidden = picture(&mut world, SIZE, Vec::new()).words();
    assert!(!hidden.iter().any(|(text, ..)| text == "score.green"));
}

#[test]
fn timeline_buttons_go_to_the_move_and_the_event() {
    let (mut world, mut board) = played();
    let at = place(&mut world, "◀ move");
    click_at(&mut world, at);
    assert_eq!(obey(&mut world, &mut board), [WindowCommand::GoTo(520)]);
    assert_eq!(board.tick(), 520);
    let at = place(&mut world, "event ▶");
    click_at(&mut world, at);
    assert_eq!(obey(&mut world, &mut board), [WindowCommand::GoTo(1_550)]);
}

#[test]
fn clicking_the_strip_goes_there_and_below_sets_a_cursor() {
    let (mut world, mut board) = played();
    let name = place(&mut world, "turn");
    let scale = place(&mut world, "0.400");
    click_at(&mut world, egui::pos2(600.0, scale.y + 24.0));
    let orders = obey(&mut world, &mut board);
    assert!(matches!(orders[..], [WindowCommand::GoTo(tick)] if (500..1_500).contains(&tick)));
    click_at(&mut world, egui::pos2(600.0, name.y));
    assert_eq!(obey(&mut world, &mut board), []);
    let words = picture(&mut world, SIZE, Vec::new()).words();
    assert!(
        words.iter().any(|(text, ..)| text.starts_with("A at ")),
        "{words:?}"
    );
}

#[test]
fn a_mark_is_saved_in_the_session() {
    let (mut world, mut board) = played();
    let at = place(&mut world, "Mark");
    click_at(&mut world, at);
    assert_eq!(
        obey(&mut world, &mut board),
        [WindowCommand::Mark("mark 1".to_owned())]
    );
    let session = board.session().unwrap().to_text();
    assert!(session.contains("\"note\":\"mark 1\""), "{session}");
}

#[test]
fn faults_restarts_and_marks_are_signs_to_go_to_and_to_read() {
    let (mut world, mut board) = played();
    let faults = "dead-led d6".parse().unwrap();
    board
        .obey(&WindowCommand::InjectFaults(Box::new(faults)))
        .unwrap();
    board.step(&[], 500).unwrap();
    let restart = Deed::Reset {
        seed: 9,
        layout: Layout::MALDOO,
    };
    board.carry_out(&restart).unwrap();
    board.step(&[], 700).unwrap();
    show_board(&mut world, &mut board);
    let ends = board.time_of(board.tick());
    world.insert_resource(BoardTime(ends));
    let back = |world: &mut World, board: &mut InProcess| {
        let at = place(world, "◀ event");
        click_at(world, at);
        let to = obey(world, board);
        let Some(WindowCommand::GoTo(tick)) = to.first() else {
            panic!("{to:?}");
        };
        world.insert_resource(BoardTime(*tick));
        *tick
    };
    let restarted = back(&mut world, &mut board);
    assert_eq!(restarted, ends - 700);
    assert_eq!(back(&mut world, &mut board), restarted - 500);

    let signs = world.resource::<TimelineView>().told();
    for words in [
        "faults: seed 0, dead-led d6",
        "the board restarts: 9x9, seed 9",
    ] {
        assert!(signs.iter().any(|sign| sign == words), "{signs:?}");
    }
}

#[test]
fn an_abandoned_branch_is_drawn_and_can_be_revisited() {
    let (mut world, mut board) = played();
    let end = board.digest().unwrap();
    board.obey(&WindowCommand::GoTo(300)).unwrap();
    board.step(&[Input::Touch(Point(4))], 40).unwrap();
    show_board(&mut world, &mut board);
    let branches = world.resource::<Shown>().past.branches.clone();
    assert_eq!((branches.len(), branches[0].from), (1, 300));
    // Below the strip, to its right end.
    let (name, at) = (place(&mut world, "turn"), 1_000.0);
    click_at(&mut world, egui::pos2(at, name.y - 15.0));
    let orders = obey(&mut world, &mut board);
    let back = WindowCommand::GoToBranch {
        branch: 0,
        tick: 300,
    };
    assert!(orders.contains(&back), "{orders:?}");
    board.obey(&WindowCommand::GoTo(1_980)).unwrap();
    assert_eq!(board.digest().unwrap(), end);
}

#[test]
fn the_strip_shows_the_moves_of_the_branch_that_is_current() {
    let (mut world, mut board) = played();
    let back = |world: &mut World, board: &mut InProcess| {
        let at = place(world, "◀ move");
        click_at(world, at);
        obey(world, board)
    };
    // The new branch moves later, and has at least as many events.
    board.obey(&WindowCommand::GoTo(1_000)).unwrap();
    let c5 = Layout::MALDOO.point("c5").unwrap();
    board.step(&[], 400).unwrap();
    let inputs = [Input::Touch(c5), Input::Release(c5), Input::Touch(c5)];
    for input in inputs {
        board.step(&[input], 400).unwrap();
    }
    show_board(&mut world, &mut board);
    let to = back(&mut world, &mut board);
    let branches = world.resource::<Shown>().past.branches.len();
    assert_eq!((to, branches), (vec![WindowCommand::GoTo(1_400)], 1));
    // The first branch again.
    let first = WindowCommand::GoToBranch {
        branch: 0,
        tick: 1_980,
    };
    board.obey(&first).unwrap();
    show_board(&mut world, &mut board);
    let to = back(&mut world, &mut board);
    assert_eq!(to, [WindowCommand::GoTo(520)]);
}

/// Types this text, and presses this key.
fn typed(world: &mut World, text: &str, key: egui::Key) {
    let press = |key| egui::Event::Key {
        key,
        physical_key: None,
        pressed: true,
        repeat: false,
        modifiers: egui::Modifiers::NONE,
    };
    let events = vec![egui::Event::Text(text.to_owned()), press(key)];
    picture(world, SIZE, events);
}

pub fn seen(world: &mut World) -> Vec<String> {
    let words = picture(world, SIZE, Vec::new()).words();
    words.into_iter().map(|(text, ..)| text).collect()
}

fn drawn(world: &World) -> Vec<String> {
    world.resource::<TimelineView>().drawn()
}

#[test]
fn zooming_fits_the_two_cursors() {
    let (mut world, _) = played();
    let name = place(&mut world, "turn");
    click_at(&mut world, egui::pos2(400.0, name.y));
    let shift = egui::Modifiers::SHIFT;
    let at = egui::pos2(600.0, name.y);
    let button = |pressed| egui::Event::PointerButton {
        pos: at,
        button: egui::PointerButton::Primary,
        pressed,
        modifiers: shift,
    };
    picture(
        &mut world,
        SIZE,
        vec![
            egui::Event::ModifiersChanged(shift),
            egui::Event::PointerMoved(at),
            button(true),
            button(false),
        ],
    );
    let at = place(&mut world, "A–B");
    click_at(&mut world, at);
    let [a, b] = [("A", 0), ("B", 0)].map(|(name, _)| place(&mut world, name));
    let width = b.x - a.x;
    assert!(width > 600.0, "they are at the edges: {a} {b}");
}

#[test]
fn stepping_back_is_exact_and_stops_at_the_beginning() {
    let (_, mut board) = played();
    let now = board.tick();
    board.obey(&WindowCommand::StepBack(1)).unwrap();
    board.obey(&WindowCommand::StepBack(100)).unwrap();
    assert_eq!(board.tick(), now - 101);
    board.obey(&WindowCommand::StepBack(1_000_000)).unwrap();
    assert_eq!(board.tick(), 0);
}

#[test]
fn branches_are_numbered_and_chosen_from_the_command_list() {
    let (mut world, mut board) = played();
    board.obey(&WindowCommand::GoTo(300)).unwrap();
    board.step(&[Input::Touch(Point(4))], 40).unwrap();
    show_board(&mut world, &mut board);
    let words = seen(&mut world);
    for there in ["branch 1", "0.300 s"] {
        assert!(words.iter().any(|text| text == there), "{there}: {words:?}");
    }
    let is_on = |text: &String| text.ends_with("on branch 2");
    assert!(words.iter().any(is_on), "{words:?}");
    world
        .resource_mut::<lists::command_list::CommandList>()
        .toggle();
    typed(&mut world, "back branch 1", egui::Key::Enter);
    let back = WindowCommand::GoToBranch {
        branch: 0,
        tick: 300,
    };
    assert!(obey(&mut world, &mut board).contains(&back));
    assert_eq!(world.resource::<Shown>().past.branch, 1);
}

#[test]
fn going_far_ahead_shows_progress_and_can_be_cancelled() {
    let (mut world, mut board) = played();
    let end = board.tick();
    board.obey(&WindowCommand::GoTo(end + 600_000)).unwrap();
    show_board(&mut world, &mut board);
    let work = world.resource::<Shown>().work.clone().unwrap();
    assert_eq!(
        (work.words.as_str(), work.can_cancel),
        ("Going on to 601 s", true)
    );
    let touch = WindowCommand::Do(Deed::Input(Input::Touch(Point(0))));
    let refused = board.obey(&touch);
    assert!(matches!(refused, Err(SourceError::OnItsWay)), "{refused:?}");
    let follow = |world: &mut World| {
        let mut time = world.resource_mut::<Time<Real>>();
        time.update_with_duration(std::time::Duration::from_millis(600));
        world.run_system_once(progress::follow).unwrap();
    };
    follow(&mut world);
    assert!(
        !seen(&mut world).contains(&work.words),
        "it may be over in a moment"
    );
    follow(&mut world);
    assert!(seen(&mut world).contains(&work.words));
    let at = place(&mut world, "Cancel");
    click_at(&mut world, at);
    assert_eq!(obey(&mut world, &mut board), [WindowCommand::Cancel]);
    assert_eq!(world.resource::<Shown>().work, None);
    assert!(board.tick() >= end + 10_000 && board.tick() < end + 600_000);
    // Going to the end gives the same result as computing it at once.
    let until = board.tick() + 30_000;
    board.obey(&WindowCommand::GoTo(until)).unwrap();
    let mut shown = Shown::default();
    let still = std::time::Duration::ZERO;
    while board.tick() < until {
        board.update(still, &mut shown, &mut |_, _| ()).unwrap();
    }
    assert_eq!((board.tick(), shown.work), (until, None));
}

#[test]
fn arrangements_are_saved_chosen_and_deleted_by_name() {
    let (mut world, mut board) = played();
    world.resource_mut::<dock::Dock>().open(dock::Pane::State);
    let arrangement = world.resource::<dock::Dock>().arrangement();
    world
        .resource_mut::<lists::command_list::CommandList>()
        .toggle();
    typed(&mut world, "save this arrangement", egui::Key::Enter);
    typed(&mut world, "the clock", egui::Key::Enter);
    let saved = world.resource::<arrangements::Arrangements>().clone();
    assert!(saved.has("the clock"), "{saved:?}");
    world
        .resource_mut::<lists::command_list::CommandList>()
        .toggle();
    typed(&mut world, "close all panes", egui::Key::Enter);
    assert!(!world.resource::<dock::Dock>().has_tools());
    world.insert_resource(TimelineView::of(vec!["hash".to_owned()]));
    world
        .resource_mut::<lists::command_list::CommandList>()
        .toggle();
    typed(&mut world, "arrangement clock", egui::Key::Enter);
    assert_eq!(world.resource::<dock::Dock>().arrangement(), arrangement);
    show_board(&mut world, &mut board);
    assert_eq!(
        drawn(&world),
        ["turn", "score.green", "score.red", "beeper"]
    );
    // An arrangement of the same name is not replaced without a question.
    world.resource_mut::<arrangements::ArrangementForm>().open();
    typed(&mut world, "the clock", egui::Key::Enter);
    assert!(world.resource::<arrangements::ArrangementForm>().is_open());
    assert!(seen(&mut world).iter().any(|text| text == "Replace"));
    world
        .resource_mut::<arrangements::ArrangementForm>()
        .close();
    world
        .resource_mut::<lists::command_list::CommandList>()
        .toggle();
    typed(&mut world, "delete arrangement", egui::Key::Enter);
    assert_eq!(
        *world.resource::<arrangements::Arrangements>(),
        arrangements::Arrangements::default()
    );
}

#[test]
fn the_timeline_is_not_cut_in_a_small_window() {
    for size in [(640.0, 400.0), (800.0, 500.0)] {
        let (mut world, mut board) = played();
        let condition = SignalCondition::parse("turn = red", Layout::MALDOO).unwrap();
        let stops = vec![StopCondition::new(condition)];
        board.obey(&WindowCommand::StopWhen(stops)).unwrap();
        show_board(&mut world, &mut board);
        // The user opened the timeline in this window.
        world.insert_resource(RoomForTools::default());
        let picture = picture(&mut world, size, Vec::new());
        assert_eq!(picture.cut(), [""; 0], "{size:?}");
        let top = picture.left.bottom();
        for (text, place, clip) in picture.words() {
            let is_button = ["Freeze", "input", "Signals", "Stop when", "Save …", "A–B"];
            let is_button = is_button.iter().any(|word| text.contains(word));
            if is_button && place.top() > top {
                assert!(clip.contains_rect(place), "{size:?}: `{text}` is cut");
            }
        }
        let strip = picture
            .words()
            .into_iter()
            .find(|(text, ..)| text == "turn");
        let (_, place, clip) = strip.unwrap();
        assert!(clip.contains_rect(place), "{size:?}: a waveform is seen");
    }
}
