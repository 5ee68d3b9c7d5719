import { createHash } from "node:crypto";
import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { changeTempo } from "../ffmpeg/change-tempo.ts";
import type { SpokenLine } from "../spoken-line.ts";
import { runProgram } from "./run-program.ts";
import { SpeechError } from "./speech-error.ts";
import { spokenFromBytes } from "./spoken-from-bytes.ts";
import { trimSilence } from "./trim-silence.ts";
import { isPronounceable, requireLineLength, type Voice, type VoiceRequest } from "./voice.ts";
import { engineVoice, type VoiceNames } from "./voice-names.ts";

/**
 * A program that speaks, such as Piper or `say`.
 *
 * Its arguments may hold `{voice}`, `{language}`, `{rate}` (1.25), `{length_scale}` (its inverse), `{words_per_minute}`,
 * `{text_file}` and `{output}`. The text itself goes to standard input, and to the file of `{text_file}` where that is
 * used: never into an argument. The sound is the WAV file of `{output}`, else what the program writes to standard output.
 */
export interface CommandSettings {
  readonly command: readonly [program: string, ...args: string[]];
  readonly timeoutSeconds: number;
  readonly names: VoiceNames;
}

/** Words per minute at rate 1, for programs that count in them. */
const NORMAL_WORDS_PER_MINUTE = 165;

/** Most bytes taken as the sound of one line: five minutes at 48 kHz and 24 bits in stereo. */
const MAX_SOUND_BYTES = 96 * 2 ** 20;

const RATE_PLACEHOLDERS = /\{(?:rate|length_scale|words_per_minute)\}/;

/** Speaks by a configured program, one run per line. A program without a setting for the pace has its sound stretched. */
export class CommandVoice implements Voice {
  readonly id: string;
  readonly isCharged = false;
  readonly #settings: CommandSettings;
  readonly #hasPace: boolean;

  constructor(settings: CommandSettings) {
    this.#settings = settings;
    this.#hasPace = settings.command.some((argument) => RATE_PLACEHOLDERS.test(argument));
    const made = JSON.stringify([settings.command, settings.names.own, settings.names.byGender]);
    this.id = `command/1/${createHash("sha256").update(made).digest("hex").slice(0, 16)}`;
  }

  check(language: string, voice: string): void {
    engineVoice(this.#settings.names, language, voice, "The speech command");
  }

  async speak(request: VoiceRequest, signal?: AbortSignal): Promise<SpokenLine> {
    const voice = engineVoice(this.#settings.names, request.language, request.voice, "The speech command");
    requireLineLength(request);
    signal?.throwIfAborted();
    if (!isPronounceable(request.text)) return { samples: new Float32Array(0), sampleRate: 22_050 };
    const folder = await mkdtemp(join(tmpdir(), "aside-voice-"));
    try {
      const line = spokenFromBytes(await this.#run(request, voice, folder, signal), "The speech command");
      return this.#hasPace || request.rate === 1 ? line : trimSilence(changeTempo(line, request.rate));
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  async #run(
    request: VoiceRequest,
    voice: string,
    folder: string,
    signal: AbortSignal | undefined,
  ): Promise<Uint8Array> {
    const output = join(folder, "line.wav");
    const textFile = join(folder, "line.txt");
    const values: Readonly<Record<string, string>> = {
      voice,
      language: request.language,
      rate: request.rate.toFixed(3),
      length_scale: (1 / request.rate).toFixed(3),
      words_per_minute: String(Math.round(NORMAL_WORDS_PER_MINUTE * request.rate)),
      text_file: textFile,
      output,
    };
    const [program, ...args] = this.#settings.command;
    const filled = args.map((argument) => argument.replace(/\{([a-z_]+)\}/g, (whole, name) => values[name] ?? whole));
    await writeFile(textFile, `${request.text}\n`);
    const written = await runProgram(
      {
        command: [program, ...filled],
        input: `${request.text}\n`,
        timeoutSeconds: this.#settings.timeoutSeconds,
        maximumBytes: MAX_SOUND_BYTES,
      },
      signal,
    );
    return args.some((argument) => argument.includes("{output}")) ? await readSound(output) : written;
  }
}

async function readSound(path: string): Promise<Uint8Array> {
  const size = await stat(path).then(
    (found) => found.size,
    () => 0,
  );
  if (size === 0 || size > MAX_SOUND_BYTES) {
    throw new SpeechError(
      "speech_command_failed",
      "The speech command ended without writing the sound it was asked for.",
    );
  }
  return readFile(path);
}
