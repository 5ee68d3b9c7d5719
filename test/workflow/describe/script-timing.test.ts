import { expect, test } from "vitest";
import { frameRate } from "../../../src/core/frame-rate.ts";
import { scriptOnTiming, scriptsFrom } from "../../../src/workflow/describe/given-script.ts";

const TIMING = [
  { id: "a", start: 1, end: 3, text: "A woman sits." },
  { id: "b", start: 5, end: 6, text: "She stands." },
];

test("a translation takes the times of what it translates, by id or in order", () => {
  const inOrder = scriptOnTiming(
    [
      { id: "", text: "Eine Frau sitzt." },
      { id: "", text: "Sie steht auf." },
    ],
    TIMING,
  );
  expect(inOrder).toEqual([
    { id: "a", start: 1, end: 3, text: "Eine Frau sitzt." },
    { id: "b", start: 5, end: 6, text: "Sie steht auf." },
  ]);
  const byId = scriptOnTiming(
    [
      { id: "b", text: "Sie steht auf." },
      { id: "a", text: "Eine Frau sitzt." },
    ],
    TIMING,
  );
  expect(byId).toEqual(inOrder);
  expect(scriptOnTiming([{ id: "b", text: "Sie steht auf." }], TIMING)).toEqual([
    { id: "b", start: 5, end: 6, text: "Sie steht auf." },
  ]);
});

test("texts that match neither by id nor by number take no time", () => {
  expect(scriptOnTiming([{ id: "", text: "Nur eine." }], TIMING)).toBeNull();
  expect(scriptOnTiming([], TIMING)).toBeNull();
  expect(
    scriptOnTiming(
      ["b", "b", "a"].map((id) => ({ id, text: id })),
      TIMING,
    ),
  ).toBeNull();
});

test("a service that may speak whatever stands in a script is sent none of its directions", () => {
  const grid = { rate: frameRate(25), isDropFrame: false, startFrame: 0 };
  const scripts = scriptsFrom([{ id: "a", start: 1, end: 3, text: "[slowly] A woman sits. (beat)" }], { grid });
  expect(scripts.length).toBeGreaterThan(1);
  for (const { content } of scripts) {
    expect(content).toContain("A woman sits.");
    expect(content).not.toMatch(/slowly|beat/);
  }
});
