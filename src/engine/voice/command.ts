import { createHash } from "node:crypto";
import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { changeTempo } from "../ffmpeg/decode/tempo-filter.ts";
import { hasRelay } from "../outgoing/send-request.ts";
import type { SpokenLine } from "../spoken-line.ts";
import { isForLanguage } from "./lexicon.ts";
import { spokenFromBytes, trimSilence } from "./spoken-from-bytes.ts";
import {
  isPronounceable,
  requireLineLength,
  type Speaker,
  SpeechError,
  type Voice,
  type VoiceRequest,
  VoiceUnavailableError,
} from "./voice.ts";
import { engineSpeaker } from "./voice-names.ts";
import { askVoiceProgram, type CommandSettings, runVoiceProgram } from "./voice-program.ts";

const RATE_PLACEHOLDERS = /\{(?:rate|rate_percent|length_scale|words_per_minute)\}/;

/**
 * Speaks by a configured program, one run per line: the service runs it for a job's process. A program without a setting for
 * the pace has its sound stretched.
 */
export class CommandVoice implements Voice {
  readonly id: string;
  readonly name = "The speech command";
  readonly isCharged = false;
  readonly isMeasured: boolean;
  readonly #settings: CommandSettings;
  readonly #hasPace: boolean;

  constructor(settings: CommandSettings) {
    this.#settings = settings;
    this.#hasPace = settings.command.some((argument) => RATE_PLACEHOLDERS.test(argument));
    // A program without a setting for the pace may be a person's own recordings.
    this.isMeasured = this.#hasPace;
    const { own, byGender, byLanguage } = settings.names;
    const made = JSON.stringify([settings.command, own, byGender, ...(byLanguage === undefined ? [] : [byLanguage])]);
    this.id = `command/1/${createHash("sha256").update(made).digest("hex").slice(0, 16)}`;
  }

  check(language: string, voice: string): void {
    this.speaker(language, voice);
  }

  speaker(language: string, voice: string): Speaker {
    return engineSpeaker(this.#settings.names, language, voice, this.name);
  }

  async speak(request: VoiceRequest, signal?: AbortSignal): Promise<SpokenLine> {
    this.check(request.language, request.voice);
    requireLineLength(request);
    signal?.throwIfAborted();
    if (!isPronounceable(request.text)) return { samples: new Float32Array(0), sampleRate: 22_050 };
    const sound = hasRelay()
      ? await askVoiceProgram(request, signal)
      : await runVoiceProgram(this.#settings, request, signal);
    const line = await spokenFromBytes(sound, this.name);
    return this.#hasPace || request.rate === 1 ? line : trimSilence(changeTempo(line, request.rate));
  }
}

/** A folder of recordings and who is heard in them. */
export interface RecordingSettings {
  /**
   * WAV files, one line each. What is said stands in a text file of the same name (`017.wav`, `017.txt`), or is the name
   * itself (`a woman opens the letter.wav`). Case, punctuation and spacing do not matter.
   */
  readonly folder: string;
  /** Languages that are spoken, as codes (`en-US`) or families (`en`); `null`: any. */
  readonly languages: readonly string[] | null;
  /** Catalogue names under which the recordings are found; `null`: any. */
  readonly voices: readonly string[] | null;
}

/** Largest recording that is read: five minutes at 48 kHz and 24 bits in stereo. */
const MAX_RECORDING_BYTES = 96 * 2 ** 20;

/** A recording of the folder. */
interface Recording {
  readonly path: string;
  readonly sizeBytes: number;
}

/** A person's recordings, found by what they say. */
export class RecordedVoice implements Voice {
  readonly id: string;
  readonly name = "The recording";
  readonly isCharged = false;
  readonly #settings: RecordingSettings;
  readonly #index: ReadonlyMap<string, Recording>;

  private constructor(settings: RecordingSettings, id: string, index: ReadonlyMap<string, Recording>) {
    this.#settings = settings;
    this.id = id;
    this.#index = index;
  }

  /**
   * Reads which recordings the folder has; later ones are not seen. Its identity tells one state of the folder from
   * another, so that a line recorded anew is not taken from a cache.
   */
  static async open(settings: RecordingSettings): Promise<RecordedVoice> {
    const index = new Map<string, Recording>();
    const state = createHash("sha256");
    const names = await readdir(settings.folder);
    const texts = new Set(names.filter((name) => name.toLowerCase().endsWith(".txt")));
    for (const name of names.filter((entry) => entry.toLowerCase().endsWith(".wav")).sort()) {
      const path = join(settings.folder, name);
      const stem = name.slice(0, -4);
      const text = texts.has(`${stem}.txt`) ? await readFile(join(settings.folder, `${stem}.txt`), "utf8") : stem;
      const { size, mtimeMs } = await stat(path);
      index.set(wordsOf(text), { path, sizeBytes: size });
      state.update(JSON.stringify([name, text, size, mtimeMs]));
    }
    return new RecordedVoice(settings, `recordings/1/${state.digest("hex").slice(0, 16)}`, index);
  }

  check(language: string, voice: string): void {
    const { languages, voices } = this.#settings;
    if (languages !== null && !languages.some((known) => isForLanguage(known, language))) {
      throw new VoiceUnavailableError(`There are no recordings in ${language}.`);
    }
    if (voices !== null && !voices.includes(voice)) {
      throw new VoiceUnavailableError(`There are no recordings of ${voice}.`);
    }
  }

  async speak(request: VoiceRequest, signal?: AbortSignal): Promise<SpokenLine> {
    this.check(request.language, request.voice);
    requireLineLength(request);
    signal?.throwIfAborted();
    const words = wordsOf(request.text);
    if (words === "") return { samples: new Float32Array(0), sampleRate: 48_000 };
    // A person reads out "Dr. Jones, No. 5" as it is written; the text of a recording may also say it in words.
    const { written = request.text } = request;
    const recording = this.#index.get(wordsOf(written)) ?? this.#index.get(words);
    if (recording === undefined) {
      throw new SpeechError("recording_missing", `There is no recording of “${written}”. Record it and try again.`);
    }
    const source = `The recording of “${written}”`;
    if (recording.sizeBytes > MAX_RECORDING_BYTES) {
      throw new SpeechError("speech_unreadable", `${source} is longer than a line can be.`);
    }
    const line = await spokenFromBytes(await readFile(recording.path), source);
    return request.rate === 1 ? line : trimSilence(changeTempo(line, request.rate));
  }
}

/** The words of a text, so that punctuation, case and file names make no difference. */
function wordsOf(text: string): string {
  return (
    text
      .normalize("NFKC")
      .toLowerCase()
      .match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
  ).join(" ");
}
