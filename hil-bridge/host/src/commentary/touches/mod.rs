//! What a touch of each point would be: a move, a service of the game, or neither, and why.
//!
//! The board reports the points whose touch has an effect ([`Driver::legal`]). Which of
//! them are services, and why another point is not a move, depends on the game's state. A
//! board at the end of a line is only asked for its state if its game has services.
//!
//! Invariants: a point is a move, one service, or neither; while a game is paused,
//! nothing is revealed except that it is paused.

mod texts;

use firmware_core::AnyBoard;
use firmware_core::game::Service;
use protocol::{Colour, Point, Status};

use crate::games::{self, Guide};
use crate::pieces::board_of_state;
use crate::standing::Situation;
use crate::{Driver, DriverError, standing};

/// The points whose touch has an effect now, in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Touches {
    /// The points whose touch is a move, or a part of one.
    pub moves: Vec<Point>,
    /// The points whose touch is a service, by service.
    pub services: Vec<(Service, Vec<Point>)>,
}

impl Touches {
    /// Classifies the points of this board.
    ///
    /// # Errors
    /// When the board cannot be reached.
    pub fn at(driver: &mut (impl Driver + ?Sized), status: &Status) -> Result<Self, DriverError> {
        let legal = driver.legal()?;
        if legal.is_empty() || !has_services(status.settings.game) {
            return Ok(Touches {
                moves: legal,
                services: Vec::new(),
            });
        }
        let board = board_of_state(&driver.save()?);
        Ok(Touches::of(legal, board.as_ref()))
    }

    fn of(mut moves: Vec<Point>, board: Option<&AnyBoard>) -> Self {
        let mut services = Vec::new();
        for service in Service::ALL {
            let mut points = Vec::new();
            if let Some(board) = board {
                board.service(service, |point| points.push(point));
            }
            moves.retain(|point| !points.contains(point));
            if !points.is_empty() {
                services.push((service, points));
            }
        }
        Touches { moves, services }
    }
}

/// The service that a touch of this point is now, if it is one.
#[must_use]
pub fn service_at(board: &AnyBoard, point: Point) -> Option<Service> {
    Service::ALL.into_iter().find(|service| {
        let mut is_it = false;
        board.service(*service, |other| is_it |= other == point);
        is_it
    })
}

/// The words for a service.
#[must_use]
pub fn service_name(service: Service) -> &'static str {
    match service {
        Service::Help => "help",
        Service::TakeBack => "take back",
    }
}

/// True for a game in which a touch can be a service.
#[must_use]
pub fn has_services(game: u8) -> bool {
    games::find(game).is_some_and(Guide::has_services)
}

/// Why a touch of this point is not a move, for a script, whose answers are the same on
/// every board: only in a game that [explains refusals](Guide::explains_refusals), and
/// then by its rules alone. `None` if it is a move, or if there is no simple reason.
///
/// # Errors
/// When the board cannot be reached.
pub fn why_for_a_script(
    driver: &mut (impl Driver + ?Sized),
    game: u8,
    point: Point,
) -> Result<Option<String>, DriverError> {
    let Some(guide) = games::find(game).filter(|guide| guide.explains_refusals()) else {
        return Ok(None);
    };
    let board = board_of_state(&driver.save()?);
    Ok(board.and_then(|board| by_rules(guide, &board, point)))
}

fn by_rules(guide: &dyn Guide, board: &AnyBoard, point: Point) -> Option<String> {
    let is_played = !board.is_paused() && board.outcome().is_none();
    is_played.then(|| guide.why_no_move(board, point))?
}

/// [`why`] for a driven board. A board at the end of a line is asked for its whole state.
///
/// # Errors
/// When the board cannot be reached.
pub fn why_at(
    driver: &mut (impl Driver + ?Sized),
    point: Point,
) -> Result<Option<String>, DriverError> {
    let board = board_of_state(&driver.save()?);
    Ok(board.and_then(|board| why(&board, point)))
}

/// Why a touch of this point is not a move now, in a few words for a person:
/// `d4 is taken`, `a1 would turn nothing`, or that no touch is accepted. `None` if it is
/// a move, or if there is no simple reason.
#[must_use]
pub fn why(board: &AnyBoard, point: Point) -> Option<String> {
    if let Some(why) = of_situation(board) {
        return Some(why);
    }
    let mut is_legal = false;
    board.legal(|legal| is_legal |= legal == point);
    if is_legal {
        return None;
    }
    let by_rules = |guide: &dyn Guide| guide.why_no_move(board, point);
    if let Some(why) = texts::why(board, point).or_else(|| games::all().find_map(by_rules)) {
        return Some(why);
    }
    let is_taken = standing::is_played_on_dark_points(&board.settings())
        && board.frame().points.get(point) != Colour::OFF;
    is_taken.then(|| format!("{} is taken", board.layout().name(point)))
}

/// Why no touch at all is a move now; `None` if some are.
fn of_situation(board: &AnyBoard) -> Option<String> {
    let status = board.status();
    Some(match standing::phase(&status) {
        Situation::NoGame => "no game is on, Start begins one".to_owned(),
        Situation::Over => "the game is over, Start begins another one".to_owned(),
        Situation::Paused => "the game is paused, Stop resumes it".to_owned(),
        _ if standing::is_boards_turn(&status) => "it is the board's turn".to_owned(),
        // After a move, the game of a text searches for legal touches for a few ticks.
        _ if board.is_settling() => return None,
        Situation::Idle => standing::state(&status, board.frame()),
        Situation::Play => return None,
    })
}

/// The message about a touch that was not a move: with the reason, or `no_move` alone if
/// the reason is unknown. `no_move` is the sentence about the point from
/// [`event_words::event`](crate::event_words::event).
#[must_use]
pub fn refusal(no_move: &str, point: &str, why: Option<&str>) -> String {
    match why {
        Some(why) if names(why, point) => format!("no move: {why}"),
        Some(why) => format!("{no_move}: {why}"),
        None => no_move.to_owned(),
    }
}

/// True if a sentence names this point: `touch a10` does not name a1.
fn names(sentence: &str, point: &str) -> bool {
    let mut words = sentence.split(|letter: char| !letter.is_alphanumeric());
    words.any(|word| word == point)
}

#[cfg(test)]
mod tests;
