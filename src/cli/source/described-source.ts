import { resolve } from "node:path";
import { fingerprintOf } from "../../core/bytes.ts";
import { timelineEnd } from "../../core/shown-media.ts";
import type { FilmReading } from "../../formats/gate/film-reading.ts";
import { programmeOf } from "../../host/edit-plan.ts";
import { nodeFiles } from "../../host/headless/files.ts";
import { MediaFileHost } from "../../host/headless/media-file-host.ts";
import type { Host, SequenceCopier } from "../../host/host.ts";
import { UsageError } from "../shell/usage-error.ts";
import { fileFingerprint, openProgramme } from "./programme.ts";
import {
  isTimelineFileName,
  openTimeline,
  readTimelineText,
  TIMELINE_FILES,
  timelineFilesIn,
} from "./timeline-source.ts";

/** What is described: a media file, or the cut of a timeline. */
export interface DescribedSource {
  /** Names of the timeline files that its result has. */
  readonly timelineNames: readonly string[];
  /** Sentences for people about what was done otherwise than the source says. */
  readonly notices: readonly string[];
  /** Length of the programme in seconds. */
  readonly durationSeconds: number;
  /** Size of the file that goes to a service, in bytes; `null` for a cut, which is rendered first. */
  readonly uploadBytes: number | null;
  /** The same for the same content. */
  fingerprint(): Promise<string>;
  /** The same for the same picture and sound, whatever else a timeline holds. */
  programmeFingerprint(): Promise<string>;
  /** The source as a host whose files are made in a run's folder; `finalPathOf` says where they will be. */
  hostIn(runFolder: string, finalPathOf: (path: string) => string): Host & SequenceCopier;
}

/**
 * Opens what is to be described; a timeline is known by the ending of its name.
 *
 * @param audioTrack Which of several sound tracks of a media file holds its dialogue; where absent it is heard.
 * @throws HostError when it, or media of it, is missing or cannot be read; UsageError for a track that is not there.
 */
export async function openSource(path: string, signal: AbortSignal, audioTrack?: string): Promise<DescribedSource> {
  if (!isTimelineFileName(path)) return mediaSource(path, signal, audioTrack);
  if (audioTrack !== undefined)
    throw new UsageError("--audio-track belongs to a media file; of a timeline its own sound tracks are heard");
  const timeline = await openTimeline(resolve(path), signal);
  return {
    timelineNames: [timeline.outputName],
    notices: timeline.notices,
    durationSeconds: timeline.durationSeconds,
    uploadBytes: null,
    fingerprint: async () =>
      fingerprintOf(...(await Promise.all([resolve(path), ...timeline.mediaPaths].map(fileFingerprint)))),
    programmeFingerprint: () => timeline.programmeFingerprint(),
    hostIn: (runFolder, finalPathOf) => timeline.hostIn(runFolder, finalPathOf),
  };
}

/**
 * What texts of a film are held against: its length, its rate and the label of its first frame. Nothing where it cannot be opened;
 * whoever opens it to work on it says why.
 */
export async function filmOf(path: string): Promise<FilmReading> {
  const { signal } = new AbortController();
  try {
    if (!isTimelineFileName(path)) {
      const { rate, isDropFrame, startFrame, durationSeconds } = await openProgramme(path, signal);
      return { grid: { rate, isDropFrame, startFrame }, durationSeconds };
    }
    const { timeline } = await readTimelineText(path);
    const { rate, isDropFrame, startFrame } = timeline;
    return { grid: { rate, isDropFrame, startFrame }, durationSeconds: timelineEnd(programmeOf(timeline)) };
  } catch {
    return {};
  }
}

async function mediaSource(
  path: string,
  signal: AbortSignal,
  audioTrack: string | undefined,
): Promise<DescribedSource> {
  const programme = await openProgramme(path, signal, audioTrack);
  return {
    timelineNames: TIMELINE_FILES.map(({ name }) => name),
    notices: [],
    durationSeconds: programme.durationSeconds,
    uploadBytes: await nodeFiles.size(programme.path),
    fingerprint: () => fileFingerprint(resolve(path)),
    programmeFingerprint: () => fileFingerprint(resolve(path)),
    hostIn: (runFolder, finalPathOf) =>
      new MediaFileHost({ programme, files: nodeFiles, timelineFiles: timelineFilesIn(runFolder), finalPathOf }),
  };
}
