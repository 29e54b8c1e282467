//! Files that are written completely or not at all.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// The maximum number of links in a row, as in operating systems.
const MOST_LINKS: u32 = 40;

/// Writes a file next to its place and moves it there. Readers find the old file or the
/// new one, even after a power cut, and never a part.
///
/// A link stays, and the file to which it leads is written. Anything else, such as a
/// device or a folder, is not changed.
///
/// # Errors
/// Those of the operating system, or that this is not a file; nothing is left behind. If
/// only the folder cannot be synced, the new file is there already.
pub fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let path = &target(path)?;
    let temporary = beside(path);
    let written = write_through(&temporary, bytes)
        .and_then(|()| keep_permissions(path, &temporary))
        .and_then(|()| fs::rename(&temporary, path));
    if written.is_err() {
        let _ = fs::remove_file(&temporary);
    }
    written?;
    sync_folder(folder_of(path))
}

/// Waits until the names of the files in a folder are on the disk, so that a power cut does
/// not undo a move. Does nothing where that is not possible: on Windows, in a folder that
/// may not be read, and in file systems that cannot sync a folder.
///
/// # Errors
/// Other ones of the operating system.
pub fn sync_folder(folder: &Path) -> io::Result<()> {
    use io::ErrorKind::{InvalidInput, PermissionDenied, Unsupported};
    if cfg!(not(unix)) {
        return Ok(());
    }
    match File::open(folder).and_then(|folder| folder.sync_all()) {
        Err(error) if matches!(error.kind(), InvalidInput | PermissionDenied | Unsupported) => {
            Ok(())
        }
        synced => synced,
    }
}

/// The folder that contains a file.
fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    }
}

/// Checks that [`write()`] can write there. Changes nothing, and leaves nothing behind.
///
/// # Errors
/// Those of [`write()`].
pub fn check_writing(path: &Path) -> io::Result<()> {
    let temporary = beside(&target(path)?);
    File::create(&temporary).and_then(|_| fs::remove_file(&temporary))
}

/// The file that is written for this path: the end of its links, which is a file or does
/// not exist.
///
/// # Errors
/// If the path does not name a file, or names something else.
pub fn target(path: &Path) -> io::Result<PathBuf> {
    let invalid = |what: &str| io::Error::new(io::ErrorKind::InvalidInput, what);
    let mut path = path.to_owned();
    for _ in 0..MOST_LINKS {
        if path.file_name().is_none() {
            return Err(invalid("this names no file"));
        }
        match fs::symlink_metadata(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(path),
            Err(error) => return Err(error),
            Ok(data) if data.is_file() => return Ok(path),
            // A relative link starts at the folder that contains it.
            Ok(data) if data.is_symlink() => path = path.with_file_name(fs::read_link(&path)?),
            Ok(data) if data.is_dir() => {
                return Err(invalid("this is a folder: name a file in it"));
            }
            Ok(_) => {
                return Err(invalid(
                    "this is a device or something else that is not a file: name a file",
                ));
            }
        }
    }
    Err(invalid("its links lead in a circle: name a file"))
}

/// A path in the same folder that nothing else uses.
#[must_use]
pub fn beside(path: &Path) -> PathBuf {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{}.part", std::process::id()));
    path.with_file_name(name)
}

fn write_through(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = File::create(path)?;
    file.write_all(bytes)?;
    file.sync_all()
}

/// Gives a new file the permissions of the old one.
///
/// # Errors
/// Those of the operating system.
pub fn keep_permissions(old: &Path, new: &Path) -> io::Result<()> {
    match fs::metadata(old) {
        Ok(data) => fs::set_permissions(new, data.permissions()),
        Err(_) => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use tempfile::tempdir;

    use super::*;

    #[test]
    fn a_file_is_replaced_and_no_other_remains() {
        let folder = tempdir().unwrap();
        let path = folder.path().join("file");
        for text in ["one", "two"] {
            write(&path, text.as_bytes()).unwrap();
            assert_eq!(fs::read_to_string(&path).unwrap(), text);
        }
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_file_is_in_the_folder_of_its_path() {
        for (path, folder) in [("file", "."), ("/file", "/"), ("a/file", "a")] {
            assert_eq!(folder_of(Path::new(path)), Path::new(folder));
        }
        let folder = tempdir().unwrap();
        sync_folder(folder.path()).unwrap();
        #[cfg(unix)]
        sync_folder(&folder.path().join("none")).unwrap_err();
    }

    #[test]
    fn checking_for_write_access_leaves_no_trace() {
        let folder = tempdir().unwrap();
        let (old, new) = (folder.path().join("old"), folder.path().join("new"));
        fs::write(&old, "older").unwrap();
        check_writing(&old).unwrap();
        check_writing(&new).unwrap();
        assert_eq!(fs::read_to_string(&old).unwrap(), "older");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
        assert!(check_writing(folder.path()).is_err());
        assert!(check_writing(&folder.path().join("none").join("file")).is_err());
    }

    #[test]
    fn a_folder_is_refused_and_stays() {
        let folder = tempdir().unwrap();
        let error = write(folder.path(), b"text").unwrap_err();
        assert!(error.to_string().contains("folder"), "{error}");
        assert!(folder.path().is_dir());
    }

    #[cfg(unix)]
    #[test]
    fn a_link_stays_and_its_file_is_written() {
        use std::os::unix::fs::symlink;
        let folder = tempdir().unwrap();
        let (file, near, far) = (
            folder.path().join("file"),
            folder.path().join("near"),
            folder.path().join("far"),
        );
        symlink("file", &near).unwrap();
        symlink(&near, &far).unwrap();
        for text in ["it was not there", "it was there"] {
            write(&far, text.as_bytes()).unwrap();
            assert_eq!(fs::read_to_string(&file).unwrap(), text);
        }
        assert!(far.is_symlink() && near.is_symlink() && !file.is_symlink());
        let (here, there) = (folder.path().join("here"), folder.path().join("there"));
        symlink(&here, &there).unwrap();
        symlink(&there, &here).unwrap();
        assert!(write(&here, b"text").is_err());
        assert!(here.is_symlink());
    }

    #[cfg(unix)]
    #[test]
    fn a_socket_is_refused_and_stays() {
        use std::os::unix::fs::FileTypeExt;
        let folder = tempdir().unwrap();
        let path = folder.path().join("socket");
        let _socket = std::os::unix::net::UnixListener::bind(&path).unwrap();
        let error = write(&path, b"text").unwrap_err();
        assert!(error.to_string().contains("not a file"), "{error}");
        assert!(fs::symlink_metadata(&path).unwrap().file_type().is_socket());
    }
}
