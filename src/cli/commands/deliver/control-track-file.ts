import { createWriteStream } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { levelInGlides } from "../../../core/gain-curve.ts";
import { CONTROL_TRACK_RATE, controlTrack } from "../../../formats/wave/control-track.ts";
import { frameBytes, type WaveFormat } from "../../../formats/wave/wave-format.ts";
import { sampleWriter } from "../../../formats/wave/wave-samples.ts";
import { waveHeader, waveTrailer } from "../../../formats/wave/write-wave.ts";
import { deliveryName } from "../../../workflow/deliver/delivery-name.ts";
import { broadcastOrder } from "../../../workflow/deliver/delivery-sound.ts";
import type { DeliverCall } from "./deliver-call.ts";

const FORMAT: WaveFormat = {
  channels: 1,
  sampleRate: CONTROL_TRACK_RATE,
  encoding: "integer",
  bits: 16,
  channelMask: 0,
};

/**
 * Writes the control track of a delivery, as long as its narration with the leader; through the leader it asks for no fade. Streams.
 *
 * @param call Its glides are those that the track tells.
 * @param narrationSeconds Length of the narration without a leader.
 * @returns The file's name; `null` where none was asked for.
 */
export async function writeControlTrack(
  call: DeliverCall,
  folder: string,
  narrationSeconds: number,
): Promise<string | null> {
  const { wantsControlTrack, glides = [] } = call;
  if (!wantsControlTrack) return null;
  const name = deliveryName(call, "control", "wav");
  const { broadcast, leader, startSeconds } = broadcastOrder(call, "control", undefined, FORMAT);
  const before = leader?.seconds ?? 0;
  const sampleCount = Math.round((before + narrationSeconds) * CONTROL_TRACK_RATE);
  const first = Math.round(startSeconds * CONTROL_TRACK_RATE) - Math.round(before * CONTROL_TRACK_RATE);
  const contents = { format: FORMAT, sampleCount, broadcast: { ...broadcast, timeReferenceSamples: first } };
  const signal = controlTrack(sampleCount, (seconds) => -levelInGlides(glides, seconds - before));
  await pipeline(Readable.from(bytesOf(contents, signal)), createWriteStream(join(folder, name)));
  return name;
}

function* bytesOf(contents: Parameters<typeof waveHeader>[0], signal: Iterable<Float32Array>): Generator<Uint8Array> {
  yield waveHeader(contents);
  const put = sampleWriter(FORMAT);
  for (const samples of signal) {
    const view = new DataView(new ArrayBuffer(samples.length * frameBytes(FORMAT)));
    for (const [index, sample] of samples.entries()) put(view, index * frameBytes(FORMAT), sample);
    yield new Uint8Array(view.buffer);
  }
  yield waveTrailer(contents);
}
