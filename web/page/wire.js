// The framed link: codes, fields of all messages, variants.
// Made by `python -m loopline.web.wire_module` from loopline.game.wire; not edited by hand.

export const PROTOCOL = 1;
export const MAGIC = "TRAX";
export const MAX_PAYLOAD = 128;
export const WIN_SCORE = 30000;
export const WIN_BOUND = 29744;
export const END = 192;
export const ESC = 219;
export const ESC_END = 220;
export const ESC_ESC = 221;
export const FIRST_BIT = 128;
export const SEQUENCES = 128;
export const MAX_FRAME = 133;

export const Command = Object.freeze({ IDENTIFY: 1, STATISTICS: 2, NEW_GAME: 3, PLAY: 4, TAKE_BACK: 5, LIST: 6, SEARCH: 7, STOP: 8, POSITION: 9, SELF_TEST: 10, RESET: 11, SET_BAUD: 12, COUNT: 13 });
export const ErrorCode = Object.freeze({ DAMAGED: 1, FRAMING: 2, TOO_LONG: 3, CUT: 4, UNKNOWN: 5, LENGTH: 6, FIELD: 7, BUSY: 8, NO_GAME: 9, GAME_OVER: 10, NOTHING: 11, DROPPED: 12, OVERRUN: 13 });
export const TurnStatus = Object.freeze({ LEGAL: 0, MISMATCH: 1, FORCED: 2, BOUNDS: 3, AREA: 5, OUTSIDE: 6, OVER: 7 });
export const Completed = Object.freeze({ WHITE_LOOP: 1, RED_LOOP: 2, WHITE_LINE: 4, RED_LINE: 8 });
export const GameFlag = Object.freeze({ ON: 1, OVER: 2, RED_TO_MOVE: 4, CONTEST: 8, THINKING: 16 });
export const RuleFlag = Object.freeze({ LINES: 1, BOTH_DRAW: 2 });
export const Verdict = Object.freeze({ NONE: 0, SUICIDE: 1, LOSING: 2, UNKNOWN: 3, DRAW: 4, SAFE: 5, WIN: 6 });
export const Feature = Object.freeze({ CONTEST: 1, LIST: 2, SEARCH: 4, POSITION: 8, SELF_TEST: 16, SET_BAUD: 32, EVALUATE: 64, COUNT: 128 });

// A field: name, width in bytes, kind. `repeated` is [field, least, most].
export const COMMANDS = Object.freeze({
  1: {"name": "IDENTIFY", "fields": [], "repeated": null},
  2: {"name": "STATISTICS", "fields": [], "repeated": null},
  3: {"name": "NEW_GAME", "fields": [["area", 1, "unsigned"], ["rules", 1, "unsigned"]], "repeated": [["turns", 2, "turn"], 0, 63]},
  4: {"name": "PLAY", "fields": [], "repeated": [["turns", 2, "turn"], 1, 64]},
  5: {"name": "TAKE_BACK", "fields": [["count", 1, "unsigned"]], "repeated": null},
  6: {"name": "LIST", "fields": [], "repeated": null},
  7: {"name": "SEARCH", "fields": [["depth", 1, "unsigned"], ["nodes", 4, "unsigned"], ["cycles", 4, "unsigned"]], "repeated": null},
  8: {"name": "STOP", "fields": [], "repeated": null},
  9: {"name": "POSITION", "fields": [], "repeated": null},
  10: {"name": "SELF_TEST", "fields": [], "repeated": null},
  11: {"name": "RESET", "fields": [], "repeated": null},
  12: {"name": "SET_BAUD", "fields": [["bit_cycles", 2, "unsigned"]], "repeated": null},
  13: {"name": "COUNT", "fields": [["depth", 1, "unsigned"]], "repeated": null},
});

