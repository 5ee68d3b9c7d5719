import { type FrameRate, framesFromSeconds } from "../../core/frame-rate.ts";
import type { TextEdit } from "../text-edits.ts";
import type { AudioPlacement, AudioTrackEdit } from "../timeline-document.ts";
import { type XmlNode, xmlNode } from "../xml/write-xml.ts";
import { childElements, childrenNamed, descendantsNamed, textAt, type XmlElement } from "../xml/xml-element.ts";
import { isFurtherChannel, placeItems, trackName, tracksOf } from "./fcp7-document.ts";
import { audioTrackNode, fileNode, linkNode, rateNode, sourceTrackNode } from "./fcp7-nodes.ts";

/**
 * The audio track of a name with its further channels; else, as a host may drop names, the first track whose clips all
 * bear one of the given names. Empty when there is neither.
 */
export function ownTracks(sequence: XmlElement, name: string, clipNames: ReadonlySet<string>): XmlElement[] {
  const tracks = tracksOf(sequence, "audio");
  const named = tracks.findIndex((track) => trackName(track) === name);
  const first = named === -1 ? tracks.findIndex((track) => holdsOnly(track, clipNames)) : named;
  if (first === -1) return [];
  const further = tracks.slice(first + 1);
  const end = further.findIndex((track) => !isFurtherChannel(track));
  return [...tracks.slice(first, first + 1), ...(end === -1 ? further : further.slice(0, end))];
}

function holdsOnly(track: XmlElement, names: ReadonlySet<string>): boolean {
  const clips = childrenNamed(track, "clipitem");
  return clips.length > 0 && clips.every((clip) => names.has(textAt(clip, "name")));
}

/** Takes clips of these names off the tracks. A file that only they write out is written out where it is named next. */
export function removalsOf(
  tracks: readonly XmlElement[],
  names: ReadonlySet<string>,
  sequence: XmlElement,
  text: string,
  removal: (element: XmlElement) => TextEdit,
): TextEdit[] {
  const gone = tracks.flatMap((track) =>
    childrenNamed(track, "clipitem").filter((clip) => names.has(textAt(clip, "name"))),
  );
  if (gone.length === 0) return [];
  const isGone = (element: XmlElement) => gone.some((clip) => clip.start <= element.start && element.end <= clip.end);
  const files = [...descendantsNamed(sequence, "file")];
  const moved = new Set<string>();
  const edits = gone.map(removal);
  for (const file of files) {
    const id = file.attributes.get("id");
    if (id === undefined || childElements(file).length === 0 || !isGone(file) || moved.has(id)) continue;
    moved.add(id);
    const heir = files.find((one) => one !== file && one.attributes.get("id") === id && !isGone(one));
    if (heir !== undefined && childElements(heir).length === 0) {
      edits.push({ start: heir.start, end: heir.end, text: text.slice(file.start, file.end) });
    }
  }
  return edits;
}

/** A clip to be inserted: on which track, behind which of its children. */
export interface AudioInsertion {
  readonly track: XmlElement;
  readonly after: XmlElement | null;
  readonly node: XmlNode;
}

/** A clip with its range in frames and the ids of its channels. */
interface FrameClip {
  readonly placement: AudioPlacement;
  readonly start: number;
  readonly length: number;
  readonly ids: readonly string[];
  readonly fileId: string;
}

/** Makes the clips of an edit, with ids that no element of the document has. */
export class AudioPlacer {
  readonly #rate: FrameRate;
  readonly #sequence: XmlElement;
  readonly #trackName: string;
  readonly #channels: number;
  readonly #clips: readonly FrameClip[];
  readonly #writtenFiles = new Set<string>();

