// A device of the page at a line that fails, by a clock that the test winds: prints what it saw.
import { pathToFileURL } from "node:url";

let now = 0;
let ids = 0;
const timers = new Map();
globalThis.setTimeout = (action, ms) => timers.set(++ids, { at: now + ms, action }) && ids;
globalThis.clearTimeout = (id) => timers.delete(id);
performance.now = () => now;
const settle = () => new Promise((resolve) => setImmediate(resolve));

/** Let time pass until something is so; return the seconds, or null if it is not so in the end. */
async function pass(seconds, isDone = () => false) {
  const start = now;
  for (;;) {
    await settle();
    if (isDone()) return (now - start) / 1000;
    const [id, timer] = [...timers].sort(([, a], [, b]) => a.at - b.at)[0] ?? [];
    if (!timer || timer.at > start + 1000 * seconds) return null;
    timers.delete(id);
    now = timer.at;
    timer.action();
  }
}

const page = pathToFileURL(process.argv[2] + "/");
const { Device } = await import(new URL("device.js", page));
const { FrameReader, packFrame, packPayload } = await import(new URL("frames.js", page));
const { ANSWERS, COMMANDS, Command, ErrorCode, MAGIC, PROTOCOL } = await import(new URL("wire.js", page));

const IDENTITY = { magic: MAGIC, protocol: PROTOCOL, name: "test", code: "", features: 0xffff };

/** A line to a device; `answers(name, line, sequence)` says whether it answers a command. */
class Line {
  opened = 0;
  closed = 0;
  isProgram;
  #answers;
  #reader = new FrameReader();

  constructor(answers = () => true, isProgram = false) {
    this.#answers = answers;
    this.isProgram = isProgram;
  }

  async open() {
    ++this.opened;
  }

  async close() {
    ++this.closed;
  }

  write(bytes) {
    for (const { sequence, code } of this.#reader.feed(bytes)) {
      if (!this.#answers(COMMANDS[code].name, this, sequence)) continue;
      queueMicrotask(() => this.answer(sequence, 0x80 | code));
    }
  }

  answer(sequence, code, values = code === 0x81 ? IDENTITY : {}) {
    const zeros = Object.fromEntries(ANSWERS[code].fields.map(([name]) => [name, 0]));
    this.received(packFrame(sequence, code, packPayload(ANSWERS[code], { ...zeros, ...values })));
  }
}

function deviceAt(line) {
  const device = new Device("test", line);
  const states = [];
  device.onState = (state, text) => states.push(text ? `${state}: ${text}` : state);
  return { device, states };
}

const variant = { area: 0, rules: 1 };
const found = {};

{
  // Nothing is asked after the connection is lost.
  const line = new Line();
  const { device, states } = deviceAt(line);
  await Promise.all([device.look(variant, []), pass(10)]);
  line.gone("pulled out");
  await pass(10);
  found.idle = { states, opened: line.opened };
}
{
  // Damaged frames come on and on, faster than a command is repeated.
  const line = new Line(() => false);
  const { device } = deviceAt(line);
  let said = "";
  device.open().catch((error) => (said = error.message));
  const babble = () => {
    line.received(Uint8Array.of(192, 130, 1, 2, 3, 4, 192));
    setTimeout(babble, 10);
  };
  setTimeout(babble, 10);
  const seconds = await pass(60, () => said);
  found.garbage = { said, seconds, closed: line.closed };
  timers.clear();
}
{
  // Silent from the first question on, until it is opened again.
  const line = new Line((name, { opened }) => opened > 1 || name !== "NEW_GAME");
  const { device, states } = deviceAt(line);
  let view = null;
  device.look(variant, []).then((seen) => (view = seen));
  await pass(60, () => view);
  found.silent = { states, opened: line.opened, closed: line.closed, turns: view?.turns };
}
{
  // It fails at each question, so that the connection is lost.
  const line = new Line((name, self) => {
    if (name === "NEW_GAME") queueMicrotask(() => self.gone("failed"));
    return name !== "NEW_GAME";
  });
  const { device } = deviceAt(line);
  device.look(variant, []);
  await pass(10);
  found.failing = line.opened;
  timers.clear();
}
{
  // It is busy with a search that is not waited for, until another game begins.
  const obeyed = [];
  const line = new Line((name, self, sequence) => {
    obeyed.push(name);
    if (name === "PLAY") self.answer(sequence, 0x84, { made: 1 });
    else if (name !== "TAKE_BACK") return true;
    else self.answer(sequence, 0x80, { error: ErrorCode.BUSY, command: Command.TAKE_BACK });
    return false;
  });
  const { device } = deviceAt(line);
  device.look(variant, [{ column: 0, row: 0, shape: 0 }], { withCandidates: false });
  let view = null;
  device.look(variant, [], { withCandidates: false }).then((seen) => (view = seen));
  await pass(10, () => view);
  found.busy = obeyed.slice(-4);
}
{
  // Its first search reports on and on, although it is told to stop after ten seconds.
  const line = new Line((name, self, sequence) => {
    if (name !== "SEARCH" || self.opened > 1) return true;
    const report = () => {
      self.answer(sequence, 0xc7);
      setTimeout(report, 1000);
    };
    report();
    return false;
  });
  const { device } = deviceAt(line);
  let best = null;
  device.search(variant, [], { seconds: 10 }).then((seen) => (best = seen));
  found.endless = { seconds: await pass(60, () => best), opened: line.opened };
  timers.clear();
}
{
  // A program that is built for some minutes.
  const line = new Line(() => now > begun + 500000, true);
  const begun = now;
  const { device } = deviceAt(line);
  const seconds = await Promise.race([device.open().then(() => now - begun), pass(700).then(() => null)]);
  found.built = seconds !== null && line.opened === 1;
}

process.stdout.write(JSON.stringify(found));
