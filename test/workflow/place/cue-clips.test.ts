import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { frameRate, framesFromSeconds } from "../../../src/core/frame-rate.ts";
import type { Timeline, TimelineClip } from "../../../src/core/timeline.ts";
import { NARRATION_TRACK_NAME } from "../../../src/host/edit-plan.ts";
import { clipPlaces, cueClipName, isClipOfCue } from "../../../src/workflow/place/narration-clips.ts";
import { planNarrationReplacement } from "../../../src/workflow/place/replace.ts";
import { madeClip, madeMedia } from "../../made-timeline.ts";
import { numbersBetween } from "../../numbers-between.ts";

describe("the name of a cue's clip", () => {
  test.each([
    ["cue-0007", "A woman opens the old wooden door slowly.", "aside-cue-0007 A woman opens the old wooden.wav"],
    ["cue-0007", "Grüße, Zoë! 5.1", "aside-cue-0007 Grüße Zoë 5 1.wav"],
    ["cue-0007", "…", "aside-cue-0007.wav"],
    ["a/b c", "Yes.", "aside-a_b_c Yes.wav"],
  ])("of %s, “%s”, is %s", (id, text, name) => {
    expect(cueClipName(id, text)).toBe(name);
    expect(isClipOfCue(name, id)).toBe(true);
  });

  test("is no other cue's", () => {
    expect(isClipOfCue(cueClipName("cue-0007-2", "Yes."), "cue-0007")).toBe(false);
    expect(isClipOfCue("aside-narration.wav", "cue-0007")).toBe(false);
  });
});

describe("the places of clips", () => {
  test("lie on frames, hold their cue, and never each other", () => {
    const rates = fc.constantFrom(frameRate(24_000, 1001), frameRate(25), frameRate(60_000, 1001));
    const cues = fc.array(fc.tuple(numbersBetween(0, 90), numbersBetween(0.1, 6)));
    fc.assert(
      fc.property(cues, rates, fc.nat(5000), (times, rate, frames) => {
        const offset = (frames * rate.denominator) / rate.numerator;
        const list = times.map(([start, length], index) => ({
          id: `c${index}`,
          start,
          end: start + length,
          text: "A.",
        }));
        const places = clipPlaces(list, rate, offset);
        let free = 0;
        for (const { cueId, start, durationSeconds } of places) {
          const cue = list.find(({ id }) => id === cueId);
          const first = framesFromSeconds(start, rate);
          expect(Math.abs((first * rate.denominator) / rate.numerator - start)).toBeLessThan(1e-9);
          expect(first).toBeGreaterThanOrEqual(free);
          free = framesFromSeconds(start + durationSeconds, rate);
          expect(start + durationSeconds).toBeGreaterThan((cue?.end ?? 0) + offset - 1e-6);
        }
      }),
    );
  });
});

describe("switching between one file and clips", () => {
  const rate = frameRate(25);
  const clip = (name: string, start: number, end: number): TimelineClip =>
    madeClip(madeMedia(name, { location: `file:///${name}`, hasVideo: false }), start, end);
  const timelineOf = (clips: readonly TimelineClip[]): Timeline => ({
    name: "t",
    rate,
    isDropFrame: false,
    startFrame: 0,
    markers: [],
    tracks: [{ kind: "audio", name: NARRATION_TRACK_NAME, isEnabled: true, clips, transitions: [] }],
  });
  const places = clipPlaces(
    [
      { id: "a", start: 1, end: 2, text: "One." },
      { id: "b", start: 4, end: 6, text: "Two." },
    ],
    rate,
    0,
  );
  const clips = places.map((place) => ({ path: `/${place.name}`, place }));
  const base = { sequence: { id: "s", rate }, offsetSeconds: 0, durationSeconds: 10, cues: [] };
  const stepsOf = (timeline: Timeline, wanted: object) =>
    planNarrationReplacement({ ...base, timeline, ...wanted }).groups.flatMap(({ steps }) => steps);

  test("takes our own away, and nobody else's", () => {
    const mine = clip("voice memo.wav", 7, 8);
    const steps = stepsOf(timelineOf([clip("aside-narration.wav", 0, 10), mine]), { clips });
    expect(steps[0]).toMatchObject({ kind: "remove-audio", clipNames: ["aside-narration.wav"] });
    expect(steps.slice(1)).toMatchObject(
      places.map(({ name, start }) => ({ kind: "place-audio", clipName: name, start })),
    );

    const placed = places.map(({ name, start, durationSeconds }) => clip(name, start, start + durationSeconds));
    const audio = { path: "/n.wav", clipName: "aside-narration.wav", durationSeconds: 10 };
    const back = stepsOf(timelineOf([...placed, mine]), { audio });
    expect(back[0]).toMatchObject({ kind: "remove-audio", clipNames: places.map(({ name }) => name) });
    expect(back.slice(1)).toMatchObject([{ kind: "place-audio", clipName: "aside-narration.wav", start: 0 }]);
  });

  test("does nothing where every clip is in its place, and changes only the one that is not", () => {
    const placed = places.map(({ name, start, durationSeconds }) => clip(name, start, start + durationSeconds));
    expect(stepsOf(timelineOf(placed), { clips })).toEqual([]);
    const [first, second] = placed;
    const moved = second === undefined ? [] : [{ ...second, start: 5, end: 7 }];
    expect(stepsOf(timelineOf([...(first === undefined ? [] : [first]), ...moved]), { clips })).toMatchObject([
      { kind: "remove-audio", clipNames: [second?.name] },
      { kind: "place-audio", clipName: second?.name, start: 4 },
    ]);
  });
});
