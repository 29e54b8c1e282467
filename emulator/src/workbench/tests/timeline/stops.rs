//! Conditions at which time freezes or a mark is set.

use firmware_core::Faults;
use protocol::{Colour, Rhythm};
use touchboard_host::session::SessionItem;

use super::*;
use crate::source::{BoardPace, ContactReports, StopAction, StoppedAt};

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
    board
        .obey(&WindowCommand::InjectFaults(Box::new(faults)))
        .unwrap();
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
    typed(
        &mut world,
        "point.a9 for 200 and turn != none",
        egui::Key::Enter,
    );
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
    assert!(
        (begun + 200..begun + 220).contains(&tick),
        "{begun}, {tick}"
    );
    assert!(board.tick() > tick, "time goes on");
    // Living through that moment again does not mark it twice.
    board.obey(&WindowCommand::GoTo(tick - 50)).unwrap();
    run(&mut board);
    assert!(board.tick() > tick);
    assert_eq!(marks(&mut board), [(tick, words)]);
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
    world.resource_mut::<TimelineView>().close();
    let words = seen(&mut world);
    let told = words.iter().find(|text| text.starts_with("stopped at "));
    assert!(told.unwrap().ends_with(": point.a9 for 200"), "{words:?}");
    assert!(
        words.iter().any(|text| text == "Stop when … (1)"),
        "{words:?}"
    );
    world
        .resource_mut::<TimelineView>()
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
        .resource_mut::<TimelineView>()
        .toggle_signals(ContactReports::Told);
    let words = seen(&mut world);
    let explained = "its contact is closed, as scanned";
    assert!(!words.iter().any(|text| text == explained), "{words:?}");
    typed(&mut world, "contact.d6", egui::Key::Tab);
    let words = seen(&mut world);
    assert!(words.iter().any(|text| text == explained), "{words:?}");
    typed(&mut world, "", egui::Key::Enter);
    world.resource_mut::<TimelineView>().close();
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
    let drawn = world.resource::<TimelineView>().drawn();
    assert!(drawn.contains(&"contact.d6".to_owned()), "{drawn:?}");
}

#[test]
fn a_board_without_contact_reports_says_it() {
    let (mut world, _) = played();
    world.resource_mut::<Shown>().hardware.contacts = ContactReports::Untold;
    let sentence = |world: &mut World| {
        typed(world, "contact.d6", egui::Key::Enter);
        let words = seen(world);
        world.resource_mut::<TimelineView>().close();
        let told = |text: &String| text.contains("this board does not report its contacts");
        words.iter().any(told)
    };
    world
        .resource_mut::<TimelineView>()
        .toggle_signals(ContactReports::Untold);
    assert!(sentence(&mut world));
    world
        .resource_mut::<TimelineView>()
        .toggle_stops(ContactReports::Untold);
    assert!(sentence(&mut world));
}

#[test]
fn the_finder_grows_again_after_a_narrow_search() {
    let (mut world, _) = played();
    world
        .resource_mut::<TimelineView>()
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
