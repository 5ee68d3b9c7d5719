import { execFile } from "node:child_process";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import type { Environment } from "../outgoing/local-only.ts";
import type { Outlet } from "../outgoing/relay.ts";
import { wholePath } from "./programs.ts";

/** What the process of a task may do, beside reading files. */
export interface TaskRights<Input> {
  /** Environment variables it gets beside {@link EVERYBODY}; a name that ends with `*` stands for all that begin so. */
  readonly variables: readonly string[];
  /** Variables that hold keys: where one says something, the process finds its name in place of the key. */
  readonly keys?: readonly string[];
  /**
   * Folders its JavaScript writes to, beside its temporary one. `null`: Node's permission model is not used, which refuses
   * to cut and to sync files, as whoever writes sound files must.
   */
  readonly writes: ((input: Input) => readonly string[]) | null;
  /** Whom it may ask, through the relay of its parent: it has no network itself. Absent for nobody. */
  readonly asks?: (environment: Environment) => readonly Outlet[];
  /** Whether what is compiled of it is kept where the service keeps its own: only of one that cannot be made to plant any. */
  readonly sharesCompiledCode?: boolean;
  /** Whether somebody waits for it, and it is short: it then runs at the priority of the service, others below. */
  readonly isAwaited?: boolean;
}

/** How the process of a task is started. */
export interface Cage {
  /** Its environment, whole. */
  readonly env: NodeJS.ProcessEnv;
  readonly execPath: string;
  /** Arguments before the module that is run. */
  readonly execArgv: readonly string[];
}

/**
 * The cage of a task. FFmpeg, which is native code, is kept from the network by a namespace without one, where Linux gives
 * it to us. Beside that, Node's permission model, to which native code is not subject, keeps the JavaScript of those who
 * open media alone from the network, from other programs, and to the folders it writes to; and what is compiled of them is
 * kept apart: none of them can plant any for others.
 *
 * @param environment Of this process, and what is set beside it; the task gets what it needs of it.
 */
export async function cageOf<Input>(
  { variables, keys = [], writes, sharesCompiledCode = false }: TaskRights<Input>,
  input: Input,
  temporaryFolder: string,
  environment: Environment,
): Promise<Cage> {
  const env = passedOn(environment, [...EVERYBODY, ...variables]);
  for (const name of keys) if (isSet(environment[name])) env[name] = name;
  for (const name of ["TMPDIR", "TEMP", "TMP"]) env[name] = temporaryFolder;
  const compiled = environment["NODE_COMPILE_CACHE"];
  if (isSet(compiled)) env["NODE_COMPILE_CACHE"] = sharesCompiledCode ? compiled : join(compiled, "caged");
  const permissions: string[] = [];
  if (writes !== null) {
    const folders = [temporaryFolder, env["NODE_COMPILE_CACHE"], ...writes(input)];
    // Named with what is inside: a folder that is made later would be taken for a file.
    const paths = folders.filter(isSet).flatMap((folder) => [resolve(folder), resolve(folder, "*")]);
    permissions.push("--permission", "--allow-fs-read=*", "--allow-addons", "--allow-worker");
    permissions.push("--disable-warning=SecurityWarning");
    permissions.push(...paths.map((path) => `--allow-fs-write=${path}`));
  }
  const [execPath = process.execPath, ...before] = [...(await withoutNetwork()), process.execPath];
  return { env, execPath, execArgv: [...before, ...permissions] };
}

/** Where util-linux puts it; never looked for along `PATH`. */
const UNSHARE = ["/usr/bin/unshare", "/bin/unshare", "/run/current-system/sw/bin/unshare"];

let found: Promise<readonly string[]> | null = null;

/**
 * The program, with its arguments, that runs another one without any network, its loopback included; empty where there is
 * none: not on Linux, or where the kernel or a container forbids it. Looked for once.
 */
export function withoutNetwork(): Promise<readonly string[]> {
  found ??= process.platform === "linux" ? findUnshare() : Promise.resolve([]);
  return found;
}

async function findUnshare(): Promise<readonly string[]> {
  // Root needs no user namespace, in which it could not read other people's files.
  const options = process.getuid?.() === 0 ? ["--net"] : ["--user", "--map-current-user", "--net"];
  for (const program of UNSHARE) {
    const works = await promisify(execFile)(wholePath(program), [...options, "--", process.execPath, "--version"]).then(
      () => true,
      () => false,
    );
    if (works) return [program, ...options, "--"];
  }
  return [];
}

/** What any process needs to run at all: nothing of it is secret. */
export const EVERYBODY = [
  "LANG",
  "LC_*",
  "TZ",
  "MALLOC_*",
  "LD_LIBRARY_PATH",
  "DYLD_LIBRARY_PATH",
  "SYSTEMROOT",
  "WINDIR",
];

/** What a program needs that somebody configured to speak. */
export const PROGRAMS = [
  ...["PATH", "HOME", "USER", "LOGNAME", "SHELL", "XDG_*", "CUDA_*"],
  ...["PATHEXT", "COMSPEC", "USERPROFILE", "APPDATA", "LOCALAPPDATA", "PROGRAMDATA", "PROGRAMFILES*"],
];

/** What reaching servers takes where a proxy stands between. */
export const SERVERS = [
  "HTTP_PROXY",
  "HTTPS_PROXY",
  "NO_PROXY",
  "NODE_USE_ENV_PROXY",
  "NODE_EXTRA_CA_CERTS",
  "SSL_CERT_*",
];

/**
 * The variables that have one of the names; a name that ends with `*` stands for all that begin so. Names are compared as
 * Windows does, which writes `Path`.
 */
export function passedOn(environment: Environment, names: readonly string[]): NodeJS.ProcessEnv {
  const matches = (name: string) =>
    names.some((one) => (one.endsWith("*") ? name.startsWith(one.slice(0, -1)) : name === one));
  return Object.fromEntries(Object.entries(environment).filter(([name]) => matches(name.toUpperCase())));
}

/** Whether a variable says something. */
export function isSet(value: string | undefined): value is string {
  return value !== undefined && value.trim() !== "";
}
