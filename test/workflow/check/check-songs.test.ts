import { expect, test } from "vitest";
import { checkSongs } from "../../../src/workflow/check/check-hearing.ts";

test("announces each song with its place and length, and no dialogue", () => {
  const dialogue = [
    { start: 2, end: 4, text: "Play it again." },
    { start: 10, end: 13, text: "♪ Row, row, row your boat ♪" },
    { start: 14, end: 18.5, text: "♪ gently down the stream ♪" },
  ];
  expect(checkSongs(dialogue)).toEqual([
    expect.objectContaining({
      rule: "song",
      severity: "note",
      cueIds: [],
      range: { start: 10, end: 18.5 },
      measured: 8.5,
    }),
  ]);
  expect(checkSongs(dialogue.slice(0, 1))).toEqual([]);
});
