//! The exact bytes of each message in this protocol version. A change here requires a new
//! `PROTOCOL_VERSION`, unless a type changes and the schema with it.

use std::fmt::Write;

use protocol::wire;
use protocol::{
    Button, Capabilities, Clock, Colour, Command, Deed, Diagram, Done, Event, Frame, FrameDelta,
    Hello, Input, LastMove, Layout, Light, Lit, Message, Mover, Outcome, Pace, Packed, Point,
    Position, Refusal, Reply, Request, Rhythm, Rhythms, Roster, Settings, Severity, Side,
    StampedEvent, Status, Stop, Text, ToDevice, ToHost,
};

fn frame(message: &impl Message) -> String {
    wire::encoded(message)
        .iter()
        .fold(String::new(), |mut text, byte| {
            let _ = write!(text, "{byte:02x}");
            text
        })
}

fn lines<M: Message>(messages: &[(&str, M)]) -> String {
    messages
        .iter()
        .fold(String::new(), |mut text, (name, message)| {
            let bytes = frame(message);
            let _ = writeln!(text, "{name}: {} bytes\n  {bytes}", bytes.len() / 2);
            text
        })
}

/// An arbitrary number instead of the schema, so that the bytes do not depend on it.
const SCHEMA: u64 = 0x0123_4567_89AB_CDEF;

fn rhythms() -> Rhythms {
    let mut rhythms = Rhythms::default();
    rhythms.set(Point(2), Rhythm::Slow);
    rhythms
}

fn packed() -> Packed {
    let mut packed = Packed::default();
    packed.set(Point(30), Colour::GREEN);
    packed.set(Point(31), Colour::RED);
    packed.set(Point(40), Colour::AMBER);
    packed
}

fn settings() -> Settings {
    Settings {
        game: 9,
        time: 5,
        speed: 6,
        level: 4,
        mode: 2,
    }
}

/// A request with this command.
fn ask(command: Command) -> ToDevice {
    ToDevice::Request(Request {
        number: 300,
        seen: 7,
        command,
    })
}

/// A reply with this result.
fn answer(result: Result<Done, Refusal>) -> ToHost {
    ToHost::Reply(Reply {
        number: 300,
        tick: 123_456,
        events: 8,
        frames: 5,
        result,
    })
}

/// The report of an event.
fn happened(event: Event) -> ToHost {
    ToHost::Event(StampedEvent {
        number: 8,
        tick: 123_456,
        event,
    })
}

/// A status in which everything is known.
fn status() -> Status {
    Status {
        settings: settings(),
        turn: Some(Side::Red),
        score: Some([12, 34]),
        outcome: Some(Outcome::Won(Side::Green)),
        paused: true,
        thinking: false,
        idle: true,
        clock: Some(Clock {
            left_ms: 29_000,
            of_ms: 30_000,
            waits: false,
        }),
        turns_left: Some(31),
        last_move: Some(LastMove {
            side: Side::Green,
            point: Point(30),
            by: Mover::Clock,
        }),
        best: Some([74, 61, 300, 0, 0]),
    }
}

/// A hello of a virtual board.
fn hello() -> Hello {
    Hello {
        version: 1,
        schema: SCHEMA,
        board: Text::clipped("virtual"),
        firmware: Text::clipped("0.1.0"),
        layout: Layout::MALDOO,
        colours: 16,
        capabilities: Capabilities {
            free_running: true,
            sensors: false,
            max_points: 256,
            roster: Roster::of(&[0, 1]),
        },
        seed: 7,
        tick: 123_456,
        boot: 3,
    }
}

/// A frame with lights, a display and a tone.
fn whole_frame() -> Frame {
    Frame {
        points: packed(),
        rhythms: rhythms(),
        beat: 250,
        turn: [true, false],
        turn_rhythm: Rhythm::Wink,
        display: Text::clipped("12        34"),
        beep_hz: 880,
    }
}

/// A change of one light.
fn delta(point: Point) -> FrameDelta {
    FrameDelta {
        lit: [Lit {
            point,
            light: Light::new(Colour::RED, Rhythm::Fast),
        }]
        .into_iter()
        .collect(),
        beat: 250,
        turn: [false, true],
        turn_rhythm: Rhythm::Steady,
        display: None,
        beep_hz: 0,
    }
}

