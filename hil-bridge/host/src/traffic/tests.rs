//! Laws of records and of their files.

use law::{Judged, Weight, law};
use proptest::collection::vec;
use proptest::prelude::*;
use protocol::{
    Button, Command, Deed, Done, Event, Frame, FrameDelta, Hello, Input, Layout, Lit, Pace, Point,
    Reply, Request, StampedEvent, ToDevice, ToHost, wire,
};

use super::*;

const TO_BOARD: LineDirection = LineDirection::ToBoard;
const FROM_BOARD: LineDirection = LineDirection::FromBoard;

fn request(number: u32, command: Command) -> Vec<u8> {
    wire::encoded(&ToDevice::Request(Request {
        number,
        seen: 0,
        command,
    }))
}

fn reply(number: u32) -> Vec<u8> {
    wire::encoded(&ToHost::Reply(Reply {
        number,
        tick: 0,
        events: 0,
        frames: 0,
        result: Ok(Done::Done),
    }))
}

fn event(number: u32, tick: u64, event: Event) -> Vec<u8> {
    wire::encoded(&ToHost::Event(StampedEvent {
        number,
        tick,
        event,
    }))
}

fn delta(number: u32, tick: u64, lit: &[u8]) -> Vec<u8> {
    let light = protocol::Light::default();
    let lit = lit.iter().map(|point| Lit {
        point: Point(*point),
        light,
    });
    wire::encoded(&ToHost::Delta {
        number,
        tick,
        delta: FrameDelta {
            lit: lit.collect(),
            ..FrameDelta::default()
        },
    })
}

fn item(at_us: u64, direction: LineDirection, bytes: Vec<u8>) -> LineItem {
    LineItem::Bytes {
        at_us,
        direction,
        bytes,
    }
}

/// Frames of both directions, some of them damaged.
fn traffic() -> impl Strategy<Value = Vec<LineItem>> {
    let one = (
        any::<bool>(),
        0..40_u32,
        any::<proptest::sample::Index>(),
        0..6_u8,
    );
    vec(one, 1..60).prop_map(|all| {
        let mut items = vec![LineItem::Opened { at_us: 0 }];
        let mut asked = 0;
        for (place, (to_board, number, index, what)) in all.into_iter().enumerate() {
            let direction = if to_board {
                LineDirection::ToBoard
            } else {
                LineDirection::FromBoard
            };
            let mut bytes = match (to_board, what % 3) {
                (true, _) => {
                    asked = number;
                    request(number, Command::Digest)
                }
                (false, 0) => reply(asked),
                (false, 1) => event(number, 3, Event::Paused(true)),
                (false, _) => delta(number, 4, &[number as u8]),
            };
            if what == 5 {
                let damaged = index.index(bytes.len());
                bytes[damaged] ^= 0x11;
            }
            items.push(item(place as u64 * 1_000, direction, bytes));
        }
        items
    })
}

fn bytes_of(items: &[LineItem], way: LineDirection) -> Vec<u8> {
    let own = items.iter().filter_map(|item| match item {
        LineItem::Bytes {
            direction, bytes, ..
        } if *direction == way => Some(bytes.as_slice()),
        _ => None,
    });
    own.flatten().copied().collect()
}

fn frames(record: &LineRecord) -> Vec<LineFrame> {
    record
        .frames_from(0)
        .map(|(_, frame)| frame.clone())
        .collect()
}

