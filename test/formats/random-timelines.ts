import fc, { type Arbitrary } from "fast-check";
import { type FrameRate, frameRate, secondsFromFrames } from "../../src/core/frame-rate.ts";
import { canDropFrames } from "../../src/core/timecode.ts";
import type {
  MediaSource,
  Timeline,
  TimelineClip,
  TimelineMarker,
  TimelineTransition,
  Track,
} from "../../src/core/timeline.ts";

/** What a format has a place for; the timelines made for it hold nothing else, so that all of them comes back. */
export interface Holds {
  /** Colours of markers. */
  readonly colours: readonly string[];
  /** Whether it states the picture's size, the sample rate, and a rate for each file. */
  readonly hasMediaDetails: boolean;
  /** Whether it names effects, and transitions of sound. */
  readonly hasEffects: boolean;
  /** Whether a transition may lie over its cut in any way; else from it, up to it or around it. */
  readonly hasUnevenTransitions: boolean;
}

const RATES = [24, 25, 30, 50, 60].flatMap((rate) => [frameRate(rate), frameRate(rate * 1000, 1001)]);

/** A name or a comment: words and marks that mean something in XML or JSON. */
export const words = fc
  .array(fc.constantFrom("Ann", "sits &", "<b>", '"so"', "it's", "\\", "ü", "漢字", "{}", "[0]", "]]>"), {
    minLength: 1,
    maxLength: 4,
  })
  .map((parts) => parts.join(" "));

const counts = (max: number, min = 0) => fc.integer({ min, max });

/** Markers whose times are whole frames. */
export function markersAt(rate: FrameRate, colours: readonly string[]): Arbitrary<TimelineMarker> {
  return fc
    .record({ name: words, comment: fc.oneof(words, fc.constant("one\ntwo")), start: counts(9000), length: counts(90) })
    .chain(({ name, comment, start, length }) =>
      fc.option(fc.constantFrom(...colours), { nil: undefined }).map((colour) => ({
        name,
        comment,
        start: secondsFromFrames(start, rate),
        end: secondsFromFrames(start + length, rate),
        ...(colour === undefined ? {} : { colour }),
      })),
    );
}

function mediaOf(kind: Track["kind"], rate: FrameRate, holds: Holds): Arbitrary<MediaSource> {
  const isVideo = kind === "video";
  return fc
    .record({
      name: words,
      file: counts(99_999),
      isOffline: fc.boolean(),
      isStill: fc.boolean(),
      length: fc.option(counts(90_000, 60_000), { nil: undefined }),
      startFrame: counts(100_000),
      channels: counts(2, 1),
      isPicture: fc.boolean(),
      own: holds.hasMediaDetails ? fc.constantFrom(...RATES) : fc.constant(rate),
      size: fc.option(fc.record({ width: counts(4096, 1), height: counts(4096, 1) }), { nil: undefined }),
    })
    .map(({ name, file, isOffline, length, startFrame, channels, isPicture, own, size, ...more }): MediaSource => {
      const isStill = more.isStill && isVideo && !isOffline;
      const location = `file://localhost/a%20b/${file}.${isStill ? "png" : "mov"}`;
      const durationSeconds = length === undefined || isStill ? undefined : secondsFromFrames(length, own);
      const base = {
        kind: "media" as const,
        name: `${name} ${file}`,
        location: isOffline ? null : location,
        ...(durationSeconds === undefined ? {} : { durationSeconds }),
        ...(isStill ? { isStill } : {}),
      };
      if (!holds.hasMediaDetails) {
        const clock = durationSeconds === undefined ? {} : { startFrame, ...(isVideo ? { rate } : {}) };
        return { ...base, ...clock, hasVideo: isVideo, audioChannels: isVideo ? 0 : 2 };
      }
      const hasVideo = isVideo || isPicture;
      return {
        ...base,
        rate: own,
        startFrame,
        hasVideo,
        audioChannels: channels,
        audioSampleRate: 48_000,
        ...(size === undefined || !hasVideo ? {} : { frameSize: size }),
      };
    });
}

/** How a transition may lie over its cut: from it, up to it, around it. */
const LIES: readonly ((before: number, after: number) => readonly [before: number, after: number])[] = [
  (_, after) => [0, after],
  (_, after) => [after, 0],
  (before) => [before, before + 1],
];

