//! `post play`: a board, the board's own player, or the window plays for one of the two
//! players.
//!
//! The board shows the position with the server's dice. The touches on it, or points
//! typed by name, make up one turn, which is sent as that player's command. The board's
//! own dice and clock do not count: each turn is set up from the transcript, which is
//! verified whenever it is read.

mod level;
mod table;
mod touches;
mod window;

use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;
use firmware_core::games::malaka::{Position, Step};
use post::dice::{hex_of_hash, random};
use post::names::{BoardNumber, UserName};
use post::server::CommandResult;
use post::transcript::{Match, Stage};
use protocol::Side;
use touchboard_files::read_bounded_text;
use touchboard_host::malaka;
use touchboard_links::At;

use super::access::ServerAccess;
use super::{CommandEnd, PlayError, PostError, StorePlace, print, print_reply};

use level::turn_of_level;
use table::Table;
use window::Window;

/// The most bytes of a file with a password.
const PASSWORD_FILE_BYTES: u64 = 4_096;

/// Who plays, where, and as whom.
#[derive(Args)]
pub struct PlayOptions {
    /// The number of the board
    board: BoardNumber,
    /// The player
    user: UserName,
    /// A file with the player's password; by default it is in POST_PASSWORD
    #[arg(long, value_name = "FILE")]
    password_file: Option<PathBuf>,
    /// The server to play on, instead of opening the store
    #[arg(long, value_name = "HOST:PORT")]
    tcp: Option<String>,
    /// Let the board's own player make the moves, at this level
    #[arg(long, value_parser = clap::value_parser!(u8).range(1..=4), conflicts_with = "at")]
    level: Option<u8>,
    /// The board on which the player makes the moves: virtual, qemu:IMAGE, tcp:HOST:PORT,
    /// or a serial port
    #[arg(long, value_name = "WHERE", default_value = "virtual")]
    at: At,
    /// Play in the window: a session with the position is written to this folder, and the
    /// turn is read from what the window saves there
    #[arg(long, value_name = "FOLDER", conflicts_with_all = ["at", "level"])]
    window: Option<PathBuf>,
    /// Stop after this many turns of the player
    #[arg(long)]
    turns: Option<u32>,
    /// The interval at which to check whether the opponent has moved, in ms
    #[arg(long, value_name = "MS", default_value_t = 5_000, value_parser = clap::value_parser!(u64).range(1..=86_400_000))]
    look_ms: u64,
}

/// The source of the player's turns.
enum Hand {
    Level(u8),
    Board(Box<Table>),
    Window(Window),
}

impl Hand {
    fn open(options: &PlayOptions, board: &Match) -> Result<Hand, PostError> {
        Ok(match (options.level, &options.window) {
            (Some(level), _) => Hand::Level(level),
            (None, Some(folder)) => Hand::Window(Window::open(folder)?),
            (None, None) => Hand::Board(Box::new(Table::open(&options.at, board)?)),
        })
    }

    fn turn(&mut self, board: &Match, position: &Position) -> Result<Vec<Step>, PostError> {
        match self {
            Hand::Level(level) => Ok(turn_of_level(position, *level)?),
            Hand::Board(table) => table.turn(position),
            Hand::Window(window) => window.turn(board, position),
        }
    }
}

pub fn run(place: &StorePlace, options: &PlayOptions) -> CommandEnd {
    let seat = Seat {
        options,
        password: password(options.password_file.as_deref())?,
        server: ServerAccess::open(place, options.tcp.as_deref())?,
        hand: None,
        told: String::new(),
    };
    seat.play()
}

/// A player at a board of a server.
struct Seat<'o> {
    options: &'o PlayOptions,
    password: String,
    server: ServerAccess<'o>,
    /// Opened for the first turn, since it depends on the board.
    hand: Option<Hand>,
    /// What was printed last about the board, so that nothing is said twice.
    told: String,
}

impl Seat<'_> {
    /// Plays until the game is over, a turn is refused, or all turns are made.
    fn play(mut self) -> CommandEnd {
        let mut turns = 0;
        loop {
            let board = self.server.board(self.options.board)?;
            let side = self.side(&board)?;
            match board.stage {
                Stage::Over(_) => {
                    let shown = format!("malaka show {}", board.board);
                    return print(&self.server.carry_out(&shown)?.text);
                }
                Stage::Move(due) if due == side => {
                    let reply = self.make_turn(&board)?;
                    turns += 1;
                    let is_last = self.options.turns.is_some_and(|most| turns >= most);
                    let ending = print_reply(&reply)?;
                    if is_last || !reply.is_done {
                        return Ok(ending);
                    }
                }
                _ => self.wait(&board, side)?,
            }
        }
    }

    /// The side of the player on the board.
    fn side(&self, board: &Match) -> Result<Side, PlayError> {
        let user = &self.options.user;
        board.side_of(user).ok_or_else(|| PlayError::NotPlaying {
            user: user.clone(),
            board: board.board,
        })
    }

    /// Says what the board waits for, unless it was said before, and waits.
    fn wait(&mut self, board: &Match, side: Side) -> Result<(), PostError> {
        let waits = waiting(board, side, &self.options.user);
        if waits != self.told {
            print(&waits)?;
            self.told = waits;
        }
        std::thread::sleep(Duration::from_millis(self.options.look_ms));
        Ok(())
    }

    /// Shows the board, and sends the turn that is made on it.
    fn make_turn(&mut self, board: &Match) -> Result<CommandResult, PostError> {
        let (number, user, password) = (board.board, &self.options.user, &self.password);
        let hand = match &mut self.hand {
            Some(hand) => hand,
            None => self.hand.insert(Hand::open(self.options, board)?),
        };
        let standing = board.standing()?;
        self.told = standing.diagram();
        print(&format!(
            "{}\n{user} has to move with {}.",
            self.told,
            standing.dice()
        ))?;
        let turn = hand.turn(board, standing.position())?;
        let (moves, nonce) = (malaka::written(&turn), nonce()?);
        self.server.carry_out(&format!(
            "malaka move {number} {user} {password} {moves} nonce={nonce}"
        ))
    }
}

/// What a board waits for while it is not this side's move.
fn waiting(board: &Match, side: Side, user: &UserName) -> String {
    let number = board.board;
    match board.stage {
        Stage::Link(due) if due == side => format!(
            "Board {number} waits for the next link of your own chain: `malaka roll {number} {user} PASSWORD LINK`."
        ),
        Stage::Challenge if !board.accepted[side.index()] => format!(
            "Board {number} has not begun: `malaka accept {number} {user} PASSWORD nonce=ANY_WORD` is still missing."
        ),
        _ => format!("Board {number} waits for somebody else."),
    }
}

/// The password, in the form of a command.
fn password(file: Option<&Path>) -> Result<String, PlayError> {
    let text = match file {
        Some(file) => read_bounded_text(file, PASSWORD_FILE_BYTES).map_err(|error| {
            let path = file.to_owned();
            PlayError::PasswordFile { path, error }
        })?,
        None => std::env::var("POST_PASSWORD").map_err(|_| PlayError::NoPassword)?,
    };
    let password = text.trim().to_owned();
    let is_word = !password.is_empty() && !password.contains(char::is_whitespace);
    is_word.then_some(password).ok_or(PlayError::PasswordWords)
}

fn nonce() -> Result<String, PostError> {
    Ok(hex_of_hash(&random()?)[..32].to_owned())
}
