import type {
  AudioClipTrackItem,
  AudioTrack,
  ProjectItem,
  premierepro,
  Sequence,
  TickTime,
  VideoClipTrackItem,
  VideoTrack,
} from "@adobe/premierepro";
import { defined } from "../../core/defined.ts";
import { plainPath } from "../native-path.ts";
import { labelCounting } from "./display-format.ts";
import { isStaleHandle } from "./host-fault.ts";
import { colourFromIndex } from "./marker-colour.ts";
import { openSequence } from "./open-sequence.ts";
import type { ClipSnapshot, MarkerSnapshot, SequenceReference, SequenceSnapshot, TrackSnapshot } from "./snapshot.ts";
import { rateFromTicksPerFrame, ticksFromText, UNSET_POINT_TICKS } from "./ticks.ts";
import { clipsOn } from "./track-items.ts";

/** Clips whose details are asked for at once; between two such rounds the handles are fetched anew. */
const CLIPS_AT_ONCE = 100;

/** Everything of a sequence but its tracks and markers. */
export type SequenceFacts = Omit<SequenceSnapshot, "videoTracks" | "audioTracks" | "markers">;

/** Reads a sequence whole. */
export async function readSnapshot(premiere: premierepro, reference: SequenceReference): Promise<SequenceSnapshot> {
  const facts = await readFacts(premiere, reference);
  const videoTracks = await readTracks(premiere, reference, "video");
  const audioTracks = await readTracks(premiere, reference, "audio");
  return { ...facts, videoTracks, audioTracks, markers: await readMarkers(premiere, reference) };
}

/** Reads what describes a sequence. */
export async function readFacts(premiere: premierepro, reference: SequenceReference): Promise<SequenceFacts> {
  const ask = <Answer>(question: (sequence: Sequence) => Promise<Answer>): Promise<Answer> =>
    question(openSequence(premiere, reference).sequence);
  const name = openSequence(premiere, reference).sequence.name;
  const [timebase, zeroPoint, inPoint, outPoint, end, size, display] = await Promise.all([
    ask((sequence) => sequence.getTimebase()),
    ask((sequence) => sequence.getZeroPoint()).then((time) => time.ticks),
    ask((sequence) => sequence.getInPoint()).then((time) => time.ticks),
    ask((sequence) => sequence.getOutPoint()).then((time) => time.ticks),
    ask((sequence) => sequence.getEndTime()).then((time) => time.ticks),
    ask((sequence) => sequence.getFrameSize()).then(({ width, height }) => ({ width, height })),
    ask((sequence) => sequence.getSequenceVideoTimeDisplayFormat()).then((format) => format.type),
  ]);
  const ticksPerFrame = ticksFromText(timebase);
  const counting = labelCounting(display, rateFromTicksPerFrame(ticksPerFrame), premiere.Constants);
  return {
    reference,
    name,
    ticksPerFrame,
    isDropFrame: counting.isDropFrame,
    isCountingKnown: counting.isKnown,
    zeroPoint: ticksFromText(zeroPoint),
    inPoint: setPoint(inPoint),
    outPoint: setPoint(outPoint),
    end: ticksFromText(end),
    frameSize: size,
  };
}

/** Reads the markers of a sequence, in Premiere's order. */
async function readMarkers(premiere: premierepro, reference: SequenceReference): Promise<MarkerSnapshot[]> {
  const markers = await premiere.Markers.getMarkers(openSequence(premiere, reference).sequence);
  const sharing = new Map<string, number>();
  return markers.getMarkers().map((marker) => {
    const start = marker.getStart().ticks;
    const number = sharing.get(start) ?? 0;
    sharing.set(start, number + 1);
    // Before 26.3 there is no guid, whatever the declarations say.
    const guid: { toString(): string } | undefined = marker.guid;
    const colour = colourFromIndex(premiere.Constants, marker.getColorIndex());
    return {
      id: guid === undefined ? `${start}/${number}` : guid.toString(),
      hasGuid: guid !== undefined,
      name: marker.getName(),
      comments: marker.getComments(),
      start: ticksFromText(start),
      duration: ticksFromText(marker.getDuration().ticks),
      ...defined({ colour }),
    };
  });
}

/** Reads the tracks of one kind with their clips. */
export async function readTracks(
  premiere: premierepro,
  reference: SequenceReference,
  kind: "video" | "audio",
): Promise<TrackSnapshot[]> {
  const { sequence } = openSequence(premiere, reference);
  const count = await (kind === "video" ? sequence.getVideoTrackCount() : sequence.getAudioTrackCount());
  const tracks: TrackSnapshot[] = [];
  for (let index = 0; index < count; index++) tracks.push(await readTrack(premiere, reference, kind, index));
  return tracks;
}

