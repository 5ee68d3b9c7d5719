import { equalRates, type FrameRate, secondsFromFrames } from "../../core/frame-rate.ts";
import { isStillName } from "../../core/local-file.ts";
import { defined } from "../../core/objects.ts";
import { nominalFrameRate } from "../../core/timecode.ts";
import type {
  EmptySource,
  MediaSource,
  Timeline,
  TimelineClip,
  TimelineTransition,
  Track,
} from "../../core/timeline.ts";
import { IssueList } from "../parse-issue.ts";
import { LineIndex } from "../text-edits.ts";
import { markerIdAt, type TimelineChoice, type TimelineDocument, withoutOverlap } from "../timeline-document.ts";
import { parseXml } from "../xml/parse-xml.ts";
import { childAt, childElements, childrenNamed, numberAt, textAt, type XmlElement } from "../xml/xml-element.ts";
import {
  chosenSequence,
  definitionsOf,
  type Fcp7Definitions,
  isEnabled,
  isFurtherChannel,
  type PlacedItem,
  placeItems,
  resolved,
  trackName,
  tracksOf,
} from "./fcp7-document.ts";
import { markerOf, rateOf, timecodeOf } from "./fcp7-nodes.ts";

/** Sequences inside each other further than this are passed over. */
const DEEPEST_NESTING = 16;

/**
 * Reads Final Cut Pro 7 XML, as Premiere, DaVinci Resolve and others write it. Of a stereo track that is written as two,
 * the first stands for both. Effects other than changes of speed are kept by name. Never throws on a text.
 */
export function parseFcp7Xml(text: string, choice: TimelineChoice = {}): TimelineDocument {
  const issues = new IssueList();
  const { root, faults } = parseXml(text);
  const lines = new LineIndex(text);
  for (const fault of faults) issues.add("bad-xml", lines.lineOf(fault.offset), "", fault.message);
  const sequence = root === null ? null : chosenSequence(root, choice.name);
  if (root === null || sequence === null) {
    issues.add("no-timeline", 0, text.slice(0, 80).trim());
    return { timeline: null, issues: issues.finish() };
  }
  const reader = new Fcp7Reader(definitionsOf(root), issues, lines);
  return { timeline: reader.timeline(sequence, []), issues: issues.finish() };
}

class Fcp7Reader {
  readonly #definitions: Fcp7Definitions;
  readonly #issues: IssueList;
  readonly #lines: LineIndex;

  constructor(definitions: Fcp7Definitions, issues: IssueList, lines: LineIndex) {
    this.#definitions = definitions;
    this.#issues = issues;
    this.#lines = lines;
  }

