// A chain of WS2812 lights that decodes colours from the edges of its data line.
//
// The length of a high level determines a bit. The chain shows its colours once the line
// has been low for the latch time. The limits are those of the WS2812B's data sheet.

const RESET_NS = 280_000;
/// The limits for a zero and a one: high time, then low time.
const ZERO_HIGH = [220, 380];
const ONE_HIGH = [580, 1000];
const PERIOD = [1000, 1600];

const within = (value, [least, most]) => value >= least && value <= most;

export class Lights {
  constructor() {
    /// The number of bits whose times no data sheet allows.
    this.bad = 0;
    /// The number of complete chains that were shown, and the colours of the last one:
    /// `[red, green, blue]`.
    this.chains = 0;
    this.colours = [];
    /// When the first bit of that chain rose, its last bit fell, and the lights were
    /// updated, in nanoseconds.
    this.moments = [0, 0, 0];
    this.rose = undefined;
    this.fell = -Infinity;
    this.forget();
  }

  /// The chip has restarted, possibly in the middle of a chain.
  forget() {
    this.isHigh = false;
    this.bits = [];
  }

  /// The line has this level from this nanosecond on.
  edge(isHigh, nanos) {
    if (isHigh === this.isHigh) return;
    this.isHigh = isHigh;
    if (isHigh) {
      this.latch(nanos);
      const isFirst = this.bits.length === 0;
      if (isFirst) this.begins = nanos;
      else if (!within(nanos - this.rose, PERIOD)) this.bad += 1;
      this.rose = nanos;
    } else {
      const high = nanos - this.rose;
      if (!within(high, ZERO_HIGH) && !within(high, ONE_HIGH)) this.bad += 1;
      this.bits.push(high >= ONE_HIGH[0] ? 1 : 0);
      this.fell = nanos;
    }
  }

  /// Shows the received colours, if the line has been low for long enough.
  latch(nanos) {
    if (this.bits.length === 0 || nanos - this.fell < RESET_NS) return;
    if (this.bits.length % 24 !== 0) this.bad += 1;
    this.colours = [];
    for (let at = 0; at + 24 <= this.bits.length; at += 24) {
      const byte = (from) => this.bits.slice(at + from, at + from + 8).reduce((all, bit) => 2 * all + bit, 0);
      this.colours.push([byte(8), byte(0), byte(16)]);
    }
    this.chains += 1;
    this.moments = [this.begins, this.fell, this.fell + RESET_NS].map(Math.round);
    this.bits = [];
  }
}
