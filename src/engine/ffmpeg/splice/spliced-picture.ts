import { AV_CODEC_ID_H264, AV_NOPTS_VALUE } from "node-av/constants";
import { type FormatContext, Frame, Packet, type Stream } from "node-av/lib";
import { type FrameRate, framesFromSeconds, secondsFromFrames } from "../../../core/frame-rate.ts";
import type { Hold as ProgrammeHold } from "../../../core/time-map.ts";
import { StreamDecoder } from "../decode/stream-decoder.ts";
import { addCopiedPicture, UncopiableError } from "../encode/copied-picture.ts";
import { CODER_THREADS, type PictureClock, type PictureTrack, ticksOf } from "../encode/picture-track.ts";
import { check, type MovieFile } from "../movie-file.ts";
import { streamSeconds } from "../probe/media-streams.ts";
import { readAvcSetUp, readSliceSyntax, UNIT, unitKind, unitsOf } from "./h264/parameter-sets.ts";
import { type EncodedUnit, PatchEncoder } from "./patch-encoder.ts";
import { type PatchShape, stillSlices } from "./slice-encoder.ts";

/** Packets and bytes between two key frames that are held in memory at the most. */
const MOST_HELD = { packets: 1_500, bytes: 96 * 1024 * 1024 };

/**
 * How a stream's slices are written, where frames can be put between them; `null` where they cannot: another codec than
 * H.264, another container than MP4 or QuickTime, fields, more than 8 bits.
 */
export function spliceShape(context: FormatContext, source: Stream, rate: FrameRate): PatchShape | null {
  const { codecId, extradata } = source.codecpar;
  if (codecId !== AV_CODEC_ID_H264 || !(context.iformat?.name ?? "").startsWith("mov,")) return null;
  const setUp = extradata === null ? null : readAvcSetUp(extradata);
  const [sequenceSet, ...otherSequences] = setUp?.sequenceSets ?? [];
  const [pictureSet, ...otherPictures] = setUp?.pictureSets ?? [];
  if (setUp === null || sequenceSet === undefined || pictureSet === undefined) return null;
  if (otherSequences.length + otherPictures.length > 0) return null;
  const syntax = readSliceSyntax(sequenceSet, pictureSet);
  const sets = [sequenceSet, pictureSet].map((set) => Buffer.from(set));
  return syntax === null ? null : { source, syntax, sets, lengthBytes: setUp.lengthBytes, rate };
}

/** A pause inside a group of pictures: so many frames more in front of one of its frames, counted as shown. */
interface SplicedPause {
  readonly before: number;
  readonly frames: number;
}

/**
 * Copies a picture and holds it at pauses by frames of its own rate, so that an even rate stays even: what lies between a
 * pause and the next key frame is encoded, to read by the source's own parameter sets, the frames of a pause say that
 * nothing changes, and everything else is copied bit by bit. Holds one group of pictures at a time.
 */
export class SplicedPicture implements PictureTrack {
  readonly #movie: MovieFile;
  readonly #source: Stream;
  readonly #track: Stream;
  readonly #clock: PictureClock;
  readonly #shape: PatchShape;
  readonly #pauses: ProgrammeHold[];
  #still: readonly Uint8Array[] | null = null;
  #group: Packet[] = [];
  #groupBytes = 0;
  /** Frames that pauses have added so far. */
  #added = 0;
  #last: bigint = AV_NOPTS_VALUE;
  /** Frames that were encoded. */
  encodedFrames = 0;

  /** Adds the track to a movie that has not begun. */
  constructor(movie: MovieFile, context: FormatContext, shape: PatchShape, clock: PictureClock) {
    this.#movie = movie;
    this.#source = shape.source;
    this.#shape = shape;
    this.#clock = clock;
    this.#pauses = [...clock.map.holds];
    this.#track = addCopiedPicture(movie, context, shape.source);
  }

