import { basename, join } from "node:path";
import { fingerprintOf } from "../../core/bytes.ts";
import { frameRate, framesFromSeconds, framesPerSecond, secondsFromFrames } from "../../core/frame-rate.ts";
import {
  countEffects,
  heardSounds,
  leftOutOfRender,
  type MediaStretch,
  shownPictures,
  timelineEnd,
} from "../../core/shown-media.ts";
import type { TimeRange } from "../../core/time-range.ts";
import type { MediaSource, Timeline } from "../../core/timeline.ts";
import { type CutOrder, type CutStretch, engine, IsolateError } from "../../engine/index.ts";
import {
  editFcp7Xml,
  editOtio,
  formatOfName,
  isTimelineFormat,
  parseFcp7Xml,
  parseOtio,
  parseTimeline,
  writeFcp7Xml,
  writeOtio,
} from "../../formats/index.ts";
import type { ParseIssue } from "../../formats/parse-issue.ts";
import type { TimelineFormat } from "../../formats/registry.ts";
import type { TimelineEdit, TimelineEditResult } from "../../formats/timeline-document.ts";
import { type EditPlan, programmeOf } from "../../host/edit-plan.ts";
import { applyPlan, type PlacedSound } from "../../host/headless/apply-plan.ts";
import { nodeFiles } from "../../host/headless/files.ts";
import type { TimelineFile } from "../../host/headless/media-file-host.ts";
import { timelineEditOf } from "../../host/headless/timeline-edit.ts";
import { TimelineHost } from "../../host/headless/timeline-host.ts";
import { locateMedia } from "../../host/headless/timeline-media.ts";
import type { Host, HostOperation, SequenceCopier } from "../../host/host.ts";
import { HostError, type HostErrorCode } from "../../host/host-error.ts";
import { fileFingerprint, openProgramme } from "./programme.ts";
import { readText } from "./text-file.ts";

/** How the result of a timeline of one format is written. FCPXML is read only: its cut goes on as Final Cut Pro 7 XML. */
interface TimelineOutput {
  /** Name of the file that the result is written to. */
  readonly name: string;
  edit(text: string, timeline: Timeline, change: TimelineEdit): TimelineEditResult;
}

const OUTPUTS: Readonly<Record<TimelineFormat, TimelineOutput>> = {
  otio: { name: "timeline.otio", edit: (text, _, change) => editOtio(text, change) },
  "fcp7-xml": { name: "timeline.xml", edit: (text, _, change) => editFcp7Xml(text, change) },
  fcpxml: { name: "timeline.xml", edit: (_, timeline, change) => editFcp7Xml(writeFcp7Xml(timeline), change) },
};

/** Whether a file is taken for a timeline, by the ending of its name. */
export function isTimelineFileName(path: string): boolean {
  const format = formatOfName(path);
  return format !== undefined && isTimelineFormat(format);
}

/** A timeline that can be described: everything it needs is there. */
export interface OpenedTimeline {
  readonly outputName: string;
  /** Native paths of the media that are seen or heard. */
  readonly mediaPaths: readonly string[];
  readonly notices: readonly string[];
  /** Length of the cut in seconds. */
  readonly durationSeconds: number;
  /** The same for a cut that is rendered to the same picture and sound. */
  programmeFingerprint(): Promise<string>;
  hostIn(runFolder: string, finalPathOf: (path: string) => string): Host & SequenceCopier;
}

/** Longest cut that is rendered, in seconds: a day. */
const LONGEST_SECONDS = 86_400;

/** Size that the render fits into: enough to tell faces and read signs by. */
const LARGEST = { width: 1280, height: 720 };

/** Rates that are rendered as they are, in frames per second; a timeline of another is rendered at 25. */
const RATES = { slowest: 1, fastest: 120, instead: frameRate(25) };

/** The render of a timeline inside a run's folder. */
const RENDER_FILE = "cut.mp4";

/** Resident memory that rendering may use, in bytes: several sources are open at a time. */
const RENDER_MEMORY_BYTES = 2_500_000_000;

/**
 * Opens a timeline file whose cut is to be described.
 *
 * @throws HostError `file_not_found` naming it or media that are missing, `file_unreadable`, `sequence_empty`,
 * `no_video_stream`.
 */
