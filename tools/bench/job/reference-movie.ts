import { join } from "node:path";
import { AV_SAMPLE_FMT_FLTP, AVMEDIA_TYPE_AUDIO } from "node-av/constants";
import { avChannelLayoutDefault, type ChannelLayout, type CodecContext, Frame, Packet, type Stream } from "node-av/lib";
import { type FrameRate, framesPerSecond } from "../../../src/core/frame-rate.ts";
import { TimeMap } from "../../../src/core/time-map.ts";
import { decodeSound } from "../../../src/engine/ffmpeg/decode/decode-sound.ts";
import { SoundDecoder } from "../../../src/engine/ffmpeg/decode/sound-decoder.ts";
import { openAac } from "../../../src/engine/ffmpeg/encode/aac-encoder.ts";
import { EncodedPicture } from "../../../src/engine/ffmpeg/encode/encoded-picture.ts";
import { check, MovieFile } from "../../../src/engine/ffmpeg/movie-file.ts";
import { type OpenMedia, openMedia } from "../../../src/engine/ffmpeg/open.ts";
import { packetsOf, planesOf } from "../../../src/engine/ffmpeg/packets.ts";
import { originSeconds, pictureStream, soundStream } from "../../../src/engine/ffmpeg/probe/media-streams.ts";
import { probeMedia } from "../../../src/engine/ffmpeg/probe/probe.ts";
import { WaveFile } from "../../../src/engine/mix/wave-file.ts";
import { copiedTrack } from "../../common/films.ts";

const NO_LABEL = { title: "", language: "und", disposition: 0 };

/** Samples of an AAC frame. */
const FRAME_SAMPLES = 1024;

/** The picture of a reference movie: copied, or encoded once with the set-up of our own encoder. */
export type ReferencePicture = "copied" | { readonly height: number; readonly rate: FrameRate };

/** Copies a film's picture and sound, packet by packet. */
export async function copyMovie(film: string, path: string): Promise<void> {
  using media = await openMedia(film);
  const movie = new MovieFile(path);
  const streams = [pictureStream(media.context), soundStream(media.context)].filter((stream) => stream !== null);
  const tracks = new Map(streams.map((stream) => [stream.index, { stream, track: copiedTrack(movie, stream) }]));
  movie.begin();
  for await (const packet of packetsOf(media, [...tracks.keys()])) {
    const to = tracks.get(packet.streamIndex);
    if (to !== undefined) movie.write(packet, to.track, to.stream.timeBase);
  }
  await movie.finish();
}

/** Makes a movie of a film's picture and finished sounds (WAV files): each sound through FFmpeg's AAC encoder, all of it. */
export async function encodeMovie(
  film: string,
  path: string,
  picture: ReferencePicture,
  sounds: readonly string[],
): Promise<void> {
  using media = await openMedia(film);
  using owned = new DisposableStack();
  const movie = new MovieFile(path);
  const write = pictureWriter(movie, media, picture, owned);
  const tracks: PlainAac[] = [];
  for (const sound of sounds) tracks.push(owned.use(await PlainAac.open(movie, sound)));
  movie.begin();
  for await (const packet of packetsOf(media, [write.stream.index])) {
    const seconds = (Number(packet.dts) * write.stream.timeBase.num) / write.stream.timeBase.den;
    write.take(packet);
    for (const track of tracks) await track.advance(seconds);
  }
  write.take(null);
  for (const track of tracks) await track.advance(Number.POSITIVE_INFINITY);
  await movie.finish();
}

/** Writes the first and the last sound of a described video as WAV files into a folder: the mix, and the narration alone. */
export async function finishedSounds(video: string, folder: string): Promise<string[]> {
  using media = await openMedia(video);
  const sounds = media.context.streams.filter(({ codecpar }) => codecpar.codecType === AVMEDIA_TYPE_AUDIO);
  const paths: string[] = [];
  for (const stream of [sounds[0], sounds.at(-1)].filter((stream) => stream !== undefined)) {
    paths.push(join(folder, `sound-${stream.index}.wav`));
    await writeSound(video, stream.index, paths.at(-1) ?? "");
  }
  return paths;
}

