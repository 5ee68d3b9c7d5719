import { join } from "node:path";
import type { ModelDownload, ModelHere, ModelsReply } from "../../contract/models.ts";
import { AudioDescriptionError } from "../../core/error.ts";
import { defined } from "../../core/objects.ts";
import { hideSecrets } from "../../core/text.ts";
import { estimateFilm } from "../../engine/describe/vision/plan-requests.ts";
import { isSet } from "../../engine/isolate/cage.ts";
import { keptPace, secondsFor, tooWeak } from "../../engine/local/eyes-pace.ts";
import { eyesIn, visionConfiguration } from "../../engine/models/vision-settings.ts";
import type { Environment } from "../../engine/outgoing/local-only.ts";
import { CATALOG, computerInWords, recommendedModels, suitability } from "../../engine/store/catalog.ts";
import { engineFor, engineOf } from "../../engine/store/catalog-engines.ts";
import type { CatalogModel } from "../../engine/store/catalog-row.ts";
import { fetchRefused, StoreError } from "../../engine/store/fetch-file.ts";
import type { GivenFile } from "../../engine/store/given-files.ts";
import {
  bytesOf,
  checkModel,
  inWords,
  orderModels,
  removeModel,
  type StoreProgress,
  stateInStore,
} from "../../engine/store/install.ts";
import { MODELS_FOLDER, readInstalled } from "../../engine/store/installed.ts";
import { type Computer, freeBytes, thisComputer } from "../../engine/store/this-computer.ts";
import { DownloadPace } from "./download-pace.ts";
import { OLLAMA_PREFIX, OllamaKeeper } from "./ollama-keeper.ts";

/** What a store of models needs of whoever runs it. */
export interface ModelStoreParts {
  /** The environment with what is set now. */
  readonly variables: () => Promise<Environment>;
  /** Where models are kept unless the variables say otherwise; `null`: nowhere. */
  readonly folder: string | null;
  /** Whether work goes on that may use a model. Default: nobody can tell. */
  readonly isWorking?: () => Promise<boolean>;
  /** Ends whatever runs models, before files of theirs go: it is started again when it is needed. Default: nothing runs here. */
  readonly release?: () => Promise<unknown>;
  /** Default: the catalog, for the computer that this runs on. */
  readonly offer?: Partial<ModelOffer>;
}

/** Files that somebody sent to this service, for one order. */
export interface SentFiles {
  /** Has them as files of this computer until they are given back. */
  lend(signal: AbortSignal): Promise<{ readonly files: readonly GivenFile[]; giveBack(): Promise<void> }>;
}

/** What can be ordered, and for which computer. */
export interface ModelOffer {
  readonly catalog: readonly CatalogModel[];
  /** What runs models of a form on a computer; `null` where nothing does. */
  readonly engineFor: typeof engineFor;
  readonly computer: () => Promise<Computer>;
}

/** How often it is looked whether something may still be fetched, in milliseconds. */
const LOOK_AGAIN_MS = 1_000;

/**
 * The models of this computer: what can be ordered, what is there, and the one order that is under way. It goes on when the
 * page or the panel is closed. Nothing is fetched before a person orders it.
 */
export class ModelStore {
  readonly #parts: ModelStoreParts;
  readonly #offer: ModelOffer;
  readonly #ollama = new OllamaKeeper();
  #download: ModelDownload | null = null;
  #stop: AbortController | null = null;
  #running: Promise<AudioDescriptionError | null> = Promise.resolve(null);

  constructor(parts: ModelStoreParts) {
    this.#parts = parts;
    this.#offer = { catalog: CATALOG, engineFor, computer: thisComputer, ...parts.offer };
  }

  /** The last download or check; `null` where there was none. */
  get download(): ModelDownload | null {
    return this.#download;
  }

