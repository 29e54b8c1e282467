// The matrix of contacts around the chip: shift registers (74HC595) at three pins, whose
// outputs are its lines, and rows with pull-up resistors. A closed contact pulls its row
// low while its line is low; its diode blocks the opposite direction.
//
// Its faults have the same names as on a simulated board: contacts are `stuck` or `dead`,
// or bounce for `bounce-ms`; with `ghosting` there are no diodes, so the low level of a
// line spreads through every closed contact, as if the other lines were open.
//
// Invariants: the same faults and seed have the same effect on the same fingers.

const NS_PER_MS = 1e6;
/// The number of low levels that are remembered per contact: more than debouncing needs.
const MOST_LOWS = 16;
/// While a contact bounces, it is open or closed for about this long.
const BOUNCE_NS = [100_000, 900_000];

/// Pseudo-random numbers from 0 to 1 (mulberry32).
function* chances(seed) {
  for (let state = seed >>> 0; ; ) {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    yield ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }
}

/// A set of contacts: for each line its rows as bits.
class Contacts extends Map {
  put(line, row, isIn) {
    const rows = this.get(line) ?? 0;
    this.set(line, isIn ? rows | (1 << row) : rows & ~(1 << row));
  }

  has(line, row) {
    return (((this.get(line) ?? 0) >> row) & 1) === 1;
  }
}

export class Matrix {
  constructor(pins) {
    this.pins = pins;
    /// The contacts with a finger on them.
    this.fingers = new Contacts();
    /// The rows that a button of their own pulls to ground, as bits.
    this.grounded = 0;
    /// The bouncing contacts: `{ line, row, until }`.
    this.bouncing = [];
    /// When a finger last moved, and when the first row went low after that, in
    /// nanoseconds.
    this.moved = 0;
    this.lows = [];
    /// The number of scans, the longest time between two of them, and the time of the
    /// last one.
    this.forgetScans();
    this.clearFaults();
    /// The contents of the registers at power-on are arbitrary.
    this.shifted = 0x5a5a5a;
    this.outputs = 0x5a5a5a;
  }

  /// Removes all faults.
  clearFaults() {
    this.stuck = new Contacts();
    this.dead = new Contacts();
    this.hasDiodes = true;
    this.bounceMs = 0;
    this.chance = chances(0);
  }

  /// Adds a fault.
  break([fault, ...numbers]) {
    const [first, second] = numbers.map(Number);
    switch (fault) {
      case 'none': this.clearFaults(); break;
      case 'stuck': this.stuck.put(first, second, true); break;
      case 'dead': this.dead.put(first, second, true); break;
      case 'bounce-ms': [this.bounceMs, this.chance] = [first, chances(second)]; break;
      case 'ghosting': this.hasDiodes = false; break;
      default: throw new Error(`there is no fault ${fault}`);
    }
    this.settle();
  }

  /// Connects a chip that has just started.
  connect(gpio, clock, isHigh) {
    const { data, clock: lineClock, latch } = this.pins;
    this.gpio = gpio;
    this.clock = clock;
    this.scanned = undefined;
    this.bounces = clock.createAlarm(() => this.settle());
    const rises = (pin, what) => {
      let was = false;
      gpio[pin].addListener(() => {
        const is = isHigh(gpio[pin]);
        if (is && !was) what();
        was = is;
      });
    };
    rises(lineClock, () => {
      this.shifted = (this.shifted << 1) | (isHigh(gpio[data]) ? 1 : 0);
    });
    rises(latch, () => {
      this.outputs = this.shifted;
      if ((this.outputs & 1) === 0) this.scan();
      this.settle();
    });
    this.settle();
  }

  /// A scan begins when its first line goes low.
  scan() {
    const now = this.clock.nanos;
    this.scans += 1;
    this.longest = Math.max(this.longest, now - (this.scanned ?? now));
    this.scanned = now;
  }

  /// Resets the count of scans.
  forgetScans() {
    [this.scans, this.longest, this.scanned] = [0, 0, undefined];
  }

  /// A finger comes to a contact, or leaves it.
  set(line, row, isClosed) {
    if (this.fingers.has(line, row) !== isClosed && this.bounceMs > 0) {
      const until = this.clock.nanos + this.bounceMs * NS_PER_MS;
      this.bouncing = this.bouncing.filter((own) => own.line !== line || own.row !== row);
      this.bouncing.push({ line, row, until });
    }
    this.fingers.put(line, row, isClosed);
    this.moved = Math.round(this.clock.nanos);
    this.lows = [];
    this.settle();
  }

  /// A button between a row and ground is pressed or released.
  ground(row, isPressed) {
    this.grounded = isPressed ? this.grounded | (1 << row) : this.grounded & ~(1 << row);
    this.settle();
  }

  /// The contacts that are closed at the moment.
  closed() {
    const closed = new Contacts(this.fingers);
    this.bouncing = this.bouncing.filter(({ until }) => this.clock.nanos < until);
    for (const own of this.bouncing) {
      if (this.clock.nanos >= (own.next ?? 0)) {
        const [least, most] = BOUNCE_NS;
        own.isClosed = this.chance.next().value < 0.5;
        own.next = this.clock.nanos + least + (most - least) * this.chance.next().value;
      }
      closed.put(own.line, own.row, own.isClosed);
    }
    const next = this.bouncing.map((own) => Math.min(own.next, own.until));
    // Rounded up to the next nanosecond, so that it is not early by a rounding error.
    if (next.length > 0) this.bounces.schedule(Math.ceil(Math.min(...next) - this.clock.nanos) + 1);
    for (const [line, rows] of this.dead) closed.set(line, (closed.get(line) ?? 0) & ~rows);
    for (const [line, rows] of this.stuck) closed.set(line, (closed.get(line) ?? 0) | rows);
    return closed;
  }

  /// The rows that the low level of a line reaches.
  low() {
    const closed = this.closed();
    let low = this.grounded;
    for (const [line, rows] of closed) {
      if (((this.outputs >> line) & 1) === 0) low |= rows;
    }
    for (let before = -1; !this.hasDiodes && low !== before; ) {
      before = low;
      for (const rows of closed.values()) if ((rows & low) !== 0) low |= rows;
    }
    return low;
  }

  /// Sets the rows to the levels that the lines cause.
  settle() {
    const low = this.low();
    for (let row = 0; row < this.pins.rows; row += 1) {
      const pin = this.gpio[this.pins.firstRow + row];
      const isHigh = ((low >> row) & 1) === 0;
      if (pin.rawInputValue !== isHigh) {
        pin.setInputValue(isHigh);
        if (!isHigh && this.lows.length < MOST_LOWS) this.lows.push(Math.round(this.clock.nanos));
        this.onRow?.(row, isHigh);
      }
    }
  }
}
