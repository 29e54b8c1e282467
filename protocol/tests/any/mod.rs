//! Strategies for arbitrary messages, used by the tests of the wire.

use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use protocol::{
    Button, Capabilities, Clock, Colour, Command, Deed, Diagram, Done, Event, Frame, FrameDelta,
    Hello, Input, LastMove, Layout, Light, Lit, Mover, Outcome, POSITION_BYTES, Pace, Packed,
    Point, Position, Refusal, Reply, Request, Rhythm, Rhythms, Roster, Settings, Severity, Side,
    StampedEvent, Status, Stop, Text, ToDevice, ToHost,
};

fn point() -> impl Strategy<Value = Point> {
    any::<u8>().prop_map(Point)
}

fn side() -> impl Strategy<Value = Side> {
    prop_oneof![Just(Side::Green), Just(Side::Red)]
}

fn outcome() -> impl Strategy<Value = Outcome> {
    prop_oneof![side().prop_map(Outcome::Won), Just(Outcome::Draw)]
}

fn button() -> impl Strategy<Value = Button> {
    proptest::sample::select(&Button::ALL[..])
}

fn layout() -> impl Strategy<Value = Layout> {
    (1..=16_u8, 1..=16_u8).prop_map(|(columns, rows)| {
        Layout::grid(columns, rows).expect("both sides are in their range")
    })
}

fn text<const N: usize>() -> impl Strategy<Value = Text<N>> {
    any::<String>().prop_map(|text| Text::clipped(&text))
}

fn input() -> impl Strategy<Value = Input> {
    prop_oneof![
        point().prop_map(Input::Touch),
        point().prop_map(Input::Release),
        button().prop_map(Input::Press),
        button().prop_map(Input::Lift),
        Just(Input::Pass),
    ]
}

fn settings() -> impl Strategy<Value = Settings> {
    any::<[u8; 5]>().prop_map(|[game, time, speed, level, mode]| Settings {
        game,
        time,
        speed,
        level,
        mode,
    })
}

fn packed() -> impl Strategy<Value = Packed> {
    vec((point(), any::<u8>()), 0..300).prop_map(|points| {
        let mut packed = Packed::default();
        for (point, colour) in points {
            packed.set(point, Colour::new(colour));
        }
        packed
    })
}

fn rhythm() -> impl Strategy<Value = Rhythm> {
    prop::sample::select(Rhythm::ALL.to_vec())
}

fn rhythms() -> impl Strategy<Value = Rhythms> {
    vec((point(), rhythm()), 0..20).prop_map(|points| {
        let mut rhythms = Rhythms::default();
        for (point, rhythm) in points {
            rhythms.set(point, rhythm);
        }
        rhythms
    })
}

pub fn frame() -> impl Strategy<Value = Frame> {
    let lights = (packed(), rhythms(), any::<u16>());
    let turn = (any::<[bool; 2]>(), rhythm());
    (lights, turn, text(), any::<u16>()).prop_map(
        |((points, rhythms, beat), (turn, turn_rhythm), display, beep_hz)| Frame {
            points,
            rhythms,
            beat,
            turn,
            turn_rhythm,
            display,
            beep_hz,
        },
    )
}

fn delta() -> impl Strategy<Value = FrameDelta> {
    let lit = (point(), any::<u8>(), rhythm()).prop_map(|(point, colour, rhythm)| Lit {
        point,
        light: Light::new(Colour::new(colour), rhythm),
    });
    let turn = (any::<[bool; 2]>(), rhythm());
    (
        vec(lit, 0..=24),
        any::<u16>(),
        turn,
        option::of(text()),
        any::<u16>(),
    )
        .prop_map(
            |(lit, beat, (turn, turn_rhythm), display, beep_hz)| FrameDelta {
                lit: lit.into_iter().collect(),
                beat,
                turn,
                turn_rhythm,
                display,
                beep_hz,
            },
        )
}

