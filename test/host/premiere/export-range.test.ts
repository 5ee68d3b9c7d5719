import { describe, expect, onTestFinished, test } from "vitest";
import { exportSequence } from "../../../src/host/premiere/export-sequence.ts";
import { restoreRangePoints } from "../../../src/host/premiere/range-points.ts";
import { InstantClock } from "../../fakes/instant-clock.ts";
import type { Faults } from "../../fakes/premiere/faults.ts";
import { MemoryWorld } from "../../fakes/premiere/memory-world.ts";
import { SAMPLE_SEQUENCE_ID, type SampleOptions } from "../../fakes/premiere/sample-project.ts";
import { openSample } from "./open-premiere.ts";

const FRAME = 10_160_640_000n;
const STRETCH = { start: 10, end: 30 };

function open(faults: Partial<Faults> = {}, sample: SampleOptions = {}) {
  const world = new MemoryWorld();
  world.files.set("/plugin/proxy.epr", { size: 1, facts: null });
  const clock = new InstantClock();
  const premiere = openSample(sample, { world, faults });
  const controller = new AbortController();
  const preset = { name: "Aside proxy", path: "/plugin/proxy.epr", origin: "ours", isProven: false } as const;
  // An export that a test leaves behind would look for its file for ever.
  onTestFinished(() => controller.abort(new Error("the test is over")));
  const sequence = () => premiere.machine.sequence("project-sample", SAMPLE_SEQUENCE_ID);
  return {
    world,
    premiere,
    controller,
    sequence,
    /** In and out in frames, and whether a note of them is left. */
    left() {
      const { inPoint, outPoint, properties } = sequence();
      const frames = [inPoint, outPoint].map((point) => (point === null ? null : Number(point / FRAME)));
      return [...frames, properties.size];
    },
    run: () =>
      exportSequence(
        {
          premiere: premiere.module,
          clock,
          files: world,
          presets: { list: async () => [preset] },
          newFile: async (extension) => `/aside/export-1.${extension}`,
        },
        { range: STRETCH },
        { signal: controller.signal },
      ),
    /** What a panel does that is opened again. */
    restore: () =>
      restoreRangePoints({
        premiere: premiere.module,
        reference: { projectId: "project-sample", sequenceId: SAMPLE_SEQUENCE_ID },
        clock,
      }),
  };
}

/** An export of which nobody hears any more. */
const leave = (exporting: Promise<unknown>) => void exporting.catch(() => undefined);

/** Has a render go on until it is told to end, as one does while the panel closes. */
function held(world: MemoryWorld) {
  const begun = Promise.withResolvers<void>();
  const end = Promise.withResolvers<void>();
  Object.assign(world, {
    render: () => {
      begun.resolve();
      return end.promise;
    },
  });
  return { begun: begun.promise, end: end.resolve };
}

const POINTS: [string, SampleOptions, (number | null)[]][] = [
  ["none", {}, [null, null]],
  ["both", { inFrame: 1000, outFrame: 1200 }, [1000, 1200]],
  ["an in point", { inFrame: 100 }, [100, null]],
];

describe("an export of a stretch", () => {
  describe.each(["commit", "await"] as const)("where handles expire at each %s", (staleness) => {
    test.each(POINTS)("exports it alone, and puts in and out back: %s", async (_which, sample, points) => {
      const { world, run, left, premiere } = open({ staleness }, sample);
      expect(await run()).toMatchObject({ offsetSeconds: 10, durationSeconds: 20 });
      expect(world.orders).toMatchObject([{ start: 250n * FRAME, end: 750n * FRAME }]);
      expect(left()).toEqual([...points, 0]);
      // Each change is a step that can be undone, and the note goes with it.
      for (let step = 0; step < 4; step++) premiere.user.undo();
      expect(left()).toEqual([...points, 0]);
    });
  });

  test.each(["fails", "cancelled", "disk full", "wrong length", "empty file"] as const)(
    "puts in and out back when the export %s",
    async (fault) => {
      const { run, left } = open({ export: fault }, { inFrame: 1000, outFrame: 1200 });
      await expect(run()).rejects.toMatchObject({ name: "HostError" });
      expect(left()).toEqual([1000, 1200, 0]);
    },
  );

  test("puts in and out back when it is cancelled", async () => {
    const { world, controller, run, left } = open({}, { inFrame: 1000, outFrame: 1200 });
    const { begun, end } = held(world);
    const exporting = run();
    await begun;
    expect(left()).toEqual([250, 750, 1]);
    const cancelled = new Error("cancelled");
    controller.abort(cancelled);
    await expect(exporting).rejects.toBe(cancelled);
    expect(left()).toEqual([1000, 1200, 0]);
    end();
  });

  test("a panel that closed meanwhile puts them back when it opens, unless the editor has set others", async () => {
    for (const others of [undefined, 42n * FRAME]) {
      const { world, premiere, run, left, restore } = open({}, { inFrame: 1000 });
      const { begun } = held(world);
      leave(run());
      await begun;
      expect(left()).toEqual([250, 750, 1]);
      if (others !== undefined) {
        premiere.user.editSequence(SAMPLE_SEQUENCE_ID, "In", (sequence) => ({ ...sequence, inPoint: others }));
      }
      await restore();
      expect(left()).toEqual(others === undefined ? [1000, null, 0] : [42, 750, 0]);
      await restore();
      expect(left()[2]).toBe(0);
    }
  });

  test("a second export knows the editor's own points, though the first could not put them back", async () => {
    const { world, run, left } = open({}, { inFrame: 1000, outFrame: 1200 });
    const { render } = MemoryWorld.prototype;
    const { begun } = held(world);
    leave(run());
    await begun;
    Object.assign(world, { render });
    await run();
    expect(left()).toEqual([1000, 1200, 0]);
  });

  test("a stretch past the end is exported to the end; nothing of the sequence else changes", async () => {
    const { run, sequence } = open({}, { frames: 500 });
    const { properties: _, ...before } = sequence();
    expect(await run()).toMatchObject({ offsetSeconds: 10, durationSeconds: 10 });
    const { properties: __, ...after } = sequence();
    expect(after).toEqual(before);
  });
});
