import { stat } from "node:fs/promises";
import { join } from "node:path";
import { framesFromSeconds, secondsFromFrames } from "../core/frame-rate.ts";
import { formatTimecode } from "../core/timecode.ts";
import { convertCues, type WritableFormat, writeDapt } from "../formats/index.ts";
import { nodeFiles } from "../host/headless/files.ts";
import type { DeliveredSound } from "../workflow/check-delivery.ts";
import { historyOf } from "../workflow/cue-history.ts";
import { type DeliveryManifest, disclosureOf, type ManifestFile, manifestOf } from "../workflow/delivery-manifest.ts";
import type { DeliveryText } from "../workflow/delivery-preset.ts";
import { scriptPage } from "../workflow/script-page.ts";
import { signOffState } from "../workflow/sign-off.ts";
import { sha256Of } from "./broadcast-wave.ts";
import { checkDelivery, type DeliveryChecks } from "./check-delivery-files.ts";
import { type DeliverCall, deliveryName } from "./deliver-call.ts";
import { DeliveryFolder, MANIFEST_FILE } from "./delivery-folder.ts";
import { type DeliveryContext, writeSounds, writeVideo } from "./delivery-media.ts";
import { VERSION } from "./version.ts";

/** What came of a delivery. */
export interface WrittenDelivery {
  readonly manifest: DeliveryManifest;
  /** A limit is broken, and nothing was delivered but the reports. */
  readonly isRefused: boolean;
  /** Files that stand in the folder now. */
  readonly names: readonly string[];
}

/** A file under way: what it is, and what its format cannot hold. */
interface MadeFile {
  readonly name: string;
  readonly losses: readonly string[];
  /** Its text, for the checks; absent for a binary one. */
  readonly text?: string;
}

/**
 * Makes every file of a delivery, checks them as they lie there where a preset was asked for, and gives them their names
 * together.
 *
 * @throws UsageError for a folder that holds files of others; HostError for one that cannot be read or written.
 */
export async function writeDelivery(call: DeliverCall, context: DeliveryContext): Promise<WrittenDelivery> {
  const folder = await DeliveryFolder.open(call.out, call.overwrites);
  try {
    const texts = await writeTexts(call, folder.making);
    const sounds = await writeSounds(call, folder.making, context);
    const video = await writeVideo(call, folder.making, sounds, context);
    context.signal.throwIfAborted();
    const checks = call.isChecked ? await checkDelivery(call, { texts, sounds, folder: folder.making }, context) : null;
    const manifest = await manifestFor(call, folder.making, { texts, sounds, video, checks });
    const isRefused = checks?.verdict === "fail" && !call.deliversDespite;
    const reports = checks === null ? [] : checks.reportFiles;
    const made = [...texts.map(({ name }) => name), ...sounds.map(({ name }) => name), ...video];
    const names = isRefused ? reports : [...made, ...reports, MANIFEST_FILE];
    await nodeFiles.writeText(join(folder.making, MANIFEST_FILE), `${JSON.stringify(manifest, null, 2)}\n`);
    context.signal.throwIfAborted();
    await folder.deliver(names);
    return { manifest, isRefused, names };
  } finally {
    await folder.close();
  }
}

/** Endings and formats of the texts; the page has no format of cues. */
const TEXTS: Readonly<
  Record<Exclude<DeliveryText, "script">, { readonly ending: string; readonly format: WritableFormat }>
> = {
  vtt: { ending: "vtt", format: "vtt" },
  srt: { ending: "srt", format: "srt" },
  edl: { ending: "edl", format: "edl" },
  csv: { ending: "csv", format: "csv" },
  dapt: { ending: "dapt.xml", format: "ttml" },
};

async function writeTexts(call: DeliverCall, folder: string): Promise<MadeFile[]> {
  const { document, grid, title, language, preset, voice } = call;
  const { cues } = document;
  const made: MadeFile[] = [];
  for (const kind of preset.texts) {
    if (kind === "script") {
      const labelAt = (seconds: number) => labelOf(call, seconds);
      const note = call.narration === undefined && call.mix === undefined ? undefined : disclosureOf(voice);
      const text = scriptPage(cues, { title, language, labelAt, ...(note === undefined ? {} : { note }) });
      made.push({ name: deliveryName(call, "script", "html"), text, losses: [] });
      continue;
    }
    const { ending, format } = TEXTS[kind];
    // Cues alone: a timeline's clips belong to no delivery, and the language goes into the formats that have a place for it.
    const { text, losses } = convertCues(
      { format: null, cues, issues: [], extras: [], title, language },
      { format, grid },
    );
    const isSpoken = call.narration !== undefined || call.mix !== undefined;
    const scriptType = isSpoken ? "asRecorded" : "preRecording";
    made.push({
      name: deliveryName(call, "descriptions", ending),
      text: kind === "dapt" ? writeDapt(cues, { language, title, grid, scriptType }) : text,
      losses: losses.map(({ message, count }) => `${message} (${count})`),
    });
  }
  for (const { name, text = "" } of made) await nodeFiles.writeText(join(folder, name), text);
  return made;
}

interface MadeFiles {
  readonly texts: readonly MadeFile[];
  readonly sounds: readonly DeliveredSound[];
  readonly video: readonly string[];
  readonly checks: DeliveryChecks | null;
}

async function manifestFor(call: DeliverCall, folder: string, made: MadeFiles): Promise<DeliveryManifest> {
  const { document, grid, preset, origin, voice, title, language } = call;
  const { texts, sounds, video, checks } = made;
  const files = [
    ...texts.map(({ name, losses }) => ({ name, ...(losses.length === 0 ? {} : { losses }) })),
    ...sounds.map((sound) => ({ name: sound.name, sound: soundFacts(call, sound) })),
    ...video.map((name) => ({ name })),
  ];
  const written = origin?.written ?? null;
  return manifestOf({
    version: VERSION,
    createdAt: new Date().toISOString(),
    preset,
    title,
    language,
    descriptions: document.cues.length,
    frameRate: `${grid.rate.numerator}/${grid.rate.denominator}`,
    isDropFrame: grid.isDropFrame,
    startTimecode: labelOf(call, 0),
    voice,
    origin,
    signOffState: signOffState(origin?.signOff, document.cues),
    history: written === null ? null : historyOf(document.cues, written, secondsFromFrames(1, grid.rate)),
    checks,
    files: await Promise.all(files.map((file) => withHash(folder, file))),
  });
}

function soundFacts(call: DeliverCall, { sampleRate, bits, channels, measure }: DeliveredSound) {
  const { integratedLufs, truePeakDbtp, durationSeconds } = measure;
  const round = (value: number | null) => (value === null ? null : Math.round(value * 10) / 10);
  return {
    sample_rate: sampleRate,
    bits_per_sample: bits,
    channels,
    ...(call.isChecked
      ? {
          duration_seconds: durationSeconds,
          integrated_lufs: round(integratedLufs),
          true_peak_dbtp: round(truePeakDbtp),
        }
      : {}),
  };
}

async function withHash(folder: string, file: Omit<ManifestFile, "bytes" | "sha256">): Promise<ManifestFile> {
  const path = join(folder, file.name);
  return { ...file, bytes: (await stat(path)).size, sha256: await sha256Of(path) };
}

function labelOf({ grid }: DeliverCall, seconds: number): string {
  return formatTimecode(grid.startFrame + framesFromSeconds(seconds, grid.rate), grid);
}