fn event() -> impl Strategy<Value = Event> {
    let stop = prop_oneof![
        Just(Stop::Settings),
        Just(Stop::Restart),
        Just(Stop::Impossible)
    ];
    prop_oneof![
        settings().prop_map(Event::Settings),
        input().prop_map(Event::Taken),
        any::<u64>().prop_map(Event::Digest),
        settings().prop_map(Event::Started),
        stop.prop_map(Event::Stopped),
        any::<bool>().prop_map(Event::Paused),
        (side(), point(), any::<u16>()).prop_map(|(side, point, changed)| Event::Move {
            side,
            point,
            changed
        }),
        (side(), point()).prop_map(|(side, point)| Event::Part { side, point }),
        (side(), point()).prop_map(|(side, point)| Event::Illegal { side, point }),
        side().prop_map(|side| Event::Passed { side }),
        side().prop_map(|side| Event::TimedOut { side }),
        side().prop_map(Event::Turn),
        any::<[u32; 2]>().prop_map(Event::Score),
        outcome().prop_map(Event::Over),
        any::<(u8, u32)>().prop_map(|(place, points)| Event::Best { place, points }),
        any::<u16>().prop_map(Event::Bleep),
        (side(), point()).prop_map(|(side, point)| Event::TakenBack { side, point }),
        input().prop_map(Event::Contact),
    ]
}

fn deed() -> impl Strategy<Value = Deed> {
    let diagram = (packed(), side()).prop_map(|(points, turn)| Diagram { points, turn });
    let own = (
        any::<u8>(),
        prop_oneof![9 => vec(any::<u8>(), 0..9), 1 => vec(any::<u8>(), 0..=POSITION_BYTES)],
    );
    let own = own.prop_map(|(game, bytes)| Position::Own {
        game,
        bytes: bytes.into_iter().collect(),
    });
    let position = prop_oneof![diagram.prop_map(Position::Diagram), own];
    prop_oneof![
        input().prop_map(Deed::Input),
        any::<u8>().prop_map(Deed::Choose),
        settings().prop_map(Deed::Settings),
        position.prop_map(Deed::Position),
        (any::<u64>(), layout()).prop_map(|(seed, layout)| Deed::Reset { seed, layout }),
    ]
}

fn command() -> impl Strategy<Value = Command> {
    let pace = prop_oneof![
        Just(Pace::Lockstep),
        any::<u32>().prop_map(|permille| Pace::Free { permille }),
    ];
    prop_oneof![
        Just(Command::Ping),
        (vec(input(), 0..=8), any::<u32>(), any::<bool>()).prop_map(|(inputs, ticks, digest)| {
            Command::Step {
                inputs: inputs.into_iter().collect(),
                ticks,
                digest,
            }
        }),
        pace.prop_map(Command::Pace),
        deed().prop_map(Command::Do),
        Just(Command::Frame),
        Just(Command::Digest),
        Just(Command::Legal),
        Just(Command::Status),
        any::<u16>().prop_map(|offset| Command::Read { offset }),
        (any::<u16>(), vec(any::<u8>(), 0..=protocol::CHUNK_BYTES)).prop_map(|(offset, bytes)| {
            Command::Write {
                offset,
                bytes: bytes.into_iter().collect(),
            }
        }),
        any::<u16>().prop_map(|length| Command::Load { length }),
        Just(Command::Resend),
        Just(Command::ClearBest),
        any::<bool>().prop_map(Command::CountBest),
        Just(Command::Crash),
        vec(input(), 0..=8).prop_map(Command::fingers),
        Just(Command::Faults),
        any::<u16>().prop_map(|length| Command::Break { length }),
    ]
}

fn severity() -> impl Strategy<Value = Severity> {
    prop_oneof![
        Just(Severity::Information),
        Just(Severity::Warning),
        Just(Severity::Error),
    ]
}

fn roster() -> impl Strategy<Value = Roster> {
    vec(0..Roster::MOST as u8, 0..8).prop_map(|numbers| Roster::of(&numbers))
}

fn refusal() -> impl Strategy<Value = Refusal> {
    prop_oneof![
        Just(Refusal::NotGreeted),
        Just(Refusal::NotInLockstep),
        layout().prop_map(Refusal::Layout),
        any::<u8>().prop_map(Refusal::NoSuchGame),
        any::<[u8; 2]>().prop_map(|[mode, modes]| Refusal::NoSuchMode { mode, modes }),
        Just(Refusal::SettingOutOfRange),
        Just(Refusal::Position),
        Just(Refusal::Snapshot),
        roster().prop_map(Refusal::Roster),
        any::<u16>().prop_map(|offset| Refusal::Chunk { offset }),
        Just(Refusal::Unseen),
        Just(Refusal::KeepsNoBest),
        any::<u32>().prop_map(|next| Refusal::Stale { next }),
        Just(Refusal::FeelsNoFingers),
        Just(Refusal::InLockstep),
        Just(Refusal::NotSimulated),
        Just(Refusal::Faults),
    ]
}

