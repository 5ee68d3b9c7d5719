import { expect, test } from "vitest";
import type { Editor } from "../../../src/host/editor.ts";
import type { Host, SequenceCopier } from "../../../src/host/host.ts";
import { PremiereHost } from "../../../src/host/premiere/premiere-host.ts";
import { InstantClock } from "../../fakes/instant-clock.ts";
import type { Faults } from "../../fakes/premiere/faults.ts";
import { MemoryWorld } from "../../fakes/premiere/memory-world.ts";
import type { PremiereDouble } from "../../fakes/premiere/premiere.ts";
import { SAMPLE_SEQUENCE_ID } from "../../fakes/premiere/sample-project.ts";
import { openSample } from "./open-premiere.ts";

const PROJECT = "project-sample";
const ID = SAMPLE_SEQUENCE_ID;
const FILE = "/aside/captions.srt";

function open(faults: Partial<Faults> = {}) {
  const world = new MemoryWorld();
  world.files.set(FILE, { size: 9, facts: null });
  const clock = new InstantClock();
  const premiere = openSample({}, { world, faults, now: () => clock.now() });
  const host = new PremiereHost({
    premiere: premiere.module,
    clock,
    files: world,
    presets: { list: async () => [] },
    newFile: async () => "/aside/export.mp4",
  });
  const controller = new AbortController();
  const names = () => [...premiere.machine.project(PROJECT).sequences.values()].map(({ name }) => name);
  const items = () => [...premiere.machine.project(PROJECT).items.values()].map(({ name }) => name);
  return { world, clock, premiere, host, controller, signal: controller.signal, names, items };
}

/** Puts members of its own into what is handed out, which Premiere's own does not have. */
function instead<Handle extends object>(handle: Handle, members: Readonly<Record<string, unknown>>): Handle {
  return new Proxy(handle, {
    get: (target, key) => (String(key) in members ? members[String(key)] : Reflect.get(target, key)),
  });
}

/** A Premiere whose projects have some members of their own. */
function withProject(
  { module }: PremiereDouble,
  members: (project: object) => Readonly<Record<string, unknown>>,
): void {
  const { getProject } = module.Project;
  Object.defineProperty(module.Project, "getProject", {
    value: (guid: Parameters<typeof getProject>[0]) => instead(getProject(guid), members(getProject(guid))),
  });
}

const QUESTIONS: readonly (readonly [string, (host: Editor & Host & SequenceCopier) => Promise<unknown>])[] = [
  ["read the sequence", (host) => host.readSequence()],
  ["read the timeline", (host) => host.readTimeline()],
  ["read the volumes", (host) => host.readLevels(ID)],
  ["move the playhead", (host) => host.movePlayhead(ID, 1)],
  ["read the playhead", (host) => host.playhead(ID)],
  ["put the in and out point back", (host) => host.restoreRange()],
  ["read the notes of the sequence", (host) => host.readNote(ID, "record")],
  ["read the transcripts", (host) => host.transcribedCaptions(0)],
  ["read the project", (host) => host.projectFolder()],
  ["open the sequence", (host) => host.openSequence(ID)],
  [
    "keep a note with the sequence",
    (host) => host.writeNote(ID, { name: "a", text: "b", label: "Keep" }, new AbortController().signal),
  ],
  [
    "write the sequence for other programs",
    (host) => host.convert({ form: "aaf", path: "/out/a.aaf" }, new AbortController().signal),
  ],
];

test.each(QUESTIONS)(
  "could not %s: where Premiere raises, nothing was changed, and the question is named",
  async (operation, ask) => {
    const { premiere, host } = open();
    const cause = new Error("native failure");
    Object.defineProperty(premiere.module.Project, "getActiveProject", { value: () => Promise.reject(cause) });
    await expect(ask(host)).rejects.toMatchObject({
      name: "HostError",
      code: "host_failed",
      operation,
      state: "nothing was changed",
      message: expect.stringMatching(
        `^Premiere could not ${operation}: Project.getActiveProject raised "native failure"\\.$`,
      ),
      tried: ['Project.getActiveProject raised "native failure"'],
      cause,
    });
    expect(premiere.machine.undoStack).toEqual([]);
  },
);

const CHANGES: readonly (readonly [
  string,
  string,
  (host: Editor & Host & SequenceCopier, signal: AbortSignal) => Promise<unknown>,
])[] = [
  [
    "copy the sequence",
    "the sequence was not changed",
    (host, signal) => host.copySequence({ sequenceId: ID, name: "Copy" }, { signal }),
  ],
  ["import a file", "the timeline was not changed", (host, signal) => host.importFile(FILE, signal)],
];

/** Whether Premiere does what it is asked, or raises at the first question. */
function failingOf(operation: string) {
  const failing = open({ transaction: { at: 1, how: "throws" } });
  // A transaction that fails costs an import nothing but its bin.
  if (operation === "import a file") withProject(failing.premiere, () => ({ importFiles: async () => false }));
  return failing;
}

