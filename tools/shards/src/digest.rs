//! A short name for what a plan cannot contain in full, such as texts of games.

use std::hash::Hasher;

use fnv::FnvHasher;

/// The digest of these parts, in hexadecimal digits. It detects changes, not attacks.
#[must_use]
pub fn digest_of<'a>(parts: impl IntoIterator<Item = &'a [u8]>) -> String {
    let mut hasher = FnvHasher::default();
    for part in parts {
        // With their lengths, so that what moves from one part to the next is seen.
        hasher.write(&(part.len() as u64).to_le_bytes());
        hasher.write(part);
    }
    format!("{:016x}", hasher.finish())
}