#[test]
fn frames_add_up_to_the_bytes_and_the_figures() {
    law(Weight::of(64, 60), traffic(), |items| {
        let record = LineRecord::of(LineMedium::default(), &items);
        let frames = frames(&record);
        for way in BOTH_WAYS {
            let own = frames.iter().filter(|frame| frame.direction == way);
            let joined: Vec<u8> = own.flat_map(|frame| frame.bytes.to_vec()).collect();
            let sent = bytes_of(&items, way);
            prop_assert!(sent.starts_with(&joined));
            // Only the closing zero of a damaged last frame may be left.
            prop_assert!(sent[joined.len()..].iter().all(|byte| *byte == 0));
        }
        let figures = record.figures();
        let count = |shows: &dyn Fn(&LineFrame) -> bool| {
            frames.iter().filter(|frame| shows(frame)).count() as u64
        };
        let no_message = count(&|frame| frame.name.is_err());
        prop_assert_eq!(figures.no_message, no_message);
        prop_assert_eq!(
            figures.to_board.frames + figures.from_board.frames,
            frames.len() as u64
        );
        prop_assert_eq!(
            figures.from_board.bytes,
            bytes_of(&items, LineDirection::FromBoard).len() as u64
        );
        prop_assert_eq!(
            figures.round_trips.count,
            count(&|frame| frame.marks.round_trip.is_some())
        );
        let bars: u64 = figures.round_trips.bars.iter().map(|bar| bar.count).sum();
        prop_assert_eq!(bars, figures.round_trips.count);
        Ok(Judged::if_any(
            no_message > 0 && figures.round_trips.count > 0,
        ))
    });
}

#[test]
fn a_record_does_not_depend_on_pieces_of_bytes() {
    law(
        Weight::of(48, 80),
        (traffic(), 1..7_usize),
        |(items, size)| {
            let mut cut = Vec::new();
            for one in &items {
                match one {
                    LineItem::Opened { .. } => cut.push(one.clone()),
                    LineItem::Bytes {
                        at_us,
                        direction,
                        bytes,
                    } => {
                        let pieces = bytes.chunks(size);
                        cut.extend(pieces.map(|piece| item(*at_us, *direction, piece.to_vec())));
                    }
                }
            }
            let whole = LineRecord::of(LineMedium::default(), &items);
            let pieces = LineRecord::of(LineMedium::default(), &cut);
            prop_assert_eq!(frames(&whole), frames(&pieces));
            prop_assert_eq!(whole.figures(), pieces.figures());
            Ok(Judged::if_any(whole.count() > 3))
        },
    );
}

fn as_pcapng(record: &LineRecord) -> Vec<u8> {
    let mut file = Vec::new();
    let begin = std::time::Duration::from_secs(1_700_000_000);
    let mut writer = PcapngWriter::begin(&mut file, "there", begin).unwrap();
    for (_, frame) in record.frames_from(0) {
        writer.write(frame).unwrap();
    }
    writer.flush().unwrap();
    file
}

#[test]
fn text_and_pcapng_read_back_as_the_same_frames() {
    law(Weight::of(32, 80), traffic(), |items| {
        let record = LineRecord::of(LineMedium::default(), &items);
        let mut text = String::new();
        for one in &items {
            text += &match one {
                LineItem::Opened { at_us } => format!("{at_us} open\n"),
                LineItem::Bytes {
                    at_us,
                    direction,
                    bytes,
                } => log_line(*at_us, *direction, bytes),
            };
        }
        let read = WireLog::read(text.as_bytes());
        prop_assert_eq!(&read.remarks, &Vec::<String>::new());
        prop_assert_eq!(&read.items, &items);
        let read = WireLog::read(&as_pcapng(&record));
        prop_assert_eq!(&read.remarks, &Vec::<String>::new());
        let again = LineRecord::of(LineMedium::default(), &read.items);
        let first_us = record
            .frames_from(0)
            .next()
            .map_or(0, |(_, frame)| frame.at_us);
        let mut expected = frames(&record);
        for frame in &mut expected {
            frame.at_us -= first_us;
        }
        prop_assert_eq!(frames(&again), expected);
        Ok(Judged::if_any(record.count() > 3))
    });
}

/// A file is read as far as possible, whatever happened to it, and nothing panics.
#[test]
fn a_damaged_file_is_read_as_far_as_possible() {
    let change = (any::<proptest::sample::Index>(), any::<u8>(), any::<bool>());
    law(
        Weight::of(200, 40),
        (traffic(), change),
        |(items, (index, byte, cuts))| {
            let record = LineRecord::of(LineMedium::default(), &items);
            let whole = WireLog::read(&as_pcapng(&record));
            let mut file = as_pcapng(&record);
            let place = index.index(file.len());
            if cuts {
                file.truncate(place);
            } else {
                file[place] = byte;
            }
            let read = WireLog::read(&file);
            if cuts {
                let read_whole = read.items.len().min(whole.items.len());
                prop_assert_eq!(&read.items[..read_whole], &whole.items[..read_whole]);
            }
            Ok(Judged::if_any(!read.remarks.is_empty()))
        },
    );
}