  /** What there is, and what can be had. @throws SettingsError where the settings cannot be read. */
  async look(signal: AbortSignal): Promise<ModelsReply> {
    const variables = await this.#parts.variables();
    const folder = this.#folderIn(variables);
    const computer = await this.#offer.computer();
    const recommended = recommendedModels(computer, this.#offer.catalog);
    const own = folder === null ? [] : await this.#ownModels(folder, computer, recommended, variables);
    const ollamas = await this.#ollama.models(variables, computer, signal);
    return {
      models: [...own, ...ollamas],
      download: this.#download,
      free_bytes: folder === null ? 0 : await freeBytes(folder),
      computer: computerInWords(computer),
      refused: fetchRefused(variables),
    };
  }

  async #ownModels(
    folder: string,
    computer: Computer,
    recommended: ReadonlySet<string>,
    variables: Environment,
  ): Promise<ModelHere[]> {
    const { catalog } = this.#offer;
    const rows = await Promise.all(
      catalog.map((model) => this.#row(model, { folder, computer, recommended, variables })),
    );
    // Of an earlier list: it still takes room, and can be removed.
    const others = (await readInstalled(folder)).flatMap(({ id, kind, title, languages }) =>
      kind === "engine" || catalog.some((model) => model.id === id) ? [] : [{ id, kind, title, languages }],
    );
    const unlisted = others.map(
      async (other): Promise<ModelHere> => ({
        ...other,
        keeper: "aside",
        licence: null,
        voices: 0,
        bytes: await bytesOf(join(folder, other.id)),
        state: "installed",
        suits: "yes",
        remark: "Of an earlier version of Aside.",
        is_recommended: false,
        seconds_per_minute: null,
        samples: null,
        addresses: [],
      }),
    );
    return [...rows, ...(await Promise.all(unlisted))];
  }

  async #row(
    model: CatalogModel,
    {
      folder,
      computer,
      recommended,
      variables,
    }: {
      readonly folder: string;
      readonly computer: Computer;
      readonly recommended: ReadonlySet<string>;
      readonly variables: Environment;
    },
  ): Promise<ModelHere> {
    const { id, kind, title, licence, languages, voices, remark } = model;
    const state = await stateInStore(folder, model);
    const guess = suitability(model, computer);
    const measured = state === "installed" && kind === "eyes" ? await paceHere(id, variables) : null;
    const { suits, why } = measured === null || guess.suits === "no" ? guess : measured;
    const engine = this.#offer.engineFor(engineOf(model), computer);
    const needsEngine = engine !== null && (await stateInStore(folder, engine)) !== "installed";
    const missing = [...(needsEngine ? [engine] : []), ...(state === "installed" ? [] : [model])];
    const sources = missing.flatMap((one) => one.sources);
    const toFetch = sources.reduce((sum, { bytes }) => sum + bytes, 0);
    return {
      id,
      // No row of the list is an engine.
      kind: kind === "engine" ? "voice" : kind,
      title,
      keeper: "aside",
      licence,
      languages,
      voices,
      bytes: missing.length === 0 ? await bytesOf(join(folder, id)) : toFetch,
      state: state === "installed" && needsEngine ? "partial" : state,
      suits,
      remark: [remark, why].filter((part) => part !== "").join(" "),
      is_recommended: recommended.has(id),
      seconds_per_minute: measured === null ? null : measured.seconds,
      samples: model.samples ?? null,
      addresses: sources.flatMap(({ url, sha256, checksums }) =>
        sha256 === null && checksums !== undefined ? [url, checksums] : [url],
      ),
    };
  }

  /**
   * Begins to fetch a model, or goes on with one.
   *
   * @param from What has its files: a folder or an archive of this computer, for whoever sits there, or what was sent for it.
   * @throws StoreError while something else is under way, where nothing may leave the computer, and for a model that does not
   *   run here.
   */
  async start(id: string, from?: string | SentFiles): Promise<void> {
    const variables = await this.#parts.variables();
    const refused = from === undefined ? fetchRefused(variables) : null;
    if (refused !== null) throw new StoreError("model_refused", refused);
    if (id.startsWith(OLLAMA_PREFIX)) {
      if (from !== undefined) throw new StoreError("model_refused", "Ollama fetches its models by itself.");
      const name = id.slice(OLLAMA_PREFIX.length);
      return this.#begin(id, name, (signal, tell) => this.#ollama.fetch(name, variables, signal, tell), variables);
    }
    const { models, folder } = await this.#needed(id, variables);
    const order = async (signal: AbortSignal, onProgress: (progress: StoreProgress) => void) => {
      const given = typeof from === "object" ? await from.lend(signal) : null;
      try {
        await orderModels(models, {
          folder,
          environment: variables,
          signal,
          onProgress,
          release: () => this.#release(),
          ...defined({ from: given?.files ?? (typeof from === "string" ? from : undefined) }),
        });
      } finally {
        await given?.giveBack();
      }
    };
    return this.#begin(id, models.at(-1)?.title ?? id, order, from === undefined ? variables : null);
  }

