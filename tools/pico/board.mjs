// A simulated board with a Raspberry Pi Pico: an image on an emulated chip, and the parts
// wired to its pins. It reads one command per line and answers each with one line:
//
//   run MICROSECONDS [HEX [HEX]]
//                             delivers these bytes to UART0 and over USB, then runs the chip
//                             -> ran MICROSECONDS HEX HEX: the current time, and the bytes
//                                sent over UART0 and over USB
//   usb in|out|open|close     plugs the cable in or pulls it out; opens or closes the port
//                             as a program does -> done
//   hang                      hangs the image -> done
//   power                     power-cycles the chip -> done
//   cut BYTES                 power-cycles the chip after it has erased or written this many
//                             bytes of flash -> done
//   close LINE ROW            closes a contact of the matrix, or the key there -> done
//   open LINE ROW             opens it -> done
//   ground ROW 0|1            opens (0) or closes (1) a button between a row and ground
//                             -> done
//   tile NUMBER in|out        plugs a tile in or pulls it out; the tiles of the field are
//                             numbered in reading order, followed by the one with the
//                             buttons -> done
//   gdb come|go|HEX           connects a debugger, disconnects it, or sends these bytes
//                             from it -> gdb halted|runs HEX: the answer of the stub
//   lights                    -> lights CHAINS BAD HEX: the number of chains shown so far,
//                                the number of bits outside the data sheet's limits, and
//                                red, green and blue of the last chain; for tiles the number
//                                of times that they showed something, and all lights
//   moments                   -> moments BEGAN ENDED SHOWN MOVED LOW...: when the first bit
//                                of that chain rose, when its last bit fell, when the lights
//                                took it over, when a contact last moved, and the first
//                                moments at which a row went low after that; in nanoseconds
//   load                      -> load AWAKE SCANS LONGEST: since the last `load`, how many
//                                nanoseconds the processor was awake, how many scans it
//                                began, and the longest time between two
//   display                   -> display HEX: the segments of each character, 16 bits each
//   beeper                    -> beeper HERTZ: 0 if silent
//   fault NAME NUMBER...      adds a fault to the matrix: stuck LINE ROW, dead LINE ROW,
//                             bounce-ms MS SEED, ghosting; none removes all -> done
//   edges FILE                writes all edges at the pins to this file from now on, as
//                             VCD; `-` stops writing -> done
//   pins                      -> pins BAUD FUNCTION...: the baud rate, and the function that
//                                each pin is assigned to
//
// `run` ends early if the chip has sent something and sleeps. `-` stands for no bytes. If
// the image cannot continue, the answer is `error SENTENCE`, and the program ends.
//
// Usage: node board.mjs IMAGE PINS [TILES]. PINS are the numbers of the pins as they are
// wired: lines-data,lines-clock,lines-latch,lights,first-row,rows,beeper, and the addresses
// of the display's modules. TILES describes a field of tiles, which such a board has instead
// of matrix and chain: columns,rows,first,column,row,buttons, where the last four are
// addresses.

import { readSync, writeSync } from 'node:fs';
import { GPIOPinState } from 'rp2040js';
import { Beeper } from './beeper.mjs';
import { Bus } from './bus.mjs';
import { Chip } from './chip.mjs';
import { Display } from './display.mjs';
import { Edges } from './edges.mjs';
import { Gdb } from './gdb.mjs';
import { Lights } from './lights.mjs';
import { Matrix } from './matrix.mjs';
import { Trellis } from './trellis.mjs';

const NS_PER_US = 1000;

const bytesOf = (hex) => Buffer.from(hex === '-' ? '' : hex, 'hex');

const isHigh = (pin) => pin.value === GPIOPinState.High;

class Board {
  constructor(image, [data, clock, latch, lights, firstRow, rows, beeper, ...modules], tiles) {
    this.lights = new Lights();
    this.matrix = new Matrix({ data, clock, latch, firstRow, rows });
    this.matrix.onRow = (row, isHigh) => this.edge(`row${row + 1}`, isHigh);
    this.beeper = new Beeper();
    this.display = new Display(modules);
    this.trellis = tiles && new Trellis(tiles.slice(0, 2), tiles.slice(2));
    this.bus = new Bus([...this.display.modules, ...(this.trellis?.devices ?? [])]);
    this.signals = new Map([
      ['lights', lights],
      ['lines_data', data],
      ['lines_clock', clock],
      ['lines_latch', latch],
      ['beeper', beeper],
      ...Array.from({ length: rows }, (_, row) => [`row${row + 1}`, firstRow + row]),
    ]);
    this.chip = new Chip(image, (mcu) => this.connect(mcu));
    this.gdb = new Gdb(this.chip);
  }

  /// Connects a chip that has just started.
  connect(mcu) {
    this.matrix.connect(mcu.gpio, mcu.clock, isHigh);
    this.trellis?.connect(mcu.clock);
    this.bus.connect(mcu.i2c[1], mcu.clock, () => mcu.clkSys);
    this.lights.forget();
    this.beeper.forget();
    for (const [name, number] of this.signals) {
      const pin = mcu.gpio[number];
      const player = { lights: this.lights, beeper: this.beeper }[name];
      pin.addListener(() => {
        player?.edge(isHigh(pin), this.chip.edge);
        if (!name.startsWith('row')) this.edge(name, isHigh(pin));
      });
    }
  }

