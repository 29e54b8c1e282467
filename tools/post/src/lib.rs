//! The play-by-mail server of Malaka: people send commands by mail or over a
//! line, the server keeps their boards, rolls the dice and tells both players.
//!
//! A tour, from the inside out:
//!
//! 1. [`names`], [`password`]: what users are called and how they show who they
//!    are; [`dice`]: dice that nobody can choose.
//! 2. [`rules`]: Malaka, as a board by mail needs it.
//! 3. [`transcript`]: what happened on a board, in lines that anybody can check.
//! 4. [`store`]: what is kept.
//! 5. [`command`]: what can be asked; [`server`]: doing it.
//! 6. [`mail`]: mails in and out; [`transport`]: the ways on which commands come
//!    and mails go.

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
