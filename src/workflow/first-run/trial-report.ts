import type { Contact } from "../../host/contact.ts";
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

/** What a report of the host tells. */
export interface ContactReport {
  readonly versions: Readonly<Record<string, string>>;
  readonly date: string;
  /** What was tried as this version was met; `null` where nothing was yet. */
  readonly contact: Contact | null;
  /** What was learnt, by name. */
  readonly learnt: Readonly<Record<string, string>>;
  /** What went wrong last, in its own words, and what was tried; `null` where nothing did. */
  readonly fault: { readonly code: string; readonly sentence: string; readonly tried: readonly string[] } | null;
  /** How each member of the host has answered so far, a line each. */
  readonly calls: readonly string[];
  /** Names, addresses and keys that it must not tell. */
  readonly secrets: readonly string[];
}

/** The report as a text that may be handed on: no key, no path, no name and no word of the programme. */
export function contactReport(report: ContactReport): string {
  const { versions, date, contact, learnt, fault, calls, secrets } = report;
  const lines = [
    "Aside: what this Premiere answers",
    date,
    ...Object.entries(versions).map(([name, version]) => `${name}: ${version}`),
    "",
    ...(fault === null ? [] : [`What went wrong: ${fault.code}: ${fault.sentence}`, ...fault.tried, ""]),
    contact === null ? "First contact: not made" : `First contact, ${(contact.milliseconds / 1000).toFixed(1)} s:`,
    ...(contact?.answers ?? []).map(({ name, outcome, seen }) => `${name}: ${outcome}: ${seen}`),
    "",
    "Learnt:",
    ...Object.entries(learnt).map(([name, value]) => `${name}: ${value}`),
    "",
    "Members asked, with answers, errors and promises:",
    ...calls,
    "",
  ];
  return lines.map((line) => withoutNames(line, secrets)).join("\n");
}
