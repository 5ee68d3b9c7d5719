import { copyFile, stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { fingerprintOf } from "../../../core/bytes.ts";
import { compareCues } from "../../../core/cue.ts";
import { timecodeAt } from "../../../core/timecode.ts";
import { cutOf } from "../../../host/edit-plan.ts";
import type { PlacedResult } from "../../../result/result.ts";
import { STALE_REASONS, type StaleReason, voicedCues } from "../../../result/stale.ts";
import type { FinishedRun } from "../../../workflow/describe/describe.ts";
import { type Revoiced, recordAfterRevoicing, revoicedCues, revoiceOrder } from "../../../workflow/revoice/revoice.ts";
import { programmeGrid } from "../../../workflow/spoken-lines.ts";
import { folderRecovery, readFolderRecord } from "../../out-folder/folder-record.ts";
import { keepingProgramme, readKeptProgramme } from "../../out-folder/kept-programme.ts";
import { OutFolder } from "../../out-folder/out-folder.ts";
import { inStep, runOnService, type Surroundings, serviceIdentity } from "../../service-run/service-run.ts";
import { UsageError } from "../../shell/usage-error.ts";
import { type DescribedSource, openSource } from "../../source/described-source.ts";
import { type EditedTimeline, openEditedFiles, openTimelineSource } from "./edited-files.ts";
import { audioName, placeRecordings, type RevoiceReport, type RevoiceRun } from "./place-recordings.ts";
import type { RevoiceCall } from "./revoice-call.ts";
import { planRevoicing, type RevoicePlan } from "./revoice-plan.ts";
import { type KeptRun, keptRun, writeRevoiced } from "./write-revoiced.ts";

/** Brings the narration of a folder of results up to date. Nothing in it changes before everything is made. */
export async function revoiceMedia(call: RevoiceCall, surroundings: Surroundings): Promise<RevoiceReport> {
  const isFolder = await stat(resolve(call.source)).then(
    (found) => found.isDirectory(),
    () => false,
  );
  const source = resolve(call.source);
  const path = call.folder === undefined ? (isFolder ? source : dirname(source)) : resolve(call.folder);
  const record = await readFolderRecord(path);
  if (record.track === "none") {
    throw new UsageError("this result has no narration: describe again with --script cues.vtt and --track");
  }
  await using folder = await OutFolder.open(path, call.overwrites);
  const files = await openEditedFiles(folder, {
    folder: call.folder ?? (isFolder ? call.source : dirname(call.source)),
    timeline: isFolder ? undefined : call.source,
    cues: call.cues,
  });
  const plan = await planRevoicing(call, record, files, surroundings);
  const { clipNames } = record.placed;
  const wasInClips = clipNames.length !== 1 || !clipNames[0]?.endsWith(`-${audioName(record)}`);
  const isInClips = call.isInClips ?? wasInClips;
  check(call, record, isInClips);
  const report = reportOf(call, plan, files.main);
  if (call.isDryRun || (plan.stale.length === 0 && isInClips === wasInClips)) return report;
  return await voice({ call, surroundings, folder, record, files, plan, isInClips }, report);
}

function check(call: RevoiceCall, { track }: PlacedResult, isInClips: boolean): void {
  if (track === "ad_only") return;
  if (isInClips) throw new UsageError("--clips needs the narration alone: describe with --track ad_only");
  if (call.recordings !== undefined) {
    throw new UsageError("--recordings needs the narration alone: describe with --track ad_only");
  }
}

async function voice(parts: Omit<RevoiceRun, "runFolder" | "runId">, report: RevoiceReport): Promise<RevoiceReport> {
  const { surroundings, folder, files } = parts;
  const source = await sourceOf(parts);
  const runId = await runIdOf(parts, source);
  const run: RevoiceRun = { ...parts, runId, runFolder: await folder.runFolder(runId) };
  try {
    const isNew = needsVoice(run);
    const made = isNew ? await voiceChanged(run, source) : await asItIs(run, source);
    return await inStep(surroundings.progress, "write", async () => {
      const { notices, ...heard } = await heardCues(run, made, isNew);
      const { settings } = run.plan;
      const voiced = recordAfterRevoicing(parts.record, heard, { runId, result: made.result, settings, clipNames: [] });
      const layout = cutOf(files.main.timeline);
      const record = {
        ...voiced,
        durationSeconds: made.result.durationSeconds,
        placed: { ...voiced.placed, layout },
      };
      const { names, gaveWay } = await writeRevoiced(run, { made, record, notices: [...source.notices, ...notices] });
      const spoken = isNew ? made.report?.lines_spoken : undefined;
      return {
        ...report,
        ...(spoken === undefined ? {} : { lines_spoken: spoken }),
        notices: [...report.notices, ...source.notices, ...made.result.notices, ...notices, ...gaveWay],
        files: names,
      };
    });
  } catch (error) {
    await tidyUp(run);
    throw error;
  }
}

/** The source whose programme the service has already, where it is still the same; else what the timeline was made of. */
async function sourceOf({ call, surroundings, folder, files }: Omit<RevoiceRun, "runFolder" | "runId">) {
  const { signal } = surroundings;
  const kept = await readKeptProgramme(folder);
  if (kept?.exported.isTemporary === true) {
    const cut = await openSource(files.main.path, signal);
    if (kept.content === (await contentOf(cut, call))) return cut;
  }
  return openTimelineSource(files.main, signal);
}

async function contentOf(source: DescribedSource, call: RevoiceCall): Promise<string> {
  return fingerprintOf(await source.programmeFingerprint(), serviceIdentity(call));
}

/** What a service has accepted is gone on with; anything else is made again in a moment. */
async function tidyUp({ folder, runId }: RevoiceRun): Promise<void> {
  const recovery = folderRecovery(folder);
  const kept = await recovery.load(runId).catch(() => null);
  if (kept?.submission !== undefined || kept?.result !== undefined) return;
  await recovery.remove(runId).catch(() => undefined);
  await folder.discard(runId);
}

/** Whether a voice has to be asked: recordings are put into the narration as it is, and clips are cut out of it. */
function needsVoice(run: RevoiceRun): boolean {
  const { plan } = run;
  const isRecordedAlone = (reasons: readonly StaleReason[]) =>
    reasons.every((reason) => reason === "recording" || reason === "words");
  const byVoice = plan.stale.filter(({ cueId, reasons }) => !(plan.recordings.has(cueId) && isRecordedAlone(reasons)));
  const recorded = recordedIds(run);
  return byVoice.length > 0 && plan.cues.some(({ id }) => !recorded.has(id));
}

/** The same for the same timeline, cues, wishes and service: what was begun under it is gone on with. */
async function runIdOf(
  { call, record, plan, isInClips }: Omit<RevoiceRun, "runFolder" | "runId">,
  source: DescribedSource,
): Promise<string> {
  const wishes = JSON.stringify([record.revision, plan.cues, plan.settings, isInClips]);
  return fingerprintOf("revoice", await source.fingerprint(), wishes, serviceIdentity(call));
}

/** Cues that a person's recording is heard for: given now, or in the narration from before. */
function recordedIds({ plan, record }: RevoiceRun): ReadonlySet<string> {
  const before = Object.entries(record.voiced).filter(
    ([id, { recording }]) => recording !== undefined && plan.settings.recordings?.[id] === undefined,
  );
  const isKept = plan.settings.recordings === undefined;
  return new Set([...plan.recordings.keys(), ...(isKept ? before.map(([id]) => id) : [])]);
}

async function voiceChanged(run: RevoiceRun, source: DescribedSource): Promise<KeptRun> {
  const { call, surroundings, folder, runFolder, runId, record, plan } = run;
  const host = source.hostIn(runFolder, (path) => path);
  const grid = programmeGrid(await host.readSequence(), record.offsetSeconds);
  const recorded = recordedIds(run);
  const cues = plan.cues.filter(({ id }) => !recorded.has(id));
  const order = revoiceOrder({
    record,
    cues,
    settings: plan.settings,
    grid,
    isOurService: call.server === undefined,
  });
  const kept = await readKeptProgramme(folder);
  const content = await contentOf(source, call);
  const recovery = keepingProgramme(folderRecovery(folder), folder, content, kept);
  const parts = { host, recovery };
  return runOnService(call, parts, { ...order, runId, audioPath: join(runFolder, audioName(record)) }, surroundings);
}

/** The result as it lies in the folder, where no voice is needed: clips in place of the whole, or recordings alone. */
async function asItIs({ folder, runFolder, record }: RevoiceRun, source: DescribedSource): Promise<KeptRun> {
  const path = join(runFolder, audioName(record));
  await copyFile(join(folder.path, audioName(record)), path);
  const host = source.hostIn(runFolder, (one) => one);
  return keptRun(folder.path, { record, sequence: await host.readSequence(), audioPath: path });
}

/** The cues as they are heard, with recordings in their place. */
async function heardCues(
  run: RevoiceRun,
  made: Pick<FinishedRun, "result" | "audio">,
  isNew: boolean,
): Promise<Pick<Revoiced, "cues" | "voiced" | "notices">> {
  const { plan } = run;
  const recorded = recordedIds(run);
  const byVoice = plan.cues.filter(({ id }) => !recorded.has(id));
  const spoken = isNew
    ? revoicedCues(byVoice, made.result.cues, plan.settings)
    : { cues: byVoice, voiced: voicedCues(byVoice, plan.settings), notices: [] };
  const placed = await placeRecordings(run, made, { voiced: spoken.cues, recorded, isNew });
  return {
    cues: [...spoken.cues, ...placed.cues].sort(compareCues),
    voiced: { ...spoken.voiced, ...placed.voiced },
    notices: [...spoken.notices, ...placed.notices],
  };
}

function reportOf(call: RevoiceCall, plan: RevoicePlan, { timeline }: EditedTimeline): RevoiceReport {
  const textOf = new Map(plan.cues.map((cue) => [cue.id, cue]));
  const label = (seconds: number) => timecodeAt(timeline, seconds);
  const isQuiet = plan.counts === "Nothing changes" || plan.stale.length === 0;
  const changes = isQuiet ? [] : [`Read from the timeline: ${plan.counts}.`];
  const unfit = plan.tooLong.flatMap(({ cue, taken }) => (taken === undefined ? [cue.id] : []));
  const chosen =
    call.fit === undefined || unfit.length === 0 ? [] : [`--fit ${call.fit} does not help ${unfit.join(", ")}.`];
  return {
    folder: call.folder ?? call.source,
    is_dry_run: call.isDryRun,
    stale: plan.stale.map(({ cueId: id, reasons, isSpokenAnew, start }) => ({
      id,
      timecode: label(textOf.get(id)?.start ?? start),
      text: textOf.get(id)?.text ?? "",
      reasons,
      why: reasons.map((reason) => STALE_REASONS[reason]),
      spoken_anew: isSpokenAnew,
    })),
    too_long: plan.tooLong.map(({ cue, gap, remedies, taken }) => ({
      id: cue.id,
      needed_seconds: cue.seconds,
      gap_seconds: Math.max(0, gap.end - gap.start),
      ...(taken === undefined ? {} : { taken: taken.kind }),
      remedies: remedies.map(({ kind, isPossible: possible, outcome }) => ({ kind, possible, outcome })),
    })),
    notices: [...changes, ...plan.notices, ...chosen],
    files: [],
  };
}
