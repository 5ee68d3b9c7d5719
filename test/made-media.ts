import {
  AV_CODEC_FLAG_GLOBAL_HEADER,
  AV_LOG_ERROR,
  AV_OPT_SEARCH_CHILDREN,
  AV_OPT_TYPE_STRING,
  AV_PKT_DATA_DISPLAYMATRIX,
  type AVDisposition,
  AVFMT_GLOBALHEADER,
  AVIO_FLAG_WRITE,
  AVMEDIA_TYPE_VIDEO,
  type AVPixelFormat,
  type AVSampleFormat,
  type FFEncoderCodec,
} from "node-av/constants";
import {
  Codec,
  CodecContext,
  Dictionary,
  FFmpegError,
  type FilterContext,
  FilterGraph,
  FormatContext,
  Frame,
  IOContext,
  Log,
  Packet,
  type Stream,
} from "node-av/lib";

// Encoders introduce themselves on stderr otherwise.
Log.setLevel(AV_LOG_ERROR);

/** One stream of a made file: what a filter graph of sources draws or plays, and how it is stored. */
export interface MadeStream {
  /** FFmpeg filter graph without inputs, such as `testsrc2=size=320x240:rate=25:duration=2` or `sine=duration=2`. */
  readonly graph: string;
  /** Encoder by name, such as `libx264` or `aac`. */
  readonly codec: string;
  /** Options of the encoder. */
  readonly options?: Readonly<Record<string, string>>;
  /** Seconds by which the stream begins later than the file. */
  readonly startSeconds?: number;
  /** Clockwise degrees by which a player turns the picture. */
  readonly rotation?: 90 | 180 | 270;
  readonly metadata?: Readonly<Record<string, string>>;
  /** FFmpeg disposition flags, summed. */
  readonly disposition?: number;
}

/** Makes a media file from generated streams; the container follows from the file's ending. */
export function makeMedia(path: string, streams: readonly MadeStream[], options: Record<string, string> = {}): void {
  const context = new FormatContext();
  check(context.allocOutputContext2(null, null, path));
  const needsHeader = ((context.oformat?.flags ?? 0) & AVFMT_GLOBALHEADER) !== 0;
  const writers = streams.map((stream) => new StreamWriter(context, stream, needsHeader));
  const io = new IOContext();
  check(io.open2Sync(path, AVIO_FLAG_WRITE));
  context.pb = io;
  for (const [name, value] of Object.entries(options)) setOption(context, name, value);
  check(context.writeHeaderSync());
  for (;;) {
    const open = writers.filter((writer) => !writer.isDone);
    const next = open.sort((a, b) => a.writtenSeconds - b.writtenSeconds)[0];
    if (next === undefined) break;
    next.writeSome();
  }
  check(context.writeTrailerSync());
  context.pb = null;
  io.closepSync();
  context.freeContext();
}

class StreamWriter {
  isDone = false;
  writtenSeconds = 0;
  readonly #context: FormatContext;
  readonly #graph = new FilterGraph();
  readonly #sink: FilterContext;
  readonly #encoder = new CodecContext();
  readonly #stream: Stream;
  readonly #startTicks: bigint;

