import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { keepEnd } from "../../../src/engine/isolate/task-process.ts";
import { turns } from "../../fakes/set-clock.ts";

async function keptOf(...chunks: readonly string[]): Promise<string> {
  const stream = new PassThrough();
  const kept = keepEnd(stream, 20);
  for (const chunk of chunks) stream.write(chunk);
  await turns();
  return kept();
}

test("what a process wrote is kept from its end, and whole where it is short", async () => {
  expect(await keptOf("one\n", "two\n")).toBe("one\ntwo\n");
  expect(await keptOf("x".repeat(20))).toBe("x".repeat(20));
  expect(await keptOf("first line\n", "second line\n", "third\n")).toBe("second line\nthird\n");
  expect(keepEnd(null)()).toBe("");
});

test("the cut shows no half of a word, which may be a secret", async () => {
  const key = `aside_${"k".repeat(30)}`;
  for (let rest = 1; rest < 20; rest++) expect(await keptOf(`${key} `, "x".repeat(rest))).not.toContain("k");
  expect(await keptOf(key)).toBe("");
});
