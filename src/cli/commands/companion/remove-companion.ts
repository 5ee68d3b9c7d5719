import { readdir, rm, rmdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { RecordsOptions } from "../../../service/admin/open-administration.ts";
import { userFolder } from "../../service-run/service-options.ts";
import { agrees } from "../../shell/agree.ts";
import type { CommandContext } from "../../shell/command.ts";
import { forgetDesktop, setLogInStart } from "./log-in-start.ts";

/** What becomes of films, results, settings and keys: `ask` where somebody is there to be asked, else they stay. */
export type DataChoice = "ask" | "remove";

/**
 * Takes back what Aside told the system of this user: that it starts at log-in, and by its address; and its compiled code. Films,
 * results, settings and keys go where the user says so. The program's own folder is left to whoever deletes it.
 *
 * @throws ServiceStartError `data_folder_in_use` while something has data open that is to go: nothing of it is gone then.
 */
export async function removeCompanion(
  records: RecordsOptions,
  choice: DataChoice,
  { output, env, signal }: CommandContext,
): Promise<void> {
  await setLogInStart(false, [""]);
  await forgetDesktop();
  const code = env["ASIDE_CODE_CACHE"];
  if (code !== undefined && code !== "") await rm(code, { recursive: true, force: true });
  output.print("Aside no longer starts at log-in or by its address.");
  const folder = userFolder(env);
  const places = await placesIn(folder);
  const where = [folder, ...places].join(" and ");
  const question = `Delete your films, results, settings and keys of providers too? They are in ${where}. This cannot be undone.`;
  const goes = choice === "remove" || (process.stdin.isTTY && (await agrees(question, signal)));
  if (goes) {
    await removeData(records, folder, places);
    output.print("Films, results, settings and keys are gone.");
  } else output.print(`Films, results and settings stay in ${where}, and keys of providers where they are.`);
  output.print("Now delete the folder of Aside itself.");
}

/** Folders on other disks to which an earlier version moved data of the user. */
async function placesIn(folder: string): Promise<string[]> {
  const { placeOf } = await import("../../../service/storage/data-place.ts");
  const names = await readdir(folder).catch(() => []);
  const places = await Promise.all(names.map((name) => placeOf(join(folder, name))));
  return places.filter((place) => place !== null);
}

async function removeData(records: RecordsOptions, folder: string, places: readonly string[]): Promise<void> {
  const [{ settingsOf }, { lockDataFolder, readHolder }] = await Promise.all([
    import("../../../service/admin/open-administration.ts"),
    import("../../../service/storage/data-folder-lock.ts"),
  ]);
  const inside = (await readdir(folder, { withFileTypes: true }).catch(() => [])).filter((one) => one.isDirectory());
  for (const path of [...inside.map(({ name }) => join(folder, name)), ...places]) {
    // Whoever has it open wrote itself down.
    if ((await readHolder(path)) !== null) await (await lockDataFolder(path)).release();
  }
  const settings = settingsOf(records);
  for (const part of ["describer", "dialogue", "voice"] as const) {
    // The keys go from the system's store with their parts; a part that variables decide, or damaged settings, have none to go.
    await settings.change({ [part]: {} }, { isOnItsComputer: true }).catch(() => undefined);
  }
  for (const place of places) {
    await rm(place, { recursive: true, force: true });
    // "Aside data" in the place, where nothing else is in it.
    await rmdir(dirname(place)).catch(() => undefined);
  }
  await rm(folder, { recursive: true, force: true, maxRetries: 3 });
}
