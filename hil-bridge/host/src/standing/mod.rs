//! How a game stands, in the words that a player wants beside the board.
//!
//! All of it follows from the board's [`Status`] and its lights, so window and terminal
//! say the same. Invariant: nobody is said to think, to move or to be able to pass who
//! cannot.

mod game;
#[cfg(test)]
mod tests;

use firmware_core::game::TimeOut;
use firmware_core::games::{self, ishido, malaka, ticdabtoe};
use firmware_core::referee::{WARNING_SECONDS, warns};
use protocol::{
    Button, Clock, Colour, Frame, LastMove, Layout, Mover, Outcome, Rhythm, Settings, Side, Status,
};

use crate::howto::how_to;
use crate::written;
use game::Game;

/// The last seconds of a clock, in which tenths are told.
const LAST_MS: u32 = WARNING_SECONDS * 1_000;

/// Seconds from which on a clock tells minutes.
const MINUTES_FROM_S: u32 = 60;

/// What goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// No game is on the board.
    NoGame,
    /// Somebody has to do something.
    Play,
    /// Nobody has to do anything just now.
    Pause,
    /// The game is paused.
    Held,
    /// The game has ended.
    Over,
}

/// What goes on now.
#[must_use]
pub fn phase(status: &Status) -> Phase {
    if status.outcome.is_some() {
        Phase::Over
    } else if status.score.is_none() {
        Phase::NoGame
    } else if status.held {
        Phase::Held
    } else if status.pausing && status.clock.is_none() {
        Phase::Pause
    } else {
        // A running clock is a promise: after a touch beside the ghost no other
        // one counts for a tenth of a second, but that is no pause.
        Phase::Play
    }
}

/// What goes on now, in a few words: who has to do what, or why nobody has.
#[must_use]
pub fn state(status: &Status, frame: &Frame) -> String {
    match phase(status) {
        Phase::NoGame => "press Start to play".to_owned(),
        Phase::Over => status.outcome.map_or_else(String::new, |outcome| {
            end(&status.settings, outcome, status.score)
        }),
        Phase::Held => match status.turn {
            Some(side) if Game::of(status.settings.game) != Some(Game::Symmetry) => {
                format!("paused, {} to move", side.name())
            }
            _ => "paused".to_owned(),
        },
        Phase::Pause => pause(status, frame),
        Phase::Play => play(status, frame),
    }
}

/// What somebody has to do.
fn play(status: &Status, frame: &Frame) -> String {
    let settings = &status.settings;
    let of_board = is_boards_turn(status);
    let Some(side) = status.turn else {
        return match Game::of(settings.game) {
            Some(Game::TouchIt) => "touch the newest light of yours",
            _ => "the game is running",
        }
        .to_owned();
    };
    let name = side.name();
    match Game::of(settings.game) {
        Some(Game::Ghost) if of_board => format!("{name} is after the ghost"),
        Some(Game::Ghost) if is_beside(settings) => format!("{name}: touch beside the ghost"),
        Some(Game::Ghost) => format!("{name}: catch the ghost"),
        Some(Game::Life) if of_board => format!("{name} is choosing a point"),
        Some(Game::Life) if is_race(settings) => format!("{name}: put the lights out"),
        Some(Game::Life) => format!("{name} may turn a point over"),
        Some(Game::Symmetry) => "complete the picture".to_owned(),
        Some(Game::FindThem) if of_board => format!("{name} tries to remember"),
        Some(Game::FindThem) => format!("{name}: find one of your points"),
        _ if of_board && is_for_one(settings) => "the board is thinking".to_owned(),
        _ if is_for_one(settings) && can_take_back(settings, frame) => TAKE_BACK.to_owned(),
        _ if is_for_one(settings) => "put the stone somewhere".to_owned(),
        _ if of_board => format!("{name} is thinking"),
        _ if can_take_back(settings, frame) => format!("{name}: {TAKE_BACK}"),
        _ => format!("{name} to move"),
    }
}

