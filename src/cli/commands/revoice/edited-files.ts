import { join, resolve } from "node:path";
import { alignCues } from "../../../core/align-cues.ts";
import type { Cue } from "../../../core/cue.ts";
import { secondsFromFrames } from "../../../core/frame-rate.ts";
import type { FrameGrid } from "../../../core/settings.ts";
import { LONGEST_FRAME_SECONDS, TIMESTAMP_SECONDS } from "../../../core/time-range.ts";
import type { MediaSource, Timeline } from "../../../core/timeline.ts";
import { convertCues, isTimelineFormat, needsGrid, readDocument, WRITABLE_FORMATS } from "../../../formats/index.ts";
import { programmeOf } from "../../../host/edit-plan.ts";
import { nodeFiles } from "../../../host/headless/files.ts";
import { locateMedia } from "../../../host/headless/timeline-media.ts";
import { type PlacedResult, soundingCues } from "../../../result/result.ts";
import { CUE_FILES } from "../../../workflow/deliver/result-files.ts";
import { unrounded } from "../../../workflow/revoice/revoice.ts";
import { programmeGrid } from "../../../workflow/spoken-lines.ts";
import type { OutFolder } from "../../out-folder/out-folder.ts";
import { ownCommand } from "../../shell/own-command.ts";
import { UsageError } from "../../shell/usage-error.ts";
import { readCueSource } from "../../source/cue-source.ts";
import { type DescribedSource, openSource } from "../../source/described-source.ts";
import { fileFingerprint } from "../../source/programme.ts";
import { readTimelineText, TIMELINE_FILES, type TimelineFileText } from "../../source/timeline-source.ts";

/** A timeline of a result as it is now. */
export interface EditedTimeline extends TimelineFileText {
  /** Native path that it was read from. */
  readonly path: string;
  /** Name that it has in the folder of results. */
  readonly name: string;
  /** Fingerprint of the file as it was read. */
  readonly fingerprint: string;
}

/** The cues of a result in a file that somebody worked in. */
interface EditedCueFile {
  readonly path: string;
  /** Fingerprint of the file as it was found. */
  readonly fingerprint: string;
}

/** The files of a folder of results that an editor works in. */
export interface EditedFiles {
  /** The timeline that was worked in, or the first one. */
  readonly main: EditedTimeline;
  /** The timelines that follow it. */
  readonly others: readonly EditedTimeline[];
  /** The file whose cues count in place of the markers; absent where the timeline's do. */
  readonly cues?: EditedCueFile;
}

/** What a call names of the files. */
interface NamedFiles {
  /** The folder as it was named, for messages. */
  readonly folder: string;
  readonly timeline?: string | undefined;
  readonly cues?: string | undefined;
}

/**
 * Reads the files of a folder of results that an editor works in. Which one counts: the one that is named, else the one that is
 * not as it was written, else the first timeline.
 *
 * @throws UsageError when there is no timeline, or several files were worked in; HostError when one cannot be read.
 */
export async function openEditedFiles(folder: OutFolder, named: NamedFiles): Promise<EditedFiles> {
  const timelines = await folder.present(TIMELINE_FILES.map(({ name }) => name));
  const changed: string[] = [];
  for (const name of [...timelines, ...(await folder.present(CUE_FILES))]) {
    if (!(await folder.isAsWritten(name))) changed.push(name);
  }
  const isNamed = named.timeline !== undefined || named.cues !== undefined;
  if (!isNamed && changed.length > 1) throw new UsageError(severalChanged(named.folder, changed));
  const [only] = isNamed ? [] : changed;
  const worked = timelines.find((name) => name === only) ?? timelines.find((name) => changed.includes(name));
  const path = named.timeline === undefined ? undefined : resolve(named.timeline);
  const first = worked ?? timelines[0];
  if (path === undefined && first === undefined) throw new UsageError("there is no timeline in the folder; name one");
  const main = await readTimeline(
    path ?? join(folder.path, first ?? ""),
    path === undefined ? first : timelines.find((name) => join(folder.path, name) === path),
  );
  const others = await Promise.all(
    timelines.filter((name) => name !== main.name).map((name) => readTimeline(join(folder.path, name), name)),
  );
  const text = named.cues ?? (only === undefined || only === worked ? undefined : join(folder.path, only));
  if (text === undefined) return { main, others };
  const cuesPath = resolve(text);
  return { main, others, cues: { path: cuesPath, fingerprint: await fileFingerprint(cuesPath) } };
}

function severalChanged(folder: string, changed: readonly string[]): string {
  const names = changed.map((name) => `"${name}"`);
  const ways = changed.map((name) =>
    isTimelineFile(name)
      ? `${ownCommand()} revoice ${join(folder, name)}`
      : `${ownCommand()} revoice ${folder} --cues ${join(folder, name)}`,
  );
  const all = `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
  return `${all} were changed since they were written. Name the one that counts: ${ways.join(", or ")}; the others are kept aside`;
}

function isTimelineFile(name: string): boolean {
  return TIMELINE_FILES.some((file) => file.name === name);
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
function soleMedia(timeline: Timeline): MediaSource | null {
  const clips = programmeOf(timeline).tracks.flatMap((track) => track.clips);
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

/**
 * The cues of a file as an editor left them, under the ids of the record. A format rounds times, and may write words in its own
 * way: what it would say of the record's cues is no change, and such a cue keeps its exact time and its words.
 *
 * @param sequence The timeline of the result, whose frames a list counts.
 * @throws UsageError or HostError when the file cannot be read.
 */
export async function readEditedCues(
  path: string,
  record: PlacedResult,
  sequence: Pick<FrameGrid, "rate" | "isDropFrame" | "startFrame">,
): Promise<Cue[]> {
  const grid = programmeGrid(sequence, record.offsetSeconds);
  const document = await readCueSource(path, {
    placed: record,
    grid,
    durationSeconds: record.durationSeconds,
    holds: "descriptions",
  });
  const { format, cues } = document;
  // Markers tell by themselves whether they stand where they were put.
  if (format === null || isTimelineFormat(format)) return alignCues(record.cues, cues);
  const exact = soundingCues(record);
  const writable = WRITABLE_FORMATS.find((one) => one === format);
  const tolerance =
    writable !== undefined && needsGrid(writable) ? secondsFromFrames(1, grid.rate) / 2 : TIMESTAMP_SECONDS;
  if (writable === undefined) return unrounded(cues, exact, exact, tolerance);
  const { text } = convertCues({ format, cues: exact, issues: [], extras: [] }, { format: writable, grid });
  const back = readDocument(text, { format, grid }).cues;
  const written = exact.map((cue, index) => ({ ...(back[index] ?? cue), id: cue.id }));
  return unrounded(cues, exact, back.length === exact.length ? written : exact, tolerance);
}
