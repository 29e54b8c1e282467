#![doc = include_str!("../README.md")]
#![deny(missing_docs)]
#![forbid(unsafe_code)]

pub mod check;
pub mod compile;
pub mod constructs;
pub mod explain;
pub mod format;
pub mod games;
pub mod layout;
pub mod names;
pub mod replay;
pub mod report;
pub mod shown;
pub mod text;
pub mod tree;
