import {
  access,
  constants,
  copyFile,
  lstat,
  mkdir,
  open,
  readdir,
  readlink,
  rename,
  rm,
  rmdir,
  stat,
  symlink,
  unlink,
} from "node:fs/promises";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { lockDataFolder, OF_ITS_HOLDER } from "./data-folder-lock.ts";
import { makeFolder } from "./make-folder.ts";
import { ServiceStartError } from "./service-start-error.ts";

// A person may name a place for films, results and records: another disk. The data folder is a link to a folder there then,
// so that whoever opens the data finds it where it always was. It moves at a start, when nobody has it open. Every step
// leaves one whole copy that the next start finds: what a step makes has a name of its own until it is whole.

/** What is made in a place that somebody names: it may be a disk with much else on it. */
const FOLDER_OF_PLACE = "Aside data";

/** Ending of the name of a copy that is not whole yet. */
const INCOMING = "-incoming";

/** Endings of the names of what a move makes beside a data folder. */
const STEP = {
  /** A copy that is whole, and goes where the data folder is. */
  whole: "-whole",
  /** The link that the data folder becomes. */
  link: "-link",
  /** What was the data folder, of which there is a whole copy elsewhere. */
  before: "-before",
} as const;

/** Ending of the name of the folder by whose lock one process at a time moves data. */
const MOVING = "-moving";

/** Where the data of a data folder stands: itself, or the folder that it is a link to. */
export async function standsAt(dataFolder: string): Promise<string> {
  return (await linkedTo(dataFolder)) ?? dataFolder;
}

/** The folder elsewhere that was made for the data of a folder; `null` where it stands at home, or a person made the link. */
export async function placeOf(dataFolder: string): Promise<string | null> {
  const target = await linkedTo(dataFolder);
  return target !== null && basename(dirname(target)) === FOLDER_OF_PLACE ? target : null;
}

/**
 * Where the data stands, for whoever opens it.
 *
 * @throws ServiceStartError `data_folder_unusable` where the disk is away on which it stands: nothing is made in its place.
 */
export async function foundAt(dataFolder: string): Promise<string> {
  const target = await linkedTo(dataFolder);
  if (target === null || (await isFolder(target))) return target ?? dataFolder;
  throw new ServiceStartError(
    "data_folder_unusable",
    `Films, results and records stand in ${target}, which is not there. Connect its disk.`,
  );
}

/** Where it would stand. @param place A folder by its whole path; `null` for the data folder itself. */
export function wouldStandAt(dataFolder: string, place: string | null): string {
  return place === null ? dataFolder : join(resolve(place), FOLDER_OF_PLACE, basename(dataFolder));
}

/**
 * Why data cannot stand in a place, without a full stop; `null` where it can, or stands there.
 *
 * @param place As {@link wouldStandAt} takes it.
 */
export async function placeFault(dataFolder: string, place: string | null): Promise<string | null> {
  const [wanted, now] = [wouldStandAt(dataFolder, place), await standsAt(dataFolder)];
  if (place === null || wanted === now) return null;
  if (!isAbsolute(place)) return `"${place}" is no whole path of a folder`;
  if (!(await isFolder(place))) return `There is no folder ${place}`;
  const path = relative(now, resolve(place));
  if (path === "" || !(path.startsWith("..") || isAbsolute(path)))
    return `${place} is inside the folder that is to move`;
  const takes = await access(place, constants.W_OK).then(
    () => true,
    () => false,
  );
  if (!takes) return `Nothing can be written into ${place}`;
  return (await isEmpty(wanted)) ? null : `${wanted} holds data already: take it away, or name another folder`;
}

/**
 * Moves the data of a folder to the place that is set for it, should it stand elsewhere; goes on with a move that was broken
 * off. Nobody may have the data open.
 *
 * @param place As {@link wouldStandAt} takes it.
 * @param tell Called with a sentence before data moves, which may take as long as copying all of it.
 * @returns Why it stays where it is, without a full stop; `null` where it stands in its place now.
 * @throws ServiceStartError `data_folder_in_use`; `data_folder_unusable` where the disk is away on which it stands.
 */
export async function moveToPlace(
  dataFolder: string,
  place: string | null,
  tell: (sentence: string) => void,
): Promise<string | null> {
  const wanted = wouldStandAt(dataFolder, place);
  if ((await standsAt(dataFolder)) === wanted && !(await isUnderWay(dataFolder))) {
    await foundAt(dataFolder);
    return null;
  }
  const lock = await lockDataFolder(`${dataFolder}${MOVING}`).catch((error: unknown) => {
    if (!(error instanceof ServiceStartError) || error.code !== "data_folder_in_use") throw error;
    throw new ServiceStartError(
      error.code,
      "Films, results and records move to another disk just now. Wait for its end.",
      {
        cause: error,
      },
    );
  });
  try {
    await finishMove(dataFolder);
    return await settle(dataFolder, place, tell);
  } finally {
    await lock.release();
  }
}