test.each(CHANGES)(
  "could not %s: what Premiere raises is told with how things are left; the reason of an abort is told as it is",
  async (operation, state, change) => {
    const failing = failingOf(operation);
    const before = failing.premiere.machine.project(PROJECT);
    await expect(change(failing.host, failing.signal)).rejects.toMatchObject({
      code: "apply_failed",
      operation: operation === "import a file" ? "import the narration" : operation,
      state,
    });
    expect(failing.premiere.machine.project(PROJECT)).toBe(before);
    const stopped = open();
    const reason = new Error("stopped");
    await expect(change(stopped.host, AbortSignal.abort(reason))).rejects.toBe(reason);
    expect(stopped.names()).toEqual(["Harbour_v7"]);
    // Called off while it is under way.
    const between = open({ transaction: { at: 1, how: "throws" } });
    const { getActiveProject } = between.premiere.module.Project;
    Object.defineProperty(between.premiere.module.Project, "getActiveProject", {
      value: () => {
        between.controller.abort(reason);
        return getActiveProject();
      },
    });
    await expect(change(between.host, between.signal)).rejects.toBe(reason);
  },
);

test("a copy that cannot be removed for what Premiere raises is still there, and that is said", async () => {
  const { premiere, host, signal } = open();
  const asLeft = await host.readTimeline();
  const { id } = await host.copySequence({ sequenceId: ID, name: "Copy" }, { signal });
  Object.defineProperty(premiere.module.Project, "getActiveProject", {
    value: () => Promise.reject(new Error("native failure")),
  });
  await expect(host.removeSequence(id, { asLeft, opensInstead: ID })).rejects.toMatchObject({
    code: "apply_failed",
    operation: "remove the copy",
    state: "the copy is still there",
  });
});

test("a deletion that raises is told with what it raised, while the sequence is there; gone is gone", async () => {
  for (const isGone of [false, true]) {
    const { premiere, host, signal, names } = open();
    const asLeft = await host.readTimeline();
    const { id } = await host.copySequence({ sequenceId: ID, name: "Copy" }, { signal });
    const cause = new Error("native failure");
    const { getProject } = premiere.module.Project;
    withProject(premiere, (project) => ({
      deleteSequence: async (sequence: unknown) => {
        if (isGone) await (project as ReturnType<typeof getProject>).deleteSequence(sequence as never);
        throw cause;
      },
    }));
    const removal = host.removeSequence(id, { asLeft, opensInstead: ID });
    if (isGone) expect(await removal).toBe(true);
    else {
      await expect(removal).rejects.toMatchObject({
        code: "apply_failed",
        operation: "remove the copy",
        state: '"Copy" is still in the project',
        cause,
      });
    }
    expect(names()).toEqual(isGone ? ["Harbour_v7"] : ["Harbour_v7", "Copy"]);
  }
});

test("each copy has the name that is asked for, or the next number of it that is free", async () => {
  const { host, signal, names } = open();
  for (let copy = 0; copy < 3; copy++) await host.copySequence({ sequenceId: ID, name: "v1.2" }, { signal });
  expect(names()).toEqual(["Harbour_v7", "v1·2", "v1·2 2", "v1·2 3"]);
});

test("a copy that Premiere does not make is waited for, and missed; one that it does not name is a copy", async () => {
  const missing = open({ droppedAction: 1 });
  const copied = missing.host.copySequence({ sequenceId: ID, name: "Copy" }, { signal: missing.signal });
  await expect(copied).rejects.toMatchObject({
    code: "apply_failed",
    operation: "copy the sequence",
    state: "the sequence was not changed",
    message: expect.stringContaining("Premiere made no copy"),
  });
  expect(missing.clock.now()).toBe(15_000);
  expect(missing.names()).toEqual(["Harbour_v7"]);
  const unnamed = open({ transaction: { at: 2, how: "returns false" } });
  const info = await unnamed.host.copySequence({ sequenceId: ID, name: "Other" }, { signal: unnamed.signal });
  expect(info.id).not.toBe(ID);
  expect(info.name).not.toBe("Other");
  expect(await unnamed.host.readSequence()).toEqual(info);
});

test("a sequence that Premiere does not open is named; one that is open already is not opened again", async () => {
  const { premiere, host } = open();
  const copyId = premiere.user.duplicateSequence(ID);
  let asked = 0;
  withProject(premiere, () => ({
    setActiveSequence: async () => {
      asked += 1;
      return true;
    },
  }));
  expect((await host.openSequence(copyId)).id).toBe(copyId);
  expect(asked).toBe(0);
  await expect(host.openSequence(ID)).rejects.toMatchObject({
    code: "apply_failed",
    operation: "open the sequence",
    state: "nothing was changed",
    message: 'Premiere did not open "Harbour_v7". Open it in the project panel, then continue.',
  });
  expect(asked).toBe(1);
  premiere.user.activateSequence(null);
  await expect(host.openSequence(ID)).rejects.toMatchObject({ code: "apply_failed" });
});

