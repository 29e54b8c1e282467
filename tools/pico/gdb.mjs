// A debugger at the chip: rp2040js's stub, without a port of its own.
//
// Bytes of the debugger come in, bytes of the stub go out. The stub halts the chip and lets it
// go on; whoever lets its time pass looks at `chip.isHalted`. A breakpoint halts it, too: the
// debugger writes one into memory, and the processor stops in front of it.
//
// Invariants: a debugger that comes finds the chip halted; while none is there the chip runs
// as if there were no stub.

import { GDBConnection, GDBServer } from 'rp2040js';

/// rp2040js's stub, which does not know that a debugger may leave.
class Stub extends GDBServer {
  processGDBMessage(command) {
    if (command[0] !== 'D') return super.processGDBMessage(command);
    this.target.execute();
    return '$OK#9a';
  }
}

export class Gdb {
  constructor(chip) {
    this.chip = chip;
    this.said = [];
  }

  /// What the stub looks at.
  get rp2040() {
    return this.chip.mcu;
  }

  get executing() {
    return !this.chip.isHalted;
  }

  execute() {
    this.chip.isHalted = false;
  }

  stop() {
    this.chip.isHalted = true;
  }

  come() {
    const { mcu } = this.chip;
    // The stub would take over the breakpoints that are calls of the boot ROM.
    const { onBreak } = mcu;
    this.connection = new GDBConnection(new Stub(this), (text) => this.said.push(text));
    mcu.onBreak = onBreak;
    this.chip.onBreakpoint = () => {
      const { core } = this.chip.mcu;
      core.PC -= core.breakRewind;
      this.stop();
      this.connection.onBreakpoint();
    };
    this.stop();
  }

  hear(bytes) {
    if (bytes.length > 0) this.connection?.feedData(bytes.toString('latin1'));
  }

  go() {
    this.connection = undefined;
    this.chip.onBreakpoint = undefined;
    this.execute();
  }

  /// What the stub said since the last time.
  take() {
    const said = Buffer.from(this.said.join(''), 'latin1');
    this.said = [];
    return said.toString('hex') || '-';
  }
}
