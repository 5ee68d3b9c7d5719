import type {
  AudioClipTrackItem,
  AudioTrack,
  Marker,
  Markers,
  ProjectItem,
  premierepro,
  Sequence,
  TickTime,
  VideoClipTrackItem,
  VideoTrack,
} from "@adobe/premierepro";
import type { FrameRate } from "../../core/frame-rate.ts";
import { defined } from "../../core/objects.ts";
import { canDropFrames } from "../../core/timecode.ts";
import { plainPath } from "../files.ts";
import { castAnswered, clipsOn, listed, markerIdentity, ticksOf } from "./answers.ts";
import { isStaleHandle } from "./host-fault.ts";
import { openSequence } from "./open-sequence.ts";
import {
  type ClipSnapshot,
  colourFromIndex,
  type MarkerSnapshot,
  type SequenceReference,
  type SequenceSnapshot,
  type TrackSnapshot,
} from "./snapshot.ts";
import { rateFromTicksPerFrame, ticksFromText, UNSET_POINT_TICKS } from "./ticks.ts";
import { callOf } from "./traced-premiere.ts";

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
  const ticks = async (question: (sequence: Sequence) => Promise<TickTime>) => ticksOf(await ask(question));
  const name = await ask((sequence) => sequence.name);
  const ticksPerFrame = ticksFromText(await ask((sequence) => sequence.getTimebase()));
  const zeroPoint = await ticks((sequence) => sequence.getZeroPoint());
  const inPoint = await ticks((sequence) => sequence.getInPoint());
  const outPoint = await ticks((sequence) => sequence.getOutPoint());
  const end = await ticks((sequence) => sequence.getEndTime());
  // What a timeline can be read without is done without.
  const fields = new Fields();
  const { width, height } = await fields.ask("frame size", () => ask(sizeOf), USUAL_SIZE);
  const display = await fields.ask("time display", () => ask(displayOf), Number.NaN);
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

/** Size of a picture where Premiere tells none. */
const USUAL_SIZE = { width: 1920, height: 1080 };

async function sizeOf(sequence: Sequence): Promise<SequenceSnapshot["frameSize"]> {
  const size = await sequence.getFrameSize();
  return { width: await size.width, height: await size.height };
}

async function displayOf(sequence: Sequence): Promise<number> {
  return (await sequence.getSequenceVideoTimeDisplayFormat()).type;
}

/** Reads the markers of a sequence, in Premiere's order. */
async function readMarkers(premiere: premierepro, reference: SequenceReference): Promise<MarkerSnapshot[]> {
  const markers = await premiere.Markers.getMarkers((await openSequence(premiere, reference)).sequence);
  const read = (await readMarkersOf(premiere, markers)).map((one) => one.read);
  const sharing = new Map<bigint, number>();
  return read.map(({ guid, ...marker }) => {
    const number = sharing.get(marker.start) ?? 0;
    sharing.set(marker.start, number + 1);
    return { id: guid ?? `${marker.start}/${number}`, hasGuid: guid !== undefined, ...marker };
  });
}

/** What a marker says of itself. */
export type ReadMarker = Omit<MarkerSnapshot, "id" | "hasGuid"> & { readonly guid: string | undefined };

/** Reads all markers. An identity that two of them share is none. */
export async function readMarkersOf(
  premiere: premierepro,
  markers: Markers,
): Promise<readonly { readonly marker: Marker; readonly read: ReadMarker }[]> {
  const there = listed("Markers.getMarkers", await markers.getMarkers());
  const all = await Promise.all(there.map((marker) => readMarker(premiere, marker)));
  const shared = new Set(
    all.flatMap(({ guid }, index) => (all.findIndex((one) => one.guid === guid) < index ? [guid] : [])),
  );
  return there.map((marker, index) => {
    const read = all[index];
    if (read === undefined) throw new TypeError("Markers.getMarkers gave a marker that cannot be read");
    return { marker, read: shared.has(read.guid) ? { ...read, guid: undefined } : read };
  });
}

async function readMarker(premiere: premierepro, marker: Marker): Promise<ReadMarker> {
  const [guid, name, comments, start, duration, index] = await Promise.all([
    markerIdentity(marker),
    marker.getName(),
    marker.getComments(),
    marker.getStart(),
    marker.getDuration(),
    // A colour that nobody tells is left alone.
    new Fields().ask("colour", () => marker.getColorIndex(), Number.NaN),
  ]);
  const colour = colourFromIndex(premiere.Constants, index);
  const times = { start: await ticksOf(start), duration: await ticksOf(duration) };
  return { guid, name, comments, ...times, ...defined({ colour }) };
}

