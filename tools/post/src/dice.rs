//! Dice that nobody can choose.
//!
//! The server draws a secret for each board. Hashing it again and again gives a chain,
//! whose far end the server publishes before anything else is known. Each roll reveals
//! the next link towards the secret. Its dice are a keyed hash, with that link as the
//! key, of everything that was recorded for the board so far: all contributions of the
//! players and all their moves.
//!
//! Invariants: the result of [`throw`] depends only on the link and on what was recorded;
//! all faces are equally likely.

use hmac::{Hmac, KeyInit, Mac};
use sha2::{Digest, Sha256};

pub use getrandom::Error as RandomError;

/// A hash, a link of a chain, or a secret.
pub type Hash = [u8; 32];

/// The number of links in a board's chain. A game cannot need more, since pieces only
/// move forward.
pub const CHAIN_LINKS: u16 = 4_096;

/// 32 bytes that nobody can guess.
///
/// # Errors
/// If the system gives no random numbers.
pub fn random() -> Result<Hash, RandomError> {
    let mut bytes = [0; 32];
    getrandom::fill(&mut bytes)?;
    Ok(bytes)
}

/// The SHA-256 hash of the bytes.
#[must_use]
pub fn sha256(bytes: &[u8]) -> Hash {
    Sha256::digest(bytes).into()
}

/// The SHA-256 of two hashes, one after the other.
#[must_use]
pub fn sha256_of_both(first: &[u8], second: &[u8]) -> Hash {
    let mut hasher = Sha256::new();
    hasher.update(first);
    hasher.update(second);
    hasher.finalize().into()
}

/// The HMAC-SHA-256 of the bytes under a key.
#[must_use]
pub fn keyed(key: &[u8], bytes: &[u8]) -> Hash {
    let mac = Hmac::<Sha256>::new_from_slice(key);
    let mut mac = mac.expect("HMAC takes a key of any length");
    mac.update(bytes);
    mac.finalize().into_bytes().into()
}

/// The link at this place of the chain of a secret. Place 0 is published first, and place
/// `links` is the secret itself. The hash of each link is the previous one.
///
/// `None` after the end.
#[must_use]
pub fn link(secret: &Hash, links: u16, place: u16) -> Option<Hash> {
    let steps = links.checked_sub(place)?;
    Some((0..steps).fold(*secret, |link, _| sha256(&link)))
}

/// The faces of this many dice with this many sides, from a link and the hash of the
/// lines recorded so far.
///
/// A byte gives a face if it is below the largest multiple of the sides; otherwise it is
/// skipped, so that all faces are equally likely. When the 32 bytes of a hash are used
/// up, the next ones are computed.
#[must_use]
pub fn throw(link: &Hash, written: &Hash, count: usize, sides: u8) -> Vec<u8> {
    let fair = u8::MAX - (u8::MAX % sides + 1) % sides;
    let blocks = (0..=u64::MAX).flat_map(|block| {
        let mut bytes = written.to_vec();
        bytes.extend(block.to_be_bytes());
        keyed(link, &bytes)
    });
    let faces = blocks
        .filter(|byte| *byte <= fair)
        .map(|byte| 1 + byte % sides);
    faces.take(count).collect()
}

/// What the dice show, in words: `2 and 3`.
#[must_use]
pub fn words(dice: &[u8]) -> String {
    let dice: Vec<String> = dice.iter().map(u8::to_string).collect();
    dice.join(" and ")
}

/// Hexadecimal digits as a hash.
#[must_use]
pub fn hash_of_hex(digits: &str) -> Option<Hash> {
    touchboard_host::hex::bytes_of(digits)?.try_into().ok()
}

/// A hash as hexadecimal digits.
#[must_use]
pub fn hex_of_hash(hash: &Hash) -> String {
    touchboard_host::hex::hex_of(hash)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_link_is_the_hash_of_the_next() {
        let secret = [7; 32];
        for place in 0..20 {
            let here = link(&secret, 20, place).unwrap();
            let next = link(&secret, 20, place + 1).unwrap();
            assert_eq!(sha256(&next), here);
        }
        assert_eq!(link(&secret, 20, 20), Some(secret));
        assert_eq!(link(&secret, 20, 21), None);
    }

    /// RFC 4231, test case 2.
    #[test]
    fn the_keyed_hash_is_the_standard_one() {
        let told = keyed(b"Jefe", b"what do ya want for nothing?");
        let expected = "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843";
        assert_eq!(hex_of_hash(&told), expected);
    }

    /// With 3 and 5 degrees of freedom, chi-squared is below 16.3 and 20.5 in 999 of
    /// 1,000 cases. The test always uses the same values.
    #[test]
    fn every_face_is_as_likely_as_any_other() {
        const THROWS: u32 = 24_000;
        for (sides, limit) in [(4_u8, 16.3), (6, 20.5)] {
            let mut counts = vec![0_u32; usize::from(sides)];
            for number in 0..THROWS / 2 {
                let written = sha256(&number.to_be_bytes());
                for face in throw(&[3; 32], &written, 2, sides) {
                    counts[usize::from(face) - 1] += 1;
                }
            }
            let expected = f64::from(THROWS) / f64::from(sides);
            let chi: f64 = counts
                .iter()
                .map(|count| (f64::from(*count) - expected).powi(2) / expected)
                .sum();
            assert!(chi < limit, "{sides} sides: {counts:?}, {chi}");
        }
    }

    #[test]
    fn many_dice_continue_after_the_first_hash() {
        let faces = throw(&[1; 32], &[2; 32], 200, 6);
        assert_eq!(faces.len(), 200);
        assert!(faces.iter().all(|face| (1..=6).contains(face)));
        assert_eq!(faces[..2], throw(&[1; 32], &[2; 32], 2, 6)[..]);
        assert_ne!(faces[..32], faces[32..64]);
    }

    #[test]
    fn hexadecimal_digits_read_back_as_written() {
        let hash = sha256(b"malaka");
        assert_eq!(hash_of_hex(&hex_of_hash(&hash)), Some(hash));
        for digits in ["", "00", "zz"] {
            assert_eq!(hash_of_hex(digits), None);
        }
    }
}