export async function openTimeline(path: string, signal: AbortSignal): Promise<OpenedTimeline> {
  const { format, text, timeline, issues } = await readTimelineText(path);
  const written = OUTPUTS[format];
  // Narration of ours is no part of the programme.
  const programme = programmeOf(timeline);
  const end = timelineEnd(programme);
  if (end > LONGEST_SECONDS) throw refusal("file_unreadable", `"${basename(path)}" claims to last more than a day`);
  const pictures = shownPictures(programme);
  const sounds = heardSounds(programme).filter(({ media }) => media.location !== null);
  if (end === 0) throw refusal("sequence_empty", `the timeline in "${basename(path)}" holds no clip`);
  if (pictures.length === 0) throw refusal("no_video_stream", `the timeline in "${basename(path)}" shows no picture`);
  const media = [...new Set([...pictures, ...sounds].map((stretch) => stretch.media))];
  const pathOf = await locateMedia(media, path, nodeFiles);
  const size = await renderSize(timeline, pictures, pathOf, signal);
  const fps = framesPerSecond(timeline.rate);
  const rate = fps >= RATES.slowest && fps <= RATES.fastest ? timeline.rate : RATES.instead;
  const frames = Math.max(1, framesFromSeconds(end, rate, "ceil"));
  const durationSeconds = secondsFromFrames(frames, rate);
  const stretches = (list: readonly MediaStretch[]) => list.map((stretch) => cutStretch(stretch, pathOf));
  const cut = { rate, frames, size, pictures: stretches(pictures), sounds: stretches(sounds) };
  const unread = new Set(issues.filter(({ effect }) => effect === "dropped").map(({ message }) => message));
  return {
    outputName: written.name,
    durationSeconds,
    mediaPaths: [...new Set(media.map(pathOf))],
    notices: [
      ...leftOutOfRender(programme),
      ...(format === "fcpxml" ? writtenAnew(timeline, written.name) : []),
      ...silentNotice(sounds),
      ...[...unread].map((what) => `The timeline: ${what}.`),
    ],
    programmeFingerprint: () => cutFingerprint(cut),
    hostIn: (runFolder, finalPathOf) => {
      const renderPath = join(runFolder, RENDER_FILE);
      return new TimelineHost({
        path,
        text,
        timeline,
        durationSeconds,
        files: nodeFiles,
        renderPath,
        render: (stretch, output, operation) => render({ ...cutOf(cut, stretch), output }, operation),
        output: {
          path: join(runFolder, written.name),
          edit: written.edit,
          read: (result) => parseTimeline(result, written.name).timeline,
        },
        finalPathOf,
      });
    },
  };
}

async function cutFingerprint(cut: Omit<CutOrder, "output">): Promise<string> {
  const paths = [...new Set([...cut.pictures, ...cut.sounds].map(({ path }) => path))];
  const contents = new Map(await Promise.all(paths.map(async (path) => [path, await fileFingerprint(path)] as const)));
  return fingerprintOf(JSON.stringify(cut, (key, value) => (key === "path" ? contents.get(value) : value)));
}

/** A part of a cut, on a clock of its own. */
function cutOf(cut: Omit<CutOrder, "output">, { start, end }: TimeRange): Omit<CutOrder, "output"> {
  const within = (stretches: readonly CutStretch[]) =>
    stretches.flatMap((stretch): CutStretch[] => {
      const [from, to] = [Math.max(stretch.start, start), Math.min(stretch.end, end)];
      if (to <= from) return [];
      const sourceStart = stretch.sourceStart + (from - stretch.start) * stretch.speed;
      return [{ ...stretch, start: from - start, end: to - start, sourceStart }];
    });
  const frames = Math.max(1, framesFromSeconds(end - start, cut.rate));
  return { ...cut, frames, pictures: within(cut.pictures), sounds: within(cut.sounds) };
}

function cutStretch(stretch: MediaStretch, pathOf: (source: MediaSource) => string): CutStretch {
  const { media, start, end, sourceStart, speed, sourceChannel } = stretch;
  const channel = sourceChannel === undefined ? {} : { sourceChannel };
  return { path: pathOf(media), start, end, sourceStart, speed, ...channel };
}

/** What a cut loses that is not written back in its own format. */
export function writtenAnew(timeline: Timeline, name: string): string[] {
  const effects = countEffects(timeline);
  return effects === 0
    ? []
    : [`"${name}" is written with clips, speeds, transitions and markers, without effects (${effects}).`];
}

function silentNotice(sounds: readonly MediaStretch[]): string[] {
  const count = sounds.filter(({ speed }) => speed <= 0).length;
  return count === 0 ? [] : [`Sound that runs backwards or stands still was not rendered: ${count} clips.`];
}

