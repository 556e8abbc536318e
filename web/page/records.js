// Records of games as text, read as loopline.game.records reads them. What the turns mean, and whether
// they are legal, a device says.

import { growth } from "./drawing.js";
import { SCORES, endOf, endOfRecord, newGame, variantNamed } from "./game.js";
import { SHAPES, TILES, columnName, formatTurn, parseTurn, readTurn } from "./notation.js";
import { addedTiles } from "./scene.js";
import { TurnStatus } from "./wire.js";

const LONGEST_GAME = 1 << 18;
const WIDTH = 79;
const WORDS = ["RESIGN", "TIME", "ILLEGAL", "DRAW"];
const TRX_VARIANTS = {
  Trax: "standard", "Loop Trax": "loop", "8x8 Trax": "limited", "8x8Trax": "limited",
};
const FIRST_TURNS = ["@0/", "@0+"];
const TURN = /^(?:@|[A-Z]{1,3})[0-9]{1,4}[+/\\]$/;
const NUMBER = /^([0-9]{1,6})\./;
const TAG = /^\[([A-Za-z][A-Za-z0-9]*) "((?:[^"\\]|\\["\\])*)"\]\s*(#.*)?$/;
const DATE = /^[0-9]{4}(?:-(?:0[1-9]|1[0-2])(?:-(?:0[1-9]|[12][0-9]|3[01]))?)?$/;
// What a line that names players does not begin with: a tag, a comment, the first turn.
const NO_PLAYERS = /^(?:[[;#]|(?:1\.?\s*)?(?:@0[+/]|A1[CS])(?!\S))/;
const NOT_IN_A_LINE = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/gu;

const isTag = (line) => /^\s*\[/.test(line);
const wordsOf = (line) => line.split("#", 1)[0].split(/\s+/).filter(Boolean);
const endsGame = (word) => SCORES.includes(word) || WORDS.includes(word.toUpperCase());
/** Whether this is a first turn, which can be made only once in a game. */
const opens = (words) => words.length === 1 && FIRST_TURNS.includes(words[0]);

/**
 * A game as a record. `tags` is an object, of which what is undefined is left out, `result` one of 1-0, 0-1, 1/2-1/2 and *. `comments` are
 * lists of remarks by the number of turns before them.
 */
export function formatRecord(tags, texts, result, comments = []) {
  const given = Object.entries({ ...tags, Result: result }).filter(([, value]) => value !== undefined);
  const lines = given.map(([name, value]) =>
    `[${name} "${value.replace(/[\\"]/g, "\\$&")}"]`);
  lines.push("");
  let line = "";
  const endLine = () => {
    if (line) lines.push(line);
    line = "";
  };
  const add = (word) => {
    if (line.length + word.length + 1 > WIDTH) endLine();
    line += (line ? " " : "") + word;
  };
  for (let count = 0; count <= texts.length; ++count) {
    if (count) add(`${count}. ${texts[count - 1]}`);
    const remarks = comments[count] ?? [];
    if (remarks.length) endLine();
    lines.push(...remarks.map((remark) => `# ${remark}`));
  }
  add(result);
  endLine();
  return lines.join("\n") + "\n";
}

/**
 * The games of a text: [{ tags, words, forced, comments, result, word, error }]. `words` are turns as
 * they are written, `forced` and `comments` lists by the number of turns before them. `result` and
 * `word` (RESIGN, TIME, ILLEGAL, DRAW) are what stands behind the turns, if anything. `error` says
 * what is wrong, or is empty.
 */
export function readRecords(text) {
  return splitGames(text).map((lines) => {
    const game = { tags: {}, words: [], forced: [], comments: [], result: "", word: "", error: "" };
    try {
      takeTokens(game, divide(game, lines));
    } catch (error) {
      game.error = error.message;
    }
    return game;
  });
}

/**
 * The game of a record as newGame makes it; `look(variant, turns)` resolves to a view with candidates.
 * Throws an Error for a record that is not valid.
 */
export async function readGame(record, look) {
  const { words, forced, comments, error } = record;
  const { White, Red, Date: date, Variant = "standard", Result, Termination, ...tags } = record.tags;
  if (error) throw new Error(error);
  const rules = variantNamed(Variant);
  if (!rules) throw new Error(`${Variant} is not a variant`);
  const turns = [];
  let view = await look(Variant, []);
  for (const [index, word] of words.entries()) {
    const turn = legalTurn(view, word, index + 1);
    const before = view;
    turns.push(turn);
    view = await look(Variant, turns.slice());
    checkForced(forced[index + 1] ?? [], word, before, view, turns);
  }
  const over = endOf(view, turns.length, rules);
  const shown = over?.reason === "turn limit" ? null : over;
  const end = endOfRecord(record, turns.length, shown);
  const players = [White, Red].filter(Boolean).join(" – ");
  const game = newGame({ variant: Variant, turns });
  return Object.assign(game, {
    tags, comments, over,
    end: shown ? null : end,
    date: date ?? game.date,
    isUndated: !date,
    names: { white: White, red: Red },
    title: [players, date].filter(Boolean).join(", ") || undefined,
  });
}

function legalTurn(view, word, number) {
  const turn = readTurn(view, word);
  const found = turn && view.candidates.find((each) => formatTurn(each.turn) === formatTurn(turn));
  if (found?.status === TurnStatus.BOUNDS) {
    throw new Error(`the device has no room for turn ${number}, ${word}`);
  }
  if (found?.status !== TurnStatus.LEGAL) throw new Error(`turn ${number}, ${word}, is not legal`);
  return turn;
}

/** Refuse a tile that is listed behind the last of some turns, and not forced by it. */
function checkForced(listed, word, before, after, turns) {
  if (!listed.length) return;
  // Spaces are named as the board stands before the turn; the first one forces nothing.
  const [west, north] = growth(turns.slice(0, -1));
  const names = turns.length === 1 ? [] : [...addedTiles(before, after, turns)].map(([key, white]) => {
    const [x, y] = key.split(",").map(Number);
    const shape = TILES.findIndex((tiles) => tiles.includes(white));
    return `${columnName(x + west + 1)}${y + north + 1}${SHAPES[shape]}`;
  });
  const own = formatTurn(turns.at(-1));
  const wrong = listed.find((text) => text === own || !names.includes(text));
  if (wrong) throw new Error(`${wrong} is not a forced tile of ${word}`);
}

/** The lines of each game of a text. A comment between two games belongs to the second. */
function splitGames(text) {
  const games = [];
  let [game, between] = [[], []];
  let [isTagged, isBegun, isClosed] = [false, false, false];
  let style = "";
  for (let line of text.split(/\r\n?|\n/)) {
    let said = [];
    if (wordsOf(line).length) style = styleAfter(style, line);
    if (style === "trx") {
      said = trxTags(line, isBegun);
      if (!said.length) line = fromTrx(line);
    }
    const hasTag = isTag(line) || said.length > 0;
    const words = wordsOf(line);
    if (!words.length) {
      if (line) (isBegun && (isClosed || !isTagged) ? between : game).push(line);
      continue;
    }
    const number = NUMBER.exec(words[0])?.[1];
    const continues = style === "one per line"
      ? !opens(words) : isTagged || (number !== undefined && Number(number) !== 1);
    if (isBegun && (hasTag || isClosed || !continues)) {
      games.push(game);
      game = [];
      isTagged = isBegun = false;
    }
    game.push(...between, ...(said.length ? said : [line]));
    between = [];
    isTagged ||= hasTag;
    isBegun ||= !hasTag;
    isClosed = !hasTag && endsGame(words.at(-1));
  }
  return isTagged || isBegun ? [...games, [...game, ...between]] : games;
}

/** The format of a file after one more line with words: its first lines tell it. */
function styleAfter(style, line) {
  const words = wordsOf(line);
  if (!style) {
    if (Object.hasOwn(TRX_VARIANTS, line.trim())) return "trx";
    return opens(words) ? "opened" : "records";
  }
  if (style !== "opened") return style;
  return words.length === 1 && TURN.test(words[0]) && !opens(words) ? "one per line" : "records";
}

/** A line of a .trx game in the form of records. */
function fromTrx(line) {
  if (isTag(line)) return line;
  const at = line.search(/[;#]/);
  const turns = (at < 0 ? line : line.slice(0, at)).replace(/(?<!\S)([0-9]{1,6})\s/g, "$1.");
  return at < 0 ? turns : `${turns}#${line.slice(at + 1)}`;
}

/** The tags that a line at the head of a .trx game stands for; none for other lines. */
function trxTags(line, isBegun) {
  const text = line.trim();
  if (Object.hasOwn(TRX_VARIANTS, text)) return [`[Variant "${TRX_VARIANTS[text]}"]`];
  const versus = /\svs\.?\s/.exec(text);
  if (isBegun || !versus || NO_PLAYERS.test(text)) return [];
  const players = [text.slice(0, versus.index), text.slice(versus.index + versus[0].length)];
  const [white, red] = players.map((name) => name.trim().replace(/[\\"]/g, "\\$&"));
  return [`[White "${white}"]`, `[Red "${red}"]`];
}

/** Take the tags of a game's lines; return all other words, and comments. */
function divide({ tags }, lines) {
  const length = lines.reduce((sum, line) => sum + line.length + 1, 0);
  if (length > LONGEST_GAME) throw new Error(`a game has at most ${LONGEST_GAME} characters`);
  return lines.flatMap((line) => {
    if (!isTag(line)) return line.match(/#.*|[()]|[^\s()#]+/gs) ?? [];
    const [, name, quoted, comment] = TAG.exec(line.trimStart()) ?? [];
    if (!name) throw new Error(`${line.trim()} is not a tag such as [White "name"]`);
    if (Object.hasOwn(tags, name)) throw new Error(`the tag ${name} is given twice`);
    const value = quoted.replace(/\\(.)/g, "$1");
    if (value.search(NOT_IN_A_LINE) >= 0) throw new Error(`the tag ${name} has control characters`);
    if (name === "Date" && !DATE.test(value)) throw new Error(`${value} is not a date such as 2016-12-07`);
    tags[name] = value;
    return comment ? [comment] : [];
  });
}

/** Take turns, forced tiles, comments and the result. */
function takeTokens(game, tokens) {
  const { words, forced, comments } = game;
  const waiting = tokens.reverse();
  while (waiting.length) {
    const token = waiting.pop();
    const number = NUMBER.exec(token);
    const end = game.result || game.word;
    if (token.startsWith("#")) {
      const remark = token.slice(1).replace(NOT_IN_A_LINE, " ").trim();
      if (remark) (comments[words.length] ??= []).push(remark);
    } else if (end) throw new Error(`${token} stands behind ${end}`);
    else if (number) {
      if (Number(number[1]) !== words.length + 1) {
        throw new Error(`expected the number ${words.length + 1}., found ${number[0]}`);
      }
      const rest = token.slice(number[0].length);
      if (rest) waiting.push(rest);
    } else if (SCORES.includes(token)) game.result = token;
    else if (endsGame(token)) game.word = token.toUpperCase();
    else if (token === "(") throw new Error("forced tiles stand behind the turn that forces them");
    else {
      words.push(token);
      if (waiting.at(-1) === "(") forced[words.length] = forcedTiles(waiting);
    }
  }
}

/** Take the tiles in parentheses. */
function forcedTiles(waiting) {
  const tiles = [];
  waiting.pop();
  while (waiting.length) {
    const token = waiting.pop();
    if (token === ")") return tiles;
    if (token.startsWith("#")) break;
    if (!parseTurn(token)) throw new Error(`${token} is not a tile`);
    tiles.push(token);
  }
  throw new Error("a parenthesis is not closed before the end or a comment");
}
