//! Laws of signals: the oracle is a board that is stepped tick by tick.

use std::sync::LazyLock;

use firmware_core::AnyBoard;
use firmware_core::games::number;
use law::{Judged, Weight, law};
use proptest::prelude::*;
use protocol::{Button, Deed, GridSize, Input, Layout, Point, Settings, Tick};

use super::possible::PossibleValues;
use super::term::{Term, TermWatch};
use super::*;
use crate::driver::{CoreDriver, Driver};
use crate::pieces::board_of_state;
use crate::session::{Header, Session, SessionItem, TimedItem, faults_note};

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

#[test]
fn a_board_stops_at_the_first_tick_that_meets_a_condition() {
    law(
        Weight::of(96, 25),
        (touches(), 0..CONDITIONS.len()),
        |(touches, which)| {
            let condition = SignalCondition::parse(CONDITIONS[which], *SMALL).unwrap();
            let mut board = CoreDriver::new(*SMALL, SEED).unwrap();
            session(*SMALL, &touches)
                .replay(&mut board, &mut |_| {})
                .unwrap();
            let (within_ms, mut silent) = (5_000, SignalReader::new(Vec::new()));
            let expected = first_met(&mut board.board().clone(), &condition, within_ms);
            let found = run_until(
                &mut board,
                &condition,
                within_ms,
                &mut silent,
                &mut Vec::new(),
            );
            let stopped_at = match found {
                Ok(stopped) => Some(stopped.tick),
                Err(UntilError::NotWithin { .. }) => None,
                Err(error) => return Err(TestCaseError::fail(error.to_string())),
            };
            prop_assert_eq!(expected, stopped_at);
            prop_assert!(stopped_at.is_none_or(|tick| tick == board.tick()));
            Ok(Judged::if_any(stopped_at.is_some()))
        },
    );
}

#[test]
fn contacts_read_back_from_a_file() {
    let names = prop_oneof![Just(VcdNames::Scoped), Just(VcdNames::Whole)];
    law(
        Weight::of(16, 70),
        (touches(), names),
        |(touches, names)| {
            let session = session(*SMALL, &touches);
            let mut waves = SignalReplayer::whole(&session, Signal::all(*SMALL)).unwrap();
            let judged = Judged::if_any(has_moves(&waves));
            waves.drop_constant();
            let mut file = Vec::new();
            write_vcd(&waves, names, &mut file).unwrap();
            let header = Header {
                settings: Some(SETTINGS),
                ..session.header.clone()
            };
            let back = read_touches(header, file.as_slice()).unwrap();
            prop_assert_eq!(&back.broken, &None);
            let signals = waves.waves.iter().map(|wave| wave.signal.clone());
            let again = SignalReplayer::whole(&back.session, signals.collect()).unwrap();
            for (wave, back) in waves.waves.iter().zip(&again.waves) {
                // A change of settings is not a contact.
                let is_theirs = wave.signal == Signal::Event(EventKind::Settings);
                prop_assert!(is_theirs || wave == back, "{:?}, then {:?}", wave, back);
            }
            Ok(judged)
        },
    );
}

#[test]
fn reading_any_bytes_of_signals_does_not_panic() {
    let bytes = prop::collection::vec(any::<u8>(), 0..200);
    law(
        Weight::of(512, 20),
        (bytes, 0..400_usize),
        |(bytes, keep)| {
            let head =
                b"$timescale 1 ms $end $var wire 1 ! d4 $end $enddefinitions $end #5 1! #9 0! ";
            let mut file = head[..keep.min(head.len())].to_vec();
            file.extend(bytes);
            let read = read_touches(Header::new(Layout::MALDOO, 1, ""), file.as_slice());
            match &read {
                Ok(read) => prop_assert!(read.session.is_complete()),
                Err(error) => prop_assert!(!error.to_string().is_empty()),
            }
            Ok(Judged::if_any(read.is_ok_and(|read| read.broken.is_some())))
        },
    );
}

fn has_moves(waves: &Waveforms) -> bool {
    let moves = Signal::Event(EventKind::Move);
    let mut each = waves.waves.iter();
    each.any(|wave| wave.signal == moves && wave.changes.len() > 1)
}

