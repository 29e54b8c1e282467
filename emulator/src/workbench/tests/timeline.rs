//! Tests of the timeline, used as a person does.

use bevy::ecs::system::RunSystemOnce;
use firmware_core::Faults;
use protocol::{Button, Colour, Deed, Input, Rhythm};
use touchboard_host::session::SessionItem;
use touchboard_host::signals::SignalCondition;
use touchboard_host::{CoreDriver, Driver};

use super::*;
use crate::source::core::InProcess;
use crate::source::{BoardPace, ContactReports, Source, StopAction, StopCondition, StoppedAt};

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
    world.insert_resource(scope::Scope::of(Vec::new()));
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
    let mut scope = world.resource_mut::<scope::Scope>();
    while !scope.take_in(&session) {}
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

/// Lets real time pass until the board freezes, for a limited time.
fn run(board: &mut InProcess) {
    let run = BoardPace::default();
    board.obey(&WindowCommand::Pace(run)).unwrap();
    let mut shown = Shown::default();
    for _ in 0..200 {
        let picture = std::time::Duration::from_millis(50);
        board.update(picture, &mut shown, &mut |_, _| ()).unwrap();
        if shown.pace.frozen {
            return;
        }
    }
}

#[test]
fn a_condition_freezes_time_at_its_tick() {
    let (_, mut board) = played();
    let condition = SignalCondition::parse("point.a9 for 200", Layout::MALDOO).unwrap();
    let stop = WindowCommand::StopWhen(vec![StopCondition::new(condition.clone())]);
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
    let stopped = StoppedAt {
        tick: board.tick(),
        conditions: vec![condition],
    };
    assert_eq!(
        (&shown.stops.reached, shown.pace.frozen),
        (&Some(stopped), true)
    );
    // The condition is still true, and does not come true a second time.
    run(&mut board);
    board.preview(&mut shown);
    assert_eq!((shown.stops.reached, shown.pace.frozen), (None, false));
}

#[test]
fn a_dead_lamp_meets_no_condition_that_it_be_lit() {
    let (_, mut board) = played();
    let layout = Layout::MALDOO;
    let mut shown = Shown::default();
    board.preview(&mut shown);
    let is_steady = |point: &Point| {
        let light = shown.frame.light(*point);
        light.colour() != Colour::OFF && light.rhythm() == Rhythm::Steady
    };
    let lit = layout.iter().find(is_steady).unwrap();
    let name = layout.name(lit);
    let faults: Faults = format!("dead-led {name}").parse().unwrap();
    board.obey(&WindowCommand::Break(Box::new(faults))).unwrap();
    let dark = format!("lit.{name} = 0 for 10");
    let condition = SignalCondition::parse(&dark, layout).unwrap();
    let stop = WindowCommand::StopWhen(vec![StopCondition::new(condition)]);
    board.obey(&stop).unwrap();
    run(&mut board);
    board.preview(&mut shown);
    assert_eq!(shown.stops.reached.unwrap().why(), dark);
}

