//! Two people play and a third one watches, over lines that are cut at every message.

use protocol::{Button, Input, Point};
use relay::RelayLimits;
use touchboard_pair::message::{TableDeed, TableRefusal};
use touchboard_pair::side::TableError;

use super::people::{Running, Somebody, digest_at, key_of, until};

/// A few deeds of each seat.
fn deeds(seat: u8) -> Vec<TableDeed> {
    let mut inputs = match seat {
        0 => vec![Input::Press(Button::Start), Input::Lift(Button::Start)],
        _ => Vec::new(),
    };
    for number in 0..3 {
        let point = Point(20 + 9 * number + seat);
        inputs.extend([Input::Touch(point), Input::Release(point)]);
    }
    inputs.into_iter().map(TableDeed::Input).collect()
}

/// Plays over lines of which one is cut after so many messages. Returns whether it was.
fn play_and_cut(relay: &Running, who: usize, after: usize) -> bool {
    let mut green = Somebody::opening(relay.address);
    green.cut_after = Some(after).filter(|_| who == 0);
    until("the table is open", &mut [&mut green], |all| {
        all[0].side.is_there()
    });
    let [mut red, mut watcher] =
        [1, 2].map(|which| Somebody::joining(relay.address, key_of(&green, which)));
    red.cut_after = Some(after).filter(|_| who == 1);
    watcher.cut_after = Some(after).filter(|_| who == 2);
    let all = &mut [&mut green, &mut red, &mut watcher];
    until("all are there", all, |all| {
        all.iter().all(|one| one.side.role().is_some())
    });
    let wanted: usize = (0..2).map(|seat| deeds(seat).len()).sum();
    for (green, red) in deeds(0)
        .into_iter()
        .zip(deeds(1).into_iter().map(Some).chain([None, None]))
    {
        all[0].ask(green);
        red.into_iter().for_each(|deed| all[1].ask(deed));
        all.iter_mut().for_each(|one| one.go_on());
    }
    until("all have everything", all, |all| {
        let has_all = |one: &&mut Somebody| {
            let entries = one.side.entries();
            let last = entries.last().map_or(0, |entry| entry.tick);
            entries.len() == wanted && one.side.until() > last && one.side.waiting() == 0
        };
        all.iter().all(has_all)
    });
    let log = all[0].side.entries().to_vec();
    let tick = all.iter().map(|one| one.side.until()).min().expect("three");
    let digests = [0, 1, 2].map(|who| digest_at(all[who], tick));
    assert_eq!(digests, [digests[0]; 3], "{who} was cut after {after}");
    for (seat, one) in (0_u8..).zip(all.iter()) {
        assert_eq!(one.side.entries(), log);
        let own = log
            .iter()
            .filter(|entry| entry.seat.index() == usize::from(seat));
        let own: Vec<TableDeed> = own.map(|entry| entry.deed).collect();
        assert_eq!(own, if seat < 2 { deeds(seat) } else { Vec::new() });
    }
    all[who].cut_after.is_none()
}

#[test]
fn a_line_that_is_cut_at_any_message_loses_nothing() {
    let relay = Running::new(RelayLimits::default());
    for who in 0..3 {
        let mut cuts = 0;
        for after in 0..24 {
            cuts += usize::from(play_and_cut(&relay, who, after));
        }
        assert!(cuts > 8, "{who} was only cut {cuts} times");
    }
}

#[test]
fn the_boards_are_compared_while_they_play_and_all_are_told() {
    let mut relay = Running::new(RelayLimits::default());
    let mut green = Somebody::opening(relay.address);
    until("the table is open", &mut [&mut green], |all| {
        all[0].side.is_there()
    });
    let [mut red, mut watcher] =
        [1, 2].map(|which| Somebody::joining(relay.address, key_of(&green, which)));
    let all = &mut [&mut green, &mut red, &mut watcher];
    until("time passes", all, |all| {
        all.iter().all(|one| one.side.until() > 1_000)
    });
    let digests = [0, 1, 2].map(|who| digest_at(all[who], 1_001));
    assert_eq!(digests, [digests[0]; 3]);
    until("all know that they are equal", all, |all| {
        all.iter()
            .all(|one| one.side.same().is_some_and(|(tick, _)| tick == 1_000))
    });
    relay.end();
    let closing = Some(TableError::Refused(TableRefusal::Closing));
    for one in all {
        // What was said before the relay ended is still on the line.
        one.hear();
        assert_eq!(one.side.failed(), closing);
    }
}
