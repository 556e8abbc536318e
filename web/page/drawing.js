// The board as SVG: draws what a device says, and reports which space is chosen.
//
// Coordinates are those of the table: (0, 0) is the first tile, wherever the formation grows to.

const SVG = "http://www.w3.org/2000/svg";
const SIZE = 60;
const HALF = SIZE / 2;
const ROOM = 1.4; // cells around the formation
// A quarter of a circle as a curve: how near its control points are to the tile's centre.
const NEAR = 0.448;
const OVER = 1.02;
const LEAST = 6; // cells that are shown at least
const NEAREST = 2.5;
const FARTHEST = 64;
const LARGEST_PICTURE = 190; // pixels
// The size of labels: on the table, and on the screen at least.
const LABEL = 15;
const LEGIBLE = 11;

// Where a track meets each side of a tile.
const ENDS = { 1: [0, -HALF], 2: [HALF, 0], 4: [0, HALF], 8: [-HALF, 0] };
const STEPS = { 1: [0, -1], 2: [1, 0], 4: [0, 1], 8: [-1, 0] };

/** Make an element; `attributes` that are undefined are left out. */
function svg(name, attributes = {}, ...children) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== undefined) element.setAttribute(key, value);
  }
  element.append(...children);
  return element;
}

/** The path of a track on a tile at (x, y) between two sides. */
function trackPath(x, y, sides) {
  const [from, to] = [1, 2, 4, 8].filter((side) => sides & side);
  const [cx, cy] = [x * SIZE, y * SIZE];
  const [ax, ay] = ENDS[from];
  const [bx, by] = ENDS[to];
  // A little further than the tile, so that no line is seen between two tiles.
  const [start, end] = [`M${cx + ax * OVER} ${cy + ay * OVER}`, `L${cx + bx * OVER} ${cy + by * OVER}`];
  if (ax + bx === 0 && ay + by === 0) return start + end;
  return `${start}L${cx + ax} ${cy + ay}C${cx + ax * NEAR} ${cy + ay * NEAR} ` +
    `${cx + bx * NEAR} ${cy + by * NEAR} ${cx + bx} ${cy + by}${end}`;
}

/**
 * Tiles, { key, white, kind }, as groups: all faces, then all tracks, so that no tile's edge lies on
 * its neighbour's track. `white` are White's sides, `kind` are classes.
 */
function tileGroups(tiles) {
  const placed = tiles.map((each) => ({ ...each, at: each.key.split(",").map(Number) }));
  const faces = placed.map(({ at: [x, y], kind }) => {
    const corner = { x: x * SIZE - HALF + 1, y: y * SIZE - HALF + 1 };
    return svg("g", { class: kind },
      svg("rect", { ...corner, width: SIZE - 2, height: SIZE - 2, rx: 7, class: "face" }));
  });
  const tracks = placed.map(({ at: [x, y], white, kind }) => svg("g", { class: kind },
    svg("path", { d: trackPath(x, y, 0xf & ~white), class: "track red" }),
    svg("path", { d: trackPath(x, y, white), class: "track casing" }),
    svg("path", { d: trackPath(x, y, white), class: "track white" })));
  return [...faces, ...tracks];
}

/** A small picture of one tile, for a button. */
export function tilePicture(white) {
  return svg("svg", { viewBox: "-31 -31 62 62", class: "tile-picture", "aria-hidden": "true" },
    ...tileGroups([{ key: "0,0", white, kind: "tile" }]));
}

/** How far the formation has grown to the west and the north by turns: [west, north]. */
export function growth(turns) {
  let [west, north] = [0, 0];
  turns.forEach(({ column, row }, index) => {
    if (index === 0) return;
    if (column === 0) ++west;
    if (row === 0) ++north;
  });
  return [west, north];
}

/** The tiles of a view on the table: a Map from "x,y" to White's sides. */
export function tilesOf(view, [west, north]) {
  const tiles = new Map();
  view.cells.forEach((row, y) => row.forEach((cell, x) => {
    if (((cell >> 4) | (cell & 0xf)) === 0xf) tiles.set(`${x - west},${y - north}`, cell >> 4);
  }));
  return tiles;
}

/** The tiles that a completed track of a colour runs over, from any of some tiles on. */
export function completedTrack(tiles, starts, colour, view, origin) {
  for (const start of starts) {
    const run = followed(tiles, start, colour);
    if (run && (run.isLoop || crosses(run.ends, view, origin))) return run.keys;
  }
  return [];
}

