// The rules in five pictures. Each row has White's sides of its tiles in hexadecimal digits.

export const GUIDE = [
  {
    title: "The tile",
    text: "All tiles are alike: straight tracks on one side, curves on the other. A player lays " +
      "either side, turned as it fits. White owns the white tracks, Red the red ones.",
    rows: ["5.9.6"],
  },
  {
    title: "A turn",
    text: "White begins, then the players alternate. Each lays one tile beside those on the table, " +
      "so that every track goes on in its colour. Either colour may be continued.",
    turns: "@0/ B1+",
    rows: ["95"],
    own: ["1,0"],
  },
  {
    title: "Forced plays",
    text: "Where two tracks of one colour enter the same empty space, the tile that joins them is " +
      "laid at once, as part of the turn. That may force more tiles. A turn is not legal if three " +
      "tracks of one colour would meet.",
    turns: "@0/ @1+ A0\\",
    rows: ["3c", "a9"],
    own: ["0,0"],
    forced: ["1,0"],
  },
  {
    title: "A loop wins",
    text: "A player whose colour closes a loop wins, whoever has laid the tile.",
    turns: "@0/ @1\\ A0/",
    rows: ["6c", "39"],
    won: "white",
  },
  {
    title: "A line wins",
    text: "So does a line: a track from one edge of the tiles to the opposite one, where they " +
      "are at least eight apart.",
    turns: "@0/ A2+ B2\\ C2/ A0+ B4\\ @2+ A3/ E3/ @4\\ G3/ @3/ D0+ B6+ F3+ F2/ A7/ F0/ D8\\",
    rows: [
      "....69..", "...53c..", "..95693c", "96a93ac3", "696ac696", "3c3c3969", "c5696...", "953c....",
    ],
    won: "white",
  },
];

/** The tiles of a picture: a Map from "x,y" to White's sides. */
export function guideTiles({ rows }) {
  const tiles = new Map();
  rows.forEach((row, y) => [...row].forEach((digit, x) => {
    if (digit !== ".") tiles.set(`${x},${y}`, parseInt(digit, 16));
  }));
  return tiles;
}
