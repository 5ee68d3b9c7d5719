import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { BIBLE_FILE, bibleFiles, withEditorsBible } from "../../../src/cli/out-folder/folder-record.ts";
import { OutFolder } from "../../../src/cli/out-folder/out-folder.ts";
import { DEFAULT_SETTINGS } from "../../../src/core/settings.ts";
import { temporaryFolder } from "../../temporary-folder.ts";

/** A folder that a run has delivered a bible to, open for the next run. */
async function folderWith(changed?: string) {
  const path = await temporaryFolder();
  const first = await OutFolder.open(path, false);
  const run = await first.runFolder("run");
  await writeFile(join(run, BIBLE_FILE), "# Story\nFound.\n");
  await first.deliver(run, [BIBLE_FILE]);
  await first.close();
  if (changed !== undefined) await writeFile(join(path, BIBLE_FILE), changed);
  return OutFolder.open(path, false);
}

test("a bible that somebody has changed is the editor's; one as it was written is nobody's", async () => {
  const untouched = await folderWith();
  expect(await withEditorsBible(DEFAULT_SETTINGS, untouched)).toBe(DEFAULT_SETTINGS);
  await untouched.close();
  const folder = await folderWith("# Story\nMine.\n");
  const given = { ...DEFAULT_SETTINGS, describing: { maximumCost: 2 } };
  expect((await withEditorsBible(given, folder)).describing).toEqual({ maximumCost: 2, bible: "# Story\nMine.\n" });
  // What was read may be written over: it goes on in the next one.
  expect(await folder.toKeep([BIBLE_FILE], false)).toEqual([]);
  await folder.close();
});

test("one that is changed again while the run goes on is kept before it is written over", async () => {
  const folder = await folderWith("# Story\nMine.\n");
  await withEditorsBible(DEFAULT_SETTINGS, folder);
  await writeFile(join(folder.path, BIBLE_FILE), "# Story\nMine, later.\n");
  expect(await folder.toKeep([BIBLE_FILE], false)).toEqual([BIBLE_FILE]);
  await folder.close();
});

test("a bible or a script of the call stands over that of the folder", async () => {
  const folder = await folderWith("# Story\nMine.\n");
  const script = { ...DEFAULT_SETTINGS, script: "00:01 A door." };
  expect(await withEditorsBible(script, folder)).toBe(script);
  const own = { ...DEFAULT_SETTINGS, describing: { bible: "" } };
  expect(await withEditorsBible(own, folder)).toBe(own);
  await folder.close();
});

test("there is a file where somebody looked at the film, and none elsewhere", () => {
  const report = { describer: "", speech: [], music: [], silence: [], shots: [], notes: [], stage_seconds: {} };
  expect(bibleFiles({ report })).toEqual([]);
  expect(bibleFiles({})).toEqual([]);
  expect(bibleFiles({ report: { ...report, bible: "# Story" } })).toEqual([{ name: "bible.md", text: "# Story" }]);
});
