import { existsSync } from "node:fs";
import { mkdir, readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { COMPANION } from "../../../../src/cli/commands/companion/companion.ts";
import { readPairingFile, writePairingFile } from "../../../../src/cli/commands/companion/page-opener.ts";
import type { CommandContext } from "../../../../src/cli/shell/command.ts";
import type { RunningService, ServiceOptions } from "../../../../src/service/main.ts";
import { ServiceStartError } from "../../../../src/service/storage/database.ts";
import { VERSION } from "../../../../src/service/version.ts";
import { temporaryFolder } from "../../../temporary-folder.ts";

// A companion in this process: its service is one that answers the browser's door alone, and no system is told anything.

describe.skipIf(process.platform !== "linux")("a companion", () => {
  let home = "";
  beforeEach(async () => {
    home = await temporaryFolder();
    vi.stubEnv("HOME", home);
    await mkdir(join(home, ".local/share/aside"), { recursive: true });
  });
  afterEach(() => {
    vi.restoreAllMocks();
    vi.useRealTimers();
    vi.unstubAllEnvs();
  });

  /** What answers as a service does: that it lives, and with a link to its page. */
  async function door(status = 200) {
    const keys: unknown[] = [];
    const server = createServer((request, reply) => {
      if (request.method === "POST") keys.push(request.headers["x-api-key"]);
      reply.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify({ token: "one-time" }));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, keys };
  }

  /** Runs the command; `started` are the ports that a service was started on, `opened` the texts that a browser was shown. */
  async function companion(
    values: Record<string, string | true>,
    startService: (options: ServiceOptions) => Promise<string> = async () => {
      throw new Error("nothing is started");
    },
  ) {
    const controller = new AbortController();
    const [printed, opened, started, ended]: [string[], string[], unknown[], string[]] = [[], [], [], []];
    const shown = Promise.withResolvers<void>();
    const context = {
      env: { HOME: home },
      output: { print: (line: string) => void printed.push(line), tell: () => undefined },
      signal: controller.signal,
      startService: async (options: ServiceOptions) => {
        started.push(options.port);
        const url = await startService(options);
        const close = async () => void ended.push(url);
        return { url, channel: "/none", processKey: async () => "key", close } as unknown as RunningService;
      },
      openFile: async (path: string) => {
        opened.push(await readFile(path, "utf8"));
        shown.resolve();
      },
    } as unknown as CommandContext;
    const done = COMPANION.run({ values, positionals: [] }, context);
    done.catch(() => undefined);
    return { controller, printed, opened, started, ended, done, shown: shown.promise };
  }
  const pairing = (address: string, more: object = {}) => ({
    address,
    key: "k",
    version: "1",
    pid: process.pid,
    ...more,
  });

  test("is found by the panel and shown in the browser while it runs, and leaves nothing of it", async () => {
    const { url, keys } = await door();
    const run = await companion({}, async () => url);
    await run.shown;
    expect(await readPairingFile()).toMatchObject({ address: url, key: "key", pid: process.pid, channel: "/none" });
    expect(run.opened[0]).toContain(`content="0; url=${url}/home#one-time"`);
    expect([keys, run.printed]).toEqual([["key"], [`aside ${VERSION} runs on ${url}; the panel finds it by itself.`]]);
    run.controller.abort();
    expect(await run.done).toBe(0);
    expect([run.ended, await readPairingFile(), existsSync(join(home, "aside-page.html"))]).toEqual([
      [url],
      null,
      false,
    ]);
  });

  test("is asked to end by another process, and opens no page where none is wanted", async () => {
    const { url } = await door();
    let stop = () => {};
    const run = await companion({ "no-page": true }, async ({ onStop = stop }) => {
      stop = onStop;
      return url;
    });
    await vi.waitFor(() => expect(run.printed).toHaveLength(1));
    stop();
    expect(await run.done).toBe(0);
    expect([run.opened, run.ended]).toEqual([[], [url]]);
  });

  test("joins the one that runs; one that does not answer any more is none", async () => {
    const { url } = await door();
    await writePairingFile(pairing(url));
    const second = await companion({});
    expect(await second.done).toBe(0);
    expect(second.printed).toEqual([`aside 1 runs already, on ${url}.`]);
    expect([second.opened[0]?.includes("#one-time"), second.started]).toEqual([true, []]);
    expect((await companion({ "no-page": true })).opened).toEqual([]);
    await writePairingFile(pairing("http://127.0.0.1:9"));
    const third = await companion({}, async () => url);
    await third.shown;
    third.controller.abort();
    expect(await third.done).toBe(0);
  });

  test("listens on a free port where its own is taken, and does not start for another reason", async () => {
    const { url } = await door();
    const taken = await companion({}, async ({ port }) => {
      if (port !== 0) throw new ServiceStartError("address_unusable", "taken");
      return url;
    });
    await taken.shown;
    taken.controller.abort();
    await taken.done;
    expect(taken.started).toEqual([8420, 0]);
    const why = "The data folder is in use by process 7. Stop that service.";
    const refused = await companion({ launcher: "/opt/aside.sh" }, async () => {
      throw new ServiceStartError("data_folder_in_use", why);
    });
    await expect(refused.done).rejects.toThrow(why);
    expect(refused.started).toEqual([8420]);
    expect(refused.opened[0]).toContain(`<p>${why}</p>`);
    const failed = await companion({}, async () => {
      throw new Error("no");
    });
    await expect(failed.done).rejects.toThrow("no");
    // What happened, and what to do about it.
    expect(failed.opened[0]?.match(/<p>/g)).toHaveLength(3);
    expect(await readPairingFile()).toBeNull();
  });

  test("says how its page is reached where it cannot be shown", async () => {
    const { url } = await door(500);
    await writePairingFile(pairing(url));
    const unwell = await companion({}, async () => url);
    await vi.waitFor(() => expect(unwell.printed.at(-1)).toMatch(/^The page could not be opened\..* page$/));
    unwell.controller.abort();
    expect(await unwell.done).toBe(0);
    expect(unwell.opened).toEqual([]);
  });

  describe("that is told to end", () => {
    /** A process that lives as long as is said, and the signals that it got. */
    function living(isAlive: (looked: number) => boolean) {
      const signals: unknown[] = [];
      let looked = 0;
      vi.spyOn(process, "kill").mockImplementation((_pid, signal) => {
        if (signal !== 0) signals.push(signal);
        else if (!isAlive(looked++)) throw new Error("ESRCH");
        return true;
      });
      return signals;
    }

    test("is sent a signal where it takes no request, and waited for, however long ago this process began", async () => {
      const { url } = await door();
      await writePairingFile(pairing(url, { pid: 7 }));
      vi.useFakeTimers({ toFake: ["performance"] });
      vi.advanceTimersByTime(60_000);
      const signals = living((looked) => looked < 3);
      const { done, printed } = await companion({ quit: true });
      expect([await done, printed, signals]).toEqual([0, ["Ended."], ["SIGTERM"]]);
    });

    test("and does not is said, with its process", async () => {
      const { url } = await door();
      await writePairingFile(pairing(url, { pid: 7 }));
      vi.useFakeTimers({ toFake: ["performance"] });
      living((looked) => {
        vi.advanceTimersByTime(looked < 2 ? 6_000 : 1_000);
        return true;
      });
      const { done, printed } = await companion({ quit: true });
      await expect(done).rejects.toMatchObject({
        code: "data_folder_in_use",
        message: expect.stringContaining("its process 7 still runs"),
      });
      expect(printed).toEqual([]);
    });

    test("is not there, which is said too, and all else of it goes that is to go", async () => {
      const signals = living(() => false);
      const { done, printed } = await companion({ quit: true });
      expect([await done, printed, signals]).toEqual([0, ["Nothing runs."], []]);
      const removed = await companion({ remove: true });
      expect(await removed.done).toBe(0);
      expect(removed.printed.slice(0, 2)).toEqual([
        "Nothing runs.",
        "Aside no longer starts at log-in or by its address.",
      ]);
    });
  });
});
