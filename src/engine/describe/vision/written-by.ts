import type { VisionSettings } from "../../models/vision-settings.ts";

/** How the first note of a result begins that a model wrote. */
export function writtenBy({ model, baseUrl }: Pick<VisionSettings, "model" | "baseUrl">): string {
  return `Written by the vision model ${model} at ${new URL(baseUrl).host}`;
}
