import { createHash } from "node:crypto";
import {
  AV_DISPOSITION_DEFAULT,
  AV_DISPOSITION_DESCRIPTIONS,
  AV_DISPOSITION_VISUAL_IMPAIRED,
  AVMEDIA_TYPE_AUDIO,
  AVMEDIA_TYPE_SUBTITLE,
} from "node-av/constants";
import type { Packet, Stream } from "node-av/lib";
import { SoundDecoder } from "../../src/engine/ffmpeg/decode/sound-decoder.ts";
import { StreamDecoder } from "../../src/engine/ffmpeg/decode/stream-decoder.ts";
import { openMedia } from "../../src/engine/ffmpeg/open.ts";
import { packetsOf } from "../../src/engine/ffmpeg/packets.ts";

/** A track as a player sees it. */
export interface TrackFacts {
  readonly kind: "picture" | "sound" | "text";
  readonly title: string;
  readonly language: string;
  readonly flags: readonly string[];
  readonly channels: number;
  readonly seconds: number;
}

const FLAGS = {
  default: AV_DISPOSITION_DEFAULT,
  descriptions: AV_DISPOSITION_DESCRIPTIONS,
  "visual impaired": AV_DISPOSITION_VISUAL_IMPAIRED,
} as const;

/** The tracks of a file, in its order. */
export async function tracksOf(path: string): Promise<TrackFacts[]> {
  using media = await openMedia(path);
  return media.context.streams.map((stream) => ({
    kind: kindOf(stream),
    title: stream.metadata?.getAll()["handler_name"] ?? "",
    language: stream.metadata?.getAll()["language"] ?? "",
    flags: Object.entries(FLAGS).flatMap(([name, flag]) => (stream.hasDisposition(flag) ? [name] : [])),
    channels: stream.codecpar.channels,
    seconds: (Number(stream.duration) * stream.timeBase.num) / stream.timeBase.den,
  }));
}

/** Lines of a text track with their times in seconds, those without words left out. */
export async function captionsOf(path: string, track: number): Promise<{ start: number; end: number; text: string }[]> {
  using media = await openMedia(path);
  const stream = streamAt(media.context.streams, track);
  const seconds = (ticks: bigint) => (Number(ticks) * stream.timeBase.num) / stream.timeBase.den;
  const lines: { start: number; end: number; text: string }[] = [];
  for await (const { pts, duration, data } of packetsOf(media, [track])) {
    // Two bytes tell the length of the text; styles may follow it.
    const text = data?.subarray(2, 2 + data.readUInt16BE(0)).toString("utf8") ?? "";
    if (text !== "") lines.push({ start: seconds(pts), end: seconds(pts + duration), text });
  }
  return lines;
}

/** Sound of one track as mono samples, at the track's rate, from time 0. */
export async function soundOf(path: string, track: number): Promise<{ samples: Float32Array; sampleRate: number }> {
  using media = await openMedia(path);
  const stream = streamAt(media.context.streams, track);
  const seconds = (Number(stream.duration) * stream.timeBase.num) / stream.timeBase.den;
  using decoder = new SoundDecoder(stream, 0, seconds);
  const samples = new Float32Array(Math.round(seconds * decoder.sampleRate));
  let at = 0;
  const add = (packet: Packet | null) => {
    for (const planes of decoder.decode(packet)) {
      for (let i = 0; i < (planes[0]?.length ?? 0); i++) {
        samples[at++] = planes.reduce((sum, plane) => sum + (plane[i] ?? 0), 0) / planes.length;
      }
    }
  };
  for await (const packet of packetsOf(media, [stream.index])) add(packet);
  add(null);
  return { samples, sampleRate: decoder.sampleRate };
}

/** Root mean square of a stretch in dBFS. */
export function levelOf(sound: { samples: Float32Array; sampleRate: number }, start: number, end: number): number {
  const part = sound.samples.subarray(Math.round(start * sound.sampleRate), Math.round(end * sound.sampleRate));
  return 10 * Math.log10(part.reduce((sum, value) => sum + value * value, 0) / Math.max(1, part.length));
}

/** Decoded frames with a hash of their luma, and when each is shown, in order. */
export async function framesOf(path: string): Promise<{ at: number; hash: string }[]> {
  return framesAs(path, (luma) => ({ hash: createHash("sha1").update(luma).digest("base64") }));
}

/**
 * Decoded frames with a copy of their luma (rows as the decoder stores them), and when each is shown; for short clips.
 *
 * @param every - Of how many bytes of luma one is kept.
 */
export async function picturesOf(path: string, every = 1): Promise<{ at: number; luma: Buffer }[]> {
  return framesAs(path, (luma) => ({
    luma:
      every === 1
        ? Buffer.from(luma)
        : Buffer.from(Array.from({ length: Math.ceil(luma.length / every) }, (_, index) => luma[index * every] ?? 0)),
  }));
}

async function framesAs<Facts extends object>(
  path: string,
  look: (luma: Buffer) => Facts,
): Promise<({ at: number } & Facts)[]> {
  using media = await openMedia(path);
  const stream = streamAt(media.context.streams, 0);
  using decoder = new StreamDecoder(stream, { threads: 2 });
  const frames: ({ at: number } & Facts)[] = [];
  const add = (packet: Packet | null) => {
    for (const { frame, seconds } of decoder.decode(packet)) {
      frames.push({ at: seconds ?? Number.NaN, ...look(frame.data?.[0] ?? Buffer.alloc(0)) });
    }
  };
  for await (const packet of packetsOf(media, [stream.index])) add(packet);
  add(null);
  return frames;
}

/** Hashes of the coded packets of the picture, in the order of storage. */
export async function packetHashes(path: string): Promise<string[]> {
  using media = await openMedia(path);
  const hashes: string[] = [];
  for await (const { data } of packetsOf(media, [0])) {
    hashes.push(
      createHash("sha1")
        .update(data ?? Buffer.alloc(0))
        .digest("base64"),
    );
  }
  return hashes;
}

function kindOf({ codecpar: { codecType } }: Stream): TrackFacts["kind"] {
  if (codecType === AVMEDIA_TYPE_AUDIO) return "sound";
  return codecType === AVMEDIA_TYPE_SUBTITLE ? "text" : "picture";
}

function streamAt(streams: readonly Stream[], index: number): Stream {
  const stream = streams[index];
  if (stream === undefined) throw new Error(`the file has no track ${index}`);
  return stream;
}
