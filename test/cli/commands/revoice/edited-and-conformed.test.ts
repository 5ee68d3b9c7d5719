import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { ConformCall } from "../../../../src/cli/commands/conform/conform-call.ts";
import type { Conformed } from "../../../../src/cli/commands/conform/conform-files.ts";
import { estimateOf, printConformed, reportOf } from "../../../../src/cli/commands/conform/conform-report.ts";
import { openEditedFiles, readEditedCues } from "../../../../src/cli/commands/revoice/edited-files.ts";
import type { OutFolder } from "../../../../src/cli/out-folder/out-folder.ts";
import { timelineFilesIn } from "../../../../src/cli/source/timeline-source.ts";
import { convertCues, isTimelineFormat, WRITABLE_FORMATS } from "../../../../src/formats/index.ts";
import { CUE_FILES } from "../../../../src/workflow/deliver/result-files.ts";
import { programmeGrid } from "../../../../src/workflow/spoken-lines.ts";
import { placedResult } from "../../../fakes/placed-result.ts";
import { madeClip, madeMedia, madeTimeline, madeTrack } from "../../../made-timeline.ts";
import { temporaryFolder } from "../../../temporary-folder.ts";

const TIMELINE = madeTimeline([madeTrack("video", [madeClip(madeMedia("harbour.mov"), 0, 60)])]);
const FILES = ["timeline.otio", "timeline.xml", ...CUE_FILES];

/** A folder of results with some files, of which some are not as they were written. */
async function folderWith(present: readonly string[], changed: readonly string[]): Promise<OutFolder> {
  const path = await temporaryFolder();
  for (const { path: file, write } of timelineFilesIn(path)) await writeFile(file, write(TIMELINE));
  for (const name of CUE_FILES) await writeFile(join(path, name), "words");
  const asked = {
    path,
    present: async (names: readonly string[]) => names.filter((name) => present.includes(name)),
    isAsWritten: async (name: string) => !changed.includes(name),
  };
  // Nothing else of it is asked.
  return asked as unknown as OutFolder;
}

describe("the files that an editor works in", () => {
  test("that count are those that are not as they were written; of several, somebody has to say which", async () => {
    const some = fc.subarray(FILES);
    await fc.assert(
      fc.asyncProperty(fc.subarray(FILES.slice(2)), some, fc.constantFrom(0, 1, 2), async (texts, changed, first) => {
        const timelines = FILES.slice(first === 2 ? 1 : 0, first === 1 ? 1 : 2);
        const present = [...timelines, ...texts];
        const worked = changed.filter((name) => present.includes(name));
        const folder = await folderWith(present, worked);
        const opened = await openEditedFiles(folder, { folder: "out" }).catch((error: Error) => error.message);
        if (worked.length > 1) {
          for (const name of worked) expect(opened).toContain(join("out", name));
          return;
        }
        if (typeof opened === "string") throw new Error(opened);
        const [only] = worked;
        const main = only !== undefined && timelines.includes(only) ? only : timelines[0];
        expect([opened.main.name, opened.main.path]).toEqual([main, join(folder.path, main ?? "")]);
        expect(opened.others.map(({ name, path }) => [name, path])).toEqual(
          timelines.filter((name) => name !== main).map((name) => [name, join(folder.path, name)]),
        );
        const cues = only === undefined || only === main ? undefined : join(folder.path, only);
        expect(opened.cues?.path).toBe(cues);
        expect(opened.main.fingerprint).not.toBe("");
      }),
      { numRuns: 40 },
    );
  });

  test("are those that are named, whatever else was changed", async () => {
    const folder = await folderWith(FILES, FILES);
    for (const name of FILES.slice(0, 2)) {
      const { main, others } = await openEditedFiles(folder, { folder: "out", timeline: join(folder.path, name) });
      expect([main.name, ...others.map((one) => one.name)]).toEqual([
        name,
        ...FILES.slice(0, 2).filter((one) => one !== name),
      ]);
    }
    const cues = join(folder.path, CUE_FILES[1] ?? "");
    expect((await openEditedFiles(folder, { folder: "out", cues })).cues?.path).toBe(cues);
    await expect(openEditedFiles(await folderWith([], []), { folder: "out" })).rejects.toMatchObject({ code: "usage" });
  });
});

