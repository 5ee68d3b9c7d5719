import { rm } from "node:fs/promises";
import { AV_OPT_SEARCH_CHILDREN, AV_OPT_TYPE_STRING, type AVDisposition, AVIO_FLAG_WRITE } from "node-av/constants";
import {
  Dictionary,
  FFmpegError,
  FormatContext,
  IOContext,
  type IRational,
  type Packet,
  type Stream,
} from "node-av/lib";
import { nameFinishedFile } from "../finished-file.ts";
import { MediaProcessError } from "./open.ts";

/** What a player shows of a track. */
export interface TrackLabel {
  readonly title: string;
  /** ISO 639-2 code, `und` where nobody knows. */
  readonly language: string;
  /** FFmpeg's disposition flags, summed. */
  readonly disposition: number;
}

/**
 * An MP4 file being written, packet by packet, with its index in front at the end. It is written under a temporary name
 * and takes its own when whole.
 */
export class MovieFile {
  readonly #path: string;
  readonly #partial: string;
  readonly #context = new FormatContext();
  readonly #io = new IOContext();
  /** Asked for once: each answer of FFmpeg's is an object of its own. */
  readonly #tracks = new Map<Stream, { readonly index: number; readonly timeBase: IRational }>();
  #isOpen = true;

  /** @throws MediaProcessError `media_unwritable` when the file cannot be made. */
  constructor(path: string) {
    this.#path = path;
    this.#partial = `${path}.part.mp4`;
    check(this.#context.allocOutputContext2(null, "mp4", this.#partial));
    check(this.#io.open2Sync(this.#partial, AVIO_FLAG_WRITE));
    this.#context.pb = this.#io;
    check(this.#context.setOption("movflags", "+faststart", AV_OPT_TYPE_STRING, AV_OPT_SEARCH_CHILDREN));
  }

  /** Adds a track, before {@link MovieFile.begin}; its codec parameters are the caller's to fill in. */
  addTrack(timeBase: IRational, label: TrackLabel): Stream {
    const stream = this.#context.newStream();
    stream.timeBase = rational(timeBase);
    stream.metadata = Dictionary.fromObject({
      language: label.language,
      ...(label.title === "" ? {} : { handler_name: label.title }),
    });
    stream.disposition = label.disposition as AVDisposition; // flags, summed
    return stream;
  }

  /** Writes the header; from here on each track's time base is the file's. */
  begin(): void {
    check(this.#context.writeHeaderSync());
  }

  /** Writes a packet whose times are in `timeBase`. The packet is empty afterwards. */
  write(packet: Packet, track: Stream, timeBase: IRational): void {
    const { index, timeBase: own } = this.#known(track);
    packet.streamIndex = index;
    packet.rescaleTs(timeBase, own);
    packet.pos = -1n;
    check(this.#context.interleavedWriteFrameSync(packet));
  }

  /** Completes the file and gives it its name. Moving the index to the front reads and writes the whole file once. */
  async finish(): Promise<void> {
    check(await this.#context.writeTrailer());
    this.#close();
    await nameFinishedFile(this.#partial, this.#path);
  }

  /** Gives the file up; harmless after {@link MovieFile.finish}. */
  async discard(): Promise<void> {
    this.#close();
    await rm(this.#partial, { force: true });
  }

  #known(track: Stream): { readonly index: number; readonly timeBase: IRational } {
    const known = this.#tracks.get(track) ?? { index: track.index, timeBase: track.timeBase };
    this.#tracks.set(track, known);
    return known;
  }

  #close(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#context.pb = null;
    this.#io.closepSync();
    this.#context.freeContext();
  }
}

/** @throws MediaProcessError `media_unwritable` for FFmpeg's negative status codes. */
export function check(status: number): void {
  if (status >= 0) return;
  throw new MediaProcessError("media_unwritable", `The video could not be written (${FFmpegError.strerror(status)}).`, {
    cause: new FFmpegError(status),
  });
}

/** A plain ratio where node-av's setters ask for their own class, of which they read numerator and denominator alone. */
export function rational(ratio: IRational): Stream["timeBase"] {
  return ratio as Stream["timeBase"];
}
