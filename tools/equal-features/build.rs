//! Cargo takes build dependencies into account only where there is a build
//! script.

fn main() {}
