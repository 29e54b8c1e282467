//! The boards that have an image. Building, measuring, linting, formatting and running
//! images goes through this list. `QemuChip` names those that QEMU emulates for hosts,
//! independently of this program; a test compares the two.

use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::ValueEnum;

use crate::cargo;

/// The package that all images share.
pub const SHARED: &str = "cortex-m-board";

/// A board that has an image. Its name is that of its folder and, if there is one, of
/// QEMU's machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum BoardImage {
    /// Cortex-M3 with 256 KiB of flash and 64 KiB of RAM: up to 128 points.
    Lm3s6965evb,
    /// Cortex-M4 with 1 MiB of flash and 128 KiB of RAM: up to 256 points.
    Netduinoplus2,
    /// Cortex-M0+ with 2 MiB of flash and 264 KiB of RAM, with contacts and lights at its
    /// pins: up to 256 points.
    Pico,
}

impl BoardImage {
    /// The images of all boards.
    pub fn all() -> impl Iterator<Item = BoardImage> {
        BoardImage::value_variants().iter().copied()
    }

    pub fn name(self) -> &'static str {
        match self {
            BoardImage::Lm3s6965evb => "lm3s6965evb",
            BoardImage::Netduinoplus2 => "netduinoplus2",
            BoardImage::Pico => "pico",
        }
    }

    pub fn folder(self) -> PathBuf {
        cargo::root().join("firmware-core/boards").join(self.name())
    }

    /// The target for which the image is compiled.
    pub fn target(self) -> &'static str {
        match self {
            BoardImage::Lm3s6965evb => "thumbv7m-none-eabi",
            BoardImage::Netduinoplus2 => "thumbv7em-none-eabi",
            BoardImage::Pico => "thumbv6m-none-eabi",
        }
    }

    /// The frequency of the chip's clock, as the image configures it.
    pub fn clock_hz(self) -> u32 {
        match self {
            BoardImage::Lm3s6965evb => 50_000_000,
            BoardImage::Netduinoplus2 => 168_000_000,
            BoardImage::Pico => 125_000_000,
        }
    }

    /// The number of points of the largest layout that the image supports.
    pub fn most_points(self) -> u16 {
        match self {
            BoardImage::Lm3s6965evb => 128,
            BoardImage::Netduinoplus2 | BoardImage::Pico => 256,
        }
    }

    /// Checks that QEMU emulates it.
    ///
    /// # Errors
    /// A sentence that says what does.
    pub fn require_qemu(self) -> anyhow::Result<()> {
        anyhow::ensure!(
            self != BoardImage::Pico,
            "QEMU does not emulate the {}: `hil-bridge shell --at pico` runs it under rp2040js",
            self.name()
        );
        Ok(())
    }

    /// The chip's memory, from the linker script of the image.
    pub fn memory(self) -> anyhow::Result<MemoryMap> {
        MemoryMap::read(&self.folder().join("memory.x"))
    }
}

/// A region of a chip's memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MemoryRegion {
    pub start: u64,
    pub bytes: u64,
}

impl MemoryRegion {
    /// The region of this name in the text of a `memory.x`.
    fn parse(text: &str, name: &str) -> Option<MemoryRegion> {
        let lines = text.lines().filter_map(|line| line.split_once(':'));
        let mut own = lines.filter(|(title, _)| title.trim() == name);
        let (origin, length) = own.next()?.1.split_once(',')?;
        let value = |part: &'_ str| Some(part.split_once('=')?.1.trim().to_owned());
        let (origin, length) = (value(origin)?, value(length)?);
        let kibibytes: u64 = length.strip_suffix('K')?.parse().ok()?;
        Some(MemoryRegion {
            start: u64::from_str_radix(origin.strip_prefix("0x")?, 16).ok()?,
            bytes: kibibytes * 1024,
        })
    }

    pub fn has(self, address: u64) -> bool {
        (self.start..self.start + self.bytes).contains(&address)
    }
}

/// Flash and RAM of a chip.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MemoryMap {
    pub flash: MemoryRegion,
    pub ram: MemoryRegion,
}

impl MemoryMap {
    /// Reads the memory map from a linker script.
    pub fn read(path: &Path) -> anyhow::Result<MemoryMap> {
        let text = std::fs::read_to_string(path);
        let text = text.with_context(|| format!("{} cannot be read", path.display()))?;
        MemoryMap::parse(&text).with_context(|| format!("{} makes no sense", path.display()))
    }

    fn parse(text: &str) -> Option<MemoryMap> {
        Some(MemoryMap {
            flash: MemoryRegion::parse(text, "FLASH")?,
            ram: MemoryRegion::parse(text, "RAM")?,
        })
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use touchboard_links::qemu::QemuChip;

    use super::*;

    #[test]
    fn every_folder_with_a_memory_map_is_in_the_list() {
        let boards = cargo::root().join("firmware-core/boards");
        let folders = boards.read_dir().expect("the boards are there");
        let folders: Vec<PathBuf> = folders
            .map(|entry| entry.expect("a folder").path())
            .collect();
        let with_map = folders
            .iter()
            .filter(|path| path.join("memory.x").is_file());
        let found: BTreeSet<PathBuf> = with_map.cloned().collect();
        assert_eq!(found, BoardImage::all().map(BoardImage::folder).collect());
    }

    #[test]
    fn every_image_has_a_name_that_hosts_accept() {
        let known = QemuChip::ALL.map(QemuChip::name);
        let in_qemu = BoardImage::all().filter(|board| board.require_qemu().is_ok());
        let listed: Vec<&str> = in_qemu.map(BoardImage::name).collect();
        assert_eq!(known.to_vec(), listed);
        assert_eq!(BoardImage::Pico.name(), touchboard_links::pico::NAME);
    }

    #[test]
    fn memory_maps_equal_those_of_the_chips() {
        let map = |flash_start: u64, flash_kib: u64, ram_kib: u64| MemoryMap {
            flash: MemoryRegion {
                start: flash_start,
                bytes: flash_kib * 1024,
            },
            ram: MemoryRegion {
                start: 0x2000_0000,
                bytes: ram_kib * 1024,
            },
        };
        let read = |board: BoardImage| board.memory().expect("it has one");
        assert_eq!(read(BoardImage::Lm3s6965evb), map(0, 256, 64));
        // The last two sectors of its 1,024 KiB belong to the store.
        assert_eq!(read(BoardImage::Netduinoplus2), map(0x0800_0000, 768, 128));
        // The first 256 bytes of its 2,048 KiB belong to the boot loader, the last 128
        // KiB to the store.
        assert_eq!(read(BoardImage::Pico), map(0x1000_0100, 1_919, 256));
    }

    #[test]
    fn a_memory_map_without_ram_is_refused() {
        let text = "MEMORY\n{\n  FLASH : ORIGIN = 0x0, LENGTH = 256K\n}\n";
        assert_eq!(MemoryMap::parse(text), None);
    }
}
