import { Readable } from "node:stream";
import { expect, test } from "vitest";
import { collect, TeamTurns } from "../../../src/service/http/team-turns.ts";

/** Work that notes when it begins, and goes on until it is told to end. */
function work(begun: string[], name: string) {
  const end = Promise.withResolvers<void>();
  const run = async () => {
    begun.push(name);
    await end.promise;
    return name;
  };
  return { run, end: end.resolve };
}

const aMoment = () => new Promise((resolve) => setTimeout(resolve, 20));

test("a team's many pieces go one after another, and another team waits for none of them", async () => {
  const turns = new TeamTurns(2);
  const begun: string[] = [];
  const many = Array.from({ length: 60 }, (_, index) => work(begun, `a${index}`));
  const taken = many.map(({ run }) => turns.take("a", run));
  await aMoment();
  expect(begun).toEqual(["a0"]);
  const other = work(begun, "b0");
  const otherTaken = turns.take("b", other.run);
  await aMoment();
  expect(begun).toEqual(["a0", "b0"]);
  other.end();
  expect(await otherTaken).toBe("b0");
  for (const { end } of many) end();
  expect(await Promise.all(taken)).toHaveLength(60);
});

test("where one piece goes on at a time, the teams take turns", async () => {
  const turns = new TeamTurns(1);
  const begun: string[] = [];
  const pieces = ["a0", "a1", "a2", "b0", "c0", "b1"].map((name) => work(begun, name));
  for (const { end } of pieces.slice(1)) end();
  const names = ["a", "a", "a", "b", "c", "b"];
  const taken = pieces.map(({ run }, index) => turns.take(names[index] ?? "", run));
  await aMoment();
  pieces[0]?.end();
  await Promise.all(taken);
  expect(begun).toEqual(["a0", "b0", "c0", "a1", "b1", "a2"]);
});

test("where a team may have several, so many of its pieces go on, and the next as soon as one ends", async () => {
  const turns = new TeamTurns(Number.POSITIVE_INFINITY, 2);
  const begun: string[] = [];
  const pieces = ["a0", "a1", "a2", "b0"].map((name) => work(begun, name));
  const taken = pieces.map(({ run }, index) => turns.take(index === 3 ? "b" : "a", run));
  await aMoment();
  expect(begun).toEqual(["a0", "a1", "b0"]);
  pieces[1]?.end();
  await taken[1];
  await aMoment();
  expect(begun).toEqual(["a0", "a1", "b0", "a2"]);
  for (const { end } of pieces) end();
  expect(await Promise.all(taken)).toEqual(["a0", "a1", "a2", "b0"]);
});

test("work that fails gives its turn back", async () => {
  const turns = new TeamTurns(1);
  const failing = turns.take("a", () => Promise.reject(new Error("no")));
  const next = turns.take("a", async () => "yes");
  await expect(failing).rejects.toThrow("no");
  expect(await next).toBe("yes");
});

/** Counts the turns that others have while something goes on, and tells `turn` of each. */
async function turnsDuring(work: () => Promise<unknown>, turn: () => void = () => undefined): Promise<number> {
  let count = 0;
  let next = setImmediate(function again() {
    count++;
    turn();
    next = setImmediate(again);
  });
  await work();
  clearImmediate(next);
  return count;
}

test("before each piece, whatever else arrived has its turn", async () => {
  const turns = new TeamTurns(1);
  const seen: string[] = [];
  const pieces = ["a0", "a1", "b0", "a2"];
  const all = () => Promise.all(pieces.map((name) => turns.take(name[0] ?? "", async () => seen.push(name))));
  await turnsDuring(all, () => seen.push("other"));
  const before = pieces.map((name) => seen[seen.indexOf(name) - 1]);
  expect(before).toEqual(["other", "other", "other", "other"]);
});

test("a body that is there already is read in portions, between which others have their turn", async () => {
  const portion = Buffer.alloc(65_536, "x");
  const body = new Readable({ read() {}, highWaterMark: 100 * portion.length });
  for (let count = 0; count < 40; count++) body.push(portion);
  body.push(null);
  let read: Awaited<ReturnType<typeof collect>> = null;
  const others = await turnsDuring(async () => {
    read = await collect(body, 40 * portion.length);
  });
  expect(read).toMatchObject({ sizeBytes: 40 * portion.length });
  expect(others).toBeGreaterThanOrEqual(40);
});
