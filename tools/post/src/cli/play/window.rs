//! The window as a player: it opens a session that begins with the position, and the turn
//! is read from the session that it saves.
//!
//! The window drives its own board, to which this program has no line. So they
//! communicate by files, in the folder in which the window was started: it opens a
//! session of this program, and its Save button writes what was done.
//!
//! Invariants: a turn only counts if its session made it from exactly the current
//! position, with its dice.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use firmware_core::games::malaka::{MalakaPoint, Position, Step, place_of};
use firmware_core::games::number;
use firmware_core::ground::Ground;
use firmware_core::word::Wide;
use post::transcript::Match;
use protocol::{Deed, Event, Layout, Point, Roster};
use touchboard_host::pieces::board_of_state;
use touchboard_host::session::{Header, Session, SessionItem};
use touchboard_host::{CoreDriver, Driver};
use touchboard_links::SessionInFile;

use super::PlayError;
use super::touches::{Touches, own, settings_of};
use crate::cli::{PostError, print};

/// The interval at which the folder is checked.
const LOOK: Duration = Duration::from_millis(300);

/// The folder that the window and this program share.
pub struct Window {
    folder: PathBuf,
    /// The files that were read, with their times.
    read: HashSet<(PathBuf, SystemTime)>,
}

impl Window {
    /// Uses this folder, and creates it if it does not exist.
    pub fn open(folder: &Path) -> Result<Window, PostError> {
        fs::create_dir_all(folder).map_err(PostError::file(folder))?;
        Ok(Window {
            folder: fs::canonicalize(folder).map_err(PostError::System)?,
            read: HashSet::new(),
        })
    }

    /// Writes the position to a session, and waits for the turn that is made in it.
    pub fn turn(&mut self, board: &Match, position: &Position) -> Result<Vec<Step>, PostError> {
        let name = format!("board-{}-{}.session", board.board, board.lines);
        let path = self.folder.join(name);
        let session = session_of(board, position)?;
        session.save(&path).map_err(PlayError::Session)?;
        print(&format!(
            "Open it in the window: cd {} && emulator {}\nMake the turn there, then press Save.",
            self.folder.display(),
            path.display()
        ))?;
        loop {
            if let Some(turn) = self.saved(&path, position)? {
                return Ok(turn);
            }
            std::thread::sleep(LOOK);
        }
    }

    /// A turn in one of the sessions that have been added or changed.
    fn saved(&mut self, own: &Path, position: &Position) -> Result<Option<Vec<Step>>, PostError> {
        let files = fs::read_dir(&self.folder).map_err(PostError::file(&self.folder))?;
        for path in files.flatten().map(|file| file.path()) {
            let is_session = path.extension().is_some_and(|end| end == "session");
            let changed = fs::metadata(&path).and_then(|data| data.modified());
            let Ok(changed) = changed else { continue };
            if !is_session || path == own || !self.read.insert((path.clone(), changed)) {
                continue;
            }
            // A file that is still being written will be read again when it has changed;
            // other files in the folder may belong to other games.
            let Ok(session) = Session::load(&path) else {
                continue;
            };
            if let Some(turn) = turn_in(&session, position) {
                return Ok(Some(turn));
            }
            print(&format!(
                "{} has no whole turn from this position.",
                path.display()
            ))?;
        }
        Ok(None)
    }
}

/// A session that begins with this position, for two people.
fn session_of(board: &Match, position: &Position) -> Result<Session, PlayError> {
    let side = position.variant().side();
    let layout = Layout::grid(side, side)?;
    let note = format!(
        "board {}, {} to move",
        board.board,
        board.name(position.turn())
    );
    let mut header = Header::new(layout, 0, &note).with_games(Roster::of(&[number::MALAKA]));
    header.settings = Some(settings_of(position));
    let mut session = Session::new(header);
    session.push(0, Deed::Position(own(position)).into());
    session.push(0, SessionItem::End);
    Ok(session)
}

/// The last complete turn that was made from this position.
fn turn_in(session: &Session, position: &Position) -> Option<Vec<Step>> {
    let header = &session.header;
    let layout = header.layout.layout();
    let mut board = CoreDriver::with_games(layout, header.roster, header.seed).ok()?;
    session.header.begin(&mut board).ok()?;
    let ground: Ground<Wide> = Ground::new(layout)?;
    let (mut turn, mut touches) = (None, begun(&mut board, position));
    for entry in &session.entries {
        let ticks = entry.tick.saturating_sub(board.tick());
        let done = match &entry.item {
            SessionItem::Do(Deed::Input(input)) => board
                .step(&[], ticks)
                .and_then(|()| board.step(&[*input], 0)),
            act if act.is_done() => board
                .step(&[], ticks)
                .and_then(|()| act.carry_out(&mut board)),
            SessionItem::End => board.step(&[], ticks),
            _ => Ok(()),
        };
        // Commands that the board refuses were also refused when the session was
        // recorded.
        let _ = done;
        for event in board.take_events() {
            follow(event.event, position, &ground, &mut touches, &mut turn);
        }
        let is_set = matches!(
            entry.item,
            SessionItem::Do(Deed::Position(_)) | SessionItem::Load(_)
        );
        if is_set {
            touches = begun(&mut board, position);
        }
    }
    turn
}

/// A turn without touches so far, if the board has this position.
fn begun(board: &mut CoreDriver, position: &Position) -> Option<Touches> {
    let state = board.save().ok()?;
    let board = board_of_state(&state)?;
    (board.malaka()? == position).then(Touches::default)
}

fn follow(
    event: Event,
    position: &Position,
    ground: &Ground<Wide>,
    touches: &mut Option<Touches>,
    turn: &mut Option<Vec<Step>>,
) {
    let own = |side| side == position.turn();
    let place = |point: Point| -> Option<MalakaPoint> { place_of(point, ground) };
    match event {
        Event::Part { side, point } if own(side) => {
            if let (Some(touches), Some(place)) = (touches, place(point)) {
                touches.touch(place);
            }
        }
        Event::Move { side, point, .. } if own(side) => {
            if let (Some(mut touches), Some(place)) = (touches.take(), place(point)) {
                touches.touch(place);
                *turn = Some(touches.steps);
            }
        }
        // The board's clock made the rest of the turn.
        Event::TimedOut { .. } => *touches = None,
        _ => {}
    }
}
