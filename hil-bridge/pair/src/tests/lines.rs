//! Lines that are cut, and messages that are lost, repeated or late.

use law::{Judged, Weight, law};
use proptest::prelude::*;

use super::deed;
use super::table::Room;
use crate::message::{TableDeed, TableEntry, TableSeat};

/// What happens in a room. People are chosen by their place: the seats, and the watcher.
#[derive(Clone, Debug)]
enum Mishap {
    Ask(usize, TableDeed),
    RelayHears(usize),
    PersonHears(usize),
    LoseToRelay(usize),
    LoseFromRelay(usize),
    RepeatToRelay(usize),
    RepeatFromRelay(usize),
    SwapToRelay(usize),
    SwapFromRelay(usize),
    Cut(usize, bool),
    Connect(usize),
    Reload(usize),
    Pass(u64),
    Follow(usize, u64),
    Settle,
}

fn mishap() -> impl Strategy<Value = Mishap> {
    let who = || 0_usize..3;
    prop_oneof![
        8 => (0_usize..2, deed()).prop_map(|(who, deed)| Mishap::Ask(who, deed)),
        6 => who().prop_map(Mishap::RelayHears),
        6 => who().prop_map(Mishap::PersonHears),
        1 => who().prop_map(Mishap::LoseToRelay),
        1 => who().prop_map(Mishap::LoseFromRelay),
        1 => who().prop_map(Mishap::RepeatToRelay),
        1 => who().prop_map(Mishap::RepeatFromRelay),
        1 => who().prop_map(Mishap::SwapToRelay),
        1 => who().prop_map(Mishap::SwapFromRelay),
        2 => (who(), any::<bool>()).prop_map(|(who, is_noticed)| Mishap::Cut(who, is_noticed)),
        4 => who().prop_map(Mishap::Connect),
        1 => who().prop_map(Mishap::Reload),
        6 => (0_u64..400).prop_map(Mishap::Pass),
        6 => (who(), 0_u64..800).prop_map(|(who, most)| Mishap::Follow(who, most)),
        3 => Just(Mishap::Settle),
    ]
}

impl Mishap {
    fn happen(&self, room: &mut Room) {
        match self {
            Mishap::Ask(who, deed) => room.people[*who].ask(*deed),
            Mishap::RelayHears(who) => room.relay_hears(*who),
            Mishap::PersonHears(who) => room.person_hears(*who),
            Mishap::LoseToRelay(who) => {
                room.people[*who].to_relay.pop_front();
            }
            Mishap::LoseFromRelay(who) => {
                room.people[*who].from_relay.pop_front();
            }
            Mishap::RepeatToRelay(who) => {
                let line = &mut room.people[*who].to_relay;
                line.extend(line.front().cloned());
            }
            Mishap::RepeatFromRelay(who) => {
                let line = &mut room.people[*who].from_relay;
                line.extend(line.front().cloned());
            }
            Mishap::SwapToRelay(who) => room.people[*who].to_relay.rotate_left_once(),
            Mishap::SwapFromRelay(who) => room.people[*who].from_relay.rotate_left_once(),
            Mishap::Cut(who, is_noticed) => room.cut(*who, *is_noticed),
            Mishap::Connect(who) => {
                if room.people[*who].line.is_none() {
                    room.connect(*who);
                }
            }
            Mishap::Reload(who) => room.reload(*who),
            Mishap::Pass(ms) => room.pass(*ms),
            Mishap::Follow(who, most) => room.people[*who].follow(*most),
            Mishap::Settle => room.settle(),
        }
    }
}

/// A queue whose first message becomes the last.
trait RotateOnce {
    fn rotate_left_once(&mut self);
}

impl<T> RotateOnce for std::collections::VecDeque<T> {
    fn rotate_left_once(&mut self) {
        if let Some(first) = self.pop_front() {
            self.push_back(first);
        }
    }
}

/// The deeds that a seat has in the order of the table.
fn entered(log: &[TableEntry], seat: TableSeat) -> Vec<TableDeed> {
    let own = log.iter().filter(|entry| entry.seat == seat);
    own.map(|entry| entry.deed).collect()
}

#[test]
fn whatever_happens_to_the_lines_the_boards_get_the_same_inputs_at_the_same_ticks() {
    let mishaps = prop::collection::vec(mishap(), 0..160);
    law(Weight::of(200, 60), mishaps, |mishaps| {
        let mut room = Room::with_three();
        let mut reloads = [false; 3];
        for mishap in &mishaps {
            mishap.happen(&mut room);
            if let Mishap::Reload(who) = mishap {
                reloads[*who] = true;
            }
        }
        room.heal();
        let name = room.name();
        let log = room.lobby.table(name).expect("it is kept").log().to_vec();
        let ticks: Vec<_> = log.iter().map(|entry| entry.tick).collect();
        prop_assert!(ticks.is_sorted());
        for who in 0..3 {
            let side = &room.people[who].side;
            prop_assert_eq!(side.failed(), None);
            prop_assert_eq!(side.parted(), None);
            prop_assert_eq!(side.waiting(), 0);
            prop_assert_eq!(side.entries(), log.as_slice());
            prop_assert!(side.same().is_some(), "no digest was compared for {}", who);
        }
        let all = [0, 1, 2].map(|who| room.people[who].digest());
        prop_assert_eq!(all[0], all[1]);
        prop_assert_eq!(all[0], all[2]);
        for seat in TableSeat::ALL {
            // What a page has asked for and the relay has not heard goes with the page.
            if !reloads[seat.index()] {
                let asked = &room.people[seat.index()].asked;
                prop_assert!(entered(&log, seat).starts_with(asked));
            }
        }
        Ok(Judged::if_any(log.len() > 3))
    });
}

#[test]
fn a_lost_line_stops_time_for_both_and_its_return_lets_it_go_on() {
    let mut room = Room::with_three();
    room.pass(50);
    room.settle();
    let tick = |room: &Room| room.lobby.table(room.name()).unwrap().tick();
    let before = tick(&room);
    assert_eq!(before, 50);
    room.cut(1, true);
    room.settle();
    assert_eq!(room.people[0].side.presence().seats, [true, false]);
    assert_eq!(room.people[2].side.presence().seats, [true, false]);
    room.pass(90);
    assert_eq!(tick(&room), before);
    room.connect(1);
    room.settle();
    assert_eq!(room.people[0].side.presence().seats, [true, true]);
    room.pass(20);
    assert_eq!(tick(&room), before + 20);
    // A watcher's line stops nobody.
    room.cut(2, true);
    room.pass(20);
    assert_eq!(tick(&room), before + 40);
}

#[test]
fn boards_that_differ_are_told_to_all_with_tick_and_digests_and_time_stops() {
    let mut room = Room::with_three();
    for person in &mut room.people {
        person.follow(0);
    }
    // A board whose memory was damaged.
    let (board, _) = room.people[1].board.as_mut().unwrap();
    let touch = protocol::Input::Press(protocol::Button::Start);
    touchboard_host::Driver::step(board, &[touch], 0).unwrap();
    room.heal();
    let parted = room.people[0].side.parted().expect("they differ");
    assert_eq!(parted.tick, crate::message::DIGEST_EVERY);
    assert_ne!(parted.digests[0], parted.digests[1]);
    for person in &room.people {
        assert_eq!(person.side.parted(), Some(parted));
    }
    let table = room.lobby.table(room.name()).unwrap();
    assert!(!table.runs());
}
