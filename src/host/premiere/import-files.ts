import type { Project, ProjectItem } from "@adobe/premierepro";
import { isSamePath } from "../files.ts";
import { HostError } from "../host-error.ts";
import { calledBy, isStaleHandle, orAborted } from "./host-fault.ts";
import { openProject } from "./open-sequence.ts";
import { fetchBin, fetchItems, filesIn, findOrMakeBin, type ImportedFile, type ItemPlaces } from "./project-bin.ts";
import { callOf, learntOf } from "./traced-premiere.ts";
import type { ApplyContext } from "./transactor.ts";

/** Where imported files are, and the item of each path asked for. */
export interface ImportedFiles extends ItemPlaces {
  readonly itemIds: ReadonlyMap<string, string>;
}

/** A way to ask for an import: what `importFiles` takes has shifted between builds. */
interface ImportWay {
  /** What is asked, for a report. */
  readonly name: string;
  /** Whether it lands at the top of the project instead of in our bin. */
  readonly isAtTop: boolean;
  /** Whether a copy in a folder of the panel's own is imported: a beta of 27.0 takes nothing from below `~/Documents`. */
  readonly isCopied: boolean;
  ask(project: Project, paths: string[], bin: ProjectItem | null): Promise<boolean>;
}

type Asking = Pick<ImportWay, "name" | "isAtTop" | "ask">;

const INTO_BIN: Asking = {
  name: "paths, true, bin",
  isAtTop: false,
  ask: (project, paths, bin) =>
    bin === null ? project.importFiles(paths, true) : project.importFiles(paths, true, bin),
};
const AT_TOP: Asking = {
  name: "paths, true",
  isAtTop: true,
  ask: (project, paths) => project.importFiles(paths, true),
};

/** In the order in which they are tried, where no other is known to work. */
const WAYS: readonly ImportWay[] = [
  INTO_BIN,
  {
    name: "paths, true, bin, false",
    isAtTop: false,
    ask: (project, paths, bin) =>
      bin === null ? project.importFiles(paths, true) : project.importFiles(paths, true, bin, false),
  } satisfies Asking,
  AT_TOP,
  {
    name: "paths, true, null, false",
    isAtTop: true,
    // The declarations leave out that no bin may be meant; `undefined` is refused.
    ask: (project, paths) => project.importFiles(paths, true, null as unknown as ProjectItem, false),
  } satisfies Asking,
  { name: "paths", isAtTop: true, ask: (project, paths) => project.importFiles(paths) } satisfies Asking,
]
  .map((way) => ({ ...way, isCopied: false }))
  .concat([INTO_BIN, AT_TOP].map((way) => ({ ...way, name: `a copy: ${way.name}`, isCopied: true })));

/** How often it is looked for what a later way was asked for: the first one has had the longest time that was seen. */
const LATER_POLLS = 10;

/**
 * Imports files into our bin and finds their items, which Premiere does not name: what is new there and has the path. A file that is
 * there already is not imported again. Where nothing comes of it, it is asked in other ways, at the top of the project, and by
 * copies in a folder of the panel's own; what worked is tried first from then on. Raises `apply_failed` when an item does not show
 * in time, with what was tried.
 */
export async function importFiles(context: ApplyContext, paths: readonly string[]): Promise<ImportedFiles> {
  if (paths.length === 0) return { binId: null, isAtTop: false, itemIds: new Map() };
  const copies = new Map<string, string>();
  const isCopied = wayThatWorked(context)?.isCopied === true;
  let itemIds = new Map<string, string>();
  const missing = async (places: ItemPlaces) => {
    const files = await filesIn(context, places);
    // What was imported as a copy before is there by the copy's path.
    if (isCopied && copies.size === 0) await copyAll(context, paths, copies).catch(() => undefined);
    itemIds = itemsByPath(files, paths, copies);
    return [...new Set(paths)].filter((path) => !itemIds.has(path));
  };
  const places = await importedBy(context, copies, missing);
  return { ...places, itemIds };
}

/**
 * Imports a file into our bin, whatever becomes of it there: captions may be an item without a path. Raises `apply_failed` when
 * nothing new shows in time.
 *
 * @returns Identities of what is new.
 */
export async function importFile(context: ApplyContext, path: string): Promise<readonly string[]> {
  const idsIn = async (places: ItemPlaces) =>
    Promise.all((await fetchItems(context, places)).map(async (item) => item.getId()));
  const before = new Map<boolean, ReadonlySet<string>>();
  let made: string[] = [];
  await importedBy(context, new Map(), async (places) => {
    const ids = await idsIn(places);
    // What is there when a place is first looked at was there before.
    const known = before.get(places.isAtTop) ?? new Set(ids);
    before.set(places.isAtTop, known);
    made = ids.filter((id) => !known.has(id));
    return made.length > 0 ? [] : [path];
  });
  return made;
}