test("a playhead that Premiere does not move is told", async () => {
  const { premiere, host } = open();
  withProject(premiere, (project) => ({
    getSequence: (guid: never) =>
      instead((project as ReturnType<typeof premiere.module.Project.getProject>).getSequence(guid), {
        setPlayerPosition: async () => false,
      }),
  }));
  await expect(host.movePlayhead(ID, 1)).rejects.toMatchObject({
    code: "host_failed",
    operation: "move the playhead",
    state: "nothing was changed",
    message: expect.stringContaining("did not move the playhead"),
  });
});

test("a project or a sequence that is gone is told apart, whatever is asked of it", async () => {
  const { premiere, host } = open();
  for (const ask of [() => host.playhead("gone"), () => host.readLevels("gone"), () => host.readNote("gone", "a")]) {
    await expect(ask()).rejects.toMatchObject({
      code: "no_sequence",
      operation: "read the sequence",
      state: "nothing was changed",
      message: expect.stringContaining("no longer in the project"),
    });
  }
  Object.defineProperty(premiere.module.Project, "getProject", { value: () => null });
  // While it is the active one, it is found all the same.
  expect(await host.playhead(ID)).toBe(0);
  const { getActiveProject } = premiere.module.Project;
  let asked = 0;
  Object.defineProperty(premiere.module.Project, "getActiveProject", {
    value: async () => (++asked === 1 ? getActiveProject() : null),
  });
  await expect(host.playhead(ID)).rejects.toMatchObject({
    code: "no_sequence",
    message: expect.stringContaining("was closed"),
  });
});

test("a file is imported into our bin, each time anew; one that is not taken, or never shows, is told", async () => {
  const { premiere, clock, host, signal, items } = open({ importDelay: 9 });
  const before = items();
  await host.importFile(FILE, signal);
  await host.importFile(FILE, signal);
  expect(items()).toEqual([...before, "Aside", "captions.srt", "captions.srt"]);
  const bin = [...premiere.machine.project(PROJECT).items.values()].find(({ name }) => name === "Aside");
  const parents = [...premiere.machine.project(PROJECT).items.values()].filter(({ name }) => name === "captions.srt");
  expect(parents.map(({ parentId }) => parentId)).toEqual([bin?.id, bin?.id]);
  expect(clock.now()).toBeLessThan(15_000);
  premiere.faults.importDelay = Number.POSITIVE_INFINITY;
  const failure = { code: "apply_failed", operation: "import the narration", state: "the timeline was not changed" };
  const from = clock.now();
  await expect(host.importFile(FILE, signal)).rejects.toMatchObject({
    ...failure,
    message: expect.stringMatching(/^The file does not show in the project\./),
  });
  // The first way is waited for longest; four others follow it.
  expect(clock.now() - from).toBe(15_000 + 4 * 5000);
  withProject(premiere, () => ({ importFiles: async () => false }));
  await expect(host.importFile(FILE, signal)).rejects.toMatchObject({
    ...failure,
    message: expect.stringMatching(/^The file does not show in the project\./),
    tried: ["paths, true, bin", "paths, true, bin, false", "paths, true", "paths, true, null, false", "paths"].map(
      (way) => `Project.importFiles(${way}) answered false`,
    ),
  });
});

test("a bin that Premiere does not add is waited for, and done without; only a bin at the top of the project is ours", async () => {
  const missing = open({ droppedAction: 1 });
  await missing.host.importFile(FILE, missing.signal);
  expect(missing.clock.now()).toBe(15_000);
  const atTop = [...missing.premiere.machine.project(PROJECT).items.values()].find(
    ({ name }) => name === "captions.srt",
  );
  expect(atTop?.parentId).toBe("item-root");
  for (const wrongCast of ["null", "throws"] as const) {
    const { premiere, host, signal } = open({ wrongCast });
    premiere.machine.edit(PROJECT, "Add", (draft) => {
      const bin = { kind: "bin", name: "Aside" } as const;
      const media = draft.items.get("item-media");
      if (media?.kind !== "clip") throw new Error("the sample holds media");
      const items = new Map(draft.items)
        .set("item-clip", { ...media, id: "item-clip", name: "Aside" })
        .set("item-other", { ...bin, id: "item-other", name: "Other", parentId: "item-root" })
        .set("item-deep", { ...bin, id: "item-deep", parentId: "item-other" });
      return { ...draft, items };
    });
    await host.importFile(FILE, signal);
    const all = [...premiere.machine.project(PROJECT).items.values()];
    const made = all.find((item) => item.kind === "bin" && item.name === "Aside" && item.parentId === "item-root");
    expect(all.find(({ name }) => name === "captions.srt")?.parentId).toBe(made?.id);
  }
});

test("what Premiere says of the disk and of Media Encoder is passed on", async () => {
  expect(await open({ encoder: "works" }).host.hasEncoder()).toBe(true);
  expect(await open().host.hasEncoder()).toBe(false);
  expect(await open().host.projectFolder()).toBe("/projects");
});
