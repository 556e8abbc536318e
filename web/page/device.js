// A device by frames: commands with retries, and questions about any position.

import { FrameError, FrameReader, packFrame, packPayload, unpackPayload } from "./frames.js";
import {
  ANSWERS, COMMANDS, Command, ErrorCode, Feature, GameFlag, MAGIC, PROTOCOL, SEQUENCES, STORED,
  TurnStatus,
} from "./wire.js";

const ANSWER = 0x80;
const AFTER_DAMAGE_MS = 50;
const AGAIN_MS = 1000;
const MOST_TURNS = COMMANDS[Command.PLAY].repeated[2];
const MOST_BACK = 255;
const MOST_DEPTH = 255;
// Frames that were damaged or lost on the line are sent again.
const LINE_ERRORS = new Set([
  ErrorCode.DAMAGED, ErrorCode.FRAMING, ErrorCode.TOO_LONG, ErrorCode.CUT, ErrorCode.OVERRUN,
]);
// The device has lost its game, or has a search that is not waited for: another game mends both.
const RESETS = new Set([ErrorCode.NO_GAME, ErrorCode.DROPPED, ErrorCode.BUSY]);
// The time without an answer after which a command is sent again, and after which the device counts
// as silent. A program may be built before its first answer, for BUILD_SECONDS of host.transport.
const PATIENCE = { program: [5000, 120000], board: [300, 3000] };
const STARTING_MS = { program: 660000, board: 3000 };

const nameOf = (codes, value) => Object.keys(codes).find((name) => codes[name] === value) ?? value;
const later = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** The device, or the way to it, has failed. */
export class DeviceError extends Error {}

/** The connection was lost, or the device is silent. */
class GoneError extends DeviceError {}

/** The device has not obeyed a command; `code` says why. */
class RefusedError extends DeviceError {
  constructor(command, code) {
    super(`the device refuses ${nameOf(Command, command)}: ${nameOf(ErrorCode, code)}`);
    this.code = code;
  }
}

/** A turn is refused: the one with this index, with this TurnStatus. */
export class TurnError extends Error {
  constructor(index, status) {
    super(`turn ${index + 1} is refused: ${nameOf(TurnStatus, status)}`);
    this.index = index;
    this.status = status;
  }
}

/** Commands on a line, one at a time, each up to its last answer. */
class Exchange {
  #transport;
  #reader = new FrameReader();
  #sequence = Math.floor(Math.random() * SEQUENCES);
  #asked = null;
  #patience;
  #starting;

  constructor(transport) {
    const kind = transport.isProgram ? "program" : "board";
    this.#transport = transport;
    this.#patience = PATIENCE[kind];
    this.#starting = STARTING_MS[kind];
    transport.received = (bytes) => {
      for (const event of this.#reader.feed(bytes)) this.#asked?.heard(event);
    };
    transport.gone = (reason) => this.#asked?.fail(new GoneError(reason));
  }

  /**
   * Send a command; resolve to { items, answer }. `onItem(value)` takes the answers before the last
   * one. `stopped` is a promise: once it is settled, a search is stopped. `starting`: it is the first
   * command, which may take longer. A silent device is closed, as if its connection were lost.
   */
  ask(command, values = {}, { onItem, stopped, starting = false } = {}) {
    const payload = packPayload(COMMANDS[command], values);
    const [retry, usual] = this.#patience;
    const limit = starting ? this.#starting : usual;
    return new Promise((resolve, reject) => {
      let sequence = -1;
      let items = [];
      let wait = retry;
      let timer = 0;
      let deadline = 0;
      let isStopping = false;
      const end = (action, value) => {
        clearTimeout(timer);
        clearTimeout(deadline);
        this.#asked = null;
        action(value);
      };
      // Of its own: whatever comes that is no answer moves the next try, but not the end.
      const expect = () => {
        clearTimeout(deadline);
        deadline = setTimeout(async () => {
          clearTimeout(timer);
          await this.#transport.close();
          this.#transport.gone("the device does not answer");
        }, limit);
      };
      const again = (ms) => {
        clearTimeout(timer);
        timer = setTimeout(() => {
          send();
          wait = Math.min(2 * wait, limit);
          again(wait);
        }, ms);
      };
      const send = () => {
        if (sequence < 0 || !STORED[command]) {
          sequence = this.#next();
          items = [];
        }
        this.#transport.write(packFrame(sequence, command, payload));
      };
      const heard = (event) => {
        if (event instanceof FrameError) return again(AFTER_DAMAGE_MS);
        const isError = event.code === ANSWER;
        const message = ANSWERS[event.code];
        if (!message || (!isError && (event.code & 0x1f) !== command)) return;
        let value;
        try {
          value = unpackPayload(message, event.payload);
        } catch (error) {
          return event.sequence === sequence ? end(reject, new DeviceError(error.message)) : null;
        }
        if (isError && LINE_ERRORS.has(value.error)) return again(AFTER_DAMAGE_MS);
        if (event.sequence !== sequence || (isError && value.command !== command)) return;
        if (isError) return end(reject, new RefusedError(command, value.error));
        if (event.code === (ANSWER | command)) return end(resolve, { items, answer: value });
        wait = retry;
        again(wait);
        if (!isStopping) expect();
        value.kind = message.name;
        // A search reports without an end: only what it said last counts.
        if (command !== Command.SEARCH) items.push(value);
        onItem?.(value);
      };
      this.#asked = { heard, fail: (error) => end(reject, error) };
      send();
      again(wait);
      expect();
      stopped?.then(async () => {
        isStopping = true;
        while (this.#asked?.heard === heard) {
          this.#transport.write(packFrame(this.#next(), Command.STOP));
          await later(retry);
        }
      });
    });
  }

  #next() {
    this.#sequence = (this.#sequence + 1) % SEQUENCES;
    return this.#sequence;
  }
}