/** Clips and transitions of a row, from its beginning, with stretches of nothing between them. */
function trackOf(
  kind: Track["kind"],
  rate: FrameRate,
  holds: Holds,
  media: readonly MediaSource[],
  nested: readonly Timeline[],
): Arbitrary<Track> {
  const marker = markersAt(rate, holds.colours);
  const sources: Arbitrary<TimelineClip["source"]>[] = [
    fc.constantFrom(...media),
    words.map((name) => ({ kind: "empty" as const, name })),
    ...nested.map((timeline) => fc.constant({ kind: "nested" as const, timeline })),
  ];
  const item = fc.record({
    wait: fc.oneof(fc.constant(0), counts(50, 10)),
    length: counts(200, 10),
    name: words,
    isEnabled: fc.boolean(),
    first: counts(5000, 400),
    speed: fc.constantFrom(1, 1, 2, 0.5, 0, -1, -2),
    source: kind === "video" ? fc.oneof(...sources) : fc.constantFrom(...media),
    effects: holds.hasEffects ? fc.array(words, { maxLength: 2 }) : fc.constant([]),
    markers: fc.array(marker, { maxLength: 2 }),
    transition: fc.option(fc.record({ name: words, before: counts(5), after: counts(5, 1), around: counts(2) })),
  });
  const hasTransitions = kind === "video" || holds.hasEffects;
  return fc
    .record({ name: words, isEnabled: fc.boolean(), items: fc.array(item, { maxLength: 5 }) })
    .map(({ name, isEnabled, items }): Track => {
      const clips: TimelineClip[] = [];
      const transitions: TimelineTransition[] = [];
      let frame = 0;
      for (const one of items) {
        const start = frame + one.wait;
        frame = start + one.length;
        const isNested = one.source.kind === "nested";
        // Backwards is told from the end of the media, which has to be known.
        const isLong = one.source.kind === "media" && one.source.durationSeconds !== undefined;
        clips.push({
          name: one.name,
          isEnabled: one.isEnabled,
          start: secondsFromFrames(start, rate),
          end: secondsFromFrames(frame, rate),
          sourceStart: secondsFromFrames(one.first * Math.max(1, Math.abs(one.speed)), rate),
          speed: one.speed < 0 && !isLong ? 1 : one.speed,
          source: one.source,
          effects: one.effects,
          markers: isNested && !holds.hasMediaDetails ? [] : one.markers,
        });
        if (one.transition === null || !hasTransitions) continue;
        const { around, before, after } = one.transition;
        const whole = holds.hasUnevenTransitions ? [before, after] : LIES[around]?.(before, after);
        const [early = 0, late = 0] = start === 0 || whole === undefined ? [0, after] : whole;
        transitions.push({
          name: one.transition.name,
          start: secondsFromFrames(start - early, rate),
          end: secondsFromFrames(start + late, rate),
        });
      }
      return { kind, name, isEnabled, clips, transitions };
    });
}

/** Timelines that hold other timelines down to a depth. */
function timelineAt(rate: FrameRate, holds: Holds, depth: number): Arbitrary<Timeline> {
  const inner = depth === 0 ? fc.constant([]) : fc.array(timelineAt(rate, holds, depth - 1), { maxLength: 1 });
  const media = (kind: Track["kind"]) => fc.array(mediaOf(kind, rate, holds), { minLength: 2, maxLength: 3 });
  return fc.tuple(inner, media("video"), media("audio")).chain(([nested, pictures, sounds]) =>
    fc
      .record({
        name: words,
        isDropFrame: fc.boolean(),
        startFrame: counts(200_000),
        size: fc.option(fc.record({ width: counts(4096, 1), height: counts(4096, 1) }), { nil: undefined }),
        video: fc.array(trackOf("video", rate, holds, pictures, nested), { maxLength: 2 }),
        audio: fc.array(trackOf("audio", rate, holds, sounds, []), { maxLength: 2 }),
        markers: fc.array(markersAt(rate, holds.colours), { maxLength: 3 }),
      })
      .map(
        ({ isDropFrame, size, video, audio, ...rest }): Timeline => ({
          ...rest,
          rate,
          isDropFrame: isDropFrame && rate.denominator === 1001 && canDropFrames(rate),
          ...(size === undefined || !holds.hasMediaDetails ? {} : { frameSize: size }),
          tracks: [...video, ...audio],
        }),
      ),
  );
}

/** Timelines of every rate, with others inside them down to a depth, of what a format holds. */
export function timelines(holds: Holds, depth: number): Arbitrary<Timeline> {
  return fc.constantFrom(...RATES).chain((rate) => timelineAt(rate, holds, depth));
}
