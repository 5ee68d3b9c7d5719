import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer, json } from "node:stream/consumers";
import * as z from "zod/mini";
import { EVERYBODY, PROGRAMS, passedOn, SERVERS, withoutNetwork } from "../isolate/cage.ts";
import { findProgram, wholePath } from "../isolate/programs.ts";
import type { Environment } from "../outgoing/local-only.ts";
import type { Outlet } from "../outgoing/relay.ts";
import { sendRequest } from "../outgoing/send-request.ts";
import { MAX_LINE_CHARACTERS, SpeechError } from "./voice.ts";
import { engineVoice, type VoiceNames } from "./voice-names.ts";

/**
 * A program that speaks, such as Piper or `say`.
 *
 * Its arguments may hold `{voice}`, `{language}`, `{rate}` (1.25), `{rate_percent}`, `{length_scale}` (its inverse),
 * `{words_per_minute}`, `{text_file}` and `{output}`. The text itself goes to standard input, and to the file of `{text_file}` where that is
 * used: never into an argument. The sound is the WAV file of `{output}`, else what the program writes to standard output.
 */
export interface CommandSettings {
  readonly command: readonly [program: string, ...args: string[]];
  readonly timeoutSeconds: number;
  readonly names: VoiceNames;
  /** What stands in a text for what the program would take as an order, where there is any. */
  readonly replaced?: Readonly<Record<string, string>>;
  /** Whether nothing may leave this computer by it: it has no network then, where the system can take it away. */
  readonly staysHere?: true;
}

/** A line as it crosses from a job's process to the one that runs the program. */
const ProgramLine = z.object({
  text: z.string().check(z.maxLength(MAX_LINE_CHARACTERS)),
  // It becomes an argument, and may look like none of the program's options.
  language: z.string().check(z.regex(/^[a-z][a-z0-9-]*$/i), z.maxLength(35)),
  voice: z.string(),
  rate: z.number().check(z.gt(0), z.lte(100)),
});

/** One line, its language as a BCP-47 code, its voice by the catalogue's name, its rate relative to the normal one. */
type ProgramLine = z.infer<typeof ProgramLine>;

/** Where a job's process has the program run; the ending is reserved, so no server is there. */
const PROGRAM_URL = "http://voice-program.invalid/";

/** Most bytes of a line on its way to the program: JSON makes six of a character at most. */
const MAX_LINE_BYTES = 6 * MAX_LINE_CHARACTERS + 1_024;

/** Words per minute at rate 1, for programs that count in them. */
const NORMAL_WORDS_PER_MINUTE = 165;

/** Most bytes taken as the sound of one line: five minutes at 48 kHz and 24 bits in stereo. */
const MAX_SOUND_BYTES = 96 * 2 ** 20;

/**
 * Runs the program for one line, in a folder of its own that goes with it.
 *
 * @returns What it gave as sound.
 * @throws SpeechError `speech_command_failed`, VoiceUnavailableError, the signal's reason when it aborts.
 */
