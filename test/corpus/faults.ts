import { readdirSync, readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { EXIT } from "../../src/cli/shell/usage-error.ts";
import { asideHere } from "../cli/run-aside.ts";

/** What is right for one input, as its `expected.json` states it. */
export interface ExpectedReading {
  /** Cues in order; an end of `null` is an estimate, of any length. */
  readonly cues?: readonly { readonly start: number; readonly end: number | null; readonly text: string }[];
  /** Why it is to be refused. */
  readonly refuse?: string;
  /** How far times may lie off, in seconds. */
  readonly tolerance?: number;
  /** Options of the command line. */
  readonly args?: readonly string[];
  /** One of these is to be told. */
  readonly says?: readonly string[];
}

/** How a conversion ended, with all that it said. */
interface Converted {
  readonly exit: number;
  readonly said: string;
  readonly cues: readonly { readonly start_time: number; readonly end_time: number; readonly description: string }[];
  /** Options that choose one of its readings, where it was unsure. */
  readonly options: readonly string[];
}

/** How far times may lie off where nothing is stated, in seconds. */
const TOLERANCE_SECONDS = 0.02;

/** Names of the inputs of a folder that state what is right: a file beside its `.expected.json`. */
export function inputsOf(folder: string): string[] {
  const names = readdirSync(folder);
  return names
    .filter((name) => names.includes(`${name}.expected.json`))
    .filter((name) => {
      const expected = expectationOf(join(folder, name));
      return expected.cues !== undefined || expected.refuse !== undefined;
    })
    .sort();
}

/** What is right for an input. */
export function expectationOf(path: string): ExpectedReading {
  // The corpora are fixed data whose shape their README states.
  return JSON.parse(readFileSync(`${path}.expected.json`, "utf8")) as ExpectedReading;
}

/**
 * What is wrong with how `aside convert` reads an input: nothing where it is right, or unsure with a reading that is. An
 * input to be refused may be unsure without one: nothing of it is used either way.
 *
 * @param folder Where conversions may be written.
 */
export async function faultsOf(path: string, expected: ExpectedReading, folder: string): Promise<string[]> {
  const args = expected.args ?? [];
  const first = await converted(path, args, folder);
  if (expected.refuse !== undefined) {
    if (first.exit === EXIT.done) return [`read as ${first.cues.length} cues in place of a refusal`];
    return unsaid(first, expected);
  }
  if (first.options.length === 0) return faultsAmong(first, expected);
  for (const option of first.options) {
    const chosen = await converted(path, [...args, ...option.split(/\s+/)], folder);
    if (faultsAmong(chosen, expected).length === 0) return [];
  }
  return [`unsure, and none of its readings is right: ${first.options.join(", ")}`];
}

function faultsAmong(read: Converted, expected: ExpectedReading): string[] {
  if (read.exit !== EXIT.done) return [`refused: ${read.said}`];
  const wanted = expected.cues ?? [];
  const near = (a: number, b: number) => Math.abs(a - b) <= (expected.tolerance ?? TOLERANCE_SECONDS);
  const counted = wanted.length === read.cues.length ? [] : [`${read.cues.length} cues, ${wanted.length} wanted`];
  const wrong = wanted.flatMap((cue, index) => {
    const found = read.cues[index];
    if (found === undefined) return [];
    const { start_time: start, end_time: end, description: words } = found;
    return [
      ...(near(start, cue.start) ? [] : [`cue ${index + 1} starts ${start}, ${cue.start} wanted`]),
      ...(cue.end === null || near(end, cue.end) ? [] : [`cue ${index + 1} ends ${end}, ${cue.end} wanted`]),
      ...(words === cue.text ? [] : [`cue ${index + 1} says "${words}", "${cue.text}" wanted`]),
    ];
  });
  return [...counted, ...wrong, ...unsaid(read, expected)];
}

function unsaid({ said }: Converted, { says = [] }: ExpectedReading): string[] {
  const isSaid = says.length === 0 || says.some((words) => said.toLowerCase().includes(words.toLowerCase()));
  return isSaid ? [] : [`not said: ${says.join(" / ")}`];
}

let conversions = 0;

/** Converts a file to JSON in this process; what it says is its report, or why it failed. */
async function converted(path: string, args: readonly string[], folder: string): Promise<Converted> {
  conversions += 1;
  const target = join(folder, `${conversions}.json`);
  const { code, stdout, stderr } = await asideHere(["convert", path, target, "--to", "json", "--json", ...args]);
  const text = await readFile(target, "utf8").catch(() => "[]");
  const said = `${stderr}${stdout}`.replaceAll(target, "").replaceAll(path, "").replaceAll(basename(path), "");
  return {
    exit: code ?? EXIT.failed,
    said,
    cues: JSON.parse(text),
    options: optionsIn(stdout.trimEnd().split("\n").at(-1) ?? ""),
  };
}

function optionsIn(report: string): string[] {
  if (!report.startsWith("{")) return [];
  const { verdict } = JSON.parse(report);
  if (verdict?.kind !== "unsure") return [];
  return verdict.readings.map(({ option }: { readonly option: string }) => option);
}
