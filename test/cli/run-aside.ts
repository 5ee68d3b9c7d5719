import { type ChildProcess, spawn } from "node:child_process";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import { runCommandLine } from "../../src/cli/command-line.ts";
import type { Terminal } from "../../src/cli/shell/run-command.ts";
import { visibleText } from "../../src/core/text.ts";
import { engine, openEngine } from "../../src/engine/index.ts";
import { wholePath } from "../../src/engine/isolate/programs.ts";
import { HostedServer } from "../fakes/hosted-server.ts";
import { silentWav } from "../fakes/wav.ts";
import { runHere } from "../service/tasks-here.ts";
import { homeFolder, temporaryFolder } from "../temporary-folder.ts";

const BIN = fileURLToPath(new URL("../../bin/aside.mjs", import.meta.url));

/** How a command ended. */
export interface Ended {
  /** Exit code; `null` when a signal killed it. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A command under way. */
export interface RunningAside {
  readonly process: ChildProcess;
  readonly ended: Promise<Ended>;
  /** Resolves when standard output or the error output holds what is looked for. */
  shows(pattern: RegExp): Promise<RegExpExecArray>;
}

/** What a command is started with beside its arguments. */
export interface AsideOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** Whether it is started by a Node that is too old and has to restart itself. */
  readonly isOldNode?: boolean;
  /** A shell script that starts the command as `"$@"`, to run it under limits. */
  readonly shell?: string;
}

/** How long a process may take to end by itself, in milliseconds. */
const STOP_MS = 10_000;

/** Makes a Node say that it is an old one. */
const PRETEND_OLD = "data:text/javascript,Object.defineProperty(process.versions,'node',{value:'20.11.0'})";

/** Starts `aside` as a user does, as a process of its own; it is ended when the test ends. */
export function startAside(args: readonly string[], options: AsideOptions = {}): RunningAside {
  const { shell, cwd = tmpdir() } = options;
  const pretence = options.isOldNode === true ? ["--import", PRETEND_OLD] : [];
  const command = [process.execPath, ...pretence, BIN, ...args];
  const [program, ...rest] = shell === undefined ? command : ["/bin/bash", "-c", shell, "bash", ...command];
  const env = { PATH: process.env["PATH"], TMPDIR: tmpdir(), HOME: homeFolder(), ...options.env };
  const child = spawn(wholePath(program ?? ""), rest, { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
  const texts = { stdout: "", stderr: "" };
  const watchers = new Set<() => void>();
  for (const name of ["stdout", "stderr"] as const) {
    child[name].setEncoding("utf8").on("data", (piece: string) => {
      texts[name] += piece;
      for (const watch of watchers) watch();
    });
  }
  const ended = new Promise<Ended>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => resolve({ code, ...texts }));
  });
  // It is asked first: a service that is killed cannot remove its socket.
  onTestFinished(async () => {
    child.kill("SIGTERM");
    const kill = setTimeout(() => child.kill("SIGKILL"), STOP_MS);
    await ended.catch(() => undefined);
    clearTimeout(kill);
  });
  const shows = (pattern: RegExp) =>
    new Promise<RegExpExecArray>((resolve, reject) => {
      const look = () => {
        const found = pattern.exec(texts.stdout) ?? pattern.exec(texts.stderr);
        if (found === null) return;
        watchers.delete(look);
        resolve(found);
      };
      watchers.add(look);
      look();
      void ended.then(({ code, stderr }) => reject(new Error(`ended (${code}) without ${pattern}: ${stderr}`)));
    });
  return { process: child, ended, shows };
}

/** Runs `aside` to its end. */
export function aside(args: readonly string[], options: AsideOptions = {}): Promise<Ended> {
  return startAside(args, options).ended;
}

/**
 * Runs `aside` to its end in this process, which is much quicker: for what is neither a question of processes, of signals, nor
 * of the folder that a command is started in.
 *
 * @param models What can be ordered, where it is not the catalog.
 */
export async function asideHere(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  models: Terminal["models"] = {},
): Promise<Ended> {
  const texts = { stdout: "", stderr: "" };
  const output = {
    print(text: string) {
      texts.stdout += `${text}\n`;
    },
    tell(text: string) {
      texts.stderr += `${visibleText(text)}\n`;
    },
  };
  const screen = {
    write(text: string) {
      texts.stderr += text;
    },
  };
  const variables = { PATH: process.env["PATH"], TMPDIR: tmpdir(), HOME: homeFolder(), ...env };
  const cancelled = () => new AbortController().signal;
  const restore = workHere();
  try {
    return { code: await runCommandLine(args, { output, screen, env: variables, models, cancelled }), ...texts };
  } finally {
    restore();
  }
}

/** Commands under way in this process. */
let underWay = 0;

/** What commands ask of the engine is done in this process too, as long as one is under way; jobs have processes. */
function workHere(): () => void {
  if (underWay++ === 0) Object.assign(engine, openEngine({ run: runHere }));
  return () => {
    if (--underWay === 0) Object.assign(engine, openEngine());
  };
}

/**
 * As `asideHere`, and meanwhile this process has the command's variables and no other of Aside's: for parts that read them
 * there. One at a time.
 */
export async function asideAlone(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  models: Terminal["models"] = {},
): Promise<Ended> {
  const before = { ...process.env };
  const others = Object.keys(before).filter((name) => name.startsWith("ASIDE_"));
  for (const name of others) delete process.env[name];
  Object.assign(process.env, { HOME: homeFolder(), ...env });
  try {
    return await asideHere(args, env, models);
  } finally {
    for (const name of Object.keys(process.env)) if (!(name in before)) delete process.env[name];
    Object.assign(process.env, before);
  }
}

/** The scripted hosted server on a port, with five seconds of narration; a folder, one for results in it, and the environment. */
export async function hostedService() {
  const server = new HostedServer();
  server.wav = silentWav(5);
  server.pollSeconds = 0.02;
  const { address, close } = await server.listen();
  onTestFinished(close);
  const folder = await temporaryFolder();
  return { server, address, folder, out: join(folder, "out"), env: { ASIDE_API_KEY: server.key } };
}
