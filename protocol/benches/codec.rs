//! Nanoseconds to encode a message into a wire frame, and to decode it.

use divan::{Bencher, black_box};
use protocol::{
    Colour, Command, Frame, FrameDelta, Input, Light, Lit, Pace, Point, Request, Rhythm, ToDevice,
    ToHost, wire,
};

fn main() {
    divan::main();
}

fn step() -> ToDevice {
    ToDevice::Request(Request {
        number: 1_000,
        seen: 500,
        command: Command::Step {
            inputs: [Input::Touch(Point(40))].into_iter().collect(),
            ticks: 20,
            digest: true,
        },
    })
}

fn pace() -> ToDevice {
    let command = Command::Pace(Pace::Free { permille: 1_000 });
    ToDevice::Request(Request {
        number: 1,
        seen: 0,
        command,
    })
}

fn delta() -> ToHost {
    let lit = [Lit {
        point: Point(40),
        light: Light::new(Colour::GREEN, Rhythm::Steady),
    }];
    let delta = FrameDelta {
        lit: lit.into_iter().collect(),
        ..FrameDelta::default()
    };
    ToHost::Delta {
        number: 77,
        tick: 123_456,
        delta,
    }
}

fn frame() -> ToHost {
    let mut frame = Frame::default();
    for index in 0..81 {
        frame.points.set(Point(index), Colour::new(index % 3));
    }
    ToHost::Frame {
        number: 77,
        tick: 123_456,
        frame,
    }
}

macro_rules! both_ways {
    ($($name:ident: $message:expr, $kind:ty;)*) => { $(
        mod $name {
            use super::*;

            #[divan::bench]
            fn encode(bencher: Bencher) {
                let message = $message;
                let mut buffer = [0; wire::MAX_FRAME_BYTES];
                bencher.bench_local(|| wire::encode(black_box(&message), &mut buffer).map(<[u8]>::len));
            }

            #[divan::bench]
            fn decode(bencher: Bencher) {
                let mut buffer = [0; wire::MAX_FRAME_BYTES];
                let bytes = wire::encode(&$message, &mut buffer).expect("it fits").to_vec();
                let mut receiver: wire::Receiver = wire::Receiver::new();
                bencher.bench_local(|| {
                    let mut message = None;
                    for byte in black_box(&bytes) {
                        if let Some(plain) = receiver.feed(*byte) {
                            message = Some(wire::parse::<$kind>(plain.expect("an intact frame")));
                        }
                    }
                    message
                });
            }
        }
    )* };
}

both_ways! {
    a_step: step(), ToDevice;
    a_pace: pace(), ToDevice;
    a_delta: delta(), ToHost;
    a_frame_of_81_points: frame(), ToHost;
}