  constructor(text: string, sequence: XmlElement, rate: FrameRate, audio: AudioTrackEdit) {
    this.#rate = rate;
    this.#sequence = sequence;
    this.#trackName = audio.trackName;
    const added = [...(audio.addClips ?? [])].sort((a, b) => a.start - b.start);
    this.#channels = added.some((one) => one.media.audioChannels > 1) ? 2 : 1;
    const freeId = idMaker(text);
    const files = new Map<string, string>();
    this.#clips = added.map((placement) => {
      const { location, durationSeconds, audioChannels } = placement.media;
      const fileId = files.get(location) ?? freeId("file-aside-");
      files.set(location, fileId);
      const count = Math.min(this.#channels, Math.max(1, audioChannels));
      return {
        placement,
        start: framesFromSeconds(placement.start, rate),
        length: Math.max(1, framesFromSeconds(durationSeconds, rate, "floor")),
        ids: Array.from({ length: count }, () => freeId("clipitem-aside-")),
        fileId,
      };
    });
  }

  /** Whether these tracks have the channels and the room for every clip. */
  fitsOn(tracks: readonly XmlElement[]): boolean {
    if (tracks.length < this.#channels) return false;
    return tracks.every((track) => {
      const items = placeItems(childElements(track));
      return this.#clips.every(({ start, length }) =>
        items.every((item) => (item.end ?? 0) <= start || (item.start ?? 0) >= start + length),
      );
    });
  }

  /** The clips for tracks that are there, each channel on its own. */
  clipsFor(tracks: readonly XmlElement[]): AudioInsertion[] {
    const all = tracksOf(this.#sequence, "audio");
    const first = all.findIndex((track) => track.start === tracks[0]?.start) + 1;
    return tracks.slice(0, this.#channels).flatMap((track, channel) => {
      const placed = placeItems(childElements(track));
      return this.#clips.flatMap((clip, index) => {
        const node = this.#node(clip, channel, first, index + 1);
        const after = placed.filter((item) => (item.start ?? 0) < clip.start).at(-1)?.element ?? null;
        return node === null ? [] : [{ track, after, node }];
      });
    });
  }

  /** The tracks for a document that has none of ours. */
  newTracks(): XmlNode[] {
    const first = tracksOf(this.#sequence, "audio").length + 1;
    return Array.from({ length: this.#channels }, (_, channel) => {
      const clips = this.#clips.flatMap((clip, index) => this.#node(clip, channel, first, index + 1) ?? []);
      return audioTrackNode(this.#trackName, clips, channel, this.#channels, true);
    });
  }

  #node(clip: FrameClip, channel: number, firstTrack: number, clipIndex: number): XmlNode | null {
    const id = clip.ids[channel];
    if (id === undefined) return null;
    const { placement, start, length } = clip;
    const isStereo = clip.ids.length > 1;
    return {
      name: "clipitem",
      attributes: { id, premiereChannelType: isStereo ? "stereo" : "mono" },
      content: [
        xmlNode("masterclipid", `master-${clip.fileId}`),
        xmlNode("name", placement.name),
        xmlNode("enabled", "TRUE"),
        xmlNode("duration", length),
        rateNode(this.#rate),
        xmlNode("start", start),
        xmlNode("end", start + length),
        xmlNode("in", 0),
        xmlNode("out", length),
        this.#file(clip),
        sourceTrackNode(channel + 1),
        ...(isStereo ? clip.ids.map((one, at) => linkNode(one, "audio", firstTrack + at, clipIndex)) : []),
      ],
    };
  }

  #file({ fileId, placement }: FrameClip): XmlNode {
    if (this.#writtenFiles.has(fileId)) return { name: "file", attributes: { id: fileId }, content: [] };
    this.#writtenFiles.add(fileId);
    return fileNode(fileId, { kind: "media", hasVideo: false, ...placement.media }, this.#rate);
  }
}

/** Makes ids of a prefix and a number that no element of the text has. */
function idMaker(text: string): (prefix: string) => string {
  const taken = new Set(Array.from(text.matchAll(/["']([a-z]+-aside-\d+)["']/g), (match) => match[1]));
  let number = 0;
  return (prefix) => {
    do number += 1;
    while (taken.has(`${prefix}${number}`));
    return `${prefix}${number}`;
  };
}
