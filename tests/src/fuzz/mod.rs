//! The fuzz targets: all code that takes bytes from outside.
//!
//! Each [`Target`] is a function that is used in two ways: the tests of this package call
//! it with nearly valid bytes, and the fuzzer of `tests/fuzz` explores the code for as
//! long as it may run (`cargo xtask fuzz`).
//!
//! Invariants: a target panics if its property does not hold; it behaves in the same way
//! each time it gets the same bytes; it ends soon.

use firmware_core::{AnyBoard, Ground, Rng, SNAPSHOT_BYTES, Wide, digest, games};
use law::Judged;
use protocol::wire::{self, Receiver};
use protocol::{
    Button, Deed, Drawing, Event, Input, Layout, Message, PROTOCOL_VERSION, Point, SCHEMA_HASH,
    Settings, Sketch, Tick, ToDevice, ToHost,
};
use touchboard_host::session::{Header, Session, SessionItem};
use touchboard_host::{CoreDriver, transcript};
use touchboard_shell::{
    self as shell, AnswerColours, Answers, ExitKind, LayoutArgument, OnTrouble, Reader,
    ShellCommand, ShellOptions, ShellSession,
};

use crate::inserted;

mod outside;
mod programs;
mod sharing;

/// A part of the code that can be fuzzed.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    /// The name of the target, which is also that of the fuzzer's program.
    pub name: &'static str,
    /// Checks the property with these bytes, and returns whether they were relevant.
    pub holds: fn(&[u8]) -> Judged,
    /// Relevant bytes to start from.
    pub seeds: fn() -> Vec<Vec<u8>>,
}

/// All targets: first those of a board and its line, then those of files, devices, the
/// other end of a shared board, and programs.
pub const TARGETS: [Target; 24] = [
    Target {
        name: "receiver",
        holds: receiver,
        seeds: streams,
    },
    Target {
        name: "to_device",
        holds: decodes::<ToDevice>,
        seeds: messages_of_a_host,
    },
    Target {
        name: "to_host",
        holds: decodes::<ToHost>,
        seeds: messages_of_a_device,
    },
    Target {
        name: "snapshot",
        holds: snapshot,
        seeds: states,
    },
    Target {
        name: "drawing",
        holds: drawing,
        seeds: drawings,
    },
    Target {
        name: "cartridge",
        holds: inserted::holds,
        seeds: inserted::seeds,
    },
    Target {
        name: "session",
        holds: session,
        seeds: sessions,
    },
    Target {
        name: "shell",
        holds: shell,
        seeds: scripts,
    },
    Target {
        name: "board",
        holds: board,
        seeds: plays,
    },
    Target {
        name: "wire_log",
        holds: outside::wire_log,
        seeds: outside::wire_logs,
    },
    Target {
        name: "pcapng",
        holds: outside::wire_log,
        seeds: outside::captures,
    },
    Target {
        name: "vcd",
        holds: outside::vcd,
        seeds: outside::waveforms,
    },
    Target {
        name: "game_text",
        holds: outside::game_text,
        seeds: outside::game_texts,
    },
    Target {
        name: "panel",
        holds: outside::panel,
        seeds: outside::panels,
    },
    Target {
        name: "faults",
        holds: outside::faults,
        seeds: outside::texts_of_faults,
    },
    Target {
        name: "saved_board",
        holds: outside::saved_board,
        seeds: outside::saved_boards,
    },
    Target {
        name: "position_text",
        holds: outside::position_text,
        seeds: outside::texts_of_positions,
    },
    Target {
        name: "rfc2217",
        holds: sharing::rfc2217,
        seeds: sharing::streams,
    },
    Target {
        name: "greeting",
        holds: sharing::greeting,
        seeds: sharing::greetings,
    },
    Target {
        name: "uf2",
        holds: programs::uf2,
        seeds: programs::uf2_files,
    },
    Target {
        name: "kept_board",
        holds: programs::kept_board,
        seeds: programs::kept_boards,
    },
    Target {
        name: "monitor",
        holds: programs::monitor,
        seeds: programs::monitors,
    },
    Target {
        name: "recorded_game",
        holds: programs::recorded_game,
        seeds: programs::recorded_games,
    },
    Target {
        name: "picture",
        holds: programs::picture,
        seeds: programs::pictures,
    },
];

