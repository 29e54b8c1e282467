// The matrix of contacts around the chip: shift registers (74HC595) at three pins, whose
// outputs are its lines, and rows that are held high by resistors. A contact that is
// closed pulls its row low while its line is low; its diode lets nothing back.

export class Matrix {
  constructor(pins) {
    this.pins = pins;
    /// Rows that are closed on each line, a bit each.
    this.closed = new Map();
    /// What the registers hold when power comes is anything.
    this.shifted = 0x5a5a5a;
    this.outputs = 0x5a5a5a;
  }

  /// Connects a chip that begins.
  connect(gpio, isHigh) {
    const { data, clock, latch } = this.pins;
    this.gpio = gpio;
    const rises = (pin, what) => {
      let was = false;
      gpio[pin].addListener(() => {
        const is = isHigh(gpio[pin]);
        if (is && !was) what();
        was = is;
      });
    };
    rises(clock, () => {
      this.shifted = (this.shifted << 1) | (isHigh(gpio[data]) ? 1 : 0);
    });
    rises(latch, () => {
      this.outputs = this.shifted;
      this.settle();
    });
    this.settle();
  }

  set(line, row, isClosed) {
    const rows = this.closed.get(line) ?? 0;
    this.closed.set(line, isClosed ? rows | (1 << row) : rows & ~(1 << row));
    this.settle();
  }

  /// Puts the rows where the lines pull them.
  settle() {
    let low = 0;
    for (const [line, rows] of this.closed) {
      if (((this.outputs >> line) & 1) === 0) low |= rows;
    }
    for (let row = 0; row < this.pins.rows; row += 1) {
      const pin = this.gpio[this.pins.firstRow + row];
      const isHigh = ((low >> row) & 1) === 0;
      if (pin.rawInputValue !== isHigh) pin.setInputValue(isHigh);
    }
  }
}