function followed(tiles, start, colour) {
  const sidesAt = (key) => {
    const white = tiles.get(key);
    return white === undefined ? 0 : colour === "white" ? white : 0xf & ~white;
  };
  const keys = [start];
  const ends = [];
  for (const first of [1, 2, 4, 8].filter((side) => sidesAt(start) & side)) {
    let key = start;
    let side = first;
    for (;;) {
      const [x, y] = key.split(",").map(Number);
      const next = `${x + STEPS[side][0]},${y + STEPS[side][1]}`;
      if (next === start) return { isLoop: true, keys, ends };
      if (!tiles.has(next)) {
        ends.push({ x, y, side });
        break;
      }
      keys.push(next);
      const back = side < 4 ? side << 2 : side >> 2;
      side = sidesAt(next) & ~back;
      key = next;
    }
  }
  return { isLoop: false, keys, ends };
}

/** Whether a track ends on opposite edges of the formation. */
function crosses([a, b], view, [west, north]) {
  const isOn = ({ x, y, side }) =>
    (side === 1 && y === -north) || (side === 4 && y === view.rows - 1 - north) ||
    (side === 8 && x === -west) || (side === 2 && x === view.columns - 1 - west);
  return a && b && isOn(a) && isOn(b) && [5, 10].includes(a.side | b.side);
}

/**
 * The board in an <svg>. `onSpace(key)` is called when a space is chosen by a click or a key,
 * `onKey(event)` for keys that the board does not use itself.
 */
export class BoardDrawing {
  onSpace = () => {};
  onKey = () => {};
  #root;
  #layer = svg("g");
  #box = { x: 0, y: 0, size: LEAST };
  #isFree = false; // the user has panned or zoomed
  #bounds = [0, 0, 0, 0];
  #spaces = new Map();
  #focus = null;

