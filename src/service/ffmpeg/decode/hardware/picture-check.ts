import type { Packet, Stream } from "node-av/lib";
import { PictureShrinker, type SmallPicture } from "../small-picture.ts";
import { type DecodedFrame, StreamDecoder } from "../stream-decoder.ts";
import { HardwareFailure } from "./hardware-decoder.ts";

/** Frames that are compared, and the longer side to which they are made smaller for it, in pixels. */
const COMPARED = { frames: 4, side: 128 };

/** Mean difference of luma, and of each colour difference, up to which two pictures are one, of 255. Decoders of one standard differ by 0. */
const TOLERANCE = 1;

interface SeenPicture {
  readonly at: number;
  readonly picture: SmallPicture;
}

/** One comparison: a software decoder is given the same packets from a key picture on, until it has made the pictures that are compared. */
export class PictureCheck implements Disposable {
  readonly #software: StreamDecoder;
  readonly #from: number;
  readonly #shrinkers = { software: new PictureShrinker(COMPARED.side), hardware: new PictureShrinker(COMPARED.side) };
  readonly #expected: SeenPicture[] = [];
  readonly #seen: SeenPicture[] = [];
  #compared = 0;

  /** @param from Time of the key picture, in seconds: what is shown before it is made from pictures that are not known here. */
  constructor(stream: Pick<Stream, "codecpar" | "timeBase">, from: number) {
    this.#software = new StreamDecoder(stream);
    this.#from = from;
  }

  /** Whether all that is to be compared was. */
  get isOver(): boolean {
    return this.#compared >= COMPARED.frames;
  }

  /** Lets software decode a packet, as long as its pictures are needed. */
  decode(packet: Packet | null): void {
    if (this.#compared + this.#expected.length >= COMPARED.frames) return;
    for (const decoded of this.#software.decode(packet)) this.#keep(this.#expected, decoded, this.#shrinkers.software);
  }

  /** Compares a frame of hardware. @throws HardwareFailure when software makes another picture, or another time, of it. */
  compare(decoded: DecodedFrame, name: string): void {
    if (this.isOver) return;
    this.#keep(this.#seen, decoded, this.#shrinkers.hardware);
    for (let [own] = this.#seen, [other] = this.#expected; own !== undefined && other !== undefined; ) {
      if (own.at !== other.at) throw new HardwareFailure(`${name} gave no picture for ${other.at.toFixed(2)} s`);
      const difference = differenceOf(own.picture, other.picture);
      if (difference > TOLERANCE) {
        const found = `its picture at ${own.at.toFixed(2)} s differs by ${difference.toFixed(1)} from the film's`;
        throw new HardwareFailure(`${name} is not to be trusted: ${found}`);
      }
      this.#compared++;
      this.#seen.shift();
      this.#expected.shift();
      [own, other] = [this.#seen[0], this.#expected[0]];
    }
  }

  /** Ends a comparison that the film may have cut short. @throws HardwareFailure when software made a picture that hardware did not. */
  finish(name: string): void {
    const [left] = this.isOver ? [] : this.#expected;
    if (left !== undefined) throw new HardwareFailure(`${name} gave no picture for ${left.at.toFixed(2)} s`);
  }

  [Symbol.dispose](): void {
    this.#software[Symbol.dispose]();
    for (const shrinker of Object.values(this.#shrinkers)) shrinker[Symbol.dispose]();
  }

  #keep(into: SeenPicture[], { frame, seconds }: DecodedFrame, shrinker: PictureShrinker): void {
    if (seconds === null || seconds < this.#from) return;
    const picture = shrinker.shrink(frame);
    const [luma, blue, red] = [picture.luma.slice(), picture.blue.slice(), picture.red.slice()];
    into.push({ at: seconds, picture: { ...picture, luma, blue, red } });
  }
}

/** The largest of the mean differences of luma and both colour differences, of 255. */
function differenceOf(a: SmallPicture, b: SmallPicture): number {
  if (a.width !== b.width || a.height !== b.height || a.isFullRange !== b.isFullRange) return 255;
  return Math.max(...(["luma", "blue", "red"] as const).map((plane) => meanDifference(a[plane], b[plane])));
}

function meanDifference(a: Uint8Array, b: Uint8Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += Math.abs((a[i] as number) - (b[i] as number)); // of one size
  return sum / Math.max(1, a.length);
}
