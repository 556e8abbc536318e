// The page: a game on the board, its players, and everything around it.

import { DeviceError, TurnError } from "./device.js";
import { Devices } from "./devices.js";
import { dialogs } from "./dialogs.js";
import { BoardDrawing } from "./drawing.js";
import {
  COLOURS, MOST_GAMES, endOf, fromHash, isPartOf, leftAgain, moverAfter, newGame, newId, other,
  resultOf, store, tabStore, toHash, variantNamed,
} from "./game.js";
import { LiveGame } from "./live.js";
import { SHAPES, formatOldTurn, formatTurn } from "./notation.js";
import {
  byId, showButtons, showChooser, showClocks, showEvaluation, showHistory, showPlayers, showThreats, statusText,
} from "./panel.js";
import { formatRecord } from "./records.js";
import { addedTiles, describe, optionsAt, sceneOf, threatsOf } from "./scene.js";
import { TurnStatus, Verdict } from "./wire.js";

const TICK_MS = 200;
/** While a clock runs, the time that is left is kept so often. */
const SAVE_MS = 5000;
const MOST_VIEWS = 600;
const EVALUATION_SECONDS = 60;
/** Strengths: the limit of a search. */
const LEVELS = {
  beginner: { amount: 10, unit: "nodes" },
  easy: { amount: 100, unit: "nodes" },
  medium: { amount: 1000, unit: "nodes" },
  strong: { amount: 3, unit: "seconds" },
  strongest: { amount: 15, unit: "seconds" },
};

const isTooLarge = (error) => error instanceof TurnError && error.status === TurnStatus.BOUNDS;

class App {
  devices = new Devices();
  settings = {
    notation: "standard", theme: "auto", threats: false, evaluate: false, letters: true,
    ...store.get("settings", {}),
  };
  game = null;
  cursor = null; // how many turns are shown; null: all
  view = null;
  #views = new Map();
  #epoch = 0;
  #chosen = null; // { key, options, index, preview }
  #thinking = null; // the AbortController of a player's search
  #evaluation = null;
  #evaluating = null;
  #isNaming = false;
  #paused = false;
  #live = null; // the LiveGame that is followed
  #latest = null; // what it said last
  #problem = ""; // why it says nothing
  #ticked = performance.now();
  #savedAt = 0;
  #board = new BoardDrawing(byId("board"));