fn status() -> impl Strategy<Value = Status> {
    (
        settings(),
        option::of(side()),
        option::of(any::<[u32; 2]>()),
        option::of(outcome()),
        any::<[bool; 3]>(),
        option::of(any::<([u32; 2], bool)>()),
        option::of(any::<u16>()),
        option::of((side(), any::<u8>(), 0..3_u8)),
        option::of(any::<[u32; protocol::BEST_PLACES]>()),
    )
        .prop_map(
            |(
                settings,
                turn,
                score,
                outcome,
                [paused, thinking, idle],
                clock,
                left,
                last,
                best,
            )| {
                Status {
                    settings,
                    turn,
                    score,
                    outcome,
                    paused,
                    thinking,
                    idle,
                    clock: clock.map(|([left_ms, of_ms], waits)| Clock {
                        left_ms,
                        of_ms,
                        waits,
                    }),
                    turns_left: left,
                    last_move: last.map(|(side, point, by)| LastMove {
                        side,
                        point: Point(point),
                        by: [Mover::Finger, Mover::Board, Mover::Clock][usize::from(by)],
                    }),
                    best,
                }
            },
        )
}

fn done() -> impl Strategy<Value = Done> {
    prop_oneof![
        Just(Done::Done),
        (any::<u8>(), any::<u32>(), option::of(any::<u64>())).prop_map(
            |(inputs, ticks, digest)| Done::Stepped {
                inputs,
                ticks,
                digest
            }
        ),
        any::<u64>().prop_map(Done::Digest),
        status().prop_map(Done::Status),
        vec(any::<u8>(), 0..=32).prop_map(|bytes| Done::Legal(bytes.into_iter().collect())),
        (
            any::<u16>(),
            any::<u64>(),
            vec(any::<u8>(), 0..=protocol::CHUNK_BYTES)
        )
            .prop_map(|(total, digest, bytes)| Done::Chunk {
                total,
                digest,
                bytes: bytes.into_iter().collect(),
            }),
    ]
}

fn hello() -> impl Strategy<Value = Hello> {
    let who = (any::<u16>(), any::<u64>(), text(), text());
    let what = (
        layout(),
        any::<u8>(),
        any::<[bool; 2]>(),
        (any::<u16>(), roster()),
    );
    let when = (any::<u64>(), any::<u64>(), any::<u32>());
    (who, what, when).prop_map(
        |(
            (version, schema, board, firmware),
            (layout, colours, [free_running, sensors], (max_points, roster)),
            (seed, tick, boot),
        )| Hello {
            version,
            schema,
            board,
            firmware,
            layout,
            colours,
            capabilities: Capabilities {
                free_running,
                sensors,
                max_points,
                roster,
            },
            seed,
            tick,
            boot,
        },
    )
}

/// Any message of a host.
pub fn to_device() -> impl Strategy<Value = ToDevice> {
    prop_oneof![
        1 => any::<(u16, u64, u32)>().prop_map(|(version, schema, host)| ToDevice::Hello {
            version,
            schema,
            host
        }),
        4 => (any::<u32>(), any::<u32>(), command()).prop_map(|(number, seen, command)| {
            ToDevice::Request(Request { number, seen, command })
        }),
    ]
}

/// Any message of a device.
pub fn to_host() -> impl Strategy<Value = ToHost> {
    let result = prop_oneof![done().prop_map(Ok), refusal().prop_map(Err)];
    prop_oneof![
        hello().prop_map(ToHost::Hello),
        (any::<(u32, u64, u32, u32)>(), result).prop_map(
            |((number, tick, events, frames), result)| ToHost::Reply(Reply {
                number,
                tick,
                events,
                frames,
                result,
            })
        ),
        (any::<(u32, u64)>(), event()).prop_map(|((number, tick), event)| {
            ToHost::Event(StampedEvent {
                number,
                tick,
                event,
            })
        }),
        (any::<(u32, u64)>(), frame()).prop_map(|((number, tick), frame)| ToHost::Frame {
            number,
            tick,
            frame
        }),
        (any::<(u32, u64)>(), delta()).prop_map(|((number, tick), delta)| ToHost::Delta {
            number,
            tick,
            delta
        }),
        (severity(), text()).prop_map(|(severity, text)| ToHost::Log { severity, text }),
        text().prop_map(ToHost::Panic),
        text().prop_map(ToHost::Busy),
    ]
}
