// One tile on a bus without a chip, for a program written by others. It reads one command
// per line and answers each with one line:
//
//   write HEX                 sends a message to the tile -> heard or refused
//   read COUNT                reads this many bytes from the tile -> HEX, or refused
//   pass NANOSECONDS          advances the time -> done
//   set KEY 0|1               releases (0) or presses (1) a key -> done
//   shown                     -> HEX: red, green and blue of each light
//
// Usage: node tile_bus.mjs

import { createInterface } from 'node:readline';
import { Tile } from './tile.mjs';

let now = 0;
let deeds = [];
const later = (nanos, what) => deeds.push({ at: now + nanos, what });
const tile = new Tile(() => now, later);

function pass(nanos) {
  const end = now + nanos;
  deeds.sort((one, other) => one.at - other.at);
  for (const { at, what } of deeds.filter(({ at }) => at <= end)) {
    now = at;
    what();
  }
  deeds = deeds.filter(({ at }) => at > end);
  now = end;
}

function write(bytes) {
  pass(tile.holds());
  if (!tile.begin(false)) return 'refused';
  for (const byte of bytes) tile.take(byte);
  tile.end();
  return 'heard';
}

function read(count) {
  pass(tile.holds());
  if (!tile.begin(true)) return 'refused';
  const bytes = Array.from({ length: count }, () => tile.give());
  tile.end();
  return Buffer.from(bytes).toString('hex');
}

function obey([word, ...rest]) {
  switch (word) {
    case 'write': return write(Buffer.from(rest[0], 'hex'));
    case 'read': return read(Number(rest[0]));
    case 'pass': return pass(Number(rest[0])) ?? 'done';
    case 'set': return tile.set(Number(rest[0]), rest[1] === '1') ?? 'done';
    case 'shown': return Buffer.from(tile.shown.flat()).toString('hex');
    default: throw new Error(`there is no command ${word}`);
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  process.stdout.write(`${obey(line.split(' '))}\n`);
}
