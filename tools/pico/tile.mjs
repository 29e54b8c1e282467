// A NeoTrellis tile, written from the documents that its maker publishes about the seesaw
// firmware of its chip: the pages "Reading and Writing Data" and "NeoPixel" (Adafruit,
// seesaw), and for the keypad the register map in the seesaw's sources. It has four rows
// of four keys, with a light in each.
//
// Invariants: a message for an unknown register, or one that is too long, is an error.

/// The most bytes after the two that select a register.
const MOST_VALUES = 32;
/// The size of the buffer for lights.
const LIGHT_BYTES = 64;
const SIDE = 4;
const KEYS = SIDE * SIDE;
/// The keypad numbers its keys as if a row had eight.
const KEYPAD_COLUMNS = 8;
/// The edges of a key that the keypad reports.
const CAME_UP = 2;
const WENT_DOWN = 3;
/// The interval at which it scans its keys.
const SCAN_NS = 10_000_000;
/// The time until it can answer a request; an earlier read is refused.
const ANSWERS_NS = 250_000;
/// While it sends data to its lights, 30 us for each, it stretches the clock of the bus.
const SHOWS_NS = KEYS * 30_000;
/// The pin of its lights.
const LIGHTS_AT = 3;
/// The byte that stands for no further event.
const NOTHING = 0xff;

export class Tile {
  /// `now` returns the time in nanoseconds; `later` calls a function after a delay.
  constructor(now, later) {
    this.now = now;
    this.later = later;
    this.isOut = false;
    /// The keys with fingers on them, in reading order.
    this.closed = new Array(KEYS).fill(false);
    /// How often its lights were updated.
    this.shows = 0;
    this.reset();
  }

  /// It has been switched on.
  reset() {
    this.pin = undefined;
    this.isFast = true;
    this.length = 0;
    this.bytes = new Uint8Array(LIGHT_BYTES);
    /// Red, green and blue of each light.
    this.shown = Array.from({ length: KEYS }, () => [0, 0, 0]);
    this.edges = new Array(KEYS).fill(0);
    this.wasClosed = [...this.closed];
    this.events = [];
    this.message = undefined;
    this.answer = [];
    this.busyUntil = 0;
    this.holdsUntil = 0;
  }

  /// A finger comes to a key, or leaves it.
  set(key, isClosed) {
    this.closed[key] = isClosed;
    // It notices this at its next scan.
    const waits = SCAN_NS - (this.now() % SCAN_NS);
    this.later(waits, () => this.scan());
  }

  scan() {
    for (let key = 0; key < KEYS; key += 1) {
      const isClosed = this.closed[key];
      if (isClosed === this.wasClosed[key]) continue;
      this.wasClosed[key] = isClosed;
      const edge = isClosed ? WENT_DOWN : CAME_UP;
      const number = Math.floor(key / SIDE) * KEYPAD_COLUMNS + (key % SIDE);
      if ((this.edges[key] >> edge) & 1) this.events.push((number << 2) | edge);
    }
  }

  /// For how many nanoseconds it stretches the clock before it receives anything.
  holds() {
    return this.isOut ? 0 : Math.max(this.holdsUntil - this.now(), 0);
  }

  /// A message to it begins; false if it does not acknowledge.
  begin(isRead) {
    if (this.isOut || this.now() < this.busyUntil) return false;
    this.message = isRead ? undefined : [];
    return true;
  }

  take(byte) {
    this.message.push(byte);
  }

  give() {
    return this.answer.shift() ?? NOTHING;
  }

  /// The message to it is complete.
  end() {
    if (!this.message) return;
    const [module, register, ...values] = this.message;
    const message = this.message;
    this.message = undefined;
    if (values.length > MOST_VALUES) throw new Error(`a tile has no room for ${values.length} values`);
    this.answer = [];
    const fails = () => {
      throw new Error(`a tile has no ${Buffer.from(message).toString('hex')}`);
    };
    // The register, with the lengths of its messages.
    const isOf = (count) => values.length === count || fails();
    switch ((module << 8) | register) {
      case 0x0001: return isOf(0) && this.answers([0x55]);
      case 0x0002: return isOf(0) && this.answers([0, 0, 0, 0]);
      case 0x007f: return isOf(1) && this.reset();
      case 0x0e01: return isOf(1) && (this.pin = values[0]);
      case 0x0e02: return isOf(1) && (this.isFast = values[0] === 1);
      case 0x0e03: return isOf(2) && this.reserve((values[0] << 8) | values[1]);
      case 0x0e04: return values.length > 2 ? this.put((values[0] << 8) | values[1], values.slice(2)) : fails();
      case 0x0e05: return isOf(0) && this.show();
      case 0x1001: return isOf(2) && this.watch(...values);
      case 0x1003: return isOf(1);
      case 0x1004: return isOf(0) && this.answers([this.events.length]);
      // The events that are read are removed; the rest stays.
      case 0x1010: return isOf(0) && this.answers(this.events);
      default: return fails();
    }
  }

  answers(bytes) {
    this.answer = bytes;
    this.busyUntil = this.now() + ANSWERS_NS;
  }

  reserve(length) {
    if (length > LIGHT_BYTES) throw new Error(`a tile has no room for ${length} bytes of lights`);
    this.length = length;
  }

  /// Data that do not fit are left out.
  put(first, bytes) {
    for (const [at, byte] of bytes.entries()) {
      if (first + at < LIGHT_BYTES) this.bytes[first + at] = byte;
    }
  }

  show() {
    this.holdsUntil = this.now() + SHOWS_NS;
    // Another pin has no lights, and at half the speed they do not understand the data.
    if (this.pin !== LIGHTS_AT || !this.isFast) return;
    for (let at = 0; at + 3 <= Math.min(this.length, KEYS * 3); at += 3) {
      const [green, red, blue] = this.bytes.subarray(at, at + 3);
      this.shown[at / 3] = [red, green, blue];
    }
    this.shows += 1;
  }

  /// Which edges of a key are reported: bit 0 says whether the other bits switch reports
  /// on or off.
  watch(number, what) {
    const [row, column] = [Math.floor(number / KEYPAD_COLUMNS), number % KEYPAD_COLUMNS];
    if (row >= SIDE || column >= SIDE) throw new Error(`a tile has no key ${number}`);
    const key = row * SIDE + column;
    if (what & 1) this.edges[key] |= what >> 1;
    else this.edges[key] &= ~(what >> 1);
  }
}
