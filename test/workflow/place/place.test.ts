import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Cue } from "../../../src/core/cue.ts";
import { type FrameRate, frameRate, framesFromSeconds, secondsFromFrames } from "../../../src/core/frame-rate.ts";
import type { AddMarker } from "../../../src/host/edit-plan.ts";
import { planPlacement, snapToFrames } from "../../../src/workflow/place/place.ts";
import { numbersBetween } from "../../numbers-between.ts";

const RATES = [frameRate(24000, 1001), frameRate(25), frameRate(30000, 1001), frameRate(60000, 1001)];
const cue = (id: string, start: number, end: number, text = `Words of ${id}.`): Cue => ({ id, start, end, text });

function markersOf(cues: readonly Cue[], rate: FrameRate = frameRate(25), offsetSeconds = 0): AddMarker[] {
  const plan = planPlacement({ sequence: { id: "s", rate }, offsetSeconds, cues });
  return plan.groups.flatMap(({ steps }) => steps).filter((step): step is AddMarker => step.kind === "add-marker");
}

describe("markers", () => {
  test("PANEL-28: there is one per cue, as long as the cue, in order of time", () => {
    const markers = markersOf([cue("b", 4, 5.2), cue("a", 1, 2.52)]);
    expect(markers.map(({ cueId, start, duration }) => [cueId, start, duration])).toEqual([
      ["a", 1, 1.52],
      ["b", 4, 1.2000000000000002],
    ]);
  });

  test("PANEL-24 PANEL-33: lie on the sequence clock: the programme's time and the export offset", () => {
    expect(markersOf([cue("a", 1, 2)], frameRate(25), 10)[0]).toMatchObject({ start: 11, duration: 1 });
  });

  test("PANEL-29: hold the whole description with a tag below, a name with number and length", () => {
    const text = "She opens the letter – “At last”, it says.";
    const [marker] = markersOf([cue("cue-0001", 1, 3.4, text)]);
    expect(marker).toMatchObject({ name: "AD 1 · 2.4 s", comment: `${text}\nAD·cue-0001` });
  });

  test("PANEL-29: with findings have a colour of their own, notes do not count", () => {
    const finding = (severity: "warn" | "note", cueIds: string[]) => ({ rule: "r", severity, cueIds, message: "m" });
    const plan = planPlacement({
      sequence: { id: "s", rate: frameRate(25) },
      offsetSeconds: 0,
      cues: [cue("a", 1, 2), cue("b", 3, 4)],
      findings: [finding("warn", ["b"]), finding("note", ["a"])],
      colours: { plain: "green", finding: "red", toWrite: "yellow" },
    });
    expect(plan.groups[0]?.steps).toMatchObject([{ colour: "green" }, { colour: "red" }]);
  });

  test("no cues, no step; the plan is for its sequence alone", () => {
    const plan = planPlacement({ sequence: { id: "s-1", rate: frameRate(25) }, offsetSeconds: 0, cues: [] });
    expect(plan).toEqual({ sequenceId: "s-1", groups: [] });
  });
});

test("PANEL-30: sound lies at the export offset exactly, off the frame grid if need be, in a step of its own", () => {
  const plan = planPlacement({
    sequence: { id: "s", rate: frameRate(24000, 1001) },
    offsetSeconds: 10.0001,
    cues: [cue("a", 1, 2)],
    audio: { path: "/x/narration.wav", clipName: "narration.wav", durationSeconds: 60 },
  });
  expect(plan.groups.map(({ label }) => label)).toEqual(["Place 1 description marker", "Place narration"]);
  expect(plan.groups[1]?.steps).toEqual([
    {
      kind: "place-audio",

      path: "/x/narration.wav",
      clipName: "narration.wav",
      start: 10.0001,
      durationSeconds: 60,
    },
  ]);
});

describe("the frame grid", () => {
  const cues = fc
    .array(
      fc.record({
        start: numbersBetween(0, 36_000),
        length: numbersBetween(0, 9),
      }),
      {
        maxLength: 60,
      },
    )
    .map((list) => list.map(({ start, length }) => ({ start, end: start + length })).sort((a, b) => a.start - b.start));

  test("PANEL-34 PANEL-35: every cue is at least a frame, starts on a frame, and ends before the next one starts", () => {
    fc.assert(
      fc.property(cues, fc.constantFrom(...RATES), (ranges, rate) => {
        const snapped = snapToFrames(ranges, rate);
        const frame = secondsFromFrames(1, rate);
        for (const [index, { start, end }] of snapped.entries()) {
          expect(start).toBe(secondsFromFrames(framesFromSeconds(start, rate), rate));
          expect(end).toBe(secondsFromFrames(framesFromSeconds(end, rate), rate));
          expect(end - start).toBeGreaterThanOrEqual(frame - 1e-9);
          expect(end).toBeLessThanOrEqual((snapped[index + 1]?.start ?? Number.POSITIVE_INFINITY) + 1e-9);
        }
      }),
    );
  });

  test("PANEL-34: a marker ends where its cue does, to half a frame, and its end is a frame's", () => {
    const offsets = numbersBetween(0, 3600);
    fc.assert(
      fc.property(cues, fc.constantFrom(...RATES), offsets, (ranges, rate, offset) => {
        const frame = secondsFromFrames(1, rate);
        const wanted = ranges.map((range, index) => cue(`c${String(index).padStart(3, "0")}`, range.start, range.end));
        for (const [index, { start, duration }] of markersOf(wanted, rate, offset).entries()) {
          const end = start + duration;
          expect(Math.abs(end - secondsFromFrames(framesFromSeconds(end, rate), rate))).toBeLessThan(1e-6);
          const { start: from = 0, end: to = 0 } = ranges[index] ?? {};
          const next = ranges[index + 1]?.start ?? Number.POSITIVE_INFINITY;
          const isCrowded =
            to - from < 2 * frame || next - to < 2 * frame || from - (ranges[index - 1]?.start ?? -9) < 60 * frame;
          if (!isCrowded) expect(Math.abs(end - offset - to)).toBeLessThanOrEqual(frame / 2 + 1e-6);
        }
      }),
    );
  });

  test("PANEL-35: a start that no neighbour crowds is on the nearest frame", () => {
    fc.assert(
      fc.property(numbersBetween(0, 36_000), fc.constantFrom(...RATES), (start, rate) => {
        const [snapped] = snapToFrames([{ start, end: start + 1 }], rate);
        expect(Math.abs((snapped?.start ?? -1) - start)).toBeLessThanOrEqual(secondsFromFrames(1, rate) / 2 + 1e-9);
      }),
    );
  });

  test("PANEL-34: a position at ten hours is exact at 30000/1001", () => {
    const frame = 1_078_921;
    const start = secondsFromFrames(frame, frameRate(30000, 1001));
    const [snapped] = snapToFrames([{ start, end: start + 1 }], frameRate(30000, 1001));
    expect(framesFromSeconds(snapped?.start ?? 0, frameRate(30000, 1001))).toBe(frame);
  });
});
