import { JobFailure } from "../isolate/job-failure.ts";
import { findLocalModels, type LocalModel } from "../models/local-models.ts";
import { modelFault } from "../models/model-list.ts";
import { placeOf, presetAt } from "../models/presets.ts";
import { VisionError } from "../models/refusal.ts";
import {
  localVisionSettings,
  type VisionConfiguration,
  type VisionSettings,
  visionConfiguration,
} from "../models/vision-settings.ts";
import type { Environment } from "../outgoing/local-only.ts";
import type { Describer } from "./describer.ts";
import { textDescriber } from "./text-on-screen.ts";

/** What the choice depends on. */
export interface DescriberChoice {
  readonly environment: Environment;
  /** Folder of the job, for answers of a model. */
  readonly folder: string;
  /** Finds vision models on this machine; replaced in tests. */
  readonly findModels?: () => Promise<LocalModel[]>;
}

/**
 * The describer of a job without a script: the configured vision model, else one found running on this machine, else text on
 * screen alone.
 *
 * @throws JobFailure when a vision model is configured by halves: a user who asked for one must not go without.
 */
export async function chooseDescriber(choice: DescriberChoice): Promise<Describer> {
  const configuration = visionConfiguration(choice.environment);
  switch (configuration.kind) {
    case "configured":
      return vision(configuration.settings, choice.folder, false);
    case "incomplete":
      throw new JobFailure("setup_incomplete", `The vision model is not fully configured: ${configuration.reason}.`);
    case "off":
      return textDescriber;
    case "absent": {
      const [found] = await (choice.findModels ?? findLocalModels)();
      if (found === undefined) return textDescriber;
      const settings = localVisionSettings(found, configuration.asked);
      return orText(await vision(settings, choice.folder, true), found);
    }
  }
}

/** Loaded only where there is a model: its library is several hundred files, which most jobs can do without. */
async function vision(settings: VisionSettings, folder: string, foundLocally: boolean): Promise<Describer> {
  const { visionDescriber } = await import("./vision/vision.ts");
  return visionDescriber(settings, folder, foundLocally);
}

/**
 * A model that nobody asked for must not cost a job: where it cannot be used after all, text on screen alone is
 * told, and the notes say so.
 */
function orText(describer: Describer, { server, model }: LocalModel): Describer {
  return {
    name: describer.name,
    async describe(request, signal, onProgress) {
      try {
        return await describer.describe(request, signal, onProgress);
      } catch (error) {
        if (!(error instanceof VisionError)) throw error;
        const { notes, ...written } = await textDescriber.describe(request, signal);
        const failed = `${model} in ${server}, found on this computer, could not be used: ${error.message}`;
        const off = "ASIDE_VISION_URL=off leaves it alone.";
        return { ...written, describer: textDescriber.name, notes: [`${failed} ${off}`, ...notes] };
      }
    },
  };
}

/** One describer and whether it can be used now. */
export interface DescriberState {
  readonly name: string;
  readonly isAvailable: boolean;
  /** What it is or why it cannot be used, and what to do about it. */
  readonly detail: string;
}

/** Every describer with its state, in the order in which they are chosen. */
export async function listDescribers(
  environment: Environment,
  findModels: () => Promise<LocalModel[]> = findLocalModels,
): Promise<DescriberState[]> {
  return [
    { name: "script", isAvailable: true, detail: "speaks the descriptions you give" },
    await visionState(visionConfiguration(environment), findModels),
    {
      name: "text",
      isAvailable: true,
      detail: "speaks text on screen, and leaves every other pause for a person to write",
    },
  ];
}

/** What to do where there is no model. */
const NO_MODEL =
  "no model is configured (ASIDE_VISION_URL, ASIDE_VISION_MODEL) and none that sees is installed or runs here; aside models list shows those that can be downloaded";

async function visionState(
  configuration: VisionConfiguration,
  findModels: () => Promise<LocalModel[]>,
): Promise<DescriberState> {
  switch (configuration.kind) {
    case "configured": {
      const { model, baseUrl } = configuration.settings;
      const fault = await modelFault(configuration.settings);
      const detail = `${model} ${placeOf(baseUrl)}${fault === null ? "" : `, ${fault}`}`;
      return { name: "vision", isAvailable: fault === null, detail };
    }
    case "incomplete":
      return { name: "vision", isAvailable: false, detail: `not fully configured: ${configuration.reason}` };
    case "off":
      return { name: "vision", isAvailable: false, detail: "switched off by ASIDE_VISION_URL=off" };
    case "absent": {
      const [found] = await findModels();
      const detail = found === undefined ? NO_MODEL : `${found.model} in ${found.server}, found on this computer`;
      return { name: "vision", isAvailable: found !== undefined, detail };
    }
  }
}

/** Whether the model that describes is a program on this computer: it has no room for several films at once. */
export function describesHere(environment: Environment): boolean {
  const configuration = visionConfiguration(environment);
  if (configuration.kind !== "configured") return true;
  const { preset, baseUrl } = configuration.settings;
  return (preset ?? presetAt(baseUrl)).isLocal;
}
