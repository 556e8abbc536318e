// Records of games as text. What the turns mean, and whether they are legal, a device says.

const TRX_VARIANTS = {
  Trax: "standard", "Loop Trax": "loop", "8x8 Trax": "limited", "8x8Trax": "limited",
};
const FIRST_TURNS = ["@0/", "@0+"];
const TURN = /^(?:@|[A-Z]{1,3})[0-9]{1,4}[+/\\]$/;

/** A game as a record. `tags` is an object, `result` one of 1-0, 0-1, 1/2-1/2 and *. */
export function formatRecord(tags, texts, result) {
  const lines = Object.entries({ ...tags, Result: result }).map(([name, value]) =>
    `[${name} "${value.replace(/[\\"]/g, "\\$&")}"]`);
  const words = texts.map((text, index) => `${index + 1}. ${text}`);
  let line = "";
  lines.push("");
  for (const word of [...words, result]) {
    if (line && line.length + word.length + 1 > 79) {
      lines.push(line);
      line = "";
    }
    line += (line ? " " : "") + word;
  }
  return [...lines, line].join("\n") + "\n";
}

/**
 * The games of a text: [{ tags, words, result, word }]. `words` are turns as they are written, without
 * numbers, forced plays and comments. `word` is RESIGN, TIME, ILLEGAL, DRAW or nothing.
 */
export function readRecords(text) {
  const lines = text.split(/\r\n?|\n/).map((line) => line.trim());
  const [first, second] = lines.map((line) => line.replace(/#.*$/, "").trim()).filter(Boolean);
  const isTrx = first in TRX_VARIANTS;
  const isOnePerLine = FIRST_TURNS.includes(first) && TURN.test(second) && !FIRST_TURNS.includes(second);
  const games = [];
  let isTagged = false;
  for (const whole of lines) {
    const line = whole.replace(isTrx ? /[#;].*$/ : /#.*$/, "").trim();
    const tags = readTag(whole) ?? (isTrx ? readTrxTags(line, games.at(-1)) : null);
    if (tags) {
      // Games with tags take any number of lines.
      if (!isTagged || games.at(-1).words.length) games.push(newRecord());
      isTagged = true;
      Object.assign(games.at(-1).tags, tags);
    } else if (line) {
      const continues = isOnePerLine ? !FIRST_TURNS.includes(line)
        : isTagged || (/^[0-9]+\./.test(line) && !/^1\./.test(line));
      if (!games.length || !continues) games.push(newRecord());
      if (addWords(games.at(-1), line)) isTagged = false;
    }
  }
  return games.filter(({ words }) => words.length);
}

const newRecord = () => ({ tags: {}, words: [], result: "*", word: "" });

/** The tag on a line, as an object; null if there is none. */
function readTag(line) {
  const tag = /^\[(\w+) "((?:[^"\\]|\\.)*)"\]\s*(?:#.*)?$/.exec(line);
  return tag && { [tag[1]]: tag[2].replace(/\\(.)/g, "$1") };
}

/** The tags that a line at the head of a .trx game stands for; null for other lines. */
function readTrxTags(line, game) {
  if (line in TRX_VARIANTS) return { Variant: TRX_VARIANTS[line] };
  const players = /^(.*?)\s+vs\.?\s+(.*)$/.exec(line);
  return players && !game.words.length ? { White: players[1], Red: players[2] } : null;
}

/** Add the words of a line without comments to a game; return whether the game ends with them. */
function addWords(game, line) {
  let isEnded = false;
  const plain = line.replace(/\([^)]*\)/g, " ").replace(/(^|\s)[0-9]+\.(?=\S)/g, "$1");
  for (const word of plain.split(/\s+/)) {
    if (!word || /^[0-9]+\.?$/.test(word)) continue;
    if (/^(?:1-0|0-1|1\/2-1\/2|\*)$/.test(word)) {
      game.result = word;
      isEnded = true;
    } else if (/^(?:RESIGN|TIME|ILLEGAL|DRAW)$/i.test(word)) {
      game.word = word.toUpperCase();
      isEnded = true;
    } else game.words.push(word);
  }
  return isEnded;
}