async function writeSound(video: string, index: number, path: string): Promise<void> {
  using media = await openMedia(video);
  const stream = media.context.streams[index];
  if (stream === undefined) throw new Error("no such track");
  const seconds = (Number(stream.duration) * stream.timeBase.num) / stream.timeBase.den;
  using decoder = new SoundDecoder(stream, 0, seconds);
  const file = await WaveFile.create({
    path,
    channels: decoder.layout.nbChannels,
    channelMask: Number(decoder.layout.mask),
    sampleRate: decoder.sampleRate,
    bits: 24,
    sampleCount: Math.round(seconds * decoder.sampleRate),
    isGainOpen: false,
    markers: [],
    broadcast: { description: "", originator: "", timeReferenceSamples: 0 },
  });
  for await (const packet of packetsOf(media, [index])) {
    for (const block of decoder.decode(packet)) await file.write(block);
  }
  for (const block of decoder.decode(null)) await file.write(block);
  await file.finish(1, undefined);
}

function pictureWriter(
  movie: MovieFile,
  media: OpenMedia,
  picture: ReferencePicture,
  owned: DisposableStack,
): { readonly stream: Stream; readonly take: (packet: Packet | null) => void } {
  const stream = pictureStream(media.context);
  if (stream === null) throw new Error("the film has no picture");
  if (picture === "copied") {
    const track = copiedTrack(movie, stream);
    return { stream, take: (packet) => packet !== null && movie.write(packet, track, stream.timeBase) };
  }
  const clock = {
    originSeconds: originSeconds(stream, soundStream(media.context)),
    map: new TimeMap([]),
    toleranceSeconds: 0.5 / framesPerSecond(picture.rate),
  };
  const track = owned.use(new EncodedPicture(movie, stream, clock, picture));
  return { stream, take: (packet) => track.take(packet) };
}

/** A sound file on its way through FFmpeg's AAC encoder, with the coder and the rate of ours and nothing spared. */
class PlainAac implements Disposable {
  readonly #give: (packet: Packet) => void;
  readonly #encoder: CodecContext;
  readonly #blocks: AsyncGenerator<Float32Array[], void>;
  readonly #frame = new Frame();
  readonly #packet = new Packet();
  readonly #sampleRate: number;
  #samples = 0;

  static async open(movie: MovieFile, path: string): Promise<PlainAac> {
    const { sound, durationSeconds } = await probeMedia(path);
    if (sound === null || durationSeconds === null) throw new Error(`${path} holds no sound`);
    const { sampleRate } = sound;
    const blocks = decodeSound(path, { sampleRate, durationSeconds, blockSamples: FRAME_SAMPLES, reusesBlocks: true });
    return new PlainAac(movie, blocks, sampleRate, avChannelLayoutDefault(sound.channels));
  }

  private constructor(
    movie: MovieFile,
    blocks: AsyncGenerator<Float32Array[], void>,
    sampleRate: number,
    wanted: ChannelLayout,
  ) {
    const { encoder, layout } = openAac(sampleRate, wanted);
    this.#blocks = blocks;
    this.#sampleRate = sampleRate;
    this.#encoder = encoder;
    const timeBase = { num: 1, den: sampleRate };
    const track = movie.addTrack(timeBase, NO_LABEL);
    check(encoder.parametersFromContext(track.codecpar));
    this.#give = (packet) => movie.write(packet, track, timeBase);
    this.#packet.alloc();
    this.#frame.alloc();
    this.#frame.nbSamples = FRAME_SAMPLES;
    this.#frame.format = AV_SAMPLE_FMT_FLTP;
    this.#frame.sampleRate = sampleRate;
    this.#frame.channelLayout = layout;
    check(this.#frame.getBuffer(0));
  }

  async advance(seconds: number): Promise<void> {
    while (this.#samples / this.#sampleRate < seconds) {
      const { value, done } = await this.#blocks.next();
      if (done === true) {
        if (Number.isFinite(this.#samples)) this.#send(null);
        this.#samples = Number.POSITIVE_INFINITY;
        return;
      }
      for (const [channel, plane] of planesOf(this.#frame, FRAME_SAMPLES).entries()) plane.set(value[channel] ?? []);
      this.#frame.nbSamples = value[0]?.length ?? 0;
      this.#frame.pts = BigInt(this.#samples);
      this.#samples += this.#frame.nbSamples;
      this.#send(this.#frame);
    }
  }

  [Symbol.dispose](): void {
    this.#packet.free();
    this.#frame.free();
    this.#encoder.freeContext();
  }

  #send(frame: Frame | null): void {
    check(this.#encoder.sendFrameSync(frame));
    while (this.#encoder.receivePacketSync(this.#packet) >= 0) this.#give(this.#packet);
  }
}
