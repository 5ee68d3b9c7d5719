import { getEventListeners } from "node:events";
import { describe, expect, test } from "vitest";
import { utf8Bytes } from "../../../src/core/bytes.ts";
import { PresetFiles } from "../../../src/host/uxp/preset-files.ts";
import { sendRequest, spellingsOfBytes } from "../../../src/host/uxp/send-request.ts";
import { UxpClock } from "../../../src/host/uxp/uxp-clock.ts";
import { UxpTransfer } from "../../../src/host/uxp/uxp-transfer.ts";
import { UxpFiles } from "../../../src/host/uxp/work-folder.ts";
import { makeFs } from "../../fakes/uxp/fs.ts";
import { MemoryDisk } from "../../fakes/uxp/memory-disk.ts";
import { makeStorage } from "../../fakes/uxp/storage.ts";
import { makeRequests, type RequestOptions, type Wire } from "../../fakes/uxp/xml-http-request.ts";

const URL_ = "https://api.example.com/x";
const answers =
  (text: string): Wire =>
  async () => ({ status: 200, headers: {}, body: utf8Bytes(text) });
const requests = (wire: Wire, more: Partial<RequestOptions> = {}) => makeRequests({ domains: "all", wire, ...more });

describe("a request of a panel", () => {
  test("carries all of its headers, and leaves nobody listening to its signal", async () => {
    const { signal } = new AbortController();
    const sent: unknown[] = [];
    const Requests = requests(async ({ headers }) => {
      sent.push(headers);
      return { status: 200, headers: {}, body: utf8Bytes("ok") };
    });
    const headers = { "X-API-Key": "k", "Content-Type": "application/json", Accept: "a/b" };
    const { text } = await sendRequest(Requests, { method: "POST", url: URL_, headers, body: "{}", signal, replyAs: "text" }); // biome-ignore format: one request
    expect([sent, text]).toEqual([[headers], "ok"]);
    expect(getEventListeners(signal, "abort")).toEqual([]);
  });

  test("that is called off is broken off on its way too, and one that fails leaves nobody listening", async () => {
    const controller = new AbortController();
    const isOnItsWay = Promise.withResolvers<AbortSignal>();
    const Requests = requests((request) => {
      isOnItsWay.resolve(request.signal);
      return new Promise(() => undefined);
    });
    const base = { method: "GET", url: URL_, headers: {}, replyAs: "text" } as const;
    const asking = sendRequest(Requests, { ...base, signal: controller.signal });
    const wire = await isOnItsWay.promise;
    expect(getEventListeners(controller.signal, "abort")).toHaveLength(1);
    controller.abort(new Error("enough"));
    await expect(asking).rejects.toThrow("enough");
    expect(wire.aborted).toBe(true);
    const { signal } = new AbortController();
    const failing = sendRequest(
      requests(() => Promise.reject(new Error("no line"))),
      { ...base, signal },
    );
    await expect(failing).rejects.toMatchObject({ code: "connection_failed" });
    expect(getEventListeners(signal, "abort")).toEqual([]);
  });

  test("that is called off tells of no progress any more, though the host never says that it ended", async () => {
    const controller = new AbortController();
    const isOnItsWay = Promise.withResolvers<(bytes: number) => void>();
    class Silent extends requests((request) => {
      isOnItsWay.resolve(request.onSent);
      return new Promise(() => undefined);
    }) {
      override abort(): void {}
    }
    const seen: number[] = [];
    const onSent = (bytes: number) => seen.push(bytes);
    const order = {
      method: "PUT",
      url: URL_,
      headers: {},
      signal: controller.signal,
      replyAs: "text",
      onSent,
    } as const;
    const asking = sendRequest(Silent, order);
    const sent = await isOnItsWay.promise;
    sent(5);
    controller.abort(new Error("enough"));
    await expect(asking).rejects.toThrow("enough");
    sent(9);
    expect(seen).toEqual([5]);
  });

  test("for bytes is asked again in the other spelling, once for all, and only where that changes nothing", async () => {
    const { signal } = new AbortController();
    const asked: string[] = [];
    const Requests = requests(
      async ({ method }) => {
        asked.push(method);
        return { status: 200, headers: {}, body: Uint8Array.of(1, 2, 3) };
      },
      { bytesType: "arrayBuffer" },
    );
    const base = { url: URL_, headers: {}, signal, replyAs: "bytes" } as const;
    for (let count = 0; count < 2; count++) {
      const { bytes } = await sendRequest(Requests, { ...base, method: "GET" });
      expect([...new Uint8Array(bytes)]).toEqual([1, 2, 3]);
    }
    expect(asked).toEqual(["GET", "GET", "GET"]);
    expect(await spellingsOfBytes(Requests, { ...base, method: "GET" })).toBe(
      "arraybuffer: no bytes, status 200; arrayBuffer: 3 bytes, status 200",
    );
    const other = requests(answers("x"), { bytesType: "arrayBuffer" });
    expect((await sendRequest(other, { ...base, method: "PUT" })).bytes.byteLength).toBe(0);
  });
});

