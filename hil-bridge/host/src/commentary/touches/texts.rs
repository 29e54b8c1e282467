//! Why a text refuses a touch, where that follows from moves that are tried: the position
//! after them is forbidden, or something has to be taken.

use firmware_core::AnyBoard;
use firmware_core::games::written::{Forbidden, VisiblePieces};
use protocol::Point;

use crate::games::piece_name;
use crate::preview::{self, Preview};
use crate::written;

/// Why a touch of this point, which is not legal, is refused by the layout's own game;
/// `None` if its guide knows better.
pub(super) fn why(board: &AnyBoard, point: Point) -> Option<String> {
    let seen = board.written()?;
    forbidden(board, &seen, point).or_else(|| must_take(board, &seen))
}

/// The sentence that all moves of a touch are refused because of the position that they
/// would lead to.
fn forbidden(board: &AnyBoard, seen: &VisiblePieces, point: Point) -> Option<String> {
    let layout = board.layout();
    let name = layout.name(point);
    let does = match board.forbidden(point)? {
        Forbidden::Repeats => "would bring an earlier position back".to_owned(),
        Forbidden::Condition => written::forbidden_after(layout),
    };
    Some(match (seen.picked(), seen.at(point).what) {
        (Some(from), _) => {
            let what = piece_name(layout, seen.at(from).what);
            format!("the {what} from {} to {name} {does}", layout.name(from))
        }
        (None, 0) => format!("a piece on {name} {does}"),
        (None, what) => {
            let what = piece_name(layout, what);
            format!("every move of the {what} on {name} {does}")
        }
    })
}

/// The sentence that the player has to capture, if all moves do: which piece can, or
/// where the picked-up piece has to go.
fn must_take(board: &AnyBoard, seen: &VisiblePieces) -> Option<String> {
    let layout = board.layout();
    let turn = board.turn()?;
    let is_own = |point: &Point| seen.at(*point).side == Some(turn);
    let (pieces, goes_to) = match seen.picked() {
        Some(from) => (vec![from], preview::destinations(board)),
        None => {
            let pieces = board.legal_points();
            (pieces, Vec::new())
        }
    };
    if pieces.is_empty() || !pieces.iter().all(is_own) {
        return None;
    }
    let takes = |preview: Option<Preview>| preview.is_some_and(|seen| !seen.taken.is_empty());
    let all_take = match seen.picked() {
        Some(_) => !goes_to.is_empty() && goes_to.iter().all(|to| takes(preview::of(board, *to))),
        None => pieces.iter().all(|from| {
            let goes_to = preview::of(board, *from).map_or_else(Vec::new, |seen| seen.goes_to);
            let mut goes_to = goes_to.into_iter().peekable();
            goes_to.peek().is_some() && goes_to.all(|to| takes(preview::of_both(board, *from, to)))
        }),
    };
    let names = |points: &[Point]| {
        let names = points.iter().map(|point| layout.name(*point).to_string());
        names.collect::<Vec<_>>().join(" or ")
    };
    let touch = if seen.picked().is_some() {
        &goes_to
    } else {
        &pieces
    };
    all_take.then(|| match pieces.as_slice() {
        [only] => format!("{} must take: touch {}", layout.name(*only), names(touch)),
        _ => format!("you must take: touch {}", names(touch)),
    })
}
