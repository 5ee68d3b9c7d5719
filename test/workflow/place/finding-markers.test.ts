import { expect, test } from "vitest";
import type { Cue } from "../../../src/core/cue.ts";
import type { Finding } from "../../../src/core/finding.ts";
import type { TimelineMarker } from "../../../src/core/timeline.ts";
import { applyPlan } from "../../../src/host/headless/apply-plan.ts";
import { planFindingMarkers } from "../../../src/workflow/place/place.ts";
import { RATE, timelineOf } from "./timelines.ts";

const CUES: Cue[] = [{ id: "a", start: 2.013, end: 4, text: "A dog." }];
const MINE: TimelineMarker = { id: "mine", start: 5, end: 5, name: "AD check", comment: "AD!check it, please" };
const TYPED: TimelineMarker = { start: 6, end: 6, name: "", comment: "AD!check" };
const BEFORE = timelineOf([], [MINE, TYPED]);

const finding = (changes: Partial<Finding>): Finding => ({
  rule: "pace",
  severity: "warn",
  cueIds: ["a"],
  message: "Too fast.",
  ...changes,
});
const planOf = (findings: readonly Finding[], timeline = BEFORE) =>
  planFindingMarkers({ sequence: { id: "s1", rate: RATE }, timeline, offsetSeconds: 10, cues: CUES, findings });
const applied = (plan: ReturnType<typeof planOf>, timeline = BEFORE) =>
  applyPlan(timeline, plan, () => {
    throw new Error("no sound is placed");
  }).timeline;

const FOUND = [
  finding({}),
  finding({ severity: "fail", rule: "overlap", cueIds: [], range: { start: 30, end: 32 }, message: "Over speech." }),
  finding({ severity: "note" }),
  finding({ cueIds: ["gone"] }),
  finding({ cueIds: [] }),
];

test("each warning and fault has a marker at its cue or its stretch, on frames; notes and what has no place have none", () => {
  const plan = planOf(FOUND);
  expect(plan).toMatchObject({ sequenceId: "s1", groups: [{ label: "Place 2 finding markers" }] });
  const shown = applied(plan).markers.slice(2);
  expect(shown.map(({ id: _, ...marker }) => marker)).toEqual([
    { start: 12, end: 14, name: "AD check · pace", comment: "Too fast.\nAD!check", colour: "orange" },
    { start: 40, end: 42, name: "AD check · overlap", comment: "Over speech.\nAD!check", colour: "red" },
  ]);
  expect(new Set(shown.map(({ id }) => id)).size).toBe(2);
  expect(planOf([finding({})]).groups[0]?.label).toBe("Place 1 finding marker");
});

test("a later check takes the place of an earlier one, and leaves what somebody else wrote", () => {
  const first = applied(planOf(FOUND));
  const second = planOf([finding({ message: "Still too fast." })], first);
  expect(applied(second, first).markers.map(({ comment }) => comment)).toEqual([
    MINE.comment,
    TYPED.comment,
    "Still too fast.\nAD!check",
  ]);
  const none = planOf([], first);
  expect(none.groups.map(({ label }) => label)).toEqual(["Remove finding markers"]);
  expect(applied(none, first)).toEqual(BEFORE);
  expect(planOf([]).groups).toEqual([]);
});
