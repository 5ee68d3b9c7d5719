import { basename, join, resolve } from "node:path";
import type { SoundMeasure } from "../../../core/measures.ts";
import { defined } from "../../../core/objects.ts";
import { trackLanguage } from "../../../core/settings.ts";
import { engine, IsolateError } from "../../../engine/index.ts";
import type { WaveLoudness } from "../../../formats/wave/broadcast-extension.ts";
import { HostError } from "../../../host/host-error.ts";
import { countsSpeech, type DeliveredSound, loudnessOf, soundOf } from "../../../workflow/deliver/check-delivery.ts";
import { deliveryName } from "../../../workflow/deliver/delivery-name.ts";
import { broadcastOrder } from "../../../workflow/deliver/delivery-sound.ts";
import { measureFile } from "../../source/measure-file.ts";
import type { DeliverCall } from "./deliver-call.ts";
import { copyAsBroadcastWave, waveLayoutOf } from "./delivery-folder.ts";

/** What a delivery is written with. */
export interface DeliveryContext {
  readonly signal: AbortSignal;
  /** Told a line for people as each longer step begins. */
  readonly tell: (line: string) => void;
}

/** A sound of a delivery, and the file that holds the same without a leader. */
export interface MadeSound extends DeliveredSound {
  readonly path: string;
}

/**
 * Writes the given sounds as Broadcast Wave: their samples untouched, or brought to what the preset asks for. What is measured
 * of them is that of the programme, without a leader.
 *
 * @throws HostError `file_unreadable` for one that is no WAV file or cannot be decoded.
 */
export async function writeSounds(call: DeliverCall, folder: string, context: DeliveryContext): Promise<MadeSound[]> {
  const made: MadeSound[] = [];
  const gainDb = await gainFor(call, context);
  for (const kind of ["narration", "mix"] as const) {
    const from = call[kind];
    if (from === undefined) continue;
    const name = deliveryName(call, kind, "wav");
    const source = await waveLayoutOf(from).catch((error: unknown) => {
      // What is decoded and written anew need not be a WAV file.
      if (call.fitsSound) return null;
      throw error;
    });
    const fitted = await fittedSound(call, from, join(folder, `${kind}.fitted`), gainDb, context);
    const { path, done } = fitted ?? { path: from, done: [] };
    const measure = await measured(call, path, kind, context);
    const layout = await waveLayoutOf(path);
    const order = broadcastOrder(call, kind, source?.broadcast, layout.format, done);
    const loudness = loudnessToState(measure);
    const to = join(folder, name);
    await copyAsBroadcastWave(path, to, layout, { ...order, broadcast: { ...order.broadcast, ...loudness } });
    const { broadcast, format } = await waveLayoutOf(to);
    const { sampleRate, bits, channels } = format;
    const start = broadcast === undefined ? {} : { startSeconds: broadcast.timeReferenceSamples / sampleRate };
    made.push({ name, kind, path, sampleRate, bits, channels, ...start, measure });
  }
  return made;
}

/** What the broadcast extension says of a sound's loudness: nothing of one that is silent. */
function loudnessToState(measure: SoundMeasure): { readonly loudness?: WaveLoudness } {
  const { integratedLufs, truePeakDbtp, momentaryLufs, shortTermLufs, rangeLu } = measure;
  if (integratedLufs === null || truePeakDbtp === null || momentaryLufs === undefined || shortTermLufs === undefined) {
    return {};
  }
  return { loudness: { integratedLufs, truePeakDbtp, momentaryLufs, shortTermLufs, ...defined({ rangeLu }) } };
}

