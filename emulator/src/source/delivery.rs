//! Passes the commands of a picture to the board, and keeps a game that they end.

use bevy::prelude::*;
use firmware_core::AnyBoard;
use protocol::Deed;
use touchboard_host::standing::phase;

use super::reports::Reports;
use super::written::OpenText;
use super::{RequestKind, Shown, ShownBoard, UnfinishedGame, WindowCommand, unfinished};

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
        let left = match may_leave(command, &mut board) {
            true => UnfinishedGame::on_board(&mut *board.0, &shown, &reports.log, choice),
            false => Ok(None),
        };
        let done = board.0.obey(command);
        let was_on = !matches!(left, Ok(None));
        let has_left = was_on && done.is_ok() && !has_game(&mut board);
        if done.is_ok() && matches!(command, WindowCommand::Do(deed) if deed.restarts()) {
            reports.log.restart();
        }
        if has_left {
            unfinished::leave(left, &mut reports, &mut world);
        }
        // If several commands of one picture report a result, a failure takes precedence.
        if !matches!(result, Some(Err(_))) {
            result = Some(done);
        }
        let goes_on = matches!(command, WindowCommand::Do(deed) if !deed.restarts());
        if !goes_on {
            reports.rate.restart();
        }
    }
    if let Some(result) = result {
        reports.trouble(RequestKind::Order, result);
    }
}

/// True if a command may end the game on the board. What it does is tried on a copy, since
/// collecting the past of a long game takes longer, and most settings end no game.
fn may_leave(command: &WindowCommand, board: &mut ShownBoard) -> bool {
    let WindowCommand::Do(deed) = command else {
        return false;
    };
    if deed.restarts() {
        return true;
    }
    if !matches!(deed, Deed::Settings(_) | Deed::Choose(_)) {
        return false;
    }
    let Some(mut copy) = board.0.copy() else {
        return true;
    };
    let is_on = |board: &AnyBoard| phase(&board.status()).is_on();
    let was_on = is_on(&copy);
    let is_done = copy.carry_out(deed, &mut |_, _| ()).is_ok();
    was_on && is_done && !is_on(&copy)
}

/// True if a game is on on this board.
fn has_game(board: &mut ShownBoard) -> bool {
    let copy = board.0.copy();
    copy.is_some_and(|board| phase(&board.status()).is_on())
}

#[cfg(test)]
mod tests {
    use protocol::{Button, Input, Layout, Settings};
    use touchboard_host::{CoreDriver, Driver};

    use super::*;
    use crate::source::core::InProcess;

    #[test]
    fn only_a_command_that_ends_the_game_collects_its_past() {
        let mut driver = CoreDriver::new(Layout::MALDOO, 1).unwrap();
        for input in [Input::Press(Button::Start), Input::Lift(Button::Start)] {
            driver.step(&[input], 300).unwrap();
        }
        let settings = driver.board().settings();
        let mut board = ShownBoard(Box::new(InProcess::new(driver).unwrap()));
        let mut leaves = |deed| may_leave(&WindowCommand::Do(deed), &mut board);
        let (level, mode) = (settings.level + 1, settings.mode + 1);
        assert!(!leaves(Deed::Settings(settings)));
        assert!(!leaves(Deed::Settings(Settings { level, ..settings })));
        assert!(leaves(Deed::Settings(Settings { mode, ..settings })));
        assert!(leaves(Deed::Choose(settings.game + 5)));
        assert!(!leaves(Deed::Input(Input::Pass)));
        let (seed, layout) = (2, Layout::MALDOO);
        assert!(leaves(Deed::Reset { seed, layout }));
    }
}
