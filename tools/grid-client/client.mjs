// A program that plays a monome grid by a library of somebody else, which finds it through
// serialosc's port. It lights a few lamps in each way that the library has, and then says
// which keys move:
//
//   grid ID COLUMNS ROWS
//   lit                       all that it lights was sent
//   key X Y 0|1
//
// Started as: node client.mjs PORT. It ends with its standard input.

import { createSocket } from 'node:dgram';
import serialosc from 'serialosc';

const HOST = '127.0.0.1';
/// A request without an answer is repeated after this time: a message may arrive before
/// its socket exists.
const AGAIN_MS = 200;

/// A free port.
function freePort() {
  return new Promise((resolve) => {
    const socket = createSocket('udp4');
    socket.bind(0, HOST, () => {
      const { port } = socket.address();
      socket.close(() => resolve(port));
    });
  });
}

const say = (...words) => process.stdout.write(`${words.join(' ')}\n`);

/// Lights something by each kind of message.
function light(grid) {
  grid.all(1);
  grid.map(0, 0, new Array(8).fill(0));
  grid.levelMap(8, 0, Array.from({ length: 64 }, (_, at) => at % 16));
  grid.row(0, 1, 0b1000_0001, 0b11);
  grid.col(2, 0, 0b0001_1000);
  grid.levelRow(8, 2, [1, 2, 3, 4, 5, 6, 7, 8]);
  grid.levelCol(7, 0, [0, 15, 9, 10, 11, 12, 13, 14]);
  grid.levelSet(14, 7, 5);
  grid.set(15, 7, 1);
  say('lit');
}

/// Repeats a request until it is answered.
function ask(what) {
  what();
  return setInterval(what, AGAIN_MS);
}

const [port, own, forKeys] = [Number(process.argv[2]), await freePort(), await freePort()];
serialosc.once('device:add', (grid) => {
  clearInterval(searching);
  grid.port = forKeys;
  grid.start();
  const asking = ask(() => grid.oscEmitter.emit('/sys/port', { type: 'integer', value: forKeys }));
  grid.on('initialized', () => {
    clearInterval(asking);
    say('grid', grid.id, grid.sizeX, grid.sizeY);
    grid.on('key', ({ x, y, s }) => say('key', x, y, s));
    light(grid);
  });
});
serialosc.start({ host: HOST, port: own, serialoscHost: HOST, serialoscPort: port, startDevices: false });
const searching = ask(() => serialosc.serialoscEmitter.emit('/serialosc/list', HOST, own));
process.stdin.on('end', () => process.exit(0));
process.stdin.resume();
