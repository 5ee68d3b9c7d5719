import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ASIDE } from "./aside.ts";

// Processes are looked at through Linux's /proc: elsewhere, and of what has just ended, nothing is known.

/** Ticks per second of `/proc/ID/stat`, the same on every Linux (`getconf CLK_TCK`). */
const TICKS_PER_SECOND = 100;

/** A process as it is just now. */
export interface ProcessState {
  /** Identifier of the process that started it. */
  readonly parent: number;
  /** Processor time it has used, in seconds. */
  readonly processorSeconds: number;
}

/** What runs on this machine, by identifier. */
export function processesNow(): Map<number, ProcessState> {
  const found = new Map<number, ProcessState>();
  for (const name of readdirSync("/proc")) {
    const state = /^\d+$/.test(name) ? stateOf(Number(name)) : null;
    if (state !== null) found.set(Number(name), state);
  }
  return found;
}

function stateOf(id: number): ProcessState | null {
  // After the name, which may hold blanks and stands in brackets: state, parent, and as 12th and 13th user and system time.
  const fields = read(`/proc/${id}/stat`)?.split(") ").at(-1)?.split(" ");
  if (fields === undefined) return null;
  const processorSeconds = (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
  return { parent: Number(fields[1]), processorSeconds };
}

/** Whether a process is another one or was started by it, directly or through others. */
export function descends(id: number, from: number, processes: ReadonlyMap<number, ProcessState>): boolean {
  let at: number | undefined = id;
  while (at !== undefined && at !== from && at > 1) at = processes.get(at)?.parent;
  return at === from;
}

/** Processor time that a process has used, in seconds; 0 where the system does not tell. */
export function processorSecondsOf(id: number): number {
  return stateOf(id)?.processorSeconds ?? 0;
}

/** Memory of a process in megabytes, what is resident now or was at most; 0 where the system does not tell. */
export function megabytesOf(id: number, which: "now" | "peak" = "now"): number {
  const name = which === "now" ? "VmRSS" : "VmHWM";
  const found = new RegExp(`^${name}:\\s+(\\d+)`, "m").exec(read(`/proc/${id}/status`) ?? "")?.[1];
  return Number(found ?? 0) / 1024;
}

function read(path: string): string | null {
  try {
    return readFileSync(path, "latin1");
  } catch {
    return null;
  }
}

/** Time and memory that a piece of work of this process took. */
export interface Taken<Result> {
  readonly result: Result;
  readonly wallSeconds: number;
  /** Processor time of this process: other work on the machine does not stretch it. */
  readonly processorSeconds: number;
  readonly peakMegabytes: number;
}

/** Does a piece of work in this process, and measures it. */
export async function timed<Result>(work: () => Result | Promise<Result>): Promise<Taken<Result>> {
  let peak = 0;
  const look = () => {
    peak = Math.max(peak, process.memoryUsage.rss());
  };
  const watch = setInterval(look, 100);
  const [begun, used] = [performance.now(), process.cpuUsage()];
  try {
    const result = await work();
    const { user, system } = process.cpuUsage(used);
    const wallSeconds = (performance.now() - begun) / 1000;
    look();
    return { result, wallSeconds, processorSeconds: (user + system) / 1e6, peakMegabytes: Math.round(peak / 1e6) };
  } finally {
    clearInterval(watch);
  }
}

/** What a command and all processes it started took. */
export interface Usage {
  readonly wallSeconds: number;
  /** Processor time of all its processes together; other work on the machine does not stretch it. */
  readonly processorSeconds: number;
  /** Peak memory of the command's own process, and of the one it started that worked the most (0 without any), in MB. */
  readonly ownMegabytes: number;
  readonly childMegabytes: number;
  readonly output: string;
}

/** Milliseconds between two looks at the processes; a process's last moments are missed. */
const LOOK_MS = 100;

/**
 * Runs a command of Node and watches it and its descendants.
 *
 * @throws Error when it ends with another code than 0.
 */
export async function measured(args: readonly string[]): Promise<Usage> {
  const started = performance.now();
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "pipe"] });
  const [output, complaint] = [collect(child.stdout), collect(child.stderr)];
  const seen = new Map<number, ProcessTotals>();
  const watch = setInterval(() => look(child, seen), LOOK_MS);
  const [code] = await once(child, "close");
  clearInterval(watch);
  if (code !== 0) throw new Error(`${args.join(" ")} ended with ${code}: ${complaint()}`);
  const own = seen.get(child.pid ?? 0);
  const others = [...seen].filter(([id]) => id !== child.pid).map(([, totals]) => totals);
  const busiest = others.sort((a, b) => b.processorSeconds - a.processorSeconds)[0];
  return {
    wallSeconds: (performance.now() - started) / 1000,
    processorSeconds: [...seen.values()].reduce((sum, { processorSeconds }) => sum + processorSeconds, 0),
    ownMegabytes: own?.megabytes ?? 0,
    childMegabytes: busiest?.megabytes ?? 0,
    output: output(),
  };
}

/**
 * One measured run of `aside describe` with an embedded service of its own; nothing is left of an earlier job.
 *
 * @param args What is asked for beside the film.
 */
export async function measuredJob(film: string, args: readonly string[]): Promise<Usage> {
  const place = await mkdtemp(join(tmpdir(), "aside-bench-job-"));
  const folders = ["--out", join(place, "out"), "--data", join(place, "data")];
  try {
    return await measured([ASIDE, "describe", film, ...args, ...folders, "--json"]);
  } finally {
    await rm(place, { recursive: true, force: true });
  }
}

interface ProcessTotals {
  readonly processorSeconds: number;
  readonly megabytes: number;
}

function look(child: ChildProcess, seen: Map<number, ProcessTotals>): void {
  const processes = processesNow();
  for (const [id, { processorSeconds }] of processes) {
    if (!descends(id, child.pid ?? -1, processes)) continue;
    const megabytes = Math.max(seen.get(id)?.megabytes ?? 0, Math.round(megabytesOf(id, "peak")));
    seen.set(id, { processorSeconds, megabytes });
  }
}

function collect(stream: NodeJS.ReadableStream): () => string {
  const chunks: Buffer[] = [];
  stream.on("data", (chunk: Buffer) => chunks.push(chunk));
  return () => Buffer.concat(chunks).toString("utf8");
}

/** Value below which a share of the values lies, such as 0.99 of them. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}
