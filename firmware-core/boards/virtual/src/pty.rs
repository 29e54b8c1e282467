//! The pseudo-terminal that is the board's serial port, on Unix only. On other systems
//! the board is reached over TCP.
//!
//! The board only holds the controlling side, so that it notices when the last host
//! closes the other side, as a board on USB does.

use std::fs::File;
use std::io;
use std::os::unix::ffi::OsStringExt;
use std::path::{Path, PathBuf};

use rustix::fs::OFlags;
use rustix::pty::OpenptFlags;
use rustix::termios::{self, OptionalActions};

/// Opens a pseudo-terminal in raw mode. Returns the board's side, which does not block,
/// and the path of the host's side.
pub fn open() -> io::Result<(File, PathBuf)> {
    let board = rustix::pty::openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY)?;
    rustix::pty::grantpt(&board)?;
    rustix::pty::unlockpt(&board)?;
    let path = rustix::pty::ptsname(&board, Vec::new())?;
    let path = PathBuf::from(std::ffi::OsString::from_vec(path.into_bytes()));
    // The mode belongs to the host's side, and remains when that is closed.
    let host = rustix::fs::open(
        &path,
        OFlags::RDWR | OFlags::NOCTTY,
        rustix::fs::Mode::empty(),
    )?;
    let mut mode = termios::tcgetattr(&host)?;
    mode.make_raw();
    termios::tcsetattr(&host, OptionalActions::Now, &mode)?;
    let flags = rustix::fs::fcntl_getfl(&board)?;
    rustix::fs::fcntl_setfl(&board, flags | OFlags::NONBLOCK)?;
    Ok((File::from(board), path))
}

/// Makes `link` point to `target`. An older link is replaced; any other file is left
/// alone.
pub fn link(target: &Path, link: &Path) -> io::Result<()> {
    if link.symlink_metadata().is_ok_and(|data| data.is_symlink()) {
        std::fs::remove_file(link)?;
    }
    std::os::unix::fs::symlink(target, link)
}
