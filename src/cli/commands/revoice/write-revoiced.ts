import { copyFile, readdir, realpath } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, relative } from "node:path";
import { defined } from "../../../core/objects.ts";
import { openPauses } from "../../../core/pause-to-write.ts";
import { timecodeAt } from "../../../core/timecode.ts";
import type { TimelineClip } from "../../../core/timeline.ts";
import { readStatedHeader, WAVE_HEAD_BYTES, waveLength } from "../../../formats/wave/read-wave.ts";
import { isNameOfOurs, tracksOfOurClips } from "../../../host/edit-plan.ts";
import { nodeFiles } from "../../../host/headless/files.ts";
import { placedSounds } from "../../../host/headless/timeline-edit.ts";
import { locateMedia } from "../../../host/headless/timeline-media.ts";
import type { SequenceInfo } from "../../../host/host.ts";
import { voiceLengths } from "../../../result/held.ts";
import { type PlacedResult, rangeOf } from "../../../result/result.ts";
import { leftOutFindings, scriptOutcomeWith } from "../../../result/script-outcome.ts";
import { VERSION } from "../../../service/version.ts";
import { checkCues } from "../../../workflow/check/check.ts";
import { captionFiles, writeTextFiles } from "../../../workflow/deliver/result-files.ts";
import { reportOf } from "../../../workflow/deliver/run-report.ts";
import type { FinishedRun } from "../../../workflow/describe/describe.ts";
import { measureVoices } from "../../../workflow/place/narration-clips.ts";
import { planReplacement, type Replacement, replacementOf } from "../../../workflow/place/replace.ts";
import { mergeIntoSequence } from "../../../workflow/place/round-trip.ts";
import { programmeGrid } from "../../../workflow/spoken-lines.ts";
import { folderRecovery, RECORD_FILE, readServiceReport, writeFolderRecord } from "../../out-folder/folder-record.ts";
import { narrationFiles } from "../../out-folder/kept-programme.ts";
import { keptNotice, REPORT_FILE, WORKSHEET_FILE } from "../../out-folder/out-folder.ts";
import { serviceName } from "../../service-run/service-run.ts";
import { UsageError } from "../../shell/usage-error.ts";
import { textAfterPlan } from "../../source/timeline-source.ts";
import type { EditedTimeline } from "./edited-files.ts";
import { audioName, type RevoiceRun } from "./place-recordings.ts";

/** What a re-voicing came to. */
interface RevoicedRun {
  readonly made: KeptRun;
  /** The record as it will be, but for the clips. */
  readonly record: PlacedResult;
  readonly notices: readonly string[];
}

/** Writes everything beside each other under the run's hidden folder, then moves it into place. Gives the names, and sentences about what was kept aside or gave way. */
export async function writeRevoiced(
  run: RevoiceRun,
  revoicing: RevoicedRun,
): Promise<{ readonly names: readonly string[]; readonly gaveWay: readonly string[] }> {
  const { folder, runFolder, runId, files, surroundings, isInClips } = run;
  const { made } = revoicing;
  const { sequence, audio } = made;
  const name = audioName(revoicing.record);
  const { cues, durationSeconds } = revoicing.record;
  const narration = { path: join(runFolder, name), durationSeconds: audio?.durationSeconds ?? durationSeconds };
  const voiced = await measureVoices(nodeFiles, { ...revoicing.record, audio: narration });
  const record = { ...revoicing.record, voiced };
  const sounds = await narrationFiles(
    { ...record, audio: narration },
    { rate: sequence.rate, runFolder, isInClips, signal: surroundings.signal },
  );
  const script = record.script === undefined ? undefined : scriptOutcomeWith(record.script, cues);
  // What this file says is in the result: what another one says is kept aside.
  const { path, fingerprint } = files.cues ?? files.main;
  if (dirname(path) === folder.path) folder.adopt(basename(path), fingerprint);
  const documents = [files.main, ...files.others];
  const elsewhere = new Set<TimelineClip>();
  const gaveWay = keptNotice(folder, await folder.toKeep(await folder.changed(), false));
  for (const document of documents) {
    const clips = await playedElsewhere(document, folder.path);
    if (clips.length > 0) gaveWay.push(replacedNotice(document.name));
    for (const clip of clips) elsewhere.add(clip);
  }
  const result: PlacedResult = {
    ...record,
    ...defined({ script }),
    findings: [
      ...findingsOf({ ...record, audio: narration }, audio),
      ...(script === undefined
        ? []
        : leftOutFindings(script, (seconds) => timecodeAt(programmeGrid(sequence, record.offsetSeconds), seconds))),
    ],
    issues: made.result.issues,
    notices: [...made.result.notices, ...revoicing.notices, ...(sounds?.notices ?? []), ...gaveWay],
    audio: { ...narration, path: name },
    placed: { ...record.placed, clipNames: sounds?.clipNames ?? [] },
  };
  const placing = { ...sounds?.placed, playsAnother: (clip: TimelineClip) => elsewhere.has(clip) };
  for (const document of documents) {
    const text = await timelineAfter(run, document, result, placing);
    await nodeFiles.writeText(join(runFolder, document.name), text);
  }
  const captions = captionFiles({ ...made, result }, record.settings.language);
  // Whoever still writes goes on with the same page.
  const worksheet = join(folder.path, WORKSHEET_FILE);
  const keepsWorksheet = (await nodeFiles.size(worksheet)) !== null && (await folder.isAsWritten(WORKSHEET_FILE));
  if (keepsWorksheet) await copyFile(worksheet, join(runFolder, WORKSHEET_FILE));
  const names = [
    ...captions.map((file) => file.name),
    name,
    ...(sounds?.names ?? []),
    ...documents.map((document) => document.name),
    ...(keepsWorksheet ? [WORKSHEET_FILE] : []),
    REPORT_FILE,
    RECORD_FILE,
  ];
  const { toWrite } = record;
  const open = toWrite === undefined ? {} : { toWrite: openPauses(toWrite, cues) };
  // What a service told when it described still holds where none is asked now.
  const told = made.report ?? (await readServiceReport(folder.path));
  const report = reportOf(
    { ...made, ...(told === undefined ? {} : { report: told }), result: { ...result, ...open } },
    {
      settings: record.settings,
      service: serviceName(run.call),
      version: VERSION,
      finishedAt: new Date().toISOString(),
      files: names,
    },
  );
  await writeTextFiles(
    nodeFiles,
    [...captions, { name: REPORT_FILE, text: `${JSON.stringify(report, null, 2)}\n` }],
    (file) => join(runFolder, file),
  );
  await writeFolderRecord(runFolder, result);
  surroundings.signal.throwIfAborted();
  await folder.deliver(runFolder, names);
  await folderRecovery(folder).remove(runId);
  await folder.discard(runId);
  return { names, gaveWay };
}

