//! A game that the user writes: dropped on the window, saved again in the middle of a
//! game, and with errors.

use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use crate::windowless::app;
use bevy::prelude::*;
use bevy::time::TimeUpdateStrategy;
use bevy::window::FileDragAndDrop;
use emulator::source::core::InProcess;
use emulator::source::written::OpenText;
use emulator::source::{Shown, WindowCommand};
use firmware_core::games::number;
use protocol::{Button, Colour, Deed, Input, Layout, Outcome, Point, Settings, Side};
use tempfile::{TempDir, tempdir};
use touchboard_host::CoreDriver;

/// Enough pictures to notice that a file was saved; this is checked every 150 ms.
const PICTURES: usize = 12;

/// A game that is won by the first player with `length` in a row.
fn rows_of(length: u8) -> String {
    format!(
        "(game \"Rows of {length}\"
            (players 2)
            (equipment {{(board (square 4)) (piece \"Stone\" Each)}})
            (rules
                (play (move Add (to (sites Empty))))
                (end (if (is Line {length}) (result Mover Win)))
            )
        )"
    )
}

/// The file of a test; every save gives it a later time.
struct File {
    _folder: TempDir,
    path: PathBuf,
    saved: SystemTime,
}

impl File {
    fn new(name: &str) -> File {
        let folder = tempdir().unwrap();
        File {
            path: folder.path().join(format!("{name}.lud")),
            _folder: folder,
            saved: SystemTime::now(),
        }
    }

    fn save(&mut self, text: &str) {
        std::fs::write(&self.path, text).unwrap();
        self.saved += Duration::from_secs(1);
        let file = std::fs::File::options().write(true).open(&self.path);
        file.unwrap().set_modified(self.saved).unwrap();
    }
}

fn window() -> App {
    let board = InProcess::new(CoreDriver::new(Layout::MALDOO, 1).unwrap())
        .unwrap()
        .unhurried();
    let mut app = app(board);
    let picture = Duration::from_millis(16);
    app.insert_resource(TimeUpdateStrategy::ManualDuration(picture));
    app
}

fn pictures(app: &mut App, many: usize) {
    for _ in 0..many {
        app.update();
    }
}

fn drop_on(app: &mut App, path: &Path) {
    app.world_mut().write_message(FileDragAndDrop::DroppedFile {
        window: Entity::PLACEHOLDER,
        path_buf: path.to_owned(),
    });
    pictures(app, 2);
}

fn command(app: &mut App, command: impl Into<WindowCommand>) {
    app.world_mut().write_message(command.into());
    app.update();
}

/// Presses START on the board.
fn start(app: &mut App) {
    command(app, Input::Press(Button::Start));
    command(app, Input::Lift(Button::Start));
    pictures(app, 2);
}

fn tap(app: &mut App, name: &str) {
    let point = shown(app).layout.point(name).unwrap();
    command(app, Input::Touch(point));
    command(app, Input::Release(point));
}

fn shown(app: &App) -> &Shown {
    app.world().resource::<Shown>()
}

fn lit(app: &App, colour: Colour) -> Vec<String> {
    let shown = shown(app);
    let is_lit = |point: &Point| shown.frame.points.get(*point) == colour;
    let points = shown.layout.iter().filter(is_lit);
    points
        .map(|point| shown.layout.name(point).to_string())
        .collect()
}

fn text(app: &App) -> &OpenText {
    app.world().resource::<OpenText>()
}

#[test]
fn a_dropped_text_becomes_the_game_on_the_board() {
    let mut file = File::new("dropped");
    file.save(&rows_of(3));
    let mut app = window();
    drop_on(&mut app, &file.path);
    assert_eq!(shown(&app).layout.points(), 16);
    assert_eq!(shown(&app).status.turn, None, "a player first chooses");
    assert_eq!(text(&app).wrong, None);
    start(&mut app);
    assert_eq!(shown(&app).status.turn, Some(Side::Green));

    let other = Path::new("holiday.png");
    drop_on(&mut app, other);
    let sentence = text(&app).wrong.as_deref();
    assert_eq!(
        sentence,
        Some("holiday.png is not the text of a game: drop a file whose name ends in .lud")
    );
    assert_eq!(shown(&app).layout.points(), 16, "what was there stays");
}

#[test]
fn saving_a_text_continues_the_game_by_the_new_rules() {
    let mut file = File::new("saved");
    file.save(&rows_of(3));
    let mut app = window();
    drop_on(&mut app, &file.path);
    start(&mut app);
    for point in ["a1", "a4", "b1", "b4"] {
        tap(&mut app, point);
    }
    let stones = [lit(&app, Colour::GREEN), lit(&app, Colour::RED)];
    assert_eq!(stones, [["a1", "b1"], ["a4", "b4"]]);

    assert_eq!(text(&app).took, None);
    file.saved = SystemTime::now() - Duration::from_secs(5);
    file.save(&rows_of(4));
    pictures(&mut app, PICTURES);
    let took = text(&app).took.expect("it is measured");
    assert!(
        took >= Duration::from_secs(4),
        "from the file's own time on: {took:?}"
    );
    assert_eq!([lit(&app, Colour::GREEN), lit(&app, Colour::RED)], stones);
    tap(&mut app, "c1");
    assert_eq!(shown(&app).status.outcome, None, "three are not enough now");
    tap(&mut app, "c4");
    tap(&mut app, "d1");
    let won = Some(Outcome::Won(Side::Green));
    assert_eq!(shown(&app).status.outcome, won);

    // By the rules of three in a row, the game ended with the fifth stone.
    file.save(&rows_of(3));
    pictures(&mut app, PICTURES);
    assert_eq!(shown(&app).status.outcome, won);
    assert_eq!(lit(&app, Colour::RED).len(), 2);
}

#[test]
fn moves_undone_by_going_back_are_not_replayed() {
    let mut file = File::new("back");
    file.save(&rows_of(3));
    let mut app = window();
    drop_on(&mut app, &file.path);
    start(&mut app);
    tap(&mut app, "a1");
    pictures(&mut app, 20);
    let between = app.world().resource::<emulator::source::BoardTime>().0;
    pictures(&mut app, 20);
    tap(&mut app, "a4");
    command(&mut app, WindowCommand::GoTo(between));
    pictures(&mut app, 2);
    file.save(&rows_of(4));
    pictures(&mut app, PICTURES);
    assert_eq!(lit(&app, Colour::GREEN), ["a1"]);
    assert!(lit(&app, Colour::RED).is_empty());
}

#[test]
fn an_error_in_a_text_is_shown_and_keeps_the_game() {
    let mut file = File::new("mistake");
    file.save(&rows_of(3));
    let mut app = window();
    drop_on(&mut app, &file.path);
    start(&mut app);
    tap(&mut app, "a1");
    let before = shown(&app).frame.clone();
    file.save(&rows_of(3).replace("(sites Empty)", "(sites Emty)"));
    pictures(&mut app, PICTURES);
    let wrong = text(&app).wrong.clone().expect("it is told");
    assert!(wrong.contains("Emty") && wrong.contains('^'), "{wrong}");
    assert_eq!(shown(&app).frame, before);

    file.save(&rows_of(3));
    pictures(&mut app, PICTURES);
    assert_eq!(text(&app).wrong, None);
    assert_eq!(lit(&app, Colour::GREEN), ["a1"]);
}

#[test]
fn saving_a_text_keeps_the_level() {
    let mut file = File::new("level");
    file.save(&rows_of(3));
    let mut app = window();
    drop_on(&mut app, &file.path);
    start(&mut app);
    command(&mut app, Input::Press(Button::Level));
    command(&mut app, Input::Lift(Button::Level));
    let level = shown(&app).status.settings.level;
    assert!(level > 0);
    file.save(&rows_of(4));
    pictures(&mut app, PICTURES);
    assert_eq!(shown(&app).status.settings.level, level);
}

#[test]
fn opening_a_text_keeps_level_and_time() {
    let mut file = File::new("level-before");
    file.save(&rows_of(3));
    let mut app = window();
    for button in [Button::Level, Button::Time] {
        command(&mut app, Input::Press(button));
        command(&mut app, Input::Lift(button));
    }
    let before = shown(&app).status.settings;
    assert_eq!((before.level, before.time), (1, 0));
    drop_on(&mut app, &file.path);
    pictures(&mut app, PICTURES);
    let now = shown(&app).status.settings;
    assert_eq!((now.level, now.time), (1, 0));
}

#[test]
fn choosing_another_option_item_changes_the_board() {
    let mut file = File::new("option");
    let sized = rows_of(3).replace("(square 4)", "(square <Size>)")
        + r#"(option "Size" <Size> args:{<n>} {(item "4" <4> "Small.")* (item "6" <6> "Large.")})"#;
    file.save(&sized);
    let mut app = window();
    drop_on(&mut app, &file.path);
    start(&mut app);
    tap(&mut app, "a1");
    assert_eq!(shown(&app).layout.points(), 16);
    let game = text(&app).game.clone().unwrap();
    let [size] = game.options.as_slice() else {
        panic!("{:?}", game.options);
    };
    assert_eq!(text(&app).item(size).unwrap().name, "4");
    let six = size.items.iter().find(|item| item.name == "6").unwrap();
    app.world_mut().resource_mut::<OpenText>().choose(size, six);
    pictures(&mut app, 2);
    assert_eq!(shown(&app).layout.points(), 36);
    assert!(lit(&app, Colour::GREEN).is_empty(), "a game begins");
    start(&mut app);
    assert_eq!(text(&app).item(size).unwrap().name, "6");

    // The item remains chosen when the text is saved.
    tap(&mut app, "f6");
    file.save(&sized.replace("Line 3", "Line 4"));
    pictures(&mut app, PICTURES);
    assert_eq!(shown(&app).layout.points(), 36);
    assert_eq!(lit(&app, Colour::GREEN), ["f6"]);
}

#[test]
fn a_text_begins_at_the_level_of_the_last_game_for_two() {
    let mut file = File::new("level-of-list");
    file.save(&rows_of(3));
    for level in [0, 3] {
        let mut app = window();
        let settings = shown(&app).status.settings;
        let at_level = |game| {
            let settings = Settings { level, ..settings };
            WindowCommand::Do(Deed::Settings(settings.for_game(game, 0)))
        };
        command(&mut app, at_level(number::REVERSI));
        // A game for one, which has no level, in between.
        let symmetry = settings.for_game(number::SYMMETRY, 0);
        let symmetry = Settings {
            level: 0,
            ..symmetry
        };
        command(&mut app, WindowCommand::Do(Deed::Settings(symmetry)));
        drop_on(&mut app, &file.path);
        pictures(&mut app, 2);
        assert_eq!(shown(&app).status.settings.level, level);
        start(&mut app);
        tap(&mut app, "a1");
        pictures(&mut app, 400);
        let has_board_answered = lit(&app, Colour::RED).len() == 1;
        assert_eq!(has_board_answered, level > 0);
    }
}
