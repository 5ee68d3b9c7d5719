import { expect, test } from "vitest";
import { CHECKED_FOLDERS, checkFolder, deviationsOf, outdatedReasons, uncheckedFiles } from "../corpus/corpus.ts";

/** What was found of each folder, checked when it is first asked for. */
const found = new Map<string, ReturnType<typeof checkFolder>>();

function resultOf(folder: string): ReturnType<typeof checkFolder> {
  const result = found.get(folder) ?? checkFolder(folder);
  found.set(folder, result);
  return result;
}

test.each(CHECKED_FOLDERS)("%s reads as its corpus expects", (folder) => {
  const result = resultOf(folder);
  expect(deviationsOf(result).filter((one) => one.reason === null)).toEqual([]);
  expect(result.files.length).toBeGreaterThan(2);
});

test("every deviation that is stood by still is one", () => {
  expect(outdatedReasons(CHECKED_FOLDERS.map(resultOf))).toEqual([]);
});

test("no file of the corpora is left out", () => {
  expect(uncheckedFiles(CHECKED_FOLDERS.map(resultOf))).toEqual([]);
});
