//! Everything around the code: set-up, builds, images, tests.
//!
//! This library and its program (`main.rs`) are the first things that a new machine
//! builds, so they have few dependencies, and none on other packages of the workspace.
//! Commands that need more, or are rarely used, are in `tools/xtask-lab`, which [`lab`]
//! builds and runs on demand.

#![forbid(unsafe_code)]

pub mod all_tests;
pub mod board;
pub mod book;
pub mod bots;
#[cfg(test)]
mod calendar;
pub mod cargo;
pub mod ci;
#[cfg(test)]
mod crate_maps;
pub mod deny;
#[cfg(test)]
mod documents;
#[cfg(test)]
mod features;
pub mod firmware;
pub mod format;
pub mod game_tests;
pub mod grid_client;
pub mod image;
#[cfg(test)]
mod imports;
pub mod lab;
pub mod labgrid;
pub mod mcp;
#[cfg(test)]
mod module_files;
#[cfg(test)]
mod names;
pub mod new_game;
pub mod pico;
pub mod qemu;
pub mod rustdoc;
pub mod scratch;
pub mod setup;
pub mod size;
pub mod start;
#[cfg(test)]
mod style;
pub mod switches;
pub mod uf2;
pub mod wasm;
pub mod workspaces;
