import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { COMMANDS } from "../../src/cli/command-line.ts";
import { helpOf } from "../../src/cli/shell/command.ts";
import { CLI_MEANINGS, NEXT_STEPS, START_MEANINGS } from "../../src/cli/shell/failure.ts";
import { EXIT } from "../../src/cli/shell/usage-error.ts";
import { explainedCodes } from "../explained-codes.ts";

const PAGE = readFileSync(new URL("../../docs/command-line.md", import.meta.url), "utf8");

/** Rows of the first table after a heading, as lists of cells. */
function tableAfter(heading: string): string[][] {
  const from = PAGE.indexOf(`\n${heading}\n`);
  if (from < 0) throw new Error(`the page has no "${heading}"`);
  const rows: string[][] = [];
  for (const line of PAGE.slice(from + heading.length + 2).split("\n")) {
    if (line.startsWith("#") || (rows.length > 0 && !line.startsWith("|"))) break;
    if (line.startsWith("|")) rows.push(line.slice(2, -2).split(" | "));
  }
  return rows.slice(2);
}

describe("the page of the command line", () => {
  test.each(COMMANDS)("has every option of $name, with the words of its help, and no other", ({ name, options }) => {
    const expected = Object.entries(options).map(([option, { value, help }]) => [
      `\`--${option}${value === undefined ? "" : ` ${value}`}\``,
      help,
    ]);
    expect(tableAfter(`## aside ${name}`)).toEqual([...expected, ["`--help`", "Show this help."]]);
  });

  test("has every exit code", () => {
    expect(tableAfter("## Exit codes").map(([code]) => Number(code))).toEqual(Object.values(EXIT));
  });

  test.each([
    ["service", "### The service refuses a request"],
    ["job", "### An accepted job fails"],
    ["client", "### The exchange fails"],
    ["host", "### A file or folder is in the way"],
    ["workflow", "### Something given to the run cannot be used"],
  ])("has every code of %s, with the sentence and the next step that are shown", (origin, heading) => {
    const rows = explainedCodes().filter((row) => row.origin === origin);
    const expected = rows.map(({ code, sentence, next }) => [`\`${code}\``, sentence, NEXT_STEPS[code] ?? next]);
    expect(tableAfter(heading)).toEqual(expected);
  });

  test("has every reason why a service does not start, and the codes of the command line itself", () => {
    const rows = (words: object) => Object.entries(words).map(([code, meaning]) => [`\`${code}\``, meaning]);
    expect(tableAfter("### A service of your own does not start or obey")).toEqual(rows(START_MEANINGS));
    expect(tableAfter("### The command line itself")).toEqual(rows(CLI_MEANINGS));
  });

  test("every next step of the command line belongs to a code that exists", () => {
    const codes = explainedCodes().map(({ code }) => code);
    expect(Object.keys(NEXT_STEPS).filter((code) => !codes.includes(code))).toEqual([]);
  });
});

test.each(COMMANDS)("the help of $name fits a terminal of 120 columns and names every option", async (command) => {
  const help = await helpOf(command);
  for (const option of Object.keys(command.options)) expect(help).toContain(`--${option}`);
  const lines = help.split("\n").slice(0, -command.notes.length * 2);
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(120);
});
