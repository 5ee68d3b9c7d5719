import { defined, isObject } from "../../core/objects.ts";
import { type CheckProfile, PROFILES, profileFrom } from "../check/check-profile.ts";
import { FILE_KINDS, type FileKind, fileNameFault, plainName } from "./delivery-name.ts";
import atscA85 from "./delivery-presets/atsc-a85.json" with { type: "json" };
import complete from "./delivery-presets/complete.json" with { type: "json" };
import dapt from "./delivery-presets/dapt.json" with { type: "json" };
import ebuR128 from "./delivery-presets/ebu-r128.json" with { type: "json" };
import netflix from "./delivery-presets/netflix.json" with { type: "json" };
import plainCaptions from "./delivery-presets/plain-captions.json" with { type: "json" };
import primeVideo from "./delivery-presets/prime-video.json" with { type: "json" };
import wbd from "./delivery-presets/wbd.json" with { type: "json" };
import web from "./delivery-presets/web.json" with { type: "json" };
import youtube from "./delivery-presets/youtube.json" with { type: "json" };

/** Texts of a delivery, in the order in which they are written. */
export const DELIVERY_TEXTS = ["vtt", "srt", "edl", "csv", "dapt", "script"] as const;

/** One of {@link DELIVERY_TEXTS}: `script` is the printable page. */
export type DeliveryText = (typeof DELIVERY_TEXTS)[number];

/** What a delivery can be made from beside its cues. */
const DELIVERY_INPUTS = ["media", "narration", "mix"] as const;

/** One of {@link DELIVERY_INPUTS}. */
export type DeliveryInput = (typeof DELIVERY_INPUTS)[number];

/** What of a mix its loudness is measured of. */
const LOUDNESS_SCOPES = ["programme", "dialogue", "anchor"] as const;

/** What a recipient asks of the loudness of a mix. */
export interface LoudnessDemand {
  /**
   * `programme`: integrated over the whole (BS.1770). `dialogue`: over the stretches in which somebody speaks. `anchor`: as
   * `dialogue`, and over the whole where nobody speaks (the anchor element of ATSC A/85).
   */
  readonly of: (typeof LOUDNESS_SCOPES)[number];
  /** LUFS, which is LKFS. */
  readonly target: number;
  /** LU to either side. */
  readonly tolerance: number;
  readonly source: string;
}

/** What a recipient asks of sound files. */
export interface SoundDemand {
  /** Samples per second. */
  readonly sampleRate: number;
  /** Bits of a sample, any of these. */
  readonly bits: readonly number[];
  /** Timecode of the first sample; absent where the sequence's own counts. */
  readonly startTimecode?: string;
  readonly loudness?: LoudnessDemand;
  /** Where rate, bits and start come from. */
  readonly source: string;
}

/** What one kind of recipient takes, and what it is checked by. */
export interface DeliveryPreset {
  readonly name: string;
  /** What a list of presets shows. */
  readonly title: string;
  /** Where its demands come from. */
  readonly source: string;
  /** Limits that the result is held against. */
  readonly profile: CheckProfile;
  readonly texts: readonly DeliveryText[];
  /** Without these it is not begun. */
  readonly needs: readonly DeliveryInput[];
  /** Whether an MP4 with a descriptive sound track belongs to it. */
  readonly makesVideo: boolean;
  /** Name of a file: `{title}`, `{language}`, `{kind}`, `{ending}` and others of `delivery-name.ts` stand for theirs. */
  readonly fileName: string;
  /** The recipient's words for kinds of files, where they differ. */
  readonly kindNames: Readonly<Partial<Record<FileKind, string>>>;
  /** Whether names are of ASCII letters, digits, `.`, `-` and `_` alone. */
  readonly plainNames: boolean;
  /** Whether cues may hold no markup of any kind. */
  readonly plainCues: boolean;
  readonly sound?: SoundDemand;
}

/** How each field of a preset is read; `undefined` for a value that cannot be used. */
const FIELDS: Readonly<Record<string, (value: unknown) => unknown>> = {
  name: text,
  title: text,
  source: text,
  texts: (value) => listOf(value, DELIVERY_TEXTS),
  needs: (value) => listOf(value, DELIVERY_INPUTS),
  makesVideo: (value) => (typeof value === "boolean" ? value : undefined),
  plainCues: (value) => (typeof value === "boolean" ? value : undefined),
  plainNames: (value) => (typeof value === "boolean" ? value : undefined),
  fileName: (value) => (typeof value === "string" && fileNameFault(value) === null ? value : undefined),
  kindNames,
  sound: soundDemand,
};

