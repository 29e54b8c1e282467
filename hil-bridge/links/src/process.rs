//! A virtual board in a process of its own. It runs the current executable, which may be
//! newer than this program.

use std::fs;
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};

use touchboard_host::driver::DriverError;

use crate::LinkError;
use crate::client::Dial;
use crate::link::{Link, Tcp};
use crate::qemu::{end, guarded};

/// The name of the executable.
const PROGRAM: &str = "virtual-board";
/// The environment variable that names a different program.
const PROGRAM_VARIABLE: &str = "TOUCHBOARD_VIRTUAL_BOARD";

/// The most bytes of the line in which it says where it listens.
const MOST_LINE: u64 = 1_024;

/// A running virtual board, which ends when this is dropped.
pub struct Process {
    child: Child,
    /// The copy of the executable that runs in its place, on systems where a running
    /// executable cannot be rebuilt.
    copy: Option<PathBuf>,
    /// The address on which the board listens.
    address: String,
}

impl Process {
    /// Starts this executable with these options.
    ///
    /// # Errors
    /// When it does not start, or does not print its address.
    pub fn start(program: &Path, options: &[String]) -> Result<Process, DriverError> {
        let cannot = |why: String| {
            LinkError::open(format!(
                "the board {} does not start: {why}",
                program.display()
            ))
        };
        let copy = if cfg!(windows) {
            Some(copy_of(program).map_err(|error| cannot(error.to_string()))?)
        } else {
            None
        };
        let run = copy.as_deref().unwrap_or(program);
        let mut command = guarded(&run.to_string_lossy());
        command
            .args(["--no-pty", "--tcp", "127.0.0.1:0"])
            .args(options);
        let child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| cannot(error.to_string()))?;
        let mut process = Process {
            child,
            copy,
            address: String::new(),
        };
        let output = process.child.stdout.take();
        let mut line = String::new();
        if let Some(output) = output {
            let read = BufReader::new(output.take(MOST_LINE)).read_line(&mut line);
            read.map_err(|error| cannot(error.to_string()))?;
        }
        match line.trim_end().strip_prefix("tcp ") {
            Some(address) => process.address = address.to_owned(),
            None => return Err(cannot("it does not say where it listens".to_owned())),
        }
        Ok(process)
    }
}

impl Dial for Process {
    fn name(&self) -> &str {
        "virtual"
    }

    fn dial(&mut self) -> Result<Box<dyn Link>, DriverError> {
        match Tcp::connect(&self.address) {
            Ok(tcp) => Ok(Box::new(tcp)),
            Err(error) => Err(LinkError::lost(format!(
                "the virtual board has no line: {error}"
            ))),
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        end(&mut self.child);
        if let Some(copy) = &self.copy {
            // A copy that cannot be removed is left to the system's clean-up of temporary
            // files.
            let _ = fs::remove_file(copy);
        }
    }
}

/// A temporary copy of an executable.
fn copy_of(program: &Path) -> io::Result<PathBuf> {
    static COPIES: AtomicU32 = AtomicU32::new(0);
    let number = COPIES.fetch_add(1, Ordering::Relaxed);
    let name = format!(
        "{PROGRAM}-{}-{number}{}",
        std::process::id(),
        std::env::consts::EXE_SUFFIX
    );
    let copy = std::env::temp_dir().join(name);
    fs::copy(program, &copy)?;
    Ok(copy)
}

/// The executable of the virtual board: the one that the environment variable names, or
/// the one that was built next to this program.
///
/// # Errors
/// A sentence that says which command builds it, if there is none.
pub fn find_program() -> Result<PathBuf, DriverError> {
    let named = std::env::var_os(PROGRAM_VARIABLE).map(PathBuf::from);
    let name = format!("{PROGRAM}{}", std::env::consts::EXE_SUFFIX);
    // This program is `target/debug/hil-bridge` or `target/debug/deps/test-0123`.
    let own = std::env::current_exe().unwrap_or_default();
    let beside = own
        .ancestors()
        .skip(1)
        .take(2)
        .map(|folder| folder.join(&name));
    let places: Vec<PathBuf> = match named {
        Some(path) => vec![path],
        None => beside.collect(),
    };
    let found = places.iter().find(|path| path.is_file()).cloned();
    found.ok_or_else(|| {
        let place = places.first().cloned().unwrap_or_default();
        LinkError::open(format!(
            "there is no virtual board at {}: build it with `cargo build -p {PROGRAM}`, or name one in {PROGRAM_VARIABLE}",
            place.display()
        ))
    })
}
