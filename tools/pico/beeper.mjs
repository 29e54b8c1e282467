// The beeper: a piezo that hears the edges at its pin, and which pitch they make.

const NS_PER_S = 1e9;
/// A period that is longer than the last one by more is the end of a sound.
const LONGER = 1.5;
/// What rises more rarely is no pitch: nobody hears it.
const LONGEST_NS = NS_PER_S / 20;

export class Beeper {
  constructor() {
    this.forget();
  }

  /// The chip began anew.
  forget() {
    this.isHigh = false;
    /// The last two moments at which the pin rose.
    this.rose = [];
  }

  /// The pin is so from this nanosecond on.
  edge(isHigh, nanos) {
    if (isHigh && !this.isHigh) this.rose = [...this.rose.slice(-1), nanos];
    this.isHigh = isHigh;
  }

  /// What is heard by now, in hertz; 0 for nothing.
  hertz(nanos) {
    const [before, last] = this.rose;
    if (last === undefined) return 0;
    const period = last - before;
    const isOver = nanos - last > LONGER * period || period > LONGEST_NS;
    return isOver ? 0 : NS_PER_S / period;
  }
}
