import type { premierepro } from "@adobe/premierepro";
import { shiftRange, type TimeRange } from "../../core/time-range.ts";
import { castClip, clipsOn } from "./answers.ts";
import { openSequence } from "./open-sequence.ts";
import { readTracks } from "./read-snapshot.ts";
import type { SequenceReference } from "./snapshot.ts";
import { secondsFromTicks } from "./ticks.ts";

/** What is spoken in a source clip or a sequence: a word, or a run of words without times of their own. */
export interface SpokenWords extends TimeRange {
  readonly text: string;
  /** Whether a sentence ends with it. */
  readonly endsSentence: boolean;
}

/** How a clip shows its source: `shown` on the sequence clock, from `sourceStart` of the source on, at normal speed. */
export interface SourceUse {
  readonly shown: TimeRange;
  readonly sourceStart: number;
}

/** Longest pause in seconds between two words of one phrase: longer ones are silence, where a description may begin. */
const PHRASE_PAUSE = 0.3;

/** Least pause in seconds after the end of a sentence that ends the phrase too. */
const SENTENCE_PAUSE = 0.15;

/** Most characters of a phrase: two lines of captions. */
const PHRASE_CHARACTERS = 84;

const SENTENCE_END = /[.!?…。！？؟][\p{Pe}\p{Pf}"']*$/u;
const SIGNS_ALONE = /^[\p{Pe}\p{Pf}.,;:!?…。！？、，；：؟،]+$/u;

/**
 * Reads a transcript as Premiere exports it: segments with words, in source seconds (Adobe's `transcript_format_spec.json`). Where
 * words of a segment have no times, the segment counts whole. What does not look like that is left out.
 */
export function readTranscript(json: string): SpokenWords[] {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    // Not JSON: as good as no transcript.
    return [];
  }
  return listIn(value, "segments").flatMap((segment) => {
    const words = wordsIn(listIn(segment, "words"));
    const range = rangeIn(segment);
    const text = words.map((word) => word.text).join(" ");
    const timed = words.flatMap(({ range: own, ...word }) => (own === null ? [] : [{ ...own, ...word }]));
    if (timed.length === words.length) return timed;
    return range === null ? [] : [{ ...range, text, endsSentence: true }];
  });
}

/** The words of a segment; signs that stand by themselves go to the word before them. */
function wordsIn(list: readonly unknown[]) {
  const words: { text: string; endsSentence: boolean; readonly range: TimeRange | null }[] = [];
  for (const word of list) {
    const text = textIn(word, "text").trim();
    const last = words.at(-1);
    const endsSentence = field(word, "eos") === true || SENTENCE_END.test(text);
    if (text === "") continue;
    if (last !== undefined && SIGNS_ALONE.test(text)) {
      last.text += text;
      last.endsSentence ||= endsSentence;
    } else words.push({ text, endsSentence, range: rangeIn(word) });
  }
  return words;
}

/** What a clip shows of what is spoken, moved to the sequence clock: a word counts where its middle is shown. */
export function shownSpeech(spoken: readonly SpokenWords[], use: SourceUse): SpokenWords[] {
  const shift = use.shown.start - use.sourceStart;
  return spoken.flatMap((one) => {
    const [start, end] = [one.start + shift, one.end + shift];
    const isShown = one.text.includes(" ")
      ? end > use.shown.start && start < use.shown.end
      : (start + end) / 2 >= use.shown.start && (start + end) / 2 < use.shown.end;
    if (!isShown) return [];
    return [{ ...one, start: Math.max(start, use.shown.start), end: Math.min(end, use.shown.end) }];
  });
}

/** Words joined to phrases: up to a pause, the end of a sentence, or as much as a caption holds. In order of time. */
export function phrasesOf(spoken: readonly SpokenWords[]): SpokenWords[] {
  const phrases: SpokenWords[] = [];
  for (const word of [...spoken].sort((a, b) => a.start - b.start || a.end - b.end)) {
    const last = phrases.at(-1);
    const pause = last === undefined ? Number.POSITIVE_INFINITY : word.start - last.end;
    const text = `${last?.text} ${word.text}`;
    const isOver = last?.endsSentence === true && pause >= SENTENCE_PAUSE;
    if (last === undefined || pause > PHRASE_PAUSE || isOver || text.length > PHRASE_CHARACTERS) phrases.push(word);
    else phrases[phrases.length - 1] = { ...word, start: last.start, end: Math.max(last.end, word.end), text };
  }
  return phrases;
}