async function readTrack(
  premiere: premierepro,
  reference: SequenceReference,
  kind: "video" | "audio",
  index: number,
): Promise<TrackSnapshot> {
  // The declarations leave out that a track may have gone meanwhile.
  const fetchTrack = (): Promise<VideoTrack | AudioTrack | null> => {
    const { sequence } = openSequence(premiere, reference);
    return kind === "video" ? sequence.getVideoTrack(index) : sequence.getAudioTrack(index);
  };
  const track = await fetchTrack();
  if (track === null) return { name: "", isMuted: false, clips: [] };
  const name = track.name;
  const isMuted = await new Fields().ask("isMuted", track.isMuted(), false);
  const clips: ClipSnapshot[] = [];
  for (let from = 0; ; from += CLIPS_AT_ONCE) {
    const fresh = await fetchTrack();
    const items = fresh === null ? [] : clipsOn(premiere, fresh);
    const round = items.slice(from, from + CLIPS_AT_ONCE);
    const read = await Promise.all(round.map((item) => readClip(premiere, item)));
    clips.push(...read.filter((clip) => clip !== null));
    if (from + CLIPS_AT_ONCE >= items.length) return { name, isMuted, clips };
  }
}

/** Questions of which each may be refused by itself: Premiere answers some not for graphics and nested sequences. */
class Fields {
  /** Names of what was refused. */
  readonly refused: string[] = [];

  /** What Premiere answers; `instead` where it refuses. @throws what it says of a handle that has gone stale. */
  async ask<Answer>(name: string, answer: Promise<Answer>, instead: Answer): Promise<Answer> {
    try {
      return await answer;
    } catch (error) {
      if (isStaleHandle(error)) throw error;
      this.refused.push(name);
      return instead;
    }
  }
}

/** Reads a clip; `null` for one that does not tell when it is shown. */
async function readClip(
  premiere: premierepro,
  item: VideoClipTrackItem | AudioClipTrackItem,
): Promise<ClipSnapshot | null> {
  const fields = new Fields();
  const ticks = (time: Promise<TickTime>) => time.then((one) => ticksFromText(one.ticks));
  const [name, start, end, inPoint, isDisabled, speed, reversed, source] = await Promise.all([
    fields.ask("name", item.getName(), ""),
    fields.ask<bigint | null>("start", ticks(item.getStartTime()), null),
    fields.ask<bigint | null>("end", ticks(item.getEndTime()), null),
    fields.ask("in point", ticks(item.getInPoint()), 0n),
    fields.ask("disabled", item.isDisabled(), false),
    fields.ask("speed", item.getSpeed(), 1),
    fields.ask("direction", item.isSpeedReversed(), 0),
    fields
      .ask<ProjectItem | null>("project item", item.getProjectItem(), null)
      .then((projectItem) => readSource(premiere, projectItem, fields)),
  ]);
  if (start === null || end === null) return null;
  const { refused } = fields;
  return { name, start, end, inPoint, isDisabled, speed, isReversed: Boolean(reversed), ...source, refused };
}

type SnapshotSource = Pick<ClipSnapshot, "itemId" | "mediaPath" | "isSequence" | "isOffline">;

/** What is behind a clip. Generators and the like have no project item, or one that is no clip. */
async function readSource(
  premiere: premierepro,
  item: ProjectItem | null | undefined,
  fields: Fields,
): Promise<SnapshotSource> {
  const none = { mediaPath: null, isSequence: false, isOffline: false };
  if (!item) return { itemId: null, ...none };
  const itemId = item.getId();
  const clip = castClip(premiere, item);
  if (clip === null) return { itemId, ...none };
  const [path, isOffline, isSequence] = await Promise.all([
    fields.ask("media path", clip.getMediaFilePath(), ""),
    fields.ask<boolean | null>("offline", clip.isOffline(), null),
    fields.ask("nested", clip.isSequence(), false),
  ]);
  return { itemId, mediaPath: path === "" ? null : plainPath(path), isSequence, isOffline };
}

/** An item as a clip; `null` when it is of another kind, whichever way Premiere says so. */
export function castClip(
  premiere: premierepro,
  item: ProjectItem,
): ReturnType<premierepro["ClipProjectItem"]["cast"]> | null {
  try {
    return premiere.ClipProjectItem.cast(item) ?? null;
  } catch {
    // Some versions raise an error where others give nothing; both mean "not a clip".
    return null;
  }
}

function setPoint(ticks: string): bigint | null {
  const point = ticksFromText(ticks);
  return point <= UNSET_POINT_TICKS ? null : point;
}
