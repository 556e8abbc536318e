// Streams of bytes to devices: the board in the page, a serial port, a WebSocket.
//
// A transport has `open()`, `write(bytes)` and `close()`, and calls `received(bytes)` and
// `gone(reason)`, which its user sets; not after `close()`. It can be opened again after both.
// `isProgram` says that the device may be slow, since it shares a processor.

class Transport {
  received = () => {};
  gone = () => {};
  isProgram = true;
}

/** The simulated board, in a worker of this page. */
export class BoardTransport extends Transport {
  #worker = null;
  #settings;

  /** `settings` is what `loopline page` wrote down about the board: its file and its rate. */
  constructor(settings) {
    super();
    this.#settings = settings;
  }

  open() {
    const worker = new Worker(new URL("./board_worker.js", import.meta.url), { type: "module" });
    this.#worker = worker;
    return new Promise((resolve, reject) => {
      const failed = (reason) => {
        if (this.#worker !== worker) return;
        this.close();
        reject(new Error(`the board does not start: ${reason}`));
        this.gone(reason);
      };
      worker.onerror = (event) => failed(event.message ?? "its program cannot be loaded");
      worker.onmessage = ({ data }) => {
        if (data instanceof Uint8Array) this.received(data);
        else if (data.failed) failed(data.failed);
        else resolve();
      };
      const seed = crypto.getRandomValues(new Uint32Array(1))[0] >>> 1;
      worker.postMessage({ ...this.#settings, seed });
    });
  }

  write(bytes) {
    this.#worker?.postMessage(bytes);
  }

  async close() {
    this.#worker?.terminate();
    this.#worker = null;
  }
}

/** The ports that boards of this page have, or had when they were there last. */
const held = new Set();

/** A board at a serial port of this machine, by Web Serial. */
export class SerialTransport extends Transport {
  isProgram = false;
  #port;
  #rate;
  #writer = null;
  #reader = null;

  constructor(port, rate) {
    super();
    this.#port = port;
    this.#rate = rate;
  }

  async open() {
    this.#port = (await this.#portAgain()) ?? this.#port;
    await this.#port.open({ baudRate: this.#rate, bufferSize: 4096 });
    held.add(this.#port);
    this.#writer = this.#port.writable.getWriter();
    this.#reader = this.#port.readable.getReader();
    this.#read(this.#reader);
  }

  /** The port of a board that was unplugged: a browser makes another one when it is back. */
  async #portAgain() {
    if (!held.has(this.#port)) return null; // It was never open.
    const ports = await navigator.serial.getPorts();
    if (ports.includes(this.#port)) return null;
    const kind = (port) => JSON.stringify(port.getInfo());
    const found = ports.find((port) => !held.has(port) && kind(port) === kind(this.#port));
    if (found) {
      held.delete(this.#port);
      held.add(found); // Before it is open, which may fail until it is yet another one.
    }
    return found;
  }

  async #read(reader) {
    let reason = "the port was closed";
    try {
      for (;;) {
        const { value, done } = await reader.read();
        if (done) break;
        this.received(value);
      }
    } catch (error) {
      reason = error.message;
    }
    if (this.#reader !== reader) return; // Its user has closed it.
    await this.close();
    this.gone(reason);
  }

  write(bytes) {
    this.#writer?.write(bytes).catch(() => {});
  }

  async close() {
    const [reader, writer] = [this.#reader, this.#writer];
    this.#reader = this.#writer = null;
    await reader?.cancel().catch(() => {});
    reader?.releaseLock();
    writer?.releaseLock();
    await this.#port.close().catch(() => {});
  }
}

/** A device that `loopline serve` offers. */
export class SocketTransport extends Transport {
  #address;
  #socket = null;

  constructor(address) {
    super();
    this.#address = address;
  }

  open() {
    const socket = new WebSocket(this.#address);
    socket.binaryType = "arraybuffer";
    this.#socket = socket;
    return new Promise((resolve, reject) => {
      let reason = "the server does not answer";
      socket.onopen = resolve;
      socket.onmessage = ({ data }) => {
        if (data instanceof ArrayBuffer) this.received(new Uint8Array(data));
      };
      socket.onclose = (event) => {
        reason = event.reason || reason;
        if (this.#socket !== socket) return;
        this.#socket = null;
        reject(new Error(reason));
        this.gone(reason);
      };
    });
  }

  write(bytes) {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(bytes);
  }

  async close() {
    const socket = this.#socket;
    this.#socket = null;
    socket?.close();
  }
}
