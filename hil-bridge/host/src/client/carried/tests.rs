//! Boards in this process, at a line whose bytes the test carries as a page does.

use crossbeam_channel::{Receiver, bounded};
use firmware_core::{AnyBoard, Device, Identity, Keeping, SNAPSHOT_BYTES};
use law::{Judged, Weight, law};
use proptest::prelude::*;
use protocol::{Command, Deed, Event, Input, Layout, Point};

use super::*;
use crate::client::{ClientAnswer, ClientHandle, NewClient};
use crate::conversation::{ClientOptions, Conversation};
use crate::happening::Happening;
use crate::traffic::{LineMedium, LineRecord};
use crate::twin::{Followed, Twin};

/// More than an exchange and its recovery take.
const MOST_MS: u64 = 20_000;

fn record(time: &CarriedTime) -> SharedRecord {
    SharedRecord::new(LineRecord::new(LineMedium::Unpaced), time.clock())
}

fn device() -> Device<Keeping<AnyBoard>, Vec<u8>> {
    let board = AnyBoard::new(Layout::MALDOO, 1).expect("9x9 is a layout");
    let identity = Identity {
        board: "tested",
        boot: 1,
        sensors: true,
    };
    Device::new(Keeping::new(board), identity, vec![0; SNAPSHOT_BYTES])
}

/// A page with a board at a port.
struct Page {
    conversation: Conversation<CarriedEnd>,
    record: SharedRecord,
    device: Device<Keeping<AnyBoard>, Vec<u8>>,
    now: Duration,
    /// The number of the line that is open.
    open: Option<u32>,
    /// The most bytes that the port passes at once.
    piece: usize,
    /// The bytes from the board after which the cable is pulled out.
    cut_after: Option<usize>,
    out_until: Duration,
}

impl Page {
    fn begin(piece: usize) -> (Page, ClientHandle) {
        let time = CarriedTime::default();
        let (client, side) = NewClient::new("a port", time.clock());
        let (give, met): (_, Receiver<ClientHandle>) = bounded(1);
        let record = record(&time);
        let end = CarriedEnd::new("a port", (side, time, record.clone()), 0, 7);
        let ready = move |view: Result<_, DriverError>| {
            let view = view.expect("the board answers");
            give.send(client.met(view)).expect("somebody waits");
        };
        let mut page = Page {
            conversation: Conversation::new(end, ClientOptions::default(), ready),
            record,
            device: device(),
            now: Duration::ZERO,
            open: None,
            piece,
            cut_after: None,
            out_until: Duration::ZERO,
        };
        let client = page.until(|| met.try_recv().ok());
        (page, client)
    }

    /// Lets time pass until there is a result.
    fn until<T>(&mut self, mut found: impl FnMut() -> Option<T>) -> T {
        for _ in 0..MOST_MS {
            if let Some(found) = found() {
                return found;
            }
            self.pass();
        }
        panic!("nothing comes");
    }

    fn answered(&mut self, answer: &ClientAnswer) -> bool {
        self.until(|| answer.try_recv().ok()).is_ok()
    }

    /// A millisecond, as the script of a page spends it.
    fn pass(&mut self) {
        self.now += Duration::from_millis(1);
        self.device.elapse(1);
        let end = self.conversation.end();
        end.borrow_mut().pass_until(self.now);
        self.conversation.poll();
        let wanted = self.conversation.end().borrow().wanted();
        if self.open != wanted {
            // What was on its way is lost with the line.
            self.open = wanted.filter(|_| self.now >= self.out_until);
            if let (None, Some(line)) = (self.open, wanted) {
                let end = self.conversation.end();
                end.borrow_mut().end(line, "it is not plugged in");
            }
        }
        if let Some(line) = self.open {
            self.carry(line);
        }
    }

    fn carry(&mut self, line: u32) {
        let bytes = self.conversation.end().borrow_mut().take(line);
        let mut left = &bytes[..];
        while !left.is_empty() {
            let taken = self.device.feed(left);
            left = &left[taken..];
            self.hear(line);
        }
        self.hear(line);
    }

    fn hear(&mut self, line: u32) {
        while !self.device.output().is_empty() {
            let bytes = self.device.output();
            let count = bytes.len().min(self.piece);
            let count = self.cut_after.map_or(count, |left| left.min(count));
            let piece = bytes[..count].to_vec();
            self.device.sent(count);
            let mut end = self.conversation.end().borrow_mut();
            end.bring(line, &piece);
            if let Some(left) = &mut self.cut_after {
                *left -= count;
                if *left == 0 {
                    self.cut_after = None;
                    self.open = None;
                    self.out_until = self.now + Duration::from_millis(80);
                    end.end(line, "it was unplugged");
                    drop(end);
                    self.device.sent(self.device.output().len());
                    return;
                }
            }
            drop(end);
            self.conversation.poll();
        }
    }
}