/** A timeline with the markers and the sound as they are now; everything else in it stays, to the byte. */
async function timelineAfter(
  { folder, runFolder, record: before }: RevoiceRun,
  document: EditedTimeline,
  result: PlacedResult,
  sounds: Pick<Replacement, "audio" | "clips" | "playsAnother">,
): Promise<string> {
  const { timeline } = document;
  const sequence = { id: result.placed.sequenceId, rate: timeline.rate };
  const { readBack } = mergeIntoSequence({ sequence, timeline, record: before, ...rangeOf(before) });
  const durationSeconds = Math.max(before.durationSeconds, result.durationSeconds);
  const plan = planReplacement({
    ...replacementOf({ ...result, durationSeconds }, { sequence, timeline }),
    ...sounds,
    readBack,
  });
  const isOtio = document.name.endsWith(".otio");
  if (plan.groups.length === 0 && isOtio === (document.format === "otio")) return document.text;
  const soundOf = await placedSounds(plan, nodeFiles, (path) => path.replace(runFolder, folder.path));
  return textAfterPlan(document, plan, isOtio ? "otio" : "fcp7-xml", soundOf);
}

/**
 * The clips of ours on a timeline that play a file which is there, but not in the folder of results: the folder was copied, and
 * what they play is the narration of before. One whose file is gone is found by its name in the folder.
 */
async function playedElsewhere({ path, timeline }: EditedTimeline, folder: string): Promise<readonly TimelineClip[]> {
  const own = await realpath(folder);
  const found: TimelineClip[] = [];
  for (const clip of tracksOfOurClips(timeline).flatMap((track) => track.clips)) {
    const { source } = clip;
    if (source.kind !== "media" || !isNameOfOurs(clip.name)) continue;
    const pathOf = await locateMedia([source], path, nodeFiles).catch(() => null);
    if (pathOf === null) continue;
    const way = relative(own, await realpath(pathOf(source)));
    if (way.startsWith("..") || isAbsolute(way)) found.push(clip);
  }
  return found;
}

function replacedNotice(name: string): string {
  return `"${name}" played a narration from another folder. The one of this folder is in its place now, from its beginning to its end.`;
}

function findingsOf(record: PlacedResult, audio: KeptRun["audio"]) {
  const { cues, durationSeconds, speech } = record;
  return checkCues({
    cues,
    durationSeconds,
    voices: voiceLengths(record),
    type: "standard",
    ...defined({ speech }),
    ...(audio === undefined ? {} : { narrationSeconds: audio.durationSeconds }),
  });
}

/** What a run once brought, as it lies in its folder: the export and the service's own tellings are gone. */
export type KeptRun = Omit<FinishedRun, "exported">;

/**
 * The run of a result that lies in a folder.
 *
 * @param parts `audioPath`: where its sound is.
 * @throws UsageError when the sound is no WAV file.
 */
export async function keptRun(
  folder: string,
  parts: { readonly record: PlacedResult; readonly sequence: SequenceInfo; readonly audioPath: string },
): Promise<KeptRun> {
  const { record, sequence, audioPath } = parts;
  const reading = readStatedHeader(await nodeFiles.readBytes(audioPath, 0, WAVE_HEAD_BYTES));
  const size = await nodeFiles.size(audioPath);
  if (!reading.ok || size === null) throw new UsageError("the narration in the folder is no WAV file");
  const { layout } = reading;
  return {
    result: { ...record, issues: [], findings: [], notices: [] },
    sequence,
    raw: await readRaw(folder),
    audio: { path: audioPath, format: layout.format, durationSeconds: waveLength(layout, size).seconds },
    stepSeconds: {},
  };
}

/** The reply's text as it came; an empty one where it is gone. */
async function readRaw(folder: string): Promise<FinishedRun["raw"]> {
  const formats = ["vtt", "edl", "srt", "json", "txt"] as const;
  const names = await readdir(folder).catch((): string[] => []);
  const format = formats.find((ending) => names.includes(`raw.${ending}`)) ?? "vtt";
  return { format, content: await nodeFiles.readText(join(folder, `raw.${format}`)).catch(() => "") };
}
