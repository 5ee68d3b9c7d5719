import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import type { Readable } from "node:stream";
import { fileURLToPath } from "node:url";

/** The command line of this checkout. */
export const ASIDE = fileURLToPath(new URL("../../bin/aside.mjs", import.meta.url));

/** How the command line is started, beyond its arguments. */
export interface StartOptions {
  /** Variables beside those of this process. No model of this computer is asked where none is named here. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Another command line than that of this checkout. */
  readonly program?: string;
  /** Once it resolves, the command is killed with all it started, as a computer that goes off would end them. */
  readonly stop?: Promise<void> | null;
}

/** Starts `aside` in a process of its own, which may be a group's first; its output and its complaints can be read. */
export function startAside(
  args: readonly string[],
  { environment = {}, program = ASIDE, stop = null }: StartOptions = {},
): ChildProcessByStdio<null, Readable, Readable> {
  const child = spawn(process.execPath, [program, ...args], {
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, ASIDE_VISION_URL: "off", ...environment },
    detached: stop !== null,
  });
  void stop?.then(() => process.kill(-(child.pid ?? 0), "SIGKILL"));
  return child;
}

/** How a command ended. */
export interface Ended {
  /** `null` where it was killed. */
  readonly code: number | null;
  readonly seconds: number;
  /** The end of all it said, as it came, and of its complaints alone. */
  readonly said: string;
  readonly complaint: string;
}

/** Characters of what is said that are kept. */
const KEPT = 2_000;

/** Runs `aside` to its end. */
export async function runAside(args: readonly string[], options: StartOptions = {}): Promise<Ended> {
  const begun = performance.now();
  const child = startAside(args, options);
  let [said, complaint] = ["", ""];
  child.stdout.on("data", (chunk: Buffer) => {
    said = `${said}${chunk}`.slice(-KEPT);
  });
  child.stderr.on("data", (chunk: Buffer) => {
    said = `${said}${chunk}`.slice(-KEPT);
    complaint = `${complaint}${chunk}`.slice(-KEPT);
  });
  const [code] = await once(child, "close");
  return { code, seconds: (performance.now() - begun) / 1000, said, complaint };
}