#[test]
fn a_file_of_another_kind_is_empty_with_a_remark() {
    let text = WireLog::read(b"a letter\nto nobody\n");
    assert_eq!(text.items, []);
    assert_eq!(
        text.remarks,
        [
            "2 lines are left out, the first of them line 1: this is not a line of a wire log, which looks like `1250 > 00 05 01`"
        ]
    );
    let binary = WireLog::read(&[0x7F, 0x45, 0x4C, 0x46, 0xFF, 0xFE]);
    assert_eq!((binary.items.len(), binary.remarks.len()), (0, 1));
}

#[test]
fn a_cut_line_of_text_is_skipped_and_named() {
    let read = WireLog::read(b"0 > 00 05 01\n12 < 00 0\n");
    assert_eq!(read.items, [item(0, LineDirection::ToBoard, vec![0, 5, 1])]);
    assert!(
        read.remarks[0].starts_with("line 2 is left out"),
        "{read:?}"
    );
}

/// Other programs count time in microseconds, and record packets unrelated to a
/// board.
#[test]
fn foreign_packets_are_counted_and_skipped() {
    use pcap_file::DataLink;
    use pcap_file::pcapng::PcapNgWriter;
    use pcap_file::pcapng::blocks::enhanced_packet::{EnhancedPacketBlock, EnhancedPacketOption};
    use pcap_file::pcapng::blocks::interface_description::InterfaceDescriptionBlock;

    let mut file = Vec::new();
    let mut writer = PcapNgWriter::new(&mut file).unwrap();
    for link in [DataLink::ETHERNET, DataLink::USER0] {
        let interface = InterfaceDescriptionBlock::new(link, 0);
        writer.write_pcapng_block(interface).unwrap();
    }
    let packet = |interface_id, counted, flags: Option<u32>, more: u32| EnhancedPacketBlock {
        interface_id,
        // The library writes nanoseconds, so a count of microseconds is passed as that many
        // nanoseconds.
        timestamp: std::time::Duration::from_nanos(counted),
        original_len: 3 + more,
        data: vec![0, 1, 0].into(),
        options: flags.map(EnhancedPacketOption::Flags).into_iter().collect(),
    };
    for packet in [
        packet(0, 5, Some(1), 0),
        packet(1, 1_000_000, Some(1), 0),
        packet(1, 1_000_250, Some(2), 0),
        packet(1, 1_000_251, None, 0),
        packet(1, 1_000_252, Some(1), 9),
    ] {
        writer.write_pcapng_block(packet).unwrap();
    }
    let read = WireLog::read(&file);
    assert_eq!(
        read.items,
        [
            item(0, LineDirection::FromBoard, vec![0, 1, 0]),
            item(250, LineDirection::ToBoard, vec![0, 1, 0]),
        ]
    );
    assert_eq!(read.remarks.len(), 3, "{:?}", read.remarks);
}

fn record_of(items: &[(u64, LineDirection, Vec<u8>)]) -> LineRecord {
    let mut record = LineRecord::new(LineMedium::Serial { baud: 100_000 });
    for (at_us, direction, bytes) in items {
        record.pass(*at_us, *direction, bytes);
    }
    record
}

#[test]
fn a_round_trip_counts_from_the_first_of_repeated_requests() {
    let (question, answer) = (request(7, Command::Digest), reply(7));
    let bytes = (question.len() + answer.len()) as u64;
    let record = record_of(&[
        (0, TO_BOARD, question.clone()),
        (100_000, TO_BOARD, question),
        (130_000, FROM_BOARD, answer.clone()),
        (131_000, FROM_BOARD, answer),
    ]);
    let repeats: Vec<bool> = frames(&record)
        .iter()
        .map(|one| one.marks.is_repeat)
        .collect();
    assert_eq!(repeats, [false, true, false, true]);
    let figures = record.figures();
    assert_eq!(
        (figures.repeated_requests, figures.repeated_messages),
        (1, 1)
    );
    assert_eq!(figures.round_trips.count, 1);
    assert_eq!(figures.round_trips.worst_us / 1_000, 130);
    // Ten bits per byte at 100,000 baud.
    assert_eq!(figures.round_trips.floor_us, bytes * 100);
}

