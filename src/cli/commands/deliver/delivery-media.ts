import { basename, join, resolve } from "node:path";
import { secondsFromFrames } from "../../../core/frame-rate.ts";
import { trackLanguage } from "../../../core/language-code.ts";
import { NOT_MEASURED, type SoundMeasure } from "../../../core/sound-measure.ts";
import { readWaveHeader, WAVE_HEAD_BYTES } from "../../../formats/wave/read-wave.ts";
import { nodeFiles } from "../../../host/headless/files.ts";
import { HostError } from "../../../host/host-error.ts";
import { IsolateError } from "../../../service/isolate/isolate-error.ts";
import { runIsolated } from "../../../service/tasks/run-isolated.ts";
import { type DeliveredSound, loudnessOf } from "../../../workflow/deliver/check-delivery.ts";
import { deliveryName } from "../../../workflow/deliver/delivery-texts.ts";
import { measureFile } from "../../source/measure-file.ts";
import { copyAsBroadcastWave } from "./broadcast-wave.ts";
import type { DeliverCall } from "./deliver-call.ts";

/** What a delivery is written with. */
export interface DeliveryContext {
  readonly signal: AbortSignal;
  /** Told a line for people as each longer step begins. */
  readonly tell: (line: string) => void;
}

/**
 * Writes the given sounds as Broadcast Wave: their samples untouched, or brought to what the preset asks for. They are
 * measured where a preset is to be checked.
 *
 * @throws HostError `file_unreadable` for one that is no WAV file or cannot be decoded.
 */
export async function writeSounds(
  call: DeliverCall,
  folder: string,
  context: DeliveryContext,
): Promise<DeliveredSound[]> {
  const made: DeliveredSound[] = [];
  const gainDb = await gainFor(call, context);
  for (const kind of ["narration", "mix"] as const) {
    const from = call[kind];
    if (from === undefined) continue;
    const name = deliveryName(call, kind, "wav");
    const to = join(folder, name);
    const start = secondsFromFrames(call.grid.startFrame, call.grid.rate);
    const broadcast = { description: call.title, originator: "Aside" };
    const demand = call.preset.sound;
    // Without the programme its pauses are heard in the mix.
    const listens = kind === "mix" && (demand?.loudness?.of === "dialogue" || call.media === undefined);
    if (call.fitsSound && demand !== undefined) {
      context.tell(`Bringing ${basename(from)} to ${call.preset.name} ...`);
      const bits = demand.bits.includes(24) ? 24 : 16;
      const truePeakDbtp = call.preset.profile.truePeak.fail - TRUE_PEAK_MARGIN_DB;
      const order = { from: resolve(from), to, gainDb, truePeakDbtp, bits, startSeconds: start, broadcast } as const;
      await isolated(from, context.signal, () => runIsolated("fit-sound", order, { signal: context.signal }));
    } else {
      await copyAsBroadcastWave(from, to, start, broadcast);
    }
    made.push({ ...(await headerOf(to)), name, kind, measure: await measured(call, to, listens, context) });
  }
  return made;
}

/** How far below a recipient's limit peaks are held: meters differ by a little. */
const TRUE_PEAK_MARGIN_DB = 0.2;

/** The gain that brings a mix to its target; the narration gets the same, so that both still fit together. */
async function gainFor({ fitsSound, preset, mix }: DeliverCall, context: DeliveryContext): Promise<number> {
  const demand = preset.sound?.loudness;
  if (!fitsSound || demand === undefined || mix === undefined) return 0;
  context.tell(`Measuring ${basename(mix)} ...`);
  const level = loudnessOf(await measureFile(mix, demand.of === "dialogue", context.signal), demand);
  return level === null ? 0 : demand.target - level;
}

async function measured(
  call: DeliverCall,
  path: string,
  listens: boolean,
  context: DeliveryContext,
): Promise<SoundMeasure> {
  if (!call.isChecked) return NOT_MEASURED;
  context.tell(`Measuring ${basename(path)} ...`);
  return measureFile(path, listens, context.signal);
}

async function headerOf(path: string): Promise<Omit<DeliveredSound, "name" | "kind" | "measure">> {
  const bytes = await nodeFiles.readBytes(path, 0, WAVE_HEAD_BYTES);
  const reading = readWaveHeader(bytes);
  if (!reading.ok) {
    const context = { operation: "deliver a sound", state: "nothing was changed" };
    throw new HostError("file_unreadable", `"${basename(path)}" is not a WAV file`, context);
  }
  const { format, timeReferenceSamples } = reading.layout;
  const { sampleRate, bits, channels } = format;
  const start = timeReferenceSamples === undefined ? {} : { startSeconds: timeReferenceSamples / sampleRate };
  return { sampleRate, bits, channels, ...start };
}

/**
 * Makes the MP4 of a delivery from its finished sounds; none where the call asks for none.
 *
 * @returns The names of what was made.
 * @throws HostError `file_unreadable` when the programme cannot be read.
 */
export async function writeVideo(
  call: DeliverCall,
  folder: string,
  sounds: readonly DeliveredSound[],
  context: DeliveryContext,
): Promise<string[]> {
  const { media } = call;
  const pathOf = (wanted: DeliveredSound["kind"]) => sounds.find(({ kind }) => kind === wanted)?.name;
  const [narration, mix] = [pathOf("narration"), pathOf("mix")];
  if (!call.makesVideo || media === undefined || narration === undefined || mix === undefined) return [];
  context.tell("Making the video ...");
  const name = deliveryName(call, "described", "mp4");
  const order = {
    source: resolve(media),
    path: join(folder, name),
    mixedPath: join(folder, mix),
    narrationPath: join(folder, narration),
    language: trackLanguage(call.language),
    captions: call.captions ?? [],
  };
  await isolated(media, context.signal, () => runIsolated("add-description", order, { signal: context.signal }));
  return [name];
}

/** Work on a file in a process of its own: what goes wrong there is the file's fault. */
async function isolated(path: string, signal: AbortSignal, work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof IsolateError)) throw error;
    const context = { operation: "make a delivery", state: "nothing was delivered", cause: error };
    throw new HostError("file_unreadable", `"${basename(path)}" cannot be worked on: ${reasonOf(error)}`, context);
  }
}

function reasonOf({ message }: IsolateError): string {
  return message.replace(/\.$/, "");
}
