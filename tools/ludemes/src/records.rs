//! Files of recorded games, gzipped or not.

use std::io::Read;
use std::path::Path;

use ludemes::replay::trial::{self, Trial};

/// The recorded games of a file, which is decompressed if its name says that it is
/// gzipped.
///
/// # Errors
///
/// A sentence that says why they cannot be read.
pub fn read(path: &Path) -> Result<Vec<Trial>, String> {
    let mut bytes = std::fs::read(path).map_err(|error| error.to_string())?;
    if path.extension().is_some_and(|extension| extension == "gz") {
        let mut plain = Vec::new();
        let mut packed = flate2::read::GzDecoder::new(bytes.as_slice());
        packed
            .read_to_end(&mut plain)
            .map_err(|error| error.to_string())?;
        bytes = plain;
    }
    trial::read(&String::from_utf8_lossy(&bytes)).map_err(|error| error.to_string())
}
