//! What a touch of each point would be: a move, a service of the game, or nothing, and
//! why.
//!
//! The board says which points mean something ([`Driver::legal`]). Which of them are
//! services, and why another point is no move, follows from the game's state, so a board
//! at the end of a line is asked for that only if its game has services.
//!
//! Invariants: a point is a move, one service, or neither; while a game is paused, nothing
//! is revealed of it.

use firmware_core::AnyBoard;
use firmware_core::game::Service;
use firmware_core::games::ticdabtoe::{self, Block, block_of};
use firmware_core::games::{ishido, malaka};
use protocol::{Colour, Layout, Point, Roster, Status};

use crate::malaka::obstacle::Obstacle;
use crate::malaka::tale;
use crate::pieces::board_of_state;

use crate::{Driver, DriverError, blocks, standing};

/// The points that mean something now, in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Touches {
    /// Those whose touch is a move, or a part of one.
    pub moves: Vec<Point>,
    /// Those whose touch is a service, each service that there is.
    pub services: Vec<(Service, Vec<Point>)>,
}

impl Touches {
    /// What a touch of each point of this board would be.
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
    Roster::of(&[ishido::NUMBER]).has(game)
}

/// [`why_no_move`] on the board that is driven here, which is asked for its state only
/// where its game has an answer.
///
/// # Errors
/// When the board cannot be reached.
pub fn why_no_move_at(
    driver: &mut (impl Driver + ?Sized),
    game: u8,
    point: Point,
) -> Result<Option<String>, DriverError> {
    if !Roster::of(&[ishido::NUMBER, ticdabtoe::NUMBER]).has(game) {
        return Ok(None);
    }
    let board = board_of_state(&driver.save()?);
    Ok(board.and_then(|board| why_no_move(&board, point)))
}

/// [`why`] on the board that is driven here, for a person who watches it: a board at the
/// end of a line is asked for its whole state, in most games.
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

/// [`why_no_move`], and in other games what is seen of the point: `d4 is taken`, and in
/// Malaka what is in the way of the piece that is picked up.
#[must_use]
pub fn why(board: &AnyBoard, point: Point) -> Option<String> {
    if let Some(why) = why_no_move(board, point) {
        return Some(why);
    }
    let mut is_legal = false;
    board.legal(|legal| is_legal |= legal == point);
    if is_legal || board.is_held() || board.outcome().is_some() {
        return None;
    }
    if let Some(position) = board.malaka() {
        return why_not_in_malaka(board, position, point);
    }
    let settings = board.status().settings;
    let name = board.layout().name(point);
    let is_lit = board.frame().points.get(point) != Colour::OFF;
    match is_lit {
        true if standing::is_played_on_dark_points(&settings) => Some(format!("{name} is taken")),
        false if standing::has_to_turn(&settings) => {
            Some(format!("a light on {name} would turn none"))
        }
        _ => None,
    }
}

fn why_not_in_malaka(
    board: &AnyBoard,
    position: &malaka::Position,
    point: Point,
) -> Option<String> {
    let place = |point| tale::place_of(board.layout(), point);
    let to = place(point)?;
    if let Some(from) = tale::picked(board.frame(), board.layout()).and_then(place) {
        return Some(Obstacle::between(position, from, to).to_string());
    }
    Some(match position.pile(to) {
        None => format!("nobody is on {to}"),
        Some(pile) if pile.side != position.turn() => format!("{to} is the other side's"),
        Some(_) => format!("no die that is left moves a piece of {to}"),
    })
}

/// Why a touch of this point is no move in the game that is on the board, in a few
/// words: `block b2 is won`. `None` if it is one, and where only the rules know.
#[must_use]
pub fn why_no_move(board: &AnyBoard, point: Point) -> Option<String> {
    if board.is_held() || board.outcome().is_some() {
        return None;
    }
    let name = board.layout().name(point);
    if let Some(position) = board.ticdabtoe() {
        position.allows(point).err()?;
        let block = block_of(point);
        return Some(match (position.block(block), position.open_block()) {
            (Block::Won(_), _) => format!("block {} is won", blocks::name(block)),
            (Block::Drawn, _) => format!("block {} is full", blocks::name(block)),
            (Block::InPlay, _) if position.mark_at(point).is_some() => format!("{name} has a mark"),
            (Block::InPlay, open) => format!("the open block is {}", blocks::name(open?)),
        });
    }
    let seen = board.ishido()?;
    seen.hand()?;
    let mut fits = false;
    board.legal(|legal| fits |= legal == point);
    if fits || !seen.is_square(point) {
        return None;
    }
    if seen.stone(point).is_some() {
        return Some(format!("{name} has a stone"));
    }
    let is_alone = !beside(point, board.layout()).any(|near| seen.stone(near).is_some());
    Some(match is_alone {
        true => format!("no stone lies beside {name}"),
        false => format!("it does not match the stones beside {name}"),
    })
}

/// The points of a rectangle beside this one.
fn beside(point: Point, layout: Layout) -> impl Iterator<Item = Point> {
    let (column, row) = (layout.column(point), layout.row(point));
    let ways = [
        (column.checked_sub(1), Some(row)),
        (column.checked_add(1), Some(row)),
        (Some(column), row.checked_sub(1)),
        (Some(column), row.checked_add(1)),
    ];
    ways.into_iter()
        .filter_map(move |(column, row)| layout.at(column?, row?))
}

#[cfg(test)]
mod tests;
