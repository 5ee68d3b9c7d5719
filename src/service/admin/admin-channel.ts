import { randomUUID } from "node:crypto";
import type { Stats } from "node:fs";
import { lstat, mkdtemp, rm, rmdir } from "node:fs/promises";
import { createServer, type IncomingMessage, request } from "node:http";
import { tmpdir } from "node:os";
import { basename, dirname, isAbsolute, join, normalize } from "node:path";
import { AudioDescriptionError } from "../../core/error.ts";
import { RequestError } from "../request-error.ts";
import { type Administration, AdministrationError } from "./administration.ts";

/** Every command of {@link Administration}. */
const COMMANDS: readonly (keyof Administration)[] = [
  "createKey",
  "createLogInLink",
  "createReviewLink",
  "listReviewLinks",
  "revokeReviewLink",
  "listKeys",
  "revokeKey",
  "listJobs",
  "showJob",
  "retryJob",
  "cancelJob",
  "readSettings",
  "changeSettings",
  "beginSettingsAnew",
  "countUnknownObjects",
  "verifyObjects",
  "backUp",
  "purgeJobs",
];

/** Longest command in bytes. */
const COMMAND_MAX_BYTES = 65_536;

/** How folders of channels begin; short, because a socket's path may have about 100 bytes. */
const CHANNEL_PREFIX = "aside-admin-";

/** What `mkdtemp` makes of it. */
const CHANNEL_FOLDER = /^aside-admin-[A-Za-z0-9]{6}$/;

const SOCKET = "socket";

const PIPE = /^\\\\\.\\pipe\\aside-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Where a running service takes administration commands. */
export interface AdminChannel {
  /** A socket in a folder that only the service's user can enter, or a named pipe on Windows. */
  readonly path: string;
  close(): Promise<void>;
}

/** The command that is about the process, and not its records. */
const STOP = "stop";

/**
 * Lets other processes of the same user administer a service that is running: its embedded records are open in one
 * process alone, so whoever cannot open them asks the one who has.
 *
 * @param onStop Called when another process asks this one to end; absent where it is not to be ended so.
 */
export async function serveAdministration(administration: Administration, onStop?: () => void): Promise<AdminChannel> {
  const path =
    process.platform === "win32"
      ? `\\\\.\\pipe\\aside-${randomUUID()}`
      : join(await mkdtemp(join(tmpdir(), CHANNEL_PREFIX)), SOCKET);
  const server = createServer((incoming, reply) => {
    answer(administration, incoming, onStop)
      .then(
        // The channel closes with the process: who asked is answered first.
        (result) => reply.end(JSON.stringify({ result }), () => result === STOP && onStop?.()),
        (error: unknown) => reply.writeHead(422).end(JSON.stringify({ message: messageOf(error) })),
      )
      .catch(() => reply.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(path, resolve);
  });
  return {
    path,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await removeChannel(path);
    },
  };
}

/**
 * Removes what a service that was killed left of its channel: a socket, and the folder around it once that is empty.
 * Anything that is no channel's path is left alone: the file that names it may have been written by anybody.
 */
export async function removeChannel(path: string): Promise<void> {
  if (process.platform === "win32" || !(await isChannel(path))) return;
  await rm(path, { force: true });
  await rmdir(dirname(path)).catch(() => undefined);
}

/** Whether a path is one that {@link serveAdministration} makes, and what stands there is this user's, or anybody's for root. */
async function isChannel(path: string): Promise<boolean> {
  if (process.platform === "win32") return PIPE.test(path);
  const folder = dirname(path);
  const isMade = isAbsolute(path) && normalize(path) === path && basename(path) === SOCKET;
  if (!isMade || !CHANNEL_FOLDER.test(basename(folder))) return false;
  const user = process.getuid?.();
  const isOurs = ({ uid }: Stats) => user === 0 || uid === user;
  const [inside, around] = await Promise.all([path, folder].map((one) => lstat(one).catch(() => null)));
  if (around == null || !around.isDirectory() || !isOurs(around)) return false;
  return inside == null || (inside.isSocket() && isOurs(inside));
}

/**
 * Administration of a service that runs in another process, over its channel. Nothing is sent to a path that is no
 * channel's.
 *
 * @throws AdministrationError when a command cannot be carried out.
 */
export function connectAdministration(path: string): Administration {
  const commands = COMMANDS.map((command) => [command, (...values: unknown[]) => send(path, { command, values })]);
  // Each gives what the other end's method gave.
  return Object.fromEntries(commands);
}

/**
 * Asks the process at the other end of a channel to end: it puts back what goes on, and removes what it made.
 *
 * @throws AdministrationError when it does not answer, or is of a version that does not know this.
 */
export async function askToStop(path: string): Promise<void> {
  await send(path, { command: STOP, values: [] });
}

async function answer(
  administration: Administration,
  incoming: IncomingMessage,
  onStop: (() => void) | undefined,
): Promise<unknown> {
  const { command, values } = JSON.parse(await textOf(incoming));
  if (command === STOP && onStop !== undefined) return STOP;
  const name = COMMANDS.find((known) => known === command);
  if (name === undefined || !Array.isArray(values)) throw new AdministrationError("There is no such command.");
  // Both ends are this program; the values were typed where the call was made.
  const method = administration[name] as (...values: unknown[]) => Promise<unknown>;
  return method(...values.map((value) => value ?? undefined));
}

async function send(path: string, command: object): Promise<unknown> {
  if (!(await isChannel(path))) {
    throw new AdministrationError(
      "The data folder names no channel of a running service (service.json). Stop the service, remove that file and start again.",
    );
  }
  return new Promise((resolve, reject) => {
    const sending = request({ socketPath: path, method: "POST", path: "/" }, (reply) => {
      textOf(reply)
        .then((text) => {
          const { result, message } = JSON.parse(text);
          if (reply.statusCode === 200) resolve(result);
          else reject(new AdministrationError(message));
        })
        .catch(reject);
    });
    sending.once("error", (cause) =>
      reject(new AdministrationError("The running service does not answer. Stop it and try again.", { cause })),
    );
    sending.end(JSON.stringify(command));
  });
}

async function textOf(message: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of message) {
    size += chunk.length;
    if (size > COMMAND_MAX_BYTES * 16) throw new AdministrationError("The message is too long.");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

function messageOf(error: unknown): string {
  return error instanceof AudioDescriptionError || error instanceof RequestError
    ? error.message
    : "The service could not carry out the command.";
}
