//! A register of a chip, given by its address.

#![allow(unsafe_code)]

/// A 32-bit register of a peripheral.
#[derive(Clone, Copy)]
pub struct Register(u32);

impl Register {
    /// The register at this address.
    ///
    /// # Safety
    /// `address` must be that of an aligned device register that always exists. Neither
    /// reading nor writing it may affect memory safety: it must not start a DMA transfer
    /// or move the vector table.
    pub const unsafe fn at(address: u32) -> Register {
        Register(address)
    }

    /// Reads the register's current value.
    pub fn read(self) -> u32 {
        // SAFETY: `at` requires a valid register.
        unsafe { (self.0 as *const u32).read_volatile() }
    }

    /// Writes a value to the register.
    pub fn write(self, value: u32) {
        // SAFETY: as in `read`.
        unsafe { (self.0 as *mut u32).write_volatile(value) }
    }

    /// Sets these bits and leaves the others.
    pub fn set(self, bits: u32) {
        self.write(self.read() | bits);
    }

    /// Clears these bits and leaves the others.
    pub fn clear(self, bits: u32) {
        self.write(self.read() & !bits);
    }

    /// Reads the register until one of these bits is set, at most `reads` times. True if
    /// one is set.
    pub fn wait_for(self, bits: u32, reads: u32) -> bool {
        (0..reads).any(|_| self.read() & bits != 0)
    }
}
