// A game in play that `loopline serve --watch` shows.

import { endOfRecord, variantNamed } from "./game.js";
import { parseTurn } from "./notation.js";
import { readRecords } from "./records.js";

const AGAIN_MS = 1000;

/** The last game of a text: { variant, turns, names, end }, or null if it has no turn. Throws Error. */
export function readLive(text) {
  const record = readRecords(text).at(-1);
  if (!record) return null;
  const { tags, words, error } = record;
  if (error) throw new Error(error);
  if (!words.length) return null;
  const variant = tags.Variant ?? "standard";
  if (!variantNamed(variant)) throw new Error(`${variant} is not a variant`);
  const turns = words.map(parseTurn);
  const wrong = turns.indexOf(null);
  if (wrong >= 0) throw new Error(`turn ${wrong + 1}, ${words[wrong]}, is no turn`);
  const names = { white: tags.White ?? "White", red: tags.Red ?? "Red" };
  return { variant, turns, names, end: endOfRecord(record, turns.length) };
}

/**
 * Follows a game in play. `onGame(game)` takes it as of readLive, each time that it has changed;
 * `onProblem(text)` takes why nothing is seen, or nothing if that is over. A lost connection is tried
 * again each second.
 */
export class LiveGame {
  #address;
  #socket = null;
  #timer = 0;
  #onGame;
  #onProblem;

  constructor(address, onGame, onProblem) {
    this.#address = address;
    this.#onGame = onGame;
    this.#onProblem = onProblem;
    this.#open();
  }

  close() {
    clearTimeout(this.#timer);
    const socket = this.#socket;
    this.#socket = null;
    socket?.close();
  }

  #open() {
    const socket = new WebSocket(this.#address);
    this.#socket = socket;
    socket.onmessage = ({ data }) => {
      if (this.#socket === socket) this.#take(JSON.parse(data));
    };
    socket.onclose = ({ reason }) => {
      if (this.#socket !== socket) return;
      this.#onProblem(`${reason || "The connection to the server is lost"}; it is tried again.`);
      this.#timer = setTimeout(() => this.#open(), AGAIN_MS);
    };
  }

  #take({ record, problem }) {
    try {
      const game = problem ? null : readLive(record);
      this.#onProblem(problem ? `${problem}.` : game ? "" : "No turn has been made yet.");
      if (game) this.#onGame(game);
    } catch (error) {
      this.#onProblem(`The record cannot be shown: ${error.message}.`);
    }
  }
}
