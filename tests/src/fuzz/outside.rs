//! The fuzz targets for what other programs, devices and people write: files, texts, and
//! the bytes of panels. Those for a board and its line are in the parent module.

use firmware_core::games::{self, number};
use firmware_core::{Faults, Seen};
use law::Judged;
use protocol::{Button, Deed, Input, Layout, Point};
use touchboard_host::session::{Header, Session};
use touchboard_host::signals::{VcdNames, read_touches, write_vcd};
use touchboard_host::traffic::{
    LineDirection, LineItem, LineMedium, LineRecord, PcapngWriter, WireLog, in_json, log_line,
};
use touchboard_host::{CoreDriver, Driver, position};
use touchboard_panels::{PanelKind, PanelNews, PanelTalk};
use touchboard_shell::StateFile;

/// A log of a line or a capture: what can be read of it is written and read back
/// identically, and can be shown.
pub(super) fn wire_log(bytes: &[u8]) -> Judged {
    let log = WireLog::read(bytes);
    let lines = log.items.iter().map(|item| match item {
        LineItem::Opened { at_us } => format!("{at_us} open\n"),
        LineItem::Bytes {
            at_us,
            direction,
            bytes,
        } => log_line(*at_us, *direction, bytes),
    });
    let text: String = lines.collect();
    let again = WireLog::read(text.as_bytes());
    assert_eq!((again.items, again.remarks.len()), (log.items.clone(), 0));
    let record = LineRecord::of(LineMedium::Unpaced, &log.items);
    for (_, frame) in record.frames_from(0) {
        assert!(!frame.text().is_empty());
        let _ = in_json(frame);
    }
    let _ = record.figures().in_json();
    Judged::if_any(!log.items.is_empty())
}

/// The traffic of a few messages in both directions.
fn traffic() -> Vec<LineItem> {
    let mut items = vec![LineItem::Opened { at_us: 0 }];
    let asked = super::line::messages_of_a_host().len() as u64;
    for (number, frame) in (1..).zip(super::line::reports().iter().map(protocol::wire::encoded)) {
        items.push(LineItem::Bytes {
            at_us: number * 1_250,
            direction: LineDirection::FromBoard,
            bytes: frame,
        });
    }
    items.push(LineItem::Opened {
        at_us: 100_000 + asked,
    });
    items
}

pub(super) fn wire_logs() -> Vec<Vec<u8>> {
    let lines = traffic().into_iter().map(|item| match item {
        LineItem::Opened { at_us } => format!("{at_us} open\n"),
        LineItem::Bytes {
            at_us,
            direction,
            bytes,
        } => log_line(at_us, direction, &bytes),
    });
    let lines: Vec<String> = lines.collect();
    let short = b"0 open\n1250 > 00 05 01\n1300 < 00\n".to_vec();
    vec![short, lines.concat().into_bytes()]
}

pub(super) fn captures() -> Vec<Vec<u8>> {
    let items = traffic();
    let record = LineRecord::of(LineMedium::Unpaced, &items);
    let mut bytes = Vec::new();
    let since = std::time::Duration::from_secs(1);
    let mut writer = PcapngWriter::begin(&mut bytes, "a board", since).expect("memory");
    for (_, frame) in record.frames_from(0) {
        writer.write(frame).expect("memory");
    }
    drop(writer);
    vec![bytes]
}

/// Contacts from a file of waveforms are refused, or are a session that is written and
/// read back identically.
pub(super) fn vcd(bytes: &[u8]) -> Judged {
    let header = Header::new(Layout::MALDOO, 7, "");
    let Ok(imported) = read_touches(header, bytes) else {
        return Judged::Nothing;
    };
    let again = Session::parse(imported.session.to_text().as_bytes());
    assert_eq!(again.expect("what is written is read"), imported.session);
    Judged::if_any(!imported.session.entries.is_empty())
}

pub(super) fn waveforms() -> Vec<Vec<u8>> {
    use touchboard_host::signals::{Signal, SignalReplayer};
    let scoped = "$timescale 1 us $end\n$scope module point $end\n$var wire 1 ! d4 $end\n$upscope $end\n$scope module button $end\n$var wire 1 \" start $end\n$upscope $end\n$enddefinitions $end\n#0\n0!\n0\"\n#1000\n1\"\n#21000\n0\"\n#50000\n1!\n#90000\n0!\n";
    let mut session = Session::new(Header::new(Layout::MALDOO, 7, ""));
    for (tick, input) in [
        (5, Input::Press(Button::Start)),
        (40, Input::Lift(Button::Start)),
        (90, Input::Touch(Point(29))),
        (120, Input::Release(Point(29))),
    ] {
        session.push(tick, input.into());
    }
    let signals = Signal::all(Layout::MALDOO);
    let waves = SignalReplayer::whole(&session, signals).expect("it can be replayed");
    let mut own = Vec::new();
    write_vcd(&waves, VcdNames::Scoped, &mut own).expect("memory");
    vec![scoped.as_bytes().to_vec(), own]
}

