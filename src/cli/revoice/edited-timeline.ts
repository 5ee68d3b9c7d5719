import { join, resolve } from "node:path";
import type { MediaSource, Timeline } from "../../core/timeline.ts";
import { LONGEST_FRAME_SECONDS } from "../../core/tolerance.ts";
import { NARRATION_TRACK_NAME } from "../../host/edit-plan.ts";
import { nodeFiles } from "../../host/headless/files.ts";
import { locateMedia } from "../../host/headless/timeline-media.ts";
import type { OutFolder } from "../out-folder/out-folder.ts";
import { type DescribedSource, openSource } from "../source/described-source.ts";
import { fileFingerprint } from "../source/file-fingerprint.ts";
import { TIMELINE_FILES } from "../source/timeline-files.ts";
import { readTimelineText, type TimelineFileText } from "../source/timeline-text.ts";
import { UsageError } from "../usage-error.ts";

/** A timeline of a result as it is now. */
export interface EditedTimeline extends TimelineFileText {
  /** Native path that it was read from. */
  readonly path: string;
  /** Name that it has in the folder of results. */
  readonly name: string;
  /** Fingerprint of the file as it was read. */
  readonly fingerprint: string;
}

/** The timelines of a folder of results: the one that was worked in, and those that follow it. */
export interface EditedTimelines {
  readonly main: EditedTimeline;
  readonly others: readonly EditedTimeline[];
  /** Sentences for people. */
  readonly notices: readonly string[];
}

/**
 * Reads the timelines of a folder.
 *
 * @param given The timeline that was worked in; absent: the one that is not as it was written, else the first.
 * @throws UsageError when there is none, or more than one was worked in; HostError when one cannot be read.
 */
export async function openEditedTimelines(folder: OutFolder, given: string | undefined): Promise<EditedTimelines> {
  const present: string[] = [];
  for (const { name } of TIMELINE_FILES) {
    if ((await nodeFiles.size(join(folder.path, name))) !== null) present.push(name);
  }
  const changed: string[] = [];
  for (const name of present) if (!(await folder.isAsWritten(name))) changed.push(name);
  const path = given === undefined ? undefined : resolve(given);
  if (path === undefined && changed.length > 1) {
    throw new UsageError(
      `${changed.map((name) => `"${name}"`).join(" and ")} were both changed; name the one that counts`,
    );
  }
  const named = path === undefined ? undefined : present.find((name) => join(folder.path, name) === path);
  const first = path ?? join(folder.path, changed[0] ?? present[0] ?? "");
  if (path === undefined && present.length === 0) throw new UsageError("there is no timeline in the folder; name one");
  const main = await readTimeline(first, named);
  const left = changed.filter((name) => name !== main.name);
  const others = await Promise.all(
    present
      .filter((name) => name !== main.name && !left.includes(name))
      .map((name) => readTimeline(join(folder.path, name), name)),
  );
  return { main, others, notices: left.map((name) => `"${name}" was changed too; it is left as it is.`) };
}

async function readTimeline(path: string, name: string | undefined): Promise<EditedTimeline> {
  const [fingerprint, read] = [await fileFingerprint(path).catch(() => ""), await readTimelineText(path)];
  return { ...read, path, fingerprint, name: name ?? (read.format === "otio" ? "timeline.otio" : "timeline.xml") };
}

/**
 * Opens what a timeline was made of: the media file that it shows from its first frame to its last and nothing else, else
 * its cut.
 *
 * @throws HostError when media are missing or cannot be read.
 */
export async function openTimelineSource(timeline: EditedTimeline, signal: AbortSignal): Promise<DescribedSource> {
  const media = soleMedia(timeline.timeline);
  if (media === null) return openSource(timeline.path, signal);
  const pathOf = await locateMedia([media], timeline.path, nodeFiles);
  return openSource(pathOf(media), signal);
}

/** The one medium that a timeline is, whole and unaltered; `null` for a cut. */
function soleMedia({ tracks }: Timeline): MediaSource | null {
  const clips = tracks.filter(({ name }) => name !== NARRATION_TRACK_NAME).flatMap((track) => track.clips);
  const [first] = clips;
  if (first === undefined || first.source.kind !== "media" || first.source.location === null) return null;
  const { source, end } = first;
  const isWhole = clips.every(
    (clip) =>
      clip.source.kind === "media" &&
      clip.source.location === source.location &&
      clip.isEnabled &&
      clip.speed === 1 &&
      Math.abs(clip.start) < LONGEST_FRAME_SECONDS &&
      Math.abs(clip.sourceStart) < LONGEST_FRAME_SECONDS &&
      Math.abs(clip.end - end) < LONGEST_FRAME_SECONDS,
  );
  const length = source.durationSeconds ?? end;
  return isWhole && Math.abs(length - end) < LONGEST_FRAME_SECONDS ? source : null;
}
