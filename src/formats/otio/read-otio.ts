import { type FrameRate, framesFromSeconds, secondsFromFrames } from "../../core/frame-rate.ts";
import type { TimeRange } from "../../core/time-range.ts";
import { canDropFrames } from "../../core/timecode.ts";
import type { Timeline, TimelineClip, TimelineTransition, Track } from "../../core/timeline.ts";
import { itemsOf, type JsonSource, memberOf, numberOf, parseJsonSource, textOf } from "../json/json-source.ts";
import { IssueList } from "../parse-issue.ts";
import { LineIndex } from "../text-edits.ts";
import { markerIdAt, type TimelineChoice, type TimelineDocument } from "../timeline-document.ts";
import {
  chosenTimeline,
  commonRate,
  lastEnd,
  markerOf,
  markerOrigin,
  mediaOf,
  OtioSum,
  type OtioTime,
  rangeOf,
  rangeSeconds,
  schemaOf,
  secondsOf,
  timeOf,
} from "./otio-object.ts";

/**
 * Reads an OpenTimelineIO document, of any schema version up to 0.18: a timeline, or a collection of them. Nested stacks
 * become nested timelines; effects other than changes of speed are kept by name. Never throws on a text.
 */
export function parseOtio(text: string, choice: TimelineChoice = {}): TimelineDocument {
  const issues = new IssueList();
  const parsed = parseJsonSource(text);
  if (!parsed.ok) {
    issues.add(
      "bad-json",
      new LineIndex(text).lineOf(parsed.offset),
      text.slice(parsed.offset, parsed.offset + 80),
      parsed.message,
    );
    return { timeline: null, issues: issues.finish() };
  }
  const source = chosenTimeline(parsed.value, choice.name);
  if (source === null) {
    issues.add("no-timeline", 0, text.slice(0, 80));
    return { timeline: null, issues: issues.finish() };
  }
  const reader = new OtioReader(text, issues, commonRate(source) ?? { numerator: 24, denominator: 1 });
  return { timeline: reader.timeline(source), issues: issues.finish() };
}

/** What one child of a track takes up; its clip is placed once its range on the track is known. */
interface TrackChild {
  readonly duration: OtioTime;
  readonly clip?: (range: TimeRange) => TimelineClip;
}

const NO_TIME: OtioTime = { value: 0, rate: { numerator: 1, denominator: 1 } };

class OtioReader {
  readonly #lines: LineIndex;
  readonly #issues: IssueList;
  readonly #rate: FrameRate;

  constructor(text: string, issues: IssueList, rate: FrameRate) {
    this.#lines = new LineIndex(text);
    this.#issues = issues;
    this.#rate = rate;
  }

  timeline(source: JsonSource): Timeline {
    const start = timeOf(memberOf(source, "global_start_time"));
    const rate = start === null || start.rate.numerator / start.rate.denominator <= 1 ? this.#rate : start.rate;
    const startSeconds = secondsOf(memberOf(source, "global_start_time")) ?? 0;
    const stack = memberOf(source, "tracks");
    const tracks = this.#tracks(stack, windowOf(stack));
    return {
      name: textOf(source, "name"),
      rate,
      isDropFrame: this.#isDropFrame(source, rate),
      startFrame: framesFromSeconds(startSeconds, rate),
      tracks,
      markers: this.#markers(stack, markerOrigin(source, tracks)),
    };
  }

