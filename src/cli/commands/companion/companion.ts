import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { DESK_PATH, type LinkReply, logInAddress } from "../../../contract/page.ts";
import { type Pairing, USUAL_PORT } from "../../../contract/pairing.ts";
import { API_KEY_HEADER } from "../../../contract/routes.ts";
import { runSystemProgram, type SystemCommand, windowsFolder } from "../../../engine/isolate/programs.ts";
import type { RunningService } from "../../../service/main.ts";
import { VERSION } from "../../../service/version.ts";
import {
  LOG_OPTION,
  logFrom,
  portSet,
  RECORDS_OPTIONS,
  recordsFrom,
  STOP_LIMIT_MS,
  untilAborted,
} from "../../service-run/service-options.ts";
import { textOf } from "../../shell/arguments.ts";
import type { Arguments, Command, CommandContext } from "../../shell/command.ts";
import { failureOf } from "../../shell/failure.ts";
import { ownCommand } from "../../shell/own-command.ts";
import { EXIT, type ExitCode, UsageError } from "../../shell/usage-error.ts";
import { tellDesktop } from "./log-in-start.ts";
import {
  readPairingFile,
  removePageOpener,
  removePairingFile,
  writeFailurePage,
  writePageOpener,
  writePairingFile,
} from "./page-opener.ts";

/** How long a service of this computer may take to answer. */
const ANSWER_MS = 3_000;

/** Runs the service for one user: the panel finds it by itself, without address and key. */
export const COMPANION: Command = {
  name: "companion",
  summary: "Run the service for yourself: the panel finds it by itself.",
  synopsis: "[options]",
  notes: [
    `One runs for each user: a second start opens the page of the first. It listens on this computer alone, on port ${USUAL_PORT} (network.port of aside settings) or a free one.`,
    "The panel of the same user connects by a file that only this user can read, and that goes when the companion ends.",
  ],
  options: {
    "no-page": { help: "Open no page in the browser." },
    "at-login": { value: "on|off", help: "Start at log-in from now on, or no longer; nothing is started now." },
    quit: { help: "Stop the one that is running." },
    remove: {
      help: "Stop it, remove it from the system, and ask about films and settings.",
    },
    "with-data": { help: "With --remove: remove films, results, settings and keys too, without asking." },
    launcher: {
      value: "FILE",
      help: "The file that was opened: the desktop then starts Aside by it, from the panel too.",
    },
    ...RECORDS_OPTIONS,
    ...LOG_OPTION,
  },
  stopLimitMs: STOP_LIMIT_MS,
  async run(given, context) {
    const { values, positionals } = given;
    if (positionals.length > 0) throw new UsageError(`aside companion takes no "${positionals[0]}"`);
    const atLogIn = textOf(given, "at-login");
    if (atLogIn !== undefined) return await setAtLogIn(atLogIn, context);
    if (values["quit"] === true) return await quit(context);
    if (values["with-data"] === true && values["remove"] !== true)
      throw new UsageError("--with-data belongs to --remove");
    if (values["remove"] === true) {
      if (textOf(given, "data") !== undefined)
        throw new UsageError("--remove is about your own data, not that of --data");
      await quit(context);
      const { removeCompanion } = await import("./remove-companion.ts");
      const choice = values["with-data"] === true ? "remove" : "ask";
      await removeCompanion(recordsFrom(given, context.env), choice, context);
      return EXIT.done;
    }
    const opensPage = values["no-page"] !== true;
    const running = await runningCompanion();
    if (running !== null) return await joinRunning(running, opensPage, context);
    const launcher = textOf(given, "launcher");
    const stop = Promise.withResolvers<void>();
    const service = await start(given, context, stop.resolve).catch(async (error: unknown) => {
      // Whoever double-clicked it has no terminal that would say why nothing happens.
      if (opensPage && (launcher !== undefined || !process.stderr.isTTY)) await showFailure(error, context);
      throw error;
    });
    try {
      const { url: address, channel } = service;
      const pairing = { address, key: await service.processKey(), version: VERSION, pid: process.pid, channel };
      await writePairingFile(pairing);
      if (launcher !== undefined) await tellDesktop(launcher);
      context.output.print(`aside ${VERSION} runs on ${service.url}; the panel finds it by itself.`);
      if (opensPage) await showPage(pairing, context);
      await Promise.race([untilAborted(context.signal), stop.promise]);
    } finally {
      await removePairingFile(process.pid);
      await removePageOpener();
      await service.close();
    }
    return EXIT.done;
  },
};

/** Starts the service on the port that is set, or on a free one. @throws ServiceStartError, SettingsError. */
async function start(given: Arguments, context: CommandContext, onStop: () => void): Promise<RunningService> {
  const { env, output } = context;
  // Loaded here alone: help and version start without the service.
  const startService = context.startService ?? (await import("../../../service/main.ts")).startService;
  const { ServiceStartError } = await import("../../../service/storage/database.ts");
  const options = {
    ...recordsFrom(given, env),
    log: logFrom(given),
    host: "127.0.0.1",
    onStop,
    onNewVersion: (version: string) => output.print(`aside ${version} is there. This is ${VERSION}.`),
  };
  return startService({ ...options, port: await portSet(options) }).catch((error: unknown) => {
    if (error instanceof ServiceStartError && error.code === "address_unusable") {
      return startService({ ...options, port: 0 });
    }
    throw error;
  });
}

