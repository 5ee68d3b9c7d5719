import { copyFile } from "node:fs/promises";
import { join } from "node:path";
import type { Cue } from "../../core/cue.ts";
import { openPauses } from "../../core/pause-to-write.ts";
import { nodeFiles } from "../../host/headless/files.ts";
import { placedSounds } from "../../host/headless/placed-sounds.ts";
import { checkCues } from "../../workflow/check/check.ts";
import { captionFiles, reportOf, writeTextFiles } from "../../workflow/deliver/deliver.ts";
import type { Description } from "../../workflow/describe/describe.ts";
import { planMarkerReplacement, planNarrationReplacement, type Replacement } from "../../workflow/place/replace.ts";
import { mergeIntoSequence } from "../../workflow/place/round-trip.ts";
import type { SequenceRecord } from "../../result/record.ts";
import { RECORD_FILE, writeFolderRecord } from "../out-folder/folder-record.ts";
import { folderRecovery } from "../out-folder/folder-recovery.ts";
import { narrationFiles } from "../out-folder/narration-files.ts";
import { REPORT_FILE, WORKSHEET_FILE } from "../out-folder/out-folder.ts";
import { serviceName } from "../service-run/service-run.ts";
import { textAfterPlan } from "../source/write-plan.ts";
import { VERSION } from "../version.ts";
import type { EditedTimeline } from "./edited-timeline.ts";
import { audioName, type RevoiceRun } from "./revoice-run.ts";

/** What a re-voicing came to. */
interface Revoicing {
  readonly description: Description;
  /** The record as it will be, but for the clips. */
  readonly record: SequenceRecord;
  readonly notices: readonly string[];
}

/** Writes everything beside each other under the run's hidden folder, then moves it into place. Gives the names. */
export async function writeRevoiced(run: RevoiceRun, revoicing: Revoicing): Promise<readonly string[]> {
  const { folder, runFolder, runId, timelines, surroundings, isInClips } = run;
  const { description, record } = revoicing;
  const { cues, offsetSeconds } = record;
  const { sequence, audio } = description;
  const name = audioName(record);
  const sounds = await narrationFiles(
    { path: join(runFolder, name), name, durationSeconds: audio?.durationSeconds ?? record.durationSeconds },
    { cues, rate: sequence.rate, offsetSeconds },
    { runFolder, isInClips, signal: surroundings.signal },
  );
  const findings = findingsOf(run, description, cues);
  const documents = [timelines.main, ...timelines.others];
  for (const document of documents) {
    const text = await timelineAfter(run, document, { ...revoicing, placed: sounds.placed, findings });
    await nodeFiles.writeText(join(runFolder, document.name), text);
  }
  const language = record.settings.language;
  const captions = captionFiles({ ...description, cues }, language);
  // Whoever still writes goes on with the same page.
  const worksheet = join(folder.path, WORKSHEET_FILE);
  const keepsWorksheet = (await nodeFiles.size(worksheet)) !== null && (await folder.isAsWritten(WORKSHEET_FILE));
  if (keepsWorksheet) await copyFile(worksheet, join(runFolder, WORKSHEET_FILE));
  const names = [
    ...captions.map((file) => file.name),
    name,
    ...sounds.names,
    ...documents.map((document) => document.name),
    ...(keepsWorksheet ? [WORKSHEET_FILE] : []),
    REPORT_FILE,
    RECORD_FILE,
  ];
  const { track, settings } = record;
  const report = reportOf(
    {
      ...description,
      cues,
      findings,
      notices: [...description.notices, ...revoicing.notices],
      ...(record.toWrite === undefined ? {} : { toWrite: openPauses(record.toWrite, cues) }),
    },
    {
      settings,
      track,
      service: run.plan.report?.service ?? serviceName(run.call),
      version: VERSION,
      finishedAt: new Date().toISOString(),
      files: names,
    },
  );
  const earlier = run.plan.report?.service_report;
  // What was heard in the programme is known from before where no service listened now.
  const whole = { ...(earlier === undefined ? {} : { service_report: earlier }), ...report };
  await writeTextFiles(
    nodeFiles,
    [...captions, { name: REPORT_FILE, text: `${JSON.stringify(whole, null, 2)}\n` }],
    (file) => join(runFolder, file),
  );
  await writeFolderRecord(runFolder, { ...record, clipNames: sounds.clipNames });
  surroundings.signal.throwIfAborted();
  for (const { path, name: file, fingerprint } of documents) {
    if (path === join(folder.path, file)) folder.adopt(file, fingerprint);
  }
  await folder.deliver(runFolder, names);
  await folderRecovery(folder).remove(runId);
  await folder.discard(runId);
  return names;
}

/** A timeline with the markers and the sound as they are now; everything else in it stays, to the byte. */
async function timelineAfter(
  { folder, runFolder, record: before }: RevoiceRun,
  document: EditedTimeline,
  {
    record,
    description,
    placed,
    findings,
  }: Revoicing & Pick<Replacement, "findings"> & { placed: Pick<Replacement, "audio" | "clips"> },
): Promise<string> {
  const { timeline } = document;
  const sequence = { id: description.sequence.id, rate: timeline.rate };
  const { readBack } = mergeIntoSequence({ sequence, timeline, record: before, ...before });
  const replacement: Replacement = {
    sequence,
    timeline,
    offsetSeconds: record.offsetSeconds,
    durationSeconds: Math.max(before.durationSeconds, record.durationSeconds),
    cues: record.cues,
    readBack,
    ...(record.toWrite === undefined ? {} : { toWrite: record.toWrite }),
    ...(findings === undefined ? {} : { findings }),
    ...placed,
  };
  const groups = [planMarkerReplacement(replacement), planNarrationReplacement(replacement)].flatMap(
    (plan) => plan.groups,
  );
  if (groups.length === 0 && document.name.endsWith(".otio") === (document.format === "otio")) return document.text;
  const plan = { sequenceId: sequence.id, groups };
  const soundOf = await placedSounds(plan, nodeFiles, (path) => path.replace(runFolder, folder.path));
  return textAfterPlan(document, plan, document.name.endsWith(".otio") ? "otio" : "fcp7-xml", soundOf);
}

function findingsOf({ plan }: RevoiceRun, { report, exported, audio }: Description, cues: readonly Cue[]) {
  const heard = report?.speech ?? plan.report?.service_report?.speech;
  const ranges = heard?.map(([start, end, confidence]) => ({ start, end, confidence }));
  return checkCues({
    cues,
    durationSeconds: exported.durationSeconds,
    type: "standard",
    ...(ranges === undefined ? {} : { speech: ranges }),
    ...(audio === undefined ? {} : { narrationSeconds: audio.durationSeconds }),
  });
}
