import { type FrameRate, framesFromSeconds } from "../../core/frame-rate.ts";
import type { MediaSource, Timeline, TimelineClip, TimelineTransition, Track } from "../../core/timeline.ts";
import { type XmlNode, xmlDocument, xmlNode } from "../xml/write-xml.ts";
import {
  audioNode,
  audioTrackNode,
  fileNode,
  linkNode,
  markerNode,
  rateNode,
  sourceTrackNode,
  timecodeNode,
  truth,
  writtenFrame,
  writtenRate,
} from "./fcp7-nodes.ts";

/**
 * Writes a timeline as Final Cut Pro 7 XML, version 4, as Premiere and DaVinci Resolve import it. Times are whole frames of
 * the timeline's rate, the nearest ones; see {@link writtenRate} for a rate that the format does not know. A stereo track is written as two, as Premiere does. Effects are left out;
 * transitions become cross dissolves by their name.
 */
export function writeFcp7Xml(timeline: Timeline): string {
  const writer = new Fcp7Writer();
  const document = { name: "xmeml", attributes: { version: "4" }, content: [writer.sequence(timeline)] };
  return xmlDocument(document, { doctype: "xmeml", indent: "\t" });
}

class Fcp7Writer {
  readonly #files = new Map<string, string>();
  readonly #writtenFiles = new Set<string>();
  readonly #sequences = new Map<Timeline, string>();
  #clips = 0;

