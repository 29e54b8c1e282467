//! Repeats a session without showing it, and compares all its recorded digests: whether the
//! core does the same in a browser as elsewhere.

use touchboard_host::{CoreDriver, Driver};

use crate::request;

/// Repeats a session, the content of a `.session` file, and returns the digest of its end
/// in 16 hexadecimal digits.
///
/// # Errors
/// A sentence if this is no session, or if the core does not do what it recorded.
pub fn replay(text: &str) -> Result<String, String> {
    let session = request::session(text)?;
    let header = &session.header;
    let board = CoreDriver::with_games(*header.layout, header.roster, header.seed);
    let mut board = board.map_err(|error| error.to_string())?;
    let repeated = session.replay(&mut board, &mut |_| {});
    match repeated.map_err(|error| error.to_string())? {
        None => {
            let digest = board.digest().map_err(|error| error.to_string())?;
            Ok(format!("{digest:016x}"))
        }
        Some(mismatch) => Err(format!(
            "at tick {} the session has the digest {:016x}, this core has {:016x}",
            mismatch.tick, mismatch.recorded, mismatch.found
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_core_that_does_something_else_is_named() {
        let path = concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/../../tests/sessions/reversi-0.session"
        );
        let session = std::fs::read_to_string(path).expect("a golden session");
        let digest = replay(&session).expect("the core does what was recorded");
        assert_eq!(digest.len(), 16);
        let other = session.replacen("\"seed\":", "\"seed\":1", 1);
        assert_ne!(session, other);
        let sentence = replay(&other).unwrap_err();
        assert!(
            sentence.contains("the session has the digest"),
            "{sentence}"
        );
        let sentence = replay("{}").unwrap_err();
        assert!(sentence.contains("not a touchboard session"), "{sentence}");
    }
}
