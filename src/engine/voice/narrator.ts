import { readFile } from "node:fs/promises";
import { setImmediate } from "node:timers/promises";
import { spokenText } from "../../core/direction.ts";
import { JobFailure } from "../isolate/job-failure.ts";
import type { Environment } from "../outgoing/local-only.ts";
import { type SpokenLine, spokenSeconds } from "../spoken-line.ts";
import { type LexiconEntry, parseLexicon } from "./lexicon.ts";
import { NarrationCache } from "./narration-cache.ts";
import { normalRate, paceSample } from "./normal-pace.ts";
import { spokenForm } from "./spoken-form.ts";
import { isPronounceable, SpeechError, type Voice, type VoiceRequest } from "./voice.ts";
import { isTooShort } from "./voice-length.ts";
import { openVoice, voiceConfiguration, voiceFor } from "./voice-settings.ts";

/** Who speaks, and how. */
export interface NarratorSettings {
  /** BCP-47 code. */
  readonly language: string;
  /** Name from the voice catalogue. */
  readonly voice: string;
  /** The user's pronunciations; default none. */
  readonly lexicon?: readonly LexiconEntry[];
}

/** A line as it was spoken. */
export interface VoiceOfLine {
  readonly line: SpokenLine;
  /** Measured length in seconds. */
  readonly seconds: number;
  /** Rate it was spoken at, relative to the normal pace. */
  readonly rate: number;
  /** Whether it came from the cache. */
  readonly wasKept: boolean;
}

/** A line that was to fit a time, and whether it does. */
export interface Fitted extends VoiceOfLine {
  readonly fits: boolean;
}

/**
 * Beyond the exact rate, so that one more try fits: scaling a measured duration foretells others within 2 to 3 %
 * (`engine.md` 2).
 */
const FIT_MARGIN = 1.02;

/** Rates are rounded up to this step: engines take whole words per minute, and fewer steps are found in the cache more often. */
const RATE_STEP = 0.01;

/** One voice in one language with its lexicon and cache: speaks texts and says how long they are. */
export class Narrator {
  readonly #voice: Voice;
  readonly #cache: NarrationCache | null;
  readonly #settings: NarratorSettings;
  #spokenAnew = 0;
  /** The rate of the voice that is the normal one, once it is known. */
  #normal: Promise<number> | null = null;

  /** @throws VoiceUnavailableError when the voice does not speak the language. */
  constructor(voice: Voice, cache: NarrationCache | null, settings: NarratorSettings) {
    voice.check(settings.language, settings.voice);
    this.#voice = voice;
    this.#cache = cache;
    this.#settings = settings;
  }

  /** Whether each line that is not in the cache may cost money. */
  get isCharged(): boolean {
    return this.#voice.isCharged;
  }

  /** How often the voice was asked so far: what is in the cache is not spoken again. */
  get spokenAnew(): number {
    return this.#spokenAnew;
  }

