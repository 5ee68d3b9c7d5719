import { type Cue, compareCues, type VoicedCue } from "../../core/cue.ts";
import { type FrameRate, framesFromSeconds, secondsFromFrames } from "../../core/frame-rate.ts";
import { fileNameOf } from "../../core/local-file.ts";
import type { KeptLine } from "../../core/settings.ts";
import type { TimeRange } from "../../core/time-range.ts";
import { CLIP_NAME_PREFIX } from "../../host/edit-plan.ts";
import { type Result, soundingCues } from "../../result/result.ts";
import { type CutterFiles, type OpenWave, openWave, openWaveCutter } from "../wave-files.ts";

/** Words of a cue that its clip is named with, in characters at most. */
const NAMED_CHARACTERS = 32;

/** Where the clip of one cue lies: whole frames of the sequence, in seconds on its clock. */
export interface ClipPlace {
  readonly cueId: string;
  /** Name of the clip and of its file. */
  readonly name: string;
  readonly start: number;
  readonly durationSeconds: number;
}

/**
 * Name of the clip that holds one cue's voice: its id and its first words, letters and digits alone, because Premiere cuts
 * names at dots.
 *
 * @param sound What tells this sound from another of the same words; default nothing.
 */
export function cueClipName(cueId: string, text = "", sound = ""): string {
  const words = text
    .normalize("NFC")
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, " ")
    .trim();
  const cut = words.length <= NAMED_CHARACTERS ? words : words.slice(0, NAMED_CHARACTERS + 1).replace(/ [^ ]*$/, "");
  const named = [cut.slice(0, NAMED_CHARACTERS), sound].filter((part) => part !== "").join(" ");
  return `${clipStem(cueId)}${named === "" ? "" : ` ${named}`}.wav`;
}

/** Whether a clip is the one of a cue, whatever its words are now. */
export function isClipOfCue(clipName: string, cueId: string): boolean {
  return clipName === `${clipStem(cueId)}.wav` || clipName.startsWith(`${clipStem(cueId)} `);
}

/**
 * Cuts the programme where its cues are heard: each clip from the frame that its cue begins in to the one that it ends
 * in, so that a piece cut there out of the whole narration stays in step by the sample. What lies in a frame of two cues
 * goes with the earlier one.
 *
 * @param offsetSeconds Sequence time of the programme's time 0.
 */
export function clipPlaces(cues: readonly Cue[], rate: FrameRate, offsetSeconds: number): ClipPlace[] {
  let free = framesFromSeconds(offsetSeconds, rate, "ceil");
  return [...cues].sort(compareCues).flatMap(({ id, start, end, text }) => {
    const first = Math.max(free, framesFromSeconds(start + offsetSeconds, rate, "floor"));
    const last = framesFromSeconds(end + offsetSeconds, rate, "ceil");
    if (last <= first) return [];
    free = last;
    const place = secondsFromFrames(first, rate);
    const durationSeconds = secondsFromFrames(last, rate) - place;
    return [{ cueId: id, name: cueClipName(id, text), start: place, durationSeconds }];
  });
}

function clipStem(cueId: string): string {
  return `${CLIP_NAME_PREFIX}${cueId.replace(/[^\w.-]+/g, "_")}`;
}

/** The clip of one cue: its file, and where it lies. */
export interface NarrationClip {
  /** As the host's file port names it. */
  readonly path: string;
  readonly place: ClipPlace;
}

/** Why the narration of an extended description is not laid on the editor's own timeline, for people. */
export const EXTENDED_ELSEWHERE =
  "The descriptions are longer than the programme's pauses: they are heard where it is held, in a described video; on a timeline they are markers.";

/** What clips are cut out of, and where they go. */
export interface ClipOrder {
  /** Its narration stands in `audio`; `voiced` tells where each cue is heard there. */
  readonly result: Pick<
    Result,
    "cues" | "mutedIds" | "voiced" | "voicing" | "pieces" | "audio" | "held" | "offsetSeconds"
  >;
  /** Frame rate of the sequence. */
  readonly rate: FrameRate;
  /** Where the file of a clip goes, by its name. A file that is there is taken as this very cut. */
  readonly pathOf: (name: string) => string;
  /** Told which cues have no clip because the next one's would cut theirs off: each of them has a finding. */
  readonly onCutOff?: (cueIds: readonly string[]) => void;
  /** Told which cues have no clip because a line that is not to be heard lies in theirs, in the one file. */
  readonly onShared?: (cueIds: readonly string[]) => void;
  readonly signal?: AbortSignal;
}

