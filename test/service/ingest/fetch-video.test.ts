import { once } from "node:events";
import { readdir, readFile } from "node:fs/promises";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { configurationFrom, planOfTeam } from "../../../src/service/configuration.ts";
import { withFetchedVideo } from "../../../src/service/ingest/fetch-video.ts";
import { smallDisk } from "../../fakes/disk-room.ts";
import { SetClock } from "../../fakes/set-clock.ts";
import { temporaryFolder } from "../../temporary-folder.ts";
import { startWebHost, type WebHost } from "../web-host.ts";

let host: WebHost;
let incoming: string;
let clock: SetClock;
beforeAll(async () => {
  host = await startWebHost();
});
afterAll(() => host.close());
beforeEach(async () => {
  incoming = await temporaryFolder();
  clock = new SetClock();
});

const { signal: never } = new AbortController();
const LIMIT = 10;
const plan = planOfTeam(configurationFrom({ plans: { default: { maximum_file_bytes: LIMIT } } }, "/"), "any");

/** Fetches a path of the host, and gives what its file holds while it is used. */
function fetchFrom(path: string, signal = never): Promise<string> {
  const rules = { allowedNetworks: ["127.0.0.0/8"], ports: null, maximumRedirects: 5, idleSeconds: 60 };
  const parts = { rules, clock, timeLimitSeconds: 100, incoming };
  const address = { url: host.url + path, fileName: null, parameter: "source_url" };
  return withFetchedVideo(parts, plan, address, signal, async (file) => {
    const text = await readFile(file.path, "utf8");
    return `${file.fileName} ${file.sizeBytes} ${text}`;
  });
}

const sends = (path: string, body: string, headers: Record<string, string | number> = {}) =>
  host.pages.set(path, (_request, response) => void response.writeHead(200, headers).end(body));

describe("a video that is fetched", () => {
  test("is there while it is used, under the name of its address, and gone afterwards", async () => {
    sends("/films/a%20b.mp4", "0123456789", { "content-length": LIMIT });
    expect(await fetchFrom("/films/a%20b.mp4?token=x")).toBe("a%20b.mp4 10 0123456789");
    expect([await readdir(incoming), clock.sleeping]).toEqual([[], 0]);
  });

  test.each([
    ["is announced as larger", { "content-length": LIMIT + 1 }, "file_too_large"],
    ["turns out to be larger", {}, "file_too_large"],
  ])("is refused by one byte more than the plan allows, and nothing stays: %s", async (name, headers, code) => {
    sends(`/${name.length}`, "0123456789a", headers);
    await expect(fetchFrom(`/${name.length}`)).rejects.toMatchObject({ code });
    expect(await readdir(incoming)).toEqual([]);
  });

  test("is refused before it is fetched where the disk has no room for what is announced beside its reserve", async () => {
    sends("/film", "0123456789", { "content-length": LIMIT });
    const disk = smallDisk(256 * 2 ** 20);
    await expect(fetchFrom("/film")).rejects.toMatchObject({ code: "ENOSPC" });
    expect([await readdir(incoming), clock.sleeping]).toEqual([[], 0]);
    disk.free += 4_096;
    expect(await fetchFrom("/film")).toBe("film 10 0123456789");
  });

  test("that is refused is hung up on, however much its sender has left", async () => {
    const hungUp: Promise<unknown>[] = [];
    const large = (headers: Record<string, number>, body: string) => {
      host.pages.set("/endless", (_request, response) => {
        hungUp.push(once(response, "close"));
        response.writeHead(200, headers).write(body);
      });
      return fetchFrom("/endless");
    };
    await expect(large({}, "0123456789a")).rejects.toMatchObject({ code: "file_too_large" });
    await expect(large({ "content-length": LIMIT + 1 }, "0")).rejects.toMatchObject({ code: "file_too_large" });
    await Promise.all(hungUp);
    expect(hungUp).toHaveLength(2);
  });

  test("ends at its time limit, however steadily it comes, and says what to do; nothing stays", async () => {
    const asked = Promise.withResolvers<void>();
    host.pages.set("/drip", (_request, response) => {
      response.write("0");
      asked.resolve();
    });
    const fetched = fetchFrom("/drip");
    let isOver = false;
    const outcome = fetched
      .catch((error: unknown) => error)
      .finally(() => {
        isOver = true;
      });
    await asked.promise;
    await clock.pass(99_999);
    // It ends by what the network tells, which no clock of ours waits for: the limit still sleeps.
    expect([isOver, clock.sleeping]).toEqual([false, 1]);
    await clock.pass(1);
    expect(await outcome).toMatchObject({ code: "invalid_input", message: expect.stringMatching(/within 100 s/) });
    expect([await readdir(incoming), clock.sleeping]).toEqual([[], 0]);
  });

  test("that nobody waits for any more ends with that reason, as no fault of the address", async () => {
    const stop = new AbortController();
    host.pages.set("/left", (_request, response) => {
      response.write("0");
      stop.abort(new Error("the client is gone"));
    });
    await expect(fetchFrom("/left", stop.signal)).rejects.toThrow("the client is gone");
    expect(await readdir(incoming)).toEqual([]);
  });

  test("goes, though what it was fetched for fails", async () => {
    sends("/bad", "sound", {});
    const address = { url: `${host.url}/bad`, fileName: "x.mp4", parameter: "source_url" };
    const rules = { allowedNetworks: ["127.0.0.0/8"], ports: null, maximumRedirects: 5, idleSeconds: 60 };
    const parts = { rules, clock, timeLimitSeconds: 100, incoming };
    const used = withFetchedVideo(parts, plan, address, never, () => Promise.reject(new Error("no video")));
    await expect(used).rejects.toThrow("no video");
    expect(await readdir(incoming)).toEqual([]);
  });
});
