// The simulated board, compiled to WebAssembly, in a worker: bytes in, bytes out.
//
// The first message has the board's file and settings; all others are bytes for it. The clock runs
// as long as the board has something to do, in slices, between which messages come in.

const SLICE_MS = 20;
const CYCLES = 2000;
// What the module imports is called only if the board's program fails.
const WASI = { fd_write: () => 0, fd_seek: () => 0, fd_close: () => 0 };

let board = null;
let running = false;
const slices = new MessageChannel();

function buffer() {
  return new Uint8Array(board.memory.buffer, board.buffer_address(), board.buffer_size());
}

function run() {
  const end = performance.now() + SLICE_MS;
  let busy = true;
  while (busy && performance.now() < end) busy = board.run(CYCLES) !== 0;
  for (let count = board.pull(); count; count = board.pull()) postMessage(buffer().slice(0, count));
  running = busy;
  if (busy) slices.port2.postMessage(null);
}

slices.port1.onmessage = run;

async function start({ file, bit_cycles, build, seed }) {
  const answer = await fetch(new URL(file, import.meta.url));
  if (!answer.ok) throw new Error(`${file}: ${answer.status} ${answer.statusText}`);
  // Not as a stream: some servers do not know the type of the file.
  const bytes = await answer.arrayBuffer();
  const { instance } = await WebAssembly.instantiate(bytes, { wasi_snapshot_preview1: WASI });
  board = instance.exports;
  board._initialize();
  board.power_on(bit_cycles, build, seed);
  postMessage({ started: true });
}

// Not async: what the board's program throws has to reach the page's `onerror`.
self.onmessage = ({ data }) => {
  if (!(data instanceof Uint8Array)) {
    start(data).catch((error) => postMessage({ failed: error.message }));
    return;
  }
  for (let at = 0; at < data.length; at += board.buffer_size()) {
    const part = data.subarray(at, at + board.buffer_size());
    buffer().set(part);
    board.push(part.length);
  }
  if (!running) run();
};
