//! The real images on emulated chips, connected by their UARTs. Every board has the same
//! tests.

mod each_board;
mod layouts_games;
mod rebuilt;
mod some_games;

use std::io::Write;
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use object::{Object, ObjectSection, ObjectSymbol};
use protocol::{Command as Ask, KnownLayout, Layout, Refusal};
use small_host::Host;
use touchboard_host::Driver;
use touchboard_host::check::{CheckOptions, CheckSummary, Verdict, check};
use touchboard_links::{RemoteDriver, Where};

/// A board that has an image.
#[derive(Clone, Copy)]
struct Board {
    name: &'static str,
    most_points: u16,
    /// Columns and rows of the largest layout.
    largest: (u8, u8),
}

const LM3S6965EVB: Board = Board {
    name: "lm3s6965evb",
    most_points: 128,
    largest: (16, 8),
};

const NETDUINOPLUS2: Board = Board {
    name: "netduinoplus2",
    most_points: 256,
    largest: (16, 16),
};

/// How long to wait for QEMU before a test fails.
const PATIENCE: Duration = Duration::from_secs(60);

/// The part of the stack that no test may reach, in bytes.
const STACK_RESERVE_BYTES: usize = 8 * 1024;

/// The folder of the images, which the task builds once for all tests.
fn images() -> &'static Path {
    static IMAGES: OnceLock<PathBuf> = OnceLock::new();
    IMAGES.get_or_init(|| {
        let output = Command::new(env!("CARGO_BIN_EXE_xtask"))
            .arg("firmware")
            .stderr(Stdio::inherit())
            .output()
            .expect("the task runs");
        let told = String::from_utf8_lossy(&output.stdout);
        println!("{told}");
        assert!(output.status.success(), "the images were not built");
        let row = told.lines().last().expect("a table has rows");
        let image = row.trim_end_matches(" |").rsplit("| ").next();
        let image = Path::new(image.expect("a row ends with the path"));
        image.parent().expect("it is in a folder").to_owned()
    })
}

impl Board {
    fn image(self) -> PathBuf {
        images().join(self.name).with_extension("elf")
    }

    fn largest_layout(self) -> Layout {
        let (columns, rows) = self.largest;
        Layout::grid(columns, rows).expect("a layout")
    }

    /// The range of addresses for the stack: from the end of the image's variables to the
    /// end of RAM.
    fn stack(self) -> std::ops::Range<u64> {
        stack_of(&self.image())
    }
}

/// The same for this image.
fn stack_of(image: &Path) -> std::ops::Range<u64> {
    let file = std::fs::read(image).expect("the image is there");
    let file = object::File::parse(&*file).expect("the image is an ELF file");
    let top = file.symbol_by_name("_stack_start");
    let top = top.expect("the linker's script names it").address();
    let ends = file
        .sections()
        .map(|section| section.address() + section.size())
        .filter(|end| *end <= top);
    ends.max().expect("there are variables")..top
}

/// An emulated board; switched off when this is dropped.
struct Qemu {
    process: Child,
    monitor: TcpStream,
}

impl Qemu {
    /// The contents of the chip's memory.
    fn memory(&mut self, at: std::ops::Range<u64>) -> Vec<u8> {
        let name = format!("memory-{}.bin", self.process.id());
        let file = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
        let (start, length) = (at.start, at.end - at.start);
        let save = format!("pmemsave {start:#x} {length:#x} {file:?}\n");
        self.monitor.write_all(save.as_bytes()).expect("QEMU hears");
        let give_up = Instant::now() + PATIENCE;
        let bytes = loop {
            match std::fs::read(&file) {
                Ok(bytes) if bytes.len() as u64 == length => break bytes,
                _ => assert!(Instant::now() < give_up, "QEMU did not save the memory"),
            }
            std::thread::sleep(Duration::from_millis(10));
        };
        let _ = std::fs::remove_file(&file);
        bytes
    }
}

impl Drop for Qemu {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn switch_on(board: Board) -> (Qemu, Host<TcpStream>) {
    switch_on_image(board, &board.image())
}

fn switch_on_image(board: Board, image: &Path) -> (Qemu, Host<TcpStream>) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let address = listener.local_addr().expect("a bound address");
    let monitor = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let process = Command::new("qemu-system-arm")
        .args(["-machine", board.name, "-display", "none"])
        .arg("-monitor")
        .arg(format!(
            "tcp:{}",
            monitor.local_addr().expect("a bound address")
        ))
        .arg("-serial")
        .arg(format!("tcp:{address},nodelay=on"))
        .arg("-kernel")
        .arg(image)
        .stdin(Stdio::null())
        .spawn()
        .expect("qemu-system-arm is installed: see `cargo xtask setup`");
    let (stream, _) = listener.accept().expect("QEMU connects");
    stream.set_nodelay(true).expect("a socket can");
    stream
        .set_read_timeout(Some(Duration::from_millis(20)))
        .expect("a socket can");
    let (monitor, _) = monitor.accept().expect("QEMU connects");
    let mut host = Host::new(stream);
    greet(&mut host);
    (Qemu { process, monitor }, host)
}

/// Sends hello until the board has answered. A board that was just switched on also sends
/// hello by itself, which is not an answer.
fn greet(host: &mut Host<TcpStream>) {
    loop {
        host.hello();
        if host.request(Ask::Ping) != Err(Refusal::NotGreeted) {
            return;
        }
    }
}

/// An image with these games alone.
fn with_games(board: Board, games: &str) -> RemoteDriver {
    let status = Command::new(env!("CARGO_BIN_EXE_xtask"))
        .args(["firmware", board.name, "--games", games])
        .stdout(Stdio::null())
        .status()
        .expect("the task runs");
    assert!(status.success(), "the image was not built");
    let at = format!("qemu:{}-{games}", board.name);
    let place = Where::new(at.parse().expect("an image"));
    place.remote().unwrap_or_else(|error| panic!("{error}"))
}

/// Compares this board with one in this process, in random steps.
fn agreement(
    board: &mut RemoteDriver,
    seed: u64,
    steps: u64,
    layout: &KnownLayout,
) -> CheckSummary {
    let options = CheckOptions::new(layout.clone(), seed, steps);
    match check(board, &options, &mut |_| ()).expect("it answers") {
        Verdict::Agrees(agreement) => agreement,
        verdict => panic!("{verdict:?}"),
    }
}

/// Checks that the stack has not come close to the variables. RAM is zero when QEMU starts,
/// so memory that is still zero was never reached.
fn stack_is_clear(stack: &[u8]) {
    let untouched = stack.iter().take_while(|byte| **byte == 0).count();
    println!(
        "stack: {} bytes used, {untouched} never",
        stack.len() - untouched
    );
    assert!(untouched >= STACK_RESERVE_BYTES, "{untouched} bytes");
}