  /** @throws UncopiableError for packets without times or out of order, and where no key frame comes for long. */
  *take(packet: Packet | null): Generator<number, void> {
    if (packet === null) {
      yield* this.#endGroup(null);
      yield Number.POSITIVE_INFINITY;
      return;
    }
    if (packet.pts === AV_NOPTS_VALUE || packet.dts === AV_NOPTS_VALUE) throw new UncopiableError("no times");
    if (this.#isIdr(packet)) yield* this.#endGroup(packet.pts);
    else if (this.#group.length === 0) throw new UncopiableError("no key frame at the start");
    const kept = packet.clone();
    if (kept === null) throw new UncopiableError("no memory");
    this.#group.push(kept);
    this.#groupBytes += packet.size;
    if (this.#group.length > MOST_HELD.packets || this.#groupBytes > MOST_HELD.bytes) {
      throw new UncopiableError("no key frame for long");
    }
  }

  [Symbol.dispose](): void {
    for (const packet of this.#group.splice(0)) packet.free();
  }

  #isIdr(packet: Packet): boolean {
    if (!packet.isKeyframe) return false;
    const units = unitsOf(packet.data ?? Buffer.alloc(0), this.#shape.lengthBytes);
    const sets = units.filter((unit) => [UNIT.sequenceSet, UNIT.pictureSet].some((kind) => kind === unitKind(unit)));
    if (sets.some((set) => !this.#shape.sets.some((known) => Buffer.compare(known, set) === 0))) {
      throw new UncopiableError("another set-up on the way");
    }
    return units.some((unit) => unitKind(unit) === UNIT.idrSlice);
  }

  /** Writes the group that is held. @param next When the one after it begins; `null` for none. */
  *#endGroup(next: bigint | null): Generator<number, void> {
    const [first] = this.#group;
    if (first === undefined) return;
    const shown = this.#group.map(({ pts }) => pts).sort((a, b) => Number(a - b));
    if (next !== null && (shown.at(-1) ?? next) >= next) throw new UncopiableError("groups that overlap");
    const holds = this.#holdsIn(shown, next);
    const early = first.pts - first.dts;
    const [hold] = holds;
    const copied = hold === undefined ? this.#group.length : this.#copiedBefore(hold.before, shown);
    const delay = this.#ticks(this.#added);
    for (const packet of this.#group.slice(0, copied)) {
      using kept = packet.clone() ?? packet;
      kept.pts += delay;
      kept.dts += delay;
      yield this.#write(kept);
    }
    for (const { at, unit } of hold === undefined ? [] : this.#patch(shown, copied, holds)) {
      using packet = new Packet();
      packet.alloc();
      packet.data = unit.bytes;
      packet.isKeyframe = unit.isKey;
      packet.pts = at;
      packet.dts = at - early;
      packet.duration = this.#ticks(1);
      yield this.#write(packet);
    }
    for (const packet of this.#group.splice(0)) packet.free();
    this.#groupBytes = 0;
  }

  /** Takes the pauses that come before the next group, or in front of it. */
  #holdsIn(shown: readonly bigint[], next: bigint | null): SplicedPause[] {
    const { toleranceSeconds } = this.#clock;
    const until = next === null ? Number.POSITIVE_INFINITY : this.#programmeSeconds(next) + toleranceSeconds;
    const later = this.#pauses.findIndex(({ at }) => at > until);
    const taken = this.#pauses.splice(0, later < 0 ? this.#pauses.length : later);
    return taken.map(({ at, seconds }) => {
      const before = shown.filter((pts) => this.#programmeSeconds(pts) < at - toleranceSeconds).length;
      if (before === 0) throw new UncopiableError("a pause in front of everything");
      return { before, frames: framesFromSeconds(seconds, this.#shape.rate) };
    });
  }

  /** How many packets stand at the group's start whose frames are its first as shown, and no more than `most`. */
  #copiedBefore(most: number, shown: readonly bigint[]): number {
    let copied = 0;
    let latest = 0;
    for (const [index, { pts }] of this.#group.entries()) {
      latest = Math.max(latest, shown.indexOf(pts));
      if (latest === index && index < most) copied = index + 1;
    }
    return copied;
  }

  /** Encodes a group's frames from one on, with what its pauses add; times are ticks of the movie. */
  *#patch(
    shown: readonly bigint[],
    from: number,
    holds: readonly SplicedPause[],
  ): Generator<{ readonly at: bigint; readonly unit: EncodedUnit }, void> {
    this.#still ??= stillSlices(this.#shape);
    using encoder = new PatchEncoder(this.#shape, this.#still);
    using decoder = new StreamDecoder(this.#source, { threads: CODER_THREADS });
    using held = new Frame();
    held.alloc();
    const times: bigint[] = [];
    let given = 0;
    const timed = (units: Iterable<EncodedUnit>) => Array.from(units, (unit) => ({ at: times[given++] ?? 0n, unit }));
    const hold = (index: number) => {
      const units: EncodedUnit[] = [];
      for (const { frames } of holds.filter(({ before }) => before === index)) {
        const last = shown[index - 1] ?? 0n;
        for (let k = 1; k <= frames; k++) times.push(last + this.#ticks(this.#added + k));
        units.push(...encoder.hold(held, frames));
        this.#added += frames;
      }
      return timed(units);
    };
    let index = 0;
    for (const packet of [...this.#group, null]) {
      for (const { frame } of decoder.decode(packet)) {
        yield* hold(index);
        const at = shown[index];
        if (at === undefined) throw new UncopiableError("more frames than packets");
        if (index >= from) {
          times.push(at + this.#ticks(this.#added));
          yield* timed(encoder.encode(frame));
        }
        held.unref();
        check(held.ref(frame));
        index++;
      }
    }
    if (index !== shown.length) throw new UncopiableError("fewer frames than packets");
    yield* hold(index);
    yield* timed(encoder.encode(null));
    if (given !== times.length) throw new UncopiableError("frames lost in encoding");
    this.encodedFrames += given;
  }

  #programmeSeconds(pts: bigint): number {
    return (streamSeconds(pts, this.#source) ?? 0) - this.#clock.originSeconds;
  }

  #ticks(frames: number): bigint {
    return ticksOf(secondsFromFrames(frames, this.#shape.rate), this.#source);
  }

  /** @returns Seconds on the movie's clock that the picture has come to. */
  #write(packet: Packet): number {
    const origin = ticksOf(this.#clock.originSeconds, this.#source);
    packet.pts -= origin;
    packet.dts -= origin;
    if (packet.pts < packet.dts || (this.#last !== AV_NOPTS_VALUE && packet.dts <= this.#last)) {
      throw new UncopiableError("times out of order");
    }
    this.#last = packet.dts;
    const reached = streamSeconds(packet.dts, this.#source) ?? 0;
    this.#movie.write(packet, this.#track, this.#source.timeBase);
    return reached;
  }
}
