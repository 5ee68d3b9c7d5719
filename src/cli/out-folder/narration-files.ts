import { basename, join } from "node:path";
import type { FrameRate } from "../../core/frame-rate.ts";
import { CLIP_NAME_PREFIX } from "../../host/edit-plan.ts";
import { nodeFiles } from "../../host/headless/files.ts";
import { HostError } from "../../host/host-error.ts";
import type { Result } from "../../result/result.ts";
import { makeFolder } from "../../service/storage/make-folder.ts";
import { cutNarrationClips } from "../../workflow/place/narration-clips.ts";
import type { Replacement } from "../../workflow/place/replace.ts";
import { CLIPS_FOLDER } from "./out-folder.ts";

/** The narration of a result as a timeline takes it. */
export interface NarrationFiles {
  /** What is placed. */
  readonly placed: Pick<Replacement, "audio" | "clips">;
  /** Names of files inside the run's folder, beside the whole narration. */
  readonly names: readonly string[];
  readonly clipNames: readonly string[];
  /** Sentences for people about what is not heard. */
  readonly notices: readonly string[];
}

/**
 * Makes ready what is placed of a result's narration: the file with all of it, or a file for each cue, cut out of it on
 * frames; `null` where there is no narration.
 *
 * @throws HostError when no clips can be cut out of the file.
 */
export async function narrationFiles(
  result: Pick<Result, "cues" | "mutedIds" | "voiced" | "offsetSeconds" | "audio">,
  options: {
    readonly rate: FrameRate;
    readonly runFolder: string;
    readonly isInClips: boolean;
    readonly signal: AbortSignal;
  },
): Promise<NarrationFiles | null> {
  const { audio } = result;
  if (audio === undefined) return null;
  if (!options.isInClips) {
    const clipName = `${CLIP_NAME_PREFIX}${basename(audio.path)}`;
    return { placed: { audio: { ...audio, clipName } }, names: [], clipNames: [clipName], notices: [] };
  }
  const folder = join(options.runFolder, CLIPS_FOLDER);
  await makeFolder(folder);
  const { rate, signal } = options;
  const notices: string[] = [];
  const clips = await cutNarrationClips(nodeFiles, {
    result,
    rate,
    signal,
    pathOf: (name) => join(folder, name),
    onShared: (ids) =>
      notices.push(
        `Not laid, because a description that changed is heard in theirs: ${ids.join(", ")}. Run aside revoice.`,
      ),
    onCutOff: (ids) => notices.push(`Not laid, because the next description would cut it off: ${ids.join(", ")}.`),
  });
  if (clips === null) {
    throw new HostError("file_unreadable", `"${basename(audio.path)}" is no WAV file that clips can be made of`, {
      operation: "read the narration",
      state: "nothing was changed",
    });
  }
  const clipNames = clips.map(({ place }) => place.name);
  return { placed: { clips }, names: clipNames.map((clip) => `${CLIPS_FOLDER}/${clip}`), clipNames, notices };
}
