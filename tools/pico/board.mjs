// The board of a Raspberry Pi Pico: an image on an emulated chip, and what is wired to
// its pins. One command a line comes in, one line of answer goes out:
//
//   run MICROSECONDS [HEX [HEX]]
//                             bytes arrive at UART0 and over USB, time passes
//                             -> ran MICROSECONDS HEX HEX: the time by now, bytes that
//                                it sent over UART0 and over USB
//   usb in|out|open|close     the cable is plugged in or pulled out, a program opens the
//                             port or closes it -> done
//   hang                      the image goes on with nothing -> done
//   power                     the power goes and comes -> done
//   cut BYTES                 the power goes and comes once so many bytes of flash were
//                             erased or written -> done
//   close LINE ROW            a contact of the matrix -> done
//   open LINE ROW             -> done
//   lights                    -> lights CHAINS BAD HEX: chains shown so far, bits that
//                                no data sheet allows, red, green and blue of the last
//   pins                      -> pins BAUD FUNCTION...: whose each pin is
//
// The time ends early when the chip has sent something and sleeps. `-` stands for no
// bytes. An image that cannot go on: `error SENTENCE`, and the end.
//
// Started as: node board.mjs IMAGE PINS, the pins as they are wired:
// lines-data,lines-clock,lines-latch,lights,first-row,rows.

import { readSync, writeSync } from 'node:fs';
import { GPIOPinState } from 'rp2040js';
import { Chip } from './chip.mjs';
import { Lights } from './lights.mjs';
import { Matrix } from './matrix.mjs';

const NS_PER_US = 1000;

const bytesOf = (hex) => Buffer.from(hex === '-' ? '' : hex, 'hex');

const isHigh = (pin) => pin.value === GPIOPinState.High;

class Board {
  constructor(image, [data, clock, latch, lights, firstRow, rows]) {
    this.lights = new Lights();
    this.matrix = new Matrix({ data, clock, latch, firstRow, rows });
    this.chip = new Chip(image, (mcu) => {
      this.matrix.connect(mcu.gpio, isHigh);
      this.lights.forget();
      const pin = mcu.gpio[lights];
      pin.addListener(() => this.lights.edge(isHigh(pin), this.chip.edge));
    });
  }

  run(us, hex = '-', usbHex = '-') {
    const { chip } = this;
    chip.feed(bytesOf(hex));
    chip.usb.feed(bytesOf(usbHex));
    chip.run(Number(us) * NS_PER_US);
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

  tellLights() {
    this.lights.latch(this.chip.nanos);
    const { chains, bad, colours } = this.lights;
    return `lights ${chains} ${bad} ${Buffer.from(colours.flat()).toString('hex') || '-'}`;
  }

  tellPins() {
    const { gpio, uart } = this.chip.mcu;
    return ['pins', uart[0].baudRate, ...gpio.map((pin) => pin.functionSelect)].join(' ');
  }

  set(line, row, isClosed) {
    this.matrix.set(Number(line), Number(row), isClosed);
    return 'done';
  }

  obey([word, ...rest]) {
    switch (word) {
      case 'run': return this.run(...rest);
      case 'close': return this.set(...rest, true);
      case 'open': return this.set(...rest, false);
      case 'usb': return this.tellUsb(...rest);
      case 'hang': case 'power': case 'cut': return this.tellChip(word, ...rest);
      case 'lights': return this.tellLights();
      case 'pins': return this.tellPins();
      default: throw new Error(`there is no command ${word}`);
    }
  }
}

/// The lines of the standard input, as they come.
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
  const [image, pins] = process.argv.slice(2);
  const board = new Board(image, pins.split(',').map(Number));
  for (const line of lines()) say(board.obey(line.trim().split(' ')));
} catch (error) {
  say(`error ${error.message.replaceAll('\n', ' ')}`);
  process.exitCode = 1;
}