/** A sound brought to what the preset asks for, as a file of its own; `null` where that was not asked for. */
async function fittedSound(
  { preset, fitsSound }: DeliverCall,
  from: string,
  to: string,
  gainDb: number,
  context: DeliveryContext,
): Promise<{ readonly path: string; readonly done: readonly string[] } | null> {
  const demand = preset.sound;
  if (!fitsSound || demand === undefined) return null;
  context.tell(`Bringing ${basename(from)} to ${preset.name} ...`);
  const bits = demand.bits.includes(24) ? 24 : 16;
  const truePeakDbtp = preset.profile.truePeak.fail - TRUE_PEAK_MARGIN_DB;
  const order = { from: resolve(from), to, gainDb, truePeakDbtp, bits } as const;
  await isolated(from, context.signal, () => engine.fitSound(order, { signal: context.signal }));
  return { path: to, done: [`gain ${gainDb.toFixed(2)} dB`, `true peak held at ${truePeakDbtp.toFixed(1)} dBTP`] };
}

/** How far below a recipient's limit peaks are held: meters differ by a little. */
const TRUE_PEAK_MARGIN_DB = 0.2;

/** The gain that brings a mix to its target; the narration gets the same, so that both still fit together. */
async function gainFor({ fitsSound, preset, mix }: DeliverCall, context: DeliveryContext): Promise<number> {
  const demand = preset.sound?.loudness;
  if (!fitsSound || demand === undefined || mix === undefined) return 0;
  context.tell(`Measuring ${basename(mix)} ...`);
  const level = loudnessOf(await measureFile(mix, countsSpeech(demand), context.signal), demand);
  return level === null ? 0 : demand.target - level;
}

async function measured(
  { isChecked, preset, media }: DeliverCall,
  path: string,
  kind: DeliveredSound["kind"],
  { signal, tell }: DeliveryContext,
): Promise<SoundMeasure> {
  tell(`Measuring ${basename(path)} ...`);
  // Without the programme its pauses are heard in the mix.
  const listens = kind === "mix" && isChecked && (countsSpeech(preset.sound?.loudness) || media === undefined);
  return measureFile(path, listens, signal);
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
  sounds: readonly MadeSound[],
  context: DeliveryContext,
): Promise<string[]> {
  const { media, audioTrack } = call;
  const [narration, mix] = [soundOf(sounds, "narration")?.path, soundOf(sounds, "mix")?.path];
  if (!call.makesVideo || media === undefined || narration === undefined || mix === undefined) return [];
  context.tell("Making the video ...");
  const name = deliveryName(call, "described", "mp4");
  const order = {
    source: resolve(media),
    path: join(folder, name),
    mixedPath: resolve(mix),
    narrationPath: resolve(narration),
    language: trackLanguage(call.language),
    captions: call.captions ?? [],
    ...defined({ audioTrack }),
  };
  await isolated(media, context.signal, () => engine.addDescription(order, { signal: context.signal }));
  return [name];
}

/**
 * Writes the programme's sound and the narration as one file with an audio definition, without a leader; none where the call
 * asks for none.
 *
 * @returns The names of what was made.
 * @throws HostError `file_unreadable` when one of them cannot be read.
 */
export async function writeAdmSound(
  call: DeliverCall,
  folder: string,
  sounds: readonly MadeSound[],
  context: DeliveryContext,
): Promise<string[]> {
  const { media, audioTrack, wantsAdm, title, language } = call;
  const narration = soundOf(sounds, "narration");
  if (!wantsAdm || media === undefined || narration === undefined) return [];
  context.tell("Writing programme and narration as one file ...");
  const name = deliveryName(call, "adm", "wav");
  const format = { sampleRate: 48_000, bits: 24, channels: (call.programme?.audioChannels ?? 0) + 1 };
  const { leader: _, ...unled } = call;
  const { broadcast, startSeconds } = broadcastOrder(unled, "adm", undefined, format);
  const order = {
    programme: resolve(media),
    narration: resolve(narration.path),
    to: join(folder, name),
    title,
    language,
    ...defined({ audioTrack }),
    broadcast: { ...broadcast, timeReferenceSamples: Math.round(startSeconds * format.sampleRate) },
  };
  await isolated(media, context.signal, () => engine.writeAdm(order, { signal: context.signal }));
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
