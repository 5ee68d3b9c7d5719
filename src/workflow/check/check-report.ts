import type { Cue } from "../../core/cue.ts";
import type { Finding, FindingSeverity } from "../../core/finding.ts";
import { shownLevel } from "../../core/level.ts";
import { escapeHtml } from "../../core/text.ts";
import { drawProgramme } from "./check-drawing.ts";
import type { CheckedResult } from "./check-result.ts";

/** What a report says beside the result. */
export interface CheckReportContext {
  readonly title: string;
  /** BCP-47 code of the descriptions. */
  readonly language: string;
  /** ISO 8601. */
  readonly checkedAt: string;
  /** Version of this project. */
  readonly version: string;
  /** Names of the files that were checked, without folders. */
  readonly files: readonly string[];
  /** Loudness of the programme for the drawing, ten a second; empty where there is none. */
  readonly levels: readonly number[];
  /** Timecode of a time on the programme clock. */
  readonly labelAt: (seconds: number) => string;
  /** Address of the picture that a description lies over, from where the page lies; by default, and where there is none, none. */
  readonly pictureOf?: (cueId: string) => string | undefined;
  /** Loudness of the sound files that were measured; absent for none. */
  readonly loudness?: readonly LoudnessRow[];
  /** What was asked for beside the limits of the profile: name, demand, source. */
  readonly demands?: readonly (readonly [name: string, demand: string, source: string])[];
}

/** The loudness of a sound file, as BS.1770 meters show it, beside what was asked for. */
export interface LoudnessRow {
  readonly file: string;
  /** Integrated over the whole, in LUFS (LKFS is the same); `null` for silence. */
  readonly integratedLufs: number | null;
  /** Over the stretches in which somebody speaks; `null` where nobody does, absent where nobody listened. */
  readonly dialogueLufs?: number | null;
  /** In LU (EBU Tech 3342). */
  readonly rangeLu?: number;
  /** Highest of any 400 ms and of any 3 s, in LUFS (EBU Tech 3341). */
  readonly momentaryLufs?: number;
  readonly shortTermLufs?: number;
  readonly truePeakDbtp: number | null;
  /** What is asked of this file, in words, where it comes from, and whether it is met; absent where nothing is. */
  readonly asked?: { readonly demand: string; readonly source: string; readonly isMet: boolean };
}

const SEVERITIES: Readonly<Record<FindingSeverity, string>> = { fail: "Fails", warn: "Look at it", note: "Note" };

/** What a check came to, in one word: `fail` when a limit is broken. */
function verdictOf(findings: readonly Finding[]): "pass" | "warn" | "fail" {
  if (findings.some(({ severity }) => severity === "fail")) return "fail";
  return findings.some(({ severity }) => severity === "warn") ? "warn" : "pass";
}

/** The report as plain data: no path, no key, no address. */
export function checkReportData(checked: CheckedResult, context: CheckReportContext) {
  const { findings, profile, durationSeconds, heardCues, coverage } = checked;
  return {
    generator: "aside",
    version: context.version,
    checked_at: context.checkedAt,
    title: context.title,
    files: context.files,
    verdict: verdictOf(findings),
    profile,
    duration_seconds: durationSeconds,
    coverage,
    findings,
    cues: heardCues,
    ...(context.loudness === undefined ? {} : { loudness: context.loudness.map(loudnessData) }),
    speech: checked.speech,
    gaps: checked.gaps,
  };
}

/**
 * The report as one page that needs nothing else: a verdict and a summary in words first, then the drawing, then tables
 * with headings and links between findings and descriptions. It reads in a screen reader from top to bottom, and prints.
 */
