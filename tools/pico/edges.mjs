// The edges at the pins as a file for logic analysers (VCD, IEEE 1364), to the
// nanosecond.
//
// Invariants: when a command is answered, all of its edges are in the file; times
// increase, even if edges of a state machine are reported late.

import { openSync, writeSync } from 'node:fs';

/// The longest delay with which an edge is reported: a state machine is stepped when an
/// instruction of the processor has finished.
const LATE_NS = 100_000;

/// A short name for a signal.
const mark = (number) => String.fromCharCode(33 + number);

export class Edges {
  /// `levels` contains the signals and their current levels.
  constructor(path, levels, nanos) {
    this.file = openSync(path, 'w');
    this.marks = new Map([...levels.keys()].map((name, number) => [name, mark(number)]));
    this.levels = new Map(levels);
    this.waiting = [];
    const names = [...this.marks].map(([name, own]) => `$var wire 1 ${own} ${name} $end\n`);
    const first = [...levels].map(([name, isHigh]) => this.line(name, isHigh));
    this.nanos = Math.floor(nanos);
    const head = ['$timescale 1 ns $end\n$scope module pico $end\n', ...names];
    head.push('$upscope $end\n$enddefinitions $end\n', `#${this.nanos}\n`, ...first);
    writeSync(this.file, head.join(''));
  }

  line(name, isHigh) {
    return `${isHigh ? 1 : 0}${this.marks.get(name)}\n`;
  }

  /// The signal has this level from this nanosecond on.
  edge(name, isHigh, nanos) {
    if (this.levels.get(name) === isHigh) return;
    this.levels.set(name, isHigh);
    this.waiting.push({ nanos: Math.max(Math.round(nanos), this.nanos), line: this.line(name, isHigh) });
  }

  /// Writes the edges that no earlier one can precede; with `isEnd` all of them, up to
  /// this moment.
  write(nanos, isEnd = false) {
    const before = isEnd ? Infinity : nanos - LATE_NS;
    this.waiting.sort((one, other) => one.nanos - other.nanos);
    const count = this.waiting.findIndex((edge) => edge.nanos >= before);
    const ready = this.waiting.splice(0, count < 0 ? Infinity : count);
    const lines = [];
    for (const { nanos: at, line } of ready) {
      if (at > this.nanos) lines.push(`#${at}\n`);
      this.nanos = Math.max(this.nanos, at);
      lines.push(line);
    }
    if (isEnd) lines.push(`#${Math.max(this.nanos, Math.floor(nanos))}\n`);
    if (lines.length > 0) writeSync(this.file, lines.join(''));
  }
}
