//! Converts an image to a UF2 file, which can be copied to the drive of a Pico in BOOTSEL
//! mode.
//!
//! The file consists of blocks of 512 bytes, each with 256 bytes of flash and their
//! address, as in the UF2 specification (Microsoft, "USB Flashing Format"); the family in
//! that specification's list is the RP2040. Invariants: the address of each block is a
//! multiple of 256, and no two blocks have the same address.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use anyhow::Context;
use object::Endianness;
use object::elf::{FileHeader32, PT_LOAD};
use object::read::elf::{FileHeader, ProgramHeader};

const MAGIC: [u32; 2] = [0x0A32_4655, 0x9E5D_5157];
const MAGIC_END: u32 = 0x0AB1_6F30;
/// The flag for a block that contains its family.
const FLAGS: u32 = 0x2000;
const RP2040: u32 = 0xE48B_FF56;
/// The bytes of flash in a block, that is one page of flash.
const PAGE: usize = 256;
/// The capacity of a block, in bytes.
const ROOM: usize = 476;

/// Writes the UF2 file next to this ELF file.
pub fn write(image: &Path) -> anyhow::Result<()> {
    let elf = fs::read(image)?;
    let blocks = blocks(&pages(&elf)?);
    let path = image.with_extension("uf2");
    fs::write(&path, blocks).with_context(|| format!("cannot write {}", path.display()))
}

/// The contents of flash, page by page, according to the loaded segments of an ELF file.
fn pages(elf: &[u8]) -> anyhow::Result<BTreeMap<u32, [u8; PAGE]>> {
    let header = FileHeader32::<Endianness>::parse(elf).context("the image is not an ELF file")?;
    let endian = header.endian()?;
    let mut pages = BTreeMap::new();
    for part in header.program_headers(endian, elf)? {
        let bytes = part.data(endian, elf).ok().unwrap_or_default();
        if part.p_type(endian) != PT_LOAD {
            continue;
        }
        for (at, byte) in (part.p_paddr(endian)..).zip(bytes) {
            let start = at - at % PAGE as u32;
            let page = pages.entry(start).or_insert([0; PAGE]);
            page[(at - start) as usize] = *byte;
        }
    }
    Ok(pages)
}

fn blocks(pages: &BTreeMap<u32, [u8; PAGE]>) -> Vec<u8> {
    let count = pages.len() as u32;
    let mut file = Vec::new();
    for (number, (address, page)) in (0..).zip(pages) {
        let [first, second] = MAGIC;
        let head = [
            first,
            second,
            FLAGS,
            *address,
            PAGE as u32,
            number,
            count,
            RP2040,
        ];
        file.extend(head.iter().flat_map(|word| word.to_le_bytes()));
        file.extend(page);
        file.extend([0; ROOM - PAGE]);
        file.extend(MAGIC_END.to_le_bytes());
    }
    file
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_uf2_file_has_an_addressed_block_for_each_page() {
        let pages = BTreeMap::from([(0x1000_0000, [1; PAGE]), (0x1000_0300, [2; PAGE])]);
        let file = blocks(&pages);
        assert_eq!(file.len(), 2 * 512);
        let word = |at: usize| u32::from_le_bytes(file[at..at + 4].try_into().unwrap());
        let second: Vec<u32> = (0..8).map(|number| word(512 + 4 * number)).collect();
        let [first, magic] = MAGIC;
        assert_eq!(
            second,
            [first, magic, 0x2000, 0x1000_0300, 256, 1, 2, RP2040]
        );
        assert_eq!(file[512 + 32..512 + 32 + PAGE], [2; PAGE]);
        assert_eq!(word(1020), MAGIC_END);
    }
}
