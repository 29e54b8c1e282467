// An RP2040 that runs an image: rp2040js, and what it leaves to its user.
//
// rp2040js executes instructions and models the peripherals. This file controls time: it
// runs the chip for a given number of nanoseconds, wakes it at the next event while it
// sleeps, and steps the state machines of the programmable I/O at their own clock. It
// also starts the chip as the boot loader would, and again when the image requests a
// reset.
//
// Invariants: the same image and the same calls give the same edges at the same
// nanoseconds, whatever the computer is doing.

import { readFileSync } from 'node:fs';
import { RP2040 } from 'rp2040js';
import { Rom } from './rom.mjs';
import { UsbCable } from './usb.mjs';

const NS_PER_S = 1e9;
const FLASH_START = 0x10000000;
/// Where the boot loader's second stage, of 256 bytes, expects the vector table.
const VECTORS = 0x10000100;
/// The contents of memory at power-on, which are arbitrary.
const WHEN_POWER_COMES = 0x5a;
/// A branch to itself, and its place at the end of memory, for an image that hangs.
const FOR_EVER = 0xe7fe;
const HANGS_AT = 0x20041ff0;
/// A byte on the line: a start bit, eight bits, a stop bit.
const BITS_PER_BYTE = 10;
const AIRCR = 0xd0c;
const SYSRESETREQ = 1 << 2;
const PIO_CTRL = 0;
/// The key of the watchdog in rp2040js: its address, 0x40058000, without the lower 12 bits.
const WATCHDOG = 0x40058;

/// The parts of an ELF file in flash, each as `{ address, bytes }`.
function segments(path) {
  const file = readFileSync(path);
  if (file.length < 52 || file.readUInt32BE(0) !== 0x7f454c46) {
    throw new Error(`${path} is no ELF file`);
  }
  const [table, size, count] = [file.readUInt32LE(28), file.readUInt16LE(42), file.readUInt16LE(44)];
  const parts = [];
  for (let at = table; at < table + size * count; at += size) {
    const [type, offset, , address, length] = [0, 4, 8, 12, 16].map((field) => file.readUInt32LE(at + field));
    const isLoaded = type === 1 && length > 0;
    if (isLoaded) parts.push({ address, bytes: file.subarray(offset, offset + length) });
  }
  return parts;
}

/// Replaces the logger of rp2040js: an error of the image ends the run.
class Log {
  constructor(core) {
    this.core = core;
  }
  debug() {}
  warn() {}
  // rp2040js only logs `sev`, so the event would be lost.
  info(_, message) {
    if (message === 'SEV') this.core().eventRegistered = true;
  }
  error(component, message) {
    throw new Error(`${component}: ${message}`);
  }
}

export class Chip {
  /// `onStart` is called with each new RP2040, to connect its pins.
  constructor(image, onStart) {
    this.image = segments(image);
    this.onStart = onStart;
    this.sent = [];
    this.toReceive = [];
    this.usb = new UsbCable();
    this.rom = new Rom();
    /// For how many nanoseconds the processor has been awake.
    this.awake = 0;
    /// True while a debugger halts the chip.
    this.isHalted = false;
    this.start(0, undefined);
  }

  /// Starts the chip at this time. Over a reset, memory and flash keep their contents,
  /// and the watchdog knows the reason.
  start(nanos, before) {
    const mcu = new RP2040();
    this.mcu = mcu;
    mcu.logger = new Log(() => mcu.core);
    mcu.clock.tick(nanos);
    this.stalledUntil = 0;
    this.rom.connect(mcu, {
      stall: (nanos) => (this.stalledUntil = Math.max(this.nanos, this.stalledUntil) + nanos),
      fail: () => (this.powerFails = true),
    });
    if (before) {
      mcu.flash.set(before.flash);
      mcu.sram.set(before.sram);
    } else {
      for (const { address, bytes } of this.image) mcu.flash.set(bytes, address - FLASH_START);
      mcu.sram.fill(WHEN_POWER_COMES);
    }
    this.watch(mcu.peripherals[WATCHDOG], before?.peripherals[WATCHDOG].reason ?? 0);
    mcu.core.VTOR = VECTORS;
    mcu.core.SP = mcu.readUint32(VECTORS);
    mcu.core.PC = mcu.readUint32(VECTORS + 4) & ~1;
    mcu.onBreak = (number) => {
      if (this.rom.call(number)) return;
      if (this.onBreakpoint) return this.onBreakpoint();
      throw new Error('the image runs into a breakpoint, or calls what our boot ROM has not');
    };
    this.wakeWithoutHandler(mcu.core);
    this.hearReset(mcu.ppb);
    this.takeOverPio(mcu.pio);
    mcu.uart[0].onByte = (byte) => this.sent.push(byte);
    this.receiving = mcu.clock.createAlarm(() => this.receive());
    if (this.toReceive.length > 0) this.expect();
    this.usb.connect(mcu);
    this.resetAsked = false;
    this.powerFails = false;
    this.onStart(mcu);
  }

  get nanos() {
    return this.mcu.clock.nanos;
  }

