import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";

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

/** Ticks per second of `/proc/<id>/stat`, the same on every Linux (`getconf CLK_TCK`). */
const TICKS_PER_SECOND = 100;

/**
 * Runs a command of Node and watches it and its descendants through Linux's `/proc`.
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

interface ProcessTotals {
  readonly processorSeconds: number;
  readonly megabytes: number;
}

function look(child: ChildProcess, seen: Map<number, ProcessTotals>): void {
  const parents = new Map<number, { readonly parent: number; readonly processorSeconds: number }>();
  for (const name of readdirSync("/proc")) {
    const stat = /^\d+$/.test(name) ? read(`/proc/${name}/stat`) : null;
    // After the name in brackets: state, parent, …; the 12th and 13th are user and system time.
    const fields = stat?.slice(stat.lastIndexOf(")") + 2).split(" ");
    if (fields === undefined) continue;
    const processorSeconds = (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
    parents.set(Number(name), { parent: Number(fields[1]), processorSeconds });
  }
  for (const [id, { processorSeconds }] of parents) {
    if (!descends(id, child.pid ?? -1, parents)) continue;
    const peak = /VmHWM:\s+(\d+) kB/.exec(read(`/proc/${id}/status`) ?? "")?.[1];
    const megabytes = Math.max(seen.get(id)?.megabytes ?? 0, Math.round(Number(peak ?? 0) / 1024));
    seen.set(id, { processorSeconds, megabytes });
  }
}

function descends(id: number, from: number, parents: ReadonlyMap<number, { readonly parent: number }>): boolean {
  let at: number | undefined = id;
  while (at !== undefined && at !== from && at > 1) at = parents.get(at)?.parent;
  return at === from;
}

/** `null` for a process that has just ended. */
function read(path: string): string | null {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return null;
  }
}

function collect(stream: NodeJS.ReadableStream): () => string {
  const chunks: Buffer[] = [];
  stream.on("data", (chunk: Buffer) => chunks.push(chunk));
  return () => Buffer.concat(chunks).toString("utf8");
}
