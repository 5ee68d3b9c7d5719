import { expect, test } from "vitest";
import {
  heardSounds,
  leftOutOfRender,
  type MediaStretch,
  shownPictures,
  timelineEnd,
} from "../../src/core/shown-media.ts";
import type { TimelineClip, Track } from "../../src/core/timeline.ts";
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

test("a sequence that holds itself ends", () => {
  const self: { timeline: ReturnType<typeof timeline> } = { timeline: timeline() };
  const cut = { ...timeline(), tracks: [] as Track[] };
  self.timeline = cut;
  cut.tracks.push(track("video", [clip({ kind: "nested", timeline: cut }, 0, 1)]));
  expect(shownPictures(cut)).toEqual([]);
  expect(leftOutOfRender(cut)).toEqual([]);
});