  async start() {
    this.#listen();
    setInterval(() => this.#tick(), TICK_MS);
    this.applySettings();
    this.devices.onChange = () => this.#deviceChanged();
    await this.devices.find();
    this.#deviceChanged();
    // A new tab goes on with the game of the last one.
    const saved = tabStore.get("current", null) ?? store.get("current", null);
    if (saved && variantNamed(saved.variant)) this.game = saved;
    if (this.#beginShared()) return;
    const watched = this.devices.live.find(({ name }) => name === this.game?.watched?.name);
    if (watched) this.watch(watched);
    else if (this.game) this.begin({ ...this.game, watched: null });
    else {
      const players = { white: "you", red: this.devices.first()?.id ?? "you" };
      this.begin(newGame({ players, level: LEVELS.easy }));
      if (!store.get("guided", false)) dialogs.rules();
    }
  }

  /** Begin the game of the address, if it has one; `#live` is the game in play. */
  #beginShared() {
    const shared = fromHash(location.hash);
    const live = location.hash === "#live" ? this.devices.live[0] : null;
    if (!shared && !live) return false;
    // When the page is reloaded, the game goes on from where it is then.
    history.replaceState(null, "", location.pathname + location.search);
    if (live) this.watch(live);
    else this.begin(newGame(shared));
    return true;
  }

  // Games.

  get rules() {
    return variantNamed(this.game.variant);
  }

  get shown() {
    return this.cursor ?? this.game.turns.length;
  }

  get isLive() {
    return this.cursor === null;
  }

  begin(game, { keep = true } = {}) {
    const isKept = !keep || !this.game || this.isInPlay(game) || this.keepGame();
    if (!game.watched) this.#stopWatching();
    for (const colour of COLOURS) {
      if (game.players[colour] !== "you" && !this.devices.get(game.players[colour])) {
        game.players[colour] = this.devices.first()?.id ?? "you";
      }
    }
    this.#abort();
    this.game = game;
    this.cursor = null;
    this.view = null;
    this.#evaluation = null;
    this.#paused = false;
    this.#views.clear();
    this.#board.clear();
    this.#board.fit();
    this.#ticked = performance.now();
    this.#refreshAfter(isKept);
  }

  /** Whether a kept game is the one in play; not if another tab has kept it since. */
  isInPlay({ id, kept }) {
    return this.game.id === id && this.game.kept === kept;
  }

  /** Put the game among the games that were left; return whether it is there. */
  keepGame() {
    const { game } = this;
    if (game.turns.length < 2 || game.watched) return true;
    const all = store.get("games", []);
    // Another tab may have gone on with this game.
    const kept = all.find(({ id }) => id === game.id);
    if (kept && isPartOf(game, kept) && !isPartOf(kept, game)) return true;
    // If it has done so in another way, these are two games.
    if (kept && !this.isInPlay(kept) && !isPartOf(kept, game)) game.id = newId();
    game.kept = newId();
    const games = [game, ...all.filter(({ id }) => id !== game.id)].slice(0, MOST_GAMES);
    // Where the browser's storage is full, the oldest ones make room.
    while (games.length && !store.set("games", games)) games.pop();
    return games.length > 0;
  }

  /** Show the game as it is now; `isKept` says what became of the one before. */
  #refreshAfter(isKept) {
    const shown = this.refresh();
    if (isKept) return;
    shown.then(() => this.say("The browser has no room for the last game: it is not among the games."));
  }

  // A game in play elsewhere.

  /** Follow a game in play, an entry of Devices.live. */
  watch({ name, address }) {
    this.#stopWatching();
    this.begin(newGame({ watched: { name, names: { white: "White", red: "Red" } } }));
    const told = (text) => {
      this.#problem = text;
      this.#panel();
    };
    this.#live = new LiveGame(address, (found) => this.#follow(found), told);
  }

