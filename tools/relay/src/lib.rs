//! The relay between two people who play in two browsers.
//!
//! All rules of tables are in [`touchboard_pair::lobby`]; this is its sockets and its clock.
//! One thread serves everybody, without waiting for anybody:
//!
//! 1. [`connection`]: a WebSocket, from its first byte to its last.
//! 2. [`service`]: the port, all connections, and the lobby between them.
//! 3. [`network`]: what limits count a connection by.
//!
//! Invariants: nobody from outside can make the relay keep more than a bounded number of
//! connections, tables or bytes; a peer that is slow, silent or hostile loses its own
//! connection and delays nobody else. Secrets are in no address and in no log.

#![deny(missing_docs)]
#![forbid(unsafe_code)]

pub mod connection;
pub mod network;
pub mod service;

pub use service::{RelayError, RelayLimits, RelayService, RelayStop};
