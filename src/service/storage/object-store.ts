import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Database, type Queries, ServiceStartError } from "./database.ts";
import { STARTING_LOCK } from "./migrations.ts";
import { ensureSecret } from "./private-file.ts";

/** A link that works without an API key, for one object and one purpose, until it expires. */
export interface UploadLink {
  /** Takes the whole object by `PUT`. */
  readonly url: string;
  /** Takes it in slices (`Content-Range`), where the store can. */
  readonly resumableUrl?: string;
}

/** What is known of a stored object without reading it. */
export interface ObjectFacts {
  readonly key: string;
  readonly sizeBytes: number;
  readonly modifiedAt: Date;
}

/** An object lent as a local file; only for reading. */
export interface BorrowedFile {
  readonly path: string;
  /** Says that it is no longer read; a temporary copy is removed. */
  release(): Promise<void>;
}

/** How clients reach the service: the beginning of every link that the service itself serves. */
type BaseUrl = string;

/**
 * Stored media and artifacts. A key is a relative path of safe segments, made by this service and never from a name that
 * a client chose. An object appears whole or not at all. What a signal aborts rejects with the signal's own reason.
 */
export interface ObjectStore {
  /** An address that takes the bytes of a new object, with exactly this content type. */
  uploadLink(key: string, contentType: string, base: BaseUrl): Promise<UploadLink>;
  /** An address that gives an object, offered for saving under `fileName`. */
  downloadLink(key: string, as: { contentType: string; fileName: string }, base: BaseUrl): Promise<string>;
  /** `null` when there is no such object. */
  stat(key: string): Promise<ObjectFacts | null>;
  /** Stores a local file under a key, in place of any older object. The file itself stays; it is not to be changed. */
  put(key: string, path: string, contentType: string, signal?: AbortSignal): Promise<void>;
  /** Lends an object as a local file. Rejects when there is no such object. */
  borrow(key: string, signal: AbortSignal): Promise<BorrowedFile>;
  /** Removes an object; quiet when there is none. */
  remove(key: string): Promise<void>;
  /** Every object whose key begins with `prefix`, in no particular order. */
  list(prefix: string): AsyncIterable<ObjectFacts>;
}

/** Where a store says which records work with it. */
const IDENTITY_KEY = "aside-records";

/** Objects that are looked up to tell whether records have anything to do with a store. */
const LOOKED_UP = 100;

/**
 * Makes a store of media and artifacts one with the records: the same identity stands in both from then on. A store that
 * names nobody yet is taken when it is empty, or when the records know something of what it holds.
 *
 * @param adopts Takes the store whatever it says. What it holds and the records do not know is held as unknown.
 * @throws ServiceStartError `store_of_other_records`.
 */
export async function claimStore(objects: ObjectStore, database: Database, options: ClaimOptions): Promise<void> {
  // Of several processes of one service that start at once, one claims the store, and the others find it claimed.
  await database.exclusively(STARTING_LOCK, () => claim(objects, database, options));
}

/** How a store is claimed. */
interface ClaimOptions {
  /** Folder of this process for files on their way. */
  readonly workFolder: string;
  readonly adopts?: boolean | undefined;
}

async function claim(objects: ObjectStore, queries: Queries, options: ClaimOptions): Promise<void> {
  const own = await ensureSecret(queries, "identity");
  const found = await identityOf(objects);
  if (found === own) return;
  const isFree = found === null && !(await isForeign(objects, queries));
  if (!isFree && options.adopts !== true) throw foreign();
  await mkdir(options.workFolder, { recursive: true });
  const path = join(options.workFolder, `${IDENTITY_KEY}-${process.pid}`);
  await writeFile(path, own);
  await objects.put(IDENTITY_KEY, path, "text/plain");
  await rm(path, { force: true });
  // Of two services that begin on one empty store at once, the one that wrote last has it.
  await requireOwnStore(objects, queries);
}

/** @throws ServiceStartError `store_of_other_records` when the store does not name these records. */
export async function requireOwnStore(objects: ObjectStore, queries: Queries): Promise<void> {
  if ((await identityOf(objects)) !== (await ensureSecret(queries, "identity"))) throw foreign();
}

async function identityOf(objects: ObjectStore): Promise<string | null> {
  if ((await objects.stat(IDENTITY_KEY)) === null) return null;
  const file = await objects.borrow(IDENTITY_KEY, AbortSignal.timeout(30_000));
  try {
    return (await readFile(file.path, "utf8")).trim();
  } finally {
    await file.release();
  }
}

/** Whether a store holds something, and the records know none of it. */
async function isForeign(objects: ObjectStore, queries: Queries): Promise<boolean> {
  const keys: string[] = [];
  for await (const { key } of objects.list("teams/")) {
    keys.push(key);
    if (keys.length === LOOKED_UP) break;
  }
  if (keys.length === 0) return false;
  const known = await queries.query(
    `SELECT 1 FROM aside.media WHERE storage_key = ANY($1::text[])
     UNION ALL SELECT 1 FROM aside.artifact WHERE storage_key = ANY($1::text[]) LIMIT 1`,
    [keys],
  );
  return known.length === 0;
}

function foreign(): ServiceStartError {
  return new ServiceStartError(
    "store_of_other_records",
    "The stored media and results belong to other records than these. Put the right records back (a backup of them, or the right DATABASE_URL), or choose another folder or prefix. To continue with these records all the same, start once with --adopt-store: what they do not know is kept for a while, then deleted.",
  );
}
