//! Passes the commands of a picture to the board, and keeps a game that they end.

use bevy::prelude::*;
use protocol::Deed;
use touchboard_host::standing::phase;

use super::reports::Reports;
use super::written::OpenText;
use super::{RequestKind, Shown, ShownBoard, UnfinishedGame, WindowCommand};

/// Passes commands to the board.
pub fn deliver(
    mut board: ResMut<ShownBoard>,
    mut commands: MessageReader<WindowCommand>,
    (shown, text): (Res<Shown>, Res<OpenText>),
    mut reports: Reports,
    mut world: Commands,
) {
    let mut result = None;
    for command in commands.read() {
        let choice = text.of_layout(shown.layout);
        let left = match may_leave(command) {
            true => UnfinishedGame::on_board(&mut *board.0, &shown, &reports.log, choice),
            false => None,
        };
        let done = board.0.obey(command);
        if let Some(left) = left.filter(|_| done.is_ok() && !has_game(&mut board)) {
            world.insert_resource(left);
        }
        if done.is_ok() && matches!(command, WindowCommand::Do(deed) if deed.begins_anew()) {
            reports.log.begin_anew();
        }
        // If several commands of one picture report a result, a failure takes precedence.
        if !matches!(result, Some(Err(_))) {
            result = Some(done);
        }
        let goes_on = matches!(command, WindowCommand::Do(deed) if !deed.begins_anew());
        if !goes_on {
            reports.rate.begin_anew();
        }
    }
    if let Some(result) = result {
        reports.trouble(RequestKind::Order, result);
    }
}

/// True if a command may put another game on the board.
fn may_leave(command: &WindowCommand) -> bool {
    let WindowCommand::Do(deed) = command else {
        return false;
    };
    deed.begins_anew() || matches!(deed, Deed::Settings(_) | Deed::Choose(_))
}

/// True if a game is on on this board.
fn has_game(board: &mut ShownBoard) -> bool {
    let copy = board.0.copy();
    copy.is_some_and(|board| phase(&board.status()).is_on())
}
