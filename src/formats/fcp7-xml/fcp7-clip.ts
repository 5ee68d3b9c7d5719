import { defined } from "../../core/defined.ts";
import { type FrameRate, secondsFromFrames } from "../../core/frame-rate.ts";
import { isStillName } from "../../core/still-picture.ts";
import type { EmptySource, MediaSource } from "../../core/timeline.ts";
import { childAt, childrenNamed, numberAt, textAt, type XmlElement } from "../xml/xml-element.ts";
import { rateOf, timecodeOf } from "./fcp7-time.ts";

/** Reads a file element as the media of a clip on a track of the given kind; one without an address is offline. */
export function mediaOf(
  clip: XmlElement,
  file: XmlElement | undefined,
  kind: "video" | "audio",
): MediaSource | EmptySource {
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
export function remapOf(clip: XmlElement): Remap {
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
export function effectsOf(clip: XmlElement): string[] {
  return childrenNamed(clip, "filter").flatMap((filter) => {
    const effect = childAt(filter, "effect");
    const id = textAt(effect, "effectid").toLowerCase();
    if (id === "timeremap" || textAt(filter, "enabled").toUpperCase() === "FALSE") return [];
    return [textAt(effect, "name") || id];
  });
}

/** In and out of a clip, in source seconds; what it shows where they are missing is its whole length. */
export function inAndOut(clip: XmlElement, rate: FrameRate): { readonly start: number; readonly end: number } | null {
  const start = numberAt(clip, "in");
  const end = numberAt(clip, "out");
  if (start === null || end === null || end < start) return null;
  return { start: secondsFromFrames(start, rate), end: secondsFromFrames(end, rate) };
}