  /** Begins to check an installed model, with its engine. @throws StoreError as {@link start}. */
  async check(id: string): Promise<void> {
    if (id.startsWith(OLLAMA_PREFIX)) {
      throw new StoreError("model_refused", "Ollama checks its models by itself, whenever it fetches one.");
    }
    const variables = await this.#parts.variables();
    const { models, folder } = await this.#needed(id, variables);
    const title = models.at(-1)?.title ?? id;
    const work = async (signal: AbortSignal, onProgress: (progress: StoreProgress) => void) => {
      for (const model of models) {
        const damaged = await checkModel(model, { folder, signal, onProgress });
        if (damaged.length === 0) continue;
        const files = damaged.length === 1 ? damaged[0] : `${damaged.length} files`;
        throw new StoreError(
          "model_wrong",
          `${model.title} is damaged (${files}), and is no longer used. Order it again: only what is damaged is fetched.`,
        );
      }
    };
    return this.#begin(id, title, work, null);
  }

  /**
   * Removes a model, and its engine where nothing else needs it. @returns Bytes that were given back.
   *
   * @throws StoreError while something is under way, or in use.
   */
  async remove(id: string, signal: AbortSignal): Promise<number> {
    this.#requireIdle();
    const variables = await this.#parts.variables();
    if (id.startsWith(OLLAMA_PREFIX)) {
      return this.#ollama.remove(id.slice(OLLAMA_PREFIX.length), variables, signal);
    }
    if ((await this.#parts.isWorking?.()) === true) {
      throw new StoreError("model_in_use", "A film is being described, and may use it. Remove it when that is done.");
    }
    const folder = this.#requireFolder(variables);
    const model = await this.#known(id, folder);
    return this.#removeFrom(folder, model, signal).catch((error: unknown) => {
      signal.throwIfAborted();
      throw asFailure(error);
    });
  }

  async #removeFrom(folder: string, model: CatalogModel, signal: AbortSignal): Promise<number> {
    await this.#release();
    let given = await removeModel(model, folder, signal);
    const left = await readInstalled(folder);
    const computer = await this.#offer.computer();
    for (const form of ["sherpa-onnx", "llama-server"] as const) {
      const engine = this.#offer.engineFor(form, computer);
      const isNeeded = left.some((one) => one.kind !== "engine" && engineOf(one) === form);
      if (engine !== null && !isNeeded) given += await removeModel(engine, folder, signal);
    }
    return given;
  }

  /** Ends what is under way, if anything. What has arrived stays: the next order goes on there. */
  async cancel(): Promise<void> {
    this.#stop?.abort(new Error("the order is cancelled"));
    await this.#running;
  }

  /** Waits for the end of what is under way. @returns What it failed of; `null` where it did not, and where it was cancelled. */
  settled(): Promise<AudioDescriptionError | null> {
    return this.#running;
  }

  #requireIdle(): void {
    if (this.#stop === null) return;
    const { state = "running", model = "" } = this.#download ?? {};
    const what = state === "checking" ? "checked" : "fetched";
    throw new StoreError("model_refused", `${model} is being ${what}. Wait for it, or cancel it.`);
  }

  #begin(
    model: string,
    title: string,
    work: (signal: AbortSignal, onProgress: (progress: StoreProgress) => void) => Promise<void>,
    variables: Environment | null,
  ): void {
    // Nothing is waited for from here on: of two requests at once the second sees the first.
    this.#requireIdle();
    const stop = new AbortController();
    this.#stop = stop;
    const begun: ModelDownload = {
      model,
      state: "running",
      completed_bytes: 0,
      total_bytes: 0,
      bytes_per_second: null,
      seconds_left: null,
      message: `${title}: beginning.`,
    };
    this.#download = begun;
    const pace = new DownloadPace();
    const change = (next: Partial<ModelDownload>) => {
      this.#download = { ...(this.#download ?? begun), ...next };
    };
    const onProgress = ({ state, completedBytes, totalBytes }: StoreProgress) => {
      const speed = state === "running" ? pace.speed(completedBytes) : null;
      change({
        state,
        completed_bytes: completedBytes,
        total_bytes: totalBytes,
        bytes_per_second: speed,
        seconds_left: speed === null || speed === 0 ? null : (totalBytes - completedBytes) / speed,
        message: `${title}: ${{ running: "fetching", checking: "checking", unpacking: "unpacking" }[state]}.`,
      });
    };
    let forbidden: string | null = null;
    const watch =
      variables === null
        ? undefined
        : setInterval(() => {
            // Settings that cannot be read are told where they are needed.
            this.#parts.variables().then(
              (now) => {
                forbidden = fetchRefused(now);
                if (forbidden !== null) stop.abort(new Error(forbidden));
              },
              () => undefined,
            );
          }, LOOK_AGAIN_MS);
    watch?.unref();
    const over = { bytes_per_second: null, seconds_left: null };
    this.#running = work(stop.signal, onProgress)
      .then(
        () => {
          change({ ...over, state: "done", message: `${title} is ready.` });
          return null;
        },
        (error: unknown) => {
          const kept = this.#download?.completed_bytes ?? 0;
          const isFetched = this.#download?.state !== "checking";
          const keeps = kept > 0 && isFetched ? ` ${inWords(kept)} are kept; order it again to continue.` : "";
          if (stop.signal.aborted) {
            change({ ...over, state: "cancelled", message: `${forbidden ?? "Cancelled."}${keeps}` });
            return null;
          }
          const failure = asFailure(error);
          change({ ...over, state: "failed", message: hideSecrets(failure.message) });
          return failure;
        },
      )
      .finally(() => {
        clearInterval(watch);
        this.#stop = null;
      });
  }

  /** A model with the engine that it takes, the engine first. @throws StoreError. */
  async #needed(id: string, variables: Environment) {
    const folder = this.#requireFolder(variables);
    const model = await this.#known(id, folder);
    const computer = await this.#offer.computer();
    const engine = this.#offer.engineFor(engineOf(model), computer);
    const { suits, why } = suitability(model, computer);
    if (engine === null || suits === "no")
      throw new StoreError("model_unsuitable", `${model.title} does not run here. ${why}`);
    return { models: [engine, model], folder };
  }

  async #known(id: string, folder: string): Promise<CatalogModel> {
    const model = this.#offer.catalog.find((one) => one.id === id);
    if (model !== undefined) return model;
    const installed = (await readInstalled(folder)).find((one) => one.id === id && one.kind !== "engine");
    if (installed === undefined)
      throw new StoreError("model_unknown", `There is no model "${id}". See aside models list.`);
    const none = { voices: 0, memoryBytes: 0, installedBytes: 0, sources: [], remark: "" };
    return { ...none, ...installed, licence: { name: "", url: "", has_terms: false } };
  }

  #requireFolder(variables: Environment): string {
    const folder = this.#folderIn(variables);
    if (folder !== null) return folder;
    throw new StoreError("model_refused", `This service keeps no models: name a folder for them in ${MODELS_FOLDER}.`);
  }

  #folderIn(variables: Environment): string | null {
    const own = variables[MODELS_FOLDER];
    return isSet(own) ? own : this.#parts.folder;
  }

  /** Has nothing loaded of what goes; a film that is described meanwhile is not cut off for it. */
  async #release(): Promise<void> {
    if ((await this.#parts.isWorking?.()) !== true) await this.#parts.release?.();
  }
}

