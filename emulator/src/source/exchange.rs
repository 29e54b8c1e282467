//! The exchange with the board in each picture: commands go to it, its time passes, and
//! its events, its state and its troubles are reported.

use std::time::Duration;

use bevy::ecs::system::SystemParam;
use bevy::prelude::*;
use protocol::{Deed, Layout, StampedEvent, Tick};

use touchboard_host::standing::phase;

use super::{
    BoardLink, BoardTime, Curtain, Happened, LinkSince, Log, RealRate, Rebuilt, RequestKind,
    Restarted, Shown, ShownBoard, Trouble, UnfinishedGame, WindowCommand, written::OpenText,
};

/// The most real time that one picture makes up for. It is longer than a picture takes
/// without a graphics card, but short enough that the board does not race after the
/// window was blocked.
const LONGEST_STEP: Duration = Duration::from_millis(1_000);

/// Resources that report to the user, apart from [`Shown`].
#[derive(SystemParam)]
pub struct Reports<'w> {
    pub time: Res<'w, Time<Real>>,
    pub clock: ResMut<'w, BoardTime>,
    pub rate: ResMut<'w, RealRate>,
    pub since: ResMut<'w, LinkSince>,
    pub trouble: ResMut<'w, Trouble>,
    pub log: ResMut<'w, Log>,
    pub rebuilt: ResMut<'w, Rebuilt>,
}

impl Reports<'_> {
    /// Records the result of a request.
    pub fn trouble(&mut self, of: RequestKind, result: Result<(), String>) {
        self.trouble.record(of, result, self.time.elapsed());
    }

    /// Tells of a game that is continued on a board of this layout: log and text are as they
    /// were when it was left.
    pub fn go_on_with(&mut self, game: &UnfinishedGame, layout: Layout, text: &mut OpenText) {
        game.fill_log(&mut self.log);
        let stamped = |(tick, event)| StampedEvent {
            number: 0,
            tick,
            event,
        };
        let changed = text.resume(game.text(), layout, game.events().map(stamped));
        if let Some(sentence) = changed {
            let tick = self.log.iter().next_back().map_or(0, |line| line.tick);
            self.log.add_sentence(tick, sentence);
        }
    }

    /// Records the board's new tick in clock, log and measured rate.
    fn tick(&mut self, tick: Tick, before: &Shown, shown: &Shown) {
        let jumped = before.past.jumps != shown.past.jumps;
        // A board that restarted did not go back: its later ticks belong to the run
        // before.
        if jumped || tick < self.clock.0 && shown.lost.restarted.is_none() {
            self.log.go_back(tick, shown.past.latest);
        } else if self.log.has_lines_ahead() {
            self.log.come_to(tick, shown.past.latest);
        }
        self.clock.set_if_neq(BoardTime(tick));
        if shown.link.answers() {
            self.rate.note(self.time.elapsed(), tick, shown.pace);
        } else {
            self.rate.begin_anew();
        }
    }

    /// Adds news of the board and its line to the log.
    fn log_link_changes(&mut self, before: &Shown, now: &Shown) {
        if before.link.answers() != now.link.answers()
            || before.link.is_down() != now.link.is_down()
        {
            self.since.0 = self.time.elapsed();
        }
        let tick = self.clock.0;
        match (&before.link, &now.link) {
            (BoardLink::Down(_), BoardLink::Down(_)) => {}
            (_, BoardLink::Down(sentence)) => self.log.add_sentence(tick, sentence.clone()),
            (BoardLink::Down(_), BoardLink::Up { .. }) if now.lost.restarted.is_none() => {
                self.log
                    .add_sentence(tick, "the board answers again".to_owned());
            }
            _ => {}
        }
        if let Some(Restarted { was_at, .. }) = now.lost.restarted
            && before.lost.restarted != now.lost.restarted
        {
            self.log
                .add_sentence(was_at, "the board restarted".to_owned());
        }
    }
}

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

/// Lets time pass on the board, and reports its events and its new state.
pub fn let_time_pass(
    mut board: ResMut<ShownBoard>,
    mut shown: ResMut<Shown>,
    curtain: Res<Curtain>,
    mut reports: Reports,
    mut happened: MessageWriter<Happened>,
    mut number: Local<u32>,
) {
    let mut next = shown.clone();
    if *curtain == Curtain::Closed {
        board.0.preview(&mut next);
        shown.set_if_neq(next);
        return;
    }
    let elapsed = reports.time.delta().min(LONGEST_STEP);
    let mut events = Vec::new();
    let mut tell = |tick, event| events.push((tick, event));
    let updated = board.0.update(elapsed, &mut next, &mut tell);
    if let Some(rerun) = board.0.take_rerun() {
        let now = reports.time.elapsed();
        reports.rebuilt.record(rerun, now, &mut reports.log);
    }
    for (tick, event) in events {
        let stamped = StampedEvent {
            number: *number,
            tick,
            event,
        };
        *number = number.wrapping_add(1);
        reports.log.note(stamped);
        happened.write(Happened(stamped));
    }
    match updated {
        Ok(tick) => reports.tick(tick, &shown, &next),
        Err(sentence) => reports.trouble(RequestKind::Order, Err(sentence)),
    }
    reports.log_link_changes(&shown, &next);
    for sentence in board.0.take_said() {
        let tick = reports.clock.0;
        reports.log.add_sentence(tick, sentence);
    }
    shown.set_if_neq(next);
}
