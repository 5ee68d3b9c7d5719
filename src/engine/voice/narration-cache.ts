import { createHash } from "node:crypto";
import { mkdir, readFile, utimes } from "node:fs/promises";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import { isMissing } from "../../core/local-file.ts";
import { readWaveHeader } from "../../formats/wave/read-wave.ts";
import { samplesFromWave, type WaveFormat } from "../../formats/wave/wave-format.ts";
import { waveHeader } from "../../formats/wave/write-wave.ts";
import { writeFinishedFile } from "../finished-file.ts";
import type { SpokenLine } from "../spoken-line.ts";
import type { VoiceRequest } from "./voice.ts";

/** Raised when entries are stored differently, so that older ones are made anew. */
const CACHE_VERSION = 1;

/** Marks an entry's own chunk, behind the samples: the CRC-32 of all bytes before it. */
const CHECK_CHUNK = Buffer.from("crc \u0004\0\0\0", "latin1");

/**
 * Spoken lines on disk, each under the hash of everything it was made from, so that a line is spoken once however often
 * its programme is worked on. Entries are WAV files of float samples; several processes may share a folder.
 */
export class NarrationCache {
  readonly #folder: string;

  /** @param folder Made when first written to. */
  constructor(folder: string) {
    this.#folder = folder;
  }

  /** The line made from `request` by the voice of that identity; `null` when there is none or it is damaged. */
  async find(voiceId: string, request: VoiceRequest): Promise<SpokenLine | null> {
    const path = this.#path(voiceId, request);
    try {
      const line = lineFromEntry(await readFile(path));
      // Use keeps an entry young: the sweep goes by this time.
      if (line !== null) await utimes(path, new Date(), new Date());
      return line;
    } catch (error) {
      if (isMissing(error)) return null;
      throw error;
    }
  }

  /** Keeps a line. The entry appears whole or not at all. */
  async keep(voiceId: string, request: VoiceRequest, line: SpokenLine): Promise<void> {
    const path = this.#path(voiceId, request);
    await mkdir(this.#folder, { recursive: true });
    await writeFinishedFile(path, entryFromLine(line));
  }

  #path(voiceId: string, request: VoiceRequest): string {
    const { text, language, voice, rate } = request;
    const made = JSON.stringify([CACHE_VERSION, voiceId, language, voice, rate, text]);
    return join(this.#folder, `${createHash("sha256").update(made).digest("hex")}.wav`);
  }
}

function entryFromLine({ samples, sampleRate }: SpokenLine): Buffer {
  const format: WaveFormat = { channels: 1, sampleRate, encoding: "float", bits: 32, channelMask: 4 };
  const header = waveHeader({ format, sampleCount: samples.length });
  // Low byte first, like every machine that this project's Node comes for.
  const data = Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength);
  const check = Buffer.alloc(4);
  check.writeUInt32LE(crc32(Buffer.concat([header, data])));
  return Buffer.concat([header, data, CHECK_CHUNK, check]);
}

function lineFromEntry(entry: Buffer): SpokenLine | null {
  const end = entry.length - CHECK_CHUNK.length - 4;
  if (end < 0 || !entry.subarray(end, -4).equals(CHECK_CHUNK)) return null;
  const checked = entry.subarray(0, end);
  if (crc32(checked) !== entry.readUInt32LE(entry.length - 4)) return null;
  const reading = readWaveHeader(checked);
  if (!reading.ok) return null;
  const { format, dataOffset } = reading.layout;
  const samples = samplesFromWave(checked.subarray(dataOffset), format)[0] ?? new Float32Array(0);
  return { samples, sampleRate: format.sampleRate };
}