/**
 * Reads the tracks of one kind with their clips.
 *
 * @throws what Premiere raised where it tells of no clip when it is shown, or of no picture from where: without, everything would
 * look removed.
 */
export async function readTracks(
  premiere: premierepro,
  reference: SequenceReference,
  kind: "video" | "audio",
): Promise<TrackSnapshot[]> {
  const { sequence } = await openSequence(premiere, reference);
  const count = await (kind === "video" ? sequence.getVideoTrackCount() : sequence.getAudioTrackCount());
  const read: ReadTrack[] = [];
  for (let index = 0; index < count; index++) read.push(await readTrack(premiere, reference, kind, index));
  const member = kind === "video" ? "Sequence.getVideoTrack" : "Sequence.getAudioTrack";
  if (count > 0 && read.every(({ isThere }) => !isThere)) throw new TypeError(`${member} gave no track`);
  const clips = read.flatMap((track) => track.clips);
  for (const names of kind === "video" ? [["start", "end"], ["in point"]] : [["start", "end"]]) {
    const errors = clips.map(({ refusals }) => names.flatMap((name) => refusals.get(name) ?? [])[0]);
    if (errors.length > 0 && errors.every((error) => error !== undefined)) throw errors[0];
  }
  return read.map(({ isThere: _, clips: all, ...track }) => ({
    ...track,
    clips: all.flatMap(({ clip }) => (clip === null ? [] : [clip])),
  }));
}

interface ReadTrack extends Omit<TrackSnapshot, "clips"> {
  readonly isThere: boolean;
  readonly clips: readonly ReadClip[];
}

interface ReadClip {
  /** `null` for one that does not tell when it is shown. */
  readonly clip: ClipSnapshot | null;
  /** What Premiere raised instead of an answer, by what was asked. */
  readonly refusals: ReadonlyMap<string, unknown>;
}

async function readTrack(
  premiere: premierepro,
  reference: SequenceReference,
  kind: "video" | "audio",
  index: number,
): Promise<ReadTrack> {
  // The declarations leave out that a track may have gone meanwhile.
  const fetchTrack = async (): Promise<VideoTrack | AudioTrack | null> => {
    const { sequence } = await openSequence(premiere, reference);
    return (await (kind === "video" ? sequence.getVideoTrack(index) : sequence.getAudioTrack(index))) ?? null;
  };
  const track = await fetchTrack();
  if (track === null) return { name: "", isMuted: false, isThere: false, clips: [] };
  const fields = new Fields();
  const name = await fields.ask("name", () => track.name, "");
  const isMuted = await fields.ask("isMuted", () => track.isMuted(), false);
  const clips: ReadClip[] = [];
  for (let from = 0; ; from += CLIPS_AT_ONCE) {
    const fresh = await fetchTrack();
    const items = fresh === null ? [] : await clipsOn(premiere, fresh);
    const round = items.slice(from, from + CLIPS_AT_ONCE);
    clips.push(...(await Promise.all(round.map((item) => readClip(premiere, item)))));
    if (from + CLIPS_AT_ONCE >= items.length) return { name, isMuted, isThere: true, clips };
  }
}

/** Questions of which each may be refused by itself: Premiere answers some not for graphics and nested sequences. */
class Fields {
  /** What was raised where something was refused, by its name. */
  readonly refusals = new Map<string, unknown>();

  /** What Premiere answers; `instead` where it refuses. @throws what it says of a handle that has gone stale. */
  async ask<Answer>(name: string, ask: () => Answer | Promise<Answer>, instead: Answer): Promise<Answer> {
    try {
      return await ask();
    } catch (error) {
      if (isStaleHandle(error)) throw error;
      this.refusals.set(name, error);
      return instead;
    }
  }

  /** Whether nothing came back in time; `undefined` where something did. */
  isUnanswered(name: string): true | undefined {
    return callOf(this.refusals.get(name))?.kind === "unanswered" || undefined;
  }
}