describe("a file of cues in any format", () => {
  const cue = fc.tuple(
    fc.integer({ min: 100, max: 1500 }),
    fc.integer({ min: 900, max: 3000 }),
    fc.constantFrom("Rain falls.", "Anna waits here."),
  );
  const record = fc.array(cue, { minLength: 1, maxLength: 5 }).map((made) => {
    const names = ["Anna", "Berta", "Carl", "Dora", "Emil"];
    let at = 1.0003;
    const cues = made.map(([pause, length, text], index) => {
      const start = at + pause / 997;
      at = start + length / 997;
      return { id: `cue-${index}`, start, end: at, text: `${text} ${names[index]} waves.` };
    });
    return placedResult(cues);
  });

  test.each(WRITABLE_FORMATS.filter((format) => !isTimelineFormat(format)))(
    "%s: as it was written it changes nothing; a line that was rewritten is the only change",
    async (format) => {
      const path = join(await temporaryFolder(), `cues.${format}`);
      await fc.assert(
        fc.asyncProperty(record, fc.nat(4), async (placed, which) => {
          const grid = programmeGrid(TIMELINE, placed.offsetSeconds);
          const { text } = convertCues({ format, cues: placed.cues, issues: [], extras: [] }, { format, grid });
          await writeFile(path, text);
          expect(await readEditedCues(path, placed, TIMELINE)).toEqual(placed.cues);
          const index = which % placed.cues.length;
          const words = placed.cues[index]?.text ?? "";
          await writeFile(path, text.replaceAll(words, "Other words."));
          const edited = await readEditedCues(path, placed, TIMELINE);
          expect(edited.map((one) => one.text)).toEqual(
            placed.cues.map((one, place) => (place === index ? "Other words." : one.text)),
          );
          expect(edited.filter((_, place) => place !== index)).toEqual(
            placed.cues.filter((_, place) => place !== index),
          );
        }),
        { numRuns: 8 },
      );
      expect((await readFile(path, "utf8")).length).toBeGreaterThan(0);
    },
  );
});

describe("what became of a cut", () => {
  const description = fc.constantFrom("unchanged", "moved", "touched", "orphaned");
  const call = { out: "/films/out.otio" } as ConformCall;

  test("is told of every description that has a reason, of everything new and refused, and counted", () => {
    fc.assert(
      fc.property(fc.array(description, { maxLength: 6 }), fc.nat(3), fc.boolean(), (states, fresh, isWritten) => {
        const descriptions = states.map((state, index) => ({
          cueId: `cue-${index}`,
          state,
          start: index,
          text: `Line ${index}`,
          ...(state === "touched" || state === "orphaned" ? { reason: "picture-cut" } : {}),
        }));
        const stretches = Array.from({ length: fresh }, (_, index) => ({
          start: index,
          end: index + 1,
          inside: index,
        }));
        const done = {
          conform: { descriptions, isStemStale: isWritten },
          timeline: TIMELINE,
          losses: ["One loss.", "Another loss."],
          plan: { stretches, seconds: fresh, estimate: { credits: 1 } },
          result: {
            described: stretches.map((stretch) => ({ stretch, refusal: { message: `No pause at ${stretch.start}.` } })),
            added: {
              cues: stretches.map(({ start }) => ({ id: `new-${start}`, start, end: start + 1, text: "New." })),
              sounds: stretches.map(({ start }) => ({ clipName: `clip-${start}` })),
            },
            notices: ["A notice."],
          },
          isWritten,
        } as unknown as Conformed;
        const [printed, told]: string[][] = [[], []];
        printConformed(call, done, {
          print: (text) => void printed?.push(text),
          tell: (text) => void told?.push(text),
        });
        const all = printed?.join("\n") ?? "";
        for (const { cueId, state } of descriptions)
          expect(all.includes(cueId)).toBe(state === "touched" || state === "orphaned");
        for (const state of ["unchanged", "moved", "touched", "orphaned"]) {
          expect(all).toContain(`${states.filter((one) => one === state).length} ${state}`);
        }
        for (const { start } of stretches)
          expect([all.includes(`new-${start}`), told?.some((one) => one.includes(`at ${start}.`))]).toEqual([
            true,
            true,
          ]);
        expect(told?.slice(-3)).toEqual(["One loss.", "Another loss.", "A notice."]);
        expect([all.includes("/films/out.otio"), all.includes("makes it again")]).toEqual([isWritten, isWritten]);
        const report = reportOf(call, done);
        expect("new" in report ? [report.new.clips, report.new.stretches.map(({ inside }) => inside)] : null).toEqual([
          stretches.map(({ start }) => `clip-${start}`),
          stretches.map(({ inside }) => inside),
        ]);
        const estimate = estimateOf({ stretches, seconds: fresh, estimate: { credits: 1 } } as never, call);
        expect(estimate).toContain(fresh === 0 ? "Nothing is new" : `${fresh} stretch`);
      }),
      { numRuns: 40 },
    );
  });
});
