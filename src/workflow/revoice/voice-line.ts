import type { Client } from "../../client/client.ts";
import { ServiceError } from "../../client/errors.ts";
import type { VoicedLine } from "../../client/reply.ts";
import { type Language, LINE_REFUSALS, type LineRefusal } from "../../contract/choices.ts";
import { type Cue, compareCues } from "../../core/cue.ts";
import { type FrameRate, framesFromSeconds, secondsFromFrames } from "../../core/frame-rate.ts";
import { defined } from "../../core/objects.ts";
import { readWaveHeader, waveLength } from "../../formats/wave/read-wave.ts";
import { frameBytes } from "../../formats/wave/wave-format.ts";
import { waveHeader } from "../../formats/wave/write-wave.ts";
import type { Files } from "../../host/files.ts";
import type { Result, VoicePiece } from "../../result/result.ts";
import { voicedCues } from "../../result/stale.ts";
import { cueClipName } from "../place/narration-clips.ts";
import { writeWhole } from "../wave-files.ts";

/** A cue that is to be heard as it reads now. */
export interface LineVoicingOrder {
  /** Its own settings say who speaks, and its `voicing` how loud. */
  readonly result: Result;
  readonly cueId: string;
  /** Where the file of a sound goes, by its name; the folder is there. A file that is there is taken as this very sound. */
  readonly pathOf: (name: string) => string;
  readonly signal?: AbortSignal;
}

/** A cue that was voiced by itself. */
export interface VoicedCueLine {
  /** The cue as it was voiced, and the settings that it was voiced with. */
  readonly cue: Cue;
  readonly settings: Result["settings"];
  /** The line in a file of its own, whole frames long: on the programme clock, in seconds. */
  readonly piece: VoicePiece;
  /** Length of the speech in it, in seconds. */
  readonly seconds: number;
  /** Speaking rate relative to the voice's normal one. */
  readonly rate: number;
}

/** What came of voicing one cue. */
export type LineVoicing =
  | { readonly kind: "voiced"; readonly line: VoicedCueLine }
  /** The service voices no single lines: a job has to. */
  | { readonly kind: "not-offered" }
  /** It voices this line neither now nor in a job. `message` is the service's own, for people. */
  | { readonly kind: "refused"; readonly reason: LineRefusal; readonly message: string };

/**
 * Has our own service voice one cue of a result at once: in the voice, at the rate and at the level that a job would give
 * it, without one. {@link resultWithLine} puts it into the result.
 *
 * @throws RangeError for an id that is no cue's; `ServiceError` `concurrency_limit_exceeded` where the service stays busy,
 * and what else the client raises; HostError when the file cannot be written; the signal's reason when it aborts.
 */
export async function voiceLine(
  ports: {
    readonly client: Pick<Client, "longestLineCharacters" | "voiceLine">;
    readonly files: Pick<Files, "size" | "openWriter" | "rename">;
  },
  { result, cueId, pathOf, signal }: LineVoicingOrder,
): Promise<LineVoicing> {
  const cue = result.cues.find(({ id }) => id === cueId);
  if (cue === undefined) throw new RangeError(`"${cueId}" is no cue of the result`);
  const controls = defined({ signal });
  if ((await ports.client.longestLineCharacters(controls)) === null) return { kind: "not-offered" };
  const voiced = await ports.client.voiceLine(lineOf(result, cue), controls).catch(refusalOf);
  if ("kind" in voiced) return voiced;
  const piece = await writePiece(ports.files, { result, cue, line: voiced, pathOf });
  const { seconds, rate } = voiced;
  return { kind: "voiced", line: { cue, settings: result.settings, piece, seconds, rate } };
}

/**
 * A result with a line that was voiced by itself as a piece of it. Words and start stay; a cue that its line does not fit
 * becomes as long as the line; so does one that is longer, where no person set its times. A cue that was changed while it was voiced is out of date again. Nothing changes where the
 * cue is gone, and of a mix, in which its old voice stays to be heard.
 *
 * @param result As it is now, whatever was edited meanwhile.
 */
