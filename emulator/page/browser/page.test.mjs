// Plays on the page in a real browser: `cargo xtask page --test` builds it, serves it, and
// runs this with the address in PAGE, the browser's program in BROWSER, and the folder of
// golden sessions in SESSIONS.
//
// Nothing here depends on how fast the machine is: the limits below only end a test that
// would wait forever.

import assert from "node:assert/strict";
import { readFile, readdir } from "node:fs/promises";
import { test } from "node:test";
import { FOREVER_MS, legal, open, point, says, state } from "./opened.mjs";

/** Clicks a point in the picture, as a hand does: the pointer is over it for two pictures
 * before the click. */
async function click(page, name) {
  const box = await point(page, name).boundingBox();
  const at = [box.x + box.width / 2, box.y + box.height / 2];
  await page.mouse.move(...at);
  await page.evaluate(() => new Promise((done) => {
    requestAnimationFrame(() => requestAnimationFrame(done));
  }));
  await page.mouse.click(...at);
}

/** How many pixels of a picture of the page are bright and coloured. */
async function colouredPixels(page) {
  const picture = await page.locator("#stage").screenshot();
  return page.evaluate(async (base64) => {
    const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
    const image = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
    const canvas = new OffscreenCanvas(image.width, image.height);
    const context = canvas.getContext("2d");
    context.drawImage(image, 0, 0);
    const { data } = context.getImageData(0, 0, image.width, image.height);
    let count = 0;
    for (let at = 0; at < data.length; at += 4) {
      const parts = [data[at], data[at + 1], data[at + 2]];
      count += Math.max(...parts) > 150 && Math.max(...parts) - Math.min(...parts) > 90;
    }
    return count;
  }, picture.toString("base64"));
}

test("the board is lit, and a whole game is played by clicks", { timeout: FOREVER_MS * 2 }, async () => {
  const { page, errors, close } = await open("?game=tic-tac-toe");
  assert.match(await state(page), /Tic-Tac-Toe/);
  const dark = await colouredPixels(page);
  await page.locator("#board").press("n");
  await legal(page).first().waitFor({ state: "attached" });
  assert.ok(await colouredPixels(page) > dark + 100, "a game that began lights no lamps");
  for (let move = 0; move < 400 && await legal(page).count() > 0; move += 1) {
    const name = (await legal(page).first().textContent());
    const before = await page.locator("#points").innerHTML();
    await click(page, name);
    await page.waitForFunction(
      (before) => document.getElementById("points").innerHTML !== before,
      before,
    );
  }
  assert.doesNotMatch(await state(page), /to move/);
  assert.deepEqual(errors, []);
  await close();
});

test("a link opens a game with its mode and level, and a wrong one says why not", async () => {
  const { page, errors, close } = await open("?game=malaka&mode=2&level=3");
  await says(page, "Malaka");
  await page.evaluate(() => globalThis.touchboard.request('{"game":{"name":"reversy"}}'));
  await page.locator("#notice", { hasText: "did you mean Reversi" }).waitFor();
  assert.deepEqual(errors, []);
  await close();
});

test("a text is edited: its error is shown, and once corrected it is played", async () => {
  const { page, errors, close } = await open();
  await page.locator("#edit").click();
  await says(page, "Tic-Tac-Toe");
  const text = await page.locator("#source").inputValue();
  await page.locator("#source").fill(text.replace("Line3Win", "Lime3Win"));
  await page.locator("#error", { hasText: "Lime3Win" }).waitFor();
  await page.locator("#source").fill(text);
  await page.locator("#error").waitFor({ state: "hidden" });
  await page.locator("#random-games").click();
  await page.locator("#result", { hasText: "1,000 games" }).waitFor();
  assert.deepEqual(errors, []);
  await close();
});

test("a session is saved, and opened again it replays to the same board", async () => {
  const { page, errors, close } = await open("?game=reversi&level=0");
  await page.locator("#board").press("n");
  await legal(page).first().waitFor({ state: "attached" });
  await click(page, await legal(page).first().textContent());
  await says(page, "red to move");
  const labels = (page) => page.locator("#points button").evaluateAll(
    (buttons) => buttons.map((button) => button.getAttribute("aria-label")),
  );
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.locator("#save-session").click(),
  ]);
  const text = await readFile(await download.path(), "utf8");
  assert.match(text.split("\n")[0], /"layout"/);
  const wanted = await labels(page);
  await page.locator("#session-file").setInputFiles({
    name: "game.session", mimeType: "application/jsonl", buffer: Buffer.from(text),
  });
  await page.waitForFunction((wanted) => {
    const buttons = [...document.querySelectorAll("#points button")];
    return JSON.stringify(buttons.map((button) => button.getAttribute("aria-label")))
      === JSON.stringify(wanted);
  }, wanted);
  assert.deepEqual(errors, []);
  await close();
});

test("the core does in a browser what every golden session recorded", async () => {
  const { page, errors, close } = await open();
  const files = (await readdir(process.env.SESSIONS)).filter((file) => file.endsWith(".session"));
  assert.ok(files.length > 40, `only ${files.length} sessions`);
  const digests = new Set();
  for (const file of files) {
    const session = await readFile(`${process.env.SESSIONS}/${file}`, "utf8");
    digests.add(await page.evaluate((session) => globalThis.touchboard.replay(session), session));
  }
  assert.equal(digests.size, files.length, "different games end alike");
  assert.deepEqual(errors, []);
  await close();
});

test("the page opens again without a line", async () => {
  const { page, errors, close } = await open();
  await page.evaluate(() => navigator.serviceWorker.ready);
  await page.reload();
  await page.waitForFunction(() => document.documentElement.dataset.lit);
  await page.context().setOffline(true);
  await page.reload();
  await page.waitForFunction(() => document.documentElement.dataset.lit);
  assert.deepEqual(errors, []);
  await close();
});

test("a phone's fingers play, and the picture fills the screen in both directions", async () => {
  const { page, errors, close } = await open("?game=reversi&level=0", {
    viewport: { width: 390, height: 780 }, hasTouch: true, isMobile: true, deviceScaleFactor: 1,
  });
  await page.evaluate(() => globalThis.touchboard.request('{"press":"start"}'));
  await legal(page).first().waitFor({ state: "attached" });
  const box = await legal(page).first().boundingBox();
  await page.touchscreen.tap(box.x + box.width / 2, box.y + box.height / 2);
  await says(page, "red to move");
  await page.setViewportSize({ width: 780, height: 390 });
  await page.waitForFunction(() => document.getElementById("board").clientWidth === 780);
  assert.deepEqual(errors, []);
  await close();
});

test("a screen reader hears what is on each point, and its keys play", async () => {
  const { page, errors, close } = await open("?game=reversi&level=0");
  await page.locator("#buttons button", { hasText: "Start" }).press("Enter");
  await legal(page).first().waitFor({ state: "attached" });
  const first = await legal(page).first().textContent();
  await page.locator("#points button[tabindex='0']").focus();
  const goal = await legal(page).first().evaluate((button) => [
    [...button.parentElement.children].indexOf(button),
    [...button.parentElement.parentElement.children].indexOf(button.parentElement),
  ]);
  for (let column = 0; column < goal[0]; column += 1) {
    await page.keyboard.press("ArrowRight");
  }
  for (let row = 0; row < goal[1]; row += 1) {
    await page.keyboard.press("ArrowDown");
  }
  assert.equal(await page.evaluate(() => document.activeElement.textContent), first);
  await page.keyboard.press("Enter");
  await says(page, "red to move");
  assert.deepEqual(errors, []);
  await close();
});
