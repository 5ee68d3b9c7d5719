import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { utf8Bytes } from "../../../src/core/utf8.ts";
import { PlainAbortController, tellsListeners } from "../../../src/host/uxp/abort.ts";
import { httpFetch } from "../../../src/host/uxp/http-fetch.ts";
import { KeyStore } from "../../../src/host/uxp/key-store.ts";
import { findPresets } from "../../../src/host/uxp/preset-files.ts";
import { textFromUtf8 } from "../../../src/host/uxp/utf8-text.ts";
import { UxpClock } from "../../../src/host/uxp/uxp-clock.ts";
import { UxpFiles } from "../../../src/host/uxp/uxp-files.ts";
import { openWorkFolder } from "../../../src/host/uxp/work-folder.ts";
import { InstantClock } from "../../fakes/instant-clock.ts";
import { makeFs } from "../../fakes/uxp/fs.ts";
import { MemoryDisk } from "../../fakes/uxp/memory-disk.ts";
import { makeSecureStorage, makeStorage } from "../../fakes/uxp/storage.ts";
import { makeRequests } from "../../fakes/uxp/xml-http-request.ts";

function openDisk() {
  const disk = new MemoryDisk();
  for (const folder of ["/data", "/temp", "/plugin", "/plugin/presets"]) disk.folders.add(folder);
  const { module } = makeFs({ disk, schemes: {}, hasFullAccess: true, random: Math.random });
  const storage = makeStorage({
    disk,
    dataPath: "/data",
    temporaryPath: "/temp",
    pluginPath: "/plugin",
    pick: async () => null,
  });
  return { disk, files: new UxpFiles(module), storage };
}

describe("textFromUtf8", () => {
  test("reads back what was written, whatever the text", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (text) => {
        expect(textFromUtf8(utf8Bytes(text))).toBe(text);
      }),
    );
  });

  test("agrees with the standard decoder on any bytes", () => {
    const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 12 }), (bytes) => {
        // How many marks stand for one broken run may differ; which characters survive may not.
        const kept = (text: string) => text.replaceAll("\uFFFD", "");
        expect(kept(textFromUtf8(bytes))).toBe(kept(decoder.decode(bytes)));
      }),
    );
  });
});

describe("KeyStore", () => {
  test("keeps a key, replaces it and forgets it", async () => {
    const { module } = makeSecureStorage();
    const keys = new KeyStore(module);
    await keys.save("key", "vsk_ü");
    expect(await keys.load("key")).toBe("vsk_ü");
    await keys.save("key", "");
    await keys.forget("key");
    expect(await keys.load("key")).toBeNull();
  });

  test("AUTH-07: a key that secure storage lost is none, to be asked for again", async () => {
    const { module, contents } = makeSecureStorage();
    const keys = new KeyStore(module);
    await keys.save("key", "secret");
    contents.clear();
    expect(await keys.load("key")).toBeNull();
    const locked = () => Promise.reject(new Error("the keychain is locked"));
    const broken = new KeyStore({ getItem: locked, setItem: locked, removeItem: locked });
    expect(await broken.load("key")).toBeNull();
  });
});

describe("httpFetch", () => {
  test("sends method, headers and the exact bytes of a view, and gives status, headers and text", async () => {
    const sent: unknown[] = [];
    const Requests = makeRequests({
      domains: ["https://api.example.com"],
      wire: async (request) => {
        sent.push({ ...request, body: [...(request.body ?? [])] });
        return { status: 429, headers: { "retry-after": "7" }, body: utf8Bytes('{"error":"rate"}') };
      },
    });
    const body = Uint8Array.from([1, 2, 3, 4]).subarray(1, 3);
    const { signal } = new AbortController();
    const reply = await httpFetch(Requests, new InstantClock())("https://api.example.com/x", {
      method: "POST",
      headers: { "X-API-Key": "k" },
      body,
      signal,
    });
    // A first connection may be denied: a harmless request goes before one that changes something.
    expect(sent).toMatchObject([
      { method: "GET", url: "https://api.example.com/" },
      { method: "POST", headers: { "X-API-Key": "k" }, body: [2, 3] },
    ]);
    expect([reply.status, reply.headers.get("Retry-After"), await reply.text()]).toEqual([
      429,
      "7",
      '{"error":"rate"}',
    ]);
  });

  test.each([1, 4])(
    "a request that changes something is sent once, though the first %i connections are denied",
    async (deniesFirst) => {
      const sent: string[] = [];
      const Requests = makeRequests({
        domains: "all",
        deniesFirst,
        wire: async ({ method }) => {
          sent.push(method);
          return { status: 200, headers: {}, body: new Uint8Array() };
        },
      });
      const clock = new InstantClock();
      const fetch = httpFetch(Requests, clock);
      const { signal } = new AbortController();
      for (let count = 0; count < 2; count++) {
        expect((await fetch("https://a.example/jobs", { method: "POST", headers: {}, signal })).status).toBe(200);
      }
      expect(sent).toEqual(["GET", "POST", "POST"]);
      expect(clock.sleeps.reduce((sum, ms) => sum + ms, 0)).toBeLessThanOrEqual(3000);
    },
  );

  test("an address that the manifest does not list is no answer", async () => {
    const Requests = makeRequests({
      domains: ["https://api.example.com"],
      wire: () => Promise.reject(new Error("no")),
    });
    const { signal } = new AbortController();
    const asked = httpFetch(Requests, new InstantClock())("https://other.example.com/", {
      method: "GET",
      headers: {},
      signal,
    });
    await expect(asked).rejects.toMatchObject({ code: "connection_failed" });
  });
});

