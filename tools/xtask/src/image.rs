//! What an image takes of its board, read from the ELF file.

use std::fmt;

use anyhow::Context;
use object::{Object, ObjectSection, SectionFlags, elf};

/// The LM3S6965's flash and RAM.
const FLASH_BYTES: u64 = 256 * 1024;
/// See [`FLASH_BYTES`].
const RAM_BYTES: u64 = 64 * 1024;
/// Where RAM begins.
const RAM_START: u64 = 0x2000_0000;
/// RAM that must be left for the stack.
const STACK_BYTES: u64 = 16 * 1024;

/// Flash and RAM in bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Takes {
    /// Code, constants, and the first values of variables.
    pub flash_bytes: u64,
    /// Variables.
    pub ram_bytes: u64,
}

impl fmt::Display for Takes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "flash {} of {FLASH_BYTES} bytes, RAM {} of {RAM_BYTES} bytes ({} left for the stack)",
            self.flash_bytes,
            self.ram_bytes,
            RAM_BYTES.saturating_sub(self.ram_bytes)
        )
    }
}

impl Takes {
    /// An error if that is more than the board has.
    pub fn check(&self) -> anyhow::Result<()> {
        anyhow::ensure!(self.flash_bytes <= FLASH_BYTES, "the flash is too small");
        anyhow::ensure!(
            self.ram_bytes + STACK_BYTES <= RAM_BYTES,
            "the RAM is too small: {STACK_BYTES} bytes must be left for the stack"
        );
        Ok(())
    }
}

/// Measures an ELF file.
pub fn measure(file: &[u8]) -> anyhow::Result<Takes> {
    let file = object::File::parse(file).context("the image is no ELF file")?;
    let mut takes = Takes::default();
    for section in file.sections() {
        let SectionFlags::Elf { sh_flags } = section.flags() else {
            continue;
        };
        if sh_flags & u64::from(elf::SHF_ALLOC) == 0 {
            continue;
        }
        let in_file = section.file_range().is_some_and(|(_, length)| length > 0);
        if in_file {
            takes.flash_bytes += section.size();
        }
        if section.address() >= RAM_START {
            takes.ram_bytes += section.size();
        }
    }
    Ok(takes)
}
