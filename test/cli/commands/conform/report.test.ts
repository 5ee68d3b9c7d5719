import { describe, expect, test } from "vitest";
import type { ConformCall } from "../../../../src/cli/commands/conform/conform-call.ts";
import type { Conformed } from "../../../../src/cli/commands/conform/conform-files.ts";
import { printConformed, reportOf } from "../../../../src/cli/commands/conform/conform-report.ts";
import { CONFORM_REASONS } from "../../../../src/workflow/conform/conform-sequence.ts";
import { madeTimeline } from "../../../made-timeline.ts";

const description = (cueId: string, state: string, reason?: string) => ({
  cueId,
  state,
  start: 1,
  text: `words of ${cueId} `.padEnd(50, "x"),
  ...(reason === undefined ? {} : { reason }),
});
const cue = (id: string, start: number) => ({ id, start, end: start + 1, text: `new ${id}` });
const stretch = (start: number) => ({ start, end: start + 10, inside: { start, end: start + 10 } });
const refusal = { code: "no_speech", message: "Nobody speaks." };

/** What came of a cut: three of the old descriptions need a look, two are new. */
function conformed(more: Partial<Record<keyof Conformed, unknown>> = {}): Conformed {
  const descriptions = [
    description("a", "unchanged"),
    description("b", "touched", "picture-cut"),
    description("c", "orphaned", "picture-gone"),
    description("d", "moved"),
    description("e", "moved"),
  ];
  return {
    conform: { descriptions, isStemStale: false },
    timeline: madeTimeline([]),
    losses: ["Lost: one.", "Lost: two."],
    plan: null,
    result: {
      described: [{ stretch: stretch(0) }, { stretch: stretch(20), refusal }, { stretch: stretch(40), refusal }],
      added: { cues: [cue("n1", 2), cue("n2", 4)], sounds: [{ clipName: "one.wav" }, { clipName: "two.wav" }] },
      notices: ["Noted: one.", "Noted: two."],
    },
    isWritten: true,
    ...more,
  } as unknown as Conformed;
}
const call = { out: "out.otio" } as unknown as ConformCall;

function said(done: Conformed) {
  const [printed, told]: string[][] = [[], []];
  printConformed(call, done, { print: (line) => printed?.push(line), tell: (line) => told?.push(line) });
  return { printed: printed ?? [], told: told ?? [] };
}

describe("what is said of a cut that was followed", () => {
  test("is each description that needs a look, each new one, and how many there are of each kind", () => {
    const { printed } = said(conformed());
    const [table = "", sum] = printed;
    const rows = table.trim().split("\n").slice(1);
    expect(rows.map((row) => row.split(/ {2,}/).slice(0, 3))).toEqual([
      ["01:00:01:00", "touched", "b"],
      ["01:00:01:00", "orphaned", "c"],
      ["01:00:02:00", "new", "n1"],
      ["01:00:04:00", "new", "n2"],
    ]);
    expect(rows[0]).toContain(CONFORM_REASONS["picture-cut"]);
    expect(rows[1]).toContain(CONFORM_REASONS["picture-gone"]);
    expect(rows[0]?.endsWith("words of b ".padEnd(40, "x"))).toBe(true);
    expect(sum).toBe("5 descriptions: 1 unchanged, 2 moved, 1 touched, 1 orphaned, 2 new. Written to out.otio.");
  });

  test("is each stretch that was not described, each loss and each notice, on the error output", () => {
    expect(said(conformed()).told).toEqual([
      "Not described: 01:00:20:00 to 01:00:30:00. Nobody speaks.",
      "Not described: 01:00:40:00 to 01:00:50:00. Nobody speaks.",
      "Lost: one.",
      "Lost: two.",
      "Noted: one.",
      "Noted: two.",
    ]);
  });

  test("is that nothing was written, and that the narration is to be made again", () => {
    const done = conformed({ result: null, isWritten: false, conform: { descriptions: [], isStemStale: true } });
    const { printed } = said(done);
    expect(printed[0]).toBe("0 descriptions: 0 unchanged, 0 moved, 0 touched, 0 orphaned. Nothing was written.");
    expect(printed[1]).toContain("aside revoice");
    expect(printed.length).toBe(2);
  });

  test("for scripts has every stretch with its refusal, every new cue and every clip", () => {
    const plan = { stretches: [stretch(0), stretch(20), stretch(40)], seconds: 30, estimate: { credits: { text: 1 } } };
    const stretches = [stretch(0), { ...stretch(20), refusal }, { ...stretch(40), refusal }];
    const told = { stretches, cues: [cue("n1", 2), cue("n2", 4)], notices: ["Noted: one.", "Noted: two."] };
    expect(reportOf(call, conformed({ plan }))).toMatchObject({
      out: "out.otio",
      new: { ...told, clips: ["one.wav", "two.wav"] },
    });
    const silent = { ...call, describesNew: { track: "none" } } as unknown as ConformCall;
    expect(reportOf(silent, conformed({ plan }))).toMatchObject({ new: { ...told, clips: [] } });
    expect(reportOf(call, conformed({ isWritten: false }))).toMatchObject({
      out: null,
      losses: ["Lost: one.", "Lost: two."],
    });
  });
});
