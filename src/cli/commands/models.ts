import { addAbortListener } from "node:events";
import { resolve } from "node:path";
import type { ModelDownload, ModelHere } from "../../contract/models.ts";
import { defined } from "../../core/objects.ts";
import { visibleText } from "../../core/text.ts";
import { RECORDS_OPTIONS, recordsFrom } from "../service-run/service-options.ts";
import { agrees } from "../shell/agree.ts";
import { textOf } from "../shell/arguments.ts";
import type { Arguments, Command, CommandContext } from "../shell/command.ts";
import { tableOf } from "../shell/output.ts";
import { clock, type ProgressStream } from "../shell/progress.ts";
import { jobsOf } from "../shell/running-jobs.ts";
import { EXIT, type ExitCode, UsageError } from "../shell/usage-error.ts";

const ACTIONS = ["list", "install", "remove", "check"] as const;

/** How often progress is shown on a line that changes, and on plain lines, in milliseconds. */
const [LIVE_MS, PLAIN_MS] = [250, 10_000];

/** How long a download may take to stop once it is cancelled, in milliseconds: an archive is unpacked a block at a time. */
const STOP_MS = 5_000;

/** Lists, fetches, removes and checks models that see, hear and speak on this computer. */
export const MODELS: Command = {
  name: "models",
  summary: "List, download, remove and check models that describe, listen and speak on this computer.",
  synopsis: "[list | install ID | remove ID | check [ID]] [options]",
  notes: [
    "Nothing is downloaded before you order it. A download that stopped continues with the same command. Every file has to have the SHA-256 that is known of it. Models of Ollama begin with ollama:, as in ollama:qwen3-vl:4b-instruct.",
    "Without internet: bring the files on a drive, and install from its folder or from an archive of them. aside models install ID --from PATH names what is missing, with its addresses.",
    "HTTPS_PROXY names a proxy, aside settings set models.mirror=https://… a mirror, models.folder=… another place for models. With privacy.local_only nothing is downloaded.",
    "check reads every file again. It ends with 3 where one is damaged; a damaged model is not used until it is installed again.",
  ],
  options: {
    from: { value: "PATH", help: "With install: take the files from this folder or archive, and download nothing." },
    yes: { help: "With install: do not ask before it begins." },
    data: RECORDS_OPTIONS.data,
    json: { help: "Print JSON, and nothing else, on standard output." },
  },
  stopLimitMs: STOP_MS,
  async run(given, context) {
    const [word = "list", id, ...rest] = given.positionals;
    const action = ACTIONS.find((one) => one === word);
    if (action === undefined) throw new UsageError(`say what to do: aside models ${ACTIONS.join("|")}, not "${word}"`);
    const extra = action === "list" ? id : rest[0];
    if (extra !== undefined) throw new UsageError(`aside models ${action} takes no "${extra}"`);
    if (id === undefined && (action === "install" || action === "remove"))
      throw new UsageError(`name one: aside models ${action} ID`);
    for (const name of ["from", "yes"]) {
      if (given.values[name] !== undefined && action !== "install")
        throw new UsageError(`--${name} counts only together with install`);
    }
    // Loaded here alone: help and version start without the service.
    const [{ settingsOf }, { ModelStore }] = await Promise.all([
      import("../../service/admin/open-administration.ts"),
      import("../../service/models/model-store.ts"),
    ]);
    const settings = settingsOf(recordsFrom(given, context.env));
    const [variables, folder] = [() => settings.variables([]), settings.modelsFolder];
    const store = new ModelStore({ variables, folder, ...defined({ offer: context.models }) });
    if (action === "list") return list(store, given, context);
    if (action === "install") return install(store, id ?? "", given, context);
    if (action === "remove") return remove(store, id ?? "", given, context);
    return check(store, id ?? null, given, context);
  },
};

type OpenedStore = InstanceType<typeof import("../../service/models/model-store.ts")["ModelStore"]>;

