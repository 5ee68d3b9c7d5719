import { randomUUID } from "node:crypto";
import { readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import type { ObjectStore } from "../../src/service/storage/object-store.ts";
import { temporaryFolder } from "../temporary-folder.ts";

/** What the suite needs of an adapter beside the store itself. */
export interface StoreUnderTest {
  readonly store: ObjectStore;
  /** Follows a link of the store as a client would. */
  follow(url: string, init?: RequestInit): Promise<Response>;
  /** Prefix of keys that only this run uses. */
  readonly prefix: string;
  /** Whether the store's server checks signatures; one made for tests may not. */
  readonly checksSignatures: boolean;
}

/** What every object store must do. */
export function describeObjectStore(name: string, open: () => Promise<StoreUnderTest>): void {
  describe(`object store: ${name}`, () => {
    let under: StoreUnderTest;
    let folder = "";
    beforeAll(async () => {
      under = await open();
      folder = await temporaryFolder();
    });

    const signal = new AbortController().signal;
    async function file(content: string): Promise<string> {
      const path = join(folder, randomUUID());
      await writeFile(path, content);
      return path;
    }
    async function read(key: string): Promise<string> {
      const borrowed = await under.store.borrow(key, signal);
      try {
        return await readFile(borrowed.path, "utf8");
      } finally {
        await borrowed.release();
      }
    }

    test("stores a file, lends it, and leaves the file itself alone", async () => {
      const key = `${under.prefix}/a/source.mp4`;
      const path = await file("first");
      await under.store.put(key, path, "video/mp4");
      expect(await read(key)).toBe("first");
      expect(await read(key), "once more, after it was given back").toBe("first");
      expect((await stat(path)).size).toBe(5);
      expect(await under.store.stat(key)).toMatchObject({ key, sizeBytes: 5, modifiedAt: expect.any(Date) });
    });

    test("replaces an object", async () => {
      const key = `${under.prefix}/b`;
      await under.store.put(key, await file("first"), "video/mp4");
      await under.store.put(key, await file("second"), "video/mp4");
      expect(await read(key)).toBe("second");
    });

    test("knows what is not there, and removes quietly", async () => {
      const key = `${under.prefix}/none`;
      expect(await under.store.stat(key)).toBeNull();
      await expect(under.store.borrow(key, signal)).rejects.toThrow();
      await under.store.remove(key);
      await under.store.put(key, await file("x"), "video/mp4");
      await under.store.remove(key);
      expect(await under.store.stat(key)).toBeNull();
    });

    test("once cancelled stores and lends nothing, and gives the signal's own reason", async () => {
      const key = `${under.prefix}/cancelled`;
      await under.store.put(key, await file("first"), "video/mp4");
      const reason = new Error("stopped");
      const cancelled = AbortSignal.abort(reason);
      await expect(under.store.put(key, await file("second"), "video/mp4", cancelled)).rejects.toBe(reason);
      await expect(under.store.borrow(key, cancelled)).rejects.toBe(reason);
      expect(await read(key)).toBe("first");
    });

    test("lists what begins with a prefix", async () => {
      for (const name of ["list/one", "list/two/three", "other"]) {
        await under.store.put(`${under.prefix}/${name}`, await file("x"), "video/mp4");
      }
      const keys: string[] = [];
      for await (const { key } of under.store.list(`${under.prefix}/list/`)) keys.push(key);
      expect(keys.sort()).toEqual([`${under.prefix}/list/one`, `${under.prefix}/list/two/three`]);
      for await (const object of under.store.list(`${under.prefix}/nothing/`)) expect.unreachable(object.key);
    });

    test("gives a download link that needs no key and names the file", async () => {
      const key = `${under.prefix}/link/audio.wav`;
      await under.store.put(key, await file("sound of it"), "audio/wav");
      const url = await under.store.downloadLink(
        key,
        { contentType: "audio/wav", fileName: "mixed.wav" },
        "http://base.test",
      );
      const reply = await under.follow(url);
      expect(reply.status).toBe(200);
      expect(reply.headers.get("content-type")).toBe("audio/wav");
      expect(reply.headers.get("content-disposition")).toContain("mixed.wav");
      expect(await reply.text()).toBe("sound of it");
      const part = await under.follow(url, { headers: { Range: "bytes=0-4" } });
      expect([part.status, await part.text()]).toEqual([206, "sound"]);
      const forged = await under.follow(url.replace("audio.wav", "other.wav"));
      expect(forged.status).toBe(under.checksSignatures ? 403 : 404);
    });

    test("gives an upload link for one object and one content type, by which nothing is read", async () => {
      const key = `${under.prefix}/link/source.mp4`;
      await under.store.put(key, await file("secret"), "video/mp4");
      const { url } = await under.store.uploadLink(key, "video/mp4", "http://base.test");
      expect(new URL(url).pathname).toContain(key);
      if (!under.checksSignatures) return;
      const put = (address: string, type: string) =>
        under.follow(address, { method: "PUT", headers: { "Content-Type": type }, body: "bytes" });
      expect((await under.follow(url)).status).toBe(403);
      expect((await put(url, "text/html")).status).toBe(403);
      expect((await put(url.replace("source.mp4", "other.mp4"), "video/mp4")).status).toBe(403);
      expect(await read(key)).toBe("secret");
    });
  });
}
