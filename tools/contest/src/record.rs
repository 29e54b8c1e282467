//! Writes a game as a session, which the window, `hil-bridge replay` and `transcript`
//! can open.
//!
//! The moves are touches on a board of 16 by 16 points whose only game is TicDabToe. The
//! session ends with the digest of the board, so a replay can be verified. On a board, a
//! player can only lose by the rules or by time. So after a fault, the clock of the
//! losing side runs out, which gives the same winner. But before the first mark the clock
//! is not running; after a fault at that point, only the session's note names the loser.

use firmware_core::games::{self, number};
use protocol::{Button, Deed, Input, Layout, Outcome, Point, Roster, Settings, Tick};
use touchboard_host::session::{Header, SessionItem};
use touchboard_host::{CoreDriver, Driver, DriverError, Session};

use crate::bot::{SIDE, mark};
use crate::game::{Lost, result};

/// The tick of the first mark.
const FIRST: Tick = 1_000;
/// Ticks from one mark to the next, well within the clock of a turn.
const PERIOD: Tick = 500;
/// Ticks for which a finger or a button is down.
const PRESS: Tick = 80;
/// The Time setting: the shortest, 5 s for a move.
const TIME: u8 = 0;
/// Ticks after which the clock has certainly run out.
const TIME_OVER: Tick = 6_000;

/// What a session contains besides the moves.
pub struct Title<'a> {
    /// The name of the game and of its contest.
    pub what: &'a str,
    /// The names of the bots, `x` first.
    pub names: [&'a str; 2],
    /// The seed of the game.
    pub seed: u64,
}

/// The session of a game.
///
/// # Errors
/// If a board of this build cannot play it.
pub fn session(
    title: &Title<'_>,
    moves: &[Point],
    lost: Option<&Lost>,
) -> Result<Session, DriverError> {
    let games = Roster::of(&[number::TICDABTOE]).and(games::BUILT);
    let layout = Layout::grid(SIDE, SIDE).unwrap_or(Layout::MALDOO);
    let mut board = CoreDriver::with_games(layout, games, title.seed)?;
    let mut session = Session::new(Header::new(layout, title.seed, title.what).with_games(games));
    let [x, o] = title.names;
    let players = format!("x, green: {x}; o, red: {o}");
    session.push(0, SessionItem::Note(players));
    let settings = Deed::Settings(Settings {
        game: number::TICDABTOE,
        time: TIME,
        level: 0,
        mode: 0,
        ..Settings::default()
    });
    board.carry_out(&settings)?;
    session.push(0, settings.into());
    let mut act = |tick: Tick, input: Input| {
        let ticks = tick.saturating_sub(board.tick());
        board.step(&[], ticks)?;
        session.push(tick, input.into());
        board.step(&[input], 0)
    };
    act(0, Input::Press(Button::Start))?;
    act(PRESS, Input::Lift(Button::Start))?;
    let mut tick = FIRST;
    for point in moves {
        act(tick, Input::Touch(*point))?;
        act(tick + PRESS, Input::Release(*point))?;
        tick += PERIOD;
    }
    session.push(tick, SessionItem::Note(ending(title, moves, lost)));
    if lost.is_some() && !moves.is_empty() {
        tick += TIME_OVER;
    }
    board.step(&[], tick.saturating_sub(board.tick()))?;
    session.push(tick, SessionItem::Digest(board.digest()?));
    session.push(tick, SessionItem::End);
    Ok(session)
}

/// How it ended, in a sentence.
#[must_use]
pub fn ending(title: &Title<'_>, moves: &[Point], lost: Option<&Lost>) -> String {
    let Some((outcome, [x, o])) = result(moves, lost) else {
        return "the game did not end".to_owned();
    };
    let count = moves.len();
    match (outcome, lost) {
        (Outcome::Won(side), None) => {
            let name = title.names[side.index()];
            format!(
                "{name} ({}) wins {} after {count} moves",
                mark(side),
                score(x, o)
            )
        }
        (Outcome::Won(side), Some(lost)) => {
            let name = title.names[side.other().index()];
            format!(
                "{name} ({}) loses {} after {count} moves: {}",
                lost.by,
                score(x, o),
                lost.fault
            )
        }
        (Outcome::Draw, _) => format!("a draw after {count} moves: {x} blocks to {o}"),
    }
}

/// The score with the larger number first, as is customary.
fn score(x: u16, o: u16) -> String {
    format!("{}-{}", x.max(o), x.min(o))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bot::Bot;
    use crate::fault::{BotFault, BotFaultKind};
    use crate::game::play;
    use crate::limits::Limits;

    fn title() -> Title<'static> {
        Title {
            what: "a test",
            names: ["one", "other"],
            seed: 5,
        }
    }

    /// The outcome on a board that replays the session from its text form.
    fn replayed(moves: &[Point], lost: Option<&Lost>) -> (Option<Outcome>, Option<[u32; 2]>) {
        let text = session(&title(), moves, lost)
            .expect("a board can play it")
            .to_text();
        let session = Session::parse(text.as_bytes()).expect("it is a session");
        assert!(session.is_complete());
        let header = &session.header;
        let board = CoreDriver::with_games(*header.layout, header.roster, header.seed);
        let mut board = board.expect("there is such a board");
        let mismatch = session
            .replay(&mut board, &mut |_| {})
            .expect("it can be replayed");
        assert_eq!(mismatch, None);
        (board.board().outcome(), board.board().score())
    }

    #[test]
    fn a_replayed_game_has_the_same_winner_and_points() {
        let random = Bot::built_in("random").expect("it is built in");
        let mut outcomes = Vec::new();
        for seed in 0..12 {
            let played = play([&random, &random], seed, &Limits::TEST, &mut |_, _, _| {});
            let (outcome, points) = played.result();
            assert_eq!(
                replayed(&played.moves, None),
                (Some(outcome), Some(points.map(u32::from)))
            );
            outcomes.push(outcome);
        }
        outcomes.dedup();
        assert!(outcomes.len() > 1, "always {outcomes:?}");
    }

    #[test]
    fn a_fault_before_the_first_mark_is_recorded() {
        let fault = BotFault::new(BotFaultKind::Trap, "it broke down");
        let lost = Lost { by: 'x', fault };
        assert_eq!(replayed(&[], Some(&lost)), (None, Some([0, 0])));
        let told = session(&title(), &[], Some(&lost)).expect("a board can play it");
        let told = told.to_text();
        assert!(
            told.contains("one (x) loses 16-0 after 0 moves: it broke down"),
            "{told}"
        );
    }

    #[test]
    fn the_side_at_fault_loses_on_the_board() {
        let moves = [Point(0), Point(1), Point(4)];
        for count in 1..=moves.len() {
            let by = if count % 2 == 0 { 'x' } else { 'o' };
            let fault = BotFault::new(BotFaultKind::Trap, "it broke down");
            let lost = Lost { by, fault };
            let expected = result(&moves[..count], Some(&lost)).expect("it is over");
            let (outcome, points) = replayed(&moves[..count], Some(&lost));
            assert_eq!(
                (outcome, points),
                (Some(expected.0), Some(expected.1.map(u32::from)))
            );
        }
    }
}
