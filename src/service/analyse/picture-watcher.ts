import type { Shot, ShotOpening } from "../../core/shot.ts";
import type { KeyFrame } from "../programme-analysis.ts";
import { isBlack, isBlank } from "./blank-detector.ts";
import { COLOUR_NAMES, colourName } from "./colour-names.ts";
import { type FrameMeasures, type MeasuredPicture, measureFrame } from "./frame-measures.ts";
import { KeyFrameWriter } from "./key-frame-writer.ts";
import { LayoutCounts } from "./picture-layout.ts";
import { FOUND_WITHIN, type ShotBoundary, ShotFinder } from "./shot-finder.ts";
import { type ColourCounts, ShotMeasures } from "./shot-measures.ts";
import { looksLikeTitle, measureStill, type StillLuma } from "./still-measures.ts";

/** A frame as the decoder gives it, see `PictureFrame`. */
export interface WatchedFrame {
  readonly at: number;
  /** Whether the small picture stands as it is shown; one from a phone may lie on its side. */
  readonly isUpright: boolean;
  readonly small: MeasuredPicture;
  readonly hold: () => HeldStill;
}

/** A frame that is kept, see `HeldPicture`. */
interface HeldStill extends Disposable {
  readonly luma: StillLuma;
  readonly toJpeg: () => Buffer;
}

/** What was seen. */
export interface PictureFindings {
  readonly shots: readonly Shot[];
  readonly keyFrames: readonly KeyFrame[];
  /** Whether any frame showed anything: more than black with a line of lettering, or one colour. */
  readonly hasVisiblePicture: boolean;
  /** Seconds on the programme clock of the last frame; `null` without one. */
  readonly lastFrameAt: number | null;
}

/** Seconds between the frames that are looked at closely. */
const STILL_SECONDS = 0.5;

/** After a step this large a new shot may have begun: the frame after next is looked at closely. */
const NOTABLE_STEP = 0.08;

/** Two boundaries closer than this, in seconds, are one: nobody sees a shot of three frames. */
const SHORTEST_SHOT = 0.15;

/** Seconds at either end of a shot in which a frame may still hold some of its neighbour, and what that costs it. */
const EDGE = { seconds: 0.25, merit: 0.5 };

interface QueuedFrame {
  readonly measures: FrameMeasures;
  readonly still: CloseLook | null;
}

interface CloseLook {
  readonly held: HeldStill;
  readonly sharpness: number;
  readonly isTitle: boolean;
  readonly colours: ColourCounts;
}

/** Watches a picture frame by frame: shots, their measures, and key frames. */
export class PictureWatcher implements Disposable {
  readonly #finder = new ShotFinder();
  readonly #writer: KeyFrameWriter;
  readonly #onShot: (shot: Shot, keyFrames: readonly KeyFrame[]) => void;
  readonly #queue: QueuedFrame[] = [];
  readonly #boundaries: ShotBoundary[] = [];
  readonly #shots: Shot[] = [];
  #shot: ShotMeasures | null = null;
  #sawSomething = false;
  #lastStillAt = Number.NEGATIVE_INFINITY;
  #framesSinceStep = Number.POSITIVE_INFINITY;
  #lastFrameAt: number | null = null;

  /**
   * @param folder Where key frames are written.
   * @param onShot Told of each shot as soon as it is over, with its key frames.
   */
  constructor(folder: string, onShot: (shot: Shot, keyFrames: readonly KeyFrame[]) => void = () => {}) {
    this.#writer = new KeyFrameWriter(folder);
    this.#onShot = onShot;
  }

