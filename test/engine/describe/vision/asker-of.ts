import { join } from "node:path";
import type { DescribeRequest } from "../../../../src/engine/describe/describer.ts";
import { Asker, type AskerOptions } from "../../../../src/engine/describe/vision/asker.ts";
import { presetAt } from "../../../../src/engine/models/presets.ts";
import type { VisionSettings } from "../../../../src/engine/models/vision-settings.ts";
import { temporaryFolder } from "../../../temporary-folder.ts";

/** Settings for a model at an address; as many pictures in a request as stated. */
export function settingsAt(url: string, pictures = 6, more: Partial<VisionSettings> = {}): VisionSettings {
  const preset = { ...presetAt(url), picturesPerRequest: pictures };
  return { baseUrl: url, model: "eyes-7b", apiKey: "secret-key", timeoutSeconds: 20, preset, ...more };
}

/** What asks a model about a film, as one run does. */
export async function askerOf(
  { url }: { readonly url: string },
  { keyFrameFolder: frameFolder, maximumCost }: Pick<DescribeRequest, "keyFrameFolder" | "maximumCost">,
  more: Partial<AskerOptions> & { readonly pictures?: number } = {},
): Promise<Asker> {
  const { pictures = 6, ...options } = more;
  return new Asker({
    settings: settingsAt(url, pictures),
    keptFolder: join(await temporaryFolder(), "kept"),
    frameFolder,
    maximumCost,
    signal: new AbortController().signal,
    ...options,
  });
}
