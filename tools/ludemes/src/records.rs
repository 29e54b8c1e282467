//! Files of recorded games, gzipped or not.

use std::fs::File;
use std::io::BufReader;
use std::path::Path;

use flate2::bufread::GzDecoder;
use ludemes::replay::trial::{self, Trial};
use touchboard_files::{read_rest, why_no_file};

/// The most bytes of recorded games, unpacked.
const MOST_BYTES: u64 = 256 << 20;

/// The recorded games of a file, which is decompressed if its name says that it is
/// gzipped.
///
/// # Errors
///
/// A sentence that says why they cannot be read.
pub fn read(path: &Path) -> Result<Vec<Trial>, String> {
    let is_packed = path.extension().is_some_and(|extension| extension == "gz");
    let bytes = File::open(path).and_then(|file| match is_packed {
        // A small file can unpack to a very large one, so what comes out is bounded.
        true => read_rest(GzDecoder::new(BufReader::new(file)), MOST_BYTES),
        false => read_rest(file, MOST_BYTES),
    });
    let bytes = bytes.map_err(|error| why_no_file(&error))?;
    trial::read(&String::from_utf8_lossy(&bytes)).map_err(|error| error.to_string())
}
