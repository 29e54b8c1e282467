// Connects real boards and a Launchpad to the page: the board is the program
// `virtual-board`, whose bytes come through a simulated serial port.

import assert from "node:assert/strict";
import { test } from "node:test";
import { FOREVER_MS, legal, open, says } from "./opened.mjs";
import { startBoard, withLaunchpad, withPort } from "./ports.mjs";

const LIMIT = { timeout: FOREVER_MS * 2 };

/** Waits until the connection is described by words that fit. */
const connection = (page, words) => page.waitForFunction(
  (words) => document.getElementById("connection").textContent.includes(words),
  words,
);

const points = (page, count) => page.waitForFunction(
  (count) => document.querySelectorAll("#points button").length === count,
  count,
);

const labels = (page) => page.locator("#points button").evaluateAll(
  (buttons) => buttons.map((button) => button.getAttribute("aria-label")),
);

/** Waits until the moves are those of this position: the board sends its lights before the
 * points that may be touched, and the point of the last move is none of them. */
const settled = (page) => page.waitForFunction(() => {
  const labels = [...document.querySelectorAll("#points button")]
    .map((button) => button.getAttribute("aria-label"));
  return labels.some((label) => label.endsWith(", a move"))
    && !labels.some((label) => label.includes("the last move, a move"));
});

/** How many stones are on the board. */
const stones = async (page) => (await labels(page)).filter((label) => /green|red/.test(label)).length;

const request = (page, wanted) => page.evaluate(
  (json) => globalThis.touchboard.request(json),
  JSON.stringify(wanted),
);

/** Touches the first legal point, and returns its name. */
async function move(page) {
  await legal(page).first().waitFor({ state: "attached" });
  const name = await legal(page).first().textContent();
  await request(page, { touch: name });
  return name;
}

/** A page with this board at its port, connected. */
async function connected(board) {
  let cable;
  const opened = await open("", {}, async (page) => { cable = await withPort(page, board); });
  await opened.page.locator("#connect-board").click();
  await connection(opened.page, "agrees with its twin");
  return { ...opened, cable };
}

test("a board at a port appears, is played on, and is let go", LIMIT, async () => {
  const board = await startBoard(["--layout", "8x8"]);
  const { page, errors, close } = await connected(board);
  await points(page, 64);
  await connection(page, "USB 2e8a:000a, virtual");
  await request(page, { press: "start" });
  const name = await move(page);
  await says(page, "red to move");
  const touched = page.locator(`#points button[aria-label^="${name}: "]`);
  assert.match(await touched.getAttribute("aria-label"), /green/);
  await page.locator("#connect-board", { hasText: "Disconnect" }).click();
  // The page's own board has as many points, and no game is on it.
  await page.locator("#connection").waitFor({ state: "hidden" });
  await page.waitForFunction(() => ![...document.querySelectorAll("#points button")]
    .some((button) => /green|red/.test(button.getAttribute("aria-label"))));
  await points(page, 64);
  // The port is free again: another host gets the board.
  await page.locator("#connect-board").click();
  await points(page, 64);
  await says(page, "red to move");
  assert.deepEqual(errors, []);
  await close();
  await board.stop();
});

test("a cable that is pulled out in the middle of a game loses nothing", LIMIT, async () => {
  const board = await startBoard();
  const { page, errors, close, cable } = await connected(board);
  await request(page, { press: "start" });
  await move(page);
  await says(page, "red to move");
  await settled(page);
  const before = await labels(page);
  await cable.unplug();
  await connection(page, "plugged");
  await cable.plugIn();
  await connection(page, "agrees with its twin");
  await says(page, "red to move");
  await settled(page);
  assert.deepEqual(await labels(page), before);
  // And in the middle of a move, which is on the board or is not.
  await move(page);
  await cable.unplug();
  await connection(page, "plugged");
  await cable.plugIn();
  await connection(page, "agrees with its twin");
  for (let left = 2; left > 0; left -= 1) {
    const count = await stones(page);
    assert.ok(count >= 5, `${count} stones`);
    while (await stones(page) === count) {
      await move(page);
      await page.evaluate(() => new Promise(requestAnimationFrame));
    }
  }
  assert.doesNotMatch(await page.locator("#connection").textContent(), /differs/);
  assert.deepEqual(errors, []);
  await close();
  await board.stop();
});