export function checkReportPage(checked: CheckedResult, context: CheckReportContext): string {
  const title = `Check of ${context.title}`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>${escapeHtml(title)}</h1>
${summary(checked, context)}
<h2>Drawing</h2>
<div class="wide" role="region" aria-label="Drawing" tabindex="0">${drawProgramme(checked, context.levels)}</div>
<h2 id="findings">Findings</h2>
${findingsTable(checked, context)}
${loudnessTable(context)}<h2 id="descriptions">Descriptions</h2>
${cuesTable(checked, context)}
<h2>Limits</h2>
${limitsTable(checked, context)}
</main>
</body>
</html>
`;
}

const VERDICTS = {
  pass: "Passes. No limit is broken.",
  warn: "Passes, with things to look at.",
  fail: "Fails. A limit is broken.",
} as const;

function summary(checked: CheckedResult, context: CheckReportContext): string {
  const { findings, profile, heardCues, coverage, durationSeconds } = checked;
  const count = (severity: FindingSeverity) => findings.filter((finding) => finding.severity === severity).length;
  const share = coverage === null ? "" : ` Descriptions use ${Math.round(coverage * 100)} % of the usable pauses.`;
  const text =
    `${heardCues.length} descriptions in ${durationSeconds.toFixed(1)} seconds. ` +
    `${count("fail")} fail, ${count("warn")} to look at, ${count("note")} notes.${share}`;
  return `<p class="verdict"><strong>${VERDICTS[verdictOf(findings)]}</strong></p>
<p>${escapeHtml(text)}</p>
<p>Profile: ${escapeHtml(profile.title)}. Checked: ${escapeHtml(context.files.join(", "))}, ${escapeHtml(context.checkedAt)}, with Aside ${escapeHtml(context.version)}.</p>`;
}

function findingsTable({ findings, heardCues }: CheckedResult, context: CheckReportContext): string {
  if (findings.length === 0) return "<p>None.</p>";
  const rows = findings.map((finding) => {
    const at = heardCues.find(({ id }) => id === finding.cueIds[0])?.start ?? finding.range?.start;
    const links = finding.cueIds.map((id) => `<a href="#${anchorOf(id)}">${escapeHtml(id)}</a>`).join(" ");
    const { measured, limit, unit = "" } = finding;
    const numbers = measured === undefined ? "" : `${rounded(measured)} ${unit}`;
    const against = limit === undefined ? "" : `${rounded(limit)} ${unit}`;
    return row([
      SEVERITIES[finding.severity],
      at === undefined ? "whole" : escapeHtml(context.labelAt(at)),
      `${escapeHtml(finding.message)}.`,
      links,
      escapeHtml(numbers),
      escapeHtml(against),
      escapeHtml(finding.source ?? ""),
    ]);
  });
  const head = ["Result", "At", "Finding", "Description", "Measured", "Limit", "Basis"];
  return table("Findings, in order of rule and time", head, rows);
}

/** A row with the field names of reports, to a tenth, as meters show it. */
function loudnessData(loudness: LoudnessRow) {
  const { file, integratedLufs, dialogueLufs, rangeLu, momentaryLufs, shortTermLufs, truePeakDbtp, asked } = loudness;
  const figures = {
    integrated_lufs: integratedLufs,
    dialogue_lufs: dialogueLufs,
    loudness_range_lu: rangeLu,
    maximum_momentary_lufs: momentaryLufs,
    maximum_short_term_lufs: shortTermLufs,
    true_peak_dbtp: truePeakDbtp,
  };
  const shown = Object.entries(figures).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value === null ? null : shownLevel(value)]],
  );
  return {
    file,
    ...Object.fromEntries(shown),
    ...(asked === undefined ? {} : { asked: asked.demand, source: asked.source, met: asked.isMet }),
  };
}

function loudnessTable({ loudness = [] }: CheckReportContext): string {
  if (loudness.length === 0) return "";
  const shown = (value: number | null | undefined, absent: string) =>
    value === undefined ? absent : value === null ? "none" : shownLevel(value).toFixed(1);
  const rows = loudness.map(({ file, asked, ...level }) =>
    row([
      escapeHtml(file),
      shown(level.integratedLufs, ""),
      shown(level.dialogueLufs, "not measured"),
      shown(level.rangeLu, ""),
      shown(level.momentaryLufs, ""),
      shown(level.shortTermLufs, ""),
      shown(level.truePeakDbtp, ""),
      asked === undefined ? "nothing" : escapeHtml(`${asked.demand}: ${asked.isMet ? "met" : "not met"}`),
      escapeHtml(asked?.source ?? ""),
    ]),
  );
  const head = [
    "File",
    "Integrated, LUFS",
    "Dialogue, LUFS",
    "Range, LU",
    "Highest momentary, LUFS",
    "Highest short-term, LUFS",
  ];
  const all = [...head, "True peak, dBTP", "Asked for", "Basis"];
  return `<h2 id="loudness">Loudness</h2>\n${table("Loudness of the sound files", all, rows)}\n`;
}

function cuesTable({ findings, heardCues }: CheckedResult, context: CheckReportContext): string {
  if (heardCues.length === 0) return "<p>None were given.</p>";
  const isShown = heardCues.some(({ id }) => context.pictureOf?.(id) !== undefined);
  const rows = heardCues.map((cue) => {
    const own = findings.filter(({ cueIds }) => cueIds.includes(cue.id)).map(({ message }) => message);
    const cells = [
      escapeHtml(context.labelAt(cue.start)),
      `${(cue.end - cue.start).toFixed(1)} s`,
      `<span lang="${escapeHtml(context.language)}">${escapeHtml(cue.text)}</span>`,
      own.length === 0 ? "none" : escapeHtml(own.join("; ")),
      ...(isShown ? [pictureOf(cue, context)] : []),
    ];
    return `<tr id="${anchorOf(cue.id)}"><th scope="row">${escapeHtml(cue.id)}</th>${cells.map((cell) => `<td>${cell}</td>`).join("")}</tr>`;
  });
  const head = ["Description", "Starts", "Length", "Words", "Findings", ...(isShown ? ["Picture"] : [])];
  return table("Descriptions, as they are heard", head, rows);
}

function pictureOf({ id, start, end }: Cue, { pictureOf: addressOf, labelAt }: CheckReportContext): string {
  const address = addressOf?.(id);
  if (address === undefined) return "none";
  return `<img src="${escapeHtml(address)}" alt="Picture at ${escapeHtml(labelAt((start + end) / 2))}" width="240" loading="lazy">`;
}

function limitsTable({ profile }: CheckedResult, { demands = [] }: CheckReportContext): string {
  const rows = Object.entries(profile).flatMap(([name, limits]) => {
    if (typeof limits !== "object" || !("warn" in limits)) return [];
    const { warn, fail, unit, source } = limits;
    return [row([escapeHtml(name), `${warn} ${escapeHtml(unit)}`, `${fail} ${escapeHtml(unit)}`, escapeHtml(source)])];
  });
  const asked = demands.map(([name, demand, source]) =>
    row([escapeHtml(name), "", escapeHtml(demand), escapeHtml(source)]),
  );
  return table("Limits of the profile", ["Check", "Look at it", "Fails", "Basis"], [...asked, ...rows]);
}

function table(caption: string, head: readonly string[], rows: readonly string[]): string {
  const cells = head.map((title) => `<th scope="col">${title}</th>`).join("");
  // Wide tables scroll by themselves on a narrow page, by keyboard too.
  return `<div class="wide" role="region" aria-label="${caption}" tabindex="0"><table><caption>${caption}</caption><thead><tr>${cells}</tr></thead><tbody>${rows.join("\n")}</tbody></table></div>`;
}

function row(cells: readonly string[]): string {
  return `<tr>${cells.map((cell) => `<td>${cell}</td>`).join("")}</tr>`;
}

/** An id for a row: letters and digits stay, everything else becomes its number. */
function anchorOf(cueId: string): string {
  return `c-${cueId.replace(/[^A-Za-z0-9-]/gu, (character) => `_${character.codePointAt(0)}`)}`;
}

function rounded(value: number): string {
  return String(Math.round(value * 100) / 100);
}

const STYLE = `
:root{color-scheme:light dark}
body{font:1rem/1.5 system-ui,sans-serif;margin:2rem auto;max-width:70rem;padding:0 1rem;color:#1b1b1b;background:#fff}
h1{font-size:1.6rem}h2{font-size:1.2rem;margin-top:2rem}
table{border-collapse:collapse;width:100%}caption{text-align:left;padding:.3rem 0}
th,td{border-bottom:1px solid #767676;padding:.3rem .5rem;text-align:left;vertical-align:top}
a{color:#0645ad}.wide{overflow-x:auto}svg{width:100%;min-width:40rem;height:auto}
svg text{font-size:12px;fill:#1b1b1b}.sound{stroke:#5a5a5a}.speech{fill:#9a4b00}.maybe-speech{fill:none;stroke:#9a4b00;stroke-width:2;stroke-dasharray:4 3}
.gap{fill:#7d9b7d}.cue{fill:#1f5fa8}
.fail{fill:#a40000;stroke:#a40000}.warn{fill:none;stroke:#8a5a00;stroke-width:2}.note{fill:none;stroke:#5a5a5a}
:target{outline:3px solid #1f5fa8}
@media (prefers-color-scheme:dark){body{color:#eee;background:#161616}a{color:#8ab4f8}svg text{fill:#eee}.sound{stroke:#bbb}
.speech{fill:#f0a35e}.maybe-speech{stroke:#f0a35e}.cue{fill:#6ea8fe}.fail{fill:#ff8a8a;stroke:#ff8a8a}.warn{stroke:#ffcf70}.note{stroke:#bbb}}
@media print{.wide{overflow:visible}body{margin:0;max-width:none;color:#000;background:#fff}tr{break-inside:avoid}thead{display:table-header-group}a{color:#000}}
`;
