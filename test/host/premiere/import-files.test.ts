import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { Learnt } from "../../../src/host/learnt.ts";
import { PremiereHost } from "../../../src/host/premiere/premiere-host.ts";
import { callLines, traced } from "../../../src/host/premiere/traced-premiere.ts";
import { InstantClock } from "../../fakes/instant-clock.ts";
import type { Faults } from "../../fakes/premiere/faults.ts";
import { MemoryWorld } from "../../fakes/premiere/memory-world.ts";
import { otherwise } from "../../fakes/premiere/otherwise.ts";
import { SAMPLE_SEQUENCE_ID } from "../../fakes/premiere/sample-project.ts";
import { openSample } from "./open-premiere.ts";

const { signal } = new AbortController();

/** How long a limit really lasts here, in milliseconds. */
const LIMIT_MS = 400;

const DOCUMENT = "/Users/editor/Documents/narration/captions.srt";

function open(faults: Partial<Faults>, { limitMs, abort = signal }: { limitMs?: number; abort?: AbortSignal } = {}) {
  const world = new MemoryWorld();
  const paths = [DOCUMENT, "/aside/a.srt", "/aside/b.srt"];
  for (const path of paths) world.files.set(path, { size: 9, facts: null });
  const clock = new InstantClock();
  const premiere = openSample({}, { world, faults, now: () => clock.now() });
  const learnt = new Learnt();
  // Longer than any answer that comes, on a busy computer too: a clock that jumps would overtake those.
  const limitClock = { sleep: (_: number, ended?: AbortSignal) => sleep(LIMIT_MS, undefined, { signal: ended }) };
  const limit = limitMs === undefined ? {} : { limit: { clock: limitClock, milliseconds: limitMs } };
  const module = traced(otherwise(premiere.module, premiere.machine), { learnt, ...limit });
  const copied: string[] = [];
  const copyFile = async (path: string) => {
    copied.push(path);
    const copy = path.replace(/^.*Documents/, "/plugin-data/narration");
    world.files.set(copy, world.files.get(path) ?? { size: 9, facts: null });
    return copy;
  };
  const presets = { list: async () => [] };
  const host = new PremiereHost({
    premiere: module,
    clock,
    files: world,
    presets,
    learnt,
    copyFile,
    newFile: async () => "",
  });
  const items = () =>
    [...premiere.machine.project("project-sample").items.values()].flatMap((item) =>
      item.kind === "clip" && item.name.endsWith(".srt") ? [item] : [],
    );
  const asked = () => Number(/importFiles (\d+)\//.exec(callLines(module).join("\n"))?.[1] ?? 0);
  return { host, world, learnt, items, asked, copied, importOne: (path: string) => host.importFile(path, abort) };
}

test.each([
  ["four arguments", "paths, true, bin, false"],
  ["three arguments", "paths, true, bin"],
  ["without a bin", "paths, true"],
  ["null for the bin", "paths, true, null, false"],
  ["paths alone", "paths"],
] as const)(
  "where Premiere imports only with %s, that is found, and asked for first from then on",
  async (importForm, way) => {
    const { learnt, items, asked, importOne } = open({ importForm });
    await importOne("/aside/a.srt");
    expect(learnt.recall("import")).toBe(way);
    const first = asked();
    await importOne("/aside/b.srt");
    expect(asked() - first).toBe(1);
    expect(items().map(({ name }) => name)).toEqual(["a.srt", "b.srt"]);
  },
);

test("where nothing is imported from below Documents, a copy in a folder of the panel's own is, the next time at once", async () => {
  const { learnt, items, asked, copied, importOne } = open({ importsFrom: "not below Documents" });
  await importOne(DOCUMENT);
  expect(items()).toHaveLength(1);
  expect(learnt.recall("import")).toMatch(/^a copy/);
  const first = asked();
  await importOne(DOCUMENT);
  expect([asked() - first, copied]).toEqual([1, [DOCUMENT, DOCUMENT]]);
});

test("narration that was imported as a copy is not imported again when it is placed elsewhere", async () => {
  const { host, world, learnt, asked } = open({ importsFrom: "not below Documents" });
  const path = "/Users/editor/Documents/narration/aside-cue-0001.wav";
  world.addSound(path, 2);
  const clipName = "aside-cue-0001.wav";
  const place = (start: number) => {
    const removed = start === 1 ? [] : [{ kind: "remove-audio", clipNames: [clipName] } as const];
    const placed = { kind: "place-audio", path, clipName, start, durationSeconds: 2 } as const;
    const groups = [{ label: "Place narration", steps: [...removed, placed] }];
    return host.apply({ sequenceId: SAMPLE_SEQUENCE_ID, groups }, { signal });
  };
  expect((await place(1)).outcome).toBe("done");
  expect(learnt.recall("import")).toMatch(/^a copy/);
  const first = asked();
  expect((await place(8)).outcome).toBe("done");
  expect(asked()).toBe(first);
});

test.each([
  ["anywhere", "/aside"],
  ["not below Documents", "/Users/editor/Documents"],
] as const)("all files of a plan are asked for in one call, from %s", async (importsFrom, folder) => {
  const { host, world, asked, copied } = open({ importsFrom });
  const plan = (first: number) => {
    const steps = [first, first + 1].map((number) => {
      const clipName = `aside-${number}.wav`;
      const path = `${folder}/${clipName}`;
      world.addSound(path, 1);
      return { kind: "place-audio", path, clipName, start: 2 * number, durationSeconds: 1 } as const;
    });
    return { sequenceId: SAMPLE_SEQUENCE_ID, groups: [{ label: "Place narration", steps }] };
  };
  expect(await host.apply(plan(1), { signal })).toMatchObject({ outcome: "done" });
  // The way is known by now.
  const [before, were] = [asked(), copied.length];
  expect(await host.apply(plan(3), { signal })).toMatchObject({ outcome: "done" });
  expect([asked() - before, copied.length - were]).toEqual([1, importsFrom === "anywhere" ? 0 : 2]);
});

test("where no way works, every way stands in what was tried", async () => {
  const { importOne, items, learnt } = open({ importForm: "none" });
  const failure = await importOne("/aside/a.srt").catch((error: unknown) => error);
  expect(failure).toMatchObject({ code: "apply_failed", message: expect.stringContaining("Import it by hand") });
  expect(failure).toMatchObject({
    tried: expect.arrayContaining(["Project.importFiles(a copy: paths, true, bin) answered false"]),
  });
  expect((failure as { tried: readonly string[] }).tried).toHaveLength(7);
  expect([items(), learnt.recall("import")]).toEqual([[], undefined]);
});

test("an import that never answers is called off, or given up in its time; what it imported all the same counts", async () => {
  const controller = new AbortController();
  const hanging = open({ members: { "Project.importFiles": "never" } }, { abort: controller.signal });
  const importing = hanging.importOne("/aside/a.srt");
  setTimeout(() => controller.abort(new Error("stopped")), 20);
  await expect(importing).rejects.toThrow("stopped");
  const silent = open({ members: { "Project.importFiles": "never" } }, { limitMs: 120_000 });
  await expect(silent.importOne("/aside/a.srt")).rejects.toMatchObject({
    tried: expect.arrayContaining([
      "Project.importFiles(paths, true, bin) showed nothing in 15 s",
      "Project.importFiles(paths, true, bin, false) showed nothing in 5 s",
    ]),
  });
});
