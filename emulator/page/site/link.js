// Links: the current game as an address that somebody else can open.
//
//   ?game=reversi&mode=2&level=3    a game of the board, or a bundled text
//   #lud=...                        a text, compressed and in letters of a URL
//   ?session=address                a session, from this server or one that allows it

import { connect, find, notice, request } from "./board.js";
import { editedText, edit } from "./editor.js";

let shown = null;
connect("board", (board) => { shown = board; });

async function through(stream, bytes) {
  const body = new Blob([bytes]).stream().pipeThrough(stream);
  return new Uint8Array(await new Response(body).arrayBuffer());
}

/** A text in letters that a URL may contain. */
export async function packed(text) {
  const bytes = await through(new CompressionStream("deflate-raw"), new TextEncoder().encode(text));
  let letters = "";
  for (const byte of bytes) {
    letters += String.fromCharCode(byte);
  }
  return btoa(letters).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** The text of `packed`; throws if it is damaged. */
export async function unpacked(letters) {
  const raw = atob(letters.replaceAll("-", "+").replaceAll("_", "/"));
  const bytes = Uint8Array.from(raw, (letter) => letter.charCodeAt(0));
  return new TextDecoder("utf-8", { fatal: true }).decode(
    await through(new DecompressionStream("deflate-raw"), bytes),
  );
}

/** Opens what the page's address asks for. */
export async function openFromLink() {
  const asked = new URLSearchParams(location.search);
  const text = new URLSearchParams(location.hash.slice(1)).get("lud");
  if (text) {
    try {
      edit(await unpacked(text));
    } catch {
      notice("The link is damaged: it contains no whole text of a game. Ask for it again.");
    }
  } else if (asked.has("session")) {
    await openSession(asked.get("session"));
  } else if (asked.has("game")) {
    const [mode, level] = [asked.get("mode"), asked.get("level")];
    request({ game: { name: asked.get("game"), mode, level } });
  }
}

async function openSession(address) {
  try {
    const response = await fetch(address);
    if (!response.ok) {
      throw new Error(`the server answers ${response.status}`);
    }
    request({ session: await response.text() });
  } catch (error) {
    notice(`The session cannot be loaded: ${error.message}.`);
  }
}

/** The address of what is on the board now. */
export async function link() {
  const address = new URL(location.href);
  address.search = "";
  address.hash = "";
  const text = editedText();
  if (text !== null) {
    address.hash = `lud=${await packed(text)}`;
  } else if (shown) {
    const { game, mode, level } = shown.link;
    address.searchParams.set("game", game);
    if (mode !== null) {
      address.searchParams.set("mode", mode);
      address.searchParams.set("level", level);
    }
  }
  return address.href;
}

find("share").addEventListener("click", async () => {
  const address = await link();
  try {
    await navigator.clipboard.writeText(address);
    notice("The link is copied: whoever opens it sees this game.");
  } catch {
    history.replaceState(null, "", address);
    notice("The link is in the address bar: copy it from there.");
  }
});
