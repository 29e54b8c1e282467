// A table for two: the line to the relay, the links to send, and what is said of both.
//
//   ?table=NAME&relay=ADDRESS#key=SECRET    a seat, or a place to watch: the secret decides
//
// The secret is in the fragment, which no browser sends to a server. What the bytes mean, the
// board's program knows: here they only go through a WebSocket, which is opened again when
// it is lost.

import { connect, find, notice } from "./board.js";

/** Where the address of the relay is kept. */
const KEPT = "touchboard-relay";
/** The file in which a server of the page may name its relay. */
const NAMED = "relay.json";
/** How often the board's program may repeat something. */
const POLL_MS = 250;
/** How long to wait before a lost line is opened again, and at most. */
const RETRY_MS = 500;
const LONGEST_RETRY_MS = 8000;
/** How long a relay may be silent: it says something every few seconds. */
const SILENCE_MS = 25_000;

let relay = null;
let socket = null;
let lost = RETRY_MS;
let heardAt = 0;
let timers = [];

const now = () => Math.floor(performance.now());
const board = () => globalThis.touchboard;

/** The address of a WebSocket for what a person types; null if it is none. */
export function relayAddress(text) {
  const typed = text.trim();
  const secure = location.protocol === "https:" ? "wss://" : "ws://";
  try {
    const address = new URL(/^wss?:\/\//.test(typed) ? typed : secure + typed);
    return /^wss?:$/.test(address.protocol) && address.host ? address.href : null;
  } catch {
    return null;
  }
}

/** The relay that the server of the page names, or the one beside the page. */
async function usualRelay() {
  try {
    const response = await fetch(NAMED);
    if (response.ok) {
      return (await response.json()).relay;
    }
  } catch {
    // A server without a relay of its own.
  }
  return relayAddress(`${location.host}/relay`);
}

/** Sends what the board's program has to say. */
function send() {
  if (socket?.readyState !== WebSocket.OPEN) {
    return;
  }
  const framed = board().table_to_send();
  const lengths = new DataView(framed.buffer, framed.byteOffset, framed.byteLength);
  for (let at = 0; at < framed.length;) {
    const length = lengths.getUint32(at, true);
    socket.send(framed.slice(at + 4, at + 4 + length));
    at += 4 + length;
  }
}

function hangUp() {
  timers.forEach(clearTimeout);
  timers = [];
  const before = socket;
  socket = null;
  if (before) {
    before.onclose = null;
    before.close();
    board().table_disconnected();
  }
}

/** Opens a line, and opens it again whenever it is lost. */
function dial() {
  hangUp();
  let line;
  try {
    line = new WebSocket(relay);
  } catch {
    notice(`This page cannot use ${relay}: from https:// only a relay at wss:// can be reached.`);
    relay = null;
    board().table_leave();
    return;
  }
  line.binaryType = "arraybuffer";
  line.onopen = () => {
    [lost, heardAt] = [RETRY_MS, now()];
    board().table_connected(now());
    send();
  };
  line.onmessage = ({ data }) => {
    heardAt = now();
    if (data instanceof ArrayBuffer) {
      board().table_hear(new Uint8Array(data));
      send();
    }
  };
  line.onclose = () => {
    hangUp();
    show();
    // Half of the wait is chance, so that not everybody comes back at once.
    const wait = lost / 2 + Math.random() * lost / 2;
    lost = Math.min(2 * lost, LONGEST_RETRY_MS);
    timers.push(setTimeout(() => relay && dial(), wait));
  };
  socket = line;
  timers.push(setInterval(() => {
    board().table_poll(now());
    send();
    if (line.readyState === WebSocket.OPEN && now() - heardAt > SILENCE_MS) {
      dial();
    }
  }, POLL_MS));
}

/** The address of this page for a link to the table. */
function address({ table, secret }) {
  const link = new URL(location.href);
  link.search = new URLSearchParams({ table, relay }).toString();
  link.hash = `key=${secret}`;
  return link.href;
}

/** Shows what is to be said of the table. */
function show() {
  const report = JSON.parse(board().table_report());
  const words = report?.words ?? "";
  if (find("table-state").textContent !== words) {
    find("table-state").textContent = words;
  }
  find("table-links").hidden = !report?.links;
  find("table-open").hidden = report !== null && !report.is_over;
  find("table-leave").hidden = report === null;
  const same = report?.same;
  document.documentElement.dataset.table = report === null ? "" : JSON.stringify({
    role: report.role, runs: report.runs, over: report.is_over, same: same ?? null,
  });
  if (!report) {
    return;
  }
  if (report.links) {
    find("table-play").value = address(report.links.play);
    find("table-watch").value = address(report.links.watch);
  }
  if (report.own && relay) {
    const own = address(report.own);
    if (own !== location.href) {
      history.replaceState(null, "", own);
    }
  }
  if (report.is_over && relay) {
    relay = null;
    hangUp();
  }
}

function open(isOpen) {
  find("table").hidden = !isOpen;
  find("with-somebody").setAttribute("aria-expanded", String(isOpen));
}

async function copy(from, words) {
  try {
    await navigator.clipboard.writeText(find(from).value);
    notice(words);
  } catch {
    find(from).focus();
    find(from).select();
    notice("Copy the marked link.");
  }
}

function leave() {
  relay = null;
  hangUp();
  board().table_leave();
  history.replaceState(null, "", location.pathname);
  show();
}

/** Joins the table in the address of the page. */
export function joinFromLink() {
  const asked = new URLSearchParams(location.search);
  const secret = new URLSearchParams(location.hash.slice(1)).get("key");
  if (!asked.has("table")) {
    return;
  }
  open(true);
  relay = relayAddress(asked.get("relay") ?? "");
  if (relay === null) {
    notice("The link is damaged: it names no relay. Ask for it again.");
    return;
  }
  try {
    board().table_join(asked.get("table"), secret ?? "");
  } catch (sentence) {
    notice(String(sentence));
    return;
  }
  find("table-relay").value = relay;
  dial();
  show();
}

/** Connects the controls of the table. */
export function connectTable() {
  find("with-somebody").addEventListener("click", async () => {
    open(find("table").hidden);
    if (find("table-relay").value === "") {
      find("table-relay").value = localStorage.getItem(KEPT) ?? await usualRelay();
    }
  });
  find("close-table").addEventListener("click", () => open(false));
  find("table-open").addEventListener("click", () => {
    const typed = find("table-relay").value;
    relay = relayAddress(typed);
    if (relay === null) {
      notice(`${typed} is no address of a relay: write it like wss://example.org/relay.`);
      return;
    }
    localStorage.setItem(KEPT, typed);
    board().table_open();
  });
  find("table-leave").addEventListener("click", leave);
  find("copy-play").addEventListener("click", () =>
    copy("table-play", "The link is copied: whoever opens it first plays red."));
  find("copy-watch").addEventListener("click", () =>
    copy("table-watch", "The link is copied: whoever opens it can watch, and touch nothing."));
  connect("table_opened", () => {
    lost = RETRY_MS;
    dial();
    show();
  });
  connect("table_changed", show);
  connect("table_has_words", send);
  window.addEventListener("online", () => relay && dial());
}
