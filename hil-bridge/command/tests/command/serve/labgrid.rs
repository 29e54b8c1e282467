//! A laboratory: boards that labgrid reserves, with its real coordinator, exporter and
//! client on this machine; and its pyserial, as another client of RFC 2217.

use std::io::{BufRead, BufReader, Read};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::mpsc;

use law::excuse;
use tempfile::TempDir;
use touchboard_links::pico::{self, set_up};
use touchboard_links::qemu::{Image, find_image};

use super::{Served, folder_of_command};

/// What is missing if the packages of Python are.
const MISSING: &str =
    "labgrid could not be fetched: install python3 and python3-pip, then run `cargo xtask test`";

/// The folder with labgrid and pyserial, next to that of the programs.
fn packages() -> Option<PathBuf> {
    let own = folder_of_command();
    let mut folders = own.ancestors().map(|folder| folder.join("labgrid/python"));
    folders.find(|folder| folder.join("labgrid").is_dir())
}

fn example(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tools/examples/labgrid");
    folder.join(name)
}

/// A coordinator and an exporter, which end when this is dropped.
struct Lab {
    packages: PathBuf,
    /// The coordinator writes its files here.
    folder: TempDir,
    address: String,
    running: Vec<Child>,
}

impl Lab {
    /// A laboratory with the ports of these boards.
    fn begin(packages: PathBuf, boards: &[(&str, Served)]) -> Lab {
        let free = TcpListener::bind("127.0.0.1:0").unwrap();
        let mut lab = Lab {
            packages,
            folder: TempDir::new().unwrap(),
            address: free.local_addr().unwrap().to_string(),
            running: Vec::new(),
        };
        drop(free);
        let mut coordinator = lab.python("coordinator");
        coordinator.args(["-l", &lab.address]);
        lab.run(coordinator, "listening on");
        let mut exporter = lab.python("exporter");
        exporter.args(["--name", "desk", "--hostname", "127.0.0.1"]);
        exporter.arg(example("exporter.yaml"));
        for (name, served) in boards {
            let (_, port) = served.address().rsplit_once(':').unwrap();
            exporter.env(format!("{}_PORT", name.to_uppercase()), port);
        }
        lab.run(exporter, "connected to coordinator");
        lab
    }

    fn set_up(&self, command: &mut Command) {
        let path = std::env::var("PATH").unwrap_or_default();
        let (own, theirs) = (folder_of_command(), self.packages.join("bin"));
        let path = format!("{}:{}:{path}", own.display(), theirs.display());
        command
            .current_dir(&self.folder)
            .env("PATH", path)
            .env("PYTHONPATH", &self.packages)
            .env("PYTHONUNBUFFERED", "1")
            .env("LG_COORDINATOR", &self.address)
            .env("LG_HOSTNAME", "desk")
            .env("LG_USERNAME", "somebody");
    }

    /// One of labgrid's programs.
    fn python(&self, module: &str) -> Command {
        let mut command = Command::new("python3");
        command.args(["-m", &format!("labgrid.remote.{module}")]);
        self.set_up(&mut command);
        command
    }

    /// Starts a program, and waits until it says this.
    fn run(&mut self, mut command: Command, words: &str) {
        let streams = command.stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = streams.spawn().unwrap();
        let (told, telling) = mpsc::channel();
        let streams: [Box<dyn Read + Send>; 2] = [
            Box::new(child.stdout.take().unwrap()),
            Box::new(child.stderr.take().unwrap()),
        ];
        for stream in streams {
            let told = told.clone();
            std::thread::spawn(move || {
                for line in BufReader::new(stream).lines().map_while(Result::ok) {
                    let _ = told.send(line);
                }
            });
        }
        drop(told);
        self.running.push(child);
        let mut said = String::new();
        while !said.contains(words) {
            let line = telling.recv_timeout(law::GIVE_UP_AFTER);
            said += &line.unwrap_or_else(|_| panic!("never: {words}\n{said}"));
            said.push('\n');
        }
    }

    /// Runs labgrid's client to its end.
    fn client(&self, arguments: &[&str]) -> Output {
        self.python("client").args(arguments).output().unwrap()
    }

    /// Starts the example, which reserves a board with this tag and runs a folder on it.
    fn start(&self, board: &str, folder: &Path) -> Child {
        let mut command = Command::new("python3");
        command
            .arg(example("run.py"))
            .arg(format!("board={board}"))
            .arg(folder);
        self.set_up(&mut command);
        let streams = command.stdout(Stdio::piped()).stderr(Stdio::piped());
        streams.spawn().unwrap()
    }
}

