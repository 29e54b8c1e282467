// Files: sessions that are opened and saved, and files that are dropped on the page.

import { connect, find, notice, request } from "./board.js";
import { edit } from "./editor.js";

async function open(file) {
  const text = await file.text();
  if (file.name.endsWith(".lud")) {
    edit(text);
  } else if (file.name.endsWith(".session")) {
    request({ session: text });
  } else {
    notice(`${file.name} is neither a session (.session) nor a game's text (.lud).`);
  }
}

function save(text) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "application/jsonl" }));
  link.download = "touchboard.session";
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

/** Connects the buttons for files. */
export function connectFiles() {
  find("open-session").addEventListener("click", () => find("session-file").click());
  find("session-file").addEventListener("change", async () => {
    const [file] = find("session-file").files;
    if (file) {
      await open(file);
    }
    find("session-file").value = "";
  });
  find("save-session").addEventListener("click", () => request("save_session"));
  connect("session", save);
  connect("trouble", notice);
  window.addEventListener("dragover", (event) => event.preventDefault());
  window.addEventListener("drop", async (event) => {
    event.preventDefault();
    const [file] = event.dataTransfer.files;
    if (file) {
      await open(file);
    }
  });
}
