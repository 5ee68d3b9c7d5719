import { readFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { type Format, FormatProbe, rowsOf } from "../../src/formats/format.ts";
import { type DocumentFormat, FORMATS, formatOfName, OFFICE, WRITABLE_FORMATS } from "../../src/formats/index.ts";
import { CAPTION_ENDINGS, SCRIPT_ENDINGS } from "../../src/formats/service-formats.ts";

const ROWS = rowsOf<DocumentFormat>(FORMATS);

/** A row of the table in docs/command-line.md. */
function tableRow({ endings, title }: Pick<Format, "endings" | "title">, isWritten: boolean): string {
  const shown = endings.map((ending) => `\`.${ending}\``).join(", ");
  return `| ${shown} | ${title} | ${isWritten ? "yes" : "no"} |`;
}

describe("the registry of formats", () => {
  test("no ending belongs to two formats, and each leads to its own", () => {
    const endings = ROWS.flatMap(([, row]) => row.endings);
    expect(new Set(endings).size).toBe(endings.length);
    for (const [name, row] of ROWS) for (const ending of row.endings) expect(formatOfName(`A.b.${ending}`)).toBe(name);
  });

  test("every format reads cues or a sequence, and none shows itself in nothing", () => {
    for (const [name, row] of ROWS) {
      const { read, readTimeline, shows }: Format = row;
      expect([name, (read === undefined) !== (readTimeline === undefined)]).toEqual([name, true]);
      for (const text of ["", " \n", "a", "\ufeff"])
        expect([name, shows(new FormatProbe(text), false)]).toEqual([name, 0]);
    }
  });

  test("what is written follows from the writers", () => {
    const writers = ROWS.filter(([, { write, writeTimeline }]) => write !== undefined || writeTimeline !== undefined);
    expect([...WRITABLE_FORMATS]).toEqual(writers.map(([name]) => name));
  });

  test("the panel offers the files that a service takes", () => {
    expect(SCRIPT_ENDINGS).toEqual(["vtt", "webvtt", "edl", "srt", "json", "txt"]);
    expect(CAPTION_ENDINGS).toEqual(["vtt", "webvtt", "srt", "txt"]);
  });

  test("docs/command-line.md lists them as they are", async () => {
    const page = await readFile("docs/command-line.md", "utf8");
    const table = /\| Ending \| Format \| Written \|\n\|---\|---\|---\|\n((?:\|.*\n)+)/.exec(page)?.[1] ?? "";
    const rows = ROWS.filter(([, { endings }]) => endings.length > 0);
    const written = new Set<string>(WRITABLE_FORMATS);
    expect(table.trimEnd().split("\n")).toEqual([
      ...rows.map(([name, row]) => tableRow(row, written.has(name))),
      ...Object.values(OFFICE).map((row) => tableRow(row, true)),
    ]);
  });
});