/// The target of this name.
///
/// # Panics
/// If there is no such target.
#[must_use]
pub fn target(name: &str) -> Target {
    let found = TARGETS.into_iter().find(|target| target.name == name);
    found.unwrap_or_else(|| panic!("there is no target {name}"))
}

/// Bytes, and a text that they may contain, are either not a drawing or a drawing that
/// writes and reads back identically.
fn drawing(bytes: &[u8]) -> Judged {
    let text = std::str::from_utf8(bytes).ok();
    let sketch = text.and_then(|text| text.parse::<Sketch>().ok());
    let of_text = sketch.and_then(|sketch| sketch.bytes().ok());
    let of_bytes = Drawing::first(bytes).ok();
    let own = of_text.as_deref().map(Drawing::looked_through);
    for drawing in own.into_iter().chain(of_bytes) {
        assert_eq!(Drawing::new(drawing.bytes()), Ok(drawing));
        let ground: Ground<Wide> = Ground::of_drawing(drawing).expect("256 points");
        assert!(ground.neighbours(ground.all()).is_empty());
        let again: Sketch = Sketch::of(drawing).to_string().parse().expect("a drawing");
        assert_eq!(again.bytes().as_deref(), Ok(drawing.bytes()));
    }
    Judged::if_any(of_text.is_some() || of_bytes.is_some())
}

fn drawings() -> Vec<Vec<u8>> {
    let hexagon = crate::hexagon().drawing().expect("it is known");
    let hexagon = Some(hexagon.as_drawing().bytes());
    let text = crate::HEXAGON.as_bytes();
    let told = "cell 3x3\nways 1,0 diagonal 1,1\noo o\n ooo\nstep a2 1 -\nstep c1 0 a2\n";
    let all = hexagon.into_iter().chain([text, told.as_bytes()]);
    all.map(<[u8]>::to_vec).collect()
}

/// The bytes of a message, without the wire frame.
fn plain<M: Message>(message: &M) -> Vec<u8> {
    let mut frame = wire::encoded(message);
    let inner = frame.len() - 1;
    let plain = wire::unwrap(&mut frame[1..inner]);
    plain.expect("what was written is read").to_vec()
}

fn read<M: Message>(receiver: &mut Receiver, bytes: &[u8]) -> Vec<M> {
    let mut read = Vec::new();
    for byte in bytes {
        let frame = receiver.feed(*byte);
        read.extend(frame.and_then(|plain| wire::parse(plain.ok()?).ok()));
    }
    read
}

/// Law 7: the same messages are received wherever a stream is cut in two, and a good
/// frame after it is read.
fn receiver(bytes: &[u8]) -> Judged {
    let Some((cut, stream)) = bytes.split_first() else {
        return Judged::Nothing;
    };
    let whole: Vec<ToHost> = read(&mut Receiver::new(), stream);
    let (early, late) = stream.split_at(usize::from(*cut) % (stream.len() + 1));
    let mut receiver = Receiver::new();
    let mut parts: Vec<ToHost> = read(&mut receiver, early);
    parts.extend(read(&mut receiver, late));
    assert_eq!(parts, whole);
    let next = log("next");
    let after: Vec<ToHost> = read(&mut receiver, &wire::encoded(&next));
    assert_eq!(after.last(), Some(&next));
    assert!(after.len() <= 2, "{after:?}");
    Judged::if_any(!whole.is_empty())
}

/// A line for the log.
fn log(line: &str) -> ToHost {
    ToHost::Log {
        severity: protocol::Severity::Warning,
        text: protocol::Text::clipped(line),
    }
}

/// A message has only one encoding.
fn decodes<M: Message + PartialEq + std::fmt::Debug>(bytes: &[u8]) -> Judged {
    let _ = wire::hello_of_any_version(bytes);
    let Ok(message) = wire::parse::<M>(bytes) else {
        return Judged::Nothing;
    };
    assert_eq!(plain(&message), bytes, "{message:?}");
    Judged::Something
}