async function list(store: OpenedStore, { values }: Arguments, { output, signal }: CommandContext): Promise<ExitCode> {
  const reply = await store.look(signal);
  if (values["json"] === true) {
    output.print(JSON.stringify(reply));
    return EXIT.done;
  }
  output.tell(reply.refused === null ? reply.computer : `${reply.computer}\n${reply.refused}`);
  const rows = reply.models.map((model) => [
    `${model.id}${model.is_recommended ? " *" : ""}`,
    model.kind,
    sizeOf(model.bytes),
    model.state,
    model.suits,
    model.licence === null ? "" : model.licence.name,
    whatOf(model),
  ]);
  output.print(tableOf(["ID", "KIND", "SIZE", "STATE", "HERE", "LICENCE", "WHAT"], rows));
  output.tell("* to take on this computer. Download one with: aside models install ID");
  return EXIT.done;
}

async function install(store: OpenedStore, id: string, given: Arguments, context: CommandContext): Promise<ExitCode> {
  const { output, signal } = context;
  const isJson = given.values["json"] === true;
  const from = textOf(given, "from");
  const { models, refused } = await store.look(signal);
  const model = models.find((one) => one.id === id);
  if (model?.state === "installed") {
    output.print(isJson ? JSON.stringify({ model: id, isNew: false }) : `${model.title} is installed already.`);
    return EXIT.done;
  }
  if (from === undefined && refused !== null) throw new UsageError(refused);
  output.tell(offerOf(id, model, from));
  if (given.values["yes"] !== true) {
    if (!process.stdin.isTTY) throw new UsageError("nobody can be asked here: agree with --yes");
    if (!(await agrees("Install it?", signal))) {
      output.tell("Nothing was installed.");
      return EXIT.done;
    }
  }
  await store.start(id, from === undefined ? undefined : resolve(from));
  await watched(store, context);
  output.print(isJson ? JSON.stringify({ model: id, isNew: true }) : (store.download?.message ?? ""));
  return EXIT.done;
}

/** What a person agrees to: what it is, its size, its licence, and what this computer makes of it. */
function offerOf(id: string, model: ModelHere | undefined, from: string | undefined): string {
  const how = from === undefined ? "It is downloaded from the internet" : `It is taken from ${from}`;
  if (model === undefined) return `${id}: nothing is known of its size; usually 2 to 20 GB. ${how}.`;
  const { title, bytes, licence, samples } = model;
  const terms = licence?.has_terms === true ? ", with terms of use: read them first" : "";
  const under = licence === null ? "" : `\nLicence: ${licence.name} (${licence.url})${terms}.`;
  const heard = samples === null ? "" : `\nSamples: ${samples}`;
  return `${title}, ${sizeOf(bytes)}. ${whatOf(model)} ${how}.${under}${heard}`;
}

/** What each kind does. */
const WORK: Readonly<Record<ModelHere["kind"], string>> = {
  eyes: "Describes pictures",
  ears: "Writes down what is said",
  sounds: "Tells singing from music",
  voice: "Natural voice",
};

/** What a model does, in which languages, and what helps to choose it. */
function whatOf({ kind, languages, voices, seconds_per_minute: seconds, remark }: ModelHere): string {
  const few = languages.length > 0 && languages.length <= 2;
  const spoken = few ? `, ${languages.join(" and ")}` : languages.length === 0 ? "" : `, ${languages.length} languages`;
  const heard = voices > 1 ? `, ${voices} voices` : "";
  const pace = seconds === null ? "" : `, about ${Math.ceil(seconds)} s for a minute of film`;
  return [`${WORK[kind]}${spoken}${heard}${pace}.`, remark].filter((part) => part !== "").join(" ");
}

