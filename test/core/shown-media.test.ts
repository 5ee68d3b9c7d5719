import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  countEffects,
  heardSounds,
  leftOutOfRender,
  type MediaStretch,
  shownPictures,
  timelineEnd,
} from "../../src/core/shown-media.ts";
import type { Timeline, TimelineClip, Track } from "../../src/core/timeline.ts";
import { madeClip as clip, madeTimeline, madeMedia as media, madeTrack as track } from "../made-timeline.ts";

const timeline = (...tracks: readonly Track[]) => madeTimeline(tracks);
const rows = (stretches: readonly MediaStretch[]) =>
  stretches.map((one) => [one.start, one.end, one.media.name, one.sourceStart, one.speed]);

test("the topmost clip is seen, what lies between clips is nothing", () => {
  const cut = timeline(
    track("video", [clip(media("a"), 0, 10, { sourceStart: 5 }), clip(media("b"), 12, 14)]),
    track("video", [clip(media("c"), 4, 6, { speed: 2 })]),
    track("video", [clip(media("hidden"), 0, 20)], { isEnabled: false }),
    track("video", [clip({ kind: "empty", name: "Title" }, 0, 3), clip(media("off"), 3, 9, { isEnabled: false })]),
  );
  expect(rows(shownPictures(cut))).toEqual([
    [0, 4, "a", 5, 1],
    [4, 6, "c", 0, 2],
    [6, 10, "a", 11, 1],
    [12, 14, "b", 0, 1],
  ]);
  expect(timelineEnd(cut)).toBe(14);
});

test("each track is seen wherever none above it covers it, however many holes are left", () => {
  const covers = (name: string, ...times: readonly number[]) =>
    track(
      "video",
      times.map((start) => clip(media(name), start, start + 1)),
    );
  const cut = timeline(covers("under", 0, 2, 4, 6, 8), covers("middle", 1, 4, 6), covers("top", 2, 6));
  expect(shownPictures(cut).map(({ start, media: { name } }) => `${start} ${name}`)).toEqual(
    "0 under, 1 middle, 2 top, 4 middle, 6 top, 8 under".split(", "),
  );
});

test("nested sequences are opened, at their own speed, backwards and held too", () => {
  const inner = timeline(
    track("video", [clip(media("a"), 0, 2), clip(media("b"), 3, 5, { sourceStart: 10 })]),
    track("audio", [clip(media("s"), 1, 5)]),
  );
  const nested = (start: number, end: number, more: Partial<TimelineClip>) =>
    clip({ kind: "nested", timeline: inner }, start, end, more);
  const cut = timeline(
    track("video", [clip(media("under"), 0, 20)]),
    track("video", [
      nested(0, 2, { sourceStart: 1, speed: 2 }),
      nested(10, 12, { sourceStart: 5, speed: -1 }),
      nested(15, 16, { sourceStart: 4, speed: 0 }),
    ]),
    track("audio", [nested(0, 2, { sourceStart: 1, speed: 2 })]),
  );
  expect(rows(shownPictures(cut))).toEqual([
    [0, 0.5, "a", 1, 2],
    [0.5, 1, "under", 0.5, 1],
    [1, 2, "b", 10, 2],
    [2, 10, "under", 2, 1],
    [10, 12, "b", 12, -1],
    [12, 15, "under", 12, 1],
    [15, 16, "b", 11, 0],
    [16, 20, "under", 16, 1],
  ]);
  expect(rows(heardSounds(cut))).toEqual([[0, 2, "s", 0, 2]]);
});

test("stills stand, and channels keep their number", () => {
  const cut = timeline(
    track("video", [clip(media("a.png", { isStill: true }), 0, 3)]),
    track("audio", [clip(media("s"), 0, 3, { sourceChannel: 2 })]),
  );
  expect(rows(shownPictures(cut))).toEqual([[0, 3, "a.png", 0, 0]]);
  expect(heardSounds(cut)[0]?.sourceChannel).toBe(2);
});

test("names what a render leaves out", () => {
  const cut = timeline(
    track(
      "video",
      [
        clip(media("a"), 0, 3, { effects: ["Blur", "Blur"] }),
        clip({ kind: "empty", name: "Slug" }, 3, 4, { name: "" }),
      ],
      {
        transitions: [{ name: "Cross Dissolve", start: 2, end: 4 }],
      },
    ),
  );
  expect(leftOutOfRender(cut)).toEqual([
    "Transitions were rendered as cuts: Cross Dissolve.",
    "Effects were not rendered: Blur (2).",
    "Titles and generators were not rendered: Slug.",
  ]);
  expect(leftOutOfRender(timeline())).toEqual([]);
});

test("sequences are opened sixteen deep", () => {
  const deep = (nests: number): Timeline => {
    if (nests === 0) return timeline(track("video", [clip(media("a"), 0, 1)]));
    return timeline(track("video", [clip({ kind: "nested", timeline: deep(nests - 1) }, 0, 1)]));
  };
  expect([16, 17].map((nests) => shownPictures(deep(nests)).length)).toEqual([1, 0]);
});

test("a sequence that holds itself ends", () => {
  const self: { timeline: ReturnType<typeof timeline> } = { timeline: timeline() };
  const cut = { ...timeline(), tracks: [] as Track[] };
  self.timeline = cut;
  cut.tracks.push(track("video", [clip({ kind: "nested", timeline: cut }, 0, 1)]));
  expect(shownPictures(cut)).toEqual([]);
  expect(leftOutOfRender(cut)).toEqual([]);
});