/// The state of a board from outside, with a valid seal, is either refused, or the board
/// continues with it like any other board.
fn snapshot(bytes: &[u8]) -> Judged {
    if bytes.len() > SNAPSHOT_BYTES - 8 {
        return Judged::Nothing;
    }
    let seal = digest::digest(bytes).to_le_bytes();
    let mut board = AnyBoard::new(Layout::MALDOO, 0).expect("9x9 is a layout");
    let before = board.digest();
    if board.load(&[bytes, &seal].concat()).is_err() {
        assert_eq!(board.digest(), before, "a refused state changed the board");
        return Judged::Nothing;
    }
    let mut moves = 0;
    for number in 0..12 {
        step(&mut board, Step::Touch(number * 7), &mut moves);
        step(&mut board, Step::Legal(number), &mut moves);
        step(&mut board, Step::Wait(700), &mut moves);
    }
    step(&mut board, Step::Wait(60_000), &mut moves);
    Judged::Something
}

/// The duration of the longest session that is replayed.
const SHORT: Tick = 100_000;

/// A file is either refused, or written and read back identically, and it can be
/// described.
fn session(bytes: &[u8]) -> Judged {
    let Ok(session) = Session::parse(bytes) else {
        return Judged::Nothing;
    };
    let again = Session::parse(session.to_text().as_bytes());
    assert_eq!(again.expect("what is written is read"), session);
    let is_short = |tick: Tick| tick <= SHORT;
    if session.entries.len() <= 100 && session.entries.iter().all(|entry| is_short(entry.tick)) {
        // The state at the start of the session may be refused.
        let _ = transcript::lines(&session);
    }
    Judged::if_any(!session.entries.is_empty())
}

/// A script never panics: it succeeds or ends with a sentence.
fn shell(bytes: &[u8]) -> Judged {
    // Commands that access the file system or take long are left out.
    let is_harmless = |line: &&str| match shell::parse(line, Layout::MALDOO) {
        Ok(Some(
            ShellCommand::Save(_)
            | ShellCommand::Load(_)
            | ShellCommand::Reset(Some(LayoutArgument::File(_))),
        )) => false,
        Ok(Some(ShellCommand::Wait(ticks))) => ticks <= SHORT,
        _ => true,
    };
    let text = String::from_utf8_lossy(bytes);
    let lines: Vec<&str> = text.lines().filter(is_harmless).take(40).collect();
    let options = ShellOptions {
        layout: touchboard_links::games::layout,
        answers: Answers::Plain(AnswerColours::Letters),
        reader: Reader::Script,
        on_trouble: OnTrouble::GoOn,
        seed: 1,
    };
    let mut board = CoreDriver::new(Layout::MALDOO, 1).expect("9x9 is a layout");
    let (mut output, mut errors) = (Vec::new(), Vec::new());
    let script = lines.join("\n");
    let ending =
        ShellSession::new(&mut board, &options).run(script.as_bytes(), &mut output, &mut errors);
    let ending = ending.expect("memory is writable");
    assert!(ending == ExitKind::Done || !errors.is_empty(), "{script:?}");
    Judged::if_any(!output.is_empty())
}

/// The index of Start among the buttons.
const START: u8 = 5;

/// Something that happens to a board.
#[derive(Clone, Copy, Debug)]
enum Step {
    Touch(u8),
    Release(u8),
    Press(u8),
    Pass,
    Wait(Tick),
    /// A touch of the legal point with this index, modulo their number; if there is none
    /// yet, one after the board has acted.
    Legal(u8),
    Set(Settings),
}

/// The step that three bytes encode.
fn step_of([kind, value, more]: [u8; 3]) -> Step {
    match kind % 16 {
        0 | 1 => Step::Touch(value),
        2 => Step::Release(value),
        3 => Step::Press(value),
        4 => Step::Pass,
        5 | 6 => Step::Wait(Tick::from(value)),
        7 => Step::Wait(Tick::from(value) * 157),
        8 => {
            let game = games::NUMBERS[usize::from(value) % games::NUMBERS.len()];
            let modes = games::about(game).map_or(1, |about| about.modes);
            Step::Set(Settings {
                game,
                mode: more % modes,
                level: more / 16 % 5,
                time: value % 10,
                speed: more % 10,
            })
        }
        _ => Step::Legal(value),
    }
}