/** The companion of this user that answers; what a killed one left is none. */
async function runningCompanion(): Promise<Pairing | null> {
  const pairing = await readPairingFile();
  if (pairing === null) return null;
  const answers = await fetch(new URL("/healthz", pairing.address), { signal: AbortSignal.timeout(ANSWER_MS) }).then(
    (reply) => reply.ok,
    () => false,
  );
  return answers ? pairing : null;
}

/** By what a page is shown. */
type Showing = Pick<CommandContext, "output" | "openFile">;

async function joinRunning(running: Pairing, opensPage: boolean, context: Showing): Promise<ExitCode> {
  context.output.print(`aside ${running.version} runs already, on ${running.address}.`);
  if (opensPage) await showPage(running, context);
  return EXIT.done;
}

/** Ends the one that runs, and waits until its process is gone. @throws ServiceStartError where it goes on. */
async function quit({ output }: CommandContext): Promise<ExitCode> {
  const pairing = await readPairingFile();
  // Asked first: one that is busy for seconds, and answers nothing else meanwhile, ends all the same.
  const isAsked = pairing !== null && (await isAskedToStop(pairing));
  const running = isAsked ? pairing : await runningCompanion();
  if (running === null) {
    output.print("Nothing runs.");
    return EXIT.done;
  }
  const { pid } = running;
  // One of an earlier version takes a signal alone, by which Windows ends it in the middle of whatever it does.
  if (!isAsked && isAlive(pid)) process.kill(pid, "SIGTERM");
  const until = performance.now() + STOP_LIMIT_MS + ANSWER_MS;
  while (isAlive(pid)) {
    if (performance.now() > until) {
      const { ServiceStartError } = await import("../../../service/storage/database.ts");
      const message = `Aside has not ended: its process ${pid} still runs. Wait, or end that process; then run this again.`;
      throw new ServiceStartError("data_folder_in_use", message);
    }
    await new Promise((next) => setTimeout(next, ANSWER_MS / 30));
  }
  output.print("Ended.");
  return EXIT.done;
}

/** Whether a companion took the request to end, or has yet to read it. */
async function isAskedToStop({ channel }: Pairing): Promise<boolean> {
  const { askToStop } = await import("../../../service/admin/admin-channel.ts");
  const asked = askToStop(channel ?? "").then(
    () => true,
    () => false,
  );
  return Promise.race([asked, new Promise<boolean>((late) => setTimeout(late, STOP_LIMIT_MS, true).unref())]);
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    // Gone; its number may be that of another user's process by now.
    return false;
  }
}

async function setAtLogIn(word: string, { output }: CommandContext): Promise<ExitCode> {
  if (word !== "on" && word !== "off") throw new UsageError(`--at-login must be on or off, not "${word}"`);
  const { setLogInStart } = await import("./log-in-start.ts");
  const program = resolve(fileURLToPath(new URL("../../../../bin/aside.mjs", import.meta.url)));
  await setLogInStart(word === "on", [process.execPath, program, "companion", "--no-page"]);
  output.print(word === "on" ? "Aside starts at log-in." : "Aside does not start at log-in.");
  return EXIT.done;
}

/** Shows the page of a companion; that it cannot be shown is no reason not to run. */
async function showPage(pairing: Pairing, { output, openFile = openInBrowser }: Showing): Promise<void> {
  await openPage(pairing, openFile).catch(() =>
    output.print(`The page could not be opened. For a link to it: ${ownCommand()} page`),
  );
}

/** Logs the user in to the page of a companion, in their browser. @throws Error where the service or the system refuses. */
async function openPage({ address, key }: Pairing, openFile: typeof openInBrowser): Promise<void> {
  const reply = await fetch(new URL(`${DESK_PATH}/links`, address), {
    method: "POST",
    headers: { [API_KEY_HEADER]: key },
    signal: AbortSignal.timeout(ANSWER_MS),
  });
  if (!reply.ok) throw new Error(`the service answered ${reply.status}`);
  const { token } = (await reply.json()) as LinkReply;
  await openFile(await writePageOpener(logInAddress(address, token)));
}

/** Shows why Aside could not start; a computer that cannot show it has the words in its log. */
async function showFailure(error: unknown, { openFile = openInBrowser }: Showing): Promise<void> {
  const { sentence, next } = failureOf(error);
  await writeFailurePage([sentence, next].filter((one) => one !== "")).then(openFile, () => undefined);
}

/** Opens a file of this user in their browser. */
async function openInBrowser(file: string): Promise<void> {
  const openers: Readonly<Partial<Record<NodeJS.Platform, SystemCommand>>> = {
    darwin: ["open", file],
    win32: ["rundll32", `${join(windowsFolder(), "System32", "url.dll")},FileProtocolHandler`, file],
  };
  const opener = openers[process.platform] ?? (["xdg-open", file] as const);
  await runSystemProgram(opener, ANSWER_MS).catch(() => undefined);
}
