import { type FrameRate, frameRate, framesFromSeconds } from "../../src/core/frame-rate.ts";
import type { FrameGrid } from "../../src/core/settings.ts";
import { formatTimecode } from "../../src/core/timecode.ts";
import { type Cmx3600Document, parseCmx3600, readCues } from "../../src/formats/index.ts";
import { type Check, checked, type FileResult } from "./check.ts";
import { corpusDecoded, corpusJson, corpusPaths } from "./corpus-files.ts";

interface ExpectedEdit {
  readonly clip_name?: string;
  readonly record_in: string;
  readonly record_out: string;
}
interface Expected {
  readonly title?: string;
  readonly events?: number;
  readonly event_1?: ExpectedEdit;
  readonly event_43?: { readonly edits: number; readonly edit_1: ExpectedEdit; readonly edit_2: ExpectedEdit };
  readonly markers?: readonly (readonly [string, string])[];
}

const grid = (rate: FrameRate, isDropFrame = false): FrameGrid => ({ rate, isDropFrame, startFrame: 0 });

/** The rate of each file, from its name or its README; 24 where neither says it. */
function gridOf(path: string): FrameGrid {
  if (/2398/.test(path)) return grid(frameRate(24000, 1001));
  if (/2997DF|edl-genius\/(?:cmx3600|file32)\.edl|KEY_TRANSITION/.test(path)) return grid(frameRate(30000, 1001), true);
  if (/2997NDF/.test(path)) return grid(frameRate(30000, 1001));
  if (/5994/.test(path)) return grid(frameRate(60000, 1001), true);
  if (/test_50/.test(path)) return grid(frameRate(50));
  if (/25|guerilla-di|resolve-markers/.test(path)) return grid(frameRate(25));
  return grid(frameRate(24));
}

/** Events whose number stands in the file: what a simple search finds, to be held against the reader. */
function eventNumbers(text: string): number {
  const lines = text.split(/\r\n?|\n/).filter((line) => /^\s*\d+\s.*(?:\d\d[:;.]){3}\d\d/.test(line));
  let count = 0;
  let last = "";
  for (const line of lines) {
    const number = line.trim().split(/\s+/)[0] ?? "";
    if (number !== last) count += 1;
    last = number;
  }
  return count;
}

/** Checks every EDL: every event found, no event or label lost, what `expected.json` says. */
export function checkEdls(): FileResult[] {
  const expected = corpusJson<Readonly<Record<string, Expected>>>("edl/expected.json");
  const paths = corpusPaths("edl").filter((path) => /\.edl$/i.test(path));
  return paths.map((path) =>
    checked(path, (check) => {
      const { text } = corpusDecoded(path);
      const document = parseCmx3600(text, { grid: gridOf(path) });
      check.same("events", document.events.length, eventNumbers(text));
      check.same("format", readCues(text).format, "edl");
      const lost = document.issues.filter((issue) =>
        ["bad-event", "bad-timing", "unknown-format"].includes(issue.code),
      );
      check.same(
        "lost",
        lost.map((issue) => `${issue.line}: ${issue.text}`),
        [],
      );
      const unknown = document.issues.filter((issue) => issue.code === "unknown-line").map((issue) => issue.text);
      check.same("lines of no known kind", unknown, []);
      const facts = expected[path.slice("edl/".length)];
      if (facts !== undefined) checkExpected(check, document, facts, gridOf(path));
    }),
  );
}

function checkExpected(check: Check, document: Cmx3600Document, expected: Expected, sequence: FrameGrid): void {
  if (expected.title !== undefined) check.same("title", document.title, expected.title);
  if (expected.events !== undefined) check.same("events", document.events.length, expected.events);
  const { event_1: first, event_43: split, markers } = expected;
  if (first !== undefined) checkEdit(check, document, 0, 0, first);
  if (split !== undefined) {
    const index = document.events.findIndex(({ edits }) => Number(edits[0]?.number) === 43);
    check.same("edits of event 43", document.events[index]?.edits.length, split.edits);
    checkEdit(check, document, index, 0, split.edit_1);
    checkEdit(check, document, index, 1, split.edit_2);
  }
  if (markers !== undefined) {
    const found = document.cues.map((cue) => [
      formatTimecode(framesFromSeconds(cue.start, sequence.rate), sequence),
      cue.text,
    ]);
    check.same("markers", found, markers);
  }
}

function checkEdit(check: Check, document: Cmx3600Document, event: number, edit: number, expected: ExpectedEdit): void {
  const found = document.events[event]?.edits[edit];
  const comments = document.events[event]?.comments ?? [];
  const names = comments.filter((one) => one.kind === (edit === 0 ? "from-clip-name" : "to-clip-name"));
  check.same("edit", [found?.recordIn, found?.recordOut], [expected.record_in, expected.record_out]);
  if (expected.clip_name !== undefined) check.same("clip name", names[0]?.text, expected.clip_name);
}