  /** Takes in the next frame, which is not kept. */
  async add(frame: WatchedFrame): Promise<void> {
    const measures = measureFrame(frame.at, frame.small);
    this.#lastFrameAt = frame.at;
    if (!isBlank(measures) && !isBlack(measures)) this.#sawSomething = true;
    this.#note(this.#finder.add(measures));
    this.#framesSinceStep = this.#finder.lastStep >= NOTABLE_STEP ? 0 : this.#framesSinceStep + 1;
    const isDue = frame.at - this.#lastStillAt >= STILL_SECONDS || this.#framesSinceStep === 2;
    this.#queue.push({ measures, still: isDue ? this.#look(frame, measures) : null });
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
      hasVisiblePicture: this.#sawSomething,
      lastFrameAt: this.#lastFrameAt,
    };
  }

  [Symbol.dispose](): void {
    for (const { still } of this.#queue.splice(0)) still?.held[Symbol.dispose]();
    this.#writer[Symbol.dispose]();
  }

  #look(frame: WatchedFrame, measures: FrameMeasures): CloseLook {
    this.#lastStillAt = frame.at;
    const held = frame.hold();
    const still = measureStill(held.luma);
    return {
      held,
      sharpness: still.sharpness,
      isTitle: looksLikeTitle(still),
      colours: countColours(frame, measures),
    };
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
    const { measures, still } = next;
    if (this.#shot === null) this.#beginShot(0, "start");
    const boundary = this.#boundaries[0];
    if (boundary !== undefined && boundary.at <= measures.at) {
      this.#boundaries.shift();
      await this.#open(boundary);
    }
    this.#shot?.add(measures);
    if (still === null) return;
    this.#shot?.addStill(still.colours, still.isTitle && !isBlank(measures));
    await this.#writer.offer({
      at: measures.at,
      merit: still.sharpness * this.#edgeMerit(measures.at),
      toJpeg: () => still.held.toJpeg(),
      [Symbol.dispose]: () => still.held[Symbol.dispose](),
    });
  }

  /** Frames at the edge of a shot are chosen only where there is nothing else. */
  #edgeMerit(at: number): number {
    const sinceStart = at - (this.#shot?.start ?? 0);
    const toEnd = (this.#boundaries[0]?.at ?? Number.POSITIVE_INFINITY) - at;
    return Math.min(sinceStart, toEnd) < EDGE.seconds ? EDGE.merit : 1;
  }

  async #open(boundary: ShotBoundary): Promise<void> {
    if (this.#shot !== null && boundary.at - this.#shot.start < SHORTEST_SHOT) return;
    await this.#endShot(boundary.at);
    this.#beginShot(boundary.at, boundary.opening);
  }

  #beginShot(start: number, opening: ShotOpening): void {
    this.#shot = new ShotMeasures(start, opening);
    this.#writer.begin(start);
  }

  async #endShot(end: number): Promise<void> {
    if (this.#shot === null) return;
    const keyFrameAt = (await this.#writer.end()) ?? (this.#shot.start + end) / 2;
    const shot = this.#shot.finish(end, keyFrameAt);
    this.#shots.push(shot);
    this.#shot = null;
    const { keyFrames } = this.#writer;
    this.#onShot(shot, keyFrames.slice(keyFrames.findLastIndex(({ at }) => at < shot.start) + 1));
  }
}

/** Every third pixel tells as much as all. */
const COUNTED_PIXELS = 3;

function countColours({ small: picture, isUpright }: WatchedFrame, measures: FrameMeasures): ColourCounts {
  const named = new Uint32Array(COLOUR_NAMES.length);
  const layout = isUpright ? new LayoutCounts() : null;
  const { top, bottom } = measures.edges;
  const rows = { width: measures.width, top, bottom: Math.max(top + 1, measures.height - bottom) };
  let pixels = 0;
  for (let i = 0; i < measures.luma.length; i += COUNTED_PIXELS) {
    pixels++;
    const name = colourName(measures.luma[i] ?? 0, picture.blue[i] ?? 128, picture.red[i] ?? 128);
    const index = name === null ? -1 : COLOUR_NAMES.indexOf(name);
    layout?.count(rows, i, measures.luma[i] ?? 0, index);
    if (index < 0) continue;
    named[index] = (named[index] ?? 0) + 1;
  }
  return { named, pixels, layout };
}
