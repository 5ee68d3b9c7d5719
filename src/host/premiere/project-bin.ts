import type { FolderItem, Project, ProjectItem, premierepro } from "@adobe/premierepro";
import type { Clock } from "../../core/ports.ts";
import { HostError } from "../host-error.ts";
import { castBin, castClip, findAmong, itemsIn } from "./answers.ts";
import { isStaleHandle } from "./host-fault.ts";
import { openProject } from "./open-sequence.ts";
import type { ApplyContext } from "./transactor.ts";

/** Name of the bin that everything imported goes into. */
const BIN_NAME = "Aside";

/** A file in the project panel. */
export interface ImportedFile {
  readonly itemId: string;
  readonly path: string;
}

/** Where items of ours are: in our bin, at the top of the project, or in both. */
export interface ItemPlaces {
  /** `null` where there is no bin of ours. */
  readonly binId: string | null;
  readonly isAtTop: boolean;
}

/** Finds our bin at the top of the project, or makes it. Returns its identity. */
export async function findOrMakeBin(context: ApplyContext): Promise<string> {
  const present = await findBin(context);
  if (present !== null) return present;
  await context.transactor.run(`Add bin ${BIN_NAME}`, async () => {
    const root = await rootOf(context);
    return (add) => add(root.createBinAction(BIN_NAME, false));
  });
  for (let poll = 0; poll < context.pace.importPolls; poll++) {
    const made = await findBin(context);
    if (made !== null) return made;
    await context.clock.sleep(context.pace.importPollMs, context.signal);
  }
  throw new HostError("apply_failed", `Premiere did not add the bin "${BIN_NAME}". Add it by hand, then place again.`, {
    operation: `add the bin ${BIN_NAME}`,
    state: "the timeline was not changed",
    tried: ["FolderItem.createBinAction made no bin"],
  });
}

/** Identity of our bin at the top of the project; `null` where there is none. */
export async function findBin(context: ApplyContext): Promise<string | null> {
  const bin = await findAmong(
    await rootItems(context),
    async (item) => (await item.name) === BIN_NAME && (await castBin(context.premiere, item)) !== null,
  );
  return (await bin?.getId()) ?? null;
}

/** The raw item of a bin at the top of the project: good until the next question. */
export async function fetchBin(context: ApplyContext, binId: string): Promise<ProjectItem> {
  const bin = await findAmong(await rootItems(context), async (item) => (await item.getId()) === binId);
  if (bin !== undefined) return bin;
  throw new HostError("apply_failed", `The bin "${BIN_NAME}" was removed meanwhile. Place again.`, {
    operation: "import the narration",
    state: "the timeline was not changed",
    tried: ["FolderItem.getItems gives no bin that has the id of before"],
  });
}

/** The items where ours are: good until the next question. */
export async function fetchItems(
  context: ApplyContext,
  { binId, isAtTop }: ItemPlaces,
): Promise<readonly ProjectItem[]> {
  const top = isAtTop ? await rootItems(context) : [];
  return binId === null ? top : [...top, ...(await itemsIn(await fetchBinAsFolder(context, binId)))];
}

