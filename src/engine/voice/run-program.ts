import { spawn } from "node:child_process";
import { EVERYBODY, PROGRAMS, passedOn, SERVERS } from "../isolate/passed-variables.ts";
import { wholePath } from "../isolate/programs.ts";
import type { Environment } from "../outgoing/environment.ts";
import { SpeechError } from "./speech-error.ts";

/** How a program is run. */
export interface ProgramRun {
  /** Whole path of a program, and arguments; never seen by a shell. */
  readonly command: readonly [program: string, ...args: string[]];
  /** Written to its standard input. */
  readonly input: string;
  readonly timeoutSeconds: number;
  /** Most bytes taken from its standard output. */
  readonly maximumBytes: number;
  /** What the program is told is the folder for temporary files. */
  readonly temporaryFolder: string;
}

/** Characters kept of what a program says on its standard error. */
const KEPT_WORDS = 500;

/**
 * Runs a program to its end and gives what it wrote to standard output.
 *
 * @throws SpeechError `speech_command_failed` when it cannot be started, ends with an error, takes too long or writes too
 * much; the signal's reason when it aborts. The program and what it started are gone then.
 */
export function runProgram(run: ProgramRun, signal?: AbortSignal): Promise<Buffer> {
  const [program, ...args] = run.command;
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    // A group of its own, so that what the program starts ends with it.
    const isPosix = process.platform !== "win32";
    const child = spawn(wholePath(program), args, {
      stdio: ["pipe", "pipe", "pipe"],
      shell: false,
      env: environmentOfVoiceProgram(process.env, run.temporaryFolder),
      detached: isPosix,
      windowsHide: true,
    });
    const output: Buffer[] = [];
    let size = 0;
    let words = "";
    let failure: unknown = null;
    const stop = (reason: unknown) => {
      failure ??= reason;
      if (isPosix && child.pid !== undefined) {
        try {
          process.kill(-child.pid, "SIGKILL");
          return;
        } catch {
          // The group is gone already.
        }
      }
      child.kill("SIGKILL");
    };
    const failed = (what: string) => new SpeechError("speech_command_failed", `The speech command ${what}.`);
    const abort = () => stop(signal?.reason);
    const timer = setTimeout(() => stop(failed(`took longer than ${run.timeoutSeconds} s`)), run.timeoutSeconds * 1000);
    signal?.addEventListener("abort", abort, { once: true });
    child.stdout.on("data", (part: Buffer) => {
      size += part.length;
      if (size > run.maximumBytes) stop(failed("wrote more sound than one line can have"));
      else output.push(part);
    });
    child.stderr.on("data", (part: Buffer) => {
      words = (words + part.toString("utf8")).slice(-KEPT_WORDS);
    });
    // A program that reads nothing closes its input early; how it ends says whether that matters.
    child.stdin.on("error", () => undefined);
    child.stdin.end(run.input, "utf8");
    const settle = (outcome: () => void) => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", abort);
      outcome();
    };
    child.on("error", (cause) => {
      const error = new SpeechError(
        "speech_command_failed",
        "The speech command could not be started. Check its path.",
        { cause },
      );
      settle(() => reject(failure ?? error));
    });
    child.on("close", (code) =>
      settle(() => {
        if (failure !== null) reject(failure);
        else if (code === 0) resolve(Buffer.concat(output));
        else reject(failed(`ended with code ${code ?? "none"}${words.trim() === "" ? "" : `: ${words.trim()}`}`));
      }),
    );
  });
}

/** The environment of a program that speaks: what it is configured by, and no key of any other server. */
export function environmentOfVoiceProgram(environment: Environment, temporaryFolder: string): NodeJS.ProcessEnv {
  const given = passedOn(environment, [...EVERYBODY, ...PROGRAMS, ...SERVERS, "ASIDE_VOICE_*"]);
  return { ...given, TMPDIR: temporaryFolder, TEMP: temporaryFolder, TMP: temporaryFolder };
}
