//! The status of a game, in the words that a player wants next to the board.
//!
//! Everything follows from the board's [`Status`] and its lights, so window and terminal
//! agree. Invariants: the words never claim that a player thinks, moves or may pass if
//! that player cannot.

#[cfg(test)]
mod tests;

use firmware_core::games::about;
use firmware_core::panel::TURN_TIME_MS;
pub use firmware_core::referee::warns;
use protocol::{
    Button, Colour, Frame, LastMove, Layout, Mover, Outcome, Point, Rhythm, Settings, Side, Status,
};

use crate::games::{self, Guide, TurnView, how_to};
pub use crate::games::{Among, Tracks};
use crate::written;

/// Below this many milliseconds a clock shows tenths of seconds.
const TENTHS_BELOW_MS: u32 = 5_000;

/// From this many seconds on, a clock shows minutes.
const MINUTES_FROM_S: u32 = 60;

/// The words before a clock: what its time is for.
pub const THIS_TURN: &str = "this turn";

/// The situation of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Situation {
    /// No game is on the board.
    NoGame,
    /// A player has to do something.
    Play,
    /// No player has to do anything at the moment.
    Idle,
    /// The game is paused by Stop/Cont.
    Paused,
    /// The game has ended.
    Over,
}

impl Situation {
    /// True while a game is on, paused or not.
    #[must_use]
    pub fn is_on(self) -> bool {
        !matches!(self, Situation::NoGame | Situation::Over)
    }
}

/// The situation that a status describes.
#[must_use]
pub fn phase(status: &Status) -> Situation {
    if status.outcome.is_some() {
        Situation::Over
    } else if status.score.is_none() {
        Situation::NoGame
    } else if status.paused {
        Situation::Paused
    } else if status.idle && status.clock.is_none() {
        Situation::Idle
    } else {
        // A turn with a running clock is not idle, although a miss in Ghost blocks
        // further touches for a tenth of a second.
        Situation::Play
    }
}

/// The situation in a few words: the side to act and its task, or why no side has to act.
#[must_use]
pub fn state(status: &Status, frame: &Frame) -> String {
    match phase(status) {
        Situation::NoGame => "press Start to play".to_owned(),
        Situation::Over => match status.outcome {
            Some(Outcome::Won(side)) if guide(&status.settings).shows_loss_by_time(frame) => {
                end_by_time(side)
            }
            outcome => outcome.map_or_else(String::new, |outcome| {
                end(&status.settings, outcome, status.score)
            }),
        },
        Situation::Paused => match status.turn {
            Some(side) if is_for_two(&status.settings) || is_for_one(&status.settings) => {
                format!("paused, {} to move", side.name())
            }
            _ => "paused".to_owned(),
        },
        Situation::Idle => guide(&status.settings).pause(&now(status, frame)),
        Situation::Play => match status.turn {
            Some(side) => guide(&status.settings).turn(side, &now(status, frame)),
            None => guide(&status.settings).running().to_owned(),
        },
    }
}

/// The side of which a piece has to be taken now, as after a mill: each legal touch is a
/// piece of the other side.
#[must_use]
pub fn has_to_take(status: &Status, frame: &Frame, legal: &[Point]) -> Option<Side> {
    let other = status.turn?.other();
    let is_theirs = |point: &Point| frame.points.get(*point) == Colour::from(other);
    let may_have_to = guide(&status.settings).may_have_to_take();
    let is_asked = may_have_to && phase(status) == Situation::Play;
    let takes = is_asked && !legal.is_empty() && legal.iter().all(is_theirs);
    takes.then_some(other)
}

/// The status and frame in the form that guides take.
fn now<'a>(status: &'a Status, frame: &'a Frame) -> TurnView<'a> {
    TurnView {
        status,
        frame,
        is_boards_turn: is_boards_turn(status),
    }
}

/// The guide of the chosen game.
fn guide(settings: &Settings) -> &'static dyn Guide {
    games::guide(settings.game)
}

/// How a game with these settings ended.
#[must_use]
pub fn end(settings: &Settings, outcome: Outcome, score: Option<[u32; 2]>) -> String {
    score.map_or_else(
        || how_it_ended(settings, outcome).to_owned(),
        |score| guide(settings).end(settings, outcome, score),
    )
}

/// How a game ended in which time ran out for the other side of this winner, if that loses
/// it.
#[must_use]
pub fn end_by_time(winner: Side) -> String {
    let [winner, loser] = [winner, winner.other()].map(Side::name);
    format!("{winner} has won, {loser}'s time ran out")
}

/// True if a side whose time runs out has lost the game.
#[must_use]
pub fn is_lost_by_time(settings: &Settings) -> bool {
    at_time_out(settings) == Some(games::LOST_BY_TIME)
}