/// Wherever the cable is pulled out, and in whatever pieces bytes come, each touch that
/// was answered reaches the board once, the board is found again, and its twin agrees.
#[test]
fn an_unplugged_board_is_found_again_and_agrees_with_its_twin() {
    let cases = (1_usize..300, 1_usize..4_000);
    law(Weight::of(60, 30), cases, |(piece, cut_after)| {
        let (mut page, client) = Page::begin(piece);
        let snapshot = client.post_resync().expect("it is open");
        prop_assert!(page.answered(&snapshot));
        page.cut_after = Some(cut_after);
        for point in 0..20 {
            for input in [Input::Touch(Point(point)), Input::Release(Point(point))] {
                let touch = client.post(Command::Do(Deed::Input(input)));
                prop_assert!(page.answered(&touch.expect("it is open")));
            }
        }
        let was_cut = page.cut_after.is_none();
        let state = client.post_resync().expect("it is open");
        prop_assert!(page.answered(&state));
        (0..3_000).for_each(|_| page.pass());
        let (mut twin, mut agreed, mut touches) = (Twin::new(), 0, Vec::new());
        for happening in client.happenings().try_iter() {
            if let Happening::Event(event) = &happening
                && let Event::Taken(Input::Touch(point)) = event.event
            {
                touches.push(point.0);
            }
            match twin.follow(&happening) {
                Followed::Differs { tick, .. } => prop_assert!(false, "it differs at {tick}"),
                Followed::Agreed(_) => agreed += 1,
                Followed::Along | Followed::Lost => {}
            }
        }
        prop_assert_eq!(touches, (0..20).collect::<Vec<u8>>());
        prop_assert!(agreed > 0);
        let figures = page.record.figures();
        prop_assert!(figures.to_board.bytes > 0 && figures.from_board.bytes > 0);
        Ok(Judged::if_any(was_cut))
    });
}

fn end() -> CarriedEnd {
    let time = CarriedTime::default();
    let (_client, side) = NewClient::new("a port", time.clock());
    let record = record(&time);
    CarriedEnd::new("a port", (side, time, record), 0, 7)
}

fn sentence(end: &mut CarriedEnd) -> String {
    match end.receive() {
        Some(FromBoard::Ended(error)) => error.to_string(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn bytes_of_an_earlier_line_are_not_taken() {
    let mut end = end();
    assert_eq!(end.wanted(), None);
    end.open().unwrap();
    let first = end.wanted().expect("it is open");
    end.send(b"hello").unwrap();
    end.close();
    assert_eq!(end.take(first), b"");
    end.open().unwrap();
    let second = end.wanted().expect("it is open");
    assert_ne!(first, second);
    end.send(b"again").unwrap();
    end.bring(first, &[1, 2, 0]);
    end.end(first, "it was unplugged");
    assert!(end.receive().is_none());
    assert_eq!(end.take(first), b"");
    assert_eq!(end.take(second), b"again");
    assert!(!end.has_bytes());
    end.end(second, "it was unplugged");
    assert_eq!(
        sentence(&mut end),
        "the line to a port was lost: it was unplugged"
    );
}

#[test]
fn a_port_that_accepts_nothing_ends_the_line() {
    let mut end = end();
    end.open().unwrap();
    let piece = [0; 1_000];
    let error = (0..1_000).find_map(|_| end.send(&piece).err());
    let sentence = error.expect("its room is limited").to_string();
    assert!(sentence.contains("the port accepts nothing"), "{sentence}");
    let line = end.wanted().expect("it is open");
    assert!(end.take(line).len() <= OUT_BYTES);
}

#[test]
fn a_flood_from_the_port_ends_the_line() {
    let mut end = end();
    end.open().unwrap();
    let line = end.wanted().expect("it is open");
    end.bring(line, &[1, 0].repeat(10 * INCOMING));
    let items: Vec<FromBoard> = std::iter::from_fn(|| end.receive()).collect();
    assert_eq!(items.len(), INCOMING + 1);
    assert!(matches!(items.last(), Some(FromBoard::Ended(_))));
}

#[test]
fn a_page_that_was_stopped_has_not_waited() {
    let mut end = end();
    end.pass_until(Duration::from_secs(5_000));
    assert_eq!(end.now(), Duration::ZERO);
    end.pass_until(Duration::from_millis(5_000_300));
    assert_eq!(end.now(), Duration::from_millis(300));
    end.pass_until(Duration::from_secs(9_000));
    assert_eq!(end.now(), Duration::from_millis(1_300));
    // A clock that was set back.
    end.pass_until(Duration::from_secs(8_000));
    assert_eq!(end.now(), Duration::from_millis(1_300));
}
