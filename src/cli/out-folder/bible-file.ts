import { join } from "node:path";
import type { DescriptionSettings } from "../../core/settings.ts";
import { nodeFiles } from "../../host/headless/files.ts";
import type { TextFile } from "../../workflow/deliver/result-files.ts";
import type { FinishedRun } from "../../workflow/describe/describe.ts";
import { fileFingerprint } from "../source/file-fingerprint.ts";
import { readTextFile } from "../source/text-file.ts";
import { readFolderRecord } from "./folder-record.ts";
import type { OutFolder } from "./out-folder.ts";

/** What is known of the film, beside its results, for an editor to read and correct. */
export const BIBLE_FILE = "bible.md";

/** The film's bible as a file; none where nobody looked at the film. */
export function bibleFiles({ report }: Pick<FinishedRun, "report">): TextFile[] {
  return report?.bible === undefined ? [] : [{ name: BIBLE_FILE, text: report.bible }];
}

/**
 * Settings with the editor's bible of the folder, unless they bring one: the file there if somebody has changed it since it
 * was written, else what the last run was given. So a correction is made once and kept.
 *
 * @throws HostError when the file cannot be read.
 */
export async function withEditorsBible<Settings extends DescriptionSettings>(
  settings: Settings,
  folder: OutFolder,
): Promise<Settings> {
  if (settings.script !== undefined || settings.describing?.bible !== undefined) return settings;
  const bible = await editorsBible(folder);
  return bible === undefined ? settings : { ...settings, describing: { ...settings.describing, bible } };
}

async function editorsBible(folder: OutFolder): Promise<string | undefined> {
  const path = join(folder.path, BIBLE_FILE);
  if ((await nodeFiles.size(path)) !== null && !(await folder.isAsWritten(BIBLE_FILE))) {
    folder.adopt(BIBLE_FILE, await fileFingerprint(path));
    return await readTextFile(path);
  }
  // A folder without a record is a new one.
  const record = await readFolderRecord(folder.path).catch(() => null);
  return record?.settings.describing?.bible;
}
