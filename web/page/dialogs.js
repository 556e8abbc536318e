// The page's dialogs: new game, games, puzzles, devices, settings, rules.

import { completedTrack, picture } from "./drawing.js";
import { MOST_GAMES, newGame, sentence, store } from "./game.js";
import { GUIDE, guideTiles } from "./guide.js";
import { formatTurn, readTurn } from "./notation.js";
import { byId, replaceButtons } from "./panel.js";
import { readGame, readRecords } from "./records.js";
import { VARIANTS } from "./wire.js";

const CLOCKS = {
  none: null,
  "3 min + 2 s": { minutes: 3, increment: 2 },
  "10 min": { minutes: 10, increment: 0 },
  "30 min": { minutes: 30, increment: 0 },
};
const LEAST_DEFENCE = 2000;

/** Make an element with properties and children. */
function make(name, properties = {}, ...children) {
  const element = Object.assign(document.createElement(name), properties);
  element.append(...children);
  return element;
}

function options(select, values, chosen) {
  select.replaceChildren(...Object.entries(values).map(([value, text]) =>
    make("option", { value, textContent: text, selected: value === chosen })));
}

async function readPuzzles() {
  const answer = await fetch("tactics.txt");
  if (!answer.ok) throw new Error(`${answer.status} ${answer.statusText}`.trim());
  const lines = (await answer.text()).split("\n").filter((line) => /^\d/.test(line));
  if (!lines.length) throw new Error("there are none");
  return lines.map((line) => {
    const [own, turns] = line.split("|");
    return { own: Number(own), turns: turns.trim().split(/\s+/) };
  });
}

class Dialogs {
  #app;
  #levels;
  #puzzles = null;
  #reading = null; // what is read at the time

  attach(app, levels) {
    this.#app = app;
    this.#levels = levels;
    for (const name of ["new", "games", "puzzles", "devices", "settings", "rules", "share"]) {
      byId(`open-${name}`)?.addEventListener("click", () => this[name]());
      const dialog = byId(`${name}-dialog`);
      // A text that is selected beyond the dialog's edge is no click beside it.
      let pressed = null;
      dialog.addEventListener("pointerdown", ({ target }) => (pressed = target));
      dialog.addEventListener("click", ({ target }) =>
        target === dialog && pressed === dialog && dialog.close());
    }
    this.#attachNew();
    this.#attachGames();
    byId("puzzles-dialog").addEventListener("submit", ({ submitter }) => {
      if (submitter?.value === "start") this.#nextPuzzle();
    });
    byId("puzzle-turns").addEventListener("change", () => this.#countPuzzles());
    byId("connect").addEventListener("click", () => this.#connect());
    this.#attachSettings();
  }

  #open(name) {
    const dialog = byId(`${name}-dialog`);
    dialog.showModal();
    // The button at its end may have the focus: it is read from its beginning.
    dialog.scrollTop = 0;
  }

  /** Have the browser save a text as a file. */
  save(text, name) {
    const address = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
    make("a", { href: address, download: name }).click();
    setTimeout(() => URL.revokeObjectURL(address), 1000);
  }

  /** Show an address to be copied by hand. */
  share(address) {
    byId("address").value = address;
    this.#open("share");
    byId("address").select();
  }

  // New game.

  new() {
    const { game, devices } = this.#app;
    const players = { you: "You" };
    for (const { id, name, kind } of devices.all()) players[id] = `${name}, ${kind}`;
    options(byId("new-white"), players, game.players.white);
    options(byId("new-red"), players, game.players.red);
    const [name, size] = game.variant.split(/-(?=\d)/);
    options(byId("new-variant"),
      Object.fromEntries([...Object.keys(VARIANTS), "limited-N"].map((each) => [each, each])),
      size ? "limited-N" : name);
    if (size) byId("new-size").value = size;
    options(byId("new-clock"),
      Object.fromEntries(Object.keys(CLOCKS).map((each) => [each, each])),
      Object.keys(CLOCKS).find((each) =>
        JSON.stringify(CLOCKS[each]) === JSON.stringify(game.clock)) ?? "none");
    this.#showLevel(game.level ?? this.#levels.easy);
    this.#showSize();
    this.#open("new");
  }

  #attachNew() {
    byId("new-variant").addEventListener("change", () => this.#showSize());
    byId("new-level").addEventListener("change", (event) => {
      const level = this.#levels[event.target.value];
      if (level) this.#showLevel(level);
    });
    for (const id of ["new-amount", "new-unit"]) {
      byId(id).addEventListener("input", () => this.#showLevel(this.#level()));
    }
    byId("new-cancel").addEventListener("click", () => byId("new-dialog").close());
    byId("new-dialog").addEventListener("submit", ({ submitter }) => {
      if (submitter?.value !== "start") return;
      const variant = byId("new-variant").value.replace("N", byId("new-size").valueAsNumber);
      const players = { white: byId("new-white").value, red: byId("new-red").value };
      const clock = CLOCKS[byId("new-clock").value];
      this.#app.begin(newGame({ variant, players, level: this.#level(), clock }));
    });
  }

  #showSize() {
    const isUsed = byId("new-variant").value === "limited-N";
    byId("new-size").parentElement.hidden = !isUsed;
    // The browser starts no game with a wrong size, even where that is not seen.
    byId("new-size").disabled = !isUsed;
  }

  #level() {
    return { amount: Math.max(1, Number(byId("new-amount").value)), unit: byId("new-unit").value };
  }

