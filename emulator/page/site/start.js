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

/** Why no board can be drawn here, or null. */
function missing() {
  if (typeof WebAssembly !== "object") {
    return "The board is a WebAssembly program, which this browser cannot run. Use a current version of Firefox, Chrome, Edge or Safari.";
  }
  if (!document.createElement("canvas").getContext("webgl2")) {
    return "The board is drawn with WebGL 2, which is off or missing here. Switch on hardware acceleration in the browser's settings, or use another browser.";
  }
  return null;
}

/** The program, with its progress: its size is known, whatever the server says of it. */
async function fetchProgram() {
  const response = await fetch("page_bg.wasm");
  if (!response.ok) {
    throw new Error(`the server answers ${response.status} for page_bg.wasm`);
  }
  let loaded = 0;
  const counted = response.body.pipeThrough(new TransformStream({
    transform(chunk, controller) {
      loaded += chunk.byteLength;
      progress("Loading the board", Math.min(1, loaded / touchboardParts.bytes["page_bg.wasm"]));
      controller.enqueue(chunk);
    },
  }));
  return new Response(counted, { headers: { "Content-Type": "application/wasm" } });
}

async function start() {
  const why = missing();
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
    const program = await import("./page.js");
    const response = await fetchProgram();
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

if ("serviceWorker" in navigator && location.protocol !== "file:") {
  navigator.serviceWorker.register("service-worker.js").catch((error) => {
    console.warn(`The page will not work offline: ${error.message}`);
  });
}

start();