/** The sequence's own shape, else that of the first picture, as large as {@link LARGEST} allows. */
async function renderSize(
  timeline: Timeline,
  pictures: readonly MediaStretch[],
  pathOf: (source: MediaSource) => string,
  signal: AbortSignal,
): Promise<CutOrder["size"]> {
  const stated = timeline.frameSize ?? pictures.find(({ media }) => media.frameSize !== undefined)?.media.frameSize;
  const moving = pictures.find(({ media }) => media.isStill !== true);
  const size =
    stated ??
    (moving === undefined ? undefined : (await openProgramme(pathOf(moving.media), signal)).frameSize) ??
    LARGEST;
  const factor = Math.min(1, LARGEST.width / size.width, LARGEST.height / size.height);
  const even = (length: number) => Math.max(16, 2 * Math.round((length * factor) / 2));
  return { width: even(size.width), height: even(size.height) };
}

/** Renders a cut in a process of its own: broken media may take FFmpeg down, and nothing else. */
async function render(order: CutOrder, { signal, onProgress }: HostOperation): Promise<void> {
  try {
    await engine.renderCut(order, {
      signal,
      memoryLimitBytes: RENDER_MEMORY_BYTES,
      onProgress: ({ fraction }) => onProgress?.({ fraction }),
    });
  } catch (error) {
    if (!(error instanceof IsolateError)) throw error;
    const isMediaFault = error.detail.raised?.startsWith("MediaProcessError") === true;
    const code = isMediaFault ? "file_unreadable" : "export_failed";
    throw new HostError(code, error.message.replace(/\.$/, ""), {
      operation: "render the timeline",
      state: "nothing was changed",
      cause: error,
    });
  }
}

function refusal(code: HostErrorCode, message: string): HostError {
  return new HostError(code, message, { operation: "open the timeline", state: "nothing was changed" });
}

/** A timeline file that was read, and what of it could not be. */
export interface TimelineFileText extends TimelineText {
  readonly format: TimelineFormat;
  readonly issues: readonly ParseIssue[];
}

/**
 * Reads a timeline file: OpenTimelineIO, Final Cut Pro 7 XML or FCPXML, told apart by their text.
 *
 * @throws HostError when it cannot be read or holds no timeline.
 */
export async function readTimelineText(path: string): Promise<TimelineFileText> {
  const { text } = await readText(path);
  const { format, timeline, issues } = parseTimeline(text, basename(path));
  if (timeline !== null && format !== null) return { format, text, timeline, issues };
  const reason = issues[0]?.message ?? "give an .otio, .xml or .fcpxml file";
  const message = `"${basename(path)}" holds no timeline: ${reason}`;
  throw new HostError("file_unreadable", message, { operation: "read a timeline", state: "nothing was changed" });
}

/** The timeline files of a result. */
export const TIMELINE_FILES: readonly (Omit<TimelineFile, "path"> & { readonly name: string })[] = [
  { name: "timeline.otio", write: writeOtio, read: (text) => parseOtio(text).timeline },
  { name: "timeline.xml", write: writeFcp7Xml, read: (text) => parseFcp7Xml(text).timeline },
];

/** The timeline files of a result inside a folder. */
export function timelineFilesIn(folder: string): TimelineFile[] {
  return TIMELINE_FILES.map(({ name, ...file }) => ({ ...file, path: join(folder, name) }));
}

/** A timeline document that was read. */
export interface TimelineText {
  readonly format: string;
  readonly text: string;
  readonly timeline: Timeline;
}

/**
 * The text of a timeline after a plan. In its own format only what the plan names changes, to the byte; in another one the
 * whole timeline is written anew.
 *
 * @param format `otio` or `fcp7-xml`.
 * @param soundOf Tells about each sound file that the plan places.
 */
export function textAfterPlan(
  document: TimelineText,
  plan: EditPlan,
  format: string,
  soundOf = (path: string): PlacedSound => ({ location: path, channels: 1, sampleRate: 48_000 }),
): string {
  const { timeline } = applyPlan(document.timeline, plan, soundOf);
  if (format !== document.format) return format === "otio" ? writeOtio(timeline) : writeFcp7Xml(timeline);
  const steps = plan.groups.flatMap((group) => group.steps);
  const edit = { name: document.timeline.name, ...timelineEditOf(steps, document.timeline, timeline, soundOf) };
  const result = format === "otio" ? editOtio(document.text, edit) : editFcp7Xml(document.text, edit);
  if (result.ok) return result.text;
  const context = { operation: "change the timeline", state: "nothing was written" };
  throw new HostError("apply_failed", result.issues[0]?.message ?? "the timeline cannot be changed", context);
}
