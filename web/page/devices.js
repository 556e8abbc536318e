// The devices that the page knows, and who is asked what.

import { Device } from "./device.js";
import { BoardTransport, SerialTransport, SocketTransport } from "./transports.js";

/**
 * Devices by id: { id, name, kind, make, many, main, searcher, state, text }. `make` makes a
 * transport; of a device with `many` there may be several, so that one searches and another answers
 * questions. `onChange()` is called when the state of one changes.
 */
export class Devices {
  onChange = () => {};
  /** The games in play that the server shows: [{ name, address }]. */
  live = [];
  #entries = new Map();

  /** Take those of the page, and of the server that it is from. */
  async find() {
    let page = { board: null, devices: [] };
    const socketAt = (path) => {
      const address = new URL(path + location.search, location.href);
      address.protocol = address.protocol.replace("http", "ws");
      address.hash = "";
      return address;
    };
    try {
      page = await (await fetch("page.json" + location.search)).json();
    } catch {
      // A page without devices: a board at a serial port may come.
    }
    if (page.board) {
      const make = () => new BoardTransport(page.board);
      this.#add({ id: "board", name: "simulated board", kind: "in this page", make, many: true });
    }
    for (const { name, path } of page.devices) {
      const make = () => new SocketTransport(socketAt(path));
      this.#add({ id: `server:${name}`, name, kind: "of the server", make });
    }
    this.live = (page.live ?? []).map(({ name, path }) => ({ name, address: socketAt(path) }));
  }

  /** Open a serial port that the user has chosen; throws if no device answers there. */
  async addSerial(port, rate) {
    const make = () => new SerialTransport(port, rate);
    const device = new Device("board", make());
    await device.open();
    const number = [...this.#entries.keys()].filter((id) => id.startsWith("serial")).length + 1;
    const id = `serial${number}`;
    this.#add({ id, name: `${device.identity.name} ${number}`, kind: "at a serial port", make });
    this.#adopt(this.get(id), device, "main");
    return id;
  }

  get size() {
    return this.#entries.size;
  }

  /** The entry of an id, or undefined. */
  get(id) {
    return this.#entries.get(id);
  }

  /** All entries. */
  all() {
    return [...this.#entries.values()];
  }

  /** The entry that is taken if none is named, or undefined. */
  first() {
    return this.all()[0];
  }

  /** The device that answers questions about positions, null if there is none. */
  rules(players) {
    const playing = Object.values(players).map((id) => this.get(id));
    const entry = this.get("board") ?? playing.find(Boolean) ?? this.first();
    return entry ? this.#opened(entry, "main") : null;
  }

  /** The device of an entry that searches: not the one of the questions, if there may be several. */
  searcher(entry) {
    return this.#opened(entry, entry.many ? "searcher" : "main");
  }

  /** What there is to say about all devices: { text, isLost }. */
  summary() {
    const lost = this.all().find((entry) => entry.state === "lost");
    if (lost) {
      const text = `${lost.name}: connection lost (${lost.text}); it is tried again.`;
      return { text, isLost: true };
    }
    const entry = this.all().find((each) => each.main?.identity);
    const identity = entry?.main.identity;
    const none = this.size ? "" : "No device: connect a board with “Devices”.";
    const text = identity
      ? `The rules are asked of the ${entry.name} ${entry.kind}: ${identity.name}, ` +
        `${identity.grid - 2} × ${identity.grid - 2} spaces.`
      : none;
    return { text, isLost: false };
  }

  #add(entry) {
    this.#entries.set(entry.id, { ...entry, main: null, searcher: null, state: "", text: "" });
    this.onChange();
  }

  #opened(entry, role) {
    return entry[role] ?? this.#adopt(entry, new Device(entry.name, entry.make()), role);
  }

  #adopt(entry, device, role) {
    entry[role] = device;
    device.onState = (state, text) => {
      // A lost device is tried again and again: it is lost until that succeeds.
      if (state === "connecting" && entry.state === "lost") return;
      Object.assign(entry, { state, text });
      this.onChange();
    };
    if (device.identity) device.onState("ready", "");
    return device;
  }
}