  sequence(timeline: Timeline): XmlNode {
    const rate = writtenRate(timeline.rate);
    const id = `sequence-${this.#sequences.size + 1}`;
    this.#sequences.set(timeline, id);
    const end = timeline.tracks.reduce((latest, track) => Math.max(latest, track.clips.at(-1)?.end ?? 0), 0);
    const size = timeline.frameSize;
    const format = xmlNode("format", [
      xmlNode("samplecharacteristics", [
        rateNode(rate),
        ...(size === undefined ? [] : [xmlNode("width", size.width), xmlNode("height", size.height)]),
        xmlNode("anamorphic", "FALSE"),
        xmlNode("pixelaspectratio", "square"),
        xmlNode("fielddominance", "none"),
      ]),
    ]);
    const video = timeline.tracks.filter((track) => track.kind === "video");
    const audio = timeline.tracks.filter((track) => track.kind === "audio");
    return {
      name: "sequence",
      attributes: { id },
      content: [
        xmlNode("duration", framesFromSeconds(end, rate)),
        rateNode(rate),
        xmlNode("name", timeline.name),
        xmlNode("media", [
          xmlNode("video", [format, ...video.map((track) => this.#videoTrack(track, rate))]),
          audioNode(this.#audioTracks(audio, rate)),
        ]),
        timecodeNode(writtenFrame(timeline.startFrame, timeline.rate), rate, timeline.isDropFrame),
        ...timeline.markers.map((marker) => markerNode(marker, rate)),
      ],
    };
  }

  #videoTrack(track: Track, rate: FrameRate): XmlNode {
    return {
      name: "track",
      attributes: track.name === "" ? {} : { "MZ.TrackName": track.name },
      content: [
        ...withTransitions(track, rate, (clip, edges) => this.#clip(clip, rate, this.#nextClipId(), edges, [])),
        xmlNode("enabled", truth(track.isEnabled)),
        xmlNode("locked", "FALSE"),
      ],
    };
  }

  #audioTracks(tracks: readonly Track[], rate: FrameRate): XmlNode[] {
    const written: XmlNode[] = [];
    for (const track of tracks) {
      const count = isStereo(track) ? 2 : 1;
      const first = written.length + 1;
      // Each channel's clips are counted on their own: one that plays fewer leaves no place on the further tracks.
      const counts = [0, 0];
      const placed = track.clips.map((clip) =>
        channelsOf(clip, count).map((_, at) => {
          const place = (counts[at] ?? 0) + 1;
          counts[at] = place;
          return { id: this.#nextClipId(), place };
        }),
      );
      for (let channel = 0; channel < count; channel++) {
        const clips = track.clips.flatMap((clip, index) => {
          const own = placed[index] ?? [];
          const id = own[channel]?.id;
          if (id === undefined) return [];
          const links = own.length < 2 ? [] : own.map((one, at) => linkNode(one.id, "audio", first + at, one.place));
          return [
            this.#clip(clip, rate, id, PLAIN_EDGES, [sourceTrackNode(clip.sourceChannel ?? channel + 1), ...links]),
          ];
        });
        written.push(audioTrackNode(track.name, clips, channel, count, track.isEnabled));
      }
    }
    return written;
  }

  #nextClipId(): string {
    this.#clips += 1;
    return `clipitem-${this.#clips}`;
  }

  #clip(clip: TimelineClip, rate: FrameRate, id: string, edges: Edges, more: readonly XmlNode[]): XmlNode {
    const { source, speed } = clip;
    const start = framesFromSeconds(clip.start, rate);
    const end = framesFromSeconds(clip.end, rate);
    const whole = clipLength(clip, rate);
    // A clip whose speed is changed counts in frames of its changed length, from its own end when it runs backwards.
    const own = speed === 0 || speed === 1 ? clip.sourceStart : clip.sourceStart / Math.abs(speed);
    const first = speed < 0 ? Math.max(0, whole - framesFromSeconds(own, rate)) : framesFromSeconds(own, rate);
    // Without the frames a transition needs before its in, a clip has to begin at the cut.
    const lead = edges.lead !== null && edges.lead <= first ? edges.lead : null;
    return {
      name: source.kind === "empty" ? "generatoritem" : "clipitem",
      attributes: { id },
      content: [
        ...(source.kind === "media" ? [xmlNode("masterclipid", `master-${this.#fileId(source)}`)] : []),
        xmlNode("name", clip.name),
        xmlNode("enabled", truth(clip.isEnabled)),
        xmlNode("duration", Math.max(whole, first + end - start)),
        rateNode(rate),
        xmlNode("start", lead === null ? start : -1),
        xmlNode("end", edges.tail === null ? end : -1),
        xmlNode("in", first - (lead ?? 0)),
        xmlNode("out", first + end - start + (edges.tail ?? 0)),
        ...this.#source(source, rate),
        ...(source.kind === "media" && source.isStill ? [xmlNode("stillframe", "TRUE")] : []),
        ...(speed === 1 ? [] : [timeRemap(speed)]),
        ...more,
        ...clip.markers.map((marker) => markerNode(marker, rate)),
      ],
    };
  }

  #source(source: TimelineClip["source"], rate: FrameRate): XmlNode[] {
    if (source.kind === "empty") return [generator(source.name)];
    if (source.kind === "nested") {
      const known = this.#sequences.get(source.timeline);
      return [known === undefined ? this.sequence(source.timeline) : reference("sequence", known)];
    }
    const id = this.#fileId(source);
    if (this.#writtenFiles.has(id)) return [reference("file", id)];
    this.#writtenFiles.add(id);
    return [fileNode(id, source, rate)];
  }

  #fileId(source: MediaSource): string {
    const key = fileKey(source);
    const id = this.#files.get(key) ?? `file-${this.#files.size + 1}`;
    this.#files.set(key, id);
    return id;
  }
}

/** Names what is written out elsewhere. */
function reference(name: "file" | "sequence", id: string): XmlNode {
  return { name, attributes: { id }, content: [] };
}

function fileKey(source: MediaSource): string {
  return `${source.location ?? ""}|${source.name}|${source.audioChannels}|${source.hasVideo}`;
}

/** Whole length of a clip's media in frames, at the clip's speed. */
function clipLength(clip: TimelineClip, rate: FrameRate): number {
  const { source } = clip;
  const seconds = source.kind === "media" ? source.durationSeconds : undefined;
  if (seconds === undefined) return framesFromSeconds(clip.end - clip.start, rate);
  return framesFromSeconds(clip.speed === 0 ? seconds : seconds / Math.abs(clip.speed), rate);
}

function isStereo(track: Track): boolean {
  return track.clips.some((clip) => channelsOf(clip, 2).length === 2);
}

/** The channels of its file a clip plays, from 0, on a track of `count` channels. */
function channelsOf(clip: TimelineClip, count: number): number[] {
  const all = clip.source.kind === "media" ? clip.source.audioChannels : 2;
  if (count === 1 || clip.sourceChannel !== undefined || all < 2) return [0];
  return [0, 1];
}

/** Frames that a clip reaches past its cuts, into the transitions there; `null` at a cut without one. */
interface Edges {
  readonly lead: number | null;
  readonly tail: number | null;
}

const PLAIN_EDGES: Edges = { lead: null, tail: null };

/** A transition in frames, and how it lies over its cut. */
interface FrameTransition {
  readonly name: string;
  readonly start: number;
  readonly end: number;
  readonly cut: number;
  readonly alignment: "start" | "center" | "end";
}

/** Clips of a track with the transitions between them. A clip beside a transition states -1 and reaches to its far end. */
function withTransitions(
  track: Track,
  rate: FrameRate,
  write: (clip: TimelineClip, edges: Edges) => XmlNode,
): XmlNode[] {
  const transitions = track.transitions.map((one) => frameTransition(one, track, rate));
  const items = [
    ...track.clips.map((clip) => ({
      at: framesFromSeconds(clip.start, rate),
      node: write(clip, edgesOf(clip, transitions, rate)),
    })),
    ...transitions.map((one) => ({ at: one.cut - 0.5, node: transitionNode(one, track.kind, rate) })),
  ];
  return items.sort((a, b) => a.at - b.at).map((item) => item.node);
}

function frameTransition(transition: TimelineTransition, track: Track, rate: FrameRate): FrameTransition {
  const start = framesFromSeconds(transition.start, rate);
  const end = framesFromSeconds(transition.end, rate);
  const center = start + Math.floor((end - start) / 2);
  const cuts = new Set(
    track.clips.flatMap((clip) => [framesFromSeconds(clip.start, rate), framesFromSeconds(clip.end, rate)]),
  );
  const { name } = transition;
  if (!cuts.has(center) && cuts.has(start)) return { name, start, end, cut: start, alignment: "start" };
  if (!cuts.has(center) && cuts.has(end)) return { name, start, end, cut: end, alignment: "end" };
  return { name, start, end, cut: center, alignment: "center" };
}

function edgesOf(clip: TimelineClip, transitions: readonly FrameTransition[], rate: FrameRate): Edges {
  const start = framesFromSeconds(clip.start, rate);
  const end = framesFromSeconds(clip.end, rate);
  const opening = transitions.find((one) => one.cut === start);
  const closing = transitions.find((one) => one.cut === end);
  return {
    lead: opening === undefined ? null : start - opening.start,
    tail: closing === undefined ? null : closing.end - end,
  };
}

function transitionNode(transition: FrameTransition, kind: Track["kind"], rate: FrameRate): XmlNode {
  return xmlNode("transitionitem", [
    xmlNode("start", transition.start),
    xmlNode("end", transition.end),
    xmlNode("alignment", transition.alignment),
    rateNode(rate),
    xmlNode("effect", [
      xmlNode("name", transition.name),
      xmlNode("effectid", "Cross Dissolve"),
      xmlNode("effectcategory", "Dissolve"),
      xmlNode("effecttype", "transition"),
      xmlNode("mediatype", kind),
    ]),
  ]);
}

function timeRemap(speed: number): XmlNode {
  const parameter = (id: string, value: string) =>
    xmlNode("parameter", [xmlNode("parameterid", id), xmlNode("name", id), xmlNode("value", value)]);
  return xmlNode("filter", [
    xmlNode("effect", [
      xmlNode("name", "Time Remap"),
      xmlNode("effectid", "timeremap"),
      xmlNode("effectcategory", "motion"),
      xmlNode("effecttype", "motion"),
      xmlNode("mediatype", "video"),
      parameter("variablespeed", "0"),
      parameter("speed", String(Math.abs(speed) * 100)),
      parameter("reverse", truth(speed < 0)),
      parameter("frameblending", "FALSE"),
    ]),
  ]);
}

function generator(name: string): XmlNode {
  return xmlNode("effect", [
    xmlNode("name", name || "Slug"),
    xmlNode("effectid", "Slug"),
    xmlNode("effectcategory", "Video"),
    xmlNode("effecttype", "generator"),
    xmlNode("mediatype", "video"),
  ]);
}
