//! All bytes on the line to a panel, from plugging it in to its end, over a serial port
//! and a device file, which are pseudo-terminals here.
//!
//! The sources are quoted in the tests of `touchboard-panels`.

#![cfg(unix)]

mod desk;

use std::fs::File;
use std::io::{Read, Write};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use desk::{GIVE_UP_AFTER, corner, fingers, plug_in};
use firmware_core::Seen;
use protocol::{Input, Point};
use rustix::fs::{Mode, OFlags};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{OptionalActions, tcgetattr, tcsetattr};
use touchboard_panel_ports::PortNews;

/// The test's end of a line.
struct FarEnd {
    line: File,
    path: String,
    /// Kept open, so that the line exists before the panel opens it.
    _near: File,
    bytes: Receiver<u8>,
}

impl FarEnd {
    fn new() -> FarEnd {
        let line = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).expect("a pseudo-terminal");
        grantpt(&line).expect("a pseudo-terminal");
        unlockpt(&line).expect("a pseudo-terminal");
        let path = ptsname(&line, Vec::new()).expect("a name");
        let path = path.into_string().expect("a name");
        let flags = OFlags::RDWR | OFlags::NOCTTY;
        let near = rustix::fs::open(&path, flags, Mode::empty()).expect("a port");
        let mut mode = tcgetattr(&near).expect("a mode");
        mode.make_raw();
        tcsetattr(&near, OptionalActions::Now, &mode).expect("a mode");
        let line = File::from(line);
        let mut reading = line.try_clone().expect("a handle");
        let (sender, bytes) = channel();
        std::thread::spawn(move || {
            let mut byte = [0];
            while reading.read_exact(&mut byte).is_ok() && sender.send(byte[0]).is_ok() {}
        });
        FarEnd {
            line,
            path,
            _near: near.into(),
            bytes,
        }
    }

    /// Reads the next `count` bytes.
    fn reads(&self, count: usize) -> Vec<u8> {
        let byte = |_| self.bytes.recv_timeout(GIVE_UP_AFTER).expect("a byte");
        (0..count).map(byte).collect()
    }

    /// Reads the next `count` bytes after this request, which the panel's side repeats
    /// until it is answered.
    fn reads_after(&self, question: &[u8], count: usize) -> Vec<u8> {
        loop {
            let mut bytes = self.reads(question.len());
            if bytes != question {
                bytes.extend(self.reads(count - question.len()));
                return bytes;
            }
        }
    }

    fn says(&mut self, bytes: &[u8]) {
        self.line.write_all(bytes).expect("the line is there");
    }
}

#[test]
fn a_grid_gets_exactly_these_bytes() {
    let mut far = FarEnd::new();
    let (panel, woken) = plug_in(&format!("monome:{}", far.path));
    let (layout, seen) = corner();
    panel.show(layout, &seen);
    assert_eq!(far.reads(1), [0x05]);
    far.says(&[0x03, 8, 8]);
    let mut lit = [0; 35];
    lit[..4].copy_from_slice(&[0x1A, 0, 0, 0xF0]);
    assert_eq!(far.reads_after(&[0x05], 35), lit);
    far.says(&[0x21, 0, 0]);
    assert_eq!(fingers(&panel, &woken), [Input::Touch(Point(0))]);
    panel.show(layout, &Seen::default());
    lit[3] = 0;
    assert_eq!(far.reads(35), lit);
    let left = panel.end();
    assert_eq!(left, [PortNews::Finger(Input::Release(Point(0)))]);
    assert_eq!(far.reads(1), [0x12]);
}

/// A Launchpad at the second port of a device file, as for a Mini and an X.
#[test]
fn a_launchpad_gets_exactly_these_bytes() {
    let mut far = FarEnd::new();
    let (panel, woken) = plug_in(&format!("launchpad:{},1", far.path));
    let (layout, seen) = corner();
    panel.show(layout, &seen);
    let question = |model| [0xF0, 0x00, 0x20, 0x29, 0x02, model, 0x00, 0xF7];
    let asked = [0x0D, 0x0C, 0x0E].map(question).concat();
    assert_eq!(far.reads(asked.len()), asked);
    far.says(&[0xF0, 0x00, 0x20, 0x29, 0x02, 0x0C, 0x00, 0x01, 0xF7]);
    let lighting = 7 + 80 * 5 + 1;
    let bytes = far.reads_after(&asked, 9 + lighting);
    let (entered, lights) = bytes.split_at(9);
    let entering = [0xF0, 0x00, 0x20, 0x29, 0x02, 0x0C, 0x0E, 0x01, 0xF7];
    assert_eq!(entered, entering);
    assert_eq!(lights[..7], [0xF0, 0x00, 0x20, 0x29, 0x02, 0x0C, 0x03]);
    // The upper left pad is 81.
    let entries: Vec<&[u8]> = lights[7..407].chunks(5).collect();
    assert!(entries.contains(&&[3, 81, 0, 127, 0][..]));
    assert_eq!(lights[407], 0xF7);
    far.says(&[0x90, 81, 90]);
    assert_eq!(fingers(&panel, &woken), [Input::Touch(Point(0))]);
    drop(panel);
    let dark = far.reads(lighting);
    assert!(dark[7..407].chunks(5).all(|entry| entry[2..] == [0, 0, 0]));
    let leaving = [0xF0, 0x00, 0x20, 0x29, 0x02, 0x0C, 0x0E, 0x00, 0xF7];
    assert_eq!(far.reads(9), leaving);
}

#[test]
fn a_missing_port_is_reported_once() {
    for kind in ["monome", "launchpad"] {
        let (panel, woken) = plug_in(&format!("{kind}:/nowhere/panel"));
        woken.recv_timeout(GIVE_UP_AFTER).expect("news");
        let news = panel.take_news();
        let [PortNews::Say(sentence)] = &news[..] else {
            panic!("{news:?}");
        };
        let begin = "the panel's port /nowhere/panel cannot be opened";
        assert!(sentence.starts_with(begin), "{sentence}");
        // Long enough for one more search.
        let again = woken.recv_timeout(Duration::from_millis(700));
        assert!(again.is_err(), "{:?}", panel.take_news());
    }
}

/// The lamps are also turned off if the program panics.
#[test]
fn a_panic_leaves_no_lamp_on() {
    let mut far = FarEnd::new();
    let path = far.path.clone();
    let playing = std::thread::spawn(move || {
        let (panel, woken) = plug_in(&format!("monome:{path}"));
        let (layout, seen) = corner();
        panel.show(layout, &seen);
        fingers(&panel, &woken);
        panic!("this is what the test is about");
    });
    assert_eq!(far.reads(1), [0x05]);
    far.says(&[0x03, 8, 8]);
    assert_eq!(far.reads_after(&[0x05], 35)[3], 0xF0);
    far.says(&[0x21, 0, 0]);
    playing.join().expect_err("it panicked");
    assert_eq!(far.reads(1), [0x12]);
}
