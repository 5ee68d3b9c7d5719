import { readdir, rm, rmdir } from "node:fs/promises";
import { basename, join, relative } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { isObject } from "../../core/objects.ts";
import { nodeFiles } from "../../host/headless/files.ts";
import { moveTogether, undoMoves } from "../../host/headless/move-together.ts";
import { hostErrorFrom } from "../../host/headless/system-error.ts";
import { HostError } from "../../host/host-error.ts";
import { REPORT_GENERATOR } from "../../result/read-report.ts";
import { makePrivateFolder } from "../../service/storage/private-file.ts";
import { makeFolder } from "../../service/storage/synced-folder.ts";
import { fileFingerprint } from "../source/programme.ts";
import { makeResultsFolder, readJsonObject } from "../source/results-folder.ts";

/** Hidden folder inside a results folder: the lock, what is being made, records of unfinished runs, and the list below. */
const OWN_FOLDER = ".aside";

/** Names and fingerprints of the files that were put into the folder: how they are told from anybody else's. */
const LIST_FILE = "files.json";

const LOCK_FILE = "lock";

/** What is moved while a delivery is under way, and where what it replaces waits until all is in place. */
const MOVES_FILE = join(OWN_FOLDER, "moves.json");
const REPLACED = join(OWN_FOLDER, "replaced");

/**
 * Names of our files with the fingerprints they may have: two while a delivery is under way. No fingerprint: only the
 * report names the file, and its content is taken on trust.
 */
type Listed = Map<string, readonly string[]>;

/** Folder inside a results folder that clips of single cues go to. */
export const CLIPS_FOLDER = "clips";

/** Folder inside a results folder in which what an editor worked on is kept, a folder for each time. */
const EARLIER_FOLDER = "earlier";

/** The page on which a person writes what nobody described. */
export const WORKSHEET_FILE = "worksheet.html";

/** The report's name; a folder that holds one of ours is ours even without the hidden folder. */
export const REPORT_FILE = "report.json";

/**
 * A folder that results go to. Files are made in a hidden folder inside it and moved to their names when all of them are
 * whole; a file that is not ours is never touched without leave, and one of ours that somebody changed is kept in a dated
 * folder before another takes its place.
 */
export class OutFolder {
  readonly path: string;
  /** Where this run keeps what it would overwrite, inside the folder: `earlier/2026-11-23T07-05-12`. */
  readonly keptIn: string;
  readonly #overwrites: boolean;
  readonly #isNew: boolean;
  readonly #lock: DatabaseSync;
  readonly #listed: Listed;

  private constructor(
    path: string,
    is: { readonly overwriting: boolean; readonly isNew: boolean },
    lock: DatabaseSync,
    listed: Listed,
  ) {
    this.path = path;
    this.keptIn = `${EARLIER_FOLDER}/${new Date().toISOString().slice(0, 19).replaceAll(":", "-")}`;
    this.#overwrites = is.overwriting;
    this.#isNew = is.isNew;
    this.#lock = lock;
    this.#listed = listed;
  }

  /**
   * Opens a folder, which is made when it is missing, for this process alone.
   *
   * @param overwrites Whether files that are not ours may be overwritten.
   * @throws HostError `folder_in_use`, `file_in_the_way`, `permission_denied`, `disk_full`.
   */
  static async open(path: string, overwrites: boolean): Promise<OutFolder> {
    const own = join(path, OWN_FOLDER);
    const firstMade = await makeResultsFolder(path);
    try {
      // Results are as the user's umask says; journals with signed links are theirs alone.
      await makePrivateFolder(own);
    } catch (error) {
      throw hostErrorFrom(error, path, "make the results folder", "nothing was changed");
    }
    const lock = takeLock(join(own, LOCK_FILE), path);
    await undoMoves(path, MOVES_FILE);
    const folder = new OutFolder(
      path,
      { overwriting: overwrites, isNew: firstMade !== undefined },
      lock,
      await readList(path),
    );
    await folder.#discardOrphans();
    return folder;
  }

  /** Whether a file is there as it was written here. */
  async isAsWritten(name: string): Promise<boolean> {
    return this.#isOurs(name);
  }

