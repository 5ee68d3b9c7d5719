import { readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defined } from "../../core/objects.ts";
import { MAXIMUM_SPEAKING_RATE } from "../../core/speaking-time.ts";
import { JobFailure } from "../isolate/job-failure.ts";
import { loudnessProfileFrom } from "../mix/fit-sound.ts";
import { mixNarration } from "../mix/mix-narration.ts";
import { MIX_SAMPLE_RATE } from "../mix/programme-sound.ts";
import type { LineOrder, VoicedWave } from "../tasks/tasks.ts";
import { type Narrator, openNarrator } from "../voice/narrator.ts";
import { isPronounceable, SpeechError } from "../voice/voice.ts";
import { voiceConfiguration } from "../voice/voice-settings.ts";

/**
 * Voices one line by itself, as a job that voices changed lines does: the same narrator and cache, the same fitting, the
 * same mix. A later job finds the line spoken already; with the same gains its narration has these samples.
 *
 * @returns `null` where the text has no word to speak.
 * @throws JobFailure `voice_unavailable` for a pairing that the voice does not speak, one of the voice's own codes with a sentence when
 * it fails; the signal's reason when it aborts.
 */
export async function voiceLine(order: LineOrder, signal: AbortSignal): Promise<VoicedWave | null> {
  const { text, language, voice, volume, kept, narrationFolder } = order;
  if (!isPronounceable(text)) return null;
  const { narrator } = await openNarrator({
    language,
    voice,
    cacheFolder: narrationFolder,
    environment: process.env,
  });
  const { line, seconds, rate, fits } = await speak(narrator, order, signal).catch((error: unknown) => {
    if (!(error instanceof SpeechError)) throw error;
    throw new JobFailure(error.jobCode, error.message, { cause: error });
  });
  if (line.samples.length === 0) return null;
  const path = join(tmpdir(), "line.wav");
  await mixNarration(
    {
      track: "ad_only",
      programme: null,
      sampleCount: Math.ceil(seconds * MIX_SAMPLE_RATE),
      lines: [{ cueId: "line", start: 0, text, load: async () => line }],
      music: [],
      path,
      profile: loudnessProfileFrom(process.env),
      kept,
      ...defined({ volume }),
    },
    { signal },
  );
  return { wave: await readFile(path), seconds, rate, fits };
}

/** Loads what the next line needs, where the embedded voice speaks it: most of what a line takes. */
export async function loadVoices(): Promise<void> {
  if (voiceConfiguration(process.env).kind !== "espeak") return;
  const { EspeakVoice } = await import("../voice/espeak.ts");
  await EspeakVoice.load();
}

async function speak(narrator: Narrator, { text, seconds }: LineOrder, signal: AbortSignal) {
  if (seconds === undefined) return { ...(await narrator.speak(text, signal)), fits: true };
  return narrator.speakToFit(text, seconds, MAXIMUM_SPEAKING_RATE, signal);
}
