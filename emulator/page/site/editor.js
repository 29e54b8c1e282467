// The editor of a game's text: each change is on the board at once, errors stand below.

import { connect, find, request } from "./board.js";

/** The name under which the board knows the text. */
const NAME = "own.lud";
/** How long the keyboard is quiet before a change is put on the board. */
const QUIET_MS = 250;

let isOnBoard = false;
let waiting = null;

/** The text in the editor, or null if another game is on the board. */
export function editedText() {
  return isOnBoard || !find("editor").hidden ? find("source").value : null;
}

/** Opens the editor with this text, and puts it on the board. */
export function edit(source) {
  find("source").value = source;
  show(true);
  put();
}

function put() {
  clearTimeout(waiting);
  request({ text: { name: NAME, source: find("source").value } });
}

function show(isOpen) {
  find("editor").hidden = !isOpen;
  find("edit").setAttribute("aria-expanded", String(isOpen));
}

/** Connects the editor; `texts` are the games that it can begin with, by name. */
export function connectEditor(texts) {
  const names = Object.keys(texts).sort((one, other) => one.localeCompare(other));
  find("example").append(new Option("choose a game", ""));
  for (const name of names) {
    find("example").append(new Option(name, name));
  }
  find("example").addEventListener("change", () => {
    const text = texts[find("example").value];
    if (text) {
      edit(text);
    }
  });
  find("edit").addEventListener("click", () => {
    const isOpen = find("editor").hidden;
    if (isOpen && find("source").value === "") {
      edit(texts["Tic-Tac-Toe"] ?? texts[names[0]]);
    }
    show(isOpen);
    find(isOpen ? "source" : "board").focus();
  });
  find("close-editor").addEventListener("click", () => {
    show(false);
    find("board").focus();
  });
  find("source").addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = setTimeout(put, QUIET_MS);
  });
  find("random-games").addEventListener("click", () => request("random_games"));
  connect("board", (board) => { isOnBoard = board.link.game === NAME; });
  connect("text", ({ error, random_games: result, is_playing: isPlaying }) => {
    find("error").hidden = error === null;
    find("error").textContent = error ?? "";
    const words = isPlaying ? "Playing 1,000 games …" : result;
    find("result").hidden = words === null;
    find("result").textContent = words ?? "";
  });
}
