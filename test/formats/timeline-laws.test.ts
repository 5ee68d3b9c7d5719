import fc, { type Arbitrary } from "fast-check";
import { describe, expect, test } from "vitest";
import { framesFromSeconds, secondsFromFrames } from "../../src/core/frame-rate.ts";
import type { Timeline, TimelineClip, TimelineMarker, Track } from "../../src/core/timeline.ts";
import {
  editFcp7Xml,
  editOtio,
  parseFcp7Xml,
  parseOtio,
  type TimelineEdit,
  writeFcp7Xml,
  writeOtio,
} from "../../src/formats/index.ts";
import { type Holds, markersAt, timelines, words } from "./random-timelines.ts";

const OTIO: Holds = {
  colours: ["pink", "red", "orange", "yellow", "green", "cyan", "blue", "purple", "magenta", "black", "white"],
  hasMediaDetails: false,
  hasEffects: true,
  hasUnevenTransitions: true,
};
const FCP7: Holds = {
  colours: ["red", "yellow", "purple", "orange", "white", "blue", "cyan"],
  hasMediaDetails: true,
  hasEffects: false,
  hasUnevenTransitions: false,
};
const FORMATS = {
  otio: { holds: OTIO, parse: parseOtio, write: writeOtio, edit: editOtio },
  "fcp7-xml": { holds: FCP7, parse: parseFcp7Xml, write: writeFcp7Xml, edit: editFcp7Xml },
} as const;
const NAMES = ["otio", "fcp7-xml"] as const;

function read(name: keyof typeof FORMATS, text: string): Timeline {
  const { timeline, issues } = FORMATS[name].parse(text);
  expect(issues.filter(({ code }) => code !== "assumed-frame-mode")).toEqual([]);
  if (timeline === null) throw new Error("no timeline");
  return timeline;
}

/** A value with its times as near as sums of doubles keep them. */
function rounded(value: unknown): unknown {
  if (typeof value === "number") return Math.round(value * 1e6) / 1e6 + 0;
  if (Array.isArray(value)) return value.map(rounded);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, rounded(one)]));
}

/** Markers as a format keeps them: each has an id, and in OpenTimelineIO a colour. */
function asKept(name: keyof typeof FORMATS, markers: readonly TimelineMarker[]): TimelineMarker[] {
  const colour = name === "otio" ? { colour: "green" } : {};
  return markers.map((marker, index) => ({ ...colour, ...marker, id: `marker-${index}` }));
}

/** A timeline as OpenTimelineIO says it: a nested one has a name, tracks and markers of its own, and counts as its outer one. */
function asRead(name: keyof typeof FORMATS, timeline: Timeline): Timeline {
  const clip = (one: TimelineClip): TimelineClip => {
    const { source } = one;
    const markers = name === "otio" && source.kind === "nested" ? [] : asKept(name, one.markers);
    if (source.kind !== "nested") return { ...one, markers };
    const inner = asRead(name, source.timeline);
    const plain = { ...inner, name: one.name, isDropFrame: false, startFrame: 0 };
    return { ...one, markers, source: { kind: "nested", timeline: name === "otio" ? plain : inner } };
  };
  const tracks = timeline.tracks.map((track) => ({ ...track, clips: track.clips.map(clip) }));
  return { ...timeline, tracks, markers: asKept(name, timeline.markers) };
}

describe.each(NAMES)("%s", (name) => {
  const { holds, write, edit } = FORMATS[name];

  test("a timeline of what the format holds is read as it was written", () => {
    fc.assert(
      fc.property(timelines(holds), (timeline) => {
        expect(rounded(read(name, write(timeline)))).toEqual(rounded(asRead(name, timeline)));
      }),
      { numRuns: 150 },
    );
  });
});
