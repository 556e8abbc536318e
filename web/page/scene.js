// What the board shows of a position: tiles, the last turn, spaces, previews, the winner's tracks.

import { completedTrack, growth, tilesOf } from "./drawing.js";
import { COLOURS, NAMES, endByTurn, moverAfter, other, resultOf } from "./game.js";
import { SHAPES, columnName, formatOldTurn, spaceAt, tileOf } from "./notation.js";
import { TurnStatus } from "./wire.js";

const MOST_MARKS = 6;
// The first tile of a game lies with White's track to the north.
const FIRST_TILE = 0x10;

/** White's sides of the tile of a turn that fits, before the turn; null if it does not fit. */
export function whiteOf(view, { column, row, shape }) {
  return tileOf(shape, spaceAt(view, column, row)?.sockets || FIRST_TILE);
}

/** The space of a turn on the table, as a key, where the formation has grown so far. */
function keyOf(view, { column, row }, [west, north]) {
  return view.columns ? `${column - 1 - west},${row - 1 - north}` : "0,0";
}

/**
 * What BoardDrawing.draw takes.
 *
 * `view` is the position after `turns`, `before` the one before the last turn or null. `chosen` is the
 * turn that is looked at or null: { key, option, preview }. `evaluation` is what a search has found
 * about this position, or null. `spaces` says whether spaces can be chosen, `threats` are those that
 * are marked, as of threatsOf.
 */
export function sceneOf({ view, before, turns, variant, chosen, evaluation, spaces, threats, settings }) {
  const origin = growth(turns);
  const tiles = tilesOf(view, origin);
  const last = before && turns.length ? lastTiles(tiles, before, turns) : [];
  const preview = new Map(chosen?.preview);
  if (chosen && !chosen.preview) preview.set(chosen.key, whiteOf(view, chosen.option.turn));
  const marks = evaluation && !chosen ? marksOf(view, evaluation.variation, turns.length, origin) : [];
  const best = marks.length ? whiteOf(view, evaluation.variation[0]) : null;
  if (best !== null) preview.set(marks[0].key, best);
  const mover = other(moverAfter(turns.length));
  const end = endByTurn(view.last?.completed ?? 0, mover, variant);
  const won = (end?.colours ?? []).map((colour) =>
    [colour, completedTrack(tiles, last, colour, view, origin)]);
  const targets = new Map();
  for (const { turn, colour } of threats) {
    const key = keyOf(view, turn, origin);
    targets.set(key, new Set([...(targets.get(key) ?? []), colour]));
  }
  const isOld = settings.notation === "old";
  return {
    // While a turn is looked at, only its own tiles are marked.
    tiles, last: chosen ? [] : last, preview, won, marks,
    spaces: spaces ? spacesOf(view, origin, targets, isOld) : new Map(),
    targets,
    chosen: chosen?.key,
    labels: {
      origin, columns: view.columns, rows: view.rows,
      names: {
        column: (column) => (isOld && !column ? "" : columnName(column)),
        row: (row) => (isOld && !row ? "" : String(row)),
      },
    },
  };
}

/** The tiles of the last turn, its own first. */
function lastTiles(tiles, view, turns) {
  const origin = growth(turns.slice(0, -1));
  const before = tilesOf(view, origin);
  const own = keyOf(view, turns.at(-1), origin);
  return [own, ...[...tiles.keys()].filter((key) => key !== own && !before.has(key))];
}

/**
 * The turns with which a player wins, to move or not: [{ turn, colour, reason }]. Which turns are legal
 * and what they complete is the same for both players.
 */
export function threatsOf(view, variant) {
  const legal = view.candidates.filter(({ status }) => status === TurnStatus.LEGAL);
  return COLOURS.flatMap((colour) => legal.flatMap(({ turn, completed }) => {
    const end = endByTurn(completed, colour, variant);
    return end?.result === resultOf(colour) ? [{ turn, colour, reason: end.reason }] : [];
  }));
}

/** The spaces where a turn is legal, with their turns in words; `isOld`: in the old notation. */
function spacesOf(view, origin, targets, isOld) {
  const spaces = new Map();
  for (const { turn, status } of view.candidates) {
    if (status !== TurnStatus.LEGAL) continue;
    const key = keyOf(view, turn, origin);
    const place = columnName(turn.column) + turn.row;
    const space = spaces.get(key) ?? { label: isOld ? "Turns" : `${place}, tiles` };
    space.label += ` ${isOld ? formatOldTurn(view, turn) : SHAPES[turn.shape]}`;
    spaces.set(key, space);
  }
  for (const [key, colours] of targets) {
    const winners = [...colours].map((colour) => NAMES[colour]).join(" and ");
    spaces.get(key).label += `, ${winners} can win there`;
  }
  return spaces;
}

/** The spaces of a variation, numbered, as far as they are seen: the board must not move for it. */
function marksOf(view, variation, count, origin) {
  let [west, north] = origin;
  const isSeen = (key) => key.split(",").map(Number).every((at, i) =>
    at >= -1 - origin[i] && at <= [view.columns, view.rows][i] - origin[i]);
  const marks = [];
  for (const { column, row } of variation.slice(0, MOST_MARKS)) {
    const key = count ? `${column - 1 - west},${row - 1 - north}` : "0,0";
    if (!isSeen(key)) break;
    marks.push({ key, text: String(marks.length + 1), colour: moverAfter(count) });
    if (count && column === 0) ++west;
    if (count && row === 0) ++north;
    ++count;
  }
  return marks;
}

/** The board in words. */
export function describe(view, lastTurn) {
  const size = view.columns
    ? `${view.columns} columns, ${view.rows} rows, ${view.tiles} tiles` : "empty";
  return `Board: ${size}, ${lastTurn ? `last turn ${lastTurn}` : "no turn yet"}. ` +
    "Arrow keys choose a space, space bar the tile, Enter plays";
}

/** The turns at a space: all candidates, and the legal ones. */
export function optionsAt(view, key, turns) {
  const origin = growth(turns);
  const options = view.candidates.filter(({ turn }) => keyOf(view, turn, origin) === key);
  return { options, legal: options.filter(({ status }) => status === TurnStatus.LEGAL) };
}

/** The tiles that a turn adds, which led from one view to another after `turns`: key to tile. */
export function addedTiles(before, after, turns) {
  const now = tilesOf(before, growth(turns.slice(0, -1)));
  return new Map([...tilesOf(after, growth(turns))].filter(([key]) => !now.has(key)));
}
