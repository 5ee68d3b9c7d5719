import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { frameRate } from "../../../src/core/frame-rate.ts";
import { DEFAULT_SETTINGS } from "../../../src/core/settings.ts";
import { leftNotes, makeWorksheet, type WorksheetParts } from "../../../src/engine/pipeline/job-worksheet.ts";
import { ANALYSIS_VERSION } from "../../../src/engine/programme-analysis.ts";
import type { ProgrammeOrder } from "../../../src/engine/tasks/tasks.ts";
import { temporaryFolder } from "../../temporary-folder.ts";
import { shot } from "../describe/describe-request.ts";

const { signal } = new AbortController();
const pauseAt = (start: number) => ({ start, end: start + 6, sound: "ambience" as const });
const unread = (message: string, start: number) =>
  ({ rule: "text-not-read", severity: "warn", message, start, end: start + 2 }) as const;
const doubted = (id: string, start: number) => ({
  ...{ id, wordings: [`Perhaps ${id}`, "Shorter"], importance: 1 },
  picture: { start, end: start + 2 },
});

async function made(more: Partial<WorksheetParts> = {}) {
  const folder = await temporaryFolder();
  const order: ProgrammeOrder = {
    ...{ kind: "text", track: "mixed", resolution: "Auto", mediaPath: "film.mp4", settings: DEFAULT_SETTINGS },
    ...{ workFolder: folder, mediaFolder: join(folder, "media"), narrationFolder: folder },
  };
  const analysis = {
    ...({ version: ANALYSIS_VERSION, durationSeconds: 40, heard: { speech: [], music: [], silence: [] } } as const),
    ...{
      levels: [],
      shots: [shot(0, 20, "start"), shot(20, 40)],
      hasVisiblePicture: true,
      keyFrames: [],
      lettering: [],
    },
  };
  const worksheet = await makeWorksheet(
    order,
    { signal },
    {
      ...{ stored: { analysis, folder }, gaps: [pauseAt(2), pauseAt(12), pauseAt(30)], cues: [], transcript: [] },
      ...{ narrator: null, probe: { startTimecode: null } },
      grid: { rate: frameRate(25), isDropFrame: false, startFrame: 0 },
      findings: [
        unread("A sign could not be read", 13),
        { rule: "song", severity: "note", message: "Somebody sings", start: 3, end: 4 },
        unread("A letter could not be read", 31),
      ],
      ...more,
    },
  );
  return { worksheet, page: worksheet.path === null ? "" : await readFile(worksheet.path, "utf8") };
}

test("every pause is left to write, and every text that nobody could read is told on the page", async () => {
  const { worksheet, page } = await made();
  expect(worksheet.toWrite.map(({ id, start }) => [id, Math.floor(start)])).toEqual([
    ["pause-0001", 2],
    ["pause-0002", 12],
    ["pause-0003", 30],
  ]);
  for (const message of ["A sign could not be read", "A letter could not be read"]) expect(page).toContain(message);
  expect(page).not.toContain("Somebody sings");
  expect(leftNotes(worksheet, {})).toEqual([expect.stringContaining("3 pauses are to be written by a person")]);
});

test("where a model is not sure, the pauses around that alone are left, with its words", async () => {
  const unsure = [doubted("one", 3), doubted("two", 31)];
  const { worksheet, page } = await made({ unsure });
  expect(worksheet.toWrite.map(({ start }) => Math.floor(start))).toEqual([2, 30]);
  for (const words of ["Perhaps one", "Perhaps two"]) expect(page).toContain(words);
  expect(leftNotes(worksheet, { unsure })).toEqual([expect.stringContaining("2 pauses are left for you to write")]);
  const none = await made({ gaps: [] });
  expect([none.worksheet, leftNotes(none.worksheet, {})]).toEqual([{ toWrite: [], path: null }, []]);
});
