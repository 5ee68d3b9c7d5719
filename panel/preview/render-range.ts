import { open } from "node:fs/promises";
import { type FrameRate, framesPerSecond } from "../../src/core/frame-rate.ts";
import { PictureShrinker, type SmallPicture } from "../../src/engine/ffmpeg/decode/small-picture.ts";
import { SoundDecoder } from "../../src/engine/ffmpeg/decode/sound-decoder.ts";
import { StreamDecoder } from "../../src/engine/ffmpeg/decode/stream-decoder.ts";
import { type MovieSound, writeMovie } from "../../src/engine/ffmpeg/encode/write-movie.ts";
import { openMedia } from "../../src/engine/ffmpeg/open.ts";
import { packetsOf } from "../../src/engine/ffmpeg/packets.ts";
import { originSeconds, pictureStream, soundStream } from "../../src/engine/ffmpeg/probe/media-streams.ts";
import { SampleBytes } from "../../src/engine/mix/sample-bytes.ts";
import { waveHeader } from "../../src/formats/wave/write-wave.ts";

/** Longest side of the rendered picture in pixels: that of the panel's own export preset. */
const LONG_SIDE = 640;

/** What is to be rendered: a stretch of a media file, in seconds from its start, at a sequence's rate. */
export interface RenderRequest {
  readonly mediaPath: string;
  readonly start: number;
  readonly end: number;
  readonly rate: FrameRate;
  readonly outputPath: string;
}

/** Renders as Premiere would with a small H.264 preset: every frame of the sequence, from the first to the last. */
export async function renderRange(request: RenderRequest, signal?: AbortSignal): Promise<void> {
  const { width, height, firstFrame } = await sizeOf(request);
  const frames = framesOf(request, firstFrame);
  await writeMovie(
    request.outputPath,
    { picture: { width, height, rate: request.rate, frames, quality: 28 }, sound: await soundOf(request) },
    signal,
  );
}

/** Size of the rendered picture; a black one stands for media without picture. */
async function sizeOf(
  request: RenderRequest,
): Promise<{ readonly width: number; readonly height: number; readonly firstFrame: Uint8Array }> {
  for await (const { pixels, width, height } of sourceFrames(request.mediaPath)) {
    return { width, height, firstFrame: pixels };
  }
  const [width, height] = [LONG_SIDE, 360];
  return { width, height, firstFrame: new Uint8Array((width * height * 3) / 2).fill(128, width * height) };
}

/** The frame that is on screen at the time of each frame of the sequence. */
async function* framesOf(
  { mediaPath, start, end, rate }: RenderRequest,
  first: Uint8Array,
): AsyncGenerator<Uint8Array> {
  const count = Math.round((end - start) * framesPerSecond(rate));
  // Times of two rates never agree to the last digit.
  const timeOf = (frame: number) => start + frame / framesPerSecond(rate) + 1e-4;
  let shown = first;
  let next = 0;
  for await (const { at, pixels } of sourceFrames(mediaPath)) {
    while (next < count && at > timeOf(next)) {
      yield shown;
      next += 1;
    }
    if (next === count) return;
    shown = pixels;
  }
  for (; next < count; next++) yield shown;
}

interface SourceFrame {
  /** Seconds on the programme clock. */
  readonly at: number;
  readonly width: number;
  readonly height: number;
  /** Planar 4:2:0. */
  readonly pixels: Uint8Array;
}

async function* sourceFrames(path: string): AsyncGenerator<SourceFrame> {
  using media = await openMedia(path);
  const stream = pictureStream(media.context);
  if (stream === null) return;
  using decoder = new StreamDecoder(stream, { threads: 0 });
  using shrinker = new PictureShrinker(LONG_SIDE);
  const origin = originSeconds(stream, soundStream(media.context));
  const decode = function* (packet: Parameters<StreamDecoder["decode"]>[0]): Generator<SourceFrame> {
    for (const { frame, seconds } of decoder.decode(packet)) {
      if (seconds !== null) yield { at: seconds - origin, ...asYuv420(shrinker.shrink(frame)) };
    }
  };
  for await (const packet of packetsOf(media, [stream.index])) yield* decode(packet);
  yield* decode(null);
}

/** Every second colour sample in both directions, and even numbers of pixels. */
function asYuv420(picture: SmallPicture): Omit<SourceFrame, "at"> {
  const width = picture.width & ~1;
  const height = picture.height & ~1;
  const pixels = new Uint8Array((width * height * 3) / 2);
  let at = 0;
  for (let row = 0; row < height; row++, at += width) {
    pixels.set(picture.luma.subarray(row * picture.width, row * picture.width + width), at);
  }
  for (const plane of [picture.blue, picture.red]) {
    for (let row = 0; row < height; row += 2) {
      for (let column = 0; column < width; column += 2) pixels[at++] = plane[row * picture.width + column] ?? 128;
    }
  }
  return { width, height, pixels };
}

/** The sound of a stretch of the media, which is silent where it has none. */
async function soundOf({ mediaPath, start, end }: RenderRequest): Promise<MovieSound> {
  const media = await openMedia(mediaPath);
  const stream = soundStream(media.context);
  if (stream === null) {
    media[Symbol.dispose]();
    const sampleRate = 48_000;
    return { sampleRate, channels: 1, blocks: [[new Float32Array(Math.round((end - start) * sampleRate))]] };
  }
  const decoder = new SoundDecoder(stream, originSeconds(pictureStream(media.context), stream), end);
  const { sampleRate, layout } = decoder;
  const channels = layout.nbChannels > 1 ? 2 : 1;
  const from = Math.round(start * sampleRate);
  const blocks = async function* (): AsyncGenerator<Float32Array[]> {
    let position = 0;
    const cut = function* (decoded: readonly Float32Array[][]): Generator<Float32Array[]> {
      for (const planes of decoded) {
        const skip = Math.max(0, from - position);
        position += planes[0]?.length ?? 0;
        yield planes.slice(0, channels).map((plane) => plane.subarray(skip));
      }
    };
    try {
      for await (const packet of packetsOf(media, [stream.index])) yield* cut(decoder.decode(packet));
      yield* cut(decoder.decode(null));
    } finally {
      decoder[Symbol.dispose]();
      media[Symbol.dispose]();
    }
  };
  return { sampleRate, channels, blocks: blocks() };
}

/** Renders the sound alone as Premiere would with a WAV preset: 16 bit, as long as the range. */
export async function renderSound(request: RenderRequest): Promise<void> {
  const { sampleRate, channels, blocks } = await soundOf(request);
  const sampleCount = Math.round((request.end - request.start) * sampleRate);
  const format = { channels, sampleRate, encoding: "integer", bits: 16, channelMask: 0 } as const;
  const encoder = new SampleBytes(format.bits);
  const file = await open(request.outputPath, "w");
  try {
    await file.write(waveHeader({ format, sampleCount }));
    let left = sampleCount;
    for await (const planes of blocks) {
      const taken = planes.map((plane) => plane.subarray(0, left));
      await file.write(encoder.encode(taken, 1));
      left -= taken[0]?.length ?? 0;
    }
    // Where the media's sound is shorter than its picture, it is silent.
    await file.write(new Uint8Array(left * channels * 2));
  } finally {
    await file.close();
  }
}