export function resultWithLine(result: Result, { cue, settings, piece, seconds }: VoicedCueLine): Result {
  const now = result.cues.find(({ id }) => id === cue.id);
  const isMix = result.track === "mixed" && result.audio !== undefined;
  if (now === undefined || isMix) return result;
  const isFree = result.timedIds?.includes(cue.id) === false;
  const end = isFree ? cue.start + seconds : Math.max(cue.end, cue.start + seconds);
  const isAsVoiced = now.text === cue.text && now.start === cue.start && now.end === cue.end;
  return {
    ...result,
    ...(isAsVoiced ? { cues: result.cues.map((one) => (one === now ? { ...now, end } : one)).sort(compareCues) } : {}),
    voiced: { ...result.voiced, ...withLength(voicedCues([{ ...cue, end }], settings), seconds) },
    pieces: { ...result.pieces, [cue.id]: piece },
  };
}

/** The same, with the length of the voice: shorter than the cue where words were taken out. */
function withLength(voiced: Result["voiced"], seconds: number): Result["voiced"] {
  return Object.fromEntries(Object.entries(voiced).map(([id, one]) => [id, { ...one, seconds }]));
}

/** A line as it is asked for. Gains belong to the narration that they were found in: a mix has others. */
function lineOf({ settings, voicing }: Result, { text, start, end }: Cue): Parameters<Client["voiceLine"]>[0] {
  const { language, voice, volume } = settings;
  const kept = voicing?.track === "ad_only" ? voicing : undefined;
  return {
    text,
    // The list is open for clients; a service refuses what it does not know.
    language: language as Language,
    voice,
    ...(end > start ? { seconds: end - start } : {}),
    ...defined({
      volume_option: volume?.option,
      volume_level_db: volume?.levelDbfs,
      narration_gain_db: kept?.narrationGainDb,
      track_gain_db: kept?.trackGainDb,
    }),
  };
}

/** A refusal of the line itself; every other error goes on. */
function refusalOf(error: unknown): LineVoicing & { readonly kind: "refused" } {
  const reason = LINE_REFUSALS.find((word) => error instanceof ServiceError && error.foreignCode === word);
  if (reason === undefined || !(error instanceof ServiceError)) throw error;
  return { kind: "refused", reason, message: error.message };
}

/** Writes the sound of a line, with silence around it so that it begins and ends on frames of the sequence. */
async function writePiece(
  files: Pick<Files, "size" | "openWriter" | "rename">,
  { result, cue, line, pathOf }: Pick<LineVoicingOrder, "result" | "pathOf"> & { cue: Cue; line: VoicedLine },
): Promise<VoicePiece> {
  const reading = readWaveHeader(line.wave);
  if (!reading.ok) {
    throw new ServiceError("reply_unreadable", "the service sent a line that is no WAV file", { status: 200 });
  }
  const { format, dataOffset } = reading.layout;
  const { samples } = waveLength(reading.layout, line.wave.length);
  const { start, end } = onFrames(result, cue.start, samples / format.sampleRate);
  const before = Math.round((cue.start - start) * format.sampleRate);
  const sampleCount = Math.max(before + samples, Math.round((end - start) * format.sampleRate));
  const width = frameBytes(format);
  const header = waveHeader({ format, sampleCount });
  const sound = new Uint8Array(header.length + sampleCount * width);
  sound.set(header);
  sound.set(line.wave.subarray(dataOffset, dataOffset + samples * width), header.length + before * width);
  // Of the same words there may be other sounds, and of the same sound other places in its first frame.
  const path = pathOf(cueClipName(cue.id, cue.text, `${line.sha256.slice(0, 8)}-${before}`));
  if ((await files.size(path)) !== sound.length)
    await writeWhole(files, path, (writer) => writer.write(0, sound.buffer));
  return { path, start, durationSeconds: sampleCount / format.sampleRate };
}

/** The whole frames that a sound lies in, on the programme clock; the sound itself where nobody knows the frames. */
function onFrames({ sequence, offsetSeconds }: Result, start: number, seconds: number) {
  if (sequence === undefined) return { start, end: start + seconds };
  const toFrame = (at: number, rate: FrameRate, rounding: "floor" | "ceil") =>
    secondsFromFrames(framesFromSeconds(at + offsetSeconds, rate, rounding), rate) - offsetSeconds;
  const { rate } = sequence;
  return { start: toFrame(start, rate, "floor"), end: toFrame(start + seconds, rate, "ceil") };
}
