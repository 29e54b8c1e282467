// Boards and panels for a page in a browser without a window: the page's serial port is a
// connection to a real virtual board, and its MIDI port is a Launchpad of a few lines.

import { spawn } from "node:child_process";
import { connect } from "node:net";
import { createInterface } from "node:readline";

/** Starts a virtual board with these options, at this port of this computer. */
export async function startBoard(options = [], port = 0) {
  const program = spawn(
    process.env.VIRTUAL_BOARD,
    ["--no-pty", "--tcp", `127.0.0.1:${port}`, ...options],
    { stdio: ["ignore", "pipe", "inherit"] },
  );
  for await (const line of createInterface({ input: program.stdout })) {
    const found = /^tcp .*:(\d+)$/.exec(line);
    if (found) {
      const ended = new Promise((done) => { program.once("exit", done); });
      const stop = () => { program.kill(); return ended; };
      return { port: Number(found[1]), stop };
    }
  }
  throw new Error("the virtual board says no port");
}

/** The script's side of a serial port whose bytes pass through `cable...` functions. */
function simulateSerial() {
  const letters = (bytes) => btoa(String.fromCharCode(...bytes));
  const bytes = (letters) => Uint8Array.from(atob(letters), (letter) => letter.charCodeAt(0));
  const told = (kind, port) => {
    const event = new Event(kind);
    Object.defineProperty(event, "target", { value: port });
    serial.dispatchEvent(event);
  };
  class SimulatedPort {
    readable = null;
    writable = null;
    getInfo() {
      return { usbVendorId: 0x2E8A, usbProductId: 0x000A };
    }
    async open({ baudRate }) {
      if (!(baudRate > 0) || this.readable !== null) {
        throw new DOMException("The port is already open.", "InvalidStateError");
      }
      if (serial.port !== this) {
        throw new DOMException("Failed to open serial port.", "NetworkError");
      }
      this.line = await globalThis.cableOpen();
      this.readable = new ReadableStream({ start: (feed) => { this.feed = feed; } });
      this.writable = new WritableStream({
        write: (chunk) => globalThis.cableSend(this.line, letters(chunk)),
      });
    }
    async close() {
      if (this.readable?.locked || this.writable?.locked) {
        throw new TypeError("Cannot close a locked stream.");
      }
      this.readable = null;
      this.writable = null;
      await globalThis.cableClose(this.line);
    }
    lose() {
      const { feed } = this;
      this.readable = null;
      this.writable = null;
      feed?.error(new DOMException("The device has been lost.", "NetworkError"));
    }
  }
  class Serial extends EventTarget {
    port = new SimulatedPort();
    isAllowed = false;
    async requestPort() {
      this.isAllowed = true;
      return this.port;
    }
    async getPorts() {
      return this.isAllowed && this.port ? [this.port] : [];
    }
    unplug() {
      const { port } = this;
      this.port = null;
      port.lose();
      told("disconnect", port);
    }
    plugIn() {
      this.port = new SimulatedPort();
      told("connect", this.port);
    }
  }
  const serial = new Serial();
  Object.defineProperty(navigator, "serial", { value: serial });
  globalThis.cableBrings = (line, letters) => {
    const port = serial.port;
    if (port?.line === line && port.readable !== null) {
      port.feed.enqueue(bytes(letters));
    }
  };
}

/** Gives a page a serial port with this board, before it is loaded. */
export async function withPort(page, board) {
  const lines = new Map();
  let last = 0;
  await page.exposeFunction("cableOpen", async () => {
    const line = (last += 1);
    const socket = connect(board.port, "127.0.0.1");
    await new Promise((done, fail) => {
      socket.once("connect", done);
      socket.once("error", fail);
    });
    socket.on("error", () => socket.destroy());
    socket.on("data", (bytes) => {
      const call = ([line, letters]) => globalThis.cableBrings(line, letters);
      // A page that is being closed takes no more.
      page.evaluate(call, [line, bytes.toString("base64")]).catch(() => socket.destroy());
    });
    lines.set(line, socket);
    return line;
  });
  await page.exposeFunction("cableSend", (line, letters) => new Promise((done, fail) => {
    const sent = (error) => (error ? fail(error) : done());
    lines.get(line).write(Buffer.from(letters, "base64"), sent);
  }));
  await page.exposeFunction("cableClose", (line) => { lines.get(line)?.destroy(); });
  await page.addInitScript(simulateSerial);
  return {
    unplug: async () => {
      await page.evaluate(() => navigator.serial.unplug());
      lines.forEach((socket) => socket.destroy());
    },
    plugIn: () => page.evaluate(() => navigator.serial.plugIn()),
  };
}

/** A Launchpad X in programmer mode, as far as its manual says how it answers. */
function simulateMidi() {
  const layout = [0xF0, 0x00, 0x20, 0x29, 0x02, 0x0C, 0x00];
  const sent = [];
  const input = { name: "LPX MIDI", state: "connected", onmidimessage: null };
  const output = {
    name: "LPX MIDI",
    state: "connected",
    send: (message) => {
      if (message[0] !== 0xF0 || message.at(-1) !== 0xF7 || message.slice(1, -1).some((byte) => byte > 127)) {
        throw new TypeError("This is no system exclusive message.");
      }
      sent.push([...message]);
      if (message.length === 8 && layout.every((byte, at) => message[at] === byte)) {
        const answer = Uint8Array.from([...layout, 0x7F, 0xF7]);
        queueMicrotask(() => input.onmidimessage?.({ data: answer }));
      }
    },
  };
  const other = { name: "LPX DAW", state: "connected", send: () => { throw new TypeError("DAW"); } };
  const ports = (port) => new Map([["a", other], ["b", port]]);
  const access = { inputs: ports(input), outputs: ports(output), onstatechange: null };
  const requestMIDIAccess = async ({ sysex }) => {
    if (!sysex) {
      throw new DOMException("Without system exclusive messages.", "NotAllowedError");
    }
    return access;
  };
  Object.defineProperty(navigator, "requestMIDIAccess", { value: requestMIDIAccess });
  globalThis.launchpad = {
    sent,
    press: (message) => input.onmidimessage({ data: Uint8Array.from(message) }),
    unplug: () => {
      input.state = "disconnected";
      output.state = "disconnected";
      access.onstatechange({});
    },
  };
}

/** Gives a page a MIDI port with a Launchpad X, before it is loaded. */
export async function withLaunchpad(page) {
  await page.addInitScript(simulateMidi);
}
