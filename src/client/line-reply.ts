import { bytesFromBase64 } from "../core/base64.ts";
import { type JsonObject, numberField, textField } from "./field.ts";

/** A line that a service voiced at once. */
export interface VoicedLine {
  /** The sound: a whole WAV file. */
  readonly wave: Uint8Array<ArrayBuffer>;
  /** Hash of {@link wave} by which the same sound is known again. */
  readonly sha256: string;
  /** Length of the speech in seconds; the file is at most a sample longer. */
  readonly seconds: number;
  /** Speaking rate relative to the voice's normal one. */
  readonly rate: number;
  /** Whether it is no longer than the time that was asked for. */
  readonly fits: boolean;
}

/** Reads the reply of `voice_line`; `null` unless it is whole. */
export function readVoicedLine(reply: JsonObject): VoicedLine | null {
  const wave = bytesFromBase64(textField(reply, "audio") ?? "=");
  const sha256 = textField(reply, "sha256");
  const seconds = numberField(reply, "seconds");
  const rate = numberField(reply, "rate");
  if (wave === null || sha256 === undefined || seconds === undefined || rate === undefined) return null;
  return { wave, sha256, seconds, rate, fits: reply["fits"] === true };
}