  /// A sleep that masked interrupts can end: rp2040js would enter the handler
  /// immediately.
  wakeWithoutHandler(core) {
    const check = core.checkForInterrupts.bind(core);
    core.checkForInterrupts = () => {
      if (!core.waiting || !core.PM) return check();
      const asked = core.pendingInterrupts & core.enabledInterrupts;
      return Boolean(asked || core.pendingSystick || core.pendingPendSV || core.pendingNMI);
    };
  }

  /// rp2040js reports the time-out of the watchdog, but does not reset the chip.
  watch(watchdog, reason) {
    watchdog.reason = reason;
    watchdog.onWatchdogTrigger = () => {
      watchdog.timer.enable = false;
      watchdog.alarm.enable = false;
      this.resetAsked = true;
    };
  }

  /// A power failure: only flash keeps its contents.
  switchOffAndOn() {
    const { flash } = this.mcu;
    const sram = new Uint8Array(this.mcu.sram.length).fill(WHEN_POWER_COMES);
    this.rom.lasts = Infinity;
    this.sent = [];
    this.toReceive = [];
    this.start(this.nanos, { flash, sram, peripherals: { [WATCHDOG]: { reason: 0 } } });
  }

  /// The image hangs, with interrupts disabled.
  hang() {
    const { core } = this.mcu;
    this.mcu.writeUint16(HANGS_AT, FOR_EVER);
    core.PM = true;
    core.waiting = false;
    core.PC = HANGS_AT;
  }

  hearReset(ppb) {
    const write = ppb.writeUint32.bind(ppb);
    ppb.writeUint32 = (offset, value) => {
      if (offset === AIRCR && value & SYSRESETREQ) this.resetAsked = true;
      else write(offset, value);
    };
  }

  /// rp2040js steps state machines by itself and ignores their dividers.
  takeOverPio(pios) {
    const all = pios.flatMap((pio) =>
      pio.machines.map((machine) => ({ pio, machine, next: 0, cycles: 0, stalled: true })),
    );
    this.machines = [];
    for (const pio of pios) {
      pio.run = () => {};
      const write = pio.writeUint32.bind(pio);
      pio.writeUint32 = (offset, value) => {
        write(offset, value);
        if (offset === PIO_CTRL) this.machines = all.filter(({ machine }) => machine.enabled);
      };
    }
  }

  /// Steps the running state machines that are due, and returns when the next one is.
  stepPio(now) {
    let first = Infinity;
    for (const own of this.machines) {
      const { pio, machine } = own;
      if (machine.waiting && machine.txFIFO.empty) {
        own.stalled = true;
        continue;
      }
      const divider = (machine.clockDivInt || 65536) + machine.clockDivFrac / 256;
      const step = (divider * NS_PER_S) / this.mcu.clkSys;
      if (own.stalled) {
        own.stalled = false;
        own.next = now + step;
        own.cycles = machine.cycles;
      }
      while (own.next <= now && !(machine.waiting && machine.txFIFO.empty)) {
        this.edgeNanos = own.next;
        machine.step();
        pio.checkChangedPins();
        own.next += Math.max(1, machine.cycles - own.cycles) * step;
        own.cycles = machine.cycles;
      }
      first = Math.min(first, own.next);
    }
    this.edgeNanos = undefined;
    return first;
  }

  /// The time of the edge that a listener is being informed of.
  get edge() {
    return this.edgeNanos ?? this.nanos;
  }

  /// Bytes arrive over the line, one after the other at its speed.
  feed(bytes) {
    if (bytes.length === 0) return;
    const isIdle = this.toReceive.length === 0;
    this.toReceive.push(...bytes);
    if (isIdle) this.expect();
  }

  expect() {
    const baud = this.mcu.uart[0].baudRate || 115200;
    this.receiving.schedule((BITS_PER_BYTE * NS_PER_S) / baud);
  }

  receive() {
    const byte = this.toReceive.shift();
    // A full FIFO loses the byte, as the chip does.
    if (!this.mcu.uart[0].rxFIFO.full) this.mcu.uart[0].feedByte(byte);
    if (this.toReceive.length > 0) this.expect();
  }

  /// Runs for this long. Ends earlier if bytes were sent and the chip sleeps, or while it
  /// is halted.
  run(nanos) {
    const end = this.nanos + nanos;
    let due = 0;
    while (this.nanos < end && !this.isHalted) {
      const { core, clock } = this.mcu;
      const isStalled = clock.nanos < this.stalledUntil;
      if (isStalled || core.waiting) {
        if (!isStalled && this.sent.length + this.usb.sent.length > 0) return;
        const alarm = clock.nextAlarm ? clock.nextAlarm.nanos : Infinity;
        const until = Math.min(end, alarm, due, isStalled ? this.stalledUntil : Infinity);
        clock.tick(Math.max(until - clock.nanos, 0));
        if (isStalled) {
          // The processor only waits for the flash.
        } else if (core.interruptsUpdated && core.checkForInterrupts()) core.waiting = false;
      } else {
        const cycles = core.executeInstruction();
        const nanos = (cycles * NS_PER_S) / this.mcu.clkSys;
        clock.tick(nanos);
        this.awake += nanos;
      }
      due = this.stepPio(clock.nanos);
      if (this.powerFails) this.switchOffAndOn();
      else if (this.resetAsked) this.start(this.nanos, this.mcu);
    }
  }
}
