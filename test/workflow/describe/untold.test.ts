import { expect, test } from "vitest";
import { untold } from "../../../src/workflow/describe/given-texts.ts";

const TOLD = [
  "Captions “film.vtt”: 7 captions.",
  "Captions “film.vtt”: zero is 00:00:00 (the film's start).",
  "Descriptions “script.csv”: 6 descriptions.",
];

test.each([
  ["Captions: 7 captions; zero is 00:00:00 (the film's start).", true],
  ["Captions: 7 captions.", true],
  ["Script: 6 descriptions.", true],
  // Whatever the service read otherwise is said, with all that goes with it.
  ["Captions: 6 captions; zero is 00:00:00 (the film's start).", false],
  ["Captions: 7 captions; zero is 01:00:00:00 (the film's timecode).", false],
  ["Script: 7 captions.", false],
  ["Captions: 6 descriptions.", false],
  ["Without a vision model only text on screen is spoken.", false],
  ["Captions: .", false],
])("of the notes of a service, what was told before is not told again: %s", (note, isTold) => {
  expect(untold([note, "Rain."], TOLD)).toEqual(isTold ? ["Rain."] : [note, "Rain."]);
  expect(untold([note], [])).toEqual([note]);
});
