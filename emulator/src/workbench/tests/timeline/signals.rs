//! Signals that are found, drawn, folded and coloured.

use super::*;

#[test]
fn requested_signals_are_drawn_from_the_beginning() {
    let (mut world, mut board) = played();
    let names = ["light.d7", "state.panel.settings", "no.such.signal"];
    world.insert_resource(TimelineView::of(names.map(str::to_owned).into()));
    show_board(&mut world, &mut board);
    let words = picture(&mut world, SIZE, Vec::new()).words();
    for there in ["light.d7", "level"] {
        assert!(words.iter().any(|(text, ..)| text == there), "{words:?}");
    }
    let waves = world.resource::<TimelineView>().waves().unwrap();
    assert_eq!(waves.waves.len(), 6);
    let light = &waves.waves[0].changes;
    let colours: Vec<String> = light.iter().map(|(_, value)| value.to_string()).collect();
    assert_eq!(
        (light[0].0, colours),
        (0, vec!["off".to_owned(), "green".to_owned()])
    );
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
    world.insert_resource(TimelineView::of(names.into()));
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
    world.insert_resource(TimelineView::of(vec!["point.d7".to_owned()]));
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
    let timeline = world.resource::<TimelineView>();
    assert!(timeline.chosen().tracks()[0].tint.is_some());
}

#[test]
fn the_menu_of_a_signal_measures_it_and_goes_to_its_changes() {
    let (mut world, mut board) = played();
    world.insert_resource(TimelineView::of(vec!["point.d7".to_owned()]));
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
        .resource_mut::<TimelineView>()
        .set_cursors([100, 1_100]);
    menu(&mut world);
    let words = seen(&mut world).join(" ");
    let measured = "A to B: 2 changes, 1 pulse, on for 30 of 1000 ms (3 %)";
    assert!(words.contains(measured), "{words}");
}