  constructor(root) {
    this.#root = root;
    root.append(this.#layer);
    // It takes the focus of a space while there is none, as when a device thinks.
    root.tabIndex = -1;
    this.#listen();
    new ResizeObserver(() => this.#show()).observe(root);
  }

  /**
   * Draw: `tiles` (a Map as of tilesOf), `spaces` (a Map from "x,y" to { label }),
   * `last` (keys of the last turn's tiles, the turn's own first), `preview` (a Map of tiles),
   * `won` ([colour, keys] pairs), `marks` ([{ key, text, colour }]), `targets` (a Map from a key to
   * the colours that win there), `labels` ({ origin, columns, rows, names }), `chosen` (a key).
   */
  draw({ tiles, spaces, last, preview, won, marks, targets, labels, chosen }) {
    this.#spaces = spaces;
    const layers = [];
    const coordinates = (key) => key.split(",").map(Number);
    const add = (...elements) => layers.push(...elements);
    // All tiles and the spaces around them.
    const [west, north] = labels.origin;
    this.#bounds = labels.columns
      ? [-1 - west, -1 - north, labels.columns - west, labels.rows - north] : [0, 0, 0, 0];
    add(this.#labels(labels));
    add(...tileGroups([...tiles].map(([key, white]) => {
      const kind = !last.includes(key) ? "tile" : key === last[0] ? "tile own" : "tile forced";
      return { key, white, kind };
    })));
    add(...wonTracks(tiles, won));
    const hasFocus = this.#root.contains(document.activeElement);
    if (!spaces.has(this.#focus)) this.#focus = chosen ?? spaces.keys().next().value ?? null;
    for (const [key, space] of spaces) {
      add(this.#space(key, space, coordinates(key), chosen, preview.has(key) || targets.has(key)));
    }
    for (const [key, colours] of targets) {
      if (!preview.has(key)) add(targetMark(coordinates(key), [...colours]));
    }
    add(...tileGroups([...preview].map(([key, white]) => {
      const kind = !chosen ? "hint" : key === chosen ? "own" : "forced";
      return { key, white, kind: `tile ghost ${kind}` };
    })));
    for (const { key, text, colour } of marks) {
      // On a tile that is shown, too, the number stands in its corner.
      const [x, y] = coordinates(key).map((each, i) => each + (preview.has(key) ? [0.3, -0.3][i] : 0));
      add(svg("g", { class: `mark ${colour}`, "aria-hidden": "true" },
        svg("circle", { cx: x * SIZE, cy: y * SIZE, r: 13 }),
        svg("text", { x: x * SIZE, y: y * SIZE + 5 }, text)));
    }
    this.#layer.replaceChildren(...layers);
    if (hasFocus) this.focus();
    this.#show();
  }

  /** Draw nothing, until something is known. */
  clear() {
    const hasFocus = this.#root.contains(document.activeElement);
    this.#spaces = new Map();
    this.#focus = null;
    this.#layer.replaceChildren();
    if (hasFocus) this.focus();
  }

  /** Put the keyboard's focus on the space that had it last, or on the board if that has none. */
  focus(key = this.#focus) {
    this.#focus = key;
    const space = this.#layer.querySelector(`[data-key="${key}"]`) ?? this.#root;
    space.focus({ preventScroll: true });
  }

  /** Show the whole board again. */
  fit() {
    this.#isFree = false;
    this.#show();
  }

  zoom(factor, at = null) {
    const { x, y, size } = this.#box;
    const next = Math.min(FARTHEST, Math.max(NEAREST, size * factor));
    const [px, py] = at ?? [x, y];
    this.#isFree = true;
    this.#box = {
      x: px + ((x - px) * next) / size, y: py + ((y - py) * next) / size, size: next,
    };
    this.#show();
  }

  #labels({ origin: [west, north], columns, rows, names }) {
    const group = svg("g", { class: "labels", "aria-hidden": "true" });
    if (!columns) return group;
    for (let column = 0; column <= columns + 1; ++column) {
      const at = { x: (column - 1 - west) * SIZE, y: (-1 - north) * SIZE - 38 };
      group.append(svg("text", at, names.column(column)));
    }
    for (let row = 0; row <= rows + 1; ++row) {
      const at = { x: (-1 - west) * SIZE - 42, y: (row - 1 - north) * SIZE + 6 };
      group.append(svg("text", at, names.row(row)));
    }
    return group;
  }

  #space(key, { label }, [x, y], chosen, isCovered) {
    const box = { x: x * SIZE - HALF + 3, y: y * SIZE - HALF + 3, rx: 7 };
    return svg("g", {
      class: "space", role: "button", "data-key": key, "aria-label": label,
      tabindex: key === this.#focus ? 0 : -1, "aria-pressed": String(key === chosen),
    },
    svg("rect", { ...box, width: SIZE - 6, height: SIZE - 6 }),
    ...(isCovered ? [] : [svg("circle", { cx: x * SIZE, cy: y * SIZE, r: 5 })]));
  }

  /** Set what part of the table is seen. */
  #show() {
    const { width, height } = this.#root.getBoundingClientRect();
    if (!width || !height) return;
    if (!this.#isFree) {
      const [left, top, right, bottom] = this.#bounds;
      const wide = right - left + 1 + ROOM;
      const high = bottom - top + 1 + ROOM;
      this.#box = {
        x: (left + right) / 2 - 0.15, y: (top + bottom) / 2 - 0.15,
        size: Math.max(LEAST, this.#fitted(wide, high, width, height)),
      };
    }
    // `size` is how many cells the shorter side of the drawing shows.
    const scale = (this.#box.size * SIZE) / Math.min(width, height);
    const [w, h] = [width * scale, height * scale];
    const [x, y] = [this.#box.x * SIZE - w / 2, this.#box.y * SIZE - h / 2];
    this.#layer.setAttribute("font-size", Math.max(LABEL, LEGIBLE * scale));
    this.#root.setAttribute("viewBox", `${x} ${y} ${w} ${h}`);
  }

  #fitted(wide, high, width, height) {
    const short = Math.min(width, height);
    return Math.max((wide * short) / width, (high * short) / height);
  }

  /** The cell below a pointer. */
  #at(event) {
    const matrix = this.#root.getScreenCTM();
    const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix.inverse());
    return [point.x / SIZE, point.y / SIZE];
  }

  #listen() {
    const root = this.#root;
    const pointers = new Map();
    let moved = false;
    const up = (event) => pointers.delete(event.pointerId);
    const spread = () => {
      const [a, b] = [...pointers.values()];
      return Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY);
    };
    root.addEventListener("pointerdown", (event) => {
      if (pointers.size === 0) moved = false;
      pointers.set(event.pointerId, event);
    });
    root.addEventListener("pointermove", (event) => {
      const before = pointers.get(event.pointerId);
      if (!before) return;
      // The button may have been released outside, where nothing is heard of it.
      if (!event.buttons) return up(event);
      const [dx, dy] = [event.clientX - before.clientX, event.clientY - before.clientY];
      if (!moved && Math.hypot(dx, dy) < 6) return;
      moved = true;
      root.setPointerCapture(event.pointerId);
      if (pointers.size === 2) {
        const wide = spread();
        pointers.set(event.pointerId, event);
        this.zoom(wide / Math.max(1, spread()));
        return;
      }
      pointers.set(event.pointerId, event);
      const cells = this.#box.size / Math.min(root.clientWidth, root.clientHeight);
      this.#isFree = true;
      this.#box = { ...this.#box, x: this.#box.x - dx * cells, y: this.#box.y - dy * cells };
      this.#show();
    });
    root.addEventListener("pointerup", up);
    root.addEventListener("pointercancel", up);
    root.addEventListener("click", (event) => {
      const key = event.target.closest("[data-key]")?.dataset.key;
      if (key && !moved) {
        this.#focus = key;
        this.onSpace(key);
      } else if (!moved) this.onSpace(this.#under(event));
    });
    root.addEventListener("wheel", (event) => {
      event.preventDefault();
      if (event.deltaY) this.zoom(event.deltaY > 0 ? 1.15 : 1 / 1.15, this.#at(event));
    }, { passive: false });
    root.addEventListener("keydown", (event) => this.#key(event));
  }

  #under(event) {
    const key = this.#at(event).map(Math.round).join(",");
    return this.#spaces.has(key) ? key : null;
  }

  #key(event) {
    const step = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key in step) {
      event.preventDefault();
      this.#moveFocus(step[event.key]);
    } else if (event.key === " ") {
      event.preventDefault();
      if (this.#focus) this.onSpace(this.#focus);
    } else if (event.key === "+" || event.key === "/" || event.key === "\\") {
      event.preventDefault();
      if (this.#focus) this.onKey(event, this.#focus);
    } else this.onKey(event, this.#focus);
  }

  /** Move the focus to the nearest space in a direction. */
  #moveFocus([dx, dy]) {
    if (!this.#focus) return;
    const [x, y] = this.#focus.split(",").map(Number);
    let best = null;
    for (const key of this.#spaces.keys()) {
      const [sx, sy] = key.split(",").map(Number);
      const ahead = (sx - x) * dx + (sy - y) * dy;
      const aside = Math.abs((sx - x) * dy) + Math.abs((sy - y) * dx);
      const cost = ahead + 2.5 * aside;
      if (ahead > 0 && (!best || cost < best.cost)) best = { key, cost };
    }
    if (!best) return;
    for (const space of this.#layer.querySelectorAll("[data-key]")) {
      space.setAttribute("tabindex", space.dataset.key === best.key ? 0 : -1);
    }
    this.focus(best.key);
  }
}

/** A target in a cell for each of one or two colours. */
export function targetMark([x, y], colours) {
  const size = colours.length > 1 ? 11 : 15;
  const circles = colours.flatMap((colour, index) => {
    const place = { cx: x * SIZE + (colours.length > 1 ? 28 * index - 14 : 0), cy: y * SIZE };
    return [["edge", size], ["ring", size * 0.6], ["dot", size * 0.25]].map(([kind, r]) =>
      svg("circle", { ...place, r, class: `${kind} ${colour}` }));
  });
  return svg("g", { class: "target", "aria-hidden": "true" }, ...circles);
}

/** The winner's tracks, all in one halo. */
function wonTracks(tiles, won) {
  return won.flatMap(([colour, run]) => ["halo", colour].flatMap((kind) => run.map((key) => {
    const sides = colour === "white" ? tiles.get(key) : 0xf & ~tiles.get(key);
    return svg("path", { d: trackPath(...key.split(",").map(Number), sides), class: `track ${kind}` });
  })));
}

/** A still picture of tiles, a Map as of tilesOf; `won`, `own` and `forced` are marked. */
export function picture(tiles, { won = [], own = [], forced = [], label }) {
  const keys = [...tiles.keys()].map((key) => key.split(",").map(Number));
  const [left, top] = [0, 1].map((i) => Math.min(...keys.map((key) => key[i])) * SIZE - HALF);
  const [right, bottom] = [0, 1].map((i) => Math.max(...keys.map((key) => key[i])) * SIZE + HALF);
  const [wide, high] = [right - left + 8, bottom - top + 8];
  const scale = Math.min(1, LARGEST_PICTURE / high);
  const root = svg("svg", {
    viewBox: `${left - 4} ${top - 4} ${wide} ${high}`, width: wide * scale, height: high * scale,
    role: "img", "aria-label": label, class: "picture",
  });
  root.append(...tileGroups([...tiles].map(([key, white]) => {
    const kind = own.includes(key) ? "tile own" : forced.includes(key) ? "tile forced" : "tile";
    return { key, white, kind };
  })));
  root.append(...wonTracks(tiles, won));
  return root;
}
