//! Laws of signals: the oracle is a board that is stepped tick by tick.

mod conditions;
mod files;

use std::sync::LazyLock;

use firmware_core::AnyBoard;
use firmware_core::games::number;
use law::{Judged, Weight, law};
use proptest::prelude::*;
use protocol::{Button, Deed, GridSize, Input, Layout, Point, Settings, Tick};

use super::*;
use crate::driver::{CoreDriver, Driver};
use crate::pieces::board_of_state;
use crate::session::{Header, Session, SessionEntry, SessionItem, faults_note};

const SEED: u64 = 5;

/// The settings of Reversi against the board.
const SETTINGS: Settings = Settings {
    game: number::REVERSI,
    time: 9,
    speed: 5,
    level: 1,
    mode: 0,
};

static SMALL: LazyLock<Layout> = LazyLock::new(|| Layout::Grid(GridSize::new(4, 4).unwrap()));

/// A game of Reversi that begins, with these touches a while after each other.
fn session(layout: Layout, touches: &[(u8, Tick)]) -> Session {
    let mut session = Session::new(Header::new(layout, SEED, "signals"));
    let mut tick = 0;
    session.push(0, SessionItem::Do(Deed::Settings(SETTINGS)));
    for (input, ms) in [
        (Input::Press(Button::Start), 20),
        (Input::Lift(Button::Start), 300),
    ] {
        session.push(tick, SessionItem::from(input));
        tick += ms;
    }
    for (point, ms) in touches {
        let point = Point(point % u8::try_from(layout.points()).unwrap());
        session.push(tick, SessionItem::from(Input::Touch(point)));
        tick += 20;
        session.push(tick, SessionItem::from(Input::Release(point)));
        tick += ms;
    }
    session.push(tick, SessionItem::End);
    session
}

/// Every signal at every tick, the slow way.
fn tick_by_tick(session: &Session, signals: &[Signal]) -> Vec<Vec<SignalValue>> {
    let header = &session.header;
    let mut board = AnyBoard::with_games(*header.layout, header.roster, header.seed).unwrap();
    let mut reader = SignalReader::new(signals.to_vec());
    let mut ticks = Vec::new();
    let mut entries = session.entries.iter().peekable();
    loop {
        while let Some(entry) = entries.next_if(|entry| entry.tick == board.tick()) {
            if let SessionItem::Do(deed) = &entry.item {
                let mut tell = |_, event| reader.count(&event);
                // An event of its own, which a driver tells.
                if let Deed::Input(input) = deed {
                    tell(0, protocol::Event::Taken(*input));
                }
                board.carry_out(deed, &mut tell).unwrap();
            }
        }
        ticks.push(reader.read(&board).map(|(_, value)| value).collect());
        if entries.peek().is_none() {
            return ticks;
        }
        board.advance(1, &mut |_, event| reader.count(&event));
    }
}

fn touches() -> impl Strategy<Value = Vec<(u8, Tick)>> {
    prop::collection::vec((any::<u8>(), 0..400_u64), 5..12)
}

#[test]
fn a_waveform_has_the_value_of_every_tick() {
    law(Weight::of(16, 70), touches(), |touches| {
        let session = session(*SMALL, &touches);
        let board = AnyBoard::new(*SMALL, SEED).unwrap();
        let mut signals = Signal::all(*SMALL);
        signals.extend(Signal::of_state(&board));
        let waves = SignalReplayer::whole(&session, signals.clone()).unwrap();
        for (tick, values) in (0..).zip(tick_by_tick(&session, &signals)) {
            for (wave, value) in waves.waves.iter().zip(&values) {
                let name = wave.signal.name(*SMALL);
                prop_assert_eq!(wave.at(tick), Some(value), "{} at {}", name, tick);
            }
        }
        for wave in &waves.waves {
            let mut pairs = wave.changes.windows(2);
            prop_assert!(pairs.all(|pair| pair[0].0 < pair[1].0 && pair[0].1 != pair[1].1));
        }
        Ok(Judged::if_any(has_moves(&waves)))
    });
}

#[test]
fn waveforms_do_not_depend_on_pieces_of_a_session() {
    let cuts = prop::collection::vec((0..30_usize, 1..60_usize), 1..20);
    law(Weight::of(48, 70), (touches(), cuts), |(touches, cuts)| {
        let session = session(*SMALL, &touches);
        let signals = Signal::all(*SMALL);
        let whole = SignalReplayer::whole(&session, signals.clone()).unwrap();
        let mut pieces = SignalReplayer::new(&session.header, signals).unwrap();
        for (entries, looks) in cuts {
            let mut part = session.clone();
            let entries = entries.max(pieces.done_so_far()).min(part.entries.len());
            part.entries.truncate(entries);
            pieces.follow(&part, looks).unwrap();
        }
        prop_assert!(pieces.follow(&session, usize::MAX).unwrap());
        prop_assert_eq!(pieces.found(), &whole);
        Ok(Judged::if_any(has_moves(&whole)))
    });
}

#[test]
fn a_branched_session_is_followed_from_its_beginning() {
    law(
        Weight::of(32, 60),
        (touches(), touches()),
        |(touches, others)| {
            let signals = Signal::all(*SMALL);
            let (first, second) = (session(*SMALL, &touches), session(*SMALL, &others));
            let mut recorder = SignalReplayer::new(&first.header, signals.clone()).unwrap();
            recorder.follow(&first, usize::MAX).unwrap();
            recorder.follow(&second, usize::MAX).unwrap();
            let fresh = SignalReplayer::whole(&second, signals).unwrap();
            for (wave, other) in recorder.found().waves.iter().zip(&fresh.waves) {
                prop_assert_eq!(wave.at(fresh.until), other.at(fresh.until));
            }
            Ok(Judged::if_any(touches != others))
        },
    );
}

