import { expect, test } from "vitest";
import { orderOf } from "../../../../panel/controllers/describe/new-job.ts";
import { FIRST_FORM } from "../../../../panel/state/form.ts";
import { firstState } from "../../../../panel/state/panel-state.ts";
import { receiptLines } from "../../../../src/core/verdict.ts";
import { jobEntry } from "../../session-in-memory.ts";

test("all that was read of the texts of a form is told with the order, line by line, each with the name of its file", () => {
  const receipt = { facts: ["2 captions", "zero is 00:00:00"], leftOut: [{ what: "line without words", count: 3 }] };
  const fileOf = (filename: string) => ({ filename, content: "words", receipt });
  const form = { ...FIRST_FORM, captionSource: "file", captionFile: fileOf("c.srt"), scriptFile: fileOf("s.vtt") } as const; // biome-ignore format: one form
  const { told = [] } = orderOf(firstState("http://127.0.0.1:8420", 0), jobEntry({ form }), false);
  const lines = receiptLines(receipt);
  expect(lines).toHaveLength(3);
  expect(told).toEqual(
    ["c.srt", "s.vtt"].flatMap((name) => lines.map((line) => expect.stringContaining(`“${name}”: ${line}.`))),
  );
});
