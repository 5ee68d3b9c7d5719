import { expect, test } from "vitest";
import { SourceMonitorPlayer } from "../../../src/host/premiere/project-bin.ts";
import type { Faults } from "../../fakes/premiere/faults.ts";
import { MemoryWorld } from "../../fakes/premiere/memory-world.ts";
import { openSample } from "./open-premiere.ts";

const HEARD = "/aside/listen-1.wav";

function open(faults: Partial<Faults> = {}) {
  const world = new MemoryWorld();
  world.addSound(HEARD, 2);
  const premiere = openSample({}, { world, faults });
  let now = 0;
  premiere.sourceMonitor.now = () => now;
  const sleeps: number[] = [];
  const sleep = async (milliseconds: number) => {
    sleeps.push(milliseconds);
    now += milliseconds;
  };
  const clock = { sleep };
  return { premiere, sleeps, player: new SourceMonitorPlayer(premiere.module, clock) };
}

test("a sound is heard, nothing is imported, and what was open before is shown where it stood", async () => {
  const { premiere, sleeps, player } = open();
  const items = premiere.machine.project("project-sample").items.size;
  const before = { projectId: "project-sample", itemId: "item-music" };
  premiere.sourceMonitor.open = before;
  premiere.sourceMonitor.position = 500n;
  expect(await player.play(HEARD)).toBe(true);
  expect(premiere.sourceMonitor.heard).toEqual([HEARD]);
  // As long as Premiere takes to open it, and no longer.
  expect(sleeps).toEqual([200]);
  // Handles that were taken before an edit are stale after it.
  premiere.user.deleteMarker("sequence-sample", "marker-of-the-editor");
  await player.stop();
  expect(premiere.sourceMonitor).toMatchObject({ open: before, position: 500n, isPlaying: false });
  expect(premiere.machine.project("project-sample").items.size).toBe(items);
});

test("where nothing was open, nothing is afterwards, and the file is let go", async () => {
  const { premiere, player } = open();
  await player.play(HEARD);
  expect(premiere.sourceMonitor.holds(HEARD)).toBe(true);
  await player.stop();
  expect(premiere.sourceMonitor.open).toBeNull();
});

test("a second sound takes the place of the first, and the editor's own comes back after both", async () => {
  const { premiere, player } = open();
  const before = { projectId: "project-sample", itemId: "item-music" };
  premiere.sourceMonitor.open = before;
  await player.play(HEARD);
  await player.play(HEARD);
  await player.stop();
  expect(premiere.sourceMonitor.open).toEqual(before);
});

test("a source monitor that refuses stays as it is", async () => {
  const { premiere, player } = open({ sourceMonitor: "refuses" });
  const before = { projectId: "project-sample", itemId: "item-music" };
  premiere.sourceMonitor.open = before;
  expect(await player.play(HEARD)).toBe(false);
  await player.stop();
  expect(premiere.sourceMonitor.open).toEqual(before);
});

test("before 26.3 nothing can be put back where it stood: it is shown all the same", async () => {
  const { premiere, player } = open({ version: "25.6" });
  const before = { projectId: "project-sample", itemId: "item-music" };
  premiere.sourceMonitor.open = before;
  premiere.sourceMonitor.position = 500n;
  expect(await player.play(HEARD)).toBe(true);
  await player.stop();
  expect(premiere.sourceMonitor).toMatchObject({ open: before, position: 0n });
});
