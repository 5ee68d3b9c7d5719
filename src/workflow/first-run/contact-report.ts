import type { Contact } from "../../host/contact.ts";
import { withoutNames } from "./trial-report.ts";

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