  /** `outer` are the sequences this one stands in, which it cannot hold itself. */
  timeline(element: XmlElement, outer: readonly XmlElement[]): Timeline {
    const timecode = timecodeOf(element);
    const rate = rateOf(element) ?? timecode.rate ?? { numerator: 25, denominator: 1 };
    const format = childAt(element, "media", "video", "format", "samplecharacteristics");
    const width = numberAt(format, "width");
    const height = numberAt(format, "height");
    const inner = [...outer, element];
    const video = tracksOf(element, "video").map((track) => this.#track(track, "video", rate, inner));
    const audio = tracksOf(element, "audio").filter((track) => !isFurtherChannel(track));
    const channels = channelsInUse(audio);
    return {
      name: textAt(element, "name"),
      rate,
      isDropFrame: timecode.isDropFrame,
      startFrame: startFrame(timecode.frame, timecode.rate, rate),
      ...(width === null || height === null ? {} : { frameSize: { width, height } }),
      tracks: [...video, ...audio.map((track) => this.#track(track, "audio", rate, inner, channels))],
      markers: this.#markers(childrenNamed(element, "marker"), rate),
    };
  }

  #markers(elements: readonly XmlElement[], rate: FrameRate): Timeline["markers"] {
    return elements.flatMap((element, index) => {
      const marker = markerOf(element, markerIdAt(index), rate);
      if (marker === null) this.#report("bad-time", element);
      return marker === null ? [] : [marker];
    });
  }

  #track(
    element: XmlElement,
    kind: "video" | "audio",
    rate: FrameRate,
    outer: readonly XmlElement[],
    channels: ReadonlyMap<string, ReadonlySet<number>> = new Map(),
  ): Track {
    const clips: TimelineClip[] = [];
    const transitions: TimelineTransition[] = [];
    for (const item of placeItems(childElements(element))) {
      if (item.end === null || item.start === null || item.end <= item.start) this.#report("bad-time", item.element);
      else if (item.kind === "transition") {
        const name = textAt(item.element, "effect", "name") || "Transition";
        transitions.push({ name, ...seconds(item.start, item.end, rate) });
      } else clips.push(this.#clip(item, { ...seconds(item.start, item.end, rate) }, kind, rate, outer, channels));
    }
    return { kind, name: trackName(element), isEnabled: isEnabled(element), clips: withoutOverlap(clips), transitions };
  }

  #clip(
    item: PlacedItem,
    range: { readonly start: number; readonly end: number },
    kind: "video" | "audio",
    sequenceRate: FrameRate,
    outer: readonly XmlElement[],
    channels: ReadonlyMap<string, ReadonlySet<number>>,
  ): TimelineClip {
    const { element } = item;
    const rate = rateOf(element) ?? sequenceRate;
    const remap = remapOf(element);
    if (remap.isVariable) this.#report("unknown-object", element);
    const source = this.#source(element, kind, outer);
    const channel = numberAt(element, "sourcetrack", "trackindex");
    const isOneOfSeveral = (channels.get(clipKey(element))?.size ?? 0) > 1 && source.kind === "media";
    return {
      ...range,
      name: textAt(element, "name"),
      isEnabled: isEnabled(element),
      sourceStart: sourceStart(item, remap.speed, range, rate, sequenceRate),
      speed: remap.speed,
      source,
      ...(kind === "audio" && isOneOfSeveral && channel !== null ? { sourceChannel: channel } : {}),
      effects: [...effectsOf(element), ...(remap.isVariable ? ["Time Remap (variable)"] : [])],
      markers: this.#markers(childrenNamed(element, "marker"), rate),
    };
  }

  #source(clip: XmlElement, kind: "video" | "audio", outer: readonly XmlElement[]): TimelineClip["source"] {
    const nested = resolved(childAt(clip, "sequence"), this.#definitions.sequences);
    if (nested !== undefined) {
      const isEndless = outer.includes(nested) || outer.length >= DEEPEST_NESTING;
      if (!isEndless) return { kind: "nested", timeline: this.timeline(nested, outer) };
      this.#report("unknown-object", clip);
      return { kind: "empty", name: textAt(clip, "name") };
    }
    if (clip.name === "generatoritem") {
      return { kind: "empty", name: textAt(clip, "effect", "name") || textAt(clip, "name") };
    }
    return mediaOf(clip, resolved(childAt(clip, "file"), this.#definitions.files), kind);
  }

  #report(code: "bad-time" | "unknown-object", element: XmlElement): void {
    this.#issues.add(code, this.#lines.lineOf(element.start), `${element.name} ${textAt(element, "name")}`.trim());
  }
}

function seconds(start: number, end: number, rate: FrameRate): { start: number; end: number } {
  return { start: secondsFromFrames(start, rate), end: secondsFromFrames(end, rate) };
}

/** The start label of a sequence in its own frames; some writers count it at another rate. */
function startFrame(frame: number, rate: FrameRate | null, sequenceRate: FrameRate): number {
  if (!Number.isSafeInteger(frame * nominalFrameRate(sequenceRate))) return 0;
  if (rate === null || equalRates(rate, sequenceRate)) return frame;
  return Math.round((frame / nominalFrameRate(rate)) * nominalFrameRate(sequenceRate));
}

/**
 * Where in its source a clip begins. A clip whose speed is changed counts in and out in frames of its changed length, as
 * long as the clip itself with its parts of transitions; where they are not, they count the source.
 */
function sourceStart(
  item: PlacedItem,
  speed: number,
  range: { readonly start: number; readonly end: number },
  rate: FrameRate,
  sequenceRate: FrameRate,
): number {
  const shown = inAndOut(item.element, rate);
  const lead = secondsFromFrames(item.lead, sequenceRate);
  if (shown === null) return lead;
  if (speed === 1 || speed === 0) return shown.start + lead;
  const length = lead + range.end - range.start + secondsFromFrames(item.tail, sequenceRate);
  const isChanged =
    Math.abs(shown.end - shown.start - length) <= Math.abs(shown.end - shown.start - length * Math.abs(speed));
  if (!isChanged) return (speed > 0 ? shown.start : shown.end) + lead * speed;
  const start = shown.start + lead;
  if (speed > 0) return start * speed;
  const whole = secondsFromFrames(numberAt(item.element, "duration") ?? 0, rate);
  return Math.max(0, whole - start) * -speed;
}

/** Which channels of a file are used over one range: a file whose channels lie on tracks of their own shows several. */
function channelsInUse(tracks: readonly XmlElement[]): Map<string, Set<number>> {
  const channels = new Map<string, Set<number>>();
  for (const clip of tracks.flatMap((track) => childrenNamed(track, "clipitem"))) {
    const channel = numberAt(clip, "sourcetrack", "trackindex");
    if (channel === null) continue;
    const key = clipKey(clip);
    const used = channels.get(key) ?? new Set();
    used.add(channel);
    channels.set(key, used);
  }
  return channels;
}

function clipKey(clip: XmlElement): string {
  const file = childAt(clip, "file")?.attributes.get("id") ?? "";
  return [file, textAt(clip, "start"), textAt(clip, "end"), textAt(clip, "in")].join("|");
}

/** Reads a file element as the media of a clip on a track of the given kind; one without an address is offline. */
function mediaOf(clip: XmlElement, file: XmlElement | undefined, kind: "video" | "audio"): MediaSource | EmptySource {
  const name = textAt(file, "name") || textAt(clip, "name");
  const generated = textAt(file, "mediaSource");
  if (file === undefined || (generated !== "" && textAt(file, "pathurl") === "")) {
    return { kind: "empty", name: name || generated };
  }
  const rate = rateOf(file) ?? undefined;
  const location = textAt(file, "pathurl");
  const frames = numberAt(file, "duration");
  const picture = childAt(file, "media", "video");
  const width = numberAt(picture, "samplecharacteristics", "width") ?? numberAt(file, "width");
  const height = numberAt(picture, "samplecharacteristics", "height") ?? numberAt(file, "height");
  const sampleRate = numberAt(file, "media", "audio", "samplecharacteristics", "samplerate");
  const isStill = textAt(clip, "stillframe").toUpperCase() === "TRUE" || (kind === "video" && isStillName(location));
  const durationSeconds = frames === null || rate === undefined ? undefined : secondsFromFrames(frames, rate);
  return {
    kind: "media",
    name,
    location: location === "" ? null : location,
    ...(durationSeconds === undefined || isStill ? {} : { durationSeconds }),
    ...defined({ rate }),
    ...(rate === undefined ? {} : { startFrame: timecodeOf(file).frame }),
    hasVideo: picture !== undefined || (kind === "video" && childAt(file, "media") === undefined),
    audioChannels: audioChannels(file, kind),
    ...(sampleRate === null ? {} : { audioSampleRate: sampleRate }),
    ...(width === null || height === null ? {} : { frameSize: { width, height } }),
    ...(isStill ? { isStill } : {}),
  };
}

/** Channels over all audio elements of a file; two for a sound clip whose file does not say. */
function audioChannels(file: XmlElement, kind: "video" | "audio"): number {
  const media = childAt(file, "media");
  const audio = media === undefined ? [] : childrenNamed(media, "audio");
  const counts = audio.map((one) => numberAt(one, "channelcount") ?? 1);
  if (counts.length === 0 && kind === "audio" && media === undefined) return 2;
  return counts.reduce((sum, count) => sum + count, 0);
}

/** What a clip's `Time Remap` does to its speed. */
interface Remap {
  /** Source seconds per second of the clip; negative backwards. */
  readonly speed: number;
  /** Whether the speed changes within the clip, so that `speed` is only its mean. */
  readonly isVariable: boolean;
}

/** The speed of a clip; 1 without a time remap. */
function remapOf(clip: XmlElement): Remap {
  for (const filter of childrenNamed(clip, "filter")) {
    const effect = childAt(filter, "effect");
    if (effect === undefined || textAt(effect, "effectid").toLowerCase() !== "timeremap") continue;
    const percent = Number(parameterOf(effect, "speed") || "100");
    const isReverse = parameterOf(effect, "reverse").toUpperCase() === "TRUE";
    const isVariable = Number(parameterOf(effect, "variablespeed") || "0") !== 0;
    const speed = Number.isFinite(percent) ? Math.abs(percent) / 100 : 1;
    return { speed: isReverse || percent < 0 ? -speed : speed, isVariable };
  }
  return { speed: 1, isVariable: false };
}

function parameterOf(effect: XmlElement, id: string): string {
  const found = childrenNamed(effect, "parameter").find((one) => textAt(one, "parameterid") === id);
  return textAt(found, "value");
}

/** Names of a clip's effects but for changes of speed and what every clip has. */
function effectsOf(clip: XmlElement): string[] {
  return childrenNamed(clip, "filter").flatMap((filter) => {
    const effect = childAt(filter, "effect");
    const id = textAt(effect, "effectid").toLowerCase();
    if (id === "timeremap" || textAt(filter, "enabled").toUpperCase() === "FALSE") return [];
    return [textAt(effect, "name") || id];
  });
}

/** In and out of a clip, in source seconds; what it shows where they are missing is its whole length. */
function inAndOut(clip: XmlElement, rate: FrameRate): { readonly start: number; readonly end: number } | null {
  const start = numberAt(clip, "in");
  const end = numberAt(clip, "out");
  if (start === null || end === null || end < start) return null;
  return { start: secondsFromFrames(start, rate), end: secondsFromFrames(end, rate) };
}
