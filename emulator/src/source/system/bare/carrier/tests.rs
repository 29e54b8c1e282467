//! A board at a port, used as a page uses it: a device in this process is at the other end
//! of the carrier.

use firmware_core::{AnyBoard, Device, Identity, Keeping, SNAPSHOT_BYTES};
use protocol::{Button, Deed, Input, Layout};

use super::*;
use crate::source::{
    Agreement, At, BoardLink, BoardPace, Shown, Source, Where, WindowCommand, open,
};

/// Only ends a test that would otherwise wait for ever.
const PATIENCE: Duration = Duration::from_secs(60);

/// A window of a page, and the board at its port.
struct Page {
    source: Box<dyn Source>,
    shown: Shown,
    device: Device<Keeping<AnyBoard>, Vec<u8>>,
    is_out: bool,
}

impl Page {
    fn connect() -> Page {
        let board = AnyBoard::new(Layout::grid(8, 8).unwrap(), 1).unwrap();
        let identity = Identity {
            board: "tested",
            boot: 1,
            sensors: false,
        };
        let mut page = Page {
            source: open(Where::new(At::Port("a port".to_owned()))).unwrap(),
            shown: Shown::default(),
            device: Device::new(Keeping::new(board), identity, vec![0; SNAPSHOT_BYTES]),
            is_out: false,
        };
        page.wait(agrees);
        page
    }

    /// A picture, with the bytes that pass before it.
    fn draw(&mut self) {
        let step = Duration::from_millis(2);
        std::thread::sleep(step);
        self.device.elapse(2);
        go_on();
        if let Some(line) = wanted() {
            match self.is_out {
                true => end(line, "it was unplugged"),
                false => self.carry(line),
            }
        }
        let updated = self.source.update(step, &mut self.shown, &mut |_, _| ());
        updated.unwrap();
    }

    fn carry(&mut self, line: u32) {
        let bytes = take(line);
        let mut left = &bytes[..];
        while !left.is_empty() {
            left = &left[self.device.feed(left)..];
            self.hear(line);
        }
        self.hear(line);
    }

    fn hear(&mut self, line: u32) {
        while !self.device.output().is_empty() {
            let bytes = self.device.output().to_vec();
            self.device.sent(bytes.len());
            bring(line, &bytes);
        }
    }

    fn wait(&mut self, is_so: impl Fn(&Shown) -> bool) {
        let began = Instant::now();
        while !is_so(&self.shown) {
            assert!(began.elapsed() < PATIENCE, "{:?}", self.shown);
            self.draw();
        }
    }

    fn obey(&mut self, command: &WindowCommand) {
        self.source.obey(command).unwrap();
    }

    fn begin_a_game(&mut self) {
        for input in [Input::Press(Button::Start), Input::Lift(Button::Start)] {
            self.obey(&WindowCommand::Do(Deed::Input(input)));
        }
        self.wait(|shown| !shown.legal.is_empty() && shown.frame.turn[0]);
    }
}

fn agrees(shown: &Shown) -> bool {
    matches!(shown.link, BoardLink::Up { .. })
        && matches!(shown.twin, Agreement::Agrees { compared: 1.. })
}

#[test]
fn a_board_at_a_port_is_driven_mirrored_and_compared() {
    let mut page = Page::connect();
    assert_eq!(page.shown.layout, Layout::grid(8, 8).unwrap());
    page.begin_a_game();
    let point = page.shown.legal[0];
    for input in [Input::Touch(point), Input::Release(point)] {
        page.obey(&WindowCommand::Do(Deed::Input(input)));
    }
    page.wait(|shown| shown.frame.turn[1] && agrees(shown));
    assert_eq!(page.device.board().board().frame(), &page.shown.frame);
    let mut bytes = 0;
    let line = page.source.at_line().expect("it is at a line");
    line.look_at_line(&mut |_, figures| bytes = figures.from_board.bytes);
    assert!(bytes > 0);
}

#[test]
fn a_board_at_a_port_goes_back_to_its_own_past() {
    let mut page = Page::connect();
    let dark = page.shown.frame.clone();
    let before = page.source.time_of(page.device.board().board().tick());
    page.begin_a_game();
    page.obey(&WindowCommand::GoTo(before));
    page.wait(|shown| shown.work.is_none() && shown.frame == dark);
    assert!(page.shown.pace.frozen);
    assert!(page.shown.past.latest > before);
    // And on again, along what was recorded.
    page.obey(&WindowCommand::Pace(BoardPace::default()));
    page.wait(|shown| shown.frame.turn[0] && agrees(shown));
}

#[test]
fn an_unplugged_board_is_told_and_found_again() {
    let mut page = Page::connect();
    page.begin_a_game();
    let frame = page.shown.frame.clone();
    page.is_out = true;
    page.wait(
        |shown| matches!(&shown.link, BoardLink::Down(why) if why.contains("it was unplugged")),
    );
    page.is_out = false;
    page.wait(|shown| agrees(shown) && shown.frame == frame);
    assert_eq!(page.shown.lost.restarted, None);
}

#[test]
fn the_port_is_given_back_with_the_board() {
    let mut page = Page::connect();
    assert!(wanted().is_some());
    page.source = open(Where::new(At::Core)).unwrap();
    page.draw();
    page.draw();
    assert_eq!(wanted(), None);
    assert_eq!(go_on(), None);
}
