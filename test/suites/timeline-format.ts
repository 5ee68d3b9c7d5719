import fc, { type Arbitrary } from "fast-check";
import { expect, test } from "vitest";
import { framesFromSeconds, secondsFromFrames } from "../../src/core/frame-rate.ts";
import type { Timeline, TimelineClip, TimelineMarker, Track } from "../../src/core/timeline.ts";
import type { TimelineDocument, TimelineEdit, TimelineEditResult } from "../../src/formats/timeline-document.ts";
import { type Holds, markersAt, timelines, words } from "../formats/random-timelines.ts";

/** Formats that hold a whole timeline and can be edited. */
type TimelineFormatName = "otio" | "fcp7-xml";

/** A format that is asked for what every one of them must do. */
interface TimelineFormat {
  readonly name: TimelineFormatName;
  readonly parse: (text: string) => TimelineDocument;
  readonly write: (timeline: Timeline) => string;
}

/** One whose documents are edited, too. */
interface EditedFormat extends TimelineFormat {
  readonly edit: (text: string, edit: TimelineEdit) => TimelineEditResult;
}

const HOLDS: Readonly<Record<TimelineFormatName, Holds>> = {
  otio: {
    colours: ["pink", "red", "orange", "yellow", "green", "cyan", "blue", "purple", "magenta", "black", "white"],
    hasMediaDetails: false,
    hasEffects: true,
    hasUnevenTransitions: true,
  },
  "fcp7-xml": {
    colours: ["red", "yellow", "purple", "orange", "white", "blue", "cyan"],
    hasMediaDetails: true,
    hasEffects: false,
    hasUnevenTransitions: false,
  },
};

