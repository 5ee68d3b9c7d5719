import type { FrameRate } from "../../core/frame-rate.ts";
import { shiftRange } from "../../core/time-range.ts";
import type { MediaSource, Timeline, TimelineClip, TimelineTransition, Track } from "../../core/timeline.ts";
import {
  exactFrames,
  type OtioRecord,
  type OtioValue,
  otioClip,
  otioGap,
  otioJson,
  otioMarker,
  otioRange,
  otioReference,
  otioTime,
  otioTrack,
} from "./otio-build.ts";

/**
 * Writes a timeline as OpenTimelineIO, in the schemas of its release 0.15 and later. Times count frames of the timeline's
 * rate. Effects are written by name only. Whether timecode is drop-frame stands in the metadata under `aside`.
 */
export function writeOtio(timeline: Timeline): string {
  const value = {
    OTIO_SCHEMA: "Timeline.1",
    metadata: { aside: { is_drop_frame: timeline.isDropFrame } },
    name: timeline.name,
    global_start_time: otioTime(timeline.startFrame, timeline.rate),
    tracks: stackOf(timeline, "tracks", {}),
  };
  return `${otioJson(value, "", "    ")}\n`;
}

function stackOf(timeline: Timeline, name: string, more: Partial<OtioRecord>): OtioRecord {
  const { rate } = timeline;
  return {
    OTIO_SCHEMA: "Stack.1",
    metadata: {},
    name,
    source_range: null,
    effects: [],
    markers: timeline.markers.map((marker) => otioMarker(marker, rate)),
    enabled: true,
    ...definedOnly(more),
    children: timeline.tracks.map((track) => trackOf(track, rate)),
  };
}

function definedOnly(more: Partial<OtioRecord>): OtioRecord {
  return Object.fromEntries(
    Object.entries(more).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])),
  );
}

function trackOf(track: Track, rate: FrameRate): OtioRecord {
  const children: OtioValue[] = [];
  const transitions = [...track.transitions].sort((a, b) => a.start - b.start);
  let frame = 0;
  const addTransitionsAt = (cut: number, isLast: boolean) => {
    while (transitions[0] !== undefined && (isLast || isAt(transitions[0], cut, rate))) {
      const transition = transitions.shift();
      if (transition !== undefined) children.push(transitionOf(transition, cut, rate));
    }
  };
  for (const clip of track.clips) {
    const start = exactFrames(clip.start, rate);
    addTransitionsAt(frame, false);
    if (start > frame) {
      children.push(otioGap(start - frame, rate));
      addTransitionsAt(start, false);
    }
    children.push(itemOf(clip, rate));
    frame = exactFrames(clip.end, rate);
  }
  addTransitionsAt(frame, true);
  return otioTrack(track.kind === "audio" ? "Audio" : "Video", track.name, children, track.isEnabled);
}

/** Whether a transition lies over the cut at a frame. */
function isAt(transition: TimelineTransition, cut: number, rate: FrameRate): boolean {
  return exactFrames(transition.start, rate) <= cut && cut <= exactFrames(transition.end, rate);
}

function transitionOf(transition: TimelineTransition, cut: number, rate: FrameRate): OtioRecord {
  return {
    OTIO_SCHEMA: "Transition.1",
    metadata: {},
    name: transition.name,
    in_offset: otioTime(Math.max(0, cut - exactFrames(transition.start, rate)), rate),
    out_offset: otioTime(Math.max(0, exactFrames(transition.end, rate) - cut), rate),
    transition_type: /dissolve/i.test(transition.name) ? "SMPTE_Dissolve" : "Custom_Transition",
  };
}

function itemOf(clip: TimelineClip, rate: FrameRate): OtioRecord {
  const duration = exactFrames(clip.end, rate) - exactFrames(clip.start, rate);
  const { source } = clip;
  const first = exactFrames(clip.sourceStart, rate) - (clip.speed < 0 ? duration * -clip.speed : 0);
  const effects = effectsOf(clip);
  if (source.kind === "nested") {
    return stackOf(source.timeline, clip.name, {
      source_range: otioRange(first, duration, rate),
      effects,
      enabled: clip.isEnabled,
    });
  }
  const mediaStart = source.kind === "media" ? startOf(source, rate) : 0;
  const markers = clip.markers.map((marker) => otioMarker(onMediaClock(marker, mediaStart, rate), rate));
  const more = { effects, markers, enabled: clip.isEnabled };
  const range = otioRange(first + mediaStart, duration, rate);
  if (source.kind === "empty") return otioClip(clip.name, range, generator(source.name), more);
  const length = source.durationSeconds;
  const available = length === undefined ? null : otioRange(mediaStart, exactFrames(length, rate), rate);
  return otioClip(clip.name, range, otioReference(source, available), more);
}

/** First frame of the media on its own clock, counted at `rate`. */
function startOf(source: MediaSource, rate: FrameRate): number {
  const own = source.rate ?? rate;
  const seconds = ((source.startFrame ?? 0) * own.denominator) / own.numerator;
  return exactFrames(seconds, rate);
}

function onMediaClock<Marker extends { start: number; end: number }>(
  marker: Marker,
  frames: number,
  rate: FrameRate,
): Marker {
  const offset = (frames * rate.denominator) / rate.numerator;
  return shiftRange(marker, offset);
}

function generator(name: string): OtioRecord {
  return {
    OTIO_SCHEMA: "GeneratorReference.1",
    metadata: {},
    name,
    available_range: null,
    available_image_bounds: null,
    generator_kind: name,
    parameters: {},
  };
}

function effectsOf(clip: TimelineClip): OtioRecord[] {
  const named = clip.effects.map((name) => ({ OTIO_SCHEMA: "Effect.1", metadata: {}, name, effect_name: name }));
  if (clip.speed === 1) return named;
  const schema = clip.speed === 0 ? "FreezeFrame.1" : "LinearTimeWarp.1";
  const warp = {
    OTIO_SCHEMA: schema,
    metadata: {},
    name: "",
    effect_name: schema.slice(0, -2),
    time_scalar: clip.speed,
  };
  return [warp, ...named];
}
