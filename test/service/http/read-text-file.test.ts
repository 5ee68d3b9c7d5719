import { expect, test } from "vitest";
import { frameRate } from "../../../src/core/frame-rate.ts";
import { readFileReply } from "../../../src/service/http/read-text-file.ts";

const bytes = Buffer.from(
  "1\n01:04:00,000 --> 01:04:03,000\nWho is it?\n\n2\n01:40:00,000 --> 01:40:03,000\nNobody at all.\n",
);
const grid = { rate: frameRate(25), isDropFrame: false, startFrame: 90_000 };

test("of a text that may be meant in several ways each is told, with every cue of its beginning as it would be read", () => {
  const { verdict, webvtt } = readFileReply({
    bytes,
    filename: "a.srt",
    reading: { holds: "dialogue", durationSeconds: 6_100, grid },
  });
  if (verdict.kind !== "unsure") throw new Error(`it is ${verdict.kind}`);
  expect(webvtt).toBe("");
  const said = ["Who is it?", "Nobody at all."];
  const at = (...starts: readonly number[]) =>
    starts.map((start, index) => ({ start, end: start + 3, text: said[index] }));
  expect(verdict.readings.map(({ choice, preview }) => [choice, preview])).toEqual([
    [{ start: "00:00:00" }, at(3840, 6000)],
    [{ start: "01:00:00" }, at(240, 2400)],
  ]);
});
