import { MIN_CUE_LENGTH_SECONDS, VOLUME_LEVEL_DBFS } from "../../src/contract/choices.ts";
import { defined } from "../../src/core/objects.ts";
import { isLocalAddress } from "../../src/core/ports.ts";
import {
  DEFAULT_SETTINGS,
  type DescriptionSettings,
  type TrackKind,
  type VoiceSettings,
} from "../../src/core/settings.ts";
import type { Receipt } from "../../src/core/verdict.ts";
import type { PresetChoice } from "../../src/host/editor.ts";
import type { ExportRange, ExportRequest, SequenceInfo } from "../../src/host/host.ts";
import { estimateRun } from "../../src/workflow/describe/run.ts";
import type { Service } from "./service-address.ts";

/** What the editor wants on the timeline. */
type Wanted = "both" | "markers" | "narration";

/** Where captions that help the service come from. */
type CaptionSource = "none" | "file" | "transcript";

/** A text of a form as it was understood; `receipt`: what was read of its file. */
export interface FormText {
  readonly filename: string;
  readonly content: string;
  readonly receipt?: Receipt;
}

/** What is asked for on the view "Describe". Saved as it stands, so its names are not to be changed. */
export interface Form {
  readonly wanted: Wanted;
  readonly track: TrackKind;
  readonly range: ExportRange;
  readonly captionSource: CaptionSource;
  /** The captions of a file, with its name. */
  readonly captionFile?: FormText;
  /** Descriptions of the editor's own, to be voiced in place of generated ones. */
  readonly scriptFile?: FormText;
  /** Name or path of the export preset; the first that works where absent. */
  readonly preset?: string;
  /** Who makes the export; Premiere where absent. */
  readonly exportsIn?: "encoder";
  /** Without captions and script: those are added when a job is ordered. */
  readonly settings: DescriptionSettings & VoiceSettings;
}

/** Settings under a name that the editor gave them. */
export interface SavedForm {
  readonly name: string;
  readonly form: Form;
}

/** The form before anybody has touched it. */
export const FIRST_FORM: Form = {
  wanted: "both",
  track: "ad_only",
  range: "whole",
  captionSource: "none",
  settings: DEFAULT_SETTINGS,
};

/** The form with some settings changed. */
export function withSettings(form: Form, change: Partial<Form["settings"]>): Form {
  return { ...form, settings: { ...form.settings, ...change } };
}

/** What was typed as a level of the peak, within the bounds of the interface; the loudest where it is no number. */
export function levelDbfsFrom(text: string): number {
  const { minimum, maximum } = VOLUME_LEVEL_DBFS;
  const typed = Number(text.replace(",", ".").replace("−", "-"));
  return Number.isFinite(typed) ? Math.min(maximum, Math.max(minimum, typed)) : maximum;
}

/** What was typed as the shortest cue, within the bounds of the interface and in steps of 0.05 s; 0.75 where it is no number. */
export function minimumCueSecondsFrom(text: string): number {
  const { minimum, maximum, default: usual } = MIN_CUE_LENGTH_SECONDS;
  const typed = text.trim() === "" ? Number.NaN : Number(text.replace(",", "."));
  if (!Number.isFinite(typed)) return usual;
  return Math.min(maximum, Math.max(minimum, Math.round(typed * 20) / 20));
}

/** The sound that a form's job makes; extended descriptions come as text alone. */
export function trackOf(form: Form): TrackKind | "none" {
  return form.wanted === "markers" || form.settings.type === "extended" ? "none" : form.track;
}

/** The export that a form's job makes. */
export function exportOf(form: Form): ExportRequest {
  const { range, preset, exportsIn: by } = form;
  return { range, ...defined({ preset, by }) };
}

/** Where a form's range starts and ends, in seconds on the sequence clock. */
export function rangeOf(form: Pick<Form, "range">, sequence: SequenceInfo): { start: number; end: number } {
  if (form.range === "whole") return { start: 0, end: sequence.durationSeconds };
  return { start: sequence.inPoint ?? 0, end: sequence.outPoint ?? sequence.durationSeconds };
}

/** The saved settings with one more, in place of one of the same name. */
export function withSavedForm(saved: readonly SavedForm[], name: string, form: Form): SavedForm[] {
  const others = saved.filter((one) => one.name !== name);
  return [...others, { name, form: ofAnyFilm(form) }];
}

/** A form without what is of one film alone: its texts, its sound track. */
export function ofAnyFilm(form: Form): Form {
  const { captionFile: _, scriptFile: __, settings, ...general } = form;
  const { audioTrack: ___, ...kept } = settings;
  return { ...general, settings: kept, captionSource: withoutFile(form.captionSource) };
}

function withoutFile(source: CaptionSource): CaptionSource {
  return source === "file" ? "none" : source;
}

/** Bits per second of a preset that states none: those of our own, picture and sound together. */
const USUAL_BITS_PER_SECOND = 1_128_000;

/** What UXP sends in one piece at most, where a service takes no slices. */
const ONE_PIECE_MAX_BYTES = 200 * 1024 * 1024;

/** What a job would take, and which known limits it would pass. */
export interface Forecast {
  readonly minutes: number;
  readonly credits: number;
  readonly uploadBytes: number;
  /** `null` where nobody knows. */
  readonly waitMinutes: number | null;
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
    waitMinutes: waitSeconds === null ? null : waitSeconds / 60,
    isLocal,
    limit: durationSeconds <= 0 ? "empty" : tooLong ? "minutes" : null,
    isLarge: !isLocal && uploadBytes > ONE_PIECE_MAX_BYTES,
  };
}