async function remove(
  store: OpenedStore,
  id: string,
  { values }: Arguments,
  context: CommandContext,
): Promise<ExitCode> {
  const bytes = await store.remove(id, context.signal);
  context.output.print(
    values["json"] === true
      ? JSON.stringify({ model: id, bytes })
      : `${id} is removed: ${sizeOf(bytes)} are free again.`,
  );
  return EXIT.done;
}

async function check(
  store: OpenedStore,
  id: string | null,
  given: Arguments,
  context: CommandContext,
): Promise<ExitCode> {
  const { models } = await store.look(context.signal);
  const installed = models.filter(
    ({ keeper, state }) => keeper === "aside" && ["installed", "damaged"].includes(state),
  );
  const asked = id === null ? installed.map((model) => model.id) : [id];
  const found: { readonly model: string; readonly isWhole: boolean; readonly message: string }[] = [];
  for (const model of asked) {
    await store.check(model);
    const fault = await watched(store, context).then(
      () => null,
      (error: unknown) => {
        if (error instanceof Error && "code" in error && error.code === "model_wrong") return error.message;
        throw error;
      },
    );
    found.push({ model, isWhole: fault === null, message: fault ?? `${model} is whole.` });
  }
  const lines = found.map(({ message }) => message).join("\n");
  const none = "No model of Aside's is installed.";
  context.output.print(given.values["json"] === true ? JSON.stringify(found) : lines || none);
  return found.every(({ isWhole }) => isWhole) ? EXIT.done : EXIT.findings;
}

/** Shows how far a store is, until it is done. @throws what it failed of, or the signal's reason once it has stopped. */
async function watched(store: OpenedStore, { screen, signal }: CommandContext): Promise<void> {
  {
    using line = progressLine(screen);
    using _showing = setInterval(() => line.update(store.download), LIVE_MS);
    using _stopping = addAbortListener(signal, () => void store.cancel());
    const failure = await store.settled();
    line.update(store.download);
    if (failure !== null) throw failure;
  }
  const { state, model = "", completed_bytes = 0, message = "" } = store.download ?? {};
  if (signal.aborted) {
    const kept = completed_bytes > 0 ? [`${sizeOf(completed_bytes)} of ${model}`] : [];
    jobsOf(signal).stopped(model, kept);
    signal.throwIfAborted();
  }
  // Somebody forbade it meanwhile.
  if (state === "cancelled") throw new UsageError(message);
}

/** Shows a download on one line that changes, or on plain lines now and then. */
function progressLine(screen: ProgressStream) {
  const isLive = screen.isTTY === true;
  let shownAt = Number.NEGATIVE_INFINITY;
  let last = "";
  return {
    update(download: ModelDownload | null): void {
      if (download === null) return;
      const line = visibleText(lineOf(download));
      const now = performance.now();
      if (line === last || (!isLive && now - shownAt < PLAIN_MS)) return;
      [shownAt, last] = [now, line];
      const shown = isLive ? line.slice(0, Math.max(20, (screen.columns ?? 80) - 3)) : line;
      screen.write(isLive ? `\r\u001b[2K● ${shown}` : `${shown}\n`);
    },
    [Symbol.dispose](): void {
      if (isLive) screen.write("\r\u001b[2K");
    },
  };
}

function lineOf({ message, completed_bytes, total_bytes, bytes_per_second, seconds_left }: ModelDownload): string {
  const share = total_bytes === 0 ? "" : `  ${sizeOf(completed_bytes)} of ${sizeOf(total_bytes)}`;
  const speed = bytes_per_second === null ? "" : `  ${sizeOf(bytes_per_second)}/s`;
  const left = seconds_left === null ? "" : `  ${clock(seconds_left)} left`;
  return `${message.replace(/\.$/, "")}${share}${speed}${left}`;
}

function sizeOf(bytes: number): string {
  if (bytes >= 1e9) return `${(bytes / 1e9).toFixed(1)} GB`;
  return bytes >= 1e6 ? `${Math.round(bytes / 1e6)} MB` : `${Math.ceil(bytes / 1e3)} kB`;
}
