// A game as the page keeps it: variant, turns, players, clock, end. Rules are the device's.

import { formatTurn, parseTurn } from "./notation.js";
import { Completed, GameFlag, RuleFlag, VARIANTS } from "./wire.js";

/** A game with so many turns is drawn, as in the contest's rules. */
export const TURN_LIMIT = 255;

export const COLOURS = ["white", "red"];
export const NAMES = { white: "White", red: "Red" };
export const other = (colour) => (colour === "white" ? "red" : "white");

const LARGEST_AREA = 255;
/** The most games that the browser keeps; its room for them is a few MB. */
export const MOST_GAMES = 100;
const DRAW = "1/2-1/2";
/** The results that a record can state. */
export const SCORES = ["1-0", "0-1", DRAW, "*"];
const ON_THE_BOARD = ["loop", "line", "loop+line", "both", "blocked"];
const OF_DRAWS = ["both", "blocked", "turn limit", "agreement"];
const REASONS = [
  ...ON_THE_BOARD, ...OF_DRAWS, "resignation", "time", "illegal turn", "fault", "unstated",
];

/** A variant's { area, rules } by its name, which may be `limited-N`; null if there is none. */
export function variantNamed(name) {
  if (Object.hasOwn(VARIANTS, name)) return VARIANTS[name];
  const size = /^limited-([1-9][0-9]{0,2})$/.exec(name)?.[1];
  return size ? { ...VARIANTS.limited, area: Math.min(size, LARGEST_AREA) } : null;
}

/** Who makes the turn after so many. */
export const moverAfter = (turns) => COLOURS[turns % 2];

/** What a turn has completed, for each colour: { white: ["loop"], red: [] }. */
export function completedBy(completed) {
  const parts = { white: [], red: [] };
  if (completed & Completed.WHITE_LOOP) parts.white.push("loop");
  if (completed & Completed.RED_LOOP) parts.red.push("loop");
  if (completed & Completed.WHITE_LINE) parts.white.push("line");
  if (completed & Completed.RED_LINE) parts.red.push("line");
  return parts;
}

/**
 * How a turn ends the game, from what the device says that it completes: { result, reason, colours },
 * or null. `mover` has made it, in a variant { area, rules }.
 */
export function endByTurn(completed, mover, { rules }) {
  const counted = rules & RuleFlag.LINES
    ? completed : completed & (Completed.WHITE_LOOP | Completed.RED_LOOP);
  const parts = completedBy(counted);
  const colours = COLOURS.filter((colour) => parts[colour].length);
  if (!colours.length) return null;
  if (colours.length === 2 && rules & RuleFlag.BOTH_DRAW) {
    return { result: DRAW, reason: "both", colours };
  }
  const winner = colours.length === 2 ? mover : colours[0];
  return { result: resultOf(winner), reason: parts[winner].join("+"), colours: [winner] };
}

export const resultOf = (winner) => (winner === "white" ? "1-0" : "0-1");

/**
 * How a record ends a game after so many turns; null if it does not. Throws an Error if the result, the
 * last word, the tags and `shown` do not agree: the end that the board shows, null if it shows none,
 * undefined if that is not known.
 */
export function endOfRecord({ tags: { Result, Termination }, result, word }, turns, shown) {
  if (Result !== undefined && !SCORES.includes(Result)) throw new Error(`${Result} is not a result`);
  if (Termination !== undefined && !REASONS.includes(Termination)) {
    throw new Error(`${Termination} is not a reason for an end`);
  }
  if (shown && word) throw new Error(`${word} stands behind the end of the game`);
  // A result behind the turns may be left out: the tag says it, too.
  const stated = [result, Result].filter(Boolean);
  let end = shown ?? endByWord(word, turns);
  if (!end && (stated[0] ?? "*") !== "*") {
    end = { result: stated[0], reason: Termination ?? "unstated", colours: [] };
    const isDraw = end.result === DRAW;
    const isOfThese = end.reason === "unstated" || OF_DRAWS.includes(end.reason) === isDraw;
    const isSeen = shown === undefined || !ON_THE_BOARD.includes(end.reason);
    if (!isOfThese || !isSeen) throw new Error(`${end.reason} does not end the game with ${end.result}`);
  }
  const wrong = stated.find((each) => each !== (end?.result ?? "*"));
  if (wrong) throw new Error(`expected the result ${end?.result ?? "*"}, found ${wrong}`);
  if (Termination !== undefined && Termination !== end?.reason) {
    throw new Error(`the game does not end by ${Termination}`);
  }
  return end;
}

/** The end by a word for the player to move, or null. */
function endByWord(word, turns) {
  if (word === "DRAW") return { result: DRAW, reason: "agreement", colours: [] };
  const reason = { RESIGN: "resignation", TIME: "time", ILLEGAL: "illegal turn" }[word];
  return reason ? { result: resultOf(other(moverAfter(turns))), reason, colours: [] } : null;
}

