import { join, resolve } from "node:path";
import { fingerprintOf } from "../../../core/bytes.ts";
import { defined } from "../../../core/objects.ts";
import type { CostEstimate } from "../../../engine/models/model-budget.ts";
import type { VisionSettings } from "../../../engine/models/vision-settings.ts";
import type { Environment } from "../../../engine/outgoing/local-only.ts";
import { cutOf } from "../../../host/edit-plan.ts";
import { nodeFiles } from "../../../host/headless/files.ts";
import type { Host } from "../../../host/host.ts";
import type { Placed } from "../../../result/result.ts";
import { VERSION } from "../../../service/version.ts";
import {
  CUE_FILES,
  captionFiles,
  VIDEO_CLOCK_FILES,
  videoClockFiles,
  writeTextFiles,
} from "../../../workflow/deliver/result-files.ts";
import { type RunReport, reportOf } from "../../../workflow/deliver/run-report.ts";
import { type FinishedRun, orderOnly } from "../../../workflow/describe/describe.ts";
import type { RecoveryStore } from "../../../workflow/describe/recovery.ts";
import { planReplacement, replacementOf } from "../../../workflow/place/replace.ts";
import {
  BIBLE_FILE,
  bibleFiles,
  folderRecovery,
  placedResult,
  RECORD_FILE,
  readFolderRecord,
  withEditorsBible,
  writeFolderRecord,
} from "../../out-folder/folder-record.ts";
import { keepingProgramme, narrationFiles } from "../../out-folder/kept-programme.ts";
import { keptNotice, OutFolder, REPORT_FILE, WORKSHEET_FILE } from "../../out-folder/out-folder.ts";
import { variablesInForce } from "../../service-run/service-options.ts";
import {
  inStep,
  preloadService,
  runOnService,
  type Surroundings,
  serviceIdentity,
  serviceName,
  withService,
} from "../../service-run/service-run.ts";
import type { Progress } from "../../shell/progress.ts";
import { Cancelled } from "../../shell/usage-error.ts";
import { type DescribedSource, openSource } from "../../source/described-source.ts";
import type { DescribeCall } from "./describe-call.ts";

/** The video of a run. */
const VIDEO_FILE = "described.mp4";

/**
 * Describes a media file or the cut of a timeline and writes everything to the call's folder. Nothing is written under the names of the results
 * before all of them are whole.
 */
export async function describeMedia(asked: DescribeCall, surroundings: Surroundings): Promise<RunReport> {
  return inRun(asked, surroundings, async (run, host) => deliver(run, host, await describeWithService(run, host)));
}

/** Orders what {@link describeMedia} would write, without waiting for it; resolves with the job's id. */
export async function orderMedia(asked: DescribeCall, surroundings: Surroundings): Promise<string> {
  return inRun(asked, surroundings, async (run, host) =>
    withService(run.call, { host, recovery: await recoveryOf(run) }, surroundings, (ports, sendsAgain, controls) =>
      orderOnly(ports, { ...orderOf(run), export: { range: "whole" }, sendsAgain }, controls),
    ),
  );
}

async function inRun<T>(
  asked: DescribeCall,
  surroundings: Surroundings,
  work: (run: DescribeRun, host: Host) => Promise<T>,
): Promise<T> {
  const { signal } = surroundings;
  preloadService(asked, surroundings);
  const source = await openSource(asked.media, signal, asked.settings.audioTrack);
  await using folder = await OutFolder.open(resolve(asked.out), asked.overwrites);
  const call = { ...asked, settings: await withEditorsBible(asked.settings, folder) };
  await showModelEstimate(call, source, surroundings);
  await folder.checkNames([`raw.${call.settings.format}`, ...resultNames(call, source)]);
  const runId = await runIdOf(call, source);
  const runFolder = await folder.runFolder(runId);
  const run = { call, source, surroundings, folder, runFolder, runId };
  const host = source.hostIn(runFolder, (path) => path.replace(runFolder, folder.path));
  try {
    return await work(run, host);
  } catch (error) {
    await tidyUp(run, error);
    throw error;
  }
}

interface DescribeRun {
  readonly call: DescribeCall;
  readonly source: DescribedSource;
  readonly surroundings: Surroundings;
  readonly folder: OutFolder;
  /** Hidden folder of this run inside the results folder. */
  readonly runFolder: string;
  readonly runId: string;
}

/** The same for the same content, settings and service: what was begun under it is gone on with. */
export async function runIdOf(call: DescribeCall, source: DescribedSource): Promise<string> {
  const settings = JSON.stringify([call.settings, call.track, call.video]);
  return fingerprintOf(await source.fingerprint(), settings, serviceIdentity(call));
}

