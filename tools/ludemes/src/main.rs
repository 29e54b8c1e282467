//! The command `ludemes`.

fn main() {}
