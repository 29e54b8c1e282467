//! The tests of the mail server. They are one program, because all libraries are linked
//! into each.

mod abuse;
mod common;
#[cfg(unix)]
mod crash;
#[cfg(unix)]
mod play;
#[cfg(unix)]
mod receiving;
mod server;
#[cfg(unix)]
mod smtpd;
#[cfg(unix)]
mod trouble;
#[cfg(unix)]
mod ways;
