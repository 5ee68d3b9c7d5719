import { stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { dialogueInCues } from "../../../core/dialogue.ts";
import { shownLevel } from "../../../core/level.ts";
import type { SoundMeasure } from "../../../core/measures.ts";
import { defined } from "../../../core/objects.ts";
import { convertToOffice, OfficeFault } from "../../../formats/index.ts";
import { nodeFiles } from "../../../host/headless/files.ts";
import { VERSION } from "../../../service/version.ts";
import { type DeliveredSound, soundOf } from "../../../workflow/deliver/check-delivery.ts";
import {
  type DeliveryManifest,
  deliveryManifest,
  type ManifestFile,
} from "../../../workflow/deliver/delivery-manifest.ts";
import { deliveryName } from "../../../workflow/deliver/delivery-name.ts";
import { deliveryFades } from "../../../workflow/deliver/delivery-sound.ts";
import { type DeliveryTextFile, deliveryTexts } from "../../../workflow/deliver/delivery-texts.ts";
import { writeTextFiles } from "../../../workflow/deliver/result-files.ts";
import { UsageError } from "../../shell/usage-error.ts";
import { measureFile } from "../../source/measure-file.ts";
import { checkDelivery, type DeliveryChecks } from "./check-delivery-files.ts";
import type { DeliverCall } from "./deliver-call.ts";
import { DeliveryFolder, MANIFEST_FILE, sha256Of } from "./delivery-folder.ts";
import { type DeliveryContext, writeAdmSound, writeSounds, writeVideo } from "./delivery-media.ts";

/** What came of a delivery. */
export interface WrittenDelivery {
  readonly manifest: DeliveryManifest;
  /** A limit is broken, and nothing was delivered but the reports. */
  readonly isRefused: boolean;
  /** Files that stand in the folder now. */
  readonly names: readonly string[];
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
    const sounds = await writeSounds(call, folder.making, context);
    const programme = await measureProgramme(call, context);
    const texts = await writeTexts({ ...call, ...glidesOf(call, sounds, programme) }, folder.making);
    const adm = await writeAdmSound(call, folder.making, sounds, context);
    const video = await writeVideo(call, folder.making, sounds, context);
    context.signal.throwIfAborted();
    const checks = call.isChecked
      ? await checkDelivery(call, { texts, sounds, ...defined({ programme }), folder: folder.making })
      : null;
    const office = await writeOfficeScripts(call, folder.making);
    const others = [...office, ...adm, ...video];
    const manifest = await manifestFor(call, folder.making, { texts, sounds, others, checks });
    const isRefused = checks?.verdict === "fail" && !call.deliversDespite;
    const reports = checks === null ? [] : checks.reportFiles;
    const made = [...texts.map(({ name }) => name), ...sounds.map(({ name }) => name), ...others];
    const names = isRefused ? reports : [...made, ...reports, MANIFEST_FILE];
    await nodeFiles.writeText(join(folder.making, MANIFEST_FILE), `${JSON.stringify(manifest, null, 2)}\n`);
    context.signal.throwIfAborted();
    await folder.deliver(names);
    return { manifest, isRefused, names };
  } finally {
    await folder.close();
  }
}

/** What was measured of the programme, where it is given and something is told by it: checks, or the fades of a DAPT document. */
async function measureProgramme(
  call: DeliverCall,
  { signal, tell }: DeliveryContext,
): Promise<SoundMeasure | undefined> {
  const { media, audioTrack, isChecked, captions } = call;
  if (media === undefined || !(isChecked || writesFades(call))) return undefined;
  tell("Listening to the programme ...");
  const programme = await measureFile(media, captions === null || writesFades(call), signal, audioTrack);
  if (programme.soundChoice !== undefined) tell(programme.soundChoice);
  return programme;
}

function writesFades({ refersToNarration, preset }: DeliverCall): boolean {
  return refersToNarration && preset.texts.includes("dapt");
}

/** How the programme makes room for the narration, as far as both were measured. */
function glidesOf(
  { cues, refersToNarration }: DeliverCall,
  sounds: readonly DeliveredSound[],
  programme: SoundMeasure | undefined,
): Pick<DeliverCall, "glides"> {
  const narration = soundOf(sounds, "narration");
  if (!refersToNarration || narration === undefined || programme === undefined) return {};
  return { glides: deliveryFades(cues, narration.measure, programme) };
}

async function writeTexts(call: DeliverCall, folder: string): Promise<DeliveryTextFile[]> {
  const made = deliveryTexts(call);
  await writeTextFiles(nodeFiles, made, (name) => join(folder, name));
  return made;
}

interface MadeFiles {
  readonly texts: readonly DeliveryTextFile[];
  readonly sounds: readonly DeliveredSound[];
  /** Names of what is neither text nor sound to be heard. */
  readonly others: readonly string[];
  readonly checks: DeliveryChecks | null;
}

async function manifestFor(call: DeliverCall, folder: string, made: MadeFiles): Promise<DeliveryManifest> {
  const { texts, sounds, others, checks } = made;
  const files = [
    ...texts.map(({ name, losses }) => ({ name, ...(losses.length === 0 ? {} : { losses }) })),
    ...sounds.map((sound) => ({ name: sound.name, sound: soundFacts(sound) })),
    ...others.map((name) => ({ name })),
  ];
  return deliveryManifest(call, {
    version: VERSION,
    checks,
    files: await Promise.all(files.map((file) => withHash(folder, file))),
  });
}

function soundFacts({ sampleRate, bits, channels, measure }: DeliveredSound) {
  const { integratedLufs, truePeakDbtp, durationSeconds, rangeLu, momentaryLufs, shortTermLufs } = measure;
  const round = (value: number | null | undefined) => (value == null ? null : shownLevel(value));
  return {
    sample_rate: sampleRate,
    bits_per_sample: bits,
    channels,
    duration_seconds: durationSeconds,
    integrated_lufs: round(integratedLufs),
    loudness_range_lu: round(rangeLu),
    maximum_momentary_lufs: round(momentaryLufs),
    maximum_short_term_lufs: round(shortTermLufs),
    true_peak_dbtp: round(truePeakDbtp),
  };
}

async function withHash(folder: string, file: Omit<ManifestFile, "bytes" | "sha256">): Promise<ManifestFile> {
  const path = join(folder, file.name);
  return { ...file, bytes: (await stat(path)).size, sha256: await sha256Of(path) };
}

/**
 * Writes the script of a delivery as the tables for Word and Excel that were asked for, with the dialogue in-cues where it is
 * known what is said.
 *
 * @returns The files' names.
 * @throws UsageError for words that a cell of Excel cannot hold.
 */
async function writeOfficeScripts(call: DeliverCall, folder: string): Promise<readonly string[]> {
  const { cues, title, language, grid, dialogue = [], officeFormats } = call;
  const said = dialogueInCues(cues, dialogue).map((line) =>
    line === null ? "" : `${line.speaker === undefined ? "" : `${line.speaker}: `}${line.text}`,
  );
  const dialogueBefore = new Map(cues.map(({ id }, index) => [id, said[index] ?? ""]));
  const names: string[] = [];
  for (const format of officeFormats) {
    const name = deliveryName(call, "script", format);
    const target = { format, grid, ...defined({ dialogueBefore: dialogue.length === 0 ? undefined : dialogueBefore }) };
    try {
      await writeFile(join(folder, name), convertToOffice({ cues, title, language, extras: [] }, target).bytes);
    } catch (error) {
      throw error instanceof OfficeFault ? new UsageError(`The script ${error.message}.`) : error;
    }
    names.push(name);
  }
  return names;
}