export const ANSWERS = Object.freeze({
  128: {"name": "ERROR", "fields": [["error", 1, "unsigned"], ["command", 1, "unsigned"]], "repeated": null},
  129: {"name": "IDENTITY", "fields": [["magic", 4, "text"], ["protocol", 1, "unsigned"], ["name", 12, "text"], ["build", 4, "unsigned"], ["grid", 1, "unsigned"], ["lanes", 1, "unsigned"], ["clock", 4, "unsigned"], ["bit_cycles", 2, "unsigned"], ["baud", 4, "unsigned"], ["area", 1, "unsigned"], ["rules", 1, "unsigned"], ["code", 2, "text"], ["depth", 1, "unsigned"], ["features", 2, "unsigned"], ["history", 2, "unsigned"]], "repeated": null},
  130: {"name": "COUNTERS", "fields": [["bytes_received", 4, "unsigned"], ["bytes_sent", 4, "unsigned"], ["frames_received", 4, "unsigned"], ["frames_sent", 4, "unsigned"], ["frames_damaged", 4, "unsigned"], ["frames_malformed", 4, "unsigned"], ["frames_cut", 4, "unsigned"], ["frames_lost", 4, "unsigned"], ["repeats", 4, "unsigned"], ["framing_errors", 4, "unsigned"], ["overruns", 4, "unsigned"], ["lines_received", 4, "unsigned"], ["lines_noise", 4, "unsigned"], ["lines_refused", 4, "unsigned"], ["restarts", 4, "unsigned"]], "repeated": null},
  131: {"name": "GAME", "fields": [["made", 1, "unsigned"], ["status", 1, "unsigned"], ["tiles", 2, "unsigned"], ["completed", 1, "unsigned"], ["state", 1, "unsigned"], ["turns", 2, "unsigned"]], "repeated": null},
  132: {"name": "GAME", "fields": [["made", 1, "unsigned"], ["status", 1, "unsigned"], ["tiles", 2, "unsigned"], ["completed", 1, "unsigned"], ["state", 1, "unsigned"], ["turns", 2, "unsigned"]], "repeated": null},
  133: {"name": "GAME", "fields": [["made", 1, "unsigned"], ["status", 1, "unsigned"], ["tiles", 2, "unsigned"], ["completed", 1, "unsigned"], ["state", 1, "unsigned"], ["turns", 2, "unsigned"]], "repeated": null},
  198: {"name": "CANDIDATE", "fields": [["turn", 2, "turn"], ["status", 1, "unsigned"], ["tiles", 2, "unsigned"], ["completed", 1, "unsigned"]], "repeated": null},
  134: {"name": "CANDIDATES", "fields": [["candidates", 2, "unsigned"], ["legal", 2, "unsigned"]], "repeated": null},
  199: {"name": "PROGRESS", "fields": [["verdict", 1, "unsigned"], ["score", 2, "signed"], ["depth", 1, "unsigned"], ["nodes", 4, "unsigned"], ["cycles", 4, "unsigned"]], "repeated": [["variation", 2, "turn"], 0, 32]},
  135: {"name": "BEST", "fields": [["verdict", 1, "unsigned"], ["score", 2, "signed"], ["depth", 1, "unsigned"], ["nodes", 4, "unsigned"], ["cycles", 4, "unsigned"]], "repeated": [["variation", 2, "turn"], 0, 32]},
  136: {"name": "STOPPING", "fields": [["searching", 1, "unsigned"]], "repeated": null},
  201: {"name": "ROW", "fields": [["row", 1, "unsigned"]], "repeated": [["cells", 1, "unsigned"], 1, 127]},
  233: {"name": "SPACE", "fields": [["column", 1, "unsigned"], ["row", 1, "unsigned"], ["sockets", 1, "unsigned"], ["white_column", 1, "unsigned"], ["white_row", 1, "unsigned"], ["red_column", 1, "unsigned"], ["red_row", 1, "unsigned"]], "repeated": null},
  137: {"name": "POSITION", "fields": [["state", 1, "unsigned"], ["turns", 2, "unsigned"], ["area", 1, "unsigned"], ["rules", 1, "unsigned"], ["columns", 1, "unsigned"], ["rows", 1, "unsigned"], ["tiles", 2, "unsigned"], ["spaces", 2, "unsigned"]], "repeated": null},
  138: {"name": "TESTED", "fields": [["parts", 1, "unsigned"], ["failed", 1, "unsigned"]], "repeated": null},
  139: {"name": "RESET", "fields": [], "repeated": null},
  140: {"name": "BAUD", "fields": [["bit_cycles", 2, "unsigned"]], "repeated": null},
  141: {"name": "COUNTED", "fields": [["sequences", 4, "unsigned"], ["beyond", 1, "unsigned"]], "repeated": null},
});

// What a repeated command does: true if the device repeats its stored answer.
export const STORED = Object.freeze({
  1: false,
  2: false,
  3: true,
  4: true,
  5: true,
  6: false,
  7: true,
  8: false,
  9: false,
  10: true,
  11: true,
  12: true,
  13: false,
});

export const VARIANTS = Object.freeze({
  standard: {"area": 0, "rules": 1},
  limited: {"area": 8, "rules": 1},
  deluxe: {"area": 8, "rules": 3},
  loop: {"area": 0, "rules": 0},
  mini: {"area": 3, "rules": 0},
});
