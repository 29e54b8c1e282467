//! Tests of the panels of a window that has lines and files.

use bevy::ecs::system::RunSystemOnce;

use super::*;
use crate::keys::{Meaning, Overlay, StrokePhase};
use crate::source::{
    BoardLink, Connect, ConsoleLine, Rebuilt, Save, SaveFilm, SaveSignals, Saved, SessionFolder,
    ShellConsole,
};
use crate::workbench::system::desktop::ConsoleForm;
use crate::workbench::system::desktop::save_form::SaveForm;
use crate::workbench::timeline::TimelineView;

/// The title of the last card.
pub const LAST: &str = "Twin";

/// Prepares the resources that the panels read and write.
pub fn init(world: &mut World) {
    world.init_resource::<Saved>();
    world.init_resource::<SaveForm>();
    world.init_resource::<SessionFolder>();
    world.init_resource::<Messages<Connect>>();
    world.init_resource::<ShellConsole>();
    world.insert_resource(ConsoleForm::without_file());
    world.init_resource::<Messages<ConsoleLine>>();
    world.init_resource::<Messages<Save>>();
    world.init_resource::<Messages<SaveSignals>>();
    world.init_resource::<Messages<SaveFilm>>();
}

#[test]
fn no_important_text_is_cut_in_a_small_window() {
    let built = Saved::Failed("the disk is full: nothing was written to /a/long/name".to_owned());
    for game in games::BUILT.iter() {
        let mut world = with_game(game);
        world.insert_resource(built.clone());
        let mut status = world.resource::<Shown>().status;
        status.score = Some([120, 118]);
        status.turn = Some(Side::Red);
        status.best = None;
        world.resource_mut::<Shown>().status = status;
        let what = "time up: the board plays p16 for green, 17 turned, green cannot move";
        world.resource_mut::<story::Story>().lines = vec![line(5, Subject::Move, what)];
        for size in [(800.0, 500.0), (640.0, 400.0)] {
            let picture = picture(&mut world, size, Vec::new());
            assert_eq!(picture.cut(), [""; 0], "game {game}, {size:?}");
        }
    }
}

#[test]
fn a_larger_window_shows_all_cards_and_more_of_the_log() {
    let seen = [(1280.0, 720.0), (2560.0, 1440.0)].map(|size| {
        let mut world = with_game(0);
        world.resource_mut::<story::Story>().lines = (0..90)
            .map(|tick| line(tick, Subject::Move, "green e4"))
            .collect();
        let words = picture(&mut world, size, Vec::new()).words();
        let count = |wanted: &str| {
            let is_seen = |(text, place, clip): &&(String, egui::Rect, egui::Rect)| {
                text == wanted && clip.contains_rect(*place)
            };
            words.iter().filter(is_seen).count()
        };
        ["green e4", "VIEW", "CONNECTION"].map(count)
    });
    assert!(seen[1][0] > seen[0][0], "{seen:?}");
    assert_eq!(seen.map(|seen| seen[2]), [0, 1], "{seen:?}");
}

#[test]
fn saving_a_session_asks_before_it_replaces_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let mut world = with_game(0);
    world.insert_resource(SessionFolder(folder.path().to_owned()));
    let size = (2560.0, 1440.0);
    let saves = |world: &mut World| -> Vec<Save> {
        world.resource_mut::<Messages<Save>>().drain().collect()
    };
    let words = picture(&mut world, size, Vec::new()).words();
    let opened = picture(&mut world, size, click(&words, "Save …")).words();
    assert_eq!(saves(&mut world), [], "it asks first");
    let file = folder.path().join("reversi-1.session");
    let proposed = file.display().to_string();
    assert!(
        opened.iter().any(|(text, ..)| *text == proposed),
        "{opened:?}"
    );

    // In the meantime another file has been saved there.
    std::fs::write(&file, "another one").unwrap();
    let words = picture(&mut world, size, Vec::new()).words();
    assert!(words.iter().all(|(text, ..)| text != "Save"));
    picture(&mut world, size, click(&words, "Replace"));
    assert_eq!(saves(&mut world), [Save::As(file)]);

    let words = picture(&mut world, size, Vec::new()).words();
    picture(&mut world, size, click(&words, "Save …"));
    let words = picture(&mut world, size, Vec::new()).words();
    assert!(
        words
            .iter()
            .any(|(text, ..)| text.ends_with("reversi-2.session"))
    );
    picture(&mut world, size, click(&words, "Cancel"));
    assert_eq!(saves(&mut world), []);
}

#[test]
fn a_folded_card_shows_its_state_and_opens_on_a_click() {
    let size = (2560.0, 1440.0);
    let mut world = with_game(0);
    world.insert_resource(folds::Folds::TO_PLAY);
    world.resource_mut::<Shown>().pace.frozen = true;
    let has = |words: &[(String, egui::Rect, egui::Rect)], wanted: &str| {
        words.iter().any(|(text, ..)| text == wanted)
    };
    let words = picture(&mut world, size, Vec::new()).words();
    for there in ["TIMELINE", "frozen", "CONNECTION", "built in"] {
        assert!(has(&words, there), "{there} in {words:?}");
    }
    assert!(!has(&words, "Run") && !has(&words, LAST), "{words:?}");
    picture(&mut world, size, click(&words, "TIMELINE"));
    let words = picture(&mut world, size, Vec::new()).words();
    assert!(has(&words, "Run") && !has(&words, LAST), "{words:?}");

    // Errors are never folded away.
    let trouble = BoardLink::Down("the cable is out".to_owned());
    world.resource_mut::<Shown>().link = trouble;
    let words = picture(&mut world, size, Vec::new()).words();
    assert!(
        has(&words, "the cable is out") && has(&words, LAST),
        "{words:?}"
    );
}

