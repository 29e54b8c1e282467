// The matrix of contacts around the chip: shift registers (74HC595) at three pins, whose
// outputs are its lines, and rows that are held high by resistors. A contact that is
// closed pulls its row low while its line is low; its diode lets nothing back.
//
// What can be wrong with it has the names that it has on a simulated board: contacts are
// `stuck` or `dead`, bounce for `bounce-ms`, and without diodes there is `ghosting`: the
// low of a line goes on through every closed contact, as if the other lines were open.
//
// Invariants: the same faults and seed make the same of the same fingers.

const NS_PER_MS = 1e6;
/// Lows that are kept of a contact: more than a debounced one needs.
const MOST_LOWS = 16;
/// While a contact bounces it is open or closed for about so long.
const BOUNCE_NS = [100_000, 900_000];

/// Numbers from 0 to 1 that follow from a seed (mulberry32).
function* chances(seed) {
  for (let state = seed >>> 0; ; ) {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    yield ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }
}

/// A set of contacts: the rows of each line, a bit each.
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
    /// Where fingers are.
    this.fingers = new Contacts();
    /// Rows that a button of their own pulls to ground, a bit each.
    this.grounded = 0;
    /// Those that bounce: `{ line, row, until }`.
    this.bouncing = [];
    /// When a finger moved last, and when a row went low since then: the first of them, in
    /// nanoseconds.
    this.moved = 0;
    this.lows = [];
    /// Scans that began, the longest time between two of them, and when the last one did.
    this.forgetScans();
    this.mend();
    /// What the registers hold when power comes is anything.
    this.shifted = 0x5a5a5a;
    this.outputs = 0x5a5a5a;
  }

  /// Nothing is wrong with it.
  mend() {
    this.stuck = new Contacts();
    this.dead = new Contacts();
    this.hasDiodes = true;
    this.bounceMs = 0;
    this.chance = chances(0);
  }

  /// Something more is wrong with it.
  break([fault, ...numbers]) {
    const [first, second] = numbers.map(Number);
    switch (fault) {
      case 'none': this.mend(); break;
      case 'stuck': this.stuck.put(first, second, true); break;
      case 'dead': this.dead.put(first, second, true); break;
      case 'bounce-ms': [this.bounceMs, this.chance] = [first, chances(second)]; break;
      case 'ghosting': this.hasDiodes = false; break;
      default: throw new Error(`there is no fault ${fault}`);
    }
    this.settle();
  }

  /// Connects a chip that begins.
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

  /// A scan begins: its first line goes low.
  scan() {
    const now = this.clock.nanos;
    this.scans += 1;
    this.longest = Math.max(this.longest, now - (this.scanned ?? now));
    this.scanned = now;
  }

  /// Counts scans anew.
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

  /// A button between a row and ground is pressed, or let go.
  ground(row, isPressed) {
    this.grounded = isPressed ? this.grounded | (1 << row) : this.grounded & ~(1 << row);
    this.settle();
  }

  /// The contacts that are closed just now.
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
    // To the next nanosecond, so that it is not too early by what a number cannot tell.
    if (next.length > 0) this.bounces.schedule(Math.ceil(Math.min(...next) - this.clock.nanos) + 1);
    for (const [line, rows] of this.dead) closed.set(line, (closed.get(line) ?? 0) & ~rows);
    for (const [line, rows] of this.stuck) closed.set(line, (closed.get(line) ?? 0) | rows);
    return closed;
  }

  /// The rows that the low of a line comes to.
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

  /// Puts the rows where the lines pull them.
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