/// What one may do while no stone is in hand.
const TAKE_BACK: &str = "touch it to take it back";

/// True while the stone that was just put can be taken back: the display shows none
/// in hand then.
fn can_take_back(settings: &Settings, frame: &Frame) -> bool {
    settings.game == ishido::NUMBER && frame.display.contains("--")
}

/// Why nobody has to do anything.
fn pause(status: &Status, frame: &Frame) -> String {
    let settings = &status.settings;
    let is_dark = (0..=u8::MAX).all(|point| {
        let colour = frame.points.get(protocol::Point(point));
        colour == Colour::OFF
    });
    match (Game::of(settings.game), status.turn) {
        (Some(Game::Ghost), _) if is_beside(settings) => "a point: the ghost comes back soon",
        (Some(Game::Ghost), _) => "the ghost was caught",
        (Some(Game::Life), Some(side)) if is_race(settings) && is_dark => {
            return format!("all out: {} is next", side.name());
        }
        (Some(Game::Life), _) if is_race(settings) => "wait for the next generation",
        (Some(Game::Life), _) => "all touches are used: wait and see",
        (Some(Game::TouchIt), _) => "wait for the next lights",
        (Some(Game::Symmetry), _) => "time is up: amber was missing",
        (Some(Game::FindThem), _) => "look at the pattern",
        (None, Some(side)) if settings.game == malaka::NUMBER => {
            return format!("no move for {} with these dice", side.name());
        }
        _ => "wait a moment",
    }
    .to_owned()
}

/// How a game of these settings ended.
#[must_use]
pub fn end(settings: &Settings, outcome: Outcome, score: Option<[u32; 2]>) -> String {
    let game = Game::of(settings.game);
    let Some([green, red]) = score else {
        return how_it_ended(settings, outcome).to_owned();
    };
    match (game, outcome) {
        (Some(Game::Symmetry), Outcome::Won(Side::Green)) => {
            format!("complete, with {red} wrong")
        }
        (Some(Game::Symmetry), _) => format!("out of time, {green} right, {red} wrong"),
        (_, outcome) if is_for_one(settings) => {
            format!("{}, {}", how_it_ended(settings, outcome), points(green))
        }
        // Its two numbers are what is left of a way.
        (_, Outcome::Won(side)) if settings.game == malaka::NUMBER => {
            let loser = side.other();
            let left = [green, red][loser.index()];
            format!("{} has won, {} had {left} to go", side.name(), loser.name())
        }
        (_, Outcome::Won(side)) => {
            let [own, other] = match side {
                Side::Green => [green, red],
                Side::Red => [red, green],
            };
            format!("{} has won, {own} to {other}", side.name())
        }
        (_, Outcome::Draw) if green == red => format!("a draw, {green} all"),
        // Nobody won three blocks in a row.
        (_, Outcome::Draw) if settings.game == ticdabtoe::NUMBER => {
            format!("a draw, {green} to {red} blocks")
        }
        (_, Outcome::Draw) => "a draw".to_owned(),
    }
}

/// How a game of these settings ended, without its score.
#[must_use]
pub fn how_it_ended(settings: &Settings, outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Won(Side::Green) if is_for_one(settings) => "won, pouch empty",
        _ if is_for_one(settings) => "lost, no square fits",
        outcome => crate::words::outcome(outcome),
    }
}

/// What the two numbers of the score are of.
#[must_use]
pub fn score_names(settings: &Settings) -> [&'static str; 2] {
    match Game::of(settings.game) {
        Some(Game::Symmetry) => ["right", "wrong"],
        _ if is_for_one(settings) => ["points", "four-ways"],
        _ => Side::BOTH.map(Side::name),
    }
}

/// What follows the two numbers of the score where they are not of points.
#[must_use]
pub fn score_unit(settings: &Settings) -> &'static str {
    match settings.game {
        malaka::NUMBER => " to go",
        _ if is_race(settings) => " generations",
        _ => "",
    }
}

