//! Keeps the game on the board, in a small file next to the window's settings, so that it
//! can be continued after the window was closed.
//!
//! Invariants: the file holds the game that is on the board, at most [`REST`] old, or the
//! game that can be continued instead; if there is neither, there is no file. It is written
//! completely or not at all. A file that cannot be used is reported and left alone until
//! another game is kept.

use std::fmt::Display;
use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::time::Duration;

use bevy::ecs::system::SystemParam;
use bevy::prelude::*;
use protocol::{LastMove, Outcome, Side, Status};
use touchboard_files::{WritingError, read_bounded, whole_file};
use touchboard_host::kept_game::NoGame;
use touchboard_host::written::{Choice, TextGame};

use crate::source::written::OpenText;
use crate::source::{BoardTime, Log, Shown, ShownBoard, SourceError, UnfinishedGame};

/// The shortest time between two writes.
const REST: Duration = Duration::from_secs(5);

/// The file of the game; without this resource, none is kept.
#[derive(Resource, Clone, Debug)]
struct UnfinishedFile(PathBuf);

/// The text of the game that is offered: the rules of the game on the remembered board are
/// known as long as this is.
#[derive(Resource)]
struct TextOfUnfinished(#[expect(dead_code, reason = "it is owned, not read")] TextGame);

/// Offers the game in this file, and keeps the one on the board from now on. If the window
/// begins with a text, only a game of the same text is offered.
pub fn restore(app: &mut App, file: PathBuf, text: Option<&Choice>) {
    let is_offered = |game: &UnfinishedGame| text.is_none() || game.text() == text;
    match read(&file) {
        Ok(Some(game)) if is_offered(&game) => {
            match game.text().map(touchboard_links::games::read).transpose() {
                Ok(Some(text)) => {
                    app.insert_resource(TextOfUnfinished(text));
                }
                Ok(None) => {}
                Err(error) => {
                    eprintln!(
                        "emulator: the unfinished game is offered without its rules: {error}"
                    );
                }
            }
            app.insert_resource(game);
        }
        Ok(_) => {}
        Err(error) => eprintln!("emulator: {error}"),
    }
    app.insert_resource(UnfinishedFile(file));
    app.add_systems(Last, keep);
}

/// The game in a file cannot be continued.
#[derive(Debug, thiserror::Error)]
#[error("the unfinished game in {} cannot be continued: {why}", file.display())]
struct NotContinued {
    file: PathBuf,
    why: FileProblem,
}

/// Why the game in a file cannot be continued.
#[derive(Debug, thiserror::Error)]
enum FileProblem {
    #[error("the file is too large for a game")]
    TooLarge,
    #[error(transparent)]
    Unreadable(#[from] io::Error),
    #[error(transparent)]
    NoGame(#[from] NoGame),
}

/// Reads the file; `None` if there is none.
fn read(file: &Path) -> Result<Option<UnfinishedGame>, NotContinued> {
    let read = match read_bounded(file, UnfinishedGame::MOST_BYTES as u64) {
        Ok(bytes) => UnfinishedGame::of_bytes(bytes).map_err(FileProblem::from),
        Err(error) => match error.kind() {
            ErrorKind::NotFound => return Ok(None),
            ErrorKind::FileTooLarge => Err(FileProblem::TooLarge),
            _ => Err(error.into()),
        },
    };
    read.map(Some).map_err(|why| NotContinued {
        file: file.to_owned(),
        why,
    })
}

/// Writes the file, or removes it if there is no game.
fn write(file: &Path, game: Option<&UnfinishedGame>) -> Result<(), WritingError> {
    let written = match game {
        Some(game) => {
            let folder = file.parent().unwrap_or(Path::new("."));
            fs::create_dir_all(folder)
                .and_then(|()| game.to_bytes().map_err(io::Error::other))
                .and_then(|bytes| whole_file::write(file, &bytes))
        }
        None => match fs::remove_file(file) {
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
            removed => removed,
        },
    };
    written.map_err(WritingError::about(file))
}

/// What changes with every move.
#[derive(Clone, Debug, PartialEq)]
struct Position {
    last_move: Option<LastMove>,
    turn: Option<Side>,
    score: Option<[u32; 2]>,
    outcome: Option<Outcome>,
}

impl Position {
    fn of(status: &Status) -> Position {
        Position {
            last_move: status.last_move,
            turn: status.turn,
            score: status.score,
            outcome: status.outcome,
        }
    }
}

/// What was last written, and when.
#[derive(Default)]
struct LastWrite {
    position: Option<Position>,
    time: Duration,
    /// The last error, which is not repeated.
    error: Option<String>,
    /// True if the file is that of a game of this window, or of one that it offered: only
    /// then is it removed.
    is_own: bool,
    /// True once the user was told that the game is too long to be kept whole.
    is_cut: bool,
}

/// The board, and what the window knows of the game on it.
#[derive(SystemParam)]
struct GameOnBoard<'w> {
    board: ResMut<'w, ShownBoard>,
    shown: Res<'w, Shown>,
    text: Res<'w, OpenText>,
    now: Res<'w, BoardTime>,
    log: ResMut<'w, Log>,
}

impl GameOnBoard<'_> {
    /// The game to be kept; `None` if none is on, or if it is not in this process.
    ///
    /// # Errors
    /// Why it cannot be kept.
    fn game(&mut self) -> Result<Option<UnfinishedGame>, SourceError> {
        let text = self.text.of_layout(self.shown.layout);
        UnfinishedGame::on_board(&mut *self.board.0, &self.shown, &self.log, text)
    }
}

/// Keeps the game while something changes, and at the end of the program.
fn keep(
    file: Res<UnfinishedFile>,
    left: Option<Res<UnfinishedGame>>,
    mut on_board: GameOnBoard,
    time: Res<Time<Real>>,
    mut last: Local<LastWrite>,
    mut exits: MessageReader<AppExit>,
) {
    let is_over = exits.read().count() > 0;
    if let Some(game) = left {
        last.is_own = true;
        if game.is_added() && last.position.is_some() {
            last.note(write(&file.0, Some(&game)));
        }
        return;
    }
    let status = &on_board.shown.status;
    let now = Some(Position::of(status));
    let rests = last.position.is_some() && time.elapsed().saturating_sub(last.time) < REST;
    let is_news = now != last.position || status.clock.is_some();
    if rests && !is_over || !is_news {
        return;
    }
    let game = match on_board.game() {
        Ok(game) => {
            last.is_own |= game.is_some();
            if last.is_own {
                last.note(write(&file.0, game.as_ref()));
            }
            game
        }
        // What was written before stays.
        Err(why) => {
            last.note(Err(why));
            None
        }
    };
    let is_cut = game.is_some_and(|game| game.is_cut());
    if is_cut && !last.is_cut {
        let tick = on_board.now.0;
        on_board.log.add_sentence(tick, CUT.to_owned());
    }
    (last.is_cut, last.position, last.time) = (is_cut, now, time.elapsed());
}

impl LastWrite {
    /// Reports an error, unless it is the one of the last write.
    fn note(&mut self, result: Result<(), impl Display>) {
        let error = result.err().map(|error| error.to_string());
        if let Some(sentence) = error.as_ref().filter(|_| error != self.error) {
            eprintln!("emulator: {sentence}");
        }
        self.error = error;
    }
}

/// The sentence if the beginning of a game is not kept.
const CUT: &str = "This game is long: when it is continued in another window, Take back and the timeline do not reach its beginning";

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use bevy::time::TimeUpdateStrategy;
    use protocol::{Button, Deed, Input, Layout, Settings, Tick};
    use tempfile::tempdir;
    use touchboard_host::kept_game::KeptGame;
    use touchboard_host::{CoreDriver, written::library};

    use super::*;
    use crate::source::core::InProcess;
    use crate::source::{ComesBack, SourcePlugin, UnfinishedAnswer, WindowCommand};

    /// The board time of a picture.
    const PICTURE: Duration = Duration::from_millis(50);

    /// A window with this file.
    fn window(file: &Path) -> App {
        let board = CoreDriver::new(Layout::MALDOO, 1).unwrap();
        let mut app = App::new();
        app.add_plugins((MinimalPlugins, SourcePlugin))
            .insert_resource(TimeUpdateStrategy::ManualDuration(PICTURE))
            .insert_resource(ShownBoard(Box::new(InProcess::new(board).unwrap())));
        restore(&mut app, file.to_owned(), None);
        app.update();
        app
    }

    fn pictures(app: &mut App, number: u32) {
        (0..number).for_each(|_| app.update());
    }

    fn carry_out(app: &mut App, deed: Deed) {
        app.world_mut().write_message(WindowCommand::Do(deed));
        pictures(app, 4);
    }

    /// Begins a game for two.
    fn begin(app: &mut App) {
        let settings = app.world().resource::<Shown>().status.settings;
        carry_out(
            app,
            Deed::Settings(Settings {
                level: 0,
                ..settings
            }),
        );
        for input in [Input::Press(Button::Start), Input::Lift(Button::Start)] {
            carry_out(app, Deed::Input(input));
        }
    }

    /// Makes a move of one touch.
    fn touch(app: &mut App) {
        let point = app.world().resource::<Shown>().legal[0];
        carry_out(app, Deed::Input(Input::Touch(point)));
        carry_out(app, Deed::Input(Input::Release(point)));
    }

    /// Closes the window.
    fn close(mut app: App) {
        app.world_mut().write_message(AppExit::Success);
        app.update();
    }

    fn answer(app: &mut App, answer: UnfinishedAnswer) {
        app.world_mut().write_message(answer);
        pictures(app, 2);
    }

    fn offered(app: &App) -> Option<ComesBack> {
        let game = app.world().get_resource::<UnfinishedGame>();
        game.map(|game| game.comes_back)
    }

    fn log(app: &App) -> Vec<crate::source::LogLine> {
        app.world().resource::<Log>().iter().cloned().collect()
    }

    /// The tick of the board in this file.
    fn tick(file: &Path) -> Tick {
        let kept = KeptGame::of_bytes(&fs::read(file).unwrap()).unwrap();
        touchboard_host::session::tick_of(kept.past.present()).unwrap()
    }

    #[test]
    fn a_game_is_offered_until_it_is_answered() {
        let folder = tempdir().unwrap();
        let file = folder.path().join("deep/unfinished");
        let mut app = window(&file);
        assert_eq!(offered(&app), None);
        begin(&mut app);
        assert!(!file.exists());
        touch(&mut app);
        close(app);
        // The second window ends without an answer.
        for _ in 0..2 {
            let app = window(&file);
            assert_eq!(offered(&app), Some(ComesBack::OnOffer));
            close(app);
        }
        let mut app = window(&file);
        answer(&mut app, UnfinishedAnswer::Forget);
        close(app);
        assert_eq!(offered(&window(&file)), None);
    }

    #[test]
    fn a_continued_game_has_its_log_and_its_past() {
        let folder = tempdir().unwrap();
        let file = folder.path().join("unfinished");
        let mut app = window(&file);
        begin(&mut app);
        (0..5).for_each(|_| touch(&mut app));
        let (lines, status) = (log(&app), app.world().resource::<Shown>().status);
        assert!(lines.len() > 5);
        close(app);
        let mut app = window(&file);
        answer(&mut app, UnfinishedAnswer::Continue);
        assert_eq!(log(&app), lines);
        let shown = app.world().resource::<Shown>();
        assert_eq!(shown.status.last_move, status.last_move);
        // The clock was not set back.
        let left_ms = |status: Status| status.clock.map(|clock| clock.left_ms);
        assert!(left_ms(shown.status) <= left_ms(status));
        let begin = shown.past.earliest.unwrap();
        assert!(lines.iter().all(|line| line.tick >= begin));
        app.world_mut().write_message(WindowCommand::GoTo(begin));
        pictures(&mut app, 2);
        assert_eq!(app.world().resource::<Shown>().status.last_move, None);
        assert!(log(&app).iter().any(|line| line.is_ahead));
    }

    #[test]
    fn time_spent_on_the_last_move_is_not_given_back() {
        let folder = tempdir().unwrap();
        let file = folder.path().join("unfinished");
        let mut app = window(&file);
        begin(&mut app);
        touch(&mut app);
        pictures(
            &mut app,
            (REST.as_millis() / PICTURE.as_millis()) as u32 + 1,
        );
        let before = tick(&file);
        pictures(&mut app, 10);
        assert_eq!(tick(&file), before, "not with every picture");
        let now = app.world().resource::<BoardTime>().0;
        close(app);
        assert!(tick(&file) >= now && now > before);
    }

    #[test]
    fn a_game_left_for_another_one_comes_back_by_taking_back() {
        let folder = tempdir().unwrap();
        let file = folder.path().join("unfinished");
        let mut app = window(&file);
        begin(&mut app);
        (0..3).for_each(|_| touch(&mut app));
        let lines = log(&app);
        let ishido = firmware_core::games::number::ISHIDO;
        app.world_mut()
            .write_message(crate::source::Bring::Game(ishido));
        pictures(&mut app, 3);
        assert_eq!(offered(&app), Some(ComesBack::ByTakingBack));
        answer(&mut app, UnfinishedAnswer::Continue);
        assert_eq!(log(&app), lines);
        assert_eq!(offered(&app), None);
        // A window that is closed after the choice offers the game, too.
        app.world_mut()
            .write_message(crate::source::Bring::Game(ishido));
        pictures(&mut app, 3);
        close(app);
        assert_eq!(offered(&window(&file)), Some(ComesBack::OnOffer));
    }

    #[test]
    fn a_game_of_a_text_continues_with_its_text() {
        let folder = tempdir().unwrap();
        let file = folder.path().join("unfinished");
        let text = folder.path().join("hex.lud");
        fs::write(&text, library::text("hex").unwrap()).unwrap();
        let mut app = window(&file);
        let choice = Choice::from(text.clone());
        app.world_mut()
            .resource_mut::<OpenText>()
            .open(choice.clone());
        pictures(&mut app, 4);
        begin(&mut app);
        touch(&mut app);
        close(app);
        for is_changed in [false, true] {
            if is_changed {
                fs::write(&text, library::text("tic-tac-toe").unwrap()).unwrap();
            }
            let mut app = window(&file);
            answer(&mut app, UnfinishedAnswer::Continue);
            let open = app.world().resource::<OpenText>();
            let name = open.game.as_ref().map(|game| game.layout.points());
            let shown = app.world().resource::<Shown>();
            assert!(shown.status.last_move.is_some());
            let expected = (!is_changed).then_some(shown.layout.points());
            assert_eq!(name, expected);
            assert_eq!(open.choice(), Some(&choice).filter(|_| !is_changed));
        }
    }

    /// The aim of the game that the window shows.
    fn aim(app: &App) -> String {
        let shown = app.world().resource::<Shown>();
        let game = shown.status.settings.game;
        touchboard_host::written::how_to(game, shown.layout)
            .unwrap()
            .aim()
            .to_owned()
    }

    #[test]
    fn the_rules_of_an_included_text_are_known_when_its_game_continues() {
        let folder = tempdir().unwrap();
        let file = folder.path().join("unfinished");
        let mut app = window(&file);
        let choice = Choice::from(PathBuf::from("connect-four.lud"));
        app.world_mut().resource_mut::<OpenText>().open(choice);
        pictures(&mut app, 4);
        let expected = "Drop discs into seven columns; four in a row win.";
        assert!(aim(&app).starts_with(expected), "{}", aim(&app));
        begin(&mut app);
        touch(&mut app);
        // Another game was chosen, and this one is taken back.
        let ishido = firmware_core::games::number::ISHIDO;
        app.world_mut()
            .write_message(crate::source::Bring::Game(ishido));
        pictures(&mut app, 3);
        answer(&mut app, UnfinishedAnswer::Continue);
        assert!(aim(&app).starts_with(expected), "{}", aim(&app));
        // The window was closed.
        close(app);
        let mut app = window(&file);
        answer(&mut app, UnfinishedAnswer::Continue);
        assert!(aim(&app).starts_with(expected), "{}", aim(&app));
    }

    #[test]
    fn a_file_that_is_no_game_is_reported() {
        let folder = tempdir().unwrap();
        let file = folder.path().join("unfinished");
        let mut app = window(&file);
        begin(&mut app);
        touch(&mut app);
        close(app);
        let game = fs::read(&file).unwrap();
        let cut = &game[..game.len() - 9];
        for bytes in [&b""[..], b"no game", &[255; 4_000], cut] {
            fs::write(&file, bytes).unwrap();
            let sentence = read(&file).unwrap_err().to_string();
            assert!(sentence.contains("cannot be continued"), "{sentence}");
        }
        let long = fs::File::create(&file).unwrap();
        long.set_len(UnfinishedGame::MOST_BYTES as u64 + 1).unwrap();
        let sentence = read(&file).unwrap_err().to_string();
        assert!(sentence.ends_with("too large for a game"), "{sentence}");
    }
}