  #stopWatching() {
    this.#live?.close();
    this.#live = this.#latest = null;
    this.#problem = "";
  }

  /** Go on with what is known of the game in play, or with the next one; not while one looks back. */
  #follow({ variant, turns, names, end }) {
    this.#latest = { variant, turns, names, end };
    const { game } = this;
    const isOn = game.variant === variant && game.turns.length &&
      COLOURS.every((colour) => game.watched.names[colour] === names[colour]) &&
      game.turns.every((turn, index) => turns[index] && formatTurn(turn) === formatTurn(turns[index]));
    if (isOn) Object.assign(game, { turns, end });
    else if (this.isLive) {
      const watched = { ...game.watched, names };
      this.begin({ ...newGame({ variant, turns, watched }), end });
      return;
    }
    if (this.isLive) this.refresh();
    else this.#panel();
  }

  #backToLive() {
    this.cursor = null;
    if (this.#latest) this.#follow(this.#latest);
    else this.refresh();
  }

  /** The tab may be closed: a new one goes on with the game of another tab, if that is the last. */
  #part() {
    const last = store.get("current", null);
    if (last?.id !== this.game.id || !isPartOf(this.game, last)) this.keepGame();
    this.#save();
  }

  /** Keep the game for this tab alone, with the time that is left. */
  #save() {
    tabStore.set("current", this.game);
    this.#savedAt = performance.now();
  }

  #abort() {
    this.#thinking?.abort();
    this.#thinking = null;
    this.#evaluating?.abort();
    this.#evaluating = null;
    this.#chosen = null;
    ++this.#epoch;
  }

  /** Look at a position of a game, whatever is shown; the answers are kept. */
  async look(turns, withCandidates = true, { variant, players } = this.game) {
    const key = `${variant} ${turns.map(formatTurn).join(" ")}`;
    const known = this.#views.get(key);
    if (known && (known.hasCandidates || !withCandidates)) return known;
    const device = this.devices.rules(players);
    if (!device) throw new DeviceError("there is no device: connect a board with “Devices”");
    // One object for a position: candidates that are asked for later are for all who have it.
    const found = await device.look(variantNamed(variant), turns, { withCandidates });
    const earlier = this.#views.get(key);
    if (earlier && !withCandidates) return earlier;
    const view = Object.assign(earlier ?? {}, found, { hasCandidates: withCandidates });
    if (this.#views.size > MOST_VIEWS) this.#views.clear();
    this.#views.set(key, view);
    return view;
  }

  /** Show the game as it is now, and let the player who is to move go on. */
  async refresh() {
    this.#abort();
    const epoch = this.#epoch;
    this.#save();
    store.set("current", this.game);
    this.#panel();
    const turns = this.game.turns.slice(0, this.shown);
    try {
      const isPerson = this.game.players[moverAfter(turns.length)] === "you";
      const view = await this.look(turns, !this.isLive || isPerson || this.settings.threats);
      const before = turns.length ? await this.look(turns.slice(0, -1), false) : null;
      await this.#nameTurns().catch((error) => {
        if (!isTooLarge(error)) throw error;
      });
      if (epoch !== this.#epoch) return;
      this.view = view;
      this.before = before;
      if (this.isLive) this.game.over = this.end;
    } catch (error) {
      if (epoch === this.#epoch) this.#failed(error);
      return;
    }
    this.#draw();
    this.#panel();
    this.#goOn();
  }

  #failed(error) {
    if (error instanceof TurnError) {
      // A turn that was being looked at, and is none any more.
      if (error.index >= this.game.turns.length) return this.cancel();
      const name = `${error.index + 1}, ${formatTurn(this.game.turns[error.index])}`;
      let said = `Turn ${name}, is not legal`;
      if (isTooLarge(error)) {
        // The turns are kept: another device may have room for them.
        said = `The device has no room for turn ${name}`;
        this.cursor = error.index;
      } else {
        this.game.turns.length = error.index;
        this.cursor = null;
      }
      this.refresh().then(() => this.say(`${said}: the game is shown up to it.`));
      return;
    }
    if (!(error instanceof DeviceError)) console.error(error);
    this.say(error.message);
  }

  /** The game's turns in the old notation, if it is wanted. */
  async #nameTurns() {
    const { game } = this;
    const { old, turns } = game;
    if (this.settings.notation !== "old") return;
    for (let index = 0; index < turns.length; ++index) {
      const view = await this.look(turns.slice(0, index), false);
      if (game.turns !== turns) return; // Turns were taken back, or made.
      old[index] ??= formatOldTurn(view, turns[index]);
    }
  }

  textOf(index) {
    const { game, settings } = this;
    return (settings.notation === "old" && game.old[index]) || formatTurn(game.turns[index]);
  }

  get end() {
    const { game, view } = this;
    if (!this.isLive) return null;
    return game.end ?? (view ? endOf(view, game.turns.length, this.rules) : null);
  }

  /** Let a device make its turn, or evaluate. */
  #goOn() {
    const colour = moverAfter(this.game.turns.length);
    const entry = this.devices.get(this.game.players[colour]);
    if (this.isLive && !this.end && entry && !this.#paused) this.#think(entry);
    else if (this.settings.evaluate && !(this.isLive && this.end)) this.#evaluate();
  }

  async #think(entry) {
    const epoch = this.#epoch;
    const controller = (this.#thinking = new AbortController());
    const { turns, level = LEVELS.easy } = this.game;
    const limits = { [level.unit]: level.amount };
    this.#panel();
    try {
      const report = (found) => epoch === this.#epoch && this.#evaluated(found, turns);
      const device = this.devices.searcher(entry);
      const best = await device.search(this.rules, turns.slice(), { ...limits, report, signal: controller.signal });
      if (epoch !== this.#epoch) return;
      const [turn] = best.variation;
      if (!turn) throw new DeviceError(`${entry.name} has found no turn`);
      this.#evaluated(best, turns);
      this.play(turn);
    } catch (error) {
      if (epoch !== this.#epoch) return;
      this.#thinking = null;
      this.#panel();
      this.#failed(error);
    }
  }

  async #evaluate() {
    const epoch = this.#epoch;
    const entry = this.devices.get("board") ?? this.devices.first();
    if (!entry) return;
    const controller = (this.#evaluating = new AbortController());
    const turns = this.game.turns.slice(0, this.shown);
    const device = this.devices.searcher(entry);
    // A question would end the search of a device that also answers questions.
    const canAsk = device !== this.devices.rules(this.game.players);
    const report = (found) => epoch === this.#epoch && this.#evaluated(found, turns, canAsk);
    try {
      const best = await device.search(this.rules, turns, {
        seconds: EVALUATION_SECONDS, report, signal: controller.signal, background: true,
      });
      if (best && epoch === this.#epoch) this.#evaluated(best, turns, canAsk);
    } catch (error) {
      if (epoch === this.#epoch) this.#failed(error);
    }
  }

  /** Show what is found after some turns; `canAsk`: the rules can be asked while it is searched. */
  #evaluated(found, turns, canAsk = true) {
    if (found.verdict === Verdict.NONE || found.verdict === Verdict.UNKNOWN) return;
    this.#evaluation = { ...found, turns, canAsk, old: null };
    this.#showEvaluation();
    if (!this.#chosen && turns.length === this.shown) this.#draw();
  }

  /** Show what a search has found of the position that is shown, or of the one before its last turn. */
  #showEvaluation() {
    const found = this.#evaluation;
    const isOfThis = found && this.shown - found.turns.length <= 1 && found.turns.every((turn, index) =>
      index < this.shown && formatTurn(turn) === formatTurn(this.game.turns[index]));
    if (!isOfThis) return showEvaluation(null);
    const isOld = this.settings.notation === "old" && found.canAsk;
    showEvaluation(found, isOld ? found.old : found.variation.map(formatTurn));
    if (isOld && !found.old) this.#nameLine();
  }

  /** Name the turns that a search has found in the old notation, which needs their positions. */
  async #nameLine() {
    if (this.#isNaming) return;
    this.#isNaming = true;
    for (let found = this.#evaluation; found?.canAsk && !found.old; found = this.#evaluation) {
      const { turns, variation } = found;
      const names = [];
      try {
        for (const [index, turn] of variation.entries()) {
          names.push(formatOldTurn(await this.look([...turns, ...variation.slice(0, index)], false), turn));
        }
        found.old = names;
      } catch {
        found.old = variation.map(formatTurn);
      }
    }
    this.#isNaming = false;
    this.#showEvaluation();
  }

  /** Make a turn, which is legal: by a person or a device. */
  play(turn) {
    const { game } = this;
    let isKept = true;
    if (!this.isLive) {
      // From an earlier position another game begins, between the same players.
      const turns = game.turns.slice(0, this.cursor);
      isKept = this.keepGame();
      this.#stopWatching();
      this.game = newGame({ ...game, turns, puzzle: null, watched: null });
      this.game.left = leftAgain(game);
      this.cursor = null;
    }
    this.game.names = null;
    this.game.isUndated = false;
    this.game.tags = {};
    const mover = moverAfter(this.game.turns.length);
    if (this.game.clock && this.game.turns.length) this.game.left[mover] += 1000 * this.game.clock.increment;
    this.game.turns = [...this.game.turns, turn];
    this.#ticked = performance.now();
    this.#refreshAfter(isKept);
  }

  takeBack() {
    const { game } = this;
    if (game.watched) return;
    if (!this.isLive) return this.step(this.game.turns.length);
    const isPerson = (count) => game.players[moverAfter(count)] === "you";
    const first = game.puzzle?.start ?? 0;
    let count = game.turns.length - (game.end ? 0 : 1);
    if (!isPerson(0) && !isPerson(1)) this.#paused = true;
    else while (count > first && !isPerson(count)) --count;
    if (count < first || !isPerson(count) && !this.#paused) return this.say("There is no turn of yours to take back.");
    game.turns = game.turns.slice(0, count);
    game.left = leftAgain(game);
    game.old.length = Math.min(game.old.length, count);
    game.comments = game.comments?.slice(0, count + 1);
    game.end = game.over = null;
    this.refresh();
  }

  resign() {
    if (this.end || !this.isLive) return;
    const mover = moverAfter(this.game.turns.length);
    const loser = this.game.players[mover] === "you" ? mover : other(mover);
    this.game.end = { result: resultOf(other(loser)), reason: "resignation", colours: [] };
    this.refresh();
  }

  /** Begin a game with exchanged colours, or the next puzzle. */
  again() {
    const { game } = this;
    if (game.puzzle) return dialogs.nextPuzzle();
    const { white, red } = game.players;
    this.begin(newGame({ ...game, turns: [], players: { white: red, red: white } }));
  }

  swap() {
    const { white, red } = this.game.players;
    this.game.players = { white: red, red: white };
    this.refresh();
  }

  pause() {
    this.#paused = !this.#paused;
    this.refresh();
  }

  moveNow() {
    this.#thinking?.abort();
  }

  step(count) {
    const last = this.game.turns.length;
    const next = Math.max(0, Math.min(last, count));
    if (next === this.shown && this.isLive === (next === last)) return;
    if (this.game.watched && next === last) return this.#backToLive();
    this.cursor = next === last ? null : next;
    this.refresh();
  }

  #tick() {
    const now = performance.now();
    const passed = now - this.#ticked;
    this.#ticked = now;
    const { game } = this;
    if (!game?.clock || !this.view || this.end || !game.turns.length || this.#paused) return;
    const mover = moverAfter(game.turns.length);
    // Who looks back at earlier turns loses time; a device does not think meanwhile.
    if (!this.isLive && (game.end || game.over || game.players[mover] !== "you")) return;
    game.left[mover] = Math.max(0, game.left[mover] - passed);
    if (game.left[mover] === 0) {
      game.end = { result: resultOf(other(mover)), reason: "time", colours: [] };
      this.cursor = null;
      this.refresh();
    }
    if (now - this.#savedAt > SAVE_MS) this.#save();
    showClocks(game);
  }

  /** The threats of the position that is shown; null if they are not wanted, or not known yet. */
  get threats() {
    const isWanted = this.settings.threats && this.view?.hasCandidates && !this.end;
    return isWanted ? threatsOf(this.view, this.rules) : null;
  }

  /** Show the threats, or hide them; a search goes on. */
  async toggleThreats() {
    const { settings } = this;
    settings.threats = !settings.threats;
    store.set("settings", settings);
    const epoch = this.#epoch;
    try {
      if (settings.threats) await this.look(this.game.turns.slice(0, this.shown));
      if (epoch !== this.#epoch) return;
      this.#draw();
      this.#panel();
    } catch (error) {
      if (epoch === this.#epoch) this.#failed(error);
    }
  }

  // Choosing a turn.

  get #mayChoose() {
    // Until the device has answered, the view is that of another position.
    if (this.view?.turns !== this.shown) return false;
    if (this.isLive && (this.end || this.game.watched)) return false;
    return !this.isLive || this.game.players[moverAfter(this.game.turns.length)] === "you";
  }

  /** Choose a space, or its next tile, or the tile of a shape. */
  choose(key, shape = null) {
    if (!key || !this.#mayChoose) return this.cancel();
    const { options, legal } = optionsAt(this.view, key, this.game.turns.slice(0, this.shown));
    if (!legal.length) return this.cancel();
    let option = legal[0];
    if (shape !== null) option = legal.find(({ turn }) => turn.shape === shape) ?? option;
    else if (this.#chosen?.key === key) {
      option = legal[(legal.indexOf(this.#chosen.option) + 1) % legal.length];
    }
    this.#chosen = { key, options, option, preview: null };
    this.#evaluating?.abort();
    this.#draw();
    this.#chooser();
    this.#preview();
  }

  async #preview() {
    const chosen = this.#chosen;
    const turns = [...this.game.turns.slice(0, this.shown), chosen.option.turn];
    try {
      const view = await this.look(turns, false);
      if (this.#chosen !== chosen) return;
      chosen.preview = addedTiles(this.view, view, turns);
      this.#draw();
    } catch (error) {
      if (this.#chosen === chosen) this.#failed(error);
    }
  }

  cancel() {
    if (!this.#chosen) return;
    this.#chosen = null;
    this.#draw();
    this.#chooser();
    if (!this.#thinking) this.#goOn();
  }

  confirm() {
    if (!this.#chosen) return;
    const { turn } = this.#chosen.option;
    this.play(turn);
  }

  #chooser() {
    // The focus must not vanish with the buttons.
    if (!this.#chosen && byId("chooser").contains(document.activeElement)) this.#board.focus();
    showChooser(this.#chosen, {
      view: this.view, mover: moverAfter(this.shown), variant: this.rules,
      nameOf: (turn) => this.#nameOf(turn),
      choose: (shape) => this.choose(this.#chosen.key, shape),
    });
  }

  #nameOf(turn) {
    return this.settings.notation === "old" ? formatOldTurn(this.view, turn) : formatTurn(turn);
  }

  // What is seen.

  say(text) {
    byId("status").textContent = text;
  }

  #draw() {
    const { view, before, settings, rules: variant } = this;
    if (!view) return;
    const turns = this.game.turns.slice(0, this.shown);
    const found = this.#evaluation;
    const isShown = settings.evaluate && found?.turns.length === turns.length && !this.end;
    this.#board.draw(sceneOf({
      view, before, turns, variant, settings, chosen: this.#chosen,
      evaluation: isShown ? found : null, spaces: this.#mayChoose,
      threats: this.threats ?? [],
    }));
    const last = turns.length ? this.textOf(turns.length - 1) : "";
    byId("board").setAttribute("aria-label", describe(view, last));
  }

  #panel() {
    const { game, shown, isLive, end } = this;
    const names = Object.fromEntries(COLOURS.map((colour) => [colour, this.#playerName(colour)]));
    const isPaused = this.#paused;
    const played = this.#played;
    showPlayers(names, end ? null : moverAfter(shown));
    showClocks(game);
    const { activeElement } = document;
    showButtons({ game, shown, isLive, end, isPaused, isThinking: Boolean(this.#thinking) });
    // The focus must not vanish with a button, such as Resign.
    if (activeElement.hidden) this.#board.focus();
    this.say(this.#problem || (this.view
      ? statusText({ game, shown, isLive, end, isPaused, played }) : "Asking the device …"));
    showHistory(game.turns.map((_, index) => this.textOf(index)), shown, (count) => this.step(count));
    byId("evaluate").checked = this.settings.evaluate;
    byId("threats").checked = this.settings.threats;
    showThreats(this.threats, (turn) => this.#nameOf(turn));
    this.#showEvaluation();
    this.#chooser();
  }

  /** The last turn, { name, forced }, if a device has made it and its position is known. */
  get #played() {
    const { game, shown, view } = this;
    const isOfDevice = game.watched || game.players[other(moverAfter(shown))] !== "you";
    if (!shown || !isOfDevice || view?.turns !== shown || !view.last) return null;
    return { name: this.textOf(shown - 1), forced: view.last.tiles - 1 };
  }

  #playerName(colour) {
    const { players, level = LEVELS.easy, watched, names } = this.game;
    if (watched) return watched.names[colour];
    const entry = this.devices.get(players[colour]);
    return entry ? `${entry.name}, ${level.amount} ${level.unit}` : names?.[colour] ?? "You";
  }

  #deviceChanged() {
    dialogs.devicesChanged();
    const { text, isLost } = this.devices.summary();
    const line = byId("device-line");
    // A screen reader says it anew each time that it is set.
    if (line.textContent !== text) line.textContent = text;
    line.classList.toggle("lost", isLost);
  }

  // Around the game.

  tags(game) {
    const name = (colour) =>
      game.watched?.names[colour] ?? this.devices.get(game.players[colour])?.name ??
      (game.names ? game.names[colour] : "You");
    const { variant } = game;
    const date = game.isUndated ? undefined : game.date;
    const tags = { White: name("white"), Red: name("red"), Date: date, Variant: variant, ...game.tags };
    const end = game.end ?? game.over;
    return end ? { ...tags, Termination: end.reason } : tags;
  }

  /** A game as a record, with these texts of its turns. */
  record(game, texts) {
    return formatRecord(this.tags(game), texts, (game.end ?? game.over)?.result ?? "*", game.comments);
  }

  #download() {
    const { game } = this;
    const texts = game.turns.map((_, index) => this.textOf(index));
    dialogs.save(this.record(game, texts), `trax-${game.date}.txt`);
  }

  async share() {
    const hash = toHash(this.game.variant, this.game.turns.slice(0, this.shown));
    const address = new URL(`#${hash}`, location.href);
    address.search = "";
    try {
      await navigator.clipboard.writeText(address.href);
      this.say("The address of this position is copied.");
    } catch {
      // Not in the address bar: that may have a token, and a reload would begin a game.
      dialogs.share(address.href);
    }
  }

  applySettings() {
    store.set("settings", this.settings);
    document.documentElement.dataset.theme = this.settings.theme;
    if (this.game) this.refresh();
  }

  #listen() {
    this.#board.onSpace = (key) => this.choose(key);
    this.#board.onKey = (event, key) => {
      const shape = SHAPES.indexOf(event.key);
      if (shape >= 0) this.choose(key, shape);
      else if (event.key === "Enter") {
        if (this.#chosen) this.confirm();
        else this.choose(key);
      }
    };
    const on = (id, action) => byId(id).addEventListener("click", action);
    on("play", () => this.confirm());
    on("cancel", () => this.cancel());
    on("take-back", () => this.takeBack());
    on("resign", () => this.resign());
    on("swap", () => this.swap());
    on("again", () => this.again());
    on("live", () => this.#backToLive());
    on("pause", () => this.pause());
    on("move-now", () => this.moveNow());
    on("first", () => this.step(0));
    on("previous", () => this.step(this.shown - 1));
    on("next", () => this.step(this.shown + 1));
    on("last", () => this.step(this.game.turns.length));
    on("share", () => this.share());
    on("download", () => this.#download());
    on("zoom-in", () => this.#board.zoom(1 / 1.3));
    on("zoom-out", () => this.#board.zoom(1.3));
    on("fit", () => this.#board.fit());
    byId("evaluate").addEventListener("change", (event) => {
      this.settings.evaluate = event.target.checked;
      this.applySettings();
    });
    byId("threats").addEventListener("change", () => this.toggleThreats());
    document.addEventListener("keydown", (event) => this.#key(event));
    addEventListener("hashchange", () => this.#beginShared());
    addEventListener("pagehide", () => this.game && this.#part());
  }

  #key(event) {
    const isTyping = event.target.closest("input:not([type=checkbox]), select, textarea, dialog");
    if (isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key.length === 1 && !this.settings.letters) return;
    const actions = {
      Escape: () => this.cancel(),
      u: () => this.takeBack(),
      t: () => this.toggleThreats(),
      f: () => this.#board.fit(),
      PageUp: () => this.step(this.shown - 1),
      PageDown: () => this.step(this.shown + 1),
    };
    // Capitals too: that is how the keys are written, and Caps Lock may be on.
    const action = actions[event.key] ?? actions[event.key.toLowerCase()];
    if (!action) return;
    event.preventDefault();
    action();
  }
}

export const app = new App();
dialogs.attach(app, LEVELS);
app.start();
