// The board for screen readers and the keyboard: a button for each point, named after what
// is on it, where the point is in the picture. Arrow keys go from one to the next, Enter
// touches. The mouse and fingers reach the picture below.

import { connect, find, request } from "./board.js";

/** The place, in rows, of the point that Tab reaches. */
let current = [0, 0];
/** The names of the points, in rows, as they are in the document. */
let names = [];

function at(row, column) {
  return find("points").children[row]?.children[column];
}

function go(row, column) {
  const line = find("points").children[row];
  if (!line) {
    return;
  }
  const next = line.children[Math.max(0, Math.min(column, line.children.length - 1))];
  if (!next) {
    return;
  }
  at(...current)?.setAttribute("tabindex", "-1");
  current = [row, [...line.children].indexOf(next)];
  next.setAttribute("tabindex", "0");
  next.focus();
}

function build(rows) {
  find("points").replaceChildren(...rows.map((row) => {
    const line = document.createElement("div");
    line.className = "points-row";
    line.append(...row.map((point) => {
      const button = document.createElement("button");
      button.textContent = point.name;
      button.tabIndex = -1;
      return button;
    }));
    return line;
  }));
  names = rows.map((row) => row.map((point) => point.name));
  current = [0, 0];
  at(0, 0)?.setAttribute("tabindex", "0");
}

function isBuilt(rows) {
  return rows.length === names.length && rows.every((row, r) =>
    row.length === names[r].length && row.every((point, c) => point.name === names[r][c]));
}

function buildButtons(labels) {
  find("buttons").replaceChildren(...labels.map((label) => {
    const button = document.createElement("button");
    button.textContent = label;
    button.addEventListener("click", () => request({ press: label }));
    return button;
  }));
}

/** Connects the words with the board. */
export function connectWords() {
  find("points").addEventListener("click", (event) => {
    if (event.target.matches("button")) {
      request({ touch: event.target.textContent });
    }
  });
  find("points").addEventListener("keydown", (event) => {
    const [row, column] = current;
    const goal = {
      ArrowUp: [row - 1, column],
      ArrowDown: [row + 1, column],
      ArrowLeft: [row, column - 1],
      ArrowRight: [row, column + 1],
    }[event.key];
    if (goal) {
      event.preventDefault();
      go(...goal);
    }
  });
  connect("board", (board) => {
    if (find("buttons").children.length === 0) {
      buildButtons(board.buttons);
    }
    if (!isBuilt(board.rows)) {
      build(board.rows);
    }
    board.rows.forEach((row, r) => row.forEach((point, c) => {
      const button = at(r, c);
      const words = `${point.name}: ${point.words}${point.is_legal ? ", a move" : ""}`;
      if (button.getAttribute("aria-label") !== words) {
        button.setAttribute("aria-label", words);
      }
      button.classList.toggle("legal", point.is_legal);
    }));
    const state = `${board.game}: ${board.state}`;
    if (find("state").textContent !== state) {
      find("state").textContent = state;
    }
    find("display").textContent = `Display: ${board.display}`;
  });
  connect("places", (rows) => rows.forEach((row, r) => row.forEach((place, c) => {
    const style = at(r, c)?.style;
    if (style) {
      style.left = `${place.x - place.width / 2}px`;
      style.top = `${place.y - place.width / 2}px`;
      style.width = style.height = `${place.width}px`;
    }
  })));
}
