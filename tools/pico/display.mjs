// The display: three modules of four characters on an I2C bus, each with an HT16K33 (data
// sheet, Holtek). The bytes on the bus are written to the memory of a module, from which
// the lit segments follow.
//
// Invariants: a command that an HT16K33 does not have is an error.

const PLACES = 16;
const CHARACTERS = 4;
/// How a module is wired, from the lowest bit of a character on: the bar above, and on to
/// the right and round; those in the middle; the slanting ones and the upright ones
/// between them, as one reads; the dot.
//
//    ---- a ----
//   |\    |    /|
//   f  i  j  k  b
//   |   \ | /   |
//    - g -- h --
//   |   / | \   |
//   e  n  m  l  c
//   |/    |    \|
//    ---- d ----   .
const WIRED = 'abcdefgh' + 'ijk' + 'nml' + '.';
/// The segments in the order in which a board numbers them.
const SEGMENTS = 'abcdefghijklmn.';

class Module {
  constructor() {
    this.isAwake = false;
    this.isOn = false;
    this.memory = new Uint8Array(PLACES);
    this.begin();
  }

  /// A new message to the module begins.
  begin() {
    this.place = undefined;
  }

  take(byte) {
    if (this.place !== undefined) {
      this.memory[this.place] = byte;
      this.place = (this.place + 1) % PLACES;
      return;
    }
    switch (byte >> 4) {
      case 0x0: this.place = byte & 0xf; break;
      case 0x2: this.isAwake = (byte & 1) === 1; break;
      case 0x8: this.isOn = (byte & 1) === 1; break;
      case 0xe: break;
      default: throw new Error(`the display has no command 0x${byte.toString(16)}`);
    }
  }

  /// The segments of each of its characters.
  characters() {
    const isLit = this.isAwake && this.isOn;
    return Array.from({ length: CHARACTERS }, (_, at) => {
      const bits = this.memory[2 * at] | (this.memory[2 * at + 1] << 8);
      const names = [...WIRED].filter((_, bit) => isLit && (bits >> bit) & 1);
      return names.reduce((all, name) => all | (1 << SEGMENTS.indexOf(name)), 0);
    });
  }
}

export class Display {
  constructor(addresses) {
    this.modules = new Map(addresses.map((address) => [address, new Module()]));
  }

  /// The segments of all characters, from the left.
  characters() {
    return [...this.modules.values()].flatMap((module) => module.characters());
  }
}
