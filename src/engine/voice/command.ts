import { createHash } from "node:crypto";
import { changeTempo } from "../ffmpeg/decode/change-tempo.ts";
import { hasRelay } from "../outgoing/send-request.ts";
import type { SpokenLine } from "../spoken-line.ts";
import { spokenFromBytes } from "./spoken-from-bytes.ts";
import { trimSilence } from "./trim-silence.ts";
import { isPronounceable, requireLineLength, type Voice, type VoiceRequest } from "./voice.ts";
import { engineVoice } from "./voice-names.ts";
import { askVoiceProgram, type CommandSettings, runVoiceProgram } from "./voice-program.ts";

const RATE_PLACEHOLDERS = /\{(?:rate|rate_percent|length_scale|words_per_minute)\}/;

/**
 * Speaks by a configured program, one run per line: the service runs it for a job's process. A program without a setting for
 * the pace has its sound stretched.
 */
export class CommandVoice implements Voice {
  readonly id: string;
  readonly isCharged = false;
  readonly #settings: CommandSettings;
  readonly #hasPace: boolean;

  constructor(settings: CommandSettings) {
    this.#settings = settings;
    this.#hasPace = settings.command.some((argument) => RATE_PLACEHOLDERS.test(argument));
    const { own, byGender, byLanguage } = settings.names;
    const made = JSON.stringify([settings.command, own, byGender, ...(byLanguage === undefined ? [] : [byLanguage])]);
    this.id = `command/1/${createHash("sha256").update(made).digest("hex").slice(0, 16)}`;
  }

  check(language: string, voice: string): void {
    engineVoice(this.#settings.names, language, voice, "The speech command");
  }

  async speak(request: VoiceRequest, signal?: AbortSignal): Promise<SpokenLine> {
    this.check(request.language, request.voice);
    requireLineLength(request);
    signal?.throwIfAborted();
    if (!isPronounceable(request.text)) return { samples: new Float32Array(0), sampleRate: 22_050 };
    const sound = hasRelay()
      ? await askVoiceProgram(request, signal)
      : await runVoiceProgram(this.#settings, request, signal);
    const line = spokenFromBytes(sound, "The speech command");
    return this.#hasPace || request.rate === 1 ? line : trimSilence(changeTempo(line, request.rate));
  }
}
