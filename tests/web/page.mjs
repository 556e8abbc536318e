// Asks the page's modules: JSON from standard input, results to standard output.
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const page = pathToFileURL(process.argv[2] + "/");
const notation = await import(new URL("notation.js", page));
const records = await import(new URL("records.js", page));
const game = await import(new URL("game.js", page));
const guide = await import(new URL("guide.js", page));
const live = await import(new URL("live.js", page));
const panel = await import(new URL("panel.js", page));

const actions = {
  names: ({ view }) =>
    view.candidates.map(({ turn }) => {
      const text = notation.formatOldTurn(view, turn);
      return [notation.formatTurn(turn), text, notation.readTurn(view, text),
        notation.readTurn(view, notation.formatTurn(turn))];
    }),
  records: ({ text }) => records.readRecords(text),
  read: ({ text, views }) =>
    Promise.all(records.readRecords(text).map((record) => {
      const look = async (variant, turns) =>
        views[[variant, ...turns.map(notation.formatTurn)].join(" ")];
      return records.readGame(record, look).catch((error) => ({ error: error.message }));
    })),
  format: ({ tags, turns, result, comments }) =>
    records.formatRecord(tags, turns, result, comments),
  hash: ({ variant, turns }) => {
    const text = game.toHash(variant, turns);
    return [text, game.fromHash("#" + encodeURI(text)), game.fromHash(text)];
  },
  fromHash: ({ text }) => game.fromHash(text),
  end: ({ completed, mover, variant }) =>
    game.endByTurn(completed, mover, game.variantNamed(variant)),
  endOfRecord: ({ text, turns }) => game.endOfRecord(records.readRecords(text)[0], turns),
  live: ({ text }) => {
    try {
      return live.readLive(text);
    } catch (error) {
      return error.message;
    }
  },
  status: ({ players, turns, forced }) => panel.statusText({
    game: game.newGame({ players, turns }), shown: turns.length, isLive: true,
    played: { name: "B1+", forced },
  }),
  turnLimit: () => game.TURN_LIMIT,
  guide: () => guide.GUIDE.map((each) => [each, [...guide.guideTiles(each)]]),
};

const asked = JSON.parse(readFileSync(0, "utf8"));
const answers = await Promise.all(asked.map((each) => actions[each.action](each)));
process.stdout.write(JSON.stringify(answers));
