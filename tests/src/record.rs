//! Plays as sessions: the file that every tool of the project opens.

use firmware_core::AnyBoard;
use firmware_core::games::{self, number};
use protocol::{Button, Input, Layout, Roster, Settings, Tick};
use touchboard_host::session::{Header, Session, SessionItem};

use crate::{Play, TestStep, legal_point};

impl Play {
    /// The effects of this play on a correct board, with the digest after every step.
    #[must_use]
    pub fn session(&self, note: &str) -> Session {
        let mut header = Header::new(self.layout, self.seed, note).with_games(self.roster);
        header.settings = Some(self.settings);
        let mut session = Session::new(header);
        let mut board = self.board();
        for step in &self.steps {
            note_step(&mut session, step, &mut board);
            session.push(board.tick(), SessionItem::Digest(board.digest()));
        }
        session.push(board.tick(), SessionItem::End);
        session
    }
}

/// Carries a step out and writes it down.
fn note_step(session: &mut Session, step: &TestStep, board: &mut AnyBoard) {
    let mut input = |board: &mut AnyBoard, input: Input| {
        session.push(board.tick(), SessionItem::from(input));
        board.input(input, &mut |_, _| {});
    };
    match step {
        TestStep::Do(what) => input(board, *what),
        TestStep::PlayLegal(choice) => {
            if let Some(point) = legal_point(board, *choice) {
                input(board, Input::Touch(point));
                input(board, Input::Release(point));
            }
        }
        TestStep::Wait(ticks) => board.advance(*ticks, &mut |_, _| {}),
        TestStep::Set(settings) => {
            let deed = protocol::Deed::Settings(*settings);
            // Commands that the board refuses are also refused in the replay.
            let _ = board.carry_out(&deed, &mut |_, _| {});
            session.push(board.tick(), deed.into());
        }
    }
}

/// Moves of a golden session, at most; touches, in a game whose moves are several.
const MOVES: u32 = 200;
/// The number of the move that is not made in time.
const LATE: u32 = 7;
/// The same in TicDabToe, where it comes last: a player who is late has lost.
const TICDABTOE_LATE: u32 = 150;
/// The Time setting: a turn has 30 s.
const TIME: u8 = 5;
/// A time that is longer than a turn.
const LATE_MS: Tick = 31_000;
/// The time between two moves.
const MOVE_MS: Tick = 700;

const TICDABTOE: u8 = 12;

/// The golden session of a game and mode: legal moves by a fixed rule until the game
/// ends, an illegal press now and then, one time-out, one pause; green by the rule,
/// red by the board at level 1 from the tenth move to the thirtieth. In games where a
/// time-out loses, it comes late.
#[must_use]
pub fn golden(game: u8, mode: u8) -> Session {
    let settings = Settings {
        game,
        mode,
        time: TIME,
        ..Settings::default()
    };
    let name = games::about(game).map_or("?", |about| about.name);
    let mut steps = vec![
        TestStep::Do(Input::Press(Button::Start)),
        TestStep::Do(Input::Lift(Button::Start)),
    ];
    let late = match game {
        TICDABTOE => TICDABTOE_LATE,
        _ => LATE,
    };
    for number in 0..MOVES {
        match number {
            _ if number == late => steps.push(TestStep::Wait(LATE_MS)),
            3 => steps.extend([
                TestStep::Do(Input::Touch(FIRST)),
                TestStep::Do(Input::Release(FIRST)),
            ]),
            5 => steps.extend([
                press(Button::Stop),
                lift(Button::Stop),
                TestStep::Wait(5_000),
                press(Button::Stop),
                lift(Button::Stop),
            ]),
            10 => steps.push(TestStep::Set(Settings {
                level: 1,
                ..settings
            })),
            30 => steps.push(TestStep::Set(settings)),
            _ => {}
        }
        steps.push(TestStep::PlayLegal((number * 37 % 251) as u8));
        steps.push(TestStep::Wait(MOVE_MS + Tick::from(number % 7) * 31));
    }
    steps.push(TestStep::Wait(10_000));
    let play = Play {
        seed: u64::from(game) * 100 + u64::from(mode),
        layout: layout_of(game, mode),
        roster: roster_of(game),
        settings,
        steps,
    };
    let mut session = play.session(&format!("golden: {name}, mode {mode}"));
    thin_out(&mut session);
    session
}

/// The board that a mode of a game is made for.
#[must_use]
pub fn layout_of(game: u8, mode: u8) -> Layout {
    let about = games::about(game);
    about.map_or(Layout::MALDOO, |about| Layout::Grid((about.made_for)(mode)))
}

/// The games that are played and not of the manual: a board has them if it is
/// asked for them.
pub const OTHERS: Roster = Roster::of(&[number::MALAKA, number::ISHIDO, number::TICDABTOE]);

/// Games that are recorded each on a board that has no other, so that one more is no
/// change to the sessions of the rest.
pub const ALONE: &[u8] = &[number::COL];

/// The games of the board that a game is recorded on.
#[must_use]
pub fn roster_of(game: u8) -> Roster {
    if OTHERS.has(game) {
        OTHERS
    } else if ALONE.contains(&game) {
        Roster::of(&[game])
    } else {
        games::ROSTER
    }
}

const FIRST: protocol::Point = protocol::Point(0);

fn press(button: Button) -> TestStep {
    TestStep::Do(Input::Press(button))
}

fn lift(button: Button) -> TestStep {
    TestStep::Do(Input::Lift(button))
}

/// Keeps every tenth digest, and the last: enough to find a difference, short
/// enough to be read.
fn thin_out(session: &mut Session) {
    let digests = session
        .entries
        .iter()
        .filter(|entry| is_digest(&entry.item))
        .count();
    let mut number = 0;
    session.entries.retain(|entry| {
        number += usize::from(is_digest(&entry.item));
        !is_digest(&entry.item) || number.is_multiple_of(10) || number == digests
    });
}

fn is_digest(act: &SessionItem) -> bool {
    matches!(act, SessionItem::Digest(_))
}
