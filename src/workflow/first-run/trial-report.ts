import type { TrialOutcome } from "./try-everything.ts";

/** Shortest name that is looked for in a finding: a shorter one says nothing, and stands in ordinary words. */
const SHORTEST_NAME = 3;

/** What stands at the head of a report. */
export interface ReportHead {
  /** What runs where, by name. */
  readonly versions: Readonly<Record<string, string>>;
  readonly date: string;
  /** Further names, addresses and keys that it must not tell. */
  readonly secrets: readonly string[];
}

/** The report of a first run as a text that may be handed on: no key, no path, no name, no word of the programme. */
export function trialReport({ answers, names }: TrialOutcome, { versions, date, secrets }: ReportHead): string {
  const count = (outcome: string) => answers.filter((answer) => answer.outcome === outcome).length;
  const kinds = ["answered", "refused", "late", "not asked"].map((outcome) => `${count(outcome)} ${outcome}`);
  return [
    "Aside: everything tried on a copy",
    date,
    ...Object.entries(versions).map(([name, version]) => `${name}: ${version}`),
    `${answers.length} questions: ${kinds.join(", ")}`,
    "",
    ...answers.map(({ name, finding, code }) => `${name}: ${withoutNames(finding, [...names, ...secrets])} [${code}]`),
    "",
  ].join("\n");
}

/** A finding without the names given, without paths and without whatever stands in quotation marks. */
export function withoutNames(finding: string, names: readonly string[]): string {
  const told = [...new Set(names)].filter(({ length }) => length >= SHORTEST_NAME).sort((a, b) => b.length - a.length);
  const unnamed = told.reduce((text, name) => text.replaceAll(name, "(name)"), finding);
  return unnamed
    .replace(/"[^"]*"|'[^']*'|“[^”]*”/g, "(name)")
    .replace(/(?:\b[A-Za-z]:[\\/]|\\\\|(?<![\w.])\/(?=[\w~.]))[^;\n]*/g, "(path)");
}
