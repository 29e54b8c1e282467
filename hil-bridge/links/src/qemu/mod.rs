//! Chips emulated by QEMU, which run the real firmware image.
//!
//! QEMU connects the chip's UART to a socket on which this program listens, so no port
//! number has to be guessed. After the line was cut, QEMU connects again.

use std::fmt;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::str::FromStr;
use std::thread::sleep;
use std::time::{Duration, Instant};

use protocol::{Roster, RosterError};
use touchboard_host::driver::DriverError;

use crate::client::Dial;
use crate::link::Link;
use crate::{LinkError, image_file};

mod monitor;
mod socket;

pub use monitor::HaltReader;

use monitor::Monitor;
use socket::Socket;

/// The program that emulates the microcontroller.
const PROGRAM: &str = "qemu-system-arm";
/// The maximum time until QEMU connects; it tries once a second.
const CONNECT: Duration = Duration::from_secs(5);
const POLL: Duration = Duration::from_millis(2);
/// The most bytes of QEMU's error messages that are read.
const MOST_WORDS: u64 = 64 << 10;
/// The line ends up to this long before the process does.
const LAST_BREATH: Duration = Duration::from_millis(100);

/// A chip that QEMU emulates.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum QemuChip {
    /// A Cortex-M3 with memory for layouts of up to 128 points.
    #[default]
    Lm3s6965evb,
    /// A Cortex-M4 with memory for any layout.
    Netduinoplus2,
}

impl QemuChip {
    /// All chips, the usual one first.
    pub const ALL: [QemuChip; 2] = [QemuChip::Lm3s6965evb, QemuChip::Netduinoplus2];

    /// The name of the board, which is also the name of QEMU's machine.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            QemuChip::Lm3s6965evb => "lm3s6965evb",
            QemuChip::Netduinoplus2 => "netduinoplus2",
        }
    }

    /// The name of its processor.
    #[must_use]
    pub const fn processor(self) -> &'static str {
        match self {
            QemuChip::Lm3s6965evb => "Cortex-M3",
            QemuChip::Netduinoplus2 => "Cortex-M4",
        }
    }
}

/// A firmware image for a chip, with all games or with some.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Image {
    /// The chip that the image runs on.
    pub chip: QemuChip,
    /// The games in the image; `None` for all.
    pub games: Option<Roster>,
}

impl Image {
    /// The Cortex-M3 with every game.
    pub const LM3S6965EVB: Image = Image::of(QemuChip::Lm3s6965evb);
    /// The Cortex-M4 with every game.
    pub const NETDUINOPLUS2: Image = Image::of(QemuChip::Netduinoplus2);
    /// The image with every game for each chip, the usual one first.
    pub fn all() -> impl Iterator<Item = Image> {
        QemuChip::ALL.into_iter().map(Image::of)
    }

    /// The image with every game.
    #[must_use]
    pub const fn of(chip: QemuChip) -> Image {
        Image { chip, games: None }
    }

    /// The place of a board with this image: `qemu` for the usual one, `qemu:` and the
    /// image's name for others.
    #[must_use]
    pub fn place(self) -> String {
        match self == Image::default() {
            true => "qemu".to_owned(),
            false => format!("qemu:{self}"),
        }
    }
}

/// Writes the name of the image's file: `lm3s6965evb`, or `lm3s6965evb-059` for one with
/// the games 0, 5 and 9.
impl fmt::Display for Image {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.chip.name())?;
        match self.games {
            Some(games) => write!(f, "-{games}"),
            None => Ok(()),
        }
    }
}

/// Why a text names no firmware image.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ImageError {
    /// There is no image for a chip of this name.
    #[error("there is no firmware image {0:?}: write {chips}", chips = all_chips())]
    Unknown(String),
    /// What follows the chip is not a set of games.
    #[error("after the name of the board come the games of its image: {0}")]
    Games(#[source] RosterError),
}

fn all_chips() -> String {
    let names = QemuChip::ALL.map(|chip| format!("qemu:{}", chip.name()));
    names.join(" or ")
}

impl FromStr for Image {
    type Err = ImageError;

    fn from_str(text: &str) -> Result<Image, ImageError> {
        let (name, games) = match text.split_once('-') {
            Some((name, games)) => (name, Some(games)),
            None => (text, None),
        };
        let known = QemuChip::ALL.into_iter().find(|chip| chip.name() == name);
        let chip = known.ok_or_else(|| ImageError::Unknown(text.to_owned()))?;
        let games = games.map(str::parse).transpose();
        let games = games.map_err(ImageError::Games)?;
        Ok(Image { chip, games })
    }
}

