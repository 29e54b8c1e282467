//! The play-by-mail server of Malaka: players send commands by mail or over a line; the
//! server keeps their boards, rolls the dice and notifies both players.
//!
//! A tour, from the inside out:
//!
//! 1. [`names`], [`password`]: the names of users, and how they prove who they are;
//!    [`dice`]: dice that nobody can choose.
//! 2. [`rules`]: Malaka, as a board by mail needs it.
//! 3. [`transcript`]: what happened on a board, in lines that anybody can verify.
//! 4. [`store`]: the stored data.
//! 5. [`command`]: the commands; [`server`]: carrying them out.
//! 6. [`mail`]: incoming and outgoing mails; [`transport`]: how commands arrive and mails
//!    are delivered.

#![deny(missing_docs)]
#![forbid(unsafe_code)]

pub mod command;
pub mod dice;
pub mod mail;
pub mod names;
pub mod password;
pub mod rules;
pub mod server;
pub mod store;
pub mod transcript;
pub mod transport;
