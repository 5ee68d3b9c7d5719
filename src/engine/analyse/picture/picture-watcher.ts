import type { Shot } from "../../../core/shot.ts";
import type { SmallPicture } from "../../ffmpeg/decode/small-picture.ts";
import type { GreyPicture } from "../../letter-strokes.ts";
import type { KeyFrame, LetteringFrame } from "../../programme-analysis.ts";
import { LetteringKeeper, looksLikeTitle, measureStill, type StillMeasures } from "../../still-measures.ts";
import { COLOUR_NAMES, colourName } from "./colour-names.ts";
import { type FrameMeasures, measureFrame } from "./frame-measures.ts";
import { KeyFrameWriter } from "./key-frame-writer.ts";
import { novelty, type PictureBlocks, pictureBlocks, type SeenFrame } from "./picture-blocks.ts";
import { FOUND_WITHIN, isBlank, type ShotBoundary, ShotFinder } from "./shot-finder.ts";
import { type ColourCounts, ShotMeasures } from "./shot-measures.ts";

/** A frame as the decoder gives it, see `PictureFrame`. */
export interface WatchedFrame {
  readonly at: number;
  readonly small: SmallPicture;
  readonly hold: () => HeldStill;
}

/** A frame that is kept, see `HeldPicture`. */
interface HeldStill extends Disposable {
  readonly luma: GreyPicture;
  readonly toJpeg: () => Buffer;
}

/** What was seen. */
export interface PictureFindings {
  readonly shots: readonly Shot[];
  readonly keyFrames: readonly KeyFrame[];
  readonly lettering: readonly LetteringFrame[];
  /** Whether any frame showed more than one colour: letters on black are something to read. */
  readonly hasVisiblePicture: boolean;
}

/** Seconds between the frames that are looked at closely. */
const STILL_SECONDS = 0.5;

/** Seconds between them where something moves, and the novelty that is movement: a yawn or a jump is over in a second. */
const MOVING = { seconds: 0.25, novelty: 0.02 };

/** After a step this large a new shot may have begun: the frame after next is looked at closely. */
const NOTABLE_STEP = 0.08;

/** Two boundaries closer than this, in seconds, are one: nobody sees a shot of three frames. */
const SHORTEST_SHOT = 0.15;

/** Seconds at either end of a shot in which a frame may still hold some of its neighbour. */
const EDGE_SECONDS = 0.25;

interface QueuedFrame {
  readonly measures: FrameMeasures;
  readonly look: CloseLook | null;
}

interface CloseLook {
  readonly held: HeldStill;
  readonly blocks: PictureBlocks;
  readonly still: StillMeasures;
  /** `null` for a look that only serves to find key frames: a shot is measured at even distances. */
  readonly colours: ColourCounts | null;
}

/** A shot that is over, with the pictures kept of it, whose files are there. */
export interface WatchedShot {
  readonly shot: Shot;
  readonly keyFrames: readonly KeyFrame[];
  readonly lettering: readonly LetteringFrame[];
}

/** Watches a picture frame by frame: shots, their measures, key frames, and where there is lettering. */
export class PictureWatcher implements Disposable {
  readonly #finder = new ShotFinder();
  readonly #writer: KeyFrameWriter;
  readonly #lettering: LetteringKeeper;
  readonly #onShot: (watched: WatchedShot) => void;
  readonly #queue: QueuedFrame[] = [];
  readonly #boundaries: ShotBoundary[] = [];
  readonly #shots: Shot[] = [];
  #shot: ShotMeasures | null = null;
  #sawSomething = false;
  #lastStillAt = Number.NEGATIVE_INFINITY;
  #lastLook: { readonly at: number; readonly blocks: PictureBlocks } | null = null;
  #framesSinceStep = Number.POSITIVE_INFINITY;
  #lastFrameAt: number | null = null;

  /**
   * @param folder Where key frames are written; `null` for nowhere.
   * @param onShot Told of each shot as soon as it is over.
   */
  constructor(folder: string | null, onShot: (watched: WatchedShot) => void = () => {}) {
    this.#writer = new KeyFrameWriter(folder);
    this.#lettering = new LetteringKeeper(folder);
    this.#onShot = onShot;
  }