/// Carries out a step, and counts moves.
///
/// It also checks what always holds: a legal point is accepted, and a board that is saved
/// and loaded is the same board and not changed by being examined.
fn step(board: &mut AnyBoard, step: Step, moves: &mut u32) {
    let mut loaded = AnyBoard::new(Layout::MALDOO, 1).expect("9x9 is a layout");
    let mut buffer = vec![0; SNAPSHOT_BYTES];
    let bytes = board.save(&mut buffer).expect("every state fits");
    loaded
        .load(bytes)
        .expect("what a board saved, a board loads");
    let own = act(board, step);
    let copied = act(&mut loaded, step);
    assert_eq!(own, copied, "{step:?}");
    assert_eq!(board.digest(), loaded.digest(), "{step:?}");
    assert_eq!(board.digest(), board.digest());
    let is_move = |event: &&(Tick, Event)| matches!(event.1, Event::Move { .. });
    let count = own.iter().filter(is_move).count();
    let is_taken = |event: &(Tick, Event)| !matches!(event.1, Event::Illegal { .. });
    assert!(
        !matches!(step, Step::Legal(_)) || own.iter().all(is_taken),
        "a legal point was refused: {own:?}"
    );
    *moves += count as u32;
}

fn act(board: &mut AnyBoard, step: Step) -> Vec<(Tick, Event)> {
    let mut events = Vec::new();
    let mut tell = |tick, event| events.push((tick, event));
    match step {
        Step::Touch(point) => board.input(Input::Touch(Point(point)), &mut tell),
        Step::Release(point) => board.input(Input::Release(Point(point)), &mut tell),
        Step::Press(button) => {
            let button = Button::ALL[usize::from(button) % Button::ALL.len()];
            board.input(Input::Press(button), &mut tell);
            board.input(Input::Lift(button), &mut tell);
        }
        Step::Pass => board.input(Input::Pass, &mut tell),
        Step::Wait(ticks) => board.advance(ticks, &mut tell),
        Step::Legal(choice) => {
            if crate::legal_point(board, choice).is_none()
                && let Some(at) = board.wakes_at()
            {
                board.advance(at.saturating_sub(board.tick()).min(SHORT), &mut tell);
            }
            if let Some(point) = crate::legal_point(board, choice) {
                board.input(Input::Release(point), &mut tell);
                board.input(Input::Touch(point), &mut tell);
                board.input(Input::Release(point), &mut tell);
            }
        }
        Step::Set(settings) => board
            .carry_out(&Deed::Settings(settings), &mut tell)
            .expect("settings of the table"),
    }
    events
}

/// A board that is set up from the first bytes, with steps from the others, three bytes
/// for each.
fn board(bytes: &[u8]) -> Judged {
    let Some((&[columns, rows, seed], steps)) = bytes.split_first_chunk() else {
        return Judged::Nothing;
    };
    let layout = Layout::grid(columns % 16 + 1, rows % 16 + 1).expect("sides of 1 to 16");
    let mut board = AnyBoard::new(layout, seed.into()).expect("every grid is a layout");
    let mut moves = 0;
    for bytes in steps.chunks_exact(3).take(60) {
        let next = step_of([bytes[0], bytes[1], bytes[2]]);
        step(&mut board, next, &mut moves);
    }
    Judged::if_any(moves > 0)
}

fn messages_of_a_host() -> Vec<Vec<u8>> {
    use protocol::{Command, Pace, Request};
    let hello = ToDevice::Hello {
        version: PROTOCOL_VERSION,
        schema: SCHEMA_HASH,
        host: 1,
    };
    let inputs = [
        Input::Touch(Point(3)),
        Input::Release(Point(3)),
        Input::Pass,
    ];
    let commands = [
        Command::Ping,
        Command::Step {
            inputs: inputs.into_iter().collect(),
            ticks: 300,
            digest: true,
        },
        Command::Do(Input::Press(Button::Start).into()),
        Command::Pace(Pace::Free { permille: 1_000 }),
        Command::Do(Deed::Settings(Settings::default())),
        Command::Do(Deed::Choose(3)),
        Command::Legal,
        Command::Write {
            offset: 7,
            bytes: [1, 2, 3, 4].into_iter().collect(),
        },
        Command::Do(Deed::Reset {
            seed: 7,
            layout: Layout::MALDOO,
        }),
    ];
    let request = |(number, command)| {
        plain(&ToDevice::Request(Request {
            number,
            seen: 2,
            command,
        }))
    };
    let requests = (1..).zip(commands).map(request);
    [plain(&hello)].into_iter().chain(requests).collect()
}

