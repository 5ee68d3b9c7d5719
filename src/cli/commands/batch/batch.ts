import { resolve } from "node:path";
import { defined } from "../../../core/objects.ts";
import { numberOf } from "../../shell/arguments.ts";
import type { Arguments, Command, Option } from "../../shell/command.ts";
import { tableOf } from "../../shell/output.ts";
import { TEXT_OPTIONS } from "../../shell/run-command.ts";
import { JOBS_STOP_LIMIT_MS } from "../../shell/running-jobs.ts";
import { EXIT, UsageError } from "../../shell/usage-error.ts";
import { DESCRIBE_OPTIONS } from "../describe/describe-call.ts";
import type { BatchItem, BatchResult } from "./batch-plan.ts";
import type { ItemEstimate } from "./prepare-batch.ts";

/** Options of a description that a row gives, or a batch for all its rows. */
const ROW_OPTIONS = [
  "text",
  "track",
  "video",
  "ad-type",
  "resolution",
  "voice",
  "category",
  "instructions",
  "audio-track",
  "min-cue-length",
  "no-auto-fit",
  "no-over-music",
  "volume",
  "volume-level-db",
] as const;

/** Options that concern the batch as a whole. */
const SHARED_OPTIONS = ["server", "data", "force", "resend"] as const;

/** How many descriptions may be made at once. */
const JOBS = { minimum: 1, maximum: 16, usual: 2 };

/** Describes many media in many languages. */
export const BATCH: Command = {
  name: "batch",
  summary: "Describe many videos or timelines, in several languages, from a plan or a list of files.",
  synopsis: "<plan.json, plan.csv, or media ...> --out DIR [options]",
  notes: [
    "A plan has one row per description: media, language, voice, script, timing, out, or any option of aside describe. A\nscript with timing takes its times from there and is fitted to the voice of its language. See docs/command-line.md.",
    "Media may be patterns (*.mp4). With --languages each is described in every language; film.de-DE.vtt beside film.mp4\ngives the words of that language.",
    "Before it begins it says what it will take: minutes, credits, what leaves this computer; --dry-run says it and ends.",
    "Ctrl-C pauses. The same command continues where it stopped, and nothing is paid twice. A failure does not stop the rest;\nthe exit code is 1 then. It is 3 where all is done and lines of a script have no place.",
  ],
  options: {
    out: { value: "DIR", help: "Folder of all results, one folder for each inside it (default: out)." },
    languages: { value: "CODES", help: "Languages of every medium, such as en-US,de-DE." },
    ...pick(ROW_OPTIONS),
    ...pick(SHARED_OPTIONS),
    ...TEXT_OPTIONS,
    jobs: { value: "NUMBER", help: `Make this many at once (default: ${JOBS.usual}).` },
    again: { help: "Repeat what is already done." },
    "dry-run": { help: "Say what would be made and what it takes, and make nothing." },
    json: { help: "Print the summary as JSON, and nothing else, on standard output." },
  },
  stopLimitMs: JOBS_STOP_LIMIT_MS,
  async run(given, { output, screen, env, signal }) {
    const jobs = numberOf(given, "jobs", JOBS) ?? JOBS.usual;
    if (!Number.isInteger(jobs)) throw new UsageError("--jobs is a whole number");
    // Loaded here alone: help, version and the other commands start without them.
    const [{ prepareBatch }, { runBatch }, { batchDisplay, SILENT_BATCH }, { estimateText }] = await Promise.all([
      import("./prepare-batch.ts"),
      import("./run-batch.ts"),
      import("./batch-display.ts"),
      import("./prepare-batch.ts"),
    ]);
    const items = await itemsFrom(given);
    const { values } = given;
    const isJson = values["json"] === true;
    const folder = resolve(typeof values["out"] === "string" ? values["out"] : "out");
    const shared = chosen(given, SHARED_OPTIONS);
    const startsOver = values["again"] === true;
    const batch = await prepareBatch({ items, folder, shared, startsOver, jobs }, { env, signal });
    const estimate = estimateText(batch.estimates, (index) => items[index]?.media ?? "", hostOf(values["server"]));
    if (values["dry-run"] === true) {
      const planned = items.map((item, index) => ({ ...item, ...batch.estimates[index] }));
      output.print(isJson ? JSON.stringify(planned) : `${planTable(planned)}\n\n${estimate}`);
      return EXIT.done;
    }
    if (!isJson) output.tell(estimate);
    const display = isJson ? SILENT_BATCH : batchDisplay(screen, jobs);
    const label = (index: number) => `[${index + 1}/${items.length}]`;
    const results = await runBatch(
      batch,
      { env, signal },
      {
        progressOf: (index) => display.of(label(index)),
        onItem: (result, index) => display.tell(`${label(index)} ${nameOf(result)}${note(result)}`),
        onResult: ({ error }, index) => {
          if (error !== undefined) display.tell(`${label(index)} ${error.message} (${error.code})`);
        },
      },
    );
    output.print(isJson ? JSON.stringify({ items: results, folder }) : summary(results, folder));
    if (!results.every(({ state }) => state === "done")) return EXIT.failed;
    return results.some(({ incomplete }) => incomplete === true) ? EXIT.findings : EXIT.done;
  },
};

