//! The real image on an emulated Cortex-M3, at the end of its UART.

#[path = "../../../firmware-core/boards/virtual/tests/host/mod.rs"]
mod host;

use std::net::{TcpListener, TcpStream};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use host::{Host, agrees_with_a_twin};
use protocol::{Command as Ask, Done, Layout, Pace, Refusal};

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
struct Qemu(Child);

impl Drop for Qemu {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn switch_on() -> (Qemu, Host<TcpStream>) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let address = listener.local_addr().expect("a bound address");
    let qemu = Command::new("qemu-system-arm")
        .args(["-machine", "lm3s6965evb", "-display", "none"])
        .args(["-monitor", "none", "-serial"])
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
    (Qemu(qemu), Host::new(stream))
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
        host.ask(Ask::Reset { seed: 1, layout }),
        Err(Refusal::Layout(layout))
    );
}

#[test]
fn the_chips_own_timer_makes_a_tick_a_millisecond() {
    let (_qemu, mut host) = switch_on();
    host.hello();
    let before = host.tick();
    let began = Instant::now();
    host.listen(Duration::from_secs(1));
    let after = host.tick();
    let passed = (after - before) as f64;
    let expected = began.elapsed().as_millis() as f64;
    assert!(
        (passed - expected).abs() < expected / 4.0,
        "{passed} ticks in {expected} ms"
    );
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

#[test]
fn a_round_trip_to_the_chip_takes_a_few_milliseconds_at_most() {
    let (_qemu, mut host) = switch_on();
    host.hello();
    host.ask(Ask::Pace(Pace::Lockstep)).expect("lockstep");
    let mut times: Vec<Duration> = (0..500)
        .map(|_| {
            let began = Instant::now();
            assert_eq!(host.ask(Ask::Ping), Ok(Done::Done));
            began.elapsed()
        })
        .collect();
    times.sort();
    let (median, late) = (times[times.len() / 2], times[times.len() * 99 / 100]);
    println!("round trip to QEMU: median {median:?}, p99 {late:?}");
    assert!(median < Duration::from_millis(20), "{median:?}");
}
