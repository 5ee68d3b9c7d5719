import { expect, test } from "vitest";
import { afterStep, firstProgress, timeLeft, withPictures } from "../../../panel/state/job-progress.ts";

const begun = firstProgress("r1", 1000);

test("steps that are done are listed in their order with the time that each took, and the one under way with its own", () => {
  const exporting = afterStep(begun, { step: "export", state: "begun" }, 1500);
  expect(exporting).toEqual({ ...begun, step: "export", stepSince: 1500, from: { at: 1500, fraction: 0 } });
  const exported = afterStep(exporting, { step: "export", state: "done" }, 4000);
  const uploading = afterStep(exported, { step: "upload", state: "begun" }, 4000);
  const half = afterStep(uploading, { step: "upload", state: "under-way", fraction: 0.5 }, 6000);
  expect(half).toEqual({
    ...begun,
    done: ["export"],
    step: "upload",
    fraction: 0.5,
    stepSince: 4000,
    from: { at: 4000, fraction: 0 },
    took: { export: 2500 },
  });
  const { done, took, step } = afterStep(half, { step: "upload", state: "done" }, 9000);
  expect({ done, took, step }).toEqual({
    done: ["export", "upload"],
    took: { export: 2500, upload: 5000 },
    step: "upload",
  });
});

test.each([
  ["nothing measures it", undefined, 60_000, null],
  ["hardly anything of it is done", 0.04, 60_000, null],
  ["it has only begun", 0.5, 2999, null],
  ["a quarter took ten seconds", 0.25, 10_000, 30_000],
  ["all of it is done", 1, 10_000, 0],
])("what is left of a step where %s", (_, fraction, spent, left) => {
  const step = afterStep(begun, { step: "upload", state: "begun" }, 5000);
  const progress = fraction === undefined ? step : { ...step, fraction };
  expect(timeLeft(progress, 5000 + spent)).toBe(left);
});

test("what is left of a job is reckoned from its present stage: another one says nothing of how long this takes", () => {
  const at = (stage: string, fraction: number) =>
    ({ step: "wait", state: "under-way", fraction, detail: stage }) as const;
  const found = [at("analyse", 0), at("analyse", 0.15)].reduce(
    (one, now, index) => afterStep(one, now, 10_000 * index),
    begun,
  );
  expect(timeLeft(found, 10_000)).toBe((10_000 * 0.85) / 0.15);
  const asked = afterStep(found, at("describe", 0.15), 20_000);
  for (const now of [20_000, 60_000, 600_000]) expect(timeLeft(asked, now)).toBeNull();
  const answered = [0.25, 0.35].reduce(
    (one, fraction, index) => afterStep(one, at("describe", fraction), 50_000 + 30_000 * index),
    asked,
  );
  // 0.2 took sixty seconds, and 0.65 are left.
  expect(timeLeft(answered, 80_000)).toBeCloseTo((60_000 * 0.65) / 0.2, 3);
  // What an upload says of itself is no stage.
  const sent = (fraction: number, detail: string) =>
    ({ step: "upload", state: "under-way", fraction, detail }) as const;
  const sending = afterStep(afterStep(begun, sent(0, "0 of 9 MB"), 5000), sent(0.5, "4 of 9 MB"), 15_000);
  expect(timeLeft(sending, 15_000)).toBe(10_000);
});

test("each of several stretches begins its steps anew", () => {
  const first = afterStep(begun, { step: "export", state: "done", part: { number: 1, count: 2 } }, 2000);
  expect(first.done).toEqual(["export"]);
  const second = afterStep(first, { step: "export", state: "begun", part: { number: 2, count: 2 } }, 3000);
  expect(second).toMatchObject({ done: [], took: {}, stepSince: 3000 });
  expect(second.part).toEqual({ number: 2, count: 2 });
});

test("a pause holds while the upload lasts, and no longer", () => {
  const held = { ...afterStep(begun, { step: "upload", state: "begun" }, 2000), pause: "held" as const };
  expect(afterStep(held, { step: "upload", state: "under-way", fraction: 0.2 }, 3000).pause).toBe("held");
  expect(afterStep(held, { step: "upload", state: "done" }, 3000).pause).toBe("none");
});

test("of more than four hundred pictures those that were fetched first go", () => {
  const some = (from: number, to: number) =>
    Object.fromEntries(
      Array.from({ length: to - from }, (_, index) => [`${(from + index).toFixed(2)}`, `${from + index}`]),
    );
  expect(Object.keys(withPictures(some(0, 300), some(300, 400)))).toHaveLength(400);
  const kept = withPictures(some(0, 400), some(400, 403));
  expect(Object.keys(kept)).toEqual(Object.keys(some(3, 403)));
  expect(withPictures({ "1.00": "old" }, { "1.00": "new" })).toEqual({ "1.00": "new" });
});
