import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex } from "@noble/hashes/utils.js";
import { utf8Bytes } from "../../../src/core/bytes.ts";
import { broadcastCopy } from "../../../src/formats/wave/broadcast-copy.ts";
import { readWaveHeader, WAVE_HEAD_BYTES } from "../../../src/formats/wave/read-wave.ts";
import type { ManifestFile } from "../../../src/workflow/deliver/delivery-manifest.ts";
import { deliveryName } from "../../../src/workflow/deliver/delivery-name.ts";
import { broadcastOrder } from "../../../src/workflow/deliver/delivery-sound.ts";
import type { DeliveryOrder, DeliveryTextFile } from "../../../src/workflow/deliver/delivery-texts.ts";
import type { PanelEnvironment } from "../../session/environment.ts";
import type { SoundSource } from "../../state/delivery-state.ts";

/** Bytes of a sound that are copied at a time. */
const PIECE_BYTES = 4 * 1024 * 1024;

/** What writing a file of a delivery needs. */
export interface DeliveryWriting {
  readonly environment: Pick<PanelEnvironment, "clock" | "files" | "pathIn">;
  /** Folder that it goes to, as a native path. */
  readonly folder: string;
  readonly signal: AbortSignal;
  /** Told how much of the file is there, 0 to 1. */
  readonly onProgress: (fraction: number) => void;
}

/** Writes a text of a delivery, and says what the manifest says of it. */
export async function writeDeliveryText(
  { environment, folder, signal }: DeliveryWriting,
  { name, text, losses = [] }: Pick<DeliveryTextFile, "name" | "text"> & Partial<DeliveryTextFile>,
): Promise<ManifestFile> {
  signal.throwIfAborted();
  const bytes = utf8Bytes(text);
  await environment.files.writeText(environment.pathIn(folder, name), text);
  const hash = bytesToHex(sha256(bytes));
  return { name, bytes: bytes.length, sha256: hash, ...(losses.length === 0 ? {} : { losses }) };
}

/**
 * Copies a sound of a delivery as Broadcast Wave, piece by piece, and says what the manifest says of it.
 *
 * @throws RangeError when the file is no WAV any more; the signal's reason when it aborts.
 */
export async function writeDeliverySound(
  { environment, folder, signal, onProgress }: DeliveryWriting,
  order: DeliveryOrder,
  { kind, path }: SoundSource,
): Promise<ManifestFile> {
  const { clock, files, pathIn } = environment;
  const name = deliveryName(order, kind, "wav");
  const size = (await files.size(path)) ?? 0;
  const start = await files.readBytes(path, 0, Math.min(size, WAVE_HEAD_BYTES));
  const reading = readWaveHeader(start);
  if (!reading.ok) throw new RangeError(`"${name}": its source is no WAV file any more`);
  const { layout } = reading;
  const { head, leader, from, to, tail, format } = broadcastCopy(
    layout,
    size,
    broadcastOrder(order, kind, layout.broadcast, layout.format),
  );
  const hash = sha256.create();
  const writer = await files.openWriter(pathIn(folder, name));
  let written = 0;
  const write = async (bytes: Uint8Array<ArrayBuffer>) => {
    hash.update(bytes);
    // UXP takes whole buffers, never views of them.
    await writer.write(written, bytes.byteLength === bytes.buffer.byteLength ? bytes.buffer : bytes.slice().buffer);
    written += bytes.length;
  };
  try {
    await write(head);
    for (const piece of leader) await write(piece);
    for (let at = from; at < to; at += PIECE_BYTES) {
      // Hashing is work: between two pieces the panel is drawn, and a click on Cancel is heard.
      await clock.sleep(0, signal);
      await write(new Uint8Array(await files.readBytes(path, at, Math.min(PIECE_BYTES, to - at))));
      onProgress(Math.min(1, (at + PIECE_BYTES - from) / (to - from)));
    }
    if (tail.length > 0) await write(tail);
  } finally {
    await writer.close();
  }
  const { sampleRate, bits, channels } = format;
  const sound = { sample_rate: sampleRate, bits_per_sample: bits, channels };
  return { name, bytes: written, sha256: bytesToHex(hash.digest()), sound };
}
