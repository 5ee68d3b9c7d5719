import { resolve } from "node:path";
import type { BatchItem } from "./batch-plan.ts";
import type { BatchResult } from "./batch-state.ts";
import type { Arguments, Command, Option } from "./command.ts";
import { DESCRIBE_OPTIONS } from "./describe-options.ts";
import { SILENT, showProgress } from "./progress.ts";
import { tableOf } from "./table.ts";
import { EXIT, UsageError } from "./usage-error.ts";

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
  "min-cue-length",
  "no-auto-fit",
  "no-over-music",
  "volume",
  "volume-level-db",
] as const;

/** Options that concern the batch as a whole. */
const SHARED_OPTIONS = ["server", "data", "force", "resend"] as const;

/** Describes many media in many languages. */
export const BATCH: Command = {
  name: "batch",
  summary: "Describe many videos or timelines, in several languages, from a plan or a list of files.",
  synopsis: "<plan.json, plan.csv, or media ...> --out DIR [options]",
  notes: [
    "A plan has one row per description: media, language, voice, script, timing, out, or any option of aside describe. A\nscript with timing takes its times from there and is fitted to the voice of its language. See docs/command-line.md.",
    "Media may be patterns (*.mp4). With --languages each is described in every language; film.de-DE.vtt beside film.mp4\ngives the words of that language.",
    "Ctrl-C pauses: the same command goes on where it stood, and nothing is paid twice. A failure does not stop the rest;\nthe exit code is 1 then.",
  ],
  options: {
    out: { value: "DIR", help: "Folder of all results, one folder for each inside it (default: out)." },
    languages: { value: "CODES", help: "Languages of every medium, such as en-US,de-DE." },
    ...pick(ROW_OPTIONS),
    ...pick(SHARED_OPTIONS),
    again: { help: "Do again what is done already." },
    "dry-run": { help: "Say what would be made, and make nothing." },
    json: { help: "Print the summary as JSON, and nothing else, on standard output." },
  },
  async run(given, { output, env, signal }) {
    // Loaded here alone: help, version and the other commands start without it.
    const { runBatch } = await import("./run-batch.ts");
    const items = await itemsFrom(given);
    const { values } = given;
    const isJson = values["json"] === true;
    const folder = resolve(typeof values["out"] === "string" ? values["out"] : "out");
    if (values["dry-run"] === true) {
      output.print(isJson ? JSON.stringify(items) : planTable(items));
      return EXIT.done;
    }
    const progress = isJson ? SILENT : showProgress(process.stderr);
    const tell = (line: string) => {
      if (!isJson) output.tell(line);
    };
    try {
      const shared = chosen(given, SHARED_OPTIONS);
      const results = await runBatch(
        { items, folder, shared, startsOver: values["again"] === true },
        { env, signal, progress },
        {
          onItem: (result, index) => tell(`[${index + 1}/${items.length}] ${nameOf(result)}${note(result)}`),
          onResult: ({ error }) => {
            if (error !== undefined) tell(`  ${error.message} (${error.code})`);
          },
        },
      );
      output.print(isJson ? JSON.stringify({ items: results, folder }) : summary(results, folder));
      return results.every(({ state }) => state === "done") ? EXIT.done : EXIT.failed;
    } finally {
      progress.end();
    }
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

function planTable(items: readonly BatchItem[]): string {
  const rows = items.map(({ media, out, options, timing }) => {
    const shown = Object.entries<string | true>({ ...options, ...(timing === undefined ? {} : { timing }) });
    return [media, out, shown.map(([name, value]) => (value === true ? `--${name}` : `--${name} ${value}`)).join(" ")];
  });
  return tableOf(["media", "folder", "options"], rows);
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