/// The longest text that is compiled; the time for a text grows with what its macros and
/// repetitions make of it, which has bounds of its own.
const MOST_TEXT: usize = 4_000;

/// The text of a game is refused in sentences, or its game is one that a board takes: its
/// drawing is read back identically. A text that can be formatted stays so when it is
/// formatted again.
pub(super) fn game_text(bytes: &[u8]) -> Judged {
    let Some(text) = std::str::from_utf8(bytes)
        .ok()
        .filter(|_| bytes.len() <= MOST_TEXT)
    else {
        return Judged::Nothing;
    };
    if let Ok(formatted) = ludemes::format::format(text) {
        assert_eq!(ludemes::format::format(&formatted), Ok(formatted.clone()));
    }
    match touchboard_host::written::of_text("fuzzed.lud", text, &[]) {
        Ok(game) => {
            let known = game.layout.drawing().expect("it has one");
            let bytes = known.as_drawing().bytes();
            assert_eq!(protocol::Drawing::new(bytes), Ok(known.as_drawing()));
            let board = CoreDriver::new(game.layout.layout(), 1);
            board.expect("a board takes what was compiled");
            Judged::Something
        }
        Err(error) => {
            let sentence = error.to_string();
            assert!(!sentence.is_empty());
            Judged::if_any(sentence.contains("fuzzed.lud"))
        }
    }
}

/// The shorter texts of this repository.
pub(super) fn game_texts() -> Vec<Vec<u8>> {
    let games = [
        "tic-tac-toe",
        "breakthrough",
        "reversi",
        "gomoku",
        "lights-out",
    ];
    let text = |name| touchboard_host::written::library::text(name).expect("it is bundled");
    let texts = games.map(|name| text(name).as_bytes().to_vec());
    let short = texts.into_iter().filter(|text| text.len() <= MOST_TEXT);
    let short: Vec<Vec<u8>> = short.collect();
    assert!(!short.is_empty());
    short
}

/// Whatever a panel sends, each point and button of the board is pressed and released in
/// turn, and nothing is held once it is unplugged.
pub(super) fn panel(bytes: &[u8]) -> Judged {
    let Some((first, bytes)) = bytes.split_first() else {
        return Judged::Nothing;
    };
    let kind = PanelKind::ALL[usize::from(*first) % PanelKind::ALL.len()];
    let layout = Layout::grid(8, 8).expect("8x8 is a layout");
    let mut talk = PanelTalk::new(kind);
    talk.show(layout, &Seen::default(), 0);
    talk.plug_in("a port", 0);
    let (mut held, mut fingers) = (Vec::new(), 0);
    let mut now_ms = 0;
    for piece in bytes.chunks(16) {
        now_ms += 1 + u64::from(piece[0]);
        talk.receive(piece, now_ms);
        talk.pass(now_ms);
        fingers += follow(&mut talk, layout, &mut held);
        assert!(
            talk.take_bytes().len() < 10_000,
            "it says no more than a picture"
        );
    }
    talk.unplug();
    follow(&mut talk, layout, &mut held);
    assert_eq!(held, [], "it is unplugged");
    Judged::if_any(fingers > 0)
}

/// Follows what a panel presses and releases, and returns how much that was.
fn follow(talk: &mut PanelTalk, layout: Layout, held: &mut Vec<Input>) -> usize {
    let mut fingers = 0;
    for news in talk.take_news() {
        let PanelNews::Finger(input) = news else {
            continue;
        };
        fingers += 1;
        let (down, is_down) = match input {
            Input::Touch(_) | Input::Press(_) => (input, true),
            Input::Release(point) => (Input::Touch(point), false),
            Input::Lift(button) => (Input::Press(button), false),
            Input::Pass => continue,
        };
        if let Input::Touch(point) = down {
            assert!(layout.has(point), "{point:?}");
        }
        let at = held.iter().position(|other| *other == down);
        assert_eq!(at.is_some(), !is_down, "{input:?} with {held:?}");
        match at {
            Some(at) => drop(held.swap_remove(at)),
            None => held.push(down),
        }
    }
    fingers
}