/// How a game with these settings ended, without its score.
#[must_use]
pub fn how_it_ended(settings: &Settings, outcome: Outcome) -> &'static str {
    guide(settings).how_it_ended(settings, outcome)
}

/// The names of the two numbers of the score.
#[must_use]
pub fn score_names(settings: &Settings) -> [&'static str; 2] {
    guide(settings).score_names(settings)
}

/// The unit of the score, if it is not points.
#[must_use]
pub fn score_unit(settings: &Settings) -> &'static str {
    guide(settings).score_unit(settings)
}

/// The names of the two numbers of the score, with their unit: `green to go`.
#[must_use]
pub fn score_of(settings: &Settings) -> [String; 2] {
    score_names(settings).map(|name| format!("{name}{}", score_unit(settings)))
}

/// The meaning of a light with this rhythm; `None` if it is obvious, or shown by the
/// piece.
#[must_use]
pub fn meaning(settings: &Settings, rhythm: Rhythm) -> Option<&'static str> {
    guide(settings).rhythm(rhythm)
}

/// True where the two numbers of the score are the points of two sides.
#[must_use]
pub fn is_score_of_points(settings: &Settings) -> bool {
    guide(settings).is_score_of_points(settings)
}

/// True where the two numbers of the score only count the pieces on the board, which
/// decide nothing, as far as a text's rules are known here.
#[must_use]
pub fn is_count_of_pieces(settings: &Settings, layout: Layout) -> bool {
    written::counts_pieces(settings.game, layout)
}

/// The score in a line of words.
#[must_use]
pub fn score(settings: &Settings, score: [u32; 2]) -> String {
    guide(settings).score(settings, score)
}

/// The mode, if there are several, and the opponent: `Classic, red is the board, level 3`.
#[must_use]
pub fn kind(settings: &Settings, layout: Layout) -> String {
    let mode = how_to(settings.game)
        .and_then(|text| text.modes.get(usize::from(settings.mode)))
        .map_or("", |mode| mode.name);
    let about = about(settings.game);
    let plays = about.is_some_and(|about| about.board_can_play);
    let whom = match settings.level {
        _ if players(settings, layout) == 0 => "plays by itself".to_owned(),
        _ if players(settings, layout) == 1 => "for one".to_owned(),
        level @ 1.. if plays && is_for_one(settings) => format!("the board plays, level {level}"),
        level @ 1.. if plays => format!("red is the board, level {level}"),
        _ => "for two".to_owned(),
    };
    match about {
        Some(about) if about.modes == 1 => whom,
        _ => format!("{mode}, {whom}"),
    }
}

/// The number of turns left, if the game has a fixed number.
#[must_use]
pub fn turns_left(status: &Status) -> Option<String> {
    let left = status.turns_left.filter(|_| status.outcome.is_none())?;
    Some(match left {
        1 => "the last turn".to_owned(),
        left => format!("{left} turns left"),
    })
}

/// The time left on a clock: `12 s`, with tenths near the end.
#[must_use]
pub fn time_left(left_ms: u32) -> String {
    let seconds = left_ms.div_ceil(1_000);
    if left_ms < TENTHS_BELOW_MS {
        let tenths = left_ms.div_ceil(100);
        format!("{}.{} s", tenths / 10, tenths % 10)
    } else if seconds < MINUTES_FROM_S {
        format!("{seconds} s")
    } else {
        format!("{}:{:02}", seconds / 60, seconds % 60)
    }
}

/// The time limit of a turn with this setting of Time, as a clock shows it: `45 s`, `2:00`.
#[must_use]
pub fn turn_time(time: u8) -> String {
    TURN_TIME_MS
        .get(usize::from(time))
        .map_or_else(String::new, |ms| time_left(*ms))
}

/// A sentence about the clock of a game with these settings before it begins; `None` if the
/// game has none.
#[must_use]
pub fn about_the_clock(settings: &Settings) -> Option<String> {
    let end = at_time_out(settings)?;
    let of = turn_time(settings.time);
    Some(format!("You have {of} for each turn; after that, {end}."))
}

/// A sentence that the clock has not started, with what it waits for. `None` if it is
/// running, or on the board's own turn, for which no clock waits.
#[must_use]
pub fn clock_waits(status: &Status) -> Option<&'static str> {
    let waits = status.clock.is_some_and(|clock| clock.waits);
    (waits && !status.paused && !is_boards_turn(status))
        .then_some("the clock waits for the first touch")
}

/// What happens when the time is up with these settings; `None` without a clock.
#[must_use]
pub fn at_time_out(settings: &Settings) -> Option<&'static str> {
    games::find(settings.game)?.at_time_out(settings)
}

/// The last move: its point and side, and who made it unless it was the player.
#[must_use]
pub fn last_move(status: &Status, layout: Layout) -> Option<String> {
    let LastMove { side, point, by } = status.last_move?;
    let (name, point) = (side.name(), layout.name(point));
    Some(match by {
        Mover::Finger | Mover::Board => format!("{name} {point}"),
        Mover::Clock => format!("time ran out: the board moved {point} for {name}"),
    })
}

