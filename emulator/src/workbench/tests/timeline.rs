//! The timeline, driven as a person does.

use protocol::{Button, Deed, Input};
use touchboard_host::session::SessionItem;
use touchboard_host::signals::SignalCondition;
use touchboard_host::{CoreDriver, Driver};

use super::*;
use crate::source::core::InProcess;
use crate::source::{BoardPace, Source};

/// A world with a game of Reversi that two moves were made in, and the timeline.
fn played() -> (World, InProcess) {
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
    world.insert_resource(scope::Scope::of(Vec::new()));
    world.insert_resource(dock::Dock::with([dock::Pane::Timeline]));
    show_board(&mut world, &mut board);
    (world, board)
}

/// The world sees the board as it is now.
fn show_board(world: &mut World, board: &mut InProcess) {
    let mut shown = Shown::default();
    board.preview(&mut shown);
    world.insert_resource(shown);
    world.insert_resource(BoardTime(board.tick()));
    let session = board.whole_session().unwrap();
    let mut scope = world.resource_mut::<scope::Scope>();
    while !scope.take_in(&session) {}
}

/// Carries out the panels' commands on the board, and updates the display.
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
fn the_timeline_is_there_when_it_is_wanted_and_fits_every_window() {
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
fn one_goes_back_to_a_move_and_on_to_what_came_after_it() {
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
fn a_click_on_the_strip_goes_there_and_one_below_sets_a_cursor() {
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
fn a_mark_stays_where_it_was_set_and_is_in_the_session() {
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

/// Lets real time pass until the board freezes, or long enough.
fn run(board: &mut InProcess) {
    let run = BoardPace::default();
    board.obey(&WindowCommand::Pace(run)).unwrap();
    let mut shown = Shown::default();
    for _ in 0..200 {
        let picture = std::time::Duration::from_millis(50);
        board.update(picture, &mut shown, &mut |_, _| ()).unwrap();
        if shown.pace.paused {
            return;
        }
    }
}

#[test]
fn time_freezes_at_the_tick_at_which_a_condition_comes_true_and_goes_on_from_there() {
    let (_, mut board) = played();
    let condition = SignalCondition::parse("point.a9 for 200", Layout::MALDOO).unwrap();
    let stop = WindowCommand::StopWhen(Some(Box::new(condition)));
    board.obey(&stop).unwrap();
    let touch = Deed::Input(Input::Touch(Point(0)));
    board.obey(&WindowCommand::Do(touch)).unwrap();
    run(&mut board);
    let felt_at = board
        .session()
        .unwrap()
        .entries
        .iter()
        .rev()
        .find_map(|entry| {
            let is_touch = entry.item == SessionItem::from(Input::Touch(Point(0)));
            is_touch.then_some(entry.tick)
        });
    assert_eq!(board.tick(), felt_at.unwrap() + 200);
    let mut shown = Shown::default();
    board.preview(&mut shown);
    assert_eq!(
        (shown.stopped_at, shown.pace.paused),
        (Some(board.tick()), true)
    );
    // It still is so, and does not come true again.
    run(&mut board);
    board.preview(&mut shown);
    assert_eq!((shown.stopped_at, shown.pace.paused), (None, false));
}

#[test]
fn a_branch_that_was_left_is_drawn_and_gone_back_to() {
    let (mut world, mut board) = played();
    let end = board.digest().unwrap();
    board.obey(&WindowCommand::GoTo(300)).unwrap();
    board.step(&[Input::Touch(Point(4))], 40).unwrap();
    show_board(&mut world, &mut board);
    let branches = world.resource::<Shown>().branches.clone();
    assert_eq!((branches.len(), branches[0].from), (1, 300));
    // Under the strip, as far to the right as it goes.
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
fn signals_that_are_asked_for_are_drawn_from_the_beginning_on_and_others_left_out() {
    let (mut world, mut board) = played();
    let names = ["light.d7", "state.panel.settings", "no.such.signal"];
    world.insert_resource(scope::Scope::of(names.map(str::to_owned).into()));
    show_board(&mut world, &mut board);
    let words = picture(&mut world, SIZE, Vec::new()).words();
    for there in ["light.d7", "state.panel.settings.level"] {
        assert!(words.iter().any(|(text, ..)| text == there), "{words:?}");
    }
    let waves = world.resource::<scope::Scope>().waves().unwrap();
    assert_eq!(waves.waves.len(), 6);
    let light = &waves.waves[0].changes;
    let colours: Vec<String> = light.iter().map(|(_, value)| value.to_string()).collect();
    assert_eq!(
        (light[0].0, colours),
        (0, vec!["off".to_owned(), "green".to_owned()])
    );
}
