//! The tests of the command `ludemes`. They are one program, because all libraries are
//! linked into each.

mod commands;
mod grammar;
mod play;
mod reference;
mod shards;
mod tutorial;
mod walks;