/// What the two numbers of the score are of, with their unit: `green to go`.
#[must_use]
pub fn score_of(settings: &Settings) -> [String; 2] {
    score_names(settings).map(|name| format!("{name}{}", score_unit(settings)))
}

/// What a light says that blinks so; `None` where that is seen, or told by the piece
/// that lies there.
#[must_use]
pub fn meaning(settings: &Settings, rhythm: Rhythm) -> Option<&'static str> {
    if settings.game != malaka::NUMBER {
        return None;
    }
    match rhythm {
        malaka::SINGLE => Some("a single piece, which can be pinned and killed"),
        malaka::PINS => Some("pieces that pin"),
        malaka::PICKED => Some("the pile that is picked up"),
        malaka::TARGET => Some("a piece of it may go there"),
        Rhythm::Marked => Some("a piece of it may go there, where others lie"),
        _ => None,
    }
}

/// True where the two numbers of the score are the points of two sides.
#[must_use]
pub fn is_score_of_points(settings: &Settings) -> bool {
    let is_task = Game::of(settings.game) == Some(Game::Symmetry) || is_for_one(settings);
    !is_race(settings) && !is_task && settings.game != malaka::NUMBER
}

/// The score in a line of words.
#[must_use]
pub fn score(settings: &Settings, [green, red]: [u32; 2]) -> String {
    match Game::of(settings.game) {
        Some(Game::Symmetry) => format!("{green} right, {red} wrong"),
        _ if is_for_one(settings) => {
            let four_ways = if red == 1 { "four-way" } else { "four-ways" };
            format!("{}, {red} {four_ways}", points(green))
        }
        _ => format!("{green} : {red}"),
    }
}

/// So many points, in words.
fn points(count: u32) -> String {
    match count {
        1 => "1 point".to_owned(),
        count => format!("{count} points"),
    }
}

/// Which game of which kind, where there are several, and against whom: `Classic, red
/// is the board (3)`.
#[must_use]
pub fn kind(settings: &Settings, layout: Layout) -> String {
    let mode = how_to(settings.game)
        .and_then(|text| text.modes.get(usize::from(settings.mode)))
        .map_or("", |mode| mode.name);
    let about = games::about(settings.game);
    let plays = about.is_some_and(|about| about.plays);
    let whom = match settings.level {
        _ if players(settings, layout) == 0 => "plays by itself".to_owned(),
        _ if players(settings, layout) == 1 => "for one".to_owned(),
        level @ 1.. if plays && is_for_one(settings) => format!("the board plays ({level})"),
        level @ 1.. if plays => format!("red is the board ({level})"),
        _ => "for two".to_owned(),
    };
    match about {
        Some(about) if about.modes == 1 => whom,
        _ => format!("{mode}, {whom}"),
    }
}

/// How many turns are to come, where the game has a number of them.
#[must_use]
pub fn turns_left(status: &Status) -> Option<String> {
    let left = status.turns_left.filter(|_| status.outcome.is_none())?;
    Some(match left {
        1 => "the last turn".to_owned(),
        left => format!("{left} turns left"),
    })
}

/// What is left on a clock: `12 s`, tenths in the last seconds.
#[must_use]
pub fn time_left(left_ms: u32) -> String {
    let seconds = left_ms.div_ceil(1_000);
    if left_ms < LAST_MS {
        let tenths = left_ms.div_ceil(100);
        format!("{}.{} s", tenths / 10, tenths % 10)
    } else if seconds < MINUTES_FROM_S {
        format!("{seconds} s")
    } else {
        format!("{}:{:02}", seconds / 60, seconds % 60)
    }
}

/// True while a clock is about to run out: exactly while the board's own light of the
/// turn warns, or would if it were a person's turn.
#[must_use]
pub fn is_last(clock: Clock) -> bool {
    warns(clock)
}

