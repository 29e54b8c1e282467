// Two people play in two browsers, and a third watches: three pages, the relay at RELAY, and
// a line to it for each of them that can be cut.

import assert from "node:assert/strict";
import { connect, createServer } from "node:net";
import { test } from "node:test";
import { FOREVER_MS, legal, open, point, says, state } from "./opened.mjs";

/** A line to the relay, by its own address: whoever uses it can be cut off. */
async function ownLine() {
  const [host, port] = process.env.RELAY.split(":");
  const sockets = new Set();
  let isCut = false;
  const server = createServer((near) => {
    if (isCut) {
      near.destroy();
      return;
    }
    const far = connect(Number(port), host);
    for (const [one, other] of [[near, far], [far, near]]) {
      sockets.add(one);
      one.on("error", () => other.destroy());
      one.on("close", () => {
        sockets.delete(one);
        other.destroy();
      });
      one.pipe(other);
    }
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  return {
    address: `ws://127.0.0.1:${server.address().port}/`,
    cut() {
      isCut = true;
      sockets.forEach((socket) => socket.destroy());
    },
    mend() {
      isCut = false;
    },
    close() {
      this.cut();
      server.close();
    },
  };
}

const table = (page) => page.evaluate(() => JSON.parse(document.documentElement.dataset.table));

/** Waits until the sentence about the table has these words. */
const tableSays = (page, words) => page.waitForFunction(
  (words) => document.getElementById("table-state").textContent.includes(words),
  words,
);

/** The part of a link after the page's address, through another line. */
function through(link, line) {
  const address = new URL(link);
  address.searchParams.set("relay", line.address);
  return address.search + address.hash;
}

const labels = (page) => page.locator("#points button").evaluateAll(
  (buttons) => buttons.map((button) => button.getAttribute("aria-label").replace(/, a move$/, "")),
);

/** Waits until two pages show the same. */
async function showTheSame(one, other) {
  for (;;) {
    const [first, second] = [await labels(one), await labels(other)];
    if (JSON.stringify(first) === JSON.stringify(second)) {
      return;
    }
    await new Promise((done) => { setTimeout(done, 50); });
  }
}

const touch = (page, name) => page.evaluate(
  (name) => globalThis.touchboard.request(JSON.stringify({ touch: name })),
  name,
);

/** Makes the first legal move of whoever is to move, and waits until both see it. */
async function move(own, other) {
  const name = await legal(own).first().textContent();
  const before = await point(own, name).getAttribute("aria-label");
  await touch(own, name);
  for (const page of [own, other]) {
    await page.waitForFunction(([name, before]) => {
      const buttons = [...document.querySelectorAll("#points button")];
      const button = buttons.find((button) => button.textContent === name);
      return button.getAttribute("aria-label") !== before;
    }, [name, before]);
  }
  return name;
}

test("two pages play a game, one is cut off and comes back, and a third one watches", { timeout: FOREVER_MS * 4 }, async () => {
  const lines = await Promise.all([ownLine(), ownLine(), ownLine()]);
  const green = await open("?game=tic-tac-toe");
  await says(green.page, "Start");
  await green.page.locator("#with-somebody").click();
  await green.page.waitForFunction(() => document.getElementById("table-relay").value !== "");
  await green.page.locator("#table-relay").fill(lines[0].address);
  await green.page.locator("#table-open").click();
  await tableSays(green.page, "red is not here: the board's time waits");
  const [play, watch] = await Promise.all(["#table-play", "#table-watch"].map(
    (field) => green.page.locator(field).inputValue(),
  ));
  assert.match(play, /#key=[0-9a-f]{32}$/);
  assert.notEqual(new URL(play).hash, new URL(watch).hash);

  const red = await open(through(play, lines[1]));
  await tableSays(red.page, "You play red");
  const third = await open(through(watch, lines[2]));
  await tableSays(third.page, "You watch");
  await tableSays(green.page, "one person watches");
  assert.equal(await third.page.locator("#table-links").isHidden(), true);

  await green.page.locator("#buttons button", { hasText: "Start" }).press("Enter");
  for (const { page } of [green, red, third]) {
    await legal(page).first().waitFor({ state: "attached" });
  }
  // It is green's turn: neither red nor the watcher can touch.
  const wanted = await legal(third.page).first().textContent();
  const before = await labels(green.page);
  await touch(third.page, wanted);
  await touch(red.page, wanted);
  await move(green.page, red.page).then((name) => assert.equal(name, wanted));
  assert.equal((await labels(green.page)).filter((label, at) => label !== before[at]).length, 1);
  await move(red.page, green.page);

  // Green is cut off in red's and in green's turn; what red touches meanwhile is kept.
  await move(green.page, red.page);
  lines[0].cut();
  await tableSays(green.page, "The line is lost");
  await tableSays(red.page, "green is not here: the board's time waits");
  await tableSays(third.page, "green is not here");
  const meanwhile = await legal(red.page).first().textContent();
  await touch(red.page, meanwhile);
  lines[0].mend();
  await tableSays(green.page, "You play green; one person watches.");
  const taken = await point(red.page, meanwhile).getAttribute("aria-label");
  await green.page.waitForFunction(
    (taken) => [...document.querySelectorAll("#points button")].some(
      (button) => button.getAttribute("aria-label") === taken,
    ),
    taken,
  );

  // The game goes on to its end, which all three are told.
  const turns = [green.page, red.page];
  for (let count = 0; count < 20 && await legal(green.page).count() > 0; count += 1) {
    const own = (await state(green.page)).includes("green to move") ? 0 : 1;
    await move(turns[own], turns[1 - own]);
  }
  const end = await state(green.page);
  assert.doesNotMatch(end, /to move/);
  for (const { page } of [red, third]) {
    await says(page, end);
    await showTheSame(green.page, page);
  }

  // The boards are equal, digest by digest.
  const now = (await table(green.page)).same?.[0] ?? 0;
  for (const { page } of [green, red, third]) {
    await page.waitForFunction(
      (now) => (JSON.parse(document.documentElement.dataset.table).same?.[0] ?? 0) > now,
      now,
    );
    assert.equal((await table(page)).over, false);
  }
  for (const one of [green, red, third]) {
    // A line that is cut is an error in the console, and the only one.
    const errors = one.errors.filter((error) => !error.includes("WebSocket connection"));
    assert.deepEqual(errors, []);
    await one.close();
  }
  lines.forEach((line) => line.close());
});

test("a page that is loaded again has its seat, and a link that is none says so", { timeout: FOREVER_MS * 2 }, async () => {
  const line = await ownLine();
  const green = await open("?game=reversi&level=0");
  await green.page.locator("#with-somebody").click();
  await green.page.locator("#table-relay").fill(line.address);
  await green.page.locator("#table-open").click();
  await tableSays(green.page, "You play green");
  await green.page.reload();
  await green.page.waitForFunction(() => document.documentElement.dataset.lit);
  await tableSays(green.page, "You play green");
  const wrong = new URL(green.page.url());
  const damaged = await open(wrong.search + wrong.hash.replace(/..$/, "00"));
  await tableSays(damaged.page, "There is no such table");
  assert.equal((await table(damaged.page)).over, true);
  assert.deepEqual([...green.errors, ...damaged.errors], []);
  await green.close();
  await damaged.close();
  line.close();
});
