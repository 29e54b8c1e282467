// A Launchpad as keys and lamps of the board: this script carries its messages over the
// browser's MIDI, the program understands them.

import { connect, find, notice } from "./board.js";

/** The last byte of a system exclusive message; a Launchpad is only sent such messages. */
const EXCLUSIVE_ENDS = 0xF7;

let program = null;
/** The browser's MIDI, once it was allowed. */
let midi = null;
/** The ports of the Launchpad, if it is plugged in. */
let panel = null;

/** Sends what waits, one message at a time. */
function send() {
  const bytes = program.panel_take();
  let begin = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    if (bytes[at] !== EXCLUSIVE_ENDS) {
      continue;
    }
    try {
      panel?.output.send(bytes.slice(begin, at + 1));
    } catch (error) {
      notice(`The Launchpad takes no messages: ${error.message}.`);
      return;
    }
    begin = at + 1;
  }
}

function hear(event) {
  program.panel_receive(event.data);
  send();
}

function unplug() {
  panel.input.onmidimessage = null;
  panel = null;
  program.panel_unplug();
}

/** Looks whether the Launchpad is plugged in. */
function look() {
  const isThere = (port) => port.state === "connected" && program.panel_is_port(port.name ?? "");
  const input = [...midi.inputs.values()].find(isThere);
  const output = [...midi.outputs.values()].find(isThere);
  if (panel !== null && (panel.input !== input || panel.output !== output)) {
    unplug();
  }
  if (panel === null && input && output) {
    panel = { input, output };
    input.onmidimessage = hear;
    program.panel_plug_in(input.name);
    send();
  }
  return panel !== null;
}

async function choose() {
  try {
    midi = await navigator.requestMIDIAccess({ sysex: true });
  } catch (error) {
    notice(`The browser does not allow MIDI: ${error.message}.`);
    return;
  }
  midi.onstatechange = look;
  find("connect-panel").textContent = "Disconnect the Launchpad";
  if (!look()) {
    notice("No Launchpad Mini MK3, X or Pro MK3 is plugged in: plug it in.");
  }
  find("board").focus();
}

function letGo() {
  midi.onstatechange = null;
  midi = null;
  program.panel_let_go();
  send();
  if (panel !== null) {
    unplug();
  }
  find("connect-panel").textContent = "Connect a Launchpad";
}

/** Connects the button for a Launchpad, or says which browsers have it. */
export function connectPanel(loaded) {
  program = loaded;
  const hasMidi = "requestMIDIAccess" in navigator;
  find("connect-panel").hidden = !hasMidi;
  find("no-midi").hidden = hasMidi;
  if (!hasMidi) {
    return;
  }
  find("connect-panel").addEventListener("click", () => {
    if (midi === null) {
      choose();
    } else {
      letGo();
    }
  });
  connect("panel", send);
  window.addEventListener("pagehide", () => midi && letGo());
}
