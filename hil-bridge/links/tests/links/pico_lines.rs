//! The two lines of the Pico's image on an emulated chip, UART0 and USB, each with a
//! host; and what hosts are told about resets.

use std::cell::RefCell;
use std::io::{self, Read, Write};
use std::rc::Rc;

use crate::excused::{image, is_excused};
use protocol::wire::{self, MAX_FRAME_BYTES, Receiver};
use protocol::{
    Button, Command as Ask, Deed, Done, Input, Layout, PROTOCOL_VERSION, SCHEMA_HASH, Settings,
    ToDevice, ToHost,
};
use small_host::Host;
use touchboard_host::Driver;
use touchboard_host::check::{CheckOptions, Verdict, check};
use touchboard_links::pico::{PicoBench, PicoLine, UsbDeed};
use touchboard_links::{At, Where};

/// After this silence, with a margin, the board may be given to another host.
const SILENCE_MS: u32 = 3_000;
/// A host takes 10 ms for the reset of a USB bus alone.
const ENUMERATED_MS: u32 = 30;
/// The watchdog resets a main loop that hangs for this long.
const WATCHDOG_MS: u32 = 4_000;

/// A board with two lines, whose time passes while a host receives.
struct Desk {
    board: PicoBench,
    to_board: [Vec<u8>; 2],
    from_board: [Vec<u8>; 2],
    now_us: u64,
}

impl Desk {
    fn pass(&mut self, us: u32) -> io::Result<()> {
        let [uart, usb] = &self.to_board;
        let said = self.board.run_both(us, [uart, usb])?;
        self.now_us = said.now_us;
        self.to_board.iter_mut().for_each(Vec::clear);
        for (all, bytes) in self.from_board.iter_mut().zip(said.bytes) {
            all.extend(bytes);
        }
        Ok(())
    }

    fn pass_ms(&mut self, ms: u32) {
        let end_us = self.now_us + u64::from(ms) * 1_000;
        while self.now_us < end_us {
            let passed = self.pass((end_us - self.now_us) as u32);
            passed.unwrap_or_else(|error| panic!("{error}"));
        }
    }
}

/// A host's end of one of the lines.
#[derive(Clone)]
struct Plug(Rc<RefCell<Desk>>, PicoLine);

impl Write for Plug {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.borrow_mut().to_board[self.1 as usize].extend(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Read for Plug {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let mut desk = self.0.borrow_mut();
        let own = self.1 as usize;
        if desk.from_board[own].is_empty() {
            desk.pass(1_000)?;
        }
        let count = desk.from_board[own].len().min(buffer.len());
        if count == 0 {
            return Err(io::ErrorKind::TimedOut.into());
        }
        let bytes: Vec<u8> = desk.from_board[own].drain(..count).collect();
        buffer[..count].copy_from_slice(&bytes);
        Ok(count)
    }
}

impl Plug {
    fn deed(&self, deed: UsbDeed) {
        let done = self.0.borrow_mut().board.usb(deed);
        done.unwrap_or_else(|error| panic!("{error}"));
    }

    fn pass_ms(&self, ms: u32) {
        self.0.borrow_mut().pass_ms(ms);
    }

    /// The received messages that have not been read yet.
    fn heard(&self) -> Vec<ToHost> {
        let bytes = std::mem::take(&mut self.0.borrow_mut().from_board[self.1 as usize]);
        let mut receiver = Receiver::<MAX_FRAME_BYTES>::new();
        let mut messages = Vec::new();
        for byte in bytes {
            if let Some(Ok(plain)) = receiver.feed(byte) {
                messages.extend(wire::parse(plain));
            }
        }
        messages
    }

    /// Sends a hello, and returns the board's messages.
    fn greet(&mut self) -> Vec<ToHost> {
        let hello = ToDevice::Hello {
            version: PROTOCOL_VERSION,
            schema: SCHEMA_HASH,
            host: 77,
        };
        self.heard();
        self.write_all(&wire::encoded(&hello))
            .expect("it is written");
        self.pass_ms(20);
        self.heard()
    }

    /// The line of the other host that is using the board, if there is one.
    fn who_has_it(&mut self) -> Option<String> {
        self.greet().into_iter().find_map(|answer| match answer {
            ToHost::Busy(who) => Some(who.to_string()),
            _ => None,
        })
    }

