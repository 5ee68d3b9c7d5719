import { rm } from "node:fs/promises";
import { Encoder, Muxer } from "node-av/api";
import {
  AV_CHANNEL_LAYOUT_MONO,
  AV_CHANNEL_LAYOUT_STEREO,
  AV_LOG_ERROR,
  AV_PIX_FMT_YUV420P,
  AV_SAMPLE_FMT_FLTP,
  FF_ENCODER_AAC,
  FF_ENCODER_LIBX264,
} from "node-av/constants";
import { Frame, Log } from "node-av/lib";
import { type FrameRate, framesPerSecond } from "../../../core/frame-rate.ts";
import { nameFinishedFile } from "../../finished-file.ts";

/** Picture to be encoded. */
export interface MoviePicture {
  /** Even numbers of pixels. */
  readonly width: number;
  readonly height: number;
  readonly rate: FrameRate;
  /** Frames in order, each planar 4:2:0: all luma, then Cb, then Cr, without padding. */
  readonly frames: Iterable<Uint8Array> | AsyncIterable<Uint8Array>;
  /** x264's constant rate factor; default 23. */
  readonly quality?: number;
}

/** Sound to be encoded. */
export interface MovieSound {
  readonly sampleRate: number;
  readonly channels: 1 | 2;
  /** Blocks in order: one array per channel, all of one length, -1 to 1. */
  readonly blocks: Iterable<readonly Float32Array[]> | AsyncIterable<readonly Float32Array[]>;
}

/** Work between two looks at the signal and the event loop, in frames. */
const FRAMES_PER_TURN = 8;

/** AAC takes this many samples at a time. */
const AAC_FRAME_SAMPLES = 1024;

/**
 * Encodes a movie from frames and samples made in memory, as H.264 and AAC in MP4 with the index in front. Written under
 * a temporary name and renamed when whole. Streams: it holds no more than a few frames.
 *
 * @throws the signal's reason when aborted; nothing is left behind then.
 */
export async function writeMovie(
  path: string,
  movie: { readonly picture: MoviePicture; readonly sound: MovieSound },
  signal?: AbortSignal,
): Promise<void> {
  const partial = `${path}.part.mp4`;
  try {
    await encode(partial, movie.picture, movie.sound, signal);
    await nameFinishedFile(partial, path);
  } catch (error) {
    await rm(partial, { force: true });
    throw error;
  }
}

async function encode(path: string, picture: MoviePicture, sound: MovieSound, signal?: AbortSignal): Promise<void> {
  Log.setLevel(AV_LOG_ERROR);
  const muxer = Muxer.openSync(path, { format: "mp4", useAsyncWrite: false, options: { movflags: "+faststart" } });
  const pictureTimeBase = { num: picture.rate.denominator, den: picture.rate.numerator };
  const pictureEncoder = Encoder.createSync(FF_ENCODER_LIBX264, {
    gopSize: Math.round(framesPerSecond(picture.rate) * 10),
    // node-av 6.1.1 frees an `options` dictionary twice (a crash at the next garbage collection), so codec options are
    // set on the context instead.
    configure: (context) => {
      context.setOption("preset", "veryfast");
      context.setOption("crf", String(picture.quality ?? 23));
    },
  });
  const soundTimeBase = { num: 1, den: sound.sampleRate };
  const soundEncoder = Encoder.createSync(FF_ENCODER_AAC, { bitrate: "160k" });
  try {
    const pictureStream = muxer.addStream(pictureEncoder);
    const soundStream = muxer.addStream(soundEncoder);
    const soundFrames = framesOfSound(sound, soundTimeBase);
    let soundSeconds = 0;
    let count = 0;
    const writeSoundUntil = async (seconds: number) => {
      while (soundSeconds < seconds) {
        const next = await soundFrames.next();
        if (next.done === true) return;
        using frame = next.value;
        soundSeconds += frame.nbSamples / sound.sampleRate;
        send(soundEncoder, frame, muxer, soundStream);
      }
    };
    for await (const pixels of picture.frames) {
      using frame = Frame.fromVideoBuffer(Buffer.from(pixels.buffer, pixels.byteOffset, pixels.byteLength), {
        width: picture.width,
        height: picture.height,
        format: AV_PIX_FMT_YUV420P,
        pts: BigInt(count),
        timeBase: pictureTimeBase,
      });
      send(pictureEncoder, frame, muxer, pictureStream);
      count++;
      await writeSoundUntil((count * picture.rate.denominator) / picture.rate.numerator);
      if (count % FRAMES_PER_TURN === 0) {
        await new Promise((resolve) => setImmediate(resolve));
        signal?.throwIfAborted();
      }
    }
    await writeSoundUntil(Number.POSITIVE_INFINITY);
    send(pictureEncoder, null, muxer, pictureStream);
    send(soundEncoder, null, muxer, soundStream);
  } finally {
    muxer.closeSync();
    pictureEncoder.close();
    soundEncoder.close();
  }
}

/** Gives an encoder a frame (`null` ends the stream) and passes on what comes out. */
function send(encoder: Encoder, frame: Frame | null, muxer: Muxer, stream: number): void {
  for (const packet of encoder.encodeAllSync(frame)) {
    muxer.writePacketSync(packet, stream);
    packet.free();
  }
}

/** Sound cut into the encoder's frame length; the last frame is filled with silence. */
async function* framesOfSound(sound: MovieSound, timeBase: { num: number; den: number }): AsyncGenerator<Frame, void> {
  const planes = Array.from({ length: sound.channels }, () => new Float32Array(AAC_FRAME_SAMPLES));
  let filled = 0;
  let position = 0;
  const flush = () => {
    const bytes = Buffer.concat(planes.map((plane) => Buffer.from(plane.buffer)));
    const frame = Frame.fromAudioBuffer(bytes, {
      nbSamples: AAC_FRAME_SAMPLES,
      format: AV_SAMPLE_FMT_FLTP,
      sampleRate: sound.sampleRate,
      channelLayout: sound.channels === 1 ? AV_CHANNEL_LAYOUT_MONO : AV_CHANNEL_LAYOUT_STEREO,
      pts: BigInt(position),
      timeBase,
    });
    position += AAC_FRAME_SAMPLES;
    filled = 0;
    return frame;
  };
  for await (const block of sound.blocks) {
    const length = block[0]?.length ?? 0;
    for (let taken = 0; taken < length; ) {
      const count = Math.min(length - taken, AAC_FRAME_SAMPLES - filled);
      for (const [channel, plane] of planes.entries()) {
        const samples = block[channel];
        if (samples !== undefined) plane.set(samples.subarray(taken, taken + count), filled);
      }
      taken += count;
      filled += count;
      if (filled === AAC_FRAME_SAMPLES) yield flush();
    }
  }
  if (filled > 0) {
    for (const plane of planes) plane.fill(0, filled);
    yield flush();
  }
}