#[test]
fn a_signal_only_has_values_that_a_condition_may_name() {
    law(Weight::of(16, 70), touches(), |touches| {
        let signals = Signal::all(*SMALL);
        let waves = SignalReplayer::whole(&session(*SMALL, &touches), signals).unwrap();
        for wave in &waves.waves {
            let possible = PossibleValues::of(&wave.signal);
            for (_, value) in &wave.changes {
                let is_possible = possible.contain(&value.to_string());
                prop_assert!(is_possible, "{:?}: {}", wave.signal, value);
            }
        }
        Ok(Judged::if_any(has_moves(&waves)))
    });
}

#[test]
fn a_value_that_a_signal_never_has_is_refused_at_once() {
    let told = |text: &str| {
        let refusal = SignalCondition::parse(text, Layout::MALDOO).unwrap_err();
        format!("{text}: {refusal}")
    };
    insta::assert_snapshot!(
        [
            "turn = purple",
            "winner != nobody",
            "light.d4 = purple",
            "light.d4 = green quickly",
            "paused = maybe",
            "level = 9",
            "score.green = 07",
            "turn > 3",
        ]
        .map(told)
        .join("\n")
    );
    for text in [
        "turn = RED",
        "lit.d4 = ON",
        "light.d4 = amber slow",
        "level = 4",
        "display = 12",
    ] {
        SignalCondition::parse(text, Layout::MALDOO).unwrap();
    }
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
        session.entries.insert(at, TimedItem { tick: ms, item });
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

/// Some of each kind.
const CONDITIONS: [&str; 19] = [
    "event.move",
    "event.bleep changes",
    "turn = green",
    "turn != none",
    "thinking falls",
    "beeper rises",
    "score.green >= 3",
    "legal < 2",
    "lit.b2 falls",
    "lit.b2 rises for 100",
    "light.a1 != off for 30",
    "display = TIME",
    "beeper for < 300",
    "lit.b2 for < 400",
    "event.move and turn != none",
    "turn = green and legal >= 2 for 50",
    "lit.b2 rises and turn != none",
    "light.a1 = off for 30 and beeper = 0",
    "event.bleep and beeper != 0 and score.green >= 1",
];

/// The slow way: the first tick from now on at which a condition is met.
fn first_met(board: &mut AnyBoard, condition: &SignalCondition, within: Tick) -> Option<Tick> {
    let silent = SignalReader::new(Vec::new());
    let mut watch = SignalWatch::new(condition.clone(), &silent);
    for _ in 0..=within {
        if watch.poll(board) {
            return Some(board.tick());
        }
        board.advance(1, &mut |_, event| watch.reader.count(&event));
    }
    None
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
fn a_wrong_condition_is_refused_with_a_sentence() {
    let told = |text: &str| SignalCondition::parse(text, Layout::MALDOO).unwrap_err();
    insta::assert_snapshot!(
        [
            "",
            "turn is red",
            "turn =",
            "score.green > many",
            "turn changes red",
            "turn changes for 5",
            "turn for long",
            "turn changes for < 5",
            "paused for < 1",
            "turn = red and",
            "turn and and legal",
            "turn = red and light.z9"
        ]
        .map(told)
        .join("\n")
    );
}

fn watch_of(words: &[&str]) -> TermWatch {
    TermWatch::new(Term::parse(words, Layout::MALDOO).unwrap())
}

#[test]
fn terms_joined_by_and_are_met_at_the_same_tick() {
    let mut board = AnyBoard::new(Layout::MALDOO, SEED).unwrap();
    let watch = |text: &str| {
        let condition = SignalCondition::parse(text, Layout::MALDOO).unwrap();
        SignalTrigger::new(condition)
    };
    let mut edge = watch("button.start rises and button.level");
    let mut level = watch("button.start for 5 and button.level");
    let mut poll = |board: &AnyBoard| [edge.poll(board), level.poll(board)];
    assert_eq!(poll(&board), [false, false]);
    for (input, met) in [
        (Input::Press(Button::Start), [false, false]),
        // The edge is over by now.
        (Input::Press(Button::Level), [false, true]),
        (Input::Lift(Button::Start), [false, false]),
        (Input::Press(Button::Start), [true, false]),
    ] {
        board
            .carry_out(&Deed::Input(input), &mut |_, _| ())
            .unwrap();
        assert_eq!(poll(&board), met, "{input:?}");
        board.advance(5, &mut |_, _| ());
    }
    assert_eq!(poll(&board), [false, true]);
}

#[test]
fn a_width_is_met_exactly_when_reached() {
    let mut watch = watch_of(&["button.start", "for", "900"]);
    assert!(!watch.update(10, &SignalValue::Bit(true)));
    assert_eq!(watch.meets_at(), Some(910));
    assert!(!watch.update(500, &SignalValue::Bit(false)));
    assert!(!watch.update(600, &SignalValue::Bit(true)));
    assert!(!watch.update(1_499, &SignalValue::Bit(true)));
    assert!(watch.update(1_500, &SignalValue::Bit(true)));
}

#[test]
fn a_short_pulse_is_met_when_it_ends_if_its_start_was_seen() {
    let mut watch = watch_of(&["point.d4", "for", "<", "20"]);
    let mut look = |tick, bit| watch.update(tick, &SignalValue::Bit(bit));
    assert!(!look(0, true) && !look(10, false), "its begin was not seen");
    assert!(!look(100, true) && !look(110, true));
    assert!(look(119, false), "19 ms");
    assert!(!look(120, false), "once");
    assert!(!look(200, true) && !look(220, false), "20 ms are no fewer");
}

/// A short session, of which all kinds of signals are looked at.
fn example() -> Waveforms {
    let session = session(*SMALL, &[(1, 200), (4, 100)]);
    let board = AnyBoard::new(*SMALL, SEED).unwrap();
    let names = [
        "point.b1",
        "light.b1",
        "turn",
        "score",
        "display",
        "beeper",
        "event.move",
    ];
    SignalReplayer::whole(&session, select(names, &board).unwrap()).unwrap()
}

fn written(write: fn(&Waveforms, &mut Vec<u8>) -> std::io::Result<()>) -> String {
    let mut text = Vec::new();
    write(&example(), &mut text).unwrap();
    String::from_utf8(text).unwrap()
}

#[test]
fn files_have_every_change_once() {
    insta::assert_snapshot!("csv", written(|waves, file| write_csv(waves, file)));
    insta::assert_snapshot!(
        "json_lines",
        written(|waves, file| write_json_lines(waves, file))
    );
    insta::assert_snapshot!(
        "vcd",
        written(|waves, file| write_vcd(waves, VcdNames::Scoped, file))
    );
}

#[test]
fn a_file_that_is_cut_or_goes_back_is_read_to_there() {
    let read =
        |text: &str| read_touches(Header::new(Layout::MALDOO, 1, ""), text.as_bytes()).unwrap();
    let head = "$timescale 10 us $end $var wire 1 ! d4 $end $var wire 1 \" x $end \
                $enddefinitions $end ";
    let cut = read(&format!("{head}#100 1! #300 0! #500 1! #7"));
    assert_eq!(cut.session.acts(), 3);
    assert_eq!(cut.session.entries[1].tick, 3);
    assert_eq!(cut.ignored, ["x"]);
    assert!(cut.broken.is_some());
    let back = read(&format!("{head}#900 1! #300 0!"));
    assert_eq!(back.session.acts(), 1);
    assert!(back.broken.unwrap().contains("time goes back"));
}

#[test]
fn a_file_without_contacts_is_refused_in_a_sentence() {
    let read = |text: &str| {
        let header = Header::new(Layout::MALDOO, 1, "");
        read_touches(header, text.as_bytes())
            .unwrap_err()
            .to_string()
    };
    let texts = [
        "nothing",
        "$enddefinitions $end\n",
        "$timescale 1 ms $end $var wire 1 ! clk $end $enddefinitions $end\n",
    ];
    insta::assert_snapshot!(texts.map(read).join("\n"));
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
fn a_missing_field_is_named_before_time_passes() {
    let mut board = CoreDriver::new(Layout::MALDOO, SEED).unwrap();
    let condition = SignalCondition::parse("state.referee.nothing = 1", Layout::MALDOO).unwrap();
    let mut silent = SignalReader::new(Vec::new());
    let error = run_until(&mut board, &condition, 1_000, &mut silent, &mut Vec::new()).unwrap_err();
    assert!(
        error
            .to_string()
            .starts_with("the state has no `referee.nothing`"),
        "{error}"
    );
    assert_eq!(board.tick(), 0);
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

#[test]
fn unreported_contacts_are_refused_with_a_sentence() {
    let mut board = CoreDriver::new(*SMALL, SEED).unwrap();
    let condition = SignalCondition::parse("contact.a1 rises", *SMALL).unwrap();
    let mut reader = SignalReader::new(Vec::new());
    let error = run_until(&mut board, &condition, 10, &mut reader, &mut Vec::new()).unwrap_err();
    assert!(
        error
            .to_string()
            .starts_with("`contact.a1`: this board does not report its contacts")
    );
}
