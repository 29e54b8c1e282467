//! The point under the mouse, looked up on a copy of the board: the meaning of its light,
//! and the effect of a touch.
//!
//! Invariants: the board itself is not changed. The copy is asked once per shown state,
//! not once per picture. While the mouse presses something, no point counts as under it.
//! If the board is elsewhere and has no copy here, nothing is looked up.

use std::time::Duration;

use bevy::prelude::*;
use firmware_core::game::Service;
use protocol::{Layout, Point};
use touchboard_host::preview::{self, Preview};
use touchboard_host::{light_meaning, touches};

use super::SceneSet;
use super::resting::Resting;
use super::touch::{BoardPart, Pointed};
use crate::source::{BoardTime, Shown, ShownBoard};
use crate::switches::WindowSwitches;

/// The point under the mouse, once the mouse has rested there for [`RESTS`].
#[derive(Resource, Clone, Debug, Default, PartialEq)]
pub struct Hover(pub Option<PointedAt>);

/// A point under the mouse, with the results of its look-up.
#[derive(Clone, Debug, PartialEq)]
pub struct PointedAt {
    /// The point under the mouse.
    pub point: Point,
    /// The meaning of its light in the current game.
    pub meaning: String,
    /// The reason why a touch is not a move; `None` if it is one.
    pub why_not: Option<String>,
    /// The service that a touch asks for, if it is not a move.
    pub service: Option<Service>,
    /// The effect of a touch, if it may be shown.
    pub preview: Option<Preview>,
}

/// How long the mouse must rest on a point before the point is looked up.
pub const RESTS: Duration = Duration::from_millis(120);

/// Looks up the point under the mouse.
pub struct HoverPlugin;

impl Plugin for HoverPlugin {
    fn build(&self, app: &mut App) {
        app.init_resource::<Hover>()
            .init_resource::<WindowSwitches>()
            .init_resource::<Pointed>()
            .init_resource::<BoardTime>()
            .add_systems(Update, update_hover.in_set(SceneSet::Plan));
    }
}

/// Everything that a look-up depends on.
#[derive(Clone, Debug, PartialEq)]
struct LookUpKey {
    point: Point,
    layout: Layout,
    legal: Vec<Point>,
    light: protocol::Light,
    last: Option<protocol::LastMove>,
    turn: Option<protocol::Side>,
    paused: bool,
    is_over: bool,
    is_previewed: bool,
}

impl LookUpKey {
    fn of(point: Point, shown: &Shown, switches: WindowSwitches) -> LookUpKey {
        let status = &shown.status;
        LookUpKey {
            point,
            layout: shown.layout,
            legal: shown.legal.clone(),
            light: shown.frame.light(point),
            last: status.last_move,
            turn: status.turn,
            paused: status.paused,
            is_over: status.outcome.is_some(),
            is_previewed: switches.preview,
        }
    }
}

fn update_hover(
    pointed: Res<Pointed>,
    (shown, switches): (Res<Shown>, Res<WindowSwitches>),
    time: Res<Time<Real>>,
    mut board: Option<ResMut<ShownBoard>>,
    mut resting: Local<Resting<Point>>,
    mut asked: Local<Option<LookUpKey>>,
    mut hover: ResMut<Hover>,
) {
    let point = match pointed.0 {
        Some((BoardPart::Field(Some(point)), _)) if shown.layout.has(point) => Some(point),
        _ => None,
    };
    let rests = resting.on(point, time.elapsed());
    let rests = rests.filter(|rests| *rests >= RESTS);
    let Some(point) = point.filter(|_| rests.is_some()) else {
        *asked = None;
        hover.set_if_neq(Hover(None));
        return;
    };
    let question = LookUpKey::of(point, &shown, *switches);
    if asked.as_ref() == Some(&question) {
        return;
    }
    let copy = board.as_mut().and_then(|board| board.0.copy());
    let found = copy.map(|board| PointedAt {
        point,
        meaning: light_meaning::of(&board, point),
        why_not: match shown.legal.binary_search(&point) {
            Ok(_) => None,
            Err(_) => touches::why(&board, point),
        },
        service: touches::service_at(&board, point),
        preview: switches
            .preview
            .then(|| preview::of(&board, point))
            .flatten(),
    });
    *asked = Some(question);
    hover.set_if_neq(Hover(found));
}
