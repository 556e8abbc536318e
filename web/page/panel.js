// What stands around the board: players, clocks, what to do, evaluation, turns, the choice of a tile.

import { targetMark, tilePicture } from "./drawing.js";
import { COLOURS, NAMES, completedBy, endByTurn, moverAfter, other, sentence } from "./game.js";
import { SHAPES, TILES } from "./notation.js";
import { whiteOf } from "./scene.js";
import { TurnStatus, WIN_BOUND, WIN_SCORE } from "./wire.js";

const BAR_POINTS = 400;
const REFUSED = {
  [TurnStatus.FORCED]: "not legal: three tracks of one colour would meet",
  [TurnStatus.AREA]: "not legal: the area is too small",
  [TurnStatus.BOUNDS]: "the device has no room for it",
};

export const byId = (id) => document.getElementById(id);

/** Put other buttons into an element; the focus stays on the one in the same place, or the last. */
export function replaceButtons(parent, children) {
  const at = [...parent.querySelectorAll("button")].indexOf(document.activeElement);
  parent.replaceChildren(...children);
  const buttons = [...parent.querySelectorAll("button")];
  if (at >= 0) (buttons[at] ?? buttons.at(-1))?.focus({ preventScroll: true });
}

/** Show the players of a game, `names` by colour, and who of them is to move, or nobody. */
export function showPlayers(names, mover) {
  for (const colour of COLOURS) {
    const box = byId(`player-${colour}`);
    box.querySelector(".name").textContent = names[colour];
    box.classList.toggle("moving", colour === mover);
  }
}

/** Show the time that each player has left, in milliseconds, if the game has a clock. */
export function showClocks({ clock, left }) {
  for (const colour of COLOURS) {
    const time = byId(`player-${colour}`).querySelector("time");
    time.hidden = !clock;
    const seconds = Math.ceil(left[colour] / 1000);
    time.textContent = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
  }
}

/** Show which buttons can be used. */
export function showButtons({ game, shown, isLive, end, isPaused, isThinking }) {
  const isOfDevices = COLOURS.every((colour) => game.players[colour] !== "you");
  byId("pause").hidden = !isOfDevices;
  byId("pause").setAttribute("aria-pressed", String(isPaused));
  byId("pause").textContent = isPaused ? "Go on" : "Pause";
  byId("move-now").hidden = !isThinking;
  byId("take-back").hidden = Boolean(game.watched);
  // Who has played a game that has ended stays so, also while one looks back.
  byId("swap").hidden = Boolean(game.watched || game.puzzle || game.end || game.over);
  byId("resign").hidden = Boolean(game.watched || end);
  byId("live").hidden = !game.watched || isLive;
  byId("again").hidden = !end || Boolean(game.watched);
  byId("again").textContent = game.puzzle ? "Next puzzle" : "Rematch";
  byId("resign").disabled = !isLive || isOfDevices;
  byId("take-back").disabled = !game.turns.length;
  byId("first").disabled = byId("previous").disabled = shown === 0;
  byId("next").disabled = byId("last").disabled = isLive;
}

/** What there is to say about a game; `played` is a device's last turn, { name, forced }, or null. */
export function statusText({ game, shown, isLive, end, isPaused, played }) {
  const mover = moverAfter(shown);
  const last = played ? `${NAMES[other(mover)]} has played ${played.name}${forcedText(played)}. ` : "";
  const isPerson = game.players[mover] === "you";
  if (end) return game.puzzle ? puzzleEnd(game, end) : sentence(end);
  if (!isLive) {
    return `After turn ${shown} of ${game.turns.length}. A turn from here begins another game.`;
  }
  if (game.watched) return `Live: ${last}${NAMES[mover]} to move.`;
  if (game.puzzle && isPerson) {
    const used = Math.floor((game.turns.length - game.puzzle.start + 1) / 2);
    const left = game.puzzle.own - used;
    return left > 0
      ? `${last}${NAMES[mover]} to move: win in ${left} turn${left > 1 ? "s" : ""} of your own.`
      : "Not won in time: take back, and try another turn.";
  }
  if (isPaused) return `${last}${NAMES[mover]} to move; paused.`;
  if (isPerson && !shown) return `${NAMES[mover]} to move: choose the space.`;
  return last + (isPerson ? `${NAMES[mover]} to move.` : `${NAMES[mover]} is thinking …`);
}

function forcedText({ forced }) {
  return forced ? `, ${forced} forced tile${forced > 1 ? "s" : ""}` : "";
}

function puzzleEnd({ puzzle, players, turns }, end) {
  const winner = { "1-0": "white", "0-1": "red" }[end.result];
  const used = Math.ceil((turns.length - puzzle.start) / 2);
  const isSolved = winner && players[winner] === "you" && used <= puzzle.own;
  return isSolved
    ? `Solved. ${sentence(end)}`
    : `Not solved: take back, and try another turn. ${sentence(end)}`;
}

