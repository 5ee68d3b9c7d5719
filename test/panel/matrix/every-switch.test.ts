import { writeFileSync } from "node:fs";
import { afterAll, expect, test } from "vitest";
import { OTHERWISE } from "../../fakes/premiere/faults.ts";
import { noAnswers } from "../../fakes/premiere/otherwise.ts";
import { IS_THOROUGH, thoroughTest } from "../../thorough/thorough-test.ts";
import { type Column, isBelieved, memberColumns, randomColumns, SWITCH_COLUMNS, VERSION_COLUMNS } from "./columns.ts";
import { type Endings, JOURNEYS, neverAnswers, runJourneys } from "./journeys.ts";

/** Panels that are open at a time: most of a journey is waiting. */
const AT_ONCE = 4;

/** Longest time for all members, answering otherwise in one way, on a busy computer. */
const LONG_MS = 1_800_000;

/** Members that answer otherwise in a Premiere that was measured, or take several shapes in public panels. */
const KNOWN = ["VideoTrack.getTrackItems", "AudioTrack.getTrackItems", "Project.importFiles", "Project.getProject"];

/** How members answer that are well, learnt in the first test. */
const well = noAnswers();

/** What every column ended in that was gone through. */
const ended: Record<string, Endings> = {};

/** Goes through columns; gives what ended neither done nor in a sentence that names a member and what to send. */
async function unnamed(columns: readonly Column[]): Promise<readonly string[]> {
  const left = [...columns];
  const failed: Column[] = [];
  const found: string[] = [];
  const work = async () => {
    for (let column = left.shift(); column !== undefined; column = left.shift()) {
      const faults = await faultsOf(column);
      // What is waited for by the clock, and any of hundreds of columns, a busy computer strikes too: it is gone through again, alone.
      if (faults.length > 0 && (neverAnswers(column) || IS_THOROUGH)) failed.push(column);
      else found.push(...faults);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  for (const column of failed) found.push(...(await faultsOf(column)));
  return found;
}

/** What is wrong about how the journeys of a column ended. */
async function faultsOf(column: Column): Promise<readonly string[]> {
  const { name } = column;
  try {
    const endings = await runJourneys(column, well);
    ended[name] = endings;
    return JOURNEYS.flatMap((journey) => {
      const ending = endings[journey];
      const isFine = ending === "done" || ending.isNamed || isBelieved(column);
      return isFine ? [] : [`${name}, ${journey}: ${ending.said}`];
    });
  } catch (error) {
    return [`${name}: ${error instanceof Error ? error.stack : String(error)}`];
  }
}

const healthy = { name: "in good health", faults: {} };
const members = () => [...well.kinds.keys()].sort();

test("in a Premiere that is well every journey is done", async () => {
  expect(await unnamed([healthy])).toEqual([]);
  expect(new Set(Object.values(ended[healthy.name] ?? {}))).toEqual(new Set(["done"]));
  expect(members().length).toBeGreaterThan(100);
});

thoroughTest(
  "in each version as it was measured every journey is done",
  async () => {
    expect(await unnamed(VERSION_COLUMNS)).toEqual([]);
    const isDone = (name: string) => Object.values(ended[name] ?? {}).every((ending) => ending === "done");
    const names = VERSION_COLUMNS.map(({ name }) => name);
    expect(names.filter(isDone)).toEqual(names);
  },
  120_000,
);

thoroughTest(
  "however the sequence is looked up, and what comes with it, the journeys end done or named",
  async () => {
    const [first = []] = [memberColumns(["Project.getSequence"])];
    const others = memberColumns(KNOWN).filter(({ name }) => name.endsWith(": later"));
    expect(await unnamed([...first, ...others])).toEqual([]);
    for (const { name } of [...first, ...others]) expect(Object.values(ended[name] ?? {}), name).toContain("done");
  },
  120_000,
);

thoroughTest(
  "sets of things that are otherwise end likewise",
  async () => {
    expect(await unnamed(randomColumns(members(), 4, 29))).toEqual([]);
  },
  120_000,
);

thoroughTest(
  "each switch alone",
  async () => {
    expect(await unnamed(SWITCH_COLUMNS)).toEqual([]);
  },
  LONG_MS,
);

for (const how of OTHERWISE) {
  thoroughTest(
    `each member alone: ${how}`,
    async () => {
      expect(await unnamed(memberColumns(members()).filter(({ name }) => name.endsWith(`: ${how}`)))).toEqual([]);
    },
    LONG_MS,
  );
}

thoroughTest(
  "many sets of things that are otherwise",
  async () => {
    expect(await unnamed(randomColumns(members(), 100, 30))).toEqual([]);
  },
  LONG_MS,
);

afterAll(() => {
  const { MATRIX: path } = process.env;
  if (path !== undefined) writeFileSync(path, JSON.stringify(ended));
});