/** How long an installed model that sees takes for a minute of film, as a trial of it on this computer found; `null` before one. */
async function paceHere(id: string, variables: Environment) {
  const configuration = visionConfiguration({ ...variables, ASIDE_VISION_URL: "here", ASIDE_VISION_MODEL: id });
  const eyes = eyesIn(variables, id);
  const pace = eyes === null ? null : await keptPace(eyes);
  if (eyes === null || pace === null || configuration.kind !== "configured") return null;
  const seconds = secondsFor(pace, estimateFilm(configuration.settings, 60));
  const why = await tooWeak(eyes, { durationSeconds: 60, seconds });
  return { seconds, suits: why === null ? ("yes" as const) : ("slow" as const), why: why ?? "" };
}

/** What an order failed of, and what to do: for people. */
function asFailure(cause: unknown): AudioDescriptionError {
  if (cause instanceof AudioDescriptionError) return cause;
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : "";
  if (code === "ENOSPC" || code === "EDQUOT") {
    const said = "The disk is full. What has arrived is kept: make room, and order it again to continue.";
    return new StoreError("model_no_room", said, { cause });
  }
  if (/^E[A-Z]+$/.test(code)) {
    const said = `The folder for models cannot be used (${code}). Look at its rights, or choose another: aside settings set models.folder=…`;
    return new StoreError("model_refused", said, { cause });
  }
  return new StoreError("model_refused", "It failed, and nothing says why. Order it again.", { cause });
}
