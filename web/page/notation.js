// Turns as text, in both notations.
//
// A turn is { column, row, shape }; the shape is 0 `+`, 1 `/` or 2 `\`. The old notation depends on
// the position: functions for it take a view, as Device.look returns it.

export const SHAPES = ["+", "/", "\\"];
const TURN = /^(@|[A-Z]{1,2})(0|[1-9][0-9]?)([+/\\])$/;

// Sides are bits, clockwise from north.
const NORTH = 1;
const EAST = 2;
const SOUTH = 4;
const WEST = 8;
const LETTERS = { [NORTH]: "U", [EAST]: "R", [SOUTH]: "D", [WEST]: "L" };
const OPPOSITE = { [NORTH]: SOUTH, [EAST]: WEST, [SOUTH]: NORTH, [WEST]: EAST };

/** The sides that White's track joins on each of the two tiles of each shape. */
export const TILES = [
  [NORTH | SOUTH, EAST | WEST],
  [NORTH | WEST, EAST | SOUTH],
  [NORTH | EAST, SOUTH | WEST],
];

/** The tile of a shape that continues the tracks entering a space: White's sides; or null. */
export function tileOf(shape, sockets) {
  const [white, red] = [sockets >> 4, sockets & 0xf];
  return TILES[shape].find((tile) => (tile & white) === white && !(tile & red)) ?? null;
}

/** The name of a column: `@` is 0, `A` is 1. */
export function columnName(column) {
  if (column === 0) return "@";
  let name = "";
  for (let rest = column; rest > 0; rest = Math.floor((rest - 1) / 26)) {
    name = String.fromCharCode(65 + ((rest - 1) % 26)) + name;
  }
  return name;
}

function columnNumber(name) {
  return name === "@" ? 0 : [...name].reduce((sum, char) => 26 * sum + char.charCodeAt(0) - 64, 0);
}

/** A turn in standard notation. */
export function formatTurn({ column, row, shape }) {
  return columnName(column) + row + SHAPES[shape];
}

/** The turn that a text in standard notation names, or null. */
export function parseTurn(text) {
  const found = TURN.exec(text);
  if (!found) return null;
  return { column: columnNumber(found[1]), row: Number(found[2]), shape: SHAPES.indexOf(found[3]) };
}

/** The space of a view at a column and row: what it says about the tracks that enter; or null. */
export function spaceAt(view, column, row) {
  return view.spaces.find((space) => space.column === column && space.row === row) ?? null;
}

/** A turn that fits, in the notation of the years before 1998. */
export function formatOldTurn(view, turn) {
  const { column, row, shape } = turn;
  if (!view.columns) return shape === 0 ? "A1S" : "A1C";
  const mark = shape === 0 ? "S" : curveMark(spaceAt(view, column, row).sockets, shape);
  const names = [columnName(Math.max(column, 1)), String(Math.max(row, 1))];
  // Beside a tile in the corner the space above it has the number first.
  if (column === 1 && row === 0) names.reverse();
  return names.join("") + mark;
}

function curveMark(sockets, shape) {
  const [white, red] = [sockets >> 4, sockets & 0xf];
  const sides = [NORTH, EAST, SOUTH, WEST].filter((side) => (white | red) & side);
  if (sides.length === 2 && OPPOSITE[sides[0]] !== sides[1]) return "C";
  // White's track if it enters, otherwise Red's: where the tile turns it.
  const side = white || red;
  const tile = tileOf(shape, sockets);
  const edges = white ? tile : 0xf & ~tile;
  return LETTERS[edges & ~side];
}

/** The turn that a text in either notation names in a view; null if no candidate has this name. */
export function readTurn(view, text) {
  const turn = parseTurn(text);
  if (turn || !/^(?:[A-Z]{1,2}[1-9][0-9]?|1A)[SCULDR]$/.test(text)) return turn;
  const candidates = view.candidates.map((candidate) => candidate.turn);
  return candidates.find((candidate) => formatOldTurn(view, candidate) === text) ?? null;
}
