//! Control groups, which limit all the memory and tasks of a bot together.
//!
//! A group is created next to that of the contest, if the system lets the user do so:
//! under the user's own systemd, for example with `systemd-run --user --scope`.
//!
//! Invariants: a group is removed with its game; a group that a killed contest left
//! behind is removed by the next contest.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// The prefix of a group's name.
const NAME: &str = "touchboard-contest";
/// The memory of the processes that keep the bot in the sandbox, in MiB.
const KEEPERS_MIB: u64 = 16;
/// The most processes and threads of a group.
const TASKS: u64 = 140;
/// How long to wait for the processes of a group to end.
const END: Duration = Duration::from_secs(2);

/// A place in which groups can be created.
pub struct Groups {
    base: PathBuf,
}

/// The group of one bot, which is removed when this is dropped.
pub struct Group {
    path: PathBuf,
}

impl Groups {
    /// The place next to this process's own group, if the system permits it.
    #[must_use]
    pub fn find() -> Option<Groups> {
        let own = fs::read_to_string("/proc/self/cgroup").ok()?;
        let own = own.lines().find_map(|line| line.strip_prefix("0::/"))?;
        let mounts = fs::read_to_string("/proc/self/mountinfo").ok()?;
        let root = root_of(&mounts)?;
        Groups::at(root.join(own).parent()?).filter(|groups| groups.base.starts_with(&root))
    }

    /// This place, if groups with limited memory and tasks can be created in it and
    /// processes can be moved there.
    fn at(base: &Path) -> Option<Groups> {
        let bounds = fs::read_to_string(base.join("cgroup.subtree_control")).ok()?;
        let has = |name| bounds.split_whitespace().any(|bound| bound == name);
        let may_move = fs::File::options()
            .write(true)
            .open(base.join("cgroup.procs"));
        let base = base.to_owned();
        (has("memory") && has("pids") && may_move.is_ok()).then_some(Groups { base })
    }

    /// A group with this memory limit for all its processes together.
    ///
    /// # Errors
    ///
    /// If the system does not permit it.
    pub fn begin(&self, mib: u32) -> io::Result<Group> {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let name = format!("{NAME}-{}-{number}", std::process::id());
        let path = self.base.join(name);
        fs::create_dir(&path)?;
        // From here on, dropping it removes the group, even after an error.
        let group = Group { path };
        let bytes = (u64::from(mib) + KEEPERS_MIB) << 20;
        fs::write(group.path.join("memory.max"), bytes.to_string())?;
        fs::write(group.path.join("pids.max"), TASKS.to_string())?;
        // The file does not exist on a system without swap.
        let _ = fs::write(group.path.join("memory.swap.max"), "0");
        Ok(group)
    }

    /// Removes the groups of contests that have ended, and returns their number.
    #[must_use]
    pub fn remove_left(&self) -> usize {
        let entries = fs::read_dir(&self.base).into_iter().flatten().flatten();
        entries
            .map(|entry| entry.path())
            .filter(|path| contest_of(path).is_some_and(|contest| !runs(contest)))
            .filter(|path| remove(path))
            .count()
    }
}

impl Group {
    /// The folder of the group, for the process that enters it.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// True if the kernel killed a process of the group for lack of memory.
    #[must_use]
    pub fn ran_out_of_memory(&self) -> bool {
        let events = fs::read_to_string(self.path.join("memory.events")).unwrap_or_default();
        let mut kills = events
            .lines()
            .filter_map(|line| line.strip_prefix("oom_kill "));
        kills.any(|count| count != "0")
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        remove(&self.path);
    }
}

/// Moves this process into a group.
///
/// # Errors
/// If the group is gone.
pub fn enter(group: &Path) -> io::Result<()> {
    // Opens without creating a file, in case there is no such group.
    let mut file = fs::File::options()
        .write(true)
        .open(group.join("cgroup.procs"))?;
    io::Write::write_all(&mut file, b"0")
}

/// The mount point of control groups version 2.
fn root_of(mounts: &str) -> Option<PathBuf> {
    let root = |line: &str| {
        let (place, kind) = line.split_once(" - ")?;
        let is_second = kind.split(' ').next()? == "cgroup2";
        is_second.then(|| PathBuf::from(place.split(' ').nth(4).unwrap_or_default()))
    };
    mounts.lines().find_map(root)
}

