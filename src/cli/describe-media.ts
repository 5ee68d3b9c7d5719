import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "../client/client.ts";
import { fingerprintOf } from "../core/fingerprint.ts";
import { nodeFileTransfer } from "../host/headless/file-transfer.ts";
import { nodeFiles } from "../host/headless/files.ts";
import type { Host } from "../host/host.ts";
import { SYSTEM_CLOCK } from "../service/system-clock.ts";
import {
  captionFiles,
  type RunReport,
  reportOf,
  VIDEO_CLOCK_FILES,
  videoClockFiles,
  writeTextFiles,
} from "../workflow/deliver.ts";
import { type Description, describe } from "../workflow/describe.ts";
import {
  CLIP_NAME_PREFIX,
  planMarkerReplacement,
  planNarrationReplacement,
  type Replacement,
} from "../workflow/replace.ts";
import { Cancelled } from "./cancel.ts";
import type { DescribeCall } from "./describe-call.ts";
import { type DescribedSource, openSource } from "./described-source.ts";
import type { EmbeddedService } from "./embedded-service.ts";
import { folderRecovery } from "./folder-recovery.ts";
import { nodeFetch } from "./network.ts";
import { OutFolder, REPORT_FILE } from "./out-folder.ts";
import type { CliStep, Progress } from "./progress.ts";
import type { SharedUploads } from "./shared-uploads.ts";
import { UsageError } from "./usage-error.ts";
import { VERSION } from "./version.ts";

/** What a run needs beside its call. */
export interface Surroundings {
  readonly env: NodeJS.ProcessEnv;
  readonly signal: AbortSignal;
  readonly progress: Progress;
  /** An embedded service that runs already, for one run after another; its owner ends it. */
  readonly service?: Pick<EmbeddedService, "url" | "apiKey">;
  /** Uploads of earlier runs, for the same file in several languages. */
  readonly uploads?: SharedUploads;
}

/** Name of a service of one's own in reports and identities. */
const EMBEDDED = "embedded";

/** The video of a run. */
const VIDEO_FILE = "described.mp4";

/** How long an embedded service may take to stop once the user has cancelled, in milliseconds. */
export const CANCELLED_STOP_MS = 400;

/**
 * Describes a media file or the cut of a timeline and writes everything to the call's folder. Nothing is written under the names of the results
 * before all of them are whole.
 */
export async function describeMedia(call: DescribeCall, surroundings: Surroundings): Promise<RunReport> {
  const { signal } = surroundings;
  const source = await openSource(call.media, signal);
  const folder = await OutFolder.open(resolve(call.out), call.overwrites);
  try {
    await folder.checkNames([`raw.${call.settings.format}`, ...resultNames(call, source)]);
    const runId = await runIdOf(call, source);
    const runFolder = await folder.runFolder(runId);
    const run = { call, source, surroundings, folder, runFolder, runId };
    const host = source.hostIn(runFolder, (path) => path.replace(runFolder, folder.path));
    try {
      return await deliver(run, host, await describeWithService(run, host));
    } catch (error) {
      await tidyUp(run, error);
      throw error;
    }
  } finally {
    await folder.close();
  }
}

interface Run {
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
  return fingerprintOf(await source.fingerprint(), settings, serverName(call));
}

function serverName({ server }: DescribeCall): string {
  return server?.url.replace(/\/+$/, "") ?? EMBEDDED;
}

async function describeWithService(run: Run, host: Host): Promise<Description> {
  const { call, source, surroundings, folder, runFolder, runId } = run;
  const { signal, progress } = surroundings;
  const own = folderRecovery(folder);
  const content = fingerprintOf(await source.fingerprint(), serverName(call));
  const { client, close } = await connect(run);
  try {
    return await describe(
      {
        host,
        client,
        transfer: nodeFileTransfer,
        files: nodeFiles,
        clock: SYSTEM_CLOCK,
        recovery: surroundings.uploads?.over(own, content) ?? own,
      },
      {
        runId,
        settings: call.settings,
        track: call.track,
        ...(call.video === undefined ? {} : { video: { ...call.video, path: join(runFolder, VIDEO_FILE) } }),
        export: { range: "whole" },
        audioPath: join(runFolder, audioNameOf(call) ?? ""),
        // The embedded service bills nothing: what is unclear is simply done again.
        sendsAgain: call.sendsAgain || call.server === undefined,
      },
      { signal, onProgress: (step) => progress.update(step) },
    );
  } finally {
    // A service that is cut off goes on with its job when it is started the next time.
    await (signal.aborted ? Promise.race([close(), sleep(CANCELLED_STOP_MS)]) : close());
  }
}