/** See {@link moveToPlace}, of which no step is left over. */
async function settle(
  dataFolder: string,
  place: string | null,
  tell: (sentence: string) => void,
): Promise<string | null> {
  const wanted = wouldStandAt(dataFolder, place);
  const target = await linkedTo(dataFolder);
  const [from, isThere] = [target ?? dataFolder, await isFolder(dataFolder)];
  if (from === wanted) {
    await foundAt(dataFolder);
    return null;
  }
  const fault = await placeFault(dataFolder, place);
  if (!isThere && target === null) {
    // Nothing was kept yet, on this computer at least: what the place has of another one is taken over.
    if (fault !== null && !(await isFolder(wanted))) return fault;
    await makeFolder(wanted, 0o700);
    await link(wanted, dataFolder);
    return null;
  }
  if (fault !== null) return fault;
  try {
    if (isThere) {
      tell(`Films, results and records move to ${wanted}.`);
      await move(from, wanted, dataFolder);
    } else {
      tell(`${from} is not there. What stands in it stays, and everything begins anew in ${wanted}.`);
      await unlink(dataFolder);
      await makeFolder(wanted, 0o700);
      if (wanted !== dataFolder) await link(wanted, dataFolder);
    }
    return null;
  } catch (error) {
    await finishMove(dataFolder);
    if (error instanceof ServiceStartError) throw error;
    return `${wanted}: ${SYSTEM_WORDS[codeOf(error)] ?? codeOf(error)}`;
  }
}

/** Whether a move was broken off, or goes on. */
async function isUnderWay(dataFolder: string): Promise<boolean> {
  const found = await Promise.all(Object.values(STEP).map((step) => lstat(`${dataFolder}${step}`).catch(() => null)));
  return found.some((one) => one !== null);
}

/** What the system says of a place, by its code. */
const SYSTEM_WORDS: Readonly<Record<string, string>> = {
  ENOSPC: "its disk has no room for them",
  EDQUOT: "its disk has no room for them",
  EACCES: "nothing can be written there",
  EPERM: "nothing can be written there",
  EROFS: "nothing can be written there",
};

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : String(error);
}

async function move(from: string, wanted: string, dataFolder: string): Promise<void> {
  const isReturn = wanted === dataFolder;
  const arrival = isReturn ? `${dataFolder}${STEP.whole}` : wanted;
  await makeFolder(dirname(arrival), 0o700);
  // An empty one may stand there.
  await rmdir(arrival).catch(() => undefined);
  if (!isReturn) await link(wanted, `${dataFolder}${STEP.link}`);
  const isCopy = await bring(from, arrival);
  if (isReturn) await unlink(dataFolder);
  else if (isCopy && from === dataFolder) await rename(from, `${dataFolder}${STEP.before}`);
  await finishMove(dataFolder);
  if (isCopy && from !== dataFolder && (await standsAt(dataFolder)) === wanted) {
    await rm(from, { recursive: true, force: true });
  }
}

/** Brings a folder to another place, as a whole or not at all. @returns Whether the old one is still there: another disk. */
async function bring(from: string, to: string): Promise<boolean> {
  // Open files move with their folder, but not on Windows: nobody may have it, then it goes.
  const lock = await lockDataFolder(from);
  try {
    await lock.release();
    await rename(from, to);
    return false;
  } catch (error) {
    if (codeOf(error) !== "EXDEV") throw error;
  }
  const copying = await lockDataFolder(from);
  const incoming = `${to}${INCOMING}`;
  try {
    await rm(incoming, { recursive: true, force: true });
    await copyFolder(from, incoming);
    await rename(incoming, to);
    return true;
  } catch (error) {
    await rm(incoming, { recursive: true, force: true });
    throw error;
  } finally {
    await copying.release();
  }
}

/** Copies files and folders, each on its disk when this ends; not what says who has the folder open, nor what is no file. */
async function copyFolder(from: string, to: string): Promise<void> {
  await mkdir(to, { mode: 0o700 });
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const [source, copy] = [join(from, entry.name), join(to, entry.name)];
    if (OF_ITS_HOLDER.has(entry.name)) continue;
    if (entry.isDirectory()) await copyFolder(source, copy);
    else if (entry.isFile()) {
      await copyFile(source, copy);
      const file = await open(copy, "r+");
      try {
        await file.sync();
      } finally {
        await file.close();
      }
    }
  }
}

/** Ends what a move began, forwards where a whole copy is elsewhere, and takes away what it left. */
async function finishMove(dataFolder: string): Promise<void> {
  const beside = (step: keyof typeof STEP) => `${dataFolder}${STEP[step]}`;
  const [isLink, isThere] = [(await linkedTo(dataFolder)) !== null, await isFolder(dataFolder)];
  const takeOver = async (step: keyof typeof STEP) => {
    if (isLink) await rm(dataFolder, { force: true });
    await rename(beside(step), dataFolder);
  };
  if ((isLink || !isThere) && (await isFolder(beside("link")))) await takeOver("link");
  else if (!isThere && (await isFolder(beside("whole")))) await takeOver("whole");
  else if (!isLink && !isThere && (await isFolder(beside("before")))) await takeOver("before");
  if (!(await isFolder(dataFolder))) return;
  const unreached = await linkedTo(beside("link"));
  if (unreached !== null) await rm(`${unreached}${INCOMING}`, { recursive: true, force: true });
  await rm(beside("link"), { force: true });
  for (const rest of [`${beside("whole")}${INCOMING}`, beside("whole"), beside("before")]) {
    await rm(rest, { recursive: true, force: true });
  }
}

/** The folder that a path is a link to, by its whole path; `null` where it is none. */
async function linkedTo(path: string): Promise<string | null> {
  const target = await readlink(path).catch(() => null);
  return target === null ? null : resolve(dirname(path), target.endsWith(sep) ? target.slice(0, -1) : target);
}

/** A link that whoever may write the folder may make: on Windows too. */
async function link(target: string, path: string): Promise<void> {
  if ((await lstat(path).catch(() => null)) !== null) await unlink(path);
  await symlink(target, path, "junction");
}

function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}

/** Whether a folder has nothing in it, or is not there. */
function isEmpty(folder: string): Promise<boolean> {
  return readdir(folder).then(
    (entries) => entries.length === 0,
    (error: unknown) => codeOf(error) === "ENOENT",
  );
}
