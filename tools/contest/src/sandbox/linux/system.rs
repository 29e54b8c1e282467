//! System calls that no crate in use provides, each behind a safe function.

use std::ffi::CString;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use rustix::process::Pid;

/// Turns a result of -1 into an error.
fn checked(answer: libc::c_long) -> io::Result<i32> {
    match i32::try_from(answer) {
        Ok(number) if number >= 0 => Ok(number),
        _ => Err(io::Error::last_os_error()),
    }
}

fn text(path: &Path) -> io::Result<CString> {
    Ok(CString::new(path.as_os_str().as_bytes())?)
}

/// Forks this process; returns `None` in the child.
///
/// # Errors
///
/// If the system cannot create a process.
pub fn fork() -> io::Result<Option<Pid>> {
    // SAFETY: `contest inside` has a single thread, so no lock can be held by a thread
    // that the child lacks.
    let number = checked(libc::c_long::from(unsafe { libc::fork() }))?;
    Ok(Pid::from_raw(number))
}

/// Leaves the parent's namespaces for new ones.
///
/// # Errors
///
/// If the system does not permit it.
pub fn enter_namespaces() -> io::Result<()> {
    let kinds = libc::CLONE_NEWUSER
        | libc::CLONE_NEWPID
        | libc::CLONE_NEWNS
        | libc::CLONE_NEWNET
        | libc::CLONE_NEWIPC
        | libc::CLONE_NEWUTS
        | libc::CLONE_NEWCGROUP;
    // SAFETY: no memory is involved.
    checked(libc::c_long::from(unsafe { libc::unshare(kinds) })).map(drop)
}

/// Forbids other processes of the same user to inspect this one.
pub fn close_up() {
    // SAFETY: no memory is involved.
    unsafe { libc::prctl(libc::PR_SET_DUMPABLE, 0, 0, 0, 0) };
}

/// Marks all files from this number on to be closed when another program is executed.
pub fn close_files_from(number: u32) {
    // SAFETY: no memory is involved, and no file is closed yet.
    unsafe {
        libc::syscall(
            libc::SYS_close_range,
            number,
            u32::MAX,
            libc::CLOSE_RANGE_CLOEXEC,
        )
    };
}

/// Mounts a file system, or a part of an existing one.
///
/// # Errors
/// If the system does not permit it.
pub fn mount(
    from: &Path,
    at: &Path,
    kind: &str,
    flags: libc::c_ulong,
    options: &str,
) -> io::Result<()> {
    let (from, at) = (text(from)?, text(at)?);
    let (kind, options) = (CString::new(kind)?, CString::new(options)?);
    // SAFETY: all texts end with a zero, and live until the call is over.
    let done = unsafe {
        libc::mount(
            from.as_ptr(),
            at.as_ptr(),
            kind.as_ptr(),
            flags,
            options.as_ptr().cast(),
        )
    };
    checked(libc::c_long::from(done)).map(drop)
}

/// The mounts that a change is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mounts {
    /// The mount at a path.
    Here,
    /// That, and all mounts below it.
    HereAndBelow,
}

/// Makes these mounts read-only.
///
/// # Errors
///
/// If the system does not permit it, or is older than Linux 5.12.
pub fn make_read_only(at: &Path, mounts: Mounts) -> io::Result<()> {
    let at = text(at)?;
    let attributes = libc::mount_attr {
        attr_set: libc::MOUNT_ATTR_RDONLY | libc::MOUNT_ATTR_NOSUID,
        attr_clr: 0,
        propagation: 0,
        userns_fd: 0,
    };
    let flags = match mounts {
        Mounts::Here => 0,
        Mounts::HereAndBelow => libc::AT_RECURSIVE,
    };
    // SAFETY: the text ends with a zero, and the size is that of the structure.
    let done = unsafe {
        libc::syscall(
            libc::SYS_mount_setattr,
            libc::AT_FDCWD,
            at.as_ptr(),
            flags,
            &raw const attributes,
            size_of::<libc::mount_attr>(),
        )
    };
    checked(done).map(drop)
}

/// Makes `new` the root of all files, and moves the old root to `old` in it.
///
/// # Errors
/// If the system does not permit it.
pub fn change_root(new: &Path, old: &Path) -> io::Result<()> {
    let (new, old) = (text(new)?, text(old)?);
    // SAFETY: both texts end with a zero.
    let done = unsafe { libc::syscall(libc::SYS_pivot_root, new.as_ptr(), old.as_ptr()) };
    checked(done).map(drop)
}

/// Unmounts this mount and all mounts below it.
///
/// # Errors
///
/// If nothing is mounted there.
pub fn unmount(at: &Path) -> io::Result<()> {
    let at = text(at)?;
    // SAFETY: the text ends with a zero.
    checked(libc::c_long::from(unsafe {
        libc::umount2(at.as_ptr(), libc::MNT_DETACH)
    }))
    .map(drop)
}
