import { describe, expect, test } from "vitest";
import type { Cue } from "../../../src/core/cue.ts";
import type { PauseToWrite } from "../../../src/core/pause-to-write.ts";
import type { Timeline, TimelineMarker } from "../../../src/core/timeline.ts";
import { writeFcp7Xml } from "../../../src/formats/fcp7-xml/write-fcp7-xml.ts";
import { readDocument } from "../../../src/formats/index.ts";
import { writeOtio } from "../../../src/formats/otio/write-otio.ts";
import { applyPlan } from "../../../src/host/headless/apply-plan.ts";
import { DEFAULT_COLOURS } from "../../../src/workflow/place/place.ts";
import { readBack } from "../../../src/workflow/place/read-back.ts";
import { planMarkerReplacement, type Replacement } from "../../../src/workflow/place/replace.ts";
import { mergeIntoSequence } from "../../../src/workflow/place/round-trip.ts";
import { placedResult } from "../../fakes/placed-result.ts";
import { madeTimeline } from "../../made-timeline.ts";

const TITLE: Cue = { id: "cue-0001", start: 1, end: 3, text: "On screen: THE HARBOUR." };
const PAUSES: PauseToWrite[] = [
  { id: "pause-0001", start: 4, end: 9.2, words: 13, hints: ["dark"] },
  { id: "pause-0002", start: 20, end: 22, words: 5, hints: [] },
];
const FOREIGN: TimelineMarker = { id: "f", start: 12, end: 12, name: "Grade", comment: "too warm", colour: "blue" };
const RANGE = { offsetSeconds: 10, durationSeconds: 60 };
const RECORD = placedResult([TITLE], { toWrite: PAUSES, track: "none", ...RANGE });

function replacement(timeline: Timeline, fields: Partial<Replacement> = {}): Replacement {
  return { sequence: { id: "s1", rate: timeline.rate }, ...RANGE, cues: [TITLE], toWrite: PAUSES, timeline, ...fields };
}

function placedOn(timeline: Timeline, fields: Partial<Replacement> = {}): Timeline {
  return applyPlan(timeline, planMarkerReplacement(replacement(timeline, fields)), () => ({
    location: "",
    channels: 1,
    sampleRate: 1,
  })).timeline;
}

const EMPTY = madeTimeline([], { markers: [FOREIGN] });
const PLACED = placedOn(EMPTY);

/** The timeline after somebody wrote into the marker of a pause, as a host lets them. */
function written(id: string, words: (tag: string) => string, timeline = PLACED): Timeline {
  const markers = timeline.markers.map((marker) =>
    marker.comment.includes(id) ? { ...marker, comment: words(marker.comment) } : marker,
  );
  return { ...timeline, markers };
}

const ours = (timeline: Timeline) =>
  timeline.markers
    .filter(({ name }) => name !== "Grade")
    .map(({ start, end, name, comment, colour }) => [start, end, name, comment, colour]);
const readFrom = (timeline: Timeline, record: typeof RECORD | null = RECORD) =>
  readBack({ timeline, record, ...RANGE });

