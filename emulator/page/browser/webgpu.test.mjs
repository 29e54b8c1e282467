// The program that draws with WebGPU, if the page was built with it (`--webgpu`), in a browser
// whose device is the processor.

import assert from "node:assert/strict";
import { test } from "node:test";
import { colouredPixels, flags, FOREVER_MS, legal, open, state } from "./opened.mjs";

flags.push(
  "--enable-unsafe-webgpu",
  "--enable-features=Vulkan,WebGPU",
  "--use-webgpu-adapter=swiftshader",
  "--use-vulkan=swiftshader",
);

const parts = await (await fetch(`${process.env.PAGE}parts.js`)).text();
const skip = parts.includes("page_webgpu_bg.wasm") ? false : "the page was built without WebGPU";
const program = (page) => page.evaluate(() => document.documentElement.dataset.program);

test("WebGPU draws where the browser has it", { timeout: FOREVER_MS * 2, skip }, async () => {
  const { page, errors, close } = await open("?game=tic-tac-toe");
  assert.equal(await program(page), "page_webgpu");
  assert.match(await state(page), /Tic-Tac-Toe/);
  const dark = await colouredPixels(page);
  await page.locator("#board").press("n");
  await legal(page).first().waitFor({ state: "attached" });
  assert.ok(await colouredPixels(page) > dark + 100, "a game that began lights no lamps");
  assert.deepEqual(errors, []);
  await close();
});

test("a link can ask for WebGL 2", { timeout: FOREVER_MS * 2, skip }, async () => {
  const { page, errors, close } = await open("?draw=webgl2");
  assert.equal(await program(page), "page");
  assert.deepEqual(errors, []);
  await close();
});