/// A running QEMU, which ends when this is dropped.
pub struct Qemu {
    name: String,
    child: Child,
    socket: Socket,
    /// Listens for a debugger's halts, if one may connect.
    monitor: Option<Monitor>,
    /// The sentence about how QEMU ended, once it has.
    ended: Option<String>,
}

impl Qemu {
    /// Starts QEMU with this image, which is in `file`. Lets a debugger connect to the
    /// chip at a port of this computer, if one is given.
    ///
    /// # Errors
    /// A sentence that says what to install if QEMU is missing.
    pub fn start(image: Image, file: &Path, gdb_port: Option<u16>) -> Result<Qemu, DriverError> {
        if !is_installed(PROGRAM) {
            return Err(LinkError::open(format!(
                "{PROGRAM} is not installed: install it (Debian and Ubuntu: `apt install qemu-system-arm`), then try again"
            )));
        }
        let open = || {
            Socket::open().map_err(|error| LinkError::open(format!("no socket for QEMU: {error}")))
        };
        let socket = open()?;
        let mut debugged = Vec::new();
        let mut monitor = None;
        if let Some(port) = gdb_port {
            let told = open()?;
            let chardev = format!("socket,id=told,{}", told.options);
            let stub = format!("tcp:127.0.0.1:{port}");
            let control = "chardev=told,mode=control";
            let words = ["-chardev", &chardev, "-mon", control, "-gdb", &stub];
            debugged = words.map(str::to_owned).to_vec();
            monitor = Some(Monitor::listen(told)?);
        }
        let child = guarded(PROGRAM)
            .args(["-machine", image.chip.name()])
            .args(["-display", "none", "-monitor", "none"])
            .args(debugged)
            .arg("-chardev")
            .arg(format!("socket,id=uart,{},reconnect=1", socket.options))
            .args(["-serial", "chardev:uart", "-kernel"])
            .arg(file)
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(|error| LinkError::open(format!("{PROGRAM} does not start: {error}")))?;
        Ok(Qemu {
            name: image.place(),
            child,
            socket,
            monitor,
            ended: None,
        })
    }

    /// QEMU's error messages, if it has ended.
    fn last_words(&mut self) -> Option<String> {
        if self.ended.is_none() {
            self.ended = self.hear_last_words();
        }
        self.ended.clone()
    }

    fn hear_last_words(&mut self) -> Option<String> {
        let status = self.child.try_wait().ok()??;
        let mut words = String::new();
        if let Some(stderr) = self.child.stderr.take() {
            let _ = stderr.take(MOST_WORDS).read_to_string(&mut words);
        }
        Some(why_it_ended(status, &words))
    }
}

/// Why QEMU ended, from its exit status and its standard error. Only lines that begin
/// with `qemu` count as reasons, because devices may print other lines at any time
/// (`Timer with period zero, disabling`).
fn why_it_ended(status: ExitStatus, words: &str) -> String {
    let error = words.lines().rev().find(|line| line.starts_with("qemu"));
    let error = error.map(|line| line.trim_start_matches(&format!("{PROGRAM}: ")));
    let end = match signal(status) {
        Some(signal) => {
            let signal = signal.to_string().replace("signal: ", "signal ");
            format!("{PROGRAM} was ended by {signal}")
        }
        None => format!("{PROGRAM} ended ({status})"),
    };
    match error {
        Some(error) => format!("{end}: {error}"),
        None if signal(status).is_some() => end,
        None => format!("{end} and did not say why"),
    }
}

/// The status of a program that was ended by a signal, such as `signal: 9 (SIGKILL)`. For
/// a program run by [`guarded`], the shell reports 128 plus the number of the signal.
#[cfg(unix)]
fn signal(status: ExitStatus) -> Option<ExitStatus> {
    use std::os::unix::process::ExitStatusExt;
    let of_program = status.code().and_then(|code| code.checked_sub(128));
    let number = of_program
        .filter(|number| *number > 0)
        .or(status.signal())?;
    Some(ExitStatus::from_raw(number))
}

#[cfg(not(unix))]
fn signal(_: ExitStatus) -> Option<ExitStatus> {
    None
}

impl Dial for Qemu {
    fn name(&self) -> &str {
        &self.name
    }

    fn dial(&mut self) -> Result<Box<dyn Link>, DriverError> {
        let deadline = Instant::now() + CONNECT;
        loop {
            let accepted = self.socket.accept();
            let no_line = |error| LinkError::open(format!("no line to QEMU: {error}"));
            if let Some(link) = accepted.map_err(no_line)? {
                return Ok(link);
            }
            if let Some(words) = self.last_words() {
                return Err(LinkError::open(words));
            }
            if Instant::now() >= deadline {
                return Err(LinkError::open("QEMU does not connect its UART".into()));
            }
            sleep(POLL);
        }
    }

