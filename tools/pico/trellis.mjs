// A field of tiles that forms a board, and the tile with its buttons and turn lights. The
// address of a tile determines its place.

import { Tile } from './tile.mjs';

const SIDE = 4;
/// The keys of the buttons on their tile, in the order of the buttons, and its turn
/// lights.
const BUTTON_KEYS = [0, 1, 2, 3, 4, 6, 7];
const TURN_LIGHTS = [12, 15];

export class Trellis {
  /// A field with this many columns and rows of tiles. `addresses` contains the address
  /// of the first tile, and the increments for each column, each row, and the tile of the
  /// buttons.
  constructor([columns, rows], [first, column, row, buttons]) {
    [this.columns, this.rows] = [columns, rows];
    const later = (nanos, then) => this.clock.createAlarm(then).schedule(nanos);
    const tile = () => new Tile(() => this.clock?.nanos ?? 0, later);
    const field = Array.from({ length: columns * rows }, (_, at) => {
      const [x, y] = [at % columns, Math.floor(at / columns)];
      return [first + column * x + row * y, tile()];
    });
    this.buttons = tile();
    /// The tiles by address.
    this.devices = [...field, [first + buttons, this.buttons]];
    this.tiles = field.map(([, own]) => own);
  }

  /// Connects a chip that has just started. The tiles keep their power over a reset.
  connect(clock) {
    this.clock = clock;
    for (const [, tile] of this.devices) tile.scan();
  }

  /// The key at a line and a row of a matrix; line 0 has the buttons.
  key(line, row) {
    if (line === 0) return [this.buttons, BUTTON_KEYS[row]];
    const [x, y] = [line - 1, row];
    const tile = this.tiles[Math.floor(y / SIDE) * this.columns + Math.floor(x / SIDE)];
    if (x >= SIDE * this.columns || tile === undefined) throw new Error(`no tile has line ${line}, row ${row}`);
    return [tile, (y % SIDE) * SIDE + (x % SIDE)];
  }

  set(line, row, isClosed) {
    const [tile, key] = this.key(line, row);
    tile.set(key, isClosed);
  }

  /// How often any tile updated its lights.
  get shows() {
    return this.devices.reduce((all, [, tile]) => all + tile.shows, 0);
  }

  /// Red, green and blue of all lights of the field in reading order, then of the turn
  /// lights, then of the other lights of their tile.
  colours() {
    const places = (count) => Array.from({ length: SIDE * count }, (_, at) => at);
    const field = places(this.rows).flatMap((row) =>
      places(this.columns).map((column) => {
        const [tile, key] = this.key(column + 1, row);
        return tile.shown[key];
      }),
    );
    const others = this.buttons.shown.filter((_, key) => !TURN_LIGHTS.includes(key));
    return [...field, ...TURN_LIGHTS.map((key) => this.buttons.shown[key]), ...others];
  }
}
