//! Arbitrary games that are inserted into a board over its line: the property of the fuzz
//! target `cartridge`.
//!
//! The bytes of a case are the number of bytes for fingers, these bytes, and a drawing
//! with a game. The checksum of the game is corrected before it is sent, unless the
//! highest bit of the first byte is set. Verification must therefore detect everything
//! that is invalid behind a correct checksum.
//!
//! Invariants: the board answers every request; a game that it refuses leaves it
//! unchanged, and the refusal is reported; a game that it accepts can be played by
//! fingers and by its own player, within the limits of its fuel, and a point that is
//! reported as legal is never refused.

use firmware_core::cartridge::bytes::checksum;
use firmware_core::{AnyBoard, AnyWidth, Device, Identity, Keeping, SNAPSHOT_BYTES, games};
use law::Judged;
use protocol::wire::{self, Receiver};
use protocol::{
    Button, CHUNK_BYTES, Command, Deed, Done, Drawing, Event, Input, KnownLayout, Layout,
    PROTOCOL_VERSION, Pace, Packed, Point, Refusal, Reply, Request, SCHEMA_HASH, Settings,
    ToDevice, ToHost,
};

/// The maximum number of fingers in a case.
const MOST_FINGERS: usize = 12;
/// The bit that leaves the checksum of the game as it is.
const AS_IT_IS: u8 = 0x80;

/// A board and a host at the two ends of a line without losses.
struct Line {
    device: Device<Keeping<AnyBoard>, Vec<u8>>,
    receiver: Receiver,
    number: u32,
    /// The number of events that the host has seen.
    seen: u32,
    events: Vec<Event>,
}

impl Line {
    fn new() -> Line {
        let board = AnyBoard::new(Layout::MALDOO, 1).expect("9x9 is a layout");
        let identity = Identity {
            board: "fuzzed",
            boot: 1,
            sensors: false,
        };
        let buffer = vec![0; SNAPSHOT_BYTES];
        let mut line = Line {
            device: Device::new(Keeping::new(board), identity, buffer),
            receiver: Receiver::new(),
            number: 0,
            seen: 0,
            events: Vec::new(),
        };
        line.send(&ToDevice::Hello {
            version: PROTOCOL_VERSION,
            schema: SCHEMA_HASH,
            host: 1,
        });
        line.request(Command::Pace(Pace::Lockstep))
            .expect("lockstep");
        line
    }

    /// Sends this message and returns the board's reply.
    fn send(&mut self, message: &ToDevice) -> Option<Reply> {
        let bytes = wire::encoded(message);
        assert_eq!(self.device.feed(&bytes), bytes.len());
        let mut reply = None;
        while !self.device.output().is_empty() {
            let bytes = self.device.output().to_vec();
            self.device.sent(bytes.len());
            for byte in bytes {
                let Some(Ok(plain)) = self.receiver.feed(byte) else {
                    continue;
                };
                match wire::parse(plain).expect("the board says what it means") {
                    ToHost::Reply(own) => reply = Some(own),
                    ToHost::Event(event) => {
                        self.seen = event.number + 1;
                        self.events.push(event.event);
                    }
                    _ => {}
                }
            }
        }
        reply
    }

    fn request(&mut self, command: Command) -> Result<Done, Refusal> {
        self.number += 1;
        let request = ToDevice::Request(Request {
            number: self.number,
            seen: self.seen,
            command,
        });
        let reply = self.send(&request).expect("every request is answered");
        assert_eq!(reply.number, self.number);
        reply.result
    }

    fn does(&mut self, deed: Deed) -> Result<Done, Refusal> {
        let restarts = deed.restarts();
        let done = self.request(Command::Do(deed));
        if restarts && done.is_ok() {
            self.seen = 0;
        }
        done
    }

    /// Carries out these inputs, and advances by this many ticks.
    fn step(&mut self, inputs: &[Input], ticks: u32) {
        let (mut inputs, mut left) = (inputs.to_vec(), ticks);
        for _ in 0..20 {
            let done = self.request(Command::Step {
                inputs: inputs.iter().copied().collect(),
                ticks: left,
                digest: false,
            });
            let Ok(Done::Stepped {
                inputs: taken,
                ticks: passed,
                ..
            }) = done
            else {
                panic!("{done:?}")
            };
            inputs.drain(..usize::from(taken));
            left -= passed;
            if inputs.is_empty() && left == 0 {
                return;
            }
        }
    }

    /// The lights of the board.
    fn shown(&self) -> Packed {
        self.device.board().frame().points.clone()
    }