  /** Takes in the next frame, which is not kept. */
  async add(frame: WatchedFrame): Promise<void> {
    const measured = measureFrame(frame.at, frame.small);
    const measures = { ...measured, blocks: pictureBlocks(measured) };
    this.#lastFrameAt = frame.at;
    if (!isBlank(measures)) this.#sawSomething = true;
    this.#note(this.#finder.add(measures));
    this.#framesSinceStep = this.#finder.lastStep >= NOTABLE_STEP ? 0 : this.#framesSinceStep + 1;
    this.#queue.push({ measures, look: this.#look(frame, measures) });
    while (this.#isSettled()) await this.#settle();
  }

  /** Ends the picture. The last shot lasts to the end of the programme. */
  async finish(durationSeconds: number): Promise<PictureFindings> {
    this.#note(this.#finder.finish());
    while (this.#queue.length > 0) await this.#settle();
    await this.#endShot(Math.max(durationSeconds, this.#lastFrameAt ?? 0));
    return {
      shots: this.#shots,
      keyFrames: this.#writer.keyFrames,
      lettering: this.#lettering.frames,
      hasVisiblePicture: this.#sawSomething,
    };
  }

  [Symbol.dispose](): void {
    for (const { look } of this.#queue.splice(0)) look?.held[Symbol.dispose]();
    this.#writer[Symbol.dispose]();
  }

  /** Looks at a frame closely where it is due. */
  #look(frame: WatchedFrame, measures: SeenFrame): CloseLook | null {
    const isDue = frame.at - this.#lastStillAt >= STILL_SECONDS || this.#framesSinceStep === 2;
    const last = this.#lastLook;
    if (!isDue && last !== null && frame.at - last.at < MOVING.seconds) return null;
    const { blocks } = measures;
    if (!isDue && last !== null && novelty(blocks, last.blocks) < MOVING.novelty) return null;
    this.#lastLook = { at: frame.at, blocks };
    if (isDue) this.#lastStillAt = frame.at;
    const held = frame.hold();
    return { held, blocks, still: measureStill(held.luma), colours: isDue ? countColours(frame, measures) : null };
  }

  #note(found: readonly ShotBoundary[]): void {
    this.#boundaries.push(...found);
    this.#boundaries.sort((a, b) => a.at - b.at);
    for (const { at: end, since } of found) {
      if (since === undefined) continue;
      const kept = this.#boundaries.filter(({ at }) => at <= since || at >= end);
      this.#boundaries.splice(0, this.#boundaries.length, ...kept);
    }
  }

  /** Whether no boundary before or at the oldest frame can turn up any more. */
  #isSettled(): boolean {
    const oldest = this.#queue[0];
    if (oldest === undefined || this.#lastFrameAt === null || this.#queue.length <= FOUND_WITHIN.frames) return false;
    return this.#lastFrameAt - oldest.measures.at > FOUND_WITHIN.seconds;
  }

  async #settle(): Promise<void> {
    const next = this.#queue.shift();
    if (next === undefined) return;
    const { measures, look } = next;
    this.#shot ??= new ShotMeasures(0, "start");
    const boundary = this.#boundaries[0];
    if (boundary !== undefined && boundary.at <= measures.at) {
      this.#boundaries.shift();
      await this.#open(boundary);
    }
    this.#shot?.add(measures);
    if (look === null) return;
    const { held, blocks, still, colours } = look;
    if (colours !== null) {
      this.#shot?.addStill(colours, looksLikeTitle(still) && !isBlank(measures));
      await this.#lettering.look({ at: measures.at, luma: held.luma, toJpeg: () => held.toJpeg() });
    }
    await this.#writer.offer({
      at: measures.at,
      clearness: still.sharpness,
      isAtEdge: this.#isAtEdge(measures.at),
      blocks,
      toJpeg: () => held.toJpeg(),
      [Symbol.dispose]: () => held[Symbol.dispose](),
    });
  }

  #isAtEdge(at: number): boolean {
    const [next] = this.#boundaries;
    const end = next?.since ?? next?.at ?? Number.POSITIVE_INFINITY;
    return Math.min(at - (this.#shot?.start ?? 0), end - at) < EDGE_SECONDS;
  }

  async #open(boundary: ShotBoundary): Promise<void> {
    if (this.#shot !== null && boundary.at - this.#shot.start < SHORTEST_SHOT) return;
    await this.#endShot(boundary.at, boundary.since);
    this.#shot = new ShotMeasures(boundary.at, boundary.opening);
  }

  /** @param mixedFrom Where the change to the next shot begins, if it is a slow one. */
  async #endShot(end: number, mixedFrom?: number): Promise<void> {
    if (this.#shot === null) return;
    const keyFrameAt = (await this.#writer.end(mixedFrom)) ?? (this.#shot.start + end) / 2;
    const shot = this.#shot.finish(end, keyFrameAt);
    this.#shots.push(shot);
    this.#shot = null;
    const { keyFrames } = this.#writer;
    const lettering = await this.#lettering.endShot(shot.start, shot.end);
    this.#onShot({
      shot,
      keyFrames: keyFrames.slice(keyFrames.findLastIndex(({ at }) => at < shot.start) + 1),
      lettering,
    });
  }
}

/** Every third pixel tells as much as all. */
const COUNTED_PIXELS = 3;

function countColours({ small: picture }: WatchedFrame, measures: FrameMeasures): ColourCounts {
  const named = new Uint32Array(COLOUR_NAMES.length);
  let pixels = 0;
  for (let i = 0; i < measures.luma.length; i += COUNTED_PIXELS) {
    pixels++;
    const name = colourName(measures.luma[i] ?? 0, picture.blue[i] ?? 128, picture.red[i] ?? 128);
    const index = name === null ? -1 : COLOUR_NAMES.indexOf(name);
    if (index < 0) continue;
    named[index] = (named[index] ?? 0) + 1;
  }
  return { named, pixels };
}
