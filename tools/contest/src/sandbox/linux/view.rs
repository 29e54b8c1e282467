//! The files that a bot sees: the system's programs and libraries, its own file, and
//! the files beside it that are not other bots. All of it is read-only.
//!
//! The view is a file system in memory in which everything else is mounted. The
//! mounts are planned in advance, by the names that are valid outside.

use std::fs;
use std::io;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use super::super::interpreter;
use super::system::{self, Mounts};
use crate::files::is_bot;

/// The folders of programs and libraries.
const SYSTEM: [&str; 10] = [
    "/usr",
    "/bin",
    "/sbin",
    "/lib",
    "/lib32",
    "/lib64",
    "/libx32",
    "/nix/store",
    "/gnu/store",
    "/run/current-system",
];

/// Prefixes of the names in `/etc` that programs need in order to start.
const SETTINGS: [&str; 13] = [
    "alternatives",
    "crypto-policies",
    "java",
    "ld.so.cache",
    "ld.so.conf",
    "localtime",
    "lua",
    "mono",
    "node",
    "passwd",
    "perl",
    "python",
    "ruby",
];

/// `/dev/zero` is missing on purpose: mapping it gives memory that is not counted.
const DEVICES: [&str; 3] = ["/dev/null", "/dev/random", "/dev/urandom"];

/// The mount point of the view. The original contents remain accessible by name.
const PLACE: &str = "/tmp";
/// The place of the old root within the view, until the view is complete.
const OLD: &str = "/.old";

/// The files and folders that a bot sees.
pub struct View {
    /// Pairs of a file or folder and the path at which the bot sees it.
    shown: Vec<(PathBuf, PathBuf)>,
    /// The working directory of the bot.
    folder: PathBuf,
}

impl View {
    /// The files that a bot at this path needs when started by these words; the
    /// `hidden` files of its folder are left out.
    #[must_use]
    pub fn of(bot: &Path, program: &Path, hidden: &[PathBuf]) -> View {
        let own = |path: &Path| (path.to_owned(), path.to_owned());
        let mut shown: Vec<_> = SYSTEM.map(Path::new).map(own).into();
        shown.extend(settings().iter().map(|path| own(path)));
        shown.extend(DEVICES.map(Path::new).map(own));
        let folder = bot.parent().unwrap_or(Path::new("/")).to_owned();
        let installation = interpreter::installation(program, &folder);
        shown.extend(installation.iter().map(|path| own(path)));
        let is_seen = shown.iter().any(|(_, place)| folder.starts_with(place));
        if !is_seen {
            shown.extend(beside(bot, &folder, hidden));
        }
        View { shown, folder }
    }

    /// Makes these files the only visible ones, and changes to the bot's folder. The
    /// process must be in its own namespaces.
    ///
    /// # Errors
    /// If the system does not permit it.
    pub fn become_all(&self) -> io::Result<()> {
        let (root, place) = (Path::new("/"), Path::new(PLACE));
        let nothing = Path::new("none");
        let safe = libc::MS_NOSUID | libc::MS_NODEV;
        system::mount(nothing, root, "", libc::MS_REC | libc::MS_PRIVATE, "")?;
        system::mount(nothing, place, "tmpfs", safe, "mode=755")?;
        let old = place.join(&OLD[1..]);
        fs::create_dir(&old)?;
        system::change_root(place, &old)?;
        std::env::set_current_dir("/")?;
        for (from, at) in &self.shown {
            show(&below(Path::new(OLD), from), at)?;
        }
        fs::create_dir_all("/tmp")?;
        fs::create_dir_all("/proc")?;
        // Programs work without it; some systems only permit a complete `/proc`.
        let kept = safe | libc::MS_NOEXEC | libc::MS_RDONLY;
        let _ = system::mount(nothing, Path::new("/proc"), "proc", kept, "subset=pid");
        fs::create_dir_all(&self.folder)?;
        system::unmount(Path::new(OLD))?;
        fs::remove_dir(OLD)?;
        system::make_read_only(root, Mounts::Here)?;
        std::env::set_current_dir(&self.folder)
    }
}

/// The path in another root.
fn below(root: &Path, path: &Path) -> PathBuf {
    root.join(path.strip_prefix("/").unwrap_or(path))
}

/// The visible parts of `/etc`.
fn settings() -> Vec<PathBuf> {
    let entries = fs::read_dir("/etc").into_iter().flatten().flatten();
    let is_shown = |path: &PathBuf| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        SETTINGS.iter().any(|start| name.starts_with(start))
    };
    entries
        .map(|entry| entry.path())
        .filter(is_shown)
        // `passwd-` and the like are backup copies that no program reads.
        .filter(|path| !path.to_string_lossy().ends_with('-'))
        .collect()
}

/// The files in the bot's folder, except for other bots, hidden files and the results of
/// a contest. Links are resolved.
fn beside(bot: &Path, folder: &Path, hidden: &[PathBuf]) -> Vec<(PathBuf, PathBuf)> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries
        .map(|entry| entry.path())
        .filter(|path| {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            let is_kept = name.starts_with('.') || hidden.contains(path) || is_bot(path);
            path == bot || !is_kept
        })
        .filter_map(|path| Some((fs::canonicalize(&path).ok()?, path)))
        .filter(|(from, _)| from.is_file() || from.is_dir())
        // A link to a result or to another bot must not make it visible.
        .filter(|(from, place)| {
            place == bot || !(hidden.contains(from) || (from != place && is_bot(from)))
        })
        .collect()
}

/// Mounts a file or folder read-only; one that does not exist is skipped.
fn show(from: &Path, at: &Path) -> io::Result<()> {
    let Ok(data) = fs::symlink_metadata(from) else {
        return Ok(());
    };
    if let Some(above) = at.parent() {
        fs::create_dir_all(above)?;
    }
    if data.is_symlink() {
        return match symlink(fs::read_link(from)?, at) {
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => Err(error),
            _ => Ok(()),
        };
    }
    if data.is_dir() {
        fs::create_dir_all(at)?;
    } else if !at.exists() {
        fs::File::create(at)?;
    }
    system::mount(from, at, "", libc::MS_BIND | libc::MS_REC, "")?;
    system::make_read_only(at, Mounts::HereAndBelow)
}