  /// A signal has this level from now on.
  edge(name, isHigh) {
    this.edges?.edge(name, isHigh, this.chip.edge);
  }

  run(us, hex = '-', usbHex = '-') {
    const { chip } = this;
    chip.feed(bytesOf(hex));
    chip.usb.feed(bytesOf(usbHex));
    chip.run(Number(us) * NS_PER_US);
    this.edges?.write(chip.nanos);
    const sent = [chip, chip.usb].map((line) => {
      const bytes = Buffer.from(line.sent).toString('hex');
      line.sent = [];
      return bytes || '-';
    });
    return ['ran', Math.floor(chip.nanos / NS_PER_US), ...sent].join(' ');
  }

  tellUsb(what) {
    const { usb } = this.chip;
    if (what === 'in' || what === 'out') usb.plug(what === 'in');
    else usb.open(what === 'open');
    return 'done';
  }

  tellChip(what, bytes) {
    const { chip } = this;
    if (what === 'hang') chip.hang();
    else if (what === 'power') chip.switchOffAndOn();
    else chip.rom.lasts = Number(bytes);
    return 'done';
  }

  tellGdb(what) {
    if (what === 'come') this.gdb.come();
    else if (what === 'go') this.gdb.go();
    else this.gdb.hear(bytesOf(what));
    return `gdb ${this.chip.isHalted ? 'halted' : 'runs'} ${this.gdb.take()}`;
  }

  tellLights() {
    this.lights.latch(this.chip.nanos);
    const { chains, bad } = this.lights;
    const colours = this.trellis ? this.trellis.colours() : this.lights.colours;
    return `lights ${this.trellis?.shows ?? chains} ${bad} ${Buffer.from(colours.flat()).toString('hex') || '-'}`;
  }

  tellMoments() {
    const { moved, lows } = this.matrix;
    return ['moments', ...this.lights.moments, moved, ...lows].join(' ');
  }

  tellLoad() {
    const { chip, matrix } = this;
    const answer = ['load', ...[chip.awake, matrix.scans, matrix.longest].map(Math.round)];
    chip.awake = 0;
    matrix.forgetScans();
    return answer.join(' ');
  }

  tellDisplay() {
    const words = this.display.characters().map((bits) => bits.toString(16).padStart(4, '0'));
    return `display ${words.join('')}`;
  }

  /// Writes what happens at the pins into this file, or stops writing.
  record(path) {
    this.edges?.write(this.chip.nanos, true);
    const level = (name, number) => {
      const pin = this.chip.mcu.gpio[number];
      return [name, name.startsWith('row') ? pin.rawInputValue : isHigh(pin)];
    };
    const levels = new Map([...this.signals].map(([name, number]) => level(name, number)));
    this.edges = path === '-' ? undefined : new Edges(path, levels, this.chip.nanos);
    return 'done';
  }

  break(words) {
    this.matrix.break(words);
    return 'done';
  }

  tellPins() {
    const { gpio, uart } = this.chip.mcu;
    return ['pins', uart[0].baudRate, ...gpio.map((pin) => pin.functionSelect)].join(' ');
  }

  set(line, row, isClosed) {
    (this.trellis ?? this.matrix).set(Number(line), Number(row), isClosed);
    return 'done';
  }

  plug(number, where) {
    const [, tile] = this.trellis.devices[Number(number)];
    tile.isOut = where === 'out';
    if (!tile.isOut) tile.reset();
    return 'done';
  }

  obey([word, ...rest]) {
    switch (word) {
      case 'run': return this.run(...rest);
      case 'close': return this.set(...rest, true);
      case 'open': return this.set(...rest, false);
      case 'ground': return this.matrix.ground(Number(rest[0]), rest[1] === '1') ?? 'done';
      case 'tile': return this.plug(...rest);
      case 'usb': return this.tellUsb(...rest);
      case 'hang': case 'power': case 'cut': return this.tellChip(word, ...rest);
      case 'gdb': return this.tellGdb(...rest);
      case 'lights': return this.tellLights();
      case 'moments': return this.tellMoments();
      case 'load': return this.tellLoad();
      case 'display': return this.tellDisplay();
      case 'beeper': return `beeper ${this.beeper.hertz(this.chip.nanos)}`;
      case 'fault': return this.break(rest);
      case 'edges': return this.record(rest.join(' '));
      case 'pins': return this.tellPins();
      default: throw new Error(`there is no command ${word}`);
    }
  }
}

/// Reads the lines of the standard input as they arrive.
function* lines() {
  const buffer = Buffer.alloc(65536);
  let rest = '';
  for (;;) {
    let length;
    try {
      length = readSync(0, buffer);
    } catch (error) {
      if (error.code === 'EAGAIN') continue;
      if (error.code === 'EOF') return;
      throw error;
    }
    if (length === 0) return;
    const parts = (rest + buffer.toString('latin1', 0, length)).split('\n');
    rest = parts.pop();
    yield* parts;
  }
}

function say(line) {
  const bytes = Buffer.from(`${line}\n`);
  for (let at = 0; at < bytes.length; ) at += writeSync(1, bytes, at);
}

try {
  const [image, ...wired] = process.argv.slice(2);
  const [pins, tiles] = wired.map((words) => words.split(',').map(Number));
  const board = new Board(image, pins, tiles);
  for (const line of lines()) say(board.obey(line.trim().split(' ')));
} catch (error) {
  say(`error ${error.message.replaceAll('\n', ' ')}`);
  process.exitCode = 1;
}