#[test]
fn a_missing_event_counts_until_it_arrives() {
    let held = Event::Paused(true);
    let mut record = record_of(&[
        (0, FROM_BOARD, event(5, 0, held)),
        (1, FROM_BOARD, event(8, 0, held)),
        (2, FROM_BOARD, event(8, 0, held)),
        (3, FROM_BOARD, event(6, 0, held)),
    ]);
    let marks: Vec<_> = frames(&record).iter().map(|one| one.marks).collect();
    assert_eq!(marks[1].missing, 2);
    assert!(marks[2].is_repeat && !marks[2].is_late);
    assert!(marks[3].is_late && !marks[3].is_repeat);
    assert_eq!(record.figures().missing_events, 1);
    record.pass(4, FROM_BOARD, &event(7, 0, held));
    assert_eq!(record.figures().missing_events, 0);
}

#[test]
fn events_count_from_0_after_a_reset() {
    let reset = Command::Do(Deed::Reset {
        seed: 1,
        layout: Layout::MALDOO,
    });
    let record = record_of(&[
        (0, FROM_BOARD, event(90, 0, Event::Paused(true))),
        (1, TO_BOARD, request(3, reset)),
        (2, FROM_BOARD, reply(3)),
        (3, FROM_BOARD, event(0, 0, Event::Paused(true))),
    ]);
    let last = &frames(&record)[3];
    assert!(!last.is_trouble(), "{last:?}");
}

#[test]
fn a_light_belongs_to_the_last_touch_before_it() {
    let touch = Input::Touch(Point(31));
    let frame = wire::encoded(&ToHost::Frame {
        number: 0,
        tick: 10,
        frame: Frame::default(),
    });
    let record = record_of(&[
        (0, FROM_BOARD, frame),
        (1_000, TO_BOARD, request(1, Command::fingers([touch]))),
        (2_000, FROM_BOARD, reply(1)),
        // The clock on the display continues meanwhile.
        (3_000, FROM_BOARD, delta(1, 12, &[])),
        (8_000, FROM_BOARD, event(0, 15, Event::Taken(touch))),
        (8_500, FROM_BOARD, delta(2, 14, &[30])),
        (9_000, FROM_BOARD, delta(3, 15, &[31])),
        (9_500, FROM_BOARD, delta(4, 16, &[31])),
    ]);
    let figures = record.figures();
    let [(by_message, message), (by_sensors, sensors)] = &figures.lights;
    assert_eq!((*by_message, message.count), (TouchPath::Message, 0));
    assert_eq!((*by_sensors, sensors.count), (TouchPath::Sensors, 1));
    assert_eq!(sensors.worst_us / 100, 80);
    // Four more samples after the first, and the bytes.
    let bytes = request(1, Command::fingers([touch])).len() + delta(3, 15, &[31]).len();
    assert_eq!(sensors.floor_us, 4_000 + bytes as u64 * 100);
}

#[test]
fn touches_in_lockstep_are_measured_by_their_message() {
    let touch = Input::Touch(Point(3));
    let step = Command::Step {
        inputs: [touch].into_iter().collect(),
        ticks: 20,
        digest: false,
    };
    let record = record_of(&[
        (0, TO_BOARD, request(1, Command::Pace(Pace::Lockstep))),
        (1, FROM_BOARD, reply(1)),
        (1_000, TO_BOARD, request(2, step)),
        (1_400, FROM_BOARD, event(0, 0, Event::Taken(touch))),
        (1_800, FROM_BOARD, delta(0, 0, &[3])),
    ]);
    let [(_, message), (_, sensors)] = &record.figures().lights;
    assert_eq!((message.count, sensors.count), (1, 0));
    assert_eq!(message.worst_us, 800);
}