#[test]
fn drawn_signals_are_saved_in_the_chosen_format() {
    let folder = tempfile::tempdir().unwrap();
    let (mut world, _) = timeline::played();
    world.insert_resource(SessionFolder(folder.path().to_owned()));
    let saves = |world: &mut World| -> Vec<SaveSignals> {
        let mut saves = world.resource_mut::<Messages<SaveSignals>>();
        saves.drain().collect()
    };
    let click = |world: &mut World, text: &str| {
        let places = picture(world, SIZE, Vec::new()).words();
        let lowest = places.iter().rfind(|(word, ..)| word == text);
        let at = lowest.unwrap_or_else(|| panic!("{text}: {places:?}")).1;
        click_at(world, at.center());
    };
    // Below the board; the other button saves the session.
    let places = picture(&mut world, SIZE, Vec::new()).words();
    let save = places.iter().filter(|(word, ..)| word == "Save …");
    let save = save.max_by(|one, other| one.1.top().total_cmp(&other.1.top()));
    click_at(&mut world, save.unwrap().1.center());
    assert!(world.resource::<SaveForm>().is_open());
    click(&mut world, "CSV");
    let file = folder.path().join("reversi-1.csv");
    std::fs::write(&file, "another one").unwrap();
    click(&mut world, "Replace");
    let names = ["turn", "score.green", "score.red", "beeper"];
    let names = names.map(str::to_owned).to_vec();
    assert_eq!(saves(&mut world), [SaveSignals { file, names }]);
}

#[test]
fn the_span_between_the_cursors_is_filmed() {
    let folder = tempfile::tempdir().unwrap();
    let (mut world, _) = timeline::played();
    world.insert_resource(SessionFolder(folder.path().to_owned()));
    let films = |world: &mut World| -> Vec<SaveFilm> {
        let mut films = world.resource_mut::<Messages<SaveFilm>>();
        films.drain().collect()
    };
    let now = world.resource::<BoardTime>().0;
    let click = |world: &mut World, text: &str| {
        let places = picture(world, SIZE, Vec::new()).words();
        let lowest = places.iter().rfind(|(word, ..)| word == text);
        let at = lowest.unwrap_or_else(|| panic!("{text}: {places:?}")).1;
        click_at(world, at.center());
    };
    let mut save = |format: &str| {
        click(&mut world, "Save …");
        click(&mut world, format);
        let told = timeline::seen(&mut world);
        click(&mut world, "Save");
        (told, films(&mut world))
    };
    let (told, asked) = save("GIF");
    let heading = format!("Film the board from 0.000 to {} s", style::seconds(now));
    assert!(told.contains(&heading), "{told:?}");
    let file = Some(folder.path().join("reversi-1.gif"));
    let span = Some([0, now]);
    assert_eq!(asked, [SaveFilm { file, span }]);
    let (_, asked) = save("PNG");
    assert_eq!(asked[0].span.unwrap()[1], now);
    world.resource_mut::<TimelineView>().set_cursors([900, 100]);
    // The key films the same span, under a name of its own.
    let film = Stroke {
        meaning: Meaning::Film,
        phase: StrokePhase::Down,
    };
    world.init_resource::<Rebuilt>();
    world.init_resource::<Overlay>();
    world.write_message(film);
    world.run_system_once(keyboard::toggle_panels).unwrap();
    let span = Some([100, 900]);
    assert_eq!(films(&mut world), [SaveFilm { file: None, span }]);
}

#[test]
fn the_console_completes_sends_and_recalls_commands() {
    let (mut world, _) = timeline::played();
    world.insert_resource(dock::Dock::with([dock::Pane::Console]));
    let lines = |world: &mut World| -> Vec<String> {
        let mut lines = world.resource_mut::<Messages<ConsoleLine>>();
        lines.drain().map(|ConsoleLine(line)| line).collect()
    };
    let key = |key| egui::Event::Key {
        key,
        physical_key: None,
        pressed: true,
        repeat: false,
        modifiers: egui::Modifiers::NONE,
    };
    let text = |text: &str| egui::Event::Text(text.to_owned());
    let at = place(&mut world, "a command: tap d7");
    let click = |pressed| egui::Event::PointerButton {
        pos: at,
        button: egui::PointerButton::Primary,
        pressed,
        modifiers: egui::Modifiers::NONE,
    };
    pictures(
        &mut world,
        vec![
            vec![egui::Event::PointerMoved(at), click(true), click(false)],
            vec![text("run until tur")],
            vec![key(egui::Key::Tab)],
            vec![text("= red")],
            vec![key(egui::Key::Enter)],
            vec![key(egui::Key::ArrowUp)],
            vec![key(egui::Key::Enter)],
        ],
    );
    assert_eq!(lines(&mut world), ["run until turn = red"; 2]);
}