/** The presets that come with the product; the first is the one where none is named. */
export const DELIVERY_PRESETS: readonly DeliveryPreset[] = [
  complete,
  web,
  plainCaptions,
  youtube,
  primeVideo,
  netflix,
  wbd,
  ebuR128,
  atscA85,
  dapt,
].map(known);

/**
 * A preset of one's own: what it says, over the one that it names as `base` (default `complete`).
 *
 * @returns The preset, or a sentence about the first thing in it that cannot be used.
 */
export function parseDeliveryPreset(text: string): DeliveryPreset | string {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return "it is no JSON";
  }
  if (!isObject(value)) return "it is no JSON object";
  const base = DELIVERY_PRESETS.find(({ name }) => name === (value["base"] ?? "complete"));
  if (base === undefined) return `there is no preset "${String(value["base"])}" to build on`;
  return presetFrom(value, { ...base, name: "own", title: "A preset of one's own" });
}

/** @throws TypeError for a data file of the product that cannot be used: a fault in it. */
function known(data: object): DeliveryPreset {
  const nothing: DeliveryPreset = {
    name: "",
    title: "",
    source: "",
    profile: profileNamed("default"),
    texts: [],
    needs: [],
    makesVideo: false,
    fileName: "{kind}.{ending}",
    kindNames: {},
    plainNames: false,
    plainCues: false,
  };
  const preset = presetFrom({ ...data }, nothing);
  if (typeof preset === "string") throw new TypeError(preset);
  return preset;
}

function profileNamed(name: string): CheckProfile {
  const profile = PROFILES.find((one) => one.name === name);
  if (profile === undefined) throw new TypeError(`there is no profile "${name}"`);
  return profile;
}

function presetFrom(given: Readonly<Record<string, unknown>>, base: DeliveryPreset): DeliveryPreset | string {
  const { base: _, profile, limits, ...rest } = given;
  const fields: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(rest)) {
    const read = Object.hasOwn(FIELDS, key) ? FIELDS[key] : undefined;
    if (read === undefined) return `there is no "${key}" in a preset`;
    fields[key] = read(value);
    if (fields[key] === undefined) return `"${key}" cannot be used: see docs/delivery.md for an example`;
  }
  const named = profile === undefined ? base.profile : PROFILES.find(({ name }) => name === profile);
  if (named === undefined) return `there is no profile "${String(profile)}"`;
  if (limits !== undefined && !isObject(limits)) return '"limits" is no JSON object';
  const held = profileFrom({ name: named.name, ...limits }, named);
  return typeof held === "string" ? `"limits": ${held}` : { ...base, ...fields, profile: held };
}

function soundDemand(value: unknown): SoundDemand | undefined {
  if (!isObject(value)) return undefined;
  const { sampleRate, bits, startTimecode, loudness, source } = value;
  const demand = loudness === undefined ? undefined : loudnessDemand(loudness);
  const isUsable =
    typeof sampleRate === "number" &&
    sampleRate > 0 &&
    Array.isArray(bits) &&
    bits.every((one) => typeof one === "number") &&
    (startTimecode === undefined || typeof startTimecode === "string") &&
    (loudness === undefined || demand !== undefined);
  if (!isUsable) return undefined;
  return {
    sampleRate,
    bits,
    ...defined({ startTimecode }),
    ...(demand === undefined ? {} : { loudness: demand }),
    source: text(source) ?? "the preset",
  };
}

function loudnessDemand(value: unknown): LoudnessDemand | undefined {
  if (!isObject(value)) return undefined;
  const { of, target, tolerance, source } = value;
  const scope = LOUDNESS_SCOPES.find((one) => one === of);
  if (scope === undefined || typeof target !== "number" || typeof tolerance !== "number") return undefined;
  return { of: scope, target, tolerance, source: text(source) ?? "the preset" };
}

/** Words for kinds, no two the same; `undefined` for what is none. */
function kindNames(given: unknown): DeliveryPreset["kindNames"] | undefined {
  if (!isObject(given)) return undefined;
  // A person's preset may name the control track that earlier versions wrote.
  const { control: _, ...value } = given;
  const names = FILE_KINDS.map((kind) => value[kind] ?? kind);
  const isUsable =
    Object.keys(value).every((key) => FILE_KINDS.some((kind) => kind === key)) &&
    // A check's report has its name already.
    names.every((name) => typeof name === "string" && !["", "report"].includes(name) && name === plainName(name)) &&
    new Set(names).size === names.length;
  // Each key is a kind, and each value a text.
  return isUsable ? (value as DeliveryPreset["kindNames"]) : undefined;
}

function text(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

function listOf<Choice extends string>(value: unknown, choices: readonly Choice[]): Choice[] | undefined {
  if (!Array.isArray(value) || !value.every((one) => choices.includes(one))) return undefined;
  return choices.filter((choice) => value.includes(choice));
}