export async function runVoiceProgram(
  settings: CommandSettings,
  line: ProgramLine,
  signal?: AbortSignal,
): Promise<Uint8Array> {
  const voice = engineVoice(settings.names, line.language, line.voice, "The speech command");
  const folder = await mkdtemp(join(tmpdir(), "aside-voice-"));
  try {
    const output = join(folder, "line.wav");
    const textFile = join(folder, "line.txt");
    const values: Readonly<Record<string, string>> = {
      voice,
      language: line.language,
      rate: line.rate.toFixed(3),
      rate_percent: String(Math.round(100 * line.rate)),
      length_scale: (1 / line.rate).toFixed(3),
      words_per_minute: String(Math.round(NORMAL_WORDS_PER_MINUTE * line.rate)),
      text_file: textFile,
      output,
    };
    const own = settings.names.byLanguage?.find(({ id }) => id === voice)?.command;
    const [named, ...args] = own ?? settings.command;
    const program = await findProgram(named);
    if (program === null) throw new SpeechError("speech_command_failed", notFound(named));
    const cut = settings.staysHere === true ? await withoutNetwork() : [];
    const filled = args.map((argument) => argument.replace(/\{([a-z_]+)\}/g, (whole, name) => values[name] ?? whole));
    let text = line.text;
    for (const [order, words] of Object.entries(settings.replaced ?? {})) text = text.replaceAll(order, words);
    const [first = program, ...rest] = [...cut, program, ...filled];
    await writeFile(textFile, `${text}\n`);
    const written = await runProgram(
      {
        command: [first, ...rest],
        input: `${text}\n`,
        timeoutSeconds: settings.timeoutSeconds,
        maximumBytes: MAX_SOUND_BYTES,
        temporaryFolder: folder,
      },
      signal,
    );
    return args.some((argument) => argument.includes("{output}")) ? await readSound(output) : written;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function notFound(program: string): string {
  return /[\\/]/.test(program)
    ? "The speech command is written as a path from a folder. Write its whole path, or its name alone if PATH leads to it."
    : "The speech command was not found. Write its whole path.";
}

/** Has the service run the program, from a process that may start none: what {@link voiceProgram} answers. */
export async function askVoiceProgram(
  { text, language, voice, rate }: ProgramLine,
  signal = new AbortController().signal,
): Promise<Uint8Array> {
  const body = Buffer.from(JSON.stringify({ text, language, voice, rate }));
  const headers = { "content-length": body.length };
  const reply = await sendRequest({ url: PROGRAM_URL, method: "POST", headers, body, signal });
  const answered = await buffer(reply);
  if (reply.statusCode !== 200) throw new SpeechError("speech_command_failed", answered.toString("utf8"));
  return answered;
}

/** Runs the program for a job's process, which has neither its network nor what it is configured by. */
export function voiceProgram(settings: CommandSettings): Outlet {
  return {
    takes: ({ href }) => href === PROGRAM_URL,
    async answer(request, _url, reply, signal) {
      if (Number(request.headers["content-length"] ?? Number.POSITIVE_INFINITY) > MAX_LINE_BYTES) {
        throw new RangeError("a line that is too long");
      }
      const line = ProgramLine.parse(await json(request));
      try {
        reply.end(await runVoiceProgram(settings, line, signal));
      } catch (error) {
        if (!(error instanceof SpeechError)) throw error;
        reply.writeHead(422).end(error.message);
      }
    },
  };
}

async function readSound(path: string): Promise<Uint8Array> {
  const size = await stat(path).then(
    (found) => found.size,
    () => 0,
  );
  if (size === 0 || size > MAX_SOUND_BYTES) {
    throw new SpeechError(
      "speech_command_failed",
      "The speech command ended without writing the sound it was asked for.",
    );
  }
  return readFile(path);
}

/** How a program is run. */
interface ProgramRun {
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
function runProgram(run: ProgramRun, signal?: AbortSignal): Promise<Buffer> {
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
    let isCut = false;
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
      words += part.toString("utf8");
      isCut ||= words.length > KEPT_WORDS;
      words = words.slice(-KEPT_WORDS);
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
        else {
          // Half a secret at the cut would be known as none.
          const said = (isCut ? words.replace(/^\S*/, "") : words).trim();
          reject(failed(`ended with code ${code ?? "none"}${said === "" ? "" : `: ${said}`}`));
        }
      }),
    );
  });
}

/** The environment of a program that speaks: what it is configured by, and no key of any other server. */
export function environmentOfVoiceProgram(environment: Environment, temporaryFolder: string): NodeJS.ProcessEnv {
  const given = passedOn(environment, [...EVERYBODY, ...PROGRAMS, ...SERVERS, "ASIDE_VOICE_*"]);
  return { ...given, TMPDIR: temporaryFolder, TEMP: temporaryFolder, TMP: temporaryFolder };
}
