//! The lists over the board, which can be searched by typing.
//!
//! - [`popup`]: how they are opened and closed;
//! - [`library`]: the built-in texts of games, read one per picture;
//! - [`picker`]: the list of games; [`found`]: how well a game matches a search;
//! - [`command_list`]: the list of commands.

pub mod command_list;
pub mod found;
pub mod library;
pub mod picker;
pub mod popup;
