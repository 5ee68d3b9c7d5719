import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Client } from "../../src/client/client.ts";
import { frameRate } from "../../src/core/frame-rate.ts";
import { DEFAULT_SETTINGS } from "../../src/core/settings.ts";
import { nodeFiles } from "../../src/host/headless/files.ts";
import { MediaFileHost } from "../../src/host/headless/media-file-host.ts";
import { describe, type FinishedRun } from "../../src/workflow/describe/describe.ts";
import type { DescribeOrder, DescribePorts, StepProgress } from "../../src/workflow/describe/run.ts";
import { HostedServer } from "../fakes/hosted-server.ts";
import { ManualClock } from "../fakes/manual-clock.ts";
import { MemoryRecovery } from "../fakes/memory-recovery.ts";
import { temporaryFolder } from "../temporary-folder.ts";

/** A run against the scripted hosted server, without a network and without waiting, in a folder of its own. */
export interface HostedRun {
  readonly server: HostedServer;
  readonly clock: ManualClock;
  readonly recovery: MemoryRecovery;
  readonly folder: string;
  readonly progress: StepProgress[];
  readonly ports: DescribePorts;
  /** Runs the order, with changes, until it ends; with other ports where some are given. */
  run(changes?: OrderChanges, signal?: AbortSignal, ports?: DescribePorts): Promise<FinishedRun>;
}

type OrderChanges = Partial<Omit<DescribeOrder, "settings">> & { settings?: Partial<DescribeOrder["settings"]> };

/** Bytes of the file that is "uploaded"; the scripted server never looks into it. */
export const FILE_BYTES = Buffer.from("not really a film");

/** Prepares a run; its folder is removed when the test ends. */
export async function hostedRun(): Promise<HostedRun> {
  const folder = await temporaryFolder();
  const path = join(folder, "Harbour v7.mp4");
  await writeFile(path, FILE_BYTES);
  const server = new HostedServer();
  const clock = new ManualClock();
  const recovery = new MemoryRecovery();
  const progress: StepProgress[] = [];
  const programme = {
    path,
    contentType: "video/mp4",
    durationSeconds: 6,
    rate: frameRate(25),
    isDropFrame: false,
    startFrame: 90_000,
    hasVideo: true,
    audioChannels: 2,
  };
  const host = new MediaFileHost({ programme, files: nodeFiles, timelineFiles: [] });
  const client = new Client({
    baseUrl: "http://hosted.test",
    apiKey: server.key,
    fetch: server.fetch,
    clock,
    random: () => 0.5,
  });
  const ports = { host, client, transfer: server.transfer, files: nodeFiles, clock, recovery, random: () => 0.5 };
  const order: DescribeOrder = {
    runId: "run-1",
    settings: DEFAULT_SETTINGS,
    track: "ad_only",
    export: { range: "whole" },
    audioPath: join(folder, "narration.wav"),
    sendsAgain: false,
  };
  const run: HostedRun["run"] = (changes = {}, signal = new AbortController().signal, own = ports) => {
    const settings = { ...order.settings, ...changes.settings };
    return describe(own, { ...order, ...changes, settings }, { signal, onProgress: (step) => progress.push(step) });
  };
  return { server, clock, recovery, folder, progress, ports, run };
}
