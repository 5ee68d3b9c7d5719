import { type FrameRate, frameRate, framesFromSeconds, secondsFromFrames } from "../../core/frame-rate.ts";
import { defined } from "../../core/objects.ts";
import { formatTimecode } from "../../core/timecode.ts";
import type { MediaSource, TimelineMarker } from "../../core/timeline.ts";
import { fileUrl } from "../timeline-document.ts";
import { type XmlNode, xmlNode } from "../xml/write-xml.ts";
import { childAt, numberAt, textAt, type XmlElement } from "../xml/xml-element.ts";

/** The `rate` of an element. */
export function rateNode(rate: FrameRate): XmlNode {
  const { timebase, isNtsc } = timebaseOf(rate);
  return xmlNode("rate", [xmlNode("timebase", timebase), xmlNode("ntsc", truth(isNtsc))]);
}

/** A truth value as the format writes it. */
export function truth(value: boolean): string {
  return value ? "TRUE" : "FALSE";
}

/** The `timecode` of a sequence or file. */
export function timecodeNode(frame: number, rate: FrameRate, isDropFrame: boolean): XmlNode {
  return xmlNode("timecode", [
    rateNode(rate),
    xmlNode("string", formatTimecode(frame, { rate, isDropFrame })),
    xmlNode("frame", frame),
    xmlNode("displayformat", isDropFrame ? "DF" : "NDF"),
  ]);
}

/** Samples per second where nothing says how many there are. */
const USUAL_SAMPLE_RATE = 48000;

/** The whole `file` element of a media source; times count at `rate` where the media has none of its own. */
export function fileNode(id: string, media: MediaSource, rate: FrameRate): XmlNode {
  const own = writtenRate(media.rate ?? rate);
  const frames = media.durationSeconds === undefined ? null : framesFromSeconds(media.durationSeconds, own);
  const size = media.frameSize;
  const picture = xmlNode("video", [
    xmlNode("samplecharacteristics", [
      rateNode(own),
      ...(size === undefined ? [] : [xmlNode("width", size.width), xmlNode("height", size.height)]),
    ]),
  ]);
  const sound = xmlNode("audio", [
    soundCharacteristics(media.audioSampleRate ?? USUAL_SAMPLE_RATE),
    xmlNode("channelcount", media.audioChannels),
  ]);
  return {
    name: "file",
    attributes: { id },
    content: [
      xmlNode("name", media.name),
      ...(media.location === null ? [] : [xmlNode("pathurl", pathUrl(media.location))]),
      rateNode(own),
      ...(frames === null ? [] : [xmlNode("duration", frames)]),
      timecodeNode(writtenFrame(media.startFrame ?? 0, media.rate ?? rate), own, false),
      xmlNode("media", [...(media.hasVideo ? [picture] : []), ...(media.audioChannels > 0 ? [sound] : [])]),
    ],
  };
}

/** The sample characteristics of sound. */
function soundCharacteristics(sampleRate: number): XmlNode {
  return xmlNode("samplecharacteristics", [xmlNode("depth", 16), xmlNode("samplerate", sampleRate)]);
}

/** An address as Premiere and Resolve write it: `file://localhost/`, the colon of a drive letter encoded. */
function pathUrl(location: string): string {
  const url = fileUrl(location);
  if (!url.startsWith("file:///")) return url;
  return `file://localhost/${url.slice("file:///".length).replace(/^([A-Za-z]):/, "$1%3a")}`;
}

/** Attributes of the `channel`-th (from 0) of `count` tracks that together are one in Premiere. */
function channelTrackAttributes(channel: number, count: number): Record<string, string> {
  return {
    currentExplodedTrackIndex: String(channel),
    totalExplodedTrackCount: String(count),
    premiereTrackType: count === 2 ? "Stereo" : "Mono",
  };
}

/** The `audio` element of a sequence that has none, with these tracks: stereo, two channels out. */
export function audioNode(tracks: readonly XmlNode[]): XmlNode {
  const group = (index: number) =>
    xmlNode("group", [
      xmlNode("index", index),
      xmlNode("numchannels", 1),
      xmlNode("downmix", 0),
      xmlNode("channel", [xmlNode("index", index)]),
    ]);
  return xmlNode("audio", [
    xmlNode("numOutputChannels", 2),
    xmlNode("format", [soundCharacteristics(USUAL_SAMPLE_RATE)]),
    xmlNode("outputs", [group(1), group(2)]),
    ...tracks,
  ]);
}

/** An audio track with its clips and the channel it plays on. */
export function audioTrackNode(
  name: string,
  clips: readonly XmlNode[],
  channel: number,
  channelCount: number,
  isOn: boolean,
): XmlNode {
  return {
    name: "track",
    attributes: { ...(name === "" ? {} : { "MZ.TrackName": name }), ...channelTrackAttributes(channel, channelCount) },
    content: [
      ...clips,
      xmlNode("enabled", truth(isOn)),
      xmlNode("locked", "FALSE"),
      xmlNode("outputchannelindex", channel + 1),
    ],
  };
}

/** Which channel of its file a clip plays. */
export function sourceTrackNode(channel: number): XmlNode {
  return xmlNode("sourcetrack", [xmlNode("mediatype", "audio"), xmlNode("trackindex", channel)]);
}