/**
 * Asks for what is missing in one way after the other, until nothing is.
 *
 * @param copies Filled with the copies that were made, by the path of what they are copies of.
 * @param missing Looks which files are not there.
 * @returns Where they are.
 */
async function importedBy(
  context: ApplyContext,
  copies: Map<string, string>,
  missing: (places: ItemPlaces) => Promise<readonly string[]>,
): Promise<ItemPlaces> {
  const { premiere, pace, clock, signal } = context;
  const known = wayThatWorked(context);
  const tried: string[] = [];
  const binId = await binOrTop(context, tried);
  let places: ItemPlaces = { binId, isAtTop: binId === null || known?.isAtTop === true };
  let left = await missing(places);
  for (const way of known === undefined ? WAYS : [known, ...WAYS.filter((one) => one !== known)]) {
    if (left.length === 0) return places;
    signal.throwIfAborted();
    if ((binId === null && !way.isAtTop) || (way.isCopied && context.copyFile === undefined)) continue;
    if (way.isAtTop && !places.isAtTop) {
      places = { binId, isAtTop: true };
      left = await missing(places);
      if (left.length === 0) return places;
    }
    const refusal = await asked(context, way, left, copies, binId);
    if (refusal !== null) {
      tried.push(`Project.importFiles(${way.name}) ${refusal}`);
      continue;
    }
    const polls = way === (known ?? WAYS[0]) ? pace.importPolls : Math.min(LATER_POLLS, pace.importPolls);
    for (let poll = 0; poll < polls && left.length > 0; poll++) {
      left = await missing(places);
      if (left.length > 0) await clock.sleep(pace.importPollMs, signal);
    }
    if (left.length > 0)
      tried.push(`Project.importFiles(${way.name}) showed nothing in ${(polls * pace.importPollMs) / 1000} s`);
    else if (way !== known) learntOf(premiere).keep("import", way.name);
  }
  if (left.length === 0) return places;
  throw notImported(left.length, tried);
}

/** The way that worked last in this version of Premiere. */
function wayThatWorked({ premiere }: ApplyContext): ImportWay | undefined {
  return WAYS.find(({ name }) => name === learntOf(premiere).recall("import"));
}

/** Copies files into a folder of the panel's own, where they are not there already. */
async function copyAll(
  { copyFile }: ApplyContext,
  paths: readonly string[],
  copies: Map<string, string>,
): Promise<void> {
  for (const path of paths) copies.set(path, copies.get(path) ?? (await copyFile?.(path)) ?? path);
}

/** Our bin; `null` where Premiere makes none, and everything goes to the top of the project. */
async function binOrTop(context: ApplyContext, tried: string[]): Promise<string | null> {
  try {
    return await findOrMakeBin(context);
  } catch (error) {
    if (context.signal.aborted) throw error;
    tried.push(...(error instanceof HostError ? [error.message, ...error.tried] : [calledBy(error)]));
    return null;
  }
}

/** Asks for files in one way. @returns Why nothing can come of it; `null` where something may. */
async function asked(
  context: ApplyContext,
  way: ImportWay,
  paths: readonly string[],
  copies: Map<string, string>,
  binId: string | null,
): Promise<string | null> {
  const { premiere, before, signal } = context;
  try {
    if (way.isCopied) await copyAll(context, paths, copies);
    const wanted = paths.map((path) => (way.isCopied ? (copies.get(path) ?? path) : path));
    const bin = way.isAtTop || binId === null ? null : await fetchBin(context, binId);
    const project = await openProject(premiere, before.reference.projectId);
    if ((await orAborted(way.ask(project, wanted, bin), signal)) === false) return "answered false";
    context.transactor.hasImported = true;
    return null;
  } catch (error) {
    if (isStaleHandle(error) || context.signal.aborted) throw error;
    // It may have imported all the same: what shows tells.
    return callOf(error)?.kind === "unanswered" ? null : calledBy(error);
  }
}

function itemsByPath(
  files: readonly ImportedFile[],
  paths: readonly string[],
  copies: ReadonlyMap<string, string>,
): Map<string, string> {
  const found = new Map<string, string>();
  for (const path of paths) {
    const copy = copies.get(path) ?? path;
    // The last one: an older item of the same path may lie about from an earlier import.
    const file = files.filter((one) => isSamePath(one.path, path) || isSamePath(one.path, copy)).at(-1);
    if (file !== undefined) found.set(path, file.itemId);
  }
  return found;
}

function notImported(count: number, tried: readonly string[]): HostError {
  const what = count === 1 ? "The file does not show" : "Not all files show";
  const message = `${what} in the project. Import ${count === 1 ? "it" : "them"} by hand into the bin "Aside", then place again.`;
  return new HostError("apply_failed", message, {
    operation: "import the narration",
    state: "the timeline was not changed",
    tried,
  });
}
