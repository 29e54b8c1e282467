//! The memory that an image needs, read from the ELF file.

use std::path::Path;

use anyhow::Context;
use object::{Object, ObjectSection, ObjectSymbol, SectionFlags, SymbolKind, elf};

use crate::board::MemoryMap;

/// The RAM that must be left for the stack.
const STACK_BYTES: u64 = 16 * 1024;

/// Above the [rows](Takes::row), in bytes.
pub const TITLES: &str = "\
|   flash |      of |    RAM |      of |  stack | image |
| ------: | ------: | -----: | ------: | -----: | ----- |";

/// Flash and RAM in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Takes {
    /// The size of code, constants, and initial values of variables.
    pub flash_bytes: u64,
    /// The size of the variables in RAM.
    pub ram_bytes: u64,
    /// The memory that the chip has.
    pub of: MemoryMap,
}

impl Takes {
    /// A row of a table: the used and the available memory, and what is left for the
    /// stack.
    pub fn row(&self, image: &Path) -> String {
        let (flash, ram) = (self.flash_bytes, self.ram_bytes);
        let (flash_there, ram_there) = (self.of.flash.bytes, self.of.ram.bytes);
        let stack = ram_there.saturating_sub(ram);
        format!(
            "| {flash:>7} | {flash_there:>7} | {ram:>6} | {ram_there:>7} | {stack:>6} | {} |",
            image.display()
        )
    }

    /// An error if the image needs more memory than the board has.
    pub fn check(&self) -> anyhow::Result<()> {
        let MemoryMap { flash, ram } = self.of;
        anyhow::ensure!(self.flash_bytes <= flash.bytes, "the flash is too small");
        anyhow::ensure!(
            self.ram_bytes + STACK_BYTES <= ram.bytes,
            "the RAM is too small: {STACK_BYTES} bytes must be left for the stack"
        );
        Ok(())
    }
}

/// Writes what it takes beside the image, for programs that show it: JSON, in bytes.
pub fn write_memory(image: &Path, takes: &Takes) -> anyhow::Result<()> {
    let Takes {
        flash_bytes,
        ram_bytes,
        of,
    } = takes;
    let told = serde_json::json!({
        "flash": [flash_bytes, of.flash.bytes],
        "ram": [ram_bytes, of.ram.bytes],
    });
    let file = image.with_extension("memory.json");
    std::fs::write(&file, format!("{told}\n"))
        .with_context(|| format!("cannot write {}", file.display()))
}

/// The size of the functions of an ELF file whose names contain one of these, in bytes.
pub fn functions_bytes(file: &[u8], names: &[String]) -> anyhow::Result<u64> {
    let file = object::File::parse(file).context("the image is not an ELF file")?;
    let functions = file
        .symbols()
        .filter(|symbol| symbol.kind() == SymbolKind::Text);
    let own = functions.filter(|symbol| {
        let name = symbol.name().unwrap_or_default();
        names.iter().any(|own| name.contains(own))
    });
    Ok(own.map(|symbol| symbol.size()).sum())
}

/// Measures an ELF file that was linked for this memory.
pub fn measure(file: &[u8], of: MemoryMap) -> anyhow::Result<Takes> {
    let file = object::File::parse(file).context("the image is not an ELF file")?;
    let mut takes = Takes {
        flash_bytes: 0,
        ram_bytes: 0,
        of,
    };
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
        if of.ram.has(section.address()) {
            takes.ram_bytes += section.size();
        }
    }
    Ok(takes)
}
