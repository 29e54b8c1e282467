//! `post play`: a board, the board's own player, or the window plays for one of the two
//! players.
//!
//! The board shows the position with the server's dice. The touches on it, or points
//! typed by name, make up one turn, which is sent as that player's command. The board's
//! own dice and clock do not count: each turn is set up from the transcript, which is
//! verified whenever it is read.

use std::io::BufRead;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, TryRecvError, channel};
use std::time::Duration;

use clap::Args;
use firmware_core::game::{BoardTurn, Game, Rules, Touch};
use firmware_core::games::malaka::{Malaka, MalakaPoint, Own, Position, Step, place_of};
use firmware_core::games::{self, Round, number};
use firmware_core::ground::Ground;
use firmware_core::rng::Rng;
use firmware_core::word::Wide;
use post::dice::hex_of_hash;
use post::names::{BoardNumber, UserName};
use post::server::{CommandResult, Server};
use post::transcript::{Match, Stage, verify};
use post::transport::lines;
use post::transport::outgoing::{MailRoute, send_due};
use protocol::{Command, Deed, Event, Input, KnownLayout, Layout, Pace, Point, Side, StampedEvent};
use touchboard_files::{read_bounded_text, why_no_file};
use touchboard_host::happening::Happening;
use touchboard_host::malaka;
use touchboard_links::client::Client;
use touchboard_links::{At, RemoteDriver, Where};

use crate::cli::touches::{Touches, fits, own, settings_of};
use crate::cli::window::Window;
use crate::cli::{CommandEnd, Ending, PATIENCE, StorePlace, print};

/// The interval at which the board is polled for touches.
const LOOK: Duration = Duration::from_millis(20);

/// The most bytes of a file with a password.
const PASSWORD_FILE_BYTES: u64 = 4_096;

/// The Speed setting; this game does not use it.
const SPEED: u8 = 5;

/// More touches than the board's player makes in a turn.
const MOST_TOUCHES: u32 = 64;

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

/// A server here or elsewhere.
enum ServerAccess<'d> {
    Here(Box<Server>, &'d StorePlace),
    There(lines::RemoteServer),
}

impl ServerAccess<'_> {
    fn carry_out(&mut self, line: &str) -> Result<CommandResult, String> {
        match self {
            ServerAccess::There(client) => client.carry_out(line),
            ServerAccess::Here(server, place) => {
                let reply = server.carry_out(line).map_err(|error| error.to_string())?;
                let way = place.send.clone().unwrap_or(MailRoute::None);
                send_due(server, &way).map_err(|error| error.to_string())?;
                Ok(reply)
            }
        }
    }

    /// The board according to its transcript, with every line verified.
    fn board(&mut self, number: BoardNumber) -> Result<Match, String> {
        let reply = self.carry_out(&format!("malaka history {number}"))?;
        if !reply.is_done {
            return Err(reply.text);
        }
        Ok(verify(&reply.text)?.board)
    }
}

/// The source of the board's turns.
enum Hand {
    Level(u8),
    Board(Box<Table>),
    Window(Window),
}

impl Hand {
    fn open(options: &PlayOptions, board: &Match) -> Result<Hand, String> {
        Ok(match &options.window {
            Some(folder) => Hand::Window(Window::open(folder)?),
            None => Hand::Board(Box::new(Table::open(&options.at, board)?)),
        })
    }

    fn turn(&mut self, board: &Match, position: &Position) -> Result<Vec<Step>, String> {
        match self {
            Hand::Level(level) => turn_of_level(position, *level),
            Hand::Board(table) => table.turn(position),
            Hand::Window(window) => window.turn(board, position),
        }
    }
}

pub fn run(place: &StorePlace, options: &PlayOptions) -> CommandEnd {
    let password = password(options.password_file.as_deref())?;
    let mut desk = match &options.tcp {
        Some(address) => ServerAccess::There(lines::RemoteServer::connect(address, PATIENCE)?),
        None => ServerAccess::Here(Box::new(place.server()?), place),
    };
    let mut hand: Option<Hand> = options.level.map(Hand::Level);
    let (mut turns, mut told) = (0, String::new());
    loop {
        let board = desk.board(options.board)?;
        let side = board
            .side_of(&options.user)
            .ok_or_else(|| format!("{} does not play on board {}", options.user, board.board))?;
        match board.stage {
            Stage::Over(_) => {
                let shown = desk.carry_out(&format!("malaka show {}", board.board))?;
                print(&shown.text)?;
                return Ok(Ending::Done);
            }
            Stage::Move(due) if due == side => {}
            stage => {
                let waits = waiting(&board, stage, side, &options.user);
                if waits != told {
                    print(&waits)?;
                    told = waits;
                }
                std::thread::sleep(Duration::from_millis(options.look_ms));
                continue;
            }
        }
        let hand = match &mut hand {
            Some(hand) => hand,
            None => hand.insert(Hand::open(options, &board)?),
        };
        let standing = board.standing()?;
        told = standing.diagram();
        print(&format!(
            "{told}\n{} has to move with {}.",
            options.user,
            standing.dice()
        ))?;
        let turn = hand.turn(&board, standing.position())?;
        let line = format!(
            "malaka move {} {} {password} {} nonce={}",
            board.board,
            options.user,
            malaka::written(&turn),
            nonce()?
        );
        let reply = desk.carry_out(&line)?;
        print(&reply.text)?;
        if !reply.is_done {
            return Ok(Ending::Refused);
        }
        turns += 1;
        if options.turns.is_some_and(|most| turns >= most) {
            return Ok(Ending::Done);
        }
    }
}