describe("UxpClock", () => {
  test("ends every timer when it is disposed, and starts none after", () => {
    const running = new Set<unknown>();
    const clock = new UxpClock({
      setTimeout: (run) => {
        running.add(run);
        return run;
      },
      clearTimeout: (timer) => running.delete(timer),
    });
    let calls = 0;
    const off = clock.after(10, () => {
      calls += 1;
    });
    clock.after(20, () => {
      calls += 1;
    });
    off();
    expect(running.size).toBe(1);
    clock.dispose();
    clock.after(30, () => {
      calls += 1;
    });
    expect([running.size, calls]).toEqual([0, 0]);
  });

  test("a sleep ends with the signal's reason, and leaves no timer", async () => {
    const clock = new UxpClock({
      setTimeout: (run, ms) => setTimeout(run, ms),
      clearTimeout: (id) => clearTimeout(Number(id)),
    });
    const controller = new AbortController();
    const reason = new Error("cancelled");
    const sleeping = clock.sleep(60_000, controller.signal);
    controller.abort(reason);
    await expect(sleeping).rejects.toBe(reason);
    await expect(clock.sleep(1, controller.signal)).rejects.toBe(reason);
    await clock.sleep(1);
  });
});

describe("PlainAbortController", () => {
  test("tells its listeners once, and not those that left", () => {
    expect(tellsListeners(PlainAbortController)).toBe(true);
    expect(tellsListeners(AbortController)).toBe(true);
    const { signal, ...rest } = Object.assign(new PlainAbortController(), {});
    expect(rest).toEqual({});
    const controller = new PlainAbortController();
    const heard: string[] = [];
    const left = () => heard.push("left");
    controller.signal.addEventListener("abort", () => heard.push("stayed"));
    controller.signal.addEventListener("abort", left);
    controller.signal.removeEventListener("abort", left);
    controller.abort(new Error("stop"));
    controller.abort(new Error("again"));
    expect(heard).toEqual(["stayed"]);
    expect(() => controller.signal.throwIfAborted()).toThrow("stop");
    expect(signal.aborted).toBe(false);
  });

  test("a platform's controller without listeners, or none at all, is found wanting", () => {
    class Deaf {
      signal = { aborted: false, reason: undefined };
      abort(): void {
        this.signal.aborted = true;
      }
    }
    expect(tellsListeners(Deaf)).toBe(false);
    expect(tellsListeners(undefined)).toBe(false);
  });
});

describe("the work folder", () => {
  test("is made once and opened again", async () => {
    const { disk, files, storage } = openDisk();
    const folder = await openWorkFolder(storage, files);
    expect(await openWorkFolder(storage, files)).toEqual(folder);
    expect(folder.exportsPath).toBe("/data/exports");
    expect([...disk.folders].filter((path) => path.startsWith("/data/")).sort()).toEqual([
      "/data/exports",
      "/data/results",
      "/data/runs",
    ]);
  });
});

describe("presets", () => {
  const windows =
    "C:\\Program Files\\Adobe\\Adobe Premiere Pro 2026\\MediaIO\\systempresets\\4E49434B_48323634\\02 - Match Source - Low bitrate.epr";

  test("come in order: the user's own, ours, the system's smallest", async () => {
    const { disk, files, storage } = openDisk();
    for (const path of ["/plugin/presets/aside-proxy-h264.epr", "/mine/own.epr", windows]) {
      disk.files.set(path, new Uint8Array(1));
    }
    const versions = { uxp: "8.1", plugin: "0.1.0", host: "26.3.0" };
    const runtime = { storage, platform: "win32", versions };
    const presets = await findPresets({ runtime, files, chosen: ["/mine/own.epr", "/mine/gone.epr"] });
    expect(presets).toEqual([
      { name: "own.epr", path: "/mine/own.epr", origin: "user", isProven: true },
      {
        name: "Aside proxy (H.264, 640 wide)",
        path: "/plugin/presets/aside-proxy-h264.epr",
        origin: "ours",
        isProven: false,
      },
      { name: "Match Source - Low bitrate", path: windows, origin: "system", isProven: true },
    ]);
  });
});
