import { expect, test } from "vitest";
import { sharedCorpora } from "../shared-media.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { expectationOf, faultsOf, inputsOf } from "./faults.ts";
import { STILL_WRONG } from "./faults-still-wrong.ts";

test.each(
  Object.keys(STILL_WRONG).flatMap((folder) =>
    inputsOf(sharedCorpora(`faults/exchange/${folder}`)).map((name) => ({ folder, name })),
  ),
)("reads $folder/$name as it is meant, or asks", async ({ folder, name }) => {
  const path = sharedCorpora(`faults/exchange/${folder}/${name}`);
  const found = await faultsOf(path, expectationOf(path), await temporaryFolder());
  const isKnown = STILL_WRONG[folder]?.includes(name) === true;
  // What is right now leaves the list.
  if (isKnown) expect(found, "is right now: take it from the list").not.toEqual([]);
  else expect(found).toEqual([]);
});
