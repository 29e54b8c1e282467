//! The real image on an emulated Cortex-M3, at the end of its UART.

#[path = "../../../firmware-core/boards/virtual/tests/host/mod.rs"]
mod host;

use std::io::Write;
use std::net::{TcpListener, TcpStream};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use firmware_core::{AnyBoard, games};
use host::{Host, agrees_with_a_twin};
use object::{Object, ObjectSection};
use protocol::{Button, Command as Ask, Deed, Done, Input, Layout, Pace, Point, Refusal, Settings};

const RAM_START: u64 = 0x2000_0000;
const RAM_BYTES: usize = 64 * 1024;
/// How long QEMU is waited for before a test fails.
const PATIENCE: Duration = Duration::from_secs(60);
/// Stack that no test may ever reach.
const STACK_RESERVE_BYTES: usize = 8 * 1024;

/// The image, built once by the task that builds it for everybody.
fn image() -> &'static PathBuf {
    static IMAGE: OnceLock<PathBuf> = OnceLock::new();
    IMAGE.get_or_init(|| {
        let output = Command::new(env!("CARGO_BIN_EXE_xtask"))
            .arg("firmware")
            .stderr(Stdio::inherit())
            .output()
            .expect("the task runs");
        let told = String::from_utf8_lossy(&output.stdout);
        println!("{told}");
        assert!(output.status.success(), "the image was not built");
        let path = told.split(": ").next().expect("it begins with the path");
        path.into()
    })
}

/// An emulated board; switched off when this is dropped.
struct Qemu {
    process: Child,
    monitor: TcpStream,
}

impl Qemu {
    /// What lies in the chip's RAM.
    fn memory(&mut self) -> Vec<u8> {
        let file = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("ram.bin");
        let _ = std::fs::remove_file(&file);
        let save = format!("pmemsave {RAM_START:#x} {RAM_BYTES:#x} {:?}\n", file);
        self.monitor.write_all(save.as_bytes()).expect("QEMU hears");
        let give_up = Instant::now() + PATIENCE;
        loop {
            match std::fs::read(&file) {
                Ok(bytes) if bytes.len() == RAM_BYTES => return bytes,
                _ => assert!(Instant::now() < give_up, "QEMU did not save the RAM"),
            }
            std::thread::sleep(Duration::from_millis(10));
        }
    }
}

/// The end of the image's variables in RAM, counted from its start.
fn variables_end() -> usize {
    let file = std::fs::read(image()).expect("the image is there");
    let file = object::File::parse(&*file).expect("the image is an ELF file");
    let ends = file
        .sections()
        .filter(|section| section.address() >= RAM_START)
        .map(|section| section.address() + section.size() - RAM_START);
    ends.max().expect("there are variables") as usize
}

impl Drop for Qemu {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn switch_on() -> (Qemu, Host<TcpStream>) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let address = listener.local_addr().expect("a bound address");
    let monitor = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let process = Command::new("qemu-system-arm")
        .args(["-machine", "lm3s6965evb", "-display", "none"])
        .arg("-monitor")
        .arg(format!(
            "tcp:{}",
            monitor.local_addr().expect("a bound address")
        ))
        .arg("-serial")
        .arg(format!("tcp:{address},nodelay=on"))
        .arg("-kernel")
        .arg(image())
        .stdin(Stdio::null())
        .spawn()
        .expect("qemu-system-arm is installed: see `cargo xtask setup`");
    let (stream, _) = listener.accept().expect("QEMU connects");
    stream.set_nodelay(true).expect("a socket can");
    stream
        .set_read_timeout(Some(Duration::from_millis(20)))
        .expect("a socket can");
    let (monitor, _) = monitor.accept().expect("QEMU connects");
    (Qemu { process, monitor }, Host::new(stream))
}

#[test]
fn the_image_says_who_it_is() {
    let (_qemu, mut host) = switch_on();
    let hello = host.hello();
    assert_eq!(&*hello.board, "lm3s6965evb");
    assert_eq!(hello.layout, Layout::MALDOO);
    assert_eq!(hello.capabilities.max_points, 128);
}

