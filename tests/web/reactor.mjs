// Runs a board's module: cycles of a bit, then lines to send; prints what comes back to each.
import { readFileSync } from "node:fs";

const [file, bitCycles, ...lines] = process.argv.slice(2);
const module = await WebAssembly.compile(readFileSync(file));
const imports = WebAssembly.Module.imports(module).map(({ module, name }) => `${module}.${name}`);
const stub = () => 0;
const wasi = { fd_write: stub, fd_seek: stub, fd_close: stub };
const { exports: board } = await WebAssembly.instantiate(module, { wasi_snapshot_preview1: wasi });
board._initialize();
board.power_on(Number(bitCycles), 0, 1);

const buffer = () =>
  new Uint8Array(board.memory.buffer, board.buffer_address(), board.buffer_size());
const answers = lines.map((line) => {
  const bytes = Buffer.from(line + "\n");
  buffer().set(bytes);
  board.push(bytes.length);
  let slices = 0;
  while (board.run(1000)) ++slices;
  const count = board.pull();
  return [Buffer.from(buffer().slice(0, count)).toString("latin1"), slices];
});
process.stdout.write(JSON.stringify({ imports: imports.sort(), answers }));