describe("a pause on a timeline", () => {
  test("is a marker that says what it offers, without words, in a colour of its own; descriptions keep their numbers", () => {
    expect(ours(PLACED)).toEqual([
      [11, 13, "AD 1 · 2.0 s", "On screen: THE HARBOUR.\nAD·cue-0001", DEFAULT_COLOURS.plain],
      [14, 19.2, "To write: 13 words, 5.2 s", "AD·pause-0001", DEFAULT_COLOURS.toWrite],
      [30, 32, "To write: 5 words, 2.0 s", "AD·pause-0002", DEFAULT_COLOURS.toWrite],
    ]);
    expect(new Set(Object.values(DEFAULT_COLOURS)).size).toBe(3);
  });

  test("is placed once: placing again changes nothing", () => {
    expect(planMarkerReplacement(replacement(PLACED)).groups).toEqual([]);
  });

  test.each([RECORD, null])("is no description while nobody has written in it, with a record or without", (record) => {
    const { cues, markers } = readFrom(PLACED, record);
    expect(cues.map(({ id }) => id)).toEqual(["cue-0001"]);
    expect(markers.filter(({ state }) => state === "to-write").map(({ cueId }) => cueId)).toEqual(
      PAUSES.map(({ id }) => id),
    );
  });

  test.each([
    ["otio", (timeline: Timeline) => writeOtio(timeline)],
    ["fcp7-xml", (timeline: Timeline) => writeFcp7Xml(timeline)],
  ] as const)("is no description in a %s document that is read as one, whoever reads it", (_, write) => {
    const { cues } = readDocument(write(PLACED));
    expect(cues.map(({ text }) => text)).toEqual(["On screen: THE HARBOUR. AD·cue-0001", "too warm"]);
  });

  test.each([
    ["above the tag", (tag: string) => `He waves.\n${tag}`],
    ["below it", (tag: string) => `${tag}\nHe waves.`],
    ["beside it", (tag: string) => `He waves. ${tag}`],
    ["in its place", () => "He waves."],
  ])("is a description as soon as somebody writes %s", (where, words) => {
    for (const record of [RECORD, null]) {
      const { cues } = readFrom(written("pause-0001", words), record);
      const [title, cue] = cues;
      expect([title?.id, cues.length]).toEqual(["cue-0001", 2]);
      const isNameless = record === null && where.startsWith("in");
      expect(cue).toEqual({ id: isNameless ? "pause-at-4000" : "pause-0001", start: 4, end: 9.2, text: "He waves." });
    }
  });

  test("that is written is placed as a description under its own name; the others wait on", () => {
    const timeline = written("pause-0001", (tag) => `He waves.\n${tag}`);
    const { cues } = readFrom(timeline);
    const after = placedOn(timeline, { cues });
    expect(ours(after).map(([, , name, comment, colour]) => [name, comment, colour])).toEqual([
      ["AD 1 · 2.0 s", "On screen: THE HARBOUR.\nAD·cue-0001", DEFAULT_COLOURS.plain],
      ["AD 2 · 5.2 s", "He waves.\nAD·pause-0001", DEFAULT_COLOURS.plain],
      ["To write: 5 words, 2.0 s", "AD·pause-0002", DEFAULT_COLOURS.toWrite],
    ]);
    // Its words cleared, it is a pause again.
    const cleared = written("pause-0001", () => "AD·pause-0001", after);
    expect(ours(placedOn(cleared))).toEqual(ours(PLACED));
  });

  test("stays where a plan knows nothing of pauses, and goes where it is said that there are none", () => {
    const { toWrite: _, ...rest } = replacement(PLACED);
    expect(planMarkerReplacement(rest).groups).toEqual([]);
    expect(ours(placedOn(PLACED, { toWrite: [] }))).toEqual(ours(PLACED).slice(0, 1));
  });

  test("goes where another description lies in it, and stays with words of a person's in its name", () => {
    const cues = [TITLE, { id: "x", start: 6, end: 8, text: "A boat." }];
    expect(ours(placedOn(PLACED, { cues })).map(([, , name]) => name)).toEqual([
      "AD 1 · 2.0 s",
      "AD 2 · 2.0 s",
      "To write: 5 words, 2.0 s",
    ]);
    const named = PLACED.markers.map((marker) =>
      marker.comment === "AD·pause-0001" ? { ...marker, name: "He waves to her" } : marker,
    );
    const after = placedOn({ ...PLACED, markers: named }, { cues });
    expect(after.markers.map(({ name }) => name)).toContain("He waves to her");
  });

  test("is there for the words that the panel has for it: they take its marker over", () => {
    const result = [TITLE, { id: "pause-0001", start: 4, end: 9.2, text: "He waves." }];
    const sequence = { id: "s1", rate: PLACED.rate };
    const merge = mergeIntoSequence({ sequence, timeline: PLACED, record: RECORD, ...RANGE, result });
    expect(merge.cues).toEqual(result);
    expect(merge.plan.groups.flatMap(({ steps }) => steps)).toMatchObject([
      { kind: "change-marker", cueId: "pause-0001", name: "AD 2 · 5.2 s", comment: "He waves.\nAD·pause-0001" },
    ]);
  });
});