describe("timers of a panel", () => {
  function timers() {
    const running = new Map<number, () => void>();
    const cleared: unknown[] = [];
    let last = 0;
    const clock = new UxpClock({
      setTimeout: (run) => {
        last += 1;
        running.set(last, run);
        return last;
      },
      clearTimeout: (timer) => {
        cleared.push(timer);
        running.delete(Number(timer));
      },
    });
    return { clock, running, cleared };
  }

  test("a sleep that ends leaves nobody listening, and one that is called off leaves no timer", async () => {
    const { clock, running } = timers();
    const controller = new AbortController();
    const sleeping = clock.sleep(10, controller.signal);
    running.get(1)?.();
    await sleeping;
    expect(getEventListeners(controller.signal, "abort")).toEqual([]);
    const other = clock.sleep(10, controller.signal);
    controller.abort(new Error("stop"));
    await expect(other).rejects.toThrow("stop");
    expect([...running.keys()]).toEqual([1]);
  });

  test("those that fired or were called off are not cleared again when all end", () => {
    const { clock, running, cleared } = timers();
    const heard: string[] = [];
    clock.after(10, () => heard.push("first"));
    const off = clock.after(10, () => heard.push("second"));
    clock.after(10, () => heard.push("third"));
    clock.after(10, () => heard.push("fourth"));
    running.get(1)?.();
    off();
    clock.dispose();
    expect([heard, cleared]).toEqual([["first"], [2, 3, 4]]);
    clock.dispose();
    expect(cleared).toEqual([2, 3, 4]);
  });
});

describe("files of a panel", () => {
  function open() {
    const disk = new MemoryDisk();
    disk.folders.add("/data");
    const { module } = makeFs({ disk, schemes: {}, hasFullAccess: true, random: Math.random });
    return { disk, files: new UxpFiles(module) };
  }

  test("a copy lies below the folder of its origin, whole, and is copied once", async () => {
    const { disk, files } = open();
    disk.folders.add("/film").add("/film/take:2.a");
    const bytes = Uint8Array.from({ length: 5000 }, (_, index) => index % 251);
    disk.files.set("/film/take:2.a/voice.wav", bytes);
    const copy = await files.copyInto("/film/take:2.a/voice.wav", "/data/sound");
    expect(copy).toBe("/data/sound/take_2_a/voice.wav");
    expect(disk.files.get(copy)).toEqual(bytes);
    expect(await files.copyInto("/film/take:2.a/voice.wav", "/data/sound")).toBe(copy);
    expect([...disk.files.keys()].sort()).toEqual([copy, "/film/take:2.a/voice.wav"]);
  });

  test("a folder where a file stands is refused with what was said first", async () => {
    const { files } = open();
    await files.writeText("/data/a", "x");
    await expect(files.makeFolder("/data/a")).rejects.toMatchObject({ name: "HostError" });
    await files.makeFolder("/data");
    await expect(files.makeFolder("/data/no/b")).rejects.toMatchObject({ name: "HostError" });
  });

  test("a download ends with its file closed, whole or refused", async () => {
    const { disk, files } = open();
    let openWriters = 0;
    const counted = {
      rename: files.rename.bind(files),
      async openWriter(path: string) {
        const writer = await files.openWriter(path);
        openWriters += 1;
        return {
          write: writer.write.bind(writer),
          async close() {
            openWriters -= 1;
            await writer.close();
          },
        };
      },
    };
    const { signal } = new AbortController();
    let asked = 0;
    const Requests = requests(async () => {
      asked += 1;
      if (asked === 3) return { status: 500, headers: {}, body: utf8Bytes("no") };
      return { status: 206, headers: { "content-range": `bytes 0-2/${asked === 1 ? 3 : 9}` }, body: utf8Bytes("abc") };
    });
    const transfer = new UxpTransfer({
      Requests,
      files: { ...counted, size: files.size.bind(files), openReader: files.openReader.bind(files) },
    });
    const download = () => transfer.download({ url: URL_, path: "/data/a.wav", signal });
    expect([(await download()).status, openWriters]).toEqual([200, 0]);
    expect([(await download()).status, openWriters]).toEqual([500, 0]);
    expect(disk.files.get("/data/a.wav")).toEqual(utf8Bytes("abc"));
  });
});

