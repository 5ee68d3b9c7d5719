import { type FrameRate, framesFromSeconds } from "../../core/frame-rate.ts";
import { formatTimecode } from "../../core/timecode.ts";
import type { MediaSource } from "../../core/timeline.ts";
import { fileUrl } from "../file-url.ts";
import { type XmlNode, xmlNode } from "../xml/write-xml.ts";
import { timebaseOf, writtenFrame, writtenRate } from "./fcp7-time.ts";

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