/** The files where ours are, with their paths as Premiere tells them. */
export async function filesIn(context: ApplyContext, places: ItemPlaces): Promise<ImportedFile[]> {
  const { premiere } = context;
  const items = await fetchItems(context, places);
  const files = items.map(async (item): Promise<ImportedFile | null> => {
    const itemId = await item.getId();
    const clip = await castClip(premiere, item);
    // What does not tell its path is none that was looked for: a title, a sequence.
    return clip === null ? null : { itemId, path: await clip.getMediaFilePath().catch(goneAsEmpty) };
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
  const { transactor } = context;
  const binId = await findBin(context);
  if (binId === null) return 0;
  const newIn = async (items: readonly ProjectItem[]) => {
    const ids = await Promise.all(items.map(async (item) => item.getId()));
    return items.filter((_, index) => before?.has(ids[index] ?? "") !== true);
  };
  await transactor.run(label, async () => {
    const bin = await fetchBinAsFolder(context, binId);
    const items = await newIn(await itemsIn(bin));
    return (add) => {
      for (const item of items) add(bin.createRemoveItemAction(item));
    };
  });
  const left = (await newIn(await fetchItems(context, { binId, isAtTop: false }))).length;
  if (before !== null || left > 0) return left;
  await transactor.run(label, async () => {
    const root = await rootOf(context);
    const bin = await fetchBin(context, binId);
    return (add) => add(root.createRemoveItemAction(bin));
  });
  return (await findBin(context)) === null ? 0 : 1;
}

/** An item anywhere in the active project, by its identity; `null` where it is not there. Good until the next question. */
export async function findItem(premiere: premierepro, itemId: string): Promise<ProjectItem | null> {
  // The declarations leave out that no project may be open.
  const project: Project | null | undefined = await premiere.Project.getActiveProject();
  if (!project) return null;
  const folders = [await project.getRootItem()];
  for (let folder = folders.shift(); folder !== undefined; folder = folders.shift()) {
    const items = await itemsIn(folder);
    const found = await findAmong(items, async (item) => (await item.getId()) === itemId);
    if (found !== undefined) return found;
    const bins = await Promise.all(items.map((item) => castBin(premiere, item)));
    folders.push(...bins.filter((bin) => bin !== null));
  }
  return null;
}

async function rootOf({ premiere, before }: ApplyContext): Promise<FolderItem> {
  return (await openProject(premiere, before.reference.projectId)).getRootItem();
}

async function rootItems(context: ApplyContext): Promise<readonly ProjectItem[]> {
  return itemsIn(await rootOf(context));
}

async function fetchBinAsFolder(context: ApplyContext, binId: string): Promise<FolderItem> {
  const bin = await castBin(context.premiere, await fetchBin(context, binId));
  if (bin !== null) return bin;
  throw new TypeError(`FolderItem.cast gave no folder for the bin "${BIN_NAME}"`);
}

function goneAsEmpty(error: unknown): string {
  if (isStaleHandle(error)) throw error;
  return "";
}

/** How long the source monitor takes until a file that was opened can be heard, in milliseconds. */
const READY_MS = 200;

/** What was open in the source monitor before a sound was played there. */
interface Earlier {
  readonly itemId: string;
  /** Where it stood, in ticks. */
  readonly ticks: string;
}

/**
 * Plays sound files in Premiere's source monitor, without importing them, and shows again what was open there before. A file that
 * the editor had opened from outside the project cannot be named, so it stays closed.
 */
export class SourceMonitorPlayer {
  readonly name = "SourceMonitor.openFilePath, SourceMonitor.play";
  readonly #premiere: premierepro;
  readonly #clock: Pick<Clock, "sleep">;
  #earlier: Earlier | null = null;
  #isOpen = false;

  constructor(premiere: premierepro, clock: Pick<Clock, "sleep">) {
    this.#premiere = premiere;
    this.#clock = clock;
  }

  /** Opens a file and plays it from its start. Returns whether Premiere did. */
  async play(path: string): Promise<boolean> {
    const { SourceMonitor } = this.#premiere;
    if (!this.#isOpen) this.#earlier = await this.#shown();
    if (!(await SourceMonitor.openFilePath(path))) return false;
    this.#isOpen = true;
    // Played sooner, Premiere says that it plays, and nothing is heard.
    await this.#clock.sleep(READY_MS);
    return SourceMonitor.play(1);
  }

  /** Stops what was played, closes it, and shows what was open before. Nothing happens where nothing was opened. */
  async stop(): Promise<void> {
    const { SourceMonitor, TickTime } = this.#premiere;
    if (!this.#isOpen) return;
    this.#isOpen = false;
    await SourceMonitor.play(0);
    await SourceMonitor.closeClip();
    const item = this.#earlier === null ? null : await findItem(this.#premiere, this.#earlier.itemId);
    if (item === null || this.#earlier === null) return;
    await SourceMonitor.openProjectItem(item);
    // Came with 26.3: before, what was open begins at its start again.
    if ("setPosition" in SourceMonitor) await SourceMonitor.setPosition(TickTime.createWithTicks(this.#earlier.ticks));
  }

  async #shown(): Promise<Earlier | null> {
    const { SourceMonitor } = this.#premiere;
    try {
      // The declarations leave out that nothing may be open.
      const item: ProjectItem | null | undefined = await SourceMonitor.getProjectItem();
      if (!item) return null;
      const itemId = await item.getId();
      return { itemId, ticks: (await SourceMonitor.getPosition()).ticks };
    } catch {
      // What cannot be named is not put back.
      return null;
    }
  }
}
