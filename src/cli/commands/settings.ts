import { text as textOf } from "node:stream/consumers";
import {
  NUMBER_PARTS,
  SETTING_PARTS,
  type SettingPart,
  type SettingsInForce,
} from "../../contract/service-settings.ts";
import { RECORDS_OPTIONS, recordsFrom, withAdministration } from "../service-run/service-options.ts";
import type { Arguments, Command, CommandContext } from "../shell/command.ts";
import { tableOf } from "../shell/output.ts";
import { EXIT, type ExitCode, UsageError } from "../shell/usage-error.ts";

/** Longest key that is read from standard input, in characters. */
const LONGEST_KEY = 4_000;

/** Shows and changes what a service is set to, and tries it. */
export const SETTINGS_COMMAND: Command = {
  name: "settings",
  summary: "Show, change and try who describes, hears and speaks; limits, retention, port.",
  synopsis: "[set PART.NAME=VALUE ... | reset PART | choices | test PART | start-over] [options]",
  notes: [
    `Parts are ${SETTING_PARTS.join(", ")}. Without an action all of it is shown; numbers with their range; keys are never.`,
    "Examples: aside settings set describer.server=ollama describer.model=qwen3-vl:8b-instruct · aside settings set voice.system=on · aside settings set privacy.local_only=on · aside settings set retention.result_days=90 · aside settings reset voice",
    "A key comes from standard input: aside settings set describer.server=openai describer.model=NAME describer.key=- < key.txt",
    "The service can keep running: settings apply from the next job, a port from its next start. Environment variables (ASIDE_VISION_URL and others) override settings.",
  ],
  options: { ...RECORDS_OPTIONS, json: { help: "Print JSON, and nothing else, on standard output." } },
  async run(given, context) {
    const [action, ...words] = given.positionals;
    switch (action) {
      case undefined:
        return await show(given, context);
      case "set":
        return await set(words, given, context);
      case "reset":
        return await change({ [partOf(words)]: {} }, given, context);
      case "choices":
        if (words.length > 0) throw new UsageError(`aside settings choices takes no "${words[0]}"`);
        return await choices(given, context);
      case "test":
        return await test(partOf(words), given, context);
      case "start-over":
        if (words.length > 0) throw new UsageError(`aside settings start-over takes no "${words[0]}"`);
        return await beginAnew(given, context);
      default:
        throw new UsageError(`say what to do: aside settings set|reset|choices|test|start-over, not "${action}"`);
    }
  },
};

function partOf([word, ...rest]: readonly string[]): SettingPart {
  requireCurrent(word);
  const part = SETTING_PARTS.find((one) => one === word);
  if (part === undefined)
    throw new UsageError(`name one of ${SETTING_PARTS.join(", ")}${word ? `, not "${word}"` : ""}`);
  if (rest.length > 0) throw new UsageError(`one part at a time, not "${rest[0]}" too`);
  return part;
}

/** @throws UsageError with what serves instead, for the part that an earlier version had. */
function requireCurrent(part: string | undefined): void {
  if (part !== "places") return;
  throw new UsageError(
    'places.data is no longer a setting. Copy the data folder and name the copy by --data: see "Where films and results are kept" in docs/service.md',
  );
}

async function show(given: Arguments, context: CommandContext): Promise<ExitCode> {
  const settings = await withAdministration(given, context, (administration) => administration.readSettings());
  print(settings, given, context);
  return EXIT.done;
}

async function set(words: readonly string[], given: Arguments, context: CommandContext): Promise<ExitCode> {
  if (words.length === 0) throw new UsageError("name what to set: aside settings set PART.NAME=VALUE");
  const asked: { -readonly [Part in SettingPart]?: Record<string, string> } = {};
  for (const word of words) {
    const { part, name, value } = /^(?<part>[a-z]+)\.(?<name>[a-z_]+)=(?<value>.*)$/s.exec(word)?.groups ?? {};
    requireCurrent(part);
    const known = SETTING_PARTS.find((one) => one === part);
    if (known === undefined || name === undefined || value === undefined) {
      throw new UsageError(`"${word}" is not of the form PART.NAME=VALUE, with one of ${SETTING_PARTS.join(", ")}`);
    }
    // Arguments can be read by everybody on a computer.
    if (name === "key" && value !== "-" && value !== "") {
      throw new UsageError(`a key comes from standard input: ${part}.key=- (others could read it here)`);
    }
    asked[known] = { ...asked[known], [name]: name === "key" && value === "-" ? await keyFrom(process.stdin) : value };
  }
  return await change(asked, given, context, { isAddition: true });
}

async function keyFrom(input: NodeJS.ReadStream): Promise<string> {
  if (input.isTTY) throw new UsageError("a key is read from a file or a program: aside settings set … < key.txt");
  const key = (await textOf(input)).trim();
  if (key !== "" && key.length <= LONGEST_KEY && !/\s/.test(key)) return key;
  throw new UsageError("standard input holds no key: one line is expected");
}