/// The best scores of the chosen game and mode: `best 74, 61`. `None` if there are none,
/// or none are kept.
#[must_use]
pub fn best(status: &Status) -> Option<String> {
    let best = crate::words::best(status.best?);
    let points: Vec<String> = best.iter().map(u32::to_string).collect();
    (!points.is_empty()).then(|| format!("best {}", points.join(", ")))
}

/// The words for a new best score at this place, from 1.
#[must_use]
pub fn best_place(place: u8) -> String {
    match place {
        1 => "a new best".to_owned(),
        2 => "the 2nd best".to_owned(),
        3 => "the 3rd best".to_owned(),
        place => format!("the {place}th best"),
    }
}

/// True on the turn of the board's own player, even if the game is paused.
#[must_use]
pub fn is_boards_turn(status: &Status) -> bool {
    let plays = about(status.settings.game).is_some_and(|about| about.board_can_play);
    let is_its_own =
        status.turn == Some(Side::Red) || status.turn.is_some() && is_for_one(&status.settings);
    plays && status.settings.level > 0 && is_its_own
}

/// False for a game for one player.
#[must_use]
pub fn is_for_two(settings: &Settings) -> bool {
    guide(settings).is_for_two(settings)
}

/// The number of players in a game with these settings on a board with this layout,
/// including the board.
#[must_use]
pub fn players(settings: &Settings, layout: Layout) -> u8 {
    guide(settings).players(settings, layout)
}

/// True if one person plays alone, so that the player of a move need not be named.
#[must_use]
pub fn is_alone(settings: &Settings, layout: Layout) -> bool {
    players(settings, layout) == 1
}

/// True for a game that, at levels 1 to 4, the board plays in place of the only player.
#[must_use]
pub fn is_for_one(settings: &Settings) -> bool {
    guide(settings).is_for_one(settings)
}

/// Why a person cannot pass now; `None` if passing is possible.
///
/// In most games passing means letting the clock run out, so it needs a running clock. In a
/// layout's own game it is a move of the rules, which the display offers.
#[must_use]
pub fn why_no_pass(status: &Status, display: &str) -> Option<&'static str> {
    let offered = games::find(status.settings.game).and_then(|guide| guide.offers_pass(display));
    match phase(status) {
        _ if has_no_pass(&status.settings) => Some("There is no pass in this game."),
        Situation::NoGame | Situation::Over => Some("No game is on."),
        Situation::Paused => Some("The game is paused."),
        Situation::Idle => Some("It is nobody's turn."),
        Situation::Play if is_boards_turn(status) => Some("It is the board's turn."),
        Situation::Play => match offered {
            Some(true) => None,
            Some(false) => Some("The rules allow no pass now."),
            None => status.clock.is_none().then_some("It is nobody's turn."),
        },
    }
}

/// True for a game in which a player cannot pass.
#[must_use]
pub fn has_no_pass(settings: &Settings) -> bool {
    !games::find(settings.game).is_some_and(|guide| guide.has_pass(settings))
}

/// Why a setting has no effect in the chosen game and mode; `None` if it has one.
#[must_use]
pub fn why_no_effect(settings: &Settings, button: Button) -> Option<&'static str> {
    let text = how_to(settings.game)?;
    let mode = text.modes.get(usize::from(settings.mode))?;
    match button {
        Button::Level if !about(settings.game)?.board_can_play => Some(text.level),
        Button::Time if !mode.has_turn_time => Some(text.time),
        Button::Speed if !text.has_speed() => Some(text.speed),
        _ => None,
    }
}

/// The time limit of a turn in seconds; `None` if the game or the mode has none.
#[must_use]
pub fn turn_time_s(settings: &Settings) -> Option<u32> {
    let is_limited = why_no_effect(settings, Button::Time).is_none();
    is_limited.then(|| turn_time_of_s(settings.time))
}

/// The time limit of a turn in seconds, with this setting of Time.
#[must_use]
pub fn turn_time_of_s(time: u8) -> u32 {
    let ms = TURN_TIME_MS.get(usize::from(time));
    ms.map_or(0, |ms| ms / 1_000)
}

/// The points that a player of this game may want to see marked.
#[must_use]
pub fn tracks(settings: &Settings) -> Tracks {
    guide(settings).tracks(settings)
}

/// True for a game whose lights are stones: one that changes colour was turned over, one
/// that goes out was captured.
#[must_use]
pub fn lights_are_stones(settings: &Settings) -> bool {
    guide(settings).lights_are_stones()
}

/// True for a game in which a lit point is never touched.
#[must_use]
pub fn is_played_on_dark_points(settings: &Settings) -> bool {
    guide(settings).is_played_on_dark_points(settings)
}
