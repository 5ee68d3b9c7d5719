import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import {
  callOf,
  isDoneAlready,
  type PreparedBatch,
  sourcesOf,
} from "../../../../src/cli/commands/batch/prepare-batch.ts";
import { runBatch } from "../../../../src/cli/commands/batch/run-batch.ts";
import type { DescribeCall } from "../../../../src/cli/commands/describe/describe-call.ts";
import { runIdOf } from "../../../../src/cli/commands/describe/describe-media.ts";
import { REPORT_FILE } from "../../../../src/cli/out-folder/out-folder.ts";
import type { DescribedSource } from "../../../../src/cli/source/described-source.ts";
import { temporaryFolder } from "../../../temporary-folder.ts";

const item = (out: string, options = {}) => ({ media: `${out}.mp4`, out, options });

test("a batch whose folder cannot be made begins nothing", async () => {
  const inTheWay = join(await temporaryFolder(), "file");
  await writeFile(inTheWay, "");
  const begun: number[] = [];
  const batch = {
    folder: join(inTheWay, "out"),
    items: [item("a"), item("b")],
    shared: {},
    earlier: new Map(),
    estimates: [],
    jobs: 2,
  } as unknown as PreparedBatch;
  const events = {
    progressOf: (index: number) => {
      begun.push(index);
      return { update: () => undefined, end: () => undefined };
    },
    onItem: () => undefined,
    onResult: () => undefined,
  };
  const surroundings = { env: {}, signal: new AbortController().signal };
  await expect(runBatch(batch, surroundings, events as never)).rejects.toThrow();
  expect(begun).toEqual([]);
});

test("an item is done already where an earlier run of the same made it, and its report is in its own folder still", async () => {
  const out = join(await temporaryFolder(), "a");
  await mkdir(out);
  const call = { out, settings: {}, track: "none" } as DescribeCall;
  const source = { fingerprint: async () => "film" } as DescribedSource;
  const done = { ...item("a"), state: "done", key: await runIdOf(call, source) } as never;
  expect(await isDoneAlready(call, source, done)).toBe(false);
  await writeFile(join(out, REPORT_FILE), "{}");
  expect(await isDoneAlready(call, source, done)).toBe(true);
  expect(await isDoneAlready(call, source, undefined)).toBe(false);
  const others = [{ state: "failed" }, { state: "waiting" }, { key: "of another film" }];
  for (const other of others)
    expect(await isDoneAlready(call, source, { ...(done as object), ...other } as never)).toBe(false);
});

test("an item is described into its own folder below the batch's, by its own settings over the shared ones", async () => {
  const items = [item("a/de-DE", { language: "de-DE" }), item("b", { voice: "Puck" })];
  const batch = { folder: "/batch", items, shared: { voice: "Kore", language: "en-GB" } } as unknown as PreparedBatch;
  const calls = await Promise.all(items.map((one) => callOf(batch, one, {})));
  expect(calls.map(({ out }) => out)).toEqual(["/batch/a/de-DE", "/batch/b"]);
  expect(calls.map(({ settings }) => [settings.language, settings.voice])).toEqual([
    ["de-DE", "Kore"],
    ["en-GB", "Puck"],
  ]);
});

test("an item waits for every earlier one whose results it takes, and for no later one", () => {
  const items = [
    item("a"),
    item("b"),
    item("c", { script: "/batch/a/cues.vtt", captions: "/batch/b/captions.vtt" }),
    { ...item("d", { script: "/batch/e/cues.vtt" }), timing: "/batch/c/cues.vtt" },
    item("e", { script: "/batch/../a/cues.vtt", captions: "/batch-2/a/x.vtt" }),
  ];
  const batch = { folder: "/batch", items } as unknown as PreparedBatch;
  expect(items.map((_, index) => sourcesOf(batch, index))).toEqual([[], [], [0, 1], [2], []]);
});

test("each text of a script takes the time of its place in the timing", async () => {
  const folder = await temporaryFolder();
  const [script, timing] = [join(folder, "de.txt"), join(folder, "en.vtt")];
  await writeFile(script, "Das ist A.\n\nDas ist B.\n");
  await writeFile(timing, "WEBVTT\n\nx\n00:01.000 --> 00:02.000\nA.\n\ny\n00:03.000 --> 00:04.000\nB.\n");
  const item = { media: join(folder, "film.mp4"), out: "a", timing, options: { script } };
  const batch = { folder, items: [item], shared: {} } as unknown as PreparedBatch;
  const { settings } = await callOf(batch, item, {});
  expect(settings.script).toMatch(
    /00:01\.000 --> [\d:]*00:02\.000\nDas ist A\.\n[\s\S]*00:03\.000 --> .*\nDas ist B\./,
  );
  await writeFile(script, "Das ist A.\n\nDas ist B.\n\nDas ist C.\n");
  await expect(callOf(batch, item, {})).rejects.toThrow('the script has 3 texts for the 2 descriptions of "en.vtt"');
});