/** Ties a clip to another: of the same sound, or of its picture. */
export function linkNode(clipId: string, mediaType: "video" | "audio", trackIndex: number, clipIndex: number): XmlNode {
  return xmlNode("link", [
    xmlNode("linkclipref", clipId),
    xmlNode("mediatype", mediaType),
    xmlNode("trackindex", trackIndex),
    xmlNode("clipindex", clipIndex),
    ...(mediaType === "audio" ? [xmlNode("groupindex", 1)] : []),
  ]);
}

/**
 * Marker colours as Premiere writes them, 0xAABBGGRR. Green, its default, has none. Read off its exports by public tools
 * that write the same element; the names are those of its marker menu.
 */
const PREMIERE_COLOURS: ReadonlyMap<string, number> = new Map([
  ["red", 4281740498],
  ["yellow", 4281049552],
  ["purple", 4289825711],
  ["magenta", 4289825711],
  ["orange", 4280578025],
  ["white", 4294967295],
  ["blue", 4294741314],
  ["cyan", 4292277273],
]);

/** Reads a marker element, its times counted at `rate` from 0. `null` when it has no time. */
export function markerOf(element: XmlElement, id: string, rate: FrameRate): TimelineMarker | null {
  const first = numberAt(element, "in");
  if (first === null || first < 0) return null;
  const last = numberAt(element, "out") ?? -1;
  const colour = colourOf(numberAt(element, "pproColor"));
  return {
    id,
    name: textAt(element, "name"),
    comment: textAt(element, "comment"),
    start: secondsFromFrames(first, rate),
    // -1 stands for a marker without length.
    end: secondsFromFrames(Math.max(first, last), rate),
    ...defined({ colour }),
  };
}

function colourOf(value: number | null): string | undefined {
  for (const [name, number] of PREMIERE_COLOURS) if (number === value) return name;
  return undefined;
}

/** A marker as Premiere writes it; the colour is left out where Premiere has none of that name, or it is green. */
export function markerNode(marker: TimelineMarker, rate: FrameRate): XmlNode {
  const first = framesFromSeconds(marker.start, rate);
  const last = framesFromSeconds(marker.end, rate);
  const colour = PREMIERE_COLOURS.get(marker.colour ?? "");
  return xmlNode("marker", [
    xmlNode("comment", marker.comment),
    xmlNode("name", marker.name),
    xmlNode("in", first),
    xmlNode("out", last > first ? last : -1),
    ...(colour === undefined ? [] : [xmlNode("pproColor", colour)]),
  ]);
}

/**
 * The rate an element states in its `rate` child: `timebase`, slowed by 1000/1001 where `ntsc` is TRUE. `null` when it
 * states none.
 */
export function rateOf(element: XmlElement | undefined): FrameRate | null {
  const timebase = numberAt(element, "rate", "timebase");
  if (timebase === null || !Number.isInteger(timebase) || timebase < 1 || timebase > 1e6) return null;
  const isNtsc = textAt(element, "rate", "ntsc").toUpperCase() === "TRUE";
  return isNtsc ? frameRate(timebase * 1000, 1001) : frameRate(timebase);
}

/** The highest rate that the format is given in place of one that it cannot state; editors know none above. */
const HIGHEST_RATE = 120;

/**
 * The rate that a timeline of a rate is written at: the same where the format can state it, else the least multiple that it can, so
 * that each frame stays where it is (12.5 becomes 25); where there is none, the nearest whole rate.
 */
export function writtenRate(rate: FrameRate): FrameRate {
  const { numerator, denominator } = rate;
  if (denominator === 1 || (denominator === 1001 && numerator % 1000 === 0)) return rate;
  return frameRate(numerator <= HIGHEST_RATE ? numerator : timebaseOf(rate).timebase);
}

/** A frame of a timeline as it is counted at the rate that is written. */
export function writtenFrame(frame: number, rate: FrameRate): number {
  return framesFromSeconds(secondsFromFrames(frame, rate), writtenRate(rate));
}

/** A rate as `timebase` and `ntsc`; a rate that is neither whole nor slowed by 1000/1001 becomes the nearest whole one. */
function timebaseOf(rate: FrameRate): { readonly timebase: number; readonly isNtsc: boolean } {
  const isNtsc = rate.denominator === 1001 && rate.numerator % 1000 === 0;
  const timebase = isNtsc ? rate.numerator / 1000 : Math.max(1, Math.round(rate.numerator / rate.denominator));
  return { timebase, isNtsc };
}

/** The timecode of an element: its first frame's label, as a frame, and how it counts. */
export interface Fcp7Timecode {
  readonly frame: number;
  readonly isDropFrame: boolean;
  readonly rate: FrameRate | null;
}

/** Reads the `timecode` child of a sequence or file. */
export function timecodeOf(element: XmlElement | undefined): Fcp7Timecode {
  const timecode = childAt(element, "timecode");
  const string = textAt(timecode, "string");
  return {
    frame: Math.round(numberAt(timecode, "frame") ?? 0),
    isDropFrame: textAt(timecode, "displayformat").toUpperCase() === "DF" || string.includes(";"),
    rate: rateOf(timecode),
  };
}