async function itemsFrom(given: Arguments): Promise<BatchItem[]> {
  const { positionals, values } = given;
  const { isPlanName, itemsOf, readPlan } = await import("./batch-plan.ts");
  const [first] = positionals;
  if (first === undefined) {
    throw new UsageError('batch needs a plan or media: aside batch plan.csv --out DIR. See "aside batch --help".');
  }
  const languages = typeof values["languages"] === "string" ? values["languages"] : "";
  const defaults = chosen(given, ROW_OPTIONS);
  if (positionals.length === 1 && isPlanName(first)) {
    if (languages !== "")
      throw new UsageError("--languages belongs to a list of media; a plan names the language of each row");
    return readPlan(first, defaults);
  }
  return itemsOf(
    positionals,
    languages.split(",").map((code) => code.trim()),
    defaults,
  );
}

function pick(names: readonly string[]): Record<string, Option> {
  return Object.fromEntries(Object.entries(DESCRIBE_OPTIONS).filter(([name]) => names.includes(name)));
}

function chosen({ values }: Arguments, names: readonly string[]): Record<string, string | true> {
  return Object.fromEntries(Object.entries(values).filter(([name]) => names.includes(name)));
}

function nameOf({ media, language }: Pick<BatchResult, "media" | "language">): string {
  return language === "" ? media : `${media}, ${language}`;
}

function note({ state }: BatchResult): string {
  return state === "done" ? ": done already" : "";
}

/** The host that a batch goes to; absent for the embedded service. */
function hostOf(server: string | true | undefined): string | undefined {
  return typeof server === "string" && URL.canParse(server) ? new URL(server).host : undefined;
}

function planTable(items: readonly (BatchItem & Partial<ItemEstimate>)[]): string {
  const rows = items.map(({ media, out, options, timing, state, minutes = 0, credits = 0, problem }) => {
    const shown = Object.entries<string | true>({ ...options, ...defined({ timing }) });
    const named = shown.map(([name, value]) => (value === true ? `--${name}` : `--${name} ${value}`)).join(" ");
    const takes = problem === undefined ? [minutes.toFixed(2), credits.toFixed(2)] : ["", ""];
    return [media, out, problem === undefined ? (state ?? "") : "cannot", ...takes, problem ?? named];
  });
  return tableOf(["media", "folder", "", "minutes", "credits", "options"], rows);
}

function summary(results: readonly BatchResult[], folder: string): string {
  const rows = results.map((result) => {
    const { state, descriptions, fails, warnings, notes, programme_minutes: minutes, seconds, error, out } = result;
    const numbers = [descriptions, fails, warnings, notes, minutes?.toFixed(2), seconds].map((value) =>
      String(value ?? ""),
    );
    return [nameOf(result), state, ...numbers, error === undefined ? out : error.message];
  });
  const count = (wanted: BatchResult["state"]) => results.filter(({ state }) => state === wanted).length;
  const table = tableOf(["medium", "", "cues", "fail", "warn", "notes", "minutes", "seconds", ""], rows);
  return `${table}\n\n${count("done")} done, ${count("failed")} failed, ${count("waiting")} waiting, in ${folder}`;
}
