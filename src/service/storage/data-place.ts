import { readlink, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, resolve, sep } from "node:path";
import { lockDataFolder } from "./data-folder-lock.ts";
import { ServiceStartError } from "./database.ts";

// A data folder may be a link to a folder on another disk. A person made it, or an earlier version, which had a setting for that.

/** The folder that an earlier version made for data, in a place that a person named. */
const FOLDER_OF_PLACE = "Aside data";

/** Endings of what an earlier version had beside a data folder while it moved one, in the order in which they are whole. */
const BESIDE = ["-link", "-whole", "-before"];

/** Ending of the folder by whose lock one process at a time touches those. */
const MOVING = "-moving";

/**
 * Where the data of a folder is, for whoever opens it.
 *
 * @param dataFolder By its whole path.
 * @param isUsersOwn Whether it is the one folder of a user: an earlier version may have moved that, and been broken off.
 * @throws ServiceStartError `data_folder_unusable` where the disk is away that the data is on: nothing is made in its place;
 * `data_folder_in_use`.
 */
export async function foundAt(dataFolder: string, isUsersOwn: boolean): Promise<string> {
  if (isUsersOwn && (await isTakenAway(dataFolder))) await finishMove(dataFolder);
  const target = await linkedTo(dataFolder);
  if (target === null || (await isFolder(target))) return target ?? dataFolder;
  throw new ServiceStartError(
    "data_folder_unusable",
    `Your films, results and records are in ${target}, which is not there. Connect its disk, then start Aside again.`,
  );
}

/** The folder elsewhere that an earlier version made for the data of a folder; `null` where there is none. */
export async function placeOf(dataFolder: string): Promise<string | null> {
  const target = await linkedTo(dataFolder);
  return target !== null && basename(dirname(target)) === FOLDER_OF_PLACE ? target : null;
}

/** Whether nothing has the name of the data folder. A disk that is away is another matter: what is around the data is away too. */
async function isTakenAway(dataFolder: string): Promise<boolean> {
  const target = await linkedTo(dataFolder);
  if (target === null) return !(await isFolder(dataFolder));
  return !(await isFolder(target)) && (await isFolder(dirname(target)));
}

/** Gives what a move left beside the data folder that name again, should there be any. */
async function finishMove(dataFolder: string): Promise<void> {
  const whole = async () => {
    const found = await Promise.all(BESIDE.map((ending) => isFolder(`${dataFolder}${ending}`)));
    return BESIDE.find((_, index) => found[index] === true);
  };
  if ((await whole()) === undefined) return;
  const lock = await lockDataFolder(`${dataFolder}${MOVING}`);
  try {
    const ending = await whole();
    // Another process may have been faster.
    if (ending === undefined || !(await isTakenAway(dataFolder))) return;
    await rm(dataFolder, { force: true });
    await rename(`${dataFolder}${ending}`, dataFolder);
  } finally {
    await lock.release();
  }
}

/** The folder that a path is a link to, by its whole path; `null` where it is none. */
async function linkedTo(path: string): Promise<string | null> {
  const target = await readlink(path).catch(() => null);
  return target === null ? null : resolve(dirname(path), target.endsWith(sep) ? target.slice(0, -1) : target);
}

function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}
