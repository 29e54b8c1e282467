//! Passwords: the rules for them, and how they are stored and hidden.
//!
//! Invariants: a password is only stored as its Argon2id hash. [`Password`] has no
//! `Display`, cannot be serialised, and its `Debug` is three stars.

use std::fmt;

use argon2::password_hash::phc::PasswordHash;
use argon2::password_hash::{PasswordHasher, PasswordVerifier};
use argon2::{Algorithm, Argon2, Params, Version};

/// The text that is displayed instead of a password.
pub const HIDDEN: &str = "***";

/// The fewest and the most characters of a password.
pub const PASSWORD_CHARACTERS: (usize, usize) = (6, 128);

/// Why a word is no good as a new password. The sentence does not contain the word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "A password has {} to {} letters, digits and signs of ASCII, and no blanks.",
    PASSWORD_CHARACTERS.0,
    PASSWORD_CHARACTERS.1
)]
pub struct PasswordFormError;

/// Why a password cannot be stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum HashError {
    /// A hash of this cost cannot be computed.
    #[error(
        "no password can be kept with {} KiB and {} passes: {source}",
        .cost.memory_kib,
        .cost.passes
    )]
    Cost {
        /// The impossible cost.
        cost: Cost,
        /// The number that is out of range.
        source: argon2::Error,
    },
    /// The hash was not computed.
    #[error("the password cannot be kept: {0}")]
    Password(#[from] argon2::password_hash::Error),
}

/// A password, kept in memory while its command is carried out.
#[derive(Clone, PartialEq, Eq)]
pub struct Password(String);

impl Password {
    /// A word that a user wrote as a password. [`Password::check`] decides whether it
    /// may be used as a new one.
    #[must_use]
    pub fn new(word: &str) -> Password {
        Password(word.to_owned())
    }

    /// Checks whether it may be used as a new password.
    ///
    /// # Errors
    /// If it is too short or too long, or has other characters.
    pub fn check(&self) -> Result<(), PasswordFormError> {
        let (fewest, most) = PASSWORD_CHARACTERS;
        let graphic = self.0.bytes().all(|byte| byte.is_ascii_graphic());
        let is_good = graphic && (fewest..=most).contains(&self.0.len());
        is_good.then_some(()).ok_or(PasswordFormError)
    }

    /// True if the text contains the password.
    #[must_use]
    pub fn is_in(&self, text: &str) -> bool {
        !self.0.is_empty() && text.contains(&self.0)
    }
}

impl fmt::Debug for Password {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(HIDDEN)
    }
}

/// The computing cost of a hash.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cost {
    /// The memory for a hash, in KiB.
    pub memory_kib: u32,
    /// The number of passes over the memory.
    pub passes: u32,
}

impl Default for Cost {
    /// The minimum for Argon2id in OWASP's Password Storage Cheat Sheet: 19 MiB, two
    /// passes, one thread.
    fn default() -> Cost {
        Cost {
            memory_kib: 19 * 1_024,
            passes: 2,
        }
    }
}

impl Cost {
    /// Almost no cost, for tests and benchmarks of other things.
    pub const NEXT_TO_NOTHING: Cost = Cost {
        memory_kib: 8,
        passes: 1,
    };

    fn hasher(self) -> Result<Argon2<'static>, HashError> {
        let params = Params::new(self.memory_kib, self.passes, 1, None)
            .map_err(|source| HashError::Cost { cost: self, source })?;
        Ok(Argon2::new(Algorithm::Argon2id, Version::V0x13, params))
    }

    /// Checks whether passwords can be hashed at this cost.
    ///
    /// # Errors
    /// [`HashError::Cost`].
    pub fn check(self) -> Result<(), HashError> {
        self.hasher().map(drop)
    }

    /// The hash of a password with this salt, as a PHC string.
    ///
    /// # Errors
    /// If this cost is not possible, or the hash cannot be computed.
    pub fn hash(self, password: &Password, salt: &[u8; 16]) -> Result<String, HashError> {
        let hash: PasswordHash = self
            .hasher()?
            .hash_password_with_salt(password.0.as_bytes(), salt)?;
        Ok(hash.to_string())
    }
}

/// True if `hash` is a hash of this password, at any cost.
#[must_use]
pub fn is_hash_of(hash: &str, password: &Password) -> bool {
    PasswordHash::new(hash).is_ok_and(|hash| {
        let verified = Argon2::default().verify_password(password.0.as_bytes(), &hash);
        verified.is_ok()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_password_matches_its_hash_at_any_cost() {
        let cheap = Cost::NEXT_TO_NOTHING;
        let dearer = Cost {
            memory_kib: 64,
            passes: 2,
        };
        let password = Password::new("moussaka");
        for cost in [cheap, dearer] {
            let hash = cost.hash(&password, &[7; 16]).unwrap();
            let words = format!(
                "$argon2id$v=19$m={},t={},p=1$",
                cost.memory_kib, cost.passes
            );
            assert!(hash.starts_with(&words), "{hash}");
            assert!(is_hash_of(&hash, &password));
            assert!(!is_hash_of(&hash, &Password::new("Moussaka")));
            assert!(!is_hash_of(&hash, &Password::new("")));
        }
        assert!(!is_hash_of("nonsense", &password));
    }

    #[test]
    fn equal_passwords_have_different_hashes() {
        let password = Password::new("moussaka");
        let hash = |salt| Cost::NEXT_TO_NOTHING.hash(&password, &[salt; 16]).unwrap();
        assert_ne!(hash(1), hash(2));
    }

    #[test]
    fn an_impossible_password_or_cost_is_refused() {
        let impossible = Cost {
            memory_kib: 1,
            passes: 0,
        };
        let said = impossible.check().unwrap_err().to_string();
        let sentence = "no password can be kept with 1 KiB and 0 passes: ";
        assert!(said.starts_with(sentence), "{said}");
        assert!(Cost::default().check().is_ok());
        let sentence = "A password has 6 to 128 letters, digits and signs of ASCII, and no blanks.";
        let long = "x".repeat(129);
        for word in ["short", "with blank", "pässword", "tab\tbed", "", &long] {
            let said = Password::new(word)
                .check()
                .map_err(|error| error.to_string());
            assert_eq!(said, Err(sentence.to_owned()), "{word}");
        }
        assert!(Password::new("sixsix").check().is_ok());
    }

    #[test]
    fn a_password_is_never_shown() {
        let password = Password::new("moussaka");
        assert_eq!(format!("{password:?}"), "***");
        assert!(password.is_in("xmoussakax") && !password.is_in("mous saka"));
        assert!(!Password::new("").is_in("abc"));
    }
}