  /**
   * Speaks a text without its directions at `rate`, relative to the normal pace, or takes it from the cache. A voice that leaves words out, or is
   * silent, is asked a second time.
   *
   * @throws SpeechError what the voice raises, and `speech_silent` where words have no sound.
   */
  async speak(text: string, signal?: AbortSignal, rate = 1): Promise<VoiceOfLine> {
    // Neither the cache nor an engine in this process lets other work run between lines.
    await setImmediate();
    signal?.throwIfAborted();
    if (this.#voice.isMeasured !== true) return this.#speakAt(text, rate, rate, signal);
    // Who gave up on the measuring did not find out anything for the others.
    this.#normal ??= this.#measure(signal).catch((error: unknown) => {
      this.#normal = null;
      throw error;
    });
    const own = Number((rate * (await this.#normal)).toFixed(2));
    return this.#speakAt(text, rate, own, signal);
  }

  /** Measures the voice with two sentences, which the cache keeps. A silent one is told of with the lines that are ordered. */
  async #measure(signal: AbortSignal | undefined): Promise<number> {
    const sample = paceSample(this.#settings.language);
    if (sample === undefined) return 1;
    try {
      const { seconds } = await this.#speakAt(sample, 1, 1, signal);
      return normalRate(sample, seconds);
    } catch (error) {
      if (error instanceof SpeechError && error.code === "speech_silent") return 1;
      throw error;
    }
  }

  /** @param own The rate that the voice is told; `rate` is relative to the normal one. */
  async #speakAt(text: string, rate: number, own: number, signal: AbortSignal | undefined): Promise<VoiceOfLine> {
    const { language, voice, lexicon } = this.#settings;
    const written = spokenText(text);
    const request: VoiceRequest = { text: spokenForm(written, language, lexicon), written, language, voice, rate: own };
    const found = (await this.#cache?.find(this.#voice.id, request)) ?? null;
    const kept = found === null || isSilent(found, request) ? null : found;
    const line = kept ?? (await this.#speakAnew(request, rate, signal));
    if (kept === null) await this.#cache?.keep(this.#voice.id, request, line);
    return { line, seconds: spokenSeconds(line), rate, wasKept: kept !== null };
  }

  async #speakAnew(request: VoiceRequest, rate: number, signal: AbortSignal | undefined): Promise<SpokenLine> {
    this.#spokenAnew += 1;
    const first = await this.#voice.speak(request, signal);
    if (!isSilent(first, request) && !isTooShort({ ...request, rate, seconds: spokenSeconds(first) })) return first;
    this.#spokenAnew += 1;
    const second = await this.#voice.speak(request, signal);
    const line = second.samples.length > first.samples.length ? second : first;
    if (!isSilent(line, request)) return line;
    throw new SpeechError(
      "speech_silent",
      `${this.#voice.name} gave no sound for “${request.written ?? request.text}”.`,
    );
  }

  /**
   * Speaks a text within `seconds`: at the normal rate where that fits, else as much faster as needed, up to `maximumRate`.
   * Two tries fit any text that can be fitted. One that stays too long comes back at the highest rate, with `fits` false.
   */
  async speakToFit(text: string, seconds: number, maximumRate: number, signal?: AbortSignal): Promise<Fitted> {
    let spoken = await this.speak(text, signal);
    // A whole number of steps, or rounding would keep it out of reach for ever.
    const highest = Math.max(Math.floor(maximumRate / RATE_STEP + 1e-6) * RATE_STEP, spoken.rate);
    while (spoken.seconds > seconds && spoken.rate < highest - RATE_STEP / 2) {
      const needed = spoken.rate * (spoken.seconds / seconds) * FIT_MARGIN;
      const rate = Math.min(highest, Math.ceil(needed / RATE_STEP) * RATE_STEP);
      spoken = await this.speak(text, signal, Number(rate.toFixed(2)));
    }
    return { ...spoken, fits: spoken.seconds <= seconds };
  }
}

function isSilent({ samples }: SpokenLine, { text }: VoiceRequest): boolean {
  return samples.length === 0 && isPronounceable(text);
}

/** Who is to speak, and what is known of it. */
export interface NarratorOrder {
  /** BCP-47 code. */
  readonly language: string;
  /** Name from the voice catalogue. */
  readonly voice: string;
  /** Folder in which spoken lines are kept. */
  readonly cacheFolder: string;
  /** `ASIDE_VOICE_…` as `voiceConfiguration` reads them, and `ASIDE_LEXICON`, the file of a pronunciation lexicon. */
  readonly environment: Environment;
}

/** A narrator, and sentences about what of its lexicon could not be used. */
export interface OpenedNarrator {
  readonly narrator: Narrator;
  readonly notes: readonly string[];
}

/**
 * Opens the voice that the environment configures, the embedded one where it configures none.
 *
 * @throws JobFailure `voice_unavailable` for a pairing that it does not speak; `setup_incomplete` for a configuration or a
 * lexicon that cannot be used.
 */
export async function openNarrator(order: NarratorOrder): Promise<OpenedNarrator> {
  const { language, voice, cacheFolder, environment } = order;
  const configuration = voiceFor(voiceConfiguration(environment), language);
  if (configuration.kind === "incomplete") {
    throw new JobFailure("setup_incomplete", `The voice is not fully configured: ${configuration.reason}.`);
  }
  const { lexicon, notes } = await readLexicon(environment["ASIDE_LEXICON"]?.trim() ?? "");
  const engine = await openVoice(configuration).catch((cause: unknown) => {
    throw new JobFailure("setup_incomplete", "The folder that ASIDE_VOICE_RECORDINGS names cannot be read.", { cause });
  });
  return { narrator: new Narrator(engine, new NarrationCache(cacheFolder), { language, voice, lexicon }), notes };
}

async function readLexicon(path: string): Promise<{ lexicon: readonly LexiconEntry[]; notes: readonly string[] }> {
  if (path === "") return { lexicon: [], notes: [] };
  const text = await readFile(path, "utf8").catch((cause: unknown) => {
    throw new JobFailure("setup_incomplete", "The file that ASIDE_LEXICON names cannot be read.", { cause });
  });
  const { entries, issues } = parseLexicon(text);
  const notes = issues.map(
    ({ line, text: words }) => `The lexicon, line ${line}: "${words}" is not "written = spoken".`,
  );
  return { lexicon: entries, notes };
}
