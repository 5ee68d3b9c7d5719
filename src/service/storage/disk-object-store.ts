import { createHmac, randomUUID, timingSafeEqual } from "node:crypto";
import { createReadStream, type ReadStream } from "node:fs";
import { copyFile, link, opendir, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { isMissing } from "../../core/local-file.ts";
import type { Clock } from "../../core/ports.ts";
import { nameFinishedFile } from "../../engine/finished-file.ts";
import type { BorrowedFile, ObjectFacts, ObjectStore, UploadLink } from "./object-store.ts";
import { makeSyncedFolder, syncFile, syncFolder } from "./synced-folder.ts";

const KEY_SEGMENT = /^[A-Za-z0-9][A-Za-z0-9._-]*$/;

/** Lives of signed links in seconds. */
export interface LinkLives {
  readonly uploadSeconds: number;
  readonly resultSeconds: number;
}

/** Objects as files of one folder, with links that the service itself serves (`http/storage-routes.ts`). */
export class DiskObjectStore implements ObjectStore {
  readonly #folder: string;
  readonly #signer: LinkSigner;
  readonly #lives: LinkLives;
  readonly #clock: Clock;
  /** Pieces of work during which nothing is removed, and what is to be removed after them. */
  #keepers = 0;
  readonly #removedLater = new Set<string>();

  constructor(folder: string, signer: LinkSigner, lives: LinkLives, clock: Clock) {
    this.#folder = folder;
    this.#signer = signer;
    this.#lives = lives;
    this.#clock = clock;
  }

  async uploadLink(key: string, contentType: string, base: string): Promise<UploadLink> {
    const grant = { key, contentType, fileName: "", expires: this.#expiry(this.#lives.uploadSeconds) };
    return {
      url: this.#signer.sign({ ...grant, purpose: "put" }, base),
      resumableUrl: this.#signer.sign({ ...grant, purpose: "resume" }, base),
    };
  }

  async downloadLink(key: string, as: { contentType: string; fileName: string }, base: string): Promise<string> {
    return this.#signer.sign({ purpose: "get", key, ...as, expires: this.#expiry(this.#lives.resultSeconds) }, base);
  }

  async stat(key: string): Promise<ObjectFacts | null> {
    try {
      const facts = await stat(this.pathOf(key));
      return facts.isFile() ? { key, sizeBytes: facts.size, modifiedAt: facts.mtime } : null;
    } catch (error) {
      if (isMissing(error)) return null;
      throw error;
    }
  }

  async put(key: string, path: string, _contentType: string, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    const target = this.pathOf(key);
    await makeSyncedFolder(dirname(target));
    // The bytes reach the disk before the name does: after a power cut the object is whole, once put it is there.
    await syncFile(path);
    // A second name for the same bytes, put in place of whatever had the first.
    const temporary = `${target}.${randomUUID()}`;
    try {
      await link(path, temporary).catch(() => copyFile(path, temporary));
      await nameFinishedFile(temporary, target);
    } catch (error) {
      await rm(temporary, { force: true }).catch(() => undefined);
      throw error;
    }
    await syncFolder(dirname(target));
  }

  async borrow(key: string, signal: AbortSignal): Promise<BorrowedFile> {
    signal.throwIfAborted();
    const path = this.pathOf(key);
    await stat(path);
    return { path, release: async () => undefined };
  }

  async remove(key: string): Promise<void> {
    const path = this.pathOf(key);
    if (this.#keepers > 0) this.#removedLater.add(path);
    else await rm(path, { force: true });
  }

  /** Does `work` while no object is removed: what is to be removed meanwhile goes after it. */
  async whileKept<Result>(work: () => Promise<Result>): Promise<Result> {
    this.#keepers++;
    try {
      return await work();
    } finally {
      this.#keepers--;
      if (this.#keepers === 0) {
        for (const path of this.#removedLater) await rm(path, { force: true });
        this.#removedLater.clear();
      }
    }
  }

  async *list(prefix: string): AsyncIterable<ObjectFacts> {
    const root = await opendir(this.#folder, { recursive: true }).catch((error: unknown) => {
      if (isMissing(error)) return null;
      throw error;
    });
    if (root === null) return;
    for await (const entry of root) {
      if (!entry.isFile()) continue;
      const key = join(entry.parentPath, entry.name)
        .slice(this.#folder.length + 1)
        .replaceAll("\\", "/");
      if (!key.startsWith(prefix)) continue;
      const facts = await this.stat(key);
      if (facts !== null) yield facts;
    }
  }

  /** Reads an object, or the bytes from `start` to `end` (both included) of it. */
  read(key: string, range?: { readonly start: number; readonly end: number }): ReadStream {
    return createReadStream(this.pathOf(key), range);
  }

  /** The file of an object. @throws RangeError for a key that could lead out of the folder. */
  pathOf(key: string): string {
    const segments = key.split("/");
    if (!segments.every((segment) => KEY_SEGMENT.test(segment))) throw new RangeError("not a key of this store");
    return join(this.#folder, ...segments);
  }

  #expiry(lifeSeconds: number): number {
    return Math.floor(this.#clock.now() / 1000) + lifeSeconds;
  }
}

/** What a link allows: to put one object whole, to put it in slices, or to get it. */
export type LinkPurpose = "put" | "resume" | "get";

/** One permission, bound to everything that matters about its use. */
export interface LinkGrant {
  readonly purpose: LinkPurpose;
  readonly key: string;
  /** For `put` and `resume`: the one content type allowed, byte for byte. For `get`: the one the reply has. */
  readonly contentType: string;
  /** For `get`: the name offered for saving. */
  readonly fileName: string;
  /** Unix time in seconds at which the link ends. */
  readonly expires: number;
}

/** Why a link does not open. */
export type LinkRefusal = "expired" | "signature";

/** Where the service serves stored objects. Outside the interface's own paths, as a storage host would be. */
export const STORAGE_PATH = "/storage";

/** Signs and checks links to objects that the service itself serves. */
export class LinkSigner {
  readonly #secret: string;

  constructor(secret: string) {
    this.#secret = secret;
  }

  /** The address of a grant below a base URL. */
  sign(grant: LinkGrant, base: string): string {
    const url = new URL(
      `${base.replace(/\/+$/, "")}${STORAGE_PATH}/${grant.key.split("/").map(encodeURIComponent).join("/")}`,
    );
    url.searchParams.set("purpose", grant.purpose);
    if (grant.purpose === "get") {
      url.searchParams.set("type", grant.contentType);
      url.searchParams.set("name", grant.fileName);
    }
    url.searchParams.set("expires", String(grant.expires));
    url.searchParams.set("signature", this.#signature(grant).toString("base64url"));
    return url.href;
  }

  /** Whether a signature was made for exactly this grant, and the grant still holds at `now` (Unix seconds). */
  check(grant: LinkGrant, signature: string, now: number): LinkRefusal | null {
    const given = Buffer.from(signature, "base64url");
    const expected = this.#signature(grant);
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) return "signature";
    return now < grant.expires ? null : "expired";
  }

  #signature(grant: LinkGrant): Buffer {
    const { purpose, key, contentType, fileName, expires } = grant;
    // JSON keeps the members apart whatever they hold.
    return createHmac("sha256", this.#secret)
      .update(JSON.stringify([purpose, key, contentType, fileName, expires]))
      .digest();
  }
}
