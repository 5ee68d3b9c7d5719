import { HostError } from "../host-error.ts";
import { isSamePath } from "../native-path.ts";
import type { ApplyContext } from "./apply-context.ts";
import { openSequence } from "./open-sequence.ts";
import { fetchBin, fetchItems, filesIn, findOrMakeBin, type ImportedFile } from "./project-bin.ts";

/** Where imported files are: the bin, and the item of each path asked for. */
export interface ImportedFiles {
  readonly binId: string;
  readonly itemIds: ReadonlyMap<string, string>;
}

/**
 * Imports files into our bin and finds their items, which Premiere does not name: what is new in the bin and has the
 * path. A file that is in the bin already is not imported again. Raises `apply_failed` when an item does not show in time.
 */
export async function importFiles(context: ApplyContext, paths: readonly string[]): Promise<ImportedFiles> {
  if (paths.length === 0) return { binId: "", itemIds: new Map() };
  const binId = await findOrMakeBin(context);
  const present = await filesIn(context, binId);
  const wanted = paths.filter((path) => !present.some((file) => isSamePath(file.path, path)));
  if (wanted.length > 0) await askForImport(context, binId, wanted);
  for (let poll = 0; poll < context.pace.importPolls; poll++) {
    const itemIds = itemsByPath(await filesIn(context, binId), paths);
    if (itemIds.size === new Set(paths).size) return { binId, itemIds };
    await context.clock.sleep(context.pace.importPollMs, context.signal);
  }
  throw notImported(`${paths.length === 1 ? "The file does" : "Not all files do"} not show in the project.`);
}

/**
 * Imports a file into our bin, whatever becomes of it there: captions may be an item without a path. Raises `apply_failed` when
 * nothing new shows in time.
 *
 * @returns Identities of what is new in the bin.
 */
export async function importFile(context: ApplyContext, path: string): Promise<readonly string[]> {
  const binId = await findOrMakeBin(context);
  const idsIn = async () => (await fetchItems(context, binId)).map((item) => item.getId());
  const before = new Set(await idsIn());
  await askForImport(context, binId, [path]);
  for (let poll = 0; poll < context.pace.importPolls; poll++) {
    const made = (await idsIn()).filter((id) => !before.has(id));
    if (made.length > 0) return made;
    await context.clock.sleep(context.pace.importPollMs, context.signal);
  }
  throw notImported("The file does not show in the project.");
}

async function askForImport(context: ApplyContext, binId: string, paths: readonly string[]): Promise<void> {
  context.signal.throwIfAborted();
  const bin = await fetchBin(context, binId);
  const { project } = openSequence(context.premiere, context.before.reference);
  const isDone = await project.importFiles([...paths], true, bin);
  if (!isDone) throw notImported("Premiere refused the import.");
}

function itemsByPath(files: readonly ImportedFile[], paths: readonly string[]): Map<string, string> {
  const found = new Map<string, string>();
  for (const path of paths) {
    // The last one: an older item of the same path may lie about from an earlier import.
    const file = files.filter((one) => isSamePath(one.path, path)).at(-1);
    if (file !== undefined) found.set(path, file.itemId);
  }
  return found;
}

function notImported(what: string): HostError {
  return new HostError("apply_failed", `${what} Import it by hand into the bin "Aside", then place again.`, {
    operation: "import the narration",
    state: "the timeline was not changed",
  });
}
