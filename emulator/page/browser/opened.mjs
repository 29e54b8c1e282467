// A browser for a file of tests, and what its tests do with a page: it is opened, and its
// board is read in words.

import { after, before } from "node:test";
import { chromium } from "playwright-core";

const PAGE = process.env.PAGE;
export const FOREVER_MS = 300_000;

let browser;
before(async () => {
  browser = await chromium.launch({
    executablePath: process.env.BROWSER,
    args: ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"],
  });
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
