//! Plays as sessions, the files that all tools of the project open.

use firmware_core::AnyBoard;
use firmware_core::games::{self, number};
use protocol::{Button, Input, Layout, Roster, Settings, Tick};
use touchboard_host::session::{Header, Session, SessionItem};

use crate::{Play, TestStep, legal_point};

impl Play {
    /// Records this play on a correct board, with the digest after every step.
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

/// Carries out a step and records it.
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
            // Commands that the board refuses are also refused in a replay.
            let _ = board.carry_out(&deed, &mut |_, _| {});
            session.push(board.tick(), deed.into());
        }
    }
}

/// The maximum number of moves in a golden session; of touches, in a game whose moves
/// take several.
const MOVES: u32 = 200;
/// The number of the move for which the time runs out.
const LATE: u32 = 7;
/// The same in TicDabToe, near the end, because a player who runs out of time loses.
const TICDABTOE_LATE: u32 = 150;
/// The Time setting; a turn has 30 s.
const TIME: u8 = 5;
/// A time longer than a turn.
const LATE_MS: Tick = 31_000;
/// The time between two moves.
const MOVE_MS: Tick = 700;

const TICDABTOE: u8 = 12;

/// Records the golden session of a game and mode: legal moves by a fixed rule until the
/// game ends, an illegal touch now and then, one time-out, one pause. Green moves by the
/// rule; red is played by the board at level 1 from the tenth move to the thirtieth. In
/// games where a time-out loses, it is near the end.
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

/// Games that are not in the manual; boards have them only on request.
pub const OTHERS: Roster = Roster::of(&[number::MALAKA, number::ISHIDO, number::TICDABTOE]);

/// Games that are recorded on a board without any other game, so that adding them does
/// not change the other sessions.
pub const ALONE: &[u8] = &[number::COL];

/// The games of the board on which a game is recorded.
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

/// Keeps every tenth digest and the last one: enough to find a difference, and few enough
/// to read.
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
