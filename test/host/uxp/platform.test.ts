import { describe, expect, test } from "vitest";
import { utf8Bytes } from "../../../src/core/bytes.ts";
import { PlainAbortController, tellsListeners } from "../../../src/host/uxp/abort.ts";
import { hostFacts } from "../../../src/host/uxp/host-facts.ts";
import { httpFetch } from "../../../src/host/uxp/http-fetch.ts";
import { KeyStore } from "../../../src/host/uxp/key-store.ts";
import { fileFault } from "../../../src/host/uxp/runtime.ts";
import { UxpClock } from "../../../src/host/uxp/uxp-clock.ts";
import { openWorkFolder, UxpFiles } from "../../../src/host/uxp/work-folder.ts";
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

describe("what the host tells of itself", () => {
  test("is each of its versions, or that it is not told, and where it lies where that is said", () => {
    const whole = { uxp: "8.1", plugin: "1.0", host: "26.5", applicationPath: "/App" };
    const { applicationPath, ...versions } = whole;
    expect(hostFacts(whole)).toEqual({ versions, applicationPath });
    const unknown = { uxp: "not told", plugin: "not told", host: "not told" };
    expect(hostFacts({})).toEqual({ versions: unknown });
    for (const nothing of ["", null, 7, undefined]) {
      const told = { uxp: nothing, plugin: nothing, host: nothing, applicationPath: nothing };
      expect(hostFacts(told)).toEqual({ versions: unknown });
    }
  });
});

test("what a system said is told by its code and words, and what was thrown that is no error as it is", () => {
  const cause = Object.assign(new Error("the disk said no"), { code: "EODD" });
  expect(fileFault(cause, "read a file", '"a"')).toMatchObject({
    message: 'The file of "a" cannot be used: EODD the disk said no.',
  });
  expect(fileFault(new Error("no"), "read a file", '"a"')).toMatchObject({
    message: 'The file of "a" cannot be used: no.',
  });
  expect(fileFault("odd", "read a file", '"a"')).toMatchObject({ message: 'The file of "a" cannot be used: odd.' });
});

describe("KeyStore", () => {
  test("keeps a key, replaces it and forgets it", async () => {
    const { module } = makeSecureStorage();
    const keys = new KeyStore(module);
    await keys.save("key", "vsk_ü");
    expect(await keys.load("key")).toBe("vsk_ü");
    await keys.save("key", "vsk_2");
    await keys.save("other", "vsk_3");
    await keys.forget("key");
    await keys.forget("key");
    expect([await keys.load("key"), await keys.load("other")]).toEqual([null, "vsk_3"]);
  });

  test("an empty key is none: the one that was kept is forgotten, and nothing else", async () => {
    const { module, contents } = makeSecureStorage();
    const keys = new KeyStore(module);
    await keys.save("key", "secret");
    await keys.save("other", "secret");
    await keys.save("key", "");
    expect([...contents.keys()]).toEqual(["other"]);
    expect(await keys.load("key")).toBeNull();
    await keys.save("key", "");
    expect([...contents.keys()]).toEqual(["other"]);
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

  test("sends a text as it is", async () => {
    const sent: unknown[] = [];
    const Requests = makeRequests({
      domains: "all",
      wire: async ({ body }) => {
        sent.push(body === null ? null : Buffer.from(body).toString("utf8"));
        return { status: 200, headers: {}, body: new Uint8Array() };
      },
    });
    const init = { method: "POST", headers: {}, body: '{"name":"ä"}', signal: new AbortController().signal };
    await httpFetch(Requests, new InstantClock())("https://api.example.com/x", init);
    expect(sent.at(-1)).toBe('{"name":"ä"}');
  });

  test.each([
    [1, [250]],
    [4, [250, 500, 1000, 1250]],
  ])(
    "a request that changes something is sent once, though the first %i connections are denied",
    async (deniesFirst, pauses) => {
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
      expect(clock.sleeps).toEqual(pauses);
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

  test("tells the time of the system", () => {
    const clock = new UxpClock({ setTimeout: () => undefined, clearTimeout: () => undefined });
    const before = Date.now();
    const now = clock.now();
    expect([before <= now, now <= Date.now()]).toEqual([true, true]);
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

  test("tells every listener, though one takes itself away meanwhile", () => {
    const controller = new PlainAbortController();
    const { signal } = controller;
    const heard: string[] = [];
    const first = () => {
      heard.push("first");
      signal.removeEventListener("abort", first);
    };
    for (const listener of [first, () => heard.push("second"), () => heard.push("third")])
      signal.addEventListener("abort", listener);
    controller.abort();
    expect(heard).toEqual(["first", "second", "third"]);
    expect([signal.aborted, signal.reason]).toEqual([true, new Error("aborted")]);
  });

  test("tells none that another one took away meanwhile, and none that came meanwhile, as the web does", () => {
    for (const controller of [new PlainAbortController(), new AbortController()]) {
      const heard: string[] = [];
      const gone = () => heard.push("gone");
      controller.signal.addEventListener("abort", () => {
        heard.push("first");
        controller.signal.removeEventListener("abort", gone);
        controller.signal.addEventListener("abort", () => heard.push("late"));
      });
      controller.signal.addEventListener("abort", gone);
      controller.abort();
      expect(heard).toEqual(["first"]);
    }
  });

  test("a platform's controller without listeners, or none at all, is found wanting", () => {
    class Deaf {
      signal = { aborted: false, reason: undefined };
      abort(): void {
        this.signal.aborted = true;
      }
    }
    expect(tellsListeners(Deaf)).toBe(false);
    /** Does all that a controller does, but for one thing. */
    const lacking = (what: "listeners" | "state" | "reason") =>
      class {
        listener: () => void = () => undefined;
        signal = {
          ...{ aborted: false, reason: undefined as unknown },
          addEventListener: (_: string, listener: () => void) => {
            this.listener = listener;
          },
        };
        abort(reason: unknown): void {
          if (what !== "state") this.signal.aborted = true;
          if (what !== "reason") this.signal.reason = reason;
          if (what !== "listeners") this.listener();
        }
      };
    for (const what of ["listeners", "state", "reason"] as const)
      expect([what, tellsListeners(lacking(what))]).toEqual([what, false]);
    expect(tellsListeners(undefined)).toBe(false);
  });
});

describe("the work folder", () => {
  test("is made once and opened again", async () => {
    const { disk, files, storage } = openDisk();
    const folder = await openWorkFolder(storage, files);
    expect(await openWorkFolder(storage, files)).toEqual(folder);
    expect(folder.exportsPath).toBe("/data/exports");
    // What stepped aside when the panel was closed is back in each, but for exports, which nobody reads again.
    const kept = [folder.path, folder.resultsPath, folder.runsPath].map((path) => `${path}/kept.json`);
    for (const path of kept) disk.files.set(`${path}.old`, new Uint8Array(1));
    await openWorkFolder(storage, files);
    expect([...disk.files.keys()].sort()).toEqual(kept.sort());
    expect([...disk.folders].filter((path) => path.startsWith("/data/")).sort()).toEqual([
      "/data/exports",
      "/data/results",
      "/data/runs",
    ]);
  });
});
