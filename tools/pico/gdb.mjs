// A debugger on the chip: rp2040js's stub, without a port of its own.
//
// Bytes of the debugger come in, bytes of the stub go out. The stub halts the chip and
// lets it continue; the code that lets time pass checks `chip.isHalted`. A breakpoint
// halts it, too: the debugger writes one into memory, and the processor stops before it.
//
// Invariants: a debugger that connects finds the chip halted; without a debugger, the
// chip runs as if there were no stub.

import { GDBConnection, GDBServer } from 'rp2040js';

/// rp2040js's stub, which does not support that a debugger disconnects.
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

  /// The part of the chip's interface that the stub uses.
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
    // Otherwise the stub would handle the breakpoints that are calls of the boot ROM.
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

  /// The output of the stub since the last call.
  take() {
    const said = Buffer.from(this.said.join(''), 'latin1');
    this.said = [];
    return said.toString('hex') || '-';
  }
}