/// What a board waits for while it is not this side's move.
fn waiting(board: &Match, stage: Stage, side: Side, user: &UserName) -> String {
    let number = board.board;
    match stage {
        Stage::Link(due) if due == side => format!(
            "Board {number} waits for the next link of your own chain: `malaka roll {number} {} PASSWORD LINK`.",
            user
        ),
        Stage::Challenge if !board.accepted[side.index()] => format!(
            "Board {number} has not begun: `malaka accept {number} {} PASSWORD nonce=ANY_WORD` is still missing.",
            user
        ),
        _ => format!("Board {number} waits for somebody else."),
    }
}

/// The password, in the form of a command.
fn password(file: Option<&Path>) -> Result<String, String> {
    let text = match file {
        Some(file) => read_bounded_text(file, PASSWORD_FILE_BYTES).map_err(|error| {
            let why = why_no_file(&error);
            format!("the password cannot be read from {}: {why}", file.display())
        })?,
        None => std::env::var("POST_PASSWORD").map_err(
            |_| "write the password into a file for --password-file, or into POST_PASSWORD",
        )?,
    };
    let password = text.trim().to_owned();
    let is_word = !password.is_empty() && !password.contains(char::is_whitespace);
    is_word
        .then_some(password)
        .ok_or_else(|| "a password is one word without spaces: write only that into the file for --password-file, or into POST_PASSWORD".into())
}

fn nonce() -> Result<String, String> {
    let mut random = [0; 32];
    getrandom::fill(&mut random).map_err(|error| error.to_string())?;
    Ok(hex_of_hash(&random)[..32].to_owned())
}

/// The turn of the board's own player.
fn turn_of_level(position: &Position, level: u8) -> Result<Vec<Step>, String> {
    let side = position.variant().side();
    let layout = Layout::grid(side, side).map_err(|error| error.to_string())?;
    let mut table =
        firmware_core::table::Table::<Wide>::new(layout, SPEED).ok_or_else(|| no_turn(level))?;
    let mut rng = Rng::new(u64::from(level));
    let (mode, bytes) = (position.variant().mode(), Own::of(position).bytes());
    let game = table.with(&mut rng, |context| {
        Malaka::own_position(mode, &bytes, context)
    });
    let mut round: Round<Malaka<Wide>, <Malaka<Wide> as Rules<Wide>>::Player> = Round {
        game: game.ok_or_else(|| no_turn(level))?,
        player: Default::default(),
    };
    let mut touches = Touches::default();
    for _ in 0..MOST_TOUCHES {
        let Some(BoardTurn::Touch(point)) = table.decide(&mut round, level, &mut rng) else {
            break;
        };
        let place = place_of(point, &table.ground).ok_or_else(|| no_turn(level))?;
        touches.touch(place);
        match table.with(&mut rng, |context| round.game.touch(point, context)) {
            Touch::Part => {}
            Touch::Move(_) => return Ok(touches.steps),
            Touch::TakenBack | Touch::Illegal | Touch::Ignored => break,
        }
    }
    Err(no_turn(level))
}

fn no_turn(level: u8) -> String {
    format!("the board found no turn at level {level}: leave out --level, and make it yourself")
}

/// A board with its own timer, on which the player touches points.
struct Table {
    client: Client,
    layout: Layout,
    typed: Receiver<String>,
}