async function change(
  asked: { readonly [Part in SettingPart]?: Readonly<Record<string, string>> },
  given: Arguments,
  context: CommandContext,
  how = { isAddition: false },
): Promise<ExitCode> {
  const settings = await withAdministration(given, context, (administration) =>
    administration.changeSettings(asked, how),
  );
  print(settings, given, context);
  return EXIT.done;
}

async function beginAnew(given: Arguments, context: CommandContext): Promise<ExitCode> {
  const name = await withAdministration(given, context, (administration) => administration.beginSettingsAnew());
  context.output.tell(`The damaged file is called ${name} now, in the same folder. Nothing is set any more.`);
  return show(given, context);
}

async function choices(given: Arguments, { output, env }: CommandContext): Promise<ExitCode> {
  const [{ settingChoices }, { settingsOf }, { withInstalledModels }] = await Promise.all([
    import("../../service/settings/setting-choices.ts"),
    import("../../service/admin/open-administration.ts"),
    import("../../engine/store/installed.ts"),
  ]);
  const set = settingsOf(recordsFrom(given, env));
  const found = await settingChoices(await withInstalledModels(env, set.modelsFolder), await set.isLocalOnly());
  if (given.values["json"] === true) {
    output.print(JSON.stringify(found));
    return EXIT.done;
  }
  const rows = (["describer", "dialogue", "voice"] as const).flatMap((part) =>
    found[part].map(({ title, detail, values: chosen, needs }) => {
      const words = [...Object.entries(chosen), ...needs.map((name) => [name, name === "key" ? "-" : "…"])];
      return [
        part,
        title,
        words.map(([name, value]) => `${part}.${name}=${value}`).join(" ") || `reset ${part}`,
        detail,
      ];
    }),
  );
  output.print(tableOf(["PART", "CHOICE", "SET BY", "WHAT"], rows));
  for (const { name, language, gender } of found.system_voices) {
    output.print(`voice.system="${name}"  ${language}${gender === null ? "" : `, ${gender}`}`);
  }
  return EXIT.done;
}

async function test(part: SettingPart, given: Arguments, { output, env, signal }: CommandContext): Promise<ExitCode> {
  if (part !== "describer" && part !== "dialogue" && part !== "voice")
    throw new UsageError("try one of describer, dialogue, voice");
  const [{ settingsOf }, { trySettings }, { engine }, { mkdtempDisposable }, { tmpdir }, { join }] = await Promise.all([
    import("../../service/admin/open-administration.ts"),
    import("../../service/settings/try-settings.ts"),
    import("../../engine/index.ts"),
    import("node:fs/promises"),
    import("node:os"),
    import("node:path"),
  ]);
  const variables = await settingsOf(recordsFrom(given, env)).variables();
  await using narration = await mkdtempDisposable(join(tmpdir(), "aside-try-"));
  const { audio, ...tried } = await trySettings({ part }, variables, {
    engine,
    narrationFolder: narration.path,
    signal,
  });
  const { works, message, seconds, cost, tokens } = tried;
  const price = cost === undefined ? (tokens === undefined ? "" : `, ${tokens} tokens`) : `, cost ${cost.toFixed(4)}`;
  if (given.values["json"] === true) output.print(JSON.stringify(tried));
  else output.print(`${works ? "It works." : "It does not work."} ${message} (${seconds.toFixed(1)} s${price})`);
  return works ? EXIT.done : EXIT.failed;
}

function print(settings: SettingsInForce, { values }: Arguments, { output }: CommandContext): void {
  if (values["json"] === true) {
    output.print(JSON.stringify(settings));
    return;
  }
  const by = { settings: "set", environment: "environment", nobody: "default" };
  const rows = SETTING_PARTS.map((part) => {
    const { decided_by, values: set, has_key, state } = settings[part];
    const said = [
      ...Object.entries(set).map(([name, value]) => `${name}=${value}`),
      ...(has_key ? ["key=(kept)"] : []),
    ];
    return [part, by[decided_by], said.join(" "), state];
  });
  output.print(tableOf(["PART", "BY", "VALUES", "WHAT"], rows));
  const numbers = NUMBER_PARTS.flatMap((part) =>
    settings[part].numbers.map(({ name, value, decided_by, minimum, maximum, word, title, waits_for_start }) => [
      `${part}.${name}`,
      by[decided_by],
      value,
      `${minimum} to ${maximum}${word === null ? "" : `, ${word}`}`,
      `${title}${waits_for_start ? " (from the next start)" : ""}`,
    ]),
  );
  output.print(`\n${tableOf(["NUMBER", "BY", "IN FORCE", "TAKES", "WHAT"], numbers)}`);
}
