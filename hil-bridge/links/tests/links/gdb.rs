//! A debugger at an emulated chip: while the chip is halted, the host waits and says so;
//! when it continues, nothing is lost.

use std::io::{self, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::Command;
use std::sync::Mutex;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use crate::excused::{excuse, is_excused};
use protocol::{Button, Input, Layout, Point};
use touchboard_host::{CoreDriver, Driver};
use touchboard_links::client::HALTS;
use touchboard_links::pico::PicoLine;
use touchboard_links::qemu::Image;
use touchboard_links::{At, RemoteDriver, Where};

/// A host gives up after a board has been silent for this long.
const TIMEOUT: Duration = Duration::from_secs(3);
/// Longer than the host's time limit.
const HALTED: Duration = Duration::from_secs(8);
/// The debugger's byte for Ctrl-C.
const INTERRUPT: u8 = 3;
/// The index of the program counter among the registers.
const PC: usize = 15;
/// The instruction of a breakpoint.
const BKPT: [u8; 2] = [0x00, 0xbe];

/// A minimal debugger, which uses gdb's serial protocol.
struct Debugger {
    stream: TcpStream,
}

impl Debugger {
    /// Connects as soon as a stub listens, which halts the chip.
    fn connect(port: u16) -> Debugger {
        let begun = Instant::now();
        let stream = loop {
            match TcpStream::connect(("127.0.0.1", port)) {
                Ok(stream) => break stream,
                Err(error) if begun.elapsed() > Duration::from_secs(60) => panic!("{error}"),
                Err(_) => thread::sleep(Duration::from_millis(20)),
            }
        };
        stream
            .set_read_timeout(Some(Duration::from_secs(60)))
            .unwrap();
        let mut debugger = Debugger { stream };
        // The reason for the halt is sent once or twice before the next answer.
        debugger.send("?");
        debugger.send("qAttached");
        let mut reasons = 0;
        while debugger.receive().starts_with(['S', 'T']) {
            reasons += 1;
        }
        assert_ne!(reasons, 0, "the chip stands still");
        debugger
    }

    fn send(&mut self, packet: &str) {
        let sum = packet.bytes().fold(0_u8, u8::wrapping_add);
        let framed = format!("${packet}#{sum:02x}");
        self.stream.write_all(framed.as_bytes()).unwrap();
    }

    /// Waits for the next packet.
    fn receive(&mut self) -> String {
        let mut byte = [0];
        let mut read = || {
            self.stream.read_exact(&mut byte).unwrap();
            byte[0]
        };
        while read() != b'$' {}
        let mut packet = Vec::new();
        loop {
            match read() {
                b'#' => break,
                other => packet.push(other),
            }
        }
        // Reads the checksum without checking it, because TCP damages nothing.
        read();
        read();
        self.stream.write_all(b"+").unwrap();
        String::from_utf8(packet).unwrap()
    }

    fn request(&mut self, packet: &str) -> String {
        self.send(packet);
        self.receive()
    }

    fn pc(&mut self) -> u32 {
        let registers = self.request("g");
        let hex = &registers[8 * PC..8 * (PC + 1)];
        u32::from_str_radix(hex, 16).unwrap().swap_bytes()
    }

    fn go_on(&mut self) {
        self.send("vCont;c");
    }

    fn interrupt(&mut self) {
        self.stream.write_all(&[INTERRUPT]).unwrap();
        assert!(self.receive().starts_with(['S', 'T']));
    }

    /// Lets the chip continue until it stops at the same instruction.
    fn comes_by_again(&mut self, has_breakpoints: bool) {
        let at = self.pc();
        let code = self.request(&format!("m{at:x},2"));
        assert_eq!(code.len(), 4, "{code}");
        if has_breakpoints {
            assert_eq!(self.request(&format!("Z0,{at:x},2")), "OK");
            self.send("vCont;s");
            self.receive();
        } else {
            self.send("vCont;s");
            self.receive();
            let [low, high] = BKPT;
            assert_eq!(
                self.request(&format!("M{at:x},2:{low:02x}{high:02x}")),
                "OK"
            );
        }
        self.go_on();
        assert!(self.receive().starts_with(['S', 'T']));
        assert_eq!(self.pc(), at);
        let taken = match has_breakpoints {
            true => self.request(&format!("z0,{at:x},2")),
            false => self.request(&format!("M{at:x},2:{code}")),
        };
        assert_eq!(taken, "OK");
    }
}

/// Log messages about debuggers.
static SAID: Mutex<Vec<u8>> = Mutex::new(Vec::new());

/// A writer to [`SAID`].
struct Saying;

impl Write for Saying {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        SAID.lock().unwrap().extend(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Starts collecting messages.
fn listen() {
    let log = tracing_subscriber::fmt()
        .with_env_filter(format!("{HALTS}=info"))
        .with_writer(|| Saying)
        .with_ansi(false)
        .with_level(false)
        .with_target(false)
        .without_time();
    // Another test may have started the log.
    let _ = log.try_init();
}

/// The log messages about the board with this name.
fn said_of(name: &str) -> Vec<String> {
    let said = String::from_utf8(SAID.lock().unwrap().clone()).unwrap();
    let lines = said
        .lines()
        .filter(|line| line.starts_with(&format!("{name}: ")));
    lines.map(|line| line.trim_end().to_owned()).collect()
}

/// A port that no program uses.
fn free_port() -> u16 {
    let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
    listener.local_addr().unwrap().port()
}

/// A board at this place with a stub for debuggers, and its port.
fn board(at: At) -> (RemoteDriver, u16) {
    let port = free_port();
    let mut place = Where::new(at);
    place.line.gdb = Some(port);
    // The time limit for an emulated Pico is already multiplied.
    place.line.timeout_ms = match place.at {
        At::Pico(_) => TIMEOUT.as_millis() as u64 / touchboard_links::pico::SLOWER,
        _ => TIMEOUT.as_millis() as u64,
    };
    place.seed = Some(7);
    place.is_test = true;
    (place.remote().unwrap(), port)
}

/// Carries out the same touch on a board and on its twin.
fn touch_both(board: &mut RemoteDriver, twin: &mut CoreDriver, number: u8) {
    let down = match number {
        0 => Input::Press(Button::Start),
        number => Input::Touch(Point(number)),
    };
    for driver in [board as &mut dyn Driver, twin] {
        driver.step(&[down], 40).unwrap();
        driver.step(&[down.reverse()], 700).unwrap();
    }
    assert_eq!(
        board.digest().unwrap(),
        twin.digest().unwrap(),
        "touch {number}"
    );
}

/// Acts as a debugger that halts the chip for a long time, in its own thread. Sends
/// `halted` when the chip is halted, and ends when the host has noticed it.
fn halts_for_long(port: u16, has_breakpoints: bool, halted: &Sender<()>, left: &Receiver<()>) {
    let mut debugger = Debugger::connect(port);
    halted.send(()).unwrap();
    thread::sleep(HALTED);
    assert_ne!(debugger.pc(), 0);
    debugger.go_on();
    left.recv().unwrap();
    // Halts the chip while no request is pending.
    debugger.interrupt();
    debugger.comes_by_again(has_breakpoints);
    debugger.go_on();
}

fn nothing_is_lost_while_a_debugger_has_the_chip_halted(at: At, has_breakpoints: bool) {
    listen();
    let (mut board, port) = board(at);
    let mut twin = CoreDriver::with_games(board.layout(), board.roster(), 7).unwrap();
    assert_eq!(board.layout(), Layout::MALDOO);
    touch_both(&mut board, &mut twin, 0);
    let before = board.client().view().counters;
    let (halted, is_halted) = channel();
    let (leave, left) = channel();
    let debugger = thread::spawn(move || halts_for_long(port, has_breakpoints, &halted, &left));
    is_halted.recv().unwrap();
    let begun = Instant::now();
    touch_both(&mut board, &mut twin, 30);
    assert!(begun.elapsed() > HALTED / 2, "it waited for the debugger");
    let name = board.at().to_owned();
    let expected = [
        format!("{name}: a debugger has halted the chip: the board answers when it goes on"),
        format!("{name}: the chip goes on"),
    ];
    // The report that the chip continues may come a moment after the answer.
    while said_of(&name).len() < expected.len() && begun.elapsed() < 10 * HALTED {
        thread::sleep(Duration::from_millis(20));
    }
    assert_eq!(said_of(&name), expected);
    assert_eq!(board.take_remarks(), [] as [String; 0]);
    let after = board.client().view().counters;
    assert_eq!(after.reconnects, before.reconnects);
    // A request to a halted chip is repeated once before the host knows of the halt, and
    // possibly once when the chip continues.
    assert!(after.retries <= before.retries + 4, "{before:?} {after:?}");
    leave.send(()).unwrap();
    debugger.join().unwrap();
    for number in [21, 60] {
        touch_both(&mut board, &mut twin, number);
    }
}

#[test]
fn halting_a_chip_in_qemu_loses_nothing() {
    nothing_is_lost_while_a_debugger_has_the_chip_halted(At::Qemu(Image::default()), true);
}

#[test]
fn halting_an_emulated_pico_loses_nothing() {
    if is_excused("halting_an_emulated_pico_loses_nothing") {
        return;
    }
    nothing_is_lost_while_a_debugger_has_the_chip_halted(At::Pico(PicoLine::Uart), false);
}

#[test]
fn gdb_attaches_to_the_chip_and_detaches() {
    const TEST: &str = "gdb_attaches_to_the_chip_and_detaches";
    if Command::new("gdb-multiarch")
        .arg("--version")
        .output()
        .is_err()
    {
        return excuse(
            TEST,
            "there is no gdb-multiarch: `cargo xtask setup` installs it",
        );
    }
    // Boards other than those whose log messages are checked.
    let mut places = vec![At::Qemu(Image::NETDUINOPLUS2)];
    if !is_excused(TEST) {
        places.push(At::Pico(PicoLine::Usb));
    }
    for at in places {
        let name = at.to_string();
        let (mut board, port) = board(at);
        let mut twin = CoreDriver::with_games(board.layout(), board.roster(), 7).unwrap();
        touch_both(&mut board, &mut twin, 0);
        let commands = [
            format!("target remote 127.0.0.1:{port}"),
            "info registers pc".to_owned(),
            "x/2i $pc".to_owned(),
            "stepi".to_owned(),
            "detach".to_owned(),
        ];
        let mut gdb = Command::new("gdb-multiarch");
        gdb.args(["-nx", "-batch", "-ex", "set architecture armv6s-m"]);
        for command in &commands {
            gdb.args(["-ex", command]);
        }
        let output = gdb.output().unwrap();
        let told = String::from_utf8_lossy(&output.stdout);
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(told.contains("detached"), "{name}: {told}\n{errors}");
        assert!(told.contains("pc  "), "{name}: {told}\n{errors}");
        assert!(told.contains("=> 0x"), "{name}: {told}\n{errors}");
        touch_both(&mut board, &mut twin, 30);
    }
}

#[test]
fn a_silent_program_at_the_gdb_port_of_a_pico_keeps_no_debugger_out() {
    if is_excused("a_silent_program_at_the_gdb_port_of_a_pico_keeps_no_debugger_out") {
        return;
    }
    let (mut board, port) = board(At::Pico(PicoLine::Uart));
    let mut silent = TcpStream::connect(("127.0.0.1", port)).unwrap();
    let debugging = thread::spawn(move || {
        let mut debugger = Debugger::connect(port);
        assert_ne!(debugger.pc(), 0);
        // Somebody who arrives later does not disturb a debugger that is at work.
        let mut later = TcpStream::connect(("127.0.0.1", port)).unwrap();
        assert_eq!(later.read(&mut [0]).unwrap(), 0);
        assert_ne!(debugger.pc(), 0);
        debugger.go_on();
    });
    board.step(&[], 100).unwrap();
    debugging.join().unwrap();
    let mut said = Vec::new();
    silent.read_to_end(&mut said).unwrap();
    board.step(&[], 100).unwrap();
}

#[test]
fn a_gdb_port_is_refused_except_for_emulated_chips() {
    for at in [At::Core, At::Virtual, At::Serial("/dev/ttyACM0".into())] {
        let mut place = Where::new(at);
        place.line.gdb = Some(3333);
        let error = place.check().unwrap_err().to_string();
        assert!(
            error.starts_with("--gdb is only possible with --at qemu"),
            "{error}"
        );
    }
}
