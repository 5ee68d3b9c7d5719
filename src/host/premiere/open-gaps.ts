import { fileNameOf } from "../../core/local-file.ts";
import { TimeMap, withHolds } from "../../core/time-map.ts";
import { isSameTime } from "../../core/time-range.ts";
import type { Timeline, Track } from "../../core/timeline.ts";
import { NARRATION_TRACK_NAME, type PlaceAudio } from "../edit-plan.ts";
import type { GapOrder, GapToOpen } from "../editor.ts";
import type { Files } from "../files.ts";
import type { ApplyReport, HostOperation } from "../host.ts";
import { HostError } from "../host-error.ts";
import { identityOf } from "./answers.ts";
import { withFreshHandles } from "./host-fault.ts";
import { type ImportedFiles, importFiles } from "./import-files.ts";
import { placing, transact, withVideoIndex } from "./lay-clips.ts";
import { nameClips } from "./new-audio-track.ts";
import { activeProject } from "./open-sequence.ts";
import { readSnapshot, readTracks } from "./read-snapshot.ts";
import { timelineFromSnapshot } from "./read-timeline.ts";
import type { SequenceSnapshot } from "./snapshot.ts";
import { type ApplyContext, attempt, Transactor } from "./transactor.ts";

/** What opening gaps needs. */
export interface OpenGapsOptions extends Pick<ApplyContext, "premiere" | "clock" | "pace" | "copyFile"> {
  readonly files: Pick<Files, "size">;
}

/**
 * Opens gaps in a sequence, the last one first, so that each is opened where it was planned. Premiere has no call for it: a silent
 * sound that is inserted, and not laid over, pushes what comes later on every track aside and parts what lies across; then it goes
 * again. A gap is a transaction, because an insertion does not see the one before it in the same.
 *
 * Raises as applying a plan does; after the first change every failure is a difference in the report.
 */
export async function openGaps(
  options: OpenGapsOptions,
  order: GapOrder,
  operation: HostOperation,
): Promise<ApplyReport> {
  const { premiere, clock, pace, copyFile, files } = options;
  const { signal } = operation;
  signal.throwIfAborted();
  for (const { path } of order.gaps) {
    if (((await files.size(path)) ?? 0) > 0) continue;
    const context = { operation: order.label, state: "nothing was changed" };
    throw new HostError("file_not_found", `There is no sound at ${path}. Try again.`, context);
  }
  const reference = { projectId: await identityOf(await activeProject(premiere)), sequenceId: order.sequenceId };
  const before = await withFreshHandles(() => readSnapshot(premiere, reference));
  let done = 0;
  const onCommit = () => {
    done += 1;
    operation.onProgress?.({ fraction: Math.min(1, done / (order.gaps.length + 2)) });
  };
  const transactor = new Transactor({ premiere, reference, clock, pace, signal, onCommit });
  const context = { premiere, before, clock, pace, copyFile, signal, transactor };
  const failures = await attempt(context, order.label, () => insertAll(context, order));
  const after = await withFreshHandles(() => readSnapshot(premiere, reference));
  const differences = [
    ...failures.differences,
    ...gapDifferences(timelineFromSnapshot(before), timelineFromSnapshot(after), order.gaps),
    ...leftOver(after, order.gaps),
  ];
  const outcome = differences.length === 0 ? "done" : "partial";
  return { outcome, differences, tried: failures.tried, markerIds: {}, undoSteps: transactor.undoSteps };
}

/** The silence that opened the gaps, where it lies on the timeline still. */
function leftOver({ audioTracks }: SequenceSnapshot, gaps: readonly GapToOpen[]): string[] {
  const names = new Set(gaps.map(({ path }) => fileNameOf(path)));
  return audioTracks.flatMap(({ name, clips }) => {
    const left = clips.filter((clip) => names.has(clip.name)).length;
    return left === 0
      ? []
      : [`${left} silent clip${left === 1 ? " lies" : "s lie"} on "${name}" still: remove by hand`];
  });
}

async function insertAll(context: ApplyContext, { gaps, label }: GapOrder): Promise<void> {
  const { premiere, before } = context;
  const imported = await importFiles(context, [...new Set(gaps.map(({ path }) => path))]);
  const named = before.audioTracks.findIndex(({ name }) => name === NARRATION_TRACK_NAME);
  const trackIndex = named < 0 ? before.audioTracks.length : named;
  const names = new Set(gaps.map(({ path }) => fileNameOf(path)));
  for (const [index, gap] of [...gaps].sort((a, b) => b.at - a.at).entries()) {
    await insert(context, imported, gap, trackIndex, `${label} (${index + 1} of ${gaps.length})`);
  }
  if (named < 0) await nameClips(context, [], null, label, []);
  const track = (await readTracks(premiere, before.reference, "audio"))[trackIndex];
  const clips = track?.clips ?? [];
  const places = clips.flatMap((clip, place) => (names.has(clip.name) ? [place] : [])).reverse();
  const work = { trackIndex, places, clipCount: clips.length, placings: [] };
  if (places.length > 0) await transact(context, work, imported, `${label}: empty`);
}

async function insert(
  context: ApplyContext,
  imported: ImportedFiles,
  { at, seconds, path }: GapToOpen,
  trackIndex: number,
  label: string,
): Promise<void> {
  const step: PlaceAudio = {
    kind: "place-audio",
    path,
    clipName: fileNameOf(path),
    start: at,
    durationSeconds: seconds,
  };
  await withVideoIndex((videoIndex) => {
    const part = placing(context, [step], imported, { trackIndex, videoIndex, how: "push aside" });
    return context.transactor.run(label, part);
  });
}

/** Tracks that are not parted as planned, each in a sentence. A track of ours that was made for it is none. */
function gapDifferences(before: Timeline, after: Timeline, gaps: readonly GapToOpen[]): string[] {
  const planned = withHolds(before, new TimeMap(gaps));
  const kinds = ["video", "audio"] as const;
  return kinds.flatMap((kind) => {
    const [wanted, there] = [planned, after].map(({ tracks }) => tracks.filter((track) => track.kind === kind));
    return (wanted ?? []).flatMap((track, index) =>
      hasSameClips(track, there?.[index])
        ? []
        : [
            `"${track.name}" did not open for the holds as the others: see whether it is locked, or its sync lock is off`,
          ],
    );
  });
}

function hasSameClips({ clips }: Track, other: Track | undefined): boolean {
  return (
    clips.length === other?.clips.length &&
    clips.every((clip, index) => {
      const now = other.clips[index];
      return (
        now !== undefined &&
        clip.name === now.name &&
        isSameTime(clip.start, now.start) &&
        isSameTime(clip.end, now.end) &&
        // Of a clip at another speed nobody has measured what its in point counts.
        (clip.speed !== 1 || isSameTime(clip.sourceStart, now.sourceStart))
      );
    })
  );
}
