//! post
fn main() {}