function read({ parse }: TimelineFormat, text: string): Timeline {
  const { timeline, issues } = parse(text);
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
function asKept(name: TimelineFormatName, markers: readonly TimelineMarker[]): TimelineMarker[] {
  const colour = name === "otio" ? { colour: "green" } : {};
  return markers.map((marker, index) => ({ ...colour, ...marker, id: `marker-${index}` }));
}

/** A timeline as OpenTimelineIO says it: a nested one has a name, tracks and markers of its own, and counts as its outer one. */
function asRead(name: TimelineFormatName, timeline: Timeline): Timeline {
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

/** The same document in other layouts: on one line, with deeper steps, with the line ends of Windows. */
const LAYOUTS: Readonly<Record<TimelineFormatName, readonly ((text: string) => string)[]>> = {
  otio: [
    (text) => text,
    (text) => JSON.stringify(JSON.parse(text)),
    (text) => JSON.stringify(JSON.parse(text), null, "\t"),
    (text) => text.replaceAll("\n", "\r\n"),
  ],
  "fcp7-xml": [
    (text) => text,
    (text) => text.replace(/>\s+</g, "><"),
    (text) => text.replaceAll("\t", "   "),
    (text) => text.replace(/(?<=>)\n/g, "\r\n"),
  ],
};

const OWN = "Audio description";

/** Edits by the number of markers and tracks, some of which are not there. */
function editsOf({ rate, markers, tracks }: Timeline, holds: Holds): Arbitrary<TimelineEdit> {
  const marker = markersAt(rate, holds.colours);
  const ids = fc.integer({ min: 0, max: markers.length }).map((index) => `marker-${index}`);
  const clips = fc
    .uniqueArray(
      fc.record({
        number: fc.nat(9),
        wait: fc.nat(300),
        length: fc.integer({ min: 1, max: 90 }),
        isMono: fc.boolean(),
      }),
      { maxLength: 4, selector: ({ number }) => number },
    )
    .chain((rows) => {
      let frame = 0;
      const placed = rows.map(({ number, wait, length, isMono }) => {
        const start = frame + wait;
        frame = start + length;
        const media = { name: `${number}.wav`, location: `/tmp/a b/${number}.wav`, audioChannels: isMono ? 1 : 2 };
        const durationSeconds = secondsFromFrames(length, rate);
        return { name: `AD ${number}`, start: secondsFromFrames(start, rate), media: { ...media, durationSeconds } };
      });
      return fc.shuffledSubarray(placed, { minLength: placed.length });
    });
  return fc.record(
    {
      newName: words,
      addMarkers: fc.array(marker, { maxLength: 2 }),
      changeMarkers: fc.uniqueArray(fc.record({ id: ids, marker }), { maxLength: 2, selector: ({ id }) => id }),
      removeMarkers: fc.uniqueArray(ids, { maxLength: 2 }),
      muteTracks: fc.uniqueArray(fc.record({ trackIndex: fc.nat(tracks.length), isMuted: fc.boolean() }), {
        maxLength: 2,
        selector: ({ trackIndex }) => trackIndex,
      }),
      audio: fc.record(
        {
          trackName: fc.constant(OWN),
          addClips: clips,
          removeClips: fc.array(fc.nat(9).map((number) => `AD ${number}`)),
        },
        { requiredKeys: ["trackName"] },
      ),
    },
    { requiredKeys: [] },
  );
}

/** What an edit makes of a timeline but for its sound: what it names is changed and all else as it was. */
function edited(name: TimelineFormatName, timeline: Timeline, edit: TimelineEdit): Timeline {
  const { addMarkers = [], changeMarkers = [], removeMarkers = [], muteTracks = [] } = edit;
  const changed = new Map(changeMarkers.map(({ id, marker }) => [id, marker]));
  const kept = timeline.markers.filter(({ id = "" }) => !removeMarkers.includes(id));
  const muted = new Map(muteTracks.map(({ trackIndex, isMuted }) => [trackIndex, isMuted]));
  return {
    ...timeline,
    name: edit.newName ?? timeline.name,
    markers: asKept(name, [...kept.map((one) => changed.get(one.id ?? "") ?? one), ...addMarkers]),
    tracks: timeline.tracks.map((track, index) => ({ ...track, isEnabled: !(muted.get(index) ?? !track.isEnabled) })),
  };
}

const isOwn = ({ name, kind }: Track) => name === OWN && kind === "audio";

/** The narration of a timeline: which clip lies where, however many tracks it takes. */
function narrationOf({ tracks, rate }: Timeline): string[] {
  return tracks
    .filter(isOwn)
    .flatMap(({ clips }) => clips)
    .map(({ name, start, end }) => `${framesFromSeconds(start, rate)}-${framesFromSeconds(end, rate)} ${name}`)
    .sort();
}

function narrationBy({ rate }: Timeline, clips: NonNullable<TimelineEdit["audio"]>["addClips"] = []): string[] {
  return clips.map(({ name, start, media }) => {
    const first = framesFromSeconds(start, rate);
    return `${first}-${first + framesFromSeconds(media.durationSeconds, rate)} ${name}`;
  });
}

/** What is written of a timeline is read as it was. */
export function describeTimelineText(format: TimelineFormat): void {
  const { name, write } = format;
  const holds = HOLDS[name];

  test("a timeline of what the format holds is read as it was written", () => {
    fc.assert(
      fc.property(timelines(holds, 2), (timeline) => {
        expect(rounded(read(format, write(timeline)))).toEqual(rounded(asRead(name, timeline)));
      }),
      { numRuns: 60 },
    );
  });
}

/** What an edit of a document changes, and what it leaves. */
export function describeTimelineEdits(format: EditedFormat): void {
  const { name, write, edit } = format;
  const holds = HOLDS[name];

  function textAfter(text: string, change: TimelineEdit): string {
    const result = edit(text, change);
    if (!result.ok) throw new Error("not edited");
    return result.text;
  }

  const edits = timelines(holds, 0).chain((timeline) =>
    fc.record({
      timeline: fc.constant(timeline),
      layout: fc.constantFrom(...LAYOUTS[name]),
      first: editsOf(timeline, holds),
      second: editsOf(timeline, holds),
    }),
  );

  test("an edit changes what it names in a document of any layout, twice in a row, and nothing else", () => {
    fc.assert(
      fc.property(edits, ({ timeline, layout, first, second }) => {
        let text = layout(write(timeline));
        for (const change of [first, second]) {
          const before = read(format, text);
          text = textAfter(text, change);
          const after = read(format, text);
          const others = (one: Timeline) => ({ ...one, tracks: one.tracks.filter((track) => !isOwn(track)) });
          expect(rounded(others(after))).toEqual(rounded(others(edited(name, before, change))));
          const gone = new Set(change.audio?.removeClips);
          const stayed = narrationOf(before).filter((one) => !gone.has(one.replace(/^\S+ /, "")));
          expect(narrationOf(after)).toEqual([...stayed, ...narrationBy(before, change.audio?.addClips)].sort());
        }
      }),
      { numRuns: 100 },
    );
  });

  test("an edit that is taken back leaves the timeline as it was, and the document its layout", () => {
    fc.assert(
      fc.property(edits, ({ timeline, layout, first: { addMarkers = [] } }) => {
        const text = layout(write({ ...timeline, markers: [] }));
        const added = textAfter(text, { addMarkers, audio: { trackName: OWN } });
        if (addMarkers.length === 0) expect(added).toBe(text);
        expect(added.includes("\r\n")).toBe(text.includes("\r\n"));
        const removeMarkers = addMarkers.map((_, index) => `marker-${index}`);
        expect(rounded(read(format, textAfter(added, { removeMarkers })))).toEqual(rounded(read(format, text)));
        if (name === "otio") expect(added.trim().includes("\n")).toBe(text.trim().includes("\n"));
        const step = /\n([ \t]+)[<"]/.exec(text)?.[1];
        const indents = [...added.matchAll(/^[ \t]+(?=[<"])/gm)].map(([indent]) => indent);
        if (step !== undefined) expect(indents.map((indent) => indent.replaceAll(step, "")).join("")).toBe("");
      }),
      { numRuns: 60 },
    );
  });
}
