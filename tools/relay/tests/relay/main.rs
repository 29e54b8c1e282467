//! The relay over real sockets of this machine.

mod command;
mod hostile;
mod people;
mod play;
