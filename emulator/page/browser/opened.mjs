// A browser for a file of tests, and what its tests do with a page: it is opened, and its
// board is read in words.

import { after, before } from "node:test";
import { chromium } from "playwright-core";

const PAGE = process.env.PAGE;
export const FOREVER_MS = 300_000;

/** The browser's flags, to which a file of tests may add. */
export const flags = ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"];

let browser;
before(async () => {
  browser = await chromium.launch({ executablePath: process.env.BROWSER, args: flags });
});
after(() => browser?.close());

/** A page on which the board is lit, what it reported, and the errors of its console.
 * `prepare` is called before the page is loaded. */
export async function open(address = "", options = {}, prepare = async () => {}) {
  const context = await browser.newContext({ viewport: { width: 640, height: 480 }, ...options });
  const page = await context.newPage();
  await prepare(page);
  page.setDefaultTimeout(FOREVER_MS);
  const errors = [];
  page.on("pageerror", (error) => {
    if (!error.message.includes("Using exceptions for control flow")) {
      errors.push(error.message);
    }
  });
  page.on("console", (line) => line.type() === "error" && errors.push(line.text()));
  await page.goto(PAGE + address);
  await page.waitForFunction(() => document.documentElement.dataset.lit);
  return { page, errors, close: () => context.close() };
}

export const point = (page, name) => page.locator(`#points button[aria-label^="${name}: "]`);
export const legal = (page) => page.locator("#points button.legal");
export const state = (page) => page.locator("#state").textContent();

/** Waits until the board says something that fits. */
export const says = (page, words) => page.waitForFunction(
  (words) => document.getElementById("state").textContent.includes(words),
  words,
);

/** How many pixels of a picture of the page are bright and coloured. */
export async function colouredPixels(page) {
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
