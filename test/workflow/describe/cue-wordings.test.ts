import { expect, test } from "vitest";
import { readReport } from "../../../src/client/report-reply.ts";
import { cueWordings } from "../../../src/workflow/describe/describe.ts";

const CUES = [
  { id: "cue-0001", text: "A woman sits at a desk." },
  { id: "cue-0002", text: "She opens a letter." },
];
const OTHERS = [{ text: "A woman sits.", seconds: 0.9 }];

test("a cue finds its other wordings by its words, however its format numbers it", () => {
  const wordings = [{ said: "A woman  sits at a desk.", others: OTHERS }];
  expect(cueWordings(CUES, { wordings })).toEqual({ "cue-0001": OTHERS });
  expect(cueWordings(CUES, {})).toBeUndefined();
  expect(cueWordings(CUES, undefined)).toBeUndefined();
});

test("each of several cues has its own, in whatever order they are told", () => {
  const wordings = [
    { said: "She opens a letter.", others: [{ text: "She reads.", seconds: 1.1 }] },
    { said: "A woman sits at a desk.", others: OTHERS },
  ];
  const found = { "cue-0001": OTHERS, "cue-0002": [{ text: "She reads.", seconds: 1.1 }] };
  expect(cueWordings(CUES, { wordings })).toEqual(found);
  expect(cueWordings(CUES, { wordings: [...wordings].reverse() })).toEqual(found);
});

test("of a report that is not as it should be, what is whole is read", () => {
  const lines = [
    { said: "A.", others: [{ text: "B.", seconds: 1 }, { text: "C." }, { seconds: 2 }, null, "D."] },
    "no line",
    { others: "none" },
  ];
  expect(readReport({ wordings: lines })?.wordings).toEqual([
    { said: "A.", others: [{ text: "B.", seconds: 1 }] },
    { said: "", others: [] },
  ]);
  expect(readReport({ wordings: {} })?.wordings).toBeUndefined();
});