/// That the clock has not begun to run, and what it waits for; `None` while it does not,
/// and in the board's own turn, for which nobody waits.
#[must_use]
pub fn clock_waits(status: &Status) -> Option<&'static str> {
    let waits = status.clock.is_some_and(|clock| clock.waits);
    (waits && !status.held && !is_boards_turn(status))
        .then_some("the clock waits for the first touch")
}

/// What happens when the clock of these settings has run out; `None` where there is
/// none.
#[must_use]
pub fn at_time_out(settings: &Settings) -> Option<&'static str> {
    if Game::of(settings.game) == Some(Game::Symmetry) {
        return Some("what is missing is shown, and the game is lost");
    }
    let mode = how_to(settings.game)?
        .modes
        .get(usize::from(settings.mode))?;
    if !mode.has_turn_time {
        return None;
    }
    match games::about(settings.game)?.time_out {
        TimeOut::None => None,
        _ if settings.game == ticdabtoe::NUMBER => Some("the game is lost"),
        TimeOut::RandomMove => Some("the board moves by chance"),
        TimeOut::Pass => Some("the turn passes"),
    }
}

/// The last move: where, for whom, and who made it if that was not the player.
#[must_use]
pub fn last_move(status: &Status, layout: Layout) -> Option<String> {
    let LastMove { side, point, by } = status.last_move?;
    let (name, point) = (side.name(), layout.name(point));
    Some(match by {
        Mover::Finger | Mover::Board => format!("{name} {point}"),
        Mover::Clock => format!("time ran out: the board moved {point} for {name}"),
    })
}

/// The best scores of the chosen game and mode, where they are kept and there are
/// any: `best 74, 61`.
#[must_use]
pub fn best(status: &Status) -> Option<String> {
    let best = crate::words::best(status.best?);
    let points: Vec<String> = best.iter().map(u32::to_string).collect();
    (!points.is_empty()).then(|| format!("best {}", points.join(", ")))
}

/// What a score is called that entered at this place, counted from 1.
#[must_use]
pub fn best_place(place: u8) -> String {
    match place {
        1 => "a new best".to_owned(),
        2 => "the 2nd best".to_owned(),
        3 => "the 3rd best".to_owned(),
        place => format!("the {place}th best"),
    }
}

/// True while it is the turn of the board's own player, held or not.
#[must_use]
pub fn is_boards_turn(status: &Status) -> bool {
    let plays = games::about(status.settings.game).is_some_and(|about| about.plays);
    let is_its_own =
        status.turn == Some(Side::Red) || status.turn.is_some() && is_for_one(&status.settings);
    plays && status.settings.level > 0 && is_its_own
}

/// False for a game for one.
#[must_use]
pub fn is_for_two(settings: &Settings) -> bool {
    Game::of(settings.game) != Some(Game::Symmetry) && !is_for_one(settings)
}

/// How many play a game of these settings on a board of this layout, the board among
/// them.
pub(crate) fn players(settings: &Settings, layout: Layout) -> u8 {
    let own = written::game_of(layout).filter(|_| settings.game == games::LAYOUTS_OWN);
    match own {
        Some(game) => game.cartridge.players(),
        None if Game::of(settings.game) == Some(Game::Symmetry) => 1,
        None if is_for_one(settings) && settings.level == 0 => 1,
        None => 2,
    }
}

/// True for a game that the board plays in the place of the one who would.
fn is_for_one(settings: &Settings) -> bool {
    let rule = ishido::MODES.get(usize::from(settings.mode));
    settings.game == ishido::NUMBER && rule.is_some_and(|rule| rule.players == ishido::Players::One)
}

/// Why a person cannot pass now; `None` if one can.
///
/// Nobody can who has no clock to run out: to pass is to let it.
#[must_use]
pub fn why_no_pass(status: &Status) -> Option<&'static str> {
    match phase(status) {
        _ if has_no_pass(&status.settings) => Some("There is no pass in this game."),
        Phase::NoGame | Phase::Over => Some("No game is on."),
        Phase::Held => Some("The game is paused."),
        Phase::Pause => Some("It is nobody's turn."),
        Phase::Play if is_boards_turn(status) => Some("It is the board's turn."),
        Phase::Play if status.clock.is_none() => Some("It is nobody's turn."),
        Phase::Play => None,
    }
}

