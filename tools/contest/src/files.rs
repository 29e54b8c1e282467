//! Decides which files are bots. The code that lists a folder and the code that hides
//! rivals from a bot use the same definition.

use std::path::Path;

/// True if this file may take part in a contest.
#[must_use]
pub fn is_bot(path: &Path) -> bool {
    is_wasm(path) || is_executable(path)
}

/// True if its name is that of a WebAssembly module.
#[must_use]
pub fn is_wasm(path: &Path) -> bool {
    let extension = path.extension();
    path.is_file() && extension.is_some_and(|extension| extension.eq_ignore_ascii_case("wasm"))
}

#[cfg(unix)]
fn is_executable(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    std::fs::metadata(path)
        .is_ok_and(|data| data.is_file() && data.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_executable(path: &Path) -> bool {
    let extension = path.extension();
    path.is_file() && extension.is_some_and(|extension| extension.eq_ignore_ascii_case("exe"))
}
