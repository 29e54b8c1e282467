// The beeper: a piezo that receives the edges at its pin, and the resulting pitch.

const NS_PER_S = 1e9;
/// A sound ends when a period is longer than the previous one by more than this.
const LONGER = 1.5;
/// Edges at a lower rate are not an audible pitch.
const LONGEST_NS = NS_PER_S / 20;

export class Beeper {
  constructor() {
    this.forget();
  }

  /// The chip has restarted.
  forget() {
    this.isHigh = false;
    /// The last two moments at which the pin rose.
    this.rose = [];
  }

  /// The pin has this level from this nanosecond on.
  edge(isHigh, nanos) {
    if (isHigh && !this.isHigh) this.rose = [...this.rose.slice(-1), nanos];
    this.isHigh = isHigh;
  }

  /// The pitch in hertz at this moment; 0 for silence.
  hertz(nanos) {
    const [before, last] = this.rose;
    if (last === undefined) return 0;
    const period = last - before;
    const isOver = nanos - last > LONGER * period || period > LONGEST_NS;
    return isOver ? 0 : NS_PER_S / period;
  }
}