async function describeWithService(run: DescribeRun, host: Host): Promise<FinishedRun> {
  return runOnService(run.call, { host, recovery: await recoveryOf(run) }, orderOf(run), run.surroundings);
}

async function recoveryOf({ call, source, surroundings, folder }: DescribeRun): Promise<RecoveryStore> {
  const service = serviceIdentity(call);
  const own = keepingProgramme(
    folderRecovery(folder),
    folder,
    fingerprintOf(await source.programmeFingerprint(), service),
  );
  const content = fingerprintOf(await source.fingerprint(), service);
  return surroundings.uploads?.over(own, content) ?? own;
}

function orderOf({ call, runFolder, runId }: DescribeRun) {
  return {
    runId,
    settings: call.settings,
    track: call.track,
    ...(call.video === undefined ? {} : { video: { ...call.video, path: join(runFolder, VIDEO_FILE) } }),
    audioPath: join(runFolder, audioNameOf(call) ?? ""),
    worksheetPath: join(runFolder, WORKSHEET_FILE),
  };
}

/** Writes everything beside each other under its hidden folder, then moves it into place. */
async function deliver(run: DescribeRun, host: Host, made: FinishedRun): Promise<RunReport> {
  const { call, source, surroundings, folder, runFolder, runId } = run;
  return inStep(surroundings.progress, "write", async () => {
    const { sequence, worksheet, result } = made;
    const { signal } = surroundings;
    const { rate } = sequence;
    const sounds = await narrationFiles(result, { rate, runFolder, isInClips: call.isInClips, signal });
    const before = await host.readTimeline();
    const wanted = { ...replacementOf(result, { sequence, timeline: before }), ...sounds?.placed };
    const applied = await host.apply(planReplacement(wanted), { signal });
    const captions = captionFiles(made, call.settings.language);
    const clocks = videoClockFiles(made, call.settings.language);
    const unused: readonly string[] = [
      ...(clocks.length === 0 ? VIDEO_CLOCK_FILES : []),
      ...(bibleFiles(made).length === 0 ? [BIBLE_FILE] : []),
      ...(worksheet === undefined ? [WORKSHEET_FILE] : []),
    ];
    const files = [`raw.${made.raw.format}`, ...resultNames(call, source), ...(sounds?.names ?? [])];
    const names = [...new Set(files)].filter((name) => !unused.includes(name));
    const kept = await keptOf(folder, names, cutOf(before));
    const report = reportOf(
      {
        ...made,
        result: {
          ...result,
          notices: [
            ...source.notices,
            ...call.told,
            ...result.notices,
            ...(sounds?.notices ?? []),
            ...applied.differences,
            ...keptNotice(folder, kept),
          ],
        },
      },
      {
        settings: call.settings,
        service: serviceName(call),
        version: VERSION,
        finishedAt: new Date().toISOString(),
        files: names,
      },
    );
    const texts = [
      ...captions,
      ...clocks,
      ...bibleFiles(made),
      { name: REPORT_FILE, text: `${JSON.stringify(report, null, 2)}\n` },
    ];
    await writeTextFiles(nodeFiles, texts, (name) => join(runFolder, name));
    const clipNames = sounds?.clipNames ?? [];
    await writeFolderRecord(runFolder, placedResult(result, { timeline: before, clipNames }));
    signal.throwIfAborted();
    await folder.deliver(runFolder, names, kept);
    await folderRecovery(folder).remove(runId);
    await folder.discard(runId);
    return report;
  });
}

/**
 * Names of earlier files that are kept aside: all of a result that an editor worked on, which was voiced again or changed
 * by hand, and all of a result of another cut.
 */
async function keptOf(folder: OutFolder, names: readonly string[], layout: Placed["layout"]): Promise<string[]> {
  // A folder without a record is a new one.
  const earlier = await readFolderRecord(folder.path).catch(() => null);
  const isWorkedOn =
    earlier !== null &&
    (earlier.revision > 1 ||
      JSON.stringify(earlier.placed.layout) !== JSON.stringify(layout) ||
      (await folder.changed()).length > 0);
  return folder.toKeep(names, isWorkedOn);
}

/** Keeps the record of a run that can be gone on with, and removes everything of one that cannot. */
async function tidyUp({ call, folder, runId }: DescribeRun, error: unknown): Promise<void> {
  const recovery = folderRecovery(folder);
  const record = await recovery.load(runId).catch(() => null);
  const isPaidFor = record?.submission !== undefined || record?.result !== undefined;
  const isSent = record?.sent !== undefined || record?.media !== undefined;
  // To the embedded service an upload costs a moment; it is worth keeping only where the same run is about to go on.
  const isKept = isPaidFor || (isSent && (call.server !== undefined || error instanceof Cancelled));
  if (!isKept) await recovery.remove(runId).catch(() => undefined);
  const isMade = [record?.audioPath, record?.videoPath].some((path) => path !== undefined);
  if (!isKept || !(isMade || record?.exported?.isTemporary === true)) await folder.discard(runId);
}

