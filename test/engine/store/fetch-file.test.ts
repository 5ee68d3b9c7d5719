import fs from "node:fs";
import { type FileHandle, readdir, readFile, writeFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import type { Source } from "../../../src/engine/store/catalog-row.ts";
import {
  type FetchLimits,
  type FetchOptions,
  fetchFile,
  listedSum,
  MODELS_MIRROR,
  removePart,
} from "../../../src/engine/store/fetch-file.ts";
import { diskJournal } from "../../fakes/disk-journal.ts";
import { passedPauses } from "../../fakes/passed-pauses.ts";
import { replaceCalls } from "../../fakes/replaced-calls.ts";
import { turns } from "../../fakes/set-clock.ts";
import { temporaryFolder } from "../../temporary-folder.ts";
import { sha256 } from "./archives.ts";

const WHOLE = "0123456789";
const LIMITS: FetchLimits = { stallMs: 30_000, pauseMs: 5 };

let part: string;
/** Answers of the mirror, in order; the last one goes on. */
let answers: ((reply: ServerResponse, request: IncomingMessage) => void)[];
/** The ranges that were asked for, and when, in milliseconds. */
let asked: { readonly range: string | undefined; readonly at: number }[];
/** How many answers were broken off by whom they were for. */
let brokenOff: number;
let mirror: string;
let close: () => Promise<void>;
beforeEach(async () => {
  part = join(await temporaryFolder(), "model.part");
  [answers, asked, brokenOff] = [[], [], 0];
  const server = createServer((request, reply) => {
    asked.push({ range: request.headers.range, at: performance.now() });
    reply.on("close", () => {
      if (!reply.writableFinished) brokenOff += 1;
    });
    (answers.length > 1 ? answers.shift() : answers[0])?.(reply, request);
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  mirror = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  close = async () => {
    server.closeAllConnections();
    await new Promise((closed) => server.close(closed));
  };
});
afterEach(() => close());

const source = (change: Partial<Source> = {}): Source => ({
  ...{ url: "https://hub.example/model.gguf", bytes: WHOLE.length, sha256: sha256(WHOLE), into: "m" },
  ...change,
});
const fetched = (from: Source = source(), limits: FetchLimits | null = LIMITS, more: Partial<FetchOptions> = {}) =>
  fetchFile(from, part, {
    environment: { [MODELS_MIRROR]: mirror },
    signal: new AbortController().signal,
    ...(limits === null ? {} : { limits }),
    onBytes: () => undefined,
    ...more,
  });
const answer =
  (status: number, headers: Readonly<Record<string, string>>, body = "") =>
  (reply: ServerResponse) =>
    void reply.writeHead(status, headers).end(body);
const whole = answer(200, { etag: '"one"' }, WHOLE);
/** An answer that goes on without an end. */
const endless = (status: number, headers: Readonly<Record<string, string>>) => (reply: ServerResponse) => {
  reply.writeHead(status, headers);
  const write = () => {
    if (!reply.destroyed) reply.write("x".repeat(1000), () => setTimeout(write, 1));
  };
  write();
};

describe("a file that is fetched", () => {
  test("is tried five times, and each pause is twice as long as the one before", async () => {
    // Whatever comes with a refusal is not waited for.
    answers = [endless(503, {})];
    await expect(fetched(source(), { ...LIMITS, pauseMs: 8 })).rejects.toMatchObject({ code: "model_unreachable" });
    expect(asked).toHaveLength(5);
    await expect.poll(() => brokenOff).toBe(5);
    const pauses = asked.slice(1).map(({ at }, index) => at - (asked[index]?.at ?? 0));
    for (const [index, least] of [8, 16, 32, 64].entries()) expect(pauses[index]).toBeGreaterThan(least - 2);
  });

  test("is tried again when the server says, and as often anew where each try brings something", async () => {
    answers = [answer(503, { "retry-after": "0.05" }), whole];
    expect(await fetched()).toBe(sha256(WHOLE));
    expect((asked[1]?.at ?? 0) - (asked[0]?.at ?? 0)).toBeGreaterThan(48);
    asked = [];
    await writeFile(part, "");
    // A letter at a time; once it is there, the line breaks.
    let line: ServerResponse | undefined;
    answers = Array.from(WHOLE, (letter, at) => (reply: ServerResponse) => {
      line = reply;
      const range = { "content-range": `bytes ${at}-9/10` };
      reply.writeHead(at === 0 ? 200 : 206, { etag: '"one"', "content-length": String(10 - at), ...range });
      reply.write(letter);
    });
    expect(await fetched(source(), LIMITS, { onBytes: () => line?.destroy() })).toBe(sha256(WHOLE));
    expect(asked.map(({ range }) => range)).toEqual(
      Array.from(WHOLE, (_, at) => (at === 0 ? undefined : `bytes=${at}-`)),
    );
  });

  test("is tried again after one second, two, four and eight where nothing else is said, and never later than in two minutes", async () => {
    const pauses = passedPauses();
    answers = [answer(503, {})];
    await expect(fetched(source(), null)).rejects.toMatchObject({ code: "model_unreachable" });
    expect(pauses).toEqual([1_000, 2_000, 4_000, 8_000]);
    answers = [answer(503, { "retry-after": "119" }), answer(503, { "retry-after": "121" }), whole];
    expect(await fetched()).toBe(sha256(WHOLE));
    expect(pauses.slice(4)).toEqual([119_000, 120_000]);
  });

  test("may be silent for a minute where nothing else is said", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    const stop = new AbortController();
    passedPauses(() => stop.abort(new Error("seen")));
    answers = [(reply) => void reply.writeHead(200, { etag: '"one"' }).write("0")];
    let came = 0;
    const onBytes = (bytes: number) => (came = bytes);
    const usual = fetched(source(), null, { signal: stop.signal, onBytes }).catch((error: unknown) => error);
    while (came === 0) await turns(1);
    vi.advanceTimersByTime(59_999);
    await turns();
    expect(brokenOff).toBe(0);
    vi.advanceTimersByTime(1);
    expect(await usual).toMatchObject({ message: "seen" });
    await expect.poll(() => brokenOff).toBe(1);
  });

  test("goes on behind many blocks, outlasts a power cut, and leaves nothing open", async () => {
    const large = Buffer.alloc(2_500_000, "weights of a model ");
    const { open } = fs.promises;
    const handles: FileHandle[] = [];
    const { lines } = diskJournal((path) => (path === part ? "part" : null));
    const journalled = fs.promises.open;
    const noted = async (...given: Parameters<typeof open>) => {
      const handle = await journalled(...given);
      handles.push(handle);
      return handle;
    };
    onTestFinished(replaceCalls(fs.promises, { open: noted }));
    await writeFile(part, large.subarray(0, 2_200_000));
    const rest = (reply: ServerResponse) =>
      void reply
        .writeHead(206, { "content-range": `bytes 2200000-2499999/${large.length}` })
        .end(large.subarray(2_200_000));
    answers = [rest];
    const from = source({ bytes: large.length, sha256: sha256(large) });
    expect(await fetched(from)).toBe(sha256(large));
    expect([asked.map(({ range }) => range), lines]).toEqual([["bytes=2200000-"], ["sync part"]]);
    answers = [answer(404, {})];
    await writeFile(part, "");
    await expect(fetched(from)).rejects.toMatchObject({ code: "model_unreachable" });
    // A handle that is closed has no number.
    expect(handles.map(({ fd }) => fd)).toEqual([-1, -1]);
  });

  test("is removed with what a server called it", async () => {
    answers = [whole];
    await fetched();
    expect(await readdir(join(part, ".."))).toEqual(["model.part", "model.part.json"]);
    await removePart(part);
    expect(await readdir(join(part, ".."))).toEqual([]);
  });

  test("goes on where it is, and begins anew where the server goes on elsewhere or has another", async () => {
    for (const [status, range, asks] of [
      [206, "bytes 3-9/10", 2],
      [416, "bytes */7", 2],
      [416, "bytes */4", 1],
    ] as const) {
      await writeFile(part, "0123");
      await writeFile(`${part}.json`, JSON.stringify({ mark: '"one"' }));
      [asked, answers] = [[], [answer(status, { "content-range": range }, "3456789"), whole]];
      // Its sum is not known, so that the server alone says where it ends.
      const sum = await fetched(source({ sha256: null }));
      expect([asked.length, asked[0]?.range, asked[1]?.range]).toEqual([asks, "bytes=4-", undefined]);
      expect([sum, await readFile(part, "utf8")]).toEqual(
        asks === 1 ? [sha256("0123"), "0123"] : [sha256(WHOLE), WHOLE],
      );
    }
  });

  test("is broken off where it is too long, or falls silent, and the server hears of it", async () => {
    answers = [endless(200, {})];
    await expect(fetched(source({ sha256: null }))).rejects.toMatchObject({ code: "model_wrong" });
    await expect.poll(() => brokenOff).toBe(1);
    answers = [(reply) => void reply.writeHead(200).flushHeaders()];
    await expect(fetched(source(), { stallMs: 30, pauseMs: 1 })).rejects.toThrow(/silent/);
    // On a busy computer a try may end before the server has heard of it.
    expect(asked.length).toBeGreaterThan(1);
    await expect.poll(() => asked.length - brokenOff).toBe(0);
  });

  test("is not silent as long as anything comes", async () => {
    answers = [
      (reply) => {
        reply.writeHead(200, { etag: '"one"' });
        for (const [at, letter] of Array.from(WHOLE).entries()) {
          setTimeout(() => (at === 9 ? reply.end(letter) : reply.write(letter)), 120 * at);
        }
      },
    ];
    // Ten letters take longer than the silence that is borne, and none of them does.
    expect(await fetched(source(), { stallMs: 800, pauseMs: 1 })).toBe(sha256(WHOLE));
    expect(asked).toHaveLength(1);
  });

  test("that is elsewhere is not fetched without encryption; where it would be is said, and what leads there is let go", async () => {
    for (const [location, where] of [
      ["/elsewhere/model.gguf", mirror],
      ["http://other.example/model.gguf", "http://other.example"],
      ["https://[", "something that is no address"],
    ] as const) {
      [answers, brokenOff] = [[endless(302, { location })], 0];
      await expect(fetched()).rejects.toMatchObject({
        code: "model_refused",
        message: expect.stringContaining(`leads to ${where}`),
      });
      await expect.poll(() => brokenOff).toBe(1);
    }
  });

  test("has its sum in a list that is read, and let go of where there is none", async () => {
    const listed = () =>
      listedSum(source({ checksums: "https://hub.example/sums.txt" }), {
        environment: { [MODELS_MIRROR]: mirror },
        signal: new AbortController().signal,
      });
    answers = [answer(200, {}, `${sha256(WHOLE)}  model.gguf\n`)];
    expect(await listed()).toBe(sha256(WHOLE));
    // At the end of the longest list that is read, and behind the end of one that is longer.
    const line = `${sha256(WHOLE)}  model.gguf\n`;
    answers = [answer(200, {}, `${"#".repeat(4_000_000 - line.length - 1)}\n${line}`)];
    expect(await listed()).toBe(sha256(WHOLE));
    answers = [answer(200, {}, line.padEnd(4_000_001, "#"))];
    await expect(listed()).rejects.toMatchObject({ code: "model_unreachable" });
    await turns();
    brokenOff = 0;
    answers = [endless(404, {})];
    await expect(listed()).rejects.toMatchObject({ code: "model_unreachable" });
    await expect.poll(() => brokenOff).toBe(1);
  });

  test("ends with its caller's own reason, in a pause too", async () => {
    const stop = new AbortController();
    answers = [
      (reply) => {
        reply.writeHead(503, { "retry-after": "60" }).end();
        setTimeout(() => stop.abort(new Error("Enough.")), 20);
      },
    ];
    await expect(fetched(source(), LIMITS, { signal: stop.signal })).rejects.toThrow("Enough.");
    expect(asked).toHaveLength(1);
  });
});
