import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Cue } from "../../core/cue.ts";
import type { FrameRate } from "../../core/frame-rate.ts";
import { CLIP_NAME_PREFIX, clipPlaces } from "../../workflow/place/cue-clips.ts";
import type { Replacement } from "../../workflow/place/replace.ts";
import { CLIPS_FOLDER } from "./out-folder.ts";
import { WaveStem } from "./wave-stem.ts";

/** The narration of a result as a timeline takes it. */
export interface NarrationFiles {
  /** What is placed. */
  readonly placed: Pick<Replacement, "audio" | "clips">;
  /** Names of files inside the run's folder, beside the whole narration. */
  readonly names: readonly string[];
  readonly clipNames: readonly string[];
}

/**
 * Makes ready what is placed of a narration: the file with all of it, or a file for each cue, cut out of it on frames.
 *
 * @throws HostError when no clips can be cut out of the file.
 */
export async function narrationFiles(
  narration: { readonly path: string; readonly name: string; readonly durationSeconds: number },
  programme: { readonly cues: readonly Cue[]; readonly rate: FrameRate; readonly offsetSeconds: number },
  options: { readonly runFolder: string; readonly isInClips: boolean; readonly signal: AbortSignal },
): Promise<NarrationFiles> {
  const { path, name, durationSeconds } = narration;
  if (!options.isInClips) {
    const clipName = `${CLIP_NAME_PREFIX}${name}`;
    return { placed: { audio: { path, clipName, durationSeconds } }, names: [], clipNames: [clipName] };
  }
  const { cues, rate, offsetSeconds } = programme;
  const folder = join(options.runFolder, CLIPS_FOLDER);
  await mkdir(folder, { recursive: true });
  const stem = await WaveStem.open(path, "r");
  try {
    const clips: NonNullable<Replacement["clips"]>[number][] = [];
    for (const place of clipPlaces(cues, rate, offsetSeconds)) {
      options.signal.throwIfAborted();
      const clipPath = join(folder, place.name);
      await stem.cut({ start: place.start - offsetSeconds, durationSeconds: place.durationSeconds }, clipPath);
      clips.push({ path: clipPath, place });
    }
    const clipNames = clips.map(({ place }) => place.name);
    return { placed: { clips }, names: clipNames.map((clip) => `${CLIPS_FOLDER}/${clip}`), clipNames };
  } finally {
    await stem.close();
  }
}