    /// The log lines with which the board answers a hello.
    fn log(&mut self) -> Vec<String> {
        let lines = self.greet().into_iter().filter_map(|told| match told {
            ToHost::Log { severity, text } => Some(format!("{severity}{text}")),
            _ => None,
        });
        lines.collect()
    }
}

/// A board that was just switched on, and its two ends, with the USB port open.
fn switch_on() -> [Plug; 2] {
    let board = PicoBench::start(&image()).unwrap_or_else(|error| panic!("{error}"));
    let desk = Rc::new(RefCell::new(Desk {
        board,
        to_board: Default::default(),
        from_board: Default::default(),
        now_us: 0,
    }));
    let [uart, usb] = PicoLine::ALL.map(|line| Plug(Rc::clone(&desk), line));
    usb.deed(UsbDeed::PlugIn);
    usb.deed(UsbDeed::Open);
    uart.pass_ms(ENUMERATED_MS);
    [uart, usb]
}

/// Presses Start and makes some moves.
fn plays(host: &mut Host<Plug>) {
    host.hello();
    assert_eq!(
        host.request(Ask::Do(Deed::Input(Input::Press(Button::Start)))),
        Ok(Done::Done)
    );
    host.request(Ask::Status).expect("it is answered");
}

#[test]
fn each_line_carries_a_whole_game() {
    if is_excused("each_line_carries_a_whole_game") {
        return;
    }
    let mut agreements = Vec::new();
    for line in PicoLine::ALL {
        let place = Where {
            program: Some(image()),
            ..Where::new(At::Pico(line))
        };
        let mut board = place.remote().unwrap_or_else(|error| panic!("{error}"));
        let options = CheckOptions::new(Layout::MALDOO, 5, 120);
        let verdict = check(&mut board, &options, &mut |_| ()).expect("it answers");
        let Verdict::Agrees(agreement) = verdict else {
            panic!("{line:?}: {verdict:?}");
        };
        assert!(agreement.games >= 1, "{agreement:?}");
        assert_eq!(board.layout(), Layout::MALDOO);
        agreements.push(format!("{agreement:?}"));
    }
    // Both lines give the same game.
    assert_eq!(agreements[0], agreements[1]);
}

#[test]
fn a_host_at_one_line_locks_out_the_other_until_silent() {
    if is_excused("a_host_at_one_line_locks_out_the_other_until_silent") {
        return;
    }
    let [mut uart, mut usb] = switch_on();
    let mut first = Host::new(uart.clone());
    plays(&mut first);
    let who = usb.who_has_it();
    assert_eq!(who.as_deref(), Some("a host on its UART"));
    first.request(Ask::Ping).expect("it noticed nothing");

    uart.pass_ms(SILENCE_MS);
    let mut second = Host::new(usb.clone());
    plays(&mut second);
    let displaced = uart.heard();
    let is_told =
        |told: &ToHost| matches!(told, ToHost::Busy(who) if **who == *"a host that came later");
    assert!(displaced.iter().any(is_told), "{displaced:?}");
    let who = uart.who_has_it();
    assert_eq!(who.as_deref(), Some("a host on its USB port"));

    // Closing the port releases the board at once, and so does unplugging the cable.
    for (leave, come_back) in [
        (UsbDeed::Close, UsbDeed::Open),
        (UsbDeed::PullOut, UsbDeed::PlugIn),
    ] {
        usb.deed(leave);
        usb.pass_ms(5);
        assert_eq!(uart.who_has_it(), None);
        usb.deed(come_back);
        usb.pass_ms(SILENCE_MS + ENUMERATED_MS);
        assert_eq!(usb.who_has_it(), None);
    }
}

#[test]
fn a_hanging_loop_is_restarted_and_reported() {
    if is_excused("a_hanging_loop_is_restarted_and_reported") {
        return;
    }
    let [mut uart, _] = switch_on();
    let mut host = Host::new(uart.clone());
    let before = host.hello();
    uart.0.borrow_mut().board.hang().expect("it hangs");
    uart.pass_ms(WATCHDOG_MS - 100);
    assert_eq!(uart.heard(), [], "it says nothing any more");
    uart.pass_ms(200);
    let mut said = uart.heard().into_iter();
    let after = said.find_map(|told| match told {
        ToHost::Hello(hello) => Some(hello),
        _ => None,
    });
    assert_eq!(after.map(|hello| hello.boot), Some(before.boot + 1));
    let sentence = "error: the firmware hung for 4 s: its watchdog restarted it";
    assert_eq!(uart.log(), [sentence]);
    assert_eq!(uart.log(), [""; 0], "once");
}

#[test]
fn panic_words_survive_a_reset_but_not_a_power_cut() {
    if is_excused("panic_words_survive_a_reset_but_not_a_power_cut") {
        return;
    }
    let [mut uart, mut usb] = switch_on();
    let mut host = Host::new(usb.clone());
    host.hello();
    host.ask_only(Ask::Crash);
    usb.pass_ms(2 * ENUMERATED_MS);
    let [line] = &usb.log()[..] else {
        panic!("one line is told");
    };
    let (words, place) = line.split_once(" (").expect("where it was");
    assert_eq!(words, "error: the host asked for it");
    assert!(place.contains("image.rs:"), "{place}");
    assert_eq!(usb.log(), [""; 0], "once");

    host.hello();
    host.ask_only(Ask::Crash);
    usb.pass_ms(1);
    usb.0.borrow_mut().board.power_cycle().expect("it goes");
    usb.pass_ms(SILENCE_MS);
    assert_eq!(uart.log(), [""; 0]);
}

/// Presses a button, and lets time pass.
fn press(host: &mut Host<Plug>, plug: &Plug, button: Button) {
    for input in [Input::Press(button), Input::Lift(button)] {
        host.request(Ask::Do(Deed::Input(input)))
            .expect("it is taken");
    }
    // No bytes are received while flash is written.
    plug.pass_ms(300);
}

fn set_to(host: &mut Host<Plug>) -> Settings {
    match host.request(Ask::Status) {
        Ok(Done::Status(status)) => status.settings,
        other => panic!("{other:?}"),
    }
}

/// Greets the board again, after a power cycle that keeps its flash.
fn again(host: Host<Plug>, plug: &Plug) -> Host<Plug> {
    plug.pass_ms(ENUMERATED_MS);
    drop(host);
    let mut host = Host::new(plug.clone());
    host.hello();
    host
}

#[test]
fn settings_survive_a_power_cut() {
    if is_excused("settings_survive_a_power_cut") {
        return;
    }
    let [uart, _] = switch_on();
    let mut host = Host::new(uart.clone());
    host.hello();
    let first = set_to(&mut host);
    let mut kept = first;
    for _ in 0..2 {
        press(&mut host, &uart, Button::Time);
        press(&mut host, &uart, Button::Speed);
        let now = set_to(&mut host);
        assert_ne!(now, kept, "the buttons did something");
        kept = now;
        uart.0.borrow_mut().board.power_cycle().expect("it goes");
        host = again(host, &uart);
        assert_eq!(set_to(&mut host), kept);
    }
    // Nothing done in a test changes the stored data.
    assert_eq!(host.request(Ask::CountBest(false)), Ok(Done::Done));
    press(&mut host, &uart, Button::Speed);
    assert_ne!(set_to(&mut host), kept);
    uart.0.borrow_mut().board.power_cycle().expect("it goes");
    host = again(host, &uart);
    assert_eq!(set_to(&mut host), kept);

    // The power fails at some byte of the record, and the board then has the old or the
    // new one. Every byte is tried by the law of `pages` in `cortex-m-board`.
    let mut seen = [false; 2];
    for flash_bytes in [1, 4, 9, 11, 13, 40] {
        let old = set_to(&mut host);
        let cut = uart.0.borrow_mut().board.power_fails_after(flash_bytes);
        cut.expect("it will");
        let told = [Input::Press(Button::Speed), Input::Lift(Button::Speed)];
        for input in told {
            host.ask_only(Ask::Do(Deed::Input(input)));
            uart.pass_ms(60);
        }
        uart.0.borrow_mut().board.power_cycle().expect("it goes");
        host = again(host, &uart);
        let now = set_to(&mut host);
        let speed = (old.speed + 1) % 10;
        assert!(
            now == old || now == Settings { speed, ..old },
            "{old:?} {now:?}"
        );
        seen[usize::from(now != old)] = true;
    }
    assert_eq!(seen, [true; 2], "both came");
}