#[test]
fn a_condition_can_set_marks_while_time_goes_on() {
    let (mut world, mut board) = played();
    let at = place(&mut world, "Stop when …");
    click_at(&mut world, at);
    typed(&mut world, "point.a9 for 200 and turn != none", egui::Key::Enter);
    obey(&mut world, &mut board);
    let at = place(&mut world, "Freezes");
    click_at(&mut world, at);
    obey(&mut world, &mut board);
    let stops = world.resource::<Shown>().stops.all.clone();
    assert_eq!(stops[0].action, StopAction::Mark);
    let marks = |board: &mut InProcess| {
        let session = board.session().unwrap();
        let entries = session.entries.into_iter();
        entries
            .filter_map(|entry| match entry.item {
                SessionItem::Note(words) => Some((entry.tick, words)),
                _ => None,
            })
            .collect::<Vec<_>>()
    };
    let touch = Deed::Input(Input::Touch(Point(0)));
    board.obey(&WindowCommand::Do(touch)).unwrap();
    let begun = board.tick();
    run(&mut board);
    let [(tick, words)] = <[_; 1]>::try_from(marks(&mut board)).unwrap();
    assert_eq!(words, "point.a9 for 200 and turn != none");
    assert!((begun + 200..begun + 220).contains(&tick), "{begun}, {tick}");
    assert!(board.tick() > tick, "time goes on");
    // Living through that moment again does not mark it twice.
    board.obey(&WindowCommand::GoTo(tick - 50)).unwrap();
    run(&mut board);
    assert!(board.tick() > tick);
    assert_eq!(marks(&mut board), [(tick, words)]);
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

#[test]
fn requested_signals_are_drawn_from_the_beginning() {
    let (mut world, mut board) = played();
    let names = ["light.d7", "state.panel.settings", "no.such.signal"];
    world.insert_resource(scope::Scope::of(names.map(str::to_owned).into()));
    show_board(&mut world, &mut board);
    let words = picture(&mut world, SIZE, Vec::new()).words();
    for there in ["light.d7", "level"] {
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
    world.resource::<scope::Scope>().drawn()
}

#[test]
fn a_signal_is_found_drawn_and_removed() {
    let (mut world, mut board) = played();
    let at = place(&mut world, "Signals …");
    click_at(&mut world, at);
    let words = seen(&mut world);
    for there in ["SIGNALS", "point", "all 81 of them", "green, red or none"] {
        assert!(words.iter().any(|text| text == there), "{there}: {words:?}");
    }
    typed(&mut world, "d7", egui::Key::Enter);
    show_board(&mut world, &mut board);
    let all = ["turn", "score.green", "score.red", "beeper", "point.d7"];
    assert_eq!(drawn(&world), all);
    // A name that stands for many signals; Tab completes it.
    typed(&mut world, "state.panel.sett", egui::Key::Tab);
    typed(&mut world, "", egui::Key::Enter);
    show_board(&mut world, &mut board);
    assert_eq!(drawn(&world).len(), 10);
    typed(&mut world, "point.d7", egui::Key::Enter);
    assert_eq!(drawn(&world).len(), 9);
    typed(&mut world, "no.such", egui::Key::Enter);
    assert!(
        seen(&mut world)
            .iter()
            .any(|text| text.contains("is not a signal"))
    );
    let at = place(&mut world, "Close");
    click_at(&mut world, at);
    let words = seen(&mut world);
    assert!(!words.iter().any(|text| text == "SIGNALS"));
    let is_head = |text: &String| text.ends_with("settings (5)");
    assert!(words.iter().any(is_head), "{words:?}");
}

#[test]
fn groups_fold_and_tracks_are_dragged() {
    let (mut world, mut board) = played();
    let names = ["turn", "event", "beeper"].map(str::to_owned);
    world.insert_resource(scope::Scope::of(names.into()));
    show_board(&mut world, &mut board);
    let at = place(&mut world, "event (13)");
    click_at(&mut world, at);
    let fold = place(&mut world, "Fold");
    click_at(&mut world, fold);
    let words = seen(&mut world);
    assert!(!words.iter().any(|text| text == "timed-out"), "{words:?}");
    let [from, to] = ["beeper", "turn"].map(|name| place(&mut world, name));
    let button = |pos, pressed| egui::Event::PointerButton {
        pos,
        button: egui::PointerButton::Primary,
        pressed,
        modifiers: egui::Modifiers::NONE,
    };
    let above = to - egui::vec2(0.0, 14.0);
    pictures(
        &mut world,
        vec![
            vec![egui::Event::PointerMoved(from), button(from, true)],
            vec![egui::Event::PointerMoved(from - egui::vec2(0.0, 10.0))],
            vec![egui::Event::PointerMoved(above)],
            vec![button(above, false)],
        ],
    );
    assert_eq!(drawn(&world)[..2], ["beeper", "turn"]);
    let [first, second] = ["beeper", "turn"].map(|name| place(&mut world, name));
    assert!(first.y < second.y);
}

#[test]
fn the_menu_of_a_signal_sets_its_colour_and_a_pulse_stop() {
    let (mut world, mut board) = played();
    world.insert_resource(scope::Scope::of(vec!["point.d7".to_owned()]));
    show_board(&mut world, &mut board);
    let at = place(&mut world, "point.d7");
    click_at(&mut world, at);
    let at = place(&mut world, "is a pulse shorter than");
    click_at(&mut world, at);
    let stop = SignalCondition::parse("point.d7 for < 20", Layout::MALDOO).unwrap();
    let stops = vec![StopCondition::new(stop)];
    assert_eq!(
        obey(&mut world, &mut board),
        [WindowCommand::StopWhen(stops)]
    );
    let at = place(&mut world, "point.d7");
    click_at(&mut world, at);
    let at = place(&mut world, "Colour") + egui::vec2(20.0, 18.0);
    click_at(&mut world, at);
    let scope = world.resource::<scope::Scope>();
    assert!(scope.chosen().tracks()[0].tint.is_some());
}

#[test]
fn the_menu_of_a_signal_measures_it_and_goes_to_its_changes() {
    let (mut world, mut board) = played();
    world.insert_resource(scope::Scope::of(vec!["point.d7".to_owned()]));
    show_board(&mut world, &mut board);
    let menu = |world: &mut World| {
        let at = place(world, "point.d7");
        click_at(world, at);
    };
    menu(&mut world);
    let at = place(&mut world, "◀ change");
    click_at(&mut world, at);
    // The finger was lifted at 550.
    assert_eq!(obey(&mut world, &mut board), [WindowCommand::GoTo(550)]);
    menu(&mut world);
    let at = place(&mut world, "◀ change");
    click_at(&mut world, at);
    assert_eq!(obey(&mut world, &mut board), [WindowCommand::GoTo(520)]);
    menu(&mut world);
    let at = place(&mut world, "change ▶");
    click_at(&mut world, at);
    assert_eq!(obey(&mut world, &mut board), [WindowCommand::GoTo(550)]);
    world
        .resource_mut::<scope::Scope>()
        .set_cursors([100, 1_100]);
    menu(&mut world);
    let words = seen(&mut world).join(" ");
    let measured = "A to B: 2 changes, 1 pulse, on for 30 of 1000 ms (3 %)";
    assert!(words.contains(measured), "{words}");
}

#[test]
fn stop_conditions_are_listed_switched_off_and_removed() {
    let (mut world, mut board) = played();
    let at = place(&mut world, "Stop when …");
    click_at(&mut world, at);
    typed(&mut world, "turn = green", egui::Key::Enter);
    obey(&mut world, &mut board);
    typed(&mut world, "point.a9 for 200", egui::Key::Enter);
    obey(&mut world, &mut board);
    typed(&mut world, "moon", egui::Key::Enter);
    let words = seen(&mut world);
    for there in ["turn = green", "point.a9 for 200"] {
        assert!(words.iter().any(|text| text == there), "{there}: {words:?}");
    }
    assert!(
        words
            .iter()
            .any(|text| text.contains("`moon` is not a signal"))
    );
    let at = place(&mut world, "turn = green");
    click_at(&mut world, at);
    obey(&mut world, &mut board);
    let on: Vec<bool> = world
        .resource::<Shown>()
        .stops
        .all
        .iter()
        .map(|stop| stop.is_on)
        .collect();
    assert_eq!(on, [false, true]);
    let touch = Deed::Input(Input::Touch(Point(0)));
    board.obey(&WindowCommand::Do(touch)).unwrap();
    run(&mut board);
    show_board(&mut world, &mut board);
    world.resource_mut::<scope::Scope>().close();
    let words = seen(&mut world);
    let told = words.iter().find(|text| text.starts_with("stopped at "));
    assert!(told.unwrap().ends_with(": point.a9 for 200"), "{words:?}");
    assert!(
        words.iter().any(|text| text == "Stop when … (1)"),
        "{words:?}"
    );
    world
        .resource_mut::<scope::Scope>()
        .toggle_stops(ContactReports::Told);
    let at = place(&mut world, "Remove");
    click_at(&mut world, at);
    obey(&mut world, &mut board);
    assert_eq!(world.resource::<Shown>().stops.all.len(), 1);
}

#[test]
fn contacts_can_be_listed_drawn_and_used_to_stop() {
    let (mut world, mut board) = played();
    world
        .resource_mut::<scope::Scope>()
        .toggle_signals(ContactReports::Told);
    let words = seen(&mut world);
    let explained = "its contact is closed, as scanned";
    assert!(!words.iter().any(|text| text == explained), "{words:?}");
    typed(&mut world, "contact.d6", egui::Key::Tab);
    let words = seen(&mut world);
    assert!(words.iter().any(|text| text == explained), "{words:?}");
    typed(&mut world, "", egui::Key::Enter);
    world.resource_mut::<scope::Scope>().close();
    let condition = SignalCondition::parse("contact.d6 rises", Layout::MALDOO).unwrap();
    let stop = WindowCommand::StopWhen(vec![StopCondition::new(condition)]);
    board.obey(&stop).unwrap();
    let begun = board.tick();
    let d6 = Layout::MALDOO.point("d6").unwrap();
    let touch = Deed::Input(Input::Touch(d6));
    board.obey(&WindowCommand::Do(touch)).unwrap();
    run(&mut board);
    assert_eq!(board.tick(), begun + 1, "the next scan reads it");
    show_board(&mut world, &mut board);
    let drawn = world.resource::<scope::Scope>().drawn();
    assert!(drawn.contains(&"contact.d6".to_owned()), "{drawn:?}");
}

#[test]
fn a_board_without_contact_reports_says_it() {
    let (mut world, _) = played();
    world.resource_mut::<Shown>().hardware.contacts = ContactReports::Untold;
    let sentence = |world: &mut World| {
        typed(world, "contact.d6", egui::Key::Enter);
        let words = seen(world);
        world.resource_mut::<scope::Scope>().close();
        let told = |text: &String| text.contains("this board does not report its contacts");
        words.iter().any(told)
    };
    world
        .resource_mut::<scope::Scope>()
        .toggle_signals(ContactReports::Untold);
    assert!(sentence(&mut world));
    world
        .resource_mut::<scope::Scope>()
        .toggle_stops(ContactReports::Untold);
    assert!(sentence(&mut world));
}

#[test]
fn the_finder_grows_again_after_a_narrow_search() {
    let (mut world, _) = played();
    world
        .resource_mut::<scope::Scope>()
        .toggle_stops(ContactReports::Told);
    let text = |text: &str| vec![egui::Event::Text(text.to_owned())];
    let picture = pictures(
        &mut world,
        vec![
            text("moon"),
            Vec::new(),
            vec![select_all()],
            text("point.d7 "),
            Vec::new(),
        ],
    );
    let words = picture.words();
    let is_seen = |wanted: &str| {
        let mut found = words.iter().filter(|(text, ..)| text == wanted);
        found.any(|(_, place, clip)| clip.contains_rect(*place))
    };
    assert!(
        is_seen("point.d7 rises") && is_seen("point.d7 for < 20"),
        "{words:?}"
    );
}

/// The event that selects all text in a field.
fn select_all() -> egui::Event {
    egui::Event::Key {
        key: egui::Key::A,
        physical_key: None,
        pressed: true,
        repeat: false,
        modifiers: egui::Modifiers::COMMAND,
    }
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
    assert!(board.obey(&touch).unwrap_err().contains("on its way"));
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
    world.insert_resource(scope::Scope::of(vec!["hash".to_owned()]));
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
