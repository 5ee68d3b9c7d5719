import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type KeptStill, LIGHTS_PER_SECOND, type PictureMeasure, type ReadFrame } from "../../core/measures.ts";
import { type TimeRange, toThousandth } from "../../core/time-range.ts";
import { measureFrame } from "../analyse/picture/frame-measures.ts";
import { PictureWatcher, type WatchedFrame } from "../analyse/picture/picture-watcher.ts";
import { probeProgramme } from "../analyse/sound/choose-sound.ts";
import { decodeProgramme } from "../ffmpeg/decode/decode-programme.ts";
import { findLanguageData } from "../ocr/language-data.ts";
import { NOTHING_SEEN } from "../ocr/text-lines.ts";
import { TextReader } from "../ocr/text-reader.ts";
import type { Environment } from "../outgoing/local-only.ts";
import { isPlainStill, looksLikeTitle, measureStill } from "../still-measures.ts";

/** What to look at. Plain data. */
export interface LookOrder {
  readonly path: string;
  /** Which sound track is the programme's, whose clock counts: by number, language or title; where absent it is heard. */
  readonly audioTrack?: string;
  /** Stretches in which text is read, in order, in seconds on the programme clock; none by default. English alone is read. */
  readonly reads?: readonly TimeRange[];
  /** Pictures that are kept as files in a folder, which exists: those shown at these times, in order, in seconds on the programme clock. */
  readonly stills?: { readonly folder: string; readonly at: readonly number[] };
}

/** Seconds between the frames that are read: text that stands for less is not read by people either. */
const READ_SECONDS = 1;

/**
 * Measures the picture of a programme, and where that is asked for reads what stands on it, and keeps some of it as files. Without language
 * data, or with damaged data, nothing is read.
 *
 * @param environment `ASIDE_OCR_DATA` and `TESSDATA_PREFIX`, see `findLanguageData`.
 * @throws MediaProcessError when the file cannot be opened; the signal's reason when it aborts.
 */
export async function lookAtPicture(
  { path, audioTrack, reads = [], stills }: LookOrder,
  environment: Environment,
  signal: AbortSignal,
): Promise<PictureMeasure> {
  const keeper = stills === undefined ? null : new StillKeeper(stills.folder, stills.at);
  using reader = reads.length === 0 ? null : await openReader(environment);
  const read: ReadFrame[] = [];
  const watch = (frame: WatchedFrame) => {
    keeper?.look(frame);
    if (reader === null) return;
    const isNew = frame.at - (read.at(-1)?.at ?? Number.NEGATIVE_INFINITY) >= READ_SECONDS;
    if (isNew && reads.some(({ start, end }) => frame.at >= start && frame.at < end)) read.push(readOf(frame, reader));
  };
  const picture = await measurePicture(path, signal, watch, audioTrack);
  return {
    ...picture,
    ...(reader === null ? {} : { read }),
    ...(keeper === null ? {} : { stills: keeper.kept }),
  };
}

async function openReader(environment: Environment): Promise<TextReader | null> {
  const data = await findLanguageData("en", environment);
  return data.length === 0 ? null : await TextReader.open(data, "en").catch(() => null);
}

function readOf(frame: WatchedFrame, reader: TextReader): ReadFrame {
  using held = frame.hold();
  const still = measureStill(held.luma);
  const isPlain = isPlainStill(still);
  const { lines, doubtful } = isPlain ? NOTHING_SEEN : reader.read(held.toJpeg());
  return { at: frame.at, lines, doubtful, isPlain, isTitle: looksLikeTitle(still) };
}

/** Keeps the pictures shown at some times as JPEG files, while a programme goes by. */
class StillKeeper {
  readonly kept: KeptStill[] = [];
  readonly #folder: string;
  readonly #times: readonly number[];

  /**
   * @param folder Where the files go; it exists.
   * @param times In order, in seconds on the programme clock.
   */
  constructor(folder: string, times: readonly number[]) {
    this.#folder = folder;
    this.#times = times;
  }

  /**
   * Looks at the next frame: the first at or after a time is the picture of that time.
   *
   * @throws Error when the file cannot be written.
   */
  look(frame: WatchedFrame): void {
    for (
      let at = this.#times[this.kept.length];
      at !== undefined && frame.at >= at;
      at = this.#times[this.kept.length]
    ) {
      const file = `at-${String(Math.round(at * 1000)).padStart(9, "0")}.jpg`;
      using held = frame.hold();
      writeFileSync(join(this.#folder, file), held.toJpeg());
      this.kept.push({ at, file });
    }
  }
}

/**
 * Measures the picture of a programme: where it changes, how light it is, and its shots. A file without picture has none of them.
 *
 * @param onFrame Told of each frame, in order of time; the frame is only valid meanwhile.
 * @param audioTrack As in {@link LookOrder}.
 * @throws MediaProcessError when the file cannot be opened; the signal's reason when it aborts.
 */
export async function measurePicture(
  path: string,
  signal: AbortSignal,
  onFrame: (frame: WatchedFrame) => void = () => {},
  audioTrack?: string,
): Promise<PictureMeasure> {
  const { durationSeconds, sound } = await probeProgramme(path, audioTrack, signal);
  using watcher = new PictureWatcher(null);
  const sums: { light: number; frames: number }[] = [];
  for await (const part of decodeProgramme(path, {
    durationSeconds: durationSeconds ?? 0,
    tracks: sound?.tracks,
    signal,
  })) {
    if (part.kind !== "picture") continue;
    const { at, small } = part.frame;
    onFrame(part.frame);
    const slot = Math.max(0, Math.floor(at * LIGHTS_PER_SECOND));
    sums[slot] ??= { light: 0, frames: 0 };
    sums[slot].light += measureFrame(at, small).brightness;
    sums[slot].frames += 1;
    await watcher.add(part.frame);
  }
  const { shots } = await watcher.finish(durationSeconds ?? 0);
  return {
    changes: shots.slice(1).map(({ start }) => start),
    shots: shots.map(({ start, end, motion, colours, frozenSeconds }) => ({
      start,
      end,
      motion,
      colours,
      frozenSeconds,
    })),
    light: Array.from(sums, (sum) => (sum === undefined ? null : toThousandth(sum.light / sum.frames))),
  };
}