test("a board that was switched off and on is told, and looked for again", LIMIT, async () => {
  const first = await startBoard();
  const { page, errors, close } = await connected(first);
  await request(page, { press: "start" });
  await move(page);
  await says(page, "red to move");
  await first.stop();
  const second = await startBoard([], first.port);
  await connection(page, "restarted after tick");
  await connection(page, "agrees with its twin");
  assert.deepEqual(errors, []);
  await close();
  await second.stop();
});

test("a board with a wrong rule differs, and the first difference is named", LIMIT, async () => {
  const board = await startBoard(["--break-rule"]);
  const { page, errors, close } = await connected(board);
  await request(page, { press: "start" });
  await move(page);
  await says(page, "red to move");
  for (let row = 1; row <= 9; row += 1) {
    await request(page, { touch: `e${row}` });
  }
  await connection(page, "differs: tick");
  assert.deepEqual(errors, []);
  await close();
  await board.stop();
});

test("a Launchpad's keys are the board's, and its lamps what the board shows", LIMIT, async () => {
  const { page, errors, close } = await open("?game=reversi&level=0", {}, withLaunchpad);
  const press = async (status, key) => {
    const call = (message) => globalThis.launchpad.press(message);
    await page.evaluate(call, [status, key, 127]);
    await page.evaluate(call, [status, key, 0]);
  };
  const sent = (begin) => page.evaluate(
    (begin) => globalThis.launchpad.sent.filter(
      (message) => begin.every((byte, at) => message[at] === byte),
    ),
    [0xF0, 0x00, 0x20, 0x29, 0x02, 0x0C, ...begin],
  );
  await page.locator("#connect-panel").click();
  await page.waitForFunction(() => globalThis.launchpad.sent.some((message) => message[6] === 0x03));
  assert.equal((await sent([0x0E, 1])).length, 1, "it is switched to programmer mode once");
  // The upper key at the right is Start.
  await press(0xB0, 89);
  await legal(page).first().waitFor({ state: "attached" });
  const name = await legal(page).first().textContent();
  const column = name.charCodeAt(0) - "a".charCodeAt(0);
  const pad = 10 * (Number(name.slice(1)) - 1) + column + 1;
  await press(0x90, pad);
  await says(page, "red to move");
  // All lamps in one message: of the kind that is followed by red, green and blue.
  const isGreen = (pad) => {
    const last = globalThis.launchpad.sent.filter((message) => message[6] === 0x03).at(-1);
    for (let at = 7; at + 4 < last.length; at += 5) {
      if (last[at + 1] === pad) {
        return last[at] === 3 && last[at + 2] === 0 && last[at + 3] === 127 && last[at + 4] === 0;
      }
    }
    return false;
  };
  await page.waitForFunction(isGreen, pad);
  await page.locator("#connect-panel", { hasText: "Disconnect" }).click();
  assert.equal((await sent([0x0E, 0])).length, 1, "it is left in live mode");
  assert.deepEqual(errors, []);
  await close();
});

test("a browser without ports says which ones have them", LIMIT, async () => {
  const { page, errors, close } = await open("", {}, (page) => page.addInitScript(() => {
    delete Navigator.prototype.serial;
    delete Navigator.prototype.requestMIDIAccess;
  }));
  await page.locator("#no-serial", { hasText: "Chrome, Edge or Opera" }).waitFor();
  await page.locator("#no-midi", { hasText: "Firefox" }).waitFor();
  assert.equal(await page.locator("#connect-board").isHidden(), true);
  assert.deepEqual(errors, []);
  await close();
});