  /** Names of the files that were written here and that somebody has changed since. */
  async changed(): Promise<string[]> {
    const names = await this.present([...this.#listed.keys()]);
    const isOurs = await Promise.all(names.map((name) => this.#isOurs(name)));
    return names.filter((_, index) => isOurs[index] === false);
  }

  /**
   * Names of the files that a delivery has to keep in {@link keptIn}: those of its names that somebody changed; none where
   * files may be overwritten.
   *
   * @param isWorkedOn Whether all of the earlier result is kept, because an editor worked on it.
   */
  async toKeep(names: readonly string[], isWorkedOn: boolean): Promise<string[]> {
    if (this.#overwrites) return [];
    return isWorkedOn
      ? this.present([...this.#listed.keys()])
      : (await this.changed()).filter((name) => names.includes(name));
  }

  /**
   * Takes over a file that was changed since it was written here: its changes are in what is delivered next.
   *
   * @param fingerprint Of the file as it was read: changed once more, it is not ours.
   */
  adopt(name: string, fingerprint: string): void {
    this.#listed.set(name, [...(this.#listed.get(name) ?? []), fingerprint]);
  }

  /** Hidden folder of one run; made when it is missing. */
  async runFolder(runId: string): Promise<string> {
    const folder = join(this.path, OWN_FOLDER, runId);
    try {
      await makeFolder(folder);
    } catch (error) {
      throw hostErrorFrom(error, folder, "make a folder", "nothing was changed");
    }
    return folder;
  }

  /** Where it is kept which service has the programme of the result. */
  get programmePath(): string {
    return join(this.path, OWN_FOLDER, "programme.json");
  }

  /** Where the record of a run is kept. */
  recordPath(runId: string): string {
    return join(this.path, OWN_FOLDER, `run-${runId}.json`);
  }

  /**
   * Makes sure that none of the names is taken by a file that is not ours.
   *
   * @throws HostError `file_in_the_way`.
   */
  async checkNames(names: readonly string[]): Promise<void> {
    for (const name of names) await this.#checkName(name);
  }

  /**
   * Moves finished files out of a run's folder to their names, and removes those of ours that belong to an older result.
   * Everything is checked before the first file moves, and all move or none.
   *
   * @param kept See {@link toKeep}; default: what was changed of these names.
   * @throws HostError, `file_in_use` where another program holds a file; the folder is as it was then.
   */
  async deliver(runFolder: string, names: readonly string[], kept?: readonly string[]): Promise<void> {
    await this.checkNames(names);
    const keeping = kept ?? (await this.toKeep(names, false));
    const fingerprints = new Map<string, string>();
    for (const name of names) fingerprints.set(name, await fileFingerprint(join(runFolder, name)));
    const old = [...this.#listed.keys()].filter((name) => !names.includes(name) && !keeping.includes(name));
    const outdated: string[] = [];
    for (const name of old) {
      if (await this.#isOurs(name)) outdated.push(name);
    }
    // Old and new are listed before anything moves: were this process killed in between, either would still be ours.
    const both = new Map(this.#listed);
    for (const [name, fingerprint] of fingerprints) both.set(name, [...(both.get(name) ?? []), fingerprint]);
    await this.#writeList(both);
    // What another program holds is met before anything new stands there, and brings everything back.
    const there = await this.present([...names, ...outdated].filter((name) => !keeping.includes(name)));
    const replaced = join(this.path, REPLACED);
    await moveTogether(
      this.path,
      [
        ...keeping.map((name) => ({ from: name, to: join(this.keptIn, name) })),
        ...there.map((name) => ({ from: name, to: join(REPLACED, name) })),
        ...names.map((name) => ({ from: join(relative(this.path, runFolder), name), to: name })),
      ],
      MOVES_FILE,
    ).catch(async (error: unknown) => {
      // Empty, unless something could not be brought back yet.
      for (const folder of [join(replaced, CLIPS_FOLDER), replaced]) await rmdir(folder).catch(() => undefined);
      throw error;
    });
    await rm(replaced, { recursive: true, force: true }).catch(() => undefined);
    // Fails where somebody else's files are in it, as it should.
    if (outdated.some(isInClips)) await rmdir(join(this.path, CLIPS_FOLDER)).catch(() => undefined);
    await this.#writeList(new Map([...fingerprints].map(([name, fingerprint]) => [name, [fingerprint]])));
  }

  /** Those of some names whose files are there. */
  async present(names: readonly string[]): Promise<string[]> {
    const sizes = await Promise.all(names.map((name) => nodeFiles.size(join(this.path, name))));
    return names.filter((_, index) => sizes[index] !== null);
  }

  async #writeList(listed: Listed): Promise<void> {
    const text = JSON.stringify({ files: Object.fromEntries(listed) });
    await nodeFiles.writeText(join(this.path, OWN_FOLDER, LIST_FILE), text);
  }

  /** Removes the hidden folder of a run with what is left in it. */
  async discard(runId: string): Promise<void> {
    await rm(join(this.path, OWN_FOLDER, runId), { recursive: true, force: true }).catch(() => undefined);
  }

  /** Lets go of the folder. One that was made for this run and holds nothing is removed. */
  async close(): Promise<void> {
    if (!this.#lock.isOpen) return;
    this.#lock.close();
    const own = join(this.path, OWN_FOLDER);
    const left = await readdir(own).catch(() => []);
    if (left.some((name) => name !== LOCK_FILE && !name.startsWith(`${LOCK_FILE}-`))) return;
    await rm(own, { recursive: true, force: true }).catch(() => undefined);
    // Fails where somebody has put something there meanwhile, as it should.
    if (this.#isNew) await rmdir(this.path).catch(() => undefined);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  /** Removes the hidden folders of runs that have no record any more. */
  async #discardOrphans(): Promise<void> {
    const own = join(this.path, OWN_FOLDER);
    const entries = await readdir(own, { withFileTypes: true }).catch(() => []);
    for (const entry of entries.filter((one) => one.isDirectory())) {
      if ((await nodeFiles.size(this.recordPath(entry.name))) === null) await this.discard(entry.name);
    }
  }

  async #checkName(name: string): Promise<void> {
    const path = join(this.path, name);
    const context = { operation: "write the results", state: "nothing was changed" };
    if (await isFolder(path)) throw new HostError("file_in_the_way", `"${name}" is a folder`, context);
    if (this.#overwrites || this.#listed.has(name) || (await nodeFiles.size(path)) === null) return;
    const message = `"${name}" in "${basename(this.path)}" was not made by aside`;
    throw new HostError("file_in_the_way", message, context);
  }

  async #isOurs(name: string): Promise<boolean> {
    const fingerprints = this.#listed.get(name);
    if (fingerprints === undefined) return false;
    if (fingerprints.length === 0) return true;
    const present = await fileFingerprint(join(this.path, name)).catch(() => "");
    return fingerprints.includes(present);
  }
}

/** A sentence about what a delivery keeps aside; none where it keeps nothing. */
export function keptNotice({ path, keptIn }: Pick<OutFolder, "path" | "keptIn">, kept: readonly string[]): string[] {
  if (kept.length === 0) return [];
  const what =
    kept.length <= 3 ? kept.map((name) => `"${name}"`).join(", ") : `The earlier result (${kept.length} files)`;
  return [`${what} in "${basename(path)}" ${kept.length === 1 ? "was" : "were"} worked on since: kept in "${keptIn}".`];
}

/** An exclusive lock of the operating system, which ends with the process however that ends. */
function takeLock(file: string, folder: string): DatabaseSync {
  let lock: DatabaseSync | undefined;
  try {
    lock = new DatabaseSync(file);
    lock.exec("PRAGMA busy_timeout = 0; PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE");
    return lock;
  } catch (error) {
    lock?.close();
    const isBusy = error instanceof Error && /locked|busy/i.test(error.message);
    const context = { operation: "open the results folder", state: "nothing was changed", cause: error };
    if (isBusy) throw new HostError("folder_in_use", `another run is writing to "${basename(folder)}"`, context);
    throw new HostError("permission_denied", `"${basename(folder)}" cannot be written to`, context);
  }
}

/** What is listed in the hidden folder, else in a report of ours. */
async function readList(path: string): Promise<Listed> {
  const { files } = await readJsonObject(join(path, OWN_FOLDER, LIST_FILE));
  if (isObject(files)) {
    const entries = Object.entries(files).filter(([name]) => isPlainName(name));
    return new Map(entries.map(([name, fingerprints]) => [name, textsIn(fingerprints)]));
  }
  const report = await readJsonObject(join(path, REPORT_FILE));
  if (report["generator"] !== REPORT_GENERATOR || !Array.isArray(report["files"])) return new Map();
  const names = textsIn(report["files"]).filter(isPlainName);
  return new Map(names.map((name) => [name, []]));
}

function textsIn(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((entry) => typeof entry === "string") : [];
}

/** Whether a listed name stays inside the folder: the list is a file that anybody may have written. */
function isPlainName(name: string): boolean {
  const plain = isInClips(name) ? name.slice(CLIPS_FOLDER.length + 1) : name;
  return plain !== "" && plain !== "." && plain !== ".." && !/[/\\]/.test(plain);
}

function isInClips(name: string): boolean {
  return name.startsWith(`${CLIPS_FOLDER}/`);
}

async function isFolder(path: string): Promise<boolean> {
  return readdir(path).then(
    () => true,
    () => false,
  );
}