/// True for a game in which a turn cannot be given away.
#[must_use]
pub fn has_no_pass(settings: &Settings) -> bool {
    let about = games::about(settings.game);
    // In TicDabToe who is too late has lost.
    let goes_on = about.is_some_and(|about| about.time_out == TimeOut::Pass);
    !goes_on || is_race(settings) || settings.game == ticdabtoe::NUMBER
}

/// Why a setting changes nothing in the chosen game and mode; `None` if it
/// does.
#[must_use]
pub fn why_no_effect(settings: &Settings, button: Button) -> Option<&'static str> {
    let text = how_to(settings.game)?;
    let mode = text.modes.get(usize::from(settings.mode))?;
    match button {
        Button::Level if !games::about(settings.game)?.plays => Some(text.level),
        Button::Time if !mode.has_turn_time => Some(text.time),
        Button::Speed if !text.has_speed() => Some(text.speed),
        _ => None,
    }
}

/// Which points a player may want to see marked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tracks {
    /// Those that may be touched: they are few, or hard to see.
    Legal,
    /// Those of these that may not be touched: they are the exception.
    Forbidden(Among),
    /// None, for this reason.
    None(&'static str),
}

/// Among which points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Among {
    /// The dark ones: who touches a lit one knows that it is no move.
    Dark,
    /// All.
    All,
}

/// Which points a player of this game may want to see marked.
#[must_use]
pub fn tracks(settings: &Settings) -> Tracks {
    match settings.game {
        malaka::NUMBER => return Tracks::Legal,
        ticdabtoe::NUMBER => return Tracks::None("The cells that are lit may be marked."),
        _ => {}
    }
    match Game::of(settings.game) {
        Some(Game::Reversi) if settings.mode >= 4 => {
            Tracks::None("Every dark point may be played.")
        }
        Some(Game::FillIt) if settings.mode < 2 => Tracks::None("Every dark point may be played."),
        Some(Game::FillIt) if settings.mode == 2 => Tracks::None("Every point may be touched."),
        Some(Game::FillIt) => Tracks::Forbidden(Among::All),
        Some(Game::Reversi | Game::Visiput) => Tracks::Legal,
        Some(Game::CountLines | Game::SpeedGo) => Tracks::Forbidden(Among::Dark),
        _ => Tracks::None("Here it would tell what is to be found."),
    }
}

/// True for a game whose lights are the stones of its sides: one that changes its
/// colour was turned over, one that goes out was taken.
#[must_use]
pub fn lights_are_stones(settings: &Settings) -> bool {
    matches!(
        Game::of(settings.game),
        Some(Game::Reversi | Game::CountLines | Game::FillIt | Game::Visiput | Game::SpeedGo)
    )
}

/// True for a game in which no light is touched.
#[must_use]
pub fn is_played_on_dark_points(settings: &Settings) -> bool {
    match Game::of(settings.game) {
        Some(Game::Reversi | Game::CountLines | Game::Visiput | Game::SpeedGo) => true,
        Some(Game::FillIt) => settings.mode < 2,
        Some(_) => false,
        None => games::about(settings.game).is_some_and(|about| about.name == "Col"),
    }
}

/// True for a game in which a light that turns no other is no move.
#[must_use]
pub fn has_to_turn(settings: &Settings) -> bool {
    Game::of(settings.game) == Some(Game::Reversi) && tracks(settings) == Tracks::Legal
}

/// True for the game of Life in which each side in turn puts all lights out.
fn is_race(settings: &Settings) -> bool {
    Game::of(settings.game) == Some(Game::Life) && settings.mode == 0
}

/// True for a game of Ghost in which one scores beside the ghost.
fn is_beside(settings: &Settings) -> bool {
    Game::of(settings.game) == Some(Game::Ghost) && settings.mode % 2 == 1
}