/**
 * The narration of a result as a clip for each cue that sounds: cut on frames out of the whole where the cue was voiced, and
 * placed where the cue is now. A cue that was never voiced has none; one whose voice is a file of its own keeps that file,
 * also where no other cue was voiced. A clip that would be cut off inside a word, because the next one begins before its
 * voice ends, is left out; so is one in which a line would be heard that is silenced, or says other words by now.
 *
 * @returns `null` where there is no narration, or none that can be cut; and for a programme that is held for its
 * descriptions, see {@link EXTENDED_ELSEWHERE}.
 * @throws HostError when a file cannot be read or written; the signal's reason when it aborts.
 */
export async function cutNarrationClips(
  files: CutterFiles,
  order: ClipOrder,
): Promise<readonly NarrationClip[] | null> {
  const { result, rate } = order;
  const { audio, voiced, pieces = {}, offsetSeconds } = result;
  const cues = new Map(soundingCues(result).map((cue) => [cue.id, cue]));
  if (result.held !== undefined) return null;
  const cut = audio === undefined ? [] : await cutWhole(files, audio, order);
  if (cut === null || (audio === undefined && Object.keys(pieces).length === 0)) return null;
  /** How far a cue lies from where its sound was made, in whole frames. */
  const shiftOf = (cueId: string, madeAt: number) =>
    secondsFromFrames(framesFromSeconds((cues.get(cueId)?.start ?? madeAt) - madeAt, rate), rate);
  const clips = cut.map(({ path, place }) => ({
    path,
    place: { ...place, start: place.start + shiftOf(place.cueId, voiced[place.cueId]?.start ?? 0) },
  }));
  for (const [cueId, { path, start, durationSeconds }] of Object.entries(pieces)) {
    if (!cues.has(cueId)) continue;
    const madeAt = voiced[cueId]?.start ?? start;
    const place = {
      cueId,
      name: fileNameOf(path),
      start: start + offsetSeconds + shiftOf(cueId, madeAt),
      durationSeconds,
    };
    clips.push({ path, place });
  }
  return inFull(clips, order);
}

/** The clips that are heard to their end: on one track, a clip ends where the next begins. */
function inFull(clips: readonly NarrationClip[], { rate, onCutOff }: ClipOrder): readonly NarrationClip[] {
  const inOrder = [...clips].sort((a, b) => a.place.start - b.place.start);
  // Rounding to frames may lay the silence of one over the silence of the other.
  const frame = secondsFromFrames(1, rate) + SAME_TIME;
  const isCutOff = ({ place }: NarrationClip, index: number) => {
    const next = inOrder[index + 1];
    return next !== undefined && place.start + place.durationSeconds > next.place.start + frame;
  };
  const cutOff = new Set(inOrder.filter(isCutOff));
  if (cutOff.size > 0) onCutOff?.([...cutOff].map(({ place }) => place.cueId));
  return clips.filter((clip) => !cutOff.has(clip));
}

/** Sums of frames as seconds are off by less. */
const SAME_TIME = 1e-6;

/**
 * What the sound of each cue was made from, with the length of every voice that goes on behind the end that its service
 * gave: as it is heard in the narration. Nothing changes where the narration is not alone in its file, or cannot be read.
 *
 * @throws HostError when the file cannot be read.
 */
export async function measureVoices(
  files: Pick<CutterFiles, "size" | "readBytes">,
  result: Pick<Result, "voiced" | "voicing" | "pieces" | "audio" | "track">,
): Promise<Result["voiced"]> {
  const { audio, voiced, pieces = {}, track } = result;
  const heard = audio === undefined || track !== "ad_only" ? null : await openWave(files, audio.path);
  if (heard === null) return voiced;
  const measured: Record<string, VoicedCue> = {};
  for (const [id, was] of Object.entries(voiced)) {
    const end = pieces[id] === undefined ? await voiceEnd(heard, was, result) : was.end;
    measured[id] = end > was.end + SAME_TIME ? { ...was, seconds: end - was.start } : was;
  }
  return measured;
}

