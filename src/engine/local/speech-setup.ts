import { statSync } from "node:fs";
import { join } from "node:path";
import type { Environment } from "../outgoing/local-only.ts";
import { type InstalledModel, installedModels } from "../store/installed.ts";
import type { OrderedModel } from "./speech-orders.ts";

/** The speech library that is installed, and the models that it runs. */
export interface SpeechSetup {
  /** File of the library, whole path. */
  readonly library: string;
  /** Tells this library from others that stood there before. */
  readonly version: string;
  readonly models: readonly InstalledModel[];
}

/** What is installed by the variables; `null` without the library. */
export function speechSetup(environment: Environment): SpeechSetup | null {
  const installed = installedModels(environment);
  const engine = installed.find(({ kind, form }) => kind === "engine" && form === "sherpa-onnx");
  const file = engine?.files["module"];
  if (engine === undefined || file === undefined) return null;
  const library = join(engine.folder, file);
  return { library, version: `${engine.id} ${writtenAt([library])}`, models: installed };
}

/** A model of the store as the library's process is told of it. */
export function orderedModel({ id, title, form, files, folder }: InstalledModel): OrderedModel {
  const whole = Object.entries(files).map(([part, path]) => [part, listed(path, folder)] as const);
  return { id, title, form, files: Object.fromEntries(whole), version: writtenAt(whole.map(([, path]) => path)) };
}

/** One path, or several with commas between. */
function listed(path: string, folder: string): string {
  return path
    .split(",")
    .map((one) => join(folder, one))
    .join(",");
}

/** When files were last written, and how large they are: neither is what it was where they were installed anew. */
function writtenAt(paths: readonly string[]): string {
  const states = paths.flatMap((path) => path.split(",")).map((path) => statSync(path, { throwIfNoEntry: false }));
  return states.map((state) => (state === undefined ? "-" : `${state.size}.${Math.round(state.mtimeMs)}`)).join(" ");
}

/** A model that hears, as it is installed on this computer, with the library that runs it. */
export interface InstalledHearing {
  readonly setup: SpeechSetup;
  readonly model: InstalledModel;
}

/** Ears by the forms of models, the better first: times of words are worth more than many languages. */
const FORMS = ["parakeet", "whisper"];

/** The installed model that writes down what is said: of that id, the best one without an id; `null` where it, or what runs it, is not there. */
export function earsIn(environment: Environment, id = ""): InstalledHearing | null {
  const setup = speechSetup(environment);
  const models = (setup?.models ?? []).filter((model) => model.kind === "ears" && (id === "" || model.id === id));
  const [model] = models.sort((a, b) => FORMS.indexOf(a.form) - FORMS.indexOf(b.form));
  return setup === null || model === undefined ? null : { setup, model };
}

/** The installed model that tells kinds of sound; `null` where it, or what runs it, is not there. */
export function soundsIn(environment: Environment): InstalledHearing | null {
  const setup = speechSetup(environment);
  const model = setup?.models.find(({ kind, form }) => kind === "sounds" && form === "ced");
  return setup === null || model === undefined ? null : { setup, model };
}
