//! The lists over the board, which are searched as one types.
//!
//! - [`search_list`]: what the lists share: the field, and the keys that go from one entry
//!   to the next;
//! - [`library`]: the built-in texts of games, read one per picture;
//! - [`picker`]: the list of games;
//! - [`command_list`]: the list of commands.

pub mod command_list;
pub mod library;
pub mod picker;
pub mod search_list;