  /** OpenTimelineIO does not know drop-frame; what wrote the file may have noted it. */
  #isDropFrame(source: JsonSource, rate: FrameRate): boolean {
    const metadata = memberOf(source, "metadata");
    const own = memberOf(memberOf(metadata, "aside"), "is_drop_frame");
    if (own?.kind === "scalar" && typeof own.value === "boolean") return own.value;
    const format = textOf(memberOf(memberOf(metadata, "fcp_xml"), "timecode"), "displayformat");
    if (format !== "") return format === "DF";
    if (rate.denominator === 1001 && canDropFrames(rate)) this.#issues.add("assumed-frame-mode", 0);
    return false;
  }

  #markers(stack: JsonSource | undefined, origin: number): Timeline["markers"] {
    return itemsOf(stack, "markers").flatMap((source, index) => {
      const marker = markerOf(source, markerIdAt(index), -origin);
      if (marker === null) this.#report("bad-time", source);
      return marker ?? [];
    });
  }

  /** The tracks of a stack, shown through `window` of its clock where it has one. */
  #tracks(stack: JsonSource | undefined, window: TimeRange | null): Track[] {
    return itemsOf(stack, "children").flatMap((child) => {
      const schema = schemaOf(child);
      const isTrack = schema === "Track";
      const kind = textOf(child, "kind").toLowerCase();
      if (isTrack && kind !== "video" && kind !== "audio") {
        this.#report("unknown-object", child);
        return [];
      }
      // Anything else may stand in a stack directly, as a row of its own.
      const track = isTrack
        ? this.#track(child, kind === "audio" ? "audio" : "video")
        : this.#row([child], "video", child);
      const own = isTrack ? windowOf(child) : null;
      return [windowed(windowed(track, own), window)];
    });
  }

  #track(source: JsonSource, kind: "video" | "audio"): Track {
    return this.#row(itemsOf(source, "children"), kind, source);
  }

  #row(children: readonly JsonSource[], kind: "video" | "audio", source: JsonSource): Track {
    const clips: TimelineClip[] = [];
    const transitions: TimelineTransition[] = [];
    const time = new OtioSum();
    for (const child of children) {
      const start = time.seconds;
      if (schemaOf(child) === "Transition") {
        const before = secondsOf(memberOf(child, "in_offset")) ?? 0;
        const after = secondsOf(memberOf(child, "out_offset")) ?? 0;
        const name = textOf(child, "name") || textOf(child, "transition_type");
        transitions.push({ name, start: start - before, end: start + after });
        continue;
      }
      const placed = this.#place(child, kind);
      time.add(placed.duration);
      const range = { start, end: time.seconds };
      if (placed.clip !== undefined && range.end > range.start) clips.push(placed.clip(range));
    }
    return { kind, name: textOf(source, "name"), isEnabled: isEnabled(source), clips, transitions };
  }

  #place(source: JsonSource, kind: "video" | "audio"): TrackChild {
    const schema = schemaOf(source);
    const duration = rangeOf(memberOf(source, "source_range"))?.duration ?? NO_TIME;
    if (schema === "Gap") return { duration };
    if (schema === "Clip") return this.#placeClip(source, kind);
    if (schema === "Stack" || schema === "Track") return this.#placeNested(source, kind);
    this.#report("unknown-object", source);
    return { duration };
  }

  #placeClip(source: JsonSource, kind: "video" | "audio"): TrackChild {
    const media = mediaOf(source, kind);
    const shown = rangeOf(memberOf(source, "source_range")) ?? media.available;
    if (shown === null) {
      this.#report("bad-time", source);
      return { duration: NO_TIME };
    }
    const speed = speedOf(source);
    const first = new OtioSum();
    first.add(shown.start);
    if (media.available !== null) first.add(media.available.start, -1);
    // Running backwards, the clip begins with the end of what it shows.
    const length = secondsFromFrames(shown.duration.value, shown.duration.rate);
    const sourceStart = first.seconds + (speed < 0 ? length * -speed : 0);
    const mediaStart = media.available === null ? 0 : rangeSeconds(media.available).start;
    const markers = itemsOf(source, "markers").flatMap((one, index) => {
      const marker = markerOf(one, markerIdAt(index), -mediaStart);
      return marker === null ? [] : [marker];
    });
    const base = { ...common(source), sourceStart, source: media.source, markers };
    return { duration: shown.duration, clip: (range) => ({ ...base, ...range }) };
  }

  #placeNested(source: JsonSource, kind: "video" | "audio"): TrackChild {
    const tracks = schemaOf(source) === "Track" ? [this.#track(source, kind)] : this.#tracks(source, null);
    const shown = rangeOf(memberOf(source, "source_range"));
    const timeline: Timeline = {
      name: textOf(source, "name"),
      rate: this.#rate,
      isDropFrame: false,
      startFrame: 0,
      tracks,
      markers: this.#markers(source, 0),
    };
    const sourceStart = shown === null ? 0 : rangeSeconds(shown).start;
    const base = { ...common(source), sourceStart, source: { kind: "nested", timeline } as const, markers: [] };
    const duration = shown?.duration ?? { ...NO_TIME, value: lastEnd(tracks) };
    return { duration, clip: (range) => ({ ...base, ...range }) };
  }

  #report(code: "bad-time" | "unknown-object", source: JsonSource): void {
    const name = `${textOf(source, "OTIO_SCHEMA")} ${textOf(source, "name")}`.trim();
    this.#issues.add(code, this.#lines.lineOf(source.start), name);
  }
}

/** What every kind of clip states. */
function common(source: JsonSource): Pick<TimelineClip, "name" | "isEnabled" | "speed" | "effects"> {
  const name = textOf(source, "name");
  return { name, isEnabled: isEnabled(source), speed: speedOf(source), effects: effectsOf(source) };
}

/** The part of its own clock that a composition shows; `null` when it shows all. */
function windowOf(source: JsonSource | undefined): TimeRange | null {
  const range = rangeOf(memberOf(source, "source_range"));
  return range === null ? null : rangeSeconds(range);
}

function isEnabled(source: JsonSource): boolean {
  const enabled = memberOf(source, "enabled");
  return !(enabled?.kind === "scalar" && enabled.value === false);
}

/** Source seconds per sequence second: the product of the time warps, 0 for a freeze frame. */
function speedOf(source: JsonSource): number {
  let speed = 1;
  for (const effect of itemsOf(source, "effects")) {
    const schema = schemaOf(effect);
    if (schema === "FreezeFrame") speed = 0;
    if (schema === "LinearTimeWarp") speed *= numberOf(effect, "time_scalar") ?? 1;
  }
  return speed;
}

function effectsOf(source: JsonSource): string[] {
  return itemsOf(source, "effects").flatMap((effect) => {
    const schema = schemaOf(effect);
    if (schema === "FreezeFrame" || schema === "LinearTimeWarp") return [];
    return [textOf(effect, "name") || textOf(effect, "effect_name") || schema];
  });
}

/** A track seen through a window of its own clock, which then starts at 0. A window that shows nothing is no window. */
function windowed(track: Track, window: TimeRange | null): Track {
  const end = track.clips.at(-1)?.end ?? 0;
  if (window === null || window.end <= 0 || window.start >= end) return track;
  if (window.start <= 0 && window.end >= end) return window.start === 0 ? track : shifted(track, -window.start);
  const clips = track.clips.flatMap((clip) => {
    const start = Math.max(clip.start, window.start);
    const stop = Math.min(clip.end, window.end);
    if (stop <= start) return [];
    return [{ ...clip, start, end: stop, sourceStart: clip.sourceStart + (start - clip.start) * clip.speed }];
  });
  const transitions = track.transitions.filter((one) => one.start >= window.start && one.end <= window.end);
  return shifted({ ...track, clips, transitions }, -window.start);
}

function shifted(track: Track, seconds: number): Track {
  const move = <Moved extends { start: number; end: number }>(one: Moved): Moved => ({
    ...one,
    start: one.start + seconds,
    end: one.end + seconds,
  });
  return { ...track, clips: track.clips.map(move), transitions: track.transitions.map(move) };
}
