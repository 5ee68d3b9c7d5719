import type { FolderItem, Project, ProjectItem, premierepro } from "@adobe/premierepro";
import { HostError } from "../host-error.ts";
import type { ApplyContext } from "./apply-context.ts";
import { openSequence } from "./open-sequence.ts";
import { castClip } from "./read-snapshot.ts";

/** Name of the bin that everything imported goes into. */
const BIN_NAME = "Aside";

/** A file in the project panel. */
export interface ImportedFile {
  readonly itemId: string;
  readonly path: string;
}

/** Finds our bin at the top of the project, or makes it. Returns its identity. */
export async function findOrMakeBin(context: ApplyContext): Promise<string> {
  const present = await findBin(context);
  if (present !== null) return present;
  await context.transactor.run(`Add bin ${BIN_NAME}`, async () => {
    const root = await openSequence(context.premiere, context.before.reference).project.getRootItem();
    return (_open, add) => add(root.createBinAction(BIN_NAME, false));
  });
  for (let poll = 0; poll < context.pace.importPolls; poll++) {
    const made = await findBin(context);
    if (made !== null) return made;
    await context.clock.sleep(context.pace.importPollMs, context.signal);
  }
  throw new HostError("apply_failed", `Premiere did not add the bin "${BIN_NAME}". Add it by hand, then place again.`, {
    operation: `add the bin ${BIN_NAME}`,
    state: "the timeline was not changed",
  });
}

/** Identity of our bin at the top of the project; `null` where there is none. */
export async function findBin(context: ApplyContext): Promise<string | null> {
  const bins = (await rootItems(context)).filter((item) => isBin(context.premiere, item) && item.name === BIN_NAME);
  return bins[0]?.getId() ?? null;
}

/** The raw item of a bin at the top of the project: good until the next `await`. */
export async function fetchBin(context: ApplyContext, binId: string): Promise<ProjectItem> {
  const bin = (await rootItems(context)).find((item) => item.getId() === binId);
  if (bin !== undefined) return bin;
  throw new HostError("apply_failed", `The bin "${BIN_NAME}" was removed meanwhile. Place again.`, {
    operation: "import the narration",
    state: "the timeline was not changed",
  });
}

/** The items inside a bin: good until the next `await`. */
export async function fetchItems(context: ApplyContext, binId: string): Promise<readonly ProjectItem[]> {
  return asFolder(context.premiere, await fetchBin(context, binId)).getItems();
}

/** The files inside a bin, with their paths as Premiere tells them. */
export async function filesIn(context: ApplyContext, binId: string): Promise<ImportedFile[]> {
  const { premiere } = context;
  const items = await fetchItems(context, binId);
  const files = items.map(async (item): Promise<ImportedFile | null> => {
    const itemId = item.getId();
    const clip = castClip(premiere, item);
    return clip === null ? null : { itemId, path: await clip.getMediaFilePath() };
  });
  return (await Promise.all(files)).filter((file) => file !== null);
}

/**
 * Removes what is in our bin and was not there before, and the bin where it was not there.
 *
 * @param before Identities of what was in it; `null` where there was no bin.
 * @returns How many of them are still there.
 */
export async function removeItems(
  context: ApplyContext,
  label: string,
  before: ReadonlySet<string> | null,
): Promise<number> {
  const { premiere, transactor } = context;
  const binId = await findBin(context);
  if (binId === null) return 0;
  const isNew = (item: ProjectItem) => before?.has(item.getId()) !== true;
  await transactor.run(label, async () => {
    const bin = asFolder(premiere, await fetchBin(context, binId));
    const items = await bin.getItems();
    return (_open, add) => {
      for (const item of items.filter(isNew)) add(bin.createRemoveItemAction(item));
    };
  });
  const left = (await fetchItems(context, binId)).filter(isNew).length;
  if (before !== null || left > 0) return left;
  await transactor.run(label, async () => {
    const root = await openSequence(premiere, context.before.reference).project.getRootItem();
    const bin = await fetchBin(context, binId);
    return (_open, add) => add(root.createRemoveItemAction(bin));
  });
  return (await findBin(context)) === null ? 0 : 1;
}

/** An item anywhere in the active project, by its identity; `null` where it is not there. Good until the next `await`. */
export async function findItem(premiere: premierepro, itemId: string): Promise<ProjectItem | null> {
  // The declarations leave out that no project may be open.
  const project: Project | null | undefined = await premiere.Project.getActiveProject();
  if (!project) return null;
  const folders = [await project.getRootItem()];
  for (let folder = folders.shift(); folder !== undefined; folder = folders.shift()) {
    const items = await folder.getItems();
    const found = items.find((item) => item.getId() === itemId);
    if (found !== undefined) return found;
    folders.push(...items.filter((item) => isBin(premiere, item)).map((item) => asFolder(premiere, item)));
  }
  return null;
}

async function rootItems(context: ApplyContext): Promise<readonly ProjectItem[]> {
  const root = await openSequence(context.premiere, context.before.reference).project.getRootItem();
  return root.getItems();
}

function isBin(premiere: premierepro, item: ProjectItem): boolean {
  try {
    return Boolean(premiere.FolderItem.cast(item));
  } catch {
    // Some versions raise an error where others give nothing; both mean "not a bin".
    return false;
  }
}

function asFolder(premiere: premierepro, item: ProjectItem): FolderItem {
  return premiere.FolderItem.cast(item);
}
