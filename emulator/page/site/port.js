// A board at a serial port. The program holds the conversation with it; this script opens
// the port, and carries the bytes in both directions.
//
// The program numbers its lines: it wants line 1 to be open, and line 2 after line 1 has
// ended. So bytes of a line that has ended are not taken for those of the next one.

import { connect, find, notice, request } from "./board.js";

/** The speed of the boards' serial lines. One with USB of its own has no speed. */
const BAUD = 115_200;
/** The longest time that a timer may wait; longer ones are set again. */
const LONGEST_MS = 60_000;

let program = null;
/** The port that the user chose. */
let chosen = null;
/** The line that is open: its number, its port, its reader and its writer. */
let line = null;
/** The number of the last line that was opened or could not be. */
let tried = 0;
let timer = null;
let isServing = false;
let isShown = false;

function describe(port) {
  const { usbVendorId: vendor, usbProductId: product } = port.getInfo();
  const hex = (number) => number.toString(16).padStart(4, "0");
  return vendor === undefined ? "the serial port" : `USB ${hex(vendor)}:${hex(product)}`;
}

/** The port of the chosen board, which may be another one after it was plugged in again. */
async function present() {
  const ports = await navigator.serial.getPorts();
  const is = describe(chosen);
  const port = ports.includes(chosen) ? chosen : ports.find((port) => describe(port) === is);
  if (!port) {
    throw new Error("it is not plugged in");
  }
  chosen = port;
  return port;
}

/** Notes that a line has ended, unless that is known. */
function ended(which, why) {
  if (!which.hasEnded) {
    which.hasEnded = true;
    program.line_end(which.number, why);
  }
}

/** Brings what comes on a line until it ends. */
async function read(which) {
  while (which.port.readable && !which.isClosing) {
    which.reader = which.port.readable.getReader();
    try {
      for (;;) {
        const { value, done } = await which.reader.read();
        if (done) {
          break;
        }
        program.line_bring(which.number, value);
        goOn();
      }
    } catch (error) {
      if (which.port.readable) {
        // Bytes were damaged or lost on the way, and the port goes on: what was lost is
        // asked for again.
        notice(`The port lost bytes (${error.name}): they are asked for again.`);
      } else {
        which.why = error.message;
      }
    } finally {
      which.reader.releaseLock();
    }
  }
  if (!which.isClosing) {
    ended(which, which.why ?? "the port has closed");
    goOn();
  }
}

/** Sends what waits, as fast as the port takes it. */
async function write() {
  const which = line;
  if (which === null || which.isWriting || which.hasEnded) {
    return;
  }
  which.isWriting = true;
  try {
    for (;;) {
      const bytes = program.line_take(which.number);
      if (bytes.length === 0) {
        break;
      }
      await which.writer.write(bytes);
    }
  } catch (error) {
    ended(which, error.message);
  }
  which.isWriting = false;
}

async function open(number) {
  tried = number;
  try {
    const port = await present();
    await port.open({ baudRate: BAUD, bufferSize: 4096 });
    line = { number, port, writer: port.writable.getWriter() };
    line.reading = read(line);
  } catch (error) {
    program.line_end(number, error.message);
  }
}

/** Closes the line; the port is free afterwards, if it is still there. */
async function close() {
  const which = line;
  which.isClosing = true;
  const quietly = async (work) => {
    try {
      await work();
    } catch {
      // What has been unplugged cannot be closed.
    }
  };
  await quietly(() => which.reader?.cancel());
  await quietly(() => which.reading);
  await quietly(() => which.writer.abort());
  await quietly(() => which.writer.releaseLock());
  await quietly(() => which.port.close());
  line = null;
}

/** Opens and closes lines until the one that the program wants is open. */
async function serve() {
  if (isServing) {
    return;
  }
  isServing = true;
  for (;;) {
    const wanted = program.line_wanted();
    if (line !== null && line.number !== wanted) {
      await close();
    } else if (line === null && wanted !== undefined && wanted !== tried) {
      await open(wanted);
    } else {
      break;
    }
  }
  isServing = false;
}

/** Does all that can be done now, and comes back when more can be. */
async function goOn() {
  clearTimeout(timer);
  const wait = program.line_go_on();
  if (wait !== undefined) {
    timer = setTimeout(goOn, Math.min(wait, LONGEST_MS));
  }
  await serve();
  await write();
}

async function choose() {
  try {
    chosen = await navigator.serial.requestPort();
  } catch (error) {
    const why = error.name === "NotFoundError" ? "no port was chosen" : error.message;
    notice(`No board is connected: ${why}.`);
    return;
  }
  request({ connect: describe(chosen) });
  find("board").focus();
}

/** Says how the connection is: where the board is, and whether it does what its twin does. */
function words({ port, board, why_not: whyNot, compared, differs, restarted }) {
  if (port === null) {
    return "";
  }
  if (whyNot !== null) {
    return `Board at ${port}: ${whyNot}`;
  }
  if (board === null) {
    return `Board at ${port}: looking for it`;
  }
  const agrees = compared > 0 ? "agrees with its twin" : "not compared yet";
  const twin = differs === null ? agrees : `differs: ${differs}`;
  const again = restarted === null ? "" : `, restarted after tick ${restarted}`;
  return `Board at ${port}, ${board}${again}: ${twin}`;
}

/** Connects the button for boards at a port, or says which browsers have it. */
export function connectPort(loaded) {
  program = loaded;
  const hasPorts = "serial" in navigator;
  find("connect-board").hidden = !hasPorts;
  find("no-serial").hidden = hasPorts;
  if (!hasPorts) {
    return;
  }
  find("connect-board").addEventListener("click", () => {
    if (isShown) {
      request("disconnect");
    } else {
      choose();
    }
  });
  connect("line", goOn);
  connect("connection", (connection) => {
    isShown = connection.port !== null;
    find("connect-board").textContent = isShown ? "Disconnect the board" : "Connect a board";
    find("connection").hidden = !isShown;
    const told = words(connection);
    if (find("connection").textContent !== told) {
      find("connection").textContent = told;
    }
  });
  navigator.serial.addEventListener("disconnect", (event) => {
    if (line !== null && event.target === line.port) {
      ended(line, "it was unplugged");
      goOn();
    }
  });
  // The conversation looks for the board again and again; now it finds it.
  navigator.serial.addEventListener("connect", goOn);
}