impl Drop for Lab {
    fn drop(&mut self) {
        for child in self.running.iter_mut().rev() {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

/// What a run of the example printed, if it ended with this code.
fn printed(child: Child, code: i32) -> String {
    let output = child.wait_with_output().unwrap();
    let [out, err] = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
    assert_eq!(output.status.code(), Some(code), "{out}\n{err}");
    out
}

/// The boards of the laboratory that can run here, each shared as a port.
fn boards() -> Vec<(&'static str, Served)> {
    let share = |at: &str| Served::with(&[&format!("--at={at}"), "--rfc2217"]);
    let mut boards = vec![("virtual", share("virtual"))];
    match find_image(Image::default()) {
        Ok(_) if set_up::runs("qemu-system-arm") => boards.push(("qemu", share("qemu"))),
        _ => excuse(
            "a board in QEMU that labgrid reserves",
            "there is no QEMU or no image: run `cargo xtask firmware`",
        ),
    }
    match pico::find_image() {
        Ok(image) if set_up::is_set_up(&image) => boards.push(("pico", share("pico"))),
        _ => excuse("a Pico that labgrid reserves", set_up::MISSING),
    }
    boards
}

#[test]
fn scenarios_run_on_boards_that_labgrid_reserves() {
    let Some(packages) = packages() else {
        return excuse("boards that labgrid reserves", MISSING);
    };
    let boards = boards();
    let lab = Lab::begin(packages, &boards);
    let names: Vec<&str> = boards.iter().map(|(name, _)| *name).collect();
    let mut places = Command::new("sh");
    places.arg(example("places.sh")).args(&names);
    lab.set_up(&mut places);
    super::succeeded(&places.output().unwrap());
    // Somebody has one of the boards, so a test has to wait for it.
    super::succeeded(&lab.client(&["-p", "virtual", "acquire"]));
    let scenarios = example("scenarios");
    let waiting = lab.start("virtual", &scenarios);
    let others = boards.iter().skip(1);
    let others = others.map(|(name, served)| (name, served, lab.start(name, &scenarios)));
    let others: Vec<(_, _, Child)> = others.collect();
    for (name, served, run) in others {
        assert!(printed(run, 0).contains("1 passed"), "{name}");
        served.tells("has left after");
    }
    law::wait_until("the reservation waits", || {
        let known = lab.client(&["reservations"]);
        String::from_utf8_lossy(&known.stdout).contains("state: waiting")
    });
    let (_, served) = &boards[0];
    assert!(!served.told.lock().unwrap().contains("has the board"));
    super::succeeded(&lab.client(&["-p", "virtual", "release"]));
    assert!(printed(waiting, 0).contains("1 passed"));
    served.tells("has left after");
    // A scenario that fails gives its board back as well.
    let failing = TempDir::new().unwrap();
    let script = failing.path().join("fails.txt");
    std::fs::write(script, "start\nexpect turn red\n").unwrap();
    assert!(printed(lab.start("virtual", failing.path()), 1).contains("1 failed"));
    let held = lab.client(&["who"]);
    let held = String::from_utf8_lossy(&held.stdout);
    assert!(!held.contains("virtual"), "{held}");
}

/// What pyserial does with a shared port. Each line that it prints is checked below.
const PYSERIAL: &str = r#"
import sys, time, serial
url = "rfc2217://" + sys.argv[1]
hello = bytes.fromhex(sys.argv[2])
# At its usual speed, and at any other settings: this line has none of its own.
for settings in ({}, dict(baudrate=115200, bytesize=7, parity="E", stopbits=2, rtscts=True)):
    with serial.serial_for_url(url, timeout=10, **settings) as port:
        print("open", port.baudrate, port.cts, port.dsr, port.cd, port.ri)
        port.dtr = False
        port.rts = False
        port.break_condition = True
        port.break_condition = False
        port.baudrate = 57600
        port.reset_input_buffer()
        port.reset_output_buffer()
        if not settings:
            port.write(hello)
            print("heard", b"virtual" in port.read(40))
"#;

#[test]
fn pyserial_opens_a_shared_port_and_hears_the_board() {
    use protocol::{PROTOCOL_VERSION, SCHEMA_HASH, ToDevice, wire};

    let Some(packages) = packages() else {
        return excuse("pyserial at a shared port", MISSING);
    };
    let served = Served::with(&["--at=virtual", "--rfc2217"]);
    let hello = wire::encoded(&ToDevice::Hello {
        version: PROTOCOL_VERSION,
        schema: SCHEMA_HASH,
        host: 255,
    });
    let mut python = Command::new("python3");
    python
        .args(["-W", "ignore", "-c", PYSERIAL, served.address()])
        .arg(touchboard_host::hex::hex_of(&hello))
        .env("PYTHONPATH", packages);
    let output = python.output().unwrap();
    super::succeeded(&output);
    let told = String::from_utf8(output.stdout).unwrap();
    let wanted = "open 9600 True True True False\nheard True\nopen 115200 True True True False\n";
    assert_eq!(told, wanted);
    served.tells("has left after");
}
