import { fingerprintOf } from "../../core/bytes.ts";
import type { KeptLine, Voicing } from "../../core/settings.ts";
import { estimateSpeakingSeconds, MAXIMUM_SPEAKING_RATE } from "../../core/speaking-time.ts";
import { foldedWords } from "../../core/text.ts";
import type { WrittenDescription } from "../describe/describer.ts";
import type { MixReport } from "../mix/mix-report.ts";
import type { Narrator } from "../voice/narrator.ts";
import { paceSample } from "../voice/normal-pace.ts";
import { SpeechError } from "../voice/voice.ts";
import type { FittedCue, Fitting } from "./fit.ts";

/** Times closer than this are the same: text formats round to a thousandth of a second. */
const SAME_SECONDS = 0.002;

/**
 * Puts the lines of a script where it says: lines that an earlier mix holds as they were there, by the sample and by the
 * rate; others at their time, faster where their length asks for it, never beyond the pace limit. A line that is still too
 * long goes on past its end.
 *
 * @param narrator `null` where no voice speaks the language: each line keeps the script's length.
 */
export async function fitAsKept(
  descriptions: readonly WrittenDescription[],
  voicing: Voicing,
  narrator: Narrator | null,
  signal: AbortSignal,
  onProgress: (fraction: number) => void,
): Promise<Fitting> {
  const cues: FittedCue[] = [];
  for (const { id, wordings, picture } of descriptions) {
    const text = wordings[0] ?? "";
    const seconds = picture.end - picture.start;
    const kept = lineOf(voicing, text, seconds, picture.start);
    const spoken = await speak(narrator, text, seconds, kept, signal);
    const isInPlace = kept !== undefined && isNear(kept.start, picture.start);
    const start = isInPlace ? kept.start : picture.start;
    cues.push({
      id,
      start,
      end: start + spoken.seconds,
      text,
      rate: spoken.rate,
      narrationSeconds: spoken.seconds,
      holdSeconds: 0,
      ...(isInPlace && kept.programmeLufs !== undefined ? { programmeLufs: kept.programmeLufs } : {}),
    });
    onProgress(cues.length / descriptions.length);
  }
  return { cues, unplaced: [] };
}

/** What a later mix of the same programme may take over from this one. */
export function voicingOf(mix: MixReport, cues: readonly FittedCue[], track: Voicing["track"]): Voicing {
  const byId = new Map(cues.map((cue) => [cue.id, cue]));
  return {
    track,
    narrationGainDb: mix.narrationGainDb,
    trackGainDb: mix.volumeGainDb,
    lines: mix.cues.flatMap(({ cueId, seconds }, index) => {
      const cue = byId.get(cueId);
      if (cue === undefined) return [];
      const { text, start, rate } = cue;
      const programme = mix.programmeLufs === null ? {} : { programmeLufs: mix.programmeLufs[index] ?? null };
      return [{ words: wordsOf(text), start, seconds, rate, ...programme }];
    }),
  };
}

/** The kept line of these words and this length, the nearest where the words are said more than once. */
function lineOf({ lines }: Voicing, text: string, seconds: number, start: number): KeptLine | undefined {
  const words = wordsOf(text);
  return lines
    .filter((line) => line.words === words && isNear(line.seconds, seconds))
    .sort((a, b) => Math.abs(a.start - start) - Math.abs(b.start - start))[0];
}

async function speak(
  narrator: Narrator | null,
  text: string,
  seconds: number,
  kept: KeptLine | undefined,
  signal: AbortSignal,
): Promise<{ readonly seconds: number; readonly rate: number }> {
  if (narrator === null) return { seconds, rate: 1 };
  if (kept !== undefined) return narrator.speak(text, signal, kept.rate);
  return narrator.speakToFit(text, seconds, MAXIMUM_SPEAKING_RATE, signal);
}

function wordsOf(text: string): string {
  return fingerprintOf(foldedWords(text));
}

function isNear(a: number, b: number): boolean {
  return Math.abs(a - b) < SAME_SECONDS;
}

/**
 * Time that a voice takes, relative to `estimateSpeakingSeconds`, measured with two sentences, which the narrator's cache
 * keeps. `null` where no voice speaks the language, or the voice is a person's recordings, which lack them.
 *
 * @throws SpeechError when the voice cannot be reached; the signal's reason when it aborts.
 */
export async function voicePace(
  narrator: Narrator | null,
  language: string,
  signal: AbortSignal,
): Promise<number | null> {
  const sample = paceSample(language);
  if (narrator === null || sample === undefined) return null;
  try {
    const { seconds } = await narrator.speak(sample, signal);
    return seconds > 0 ? seconds / estimateSpeakingSeconds(sample) : null;
  } catch (error) {
    // A voice that is silent is told of with the lines that it is to speak.
    if (error instanceof SpeechError && ["recording_missing", "speech_silent"].includes(error.code)) return null;
    throw error;
  }
}
