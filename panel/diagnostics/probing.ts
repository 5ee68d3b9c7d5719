import { premiereProbes } from "../../src/host/premiere/probes.ts";
import { premiereTrials } from "../../src/host/premiere/trial/premiere-trials.ts";
import { networkTrial, uxpProbes } from "../../src/host/uxp/probes.ts";
import { pathIn } from "../../src/host/uxp/work-folder.ts";
import type { PluginParts } from "../plugin.ts";
import type { Probing } from "./diagnostics.ts";

/** Every question that Premiere and UXP are asked. */
export function probing({ premiere, runtime, hosting, secrets, folders }: PluginParts): Probing {
  const pathOf = async (name: string) => pathIn((await folders()).exportsPath, name);
  const trials = premiereTrials({ ...hosting, pathOf });
  const { files, presets } = hosting;
  const folder = async () => (await folders()).path;
  return {
    probes: [...premiereProbes(premiere, presets), ...uxpProbes({ files, secrets, folder, globals: globalThis })],
    bench: { ...trials, probes: [...trials.probes, networkTrial(runtime.XMLHttpRequest)] },
  };
}
