import { execFile } from "node:child_process";
import { dirname, join, resolve } from "node:path";
import { promisify } from "node:util";
import type { IsolatedTasks, TaskName } from "../tasks/tasks.ts";

type Variables = Readonly<Record<string, string | undefined>>;

/** What the process of a task may do, beside reading files. */
interface Rights<Input> {
  /** Environment variables it gets beside {@link EVERYBODY}; a name that ends with `*` stands for all that begin so. */
  readonly variables: readonly string[];
  /**
   * Folders its JavaScript writes to, beside its temporary one. `null`: Node's permission model is not used, which refuses
   * to cut and to sync files, as whoever writes sound files must.
   */
  readonly writes: ((input: Input) => readonly string[]) | null;
  /** Whether it talks to servers, or starts a program that may. */
  readonly reachesNetwork: (environment: Variables) => boolean;
}

/** What any process needs to run at all: nothing of it is secret. */
const EVERYBODY = ["LANG", "LC_*", "TZ", "MALLOC_*", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "SYSTEMROOT", "WINDIR"];

/** What a program needs that somebody configured to speak. */
const PROGRAMS = [
  ...["PATH", "HOME", "USER", "LOGNAME", "SHELL", "XDG_*", "CUDA_*"],
  ...["PATHEXT", "COMSPEC", "USERPROFILE", "APPDATA", "LOCALAPPDATA", "PROGRAMDATA", "PROGRAMFILES*"],
];

const SERVERS = ["HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "NODE_USE_ENV_PROXY", "NODE_EXTRA_CA_CERTS", "SSL_CERT_*"];

const SCREEN_TEXT = ["ASIDE_OCR_DATA", "TESSDATA_PREFIX"];

/** A task that opens media and no more. */
const OPENS_MEDIA = { variables: [], writes: () => [], reachesNetwork: () => false };

const RIGHTS: { readonly [Name in TaskName]: Rights<IsolatedTasks[Name]["input"]> } = {
  "add-description": { ...OPENS_MEDIA, writes: ({ path }) => [dirname(path)] },
  "fit-sound": { ...OPENS_MEDIA, writes: null },
  "hear-sound": OPENS_MEDIA,
  "measure-picture": {
    ...OPENS_MEDIA,
    variables: SCREEN_TEXT,
    writes: ({ stills }) => (stills === undefined ? [] : [stills.folder]),
  },
  "measure-sound": OPENS_MEDIA,
  "probe-media": OPENS_MEDIA,
  "render-cut": { ...OPENS_MEDIA, writes: ({ output }) => [dirname(output)] },
  "run-job": {
    variables: [
      ...SCREEN_TEXT,
      ...["ASIDE_GLOSSARY", "ASIDE_LEXICON", "ASIDE_LOUDNESS"],
      ...["ASIDE_TRANSCRIPTION_*", "ASIDE_VISION_*", "ASIDE_VOICE_*"],
      ...SERVERS,
      ...PROGRAMS,
    ],
    writes: null,
    reachesNetwork: (environment) =>
      isSet(environment["ASIDE_VOICE_COMMAND"]) ||
      isSet(environment["ASIDE_VOICE_URL"]) ||
      // Where no address is named, this computer is asked for a server.
      ["ASIDE_VISION_URL", "ASIDE_TRANSCRIPTION_URL"].some((name) => environment[name]?.trim() !== "off"),
  },
};

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
 * @param environment Of this process; the task gets what it needs of it.
 */
export async function cageOf<Name extends TaskName>(
  task: Name,
  input: IsolatedTasks[Name]["input"],
  temporaryFolder: string,
  environment: Variables,
): Promise<Cage> {
  const { variables, writes, reachesNetwork }: Rights<typeof input> = RIGHTS[task];
  const env = passedOn(environment, [...EVERYBODY, ...variables]);
  for (const name of ["TMPDIR", "TEMP", "TMP"]) env[name] = temporaryFolder;
  const compiled = environment["NODE_COMPILE_CACHE"];
  if (isSet(compiled)) env["NODE_COMPILE_CACHE"] = task === "run-job" ? compiled : join(compiled, "caged");
  const permissions: string[] = [];
  if (writes !== null) {
    const folders = [temporaryFolder, env["NODE_COMPILE_CACHE"], ...writes(input)];
    // Named with what is inside: a folder that is made later would be taken for a file.
    const paths = folders.filter(isSet).flatMap((folder) => [resolve(folder), resolve(folder, "*")]);
    permissions.push("--permission", "--allow-fs-read=*", "--allow-addons", "--allow-worker");
    permissions.push("--disable-warning=SecurityWarning");
    permissions.push(...paths.map((path) => `--allow-fs-write=${path}`));
  }
  const wrapper = reachesNetwork(environment) ? [] : await withoutNetwork();
  const [execPath = process.execPath, ...before] = [...wrapper, process.execPath];
  return { env, execPath, execArgv: [...before, ...permissions] };
}

/** The environment of a program that speaks: what it is configured by, and no key of any other server. */
export function environmentOfVoiceProgram(environment: Variables): NodeJS.ProcessEnv {
  return passedOn(environment, [...EVERYBODY, ...PROGRAMS, ...SERVERS, "ASIDE_VOICE_*", "TMPDIR", "TEMP", "TMP"]);
}

/** Names are compared as Windows does, which writes `Path`. */
function passedOn(environment: Variables, names: readonly string[]): NodeJS.ProcessEnv {
  const matches = (name: string) =>
    names.some((one) => (one.endsWith("*") ? name.startsWith(one.slice(0, -1)) : name === one));
  return Object.fromEntries(Object.entries(environment).filter(([name]) => matches(name.toUpperCase())));
}

function isSet(value: string | undefined): value is string {
  return value !== undefined && value.trim() !== "";
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
    const works = await promisify(execFile)(program, [...options, "--", process.execPath, "--version"]).then(
      () => true,
      () => false,
    );
    if (works) return [program, ...options, "--"];
  }
  return [];
}