/// The process id of the contest that created a group.
fn contest_of(path: &Path) -> Option<u32> {
    let name = path.file_name()?.to_str()?.strip_prefix(NAME)?;
    let (contest, number) = name.strip_prefix('-')?.split_once('-')?;
    number.parse::<u32>().ok()?;
    contest.parse().ok()
}

fn runs(process: u32) -> bool {
    Path::new("/proc").join(process.to_string()).exists()
}

/// Ends the processes in a group, and removes it.
fn remove(path: &Path) -> bool {
    // Older systems do not have this file; it must not be created.
    let kill = fs::File::options()
        .write(true)
        .open(path.join("cgroup.kill"));
    let _ = kill.and_then(|mut kill| io::Write::write_all(&mut kill, b"1"));
    let give_up = Instant::now() + END;
    loop {
        match fs::remove_dir(path) {
            Ok(()) => return true,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return false,
            Err(_) if Instant::now() > give_up => return false,
            Err(_) => thread::sleep(Duration::from_millis(1)),
        }
    }
}

#[cfg(test)]
mod tests {
    use tempfile::{TempDir, tempdir};

    use super::*;

    /// A folder that looks like a control group to this program.
    fn folder(bounds: &str) -> TempDir {
        let folder = tempdir().expect("a folder");
        let write = |name: &str, text| fs::write(folder.path().join(name), text);
        write("cgroup.subtree_control", bounds).expect("it is written");
        write("cgroup.procs", "").expect("it is written");
        folder
    }

    #[test]
    fn groups_need_limits_for_memory_and_tasks() {
        for (bounds, is_fit) in [("cpu memory pids\n", true), ("cpu pids\n", false)] {
            let base = folder(bounds);
            assert_eq!(Groups::at(base.path()).is_some(), is_fit, "{bounds}");
        }
        assert!(Groups::at(Path::new("/nowhere")).is_none());
    }

    #[test]
    fn a_group_has_its_limits_and_reports_a_kill() {
        let base = folder("memory pids");
        let groups = Groups::at(base.path()).expect("it is fit");
        let group = groups.begin(100).expect("it is made");
        let read = |name: &str| fs::read_to_string(group.path().join(name)).expect("it is there");
        assert_eq!(read("memory.max"), (116 << 20).to_string());
        assert_eq!(read("pids.max"), "140");
        assert!(!group.ran_out_of_memory());
        for (events, is_killed) in [
            ("oom 1\noom_kill 0\n", false),
            ("oom 1\noom_kill 1\n", true),
        ] {
            fs::write(group.path().join("memory.events"), events).expect("it is written");
            assert_eq!(group.ran_out_of_memory(), is_killed);
        }
        // A real group's files disappear with it; here they are removed.
        fs::remove_dir_all(group.path()).expect("it is there");
        drop(group);
    }

    #[test]
    fn only_groups_of_dead_contests_are_removed() {
        let base = folder("memory pids");
        let own = std::process::id();
        let gone = format!("{NAME}-{}-0", u32::MAX);
        for name in [
            &gone,
            &format!("{NAME}-{own}-0"),
            "other",
            "touchboard-contest-x-0",
        ] {
            fs::create_dir(base.path().join(name)).expect("a folder");
        }
        let groups = Groups::at(base.path()).expect("it is fit");
        assert_eq!(groups.remove_left(), 1);
        assert!(!base.path().join(&gone).exists());
        assert!(base.path().join(format!("{NAME}-{own}-0")).exists());
        assert!(base.path().join("other").exists());
        assert!(base.path().join("touchboard-contest-x-0").exists());
    }

    #[test]
    fn the_root_of_groups_is_read_from_the_mounts() {
        let list = "30 23 0:26 / /sys/fs/cgroup/unified rw,relatime - cgroup2 cgroup2 rw\n";
        assert_eq!(root_of(list), Some("/sys/fs/cgroup/unified".into()));
        assert_eq!(
            root_of("30 23 0:26 / /sys rw shared:2 - sysfs sysfs rw"),
            None
        );
    }
}