test("presets: the user's own as far as they are there, then all that worked, then Premiere's and ours", async () => {
  const disk = new MemoryDisk();
  const put = (path: string, text: string) => {
    const parts = path.split("/").slice(1, -1);
    for (const [index] of parts.entries()) disk.folders.add(`/${parts.slice(0, index + 1).join("/")}`);
    disk.files.set(path, utf8Bytes(text));
  };
  const system = "/Applications/Adobe Premiere 2026/Adobe Premiere 2026.app/Contents/MediaIO/systempresets";
  put(`${system}/3F3F3F3F_57415645/Waveform Audio 48kHz 16-bit.epr`, "sound");
  put(`${system}/4E49434B_48323634/02 - Match Source - Low bitrate.epr`, "low");
  put(`${system}/4E49434B_48323634/01 - Match Source - Medium bitrate.epr`, "medium");
  put("/plugin/presets/aside-proxy-h264.epr", "ours");
  put("/plugin/presets/aside-sound-wav.epr", "our sound");
  for (const name of ["one.epr", "two.epr"]) put(`/mine/${name}`, name);
  disk.folders.add("/data");
  const { module } = makeFs({ disk, schemes: {}, hasFullAccess: true, random: Math.random });
  const storage = makeStorage({ disk, dataPath: "/data", temporaryPath: "/t", pluginPath: "/plugin", pick: async () => null }); // biome-ignore format: one storage
  const presets = new PresetFiles({
    runtime: { storage, platform: "darwin", homeFolder: "" },
    files: new UxpFiles(module),
    chosen: ["/mine/gone.epr", "/mine/one.epr", "/mine/two.epr"],
    dataFolder: async () => "/data",
  });
  const all = async () => (await presets.list()).map(({ name, isProven }) => `${name}: ${isProven}`);
  const [one, two] = ["one.epr: true", "two.epr: true"];
  const [low, medium] = ["Match Source - Low bitrate: true", "Match Source - Medium bitrate: true"];
  const sound = "Waveform Audio 48kHz 16-bit: true";
  const ours = ["Aside proxy (H.264, 640 wide)", "Aside sound (WAV, 48 kHz)"];
  expect(await all()).toEqual([one, two, low, medium, sound, ...ours.map((name) => `${name}: false`)]);
  await presets.worked("/plugin/presets/aside-sound-wav.epr");
  await presets.worked(`${system}/4E49434B_48323634/01 - Match Source - Medium bitrate.epr`);
  await presets.worked("/plugin/presets/aside-sound-wav.epr");
  expect(await all()).toEqual([one, two, medium, `${ours[1]}: true`, low, sound, `${ours[0]}: false`]);
  // What cannot be read of what worked is none of it.
  disk.files.set("/data/presets-that-worked.json", utf8Bytes('[7, "/plugin/presets/aside-proxy-h264.epr"]'));
  expect((await all()).slice(2, 4)).toEqual([`${ours[0]}: true`, low]);
});