#[test]
fn a_filter_always_shows_invalid_frames() {
    let press = Command::Do(Deed::Input(Input::Press(Button::Start)));
    let mut damaged = reply(1);
    damaged[3] ^= 0x40;
    let record = record_of(&[
        (0, TO_BOARD, request(1, press)),
        (1, FROM_BOARD, damaged),
        (2, FROM_BOARD, event(0, 0, Event::Paused(true))),
        (3, FROM_BOARD, reply(1)),
    ]);
    let shown = |direction, kinds: &[&str], errors_only| {
        let filter = LineFilter {
            direction,
            kinds: kinds.iter().map(|kind| (*kind).to_owned()).collect(),
            errors_only,
        };
        let frames = record.frames_from(0);
        let shown = frames.filter(|(_, frame)| filter.shows(frame));
        shown.map(|(number, _)| number).collect::<Vec<u64>>()
    };
    assert_eq!(shown(None, &[], false), [0, 1, 2, 3]);
    assert_eq!(shown(Some(TO_BOARD), &[], false), [0]);
    assert_eq!(shown(None, &["do", "paused"], false), [0, 1, 2]);
    assert_eq!(shown(Some(FROM_BOARD), &["reply"], false), [1, 3]);
    assert_eq!(shown(None, &[], true), [1]);
}

#[test]
fn a_hello_of_another_protocol_is_not_a_message() {
    let hello = |schema| {
        wire::encoded(&ToDevice::Hello {
            version: protocol::PROTOCOL_VERSION,
            schema,
            host: 1,
        })
    };
    let record = record_of(&[
        (0, TO_BOARD, hello(protocol::SCHEMA_HASH)),
        (1, TO_BOARD, hello(7)),
    ]);
    let names: Vec<String> = frames(&record)
        .iter()
        .map(|frame| match &frame.name {
            Ok(name) => name.to_string(),
            Err(why) => why.word().to_owned(),
        })
        .collect();
    assert_eq!(names, ["hello", "stranger"]);
}

#[test]
fn a_line_that_ends_inside_a_frame_leaves_an_unfinished_one() {
    let whole = reply(1);
    let mut record = record_of(&[(0, FROM_BOARD, whole[..5].to_vec())]);
    record.open(10);
    record.pass(11, FROM_BOARD, &whole);
    let names: Vec<bool> = frames(&record)
        .iter()
        .map(|frame| frame.name.is_ok())
        .collect();
    assert_eq!(names, [false, true]);
    let text = frames(&record)[0].words.clone();
    assert_eq!(text, "the line ended inside a frame");
}

/// A new run of the board starts its numbers again.
#[test]
fn another_run_of_a_board_counts_no_missing_events() {
    let hello = |boot| {
        wire::encoded(&ToHost::Hello(Hello {
            version: protocol::PROTOCOL_VERSION,
            schema: protocol::SCHEMA_HASH,
            board: protocol::Text::clipped("virtual"),
            firmware: protocol::Text::new(),
            layout: Layout::MALDOO,
            colours: 4,
            capabilities: protocol::Capabilities::default(),
            seed: 0,
            tick: 0,
            boot,
        }))
    };
    let record = record_of(&[
        (0, FROM_BOARD, hello(1)),
        (1, FROM_BOARD, delta(70, 5, &[1])),
        (2, FROM_BOARD, event(50, 5, Event::Paused(true))),
        (3, FROM_BOARD, hello(2)),
        (4, FROM_BOARD, delta(0, 0, &[1])),
        (5, FROM_BOARD, event(0, 0, Event::Paused(true))),
    ]);
    assert!(frames(&record).iter().all(|frame| !frame.is_trouble()));
}

#[test]
fn rates_are_those_of_the_last_second() {
    let one = reply(1);
    let record = record_of(&[
        (0, FROM_BOARD, one.clone()),
        (900_000, FROM_BOARD, one.clone()),
        (1_200_000, FROM_BOARD, one.clone()),
    ]);
    let bytes = one.len() as u64;
    assert_eq!(record.figures().from_board.bytes_a_second, 2 * bytes);
    assert_eq!(record.figures().from_board.frames_a_second, 2);
    assert_eq!(record.figures_at(5_000_000).from_board.bytes_a_second, 0);
    assert_eq!(record.figures().from_board.bytes, 3 * bytes);
}
