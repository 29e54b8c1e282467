//! The tests of the command `hil-bridge`, which they run as a process. They are one
//! program, because all libraries are linked into each.

mod bad_input;
mod best;
mod check_runs;
mod common;
mod far_boards;
mod faults;
mod follows;
#[cfg(target_os = "linux")]
mod full_disk;
mod keep;
mod lines;
mod mcp;
mod output;
mod panels;
#[cfg(unix)]
mod pty;
mod recordings;
mod restarts;
#[cfg(unix)]
mod serve;
mod shell_process;
mod shell_terminal;
mod signals;
mod story;
mod terminal;
mod test_command;
mod time_travel;
mod trim;
mod watch;
mod watch_line;
