import { expect, test } from "vitest";
import { checkCorpora, deviationsOf, outdatedReasons, uncheckedFiles } from "../corpus/corpus.ts";

const results = checkCorpora();

test.each(results.map((result) => [result.folder, result] as const))("%s reads as its corpus expects", (_, result) => {
  expect(deviationsOf(result).filter((one) => one.reason === null)).toEqual([]);
  expect(result.files.length).toBeGreaterThan(2);
});

test("every deviation that is stood by still is one", () => {
  expect(outdatedReasons(results)).toEqual([]);
});

test("no file of the corpora is left out", () => {
  expect(uncheckedFiles(results)).toEqual([]);
});
