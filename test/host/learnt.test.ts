import { expect, test } from "vitest";
import { Learnt } from "../../src/host/learnt.ts";

const PATH = "/data/premiere-learnt.json";

/** A disk of one file. */
function disk(text: string | null = null) {
  const kept = { text, writes: 0 };
  const files = {
    readText: async () => {
      if (kept.text === null) throw new Error("there is no file");
      return kept.text;
    },
    writeText: async (_path: string, written: string) => {
      kept.writes += 1;
      kept.text = written;
    },
  };
  return { kept, of: (version: string) => new Learnt({ files, version, path: async () => PATH }) };
}

test("what was learnt of a version is there the next time, and that of another version stays", async () => {
  const { of, kept } = disk();
  const first = of("26.5.0");
  await first.load();
  expect(first.isKnown).toBe(false);
  first.keep("lookup", "getSequences");
  first.keep("import", "paths");
  await first.saved();
  const other = of("27.0.0");
  await other.load();
  expect([other.isKnown, other.all]).toEqual([false, {}]);
  other.keep("lookup", "getActiveSequence");
  await other.saved();
  const again = of("26.5.0");
  await again.load();
  expect([again.isKnown, again.all]).toEqual([true, { lookup: "getSequences", import: "paths" }]);
  const writes = kept.writes;
  again.keep("import", "paths");
  await again.saved();
  expect(kept.writes).toBe(writes);
});

test("what is learnt before the file was read counts more than what stands in it", async () => {
  const { of } = disk(JSON.stringify({ "26.5.0": { lookup: "getSequences", button: "box" } }));
  const learnt = of("26.5.0");
  learnt.keep("lookup", "getActiveSequence");
  await learnt.load();
  expect(learnt.all).toEqual({ lookup: "getActiveSequence", button: "box" });
});

test("a file that is broken, missing or cannot be written is done without", async () => {
  for (const text of [null, "{", "[]", "null", '"text"']) {
    const learnt = disk(text).of("26.5.0");
    await learnt.load();
    expect(learnt.isKnown).toBe(false);
    learnt.keep("sound", "none");
    await learnt.saved();
    expect(learnt.recall("sound")).toBe("none");
  }
  const refusing = { readText: () => Promise.reject(new Error()), writeText: () => Promise.reject(new Error()) };
  const learnt = new Learnt({ files: refusing, version: "26.5.0", path: async () => PATH });
  await learnt.load();
  learnt.keep("sound", "file");
  await learnt.saved();
  expect([learnt.recall("sound"), new Learnt().recall("sound")]).toEqual(["file", undefined]);
});