/** WebVTT of phrases, moved earlier by the export offset; what lies before it is left out. */
export function webVttOfPhrases(phrases: readonly SpokenWords[], offsetSeconds: number): string {
  const cues = phrases
    .map((phrase) => shiftRange(phrase, -offsetSeconds))
    .filter((phrase) => phrase.end > 0)
    .sort((a, b) => a.start - b.start || a.end - b.end)
    .map(({ start, end, text }) => `${timestamp(Math.max(0, start))} --> ${timestamp(end)}\n${escapeText(text)}\n`);
  return `WEBVTT\n\n${cues.join("\n")}`;
}

function timestamp(seconds: number): string {
  const milliseconds = Math.round(seconds * 1000);
  const parts = [Math.floor(milliseconds / 3_600_000), Math.floor(milliseconds / 60_000) % 60];
  const clock = parts.map((part) => String(part).padStart(2, "0")).join(":");
  const rest = ((milliseconds % 60_000) / 1000).toFixed(3).padStart(6, "0");
  return `${clock}:${rest}`;
}

function escapeText(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll("-->", "--&gt;");
}

function field(value: unknown, name: string): unknown {
  if (typeof value !== "object" || value === null) return undefined;
  return Object.entries(value).find(([key]) => key === name)?.[1];
}

function listIn(value: unknown, name: string): readonly unknown[] {
  const list = field(value, name);
  return Array.isArray(list) ? list : [];
}

/** A range with a length; `null` where there is none. */
function rangeIn(value: unknown): TimeRange | null {
  const start = numberIn(value, "start");
  const duration = numberIn(value, "duration");
  return start === null || duration === null || duration <= 0 ? null : { start, end: start + duration };
}

function numberIn(value: unknown, name: string): number | null {
  const number = field(value, name);
  return typeof number === "number" && Number.isFinite(number) ? number : null;
}

function textIn(value: unknown, name: string): string {
  const text = field(value, name);
  return typeof text === "string" ? text : "";
}

/**
 * What is said in a sequence, as phrases on its clock, by the times of their words: Premiere keeps transcripts with source clips, not with sequences. Clips at
 * another speed than 1, and muted tracks, are left out.
 */
export async function readSpeech(premiere: premierepro, reference: SequenceReference): Promise<SpokenWords[]> {
  const tracks = await readTracks(premiere, reference, "audio");
  const transcripts = new Map<string, readonly SpokenWords[]>();
  const spoken: SpokenWords[] = [];
  for (const [trackIndex, track] of tracks.entries()) {
    if (track.isMuted) continue;
    for (const [place, clip] of track.clips.entries()) {
      if (clip.isDisabled || clip.isReversed || clip.speed !== 1 || clip.itemId === null) continue;
      const known = transcripts.get(clip.itemId) ?? (await transcriptOf(premiere, reference, trackIndex, place));
      transcripts.set(clip.itemId, known);
      const shown = { start: secondsFromTicks(clip.start), end: secondsFromTicks(clip.end) };
      // Clip by clip: who speaks on another track at the same time is a phrase of their own.
      spoken.push(...phrasesOf(shownSpeech(known, { shown, sourceStart: secondsFromTicks(clip.inPoint) })));
    }
  }
  return spoken;
}

async function transcriptOf(
  premiere: premierepro,
  reference: SequenceReference,
  trackIndex: number,
  place: number,
): Promise<readonly SpokenWords[]> {
  const { sequence } = await openSequence(premiere, reference);
  const clips = await clipsOn(premiere, await sequence.getAudioTrack(trackIndex));
  const item = await clips[place]?.getProjectItem();
  const clip = item === undefined ? null : await castClip(premiere, item);
  // Before 26.3 nothing says whether there is a transcript.
  if (clip === null || !("hasTranscript" in premiere.Transcript) || !(await premiere.Transcript.hasTranscript(clip)))
    return [];
  return readTranscript(await premiere.Transcript.exportToJSON(clip));
}
