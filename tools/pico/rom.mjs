// A boot ROM: the header by which an image finds its functions, and the functions that
// write flash. Each function is a breakpoint and a return; its effect is implemented
// here, and takes as long as in the flash chip of a Pico (Winbond W25Q16JV, typical).
//
// Invariants: writing only changes ones to zeros, as in flash, and the power can fail at
// each byte that is erased or written.

const FLASH_BYTES = 2 * 1024 * 1024;
const SECTOR_BYTES = 4096;
const PAGE_BYTES = 256;
const SECTOR_ERASE_NS = 45e6;
const PAGE_PROGRAM_NS = 0.4e6;

const code = (letters) => letters.charCodeAt(0) | (letters.charCodeAt(1) << 8);
/// The functions by their codes (RP2040 data sheet, section 2.8.3.1.3). The first one is
/// not in the table: it finds the others.
const FUNCTIONS = ['lookup', 'IF', 'EX', 'RE', 'RP', 'FC', 'CX'];
const FIRST_BREAK = 0x40;
/// The addresses of the functions: each is a breakpoint with its number, then `bx lr`.
const PLACES = 0x100;
const BX_LR = 0x4770;
const BKPT = 0xbe00;
/// An address without a function.
const NOTHING = 0xbe00be00;
const MAGIC = 0x01754d;

export class Rom {
  /// `flash` is the chip's flash; `isOver` is called when the power fails.
  constructor() {
    /// The number of bytes that can be erased or written before the power fails.
    this.lasts = Infinity;
  }

  /// Installs the ROM in a chip that has just started.
  connect(mcu, { stall, fail }) {
    this.mcu = mcu;
    this.stall = stall;
    this.fail = fail;
    mcu.bootrom.fill(NOTHING);
    mcu.bootrom[0x10 / 4] = MAGIC;
    // Functions are found by their codes alone, in any table.
    mcu.bootrom[0x14 / 4] = PLACES | (PLACES << 16);
    mcu.bootrom[0x18 / 4] = PLACES | 1;
    FUNCTIONS.forEach((_, index) => {
      mcu.bootrom[PLACES / 4 + index] = (BX_LR << 16) | BKPT | (FIRST_BREAK + index);
    });
  }

  /// The image has reached this breakpoint; true if it is one of the ROM's.
  call(number) {
    const { registers } = this.mcu.core;
    switch (FUNCTIONS[number - FIRST_BREAK]) {
      case 'lookup':
        registers[0] = this.find(registers[1] & 0xffff);
        return true;
      case 'RE':
        this.erase(registers[0], registers[1]);
        return true;
      case 'RP':
        this.program(registers[0], registers[1], registers[2]);
        return true;
      case 'IF':
      case 'EX':
      case 'FC':
      case 'CX':
        return true;
      default:
        return false;
    }
  }

  find(wanted) {
    const index = FUNCTIONS.findIndex((name) => name.length === 2 && code(name) === wanted);
    return index < 0 ? 0 : (PLACES + 4 * index) | 1;
  }

  erase(at, bytes) {
    if (at % SECTOR_BYTES || bytes % SECTOR_BYTES || at + bytes > FLASH_BYTES) {
      throw new Error(`the image erases ${bytes} bytes of flash at ${at}`);
    }
    this.stall((bytes / SECTOR_BYTES) * SECTOR_ERASE_NS);
    for (let byte = at; byte < at + bytes; byte += 1) this.change(byte, 0xff);
  }

  program(at, from, bytes) {
    if (at % PAGE_BYTES || bytes % PAGE_BYTES || at + bytes > FLASH_BYTES) {
      throw new Error(`the image writes ${bytes} bytes of flash at ${at}`);
    }
    this.stall((bytes / PAGE_BYTES) * PAGE_PROGRAM_NS);
    for (let byte = 0; byte < bytes; byte += 1) {
      const { flash } = this.mcu;
      const wanted = this.mcu.readUint8(from + byte);
      // Ones do not change anything.
      if (wanted !== 0xff) this.change(at + byte, flash[at + byte] & wanted);
    }
  }

  change(at, byte) {
    if (this.lasts <= 0) return;
    this.mcu.flash[at] = byte;
    this.lasts -= 1;
    if (this.lasts <= 0) this.fail();
  }
}
