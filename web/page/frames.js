// Frames as bytes, and payloads as values: what loopline.game.wire is in Python.

import {
  END, ESC, ESC_END, ESC_ESC, ErrorCode, FIRST_BIT, MAX_FRAME, MAX_PAYLOAD, SEQUENCES,
} from "./wire.js";

const HEADER = 3;
const CRC = 2;
const NO_TURN = 0xffff;
const LARGEST_LABEL = 0x3f;
const SHAPES = 3;

/** Bytes are not a valid frame; `code` is the error that a board answers. */
export class FrameError extends Error {
  constructor(code, text) {
    super(text);
    this.code = code;
  }
}

/** A payload does not have the form of its message, or a field cannot hold a value. */
export class PayloadError extends Error {}

/** The CRC-16/IBM-3740 of bytes. */
export function crc(bytes) {
  let value = 0xffff;
  for (const byte of bytes) {
    value ^= byte << 8;
    for (let bit = 0; bit < 8; ++bit) value = value & 0x8000 ? (value << 1) ^ 0x1021 : value << 1;
    value &= 0xffff;
  }
  return value;
}

/** A frame as it is sent, with END before and behind it. */
export function packFrame(sequence, code, payload = []) {
  if (!(sequence >= 0 && sequence < SEQUENCES)) throw new RangeError(`sequence ${sequence}`);
  if (payload.length > MAX_PAYLOAD) throw new RangeError(`a payload of ${payload.length} bytes`);
  const data = [FIRST_BIT | sequence, code, payload.length, ...payload];
  const check = crc(data);
  const sent = [END];
  for (const byte of [...data, check >> 8, check & 0xff]) {
    if (byte === END) sent.push(ESC, ESC_END);
    else if (byte === ESC) sent.push(ESC, ESC_ESC);
    else sent.push(byte);
  }
  return Uint8Array.from([...sent, END]);
}

function unescaped(bytes) {
  const data = [];
  let escaped = false;
  for (const byte of bytes) {
    if (escaped && (byte === ESC_END || byte === ESC_ESC)) data.push(byte === ESC_END ? END : ESC);
    else if (escaped || byte === END) {
      throw new FrameError(ErrorCode.FRAMING, "a byte in the wrong place of a frame");
    } else if (byte !== ESC) data.push(byte);
    escaped = byte === ESC && !escaped;
  }
  if (escaped) throw new FrameError(ErrorCode.FRAMING, "a frame ends within an escape sequence");
  return data;
}

/** The frame between two END: { sequence, code, payload }. Throws FrameError. */
function unpackFrame(bytes) {
  const data = unescaped(bytes);
  if (data.length > MAX_FRAME) throw new FrameError(ErrorCode.TOO_LONG, "a frame is too long");
  if (data.length < HEADER + CRC || crc(data) !== 0) {
    throw new FrameError(ErrorCode.DAMAGED, "a frame has a wrong CRC");
  }
  const payload = data.slice(HEADER, -CRC);
  if (data[2] !== payload.length || !(data[0] & FIRST_BIT)) {
    throw new FrameError(ErrorCode.DAMAGED, "a frame's length is not what it says");
  }
  return { sequence: data[0] & ~FIRST_BIT, code: data[1], payload };
}

/** Divides received bytes into frames. Lines between frames are dropped. */
export class FrameReader {
  #frame = [];
  #inFrame = false;
  #afterEnd = false;

