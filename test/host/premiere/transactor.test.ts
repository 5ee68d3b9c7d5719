import type { Project } from "@adobe/premierepro";
import { expect, test } from "vitest";
import { SAFE_PACE, slowed } from "../../../src/host/premiere/pace.ts";
import { type TransactionPart, Transactor } from "../../../src/host/premiere/transactor.ts";
import { InstantClock } from "../../fakes/instant-clock.ts";
import type { Faults } from "../../fakes/premiere/faults.ts";
import { SAMPLE_SEQUENCE_ID } from "../../fakes/premiere/sample-project.ts";
import { SeededRandom } from "../../fakes/seeded-random.ts";
import { openSample } from "./open-premiere.ts";

const PACE = { ...SAFE_PACE, pauseMs: 400, commitsInARow: 3, restMs: 3000 };
const REFERENCE = { projectId: "project-sample", sequenceId: SAMPLE_SEQUENCE_ID };

function open(faults: Partial<Faults> = {}) {
  const clock = new InstantClock();
  const premiere = openSample({}, { faults, now: () => clock.now() });
  const committed: number[] = [];
  const start = (signal = new AbortController().signal) =>
    new Transactor({
      premiere: premiere.module,
      reference: REFERENCE,
      clock,
      pace: PACE,
      signal,
      onCommit: (actions) => void committed.push(actions),
    });
  /** Sets the in point to so many ticks, once for each. */
  const part =
    (...ticks: readonly number[]): TransactionPart =>
    async () =>
    (add, { sequence }) => {
      for (const one of ticks) {
        add(sequence.createSetInPointAction(premiere.module.TickTime.createWithTicks(String(one))));
      }
    };
  return { clock, premiere, committed, start, part };
}

test.each([1, 2, 3, 4])(
  "changes keep their distance, a few in a row are followed by a rest, and none waits longer (%i)",
  async (seed) => {
    const random = new SeededRandom(seed);
    const { clock, premiere, start, part } = open();
    // Whoever changes a Premiere keeps the pace of all.
    const transactors = [start(), start()];
    let last = Number.NEGATIVE_INFINITY;
    let inARow = 0;
    for (let run = 0; run < 40; run++) {
      clock.advance(random.oneOf([0, 0, 0, 100, 399, 400, 401, 2999, 3000, 9000]) ?? 0);
      const asked = clock.now();
      const isEmpty = random.whole(0, 4) === 0;
      await random.oneOf(transactors)?.run("Change", isEmpty ? part() : part(run));
      // Pauses of a rest's length count as one, whoever made them.
      if (asked - last >= 3000) inARow = 0;
      const needed = inARow >= 3 ? 3000 : 400;
      expect(clock.now()).toBe(Math.max(asked, last + needed));
      if (clock.now() - last >= 3000) inARow = 0;
      if (isEmpty) continue;
      last = clock.now();
      inARow += 1;
    }
    const [one, two] = transactors;
    expect((one?.committed ?? 0) + (two?.committed ?? 0)).toBe(premiere.machine.undoStack.length);
    expect(one?.undoSteps).toBe(one?.committed);
  },
);

test("parts are one transaction, in their order; none without actions", async () => {
  const { premiere, committed, start, part } = open({ emptyTransaction: "false" });
  const transactor = start();
  await transactor.run("Three", part(1), part(), part(2, 3));
  expect(premiere.machine.sequence("project-sample", SAMPLE_SEQUENCE_ID).inPoint).toBe(3n);
  await transactor.run("None", part(), part());
  expect(premiere.machine.undoStack.map(({ label }) => label)).toEqual(["Three"]);
  expect([committed, transactor.committed, transactor.undoSteps]).toEqual([[3], 1, 1]);
});