/** How a position after so many turns ends the game, as the device says; null if it goes on. */
export function endOf(view, turns, variant) {
  const isOver = (view.state & GameFlag.OVER) !== 0;
  const mover = other(moverAfter(turns));
  if (isOver) {
    const end = endByTurn(view.last?.completed ?? 0, mover, variant);
    return end ?? { result: DRAW, reason: "blocked", colours: [] };
  }
  return turns >= TURN_LIMIT ? { result: DRAW, reason: "turn limit", colours: [] } : null;
}

/** The end of a game as a sentence. */
export function sentence({ result, reason }) {
  if (result === DRAW) {
    const why = {
      both: "both colours have completed a loop or line",
      blocked: "no legal turn is left",
      "turn limit": `${TURN_LIMIT} turns were made`,
      agreement: "both players agree",
    }[reason];
    return why ? `Drawn: ${why}.` : "Drawn.";
  }
  const winner = result === "1-0" ? "White" : "Red";
  const loser = result === "1-0" ? "Red" : "White";
  const how = {
    loop: "with a loop", line: "with a line", "loop+line": "with a loop and a line",
    resignation: `as ${loser} has resigned`, time: `as ${loser}'s time is over`,
    "illegal turn": `as ${loser} has made an illegal turn`,
  }[reason];
  return how ? `${winner} wins ${how}.` : `${winner} wins.`;
}

/** The date here, as 2026-01-31. */
function today() {
  const now = new Date();
  const parts = [now.getFullYear(), now.getMonth() + 1, now.getDate()];
  return parts.map((part) => String(part).padStart(2, "0")).join("-");
}

/** A name that no other game has, nor another state of one. */
export const newId = () => Date.now().toString(36) + Math.random().toString(36).slice(2, 6);

/** A new game. `clock` is null or { minutes, increment } with seconds for each turn. */
export function newGame({
  variant = "standard", players = { white: "you", red: "you" }, level, clock = null, turns = [],
  puzzle = null, watched = null,
} = {}) {
  const left = clock ? clock.minutes * 60000 : 0;
  return {
    id: newId(),
    kept: null, // the state in which it was put among the games that were left
    date: today(),
    variant, players, level, clock, puzzle, turns,
    watched, // of a game in play elsewhere: { name, names }, the file and the players
    names: null, // of those who played, { white, red }, as far as a record has them
    isUndated: false, // a record without a date
    tags: {}, // what else a record says, by name
    comments: [], // its remarks: lists by the number of turns before them
    old: [], // the turns in the old notation, as far as they were asked for
    left: { white: left, red: left },
    end: null, // only what the device cannot know: resignation, time
    over: null, // the end by the last turn, once the device has said it
  };
}

/** The time of each player of a game that goes on: who had none left gets it anew. */
export function leftAgain({ clock, left }) {
  const whole = clock ? clock.minutes * 60000 : 0;
  return Object.fromEntries(COLOURS.map((colour) => [colour, left[colour] || whole]));
}

/** Whether a game has only what another one has, too. */
export function isPartOf(game, another) {
  const [part, whole] = [game, another].map(({ turns, end }) =>
    [...turns.map(formatTurn), ...(end ? [end.reason] : [])]);
  return part.every((word, index) => word === whole[index]);
}

const TILDE = /~/g;

/** A game as the part of an address behind `#`: variant, then turns, `~` for `\`. */
export function toHash(variant, turns) {
  return `${variant}:${turns.map(formatTurn).join(",").replace(/\\/g, "~")}`;
}

/** The { variant, turns } of such a part, or null. */
export function fromHash(hash) {
  const found = /^#?([a-z0-9-]+):([^:]*)$/.exec(safeDecode(hash));
  if (!found || !variantNamed(found[1])) return null;
  const words = found[2].replace(TILDE, "\\").split(",").filter(Boolean);
  const turns = words.map(parseTurn);
  return turns.every(Boolean) ? { variant: found[1], turns } : null;
}

function safeDecode(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Values by name in a storage of the browser, which may refuse: the page works without. */
const storeIn = (storage) => ({
  get(name, fallback) {
    try {
      return JSON.parse(storage().getItem(`loopline.${name}`)) ?? fallback;
    } catch {
      return fallback;
    }
  },
  /** Return whether the value is kept. */
  set(name, value) {
    try {
      storage().setItem(`loopline.${name}`, JSON.stringify(value));
      return true;
    } catch {
      return false;
    }
  },
});

/** What the page keeps in the browser. */
export const store = storeIn(() => localStorage);
/** What it keeps for this tab alone. */
export const tabStore = storeIn(() => sessionStorage);