  #showLevel(level) {
    const name = Object.keys(this.#levels).find((each) =>
      this.#levels[each].amount === level.amount && this.#levels[each].unit === level.unit);
    const names = Object.keys(this.#levels).map((each) => [each, each]);
    options(byId("new-level"), Object.fromEntries([...names, ["own", "own limit"]]), name ?? "own");
    if (document.activeElement !== byId("new-amount")) byId("new-amount").value = level.amount;
    byId("new-unit").value = level.unit;
  }

  // Games.

  games() {
    byId("record-error").textContent = "";
    this.#listGames();
    byId("live-games").replaceChildren(...this.#app.devices.live.map((entry) => {
      const watch = make("button", { type: "button", textContent: `Watch ${entry.name}` });
      watch.onclick = () => {
        byId("games-dialog").close();
        this.#app.watch(entry);
      };
      return make("li", {}, watch);
    }));
    this.#open("games");
  }

  #listGames() {
    const games = store.get("games", []);
    const items = games.map((game) => {
      const turns = `${game.turns.length} turns`;
      const end = game.end ?? game.over;
      const text = [game.title ?? game.date, game.variant, turns, end ? sentence(end) : ""];
      const open = make("button", { type: "button", textContent: text.filter(Boolean).join(" · ") });
      open.onclick = () => {
        byId("games-dialog").close();
        // The game in play may be farther on than its entry.
        if (!this.#app.isInPlay(game)) this.#app.begin(game);
      };
      const remove = make("button", { type: "button", textContent: "Delete" });
      remove.setAttribute("aria-label", `Delete the game of ${game.date}, ${turns}`);
      remove.onclick = () => {
        // Another tab may have kept a game since the list was made.
        store.set("games", store.get("games", []).filter(({ id }) => id !== game.id));
        this.#listGames();
        // The focus must not vanish with the last one.
        if (!byId("games").childElementCount) byId("games-close").focus();
      };
      return make("li", {}, open, remove);
    });
    replaceButtons(byId("games"), items);
    byId("download-all").disabled = !games.length;
  }

  #attachGames() {
    byId("games-dialog").addEventListener("close", () => (this.#reading = null));
    byId("read").addEventListener("click", () => this.#read(byId("record").value));
    byId("file").addEventListener("change", async ({ target }) => {
      if (target.files.length) await this.#read(await target.files[0].text());
      target.value = "";
    });
    byId("download-all").addEventListener("click", () => {
      const texts = store.get("games", []).map((game) =>
        this.#app.record(game, game.turns.map(formatTurn)));
      this.save(texts.join("\n"), "trax-games.txt");
    });
  }

  /** Read records: the device says what each turn means, and whether it is legal. */
  async #read(text) {
    const reading = (this.#reading = {});
    const problem = byId("record-error");
    problem.textContent = "";
    const records = readRecords(text).filter(({ words, error }) => words.length || error);
    if (!records.length) {
      problem.textContent = "There is no turn in this text.";
      return;
    }
    const room = MOST_GAMES - store.get("games", []).length;
    if (records.length > room) {
      problem.textContent = `These are ${records.length} games, and there is room for ${room}: `
        + `the browser keeps ${MOST_GAMES}. Download some and delete them first.`;
      return;
    }
    const read = [];
    for (const [index, record] of records.entries()) {
      let said = "";
      try {
        const look = (variant, turns) => this.#app.look(turns, true, { variant, players: {} });
        read.push(await readGame(record, look));
      } catch (error) {
        said = `Game ${index + 1}: ${error.message}.`;
      }
      // The dialog was closed, or the text is read anew.
      if (this.#reading !== reading) return;
      problem.textContent = said;
      if (said) break;
    }
    if (!read.length) return;
    const games = store.get("games", []);
    const kept = problem.textContent ? read : read.slice(1);
    if (kept.length && !store.set("games", [...kept, ...games])) {
      problem.textContent = "The browser has no room for these games.";
    }
    if (problem.textContent) {
      this.#listGames();
      return;
    }
    byId("record").value = "";
    byId("games-dialog").close();
    this.#app.begin(read[0]);
    this.#app.step(0);
  }

  // Puzzles.

  async puzzles() {
    if (await this.#listPuzzles()) this.#open("puzzles");
  }

  /** Begin the next puzzle that is won in as many turns as the last one. */
  async nextPuzzle() {
    if (await this.#listPuzzles()) this.#nextPuzzle();
  }

  /** List the puzzles; return whether there are any. */
  async #listPuzzles() {
    try {
      this.#puzzles ??= await readPuzzles();
    } catch (error) {
      this.#app.say(`The puzzles cannot be read: ${error.message}.`);
      return false;
    }
    const numbers = [...new Set(this.#puzzles.map(({ own }) => own))].sort((a, b) => a - b);
    const chosen = String(store.get("puzzle-turns", 2));
    options(byId("puzzle-turns"), Object.fromEntries(numbers.map((each) => [each, each])), chosen);
    this.#countPuzzles();
    return true;
  }

  #ofLevel() {
    const own = Number(byId("puzzle-turns").value);
    return this.#puzzles.filter((each) => each.own === own);
  }

  #countPuzzles() {
    const done = store.get("puzzles-seen", {})[byId("puzzle-turns").value] ?? 0;
    const all = this.#ofLevel().length;
    byId("puzzle-count").textContent = `Puzzle ${(done % all) + 1} of ${all}.`;
  }

  #nextPuzzle() {
    const level = byId("puzzle-turns").value;
    const seen = store.get("puzzles-seen", {});
    const all = this.#ofLevel();
    const number = (seen[level] ?? 0) % all.length;
    store.set("puzzles-seen", { ...seen, [level]: number + 1 });
    store.set("puzzle-turns", Number(level));
    const { own, turns: words } = all[number];
    const turns = words.map((word) => readTurn(null, word));
    const device = this.#app.devices.first()?.id ?? "you";
    const mine = turns.length % 2 ? "red" : "white";
    const players = { white: device, red: device, [mine]: "you" };
    const level2 = { amount: LEAST_DEFENCE, unit: "nodes" };
    this.#app.begin(newGame({ players, level: level2, turns, puzzle: { own, start: turns.length } }));
  }

  // Devices.

  devices() {
    byId("device-error").textContent = "";
    const hasSerial = "serial" in navigator;
    byId("serial").hidden = !hasSerial;
    byId("no-serial").hidden = hasSerial;
    this.devicesChanged();
    this.#open("devices");
  }

  devicesChanged() {
    const items = this.#app.devices.all().map(({ name, kind, main, searcher, state, text }) => {
      const identity = (main ?? searcher)?.identity;
      const size = identity ? `, ${identity.clock / 1e6} MHz, ${identity.grid - 2} × ${identity.grid - 2} spaces` : "";
      const how = { ready: "ready", connecting: "connecting", lost: `connection lost: ${text}` }[state];
      return make("li", { textContent: `${name} ${kind}${size}${how ? `: ${how}` : ""}` });
    });
    byId("devices").replaceChildren(...items);
  }

  async #connect() {
    const problem = byId("device-error");
    problem.textContent = "";
    try {
      const port = await navigator.serial.requestPort();
      problem.textContent = "Asking the device …";
      const id = await this.#app.devices.addSerial(port, Number(byId("baud").value));
      problem.textContent = "";
      byId("devices-dialog").close();
      const { players, turns } = this.#app.game;
      // A page without another device begins to work with it.
      if (this.#app.devices.size === 1 || !turns.length) {
        const colour = players.white === "you" ? "red" : "white";
        players[colour] = id;
      }
      this.#app.refresh();
    } catch (error) {
      problem.textContent = error.name === "NotFoundError" ? "" : error.message;
    }
  }

  // Settings.

  settings() {
    const { settings } = this.#app;
    byId("notation").value = settings.notation;
    byId("theme").value = settings.theme;
    byId("letters").checked = settings.letters;
    this.#open("settings");
  }

  #attachSettings() {
    const changed = () => {
      Object.assign(this.#app.settings, {
        notation: byId("notation").value,
        theme: byId("theme").value,
        letters: byId("letters").checked,
      });
      this.#app.applySettings();
    };
    for (const id of ["notation", "theme", "letters"]) byId(id).addEventListener("change", changed);
  }

  // Rules.

  rules() {
    store.set("guided", true);
    if (!byId("guide").childElementCount) {
      byId("guide").append(...GUIDE.map((each) => {
        const tiles = guideTiles(each);
        const run = each.won ? this.#wonTrack(each, tiles) : [];
        const won = each.won ? [[each.won, run]] : [];
        const image = picture(tiles, {
          won, own: each.own, forced: each.forced, label: `Picture: ${each.title}`,
        });
        return make("li", {}, make("h3", { textContent: each.title }), image, make("p", { textContent: each.text }));
      }));
    }
    this.#open("rules");
  }

  #wonTrack({ won, rows }, tiles) {
    const view = { columns: rows[0].length, rows: rows.length };
    return completedTrack(tiles, tiles.keys(), won, view, [0, 0]);
  }
}

export const dialogs = new Dialogs();
