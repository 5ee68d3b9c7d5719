import { fork } from "node:child_process";
import { rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { nodeFiles } from "../host/headless/files.ts";
import { hostErrorFrom } from "../host/headless/system-error.ts";
import { HostError } from "../host/host-error.ts";
import type { SampleTruth } from "../service/sample/make-sample.ts";
import { SAMPLE_REVISION } from "../service/sample/scenes.ts";
import { makeFolder } from "../service/storage/make-folder.ts";
import { VERSION } from "./version.ts";

const CHILD = fileURLToPath(new URL("./sample-child.ts", import.meta.url));

/** A sample clip on disk, and what is true of it. */
export interface Sample {
  readonly path: string;
  readonly truth: SampleTruth;
}

/** What stands beside a sample: who made it, and what is true of it. */
interface SampleFacts {
  readonly version: string;
  readonly revision: number;
  /** In bytes. */
  readonly size: number;
  readonly truth: SampleTruth;
}

/**
 * The sample clip at `path`: the one that is there, if this version made it, else a new one.
 *
 * @throws HostError when it cannot be made or written; the signal's reason when it aborts.
 */
export async function ensureSample(path: string, signal: AbortSignal): Promise<Sample> {
  const factsPath = `${path}.json`;
  const kept = await readFacts(factsPath, await nodeFiles.size(path));
  if (kept !== null) return { path, truth: kept };
  try {
    await makeFolder(dirname(path));
  } catch (error) {
    throw hostErrorFrom(error, path, "make the sample clip", "nothing was changed");
  }
  const making = `${path}.${process.pid}.mp4`;
  try {
    const truth = await makeInChild(making, signal);
    await rename(making, path);
    const size = (await nodeFiles.size(path)) ?? 0;
    const facts: SampleFacts = { version: VERSION, revision: SAMPLE_REVISION, size, truth };
    await nodeFiles.writeText(factsPath, JSON.stringify(facts));
    return { path, truth };
  } finally {
    await rm(making, { force: true });
  }
}

async function readFacts(path: string, size: number | null): Promise<SampleTruth | null> {
  if (size === null || (await nodeFiles.size(path)) === null) return null;
  try {
    const facts = JSON.parse(await nodeFiles.readText(path)) as SampleFacts;
    const isThisOne = facts.version === VERSION && facts.revision === SAMPLE_REVISION && facts.size === size;
    return isThisOne ? facts.truth : null;
  } catch {
    return null;
  }
}

function makeInChild(path: string, signal: AbortSignal): Promise<SampleTruth> {
  return new Promise((resolve, reject) => {
    // A process group of its own: Ctrl-C reaches this process alone, which ends the other.
    const child = fork(CHILD, [path], {
      execArgv: [],
      stdio: ["ignore", "ignore", "pipe", "ipc"],
      detached: process.platform !== "win32",
    });
    let said = "";
    child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      said = (said + text).slice(-2_000);
    });
    const abort = () => {
      child.kill("SIGKILL");
      reject(signal.reason);
    };
    if (signal.aborted) abort();
    signal.addEventListener("abort", abort, { once: true });
    // The child says nothing but this, and once.
    child.once("message", (truth) => resolve(truth as SampleTruth));
    child.once("close", () => {
      signal.removeEventListener("abort", abort);
      const context = { operation: "make the sample clip", state: "nothing was changed", cause: said };
      reject(new HostError("host_failed", "the sample clip could not be made", context));
    });
  });
}
