import { isLocalAddress } from "../../src/core/local-address.ts";
import type { PresetChoice } from "../../src/host/editor.ts";
import type { SequenceInfo } from "../../src/host/host.ts";
import { estimateRun } from "../../src/workflow/describe/estimate.ts";
import { type Form, rangeOf, trackOf } from "./form.ts";
import type { Service } from "./service-address.ts";

/** Bits per second of a preset that states none: those of our own, picture and sound together. */
const USUAL_BITS_PER_SECOND = 1_128_000;

/** What UXP sends in one piece at most, where a service takes no slices. */
const ONE_PIECE_MAX_BYTES = 200 * 1024 * 1024;

/** What a job would take, and which known limits it would pass. */
export interface Forecast {
  readonly minutes: number;
  readonly credits: number;
  readonly uploadBytes: number;
  readonly waitMinutes: number;
  readonly isLocal: boolean;
  /** `minutes`: longer than the plan allows. `empty`: there is nothing to describe. Nothing is begun then. */
  readonly limit: "minutes" | "empty" | null;
  /** Whether the upload may be too large for a service that takes no slices. */
  readonly isLarge: boolean;
}

/** Says what a job would take, before anything is exported or sent; the upload by the preset that is exported with. */
export function forecast(
  form: Form,
  sequence: SequenceInfo,
  service: Service,
  presets: readonly PresetChoice[] = [],
): Forecast {
  const { start, end } = rangeOf(form, sequence);
  return forecastOf(Math.max(0, end - start), form, service, presets);
}

/** The same for so many seconds of a sequence. */
export function forecastOf(
  durationSeconds: number,
  form: Form,
  service: Service,
  presets: readonly PresetChoice[] = [],
): Forecast {
  const isLocal = isLocalAddress(service.address);
  const preset =
    presets.find(({ name }) => name === form.preset) ?? (form.preset === undefined ? presets[0] : undefined);
  const sizeBytes = (durationSeconds * (preset?.bitsPerSecond ?? USUAL_BITS_PER_SECOND)) / 8;
  const kind = trackOf(form) === "none" ? "text" : "audio";
  const { minutes, credits, uploadBytes, waitSeconds } = estimateRun({ durationSeconds, kind, sizeBytes, isLocal });
  const tooLong = service.planMinutes !== undefined && minutes > service.planMinutes;
  return {
    minutes,
    credits,
    uploadBytes,
    waitMinutes: waitSeconds / 60,
    isLocal,
    limit: durationSeconds <= 0 ? "empty" : tooLong ? "minutes" : null,
    isLarge: !isLocal && uploadBytes > ONE_PIECE_MAX_BYTES,
  };
}