impl Table {
    /// Opens the line to the board, and sets it to Malaka for two people.
    fn open(at: &At, board: &Match) -> Result<Table, String> {
        let variant = board.options.variant();
        let mut place = Where::new(at.clone());
        if place.begins_here() {
            let layout = Layout::grid(variant.side(), variant.side());
            place.layout = layout.ok().map(KnownLayout::from);
            place.games = Some(games::BUILT);
        }
        let client = match at {
            At::Core => {
                return Err("touches come over a line: write --at virtual for a board in this process that has one".into());
            }
            _ => place.remote().map(RemoteDriver::into_client),
        };
        let client = client.map_err(|error| error.to_string())?;
        let layout = client.view().hello.layout;
        let (sides, has_it) = (
            layout.sides(),
            client.view().hello.capabilities.roster.has(number::MALAKA),
        );
        let fits = sides.is_some_and(|sides| sides.columns().min(sides.rows()) >= variant.side());
        if !has_it || !fits {
            return Err(format!(
                "the board at {at} has to play Malaka on {0}x{0} points or more",
                variant.side()
            ));
        }
        let (sender, typed) = channel();
        // This thread ends with the process, because a blocked read of a line cannot be
        // interrupted.
        std::thread::spawn(move || {
            for line in std::io::stdin().lock().lines().map_while(Result::ok) {
                for word in line.split_whitespace() {
                    if sender.send(word.to_owned()).is_err() {
                        return;
                    }
                }
            }
        });
        Ok(Table {
            client,
            layout,
            typed,
        })
    }

    fn request(&self, command: Command) -> Result<(), String> {
        let reply = self
            .client
            .request(command)
            .map_err(|error| error.to_string())?;
        reply
            .result
            .map(drop)
            .map_err(|refusal| refusal.to_string())
    }

    /// Sets a position up, with its dice.
    fn set_up(&self, position: &Position) -> Result<(), String> {
        self.request(Command::Pace(Pace::Lockstep))?;
        self.request(Command::Do(Deed::Choose(number::MALAKA)))?;
        self.request(Command::Do(Deed::Settings(settings_of(position))))?;
        self.request(Command::Do(Deed::Position(own(position))))?;
        while self.client.happenings().try_recv().is_ok() {}
        self.request(Command::Pace(Pace::Free { permille: 1_000 }))
    }

    /// The turn that is touched there.
    fn turn(&self, position: &Position) -> Result<Vec<Step>, String> {
        self.set_up(position)?;
        let mut touches = Touches::default();
        loop {
            match self.typed.try_recv() {
                Ok(word) => self.touch(&word)?,
                Err(TryRecvError::Empty | TryRecvError::Disconnected) => {}
            }
            let Ok(happening) = self.client.happenings().recv_timeout(LOOK) else {
                continue;
            };
            if let Some(remark) = happening.remark() {
                print(&remark)?;
            }
            match happening {
                Happening::Connected { run, .. } if !run.is_new() => {}
                // Touches may have been lost, so the turn starts again.
                Happening::Connected { .. } | Happening::Missed => {
                    touches = Touches::default();
                    self.set_up(position)?;
                }
                Happening::Event(StampedEvent { event, .. })
                    if self.follow(event, position, &mut touches)? =>
                {
                    return Ok(touches.steps);
                }
                _ => {}
            }
        }
    }

    /// Handles what happened on the board; true if the turn is complete.
    fn follow(
        &self,
        event: Event,
        position: &Position,
        touches: &mut Touches,
    ) -> Result<bool, String> {
        let own = |side: Side| side == position.turn();
        match event {
            Event::Part { side, point } if own(side) => touches.touch(self.place(point)?),
            Event::Move { side, point, .. } if own(side) => {
                touches.touch(self.place(point)?);
                return Ok(true);
            }
            Event::Illegal { point, .. } => {
                print(&format!(
                    "{} cannot be touched now.",
                    self.layout.name(point)
                ))?;
            }
            // The board's clock has no meaning here, and the board would now move by
            // itself.
            Event::TimedOut { .. } => {
                *touches = Touches::default();
                self.set_up(position)?;
                print("The board's clock ran out: touch the turn from its beginning.")?;
            }
            // The player pressed a button of the board.
            Event::Settings(settings) if !fits(settings, position) => {
                *touches = Touches::default();
                self.set_up(position)?;
            }
            _ => {}
        }
        Ok(false)
    }

    fn place(&self, point: Point) -> Result<MalakaPoint, String> {
        let ground: Option<Ground<Wide>> = Ground::new(self.layout);
        let place = ground.and_then(|ground| place_of(point, &ground));
        place.ok_or_else(|| {
            let name = self.layout.name(point);
            format!("the board at the other end reports a touch at {name}, which it does not have: reset it, and start again")
        })
    }

    /// A point that was typed.
    fn touch(&self, word: &str) -> Result<(), String> {
        let Ok(point) = self.layout.point(word) else {
            return print(&format!(
                "`{word}` is not a point of the board: write one like c3."
            ))
            .map(drop);
        };
        self.request(Command::Do(Deed::Input(Input::Touch(point))))?;
        self.request(Command::Do(Deed::Input(Input::Release(point))))
    }
}
