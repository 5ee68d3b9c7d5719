import { expect, test } from "vitest";
import { TimeMap } from "../../../../src/core/time-map.ts";
import { retimeCaptions } from "../../../../src/engine/ffmpeg/encode/caption-track.ts";

const caption = (id: string, start: number, end: number) => ({ id, start, end, text: `Words of ${id}.` });
const timesOf = (...given: Parameters<typeof retimeCaptions>) =>
  retimeCaptions(...given).map(({ id, start, end }) => [id, start, end]);

test("every caption is on the clock of the held video: before, in, behind and between its pauses", () => {
  const map = new TimeMap([
    { at: 10, seconds: 2 },
    { at: 20, seconds: 3 },
  ]);
  const captions = [caption("d", 22, 24), caption("a", 1, 3), caption("b", 8, 10), caption("c", 18, 21)];
  expect(timesOf(captions, map)).toEqual([
    ["a", 1, 3],
    // Gone when the picture stops, and there as long as the pause that falls into it.
    ["b", 8, 10],
    ["c", 20, 26],
    ["d", 27, 29],
  ]);
  expect(timesOf([caption("e", 10, 12), caption("f", 20, 21)], map)).toEqual([
    ["e", 12, 14],
    ["f", 25, 26],
  ]);
});

test("a caption that would overlap the next is cut at its start, and one of which nothing is left is none", () => {
  const captions = [caption("a", 1, 5), caption("b", 3, 4), caption("c", 3.5, 9), caption("d", 3.5, 6)];
  expect(timesOf(captions, new TimeMap([]))).toEqual([
    ["a", 1, 3],
    ["b", 3, 3.5],
    ["d", 3.5, 6],
  ]);
});