async function connect(run: Run): Promise<{ readonly client: Client; close(): Promise<void> }> {
  const { call, surroundings } = run;
  const parts = { fetch: nodeFetch, clock: SYSTEM_CLOCK };
  if (call.server !== undefined) {
    const { url, apiKey } = call.server;
    return { client: clientFor({ baseUrl: url, apiKey, ...parts }), close: async () => undefined };
  }
  if (surroundings.service !== undefined) {
    const { url, apiKey } = surroundings.service;
    return { client: clientFor({ baseUrl: url, apiKey, ...parts }), close: async () => undefined };
  }
  const service = await inStep(surroundings.progress, "service", async () => {
    // Loaded here alone: a run against another service needs neither the records nor the server.
    const { startEmbeddedService } = await import("./embedded-service.ts");
    return startEmbeddedService(call.dataFolder, surroundings.env);
  });
  return {
    client: clientFor({ baseUrl: service.url, apiKey: service.apiKey, ...parts }),
    close: () => service.close(),
  };
}

/** @throws UsageError when the address or the key cannot be used. */
function clientFor(options: ConstructorParameters<typeof Client>[0]): Client {
  try {
    return new Client(options);
  } catch (error) {
    if (error instanceof RangeError) throw new UsageError(error.message);
    throw error;
  }
}

/** Writes everything beside each other under its hidden folder, then moves it into place. */
async function deliver(run: Run, host: Host, description: Description): Promise<RunReport> {
  const { call, source, surroundings, folder, runFolder, runId } = run;
  return inStep(surroundings.progress, "write", async () => {
    const audioName = audioNameOf(call);
    const { audio, sequence, exported, cues, findings } = description;
    const clipName = `${CLIP_NAME_PREFIX}${audioName ?? ""}`;
    const wanted: Replacement = {
      sequence,
      timeline: await host.readTimeline(),
      offsetSeconds: exported.offsetSeconds,
      durationSeconds: exported.durationSeconds,
      cues,
      findings,
      ...(audio === undefined ? {} : { audio: { path: audio.path, clipName, durationSeconds: audio.durationSeconds } }),
    };
    const groups = [planMarkerReplacement(wanted), planNarrationReplacement(wanted)].flatMap((plan) => plan.groups);
    const applied = await host.apply({ sequenceId: sequence.id, groups }, { signal: surroundings.signal });
    const captions = captionFiles(description, call.settings.language);
    const clocks = videoClockFiles(description, call.settings.language);
    const unused: readonly string[] = clocks.length === 0 ? VIDEO_CLOCK_FILES : [];
    const made = [...captions.map(({ name }) => name), ...resultNames(call, source)];
    const names = [...new Set(made)].filter((name) => !unused.includes(name));
    const report = reportOf(
      { ...description, notices: [...source.notices, ...description.notices, ...applied.differences] },
      {
        settings: call.settings,
        track: call.track,
        service: call.server === undefined ? EMBEDDED : new URL(call.server.url).host,
        version: VERSION,
        finishedAt: new Date().toISOString(),
        files: names,
      },
    );
    const texts = [...captions, ...clocks, { name: REPORT_FILE, text: `${JSON.stringify(report, null, 2)}\n` }];
    await writeTextFiles(nodeFiles, texts, (name) => join(runFolder, name));
    surroundings.signal.throwIfAborted();
    await folder.deliver(runFolder, names);
    await folderRecovery(folder).remove(runId);
    await folder.discard(runId);
    return report;
  });
}

/** Keeps the record of a run that can be gone on with, and removes everything of one that cannot. */
async function tidyUp({ call, source, folder, runFolder, runId }: Run, error: unknown): Promise<void> {
  const recovery = folderRecovery(folder);
  const record = await recovery.load(runId).catch(() => null);
  const isPaidFor = record?.submission !== undefined || record?.result !== undefined;
  const isSent = record?.sent !== undefined || record?.media !== undefined;
  // To the embedded service an upload costs a moment; it is worth keeping only where the same run is about to go on.
  const isKept = isPaidFor || (isSent && (call.server !== undefined || error instanceof Cancelled));
  if (!isKept) await recovery.remove(runId).catch(() => undefined);
  const isMade = [record?.audioPath, record?.videoPath].some((path) => path !== undefined);
  if (!isKept || !(isMade || record?.exported?.isTemporary === true)) {
    await folder.discard(runId);
    return;
  }
  for (const name of source.timelineNames) await nodeFiles.remove(join(runFolder, name)).catch(() => undefined);
}

/** Files of a result beside the raw text, whose ending the reply decides. */
function resultNames(call: DescribeCall, source: DescribedSource): string[] {
  const audioName = audioNameOf(call);
  return [
    ...["vtt", "srt", "edl", "json"].map((format) => `cues.${format}`),
    ...(audioName === undefined ? [] : [audioName]),
    ...(call.video === undefined ? [] : [VIDEO_FILE, ...VIDEO_CLOCK_FILES]),
    ...source.timelineNames,
    REPORT_FILE,
  ];
}

function audioNameOf(call: DescribeCall): string | undefined {
  if (call.track === "none") return undefined;
  return call.track === "mixed" ? "mixed.wav" : "narration.wav";
}

async function inStep<T>(progress: Progress, step: CliStep, work: () => Promise<T>): Promise<T> {
  progress.update({ step, state: "begun" });
  const result = await work();
  progress.update({ step, state: "done" });
  return result;
}
