// Runs test vectors through the page's codec: JSON from standard input, results to standard output.
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const page = pathToFileURL(process.argv[2] + "/");
const wire = await import(new URL("wire.js", page));
const frames = await import(new URL("frames.js", page));

const bytes = (hex) => Uint8Array.from(Buffer.from(hex, "hex"));
const hex = (data) => Buffer.from(data).toString("hex");

function attempt(action) {
  try {
    return action();
  } catch (error) {
    if (error instanceof frames.PayloadError) return "payload error";
    if (error instanceof RangeError) return "range error";
    throw error;
  }
}

const actions = {
  crc: ({ data }) => frames.crc(bytes(data)),
  packFrame: ({ sequence, code, payload }) =>
    attempt(() => hex(frames.packFrame(sequence, code, bytes(payload)))),
  read: ({ chunks }) => {
    const reader = new frames.FrameReader();
    return chunks.flatMap((chunk) => reader.feed(bytes(chunk))).map((event) =>
      event instanceof frames.FrameError
        ? event.code
        : [event.sequence, event.code, hex(event.payload)]);
  },
  pack: ({ table, code, values }) =>
    attempt(() => hex(frames.packPayload(wire[table][code], values))),
  unpack: ({ table, code, payload }) =>
    attempt(() => frames.unpackPayload(wire[table][code], [...bytes(payload)])),
};

const vectors = JSON.parse(readFileSync(0, "utf8"));
process.stdout.write(JSON.stringify(vectors.map((vector) => actions[vector.action](vector))));
