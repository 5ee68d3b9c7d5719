import {
  AV_CHANNEL_LAYOUT_MONO,
  AV_CHANNEL_LAYOUT_STEREO,
  AV_SAMPLE_FMT_FLTP,
  AVSEEK_FLAG_BACKWARD,
} from "node-av/constants";
import { openMedia } from "../open.ts";
import { packetsOf } from "../packets.ts";
import { originSeconds, pictureStream, streamSeconds } from "../probe/media-streams.ts";
import { soundStreams } from "../probe/programme-sound-streams.ts";
import { SoundBlocks } from "./decode-sound.ts";
import { JoinedSound } from "./joined-sound.ts";
import { bytesOf, Resampler } from "./resampler.ts";
import { TempoFilter } from "./tempo-filter.ts";

/** Which part of a file's sound is wanted, and how. */
export interface SoundPart {
  /** Seconds from the source's start. */
  readonly sourceStart: number;
  /** Source seconds per second; above 0. The pitch stays. */
  readonly speed: number;
  /** The one channel that is heard, counted from 1; all of them mixed to stereo where absent. */
  readonly channel?: number;
  /** The sound tracks to take, counted from 1; without it, what the file says of its tracks decides. */
  readonly tracks?: readonly number[];
  /** How long the part lasts once played at its speed, in samples. */
  readonly samples: number;
  readonly sampleRate: number;
}

/** Packets that end more than this before what is wanted are not decoded: a decoder needs a few to get going. */
const LEAD_SECONDS = 0.5;

/**
 * A part of a file's sound in stereo, block by block, exactly as many samples as asked for: silence where the file has
 * none. Nothing at all comes from a file without sound. A single channel with an odd number plays left, with an even one
 * right, as editors lay pairs; that of a mono file plays on both sides.
 *
 * @throws MediaProcessError when the file cannot be opened; the signal's reason when it aborts.
 */
export async function* sourceSound(
  path: string,
  part: SoundPart,
  signal?: AbortSignal,
): AsyncGenerator<Float32Array[], void> {
  const { sourceStart, speed, samples, sampleRate } = part;
  using media = await openMedia(path);
  // One channel is asked for as the file counts them.
  const sound = soundStreams(media.context, { tracks: part.tracks, isFolded: part.channel === undefined });
  if (sound === null) return;
  const [stream] = sound.streams;
  const from = originSeconds(pictureStream(media.context), stream) + sourceStart;
  const { num, den } = stream.timeBase;
  if (sourceStart > LEAD_SECONDS) {
    media.context.seekFrameSync(stream.index, BigInt(Math.round((from * den) / num)), AVSEEK_FLAG_BACKWARD);
  }
  using decoder = new JoinedSound(sound, from, (samples / sampleRate) * speed);
  const isOne = part.channel !== undefined && decoder.layout.nbChannels > 1;
  const sides = isOne ? AV_CHANNEL_LAYOUT_MONO : AV_CHANNEL_LAYOUT_STEREO;
  using resampler = new Resampler(
    {
      sampleRate: decoder.sampleRate,
      layout: isOne ? AV_CHANNEL_LAYOUT_MONO : decoder.layout,
      format: AV_SAMPLE_FMT_FLTP,
    },
    sampleRate,
    sides,
  );
  using tempo = speed === 1 ? null : new TempoFilter(sampleRate, sides, speed);
  const place = (planes: Float32Array[]) =>
    isOne ? onOneSide(planes[0] ?? new Float32Array(), part.channel ?? 1) : planes;
  const chosen = (planes: Float32Array[]) => (isOne ? planes.slice((part.channel ?? 1) - 1).slice(0, 1) : planes);
  const atSpeed = (planes: Float32Array[]) => (tempo === null ? [planes] : tempo.convert(planes));
  const convert = (given: Float32Array[]) => {
    const planes = chosen(given);
    const count = planes[0]?.length ?? 0;
    return count === 0 ? [] : atSpeed(resampler.convert(planes.map(bytesOf), count)).map(place);
  };
  const blocks = new SoundBlocks(2, sampleRate, samples);
  for await (const packet of packetsOf(media, decoder.indexes, signal)) {
    const at = streamSeconds(packet.pts, stream);
    if (at !== null && at + (Number(packet.duration) * num) / den < from - LEAD_SECONDS) continue;
    for (const block of decoder.decode(packet)) for (const part of convert(block)) yield* blocks.add(part);
    if (decoder.isComplete) break;
  }
  for (const block of decoder.decode(null)) for (const part of convert(block)) yield* blocks.add(part);
  const rest = [...atSpeed(resampler.flush()), ...(tempo?.flush() ?? [])];
  for (const part of rest) yield* blocks.add(place(part));
  yield* blocks.finish();
}

function onOneSide(samples: Float32Array, channel: number): Float32Array[] {
  const silence = new Float32Array(samples.length);
  return channel % 2 === 1 ? [samples, silence] : [silence, samples];
}
