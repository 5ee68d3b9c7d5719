import type { Cue } from "../core/cue.ts";
import type { DescriptionSettings, TrackKind, VoiceSettings } from "../core/settings.ts";
import type { Timeline } from "../core/timeline.ts";
import { utf8Bytes } from "../core/utf8.ts";

/** Raised when the meaning of a record changes. */
const SEQUENCE_RECORD_VERSION = 1;

/** A clip as it lay when descriptions were placed: what a re-cut is compared with. Seconds on the sequence clock. */
export interface PlacedClip {
  readonly kind: "video" | "audio";
  readonly track: number;
  readonly name: string;
  /** Identity of its media that names no place on this computer; `null` for clips without media. */
  readonly media: string | null;
  readonly start: number;
  readonly end: number;
  readonly sourceStart: number;
  readonly speed: number;
}

/**
 * What is known of the descriptions of a sequence. It is kept with the project and beside it, so that markers can be
 * read back later, on another computer too.
 */
export interface SequenceRecord {
  readonly version: typeof SEQUENCE_RECORD_VERSION;
  /** Counts up with each change: an undo in the host can bring an older one back. */
  readonly revision: number;
  readonly sequenceId: string;
  readonly runId: string;
  readonly jobId: string;
  readonly settings: DescriptionSettings & VoiceSettings;
  readonly track: TrackKind | "none";
  /** Sequence time of the programme's time 0, and the programme's length. */
  readonly offsetSeconds: number;
  readonly durationSeconds: number;
  /** The cues as last placed, on the programme clock. */
  readonly cues: readonly Cue[];
  /** Host identity of each cue's marker. */
  readonly markerIds: Readonly<Record<string, string>>;
  /** Clips of ours on the narration track. */
  readonly clipNames: readonly string[];
  readonly layout: readonly PlacedClip[];
}

/** What reading a record gives: the record, or why there is none. */
export type SequenceRecordReading =
  | { readonly ok: true; readonly record: SequenceRecord }
  | { readonly ok: false; readonly fault: "not-a-record" | "damaged" | "other-version" };

/** The layout of a timeline's clips, without our own tracks and without any place on this computer. */
export function layoutOf(timeline: Timeline, ownTrackName: string): PlacedClip[] {
  return timeline.tracks.flatMap((track, index) => {
    if (track.name === ownTrackName) return [];
    return track.clips.map(({ name, start, end, sourceStart, speed, source }) => ({
      kind: track.kind,
      track: index,
      name,
      media: source.kind === "media" && source.location !== null ? fingerprintOf(source.location) : null,
      start,
      end,
      sourceStart,
      speed,
    }));
  });
}

/** A record as text: its hash, a space, its JSON. */
export function writeSequenceRecord(record: SequenceRecord): string {
  const json = JSON.stringify(record);
  return `${fingerprintOf(json)} ${json}`;
}

/** Reads what {@link writeSequenceRecord} wrote, and notices when a letter of it was changed. */
export function readSequenceRecord(text: string): SequenceRecordReading {
  const [, hash, json] = /^([0-9a-f]{16}) (\{[\s\S]*)$/.exec(text) ?? [];
  if (hash === undefined || json === undefined) return { ok: false, fault: "not-a-record" };
  if (fingerprintOf(json) !== hash) return { ok: false, fault: "damaged" };
  // The hash says that this project wrote it; the version says with which meaning.
  const record = JSON.parse(json) as SequenceRecord;
  return record.version === SEQUENCE_RECORD_VERSION ? { ok: true, record } : { ok: false, fault: "other-version" };
}

/** 64-bit FNV-1a of a text in UTF-8, in hex: finds damage, proves nothing (draft-eastlake-fnv). */
export function fingerprintOf(text: string): string {
  let high = 0xcbf29ce4;
  let low = 0x84222325;
  for (const byte of utf8Bytes(text)) {
    low = (low ^ byte) >>> 0;
    // Times 0x100000001b3, in two halves of 32 bits.
    const product = low * 0x1b3;
    const carry = Math.floor(product / 0x1_0000_0000);
    high = (Math.imul(high, 0x1b3) + carry + (low << 8)) >>> 0;
    low = product >>> 0;
  }
  return high.toString(16).padStart(8, "0") + low.toString(16).padStart(8, "0");
}
