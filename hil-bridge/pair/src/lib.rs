//! Two people play on one board in two places; others may watch.
//!
//! Both have a board of their own, and a relay between them puts their inputs in one order:
//! each gets a tick of board time, and every board takes it at that tick. The core is
//! deterministic, so the boards stay equal, and digests show that they are.
//!
//! From the bottom up:
//!
//! 1. [`secret`], [`message`]: the names of tables, who may sit where, and what a relay and
//!    its clients say.
//! 2. [`order`]: a table at the relay. It orders inputs, lets time pass and compares
//!    digests, and knows no game. [`lobby`]: all tables of a relay, and who is at them.
//! 3. [`side`]: a client's end of the line. It repeats what was lost, and knows up to which
//!    tick its board may go.
//! 4. [`opening`], [`rules`], [`play`]: the board with which a table begins, what each
//!    person may do to it, and a board that follows.
//!
//! Invariants: nothing here calls the operating system; times, random numbers and lines are
//! passed in. Whatever the other end sends, the memory that it takes is bounded. Two boards
//! at a table get the same inputs at the same ticks, whatever is lost, repeated or late.

#![deny(missing_docs)]
#![forbid(unsafe_code)]

pub mod lobby;
pub mod message;
pub mod opening;
pub mod order;
pub mod play;
pub mod rules;
pub mod secret;
pub mod side;

#[cfg(test)]
mod tests;
