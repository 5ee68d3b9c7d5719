import type { PictureMeasure, ReadFrame } from "../../core/picture-measure.ts";
import type { TimeRange } from "../../core/time-range.ts";
import type { WatchedFrame } from "../analyse/picture/picture-watcher.ts";
import { isPlainStill, looksLikeTitle, measureStill } from "../analyse/picture/still-measures.ts";
import { findLanguageData } from "../ocr/language-data.ts";
import { NOTHING_SEEN } from "../ocr/text-lines.ts";
import { TextReader } from "../ocr/text-reader.ts";
import type { Environment } from "../outgoing/environment.ts";
import { measurePicture } from "./measure-picture.ts";
import { StillKeeper } from "./still-keeper.ts";

/** What to look at. Plain data. */
export interface LookOrder {
  readonly path: string;
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
  { path, reads = [], stills }: LookOrder,
  environment: Environment,
  signal: AbortSignal,
): Promise<PictureMeasure> {
  const keeper = stills === undefined ? null : new StillKeeper(stills.folder, stills.at);
  using reader = reads.length === 0 ? null : await openReader(environment);
  const read: ReadFrame[] = [];
  const picture = await measurePicture(path, signal, (frame) => {
    keeper?.look(frame);
    if (reader === null) return;
    const isNew = frame.at - (read.at(-1)?.at ?? Number.NEGATIVE_INFINITY) >= READ_SECONDS;
    if (isNew && reads.some(({ start, end }) => frame.at >= start && frame.at < end)) read.push(readOf(frame, reader));
  });
  return {
    ...picture,
    ...(reader === null ? {} : { read }),
    ...(keeper === null ? {} : { stills: keeper.kept }),
  };
}

async function openReader(environment: Environment): Promise<TextReader | null> {
  const data = await findLanguageData("en", environment);
  return data.length === 0 ? null : await TextReader.open(data).catch(() => null);
}

function readOf(frame: WatchedFrame, reader: TextReader): ReadFrame {
  using held = frame.hold();
  const still = measureStill(held.luma);
  const isPlain = isPlainStill(still);
  const { lines, doubtful } = isPlain ? NOTHING_SEEN : reader.read(held.toJpeg());
  return { at: frame.at, lines, doubtful, isPlain, isTitle: looksLikeTitle(still) };
}