  /** Take bytes; return what ends in them: frames, and a FrameError for each damaged one. */
  feed(bytes) {
    const events = [];
    for (const byte of bytes) {
      if (byte === END) {
        if (this.#inFrame) events.push(this.#ended());
        this.#frame = [];
        this.#inFrame = false;
        this.#afterEnd = true;
        continue;
      }
      if (this.#afterEnd) {
        this.#inFrame = (byte & FIRST_BIT) !== 0;
        this.#afterEnd = false;
      }
      if (this.#inFrame && this.#frame.length <= 2 * MAX_FRAME) this.#frame.push(byte);
    }
    return events;
  }

  #ended() {
    try {
      if (this.#frame.length > 2 * MAX_FRAME) {
        throw new FrameError(ErrorCode.TOO_LONG, "a frame is too long");
      }
      return unpackFrame(this.#frame);
    } catch (error) {
      if (error instanceof FrameError) return error;
      throw error;
    }
  }
}

/** The bytes of a payload from the values of its fields by name. Turns: { column, row, shape }. */
export function packPayload(message, values = {}) {
  const bytes = [];
  for (const field of message.fields) pushField(bytes, field, values[field[0]]);
  if (message.repeated) {
    const [field, least, most] = message.repeated;
    const list = values[field[0]] ?? [];
    if (list.length < least || list.length > most) {
      throw new PayloadError(`${message.name}: ${list.length} values; ${least} to ${most}`);
    }
    for (const value of list) pushField(bytes, field, value);
  }
  return bytes;
}

function pushField(bytes, [name, width, kind], value) {
  if (kind === "turn") {
    const number = value === null ? NO_TURN : turnNumber(name, value);
    bytes.push(number >> 8, number & 0xff);
  } else if (kind === "text") {
    const codes = Array.from(String(value), (char) => char.charCodeAt(0));
    if (codes.length > width || codes.some((code) => code > 0x7f)) throw unfit(name, value);
    for (let i = 0; i < width; ++i) bytes.push(codes[i] ?? 0);
  } else {
    const least = kind === "signed" ? -(2 ** (8 * width - 1)) : 0;
    const most = kind === "signed" ? -least - 1 : 2 ** (8 * width) - 1;
    if (!Number.isInteger(value) || value < least || value > most) throw unfit(name, value);
    // Not by shifts: four bytes without a sign are more than those can hold.
    const number = value < 0 ? value + 2 ** (8 * width) : value;
    for (let i = width - 1; i >= 0; --i) bytes.push(Math.floor(number / 2 ** (8 * i)) % 256);
  }
}

function turnNumber(name, turn) {
  const { column, row, shape } = turn ?? {};
  const fits = (value, most) => Number.isInteger(value) && value >= 0 && value <= most;
  if (!fits(column, LARGEST_LABEL) || !fits(row, LARGEST_LABEL) || !fits(shape, SHAPES - 1)) {
    throw unfit(name, turn);
  }
  return (shape << 14) | (column << 8) | row;
}

function unfit(name, value) {
  return new PayloadError(`${name} cannot hold ${JSON.stringify(value)}`);
}

/** The values of a payload by name. Throws PayloadError. */
export function unpackPayload(message, payload) {
  const values = {};
  let at = 0;
  const take = (field) => {
    const bytes = payload.slice(at, (at += field[1]));
    return unpackField(field, bytes);
  };
  const width = message.fields.reduce((sum, field) => sum + field[1], 0);
  const rest = payload.length - width;
  const count = message.repeated ? rest / message.repeated[0][1] : 0;
  const fits = message.repeated
    ? Number.isInteger(count) && count >= message.repeated[1] && count <= message.repeated[2]
    : rest === 0;
  if (!fits) throw new PayloadError(`${message.name} cannot have ${payload.length} bytes`);
  for (const field of message.fields) values[field[0]] = take(field);
  if (message.repeated) {
    const [field] = message.repeated;
    values[field[0]] = Array.from({ length: count }, () => take(field));
  }
  return values;
}

function unpackField([name, width, kind], bytes) {
  if (kind === "text") {
    if (bytes.some((byte) => byte > 0x7f)) throw new PayloadError(`${name} is not ASCII`);
    return String.fromCharCode(...bytes).replace(/\0+$/, "");
  }
  const number = bytes.reduce((sum, byte) => sum * 256 + byte, 0);
  if (kind === "turn") {
    if (number === NO_TURN) return null;
    const turn = { column: (number >> 8) & 0x3f, row: number & 0xff, shape: number >> 14 };
    if (turn.shape >= SHAPES || turn.row > LARGEST_LABEL) {
      throw new PayloadError(`${name}: ${number} is not a turn`);
    }
    return turn;
  }
  return kind === "signed" && number >= 2 ** (8 * width - 1) ? number - 2 ** (8 * width) : number;
}