/** Show the texts of a game's turns, of which one is shown; `step` goes to after so many. */
export function showHistory(texts, shown, step) {
  const items = texts.map((text, index) => {
    const item = document.createElement("li");
    const button = document.createElement("button");
    button.textContent = text;
    if (index + 1 === shown) button.setAttribute("aria-current", "step");
    button.onclick = () => step(index + 1);
    item.append(button);
    return item;
  });
  const list = byId("history");
  replaceButtons(list, items);
  const current = list.querySelector("[aria-current]");
  if (current) list.scrollTop = current.offsetTop - list.clientHeight / 2;
}

/**
 * Show what a search has found after some turns, { score, depth, nodes, turns }, or that there is
 * none. While `names`, those of the variation's turns, are null, the last ones stay.
 */
export function showEvaluation(found, names = null) {
  const bar = byId("bar");
  const show = (share, label, score, line) => {
    bar.firstElementChild.setAttribute("width", `${share}%`);
    bar.setAttribute("aria-label", label);
    byId("score").textContent = score;
    if (line !== undefined) byId("line").textContent = line;
  };
  if (!found) {
    show(50, "No evaluation", "–", "");
    return;
  }
  const white = moverAfter(found.turns.length) === "white" ? found.score : -found.score;
  const isWin = Math.abs(white) >= WIN_BOUND;
  const likely = 100 / (1 + Math.exp(-white / BAR_POINTS));
  const share = isWin ? (white > 0 ? 100 : 0) : likely;
  const better = white >= 0 ? "White" : "Red";
  const text = isWin
    ? `${better} wins in ${WIN_SCORE - Math.abs(white)}` : `${better} +${Math.abs(white)}`;
  const nodes = found.nodes.toLocaleString("en");
  show(share, `Evaluation: ${text}`, `${text} · depth ${found.depth} · ${nodes} nodes`, names?.join("  "));
}

/**
 * Show threats as of threatsOf in words, none if there are none, nothing if they are null. `nameOf(turn)`
 * is a turn's name.
 */
export function showThreats(threats, nameOf) {
  const sample = byId("legend").querySelector("svg");
  if (!sample.childElementCount) sample.append(targetMark([0, 0], ["white"]), targetMark([0.75, 0], ["red"]));
  byId("legend").hidden = !threats?.length;
  const attacks = COLOURS.flatMap((colour) => {
    const ways = ["loop", "line"].flatMap((kind) => {
      // A turn that completes both is said to make a loop.
      const turns = (threats ?? []).filter((each) =>
        each.colour === colour && each.reason.startsWith(kind));
      return turns.length ? [`by a ${kind}: ${turns.map(({ turn }) => nameOf(turn)).sort().join(", ")}`] : [];
    });
    return ways.length ? [`${NAMES[colour]} attacks, to win ${ways.join("; ")}.`] : [];
  });
  byId("threats-text").textContent = threats && (attacks.join(" ") || "Neither player has a threat.");
}

/**
 * Show the tiles of the space that is chosen, { options, option }, and what the turn does; or nothing
 * if `chosen` is null. `nameOf(turn)` is a turn's name, `choose(shape)` chooses another tile.
 */
export function showChooser(chosen, { view, mover, variant, nameOf, choose }) {
  byId("chooser").hidden = !chosen;
  if (!chosen) return;
  replaceButtons(byId("tiles"), SHAPES.map((_, shape) => tileButton(chosen, shape, view, choose)));
  const { option } = chosen;
  const name = nameOf(option.turn);
  const end = endByTurn(option.completed, mover, variant);
  byId("preview-text").textContent = outcome(name, option) + (end ? `. ${sentence(end)}` : "");
  byId("play").textContent = `Play ${name}`;
}

function tileButton({ options, option }, shape, view, choose) {
  const mine = options.find(({ turn }) => turn.shape === shape);
  const isLegal = mine?.status === TurnStatus.LEGAL;
  const why = mine ? REFUSED[mine.status] ?? "" : "does not fit";
  const name = `Tile ${SHAPES[shape]}`;
  const button = document.createElement("button");
  button.append(tilePicture(mine ? whiteOf(view, mine.turn) : TILES[shape][0]));
  Object.assign(button, { type: "button", disabled: !isLegal, title: isLegal ? name : why });
  button.setAttribute("aria-label", isLegal ? name : `${name}: ${why}`);
  button.setAttribute("aria-pressed", String(mine === option));
  button.onclick = () => choose(shape);
  return button;
}

function outcome(name, { tiles, completed }) {
  const forced = tiles - 1;
  const parts = forced ? [`forces ${forced} tile${forced > 1 ? "s" : ""}`] : [];
  for (const [colour, what] of Object.entries(completedBy(completed))) {
    if (what.length) parts.push(`completes ${NAMES[colour]}’s ${what.join(" and ")}`);
  }
  return [name, parts.join(" and ")].filter(Boolean).join(" ");
}
