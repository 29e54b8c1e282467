//! Keeps the game on the board, in a small file next to the window's settings, so that it
//! can be continued after the window was closed.
//!
//! Invariants: the file holds the game that is on the board, [`REST`] after a move at the
//! latest, or the game that is offered; if there is neither, there is no file. Its clock is
//! [`CLOCK_REST`] old at the most. A file that cannot be used is reported.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::time::Duration;

use bevy::prelude::*;
use protocol::{LastMove, Outcome, Side, Status};
use touchboard_files::whole_file;

use crate::source::written::OpenText;
use crate::source::{BoardLink, Shown, ShownBoard, UnfinishedGame};

/// The shortest time between two writes.
const REST: Duration = Duration::from_secs(1);

/// The longest time between two writes while a clock runs.
const CLOCK_REST: Duration = Duration::from_secs(5);

/// The file of the game; without this resource, none is kept.
#[derive(Resource, Clone, Debug)]
struct UnfinishedFile(PathBuf);

/// Offers the game in this file, and keeps the one on the board from now on.
pub fn restore(app: &mut App, file: PathBuf) {
    match read(&file) {
        Ok(Some(game)) => {
            app.insert_resource(game);
        }
        Ok(None) => {}
        Err(sentence) => eprintln!("emulator: {sentence}"),
    }
    app.insert_resource(UnfinishedFile(file));
    app.add_systems(Last, keep);
}

/// Reads the file; `None` if there is none.
fn read(file: &Path) -> Result<Option<UnfinishedGame>, String> {
    let name = file.display();
    let state = match fs::read(file) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        read => read.map_err(|error| format!("{name} cannot be read: {error}"))?,
    };
    let game = UnfinishedGame::of_snapshot(state);
    let game = game.ok_or_else(|| {
        format!("the unfinished game in {name} cannot be continued: the file is damaged, or of another version")
    })?;
    Ok(Some(game))
}

/// Writes the file, or removes it if there is no game.
fn write(file: &Path, game: Option<&UnfinishedGame>) -> Result<(), String> {
    let written = match game {
        Some(game) => {
            let folder = file.parent().unwrap_or(Path::new("."));
            fs::create_dir_all(folder).and_then(|()| whole_file::write(file, game.snapshot()))
        }
        None => match fs::remove_file(file) {
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
            removed => removed,
        },
    };
    written.map_err(|error| format!("cannot write {}: {error}", file.display()))
}

/// The game on the board; `None` if none is on, or if it is of an open text, or not in
/// this process.
fn game(shown: &Shown, text: &OpenText, board: &mut ShownBoard) -> Option<UnfinishedGame> {
    if shown.link != BoardLink::Direct || text.game.is_some() {
        return None;
    }
    UnfinishedGame::of_board(&board.0.copy()?)
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

/// The position that was last written, and when.
#[derive(Default)]
struct LastWrite {
    position: Option<Position>,
    time: Duration,
}

/// Keeps the game after each move, while its clock runs, and at the end of the program.
fn keep(
    file: Res<UnfinishedFile>,
    offered: Option<Res<UnfinishedGame>>,
    (shown, text): (Res<Shown>, Res<OpenText>),
    time: Res<Time<Real>>,
    mut board: ResMut<ShownBoard>,
    mut last: Local<LastWrite>,
    mut exits: MessageReader<AppExit>,
) {
    let now = Some(Position::of(&shown.status));
    let is_over = exits.read().count() > 0;
    let age = time.elapsed().saturating_sub(last.time);
    let rests = last.position.is_some() && age < REST;
    let is_old = shown.status.clock.is_some() && age >= CLOCK_REST;
    let is_news = now != last.position && !rests;
    if offered.is_some() || !(is_news || is_old || is_over) {
        return;
    }
    let game = game(&shown, &text, &mut board);
    if let Err(sentence) = write(&file.0, game.as_ref()) {
        eprintln!("emulator: {sentence}");
    }
    *last = LastWrite {
        position: now,
        time: time.elapsed(),
    };
}

#[cfg(test)]
mod tests {
    use protocol::Tick;
    use protocol::{Button, Deed, Input, Layout};
    use tempfile::tempdir;
    use touchboard_host::pieces::board_of_state;
    use touchboard_host::{CoreDriver, Driver};

    use super::*;
    use crate::source::WindowCommand;
    use crate::source::core::InProcess;

    /// A window with this board and file, before its first picture.
    fn window(board: CoreDriver, file: &Path) -> App {
        let mut app = App::new();
        app.init_resource::<Time<Real>>()
            .init_resource::<Shown>()
            .init_resource::<OpenText>()
            .insert_resource(ShownBoard(Box::new(InProcess::new(board).unwrap())));
        restore(&mut app, file.to_owned());
        app
    }

    /// Ends a window with this board and file after its first picture. Returns whether a
    /// game is offered in it.
    fn ended(board: CoreDriver, file: &Path) -> bool {
        let mut app = window(board, file);
        let is_offered = app.world().contains_resource::<UnfinishedGame>();
        app.update();
        is_offered
    }

    /// The tick of the board in this file.
    fn tick(file: &Path) -> Tick {
        let game = read(file).unwrap().unwrap();
        board_of_state(game.snapshot()).unwrap().tick()
    }

    fn new_board() -> CoreDriver {
        CoreDriver::new(Layout::MALDOO, 1).unwrap()
    }

    /// A board with a game in which a stone was placed.
    fn played() -> CoreDriver {
        let mut board = new_board();
        let settings = protocol::Settings {
            level: 0,
            ..protocol::Settings::default()
        };
        board.carry_out(&Deed::Settings(settings)).unwrap();
        for input in [Input::Press(Button::Start), Input::Lift(Button::Start)] {
            board.step(&[input], 300).unwrap();
        }
        let point = board.legal().unwrap()[0];
        board.step(&[Input::Touch(point)], 60).unwrap();
        board.step(&[Input::Release(point)], 600).unwrap();
        board
    }

    #[test]
    fn a_game_is_offered_until_it_is_answered() {
        let folder = tempdir().unwrap();
        let file = folder.path().join("deep/unfinished");
        assert!(!ended(new_board(), &file));
        assert!(!file.exists());
        assert!(!ended(played(), &file));
        // The second window ends without an answer.
        for _ in 0..2 {
            assert!(ended(new_board(), &file));
        }
        write(&file, None).unwrap();
        assert!(!ended(new_board(), &file));
    }

    #[test]
    fn time_spent_on_the_last_move_is_not_given_back() {
        let folder = tempdir().unwrap();
        let file = folder.path().join("unfinished");
        let mut app = window(played(), &file);
        app.update();
        let before = tick(&file);
        let mut board = app.world_mut().resource_mut::<ShownBoard>();
        board.0.obey(&WindowCommand::GoTo(before + 3_000)).unwrap();
        app.update();
        assert_eq!(tick(&file), before, "not with every picture");
        app.world_mut().write_message(AppExit::Success);
        app.update();
        assert_eq!(tick(&file), before + 3_000);
    }

    #[test]
    fn a_damaged_file_is_reported() {
        let folder = tempdir().unwrap();
        let file = folder.path().join("unfinished");
        for bytes in [&b""[..], b"no game", &[255; 4_000]] {
            fs::write(&file, bytes).unwrap();
            let sentence = read(&file).unwrap_err();
            assert!(sentence.contains("cannot be continued"), "{sentence}");
        }
    }
}
