import type {
  AudioClipTrackItem,
  AudioTrack,
  Marker,
  ProjectItem,
  premierepro,
  Sequence,
  TickTime,
  VideoClipTrackItem,
  VideoTrack,
} from "@adobe/premierepro";
import { defined } from "../../core/defined.ts";
import { plainPath } from "../native-path.ts";
import { castClip, clipsOn, markerIdentity, markersOn } from "./answers.ts";
import { labelCounting } from "./display-format.ts";
import { isStaleHandle } from "./host-fault.ts";
import { colourFromIndex } from "./marker-colour.ts";
import { openSequence } from "./open-sequence.ts";
import type { ClipSnapshot, MarkerSnapshot, SequenceReference, SequenceSnapshot, TrackSnapshot } from "./snapshot.ts";
import { rateFromTicksPerFrame, ticksFromText, UNSET_POINT_TICKS } from "./ticks.ts";

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
  // One after the other, each of a fresh handle: where looking the sequence up takes a question itself, it makes others stale.
  const ask = async <Answer>(question: (sequence: Sequence) => Answer | Promise<Answer>): Promise<Answer> =>
    question((await openSequence(premiere, reference)).sequence);
  const ticks = async (question: (sequence: Sequence) => Promise<TickTime>) =>
    ticksFromText((await ask(question)).ticks);
  const name = await ask((sequence) => sequence.name);
  const ticksPerFrame = ticksFromText(await ask((sequence) => sequence.getTimebase()));
  const zeroPoint = await ticks((sequence) => sequence.getZeroPoint());
  const inPoint = await ticks((sequence) => sequence.getInPoint());
  const outPoint = await ticks((sequence) => sequence.getOutPoint());
  const end = await ticks((sequence) => sequence.getEndTime());
  const { width, height } = await ask((sequence) => sequence.getFrameSize());
  const { type: display } = await ask((sequence) => sequence.getSequenceVideoTimeDisplayFormat());
  const counting = labelCounting(display, rateFromTicksPerFrame(ticksPerFrame), premiere.Constants);
  return {
    reference,
    name,
    ticksPerFrame,
    isDropFrame: counting.isDropFrame,
    isCountingKnown: counting.isKnown,
    zeroPoint,
    inPoint: setPoint(inPoint),
    outPoint: setPoint(outPoint),
    end,
    frameSize: { width, height },
  };
}

/** Reads the markers of a sequence, in Premiere's order. */
async function readMarkers(premiere: premierepro, reference: SequenceReference): Promise<MarkerSnapshot[]> {
  const markers = await markersOn(premiere, (await openSequence(premiere, reference)).sequence);
  const read = await Promise.all(markers.map((marker) => readMarker(premiere, marker)));
  const sharing = new Map<bigint, number>();
  return read.map(({ guid, ...marker }) => {
    const number = sharing.get(marker.start) ?? 0;
    sharing.set(marker.start, number + 1);
    return { id: guid ?? `${marker.start}/${number}`, hasGuid: guid !== undefined, ...marker };
  });
}

/** What a marker says of itself. */
export type ReadMarker = Omit<MarkerSnapshot, "id" | "hasGuid"> & { readonly guid: string | undefined };

/** Reads a marker. */
export async function readMarker(premiere: premierepro, marker: Marker): Promise<ReadMarker> {
  const [guid, name, comments, start, duration, index] = await Promise.all([
    markerIdentity(marker),
    marker.getName(),
    marker.getComments(),
    marker.getStart(),
    marker.getDuration(),
    marker.getColorIndex(),
  ]);
  const colour = colourFromIndex(premiere.Constants, index);
  const times = { start: ticksFromText(start.ticks), duration: ticksFromText(duration.ticks) };
  return { guid, name, comments, ...times, ...defined({ colour }) };
}

/** Reads the tracks of one kind with their clips. */
export async function readTracks(
  premiere: premierepro,
  reference: SequenceReference,
  kind: "video" | "audio",
): Promise<TrackSnapshot[]> {
  const { sequence } = await openSequence(premiere, reference);
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
  const fetchTrack = async (): Promise<VideoTrack | AudioTrack | null> => {
    const { sequence } = await openSequence(premiere, reference);
    return kind === "video" ? sequence.getVideoTrack(index) : sequence.getAudioTrack(index);
  };
  const track = await fetchTrack();
  if (track === null) return { name: "", isMuted: false, clips: [] };
  const name = await track.name;
  const isMuted = await new Fields().ask("isMuted", track.isMuted(), false);
  const clips: ClipSnapshot[] = [];
  for (let from = 0; ; from += CLIPS_AT_ONCE) {
    const fresh = await fetchTrack();
    const items = fresh === null ? [] : await clipsOn(premiere, fresh);
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
  const itemId = await item.getId();
  const clip = await castClip(premiere, item);
  if (clip === null) return { itemId, ...none };
  const [path, isOffline, isSequence] = await Promise.all([
    fields.ask("media path", clip.getMediaFilePath(), ""),
    fields.ask<boolean | null>("offline", clip.isOffline(), null),
    fields.ask("nested", clip.isSequence(), false),
  ]);
  return { itemId, mediaPath: path === "" ? null : plainPath(path), isSequence, isOffline };
}

function setPoint(point: bigint): bigint | null {
  return point <= UNSET_POINT_TICKS ? null : point;
}
