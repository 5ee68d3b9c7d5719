import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { AV_CHANNEL_LAYOUT_MONO, AVMEDIA_TYPE_AUDIO } from "node-av/constants";
import { FFmpegError } from "node-av/lib";
import { MediaProcessError, type OpenMedia, openMedia } from "../open.ts";
import { packetsOf } from "../packets.ts";
import { Resampler, type SoundShape } from "./resampler.ts";
import { StreamDecoder } from "./stream-decoder.ts";

/** Longest sound that is decoded into memory, in seconds. */
const LONGEST_SECONDS = 300;

/** A short sound: its channels as one, full scale 1. */
interface ShortSound {
  readonly channels: readonly [Float32Array];
  readonly sampleRate: number;
}

/**
 * Decodes a sound that is in memory, of whatever kind FFmpeg knows: MP3, FLAC, Opus, WAV of any encoding. It goes through a
 * file of its own, which is removed.
 *
 * @returns At most {@link LONGEST_SECONDS} of it; `null` where the bytes are no sound.
 */
export async function decodeShortSound(bytes: Uint8Array): Promise<ShortSound | null> {
  const folder = await mkdtemp(join(tmpdir(), "aside-sound-"));
  try {
    const path = join(folder, "sound");
    await writeFile(path, bytes);
    using media = await openMedia(path);
    return await soundOf(media);
  } catch (error) {
    if (error instanceof MediaProcessError || error instanceof FFmpegError) return null;
    throw error;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function soundOf(media: OpenMedia): Promise<ShortSound | null> {
  const stream = media.context.streams.find(({ codecpar }) => codecpar.codecType === AVMEDIA_TYPE_AUDIO);
  if (stream === undefined || stream.codecpar.sampleRate <= 0) return null;
  const { sampleRate } = stream.codecpar;
  using decoder = new StreamDecoder(stream);
  let resampler: Resampler | null = null;
  const parts: Float32Array[] = [];
  let length = 0;
  const take = ([plane]: Float32Array[]) => {
    if (plane === undefined || plane.length === 0) return;
    // What a filter gives is valid until its next call.
    parts.push(plane.slice());
    length += plane.length;
  };
  try {
    for await (const packet of packetsOf(media, [stream.index])) {
      for (const { frame } of decoder.decode(packet)) {
        const format = frame.format as SoundShape["format"]; // a sound frame's format is a sample format
        resampler ??= new Resampler(
          { sampleRate: frame.sampleRate, layout: frame.channelLayout, format },
          sampleRate,
          AV_CHANNEL_LAYOUT_MONO,
        );
        take(resampler.convert(frame.extendedData ?? [], frame.nbSamples));
      }
      if (length >= LONGEST_SECONDS * sampleRate) break;
    }
    if (resampler !== null) take(resampler.flush());
  } finally {
    resampler?.[Symbol.dispose]();
  }
  return length === 0 ? null : { channels: [joined(parts, length)], sampleRate };
}

function joined(parts: readonly Float32Array[], length: number): Float32Array {
  const whole = new Float32Array(length);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