async function readClip(premiere: premierepro, item: VideoClipTrackItem | AudioClipTrackItem): Promise<ReadClip> {
  const fields = new Fields();
  const ticks = async (ask: () => Promise<TickTime>): Promise<bigint | null> => ticksOf(await ask());
  const [name, start, end, inPoint, isDisabled, speed, reversed, source] = await Promise.all([
    fields.ask("name", () => item.getName(), ""),
    fields.ask("start", () => ticks(() => item.getStartTime()), null),
    fields.ask("end", () => ticks(() => item.getEndTime()), null),
    fields.ask("in point", () => ticks(() => item.getInPoint()), 0n),
    fields.ask("disabled", () => item.isDisabled(), false),
    fields.ask("speed", () => speedOf(item), 1),
    fields.ask("direction", () => item.isSpeedReversed(), 0),
    fields
      .ask<ProjectItem | null>("project item", () => item.getProjectItem(), null)
      .then((projectItem) => readSource(premiere, projectItem, fields)),
  ]);
  const { refusals } = fields;
  if (start === null || end === null) return { clip: null, refusals };
  const [refused, isReversed] = [[...refusals.keys()], Boolean(reversed)];
  const clip = { name, start, end, inPoint: inPoint ?? 0n, isDisabled, speed, isReversed, ...source, refused };
  return { clip, refusals };
}

/** How fast a clip runs. @throws TypeError where it would not run at all: every place in it would be the same. */
async function speedOf(item: VideoClipTrackItem | AudioClipTrackItem): Promise<number> {
  const speed = await item.getSpeed();
  if (speed === 0) throw new TypeError("getSpeed answered 0");
  return speed;
}

type SnapshotSource = Pick<ClipSnapshot, "itemId" | "mediaPath" | "isSequence" | "isOffline" | "isUntold">;

/** What is behind a clip. Generators and the like have no project item, or one that is no clip. */
async function readSource(
  premiere: premierepro,
  item: ProjectItem | null | undefined,
  fields: Fields,
): Promise<SnapshotSource> {
  const none = { mediaPath: null, isSequence: false, isOffline: false };
  if (!item) return { itemId: null, ...none };
  const itemId = await item.getId();
  const clip = await fields.ask("clip", () => castAnswered(premiere, item), null);
  if (clip === null) return { itemId, ...none, ...defined({ isUntold: fields.isUnanswered("clip") }) };
  const [path, isOffline, isSequence] = await Promise.all([
    fields.ask("media path", () => clip.getMediaFilePath(), ""),
    fields.ask<boolean | null>("offline", () => clip.isOffline(), null),
    fields.ask("nested", () => clip.isSequence(), false),
  ]);
  const isUntold = fields.isUnanswered("media path");
  return { itemId, mediaPath: path === "" ? null : plainPath(path), isSequence, isOffline, ...defined({ isUntold }) };
}

function setPoint(point: bigint): bigint | null {
  return point <= UNSET_POINT_TICKS ? null : point;
}

/**
 * Codes of the time displays that drop labels, as ExtendScript's `videoDisplayFormat` numbers them: 29.97 and 59.94
 * drop-frame (`premiere-uxp.md` 2.4). UXP is likely, but not proven, to report the same numbers.
 */
const DROP_FRAME_CODES = [102, 106];

/** The other codes of that list: known displays that do not drop labels. */
const NON_DROP_CODES = [100, 101, 103, 104, 105, 107, 108, 109, 110, 111, 112, 113];

/** How the labels of a sequence are counted, and whether that was read or had to be assumed. */
export interface LabelCounting {
  readonly isDropFrame: boolean;
  /** `false` when Premiere reported a time display that no source names; non-drop is assumed then. */
  readonly isKnown: boolean;
}

/**
 * Whether a sequence's timecode drops labels, from the type of its time display. The running host's own constants win
 * over the codes of ExtendScript.
 */
export function labelCounting(
  displayType: number,
  rate: FrameRate,
  constants: premierepro["Constants"],
): LabelCounting {
  if (!canDropFrames(rate)) return { isDropFrame: false, isKnown: true };
  const formats = constants.VideoDisplayFormatType;
  const named = new Map<number, boolean>([
    ...DROP_FRAME_CODES.map((code): [number, boolean] => [code, true]),
    ...NON_DROP_CODES.map((code): [number, boolean] => [code, false]),
    [formats.FPS_23_976, false],
    [formats.FPS_25, false],
    [formats.FRAMES, false],
    [formats.FPS_29_97_NON_DROP, false],
    [formats.FPS_29_97, true],
  ]);
  const isDropFrame = named.get(displayType);
  return { isDropFrame: isDropFrame ?? false, isKnown: isDropFrame !== undefined };
}
