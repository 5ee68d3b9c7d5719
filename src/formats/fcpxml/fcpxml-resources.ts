import { type FrameRate, frameRate, framesFromSeconds } from "../../core/frame-rate.ts";
import { isStillName } from "../../core/local-file.ts";
import type { MediaSource, TimelineClip, TimelineTransition, Track } from "../../core/timeline.ts";
import { withoutOverlap } from "../timeline-document.ts";
import { childAt, childElements, childrenNamed, type XmlElement } from "../xml/xml-element.ts";
import { parseRationalTime, type RationalTime, timeSeconds, ZERO_TIME } from "./fcpxml-time.ts";

/** What a document defines once and its clips name: by id. */
export interface FcpxmlResources {
  readonly formats: ReadonlyMap<string, XmlElement>;
  readonly assets: ReadonlyMap<string, XmlElement>;
  /** Compound clips: sequences used as clips. */
  readonly media: ReadonlyMap<string, XmlElement>;
  /** Titles and generators. */
  readonly effects: ReadonlyMap<string, XmlElement>;
}

/** Gathers the resources of a document. */
export function resourcesOf(root: XmlElement): FcpxmlResources {
  const byId = (name: string) => {
    const found = childrenNamed(root, "resources").flatMap((resources) => childrenNamed(resources, name));
    return new Map(found.map((element) => [element.attributes.get("id") ?? "", element]));
  };
  return { formats: byId("format"), assets: byId("asset"), media: byId("media"), effects: byId("effect") };
}

/** The rate of a format: one frame in its `frameDuration`. `null` when it states none. */
export function rateOfFormat(format: XmlElement | undefined): FrameRate | null {
  const frame = parseRationalTime(format?.attributes.get("frameDuration"));
  if (frame === null || frame.numerator <= 0n) return null;
  const [seconds, frames] = [Number(frame.numerator), Number(frame.denominator)];
  return Number.isSafeInteger(seconds) && Number.isSafeInteger(frames) ? frameRate(frames, seconds) : null;
}

/** The picture size of a format. */
export function sizeOfFormat(format: XmlElement | undefined): { width: number; height: number } | null {
  const width = Number(format?.attributes.get("width"));
  const height = Number(format?.attributes.get("height"));
  return width > 0 && height > 0 ? { width, height } : null;
}

/** Time of an asset's first frame on its own clock. */
export function assetStart(asset: XmlElement | undefined): RationalTime {
  return parseRationalTime(asset?.attributes.get("start")) ?? ZERO_TIME;
}

/** Reads an asset. Its address stands on itself (to version 1.8) or on its `media-rep`. */
export function mediaOfAsset(asset: XmlElement, resources: FcpxmlResources): MediaSource {
  const stated = (name: string) => asset.attributes.get(name) ?? "";
  const location = stated("src") || (childAt(asset, "media-rep")?.attributes.get("src") ?? "");
  const format = resources.formats.get(stated("format"));
  const rate = rateOfFormat(format);
  const size = sizeOfFormat(format);
  const duration = parseRationalTime(stated("duration"));
  const hasVideo = stated("hasVideo") === "1";
  const channels = Number(stated("audioChannels")) * Math.max(1, Number(stated("audioSources")) || 1);
  const sampleRate = Number(stated("audioRate"));
  const start = timeSeconds(assetStart(asset));
  return {
    kind: "media",
    name: stated("name"),
    location: location === "" ? null : location,
    ...(duration === null ? {} : { durationSeconds: timeSeconds(duration) }),
    ...(hasVideo && rate !== null ? { rate, startFrame: startFrameAt(start, rate) } : {}),
    hasVideo,
    audioChannels: stated("hasAudio") === "1" ? Math.max(1, channels || 2) : 0,
    ...(sampleRate > 0 ? { audioSampleRate: sampleRate } : {}),
    ...(size === null ? {} : { frameSize: size }),
    ...(hasVideo && isStillName(location) ? { isStill: true } : {}),
  };
}

/** The first sequence inside an element, at any depth. */
export function firstSequence(element: XmlElement, name?: string): XmlElement | null {
  let first: XmlElement | null = null;
  const visit = (one: XmlElement, project: string): XmlElement | null => {
    for (const child of childElements(one)) {
      if (child.name === "resources") continue;
      if (child.name === "sequence") {
        first ??= child;
        if (name === undefined || project === name) return child;
      }
      const found = visit(child, child.name === "project" ? (child.attributes.get("name") ?? "") : project);
      if (found !== null) return found;
    }
    return null;
  };
  return visit(element, "") ?? first;
}

/** The frame of a stated start; 0 where it lies beyond what a number counts exactly, which is no start anyone gave. */
export function startFrameAt(seconds: number, rate: FrameRate): number {
  const frame = framesFromSeconds(seconds, rate);
  return Number.isSafeInteger(frame) ? frame : 0;
}

/** Tracks being filled, by lane and kind. */
export type Lanes = Map<number, ClipLane>;

/** What lies on one lane. */
interface ClipLane {
  readonly clips: TimelineClip[];
  readonly transitions: TimelineTransition[];
  readonly audio: TimelineClip[];
}

/** The lane of a number, made when it is new. */
export function laneOf(lanes: Lanes, lane: number): ClipLane {
  const found = lanes.get(lane) ?? { clips: [], transitions: [], audio: [] };
  lanes.set(lane, found);
  return found;
}

/** Lanes as tracks, lowest first, picture before sound. */
export function tracksOf(lanes: Lanes): Track[] {
  const ordered = [...lanes].sort(([a], [b]) => a - b);
  const name = (lane: number) => (lane === 0 ? "Primary storyline" : `Lane ${lane}`);
  const track = (
    kind: Track["kind"],
    lane: number,
    clips: readonly TimelineClip[],
    transitions: readonly TimelineTransition[],
  ): Track => ({
    kind,
    name: name(lane),
    isEnabled: true,
    clips: withoutOverlap(clips),
    transitions,
  });
  return [
    ...ordered.flatMap(([lane, { clips, transitions }]) =>
      clips.length === 0 && transitions.length === 0 ? [] : [track("video", lane, clips, transitions)],
    ),
    ...ordered.flatMap(([lane, { audio }]) => (audio.length === 0 ? [] : [track("audio", lane, audio, [])])),
  ];
}