/// A panel that says what it is, and keys that go down and up.
pub(super) fn panels() -> Vec<Vec<u8>> {
    let mini = [0, 0xF0, 0x00, 0x20, 0x29, 0x02, 0x0D, 0x00, 0x05, 0xF7];
    let keys = [0x90, 11, 127, 0x90, 12, 127, 0x90, 11, 0, 0x90, 12, 0];
    let size = [1, 0x03, 8, 8];
    let grid = [0x21, 2, 3, 0x21, 4, 5, 0x20, 2, 3];
    vec![
        [&mini[..], &[0; 7], &keys].concat(),
        [&size[..], &[0x21, 1, 1, 0x20, 1, 1], &grid].concat(),
    ]
}

/// The text of faults, which hosts and people send, has one written form.
pub(super) fn faults(bytes: &[u8]) -> Judged {
    let text = std::str::from_utf8(bytes).unwrap_or_default();
    let Ok(faults) = text.parse::<Faults>() else {
        return Judged::Nothing;
    };
    // Without a fault there is nothing that a seed could be for.
    for faults in [faults.own(), faults.clone()] {
        let again = faults.to_string().parse();
        assert!(
            again.as_ref() == Ok(&faults) || faults.are_none(),
            "{again:?}"
        );
    }
    Judged::if_any(!faults.are_none())
}

pub(super) fn texts_of_faults() -> Vec<Vec<u8>> {
    let texts = [
        "seed 7, drop-ppm 5, dead-led d4",
        "seed 9, bounce-ms 4, ghosting, dead a1, drop-ppm 500",
        "stuck start, cut-after 400, delay-ms 3",
    ];
    texts.map(|text| text.as_bytes().to_vec()).into()
}

/// A saved board is refused with a sentence, or written and read back identically.
pub(super) fn saved_board(bytes: &[u8]) -> Judged {
    // Behind a correct checksum.
    let crc = crc::Crc::<u32>::new(&crc::CRC_32_ISO_HDLC);
    let sealed = [bytes, &crc.checksum(bytes).to_le_bytes()].concat();
    let _ = StateFile::from_bytes(bytes);
    let Ok(file) = StateFile::from_bytes(&sealed) else {
        return Judged::Nothing;
    };
    assert_eq!(file.to_bytes(), sealed);
    Judged::Something
}

pub(super) fn saved_boards() -> Vec<Vec<u8>> {
    let layouts = [Layout::MALDOO, crate::hexagon()];
    let file = |layout: Layout| {
        let mut board = CoreDriver::new(layout, 7).expect("a layout");
        let state = board.save().expect("every state fits");
        let file = StateFile {
            layout: layout.into(),
            seed: 7,
            state,
        };
        let bytes = file.to_bytes();
        bytes[..bytes.len() - 4].to_vec()
    };
    layouts.map(file).into()
}

/// The games that have words for their positions.
const WORDED: [u8; 3] = [number::MALAKA, number::ISHIDO, number::TICDABTOE];

/// A position in words is refused with a sentence; or a board of its game takes it, or
/// refuses it and stays as it was.
pub(super) fn position_text(bytes: &[u8]) -> Judged {
    let Some((first, text)) = bytes.split_first() else {
        return Judged::Nothing;
    };
    let game = WORDED[usize::from(*first) % WORDED.len()];
    let about = games::about(game).expect("it is built in");
    let layout = Layout::Grid((about.made_for)(0));
    let text = String::from_utf8_lossy(text);
    let read = position::in_words(game, &text, layout).expect("it has words");
    let position = match read {
        Ok(position) => position,
        Err(error) => {
            assert!(!error.to_string().is_empty());
            return Judged::Nothing;
        }
    };
    let mut board = CoreDriver::with_games(layout, games::BUILT, 7).expect("a layout");
    let before = board.digest().expect("it is in this process");
    let written = position::written_out(&position, layout);
    match board.carry_out(&Deed::Position(position.clone())) {
        Ok(()) => {
            let (_, words) = written.split_once(": ").expect("the game and its words");
            assert_eq!(position::in_words(game, words, layout), Some(Ok(position)));
        }
        Err(_) => assert_eq!(board.digest().expect("it is in this process"), before),
    }
    Judged::Something
}

pub(super) fn texts_of_positions() -> Vec<Vec<u8>> {
    let block = "/................".repeat(13);
    let marks =
        format!("gggg............/rr............../.......r........{block} turn green last h14");
    let texts = ["00", "0102030405", "turn green", &marks];
    let with = |text: &str| {
        (0..WORDED.len() as u8)
            .map(|game| [&[game], text.as_bytes()].concat())
            .collect::<Vec<_>>()
    };
    let all = texts.into_iter().flat_map(with);
    let good: Vec<Vec<u8>> = all
        .filter(|text| position_text(text) == Judged::Something)
        .collect();
    assert!(!good.is_empty());
    good
}
