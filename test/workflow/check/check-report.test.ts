import { describe, expect, test } from "vitest";
import type { Finding } from "../../../src/core/finding.ts";
import { checkReportData, checkReportPage } from "../../../src/workflow/check/check-report.ts";
import { CONTEXT, checkedHarbour, LOUDNESS } from "./harbour.ts";

test("loudness is told file by file, to a tenth, and what nobody measured is not told", () => {
  expect(checkReportData(checkedHarbour(), { ...CONTEXT, loudness: LOUDNESS })).toMatchObject({
    loudness: [
      {
        file: "mix <1>.wav",
        integrated_lufs: -23,
        dialogue_lufs: null,
        loudness_range_lu: 6.5,
        maximum_momentary_lufs: -15.5,
        maximum_short_term_lufs: -18.2,
        true_peak_dbtp: -3.2,
        asked: "programme -23 ± 0.5 LUFS",
        source: "EBU R 128",
        met: true,
      },
      { file: "voice.wav", integrated_lufs: null, true_peak_dbtp: null },
    ],
  });
  const page = checkReportPage(checkedHarbour(), { ...CONTEXT, loudness: LOUDNESS });
  expect(page).toContain("<td>mix &lt;1&gt;.wav</td><td>-23.0</td><td>none</td>");
  expect(page).toContain("<td>voice.wav</td><td>none</td><td>not measured</td>");
  expect(checkReportPage(checkedHarbour(), CONTEXT)).not.toContain("Integrated, LUFS");
});

test("the report as data says what was found, in which profile, with which verdict", () => {
  expect(checkReportData(checkedHarbour(), CONTEXT)).toMatchObject({ verdict: "fail", files: ["harbour.otio"] });
});

/** The cells of each row of a table, by the table's caption. */
function rowsOf(page: string, caption: string): string[][] {
  const [, body = ""] = new RegExp(`<caption>${caption}</caption>.*?<tbody>(.*?)</tbody>`, "s").exec(page) ?? [];
  const cells = (row: string) => [...row.matchAll(/<t[dh][^>]*>(.*?)<\/t[dh]>/gs)].map(([, cell]) => cell ?? "");
  return [...body.matchAll(/<tr[^>]*>(.*?)<\/tr>/gs)].map(([, row]) => cells(row ?? ""));
}

/** The headings of a table, by its caption. */
function headOf(page: string, caption: string): string[] {
  const [, head = ""] = new RegExp(`<caption>${caption}</caption><thead>(.*?)</thead>`, "s").exec(page) ?? [];
  return [...head.matchAll(/<th scope="col">(.*?)<\/th>/g)].map(([, title]) => title ?? "");
}

test("every table names its columns, as many as its rows have cells, and nothing of a page is left open", () => {
  const page = checkReportPage(checkedHarbour(), { ...CONTEXT, loudness: LOUDNESS });
  const heads = {
    "Findings, in order of rule and time": "Result, At, Finding, Description, Measured, Limit, Basis",
    "Loudness of the sound files":
      "File, Integrated, LUFS, Dialogue, LUFS, Range, LU, Highest momentary, LUFS, Highest short-term, LUFS, True peak, dBTP, Asked for, Basis",
    "Descriptions, as they are heard": "Description, Starts, Length, Words, Findings",
    "Limits of the profile": "Check, Look at it, Fails, Basis",
  };
  for (const [caption, head] of Object.entries(heads)) {
    expect(headOf(page, caption).join(", ")).toBe(head);
    const rows = rowsOf(page, caption);
    expect(rows.length).toBeGreaterThan(0);
    for (const cells of rows) expect(cells).toHaveLength(headOf(page, caption).length);
  }
  // No word of a page stands between its tables and rows.
  expect(page.replace(/<(style|svg)[^>]*>.*?<\/\1>/gs, "").replace(/<[^>]*>/g, "|")).not.toMatch(/\|,|undefined|NaN/);
  expect(page.replace(/<t[hd][^>]*>.*?<\/t[hd]>/gs, "")).toMatch(/<tbody>(<tr[^>]*><\/tr>\n?)+<\/tbody>/);
  const rest = page.slice(page.indexOf("<h2>Limits")).replace(/<(caption|th|td|h2)[^>]*>.*?<\/\1>/gs, "");
  expect(rest.replace(/<[^>]*>/g, "").trim()).toBe("");
  expect(page).toContain("Checked: harbour.otio, 2026-01-01T00:00:00Z, with Aside 0.1.0.");
  const two = checkReportPage(checkedHarbour(), { ...CONTEXT, files: ["a.otio", "b.wav"] });
  expect(two).toContain("Checked: a.otio, b.wav, 2026");
  expect(page).not.toContain('id="loudness"></h2>');
  expect(checkReportData(checkedHarbour(), CONTEXT)).toMatchObject({ generator: "aside", version: "0.1.0" });
});