fn has_moves(waves: &Waveforms) -> bool {
    let moves = Signal::Event(EventKind::Move);
    let mut each = waves.waves.iter();
    each.any(|wave| wave.signal == moves && wave.changes.len() > 1)
}

#[test]
fn a_lamp_that_a_note_says_is_dead_is_dark_until_it_is_mended() {
    let b2 = SMALL.point("b2").unwrap();
    let mut session = session(*SMALL, &[]);
    session.entries.pop();
    session.push(5_000, SessionItem::End);
    let signals = vec![Signal::Lit(b2), Signal::Light(b2)];
    let whole = |session: &Session| SignalReplayer::whole(session, signals.clone()).unwrap();
    let sound = whole(&session);
    let is_lit = |ms: &Tick| sound.waves[0].at(*ms).unwrap().is_on();
    let since = (1_000..4_000).find(is_lit).expect("it is never lit");
    for (faults, ms) in [("none", since + 1), ("dead-led b2", since)] {
        let item = SessionItem::Note(faults_note(&faults.parse().unwrap()));
        let at = session.entries.partition_point(|entry| entry.tick < ms);
        session.entries.insert(at, SessionEntry { tick: ms, item });
    }
    let broken = whole(&session);
    assert_eq!(
        broken.waves[1], sound.waves[1],
        "the firmware says the same"
    );
    let lit = |ms| broken.waves[0].at(ms).unwrap().is_on();
    assert!(!lit(since));
    assert_eq!(lit(since + 1), is_lit(&(since + 1)));
}

#[test]
fn every_signal_name_reads_back() {
    for layout in [
        Layout::MALDOO,
        *SMALL,
        Layout::Grid(GridSize::new(16, 16).unwrap()),
    ] {
        let all = Signal::all(layout);
        for signal in &all {
            let name = signal.name(layout);
            assert_eq!(Signal::parse(&name, layout).as_ref(), Ok(signal));
        }
        let mut names: Vec<String> = all.iter().map(|signal| signal.name(layout)).collect();
        names.sort();
        names.dedup();
        assert_eq!(names.len(), all.len());
    }
}

#[test]
fn an_unknown_signal_is_refused_with_similar_ones() {
    let board = AnyBoard::new(Layout::MALDOO, SEED).unwrap();
    let told = |name: &str| select([name], &board).unwrap_err().to_string();
    insta::assert_snapshot!(
        [
            "lihgt.d4",
            "light.z9",
            "event.win",
            "button.stopp",
            "state.panel.sittings",
            "state.pannel",
            "score.3"
        ]
        .map(told)
        .join("\n")
    );
}

#[test]
fn a_group_selects_all_signals_below_it() {
    let board = AnyBoard::new(Layout::MALDOO, SEED).unwrap();
    assert_eq!(select(["light"], &board).unwrap().len(), 81);
    assert_eq!(select(["state.panel.settings"], &board).unwrap().len(), 5);
    assert_eq!(select(["turn", "light.d4"], &board).unwrap().len(), 2);
}

#[test]
fn waveform_time_continues_after_a_reset() {
    let mut session = session(*SMALL, &[(9, 200)]);
    let end = session.entries.pop().unwrap().tick;
    let layout = *SMALL;
    session.push(end, SessionItem::Do(Deed::Reset { seed: 1, layout }));
    session.push(50, SessionItem::from(Input::Touch(Point(0))));
    session.push(80, SessionItem::End);
    let touch = || vec![Signal::Point(Point(0))];
    let file = SignalReplayer::whole(&session, touch()).unwrap();
    assert_eq!(file.until, end + 80);
    assert_eq!(file.waves[0].changes.last().unwrap().0, end + 50);
}

#[test]
fn a_saved_state_has_the_signals_of_its_board() {
    let mut board = CoreDriver::new(Layout::MALDOO, SEED).unwrap();
    board.step(&[Input::Touch(Point(3))], 7).unwrap();
    let twin = board_of_state(&board.save().unwrap()).unwrap();
    let reader = SignalReader::new(Signal::all(Layout::MALDOO));
    let own: Vec<_> = reader.read(board.board()).collect();
    let saved: Vec<_> = reader.read(&twin).collect();
    assert_eq!(own, saved);
    assert!(twin.is_touched(Point(3)));
}

#[test]
fn a_contact_has_no_value_before_its_first_report() {
    let mut session = session(*SMALL, &[(5, 100)]);
    let point = Point(5);
    let signals = vec![Signal::Contact(point)];
    let waves = SignalReplayer::whole(&session, signals.clone()).unwrap();
    assert_eq!(waves.waves[0].changes, []);
    session.entries.pop();
    let tick = session.last_tick();
    for (ms, contact) in [(3, Input::Touch(point)), (9, Input::Release(point))] {
        session.push(tick + ms, SessionItem::Contact(contact));
    }
    session.push(tick + 20, SessionItem::End);
    let session = Session::parse(session.to_text().as_bytes()).unwrap();
    let waves = SignalReplayer::whole(&session, signals).unwrap();
    let bits = [(0, false), (tick + 3, true), (tick + 9, false)];
    let bits = bits.map(|(ms, bit)| (ms, SignalValue::Bit(bit)));
    assert_eq!(waves.waves[0].changes, bits);
}
