//! Time passes on the board in each picture, and its events, its state and its troubles are
//! reported.

use std::time::Duration;

use bevy::prelude::*;
use protocol::StampedEvent;

use super::reports::Reports;
use super::{Curtain, Happened, RequestKind, Shown, ShownBoard};

/// The most real time that one picture makes up for. It is longer than a picture takes
/// without a graphics card, but short enough that the board does not race after the
/// window was blocked.
const LONGEST_STEP: Duration = Duration::from_millis(1_000);

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
        Err(error) => reports.trouble(RequestKind::Order, Err(error)),
    }
    reports.log_link_changes(&shown, &next);
    for sentence in board.0.take_said() {
        let tick = reports.clock.0;
        reports.log.add_sentence(tick, sentence);
    }
    shown.set_if_neq(next);
}