/** Files of a result beside the raw text, whose ending the reply decides. */
function resultNames(call: DescribeCall, source: DescribedSource): string[] {
  const audioName = audioNameOf(call);
  return [
    ...CUE_FILES,
    ...(audioName === undefined ? [] : [audioName]),
    ...(call.video === undefined ? [] : [VIDEO_FILE]),
    ...(call.settings.type === "extended" ? VIDEO_CLOCK_FILES : []),
    ...(call.settings.script === undefined ? [BIBLE_FILE] : []),
    WORKSHEET_FILE,
    ...source.timelineNames,
    REPORT_FILE,
    RECORD_FILE,
  ];
}

function audioNameOf(call: DescribeCall): string | undefined {
  if (call.track === "none") return undefined;
  return call.track === "mixed" ? "mixed.wav" : "narration.wav";
}

/**
 * Says what a configured model will be asked before anything is: requests, tokens, and the cost where its price is stated.
 * A model that is found running on this computer costs nothing but time, and a service elsewhere has its own.
 *
 * @throws SettingsError `settings_unusable`, `settings_damaged`, `key_store_unusable`.
 */
async function showModelEstimate(
  { server, settings, dataFolder }: DescribeCall,
  { durationSeconds }: Pick<DescribedSource, "durationSeconds">,
  {
    env,
    progress,
    signal,
  }: { readonly env: NodeJS.ProcessEnv; readonly progress: Progress; readonly signal: AbortSignal },
): Promise<void> {
  if (server !== undefined || settings.script !== undefined) return;
  const { visionConfiguration } = await import("../../../engine/models/vision-settings.ts");
  const variables = await variablesInForce(defined({ dataFolder }), env);
  const configuration = visionConfiguration(variables);
  if (configuration.kind === "absent") {
    const { findLocalModels } = await import("../../../engine/models/local-models.ts");
    if ((await findLocalModels()).length > 0) return;
  }
  if (configuration.kind === "absent" || configuration.kind === "off") {
    progress.update({ step: "writer", state: "begun" });
    return progress.update({ step: "writer", state: "done" });
  }
  if (configuration.kind !== "configured") return;
  const [{ estimateText }, { estimateFilm }, { addedCost, costOfSound }] = await Promise.all([
    import("../../../engine/models/model-budget.ts"),
    import("../../../engine/describe/vision/plan-requests.ts"),
    import("../../../engine/dialogue/cost-of-sound.ts"),
  ]);
  const estimate = estimateFilm(configuration.settings, durationSeconds);
  const time = await timeHere(configuration.settings, {
    ...{ variables, durationSeconds, estimate, signal },
    onTrial: (detail) => progress.update({ step: "estimate", state: "begun", detail }),
  });
  const cost = addedCost(estimate.cost, costOfSound(variables, durationSeconds));
  const detail = `${configuration.settings.model}, ${estimateText({ ...estimate, cost })}${time}`;
  progress.update({ step: "estimate", state: "begun", detail });
  progress.update({ step: "estimate", state: "done", detail });
}

/** How long an installed model takes, by a trial of one shot where nobody tried it before; empty for every other model. */
async function timeHere(
  settings: VisionSettings,
  film: {
    readonly variables: Environment;
    readonly durationSeconds: number;
    readonly estimate: CostEstimate;
    readonly signal: AbortSignal;
    readonly onTrial: (what: string) => void;
  },
): Promise<string> {
  const { variables, durationSeconds, estimate, signal, onTrial } = film;
  const [{ eyesIn }, { HERE_URL }, { keptPace, minutesHere, secondsFor, tooWeak, tryEyes }] = await Promise.all([
    import("../../../engine/models/vision-settings.ts"),
    import("../../../engine/models/presets.ts"),
    import("../../../engine/local/eyes-pace.ts"),
  ]);
  const eyes = settings.baseUrl === HERE_URL ? eyesIn(variables, settings.model) : null;
  if (eyes === null) return "";
  let pace = await keptPace(eyes);
  if (pace === null) {
    onTrial(`trying ${eyes.model.title} on one shot`);
    pace = await tryEyes(settings, variables, signal).catch(() => null);
    signal.throwIfAborted();
  }
  // What is wrong with it, the job says.
  const seconds = pace === null ? null : secondsFor(pace, estimate);
  const weak = await tooWeak(eyes, { durationSeconds, seconds });
  return `${seconds === null ? "" : `, ${minutesHere(seconds)}`}${weak === null ? "" : `. ${weak}`}`;
}
