import { join } from "node:path";
import type { DescriptionSettings } from "../../core/settings.ts";
import type { AnalyseOptions } from "../analyse/analyse-programme.ts";
import { framesToRead, readKeyFrames } from "../ocr/read-key-frames.ts";
import type { ScreenTextReader } from "../ocr/text-reading.ts";
import { NOTHING_READ, type OnscreenReading } from "../onscreen-text.ts";
import type { StoredAnalysis } from "../programme-analysis.ts";

/** Whether a description tells all text on screen, not that of title cards alone: only extended AD has the time. */
export function readsAllText({ readsAllOnscreenText, type }: DescriptionSettings): boolean {
  return readsAllOnscreenText && type === "extended";
}

/**
 * Begins to read a shot's text as soon as the analysis is through with it: decoding leaves a processor enough idle time
 * for that. Nothing is read for a script that somebody else wrote.
 *
 * @param folder Where the analysis writes key frames.
 */
export function readingAhead(
  settings: DescriptionSettings,
  reading: ScreenTextReader,
  folder: string,
): NonNullable<AnalyseOptions["onShot"]> {
  const readsAll = readsAllText(settings);
  return (watched) => {
    if (settings.script !== undefined) return;
    for (const { file } of framesToRead(watched, readsAll)) reading.begin(join(folder, file));
  };
}

/** What stands on screen, as far as the job needs it. @throws the signal's reason when it aborts. */
export async function readScreen(
  settings: DescriptionSettings,
  { analysis, folder }: StoredAnalysis,
  reading: ScreenTextReader,
  signal: AbortSignal,
): Promise<OnscreenReading> {
  if (settings.script !== undefined) return NOTHING_READ;
  const { shots, keyFrames, lettering } = analysis;
  return await readKeyFrames(
    { shots, keyFrames, lettering, folder, readsAll: readsAllText(settings) },
    reading,
    signal,
  );
}
