//! The tests of contests between bots. They are one program, because all libraries are
//! linked into each.

mod command;
mod common;
mod continuing;
#[cfg(target_os = "linux")]
mod escapes;
mod page;
#[cfg(unix)]
mod processes;
mod shards;