#[test]
fn messages_of_a_host_have_these_bytes() {
    let inputs = [
        Input::Touch(Point(40)),
        Input::Release(Point(40)),
        Input::Press(Button::Start),
        Input::Lift(Button::Stop),
        Input::Pass,
    ];
    let told = lines(&[
        (
            "hello",
            ToDevice::Hello {
                version: 1,
                schema: SCHEMA,
                host: 99,
            },
        ),
        ("ping", ask(Command::Ping)),
        ("fingers", ask(Command::fingers(inputs))),
        (
            "step",
            ask(Command::Step {
                inputs: inputs.into_iter().collect(),
                ticks: 1_000,
                digest: true,
            }),
        ),
        ("input", ask(Command::Do(Deed::Input(inputs[0])))),
        ("pace lockstep", ask(Command::Pace(Pace::Lockstep))),
        (
            "pace free",
            ask(Command::Pace(Pace::Free { permille: 1_000 })),
        ),
        ("choose", ask(Command::Do(Deed::Choose(3)))),
        ("settings", ask(Command::Do(Deed::Settings(settings())))),
        (
            "position",
            ask(Command::Do(Deed::Position(Position::Diagram(Diagram {
                points: packed(),
                turn: Side::Red,
            })))),
        ),
        (
            "position of its own",
            ask(Command::Do(Deed::Position(Position::Own {
                game: 10,
                bytes: [1, 2, 3].into_iter().collect(),
            }))),
        ),
        ("frame", ask(Command::Frame)),
        ("digest", ask(Command::Digest)),
        ("legal", ask(Command::Legal)),
        ("status", ask(Command::Status)),
        ("read", ask(Command::Read { offset: 128 })),
        (
            "write",
            ask(Command::Write {
                offset: 128,
                bytes: (0..10).collect(),
            }),
        ),
        ("load", ask(Command::Load { length: 138 })),
        (
            "reset",
            ask(Command::Do(Deed::Reset {
                seed: 7,
                layout: Layout::MALDOO,
            })),
        ),
        ("resend", ask(Command::Resend)),
        ("clear best", ask(Command::ClearBest)),
        ("count best", ask(Command::CountBest(false))),
        ("crash", ask(Command::Crash)),
        ("faults", ask(Command::Faults)),
        ("break", ask(Command::Break { length: 138 })),
    ]);
    insta::assert_snapshot!(told);
}

#[test]
fn answers_of_a_device_have_these_bytes() {
    let points = [2, 40, 80].map(Point);
    let told = lines(&[
        ("done", answer(Ok(Done::Done))),
        (
            "stepped",
            answer(Ok(Done::Stepped {
                inputs: 2,
                ticks: 1_000,
                digest: Some(SCHEMA),
            })),
        ),
        ("digest", answer(Ok(Done::Digest(SCHEMA)))),
        ("status", answer(Ok(Done::Status(status())))),
        ("legal", answer(Ok(Done::legal(points.into_iter())))),
        (
            "chunk",
            answer(Ok(Done::Chunk {
                total: 138,
                digest: SCHEMA,
                bytes: (0..10).collect(),
            })),
        ),
        ("not greeted", answer(Err(Refusal::NotGreeted))),
        ("not in lockstep", answer(Err(Refusal::NotInLockstep))),
        ("layout", answer(Err(Refusal::Layout(Layout::MALDOO)))),
        ("no such game", answer(Err(Refusal::NoSuchGame(8)))),
        (
            "no such mode",
            answer(Err(Refusal::NoSuchMode { mode: 7, modes: 6 })),
        ),
        (
            "setting out of range",
            answer(Err(Refusal::SettingOutOfRange)),
        ),
        ("position", answer(Err(Refusal::Position))),
        ("snapshot", answer(Err(Refusal::Snapshot))),
        (
            "roster",
            answer(Err(Refusal::Roster(Roster::of(&[0, 5, 9])))),
        ),
        (
            "no room for a chunk",
            answer(Err(Refusal::Chunk { offset: 60_000 })),
        ),
        ("unseen", answer(Err(Refusal::Unseen))),
        ("stale", answer(Err(Refusal::Stale { next: 301 }))),
    ]);
    insta::assert_snapshot!(told);
}

#[test]
fn reports_of_a_device_have_these_bytes() {
    let (side, point) = (Side::Red, Point(40));
    let told = lines(&[
        ("hello", ToHost::Hello(hello())),
        (
            "frame",
            ToHost::Frame {
                number: 4,
                tick: 123_456,
                frame: whole_frame(),
            },
        ),
        (
            "delta",
            ToHost::Delta {
                number: 5,
                tick: 123_457,
                delta: delta(point),
            },
        ),
        (
            "log",
            ToHost::Log {
                severity: Severity::Warning,
                text: Text::clipped("a line"),
            },
        ),
        ("panic", ToHost::Panic(Text::clipped("why"))),
        ("busy", ToHost::Busy(Text::clipped("[::1]:7777"))),
    ]);
    let events = lines(&[
        ("settings", happened(Event::Settings(settings()))),
        ("taken", happened(Event::Taken(Input::Touch(point)))),
        ("digest", happened(Event::Digest(SCHEMA))),
        ("started", happened(Event::Started(settings()))),
        ("stopped", happened(Event::Stopped(Stop::Restart))),
        ("held", happened(Event::Paused(true))),
        (
            "move",
            happened(Event::Move {
                side,
                point,
                changed: 3,
            }),
        ),
        ("part", happened(Event::Part { side, point })),
        ("illegal", happened(Event::Illegal { side, point })),
        ("passed", happened(Event::Passed { side })),
        ("timed out", happened(Event::TimedOut { side })),
        ("turn", happened(Event::Turn(side))),
        ("score", happened(Event::Score([12, 34]))),
        ("over", happened(Event::Over(Outcome::Draw))),
        (
            "best",
            happened(Event::Best {
                place: 2,
                points: 300,
            }),
        ),
        ("bleep", happened(Event::Bleep(880))),
        ("taken back", happened(Event::TakenBack { side, point })),
        ("contact", happened(Event::Contact(Input::Touch(point)))),
    ]);
    let told = told + &events;
    insta::assert_snapshot!(told);
}

#[test]
fn the_longest_messages_have_these_sizes() {
    let longest = [wire::TO_DEVICE_BYTES, wire::TO_HOST_BYTES];
    let told = format!("to device, to host: {longest:?}");
    insta::assert_snapshot!(told);
}