/** Where the voice of a cue ends in the narration, on the programme clock: no clip ends inside a word. */
async function voiceEnd(
  wave: OpenWave,
  was: VoicedCue,
  { voiced, voicing, audio }: Pick<Result, "voiced" | "voicing" | "audio">,
): Promise<number> {
  if (was.seconds !== undefined) return was.start + was.seconds;
  const begins = audio?.start ?? 0;
  // All that is heard in the file, by now silenced or said otherwise too.
  const next = [...Object.values(voiced), ...(voicing?.lines ?? [])].reduce(
    (nearest, { start }) => (start > was.start + SAME_LINE_SECONDS ? Math.min(nearest, start) : nearest),
    Number.POSITIVE_INFINITY,
  );
  return begins + (await soundEnd(wave, was.end - begins, next - begins));
}

/** The clips of cues whose voices are in the one file, where they were voiced; `null` where it cannot be cut. */
async function cutWhole(
  files: CutterFiles,
  { path: whole, start: begins = 0 }: NonNullable<Result["audio"]>,
  { result, rate, pathOf, onShared, signal }: ClipOrder,
): Promise<NarrationClip[] | null> {
  const { voiced, pieces = {}, offsetSeconds } = result;
  const wave = await openWaveCutter(files, whole);
  if (wave === null) return null;
  const spoken: Cue[] = [];
  const shared: string[] = [];
  const sounding = soundingCues(result);
  const replaced = replacedLines(result, new Set(sounding.map(({ id }) => id)));
  for (const cue of sounding) {
    const was = voiced[cue.id];
    if (was === undefined || pieces[cue.id] !== undefined) continue;
    const end = await voiceEnd(wave, was, result);
    const isShared = replaced.some((line) => line.start < end - SAME_TIME && line.end > was.start + SAME_TIME);
    if (isShared) shared.push(cue.id);
    else spoken.push({ ...cue, start: was.start, end });
  }
  if (shared.length > 0) onShared?.(shared);
  const clips: NarrationClip[] = [];
  for (const place of clipPlaces(spoken, rate, offsetSeconds)) {
    signal?.throwIfAborted();
    const path = pathOf(place.name);
    const start = place.start - offsetSeconds - begins;
    if ((await files.size(path)) === null) await wave.cut({ start, end: start + place.durationSeconds }, path);
    clips.push({ path, place });
  }
  return clips;
}

/** What is heard in the one file and is not to be heard any more: of cues that are silent, and of those voiced anew apart. */
function replacedLines(
  { voiced, voicing, pieces = {} }: ClipOrder["result"],
  sounding: ReadonlySet<string>,
): readonly TimeRange[] {
  const heard = Object.entries(voiced);
  const isTrue = ([id]: readonly [string, VoicedCue]) => sounding.has(id) && pieces[id] === undefined;
  const trueVoices = heard.filter(isTrue).map(([, was]) => was);
  const isReplaced = ({ words, start }: KeptLine) =>
    trueVoices.every((was) => was.words !== words && Math.abs(was.start - start) > SAME_LINE_SECONDS);
  return [
    ...heard.filter(([id]) => !sounding.has(id)).map(([, was]) => was),
    ...(voicing?.lines ?? []).filter(isReplaced).map(({ start, seconds }) => ({ start, end: start + seconds })),
  ];
}

/** Lines that begin within this time are one line, said twice: texts of services round to a frame. */
const SAME_LINE_SECONDS = 0.05;

/** How far behind its stated end a voice is looked for, in steps; and what counts as silence, of full scale: -50 dB. */
const LONGEST_TAIL_SECONDS = 3;
const TAIL_STEP_SECONDS = 0.05;
const SILENCE = 10 ** (-50 / 20);

/** Where the sound that is heard at a time of a file ends, at the latest where the next one begins. Seconds from its start. */
async function soundEnd(wave: OpenWave, from: number, next: number): Promise<number> {
  const { sampleRate } = wave;
  const count = Math.round(TAIL_STEP_SECONDS * sampleRate);
  const latest = Math.min(next, from + LONGEST_TAIL_SECONDS);
  let end = from;
  while (end < latest) {
    const [left, right] = await wave.read(Math.round(end * sampleRate), count);
    const isHeard = [left, right].some((plane) => plane.some((sample) => Math.abs(sample) > SILENCE));
    if (!isHeard) break;
    end += TAIL_STEP_SECONDS;
  }
  return Math.min(end, Math.max(from, latest));
}