/// The messages that a device sends about a game.
fn reports() -> Vec<ToHost> {
    let mut board = AnyBoard::new(Layout::MALDOO, 3).expect("9x9 is a layout");
    let mut events = act(&mut board, Step::Press(START));
    for number in 0..4 {
        events.extend(act(&mut board, Step::Legal(number)));
    }
    let stamped = events.into_iter().zip(0..).map(|((tick, event), number)| {
        ToHost::Event(protocol::StampedEvent {
            number,
            tick,
            event,
        })
    });
    let frame = ToHost::Frame {
        number: 5,
        tick: board.tick(),
        frame: board.frame().clone(),
    };
    let reply = ToHost::Reply(protocol::Reply {
        number: 1,
        tick: 5,
        events: 9,
        frames: 2,
        result: Ok(protocol::Done::Status(board.status())),
    });
    stamped.chain([frame, reply, log("hello")]).collect()
}

fn messages_of_a_device() -> Vec<Vec<u8>> {
    reports().iter().map(plain).collect()
}

fn streams() -> Vec<Vec<u8>> {
    let frames: Vec<Vec<u8>> = reports().iter().map(wire::encoded).collect();
    let pairs = frames.windows(2);
    pairs
        .map(|two| [&[20], &two.concat()[..]].concat())
        .collect()
}

/// States from the middle of every game in every mode.
fn states() -> Vec<Vec<u8>> {
    let state = |(game, mode)| {
        let mut board = AnyBoard::new(Layout::MALDOO, 3).expect("9x9 is a layout");
        let settings = Settings {
            game,
            mode,
            level: 1,
            ..Settings::default()
        };
        act(&mut board, Step::Set(settings));
        act(&mut board, Step::Press(START));
        for number in 0..6 {
            act(&mut board, Step::Legal(number));
            act(&mut board, Step::Wait(300));
        }
        let mut buffer = vec![0; SNAPSHOT_BYTES];
        let bytes = board.save(&mut buffer).expect("every state fits");
        bytes[..bytes.len() - 8].to_vec()
    };
    games_and_modes().map(state).collect()
}

fn games_and_modes() -> impl Iterator<Item = (u8, u8)> {
    games::NUMBERS.iter().flat_map(|game| {
        let modes = games::about(*game).map_or(0, |about| about.modes);
        (0..modes).map(move |mode| (*game, mode))
    })
}

fn sessions() -> Vec<Vec<u8>> {
    let mut session = Session::new(Header::new(Layout::MALDOO, 7, "an example"));
    let point = Point(47);
    for act in [
        Input::Press(Button::Start).into(),
        Input::Lift(Button::Start).into(),
        Input::Touch(point).into(),
        Input::Release(point).into(),
        SessionItem::Do(Deed::Settings(Settings::default())),
        SessionItem::Note("a note".to_owned()),
        SessionItem::Do(Deed::Reset {
            seed: 5,
            layout: Layout::grid(6, 6).expect("a layout"),
        }),
        SessionItem::Digest(5),
        SessionItem::End,
    ] {
        session.push(0, act);
    }
    let cut = Session::with_entries(session.header.clone(), session.entries[..3].to_vec());
    [session, cut]
        .map(|session| session.to_text().into_bytes())
        .into()
}

fn scripts() -> Vec<Vec<u8>> {
    let scripts = [
        "set game=ghost mode=2 level=4\nstart\nwait 700\nshow\nlegal\n",
        "reset 6x6 seed=3\nstart\ntap d3\nexpect turn red\nscore\ndigest\n",
        "start\ntouch d3\nrelease d3\npass\npress stop\nexpect winner none\nhelp\n",
    ];
    scripts.map(|text| text.as_bytes().to_vec()).into()
}

/// A short play of every game, on the board of the manual and on the largest one.
fn plays() -> Vec<Vec<u8>> {
    let play = |(game, mode): (u8, u8)| {
        let side = [8, 15][usize::from(game + mode) % 2];
        let mut rng = Rng::new(u64::from(game) * 16 + u64::from(mode));
        let mut bytes = vec![side, side, mode, 8, game, mode, 3, START, 0];
        for _ in 0..20 {
            let [kind, value, ..] = rng.next().to_le_bytes();
            bytes.extend([9, value, 0, 4 + kind % 3, value, 0]);
        }
        bytes
    };
    games_and_modes().map(play).collect()
}
