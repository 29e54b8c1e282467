//! Files with passwords, keys and certificates: small, and, if they are secret, readable by
//! their owner alone. On Windows, who can read a file is not checked.

use std::fs::File;
use std::path::Path;

use touchboard_files::{read_rest, why_no_file};
use touchboard_host::driver::DriverError;

use crate::LinkError;

/// The bytes of a file that is secret.
///
/// # Errors
/// A sentence, if it cannot be read, is longer than this, or others can read it.
pub fn read(path: &Path, most_bytes: u64) -> Result<Vec<u8>, DriverError> {
    read_if(path, most_bytes, is_secret)
}

/// The bytes of a file that anybody may read.
///
/// # Errors
/// A sentence, if it cannot be read or is longer than this.
pub fn read_public(path: &Path, most_bytes: u64) -> Result<Vec<u8>, DriverError> {
    read_if(path, most_bytes, |_| true)
}

fn read_if(
    path: &Path,
    most_bytes: u64,
    may_be_used: impl Fn(&File) -> bool,
) -> Result<Vec<u8>, DriverError> {
    let cannot = |why: String| {
        let name = path.display();
        LinkError::open(format!("cannot read {name}: {why}"))
    };
    let file = File::open(path).map_err(|error| cannot(why_no_file(&error)))?;
    if !may_be_used(&file) {
        return Err(cannot(
            "others can read it too, so it is no secret: `chmod 600` it".to_owned(),
        ));
    }
    read_rest(file, most_bytes).map_err(|error| cannot(why_no_file(&error)))
}

/// True if only its owner can read the file, or it is not a file but a pipe.
#[cfg(unix)]
fn is_secret(file: &File) -> bool {
    use std::os::unix::fs::PermissionsExt;

    file.metadata().is_ok_and(|known| {
        let others = known.permissions().mode() & 0o077;
        others == 0 || !known.is_file()
    })
}

#[cfg(not(unix))]
fn is_secret(_: &File) -> bool {
    true
}