    fn is_halted(&mut self) -> bool {
        self.monitor.as_ref().is_some_and(Monitor::is_halted)
    }

    fn why_ended(&mut self) -> Option<String> {
        let deadline = Instant::now() + LAST_BREATH;
        loop {
            let words = self.last_words();
            if words.is_some() || Instant::now() >= deadline {
                return words;
            }
            sleep(POLL);
        }
    }
}

impl Drop for Qemu {
    fn drop(&mut self) {
        end(&mut self.child);
    }
}

/// Ends the process that [`guarded`] started.
pub(crate) fn end(child: &mut Child) {
    if cfg!(unix) {
        // The guard ends the program when its own input is closed.
        drop(child.stdin.take());
    } else {
        let _ = child.kill();
    }
    let _ = child.wait();
}

/// A command that ends when this process ends, even if that is killed. A guard process
/// waits for the end of a pipe that only this process keeps open, and then ends the
/// program. A program that is stopped or ignores the signal is killed, so that nothing
/// waits for it forever.
#[cfg(unix)]
pub(crate) fn guarded(program: &str) -> Command {
    const GUARD: &str = r#"exec 3<&0; "$0" "$@" </dev/null 3<&- & program=$!
        { read -r _ <&3; kill "$program"; kill -CONT "$program"
            sleep 2; kill -0 $$ && kill -KILL "$program"; } >/dev/null 2>&1 &
        exec 3<&-; wait "$program""#;
    let mut command = Command::new("/bin/sh");
    command.args(["-c", GUARD, program]);
    command
}

#[cfg(not(unix))]
pub(crate) fn guarded(program: &str) -> Command {
    Command::new(program)
}

fn is_installed(program: &str) -> bool {
    let folders = std::env::var_os("PATH").unwrap_or_default();
    let name = format!("{program}{}", std::env::consts::EXE_SUFFIX);
    std::env::split_paths(&folders).any(|folder| folder.join(&name).is_file())
}

/// The file of this image: the one that the environment variable names, or the one that
/// `cargo xtask firmware` built.
///
/// # Errors
/// A sentence that says which command builds the image, if there is none.
pub fn find_image(image: Image) -> Result<PathBuf, DriverError> {
    let what = match image.games {
        Some(games) => format!("{} --games {games}", image.chip.name()),
        None => String::new(),
    };
    image_file::find(&format!("{image}.elf"), &what)
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    /// The report about the end of a script that runs under the guard.
    fn end_of(script: &str) -> String {
        let mut command = guarded("/bin/sh");
        command.args(["-c", script]).stdin(Stdio::piped());
        let mut child = command.stderr(Stdio::piped()).spawn().unwrap();
        let mut words = String::new();
        let stderr = child.stderr.take().unwrap();
        { stderr }.read_to_string(&mut words).unwrap();
        why_it_ended(child.wait().unwrap(), &words)
    }

    #[test]
    fn warnings_of_qemu_are_not_the_reason_for_its_end() {
        let chatter = "echo 'Timer with period zero, disabling' >&2";
        let error = "echo 'qemu-system-arm: no such machine' >&2";
        assert_eq!(
            end_of(&format!("{chatter}; kill -KILL $$")),
            "qemu-system-arm was ended by signal 9 (SIGKILL)"
        );
        assert_eq!(
            end_of(&format!("{error}; {chatter}; exit 1")),
            "qemu-system-arm ended (exit status: 1): no such machine"
        );
        assert_eq!(
            end_of(&format!("{chatter}; exit 0")),
            "qemu-system-arm ended (exit status: 0) and did not say why"
        );
        let lockup = "echo 'qemu: fatal: Lockup: can not escalate' >&2; kill -ABRT $$";
        let lockup = end_of(&format!("{lockup}; {chatter}"));
        assert!(lockup.starts_with("qemu-system-arm was ended by signal 6 (SIGABRT"));
        assert!(
            lockup.ends_with(": qemu: fatal: Lockup: can not escalate"),
            "{lockup}"
        );
    }

    #[test]
    fn a_process_that_ignores_its_end_is_killed() {
        for deaf in ["kill -STOP $$", "trap '' TERM; exec sleep 60"] {
            let mut command = guarded("/bin/sh");
            command.args(["-c", deaf]).stdin(Stdio::piped());
            let mut child = command.spawn().unwrap();
            sleep(LAST_BREATH);
            let begun = Instant::now();
            end(&mut child);
            assert!(begun.elapsed() < Duration::from_secs(30), "{deaf}");
        }
    }
}