    fn legal(&mut self) -> Vec<Point> {
        self.device.board().board().legal_points()
    }
}

/// Inserts a modified game and plays it.
pub(crate) fn holds(bytes: &[u8]) -> Judged {
    let Some((head, rest)) = bytes.split_first() else {
        return Judged::Nothing;
    };
    let fingers = usize::from(head & !AS_IT_IS).min(MOST_FINGERS);
    let Some((fingers, drawn)) = rest.split_at_checked(fingers) else {
        return Judged::Nothing;
    };
    let mut drawn = drawn.to_vec();
    if head & AS_IT_IS == 0 {
        seal(&mut drawn);
    }
    let mut line = Line::new();
    for (index, chunk) in drawn.chunks(CHUNK_BYTES).enumerate() {
        let offset = u16::try_from(index * CHUNK_BYTES).unwrap_or(u16::MAX);
        let bytes = chunk.iter().copied().collect();
        if line.request(Command::Write { offset, bytes }).is_err() {
            break;
        }
    }
    let layout = Drawing::first(&drawn).map(Drawing::layout);
    let layout = layout.unwrap_or(Layout::Drawn { points: 9, id: 7 });
    let before = line.request(Command::Digest);
    if line.does(Deed::Reset { seed: 3, layout }).is_err() {
        assert_eq!(
            line.request(Command::Digest),
            before,
            "a refusal changes nothing"
        );
        return Judged::Nothing;
    }
    if line.device.board().board().name_of_own().is_none() {
        return Judged::Nothing;
    }
    play(&mut line, fingers)
}

fn play(line: &mut Line, fingers: &[u8]) -> Judged {
    let level = fingers.first().map_or(0, |finger| finger % 3);
    let settings = Settings {
        game: games::LAYOUTS_OWN,
        level: [0, 1, 4][usize::from(level)],
        ..Settings::default()
    };
    line.does(Deed::Settings(settings))
        .expect("the layout has it");
    line.step(
        &[Input::Press(Button::Start), Input::Lift(Button::Start)],
        20,
    );
    let mut is_played = false;
    // A game that runs by itself needs no fingers.
    let begun = line.shown();
    for finger in fingers {
        let legal = line.legal();
        let point = match legal.len() {
            0 => None,
            many => legal.get(usize::from(*finger) % many).copied(),
        };
        line.events.clear();
        match point {
            Some(point) => {
                line.step(&[Input::Touch(point), Input::Release(point)], 0);
                let refused = |event: &&Event| matches!(event, Event::Illegal { .. });
                assert_eq!(line.events.iter().find(refused), None, "it was legal");
                is_played = true;
            }
            None => line.step(&[Input::Touch(Point(*finger)), Input::Pass], 900),
        }
        line.step(&[Input::Release(Point(*finger))], 60);
    }
    // The result is a valid position.
    let mut buffer = vec![0; SNAPSHOT_BYTES];
    let board = line.device.board().board();
    let state = board.save(&mut buffer).expect("every state fits");
    let mut again = board.clone();
    assert_eq!(
        again.load(state),
        Ok(()),
        "a state that it came to is sound"
    );
    assert_eq!(again.digest(), board.digest());
    Judged::if_any(is_played || line.shown() != begun)
}

/// Corrects the checksum of the game of a drawing, if it has one.
fn seal(drawn: &mut [u8]) {
    let Ok(drawing) = Drawing::first(drawn) else {
        return;
    };
    let (length, points) = (drawing.bytes().len(), drawing.points());
    let Some(game) = drawing.game().map(<[u8]>::len) else {
        return;
    };
    let begin = length - game + 2 * points;
    if let Some((held, sum)) = drawn
        .get_mut(begin..length)
        .and_then(<[u8]>::split_last_chunk_mut)
    {
        *sum = checksum(held).to_le_bytes();
    }
}

/// The games in the repository, with fingers for each.
pub(crate) fn seeds() -> Vec<Vec<u8>> {
    let all = crate::texts::layouts();
    let seed = |(number, (_, layout)): (u8, (String, KnownLayout))| {
        let drawing = layout.drawing().expect("it is known").as_drawing();
        let fingers = (0..6_u8).map(|finger| {
            number
                .wrapping_mul(31)
                .wrapping_add(finger.wrapping_mul(57))
        });
        let head = [6].into_iter().chain(fingers);
        head.chain(drawing.bytes().iter().copied()).collect()
    };
    (0..).zip(all).map(seed).collect()
}
