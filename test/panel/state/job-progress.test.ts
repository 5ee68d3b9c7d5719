import { expect, test } from "vitest";
import { afterStep, firstProgress, withPictures } from "../../../panel/state/job-progress.ts";

const begun = firstProgress("r1", 1000);

test("steps that are done are listed in their order, with the one under way", () => {
  const exported = afterStep(begun, { step: "export", state: "done" });
  const uploading = afterStep(exported, { step: "upload", state: "under-way", fraction: 0.5 });
  expect(uploading).toEqual({ ...begun, done: ["export"], step: "upload", fraction: 0.5 });
  expect(afterStep(uploading, { step: "upload", state: "done" })).toEqual({
    ...begun,
    done: ["export", "upload"],
    step: "upload",
  });
});

test("each of several stretches begins its steps anew", () => {
  const first = afterStep(begun, { step: "export", state: "done", part: { number: 1, count: 2 } });
  expect(first.done).toEqual(["export"]);
  const second = afterStep(first, { step: "export", state: "begun", part: { number: 2, count: 2 } });
  expect(second.done).toEqual([]);
  expect(second.part).toEqual({ number: 2, count: 2 });
});

test("a pause holds while the upload lasts, and no longer", () => {
  const held = { ...afterStep(begun, { step: "upload", state: "begun" }), pause: "held" as const };
  expect(afterStep(held, { step: "upload", state: "under-way", fraction: 0.2 }).pause).toBe("held");
  expect(afterStep(held, { step: "upload", state: "done" }).pause).toBe("none");
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
