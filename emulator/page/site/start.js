// Loads the board with its progress, and connects it with the document.

import { texts } from "./texts.js";
import { connect, find } from "./board.js";
import { openFromLink } from "./link.js";
import { connectEditor } from "./editor.js";
import { connectWords } from "./words.js";
import { connectFiles } from "./files.js";
import { connectTable, joinFromLink } from "./table.js";
import { connectPort } from "./port.js";
import { connectPanel } from "./panel.js";

/** Says what is being done while the board is not lit, as a share of all, 0 to 1. */
function progress(words, share) {
  find("stage-of-loading").textContent = words;
  if (share === null) {
    find("progress").removeAttribute("value");
  } else {
    find("progress").value = share;
  }
}

function fail(words) {
  find("loading").classList.add("failed");
  find("stage-of-loading").textContent = words;
  find("progress").hidden = true;
}

/** The name of the program for what can draw here: the one for WebGPU, if the site has it and
 * the browser a device for it; else the one for WebGL 2, which `?draw=webgl2` asks for. */
async function chosenProgram() {
  const isWanted = new URLSearchParams(location.search).get("draw") !== "webgl2";
  const isThere = "page_webgpu_bg.wasm" in touchboardParts.bytes;
  if (!isWanted || !isThere || !navigator.gpu) {
    return "page";
  }
  const adapter = await navigator.gpu.requestAdapter().catch(() => null);
  return adapter ? "page_webgpu" : "page";
}

/** Why no board can be drawn here by this program, or null. */
function missing(name) {
  if (typeof WebAssembly !== "object") {
    return "The board is a WebAssembly program, which this browser cannot run. Use a current version of Firefox, Chrome, Edge or Safari.";
  }
  if (name === "page" && !document.createElement("canvas").getContext("webgl2")) {
    return "The board is drawn with WebGL 2, which is off or missing here. Switch on hardware acceleration in the browser's settings, or use another browser.";
  }
  return null;
}

/** The program, with its progress: its size is known, whatever the server says of it. */
async function fetchProgram(file) {
  const response = await fetch(file);
  if (!response.ok) {
    throw new Error(`the server answers ${response.status} for ${file}`);
  }
  let loaded = 0;
  const counted = response.body.pipeThrough(new TransformStream({
    transform(chunk, controller) {
      loaded += chunk.byteLength;
      progress("Loading the board", Math.min(1, loaded / touchboardParts.bytes[file]));
      controller.enqueue(chunk);
    },
  }));
  return new Response(counted, { headers: { "Content-Type": "application/wasm" } });
}

async function start() {
  const name = await chosenProgram();
  document.documentElement.dataset.program = name;
  keepOffline(name);
  const why = missing(name);
  if (why) {
    fail(why);
    return;
  }
  connect("lit", () => {
    find("loading").hidden = true;
    document.documentElement.dataset.lit = String(Math.round(performance.now()));
  });
  connectWords();
  connectEditor(texts);
  connectFiles();
  connectTable();
  try {
    const program = await import(`./${name}.js`);
    const response = await fetchProgram(`${name}_bg.wasm`);
    progress("Starting the board", null);
    await program.default({ module_or_path: response });
    globalThis.touchboard = program;
    find("loading").classList.add("drawing");
    // From here on the canvas itself shows the progress of the first picture.
    find("loading").hidden = true;
    find("board").focus();
    connectPort(program);
    connectPanel(program);
    await openFromLink();
    joinFromLink();
  } catch (error) {
    // `main` is left by throwing a marker, which is not an error: the browser calls on.
    if (!String(error).includes("Using exceptions for control flow")) {
      fail(`The board could not be loaded: ${error.message ?? error}. Reload the page to try again.`);
      throw error;
    }
  }
}

/** Lets the browser keep the page with this program. */
function keepOffline(name) {
  if ("serviceWorker" in navigator && location.protocol !== "file:") {
    navigator.serviceWorker.register(`service-worker.js?program=${name}`).catch((error) => {
      console.warn(`The page will not work offline: ${error.message}`);
    });
  }
}

start();
