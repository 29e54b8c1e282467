//! Which points have a mark, and with which meaning.

use bevy::ecs::system::SystemParam;
use bevy::prelude::*;
use firmware_core::games::LAYOUTS_OWN;
use protocol::{Colour, Mover, Outcome, Point};
use touchboard_host::games::{Guide, find};
use touchboard_host::pieces::figures::{Figure, PieceShape, Tint};
use touchboard_host::preview::{Preview, destinations_among};
use touchboard_host::standing::{self, Among, Tracks};
use touchboard_host::written::{
    Decision, EndReason, decision as decision_of_text, other_decision, row_on_grid,
};

use super::super::came_from::came_from;
use super::super::ghosts;
use super::super::hover::Hover;
use super::{MarkMeaning, PointMark};
use crate::source::written::OpenText;
use crate::source::{Log, Shown};
use crate::switches::WindowSwitches;

/// Up to this many legal points are marked, even if fewer points are illegal.
const FEW: usize = 10;

/// What the marks depend on, besides what the board shows.
#[derive(SystemParam)]
pub(super) struct MarkInputs<'w> {
    switches: Res<'w, WindowSwitches>,
    text: Res<'w, OpenText>,
    hover: Res<'w, Hover>,
    log: Res<'w, Log>,
}

impl MarkInputs<'_> {
    /// The text of the game on the board, if it has one.
    pub(super) fn text(&self) -> &OpenText {
        &self.text
    }
}

/// The marks that should be drawn on a board whose game was decided by this.
pub(super) fn wanted(
    shown: &Shown,
    looks: &MarkInputs,
    decision: Option<&Decision>,
) -> Vec<PointMark> {
    let MarkInputs {
        switches,
        hover,
        log,
        ..
    } = looks;
    let status = &shown.status;
    let is_dark = |point: &Point| is_dark(shown, *point);
    // While a piece is held, only its destinations count.
    let held = held_at(shown);
    let goals = held.map(|_| {
        let (frame, game) = (&shown.frame, status.settings.game);
        destinations_among(&shown.legal, frame, shown.pieces.as_ref(), game)
    });
    let is_legal = |point: &Point| match &goals {
        Some(goals) => goals.contains(point),
        None => shown.legal.binary_search(point).is_ok(),
    };
    // No points are marked while the board is to move.
    let is_wanted = switches.tracks && !shown.legal.is_empty() && !standing::is_boards_turn(status);
    let all = || shown.layout.iter().filter(|_| is_wanted);
    let forbidden = |among| {
        all().filter(move |point| !is_legal(point) && (among == Among::All || is_dark(point)))
    };
    let tracks = match held {
        Some(_) => Tracks::Legal,
        None => marked(shown),
    };
    let mark = |meaning| move |point| mark_at(shown, point, meaning);
    let allowed = |point| {
        let meaning = meaning_of_allowed(shown, point, held, tracks);
        mark_at(shown, point, meaning)
    };
    let mut marks: Vec<PointMark> = match tracks {
        Tracks::Legal | Tracks::LegalOfMany | Tracks::Fewer => {
            all().filter(is_legal).map(allowed).collect()
        }
        Tracks::Forbidden(among) => forbidden(among).map(mark(MarkMeaning::Forbidden)).collect(),
        Tracks::None(_) => Vec::new(),
    };
    let last = last_move(shown);
    let decided = decision.map_or_else(Vec::new, |decision| deciding(shown, decision));
    let way = last.map_or_else(Vec::new, |_| way_of_last_move(shown, log));
    marks.extend(
        way.into_iter()
            .filter(|mark| !decided.contains(&mark.point)),
    );
    marks.extend(last.filter(|last| !decided.contains(&last.point)));
    marks.extend(decided.into_iter().map(mark(MarkMeaning::Decided)));
    marks.extend(held.filter(|_| is_wanted).map(mark(MarkMeaning::Held)));
    if let Some(preview) = hover.0.as_ref().and_then(|at| at.preview.as_ref()) {
        marks.extend(preview_marks(shown, preview, **switches));
    }
    marks
}

/// The meaning of a point that may be touched, in a game with these tracks. A piece that is
/// picked up, from the point `held`, may go there.
fn meaning_of_allowed(
    shown: &Shown,
    point: Point,
    held: Option<Point>,
    tracks: Tracks,
) -> MarkMeaning {
    match held {
        Some(_) if is_occupied(shown, point) => MarkMeaning::GoesOnto,
        Some(_) => MarkMeaning::Goes,
        None if tracks == Tracks::LegalOfMany => MarkMeaning::LegalOfMany,
        None => MarkMeaning::Legal,
    }
}

/// The kind of points that are marked while no piece is held. Resolves
/// [`Tracks::Fewer`] to legal or illegal points, whichever are fewer.
pub fn marked(shown: &Shown) -> Tracks {
    let legal = shown.legal.len();
    let is_illegal = |point: &Point| shown.legal.binary_search(point).is_err();
    let dark = shown.layout.iter().filter(|point| is_dark(shown, *point));
    match standing::tracks(&shown.status.settings) {
        Tracks::Fewer if legal > FEW && legal > dark.filter(is_illegal).count() => {
            Tracks::Forbidden(Among::Dark)
        }
        Tracks::Fewer => Tracks::Legal,
        tracks => tracks,
    }
}