  constructor(context: FormatContext, made: MadeStream, needsHeader: boolean) {
    this.#context = context;
    const codec = Codec.findEncoderByName(made.codec as FFEncoderCodec); // unknown names give null
    if (codec === null) throw new Error(`no encoder ${made.codec}`);
    const isPicture = codec.type === AVMEDIA_TYPE_VIDEO;
    const format = isPicture
      ? "format=yuv420p"
      : `aformat=sample_fmts=${sampleFormat(made.codec)},asetnsamples=n=${frameSize(made.codec)}:p=0`;
    const sinkName = isPicture ? "buffersink" : "abuffersink";
    this.#graph.alloc();
    const hasFormat = made.graph.includes("format=pix_fmts") ? "" : `,${format}`;
    check(this.#graph.parsePtr(`${made.graph}${hasFormat},${sinkName}@out`));
    check(this.#graph.configSync());
    const sink = this.#graph.getFilter(`${sinkName}@out`);
    if (sink === null) throw new Error("no sink");
    this.#sink = sink;
    this.#encoder.allocContext3(codec);
    this.#encoder.timeBase = sink.buffersinkGetTimeBase();
    if (isPicture) {
      this.#encoder.width = sink.buffersinkGetWidth();
      this.#encoder.height = sink.buffersinkGetHeight();
      this.#encoder.pixelFormat = sink.buffersinkGetFormat() as AVPixelFormat; // a picture sink's format is a pixel format
      this.#encoder.sampleAspectRatio = sink.buffersinkGetSampleAspectRatio();
      this.#encoder.framerate = sink.buffersinkGetFrameRate();
    } else {
      this.#encoder.sampleRate = sink.buffersinkGetSampleRate();
      this.#encoder.sampleFormat = sink.buffersinkGetFormat() as AVSampleFormat; // a sound sink's format is a sample format
      this.#encoder.channelLayout = sink.buffersinkGetChannelLayout();
    }
    if (needsHeader) this.#encoder.setFlags(AV_CODEC_FLAG_GLOBAL_HEADER);
    // A dictionary given to open2Sync is freed twice (node-av 6.1.1), so options are set one by one.
    for (const [name, value] of Object.entries(made.options ?? {})) setOption(this.#encoder, name, value);
    check(this.#encoder.open2Sync(codec));
    this.#stream = context.newStream(codec);
    this.#stream.timeBase = this.#encoder.timeBase;
    if (isPicture) this.#stream.avgFrameRate = this.#encoder.framerate;
    this.#stream.sampleAspectRatio = this.#encoder.sampleAspectRatio;
    check(this.#encoder.parametersFromContext(this.#stream.codecpar));
    if (made.rotation !== undefined) {
      this.#stream.codecpar.addCodedSideData(AV_PKT_DATA_DISPLAYMATRIX, displayMatrix(made.rotation));
    }
    if (made.metadata !== undefined) this.#stream.metadata = Dictionary.fromObject(made.metadata);
    if (made.disposition !== undefined) this.#stream.disposition = made.disposition as AVDisposition; // flags, summed
    const { num, den } = this.#encoder.timeBase;
    this.#startTicks = BigInt(Math.round(((made.startSeconds ?? 0) * den) / num));
  }

  writeSome(): void {
    const frame = new Frame();
    frame.alloc();
    const status = this.#sink.buffersinkGetFrameSync(frame);
    if (status >= 0) {
      frame.pts += this.#startTicks;
      frame.pictType = 0 as typeof frame.pictType; // the encoder chooses
      check(this.#encoder.sendFrameSync(frame));
    } else {
      check(this.#encoder.sendFrameSync(null));
      this.isDone = true;
    }
    frame.free();
    this.#drain();
  }

  #drain(): void {
    const packet = new Packet();
    packet.alloc();
    while (this.#encoder.receivePacketSync(packet) >= 0) {
      packet.streamIndex = this.#stream.index;
      packet.rescaleTs(this.#encoder.timeBase, this.#stream.timeBase);
      this.writtenSeconds = (Number(packet.dts) * this.#stream.timeBase.num) / this.#stream.timeBase.den;
      check(this.#context.interleavedWriteFrameSync(packet));
    }
    packet.free();
  }
}

/** Rotation as nine 16.16 numbers, `[cos, sin, 0, -sin, cos, 0, 0, 0, 1 (2.30)]`. */
function displayMatrix(degrees: number): Buffer {
  const [cos, sin] = [Math.round(Math.cos((degrees * Math.PI) / 180)), Math.round(Math.sin((degrees * Math.PI) / 180))];
  const matrix = Buffer.alloc(36);
  [cos * 65536, sin * 65536, 0, -sin * 65536, cos * 65536, 0, 0, 0, 1 << 30].forEach((value, index) => {
    matrix.writeInt32LE(value, index * 4);
  });
  return matrix;
}

function sampleFormat(codec: string): string {
  if (codec.startsWith("pcm_")) return codec.includes("24") ? "s32" : "s16";
  return codec === "flac" || codec === "libopus" ? "s16" : "fltp";
}

/** Samples per frame that an encoder insists on. */
function frameSize(codec: string): number {
  return { ac3: 1536, eac3: 1536, libmp3lame: 1152, libopus: 960, mp2: 1152 }[codec] ?? 1024;
}

function setOption(target: CodecContext | FormatContext, name: string, value: string): void {
  check(target.setOption(name, value, AV_OPT_TYPE_STRING, AV_OPT_SEARCH_CHILDREN));
}

function check(status: number): void {
  FFmpegError.throwIfError(status);
}