test("where handles do not outlive another question, each part is a transaction of its own; one alone fails", async () => {
  const { premiere, committed, start } = open({ staleness: "await" });
  const marks =
    (name: string): TransactionPart =>
    async () => {
      const { Project, Guid, Markers, Marker, TickTime } = premiere.module;
      const project = Project.getProject(Guid.fromString("project-sample"));
      const markers = await Markers.getMarkers(project.getSequence(Guid.fromString(SAMPLE_SEQUENCE_ID)));
      const time = TickTime.createWithTicks("0");
      return (add) => add(markers.createAddMarkerAction(name, Marker.MARKER_TYPE_COMMENT, time, time, name));
    };
  await start().run("Mark", marks("a"), marks("b"));
  expect(premiere.machine.undoStack.map(({ label }) => label)).toEqual(["Mark", "Mark"]);
  expect(committed).toEqual([1, 1]);
  const dead: TransactionPart = async () => () => {
    throw new Error("The script object is no longer valid");
  };
  await expect(start().run("Dead", dead)).rejects.toThrow("no longer valid");
});

test("a refusal says which step was not applied, and counts for nothing; so does what is called off", async () => {
  const { clock, premiere, committed, start, part } = open({ transaction: { at: 1, how: "returns false" } });
  const transactor = start();
  await expect(transactor.run("Place", part(1))).rejects.toMatchObject({
    code: "apply_failed",
    message: 'Premiere refused the step "Place".',
    operation: "Place",
    state: "the step was not applied",
  });
  expect([transactor.committed, transactor.undoSteps, committed]).toEqual([0, 0, []]);
  // It did not count as a change that the next one has to wait for.
  await transactor.run("Place", part(1));
  expect(clock.sleeps).toEqual([]);
  const reason = new Error("stopped");
  await expect(start(AbortSignal.abort(reason)).run("Place", part(2))).rejects.toBe(reason);
  expect(premiere.machine.undoStack).toHaveLength(1);
});

/** What is done under a lock. */
type Locked = Parameters<Project["lockedAccess"]>[0];

/** Has the projects of a Premiere lock in a way of their own. */
function lockedBy(
  { premiere }: ReturnType<typeof open>,
  lock: (run: Locked, real: (run: Locked) => unknown) => unknown,
) {
  const { Project: projects } = premiere.module;
  const { getProject } = projects;
  const value = (guid: Parameters<typeof getProject>[0]) => {
    const project = getProject(guid);
    const real = (run: Locked) => project.lockedAccess(run);
    const get = (target: object, key: string) =>
      key === "lockedAccess" ? (run: Locked) => lock(run, real) : Reflect.get(target, key);
    return new Proxy(project, { get: (target, key) => get(target, String(key)) });
  };
  Object.defineProperty(projects, "getProject", { value });
}

test("a lock that Premiere gives a moment later is waited for", async () => {
  const opened = open();
  lockedBy(opened, async (run, real) => {
    await new Promise((next) => setImmediate(next));
    return real(run);
  });
  await opened.start().run("Place", opened.part(5));
  expect(opened.committed).toEqual([1]);
  expect(opened.premiere.machine.undoStack.map(({ label }) => label)).toEqual(["Place"]);
});

test("what Premiere calls when nobody counts on it any more changes nothing", async () => {
  const opened = open();
  const late: (() => unknown)[] = [];
  lockedBy(opened, (run, real) => late.push(() => real(run)) > 0);
  await expect(opened.start().run("Place", opened.part(5))).rejects.toThrow("locked nothing");
  for (const call of late) call();
  expect(opened.premiere.machine.undoStack).toEqual([]);
});

test("slowed down, no step is larger, and none comes sooner after another", () => {
  const slow = slowed(SAFE_PACE);
  for (const name of ["clipsPerRemoval", "clipsPerTransaction", "parametersPerTransaction", "commitsInARow"] as const) {
    expect(slow[name]).toBeLessThan(SAFE_PACE[name]);
    expect(slow[name]).toBeGreaterThan(0);
  }
  expect([slow.pauseMs / SAFE_PACE.pauseMs, slow.restMs / SAFE_PACE.restMs]).toEqual([4, 2]);
  expect(slowed(slowed(slowed(slowed(slow)))).clipsPerTransaction).toBe(1);
});
