//! The file of records, on the computer at the other end of the debugger.

use core::ffi::CStr;

use postcard::experimental::max_size::MaxSize;
use semihosting::fs::File;
use semihosting::io::{Error, Read};

use crate::record::Record;

/// The name of the file, in the folder in which QEMU was started.
const NAME: &CStr = c"records.bin";

/// Why the next record could not be read.
pub enum NoRecord {
    /// The file has no further record.
    End,
    /// The file could not be read.
    Unreadable(Error),
    /// The bytes are not a record.
    Damaged,
}

/// The file of records, on the host.
pub struct Source(File);

impl Source {
    /// Opens the file of records.
    pub fn open() -> Result<Source, NoRecord> {
        File::open(NAME).map(Source).map_err(NoRecord::Unreadable)
    }

    /// Reads the next record.
    pub fn next(&mut self) -> Result<Record, NoRecord> {
        let mut length = [0; 2];
        self.fill(&mut length)?;
        let mut bytes = [0; Record::POSTCARD_MAX_SIZE];
        let bytes = bytes.get_mut(..usize::from(u16::from_le_bytes(length)));
        let bytes = bytes.ok_or(NoRecord::Damaged)?;
        self.fill(bytes)?;
        postcard::from_bytes(bytes).map_err(|_| NoRecord::Damaged)
    }

    fn fill(&mut self, mut bytes: &mut [u8]) -> Result<(), NoRecord> {
        while !bytes.is_empty() {
            let count = self.0.read(bytes).map_err(NoRecord::Unreadable)?;
            if count == 0 {
                return Err(NoRecord::End);
            }
            bytes = &mut bytes[count..];
        }
        Ok(())
    }
}