describe("a sequence shows at each time what its clips show there", () => {
  /** Clips that follow each other, with holes between some. */
  const clips = (source: fc.Arbitrary<TimelineClip["source"]>) =>
    fc
      .array(
        fc.record({
          gap: fc.constantFrom(0, 0, 1),
          length: fc.integer({ min: 1, max: 4 }),
          sourceStart: fc.integer({ min: 0, max: 6 }),
          speed: fc.constantFrom(1, 1, 2, -1, 0),
          isEnabled: fc.constantFrom(true, true, true, false),
          source,
        }),
        { maxLength: 3 },
      )
      .map((list) => {
        let at = 0;
        return list.map(({ gap, length, source: from, ...more }) => {
          const start = at + gap;
          at = start + length;
          return clip(from, start, at, more);
        });
      });
  const plain = fc.constantFrom<TimelineClip["source"]>(media("a"), media("b"), media("still.png", { isStill: true }), {
    kind: "empty",
    name: "Title",
  });
  const cutOf = (source: fc.Arbitrary<TimelineClip["source"]>) =>
    fc
      .array(
        fc.tuple(
          fc.constantFrom("video" as const, "audio" as const),
          clips(source),
          fc.constantFrom(true, true, false),
        ),
        { maxLength: 3 },
      )
      .map((tracks) =>
        timeline(
          ...tracks.map(([kind, list, isEnabled]) => {
            // Sound is not held.
            const heard = list.map((one) => (one.speed === 0 ? { ...one, speed: 1 } : one));
            return track(kind, kind === "audio" ? heard : list, { isEnabled });
          }),
        ),
      );
  const inner = cutOf(plain);
  const cut = cutOf(
    fc.oneof(
      plain,
      inner.map((nested) => ({ kind: "nested" as const, timeline: nested })),
    ),
  );

  /** What is shown of one medium: its name, and its source time. */
  type Shown = readonly [string, number];
  const shownBy = (one: TimelineClip, kind: Track["kind"], at: number): Shown[] => {
    const time = one.sourceStart + (at - one.start) * one.speed;
    if (one.source.kind === "nested") return shownIn(one.source.timeline, kind, time);
    if (one.source.kind === "empty") return [];
    return [[one.source.name, one.source.isStill === true ? 0 : time]];
  };
  /** Of pictures the topmost alone, of sounds all. */
  const shownIn = (whole: Timeline, kind: Track["kind"], at: number): Shown[] => {
    const all = whole.tracks
      .filter((one) => one.kind === kind && one.isEnabled)
      .map((one) => one.clips.filter(({ isEnabled, start, end }) => isEnabled && start <= at && at < end))
      .map((list) => list.flatMap((one) => shownBy(one, kind, at)));
    return kind === "audio" ? all.flat() : (all.findLast((list) => list.length > 0) ?? []);
  };
  const read = (stretches: readonly MediaStretch[], at: number): Shown[] =>
    stretches
      .filter(({ start, end }) => start <= at && at < end)
      .map((one) => [one.media.name, one.media.isStill === true ? 0 : one.sourceStart + (at - one.start) * one.speed]);
  const rounded = (list: readonly Shown[]) => list.map(([name, time]) => `${name} ${time.toFixed(6)}`).sort();
  // Between the instants at which anything can change, nested and at double speed too.
  const TIMES = Array.from({ length: 60 }, (_, index) => index / 4 + 0.11);

  test.each([
    ["picture", "video", shownPictures],
    ["sound", "audio", heardSounds],
  ] as const)("%s, nested sequences and speeds among them", (_, kind, stretchesOf) => {
    fc.assert(
      fc.property(cut, (whole) => {
        const stretches = stretchesOf(whole);
        for (const [index, { start, end }] of stretches.entries()) {
          expect(end).toBeGreaterThan(start);
          expect(start).toBeGreaterThanOrEqual(stretches[index - 1]?.start ?? 0);
        }
        for (const at of TIMES) expect(rounded(read(stretches, at))).toEqual(rounded(shownIn(whole, kind, at)));
        const last = whole.tracks.flatMap((one) => (one.isEnabled ? one.clips.filter((each) => each.isEnabled) : []));
        expect(timelineEnd(whole)).toBe(Math.max(0, ...last.map(({ end }) => end)));
      }),
      { numRuns: 150 },
    );
  });
});

test("what a render leaves out is counted through nested sequences, and no more than eight names are said", () => {
  const names = Array.from({ length: 10 }, (_, index) => `Effect ${index}`);
  const inner = timeline(track("video", [clip(media("a"), 0, 1, { effects: names })]));
  const nested = clip({ kind: "nested", timeline: inner }, 0, 1, { effects: ["Outer", ""] });
  const off = { isEnabled: false, transitions: [{ name: "Wipe", start: 0, end: 1 }] };
  const cut = timeline(
    track("video", [nested, clip(media("b"), 1, 2, { effects: ["Hidden"], isEnabled: false })]),
    track("video", [clip(media("c"), 0, 1, { effects: ["Off"] })], off),
    track("audio", [clip({ kind: "empty", name: "Tone" }, 0, 1)]),
  );
  expect(countEffects(cut)).toBe(12);
  expect(leftOutOfRender(cut)).toEqual([
    `Effects were not rendered: Outer, without a name, ${names.slice(0, 6).join(", ")} and 4 more.`,
  ]);
  const eight = timeline(track("video", [clip(media("a"), 0, 1, { effects: names.slice(0, 8) })]));
  expect(leftOutOfRender(eight)).toEqual([`Effects were not rendered: ${names.slice(0, 8).join(", ")}.`]);
});