#[test]
fn the_image_and_a_board_in_this_process_agree_at_every_step() {
    let (_qemu, mut host) = switch_on();
    agrees_with_a_twin(&mut host, Layout::MALDOO);
    let layout = Layout::grid(8, 8).expect("a layout");
    agrees_with_a_twin(&mut host, layout);
}

#[test]
fn a_layout_that_does_not_fit_the_chip_is_refused() {
    let (_qemu, mut host) = switch_on();
    host.hello();
    let layout = Layout::grid(16, 16).expect("a layout");
    assert_eq!(
        host.ask(Ask::Do(Deed::Reset { seed: 1, layout })),
        Err(Refusal::Layout(layout))
    );
}

/// Its clock is QEMU's own, so how many it makes in a second is not asked here:
/// that there are some, without a request, is.
#[test]
fn the_chips_own_timer_makes_ticks_by_itself() {
    let (_qemu, mut host) = switch_on();
    host.hello();
    let before = host.tick();
    let give_up = Instant::now() + PATIENCE;
    while host.tick() < before + 100 {
        assert!(Instant::now() < give_up, "no ticks come");
        host.listen(Duration::from_millis(20));
    }
}

#[test]
fn a_panic_on_the_chip_reaches_the_host_before_it_resets() {
    let (_qemu, mut host) = switch_on();
    let first = host.hello();
    host.ask_only(Ask::Crash);
    let second = host.hello_after(&first);
    let words = host.panic.clone().expect("its last words were heard");
    assert!(words.starts_with("the host asked for it"), "{words}");
    assert_eq!(second.boot, first.boot + 1);
}

/// Every game in every mode, with the board's own player at its strongest, the
/// state read and loaded in between; digests compared throughout. RAM is all
/// zeros when QEMU starts: what the stack never reached still is.
#[test]
fn every_game_agrees_on_the_chip_and_the_stack_stays_clear_of_the_variables() {
    let (mut qemu, mut host) = switch_on();
    host.hello();
    host.ask(Ask::Pace(Pace::Lockstep)).expect("lockstep");
    let layout = Layout::MALDOO;
    host.ask(Ask::Do(Deed::Reset { seed: 3, layout }))
        .expect("it fits");
    let mut twin = AnyBoard::new(layout, 3).expect("a layout");
    let step = |host: &mut Host<TcpStream>, twin: &mut AnyBoard, inputs: &[Input], ticks| {
        host.step(inputs, ticks);
        for input in inputs {
            twin.input(*input, &mut |_, _| {});
        }
        twin.advance(ticks.into(), &mut |_, _| {});
        let digest = host.ask(Ask::Digest);
        assert_eq!(digest, Ok(Done::Digest(twin.digest())), "{inputs:?}");
    };
    for number in games::NUMBERS {
        let modes = games::about(*number).expect("it is in the table").modes;
        for mode in 0..modes {
            let settings = Settings {
                game: *number,
                mode,
                level: 4,
                time: 0,
                speed: 9,
            };
            host.ask(Ask::Do(Deed::Settings(settings)))
                .expect("there is one");
            twin.carry_out(&Deed::Settings(settings), &mut |_, _| {})
                .expect("so here");
            let start = [Input::Press(Button::Start), Input::Lift(Button::Start)];
            step(&mut host, &mut twin, &start, 50);
            for _ in 0..2 {
                let mut legal = None;
                twin.legal(|point| legal = legal.or(Some(point)));
                let point = legal.unwrap_or(Point(40));
                let touch = [Input::Touch(point), Input::Release(point)];
                step(&mut host, &mut twin, &touch, 100);
                let state = host.read_state();
                host.load_state(&state);
                step(&mut host, &mut twin, &[Input::Touch(Point(44))], 50);
                step(&mut host, &mut twin, &[Input::Release(Point(44))], 1_000);
            }
        }
    }
    let memory = qemu.memory();
    let stack = &memory[variables_end()..];
    let untouched = stack.iter().take_while(|byte| **byte == 0).count();
    println!(
        "stack: {} bytes used, {untouched} never",
        stack.len() - untouched
    );
    assert!(untouched >= STACK_RESERVE_BYTES, "{untouched} bytes");
}