describe("the report as a page", () => {
  const found = (changes: Partial<Finding>): Finding => ({
    rule: "r",
    severity: "warn",
    cueIds: [],
    message: "it is so",
    ...changes,
  });
  const HEARD = [
    { id: "cue 1", start: 1, end: 2, text: 'We see "<b>a rabbit</b>" & a bird.' },
    { id: "b", start: 2.5, end: 4.05, text: "He runs." },
  ];
  const having = (findings: readonly Finding[], heardCues = HEARD) => ({ ...checkedHarbour(), findings, heardCues });

  test("tells of each finding how grave it is, where, which descriptions it is of, and what was measured against what", () => {
    const findings = [
      found({ severity: "fail", cueIds: ["b", "cue 1"], measured: 1.234, limit: 0.2, unit: "s", source: "a <book>" }),
      found({ range: { start: 7, end: 9 }, measured: 3 }),
      found({ severity: "note", message: "a < b", limit: 4, unit: "words" }),
    ];
    expect(rowsOf(checkReportPage(having(findings), CONTEXT), "Findings, in order of rule and time")).toEqual([
      [
        "Fails",
        "at 2.5",
        "it is so.",
        '<a href="#c-b">b</a> <a href="#c-cue_321">cue 1</a>',
        "1.23 s",
        "0.2 s",
        "a &lt;book&gt;",
      ],
      ["Look at it", "at 7", "it is so.", "", "3 ", "", ""],
      ["Note", "whole", "a &lt; b.", "", "", "4 words", ""],
    ]);
    expect(checkReportPage(having([]), CONTEXT)).toContain('<h2 id="findings">Findings</h2>\n<p>None.</p>');
  });

  test("gives its verdict by the gravest finding, and counts what it tells of", () => {
    const verdict = (...severities: Finding["severity"][]) => {
      const checked = having(severities.map((severity) => found({ severity })));
      const { verdict: word } = checkReportData(checked, CONTEXT);
      const [, strong] = /<strong>(\w+)/.exec(checkReportPage(checked, CONTEXT)) ?? [];
      return [word, strong];
    };
    expect(verdict("note", "warn", "fail")).toEqual(["fail", "Fails"]);
    expect(verdict("note", "warn")).toEqual(["warn", "Passes"]);
    expect(verdict("note")).toEqual(["pass", "Passes"]);
    const page = checkReportPage({ ...having([found({}), found({ severity: "note" })]), coverage: 0.256 }, CONTEXT);
    expect(page).toContain(
      "<p>2 descriptions in 30.0 seconds. 0 fail, 1 to look at, 1 notes. Descriptions use 26 % of the usable pauses.</p>",
    );
    expect(page).toContain("Passes, with things to look at.");
    expect(checkReportPage({ ...having([]), coverage: null }, CONTEXT)).not.toContain("usable pauses.<");
  });

  test("lists each description as it is heard, with what was found of it, and its picture where there is one", () => {
    const findings = [found({ cueIds: ["cue 1"] }), found({ cueIds: ["b", "cue 1"], message: "they touch" })];
    const caption = "Descriptions, as they are heard";
    const words = '<span lang="en-US">We see &quot;&lt;b&gt;a rabbit&lt;/b&gt;&quot; &amp; a bird.</span>';
    const page = checkReportPage(having(findings), CONTEXT);
    expect(rowsOf(page, caption)).toEqual([
      ["cue 1", "at 1", "1.0 s", words, "it is so; they touch"],
      ["b", "at 2.5", "1.5 s", '<span lang="en-US">He runs.</span>', "they touch"],
    ]);
    expect(page).toContain('<tr id="c-cue_321">');
    expect(page).not.toContain('<th scope="col">Picture</th>');
    const pictureOf = (id: string) => (id === "b" ? "pictures/b&1.jpg" : undefined);
    const shown = checkReportPage(having([]), { ...CONTEXT, pictureOf });
    expect(rowsOf(shown, caption).map((cells) => cells.slice(4))).toEqual([
      ["none", "none"],
      ["none", '<img src="pictures/b&amp;1.jpg" alt="Picture at at 3.275" width="240" loading="lazy">'],
    ]);
    expect(shown).toContain('<th scope="col">Picture</th>');
    expect(checkReportPage(having([], []), CONTEXT)).toContain("<p>None were given.</p>");
  });

  test("names every limit that was held against, and what was asked for beside the profile", () => {
    const demands = [["loudness", "-23 <LUFS>", "R 128"]] as const;
    const rows = rowsOf(checkReportPage(checkedHarbour(), { ...CONTEXT, demands }), "Limits of the profile");
    expect(rows[0]).toEqual(["loudness", "", "-23 &lt;LUFS&gt;", "R 128"]);
    const limits = Object.entries(checkedHarbour().profile).filter(
      ([, value]) => typeof value === "object" && "warn" in value,
    );
    expect(rows.slice(1).map(([name]) => name)).toEqual(limits.map(([name]) => name));
    const { warn, fail, source } = checkedHarbour().profile.clearance;
    expect(rows).toContainEqual(["clearance", `${warn} s`, `${fail} s`, source]);
  });

  test("says of each sound what was measured, what was asked, and whether it is met", () => {
    const [first] = LOUDNESS;
    if (first === undefined) throw new Error("it is there");
    const missed = {
      ...first,
      dialogueLufs: -24.04,
      asked: { ...first.asked, demand: "a", source: "b", isMet: false },
    };
    const page = checkReportPage(checkedHarbour(), { ...CONTEXT, loudness: [...LOUDNESS, missed] });
    expect(rowsOf(page, "Loudness of the sound files")).toEqual([
      [
        "mix &lt;1&gt;.wav",
        "-23.0",
        "none",
        "6.5",
        "-15.5",
        "-18.2",
        "-3.2",
        "programme -23 ± 0.5 LUFS: met",
        "EBU R 128",
      ],
      ["voice.wav", "none", "not measured", "", "", "", "none", "nothing", ""],
      ["mix &lt;1&gt;.wav", "-23.0", "-24.0", "6.5", "-15.5", "-18.2", "-3.2", "a: not met", "b"],
    ]);
    for (const name of ["File", "Integrated, LUFS", "True peak, dBTP", "Asked for", "Basis"]) {
      expect(page).toContain(`<th scope="col">${name}</th>`);
    }
    expect(checkReportPage(checkedHarbour(), { ...CONTEXT, loudness: [] })).not.toContain("Integrated, LUFS");
  });
});
