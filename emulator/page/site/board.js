// The line to the board: requests to it, and its reports.

const EVENT = "touchboard";

/** The element with this id. */
export const find = (id) => document.getElementById(id);

/** Asks something of the board; see `request.rs`. */
export function request(wanted) {
  globalThis.touchboard?.request(JSON.stringify(wanted));
}

/** Calls `hear` with each report of this kind; see `report.rs`. */
export function connect(kind, hear) {
  window.addEventListener(EVENT, (event) => {
    const report = JSON.parse(event.detail);
    if (report === kind) {
      hear();
    } else if (Object.hasOwn(report, kind)) {
      hear(report[kind]);
    }
  });
}

/** Shows a sentence in the bar above the board for a while. */
export function notice(sentence) {
  const place = find("notice");
  place.textContent = sentence;
  place.hidden = false;
  clearTimeout(notice.timer);
  notice.timer = setTimeout(() => { place.hidden = true; }, 8000);
}