/**
 * A device that is asked about positions: a variant, { area, rules }, and turns from the beginning.
 *
 * Questions wait for each other. A background search gives way to any other question. After a lost
 * connection the device is opened again, and the question under way, if any, is repeated.
 *
 * `onState(state, text)` takes "connecting", "ready" and "lost".
 */
export class Device {
  identity = null;
  onState = () => {};
  #transport;
  #exchange;
  #isOpen = false; // and has said who it is
  #known = null; // the game on the device
  #queue = Promise.resolve();
  #background = null;

  constructor(name, transport) {
    this.name = name;
    this.#transport = transport;
    this.#exchange = new Exchange(transport);
    const gone = transport.gone;
    transport.gone = (reason) => {
      const wasOpen = this.#isOpen;
      this.#isOpen = false;
      this.onState("lost", reason);
      gone(reason);
      // Behind the question under way, which has opened it again then.
      if (wasOpen) this.#queue = this.#queue.then(() => this.#isOpen || this.#connect(false));
    };
  }

  /** Open the device and ask who it is; throws if that fails. */
  open() {
    return this.#alone(() => {}, true);
  }

  /**
   * What there is to see after these turns: { state, turns, columns, rows, cells, spaces,
   * candidates, last }. `last` is the answer to the last turn, null if there is none. Without
   * `withCandidates` there are none. Throws TurnError.
   */
  look(variant, turns, { withCandidates = true } = {}) {
    return this.#alone(async () => {
      const last = await this.#go(variant, turns);
      const { items, answer } = await this.#exchange.ask(Command.POSITION);
      const cells = items.filter(({ kind }) => kind === "ROW").map((row) => row.cells);
      const spaces = items.filter(({ kind }) => kind === "SPACE");
      const isOver = (answer.state & GameFlag.OVER) !== 0;
      let candidates = [];
      if (withCandidates && !isOver) {
        candidates = (await this.#exchange.ask(Command.LIST)).items;
      }
      return { ...answer, cells, spaces, candidates, last };
    });
  }

  /**
   * The best turn after these turns: { verdict, score, depth, nodes, cycles, variation }. Limits are
   * `nodes` and `seconds` by this page's clock. `report` takes the same before the end.
   * `signal` is an AbortSignal, which stops the search with the best turn so far. A `background`
   * search ends when anything else is asked, and resolves to null then.
   */
  search(variant, turns, { nodes = 0, seconds = 0, report, signal, background }) {
    let stop;
    let gaveWay = false;
    const stopped = new Promise((resolve) => (stop = resolve));
    if (signal?.aborted) stop();
    signal?.addEventListener("abort", stop);
    const give = () => {
      gaveWay = true;
      stop();
    };
    const found = this.#alone(async () => {
      if (background) {
        if (gaveWay) return null;
        this.#background = give;
      }
      const timer = seconds ? setTimeout(stop, 1000 * seconds) : 0;
      try {
        await this.#go(variant, turns);
        const limits = { depth: nodes ? 0 : MOST_DEPTH, nodes, cycles: 0 };
        const options = { onItem: report, stopped };
        const { answer } = await this.#exchange.ask(Command.SEARCH, limits, options);
        return gaveWay ? null : answer;
      } finally {
        clearTimeout(timer);
        if (this.#background === give) this.#background = null;
      }
    });
    return found;
  }

  /** Run questions alone; again after a lost connection, and after the device has lost its game. */
  #alone(action, once = false) {
    this.#background?.();
    const result = this.#queue.then(async () => {
      for (let attempt = 0; ; ++attempt) {
        try {
          if (!this.#isOpen) await this.#connect(once);
          return await action();
        } catch (error) {
          const isLost = error instanceof GoneError && !once;
          const isReset = error instanceof RefusedError && RESETS.has(error.code);
          this.#known = null;
          if (!(isLost || (isReset && attempt < 2))) throw error;
          // The question itself may be what the device fails at.
          if (isLost && attempt) await later(AGAIN_MS);
        }
      }
    });
    this.#queue = result.catch(() => {});
    return result;
  }

  async #connect(once) {
    for (;;) {
      this.onState("connecting", "");
      try {
        await this.#transport.open();
        await this.#greet();
        this.#isOpen = true;
        this.onState("ready", "");
        return;
      } catch (error) {
        await this.#transport.close();
        if (once) throw error;
        this.onState("lost", error.message);
        await later(AGAIN_MS);
      }
    }
  }

  async #greet() {
    this.#known = null;
    const { answer } = await this.#exchange.ask(Command.IDENTIFY, {}, { starting: true });
    if (answer.magic !== MAGIC) throw new DeviceError("there is another kind of device");
    if (answer.protocol !== PROTOCOL) {
      throw new DeviceError(`the device speaks version ${answer.protocol} of the link, ` +
        `this page version ${PROTOCOL}`);
    }
    const needed = Feature.LIST | Feature.POSITION | Feature.SEARCH;
    if ((answer.features & needed) !== needed) {
      throw new DeviceError("the device is too small: it cannot list turns or positions");
    }
    await this.#exchange.ask(Command.STOP);
    this.identity = answer;
  }

  /** Have the device's game be this one, with as few turns as possible; return the last answer. */
  async #go(variant, turns) {
    const known = this.#known;
    const isSame = known && known.area === variant.area && known.rules === variant.rules;
    let common = 0;
    if (isSame) {
      while (common < Math.min(known.turns.length, turns.length) &&
        equal(known.turns[common], turns[common])) ++common;
    }
    this.#known = null; // until it is known again
    let last = isSame && common === turns.length && known.turns.length === common
      ? known.last : null;
    // The answer to the last turn is wanted, too: it is made again.
    if (common && common === turns.length && !last) --common;
    if (!isSame || !(await this.#takeBack(known.turns.length - common))) {
      await this.#exchange.ask(Command.NEW_GAME, { ...variant, turns: [] });
      common = 0;
    }
    while (common < turns.length) {
      const part = turns.slice(common, common + MOST_TURNS);
      last = (await this.#exchange.ask(Command.PLAY, { turns: part })).answer;
      common += last.made;
      if (last.status !== TurnStatus.LEGAL) throw new TurnError(common, last.status);
    }
    this.#known = { ...variant, turns: turns.slice(), last };
    return last;
  }

  async #takeBack(count) {
    try {
      for (; count > 0; count -= MOST_BACK) {
        await this.#exchange.ask(Command.TAKE_BACK, { count: Math.min(count, MOST_BACK) });
      }
    } catch (error) {
      if (error instanceof RefusedError && error.code === ErrorCode.NOTHING) return false;
      throw error;
    }
    return true;
  }
}

function equal(a, b) {
  return a.column === b.column && a.row === b.row && a.shape === b.shape;
}
