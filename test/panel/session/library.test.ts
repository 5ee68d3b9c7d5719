import { beforeEach, describe, expect, test } from "vitest";
import type { Session } from "../../../panel/session/session.ts";
import { placedResult } from "../../fakes/placed-result.ts";
import { jobEntry, sessionInMemory, type TextFiles } from "../session-in-memory.ts";

let session: Session;
let files: TextFiles;
beforeEach(() => {
  ({ session, files } = sessionInMemory());
});

const PATH = "/panel/results/a.txt";

/** Holds every write until it is told to go on or to fail. */
function heldWrites() {
  const held: PromiseWithResolvers<void>[] = [];
  files.mayWrite = () => {
    const one = Promise.withResolvers<void>();
    held.push(one);
    return one.promise;
  };
  return held;
}

const aMoment = async () => {
  for (let turn = 0; turn < 4; turn++) await new Promise((next) => setImmediate(next));
};

describe("several writes of one file", () => {
  test("while one is slow, the last of those that came is written next, and all are told when that is there", async () => {
    const held = heldWrites();
    const saves = ["1", "2", "3"].map((text) => session.library.saveText("a.txt", text));
    const other = session.library.saveText("b.txt", "x");
    await aMoment();
    expect(held).toHaveLength(2);
    let areTold = 0;
    for (const save of saves) void save.then(() => areTold++);
    held[0]?.resolve();
    held[1]?.resolve();
    await other;
    await aMoment();
    expect([areTold, files.texts.get(PATH)]).toEqual([0, "1"]);
    held[2]?.resolve();
    await Promise.all(saves);
    expect(files.written.filter(([path]) => path === PATH).map(([, text]) => text)).toEqual(["1", "3"]);
  });

  test("what came while a write failed is written all the same, and nobody is told of a fault that is mended", async () => {
    const held = heldWrites();
    const saves = ["1", "2"].map((text) => session.library.saveText("a.txt", text));
    await aMoment();
    held[0]?.reject(new Error("busy"));
    await aMoment();
    held[1]?.resolve();
    await Promise.all(saves);
    expect(files.texts.get(PATH)).toBe("2");
  });

  test("the last that fails is told to everybody, and the next is written as ever", async () => {
    const held = heldWrites();
    const saves = ["1", "2"].map((text) => session.library.saveText("a.txt", text));
    await aMoment();
    held[0]?.resolve();
    await aMoment();
    held[1]?.reject(new Error("full"));
    for (const save of saves) await expect(save).rejects.toThrow("full");
    files.mayWrite = async () => undefined;
    await session.library.saveText("a.txt", "3");
    expect(files.texts.get(PATH)).toBe("3");
  });

  test("what is removed while it is written is gone afterwards", async () => {
    const held = heldWrites();
    const saved = session.library.saveResult(placedResult([], { runId: "run-1" }));
    await aMoment();
    const removed = session.library.removeJob(jobEntry(), true);
    await aMoment();
    held[0]?.resolve();
    await Promise.all([saved, removed]);
    expect([...files.texts.keys()]).toEqual([]);
  });
});

describe("the history", () => {
  test("is newest first, whatever order the disk gives; what cannot be read, or is of another version, is not there", async () => {
    for (const [runId, day] of [
      ["b", "02"],
      ["c", "03"],
      ["a", "01"],
    ] as const) {
      await session.library.saveJob(jobEntry({ runId, startedAt: `2026-01-${day}T00:00:00.000Z` }));
    }
    files.texts.set("/panel/results/cut.job.json", '{"version":1,"value":{"runId"');
    files.texts.set("/panel/results/new.job.json", '{"version":2,"value":{"runId":"new"}}');
    expect((await session.library.loadJobs()).map(({ runId }) => runId)).toEqual(["c", "b", "a"]);
  });

  test("a job goes with all that is its own, and with its narration only where that is said", async () => {
    const job = jobEntry({ rawPath: "/panel/results/run-1.raw.vtt", videos: ["v1"] });
    const { library } = session;
    const make = async () => {
      await library.saveJob(job);
      const past = [{ action: "accepted" as const, accepted: { at: 0, gone: [], come: ["a"] } }];
      await library.saveReview({ result: placedResult([], { runId: "run-1" }), past, future: [] });
      await library.saveText("run-1.raw.vtt", "x");
      for (const runId of ["run-1", "v1", "run-2"]) files.texts.set(`/panel/runs/${runId}.json`, "{}");
      files.texts.set(job.audioPath, "sound");
    };
    await make();
    await library.removeJob(job, false);
    expect([...files.texts.keys()].toSorted()).toEqual(["/panel/runs/run-2.json", job.audioPath]);
    await make();
    await library.removeJob(job, true);
    expect([...files.texts.keys()]).toEqual(["/panel/runs/run-2.json"]);
  });
});
