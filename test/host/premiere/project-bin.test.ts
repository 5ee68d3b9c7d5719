import { expect, test } from "vitest";
import { SAFE_PACE } from "../../../src/host/premiere/pace.ts";
import { fetchBin, findBin, findItem, findOrMakeBin, removeItems } from "../../../src/host/premiere/project-bin.ts";
import { readSnapshot } from "../../../src/host/premiere/read-snapshot.ts";
import { type ApplyContext, Transactor } from "../../../src/host/premiere/transactor.ts";
import { InstantClock } from "../../fakes/instant-clock.ts";
import type { Faults } from "../../fakes/premiere/faults.ts";
import { SAMPLE_SEQUENCE_ID } from "../../fakes/premiere/sample-project.ts";
import { openSample } from "./open-premiere.ts";

const PROJECT = "project-sample";

/** A project whose bin of ours holds some clips, if there is one. */
async function open(clips: readonly string[] | null, faults: Partial<Faults> = {}) {
  const clock = new InstantClock(86_400_000);
  const { machine, module: premiere, faults: switched, user } = openSample({}, { faults, now: () => clock.now() });
  if (clips !== null) {
    machine.edit(PROJECT, "Prepare", (draft) => {
      const items = new Map(draft.items);
      const media = items.get("item-media");
      if (media?.kind !== "clip") throw new Error("the sample holds media");
      items.set("bin-aside", { kind: "bin", id: "bin-aside", name: "Aside", parentId: "item-root" });
      for (const id of clips) items.set(id, { ...media, id, name: id, parentId: "bin-aside" });
      return { ...draft, items };
    });
  }
  const reference = { projectId: PROJECT, sequenceId: SAMPLE_SEQUENCE_ID };
  const before = await readSnapshot(premiere, reference);
  const { signal } = new AbortController();
  const pace = SAFE_PACE;
  const transactor = new Transactor({ premiere, reference, clock, pace, signal });
  const context: ApplyContext = { premiere, before, clock, pace, signal, transactor };
  const inBin = () =>
    [...machine.project(PROJECT).items.values()].flatMap(({ id, parentId }) => (parentId === "bin-aside" ? [id] : []));
  return { context, clock, machine, faults: switched, user, inBin };
}

test("all that is new in our bin is removed, and all that was there before stays, whichever comes first", async () => {
  const clips = ["new 1", "old 1", "new 2", "old 2", "new 3"];
  const { context, inBin } = await open(clips);
  expect(await removeItems(context, "Clear", new Set(["old 1", "old 2"]))).toBe(0);
  expect(inBin()).toEqual(["old 1", "old 2"]);
  expect(await findBin(context)).toBe("bin-aside");
});

test("what cannot be removed of it is counted", async () => {
  for (const [droppedAction, left] of [
    [1, ["new 1"]],
    [2, ["new 2"]],
  ] as const) {
    const { context, faults, inBin } = await open(["old", "new 1", "new 2"]);
    faults.droppedAction = droppedAction;
    expect(await removeItems(context, "Clear", new Set(["old"]))).toBe(1);
    expect(inBin()).toEqual(["old", ...left]);
  }
});

test("a bin that was not there before goes with all that is in it; without one there is nothing to remove", async () => {
  const { context, inBin } = await open(["new 1", "new 2"]);
  expect(await removeItems(context, "Clear", null)).toBe(0);
  expect([inBin(), await findBin(context)]).toEqual([[], null]);
  expect(await removeItems(context, "Clear", null)).toBe(0);
  const kept = await open([]);
  kept.faults.droppedAction = 1;
  expect(await removeItems(kept.context, "Clear", null)).toBe(1);
});

test("our bin is found where it is there, made where it is not, and waited for as long as it does not show", async () => {
  const there = await open([]);
  expect(await findOrMakeBin(there.context)).toBe("bin-aside");
  const made = await open(null);
  const id = await findOrMakeBin(made.context);
  expect(await (await fetchBin(made.context, id)).name).toBe("Aside");
  const missing = await open(null, { droppedAction: 1 });
  const began = missing.clock.now();
  await expect(findOrMakeBin(missing.context)).rejects.toMatchObject({ code: "apply_failed" });
  expect(missing.clock.now() - began).toBe(15_000);
  await expect(fetchBin(missing.context, "bin-gone")).rejects.toThrow("was removed meanwhile");
});

test("an item is found wherever it lies in the project, and none where it is gone", async () => {
  const { context, machine } = await open(["first", "second"]);
  machine.edit(PROJECT, "Sort", (draft) => {
    const items = new Map(draft.items);
    for (const [id, parentId] of [
      ["bin-empty", "bin-aside"],
      ["bin-deep", "bin-aside"],
    ] as const) {
      items.set(id, { kind: "bin", id, name: id, parentId });
    }
    const second = items.get("second");
    if (second !== undefined) items.set("second", { ...second, parentId: "bin-deep" });
    return { ...draft, items };
  });
  for (const id of ["item-music", "first", "second", "bin-deep"]) {
    const item = await findItem(context.premiere, id);
    expect(await item?.getId()).toBe(id);
  }
  expect(await findItem(context.premiere, "gone")).toBeNull();
});
