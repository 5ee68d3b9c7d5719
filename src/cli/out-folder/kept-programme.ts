import { basename, join } from "node:path";
import type { FrameRate } from "../../core/frame-rate.ts";
import { isObject } from "../../core/objects.ts";
import { CLIP_NAME_PREFIX } from "../../host/edit-plan.ts";
import { nodeFiles } from "../../host/headless/files.ts";
import type { ExportedMedia } from "../../host/host.ts";
import { HostError } from "../../host/host-error.ts";
import type { Result } from "../../result/result.ts";
import { makeFolder } from "../../service/storage/synced-folder.ts";
import { RECORD_VERSION, type RecoveryStore, type RunMedia } from "../../workflow/describe/recovery.ts";
import { cutNarrationClips } from "../../workflow/place/narration-clips.ts";
import type { Replacement } from "../../workflow/place/replace.ts";
import { readJsonObject } from "../source/results-folder.ts";
import { CLIPS_FOLDER, type OutFolder } from "./out-folder.ts";

/** The programme of a result as a service has it: a later run of the same picture and sound need not render and send it again. */
export interface KeptProgramme {
  /** Tells the picture and sound, and the service, from others. */
  readonly content: string;
  readonly media: RunMedia;
  readonly exported: ExportedMedia;
}

/** The programme that is kept of a folder's result; `null` where there is none. */
export async function readKeptProgramme(folder: OutFolder): Promise<KeptProgramme | null> {
  const kept = await readJsonObject(folder.programmePath);
  const isWhole = typeof kept["content"] === "string" && isObject(kept["media"]) && isObject(kept["exported"]);
  // Written below; whether the service still has it is found when it is used.
  return isWhole ? (kept as unknown as KeptProgramme) : null;
}

/**
 * A store of records that keeps the programme of its runs, and begins a new run with the kept one.
 *
 * @param content Of the runs; see {@link KeptProgramme}.
 * @param known What is kept; absent: every run sends its own.
 */
export function keepingProgramme(
  store: RecoveryStore,
  folder: OutFolder,
  content: string,
  known: KeptProgramme | null = null,
): RecoveryStore {
  return {
    ...store,
    async load(runId) {
      const record = await store.load(runId);
      if (record !== null || known?.content !== content) return record;
      const { media, exported } = known;
      return { version: RECORD_VERSION, runId, startedAt: new Date().toISOString(), name: "", media, exported };
    },
    async save(record) {
      await store.save(record);
      const { media, exported } = record;
      if (media === undefined || exported === undefined) return;
      await nodeFiles.writeText(folder.programmePath, JSON.stringify({ content, media, exported }));
    },
  };
}

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