/// True if a point is not lit.
pub fn is_dark(shown: &Shown, point: Point) -> bool {
    shown.frame.points.get(point) == Colour::OFF
}

/// A mark with this meaning.
fn mark_at(shown: &Shown, point: Point, meaning: MarkMeaning) -> PointMark {
    let turn = shown.status.turn;
    PointMark {
        point,
        meaning,
        is_lit: !is_dark(shown, point),
        of: turn.filter(|_| !matches!(meaning, MarkMeaning::Forbidden | MarkMeaning::Decided)),
    }
}

/// The mark of the last move. While the game is paused, its points are dark, and
/// a ring would surround nothing.
fn last_move(shown: &Shown) -> Option<PointMark> {
    let status = &shown.status;
    let last = status.last_move.filter(|_| !status.paused);
    let last = last.filter(|last| shown.layout.has(last.point))?;
    Some(PointMark {
        point: last.point,
        is_lit: !is_dark(shown, last.point),
        of: None,
        meaning: match last.by {
            Mover::Clock => MarkMeaning::LastByClock,
            Mover::Finger | Mover::Board => MarkMeaning::Last,
        },
    })
}

/// The marks of the points over which the last move came. A touch that asks for help
/// is none of them.
fn way_of_last_move(shown: &Shown, log: &Log) -> Vec<PointMark> {
    let status = &shown.status;
    let has_help = find(status.settings.game).is_some_and(Guide::has_help);
    let last = status.last_move.filter(|_| !has_help);
    let way = last.map_or_else(Vec::new, |last| came_from(log, last));
    let way = way.into_iter().filter(|point| shown.layout.has(*point));
    way.map(|point| PointMark {
        of: last.map(|last| last.side),
        ..mark_at(shown, point, MarkMeaning::CameFrom)
    })
    .collect()
}

/// The marks for the effect of a touch under the mouse. A piece that would be
/// placed has none if its ghost is drawn.
fn preview_marks(shown: &Shown, preview: &Preview, switches: WindowSwitches) -> Vec<PointMark> {
    let ghosts = ghosts::of(shown, preview, switches);
    let has_ghost = |point: &Point| ghosts.iter().any(|ghost| ghost.point == *point);
    let mut placed = preview.placed.clone();
    placed.retain(|point| !has_ghost(point));
    let all = [
        (&placed, MarkMeaning::WouldPlace),
        (&preview.turned, MarkMeaning::WouldTurn),
        (&preview.taken, MarkMeaning::WouldTake),
        (&preview.goes_to, MarkMeaning::WouldGo),
    ];
    let marks = all.into_iter().flat_map(|(points, meaning)| {
        let points = points.iter().copied();
        let points = points.filter(|point| shown.layout.has(*point));
        points.map(move |point| PointMark {
            of: preview.side,
            ..mark_at(shown, point, meaning)
        })
    });
    marks.collect()
}

/// The point of the piece that a person holds.
fn held_at(shown: &Shown) -> Option<Point> {
    let figures = shown.pieces.as_ref().map_or(&[][..], |all| &all.figures);
    let held = figures.iter().find(|(_, figure)| figure.is_held);
    held.map(|(point, _)| *point)
}

/// True if a piece is on the point.
fn is_occupied(shown: &Shown, point: Point) -> bool {
    let figures = shown.pieces.as_ref().map_or(&[][..], |all| &all.figures);
    figures.iter().any(|(at, _)| *at == point)
}

/// What decided the game on the board, if it is over and this follows from its lights or its
/// text.
pub(super) fn decision(shown: &Shown, text: &OpenText) -> Option<Decision> {
    let (status, settings) = (&shown.status, &shown.status.settings);
    let outcome = status.outcome.filter(|_| !status.paused)?;
    let last = status.last_move.map(|last| last.point);
    let won_by = last.filter(|last| outcome != Outcome::Draw && shown.layout.has(*last));
    if let Some(length) = find(settings.game)?.winning_row(settings) {
        return row_on_grid(shown.layout, &shown.frame, won_by?, length);
    }
    let game = text.game.as_deref()?;
    if settings.game != LAYOUTS_OWN || *game.layout != shown.layout {
        return None;
    }
    let seen = won_by.and_then(|last| decision_of_text(game, &shown.frame, last));
    seen.or_else(|| {
        let end = shown.pieces.as_ref()?.end?;
        other_decision(game, &shown.frame, (outcome, status.score?), end)
    })
}

/// The points with what decided the game: its row or chain, or the king that is mated.
fn deciding(shown: &Shown, decision: &Decision) -> Vec<Point> {
    let (EndReason::Checkmate, Some(Outcome::Won(side))) = (&decision.reason, shown.status.outcome)
    else {
        return decision.pieces.clone();
    };
    let figures = shown.pieces.iter().flat_map(|all| &all.figures);
    let is_lost = |figure: &Figure| {
        figure.look.form == PieceShape::King && figure.tint == Tint::Side(side.other())
    };
    let kings = figures.filter(|(_, figure)| is_lost(figure));
    kings.map(|(point, _)| *point).collect()
}
